"""Assaults on vehicles, with attacks and with grenades."""

from __future__ import annotations

import pytest

from battletape.errors import BadInput
from battletape.procedure import fold
from battletape.rulebook import replace
from battletape.rulesets.diceless40k.profiles.types import VehicleProfile
from battletape.rulesets.diceless40k.rules import vehicle_assault
from battletape.rulesets.diceless40k.rules.attacks import piercing_of
from battletape.rulesets.diceless40k.rules.characteristics import Group
from battletape.rulesets.diceless40k.rules.damage_rows import LINES, DamageSheet
from battletape.rulesets.diceless40k.rules.vehicles import VehicleAttack
from battletape.rulesets.diceless40k.rulings import DEFAULT, Rulings
from battletape.tape.best import Best
from battletape.tape.script import Script
from tests.diceless40k.vectors import vectors
from tests.diceless40k.wished_options import WishedOptions

GUNS = ("cannon",) * 9
MARINES = Group("Marines", 5, 40)


def assault(
    *attackers: vehicle_assault.Attackers, av: int = 10, speed: str = "combat", rulings: Rulings = DEFAULT
) -> vehicle_assault.VehicleAssault:
    return vehicle_assault.VehicleAssault(attackers, av, speed, VehicleAttack(DamageSheet(GUNS), (), rulings))


def check(after: vehicle_assault.VehicleAssault, expect) -> None:
    (result,) = after.attack.packet_results
    assert result.packet.dmg == expect["dmg"]
    assert (result.av_minus_s, result.line, result.lost) == (expect["av_minus_s"], expect["line"], expect["lost"])
    assert dict(zip(LINES, result.lines, strict=True)) == expect["lines"]
    assert [hit.name for hit in result.hits] == expect["hits"]
    assert (after.attack.glancing, after.attack.penetrating) == (expect["glancing"], expect["penetrating"])


@pytest.mark.clause("DL-63.1", "DL-63.2", "DL-63.3", "DL-63.4", "DL-76.2")
@pytest.mark.parametrize("given, expect", vectors("vehicle_assault"))
def test_vectors_of_assaults(given, expect):
    attackers = vehicle_assault.Attackers(
        "blows",
        given["ws"],
        given["s"],
        attacks=given["attacks"],
        extra=given["extra"],
        tank_hunters=given["tank_hunters"],
    )
    after = fold(
        vehicle_assault.VEHICLE_ASSAULT, WishedOptions(), assault(attackers, av=given["av"], speed=given["speed"])
    )
    assert after.attack.packet_results[0].packet.skill == expect["ws"]
    check(after, expect)


@pytest.mark.clause("DL-63.5", "DL-63.6")
@pytest.mark.parametrize("given, expect", vectors("grenades"))
def test_vectors_of_grenades(given, expect):
    models = given["models"]
    attackers = vehicle_assault.Attackers("squad", 4, 4, models=models, grenade=given["kind"], throwing=models)
    after = fold(
        vehicle_assault.VEHICLE_ASSAULT, WishedOptions(), assault(attackers, av=given["av"], speed=given["speed"])
    )
    assert after.attack.packet_results[0].packet.strength == expect["strength"]
    check(after, expect)


@pytest.mark.clause("DL-63.4", "DL-76.2", "DL-63.3")
def test_modifiers_of_ws():
    squad = vehicle_assault.Attackers("blows", 4, 4, models=10, tank_hunters=True)
    packet = vehicle_assault.blow_packet(squad, 10, 10, "combat")
    assert (packet.skill, packet.dmg) == (6, 60)
    assert [part.name for part in packet.modifiers] == ["tank hunters", "combat target"]
    assert vehicle_assault.blow_packet(vehicle_assault.Attackers("blows", 4, 4), 1, 10, "immobile").skill == 6
    assert packet.cover is None


@pytest.mark.clause("DL-63.4")
@pytest.mark.parametrize("ruling, ws", [("off", 4), ("on", 3)])
def test_ap_of_blows(ruling, ws):
    assert (
        vehicle_assault.blow_packet(
            vehicle_assault.Attackers("blows", 4, 4), 1, 10, "cruising", Rulings(vehicle_assault_ap=ruling)
        ).skill
        == ws
    )


@pytest.mark.clause("DL-63.4")
def test_which_armour_is_assaulted():
    assert vehicle_assault.assaulted_armour(VehicleProfile(front=13, side=12, rear=10)) == 10
    assert vehicle_assault.assaulted_armour(VehicleProfile(types=("walker",), front=12, side=12, rear=10)) == 12


@pytest.mark.clause("DL-63.2", "DL-42.6", "DL-60.9", "DL-60.10")
def test_what_models_strike_with():
    fist = vehicle_assault.attackers_of(MARINES, "fist", ("power_fist",), models=1, charging=True)
    assert (fist.strength, fist.attacks, fist.models, fist.extra) == (8, 2, 1, None)
    assert vehicle_assault.attackers_of(MARINES, "chainfist", ("chainfist",)).extra == "d6"
    assert vehicle_assault.attackers_of(MARINES, "claws", ("rending",)).extra == "d3"
    assert vehicle_assault.attackers_of(MARINES, "hammer", ("plus_one_damage",)).bonus == 1
    assert vehicle_assault.attackers_of(MARINES, "blade", ("witchblade",)).strength == 9
    beast = Group("Beast", 1, 240, type="monstrous_creature", strength=6, rules=("tank_hunters",))
    assert (vehicle_assault.attackers_of(beast).extra, vehicle_assault.attackers_of(beast).tank_hunters) == ("d6", True)
    assert piercing_of(3, ("witchblade",)).strength == 3  # it is not fired


@pytest.mark.clause("DL-63.5")
def test_each_model_picks_grenade_or_attacks():
    squad = vehicle_assault.attackers_of(MARINES, grenade="krak")
    tape = Script(2, "Marines: blows")
    after = fold(vehicle_assault.VEHICLE_ASSAULT, tape, assault(squad, speed="cruising"))
    assert tape.used_up
    assert [
        (result.packet.name, result.packet.dmg, result.packet.strength) for result in after.attack.packet_results
    ] == [
        ("Marines: blows", 12, 4),
        ("Marines: blows: krak grenades", 40, 6),
    ]
    usual = fold(vehicle_assault.VEHICLE_ASSAULT, WishedOptions(), assault(squad))
    assert [result.packet.clause for result in usual.attack.packet_results] == ["DL-63.5"]  # krak grenades are stronger
    fists = vehicle_assault.attackers_of(replace(MARINES, attacks=4), "power fist", ("power_fist",), grenade="assault")
    usual = fold(vehicle_assault.VEHICLE_ASSAULT, WishedOptions(), assault(fists))
    assert [result.packet.clause for result in usual.attack.packet_results] == ["DL-63.1"]  # and these are not


@pytest.mark.clause("DL-63.5")
def test_the_best_number_of_grenades():
    squad = vehicle_assault.attackers_of(MARINES, grenade="krak")
    start = assault(squad, speed="cruising")
    advice = Best(lambda after: after.attack.penetrating, {"attacker": "max"}).run(
        vehicle_assault.VEHICLE_ASSAULT.stages, start
    )
    assert advice.value == 7  # five krak grenades: 100 DMG on line C
    assert advice.decisions[0].best == 5


@pytest.mark.clause("DL-63.6")
def test_unknown_grenades():
    with pytest.raises(BadInput, match="no grenade 'kark'"):
        vehicle_assault.grenade_packet("kark", 1, 10)
    assert vehicle_assault.grenade_packet("melta_bomb", 1, 14).name == "melta bombs"
