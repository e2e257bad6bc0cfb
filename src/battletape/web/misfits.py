"""A question with inputs that do not fit: the part that can be asked, and what was typed for the rest."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Any

from msgspec import Struct

from battletape.errors import BadInput, BattletapeError, UnknownName, parts_of
from battletape.inputs import Inputs, fields, parse_pairs, split_entries, value_of
from battletape.system import Question, Ruleset
from battletape.views.profile_choices import Path, profile_choices
from battletape.views.short_inputs import Given, differing, written

MAX_MISFITS = 40
"""After this many misfits all inputs are ignored."""


class ReadableInputs(Struct, frozen=True):
    """A question that can be read: the inputs that were kept, and those left out, by place."""

    inputs: Inputs
    rulings: Inputs
    given: dict[str, Any]
    typed: dict[str, str]  # "models" or "guns.0.shots" → the text that does not fit


def drop_misfits(card: Ruleset, question: Question, given: Mapping[str, Any]) -> ReadableInputs:
    """Leave out one misfit after the other until the rest can be read."""
    lists = {field.name for field in fields(question.inputs) if field.item is not None}
    kept = {
        name: split_entries(value) if name in lists and isinstance(value, str) else deepcopy(value)
        for name, value in given.items()
    }
    typed: dict[str, str] = {}
    for _ in range(MAX_MISFITS):
        try:
            inputs, rulings = card.split(question, kept)
            return ReadableInputs(inputs, rulings, kept, typed)
        except BadInput as error:
            place = place_of(error, kept) or _culprit(card, question, kept, card.split)
            if place is None:
                break
            text = _take(kept, place)
            if isinstance(text, str):
                typed[place] = text
    inputs, rulings = card.split(question, {})
    return ReadableInputs(inputs, rulings, {}, {})


def place_of(error: BadInput, given: Mapping[str, Any]) -> str:
    """Return the place of the misfit, as a form names its controls: guns.1.shots; empty if unknown."""
    if error.source and not parts_of(error.source):
        return ""
    parts = [part for name, at in parts_of(error.source) for part in (name, str(at - 1))]
    places = dict(_places(given))
    name = ".".join([*parts, error.field.replace("-", "_")])
    alike = next((place for place in places if place.replace("-", "_") == name), "")
    if isinstance(error, UnknownName) and str(places.get(alike, "")).lower() != error.name.lower():
        return next((place for place, text in places.items() if str(text).lower() == error.name.lower()), alike)
    return alike


def with_misfit_texts(card: Ruleset, question: Question, mended: ReadableInputs, shortest: Given) -> Given:
    """Return what was asked, with the texts that do not fit; lists with such texts are written input by input."""
    all_said = dict(shortest)
    for head in {place.partition(".")[0] for place in mended.typed if "." in place}:
        all_said.pop(head, None)
        all_said |= _entries(card, question, (head,), head, value_of(mended.inputs, head) or ())
    return all_said | mended.typed


def _entries(card: Ruleset, question: Question, path: Path, name: str, entries: Sequence[Inputs]) -> Given:
    given: Given = {f"{name}.count": str(len(entries))}
    for at, entry in enumerate(entries):
        for field, value in differing(card, question, path, entry):
            inner = f"{name}.{at}.{field.name}"
            if field.item is None:
                given[inner] = written(field, value)
            else:
                given |= _entries(card, question, (*path, field.name), inner, value)
    return given


def _places(given: Any, above: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every value with its place, inner values first."""
    if isinstance(given, Mapping):
        for name, value in given.items():
            yield from _places(value, f"{above}{name}.")
    elif isinstance(given, list):
        for at, entry in enumerate(given):
            yield from _places(_read(entry), f"{above}{at}.")
    if above:
        yield above[:-1], given


def _read(entry: Any) -> Any:
    """Return an entry of a list as a mapping, if it was given as one text."""
    try:
        return parse_pairs(entry) if isinstance(entry, str) else entry
    except BadInput:
        return entry


def _take(given: dict[str, Any], place: str) -> Any:
    """Take a value out."""
    *above, last = place.split(".")
    home: Any = given
    for part in above:
        at: Any = int(part) if isinstance(home, list) else part
        if isinstance(home[at], str):
            home[at] = split_entries(home[at]) if isinstance(home, dict) else _read(home[at])
        home = home[at]
    return home.pop(int(last) if isinstance(home, list) else last)


def clash_of(error: BattletapeError, card: Ruleset, question: Question, given: Mapping[str, Any]) -> str:
    """Return the place of a value that clashes with the others; if none does, what the rules name."""
    named = str(getattr(error, "kind", ""))
    if named in given:
        return named
    return _culprit(card, question, given, lambda posed, rest: posed.begin(*card.split(posed, rest))) or named


def _culprit(
    card: Ruleset, question: Question, given: Mapping[str, Any], read: Callable[[Question, dict[str, Any]], Any]
) -> str | None:
    """Return the value without which the rest can be read; a profile only as a last resort."""
    profiles = {path[0] for path in profile_choices(card, question) if len(path) == 1}
    for name in sorted(given, key=lambda name_given: name_given in profiles):
        try:
            read(question, {key: value for key, value in given.items() if key != name})
        except BattletapeError:
            continue
        return name
    return None
