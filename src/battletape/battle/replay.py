"""One action played on a tape: live, or again from its recording."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from typing import Any

from msgspec.structs import replace

from battletape.battle.journal import BattleFault, Move, SourceLines
from battletape.battle.planning import planned
from battletape.errors import BattletapeError, Refused, pardoning
from battletape.log import play
from battletape.procedure import chosen, explain_mistakes
from battletape.system import Action, BattleRules, Plan
from battletape.tape.path import Path
from battletape.tape.question import Ask, Entry, NeedAnswer, TapeMismatch
from battletape.tape.recorded import Recorded
from battletape.tape.story import Line, StoryEntry

Outcome = tuple[Any, Callable[[], tuple[Line, ...]]]
"""The state after an action, and its lines of the log, which are written when they are read."""


MOST_GUESSES = 64
"""How often a move of another version is tried, where players are asked today, but were not then."""


class Earlier(Recorded):
    """The recording of another version: dice that were thrown together then may be asked for one by one today.

    What was chosen then counts wherever it is still to be chosen, in whatever order it is offered.
    Where a player was not asked then, the option is taken after which the rest of the recording fits.
    """

    waiting: Entry | None = None  # dice that were not asked for yet

    def __init__(self, entries: Sequence[Entry], guesses: Sequence[int] = ()) -> None:
        super().__init__(entries)
        self.guesses = guesses  # which option is taken at each choice that no player was asked for then
        self.guessed: list[tuple[int, int]] = []  # the options taken, and how many there were

    def answer(self, ask: Ask) -> Any:
        """Return the recorded answer; of dice thrown together, as many as are asked for; the others wait."""
        entry = self.recording[self.used] if self.used < len(self.recording) else None
        chosen = entry is not None and (entry.kind, ask.kind, entry.label) == ("choose", "choose", ask.label)
        if entry is not None and chosen and entry.value in map(str, ask.options):
            as_today = replace(entry, domain=ask.domain)
            self.recording = (*self.recording[: self.used], as_today, *self.recording[self.used + 1 :])
        elif ask.kind == "choose" and (entry is None or entry.label != ask.label):
            index = len(self.guessed)
            taken = self.guesses[index] if index < len(self.guesses) else 0
            self.guessed.append((taken, len(ask.options)))
            return ask.options[taken]
        if entry is not None and (entry.kind, ask.kind, entry.label) == ("pool", "pool", ask.label):
            faces = entry.value.split()
            if len(faces) > ask.count and entry.domain == replace(ask, count=len(faces)).domain:
                parts = (faces[: ask.count], faces[ask.count :])
                split = [
                    replace(entry, domain=replace(ask, count=len(part)).domain, value=" ".join(part)) for part in parts
                ]
                self.recording = (*self.recording[: self.used], *split, *self.recording[self.used + 1 :])
                self.waiting = split[1]
        return super().answer(ask)

    def finish(self) -> None:
        """Refuse dice that need not be thrown today."""
        if self.waiting is not None and self.recording[self.used :] == (self.waiting,):
            return
        super().finish()

    def next_try(self) -> Earlier | None:
        """Return the recording with the next options at choices that it lacks; None if all have been tried."""
        for index in range(len(self.guessed) - 1, -1, -1):
            taken, options = self.guessed[index]
            if taken + 1 < options:
                return Earlier(self.recording, (*(before for before, _ in self.guessed[:index]), taken + 1))
        return None


def play_action(rules: BattleRules, action: Action, plan: Plan, tape: Path) -> Outcome:
    """Play what was planned on a tape of one path: its beginning, its stages, its end, and what follows from it."""
    work, opening = spoken(action, tape, plan.begin.on, tape)
    procedure = chosen(action.procedure, work, action.name)
    with explain_mistakes(procedure, work, action.name) as check:
        played = play(procedure.stages, tape, work)
        check((played.state,))
    after, closing = spoken(action, tape, _finished, rules, action, plan, tape, played.state)
    return after, lambda: (*_in_words(opening), *played.log, *_in_words(closing))


def spoken(action: Action, tape: Path, play_part: Callable[..., Any], *args: Any) -> tuple[Any, tuple[StoryEntry, ...]]:
    """Play a part of an action that leaves nothing to luck or decision, and return what it told as well."""
    answer_count, entry_count = len(tape.trail), len(tape.story)
    result = play_part(*args)
    if len(tape.trail) > answer_count:
        label = tape.trail[answer_count][0].label
        raise BattletapeError(f"{action.name} asks for {label!r} outside its stages; put that rule into its procedure")
    return result, tuple(tape.story[entry_count:])


def _finished(rules: BattleRules, action: Action, plan: Plan, tape: Path, work: Any) -> Any:
    """Return the battle after the last stage, with everything that follows from it."""
    state = rules.state_of(work) if plan.after is None else plan.after.on(tape, work)
    if state is None:
        raise BattletapeError(f"{action.name}: the rule that ends it must return the battle state; got None")
    return tape.call(rules.settle, state)


def _in_words(story: Iterable[StoryEntry]) -> Iterator[Line]:
    return (line for entry in story for line in entry.lines())


def _play_again(rules: BattleRules, action: Action, plan: Plan, recording: Recorded) -> Outcome:
    """Play an action from its recording, all of which must be used; the first reason why not counts."""
    first: BattletapeError | None = None
    tape: Recorded | None = recording
    for _ in range(MOST_GUESSES):
        if tape is None:
            break
        try:
            outcome = play_action(rules, action, plan, tape)
            tape.finish()
        except (TapeMismatch, NeedAnswer) as error:
            first, tape = first or error, tape.next_try()
        else:
            return outcome
    assert first is not None
    raise first


def replay_move(
    rules: BattleRules, move: Move, state: Any, source: str = "", pardon: Callable[[Refused], None] | None = None
) -> Outcome:
    """Play a move again from its recording; an error names file, line and move.

    `pardon` is told why a move would be refused today; the move is played all the same if it can be.
    """
    action, written = rules.action(move.action), move.written or SourceLines(0, ())
    name = f"move {move.number} ({move.action})"
    tape = Recorded(move.entries) if pardon is None else Earlier(move.entries)
    refusals: list[Refused] = []
    try:
        try:
            with nullcontext(refusals) if pardon is None else pardoning() as refusals:
                plan, _ = planned(rules, action, state, move.params)
            outcome = _play_again(rules, action, plan, tape)
        except Exception as error:  # what is refused may fail in any way
            if not refusals:
                raise
            raise refusals[0] from error
        if pardon is not None and refusals:
            pardon(refusals[0])
    except TapeMismatch as error:
        line = written.answers[min(error.number, len(written.answers)) - 1] if written.answers else written.line
        raise BattleFault(f"{name}: {error}", source=source, line=line) from error
    except NeedAnswer as error:
        question = f"“{error.ask.kind} {error.ask.label} [{error.ask.domain}] = …”"
        message = f"{name} needs one more answer, {question}; it has {len(move.entries)}"
        raise BattleFault(message, source=source, line=(written.line, *written.answers)[-1]) from error
    except Refused as error:
        raise BattleFault(f"{name} is refused: {error}", source=source, line=written.line) from error
    except BattletapeError as error:
        raise BattleFault(f"{name}: {error}", source=source, line=written.line) from error
    except Exception as error:
        if pardon is None:
            raise
        raise BattleFault(f"{name} does not fit the moves before it", source=source, line=written.line) from error
    return outcome
