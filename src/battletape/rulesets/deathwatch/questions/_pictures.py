"""Bodies from the front: the armour of every place, the cover in front of it, and how likely an attack hits it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from battletape.rulebook import Tape, odds_of
from battletape.rulesets.deathwatch.questions._inputs import target_of
from battletape.rulesets.deathwatch.rules.attack import fighters, records, stages
from battletape.rulesets.deathwatch.rules.traits import SPOTS
from battletape.rulesets.deathwatch.rulings import Rulings
from battletape.table.outlines import Body, Spot, nowhere

COVERED_BY = "Sandbags"
"""The cover of a place that a player only points at."""


def chances_of(spec: records.PreparedAttack) -> Mapping[Spot, Fraction]:
    """Return how likely each place is hit at all by an attack; evaded hits do not count."""
    odds = odds_of(_struck, spec)
    shares = odds.fractions()
    return {spot: sum((shares[struck] for struck in shares if spot in struck), Fraction(0)) for spot in SPOTS}


def _struck(tape: Tape, spec: records.PreparedAttack) -> frozenset[str]:
    return frozenset(hit.spot for hit in stages.roll_and_place(tape, spec).placed_hits)


def body_hit(spec: Callable[[Any, Rulings], records.PreparedAttack] | None = None, **aimed: Any) -> tuple[Body, ...]:
    """Return the target of an attack; `spec` is the attack itself, with left and right told apart."""
    body = Body(
        lambda inputs, rulings: dict(zip(SPOTS, target_of(inputs).armour, strict=True)),
        lambda inputs, rulings: dict(zip(SPOTS, fighters.cover_of(target_of(inputs)), strict=True)),
        nowhere if spec is None else lambda inputs, rulings: chances_of(spec(inputs, rulings)),
        hidden="hidden",
        material="cover",
        usual=COVERED_BY,
        **aimed,
    )
    return (body,)
