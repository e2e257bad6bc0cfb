"""Moving in a battle: `move`, `run`, `disengage` (leave a melee), `advance`, `leap`, `stand` and `drop_prone`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, Literal, get_args

from battletape.cards import param
from battletape.rulebook import Procedure, Refused, Tape, clause, refuses, replace
from battletape.rulesets.deathwatch.battle import acting, attack, start
from battletape.rulesets.deathwatch.battle.acting import Attempt, OneUnit, a_test, attempt, deed, mine, needed
from battletape.rulesets.deathwatch.battle.actions import horde, shoot, strike
from battletape.rulesets.deathwatch.battle.state import State, along, apart, is_adjacent, moved, moves_of, steps
from battletape.rulesets.deathwatch.rules import movement
from battletape.rulesets.deathwatch.rules.attack.exchange import Exchange
from battletape.rulesets.deathwatch.rules.attack.fighters import Fighter, Mob, Unit
from battletape.rulesets.deathwatch.tables.sheet import parse_cover
from battletape.table import points


class Walk(OneUnit, frozen=True):
    """A unit goes in a straight line; the cover is what it stands behind at the end."""

    x: float = start.PLACE
    y: float = start.PLACE
    cover: str = param("", "Cover at the end: a material or its AP", "DW-COVER-2")
    hidden: tuple[str, ...] = param((), "Places behind it; all if none is named", "DW-COVER-1")


class Move(Walk, frozen=True):
    """A half or full move."""

    pace: acting.Pace = param("half", acting.HALF_OR_FULL, "DW-ACT-MOVE")


class Leap(Walk, frozen=True):
    """A leap to a place."""

    by: Literal["agility", "strength"] = param("agility", "By which test")
    modifier: int = acting.HOW_HARD


@clause("DW-OVER-2", "DW-COND-ENGAGED", "DW-COVER-1")
def walked(state: State, unit: Unit, order: Walk, result: Any, covered: bool = False) -> State:
    """A unit at its new place, where overwatch may fire; `covered`: it still counts as in the cover it left."""
    ap, hidden = parse_cover(order.cover, order.hidden)
    after = moved(unit, order, cover_ap=ap, hidden=hidden)
    seen = (unit.cover_ap, unit.hidden) if covered and isinstance(unit, Fighter) else (ap, hidden)
    return shoot.entered(state.changed(after), after, steps(unit, order), *seen)


# --- move and run -----------------------------------------------------------------------------------------------------


@refuses("DW-ACT-MOVE", "DW-ACT-RUN", "DW-COND-PRONE")
def refuse_walk(state: State, unit: Unit, order: Walk) -> Iterator[Refused | None]:
    """Why a unit cannot go there like this."""
    parse_cover(order.cover, order.hidden)  # which must be known
    gait: movement.Gait = order.pace if isinstance(order, Move) else "run"
    if isinstance(unit, Fighter) and unit.conditions.prone and gait != "half":
        yield Refused(f"{unit.name} is prone; stand first, or crawl a half move", "DW-COND-PRONE", "prone")
    yield movement.refuse_move(apart(unit, order), gait, moves_of(state, unit))


@clause("DW-ACT-DISENGAGE")
def begin_walk(state: State, unit: Unit, order: Walk) -> Exchange:
    """Every foe that is left in melee without disengaging strikes once."""
    left = [foe for foe in map(state.find, unit.engaged_with) if not is_adjacent(order, foe) and not foe.is_out]
    blows = []
    for foe in (foe for foe in left if not foe.surprised):
        if isinstance(foe, Mob) and isinstance(unit, Fighter):
            blows.append(horde.mob_blow(state, foe, unit, horde.weapon_of(foe, "", True)))
        elif isinstance(foe, Fighter) and not foe.conditions.stunned and not foe.grappled_with:
            blows.append(strike.blow_at(state, foe, strike.blade_of(foe), unit))
    return attack.exchange_of(state, unit, blows, (unit, *left))


def finish_walk(state: State, unit: Unit, order: Walk, exchange: Exchange) -> State:
    """The unit goes, unless a free attack stopped it."""
    if unit.is_out or (isinstance(unit, Fighter) and unit.conditions.stunned):
        return state
    if not isinstance(order, Move):
        unit = replace(unit, running=True)
    return walked(state, unit, order, exchange)


# --- disengage, advance, leap, stand ----------------------------------------------------------------------------------


@refuses("DW-ACT-TACTICAL-ADVANCE", "DW-COND-PRONE")
def refuse_advance(state: State, who: Fighter, order: Walk) -> Iterator[Refused | None]:
    """Why a fighter cannot advance from cover to cover."""
    yield acting.refuse_prone(state, who, order)
    if who.engaged_with:
        yield Refused(f"{who.name} is in melee; disengage instead", "DW-ACT-DISENGAGE", "engaged")
    reaches = parse_cover(order.cover, order.hidden)[0] > 0
    yield movement.refuse_advance(apart(who, order), moves_of(state, who), who.cover_ap > 0, reaches)


@refuses("DW-ACT-JUMP-OR-LEAP")
def refuse_leap(state: State, who: Fighter, order: Leap) -> Iterator[Refused | None]:
    """Why a fighter cannot leap there."""
    yield acting.refuse_prone(state, who, order)
    most, far = moves_of(state, who).full, apart(who, order)
    if far > most:
        yield Refused(f"a leap goes no farther than a full move of {most} m, not {far:g} m", "DW-ACT-JUMP-OR-LEAP")


@clause("DW-ACT-JUMP-OR-LEAP")
def leap(tape: Tape, tried: Attempt) -> Attempt:
    """All the way, or not at all."""
    return attempt(tape, tried)


@clause("DW-ACT-STAND-MOUNT")
def stand_action(state: State, order: OneUnit) -> str:
    """Getting up is a Half Action, after some critical wounds a Full one."""
    who = state.find(order.unit) if state.round else None
    return "Stand/Mount (full)" if isinstance(who, Fighter) and who.conditions.stand_is_full else "Stand/Mount"


# --- cards ------------------------------------------------------------------------------------------------------------


def ends(state: State, gait: movement.Gait) -> Iterator[dict[str, Any]]:
    """Towards every foe, as far as this gait goes or right up to it."""
    unit = acting.acting(state)
    if unit is None:
        return
    most = float(getattr(moves_of(state, unit), gait))
    for foe in state.foes(unit.side):
        far = min(most, max(0.0, points.apart(unit, foe) - 1))
        end = along(unit, foe, int(far * 1000) / 1000)
        if points.apart(unit, end) <= most:
            yield {"unit": unit.name, "x": end.x, "y": end.y}


def _away(state: State) -> Iterator[Walk]:
    who = mine(state)
    if who is not None and who.engaged_with:
        foe = state.find(who.engaged_with[0])
        end = along(who, points.between(foe, who, 2), float(moves_of(state, who).half) - 0.01)
        yield Walk(unit=who.name, x=end.x, y=end.y)


def _advances(state: State) -> Iterator[Walk]:
    who = mine(state)
    if who is not None and who.cover_ap:
        yield from (Walk(**end, cover=str(who.cover_ap), hidden=who.hidden) for end in ends(state, "full"))


MOVE = acting.attacking("move", "Move", Move, "Move ({pace})", "DW-MOVE-1", "DW-ACT-DISENGAGE", may=acting.refuse_act)(
    refuse=refuse_walk,
    begin=begin_walk,
    finish=finish_walk,
    options=lambda state: (Move(**end, pace=pace) for pace in get_args(acting.Pace) for end in ends(state, pace)),
)
RUN = acting.attacking("run", "Run", Walk, "Run", "DW-MOVE-1", may=acting.refuse_act)(
    refuse=refuse_walk,
    begin=begin_walk,
    finish=finish_walk,
    options=lambda state: (Walk(**end) for end in ends(state, "run")),
)
DISENGAGE = deed("disengage", "Leave a melee", Walk, "Disengage")(
    refuse=lambda state, who, order: movement.refuse_disengage(
        apart(who, order), moves_of(state, who), bool(who.engaged_with)
    ),
    finish=walked,
    options=_away,
)
ADVANCE = deed("advance", "Advance from cover to cover", Walk, "Tactical Advance", never="advance from cover to cover")(
    refuse=refuse_advance, finish=partial(walked, covered=True), options=_advances
)
LEAP = deed("leap", "Leap", Leap, "Jump or Leap")(
    refuse=refuse_leap,
    begin=lambda state, who, order: Attempt(
        who.name, needed(state, who, order.by) + order.modifier, "leap", state.rules
    ),
    finish=walked,
    options=lambda state: (Leap(**end) for end in list(ends(state, "half"))[:1] if mine(state)),
    **a_test(Procedure("leap", (leap,)), "The leap succeeds", "The leap succeeds"),
)
STAND = deed("stand", "Get up", OneUnit, stand_action, never="get up")(
    refuse=acting.if_suffering("prone", "is not prone", "DW-ACT-STAND-MOUNT", "prone"),
    finish=acting.suffering(prone=False, stand_is_full=False),
)
DROP_PRONE = deed("drop_prone", "Drop prone", OneUnit, "Drop Prone", "DW-COND-PRONE", "DW-PIN-1")(
    refuse=acting.if_suffering("prone", "is prone already", "DW-COND-PRONE", "prone", wanted=False),
    finish=acting.suffering(prone=True),
)
