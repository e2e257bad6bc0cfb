"""`battletape dice`: a calculator for any dice, with exact odds, rolls and real dice typed in."""

from __future__ import annotations

import click
from msgspec.structs import replace

from battletape.answer import Roll
from battletape.calculator import calculate, throw
from battletape.cli.app import refuse_alone, refuse_together
from battletape.cli.asking import seed_of
from battletape.cli.drawing import MAX_BARS, draw_answer
from battletape.cli.roll import draw_roll, fresh_seed, split_answers
from battletape.cli.terminal import echo_json, page
from battletape.dice import SIXES
from battletape.errors import BadInput
from battletape.tape.path import Path
from battletape.tape.rolled import Rolled
from battletape.views.answer import answer_view
from battletape.views.roll import roll_view


@click.command(context_settings={"ignore_unknown_options": True})  # so that “2d6 -1” is not an option
@click.argument("words", metavar="“DICE”", nargs=-1)
@click.option("--roll", "rolls", is_flag=True, help="Roll them once, and say how lucky that was.")
@click.option("--seed", metavar="SEED", help="The luck of --roll: the same seed rolls the same dice.")
@click.option("--typed", is_flag=True, help="Type in the dice you rolled.")
@click.option("--answers", metavar="“DICE; DICE…”", help="Typed dice without prompts, with “;” between questions.")
@click.option("--fractions", is_flag=True, help="Chances as fractions instead of percentages.")
@click.option("--csv", "as_csv", is_flag=True, help="Print the distribution as CSV.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, with fractions as text.")
def dice(
    words: tuple[str, ...],
    rolls: bool,
    seed: str | None,
    typed: bool,
    answers: str | None,
    fractions: bool,
    as_csv: bool,
    as_json: bool,
) -> None:
    """Work out the exact odds of any dice: how likely a comparison is, or what the dice come to.

    Put quotes around signs that mean something to your shell, such as >, ( and *.

    \b
    Examples:
      $ battletape dice 3d6+2
      $ battletape dice 4d6 drop lowest
      $ battletape dice "2d10+5 >= 12"
      $ battletape dice "8d6 reroll 1 5+"
      $ battletape dice "max(d20, d20)" --roll --seed 7

    \b
    What may be written:
      3d6  d%  4dF             dice; their sum counts
      2d6 + d4 - 1             sums; so D6 + D6 is 2d6
      2 * d6  d6 * d6          one roll that counts double; two rolls multiplied
      4d6 drop lowest          or drop highest 2, keep highest 3, keep lowest; 4d6kh3
      8d6 5+                   how many of the dice show 5 or more
      8d6 reroll 1             ones are rolled again, once
      3d6 explode 6            another die for each 6, and all is added; 3d6! explodes on its highest face
      max(d20, d20)            the greatest of several, or the least: min
      2d10+5 >= 12             how likely that is; also <=  >  <  =  !=, and dice on both sides
      d66                      two D6 read as tens and ones: 11 to 66, 36 results
    """
    text = " ".join(words)
    if unknown := next((word for word in words if word.startswith("--")), None):
        raise click.NoSuchOption(unknown, ctx=click.get_current_context())
    if not text.strip():
        raise BadInput.of("dice", "needs something to work out, such as: battletape dice 4d6 drop lowest")
    refuse_together({"--json": as_json, "--csv": as_csv}, "an answer is printed in one form")
    for form, is_given in (("--json", as_json), ("--csv", as_csv)):
        refuse_together({form: is_given, "--fractions": fractions}, "it has fractions anyway")
    rolls = rolls or typed or answers is not None
    refuse_alone("--seed", seed, "--roll", rolls)
    if rolls:
        for name, is_given in (("--csv", as_csv), ("--fractions", fractions)):
            refuse_together({"--roll": rolls, name: is_given}, "a roll has no distribution")
        _roll(text, seed, typed, answers, as_json)
        return
    answer = calculate(text)
    if as_csv:
        click.echo(answer.odds().to_csv(), nl=False)
    elif as_json:
        echo_json(answer_view(answer))
    else:
        shown = page()
        measures = answer.question.measures
        names = [measure.name for measure in (reversed(measures) if fractions else measures[-1:])]  # bars for the last
        by_table = set(answer.odds(names[0]).values()) <= set(SIXES)  # whose results players want one by one
        every = by_table or (fractions and len(answer.states) <= 200)
        view = answer_view(answer, names, None if every else MAX_BARS)
        view = replace(view, steps=tuple(step for step in view.steps if step.needed))
        draw_answer(shown, view, first=1, fractions=fractions, all_rulings=False)
        shown.show()


def _roll(text: str, seed: str | None, typed: bool, answers: str | None, as_json: bool) -> None:
    chosen = fresh_seed() if seed is None else seed_of(seed)
    luck = Rolled(chosen)
    if typed or answers is not None:
        from battletape.cli.typing_in import play_typed

        def go(tape: Path) -> Roll:
            return throw(text, tape=tape)

        done = play_typed(go, luck, split_answers(answers), prompts=typed, rest=seed is not None)
    else:
        done = throw(text, tape=luck)
    view = roll_view(done, calculate(text), chosen)
    if as_json:
        echo_json(view)
        return
    shown = page()
    draw_roll(shown, view, seeded=seed is None and answers is None and not typed)
    shown.show()
