"""A naive twin of the readers that walk branches: every face of every die, one by one, in plain fractions.

It runs a stage from its start for each list of answers and merges nothing, so it can hardly be wrong. It shares no
code with the exact reader.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from battletape.dice import Die, Whole, face
from battletape.tape.ends import NOTHING
from battletape.tape.question import Tally

Chances = list[tuple[Any, Fraction]]


class TooMany(Exception):
    """There are more branches than the caller allows."""


class _Open(Exception):
    """A question that the answers so far do not reach."""

    def __init__(self, chances: Chances, by: str = "") -> None:
        super().__init__()
        self.chances, self.by = chances, by


class Faces:
    """A tape that reads its answers from a list and stops at the first question past its end."""

    def __init__(self, answers: Sequence[Any], branch_on_choices: bool = False) -> None:
        self.answers, self.at, self.branch_on_choices = answers, 0, branch_on_choices

    def _draw(self, chances: Callable[[], Chances], by: str = "") -> Any:
        if self.at == len(self.answers):
            raise _Open(chances(), by)
        self.at += 1
        return self.answers[self.at - 1]

    def _throw(self, die: Die) -> Any:
        return self._draw(lambda: [(f, Fraction(w, die.total)) for f, w in zip(die.faces, die.weights, strict=True)])

    def roll(self, die: Die, read: Callable[[Any], Any] = face, *, label: str, by: str = "") -> Any:
        return read(self._throw(die))

    def pool(
        self,
        count: int,
        die: Die,
        read: Callable[[Any], Any] = face,
        *,
        label: str,
        whole: Whole | None = None,
        by: str = "",
    ) -> Any:
        thrown = [self._throw(die) for _ in range(count)]
        came = [read(thrown_face) for thrown_face in thrown]
        if whole is None:
            return Tally({meaning: came.count(meaning) for meaning in came})
        known = whole.start
        for thrown_face in sorted(thrown, key=die.faces.index, reverse=True):
            known = whole.add(known, read(thrown_face), 1)
        return whole.end(known)

    def direction(self, cuts: Sequence[float], *, label: str) -> int:
        return 0 if len(cuts) < 2 else int(self._draw(lambda: arc_chances(cuts)))

    def choose(self, options: Sequence[Any], *, by: str, label: str, unit: str = "") -> Any:
        if not self.branch_on_choices or len(options) == 1:
            return options[0]
        return self._draw(lambda: [(option, Fraction(0)) for option in options], by)

    def tell(self, *args: Any, **named: Any) -> None:
        pass

    def call(
        self,
        rule: Callable[..., Any],
        *args: Any,
        onto: Any = NOTHING,
        then: Any = None,
        rest: Any = None,
        tell: Any = None,
        about: str = "",
    ) -> Any:
        result = rule(self, *args)
        if onto is not NOTHING:
            return self.each(result.step, onto, result.items, then=result.then, rest=result.rest)
        return result if then is None else then(rest, result)

    def each(
        self,
        step: Callable[..., Any],
        state: Any,
        items: Any,
        *,
        drawn: Any = None,
        then: Any = None,
        rest: Any = None,
        tell: Any = None,
    ) -> Any:
        for item in items if drawn is None else [drawn(self, item) for item in items]:
            state = step(self, state, item)
        return state if then is None else then(rest, state)

    def race(self, lines: Any, starts: Any, turns: Any, *, then: Any, rest: Any = None, tell: Any = None) -> Any:
        both, ended = list(starts), None
        for at, (side, item) in enumerate(turns):
            if ended is None:
                both[side] = lines.step(self, both[side], item)
                ended = at if lines.is_over(both[side]) else None
        return then(rest, (lines.kept(both[0]), lines.kept(both[1]), ended))


def arc_chances(cuts: Sequence[float]) -> Chances:
    """Return the width of the arc that starts at each cut; the last one runs across north and is number 0."""
    exact = [Fraction(round(cut * 2**32), 2**32) if isinstance(cut, float) else Fraction(cut) for cut in cuts]
    ends = [*exact[1:], exact[0] + 360]
    widths = [(end - start) / 360 for start, end in zip(exact, ends, strict=True)]
    return [((at + 1) % len(cuts), width) for at, width in enumerate(widths)]


def brute_force(stages: Sequence[Any], state: Any, most: int = 20_000) -> dict[Any, Fraction]:
    """Return the chance of each last state.

    Choices take the first option. Raises TooMany past the limit of branches.
    """
    chances: dict[Any, Fraction] = {}
    waiting: list[tuple[int, Any, tuple[Any, ...], Fraction]] = [(0, state, (), Fraction(1))]
    ends = 0
    while waiting:
        at, now, answers, chance = waiting.pop()
        if at == len(stages):
            ends += 1
            chances[now] = chances.get(now, Fraction(0)) + chance
            continue
        try:
            after = stages[at](Faces(answers), now)
        except _Open as question:
            waiting.extend((at, now, (*answers, face), chance * share) for face, share in question.chances if share)
        else:
            waiting.append((at + 1, after, (), chance))
        if ends + len(waiting) > most:
            raise TooMany
    return chances


def game_value(
    stages: Sequence[Any],
    state: Any,
    goal: Callable[[Any], Any],
    sides: Mapping[str, Callable[[Sequence[Fraction]], Fraction]],
    answers: tuple[Any, ...] = (),
) -> Fraction:
    """Return the value of a game when each side picks among the values of its options (max, min, …), without any
    merging.
    """
    try:
        return Fraction(goal(_run(stages, state, Faces(answers, branch_on_choices=True))))
    except _Open as question:
        by, chances = question.by, question.chances
    values = [game_value(stages, state, goal, sides, (*answers, value)) for value, _ in chances]
    if by:
        return sides[by](values)
    return sum((share * value for (_, share), value in zip(chances, values, strict=True)), Fraction(0))


def _run(stages: Sequence[Any], state: Any, tape: Faces) -> Any:
    for stage in stages:
        state = stage(tape, state)
    return state
