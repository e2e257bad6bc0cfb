"""Shots at the ground: a place instead of a model, and a marker for whoever stands there."""

from __future__ import annotations

from battletape.rulebook import D6, Procedure, Tape, at_least, clause, replace
from battletape.rulesets.second_edition.rules.blasts import Blast, land, scatter, spots, strike
from battletape.rulesets.second_edition.rulings import DEFAULT, Rulings
from battletape.table.bases import Base
from battletape.table.points import Point, apart

ON_THE_SPOT = 6
"""What a die must show to land a marker on the place aimed at."""


@clause("SE-49", "SE-65")
def ground_distance(shooter: Base, spot: Point, rules: Rulings = DEFAULT) -> float:
    """From the edge of the shooter's base to a place on the ground; from its middle where middles are measured."""
    away = apart(shooter.centre, spot)
    return away if rules.measuring == "centres" else max(0.0, away - shooter.radius)


@clause("SE-59", "SE-33")
def pick_spot(tape: Tape, blast: Blast) -> Blast:
    """The shooter names the place to aim at."""
    spot = blast.spot
    if spot is None:
        named = places(blast)
        spot = named[tape.choose(tuple(named), by="attacker", label="place")]
    return aimed_at(blast, spot)


def places(blast: Blast) -> dict[str, Point]:
    """The places worth aiming at, by what they are called."""
    return {f"{place.x:.2f}, {place.y:.2f}": place for place in spots(blast.figures, blast.shell.marker, blast.gains)}


@clause("SE-59", "SE-65")
def aimed_at(blast: Blast, spot: Point) -> Blast:
    """A blast with its place, and the distance to it unless that was given."""
    given = blast.shell.aim.distance
    distance = ground_distance(blast.shooter, spot, blast.rules) if given is None else given
    return replace(blast, target="", spot=spot, distance=distance)


@clause("SE-60", "SE-61", "SE-65")
def roll_for_ground(tape: Tape, blast: Blast) -> Blast:
    """A 6 lands on the place, whoever shoots and whatever hinders; out of range nothing happens at all."""
    if blast.rules.ground_range == "limited" and blast.distance > blast.shell.aim.long_range:
        return replace(blast, fate="no_effect")
    on_it = tape.roll(D6, at_least(ON_THE_SPOT), label="shot at the ground")
    return replace(blast, fate="hit") if on_it else blast


GROUND = Procedure("shot at the ground", (pick_spot, roll_for_ground, scatter, land, strike))
