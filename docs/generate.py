"""The pages that write themselves: one for each ruleset, from its card and clauses, and one of what is covered.

Sphinx calls `write_pages` before it reads anything (see conf.py); the pages go into the folder rulesets/, which git
ignores.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

from battletape.clauses import CITED, Clause
from battletape.inputs import Field, Inputs, fields
from battletape.registry import OURS, ruleset
from battletape.system import Ruleset, Table

HERE = Path(__file__).parent
TESTS = HERE.parent / "tests"
GROUPS = ("attacker", "weapon", "target", "circumstances")  # as a player thinks; others come after
WIDTH = 72  # of commands
STATUS = {"done": "done", "partial": "in part", "not_yet": "not yet", "out_of_scope": "out of scope"}
GENERATED = "<!-- Written by docs/generate.py at every build; change the ruleset, not this page. -->"


def write_pages(folder: Path) -> list[Path]:
    """Write every generated page into a folder, and take away those of rulesets that are gone."""
    cards = [ruleset(name) for name in OURS]
    texts = {f"{card.name}.md": ruleset_page(card) for card in cards}
    texts["coverage.md"] = coverage_page(cards, named_by_tests(TESTS))
    texts["index.md"] = index_page(cards)
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.md"):
        if old.name not in texts:
            old.unlink()
    for name, text in texts.items():
        place = folder / name
        if not place.exists() or place.read_text(encoding="utf-8") != text:  # an unchanged page is not built again
            place.write_text(text, encoding="utf-8")
    return [folder / name for name in sorted(texts)]


# --- the pages ------------------------------------------------------------------------------------------------------


def index_page(cards: Sequence[Ruleset]) -> str:
    """The systems, a line each."""
    rows = [(f"[{one.title}]({one.name}.md)", one.summary, str(len(one.clauses))) for one in cards]
    names = "\n".join([*(card.name for card in cards), "coverage"])
    return _page(
        "# The rule systems",
        "Each page below is made from the ruleset itself: what can be asked, what is ruled, the tables, and every "
        "clause of the book in our own words.",
        table(("system", "what it is", "clauses"), rows),
        f"```{{toctree}}\n:hidden:\n\n{names}\n```",
    )


def ruleset_page(card: Ruleset) -> str:
    """All there is to know of one system."""
    return _page(
        f"# {card.title}",
        f"{card.summary}. In commands and code its name is `{card.name}`.",
        f"{_counted(card)} The [coverage page](coverage.md) names the code and the tests of each.",
        *_questions(card),
        *_rulings(card),
        *_keywords(card),
        *_profiles(card),
        *_actions(card),
        *_tables(card),
        *_clauses(card),
    )


def coverage_page(cards: Sequence[Ruleset], tests: Mapping[str, Sequence[str]]) -> str:
    """How much of each book is done, and where."""
    heads = ("system", "clauses", *STATUS.values())
    rows = []
    for card in cards:
        statuses = [one.status for one in card.clauses]
        numbers = (str(statuses.count(status)) for status in STATUS)
        rows.append((f"[{card.title}](#{card.name})", str(len(statuses)), *numbers))
    parts = [
        "# Coverage",
        "A clause counts as done when code cites it and a test names it; a test of the project enforces both. "
        "What is not done says why.",
        table(heads, rows),
    ]
    for card in cards:
        parts += [f"({card.name})=\n## {card.title}", _coverage_table(card, tests)]
    return _page(*parts)


def _coverage_table(card: Ruleset, tests: Mapping[str, Sequence[str]]) -> str:
    cited = cited_by(card)
    rows = []
    for one in card.clauses:
        why = f": {one.note}" if one.status != "done" and one.note else ""
        code = ", ".join(f"`{_short(name, card.package)}`" for name in cited.get(one.id, ())) or "none"
        named = ", ".join(name if "\u00a0" in name else f"`{name}`" for name in tests.get(one.id, ())) or "none"
        rows.append((_link(one, f"{card.name}.md"), f"{one.title} ({STATUS[one.status]}{why})", code, named))
    return table(("clause", "what it says", "code", "tests"), rows, kind="stacked .coverage")


# --- the parts of a ruleset's page ----------------------------------------------------------------------------------


def _counted(card: Ruleset) -> str:
    statuses = [one.status for one in card.clauses]
    parts = [f"{statuses.count(status)} {word}" for status, word in STATUS.items() if status in statuses]
    return f"Its book has {len(statuses)} clauses: {', '.join(parts)}."


def _questions(card: Ruleset) -> Iterator[str]:
    yield "## Questions"
    yield "What a player can ask, with the odds, by a roll or with real dice."
    for one in card.questions:
        yield f"### {one.name}"
        yield one.title
        if one.example:
            yield f"```text\n{command(card, one.name, one.example)}\n```"
        yield from _inputs(one.inputs)
        measures = "; ".join(f"`{measure.name}`: {_lower(measure.title)}" for measure in one.measures)
        yield f"Measures: {measures}."


def _rulings(card: Ruleset) -> Iterator[str]:
    rulings = fields(card.rulings)
    if not rulings:
        return
    yield "## Rulings"
    yield (
        "Where the book is silent or says two things, players agree on a ruling. The first value of each is the "
        "default. Give one as an option (`--method formula`), as an argument (`method=\"formula\"`), or set it up "
        "for a whole battle."
    )
    rows = []
    for one in rulings:
        known = dict(one.alternatives)
        values = "".join(f"<li><code>{value}</code> {_html(known.get(str(value), ''))}</li>" for value in _default_first(one))
        rows.append((f"`{one.name}`", f"{one.title} ({_clause_link(one.clause)})", f"<ul>{values}</ul>"))
    yield table(("ruling", "what it decides", "values"), rows, kind="stacked")
    if card.presets:
        named = [f"`{name}` ({', '.join(f'{k} {v}' for k, v in values.items()) or 'the defaults'})" for name, values in card.presets.items()]
        yield f"Presets set several at once: {', '.join(named)}."


def _keywords(card: Ruleset) -> Iterator[str]:
    if card.keywords:
        yield "## Special rules"
        listed = ", ".join(f"`{name}`" for name in card.keywords)
        yield f"Keywords of weapons or units, each written in one place (`keywords.py`): {listed}."


def _profiles(card: Ruleset) -> Iterator[str]:
    if card.profiles is None:
        return
    yield "## Profiles"
    yield (
        "Invented ones to try the rules with; name them in a question or a battle, and "
        "[add your own](../recipes/weapon.md)."
    )
    for kind, entries in card.book.entries.items():
        heads = [one for one in fields(card.book.kinds[kind]) if one.name != "name"]
        rows = [
            (_text(name), *(_text(_brief(one, getattr(entry, one.name))) for one in heads))
            for name, entry in entries.items()
        ]
        yield f"### {kind.capitalize()}s"
        yield table((kind, *(one.name for one in heads)), rows)


def _actions(card: Ruleset) -> Iterator[str]:
    if card.battle is None:
        return
    yield "## Actions in a battle"
    rows = []
    for one in card.battle.actions:
        takes = ", ".join(f"`{field.name}`" for field in fields(one.inputs)) or "nothing"
        rows.append((f"`{one.name}`", one.title, takes, " ".join(map(_clause_link, one.clauses))))
    yield table(("action", "what it does", "takes", "clause"), rows, kind="stacked .actions")


def _tables(card: Ruleset) -> Iterator[str]:
    printed = card.tables()
    if printed:
        yield "## Tables"
        for one in printed:
            yield f"### {one.title}"
            yield printed_table(one)


def _clauses(card: Ruleset) -> Iterator[str]:
    yield "## Clauses"
    yield "The book in our own words, clause by clause."
    topic = None
    for one in card.clauses:
        if one.topic and one.topic != topic:
            topic = one.topic
            yield f"### {topic.replace('_', ' ').capitalize()}"
        yield _clause(one)


def _clause(one: Clause) -> str:
    lines = [f"({one.id.lower()})=", f"{{.clause}}\n**{one.id} · {_text(one.title)}**", "", _text(one.words)]
    fine = [f"Source: {_text(one.source)}."]
    if one.note:
        fine.append(_text(one.note))
    if one.status != "done":
        fine.insert(0, f"**{STATUS[one.status].capitalize()}.**")
    return "\n".join([*lines, "", f"{{.fine}}\n{' '.join(fine)}"])


# --- tables ---------------------------------------------------------------------------------------------------------


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], kind: str = "") -> str:
    """A table of Markdown; a stacked one becomes a list of cards on a narrow screen."""
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    lines += ["| " + " | ".join(cell.replace("\n", " ").replace("|", "\\|") for cell in row) + " |" for row in rows]
    return (f"{{.{kind}}}\n" if kind else "") + "\n".join(lines)


def printed_table(one: Table) -> str:
    """A table of the book, as plain text where it is a wide grid of short entries."""
    source = f" ({_clause_link(one.clause)})" if one.clause else ""
    body = table([_text(head) or " " for head in one.head], [[_text(cell) for cell in row] for row in one.rows], "printed")
    return f"{body}\n\n{{.fine}}\nFrom clause{source}." if source else body


def _inputs(inputs: type[Inputs]) -> Iterator[str]:
    """A table for each group of inputs."""
    groups: dict[str, list[tuple[str, ...]]] = {name: [] for name in GROUPS}
    for one in fields(inputs):
        title = one.title + (f" ({one.unit})" if one.unit else "")
        row = (f"`{one.name}`", _text(title), _text(one.wants), _text(one.show(one.default)) or "none")
        groups.setdefault(one.group, []).append(row)
    for name, rows in groups.items():
        if rows:
            heads = (name.capitalize() or "Input", "what it is", "wants", "default")
            yield table(heads, rows, kind="stacked .inputs")


# --- who does what --------------------------------------------------------------------------------------------------


def cited_by(card: Ruleset) -> dict[str, list[str]]:
    """The functions and tables of a ruleset that cite each clause."""
    package = import_module(card.package)
    for module in walk_packages(package.__path__, f"{card.package}."):
        import_module(module.name)
    mine = f"{card.package}."
    return {one: sorted({name for name in names if name.startswith(mine)}) for one, names in CITED.items()}


def named_by_tests(folder: Path) -> dict[str, list[str]]:
    """The tests that name each clause with `@pytest.mark.clause`, and how many vectors do."""
    found: dict[str, list[str]] = {}
    for path in sorted(folder.rglob("test_*.py")):
        for test, ids in _marked(ast.parse(path.read_text(encoding="utf-8"))):
            for one in ids:
                found.setdefault(one, []).append(f"{path.stem}.{test}")
    for path in sorted(folder.rglob("*.vectors.json")):
        vectors = json.loads(path.read_text(encoding="utf-8"))
        counts: dict[str, int] = {}
        for vector in vectors:
            for one in vector["clauses"]:
                counts[one] = counts.get(one, 0) + 1
        for one, number in counts.items():
            found.setdefault(one, []).append(f"{number}\u00a0vector" + ("s" if number > 1 else ""))
    return found


def _marked(tree: ast.Module) -> Iterator[tuple[str, list[str]]]:
    """Each test of a module with the clauses it names."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            ids = [one for decorator in node.decorator_list for one in _ids(decorator)]
            if ids:
                yield node.name, list(dict.fromkeys(ids))


def _ids(node: ast.AST) -> Iterator[str]:
    for call in ast.walk(node):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "clause":
            yield from (one.value for one in call.args if isinstance(one, ast.Constant) and isinstance(one.value, str))


# --- words ----------------------------------------------------------------------------------------------------------


def command(card: Ruleset, question: str, given: Mapping[str, object]) -> str:
    """A question with inputs as it is typed in a terminal."""
    parts: list[str] = []
    for name, value in given.items():
        option = "--" + name.replace("_", "-")
        for one in value if isinstance(value, (list, tuple)) else [value]:
            text = " ".join(f"{k}={v}" for k, v in one.items()) if isinstance(one, Mapping) else str(one)
            parts.append(f'{option} "{text}"' if " " in text else f"{option} {text}")
    lines = [f"bt odds {card.name} {question}"]
    for part in parts:
        if len(lines[-1]) + len(part) > WIDTH:
            lines[-1] += " \\"
            lines.append("   ")
        lines[-1] += f" {part}"
    return "\n".join(lines)


def _page(*parts: str) -> str:
    return "\n\n".join([GENERATED, *parts]) + "\n"


def _default_first(one: Field) -> list[object]:
    return sorted(one.choices, key=lambda value: value != one.default)


def _brief(one: Field, value: object) -> str:
    """A value short enough for a cell: carried things as “6 x Storm carbine”, nothing as a dash."""
    if value in (None, (), ""):
        return "-"
    if isinstance(value, tuple) and one.item is not None:
        return ", ".join(f"{getattr(part, 'models', 1)} x {part.name}" for part in value)
    return one.show(value)


def _link(one: Clause, page: str) -> str:
    return f"[{one.id}]({page}#{one.id.lower()})"


def _clause_link(clause_id: str) -> str:
    return f"[{clause_id}](#{clause_id.lower()})" if clause_id else ""


def _short(name: str, package: str) -> str:
    return name.removeprefix(f"{package}.")


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:] if text[1:2].islower() else text


def _text(text: str) -> str:
    """Plain text that Markdown will not take for anything else."""
    special: Callable[[str], str] = lambda one: f"\\{one}" if one in "\\*_<>[]#`{}$~" else one
    return "".join(special(one) for one in text)


def _html(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")
