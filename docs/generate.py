"""The pages that write themselves: one for each ruleset, from its card and clauses, and one of what is covered.

Sphinx calls `write_pages` before it reads anything (see conf.py); the pages go into the folder rulesets/, which git
ignores.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from battletape.clauses import Clause
from battletape.conformance.sources import cited_by
from battletape.inputs import Field, Inputs, fields
from battletape.registry import OURS, ruleset
from battletape.system import Ruleset, Table
from docs.evidence import named_by_tests
from docs.markdown import command, html, lower_first, plain, table

HERE = Path(__file__).parent
TESTS = HERE.parent / "tests"
GROUPS = ("attacker", "weapon", "target", "circumstances")  # as a player thinks; others come after
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
    rows = [(f"[{card.title}]({card.name}.md)", card.summary, str(len(card.clauses))) for card in cards]
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
        *_start(card),
        *_actions(card),
        *_tables(card),
        *_clauses(card),
    )


def coverage_page(cards: Sequence[Ruleset], tests: Mapping[str, Sequence[str]]) -> str:
    """How much of each book is done, and where."""
    heads = ("system", "clauses", *STATUS.values())
    rows = []
    for card in cards:
        statuses: list[str] = [clause.status for clause in card.clauses]
        rows.append((f"[{card.title}](#{card.name})", str(len(statuses)), *(str(statuses.count(s)) for s in STATUS)))
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
    for clause in card.clauses:
        why = f": {clause.note}" if clause.status != "done" and clause.note else ""
        code = ", ".join(f"`{_short(name, card.package)}`" for name in cited.get(clause.id, ())) or "none"
        named = told(tests.get(clause.id, ())) or "none"
        rows.append((_link(clause, f"{card.name}.md"), f"{clause.title} ({STATUS[clause.status]}{why})", code, named))
    return table(("clause", "what it says", "code", "tests"), rows, kind="stacked .coverage")


def told(tests: Sequence[str]) -> str:
    """The names of tests are sentences: test_d6.test_a_one_fails becomes “d6: a one fails”."""
    files: dict[str, list[str]] = {}
    for name in tests:
        file, _, test = name.partition(".test_")
        files.setdefault(file.removeprefix("test_"), []).append(test.replace("_", " "))
    return "; ".join(f"*{file}*: {', '.join(names)}" if any(names) else file for file, names in files.items())


# --- the parts of a ruleset's page ----------------------------------------------------------------------------------


def _counted(card: Ruleset) -> str:
    statuses: list[str] = [clause.status for clause in card.clauses]
    parts = [f"{statuses.count(status)} {word}" for status, word in STATUS.items() if status in statuses]
    return f"Its book has {len(statuses)} clauses: {', '.join(parts)}."


def _questions(card: Ruleset) -> Iterator[str]:
    yield "## Questions"
    yield "What a player can ask, with the odds, by a roll or with real dice."
    for question in card.questions:
        yield f"### {question.name}"
        yield question.title
        if question.example:
            typed = command(f"bt odds {card.name} {question.name}", question.example)
            yield f"```text\n{typed}\n```"
        yield from _inputs(question.inputs)
        measures = "; ".join(f"`{measure.name}`: {lower_first(measure.title)}" for measure in question.measures)
        yield f"Measures: {measures}."


def _rulings(card: Ruleset) -> Iterator[str]:
    rulings = fields(card.rulings)
    if not rulings:
        return
    yield "## Rulings"
    yield (
        "Where the book is silent or says two things, players agree on a ruling. The first value of each is the "
        'default. Give one as an option (`--method formula`), as an argument (`method="formula"`), or set it up '
        "for a whole battle."
    )
    rows = []
    for ruling in rulings:
        values = "".join(f"<li><code>{value}</code>: {html(means)}</li>" for value, means in _default_first(ruling))
        rows.append((f"`{ruling.name}`", f"{ruling.title} ({_clause_link(ruling.clause)})", f"<ul>{values}</ul>"))
    yield table(("ruling", "what it decides", "values"), rows, kind="stacked")
    if card.presets:
        named = [
            f"`{name}` ({', '.join(f'{k} {v}' for k, v in values.items()) or 'the defaults'})"
            for name, values in card.presets.items()
        ]
        yield f"Presets set several at once: {', '.join(named)}."


def _keywords(card: Ruleset) -> Iterator[str]:
    if not card.keywords:
        return
    yield "## Special rules"
    yield "Keywords of weapons or units; each is written in one place."
    rows = []
    for keyword in card.keywords:
        clauses = [card.clauses[clause_id] for clause_id in keyword.clauses]
        titles = "; ".join(f"{plain(clause.title)} ({_clause_link(clause.id)})" for clause in clauses)
        rows.append((f"`{keyword.name}`", titles))
    yield table(("keyword", "clause"), rows)


def _profiles(card: Ruleset) -> Iterator[str]:
    if card.profiles is None:
        return
    yield "## Profiles"
    yield (
        "Invented ones to try the rules with; name them in a question or a battle, and "
        "[add your own](../recipes/weapon.md)."
    )
    for kind, entries in card.book.entries.items():
        heads = [field for field in fields(card.book.kinds[kind]) if field.name != "name"]
        rows = [
            (plain(name), *(plain(_brief(head, getattr(entry, head.name))) for head in heads))
            for name, entry in entries.items()
        ]
        yield f"### {kind.capitalize()}s"
        yield table((kind, *(head.name for head in heads)), rows)


def _start(card: Ruleset) -> Iterator[str]:
    """What a file of sides may say, key by key."""
    if card.battle_rules is None:
        return
    yield "## A file of sides"
    yield (
        f"What `bt battle new {card.name} --sides FILE.toml` takes, key by key; every key may be left out. Without a "
        'file, two lists of units do: `--sides "NAME, 2 x NAME" --sides "…"`.'
    )
    kinds = {inputs: kind for kind, inputs in card.book.kinds.items()}
    tables, seen = [("", card.battle_rules.start)], dict[type[Inputs], str]()
    for path, inputs in tables:
        title = f"`[[{path}]]`" if path else "Before all tables"
        if inputs in seen:
            yield f"**{title}**: the keys of {seen[inputs]}."
            continue
        seen[inputs] = title
        profile = next((base for base in inputs.__mro__[1:] if base in kinds), None)
        of_profile = {field.name for field in fields(profile)} - {"name"} if profile is not None else set[str]()
        keys = [field for field in fields(inputs) if field.name not in of_profile]
        tables += [(f"{path}.{key.name}".lstrip("."), key.item) for key in keys if key.item and key.item not in kinds]
        yield f"**{title}**: {lower_first(plain(doc_line(inputs)))}"
        yield table(
            ("key", "what it is", "takes", "default"), [_key(key, kinds) for key in keys], kind="stacked .inputs"
        )
        if profile is not None:
            yield f"And every key of a {kinds[profile]} (see Profiles); its value then counts, not that of the profile."


def _key(field: Field, kinds: Mapping[type[Inputs], str]) -> tuple[str, ...]:
    """A key of a file of sides: its name, what it is, what it takes and its default."""
    title = field.title + (f" ({field.unit})" if field.unit else "")
    wants = field.wants
    if field.item is not None:
        kind = kinds.get(field.item)
        wants = f"{kind} profiles, by name or with numbers" if kind else "a list; see below"
    return f"`{field.name}`", plain(title), plain(wants), plain(field.show(field.default)) or "none"


def doc_line(inputs: type[Inputs]) -> str:
    """The first sentence about a type of inputs."""
    return (inputs.__doc__ or "").strip().splitlines()[0]


def _actions(card: Ruleset) -> Iterator[str]:
    if card.battle_rules is None:
        return
    yield "## Actions in a battle"
    rows = []
    for action in card.battle_rules.actions:
        takes = ", ".join(f"`{field.name}`" for field in fields(action.inputs)) or "nothing"
        rows.append((f"`{action.name}`", action.title, takes, " ".join(map(_clause_link, action.clauses))))
    yield table(("action", "what it does", "takes", "clause"), rows, kind="stacked .actions")
    told = [
        f"- `{field.name}` of `{action.name}`: {lower_first(field.title)}; {plain(field.description)}."
        for action in card.battle_rules.actions
        for field in fields(action.inputs)
        if field.description
    ]
    if told:
        yield "\n".join(told)


def _tables(card: Ruleset) -> Iterator[str]:
    printed = card.tables()
    if printed:
        yield "## Tables"
        for book_table in printed:
            yield f"### {book_table.title}"
            yield printed_table(book_table)


def _clauses(card: Ruleset) -> Iterator[str]:
    yield "## Clauses"
    yield "The book in our own words, clause by clause."
    topic = None
    for clause in card.clauses:
        if clause.topic and clause.topic != topic:
            topic = clause.topic
            yield f"### {topic.replace('_', ' ').capitalize()}"
        yield _clause(clause)


def _clause(clause: Clause) -> str:
    lines = [
        f"({anchor(clause.id)})=",
        f"{{.clause}}\n**{clause.id} · {plain(clause.title)}**",
        "",
        plain(clause.words),
    ]
    fine = [f"Source: {plain(clause.source)}."]
    if clause.note:
        fine.append(plain(clause.note))
    if clause.status != "done":
        fine.insert(0, f"**{STATUS[clause.status].capitalize()}.**")
    return "\n".join([*lines, "", f"{{.fine}}\n{' '.join(fine)}"])


# --- tables ---------------------------------------------------------------------------------------------------------


def printed_table(printed: Table) -> str:
    """A table of the book, with its clause."""
    source = f" {_clause_link(printed.clause)}" if printed.clause else ""
    body = table(
        [plain(head) or " " for head in printed.head],
        [[plain(cell) for cell in row] for row in printed.rows],
        "printed",
    )
    return f"{body}\n\n{{.fine}}\nFrom clause{source}." if source else body


def _inputs(inputs: type[Inputs]) -> Iterator[str]:
    """A table for each group of inputs."""
    groups: dict[str, list[tuple[str, ...]]] = {name: [] for name in GROUPS}
    for field in fields(inputs):
        title = field.title + (f" ({field.unit})" if field.unit else "")
        row = (f"`{field.name}`", plain(title), plain(field.wants), plain(field.show(field.default)) or "none")
        groups.setdefault(field.group, []).append(row)
    for name, rows in groups.items():
        if rows:
            heads = (name.capitalize() or "Input", "what it is", "takes", "default")
            yield table(heads, rows, kind="stacked .inputs")


# --- small things ---------------------------------------------------------------------------------------------------


def _page(*parts: str) -> str:
    return "\n\n".join([GENERATED, *parts]) + "\n"


def _default_first(field: Field) -> list[tuple[str, str]]:
    return sorted(field.alternatives, key=lambda told: told[0] != field.show(field.default))


def _brief(field: Field, value: object) -> str:
    """A value short enough for a cell: carried things as “6 x Storm carbine”, nothing as a dash."""
    if value in (None, (), ""):
        return "-"
    if isinstance(value, tuple) and field.item is not None:
        return ", ".join(f"{getattr(part, 'models', 1)} x {getattr(part, 'name', part)}" for part in value)
    return field.show(value)


def anchor(clause_id: str) -> str:
    """The name of a clause's place on the page of its ruleset."""
    return clause_id.lower().replace(".", "-")


def _link(clause: Clause, page: str) -> str:
    return f"[{clause.id}]({page}#{anchor(clause.id)})"


def _clause_link(clause_id: str) -> str:
    return f"[{clause_id}](#{anchor(clause_id)})" if clause_id else ""


def _short(name: str, package: str) -> str:
    return name.removeprefix(f"{package}.")
