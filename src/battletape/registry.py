"""The rulesets, found by name: ours, and those of other packages by the entry point `battletape.rulesets`.

A package whose ruleset cannot be loaded is left out of everything, and `broken` says why. One that would end or stall
the process is found by another process, which says what it begins to load (`announce_to`); `leave_out` names it here.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING

from battletape.errors import BattletapeError, UnknownName
from battletape.system import Ruleset

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

OURS = ("attack_dice", "vehicles5", "deathwatch", "diceless40k", "second_edition")
MAX_REASON_LETTERS = 300
"""How much is told of an error that another package raised."""
WITHOUT = "BATTLETAPE_WITHOUT"
"""The environment's name for what a process must not load: why not, by the mark of each entry point, as JSON."""
_known: dict[str, Ruleset] = {}
_failed: dict[EntryPoint, str] = {}  # why each of them cannot be loaded; none is tried twice
_loading: set[EntryPoint] = set()
_told_first: list[Callable[[str], None]] = []  # functions that are told what is loaded next


def names() -> list[str]:
    """Return every ruleset's name, ours first; those that cannot be loaded are left out."""
    others = {point.name for point in _others() if _loads(point)} | set(_known)
    return [*OURS, *sorted(others - set(OURS))]


def rulesets() -> list[Ruleset]:
    """Return every ruleset, ours first."""
    return [ruleset(name) for name in names()]


def broken() -> dict[str, str]:
    """Return the rulesets of other packages that cannot be used, each with its package and error in one line."""
    return {point.name: _why(point) for point in _others() if not _loads(point) and point not in _loading}


def ruleset(name: str) -> Ruleset:
    """Return the ruleset of this name, such as `ruleset("attack_dice")`.

    An unknown name is refused with the nearest one.
    """
    if not isinstance(name, str):
        raise UnknownName("ruleset", name, names())
    if name in _known:
        return _known[name]
    if name in OURS:
        _known[name] = import_module(f"battletape.rulesets.{name}").RULESET
        return _known[name]
    points = [point for point in _others() if point.name == name]
    if not any(_loads(point) for point in points):
        if points:
            raise BattletapeError(f"the ruleset {name!r} cannot be used: {_why(points[0])}")
        raise UnknownName("ruleset", name, names())
    return _known[name]


def register(card: Ruleset, *, replace: bool = False) -> Ruleset:
    """Make a ruleset of your own known in this process; with `replace`, in place of the one that has its name."""
    if not isinstance(card, Ruleset):
        raise BattletapeError(f"a ruleset is registered by its card, a Ruleset; got {card!r}")
    if not replace and card.name in names() and ruleset(card.name) is not card:
        reason = "is one of Battletape's own rulesets" if card.name in OURS else "is registered already"
        raise BattletapeError(
            f"the name {card.name!r} {reason}; give yours another name, or say register(card, replace=True)"
        )
    _known[card.name] = card
    return card


def announce_to(hear: Callable[[str], None]) -> None:
    """Tell the mark of each entry point before it is loaded, to a process that outlives this one."""
    _told_first.append(hear)


def without(marks: Mapping[str, str]) -> dict[str, str]:
    """Return the environment of a process that leaves out the entry points with these marks, and says why."""
    return {WITHOUT: json.dumps(dict(marks))} if marks else {}


def leave_out(marks: Mapping[str, str]) -> None:
    """Load nothing from the entry points with these marks; `broken` says why."""
    _failed.update({point: marks[_mark(point)] for point in _others() if _mark(point) in marks})


def has_others() -> bool:
    """Return whether other packages have rulesets."""
    return bool(_others())


def _loads(point: EntryPoint) -> bool:
    """Tell whether the ruleset of another package can be used; what it raises is only kept as the reason.

    A package may ask for the names of all rulesets while it is itself being imported.
    """
    if point in _failed or point in _loading:
        return False
    if point.name in _known and point.name not in OURS:
        return True
    if WITHOUT in os.environ:  # said by the process that started this one
        leave_out(json.loads(os.environ.pop(WITHOUT)))
        return _loads(point)
    _loading.add(point)
    for hear in _told_first:
        hear(_mark(point))
    try:
        _known[point.name] = _checked(point)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # some packages end an import with kinds of their own, such as pytest's skip
        _failed[point] = _error_line(error)
    finally:
        _loading.discard(point)
    return point not in _failed


def _checked(point: EntryPoint) -> Ruleset:
    """Return the card behind an entry point, if pages and commands can work with it."""
    if point.name in OURS:
        raise BattletapeError("the name is that of one of Battletape's own rulesets")
    card = point.load()
    if not isinstance(card, Ruleset):
        raise BattletapeError(f"{point.value} must be a Ruleset, got {type(card).__name__}")
    if card.name != point.name:
        raise BattletapeError(f"the card's name is {card.name!r}, its entry point's {point.name!r}")
    if not card.questions:
        raise BattletapeError("the card has no question")
    _read_through(card)
    return card


def _read_through(card: Ruleset) -> None:
    """Read what the first page shows of every system, so that a card which cannot be shown spoils no page of others."""
    for text in (card.title, card.summary):
        if not isinstance(text, str):
            raise BattletapeError(f"a card's title and summary are texts, got {text!r}")
    card.clauses, card.tables(), card.book
    for question in card.questions:
        card.split(question, question.example, f"the example of {question.name}")
    if card.tile is not None:
        for name in card.tile.questions:
            card.question(name)
        card.drawing  # noqa: B018


def _error_line(error: BaseException) -> str:
    """Return an error in one line that any stream and file can take, whatever another package made of it."""
    try:
        reason = str(error)
    except Exception:  # an error that cannot be put into words must not take everything else with it
        reason = ""
    kind = "" if isinstance(error, BattletapeError) else type(error).__name__
    line = ": ".join(filter(None, (kind, " ".join(reason.split()))))
    line = "".join(letter if letter.isprintable() else "?" for letter in line)
    return line if len(line) <= MAX_REASON_LETTERS else line[: MAX_REASON_LETTERS - 1] + "…"


def _why(point: EntryPoint) -> str:
    return f"{_package(point)}: {_failed[point]}" if point.dist is not None else _failed[point]


def _mark(point: EntryPoint) -> str:
    """Return an entry point in words that no other has."""
    return f"the ruleset {point.name} ({point.value}) of {_package(point)}"


def _package(point: EntryPoint) -> str:
    return f"{point.dist.name} {point.dist.version}" if point.dist is not None else "an unknown package"


def _others() -> tuple[EntryPoint, ...]:
    """Return the rulesets of other packages, by name: the same order on every machine, not that of its file system."""
    from importlib.metadata import entry_points  # a quarter of our start-up, and our own rulesets do without

    return tuple(sorted(entry_points(group="battletape.rulesets"), key=lambda point: (point.name, point.value)))
