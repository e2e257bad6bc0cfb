"""What the orders of a battle share: the model that acts, its weapon, its target, the distance and circumstances."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from typing import Annotated, Any, Literal

from battletape.cards import Inputs, asked, described
from battletape.rulebook import Meta, Refused, clause, granted, need, raise_if_refused
from battletape.rulesets.second_edition.battle import turn
from battletape.rulesets.second_edition.battle.state import CarriedWeapon, Fighter, State, aim_of, distance_of
from battletape.rulesets.second_edition.profiles.types import WeaponProfile
from battletape.rulesets.second_edition.rules.keywords import is_force_weapon
from battletape.rulesets.second_edition.rules.to_hit import Aim

Inches = Annotated[
    Annotated[float, Meta(ge=0, le=500)] | None,
    described("Distance, where it was measured", "SE-10", about="(none: by the places)", unit="inches"),
]
Cover = Annotated[Literal["none", "soft", "hard"], Meta(title="Cover of the target", extra={"clause": "SE-17"})]
Other = Annotated[int, Meta(title="Other To Hit modifiers", ge=-10, le=10, extra={"clause": "SE-12"})]
Where = Annotated[float, Meta(ge=0, le=240, extra={"unit": "inches"})]


class ShotOrder(Inputs, frozen=True):
    """A model shoots at another."""

    unit: str = asked("", "Model that shoots")
    weapon: str = ""
    target: str = asked("", "Model shot at")
    distance: Inches = None
    cover: Cover = "none"
    modifier: Other = 0


class WeaponOrder(Inputs, frozen=True):
    """A model does something with a weapon, but does not fire it."""

    unit: str = asked("", "Model")
    weapon: str = ""


def situations(cover: str) -> tuple[str, ...]:
    """Return the circumstances of a shot by the names of the table."""
    return () if cover == "none" else (f"{cover} cover",)


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
    fighter = turn.acting_model(state, order.unit, "shooting")
    weapon = fighter.weapon(order.weapon)
    raise_if_refused(refuse_kind(weapon, *kinds) or turn.refuse_shooter(state, fighter, weapon))
    return fighter, weapon


@clause("SE-34", "SE-10")
def target_and_distance(state: State, shooter: Fighter, name: str, given: float | None) -> tuple[Fighter, float]:
    """Return the model shot at and its distance; refuse friends, the fallen, and unknown distances."""
    target = state.fighter(name)
    need(target.side != shooter.side, f"{target.name} is on the same side; choose an enemy", "SE-34", "side")
    turn.need_standing(target)
    return target, granted(known_distance(state, shooter, target, given))


@clause("SE-10")
def known_distance(state: State, shooter: Fighter, target: Fighter, given: float | None) -> float | Refused:
    """Measure how far off a model is, unless that is given; refuse it if neither table nor players can tell."""
    distance = distance_of(state, shooter, target, given)
    if distance is not None:
        return distance
    reason = f"{shooter.name} and {target.name} have no places to measure between"
    return Refused(f"{reason}; name the distance", "SE-10", "distance")


def aim_at(order: Any, shooter: Fighter, weapon: CarriedWeapon, distance: float) -> Aim:
    """Return a shot as it is ordered, with its circumstances."""
    return aim_of(shooter, weapon, distance, situations(order.cover), order.modifier)


# --- proposals -------------------------------------------------------------------------------------------------------


TRIED_INCHES = 12.0
"""What is tried where neither model has a place."""


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
    targets = enemies(state)
    for fighter in own_models(state):
        for weapon in fighter.weapons:
            if kind_of(weapon.weapon) in kinds:
                for target in targets:
                    on_table = fighter.place is not None and target.place is not None
                    yield ShotOrder(
                        unit=fighter.name,
                        weapon=weapon.name,
                        target=target.name,
                        distance=None if on_table else TRIED_INCHES,
                    )
