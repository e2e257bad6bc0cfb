"""A question with something changed: another weapon, another range, another gun in a list.

A change names its input as a form does (`weapon`, `guns.0.weapon`). If it names another profile, the numbers of that
profile replace those that the one before it brought; what the player set stays (a fire mode, a number of dice). Other
named profiles stay too, so the same profiles ask the same question in any order.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from battletape.errors import BadInput, BattletapeError, echo
from battletape.inputs import Inputs, fields, value_of
from battletape.system import Question, Ruleset
from battletape.views.profile_choices import Path, ProfileChoice, added_to, own_names, profile_choices
from battletape.views.short_inputs import differing, faithful, short_rulings, written
from battletape.words import is_count

MOST_ENTRIES = 100


def change(
    ruleset: Ruleset,
    question: Question,
    inputs: Inputs,
    rulings: Inputs,
    preset: str | None,
    changes: Mapping[str, str],
) -> tuple[Inputs, Inputs]:
    """Return the inputs and rulings with these changes; raises BadInput if one does not fit."""
    return ruleset.split(question, changed_given(ruleset, question, inputs, rulings, preset, changes))


def changed_given(
    ruleset: Ruleset,
    question: Question,
    inputs: Inputs,
    rulings: Inputs,
    preset: str | None,
    changes: Mapping[str, str],
) -> dict[str, Any]:
    """Return what a player says to ask the question with these changes, entry by entry."""
    return with_changes(ruleset, question, inputs, spread_given(ruleset, question, inputs, rulings, preset), changes)


Left = dict[str, Mapping[str, Any]]
"""By the name of an input with a profile: what is still said of its numbers when it names another one."""


def with_changes(
    ruleset: Ruleset,
    question: Question,
    inputs: Inputs,
    current: Mapping[str, Any],
    changes: Mapping[str, str],
    left: Left | None = None,
) -> dict[str, Any]:
    """Return what a player says to ask the question with these changes, from what is said to ask it without them.

    What stays of each profile is noted in `left`, for players who change the same question often.
    """
    given: dict[str, Any] = _copied(current)
    known = profile_choices(ruleset, question)
    left = {} if left is None else left
    for name, value in changes.items():
        *above, last = name.split(".")
        values = _place(given, above, inputs, name)
        path = path_of(name)
        if path in known and values.get(last) != value:
            if name not in left:
                left[name] = _set_by_player(ruleset, question, inputs, current, name)
            for fill in _numbers(known, path):
                values.pop(fill, None)
            values |= _copied(left[name])
        values[last] = value
    return given


def _numbers(known: Mapping[Path, ProfileChoice], path: Path) -> list[str]:
    """Return the inputs that a profile fills in, without other profiles: one that was named stays, whichever came
    first.
    """
    return [fill for fill in known[path].fills if (*path[:-1], fill) not in known]


def _set_by_player(
    ruleset: Ruleset, question: Question, inputs: Inputs, current: Mapping[str, Any], name: str
) -> dict[str, Any]:
    """Return what the player set of the inputs that a profile fills in: what is otherwise than that profile brings it.

    Where no profile has brought them, numbers stand for one themselves and go with it; how it is used stays: a fire
    mode, how many there are, a circumstance.
    """
    *above, last = name.split(".")
    path = path_of(name)
    known = profile_choices(ruleset, question)
    given: dict[str, Any] = _copied(current)
    values = _place(given, above, inputs, name)
    taken = {fill: values.pop(fill) for fill in _numbers(known, path) if fill in values}
    home: Inputs = value_at(inputs, ".".join(above)) if above else inputs
    if not taken or home is None:
        return taken
    shape = {field.name: field for field in fields(type(home))}
    named = own_names(ruleset, question, path[:-1], home)
    if not value_of(home, last):
        brought_by_others = {fill for other in named for fill in known[*path[:-1], other].fills}
        return {fill: text for fill, text in taken.items() if shape[fill].part or fill in brought_by_others}
    try:
        read: Inputs = ruleset.split(question, given)[0]
    except BattletapeError:  # what is said cannot be read without it
        return taken
    brought = value_at(read, ".".join(above)) if above else read
    own = {fill: text for fill, text in taken.items() if getattr(home, fill) != getattr(brought, fill)}
    for fill, fixed in added_to(ruleset, question, path[:-1], type(home), named).items():
        if fill in own:
            own[fill] = written(shape[fill], tuple(name for name in getattr(home, fill) if name not in fixed))
    return own


def _copied(given: Any) -> Any:
    """Return words that may be changed, with all their lists and entries."""
    if isinstance(given, Mapping):
        return {name: _copied(value) for name, value in given.items()}
    return [_copied(entry) for entry in given] if isinstance(given, list) else given


def spread_given(
    ruleset: Ruleset, question: Question, inputs: Inputs, rulings: Inputs, preset: str | None = None
) -> dict[str, Any]:
    """Return a question in few words, its lists entry by entry; reading it gives the same inputs and rulings again."""
    starts = (_spread(ruleset, question, (), inputs), _all(inputs))
    decided: dict[str, Any] = {**short_rulings(ruleset, rulings, preset)}
    return faithful(ruleset, question, inputs, starts, _all(inputs, usual=True), decided)


def flat_given(given: Mapping[str, Any], above: str = "") -> dict[str, str]:
    """Return inputs with a dotted name for each input of an entry, as a form sends it: guns.0.weapon."""
    flat: dict[str, str] = {}
    for name, value in given.items():
        if isinstance(value, list):
            flat[f"{above}{name}.count"] = str(len(value))
            for at, entry in enumerate(value):
                flat |= flat_given(entry, f"{above}{name}.{at}.")
        else:
            flat[above + name] = str(value)
    return flat


def value_at(inputs: Inputs, name: str) -> Any:
    """Return the value of an input by its name in a form; None if there is none."""
    value: Any = inputs
    for part in name.split("."):
        if isinstance(value, (list, tuple)):
            value = value[int(part)] if is_count(part) and int(part) < len(value) else None
        else:
            value = value_of(value, part)
    return value


def path_of(name: str) -> Path:
    """Return the path of an input, for any entry: ("guns", "weapon") for guns.0.weapon."""
    return tuple(part for part in name.split(".") if not is_count(part))


def name_at(path: Path) -> str:
    """Return the name of an input in the first entry of every list above it: guns.0.weapon."""
    return ".0.".join(path)


def _place(given: dict[str, Any], above: list[str], inputs: Inputs, name: str) -> dict[str, Any]:
    """Return the values that a change belongs to; a missing entry is added."""
    values: Any = given
    for at, part in enumerate(above):
        if isinstance(values, dict) and not is_count(part):
            entries = value_of(inputs, part) if at == 0 else None
            if part not in values and isinstance(entries, tuple):
                values[part] = [_all(entry) for entry in entries]
            values = values.setdefault(part, [])
        elif isinstance(values, list) and is_count(part) and int(part) <= min(len(values), MOST_ENTRIES):
            if int(part) == len(values):
                values.append({})
            values = values[int(part)]
        else:
            raise BadInput(f"there is no input {echo(name)} here.", field=above[0])
    if not isinstance(values, dict):
        raise BadInput(f"there is no input {echo(name)} here.", field=above[0])
    return values


def _spread(ruleset: Ruleset, question: Question, path: Path, values: Inputs) -> dict[str, Any]:
    pairs: dict[str, Any] = {}
    for field, value in differing(ruleset, question, path, values):
        if field.item is None:
            pairs[field.name] = written(field, value)
        else:
            pairs[field.name] = [_spread(ruleset, question, (*path, field.name), entry) for entry in value] or "none"
    return pairs


def _all(values: Inputs, usual: bool = False) -> dict[str, Any]:
    """Return every value that differs from its default; with `usual`, the others too."""
    return {
        field.name: written(field, getattr(values, field.name))
        if field.item is None
        else [_all(entry) for entry in getattr(values, field.name)] or "none"
        for field in fields(type(values))
        if usual or getattr(values, field.name) != field.default
    }
