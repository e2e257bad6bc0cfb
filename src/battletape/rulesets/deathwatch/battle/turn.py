"""The clock of a battle: initiative, what happens as turns begin and end, and whose turn is next."""

from __future__ import annotations

from msgspec.structs import replace

from battletape.clauses import clause
from battletape.dice import D10
from battletape.rulesets.deathwatch.battle.attack.prepare import armour_of, target_of
from battletape.rulesets.deathwatch.battle.outcome import tired
from battletape.rulesets.deathwatch.battle.start import in_order
from battletape.rulesets.deathwatch.battle.state import Fighter, Mob, State, Unit
from battletape.rulesets.deathwatch.rules import burning_and_bleeding, suppression, tests
from battletape.rulesets.deathwatch.rules.attack.records import body_of
from battletape.rulesets.deathwatch.rules.blasts import Cloud
from battletape.rulesets.deathwatch.rules.conditions import Conditions, end_turn
from battletape.rulesets.deathwatch.rules.damage import Hit
from battletape.rulesets.deathwatch.rules.hordes import size_and_nerve
from battletape.rulesets.deathwatch.rules.qualities import effects
from battletape.rulesets.deathwatch.rules.traits import DEAD, SPOTS
from battletape.rulesets.deathwatch.rules.wounds import Victim, hurt
from battletape.tape import Tape
from battletape.words import labelled

BODY = SPOTS.index("body")


@clause("DW-ECON-1")
def roll_initiative(tape: Tape, state: State) -> State:
    """A d10 and the Agility bonus for everybody who has no initiative yet; ties go by the bonus, then by name."""
    units: list[Unit] = []
    for unit in state.units:
        if not unit.initiative:
            unit = replace(unit, initiative=int(tape.roll(D10, label=f"{unit.name}: initiative")) + unit.ab)
        units.append(unit)
    return in_order(replace(state.changed(*units), round=1))


@clause("DW-ECON-1")
def open_round(tape: Tape, state: State) -> State:
    """The first turn begins."""
    return _begin_turn(tape, state)


# --- the start of a turn ----------------------------------------------------------------------------------------------


def _begin_turn(tape: Tape, state: State) -> State:
    """The turn of the active unit begins; if that kills it, or it was out already, the next unit's turn does."""
    for _ in range(2 * len(state.order)):
        unit = state.find(state.active)
        if not unit.is_dead and not (isinstance(unit, Mob) and unit.broken):
            unit = start_turn(tape, state, unit)
            state = state.changed(unit)
            if not unit.is_dead and not (isinstance(unit, Mob) and unit.broken):
                return state
        state = _pass_on(state)
    return state


@clause("DW-BLOOD-1", "DW-COND-FIRE", "DW-HORDE-16", "DW-CRIT-2", "DW-ACT-DELAY")
def start_turn(tape: Tape, state: State, unit: Unit) -> Unit:
    """What the start of a turn does: blood loss, fire, the nerve of hordes, in this order."""
    if isinstance(unit, Mob):
        return steady(tape, state, replace(unit, used=()))
    who = replace(
        unit,
        used=(),
        no_evasion=False,
        defensive=False,
        guarded=False,
        running=False,
        delayed=False,
        screaming=False,
        lies_still=False,
        holds_wound=False,
    )
    if who.conditions.blood_loss:
        who = _bleeds(tape, state, who)
    if who.conditions.on_fire and not who.is_dead:
        who = _burns(tape, state, who)
    if who.conditions.hazard and not who.is_dead:
        who = _faces_hazard(tape, state, who)
    return who


@clause("DW-BLOOD-1")
def _bleeds(tape: Tape, state: State, who: Fighter) -> Fighter:
    return _dead(who) if tape.call(burning_and_bleeding.bleed, state.rules.blood_loss_percent) else who


def _dead(who: Fighter) -> Fighter:
    return replace(who, health=DEAD, conditions=Conditions())


@clause("DW-COND-FIRE", "DW-FAT-1")
def _burns(tape: Tape, state: State, who: Fighter) -> Fighter:
    """A d10 to the body less the Toughness bonus, a level of fatigue, and a Willpower test or it may only run."""
    got: int = tape.call(burning_and_bleeding.burn, who.tb)
    who = _wounded(tape, state, who, got, "E")
    who = who if who.is_dead else tired(who, 1)
    if who.is_out:
        return who
    willpower = target_of(state, who, "wp", who.profile.willpower)
    calm = who.sealed or tests.check(tape, willpower, labelled(who.name, "willpower (fire)"), state.rules)
    return replace(who, screaming=not calm)


@clause("DW-CRIT-2")
def _faces_hazard(tape: Tape, state: State, who: Fighter) -> Fighter:
    ordeal = burning_and_bleeding.face_hazard(tape, who.conditions.hazard, who.side)
    if ordeal.dead:
        return _dead(who)
    who = replace(who, lies_still=ordeal.still, holds_wound=ordeal.holds)
    return _wounded(tape, state, who, ordeal.damage, "R") if ordeal.damage else who


@clause("DW-DMG-1", "DW-DMG-2")
def _wounded(tape: Tape, state: State, who: Fighter, got: int, letter: str) -> Fighter:
    """Damage to the body that no armour stops, with the critical row it reaches."""
    profile, ap = who.profile, armour_of(who)[BODY]
    tested = (target_of(state, who, what, value) for what, value in (("t", profile.toughness), ("ag", profile.agility)))
    toughness, agility = tested
    hit = Hit(
        "body",
        damage_type=letter,  # type: ignore[arg-type]
        true_grit=profile.true_grit,
        sudden_death=profile.kind == "minion",
        armoured=ap > 0,
        ap=ap,
        body=body_of(who.tb, toughness, agility, profile.immune_blood_loss, state.rules),
    )
    after = hurt(tape, Victim(who.health, by_spot=who.by_spot, conditions=who.conditions), hit, got)
    return replace(who, health=after.health, by_spot=after.by_spot, conditions=after.conditions or who.conditions)


@clause("DW-HORDE-16")
def steady(tape: Tape, state: State, mob: Mob) -> Mob:
    """A horde that lost much since its last turn tests its nerve, or breaks without a test."""
    disciplined = size_and_nerve.traits_of(mob.profile.traits).disciplined
    nerve = size_and_nerve.breaking(mob.starting, mob.magnitude, mob.lost_since, disciplined)
    broken = nerve.auto
    if nerve.test:
        target = tests.target(mob.profile.willpower, (nerve.penalty,), state.rules)
        broken = not tests.check(tape, target, labelled(mob.name, "willpower (break)"), state.rules)
    return replace(mob, broken=broken, lost_since=0)


# --- the end of a turn ------------------------------------------------------------------------------------------------


@clause("DW-ECON-1", "DW-PIN-2", "DW-STUN-1", "DW-ACT-FEINT")
def finish_turn(tape: Tape, state: State) -> State:
    """The end of a turn: pinning recovery, stun and all durations; then the next one's turn begins."""
    if state.interrupt:
        return replace(state, interrupt="", entered=())
    unit = state.find(state.active)
    if not unit.is_dead:
        state = state.changed(recover(tape, state, unit))
    return _begin_turn(tape, replace(_pass_on(state), entered=()))


@clause("DW-PIN-2", "DW-STUN-1", "DW-ACT-RELOAD", "DW-ACT-FEINT", "DW-COND-SURPRISED", "DW-HORDE-9")
def recover(tape: Tape, state: State, unit: Unit) -> Unit:
    """A unit at the end of its turn."""
    label = labelled(unit.name, "willpower (recover)")
    if isinstance(unit, Mob):
        pinned = unit.pinned
        if pinned:
            target = suppression.recovery_target(unit.profile.willpower, unit.shot_at, (unit.magnitude,), state.rules)
            pinned = not suppression.recovers(tape, target, label, state.rules)
        return replace(unit, pinned=pinned, shot_at=False)
    conditions = unit.conditions
    if conditions.pinned:
        will = target_of(state, unit, "wp", unit.profile.willpower)
        target = suppression.recovery_target(will, unit.shot_at, (), state.rules)
        if suppression.recovers(tape, target, label, state.rules):
            conditions = replace(conditions, pinned=False)
    reloads = "Reload" in unit.used
    held = unit.held if reloads else tuple(replace(weapon, reload_done=0) for weapon in unit.held)
    left = max(0, unit.feint_turns - 1)
    return replace(
        unit,
        conditions=end_turn(conditions),
        held=held,
        shot_at=False,
        surprised=False,
        feint_turns=left,
        feinted=unit.feinted if left else "",
    )


@clause("DW-ECON-1", "DW-EVA-1")
def _pass_on(state: State) -> State:
    """The next in order; after the last one a new round, with fresh Reactions and thinner clouds."""
    at = state.order.index(state.active) + 1
    if at < len(state.order):
        return replace(state, active=state.order[at])
    fresh = tuple(replace(fighter, reactions_used=0) for fighter in state.fighters)
    clouds = tuple(cloud for cloud in map(_thinner, state.clouds) if cloud.rounds)
    return replace(state, fighters=fresh, clouds=clouds, round=state.round + 1, active=state.order[0])


@clause("DW-QUAL-SMOKE", "DW-QUAL-HAYWIRE")
def _thinner(cloud: Cloud) -> Cloud:
    """A cloud a round later; a haywire field is a step weaker."""
    strength = effects.fades(cloud.strength) if cloud.kind == "haywire" else cloud.strength  # type: ignore[arg-type]
    return replace(cloud, rounds=cloud.rounds - 1, strength=strength)
