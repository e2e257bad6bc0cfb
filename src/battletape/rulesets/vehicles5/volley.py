"""A volley: one shot from the roll to hit to its damage, all shots of a unit in turn, and several volleys in a row."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.dice import D6, at_least
from battletape.odds import Odds
from battletape.procedure import Procedure
from battletape.rulesets.vehicles5 import closed_forms
from battletape.rulesets.vehicles5.damage import (
    Condition,
    forget,
    modifier,
    modifier_of_hit,
    recovered,
    roll_row,
    suffer,
)
from battletape.rulesets.vehicles5.penetration import gap_between, labelled, penetrate
from battletape.rulesets.vehicles5.rulings import DEFAULT, Rulings
from battletape.rulesets.vehicles5.smoke import smoke_save
from battletape.rulesets.vehicles5.tables import BS_TO_HIT, NEVER
from battletape.rulesets.vehicles5.traits import Ap, Band, Hit, PenDice, Row, State, Traits
from battletape.tape import Rule, Tape
from battletape.tape.exact import Exact, Memo

SPEED_SAVE = 4  # of a fast skimmer that moved flat out


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
    """One shot at a vehicle; a destroyed one is not fired at."""
    if condition.status != "ok":
        return condition
    return forget(suffer(tape, condition, tape.call(shot_result, shot), shot.by))


@clause("V5-VOLLEY-2")
def strike_batch(tape: Tape, condition: Condition, shot: Shot) -> Condition:
    """One shot of a volley that is rolled together: a wreck may still explode."""
    if condition.status == "exploded":
        return condition
    row: Row = tape.call(shot_result, shot)
    if condition.status == "wrecked":
        return EXPLODED if row == "exploded" else condition
    return forget(suffer(tape, condition, row, shot.by))


EXPLODED = Condition(status="exploded")


@clause("V5-VOLLEY-1", "V5-SHOT-5")
def fire(tape: Tape, volley: Volley) -> Volley:
    """Fire every shot of the volley, one after the other."""
    return replace(volley, now=tape.each(strike, volley.now, volley.shots))


@clause("V5-VOLLEY-1", "V5-VOLLEY-2")
def fire_all(tape: Tape, volley: Volley) -> Volley:
    """Fire every shot of the volley together."""
    if volley.now.is_destroyed:
        return volley
    return replace(volley, now=tape.each(strike_batch, volley.now, volley.shots))


SHOOTING = Procedure("shoot", (fire,))
SHOOTING_BATCH = Procedure("shoot", (fire_all,))


def shooting(rules: Rulings = DEFAULT) -> Procedure:
    """The stages of one volley."""
    return SHOOTING_BATCH if rules.volley_order == "batch" else SHOOTING


def begin_volley(condition: Condition, shots: Sequence[Shot]) -> Volley:
    """A volley about to be fired."""
    return Volley(condition, condition, tuple(shots), expected(shots))


@clause("V5-MARK-2")
def expected(shots: Sequence[Shot]) -> Expected:
    """Expected hits, and glances and penetrations after cover, if all shots were fired whatever happens."""
    hits = glancing = penetrating = Fraction(0)
    for shot, count in _counted(shots).items():
        hit = count * closed_forms.reaches(shot.needs, shot.again)
        glance, through = closed_forms.penetration(shot.dice, shot.gap, shot.again_pen)
        kept = hit * (1 - closed_forms.reaches(shot.cover)) if shot.cover else hit
        hits, glancing, penetrating = hits + hit, glancing + kept * glance, penetrating + kept * through
    return Expected(hits, glancing, penetrating)


def _counted(shots: Sequence[Shot]) -> dict[Shot, int]:
    counts: dict[Shot, int] = {}
    for shot in shots:
        counts[shot] = counts.get(shot, 0) + 1
    return counts


@clause("V5-VOLLEY-1", "V5-MARK-5")
def fire_next(tape: Tape, barrage: Barrage) -> Barrage:
    """Fire the next volley, unless the vehicle is destroyed already."""
    return _fire_next(tape, barrage, strike)


@clause("V5-VOLLEY-1", "V5-VOLLEY-2", "V5-MARK-5")
def fire_next_batch(tape: Tape, barrage: Barrage) -> Barrage:
    """Fire the next volley, all its shots together, unless the vehicle is destroyed already."""
    return _fire_next(tape, barrage, strike_batch)


def _fire_next(tape: Tape, barrage: Barrage, step: Rule) -> Barrage:
    shots = () if barrage.now.is_destroyed else barrage.volleys[barrage.done]
    return tape.each(step, barrage.now, shots, then=_fired, rest=replace(barrage, now=barrage.start))


def _fired(barrage: Barrage, now: Condition) -> Barrage:
    number = barrage.done + 1
    destroyed_in = barrage.destroyed_in or (number if now.is_destroyed else 0)
    return replace(barrage, now=now, done=number, destroyed_in=destroyed_in)


@clause("V5-MARK-5", "V5-DMG-1", "V5-DMG-2")
def next_turn(tape: Tape, barrage: Barrage) -> Barrage:
    """A turn goes by: shaken and stunned are over, everything else stays."""
    return barrage if barrage.now.is_destroyed else replace(barrage, now=recovered(barrage.now))


def firing_in_a_row(count: int, apart: bool = False, rules: Rulings = DEFAULT) -> Procedure:
    """The stages of so many volleys, all in one turn or a turn apart."""
    stage = fire_next_batch if rules.volley_order == "batch" else fire_next
    stages = (stage, *(one for _ in range(count - 1) for one in ((next_turn, stage) if apart else (stage,))))
    return Procedure("kill time", stages)


def begin_barrage(condition: Condition, volleys: Sequence[Sequence[Shot]]) -> Barrage:
    """Volleys about to be fired."""
    every = [shot for volley in volleys for shot in volley]
    return Barrage(condition, condition, tuple(map(tuple, volleys)), expected=expected(every))


def odds_of(rule: Callable[..., Any], *args: Hashable, memo: Memo | None = None) -> Odds[Any]:
    """The exact odds of a single rule."""
    reader = Exact(memo)
    return reader.odds(reader.outcomes(rule, *args))
