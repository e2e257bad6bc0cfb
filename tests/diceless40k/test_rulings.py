"""The rulings: what became of every decision, and what they change in questions and battles."""

from __future__ import annotations

import re
from importlib.resources import files
from typing import Any

import pytest
from msgspec.structs import replace

from battletape.inputs import fields
from battletape.registry import ruleset
from battletape.rulesets.diceless40k.rulings import DEFAULT, PRESETS, Rulings
from tests.diceless40k.battles import battle, do, unit

DL: Any = ruleset("diceless40k")


def test_the_readme_says_what_became_of_every_decision():
    page = files("battletape.rulesets.diceless40k").joinpath("README.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| (D-[0-9]{2}) [^|]*\|([^|]*)\|$", page, re.MULTILINE))
    assert list(rows) == [f"D-{number:02}" for number in range(1, 57)]
    names = {field.name for field in fields(Rulings)}
    for why in rows.values():
        kept = set(re.findall(r"`([a-z_]+)`", why))
        assert kept <= names
        assert bool(kept) is not why.strip().startswith("none: ")


LOST = {"own_lost": 0, "enemy_lost": 0, "enemy_extra_wounds": 3, "toughness": 4.25}
FULL = {"line_f": 36, "guns": [{"strength": 10, "ap": 3, "shots": 2}]}
UNARMED = {"vehicle_weapons": [], "line_e": 8, "guns": [{"strength": 8, "ap": 3, "shots": 6}]}
HAMMERED = {
    "vehicle_weapons": ["cannon", "flamer"],
    "glancing_ticked": [0, 1, 2, 3, 4],
    "penetrating_ticked": [0],
    "line_e": 8,
    "guns": [{"strength": 8, "ap": 3, "shots": 2, "rules": ["plus_one_damage"]}],
}


@pytest.mark.clause("DL-44.3", "DL-60.14", "DL-60.20", "DL-60.21")
@pytest.mark.parametrize(
    "rulings, question, given, measure, told",
    [
        ({"combat_wounds": "each"}, "lost_assault", LOST, "difference", (128, 129)),
        ({"beyond_f": "again"}, "shoot_vehicle", FULL, "glancing", (0, 1)),
        ({"immobilised_again": "nothing"}, "shoot_vehicle", UNARMED, "destroyed", (1, 1)),  # its box is ticked already
        ({"immobilised_again": "nothing", "chain_ticks": "due"}, "shoot_vehicle", UNARMED, "destroyed", (1, 0)),
    ],
)
def test_rulings_reach_what_players_ask(rulings, question, given, measure, told):
    answers = [DL.ask(question, **given), DL.ask(question, **given, **rulings)]
    assert tuple(next(iter(answer.odds(measure).fractions())) for answer in answers) == told


@pytest.mark.clause("DL-60.20")
def test_the_ruling_on_further_weapons_opens_a_choice():
    assert not DL.ask("shoot_vehicle", **HAMMERED).is_chosen
    assert DL.ask("shoot_vehicle", weapons_again="either_row", **HAMMERED).is_chosen


@pytest.mark.clause("DL-60.14", "DL-44.3")
def test_rulings_reach_a_battle():
    one = battle(vigil_vehicles=[unit("Predator")], rulings={"beyond_f": "again"})
    log = do(one, "mark_line", unit="Predator", line="F", dmg=5)
    assert "Predator: 5 DMG on line F: no hit; the sheet has F5" in log
    state = one.state
    full = replace(state.vehicle("Predator").damage, lines=(0, 0, 0, 0, 0, 36))
    one.trust(len(one.moves), state.with_units(replace(state.vehicle("Predator"), damage=full)))
    assert "Predator: 6 DMG on line F: F6G; the sheet has F6" in do(one, "mark_line", unit="Predator", line="F", dmg=6)


@pytest.mark.clause("DL-60.16")
def test_presets():
    assert Rulings(**PRESETS["text"]) == DEFAULT  # type: ignore[arg-type]
    assert Rulings(**PRESETS["sheet"]).rows == "sheet"  # type: ignore[arg-type]


@pytest.mark.clause("DL-19.2", "DL-25.2")
def test_blows_of_one_step_are_spread_over_those_who_stood_before_it():
    strong = {"name": "strong", "models": 1, "strength": 8, "attacks": 10}
    first = [{"models": 5, "attacks": 3, "others": [strong]}]
    nob = {"name": "nob", "models": 1, "toughness": 5, "wounds": 2, "armour": 4}
    second = [{"models": 3, "armour": None, "attacks": 0, "others": [nob]}]
    lost = {}
    for ruling in ("at_once", "in_turn"):
        steps = [step.title for step in DL.ask("fight", first=first, second=second, packets=ruling).steps]
        found = (
            re.search(r"on the second unit: .* initiative \d( on (?P<group>.*))?: (?P<dmg>\d+) DMG", step)
            for step in steps
        )
        lost[ruling] = [(share["group"] or "the second unit", int(share["dmg"])) for share in found if share]
    # 320 DMG of the strong kill all but the nob: of the 240 of the others it takes a quarter, or all
    assert lost["at_once"][2:] == [("nob", 60), ("the second unit", 180)]
    assert lost["in_turn"] != lost["at_once"]
