"""The unit in hand on the map: what it reaches now, and the odds of its best shot or blow at each target."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from battletape.answer import Answer
from battletape.battle import Battle
from battletape.field.maps import Chosen
from battletape.inputs import value_of
from battletape.system import Measure
from battletape.views.option_odds import is_numeric, odds_of
from battletape.views.question_text import lower
from battletape.views.table_talk import Choice


def chosen_unit(battle: Battle, unit: str, choices: Iterable[Choice]) -> Chosen:
    """Return a unit with its reaches and the odds on its targets, by the first action that has any.

    The odds are the chance that the first number which the action measures is more than nothing. Several units that
    are in hand together, such as the models of a squad, have odds and no reach.
    """
    field = battle.rules.field(battle.state)
    has_place = field is not None and unit in {position.name for position in field.on_table()}
    reaches = battle.rules.reaches(battle.state, unit) if has_place else ()
    best: dict[str, Fraction] = {}
    lead: Measure | None = None
    action = None
    for choice in choices:
        card = choice.option.action
        target = value_of(choice.option.params, "target")
        if choice.unit != unit or not isinstance(target, str) or not target or action not in (None, card):
            continue
        answer = odds_of(battle, choice)
        lead = lead or (lead_measure(answer) if answer else None)
        if answer is not None and lead is not None and answer.includes(lead.name):
            action = card
            best[target] = max(best.get(target, Fraction(0)), _chance(answer, lead))
    return Chosen(unit, reaches, tuple(best.items()), f"chance: {lower(lead.title)}" if lead is not None else "")


def lead_measure(answer: Answer) -> Measure | None:
    """Return the first measure that counts something, or happens or not."""
    return next((each for each in answer.measures if answer.includes(each.name) and is_numeric(answer, each)), None)


def _chance(answer: Answer, measure: Measure) -> Fraction:
    return answer.odds(measure.name).chance(lambda value: value > 0)
