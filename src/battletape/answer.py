"""Answers: a question worked out (odds) or rolled, with the steps, the rulings and how it was computed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from time import perf_counter
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from battletape.dice import portable
from battletape.errors import BadInput, BattletapeError, BudgetSpent, Caution
from battletape.inputs import Inputs, fields
from battletape.log import Played, play
from battletape.memory import Kept, lasting, stay_small
from battletape.odds import How, Odds, as_json, measured, percent
from battletape.procedure import Procedure, Stage, chosen, explain_mistakes, stage_title
from battletape.steps import Step, explain, stopping_steps
from battletape.system import Goal, Measure, Question, Ruleset, Table
from battletape.tape import Forget, limits
from battletape.tape.exact import Exact, Memo, Policy
from battletape.tape.kernel import AskedRoll, StageCount
from battletape.tape.limits import Budget, Spent
from battletape.tape.path import Path
from battletape.tape.question import Ask, Tally, frozen_states
from battletape.tape.story import Line, StoryEntry
from battletape.understood import names_read
from battletape.words import with_article

if TYPE_CHECKING:
    from battletape.table.picture import Picture
    from battletape.tape.best import Advice, Orders, Outcomes, Play
    from battletape.tape.plans import Choice, Plan, Weighing
else:  # help() reads annotations too; the reader of decisions is imported when a question has some
    Picture = Advice = Choice = Orders = Outcomes = Plan = Play = Weighing = Any


T = TypeVar("T")
Stages = tuple[Stage, ...]
_Listing = tuple[Stages, Any, tuple[str, ...] | None]
"""What choices can lead to: of which stages, from which state, and the sides that choose; None: all."""
NOTHING = "Nothing of it could be explored within the budget; ask about less, or allow more."
OPTIONS_CUT = "Some options are too large to follow to the end; the choice rests on what was seen of them."
CUT_BUT_SURE = "Some options are too large to follow to the end, but none of them can be better."
TOO_MANY = "There are too many choices to list what they can make of it."
USUAL = "Choices as usual"
MOST_USUAL = 3
"""How many choices made by default are told in their one line."""
MOST_OTHERS = 3
"""How many other options it names for each."""
MAX_SAMPLED_PATHS = 4
"""How many courses of dice are followed to meet them all."""
STOPPED = "It was stopped after {}; what was not explored by then is not in these numbers."


class Answer(Struct, frozen=True):
    """The odds of a question, and everything a reader needs to know about them."""

    ruleset: Ruleset
    question: Question
    inputs: Any
    rulings: Any
    states: Odds[Any]
    counts: tuple[StageCount, ...]
    start: Any
    seconds: float
    asked: tuple[str, ...] = ()  # measures asked for by name
    choices: tuple[Choice, ...] = ()  # made for the goal of the question before any luck
    orders: Orders = ()  # what to choose later on, for each stage that is left to luck
    limit: float | None = None  # the seconds that it could take; None if the clock had no say
    spent: int = 0  # the work that it was, counted in branches: the same on every machine, if the clock had no say
    understood: tuple[str, ...] = ()  # how names were read that were typed in another way

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The measures in this answer."""
        return self.question.shown_measures(self.start, self.asked)

    def includes(self, measure: str) -> bool:
        """Return whether this answer includes a measure."""
        return any(measure_shown.name == measure for measure_shown in self.measures)

    def odds(self, measure: str | None = None) -> Odds[Any]:
        """Return the odds of a measure; the first one if none is named."""
        wanted = self.question.measure(measure)
        if not self.includes(wanted.name):
            raise BadInput(
                f"{self.question.name} was not asked about {wanted.name}; ask with measures=[{wanted.name!r}]",
                field="measures",
            )
        return measured(self.states, wanted.of, wanted.words, wanted.values)

    def average(self, measure: str) -> str:
        """Return how much of something there is on average, as a sentence has it: 2.5."""
        return f"{float(self.odds(measure).mean):.1f}"

    def chance(self, measure: str) -> str:
        """Return how likely it is that something happens, or that there is any of it, as a sentence has it: 52 %."""
        return percent(self.odds(measure).at_least(1))

    def risk(self, words: str, measure: str) -> str:
        """Return what may happen besides, at the end of a sentence: “, jams 4.0 %”; nothing if it cannot."""
        return f", {words} {self.chance(measure)}" if self.odds(measure).at_least(1) else ""

    @property
    def is_chosen(self) -> bool:
        """Whether choices alone decide the answer, and luck has no part in it."""
        any_choice = any(asked.kind == "choose" for count in self.counts for asked in count.asked)
        return len(self.states) == 1 and not self.states.unexplored and (any_choice or bool(self.choices))

    def outcomes(self, *by: str) -> Outcomes:
        """Return the last states that choices of these sides, or of all, can lead to.

        Too many are refused as BudgetSpent.
        """
        listed = self._listed(by)
        if isinstance(listed, str):
            raise BudgetSpent(listed)
        return listed

    @property
    def left(self) -> Budget:
        """What else may be worked out to tell it: in what is left of its seconds, or in a few more."""
        return Budget(seconds=None if self.limit is None else max(self.limit - self.seconds, limits.OUTCOME_SECONDS))

    def in_time(self, work: Iterable[T]) -> Iterator[T]:
        """Yield these things one by one, until what is left of its seconds is over; the first one in any case."""
        spent = Spent(self.left)
        for item in work:
            yield item
            if spent.is_over(limits.CLOCK_CHECK_STEPS):
                return

    def _listed(self, by: tuple[str, ...] = ()) -> Outcomes | str:
        return _outcomes((*self._listing[:2], by or None), self.left.seconds)

    @property
    def _listing(self) -> _Listing:
        return self.question.procedure(self.start).stages, self.start, None

    @property
    def headline(self) -> str:
        """The answer in one sentence, and a second one if a budget left out something that matters."""
        if not self.states.weights:
            return NOTHING
        sentence = self.question.headline(self)
        if not isinstance(sentence, str):
            returned = with_article(type(sentence).__name__) if sentence is not None else "nothing"
            raise BattletapeError(f"{self.question.name}: its headline must return a sentence; got {returned}")
        return f"{sentence} {self.caveat}".rstrip()

    @property
    def caveat(self) -> str:
        """How much the answer leaves out, and whether other options may be better; empty if nothing matters."""
        return f"{caveat(self.states.unexplored)} {caveat_of_choices(self.choices)}".strip()

    @property
    def is_cut(self) -> bool:
        """Whether a budget left out anything: of the answer itself, of an option, or of what choices can lead to."""
        cut = bool(self.states.unexplored_weight) or _any_cut(self.choices)
        return cut or (self.is_chosen and self._listing in _cut_outcomes)

    @property
    def steps(self) -> tuple[Step, ...]:
        """What is needed at each stage, with its chance and clause, and what stops damage."""
        steps = explain(self.counts, self.start, _plan(self.choices))
        stops = self.question.stops(self.start) if self.question.stops else ()
        titles = {step.title for step in steps}
        stopped = (line for line in stops if line.text not in titles)
        return (*steps, *stopping_steps(stopped))

    @property
    def how(self) -> How:
        """How it was computed."""
        return self.states.how

    @property
    def table(self) -> Table | None:
        """The printed table behind the answer, if the question has one."""
        if (self.choices or any(self.orders)) and self.question.goal and self.question.goal.table:
            return self.question.goal.table(self)
        return self.question.table(self.inputs, self.rulings) if self.question.table else None

    @property
    def picture(self) -> Picture | None:
        """What lies on the table, if the question knows."""
        return self.question.picture(self.inputs, self) if self.question.picture else None

    @property
    def warnings(self) -> tuple[str, ...]:
        """What looks unusual about the inputs, and what else a budget left out; each cites its clause at its end."""
        return tuple(map(str, self.cautions))

    @property
    def cautions(self) -> tuple[Caution, ...]:
        """The warnings, each with its clause beside its text."""
        warnings = self.question.warn(self.inputs, self.rulings) if self.question.warn else ()
        cautions = [caution if isinstance(caution, Caution) else Caution(caution) for caution in warnings]
        if _any_cut(self.choices):
            cautions.append(Caution(OPTIONS_CUT if any(choice.rivals for choice in self.choices) else CUT_BUT_SURE))
        if (
            self.limit is not None
            and self.how.left_out == limits.SECONDS_SPENT
            and self.states.unexplored >= limits.NEGLIGIBLE
        ):
            cautions.append(Caution(STOPPED.format(f"{self.limit:g} seconds")))
        if self.is_chosen and isinstance(self._listed(), str):
            cautions.append(Caution(TOO_MANY))
        return tuple(cautions)

    @property
    def usual(self) -> str:
        """What was chosen as players usually do, and what else there was, in one line; empty without such a choice."""
        met = [asked.label for count in self.counts for asked in count.asked if asked.kind == "choose"]
        if self.question.goal is not None or not met:
            return ""
        return as_usual(_choices_met(self.question.procedure(self.start).stages, self.start, met))

    @property
    def rulings_used(self) -> dict[str, tuple[str, bool, str]]:
        """Each ruling: its value as text, whether it is the default, and its clause."""
        return rulings_used(self.rulings)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data: what was asked, the sentence, the odds of every measure, the steps and the rulings."""
        return {
            "ruleset": self.ruleset.name,
            "question": self.question.name,
            "title": self.question.title,
            "headline": self.headline,
            "inputs": to_builtins(self.inputs, enc_hook=str),
            "understood": list(self.understood),
            "warnings": list(self.warnings),
            "usual": self.usual,
            "measures": {
                measure.name: {"title": measure.title, "unit": measure.unit, **self.odds(measure.name).to_dict()}
                for measure in self.measures
            },
            "steps": [
                {
                    "title": step.title,
                    "needed": step.needed,
                    "chance": None if step.chance is None else str(step.chance),
                    "clauses": list(step.clauses),
                }
                for step in self.steps
            ],
            "rulings": {name: value for name, (value, _, _) in self.rulings_used.items()},
            "how": str(self.how),
            "cut": self.is_cut,
        }

    def to_json(self, indent: int | None = None) -> str:
        """Return `to_dict` as JSON text."""
        return as_json(self.to_dict(), indent)

    def _repr_html_(self) -> str:
        """Return the sentence, the first measure with bars, the means of the others and the steps, for notebooks."""
        from html import escape

        html = f"<p><strong>{escape(self.headline)}</strong></p>"
        html += "".join(f"<p>{escape(sentence)}</p>" for sentence in (*self.understood, *self.warnings))
        if not self.states.weights:
            return html
        first, *others = self.measures
        bars = self.odds(first.name).bars(first.words or str, first.adds_up, first.never)
        rest = "".join(
            f"<tr><td>{escape(measure.title)}</td><td style='text-align:right'>{escape(self._brief(measure))}</td></tr>"
            for measure in others
        )
        steps = "".join(
            f"<tr><td>{escape(step.title)}</td><td style='text-align:right'>{escape(step.needed)}</td>"
            f"<td style='text-align:right'>{'' if step.chance is None else percent(step.chance)}</td>"
            f"<td style='white-space:nowrap'>{escape(', '.join(step.clauses))}</td></tr>"
            for step in self.steps
        )
        tables = f"<p>{escape(first.title)}</p>{bars}" + (f"<p></p><table>{rest}</table>" if rest else "")
        if steps:
            heads = "<tr><th>step by step</th><th>needs</th><th>chance</th><th>rule</th></tr>"
            tables += f"<p></p><table>{heads}{steps}</table>"
        usual = f"<p><small>{escape(self.usual)}</small></p>" if self.usual else ""
        return f"{html}{tables}{usual}<small>{escape(str(self.how))}</small>"

    def _brief(self, measure: Measure) -> str:
        """Return a measure in a word or a number: a chance where it happens or not, the mean where it counts."""
        odds = self.odds(measure.name)
        values = odds.values()
        if set(values) <= {0, 1} and (not measure.unit or all(isinstance(value, bool) for value in values)):
            return percent(odds[1])
        if measure.words is None and all(isinstance(value, (int, float, Fraction)) for value in values):
            return f"{float(odds.mean):.3g}" + (" on average" if len(values) > 1 else "")
        return f"{(measure.words or str)(odds.mode)} ({percent(odds[odds.mode])})"

    def __reduce__(self) -> tuple[Any, ...]:
        counts = tuple(
            (
                count.branches,
                count.states,
                tuple((*ask[:3], portable(ask.die, ask.read), ask.clauses, ask.by) for ask in count.asked),
            )
            for count in self.counts
        )
        only = tuple(count.only for count in self.counts)
        question = (self.question.again or self.question.name, self.inputs, self.rulings)
        worked_out = (self.states, counts, only, self.start, self.seconds, self.asked, self.choices, self.orders)
        return (_answer_again, (self.ruleset, *question, *worked_out, self.limit, self.spent, self.understood))

    def __str__(self) -> str:
        return "\n".join((*self.understood, self.headline))

    def __repr__(self) -> str:
        return f"<Answer {self.ruleset.name} {self.question.name}: {self.headline}>"


def _choices_met(stages: Stages, start: Any, labels: Sequence[str]) -> list[Ask]:
    """Return the choices of these labels, as they come up first on a few courses of the dice."""
    from battletape.tape.rolled import Rolled

    asks: dict[str, Ask] = {}
    for seed in range(MAX_SAMPLED_PATHS):
        tape = Rolled(seed)
        play(stages, tape, start)
        for ask, _ in tape.trail:
            if ask.kind == "choose":
                asks.setdefault(ask.label, ask)
        if asks.keys() >= set(labels):
            break
    return list(asks.values())


def as_usual(choices: Iterable[Ask]) -> str:
    """Return choices by their first option, and what else there was, in one line.

    Alike ones about several things once.
    """
    ways: dict[str, dict[str, str]] = {}  # by what is chosen: the options of each such choice
    for choice in choices:
        ways.setdefault(choice.what, {})[choice.label] = _or_else(choice)
    lines = []
    for choice_label, alike in ways.items():
        same = {choice_label: next(iter(alike.values()))} if len(set(alike.values())) == 1 else alike
        lines += [f"{label}: {options}" for label, options in same.items()]
    more = f"; and {len(lines) - MOST_USUAL} more" if len(lines) > MOST_USUAL + 1 else ""
    shown = lines[:MOST_USUAL] if more else lines
    return f"{USUAL}: {'; '.join(shown)}{more}." if lines else ""


def _or_else(choice: Ask) -> str:
    """Return the first option, and the others in brackets: 3 points (or 0 to 2)."""
    (first, *others), words = choice.options, choice.option_words
    if all(type(option) is int for option in choice.options) and (choice.unit or len(others) > 2):
        fewest, most = min(others), max(others)
        return f"{words(first)} (or {fewest}{f' to {most}' if most > fewest else ''})"
    named = [words(option) for option in others[:MOST_OTHERS]] + ["…"] * (len(others) > MOST_OTHERS)
    return f"{words(first)} (or {', '.join(named)})"


def caveat(unexplored: Fraction | float) -> str:
    """Return how much a budget left out, in a sentence.

    >>> caveat(Fraction(93, 100))
    'Only 7.0 % of what can happen was explored; the rest is not in these numbers.'
    >>> caveat(Fraction(1, 8))
    '12 % of what can happen was not explored and is not in these numbers.'
    """
    if unexplored < limits.NEGLIGIBLE:
        return ""
    if unexplored <= Fraction(1, 2):
        return f"{percent(unexplored)} of what can happen was not explored and is not in these numbers."
    explored = f"Only {percent(1 - unexplored)}".replace("Only <", "Less than ")
    return f"{explored} of what can happen was explored; the rest is not in these numbers."


def caveat_of_choices(choices: Sequence[Choice]) -> str:
    """Return how many options may be better than the ones that were taken, in a sentence; empty if none can."""
    rivals = sum(len(choice.rivals) for choice in choices)
    options = sum(len(choice.options) for choice in choices)
    were = "was" if rivals == 1 else "were"
    return f"{rivals} of {options} options {were} not worked out to the end and may be better." if rivals else ""


def _any_cut(choices: Sequence[Choice]) -> bool:
    return any(option.unexplored for choice in choices for option in choice.options)


class Roll(Struct, frozen=True):
    """One result: the last state, the log and the recording."""

    ruleset: Ruleset
    question: Question
    inputs: Any
    rulings: Any
    played: Played
    understood: tuple[str, ...] = ()  # how names were read that were typed in another way

    @property
    def state(self) -> Any:
        """The state after the last stage."""
        return self.played.state

    @property
    def bearing(self) -> float | None:
        """The last random direction, in degrees; None if there was none."""
        return next((float(answer) for ask, answer in reversed(self.played.trail) if ask.kind == "direction"), None)

    @property
    def picture(self) -> Picture | None:
        """What lies on the table after it, if the question knows."""
        return self.question.landed(self) if self.question.landed is not None else None

    @property
    def log(self) -> tuple[Line, ...]:
        """What happened, line by line."""
        return self.played.log

    @property
    def entries(self) -> tuple[Any, ...]:
        """The recording: every question with its answer."""
        return self.played.entries

    @property
    def headline(self) -> str:
        """What came of it, in one sentence; where no die was rolled, the sentence of the answer."""
        if self.question.result is not None:
            return self.question.result(self)
        if self.question.goal is None and all(ask.kind == "choose" for ask, _ in self.played.trail):
            return self.question.headline(self._as_sure())
        sentences = [line.text for line in self.log if not line.question]
        if sentences:
            return f"{sentences[-1].rstrip('.')}."
        first = self.question.measures[0]
        value = first.of(self.state)
        return f"{first.title}: {first.words(value) if first.words else value}."

    def _as_sure(self) -> Answer:
        """Return the answer if nothing else could have happened."""
        stages = self.played.stages
        start = stages[0][1] if stages else self.state
        every = tuple(measure.name for measure in self.question.measures)
        sure = Odds({self.state: 1})
        return Answer(self.ruleset, self.question, self.inputs, self.rulings, sure, (), start, 0.0, every)

    def came(self, *labels: str) -> Counter[Any]:
        """Return what the dice of a label came to, and how often; `came("to hit")` also counts “Lascannon: to hit”."""
        counts: Counter[Any] = Counter()
        for ask, answer in self.played.trail:
            if ask.die is not None and (ask.label in labels or ask.what in labels):
                meaning = ask.meaning(answer)
                counts.update(meaning if isinstance(meaning, Tally) else (meaning,))
        return counts

    @property
    def results(self) -> dict[str, Any]:
        """Each measure of the result."""
        return {measure.name: measure.of(self.state) for measure in self.question.measures}

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The measures worth showing: the usual ones, and those that are not zero."""
        stages, results = self.played.stages, self.results
        usual = self.question.shown_measures(stages[0][1] if stages else self.state)
        return tuple(measure for measure in self.question.measures if measure in usual or results[measure.name])

    def luck(self, odds: Odds[Any], measure: str | None = None) -> tuple[Fraction, Fraction]:
        """Return how lucky that was: the chances of as little or less, and of as much or more."""
        value = self.question.measure(measure).of(self.state)
        return odds.at_most(value), odds.at_least(value)

    def __reduce__(self) -> tuple[Any, ...]:
        played = self.played
        course = tuple(part[1:] for part in played.stages)
        story = tuple((entry.stage, entry.at, tuple(entry.lines())) for entry in played.story)
        return (
            _roll_again,
            (
                *(self.ruleset, self.question.name, self.inputs, self.rulings),
                *(played.state, course, played.trail, self.understood, story),
            ),
        )

    def __str__(self) -> str:
        return "\n".join((*self.understood, self.headline, *(line.text for line in self.log)))

    def __repr__(self) -> str:
        return f"<Roll {self.ruleset.name} {self.question.name}: {self.results}>"


class _Prepared(Struct, frozen=True):
    """A question made ready: inputs, rulings, the starting state and the stages."""

    inputs: Inputs
    rulings: Inputs
    start: Any
    procedure: Procedure
    understood: tuple[str, ...] = ()  # how names were read


PLAIN = (int, str, bool, float, type(None))


def _set_up(ruleset: Ruleset, question: Question, given: Mapping[str, Any]) -> _Prepared:
    """Return a question made ready; equal plain values are read only once, unless a player's own file may change."""
    if ruleset.profile_files or any(type(value) not in PLAIN for value in given.values()):
        return _read(ruleset, question, given)
    return _read_once(ruleset, question, tuple((name, type(value), value) for name, value in given.items()))


@lru_cache(1024)
def _read_once(ruleset: Ruleset, question: Question, given: tuple[tuple[str, type, Any], ...]) -> _Prepared:
    return _read(ruleset, question, {name: value for name, _, value in given})


def _read(ruleset: Ruleset, question: Question, given: Mapping[str, Any]) -> _Prepared:
    inputs, rulings = ruleset.split(question, given)
    return replace(_with_start(question, inputs, rulings), understood=names_read(given, inputs))


def _with_start(question: Question, inputs: Inputs, rulings: Inputs) -> _Prepared:
    """Return a question with its starting state and its stages."""
    start = question.begin(inputs, rulings)
    return _Prepared(inputs, rulings, start, chosen(question.procedure, start, question.name))


def ask(
    ruleset: Ruleset,
    question: Question,
    given: Mapping[str, Any],
    *,
    budget: Budget | None = None,
    floats: bool = False,
    progress: Callable[[int, int], None] | None = None,
    memo: Memo | None = None,
    measures: Collection[str] = (),
) -> Answer:
    """Work out a question exactly: its usual measures, and those named here.

    Without a budget it may take half a minute; an answer that had to be stopped says so.
    """
    stay_small()
    began = perf_counter()
    ready = _set_up(ruleset, question, given)
    return _asked(
        ruleset, question, ready, began, budget, floats=floats, progress=progress, memo=memo, measures=measures
    )


def ask_read(
    ruleset: Ruleset,
    question: Question,
    inputs: Inputs,
    rulings: Inputs,
    *,
    budget: Budget | None = None,
    measures: Collection[str] = (),
) -> Answer:
    """Work out a question whose inputs and rulings are read already."""
    stay_small()
    began = perf_counter()
    return _asked(ruleset, question, _with_start(question, inputs, rulings), began, budget, measures=measures)


def _asked(
    ruleset: Ruleset,
    question: Question,
    ready: _Prepared,
    began: float,
    budget: Budget | None,
    *,
    floats: bool = False,
    progress: Callable[[int, int], None] | None = None,
    memo: Memo | None = None,
    measures: Collection[str] = (),
) -> Answer:
    """Return the answer to a question that is made ready, which began at this time."""
    limit = budget.seconds if isinstance(budget, Budget) else limits.DEFAULT_SECONDS
    if isinstance(budget, Budget):
        budget = budget.after(perf_counter() - began)
    memo = ruleset.memo if memo is None else memo
    measure_names = frozenset(measure.name for measure in question.shown_measures(ready.start, measures))
    if budget is None:
        most = question.branches(measure_names) if question.branches is not None else None
        budget = (
            Budget(branches=most, seconds=limits.DEFAULT_SECONDS) if most else Budget(seconds=limits.DEFAULT_SECONDS)
        )
    stages = ready.procedure.stages
    choices: tuple[Choice, ...] = ()
    orders: Orders = ()
    with explain_mistakes(ready.procedure, ready.start, question.name) as check:
        if question.goal is None:
            reader = Exact(memo, budget, floats=floats, progress=progress, forget=question.lens(measure_names))
            with frozen_states():
                kernel, counts = reader.stages(stages, ready.start)
            odds, spent = reader.odds(kernel, counts), reader.spent.steps
        else:
            from battletape.tape.plans import follow

            goal = question.goal
            choices, weighing = _choices_for_goal(ready, question, goal, budget, floats, memo)
            left = budget.after(perf_counter() - began)
            if goal.later:
                measure_names |= {goal.measures[0]}
            reading = _reader(memo, floats, question.lens(measure_names), progress)
            wanted = question.measure(goal.measures[0]).of if goal.later else None
            odds, counts, orders, spent = follow(stages, ready.start, _plan(choices), left, reading, wanted, goal.sides)
            spent += weighing
        check(odds.weights)
    took, names = perf_counter() - began, tuple(measures)
    worked_out = (odds, counts, ready.start, took, names, choices, orders, limit, spent, ready.understood)
    return Answer(ruleset, question, ready.inputs, ready.rulings, *worked_out)


def _choices_for_goal(
    ready: _Prepared, question: Question, goal: Goal, budget: Budget, floats: bool, memo: Memo
) -> Weighing:
    """Return the choices made for the goal before any dice are rolled; they may take their share of the time."""
    from battletape.tape.plans import Span, weigh

    share = budget if budget.seconds is None else replace(budget, seconds=budget.seconds * limits.WEIGHING_SHARE)
    wanted = question.measure(goal.measures[0]).of
    reader = _reader(memo, floats, question.lens(frozenset(goal.measures)))
    span = Span(*goal.span(ready.start)) if goal.span else Span()
    return weigh(ready.procedure.stages, ready.start, wanted, goal.sides, share, reader, span, goal.later)


def _plan(choices: Sequence[Choice]) -> Plan:
    return tuple((choice.label, choice.taken.option) for choice in choices)


def _reader(
    memo: Memo, floats: bool, forget: Forget, progress: Callable[[int, int], None] | None = None
) -> Callable[[Policy, Budget], Exact]:
    return lambda policy, budget: Exact(memo, budget, policy, floats=floats, progress=progress, forget=forget)


def roll(
    ruleset: Ruleset,
    question: Question,
    given: Mapping[str, Any],
    *,
    seed: int | str | None = None,
    tape: Path | None = None,
) -> Roll:
    """Play a question once on a tape of one path: rolled, typed, recorded or script.

    Where a question has a goal, rolled dice follow the choices made for it; with typed dice the player makes them.
    """
    from battletape.tape.rolled import Rolled

    stay_small()
    ready = _set_up(ruleset, question, given)
    reader = Rolled(seed) if tape is None else tape
    if not isinstance(reader, Path):
        raise BadInput(f"a roll needs a tape of one path, such as Rolled, Typed or Recorded; got {tape!r}")
    with explain_mistakes(ready.procedure, ready.start, question.name) as check:
        if isinstance(reader, Rolled) and reader.policy is None:
            reader.policy = _policy_of(question, ready, Budget(), ruleset.memo)
        played = play(ready.procedure.stages, reader, ready.start)
        check((played.state,))
    reader.finish()
    return Roll(ruleset, question, ready.inputs, ready.rulings, played, ready.understood)


def usual_policy(ruleset: Ruleset, question: Question, given: Mapping[str, Any]) -> Policy | None:
    """Return how rolled dice make the choices of a question that has a goal; None without one."""
    return _policy_of(question, _set_up(ruleset, question, given), Budget(), ruleset.memo)


def quick_policy(question: Question, inputs: Inputs, rulings: Inputs) -> Policy | None:
    """Return how rolled dice make the choices of a question with a goal, if they must not take long; None without one.

    Neither the clock nor what is known already has a say, so a seed gives the same roll everywhere and every time.
    """
    ready = _with_start(question, inputs, rulings)
    return _policy_of(question, ready, Budget(branches=limits.SEEDED_ROLL_BRANCHES), Memo())


def _policy_of(question: Question, ready: _Prepared, budget: Budget, memo: Memo) -> Policy | None:
    goal = question.goal
    if goal is None:
        return None
    from battletape.tape.plans import Planned, lead

    plan = _plan(_choices_for_goal(ready, question, goal, budget, False, memo).choices)
    if not goal.later:
        return Planned(plan)
    reader, wanted = _reader(memo, False, question.lens(frozenset(goal.measures))), question.measure(goal.measures[0])
    return lead(ready.procedure.stages, ready.start, plan, budget, reader, wanted.of, goal.sides)


def sample(
    ruleset: Ruleset,
    question: Question,
    given: Mapping[str, Any],
    times: int,
    *,
    seed: int | str | None = None,
    budget: Budget | None = None,
    progress: Callable[[int, int], None] | None = None,
    memo: Memo | None = None,
    measures: Collection[str] = (),
) -> Answer:
    """Estimate an answer from many rolls; choices for a goal are made beforehand, within the budget."""
    from battletape.tape.sampled import sampled

    stay_small()
    began = perf_counter()
    ready = _set_up(ruleset, question, given)
    choices: tuple[Choice, ...] = ()
    with explain_mistakes(ready.procedure, ready.start, question.name) as check:
        if question.goal is None:
            odds = sampled(ready.procedure.stages, ready.start, times, seed, progress=progress)
        else:
            from battletape.tape.plans import lead, rest_of

            goal, memo = question.goal, ruleset.memo if memo is None else memo
            left = (budget or Budget()).after(perf_counter() - began)
            choices = _choices_for_goal(ready, question, goal, left, False, memo).choices
            rest = rest_of(ready.procedure.stages, ready.start, _plan(choices))
            policy = rest.policy
            if goal.later:
                reader = _reader(memo, False, question.lens(frozenset(goal.measures)))
                wanted = question.measure(goal.measures[0]).of
                policy = lead(rest.stages, rest.state, _plan(choices), left, reader, wanted, goal.sides)
            odds = sampled(rest.stages, rest.state, times, seed, policy=policy, progress=progress)
        check(odds.weights)
    took, names = perf_counter() - began, tuple(measures)
    own = (ruleset, question, ready.inputs, ready.rulings)
    return Answer(*own, odds, (), ready.start, took, names, choices, understood=ready.understood)


def advise(
    ruleset: Ruleset,
    question: Question,
    given: Mapping[str, Any],
    measure: str,
    sides: Mapping[str, Play] | None = None,
    *,
    budget: Budget | None = None,
) -> Advice:
    """Return the best decisions for the mean of a measure, which each side wants low or high unless `sides` says
    otherwise.
    """
    from battletape.tape.best import Best

    stay_small()
    ready = _set_up(ruleset, question, given)
    forget, wanted = question.lens(frozenset({measure})), question.measure(measure)
    budget = Budget(branches=limits.ADVICE_BRANCHES, seconds=limits.DEFAULT_SECONDS) if budget is None else budget
    reader = Best(wanted.of, ways_to_play(wanted, sides), budget=budget, forget=forget)
    with explain_mistakes(ready.procedure, ready.start, question.name):
        return reader.run(ready.procedure.stages, ready.start)


_known_outcomes: Kept[_Listing, Outcomes | str] = lasting(Kept(limits.MAX_OUTCOME_LISTS))
_cut_outcomes: Kept[_Listing, float] = lasting(Kept(limits.MAX_OUTCOME_LISTS))
"""Listings that were stopped, and after how many seconds: it takes as long to find out that there is no time."""


def _outcomes(key: _Listing, seconds: float | None) -> Outcomes | str:
    """Return all last states; or why they are not listed, which takes as long to find out."""
    from battletape.tape.best import TOO_MANY as CHOICES
    from battletape.tape.best import Best

    known = _known_outcomes.get(key)
    if known is not None:
        return known
    if seconds is not None and seconds <= _cut_outcomes.get(key, -1.0):
        return CHOICES
    reader = Best(lambda state: 0, budget=Budget(branches=limits.OUTCOME_BRANCHES, seconds=seconds))
    try:
        known = reader.outcomes(*key)
    except BudgetSpent as spent:
        known = str(spent)
        if seconds is not None and reader.spent.is_late:
            _cut_outcomes.keep(key, seconds)
            return known
    return _known_outcomes.keep(key, known)


def ways_to_play(measure: Measure, sides: Mapping[str, Play] | None = None) -> Mapping[str, Play]:
    """Return how each side plays: as stated.

    Otherwise for the least of a measure if that is good for it, or for the most.
    """
    usual: dict[str, Play] = dict.fromkeys(measure.low_for, "min")
    return {**usual, **sides} if isinstance(sides or {}, Mapping) and sides else usual


def rulings_used(rulings: Inputs) -> dict[str, tuple[str, bool, str]]:
    """Return each ruling: its value as text, whether it is the default, and its clause."""
    return {
        field.name: (
            field.show(getattr(rulings, field.name)),
            getattr(rulings, field.name) == field.default,
            field.clause,
        )
        for field in fields(type(rulings))
    }


def _answer_again(
    card: Ruleset,
    question: Callable[[], Question] | str,
    inputs: Any,
    rulings: Any,
    states: Odds[Any],
    counts: Any,
    only: Any,
    start: Any,
    seconds: float,
    named: tuple[str, ...],
    choices: tuple[Choice, ...],
    orders: Orders = (),
    limit: float | None = None,
    spent: int = 0,
    understood: tuple[str, ...] = (),
) -> Answer:
    """Return an answer from a pickle: its code comes from the card, its data from the pickle."""
    own = card.question(question) if isinstance(question, str) else question()
    stages = own.procedure(start).stages if counts else ()
    stage_counts = (
        StageCount(stage, branches, number, tuple(AskedRoll(*raw) for raw in asked), state)
        for stage, (branches, number, asked), state in zip(stages, counts, only, strict=False)
    )
    worked_out = (states, tuple(stage_counts), start, seconds, named, choices, orders, limit, spent, understood)
    return Answer(card, own, inputs, rulings, *worked_out)


def _roll_again(
    card: Ruleset,
    question: str,
    inputs: Any,
    rulings: Any,
    state: Any,
    course: Any,
    trail: Any,
    understood: tuple[str, ...] = (),
    story: Any = (),
) -> Roll:
    own = card.question(question)
    stages = own.procedure(own.begin(inputs, rulings)).stages
    stages_played = tuple((stage, *part) for stage, part in zip(stages, course, strict=True))
    entries = tuple(StoryEntry(*entry) for entry in story)
    return Roll(card, own, inputs, rulings, Played(state, stages_played, trail, entries), understood)


__all__ = [
    "Answer",
    "Measure",
    "Roll",
    "advise",
    "ask",
    "ask_read",
    "caveat",
    "caveat_of_choices",
    "roll",
    "rulings_used",
    "sample",
    "stage_title",
    "ways_to_play",
]
