"""The form for a player's own unit or weapon: controls for its kind, with values from our profiles to pick."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from battletape.errors import BadInput
from battletape.inputs import Field, Inputs, fields, parse_value
from battletape.profiles import named_entry
from battletape.system import Ruleset
from battletape.views.controls import ChoiceView, ControlView, EntryView, make_control
from battletape.views.own_text import LONGEST_NAME
from battletape.views.profile_choices import Path

PREFIX = "e."
"""The prefix of the form's inputs, because a profile may have a key of any name."""
MOST_TOGGLES = 24


class EntryFault(Struct, frozen=True):
    """A value that does not fit: the input, and a sentence."""

    name: str
    sentence: str


class KnownTexts(Struct, frozen=True):
    """What the profiles of a kind hold in a text: the values, and whether they are names of another kind."""

    values: tuple[str, ...]
    kind: str = ""


def entry_controls(ruleset: Ruleset, kind: str, given: Mapping[str, Any]) -> tuple[ControlView, ...]:
    """Return the controls of an entry, filled in with what was given, even if it does not fit."""
    shape: type[Inputs] = ruleset.book.kinds[kind]
    return tuple(_controls(ruleset, kind, shape, (), PREFIX, given))


def read_entry(ruleset: Ruleset, kind: str, given: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[EntryFault, ...]]:
    """Return an entry from the values of the form: what differs from the defaults; and a sentence for each misfit."""
    values: dict[str, Any] = {}
    misfits: list[EntryFault] = []
    for field in fields(ruleset.book.kinds[kind]):
        if field.name not in given:
            continue
        try:
            value = parse_value(field, given[field.name])
        except BadInput as error:
            misfits.append(EntryFault(PREFIX + field.name, str(error)))
            continue
        if field.name == "name" or value != field.default:
            values[field.name] = _plain(value)
    if not str(values.get("name", "")).strip():
        misfits.insert(0, EntryFault(PREFIX + "name", f"A {kind} needs a name."))
    if len(str(values.get("name", ""))) > LONGEST_NAME:
        sentence = f"A name may have at most {LONGEST_NAME} characters; got {len(str(values['name']))}."
        misfits.insert(0, EntryFault(PREFIX + "name", sentence))
    return {"name": values.pop("name", ""), **values}, tuple(misfits)


def entry_values(entry: Inputs) -> dict[str, Any]:
    """Return a profile as the values that differ from the defaults, to begin a form with."""
    return {field.name: _plain(getattr(entry, field.name)) for field in fields(type(entry)) if _differs(entry, field)}


def _differs(entry: Inputs, field: Field) -> bool:
    return bool(getattr(entry, field.name) != field.default)


def _plain(value: Any) -> Any:
    """Return a value as TOML holds it: entries of lists with what differs from their defaults."""
    if isinstance(value, Inputs):
        own = fields(type(value))
        kept = {
            field.name: _plain(getattr(value, field.name))
            for field in own
            if getattr(value, field.name) != field.default
        }
        return kept or {own[0].name: _plain(getattr(value, own[0].name))}
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    return value


def _controls(
    ruleset: Ruleset, kind: str, shape: type[Inputs], path: Path, prefix: str, given: Mapping[str, Any]
) -> Iterator[ControlView]:
    for field in fields(shape):
        value = given.get(field.name, field.default)
        name = prefix + field.name
        if field.item is not None:
            yield _list(ruleset, kind, field, (*path, field.name), name, value)
            continue
        made = make_control(field, name, *_parsed(field, value), None)
        if isinstance(value, str) and made.value != value and not _fits(field, value):
            made = replace(made, value=value)
        yield _with_seen(made, field, _seen(ruleset, kind).get((*path, field.name), KnownTexts(())), path)


def _parsed(field: Field, value: Any) -> tuple[Any, Any]:
    """Return the value for the control, and the default; a value that does not fit is shown as the default."""
    try:
        return parse_value(field, value), field.default
    except BadInput:
        return field.default, field.default


def _fits(field: Field, value: Any) -> bool:
    try:
        parse_value(field, value)
    except BadInput:
        return False
    return True


def _list(ruleset: Ruleset, kind: str, field: Field, path: Path, name: str, value: Any) -> ControlView:
    assert field.item is not None
    entries = value if isinstance(value, (list, tuple)) else ()
    item = field.title if field.title.endswith("ss") else field.title.removesuffix("s")
    made = []
    for at, raw in enumerate(entries):
        entry = named_entry(raw)
        if isinstance(entry, Inputs):
            entry = {key: getattr(entry, key) for key in entry.__struct_fields__}
        given = entry if isinstance(entry, Mapping) else {}
        inner = tuple(_controls(ruleset, kind, field.item, path, f"{name}.{at}.", given))
        made.append(EntryView(at, f"{item} {at + 1}" if len(entries) > 1 else item, inner, ()))
    return ControlView(
        name=name,
        title=field.title,
        kind="list",
        value="own" if made else "same",
        base="same",
        wants=field.wants,
        description=field.description,
        clause=field.clause,
        entries=tuple(made),
        item=item,
    )


def _with_seen(control: ControlView, field: Field, seen: KnownTexts, path: Path) -> ControlView:
    """Return a control with the values that our profiles hold there: names to pick, words to tick, or examples."""
    if field.name == "name" and not path:
        return control
    values = dict.fromkeys(seen.values)
    if field.kind == "text" and seen.kind:
        listed = dict.fromkeys(([control.value] if control.value else []) + list(values))
        return replace(
            control, kind="select", choices=tuple(ChoiceView(text, text or "none") for text in ("", *listed))
        )
    if field.kind == "names" and not control.choices and 0 < len(values) <= MOST_TOGGLES:
        own = [part for part in control.value.split(", ") if part]
        listed = dict.fromkeys((*values, *own))
        choices = tuple(ChoiceView(text, text.replace("_", " ")) for text in listed)
        return replace(control, kind="toggles", choices=choices)
    if field.kind in ("text", "names") and values and not control.description:
        return replace(control, description="such as " + ", ".join(list(values)[:4]))
    return control


@lru_cache(64)
def _seen(ruleset: Ruleset, kind: str) -> Mapping[Path, KnownTexts]:
    """Return the texts that the profiles of a kind hold at each place."""
    book = ruleset.book
    texts: dict[Path, dict[str, None]] = {}
    for entry in book.entries[kind].values():
        _collect(entry, (), texts)
    seen: dict[Path, KnownTexts] = {}
    for path, values in texts.items():
        if path == ("name",):
            continue
        seen[path] = KnownTexts(tuple(values))
        for other, entries in book.entries.items():
            names = {entry.lower() for entry in entries}
            if 2 * sum(value.lower() in names for value in values) > len(values):
                seen[path] = KnownTexts((*entries, *(value for value in values if value.lower() not in names)), other)
    return seen


def _collect(entry: Inputs, path: Path, texts: dict[Path, dict[str, None]]) -> None:
    for field in fields(type(entry)):
        value = getattr(entry, field.name)
        place = (*path, field.name)
        if field.item is not None:
            for inner in value:
                _collect(inner, place, texts)
        elif field.kind == "text" and value:
            texts.setdefault(place, {})[value] = None
        elif field.kind == "names":
            texts.setdefault(place, {}).update(dict.fromkeys(value))
