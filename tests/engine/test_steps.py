"""The steps of an answer: what each of them is, as data, so that no view has to read its words."""

from __future__ import annotations

from copy import copy
from pickle import dumps, loads
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import replace

from battletape.answer import Answer
from battletape.dice import D6, D10, at_least, at_most, bands, d, dice, passing, portable, special
from battletape.steps import explain
from battletape.tape import Tape
from battletape.tape.exact import Exact
from battletape.tape.question import Ask
from battletape.views.answer_summary import answer_summary
from battletape.views.boxes import boxes_view
from battletape.views.dice import Throw, mark_of, throw_view
from battletape.views.why import reasons
from battletape.words import labelled
from tests.toy import RULESET

SAVE = Ask("roll", "save", die=D6, read=at_least(5), by="defender")


def ask(**given: Any) -> Answer:
    return RULESET.ask("shoot", **given)


# --- who rolls --------------------------------------------------------------------------------------------------------


def test_a_die_is_of_the_side_that_its_rule_names_and_else_of_the_attacker():
    steps = {step.title: step for step in ask().steps}
    assert (steps["Save on a D6"].by, steps["To hit on a D6"].by) == ("defender", "")
    shown = {step.title: step.side for step in answer_summary(ask()).steps}
    assert (shown["Save on a D6"], shown["To hit on a D6"]) == ("defender", "attacker")


def test_a_die_in_a_log_and_its_box_are_of_the_side_that_its_rule_names():
    assert throw_view(0, Throw(SAVE, 5), "saves").side == "defender"
    assert throw_view(0, Throw(replace(SAVE, by=""), 5), "saves").side == "attacker"
    assert boxes_view(SAVE).side == "defender"
    assert boxes_view(replace(SAVE, by=""), ("one", "two")).side == "attacker"


def test_a_label_that_sounds_like_a_save_is_rolled_by_the_attacker_unless_its_rule_says_otherwise():
    assert throw_view(0, Throw(Ask("roll", "B: save the gun", die=D6, read=at_least(2)), 3), "").side == "attacker"


def test_an_answer_from_a_pickle_has_the_same_steps():
    answer = ask()
    assert loads(dumps(answer)).steps == answer.steps
    assert [step.by for step in loads(dumps(answer)).steps] == [step.by for step in answer.steps]


def hit_within(tape: Tape, state: int) -> int:
    return state + bool(tape.call(saved))


def saved(tape: Tape) -> Any:
    return tape.roll(D6, at_least(5), label="save", by="defender")


def test_a_die_of_a_sub_rule_without_a_clause_keeps_its_side():
    hit_within.__clauses__ = ("X-1",)  # type: ignore[attr-defined]
    _, counts = Exact().stages((hit_within,), 0)
    (asked,) = counts[0].asked
    assert (asked.by, asked.clauses) == ("defender", ("X-1",))


# --- faces that pass --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "die, read, faces",
    [
        (D6, at_least(4), {4, 5, 6}),
        (D6, at_least(4, plus=1), {3, 4, 5, 6}),
        (D6, at_least(9), set()),
        (D6, at_most(2), {1, 2}),
        (D6, bands(pierced=6, wound=3), {3, 4, 5, 6}),
        (D6, lambda face: face, None),
    ],
)
def test_a_reading_knows_its_passing_faces(die, read, faces):
    assert passing(die, read) == (None if faces is None else frozenset(faces))
    assert passing(die, portable(die, read)) == passing(die, read)


@pytest.mark.parametrize(
    "die, read, shown",
    [
        (D6, at_least(4), ("d6", "4")),
        (D6, at_least(4, plus=1), ("d6", "3")),
        (D10, at_most(4), ("d10", "")),
        (dice("2D6"), at_least(8), ("special", "8")),
        (dice("2D6"), at_most(8), ("special", "2")),
        (special("Scatter die", ("arrow", "arrow", "hit")), at_most, ("scatter", "S")),
        (special("Artillery die", (2, 4, "misfire")), at_most, ("special", "A")),
        (d(20), at_least(15), ("d20", "15")),
    ],
)
def test_a_step_shows_its_die_with_the_lowest_face_that_passes(die, read, shown):
    def rolled(tape: Tape, state: int) -> int:
        kept = read if read is not at_most else (lambda face: face)
        return state + bool(tape.roll(die, kept, label="roll"))

    _, counts = Exact().stages((rolled,), 0)
    (step,) = explain(tuple(counts), 0)
    assert step.dice is die
    answer = SimpleNamespace(steps=(step,))
    from battletape.views.answer_summary import _folded

    (glance,) = _folded(answer)  # type: ignore[arg-type]
    assert (glance.die, glance.face) == shown


def test_a_face_is_marked_by_what_passes_and_not_by_its_word():
    words = Ask("roll", "fear", die=D6, read=bands("miss", hit=4))
    assert [mark_of(face, words) for face in (1, 4)] == ["", ""]
    wounds = Ask("roll", "to wound", die=D6, read=bands(failure=3))
    assert [mark_of(face, wounds) for face in (1, 4)] == ["no", "ok"]
    assert mark_of(3, Ask("roll", "distance", die=D6)) == ""


# --- steps that belong together ---------------------------------------------------------------------------------------


class Gun(Struct, frozen=True):
    name: str
    strength: int


def aim_line(gun: Gun) -> str:
    return f"{gun.name}: aimed with Strength {gun.strength} (of 10)"


def aim(tape: Tape, gun: Gun) -> Gun:
    tape.tell(aim_line, gun)
    tape.tell("Nothing is said of {} here", gun.strength)
    return gun


def shoot(tape: Tape, gun: Gun) -> bool:
    return bool(tape.roll(D6, at_least(7 - gun.strength), label=labelled(gun.name, "to wound")))


def answer_of(gun: Gun) -> Any:
    _, counts = Exact().stages((aim, shoot), gun)
    return explain(tuple(counts), gun)


def why(first: Gun, other: Gun) -> list[str]:
    plain = ask()
    one, two = copy(plain), copy(plain)
    answers = [
        SimpleNamespace(steps=answer_of(gun), ruleset=each.ruleset, question=each.question, inputs=each.inputs)
        for gun, each in ((first, one), (other, two))
    ]
    return [reason.words for reason in reasons(*answers)]  # type: ignore[arg-type]


def test_steps_have_keys_without_names_and_numbers():
    first, other = answer_of(Gun("Las", 3)), answer_of(Gun("Heavy bolter 2", 5))
    assert [step.key for step in first] == [step.key for step in other]
    assert [step.stage for step in first] == ["aim", "aim", "shoot"]
    assert (first[-1].about, first[-1].label) == ("Las", "to wound")


def test_two_answers_differ_in_the_needs_of_one_step_though_its_name_differs():
    assert why(Gun("Las", 3), Gun("Heavy bolter 2", 5)) == [
        "heavy bolter 2: aimed with Strength 5 (of 10) instead of las: aimed with Strength 3 (of 10)",
        "nothing is said of 5 here instead of nothing is said of 3 here",
        "heavy bolter 2: to wound 2+ (83 %) instead of 4+ (50 %)",
    ]


def test_equal_answers_do_not_differ():
    assert why(Gun("Las", 3), Gun("Las", 3)) == []
