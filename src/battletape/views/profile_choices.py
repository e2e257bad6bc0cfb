"""ProfileChoice lists: which inputs of a question take a profile by name, which names fit, and what each name fills in.

Nothing here knows a ruleset. A question's own `fill` is tried with every name of the book: an input that takes a
profile is one where the name brings further numbers with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from battletape.errors import BattletapeError, UnknownName
from battletape.inputs import Field, Inputs, fields, parse_inputs
from battletape.system import Question, Ruleset

Path = tuple[str, ...]
"""Where an input stands: ("weapon",), or ("guns", "weapon") in each entry of a list."""


class ProfileChoice(Struct, frozen=True):
    """An input that takes a profile by its name: the kind of profile, the names that fit, the inputs they fill."""

    kind: str
    names: tuple[str, ...]
    fills: frozenset[str]


@lru_cache(256)
def profile_choices(ruleset: Ruleset, question: Question) -> Mapping[Path, ProfileChoice]:
    """Return every input of the question that takes a profile."""
    if question.fill is None or ruleset.profiles is None:
        return {}
    by_path: dict[Path, ProfileChoice] = {}
    for path in _texts(question.inputs, ()):
        pick = _pick(ruleset, question, path)
        if pick is not None:
            by_path[path] = pick
    return by_path


def own_names(ruleset: Ruleset, question: Question, path: Path, values: Inputs) -> dict[str, str]:
    """Return the profiles that a player has named here, without those that another profile brings with it."""
    known = profile_choices(ruleset, question)
    named = {
        field.name: str(getattr(values, field.name))
        for field in fields(type(values))
        if (*path, field.name) in known and getattr(values, field.name)
    }
    for name, value in tuple(named.items()):
        rest = {other: named[other] for other in named if other != name}
        brings = any(name in known[*path, other].fills for other in rest)
        if brings and getattr(base_inputs(ruleset, question, path, type(values), rest), name) == value:
            named = rest
    return named


def brought_by(
    known: Mapping[Path, ProfileChoice], path: Path, owner: Field, values: Inputs
) -> Iterator[tuple[Field, str]]:
    """Yield the profiles that a named one brings along, such as the weapon that a model carries."""
    for field in fields(type(values)):
        if field.takes_profile and field.name in known[*path, owner.name].fills and (*path, field.name) in known:
            brought = str(getattr(values, field.name))
            if brought in known[*path, field.name].names:
                yield field, brought


def base_inputs(
    ruleset: Ruleset, question: Question, path: Path, inputs: type[Inputs], names: Mapping[str, str]
) -> Any:
    """Return the inputs (of the question, or of an entry of a list) if nothing but the names of profiles is given."""
    return _base(ruleset, question, path, inputs, tuple(names.items()))


@lru_cache(2048)
def _base(
    ruleset: Ruleset, question: Question, path: Path, inputs: type[Inputs], names: tuple[tuple[str, str], ...]
) -> Any:
    given = dict(names)
    if not given:
        return inputs()
    try:
        return parse_inputs(inputs, _filled(ruleset, question, path, given))
    except BattletapeError:
        return inputs()


def steered_by(
    ruleset: Ruleset, question: Question, path: Path, values: Inputs, names: Mapping[str, str]
) -> dict[str, str]:
    """Return what else says which numbers of a named profile count here: the side that is met, the weapons that are
    left.
    """
    if not names:
        return {}
    plain = base_inputs(ruleset, question, path, type(values), names)
    steering: dict[str, str] = {}
    for field in fields(type(values)):
        value, usual = getattr(values, field.name), getattr(plain, field.name)
        listed = field.kind == "names" and bool(usual) and not field.known
        if value != usual and field.item is None and (field.part == "facing" or listed):
            shown = field.show(value)
            steered = base_inputs(ruleset, question, path, type(values), {**names, field.name: shown})
            if replace(steered, **{field.name: usual}) != plain:
                steering[field.name] = shown
    return steering


def added_to(
    ruleset: Ruleset, question: Question, path: Path, inputs: type[Inputs], names: Mapping[str, str]
) -> Mapping[str, tuple[str, ...]]:
    """Return lists that a player can only add to, because the named profiles always give some of the names."""
    return _added_to(ruleset, question, path, inputs, tuple(names.items()))


@lru_cache(2048)
def _added_to(
    ruleset: Ruleset, question: Question, path: Path, inputs: type[Inputs], names: tuple[tuple[str, str], ...]
) -> Mapping[str, tuple[str, ...]]:
    added: dict[str, tuple[str, ...]] = {}
    base = _base(ruleset, question, path, inputs, names)
    for field in fields(inputs) if names else ():
        given = getattr(base, field.name) if field.kind == "names" else ()
        if not given:
            continue
        try:
            left = parse_inputs(inputs, _filled(ruleset, question, path, {**dict(names), field.name: ""}))
        except BattletapeError:
            continue
        if getattr(left, field.name) == given:  # the player asked for nothing, and it stayed
            added[field.name] = given
    return added


@lru_cache(64)
def stat_lines(ruleset: Ruleset, kind: str) -> Mapping[str, str]:
    """Return every profile of a kind by its name, with its stat line, “S 9 · AP 2 · 48″”: what has a short name."""
    lines: dict[str, str] = {}
    for name, entry in ruleset.book.entries.get(kind, {}).items():
        parts = [
            f"{key.short} {_stat(key, getattr(entry, key.name))}".strip()
            for key in fields(ruleset.book.kinds[kind])
            if key.short and getattr(entry, key.name) not in (None, "", (), 0)
        ]
        lines[name] = " · ".join(parts)
    return lines


def _stat(key: Field, value: Any) -> str:
    unit = {"inches": "″", "metres": " m"}.get(key.unit, "")
    return ("–" if value == "-" else f"{value:g}" if isinstance(value, float) else key.show(value)) + unit


def _texts(inputs: type[Inputs], above: Path) -> Iterator[Path]:
    for field in fields(inputs):
        if field.kind == "text":
            yield (*above, field.name)
        elif field.item is not None:
            yield from _texts(field.item, (*above, field.name))


def _pick(ruleset: Ruleset, question: Question, path: Path) -> ProfileChoice | None:
    best: ProfileChoice | None = None
    for kind, entries in _kinds(ruleset, question, path).items():
        names: list[str] = []
        fills: set[str] = set()
        for name in entries:
            try:
                more = set(_filled(ruleset, question, path[:-1], {path[-1]: name})) - {path[-1]}
            except BattletapeError as error:
                if isinstance(error, UnknownName) and error.field != kind and error.field in ruleset.book.kinds:
                    break  # the input takes another kind of profile
                continue
            if more:
                names.append(name)
                fills |= more
        if names and (best is None or len(names) > len(best.names)):
            best = ProfileChoice(kind, tuple(names), frozenset(fills))
    return best


def _kinds(ruleset: Ruleset, question: Question, path: Path) -> Mapping[str, Mapping[str, Any]]:
    """Return the kinds of profiles that an input may name: the one that it declares, or any where it declares none."""
    inputs = question.inputs
    for name in path[:-1]:
        inputs = next(field.item for field in fields(inputs) if field.name == name and field.item is not None)
    declared = next(field.profile for field in fields(inputs) if field.name == path[-1])
    known = ruleset.book.entries
    return {declared: known[declared]} if declared in known else known


def _filled(ruleset: Ruleset, question: Question, path: Path, given: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the result of `fill` for these values at a place of the question."""
    wrapped: Any = given
    for name in reversed(path):
        wrapped = {name: [wrapped]}
    filled: Any = question.filled(wrapped, ruleset.book)
    for name in path:
        filled = filled[name][0]
    if isinstance(filled, Inputs):
        return {name: getattr(filled, name) for name in filled.__struct_fields__}
    return filled if isinstance(filled, Mapping) else {}
