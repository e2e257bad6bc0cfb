"""What the orders of a battle share: who acts, with what, at whom, how far off, and in which circumstances."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Annotated, Literal

from battletape.cards import Inputs
from battletape.rulebook import Meta, Refused, clause
from battletape.rulesets.second_edition.battle.state import Arm, Fighter, Phase, State, distance_of
from battletape.rulesets.second_edition.battle.turn import refuse_gone
from battletape.rulesets.second_edition.profiles.types import Weapon

Inches = Annotated[
    Annotated[float, Meta(ge=0, le=500)] | None,
    Meta(title="Distance, where it was measured (none: by the places)", extra={"unit": "inches", "clause": "SE-10"}),
]
Cover = Annotated[Literal["none", "soft", "hard"], Meta(title="Cover of the target", extra={"clause": "SE-17"})]
Other = Annotated[int, Meta(title="Other To Hit modifiers", ge=-10, le=10, extra={"clause": "SE-12"})]
Where = Annotated[float, Meta(ge=0, le=240, extra={"unit": "inches"})]


class Shot(Inputs, frozen=True):
    """A model shoots at another."""

    unit: Annotated[str, Meta(title="Model that shoots")] = ""
    weapon: str = ""
    target: Annotated[str, Meta(title="Model shot at")] = ""
    distance: Inches = None
    cover: Cover = "none"
    modifier: Other = 0


class Handling(Inputs, frozen=True):
    """A model does something with a weapon, but does not fire it."""

    unit: Annotated[str, Meta(title="Model")] = ""
    weapon: str = ""


def situations(cover: str) -> tuple[str, ...]:
    """The circumstances of a shot by the names of the table."""
    return () if cover == "none" else (f"{cover} cover",)


KINDS: dict[str, tuple[Callable[[Weapon], bool], str, str]] = {
    "strike": (lambda weapon: weapon.force, "is a force weapon", "SE-113"),
    "template": (lambda weapon: weapon.template is not None, "uses a flamer template", "SE-81"),
    "grenade": (lambda weapon: weapon.grenade and weapon.blast is not None, "is thrown", "SE-55"),
    "blast": (lambda weapon: weapon.blast is not None, "uses a blast marker", "SE-33"),
    "burst": (lambda weapon: weapon.sustained is not None, "has Sustained Fire", "SE-99"),
    "shoot": (lambda weapon: True, "is an ordinary weapon", "SE-13"),
}
"""The action for each kind of weapon, in the order in which they are asked: what makes it one, and the clause."""


def kind_of(weapon: Weapon) -> str:
    """The action that a weapon is used by."""
    return next(kind for kind, (fits, _, _) in KINDS.items() if fits(weapon))


def refuse_kind(arm: Arm, *kinds: str) -> Refused | None:
    """Why a weapon is not used like this: it has rules, and an action, of its own."""
    kind = kind_of(arm.weapon)
    if kind in kinds:
        return None
    return Refused(f"{arm.name} {KINDS[kind][1]}; use the action {kind}", KINDS[kind][2], "weapon")


@clause("SE-34", "SE-10")
def refuse_target(state: State, shooter: Fighter, target: Fighter, given: float | None) -> Refused | None:
    """Why a model is no target: its own side, fallen, or nobody knows how far off; range is for the rules to say."""
    if target.side == shooter.side:
        return Refused(f"{target.name} is on the same side; choose an enemy", "SE-34", "side")
    if distance_of(state, shooter, target, given) is None:
        reason = f"{shooter.name} and {target.name} have no places to measure between"
        return Refused(f"{reason}; name the distance", "SE-10", "distance")
    return refuse_gone(target)


def acting(state: State, phase: Phase) -> Iterator[Fighter]:
    """The models of the active side, in this phase."""
    if state.phase == phase:
        yield from (fighter for fighter in state.standing() if fighter.side == state.active)


def foes(state: State) -> list[Fighter]:
    """Everybody else who stands."""
    return [fighter for fighter in state.standing() if fighter.side != state.active]


FAR = 12.0
"""What is tried where neither model has a place."""


def shots(state: State, *kinds: str) -> Iterator[Shot]:
    """Every shot with a weapon of these kinds."""
    for fighter in acting(state, "shooting"):
        for arm in fighter.arms:
            if kind_of(arm.weapon) in kinds:
                for target in foes(state):
                    known = distance_of(state, fighter, target) is not None
                    order = Shot(
                        unit=fighter.name, weapon=arm.name, target=target.name, distance=None if known else FAR
                    )
                    yield order
