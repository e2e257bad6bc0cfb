"""What the orders of a battle share: the model that acts, its weapon, its target, the distance and circumstances."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from typing import Annotated, Any, ClassVar, Literal, NamedTuple

from battletape.cards import Inputs, asked, described
from battletape.field.measure import Claim, Measurement, measure
from battletape.rulebook import Meta, Refused, Tape, clause, need, raise_if_refused
from battletape.rulesets.second_edition.battle import turn
from battletape.rulesets.second_edition.battle.state import COVERS, CarriedWeapon, Fighter, State, aim_of
from battletape.rulesets.second_edition.profiles.types import WeaponProfile
from battletape.rulesets.second_edition.rules.keywords import is_force_weapon
from battletape.rulesets.second_edition.rules.to_hit import Aim

Inches = Annotated[
    Annotated[float, Meta(ge=0, le=500)] | None,
    described("Distance, where it was measured", "SE-10", about="(none: by the places)", unit="inches"),
]
Cover = Annotated[
    Literal["none", "soft", "hard", "open"],
    described("Cover of the target", "SE-17", about="(none: as the terrain gives; open: none whatever the terrain)"),
]
InSight = Annotated[bool, described("In sight, whatever the terrain shows", "SE-117")]
Other = Annotated[int, Meta(title="Other To Hit modifiers", ge=-10, le=10, extra={"clause": "SE-12"})]
Where = Annotated[float, Meta(ge=0, le=240, extra={"unit": "inches"})]


class ShotOrder(Inputs, frozen=True):
    """A model shoots at another."""

    unwritten: ClassVar = ("in_sight",)

    unit: str = asked("", "Model that shoots")
    weapon: str = ""
    target: str = asked("", "Model shot at")
    distance: Inches = None
    cover: Cover = "none"
    modifier: Other = 0
    in_sight: InSight = False


class Shot(NamedTuple):
    """A shot that may be fired: the shooter, weapon and target, how the target lies, and the aim."""

    fighter: Fighter
    weapon: CarriedWeapon
    target: Fighter
    shown: Measurement
    aim: Aim


class WeaponOrder(Inputs, frozen=True):
    """A model does something with a weapon, but does not fire it."""

    unit: str = asked("", "Model")
    weapon: str = ""


WEAPON_KINDS: dict[str, tuple[Callable[[WeaponProfile], bool], str, str]] = {
    "strike": (is_force_weapon, "is a force weapon", "SE-113"),
    "template": (lambda weapon: weapon.template is not None, "uses a flamer template", "SE-81"),
    "grenade": (lambda weapon: weapon.grenade and weapon.blast is not None, "is thrown", "SE-55"),
    "blast": (lambda weapon: weapon.blast is not None, "uses a blast marker", "SE-33"),
    "burst": (lambda weapon: weapon.sustained is not None, "has Sustained Fire", "SE-99"),
    "shoot": (lambda weapon: True, "is an ordinary weapon", "SE-13"),
}
"""The action for each kind of weapon, in the order in which they are asked: what makes it one, and the clause."""


@lru_cache(1024)
def kind_of(weapon: WeaponProfile) -> str:
    """Return the action that a weapon is used by."""
    return next(kind for kind, (fits, _, _) in WEAPON_KINDS.items() if fits(weapon))


def refuse_kind(weapon: CarriedWeapon, *kinds: str) -> Refused | None:
    """Refuse a weapon that has rules, and an action, of its own."""
    kind = kind_of(weapon.weapon)
    if kind in kinds:
        return None
    return Refused(f"{weapon.name} {WEAPON_KINDS[kind][1]}; use the action {kind}", WEAPON_KINDS[kind][2], "weapon")


# --- guards ----------------------------------------------------------------------------------------------------------


def firing_model_and_weapon(state: State, order: Any, *kinds: str) -> tuple[Fighter, CarriedWeapon]:
    """Return the model that shoots and its weapon; refuse them unless they may fire like this now."""
    fighter = turn.acting_model(state, order.unit)
    weapon = fighter.weapon(order.weapon)
    raise_if_refused(refuse_kind(weapon, *kinds) or turn.refuse_shooter(state, fighter, weapon))
    return fighter, weapon


@clause("SE-34", "SE-10")
def shot_at(state: State, order: Any, *kinds: str) -> Shot:
    """Return a shot as it is ordered; refuse friends, the fallen, unknown distances, and targets out of sight."""
    fighter, weapon = firing_model_and_weapon(state, order, *kinds)
    target = state.fighter(order.target)
    need(target.side != fighter.side, f"{target.name} is on the same side; choose an enemy", "SE-34", "side")
    turn.need_standing(target)
    shown = measured(state, fighter, target, claim_of(order))
    raise_if_refused(refuse_hidden(fighter, target, shown))
    return Shot(fighter, weapon, target, shown, aim_at(order, fighter, weapon, shown))


def claim_of(order: Any) -> Claim:
    """Return what players say of a shot; the table shows what they leave out."""
    covers = {"open": 0, "soft": 1, "hard": 2}
    return Claim(distance=order.distance, sees=order.in_sight or None, cover=covers.get(order.cover))


@clause("SE-10")
def measured(
    state: State, fighter: Fighter, target: Fighter, claim: Claim, unstated: float | None = None
) -> Measurement:
    """Measure a target by the table, or as the players say."""
    return measure(state.field, fighter.name, target.name, claim, {"distance": "SE-10"}, unstated=unstated)


@clause("SE-117")
def refuse_hidden(fighter: Fighter, target: Fighter, shown: Measurement) -> Refused | None:
    """Refuse a target that the terrain hides."""
    if shown.sees:
        return None
    reason = f"{fighter.name} does not see {target.name}; choose another target, or say in_sight=yes if it does"
    return Refused(reason, "SE-117", "sight")


@clause("SE-11", "SE-12", "SE-17")
def aim_at(order: Any, shooter: Fighter, weapon: CarriedWeapon, shown: Measurement) -> Aim:
    """Return a shot as it is ordered, with its circumstances."""
    situations = (f"{COVERS[shown.cover]} cover",) if shown.cover else ()
    return aim_of(shooter, weapon, shown.distance, situations, order.modifier)


def tell_cover(tape: Tape, target: str, shown: Measurement) -> None:
    """Say which terrain covers a target, if the table shows it."""
    if shown.covered_by:
        tape.tell("{} is in {} cover by {}", target, COVERS[shown.cover], shown.covered_by, clause="SE-17")


# --- proposals -------------------------------------------------------------------------------------------------------


TRIED_INCHES = 12.0
"""What is tried where a model has no place."""


@lru_cache(8)
def own_models(state: State) -> tuple[Fighter, ...]:
    """Return the models of the active side that still stand; every action proposes orders for them."""
    return tuple(fighter for fighter in state.standing() if fighter.side == state.active)


@lru_cache(8)
def enemies(state: State) -> tuple[Fighter, ...]:
    """Return the models of other sides that still stand."""
    return tuple(fighter for fighter in state.standing() if fighter.side != state.active)


def propose_shots(*kinds: str) -> Callable[[State], Iterator[ShotOrder]]:
    """Propose every shot of the active side with a weapon of these kinds at every enemy."""
    return partial(_shots, kinds)


def _shots(kinds: tuple[str, ...], state: State) -> Iterator[ShotOrder]:
    targets, on_table = enemies(state), {position.name for position in state.field.on_table()}
    for fighter in own_models(state):
        for weapon in fighter.weapons:
            if kind_of(weapon.weapon) in kinds:
                for target in targets:
                    known = fighter.name in on_table and target.name in on_table
                    distance = None if known else TRIED_INCHES
                    yield ShotOrder(unit=fighter.name, weapon=weapon.name, target=target.name, distance=distance)
