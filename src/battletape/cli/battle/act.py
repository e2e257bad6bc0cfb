"""`battletape battle do` and `odds`: act, and look ahead."""

from __future__ import annotations

import click

from battletape.battle.journal import Move
from battletape.cli.app import refuse_alone, refuse_together
from battletape.cli.asking import seed_of
from battletape.cli.battle import options
from battletape.cli.battle.pages import draw_actions, draw_move, draw_now
from battletape.cli.deciding import decision_options, decisions_of_action, in_terminal, may_end, rolled_with, way_of
from battletape.cli.drawing import MAX_BARS, draw_answer
from battletape.cli.odds import explored, refuse_for_programs, seconds_of
from battletape.cli.roll import fresh_seed, split_answers
from battletape.cli.terminal import echo_json, page
from battletape.cli.waiting import Waiting
from battletape.errors import BadInput, sentence
from battletape.tape.limits import PREVIEW_SECONDS, Budget
from battletape.tape.path import Path
from battletape.tape.rolled import Rolled
from battletape.views.answer import answer_view
from battletape.views.battle import action_views, battle_view, last_move
from battletape.words import capital


@click.command()
@options.with_action
@click.option("--seed", metavar="SEED", help="The luck of the dice.")
@click.option("--typed", is_flag=True, help="Type in the dice you rolled.")
@click.option("--answers", metavar="“DICE; DICE…”", help="Typed dice without prompts, with “;” between questions.")
@decision_options
@click.option("--all", "everything", is_flag=True, help="Without an action: list every command.")
@options.in_file
def do(
    action: str | None,
    pairs: tuple[str, ...],
    seed: str | None,
    typed: bool,
    answers: str | None,
    first: bool,
    best: str | None,
    everything: bool,
    path: str,
    as_json: bool,
) -> None:
    """Do something; without an action, list what may be done and why the rest may not.

    In a terminal the decisions that come up are asked, the opponent's as well: Enter takes the usual option, and ?
    tells what each is worth. Elsewhere the usual ones are taken, and the log says so.

    An action alone (battletape battle do attack) says what it needs. A list such as `also`, the further targets of
    an attack, is written as name=value pairs in one word, with “;” between entries.

    \b
    Examples:
      $ battletape battle do
      $ battletape battle do start
      $ battletape battle do attack unit="Storm wardens" weapon="Storm carbine" target="Hill raiders" distance=18 models=2 --seed 7
      $ battletape battle do attack unit="Storm wardens" weapon="Storm carbine" target="Hill raiders" distance=18 models=2 also="target='Bramble mammoth' models=1 distance=20"
    """  # noqa: E501 (a command to copy)
    for option, value in (
        ("--seed", seed),
        ("--typed", typed),
        ("--answers", answers),
        ("--first", first),
        ("--best", best),
    ):
        refuse_alone(option, value, "an action", action)
    refuse_together({"--all": everything, f"the action {action}": action}, "it lists what may be done")
    file = options.open_file(path)
    if action is None:
        views = action_views(file.battle, everything=everything)
        if as_json:
            echo_json(views)
            return
        shown = page()
        draw_actions(shown, views, everything=everything, path=options.named_file(path))
        shown.show()
        return
    given = options.find_params(file.battle, action, pairs, path)
    way = way_of(first, best, as_json, typed)
    ready = file.battle.plan(action, given)
    acting = ready.action.about(file.battle.state, ready.order).get("unit", "")
    if way == "ask" and in_terminal() and not may_end(file.battle, action, acting):
        return
    ended = file.battle.over
    luck = Rolled(fresh_seed() if seed is None else seed_of(seed))
    decisions = decisions_of_action(file.battle, ready, way, best)
    if typed or answers is not None:
        from battletape.cli.typing_in import UnfitAnswers, play_typed

        def go(tape: Path) -> Move:
            return file.battle.push(action, given, tape=tape)

        def ahead(tape: Path) -> None:
            file.battle.rehearse(action, given, tape=tape)

        try:
            play_typed(
                go, luck, split_answers(answers), prompts=typed, rest=seed is not None, ahead=ahead, decisions=decisions
            )
        except UnfitAnswers as error:
            refused = options.refuse_answered_action(file.battle, error.answers, given)
            if refused is None:
                raise
            raise BadInput(f"{sentence(error)} {capital(sentence(refused))}", field=error.field) from error
    else:
        file.battle.push(action, given, tape=rolled_with(luck, decisions))
    number = len(file.battle.record.moves)
    options.keep(file, f"Move {number} ({action}) was made")
    move, now = last_move(file.battle), battle_view(file.battle)
    if as_json:
        echo_json({"move": move, "battle": now})
        return
    shown = page()
    if ended:
        shown.text(f"The battle was over already: {ended}. The move was made all the same.", "warn")
    draw_move(shown, move)
    draw_now(shown, now)
    shown.show()


@click.command()
@options.with_action
@click.option("--measure", multiple=True, metavar="NAME", help="Show this measure; may be repeated.")
@click.option("--fractions", is_flag=True, help="Chances as fractions instead of percentages.")
@click.option("--rulings", "all_rulings", is_flag=True, help="List every ruling of the battle.")
@click.option(
    "--budget-seconds",
    metavar="S",
    help=f"Stop after this many seconds and say what was left out. [{PREVIEW_SECONDS:g}]",
)
@options.in_file
def odds(
    action: str | None,
    pairs: tuple[str, ...],
    measure: tuple[str, ...],
    fractions: bool,
    all_rulings: bool,
    budget_seconds: str | None,
    path: str,
    as_json: bool,
) -> None:
    """Work out the exact odds of an action as the battle stands, before it is taken.

    \b
    Example:
      $ battletape battle odds attack unit="Storm wardens" weapon="Storm carbine" target="Hill raiders" distance=18
    """
    refuse_for_programs(as_json, fractions, all_rulings)
    battle = options.open_file(path).battle
    if action is None:
        raise BadInput(f"odds needs an action: {', '.join(action.name for action in battle.actions)}; got none.")
    budget = Budget(seconds=PREVIEW_SECONDS if budget_seconds is None else seconds_of(budget_seconds))
    params = options.find_params(battle, action, pairs, path)
    with Waiting(battle.rules.action(action).title) as waiting:
        answer = explored(battle.odds(action, params, budget=budget, progress=waiting))
    if as_json:
        echo_json(answer_view(answer, measure))
        return
    shown = page()
    view = answer_view(answer, measure, MAX_BARS)
    draw_answer(shown, view, first=len(measure) or 1, fractions=fractions, all_rulings=all_rulings)
    shown.show()
