"""Bursts over an area in a battle: `suppress`, and overwatch: `watch` waits for a foe, `fire_on_watch` fires at it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from msgspec import Meta
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.errors import Refused
from battletape.rulesets.deathwatch.battle.acting import (
    AnyGun,
    Who,
    is_gun,
    mine,
    refuse_begun,
    refuse_target,
    with_blows,
)
from battletape.rulesets.deathwatch.battle.actions.shoot import by_gun, caught_of
from battletape.rulesets.deathwatch.battle.attack import prepare
from battletape.rulesets.deathwatch.battle.attack.prepare import Circumstances
from battletape.rulesets.deathwatch.battle.outcome import emptied, spend
from battletape.rulesets.deathwatch.battle.start import Bearing
from battletape.rulesets.deathwatch.battle.state import Entered, Fighter, Held, Mob, State, Unit, Watch, apart, bearing
from battletape.rulesets.deathwatch.rules import guns, suppression
from battletape.rulesets.deathwatch.rules.attack.exchange import Blow, Exchange
from battletape.rulesets.deathwatch.rules.attack.fighters import fire_draft
from battletape.rulesets.deathwatch.rules.attack.records import Guard
from battletape.rulesets.deathwatch.rules.conditions import budget
from battletape.rulesets.deathwatch.rules.qualities.keywords import ready
from battletape.rulesets.deathwatch.rules.traits import Mode
from battletape.system import at_once


class Suppressing(Circumstances, frozen=True):
    """Suppressing fire along a bearing, or towards somebody."""

    unit: Who = ""
    weapon: AnyGun = ""
    target: Annotated[str, Meta(title="Towards whom", extra={"role": "foe"})] = ""
    direction: Annotated[Bearing, Meta(title="Which way, if nobody is named", extra={"clause": "DW-SUPP-1"})] = 0.0


class Watching(Suppressing, frozen=True):
    """Overwatch along a bearing, or towards somebody."""


class WatchFire(Circumstances, frozen=True):
    """Fire from overwatch at somebody who has just come into the zone."""

    unit: Annotated[str, Meta(title="Who is on overwatch")] = ""
    target: str = ""
    mode: Annotated[Literal["full", "semi", "suppressing"], Meta(title="Fire mode", extra={"clause": "DW-OVER-2"})] = (
        "full"
    )


def way_of(state: State, who: Fighter, order: Suppressing) -> float:
    """The bearing of the fire."""
    if not order.target.strip():
        return order.direction
    target = state.find(order.target)
    return bearing(who, target.x, target.y)


def pins_of(state: State, units: list[Unit]) -> tuple[tuple[str, int], ...]:
    """Who tests Willpower not to be pinned, and the target; nobody in melee does, a mob adds its Magnitude later."""
    tested = []
    for unit in units:
        if unit.engaged_with:
            continue
        if isinstance(unit, Mob):
            target = unit.profile.willpower
        else:
            will = prepare.target_of(state, unit, "wp", unit.profile.willpower)
            target = suppression.pin_target(will, rules=state.rules)
        tested.append((unit.name, target))
    return tuple(tested)


# --- suppressing fire -------------------------------------------------------------------------------------------------


@clause("DW-SUPP-1", "DW-SUPP-4", "DW-ACT-SUPPRESSING-FIRE")
def refuse_suppress(state: State, who: Fighter, held: Held, order: Suppressing) -> Refused | None:
    """Why a fighter cannot lay down suppressing fire."""
    far = refuse_far(who, held, state.find(order.target)) if order.target.strip() else None
    return refuse_bursts(state, who, held) or far


@clause("DW-SUPP-1")
def refuse_far(who: Fighter, held: Held, target: Unit) -> Refused | None:
    """Why suppressing fire does not reach this unit."""
    away, reach = apart(who, target), suppression.suppressed_reach(held.fired.range)
    if away <= reach:
        return None
    reason = f"suppressing fire reaches half the range of {held.name}, {reach:g} m; {target.name} is {away:.4g} m away"
    return Refused(reason, "DW-SUPP-1", "range")


def refuse_bursts(state: State, who: Fighter, held: Held) -> Refused | None:
    """Why this weapon cannot fire the bursts that it takes."""
    if held.weapon.melee:
        return guns.refuse_mode(held.fired, "single")
    return suppression.refuse_suppress(held.fired) or prepare.refuse_gun(
        state, who, held, suppression.burst_of(held.fired)
    )


def begin_suppress(state: State, who: Fighter, held: Held, order: Suppressing) -> Exchange:
    """The fire about to be opened, and everybody in its way."""
    return suppressing_fire(state, who, held, way_of(state, who, order), order, order.target.strip())


def suppressing_fire(
    state: State, who: Fighter, held: Held, way: float, order: Circumstances, towards: str = ""
) -> Exchange:
    """Suppressing fire along a bearing; it is measured by the unit it is meant for, else by the first enemy in it."""
    reach = suppression.suppressed_reach(held.fired.range)
    struck = [
        unit
        for unit in state.present
        if unit.name != who.name
        and suppression.in_arc(apart(who, unit), bearing(who, unit.x, unit.y) - way, reach, state.rules)
    ]
    target = struck[0] if struck else who
    setting = prepare.setting_of(state, who, held, target, order)
    if state.rules.suppressing_modifiers == "own_state":
        setting = replace(setting, band=None)  # of those in the area each has its own
    draft = fire_draft(who, held, target, setting, "suppressing")
    blow = Blow(
        who.name,
        "",
        held.name,
        spec=ready(replace(draft, by_side=False), held.fired.qualities, Guard(), state.rules),
        how="spray",
        caught=tuple(caught_of(state, who, held, draft, unit) for unit in struck),
        pins=pins_of(state, struck),
        burn=prepare.burn_of(state, who, held, draft),
    )
    meant = state.find(towards).name if towards else ""
    by_aim = sorted(struck, key=lambda unit: (unit.name != meant, unit.side == who.side))
    return prepare.exchange_of(state, who, (blow,), tuple(unit.name for unit in by_aim))


# --- overwatch --------------------------------------------------------------------------------------------------------


@clause("DW-OVER-1", "DW-OVER-2", "DW-ACT-OVERWATCH")
def refuse_watch(state: State, order: Watching) -> Refused | None:
    """Why a fighter cannot keep overwatch: the weapon has no burst, or cannot be fired."""
    refused = prepare.refuse_shooter(state, order.unit, "Overwatch")
    return refused or refuse_bursts(state, *prepare.gun_of(state, order.unit, order.weapon))


def watch(state: State, order: Watching) -> State:
    """A fighter waits for a foe to come into its zone."""
    who, held = prepare.gun_of(state, order.unit, order.weapon)
    way = way_of(state, who, order)
    state = spend(state, who.name, "Overwatch")
    watching = Watch(held.name, way, state.round)
    return state.changed(replace(state.fighter(who.name), facing=way, overwatch=watching))


@clause("DW-OVER-1")
def watched_at(state: State, watcher: Unit, x: float, y: float) -> bool:
    """Whether a place lies in a unit's kill zone."""
    if not isinstance(watcher, Fighter) or watcher.overwatch is None or watcher.is_out:
        return False
    held = watcher.carries(watcher.overwatch.weapon)
    place = replace(watcher, x=x, y=y)
    off = bearing(watcher, x, y) - watcher.overwatch.facing
    return suppression.in_arc(apart(watcher, place), off, held.fired.range, state.rules)


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
    _, held, mode = _on_watch(state, order)
    far = refuse_far(who, held, target) if order.mode == "suppressing" else None
    return prepare.refuse_gun(state, who, held, mode) or far


def _on_watch(state: State, order: WatchFire) -> tuple[Fighter, Held, Mode]:
    """Who keeps overwatch, with which gun, and how it is fired."""
    who = state.fighter(order.unit)
    assert who.overwatch is not None
    held = who.carries(who.overwatch.weapon)
    return who, held, suppression.burst_of(held.fired) if order.mode == "suppressing" else order.mode


def begin_watch_fire(state: State, order: WatchFire) -> Exchange:
    """A burst at -20, after which the target tests not to be pinned."""
    (who, held, mode), target = _on_watch(state, order), state.find(order.target)
    if order.mode == "suppressing":
        return suppressing_fire(state, who, held, bearing(who, target.x, target.y), order, target.name)
    if isinstance(target, Fighter):
        came = next(entry for entry in state.entered if (entry.watcher, entry.target) == (who.name, target.name))
        state = state.changed(replace(target, cover_ap=came.cover_ap, hidden=came.hidden))
        target = state.fighter(target.name)
    pins = pins_of(state, [target])
    setting = prepare.setting_of(state, who, held, target, order, overwatch=True)
    blow = prepare.shot_blow(state, who, held, target, setting, mode, pins=pins)
    return prepare.exchange_of(state, who, (blow,), (target.name,))


@clause("DW-OVER-4")
def finish_watch_fire(state: State, order: WatchFire, exchange: Exchange) -> State:
    """Rounds are spent, and the watch is over unless the ruling lets it go on."""
    who, held, mode = _on_watch(state, order)
    after = emptied(state, who, held, mode, exchange)
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


SUPPRESS = by_gun(
    "suppress",
    "Suppressing fire",
    Suppressing,
    lambda order: "Suppressing Fire",
    lambda held, order: suppression.burst_of(held.fired),
    refuse_suppress,
    begin_suppress,
    *("DW-ACT-SUPPRESSING-FIRE", "DW-SUPP-1", "DW-SUPP-2", "DW-SUPP-3"),
)
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
