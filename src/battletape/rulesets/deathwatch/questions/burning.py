"""The question burning: what some rounds on fire do to a character."""

from __future__ import annotations

from collections.abc import Iterator

from battletape.cards import Answer, Lead, Line, Measure, Question, asked, fill_from, part_of
from battletape.rulebook import BadInput, Caution, plural, replace
from battletape.rulesets.deathwatch.profiles.book import fill_target, toughness_of
from battletape.rulesets.deathwatch.profiles.types import Stat
from battletape.rulesets.deathwatch.questions._inputs import TargetHealthInputs
from battletape.rulesets.deathwatch.rules import burning_and_bleeding as fire
from battletape.rulesets.deathwatch.rules import conditions, traits
from battletape.rulesets.deathwatch.rules.attack.modifiers import fatigue_modifier
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings


class BurningInputs(TargetHealthInputs, frozen=True):
    """A character on fire: for how long, and whether anything is done about it."""

    target: str = asked("", "Who burns", about=": a character's profile", group="target", profile="character")
    tb: int = asked(8, "Toughness bonus, with all that adds to it", "DW-COND-FIRE", group="target", ge=0, le=60)
    fatigue: int = asked(0, "Levels of fatigue when it starts", "DW-FAT-1", group="target", ge=0, le=61)
    agility: Stat = asked(40, "Agility", "DW-COND-FIRE", group="target")
    sealed: bool = asked(
        False, "Sealed power armour", "DW-COND-FIRE", about=": needs no Willpower test", group="target"
    )
    rounds: int = asked(3, "Rounds", "DW-COND-FIRE", group="circumstances", ge=1, le=20)
    puts_out: bool = asked(True, "Tries to put it out every turn", "DW-COND-FIRE", group="circumstances")


def begin_burning(inputs: BurningInputs, rulings: Rulings = DEFAULT) -> fire.BurningState:
    """Return a character that has just caught fire."""
    health = inputs.wounds if inputs.health is None else inputs.health
    if health > inputs.wounds:
        most = f"{inputs.wounds} at most; got {health}"
        raise BadInput.of("health", f"must be the wounds left, {most}", clause="DW-DMG-1")
    own = part_of(inputs, "tb", "agility", "willpower", "sealed", "puts_out", "minion", "true_grit", "rounds")
    now = replace(conditions.add_fatigue(conditions.NOTHING, inputs.fatigue, inputs.tb), on_fire=True)
    return fire.BurningState(health, now, rulings=rulings, **own)


def burning_headline(answer: Answer) -> str:
    """Say the mean damage, and how likely the fire is put out, kills or stuns."""
    text = f"{answer.average('damage')} damage on average in {plural(answer.inputs.rounds, 'round')}"
    put_out = f"; put out {answer.chance('out_in')}" if answer.inputs.puts_out else ""
    return f"{text}{put_out}; dead {answer.chance('dead')}, unconscious {answer.chance('unconscious')}."


def warn_burning(inputs: BurningInputs, rulings: Rulings) -> Iterator[Caution]:
    """Warn of fires that cannot hurt or cannot be put out."""
    tired = fatigue_modifier(begin_burning(inputs, rulings).conditions.fatigue + 1, rulings)
    lost = fire.put_out_target(inputs.agility, (), rulings) + tired < 1 and rulings.auto_results == "none"
    why = f"Agility {inputs.agility} at -20 and {tired} for fatigue"
    if inputs.tb >= 10:
        text = f"a d10 cannot get through a Toughness bonus of {inputs.tb}: only fatigue counts"
        yield Caution(text, "DW-COND-FIRE")
    if inputs.puts_out and lost:
        yield Caution(f"the fire cannot be put out: {why}", "DW-FAT-1")


BURNING = Question(
    "burning",
    "What does a fire do to a character, round by round?",
    BurningInputs,
    begin_burning,
    fire.burning,
    (
        Measure("damage", "Damage", lambda blaze: blaze.damage, "damage"),
        Measure("out_in", "Put out in round (0 never)", lambda blaze: blaze.out_in, "round"),
        Measure("dead", "Dead", lambda blaze: blaze.health <= traits.DEAD),
        Measure("fatigue", "Fatigue", lambda blaze: blaze.conditions.fatigue, "levels"),
        Measure("unconscious", "Unconscious", fire.is_unconscious),
    ),
    burning_headline,
    fill=lambda given, book: fill_target(fill_from(given, "character", book, key="target", tb=toughness_of), book),
    warn=warn_burning,
    stops=lambda blaze: (Line(f"Taken off the fire: {blaze.tb} (toughness; armour does not help)", ("DW-COND-FIRE",)),),
    example={"tb": 4, "wounds": 12, "agility": 40, "willpower": 35, "rounds": 5},
    rulings=("modifier_cap", "auto_results", "fatigue_penalty"),
    lead=(Lead("damage", lambda answer: f"damage on average in {plural(answer.inputs.rounds, 'round')}"),),
)
