"""What a vehicle may do in its own turn, line by line: by the same refusals as every order in a battle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from battletape.errors import Refused
from battletape.rulesets.vehicles5.rules import firing, geometry, movement, transports, walkers
from battletape.rulesets.vehicles5.rules.firing import fire_mode, mode_clause, refuse_fire
from battletape.rulesets.vehicles5.rules.movement import Situation, WeaponUse, limit, refuse_now
from battletape.rulesets.vehicles5.rules.shooting import best_cover
from battletape.rulesets.vehicles5.rules.traits import BANDS, Band
from battletape.rulesets.vehicles5.rules.walkers import refuse_deed
from battletape.rulesets.vehicles5.tables.printed import FireMode
from battletape.words import inches, listed, plural

# --- line by line ---------------------------------------------------------------------------------------------------


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
    """One thing that a vehicle, its crew or its passengers may or may not do: how much or why not, and the clause."""

    thing: str
    allowed: bool
    detail: str
    clause: str


def permissions_in(now: Situation) -> tuple[Permission, ...]:
    """Everything a vehicle may do from now on in its turn."""
    return (*_moving(now), *_shooting(now), *_carrying(now), *_walking(now), *_fighting(now))


def find_permission(lines: Sequence[Permission], thing: str) -> Permission | None:
    """The line about a thing, if there is one."""
    return next((line for line in lines if line.thing == thing), None)


def drive_that_way(now: Situation, path: Sequence[movement.Blocker], ends_on_model: bool) -> Permission:
    """The line about models in the way."""
    how, by = ("over them", "V5-SKIM-1") if now.traits.skimmer else ("by tank shock or ram", "V5-TERR-4")
    return _said("drive that way", movement.refuse_path(now.traits, path, ends_on_model), how, by)


def turn_that_way(now: Situation) -> Permission:
    """The line about turning so that it would stand on a model."""
    return _said("turn that way", refuse_now("pivot", now) or movement.refuse_turned(now.name, True), "", "")


def _said(thing: str, refused: Refused | None, detail: str, by: str) -> Permission:
    if refused is not None:
        return Permission(thing, False, refused.reason, refused.clause)
    return Permission(thing, True, detail, by)


def _moving(now: Situation) -> Iterator[Permission]:
    yield _said("turn on the spot", refuse_now("pivot", now), "as often as it likes", "V5-MOVE-1")
    refused = refuse_now("move", now)
    if refused is not None:
        yield _said("drive", refused, "", "")
    else:
        for band in BANDS[1 : BANDS.index(movement.top_band(now.traits)) + 1]:
            by = movement.limit_clause(now.traits, now.on_road, band, now.rules)
            yield _said(f"drive {SPEEDS[band]}", movement.refuse_flat_out(now, band), _reach(now, band), by)
    if now.traits.tank:
        top = limit(now.traits, now.on_road, rules=now.rules)
        yield _said("tank shock", refuse_now("tank_shock", now), f"straight ahead, up to {inches(top)}", "V5-TANK-1")
        ram = f"straight ahead at top speed, {inches(top)}; then it fires nothing"
        yield _said("ram", refuse_now("ram", now), ram, "V5-RAM-1")
    when = f"{'after its run' if now.ran else 'once its move is over'}; then it fires nothing this turn (V5-SMOKE-2)"
    yield _said("set off smoke", movement.refuse_smoke(now, at_once=False), when, "V5-SMOKE-1")


def _reach(now: Situation, band: Band) -> str:
    """How far at a speed, and what follows from it."""
    far = limit(now.traits, now.on_road, band, now.rules)
    said = [f"up to {inches(far)}", f"then it fires {what_it_fires(now, fire_mode(now, band))}"]
    if band == "flat_out":
        said.append("nobody gets in or out after it (V5-FAST-5)")
        cover = best_cover(now.traits, band, now.condition, False, None, now.rules)
        said += [f"a cover save of {cover}+ (V5-SKIM-6)"] if cover else []
    return "; ".join(said)


def what_it_fires(now: Situation, mode: firing.Mode) -> str:
    """What may be fired, in words."""
    if mode.why is not None:
        return f"nothing ({mode.why.clause})"
    alone = ", or one ordnance weapon alone" if any(gun.ordnance for gun in now.weapons) else ""
    return f"{FIRES[mode.mode]}{alone}"


def fire_together(
    now: Situation, guns: Sequence[WeaponUse], lobbed: Sequence[WeaponUse] = (), targets: Sequence[str] = ()
) -> Permission:
    """The line about weapons that are to fire together."""
    refused, names = refuse_fire(now, guns, lobbed, targets), listed([gun.name for gun in guns])
    return _said(f"fire the {names} together", refused, "at one target", mode_clause(now.traits, now.band))


def _shooting(now: Situation) -> Iterator[Permission]:
    mode, by = fire_mode(now), mode_clause(now.traits, now.band)
    yield _said("fire", mode.why, what_it_fires(now, mode), by)
    if mode.mode == "none":
        return
    for gun in now.weapons:
        if gun.ordnance:
            detail, of = f"S{gun.strength}, ordnance: it fires alone", "V5-ORD-1"
        elif firing.is_defensive(gun.strength):
            detail, of = f"S{gun.strength}, a defensive weapon", "V5-DEF-1"
        else:
            detail, of = f"S{gun.strength}, a main weapon", by
        yield _said(f"fire the {gun.name}", refuse_fire(now, (gun,)), detail, of)
        if gun.lobs:
            lobbed = refuse_fire(now, (gun,), (gun,))
            yield _said(f"fire the {gun.name} as a barrage", lobbed, "without sight as well", "V5-ORD-4")


def _carrying(now: Situation) -> Iterator[Permission]:
    if not now.passengers:
        return
    count, as_moving = transports.shooters(now)
    moving = ", counting as moving" if as_moving else ""
    by = "V5-OPEN-1" if now.traits.open_topped else "V5-TRAN-3"
    yield _said("passengers shoot", transports.refuse_passenger_fire(now), f"{plural(count, 'model')}{moving}", by)
    way = transports.leave(now)
    if isinstance(way, Refused):
        yield _said("passengers get out", way, "", "")
        return
    stays = "" if way.vehicle_may_turn else "; the vehicle then neither moves nor turns"
    said = f"and may {listed(way.deeds)}{stays}"
    yield Permission("passengers get out", True, said, transports.exit_clause(now, way))


def _walking(now: Situation) -> Iterator[Permission]:
    if not now.traits.walker:
        return
    run, turn, assault = (refuse_deed(deed, now) for deed in ("run", "pivot_when_firing", "assault"))
    yield _said("run", run, "D6 inches; then it neither fires nor assaults (V5-WALK-4)", "V5-WALK-1")
    yield _said("turn to fire", turn, "towards its target; this is no move", "V5-WALK-5")
    whom, by = ("the unit it fired at", "V5-WALK-7") if now.fired else ("any enemy in reach", "V5-WALK-6")
    yield _said("assault", assault, whom, by)


def _fighting(now: Situation) -> Iterator[Permission]:
    if now.traits.walker:
        deeds = walkers.in_a_fight(now.traits, now.condition)
        said = listed([walkers.DEEDS.get(deed, deed) for deed in deeds])
        may = f"it may {said}, and never tests its morale (V5-WALK-13)"
        gone = Refused(f"it is {now.condition.status}", "V5-WALK-8", "destroyed") if not deeds else None
        yield _said("close combat", gone, may, "V5-WALK-8")
    else:
        nothing = "nothing follows an assault on it: no result, no morale, nobody is locked"
        yield Permission("close combat", False, nothing, "V5-ASLT-8")
    yield _said("go to ground", geometry.refuse_go_to_ground(now.traits), "", "")
