"""The referee: which unit may act, what an action costs, tests, and the names that an order may hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache, partial
from typing import Any, Literal, TypeAlias

from battletape.cards import Answer, Inputs, Measure, Role, asked, percent
from battletape.field import moves, score
from battletape.field.state import Battlefield
from battletape.rulebook import (
    Procedure,
    Refused,
    Tape,
    UnknownName,
    clause,
    granted,
    labelled,
    need,
    raise_if_refused,
    replace,
)
from battletape.rulebook import State as FrozenState
from battletape.rulesets.deathwatch.battle import attack
from battletape.rulesets.deathwatch.battle.changes import change
from battletape.rulesets.deathwatch.battle.state import CarriedWeapon, Fighter, Mob, State, Unit, base_of
from battletape.rulesets.deathwatch.rules import actions, d100_tests, guns, lenses, traits
from battletape.rulesets.deathwatch.rules.attack import exchange, fighters, procedures, results
from battletape.rulesets.deathwatch.rules.conditions import TurnAllowance, turn_allowance
from battletape.rulesets.deathwatch.rules.terrain import Terrain
from battletape.rulesets.deathwatch.rulings import Rulings
from battletape.rulesets.deathwatch.tables.sheet import parse_cover
from battletape.table.points import Point

ACTING_UNIT = "Acting fighter; the one whose turn it is if left out"
HALF_OR_FULL = "Half or Full Action"
Pace: TypeAlias = Literal["half", "full"]
ENEMY: str = asked("", role="foe")
HOW_HARD: int = asked(0, "How hard it is", "DW-TEST-2", ge=-60, le=60)


class UnitOrder(Inputs, frozen=True):
    """Something that one fighter does."""

    unit: str = asked("", ACTING_UNIT, role="acting fighter")


class WeaponOrder(UnitOrder, frozen=True):
    """Something done with one weapon."""

    weapon: str = asked("", "Weapon", about="the first in hand if left out", role="weapon")


# --- the referee: which unit may act ----------------------------------------------------------------------------------


@lru_cache(64)  # asked before every action
def battle_end(state: State) -> str | None:
    """Say which side has won: the only one with units that can act, or none when the rounds are over."""
    able = dict.fromkeys(unit.side for unit in state.units if not unit.is_out)
    if len(able) == 1:
        return f"{next(iter(able))} holds the field"
    if not able:
        return "Nobody is left to fight"
    if state.round <= state.most_rounds:
        return None
    return score.verdict(points(state)) if state.mission else f"The battle ends after {state.most_rounds} rounds"


def points(state: State) -> Mapping[str, int]:
    """Return the victory points of each side now; none without a mission."""
    return score.standings(state.field, state.mission, state.units, lambda position: scores(state, position.name))


def scores(state: State, name: str) -> bool:
    """Return whether a unit holds objectives: one that is out does not."""
    return not state.find(name).is_out


@clause("DW-ECON-1")
def need_battle(state: State) -> None:
    """Refuse everything once the battle is over, and before initiative is rolled."""
    ended = battle_end(state)
    need(ended is None, f"the battle is over: {ended}", "DW-ECON-1", "over", at_all=True)
    first = "initiative comes first; roll it with begin_battle"
    need(state.round, first, "DW-ECON-1", "initiative", at_all=True)


@clause("DW-ECON-1", "DW-ACT-DELAY", "DW-COND-SURPRISED")
def acting_unit(state: State, name: str) -> Unit:
    """Return the unit of this name, or the one that may act; refuse a unit that cannot act now."""
    need_battle(state)
    unit = state.find(name)
    later = " (it acts on its delay with act_delayed)" if isinstance(unit, Fighter) and unit.done.delayed else ""
    turn = f"it is the turn of {state.actor}; {unit.name} has to wait{later}"
    need(unit.name == state.actor, turn, "DW-ECON-1", "turn")
    raise_if_refused(refuse_dead(unit))
    need(not unit.has_left, f"{unit.name} has left the battle; end the turn", "DW-ECON-1", "gone")
    broken = isinstance(unit, Mob) and unit.broken
    need(not broken, f"{unit.name} is broken and runs", "DW-HORDE-16", "broken")
    surprised = f"{unit.name} is surprised and does nothing in this turn; end it"
    need(not unit.surprised, surprised, "DW-COND-SURPRISED", "surprised")
    return unit


def refuse_dead(unit: Unit) -> Refused | None:
    """Refuse a unit that is dead or destroyed."""
    if not unit.is_dead:
        return None
    if isinstance(unit, Mob):
        return Refused(f"nothing is left of {unit.name}", "DW-HORDE-14", "gone")
    return Refused(f"{unit.name} is dead", "DW-DMG-4", "gone")


def as_fighter(unit: Unit, what: str) -> Fighter:
    """Return the unit if it is a fighter; a horde never does such a thing."""
    if isinstance(unit, Fighter):
        return unit
    reason = f"{unit.name} is a horde and does not {what}; it moves, shoots (horde_shoots) and strikes (horde_strikes)"
    return granted(Refused(reason, "DW-HORDE-15", "type"))


def acting_fighter(state: State, order: Any, action: str, never: str) -> Fighter:
    """Return the fighter that takes this action of the table now; hordes `never` do it."""
    fighter = as_fighter(acting_unit(state, order.unit), never)
    need_action(state, fighter, order, action)
    return fighter


def able_unit(state: State, order: Any, action: str) -> Unit:
    """Return the fighter or horde that takes this action of the table now."""
    unit = acting_unit(state, order.unit)
    need_action(state, unit, order, action)
    return unit


def allowance_of(unit: Unit) -> TurnAllowance:
    """Return what the turn of a unit may hold."""
    if isinstance(unit, Fighter):
        return turn_allowance(unit.conditions, unit.done.screaming)
    reason = "it is pinned: one Half Action only" if unit.pinned else ""
    return TurnAllowance(not unit.pinned, 1 if unit.pinned else 2, reason=reason, clause="DW-PIN-1")


@clause("DW-ECON-1", "DW-PIN-1", "DW-STUN-1", "DW-COND-FIRE", "DW-COND-HELPLESS", "DW-CRIT-2")
def need_action(state: State, unit: Unit, order: Any, action: str) -> None:
    """Refuse an action of the table that the unit's state forbids, or for which its turn has no room."""
    allowed = allowance_of(unit)
    fits = not allowed.only or action == ("Break Free" if allowed.only == "escape" else "Run")
    need(fits, f"{unit.name} cannot do this: {allowed.reason}", allowed.clause, "condition")
    if isinstance(unit, Fighter):
        still = f"{unit.name} lies still not to tear the wound; end the turn"
        need(not unit.done.lies_still, still, "DW-CRIT-2", "condition")
        grapple = f"{unit.name} is in a grapple with {unit.grappled_with}; use grapple, or end the turn"
        need(not unit.grappled_with or action.startswith("Grapple"), grapple, "DW-ACT-GRAPPLE", "grapple")
        exposed = unit.conditions.pinned and not unit.cover_ap and not unit.conditions.prone
        hides = action == "Drop Prone" or (action == "Move (half)" and parse_cover(order.cover, order.hidden)[0] > 0)
        pinned = f"{unit.name} is pinned in the open: it must move behind cover (a half move) or drop prone"
        need(hides or not exposed, pinned, "DW-PIN-1", "pinned")
    if not state.interrupt:
        raise_if_refused(actions.refuse_cost(unit.name, unit.done.actions, action, allowed, state.rulings))
    else:
        delayed = f"{unit.name} acts on a delay, which is one Half Action; {action} is a Full Action"
        need(actions.cost_of(action) in ("Half", "Free"), delayed, "DW-ACT-DELAY", "economy")


def waiting(state: State) -> tuple[str, ...]:
    """Return the unit whose turn it is, as long as it holds another action."""
    unit = state.find("") if state.round else None
    return () if unit is None or actions.worth(unit.done.actions) >= allowance_of(unit).half_actions else (unit.name,)


# --- what it is done to, and with what --------------------------------------------------------------------------------


def unit_named(state: State, name: str) -> Unit:
    """Return the unit that an order must name; raise UnknownName where it names none."""
    if not name.strip():
        raise UnknownName("fighter", "", [unit.name for unit in state.units])
    return state.find(name)


def find_if_named(state: State, name: str) -> Unit | None:
    """Return the unit of this name, if one is named."""
    return state.find(name) if name.strip() else None


@clause("DW-PIPE-1")
def need_enemy(state: State, unit: Unit, target: Unit) -> None:
    """Refuse a target on the same side, or out of the fight."""
    which = "itself" if target == unit else f"{target.name}, which is on its side"
    enemies = ", ".join(enemy.name for enemy in state.enemies_of(unit.side))
    reason = f"{unit.name} does not attack {which}; {enemies} would do"
    need(target.side != unit.side, reason, "DW-PIPE-1", "side")
    gone = target.is_dead or target.has_left
    need(not gone, f"{target.name} is out of the fight already", "DW-PIPE-1", "gone")


def need_adjacent(state: State, unit: Unit, other: Unit, reach: str, by: str = "DW-COND-ENGAGED") -> None:
    """Refuse what is done to a unit that is not next to the one that acts."""
    away = f"{other.name} is {state.metres(unit, other):g} m away; {reach}"
    need(state.is_adjacent(unit, other), away, by, "range")


def has_bounds(field: Battlefield[Terrain]) -> bool:
    """Return whether there is anything that a move can come up against: edges, or impassable terrain."""
    return field.board is not None or any(piece.is_impassable for piece in field.terrain)


@clause("DW-MOVE-1")
def refuse_way(field: Battlefield[Terrain], unit: Unit, goal: Point) -> Refused | None:
    """Refuse a straight way through impassable terrain, or to a place where the unit cannot stand."""
    if not has_bounds(field):
        return None
    bases, names = field.position(unit.name).bases, [position.name for position in field.positions]
    paths = moves.separate_paths(bases, (goal,))
    barred = moves.barred(field, bases, paths, unit.side, *names, clear=None, by="middles")
    return _refuse_obstacle(unit, barred) or refuse_place(field, unit, goal)


@clause("DW-MOVE-1")
def refuse_place(field: Battlefield[Terrain], unit: Unit, at: Point) -> Refused | None:
    """Refuse a place beyond the edge or in impassable terrain; units may crowd together as they like."""
    names = [position.name for position in field.positions]
    return _refuse_obstacle(unit, moves.room(field, (base_of(unit, at),), unit.side, *names))


def _refuse_obstacle(unit: Unit, obstacle: moves.Obstacle | None) -> Refused | None:
    if obstacle is None:
        return None
    what = "beyond the edge of the table" if obstacle.by == "edge" else f"into {obstacle.name}, which is impassable"
    return Refused(f"{unit.name} cannot go {what}", "DW-MOVE-1", obstacle.by)


def weapon_of(
    fighter: Fighter, name: str, fits: Callable[[CarriedWeapon], Any] = bool, what: str = "weapon"
) -> CarriedWeapon:
    """Return the weapon of this name; without a name the first in hand, or the first that fits if that does not."""
    need(fighter.weapons, f"{fighter.name} carries no {what}", "DW-ACT-READY", "weapon")
    first = fighter.weapon_named(name)
    if name.strip() or fits(first):
        return first
    return next(filter(fits, fighter.weapons), first)


def need_condition(fighter: Fighter, condition: str, words: str, by: str, kind: str) -> None:
    """Refuse a fighter that is not in this condition."""
    need(getattr(fighter.conditions, condition), f"{fighter.name} {words}", by, kind)


@clause("DW-COND-PRONE")
def need_standing(fighter: Fighter) -> None:
    """Refuse a fighter that is prone."""
    need(not fighter.conditions.prone, f"{fighter.name} is prone; stand first", "DW-COND-PRONE", "prone")


# --- what an action costs ---------------------------------------------------------------------------------------------


@clause("DW-ECON-1", "DW-ACT-AIM", "DW-ACT-RELOAD", "DW-OVER-4")
def spend(tape: Tape, state: State, name: str, action: str) -> State:
    """Note an action: aims, overwatch and reloads are lost by it, and a delay is used up."""
    unit = state.find(name)
    state = replace(state, entered=())
    if actions.cost_of(action) == "Free":
        return state
    if isinstance(unit, Fighter):
        weapons = (
            unit.weapons if action == "Reload" else tuple(replace(weapon, reload_done=0) for weapon in unit.weapons)
        )
        unit = replace(unit, aim="none", overwatch=None, weapons=weapons)
    if not state.interrupt:
        unit = unit.with_done(actions=(*unit.done.actions, action))
    return replace(change(tape, state, unit), interrupt="")


def clauses_of(name: str, *more: str) -> tuple[str, ...]:
    """Return the clauses of a battle action: those of the table's actions that it plays, and more."""
    return (*(row.clause for row in actions.ACTIONS if row.played_by == name), *more)


ATTACKING: dict[str, Any] = {
    "procedure": procedures.procedure,
    "measures": results.IN_BATTLE,
    "headline": results.headline,
    "lens": lenses.lens,
}
"""Fields of the cards of all attacks."""


@clause("DW-PIPE-1")
def end_attack(tape: Tape, blows: exchange.Exchange, state: State, name: str, action: str) -> State:
    """Write the attacks of an action back, and note the action."""
    return spend(tape, attack.write_back(tape, state, blows), name, action)


# --- tests ------------------------------------------------------------------------------------------------------------


class PendingTest(FrozenState, frozen=True):
    """A test as far as it has got."""

    name: str
    target: int
    label: str
    rulings: Rulings
    strength: int = 0
    side: str = ""
    other: d100_tests.Contestant = d100_tests.Contestant(0)
    passed: bool = False


CHARACTERISTICS = {"agility": "ag", "medicae": "int", "strength": "s", "toughness": "t", "willpower": "wp"}
"""The characteristic that a number of a profile belongs to, if it has another name."""


def test_target(state: State, fighter: Fighter, of: str, *added: traits.Modifier) -> int:
    """Return what a fighter's test of a number of its profile must roll or less, with fatigue and wounds."""
    value = getattr(fighter.profile, of)
    return fighters.target_of(fighter, CHARACTERISTICS.get(of, of), value, added, state.rulings)


def begin_attempt(tape: Tape, test: PendingTest) -> PendingTest:
    """Begin a test."""
    return test


@clause("DW-ACT-USE-A-SKILL", "DW-BLOOD-2", "DW-COND-FIRE")
def attempt(tape: Tape, test: PendingTest) -> PendingTest:
    """Make one test."""
    done = d100_tests.roll_success(tape, test.target, labelled(test.name, test.label), test.rulings)
    return tell_result(tape, replace(test, passed=done))


def tell_result(tape: Tape, test: PendingTest) -> PendingTest:
    """Say whether a test has succeeded."""
    tape.tell("{}: {} {}", test.name, test.label or "test", "succeeds" if test.passed else "fails")
    return test


ATTEMPT = Procedure("test", (attempt,))


def chance_of(name: str, words: str) -> Callable[[Answer], str]:
    """Return a headline: how often it works."""
    return lambda answer: f"{words} {percent(answer.odds(name).chance(1))}."


def card_of_test(
    procedure: Procedure = ATTEMPT, words: str = "It succeeds", headline: str = "Succeeds", measure: str = "done"
) -> dict[str, Any]:
    """Return what all cards of one test have."""
    measures = (Measure(measure, words, lambda test: int(test.passed)),)
    return {"procedure": procedure, "measures": measures, "headline": chance_of(measure, headline)}


# --- what an order may name -------------------------------------------------------------------------------------------


def active_fighter(state: State) -> Fighter | None:
    """Return the unit that may act, if it is a fighter."""
    return unit if isinstance(unit := active_unit(state), Fighter) else None


def active_unit(state: State) -> Unit | None:
    """Return the unit that may act now, unless it is out."""
    unit = state.find("") if state.round else None
    return None if unit is None or unit.is_out else unit


def is_gun(weapon: CarriedWeapon, *, blast: bool = False, flame: bool = False) -> bool:
    """Return whether a weapon shoots, and whether it bursts or throws flames as asked."""
    return not weapon.profile.melee and (bool(weapon.qualities.blast), weapon.qualities.flame) == (blast, flame)


def is_smoking(weapon: CarriedWeapon) -> bool:
    """Return whether a weapon shoots smoke, which may be laid on a place."""
    return not weapon.profile.melee and weapon.qualities.smoke


def _if_acting(state: State, order: Mapping[str, Any], fits: Callable[[Fighter], Any]) -> Iterable[str]:
    return (unit.name for unit in (active_unit(state),) if isinstance(unit, Fighter) and fits(unit))


def _enemies(
    state: State, order: Mapping[str, Any], fits: Callable[[Unit], bool], reach: bool = False
) -> Iterable[str]:
    unit = state.find(order["unit"])
    enemies = (enemy for enemy in state.enemies_of(unit.side) if fits(enemy))
    return (enemy.name for enemy in enemies if not reach or state.is_adjacent(unit, enemy))


def _bleeding(state: State, order: Mapping[str, Any]) -> Iterable[str]:
    side = state.find(order["unit"]).side
    return (friend.name for friend in state.fighters if friend.side == side and friend.conditions.blood_loss)


def _carried(state: State, order: Mapping[str, Any], fits: Callable[[CarriedWeapon], Any]) -> Iterable[str]:
    return (weapon.name for weapon in state.fighter(order["unit"]).weapons if fits(weapon))


def _weapon(state: State, order: Mapping[str, Any]) -> CarriedWeapon:
    return state.fighter(order["unit"]).weapon_named(order["weapon"])


ROLES: dict[str, Role] = {
    "acting fighter": partial(_if_acting, fits=lambda fighter: True),
    "acting psyker": partial(_if_acting, fits=lambda fighter: fighter.profile.psy_rating),
    "burning fighter": partial(_if_acting, fits=lambda fighter: fighter.conditions.on_fire),
    "fighter held fast": partial(_if_acting, fits=lambda fighter: fighter.conditions.immobilised),
    "grappling fighter": partial(_if_acting, fits=lambda fighter: fighter.grappled_with),
    "acting horde": lambda state, order: (unit.name for unit in (active_unit(state),) if isinstance(unit, Mob)),
    "delayed fighter": lambda state, order: (fighter.name for fighter in state.fighters if fighter.done.delayed),
    "watching fighter": lambda state, order: (came.watcher for came in state.entered),
    "unit in its zone": lambda state, order: (came.target for came in state.entered if came.watcher == order["unit"]),
    "foe": partial(_enemies, fits=lambda enemy: True),
    "foe in reach": partial(_enemies, fits=lambda enemy: True, reach=True),
    "hostile fighter": partial(_enemies, fits=lambda enemy: isinstance(enemy, Fighter)),
    "fighter in reach": partial(_enemies, fits=lambda enemy: isinstance(enemy, Fighter), reach=True),
    "bleeding friend": _bleeding,
    "weapon": partial(_carried, fits=lambda weapon: True),
    "gun": partial(_carried, fits=is_gun),
    "bursting gun": partial(_carried, fits=lambda weapon: is_gun(weapon, blast=True) or is_smoking(weapon)),
    "flamer": partial(_carried, fits=partial(is_gun, flame=True)),
    "weapon with a clip": partial(_carried, fits=lambda weapon: not weapon.profile.melee),
    "heavy weapon": partial(_carried, fits=lambda weapon: weapon.profile.kind == "Heavy"),
    "weapon in hand": partial(_carried, fits=lambda weapon: weapon.in_hand),
    "jammed weapon": partial(_carried, fits=lambda weapon: weapon.jammed),
    "fire mode": lambda state, order: guns.modes_of(_weapon(state, order).as_fired),
    "put away if in hand": lambda state, order: (_weapon(state, order).in_hand,),
    "own facing": lambda state, order: (state.fighter(order["unit"]).facing,),
    "own perception": lambda state, order: (state.fighter(order["unit"]).profile.perception,),
}
"""The names that an order may hold; its earlier inputs are known."""
