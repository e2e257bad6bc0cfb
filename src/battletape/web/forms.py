"""Addresses and forms: reads what was asked from a query string, and writes it as the shortest one.

An address says only what differs: `?weapon=Storm+carbine&models=10`. An entry of a list is one parameter in the words
of the command line: `?guns=weapon=Lascannon+models=2&guns=shots=3`. A form sends everything it holds, and the entries
of lists input by input: `guns.count=2&guns.0.weapon=…&guns.0.shots=…`.

Names with `_` in front belong to the page, not to the question:
    _form       the form sent this: answer with the short address
    _was.NAME   the profile a form was made with; if another is picked now, its numbers win
    _do         add:guns, drop:guns.1 or copy:guns.0; for models on a table also form:near.ring
    _form.NAME  how many models a formation has (count), and how far apart they stand (spacing)
    _measure    the measure shown; further ones belong to their pages and are kept
    _frame      the part of a board that is shown: its middle and the inches across, “0,18,9”
    _blank      every input as it is by default; an address that says nothing at all opens the example
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from typing import Any
from urllib.parse import quote_plus

from msgspec import Struct

from battletape.errors import BadInput, BattletapeError, echo, shortened
from battletape.inputs import Field, Inputs, arranged, fields, parse_value, show_place, value_of
from battletape.system import Question, Ruleset
from battletape.views.changed import changed_given, path_of
from battletape.views.profile_choices import Path, added_to, profile_choices
from battletape.views.short_inputs import Given
from battletape.words import is_count

Pairs = Sequence[tuple[str, str]]
MOST_PAIRS = 2_000
MOST_ENTRIES = 100
BLANK = "blank"
WITH_EXAMPLE = ("", "compare", "targets")
"""Pages of a question that open with its example if their address says nothing about it."""
FRAME = "frame"


class Sent(Struct, frozen=True):
    """What an address or a form says about the question, and about the page (names without their `_`)."""

    given: dict[str, Any]
    page: dict[str, str]
    from_form: bool
    before: Inputs | None = None  # what the form showed before other profiles were picked
    picked: tuple[str, ...] = ()  # the inputs where that was done, as the form names them

    @property
    def preset(self) -> str | None:
        """The named set of rulings it starts from."""
        named = self.given.get("preset")
        return named if isinstance(named, str) else None


def read_pairs(ruleset: Ruleset, question: Question, pairs: Pairs) -> Sent:
    """Return what the pairs of a query string say."""
    if len(pairs) > MOST_PAIRS:
        raise BadInput(f"an address may have at most {MOST_PAIRS:,} values; got {len(pairs):,}.")
    inputs: list[tuple[str, str]] = []
    page: dict[str, str] = {}
    was: dict[str, str] = {}
    formed: dict[str, str] = {}
    for name, value in pairs:
        if name.startswith("_was."):
            was[name.removeprefix("_was.")] = value
        elif name.startswith("_form."):
            formed[name.removeprefix("_form.")] = value
        elif name.startswith("_"):
            page[name[1:]] = value
        else:
            inputs.append((name, value))
    given = gather(inputs, {field.name: field for field in (*fields(ruleset.rulings), *fields(question.inputs))})
    if given.get("preset") == "":
        del given["preset"]
    if "preset" in was and was["preset"] != given.get("preset"):
        for field in fields(ruleset.rulings):
            given.pop(field.name, None)
    picked = _picked(ruleset, question, given, was)
    before = _take_profiles(ruleset, question, given, was, picked) if picked else None
    from_form = page.pop("form", "") != ""
    button = page.pop("do", "")
    if button.startswith("form:"):
        form_up(question, given, button, formed)
    elif button:
        change_list(given, button)
    return Sent(given, page, from_form, before, picked)


def write_query(given: Given, page: Mapping[str, str] | None = None) -> str:
    """Return the shortest query string, without its “?”."""
    pairs: list[tuple[str, str]] = []
    for name, value in given.items():
        pairs += [(name, part) for part in value] if isinstance(value, list) else [(name, value)]
    pairs += [(f"_{name}", value) for name, value in (page or {}).items()]
    return "&".join(f"{_quoted(name)}={_quoted(value)}" for name, value in pairs)


def write_address(ruleset: str, question: str, given: Given, page: Mapping[str, str] | None = None) -> str:
    """Return the address of a question; one of defaults alone says so, for a bare address opens the example."""
    values = {name: value for name, value in (page or {}).items() if name != BLANK}
    if not given and question.partition("/")[2] in WITH_EXAMPLE:
        values = {BLANK: "1", **values}
    query = write_query(given, values)
    return write_path(ruleset, question) + (f"?{query}" if query else "")


def write_path(ruleset: str, question: str) -> str:
    """Return where the page of a question is, without what it is asked with."""
    return f"/{quote_plus(ruleset)}/{quote_plus(question, safe='/')}"


def _quoted(text: str) -> str:
    return quote_plus(text, safe=",=")


def gather(pairs: Iterable[tuple[str, str]], known: Mapping[str, Field]) -> dict[str, Any]:
    """Return pairs as values by name; dotted names become lists of entries."""
    plain: dict[str, list[str]] = {}
    dotted: dict[str, list[tuple[str, str]]] = {}
    for name, value in pairs:
        head, dot, rest = name.partition(".")
        if dot:
            dotted.setdefault(head, []).append((rest, value))
        else:
            plain.setdefault(name, []).append(value)
    given: dict[str, Any] = {}
    for name, values in plain.items():
        field = known.get(name.replace("-", "_"))
        kind = field.kind if field else ""
        if kind == "many":
            given[name] = values if len(values) > 1 else values[0]
        elif kind in ("names", "whole_list"):
            given[name] = ",".join(value for value in values if value)
        else:
            given[name] = values[-1]
    for name, inner in dotted.items():
        field = known.get(name)
        item = field.item if field else None
        given[name] = _entries(name, inner, item)
    return given


def _entries(name: str, pairs: Iterable[tuple[str, str]], item: type[Inputs] | None) -> list[dict[str, Any]]:
    count = 0
    by_number: dict[int, list[tuple[str, str]]] = {}
    for place, value in pairs:
        number, _, rest = place.partition(".")
        if place == "count":
            count = int(value) if re.fullmatch(r"[0-9]{1,3}", value) else MOST_ENTRIES + 1
        elif re.fullmatch(r"[0-9]{1,3}", number) and rest:
            by_number.setdefault(int(number), []).append((rest, value))
        else:
            raise BadInput(f"there is no input {echo(f'{name}.{place}')} here.", field=name)
    count = max(count, *(number + 1 for number in by_number), 0)
    if count > MOST_ENTRIES:
        raise BadInput(f"{shortened(name)} may have at most {MOST_ENTRIES} entries.", field=name)
    known = {field.name: field for field in fields(item)} if item else {}
    return [gather(by_number.get(number, ()), known) for number in range(count)]


def _picked(ruleset: Ruleset, question: Question, given: dict[str, Any], was: Mapping[str, str]) -> tuple[str, ...]:
    """Return the inputs that name another profile than the form was made with."""
    known = profile_choices(ruleset, question)
    places = ((name, before, _find(given, name.split(".")[:-1])) for name, before in was.items())
    return tuple(
        name
        for name, before, values in places
        if values is not None and path_of(name) in known and (values.get(_last(name)) or "") != before
    )


def _take_profiles(
    ruleset: Ruleset, question: Question, given: dict[str, Any], was: Mapping[str, str], picked: Sequence[str]
) -> Inputs | None:
    """Replace the numbers still in the form if another profile was picked, unless the player set them.

    The form is read as it was before; only numbers that no profile had brought count as the player's own.
    """
    before = deepcopy(given)
    for name in picked:
        _level(before, name)[_last(name)] = was[name]
    new = {name: _level(given, name)[_last(name)] for name in picked if _level(given, name).get(_last(name))}
    try:
        inputs, rulings = ruleset.split(question, before)
    except BattletapeError:
        inputs = None
    if inputs is None or len(new) < len(picked):
        _keep_numbers(ruleset, question, given, was, picked)
        return inputs
    brought = _brought(ruleset, question, before, picked)
    lists = {
        name: value
        for name, value in given.items()
        if isinstance(value, list) and not (name in brought and brought[name] == value_of(inputs, name))
    }
    preset = given.get("preset")
    given.clear()
    given |= lists | changed_given(ruleset, question, inputs, rulings, preset, new)
    if preset:
        given["preset"] = preset
    return inputs


def _brought(
    ruleset: Ruleset, question: Question, before: Mapping[str, Any], picked: Sequence[str]
) -> Mapping[str, Any]:
    """Return the lists that picks fill, as the previous profiles alone filled them."""
    known = profile_choices(ruleset, question)
    filled = {field for name in picked for field in known[path_of(name)].fills if len(path_of(name)) == 1}
    names = {path[0]: before[path[0]] for path in known if len(path) == 1 and before.get(path[0])}
    try:
        inputs, _ = ruleset.split(question, names)
    except BattletapeError:
        return {}
    return {name: getattr(inputs, name) for name in filled if isinstance(getattr(inputs, name, None), tuple)}


def _keep_numbers(
    ruleset: Ruleset, question: Question, given: dict[str, Any], was: Mapping[str, str], picked: Sequence[str]
) -> None:
    """Keep the numbers and fixed names of a profile that is removed; those of another profile win."""
    known = profile_choices(ruleset, question)
    for name in picked:
        path, values = path_of(name), _level(given, name)
        if values.get(path[-1]):
            for fill in known[path].fills:
                values.pop(fill, None)
            continue
        level = {_last(other): text for other, text in was.items() if text and _above(other) == _above(name)}
        for added, fixed in added_to(ruleset, question, path[:-1], _shape(question, path[:-1]), level).items():
            values[added] = ",".join((*fixed, *filter(None, [values.get(added)])))


def _level(given: dict[str, Any], name: str) -> dict[str, Any]:
    """Return the values that an input belongs to."""
    level = _find(given, name.split(".")[:-1])
    assert level is not None, name
    return level


def _above(name: str) -> str:
    return name.rpartition(".")[0]


def _last(name: str) -> str:
    return name.rpartition(".")[2]


def _shape(question: Question, path: Path) -> type[Inputs]:
    """Return the inputs of the question, or of an entry of the list at this place."""
    shape: type[Inputs] = question.inputs
    for part in path:
        shape = next(field.item for field in fields(shape) if field.name == part and field.item is not None)
    return shape


def change_list(given: dict[str, Any], button: str) -> None:
    """Add, copy or drop an entry of a list."""
    act, _, place = button.partition(":")
    parts = place.split(".")
    if act == "add":
        entries = _list_at(given, parts)
        if entries is not None:
            entries.append({})
            return
    elif act in ("drop", "copy") and is_count(parts[-1]):
        entries = _list_at(given, parts[:-1])
        at = int(parts[-1])
        if entries is not None and at < len(entries):
            if act == "drop":
                del entries[at]
            else:
                entries.insert(at + 1, entries[at])
            return
    raise BadInput.of("_do", f"must be add:LIST, drop:LIST.0 or copy:LIST.0; got {echo(button)}.")


def form_up(question: Question, given: dict[str, Any], button: str, formed: Mapping[str, str]) -> None:
    """Put the models of a list into a formation."""
    name, _, formation = button.removeprefix("form:").partition(".")
    field = next((field for field in fields(question.inputs) if field.name == name and field.form == "places"), None)
    if field is None or field.item is None:
        raise BadInput.of("_do", f"must be form:LIST.FORMATION for a list of models; got {button[:80]!r}.")
    models = parse_value(field, given.get(name, field.default))
    count, spacing = (formed.get(f"{name}.{part}", "").strip() for part in ("count", "spacing"))
    if not re.fullmatch(r"[0-9]{1,3}", count) or not re.fullmatch(r"[0-9]{0,3}(\.[0-9]{1,4})?", spacing):
        raise BadInput(
            f"a formation needs a number of models and inches between them; got {count[:20]!r} and {spacing[:20]!r}.",
            field=name,
        )
    given[name] = [
        show_place(model) for model in arranged(models, formation, int(count), float(spacing or 0), field.item)
    ]


def _find(given: Any, parts: Sequence[str]) -> dict[str, Any] | None:
    """Return the values of the question itself, or of an entry of a list."""
    for part in parts:
        if isinstance(given, dict):
            given = given.get(part)
        elif isinstance(given, list) and is_count(part) and int(part) < len(given):
            given = given[int(part)]
        else:
            return None
    return given if isinstance(given, dict) else None


def _list_at(given: dict[str, Any], parts: Sequence[str]) -> list[Any] | None:
    home = _find(given, parts[:-1])
    if home is None:
        return None
    entries = home.setdefault(parts[-1], [])
    return entries if isinstance(entries, list) else None
