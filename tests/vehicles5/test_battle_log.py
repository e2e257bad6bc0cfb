"""The log of a battle: in the order of play, with names as in the battle, and the reason where a number shrinks."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from battletape.battle import Battle
from battletape.battle.battle import Option
from battletape.conformance.random_play import AnyOption
from battletape.rulesets.vehicles5.profiles.book import book
from battletape.tape.script import Script
from tests.vehicles5.asking import RULES
from tests.vehicles5.battles import FAR, RULESET, battle, close_quarters, path, squad, to_phase, told, vehicle

TANK = vehicle("Tank", "Anvil battle tank", 20, 10)


@pytest.mark.parametrize("seed", range(4))
def test_every_move_of_a_random_battle_says_something_and_cites_a_clause(seed: int) -> None:
    one = close_quarters()
    known = RULESET.clauses.by_id
    for step in range(25):
        by_action: dict[str, list[Option]] = {}
        for option in one.legal():
            by_action.setdefault(option.action.name, []).append(option)
        luck = random.Random(f"{seed} {step}")
        option = luck.choice(by_action[luck.choice(sorted(by_action))])
        move = one.push(option, tape=AnyOption(f"{seed} {step}"))
        lines = one.move_record(move.number).lines
        assert lines, (move.action, move.params)
        for line in lines:
            assert line.text, move.action
            assert line.clauses, (move.action, line)
            assert all(clause in known for clause in line.clauses), line


def test_each_hit_is_followed_by_what_it_does() -> None:
    one = to_phase(battle([TANK], [vehicle("Foe", "Hay wain", 20, 30, 180)]), "shooting")
    one.push("fire", unit="tank", target="foe", guns=[{"gun": "lascannon"}], tape=Script(6, 6, 1))
    lines = [line.split(" (needs")[0] for line in told(one)]
    assert lines == [
        "Tank at Foe: Lascannon",  # in full, though short names were typed
        "Lascannon: to hit",
        "Lascannon: penetration",
        "Lascannon: damage",
        "Foe is stunned",
    ]


@pytest.mark.clause("V5-CUMUL", "V5-DMG-3")
def test_result_that_does_something_else_says_why() -> None:
    gun = {"shots": 1, "bs": 4, "strength": 9, "ap": 2}
    rolled = RULES.roll("shoot", tape=Script(3, 4, 4), weapons=1, immobilised=True, guns=[gun])
    assert [line.text for line in rolled.log[-2:]] == [
        "It was immobilised already: a weapon is destroyed instead",
        "The vehicle loses a weapon",
    ]
    rolled = RULES.roll("shoot", tape=Script(3, 4, 3), weapons=0, guns=[gun])
    assert [line.text for line in rolled.log[-2:]] == [
        "There is no weapon left to destroy: it is immobilised instead",
        "The vehicle is immobilised",
    ]
    rolled = RULES.roll("shoot", tape=Script(3, 4, 1), shaken=True, guns=[gun])
    assert [line.text for line in rolled.log[-2:]] == ["It was shaken already", "The vehicle is as before"]


@pytest.mark.clause("V5-SKIM-7")
def test_crash_of_a_skimmer_says_why_it_is_wrecked() -> None:
    flat_out = {"types": ["fast", "skimmer"], "band": "flat_out"}
    rolled = RULES.roll("damage", tape=Script(4), hits=[{"hit": "penetrate"}], **flat_out)
    assert [line.text for line in rolled.log[-2:]] == [
        "A skimmer at this speed crashes when it is immobilised",
        "The vehicle is wrecked",
    ]


@pytest.mark.clause("V5-CORE-21")
def test_models_that_do_not_fire_are_counted_with_the_reason() -> None:
    company = squad("Company", "Furnace company", 20, 20, abreast=2)
    one = battle([company], [vehicle("Foe", "Hay wain", 20, 43, 180)])
    one.push("end_phase")
    one.push("shoot_unit", unit="Company", target="Foe", tape=AnyOption(1))
    lines = one.move_record(2).lines
    short = next(line for line in lines if "do not fire" in line.text and "Bolter" in line.text)
    assert short.text.startswith("Company: ")
    assert " of 8 do not fire; Bolter reaches 24 inches" in short.text
    assert short.clauses == ("V5-CORE-1",)
    assert lines.index(short) < next(at for at, line in enumerate(lines) if line.question)


@pytest.mark.clause("V5-TRAN-3")
def test_passengers_without_room_to_shoot_are_counted() -> None:
    men = squad("Men", "Ninth Bridge sappers", 0, 0, aboard="It")
    wagon = {"capacity": 10, "fire_points": 1, "access": [{"x": 0, "y": -2.375}]}
    one = battle(
        [vehicle("It", "Longwatch destroyer", 20, 10, **wagon), men], [vehicle("Foe", "Hay wain", 20, 20, 180)]
    )
    one.push("end_phase")
    one.push("shoot_unit", unit="Men", target="Foe", tape=AnyOption(1))
    assert "there is room for 1 to shoot out of It" in " ".join(told(one))


def test_the_weapons_of_a_squad_on_foot_are_written_into_the_file() -> None:
    one = battle([squad("Company", "Furnace company", 20, 10)], [vehicle("Foe", "Hay wain", 20, 20, 180)])
    one.push("end_phase")
    move = one.push("shoot_unit", unit="Company", target="Foe", tape=AnyOption(1))
    carried = {weapon.name for weapon in book().find("unit", "Furnace company").weapons}
    fired = {arms.weapon for arms in move.params.weapons}  # type: ignore[attr-defined]
    assert fired
    assert all(name in carried or "missile" in name for name in fired)
    again = Battle.new(RULESET, one.start)
    again.push("end_phase")
    again.push("shoot_unit", move.params, tape=AnyOption(1))
    assert again.state == one.state


@pytest.mark.clause("V5-TERR-2", "V5-TERR-3")
def test_drive_names_its_tests_before_they_are_rolled() -> None:
    bog = [{"kind": "dangerous", "corners": [{"x": x, "y": y} for x, y in ((0, 17), (48, 17), (48, 19), (0, 19))]}]
    one = battle([TANK], [FAR], bog)
    one.push("drive", unit="Tank", path=path((20, 20)), tape=Script(1))
    lines = told(one)
    assert lines[0].startswith("Tank comes to bad ground: a test after ")
    assert lines[1].startswith("Dangerous terrain")
    assert lines[2].endswith(", and is immobilised")
    assert lines[3].startswith("Tank stands at ")


@pytest.mark.clause("V5-DMG-1")
def test_end_of_a_turn_says_which_crews_recover() -> None:
    one = battle([TANK], [FAR])
    one.trust(0, one.state.with_units(replace(one.state.vehicle("Far"), shaken_until=2)))
    one.push("end_turn")
    one.push("end_turn")
    assert "Far is no longer shaken" in [*(line.text for line in one.move_record(1).lines), *told(one)]
