"""Battle files read back: a newer format is refused, damage is reported by line, and the intact part is kept."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import msgspec

from battletape._version import VERSION
from battletape.battle.battle import Battle, battle_rules, check_title
from battletape.battle.journal import BattleFault, Written
from battletape.battle.notation import CHECKPOINT, END, FORMAT, MOVES, START, digest, parse_params, parse_value
from battletape.errors import BadInput, BattletapeError
from battletape.inputs import Inputs, parse_inputs
from battletape.registry import ruleset as find_ruleset
from battletape.system import Ruleset
from battletape.tape.question import Entry

_FIRST = re.compile(r"battletape battle ([0-9]{1,9})\s*")
_HEADER = re.compile(r"(ruleset|version|title|ruling\s+\w+):\s*(.*?)\s*")
_MOVE = re.compile(r"([0-9]{1,9})\.\s+(\S+)(.*)")
_MARK = re.compile(r"(undo|redo)(?:\s+([0-9]{1,9}))?")
_CHECKPOINT = re.compile(rf"{CHECKPOINT} ([0-9]{{1,9}}) ([0-9a-f]+)\s*")


def read_battle(text: str, source: str = "", card: Ruleset | None = None) -> Battle:
    """The battle in a text; if it is damaged, raises BattleFault with file and line."""
    battle, fault = salvage_battle(text, source, card)
    if battle is None or fault is not None:
        raise fault or BattleFault("no battle could be read", source=source)
    return battle


def salvage_battle(
    text: str, source: str = "", card: Ruleset | None = None
) -> tuple[Battle | None, BattletapeError | None]:
    """The battle up to its last intact move, if its head can be read, and the first fault, if there is one."""
    reader = _Reader(text, source, card)
    try:
        battle = reader.head()
    except BattleFault as fault:
        return None, fault
    late: BattleFault | None = None
    try:
        reader.journal(battle)
    except BattleFault as fault:
        late = fault
    return battle, reader.settle(battle) or late


@dataclass
class _Block:
    """A move, undo or redo with the lines that belong to it."""

    line: int
    text: list[str]
    entries: list[Entry] = field(default_factory=list)
    answers: list[int] = field(default_factory=list)

    @property
    def written(self) -> Written:
        return Written(self.line, tuple(self.text), tuple(self.answers))


class _Reader:
    """Goes through the lines once; `at` is the number of the current line."""

    def __init__(self, text: str, source: str, card: Ruleset | None) -> None:
        self.source, self.card = source, card
        self.lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
        last = self.lines[-1]
        self.cut = 0 if last == "" or last.rstrip() == END else len(self.lines)  # the line that breaks off
        if last == "":
            self.lines.pop()
        self.at = 0
        self.checkpoint: tuple[int, object] | None = None

    def fault(self, message: str, line: int | None = None) -> BattleFault:
        return BattleFault(message, source=self.source, line=self.at if line is None else line)

    @contextmanager
    def told(self, line: int | None = None) -> Iterator[None]:
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
        """Header and start."""
        if not any(self.lines):
            raise self.fault(f"the file is empty; a battle begins with the line “battletape battle {FORMAT}”", 0)
        self.first()
        values, at = self.header()
        with self.told(at["ruleset"]):
            card = self.card or find_ruleset(values["ruleset"])
            rules = battle_rules(card)
        with self.told(at.get("title")):
            title = check_title(values.get("title", ""))
        rulings = self.rulings(card, values, at)
        begin = self.at
        while (line := self.next(f"the line “{MOVES}”")).rstrip() != MOVES:
            if line.startswith("---"):
                raise self.fault(f"the start ends with “{MOVES}”; got {line[:60]!r}")
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
            raise self.fault(f"a battle file begins with “battletape battle {FORMAT}”; got {line[:60]!r}")
        if int(match[1]) > FORMAT:
            writer = next((line[8:].strip() for line in self.lines if line.startswith("version:")), "")
            by = f" by Battletape {writer}" if writer else ""
            raise self.fault(
                f"this battle was written in format {int(match[1])}{by}; Battletape {VERSION} reads format {FORMAT}. "
                "Open it with that version or a newer one; the file stays as it is"
            )
        if int(match[1]) < 1:
            raise self.fault(f"a battle file has format 1 to {FORMAT}; got {match[1]}")

    def header(self) -> tuple[dict[str, str], dict[str, int]]:
        values: dict[str, str] = {}
        at: dict[str, int] = {}
        while (line := self.next(f"the line “{START}”")).rstrip() != START:
            if _is_comment(line):
                continue
            match = _HEADER.fullmatch(line)
            if match is None:
                raise self.fault(f"the header needs “ruleset: …”, “ruling …: …” or “{START}”; got {line[:60]!r}")
            key = " ".join(match[1].split())
            if key in values:
                raise self.fault(f"the header says {key!r} a second time")
            if not match[2]:
                raise self.fault(f"“{key}:” needs a value; got nothing")
            values[key], at[key] = match[2], self.at
        for key in ("ruleset", "version"):
            if key not in values:
                raise self.fault(f"the header above needs a line “{key}: …”; got none")
        return values, at

    def rulings(self, card: Ruleset, values: dict[str, str], at: dict[str, int]) -> Inputs:
        given = {}
        for key, text in values.items():
            if key.startswith("ruling "):
                with self.told(at[key]):
                    given[key.removeprefix("ruling ")] = parse_value(text)
        try:
            return card.parse_rulings(given)
        except BadInput as error:
            raise self.fault(str(error), at.get(f"ruling {error.field}")) from error

    def toml(self, section: list[str], begin: int) -> dict[str, object]:
        import tomllib

        try:
            return tomllib.loads("\n".join(section))
        except (ValueError, RecursionError) as error:
            match = re.search(r"\(at line ([0-9]+), column [0-9]+\)", str(error))
            line = begin + int(match[1]) if match else self.at - 1
            why = re.sub(r"\s*\(at .*\)", "", str(error))
            raise self.fault(f"the start cannot be read as TOML: {why}", line) from None

    # --- journal ----------------------------------------------------------------------------------------------------

    def journal(self, battle: Battle) -> None:
        """Moves, undos and redos up to the end; the intact ones go into the battle's journal."""
        battle.preamble = tuple(self.lines[: self.at])
        block: _Block | None = None
        while True:
            if self.at >= len(self.lines):
                self.close(battle, block)
                raise self.fault(f"the file ends here without its last line, “{END}”; add it if nothing is missing")
            line = self.lines[self.at]
            self.at += 1
            if _is_comment(line):
                if block is None:
                    battle.preamble += (line,)
                else:
                    block.text.append(line)
            elif self.at == self.cut:
                if not line[:1].isspace():
                    self.close(battle, block)
                raise self.fault(f"the file ends in the middle of this line: {line[:60]!r}; it was cut")
            elif line[:1].isspace():
                self.entry(block, line)
            else:
                self.close(battle, block)
                if line.startswith("---"):
                    return self.tail(line)
                block = _Block(self.at, [line])

    def entry(self, block: _Block | None, line: str) -> None:
        if block is None or _MOVE.fullmatch(block.text[0]) is None:
            raise self.fault(f"an answer must stand below its move; got {line.strip()[:60]!r}")
        with self.told():
            block.entries.append(Entry.parse(line))
        block.text.append(line)
        block.answers.append(self.at)

    def close(self, battle: Battle, block: _Block | None) -> None:
        """Put a whole block into the journal."""
        if block is None:
            return
        word, record = block.text[0].rstrip(), battle.record
        with self.told(block.line):
            if mark := _MARK.fullmatch(word):
                touched = record.peek().undo if mark[1] == "undo" else record.peek().redo
                if touched and mark[2] and int(mark[2]) != touched.number:
                    raise BadInput(f"{mark[1]} must name move {touched.number} here; got {mark[2]}")
                record.undo(block.written) if mark[1] == "undo" else record.redo(block.written)
                return
            match = _MOVE.fullmatch(word)
            if match is None:
                raise BadInput(
                    f"the journal needs a move such as “3. action name=value”, undo or redo; got {word[:60]!r}"
                )
            if int(match[1]) != len(record.moves) + 1:
                raise BadInput(f"moves are numbered in order, so {len(record.moves) + 1} should come; got {match[1]}")
            card = battle.rules.action(match[2])
            params = parse_inputs(card.inputs, parse_params(match[3]), card.name)
            record.add(card.name, params, block.entries, block.written)

    def tail(self, line: str) -> None:
        """The checkpoint, if there is one, and the end."""
        above = "\n".join(self.lines[: self.at - 1]) + "\n"
        if line.startswith(CHECKPOINT):
            match = _CHECKPOINT.fullmatch(line)
            while not (line := self.next(f"the line “{END}”")).startswith("---"):
                if _MOVE.match(line) or _MARK.match(line) or line[:1].isspace():
                    raise self.fault(f"moves must stand above “{CHECKPOINT}”; got {line.strip()[:60]!r}")
                if match and match[2] == digest(above, line):
                    self.checkpoint = (int(match[1]), line)
        if line.rstrip() != END:
            raise self.fault(f"the journal ends with “{END}”; got {line[:60]!r}")
        while self.at < len(self.lines):
            if (line := self.next("the end")).strip():
                raise self.fault(f"nothing may stand below “{END}”; got {line.strip()[:60]!r}")

    # --- state ------------------------------------------------------------------------------------------------------

    def settle(self, battle: Battle) -> BattleFault | None:
        """Trust the checkpoint or replay every move; a move that does not fit ends the journal before it."""
        if self.checkpoint is not None and self.checkpoint[0] == battle.record.live[-1]:
            try:
                state = msgspec.json.decode(str(self.checkpoint[1]), type=battle.rules.state)
            except msgspec.MsgspecError:
                pass  # the state has changed its shape since: replay
            else:
                battle.trust(self.checkpoint[0], state)
                battle.opened = "checkpoint"
                return None
        battle.opened = "replay"
        for move in battle.record.moves:
            try:
                battle.reach(move.number)
            except BattleFault as fault:
                battle.record = battle.record.before(move.number)
                return fault
        return None


def _is_comment(line: str) -> bool:
    return not line.strip() or line.lstrip().startswith("#")


def _line_of(error: BattletapeError, section: list[str]) -> int:
    """The line of the start that an error such as “sides 1: units 2: hp must be …” is about; 0 if it may be any."""
    first, last, table = 0, len(section), ""
    for name, number in re.findall(r"(\w+) ([0-9]+)", getattr(error, "source", "")):
        table = f"{table}.{name}".lstrip(".")
        heads = [at for at in range(first, last) if section[at].strip() == f"[[{table}]]"]
        if len(heads) < int(number):
            return 0
        first, last = heads[int(number) - 1], heads[int(number)] if int(number) < len(heads) else last
    own = next((at for at in range(first + 1, last) if section[at].startswith("[")), last)
    name = getattr(error, "field", "")
    places = [at for at in range(first, own) if name and re.match(rf"\s*{re.escape(name)}\s*=", section[at])]
    return places[0] + 1 if len(places) == 1 else first + 1 if table else 0
