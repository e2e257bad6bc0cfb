"""A vehicle in its own turn: what it is, what it has done so far, and what that leaves it to do."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from battletape.clauses import clause
from battletape.errors import Refused
from battletape.rulesets.vehicles5.damage import Condition
from battletape.rulesets.vehicles5.firing import (
    Mode,
    fire_mode,
    is_defensive,
    refuse_barrage,
    refuse_set,
    refuse_targets,
)
from battletape.rulesets.vehicles5.movement import Move, limit, refuse_move
from battletape.rulesets.vehicles5.rulings import DEFAULT, Rulings
from battletape.rulesets.vehicles5.smoke import refuse_smoke
from battletape.rulesets.vehicles5.traits import Band, Declared, Phase, State, Traits
from battletape.rulesets.vehicles5.transports import Exit, leave, shooters
from battletape.rulesets.vehicles5.words import plain


class Gun(Struct, frozen=True):
    """A weapon, or one way of firing it, as its rights depend on it."""

    name: str
    strength: int  # as fired
    ordnance: bool = False
    mount: str = ""  # the weapon it is a way of firing; itself if there is but one
    lobs: bool = False  # can fire as a barrage

    @property
    def weapon(self) -> str:
        """What can be destroyed."""
        return self.mount or self.name


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
    stands: bool = False  # it was declared stationary
    other_target: bool = False  # it means to assault a unit that it did not fire at
    at: Phase | None = None  # the phase it is; None: the first in which all that can have happened
    rules: Rulings = DEFAULT

    @property
    def phase(self) -> Phase:
        """The phase it is."""
        return self.at or ("shooting" if self.ran or self.fired else "movement")

    @property
    def state(self) -> State:
        """What legality asks of its damage."""
        return self.condition.state

    @property
    def moved(self) -> bool:
        """Whether it has driven this turn; turning on the spot is no driving."""
        return self.has_moved or self.band != "stationary"


@clause("V5-MOVE-1", "V5-TRAN-8", "V5-TANK-2", "V5-SMOKE-1", "V5-MOVE-7")
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
    over = refuse_after_movement(now)
    if over is not None:
        return over
    if action == "pivot":
        if now.declared == "normal" or not now.moved:
            return None
        reason = f"it turns before it declares a {plain(now.declared)}, not during or after it"
        return Refused(reason, "V5-TANK-2", "declared")
    if now.moved:
        return Refused("it has moved already, and all its inches count as one move", "V5-MOVE-7", "moved")
    if now.stands:
        return Refused("it was declared stationary this turn", "V5-MOVE-1", "stationary")
    return None


@clause("V5-CORE-16", "V5-WALK-4")
def refuse_after_movement(now: Situation) -> Refused | None:
    """Why what belongs to the Movement phase is over: shots and runs come after it."""
    if now.ran:
        return Refused("it has run, and the Movement phase is over before that", "V5-CORE-16", "phase")
    if now.fired:
        return Refused("it has fired, and the Movement phase is over before that", "V5-CORE-16", "phase")
    if now.phase != "movement":
        return Refused(f"this belongs to the Movement phase; it is the {now.phase} phase", "V5-CORE-16", "phase")
    return None


@clause("V5-SMOKE-1", "V5-WALK-4")
def refuse_smoke_in(now: Situation, at_once: bool) -> Refused | None:
    """Why it may not set off its smoke, at once or once its move is over."""
    return refuse_smoke(
        now.traits,
        now.smoke_launchers,
        now.smoke_used or now.smoke_this_turn,
        now.phase,
        move_completed=now.moved or not at_once,
        declared_stationary=now.stands,
        ran=now.ran,
        rules=now.rules,
        state=now.state,
    )


def may_drive(now: Situation) -> float:
    """How many inches it may still drive."""
    return 0.0 if refuse_now("move", now) else limit(now.traits, now.on_road, rules=now.rules)


def mode_at(now: Situation, band: Band | None = None) -> Mode:
    """What it may fire after a move at this speed, or after the one it made."""
    mode = fire_mode(
        now.traits,
        now.band if band is None else band,
        now.state,
        smoke=now.smoke_this_turn,
        rammed=now.declared == "ram",
        ran=now.ran,
        rules=now.rules,
    )
    if now.fired and mode.why is None:
        return Mode(
            "none", False, False, Refused("it has fired this turn, all its weapons together", "V5-FIRE-0", "fired")
        )
    if now.phase == "assault" and mode.why is None:
        late = Refused("weapons are fired in the Shooting phase; it is the assault phase", "V5-CORE-16", "phase")
        return Mode("none", False, False, late)
    return mode


def mode_clause(traits: Traits, band: Band) -> str:
    """The clause that allows fire at a speed."""
    if traits.walker:
        return "V5-WALK-3"
    if band == "stationary":
        return "V5-FIRE-1"
    if traits.fast:
        return "V5-FAST-2" if band == "combat" else "V5-FAST-3"
    return "V5-FIRE-2"


@clause("V5-FIRE-5", "V5-DMG-3", "V5-DEF-1", "V5-ORD-4", "V5-FIRE-0")
def refuse_fire(
    now: Situation, guns: Sequence[Gun], lobbed: Sequence[Gun] = (), targets: Sequence[str] = ()
) -> Refused | None:
    """Why weapons, or ways of firing them, some as a barrage, may not all be used in one phase at these targets."""
    refused = refuse_set(mode_at(now), [(gun.strength, gun.ordnance) for gun in guns])
    for gun in lobbed:
        refused = refused or refuse_lobbing(now, gun)
    refused = refused or refuse_targets(targets)
    for at, gun in enumerate(guns):
        if gun.weapon not in now.condition.weapons:
            return refused or Refused(f"the {gun.weapon} is destroyed", "V5-DMG-3", "weapon")
        if gun.weapon in [other.weapon for other in guns[:at]]:
            return refused or Refused(f"the {gun.weapon} fires in one way in a phase", "V5-DEF-1", "weapon")
    return refused


@clause("V5-ORD-4")
def refuse_lobbing(now: Situation, gun: Gun) -> Refused | None:
    """Why a weapon may not be fired as a barrage."""
    if not gun.lobs:
        return Refused(f"the {gun.name} cannot be fired as a barrage", "V5-ORD-4", "barrage")
    return refuse_barrage(mode_at(now)) if gun.ordnance else None


def may_lob(now: Situation) -> bool:
    """Whether any of its weapons may fire as a barrage."""
    return any(gun.lobs and refuse_fire(now, (gun,), (gun,)) is None for gun in now.weapons)


def main_weapons(now: Situation) -> int:
    """How many main weapons may fire together, ordnance aside."""
    ready = {gun.weapon for gun in now.weapons if not gun.ordnance and not is_defensive(gun.strength)}
    usable = len(ready & set(now.condition.weapons))
    return {"all": usable, "one_main": min(1, usable), "none": 0}[mode_at(now).mode]


def passengers_shooting(now: Situation) -> tuple[int, bool]:
    """How many passengers may shoot from inside, and whether they count as moving."""
    return shooters(now.traits, now.fire_points, now.passengers, now.band, now.state, now.smoke_this_turn, now.rules)


def way_out(now: Situation) -> Exit | Refused:
    """What passengers who get out now may do, or why they may not get out."""
    over = None if now.state.is_destroyed else refuse_after_movement(now)
    if over is not None:
        return Refused(over.reason, "V5-TRAN-4", "phase")
    return leave(now.traits, now.moved, now.band, now.state, now.boarded, rules=now.rules)
