"""Tank shock: a straight drive through enemy units, which fall back, stand aside, or try death or glory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from operator import attrgetter
from typing import Any, Literal, TypeAlias

from battletape.rulebook import (
    Line,
    Procedure,
    Refused,
    State,
    Tape,
    capital,
    clause,
    inches,
    labelled,
    odds_of,
    replace,
)
from battletape.rulesets.vehicles5.profiles.book import rules_of
from battletape.rulesets.vehicles5.profiles.types import WeaponProfile
from battletape.rulesets.vehicles5.rules import damage
from battletape.rulesets.vehicles5.rules.damage import Condition, damage_line
from battletape.rulesets.vehicles5.rules.keywords import max_hits, shot_with_rules
from battletape.rulesets.vehicles5.rules.movement import band_of_distance, refuse_move, top_band
from battletape.rulesets.vehicles5.rules.shooting import Shot, ShotDraft, roll_and_apply
from battletape.rulesets.vehicles5.rules.terrain import after_failed_test, roll_tests, test_distances, within_reach
from battletape.rulesets.vehicles5.rules.traits import Ap, Band, DamageRow, PenDice, Relation, Traits
from battletape.rulesets.vehicles5.rules.troops import COHERENCY, ENEMY_GAP, capped, test_morale
from battletape.rulesets.vehicles5.rulings import DEFAULT, Rulings
from battletape.table.bases import Base
from battletape.table.hulls import Hull
from battletape.table.places import KeepOff, Near, shortest_ways
from battletape.table.points import TOLERANCE, Point
from battletape.table.sweeps import Obstacle, free_distance, swept

TankAfterAttack: TypeAlias = tuple[Condition, bool]  # a tank after an attack, and whether it is stopped


class GloryWeapon(State, frozen=True):
    """A weapon for a death or glory attack."""

    name: str
    strength: int
    ap: Ap | None = None
    dice: PenDice = "d6"
    hits: int = 1  # by the sheet only one of its shots counts
    rules: tuple[str, ...] = ()
    model: int = 0  # that carries it, by its place in the unit
    at: float | None = None  # inches of the tank when it reaches that model


FISTS = WeaponProfile(name="blow", type="melee")  # of a model without a blade


@clause("V5-DOG-2", "V5-CORE-14", "V5-CORE-23")
def glory_weapon(weapon: WeaponProfile, strength: int, unit_rules: Sequence[str] = ()) -> GloryWeapon:
    """Return a shot of a weapon, or a blow with it at this strength, with the special rules of the unit."""
    rules = tuple(dict.fromkeys((*rules_of(weapon), *unit_rules)))
    if weapon.type == "melee":
        return GloryWeapon(weapon.name, capped(strength * weapon.times), rules=rules)
    return GloryWeapon(weapon.name, weapon.strength or 1, weapon.ap, hits=weapon.shots, rules=rules)


@clause("V5-DOG-3", "V5-DOG-4")
def stops_tank(row: DamageRow, weapon_stops: bool = True) -> bool:
    """Return whether a damage result stops a tank; for a lost weapon a ruling decides."""
    return weapon_stops if row == "weapon_destroyed" else row not in ("none", "shaken")


@clause("V5-DOG-2", "V5-CORE-4")
def glory_shots(
    glory: GloryWeapon, front: int, open_topped: bool, rulings: Rulings, by: str = "defender"
) -> tuple[Shot, ...]:
    """Return the attack as sure hits on the tank's front, without cover."""
    draft = ShotDraft(glory.name, 0, glory.strength, front, glory.ap, glory.dice, open_topped=open_topped)
    draft = replace(draft, half_range=rulings.death_or_glory_melta == "half_range", by=by)
    all_shots = rulings.death_or_glory_hits == "all_shots"
    hits = max_hits(glory.rules, glory.hits) if all_shots else 1
    return (shot_with_rules(draft, glory.rules, rulings),) * hits


@clause("V5-DOG-3", "V5-DOG-2", "V5-DOG-4")
def resolve_glory_attack(tape: Tape, tank: Condition, shots: tuple[Shot, ...], weapon_stops: bool) -> TankAfterAttack:
    """Resolve a death or glory attack: the tank after it, and whether it is stopped."""
    return tape.each(resolve_glory_hit, (tank, False), tuple((shot, weapon_stops) for shot in shots))


@clause("V5-DOG-3", "V5-DOG-4", "V5-VOLLEY-2")
def resolve_glory_hit(tape: Tape, stand: TankAfterAttack, attack: tuple[Shot, bool]) -> TankAfterAttack:
    """Resolve one hit of the attack, as any shot at a vehicle."""
    tank, _ = stand
    shot, weapon_stops = attack
    if damage.is_beyond_damage(tank):
        return stand
    return roll_and_apply(tape, tank, shot, _after_glory_hit, (stand, weapon_stops), changed_hit_line)


def _after_glory_hit(before: tuple[TankAfterAttack, bool], result: damage.DamageResult) -> TankAfterAttack:
    (tank, stopped), weapon_stops = before
    stopped = stopped or stops_tank(damage.effective_row(tank, result[0] or "none"), weapon_stops)
    return damage.apply_result(tank, result), stopped


@lru_cache(256)
@clause("V5-DOG-3")
def chance_to_stop(tank: Condition, shots: tuple[Shot, ...], rulings: Rulings) -> Fraction:
    """Return the chance that an attack stops a tank."""
    return odds_of(resolve_glory_attack, tank, shots, rulings.dog_weapon_destroyed_stops).chance(lambda stand: stand[1])


TANK = "the tank"
"""The name of a tank in a sentence, where it has none."""
Kind: TypeAlias = Literal[
    "enemy_unit", "enemy_unit_engaged", "enemy_vehicle", "friendly", "terrain", "impassable", "edge"
]
StoppedBy: TypeAlias = Literal["", "glory", "friend", "enemy_vehicle", "engaged", "terrain", "edge"]
Tries: TypeAlias = Literal["never", "always", "choose"]
GLORY, ASIDE = "death or glory", "stand aside"
STOPPING_KINDS: Mapping[Kind, tuple[StoppedBy, float]] = {
    "friendly": ("friend", 0.0),
    "enemy_vehicle": ("enemy_vehicle", ENEMY_GAP),
    "enemy_unit_engaged": ("engaged", ENEMY_GAP),
    "impassable": ("terrain", 0.0),
    "edge": ("edge", 0.0),
}
"""The things that stop a tank: by which word, and how many inches before them."""
Obstruction: TypeAlias = tuple[Kind, str, Sequence[Obstacle]]  # its name and all parts of it


class ThingOnLine(State, frozen=True):
    """A unit, obstacle or edge on the line of a tank, so many inches ahead of its front."""

    kind: Kind
    at: float
    name: str = ""


class StraightDrive(State, frozen=True):
    """A straight drive if no unit stops it: its inches, the units on it, and what ends it."""

    moved: float
    shocked: tuple[str, ...]
    stopped_by: StoppedBy = ""


class ShockedUnit(State, frozen=True):
    """An enemy unit on the line, and the weapons of models in the tank's path."""

    name: str
    at: float
    ld: int
    falling_back: bool = False
    fearless: bool = False
    glory: tuple[GloryWeapon, ...] = ()
    tries: Tries = "choose"


class RoughGround(State, frozen=True):
    """Difficult or dangerous ground that begins so many inches ahead."""

    at: float


class Drive(State, frozen=True, kw_only=True):
    """A tank on its line: the state of `tank_shock`, and of the first half of `ram`."""

    start: Condition
    tank: Condition
    front: int
    traits: Traits = Traits(tank=True)
    declared: float = 0.0
    stop_at: float = 0.0  # where the line ends
    end: StoppedBy = ""  # what ends it there
    on_road: bool = False
    ram: bool = False
    units: tuple[ShockedUnit | RoughGround, ...] = ()  # in order of contact
    moved: float = 0.0
    stopped_by: StoppedBy = ""
    fled: tuple[str, ...] = ()
    killed: tuple[str, ...] = ()  # units that lost a model to the tank
    fallen_weapons: tuple[GloryWeapon, ...] = ()  # what these models had, in the same order
    met: tuple[str, ...] = ()  # units that were hit
    by: str = "defender"  # the side of the units
    rulings: Rulings = DEFAULT
    name: str = TANK

    @property
    def now(self) -> Condition:
        """Return the condition of the tank."""
        return self.tank


_at = attrgetter("at")


@clause("V5-TANK-4", "V5-TANK-1", "V5-TANK-2", "V5-TANK-3", "V5-RAM-3", "V5-SKIM-1", "V5-SKIM-2")
def straight_drive(
    traits: Traits,
    condition: Condition,
    declared: float,
    on_path: Sequence[ThingOnLine],
    *,
    on_road: bool = False,
    target_at: float | None = None,
    rulings: Rulings = DEFAULT,
) -> StraightDrive | Refused:
    """Return a declared drive as far as it goes if no unit stops it, or a refusal."""
    ram = target_at is not None
    band = band_of_distance(declared, traits, on_road, rulings)
    refused = refuse_move("ram" if ram else "tank_shock", traits, condition, rulings) or _too_short(declared, rulings)
    refused = refused or (band if isinstance(band, Refused) else None)
    if refused is not None:
        return refused
    moved: float = declared
    stopped_by: StoppedBy = ""
    for obstacle in on_path:
        if obstacle.kind not in STOPPING_KINDS or (traits.skimmer and obstacle.kind in ("friendly", "impassable")):
            continue
        word, margin = STOPPING_KINDS[obstacle.kind]
        reach = max(0.0, obstacle.at - (0.0 if ram and obstacle.kind == "enemy_vehicle" else margin))
        if word == "engaged" and rulings.engaged_on_the_line == "not_allowed" and reach < declared - TOLERANCE:
            reason = "units locked in combat are on the line, where the ruling engaged_on_the_line allows no tank shock"
            return Refused(reason, "V5-TANK-1", "engaged")
        if reach < moved or (reach == moved and not stopped_by and obstacle.at <= declared):
            moved, stopped_by = reach, word
    if target_at is not None and moved >= target_at - TOLERANCE:
        moved, stopped_by = min(moved, target_at), ""
    hit = sorted((unit for unit in on_path if unit.kind == "enemy_unit" and unit.at <= moved + TOLERANCE), key=_at)
    return StraightDrive(moved, tuple(dict.fromkeys(unit.name for unit in hit)), stopped_by)


@clause("V5-TANK-3", "V5-TERR-2")
def begin_drive(
    way: StraightDrive,
    shocked: Sequence[ShockedUnit],
    bad_ground: Sequence[tuple[Relation, float]],
    tank: Condition,
    **more: Any,
) -> Drive:
    """Return a tank about to drive along its line, through units and over bad ground."""
    edges = test_distances(more["traits"], within_reach(bad_ground, way.moved), way.moved, more["rulings"])
    units: tuple[ShockedUnit | RoughGround, ...] = (*shocked, *(RoughGround(edge) for edge in edges))
    return Drive(start=tank, tank=tank, stop_at=way.moved, end=way.stopped_by, units=units, **more)


def _too_short(declared: float, rulings: Rulings) -> Refused | None:
    least = 6 if rulings.tank_shock_least == "six_inches" else 0
    if declared > 0 and declared >= least - TOLERANCE:
        return None
    needed = f"{least} inches or more" if least else "more than 0 inches"
    return Refused(f"a tank shock goes {needed} straight ahead; {declared:g} were declared", "V5-TANK-2", "distance")


@clause("V5-TANK-3", "V5-TANK-4")
def things_ahead(
    hull: Hull, distance: float, units: Mapping[str, Sequence[Base]], solid: Iterable[Obstruction] = ()
) -> tuple[ThingOnLine, ...]:
    """Return everything on the lane ahead of a hull, in order of contact."""
    ahead = []
    for name, models in units.items():
        for contact in swept(hull, distance, models)[:1]:
            ahead.append(ThingOnLine("enemy_unit", contact.inches, name))
    for kind, name, obstacles in solid:
        margin = STOPPING_KINDS[kind][1]
        free = free_distance(hull, distance, obstacles, margin)
        if free < distance:
            ahead.append(ThingOnLine(kind, free + margin, name))
    return tuple(sorted(ahead, key=_at))


@clause("V5-TANK-7", "V5-CORE-17")
def ways_aside(
    hull: Hull, model: Base, comrades: Sequence[Base] = (), keep_off: Sequence[KeepOff] = ()
) -> tuple[Point, ...]:
    """Return the shortest ways out from under a tank; none where the model is lost."""
    near = (Near(tuple(comrades), COHERENCY),) if comrades else ()
    others = tuple(KeepOff(comrade) for comrade in comrades)
    return shortest_ways(model, (KeepOff(hull, ENEMY_GAP), *others, *keep_off), near)


@clause("V5-TANK-7")
def step_aside(tape: Tape, ways: tuple[Point, ...], by: str, name: str = "") -> Point | None:
    """Choose where a model under the tank goes."""
    places = {f"({way.x:.2f}, {way.y:.2f})": way for way in ways}
    return places[tape.choose(tuple(places), by=by, label=labelled(name, "way out"))] if places else None


@clause("V5-TANK-5", "V5-TANK-3", "V5-DOG-1")
def meet_thing(tape: Tape, drive: Drive, obstacle: ShockedUnit | RoughGround) -> Drive:
    """Reach bad ground or a unit, which tests its morale and may try to stop the tank."""
    if drive.stopped_by or obstacle.at > drive.stop_at + TOLERANCE:
        return drive
    if isinstance(obstacle, RoughGround):
        return _enter_rough_ground(tape, drive, obstacle)
    drive = replace(drive, met=(*drive.met, obstacle.name))
    label = labelled(obstacle.name, GLORY)
    if not tape.call(test_morale, obstacle.name, obstacle.ld, obstacle.falling_back, obstacle.fearless):
        tape.tell(meeting_line, obstacle.name, "falls back")
        return replace(drive, fled=(*drive.fled, obstacle.name))
    aside = obstacle.tries == "never" or not obstacle.glory
    if aside or (obstacle.tries == "choose" and tape.choose((GLORY, ASIDE), by=drive.by, label=label) == ASIDE):
        tape.tell(meeting_line, obstacle.name, "holds")
        return drive
    drive, glory = glory_attack(tape, drive, obstacle.glory, obstacle.at, obstacle.name)
    if drive.stopped_by:
        tape.tell(meeting_line, obstacle.name, "stopped", clause="V5-DOG-3")
        return drive
    tape.tell(meeting_line, obstacle.name, "model destroyed", clause="V5-DOG-4")
    return replace(drive, killed=(*drive.killed, obstacle.name), fallen_weapons=(*drive.fallen_weapons, glory))


@clause("V5-DOG-1", "V5-DOG-2", "V5-DOG-3")
def glory_attack(
    tape: Tape, drive: Drive, weapons: Sequence[GloryWeapon], at: float, name: str = GLORY
) -> tuple[Drive, GloryWeapon]:
    """Strike at the tank; return its drive after that, and the weapon chosen."""
    by_name = {glory.name: glory for glory in weapons}
    glory = by_name[tape.choose(tuple(by_name), by=drive.by, label=labelled(name, "weapon"))]
    place = at if glory.at is None else glory.at
    shots = glory_shots(glory, drive.front, drive.traits.open_topped, drive.rulings, drive.by)
    tank, stopped = tape.call(
        resolve_glory_attack, condition_at_speed(drive, place), shots, drive.rulings.dog_weapon_destroyed_stops
    )
    tape.tell(damage_line, drive.name, drive.tank, tank)
    drive = after_hit(drive, tank)
    if stopped:
        drive = replace(drive, moved=place, stopped_by="glory")
    return drive, glory


@clause("V5-SKIM-7")
def condition_at_speed(drive: Drive, inches: float) -> Condition:
    """Return the tank after so many inches; a skimmer may be so fast that it crashes."""
    return replace(drive.tank, crash=damage.crash_of(drive.traits, band_at(drive, inches), drive.rulings))


def after_hit(drive: Drive, tank: Condition) -> Drive:
    """Return the drive of a tank that was hit at speed."""
    return replace(drive, tank=replace(tank, crash=drive.start.crash))


@clause("V5-TANK-4", "V5-TERR-3")
def _enter_rough_ground(tape: Tape, drive: Drive, ground: RoughGround) -> Drive:
    if roll_tests(tape, (ground.at,)) is None:
        return drive
    tank = after_failed_test(drive.tank, drive.traits, band_at(drive, ground.at), drive.rulings)
    tape.tell("{} sticks at the edge of bad ground", capital(drive.name), clause=("V5-TANK-4", "V5-TERR-3"))
    tape.tell(damage_line, drive.name, drive.tank, tank)
    return replace(drive, tank=tank, moved=ground.at, stopped_by="terrain")


@clause("V5-TANK-6", "V5-RAM-2")
def band_at(drive: Drive, inches: float) -> Band:
    """Return the speed of a tank after so many inches; a ram is always at top speed."""
    band = band_of_distance(inches, drive.traits, drive.on_road, drive.rulings)
    return top_band(drive.traits) if drive.ram or isinstance(band, Refused) else band


@clause("V5-TANK-3", "V5-TANK-5")
def advance(tape: Tape, drive: Drive) -> Drive:
    """Drive straight ahead and meet everything on the line, in order of contact."""
    return tape.each(meet_thing, drive, tuple(sorted(drive.units, key=_at)))


@clause("V5-RAM-7")
def inches_rammer_drives_on(declared: float, driven_so_far: float, continues: bool) -> float:
    """Return how far the rammer drives on."""
    return max(0.0, declared - driven_so_far) if continues else 0.0


@clause("V5-TANK-4", "V5-TANK-6")
def end_of_move(tape: Tape, drive: Drive) -> Drive:
    """End the drive where something stops the tank."""
    ended = drive if drive.stopped_by else replace(drive, moved=drive.stop_at, stopped_by=drive.end)
    tape.tell(inches_driven_line, drive.name, ended.moved, clause=("V5-TANK-4", "V5-TANK-6"))
    return ended


TANK_SHOCK = Procedure("tank shock", (advance, end_of_move))


# --- what is told ---------------------------------------------------------------------------------------------------


def changed_hit_line(before: tuple[TankAfterAttack, bool], result: damage.DamageResult) -> Line | None:
    """Say why a hit on the tank does something else than the table says."""
    return damage.changed_result_line(before[0][0], result)


def meeting_line(name: str, result: str) -> Line:
    """Say how a unit meets the tank."""
    return Line(f"{capital(name)}: {_MEETINGS[result]}", result=result)


_MEETINGS = {
    "falls back": "the unit falls back",
    "holds": "the unit holds and lets the tank pass",
    "stopped": "death or glory stops the tank",
    "model destroyed": "the model that stood its ground is destroyed",
}


def inches_driven_line(name: str, way: float) -> Line:
    """Say how far the tank has driven."""
    return Line(f"{capital(name)} has driven {inches(round(way, 2))}", result=f"{way:g}")
