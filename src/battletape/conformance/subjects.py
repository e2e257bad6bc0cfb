"""A ruleset under test, and what its author provides: starts of battles, played battles, tests."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import msgspec

from battletape import registry
from battletape.errors import BattletapeError, file_trouble
from battletape.system import Action, Ruleset


class Start(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A battle to play: the start, the rulings, and the first moves if they matter (their dice are rolled)."""

    start: dict[str, Any]
    rulings: dict[str, Any] = {}
    moves: list[dict[str, Any]] = []  # each with the name of its action, and the inputs of it

    def __post_init__(self) -> None:
        if not all("action" in move for move in self.moves):
            raise ValueError("A move names its action: { action = …, … }")


@dataclass(frozen=True, eq=False)
class Subject:
    """A ruleset under test."""

    ruleset: Ruleset
    starts: Mapping[str, Start] = field(default_factory=dict)
    played: tuple[Path, ...] = ()  # files of battles
    seen: tuple[Path, ...] = ()  # Python files that say how measures are seen in a battle
    tests: tuple[Path, ...] = ()  # folders with tests that name clauses

    def __str__(self) -> str:
        return self.ruleset.name

    @property
    def actions(self) -> list[Action]:
        """The actions of its battles that have something to measure."""
        rules = self.ruleset.battle_rules
        return [action for action in rules.actions if action.measures] if rules else []


def find_subjects(names: Sequence[str], starts: Iterable[Path], tests: Iterable[Path]) -> tuple[Subject, ...]:
    """Return the rulesets of these names, each with its starts and battles."""
    if not names:
        raise BattletapeError("Which ruleset? Say --ruleset PACKAGE, such as my_game, or --ruleset module:NAME.")
    folders = tuple(tests)
    for folder in folders:
        if not folder.is_dir():
            raise BattletapeError(f"--tests {folder}: there is no such folder.")
    subjects = {card.name: Subject(card, tests=folders) for card in map(find_card, names)}
    for path in starts:
        name, begun, played, seen = read_starts(path)
        if not name and len(subjects) > 1:
            raise BattletapeError(f'{path}: several rulesets are tested; say whose starts these are: ruleset = "NAME".')
        name = name or next(iter(subjects))
        if name not in subjects and name not in registry.names():
            raise BattletapeError(f"--starts {path}: there is no ruleset {name!r}; tested: {', '.join(subjects)}.")
        if name in subjects:
            subject = subjects[name]
            subjects[name] = replace(
                subject,
                starts={**subject.starts, **begun},
                played=(*subject.played, *played),
                seen=(*subject.seen, *seen),
            )
    return tuple(subjects.values())


def find_card(name: str) -> Ruleset:
    """Return the ruleset that is installed by a name, the RULESET of a package, or what `module:NAME` names."""
    module, _, attribute = name.partition(":")
    if not attribute:
        if name in registry.names() or find_spec(name.partition(".")[0]) is None:
            return _checked(registry.ruleset(name), name)
        attribute = "RULESET"
    try:
        card = getattr(import_module(module), attribute)
    except ModuleNotFoundError as error:
        raise BattletapeError(f"--ruleset {name}: {error}; is it installed, or in the folder you are in?") from error
    except AttributeError as error:
        raise BattletapeError(f"--ruleset {name}: {error}.") from error
    return _checked(card, name)


def _checked(card: Any, name: str) -> Ruleset:
    """Check that a card is the RULESET of the package it names, where its clauses and files are."""
    if not isinstance(card, Ruleset):
        raise BattletapeError(f"--ruleset {name}: this is a {type(card).__name__}; it should be a Ruleset.")
    try:
        home = import_module(card.package)
    except ModuleNotFoundError as error:
        raise BattletapeError(f"--ruleset {name}: its card says package={card.package!r}, and {error}.") from error
    if not hasattr(home, "__path__"):
        raise BattletapeError(
            f"--ruleset {name}: {card.package} is one file; a ruleset is a folder with __init__.py and clauses.toml."
        )
    if getattr(home, "RULESET", None) != card:
        raise BattletapeError(
            f"--ruleset {name}: its card says package={card.package!r}, and {card.package} has no such RULESET; "
            "let __init__.py of the package hold the card under that name."
        )
    return card


def read_starts(path: Path) -> tuple[str, dict[str, Start], tuple[Path, ...], tuple[Path, ...]]:
    """Return a file of starts: its ruleset, the starts by name, the battle files it lists, and how measures are
    seen.
    """
    try:
        given = tomllib.loads(path.read_text(encoding="utf-8"))
        name = msgspec.convert(given.pop("ruleset", ""), str)
        played = tuple(path.parent / file for file in msgspec.convert(given.pop("battles", []), list[str]))
        named = msgspec.convert(given.pop("seen", ""), str)
        seen = (path.parent / named,) if named else ()
        return name, msgspec.convert(given, dict[str, Start]), played, seen
    except (OSError, UnicodeDecodeError) as error:
        raise BattletapeError(f"--starts {path}: {file_trouble(error)}.") from error
    except tomllib.TOMLDecodeError as error:
        raise BattletapeError(f"--starts {path}: this is no TOML: {error}.") from error
    except msgspec.ValidationError as error:
        raise BattletapeError(
            f"--starts {path}: {error}. A file of starts has a table for each, with `start` and, if need be, "
            "`rulings` and `moves`; above them may stand `ruleset`, files, `battles`, and a Python file, `seen`."
        ) from error
