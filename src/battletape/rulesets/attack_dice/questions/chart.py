"""The question `chart`: what one Attack Die needs, looked up or worked out, with the whole table."""

from __future__ import annotations

from battletape.cards import Lead, Measure, Question, asked, fields
from battletape.rulebook import Caution, Procedure, clause, with_keywords
from battletape.rulesets.attack_dice import words
from battletape.rulesets.attack_dice.questions import _inputs
from battletape.rulesets.attack_dice.rules import attack
from battletape.rulesets.attack_dice.rules.damage import make_ranks
from battletape.rulesets.attack_dice.rules.keywords import keywords_of
from battletape.rulesets.attack_dice.rules.requirement import named_entry
from battletape.rulesets.attack_dice.rulings import Rulings
from battletape.rulesets.attack_dice.tables.printed import chart_table


class ChartInputs(_inputs.CircumstanceInputs, frozen=True):
    """One look at the chart or formula."""

    power: _inputs.Power = 4
    power_bonus: _inputs.PowerBonus = 0
    weapon_class: _inputs.WeaponClass = ""
    defence: _inputs.Defence = 4
    defence_bonus: _inputs.DefenceBonus = 0
    entry: str = asked("", "Entry", about=", instead of Power against Defence", group="circumstances")


@clause("AD-12")
def begin_chart(inputs: ChartInputs, rulings: Rulings) -> attack.PendingAttack:
    """Make a single Attack Die ready, for Power against Defence or for an entry that the player names."""
    target = attack.target_of("the target", inputs.defence + inputs.defence_bonus, make_ranks(1, 1))
    entry = named_entry(inputs.entry, rulings) if inputs.entry.strip() else None
    power = inputs.power + inputs.power_bonus
    pool = attack.AttackPool(
        1, power, situation=_inputs.situation_of(inputs), weapon_class=inputs.weapon_class, entry=entry
    )
    return attack.pending_attack(rulings, (target,), (pool,))


def chart_procedure(pending: attack.PendingAttack) -> Procedure:
    """Return the sequence up to the Attack Die, of which there is one, whatever modifiers do to numbers of dice."""
    if pending.rulings.modifier_acts_on == "dice":
        return attack.LOOK_UP_BARE
    return with_keywords(attack.LOOK_UP, keywords_of(pending.pools[0].weapon_class))


STATS = ("power", "power_bonus", "defence", "defence_bonus", "cover", "facing")


def warn_chart(inputs: ChartInputs, rulings: Rulings) -> list[str | Caution]:
    if not inputs.entry.strip():
        return _inputs.warnings(inputs, (inputs,), rulings)
    stats = (stat for stat in fields(ChartInputs) if stat.name in STATS)
    asked = [stat.title for stat in stats if getattr(inputs, stat.name) != stat.default]
    idle = Caution(f"The entry is named, so this changes nothing: {', '.join(asked)}", "AD-12")
    return (
        [idle, *_inputs.warnings(ChartInputs(), (inputs,), rulings)]
        if asked
        else _inputs.warnings(ChartInputs(), (inputs,), rulings)
    )


SUCCESSES = Measure("successes", "Successes of one Attack", lambda pending: pending.hits * pending.hp_each)
CHART = Question(
    "chart",
    "What does an Attack Die need?",
    ChartInputs,
    begin_chart,
    chart_procedure,
    (SUCCESSES,),
    words.chart_headline,
    table=lambda inputs, rulings: chart_table(rulings, begin_chart(inputs, rulings)),
    warn=warn_chart,
    result=words.chart_result,
    example={"power": 6, "defence": 4},
    lead=(Lead("successes", "of Attacks succeed"),),
)
