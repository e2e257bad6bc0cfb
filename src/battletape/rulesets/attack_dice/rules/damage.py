"""HP loss and casualties: one point at a time, the wounded model first, then the next."""

from __future__ import annotations

from battletape.clauses import clause

Ranks = tuple[tuple[int, int], ...]
"""A unit's models in the order they fall: (how many, HP each)."""


def make_ranks(models: int, hp: int, others: tuple[int, ...] = ()) -> Ranks:
    """So many models of so many HP each, then the others in order."""
    return ((models, hp), *((1, one) for one in others)) if models else tuple((1, one) for one in others)


def all_models(ranks: Ranks) -> int:
    """How many models the unit began with."""
    return sum(models for models, _ in ranks)


@clause("AD-92")
def is_single(ranks: Ranks) -> bool:
    """Whether the unit began with one model; the last one standing of several does not count."""
    return all_models(ranks) == 1


def all_hp(ranks: Ranks) -> int:
    """How many HP the unit began with."""
    return sum(models * hp for models, hp in ranks)


@clause("AD-81")
def standing(ranks: Ranks, lost: int) -> tuple[Ranks, int]:
    """The models still there after losing so many HP, and how many HP the wounded one among them has lost."""
    for at, (models, hp) in enumerate(ranks):
        if lost < models * hp:
            return ((models - lost // hp, hp), *ranks[at + 1 :]), lost % hp
        lost -= models * hp
    return (), 0


@clause("AD-80", "AD-81")
def casualties(ranks: Ranks, lost: int) -> int:
    """How many models have no HP left after losing so many HP in order."""
    fallen = 0
    for models, hp in ranks:
        here = min(models, lost // hp)
        fallen += here
        if here < models:
            break
        lost -= models * hp
    return fallen


@clause("AD-81")
def next_model_hp(ranks: Ranks, lost: int) -> int:
    """The HP of the model next in line: full if none is wounded, 0 if the unit is gone."""
    for models, hp in ranks:
        if lost < models * hp:
            return hp - lost % hp
        lost -= models * hp
    return 0


@clause("AD-79", "AD-80", "AD-81")
def lose(ranks: Ranks, lost: int, unsaved: int, each: int = 1, spill: str = "spills") -> int:
    """HP lost in all after so many unsaved attacks of so many HP each; never more than the unit has."""
    most = all_hp(ranks)
    if spill == "spills" or each == 1:
        return min(most, lost + unsaved * each)
    for _ in range(unsaved):
        if lost >= most:
            break
        lost += min(each, next_model_hp(ranks, lost))
    return lost
