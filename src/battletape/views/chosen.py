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
    own = [choice for choice in choices if choice.unit == unit and value_of(choice.option.params, "target")]
    for action in dict.fromkeys(choice.option.action for choice in own):
        answers = [
            (str(value_of(choice.option.params, "target")), answer)
            for choice in own
            if choice.option.action is action and (answer := odds_of(battle, choice)) is not None
        ]
        measure = next((lead for _, answer in answers if (lead := lead_measure(answer))), None)
        if measure is not None:
            best: dict[str, Fraction] = {}
            for target, answer in answers:
                if answer.includes(measure.name):
                    chance = answer.odds(measure.name).chance(lambda value: value > 0)
                    best[target] = max(best.get(target, Fraction(0)), chance)
            return Chosen(unit, reaches, tuple(best.items()), f"chance: {lower(measure.title)}")
    return Chosen(unit, reaches)


def lead_measure(answer: Answer) -> Measure | None:
    """Return the first measure that counts something, or happens or not."""
    return next((each for each in answer.measures if answer.includes(each.name) and is_numeric(answer, each)), None)
