"""What a game master sets right by hand: `wound`, `heal`, `condition`, `note`, `reinforce`, `leave` and supplies.

Supplies are `ammunition` and `cohesion`. All of it may be done at any time, in any turn; it stands in the log as done
by hand, and can be undone like everything else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Literal, get_args

from battletape.cards import Action, Inputs, Line, param, picked, refusing
from battletape.cards import refusing_at_once as at_once
from battletape.rulebook import (
    BadInput,
    Procedure,
    Refused,
    Tape,
    clause,
    d,
    labelled,
    plain,
    plural,
    refuses,
    replace,
)
from battletape.rulebook import State as FrozenState
from battletape.rulesets.deathwatch.battle import acting, attack, start
from battletape.rulesets.deathwatch.battle.state import Fighter, Held, Mob, State, Unit, apart, is_gone
from battletape.rulesets.deathwatch.rules import conditions, damage, wounds
from battletape.rulesets.deathwatch.rules.attack import exchange, fighters, stages
from battletape.rulesets.deathwatch.rules.attack.records import AttackDraft, Spec
from battletape.rulesets.deathwatch.rules.qualities.keywords import ready
from battletape.rulesets.deathwatch.rules.traits import DamageType

WHOM = "Whom it is about"
Flag = Literal["prone", "pinned", "on_fire", "blood_loss", "immobilised", "surprised"]
Lasting = Literal["stunned", "blind", "deaf", "slowed", "half_actions"]
What = Literal[Flag, Lasting, "fatigue"]
FLAGS, LASTING = get_args(Flag), get_args(Lasting)
OF_MOBS = ("pinned", "surprised")
AS_CARRIED = ("weapon", "rounds", "loaded", "trained", "ready", "barrel_of")
"""What a weapon of somebody new has from the one it is like."""


class Wounding(Inputs, frozen=True):
    """Damage by hand, such as of an explosion or a fall: on somebody, or on everybody near."""

    unit: str = param("", WHOM)
    damage: str = param("1", "Damage: a number, or dice such as 1d10+5; of a horde, the Magnitude it loses", "DW-DMG-1")
    damage_type: DamageType = param("I", "Damage type", "DW-CRIT-1")
    pen: int = param(0, "Penetration", "DW-DMG-3", ge=0, le=60)
    stopped: bool = param(False, "Armour and Toughness take from it", "DW-DMG-3")
    place: str = param("", "Where it strikes; rolled for if left out", "DW-LOC-1")
    within: str = param("", "Also on all within so many metres: a number, or dice such as d10", "DW-CRIT-2")
    spares: bool = param(False, "Only on those near, not on the one who is named")


class Healing(Inputs, frozen=True):
    """Wounds or Magnitude given back."""

    unit: str = param("", WHOM)
    wounds: int = param(1, "Wounds, critical damage first; of a horde, Magnitude", "DW-DMG-1", ge=1, le=500)


class Condition(Inputs, frozen=True):
    """A condition that begins, or ends."""

    unit: str = param("", WHOM)
    what: What = param("prone", "Which condition")
    rounds: int = param(1, "Rounds that it lasts, or levels of fatigue", ge=1, le=99)
    ends: bool = param(False, "It ends")


class Noting(Inputs, frozen=True):
    """Words to remember."""

    text: str = param("", "What to remember")
    unit: str = param("", "Whom it is about, if it is about somebody")


class Reinforcing(Inputs, frozen=True):
    """Somebody new, with the profile and the weapons of a unit of this battle, whole and unhurt."""

    like: str = param("", "Like which unit of this battle")
    name: str = param("", "Its own name")
    side: str = param("", "Its side; that of the other if left out")
    x: float = start.PLACE
    y: float = start.PLACE
    initiative: int = param(0, "Initiative; that of the other if left out", ge=0, le=40)


class Leaving(Inputs, frozen=True):
    """Somebody who leaves the battle alive."""

    unit: str = param("", WHOM)


class Supplying(Inputs, frozen=True):
    """Rounds in a clip."""

    unit: str = param("", WHOM)
    weapon: str = param("", "Weapon; the first in hand if left out")
    rounds: int = param(0, "Rounds in it now", "DW-RWEP-00", ge=0, le=500)


class Cohering(Inputs, frozen=True):
    """Cohesion of a side."""

    side: str = param("", "Which side")
    points: int = param(0, "Cohesion now", "DW-COND-COHESION", ge=0, le=50)


# --- wounds -----------------------------------------------------------------------------------------------------------


class Near(FrozenState, frozen=True):
    """Somebody whom it may strike: how far off, and the hit as armour and Toughness meet it; none on a horde."""

    name: str
    metres: float
    spec: Spec | None = None


class Harm(FrozenState, frozen=True):
    """Damage by hand, as far as it has got."""

    order: Wounding
    near: tuple[Near, ...]
    all: exchange.Exchange  # everybody of them
    metres: float = 0.0


def named(state: State, unit: str) -> Unit:
    """The unit that is named; nothing is changed by hand of one that happens to have its turn."""
    if not unit.strip():
        raise BadInput(
            f"name the unit, such as {state.units[0].name}: nothing is changed by hand unnamed", field="unit"
        )
    return state.find(unit)


@refuses("DW-DMG-1", "DW-LOC-1")
def refuse_wound(state: State, order: Wounding) -> Iterator[Refused | None]:
    """Why nobody is hurt so: the one who is named is dead or has left."""
    unit = named(state, order.unit)
    for text in (order.damage, order.within):
        if text.strip() and not is_number(text):
            damage.parse_damage(text)
    attack.spot_named(order.place)
    if not (order.spares and order.within.strip()) and is_gone(unit):
        yield acting.refuse_dead(unit) or Refused(f"{unit.name} is not in the battle any more", "DW-DMG-1", "gone")


def is_number(text: str) -> bool:
    """Whether a text is a plain number, and not dice."""
    return text.strip().isdecimal()


@clause("DW-DMG-1", "DW-DMG-3")
def begin_wound(state: State, order: Wounding) -> Harm:
    """Everybody whom it may strike, the one who is named first."""
    unit, spreads = state.find(order.unit), bool(order.within.strip())
    others = [other for other in state.present if other is not unit] if spreads else []
    struck = [*([] if order.spares and spreads else [unit]), *others]
    near = tuple(Near(other.name, apart(unit, other), spec_of(state, other, order)) for other in struck)
    return Harm(order, near, exchange.Exchange(tuple(map(attack.foe_of, struck)), first=unit.name))


def spec_of(state: State, unit: Unit, order: Wounding) -> Spec | None:
    """The hit on a fighter, as its armour and Toughness meet it."""
    if isinstance(unit, Mob):
        return None
    dice, sides, flat = (1, 10, 0) if is_number(order.damage) else damage.parse_damage(order.damage)
    own = AttackDraft(0, dice=dice, sides=sides, flat=flat, damage_type=order.damage_type, pen=order.pen, by_side=True)
    guard = fighters.defender_of(replace(unit, hidden=()), None, True, state.field_at(unit), state.rules)
    return ready(own, (), guard, state.rules)


@clause("DW-CRIT-2")
def spread(tape: Tape, harm: Harm) -> Harm:
    """How far it reaches."""
    return replace(harm, metres=float(amount(tape, harm.order.within, "metres")))


def amount(tape: Tape, text: str, label: str) -> int:
    """A number, or what dice make of it."""
    if not text.strip() or is_number(text):
        return int(text.strip() or 0)
    count, sides, flat = damage.parse_damage(text)
    return flat + sum(int(tape.roll(d(sides), label=labelled(f"die {at}", label))) for at in range(1, count + 1))


@clause("DW-DMG-1", "DW-DMG-2", "DW-CRIT-2", "DW-HORDE-3")
def suffer(tape: Tape, harm: Harm) -> Harm:
    """Each of them in turn: a place, the damage, and the critical row that it reaches; a horde loses Magnitude."""
    now = harm.all
    for one in harm.near:
        if one.metres > harm.metres and one.name != now.first:
            continue
        foe = now.foe(one.name)
        if one.spec is None:
            lost = amount(tape, harm.order.damage, labelled(one.name, "Magnitude"))
            now = now.with_mob(one.name, max(0, foe.victim.health - lost))
        else:
            now = now.with_victim(one.name, hurt_by(tape, harm.order, one.spec, foe.victim))
    return replace(harm, all=now)


@clause("DW-DMG-1", "DW-DMG-2", "DW-LOC-1")
def hurt_by(tape: Tape, order: Wounding, spec: Spec, victim: wounds.Victim) -> wounds.Victim:
    """One hit on a fighter, where it is said or rolled; armour and Toughness take from it only if that is said."""
    hit = stages.hit_for(spec, attack.spot_named(order.place) or stages.roll_spot(tape), 0, False)
    hit = hit if order.stopped else replace(hit, reduction=0)
    if not is_number(order.damage):
        return wounds.take_hit(tape, victim, hit)
    got = max(0, int(order.damage) - hit.reduction)
    return wounds.hurt(tape, victim, hit, got) if got else victim


def harm_said(state: State, order: Wounding) -> str:
    """The damage in words, and whom it may strike."""
    name, reach = state.find(order.unit).name, order.within.strip()
    whom = f"{'all' if order.spares else f'{name} and all'} within {reach} m of {name}" if reach else name
    return f"{order.damage.strip()} {order.damage_type} damage to {whom}"


WOUND = refusing(
    "wound",
    "Wound by hand",
    Wounding,
    refuse_wound,
    begin_wound,
    Procedure("by hand", (spread, suffer)),
    lambda state, order, harm: attack.write_back(state, harm.all),
    options=lambda state: (),
    opens=lambda before, order, after: by_hand(harm_said(before, order)),
    clauses=("DW-DMG-1", "DW-DMG-2", "DW-CRIT-2"),
)


def by_hand(said: str) -> Iterator[Line]:
    """The line that says so."""
    yield Line(f"By hand: {said}.")


def hand(
    name: str,
    title: str,
    inputs: type[Inputs],
    refuse: Callable[[State, Any], Refused | None],
    does: Callable[[State, Any], State],
    says: Callable[[State, Any], str],
    *clauses: str,
) -> Action:
    """Something set right at once; it is never proposed, only done when it is said."""
    card = at_once(name, title, inputs, refuse, does, *clauses, options=lambda state: ())
    return replace(card, opens=lambda before, order, after: by_hand(says(before, order)))


# --- healing and conditions -------------------------------------------------------------------------------------------


@refuses("DW-DMG-1", "DW-HORDE-3")
def refuse_heal(state: State, order: Healing) -> Iterator[Refused | None]:
    """Why nobody is healed so: the dead are not, and nobody gets more than it had."""
    unit = named(state, order.unit)
    yield acting.refuse_dead(unit)
    whole, left = (unit.starting, unit.magnitude) if isinstance(unit, Mob) else (unit.profile.wounds, unit.health)
    if order.wounds > whole - left:
        yield Refused(
            f"{unit.name} has lost {whole - left}, {order.wounds} were to be given back", "DW-DMG-1", "wounds"
        )


@clause("DW-DMG-1", "DW-DMG-2")
def heal(state: State, order: Healing) -> State:
    """Critical damage goes first, then wounds; critical damage by location goes with it."""
    unit = state.find(order.unit)
    if isinstance(unit, Mob):
        return state.changed(replace(unit, magnitude=unit.magnitude + order.wounds))
    health = unit.health + order.wounds
    return state.changed(replace(unit, health=health, by_spot=tuple(min(row, max(0, -health)) for row in unit.by_spot)))


@refuses("DW-STUN-1", "DW-FAT-1", "DW-HORDE-1")
def refuse_condition(state: State, order: Condition) -> Iterator[Refused | None]:
    """Why a condition does not begin or end: the dead have none, a horde few, and it must be there to end."""
    unit = named(state, order.unit)
    yield acting.refuse_dead(unit)
    if isinstance(unit, Mob) and order.what not in OF_MOBS:
        yield Refused(f"{unit.name} is a horde, which is {' or '.join(OF_MOBS)} at most", "DW-HORDE-1", "type")
    if order.ends and not value_of(unit, order.what):
        yield Refused(f"{unit.name} is not {plain(order.what)}", "DW-STUN-1", "condition")


def value_of(unit: Unit, what: What) -> Any:
    """How things stand with a condition of a unit."""
    if isinstance(unit, Mob) or what == "surprised":
        return getattr(unit, what)
    return getattr(unit.conditions, what)


@clause("DW-STUN-1", "DW-FAT-1", "DW-COND-PRONE", "DW-COND-FIRE", "DW-PIN-1")
def set_condition(state: State, order: Condition) -> State:
    """The condition begins, for so long, or ends."""
    unit, what = state.find(order.unit), order.what
    if isinstance(unit, Mob) or what == "surprised":
        return state.changed(replace(unit, **{what: not order.ends}))
    if what == "fatigue":
        tired = conditions.woken(replace(unit.conditions, fatigue=0), unit.tb) if order.ends else unit.conditions
        return state.changed(
            replace(unit, conditions=conditions.tire(tired, 0 if order.ends else order.rounds, unit.tb))
        )
    if what in LASTING:
        return state.changed(unit.suffering(**{what: 0 if order.ends else order.rounds}))
    return state.changed(unit.suffering(**{what: not order.ends}))


def condition_said(state: State, order: Condition) -> str:
    """The condition in words."""
    lasts = f" {order.rounds}" if not order.ends and order.what not in FLAGS else ""
    return f"{state.find(order.unit).name}: {plain(order.what)}{lasts}{' ends' if order.ends else ''}"


# --- notes, and who comes and goes ------------------------------------------------------------------------------------


@refuses()
def refuse_note(state: State, order: Noting) -> Iterator[Refused | None]:
    """Why nothing is noted: there are no words, or nobody of the name."""
    if order.unit.strip():
        state.find(order.unit)
    if not order.text.strip() or not order.text.isprintable():
        yield Refused("a note needs a line of words; got none", "DW-ECON-1", "text")


def noted(state: State, order: Noting) -> str:
    """The note, with whom it is about."""
    about = f"{state.find(order.unit).name}: " if order.unit.strip() else ""
    return f"{about}{order.text.strip()}"


@refuses("DW-ECON-1")
def refuse_reinforce(state: State, order: Reinforcing) -> Iterator[Refused | None]:
    """Why nobody comes so: it needs a name of its own, and a side of this battle."""
    state.find(order.like)
    if not order.name.strip() or any(unit.name.lower() == order.name.strip().lower() for unit in state.units):
        yield Refused(f"a new unit needs a name of its own; got {order.name!r}", "DW-ECON-1", "name")
    if order.side.strip() and order.side.strip() not in state.sides:
        yield Refused(f"the sides are {' and '.join(state.sides)}; got {order.side!r}", "DW-ECON-1", "side")


@clause("DW-ECON-1")
def reinforce(state: State, order: Reinforcing) -> State:
    """A new unit takes its place, whole, and acts by its initiative."""
    like = state.find(order.like)
    same: dict[str, Any] = {
        "name": order.name.strip(),
        "side": order.side.strip() or like.side,
        "x": order.x,
        "y": order.y,
    }
    same |= {"profile": like.profile, "initiative": order.initiative or like.initiative}
    if isinstance(like, Mob):
        mob = Mob(**same, arsenal=like.arsenal, magnitude=like.starting, starting=like.starting)
        after = replace(state, mobs=(*state.mobs, mob))
    else:
        own: dict[str, Any] = {name: getattr(like, name) for name in ("armour", "primitive", "sealed", "facing")}
        held = tuple(Held(**picked(held, *AS_CARRIED), clip=held.weapon.clip) for held in like.held)
        by_spot = wounds.NONE_BY_SPOT if like.by_spot else ()
        new = Fighter(**same, **own, health=like.profile.wounds, by_spot=by_spot, held=held)
        after = replace(state, fighters=(*state.fighters, new))
    return replace(start.in_order(after), active=state.active) if state.round else after


@refuses("DW-ECON-1")
def refuse_leave(state: State, order: Leaving) -> Iterator[Refused | None]:
    """Why nobody leaves: it is dead, or has left already."""
    unit = named(state, order.unit)
    yield acting.refuse_dead(unit)
    if unit.left:
        yield Refused(f"{unit.name} has left already", "DW-ECON-1", "gone")


# --- supplies ---------------------------------------------------------------------------------------------------------


@refuses("DW-RWEP-00")
def refuse_ammunition(state: State, order: Supplying) -> Iterator[Refused | None]:
    """Why a clip does not hold so many rounds."""
    held = state.fighter(named(state, order.unit).name).carries(order.weapon)
    if held.weapon.melee:
        yield Refused(f"{held.name} is for melee and has no clip", "DW-RWEP-00", "kind")
    if order.rounds > held.weapon.clip:
        yield Refused(f"the clip of {held.name} holds {held.weapon.clip} rounds, not {order.rounds}", "DW-RWEP-00")


@clause("DW-RWEP-00")
def supply(state: State, order: Supplying) -> State:
    """So many rounds are in the clip now."""
    who = state.fighter(order.unit)
    return state.changed(who.with_held(replace(who.carries(order.weapon), clip=order.rounds)))


@clause("DW-COND-COHESION")
def refuse_cohesion(state: State, order: Cohering) -> Refused | None:
    """Why no cohesion is set: no side is named, or there is no such side."""
    if not order.side.strip():
        raise BadInput(f"name the side, {' or '.join(state.sides)}: nothing is changed by hand unnamed", field="side")
    if side_of(state, order) in state.sides:
        return None
    return Refused(f"the sides are {' and '.join(state.sides)}; got {order.side!r}", "DW-COND-COHESION", "side")


def side_of(state: State, order: Cohering) -> str:
    """The side that is named, or the one whose turn it is."""
    return order.side.strip() or (state.find("").side if state.round else state.sides[0])


@clause("DW-COND-COHESION")
def set_cohesion(state: State, order: Cohering) -> State:
    """A side has so much cohesion now."""
    left = tuple((side, order.points if side == side_of(state, order) else now) for side, now in state.cohesion)
    return replace(state, cohesion=left)


HEAL = hand(
    *("heal", "Heal by hand", Healing, refuse_heal, heal),
    lambda state, order: f"{state.find(order.unit).name} gets {order.wounds} back",
    "DW-DMG-1",
)
CONDITION = hand(
    *("condition", "A condition by hand", Condition, refuse_condition, set_condition, condition_said), "DW-STUN-1"
)
NOTE = hand(
    *("note", "Note something", Noting, refuse_note),
    lambda state, order: replace(state, notes=(*state.notes, noted(state, order))),
    noted,
    "DW-ECON-1",
)
REINFORCE = hand(
    *("reinforce", "Somebody new comes", Reinforcing, refuse_reinforce, reinforce),
    lambda state, order: (
        f"{order.name.strip()} comes to ({order.x:g}, {order.y:g}), like {state.find(order.like).name}"
    ),
    "DW-ECON-1",
)
LEAVE = hand(
    *("leave", "Somebody leaves", Leaving, refuse_leave),
    lambda state, order: state.changed(replace(state.find(order.unit), left=True)),
    lambda state, order: f"{state.find(order.unit).name} leaves the battle",
    "DW-ECON-1",
)
AMMUNITION = hand(
    *("ammunition", "Rounds by hand", Supplying, refuse_ammunition, supply),
    lambda state, order: f"{state.find(order.unit).name} has {plural(order.rounds, 'round')} in the clip",
    "DW-RWEP-00",
)
COHESION = hand(
    *("cohesion", "Cohesion by hand", Cohering, refuse_cohesion, set_cohesion),
    lambda state, order: f"{side_of(state, order)} has {order.points} cohesion",
    "DW-COND-COHESION",
)
BY_HAND = (WOUND, HEAL, CONDITION, NOTE, REINFORCE, LEAVE, AMMUNITION, COHESION)
