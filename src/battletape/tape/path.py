"""The readers that follow one path: each question gets one answer, which is kept."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

from msgspec.structs import replace

from battletape.dice import Die, Whole, check_reading, face
from battletape.errors import BattletapeError
from battletape.tape import Read, Rule, question
from battletape.tape.ends import NOTHING, Lines, Then, Turn
from battletape.tape.limits import MAX_FORCED_ANSWERS
from battletape.tape.question import Ask, Entry, NeedAnswer, Tally
from battletape.tape.races import one_by_one
from battletape.tape.story import Sentence, StoryEntry


class Path:
    """A tape that keeps what was asked and answered; subclasses say where an answer comes from."""

    def __init__(self) -> None:
        self.trail: list[tuple[Ask, Any]] = []
        self.story: list[StoryEntry] = []  # what rules said in between; never part of a recording
        self._about: list[str] = [""]
        self._rules: list[tuple[str, ...]] = [()]
        self.idle = 0  # questions with one answer since the last one with more
        self.then: Path | None = None  # the tape that goes on where this one has no more answers
        self.stage = 0  # the number of the stage that asks
        self.stages: tuple[Rule, ...] = ()  # all that are played
        self.state: Any = None  # in which the stage began, after so many answers:
        self.answers_before = 0
        self.by_default = False  # whether the last choice fell to its usual option, because no player was asked
        self.subject = ""  # what the item of a fold is about, if it says so: its `subject`

    def answer(self, ask: Ask) -> Any:
        """Return the answer to a question: a face, faces or counts, a bearing, an option."""
        raise NotImplementedError

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The recording so far."""
        return tuple(ask.entry(answer) for ask, answer in self.trail)

    def begin(self, at: int, state: Any) -> None:
        """Begin a stage: its number and its state."""
        self.stage, self.state, self.answers_before = at, state, len(self.trail)
        if self.then is not None:
            self.then.begin(at, state)

    def finish(self) -> None:
        """End the rule; a tape with answers left over raises an error."""

    def roll(self, die: Die, read: Read = face, *, label: str, by: str = "") -> Any:
        """Roll one die."""
        question.check_label(label)
        check_reading(die, read)
        return self._ask(
            Ask.labelled("roll", label, die=die, read=read, by=by, clauses=self._rules[-1], subject=self.subject)
        )

    def pool(
        self, count: int, die: Die, read: Read = face, *, label: str, whole: Whole | None = None, by: str = ""
    ) -> Any:
        """Roll many dice at once."""
        question.check_count(count, label)
        check_reading(die, read)
        if not count:
            self._pass(label)
            return Tally() if whole is None else whole.end(whole.start)
        clauses = self._rules[-1]
        return self._ask(
            Ask.labelled(
                "pool",
                label,
                die=die,
                count=count,
                read=read,
                by=by,
                clauses=clauses,
                whole=whole,
                subject=self.subject,
            ),
        )

    def direction(self, cuts: Sequence[float], *, label: str) -> int:
        """Return a bearing."""
        fixed = question.check_cuts(cuts, label)
        if len(fixed) < 2:
            self._pass(label)
            return 0
        arc: int = self._ask(
            Ask.labelled("direction", label, cuts=fixed, clauses=self._rules[-1], subject=self.subject)
        )
        return arc

    def choose(self, options: Sequence[Any], *, by: str, label: str, unit: str = "") -> Any:
        """Return a decision."""
        fixed = question.check_options(options, label)
        if len(fixed) == 1:
            self._pass(label)
            return fixed[0]
        ask = Ask.labelled(
            "choose", label, options=fixed, by=by, clauses=self._rules[-1], subject=self.subject, unit=unit
        )
        return self._ask(ask)

    def tell(self, sentence: Sentence, /, *args: Any, clause: str | tuple[str, ...] = (), **named: Any) -> None:
        """Note something that has happened."""
        clauses = ((clause,) if isinstance(clause, str) else clause) or self._rules[-1]
        self.story.append(StoryEntry(self.stage, len(self.trail), sentence, args, named, clauses, self._about[-1]))

    def call(
        self,
        rule: Rule,
        *args: Any,
        onto: Any = NOTHING,
        then: Then | None = None,
        rest: Any = None,
        tell: Sentence | None = None,
        about: str = "",
    ) -> Any:
        """Return a sub-rule."""
        self.enter(rule)
        if about:
            self._about.append(about)
        try:
            result = rule(self, *args)
        except RecursionError:
            raise _too_deep(rule) from None
        finally:
            self.leave()
            if about:
                self._about.pop()
        if onto is not NOTHING:
            return self.each(result.step, onto, result.items, then=result.then, rest=result.rest, tell=result.tell)
        if tell is not None:
            self.tell(tell, rest, result)
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
        tell: Sentence | None = None,
    ) -> Any:
        """Return a step for each item."""
        if drawn is not None:
            items = [self.call(drawn, item) for item in items]
        before = self.subject
        self.enter(step)
        try:
            for item in items:
                self.subject = getattr(item, "subject", before)
                state = step(self, state, item)
        except RecursionError:
            raise _too_deep(step) from None
        finally:
            self.subject = before
            self.leave()
        if tell is not None:
            self.tell(tell, rest, state)
        return state if then is None else then(rest, state)

    def race(
        self,
        lines: Lines,
        starts: tuple[Any, Any],
        turns: Iterable[Turn],
        *,
        then: Then,
        rest: Any = None,
        tell: Sentence | None = None,
    ) -> Any:
        """Run two lines, turn by turn."""
        result = one_by_one(self, lines, starts, turns)
        if tell is not None:
            self.tell(tell, rest, result)
        return then(rest, result)

    def enter(self, rule: Rule) -> None:
        """Cite this rule's first clause from here on."""
        self._rules.append(getattr(rule, "__clauses__", ())[:1] or self._rules[-1])

    def leave(self) -> None:
        """Go back to the rule before."""
        self._rules.pop()

    def follow(self, ask: Ask, then: Path | None) -> Any:
        """Return the answer of the next tape; if there is none, NeedAnswer with everything answered so far."""
        if then is not None:
            then.by_default = False
            try:
                answer = then.answer(ask)
                self.by_default = then.by_default
                return answer
            except NeedAnswer:
                pass
        raise NeedAnswer(ask, self.entries)

    def _pass(self, label: str) -> None:
        """Count a question that has only one answer."""
        self.idle += 1
        if self.idle > MAX_FORCED_ANSWERS:
            raise BattletapeError(question.endless(label))

    def _ask(self, ask: Ask) -> Any:
        self.idle, self.by_default = 0, False
        answer = self.answer(ask)
        self.trail.append((replace(ask, by_default=True) if self.by_default else ask, answer))
        return ask.meaning(answer)


def _too_deep(rule: Rule) -> BattletapeError:
    name = getattr(rule, "__name__", repr(rule))
    return BattletapeError(f"{name} calls itself, or rules that call it, without end; a rule must come to an end")
