"""Shooting at a vehicle: facings, the steps of a shot, and volleys."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, Literal, TypeAlias, TypeVar

from battletape.rulebook import (
    D6,
    Line,
    Procedure,
    Sentence,
    State,
    Tape,
    at_least,
    clause,
    labelled,
    odds_of,
    replace,
)
from battletape.rulesets.vehicles5.rules import damage
from battletape.rulesets.vehicles5.rules.damage import BelowTable, Condition, DamageResult
from battletape.rulesets.vehicles5.rules.movement import smoke_save
from battletape.rulesets.vehicles5.rules.traits import Ap, Band, DamageRow, Hit, PenDice, Traits
from battletape.rulesets.vehicles5.rulings import DEFAULT, Rulings
from battletape.rulesets.vehicles5.tables.printed import BS_TO_HIT, NEVER
from battletape.table import facings
from battletape.table.facings import Facing
from battletape.table.hulls import Hull
from battletape.table.points import Point, wrap

T = TypeVar("T")
BlowAt: TypeAlias = Literal["", "vehicle", "walker"]  # what a blow falls on; nothing for a shot
ShotResult: TypeAlias = Literal["missed", "stopped", "glance", "penetrate"]  # stopped by armour or cover
FLAT_OUT_SAVE = 4  # of a fast skimmer
STEPS = {
    False: ("target", "facing_and_to_hit", "note_av", "penetration", "cover_save", "damage"),
    True: ("target", "facing_and_to_hit", "cover_save", "note_av", "penetration", "damage"),
}
"""The steps of a shot, by whether cover comes right after the hit."""


@clause("V5-SHOT-10")
def shooting_steps(rulings: Rulings = DEFAULT) -> tuple[str, ...]:
    """Return the steps in the order in which the dice are thrown."""
    return STEPS[rulings.cover_step == "after_hit"]


class ShotDraft(State, frozen=True):
    """A shot before special rules change it: weapon, facing and circumstances."""

    name: str
    hits_on: int = NEVER  # 0: no roll; 7: never
    strength: int = 4
    av: int = 10
    ap: Ap | None = None
    dice: PenDice = "d6"
    bonus: int = 0
    cover: int = 0  # 0: none
    open_topped: bool = False
    rerolls: bool = False
    half_range: bool = False
    template: bool = False
    extra: int = 0  # further damage modifiers
    by: str = "attacker"
    blow_at: BlowAt = ""
    rulings: Rulings = DEFAULT


class TargetArmour(State, frozen=True):
    """The armour and cover of a vehicle that is fired at."""

    front: int
    side: int
    rear: int
    cover: int = 0  # the save; 0: none
    open_topped: bool = False

    def armour(self, facing: Facing) -> int:
        """Return the armour of a facing."""
        return facings.armour_at(self, facing)


class Shot(State, frozen=True):
    """A shot or blow with everything that its dice need."""

    name: str
    hits_on: int
    rerolls_to_hit: bool  # roll a miss once more
    rerolls_penetration: bool  # the same for a template's penetration
    armour_gap: int  # AV − S − bonus, after lance and halving
    dice: PenDice
    modifier: int  # of a penetration; a glance is 2 less
    cover: int
    cover_first: bool = False  # the ruling cover_step
    below_table: BelowTable = "clamp"  # the ruling damage_range
    by: str = "attacker"
    blow_at: BlowAt = ""
    known_result: Literal["", "glance", "penetrate"] = ""  # its penetration, where that is known
    av: int = 0  # the armour to beat, for the words of the roll

    @property
    def roller(self) -> str:
        """Return the side that rolls the dice, as the tape names it."""
        return "defender" if self.by == "defender" else ""


class Expected(State, frozen=True):
    """Expected numbers of a volley, as if the target could not be destroyed."""

    hits: Fraction = Fraction(0)
    glancing: Fraction = Fraction(0)
    penetrating: Fraction = Fraction(0)


class Volley(State, frozen=True):
    """The state of a volley, or of several in a row."""

    start: Condition
    now: Condition
    volleys: tuple[tuple[Shot, ...], ...]
    expected: Expected
    turns_apart: bool = False  # a turn apart
    done: int = 0
    destroyed_in: int = 0
    ends: tuple[int, int] = (0, 0)  # of shaken and stunned; each volley is fired in player turn 1
    rulings: Rulings = DEFAULT


@clause("V5-CORE-1")
def bs_to_hit(bs: int) -> int:
    """Return what a shot needs to hit; 7 cannot be rolled."""
    return BS_TO_HIT[bs]


@clause("V5-CORE-4", "V5-SKIM-6", "V5-SMOKE-3")
def best_cover(
    traits: Traits, band: Band, condition: Condition, smoke: bool, terrain: int | None, rulings: Rulings = DEFAULT
) -> int | None:
    """Return the best cover save of terrain, speed and smoke, which do not add up."""
    other = terrain
    if traits.fast and traits.skimmer and band == "flat_out" and not condition.immobilised:
        other = min(terrain or FLAT_OUT_SAVE, FLAT_OUT_SAVE)
    return smoke_save(other, rulings) if smoke else other


@clause("V5-SHOT-4")
def facing_at(bearing: float, rulings: Rulings = DEFAULT, length: float = 1, width: float = 1) -> Facing:
    """Return the facing in whose quarter a bearing lies; 0 is dead ahead."""
    return facings.facing_at(bearing, model=rulings.facing_model, length=length, width=width)


@clause("V5-SHOT-4", "V5-WALK-17")
def facing_from(hull: Hull, point: Point, rulings: Rulings = DEFAULT) -> Facing:
    """Return the facing in whose quarter a firer, a hole or a point of impact lies."""
    return facings.facing(hull, point, model=rulings.facing_model)


@clause("V5-SHOT-5", "V5-SHOT-4", "V5-WALK-17")
def facing_groups(
    bearings: Sequence[float], rulings: Rulings = DEFAULT, length: float = 1, width: float = 1, heading: float = 0
) -> dict[Facing, tuple[int, ...]]:
    """Group the firers (by place in the list) by the facing they shoot at."""
    facings_seen = [facing_at(wrap(bearing - heading), rulings, length, width) for bearing in bearings]
    sides: tuple[Facing, ...] = ("front", "side", "rear")
    return {side: tuple(index for index, facing in enumerate(facings_seen) if facing == side) for side in sides}


@clause("V5-SHOT-10", "V5-SHOT-5", "V5-PEN-1")
def note_armour(tape: Tape, draft: ShotDraft) -> Shot:
    """Note the armour of the facing that is shot at, and all modifiers."""
    rulings = draft.rulings
    return Shot(
        draft.name,
        draft.hits_on,
        rerolls_to_hit=draft.rerolls and not draft.template,
        rerolls_penetration=draft.rerolls and draft.template,
        armour_gap=draft.av - draft.strength - draft.bonus,
        dice=draft.dice,
        modifier=damage.damage_modifier(draft.ap, draft.open_topped, rulings, draft.extra),
        cover=draft.cover,
        cover_first=bool(draft.cover) and rulings.cover_step == "after_hit",
        below_table=rulings.damage_range,
        by=draft.by,
        blow_at=draft.blow_at,
        av=draft.av,
    )


@clause("V5-MARK-2", "V5-SHOT-10", "V5-VOLLEY-1", "V5-ASLT-6")
def roll_shot(tape: Tape, shot: Shot) -> DamageRow | None:
    """Roll one shot or blow up to its damage result; None if it comes to none."""
    result: ShotResult = tape.call(roll_to_damage, shot)
    if result == "missed" or result == "stopped":
        return None
    by = damage.modifier_of_result(shot.modifier, result)
    row: DamageRow = tape.call(damage.roll_row, shot.name, by, shot.below_table, shot.roller)
    return row


@clause("V5-SHOT-10", "V5-ASLT-6")
def roll_to_damage(tape: Tape, shot: Shot) -> ShotResult:
    """Roll to hit, to penetrate and for cover, in the order of the rulings."""
    if shot.known_result:
        return shot.known_result
    result: ShotResult = "penetrate"
    for step in STEPS[shot.cover_first]:
        if step in ROLLS and result not in ("missed", "stopped"):
            result = ROLLS[step](tape, shot, result)
    return result


def _roll_to_hit(tape: Tape, shot: Shot, result: ShotResult) -> ShotResult:
    if not shot.hits_on:
        return result
    hits = tape.call(TO_HIT[shot.blow_at], shot.name, shot.hits_on, shot.rerolls_to_hit, shot.roller)
    return result if hits else "missed"


def _roll_penetration(tape: Tape, shot: Shot, result: ShotResult) -> ShotResult:
    hit: Hit = tape.call(damage.penetrate, shot.name, shot.dice, shot.armour_gap, shot.av, shot.roller)
    if hit == "none" and shot.rerolls_penetration:
        hit = tape.call(damage.penetrate, shot.name, shot.dice, shot.armour_gap, shot.av, shot.roller)
    return "stopped" if hit == "none" else hit


def _roll_cover(tape: Tape, shot: Shot, result: ShotResult) -> ShotResult:
    return "stopped" if shot.cover and tape.call(roll_cover, shot.cover, shot.name) else result


ROLLS = {"facing_and_to_hit": _roll_to_hit, "penetration": _roll_penetration, "cover_save": _roll_cover}


@clause("V5-CORE-1", "V5-CORE-2")
def roll_to_hit(tape: Tape, name: str, needs: int, again: bool = False, by: str = "", dice: int | None = None) -> int:
    """Roll how many of so many dice hit, or whether a single shot does."""
    hits = 0
    if needs >= NEVER:
        return hits
    for what in ("to hit", "to hit again") if again else ("to hit",):
        if dice is not None:
            hits += tape.pool(dice - hits, D6, at_least(needs), label=labelled(name, what), by=by)[True]
        elif not hits:
            hits = int(tape.roll(D6, at_least(needs), label=labelled(name, what), by=by))
    return hits


@clause("V5-ASLT-5")
def strike_vehicle(tape: Tape, name: str, needs: int, again: bool = False, by: str = "") -> int:
    """Roll to hit a vehicle in close combat."""
    return roll_to_hit(tape, name, needs, again, by)


@clause("V5-WALK-8", "V5-WALK-10", "V5-CORE-10")
def strike_walker(tape: Tape, name: str, needs: int, again: bool = False, by: str = "") -> int:
    """Roll to hit a walker in close combat."""
    return roll_to_hit(tape, name, needs, again, by)


TO_HIT = {"": roll_to_hit, "vehicle": strike_vehicle, "walker": strike_walker}


@clause("V5-CORE-4")
def roll_cover(tape: Tape, save: int, name: str = "") -> bool:
    """Roll whether cover stops a hit."""
    return bool(tape.roll(D6, at_least(save), label=labelled(name, "cover save"), by="defender"))


@clause("V5-VOLLEY-2", "V5-MARK-1", "V5-ASLT-6")
def resolve_shot(tape: Tape, condition: Condition, shot: Shot) -> Condition:
    """Resolve one shot or blow at a vehicle, unless it is gone."""
    if damage.is_beyond_damage(condition):
        return condition
    return roll_and_apply(tape, condition, shot, damage.apply_result, condition, damage.changed_result_line)


@clause("V5-MARK-1", "V5-ASLT-6")
def roll_and_apply(
    tape: Tape, condition: Condition, shot: Shot, then: Callable[[Any, DamageResult], T], rest: Any, tell: Sentence
) -> T:
    """Roll the damage result of a shot or a blow, log it, and go on with the rest."""
    return tape.call(
        damage.roll_damage_result, roll_shot, shot, *damage.weapon_choice(condition), then=then, rest=rest, tell=tell
    )


@lru_cache(512)
@clause("V5-MARK-2")
def _expected(shot: Shot) -> Expected:
    result = odds_of(roll_to_damage, shot)
    return Expected(1 - result.chance("missed"), result.chance("glance"), result.chance("penetrate"))


@clause("V5-MARK-2")
def expected(shots: Sequence[Shot]) -> Expected:
    """Return expected hits, glances and penetrations if all shots are fired, even at a wreck."""
    total = Expected()
    for shot, count in Counter(shots).items():
        each = _expected(shot)
        total = Expected(
            total.hits + count * each.hits,
            total.glancing + count * each.glancing,
            total.penetrating + count * each.penetrating,
        )
    return total


def begin_volleys(
    condition: Condition, volleys: Sequence[Sequence[Shot]], turns_apart: bool = False, rulings: Rulings = DEFAULT
) -> Volley:
    """Return one volley or several about to be fired."""
    shots = [shot for volley in volleys for shot in volley]
    if turns_apart:
        condition = replace(condition, max_repeats=damage.max_repeated_dazes(rulings))
    rounds = tuple(map(tuple, volleys))
    return Volley(condition, condition, rounds, expected(shots), turns_apart, rulings=rulings)


@clause("V5-VOLLEY-1", "V5-SHOT-5")
def fire_all(
    tape: Tape,
    now: Condition,
    shots: tuple[Shot, ...],
    then: Callable[[T, Condition], T],
    rest: T,
    name: str = damage.VEHICLE,
) -> T:
    """Fire all shots at a vehicle, or strike all blows, one after the other, and go on with the rest."""
    if now.is_destroyed:
        return tape.each(resolve_shot, now, (), then=then, rest=rest)
    return tape.each(resolve_shot, now, shots, then=then, rest=rest, tell=DamageSentence(name, now))


@clause("V5-VOLLEY-1", "V5-VOLLEY-2", "V5-SHOT-5", "V5-MARK-5", "V5-MARK-3")
def fire(tape: Tape, volley: Volley) -> Volley:
    """Fire every shot of the next volley at a vehicle that is still there."""
    shots = volley.volleys[volley.done]
    return fire_all(tape, volley.now, shots, _after_volley, replace(volley, now=volley.start))


def _after_volley(volley: Volley, now: Condition) -> Volley:
    number = volley.done + 1
    destroyed_in = volley.destroyed_in or (number if now.is_destroyed else 0)
    return replace(volley, now=now, done=number, destroyed_in=destroyed_in)


@clause("V5-MARK-5", "V5-DMG-1", "V5-DMG-2")
def next_turn(tape: Tape, volley: Volley) -> Volley:
    """Let a turn go by, in which shaken and stunned may end."""
    now = volley.now
    if now.is_destroyed:
        return volley
    was = Condition(volley.ends[0] > 0, volley.ends[1] > 0)
    ends = damage.dazed_until(volley.ends, was, now, 1, False, volley.rulings)
    shaken, stunned = (max(0, end - damage.TWO_TURNS) for end in ends)
    rested = replace(now, shaken=shaken > 0, stunned=stunned > 0, shaken_again=0, stunned_again=0)
    if damage.condition_summary(rested) != damage.condition_summary(now):
        tape.tell("A turn goes by: the crew recovers")
    return replace(volley, now=rested, ends=(shaken, stunned))


def volley_stages(volley: Volley) -> Procedure:
    """Return a stage for each volley, and one for each turn between them."""
    again = (next_turn, fire) if volley.turns_apart else (fire,)
    return Procedure("shoot", (fire, *again * (len(volley.volleys) - 1)))


# --- what is told ---------------------------------------------------------------------------------------------------


class DamageSentence(State, frozen=True):
    """The sentence about a vehicle after all shots or blows, which keeps how it was before the first."""

    name: str
    before: Condition

    def __call__(self, rest: Any, after: Condition) -> Line:
        """Say what all shots or blows together did to the vehicle."""
        return damage.damage_line(self.name, self.before, after)
