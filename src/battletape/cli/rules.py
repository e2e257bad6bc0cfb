"""`battletape rules`: search the rule book in our words, look up one clause, print the tables."""

from __future__ import annotations

from typing import Any

import click

from battletape import registry
from battletape.cli.drawing import count, draw_table
from battletape.cli.terminal import Column, Page, echo_json, page, size
from battletape.errors import BadInput, UnknownName
from battletape.views.rules import ClauseUse, RulesView, clause_use, others_shown, rules_view, table_views

STATUS = {"done": "", "partial": "partly done", "not_yet": "not done yet", "out_of_scope": "out of scope"}


def complete_ruleset(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Return rulesets that begin like this."""
    return [name for name in registry.names() if name.startswith(incomplete)]


def complete_words(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
    """Return clauses whose id begins like this."""
    from click.shell_completion import CompletionItem

    try:
        book = registry.ruleset(ctx.params.get("ruleset") or "").clauses
    except UnknownName:
        return []
    return [
        CompletionItem(clause.id, help=clause.title)
        for clause in book
        if clause.id.lower().startswith(incomplete.lower())
    ]


@click.command()
@click.argument("ruleset", shell_complete=complete_ruleset)
@click.argument("words", nargs=-1, shell_complete=complete_words)
@click.option("--tables", is_flag=True, help="Print the tables; with words, those whose title contains them.")
@click.option("--code", is_flag=True, help="With an id: also the code and the tests of the rule.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def rules(ruleset: str, words: tuple[str, ...], tables: bool, code: bool, as_json: bool) -> None:
    """Search the rules in our own words, look some up by their ids, or print the tables.

    \b
    Examples:
      $ battletape rules attack_dice
      $ battletape rules attack_dice armour save
      $ battletape rules attack_dice AD-7
      $ battletape rules attack_dice AD-75 AD-76
      $ battletape rules attack_dice --tables
    """
    card = registry.ruleset(ruleset)
    wanted = " ".join(words)
    shown = page()
    if tables:
        views = table_views(card, wanted)
        if as_json:
            echo_json(views)
            return
        for table in views:
            draw_table(shown, table)
    elif words and all(is_id(word, card.clauses.by_id) for word in words):
        uses = [clause_use(card, word) for word in dict.fromkeys(words)]
        if as_json:
            echo_json(uses if len(uses) > 1 else uses[0])
            return
        for at, use in enumerate(uses):
            if at:
                shown.gap()
            draw_clause(shown, use, code=code)
        if not code:
            shown.gap()
            shown.text("--code also shows the code and tests.", "soft")
    else:
        view = rules_view(card, wanted)
        if as_json:
            echo_json(view)
            return
        if not view.clauses:
            raise BadInput(
                f"no rule of {card.name} mentions {wanted!r}; try fewer or other words, or an id such as "
                f"{next(iter(card.clauses.by_id), 'AD-1')}.",
                field="words",
            )
        draw_rules(shown, view)
    shown.show()


def is_id(word: str, known: Any) -> bool:
    """Return whether a word is meant as the id of a clause: letters, a dash, a number."""
    letters, dash, number = word.partition("-")
    return word.upper() in known or bool(dash and letters.isalpha() and number.isdigit())


def draw_rules(page: Page, view: RulesView) -> None:
    """Draw the clauses of a search: id, title, and their words if there are few."""
    number = view.count
    if view.understood:
        page.text(f"{count(number, 'rule')} of {view.of} for “{view.words}”, taken as “{view.understood}”.", "strong")
    elif view.words:
        page.text(
            f"{number} of {count(view.of, 'rule')} {'mentions' if number == 1 else 'mention'} “{view.words}”.", "strong"
        )
    else:
        page.text(f"{view.title}: {count(view.of, 'rule')}.", "strong")
    page.gap()
    if number <= 12:
        for clause in view.clauses:
            _draw_title(page, clause.id, clause.title)
            page.text(clause.words, indent=2)
            page.gap()
        page.text(f"More on one: battletape rules {view.ruleset} {view.clauses[0].id}", "soft")
        return
    topic, wide = "", max(len(clause.id) for clause in view.clauses)
    for clause in view.clauses:
        if clause.topic != topic and not view.words:
            topic = clause.topic
            page.heading(topic.replace("_", " ").capitalize())
        status = STATUS.get(clause.status, clause.status)
        heading = f"{clause.title}  ({status})" if status else clause.title
        if 2 + wide + 2 + size(heading) <= page.width - 1:
            page.line("  ", (f"{clause.id:<{wide}}  ", "rule"), clause.title, (heading[len(clause.title) :], "soft"))
        else:
            page.line("  ", (clause.id, "rule"))
            page.text(heading, indent=4)


def _draw_title(page: Page, id: str, title: str) -> None:
    if size(id) + 2 + size(title) <= page.width - 1:
        page.line((id, "rule"), "  ", (title, "strong"))
    else:
        page.line((id, "rule"))
        page.text(title, "strong")


def draw_clause(page: Page, use: ClauseUse, *, code: bool = False) -> None:
    """Draw one clause with where it comes from and what uses it; for programmers also its code and tests."""
    clause = use.clause
    _draw_title(page, clause.id, clause.title)
    page.text(clause.words)
    if clause.note:
        page.gap()
        page.text(clause.note, "soft")
    page.gap()
    status = STATUS.get(clause.status, clause.status)
    others, more = others_shown(use.code)
    rows = [
        ("Source", clause.source),
        ("Status", status),
        ("Questions", ", ".join(use.questions)),
        ("Actions", ", ".join(use.actions)),
        ("Rulings", ", ".join(use.rulings)),
        ("Inputs", ", ".join(use.inputs)),
    ]
    if code:
        rows += [
            ("Rule", "".join(use.code[:1])),
            ("Also in", " ".join(filter(None, (", ".join(others), more)))),
        ]
    by_file: dict[str, list[str]] = {}
    for test in use.tests if code else ():
        file, _, name = test.partition("::")
        by_file.setdefault(file, []).append(name)
    rows += [("" if at else "Tests", f"{file}: {', '.join(names)}") for at, (file, names) in enumerate(by_file.items())]
    columns = [Column(style="soft"), Column(wraps=True)]
    page.table(columns, [row for row in rows if row[1]], indent=0)
