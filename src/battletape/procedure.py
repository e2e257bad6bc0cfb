"""Procedures: stages in the order of the rule book, and special rules that turn dials or add stages."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache, wraps
from typing import Any, ClassVar

from msgspec import Struct, field
from msgspec.structs import replace

from battletape.errors import BadInput, BattletapeError, UnknownName
from battletape.memory import lasting
from battletape.odds import Odds
from battletape.tape import Tape
from battletape.tape.exact import Exact, Memo
from battletape.tape.limits import Budget
from battletape.tape.path import Path
from battletape.tape.question import Ask
from battletape.tape.script import Script
from battletape.tape.story import Line
from battletape.words import with_article

Stage = Callable[[Tape, Any], Any]
Dial = Callable[..., Any]
"""What changes a state, and of a special rule with a number takes that as well: Blast (5)."""
LOOKED_THROUGH = 10_000
"""How many branches are looked through for a stage that ends without a state."""
MAX_NUMBER = 50
"""The highest number of a special rule that says no other."""
_NUMBERED_NAME = re.compile(r"\s*(.*?)(?:[\s_]*\(\s*([^()]*?)\s*\)|[\s_]+(\d+))\s*")


class State(Struct, frozen=True, cache_hash=True, gc=False):
    """A state of a rule, or a part of one; frozen values form no circles, so the collector need not look at them.

    Where a decision comes up in several states, players see the fields that differ, called as `field_words` says.
    """

    field_words: ClassVar[Mapping[str, str]] = {}


class Procedure(Struct, frozen=True, eq=False):
    """A named tuple of stages `(tape, state) -> state`: the book's contents list and the merge points of the odds."""

    name: str
    stages: tuple[Stage, ...]

    def __post_init__(self) -> None:
        if not isinstance(self.stages, tuple) or not all(map(callable, self.stages)):
            raise BattletapeError(
                f"the procedure {self.name!r} needs its stages as a tuple of functions, such as "
                f"Procedure({self.name!r}, (roll_to_hit, roll_to_wound)); got {self.stages!r:.80}"
            )

    def __iter__(self) -> Iterator[Stage]:
        return iter(self.stages)

    def __len__(self) -> int:
        return len(self.stages)

    def __call__(self, start: Any) -> Procedure:
        """Return itself, whatever the start: so a card can name a procedure or choose one by the start."""
        return self


class Keyword(Struct, frozen=True, eq=False):
    """A special rule in one place: dials turned before a stage, stages added after one, or a stage replaced."""

    name: str
    clauses: tuple[str, ...] = ()
    before: Mapping[Stage, Dial] = field(default_factory=dict)
    after: Mapping[Stage, Callable[..., Any]] = field(default_factory=dict)
    instead: Mapping[Stage, Callable[..., Any]] = field(default_factory=dict)
    numbered: bool = False  # Blast (5): its functions are given the number after the state
    number: int | None = None  # the one it has, by `with_number`
    numbers: range = range(1, MAX_NUMBER + 1)  # those that it may have

    def __post_init__(self) -> None:
        takes = ("the state", "the number") if self.numbered else ("the state",)
        parts = {"before": (self.before, takes), "after": (self.after, ("the tape", *takes))}
        parts["instead"] = (self.instead, ("the tape", *takes))
        for part, (works, arguments) in parts.items():
            for work in works.values():
                _check_arguments(work, arguments, f"{part}= of the special rule {self.name!r}")

    def with_number(self, number: int) -> Keyword:
        """Return the special rule with its number, such as Blast (5); equal ones are the same object."""
        return _numbered(self, number)

    def with_written_number(self, number: str, got: str, field: str = "") -> Keyword:
        """Return the special rule with its number as a player writes it; refuse another, and none."""
        if number.isdecimal() and len(number) < 10 and int(number) in self.numbers:
            return self.with_number(int(number))
        least, most = self.numbers[0], self.numbers[-1]
        needs = f"{self.name} needs a number from {least} to {most} in brackets, such as {self.name} ({min(3, most)})"
        raise BadInput(f"{needs}; got {got!r}", field=field, clause=self.clauses[0] if self.clauses else "")

    @property
    def written(self) -> str:
        """Its name, with its number if it has one: Blast (5)."""
        return self.name if self.number is None else f"{self.name} ({self.number})"


def _check_arguments(work: Any, arguments: tuple[str, ...], owner: str) -> None:
    """Refuse a function of a special rule that cannot be called with what it is given."""
    check_function(work, owner, "before={roll_to_hit: add_dice}")
    try:
        signature = inspect.signature(work)
    except ValueError:  # built into Python, which does not tell
        return
    try:
        signature.bind(*arguments)
    except TypeError as error:
        called, given = getattr(work, "__name__", "function"), " and ".join(arguments)
        raise BattletapeError(f"{owner}: {called}{signature} must take {given} ({error})") from None


def chosen(procedure: Callable[[Any], Procedure], start: Any, name: str) -> Procedure:
    """Return the procedure for a starting state; a slip in either gets a sentence for the author of the rule."""
    if start is None:
        raise BattletapeError(
            f"{name}: its begin must return the state before the first stage, such as Shot(dice=4); "
            "got None, as without a return"
        )
    try:
        hash(start)
    except TypeError as error:
        raise BattletapeError(
            f"{name}: the state that begin gives must be frozen, such as a frozen Struct, a frozen dataclass or a "
            f"tuple, because equal states merge; got {with_article(type(start).__name__)} ({error})"
        ) from None
    found = procedure(start)
    if not isinstance(found, Procedure):
        raise BattletapeError(
            f"{name}: its procedure must be a Procedure, such as Procedure({name!r}, (roll_to_hit, roll_to_wound)); "
            f"got {with_article(type(found).__name__)}"
        )
    return found


def check_chooser(procedure: Any, name: str) -> None:
    """Refuse a card whose procedure is neither a Procedure nor a function that chooses one."""
    if not callable(procedure):
        raise BattletapeError(
            f"the procedure of {name!r} must be a Procedure, such as Procedure({name!r}, (roll_to_hit,)), or a "
            f"function that chooses one by the starting state; got {with_article(type(procedure).__name__)}"
        )


@contextmanager
def explain_mistakes(procedure: Procedure, start: Any, name: str) -> Iterator[Callable[[Container[Any]], None]]:
    """Tell the author of a rule in a sentence that a stage gives no state; other errors stay what they are.

    What is yielded looks at the last states.
    """

    def check(states: Container[Any]) -> None:
        if None in states:
            raise _no_state(_stage_without_state(procedure, start) or procedure.stages[-1], name)

    try:
        yield check
    except (AttributeError, TypeError) as error:  # what comes of a state that is none in the stage after it
        stage = _stage_without_state(procedure, start)
        if stage is None:
            raise
        raise _no_state(stage, name) from error


def _stage_without_state(procedure: Procedure, start: Any) -> Stage | None:
    """Return the first stage that may end without a state."""
    reader = Exact(Memo(), Budget(branches=LOOKED_THROUGH, seconds=1.0))
    for at, stage in enumerate(procedure.stages, 1):
        try:
            kernel, _ = reader.stages(procedure.stages[:at], start)
        except Exception:  # another slip, which was told before
            return None
        if None in kernel.results:
            return stage
    return None


def _no_state(stage: Stage, name: str) -> BattletapeError:
    called = getattr(stage, "__name__", "stage")
    return BattletapeError(
        f"{name}: the stage {called} must return the state after it, such as replace(state, hits=hits), or the state "
        "as it came if nothing changes; got None, as without a return"
    )


def check_function(value: Any, owner: str, such: str) -> None:
    """Refuse a card where something else stands in the place of a function."""
    if not callable(value):
        found = f"the text {value!r:.60}" if isinstance(value, str) else with_article(type(value).__name__)
        raise BattletapeError(f"{owner} must be a function, such as {such}; got {found}")


def fold(stages: Sequence[Stage] | Procedure, tape: Tape, state: Any, about: str = "") -> Any:
    """Run the stages in order; `about` is the unit they are about, for the log."""
    for stage in stages:
        state = tape.call(stage, state, about=about)
    return state


def without_luck(stages: Sequence[Stage] | Procedure, state: Any) -> Any:
    """Run stages that need no luck, such as those that prepare an attack; a stage that asks raises an error."""
    return fold(stages, Script(), state)


class FirstOptions(Path):
    """A tape on which every choice takes its first option, or the one planned by its label; luck is refused."""

    def __init__(self, planned: Mapping[str, Any] | None = None) -> None:
        super().__init__()
        self.planned = planned or {}

    def answer(self, ask: Ask) -> Any:
        """Return the first option."""
        if ask.kind != "choose":
            raise BattletapeError(f"{ask.label} is rolled, and here nothing may be left to luck")
        planned = self.planned.get(ask.label, ask.options[0])
        return planned if planned in ask.options else ask.options[0]


def by_default(stages: Sequence[Stage] | Procedure, state: Any) -> Any:
    """Run stages that need no luck, every choice by its first option."""
    return fold(stages, FirstOptions(), state)


def lines_by_default(stages: Sequence[Stage] | Procedure, state: Any) -> Iterator[Line]:
    """Return what stages say that need no luck, every choice by its first option: for what was worked out
    beforehand.
    """
    tape = FirstOptions()
    fold(stages, tape, state)
    return (line for entry in tape.story for line in entry.lines())


def story_by_default(stages: Sequence[Stage] | Procedure, state: Any, sentence: Any) -> list[tuple[Any, ...]]:
    """Return what a sentence is told of when stages run that need no luck, every choice by its first option.

    For tables.
    """
    tape = FirstOptions()
    fold(stages, tape, state)
    return [entry.args for entry in tape.story if entry.sentence is sentence]


def odds_of(rule: Callable[..., Any], *args: Any) -> Odds[Any]:
    """Return the exact odds of one rule by itself, for numbers that players look up, such as the hits a shot can
    expect.
    """
    reader = Exact(_looked_up)
    return reader.odds(reader.outcomes(rule, *args))


def odds_of_each(rule: Callable[..., Any], calls: Iterable[tuple[Any, ...]], budget: Budget) -> list[Odds[Any]]:
    """Return the odds for many arguments within one budget; parts left out are unexplored."""
    reader = Exact(_looked_up, budget)
    return [reader.odds(reader.outcomes(rule, *args)) for args in calls]


_looked_up = lasting(Memo(2_000))


def find_keywords(names: Sequence[str], known: Sequence[Keyword]) -> tuple[Keyword, ...]:
    """Return the keywords with these names, in the order of the book; one named twice has its highest number.

    An unknown name is refused with the nearest one.
    """
    return _found(tuple(names), tuple(known))


@lru_cache(1024)
def _found(names: tuple[str, ...], known: tuple[Keyword, ...]) -> tuple[Keyword, ...]:
    found: dict[str, Keyword] = {}
    for keyword in (find_keyword(name, known) for name in names):
        before = found.get(keyword.name, keyword)
        found[keyword.name] = max(before, keyword, key=lambda one: one.number or 0)
    return tuple(found[keyword.name] for keyword in known if keyword.name in found)


def find_keyword(name: str, known: Sequence[Keyword], kind: str = "keyword") -> Keyword:
    """Return the keyword of this name; one that takes a number, with it: sharp (2), sharp 2 or sharp_2."""
    bare, number = split_number(name)
    for keyword in known:
        if keyword.numbered and keyword.name in (bare, name):
            return keyword.with_written_number(number if keyword.name == bare else "", name)
        if keyword.name == name:
            return keyword
    raise UnknownName(kind, name, [keyword.name for keyword in known])


@lru_cache(1024)
def split_number(name: str) -> tuple[str, str]:
    """Return the name of a special rule and its number as written: sharp (2), sharp 2 or sharp_2."""
    written = _NUMBERED_NAME.fullmatch(name)
    return (written[1], written[2] or written[3] or "") if written else (name, "")


def keyword_faults(names: Iterable[str], known: Sequence[Keyword]) -> Iterator[str]:
    """Yield what is wrong with the special rules that a profile names: unknown, or without the number they need."""
    for name in names:
        try:
            find_keyword(name, known, "special rule")
        except BadInput as error:
            yield str(error)


def keywords_in_words(keywords: Iterable[Keyword]) -> dict[str, str]:
    """Return the special rules that an input may name, and of those with a number that it goes with them."""
    return {keyword.name: "with its number, such as (2)" if keyword.numbered else "" for keyword in keywords}


@lru_cache(1024)
def _numbered(keyword: Keyword, number: int) -> Keyword:
    if not keyword.numbered or keyword.number is not None:
        has = "has one already" if keyword.numbered else "takes none; say numbered=True in its row"
        raise BattletapeError(f"the special rule {keyword.name!r} is given the number {number}, but {has}")
    parts = {"before": keyword.before, "after": keyword.after, "instead": keyword.instead}
    given = {name: {stage: _given(work, number) for stage, work in part.items()} for name, part in parts.items()}
    return replace(keyword, number=number, **given)


def _given(work: Callable[..., Any], number: int) -> Callable[..., Any]:
    @wraps(work)
    def given(*args: Any) -> Any:
        return work(*args, number)

    return given


@lru_cache(1024)
def with_keywords(procedure: Procedure, keywords: tuple[Keyword, ...]) -> Procedure:
    """Return the procedure with special rules attached; equal keywords give the same object, so that results merge."""
    if not keywords:
        return procedure
    for keyword in keywords:
        if keyword.numbered and keyword.number is None:
            raise BattletapeError(f"the special rule {keyword.name!r} needs its number, such as keyword.with_number(5)")
    stages: list[Stage] = []
    for stage in procedure.stages:
        own = stage
        for keyword in keywords:
            own = keyword.instead.get(stage, own)
        dials = tuple(keyword.before[stage] for keyword in keywords if stage in keyword.before)
        ids = tuple(clause for keyword in keywords if stage in keyword.before for clause in keyword.clauses)
        stages.append(_turned(own, dials, ids) if dials else own)
        stages.extend(keyword.after[stage] for keyword in keywords if stage in keyword.after)
    return Procedure(procedure.name, tuple(stages))


@lru_cache(1024)
def _turned(stage: Stage, dials: tuple[Dial, ...], ids: tuple[str, ...]) -> Stage:
    @wraps(stage)
    def turned(tape: Tape, state: Any) -> Any:
        for dial in dials:
            state = dial(state)
        return stage(tape, state)

    turned.__clauses__ = (*getattr(stage, "__clauses__", ()), *ids)  # type: ignore[attr-defined]
    return turned


def stage_title(stage: Callable[..., Any]) -> str:
    """Return a stage's name as people read it: roll_to_hit becomes “Roll to hit”."""
    name: str = getattr(stage, "__name__", "stage")
    return name.strip("_").replace("_", " ").capitalize()


def take_stage(tape: Tape, state: Any, stage: Stage) -> Any:
    """Return the next stage, as a step of `tape.each` over the stages of a procedure within another."""
    return tape.call(stage, state)
