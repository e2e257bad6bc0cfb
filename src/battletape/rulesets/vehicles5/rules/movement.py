"""How far and how fast: the four speeds, roads, which moves are still allowed, and smoke after a move."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from battletape.rulebook import Refused, State, clause, plain
from battletape.rulesets.vehicles5.rules.damage import Condition
from battletape.rulesets.vehicles5.rules.traits import BANDS, Band, Declared, Phase, Traits
from battletape.rulesets.vehicles5.rulings import DEFAULT, Rulings
from battletape.rulesets.vehicles5.tables.printed import FAST_SKIMMER, SPEEDS
from battletape.table.points import TOLERANCE

Move: TypeAlias = Literal["move", "pivot", "tank_shock", "ram"]
Blocker: TypeAlias = Literal["friendly", "enemy", "enemy_vehicle"]
SMOKE_SAVE = 4


class WeaponUse(State, frozen=True):
    """A weapon, or one way of firing it."""

    name: str
    strength: int  # as fired
    ordnance: bool = False
    mount: str = ""  # the weapon it is a way of firing, if not itself
    can_barrage: bool = False  # can fire as a barrage

    @property
    def weapon(self) -> str:
        """Return the name of the weapon that can be destroyed."""
        return self.mount or self.name


class Situation(State, frozen=True):
    """What a vehicle is and what has happened to it this turn."""

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
    weapons: tuple[WeaponUse, ...] = ()
    on_road: bool = False
    boarded: bool = False  # the passengers got in this turn
    unit_left: bool = False  # a unit got out after its move
    will_not_move: bool = False  # it was declared stationary, or its move is over
    other_target: bool = False  # it assaults another unit than it fired at
    given_phase: Phase | None = None  # None: the first phase in which all that can happen
    rulings: Rulings = DEFAULT
    name: str = "it"
    locked_with: str = ""  # the unit that it fights
    unit_got_in_or_out: bool = False  # this turn

    @property
    def phase(self) -> Phase:
        """Return the current phase."""
        return self.given_phase or ("shooting" if self.ran or self.fired else "movement")

    @property
    def moved(self) -> bool:
        """Return whether the vehicle has driven this turn."""
        return self.has_moved or self.band != "stationary"


@clause("V5-MOVE-2", "V5-MOVE-1", "V5-MOVE-3", "V5-MOVE-4", "V5-MOVE-5", "V5-MOVE-6", "V5-FAST-1", "V5-SKIM-5")
def band_of_distance(
    distance: float, traits: Traits, on_road: bool = False, rulings: Rulings = DEFAULT
) -> Band | Refused:
    """Return the slowest speed that covers a distance, or a refusal if it is too far."""
    if distance < 0:
        return Refused(f"{distance:g} inches is no distance; 0 or more would do", "V5-MOVE-2", "distance")
    for band in BANDS:
        if distance <= max_inches(traits, on_road, band, rulings) + TOLERANCE:
            return band
    longest = max_inches(traits, on_road, rulings=rulings)
    road = " on a road" if _gains_from_road(traits, on_road, rulings) else ""
    reason = f"{distance:g} inches is more than the {longest:g} that {_kind_of_vehicle(traits)} may move{road}"
    return Refused(reason, max_inches_clause(traits, on_road, top_band(traits), rulings), "distance")


@clause("V5-MOVE-7", "V5-ASLT-5")
def bands_of_move(
    path_length: float, displacement: float, traits: Traits, on_road: bool = False, rulings: Rulings = DEFAULT
) -> tuple[Band, Band] | Refused:
    """Return the speeds of a move: for shooting by its path, for assaults by the distance from its start."""
    band = band_of_distance(path_length, traits, on_road, rulings)
    if isinstance(band, Refused):
        return band
    if displacement > path_length + TOLERANCE:
        reason = f"a path of {path_length:g} inches cannot lead {displacement:g} inches away"
        return Refused(reason, "V5-MOVE-7", "distance")
    return band, assault_band(displacement, traits)


@clause("V5-MOVE-7")
def assault_band(displacement: float, traits: Traits) -> Band:
    """Return the speed that counts for attackers in close combat, whatever the road."""
    for band in BANDS[:3]:
        if displacement <= SPEEDS[band][0] + TOLERANCE:
            return band
    return "flat_out" if traits.fast else "cruising"


@clause("V5-WALK-1", "V5-MOVE-4", "V5-MOVE-6")
def max_inches(traits: Traits, on_road: bool = False, band: Band | None = None, rulings: Rulings = DEFAULT) -> float:
    """Return the most inches of a speed, or of the top speed; 0 where it cannot go so fast."""
    top = top_band(traits)
    wanted = band or top
    if BANDS.index(wanted) > BANDS.index(top):
        return 0.0
    if wanted == "flat_out" and traits.skimmer:
        return float(FAST_SKIMMER)
    road = _gains_from_road(traits, on_road, rulings)
    if wanted == "cruising" and traits.fast and rulings.road_band == "by_inches":
        road = False
    return float(SPEEDS[wanted][road])


@clause("V5-FAST-1", "V5-WALK-1")
def top_band(traits: Traits) -> Band:
    """Return the fastest speed of a vehicle."""
    if traits.walker:
        return "combat"
    return "flat_out" if traits.fast else "cruising"


@clause("V5-FAST-1", "V5-WALK-1")
def refuse_band(wanted: Band, traits: Traits) -> Refused | None:
    """Refuse a speed that a vehicle of this kind cannot reach."""
    top = top_band(traits)
    if BANDS.index(wanted) <= BANDS.index(top):
        return None
    reason = f"{plain(wanted)} is too fast for this vehicle; {plain(top)} is the fastest it goes"
    return Refused(reason, "V5-WALK-1" if traits.walker else "V5-FAST-1", "band")


@clause("V5-MOVE-1", "V5-DMG-2", "V5-DMG-4", "V5-TANK-1", "V5-RAM-1")
def refuse_move(action: Move, traits: Traits, condition: Condition, rulings: Rulings = DEFAULT) -> Refused | None:
    """Refuse a move that the condition or kind of a vehicle does not allow."""
    what = "turn" if action == "pivot" else plain(action)
    if condition.is_destroyed:
        return Refused(f"a vehicle that is {condition.status} does not {what}", condition.ended_by, "destroyed")
    if action in ("tank_shock", "ram") and not traits.tank:
        by = "V5-TANK-1" if action == "tank_shock" else "V5-RAM-1"
        return Refused(f"only a tank may {what}; this is {_kind_of_vehicle(traits)}", by, "type")
    if condition.immobilised:
        return Refused(f"an immobilised vehicle may not {what}", "V5-DMG-4", "immobilised")
    if condition.stunned and action != "pivot":
        pivot = "; it may turn on the spot" if rulings.stunned_may_pivot else ""
        return Refused(f"a stunned vehicle may not {what}{pivot}", "V5-DMG-2", "stunned")
    if condition.stunned and not rulings.stunned_may_pivot:
        return Refused("a stunned vehicle may not turn by the ruling stunned_may_pivot", "V5-MOVE-1", "stunned")
    return None


@clause("V5-WALK-8")
def refuse_locked(name: str, locked_with: str) -> Refused | None:
    """Refuse any other action of a unit that is locked in a fight."""
    return Refused(f"{name}: locked in a fight with {locked_with}", "V5-WALK-8", "locked") if locked_with else None


@clause("V5-CORE-16")
def refuse_phase(action: str, now: Phase, *phases: Phase, by: str = "V5-CORE-16") -> Refused | None:
    """Refuse an action outside its phases."""
    if now in phases:
        return None
    named = " or ".join(phase.capitalize() for phase in phases)
    return Refused(f"{action} in the {named} phase; this is the {now.capitalize()} phase", by, "phase")


def refuse_move_now(action: Move, situation: Situation) -> Refused | None:
    """Refuse a move that the damage of a vehicle or its turn so far does not allow."""
    return refuse_move(action, situation.traits, situation.condition, situation.rulings) or refuse_further_move(
        action, situation
    )


@clause("V5-MOVE-1", "V5-TRAN-8", "V5-TANK-2", "V5-SMOKE-1", "V5-MOVE-7", "V5-CORE-16", "V5-WALK-4")
def refuse_further_move(action: Move, situation: Situation) -> Refused | None:
    """Refuse a move of a vehicle that has none left this turn."""
    refused = refuse_locked(situation.name, situation.locked_with) or refuse_driving_on(situation.unit_left)
    if refused is None and situation.smoke_this_turn:
        reason = f"{situation.name} has set off its smoke, which ends its move; it moves and turns before that"
        return Refused(reason, "V5-SMOKE-1", "smoke")
    refused = refused or refuse_phase("before it fires or runs, a vehicle moves", situation.phase, "movement")
    if refused is not None:
        return refused
    if action == "pivot":
        if situation.declared == "normal" or not (situation.moved or situation.will_not_move):
            return None
        reason = f"{situation.name} turns before a {plain(situation.declared)} is declared, not during or after it"
        return Refused(reason, "V5-TANK-2", "declared")
    if situation.moved:
        return Refused(
            f"{situation.name} has moved already, and all its inches count as one move", "V5-MOVE-7", "moved"
        )
    if situation.will_not_move:
        reason = f"{situation.name} was declared stationary, or did not get away, and at most turns on the spot"
        return Refused(reason, "V5-MOVE-1", "stationary")
    return None


def inches_left(situation: Situation) -> float:
    """Return how many inches a vehicle may still drive."""
    return (
        0.0
        if refuse_move_now("move", situation)
        else max_inches(situation.traits, situation.on_road, rulings=situation.rulings)
    )


@clause("V5-TRAN-8")
def refuse_driving_on(unit_left: bool) -> Refused | None:
    """Refuse to move a vehicle that a unit has left after its move."""
    reason = "once a unit gets out after the move, the vehicle may neither drive on nor turn in that turn"
    return Refused(reason, "V5-TRAN-8", "left") if unit_left else None


@clause("V5-FAST-5")
def refuse_flat_out(situation: Situation, band: Band | None) -> Refused | None:
    """Refuse flat-out speed, by a ruling, once a unit got in or out."""
    used = situation.unit_got_in_or_out or situation.boarded
    if band != "flat_out" or not used or not situation.rulings.flat_out_symmetric:
        return None
    reason = "a vehicle may not go flat out once a unit got in or out this turn (ruling flat_out_symmetric)"
    return Refused(reason, "V5-FAST-5", "flat_out")


@clause("V5-MOVE-1", "V5-TERR-4")
def refuse_turn(name: str, on_model: bool) -> Refused | None:
    """Refuse a turn on the spot that would end on a model."""
    return Refused(f"{name} would stand on a model as it turns", "V5-TERR-4", "model") if on_model else None


@clause("V5-TERR-4", "V5-SKIM-1", "V5-SKIM-4")
def refuse_path(traits: Traits, path: Sequence[Blocker], ends_on_model: bool, drives: bool = False) -> Refused | None:
    """Refuse a move that models in the way stop."""
    if traits.skimmer and ends_on_model:
        return Refused("a skimmer flies over models but may not come to rest on one", "V5-SKIM-4", "model")
    if traits.skimmer:
        return None
    if "friendly" in path:
        return Refused("there is a friend in the way, and vehicles do not drive through friends", "V5-TERR-4", "model")
    if path and not traits.tank:
        return Refused(f"{_kind_of_vehicle(traits)} may not drive through models; a tank may", "V5-TERR-4", "model")
    if "enemy" in path and drives:
        return Refused("enemies are in the way; a tank drives through them by tank shock", "V5-TERR-4", "model")
    if "enemy_vehicle" in path and drives:
        return Refused("an enemy vehicle is in the way; a tank drives into it by ramming", "V5-TERR-4", "model")
    return Refused("the hull may not come to rest on a model", "V5-TERR-4", "model") if ends_on_model else None


def _gains_from_road(traits: Traits, on_road: bool, rulings: Rulings) -> bool:
    return on_road and not traits.walker and (not traits.skimmer or rulings.road_bonus == "skimmers_too")


def _kind_of_vehicle(traits: Traits) -> str:
    if traits.walker:
        return "a walker"
    fast = "fast " if traits.fast else ""
    noun = "skimmer" if traits.skimmer else "tank" if traits.tank else "vehicle"
    return f"a {fast}{noun}" if fast or noun != "vehicle" else "an ordinary vehicle"


def max_inches_clause(traits: Traits, on_road: bool, band: Band, rulings: Rulings) -> str:
    """Return the clause about the inches of a speed."""
    road = on_road and max_inches(traits, True, band, rulings) > max_inches(traits, False, band, rulings)
    if band == "combat":
        return "V5-WALK-1" if traits.walker else "V5-MOVE-2"
    if band == "cruising":
        return "V5-MOVE-4" if road else "V5-MOVE-3"
    return "V5-SKIM-5" if traits.skimmer else "V5-MOVE-6" if road else "V5-MOVE-5"


# --- smoke ----------------------------------------------------------------------------------------------------------


@clause("V5-SMOKE-1", "V5-WALK-4")
def refuse_smoke(situation: Situation, at_once: bool = True) -> Refused | None:
    """Refuse smoke that a vehicle may not set off, at once or after its move."""
    if not situation.smoke_launchers:
        return Refused("this vehicle has no smoke launchers", "V5-SMOKE-1", "launchers")
    if situation.smoke_used or situation.smoke_this_turn:
        return Refused("smoke works once in a game, and this vehicle has used it", "V5-SMOKE-1", "used")
    if situation.condition.is_destroyed:
        return Refused(
            f"a {situation.condition.status} vehicle has no crew to set off smoke", "V5-SMOKE-1", "destroyed"
        )
    if situation.phase == "movement":
        if situation.moved or situation.will_not_move or not at_once:
            return None
        reason = "smoke is set off when the move is over or the vehicle is declared stationary; it is neither yet"
        return Refused(reason, "V5-SMOKE-1", "early")
    if not (situation.phase == "shooting" and situation.traits.walker and situation.ran):
        action = "smoke, but for that of a walker that ran, is set off"
        return refuse_phase(action, situation.phase, "movement", by="V5-SMOKE-1")
    if situation.rulings.walker_smoke_time == "move_only":
        return Refused("a walker sets off smoke after its move by the ruling walker_smoke_time", "V5-WALK-4", "phase")
    return None


@clause("V5-SMOKE-3")
def smoke_is_active(triggered: int, now: tuple[int, Phase]) -> bool:
    """Return whether smoke still counts: to the end of the enemy's next Shooting phase."""
    turn, phase = now
    return turn == triggered or (turn == triggered + 1 and phase != "assault")


@clause("V5-SMOKE-3")
def smoke_save(other: int | None = None, rulings: Rulings = DEFAULT) -> int | None:
    """Return the cover save of a vehicle in smoke that has this other cover, if any."""
    if rulings.smoke_cover == "bonus":
        return None if other is None else max(2, other - SMOKE_SAVE)  # no save is better than 2+
    return SMOKE_SAVE if other is None else min(SMOKE_SAVE, other)


@clause("V5-SMOKE-2")
def refuse_passengers_in_smoke(smoke_this_turn: bool, rulings: Rulings = DEFAULT) -> Refused | None:
    """Refuse passengers to shoot out of smoke, by a ruling."""
    if not smoke_this_turn or not rulings.smoke_stops_passengers:
        return None
    reason = (
        "the vehicle set off smoke this turn, and by the ruling smoke_stops_passengers passengers do not fire from it"
    )
    return Refused(reason, "V5-SMOKE-2", "smoke")
