"""Plans: choices before any luck, each option worked out; and later ones made for the same goal."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from math import inf
from time import monotonic
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from battletape.errors import BudgetSpent
from battletape.odds import How, Odds
from battletape.tape import Rule, limits
from battletape.tape.best import Best, BestPlay, Goal, Orders
from battletape.tape.exact import Exact, Policy, first_option
from battletape.tape.limits import Budget
from battletape.tape.path import Path
from battletape.tape.question import Ask

Worth = Fraction | float
"""What a goal comes to; a float only if it is infinite."""


class Span(NamedTuple):
    """What a goal can come to at least and at most."""

    least: Worth = Fraction(0)
    most: Worth = inf


class Option(Struct, frozen=True):
    """Something that may be chosen: what it is sure to be worth, what it may be worth, and the odds of its results."""

    option: Any
    value: Worth  # whatever the budget left out counts as the worst that there can be
    hope: Worth  # whatever the budget left out counts as the best that there can be
    odds: Odds[Any]

    @property
    def unexplored(self) -> Fraction:
        """How much of it the budget left out."""
        return self.odds.unexplored


class Choice(Struct, frozen=True):
    """A decision made before any dice are rolled: its side, its options with their values, and the best."""

    label: str
    by: str
    options: tuple[Option, ...]
    best: int
    play: str

    @property
    def taken(self) -> Option:
        """The option that is taken."""
        return self.options[self.best]

    @property
    def rivals(self) -> tuple[Option, ...]:
        """The options not taken that may be better than the one that is, for all that was worked out of them."""
        sign, others = _sign(self.play), (*self.options[: self.best], *self.options[self.best + 1 :])
        return tuple(option for option in others if sign * option.hope > sign * self.taken.value)


def _sign(play: str) -> int:
    return -1 if play == "min" else 1


Plan = tuple[tuple[str, Any], ...]
"""Decisions made beforehand: label and option."""


class Planned(Struct, frozen=True):
    """The policy that follows a plan, and otherwise takes the first option."""

    plan: Plan

    def __call__(self, ask: Ask) -> Any:
        """Return the option of the plan for this label, or the first one."""
        return next((option for label, option in self.plan if label == ask.label), ask.options[0])


class Weighing(NamedTuple):
    """The choices that were made, and the work that it was, counted in branches."""

    choices: tuple[Choice, ...]
    spent: int


def weigh(
    stages: Sequence[Rule],
    state: Hashable,
    goal: Goal,
    sides: Mapping[str, str],
    budget: Budget,
    reader: Callable[[Policy, Budget], Exact],
    span: Span,
    later: bool = False,
) -> Weighing:
    """Return what these sides choose before any dice are rolled: each option with its share of the budget.

    Options are compared by what is sure of them: what was left out counts as the worst in the span of the goal. If
    choices that come later are for the goal too, each option is worth what they can make of it.
    """
    if _opened(stages, state, sides, ()).ask is None:
        return Weighing((), 0)  # there is nothing to choose, so there is nothing to weigh
    weighed = _weigh(stages, state, _Aim(goal, span, sides, later), budget, reader, ())
    return Weighing(weighed.choices, weighed.spent + weighed.opened * limits.OPTION_COST)


def follow(
    stages: Sequence[Rule],
    state: Hashable,
    plan: Plan,
    budget: Budget,
    reader: Callable[[Policy, Budget], Exact],
    goal: Goal | None = None,
    sides: Mapping[str, str] | None = None,
) -> BestPlay:
    """Return what comes of following the plan.

    Stages without luck are played at once, so that other plans can share the work that follows. With a goal, the
    choices that come later are made for it, and the orders say how.
    """
    opening = _opened(stages, state, {}, plan)
    _, played = reader(Planned(plan), budget).stages(stages[: opening.at], state)
    aim = None if goal is None else _Aim(goal, Span(), sides or {}, True)
    led = _go_on(opening.rest(stages, plan), budget, reader, aim)
    return led._replace(counts=(*played, *led.counts))


def lead(
    stages: Sequence[Rule],
    state: Hashable,
    plan: Plan,
    budget: Budget,
    reader: Callable[[Policy, Budget], Exact],
    goal: Goal,
    sides: Mapping[str, str],
) -> PlanPolicy:
    """Return the policy that follows the plan, and afterwards makes every choice for the goal."""
    opening = _opened(stages, state, {}, plan)
    rest = opening.rest(stages, plan)
    exact = reader(rest.policy, budget)
    kernel, _ = exact.stages(rest.stages, rest.state, to_choice=True)
    led = _led(exact, rest, _Aim(goal, Span(), sides, True), budget) if kernel.chose else None
    return PlanPolicy(plan, opening.at, led.orders if led else (), exact.coarse)


class PlanPolicy:
    """A policy that knows where play stands: it follows a plan, and then orders for each stage and state."""

    def __init__(self, plan: Plan, at: int, orders: Orders, coarse: Callable[[Any], Any]) -> None:
        self.plan, self.at, self.orders, self.coarse = Planned(plan), at, orders, coarse
        self.here: Mapping[tuple[Any, ...], Any] = {}
        self.chosen: tuple[Any, ...] = ()

    def begin(self, at: int, state: Any) -> None:
        """Begin a stage in this state."""
        at -= self.at
        self.here = self.orders[at].get(self.coarse(state), {}) if 0 <= at < len(self.orders) else {}
        self.chosen = ()

    def __call__(self, ask: Ask) -> Any:
        """Return the option that was ordered here, or that of the plan."""
        option = self.here.get(self.chosen)
        if option is None:
            return self.plan(ask)
        self.chosen = (*self.chosen, option)
        return option


def rest_of(stages: Sequence[Rule], state: Hashable, plan: Plan) -> Rest:
    """Return what is left to luck if the plan is followed."""
    return _opened(stages, state, {}, plan).rest(stages, plan)


class Rest(NamedTuple):
    """Stages from the first one with luck: the stages, their state, and how choices in them are made."""

    stages: Sequence[Rule]
    state: Any
    policy: Policy


def _go_on(rest: Rest, budget: Budget, reader: Callable[[Policy, Budget], Exact], aim: _Aim | None = None) -> BestPlay:
    """Work out a plan from the first stage with luck."""
    exact = reader(rest.policy, budget)
    later = aim is not None and aim.later
    kernel, counts = exact.stages(rest.stages, rest.state, to_choice=later)
    if aim is None or not later or not kernel.chose:
        return BestPlay(exact.odds(kernel, counts), counts, (), exact.spent.steps)
    led = _led(exact, rest, aim, budget)
    return led or BestPlay(Odds({}, 1, How("exact", left_out=limits.BRANCHES_SPENT)), counts, (), budget.branches)


def _led(exact: Exact, rest: Rest, aim: _Aim, budget: Budget) -> BestPlay | None:
    """Return every later choice made for the goal; None if there are too many for the budget."""
    few = replace(budget, branches=min(budget.branches, limits.LATER_CHOICE_BRANCHES))
    key = (tuple(rest.stages), rest.state, exact.mark, aim.goal, tuple(aim.sides.items()))
    known: BestPlay | None = exact.memo.led.get(key)
    if known is None:
        reader = Best(aim.goal, aim.sides, memo=exact.memo, budget=few, forget=exact.forget)
        try:
            known = reader.led(rest.stages, rest.state)
        except BudgetSpent:
            return None
        exact.memo.led.keep(key, known)
    return known


class _Aim(NamedTuple):
    goal: Goal
    span: Span
    sides: Mapping[str, str]
    later: bool = False


class _Weighed(NamedTuple):
    odds: Odds[Any]
    reach: Span
    choices: tuple[Choice, ...]
    spent: int
    opened: int = 1  # options that were looked into, this one included


def _weigh(
    stages: Sequence[Rule],
    state: Hashable,
    aim: _Aim,
    budget: Budget,
    reader: Callable[[Policy, Budget], Exact],
    plan: Plan,
) -> _Weighed:
    opening = _opened(stages, state, aim.sides, plan)
    ask = opening.ask
    if ask is None:
        led = _go_on(opening.rest(stages, plan), budget, reader, aim)
        return _Weighed(led.odds, _reach(led.odds.project(aim.goal), aim.span), (), led.spent)
    began, left, weighed = monotonic(), budget.branches, list[_Weighed]()
    for parts, option in zip(range(len(ask.options), 0, -1), ask.options, strict=True):
        now = budget.after(monotonic() - began)
        if now.seconds == 0 and (
            len(ask.options) > limits.OPTIONS_ALWAYS_OPENED or (plan and weighed)
        ):  # to open so many would take time
            weighed.append(_Weighed(Odds({}, 1, How("exact", left_out=limits.SECONDS_SPENT)), aim.span, (), 0))
            continue
        seconds = None if now.seconds is None else now.seconds / parts
        share = replace(now, branches=max(left // parts, 1), seconds=seconds)
        weighed.append(_weigh(stages, state, aim, share, reader, (*plan, (ask.label, option))))
        left -= weighed[-1].spent
    play = aim.sides[ask.by]
    most = max if _sign(play) > 0 else min
    reach = Span(most(way.reach.least for way in weighed), most(way.reach.most for way in weighed))
    options = tuple(_option(option, way, play) for option, way in zip(ask.options, weighed, strict=True))
    worth = [(bool(option.odds.weights), _sign(play) * option.value) for option in options]
    best = worth.index(max(worth))
    choice, taken = Choice(ask.label, ask.by, options, best, play), weighed[best]
    opened = 1 + sum(way.opened for way in weighed)
    return _Weighed(taken.odds, reach, (choice, *taken.choices), budget.branches - left, opened)


def _option(option: Any, way: _Weighed, play: str) -> Option:
    least, most = way.reach
    return Option(option, least, most, way.odds) if _sign(play) > 0 else Option(option, most, least, way.odds)


def _reach(odds: Odds[Any], span: Span) -> Span:
    """Return what a goal comes to on average at least and at most, whatever it was in what was left out."""
    sure = odds.mean * (1 - odds.unexplored) if odds.weights else Fraction(0)
    if not odds.unexplored_weight:
        return Span(sure, sure)
    seen = Span(min(odds.weights), max(odds.weights)) if odds.weights else span
    span = Span(min(span.least, seen.least), max(span.most, seen.most))
    if odds.unexplored < limits.NEGLIGIBLE:  # where a goal has no bounds, so little counts like what was seen
        span = Span(seen.least if span.least == -inf else span.least, seen.most if span.most == inf else span.most)
    return Span(sure + odds.unexplored * span.least, sure + odds.unexplored * span.most)


class _Opened(NamedTuple):
    """How far the stages go without luck: the stage, its state, and the open choice there."""

    at: int
    state: Any
    ask: Ask | None = None
    at_choice: bool = False  # that stage has already asked for a planned decision

    def rest(self, stages: Sequence[Rule], plan: Plan) -> Rest:
        """Return what is left to luck from here on."""
        return Rest(stages[self.at :], self.state, Planned(plan) if self.at_choice else first_option)


def _opened(stages: Sequence[Rule], state: Any, sides: Mapping[str, str], plan: Plan) -> _Opened:
    tape = _Opening(sides, plan)
    for at, stage in enumerate(stages):
        tape.used = False
        try:
            state = stage(tape, state)
        except _Found as found:
            return _Opened(at, state, found.ask, tape.used)
    return _Opened(len(stages), state)


class _Found(Exception):
    """The stages have come to luck, or to a decision that is open."""

    def __init__(self, ask: Ask | None = None) -> None:
        super().__init__()
        self.ask = ask


class _Opening(Path):
    """Answers decisions from a plan until the first luck; opens the first decision that is not planned."""

    def __init__(self, sides: Mapping[str, str], plan: Plan) -> None:
        super().__init__()
        self.sides, self.plan, self.used = sides, plan, False

    def answer(self, ask: Ask) -> Any:
        """Return a decision from the plan; luck and the first open decision end it."""
        if ask.kind != "choose":
            raise _Found
        planned = any(ask.label == known for known, _ in self.plan)
        if ask.by in self.sides and not planned:
            raise _Found(ask)
        self.used = self.used or planned
        return Planned(self.plan)(ask)

    def tell(self, sentence: Any, /, *args: Any, clause: Any = (), **named: Any) -> None:
        """Note nothing: no log shows what might be played."""
