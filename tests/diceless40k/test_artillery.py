"""Artillery: the shares of crew and guns, and guns destroyed."""

from __future__ import annotations

import pytest

from battletape.procedure import fold
from battletape.rulesets.diceless40k.rules.artillery import (
    ARTILLERY,
    Battery,
    artillery_columns,
    artillery_shares,
    refuse_battery,
)
from battletape.rulesets.diceless40k.rules.casualties import Packet, Target
from battletape.rulesets.diceless40k.rules.characteristics import Group
from battletape.rulesets.diceless40k.rules.shooting import shooting_damage
from battletape.rulesets.diceless40k.rules.vehicles import HullPacket, shot_damage
from battletape.rulesets.diceless40k.rulings import DEFAULT, Rulings
from battletape.tape.script import Script
from tests.diceless40k.log_lines import texts
from tests.diceless40k.vectors import vectors

CREW = Group("Crew", 3, 40, armour=6)


def shots(dmg: int, vehicle_dmg: int, strength: int = 4, cover: int | None = None) -> tuple[Packet, HullPacket]:
    return Packet("shots", dmg, strength), HullPacket("shots", vehicle_dmg, strength, 10, cover=cover)


def shelled(guns: tuple[str, ...], *packets, answers: tuple[str, ...] = (), crew: Group = CREW, **more) -> Battery:
    tape = Script(*answers)
    return shelled_on(tape, guns, *packets, crew=crew, **more)


def shelled_on(tape: Script, guns: tuple[str, ...], *packets, crew: Group = CREW, **more) -> Battery:
    """Return the battery after these packets; every answer of the tape is asked for."""
    after: Battery = fold(ARTILLERY, tape, Battery(Target((crew,), **more), guns, packets))
    assert tape.used_up
    return after


@pytest.mark.clause("DL-55.1", "DL-55.2")
@pytest.mark.parametrize("given, expect", vectors("artillery_split"))
def test_vectors_of_the_split(given, expect):
    shots = given["shots"] * given["models"]
    dmg, vehicle_dmg = shooting_damage(given["bs"], given["s"], shots), shot_damage(given["bs"], shots)
    shares = artillery_shares(dmg, vehicle_dmg, given["s"])
    assert (shares.crew, shares.guns) == (expect["dmg_to_crew"], expect["dmg_to_guns"])


@pytest.mark.clause("DL-55.1")
@pytest.mark.parametrize("given, expect", vectors("artillery_columns"))
def test_vectors_of_the_columns(given, expect):
    shares = artillery_columns(given["dmg"])
    assert (shares.crew, shares.guns) == (expect["crew"], expect["guns"])


@pytest.mark.clause("DL-55.1")
def test_the_columns_always_add_up():
    assert all(artillery_columns(dmg).crew + artillery_columns(dmg).guns == dmg for dmg in range(1001))


@pytest.mark.clause("DL-55.2")
def test_weak_weapons_spare_the_guns():
    assert artillery_shares(180, 60, 3).guns == 0
    assert artillery_shares(180, 60, 3).crew == 60
    assert artillery_shares(180, 60, 4).guns == 40


@pytest.mark.clause("DL-55.1")
@pytest.mark.parametrize("ruling, guns", [("vehicle_dmg", 27), ("one_dmg", 107)])
def test_the_share_of_guns_by_ruling(ruling, guns):
    shares = artillery_shares(160, 40, 4, Rulings(artillery_guns=ruling))
    assert (shares.crew, shares.guns) == (53, guns)


@pytest.mark.clause("DL-55.1")
def test_five_bolters_do_not_break_a_gun_yet():
    once = shelled(("mortar",), shots(160, 40))
    assert (once.guns, once.lines, once.destroyed) == (("mortar",), (27, 0, 0, 0, 0, 0), 0)
    assert once.crew.losses.dmg == 53
    tape = Script()
    twice = shelled_on(tape, ("mortar",), shots(40, 40), shots(40, 14))
    assert (twice.guns, twice.destroyed) == ((), 1)
    assert "Mortar is destroyed by A36G" in texts(tape)


@pytest.mark.clause("DL-55.1")
def test_the_owner_picks_the_gun_and_the_rest_goes_on():
    tape = Script("right")
    after = shelled_on(tape, ("left", "right", "left"), shots(0, 75, 8))
    # 50 on line E: 8 break a gun each, until none is left
    assert [text for text in texts(tape) if "destroyed" in text] == [
        f"{gun} is destroyed by E8G" for gun in ("Right", "Left", "Left")
    ]
    assert (after.guns, after.destroyed) == ((), 3)
    partly = shelled(("left", "right"), shots(0, 18, 8), answers=("left",))
    assert (partly.guns, partly.lines) == (("right",), (0, 0, 0, 0, 4, 0))


@pytest.mark.clause("DL-55.1")
def test_no_guns_or_no_crew():
    bare = shelled((), shots(60, 40))
    assert (bare.to_crew, bare.to_guns, bare.crew.losses.dmg) == (60, 0, 60)
    dead = shelled(("mortar",), shots(2000, 1, 5))
    assert (dead.crew.models, dead.guns) == (0, ())
    assert refuse_battery(1, 2) is None
    assert "got 0 guns and 3 models" in str(refuse_battery(0, 3))


@pytest.mark.clause("DL-55.1", "DL-60.6")
def test_cover_of_crew_and_guns():
    after = shelled(("mortar",), shots(160, 60, cover=4), rulings=DEFAULT, cover=4, answers=("cover",))
    assert after.lines == (20, 0, 0, 0, 0, 0)
    assert after.crew.losses.hp == 27
