"""Overwatch in a battle: `watch` waits for a foe to come into the zone, `fire_on_watch` fires at it at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from msgspec import Meta
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.errors import Refused
from battletape.rulesets.deathwatch.battle.acting import is_gun, mine, refuse_begun, refuse_target, with_blows
from battletape.rulesets.deathwatch.battle.actions.suppress import (
    Suppressing,
    pins_of,
    refuse_bursts,
    refuse_far,
    suppressing_fire,
    way_of,
)
from battletape.rulesets.deathwatch.battle.attack.prepare import (
    Circumstances,
    exchange_of,
    gun_of,
    refuse_gun,
    refuse_shooter,
    shot_blow,
)
from battletape.rulesets.deathwatch.battle.outcome import spend, write_back
from battletape.rulesets.deathwatch.battle.state import Entered, Fighter, Held, State, Unit, Watch, apart, bearing
from battletape.rulesets.deathwatch.rules import guns, suppression
from battletape.rulesets.deathwatch.rules.attack.exchange import Exchange
from battletape.rulesets.deathwatch.rules.conditions import budget
from battletape.rulesets.deathwatch.rules.traits import Mode
from battletape.system import at_once

BURSTS: dict[str, Mode] = {"semi": "semi", "full": "full"}


class Watching(Suppressing, frozen=True):
    """Overwatch along a bearing, or towards somebody."""


class WatchFire(Circumstances, frozen=True):
    """Fire from overwatch at somebody who has just come into the zone."""

    unit: Annotated[str, Meta(title="Who is on overwatch")] = ""
    target: str = ""
    mode: Annotated[Literal["full", "semi", "suppressing"], Meta(title="Fire mode", extra={"clause": "DW-OVER-2"})] = (
        "full"
    )


# --- overwatch --------------------------------------------------------------------------------------------------------


@clause("DW-OVER-1", "DW-OVER-2", "DW-ACT-OVERWATCH")
def refuse_watch(state: State, order: Watching) -> Refused | None:
    """Why a fighter cannot keep overwatch: the weapon has no burst, or cannot be fired."""
    refused = refuse_shooter(state, order.unit, "Overwatch")
    if refused is not None:
        return refused
    who, held = gun_of(state, order.unit, order.weapon)
    return refuse_bursts(state, who, held)


def watch(state: State, order: Watching) -> State:
    """A fighter waits for a foe to come into its zone."""
    who, held = gun_of(state, order.unit, order.weapon)
    way = way_of(state, who, order)
    state = spend(state, who.name, "Overwatch")
    now = state.fighter(who.name)
    return state.changed(replace(now, facing=way, overwatch=Watch(held.name, way, state.round)))


@clause("DW-OVER-1")
def watched_at(state: State, watcher: Unit, x: float, y: float) -> bool:
    """Whether a place lies in a unit's kill zone."""
    if not isinstance(watcher, Fighter) or watcher.overwatch is None or watcher.is_out:
        return False
    held = watcher.carries(watcher.overwatch.weapon)
    place = replace(watcher, x=x, y=y)
    off = bearing(watcher, x, y) - watcher.overwatch.facing
    return suppression.in_kill_zone(apart(watcher, place), off, held.fired.range, state.rules)


@clause("DW-OVER-2", "DW-OVER-1")
def entered(
    state: State, unit: Unit, way: tuple[tuple[float, float], ...], cover: int, hidden: tuple[str, ...]
) -> State:
    """Note whose kill zones a unit entered on its way; they may fire at once."""
    seen = tuple(
        Entered(watcher.name, unit.name, cover, hidden)
        for watcher in state.foes(unit.side)
        if any(watched_at(state, watcher, x, y) for x, y in way)
    )
    return replace(state, entered=seen)


@clause("DW-OVER-2", "DW-OVER-4", "DW-STUN-1")
def refuse_watch_fire(state: State, order: WatchFire) -> Refused | None:
    """Why nobody can fire from overwatch now."""
    refused = refuse_begun(state)
    if refused is not None:
        return refused
    who = state.find(order.unit)
    if not isinstance(who, Fighter) or who.overwatch is None:
        return Refused(f"{who.name} keeps no overwatch; use watch in its turn", "DW-OVER-1", "overwatch")
    allowed = budget(who.conditions, who.screaming)
    if not allowed.full:
        return Refused(f"{who.name} cannot fire: {allowed.reason}", allowed.clause, "condition")
    refused = refuse_target(state, who, order.target)
    if refused is not None:
        return refused
    target = state.find(order.target)
    if not any((came.watcher, came.target) == (who.name, target.name) for came in state.entered):
        reason = f"{target.name} has not just come into the kill zone of {who.name}; fire at once when somebody does"
        return Refused(reason, "DW-OVER-2", "zone")
    held = who.carries(who.overwatch.weapon)
    far = refuse_far(who, held, target) if order.mode == "suppressing" else None
    return refuse_gun(state, who, held, _mode(held, order)) or far


def _mode(held: Held, order: WatchFire) -> Mode:
    return BURSTS.get(order.mode) or ("full" if held.fired.full else "semi")


def begin_watch_fire(state: State, order: WatchFire) -> Exchange:
    """A burst at -20, after which the target tests not to be pinned."""
    who = state.fighter(order.unit)
    assert who.overwatch is not None
    held, target = who.carries(who.overwatch.weapon), state.find(order.target)
    if order.mode == "suppressing":
        return suppressing_fire(state, who, held, bearing(who, target.x, target.y), order, target.name)
    if isinstance(target, Fighter):
        came = next(entry for entry in state.entered if (entry.watcher, entry.target) == (who.name, target.name))
        state = state.changed(replace(target, cover_ap=came.cover_ap, hidden=came.hidden))
        target = state.fighter(target.name)
    blow = shot_blow(state, who, held, target, order, _mode(held, order), overwatch=True, pins=pins_of(state, [target]))
    return exchange_of(state, who, (blow,), (target.name,))


@clause("DW-OVER-4")
def finish_watch_fire(state: State, order: WatchFire, exchange: Exchange) -> State:
    """Rounds are spent, and the watch is over unless the ruling lets it go on."""
    who = state.fighter(order.unit)
    assert who.overwatch is not None
    held, mode = who.carries(who.overwatch.weapon), _mode(who.carries(who.overwatch.weapon), order)
    used = guns.rounds_used(held.fired, mode, held.qualities, state.rules)
    gun = replace(held, clip=max(0, held.clip - used), fired_round=state.round)
    after = write_back(state.changed(who.with_held(gun)), exchange)
    now = after.fighter(who.name)
    over = suppression.ends_overwatch(0, who.profile.willpower, fired=True, rules=state.rules)
    left = tuple(entry for entry in state.entered if entry.watcher != who.name)
    return replace(after.changed(replace(now, overwatch=None) if over else now), entered=left)


# --- cards ------------------------------------------------------------------------------------------------------------


def _watches(state: State) -> Iterator[Watching]:
    fighter = mine(state)
    if fighter is not None:
        for weapon in filter(is_gun, fighter.held):
            yield Watching(unit=fighter.name, weapon=weapon.name, direction=fighter.facing)


def _watch_fires(state: State) -> Iterator[WatchFire]:
    for came in state.entered:
        for mode in ("full", "semi", "suppressing"):
            yield WatchFire(unit=came.watcher, target=came.target, mode=mode)


WATCH = at_once(
    "watch", "Keep overwatch", Watching, refuse_watch, watch, "DW-ACT-OVERWATCH", "DW-OVER-1", options=_watches
)
FIRE_ON_WATCH = with_blows(
    "fire_on_watch",
    "Fire from overwatch",
    WatchFire,
    refuse_watch_fire,
    begin_watch_fire,
    finish_watch_fire,
    *("DW-OVER-2", "DW-OVER-3", "DW-OVER-4"),
    options=_watch_fires,
)
