"""Decisions while dice are rolled: asked in a terminal, weighed on request, taken as usual elsewhere."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from battletape.battle import Battle
from battletape.battle.sides import deciding_sides
from battletape.cli import deciding
from battletape.dice import D6, at_least
from battletape.log import play
from battletape.tape.question import Entry
from battletape.tape.recorded import Recorded
from battletape.tape.rolled import Rolled
from battletape.tape.worth import Aim, Position, worths
from tests.cli.test_battle_answers import SIDES

SHOT = ("battle", "do", "shoot", "target=Brother Teodor", "--seed", "3")


@pytest.fixture
def begun(bt, monkeypatch):
    """A battle in which a shot hits, and its target may dodge."""
    Path("sides.toml").write_text(SIDES, encoding="utf-8")
    bt("battle", "new", "deathwatch", "--sides", "sides.toml")
    return bt


@pytest.fixture
def asked(begun, monkeypatch):
    """The same in a terminal."""
    monkeypatch.setattr(deciding, "in_terminal", lambda: True)
    return begun


def test_without_a_terminal_the_usual_is_taken_and_the_log_says_so(begun):
    assert "Reaction by Raiders: dodge (by default)" in _flat(begun(*SHOT, code=0).stdout)
    assert "(by default)" in _flat(begun("battle", "log").stdout)
    assert "[dodge | none] = dodge (by default)" in Path("battle.bt").read_text(encoding="utf-8")
    assert "1 move" in begun("battle", "check").stdout


def test_a_decision_of_the_opponent_is_asked_by_the_name_of_its_side(asked):
    done = asked(*SHOT, input="none\n")
    assert "(Raiders decides)" in done.stderr
    assert "to hit" in done.stderr.split("(Raiders decides)")[0]  # with the dice so far on the table
    assert "Reaction by Raiders: none" in _flat(done.stdout)
    assert "by default" not in done.stdout


def test_enter_takes_the_usual_one_which_then_is_a_decision(asked):
    done = asked(*SHOT, input="\n")
    assert "Reaction by Raiders: dodge" in _flat(done.stdout)
    assert "by default" not in done.stdout


def test_options_are_weighed_on_request_and_nonsense_is_asked_again(asked):
    told = asked(*SHOT, input="?\nduck\n2\n").stderr
    assert "best for Raiders" in told
    assert "later decisions as usual" in told
    assert "must be one of dodge | none, got 'duck'" in told


def test_the_end_of_input_loses_nothing(asked):
    before = Path("battle.bt").read_bytes()
    told = " ".join(asked(*SHOT, code=2, input="").stderr.split())
    assert "Play stops at the decision" in told
    assert "nothing was done" in told
    assert '--answers "' in told
    assert "--seed 3" in told
    assert Path("battle.bt").read_bytes() == before
    answers = told.split('--answers "')[1].split('"')[0]
    done = asked(*SHOT, "--answers", f"{answers}; none")
    assert "none" in done.stdout


def test_first_and_best_ask_nothing(asked):
    assert "dodge (by default)" in _flat(asked(*SHOT, "--first", input="").stdout)
    asked("battle", "undo")
    done = asked(*SHOT, "--best", "damage", input="").stdout
    assert "Reaction by Raiders: dodge" in _flat(done)
    assert "by default" not in done
    asked("battle", "undo")
    told = asked(*SHOT, "--best", "damag", code=2).stderr
    assert "Did you mean 'damage'?" in told
    assert "does not go with" in asked(*SHOT, "--best", "damage", "--first", code=2).stderr


def test_programs_are_not_asked(asked):
    assert '"move"' in asked(*SHOT, "--json", input="").stdout


def test_a_question_asks_as_well(bt, monkeypatch):
    line = ("roll", "vehicles5", "shoot", "--guns", "4 lascannons", "--vehicle", "anvil", "--seed", "2")
    assert "Battle cannon (by default)" in bt(*line).stdout
    monkeypatch.setattr(deciding, "in_terminal", lambda: True)
    done = bt(*line, input="?\n2\n")
    assert "(attacker decides)" in done.stderr
    assert "Weapon destroyed by attacker: Lascannon " in done.stdout
    assert "by default" not in bt(*line, "--best", "destroyed").stdout


def test_a_recording_keeps_options_taken_by_default():
    entry = Entry("choose", "which save", "armour | aegis", "armour", by_default=True)
    assert str(entry) == "choose which save [armour | aegis] = armour (by default)"
    assert Entry.parse(str(entry)) == entry
    odd = Entry("choose", "which", "a | a (by default)", "a (by default)")
    assert Entry.parse(str(odd)) == odd


def _shoot(tape, state):
    """Hits, and then a choice between a sure point and a die for each hit."""
    hits = tape.pool(3, D6, at_least(4), label="to hit")[True]
    if tape.choose(("sure", "risk"), by="defender", label="how") == "sure":
        return (hits, 1)
    return (hits, tape.pool(hits, D6, at_least(5), label="saves")[True]) if hits else (0, 0)


def _wound(tape, state):
    """Two dice for each point."""
    return state[1] + tape.pool(2, D6, at_least(4), label="wounds")[True]


class _Stopped(Exception):
    """At the decision."""


def _at_the_decision() -> tuple[Position, object]:
    def stop(ask):
        raise _Stopped(Position.of(tape), ask)

    tape = Rolled(2, stop)
    with pytest.raises(_Stopped) as stopped:
        play((_shoot, _wound), tape, 0)
    return stopped.value.args


def test_what_options_are_worth_is_exact_from_the_dice_on_the_table():
    position, ask = _at_the_decision()
    (hits,) = (answer[True] for answer in position.answered)
    known = {worth.option: worth for worth in worths(position, ask, Aim(lambda state: state))}
    assert known["sure"].value == 2
    assert known["risk"].value == 1 + Fraction(hits, 3)
    assert known["risk"].rolls == 0


def test_what_is_too_much_is_estimated_and_says_so(monkeypatch):
    from battletape.tape import limits, worth

    monkeypatch.setattr(worth, "OPTION_RUNS", 1)
    position, ask = _at_the_decision()
    known = {found.option: found for found in worths(position, ask, Aim(lambda state: state))}
    assert known["sure"].rolls == limits.OPTION_ROLLS
    assert abs(known["sure"].value - 2) < Fraction(1, 4)
    assert worths(position, ask, Aim(str)) == ()


def test_the_attacker_is_the_side_of_the_unit_that_acts():
    battle = Battle.new("attack_dice")
    battle.push("start")
    ready = battle.plan("attack", unit="Storm wardens", target="Hill raiders", weapon="Storm carbine", distance=18)
    sides = deciding_sides(battle.rules, ready)
    assert (sides["attacker"], sides["defender"]) == ("North", "South")


def test_a_mark_is_replayed():
    tape = Rolled(2)
    play((_shoot, _wound), tape, 0)
    again = Recorded(tape.entries)
    play((_shoot, _wound), again, 0)
    assert again.entries == tape.entries
    assert [entry.by_default for entry in again.entries if entry.kind == "choose"] == [True]


def _flat(text: str) -> str:
    return " ".join(text.split()).replace("Brother Teodor: r", "R")


def test_decisions_about_shots_at_a_vehicle_are_weighed_by_its_sheet():
    battle = Battle.new("diceless40k")
    battle.push("end_phase")
    named = {}
    for target in ("Trukk", "Boyz"):
        ready = battle.plan("shoot", unit="Tactical squad", target=target)
        measure = deciding.decisions_of_action(battle, ready, "ask", None).measure
        named[target] = measure.name if measure else ""
    assert named == {"Trukk": "recorded", "Boyz": "hp"}
