"""What the log says about an action: how units moved, what they lost, and whose turn comes next."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from battletape.cards import Line
from battletape.rulebook import inches, plain, plural
from battletape.rulesets.vehicles5.battle.state import Machine, Squad, State
from battletape.rulesets.vehicles5.rules.damage import wear
from battletape.table.points import apart


def chronicle(before: State, order: Any, after: State) -> Iterator[Line]:
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


def departure(before: State, order: Any, after: State) -> Iterator[Line]:
    """How far the acting unit has moved, which the log tells first."""
    was: Any = before.find(order.unit)
    way: Any = _machine_way if isinstance(was, Machine) else _squad_way
    return map(Line, way(was, after.find(order.unit)))


def aftermath(before: State, order: Any, after: State) -> Iterator[Line]:
    """What else an action changed."""
    told = set(departure(before, order, after))
    return (line for line in chronicle(before, order, after) if line not in told)


def _machine_news(before: State, was: Machine, after: State, now: Machine) -> Iterator[str]:
    yield from _machine_way(was, now)
    if was.band == now.band and now.finished_move and not (was.finished_move or now.moved):
        yield f"{now.name} stays where it is."
    if before.in_smoke(was) != after.in_smoke(now):
        yield f"Smoke hangs about {now.name}." if after.in_smoke(now) else f"The smoke about {now.name} is gone."
    old, new = before.condition(was), after.condition(now)
    spent = {gun.label for gun in now.guns if gun.spent}
    for lost in () if new.is_destroyed else [label for label in old.weapons if label not in new.weapons]:
        yield f"{now.name} has {'spent' if lost in spent else 'lost'} its {lost}."
    if wear(old) != wear(new):
        yield f"{now.name}: {wear(new)}."


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
