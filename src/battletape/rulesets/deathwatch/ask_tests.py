"""The questions test and opposed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.dice import D100
from battletape.inputs import Inputs
from battletape.log import Line
from battletape.odds import percent
from battletape.procedure import Procedure, Stage
from battletape.rulesets.deathwatch import ask_rulings, checks
from battletape.rulesets.deathwatch.blocks import meta
from battletape.rulesets.deathwatch.checks import Contest, Contestant
from battletape.rulesets.deathwatch.modifiers import Situation, rows_of
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings
from battletape.rulesets.deathwatch.tables import situation_key
from battletape.rulesets.deathwatch.traits import Degrees, Modifier
from battletape.rulesets.deathwatch.words import modifier_lines, plural, result
from battletape.system import Measure, Question
from battletape.tape import Tape

if TYPE_CHECKING:
    from battletape.answer import Answer

Value = Annotated[int, Meta(ge=-200, le=300)]
Added = Annotated[int, Meta(ge=-200, le=200)]
CHARACTERISTIC = "Characteristic, skill, or the target itself"


# --- test -------------------------------------------------------------------------------------------------------------


class Trial(Inputs, frozen=True):
    """One test with a d100."""

    characteristic: Annotated[Value, meta("attacker", CHARACTERISTIC, "TEST-1")] = 40
    difficulty: Annotated[str, meta("circumstances", "Difficulty, such as Hard", "TEST-2")] = "Challenging"
    modifiers: Annotated[tuple[Added, ...], meta("circumstances", "Further modifiers", "TEST-4")] = ()
    situations: Annotated[tuple[str, ...], meta("circumstances", "Situations of the combat summary", "SUMM-00")] = ()
    fatigue: Annotated[int, meta("attacker", "Levels of fatigue", "FAT-1", ge=0, le=40)] = 0
    tries: Annotated[
        int,
        Meta(description="with more than one, degrees are those of the best"),
        meta("circumstances", "How often it is tried", "TEST-1", ge=1, le=20),
    ] = 1


class Tested(Struct, frozen=True, cache_hash=True):
    """A test before and after its roll."""

    characteristic: int
    modifiers: tuple[Modifier, ...]
    target: int
    rules: Rulings
    tries: int = 1
    found: Degrees | None = None  # the best so far
    successes: int = 0


def begin_test(inputs: Trial, rules: Rulings = DEFAULT) -> Tested:
    """Everything that adds to the test, and its target."""
    several = len(inputs.modifiers) > 1
    found = [Modifier(f"modifier {at}" if several else "modifier", one) for at, one in enumerate(inputs.modifiers, 1)]
    if checks.difficulty(inputs.difficulty):
        found.insert(0, Modifier(inputs.difficulty.lower(), checks.difficulty(inputs.difficulty), "DW-TEST-2"))
    keys = dict.fromkeys(map(situation_key, inputs.situations))
    if inputs.fatigue:
        keys["fatigued"] = None
    found.extend(rows_of(Situation(fatigue=inputs.fatigue), keys, rules))
    target = checks.target(inputs.characteristic, found, rules)
    return Tested(inputs.characteristic, tuple(found), target, rules, inputs.tries)


@clause("DW-TEST-1", "DW-TEST-4")
def add_modifiers(tape: Tape, tested: Tested) -> Tested:
    """Add up what changes the test; no dice."""
    return tested


@clause("DW-TEST-3", "DW-TEST-1", "DW-TEST-5")
def roll_test(tape: Tape, tested: Tested) -> Tested:
    """Roll against the target; of several tries the best is kept."""
    found = checks.test(tape, tested.target, "test", tested.rules)
    best = found if tested.found is None else max(tested.found, found, key=goodness)
    return replace(tested, found=best, successes=tested.successes + found.success)


def goodness(found: Degrees) -> tuple[bool, int]:
    """How well a test went: any success above any failure, then by degrees."""
    return found.success, found.degrees if found.success else -found.degrees


def narrate_test(stage: Stage, before: Tested, after: Tested) -> Iterable[Line]:
    """The modifiers one by one, and how it went."""
    if stage is add_modifiers:
        yield from modifier_lines(before.characteristic, before.modifiers, before.rules.modifier_cap)
        rolls = sum(checks.succeeds(before.target, roll, before.rules) for roll in D100.faces)
        yield Line(f"{rolls} of 100 rolls succeed", result=str(rolls))
    elif after.found is not None:
        which = "The best so far" if after.tries > 1 else "The test"
        yield Line(f"{which} {result(after.found)}", result=str(signed_degrees(after)))


def signed_degrees(tested: Tested) -> int:
    """Degrees of success, below zero those of failure."""
    return 0 if tested.found is None else tested.found.degrees * (1 if tested.found.success else -1)


def test_headline(answer: Answer) -> str:
    """How often it succeeds, and how well."""
    odds = answer.odds("degrees")
    success = answer.odds("success").chance(1)
    best = [one for one in (3, 2, 1) if odds.at_least(one)]
    more = f"; {plural(best[0], 'degree')} or more {percent(odds.at_least(best[0]))}" if best else ""
    return f"Succeeds {percent(success)}{more}."


def testing(tries: int) -> Procedure:
    """The stages of so many tries."""
    return Procedure("test", (add_modifiers, *(roll_test,) * tries))


TEST = Question(
    "test",
    "Does a test succeed, and by how much?",
    Trial,
    begin_test,
    lambda start: testing(start.tries),
    (
        Measure("success", "Success", lambda tested: int(tested.found.success)),
        Measure("successes", "Tries that succeed", lambda tested: tested.successes, "tries"),
        Measure("degrees", "Degrees, below 0 of failure", signed_degrees, "degrees"),
        Measure("outcome", "Outcome", lambda tested: checks.words_of(tested.found)),
        Measure("target", "Target", lambda tested: tested.target),
        Measure(
            "modifier", "Sum of the modifiers", lambda tested: checks.total(tested.modifiers, tested.rules)[0], "points"
        ),
        Measure(
            "counted", "What of it counts", lambda tested: checks.total(tested.modifiers, tested.rules)[1], "points"
        ),
    ),
    test_headline,
    narrate_test,
    example={"characteristic": 45, "difficulty": "Hard", "modifiers": [10]},
    rulings=ask_rulings.TEST,
)


# --- opposed ----------------------------------------------------------------------------------------------------------


class Dispute(Inputs, frozen=True):
    """Two tests against each other, as of feint, manoeuvre, knock-down and grapple."""

    one: Annotated[Value, meta("attacker", CHARACTERISTIC, "TEST-6")] = 50
    one_modifiers: Annotated[tuple[Added, ...], meta("attacker", "His modifiers", "TEST-4")] = ()
    one_bonus: Annotated[
        Annotated[int, Meta(ge=0, le=60)] | None,
        meta("attacker", "His bonus for ties; the tens of the number if left out", "TEST-6"),
    ] = None
    two: Annotated[Value, meta("target", CHARACTERISTIC, "TEST-6")] = 40
    two_modifiers: Annotated[tuple[Added, ...], meta("target", "Modifiers of the other", "TEST-4")] = ()
    two_bonus: Annotated[
        Annotated[int, Meta(ge=0, le=60)] | None,
        meta("target", "Bonus of the other for ties; the tens of the number if left out", "TEST-6"),
    ] = None


class Opposed(Struct, frozen=True, cache_hash=True):
    """Two sides before and after their rolls."""

    one: Contestant
    other: Contestant
    rules: Rulings
    found: Contest | None = None


def begin_opposed(inputs: Dispute, rules: Rulings = DEFAULT) -> Opposed:
    """Both targets and bonuses."""
    one = _contestant(inputs.one, inputs.one_modifiers, inputs.one_bonus, "one", rules)
    return Opposed(one, _contestant(inputs.two, inputs.two_modifiers, inputs.two_bonus, "two", rules), rules)


def _contestant(value: int, modifiers: tuple[int, ...], bonus: int | None, label: str, rules: Rulings) -> Contestant:
    own = max(0, checks.bonus(value)) if bonus is None else bonus
    return Contestant(checks.target(value, modifiers, rules), own, label)


@clause("DW-TEST-6")
def roll_both(tape: Tape, sides: Opposed) -> Opposed:
    """Both roll."""
    return replace(sides, found=checks.contest(tape, sides.one, sides.other, sides.rules, felt=10))


def winner_of(sides: Opposed) -> str:
    """One, two or nobody."""
    return {"one": "one", "other": "two", "nobody": "nobody"}[sides.found.winner if sides.found else "nobody"]


def opposed_headline(answer: Answer) -> str:
    """Who wins how often."""
    odds = answer.odds("winner")
    one, two, nobody = (percent(odds.chance(name)) for name in ("one", "two", "nobody"))
    return f"One wins {one}, two {two}, nobody {nobody}."


def narrate_opposed(stage: Stage, before: Opposed, after: Opposed) -> Iterable[Line]:
    """Who won."""
    if after.found is not None:
        by = f" by {plural(after.found.by, 'degree')}" if after.found.by else ""
        won = winner_of(after)
        yield Line(f"{won.capitalize()} wins{by}", result=won)


CONTEST = Procedure("opposed test", (roll_both,))
OPPOSED = Question(
    "opposed",
    "Who wins an opposed test?",
    Dispute,
    begin_opposed,
    CONTEST,
    (
        Measure("winner", "Winner", winner_of),
        Measure("one_wins", "One wins", lambda sides: int(winner_of(sides) == "one")),
        Measure("two_wins", "Two wins", lambda sides: int(winner_of(sides) == "two")),
        Measure("by", "Degrees more of the winner", lambda sides: sides.found.by, "degrees"),
    ),
    opposed_headline,
    narrate_opposed,
    example={"one": 50, "two": 45},
    rulings=ask_rulings.OPPOSED_TEST,
)


QUESTIONS = (TEST, OPPOSED)
