"""A unit by its profile does in a question what it does in a battle."""

from __future__ import annotations

from typing import Any

import pytest

from battletape.battle import Battle
from battletape.errors import BadInput, Refused
from battletape.registry import ruleset
from tests.diceless40k.battles import battle, do, end, unit

DL: Any = ruleset("diceless40k")
UNITS = sorted(DL.book.entries["unit"])


def value(answer, measure):
    (only,) = answer.odds(measure).fractions()
    return only


def ready_to_fire(name: str, moved: bool = False, **foes: Any) -> Battle:
    """A battle in which a unit is about to fire at its target."""
    one = battle([unit(name, "Shooters")], **foes)
    if moved:
        do(one, "move", unit="Shooters", inches=1)
    end(one)
    return one


def fired(one: Battle, distance: float, hits: list[int], **more: Any) -> int | None:
    """DMG of a unit's shooting in a battle; none if it may not fire."""
    given = {"hits": hits} if hits else {}
    try:
        answer = one.odds("shoot", unit="Shooters", target="Target", distance=distance, **given, **more)
    except Refused:
        return None
    return int(value(answer, "dmg"))


@pytest.mark.clause("DL-19.2", "DL-25.1", "DL-55.1")
@pytest.mark.parametrize("name", UNITS)
@pytest.mark.parametrize("moved", [False, True])
def test_what_every_unit_does_to_troops(name, moved):
    one = ready_to_fire(name, moved, horde=[unit("Nobz", "Target")])
    for distance in (6, 12, 24):
        try:
            answer = DL.ask("shoot", shooters=name, unit="Nobz", distance=distance, moved=moved)
        except (BadInput, Refused):
            assert fired(one, distance, []) is None, distance
            continue
        hits = [number for aim in answer.start.aims for number in aim.hits]
        assert value(answer, "dmg") == fired(one, distance, hits), distance


@pytest.mark.clause("DL-60.4", "DL-76.2")
@pytest.mark.parametrize("name", UNITS)
def test_what_every_unit_does_to_a_vehicle(name):
    one = ready_to_fire(name, horde_vehicles=[unit("Trukk", "Target")])
    for distance in (6, 12, 24):
        answer = DL.ask("focus", shooters=name, targets=f"unit=Trukk distance={distance} speed=immobile")
        (plan,) = answer.states.weights
        attacks = [attack for target in plan.targets for attack in target.attacks]
        packets = [struck.packet for attack in attacks for struck in attack.struck]
        guns = {gun.weapon: gun for shooter in plan.shooters for gun in shooter.guns}
        hits = [number for packet in packets for number in guns[packet.name].hits]
        done = fired(one, distance, hits, zone="orange", facing="front")
        assert sum(packet.dmg for packet in packets) == (done or 0), distance


@pytest.mark.clause("DL-63.1", "DL-63.2", "DL-63.5")
@pytest.mark.parametrize("name", UNITS)
def test_what_every_unit_does_when_it_assaults_a_vehicle(name):
    one = battle([unit(name, "Shooters")], horde_vehicles=[unit("Trukk", "Target")])
    end(one, 2)
    try:
        played = one.odds("assault_vehicle", unit="Shooters", target="Target", distance=3)
    except Refused:
        return  # artillery does not assault
    asked = DL.ask("assault_vehicle", attackers=name, vehicle="Trukk", charging=True, speed="immobile")
    for measure in ("dmg", "glancing", "penetrating"):
        assert value(asked, measure) == value(played, measure), measure


@pytest.mark.clause("DL-38.1")
@pytest.mark.parametrize("name", UNITS)
def test_what_every_unit_does_in_a_fight(name):
    one = battle([unit(name, "Shooters")], [unit("Ork Boyz", "Target")])
    end(one, 2)
    try:
        do(one, "charge", unit="Shooters", target="Target", distance=3)
    except Refused:
        return  # artillery does not assault
    played = one.odds("fight", unit="Shooters")
    asked = DL.ask("fight", first=name, second="Ork Boyz", charges="first")
    assert value(asked, "first_dmg") + value(asked, "second_dmg") == value(played, "dmg")
