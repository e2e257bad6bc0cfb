"""Battle: header (ruleset, rulings, version) + starting sides + a journal of moves with their recorded answers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import msgspec
from msgspec.structs import asdict

from battletape._version import VERSION
from battletape.answer import Answer
from battletape.battle.journal import BattleFault, Journal, Move, Peek, UndoMark
from battletape.battle.planning import planned
from battletape.battle.preview import Progress, preview
from battletape.battle.replay import Outcome, play_action, replay_move
from battletape.errors import BadInput, BattletapeError, Refused
from battletape.inputs import Inputs, parse_inputs
from battletape.profiles import fill_sides
from battletape.registry import ruleset as find_ruleset
from battletape.system import Action, BattleRules, Plan, Ruleset, Table
from battletape.tape.limits import Budget
from battletape.tape.path import Path
from battletape.tape.question import Entry
from battletape.tape.rolled import Luck, tape_of
from battletape.tape.story import Line
from battletape.words import plural

if TYPE_CHECKING:
    from battletape.field.maps import Chosen
    from battletape.table.picture import Picture

Given = Inputs | Mapping[str, Any] | None
EDITED = "it was edited or damaged after Battletape wrote it, because its lines do not fit the checksum at its end"


class Option(NamedTuple):
    """Something a player could try now, with the reason if it is refused."""

    action: Action
    params: Any  # the inputs of the action: of its own type, `action.inputs`
    refused: Refused | None


class Ready(NamedTuple):
    """An action that may be done, its plan, the order in full, and the state it was planned for."""

    action: Action
    plan: Plan
    order: Inputs
    state: Any


class MoveRecord(NamedTuple):
    """A move with the states before and after it, and its lines of the log."""

    move: Move
    undone: bool
    before: Any
    after: Any
    lines: tuple[Line, ...]


class CheckResult(NamedTuple):
    """What was checked, and how the battle had been opened."""

    moves: int
    answers: int
    opened: str


class Battle:
    """A battle; begin one with `Battle.new`, open one with `battletape.battle.store.open_battle`."""

    def __init__(
        self, ruleset: Ruleset, rulings: Inputs, start: Inputs, *, title: str = "", version: str = VERSION
    ) -> None:
        self.ruleset, self.title, self.version = ruleset, title, version
        self.rulings: Any = rulings  # of the ruleset's own type
        self.start: Any = start
        self.rules = battle_rules(ruleset)
        self.record = Journal()
        self.source = ""  # the file it was read from, for messages
        self.opened: Literal["new", "replay", "checkpoint"] = "new"
        self.doubt: BattleFault | None = None  # that the checkpoint of its file tells of another state than its moves
        self.changed = False  # whether the file is not as it was written, though its checkpoint fits its moves
        self.edited = False  # whether the lines of its file do not fit the checksum at its end
        self.preamble: tuple[str, ...] = ()  # the lines above the journal as they stand in the file
        self._after: dict[int, Any] = {0: self.rules.begin(start, rulings)}
        self._lines: dict[int, tuple[Line, ...]] = {}
        self._untold: dict[int, Callable[[], tuple[Line, ...]]] = {}  # of moves whose log was not read yet
        self._pardoned: dict[int, Refused] = {}

    @classmethod
    def new(cls, ruleset: str | Ruleset, start: Given = None, rulings: Given = None, *, title: str = "") -> Battle:
        """Set up a battle: `Battle.new("attack_dice", {…}, {"method": "chart"})`; without a start, the sample."""
        card = ruleset if isinstance(ruleset, Ruleset) else find_ruleset(ruleset)
        rules = battle_rules(card)
        given = _named(rules.sample() if start is None else start)
        sides = parse_inputs(rules.start, fill_sides(given, rules.fill, card.book), "start")
        return cls(card, card.parse_rulings(_named(rulings), "rulings"), sides, title=check_title(title))

    # --- what is ----------------------------------------------------------------------------------------------------

    @property
    def state(self) -> Any:
        """The state now."""
        return self.reach(self.record.live[-1])

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves that count, in order."""
        return tuple(self.record[number] for number in self.record.live[1:])

    @property
    def journal(self) -> tuple[Move | UndoMark, ...]:
        """Everything that was ever done: moves, including undone ones, and each undo and redo."""
        return tuple(self.record.items)

    @property
    def notes(self) -> tuple[str, ...]:
        """What is odd: a file edited or damaged since it was written, and moves that would be refused today.

        These are moves that another version allowed, as far as they have been replayed.
        """
        edited = (EDITED,) if self.edited and self.doubt is None else ()
        return edited + tuple(
            f"move {number} ({self.record[number].action}) would be refused today: {refused}"
            for number, refused in sorted(self._pardoned.items())
            if number <= len(self.record.moves)
        )

    @property
    def agreed(self) -> Any:
        """The rulings in force: those the state holds, if it holds any, else those it began with."""
        values = asdict(self.state).values() if isinstance(self.state, msgspec.Struct) else ()
        return next((value for value in values if isinstance(value, self.ruleset.rulings)), self.rulings)

    @property
    def where(self) -> Mapping[str, str]:
        """Turn, phase and side."""
        return self.rules.where(self.state)

    @property
    def over(self) -> str | None:
        """The side that has won, or None."""
        return self.rules.over(self.state)

    @property
    def tables(self) -> tuple[Table, ...]:
        """The state as tables."""
        return tuple(self.rules.show(self.state))

    @property
    def picture(self) -> Picture | None:
        """The table as it stands, if the places of units are known."""
        return self.draw()

    def draw(self, chosen: Chosen | None = None) -> Picture | None:
        """Draw the table as it stands, with what a chosen unit reaches; nothing if no place is known."""
        from battletape.field.maps import draw_map

        state, rules = self.state, self.rules
        field = rules.field(state)
        if field is None:
            return None
        return draw_map(
            field,
            self.active_side,
            chosen,
            about=rules.about(state),
            scores=lambda position: rules.scores(state, position.name),
        )

    @property
    def active_side(self) -> str:
        """The side that acts: as the turn says, or that of the unit whose turn it is; empty if neither is known."""
        where, field = self.where, self.rules.field(self.state)
        if "side" in where or field is None:
            return where.get("side", "")
        return next((each.side for each in field.positions if each.name in where.values()), "")

    @property
    def mission(self) -> str:
        """The mission in words, with what counts for it; empty for none."""
        from battletape.field.score import mission_words

        name = self.rules.mission(self.state)
        return mission_words(name) if name else ""

    @property
    def points(self) -> Mapping[str, int]:
        """The victory points of each side now; none without a mission."""
        return self.rules.points(self.state)

    @property
    def holders(self) -> Mapping[str, str]:
        """The side that holds each objective, by its name; empty if none or several have units near it."""
        from battletape.field.score import holder

        state, field = self.state, self.rules.field(self.state)
        objectives = field.objectives if field is not None else ()
        return {
            each.name: holder(field, each, lambda position: self.rules.scores(state, position.name))
            for each in objectives
        }

    @property
    def actions(self) -> tuple[Action, ...]:
        """What the rules let players do at all."""
        return self.rules.actions

    @property
    def text(self) -> str:
        """The battle as the text of its file."""
        from battletape.battle.notation import write_battle

        return write_battle(self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Battle):
            return NotImplemented
        own = (self.ruleset.name, self.rulings, self.start, self.title, self.version, self.record)
        return own == (other.ruleset.name, other.rulings, other.start, other.title, other.version, other.record)

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        from battletape.battle.reading import read_battle

        return (read_battle, (self.text, self.source, self.ruleset))

    def __repr__(self) -> str:
        where = ", ".join(f"{name} {value}" for name, value in self.where.items())
        return f"<Battle {self.ruleset.name} {self.title!r}: {plural(len(self.moves), 'move')}, {where}>"

    # --- what may be done -------------------------------------------------------------------------------------------

    def legal(self) -> tuple[Option, ...]:
        """Return what may be done now; give one of these to `push`."""
        state = self.state
        closed = {rule: rule(state) for rule in {action.closed for action in self.actions}}  # asked once for all
        return tuple(
            Option(action, order, None)
            for action in self.actions
            if closed[action.closed] is None
            for order, refused in self.rules.tried(action, state)
            if refused is None
        )

    def options(self) -> tuple[Option, ...]:
        """Return what could be tried now, allowed or not; `refused` is the reason why not, or None.

        An action that is refused whatever is said, as in another phase, is tried once.
        """
        return tuple(option for action in self.actions for option in self.options_of(action.name))

    def options_of(self, action: str) -> Iterator[Option]:
        """Return what could be tried now of one action, allowed or not."""
        known_action, state = self.rules.action(action), self.state
        return (Option(known_action, order, refused) for order, refused in self.rules.tried(known_action, state))

    def plan(self, action: str | Option, given: Given = None, /, **params: Any) -> Ready:
        """Return an action that may be done now, as its player means it.

        Raises Refused with the reason, or BadInput.
        """
        if isinstance(action, Option):  # its inputs, and what is said beside them
            given = {**asdict(action.params), **_named(given)}
            action = action.action.name
        known_action, state = self.rules.action(action), self.state
        order = parse_inputs(known_action.inputs, {**_named(given), **params}, known_action.name)
        return Ready(known_action, *planned(self.rules, known_action, state, order), state)

    def refusal(self, action: str | Option, given: Given = None, /, **params: Any) -> Refused | None:
        """Return why this may not be done now, or None."""
        try:
            self.plan(action, given, **params)
        except Refused as refused:
            return refused.with_traceback(None)
        return None

    def odds(
        self,
        action: str | Option,
        given: Given = None,
        /,
        *,
        budget: Budget | None = None,
        floats: bool = False,
        progress: Progress | None = None,
        measures: Collection[str] = (),
        **params: Any,
    ) -> Answer:
        """Return the exact odds of an action from the live state: its usual measures, and those named here.

        The answer says what the budget (ten seconds) left out.
        """
        ready = self.plan(action, given, **params)
        return preview(
            self.ruleset, self.agreed, ready.action, ready.order, ready.state, budget, floats, progress, measures
        )

    # --- doing and undoing ------------------------------------------------------------------------------------------

    def push(
        self,
        action: str | Option,
        given: Given = None,
        /,
        *,
        tape: Luck = None,
        **params: Any,
    ) -> Move:
        """Do something: an action by name with its inputs, or an option of `legal`; a failure changes nothing.

        The dice come from a tape of one path or from a seed.
        """
        ready = self.plan(action, given, **params)
        reader = tape_of(tape)
        earlier = len(reader.trail)
        after, tell = play_action(self.rules, ready.action, ready.plan, reader)
        lines = tell()
        entries, name = reader.entries[earlier:], ready.action.name
        for entry in entries:
            if "\n" in str(entry) or Entry.parse(str(entry)) != entry:
                raise BattletapeError(f"{name}: the answer {str(entry)!r} cannot be written as one line of a file")
        move = self.record.add(name, ready.order, entries)
        self._after[move.number], self._lines[move.number] = after, lines
        return move

    def rehearse(self, action: str | Option, given: Given = None, /, *, tape: Path, **params: Any) -> None:
        """Play an action without doing it, to see which dice it asks the tape for."""
        ready = self.plan(action, given, **params)
        play_action(self.rules, ready.action, ready.plan, tape)

    def pop(self) -> Move:
        """Undo: take the last move back; it stays in the journal."""
        last = self.peek().undo
        if last is not None:
            self.reach(last.follows)  # a recording that does not fit must fail before anything changes
        return self.record.undo()

    def redo(self) -> Move:
        """Bring back the move that was undone last."""
        following = self.peek().redo
        if following is not None:
            self.reach(following.number)
        return self.record.redo()

    def peek(self) -> Peek:
        """Return the last move, which undo would take back, and the one that redo would bring back."""
        return self.record.peek()

    def fork(self, at: int | None = None, *, title: str | None = None) -> Battle:
        """Return a separate battle that begins with the moves up to number `at`, which may be undone ones.

        0 is the start.
        """
        last, most = self.record.live[-1] if at is None else at, len(self.record.moves)
        if isinstance(last, bool) or not isinstance(last, int) or not 0 <= last <= most:
            raise BadInput(f"fork needs the number of a move from 0 to {most}; got {at!r}", field="at")
        name = self.title if title is None else check_title(title)
        branch = Battle(self.ruleset, self.rulings, self.start, title=name, version=self.version)
        for move in reversed(list(self.record.way_to(last))):
            copy = branch.record.add(move.action, move.params, move.entries)
            branch._after[copy.number] = self.reach(move.number)
        return branch

    # --- replaying --------------------------------------------------------------------------------------------------

    def move_record(self, number: int) -> MoveRecord:
        """Return what a move did, undone or not: the states before and after it, and its lines of the log."""
        if not isinstance(number, int) or not 1 <= number <= len(self.record.moves):
            raise BadInput(f"the moves are numbered 1 to {len(self.record.moves)}; got {number!r}", field="move")
        move = self.record[number]
        before, after = self.reach(move.follows), self.reach(number)
        if number not in self._lines:
            tell = self._untold.pop(number, None) or self._replay(move, before)[1]
            self._lines[number] = tell()
        return MoveRecord(move, not self.record.counts(number), before, after, self._lines[number])

    def move_records(self) -> Iterator[MoveRecord | UndoMark]:
        """Return the journal as the log shows it, including undone moves."""
        return (item if isinstance(item, UndoMark) else self.move_record(item.number) for item in self.record.items)

    def check(self) -> CheckResult:
        """Replay everything from the start, including undone moves, and compare with every stored state."""
        states = {0: self.rules.begin(self.start, self.rulings)}
        for move in self.record.moves:
            state = states[move.number] = self._replay(move, states[move.follows])[0]
            if self._after.get(move.number, state) != state:
                raise BattleFault(
                    f"the replay of move {move.number} ({move.action}) ends in another state than the checkpoint says; "
                    "to go by the replay, take out the lines from “--- checkpoint” up to “--- end”",
                    source=self.source,
                )
        if self.doubt is not None:
            raise self.doubt
        return CheckResult(len(self.record.moves), sum(len(move.entries) for move in self.record.moves), self.opened)

    def reach(self, number: int) -> Any:
        """Return the state after a move, replayed from the nearest one known."""
        waiting: list[Move] = []
        while number not in self._after:
            waiting.append(self.record[number])
            number = waiting[-1].follows
        state = self._after[number]
        for move in reversed(waiting):
            state, self._untold[move.number] = self._replay(move, state)
            self._after[move.number] = state
        return state

    def knows(self, number: int) -> bool:
        """Return whether the state after a move is known without a replay."""
        return number in self._after

    def trust(self, number: int, state: Any) -> None:
        """Take the state after a move from a checkpoint instead of a replay."""
        self._after[number] = state

    def _replay(self, move: Move, state: Any) -> Outcome:
        if self.version == VERSION:
            return replay_move(self.rules, move, state, self.source)
        pardon = partial(self._pardoned.__setitem__, move.number)
        return replay_move(self.rules, move, state, self.source, pardon)


def battle_rules(card: Ruleset) -> BattleRules:
    """Return the battle rules of a ruleset."""
    if card.battle_rules is None:
        raise BadInput(f"{card.name} has no battles yet; it answers questions only", field="ruleset")
    return card.battle_rules


def check_title(title: str) -> str:
    """Return a title, which must be one line of text."""
    if not isinstance(title, str) or not title.isprintable() or len(title) > 200:
        raise BadInput.of("title", f"must be one line of up to 200 characters; got {title!r:.200}")
    return title.strip()


def _named(given: Given) -> Mapping[str, Any]:
    if given is not None and not isinstance(given, (Inputs, Mapping)):
        raise BadInput(f"names with their values are needed, such as a dict; got {given!r:.80}")
    return asdict(given) if isinstance(given, Inputs) else given or {}
