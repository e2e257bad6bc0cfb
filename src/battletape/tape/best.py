"""Best: like exact, but every choice takes the best option for its side's goal."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import wraps
from math import gcd, lcm
from typing import Any, NamedTuple, ParamSpec, TypeVar

from msgspec import Struct

from battletape.dice import Die, Whole, face, seen
from battletape.errors import BattletapeError, BudgetSpent, UnknownName
from battletape.odds import How, Odds
from battletape.tape import Forget, Read, Rule
from battletape.tape.ends import NOTHING, Lines, Then, Turn, drawing
from battletape.tape.exact import Exact, Memo, first_option
from battletape.tape.kernel import AskedQuestions, Asks, Kernel, StageCount, in_order
from battletape.tape.limits import ADVICE_BRANCHES, MAX_FORCED_ANSWERS, Budget, Spent
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
from battletape.tape.walk import arcs, pool_as_die, pool_size, too_wide

P = ParamSpec("P")
R = TypeVar("R")
Goal = Callable[[Any], Any]
Play = str | Callable[[Ask], Any]
"""How a side plays: "max" or "min" of the goal, or a policy by name or as a function."""


def last_option(ask: Ask) -> Any:
    """Return the policy that takes the last option."""
    return ask.options[-1]


TOO_MANY = "the choices are too many for the budget; ask about a smaller situation or a larger budget"
TOO_DEEP = "a rule with a choice calls itself without end; it must come to an end"

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


class BestPlay(NamedTuple):
    """Best play to the end: the odds of the last state, the counts of each stage, the orders, and branches spent."""

    odds: Odds[Any]
    counts: tuple[StageCount, ...]
    orders: Orders
    spent: int


class _Ways(NamedTuple):
    """Choices in a row, all of one side: for each way to make them, what is chosen."""

    by: str
    chosen: tuple[tuple[Any, ...], ...]


class _Node(Struct, gc=False):  # a tree has no cycles, and looking for some would take a third of the time
    """A place in the tree of a stage: a result, luck, a choice, or choices in a row."""

    result: Any = None
    ask: Ask | None = None
    branches: Sequence[tuple[Any, int, _Node]] = ()
    total: int = 1
    ends: Sequence[tuple[Any, int]] = ()  # what luck or choices at the end of a stage lead to
    ways: _Ways | None = None


class _Tree(NamedTuple):
    """A sub-rule with choices: its tree, the sides that decide, whether there is luck, what it asks, its size."""

    root: _Node
    sides: tuple[str, ...]
    lucky: bool
    asked: Asks
    size: int
    ways: _Ways | None
    results: tuple[Any, ...]


class _Worth(Struct, frozen=True, gc=False):
    """What a place in a tree is worth, as a ratio of whole numbers, and which of its options to take."""

    over: int
    under: int
    best: int = 0

    @property
    def value(self) -> Fraction:
        """Return the worth as a fraction."""
        return Fraction(self.over, self.under)


class _StateValues(NamedTuple):
    """What every state after a stage is worth: whole numbers, all of them over the same one."""

    overs: dict[Any, int]
    under: int


class _StageTrees(NamedTuple):
    """The trees of every stage by the state that it begins in, and the states after the last."""

    trees: list[dict[Any, _Node]]
    last: Collection[Any]


_Appraisal = Mapping[int, _Worth]
"""The worth of every place in the trees of a stage, by its id: the same trees serve every turn."""


def _within_the_stack(reader: Callable[P, R]) -> Callable[P, R]:
    """Return how deep Python may call differs from version to version; where it ends is a sentence in all of them."""

    @wraps(reader)
    def read(*args: P.args, **named: P.kwargs) -> R:
        try:
            return reader(*args, **named)
        except RecursionError:
            raise BudgetSpent(TOO_DEEP) from None

    return read


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
        self.budget = budget or Budget(branches=ADVICE_BRANCHES)
        self.spent = Spent(self.budget)
        self.exact = Exact(memo, self.budget, forget=forget)
        self.free: Collection[str] | None = None  # sides whose options are all followed; None: those of every side
        for side, play in self.sides.items():
            if isinstance(play, str) and play not in ("max", "min", *POLICIES):
                raise UnknownName(f"way to play for {side}", play, ["max", "min", *POLICIES])

    @_within_the_stack
    def run(self, stages: Sequence[Rule], state: Hashable) -> Advice:
        """Return the value from this state on, and what to choose."""
        check_stages(stages)
        self.spent, self.exact.spent = Spent(self.budget), Spent(self.budget)
        state = self.exact.coarse(state)
        with frozen_states():
            grown = self._grow(stages, state, with_story=True)
        if not stages:
            return Advice(self._worth(state), ())
        trees, appraised = grown.trees, self._appraise(grown)
        decisions = tuple(self._decisions(stages, trees, appraised, state))
        value = appraised[0][id(trees[0][state])].value
        return Advice(value, decisions, tuple(self._deciding), not self._lucky)

    @_within_the_stack
    def led(self, stages: Sequence[Rule], state: Hashable) -> BestPlay:
        """Return the odds of the last state if every choice is made as well as it can be.

        A stage chooses before its luck.
        """
        check_stages(stages)
        self.spent, self.exact.spent = Spent(self.budget), Spent(self.budget)
        state = self.exact.coarse(state)
        now, total = {state: 1}, 1
        with frozen_states():
            grown = self._grow(stages, state)
        counts: list[StageCount] = []
        orders: list[dict[Any, Mapping[tuple[Any, ...], Any]]] = []
        for stage, roots, appraisal in zip(stages, grown.trees, self._appraise(grown), strict=True):
            given: dict[Any, Mapping[tuple[Any, ...], Any]] = {}
            ends = [(ways, *self._played(roots[start], appraisal, start, given)) for start, ways in now.items()]
            scale = lcm(*(under for _, under, _ in ends))
            now = {}
            for ways, under, results in ends:
                self._hurry(len(results))
                for result, weight in results:
                    now[result] = now.get(result, 0) + ways * weight * (scale // under)
            total *= scale
            orders.append(given)
            asks = in_order(self._asked.get(stage, AskedQuestions()).asked)
            only = next(iter(now)) if len(now) == 1 else None
            counts.append(StageCount(stage, sum(len(results) for _, _, results in ends), len(now), asks, only))
        branches, states = sum(count.branches for count in counts), sum(count.states for count in counts)
        how = How("exact", branches=branches, states=states, policy="choices made for the goal")
        spent = self.spent.steps + self.exact.spent.steps
        return BestPlay(Odds(now, total, how), tuple(counts), tuple(orders), spent)

    def _played(
        self, root: _Node, appraisal: _Appraisal, start: Any, given: dict[Any, Mapping[tuple[Any, ...], Any]]
    ) -> tuple[int, list[tuple[Any, int]]]:
        """Return how a stage ends if its choices are made well: the scale, and every result with its weight."""
        node, chosen = root, dict[tuple[Any, ...], Any]()
        while node.ask is not None:
            option, _, child = node.branches[appraisal[id(node)].best]
            chosen[tuple(chosen.values())] = option
            node = child
        if node.ways is not None:
            best = appraisal[id(node)].best
            for option in node.ways.chosen[best]:
                chosen[tuple(chosen.values())] = option
            given[start] = chosen
            return 1, [(node.ends[best][0], 1)]
        if chosen:
            given[start] = chosen
        ends: list[tuple[Any, int, int]] = []
        waiting = [(node, 1, 1)]
        while waiting:
            place, ways, under = waiting.pop()
            if place.ask is not None or place.ways is not None:
                label = place.ask.label if place.ask is not None else "a sub-rule"
                raise BattletapeError(f"{label}: a choice for a goal stands before the luck of its stage")
            if place.ends:
                ends.extend((result, ways * weight, under * place.total) for result, weight in place.ends)
            elif not place.branches:
                ends.append((place.result, ways, under))
            waiting.extend((child, ways * weight, under * place.total) for _, weight, child in place.branches[::-1])
        scale = lcm(*(under for _, _, under in ends))
        return scale, [(result, ways * (scale // under)) for result, ways, under in ends]

    @_within_the_stack
    def outcomes(self, stages: Sequence[Rule], state: Hashable, free: Collection[str] | None = None) -> Outcomes:
        """Return every last state that choices of these sides, or of all, can lead to.

        The others take first options.
        """
        check_stages(stages)
        self.spent, self.exact.spent, self.free = Spent(self.budget), Spent(self.budget), free
        with frozen_states():
            grown = self._grow(stages, self.exact.coarse(state))
        self.free = None
        return Outcomes(tuple(grown.last), tuple(self._deciding))

    def _grow(self, stages: Sequence[Rule], state: Hashable, *, with_story: bool = False) -> _StageTrees:
        """Grow the trees of every stage for its states; `told` if every option must have a worth."""
        self._asked: dict[Rule, AskedQuestions] = {}
        self._deciding: dict[str, None] = {}
        self._lucky, self._told, self._nested = False, with_story, 0
        trees: list[dict[Any, _Node]] = []
        now: dict[Any, None] = {state: None}
        known: dict[tuple[Rule, Any], tuple[_Node, dict[Any, None]]] = {}  # what comes again has the same trees
        for stage in stages:
            grown: dict[Any, _Node] = {}
            after: dict[Any, None] = {}
            for start in now:
                found = known.get((stage, start))
                if found is None:
                    self._notes = self._asked.setdefault(stage, AskedQuestions())
                    root = self._tree(stage, (start,), [])
                    found = known[stage, start] = root, dict.fromkeys(_leaves(root))
                grown[start] = found[0]
                after.update(found[1])
            trees.append(grown)
            now = after
        return _StageTrees(trees, now)

    def _tree(self, rule: Rule, args: tuple[Any, ...], answers: list[Any]) -> _Node:
        """Return every way through a rule from these answers on: each run takes the next answer to the last open
        question.
        """
        tape = Probe(self.exact, answers, self._notes, getattr(rule, "__clauses__", ())[:1])
        path: list[_Frame] = []
        while True:
            tape.again()
            called: _Call | None = None
            try:
                leaf = _Node(result=self.exact.coarse(rule(tape, *args)))
            except _Ends as ends:
                leaf = _Node(ends=ends.luck, total=ends.total)
                self._lucky = self._lucky or len(leaf.ends) > 1
            except _Called as signal:
                called = signal.call
            self._count(1 + len(tape.opened))
            path.extend(map(self._frame, tape.opened))
            tape.opened.clear()
            if called is not None:
                leaf = self._tree_after(rule, args, list(tape.answers), called)
            while path:
                node, left, answer, branches = path[-1]
                branches.append((*answer, leaf))
                turned = next(left, None)
                if turned is not None:
                    path[-1] = _Frame(node, left, turned, branches)
                    tape.answers[-1] = turned[0]
                    break
                node.branches = tuple(branches)
                leaf = node
                path.pop()
                tape.answers.pop()
            else:
                return leaf

    def _count(self, steps: int) -> None:
        if self.spent.spend_steps(steps):
            raise BudgetSpent(TOO_MANY)

    def _hurry(self, work: int) -> None:
        """Look at the clock while a tree is valued: that may take longer than to grow it."""
        if self.spent.spend_past_end(work):
            raise BudgetSpent(TOO_MANY)

    def _frame(self, question: _Question) -> _Frame:
        """Return a question whose first answer is being followed."""
        ask = question.ask
        answers = zip(question.values, question.weights, strict=True)
        if ask is None:
            self._lucky = self._lucky or len(question.values) > 1
        else:
            self._deciding[ask.by] = None
            if self.free is not None and ask.by not in self.free:
                answers = zip(question.values[:1], question.weights[:1], strict=True)
        first = next(answers)
        return _Frame(_Node(ask=ask, total=question.total), answers, first, [])

    def _tree_after(self, rule: Rule, args: tuple[Any, ...], answers: list[Any], called: _Call) -> _Node:
        """Return the tree of a sub-rule with choices, and what follows each of its results."""
        then, rest, tree = called.then, called.rest, self._sub_tree(called, len(answers))
        if then is None:
            return self._grafted(tree.root, lambda result: self._tree(rule, args, [*answers, result]))
        close = self.exact.closing(then, rest)
        if tree.ways is not None and not self._told and self.sides.get(tree.ways.by, "max") in ("max", "min"):
            return _Node(ends=tuple([(close(result), 1) for result in tree.results]), ways=tree.ways)
        return self._grafted(tree.root, lambda result: _Node(result=close(result)))

    def _sub_tree(self, called: _Call, at: int) -> _Tree:
        """Return the tree of a sub-rule with choices, which is the same wherever it is called: here after so many
        answers.
        """
        trees, key = self.exact.memo.trees, (called.rule, called.args, self.exact.mark, self.free)
        tree: _Tree | None = trees.get(key)
        if tree is None:
            if self._nested >= self.budget.nesting:
                raise BudgetSpent(TOO_DEEP)
            around = self._deciding, self._lucky, self._notes, self.spent.steps
            self._deciding, self._lucky, self._notes = {}, False, AskedQuestions()
            self._nested += 1
            root = self._tree(called.rule, called.args, [])
            self._nested -= 1
            size = self.spent.steps - around[3]
            asks, leaves = self._notes.asked, tuple(_leaves(root))
            tree = _Tree(root, tuple(self._deciding), self._lucky, asks, size, _ways(root), leaves)
            self._deciding, self._lucky, self._notes, _ = around
            trees.keep(key, tree)
        else:
            self._count(tree.size)
        self._deciding.update(dict.fromkeys(tree.sides))
        self._lucky = self._lucky or tree.lucky
        self._notes.merge(tree.asked, (at,))
        return tree

    def _grafted(self, node: _Node, grow: Callable[[Any], _Node]) -> _Node:
        """Return the tree of a sub-rule, with what follows grown from its results."""
        if node.ends:
            grown = [(result, weight, grow(result)) for result, weight in node.ends]
            return _Node(branches=grown, total=node.total)
        if not node.branches:
            return grow(node.result)
        branches = [(value, weight, self._grafted(child, grow)) for value, weight, child in node.branches]
        return _Node(ask=node.ask, branches=branches, total=node.total)

    def _appraise(self, grown: _StageTrees) -> list[dict[int, _Worth]]:
        """Return what every place in the trees is worth, from the last stage to the first."""
        ahead = _on_one_scale({state: _Worth(*self._worth(state).as_integer_ratio()) for state in grown.last})
        appraised: list[dict[int, _Worth]] = []
        for roots in reversed(grown.trees):
            worths: dict[int, _Worth] = {}
            ahead = _on_one_scale({start: self._value(root, ahead, worths) for start, root in roots.items()})
            appraised.append(worths)
        appraised.reverse()
        return appraised

    def _value(self, node: _Node, ahead: _StateValues, worths: dict[int, _Worth]) -> _Worth:
        self._hurry(1 + len(node.ends))
        overs, under = ahead
        if node.ways is not None:
            values = [overs[result] for result, _ in node.ends]
            most = max(values) if self.sides.get(node.ways.by, "max") == "max" else min(values)
            worth = _Worth(most, under, values.index(most))
        elif node.ends:
            worth = _Worth(sum([weight * overs[result] for result, weight in node.ends]), under * node.total)
        elif not node.branches:
            worth = _Worth(overs[node.result], under)
        else:
            children = [self._value(child, ahead, worths) for _, _, child in node.branches]
            if node.ask is None:
                under = lcm(*{child.under for child in children})
                luck = zip(node.branches, children, strict=True)
                over = sum(weight * child.over * (under // child.under) for (_, weight, _), child in luck)
                worth = _Worth(over, under * node.total)
            else:
                best = self._pick(node.ask, children)
                worth = _Worth(children[best].over, children[best].under, best)
        worths[id(node)] = worth
        return worth

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


def _leaves(root: _Node) -> list[Any]:
    """Return every result of a tree, in order."""
    leaves: list[Any] = []
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.branches:
            waiting.extend([child for _, _, child in reversed(node.branches)])
        elif node.ends:
            leaves.extend([result for result, _ in node.ends])
        else:
            leaves.append(node.result)
    return leaves


def _ways(root: _Node) -> _Ways | None:
    """Return the ways to make the choices of a tree, in the order of its results.

    None if there is luck, or a second side.
    """
    ways: list[tuple[Any, ...]] = []
    sides: set[str] = set()
    waiting: list[tuple[_Node, tuple[Any, ...]]] = [(root, ())]
    while waiting:
        node, chosen = waiting.pop()
        if node.ask is None:
            if node.branches or node.ends:
                return None
            ways.append(chosen)
        else:
            sides.add(node.ask.by)
            waiting.extend((child, (*chosen, option)) for option, _, child in reversed(node.branches))
    return _Ways(sides.pop(), tuple(ways)) if len(sides) == 1 else None


def _on_one_scale(worths: dict[Any, _Worth]) -> _StateValues:
    """Return what states are worth as whole numbers on one scale, so that they can be compared and added up."""
    under = lcm(*{worth.under for worth in worths.values()})
    overs = {state: worth.over * (under // worth.under) for state, worth in worths.items()}
    shared = gcd(under, *overs.values())
    return _StateValues(
        overs if shared == 1 else {state: over // shared for state, over in overs.items()}, under // shared
    )


class _Question(NamedTuple):
    """A question that a run came to, past the answers that it was given."""

    values: Sequence[Any]
    weights: Sequence[int]
    total: int
    ask: Ask | None = None


class _Frame(NamedTuple):
    """A question whose answers are followed one after the other: those left, and the one that is being followed."""

    node: _Node
    left: Iterator[tuple[Any, int]]
    answer: tuple[Any, int]
    branches: list[tuple[Any, int, _Node]]  # those followed so far


class _Ends(Exception):
    """The stage ends in luck: its results with their weights."""

    def __init__(self, luck: tuple[tuple[Any, int], ...], total: int) -> None:
        super().__init__()
        self.luck, self.total = luck, total


class _Call(NamedTuple):
    """A sub-rule with choices, and how the stage ends if it ends in it."""

    rule: Rule
    args: tuple[Any, ...]
    then: Then | None = None
    rest: Any = None


class _Called(Exception):
    """The rule has called a sub-rule with choices: its tree is grown once for all callers."""

    def __init__(self, call: _Call) -> None:
        super().__init__()
        self.call = call


class Probe:
    """Answers from a list; past its end each question takes its first answer, and is noted as open."""

    def __init__(self, exact: Exact, answers: list[Any], asked: AskedQuestions, clauses: tuple[str, ...] = ()) -> None:
        self.exact, self.answers = exact, answers
        self.asked, self.clauses = asked, clauses
        self.opened: list[_Question] = []
        self.again()

    def again(self) -> None:
        """Begin anew, with the answers so far."""
        self.at = 0
        self.idle = 0  # questions with one answer so far
        self.inside = 0  # rules walked in place, around the one that asks

    def _pass(self, label: str) -> None:
        self.idle += 1
        if self.idle > MAX_FORCED_ANSWERS:
            raise BudgetSpent(endless(label))

    def _answer(self) -> tuple[bool, Any]:
        self.at += 1
        return (True, self.answers[self.at - 1]) if self.at <= len(self.answers) else (False, None)

    def _open(self, values: Sequence[Any], weights: Sequence[int], total: int, ask: Ask | None = None) -> Any:
        if len(self.answers) >= self.exact.budget.depth:
            raise BudgetSpent(TOO_MANY)
        self.opened.append(_Question(values, weights, total, ask))
        self.answers.append(values[0])
        return values[0]

    def _luck(self, die: Die) -> Any:
        known, answer = self._answer()
        return answer if known else self._open(die.faces, die.weights, die.total)

    def _note(self, kind: str, label: str, die: Die | None, read: Read, by: str = "") -> None:
        """Remember a question."""
        self.asked.note((kind, label, die, read, self.clauses, by), (len(self.answers),))

    def roll(self, die: Die, read: Read = face, *, label: str, by: str = "") -> Any:
        """Roll one die."""
        check_label(label)
        if self.at >= len(self.answers):
            self._note("roll", label, die, read, by)
        return self._luck(seen(die, read))

    def pool(
        self, count: int, die: Die, read: Read = face, *, label: str, whole: Whole | None = None, by: str = ""
    ) -> Any:
        """Roll many dice."""
        check_count(count, label)
        if not count:
            self._pass(label)
        elif self.at >= len(self.answers):
            self._note("pool", label, die, read, by)
        wide, most = pool_size(count, die, read, whole), self.exact.budget.states
        if wide > most:
            raise BudgetSpent(f"{too_wide(count, wide, most, label)}; ask about a smaller one")
        if not count:
            return Tally() if whole is None else whole.end(whole.start)
        shown = pool_as_die(count, die, read, whole, self.exact.spent)
        if shown is None:
            raise BudgetSpent(TOO_MANY)
        return self._luck(shown)

    def direction(self, cuts: Sequence[float], *, label: str) -> int:
        """Return a bearing."""
        fixed = check_cuts(cuts, label)
        if len(fixed) < 2:
            self._pass(label)
            return 0
        known, answer = self._answer()
        if known:
            return int(answer)
        self._note("direction", label, None, face)
        weights, total = arcs(fixed)
        return int(self._open(range(len(fixed)), weights, total))

    def choose(self, options: Sequence[Any], *, by: str, label: str, unit: str = "") -> Any:
        """Return a decision."""
        if self.at < len(self.answers) and type(options) is tuple:  # checked when the question was first asked
            if len(options) > 1:
                self.at += 1
                return self.answers[self.at - 1]
            self._pass(label)
            return options[0]
        fixed = check_options(options, label)
        if len(fixed) == 1:
            self._pass(label)
            return fixed[0]
        known, answer = self._answer()
        if known:
            return answer
        self._note("choose", label, None, face, by)
        ask = Ask.labelled("choose", label, options=fixed, by=by)
        return self._open(ask.options, [1] * len(fixed), len(fixed), ask)

    def tell(self, sentence: Any, /, *args: Any, clause: Any = (), **named: Any) -> None:
        """Ignore it: advice is not told."""

    def call(
        self,
        rule: Rule,
        *args: Any,
        onto: Any = NOTHING,
        then: Then | None = None,
        rest: Any = None,
        tell: Any = None,
        about: str = "",
    ) -> Any:
        """Return a sub-rule: one die if it holds no choice, else walked in place."""
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
        tell: Any = None,
    ) -> Any:
        """Return a fold: one die if it holds no choice, else walked in place."""
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
        self,
        lines: Lines,
        starts: tuple[Any, Any],
        turns: Iterable[Turn],
        *,
        then: Then,
        rest: Any = None,
        tell: Any = None,
    ) -> Any:
        """Run two lines, turn by turn."""
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
        self.asked.merge(kernel.asked, (len(self.answers),), self.clauses)
        if then is not None and ended:
            close = self.exact.closing(then, rest)
            raise _Ends(tuple([(close(result), weight) for result, weight in results.items()]), total)
        answer = self._open(list(results), list(results.values()), total)
        return answer if then is None else then(rest, answer)
