"""The procedures on vehicles and blasts are read alike: one path, the exact reader, and the best play."""

from __future__ import annotations

from typing import Any

import pytest

from battletape.procedure import Procedure, fold
from battletape.rulesets.diceless40k.rules.artillery import ARTILLERY, Battery
from battletape.rulesets.diceless40k.rules.blasts import BLAST, Blast, hits_on
from battletape.rulesets.diceless40k.rules.casualties import Packet, Target
from battletape.rulesets.diceless40k.rules.characteristics import Group
from battletape.rulesets.diceless40k.rules.damage_rows import DamageSheet, new_sheet
from battletape.rulesets.diceless40k.rules.passengers import VEHICLE_END, Bystanders, VehicleDestruction
from battletape.rulesets.diceless40k.rules.ramming import RAM, Rammer, ram_of
from battletape.rulesets.diceless40k.rules.repairs import REPAIR, Repair
from battletape.rulesets.diceless40k.rules.vehicle_assault import VEHICLE_ASSAULT, VehicleAssault, attackers_of
from battletape.rulesets.diceless40k.rules.vehicles import VEHICLE_ATTACK, HullPacket, VehicleAttack
from battletape.table.bases import Base
from battletape.table.points import Point
from battletape.tape.best import Best
from battletape.tape.exact import Exact
from tests.diceless40k.wished_options import WishedOptions

GUNS = ("cannon", "flamer", "flamer")
MARINES = Group("Marines", 5, 40, armour=3)
VOLLEY = (HullPacket("missiles", 28, 8, 10), HullPacket("bolters", 48, 4, 10))


def weapons_left(damage: DamageSheet) -> int:
    return len(damage.weapons_left)


CASES: dict[str, tuple[Procedure, Any, Any]] = {
    "volley": (VEHICLE_ATTACK, VehicleAttack(new_sheet(GUNS), VOLLEY), lambda end: weapons_left(end.damage)),
    "assault": (
        VEHICLE_ASSAULT,
        VehicleAssault((attackers_of(MARINES, grenade="krak"),), 10, "combat", VehicleAttack(new_sheet(GUNS), ())),
        lambda end: weapons_left(end.attack.damage),
    ),
    "ram": (
        RAM,
        ram_of((new_sheet(GUNS), new_sheet(GUNS)), Rammer(14, True), Rammer(11), 12),
        lambda end: end.target.penetrating,
    ),
    "repair": (REPAIR, Repair(DamageSheet(GUNS, lines=(36, 0, 0, 0, 28, 0)), 12), lambda end: len(end.undone_hits)),
    "explosion": (
        VEHICLE_END,
        VehicleDestruction("explodes", False, Target((MARINES,)), bystanders=(Bystanders(Target((MARINES,)), (2,)),)),
        lambda end: end.passengers.models,
    ),
    "artillery": (
        ARTILLERY,
        Battery(Target((MARINES,)), ("left", "right"), ((Packet("krak", 64, 8), HullPacket("krak", 30, 8, 10)),)),
        lambda end: len(end.guns),
    ),
    "blast": (
        BLAST,
        Blast(
            Point(0, 0),
            1.5,
            (Base(Point(0, 0)), Base(Point(2, 1))),
            ("Boyz", "Boyz"),
            held=3,
            draw_back_inches=2,
            further_markers=1,
        ),
        lambda end: sum(hits_on(end, "Boyz")),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_every_reader_tells_the_same(name):
    procedure, start, goal = CASES[name]
    plain = goal(fold(procedure, WishedOptions(), start))
    assert Exact().run(procedure.stages, start).project(goal).chance(plain) == 1  # it takes the first option too
    sides = ("attacker", "defender", "owner")
    least, most = (Best(goal, dict.fromkeys(sides, play)).run(procedure.stages, start).value for play in ("min", "max"))
    assert least <= plain <= most
