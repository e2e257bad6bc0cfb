"""Moving in a battle: `move`, `run`, `disengage` (leave a melee), `advance`, `leap`, `stand` and `drop_prone`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import hypot
from typing import Annotated, Any, Literal, TypeAlias, get_args

from msgspec import Meta
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.errors import Refused
from battletape.inputs import Inputs
from battletape.procedure import Procedure
from battletape.rulesets.deathwatch.battle.acting import (
    Attempt,
    OneUnit,
    Who,
    attempt,
    by_fighter,
    by_test,
    mine,
    refuse_act,
    with_blows,
)
from battletape.rulesets.deathwatch.battle.actions.horde import mob_blow
from battletape.rulesets.deathwatch.battle.actions.overwatch import entered
from battletape.rulesets.deathwatch.battle.attack.prepare import PLAIN, exchange_of, target_of
from battletape.rulesets.deathwatch.battle.attack.striking import blow_at
from battletape.rulesets.deathwatch.battle.outcome import spend, write_back
from battletape.rulesets.deathwatch.battle.start import Hidden, Place
from battletape.rulesets.deathwatch.battle.state import Fighter, Mob, State, Unit, along, is_adjacent, moves_of, steps
from battletape.rulesets.deathwatch.rules import movement
from battletape.rulesets.deathwatch.rules.attack.exchange import Exchange
from battletape.rulesets.deathwatch.rules.attack.fighters import fists_of
from battletape.rulesets.deathwatch.tables.sheet import parse_cover
from battletape.system import Action
from battletape.tape import Tape

Pace: TypeAlias = Literal["half", "full"]


class Walk(Inputs, frozen=True):
    """A unit goes in a straight line; the cover is what it stands behind at the end."""

    unit: Who = ""
    x: Place = 0.0
    y: Place = 0.0
    cover: Annotated[str, Meta(title="Cover at the end: a material or its AP", extra={"clause": "DW-COVER-2"})] = ""
    hidden: Hidden = ()


class Move(Walk, frozen=True):
    """A half or full move."""

    pace: Annotated[Pace, Meta(title="Half or Full Action", extra={"clause": "DW-ACT-MOVE"})] = "half"


def far_of(unit: Unit, order: Walk) -> float:
    """Metres of a walk."""
    return round(hypot(order.x - unit.x, order.y - unit.y), 6)


def action_of(order: Walk) -> str:
    """The action of the table that a walk is."""
    return f"Move ({order.pace})" if isinstance(order, Move) else "Run"


# --- move and run -----------------------------------------------------------------------------------------------------


@clause("DW-ACT-MOVE", "DW-ACT-RUN", "DW-COND-PRONE")
def refuse_walk(state: State, order: Walk) -> Refused | None:
    """Why a fighter cannot go there like this."""
    action = action_of(order)
    cover, _ = parse_cover(order.cover, order.hidden)
    refused = refuse_act(state, order.unit, action, covers=cover > 0)
    if refused is not None:
        return refused
    unit = state.find(order.unit)
    crawls = isinstance(order, Move) and order.pace == "half"
    if isinstance(unit, Fighter) and unit.conditions.prone and not crawls:
        return Refused(f"{unit.name} is prone; stand first, or crawl a half move", "DW-COND-PRONE", "prone")
    gait: movement.Gait = order.pace if isinstance(order, Move) else "run"
    return movement.refuse_move(far_of(unit, order), gait, moves_of(state, unit))


@clause("DW-ACT-DISENGAGE")
def begin_walk(state: State, order: Walk) -> Exchange:
    """Every foe that is left in melee without disengaging strikes once."""
    unit = state.find(order.unit)
    gone = replace(unit, x=order.x, y=order.y)
    left = [foe for foe in map(state.find, unit.engaged_with) if not is_adjacent(gone, foe) and not foe.is_out]
    blows = []
    for foe in left:
        if isinstance(foe, Mob):
            if isinstance(unit, Fighter):
                blows.append(mob_blow(state, foe, unit, "strike"))
        elif not foe.conditions.stunned and not foe.grappled_with and not foe.surprised:
            blade = foe.blades[0] if foe.blades else fists_of(foe)
            blows.append(blow_at(state, foe, blade, unit, PLAIN))
    return exchange_of(state, unit, tuple(blows), (unit.name, *(foe.name for foe in left)))


def finish_walk(state: State, order: Walk, exchange: Exchange) -> State:
    """The unit goes, unless a free attack stopped it."""
    unit = state.find(order.unit)
    after = spend(write_back(state, exchange), unit.name, action_of(order))
    now = after.find(unit.name)
    if now.is_out or (isinstance(now, Fighter) and now.conditions.stunned):
        return after
    after = walked(after, now, order)
    if action_of(order) == "Run" and isinstance(after.find(unit.name), Fighter):
        after = after.changed(replace(after.fighter(unit.name), running=True))
    return after


@clause("DW-ACT-BRACE-HEAVY-WEAPON", "DW-OVER-2", "DW-COND-ENGAGED", "DW-COVER-1")
def walked(state: State, unit: Unit, order: Walk, covered: bool = False) -> State:
    """A unit at its new place: nothing is braced, and overwatch may fire; `covered`: it still counts as in cover."""
    way = steps(unit.x, unit.y, order.x, order.y)
    ap, hidden = parse_cover(order.cover, order.hidden)
    seen: tuple[int, tuple[str, ...]] = (ap, hidden)
    if isinstance(unit, Fighter):
        seen = (unit.cover_ap, unit.hidden) if covered else seen
        held = tuple(replace(weapon, braced=False) for weapon in unit.held)
        cover = order.cover if ap else ""
        after: Unit = replace(unit, x=order.x, y=order.y, held=held, cover=cover, cover_ap=ap, hidden=hidden)
    else:
        after = replace(unit, x=order.x, y=order.y)
    state = state.changed(after)
    return entered(state, state.find(unit.name), way, *seen)


# --- disengage, advance -----------------------------------------------------------------------------------------------


@clause("DW-ACT-DISENGAGE")
def refuse_disengage(state: State, who: Fighter, order: Walk) -> Refused | None:
    """Why a fighter cannot leave a melee so."""
    return movement.refuse_disengage(far_of(who, order), moves_of(state, who), bool(who.engaged_with))


@clause("DW-ACT-TACTICAL-ADVANCE", "DW-COND-PRONE")
def refuse_advance(state: State, who: Fighter, order: Walk) -> Refused | None:
    """Why a fighter cannot advance from cover to cover."""
    if who.conditions.prone:
        return Refused(f"{who.name} is prone; stand first", "DW-COND-PRONE", "prone")
    if who.engaged_with:
        return Refused(f"{who.name} is in melee; disengage instead", "DW-ACT-DISENGAGE", "engaged")
    reaches = parse_cover(order.cover, order.hidden)[0] > 0
    return movement.refuse_advance(far_of(who, order), moves_of(state, who), who.cover_ap > 0, reaches)


# --- leap, stand, drop prone ------------------------------------------------------------------------------------------


class Leap(Walk, frozen=True):
    """A leap to a place."""

    by: Annotated[Literal["agility", "strength"], Meta(title="By which test")] = "agility"
    modifier: Annotated[int, Meta(title="How hard it is", ge=-60, le=60, extra={"clause": "DW-TEST-2"})] = 0


@clause("DW-ACT-JUMP-OR-LEAP")
def refuse_leap(state: State, who: Fighter, order: Leap) -> Refused | None:
    """Why a fighter cannot leap there."""
    if who.conditions.prone:
        return Refused(f"{who.name} is prone; stand first", "DW-COND-PRONE", "prone")
    most, far = moves_of(state, who).full, far_of(who, order)
    if far > most:
        return Refused(f"a leap goes no farther than a full move of {most} m, not {far:g} m", "DW-ACT-JUMP-OR-LEAP")
    return None


def begin_leap(state: State, who: Fighter, order: Leap) -> Attempt:
    """The test of it."""
    what, value = ("ag", who.profile.agility) if order.by == "agility" else ("s", who.profile.strength)
    return Attempt(who.name, target_of(state, who, what, value) + order.modifier, "leap", state.rules)


@clause("DW-ACT-JUMP-OR-LEAP")
def leap(tape: Tape, tried: Attempt) -> Attempt:
    """All the way, or not at all."""
    return attempt(tape, tried)


def stand_action(state: State, order: OneUnit) -> str:
    """Getting up is a Half Action, after some critical wounds a Full one."""
    who = state.find(order.unit) if state.round else None
    return "Stand/Mount (full)" if isinstance(who, Fighter) and who.conditions.stand_is_full else "Stand/Mount"


@clause("DW-ACT-STAND-MOUNT", "DW-COND-PRONE")
def refuse_stand(state: State, who: Fighter, order: OneUnit) -> Refused | None:
    """Why a fighter cannot get up."""
    return None if who.conditions.prone else Refused(f"{who.name} is not prone", "DW-ACT-STAND-MOUNT", "prone")


@clause("DW-COND-PRONE", "DW-PIN-1")
def refuse_prone(state: State, who: Fighter, order: OneUnit) -> Refused | None:
    """Why a fighter cannot drop prone."""
    return Refused(f"{who.name} is prone already", "DW-COND-PRONE", "prone") if who.conditions.prone else None


# --- cards ------------------------------------------------------------------------------------------------------------


def ends(state: State, gait: movement.Gait) -> Iterator[tuple[str, float, float]]:
    """Towards every foe, as far as this gait goes or right up to it."""
    unit = state.find("") if state.round else None
    if unit is None or unit.is_out:
        return
    most = float(getattr(moves_of(state, unit), gait))
    for foe in state.foes(unit.side):
        way = hypot(foe.x - unit.x, foe.y - unit.y)
        far = min(most, max(0.0, way - 1))
        x, y = along(unit.x, unit.y, foe.x, foe.y, int(far * 1000) / 1000)
        if hypot(x - unit.x, y - unit.y) <= most:
            yield unit.name, x, y


def _walks(state: State) -> Iterator[Move]:
    paces: tuple[Pace, ...] = get_args(Pace)
    return (Move(unit=name, x=x, y=y, pace=pace) for pace in paces for name, x, y in ends(state, pace))


def _runs(state: State) -> Iterator[Walk]:
    return (Walk(unit=name, x=x, y=y) for name, x, y in ends(state, "run"))


def _away(state: State) -> Iterator[Walk]:
    who = mine(state)
    if who is not None and who.engaged_with:
        far = float(moves_of(state, who).half)
        foe = state.find(who.engaged_with[0])
        x, y = along(who.x, who.y, 2 * who.x - foe.x, 2 * who.y - foe.y, far - 0.01)
        yield Walk(unit=who.name, x=x, y=y)


def _advances(state: State) -> Iterator[Walk]:
    who = mine(state)
    for name, x, y in ends(state, "full"):
        if who is not None and who.cover_ap:
            yield Walk(unit=name, x=x, y=y, cover=str(who.cover_ap), hidden=who.hidden)


def _leaps(state: State) -> Iterator[Leap]:
    return (Leap(unit=name, x=x, y=y) for name, x, y in list(ends(state, "half"))[:1] if mine(state))


def _walk_card(name: str, title: str, inputs: type[Inputs], options: Any, *clauses: str) -> Action:
    return with_blows(name, title, inputs, refuse_walk, begin_walk, finish_walk, *clauses, options=options)


MOVE = _walk_card("move", "Move", Move, _walks, "DW-ACT-MOVE", "DW-MOVE-1", "DW-ACT-DISENGAGE")
RUN = _walk_card("run", "Run", Walk, _runs, "DW-ACT-RUN", "DW-MOVE-1")
DISENGAGE = by_fighter(
    "disengage",
    "Leave a melee",
    Walk,
    ("Disengage", "disengage"),
    walked,
    "DW-ACT-DISENGAGE",
    refuse=refuse_disengage,
    options=_away,
)
ADVANCE = by_fighter(
    "advance",
    "Advance from cover to cover",
    Walk,
    ("Tactical Advance", "advance from cover to cover"),
    partial(walked, covered=True),  # on the way it counts as in the cover it left
    "DW-ACT-TACTICAL-ADVANCE",
    refuse=refuse_advance,
    options=_advances,
)
LEAP = by_test(
    "leap",
    "Leap",
    Leap,
    ("Jump or Leap", "leap"),
    begin_leap,
    walked,
    "DW-ACT-JUMP-OR-LEAP",
    refuse=refuse_leap,
    options=_leaps,
    words=("The leap succeeds", "The leap succeeds"),
    procedure=Procedure("leap", (leap,)),
)
STAND = by_fighter(
    "stand",
    "Get up",
    OneUnit,
    (stand_action, "get up"),
    lambda state, who, order: state.changed(who.suffering(prone=False, stand_is_full=False)),
    "DW-ACT-STAND-MOUNT",
    refuse=refuse_stand,
)
DROP_PRONE = by_fighter(
    "drop_prone",
    "Drop prone",
    OneUnit,
    ("Drop Prone", "drop prone"),
    lambda state, who, order: state.changed(who.suffering(prone=True)),
    *("DW-COND-PRONE", "DW-PIN-1"),
    refuse=refuse_prone,
)
