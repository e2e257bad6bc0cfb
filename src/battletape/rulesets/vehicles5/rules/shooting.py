"""Shooting at a vehicle: the steps, one shot from the roll to hit to its damage, a volley, and several in a row."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from battletape.clauses import cites, clause
from battletape.dice import D6, at_least
from battletape.procedure import Procedure
from battletape.rulesets.vehicles5.rules.damage import (
    Condition,
    Dealt,
    at_stake,
    befall,
    gap_between,
    is_spared,
    modifier,
    modifier_of_hit,
    penetrate,
    penetration,
    recovered,
    risk,
    roll_row,
)
from battletape.rulesets.vehicles5.rules.smoke import smoke_save
from battletape.rulesets.vehicles5.rules.traits import Ap, Band, Hit, PenDice, Row, State, Traits
from battletape.rulesets.vehicles5.rulings import DEFAULT, Rulings
from battletape.rulesets.vehicles5.tables.printed import BS_TO_HIT, NEVER
from battletape.tape import Tape
from battletape.words import labelled

SHOOTING_STEPS = ("target", "facing_and_to_hit", "note_av", "penetration", "cover_save", "damage")
"""The steps of shooting at a vehicle, in order."""
cites("V5-SHOT-10", where=f"{__name__}.SHOOTING_STEPS")
SPEED_SAVE = 4  # of a fast skimmer that moved flat out


@clause("V5-SHOT-10")
def shooting_steps(rules: Rulings = DEFAULT) -> tuple[str, ...]:
    """The steps in the order in which the dice are thrown; cover may come right after the hit by a ruling."""
    if rules.cover_step == "after_penetration":
        return SHOOTING_STEPS
    rest = [step for step in SHOOTING_STEPS if step != "cover_save"]
    at = rest.index("facing_and_to_hit") + 1
    return (*rest[:at], "cover_save", *rest[at:])


class Aim(Struct, frozen=True):
    """A gun pointed at a facing, before special rules turn its dials."""

    name: str
    needs: int = NEVER  # 0 = no roll (templates, certain hits), 2 to 6; 7 never
    strength: int = 4
    av: int = 10
    ap: Ap | None = None
    dice: PenDice = "d6"
    bonus: int = 0
    cover: int = 0  # 0 = none, else 2 to 6
    open_topped: bool = False
    again: bool = False
    half_range: bool = False
    template: bool = False
    extra: int = 0  # further damage modifiers
    by: str = "attacker"
    rules: Rulings = DEFAULT


class Shot(Struct, frozen=True, cache_hash=True):
    """What the dice need to know of one shot: the item of the fold."""

    name: str
    needs: int  # 0 no roll, 2 to 6, 7 never
    again: bool  # roll a miss once more
    again_pen: bool  # the same for a template's penetration
    gap: int  # AV − S − bonus, after lance and halving
    dice: PenDice
    modifier: int  # of a penetration; a glance is 2 less
    cover: int
    cover_first: bool = False  # the ruling cover_step
    low: Literal["clamp", "nothing"] = "clamp"  # the ruling damage_range
    by: str = "attacker"


class Expected(Struct, frozen=True, cache_hash=True):
    """Expected numbers of a volley, as if the target could not be destroyed."""

    hits: Fraction = Fraction(0)
    glancing: Fraction = Fraction(0)
    penetrating: Fraction = Fraction(0)


class Volley(Struct, frozen=True, cache_hash=True):
    """The state of a volley; only stages see it, the fold sees the condition."""

    start: Condition
    now: Condition
    shots: tuple[Shot, ...]
    expected: Expected


class Barrage(Struct, frozen=True, cache_hash=True):
    """Several volleys in a row."""

    start: Condition
    now: Condition
    volleys: tuple[tuple[Shot, ...], ...]
    done: int = 0
    destroyed_in: int = 0
    expected: Expected = Expected()
    apart: bool = False  # a turn apart, and not all in one turn


@clause("V5-CORE-1")
def hit_needs(bs: int) -> int:
    """What a shot needs to hit; 7 cannot be rolled."""
    return BS_TO_HIT[bs]


@clause("V5-SKIM-6")
def speed_save(traits: Traits, band: Band, state: State) -> int | None:
    """The cover save of a fast skimmer that moved flat out and can still move."""
    fast_enough = traits.fast and traits.skimmer and band == "flat_out"
    return SPEED_SAVE if fast_enough and not state.immobilised else None


@clause("V5-CORE-4", "V5-SKIM-6", "V5-SMOKE-3")
def best_cover(
    traits: Traits,
    band: Band,
    state: State,
    smoke: bool = False,
    terrain: int | None = None,
    rules: Rulings = DEFAULT,
) -> int | None:
    """The best cover save of terrain, speed and smoke; saves do not add up."""
    saves = [save for save in (terrain, speed_save(traits, band, state)) if save is not None]
    other = min(saves, default=None)
    return smoke_save(other, rules) if smoke else other


@clause("V5-SHOT-10", "V5-SHOT-5")
def note_armour(tape: Tape, aim: Aim) -> Shot:
    """The last thing before the dice: note the armour of the facing that is shot at, and all modifiers."""
    rules = aim.rules
    return Shot(
        aim.name,
        aim.needs,
        again=aim.again and not aim.template,
        again_pen=aim.again and aim.template,
        gap=gap_between(aim.av, aim.strength, aim.bonus),
        dice=aim.dice,
        modifier=modifier(aim.ap, aim.open_topped, rules, aim.extra),
        cover=aim.cover,
        cover_first=bool(aim.cover) and rules.cover_step == "after_hit",
        low=rules.damage_range,
        by=aim.by,
    )


@clause("V5-MARK-2", "V5-SHOT-10", "V5-VOLLEY-1")
def shot_result(tape: Tape, shot: Shot) -> Row:
    """One shot: to hit, penetration, cover, damage; nothing if any of them stops it."""
    name = shot.name
    if shot.needs and not tape.call(roll_to_hit, name, shot.needs, shot.again):
        return "none"
    if shot.cover_first and tape.call(roll_cover, shot.cover, name):
        return "none"
    hit: Hit = tape.call(penetrate, name, shot.dice, shot.gap)
    if hit == "none" and shot.again_pen:
        hit = tape.call(penetrate, name, shot.dice, shot.gap)
    if hit == "none":
        return "none"
    if shot.cover and not shot.cover_first and tape.call(roll_cover, shot.cover, name):
        return "none"
    row: Row = tape.call(roll_row, name, modifier_of_hit(shot.modifier, hit), shot.low)
    return row


@clause("V5-CORE-1", "V5-CORE-2")
def roll_to_hit(tape: Tape, name: str, needs: int, again: bool = False) -> bool:
    """Roll to hit; a twin-linked miss is rolled once more."""
    if needs >= NEVER:
        return False
    if tape.roll(D6, at_least(needs), label=labelled(name, "to hit")):
        return True
    return again and bool(tape.roll(D6, at_least(needs), label=labelled(name, "to hit again")))


@clause("V5-CORE-4")
def roll_cover(tape: Tape, save: int, name: str = "") -> bool:
    """Whether cover stops a hit."""
    return bool(tape.roll(D6, at_least(save), label=labelled(name, "cover save")))


@clause("V5-VOLLEY-2", "V5-MARK-1")
def strike(tape: Tape, condition: Condition, shot: Shot) -> Condition:
    """One shot at a vehicle; nobody fires at what is gone, unless the whole volley is rolled together."""
    if is_spared(condition):
        return condition
    return tape.call(risk, shot_result, shot, *at_stake(condition), then=_struck, rest=condition)


def _struck(condition: Condition, dealt: Dealt) -> Condition:
    return befall(condition, *dealt)


@clause("V5-VOLLEY-1", "V5-VOLLEY-2", "V5-SHOT-5")
def fire(tape: Tape, volley: Volley) -> Volley:
    """Fire every shot of the volley at a vehicle that is still there."""
    shots = () if volley.now.is_destroyed else volley.shots
    return tape.each(strike, volley.now, shots, then=_fired, rest=replace(volley, now=volley.start))


def _fired(volley: Volley, now: Condition) -> Volley:
    return replace(volley, now=now)


SHOOTING = Procedure("shoot", (fire,))


def begin_volley(condition: Condition, shots: Sequence[Shot]) -> Volley:
    """A volley about to be fired."""
    return Volley(condition, condition, tuple(shots), expected(shots))


@lru_cache(64)
def reaches(needs: int, again: bool = False) -> Fraction:
    """The chance that a D6 shows the number needed (0: certain, 7: never), or does so when a miss is rolled again."""
    chance = Fraction(1) if needs == 0 else Fraction(max(0, NEVER - max(needs, 1)), 6)
    return 1 - (1 - chance) ** 2 if again else chance


@clause("V5-MARK-2")
def expected(shots: Sequence[Shot]) -> Expected:
    """Expected hits, and glances and penetrations after cover, if all shots were fired whatever happens."""
    hits = glancing = penetrating = Fraction(0)
    for shot, count in _counted(shots).items():
        hit = count * reaches(shot.needs, shot.again)
        glance, through = penetration(shot.dice, shot.gap, shot.again_pen)
        kept = hit * (1 - reaches(shot.cover)) if shot.cover else hit
        hits, glancing, penetrating = hits + hit, glancing + kept * glance, penetrating + kept * through
    return Expected(hits, glancing, penetrating)


def _counted(shots: Sequence[Shot]) -> dict[Shot, int]:
    counts: dict[Shot, int] = {}
    for shot in shots:
        counts[shot] = counts.get(shot, 0) + 1
    return counts


@clause("V5-VOLLEY-1", "V5-VOLLEY-2", "V5-MARK-5")
def fire_next(tape: Tape, barrage: Barrage) -> Barrage:
    """Fire the next volley, unless the vehicle is destroyed already."""
    shots = () if barrage.now.is_destroyed else barrage.volleys[barrage.done]
    return tape.each(strike, barrage.now, shots, then=_fired_next, rest=replace(barrage, now=barrage.start))


def _fired_next(barrage: Barrage, now: Condition) -> Barrage:
    number = barrage.done + 1
    destroyed_in = barrage.destroyed_in or (number if now.is_destroyed else 0)
    return replace(barrage, now=now, done=number, destroyed_in=destroyed_in)


@clause("V5-MARK-5", "V5-DMG-1", "V5-DMG-2")
def next_turn(tape: Tape, barrage: Barrage) -> Barrage:
    """A turn goes by: shaken and stunned are over, everything else stays."""
    return barrage if barrage.now.is_destroyed else replace(barrage, now=recovered(barrage.now))


def firing_in_a_row(barrage: Barrage) -> Procedure:
    """A stage for each volley, and one for each turn between them."""
    again = (next_turn, fire_next) if barrage.apart else (fire_next,)
    return Procedure("kill time", (fire_next, *again * (len(barrage.volleys) - 1)))


def begin_barrage(condition: Condition, volleys: Sequence[Sequence[Shot]], apart: bool = False) -> Barrage:
    """Volleys about to be fired."""
    every = [shot for volley in volleys for shot in volley]
    return Barrage(condition, condition, tuple(map(tuple, volleys)), expected=expected(every), apart=apart)
