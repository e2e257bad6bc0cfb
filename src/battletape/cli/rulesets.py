"""`battletape rulesets`: which systems there are and what can be asked of them."""

from __future__ import annotations

import click

from battletape import registry, trial
from battletape.cli.rules import complete_ruleset
from battletape.cli.terminal import Column, echo_json, page
from battletape.views.catalogue import ruleset_view


@click.command()
@click.argument("ruleset", required=False, shell_complete=complete_ruleset)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def rulesets(ruleset: str | None, as_json: bool) -> None:
    """List the rule systems, or one of them, and what can be asked of them.

    \b
    Examples:
      $ battletape rulesets
      $ battletape rulesets attack_dice
    """
    trial.leave_out_failing()
    views = [ruleset_view(card) for card in (registry.rulesets() if ruleset is None else [registry.ruleset(ruleset)])]
    broken = registry.broken() if ruleset is None else {}
    if as_json:
        echo_json(views if ruleset is None else views[0])
        for name, why in broken.items():
            click.echo(f"{name} cannot be used: {why}", err=True)
        return
    shown = page()
    for view in views:
        shown.heading(view.name, f"{view.title} · {view.done} of {view.clauses} rules done")
        shown.text(view.summary, indent=2)
        titles = {question.name: question.title for question in view.questions}
        groups = view.groups if ruleset is not None else {"": tuple(titles)}
        for title, names in groups.items():
            if title and len(groups) > 1:
                shown.text(title, "soft", indent=2)
            shown.table([Column(style="strong"), Column(wraps=True)], [(name, titles[name]) for name in names])
        if view.presets:
            shown.text(f"Presets: {', '.join(view.presets)}", "soft", indent=2)
    for name, why in broken.items():
        shown.heading(name, "installed, and cannot be used")
        shown.text(why, "warn", indent=2)
    shown.gap()
    shown.text(f"Ask with: battletape odds {views[0].name} {views[0].questions[0].name} --help", "soft")
    if ruleset is not None:
        shown.text(f"Its units and weapons: battletape profiles {ruleset}", "soft")
        shown.text(f"Its rules: battletape rules {ruleset}", "soft")
    shown.show()
