"""`battletape roll`: one roll with its log, real dice typed in, or many rolls beside the exact odds."""

from __future__ import annotations

from typing import Any

import click

from battletape.answer import Answer, ask, sample, usual_policy
from battletape.answer import Roll as Rolling
from battletape.answer import roll as roll_once
from battletape.cli.app import refuse_together
from battletape.cli.asking import Rulesets, Verb, common_options, seed_of, whole
from battletape.cli.deciding import BEST, FIRST, Decisions, measure_of, rolled_with, way_of
from battletape.cli.drawing import MAX_BARS, draw_log, draw_rulings
from battletape.cli.odds import explored
from battletape.cli.terminal import Cell, Column, Page, echo_json, page
from battletape.cli.waiting import Waiting
from battletape.errors import BadInput
from battletape.system import Question, Ruleset
from battletape.tape.limits import Budget
from battletape.tape.path import Path
from battletape.tape.rolled import Rolled
from battletape.views.chances import Row, number_text, value_text
from battletape.views.question_text import lower
from battletape.views.roll import SURE, ResultView, RollView, SeriesMeasure, SeriesView, roll_view, series_view

LUCK_SECONDS = 5.0
"""How long the odds behind “how lucky was that” may take."""

ABOUT = """Roll it, or type in the dice you rolled at the table; then see how lucky that was.

\b
Examples:
  $ battletape roll attack_dice attack --attacks 12 --power 6 --seed 7
  $ battletape roll attack_dice attack --attacks 3 --power 6 --answers "7 3 0"
  $ battletape roll attack_dice attack --attacks 12 --times 1000 --seed 7
"""


def options(ruleset: Ruleset, question: Question) -> list[click.Option]:
    """Return the options of `roll` besides the inputs."""
    typed = "Type in real dice: pips one by one or all at once, or counts such as “14 hits”; Enter rolls for you."
    answers = "Typed dice without prompts, in order, with “;” between questions; an empty one is rolled."
    free = [] if "first" in question.inputs.__struct_fields__ else ["--first"]
    return [
        *common_options(ruleset),
        click.Option(["--seed"], metavar="SEED", help="The luck: the same seed rolls the same dice."),
        click.Option(["--typed"], is_flag=True, help=typed),
        click.Option(["--answers"], metavar="“DICE; DICE…”", help=answers),
        click.Option([*free, "--usual", "first"], is_flag=True, help=FIRST),
        click.Option(["--best"], metavar="GOAL", help=BEST),
        click.Option(["--times"], metavar="N", help="Roll so often, and compare with the exact odds."),
    ]


def run(ruleset: Ruleset, question: Question, given: dict[str, Any], own: dict[str, Any]) -> None:
    """Roll, and show it."""
    times = whole(own["times"], "times", 1, 1_000_000)
    seed = seed_of(own["seed"])
    if times is not None:
        if own["typed"] or own["answers"] is not None:
            raise BadInput("--times rolls by itself; leave out --typed and --answers, or --times.", field="times")
        refuse_together({"--times": True, "--best": own["best"]}, "many rolls take the usual decisions")
        _series(ruleset, question, given, times, seed, own["as_json"])
        return
    if seed is None:
        seed = fresh_seed()
    done = play(ruleset, question, given, seed, own)
    view = roll_view(done, _luck(ruleset, question, given), seed)
    if own["as_json"]:
        echo_json(view)
        return
    shown = page()
    draw_roll(shown, view, seeded=own["seed"] is None and own["answers"] is None and not own["typed"])
    shown.show()


def play(ruleset: Ruleset, question: Question, given: dict[str, Any], seed: int | str, own: dict[str, Any]) -> Rolling:
    """Return one result, by the computer's dice or a player's."""
    luck = Rolled(seed)
    way = way_of(own["first"], own["best"], own["as_json"], own["typed"])
    usual = None if way == "first" else usual_policy(ruleset, question, given)
    decisions = Decisions(way, measure_of(question.name, question.measures, own["best"]), question.lens, {}, usual)
    if not own["typed"] and own["answers"] is None:
        return roll_once(ruleset, question, given, tape=rolled_with(luck, decisions))
    from battletape.cli.typing_in import play_typed

    def go(tape: Path) -> Rolling:
        return roll_once(ruleset, question, given, tape=tape)

    rest = own["seed"] is not None
    return play_typed(
        go, luck, split_answers(own["answers"]), prompts=own["typed"], rest=rest, ahead=go, decisions=decisions
    )


def split_answers(text: str | None) -> list[str]:
    """Return typed answers of one option, with “;” between questions."""
    return [] if text is None or not text.strip() else [part.strip() for part in text.split(";")]


def fresh_seed() -> int:
    """Return a random seed, short enough to pass on."""
    from random import SystemRandom

    return SystemRandom().randrange(100_000)


def _luck(ruleset: Ruleset, question: Question, given: dict[str, Any]) -> Answer | None:
    """Return the odds, unless they take too long."""
    with Waiting(question.title) as waiting:
        answer = ask(ruleset, question, given, budget=Budget(seconds=LUCK_SECONDS), progress=waiting)
    return None if answer.states.unexplored_weight else answer


def draw_roll(page: Page, view: RollView, *, seeded: bool) -> None:
    """Draw a roll: the log, the result, and how lucky it was."""
    for warning in view.warnings:
        page.text(f"Note: {warning}", "warn")
    page.text(view.headline, "strong")
    page.gap()
    draw_log(page, view.log)
    draw_results(page, view.results)
    if any(ruling.changed for ruling in view.rulings):
        page.gap()
        draw_rulings(page, view.rulings)
    if seeded:
        page.gap()
        page.text(f"The same again: --seed {view.seed}", "soft")


def draw_results(page: Page, results: tuple[ResultView, ...]) -> None:
    """Draw each measure of a result with its luck; what did not happen in one line, and nothing that was sure."""
    uncertain = [result for result in results if result.luck != SURE]
    happened = [result for result in uncertain if result.value]
    if happened:
        page.gap()
        columns = [Column("Result", wraps=True), Column(right=True, style="best"), Column(style="least")]
        page.table(columns, [(result.title, value_text(result.value), result.luck) for result in happened], indent=0)
    rest = [lower(result.title) for result in uncertain if not result.value]
    if rest:
        page.gap()
        page.text(f"Not the case: {'; '.join(rest)}.", "soft")


def _series(
    ruleset: Ruleset, question: Question, given: dict[str, Any], times: int, seed: int | str | None, as_json: bool
) -> None:
    with Waiting(f"{question.title} {times:,} times") as waiting:
        budget = Budget(seconds=30.0)
        rolled = sample(ruleset, question, given, times, seed=seed, budget=budget, progress=waiting)
        exact = explored(ask(ruleset, question, given, budget=budget))
    if as_json:
        echo_json(series_view(rolled, exact, times, seed))
        return
    shown = page()
    _draw_series(shown, series_view(rolled, exact, times, seed, MAX_BARS))
    shown.show()


def _draw_series(page: Page, view: SeriesView) -> None:
    first = view.measures[0]
    page.text(f"{view.times:,} rolls. {first.title}: {first.verdict}.", "strong")
    _draw_shares(page, first)
    if view.measures[1:]:
        page.gap()
        columns = [Column(wraps=True), Column("rolled", right=True, style="strong"), Column("exactly", right=True)]
        page.table(columns, [(measure.title, *_shares(measure)) for measure in view.measures[1:]], indent=0)


def _draw_shares(page: Page, measure: SeriesMeasure) -> None:
    page.gap()
    widest = max((max(row.share, row.exactly.value) for row in measure.rows), default=1.0) or 1.0
    room = max(min(page.width - 44, 40), 8)
    rows: list[list[Cell]] = [
        [
            Row(row.value, row.exactly, None, row.to).label,
            (page.bar(row.share / widest, room), "happens"),
            f"{row.count:,}",
            f"{row.share * 100:.1f} %",
            row.exactly.percent,
        ]
        for row in measure.rows
    ]
    heads = (measure.title, "", "times", "rolled", "exactly")
    columns = [Column(head, right=at != 1) for at, head in enumerate(heads)]
    if len(measure.title) > 20:
        page.line((measure.title, "head"))
        columns[0] = Column(right=True)
    page.table(columns, rows, indent=0)


def _shares(measure: SeriesMeasure) -> tuple[str, str]:
    """Return the average or the share of yes in the rolls, and the exact value."""
    if measure.mean is not None and measure.exact_mean is not None:
        return number_text(measure.mean), measure.exact_mean.text
    likely = max(measure.rows, key=lambda row: (row.value is True, row.exactly.value))
    if likely.value is False:  # yes cannot come
        return "0.0 %", "0 %"
    name = "" if likely.value is True else f"{likely.value} "
    return f"{name}{likely.share * 100:.1f} %", likely.exactly.percent


roll = Rulesets("roll", ABOUT, Verb(options, run))
