"""The questions ordnance, tank_shock and ram as a player asks them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from battletape.errors import BadInput, Refused, UnknownName
from battletape.rulesets.vehicles5.profiles.book import book
from battletape.rulesets.vehicles5.questions.ordnance import ORDNANCE
from battletape.rulesets.vehicles5.questions.ram import RAM
from battletape.rulesets.vehicles5.questions.tank_shock import TANK_SHOCK
from battletape.rulesets.vehicles5.rules.blasts import Shelling, hit_by
from battletape.rulesets.vehicles5.rules.shooting import Shot
from battletape.rulesets.vehicles5.rulings import PRESETS, Rulings
from battletape.system import Ruleset
from battletape.table.markers import HullBlast

QUESTIONS = (ORDNANCE, TANK_SHOCK, RAM)
SYSTEM = Ruleset(
    "vehicles5",
    "",
    "",
    "battletape.rulesets.vehicles5",
    Rulings,
    QUESTIONS,
    PRESETS,
    profiles=lambda files: book(files),
)
MELTA = {"strength": 8, "ap": 1, "dice": "2d6"}


def asked(question: str, measure: str, **given: Any) -> Fraction:
    return SYSTEM.ask(question, **given).odds(measure).chance(1)


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda one: one.name)
def test_the_example_is_answered_and_rolled(question: Any) -> None:
    answer = SYSTEM.ask(question.name, **question.example)
    assert answer.headline.endswith(".")
    assert sum(answer.states.fractions().values()) == 1
    assert all(step.clauses for step in answer.steps)
    for seed in range(6):
        rolled = SYSTEM.roll(question.name, seed=seed, **question.example)
        assert rolled.state in answer.states.fractions()
        assert all(line.text and line.clauses for line in rolled.log)


def on_hull(start: Shelling) -> Shot:
    """The hit of a marker whose hole stays on the hull."""
    hit = hit_by(start.shell, start.mark, start.seen, HullBlast("hole"), start.rules)
    assert hit is not None
    return hit


@pytest.mark.clause("V5-SHOT-7", "V5-SHOT-9", "V5-ORD-2")
def test_ordnance_with_profiles() -> None:
    answer = SYSTEM.ask("ordnance", weapon="Battle cannon", vehicle="Anvil battle tank", bs=4)
    parts = [answer.odds(name).chance(1) for name in ("hole_on_hull", "only_edge_on_hull", "missed")]
    assert sum(parts) == 1
    assert parts[0] > Fraction(1, 3)
    assert on_hull(answer.start).dice == "higher_of_two"
    assert answer.start.hull.length == book().find("vehicle", "Anvil battle tank").length


@pytest.mark.clause("V5-SHOT-7")
def test_a_marker_that_cannot_leave_the_hull_is_as_good_as_a_sure_hit() -> None:
    """BS 10: two inches at most, and a hull of six by six around the aim."""
    given = {"length": 6, "width": 6, "bs": 10, "front": 12, "ap": 3, "strength": 8}
    assert asked("ordnance", "hole_on_hull", **given) == 1
    glance, through = Fraction(7, 36), Fraction(20, 36)  # higher of two dice: 4, and 5 or 6
    assert asked("ordnance", "destroyed", **given) == through / 3
    assert asked("ordnance", "immobilised_or_worse", **given) == through / 2 + glance / 6
    assert asked("ordnance", "destroyed", **given, cover=4) == through / 6


@pytest.mark.clause("V5-SHOT-8", "V5-SHOT-4")
def test_barrages_strike_the_side_and_shots_the_firers_facing() -> None:
    given = {"length": 6, "width": 6, "bs": 10, "front": 14, "side": 12, "rear": 10}
    gaps = {
        (bearing, barrage): on_hull(SYSTEM.ask("ordnance", firer_bearing=bearing, barrage=barrage, **given).start).gap
        for bearing in (0, 90, 180)
        for barrage in (False, True)
    }
    assert [gaps[bearing, False] for bearing in (0, 90, 180)] == [6, 4, 2]
    assert {gaps[bearing, True] for bearing in (0, 90, 180)} == {4}


@pytest.mark.clause("V5-ORD-3", "V5-ORD-4", "V5-CORE-3")
def test_a_mortar_is_always_a_barrage_here_as_in_battles() -> None:
    given = {"vehicle": "Longwatch destroyer", "weapon": "Mortar", "line_of_sight": False}
    assert on_hull(SYSTEM.ask("ordnance", **given).start).gap == 7  # S4 against its side of 11: see test_battle_guns
    with pytest.raises(Refused, match="line of sight"):
        SYSTEM.ask("ordnance", **given | {"weapon": "Siege howitzer"})


@pytest.mark.clause("V5-TANK-5", "V5-DOG-1", "V5-DOG-3")
def test_a_meltagun_in_the_way_of_av12() -> None:
    given = {"front": 12, "units": [{"ld": 8, "tries": "always", "glory": [MELTA]}]}
    assert asked("tank_shock", "falls_back", **given) == Fraction(5, 18)
    assert asked("tank_shock", "tank_stops", **given) == Fraction(52, 81)
    assert asked("tank_shock", "model_destroyed", **given) == Fraction(13, 162)
    assert asked("tank_shock", "tank_completes_move", **given) == Fraction(29, 81)


@pytest.mark.clause("V5-DOG-3")
def test_rulings_are_read_with_the_inputs() -> None:
    given = {"front": 13, "units": [{"fearless": True, "tries": "always", "glory": [{"strength": 8}]}]}
    assert asked("tank_shock", "tank_stops", **given) == Fraction(2, 9)
    assert asked("tank_shock", "tank_stops", **given, preset="core5") == Fraction(1, 6)


@pytest.mark.clause("V5-DOG-2")
def test_weapons_of_a_unit_come_from_its_profile_the_best_first() -> None:
    answer = SYSTEM.ask("tank_shock", vehicle="Bull ram", units="unit='Furnace company' at=3")
    (unit,) = answer.start.units
    assert unit.glory[0].name == "Meltagun"
    assert {"Krak missile", "Bolter"} <= {one.name for one in unit.glory}
    fists = SYSTEM.ask("tank_shock", units="unit='Vault wardens' at=3").start.units[0].glory
    assert next(one.strength for one in fists if one.name == "Power fist") == 8


@pytest.mark.clause("V5-DOG-2")
def test_named_weapons_blows_and_grenades() -> None:
    def strengths(glory: str) -> list[tuple[str, int, str]]:
        arms = SYSTEM.ask("tank_shock", units=f'at=3 strength=4 glory="{glory}"').start.units[0].glory
        return [(one.name, one.strength, one.dice) for one in arms]

    assert strengths("Power fist") == [("Power fist", 8, "d6")]
    assert strengths("krak") == [("krak", 6, "d6")]
    assert strengths("Melta bomb") == [("Melta bomb", 8, "2d6")]
    with pytest.raises(UnknownName, match="Meltagun"):
        strengths("Melttagun")


@pytest.mark.clause("V5-TANK-4", "V5-TANK-6")
def test_what_ends_the_drive_and_whether_it_may_fire() -> None:
    units = [{"at": 3, "tries": "never"}, {"kind": "friendly", "at": 5}, {"at": 7}]
    answer = SYSTEM.ask("tank_shock", declared=10, units=units)
    assert answer.odds("moved").fractions() == {5.0: 1}
    assert answer.odds("may_shoot").chance(1) == 1
    assert asked("tank_shock", "may_shoot", declared=10, units=[]) == 0


@pytest.mark.clause("V5-TANK-4", "V5-TERR-2")
def test_bad_ground_takes_one_test_or_one_for_each_area() -> None:
    units = [{"kind": "terrain", "at": 8}, {"kind": "terrain", "at": 4}]
    assert asked("tank_shock", "tank_immobilised_or_worse", units=units) == Fraction(1, 6)
    every = asked("tank_shock", "tank_immobilised_or_worse", units=units, terrain_tests="one_per_area")
    assert every == Fraction(11, 36)
    assert asked("tank_shock", "tank_immobilised_or_worse", units=units, types="tank, skimmer") == 0
    side_by_side = [{"kind": "terrain", "at": 4}, {"kind": "terrain", "at": 4}]
    assert asked("tank_shock", "tank_immobilised_or_worse", units=side_by_side) == Fraction(1, 6)


@pytest.mark.clause("V5-RAM-4", "V5-RAM-5", "V5-RAM-6", "V5-RAM-7")
def test_a_ram_by_numbers() -> None:
    given = {"rammer_front": 14, "target_side": 10, "distance": 12}
    assert asked("ram", "target_destroyed", **given) == Fraction(5, 18)
    assert asked("ram", "rammer_unharmed", **given) == 1
    assert asked("ram", "rammer_continues", **given) == Fraction(5, 36)
    answer = SYSTEM.ask("ram", **given)
    assert answer.table is not None
    assert answer.table.rows == (("rammer", "14", "9"), ("target", "10", "4"))
    assert answer.warnings


@pytest.mark.clause("V5-RAM-4")
def test_the_side_of_the_rammer_counts_only_by_ruling() -> None:
    given = {"rammer_front": 14, "rammer_side": 10, "rammer_struck": "side", "target_types": "tank", "distance": 12}
    assert asked("ram", "rammer_unharmed", **given) == 1
    assert asked("ram", "rammer_unharmed", **given, rammer_facing="contact") < 1


@pytest.mark.clause("V5-WALK-15", "V5-SKIM-8")
def test_rams_of_named_vehicles() -> None:
    dodges = SYSTEM.ask("ram", rammer="Bull ram", target="Kingfisher", distance=6)
    assert dodges.odds("dodged").chance(1) == Fraction(2, 3)
    walker = SYSTEM.ask(
        "ram", rammer="Bull ram", target="Warden strider", distance=6, glory="Multi-melta", reaction="glory"
    )
    assert 0 < walker.odds("rammer_stopped").chance(1) < 1
    assert walker.inputs.target_types == book().find("vehicle", "Warden strider").types


@pytest.mark.clause("V5-RAM-1", "V5-RAM-2", "V5-SKIM-8", "V5-TANK-1", "V5-TANK-2", "V5-ORD-3", "V5-SHOT-7")
@pytest.mark.parametrize(
    "question, given, clause",
    [
        ("ram", {"distance": 13}, "V5-RAM-2"),
        ("ram", {"rammer_types": "fast"}, "V5-RAM-1"),
        ("ram", {"dodge": "always"}, "V5-SKIM-8"),
        ("ram", {"target_types": "walker", "target_struck": "rear", "reaction": "glory"}, "V5-WALK-15"),
        ("ram", {"rammer_stunned": True}, "V5-DMG-2"),
        ("tank_shock", {"declared": 0}, "V5-TANK-2"),
        ("tank_shock", {"types": "fast"}, "V5-TANK-1"),
        ("tank_shock", {"declared": 13}, "V5-MOVE-3"),
        ("ordnance", {"aim_right": 2}, "V5-SHOT-7"),
        ("ordnance", {"line_of_sight": False}, "V5-ORD-3"),
        ("ordnance", {"band": "flat_out"}, "V5-FAST-1"),
    ],
)
def test_what_the_rules_do_not_allow(question: str, given: dict[str, Any], clause: str) -> None:
    with pytest.raises(Refused) as refused:
        SYSTEM.ask(question, **given)
    assert refused.value.clause == clause


@pytest.mark.parametrize(
    "question, given",
    [
        ("ordnance", {"front": 15}),
        ("ordnance", {"weapon": "Lascannon"}),
        ("ordnance", {"weapon": "Battle cannon", "barrage": True}),
        ("ram", {"distance": -1}),
        ("tank_shock", {"units": "at=3 glory='Missile launcher'"}),
        ("tank_shock", {"vehicle": "Bull ramm"}),
    ],
)
def test_bad_input(question: str, given: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        SYSTEM.ask(question, **given)
