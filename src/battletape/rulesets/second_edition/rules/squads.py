"""Squads: equal models under fire, the order in which they are aimed at, and how many are left."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Literal

from battletape import rulebook
from battletape.rulebook import capital, clause, plural, replace
from battletape.rulesets.second_edition.rules.attack import Condition, outcome_lines

ModelCounts = tuple[tuple[Condition, int], ...]
"""The models still standing, alike ones together: in which condition, and how many; the most hurt come first."""
TargetOrder = Literal["one_by_one", "spread"]
"""The model that the next shot is aimed at: the one most hurt, or the one least hurt."""


def count_models(squad: ModelCounts) -> int:
    """Return how many models are left."""
    return sum(models for _, models in squad)


def wounds_left(squad: ModelCounts) -> int:
    """Return how many wounds they have between them."""
    return sum(condition.wounds * models for condition, models in squad)


def set_on_fire(squad: ModelCounts) -> int:
    """Return how many of them were set on fire just now."""
    return sum(models for condition, models in squad if condition.just_lit)


def hits_on_vehicles(squad: ModelCounts) -> int:
    """Return how many hits they have taken for armour penetration."""
    return sum(condition.vehicle_hits * models for condition, models in squad)


@clause("SE-24")
def with_model(squad: ModelCounts, condition: Condition, models: int = 1) -> ModelCounts:
    """Add models in this condition; the dead are left out."""
    if condition.is_dead or not models:
        return squad
    counts = dict(squad)
    counts[condition] = counts.get(condition, 0) + models
    return tuple(sorted(counts.items(), key=most_hurt_first))


@lru_cache(4096)
def combine(squad: ModelCounts, other_squad: ModelCounts) -> ModelCounts:
    """Combine the counts of two groups of models."""
    for condition, models in other_squad:
        squad = with_model(squad, condition, models)
    return squad


def without_model(squad: ModelCounts, condition: Condition) -> ModelCounts:
    """Take out one model that is in this condition."""
    return tuple((other, models - (other == condition)) for other, models in squad if other != condition or models > 1)


def next_target(squad: ModelCounts, target_order: TargetOrder = "one_by_one") -> Condition:
    """Return the condition of the model that the next shot is aimed at."""
    return squad[0][0] if target_order == "one_by_one" else squad[-1][0]


def most_hurt_first(group: tuple[Condition, int]) -> tuple[int, int, int, int, str]:
    """Order models: fewest wounds, then the stronger fire, then more hits on the hull."""
    condition = group[0]
    flame = condition.on_fire
    if flame is None:
        return (condition.wounds, 1, 0, -condition.vehicle_hits, "")
    return (condition.wounds, 0, -(flame.strength or 0), -condition.vehicle_hits, flame.weapon)


# --- what is told ----------------------------------------------------------------------------------------------------


def squad_loss_lines(
    name: str, before: ModelCounts, after: ModelCounts, others: bool = False
) -> Iterator[rulebook.Line]:
    """Say how many of these models fall, what they lose and how many burn; of a single model, by its name.

    `others` says whether further models stand beside them.
    """
    if count_models(before) == 1 and not others:
        (was, _), *_ = before
        now = after[0][0] if after else replace(was, wounds=0)
        yield from outcome_lines(capital(name), was, now)
        return
    fallen, lost = count_models(before) - count_models(after), wounds_left(before) - wounds_left(after)
    hits, fires = hits_on_vehicles(after) - hits_on_vehicles(before), set_on_fire(after) - set_on_fire(before)
    if hits:
        text = f"{capital(name)}: {plural(hits, 'hit')} for armour penetration, by the base game"
        yield rulebook.Line(text, ("SE-96",))
    if fallen:
        text = f"{plural(fallen, 'model')} {'falls' if fallen == 1 else 'fall'}"
        alone = ", and nobody is left" if not after and not others else ""
        yield rulebook.Line(text + alone, ("SE-24",), result=f"{fallen} fallen")
    elif lost:
        yield rulebook.Line(f"{plural(lost, 'wound')} lost", ("SE-22",), result=f"{lost} lost")
    if fires > 0:
        yield rulebook.Line(f"{plural(fires, 'model')} {'is' if fires == 1 else 'are'} on fire", ("SE-86",))
    if before == after:
        yield rulebook.Line("Nobody is hurt", ("SE-22",), result="0 lost")
