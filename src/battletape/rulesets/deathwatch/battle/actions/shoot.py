"""Attacks at a distance: `shoot` (shots, bursts, called shots), and at all in reach `flame`, `blast` and `suppress`.

Overwatch: `watch` waits for an enemy, `fire_on_watch` fires at it. Psychic powers that do damage: `focus_power`; which
powers there are is outside the sheet.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from battletape.cards import EACH, Action, Inputs, Plan, asked, pick_fields
from battletape.rulebook import Refused, Tape, clause, granted, listed, need, raise_if_refused, replace
from battletape.rulesets.deathwatch.battle import attack, referee, start
from battletape.rulesets.deathwatch.battle.attack import spot_named
from battletape.rulesets.deathwatch.battle.changes import change
from battletape.rulesets.deathwatch.battle.state import (
    CarriedWeapon,
    Fighter,
    Mob,
    Overwatch,
    Place,
    State,
    Unit,
    ZoneEntry,
    point_along,
)
from battletape.rulesets.deathwatch.profiles.types import Character, WeaponProfile
from battletape.rulesets.deathwatch.rules import conditions, guns, hordes, melee, suppression
from battletape.rulesets.deathwatch.rules.attack import fighters
from battletape.rulesets.deathwatch.rules.attack.exchange import DeclaredAttack, Exchange
from battletape.rulesets.deathwatch.rules.attack.modifiers import refuse_range
from battletape.rulesets.deathwatch.rules.attack.records import Defender
from battletape.rulesets.deathwatch.rules.blasts import in_flames
from battletape.rulesets.deathwatch.rules.damage import parse_damage
from battletape.rulesets.deathwatch.rules.keywords import apply_qualities
from battletape.rulesets.deathwatch.rules.traits import SPOTS, Mode
from battletape.table.points import Point, apart

FIRE_MODE: Mode = asked("single", "Fire mode", "DW-RWEP-00")


class FireOrder(attack.AttackOrder, referee.WeaponOrder, frozen=True):
    """A gun fired at a target."""

    target: str = referee.ENEMY


class ShootOrder(FireOrder, frozen=True):
    """A shot or burst at a target."""

    mode: Mode = FIRE_MODE
    called: str = asked("", f"Place aimed at, one of {listed(SPOTS, 'or')}", "DW-ACT-CALLED-SHOT")
    off_hand: bool = asked(False, "Fired with the off hand", "DW-TWOW-1")
    others: tuple[str, ...] = asked((), "Further targets for the hits of a burst", "DW-AUTO-3")


class FlameOrder(FireOrder, frozen=True):
    """Flames towards a bearing, or towards a target."""

    direction: float = start.bearing("Which way, if no target is named")


class BlastOrder(FireOrder, frozen=True):
    """A weapon that bursts or lays smoke, fired at a target or at a place."""

    mode: Mode = FIRE_MODE
    x: float = start.PLACE
    y: float = start.PLACE


class SuppressOrder(FireOrder, frozen=True):
    """Suppressing fire or overwatch along a bearing, or towards a target."""

    target: str = asked("", "Target to fire towards", role="foe")
    direction: float = start.bearing("Which way, if no target is named", "DW-SUPP-1")


class WatchFireOrder(attack.AttackOrder, frozen=True):
    """Fire from overwatch at a unit that has just come into the zone."""

    unit: str = asked("", "Fighter on overwatch", role="watching fighter")
    target: str = asked("", "", role="unit in its zone")
    mode: Literal["full", "semi", "suppressing"] = asked("full", "Fire mode", "DW-OVER-2", role=EACH)


class PowerOrder(Inputs, frozen=True):
    """A psychic power that does damage; which powers there are is outside the sheet."""

    unit: str = asked("", referee.ACTING_UNIT, role="acting psyker")
    target: str = referee.ENEMY
    damage: str = asked("1d10", "Damage", "DW-HORDE-13", about=", such as 1d10+4")
    pen: int = asked(0, "Penetration", ge=0, le=30)
    range: int = asked(30, "", unit="metres", ge=1, le=2000)
    cost: referee.Pace = asked("half", referee.HALF_OR_FULL)


# --- what all of them share -------------------------------------------------------------------------------------------

GROUND = Fighter(name="", side="", profile=Character())
"""The target of a shot at a place, which is no unit."""
FOR_FIGHTERS_ONLY = "shoot like a fighter"
"""Words for a refusal to hordes."""


def gun_of(fighter: Fighter, name: str) -> CarriedWeapon:
    """Return the gun of this name; without a name the first gun in hand."""
    need(fighter.weapons, f"{fighter.name} carries no gun", "DW-RWEP-00", "weapon")
    if name.strip():
        return fighter.weapon_named(name)
    return next(
        (carried for carried in fighter.weapons if carried.in_hand and not carried.profile.melee),
        fighter.weapon_named(""),
    )


@clause("DW-RANGE-1", "DW-QUAL-FLAME", "DW-QUAL-BLAST")
def need_range(state: State, fighter: Fighter, carried: CarriedWeapon, aimed: Place) -> None:
    """Refuse a target or a place out of range."""
    far = state.metres(fighter, aimed)
    raise_if_refused(refuse_range(carried.name, carried.as_fired.range, far, flame=carried.qualities.flame))


def enemy_named(state: State, fighter: Fighter, name: str) -> Unit | None:
    """Return the enemy of this name, if one is named."""
    target = referee.find_if_named(state, name)
    if target is not None:
        referee.need_enemy(state, fighter, target)
    return target


def fire_bearing(state: State, fighter: Fighter, target: Unit | None, direction: float) -> float:
    """Return the bearing of the fire: towards the target, or as it is said."""
    return direction if target is None else state.bearing(fighter, target)


def units_covered(
    state: State, fighter: Fighter, direction: float, covers: Callable[[float, float], bool]
) -> list[Unit]:
    """Return the units, friend or foe, in the area that `covers` a distance and an angle off the direction of fire."""
    others = (unit for unit in state.present if unit.name != fighter.name)
    return [unit for unit in others if covers(state.metres(fighter, unit), state.bearing(fighter, unit) - direction)]


@clause("DW-PIPE-1", "DW-RWEP-00")
def end_fire(
    tape: Tape, exchange: Exchange, state: State, fighter: Fighter, carried: CarriedWeapon, mode: Mode, action: str
) -> State:
    """Take the rounds from the gun, whatever the roll; write the attacks back, and note the action."""
    state = attack.take_rounds(tape, state, fighter, carried, mode, exchange)
    return referee.end_attack(tape, exchange, state, fighter.name, action)


# --- shots and bursts -------------------------------------------------------------------------------------------------


@clause("DW-ACT-STANDARD-ATTACK", "DW-ACT-CALLED-SHOT", "DW-AUTO-3", "DW-HORDE-6", "DW-PIPE-1")
def plan_shot(state: State, order: ShootOrder) -> Plan:
    """Refuse guns that cannot be fired so, targets out of range, and hits that cannot be shared."""
    action = attack.shot_action(order)
    fighter = referee.acting_fighter(state, order, action, FOR_FIGHTERS_ONLY)
    carried = gun_of(fighter, order.weapon)
    attack.need_gun(state, fighter, carried, order.mode)
    target = referee.unit_named(state, order.target)
    referee.need_enemy(state, fighter, target)
    use = "flame" if carried.qualities.flame else "blast"
    several = carried.qualities.flame or carried.qualities.blast
    need(not several, f"{carried.name} does more than shoot at one target; use {use}", "DW-PIPE-1", "kind")
    need_range(state, fighter, carried, target)
    attack.need_sight(state, fighter, target, order.situations)
    if order.off_hand:
        raise_if_refused(melee.refuse_two_weapons((carried.profile,)))
    if spot_named(order.called):
        raise_if_refused(hordes.refuse_called() if isinstance(target, Mob) else guns.refuse_called(order.mode))
    sharing = tuple(_sharing(state, fighter, target, name) for name in order.others)
    others = tuple(unit.name for unit in sharing)
    full = replace(order, unit=fighter.name, weapon=carried.name, target=target.name, others=others)
    plan = Plan(begin_shot, state, fighter, carried, target, sharing, full, order=full)
    return plan.then(end_fire, state, fighter, carried, order.mode, action)


def _sharing(state: State, fighter: Fighter, target: Unit, name: str) -> Unit:
    """Return a unit that may be given hits of a burst at the target."""
    other = state.find(name)
    raise_if_refused(hordes.refuse_allocation("leader") if isinstance(target, Mob) else None)
    reason = f"{other.name} is a horde, which is attacked as a whole; no hit of a burst can be given to it"
    need(not isinstance(other, Mob), reason, "DW-HORDE-6", "target")
    referee.need_enemy(state, fighter, other)
    raise_if_refused(guns.refuse_allocation(state.metres(target, other)))
    return other


@clause("DW-ACT-STANDARD-ATTACK", "DW-ACT-CALLED-SHOT", "DW-OVER-3")
def begin_shot(
    tape: Tape,
    state: State,
    fighter: Fighter,
    carried: CarriedWeapon,
    target: Unit,
    sharing: tuple[Unit, ...],
    order: ShootOrder,
    overwatch: bool = False,
) -> Exchange:
    """Make a shot or burst ready, with all its modifiers; from overwatch it may pin the target."""
    called, hand = spot_named(order.called), melee.off_hand(fighter.profile.talents) if order.off_hand else ()
    setting = attack.setting_of(state, fighter, carried, target, order, other=hand, overwatch=overwatch)
    draft = fighters.draft_of(
        fighter, carried, target, setting, "called" if called else fighters.ACTIONS[order.mode], order.mode, called
    )
    declared = replace(
        attack.declare_attack(state, fighter, carried, target, draft),
        shared_with=attack.units_in_area(state, fighter, carried, draft, sharing),
        pin_tests=pin_tests_of(state, [target]) if overwatch else (),
    )
    return attack.exchange_of(tape, state, fighter, (declared,), (target, *sharing))


# --- flames and blasts ------------------------------------------------------------------------------------------------


@clause("DW-QUAL-FLAME", "DW-HORDE-12")
def plan_flames(state: State, order: FlameOrder) -> Plan:
    """Refuse weapons that throw no flames, and targets they do not reach."""
    fighter = referee.acting_fighter(state, order, "Standard Attack", FOR_FIGHTERS_ONLY)
    carried = gun_of(fighter, order.weapon)
    attack.need_gun(state, fighter, carried, "single")
    target = enemy_named(state, fighter, order.target)
    need(carried.qualities.flame, f"{carried.name} throws no flames; use shoot", "DW-QUAL-FLAME", "kind")
    if target is not None:
        need_range(state, fighter, carried, target)
    full = replace(order, unit=fighter.name, weapon=carried.name, target=target.name if target else "")
    plan = Plan(begin_flames, state, fighter, carried, target, full, order=full)
    return plan.then(end_fire, state, fighter, carried, "single", "Standard Attack")


@clause("DW-QUAL-FLAME", "DW-HORDE-12")
def begin_flames(
    tape: Tape, state: State, fighter: Fighter, carried: CarriedWeapon, target: Unit | None, order: FlameOrder
) -> Exchange:
    """Throw flames: every unit in the arc makes a test, the one they are thrown at first."""
    direction = fire_bearing(state, fighter, target, order.direction)
    units = units_covered(state, fighter, direction, lambda far, off: in_flames(far, off, carried.as_fired.range))
    if not units:
        tape.tell("The flames reach nothing")
    units.sort(key=lambda unit: (unit is not target, state.metres(fighter, unit), unit.name))
    attacks = []
    for unit in units:
        draft = fighters.draft_of(fighter, carried, unit, attack.setting_of(state, fighter, carried, unit, order))
        declared = replace(attack.declare_attack(state, fighter, carried, unit, draft, "flame"), overheat_attack=None)
        attacks.append(declared if isinstance(unit, Mob) else replace(declared, how="flame"))
    return attack.exchange_of(tape, state, fighter, attacks, units)


@clause("DW-QUAL-BLAST", "DW-QUAL-SMOKE", "DW-RANGE-1")
def plan_blast(state: State, order: BlastOrder) -> Plan:
    """Refuse weapons that neither burst nor lay smoke, and places out of range."""
    action = attack.shot_action(order)
    fighter = referee.acting_fighter(state, order, action, FOR_FIGHTERS_ONLY)
    carried = gun_of(fighter, order.weapon)
    attack.need_gun(state, fighter, carried, order.mode)
    target = enemy_named(state, fighter, order.target)
    smokes = carried.qualities.smoke
    helps = "use shoot, or lay its smoke on a place: x and y without a target" if smokes else "use shoot"
    lands = carried.qualities.blast or (smokes and target is None)
    need(lands, f"{carried.name} does not burst; {helps}", "DW-QUAL-BLAST", "kind")
    if target is not None:
        attack.need_sight(state, fighter, target, order.situations)
    need_range(state, fighter, carried, target or Point(order.x, order.y))
    full = replace(order, unit=fighter.name, weapon=carried.name, target=target.name if target else "")
    plan = Plan(begin_blast, state, fighter, carried, target, full, order=full)
    return plan.then(end_fire, state, fighter, carried, order.mode, action)


@clause("DW-QUAL-BLAST", "DW-QUAL-SMOKE")
def begin_blast(
    tape: Tape, state: State, fighter: Fighter, carried: CarriedWeapon, target: Unit | None, order: BlastOrder
) -> Exchange:
    """Make the shot at a unit, or at the ground, ready."""
    at, aimed = (Point(order.x, order.y), GROUND) if target is None else (None, target)
    setting = attack.setting_of(state, fighter, carried, aimed, order, at)
    draft = fighters.draft_of(fighter, carried, aimed, setting, fighters.ACTIONS[order.mode], order.mode)
    declared = attack.declare_attack(state, fighter, carried, aimed, draft, at=at)
    return attack.exchange_of(tape, state, fighter, (declared,), (target,) if target else ())


# --- suppressing fire -------------------------------------------------------------------------------------------------


@clause("DW-SUPP-1", "DW-SUPP-4", "DW-ACT-SUPPRESSING-FIRE")
def need_bursts(state: State, fighter: Fighter, carried: CarriedWeapon) -> Mode:
    """Return the mode of the bursts that suppressing fire takes; refuse guns that have none."""
    if carried.profile.melee:
        raise_if_refused(guns.refuse_mode(carried.as_fired, "single"))
    raise_if_refused(suppression.refuse_suppress(carried.as_fired))
    mode = suppression.burst_of(carried.as_fired)
    attack.need_gun(state, fighter, carried, mode)
    return mode


@clause("DW-SUPP-1")
def need_half_range(state: State, fighter: Fighter, carried: CarriedWeapon, target: Unit | None) -> None:
    """Refuse a target beyond half the range."""
    reach = suppression.suppressed_reach(carried.as_fired.range)
    if target is not None:
        away, what = state.metres(fighter, target), f"suppressing fire reaches half the range of {carried.name}"
        need(away <= reach, f"{what}, {reach:g} m; {target.name} is {away:.4g} m away", "DW-SUPP-1", "range")


@clause("DW-SUPP-1", "DW-SUPP-4", "DW-ACT-SUPPRESSING-FIRE")
def plan_suppressing(state: State, order: SuppressOrder) -> Plan:
    """Refuse guns without bursts, and targets beyond half the range."""
    fighter = referee.acting_fighter(state, order, "Suppressing Fire", FOR_FIGHTERS_ONLY)
    carried = gun_of(fighter, order.weapon)
    mode = need_bursts(state, fighter, carried)
    target = referee.find_if_named(state, order.target)
    need_half_range(state, fighter, carried, target)
    full = replace(order, unit=fighter.name, weapon=carried.name, target=target.name if target else "")
    direction = fire_bearing(state, fighter, target, order.direction)
    plan = Plan(begin_suppressing, state, fighter, carried, target, direction, full, order=full)
    return plan.then(end_fire, state, fighter, carried, mode, "Suppressing Fire")


@clause("DW-SUPP-1", "DW-SUPP-2")
def begin_suppressing(
    tape: Tape,
    state: State,
    fighter: Fighter,
    carried: CarriedWeapon,
    target: Unit | None,
    direction: float,
    order: attack.AttackOrder,
) -> Exchange:
    """Fire at all in the area; the odds are about the unit it is meant for, else the first enemy there."""
    reach, rulings = suppression.suppressed_reach(carried.as_fired.range), state.rulings
    units = units_covered(state, fighter, direction, lambda far, off: suppression.in_arc(far, off, reach, rulings))
    first = units[0] if units else fighter
    draft = fighters.area_fire_draft(
        fighter, carried, first, attack.setting_of(state, fighter, carried, first, order), "suppressing"
    )
    declared = DeclaredAttack(
        fighter.name,
        "",
        carried.name,
        spec=apply_qualities(replace(draft, by_side=False), carried.as_fired.qualities, Defender(), rulings),
        how="spray",
        in_area=attack.units_in_area(state, fighter, carried, draft, units),
        pin_tests=pin_tests_of(state, units),
        overheat_attack=attack.overheat_attack_of(state, fighter, carried, draft),
    )
    units.sort(key=lambda unit: (unit is not target, unit.side == fighter.side))
    return attack.exchange_of(tape, state, fighter, (declared,), units)


def pin_tests_of(state: State, units: list[Unit]) -> tuple[tuple[str, int], ...]:
    """Return each unit that tests Willpower not to be pinned, and its target number without Magnitude.

    Units in melee and units pinned already do not test.
    """

    def target_of(unit: Unit) -> int:
        if isinstance(unit, Mob):
            return unit.profile.willpower
        return suppression.pin_target(referee.test_target(state, unit, "willpower"), rulings=state.rulings)

    return tuple((unit.name, target_of(unit)) for unit in units if not (unit.engaged_with or fighters.is_pinned(unit)))


# --- overwatch --------------------------------------------------------------------------------------------------------


@clause("DW-ACT-OVERWATCH", "DW-OVER-1")
def plan_watch(state: State, order: SuppressOrder) -> Plan:
    """Refuse guns without bursts."""
    fighter = referee.acting_fighter(state, order, "Overwatch", FOR_FIGHTERS_ONLY)
    carried = gun_of(fighter, order.weapon)
    need_bursts(state, fighter, carried)
    target = referee.find_if_named(state, order.target)
    full = replace(order, unit=fighter.name, weapon=carried.name, target=target.name if target else "")
    direction = fire_bearing(state, fighter, target, order.direction)
    return Plan(go_on_overwatch, state, fighter.name, Overwatch(carried.name, direction), order=full)


@clause("DW-ACT-OVERWATCH")
def go_on_overwatch(tape: Tape, state: State, name: str, kept: Overwatch) -> State:
    """Wait for an enemy to come into the kill zone."""
    state = referee.spend(tape, state, name, "Overwatch")
    return change(tape, state, replace(state.fighter(name), facing=kept.facing, overwatch=kept))


@clause("DW-OVER-1")
def is_watched(state: State, watcher: Unit, place: Point) -> bool:
    """Return whether a place lies in a unit's kill zone."""
    if not isinstance(watcher, Fighter) or watcher.overwatch is None or watcher.is_out:
        return False
    carried = watcher.weapon_named(watcher.overwatch.weapon)
    off = state.bearing(watcher, place) - watcher.overwatch.facing
    return suppression.in_arc(state.metres(watcher, place), off, carried.as_fired.range, state.rulings)


@clause("DW-OVER-2", "DW-OVER-1")
def enter_kill_zones(tape: Tape, state: State, unit: Unit, start: Point, cover: fighters.Cover = (0, ())) -> State:
    """Note into which kill zones a unit has come on its way from a place; their watchers may fire at once."""
    goal = state.at(unit)
    way = (*(point_along(start, goal, far) for far in range(1, int(apart(start, goal)) + 1)), goal)
    entries = tuple(
        ZoneEntry(watcher.name, unit.name, cover)
        for watcher in state.enemies_of(unit.side)
        if any(is_watched(state, watcher, place) for place in way)
    )
    for entry in entries:
        tape.tell("{} is in the kill zone of {}.", entry.target, entry.watcher, clause="DW-OVER-2")
    return replace(state, entered=entries)


@clause("DW-OVER-2", "DW-OVER-4", "DW-STUN-1")
def plan_fire_on_watch(state: State, order: WatchFireOrder) -> Plan:
    """Refuse units that keep no overwatch or cannot fire, and targets that have not just come into the zone."""
    referee.need_battle(state)
    unit = referee.unit_named(state, order.unit)
    watcher = unit if isinstance(unit, Fighter) else None
    if watcher is None or watcher.overwatch is None:
        reason = f"{unit.name} keeps no overwatch; use watch in its turn"
        return granted(Refused(reason, "DW-OVER-1", "overwatch"))
    allowed = conditions.turn_allowance(watcher.conditions, watcher.done.screaming)
    need(allowed.full, f"{watcher.name} cannot fire: {allowed.reason}", allowed.clause, "condition")
    carried = watcher.weapon_named(watcher.overwatch.weapon)
    target = referee.unit_named(state, order.target)
    referee.need_enemy(state, watcher, target)
    entry = _entry_of(state, watcher, target)
    stays = f"{target.name} has not just come into the kill zone of {watcher.name}; fire at once when a target does"
    need(entry is not None, stays, "DW-OVER-2", "zone")
    mode: Mode = suppression.burst_of(carried.as_fired) if order.mode == "suppressing" else order.mode
    attack.need_gun(state, watcher, carried, mode)
    full = replace(order, unit=watcher.name, target=target.name)
    if order.mode == "suppressing":
        need_half_range(state, watcher, carried, target)
        direction = state.bearing(watcher, target)
        plan = Plan(begin_suppressing, state, watcher, carried, target, direction, full, order=full)
    else:
        attack.need_sight(state, watcher, target, order.situations)
        at_entry, mover = state, target
        if isinstance(target, Fighter) and entry is not None:
            mover = fighters.behind(target, entry.cover)
            at_entry = state.with_units(mover)
        shot = ShootOrder(**pick_fields(full, "target", "mode", *attack.AttackOrder.__struct_fields__))
        plan = Plan(begin_shot, at_entry, watcher, carried, mover, (), shot, True, order=full)
    return plan.then(end_fire_on_watch, state, watcher, carried, mode)


def _entry_of(state: State, unit: Unit, target: Unit) -> ZoneEntry | None:
    return next((entry for entry in state.entered if (entry.watcher, entry.target) == (unit.name, target.name)), None)


@clause("DW-OVER-4")
def end_fire_on_watch(
    tape: Tape, exchange: Exchange, state: State, watcher: Fighter, carried: CarriedWeapon, mode: Mode
) -> State:
    """Write the fire back; the watch is over unless the ruling lets it go on."""
    state = attack.take_rounds(tape, state, watcher, carried, mode, exchange)
    state = attack.write_back(tape, state, exchange)
    if suppression.ends_by_fire(watcher.profile.willpower, state.rulings):
        state = change(tape, state, replace(state.fighter(watcher.name), overwatch=None))
    return replace(state, entered=tuple(entry for entry in state.entered if entry.watcher != watcher.name))


# --- psychic powers ---------------------------------------------------------------------------------------------------


@clause("DW-ACT-FOCUS-POWER", "DW-HORDE-13")
def plan_power(state: State, order: PowerOrder) -> Plan:
    """Refuse units without a Psy Rating, and targets out of range."""
    action = f"Focus Power ({order.cost})"
    unit = referee.able_unit(state, order, action)
    if not isinstance(unit, Fighter) or not unit.profile.psy_rating:
        reason = f"{unit.name} is no psyker; it needs a Psy Rating of 1 or more"
        return granted(Refused(reason, "DW-ACT-FOCUS-POWER", "psyker"))
    parse_damage(order.damage)
    target = referee.unit_named(state, order.target)
    referee.need_enemy(state, unit, target)
    raise_if_refused(refuse_range("the power", order.range / 4, state.metres(unit, target)))
    attack.need_sight(state, unit, target)
    full = replace(order, unit=unit.name, target=target.name)
    plan = Plan(begin_power, state, unit, target, order.damage, order.pen, order=full)
    return plan.then(referee.end_attack, state, unit.name, action)


@clause("DW-ACT-FOCUS-POWER", "DW-HORDE-13")
def begin_power(tape: Tape, state: State, psyker: Fighter, target: Unit, damage: str, pen: int) -> Exchange:
    """Test Willpower with five for each point of the rating; on a horde as many hits as that. Nothing evades it."""
    power = CarriedWeapon(WeaponProfile(name="the power", damage=damage, pen=pen, damage_type="E"))
    draft = replace(
        fighters.power_draft(psyker, power, target, fighters.AttackSetting(rulings=state.rulings)),
        fury_eligible=False,
        fury_sure=False,
    )  # no fury
    declared = attack.declare_attack(state, psyker, power, target, draft, "psychic")
    return attack.exchange_of(tape, state, psyker, (declared,), (target,))


# --- cards ------------------------------------------------------------------------------------------------------------

SHOOT = Action(
    "shoot",
    "Shoot at a target",
    ShootOrder,
    plan_shot,
    roles={"weapon": "gun", "mode": "fire mode"},
    clauses=referee.clauses_of("shoot", "DW-PIPE-1"),
    **referee.ATTACKING,
)
FLAME = Action(
    "flame",
    "Throw flames",
    FlameOrder,
    plan_flames,
    roles={"weapon": "flamer"},
    clauses=referee.clauses_of("flame", "DW-QUAL-FLAME", "DW-HORDE-12"),
    **referee.ATTACKING,
)
BLAST = Action(
    "blast",
    "Fire a weapon that bursts",
    BlastOrder,
    plan_blast,
    roles={"weapon": "bursting gun"},
    clauses=referee.clauses_of("blast", "DW-QUAL-BLAST", "DW-SCAT-2", "DW-QUAL-SMOKE"),
    **referee.ATTACKING,
)
SUPPRESS = Action(
    "suppress",
    "Suppressing fire",
    SuppressOrder,
    plan_suppressing,
    roles={"weapon": "gun"},
    clauses=referee.clauses_of("suppress", "DW-SUPP-1", "DW-SUPP-2", "DW-SUPP-3"),
    **referee.ATTACKING,
)
WATCH = Action(
    "watch",
    "Keep overwatch",
    SuppressOrder,
    plan_watch,
    roles={"weapon": "gun", "target": "", "direction": "own facing"},
    clauses=referee.clauses_of("watch", "DW-OVER-1"),
)
FIRE_ON_WATCH = Action(
    "fire_on_watch",
    "Fire from overwatch",
    WatchFireOrder,
    plan_fire_on_watch,
    clauses=referee.clauses_of("fire_on_watch", "DW-OVER-2", "DW-OVER-3", "DW-OVER-4"),
    **referee.ATTACKING,
)
FOCUS_POWER = Action(
    "focus_power",
    "Use a psychic power",
    PowerOrder,
    plan_power,
    clauses=referee.clauses_of("focus_power", "DW-HORDE-13"),
    **referee.ATTACKING,
)
