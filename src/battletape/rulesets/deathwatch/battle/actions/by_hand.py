"""Corrections by hand: `wound`, `heal`, `condition`, `note`, `place`, `reinforce`, `leave` and supplies.

Supplies are `ammunition` and `cohesion`. All of it may be done at any time, in any turn; it stands in the log as done
by hand, and can be undone like everything else.
"""

from __future__ import annotations

from typing import Any, Literal, get_args

from battletape.cards import Action, Inputs, Plan, asked, pick_fields
from battletape.rulebook import (
    BadInput,
    Procedure,
    Tape,
    clause,
    d,
    labelled,
    need,
    plain,
    plural,
    raise_if_refused,
    replace,
)
from battletape.rulebook import State as FrozenState
from battletape.rulesets.deathwatch.battle import attack, referee, start
from battletape.rulesets.deathwatch.battle.changes import change
from battletape.rulesets.deathwatch.battle.state import CarriedWeapon, Fighter, Mob, State, Unit
from battletape.rulesets.deathwatch.rules import conditions, damage, wounds
from battletape.rulesets.deathwatch.rules.attack import exchange, fighters, stages
from battletape.rulesets.deathwatch.rules.attack.records import AttackDraft, PreparedAttack
from battletape.rulesets.deathwatch.rules.hordes import Crowd
from battletape.rulesets.deathwatch.rules.keywords import apply_qualities
from battletape.rulesets.deathwatch.rules.traits import DamageType
from battletape.table.points import Point

AS_DONE = "By hand: {}."
"""How each of these moves begins in the log."""
UNIT_TITLE = "Fighter that it is about"
Flag = Literal["prone", "pinned", "on_fire", "blood_loss", "immobilised", "surprised"]
Lasting = Literal["stunned", "blind", "deaf", "slowed", "half_actions"]
What = Literal[Flag, Lasting, "fatigue"]
FLAGS, LASTING = get_args(Flag), get_args(Lasting)
OF_MOBS = ("pinned", "surprised")
AS_CARRIED = ("profile", "ammunition", "loaded", "trained", "ready", "barrel_of")
"""Fields that a weapon of a new unit copies from the one it is like."""


class WoundOrder(Inputs, frozen=True):
    """Damage by hand, such as of an explosion or a fall: on one unit, or on all near it."""

    unit: str = asked("", UNIT_TITLE)
    damage: str = asked(
        "1", "Damage", "DW-DMG-1", about=": a number, or dice such as 1d10+5; of a horde, the Magnitude it loses"
    )
    damage_type: DamageType = asked("I", "Damage type", "DW-CRIT-1")
    pen: int = asked(0, "Penetration", "DW-DMG-3", ge=0, le=60)
    stopped: bool = asked(False, "Armour and Toughness take from it", "DW-DMG-3")
    place: str = asked("", "Where it strikes", "DW-LOC-1", about="rolled for if left out")
    within: str = asked("", "Also on all within so many metres", "DW-CRIT-2", about=": a number, or dice such as d10")
    spares: bool = asked(False, "Only on those near, not on the one named")


class HealOrder(Inputs, frozen=True):
    """Wounds or Magnitude given back."""

    unit: str = asked("", UNIT_TITLE)
    wounds: int = asked(1, "Wounds, critical damage first", "DW-DMG-1", about="of a horde, Magnitude", ge=1, le=500)


class ConditionOrder(Inputs, frozen=True):
    """A condition that begins, or ends."""

    unit: str = asked("", UNIT_TITLE)
    what: What = asked("prone", "Which condition")
    rounds: int = asked(1, "Rounds that it lasts, or levels of fatigue", ge=1, le=99)
    ends: bool = asked(False, "It ends")


class NoteOrder(Inputs, frozen=True):
    """Words to remember."""

    text: str = asked("", "What to remember")
    unit: str = asked("", "Fighter that it is about, if any")


class ReinforceOrder(Inputs, frozen=True):
    """A new unit, with the profile and the weapons of one of this battle, whole and unhurt."""

    like: str = asked("", "Like which unit of this battle")
    name: str = asked("", "Its own name")
    side: str = asked("", "Its side", about="that of the other if left out")
    x: float = start.PLACE
    y: float = start.PLACE
    initiative: int = asked(0, "Initiative", about="that of the other if left out", ge=0, le=40)


class LeaveOrder(Inputs, frozen=True):
    """A unit that leaves the battle alive."""

    unit: str = asked("", UNIT_TITLE)


class PlaceOrder(Inputs, frozen=True):
    """A unit at another place, such as one that was carried there."""

    unit: str = asked("", UNIT_TITLE)
    x: float = start.PLACE
    y: float = start.PLACE


class AmmunitionOrder(Inputs, frozen=True):
    """Rounds in a clip."""

    unit: str = asked("", UNIT_TITLE)
    weapon: str = asked("", "Weapon", about="the first in hand if left out")
    rounds: int = asked(0, "Rounds in it now", "DW-RWEP-00", ge=0, le=500)


class CohesionOrder(Inputs, frozen=True):
    """Cohesion of a side."""

    side: str = asked("", "Which side")
    points: int = asked(0, "Cohesion now", "DW-COND-COHESION", ge=0, le=50)


# --- wounds -----------------------------------------------------------------------------------------------------------


class UnitInReach(FrozenState, frozen=True):
    """A unit that damage by hand may strike, how far off it is, and the hit on it; None for a horde."""

    name: str
    metres: float
    spec: PreparedAttack | None = None


class PendingWound(FrozenState, frozen=True):
    """Damage by hand in progress: the order, the units in reach, and what has become of them."""

    order: WoundOrder
    units: tuple[UnitInReach, ...]
    victims: exchange.Exchange  # all of them
    reach: float = 0.0


def unit_named(state: State, name: str) -> Unit:
    """Return the unit that is named; nothing is changed by hand of the one that happens to have its turn."""
    if not name.strip():
        such = state.units[0].name
        raise BadInput(f"name the unit, such as {such}: nothing is changed by hand unnamed", field="unit")
    return state.find(name)


@clause("DW-DMG-1", "DW-LOC-1")
def plan_wound(state: State, order: WoundOrder) -> Plan:
    """Refuse to hurt a unit that is dead or has left."""
    unit = unit_named(state, order.unit)
    for text in (order.damage, order.within):
        if text.strip() and not is_number(text):
            damage.parse_damage(text)
    attack.spot_named(order.place)
    if not (order.spares and order.within.strip()):
        raise_if_refused(referee.refuse_dead(unit))
        need(not unit.is_gone, f"{unit.name} is not in the battle any more", "DW-DMG-1", "gone")
    full = replace(order, unit=unit.name)
    return Plan(begin_wound, state, unit, full, order=full).then(end_wound, state)


def is_number(text: str) -> bool:
    """Return whether a text is a plain number, and not dice."""
    return text.strip().isdecimal()


@clause("DW-DMG-1", "DW-DMG-3")
def begin_wound(tape: Tape, state: State, unit: Unit, order: WoundOrder) -> PendingWound:
    """Find all that may be struck, beginning with the unit that is named."""
    reach = order.within.strip()
    others = [other for other in state.present if other is not unit] if reach else []
    struck = [*([] if order.spares and reach else [unit]), *others]
    units = tuple(
        UnitInReach(other.name, state.metres(unit, other), attack_on(state, other, order)) for other in struck
    )
    at = f"{'all' if order.spares else f'{unit.name} and all'} within {reach} m of {unit.name}" if reach else unit.name
    tape.tell(AS_DONE, f"{order.damage.strip()} {order.damage_type} damage to {at}")
    combatants = tuple(attack.combatant_of(state, other) for other in struck)
    victims = exchange.Exchange(combatants, main_target=unit.name)
    return PendingWound(order, units, victims)


def attack_on(state: State, unit: Unit, order: WoundOrder) -> PreparedAttack | None:
    """Return the hit on a fighter, as its armour and Toughness meet it."""
    if isinstance(unit, Mob):
        return None
    dice, sides, flat = (1, 10, 0) if is_number(order.damage) else damage.parse_damage(order.damage)
    own = AttackDraft(0, dice=dice, sides=sides, flat=flat, damage_type=order.damage_type, pen=order.pen, by_side=True)
    defender = fighters.defender_of(replace(unit, hidden=()), None, True, state.haywire_at(unit), state.rulings)
    return apply_qualities(own, (), defender, state.rulings)


@clause("DW-CRIT-2")
def roll_reach(tape: Tape, wound: PendingWound) -> PendingWound:
    """Find out how far it reaches."""
    return replace(wound, reach=float(amount(tape, wound.order.within, "metres")))


def amount(tape: Tape, text: str, label: str) -> int:
    """Return a plain number, or roll the dice of a text."""
    if not text.strip() or is_number(text):
        return int(text.strip() or 0)
    count, sides, flat = damage.parse_damage(text)
    return flat + sum(
        int(tape.roll(d(sides), label=labelled(f"die {number}", label))) for number in range(1, count + 1)
    )


@clause("DW-DMG-1", "DW-DMG-2", "DW-CRIT-2", "DW-HORDE-3")
def take_wounds(tape: Tape, wound: PendingWound) -> PendingWound:
    """Strike each in turn: a place, the damage, and the critical row that it reaches; a horde loses Magnitude."""
    now = wound.victims
    for unit in wound.units:
        if unit.metres > wound.reach and unit.name != now.main_target:
            continue
        combatant = now.combatant(unit.name)
        if unit.spec is None:
            lost = amount(tape, wound.order.damage, labelled(unit.name, "Magnitude"))
            now = now.with_crowd(unit.name, Crowd(max(0, combatant.victim.health - lost)))
        else:
            victim = tape.call(take_wound, wound.order, unit.spec, combatant.victim, about=unit.name)
            now = now.with_victim(unit.name, victim)
    return replace(wound, victims=now)


@clause("DW-DMG-1", "DW-DMG-2", "DW-LOC-1")
def take_wound(tape: Tape, order: WoundOrder, spec: PreparedAttack, victim: wounds.Victim) -> wounds.Victim:
    """Take one hit where it is said or rolled; armour and Toughness take from it only if that is said."""
    hit = stages.hit_for(spec, attack.spot_named(order.place) or stages.roll_spot(tape), 0, False)
    hit = hit if order.stopped else replace(hit, reduction=0, taken_off="")
    if not is_number(order.damage):
        return wounds.take_hit(tape, victim, hit)
    damage_through = max(0, int(order.damage) - hit.reduction)
    if hit.reduction:
        tape.tell(
            "{} on the {}{}: {} through",
            order.damage,
            plain(hit.spot),
            damage.reduction_words(hit, hit.reduction),
            damage_through,
        )
    return wounds.lose_wounds(tape, victim, hit, damage_through) if damage_through else victim


@clause("DW-DMG-1")
def end_wound(tape: Tape, wound: PendingWound, state: State) -> State:
    """Write the damage back."""
    return attack.write_back(tape, state, wound.victims)


# --- healing and conditions -------------------------------------------------------------------------------------------


@clause("DW-DMG-1", "DW-HORDE-3")
def plan_healing(state: State, order: HealOrder) -> Plan:
    """Refuse to heal the dead, and to give back more than was lost."""
    unit = unit_named(state, order.unit)
    raise_if_refused(referee.refuse_dead(unit))
    whole, left = (unit.starting, unit.magnitude) if isinstance(unit, Mob) else (unit.profile.wounds, unit.health)
    reason = f"{unit.name} has lost {whole - left}, {order.wounds} were to be given back"
    need(order.wounds <= whole - left, reason, "DW-DMG-1", "wounds")
    return Plan(heal, state, unit, order.wounds, order=replace(order, unit=unit.name))


@clause("DW-DMG-1", "DW-DMG-2")
def heal(tape: Tape, state: State, unit: Unit, number: int) -> State:
    """Give wounds back: critical damage goes first; critical damage by location goes with it."""
    tape.tell(AS_DONE, f"{unit.name} gets {number} back")
    if isinstance(unit, Mob):
        return change(tape, state, replace(unit, magnitude=unit.magnitude + number))
    health = unit.health + number
    by_spot = tuple(min(row, max(0, -health)) for row in unit.by_spot)
    return change(tape, state, replace(unit, health=health, by_spot=by_spot))


@clause("DW-STUN-1", "DW-FAT-1", "DW-HORDE-1")
def plan_condition(state: State, order: ConditionOrder) -> Plan:
    """Refuse conditions of the dead, those that hordes never have, and to end what is not there."""
    unit = unit_named(state, order.unit)
    raise_if_refused(referee.refuse_dead(unit))
    few = f"{unit.name} is a horde, which is {' or '.join(OF_MOBS)} at most"
    need(isinstance(unit, Fighter) or order.what in OF_MOBS, few, "DW-HORDE-1", "type")
    there = not order.ends or value_of(unit, order.what)
    need(there, f"{unit.name} is not {plain(order.what)}", "DW-STUN-1", "condition")
    full = replace(order, unit=unit.name)
    return Plan(set_condition, state, unit, full, order=full)


def value_of(unit: Unit, what: What) -> Any:
    """Return the value of a condition of a unit."""
    if isinstance(unit, Mob) or what == "surprised":
        return getattr(unit, what)
    return getattr(unit.conditions, what)


@clause("DW-STUN-1", "DW-FAT-1", "DW-COND-PRONE", "DW-COND-FIRE", "DW-PIN-1")
def set_condition(tape: Tape, state: State, unit: Unit, order: ConditionOrder) -> State:
    """Let a condition begin, for so long, or end."""
    what = order.what
    lasts = f" {order.rounds}" if not order.ends and what not in FLAGS else ""
    tape.tell(AS_DONE, f"{unit.name}: {plain(what)}{lasts}{' ends' if order.ends else ''}")
    if isinstance(unit, Mob) or what == "surprised":
        return change(tape, state, replace(unit, **{what: not order.ends}))
    if what == "fatigue":
        tired = conditions.wake(replace(unit.conditions, fatigue=0), unit.tb) if order.ends else unit.conditions
        after = conditions.add_fatigue(tired, 0 if order.ends else order.rounds, unit.tb)
        return change(tape, state, replace(unit, conditions=after))
    if what in LASTING:
        return change(tape, state, unit.with_conditions(**{what: 0 if order.ends else order.rounds}))
    return change(tape, state, unit.with_conditions(**{what: not order.ends}))


# --- notes, and units that come and go --------------------------------------------------------------------------------


@clause("DW-ECON-1")
def plan_note(state: State, order: NoteOrder) -> Plan:
    """Refuse a note without words."""
    unit = referee.find_if_named(state, order.unit)
    words = order.text.strip() and order.text.isprintable()
    need(words, "a note needs a line of words; got none", "DW-ECON-1", "text")
    text = labelled(unit.name if unit else "", order.text.strip())
    return Plan(note, state, text, order=replace(order, unit=unit.name if unit else ""))


@clause("DW-ECON-1")
def note(tape: Tape, state: State, text: str) -> State:
    """Keep these words."""
    tape.tell(AS_DONE, text)
    return replace(state, notes=(*state.notes, text))


@clause("DW-ECON-1")
def plan_reinforcement(state: State, order: ReinforceOrder) -> Plan:
    """Refuse a new unit without a name of its own, and sides that are not of this battle."""
    like, name = state.find(order.like), order.name.strip()
    own = name and all(unit.name.lower() != name.lower() for unit in state.units)
    need(own, f"a new unit needs a name of its own; got {order.name!r}", "DW-ECON-1", "name")
    side = order.side.strip() or like.side
    need(side in state.sides, f"the sides are {' and '.join(state.sides)}; got {order.side!r}", "DW-ECON-1", "side")
    raise_if_refused(referee.refuse_place(state.field, like, Point(order.x, order.y)))
    full = replace(order, like=like.name, name=name, side=side, initiative=order.initiative or like.initiative)
    return Plan(reinforce, state, like, full, order=full)


@clause("DW-ECON-1")
def reinforce(tape: Tape, state: State, like: Unit, order: ReinforceOrder) -> State:
    """Put a new unit in its place, whole; it acts by its initiative."""
    tape.tell(AS_DONE, f"{order.name} comes to ({order.x:g}, {order.y:g}), like {like.name}")
    same: dict[str, Any] = pick_fields(order, "name", "side", "initiative") | {"profile": like.profile}
    if isinstance(like, Mob):
        new: Unit = Mob(**same, arsenal=like.arsenal, magnitude=like.starting, starting=like.starting)
    else:
        own: dict[str, Any] = {name: getattr(like, name) for name in ("armour", "primitive", "sealed", "facing")}
        carried = tuple(
            CarriedWeapon(**pick_fields(carried, *AS_CARRIED), clip=carried.profile.clip) for carried in like.weapons
        )
        by_spot = wounds.NONE_BY_SPOT if like.by_spot else ()
        new = Fighter(**same, **own, health=like.profile.wounds, by_spot=by_spot, weapons=carried)
    after = state.with_new(new, Point(order.x, order.y))
    return start.with_turn_order(after) if state.round else after


@clause("DW-ECON-1")
def plan_leaving(state: State, order: LeaveOrder) -> Plan:
    """Refuse units that are dead or have left."""
    unit = unit_named(state, order.unit)
    raise_if_refused(referee.refuse_dead(unit))
    need(not unit.has_left, f"{unit.name} has left already", "DW-ECON-1", "gone")
    return Plan(leave, state, unit, order=replace(order, unit=unit.name))


@clause("DW-ECON-1")
def leave(tape: Tape, state: State, unit: Unit) -> State:
    """Take a unit out of the battle alive."""
    tape.tell(AS_DONE, f"{unit.name} leaves the battle")
    return state.with_units(replace(unit, has_left=True))


@clause("DW-MOVE-1")
def plan_place(state: State, order: PlaceOrder) -> Plan:
    """Refuse units that are dead or have left, and places where they cannot stand."""
    unit, at = unit_named(state, order.unit), Point(order.x, order.y)
    raise_if_refused(referee.refuse_dead(unit))
    need(not unit.has_left, f"{unit.name} has left the battle", "DW-MOVE-1", "gone")
    raise_if_refused(referee.refuse_place(state.field, unit, at))
    return Plan(place, state, unit, at, order=replace(order, unit=unit.name))


@clause("DW-MOVE-1")
def place(tape: Tape, state: State, unit: Unit, at: Point) -> State:
    """Put a unit at another place."""
    tape.tell(AS_DONE, f"{unit.name} is at ({at.x:g}, {at.y:g})")
    return state.with_place(unit, at)


# --- supplies ---------------------------------------------------------------------------------------------------------


@clause("DW-RWEP-00")
def plan_supply(state: State, order: AmmunitionOrder) -> Plan:
    """Refuse weapons without a clip, and more rounds than it holds."""
    fighter = state.fighter(unit_named(state, order.unit).name)
    carried = referee.weapon_of(fighter, order.weapon, lambda carried: not carried.profile.melee)
    need(not carried.profile.melee, f"{carried.name} is for melee and has no clip", "DW-RWEP-00", "kind")
    most = carried.profile.clip
    need(order.rounds <= most, f"the clip of {carried.name} holds {most} rounds, not {order.rounds}", "DW-RWEP-00")
    full = replace(order, unit=fighter.name, weapon=carried.name)
    return Plan(supply, state, fighter, carried, order.rounds, order=full)


@clause("DW-RWEP-00")
def supply(tape: Tape, state: State, fighter: Fighter, carried: CarriedWeapon, rounds: int) -> State:
    """Put so many rounds into a clip."""
    tape.tell(AS_DONE, f"{fighter.name} has {plural(rounds, 'round')} in the clip")
    return change(tape, state, fighter.with_weapon(replace(carried, clip=rounds)))


@clause("DW-COND-COHESION")
def plan_cohesion(state: State, order: CohesionOrder) -> Plan:
    """Refuse sides that are not of this battle."""
    side = order.side.strip()
    if not side:
        raise BadInput(f"name the side, {' or '.join(state.sides)}: nothing is changed by hand unnamed", field="side")
    known = f"the sides are {' and '.join(state.sides)}; got {order.side!r}"
    need(side in state.sides, known, "DW-COND-COHESION", "side")
    return Plan(set_cohesion, state, side, order.points, order=replace(order, side=side))


@clause("DW-COND-COHESION")
def set_cohesion(tape: Tape, state: State, side: str, points: int) -> State:
    """Give a side so much cohesion."""
    tape.tell(AS_DONE, f"{side} has {points} cohesion")
    return replace(state, cohesion=tuple((known, points if known == side else left) for known, left in state.cohesion))


# --- cards: never proposed, only done when they are said --------------------------------------------------------------

NEVER_PROPOSED: dict[str, Any] = {"options": lambda state: ()}
WOUND = Action(
    "wound",
    "Wound by hand",
    WoundOrder,
    plan_wound,
    Procedure("by hand", (roll_reach, take_wounds)),
    clauses=("DW-DMG-1", "DW-DMG-2", "DW-CRIT-2"),
    **NEVER_PROPOSED,
)
HEAL = Action("heal", "Heal by hand", HealOrder, plan_healing, clauses=("DW-DMG-1",), **NEVER_PROPOSED)
CONDITION = Action(
    "condition", "A condition by hand", ConditionOrder, plan_condition, clauses=("DW-STUN-1",), **NEVER_PROPOSED
)
NOTE = Action("note", "Note something", NoteOrder, plan_note, clauses=("DW-ECON-1",), **NEVER_PROPOSED)
REINFORCE = Action(
    "reinforce", "A new fighter comes", ReinforceOrder, plan_reinforcement, clauses=("DW-ECON-1",), **NEVER_PROPOSED
)
LEAVE = Action("leave", "A fighter leaves", LeaveOrder, plan_leaving, clauses=("DW-ECON-1",), **NEVER_PROPOSED)
PLACE = Action("place", "Place by hand", PlaceOrder, plan_place, clauses=("DW-MOVE-1",), **NEVER_PROPOSED)
AMMUNITION = Action(
    "ammunition", "Rounds by hand", AmmunitionOrder, plan_supply, clauses=("DW-RWEP-00",), **NEVER_PROPOSED
)
COHESION = Action(
    "cohesion", "Cohesion by hand", CohesionOrder, plan_cohesion, clauses=("DW-COND-COHESION",), **NEVER_PROPOSED
)
BY_HAND = (WOUND, HEAL, CONDITION, NOTE, PLACE, REINFORCE, LEAVE, AMMUNITION, COHESION)
