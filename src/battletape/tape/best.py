"""Best: like exact, but every choice takes the best option for its side's goal."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from math import inf
from time import monotonic
from typing import Any, NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from battletape.dice import Die, Whole, face, seen
from battletape.errors import BattletapeError, BudgetSpent, UnknownName
from battletape.odds import Odds
from battletape.tape import Forget, Read, Rule
from battletape.tape.budget import ADVISED, IDLE, NEGLIGIBLE, Budget, Spent
from battletape.tape.ends import NOTHING, Lines, Then, Turn, drawing
from battletape.tape.exact import Exact, Memo, Policy, first_option
from battletape.tape.kernel import StageCount
from battletape.tape.question import (
    Ask,
    Tally,
    check_count,
    check_cuts,
    check_label,
    check_options,
    check_stages,
    endless,
    frozen_states,
)
from battletape.tape.races import one_by_one
from battletape.tape.walk import arcs, pool_die, pool_size, too_wide, whole_die

Goal = Callable[[Any], Any]
Play = str | Callable[[Ask], Any]
"""How a side plays: "max" or "min" of the goal, or a policy by name or as a function."""


def last_option(ask: Ask) -> Any:
    """The policy that takes the last option."""
    return ask.options[-1]


POLICIES: dict[str, Callable[[Ask], Any]] = {"first": first_option, "last": last_option}


class Decision(Struct, frozen=True):
    """A choice on the way: the value of every option, the one to take, and how likely it is to come up."""

    stage: Rule
    state: Any
    label: str
    by: str
    options: tuple[tuple[Any, Fraction], ...]
    best: Any
    reached: Fraction


class Advice(Struct, frozen=True):
    """The value of the goal when every side plays as stated, and the decisions that make it so."""

    value: Fraction
    decisions: tuple[Decision, ...]
    sides: tuple[str, ...] = ()  # every side with something to decide, even if play does not reach it
    is_sure: bool = False  # nothing is left to luck, so the value is no average


class Outcomes(NamedTuple):
    """The last states that choices and luck can lead to, and every side with something to decide."""

    states: tuple[Any, ...]
    sides: tuple[str, ...]


class _Node(Struct):
    """A place in the tree of a stage: a result, luck or a choice."""

    result: Any = None
    ask: Ask | None = None
    branches: list[tuple[Any, int, _Node]] = field(default_factory=list)
    total: int = 1
    best: int = 0


class Best:
    """The reader: each side plays for the goal or follows a policy. Values are cached by (stage, state)."""

    def __init__(
        self,
        goal: Goal,
        sides: Mapping[str, Play] | None = None,
        *,
        memo: Memo | None = None,
        budget: Budget | None = None,
        forget: Forget = (),
    ) -> None:
        if not callable(goal):
            raise BattletapeError(f"a goal must be a function of the last state, got {goal!r}")
        if not isinstance(sides or {}, Mapping):
            raise BattletapeError(f'sides must be a mapping such as {{"attacker": "max"}}, got {sides!r}')
        self.goal = goal
        self.sides = dict(sides or {})
        self.budget = budget or Budget(branches=ADVISED)
        self.spent = Spent(self.budget)
        self.exact = Exact(memo, self.budget, forget=forget)
        self.free: Collection[str] | None = None  # sides whose options are all followed; None: those of every side
        for side, play in self.sides.items():
            if isinstance(play, str) and play not in ("max", "min", *POLICIES):
                raise UnknownName(f"way to play for {side}", play, ["max", "min", *POLICIES])

    def run(self, stages: Sequence[Rule], state: Hashable) -> Advice:
        """The value from this state on, and what to choose."""
        check_stages(stages)
        self.spent, self.exact.spent = Spent(self.budget), Spent(self.budget)
        state = self.exact.coarse(state)
        with frozen_states():
            trees = self._grow(stages, state)
        values: dict[Any, Fraction] = {}
        for stage_trees in reversed(trees):
            ahead, values = values, {}
            for start, root in stage_trees.items():
                values[start] = self._value(root, ahead)
            self._ahead.append(ahead)
        self._ahead.reverse()
        if not trees:
            return Advice(self._worth(state), ())
        decisions = tuple(self._decisions(stages, trees, state))
        return Advice(values[state], decisions, tuple(self._deciding), not self._lucky)

    def outcomes(self, stages: Sequence[Rule], state: Hashable, free: Collection[str] | None = None) -> Outcomes:
        """Every last state that choices of these sides, or of all, can lead to; the others take first options."""
        check_stages(stages)
        self.spent, self.exact.spent, self.free = Spent(self.budget), Spent(self.budget), free
        with frozen_states():
            trees = self._grow(stages, self.exact.coarse(state))
        self.free = None
        last = [result for root in trees[-1].values() for result in _leaves(root)] if trees else [state]
        return Outcomes(tuple(dict.fromkeys(last)), tuple(self._deciding))

    def _grow(self, stages: Sequence[Rule], state: Hashable) -> list[dict[Any, _Node]]:
        self._ahead: list[dict[Any, Fraction]] = []
        self._deciding: dict[str, None] = {}
        self._lucky = False
        trees: list[dict[Any, _Node]] = []
        now: dict[Any, None] = {state: None}
        for stage in stages:
            grown = {start: self._tree(stage, start, []) for start in now}
            trees.append(grown)
            now = {}
            for root in grown.values():
                now.update(dict.fromkeys(_leaves(root)))
        return trees

    def _tree(self, stage: Rule, state: Hashable, answers: list[Any]) -> _Node:
        if self.spent.one_more() or len(answers) > self.budget.depth:
            raise BudgetSpent(
                "the choices are too many for the budget; ask about a smaller situation or a larger budget"
            )
        tape = _Probe(self.exact, answers)
        try:
            return _Node(result=self.exact.coarse(stage(tape, state)))
        except RecursionError:
            raise BudgetSpent("a rule with a choice calls itself without end; it must come to an end") from None
        except _Open as question:
            node = _Node(ask=question.ask, total=question.total)
            if question.ask is not None:
                self._deciding[question.ask.by] = None
            elif len(question.values) > 1:
                self._lucky = True
            open_branches = list(zip(question.values, question.weights, strict=True))
            if question.ask is not None and self.free is not None and question.ask.by not in self.free:
                del open_branches[1:]
        for value, weight in open_branches:
            node.branches.append((value, weight, self._tree(stage, state, [*answers, value])))
        return node

    def _value(self, node: _Node, ahead: Mapping[Any, Fraction]) -> Fraction:
        if not node.branches:
            known = ahead.get(node.result)
            return self._worth(node.result) if known is None else known
        values = [self._value(child, ahead) for _, _, child in node.branches]
        if node.ask is None:
            weighted = sum((w * v for (_, w, _), v in zip(node.branches, values, strict=True)), Fraction(0))
            return weighted / node.total
        node.best = self._pick(node.ask, values)
        return values[node.best]

    def _worth(self, state: Any) -> Fraction:
        worth = self.goal(state)
        try:
            return Fraction(worth)
        except (TypeError, ValueError, OverflowError):
            raise BattletapeError(f"a goal must give a number for every state, got {worth!r}") from None

    def _pick(self, ask: Ask, values: Sequence[Fraction]) -> int:
        play = self.sides.get(ask.by, "max")
        if play == "max":
            return values.index(max(values))
        if play == "min":
            return values.index(min(values))
        chosen = (POLICIES[play] if isinstance(play, str) else play)(ask)
        if chosen not in ask.options:
            raise BattletapeError(f"the policy of {ask.by} chose {chosen!r} at {ask.label}, which offers {ask.domain}")
        return ask.options.index(chosen)

    def _decisions(self, stages: Sequence[Rule], trees: list[dict[Any, _Node]], state: Any) -> Iterable[Decision]:
        now: dict[Any, Fraction] = {state: Fraction(1)}
        for stage, roots, ahead in zip(stages, trees, self._ahead, strict=True):
            after: dict[Any, Fraction] = {}
            for start, chance in now.items():
                waiting = [(roots[start], chance)]
                while waiting:
                    node, reached = waiting.pop()
                    if node.ask is not None:
                        options = tuple((value, self._value(child, ahead)) for value, _, child in node.branches)
                        best = node.branches[node.best]
                        yield Decision(stage, start, node.ask.label, node.ask.by, options, best[0], reached)
                        waiting.append((best[2], reached))
                    elif node.branches:
                        waiting.extend((child, reached * w / node.total) for _, w, child in reversed(node.branches))
                    else:
                        after[node.result] = after.get(node.result, Fraction(0)) + reached
            now = after


def _leaves(root: _Node) -> Iterable[Any]:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.branches:
            waiting.extend(child for _, _, child in reversed(node.branches))
        else:
            yield node.result


class _Open(Exception):
    """The rule has reached a question whose branches must be explored."""

    def __init__(self, values: Sequence[Any], weights: Sequence[int], total: int, ask: Ask | None = None) -> None:
        super().__init__()
        self.values, self.weights, self.total, self.ask = values, weights, total, ask


class _Probe:
    """Answers from a list; opens the first question past its end."""

    def __init__(self, exact: Exact, answers: list[Any]) -> None:
        self.exact, self.answers, self.at = exact, answers, 0
        self.idle = 0  # questions with one answer so far

    def _pass(self, label: str) -> None:
        self.idle += 1
        if self.idle > IDLE:
            raise BudgetSpent(endless(label))

    def _answer(self) -> tuple[bool, Any]:
        self.at += 1
        return (True, self.answers[self.at - 1]) if self.at <= len(self.answers) else (False, None)

    def _luck(self, die: Die) -> Any:
        known, answer = self._answer()
        if known:
            return answer
        raise _Open(die.faces, die.weights, die.total)

    def roll(self, die: Die, read: Read = face, *, label: str) -> Any:
        """One die."""
        check_label(label)
        return self._luck(seen(die, read))

    def pool(self, count: int, die: Die, read: Read = face, *, label: str, whole: Whole | None = None) -> Any:
        """Many dice."""
        check_count(count, label)
        if not count:
            self._pass(label)
        wide, most = pool_size(count, die, read, whole), self.exact.budget.states
        if wide > most:
            raise BudgetSpent(f"{too_wide(count, wide, most, label)}; ask about a smaller one")
        if whole is not None:
            return self._luck(whole_die(count, die, read, whole)) if count else whole.end(whole.start)
        return self._luck(pool_die(count, die, read)) if count else Tally()

    def direction(self, cuts: Sequence[float], *, label: str) -> int:
        """A bearing."""
        fixed = check_cuts(cuts, label)
        if len(fixed) < 2:
            self._pass(label)
            return 0
        known, answer = self._answer()
        if known:
            return int(answer)
        weights, total = arcs(fixed)
        raise _Open(range(len(fixed)), weights, total)

    def choose(self, options: Sequence[Any], *, by: str, label: str) -> Any:
        """A decision."""
        fixed = check_options(options, label)
        if len(fixed) == 1:
            self._pass(label)
            return fixed[0]
        known, answer = self._answer()
        if known:
            return answer
        ask = Ask("choose", label, options=fixed, by=by)
        raise _Open(ask.options, [1] * len(fixed), len(fixed), ask)

    def call(self, rule: Rule, *args: Any, onto: Any = NOTHING, then: Then | None = None, rest: Any = None) -> Any:
        """A sub-rule: one die if it holds no choice, else walked in place."""
        kernel = self.exact.outcomes(rule, *args)
        result = rule(self, *args) if kernel.chose else self._merged(kernel.results, kernel.total)
        if onto is not NOTHING:
            return self.each(result.step, onto, result.items, then=result.then, rest=result.rest)
        return result if then is None else then(rest, result)

    def each(
        self,
        step: Rule,
        state: Any,
        items: Iterable[Hashable],
        *,
        drawn: Rule | None = None,
        then: Then | None = None,
        rest: Any = None,
    ) -> Any:
        """A fold: one die if it holds no choice, else walked in place."""
        fixed = tuple(items)
        kernel = self.exact.chain(step if drawn is None else drawing(drawn, step), state, fixed)
        if kernel.chose:
            for item in fixed if drawn is None else [self.call(drawn, item) for item in fixed]:
                state = step(self, state, item)
        else:
            state = self._merged(kernel.results, kernel.total)
        return state if then is None else then(rest, state)

    def race(
        self, lines: Lines, starts: tuple[Any, Any], turns: Iterable[Turn], *, then: Then, rest: Any = None
    ) -> Any:
        """Two lines, turn by turn."""
        return then(rest, one_by_one(self, lines, starts, turns))

    def _merged(self, results: Mapping[Any, int], total: int) -> Any:
        # after the time is over a sub-rule may be cut that was whole before; then its answers do not fit
        if sum(results.values()) != total:
            raise BudgetSpent(
                "a sub-rule is too large for the budget; ask about a smaller situation or a larger budget"
            )
        known, answer = self._answer()
        if known:
            return answer
        raise _Open(list(results), list(results.values()), total)


# --- choices before any luck ------------------------------------------------------------------------------------------


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
    """A decision made before any dice are rolled: who makes it and how, its options with their values, and the best."""

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
        """The option of the plan for this label, or the first one."""
        return next((option for label, option in self.plan if label == ask.label), ask.options[0])


def weigh(
    stages: Sequence[Rule],
    state: Hashable,
    goal: Goal,
    sides: Mapping[str, str],
    budget: Budget,
    reader: Callable[[Policy, Budget], Exact],
    span: Span,
) -> tuple[Choice, ...]:
    """What these sides choose before any dice are rolled: each option is worked out, with its share of the budget.

    Options are compared by what is sure of them: what was left out counts as the worst in the span of the goal.
    """
    if _opened(stages, state, sides, ()).ask is None:
        return ()  # there is nothing to choose, so there is nothing to weigh
    return _weigh(stages, state, _Aim(goal, span, sides), budget, reader, ()).choices


def follow(
    stages: Sequence[Rule], state: Hashable, plan: Plan, budget: Budget, reader: Callable[[Policy, Budget], Exact]
) -> tuple[Odds[Any], tuple[StageCount, ...], int]:
    """The odds of the last state if the plan is followed, the counts of each stage, and the branches spent.

    Stages without luck are played at once, so that other plans can share the work that follows.
    """
    opening = _opened(stages, state, {}, plan)
    _, played = reader(Planned(plan), budget).stages(stages[: opening.at], state)
    odds, counts, spent = _go_on(opening.rest(stages, plan), budget, reader)
    return odds, (*played, *counts), spent


def rest_of(stages: Sequence[Rule], state: Hashable, plan: Plan) -> Rest:
    """What is left to luck if the plan is followed."""
    return _opened(stages, state, {}, plan).rest(stages, plan)


class Rest(NamedTuple):
    """Stages from the first one with luck: the stages, their state, and how choices in them are made."""

    stages: Sequence[Rule]
    state: Any
    policy: Policy


def _go_on(
    rest: Rest, budget: Budget, reader: Callable[[Policy, Budget], Exact]
) -> tuple[Odds[Any], tuple[StageCount, ...], int]:
    """Work out a plan from the first stage with luck."""
    exact = reader(rest.policy, budget)
    kernel, counts = exact.stages(rest.stages, rest.state)
    return exact.odds(kernel, counts), counts, exact.spent.steps


class _Aim(NamedTuple):
    goal: Goal
    span: Span
    sides: Mapping[str, str]


class _Weighed(NamedTuple):
    odds: Odds[Any]
    reach: Span
    choices: tuple[Choice, ...]
    spent: int


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
        odds, _, spent = _go_on(opening.rest(stages, plan), budget, reader)
        return _Weighed(odds, _reach(odds.project(aim.goal), aim.span), (), spent)
    began, left, weighed = monotonic(), budget.branches, list[_Weighed]()
    for parts, option in zip(range(len(ask.options), 0, -1), ask.options, strict=True):
        now = budget.after(monotonic() - began)
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
    return _Weighed(taken.odds, reach, (choice, *taken.choices), budget.branches - left)


def _option(option: Any, way: _Weighed, play: str) -> Option:
    least, most = way.reach
    return Option(option, least, most, way.odds) if _sign(play) > 0 else Option(option, most, least, way.odds)


def _reach(odds: Odds[Any], span: Span) -> Span:
    """What a goal comes to on average at least and at most, whatever it was in what was left out."""
    sure = odds.mean * (1 - odds.unexplored) if odds.weights else Fraction(0)
    if not odds.unexplored_weight:
        return Span(sure, sure)
    seen = Span(min(odds.weights), max(odds.weights)) if odds.weights else span
    span = Span(min(span.least, seen.least), max(span.most, seen.most))
    if odds.unexplored < NEGLIGIBLE:  # where a goal has no bounds, so little counts like what was seen
        span = Span(seen.least if span.least == -inf else span.least, seen.most if span.most == inf else span.most)
    return Span(sure + odds.unexplored * span.least, sure + odds.unexplored * span.most)


class _Opened(NamedTuple):
    """How far the stages go without luck: the stage, its state, and the open choice there."""

    at: int
    state: Any
    ask: Ask | None = None
    at_choice: bool = False  # that stage has already asked for a planned decision

    def rest(self, stages: Sequence[Rule], plan: Plan) -> Rest:
        """What is left to luck from here on."""
        return Rest(stages[self.at :], self.state, Planned(plan) if self.at_choice else first_option)


def _opened(stages: Sequence[Rule], state: Any, sides: Mapping[str, str], plan: Plan) -> _Opened:
    tape = _Opening(sides, plan)
    for at, stage in enumerate(stages):
        tape.used = False
        try:
            state = stage(tape, state)
        except _Open as question:
            return _Opened(at, state, question.ask, tape.used)
    return _Opened(len(stages), state)


NOBODY_READS = Exact()
"""The exact reader of a probe that only looks for the next decision: it asks no sub-rule, and has the usual budget."""


class _Opening(_Probe):
    """Answers decisions from a plan until the first luck; opens the first decision that is not planned."""

    def __init__(self, sides: Mapping[str, str], plan: Plan) -> None:
        super().__init__(NOBODY_READS, [])
        self.sides, self.plan, self.used = sides, plan, False

    def _luck(self, die: Die) -> Any:
        raise _Open((), (), 1)

    def direction(self, cuts: Sequence[float], *, label: str) -> int:
        """A bearing is luck."""
        raise _Open((), (), 1)

    def choose(self, options: Sequence[Any], *, by: str, label: str) -> Any:
        """A decision from the plan, or the first open one."""
        ask = Ask("choose", label, options=check_options(options, label), by=by)
        planned = any(label == known for known, _ in self.plan)
        if len(ask.options) > 1 and by in self.sides and not planned:
            raise _Open(ask.options, (), 1, ask)
        self.used = self.used or planned
        return Planned(self.plan)(ask)

    def call(self, rule: Rule, *args: Any, onto: Any = NOTHING, then: Then | None = None, rest: Any = None) -> Any:
        """A sub-rule, in place."""
        result = rule(self, *args)
        if onto is not NOTHING:
            return self.each(result.step, onto, result.items, then=result.then, rest=result.rest)
        return result if then is None else then(rest, result)

    def each(
        self,
        step: Rule,
        state: Any,
        items: Iterable[Hashable],
        *,
        drawn: Rule | None = None,
        then: Then | None = None,
        rest: Any = None,
    ) -> Any:
        """A fold, in place."""
        for item in items if drawn is None else [self.call(drawn, item) for item in items]:
            state = step(self, state, item)
        return state if then is None else then(rest, state)
