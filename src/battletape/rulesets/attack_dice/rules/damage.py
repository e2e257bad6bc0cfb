"""HP loss and casualties: one point at a time, the wounded model first, then the next."""

from __future__ import annotations

from battletape.rulebook import clause

Ranks = tuple[tuple[int, int], ...]
"""A unit's models in the order they fall: (how many, HP each)."""


def make_ranks(models: int, hp: int, others: tuple[int, ...] = ()) -> Ranks:
    """Return the models with equal HP, then the others in order."""
    further = tuple((1, own) for own in others)
    return ((models, hp), *further) if models else further


def all_models(ranks: Ranks) -> int:
    """Count the models in these ranks."""
    return sum(models for models, _ in ranks)


@clause("AD-92")
def is_single(ranks: Ranks) -> bool:
    """Return whether a unit began with one model; the last one standing of several does not count."""
    return all_models(ranks) == 1


def all_hp(ranks: Ranks) -> int:
    """Add up the HP of these ranks without wounds."""
    return sum(models * hp for models, hp in ranks)


@clause("AD-81")
def models_left(ranks: Ranks, lost: int) -> tuple[Ranks, int]:
    """Return the models still standing after a loss of HP, and how many HP the wounded one has lost."""
    for at, (models, hp) in enumerate(ranks):
        if lost < models * hp:
            return ((models - lost // hp, hp), *ranks[at + 1 :]), lost % hp
        lost -= models * hp
    return (), 0


@clause("AD-80", "AD-81")
def casualties(ranks: Ranks, lost: int) -> int:
    """Count the models without HP after a loss of HP, taken in order."""
    left, _ = models_left(ranks, lost)
    return all_models(ranks) - all_models(left)


@clause("AD-81")
def next_model_hp(ranks: Ranks, lost: int) -> int:
    """Return the HP of the model next in line: full if none is wounded, 0 if the unit is gone."""
    left, wound = models_left(ranks, lost)
    return left[0][1] - wound if left else 0


@clause("AD-81")
def wounded_hp(ranks: Ranks, lost: int) -> int:
    """Return the HP left to the model that has lost some; 0 if none has."""
    _, wound = models_left(ranks, lost)
    return next_model_hp(ranks, lost) if wound else 0


@clause("AD-79", "AD-80", "AD-81")
def hp_lost_after(ranks: Ranks, lost: int, unsaved: int, hp_each: int = 1, spill: str = "spills") -> int:
    """Add unsaved attacks of equal damage to the HP lost; never more than the unit has."""
    most = all_hp(ranks)
    if spill == "spills" or hp_each == 1:
        return min(most, lost + unsaved * hp_each)
    for _ in range(unsaved):
        if lost >= most:
            break
        lost += min(hp_each, next_model_hp(ranks, lost))
    return lost
