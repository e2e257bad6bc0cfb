"""Profiles to show: units and weapons as tables, and one by name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from battletape.errors import BattletapeError, UnknownName
from battletape.inputs import Field, Inputs, fields, show_inputs
from battletape.system import Question, Ruleset
from battletape.words import capital, matching_names

INITIALS = {"Bs": "BS", "Ws": "WS", "Ap": "AP", "Hp": "HP", "hp": "HP", "bs": "BS"}
"""What a title made of a name should be: an abbreviation."""
LONGEST_HEAD = 14


class ProfileView(Struct, frozen=True):
    """A profile: short values by key, lists by key, and what each key is called."""

    kind: str
    name: str
    values: dict[str, str]
    lists: dict[str, str]
    titles: dict[str, str]
    questions: tuple[str, ...]  # those that take it by name


class KindView(Struct, frozen=True):
    """All profiles of one kind, and the keys of a table of them, with heads for a terminal and labels for a page."""

    kind: str
    title: str
    keys: tuple[str, ...]
    heads: dict[str, str]
    labels: dict[str, str]
    kinds: dict[str, str]  # of each key: whole, number, choice, yes_no, text
    profiles: tuple[ProfileView, ...]


class BookView(Struct, frozen=True):
    """The profiles of a ruleset, with the players' own files among them."""

    ruleset: str
    files: tuple[str, ...]
    kinds: tuple[KindView, ...]


def book_view(ruleset: Ruleset, files: Sequence[str] = ()) -> BookView:
    """Return every profile to show."""
    return BookView(ruleset.name, tuple(files), tuple(_kind(ruleset, kind) for kind in reversed(ruleset.book.kinds)))


def find_profile(ruleset: Ruleset, name: str) -> tuple[ProfileView, ...]:
    """Return the profiles of this name, of whatever kind; raises UnknownName with the nearest one."""
    book = ruleset.book
    profiles = tuple(
        _profile(ruleset, kind, entry)
        for kind, entries in book.entries.items()
        for own, entry in entries.items()
        if own.lower() == name.strip().lower()
    )
    if not profiles:
        names = [own for entries in book.entries.values() for own in entries]
        fits = matching_names(name, names)
        if len(fits) != 1:
            raise UnknownName("profile", name, dict.fromkeys(names), source=ruleset.name)
        return find_profile(ruleset, fits[0])
    return profiles


def way_to_ask(ruleset: Ruleset, kind: str, name: str) -> tuple[Question, dict[str, Any]] | None:
    """Return a question that takes this profile by its name and can be asked with nothing else; None if there is none.

    An input called like the kind of profile comes first, then a list whose entries have one, then any other; then what
    is worn, and what another profile carries, such as the rounds of a launcher.
    """
    ways = [(question, path) for question in ruleset.questions if question.fill for path in _texts(question.inputs)]
    ways.sort(key=lambda way: (way[1][-1] != kind, not _leads(way[0], way[1])))
    for question, path in ways:
        given: dict[str, Any] = {path[-1]: name}
        if len(path) > 1:
            given = {path[0]: [name if _leads(question, path) else given]}
        try:
            inputs, rulings = ruleset.split(question, given)
            named = inputs if len(path) == 1 else getattr(inputs, path[0])[0]
            bare = type(named)(**{path[-1]: name})
            if getattr(named, path[-1]) == name and named != bare:  # its numbers came with the name
                question.begin(inputs, rulings)
                return question, given
        except BattletapeError:
            continue
    return next((way for way in _worn_or_carried(ruleset, kind, name) if _can_be_asked(ruleset, *way)), None)


def _worn_or_carried(ruleset: Ruleset, kind: str, name: str) -> Iterator[tuple[Question, dict[str, Any]]]:
    """Yield questions with a list of names of this kind, and those that take it beside the profile that carries it."""
    lists = [field.name for field in fields(ruleset.book.kinds[kind]) if field.kind == "names"]
    carriers = [
        (carrier, key, name if carrier != name else getattr(entry, key)[0])  # a launcher fires its first kind of round
        for carrier, entry in ruleset.book.entries[kind].items()
        for key in lists
        if name in getattr(entry, key) or (carrier == name and getattr(entry, key))
    ]
    for question in ruleset.questions:
        taken = {field.name: field for field in fields(question.inputs) if field.profile == kind}
        yield from ((question, {key: name}) for key, field in taken.items() if field.kind == "names")
        yield from ((question, {kind: carrier, key: loaded}) for carrier, key, loaded in carriers if key in taken)


def _can_be_asked(ruleset: Ruleset, question: Question, given: dict[str, Any]) -> bool:
    try:
        question.begin(*ruleset.split(question, given))
    except BattletapeError:
        return False
    return True


def _texts(inputs: type[Inputs]) -> Iterator[tuple[str, ...]]:
    """Yield the inputs that are texts, and those in the entries of a list."""
    for field in fields(inputs):
        if field.kind == "text":
            yield (field.name,)
        elif field.item is not None:
            yield from ((field.name, inner.name) for inner in fields(field.item) if inner.kind == "text")


def _leads(question: Question, path: tuple[str, ...]) -> bool:
    """Return whether it is an input of the question itself, or the first one of an entry, for which a bare name
    will do.
    """
    if len(path) == 1:
        return True
    item = next(field.item for field in fields(question.inputs) if field.name == path[0])
    return item is not None and fields(item)[0].name == path[1]


def _kind(ruleset: Ruleset, kind: str) -> KindView:
    book = ruleset.book
    short = [
        field for field in fields(book.kinds[kind]) if field.name != "name" and field.kind not in ("many", "names")
    ]
    return KindView(
        kind=kind,
        title=f"{kind.capitalize()}s",
        keys=tuple(field.name for field in short),
        heads={field.name: _head(kind, field) for field in short},
        labels={field.name: _label(kind, field) for field in short},
        kinds={field.name: field.kind for field in short},
        profiles=tuple(_profile(ruleset, kind, entry) for entry in book.entries[kind].values()),
    )


def _label(kind: str, field: Field) -> str:
    """Return a head as a stat line writes it: the title if it is short, else the name."""
    name = field.title if len(field.title) <= LONGEST_HEAD else _head(kind, field)
    return INITIALS.get(name, capital(name))


def _head(kind: str, field: Field) -> str:
    return field.name.replace("_", " ").removeprefix(f"{kind} ")


def _profile(ruleset: Ruleset, kind: str, entry: Any) -> ProfileView:
    shape: type[Inputs] = type(entry)
    values: dict[str, str] = {}
    lists: dict[str, str] = {}
    titles: dict[str, str] = {}
    for key in fields(shape):
        if key.name == "name":
            continue
        value = getattr(entry, key.name)
        titles[key.name] = INITIALS.get(key.title, key.title)
        if key.kind in ("many", "names"):
            lists[key.name] = "; ".join(_item(part) for part in value).replace("_", " ")
        else:
            values[key.name] = _shown(key, value)
    askers = (
        question.name for question in ruleset.questions if any(field.name == kind for field in fields(question.inputs))
    )
    return ProfileView(kind, entry.name, values, lists, titles, tuple(askers))


def _item(part: Any) -> str:
    """Return an entry of a list in few words: 4 x Yew bow."""
    if not isinstance(part, Inputs):
        return str(part)
    name, models = getattr(part, "name", ""), getattr(part, "models", None)
    return f"{models} x {name}" if name and models is not None else _in_words(part)


def _in_words(part: Inputs) -> str:
    """Return an entry by its name and the words said of it: Heavy bolter (left bolter, sponson); or by its place."""
    values = [(field, getattr(part, field.name)) for field in fields(type(part))]
    words = [_plain_value(field, value) for field, value in values if value and field.kind in ("text", "choice")]
    if words:
        return words[0] + (f" ({', '.join(words[1:])})" if words[1:] else "")
    places = {field.name: value for field, value in values if field.name in ("x", "y")}
    return "at " + ", ".join(f'{value:g}"' for value in places.values()) if len(places) > 1 else show_inputs(part)


def _plain_value(field: Field, value: Any) -> str:
    return ("on " if field.name == "on" else "") + str(value).replace("_", " ")


def _shown(field: Field, value: Any) -> str:
    if value is None or value == ():
        return ""
    unit = '"' if field.unit == "inches" else ""
    text = field.show(value).removesuffix(".0") + unit
    return text.replace("_", " ") if field.kind == "choice" else text
