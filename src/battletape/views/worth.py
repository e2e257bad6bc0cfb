"""What the options of a decision are worth, to show beside them."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from battletape.odds import percent
from battletape.system import Measure
from battletape.tape.best import Play
from battletape.tape.question import Ask
from battletape.tape.worth import OptionWorth, best_of
from battletape.views.chances import number_text


class WorthView(Struct, frozen=True):
    """The options of a decision with what each is worth, and how that is known."""

    options: tuple[tuple[str, str, bool], ...]  # in words, its worth, whether it is best for the side that decides
    about: str  # what the numbers are


def worth_view(ask: Ask, worths: Sequence[OptionWorth], measure: Measure, play: Play) -> WorthView:
    """Return what each option is worth, and the best of them if they differ."""
    chance = not measure.unit and all(0 <= known.value <= 1 for known in worths)
    differ = len({known.value for known in worths}) > 1
    best = best_of(worths, play) if differ else None
    options = tuple(
        (
            ask.option_words(known.option),
            percent(known.value) if chance else number_text(float(known.value)),
            differ and known.option == best,
        )
        for known in worths
    )
    rolls = next((known.rolls for known in worths), 0)
    how = f"estimated by {rolls} rolls each" if rolls else "exactly"
    return WorthView(options, f"{measure.title}{'' if chance else ', on average'}; {how}, later decisions as usual")
