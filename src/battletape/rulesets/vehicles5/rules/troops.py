"""Soldiers, as far as vehicles meet them: wounds, morale, coherency, and weapons on foot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from battletape.rulebook import (
    D6,
    Line,
    Refused,
    State,
    Tape,
    at_least,
    at_most,
    because,
    capital,
    clause,
    labelled,
    plain,
    plural,
)
from battletape.rulesets.vehicles5.profiles.types import WeaponProfile
from battletape.rulesets.vehicles5.rules.firing import refuse_range
from battletape.rulesets.vehicles5.rules.traits import Ap
from battletape.rulesets.vehicles5.rulings import DEFAULT, Rulings
from battletape.rulesets.vehicles5.tables.printed import NEVER, TO_WOUND, TWO_DICE, WS_TO_HIT
from battletape.table.bases import Base
from battletape.table.distances import Thing, closer_than, is_coherent
from battletape.table.paths import stood_on
from battletape.table.points import TOLERANCE
from battletape.table.sweeps import Obstacle

COHERENCY = 2.0  # inches from the nearest comrade
ENEMY_GAP = 1.0  # inches from any enemy
RAPID_FIRE_RANGE = 12.0  # rapid fire weapons fire twice within this
Source: TypeAlias = Literal["", "ordnance_barrage"]  # what may pin a unit, as far as it makes a difference


class ModelGroup(State, frozen=True):
    """Models that are hit alike: passengers, a unit in a fight, or a part of one."""

    name: str
    models: int
    toughness: int
    save: int = NEVER
    wounds: int = 1


class Loss(State, frozen=True):
    """Models lost, wounds on the next model, and wounds that count for the result."""

    models: int = 0
    wounds_on_next: int = 0
    wounds: int = 0


@clause("V5-CORE-23")
def capped(value: int) -> int:
    """Return a characteristic, which is never above 10."""
    return min(value, 10)


@clause("V5-CORE-10")
def ws_to_hit(ws: int, defender_ws: int) -> int:
    """Return what a blow needs to hit: 3+, 4+ or 5+."""
    return WS_TO_HIT[ws, defender_ws]


@clause("V5-CORE-8")
def armour_save_against(save: int, ap: Ap | None = None) -> int:
    """Return the armour save against an AP: 7 where the AP goes through it, which AP- never does."""
    return NEVER if isinstance(ap, int) and ap <= save else save


@clause("V5-CORE-8")
def kills_outright(strength: int, toughness: int) -> bool:
    """Return whether a wound kills a model outright."""
    return strength >= 2 * toughness


@clause("V5-CORE-7", "V5-CORE-8")
def roll_unsaved_wounds(tape: Tape, hits: int, strength: int, group: ModelGroup, ap: Ap | None = None) -> int:
    """Roll how many wounds hits cause, after the armour saves against them."""
    target_number, save = TO_WOUND[strength, group.toughness], armour_save_against(group.save, ap)
    wounds: int = tape.call(roll_wounds, hits, target_number, group.name, group.toughness)
    return int(tape.call(roll_failed_saves, wounds, save, group.name))


@clause("V5-CORE-7")
def roll_wounds(tape: Tape, hits: int, target_number: int, name: str, toughness: int) -> int:
    """Roll how many hits wound."""
    if target_number >= NEVER or not hits:
        return 0
    read = because(at_least(target_number), f"against Toughness {toughness}")
    return tape.pool(hits, D6, read, label=labelled(name, "to wound"))[True]


@clause("V5-CORE-8")
def roll_failed_saves(tape: Tape, wounds: int, save: int, name: str = "") -> int:
    """Roll how many wounds armour does not stop."""
    if save >= NEVER or not wounds:
        return wounds
    return tape.pool(wounds, D6, at_least(save), label=labelled(name, "armour save"), by="defender")[False]


@clause("V5-CORE-8")
def remove_models(group: ModelGroup, wounds: int, outright: bool = False, wounds_lost: int = 0) -> Loss:
    """Take wounds off a unit, model by model, or a whole model for each."""
    if outright:
        fallen = min(wounds, group.models)
        return Loss(fallen, 0 if fallen else wounds_lost, max(0, fallen * group.wounds - wounds_lost))
    suffered = min(wounds, group.models * group.wounds - wounds_lost)
    fallen, left = divmod(wounds_lost + suffered, group.wounds)
    return Loss(fallen, left, suffered)


@clause("V5-CORE-7", "V5-CORE-8")
def roll_losses(
    tape: Tape, hits: int, strength: int, group: ModelGroup, ap: Ap | None = None, wounds_lost: int = 0
) -> Loss:
    """Roll the losses by hits of this strength on a group, whose first model may be wounded already."""
    wounds: int = tape.call(roll_unsaved_wounds, hits, strength, group, ap)
    return remove_models(group, wounds, kills_outright(strength, group.toughness), wounds_lost)


@clause("V5-CORE-5")
def test_ld(tape: Tape, ld: int, label: str) -> bool:
    """Roll whether two dice show no more than Ld."""
    return bool(tape.roll(TWO_DICE, at_most(ld), label=label, by="defender"))


@clause("V5-CORE-5")
def test_morale(tape: Tape, name: str, ld: int, falling_back: bool, fearless: bool) -> bool:
    """Test whether a unit holds; one on the run fails and a fearless one passes without a roll."""
    if falling_back:
        tape.tell("{}: falling back already, so it fails its test", capital(name))
        return False
    if fearless:
        tape.tell("{}: fearless, so it passes its test", capital(name))
        return True
    return bool(tape.call(test_ld, ld, labelled(name, "morale")))


@clause("V5-ORD-5")
def effective_ld(ld: int, source: Source = "") -> int:
    """Return the Ld for a pinning test: one less against an ordnance barrage."""
    return ld - 1 if source == "ordnance_barrage" else ld


@clause("V5-CORE-6", "V5-ORD-5")
def roll_pinning(tape: Tape, ld: int, source: Source = "", name: str = "") -> bool:
    """Test whether a unit is pinned."""
    pinned = not test_ld(tape, effective_ld(ld, source), labelled(name, "pinning"))
    tape.tell(pinning_line, name, pinned)
    return pinned


@clause("V5-CORE-6")
def pinned_until(player_turn: int, is_owners: bool) -> int:
    """Return the player turn that a unit pinned in this one loses: its own next."""
    return player_turn + (2 if is_owners else 1)


@clause("V5-CORE-20")
def roll_fall_back(tape: Tape) -> int:
    """Roll how many inches a unit runs towards its own edge of the table."""
    return int(tape.roll(TWO_DICE, label="fall back"))


@clause("V5-CORE-17")
def refuse_coherency(unit: Sequence[Thing]) -> Refused | None:
    """Refuse a unit with a model too far from the others."""
    return None if is_coherent(unit, COHERENCY) else refuse_straggler()


@clause("V5-CORE-17")
def refuse_straggler() -> Refused:
    """Refuse a model too far from the others of its unit."""
    reason = f"a model would stand more than {COHERENCY:g} inches from every other of its unit"
    return Refused(reason, "V5-CORE-17", "coherency")


@clause("V5-CORE-19")
def refuse_closeness(model: Thing, enemies: Sequence[Thing]) -> Refused | None:
    """Refuse a place too near to enemies."""
    near = closer_than(model, enemies, ENEMY_GAP)
    return refuse_enemies_near(len(near)) if near else None


@clause("V5-CORE-19")
def refuse_enemies_near(count: int) -> Refused:
    """Refuse a place to which so many enemies are too near."""
    enemies = "an enemy" if count == 1 else f"{count} enemies"
    reason = f"{enemies} would be closer than {ENEMY_GAP:g} inch, which only an assault allows"
    return Refused(reason, "V5-CORE-19", "distance")


@clause("V5-CORE-17", "V5-CORE-19", "V5-TERR-4")
def refuse_standing(
    models: Sequence[Base], solid: Sequence[Obstacle], enemies: Sequence[Thing], name: str = "", by: str = "V5-TERR-4"
) -> Refused | None:
    """Refuse places where a unit may not stand."""
    for index, model in enumerate(models):
        if stood_on(model, [*solid, *models[:index]]):
            model_name = f"model {index + 1} of {name}" if name else f"model {index + 1}"
            return Refused(f"{model_name} would stand on something else", by, "place")
    close = (refuse_closeness(model, enemies) for model in models)
    return next(filter(None, close), None) or refuse_coherency(models)


@clause("V5-CORE-21")
def refuse_close_combat_weapon(weapon: WeaponProfile) -> Refused | None:
    """Refuse to fire a weapon for close combat."""
    reason = f"{weapon.name} is for close combat and is not fired"
    return Refused(reason, "V5-CORE-21", "type") if weapon.type in ("melee", "grenade") else None


@clause("V5-CORE-5")
def must_test_for_losses(models_before: int, models_left: int, rulings: Rulings = DEFAULT) -> bool:
    """Return whether a unit tests its morale for models shot in a phase: a quarter of them or more."""
    return (
        rulings.shooting_morale == "quarter"
        and models_left > 0
        and 4 * (models_before - models_left) >= models_before > 0
    )


@clause("V5-CORE-21")
def refuse_weapon_on_foot(weapon: WeaponProfile, moved: bool) -> Refused | None:
    """Refuse a weapon that a soldier may not fire."""
    if weapon.type == "ordnance":
        return Refused(f"{weapon.name} is ordnance, which only vehicles fire", "V5-CORE-21", "type")
    if weapon.type == "heavy" and moved:
        return Refused(f"{weapon.name} is a heavy weapon, and its bearer counts as moving", "V5-CORE-21", "moved")
    return refuse_close_combat_weapon(weapon)


@clause("V5-CORE-21")
def refuse_rapid_fire(
    weapon: WeaponProfile, distance: float, moved: bool, rulings: Rulings = DEFAULT
) -> Refused | None:
    """Refuse a rapid fire weapon at long range to a soldier that counts as moving."""
    if (
        weapon.type != "rapid_fire"
        or not moved
        or rulings.rapid_fire_moved == "full"
        or distance <= RAPID_FIRE_RANGE + TOLERANCE
    ):
        return None
    reach = f"{weapon.name} reaches {RAPID_FIRE_RANGE:g} inches for a soldier that counts as moving"
    return Refused(f"{reach}; the target is {distance:.4g} away", "V5-CORE-21", "moved")


@clause("V5-CORE-21")
def shots_on_foot(weapon: WeaponProfile, distance: float, moved: bool, rulings: Rulings = DEFAULT) -> int:
    """Return how often a soldier fires at a target so far away."""
    if refuse_weapon_on_foot(weapon, moved) is not None or refuse_range(weapon, distance) is not None:
        return 0
    if refuse_rapid_fire(weapon, distance, moved, rulings) is not None:
        return 0
    return weapon.shots + (weapon.type == "rapid_fire" and distance <= RAPID_FIRE_RANGE + TOLERANCE)


@clause("V5-CORE-21")
def refuse_charge_after(weapon: WeaponProfile) -> Refused | None:
    """Refuse a charge after this weapon was fired."""
    if weapon.type in ("assault", "pistol", "melee", "grenade"):
        return None
    reason = f"{weapon.name} is a {plain(weapon.type)} weapon; a unit that fires it does not charge this turn"
    return Refused(reason, "V5-CORE-21", "charge")


# --- what is told ---------------------------------------------------------------------------------------------------


def pinning_line(name: str, pinned: bool) -> Line:
    """Say whether a unit is pinned."""
    if not name:
        return Line("The unit is pinned" if pinned else "The unit holds")
    return Line(f"{capital(name)}: {'pinned' if pinned else 'not pinned'}")


def losses_line(name: str, models: int, loss: Loss, wounds_lost: int = 0) -> Line:
    """Say how many of the models that were hit fall, and how the first of the others is hurt."""
    result = plural(loss.models, "model")
    if loss.models:
        left = models - loss.models
        return Line(f"{capital(name)}: {result} lost, {left or 'none'} left", ("V5-CORE-8",), result=result)
    if loss.wounds_on_next > wounds_lost:
        return Line(f"{capital(name)}: {plural(loss.wounds_on_next, 'wound')} on one model, none lost", ("V5-CORE-8",))
    return Line(f"{capital(name)}: no model lost", ("V5-CORE-8",), result=result)
