"""The question `regroup`: whether a unit that falls back regroups."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any

from battletape.cards import Inputs, Lead, Line, Measure, ProfileBook, Question, Table, asked
from battletape.rulebook import (
    BadInput,
    Meta,
    Procedure,
    State,
    Tape,
    clause,
    inches,
    raise_if_refused,
    replace,
)
from battletape.rulesets.diceless40k import words
from battletape.rulesets.diceless40k.questions._inputs import Op, TestLd
from battletape.rulesets.diceless40k.rules import morale
from battletape.rulesets.diceless40k.rules.characteristics import groups_of
from battletape.rulesets.diceless40k.rulings import Rulings
from battletape.rulesets.diceless40k.tables.printed import leadership_table

if TYPE_CHECKING:
    from battletape.answer import Answer

Lds = tuple[Annotated[int, Meta(ge=1, le=10)], ...]


class RegroupInputs(Inputs, frozen=True):
    """A unit that falls back."""

    unit: str = asked("", "Unit profile", group="target", profile="unit")
    op: Op = asked(150, "Order points now", "DL-46.1", group="target")
    lds: Lds = asked((8, 8, 8, 8, 8), "Ld of every model left", "DL-46.1", group="target")
    ld: TestLd | None = asked(None, "Ld used for the test", "DL-46.1", about="empty: the best", group="target")
    reroll: bool = asked(False, "Failed tests may be re-rolled", "DL-8.2", group="target")
    starting: int = asked(
        0, "Models it began with", "DL-46.1", about="as many as now if 0", group="target", ge=0, le=200
    )
    enemy_inches: float | None = asked(
        None, "The nearest enemy is so far away", "DL-46.1", group="circumstances", unit="inches", ge=0, le=240
    )
    coherent: bool = asked(True, "In coherency", "DL-46.1", group="circumstances")


class Attempt(State, frozen=True):
    """An attempt to regroup, and how it went."""

    op: int
    lds: tuple[int, ...]
    ld: int
    reroll: bool
    rulings: Rulings
    result: morale.RegroupResult | None = None


@clause("DL-46.1")
def begin_regroup(inputs: RegroupInputs, rulings: Rulings) -> Attempt:
    """Return the attempt; where the base game does not allow it, it is refused."""
    if not inputs.lds:
        raise BadInput.of("lds", "must give the Ld of every model left; got none.", clause="DL-46.1")
    number = len(inputs.lds)
    raise_if_refused(morale.refuse_regroup(number, inputs.starting or number, inputs.enemy_inches, inputs.coherent))
    return Attempt(inputs.op, inputs.lds, tested_ld(inputs), inputs.reroll, rulings)


def tested_ld(inputs: RegroupInputs) -> int:
    """Return the Ld used for the test."""
    return max(inputs.lds, default=0) if inputs.ld is None else inputs.ld


@clause("DL-46.1")
def try_to_regroup(tape: Tape, attempt: Attempt) -> Attempt:
    """Take the Ld of every model off the order points, and compare them."""
    after = morale.regroup(attempt.op, attempt.lds, attempt.ld, attempt.reroll, attempt.rulings)
    tape.tell(regroup_lines, after, len(attempt.lds), attempt.ld)
    return replace(attempt, result=after)


def regroup_lines(result: morale.RegroupResult, models: int, ld: int) -> Iterator[Line]:
    """Show what comes off the order points, and how they compare with the threshold."""
    text = f"{result.op_before} - {result.subtracted} (the Ld of {models} models) = {result.op} OP"
    yield Line(text, ("DL-46.1",), result=f"{result.op} OP")
    outcome = "regrouped" if result.passed else "not regrouped"
    yield Line(f"{result.op} OP against {result.threshold} for Ld {ld}: {outcome}", ("DL-46.1",), result=outcome)


def result_of(attempt: Attempt) -> morale.RegroupResult:
    """Return how the attempt went."""
    assert attempt.result is not None
    return attempt.result


def regroup_headline(answer: Answer) -> str:
    """Say whether the unit regroups, and with how many order points."""
    passed, op, most = (words.value(answer, name) for name in ("passed", "op_after", "threshold"))
    does = f"It regroups and may move {inches(morale.REGROUP_MOVE)}" if passed else "It goes on falling back"
    return f"{does}: {op} order points against {most}."


def fill_regroup(given: Mapping[str, Any], book: ProfileBook) -> dict[str, Any]:
    """Fill in the Ld of every model of a named unit."""
    if not given.get("unit"):
        return dict(given)
    unit = book.find("unit", str(given["unit"]))
    groups = groups_of(unit)
    numbers = {"lds": list(morale.lds_of(groups)), "ld": morale.best_ld(groups), "reroll": morale.may_reroll_ld(groups)}
    return {**numbers, **given, "unit": unit.name}


def table(inputs: RegroupInputs, rulings: Rulings) -> Table:
    """Show Tables 2 and 3 with the threshold in use."""
    return leadership_table(tested_ld(inputs), inputs.reroll)


REGROUP = Question(
    "regroup",
    "Does a unit that falls back regroup?",
    RegroupInputs,
    begin_regroup,
    Procedure("regroup", (try_to_regroup,)),
    (
        Measure("passed", "It regroups", lambda attempt: int(result_of(attempt).passed)),
        Measure("op_after", "Order points afterwards", lambda attempt: result_of(attempt).op, "OP"),
        Measure("subtracted", "Ld of all models", lambda attempt: result_of(attempt).subtracted, "OP"),
        Measure("threshold", "Order points it may have", lambda attempt: result_of(attempt).threshold, "OP"),
    ),
    regroup_headline,
    fill=fill_regroup,
    table=table,
    example={"unit": "Ork Boyz", "op": 184, "enemy_inches": 9},
    small={"op": 184, "lds": [8, 8, 8, 8, 8], "enemy_inches": 9},
    rulings=("regroup",),
    lead=(
        Lead("passed", lambda answer: "it regroups" if words.value(answer, "passed") else "it goes on falling back"),
    ),
)
