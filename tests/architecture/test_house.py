"""Every ruleset is the same house, so that a newcomer who knows one finds every rule, question and action of the rest.

Which room may import which is written in pyproject.toml, where import-linter reads it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from battletape import registry
from battletape.conformance.sources import files_of, module_name, parse
from battletape.inputs import Inputs
from battletape.system import NO_STAGES, Action, Question, Ruleset, at_once

MOST_FLAT = 8
"""So many Python files may stand in the folder of a ruleset itself, outside its rooms."""
HOUSE = """
README.md  clauses.toml  __init__.py  rulings.py  words.py
profiles/__init__.py  profiles/types.py  profiles/book.py  profiles/checks.py
tables/__init__.py  rules/__init__.py  questions/__init__.py
battle/__init__.py  battle/state.py  battle/start.py  battle/turn.py  battle/show.py  battle/log.py
battle/actions/__init__.py
"""
every_ruleset = pytest.mark.parametrize(
    "ruleset", [registry.ruleset(name) for name in registry.OURS], ids=registry.OURS
)


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


@every_ruleset
def test_the_rooms_are_all_there(ruleset):
    missing = [path for path in HOUSE.split() if not (folder(ruleset) / path).is_file()]
    assert missing == [], f"make these files in rulesets/{ruleset.name}/: {', '.join(missing)}"


@every_ruleset
def test_few_files_stand_outside_the_rooms(ruleset):
    flat = sorted(path.name for path in folder(ruleset).glob("*.py"))
    told = f"{len(flat)} Python files stand flat in rulesets/{ruleset.name}/, {MOST_FLAT} may"
    assert len(flat) <= MOST_FLAT, f"{told}; move into rules/, questions/, battle/, profiles/ or tables/: {flat}"


@every_ruleset
def test_every_module_says_what_is_in_it(ruleset):
    silent = [short(ruleset, path) for path in files_of(ruleset) if not ast.get_docstring(parse(path))]
    assert silent == [], f"begin these with a docstring that says what is in them: {', '.join(silent)}"


@every_ruleset
def test_every_question_has_the_file_of_its_name(ruleset):
    astray = list(questions_astray(ruleset.questions, files_in(ruleset, "questions")))
    assert astray == [], "\n".join(astray)


@every_ruleset
def test_every_action_has_the_file_of_its_name_or_of_its_family(ruleset):
    assert ruleset.battle is not None
    astray = list(actions_astray(ruleset.battle.actions, files_in(ruleset, "battle/actions")))
    assert astray == [], "\n".join(astray)


def questions_astray(questions: Iterable[Question], files: Iterable[File]) -> Iterator[str]:
    """What to do for each question that its own file does not define."""
    defined_in = {id(thing): file for file in files for thing in file.defines}
    for question in questions:
        own = f"questions/{question.name}.py"
        file = defined_in.get(id(question))
        if file is None:
            yield f"define the question {question.name} in {own}"
        elif file.path != own:
            yield f"the question {question.name} is defined in {file.path}: move it to {own}"


def actions_astray(actions: Iterable[Action], files: Iterable[File]) -> Iterator[str]:
    """What to do for each action that has neither a file of its own nor a family that names it."""
    defined_in = {id(thing): file for file in files for thing in file.defines}
    for action in actions:
        own = f"battle/actions/{action.name}.py"
        file = defined_in.get(id(action))
        if file is None:
            yield f"define the action {action.name} in {own}, or in the file of its family in battle/actions/"
        elif file.name != action.name and f"`{action.name}`" not in file.docstring:
            yield f"the action {action.name} is defined in {file.path}: name it in the docstring there, `{action.name}`"


def files_in(ruleset: Ruleset, room: str) -> list[File]:
    """The files of a room, with what each defines itself; an __init__ only gathers."""
    files = []
    for path in files_of(ruleset):
        if path.is_relative_to(folder(ruleset) / room) and path.name != "__init__.py":
            tree, module = parse(path), import_module(module_name(ruleset.package, path))
            defines = tuple(defined(tree, vars(module)))
            files.append(File(short(ruleset, path), ast.get_docstring(tree) or "", defines))
    return files


def defined(tree: ast.Module, values: Mapping[str, Any]) -> Iterator[Any]:
    """What a module makes at its top, alone or in a tuple, but not what it imports."""
    imports = (name for node in tree.body if isinstance(node, ast.ImportFrom) for name in node.names)
    foreign = {id(values.get(name.asname or name.name)) for name in imports}
    for statement in tree.body:
        if isinstance(statement, (ast.Assign, ast.AnnAssign)):
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            made = (values[target.id] for target in targets if isinstance(target, ast.Name))
            things = (thing for value in made for thing in (value if isinstance(value, tuple) else (value,)))
            yield from (thing for thing in things if id(thing) not in foreign)


def folder(ruleset: Ruleset) -> Path:
    """The folder of a ruleset."""
    (place,) = import_module(ruleset.package).__path__
    return Path(place)


def short(ruleset: Ruleset, path: Path) -> str:
    """A file as its path below the ruleset's folder."""
    return path.relative_to(folder(ruleset)).as_posix()


def question(name: str) -> Question:
    """A question of which only the name matters."""
    return Question(name, "", Nothing, begin=lambda *_: None, procedure=NO_STAGES, measures=(), headline=str)


def action(name: str) -> Action:
    """An action of which only the name matters."""
    return at_once(name, "", Nothing, *[lambda *_: None] * 3, about=lambda *_: {}, tell=lambda *_: ())


class Nothing(Inputs, frozen=True):
    """No inputs."""


def test_a_question_astray_is_told_where_to_go():
    shoot, hit, test = map(question, ("shoot", "hit", "test"))
    files = [File("questions/shoot.py", "", (shoot, hit)), File("questions/_inputs.py", "", ())]
    assert list(questions_astray((shoot, hit, test), files)) == [
        "the question hit is defined in questions/shoot.py: move it to questions/hit.py",
        "define the question test in questions/test.py",
    ]


def test_an_action_astray_is_told_where_to_go():
    move, run, leap, stand = map(action, ("move", "run", "leap", "stand"))
    files = [File("battle/actions/move.py", "Moving, and `run`; we leap too.", (move, run, leap))]
    assert list(actions_astray((move, run, leap, stand), files)) == [
        "the action leap is defined in battle/actions/move.py: name it in the docstring there, `leap`",
        "define the action stand in battle/actions/stand.py, or in the file of its family in battle/actions/",
    ]


def test_what_a_module_defines_is_not_what_it_imports():
    text = "from elsewhere import A, B as C\nD = 4\nE: int = 5\nF = (A, 6)\nG = C\ndef h(): ...\n"
    values = {"A": "a", "C": "c", "D": 4, "E": 5, "F": ("a", 6), "G": "c", "h": print}
    assert list(defined(ast.parse(text), values)) == [4, 5, 6]
