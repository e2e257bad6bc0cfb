"""A battle as a text file that a person can read and repair.

    battletape battle 1                              the format
    ruleset: attack_dice
    version: 0.2.0                                   of the Battletape that began it: another may refuse less
    title: The ford at dusk
    ruling method: chart                             every ruling, so that a new default changes no old battle
    --- start
    first = "red"                                    the sides as TOML
    --- moves
    1. attack unit="Hill raiders" target=Wolves      a command with all its parameters
       pool to hit [4 x 1-10] = 9 2 7 7              its recorded answers
    undo 1                                           moves undone stay, and may be followed by redo 1
    # a comment stays where it is
    --- checkpoint 0 5c0f1e0b2d3a4c5b 0.3.0          written for long battles only; may be left out
    {"turn":1}                                       the state; in very long battles also those before it, for undo
    --- end 5c0f1e0b                                 without this line the file was cut; its checksum may be left out

Reading is in `battletape.battle.reading`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import TYPE_CHECKING, Any
from zlib import crc32

import msgspec

from battletape._version import VERSION
from battletape.battle.journal import Move, UndoMark
from battletape.errors import BadInput, echo
from battletape.inputs import Field, Inputs, fields, quoted

if TYPE_CHECKING:
    from battletape.battle.battle import Battle

FORMAT = 1
CHECKPOINT_FROM = 50
"""A journal of this many moves or more gets a checkpoint; a shorter one is replayed at once."""
EARLIER_FROM, EARLIER = 1_000, 4
"""A journal of this many moves or more keeps so many states, for undo: the last one and those before it."""
INDENT = "   "
MAX_LETTERS_SHOWN = 100
"""How much of a line an error repeats."""
MOST_DIGITS = 300
START, MOVES, CHECKPOINT, END = "--- start", "--- moves", "--- checkpoint", "--- end"

_NAME = re.compile(r"\s*([A-Za-z_]\w*)=")
_BARE = re.compile(r"[^\s\"\[\]{}=]+")
_JSON = json.JSONDecoder(
    parse_int=lambda digits: _number(digits, int), parse_float=lambda digits: _number(digits, float)
)
_WORD = re.compile(r"[^\W\d][\w.-]*")


def write_battle(battle: Battle, checkpoint: bool | None = None) -> str:
    """Return the battle as text; lines that were read from a file stay as they were."""
    lines = list(battle.preamble or format_preamble(battle))
    for item in battle.journal:
        lines += item.written.text if item.written else format_item(item)
    text = "\n".join(lines) + "\n"
    if checkpoint or (checkpoint is None and len(battle.record.moves) >= CHECKPOINT_FROM):
        states = "\n".join(_states(battle))
        text += f"{CHECKPOINT} {battle.record.live[-1]} {digest(text, states)} {VERSION}\n{states}\n"
    return f"{text}{END} {checksum(text)}\n"


def checksum(text: str) -> str:
    """Return what the last line says of all lines above it, so that one damaged letter is noticed."""
    return f"{crc32(text.encode('utf-8', 'surrogatepass')):08x}"


def _states(battle: Battle) -> Iterator[str]:
    """Yield the lines of a checkpoint: the state now, and in a long battle those before it, as far as they are
    known.
    """
    most = EARLIER if len(battle.record.moves) >= EARLIER_FROM else 1
    for number in reversed(battle.record.live[-most:]):
        if number != battle.record.live[-1] and not battle.knows(number):
            return
        yield msgspec.json.encode(battle.reach(number), order="deterministic").decode()


def digest(text: str, states: str) -> str:
    """Return what ties a checkpoint to the text above it and to the version that wrote it."""
    return digests(text)(states)


def digests(text: str) -> Callable[[str], str]:
    """Return the digest of any states below one text, which is gone through once."""
    above = sha256(f"{VERSION}\n{text}".encode("utf-8", "surrogatepass"))

    def with_states(states: str) -> str:
        whole = above.copy()
        whole.update(states.encode("utf-8", "surrogatepass"))
        return whole.hexdigest()[:16]

    return with_states


def format_preamble(battle: Battle) -> Iterator[str]:
    """Yield header and start."""
    import tomli_w

    yield f"battletape battle {FORMAT}"
    yield f"ruleset: {battle.ruleset.name}"
    yield f"version: {battle.version}"
    if battle.title:
        yield f"title: {battle.title}"
    for ruling in fields(battle.ruleset.rulings):
        yield f"ruling {ruling.name}: {format_value(getattr(battle.rulings, ruling.name))}"
    yield START
    yield from tomli_w.dumps(_for_toml(battle.start)).rstrip("\n").split("\n")
    yield MOVES


def format_item(item: Move | UndoMark) -> Iterator[str]:
    """Yield a line of the journal, and a line for each recorded answer."""
    if isinstance(item, UndoMark):
        yield f"{item.kind} {item.move}"
        return
    yield f"{item.number}. {format_command(item)}"
    for entry in item.entries:
        yield f"{INDENT}{entry}"


def format_command(move: Move, *, for_people: bool = False) -> str:
    """Return an action with its parameters, as `parse_params` reads them back; `for_people` leaves out defaults."""
    params = [(field, getattr(move.params, field.name)) for field in fields(type(move.params))]
    params = [(field, value) for field, value in params if _is_written(move.params, field, value)]
    if for_people:
        shown = [f"{field.name}={_brief(field, value)}" for field, value in params if value != field.default]
    else:
        shown = [f"{field.name}={format_value(value)}" for field, value in params]
    return " ".join([move.action, *shown])


def _is_written(inputs: Inputs, field: Field, value: Any) -> bool:
    """Return whether a file has this input: only those that came later may be left out."""
    return value != field.default or field.name not in inputs.unwritten


def _brief(field: Field, value: Any) -> str:
    """Return a value as a player would type it; entries as name=value pairs."""
    return quoted(field.show(value)) if field.kind == "many" else format_value(value)


def format_value(value: Any) -> str:
    """Return a value as people write it; text of several words in quotes, lists as JSON."""
    if value is None or isinstance(value, bool):
        return "none" if value is None else "yes" if value else "no"
    if isinstance(value, str) and _WORD.fullmatch(value):
        return value
    return json.dumps(msgspec.to_builtins(value), ensure_ascii=False, separators=(",", ":"))


def parse_value(text: str) -> Any:
    """Return a value that `format_value` wrote: a bare word as text, quoted text and lists as JSON."""
    values = parse_params(f"value={text}")
    if len(values) != 1:
        raise BadInput(f"a value must be one word, or text in quotes; got {echo(text)}")
    return values["value"]


def parse_params(text: str) -> dict[str, Any]:
    """Return `unit="Hill raiders" shots=3` as a mapping."""
    params: dict[str, Any] = {}
    at, text = 0, text.rstrip()
    while at < len(text):
        name = _NAME.match(text, at)
        if name is None or (at and not text[at].isspace()) or name[1] in params:
            once = "each once, " if name and name[1] in params else ""
            unread = echo(text[at:].lstrip()[:MAX_LETTERS_SHOWN])
            raise BadInput(f"parameters must have the form name=value, {once}with spaces between; got {unread}")
        value, at = _value_at(text, name.end(), name[1])
        params[name[1]] = value
    return params


def _value_at(text: str, at: int, name: str) -> tuple[Any, int]:
    if text[at : at + 1] in ('"', "[", "{"):
        try:
            return _JSON.raw_decode(text, at)
        except (ValueError, RecursionError):
            unread = echo(text[at : at + MAX_LETTERS_SHOWN])
            raise BadInput.of(name, f"needs closed quotes or brackets; got {unread}") from None
    bare = _BARE.match(text, at)
    if bare is None:
        raise BadInput.of(name, f"needs a value; got {text[at : at + MAX_LETTERS_SHOWN] or 'nothing'}")
    return bare[0], bare.end()


def _number(digits: str, kind: Callable[[str], float]) -> float:
    """Return a number; its time would grow with the square of its digits, so there may not be endlessly many."""
    if len(digits) > MOST_DIGITS:
        raise ValueError("a number has hundreds of digits")
    return kind(digits)


def _for_toml(value: Any) -> Any:
    if isinstance(value, Inputs):
        values = [(field, getattr(value, field.name)) for field in fields(type(value))]
        return {field.name: _for_toml(part) for field, part in values if _is_written(value, field, part)}
    if isinstance(value, tuple):
        return [_for_toml(part) for part in value]
    return "none" if value is None else value  # TOML knows no empty value; `parse_inputs` knows this word
