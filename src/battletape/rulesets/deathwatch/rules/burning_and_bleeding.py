"""Harm that goes on by itself: fire, blood loss, and wounds that tear open."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from battletape.rulebook import D10, D100, Procedure, State, Tape, at_least, clause, dice, labelled, replace
from battletape.rulesets.deathwatch.rules import conditions, traits, wounds
from battletape.rulesets.deathwatch.rules.attack.modifiers import fatigue_modifier
from battletape.rulesets.deathwatch.rules.conditions import NOTHING, BodyNumbers, Conditions, add_fatigue
from battletape.rulesets.deathwatch.rules.d100_tests import chance, roll_success, target
from battletape.rulesets.deathwatch.rules.damage import Hit
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings
from battletape.rulesets.deathwatch.tables.sheet import DIFFICULTIES

RISK = 20  # percent a turn, of acting with broken ribs or leaving a wound open
TORN = "2d10"
PUT_OUT = traits.Modifier("putting out flames is Hard", DIFFICULTIES["Hard"], "DW-COND-FIRE")
TREAT = traits.Modifier("treating blood loss is Difficult", DIFFICULTIES["Difficult"], "DW-BLOOD-2")


class BurningState(State, frozen=True):
    """A character on fire, round after round."""

    health: int
    conditions: Conditions
    tb: int
    agility: int
    willpower: int
    sealed: bool
    puts_out: bool
    minion: bool = False  # dies of any critical damage
    true_grit: bool = False
    rulings: Rulings = DEFAULT
    rounds: int = 1  # there are
    round: int = 0
    damage: int = 0
    out_in: int = 0  # the round in which the fire was put out; 0 never


class BleedingState(State, frozen=True):
    """A bleeding character, round after round."""

    medic: int | None  # the target number of the Medicae test
    rulings: Rulings
    rounds: int = 1  # there are
    round: int = 0
    dies_in: int = 0
    treated_in: int = 0


class HazardResult(NamedTuple):
    """How a fighter with a dangerous wound got through the start of a turn."""

    dead: bool = False
    damage: int = 0
    lies_still: bool = False  # it lies still this turn
    holds_wound: bool = False  # one arm holds the wound this turn


# --- fire -------------------------------------------------------------------------------------------------------------


@clause("DW-COND-FIRE")
def roll_fire_damage(tape: Tape, tb: int) -> int:
    """Roll the damage of a round on fire: a d10 less the toughness bonus; armour does not help."""
    return max(0, int(tape.roll(D10, label="fire")) - tb)


@clause("DW-COND-FIRE", "DW-FAT-1")
def burn_victim(tape: Tape, victim: wounds.Victim, hit: Hit) -> wounds.Victim:
    """Burn a victim for one round: it takes damage, and if it lives, fatigue."""
    after = wounds.lose_wounds(tape, victim, hit, tape.call(roll_fire_damage, hit.body.tb))
    if after.is_dead or after.conditions is None:
        return after
    return replace(after, conditions=add_fatigue(after.conditions, 1, hit.body.tb))


@clause("DW-COND-FIRE")
def keeps_calm(
    tape: Tape,
    willpower: int,
    sealed: bool = False,
    modifiers: tuple[traits.Modifier, ...] = (),
    rulings: Rulings = DEFAULT,
    name: str = "",
) -> bool:
    """Test whether a fighter on fire may act freely; sealed power armour needs no test."""
    if sealed:
        return True
    return roll_success(
        tape, target(willpower, modifiers, rulings), labelled(name, "willpower (fire)"), rulings, by="defender"
    )


@clause("DW-COND-FIRE")
def put_out_target(agility: int, modifiers: tuple[traits.Modifier, ...] = (), rulings: Rulings = DEFAULT) -> int:
    """Return what putting out the flames needs: a Full Action and Agility at -20."""
    return target(agility, (PUT_OUT, *modifiers), rulings)


@clause("DW-COND-FIRE", "DW-FAT-1")
def burn_a_round(tape: Tape, blaze: BurningState) -> BurningState:
    """Begin a turn on fire: the fire hurts and tires."""
    number = blaze.round + 1
    if blaze.out_in or blaze.health <= traits.DEAD:
        return replace(blaze, round=number)
    body = BodyNumbers(blaze.tb, agility=blaze.agility)
    hit = Hit("body", damage_type="E", true_grit=blaze.true_grit, sudden_death=blaze.minion, body=body)
    after = burn_victim(tape, wounds.Victim(blaze.health, conditions=blaze.conditions, dealt=0), hit)
    tired = add_fatigue(blaze.conditions, 1, blaze.tb) if after.is_dead else after.conditions or NOTHING
    damage_now = after.dealt or 0
    tape.tell("Round {}: {} damage, fatigue {}", number, damage_now, tired.fatigue, clause="DW-COND-FIRE")
    if after.is_dead:
        tape.tell("Burns to death", clause="DW-CRIT-2")
    elif tired.unconscious and not blaze.conditions.unconscious:
        tape.tell("Falls unconscious", clause="DW-FAT-1")
    damage = blaze.damage + damage_now
    return replace(blaze, round=number, health=after.health, damage=damage, conditions=tired)


@clause("DW-COND-FIRE", "DW-FAT-1")
def fight_the_flames(tape: Tape, blaze: BurningState) -> BurningState:
    """Play the turn on fire: a fighter that keeps calm tries to put the flames out."""
    if blaze.out_in or blaze.health <= traits.DEAD:
        return blaze
    now, rulings = blaze.conditions, blaze.rulings
    out_in = 0
    if blaze.puts_out and conditions.turn_allowance(now).full:
        tired = traits.Modifier("fatigue", fatigue_modifier(now.fatigue, rulings), "DW-FAT-1")
        calm = keeps_calm(tape, blaze.willpower, blaze.sealed, (tired,), rulings)
        out = put_out_target(conditions.characteristic(now, "ag", blaze.agility), (tired,), rulings)
        out_in = blaze.round if calm and roll_success(tape, out, "agility (flames)", rulings, by="defender") else 0
    if out_in:
        tape.tell("The fire is out in round {}", out_in)
    after = conditions.end_turn(now)
    return replace(blaze, conditions=replace(after, on_fire=False) if out_in else after, out_in=out_in)


def is_unconscious(blaze: BurningState) -> bool:
    """Return whether a burning character is unconscious, and alive."""
    return blaze.conditions.unconscious > 0 and blaze.health > traits.DEAD


def burning(blaze: BurningState) -> Procedure:
    """Return the stages of so many rounds on fire."""
    return Procedure("burning", (burn_a_round, fight_the_flames) * blaze.rounds)


# --- blood ------------------------------------------------------------------------------------------------------------


@clause("DW-BLOOD-1")
def dies_of_blood_loss(tape: Tape, percent: int) -> bool:
    """Roll whether blood loss kills this round."""
    if not 0 < percent < 100:
        return percent >= 100
    return not tape.roll(D100, at_least(percent + 1), label="blood loss")


@clause("DW-BLOOD-2", "DW-ACT-USE-A-SKILL")
def treat_target(medicae: int, modifiers: tuple[traits.Modifier, ...] = (), rulings: Rulings = DEFAULT) -> int:
    """Return what stopping the blood takes: a Full Action beside the patient and Medicae at -10."""
    return target(medicae, (TREAT, *modifiers), rulings)


@clause("DW-BLOOD-1", "DW-BLOOD-2")
def rounds_bled(state: BleedingState) -> Fraction | int:
    """Return rounds until death or treatment; where neither has happened yet, with the mean of those to come."""
    if state.dies_in or state.treated_in:
        return state.dies_in or state.treated_in
    helped = 0 if state.medic is None else chance(state.medic, state.rulings)
    ends = 1 - Fraction(100 - state.rulings.blood_loss_percent, 100) * (1 - helped)
    return state.round + 1 / ends if ends else state.round


@clause("DW-BLOOD-1")
def bleed_a_round(tape: Tape, state: BleedingState) -> BleedingState:
    """Begin a turn of bleeding, which may kill."""
    number = state.round + 1
    if state.dies_in or state.treated_in:
        return replace(state, round=number)
    dies = dies_of_blood_loss(tape, state.rulings.blood_loss_percent)
    tape.tell("Dies of blood loss in round {}" if dies else "Round {}: still alive", number)
    return replace(state, round=number, dies_in=number if dies else 0)


@clause("DW-BLOOD-2", "DW-ACT-USE-A-SKILL")
def treat_wound(tape: Tape, state: BleedingState) -> BleedingState:
    """Play the medic's turn: one try, if there is a medic and it is not too late."""
    if state.dies_in or state.treated_in or state.medic is None:
        return state
    if not roll_success(tape, state.medic, "medicae", state.rulings):
        return state
    tape.tell("The bleeding is stopped in round {}", state.round)
    return replace(state, treated_in=state.round)


def bleeding(state: BleedingState) -> Procedure:
    """Return the stages of so many rounds of blood loss."""
    return Procedure("bleeding", (bleed_a_round, treat_wound) * state.rounds)


# --- wounds that tear open --------------------------------------------------------------------------------------------


@clause("DW-CRIT-2")
def face_hazard(tape: Tape, hazard: str, by: str = "defender") -> HazardResult:
    """Choose to be careful with broken ribs or a torn body, or take a chance of one in five."""
    if hazard not in ("ribs", "wound"):
        return HazardResult()
    ways: tuple[str, str] = ("lie still", "act") if hazard == "ribs" else ("hold the wound", "let go")
    if tape.choose(ways, by=by, label=f"critical: {hazard}") == ways[0]:
        return HazardResult(lies_still=True) if hazard == "ribs" else HazardResult(holds_wound=True)
    if tape.roll(D100, at_least(RISK + 1), label=f"critical: {hazard}"):
        return HazardResult()
    return (
        HazardResult(dead=True)
        if hazard == "ribs"
        else HazardResult(damage=int(tape.roll(dice(TORN), label="critical: torn")))
    )
