"""Transports, and the order of the shooting steps."""

from __future__ import annotations

from battletape.rulesets.vehicles5 import transports
from battletape.rulesets.vehicles5.words import shooting_steps as steps_in_order
from battletape.table.bases import Base
from battletape.table.places import is_at_access
from battletape.table.points import Point
from tests.vectors.vehicles5_parts import Given, is_legal, rules, state, traits


def embark(given: Given) -> Given:
    vehicle, now = traits(given), state(given, "vehicle_state")
    at_access, at_hull = given["models_within_2in_of_access"], given.get("models_within_2in_of_hull", 0)
    refused = transports.refuse_embark(
        given["unit"]["type"],
        given["unit"]["models"],
        given["capacity"],
        given["aboard"],
        transports.models_in_reach(vehicle, at_access, at_hull),
        vehicle,
        given["vehicle_band_so_far"],
        given["disembarked_this_turn"],
        given["phase"],
        now,
        rules(given),
        given.get("then_vehicle_moves"),
    )
    after = transports.may_move_after_boarding(now, given["vehicle_has_moved"], rules(given))
    return {"legal": is_legal(refused), "vehicle_may_move_after": after}


def disembark(given: Given) -> Given:
    found = transports.leave(
        traits(given),
        given["vehicle_has_moved"],
        given["vehicle_band_so_far"],
        state(given, "vehicle_state"),
        given["embarked_this_turn"],
        given["placement"],
        given["phase"],
        given.get("then_vehicle_moves"),
        rules(given),
    )
    if isinstance(found, Exception):
        return {"legal": False}
    return {
        "legal": True,
        "unit_may_move": found.may_move,
        "unit_may_shoot": found.may_shoot,
        "unit_may_assault": found.may_assault,
        "counts_as_moving": found.counts_as_moving,
        "vehicle_may_move_after": found.vehicle_may_move,
        "emergency": found.emergency,
    }


def passenger_fire(given: Given) -> Given:
    smoke, now = given.get("smoke_this_turn", False), state(given, "vehicle_state")
    count, moving = transports.shooters(
        traits(given), given["fire_points"], given["passengers"], given["vehicle_band"], now, smoke, rules(given)
    )
    return {"max_shooters": count, "counts_as_moving": moving}


def within_access(given: Given) -> Given:
    base = Base(Point(given["centre_distance"], 0.0), given["base_radius"])
    return {"within": is_at_access(base, (Point(0.0, 0.0),))}


def shooting_steps(given: Given) -> Given:
    return {"steps": list(steps_in_order(rules(given)))}
