"""Procedures: stages in the order of the book, and special rules that attach to them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import pytest

from battletape.clauses import clause
from battletape.dice import D6, at_least
from battletape.errors import BadInput, BattletapeError, UnknownName
from battletape.procedure import Keyword, Procedure, find_keywords, fold, odds_of, stage_title, with_keywords
from battletape.tape.exact import Exact
from battletape.tape.script import Script


@dataclass(frozen=True)
class Shot:
    dice: int
    hit_on: int = 4
    hits: int = 0
    wounds: int = 0


@clause("P-1")
def roll_to_hit(tape: Any, shot: Shot) -> Shot:
    hits = tape.pool(shot.dice, D6, at_least(shot.hit_on), label="to hit")[True]
    return replace(shot, dice=0, hit_on=0, hits=hits)


def roll_to_wound(tape: Any, shot: Shot) -> Shot:
    wounds = tape.pool(shot.hits, D6, at_least(4), label="to wound")[True]
    return replace(shot, hits=0, wounds=wounds)


def wound_all(tape: Any, shot: Shot) -> Shot:
    return replace(shot, hits=0, wounds=shot.hits)


def bleed(tape: Any, shot: Shot) -> Shot:
    return replace(shot, wounds=shot.wounds + tape.roll(D6, at_least(6), label="bleed")) if shot.wounds else shot


SHOOTING = Procedure("shooting", (roll_to_hit, roll_to_wound))
SHARP = Keyword("Sharp", ("P-7",), before={roll_to_hit: lambda shot: replace(shot, hit_on=shot.hit_on - 1)})
VOLLEY = Keyword("Volley", ("P-8",), before={roll_to_hit: lambda shot: replace(shot, dice=shot.dice + 1)})
POISON = Keyword("Poison", instead={roll_to_wound: wound_all})
BARBED = Keyword("Barbed", after={roll_to_wound: bleed})
BOOK = (SHARP, VOLLEY, POISON, BARBED)


@clause("P-9")
def more_dice(shot: Shot, number: int) -> Shot:
    return replace(shot, dice=shot.dice + number)


def bleed_more(tape: Any, shot: Shot, number: int) -> Shot:
    return replace(shot, wounds=shot.wounds + number) if shot.wounds else shot


HAIL = Keyword("Hail", ("P-9",), before={roll_to_hit: more_dice}, numbered=True)
DEEP = Keyword("Deep", after={roll_to_wound: bleed_more}, numbered=True)


def run(names: list[str], shot: Shot) -> Any:
    procedure = with_keywords(SHOOTING, find_keywords(names, BOOK))
    return Exact().run(procedure.stages, shot).project(lambda last: last.wounds)


def test_a_procedure_is_its_stages():
    assert list(SHOOTING) == [roll_to_hit, roll_to_wound]
    assert len(SHOOTING) == 2
    assert fold(SHOOTING, Script(4, 3, 4), Shot(2)).wounds == 1


def test_dials_are_turned_before_a_stage():
    assert run([], Shot(1)) == {0: Fraction(3, 4), 1: Fraction(1, 4)}
    assert run(["Sharp"], Shot(1)) == {0: Fraction(2, 3), 1: Fraction(1, 3)}
    assert run(["Volley"], Shot(1)).mean == Fraction(1, 2)
    assert run(["Volley", "Sharp"], Shot(1)).mean == Fraction(2, 3)


def test_a_stage_may_be_replaced_or_followed():
    assert run(["Poison"], Shot(1)) == {0: Fraction(1, 2), 1: Fraction(1, 2)}
    assert run(["Barbed"], Shot(1)) == {0: Fraction(3, 4), 1: Fraction(5, 24), 2: Fraction(1, 24)}
    assert run(["Poison", "Barbed"], Shot(1)).chance(2) == Fraction(1, 12)


def test_no_keywords_leave_the_procedure_as_it_is():
    assert with_keywords(SHOOTING, ()) is SHOOTING


def test_the_same_keywords_give_the_same_object_so_that_results_merge():
    both = find_keywords(["Barbed", "Sharp"], BOOK)
    assert both == (SHARP, BARBED)  # in the order of the book
    assert with_keywords(SHOOTING, both) is with_keywords(SHOOTING, find_keywords(["Sharp", "Barbed"], BOOK))


def test_a_turned_stage_keeps_its_name_and_adds_the_clause():
    stage = with_keywords(SHOOTING, (SHARP, VOLLEY)).stages[0]
    assert stage_title(stage) == "Roll to hit"
    assert stage.__clauses__ == ("P-1", "P-7", "P-8")  # type: ignore[attr-defined]
    assert roll_to_hit.__clauses__ == ("P-1",)  # type: ignore[attr-defined]


def test_the_functions_of_a_keyword_with_a_number_are_given_it():
    def wounds(keywords: tuple[Keyword, ...], dice: int) -> Any:
        return Exact().run(with_keywords(SHOOTING, keywords), Shot(dice)).project(lambda last: last.wounds)

    assert wounds((HAIL.with_number(3),), 1) == wounds((), 4)
    assert wounds((DEEP.with_number(2),), 1) == {0: Fraction(3, 4), 3: Fraction(1, 4)}
    assert wounds((HAIL.with_number(1), DEEP.with_number(2)), 0) == {0: Fraction(3, 4), 3: Fraction(1, 4)}


def test_the_same_keyword_with_the_same_number_is_the_same_object_so_that_results_merge():
    assert HAIL.with_number(3) is HAIL.with_number(3)
    assert HAIL.with_number(3).number == 3
    attached = with_keywords(SHOOTING, (HAIL.with_number(3),))
    assert attached is with_keywords(SHOOTING, (HAIL.with_number(3),))
    assert attached is not with_keywords(SHOOTING, (HAIL.with_number(2),))
    assert attached.stages[0].__clauses__ == ("P-1", "P-9")  # type: ignore[attr-defined]


def test_a_keyword_without_its_number_or_with_a_needless_one_is_refused():
    with pytest.raises(BattletapeError, match=r"'Hail' needs its number, such as keyword\.with_number\(5\)"):
        with_keywords(SHOOTING, (HAIL,))
    with pytest.raises(BattletapeError, match="'Sharp' is given the number 2, but takes none; say numbered=True"):
        SHARP.with_number(2)
    with pytest.raises(BattletapeError, match="'Hail' is given the number 2, but has one already"):
        HAIL.with_number(3).with_number(2)


@pytest.mark.parametrize("written", ["Hail (3)", "Hail(3)", "Hail 3", "Hail_3"])
def test_a_keyword_with_a_number_is_found_by_its_name_and_number(written: str):
    assert find_keywords([written], (*BOOK, HAIL)) == (HAIL.with_number(3),)
    assert find_keywords([written, "Hail (2)"], (*BOOK, HAIL)) == (HAIL.with_number(3),)  # the highest counts
    assert HAIL.with_number(3).written == "Hail (3)"


@pytest.mark.parametrize("written", ["Hail", "Hail (x)", "Hail 0", "Hail_51", "Hail (1234567890)"])
def test_a_keyword_is_refused_without_its_number_or_with_another(written: str):
    with pytest.raises(BadInput, match=r"Hail needs a number from 1 to 50 in brackets, such as Hail \(3\); got 'Hail"):
        find_keywords([written], (*BOOK, HAIL))


def test_a_number_is_read_only_where_a_keyword_takes_one():
    with pytest.raises(UnknownName, match="there is no keyword 'Sharp 2'"):
        find_keywords(["Sharp 2"], (*BOOK, HAIL))
    both = (*BOOK, HAIL, Keyword("Hail 2"))
    assert find_keywords(["Hail 3", "Sharp"], both) == (SHARP, HAIL.with_number(3))
    few = Keyword("Few", numbered=True, numbers=range(2, 4))
    with pytest.raises(BadInput, match=r"Few needs a number from 2 to 3 in brackets, such as Few \(3\); got 'Few 4'"):
        find_keywords(["Few 4"], (few,))


@pytest.mark.parametrize(
    ("parts", "sentence"),
    [
        (
            {"before": {roll_to_hit: more_dice}},
            r"before= of the special rule 'Odd': more_dice\(shot: .*must take the state \(missing",
        ),
        ({"after": {roll_to_hit: lambda shot: shot}}, r"after= .*<lambda>\(shot\) must take the tape and the state"),
        ({"instead": {roll_to_hit: lambda shot: shot}}, r"instead= .* must take the tape and the state"),
        (
            {"after": {roll_to_hit: bleed}, "numbered": True},
            r"bleed\(tape.* must take the tape and the state and the number",
        ),
        ({"before": {roll_to_hit: 7}}, r"before= of the special rule 'Odd' must be a function, such as .*; got an int"),
    ],
)
def test_a_function_of_a_keyword_that_takes_something_else_is_refused(parts: dict[str, Any], sentence: str):
    with pytest.raises(BattletapeError, match=sentence):
        Keyword("Odd", **parts)


def test_an_unknown_keyword_is_refused_with_the_nearest_name():
    with pytest.raises(UnknownName) as error:
        find_keywords(["Sharpe"], BOOK)
    assert str(error.value) == (
        "there is no keyword 'Sharpe'. Did you mean 'Sharp'? Known: Sharp, Volley, Poison, Barbed."
    )
    assert error.value.nearest == "Sharp"


@pytest.mark.parametrize("name, title", [("roll_to_hit", "Roll to hit"), ("_hidden_stage", "Hidden stage"), ("x", "X")])
def test_titles(name, title):
    def stage(tape, state):
        return state

    stage.__name__ = name
    assert stage_title(stage) == title


def test_a_stage_without_a_name_has_a_title():
    class Rule:
        def __call__(self, tape, state):
            return state

    assert stage_title(Rule()) == "Stage"


def test_the_odds_of_one_rule() -> None:
    def hurt(tape: Any, needs: int) -> Any:
        return tape.roll(D6, at_least(needs), label="to hit") and tape.roll(D6, label="damage")

    odds = odds_of(hurt, 4)
    assert odds.chance(False) == Fraction(1, 2)
    assert odds.chance(6) == Fraction(1, 12)
