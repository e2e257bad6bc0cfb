"""Every ruleset is the same house, so that a newcomer who knows one finds every rule, question and action of the rest.

Which room may import which is written in pyproject.toml, where import-linter reads it. That a question or an action
is in the file of its name is a conformance test, which other people's rulesets pass as well.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import battletape
from battletape import registry
from battletape.conformance.rooms import folder, short
from battletape.conformance.sources import files_of, parse
from battletape.system import Ruleset

MOST_FLAT = 8
"""So many Python files may stand in the folder of a ruleset itself, outside its rooms."""
ALWAYS = (
    "README.md",
    "clauses.toml",
    "__init__.py",
    "rulings.py",
    "rulings.toml",
    "rules/__init__.py",
    "questions/__init__.py",
)
WITH_A_BATTLE = ("battle/__init__.py", "battle/state.py", "battle/start.py", "battle/actions/__init__.py")
NO_VERB = re.compile(r"\W*(the|its|an?|what|whom?|whether|why|how|where|which|this|that|every|all|one|no|any)\b", re.I)
ROOMS = {"profiles", "tables", "rules", "questions", "battle"}
every_ruleset = pytest.mark.parametrize(
    "ruleset", [registry.ruleset(name) for name in registry.OURS], ids=registry.OURS
)


@every_ruleset
def test_the_rooms_are_all_there(ruleset):
    asked = (*ALWAYS, *(WITH_A_BATTLE if ruleset.battle_rules else ()))
    missing = [path for path in asked if not (folder(ruleset) / path).is_file()]
    assert missing == [], f"make these files in rulesets/{ruleset.name}/: {', '.join(missing)}"


@every_ruleset
def test_every_room_is_on_the_plan_and_holds_something(ruleset):
    rooms = {short(ruleset, path).partition("/")[0] for path in files_of(ruleset) if path.parent != folder(ruleset)}
    assert rooms <= ROOMS, f"rulesets/{ruleset.name}/ has rooms of no house: {sorted(rooms - ROOMS)}"
    empty = [room for room in sorted(rooms) if {path.name for path in room_files(ruleset, room)} <= {"__init__.py"}]
    assert empty == [], f"nothing but an __init__.py is in these rooms of {ruleset.name}; delete them: {empty}"


@every_ruleset
def test_few_files_stand_outside_the_rooms(ruleset):
    flat = sorted(path.name for path in folder(ruleset).glob("*.py"))
    told = f"{len(flat)} Python files stand flat in rulesets/{ruleset.name}/, {MOST_FLAT} may"
    assert len(flat) <= MOST_FLAT, f"{told}; move into rules/, questions/, battle/, profiles/ or tables/: {flat}"


@every_ruleset
def test_every_module_says_what_is_in_it(ruleset):
    silent = [short(ruleset, path) for path in files_of(ruleset) if not ast.get_docstring(parse(path))]
    assert silent == [], f"begin these with a docstring that says what is in them: {', '.join(silent)}"


def room_files(ruleset: Ruleset, room: str) -> list[Path]:
    """The Python files of a room and of the rooms within it."""
    return [path for path in files_of(ruleset) if path.is_relative_to(folder(ruleset) / room)]


def test_docstrings_of_functions_begin_with_a_verb():
    nouns = [
        f"{path}:{function.lineno} {function.name}"
        for path in sorted(Path(battletape.__file__).parent.rglob("*.py"))
        for function in ast.walk(parse(path))
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef) and begins_with_a_noun(function)
    ]
    assert nouns == [], f"begin these docstrings with what the function does, such as Return: {', '.join(nouns)}"


def begins_with_a_noun(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Tell whether a docstring begins with an article or a question word; those of properties and tests may."""
    is_noun = function.name.startswith("test_") or any("property" in ast.unparse(by) for by in function.decorator_list)
    return not is_noun and NO_VERB.match(ast.get_docstring(function) or "") is not None
