"""What was asked, as a player would say it: “3 × Lascannon, side · Anvil · Smoke”; no names of the code.

Told is what differs from the defaults and the named profiles, and always what decides the game (the facing, the fire
mode, the weapon that a unit brings along), in the order of the form: profiles first.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from battletape.inputs import Field, Inputs, fields, is_placed
from battletape.system import Question, Ruleset
from battletape.views.profile_choices import Path, brought_by, profile_choices
from battletape.views.short_inputs import differing

AS_USUAL = "everything as the form suggests"
MAX_ENTRIES_TOLD = 3
"""How many entries of a list are told in full."""
SHORT_WORDS = ("A", "At", "By", "In", "Is", "It", "No", "Of", "On", "To")
DECISIVE = ("facing", "mode")
"""The parts of a form whose value is told even where it is the default."""


class InputText(Struct, frozen=True):
    """One thing that was asked for: its title and its value, and the two in a few words."""

    title: str
    value: str
    words: str
    name: str = ""  # of the input


def input_texts(ruleset: Ruleset, question: Question, inputs: Inputs, rulings: Inputs) -> tuple[InputText, ...]:
    """Return everything that was asked for."""
    texts = [
        _input_text(ruleset, question, (), field, value)
        for field, value in _worth_telling(ruleset, question, (), inputs)
    ]
    for ruling in fields(type(rulings)):
        value = getattr(rulings, ruling.name)
        if value != ruling.default:
            texts.append(_input_text(ruleset, question, (), ruling, value))
    return tuple(texts)


def _worth_telling(ruleset: Ruleset, question: Question, path: Path, values: Inputs) -> list[tuple[Field, Any]]:
    """Return what differs, each profile with those that it brings along, and what decides the game."""
    known = profile_choices(ruleset, question)
    differs = dict(differing(ruleset, question, path, values))
    shown: dict[Field, Any] = {}
    for field, value in differs.items():
        shown[field] = value
        if (*path, field.name) in known and value:
            shown |= {
                other: brought for other, brought in brought_by(known, path, field, values) if other not in differs
            }
    decides = (field for field in fields(type(values)) if field.part in DECISIVE and field not in shown)
    return [*shown.items(), *((field, getattr(values, field.name)) for field in decides)]


def question_line(ruleset: Ruleset, question: Question, inputs: Inputs, rulings: Inputs) -> str:
    """Return everything that was asked for, in one line."""
    words = [text.words for text in input_texts(ruleset, question, inputs, rulings)]
    return " · ".join(words) or AS_USUAL


def _input_text(ruleset: Ruleset, question: Question, path: Path, field: Field, value: Any) -> InputText:
    title = field.heading
    if field.item is not None:
        entries = _entries(ruleset, question, (*path, field.name), value)
        return InputText(title, entries, entries if value else f"no {title.lower()}", field.name)
    text = value_words(field, value)
    if (*path, field.name) in profile_choices(ruleset, question) and value:
        return InputText(title, text, text, field.name)
    words = in_words(field, value)
    if words == text and _is_said_of_another(question, field, value):
        words = _titled(field, text)
    return InputText(title, text, words, field.name)


def _is_said_of_another(question: Question, field: Field, value: Any) -> bool:
    """Return whether a bare word could be meant of another input, too: “full” is a fire mode, and an aim."""
    others = (other for other in fields(question.inputs) if other.kind == "choice" and other.name != field.name)
    return field.part not in DECISIVE and any(value in other.every for other in others)


def value_words(field: Field, value: Any) -> str:
    """Return a value as people write it, with its unit."""
    text = field.show(int(value) if isinstance(value, float) and value == int(value) else value)
    text = text.replace("_", " ") or "none"
    is_bare = text[-1:].isdigit() and field.unit and field.unit.lower() not in field.title.lower()
    return f"{text} {field.unit}" if is_bare else text


def in_words(field: Field, value: Any) -> str:
    """Return an input and its value in a few words: “Smoke”, “Smoke: no”, “side”, “BS 4”, “3+”."""
    text = value_words(field, value)
    if field.kind == "yes_no":
        title = field.short or field.heading
        return title if value is True else f"{title}: no"
    if field.kind in ("choice", "names") and field.part:
        return text
    return _titled(field, text)


def _titled(field: Field, text: str) -> str:
    title = field.short or field.heading
    return f"{title}: {text}" if " " in title else f"{title} {text}"


def lower(title: str) -> str:
    """Return a title within a sentence; BS and AP stay as they are."""
    first = title.split()[0] if title else ""
    is_short = len(first) < 3 and first not in SHORT_WORDS  # S, BS, Ld
    return title if is_short or not first[1:].islower() else title[:1].lower() + title[1:]


def _entries(ruleset: Ruleset, question: Question, path: Path, entries: Any) -> str:
    """Return a list in few words: “3 × Lascannon, side; Heavy bolter”."""
    if not entries:
        return "none"
    kind: type[Inputs] = type(entries[0])
    if is_placed(kind):
        names = [getattr(entry, "name", "") for entry in entries]
        named = ", ".join(name for name in names[:MAX_ENTRIES_TOLD] if name)
        more = f" and {len(names) - MAX_ENTRIES_TOLD} more" if len(names) > MAX_ENTRIES_TOLD else ""
        return f"{named}{more}" if named else f"{len(entries)} models on the table"
    shown = [_entry(ruleset, question, path, entry) for entry in entries]
    if len(shown) > MAX_ENTRIES_TOLD + 1:
        shown = [*shown[:MAX_ENTRIES_TOLD], f"and {len(shown) - MAX_ENTRIES_TOLD} more"]
    return "; ".join(shown)


def _entry(ruleset: Ruleset, question: Question, path: Path, entry: Inputs) -> str:
    known = profile_choices(ruleset, question)
    names, rest, count = [], [], 1
    for field, value in _worth_telling(ruleset, question, path, entry):
        if (*path, field.name) in known and value:
            names.append(str(value))
        elif _is_count(type(entry), field) and isinstance(value, int):
            count = value
        elif field.item is not None:
            rest.append(_entries(ruleset, question, (*path, field.name), value))
        elif field.kind == "text" and field.name == "name":
            names.insert(0, str(value))
        elif field.kind == "choice" and not str(value).isdigit():
            rest.append(value_words(field, value))
        else:
            rest.append(lower(in_words(field, value)))
    name = ", ".join(names)
    first = f"{count} × {name}" if name and count > 1 else name or (f"{count} of them" if count > 1 else "")
    return ", ".join(filter(None, (first, *rest))) or "as usual"


def _is_count(item: type[Inputs], field: Field) -> bool:
    """Return whether an input says how many of them there are."""
    return field.kind == "whole" and (field.part == "count" or field.name == item.counted_by)
