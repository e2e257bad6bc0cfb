"""Best: like exact, but every choice takes the best option for its side's goal."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from math import inf, lcm
from time import monotonic
from typing import Any, NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from battletape.dice import Die, Whole, face, seen
from battletape.errors import BattletapeError, BudgetSpent, UnknownName
from battletape.odds import How, Odds
from battletape.tape import Forget, Read, Rule
from battletape.tape.budget import ADVISED, FOLLOWED, IDLE, LED, NEGLIGIBLE, OVER, Budget, Spent
from battletape.tape.ends import NOTHING, Lines, Then, Turn, drawing
from battletape.tape.exact import Exact, Memo, Policy, first_option
from battletape.tape.folds import cited
from battletape.tape.kernel import Asked, Kernel, RawAsk, StageCount
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


Orders = tuple[Mapping[Any, Mapping[tuple[Any, ...], Any]], ...]
"""What to choose: for each stage, by its state and by what was chosen in it before."""


class Led(NamedTuple):
    """Best play to the end: the odds of the last state, the counts of each stage, the orders, and branches spent."""

    odds: Odds[Any]
    counts: tuple[StageCount, ...]
    orders: Orders
    spent: int


class _Node(Struct):
    """A place in the tree of a stage: a result, luck or a choice."""

    result: Any = None
    ask: Ask | None = None
    branches: list[tuple[Any, int, _Node]] = field(default_factory=list)
    total: int = 1
    ends: list[tuple[Any, int]] = field(default_factory=list)  # luck that a stage ends in: results and weights


class _Worth(NamedTuple):
    """What a place in a tree is worth, as a ratio of whole numbers, and which of its options to take."""

    over: int
    under: int
    best: int = 0

    @property
    def value(self) -> Fraction:
        """The same as a fraction."""
        return Fraction(self.over, self.under)


_Appraisal = Mapping[int, _Worth]
"""The worth of every place in the trees of a stage, by its id: the same trees serve every turn."""


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
        if not trees:
            return Advice(self._worth(state), ())
        appraised = self._appraise(trees)
        decisions = tuple(self._decisions(stages, trees, appraised, state))
        value = appraised[0][id(trees[0][state])].value
        return Advice(value, decisions, tuple(self._deciding), not self._lucky)

    def led(self, stages: Sequence[Rule], state: Hashable) -> Led:
        """The odds of the last state if every choice is made as well as it can be; a stage chooses before its luck."""
        check_stages(stages)
        self.spent, self.exact.spent = Spent(self.budget), Spent(self.budget)
        state = self.exact.coarse(state)
        now, total = {state: 1}, 1
        with frozen_states():
            trees = self._grow(stages, state)
        counts: list[StageCount] = []
        orders: list[dict[Any, Mapping[tuple[Any, ...], Any]]] = []
        for stage, roots, appraisal in zip(stages, trees, self._appraise(trees), strict=True):
            given: dict[Any, Mapping[tuple[Any, ...], Any]] = {}
            ends = [(ways, *self._played(roots[start], appraisal, start, given)) for start, ways in now.items()]
            scale = lcm(*(under for _, under, _ in ends))
            now = {}
            for ways, under, results in ends:
                for result, weight in results:
                    now[result] = now.get(result, 0) + ways * weight * (scale // under)
            total *= scale
            orders.append(given)
            asked = tuple(Asked(*raw) for raw in self._asked.get(stage, ()))
            only = next(iter(now)) if len(now) == 1 else None
            counts.append(StageCount(stage, sum(len(results) for _, _, results in ends), len(now), asked, only))
        branches, states = sum(count.branches for count in counts), sum(count.states for count in counts)
        how = How("exact", branches=branches, states=states, policy="choices made for the goal")
        spent = self.spent.steps + self.exact.spent.steps
        return Led(Odds(now, total, how), tuple(counts), tuple(orders), spent)

    def _played(
        self, root: _Node, appraisal: _Appraisal, start: Any, given: dict[Any, Mapping[tuple[Any, ...], Any]]
    ) -> tuple[int, list[tuple[Any, int]]]:
        """How a stage ends if its choices are made well: the scale, and every result with its weight."""
        node, chosen = root, dict[tuple[Any, ...], Any]()
        while node.ask is not None:
            option, _, child = node.branches[appraisal[id(node)].best]
            chosen[tuple(chosen.values())] = option
            node = child
        if chosen:
            given[start] = chosen
        ends: list[tuple[Any, int, int]] = []
        waiting = [(node, 1, 1)]
        while waiting:
            place, ways, under = waiting.pop()
            if place.ask is not None:
                raise BattletapeError(f"{place.ask.label}: a choice for a goal stands before the luck of its stage")
            if place.ends:
                ends.extend((result, ways * weight, under * place.total) for result, weight in place.ends)
            elif not place.branches:
                ends.append((place.result, ways, under))
            waiting.extend((child, ways * weight, under * place.total) for _, weight, child in place.branches[::-1])
        scale = lcm(*(under for _, _, under in ends))
        return scale, [(result, ways * (scale // under)) for result, ways, under in ends]

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
        self._asked: dict[Rule, dict[RawAsk, None]] = {}
        self._deciding: dict[str, None] = {}
        self._lucky = False
        trees: list[dict[Any, _Node]] = []
        now: dict[Any, None] = {state: None}
        self._known: dict[tuple[Rule, Any], _Node] = {}  # what comes again has the same trees
        for stage in stages:
            grown: dict[Any, _Node] = {}
            for start in now:
                key = (stage, (start,))
                if key not in self._known:
                    self._stage = stage
                    self._known[key] = self._tree(stage, (start,), [])
                grown[start] = self._known[key]
            trees.append(grown)
            now = {}
            for root in grown.values():
                now.update(dict.fromkeys(_leaves(root)))
        return trees

    def _tree(self, stage: Rule, args: tuple[Any, ...], answers: list[Any]) -> _Node:
        if self.spent.one_more() or len(answers) > self.budget.depth:
            raise BudgetSpent(
                "the choices are too many for the budget; ask about a smaller situation or a larger budget"
            )
        asked, clauses = self._asked.setdefault(self._stage, {}), getattr(stage, "__clauses__", ())[:1]
        tape = _Probe(self.exact, answers, asked, clauses)
        called: _Call | None = None
        try:
            return _Node(result=self.exact.coarse(stage(tape, *args)))
        except RecursionError:
            raise BudgetSpent("a rule with a choice calls itself without end; it must come to an end") from None
        except _Called as signal:
            called = signal.call
        except _Open as question:
            node = _Node(ask=question.ask, total=question.total)
            if question.ask is not None:
                self._deciding[question.ask.by] = None
            elif len(question.values) > 1:
                self._lucky = True
            open_branches = list(zip(question.values, question.weights, strict=True))
            if question.ask is not None and self.free is not None and question.ask.by not in self.free:
                del open_branches[1:]
            if question.ended:
                coarse = self.exact.coarse
                node.ends = [(coarse(end), weight) for end, weight in open_branches]
                return node
        if called is not None:
            grow = partial(self._tree_after, stage, args, answers, called)
            return self._grafted(self._sub_tree(called), grow)
        for value, weight in open_branches:
            node.branches.append((value, weight, self._tree(stage, args, [*answers, value])))
        return node

    def _tree_after(self, stage: Rule, args: tuple[Any, ...], answers: list[Any], called: _Call, result: Any) -> _Node:
        """What follows a result of a sub-rule."""
        if called.then is None:
            return self._tree(stage, args, [*answers, result])
        return _Node(result=self.exact.coarse(called.then(called.rest, result)))

    def _sub_tree(self, called: _Call) -> _Node:
        """The tree of a sub-rule with choices, which is the same wherever it is called."""
        key = (called.rule, called.args)
        if key not in self._known:
            self._known[key] = self._tree(called.rule, called.args, [])
        return self._known[key]

    def _grafted(self, node: _Node, grow: Callable[[Any], _Node]) -> _Node:
        """The tree of a sub-rule, with what follows grown from its results."""
        if node.ends:
            grown = [(result, weight, grow(result)) for result, weight in node.ends]
            return _Node(branches=grown, total=node.total)
        if not node.branches:
            return grow(node.result)
        branches = [(value, weight, self._grafted(child, grow)) for value, weight, child in node.branches]
        return _Node(ask=node.ask, branches=branches, total=node.total)

    def _appraise(self, trees: list[dict[Any, _Node]]) -> list[dict[int, _Worth]]:
        """What every place in the trees is worth, from the last stage to the first."""
        ahead: dict[Any, _Worth] = {}
        appraised: list[dict[int, _Worth]] = []
        for stage_trees in reversed(trees):
            worths: dict[int, _Worth] = {}
            for root in stage_trees.values():
                self._value(root, ahead, worths)
            under = lcm(*(worths[id(root)].under for root in stage_trees.values()))
            ahead = {}
            for start, root in stage_trees.items():  # on one scale, so that few sums need a finer one
                worth = worths[id(root)]
                ahead[start] = _Worth(worth.over * (under // worth.under), under)
            appraised.append(worths)
        appraised.reverse()
        return appraised

    def _value(self, node: _Node, ahead: dict[Any, _Worth], worths: dict[int, _Worth]) -> _Worth:
        if node.ends:
            worth = worths[id(node)] = self._mean(node.ends, node.total, ahead)
            return worth
        if not node.branches:
            worth = worths[id(node)] = self._ahead(node.result, ahead)
            return worth
        values = [self._value(child, ahead, worths) for _, _, child in node.branches]
        if node.ask is None:
            under = lcm(*{worth.under for worth in values})
            over = sum(w * v.over * (under // v.under) for (_, w, _), v in zip(node.branches, values, strict=True))
            worth = _Worth(over, under * node.total)
        else:
            best = self._pick(node.ask, values)
            worth = values[best]._replace(best=best)
        worths[id(node)] = worth
        return worth

    def _mean(self, ends: list[tuple[Any, int]], total: int, ahead: dict[Any, _Worth]) -> _Worth:
        values = [(weight, ahead.get(result) or self._ahead(result, ahead)) for result, weight in ends]
        unders = {worth.under for _, worth in values}
        if len(unders) == 1:
            return _Worth(sum(weight * worth.over for weight, worth in values), unders.pop() * total)
        under = lcm(*unders)
        return _Worth(sum(weight * worth.over * (under // worth.under) for weight, worth in values), under * total)

    def _ahead(self, result: Any, ahead: dict[Any, _Worth]) -> _Worth:
        known = ahead.get(result)
        if known is None:
            known = ahead[result] = _Worth(*self._worth(result).as_integer_ratio())
        return known

    def _worth(self, state: Any) -> Fraction:
        worth = self.goal(state)
        try:
            return Fraction(worth)
        except (TypeError, ValueError, OverflowError):
            raise BattletapeError(f"a goal must give a number for every state, got {worth!r}") from None

    def _pick(self, ask: Ask, worths: Sequence[_Worth]) -> int:
        play = self.sides.get(ask.by, "max")
        if play in ("max", "min"):
            better, best = worths[0], 0
            for at, worth in enumerate(worths):
                more = worth.over * better.under - better.over * worth.under
                if more > 0 if play == "max" else more < 0:
                    better, best = worth, at
            return best
        chosen = (POLICIES[play] if isinstance(play, str) else play)(ask)
        if chosen not in ask.options:
            raise BattletapeError(f"the policy of {ask.by} chose {chosen!r} at {ask.label}, which offers {ask.domain}")
        return ask.options.index(chosen)

    def _decisions(
        self, stages: Sequence[Rule], trees: list[dict[Any, _Node]], appraised: Sequence[_Appraisal], state: Any
    ) -> Iterable[Decision]:
        now: dict[Any, Fraction] = {state: Fraction(1)}
        for stage, roots, appraisal in zip(stages, trees, appraised, strict=True):
            after: dict[Any, Fraction] = {}
            for start, chance in now.items():
                waiting = [(roots[start], chance)]
                while waiting:
                    node, reached = waiting.pop()
                    if node.ask is not None:
                        options = tuple((value, appraisal[id(child)].value) for value, _, child in node.branches)
                        best = node.branches[appraisal[id(node)].best]
                        yield Decision(stage, start, node.ask.label, node.ask.by, options, best[0], reached)
                        waiting.append((best[2], reached))
                    elif node.branches:
                        waiting.extend((child, reached * w / node.total) for _, w, child in reversed(node.branches))
                    elif node.ends:
                        for result, weight in node.ends:
                            after[result] = after.get(result, Fraction(0)) + reached * weight / node.total
                    else:
                        after[node.result] = after.get(node.result, Fraction(0)) + reached
            now = after


def _leaves(root: _Node) -> Iterable[Any]:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.branches:
            waiting.extend(child for _, _, child in reversed(node.branches))
        elif node.ends:
            yield from (result for result, _ in node.ends)
        else:
            yield node.result


class _Open(Exception):
    """The rule has reached a question whose branches must be explored."""

    def __init__(
        self, values: Sequence[Any], weights: Sequence[int], total: int, ask: Ask | None = None, ended: bool = False
    ) -> None:
        super().__init__()
        self.values, self.weights, self.total, self.ask = values, weights, total, ask
        self.ended = ended  # the stage ends in this question: the values are its results


class _Call(NamedTuple):
    """A sub-rule with choices, and how the stage ends if it ends in it."""

    rule: Rule
    args: tuple[Any, ...]
    then: Then | None = None
    rest: Any = None


class _Called(Exception):
    """The rule has called a sub-rule with choices: its tree is grown once, whoever calls it."""

    def __init__(self, call: _Call) -> None:
        super().__init__()
        self.call = call


class _Probe:
    """Answers from a list; opens the first question past its end."""

    def __init__(
        self, exact: Exact, answers: list[Any], asked: dict[RawAsk, None], clauses: tuple[str, ...] = ()
    ) -> None:
        self.exact, self.answers, self.at = exact, answers, 0
        self.asked, self.clauses = asked, clauses
        self.idle = 0  # questions with one answer so far
        self.inside = 0  # rules walked in place, around the one that asks

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

    def _note(self, *raw: Any) -> None:
        """Remember a question."""
        self.asked[(*raw, self.clauses)] = None

    def roll(self, die: Die, read: Read = face, *, label: str) -> Any:
        """One die."""
        check_label(label)
        if self.at >= len(self.answers):
            self._note("roll", label, die, read)
        return self._luck(seen(die, read))

    def pool(self, count: int, die: Die, read: Read = face, *, label: str, whole: Whole | None = None) -> Any:
        """Many dice."""
        check_count(count, label)
        if not count:
            self._pass(label)
        elif self.at >= len(self.answers):
            self._note("pool", label, die, read)
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
        self._note("direction", label, None, face)
        weights, total = arcs(fixed)
        raise _Open(range(len(fixed)), weights, total)

    def choose(self, options: Sequence[Any], *, by: str, label: str) -> Any:
        """A decision."""
        if self.at < len(self.answers) and type(options) is tuple and len(options) > 1:
            return self._answer()[1]  # its options were checked when it was first asked
        fixed = check_options(options, label)
        if len(fixed) == 1:
            self._pass(label)
            return fixed[0]
        known, answer = self._answer()
        if known:
            return answer
        self._note("choose", label, None, face)
        ask = Ask("choose", label, options=fixed, by=by)
        raise _Open(ask.options, [1] * len(fixed), len(fixed), ask)

    def call(self, rule: Rule, *args: Any, onto: Any = NOTHING, then: Then | None = None, rest: Any = None) -> Any:
        """A sub-rule: one die if it holds no choice, else walked in place."""
        kernel = self.exact.outcomes(rule, *args)
        if not kernel.chose:
            result = self._merged(kernel, then, rest)
        else:
            known, result = self._answer()
            if not known:
                raise _Called(_Call(rule, args, None if self.inside else then, rest))
            result = result if then is None else then(rest, result)
        if onto is not NOTHING:
            return self.each(result.step, onto, result.items, then=result.then, rest=result.rest)
        return result

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
        if not kernel.chose:
            return self._merged(kernel, then, rest)
        self.inside += 1
        for item in fixed if drawn is None else [self.call(drawn, item) for item in fixed]:
            state = step(self, state, item)
        self.inside -= 1
        return state if then is None else then(rest, state)

    def race(
        self, lines: Lines, starts: tuple[Any, Any], turns: Iterable[Turn], *, then: Then, rest: Any = None
    ) -> Any:
        """Two lines, turn by turn."""
        return then(rest, one_by_one(self, lines, starts, turns))

    def _merged(self, kernel: Kernel, then: Then | None = None, rest: Any = None) -> Any:
        results, total = kernel.results, kernel.total
        # after the time is over a sub-rule may be cut that was whole before; then its answers do not fit
        if sum(results.values()) != total:
            raise BudgetSpent(
                "a sub-rule is too large for the budget; ask about a smaller situation or a larger budget"
            )
        ended = then is not None and not self.inside
        known, answer = self._answer()
        if known:
            return answer if then is None else then(rest, answer)
        self.asked.update(dict.fromkeys(cited(kernel.asked, self.clauses)))
        values = [then(rest, result) for result in results] if then is not None and ended else list(results)
        raise _Open(values, list(results.values()), total, ended=ended)


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
    later: bool = False,
) -> tuple[Choice, ...]:
    """What these sides choose before any dice are rolled: each option is worked out, with its share of the budget.

    Options are compared by what is sure of them: what was left out counts as the worst in the span of the goal. If
    choices that come later are for the goal too, each option is worth what they can make of it.
    """
    if _opened(stages, state, sides, ()).ask is None:
        return ()  # there is nothing to choose, so there is nothing to weigh
    return _weigh(stages, state, _Aim(goal, span, sides, later), budget, reader, ()).choices


def follow(
    stages: Sequence[Rule],
    state: Hashable,
    plan: Plan,
    budget: Budget,
    reader: Callable[[Policy, Budget], Exact],
    goal: Goal | None = None,
    sides: Mapping[str, str] | None = None,
) -> Led:
    """What comes of following the plan.

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
) -> Leading:
    """The policy that follows the plan, and afterwards makes every choice for the goal."""
    opening = _opened(stages, state, {}, plan)
    rest = opening.rest(stages, plan)
    exact = reader(rest.policy, budget)
    kernel, _ = exact.stages(rest.stages, rest.state)
    led = _led(exact, rest, _Aim(goal, Span(), sides, True), budget) if kernel.chose else None
    return Leading(plan, opening.at, led.orders if led else (), exact.coarse)


class Leading:
    """A policy that knows where play stands: it follows a plan, and then orders for each stage and state."""

    def __init__(self, plan: Plan, at: int, orders: Orders, coarse: Callable[[Any], Any]) -> None:
        self.plan, self.at, self.orders, self.coarse = Planned(plan), at, orders, coarse
        self.here: Mapping[tuple[Any, ...], Any] = {}
        self.chosen: tuple[Any, ...] = ()

    def begin(self, at: int, state: Any) -> None:
        """A stage begins in this state."""
        at -= self.at
        self.here = self.orders[at].get(self.coarse(state), {}) if 0 <= at < len(self.orders) else {}
        self.chosen = ()

    def __call__(self, ask: Ask) -> Any:
        """The option that was ordered here, or that of the plan."""
        option = self.here.get(self.chosen)
        if option is None:
            return self.plan(ask)
        self.chosen = (*self.chosen, option)
        return option


def rest_of(stages: Sequence[Rule], state: Hashable, plan: Plan) -> Rest:
    """What is left to luck if the plan is followed."""
    return _opened(stages, state, {}, plan).rest(stages, plan)


class Rest(NamedTuple):
    """Stages from the first one with luck: the stages, their state, and how choices in them are made."""

    stages: Sequence[Rule]
    state: Any
    policy: Policy


def _go_on(rest: Rest, budget: Budget, reader: Callable[[Policy, Budget], Exact], aim: _Aim | None = None) -> Led:
    """Work out a plan from the first stage with luck."""
    exact = reader(rest.policy, budget)
    kernel, counts = exact.stages(rest.stages, rest.state)
    if aim is None or not aim.later or not kernel.chose:
        return Led(exact.odds(kernel, counts), counts, (), exact.spent.steps)
    led = _led(exact, rest, aim, budget)
    return led or Led(Odds({}, 1, How("exact", left_out=OVER)), counts, (), budget.branches)


def _led(exact: Exact, rest: Rest, aim: _Aim, budget: Budget) -> Led | None:
    """Every later choice made for the goal; None if there are too many for the budget."""
    few = replace(budget, branches=min(budget.branches, LED))
    key = (tuple(rest.stages), rest.state, exact.mark, aim.goal, tuple(aim.sides.items()))
    known: Led | None = exact.memo.led.get(key)
    if known is None:
        reader = Best(aim.goal, aim.sides, memo=exact.memo, budget=few, forget=exact.forget)
        try:
            known = reader.led(rest.stages, rest.state)
        except BudgetSpent:
            return None
        if len(exact.memo.led) >= FOLLOWED:
            exact.memo.led.clear()
        exact.memo.led[key] = known
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
        super().__init__(NOBODY_READS, [], {})
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
