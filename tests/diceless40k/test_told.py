"""What questions and battles tell: the right clauses with choices, reasons with a remedy, and plain English."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from battletape.battle import Battle
from battletape.battle.battle import Option
from battletape.registry import ruleset
from battletape.rulesets.diceless40k import RULESET
from tests.diceless40k.battles import battle, do, end, refused, unit

DL: Any = ruleset("diceless40k")


def value(answer, measure):
    (only,) = answer.odds(measure).fractions()
    return only


def steps(answer):
    return [step.title for step in answer.steps]


def cited(one, action: str, **params: Any) -> dict[str, tuple[str, ...]]:
    """The choices of an action with the clauses that are told with them."""
    do(one, action, **params)
    return {line.question: line.clauses for line in one.move_record(len(one.moves)).lines if line.question}


# --- clauses of choices ----------------------------------------------------------------------------------------------


@pytest.mark.clause("DL-25.2", "DL-20.1")
def test_leftover_points_and_saves_cite_their_clauses():
    one = battle([unit("Space Marines", "Squad")], [unit("Terminators")])
    end(one)
    asked = cited(one, "shoot", unit="Squad", target="Terminators", distance=20, cover=4, weapons=["Bolter"])
    leftover = {clauses for label, clauses in asked.items() if "leftover" in label}
    saves = {clauses for label, clauses in asked.items() if "save of" in label}
    assert (leftover, saves) == ({("DL-25.2",)}, {("DL-20.1",)})


@pytest.mark.clause("DL-30.7")
def test_drawing_back_cites_its_clause():
    one = battle([unit("Devastators")], [unit("Ork Boyz")])
    end(one)
    shot = {"unit": "Devastators", "target": "Ork Boyz", "distance": 24, "weapons": ["Frag missile"]}
    asked = cited(one, "shoot", hits=[3, 3], tokens=[2, 0], **shot)
    assert asked["draw back"] == ("DL-30.7",)


@pytest.mark.clause("DL-60.17", "DL-60.20")
def test_weapons_destroyed_cite_their_clauses():
    one = battle(vigil_vehicles=[unit("Predator")])
    asked = cited(one, "mark_line", unit="Predator", line="F", dmg=18)
    assert {clauses for label, clauses in asked.items() if label.endswith("weapon destroyed")} == {("DL-60.17",)}
    again = cited(one, "mark_line", unit="Predator", line="F", dmg=6)
    assert {clauses for label, clauses in again.items() if "immobilised or" in label} == {("DL-60.20",)}


@pytest.mark.clause("DL-SM-57.4")
def test_the_damage_of_the_gate_cites_its_clause():
    one = battle([unit("Gate-walker Corven", "Corven", joined="Squad"), unit("Space Marines", "Squad")])
    asked = cited(one, "cast", unit="Corven", power="gate_of_infinity", take="Squad", gate_zone="own", tokens=[0])
    assert asked["who takes the damage of the gate"] == ("DL-SM-57.4",)


# --- questions that know a unit's rules ------------------------------------------------------------------------------


@pytest.mark.clause("DL-50.1")
def test_a_psyker_is_asked_by_its_profile():
    assert "works" in str(DL.ask("psychic_test", psyker="Weirdboy Zagnit"))


@pytest.mark.clause("DL-8.1", "DL-8.2")
def test_fearless_and_stubborn_units_test_as_in_a_battle():
    assert DL.ask("leadership", unit="Great squig", test="other")
    stubborn = DL.ask("leadership", unit="Veterans", modifier=-2)
    assert value(stubborn, "threshold") == value(DL.ask("leadership", unit="Veterans"), "threshold")
    assert "Veterans is stubborn, so nothing lowers its Ld (DL-8.2)" in stubborn.warnings
    assert value(DL.ask("leadership", unit="Veterans", modifier=1), "threshold") == 183
    one = battle([unit("Veterans")])
    log = do(one, "test_nerve", unit="Veterans", test="other", modifier=-2)
    assert f"against {value(stubborn, 'threshold')}" in log[0]


@pytest.mark.clause("DL-29.1", "DL-30.7")
@pytest.mark.parametrize("distance, drawn", [(0, 4 + 4), (24, 4 + 2), (48, 4)])
def test_tokens_know_the_range_bonus_of_a_heavy_weapon(distance, drawn):
    asked = DL.ask("tokens", weapon="Frag missile", bs=4, distance=distance)
    told = DL.ask("blast", weapon="Frag missile", bs=4, distance=distance, tokens=0)
    assert asked.start.blast.draw_back_inches == told.start.draw_back_inches == drawn


# --- words -----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("DL-SM-94.1")
def test_whom_moonfang_slays_is_told_before_the_others_strike_back():
    told = steps(DL.ask("fight", first="Khan Temurin", second="Ork Boyz", charges="first"))
    slain = next(at for at, text in enumerate(told) if "Moonfang at initiative" in text and "slays outright" in text)
    back = next(at for at, text in enumerate(told) if "of Ork Boyz with" in text)
    assert "slays outright: the model in front of" in told[slain]
    assert slain < back


@pytest.mark.clause("DL-24.1", "DL-24.2")
def test_losses_by_hand_and_runs_are_logged():
    one = battle(
        [unit("Librarian Osric Vale", "Osric"), unit("Ork Boyz")], vigil_vehicles=[unit("Deff Dread", "Dread")]
    )
    assert do(one, "lose_hp", unit="Osric", group="Osric", hp=10) == [
        "Osric: 10 HP lost, 0 models removed, 1 left, 10 HP recorded"
    ]
    assert "Osric: 4 HP regained, 0 models removed, 1 left, 6 HP recorded" in do(
        one, "lose_hp", unit="Osric", group="Osric", hp=-4
    )
    assert "Nob of Ork Boyz: 80 HP lost, 1 model removed, 0 left" in do(
        one, "lose_hp", unit="Ork Boyz", group="Nob", hp=80
    )
    end(one)
    assert "Ork Boyz runs 4 inches instead of firing" in do(one, "run", unit="Ork Boyz", inches=4)
    assert "Dread runs 3 inches instead of firing" in do(one, "run", unit="Dread", inches=3)


@pytest.mark.clause("DL-95.2")
def test_landings_and_tokens_that_nobody_has():
    drop = {"reserve": True, "arrives": "deep_strike"}
    one = battle([unit("Assault Marines", f"Drop {at}", **drop) for at in range(2)])
    end(one, 6)
    do(one, "reserves")
    log = do(one, "deep_strike", unit="Drop 0", zone="neutral", tokens=2, hazard=9)
    assert "Drop 0 lands, up to 4 inches from where it was aimed" in log
    assert str(DL.ask("tokens", held=0)) == "There is no token to use: 3 hits as aimed."
    assert str(DL.ask("tokens", held=0, use="arrival", x=5, y=40)).startswith("There is no token to use, and where it")
    none = DL.ask("arrival", held=0, mishap_inches=0)
    assert str(none).startswith("No token may be used on it: where it is aimed it meets a mishap by itself, which ")
    assert str(DL.ask("arrival", held=0, mishap_inches=5)) == "No token may be used on it: it lands where it is aimed."


@pytest.mark.clause("DL-SM-71.1", "DL-SM-76.1")
def test_why_nothing_is_repaired():
    one = battle([unit("Forge team")], vigil_vehicles=[unit("Rhino"), unit("Predator")], horde_vehicles=[unit("Trukk")])
    refused(one, "self_repair", "DL-SM-76.1", "Rhino is not immobilised, and repairs itself only then", unit="Rhino")
    why = "Predator cannot repair itself; a techmarine could repair it"
    refused(one, "self_repair", "DL-SM-76.1", why, unit="Predator")
    do(one, "mark_line", unit="Trukk", line="A", dmg=6)
    end(one)
    why = "Trukk belongs to Horde; Forge team repairs vehicles of Vigil"
    refused(one, "repair", "DL-SM-71.1", why, unit="Forge team", machine="Trukk", distance=0)


@pytest.mark.clause("DL-0.1")
def test_who_rides_is_no_target_and_where_he_rides_is_told():
    riders = unit("Ork Boyz", "Riders", models=5, groups=[], aboard="Trukk")
    one = battle([unit("Space Marines")], [riders], horde_vehicles=[unit("Trukk")])
    refused(one, "place", "DL-0.1", "Riders rides in Trukk; disembark first", unit="Riders", x=10, y=10)
    end(one)
    why = "Riders rides in Trukk; fire at Trukk"
    refused(one, "shoot", "DL-0.1", why, unit="Space Marines", target="Riders", distance=12)
    end(one)
    why = "Riders rides in Trukk; assault Trukk"
    refused(one, "charge", "DL-0.1", why, unit="Space Marines", target="Riders", distance=3)
    refused(one, "charge", "DL-0.1", "friends are not assaulted", unit="Space Marines", target="Far Vigil", distance=3)


# --- every move speaks ------------------------------------------------------------------------------------------------


@pytest.mark.clause("DL-0.1")
@pytest.mark.parametrize("seed", range(3))
def test_every_move_of_a_random_battle_says_something_and_cites_a_clause(seed):
    """Actions are drawn alike often, so that rare ones come up as well."""
    luck, one = Random(seed), Battle.new(RULESET)
    for step in range(40):
        options: dict[str, list[Option]] = {}
        for option in one.legal():
            options.setdefault(option.action.name, []).append(option)
        if not options:
            break
        option = luck.choice(options[luck.choice(sorted(options))])
        move = one.push(option, tape=step)
        lines = one.move_record(move.number).lines
        assert lines, f"{option.action.name} says nothing"
        assert not [line.text for line in lines if not line.clauses]


@pytest.mark.clause("DL-20.1", "DL-24.1")
def test_every_choice_stands_before_what_it_led_to():
    """Which model leaves is asked after its unit has lost it, and the leftover points before the saves."""
    one = battle([unit("Space Marines", "Squad")], [unit("Ork Boyz", "Mob", x=30, y=30)])
    end(one)
    log = do(one, "shoot", unit="Squad", target="Mob", distance=12, weapons=["Bolter"])
    order = ("Mob: Bolter: BS", "leftover points on", "Mob: Bolter on", "removed", "leaves by Horde")
    told = [next(at for at, line in enumerate(log) if text in line) for text in order]
    assert told == sorted(told)


@pytest.mark.clause("DL-14.1")
def test_names_are_written_as_in_the_battle_where_short_ones_are_typed():
    one = battle([unit("Space Marines", "First squad of Vigil")], [unit("Ork Boyz", "Mob of the hill")])
    assert do(one, "move", unit="first", inches=3) == ["First squad of Vigil moves 3 inches"]
