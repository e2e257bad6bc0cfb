"""The battle keeps both legality tables: kind of vehicle by speed, and condition by action."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from battletape.battle import Battle
from battletape.rulesets.vehicles5.battle.state import Done, did
from battletape.rulesets.vehicles5.battle.turn import exit_this_turn
from battletape.rulesets.vehicles5.rules.damage import Condition
from battletape.table.distances import gap
from tests.vehicles5.battles import battle, in_phase, path, squad, vehicle

FOE = vehicle("Foe", "Anvil battle tank", 20, 44, 180)
MEN = squad("Men", "Ninth Bridge sappers", 0, 0, aboard="It")
ONE, TWO = [{"gun": "left lascannon"}], [{"gun": "left lascannon"}, {"gun": "right lascannon"}]
BANDS = {"stationary": 0.0, "combat": 6.0, "cruising": 12.0, "flat_out": 18.0}
WAGON = {"capacity": 10, "fire_points": 5, "access": [{"x": 0, "y": -2.375}]}


def driven(types: tuple[str, ...], band: str, **more: Any) -> Battle:
    """A destroyer of this kind that carries five men and has moved at this speed."""
    it = vehicle("It", "Longwatch destroyer", 20, 10, types=list(types), width=2, **{**WAGON, **more})
    one = battle([it, MEN], [FOE], rulings={"rapid_fire_moved": "full"})  # how far they shoot is told elsewhere
    if BANDS[band]:
        one.push("drive", unit="It", path=path((20, 10 + BANDS[band])))
    else:
        one.push("stand", unit="It")
    assert one.state.vehicle("It").done.band == band
    return one


def may(one: Battle, action: str, **params: Any) -> bool:
    """Whether it may be done; if not, there is a reason with a clause."""
    refused = one.refusal(action, params)
    assert refused is None or (refused.reason and refused.clause.startswith("V5-"))
    return refused is None


ALL, MAIN, NONE = (True, True), (True, False), (False, False)
ROWS = [
    *(((*kind,), "stationary", ALL, True, True, True) for kind in ((), ("tank",), ("skimmer",))),
    *(((*kind,), "combat", MAIN, True, True, False) for kind in ((), ("tank",), ("skimmer",))),
    *(((*kind,), "cruising", NONE, True, True, False) for kind in ((), ("tank",), ("skimmer",))),
    *(((*kind,), "stationary", ALL, True, True, True) for kind in (("fast",), ("fast", "skimmer"))),
    *(((*kind,), "combat", ALL, True, True, False) for kind in (("fast",), ("fast", "skimmer"))),
    *(((*kind,), "cruising", MAIN, True, True, False) for kind in (("fast",), ("fast", "skimmer"))),
    *(((*kind,), "flat_out", NONE, True, False, False) for kind in (("fast",), ("fast", "skimmer"))),
    (("open_topped",), "combat", MAIN, True, True, True),
    (("open_topped",), "cruising", NONE, True, True, True),
    (("fast", "open_topped"), "flat_out", NONE, True, False, False),
    (("walker",), "stationary", ALL, True, True, True),
    (("walker",), "combat", ALL, True, True, False),
]


@pytest.mark.clause("V5-FIRE-1", "V5-FIRE-2", "V5-FIRE-3", "V5-FIRE-4", "V5-FIRE-5", "V5-FAST-2", "V5-FAST-3")
@pytest.mark.clause("V5-FAST-4", "V5-FAST-5", "V5-WALK-3", "V5-TRAN-3", "V5-TRAN-8", "V5-OPEN-3", "V5-SMOKE-1")
@pytest.mark.parametrize(("types", "band", "fires", "inside", "leaves", "assaults"), ROWS)
def test_table_of_kind_by_speed(types, band, fires, inside, leaves, assaults):
    one = driven(types, band)
    assert may(one, "smoke", unit="It")
    assert may(one, "disembark", unit="Men") is leaves
    out = one.fork()
    one.push("end_phase")
    assert (
        may(one, "fire", unit="It", target="Foe", guns=ONE),
        may(one, "fire", unit="It", target="Foe", guns=TWO),
    ) == fires
    assert may(one, "shoot_unit", unit="Men", target="Foe") is (inside and within(one))
    if leaves:
        out.push("disembark", unit="Men")
        assert (assault_of(out) is None or assault_of(out).may_assault) is assaults


def within(one: Battle) -> bool:
    """Whether the foe is in range of those inside."""
    return gap(one.state.hull("It"), one.state.hull("Foe")) <= 24


def assault_of(one: Battle) -> Any:
    """What the exit lets the squad do."""
    return exit_this_turn(one.state, one.state.squad("Men"))


def changed(one: Battle, **flags: Any) -> Battle:
    """The same battle with the vehicle changed by hand."""
    state = one.state
    done = {name: flags.pop(name) for name in Done.__struct_fields__ if name in flags}
    one.trust(one.record.live[-1], state.with_units(did(replace(state.vehicle("It"), **flags), **done)))
    return one


def fresh() -> Battle:
    return battle(
        [vehicle("It", "Longwatch destroyer", 20, 20, width=2, **WAGON), MEN],
        [FOE],
        rulings={"rapid_fire_moved": "full"},
    )


def stuck() -> dict[str, Any]:
    return {"condition": replace(fresh().state.vehicle("It").condition, immobilised=True)}


def gone(status: str) -> dict[str, Any]:
    return {"condition": Condition(status=status)}


CONDITIONS = {
    "none": ({}, "move turn shoot smoke charge inside leave"),
    "shaken": ({"shaken_until": 1}, "move turn smoke charge leave"),
    "stunned": ({"stunned_until": 1}, "turn smoke leave"),
    "immobilised": (stuck(), "shoot smoke inside leave"),
    "smoke": ({"smoke_used": True, "smoke_turn": 1, "finished_move": True}, "inside leave"),
    "tank_shock": (
        {"declared": "tank_shock", "moved": True, "finished_move": True, "band": "combat", "path": 5.0},
        "shoot smoke inside leave",
    ),
    "ram": (
        {"declared": "ram", "moved": True, "finished_move": True, "band": "cruising", "path": 5.0},
        "smoke inside leave",
    ),
    "a unit left": (
        {"exit_after_move": True, "moved": True, "finished_move": True, "band": "combat", "path": 5.0},
        "shoot smoke inside leave",
    ),
    "wrecked": (gone("wrecked"), ""),
    "exploded": (gone("exploded"), ""),
}


@pytest.mark.clause("V5-DMG-1", "V5-DMG-2", "V5-DMG-4", "V5-DMG-5", "V5-DMG-6", "V5-SMOKE-2", "V5-TANK-6", "V5-RAM-2")
@pytest.mark.parametrize("name", CONDITIONS)
def test_table_of_condition_by_action(name):
    flags, allowed = CONDITIONS[name]
    one = changed(fresh(), **flags)
    if name not in ("smoke", "tank_shock", "ram", "a unit left", "wrecked", "exploded"):
        standing = changed(fresh(), **flags, finished_move=True)
    else:
        standing = one
    firing = changed(fresh(), **flags)
    firing.trust(0, in_phase(firing.state, "shooting"))
    near = changed(battle([vehicle("It", "Longwatch destroyer", 20, 30)], [FOE]), **flags)
    found = {
        "move": may(one, "drive", unit="It", path=path((20, 24))),
        "turn": may(one, "turn_on_spot", unit="It", heading=10),
        "shoot": may(firing, "fire", unit="It", target="Foe", guns=ONE),
        "smoke": may(standing, "smoke", unit="It"),
        "charge": may(near, "tank_shock", unit="It", heading=0, inches=6) and may(near, "ram", unit="It", target="Foe"),
        "inside": may(firing, "shoot_unit", unit="Men", target="Foe"),
        "leave": may(one, "disembark", unit="Men"),
    }
    assert {key for key, allowed in found.items() if allowed} == set(allowed.split())


@pytest.mark.clause("V5-ORD-4", "V5-FIRE-0")
def test_a_gun_that_cannot_fire_as_a_barrage_is_told_so():
    one = driven((), "stationary")
    one.push("end_phase")
    lobbed = one.refusal("fire", unit="It", target="Foe", guns=[{"gun": "left lascannon", "barrage": True}])
    assert lobbed is not None
    assert (lobbed.clause, lobbed.reason) == (
        "V5-ORD-4",
        "the Lascannon cannot be fired as a barrage; fire it directly instead",
    )
