"""Terrain: what hides places of a body, and what hangs in the air for some rounds."""

from __future__ import annotations

from typing import Literal, TypeAlias

from battletape.field.state import TerrainPiece
from battletape.rulebook import clause, replace
from battletape.rulesets.deathwatch.rules import quality_effects
from battletape.rulesets.deathwatch.rules.traits import SPOTS, Spot
from battletape.table.points import Point

CloudKind: TypeAlias = Literal["smoke", "haywire"]


class Terrain(TerrainPiece, frozen=True):
    """A piece of terrain, with the places of a body that it hides; or a cloud, with the rounds that it has left."""

    hidden: tuple[Spot, ...] = SPOTS
    rounds: int = 0  # of a cloud; other terrain stays
    strength: str = ""  # of a haywire field


@clause("DW-QUAL-SMOKE", "DW-QUAL-HAYWIRE")
def cloud(kind: CloudKind, at: Point, radius: float, rounds: int, strength: str = "") -> Terrain:
    """Return a cloud about a place; the battle gives it a name."""
    return Terrain("", kind, (at,), radius, rounds=rounds, strength=strength)


@clause("DW-QUAL-SMOKE", "DW-QUAL-HAYWIRE")
def a_round_older(piece: Terrain) -> Terrain | None:
    """Return terrain a round later: clouds thin out and are gone at last, and haywire fields are a step weaker."""
    if not piece.rounds:
        return piece
    if piece.rounds == 1:
        return None
    strength = quality_effects.weaken(piece.strength) if piece.kind == "haywire" else piece.strength  # type: ignore[arg-type]
    return replace(piece, rounds=piece.rounds - 1, strength=strength)
