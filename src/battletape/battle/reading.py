"""Battle files read back: a newer format is refused, damage is reported by line, and the intact part is kept."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any

import msgspec

from battletape._version import VERSION
from battletape.battle import notation
from battletape.battle.battle import Battle, battle_rules, check_title
from battletape.battle.journal import BattleFault, Journal, MoveContent, SourceLines, is_comment
from battletape.errors import BadInput, BattletapeError, echo, parts_of
from battletape.inputs import Inputs, parse_inputs
from battletape.registry import ruleset as find_ruleset
from battletape.system import BattleRules, Ruleset
from battletape.tape.question import Entry
from battletape.toml import TomlFault, parse_toml

MOST_START = 1_000_000
"""How many characters the start of a battle may have."""
_FIRST = re.compile(r"battletape battle ([0-9]{1,9})\s*")
_HEADER = re.compile(r"(ruleset|version|title|ruling\s+\w+):(.*)")
_MOVE = re.compile(r"([0-9]{1,9})\.\s+(\S+)(.*)")
_MARK = re.compile(r"(undo|redo)(?:\s+([0-9]{1,9}))?")
_CHECKPOINT = re.compile(rf"{notation.CHECKPOINT} ([0-9]{{1,9}}) ([0-9a-f]+)(?: (\S+))?\s*")
_END = re.compile(rf"{notation.END}(?:\s+(.*?))?\s*", re.DOTALL)
_INNER = ("", " ", "\t", "#")
"""What a line of the journal begins with if no move does."""


def read_battle(text: str, source: str = "", card: Ruleset | None = None) -> Battle:
    """Return the battle in a text; if it is damaged, raises BattleFault with file and line."""
    battle, fault = salvage_battle(text, source, card)
    if battle is None or fault is not None:
        raise fault or BattleFault("no battle could be read", source=source)
    return battle


def salvage_battle(
    text: str, source: str = "", card: Ruleset | None = None
) -> tuple[Battle | None, BattletapeError | None]:
    """Return the battle up to its last intact move, if its head can be read, and the first fault, if there is one."""
    reader = _Reader(text, source, card)
    try:
        battle = reader.head()
    except BattleFault as fault:
        return None, fault
    late: BattleFault | None = None
    try:
        reader.journal(battle)
    except BattleFault as found:
        late = found
    first = reader.settle(battle) or late
    battle.edited = battle.edited and first is None  # the fault says it better
    return battle, first


@dataclass
class _Block:
    """A move, undo or redo with the lines that belong to it."""

    line: int
    text: list[str]
    is_move: bool

    @property
    def written(self) -> SourceLines:
        return SourceLines(self.line, tuple(self.text))


@dataclass
class _Checkpoint:
    """A checkpoint as it stands in the file, and whether it is tied to the text above it."""

    line: int
    number: int | None  # None: it cannot be read
    version: str
    states: tuple[str, ...]  # the state now, and those before it
    fits: bool


class _Reader:
    """Goes through the lines once; `at` is the number of the current line."""

    def __init__(self, text: str, source: str, card: Ruleset | None) -> None:
        self.source, self.card = source, card
        self.lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
        last = self.lines[-1]
        self.cut = 0 if last == "" or _END.fullmatch(last) else len(self.lines)  # the line that breaks off
        if last == "":
            self.lines.pop()
        self.at = 0
        self.checkpoint: _Checkpoint | None = None

    def fault(self, message: str, line: int | None = None) -> BattleFault:
        return BattleFault(message, source=self.source, line=self.at if line is None else line)

    @contextmanager
    def locating_errors(self, line: int | None = None) -> Iterator[None]:
        """Add the line to any error in this block."""
        try:
            yield
        except BattletapeError as error:
            raise self.fault(str(error), line) from error

    def next(self, wanted: str) -> str:
        if self.at >= len(self.lines):
            broken = "in the middle of this line" if self.cut else "here"
            raise self.fault(f"the file ends {broken}, before {wanted}; it was cut")
        self.at += 1
        return self.lines[self.at - 1]

    # --- head -------------------------------------------------------------------------------------------------------

    def head(self) -> Battle:
        """Return header and start."""
        if not any(self.lines):
            raise self.fault(
                f"the file is empty; a battle begins with the line “battletape battle {notation.FORMAT}”", 0
            )
        self.first()
        values, at = self.header()
        with self.locating_errors(at["ruleset"]):
            card = self.card or find_ruleset(values["ruleset"])
            rules = battle_rules(card)
        with self.locating_errors(at.get("title")):
            title = check_title(values.get("title", ""))
        rulings = self.rulings(card, values, at)
        begin = self.at
        while (line := self.next(f"the line “{notation.MOVES}”")).rstrip() != notation.MOVES:
            if line.startswith("---"):
                raise self.fault(f"the start ends with “{notation.MOVES}”; got {line[:60]!r}")
        section = self.lines[begin : self.at - 1]
        data = self.toml(section, begin)
        try:
            start = parse_inputs(rules.start, data, "start")
            battle = Battle(card, rulings, start, title=title, version=values["version"])
        except BattletapeError as error:
            raise self.fault(str(error), begin + _line_of(error, section)) from error
        battle.source = self.source
        return battle

    def first(self) -> None:
        line = self.next("its first line")
        match = _FIRST.fullmatch(line)
        if match is None:
            raise self.fault(f"a battle file begins with “battletape battle {notation.FORMAT}”; got {line[:60]!r}")
        if int(match[1]) > notation.FORMAT:
            writer = next((line[8:].strip()[:60] for line in self.lines if line.startswith("version:")), "")
            by = f" by Battletape {writer}" if writer else ""
            raise self.fault(
                f"this battle was written in format {int(match[1])}{by}; Battletape {VERSION} reads format "
                f"{notation.FORMAT}. Open it with that version or a newer one; the file stays as it is"
            )
        if int(match[1]) < 1:
            raise self.fault(f"a battle file has format 1 to {notation.FORMAT}; got {match[1]}")

    def header(self) -> tuple[dict[str, str], dict[str, int]]:
        values: dict[str, str] = {}
        at: dict[str, int] = {}
        while (line := self.next(f"the line “{notation.START}”")).rstrip() != notation.START:
            if is_comment(line):
                continue
            match = _HEADER.fullmatch(line)
            if match is None:
                raise self.fault(
                    f"the header needs “ruleset: …”, “ruling …: …” or “{notation.START}”; got {line[:60]!r}"
                )
            key = " ".join(match[1].split())
            if key in values:
                raise self.fault(f"the header says {echo(key)} a second time")
            if not match[2].strip():
                raise self.fault(f"“{key}:” needs a value; got nothing")
            values[key], at[key] = match[2].strip(), self.at
        for key in ("ruleset", "version"):
            if key not in values:
                raise self.fault(f"the header above needs a line “{key}: …”; got none")
        return values, at

    def rulings(self, card: Ruleset, values: dict[str, str], at: dict[str, int]) -> Inputs:
        given: dict[str, Any] = {}
        for key, text in values.items():
            if key.startswith("ruling "):
                with self.locating_errors(at[key]):
                    given[key.removeprefix("ruling ")] = notation.parse_value(text)
        if given:  # a file that names rulings names all that there were when it was written
            given = {**card.earlier, **given}
        try:
            return card.parse_rulings(given)
        except BadInput as error:
            raise self.fault(str(error), at.get(f"ruling {error.field}")) from error

    def toml(self, section: list[str], begin: int) -> dict[str, Any]:
        text = "\n".join(section)
        if len(text) > MOST_START:
            raise self.fault(f"the start may have at most {MOST_START:,} characters; it has {len(text):,}", begin)
        try:
            return parse_toml(text)
        except TomlFault as fault:
            unclosed = fault.malformed and fault.line == len(section)
            line = begin + fault.line if fault.line and not unclosed else self.at - 1
            raise self.fault(f"the start cannot be read as TOML: {fault.why}", line) from None

    # --- journal ----------------------------------------------------------------------------------------------------

    def journal(self, battle: Battle) -> None:
        """Read moves, undos and redos up to the end; the intact ones go into the battle's journal."""
        battle.preamble = tuple(self.lines[: self.at])
        if self.sealed(battle):
            return
        begin, block = self.at, None
        while True:
            if self.at >= len(self.lines):
                self.close(battle, block)
                raise self.fault(
                    f"the file ends here without its last line, “{notation.END}”; add it if nothing is missing"
                )
            line = self.lines[self.at]
            self.at += 1
            if is_comment(line):
                if block is not None:
                    block.text.append(line)
            elif self.at == self.cut:
                if not line[:1].isspace():
                    self.close(battle, block)
                raise self.fault(f"the file ends in the middle of this line: {line[:60]!r}; it was cut")
            elif line[:1].isspace():
                if block is None or not block.is_move:
                    raise self.fault(f"an answer must stand below its move; got {line.strip()[:60]!r}")
                block.text.append(line)
            else:
                if block is None:
                    battle.preamble += tuple(self.lines[begin : self.at - 1])
                self.close(battle, block)
                if line.startswith("---"):
                    return self.tail(battle, line)
                block = _Block(self.at, [line], _MOVE.fullmatch(line) is not None)

    def sealed(self, battle: Battle) -> bool:
        """Take the moves of a file that its checkpoint is tied to as they stand; what they say is read when needed."""
        if self.cut or not _END.fullmatch(self.lines[-1]):
            return False
        last = len(self.lines) - 1
        places = range(max(self.at, last - 1 - notation.EARLIER), last - 1)
        end = next((at for at in places if self.lines[at].startswith(notation.CHECKPOINT)), last)
        point = self.find_checkpoint(end, last)
        if not point.fits:
            return False
        heads = [at for at in range(self.at, end) if self.lines[at][:1] not in _INNER]
        record, read = Journal(), partial(_read_move, battle.rules, self.source)
        for at, after in pairwise((*heads, end)):
            word, written = self.lines[at].rstrip(), SourceLines(at + 1, tuple(self.lines[at:after]))
            match = _MOVE.fullmatch(word)
            if match is not None and int(match[1]) == len(record.moves) + 1:
                record.take(match[2], read, written)
            elif match is not None or written.answers or not _marked(record, word, written):
                return False  # only a forger seals this: it is read line by line, and told
        battle.preamble += tuple(self.lines[self.at : heads[0] if heads else end])
        battle.record, self.checkpoint = record, point
        self.sum_up(battle, last)
        self.at = len(self.lines)
        return True

    def close(self, battle: Battle, block: _Block | None) -> None:
        """Put a whole block into the journal."""
        if block is None:
            return
        word, record = block.text[0].rstrip(), battle.record
        with self.locating_errors(block.line):
            if _mark(record, word, block.written):
                return
            match = _MOVE.fullmatch(word)
            if match is None:
                raise BadInput(
                    f"the journal needs a move such as “3. action name=value”, undo or redo; got {word[:60]!r}"
                )
            if int(match[1]) != len(record.moves) + 1:
                raise BadInput(f"moves are numbered in order, so {len(record.moves) + 1} should come; got {match[1]}")
        content = _read_move(battle.rules, self.source, block.written)
        record.take(battle.rules.action(match[2]).name, content, block.written)

    def tail(self, battle: Battle, line: str) -> None:
        """Read the checkpoint, if there is one, and the end."""
        if line.startswith(notation.CHECKPOINT):
            begin = self.at - 1
            while not (line := self.next(f"the line “{notation.END}”")).startswith("---"):
                if _MOVE.match(line) or _MARK.match(line) or line[:1].isspace():
                    raise self.fault(f"moves must stand above “{notation.CHECKPOINT}”; got {line.strip()[:60]!r}")
            self.checkpoint = self.find_checkpoint(begin, self.at - 1)
        if not _END.fullmatch(line):
            raise self.fault(f"the journal ends with “{notation.END}”; got {line[:60]!r}")
        self.sum_up(battle, self.at - 1)
        while self.at < len(self.lines):
            if (line := self.next("the end")).strip():
                raise self.fault(f"nothing may stand below “{notation.END}”; got {line.strip()[:60]!r}")

    def sum_up(self, battle: Battle, end: int) -> None:
        """Compare the lines above the last one with its checksum; a file that people wrote need not have one."""
        match = _END.fullmatch(self.lines[end])
        assert match is not None
        battle.edited = bool(match[1]) and match[1] != notation.checksum("\n".join(self.lines[:end]) + "\n")

    def find_checkpoint(self, begin: int, end: int) -> _Checkpoint:
        """Return the checkpoint whose first line stands here, and whose states end there."""
        match = _CHECKPOINT.fullmatch(self.lines[begin])
        if match is None:
            return _Checkpoint(begin + 1, None, "", (), fits=False)
        digest = notation.digests("\n".join(self.lines[:begin]) + "\n")
        states = tuple(self.lines[begin + 1 : end])
        alone = ((state,) for state in states)  # other lines may have come between, if it is not a long battle
        fitting = next((some for some in (states, *alone) if digest("\n".join(some)) == match[2]), None)
        return _Checkpoint(
            begin + 1, int(match[1]), match[3] or "", fitting or states[: notation.EARLIER], fitting is not None
        )

    # --- state ------------------------------------------------------------------------------------------------------

    def settle(self, battle: Battle) -> BattleFault | None:
        """Trust the checkpoint or replay every move; a move that does not fit ends the journal before it."""
        point = self.checkpoint
        if point is not None and point.fits and point.number == battle.record.live[-1]:
            states = _decoded(battle, point)
            if states:
                for number, state in zip(reversed(battle.record.live), states, strict=False):
                    battle.trust(number, state)
                battle.opened = "checkpoint"
                return None
            point = None  # the state has changed its shape since: replay
        battle.opened = "replay"
        for move in battle.record.moves:
            try:
                battle.reach(move.number)
            except BattleFault as fault:
                battle.record = battle.record.before(move.number)
                return fault
        if point is not None:
            self.compare(battle, point)
        return None

    def compare(self, battle: Battle, point: _Checkpoint) -> None:
        """Tell whether the moves end in the state of a checkpoint that the text above it does not fit."""
        if (point.version or battle.version) != VERSION:
            return  # another version may have ended elsewhere, and its checkpoint counts for nothing
        states, last = _decoded(battle, point), battle.record.live[-1]
        if not states:
            why = "this checkpoint cannot be read"
        elif point.number != last:
            counts = f"move {last}" if last else "the start"
            why = f"this checkpoint is of move {point.number}, but {counts} is the last that counts"
        else:
            kept = zip(reversed(battle.record.live), states, strict=False)
            number, state = next((pair for pair in kept if pair[1] != battle.reach(pair[0])), (None, None))
            if number is None:
                battle.changed = True
                return
            which = "the moves above end" if number == last else f"the moves up to {number} end"
            why = f"{which} in another state than this checkpoint says"
            why += _difference(msgspec.to_builtins(state), msgspec.to_builtins(battle.reach(number)))
        battle.doubt = self.fault(f"{why}; a line was changed or damaged, and the battle goes by its moves", point.line)


def _mark(record: Journal, word: str, written: SourceLines) -> bool:
    """Put an undo or redo into the journal; False if the word is neither."""
    mark = _MARK.fullmatch(word)
    if mark is None:
        return False
    touched = record.peek().undo if mark[1] == "undo" else record.peek().redo
    if touched and mark[2] and int(mark[2]) != touched.number:
        raise BadInput(f"{mark[1]} must name move {touched.number} here; got {mark[2]}")
    record.undo(written) if mark[1] == "undo" else record.redo(written)
    return True


def _marked(record: Journal, word: str, written: SourceLines) -> bool:
    """Apply an undo or redo; return False if the journal has nothing for it."""
    try:
        return _mark(record, word, written)
    except BattletapeError:
        return False


def _read_move(rules: BattleRules, source: str, written: SourceLines) -> MoveContent:
    """Return what the lines of a move say: its parameters and answers."""
    command, line = _MOVE.fullmatch(written.text[0].rstrip()), written.line
    assert command is not None
    try:
        card = rules.action(command[2])
        given = notation.parse_params(command[3])
        if given:  # a move that names anything names all that there was to say when it was written
            given = {**card.earlier, **given}
        params = parse_inputs(card.inputs, given, card.name)
        entries = []
        for line in written.answers:
            entries.append(Entry.parse(written.text[line - written.line]))
    except BattletapeError as error:
        raise BattleFault(str(error), source=source, line=line) from error
    return params, tuple(entries)


def _decoded(battle: Battle, point: _Checkpoint) -> list[Any]:
    """Return the states of a checkpoint, the last one first; none if they cannot be read."""
    try:
        return [msgspec.json.decode(state, type=battle.rules.state) for state in point.states]
    except (msgspec.MsgspecError, RecursionError, UnicodeEncodeError):
        return []


def _difference(then: Any, now: Any, place: str = "") -> str:
    """Return where two states differ first, in words."""
    if isinstance(then, dict) and isinstance(now, dict) and then.keys() == now.keys():
        return next((_difference(then[key], now[key], f"{place} {key}") for key in then if then[key] != now[key]), "")
    if isinstance(then, (list, tuple)) and isinstance(now, (list, tuple)) and len(then) == len(now):
        pairs = enumerate(zip(then, now, strict=True), 1)
        return next((_difference(was, has, f"{place} {at}") for at, (was, has) in pairs if was != has), "")
    return f" ({place.strip()}: {str(now)[:60]}, not {str(then)[:60]})" if place else ""


def _line_of(error: BattletapeError, section: list[str]) -> int:
    """Return the line of the start that an error such as “sides 1: units 2: hp must be …” is about.

    0 if it may be any.
    """
    first, last, table = 0, len(section), ""
    for name, number in parts_of(getattr(error, "source", "")):
        table = f"{table}.{name}".lstrip(".")
        heads = [at for at in range(first, last) if section[at].strip() == f"[[{table}]]"]
        if len(heads) < number:
            return 0
        first, last = heads[number - 1], heads[number] if number < len(heads) else last
    own = next((at for at in range(first + 1, last) if section[at].startswith("[")), last)
    name = getattr(error, "field", "")
    places = [at for at in range(first, own) if name and re.match(rf"\s*{re.escape(name)}\s*=", section[at])]
    return places[0] + 1 if len(places) == 1 else first + 1 if table else 0
