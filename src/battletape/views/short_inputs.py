"""A question in the fewest words: only what differs from the defaults and the named profiles."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from battletape.errors import BattletapeError
from battletape.inputs import (
    Field,
    Inputs,
    fields,
    is_placed,
    quoted,
    show_inputs,
    show_place,
)
from battletape.system import Question, Ruleset
from battletape.understood import entries_given, names_read, pairs_of
from battletape.views.profile_choices import Path, base_inputs, brought_by, own_names, profile_choices, steered_by

ROUNDS = 4
"""How often to add inputs that would be misread, because one input may fill in another."""
Given = dict[str, str | list[str]]
"""A question as texts by name; a list of entries is a list of texts such as “weapon=Lascannon models=2”."""


def short_given(
    ruleset: Ruleset, question: Question, inputs: Inputs, rulings: Inputs, preset: str | None = None
) -> Given:
    """Return what a player has to say to ask this; reading it gives the same inputs and rulings again."""
    decided = short_rulings(ruleset, rulings, preset)
    every: Given = {field.name: field.show(getattr(inputs, field.name)) for field in fields(type(inputs))}
    own = {
        field.name: every[field.name] for field in fields(type(inputs)) if getattr(inputs, field.name) != field.default
    }
    return faithful(ruleset, question, inputs, (_short_inputs(ruleset, question, inputs), own), every, decided)


def faithful(
    ruleset: Ruleset,
    question: Question,
    inputs: Inputs,
    starts: Iterable[dict[str, Any]],
    every: dict[str, Any],
    decided: dict[str, Any],
) -> dict[str, Any]:
    """Return the first wording of a question that reads back as these inputs, with whatever has to be added."""
    for start in starts:
        given = start
        for _ in range(ROUNDS):
            missing = _misread(ruleset, question, given | decided, inputs)
            if not missing:
                return given | decided
            if missing <= given.keys():
                break
            given = given | {name: every[name] for name in every if name in missing and name not in given}
    return every | decided


FEW_NAMES = 8
"""Up to this many known names stand side by side; more are picked from a sheet."""


def listed_names(field: Field) -> list[str]:
    """Return the names that a list takes, if there are few enough to stand side by side."""
    few = len(field.known) <= FEW_NAMES and field.form != "ordered"
    return [name for name, _ in field.known] if few else []


def written(field: Field, value: Any) -> str:
    """Return a value as a form or an address holds it: 12 for 12.0, 5 for a save of 5+, and nothing for an empty
    text.
    """
    if isinstance(value, (int, float)) and not isinstance(value, bool) and field.kind in ("whole", "number"):
        return str(int(value)) if value == int(value) else str(value)
    return field.show(value)


def _short_inputs(ruleset: Ruleset, question: Question, inputs: Inputs) -> Given:
    given: Given = {}
    for field, value in differing(ruleset, question, (), inputs):
        if field.item is None:
            given[field.name] = written(field, value)
        else:
            given[field.name] = [_entry(ruleset, question, (field.name,), entry) for entry in value] or "none"
    return given


def short_rulings(ruleset: Ruleset, rulings: Inputs, preset: str | None) -> Given:
    base = ruleset.parse_rulings({} if preset is None else {"preset": preset})
    given: Given = {} if preset is None or base == ruleset.rulings() else {"preset": preset}
    for field in fields(type(rulings)):
        value = getattr(rulings, field.name)
        if value != getattr(base, field.name):
            given[field.name] = written(field, value)
    return given


def _entry(ruleset: Ruleset, question: Question, path: Path, item: Inputs) -> str:
    """Return one entry of a list as name=value pairs; a model on the table as its name and place."""
    if is_placed(type(item)):
        return show_place(item)
    pairs: list[str] = []
    for field, value in differing(ruleset, question, path, item):
        text = written(field, value)
        if field.item is not None:
            text = " ; ".join(_entry(ruleset, question, (*path, field.name), entry) for entry in value) or "none"
        pairs.append(f"{field.name}={quoted(text)}")
    first = next((field for field in fields(type(item)) if field.kind == "whole"), fields(type(item))[0])
    return " ".join(pairs) or show_inputs(item) or f"{first.name}={quoted(written(first, getattr(item, first.name)))}"


def differing(ruleset: Ruleset, question: Question, path: Path, values: Inputs) -> list[tuple[Field, Any]]:
    """Return the fields that differ from profiles and defaults; the names of profiles come first."""
    names = own_names(ruleset, question, path, values)
    steered = steered_by(ruleset, question, path, values, names)
    base = base_inputs(ruleset, question, path, type(values), names | steered)
    rest = [
        (field, getattr(values, field.name))
        for field in fields(type(values))
        if field.name in steered
        or (field.name not in names and not _same(field, getattr(values, field.name), getattr(base, field.name)))
    ]
    return [(field, names[field.name]) for field in fields(type(values)) if field.name in names] + rest


def _misread(ruleset: Ruleset, question: Question, given: Mapping[str, Any], inputs: Inputs) -> set[str]:
    """Return the inputs that would be misread; all of them if nothing can be read."""
    try:
        read, _ = ruleset.split(question, given)
    except BattletapeError:
        return {field.name for field in fields(type(inputs))}
    known = fields(type(inputs))
    return {field.name for field in known if not _same(field, getattr(read, field.name), getattr(inputs, field.name))}


def _same(field: Field, value: Any, other: Any) -> bool:
    """Return whether two values mean the same: names that are ticked in a list have no order."""
    return bool(value == other or (field.kind == "names" and listed_names(field) and sorted(value) == sorted(other)))


# --- what was understood ----------------------------------------------------------------------------------------------


def understood(ruleset: Ruleset, question: Question, given: Mapping[str, Any]) -> tuple[str, ...]:
    """Return how names were read that players typed in their own way, and what an entry without a name takes
    instead.
    """
    inputs, _ = ruleset.split(question, given)
    takes = (
        taken
        for field in fields(question.inputs)
        if field.item is not None
        for where, text, entry in entries_given(field, given.get(field.name), getattr(inputs, field.name))
        for taken in _taken(ruleset, question, field, where, text, entry)
    )
    return (*names_read(given, inputs), *takes, *_brought(ruleset, question, given, inputs))


def _brought(ruleset: Ruleset, question: Question, given: Mapping[str, Any], inputs: Inputs) -> Iterable[str]:
    """Return the weapon in use, where none is named."""
    read = (field for field in fields(question.inputs) if field.takes_profile and getattr(inputs, field.name))
    if all(given.get(field.name) for field in read):
        return  # without a look at all profiles, which takes its time
    known = profile_choices(ruleset, question)
    for owner in fields(question.inputs):
        brought = brought_by(known, (), owner, inputs) if (owner.name,) in known and given.get(owner.name) else ()
        for field, value in brought:
            if not given.get(field.name):
                yield f"No {known[field.name,].kind} is named; that of {getattr(inputs, owner.name)} is {value}."


def _taken(ruleset: Ruleset, question: Question, field: Field, where: str, text: Any, entry: Inputs) -> Iterable[str]:
    """Return the numbers that an entry without a name takes, where a name would have given others."""
    pairs, first = pairs_of(text, entry), fields(type(entry))[0]
    pick = (
        profile_choices(ruleset, question).get((field.name, first.name))
        if pairs and not getattr(entry, first.name)
        else None
    )
    taken = [known for known in fields(type(entry)) if pick and known.name in pick.fills and known.name not in pairs]
    if pick is not None and len(taken) == len([known for known in fields(type(entry)) if known.name in pick.fills]):
        numbers = ", ".join(f"{known.name} {known.show(getattr(entry, known.name))}" for known in taken)
        yield f"{where}: no {pick.kind} is named, so it takes {numbers}."
