"""What one hit does to one model: the order of operations, in the one procedure that every attack calls.

The contract, for shots, blasts, templates, fires, clouds and sustained fire alike:

    hit = hit_of(weapon)                          # or Hit(strength=4, …): the numbers of the weapon
    model = Model(toughness=4, wounds=2, …)       # the numbers of the target, which do not change
    prepared = prepare_hit(hit, model, rules)     # both together: every score is worked out here, once
    condition = Condition(wounds=model.wounds)        # what does change, and nothing else: wounds left, the fire
    condition = tape.call(take_hit, condition, prepared)  # wound, save, damage, casualty, fire, in this order (SE-23)
    condition = tape.each(take_hit, condition, (prepared,) * hits)

These functions are in `keywords.py`, with the special rules: those that change what a hit is turn a dial before
`note_hit`, those that act when it strikes add a stage to `HIT`. `take_hit` does nothing to a dead model.
`Condition.is_dead` says whether it is. A hit of a fire on a burning model is prepared without `flame`: no new
roll to catch fire (SE-88). A vehicle has no Toughness: its hits are counted in `Condition.vehicle_hits`, for the armour
penetration of the base game (SE-96), and it can still catch fire.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from battletape.rulebook import D6, Line, Procedure, State, Tape, at_least, clause, plural, replace
from battletape.rulesets.second_edition.profiles.types import SaveDice
from battletape.rulesets.second_edition.rules.damage import lose_wounds, roll_damage, roll_to_wound, to_wound_score
from battletape.rulesets.second_edition.rules.saves import SaveRoll, roll_save, saves_against
from battletape.rulesets.second_edition.rulings import DEFAULT, Rulings


class Hit(State, frozen=True):
    """A hit on its way: how hard it strikes, what it does to saves, and the special rules of its weapon."""

    strength: int | None = 4  # None: harmless, such as smoke
    damage: str = "1"
    save_modifier: int = 0
    area: bool = False  # of a blast marker or a template
    rules: tuple[str, ...] = ()  # the names of its special rules
    hand_to_hand: bool = False
    weapon: str = "the weapon"


class Model(State, frozen=True):
    """A model as it is struck: numbers that no hit changes."""

    toughness: int | None = 3  # None: a vehicle
    wounds: int = 1
    save: int | None = None
    save_dice: SaveDice = "1d6"
    area_save: int | None = None  # against blasts and templates, where it is better
    field_save: int | None = None
    aura: int | None = None
    types: tuple[str, ...] = ()
    name: str = "the target"

    @property
    def is_vehicle(self) -> bool:
        """Return whether the base game's armour penetration takes its hits."""
        return self.toughness is None

    @property
    def is_daemon(self) -> bool:
        """Return whether force weapons wound it without a roll."""
        return "daemon" in self.types


class HitDraft(State, frozen=True):
    """A hit on a model before special rules change it and any die is rolled."""

    hit: Hit
    model: Model
    rulings: Rulings = DEFAULT
    automatic: Line | None = None  # why it wounds without a roll
    save_notes: tuple[Line, ...] = ()  # why saves of the model do not count
    burns: bool = False  # whether survivors may catch fire
    wound_on: int | None = None
    saves: tuple[SaveRoll, ...] = ()


class PreparedHit(State, frozen=True):
    """One hit on one model, with everything worked out that needs no luck."""

    wound_on: int | None  # the score that wounds; None: it cannot
    saves: tuple[SaveRoll, ...] = ()
    damage: str = "1"
    flame: Hit | None = None  # what the model would burn by, if it survives
    vehicle: bool = False
    automatic: bool = False  # wounds without a roll
    saves_first: bool = False
    second_fire: Literal["stronger", "first", "latest"] = "stronger"
    rules: tuple[str, ...] = ()  # the names of the special rules of the hit


class Condition(State, frozen=True):
    """The part of a model that hits change: wounds left, the hit by which it burns, hits for armour penetration."""

    wounds: int
    on_fire: Hit | None = None
    vehicle_hits: int = 0
    just_lit: bool = False  # whether it was set on fire just now; a battle forgets that after each action

    @property
    def is_dead(self) -> bool:
        """Return whether it has no wounds left."""
        return self.wounds <= 0


class Victim(State, frozen=True):
    """A model that takes a hit: how it stands, the hit, and whether that got through."""

    condition: Condition
    prepared_hit: PreparedHit
    unsaved: bool = False  # it wounds, and no save stops it


@clause("SE-18", "SE-23", "SE-25", "SE-96")
def note_hit(tape: Tape, draft: HitDraft) -> HitDraft:
    """Note the score to wound and the saves of the model against the hit; a vehicle has neither."""
    hit, model, rulings = draft.hit, draft.model, draft.rulings
    if model.toughness is None:
        return draft
    need = None if hit.strength is None else to_wound_score(hit.strength, model.toughness, rulings)
    return replace(draft, wound_on=need, saves=saves_against(hit, model, rulings))


@clause("SE-23", "SE-96")
def wound_and_save(tape: Tape, victim: Victim) -> Victim:
    """Roll to wound and to save; a vehicle leaves both to the armour penetration of the base game."""
    condition, prepared_hit = victim.condition, victim.prepared_hit
    if prepared_hit.vehicle:
        return Victim(replace(condition, vehicle_hits=condition.vehicle_hits + 1), prepared_hit)
    return Victim(condition, prepared_hit, tape.call(roll_wound_and_saves, prepared_hit))


@clause("SE-22", "SE-24")
def take_damage(tape: Tape, victim: Victim) -> Victim:
    """Take the wounds of a hit that got through."""
    if not victim.unsaved:
        return victim
    lost = tape.call(roll_damage, victim.prepared_hit.damage, victim.condition.wounds)
    return replace(victim, condition=lose_wounds(victim.condition, lost))


@clause("SE-23", "SE-20", "SE-32")
def roll_wound_and_saves(tape: Tape, prepared_hit: PreparedHit) -> bool:
    """Return whether a hit wounds and no save stops it; each save is rolled once, however much damage is coming."""
    if prepared_hit.wound_on is None and not prepared_hit.automatic:
        return False
    if prepared_hit.saves_first and any(tape.call(roll_save, save) for save in prepared_hit.saves):
        return False
    if not prepared_hit.automatic and not tape.call(roll_to_wound, prepared_hit.wound_on):
        return False
    return prepared_hit.saves_first or not any(tape.call(roll_save, save) for save in prepared_hit.saves)


@clause("SE-86", "SE-98")
def catch_fire(tape: Tape, victim: Victim) -> Victim:
    """Set a survivor of a hit that burns on fire on a 4+; a model that burns already has no second fire."""
    condition, prepared_hit = victim.condition, victim.prepared_hit
    if prepared_hit.flame is None:
        return victim
    if condition.on_fire is not None:
        flame = fire_that_stays(condition.on_fire, prepared_hit.flame, prepared_hit.second_fire)
        return replace(victim, condition=replace(condition, on_fire=flame))
    if not tape.call(roll_for_fire):
        return victim
    return replace(victim, condition=replace(condition, on_fire=prepared_hit.flame, just_lit=True))


HIT = Procedure("hit", (wound_and_save, take_damage, catch_fire))
"""The order of operations; casualties take no further stage."""


@clause("SE-86")
def roll_for_fire(tape: Tape) -> bool:
    """Return whether a survivor catches fire."""
    return bool(tape.roll(D6, at_least(4), label="catches fire"))


@clause("SE-98")
def fire_that_stays(burning: Hit, new: Hit, second_fire: str = "stronger") -> Hit:
    """Return the fire that goes on of two: higher Strength, then the worse save modifier, unless ruled otherwise."""
    if second_fire != "stronger":
        return burning if second_fire == "first" else new
    return new if _fire_order(new) > _fire_order(burning) else burning


def _fire_order(flame: Hit) -> tuple[int, int]:
    return (flame.strength or 0, -flame.save_modifier)


# --- what is told ----------------------------------------------------------------------------------------------------


def outcome_lines(name: str, was: Condition, now: Condition) -> Iterator[Line]:
    """Say what hits did to a model: it falls, loses wounds, burns, or is not hurt."""
    hits = now.vehicle_hits - was.vehicle_hits
    if hits:
        yield Line(f"{name}: {plural(hits, 'hit')} for armour penetration, by the base game", ("SE-96",))
    if now.is_dead and not was.is_dead:
        yield Line(f"{name} falls", ("SE-24",), result="falls")
    elif now.wounds < was.wounds:
        lost = plural(was.wounds - now.wounds, "wound")
        yield Line(f"{name} loses {lost}, {now.wounds} left", ("SE-22",), result=f"{lost} lost")
    if now.on_fire is not None and now.on_fire != was.on_fire and not now.is_dead:
        by = "SE-86" if was.on_fire is None else "SE-98"
        yield Line(f"{name} is on fire by {now.on_fire.weapon}", (by,), result="on fire")
    if now == was:
        yield Line(f"{name} is not hurt", ("SE-23",), result="not hurt")
