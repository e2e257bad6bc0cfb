"""What one hit does to one model: the order of operations, and the one procedure that every attack calls.

The contract, for shots, blasts, templates, fires, clouds and sustained fire alike:

    hit = hit_of(weapon)                      # or Hit(strength=4, …): what strikes, whoever it strikes
    model = Model(toughness=4, wounds=2, …)   # who is struck: numbers that do not change
    blow = blow_of(hit, model, rules)         # both together: every need is worked out here, once
    state = Condition(wounds=model.wounds)    # what does change, and nothing else: wounds left, on fire by which hit
    state = tape.call(take_hit, state, blow)  # wound, save, damage, casualty, fire, in this order (SE-23)
    state = tape.each(take_hit, state, (blow,) * hits)

`take_hit` does nothing to a dead model. `Condition.is_dead` says whether it is. A hit of a fire on a model that burns
already is `replace(hit, incendiary=False)`: no new roll to catch fire (SE-88). A vehicle has no Toughness: its hits are
counted in `Condition.vehicle_hits`, for the armour penetration of the base game (SE-96), and it can still catch fire.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Literal

from battletape.rulebook import D6, Line, State, Tape, at_least, clause, plural, replace
from battletape.rulesets.second_edition.profiles.types import SaveDice, Weapon
from battletape.rulesets.second_edition.rules.damage import (
    lose_wounds,
    roll_damage,
    roll_to_wound,
    wound_line,
    wound_need,
)
from battletape.rulesets.second_edition.rules.saves import SaveRoll, roll_save, save_lines, saves_against
from battletape.rulesets.second_edition.rules.to_hit import Aim, to_hit_line
from battletape.rulesets.second_edition.rulings import DEFAULT, Rulings


class Hit(State, frozen=True):
    """A hit on its way: how hard it strikes, what it does to saves, and whether it burns."""

    strength: int | None = 4  # None: harmless, such as smoke
    damage: str = "1"
    save_modifier: int = 0
    area: bool = False  # of a blast marker or a template
    incendiary: bool = False
    force: bool = False  # of a force weapon, in hand-to-hand combat
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


class Blow(State, frozen=True):
    """One hit on one model, with everything worked out that needs no luck."""

    wound: int | None  # the score that wounds; None: it cannot
    saves: tuple[SaveRoll, ...] = ()
    damage: str = "1"
    flame: Hit | None = None  # what the model would burn by, if it survives
    vehicle: bool = False
    automatic: bool = False  # wounds without a roll
    saves_first: bool = False
    second_fire: Literal["stronger", "first", "latest"] = "stronger"


class Condition(State, frozen=True):
    """What hits change about a model: wounds left, by which hit it burns, and hits for armour penetration."""

    wounds: int
    on_fire: Hit | None = None
    vehicle_hits: int = 0
    lit: bool = False  # whether it was set on fire just now; a battle forgets that after each action

    @property
    def is_dead(self) -> bool:
        """Return whether it has no wounds left."""
        return self.wounds <= 0


@clause("SE-117")
def hit_of(weapon: Weapon) -> Hit:
    """The hit of a weapon as its profile has it."""
    area = weapon.blast is not None or weapon.template is not None
    return Hit(
        weapon.strength,
        weapon.damage,
        weapon.save_modifier,
        area,
        weapon.incendiary,
        weapon=weapon.name or "the weapon",
    )


@clause("SE-23", "SE-96", "SE-115")
@lru_cache(4096)
def blow_of(hit: Hit, model: Model, rules: Rulings = DEFAULT) -> Blow:
    """One hit on one model: the score to wound, the saves against it, the Damage, and whether it may burn."""
    flame = hit if hit.incendiary else None
    if model.toughness is None:
        return Blow(None, flame=flame, vehicle=True, second_fire=rules.second_fire)
    need = None if hit.strength is None else wound_need(hit.strength, model.toughness, rules)
    return Blow(
        need,
        saves_against(hit, model, rules),
        hit.damage,
        flame,
        automatic=hit.force and model.is_daemon,
        saves_first=rules.save_order == "before_wound",
        second_fire=rules.second_fire,
    )


@clause("SE-23", "SE-25", "SE-32", "SE-105")
def take_hit(tape: Tape, state: Condition, blow: Blow) -> Condition:
    """One hit on one model, in order: wound, save, damage, casualty, fire."""
    if state.is_dead:
        return state
    if blow.vehicle:
        state = replace(state, vehicle_hits=state.vehicle_hits + 1)
    elif tape.call(gets_through, blow):
        state = lose_wounds(state, tape.call(roll_damage, blow.damage, state.wounds))
    if blow.flame is None or state.is_dead:
        return state
    return catch_fire(tape, state, blow.flame, blow.second_fire)


@clause("SE-23", "SE-20", "SE-32")
def gets_through(tape: Tape, blow: Blow) -> bool:
    """Return whether a hit wounds and no save stops it; each save is rolled once, however much damage is coming."""
    if blow.wound is None and not blow.automatic:
        return False
    if blow.saves_first and any(tape.call(roll_save, save) for save in blow.saves):
        return False
    if not blow.automatic and not tape.call(roll_to_wound, blow.wound):
        return False
    return blow.saves_first or not any(tape.call(roll_save, save) for save in blow.saves)


@clause("SE-86", "SE-98")
def catch_fire(tape: Tape, state: Condition, flame: Hit, second_fire: str = "stronger") -> Condition:
    """A model that survives an incendiary hit burns on a 4+; one that burns already has no second fire."""
    if state.on_fire is not None:
        return replace(state, on_fire=kept_fire(state.on_fire, flame, second_fire))
    return replace(state, on_fire=flame, lit=True) if tape.call(roll_for_fire) else state


@clause("SE-86")
def roll_for_fire(tape: Tape) -> bool:
    """Return whether a survivor catches fire."""
    return bool(tape.roll(D6, at_least(4), label="catches fire"))


@clause("SE-98")
def kept_fire(burning: Hit, new: Hit, second_fire: str = "stronger") -> Hit:
    """Which of two fires goes on: higher Strength, then the worse save modifier, unless ruled otherwise."""
    if second_fire != "stronger":
        return burning if second_fire == "first" else new
    return new if _heat(new) > _heat(burning) else burning


def _heat(flame: Hit) -> tuple[int, int]:
    return (flame.strength or 0, -flame.save_modifier)


# --- what is told ----------------------------------------------------------------------------------------------------


def needs_lines(aim: Aim | None, hit: Hit, model: Model, rules: Rulings) -> Iterator[Line]:
    """Say everything that is worked out before the first die: To Hit, to wound, to save."""
    if aim is None:
        yield Line("Hits without a roll To Hit", ("SE-23",), needed="-")
    else:
        yield to_hit_line(aim, rules)
    yield wound_line(hit, model, rules)
    yield from save_lines(hit, model)


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
