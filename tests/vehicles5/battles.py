"""Battles that several tests start from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from battletape import registry
from battletape.battle import Battle
from battletape.errors import Refused
from battletape.rulesets.vehicles5.battle import BATTLE
from battletape.rulesets.vehicles5.battle.state import State
from battletape.rulesets.vehicles5.profiles.book import book
from battletape.rulesets.vehicles5.rules.traits import PHASES, Phase
from battletape.rulesets.vehicles5.rulings import EARLIER, PRESETS, Rulings
from battletape.system import Ruleset

RULESET = Ruleset(
    name="vehicles5_battle",
    earlier=EARLIER,
    title="Vehicles, 5th edition: the battle alone",
    summary="The battle without its questions.",
    package="battletape.rulesets.vehicles5",
    rulings=Rulings,
    questions=(),
    presets=PRESETS,
    profiles=book,
    battle=BATTLE,
)
WIDE = {"width": 48, "depth": 48}


def vehicle(name: str, profile: str, x: float, y: float, heading: float = 0, **more: Any) -> dict[str, Any]:
    """A vehicle of a start."""
    return {"name": name, "profile": profile, "x": x, "y": y, "heading": heading, **more}


def squad(name: str, profile: str, x: float, y: float, heading: float = 0, **more: Any) -> dict[str, Any]:
    """A squad of a start."""
    return {"name": name, "profile": profile, "x": x, "y": y, "heading": heading, **more}


def box(west: float, south: float, east: float, north: float) -> list[dict[str, float]]:
    """The corners of a rectangle."""
    return [{"x": x, "y": y} for x, y in ((west, south), (east, south), (east, north), (west, north))]


FAR = vehicle("Far", "Ember cart", 44, 44, 180)


def battle(south: list[Any], north: list[Any], grounds: Sequence[Any] = (), rulings: Any = None, **more: Any) -> Battle:
    """A battle between South, which begins, and North; a unit with a profile of troops is a squad."""
    sides = []
    for name, units in (("South", south), ("North", north)):
        squads = [one for one in units if one["profile"] in book().entries["unit"]]
        sides.append({"name": name, "machines": [one for one in units if one not in squads], "squads": squads})
    return Battle.new(RULESET, {**WIDE, "sides": sides, "grounds": grounds, **more}, rulings)


def refused(one: Battle, action: str, clause: str, **params: object) -> Refused:
    """The refusal of an action, which names this clause and changes nothing."""
    before = one.state
    found = one.refusal(action, params)
    assert found is not None
    assert found.clause == clause, found
    with pytest.raises(Refused):
        one.push(action, params)
    assert one.state == before
    return found


def path(*points: tuple[float, float]) -> list[dict[str, float]]:
    """The places of a drive."""
    return [{"x": x, "y": y} for x, y in points]


def to_phase(one: Battle, phase: str) -> Battle:
    """The same battle in a later phase of this turn."""
    while one.state.phase != phase:
        one.push("end_phase")
    return one


def in_phase(state: State, phase: Phase) -> State:
    """The same state in another phase of this turn."""
    return replace(state, clock=replace(state.clock, step=PHASES.index(phase)))


def told(one: Battle) -> list[str]:
    """The log of the last move."""
    return [line.text for line in one.move_record(len(one.moves)).lines]


def close_quarters(rulings: Any = None) -> Battle:
    """Everything close together, so that every action comes up."""
    south = [
        vehicle("Bull", "Bull ram", 10, 10),
        vehicle("Wain", "Hay wain", 20, 8),
        vehicle("Ogre", "Twin-fisted ogre", 28, 14),
        vehicle("Thunder", "Far Thunder carriage", 36, 6),
        squad("Sappers", "Ninth Bridge sappers", 0, 0, aboard="Wain"),
        squad("Blades", "Furnace blades", 16, 16),
    ]
    north = [
        vehicle("Carrier", "Barrow carrier", 14, 26, 180),
        vehicle("Strider", "Warden strider", 26, 24, 180),
        vehicle("Kingfisher", "Kingfisher", 36, 24, 180),
        vehicle("Siege", "Gatebreaker siege tank", 42, 34, 180),
        squad("Watch", "Harbour watch", 20, 22, 180),
        squad("Company", "Furnace company", 0, 0, 180, aboard="Carrier"),
    ]
    grounds = [
        {"name": "Copse", "kind": "difficult", "corners": box(30, 16, 34, 20), "cover": 4, "top": 3},
        {"name": "Bog", "kind": "dangerous", "corners": box(6, 18, 10, 22)},
        {"name": "Road", "kind": "road", "corners": box(40, 0, 44, 48)},
    ]
    return battle(south, north, grounds, rulings)


@pytest.fixture(scope="module")
def known() -> Iterator[None]:
    """The battle is known by name while the tests of a module run, and forgotten after."""
    registry.register(RULESET)
    yield
    registry._known.pop(RULESET.name)
