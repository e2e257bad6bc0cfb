"""Reading a request: its options, and inputs whose shape fits before any ruleset sees them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from battletape.errors import BadInput, echo, nearest
from battletape.inputs import Field, Inputs, fields
from battletape.system import Question, Ruleset
from battletape.views.whatif import parse_alternative
from battletape.web.forms import MOST_ENTRIES, Pairs
from battletape.web.jobs import Unreadable

DEPTH = 8
"""How deep lists of entries may be nested."""
MOST_ANSWERS = 500
MOST_IFS = 60
Scalar = (str, int, float, bool, type(None))


class Options(Struct, frozen=True):
    """How to answer: by odds, a roll, advice or what if, and what belongs to each."""

    read: str = "odds"
    measures: tuple[str, ...] = ()
    most: int = 100
    seed: str | None = None
    answers: tuple[str, ...] = ()
    rest: str = "rolled"
    sides: dict[str, str] = {}
    ifs: tuple[str, ...] = ()


OPTIONS = ("read", "measure", "most", "seed", "answer", "rest", "side", "if")
READS = ("odds", "roll", "advice", "whatif")


def read_options(pairs: Pairs) -> Options:
    """Return the options of a query string."""
    given: dict[str, list[str]] = {}
    for name, value in pairs:
        if name not in OPTIONS:
            like = nearest(name, OPTIONS)
            hint = f" Did you mean {like}?" if like else f" Known: {', '.join(OPTIONS)}."
            raise BadInput(f"there is no option {echo(name)}; inputs go into the body.{hint}", field=name)
        given.setdefault(name, []).append(value)
    last = {name: values[-1] for name, values in given.items()}
    most = last.get("most", "100")
    if not most.isascii() or not most.isdigit() or not 1 <= int(most[:9]) <= 1_000:
        raise BadInput.of("most", f"must be a whole number from 1 to 1,000; got {most[:40]!r}.")
    answers = tuple(given.get("answer", ()))
    if len(answers) > MOST_ANSWERS:
        raise BadInput.of("answer", f"may have at most {MOST_ANSWERS} answers; got {len(answers):,}.")
    return Options(
        read=_among("read", last.get("read", "odds"), READS),
        measures=tuple(dict.fromkeys(given.get("measure", ()))),
        most=int(most),
        seed=last.get("seed"),
        answers=answers,
        rest=_among("rest", last.get("rest", "rolled"), ("rolled", "ask")),
        sides=_sides(given.get("side", ())),
        ifs=_ifs(given.get("if", ())),
    )


def read_body(body: bytes) -> dict[str, Any]:
    """Return the inputs of a body: a JSON object, or nothing for the defaults."""
    if not body.strip():
        return {}
    try:
        given = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Unreadable(
            f'the body must be a JSON object such as {{"models": 5}}; it cannot be read: {error}'
        ) from None
    if not isinstance(given, dict):
        raise Unreadable(f'the body must be a JSON object such as {{"models": 5}}; got {_word(given)}.')
    return given


def check_shapes(ruleset: Ruleset, question: Question, given: Mapping[str, Any]) -> None:
    """Refuse values of the wrong shape, so that a ruleset sees numbers, texts and lists where it expects them."""
    known = {field.name: field for field in (*fields(ruleset.rulings), *fields(question.inputs))}
    preset = given.get("preset")
    if "preset" not in known and not isinstance(preset, Scalar):
        would = f"one of {', '.join(ruleset.presets)}" if ruleset.presets else "nothing, as there are none here"
        raise BadInput.of("preset", f"must be {would}; got {_word(preset)}.")
    _check(known, given, DEPTH)


def _check(known: Mapping[str, Field], given: Mapping[str, Any], depth: int) -> None:
    if depth == 0:
        raise BadInput("entries in entries go too deep here")
    for name, value in given.items():
        field = known.get(name.replace("-", "_"))
        if field is None:
            if not isinstance(value, Scalar):
                raise BadInput(f"there is no input {echo(name)} here.", field=name)
        elif field.item is not None:
            _check_entries(field, field.item, value, depth)
        elif field.kind in ("names", "whole_list"):
            if not isinstance(value, Scalar) and not _is_list(value):
                found = "a list with something else in it" if isinstance(value, list) else _word(value)
                raise BadInput.of(field.name, f"must be {field.wants}; got {found}.")
        elif not isinstance(value, Scalar):
            raise BadInput.of(field.name, f"must be {field.wants}; got {_word(value)}.")


def _check_entries(field: Field, item: type[Inputs], value: Any, depth: int) -> None:
    entries = value if isinstance(value, list) else [value]
    if len(entries) > MOST_ENTRIES:
        raise BadInput.of(field.name, f"may have at most {MOST_ENTRIES} entries; got {len(entries):,}.")
    inner = {field.name: field for field in fields(item)}
    for entry in entries:
        if isinstance(entry, dict):
            _check(inner, entry, depth - 1)
        elif not isinstance(entry, str) and value is not None:
            raise BadInput.of(field.name, f"must be {field.wants}; got {_word(entry)}.")


def _is_list(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(part, (str, int)) and not isinstance(part, bool) for part in value
    )


def _word(value: Any) -> str:
    words = {"list": "a list", "dict": "an object", "str": "a text", "NoneType": "nothing", "bool": "yes or no"}
    return words.get(type(value).__name__, "a number")


def _among(name: str, value: str, known: tuple[str, ...]) -> str:
    if value not in known:
        raise BadInput.of(name, f"must be one of {', '.join(known)}; got {value[:40]!r}.")
    return value


def _ifs(values: Iterable[str]) -> tuple[str, ...]:
    keys = tuple(dict.fromkeys(values))
    if len(keys) > MOST_IFS:
        raise BadInput.of("if", f"may be given at most {MOST_IFS} times; got {len(keys)}.")
    for key in keys:
        parse_alternative(key.rpartition("@")[0] or key, "if")
    return keys


def _sides(values: Iterable[str]) -> dict[str, str]:
    sides = {}
    for value in values:
        side, equals, play = value.partition("=")
        if not equals or play not in ("max", "min", "first", "last"):
            raise BadInput.of("side", f"must be SIDE=max, min, first or last; got {value[:60]!r}.")
        sides[side] = play
    return sides
