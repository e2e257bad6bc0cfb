"""What all actions of a battle share: who may act now, what is in the way, and what the log says of a change."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import hypot
from typing import Annotated, Any, TypeAlias

from msgspec import Meta
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.errors import Refused
from battletape.inputs import Inputs
from battletape.log import Line
from battletape.rulesets.vehicles5.field import Field, Machine, Squad, Unitlike
from battletape.rulesets.vehicles5.plight import wear
from battletape.rulesets.vehicles5.setup import Heading, Place, Spot
from battletape.rulesets.vehicles5.traits import Phase
from battletape.rulesets.vehicles5.words import inches, plain, plural
from battletape.system import Action
from battletape.system import at_once as without_dice
from battletape.table.areas import Area, rectangle
from battletape.table.bases import Base
from battletape.table.hulls import Hull
from battletape.table.points import Point, apart

Solid: TypeAlias = Base | Hull | Area
"""What stands or lies on the table."""
OUTSIDE = 60.0  # how far the ground beyond the edge is taken to reach
Distance = Annotated[float, Meta(ge=0, le=240, extra={"unit": "inches", "clause": "V5-MOVE-2"})]

__all__ = ["Distance", "Heading", "OneUnit", "Place", "Spot", "at_once", "refuse_turn"]


class Nothing(Inputs, frozen=True):
    """No parameters."""


class OneUnit(Inputs, frozen=True):
    """Something that one machine or squad does."""

    unit: str = ""


def over(field: Field) -> str | None:
    """Who has won: the only side with anything left, or nobody when the turns are over."""
    alive = {one.side for one in field.units if not one.is_gone}
    if len(alive) == 1:
        return f"{alive.pop()} holds the field"
    if not alive:
        return "Nobody is left on the table"
    return f"The battle ends after {field.most_turns} player turns" if field.turn > field.most_turns else None


@clause("V5-CORE-16")
def refuse_turn(field: Field, name: str, *phases: Phase) -> Refused | None:
    """Why a unit may not act now: the battle is over, it is not its turn, it is another phase, or it is gone."""
    ended, unit = over(field), field.find(name)
    if ended is not None:
        return Refused(f"the battle is over: {ended}", "V5-CORE-16", "over")
    if unit.side != field.active:
        return Refused(f"it is the turn of {field.active}; {unit.name} belongs to {unit.side}", "V5-CORE-16", "turn")
    if phases and field.phase not in phases:
        wanted = " or ".join(phases)
        return Refused(f"this belongs to the {wanted} phase; it is the {field.phase} phase", "V5-CORE-16", "phase")
    return refuse_gone(unit)


@clause("V5-DMG-5", "V5-DMG-6", "V5-CORE-8", "V5-CORE-20")
def refuse_gone(unit: Unitlike) -> Refused | None:
    """Why nothing can be done with what is destroyed or has fled."""
    if not unit.is_gone:
        return None
    if isinstance(unit, Squad) and unit.fled:
        return Refused(f"{unit.name}: fled off the table", "V5-CORE-20", "fled")
    if isinstance(unit, Squad):
        return Refused(f"nobody is left of {unit.name}", "V5-CORE-8", "gone")
    by = "V5-DMG-5" if unit.condition.status == "wrecked" else "V5-DMG-6"
    return Refused(f"{unit.name} is {unit.condition.status}", by, "gone")


def machine_of(field: Field, name: str, what: str, by: str) -> Machine | Refused:
    """A machine, or why a squad does not do such a thing."""
    unit = field.find(name)
    return unit if isinstance(unit, Machine) else Refused(f"{unit.name}: a squad; only machines {what}", by, "type")


def squad_of(field: Field, name: str, what: str, by: str) -> Squad | Refused:
    """A squad, or why a machine does not do such a thing."""
    unit = field.find(name)
    return unit if isinstance(unit, Squad) else Refused(f"{unit.name} is a machine; only squads {what}", by, "type")


@clause("V5-CORE-6", "V5-CORE-20", "V5-TRAN-2", "V5-WALK-8")
def refuse_squad(field: Field, squad: Squad, aboard: bool = False) -> Refused | None:
    """Why a squad may not act of its own will: pinned, on the run, locked in a fight, or inside a transport."""
    if squad.pinned_until >= field.turn:
        return Refused(f"{squad.name}: pinned, and so without this turn", "V5-CORE-6", "pinned")
    if squad.falling_back:
        return Refused(f"{squad.name}: falling back, and so able to do nothing else", "V5-CORE-20", "falling_back")
    if squad.locked_with:
        return Refused(f"{squad.name}: locked in a fight with {squad.locked_with[0]}", "V5-WALK-8", "locked")
    if squad.aboard and not aboard:
        return Refused(f"{squad.name}: aboard {squad.aboard}, and so to get out first", "V5-TRAN-2", "aboard")
    if squad.left == "emergency":
        return Refused(f"{squad.name} got out in an emergency and does nothing more this turn", "V5-TRAN-7", "exit")
    return None


# --- places ---------------------------------------------------------------------------------------------------------


def points(spots: Iterable[Spot]) -> tuple[Point, ...]:
    """Places as points."""
    return tuple(Point(one.x, one.y) for one in spots)


def spots(found: Iterable[Point]) -> tuple[Spot, ...]:
    """Points as places."""
    return tuple(Spot(x=one.x, y=one.y) for one in found)


def close_to(point: Point, reach: float, things: Iterable[Solid]) -> list[Solid]:
    """Those things that may be so close to a point; a rough look that spares exact measuring of all the others."""
    return [one for one in things if _at_least(point, one) <= reach]


def _at_least(point: Point, thing: Solid) -> float:
    """No more than the true distance."""
    if isinstance(thing, Area):
        xs, ys = [one.x for one in thing.outline], [one.y for one in thing.outline]
        east, north = max(min(xs) - point.x, 0, point.x - max(xs)), max(min(ys) - point.y, 0, point.y - max(ys))
        return hypot(east, north)
    size = thing.radius if isinstance(thing, Base) else half_diagonal(thing)
    return hypot(thing.centre.x - point.x, thing.centre.y - point.y) - size


def half_diagonal(hull: Hull) -> float:
    """How far the corners of a hull are from its middle."""
    return hypot(hull.length, hull.width) / 2


def borders(field: Field) -> tuple[Area, ...]:
    """The ground beyond the four edges of the table."""
    wide, deep = field.board.width, field.board.depth
    return (
        rectangle(-OUTSIDE, -OUTSIDE, 0, deep + OUTSIDE),
        rectangle(wide, -OUTSIDE, wide + OUTSIDE, deep + OUTSIDE),
        rectangle(-OUTSIDE, -OUTSIDE, wide + OUTSIDE, 0),
        rectangle(-OUTSIDE, deep, wide + OUTSIDE, deep + OUTSIDE),
    )


def in_the_way(field: Field, *but: str, side: str = "") -> list[Solid]:
    """What nobody can stand on: models (of one side, if it is named), impassable ground, and what is off the table."""
    solid: list[Solid] = list(field.bodies(*but, side=side))
    return [*solid, *(one.ground for one in field.kinds("impassable")), *borders(field)]


# --- cards ----------------------------------------------------------------------------------------------------------


def about(field: Field, order: Any) -> Mapping[str, str]:
    """Unit, target and weapon for tables."""
    found = {key: getattr(order, key, "") for key in ("unit", "target", "machine")}
    return {key: value for key, value in found.items() if value}


def at_once(
    name: str,
    title: str,
    inputs: type[Inputs],
    refuse: Callable[[Any, Any], Refused | None],
    finish: Callable[[Field, Any], Field],
    options: Callable[[Any], Iterable[Inputs]],
    *clauses: str,
) -> Action:
    """An action without dice, after which nobody stays locked in a fight with the dead."""
    return without_dice(
        name,
        title,
        inputs,
        refuse,
        lambda field, order: tidy(finish(field, order)),
        options,
        *clauses,
        about=about,
        tell=chronicle,
    )


def mine(field: Field, *phases: Phase) -> Sequence[Unitlike]:
    """The units of the active side that are left, if it is one of these phases."""
    if phases and field.phase not in phases:
        return ()
    return [one for one in field.units if one.side == field.active and not one.is_gone]


def enemies(field: Field) -> Sequence[Unitlike]:
    """The units of the other side that stand on the table."""
    return [one for one in field.on_table() if one.side != field.active]


@clause("V5-WALK-8", "V5-CORE-16")
def tidy(field: Field) -> Field:
    """What follows from losses: nobody is locked in a fight with the dead, or with those who ran."""
    free = {one.name for one in field.units if one.is_gone}
    free |= {one.name for one in field.squads if one.falling_back}
    changed = [_unlocked(one, free) for one in field.units if one.locked_with]
    return field.changed(*changed) if changed else field


def _unlocked(unit: Any, free: set[str]) -> Any:
    left = () if unit.name in free else tuple(one for one in unit.locked_with if one not in free)
    return replace(unit, locked_with=left)


# --- the log --------------------------------------------------------------------------------------------------------


def chronicle(before: Field, order: Any, after: Field) -> Iterator[Line]:
    """What an action changed, unit by unit."""
    for was, now in zip(before.machines, after.machines, strict=True):
        if was != now:
            yield from map(Line, _machine_news(before, was, after, now))
    for squad, then in zip(before.squads, after.squads, strict=True):
        if squad != then:
            yield from map(Line, _squad_news(squad, then))
    if (before.turn, before.active) != (after.turn, after.active):
        yield Line(f"Player turn {after.turn}: {after.active}.")
    elif before.phase != after.phase:
        yield Line(f"{after.phase.capitalize()} phase of {after.active}.")


def departure(before: Field, order: Any, after: Field) -> Iterator[Line]:
    """How far the unit that acts has moved, which the log tells before the dice of what it met."""
    was, now = before.find(order.unit), after.find(order.unit)
    if isinstance(was, Machine) and isinstance(now, Machine):
        yield from map(Line, _machine_way(was, now))
    elif isinstance(was, Squad) and isinstance(now, Squad):
        yield from map(Line, _squad_way(was, now))


def aftermath(before: Field, order: Any, after: Field) -> Iterator[Line]:
    """What an action changed, but for the way of the unit that acts."""
    told = set(departure(before, order, after))
    return (line for line in chronicle(before, order, after) if line not in told)


def _machine_news(before: Field, was: Machine, after: Field, now: Machine) -> Iterator[str]:
    yield from _machine_way(was, now)
    if was.band == now.band and now.finished_move and not (was.finished_move or now.moved):
        yield f"{now.name} stays where it is."
    if before.in_smoke(was) != after.in_smoke(now):
        yield f"Smoke hangs about {now.name}." if after.in_smoke(now) else f"The smoke about {now.name} is gone."
    one, other = before.condition(was), after.condition(now)
    spent = {gun.label for gun in now.guns if gun.spent}
    for lost in () if other.is_destroyed else [label for label in one.weapons if label not in other.weapons]:
        yield f"{now.name} has {'spent' if lost in spent else 'lost'} its {lost}."
    if wear(one) != wear(other):
        yield f"{now.name}: {wear(other)}."


def _machine_way(was: Machine, now: Machine) -> Iterator[str]:
    if was.hull != now.hull:
        way = apart(was.hull.centre, now.hull.centre)
        place = f"({now.hull.centre.x:.1f}, {now.hull.centre.y:.1f}), heading {now.hull.heading:.0f}"
        yield f"{now.name} moves {inches(round(way, 2))} to {place}." if way else f"{now.name} turns: {place}."
    if was.band != now.band:
        yield f"{now.name}: {plain(now.band)} speed."


def _squad_news(was: Squad, now: Squad) -> Iterator[str]:
    fled = now.fled - was.fled
    standing = len(now.models) + fled
    fallen = len(was.models) - standing
    if fallen:
        left = f"{plural(standing, 'model')} left" if standing else "nobody is left"
        yield f"{now.name}: {plural(fallen, 'model')} lost, {left}."
    if fled:
        yield f"{now.name}: fled off the table, {plural(fled, 'model')}."
    if was.aboard != now.aboard:
        yield f"{now.name}: aboard {now.aboard}." if now.aboard else f"{now.name}: out of {was.aboard}."
    yield from _squad_way(was, now)
    if now.models and now.falling_back and not was.falling_back:
        yield f"{now.name}: falling back."
    if now.pinned_until > was.pinned_until:
        yield f"{now.name}: pinned."
    if now.locked_with and not was.locked_with:
        yield f"{now.name}: locked in a fight with {now.locked_with[0]}."


def _squad_way(was: Squad, now: Squad) -> Iterator[str]:
    if was.aboard == now.aboard and len(was.models) == len(now.models) and was.models != now.models:
        way = max(apart(a.centre, b.centre) for a, b in zip(was.models, now.models, strict=True))
        yield f"{now.name}: moved up to {inches(round(way, 2))}."
