"""Blows in a battle: `strike` a unit, `contest` (feints, knock-downs, pushes) and `grapple` (holds)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from battletape.cards import EACH, Action, Plan, asked
from battletape.rulebook import Refused, Tape, clause, granted, need, raise_if_refused, replace
from battletape.rulesets.deathwatch.battle import attack, referee, start
from battletape.rulesets.deathwatch.battle.actions.shoot import enter_kill_zones
from battletape.rulesets.deathwatch.battle.changes import change, move_to
from battletape.rulesets.deathwatch.battle.referee import UnitOrder, active_fighter, find_if_named
from battletape.rulesets.deathwatch.battle.state import (
    CONTACT,
    State,
    moves_of,
    point_along,
    to_the_millimetre,
)
from battletape.rulesets.deathwatch.rules import guns, hordes, melee, movement
from battletape.rulesets.deathwatch.rules.attack import fighters, modifiers
from battletape.rulesets.deathwatch.rules.attack.exchange import DeclaredAttack, Exchange, Trial
from battletape.rulesets.deathwatch.rules.attack.fighters import CarriedWeapon, Fighter, Mob, Unit, fists_of
from battletape.rulesets.deathwatch.rules.attack.modifiers import refuse_range
from battletape.rulesets.deathwatch.rules.attack.procedures import procedure
from battletape.rulesets.deathwatch.rules.attack.results import DIES, chance
from battletape.rulesets.deathwatch.rules.traits import Modifier
from battletape.table.points import Point, step

BareHanded: TypeAlias = Literal["unarmed", "grapple"]
MeleeAction: TypeAlias = Literal[
    "standard", "all_out", "charge", "guarded", "called", "stun", "swift", "lightning", "two_weapons", BareHanded
]
NAMES: dict[MeleeAction, str] = {
    "standard": "Standard Attack",
    "all_out": "All Out Attack",
    "charge": "Charge",
    "guarded": "Guarded Attack",
    "called": "Called Shot",
    "stun": "Stun",
    "swift": "Multiple Attacks",
    "lightning": "Multiple Attacks",
    "two_weapons": "Multiple Attacks",
    "unarmed": "Standard Attack",
    "grapple": "Grapple (half)",
}
BARE_HANDED: tuple[MeleeAction, ...] = get_args(BareHanded)


class StrikeOrder(attack.AttackOrder, UnitOrder, frozen=True):
    """Blows at a unit."""

    weapon: str = asked("", "Weapon", about="the first blade in hand if left out, or the first to be drawn")
    target: str = ""
    how: MeleeAction = asked("standard", "Which action", "DW-ACT-00")
    called: str = asked("", "Place aimed at", "DW-ACT-CALLED-SHOT")
    off_hand: bool = asked(False, "Struck with the off hand", "DW-TWOW-1")
    weapon2: str = asked("", "Second weapon", "DW-TWOW-2")
    trained2: attack.Training = asked("talents", "Trained with it", "DW-UNTR-1")
    target2: str = asked("", "Target of the second attack", "DW-TWOW-3")


STANDARD = StrikeOrder()


def blade_of(fighter: Fighter, order: StrikeOrder) -> CarriedWeapon:
    """Return the weapon named; without a name the first blade in hand, else one put away, else bare hands."""
    if order.how in BARE_HANDED or modifiers.is_bare(order.weapon):
        return fists_of(fighter)
    if order.weapon.strip():
        return fighter.weapon_named(order.weapon)
    put_away = (weapon for weapon in fighter.weapons if weapon.profile.melee and weapon.is_put_away)
    return (*fighter.blades, *put_away, fists_of(fighter))[0]


def blade_at_hand(fighter: Fighter) -> CarriedWeapon:
    """Return what a fighter strikes with at once: the first blade in hand, or bare hands."""
    return fighter.blades[0] if fighter.blades else fists_of(fighter)


def second_of(fighter: Fighter, order: StrikeOrder, first: CarriedWeapon) -> CarriedWeapon | None:
    """Return the second weapon of an attack with both, if one is named; the same name means another of its kind."""
    if order.how != "two_weapons" or not order.weapon2.strip():
        return None
    named = fighter.weapon_named(order.weapon2)
    if named.name != first.name:
        return named
    alike = (carried for carried in fighter.weapons if replace(carried.profile, name=first.name) == first.profile)
    return next((carried for carried in alike if carried.name != first.name), None)


# --- blows ------------------------------------------------------------------------------------------------------------


class StrikePlan(NamedTuple):
    """The weapons and the targets of a strike; second weapon and second target may be the first ones."""

    weapon: CarriedWeapon
    target: Unit
    second_weapon: CarriedWeapon
    second_target: Unit
    attacks: int


@clause("DW-ACT-STANDARD-ATTACK", "DW-COND-ENGAGED")
def plan_strike(state: State, order: StrikeOrder) -> Plan:
    """Refuse weapons that do not serve, targets out of reach, and more attacks than a fighter has."""
    action = NAMES[order.how]
    fighter = referee.acting_fighter(state, order, action, "strike like a fighter")
    carried = blade_of(fighter, order)
    need_weapon(state, fighter, carried, gun=order.how == "two_weapons")
    target = referee.unit_named(state, order.target)
    referee.need_enemy(state, fighter, target)
    _need_called_spot(target, order)
    strikes = _plan_of_strikes(state, fighter, carried, target, order)
    if order.how == "charge":
        need_charge(state, fighter, target)
    else:
        need_reach(state, fighter, carried, target, order)
    second = {"weapon2": strikes.second_weapon.name} if order.weapon2.strip() else {}
    second |= {"target2": strikes.second_target.name} if order.target2.strip() else {}
    full = replace(order, unit=fighter.name, weapon=carried.name, target=target.name, **second)
    return Plan(begin_strike, state, fighter, strikes, order, order=full).then(
        end_strike, state, fighter, strikes, order
    )


@clause("DW-ACT-READY", "DW-QUAL-POWER-FIELD", "DW-CRIT-2", "DW-MWEP-00")
def need_weapon(state: State, fighter: Fighter, carried: CarriedWeapon, gun: bool = False) -> None:
    """Refuse a weapon that cannot be used for a blow, or to shoot if it may be a gun."""
    if carried.profile.melee:
        raise_if_refused(
            guns.refuse_state(carried.profile, state.round, ready=carried.in_hand, destroyed=carried.destroyed)
        )
        handless = f"{fighter.name} has no hand left to strike with"
        need(fighter.hands >= min(1, carried.hands), handless, "DW-CRIT-2", "hands")
    elif gun:
        attack.need_gun(state, fighter, carried, "single")
    else:
        need(False, f"{carried.name} is a gun; use shoot, or strike with a blade or fists", "DW-MWEP-00", "kind")


@clause("DW-COND-ENGAGED", "DW-TWOW-3", "DW-RANGE-1")
def need_reach(state: State, fighter: Fighter, carried: CarriedWeapon, target: Unit, order: attack.AttackOrder) -> None:
    """Refuse a target out of reach of a blow, or out of range or sight of a pistol."""
    if carried.profile.melee:
        referee.need_adjacent(state, fighter, target, "a blow reaches 2 m, so move there or charge")
    else:
        raise_if_refused(refuse_range(carried.name, carried.as_fired.range, state.metres(fighter, target)))
        attack.need_sight(state, fighter, target, order.situations)


@clause("DW-ACT-CHARGE", "DW-COND-PRONE")
def need_charge(state: State, fighter: Fighter, target: Unit) -> None:
    """Refuse a charge by the prone, out of a melee, or over too short or long a way."""
    referee.need_standing(fighter)
    reason = f"{fighter.name} is in melee with {', '.join(fighter.engaged_with)}; disengage first"
    need(not fighter.engaged_with, reason, "DW-ACT-DISENGAGE", "engaged")
    far = round(state.metres(fighter, target) - CONTACT, 6)
    raise_if_refused(movement.refuse_charge(far, moves_of(state, fighter)))
    raise_if_refused(referee.refuse_way(state.field, fighter, charge_end(state, fighter, target)))


@clause("DW-ACT-CHARGE")
def charge_end(state: State, fighter: Fighter, target: Unit) -> Point:
    """Return where a charge ends: a metre from its target."""
    return point_along(state.at(fighter), state.at(target), state.metres(fighter, target) - CONTACT)


@clause("DW-ACT-CALLED-SHOT", "DW-HPIPE-1", "DW-ACT-STUN", "DW-HORDE-1")
def _need_called_spot(target: Unit, order: StrikeOrder) -> None:
    reason = "a called shot needs the action called and the place it is aimed at"
    mismatch = f"{reason}; got {order.how} and {order.called or 'no place'}"
    need((order.how == "called") == bool(order.called.strip()), mismatch, "DW-ACT-CALLED-SHOT", "called")
    attack.spot_named(order.called)
    if isinstance(target, Mob):
        raise_if_refused(hordes.refuse_called() if order.how == "called" else None)
        whole = f"{target.name} is a horde; nobody can {order.how} all of it"
        need(order.how not in ("stun", "grapple"), whole, "DW-HORDE-1", "target")


@clause("DW-ACT-MULTIPLE-ATTACKS", "DW-TWOW-1", "DW-TWOW-2", "DW-TWOW-3")
def _plan_of_strikes(
    state: State, fighter: Fighter, carried: CarriedWeapon, target: Unit, order: StrikeOrder
) -> StrikePlan:
    """Return the weapons and targets of all attacks; refuse them without the talents, the hands or the reach."""
    talents, number = fighter.profile.talents, melee.ATTACKS_BY_ACTION.get(order.how, 1)
    raise_if_refused(melee.refuse_attacks(number, talents))
    second_target = find_if_named(state, order.target2) or target
    second_weapon = second_of(fighter, order, carried) if order.how == "two_weapons" else carried
    if second_weapon is None:
        reason = f"an attack with both weapons needs weapon2; {fighter.name} holds {carried.name}"
        return granted(Refused(reason, "DW-TWOW-2", "weapon"))
    if second_weapon is not carried:
        both = (carried.profile, second_weapon.profile)
        raise_if_refused(melee.refuse_two_weapons(both), melee.refuse_both(both, talents))
        barrels = f"{carried.name} and {second_weapon.name} are two barrels of one weapon"
        need(carried.whole_name != second_weapon.whole_name, barrels, "DW-RWEP-04", "weapon")
        hands = (
            f"{carried.name} and {second_weapon.name} need a hand each, and {fighter.name} has {fighter.hands} to use"
        )
        need(fighter.hands >= carried.hands + second_weapon.hands, hands, "DW-CRIT-2", "hands")
        need_weapon(state, fighter, second_weapon, gun=True)
    if number > 1 or second_weapon is not carried:
        referee.need_enemy(state, fighter, second_target)
        need_reach(state, fighter, second_weapon, second_target, order)
    if not carried.profile.melee and not second_weapon.profile.melee:
        raise_if_refused(melee.refuse_two_targets(state.metres(target, second_target)))
    return StrikePlan(carried, target, second_weapon, second_target, number)


def declare_strike(
    state: State,
    fighter: Fighter,
    carried: CarriedWeapon,
    target: Unit,
    order: StrikeOrder = STANDARD,
    added: tuple[Modifier, ...] = (),
) -> DeclaredAttack:
    """Return one blow or shot at a unit, with all its modifiers."""
    setting = attack.setting_of(state, fighter, carried, target, order, other=added)
    draft = fighters.draft_of(fighter, carried, target, setting, order.how, called=attack.spot_named(order.called))
    return attack.declare_attack(state, fighter, carried, target, draft, "melee" if carried.profile.melee else "shoot")


@clause("DW-ACT-MULTIPLE-ATTACKS", "DW-TWOW-1", "DW-TWOW-2")
def begin_strike(tape: Tape, state: State, fighter: Fighter, strikes: StrikePlan, order: StrikeOrder) -> Exchange:
    """Make the blows ready."""
    weapon, target, second_weapon, second_target, attacks = strikes
    talents = fighter.profile.talents
    if second_weapon is not weapon:
        main, off = (melee.hand_modifiers(hand, True, talents, state.rulings) for hand in melee.MAIN_AND_OFF)
        second_attack = declare_strike(
            state, fighter, second_weapon, second_target, replace(order, trained=order.trained2), off
        )
        declared = [declare_strike(state, fighter, weapon, target, order, main), second_attack]
    else:
        added = melee.off_hand(talents) if order.off_hand else ()
        targets = [target] + [second_target] * (attacks - 1)
        declared = [declare_strike(state, fighter, weapon, unit, order, added) for unit in targets]
    return attack.exchange_of(tape, state, fighter, declared, (target, second_target))


@clause("DW-ACT-CHARGE", "DW-ACT-ALL-OUT-ATTACK", "DW-ACT-GUARDED-ATTACK", "DW-ACT-FEINT", "DW-ACT-GRAPPLE")
def end_strike(
    tape: Tape, exchange: Exchange, state: State, fighter: Fighter, strikes: StrikePlan, order: StrikeOrder
) -> State:
    """Write the blows back: where a charge ends, rounds fired, melee, and what the action means until the next turn."""
    name, target = fighter.name, strikes.target
    if order.how == "charge":
        state = move_to(tape, state, fighter, charge_end(state, fighter, target), (0, ()))
    for gun in dict.fromkeys((strikes.weapon, strikes.second_weapon)):
        if not gun.profile.melee:
            state = attack.take_rounds(tape, state, state.fighter(name), gun, "single", exchange)
    state = referee.end_attack(tape, exchange, state, name, NAMES[order.how])
    targets = {target.name, *((strikes.second_target.name,) if order.target2.strip() else ())}
    for other in sorted(targets):
        if state.is_adjacent(state.fighter(name), state.find(other)):
            state = attack.engage(tape, state, name, other)
    now, enemy = state.fighter(name), state.find(target.name)
    fooled = "" if now.fooled_enemy in targets else now.fooled_enemy
    now = replace(now, fooled_enemy=fooled)
    now = now.with_done(no_evasion=order.how == "all_out", guarded=order.how == "guarded")
    if order.how == "grapple" and exchange.landed and isinstance(enemy, Fighter) and not enemy.is_out:
        now = replace(now, grappled_with=enemy.name, holds_other=True)
        state = change(tape, state, replace(enemy, grappled_with=name, holds_other=False))
    state = change(tape, state, now)
    return enter_kill_zones(tape, state, now, state.at(now)) if order.how == "charge" and not now.is_out else state


def propose_strikes(state: State) -> Iterator[StrikeOrder]:
    fighter = active_fighter(state)
    if fighter is None:
        return
    blades = [weapon.name for weapon in fighter.blades] or ["fists"]
    for target in state.enemies_of(fighter.side):
        close = state.is_adjacent(fighter, target)
        ways: tuple[MeleeAction, ...] = ("standard", "all_out", "guarded", "stun", "grapple") if close else ("charge",)
        for blade in blades:
            for how in ways:
                yield StrikeOrder(
                    unit=fighter.name, weapon="" if how in BARE_HANDED else blade, target=target.name, how=how
                )
        if close and melee.attacks_of(fighter.profile.talents) > 1:
            yield StrikeOrder(unit=fighter.name, weapon=blades[0], target=target.name, how="swift")


STRIKE = Action(
    "strike",
    "Strike a target",
    StrikeOrder,
    plan_strike,
    options=propose_strikes,
    clauses=referee.clauses_of("strike", "DW-PIPE-1", "DW-ACT-STANDARD-ATTACK"),
    **referee.ATTACKING,
)


# --- one against the other --------------------------------------------------------------------------------------------

Contest: TypeAlias = Literal["feint", "knock_down", "manoeuvre"]
Hold: TypeAlias = Literal["damage", "throw_down", "push", "stand", "escape"]
CONTESTS: dict[Contest, str] = {"feint": "Feint", "knock_down": "Knock-Down", "manoeuvre": "Manoeuvre"}


class ContestOrder(UnitOrder, frozen=True):
    """A test against an enemy in melee."""

    target: str = asked("", "", role="foe in reach")
    what: Contest = asked("feint", "Which action", "DW-TEST-6", role=EACH)
    direction: float = start.bearing("Which way to push", "DW-ACT-MANOEUVRE")
    follow: bool = asked(False, "Follow the push", "DW-ACT-MANOEUVRE")


class GrappleOrder(UnitOrder, frozen=True):
    """A turn of a grapple."""

    what: Hold = asked("damage", "What is done", "DW-ACT-GRAPPLE", role=EACH)
    direction: float = start.bearing("Which way to push")


@clause("DW-ACT-FEINT", "DW-ACT-KNOCK-DOWN", "DW-ACT-MANOEUVRE")
def plan_contest(state: State, order: ContestOrder) -> Plan:
    """Refuse contests with friends, with hordes, and out of reach."""
    action = CONTESTS[order.what]
    fighter = referee.acting_fighter(state, order, action, "do this")
    target = referee.unit_named(state, order.target)
    referee.need_enemy(state, fighter, target)
    if isinstance(target, Mob):
        reason = f"{target.name} is a horde; nobody can {order.what.replace('_', ' ')} all of it"
        return granted(Refused(reason, "DW-HORDE-1", "target"))
    referee.need_adjacent(state, fighter, target, "a blow reaches 2 m, so move there or charge")
    full = replace(order, unit=fighter.name, target=target.name)
    return Plan(begin_trial, state, fighter, target, order.what, order=full).then(
        end_contest, state, fighter.name, full
    )


@clause("DW-ACT-GRAPPLE")
def plan_hold(state: State, order: GrappleOrder) -> Plan:
    """Refuse fighters in no grapple, and what only the one that holds the other may do."""
    fighter = referee.acting_fighter(state, order, "Grapple (full)", "grapple")
    carried = bool(fighter.grappled_with)
    raise_if_refused(melee.refuse_grapple(order.what, fighter.name, carried, fighter.holds_other))
    other, full = state.fighter(fighter.grappled_with), replace(order, unit=fighter.name)
    return Plan(begin_trial, state, fighter, other, order.what, order=full).then(end_hold, state, fighter.name, full)


@clause("DW-TEST-6")
def begin_trial(tape: Tape, state: State, fighter: Fighter, other: Fighter, what: str) -> Exchange:
    """Make both sides of a trial ready: by strength, or by the skill of a feint or manoeuvre."""
    spec = declare_strike(state, fighter, fists_of(fighter), other).spec
    assert spec is not None
    tape.tell("{} tests against {}: {}", fighter.name, other.name, what.replace("_", " "))
    first, second = (
        fighters.contestant(unit, what, f"{unit.name}: ", rulings=state.rulings) for unit in (fighter, other)
    )
    trial = Trial(what, first, second, spec, state.rulings)
    return Exchange((attack.combatant_of(state, other),), main_target=other.name, before=other.health, trial=trial)


@clause("DW-ACT-KNOCK-DOWN", "DW-ACT-GRAPPLE")
def write_trial(tape: Tape, state: State, trial: Exchange) -> State:
    """Write into the battle what the test did to the other fighter."""
    state = attack.write_back(tape, state, trial)
    other = state.fighter(trial.main_target)
    return change(tape, state, other.with_conditions(prone=True)) if trial.thrown_down and not other.is_dead else state


@clause("DW-ACT-MANOEUVRE")
def push(tape: Tape, state: State, direction: float, *names: str) -> State:
    """Push fighters a metre on."""
    for fighter in map(state.fighter, names):
        place = to_the_millimetre(step(state.at(fighter), direction, movement.MANOEUVRED))
        if referee.refuse_place(state.field, fighter, place) is None:
            state = move_to(tape, state, fighter, place)
        else:
            tape.tell("{} cannot be pushed any farther.", fighter.name)
    return state


@clause("DW-ACT-FEINT", "DW-ACT-KNOCK-DOWN", "DW-ACT-MANOEUVRE")
def end_contest(tape: Tape, trial: Exchange, state: State, name: str, order: ContestOrder) -> State:
    """Apply a contest: which fighter is fooled, thrown down, or pushed."""
    other = trial.main_target
    state = referee.spend(tape, write_trial(tape, state, trial), name, CONTESTS[order.what])
    state = attack.engage(tape, state, name, other)
    fighter = state.fighter(name)
    if trial.attacker_prone:
        fighter = fighter.with_conditions(prone=True)
    if order.what == "feint" and trial.won:
        fighter = replace(fighter, fooled_enemy=other, feint_turns=2)
    state = change(tape, state, fighter)
    if order.what == "manoeuvre" and trial.won:
        return push(tape, state, order.direction, other, *([name] if order.follow else []))
    return state


@clause("DW-ACT-GRAPPLE")
def end_hold(tape: Tape, trial: Exchange, state: State, name: str, order: GrappleOrder) -> State:
    """Apply the use of a grapple that the winner has chosen."""
    state = referee.spend(tape, write_trial(tape, state, trial), name, "Grapple (full)")
    fighter, other = state.fighter(name), state.fighter(trial.main_target)
    if not trial.won:
        return state
    if order.what == "escape":
        freed = replace(fighter, grappled_with=""), replace(other, grappled_with="", holds_other=False)
        return change(tape, state, *freed)
    if order.what == "stand":
        return change(tape, state, *(unit.with_conditions(prone=False) for unit in (fighter, other)))
    return push(tape, state, order.direction, name, other.name) if order.what == "push" else state


TRIAL: dict[str, Any] = {
    "procedure": procedure,
    "measures": (
        chance("won", "The test is won", lambda action: action.won),
        chance("thrown_down", "Thrown down", lambda action: action.thrown_down),
        chance("attacker_prone", "The attacker falls", lambda action: action.attacker_prone),
        DIES,
    ),
    "headline": referee.chance_of("won", "The test is won"),
}
CONTEST = Action(
    "contest",
    "Feint at a target, knock it down or push it",
    ContestOrder,
    plan_contest,
    clauses=referee.clauses_of("contest"),
    **TRIAL,
)
GRAPPLE = Action(
    "grapple",
    "A turn of a grapple, or out of it",
    GrappleOrder,
    plan_hold,
    roles={"unit": "grappling fighter"},
    clauses=referee.clauses_of("grapple"),
    **TRIAL,
)
