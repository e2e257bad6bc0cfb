"""Where a question and an action are to be found: in the room for it, in the file of its name."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from battletape.conformance.sources import files_of, module_name, parse
from battletape.system import Action, Question, Ruleset


@dataclass(frozen=True)
class File:
    """A file of a room: its path below the ruleset's folder, its docstring, and what it defines."""

    path: str
    docstring: str
    defines: tuple[Any, ...]

    @property
    def name(self) -> str:
        """The name without folder and ending, as an action or a question has it."""
        return Path(self.path).stem


def astray(cards: Iterable[Question | Action], files: Iterable[File]) -> Iterator[str]:
    """Yield what to do for each question or action that is not where it is looked for.

    Each has a file of its name. An action may also be in the file of its family, which names it.
    """
    defined_in = {id(card): file for file in files for card in file.defines}
    for card in cards:
        kind, room = ("question", "questions") if isinstance(card, Question) else ("action", "battle/actions")
        own, file, has_family = f"{room}/{card.name}.py", defined_in.get(id(card)), kind == "action"
        if file is None:
            or_there = f", or in the file of its family in {room}/" if has_family else ""
            yield f"define the {kind} {card.name} in {own}{or_there}"
        elif file.path != own and not (has_family and (file.name == card.name or f"`{card.name}`" in file.docstring)):
            cure = f"name it in the docstring there, `{card.name}`" if has_family else f"move it to {own}"
            yield f"the {kind} {card.name} is defined in {file.path}: {cure}"


def files_in(ruleset: Ruleset, room: str) -> list[File]:
    """Return the files of a room, with what each defines itself; an __init__ only gathers."""
    files = []
    for path in files_of(ruleset):
        if path.is_relative_to(folder(ruleset) / room) and path.name != "__init__.py":
            tree, module = parse(path), import_module(module_name(ruleset.package, path))
            defines = tuple(defined(tree, vars(module)))
            files.append(File(short(ruleset, path), ast.get_docstring(tree) or "", defines))
    return files


def defined(tree: ast.Module, values: Mapping[str, Any]) -> Iterator[Any]:
    """Yield what a module makes at its top, alone or in a tuple, but not what it imports."""
    imports = (name for node in tree.body if isinstance(node, ast.ImportFrom) for name in node.names)
    foreign = {id(values.get(name.asname or name.name)) for name in imports}
    for statement in tree.body:
        if isinstance(statement, (ast.Assign, ast.AnnAssign)):
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            made = (values[target.id] for target in targets if isinstance(target, ast.Name))
            things = (thing for value in made for thing in (value if isinstance(value, tuple) else (value,)))
            yield from (thing for thing in things if id(thing) not in foreign)


def folder(ruleset: Ruleset) -> Path:
    """Return the folder of a ruleset."""
    (place,) = import_module(ruleset.package).__path__
    return Path(place)


def short(ruleset: Ruleset, path: Path) -> str:
    """Return a file as its path below the ruleset's folder."""
    return path.relative_to(folder(ruleset)).as_posix()
