"""The stages of an action: a trial, then each of its attacks in turn, on one unit or on many."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache

from battletape.cards import Line
from battletape.rulebook import Procedure, Stage, Tape, clause, labelled, plain, replace, within
from battletape.rulesets.deathwatch.rules import hordes, melee, suppression, traits, wounds
from battletape.rulesets.deathwatch.rules.attack import stages
from battletape.rulesets.deathwatch.rules.attack.area import steps_of, take_step
from battletape.rulesets.deathwatch.rules.attack.exchange import (
    DeclaredAttack,
    Exchange,
    after_fist_or_stun,
    after_reaction,
    declared_attack,
    resolve_hits,
    resolve_side_effects,
    with_reactions,
)
from battletape.rulesets.deathwatch.rules.attack.records import Attack
from battletape.rulesets.deathwatch.rules.attack.stages import NO_VICTIM, hit_for
from battletape.rulesets.deathwatch.rules.damage import Hit

TRIALS: dict[str, tuple[str, str]] = {
    "feint": ("The feint", "DW-ACT-FEINT"),
    "manoeuvre": ("The push", "DW-ACT-MANOEUVRE"),
    "knock_down": ("The knock-down", "DW-ACT-KNOCK-DOWN"),
    "grapple": ("The hold", "DW-ACT-GRAPPLE"),
}
"""Each trial in words, with its clause."""


# --- the stages of an action ------------------------------------------------------------------------------------------


@clause("DW-ACT-FEINT", "DW-ACT-KNOCK-DOWN", "DW-ACT-MANOEUVRE", "DW-ACT-GRAPPLE", "DW-TEST-6")
def resolve_trial(tape: Tape, exchange: Exchange) -> Exchange:
    """Resolve a trial; after a feint no attack is evaded, a clear win by strength hurts the loser."""
    trial, combatant = exchange.trial, exchange.combatant(exchange.main_target)
    assert trial is not None
    won, fall = melee.roll_trial(tape, trial.what, trial.attacker, trial.target, trial.rulings)
    tape.tell(trial_line, trial.what, won)
    if fall.attacker_prone:
        tape.tell("The attacker has failed by two degrees or more, and falls", clause="DW-ACT-KNOCK-DOWN")
    if won and trial.what == "feint":
        exchange = exchange.with_combatant(replace(combatant, reactions=0))
    exchange = replace(exchange, won=won, thrown_down=fall.target_prone, attacker_prone=fall.attacker_prone)
    if not fall.winner_strikes:
        return exchange
    after = tape.call(stages.take_fist_hit, Attack(trial.spec, combatant.victim), about=exchange.main_target)
    return after_fist_or_stun(exchange, after)


@clause("DW-PIPE-1", "DW-ACT-MULTIPLE-ATTACKS", "DW-TWOW-2", "DW-QUAL-POWER-FIELD")
def next_attack(tape: Tape, exchange: Exchange) -> Exchange:
    """Begin the next attack of the action; broken weapons do not strike, the dead are not struck."""
    declared, rest = exchange.later_attacks[0], exchange.later_attacks[1:]
    is_broken = (declared.attacker, declared.weapon, "broken") in exchange.events
    at_ground = declared.how in ("blast", "spray") and not declared.target
    if is_broken or not (at_ground or exchange.combatant(declared.target).victim.health > traits.DEAD):
        tape.tell(no_attack_line, declared, is_broken)
        return replace(exchange, later_attacks=rest, declared=None)
    hit_roll, spec = exchange.last_attack.hit_roll if exchange.last_attack is not None else None, declared.spec
    if spec is not None and declared.horde_attack is not None:
        spec = declared.horde_attack.spec(exchange.magnitude(declared.target))
    attack = Attack(spec, NO_VICTIM, hit_roll=hit_roll) if spec is not None else None
    if attack is not None and not declared.has_many_targets:
        attack = with_reactions(attack, exchange.combatant(declared.target))
    if declared.attacker:
        tape.tell(attack_line, declared)
    return replace(
        exchange, declared=declared, attack=attack, later_attacks=rest, victim_attack=None, pending_hits=None
    )


def as_action_stage(stage: Stage) -> Stage:
    """Return a stage of an attack as one of the action, skipped where no attack is made."""
    return within(stage, _attack_of, _with_roll)


def _attack_of(exchange: Exchange) -> tuple[Attack, Exchange] | None:
    return None if exchange.attack is None else (exchange.attack, replace(exchange, attack=None))


def _with_roll(exchange: Exchange, attack: Attack) -> Exchange:
    return replace(exchange, attack=attack)


@clause("DW-HPIPE-1", "DW-HORDE-3")
def strike_mob(tape: Tape, exchange: Exchange) -> Exchange:
    """Attack a mob: the roll, the hits it counts as, and the Magnitude they take."""
    declared = exchange.declared
    if declared is None or declared.horde_attack is None:
        return exchange
    rest = exchange.with_victim(declared.target, NO_VICTIM)
    attack = (declared.horde_attack, exchange.crowd(declared.target))
    tape.tell(stages.modifier_lines, declared.horde_attack.spec(attack[1].magnitude))
    return tape.call(hordes.attack_horde, *attack, then=_with_mob_attacked, rest=rest, about=declared.target)


def _with_mob_attacked(exchange: Exchange, result: hordes.HordeAttackResult) -> Exchange:
    left = exchange.with_crowd(declared_attack(exchange).target, result.crowd)
    exchange = replace(left, landed=exchange.landed + result.hits)
    return _with_hits_counted(exchange, result.status, result.hits)


def _with_hits_counted(exchange: Exchange, status: str, hits: int) -> Exchange:
    """Return the exchange with the hits of a roll counted, and a jam or overheating noted."""
    declared, hits = declared_attack(exchange), exchange.hits + hits
    events = ((declared.attacker, declared.weapon, status),) if status in ("jam", "overheat") else ()
    return replace(exchange, hits=hits, events=(*exchange.events, *events))


@clause("DW-PIPE-1", "DW-DMG-1", "DW-DMG-2")
def take_hits(tape: Tape, exchange: Exchange) -> Exchange:
    """Let the one target take the hits that are left, with the critical rows they reach."""
    attack = exchange.attack
    if attack is None:
        return exchange
    declared = declared_attack(exchange)
    exchange = replace(after_reaction(_with_hits_counted(exchange, attack.status, attack.hits), attack), attack=None)
    if exchange.last_attack is not None:
        last = Attack(attack.spec, NO_VICTIM, attack.status, hit_roll=attack.hit_roll)
        exchange = replace(
            exchange, last_attack=last, declared=None, pending_hits=None
        )  # of a question: nothing else follows
        combatant = exchange.combatant(declared.target)
        exchange = exchange.with_combatant(
            replace(combatant, reactions=combatant.reactions if exchange.later_attacks else 0, reacted=0)
        )
    return resolve_hits(tape, exchange, declared.target)


@clause("DW-PIPE-1", "DW-AUTO-3", "DW-EVA-1", "DW-MULTI-1", "DW-DMG-1", "DW-DMG-2")
def land_hits(tape: Tape, exchange: Exchange) -> Exchange:
    """Share hits out among many, evade, place and suffer them."""
    declared, attack = exchange.declared, exchange.attack
    if declared is None or attack is None:
        return exchange
    scored = 0 if declared.how == "blast" else attack.hits  # of a blast it is not known yet which units it strikes
    return tape.each(
        take_step, _with_hits_counted(exchange, attack.status, scored), steps_of(declared, exchange.main_target)
    )


@clause("DW-SUPP-1", "DW-OVER-3", "DW-HORDE-9", "DW-HPIPE-1")
def pinning_tests(tape: Tape, exchange: Exchange) -> Exchange:
    """Test Willpower of each unit under such fire that still stands; a mob adds its Magnitude."""
    declared = exchange.declared
    if declared is None:
        return exchange
    rest = replace(exchange, declared=replace(declared, pin_tests=()))
    pin_tests, none = tuple(_pin_tests(exchange, declared)), suppression.PinnedUnits()
    return tape.each(suppression.pin_one, none, pin_tests, then=_pinned, rest=rest, tell=pinned_lines)


@clause("DW-SUPP-1", "DW-HORDE-9")
def _pin_tests(exchange: Exchange, declared: DeclaredAttack) -> Iterator[suppression.PinTest]:
    """Yield each unit that still stands and tests Willpower, and its target number."""
    names = declared.pinned_as or tuple(name for name, _ in declared.pin_tests)
    for (name, target), pinned_as in zip(declared.pin_tests, names, strict=True):
        combatant, rulings = exchange.combatant(name), exchange.test_rulings
        if not combatant.victim.is_dead:
            number = (
                suppression.pin_target(target, combatant.victim.health, rulings=rulings) if combatant.is_mob else target
            )
            yield name, number, rulings, pinned_as


def _pinned(exchange: Exchange, pinned: suppression.PinnedUnits) -> Exchange:
    return replace(
        exchange, pinned=exchange.pinned + pinned.number, newly_pinned=(*exchange.newly_pinned, *pinned.names)
    )


@clause("DW-QUAL-OVERHEATS")
def overheat(tape: Tape, exchange: Exchange) -> Exchange:
    """Let the bearer drop a weapon that overheats, or burn its arm."""
    declared = exchange.declared
    if (
        declared is None
        or declared.overheat_attack is None
        or (declared.attacker, declared.weapon, "overheat") not in exchange.events
    ):
        return exchange
    spec = declared.overheat_attack
    if (
        tape.choose(("drop", "burn"), by=spec.by, label=labelled(declared.attacker, f"{declared.weapon} overheats"))
        == "drop"
    ):
        return replace(exchange, events=(*exchange.events, (declared.attacker, declared.weapon, "dropped")))
    hit = hit_for(spec, stages.roll_side(tape, "arm"), 0, False)
    victim = tape.call(take_burn, exchange.combatant(declared.attacker).victim, hit, about=declared.attacker)
    return exchange.with_victim(declared.attacker, victim)


@clause("DW-QUAL-OVERHEATS")
def take_burn(tape: Tape, victim: wounds.Victim, hit: Hit) -> wounds.Victim:
    """Burn the bearer of a weapon that overheats."""
    return tape.each(wounds.take_hit, victim, (hit,))


def end_attack(tape: Tape, exchange: Exchange) -> Exchange:
    """Note which units were fired at, and forget what only this attack needed."""
    declared = exchange.declared
    if declared is None:
        return exchange
    if declared.is_shot:
        names = {declared.target, *(unit.name for unit in declared.in_area)}
        combatants = tuple(
            replace(combatant, shot_at=True) if combatant.name in names else combatant
            for combatant in exchange.combatants
        )
        exchange = replace(exchange, combatants=combatants)
    return replace(exchange, declared=None, attack=None, pending_hits=None, victim_attack=None)


@lru_cache(256)
def attack_stages(declared: DeclaredAttack) -> tuple[Stage, ...]:
    """Return the stages of an attack on one character, from its declaration to the last wound."""
    assert declared.spec is not None
    return next_attack, *map(as_action_stage, stages.stages_before_damage(declared.spec)), take_hits


def battle_attack_stages(declared: DeclaredAttack) -> tuple[Stage, ...]:
    """Return the stages of an attack in a battle, on any target, with what it leaves behind."""
    ground: tuple[Stage, ...] = ()
    if declared.horde_attack is not None and not declared.has_many_targets:
        attack: tuple[Stage, ...] = (next_attack, strike_mob)
    elif declared.spec is None or declared.has_many_targets:
        attack = (next_attack, *map(as_action_stage, stages.ROLL_STAGES), land_hits)
    else:
        attack, ground = attack_stages(declared), (resolve_side_effects,)
    pins, burn = (pinning_tests,) if declared.pin_tests else (), (overheat,) if declared.overheat_attack else ()
    return *attack, *ground, *pins, *burn, end_attack


def one_on_one(
    exchange: Exchange, stages_of: Callable[[DeclaredAttack], tuple[Stage, ...]] = attack_stages
) -> Procedure:
    """Return the stages of an action between two: a trial if there is one, then all attacks in turn."""
    trial: tuple[Stage, ...] = (resolve_trial,) if exchange.trial is not None else ()
    return Procedure(
        "attacks", (*trial, *(stage for declared in exchange.later_attacks for stage in stages_of(declared)))
    )


def procedure(exchange: Exchange) -> Procedure:
    """Return the stages of an action in a battle, on any targets."""
    return one_on_one(exchange, battle_attack_stages)


# --- lines of the log -------------------------------------------------------------------------------------------------


def attack_line(declared: DeclaredAttack) -> Line:
    """Say which unit attacks what, and with which weapon."""
    manners = {"spray": "lays down suppressing fire", "flame": f"throws flames at {declared.target}"}
    does = manners.get(declared.how, f"attacks {declared.target or 'a place'}")
    return Line(f"{declared.attacker} {does} with {declared.weapon}", ("DW-PIPE-1",))


def no_attack_line(declared: DeclaredAttack, is_broken: bool) -> Line | None:
    """Say why an attack of the action is not made."""
    if is_broken:
        return Line("The weapon is broken: its next attack is lost", ("DW-QUAL-POWER-FIELD",))
    return (
        Line(f"{declared.target} is down already: no further attack on it", ("DW-PIPE-1",)) if declared.target else None
    )


def trial_line(what: str, won: bool) -> Line:
    """Say whether a trial of one against the other works."""
    words, by = TRIALS.get(what, (f"The attempt to {plain(what)}", "DW-ACT-GRAPPLE"))
    worked = "works" if won else "does not work"
    return Line(f"{words} {worked}", (by,), result=worked)


def pinned_lines(exchange: Exchange, pinned: suppression.PinnedUnits) -> Iterator[Line]:
    """Say which units are pinned; of a question, how many."""
    if exchange.last_attack is not None:
        tested = len(declared_attack(exchange).pinned_as)
        yield Line(f"{pinned.number} of {tested} pinned", ("DW-SUPP-1",), result=str(pinned.number))
        return
    for name in pinned.names:
        yield Line(f"{name} is pinned.", ("DW-HORDE-9" if exchange.combatant(name).is_mob else "DW-SUPP-1",))
