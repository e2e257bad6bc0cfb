"""Everything a vehicle may do this turn, and why not: one line for each thing, with its clause."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from battletape.clauses import clause
from battletape.errors import Refused
from battletape.rulesets.vehicles5.damage import Condition
from battletape.rulesets.vehicles5.firing import Mode, fire_mode, is_defensive, refuse_barrage, refuse_set
from battletape.rulesets.vehicles5.movement import Move, limit, refuse_move, top_band
from battletape.rulesets.vehicles5.rulings import DEFAULT, Rulings
from battletape.rulesets.vehicles5.smoke import refuse_smoke
from battletape.rulesets.vehicles5.tables import FireMode
from battletape.rulesets.vehicles5.traits import BANDS, Band, Declared, State, Traits
from battletape.rulesets.vehicles5.transports import Exit, leave, refuse_passenger_fire, shooters
from battletape.rulesets.vehicles5.walkers import refuse_walker
from battletape.rulesets.vehicles5.words import inches, listed, plain, plural

FIRES: dict[FireMode, str] = {
    "all": "all weapons, or one ordnance weapon alone",
    "one_main": "one main weapon and all defensive ones, or one ordnance weapon alone",
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


class Gun(Struct, frozen=True):
    """A weapon as its rights depend on it: the strength as fired, and whether it is ordnance."""

    name: str
    strength: int
    ordnance: bool = False


class Situation(Struct, frozen=True):
    """What a vehicle is and what has happened to it and around it this turn."""

    traits: Traits
    condition: Condition
    band: Band = "stationary"
    declared: Declared = "normal"
    smoke_launchers: bool = False
    smoke_used: bool = False
    smoke_this_turn: bool = False
    ran: bool = False
    fired: bool = False
    passengers: int = 0
    fire_points: int = 0
    has_moved: bool = False
    weapons: tuple[Gun, ...] = ()
    on_road: bool = False
    boarded: bool = False  # the passengers got in this turn
    unit_left: bool = False  # a unit got out after its move this turn
    rules: Rulings = DEFAULT

    @property
    def state(self) -> State:
        """What legality asks of its damage."""
        return self.condition.state

    @property
    def moved(self) -> bool:
        """Whether it has driven this turn; turning on the spot is no driving."""
        return self.has_moved or self.band != "stationary"


def permissions(
    traits: Traits,
    condition: Condition,
    band: Band = "stationary",
    *,
    declared: Declared = "normal",
    smoke_launchers: bool = False,
    smoke_used: bool = False,
    smoke_this_turn: bool = False,
    ran: bool = False,
    fired: bool = False,
    passengers: int = 0,
    fire_points: int = 0,
    has_moved: bool = False,
    weapons: Sequence[tuple[str, int, bool]] = (),
    rules: Rulings = DEFAULT,
) -> tuple[Permission, ...]:
    """Everything a vehicle may do from now on in its turn; weapons are name, strength as fired, whether ordnance."""
    now = Situation(
        traits,
        condition,
        band,
        declared,
        smoke_launchers,
        smoke_used,
        smoke_this_turn,
        ran,
        fired,
        passengers,
        fire_points,
        has_moved,
        tuple(Gun(*one) for one in weapons),
        rules=rules,
    )
    return permissions_in(now)


def permissions_in(now: Situation) -> tuple[Permission, ...]:
    """Everything a vehicle may do from now on in its turn."""
    return (*_moving(now), *_smoking(now), *_shooting(now), *_carrying(now), *_walking(now))


def find_permission(found: Sequence[Permission], thing: str) -> Permission | None:
    """The line about a thing, if there is one."""
    return next((one for one in found if one.thing == thing), None)


def _said(thing: str, refused: Refused | None, detail: str, by: str) -> Permission:
    if refused is not None:
        return Permission(thing, False, refused.reason, refused.clause)
    return Permission(thing, True, detail, by)


# --- movement -------------------------------------------------------------------------------------------------------


@clause("V5-MOVE-1", "V5-TRAN-8", "V5-TANK-3", "V5-SMOKE-1", "V5-MOVE-7")
def refuse_now(action: Move, now: Situation) -> Refused | None:
    """Why a vehicle may not move, turn, tank shock or ram any more, by its damage or by what it did this turn."""
    refused = refuse_move(action, now.traits, now.state, now.rules)
    if refused is not None:
        return refused
    if now.unit_left:
        reason = "a unit got out after its move, and the vehicle neither moves nor turns any more"
        return Refused(reason, "V5-TRAN-8", "left")
    if now.smoke_this_turn:
        return Refused("smoke is set off when the move is over, and it has been", "V5-SMOKE-1", "smoke")
    if action == "pivot":
        if now.declared == "normal" or not now.moved:
            return None
        by = "V5-RAM-3" if now.declared == "ram" else "V5-TANK-3"
        return Refused(f"after a {plain(now.declared)} it stays as it came to rest", by, "declared")
    if now.moved:
        return Refused("it has moved already, and all its inches count as one move", "V5-MOVE-7", "moved")
    return None


def may_drive(now: Situation) -> float:
    """How many inches it may still drive."""
    return 0.0 if refuse_now("move", now) else limit(now.traits, now.on_road, rules=now.rules)


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
    said = [f"up to {inches(limit(now.traits, now.on_road, band, now.rules))}", f"then it fires {FIRES[mode.mode]}"]
    if mode.why is not None:
        said[-1] += f" ({mode.why.clause})"
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
    phase = "shooting" if now.ran else "movement"
    refused = refuse_smoke(
        now.traits,
        now.smoke_launchers,
        now.smoke_used or now.smoke_this_turn,
        "shooting" if now.ran else "movement",
        move_completed=True,
        ran=now.ran,
        rules=now.rules,
        state=now.state,
    )
    when = "after its run" if phase == "shooting" else "once its move is over"
    yield _said("set off smoke", refused, f"{when}; then it fires nothing this turn (V5-SMOKE-2)", "V5-SMOKE-1")


# --- shooting -------------------------------------------------------------------------------------------------------


def mode_at(now: Situation, band: Band | None = None) -> Mode:
    """What it may fire after a move at this speed, or after the one it made."""
    return fire_mode(
        now.traits,
        now.band if band is None else band,
        now.state,
        smoke=now.smoke_this_turn,
        rammed=now.declared == "ram",
        ran=now.ran,
        rules=now.rules,
    )


def mode_clause(traits: Traits, band: Band) -> str:
    """The clause that allows fire at a speed."""
    if traits.walker:
        return "V5-WALK-3"
    if band == "stationary":
        return "V5-FIRE-1"
    if traits.fast:
        return "V5-FAST-2" if band == "combat" else "V5-FAST-3"
    return "V5-FIRE-2"


def may_fire(now: Situation, gun: Gun) -> Refused | None:
    """Why a weapon may not fire, even alone."""
    if gun.name not in now.condition.weapons:
        return Refused(f"the {gun.name} is destroyed", "V5-DMG-3", "weapon")
    return refuse_set(mode_at(now), [(gun.strength, gun.ordnance)])


def may_fire_together(now: Situation, guns: Sequence[Gun]) -> Permission:
    """Whether weapons may all fire in one phase."""
    lost = (may_fire(now, gun) for gun in guns if gun.name not in now.condition.weapons)
    refused = next(lost, None) or refuse_set(mode_at(now), [(gun.strength, gun.ordnance) for gun in guns])
    thing = f"fire {listed([gun.name for gun in guns])} together"
    return _said(thing, refused, "at one target", mode_clause(now.traits, now.band))


def _shooting(now: Situation) -> Iterator[Permission]:
    mode, by = mode_at(now), mode_clause(now.traits, now.band)
    yield _said("fire", mode.why, FIRES[mode.mode], by)
    if mode.mode == "none":
        return
    for gun in now.weapons:
        if gun.ordnance:
            detail, of = f"S{gun.strength}, ordnance: it fires alone", "V5-ORD-1"
        elif is_defensive(gun.strength):
            detail, of = f"S{gun.strength}, a defensive weapon", "V5-DEF-1"
        else:
            detail, of = f"S{gun.strength}, a main weapon", by
        yield _said(f"fire the {gun.name}", may_fire(now, gun), detail, of)
    if any(gun.ordnance for gun in now.weapons):
        yield _said("fire ordnance as a barrage", refuse_barrage(mode), "if it is a barrage weapon", "V5-ORD-4")


# --- passengers and walkers -----------------------------------------------------------------------------------------


def passengers_shooting(now: Situation) -> int:
    """How many passengers may shoot from inside."""
    return shooters(
        now.traits, now.fire_points, now.passengers, now.band, now.state, now.smoke_this_turn, now.rules
    )[0]


def way_out(now: Situation) -> Exit | Refused:
    """What passengers who get out now may do, or why they may not get out."""
    return leave(now.traits, now.moved, now.band, now.state, now.boarded, rules=now.rules)


def _carrying(now: Situation) -> Iterator[Permission]:
    if not now.passengers:
        return
    smoke = now.smoke_this_turn
    refused = refuse_passenger_fire(now.traits, now.fire_points, now.band, now.state, smoke, now.rules)
    moving = ", counting as moving" if now.band != "stationary" else ""
    by = "V5-OPEN-1" if now.traits.open_topped else "V5-TRAN-3"
    yield _said("passengers shoot", refused, f"{plural(passengers_shooting(now), 'model')}{moving}", by)
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
    smoke = Refused("", "V5-WALK-4") if False else None
    yield _said(
        "run", ran or smoke or refuse_walker("run", fired=now.fired, state=now.state), "D6 inches, no fire", "V5-WALK-1"
    )
    turn = refuse_walker("pivot_when_firing", ran=now.ran, state=now.state) or mode_at(now).why
    yield _said("turn to fire", turn, "towards its target; this is no move", "V5-WALK-5")
    whom = "the unit it fired at" if now.fired else "any enemy in reach"
    assault = refuse_walker("assault", fired=now.fired, ran=now.ran, state=now.state, rules=now.rules)
    yield _said("assault", assault, whom, "V5-WALK-7" if now.fired else "V5-WALK-6")
