"""Everything a vehicle may do this turn, and why not: one line for each thing, with its clause."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from battletape.errors import Refused
from battletape.rulesets.vehicles5.firing import Mode, is_defensive
from battletape.rulesets.vehicles5.geometry import refuse_go_to_ground
from battletape.rulesets.vehicles5.movement import limit, top_band
from battletape.rulesets.vehicles5.situation import (
    Gun,
    Situation,
    mode_at,
    mode_clause,
    passengers_shooting,
    refuse_fire,
    refuse_now,
    refuse_smoke_in,
    way_out,
)
from battletape.rulesets.vehicles5.tables import FireMode
from battletape.rulesets.vehicles5.traits import BANDS, Band
from battletape.rulesets.vehicles5.transports import refuse_passenger_fire
from battletape.rulesets.vehicles5.walkers import Deed, in_a_fight, refuse_walker
from battletape.rulesets.vehicles5.words import inches, listed, plural

FIRES: dict[FireMode, str] = {
    "all": "all weapons",
    "one_main": "one main weapon and all defensive ones",
    "none": "nothing",
}
SPEEDS: dict[Band, str] = {
    "stationary": "standing still",
    "combat": "at combat speed",
    "cruising": "at cruising speed",
    "flat_out": "flat out",
}


class Permission(Struct, frozen=True):
    """One thing a vehicle, its crew or its passengers may do or not: how much of it or why not, and the clause."""

    thing: str
    allowed: bool
    detail: str
    clause: str


def permissions_in(now: Situation) -> tuple[Permission, ...]:
    """Everything a vehicle may do from now on in its turn."""
    return (*_moving(now), *_smoking(now), *_shooting(now), *_carrying(now), *_walking(now), *_fighting(now))


def find_permission(found: Sequence[Permission], thing: str) -> Permission | None:
    """The line about a thing, if there is one."""
    return next((one for one in found if one.thing == thing), None)


def _said(thing: str, refused: Refused | None, detail: str, by: str) -> Permission:
    if refused is not None:
        return Permission(thing, False, refused.reason, refused.clause)
    return Permission(thing, True, detail, by)


# --- movement -------------------------------------------------------------------------------------------------------


def _moving(now: Situation) -> Iterator[Permission]:
    yield _said("turn on the spot", refuse_now("pivot", now), "as often as it likes", "V5-MOVE-1")
    refused = refuse_now("move", now)
    if refused is not None:
        yield _said("drive", refused, "", "")
    else:
        for band in BANDS[1 : BANDS.index(top_band(now.traits)) + 1]:
            yield Permission(f"drive {SPEEDS[band]}", True, _reach(now, band), _speed_clause(now, band))
    if now.traits.tank:
        top = limit(now.traits, now.on_road, rules=now.rules)
        straight = f"straight ahead, up to {inches(top)}"
        yield _said("tank shock", refuse_now("tank_shock", now), straight, "V5-TANK-1")
        ram = f"straight ahead at top speed, {inches(top)}; then it fires nothing"
        yield _said("ram", refuse_now("ram", now), ram, "V5-RAM-1")


def _reach(now: Situation, band: Band) -> str:
    """How far at a speed, and what follows from it."""
    mode = mode_at(now, band)
    said = [
        f"up to {inches(limit(now.traits, now.on_road, band, now.rules))}",
        f"then it fires {what_it_fires(now, mode)}",
    ]
    if band == "flat_out":
        said.append("nobody gets in or out after it (V5-FAST-5)")
        if now.traits.skimmer:
            said.append("a cover save of 4+ (V5-SKIM-6)")
    return "; ".join(said)


def _speed_clause(now: Situation, band: Band) -> str:
    road = now.on_road and limit(now.traits, True, band, now.rules) > limit(now.traits, False, band, now.rules)
    if band == "combat":
        return "V5-WALK-1" if now.traits.walker else "V5-MOVE-2"
    if band == "cruising":
        return "V5-MOVE-4" if road else "V5-MOVE-3"
    return "V5-SKIM-5" if now.traits.skimmer else "V5-MOVE-6" if road else "V5-MOVE-5"


def _smoking(now: Situation) -> Iterator[Permission]:
    refused = refuse_smoke_in(now, at_once=False)
    when = "after its run" if now.ran else "once its move is over"
    yield _said("set off smoke", refused, f"{when}; then it fires nothing this turn (V5-SMOKE-2)", "V5-SMOKE-1")


# --- shooting -------------------------------------------------------------------------------------------------------


def what_it_fires(now: Situation, mode: Mode) -> str:
    """What may be fired, in words."""
    if mode.why is not None:
        return f"nothing ({mode.why.clause})"
    alone = ", or one ordnance weapon alone" if any(gun.ordnance for gun in now.weapons) else ""
    return f"{FIRES[mode.mode]}{alone}"


def fire_together(
    now: Situation, guns: Sequence[Gun], lobbed: Sequence[Gun] = (), targets: Sequence[str] = ()
) -> Permission:
    """The line about weapons that are to fire together."""
    thing = f"fire the {listed([gun.name for gun in guns])} together"
    refused = refuse_fire(now, guns, lobbed, targets)
    return _said(thing, refused, "at one target", mode_clause(now.traits, now.band))


def _shooting(now: Situation) -> Iterator[Permission]:
    mode, by = mode_at(now), mode_clause(now.traits, now.band)
    yield _said("fire", mode.why, what_it_fires(now, mode), by)
    if mode.mode == "none":
        return
    for gun in now.weapons:
        if gun.ordnance:
            detail, of = f"S{gun.strength}, ordnance: it fires alone", "V5-ORD-1"
        elif is_defensive(gun.strength):
            detail, of = f"S{gun.strength}, a defensive weapon", "V5-DEF-1"
        else:
            detail, of = f"S{gun.strength}, a main weapon", by
        yield _said(f"fire the {gun.name}", refuse_fire(now, (gun,)), detail, of)
        if gun.lobs:
            lobbed = refuse_fire(now, (gun,), (gun,))
            yield _said(f"fire the {gun.name} as a barrage", lobbed, "without sight as well", "V5-ORD-4")


# --- passengers and walkers -----------------------------------------------------------------------------------------


def _carrying(now: Situation) -> Iterator[Permission]:
    if not now.passengers:
        return
    smoke = now.smoke_this_turn
    refused = refuse_passenger_fire(now.traits, now.fire_points, now.band, now.state, smoke, now.rules)
    count, as_moving = passengers_shooting(now)
    moving = ", counting as moving" if as_moving else ""
    by = "V5-OPEN-1" if now.traits.open_topped else "V5-TRAN-3"
    yield _said("passengers shoot", refused, f"{plural(count, 'model')}{moving}", by)
    way = way_out(now)
    if isinstance(way, Refused):
        yield _said("passengers get out", way, "", "")
        return
    deeds = (("move", way.may_move), ("shoot", way.may_shoot), ("assault", way.may_assault))
    may = listed([deed for deed, allowed in deeds if allowed])
    stays = "" if way.vehicle_may_turn else "; the vehicle then neither moves nor turns"
    moved_by = "V5-OPEN-3" if now.traits.open_topped else "V5-TRAN-8"
    yield Permission("passengers get out", True, f"and may {may}{stays}", moved_by if now.moved else "V5-TRAN-9")


def _walking(now: Situation) -> Iterator[Permission]:
    if not now.traits.walker:
        return
    ran = Refused("it has run this turn", "V5-WALK-1", "ran") if now.ran else None
    run = ran or refuse_walker("run", fired=now.fired, state=now.state)
    yield _said("run", run, "D6 inches; then it neither fires nor assaults (V5-WALK-4)", "V5-WALK-1")
    turn = refuse_walker("pivot_when_firing", ran=now.ran, state=now.state) or mode_at(now).why
    yield _said("turn to fire", turn, "towards its target; this is no move", "V5-WALK-5")
    whom = "the unit it fired at" if now.fired else "any enemy in reach"
    assault = refuse_walker(
        "assault",
        fired=now.fired,
        target_is_fired_unit=not now.other_target,
        ran=now.ran,
        state=now.state,
        rules=now.rules,
    )
    yield _said("assault", assault, whom, "V5-WALK-7" if now.fired else "V5-WALK-6")


# --- close combat, and what no vehicle does -------------------------------------------------------------------------


def _fighting(now: Situation) -> Iterator[Permission]:
    if now.traits.walker:
        deeds = in_a_fight(now.traits, now.state, now.rules)
        may = f"it may {listed([DEEDS[deed] for deed in deeds])}, and never tests its morale (V5-WALK-13)"
        gone = Refused(f"it is {now.state.status}", "V5-WALK-8", "destroyed") if not deeds else None
        yield _said("close combat", gone, may, "V5-WALK-8")
    else:
        nothing = "nothing follows an assault on it: no result, no morale, nobody is locked"
        yield Permission("close combat", False, nothing, "V5-ASLT-8")
    yield _said("go to ground", refuse_go_to_ground(now.traits), "", "")


DEEDS: dict[Deed, str] = {
    "fight": "fight on",
    "pile_in": "pile in",
    "sweeping_advance": "sweep after those who flee",
    "consolidate": "consolidate",
}
