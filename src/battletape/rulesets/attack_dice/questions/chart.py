"""The question `chart`: what one Attack Die needs, looked up or worked out, with the whole table."""

from __future__ import annotations

from battletape.cards import Lead, Measure, Question, asked, fields
from battletape.rulebook import Procedure, clause, with_keywords
from battletape.rulesets.attack_dice import words
from battletape.rulesets.attack_dice.questions._inputs import (
    Around,
    Defence,
    DefenceBonus,
    Power,
    PowerBonus,
    WeaponClass,
    situation,
    warnings,
)
from battletape.rulesets.attack_dice.rules.attack import LOOK_UP, LOOK_UP_BARE, Shot, Strike, strike_with, target_of
from battletape.rulesets.attack_dice.rules.damage import make_ranks
from battletape.rulesets.attack_dice.rules.keywords import keywords_of
from battletape.rulesets.attack_dice.rules.requirement import named_entry
from battletape.rulesets.attack_dice.rulings import Rulings
from battletape.rulesets.attack_dice.tables.printed import chart_table


class Chart(Around, frozen=True):
    """One look at the chart or formula."""

    power: Power = 4
    power_bonus: PowerBonus = 0
    weapon_class: WeaponClass = ""
    defence: Defence = 4
    defence_bonus: DefenceBonus = 0
    entry: str = asked("", "Entry, instead of Power against Defence", group="circumstances")


@clause("AD-12")
def begin_chart(inputs: Chart, rules: Rulings) -> Strike:
    """A single Attack Die, for Power against Defence or for an entry that the player names."""
    mark = target_of("the target", inputs.defence + inputs.defence_bonus, make_ranks(1, 1))
    entry = named_entry(inputs.entry, rules) if inputs.entry.strip() else None
    power = inputs.power + inputs.power_bonus
    shot = Shot(1, power, situation=situation(inputs), weapon_class=inputs.weapon_class, entry=entry)
    return strike_with(rules, (mark,), (shot,))


def look_up(strike: Strike) -> Procedure:
    """The sequence up to the Attack Die; where modifiers change the number of dice, there is still only one."""
    if strike.rules.modifier_acts_on == "dice":
        return LOOK_UP_BARE
    return with_keywords(LOOK_UP, keywords_of(strike.shots[0].weapon_class))


STATS = ("power", "power_bonus", "defence", "defence_bonus", "cover", "facing")


def _warn_chart(inputs: Chart, rules: Rulings) -> list[str]:
    if not inputs.entry.strip():
        return warnings(inputs, (inputs,), rules)
    stats = (stat for stat in fields(Chart) if stat.name in STATS)
    asked = [stat.title for stat in stats if getattr(inputs, stat.name) != stat.default]
    idle = f"The entry is named, so this changes nothing: {', '.join(asked)} (AD-12)"
    return [idle, *warnings(Chart(), (inputs,), rules)] if asked else warnings(Chart(), (inputs,), rules)


SUCCESSES = Measure("successes", "Successes of one Attack", lambda strike: strike.hits * strike.each)
CHART = Question(
    "chart",
    "What does an Attack Die need?",
    Chart,
    begin_chart,
    look_up,
    (SUCCESSES,),
    words.chart_headline,
    table=lambda inputs, rules: chart_table(rules, begin_chart(inputs, rules)),
    warn=_warn_chart,
    result=words.chart_result,
    example={"power": 6, "defence": 4},
    lead=(Lead("successes", "of Attacks succeed"),),
)
