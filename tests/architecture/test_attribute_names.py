"""Nothing that a user typed is ever the name of an attribute.

Python looks an attribute up by any text: with `getattr(vehicle, facing)` a player who writes “__init__” for a facing is
told about the machine. A name that is no constant must come from a declaration, and here it is read off the source: it
is bound by a loop over constants, over names in capitals, or over the fields of a type. The few functions that are
handed such a name by others are listed, and what they are handed is a constant there.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import battletape

SOURCE = Path(battletape.__file__).parent
LOOK_UPS = {"getattr": 1, "hasattr": 1, "setattr": 1, "delattr": 1, "attrgetter": 0}
"""Functions that look an attribute up, and which of their arguments is its name."""
FIELDS = {"fields", "__struct_fields__"}
HANDED: dict[str, set[str]] = {
    "__init__.py": {"__getattr__"},
    "battle/planning.py": {"_fits_names", "_places", "_replace_at", "missing_names", "_with_missing_names"},
    "cli/app.py": {"LazyGroup.get_command"},
    "cli/compare.py": {"_understood"},
    "inputs.py": {"part_of", "pick_fields", "value_of"},
    "profiles.py": {"ProfileBook.carried", "fill_from", "entry_value"},
    "rulesets/attack_dice/battle/actions/game.py": {"plan_agreement"},
    "rulesets/attack_dice/questions/chart.py": {"warn_chart"},
    "rulesets/deathwatch/battle/referee.py": {"need_condition", "test_target"},
    "rulesets/deathwatch/battle/actions/by_hand.py": {"value_of"},
    "rulesets/deathwatch/battle/start.py": {"_fighter"},
    "rulesets/deathwatch/questions/_inputs.py": {"target_of"},
    "rulesets/deathwatch/questions/duel.py": {"side_of"},
    "rulesets/deathwatch/questions/movement.py": {"MovementState.turns"},
    "rulesets/deathwatch/rules/attack/results.py": {"condition"},
    "rulesets/deathwatch/rules/lenses.py": {"_conditions_lens.forget_conditions"},
    "rulesets/deathwatch/rules/movement.py": {"refuse_move"},
    "rulesets/deathwatch/rules/d100_tests.py": {"only_rulings"},
    "rulesets/deathwatch/rules/wounds.py": {"combined_conditions"},
    "rulesets/deathwatch/sheets.py": {"_profile"},
    "rulesets/diceless40k/battle/pending.py": {"PendingAction.with_counts", "_measure"},
    "rulesets/diceless40k/questions/_inputs.py": {"sheet_of"},
    "rulesets/diceless40k/questions/_pictures.py": {"_armour_of.sides"},
    "rulesets/diceless40k/questions/ram.py": {"_on.measured"},
    "rulesets/second_edition/questions/_inputs.py": {"warnings"},
    "rulesets/second_edition/questions/template.py": {"fill_template"},
    "rulesets/vehicles5/questions/_inputs.py": {"fill_gun", "fill_unit", "part_of"},
    "rulesets/vehicles5/questions/_pictures.py": {"_armour", "_shape"},
    "rulesets/vehicles5/questions/ram.py": {"_impact"},
    "rulesets/vehicles5/rules/damage.py": {"_with_daze", "changed_result_line"},
    "rulesets/vehicles5/sheets.py": {"question_vehicles"},
    "sheets/__init__.py": {"named"},
    "system.py": {"_check_functions"},
    "understood.py": {"pairs_of"},
    "views/advice.py": {"_facts"},
    "views/short_inputs.py": {"_entry", "_taken"},
    "views/changed.py": {"_set_by_player"},
    "views/front_page.py": {"_figures"},
    "views/outlines.py": {"_names"},
    "views/profile_choices.py": {"own_names"},
    "views/profiles.py": {"_worn_or_carried", "way_to_ask"},
    "views/clause_reach.py": {"_Map._tables"},
    "views/question_text.py": {"_worth_telling"},
    "web/forms.py": {"_brought"},
    "web/pages/decide.py": {"_opens"},
    "web/pages/targets.py": {"_asks"},
    "web/http_connections.py": {"ClosingTransport.__getattr__"},
}
"""Functions that are handed a name: of a field, of a column of a table, or by those who wrote the rules."""


def declared(expression: ast.expr) -> bool:
    """Whether an iterable holds names of fields or constants only."""
    match expression:
        case ast.Constant():
            return True
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts):
            return all(map(declared, parts))
        case ast.Starred(value=inner):
            return declared(inner)
        case ast.Name(id=name):
            return name.strip("_").isupper()
        case ast.Attribute(attr=name):
            return name in FIELDS or name.strip("_").isupper()
        case ast.Subscript(value=inner):
            return declared(inner)
        case ast.Call(func=ast.Name(id=name)):
            return name in FIELDS
        case ast.Call(func=ast.Attribute(attr="items" | "values" | "keys", value=inner)):
            return declared(inner)
        case ast.BoolOp(values=parts):
            return all(map(declared, parts))
        case ast.IfExp(body=one, orelse=other):
            return declared(one) and declared(other)
    return False


def names_in(expression: ast.expr) -> set[str]:
    """The variables that a name is made of; those of which only an attribute is taken, too."""
    return {node.id for node in ast.walk(expression) if isinstance(node, ast.Name)}


def declared_here(function: ast.FunctionDef) -> frozenset[str]:
    """The variables of a function that only ever hold something declared, and its arguments that are fields."""
    given: dict[str, list[bool]] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            values = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value] * 9
            for target in node.targets:
                parts = target.elts if isinstance(target, ast.Tuple) else [target]
                values = values if isinstance(target, ast.Tuple) else [node.value]
                for part, value in zip(parts, values, strict=False):
                    if isinstance(part, ast.Name):
                        given.setdefault(part.id, []).append(declared(value))
        elif isinstance(node, ast.arg):
            is_field = isinstance(node.annotation, ast.Name) and node.annotation.id == "Field"
            given.setdefault(node.arg, []).append(is_field)
    return frozenset(name for name, all_declared in given.items() if all(all_declared))


def look_ups(tree: ast.AST, path: tuple[str, ...] = (), known: frozenset[str] = frozenset()) -> Iterator[str]:
    """The functions that look up attributes by names that are not seen to be declared."""
    for node in ast.iter_child_nodes(tree):
        inner, bound = path, known
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            inner = (*path, node.name)
            bound |= declared_here(node) if isinstance(node, ast.FunctionDef) else frozenset()
        if isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            loops = [(loop.target, loop.iter) for loop in node.generators]
        elif isinstance(node, ast.For):
            loops = [(node.target, node.iter)]
        else:
            loops = []
        for target, over in loops:
            if declared(over) or (names_in(over) and names_in(over) <= bound):
                bound |= {part.id for part in ast.walk(target) if isinstance(part, ast.Name)}
            else:
                bound -= {part.id for part in ast.walk(target) if isinstance(part, ast.Name)}
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in LOOK_UPS:
            at = LOOK_UPS[node.func.id]
            name = node.args[at] if len(node.args) > at else None
            if name is not None and not isinstance(name, ast.Constant) and not names_in(name) <= bound:
                yield ".".join(inner)
        yield from look_ups(node, inner, bound)


@lru_cache(1)
def found() -> dict[str, set[str]]:
    """By module, the functions whose names of attributes are not seen to be declared."""
    by_module: dict[str, set[str]] = {}
    for path in sorted(SOURCE.rglob("*.py")):
        module = path.relative_to(SOURCE).as_posix()
        functions = {*look_ups(ast.parse(path.read_text(encoding="utf-8")))}
        if functions and not module.startswith("conformance/"):
            by_module[module] = functions
    return by_module


def test_no_name_of_an_attribute_can_come_from_a_user():
    now = found()
    strange = [f"{module}: {name}" for module in now for name in sorted(now[module] - HANDED.get(module, set()))]
    assert strange == [], (
        "these look an attribute up by a name that may be somebody's text; look it up in a dict, among the fields "
        f"(battletape.inputs.value_of), or by a name that is declared: {', '.join(strange)}"
    )


def test_the_list_of_exceptions_names_only_attributes_that_exist():
    now = found()
    gone = [f"{module}: {name}" for module in HANDED for name in sorted(HANDED[module] - now.get(module, set()))]
    assert gone == [], f"take these off the list: {', '.join(gone)}"


def test_a_getattr_by_a_typed_name_is_found():
    text = "def fill(given, vehicle):\n    return getattr(vehicle, str(given.get('facing')))\n"
    assert [*look_ups(ast.parse(text))] == ["fill"]
    text = "def fill(given, vehicle):\n    side = given['facing']\n    return getattr(vehicle, side)\n"
    assert [*look_ups(ast.parse(text))] == ["fill"]
    text = "def fill(given, vehicle):\n    return [getattr(vehicle, name) for name in given]\n"
    assert [*look_ups(ast.parse(text))] == ["fill"]
    text = "def fill(vehicle):\n    return [getattr(vehicle, name) for name in ('front', 'rear')]\n"
    assert [*look_ups(ast.parse(text))] == []
