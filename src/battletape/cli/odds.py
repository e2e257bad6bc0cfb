"""`battletape odds`: the exact odds of a question, or the best decisions in it."""

from __future__ import annotations

from time import perf_counter
from typing import Any

import click

from battletape.answer import Answer, advise, ask, sample
from battletape.cli.app import refuse_alone, refuse_together
from battletape.cli.asking import Rulesets, Verb, common_options, measure_option, seed_of, whole
from battletape.cli.drawing import MAX_BARS, draw_answer, draw_board, write_svg
from battletape.cli.terminal import Column, Page, echo_json, page
from battletape.cli.waiting import Waiting
from battletape.errors import BadInput, BudgetSpent
from battletape.inputs import parse_pairs
from battletape.system import Question, Ruleset
from battletape.tape.limits import BRANCHES_SPENT, Budget
from battletape.views.advice import AdviceView, advice_view
from battletape.views.answer import answer_view
from battletape.words import capital

DEFAULT_SECONDS = 30.0
"""How long an answer may take unless --budget-seconds says otherwise."""
MOST_DECISIONS = 12
SIDES = "How each side plays, with --best: min or max; if you do not say so, as is good for it."

ABOUT = """The exact odds of a question: a sentence, the distribution, the steps with their rules.

\b
Examples:
  $ battletape odds attack_dice
  $ battletape odds attack_dice attack --attacks 12 --power 6 --defence 4 --armour 5+
  $ battletape odds attack_dice attack --attacks 12 --measure hp_lost --fractions
"""


def options(ruleset: Ruleset, question: Question) -> list[click.Option]:
    """Return the options of `odds` besides the inputs."""
    return [
        *common_options(ruleset),
        measure_option(question, "Show this measure; may be repeated.", multiple=True),
        click.Option(["--fractions"], is_flag=True, help="Chances as fractions instead of percentages."),
        click.Option(["--rulings", "all_rulings"], is_flag=True, help="List every ruling that was used."),
        click.Option(["--csv", "as_csv"], is_flag=True, help="Print the distribution as CSV."),
        *board_options(question),
        *how_options(),
        click.Option(["--best"], metavar="MEASURE", help="Advise: the best decisions for this measure."),
        click.Option(["--sides"], metavar="“SIDE=max|min|first|last …”", help=SIDES),
    ]


def board_options(question: Question) -> list[click.Option]:
    """Return the options of a question that knows what lies on the table."""
    if question.picture is None:
        return []
    return [
        click.Option(["--board"], is_flag=True, help="Draw the table below the answer."),
        click.Option(["--svg"], metavar="FILE.svg", help="Draw the table into this file."),
    ]


def how_options() -> list[click.Option]:
    """Return the options that say how to compute."""
    return [
        click.Option(["--floats"], is_flag=True, help="Floating point where chains are long: faster, not exact."),
        click.Option(["--sampled"], metavar="N", help="An estimate by N rolls instead."),
        click.Option(["--seed"], metavar="SEED", help="The luck of --sampled."),
        click.Option(
            ["--budget-seconds"],
            metavar="S",
            help=f"Stop after this many seconds and say what was left out. [{DEFAULT_SECONDS:g}]",
        ),
    ]


def run(ruleset: Ruleset, question: Question, given: dict[str, Any], own: dict[str, Any]) -> None:
    """Answer, and show it."""
    refuse_ignored(own)
    if own["best"] is not None:
        _advise(ruleset, question, given, own)
        return
    names = own["measure"]
    for name in names:
        question.measure(name)
    if own["as_csv"] and len(names) > 1:
        raise BadInput(f"--csv prints one measure; got {', '.join(names)}. --json prints them all.", field="measure")
    answer = work_out(ruleset, question, given, own)
    if own.get("svg") is not None:
        write_svg(own["svg"], answer.picture, question.name)
    if own["as_csv"]:
        measure = question.measure(names[0] if names else None)
        click.echo(answer.odds(measure.name).to_csv(measure.adds_up), nl=False)
    elif own["as_json"]:
        echo_json(answer_view(answer, names))
    else:
        shown = page()
        view = answer_view(answer, names, None if own["fractions"] and len(answer.states) <= 200 else MAX_BARS)
        draw_answer(shown, view, first=len(names) or 1, fractions=own["fractions"], all_rulings=own["all_rulings"])
        picture = answer.picture if own.get("board") else None
        if picture is not None:
            draw_board(shown, picture)
        if own.get("svg") is not None:
            shown.gap()
            shown.text(f"The table is drawn in {own['svg']}.", "soft")
        shown.show()


def refuse_ignored(own: dict[str, Any]) -> None:
    """Refuse options that would be ignored beside the others."""
    refuse_together({"--json": own["as_json"], "--csv": own["as_csv"]}, "an answer is printed in one form")
    refuse_for_programs(own["as_json"], own["fractions"], own["all_rulings"])
    refuse_for_programs(own["as_csv"], own["fractions"], own["all_rulings"], "--csv", "it prints fractions, no rulings")
    for form in ("--json", "--csv"):
        board = {form: own["as_" + form[2:]], "--board": own.get("board")}
        refuse_together(board, "--json has the table as data, and --svg draws it")
    refuse_alone("--sides", own["sides"], "--best MEASURE", own["best"])
    plain = ("measure", "fractions", "all_rulings", "as_csv", "floats", "sampled", "seed", "budget_seconds")
    for name in (*plain, *(name for name in ("board", "svg") if name in own)):
        option = {"all_rulings": "--rulings", "as_csv": "--csv"}.get(name, "--" + name.replace("_", "-"))
        why = "advice is worked out exactly, for the measure it names, and shows decisions, not chances"
        refuse_together({option: own[name], "--best": own["best"]}, why)
    refuse_alone("--seed", own["seed"], "--sampled N", own["sampled"])
    for name in ("floats", "budget_seconds"):
        option = "--" + name.replace("_", "-")
        refuse_together({option: own[name], "--sampled": own["sampled"]}, "an estimate takes as many rolls as it names")


def refuse_for_programs(
    as_json: bool,
    fractions: bool,
    rulings: bool,
    form: str = "--json",
    why: str = "it has fractions and rulings anyway",
) -> None:
    """Refuse options about the printed page where the answer goes to a program."""
    refuse_together({form: as_json, "--fractions": fractions}, why)
    refuse_together({form: as_json, "--rulings": rulings}, why)


def work_out(ruleset: Ruleset, question: Question, given: dict[str, Any], own: dict[str, Any]) -> Answer:
    """Return the answer as the options ask for it: exact, in floats, or sampled."""
    times, measures = whole(own["sampled"], "sampled", 1, 1_000_000), own["measure"]
    budget = Budget(seconds=seconds_of(own["budget_seconds"]))
    with Waiting(question.title) as waiting:
        if times is not None:
            seed = seed_of(own["seed"])
            return sample(
                ruleset, question, given, times, seed=seed, budget=budget, progress=waiting, measures=measures
            )
        floats = own["floats"]
        return explored(
            ask(ruleset, question, given, budget=budget, floats=floats, progress=waiting, measures=measures)
        )


def explored(answer: Answer) -> Answer:
    """Return the answer, if the budget left anything of it."""
    if not answer.states.weights:
        why = answer.how.left_out
        reason = "the time was over" if why in ("", BRANCHES_SPENT) else why
        raise BudgetSpent(
            f"{reason}, before anything was known; ask about a smaller situation, allow more with "
            "--budget-seconds, or take an estimate with battletape odds … --sampled 10000"
        )
    return answer


def seconds_of(text: str | None) -> float:
    """Return the seconds of a budget."""
    try:
        seconds = DEFAULT_SECONDS if text is None else float(text)
    except ValueError:
        seconds = -1.0
    if not 0 < seconds <= 86_400:
        raise BadInput(
            f"--budget-seconds must be more than 0 seconds and at most a day; got {text!r}.", field="budget_seconds"
        )
    return seconds


def _advise(ruleset: Ruleset, question: Question, given: dict[str, Any], own: dict[str, Any]) -> None:
    measure = question.measure(own["best"])
    sides = parse_pairs(own["sides"].replace(",", " ")) if own["sides"] else {}
    began = perf_counter()
    with Waiting(question.title):
        advice = advise(ruleset, question, given, measure.name, sides)
    inputs, _ = ruleset.split(question, given)
    view = advice_view(ruleset, question, inputs, measure, sides, advice, perf_counter() - began)
    if own["as_json"]:
        echo_json(view)
        return
    shown = page()
    _draw_advice(shown, view)
    shown.show()


def _draw_advice(page: Page, view: AdviceView) -> None:
    page.text(view.headline, "strong")
    for warning in view.warnings:
        page.text(f"Note: {warning}", "warn")
    for decision in view.decisions[:MOST_DECISIONS]:
        when = f"{decision.when} · " if decision.when else ""
        page.heading(
            capital(decision.label), f"{decision.by or 'anyone'} decides · {when}comes up {decision.reached.percent}"
        )
        rows = [
            (
                (option.option, "strong" if option.best else ""),
                option.value.text,
                ("best" if option.best else "", "happens"),
            )
            for option in decision.options
        ]
        page.table([Column(), Column(right=True), Column()], rows)
    if len(view.decisions) > MOST_DECISIONS:
        page.gap()
        more = len(view.decisions) - MOST_DECISIONS
        page.text(f"And {more:,} rarer decisions; --json lists them all.", "soft")


odds = Rulesets("odds", ABOUT, Verb(options, run))
