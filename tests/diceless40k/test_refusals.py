"""What is refused in a battle and in a question, with the clause and the words, and that nothing changes by it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from battletape.battle import Battle
from battletape.rulesets.diceless40k import RULESET
from tests.diceless40k.battles import battle, unit
from tests.refusals import Allowed, QuestionRow, Row, Start, begin, faults, is_allowed, question_faults


def between(*units: Any, **start: Any) -> Callable[[], Battle]:
    """Return what makes a battle: units of Vigil and of the Horde, then their vehicles."""
    return lambda: battle(*units, **start)


def fleeing(*names: str, make: Callable[[], Battle]) -> Callable[[], Battle]:
    """Return what makes a battle in which these units fall back."""

    def changed() -> Battle:
        played = make()
        fled = [replace(played.state.squad(name), falling_back=True, op=150) for name in names]
        played.trust(0, played.state.with_units(*fled))
        return played

    return changed


def phases(number: int) -> tuple[str, ...]:
    """Return the moves that end so many phases; three are a player turn."""
    return ("end_phase",) * number


SQUAD, BOYZ, GROTS = unit("Combat squad"), unit("Ork Boyz"), unit("Grots", "G")
MACHINE_CURSE = {"unit": "Osric", "power": "machine_curse", "target": "Trukk", "distance": 20}
VORTEX = {"unit": "Corven", "power": "Vortex", "target": "Boyz", "distance": 6, "hits": 3, "tokens": 0}
GATE = {"unit": "Corven", "power": "gate_of_infinity"}
SHOT: dict[str, Any] = {"unit": "Combat squad", "target": "Ork Boyz"}
LOBBED: dict[str, Any] = {"unit": "Lobba battery", "target": "Ork Boyz", "distance": 30}
LOBBED_FAR: dict[str, Any] = {"unit": "Lobbas", "target": "Squad", "distance": 30, "hits": [2, 2, 2]}
FRAG: dict[str, Any] = {"unit": "Kannon battery", "weapons": ["Kannon frag"], "hits": [3]}
PLASMA: dict[str, Any] = {
    "unit": "Guns",
    "target": "Boyz",
    "distance": 30,
    "weapons": ["Plasma cannon"],
    "hits": [2],
}
LANDING: dict[str, Any] = {"unit": "Jumpers", "x": 36, "y": 44}
WALKER = unit(
    "Dreadnought",
    "Walker",
    weapons=["Plasma gun"],
    arsenal=[{"name": "Plasma gun", "strength": 7, "ap": 2, "range": 24, "rules": ["gets_hot"]}],
)
ARMIES = between(
    [
        unit("Combat squad", "Squad"),
        unit("Forge team", "Guns"),
        unit("Librarian Osric Vale", "Osric"),
        unit("Gate-walker Corven", "Corven"),
    ],
    [unit("Ork Boyz", "Boyz"), unit("Weirdboy Zagnit", "Zagnit"), unit("Lobba battery", "Lobbas")],
    [unit("Predator"), WALKER],
    [unit("Trukk")],
)
TWO_SQUADS = between([SQUAD], [BOYZ])
BATTERIES = between(
    [unit("Lobba battery"), unit("Kannon battery", guns=1)],
    [unit("Ork Boyz", models=9, groups=[]), unit("Kannon battery", "Guns")],
    horde_vehicles=[unit("Trukk")],
)
SMALL = between([unit("Combat squad", "Squad")], [unit("Ork Boyz", "Boyz")], [unit("Rhino")], [unit("Trukk")])
PSYKERS = between(
    [unit("Librarian Osric Vale", "Vale"), unit("Gate-walker Corven", "Corven"), SQUAD],
    [BOYZ],
    horde_vehicles=[unit("Trukk")],
)
CARRIED = unit("Combat squad", aboard="Carrier")
RHINO = between([CARRIED], [BOYZ], [unit("Rhino", "Carrier")])
RUNNERS = between([], [BOYZ], [unit("Rhino"), unit("Dreadnought")])
BOSS = unit("Warboss Skargut", "Boss", x=50, y=13)
JUMPERS = unit("Assault Marines", "Jumpers", reserve=True, arrives="deep_strike")

STARTS: dict[str, Start] = {
    # --- turns and phases ---
    "movement": (TWO_SQUADS,),
    "shooting": (TWO_SQUADS, *phases(1)),
    "assault": (TWO_SQUADS, *phases(2)),
    "fired": (TWO_SQUADS, *phases(1), ("shoot", {**SHOT, "distance": 9}, (1, 1, 1))),
    "ran": (TWO_SQUADS, *phases(1), ("run", {"unit": "Combat squad", "inches": 4})),
    "ran, assault": (TWO_SQUADS, *phases(1), ("run", {"unit": "Combat squad", "inches": 4}), *phases(1)),
    "small": (SMALL,),
    "armies, shooting": (ARMIES, *phases(1)),
    "armies, Horde's shooting": (ARMIES, *phases(4)),
    # --- moves ---
    "a place and none": (
        between([SQUAD, unit("Space Marines", x=10, y=10)], grounds=[{"name": "Cliff", "impassable": True}]),
    ),
    "Varn and Boss": (between([unit("Captain Aldous Varn", "Varn", x=50, y=10)], [BOSS]),),
    "a Rhino and Boss": (between([], [BOSS], [unit("Rhino", x=50, y=8)]),),
    "Varn and a Rhino": (
        between([unit("Captain Aldous Varn", "Varn", x=50, y=10)], [], [unit("Rhino", x=50, y=13, heading=90)]),
    ),
    "runners": (RUNNERS, *phases(1)),
    "a walker ran": (RUNNERS, *phases(1), ("run", {"unit": "Dreadnought", "inches": 4})),
    "a walker ran, assault": (RUNNERS, *phases(1), ("run", {"unit": "Dreadnought", "inches": 4}), *phases(1)),
    "a Rhino": (between([], [], [unit("Rhino")]),),
    "a Rhino drove": (between([], [], [unit("Rhino")]), ("drive", {"unit": "Rhino", "inches": 12})),
    "smoked": (between([], [], [unit("Rhino")]), ("smoke", {"unit": "Rhino"})),
    "fleeing near": (fleeing("Ork Boyz", make=TWO_SQUADS), *phases(3)),
    "fleeing with Osric": (
        fleeing(
            "Squad",
            "Osric",
            make=between(
                [unit("Combat squad", "Squad"), unit("Librarian Osric Vale", "Osric", joined="Squad")],
                [unit("Grots")],
            ),
        ),
    ),
    # --- distances on the board ---
    "on the board": (
        between([], [unit("Grots", "G", x=20, y=40)], [unit("Rhino", x=44, y=8)], [unit("Trukk", x=24, y=40)]),
    ),
    "on the board, assault": (
        between([unit("Ork Boyz", "Boyz", x=30, y=4)], [unit("Combat squad", "Sq", x=30, y=44)]),
        *phases(2),
    ),
    "three in a line": (
        between(
            [unit("Captain Aldous Varn", "Varn", x=30, y=12)],
            [unit("Warboss Skargut", "Boss", x=30, y=17.5), unit("Grots", "G", x=30, y=15.5)],
        ),
        *phases(2),
    ),
    # --- shots ---
    "batteries": (BATTERIES, *phases(1)),
    "two tokens": (between([SQUAD], [unit("Kannon battery", guns=1)]), *phases(4)),
    "lobbas by day": (between([SQUAD], [unit("Lobba battery", f"Lobbas {number}") for number in range(2)]), *phases(4)),
    "lobbas by night": (
        between([SQUAD], [unit("Lobba battery", f"Lobbas {number}") for number in range(2)], night=True),
        *phases(4),
    ),
    "blind": (between([SQUAD], [unit("Kannon battery"), unit("Lobba battery")]), *phases(4)),
    "night": (between([SQUAD, unit("Scout snipers")], [BOYZ], night=True), *phases(1)),
    "no fire points": (between([CARRIED], [BOYZ], [unit("Land Raider", "Carrier")]), *phases(1)),
    "too fast": (RHINO, ("drive", {"unit": "Carrier", "inches": 12}), *phases(1)),
    "shaken": (RHINO, ("mark_line", {"unit": "Carrier", "line": "A", "dmg": 36}), *phases(1)),
    "a gun lost": (
        between([SQUAD], horde_vehicles=[unit("Trukk")]),
        ("mark_line", {"unit": "Trukk", "line": "F", "dmg": 18}),
        *phases(4),
    ),
    "an autocannon lost": (
        ARMIES,
        ("mark_line", {"unit": "Predator", "line": "C", "dmg": 36}, ("Autocannon",)),
        *phases(7),
    ),
    "line C damaged": (ARMIES, ("mark_line", {"unit": "Predator", "line": "C", "dmg": 5}), *phases(1)),
    # --- powers ---
    "Corven": (between([unit("Gate-walker Corven", "Corven")], [unit("Ork Boyz", "Boyz")]),),
    "Corven, shooting": (between([unit("Gate-walker Corven", "Corven")], [unit("Ork Boyz", "Boyz")]), *phases(1)),
    "Corven moved": (PSYKERS, ("move", {"unit": "Corven", "inches": 3})),
    "psykers": (PSYKERS, *phases(1)),
    "cursed": (
        PSYKERS,
        *phases(1),
        ("cast", {**MACHINE_CURSE, "unit": "Vale", "distance": 24, "warp_token": "keep"}),
    ),
    "warp token played": (ARMIES, *phases(1), ("cast", {**MACHINE_CURSE, "warp_token": "play"}, ("accept",))),
    "no warp token": (
        ARMIES,
        *phases(1),
        ("cast", {**MACHINE_CURSE, "warp_token": "play"}, ("accept",)),
        *phases(6),
        ("cast", {**MACHINE_CURSE, "warp_token": "play"}, ("accept",)),
        *phases(6),
    ),
    # --- assaults ---
    "vehicles to assault": (
        between([unit("Combat squad", "Squad")], horde_vehicles=[unit("Trukk"), unit("Deff Dread", "Dread")]),
        *phases(2),
    ),
    # --- reserves ---
    "vehicles from reserve": (
        between([SQUAD], vigil_vehicles=[unit("Rhino", reserve=True), unit("Predator", reserve=True)]),
        *phases(6),
        ("reserves", {}, ("comes", "now")),
    ),
    "a vehicle arrived": (
        between([SQUAD], vigil_vehicles=[unit("Rhino", reserve=True), unit("Predator", reserve=True)]),
        *phases(6),
        ("reserves", {}, ("comes", "now")),
        ("arrive", {"unit": "Rhino", "x": 30, "y": 12}),
    ),
    "squads from reserve": (
        between([unit("Combat squad", reserve=True), unit("Combat squad", "Second", reserve=True)]),
        *phases(6),
        ("reserves", {}, ("comes", "now")),
    ),
    "reserves due": (
        between(
            [
                unit("Gate-walker Corven", "Corven", x=30, y=10),
                *(unit("Grots", f"Later {at}", reserve=True) for at in (1, 2)),
            ]
        ),
        *phases(6),
    ),
    "jumpers": (
        between([JUMPERS, {**JUMPERS, "name": "Later"}], [unit("Ork Boyz", x=10, y=40)]),
        *phases(6),
        ("reserves", {}, ("comes", "now")),
    ),
    # --- what the board shows ---
    "tankbustas": (
        between([unit("Tankbustas", x=36, y=18)], horde_vehicles=[unit("Predator", x=36, y=30, heading=180)]),
        *phases(1),
    ),
}


ROWS = [
    # --- turns, phases and what a unit is ---
    Row(
        "movement",
        "shoot",
        {**SHOT, "distance": 9},
        "DL-0.1",
        "this belongs to the shooting phase; it is the movement phase (DL-0.1)",
    ),
    Row(
        "movement",
        "move",
        {"unit": "Ork Boyz", "inches": 3},
        "DL-0.1",
        "it is the turn of Vigil; Ork Boyz belongs to Horde (DL-0.1)",
    ),
    Row(
        "movement",
        "move",
        {"unit": "ork boyz", "inches": 3},
        "DL-0.1",
        "it is the turn of Vigil; Ork Boyz belongs to Horde (DL-0.1)",
    ),
    Row(
        "movement",
        "move",
        {"unit": "boyz", "inches": 3},
        "DL-0.1",
        "it is the turn of Vigil; Ork Boyz belongs to Horde (DL-0.1)",
    ),
    Row("shooting", "shoot", SHOT, "DL-29.1", "the distance to the target is not known; say distance=… (DL-29.1)"),
    Row(
        "shooting",
        "shoot",
        {**SHOT, "target": "Far Vigil", "distance": 9},
        "DL-0.1",
        "Far Vigil is on the same side (DL-0.1)",
    ),
    Row(
        "fired",
        "shoot",
        {**SHOT, "distance": 9},
        "DL-19.1",
        "Combat squad has fired at Ork Boyz in this phase (DL-19.1)",
    ),
    Row("small", "move", {"unit": "Rhino"}, "DL-0.1", "Rhino is a vehicle; it uses drive (DL-0.1)"),
    Row("small", "drive", {"unit": "Squad"}, "DL-0.1", "Squad is no vehicle; it uses move (DL-0.1)"),
    Row(
        "small",
        "ram",
        {"unit": "Rhino", "target": "Boyz"},
        "DL-0.1",
        "Boyz is no vehicle; tanks drive through it by tank_shock (DL-0.1)",
    ),
    Row(
        "small",
        "tank_shock",
        {"unit": "Rhino", "target": "Trukk"},
        "DL-0.1",
        "Trukk is a vehicle; tanks ram it (DL-0.1)",
    ),
    Row(
        "small",
        "embark",
        {"unit": "Squad", "machine": "Boyz"},
        "DL-0.1",
        "Boyz is no vehicle that a unit could get into (DL-0.1)",
    ),
    Row("small", "join", {}, "DL-8.3", "Vigil has no independent character left (DL-8.3)"),
    Row("small", "cast", {}, "DL-50.1", "Vigil has no psyker left (DL-50.1)"),
    Row("small", "cast", {"unit": "Squad"}, "DL-50.1", "Squad is no psyker (DL-50.1)"),
    Row("small", "arrive", {}, "DL-94.2", "no unit of Vigil arrives now (DL-94.2)"),
    Row("small", "arrive", {"unit": "Squad"}, "DL-94.2", "Squad does not arrive now (DL-94.2)"),
    Row("small", "outflank", {}, "DL-94.2", "no unit of Vigil arrives now (DL-94.2)"),
    Row("small", "lose_hp", {"unit": "Rhino"}, "DL-0.1", "Rhino is a vehicle; write its damage by mark_line (DL-0.1)"),
    Row("small", "mark_line", {"unit": "Squad"}, "DL-0.1", "Squad is no vehicle; write its damage by lose_hp (DL-0.1)"),
    Row("small", "fight", {}, "DL-38.1", "fights are fought in the Assault phase (DL-38.1)"),
    Row("small", "go_to_ground", {}, "DL-20.1", "units go to ground in the enemy's Shooting phase (DL-20.1)"),
    Row("small", "regroup", {"unit": "Squad"}, "DL-46.1", "Squad is not falling back (DL-46.1)"),
    Row("assault", "fight", {}, "DL-38.1", "no fight is left to be fought in this phase (DL-38.1)"),
    Row("assault", "assault_vehicle", {}, "DL-0.1", "Horde has no vehicle left (DL-0.1)"),
    Row(
        "vehicles to assault",
        "charge",
        {"unit": "Squad", "target": "Trukk"},
        "DL-63.1",
        "Trukk is a vehicle; use assault_vehicle (DL-63.1)",
    ),
    Row(
        "vehicles to assault",
        "assault_vehicle",
        {"unit": "Squad", "target": "Dread"},
        "DL-63.4",
        "Dread is a walker; charge it and fight (DL-63.4)",
    ),
    # --- moves ---
    Row(
        "a place and none",
        "move",
        {"unit": "Combat squad", "path": [{"x": 12, "y": 12}]},
        "DL-0.1",
        "Combat squad has no place on the board; say inches=… instead of a path (DL-0.1)",
    ),
    Row(
        "a place and none",
        "move",
        {"unit": "Space Marines", "inches": 4},
        "DL-0.1",
        "Space Marines stands on the board; say where it goes, path=… or towards=… (DL-0.1)",
    ),
    Row(
        "a place and none",
        "move",
        {"unit": "Combat squad", "inches": 4, "terrain": "Cliff", "inside": 1},
        "DL-0.1",
        "Cliff is impassable (DL-0.1)",
    ),
    Row(
        "a place and none",
        "move",
        {"unit": "Combat squad", "inches": 2, "inside": 3},
        "DL-14.1",
        "3 inches of a move of 2 inches cannot be in terrain (DL-14.1)",
    ),
    Row(
        "Varn and Boss",
        "move",
        {"unit": "Varn", "path": [{"x": 50, "y": 16}]},
        "DL-0.1",
        "Varn would pass through or within an inch of Boss (DL-0.1)",
    ),
    Row(
        "a Rhino and Boss",
        "drive",
        {"unit": "Rhino", "path": [{"x": 50, "y": 19}]},
        "DL-0.1",
        "Rhino would pass through or within an inch of Boss (DL-0.1)",
    ),
    Row(
        "Varn and a Rhino",
        "move",
        {"unit": "Varn", "path": [{"x": 50, "y": 15.5}]},
        "DL-0.1",
        "Varn would pass through Rhino (DL-0.1)",
    ),
    Row(
        "a Rhino",
        "drive",
        {"unit": "Rhino", "inches": 13},
        "DL-0.1",
        "13 inches is more than the 12 that a tank may move (DL-0.1)",
    ),
    Row("a Rhino drove", "drive", {"unit": "Rhino", "inches": 3}, "DL-0.1", "Rhino has moved in this turn (DL-0.1)"),
    Row("smoked", "smoke", {"unit": "Rhino"}, "DL-60.6", "Rhino has used its smoke (DL-60.6)"),
    Row(
        "shooting",
        "run",
        {"unit": "Combat squad", "inches": 5},
        "DL-14.1",
        "the move costs 5 inches; 4 inches are allowed (DL-14.1)",
    ),
    Row("ran", "shoot", {**SHOT, "distance": 9}, "DL-16.1", "Combat squad has run instead of firing (DL-16.1)"),
    Row(
        "ran, assault",
        "charge",
        {**SHOT, "distance": 3},
        "DL-16.1",
        "a unit that has run does not assault in the same turn (DL-16.1)",
    ),
    Row("runners", "run", {"unit": "Rhino", "inches": 4}, "DL-16.1", "Rhino is no walker and does not run (DL-16.1)"),
    Row(
        "runners",
        "run",
        {"unit": "Dreadnought", "inches": 5},
        "DL-14.1",
        "the move costs 5 inches; 4 inches are allowed (DL-14.1)",
    ),
    Row(
        "a walker ran",
        "shoot",
        {"unit": "Dreadnought", "target": "Ork Boyz", "distance": 9},
        "DL-16.1",
        "Dreadnought has run instead of firing (DL-16.1)",
    ),
    Row(
        "a walker ran, assault",
        "charge",
        {"unit": "Dreadnought", "target": "Ork Boyz", "distance": 3},
        "DL-16.1",
        "Dreadnought has run and does not assault (DL-16.1)",
    ),
    Row(
        "fleeing near",
        "regroup",
        {"unit": "Ork Boyz", "enemy": 6},
        "DL-46.1",
        'an enemy stands 6" away; a unit regroups with no enemy within 6" (DL-46.1)',
    ),
    Row(
        "fleeing with Osric",
        "fall_back",
        {"unit": "Osric"},
        "DL-45.1",
        "Osric is with Squad and does as it does (DL-45.1)",
    ),
    Row(
        "fleeing with Osric",
        "regroup",
        {"unit": "Osric"},
        "DL-46.1",
        "Osric is with Squad and does as it does (DL-46.1)",
    ),
    # --- distances and facings that the board knows ---
    Row(
        "on the board",
        "tank_shock",
        {"unit": "Rhino", "target": "G", "inches": 6},
        "DL-8.1",
        "G is 35.63 inches from Rhino on the board, not 6 inches (DL-8.1)",
    ),
    Row(
        "on the board",
        "ram",
        {"unit": "Rhino", "target": "Trukk", "inches": 12},
        "DL-69.1",
        "Trukk is 32.54 inches from Rhino on the board, not 12 inches (DL-69.1)",
    ),
    Row(
        "on the board, assault",
        "charge",
        {"unit": "Boyz", "target": "Sq", "distance": 5},
        "DL-14.1",
        "Sq is 36 inches from Boyz on the board, not 5 inches (DL-14.1)",
    ),
    Row(
        "three in a line",
        "charge",
        {"unit": "Varn", "target": "Boss"},
        "DL-0.1",
        "Varn would stand on G (DL-0.1)",
    ),
    Row(
        "tankbustas",
        "shoot",
        {"unit": "Tankbustas", "target": "Predator", "facing": "rear"},
        "DL-60.7",
        "on the board Tankbustas looks at the front of Predator, not at the rear; leave out facing (DL-60.7)",
    ),
    Row(
        "tankbustas",
        "shoot",
        {"unit": "Tankbustas", "target": "Predator", "zone": "yellow"},
        "DL-60.1",
        "on the board Tankbustas fires at Predator from the red zone, not the yellow one; leave out zone",
    ),
    # --- shots, markers and tokens ---
    Row(
        "shooting",
        "shoot",
        {**SHOT, "distance": 18, "cover": 1},
        "",
        "shoot: cover must be a save from 2+ to 6+, or none; got 1 (DL-20.1).",
    ),
    Row(
        "shooting",
        "shoot",
        {**SHOT, "distance": 18, "cover": "1+"},
        "",
        "shoot: cover must be a save from 2+ to 6+, or none; got '1+' (DL-20.1).",
    ),
    Row(
        "batteries",
        "shoot",
        {**LOBBED, "hits": [3]},
        "DL-30.8",
        "templates and markers laid: 3, each with hits of its own; got 1 number (DL-30.8)",
    ),
    Row(
        "batteries",
        "shoot",
        {**LOBBED, "hits": [3, 3]},
        "DL-30.8",
        "templates and markers laid: 3, each with hits of its own; got 2 numbers (DL-30.8)",
    ),
    Row(
        "batteries",
        "shoot",
        {**LOBBED, "hits": [3, 3, 3, 3]},
        "DL-30.8",
        "templates and markers laid: 3, each with hits of its own; got 4 numbers (DL-30.8)",
    ),
    Row(
        "batteries",
        "shoot",
        {**LOBBED, "hits": [3, 200, 1]},
        "DL-30.8",
        "200 hits under one template or marker; 9 is the most, for there are no more to hit (DL-30.8)",
    ),
    Row(
        "batteries",
        "shoot",
        {**LOBBED, "target": "Trukk", "hits": [1, 2, 1]},
        "DL-30.8",
        "2 hits under one template or marker; 1 is the most, for there are no more to hit (DL-30.8)",
    ),
    Row(
        "batteries",
        "shoot",
        {**LOBBED, "target": "Guns", "hits": [1, 0, 0], "gun_hits": 20},
        "DL-55.1",
        "6 guns can be hit; got 20 (DL-55.1)",
    ),
    Row(
        "batteries",
        "shoot",
        {"unit": "Kannon battery", "target": "Ork Boyz", "distance": 30, "weapons": ["Kannon shell"], "hits": [1]},
        "DL-30.8",
        "no template or marker is laid, so nothing lies under one; leave out hits (DL-30.8)",
    ),
    Row(
        "lobbas by day",
        "shoot",
        {"unit": "Lobbas 0", "target": "Combat squad", "distance": 17, "hits": [2, 2, 2], "tokens": [7]},
        "DL-30.5",
        "7 tokens are used on one blast; 6 is the most by day (DL-30.5)",
    ),
    Row(
        "armies, Horde's shooting",
        "shoot",
        {**LOBBED_FAR, "tokens": [7]},
        "DL-30.5",
        "7 tokens are used on one blast; 6 is the most by day (DL-30.5)",
    ),
    Row(
        "two tokens",
        "shoot",
        {**FRAG, "target": "Combat squad", "distance": 20, "tokens": [3]},
        "DL-30.5",
        "3 scatter tokens are used, and 2 are held; 2 is the most (DL-30.5)",
    ),
    Row(
        "blind",
        "shoot",
        {**FRAG, "hits": [1, 1], "target": "Combat squad", "distance": 20, "in_sight": False},
        "DL-32.1",
        "only a barrage weapon may be fired at a target out of sight (DL-32.1)",
    ),
    Row(
        "night",
        "shoot",
        {**SHOT, "distance": 20},
        "DL-95.8",
        "Combat squad sergeant sees 18 inches at night; the target is 20 inches away (DL-95.8)",
    ),
    Row(
        "no fire points",
        "shoot",
        {**SHOT, "distance": 10},
        "DL-0.1",
        "this vehicle has no fire points; an open-topped one needs none (DL-0.1)",
    ),
    Row(
        "too fast",
        "shoot",
        {**SHOT, "distance": 10},
        "DL-0.1",
        "passengers shoot at combat speed at most; this one goes cruising, by the ruling",
    ),
    Row("shaken", "shoot", {**SHOT, "distance": 10}, "DL-0.1", "no passengers shoot out of a shaken vehicle (DL-0.1)"),
    Row(
        "armies, shooting",
        "shoot",
        {**PLASMA, "hot_tokens": 9},
        "DL-31.2",
        "9 gets hot! tokens played, and 3 held; 1 is the most (DL-31.2)",
    ),
    Row(
        "armies, shooting",
        "shoot",
        {**PLASMA, "hot_tokens": 2},
        "DL-31.2",
        "2 gets hot! tokens played, and 1 of the weapons that fire get hot; one each (DL-31.2)",
    ),
    Row(
        "armies, shooting",
        "shoot",
        {"unit": "Walker", "target": "Boyz", "distance": 20, "hot_tokens": 1},
        "DL-31.1",
        "gets hot! tokens cannot be played on the weapons of a vehicle unless the ruling hot_on_vehicles says so",
    ),
    Row(
        "armies, shooting",
        "shoot",
        {"unit": "Predator", "target": "Boyz", "distance": 20, "hot_tokens": 1},
        "DL-31.2",
        "1 gets hot! token played, and 0 of the weapons that fire get hot; one each (DL-31.2)",
    ),
    # --- powers ---
    Row(
        "Corven",
        "cast",
        {"unit": "Corven", "power": "vortex", "target": "Boyz"},
        "DL-0.1",
        "Vortex belongs to the shooting phase; it is the movement phase (DL-0.1)",
    ),
    Row(
        "Corven, shooting",
        "cast",
        {"unit": "Corven", "power": "Gate of Infinity", "gate_zone": "neutral"},
        "DL-0.1",
        "gate of infinity belongs to the movement phase; it is the shooting phase (DL-0.1)",
    ),
    Row(
        "Corven, shooting",
        "cast",
        {"unit": "Corven", "power": "Doom"},
        "",
        "there is no power or weapon of Corven 'Doom'. Known: gate_of_infinity, Bolt pistol, Force staff, Vortex.",
    ),
    Row(
        "Corven moved",
        "cast",
        {**GATE, "gate_zone": "neutral"},
        "DL-SM-57.3",
        "Corven has moved in this turn (DL-SM-57.3)",
    ),
    Row("psykers", "cast", {**MACHINE_CURSE, "unit": "Combat squad"}, "DL-50.1", "Combat squad is no psyker (DL-50.1)"),
    Row(
        "psykers",
        "cast",
        {**MACHINE_CURSE, "unit": "Vale", "distance": 25},
        "DL-SM-57.1",
        "Trukk is 25 inches away; the curse reaches 24 (DL-SM-57.1)",
    ),
    Row(
        "cursed",
        "cast",
        {**MACHINE_CURSE, "unit": "Vale", "distance": 24},
        "DL-50.1",
        "Vale has used a power in this turn (DL-50.1)",
    ),
    Row(
        "warp token played",
        "cast",
        {**VORTEX, "warp_token": "play"},
        "DL-50.5",
        "one warp token may be played in a player turn, and it has been; the next one may in the next player",
    ),
    Row(
        "no warp token",
        "cast",
        {**VORTEX, "warp_token": "play"},
        "DL-50.5",
        "no warp token is held, so none can be played; the test is taken as usual (DL-50.5)",
    ),
    # --- damage by hand and repairs ---
    Row(
        "a gun lost",
        "shoot",
        {"unit": "Trukk", "target": "Combat squad", "distance": 12, "weapons": ["Big shoota"]},
        "DL-60.17",
        "the Big shoota is destroyed; this vehicle may fire nothing (DL-60.17)",
    ),
    Row(
        "an autocannon lost",
        "shoot",
        {"unit": "Predator", "target": "Boyz", "distance": 20, "weapons": ["Autocannon"]},
        "DL-60.17",
        "the Autocannon is destroyed; this vehicle may fire Lascannon, Hunter-killer missile (DL-60.17)",
    ),
    Row(
        "small",
        "mark_line",
        {"unit": "Trukk", "line": "G", "dmg": 5},
        "DL-60.7",
        "a vehicle's sheet has the lines A to F; got G (DL-60.7)",
    ),
    Row(
        "line C damaged",
        "repair",
        {"unit": "Guns", "machine": "Predator", "distance": 0, "line": "G"},
        "DL-60.7",
        "a vehicle's sheet has the lines A to F; got G (DL-60.7)",
    ),
    Row(
        "line C damaged",
        "repair",
        {"unit": "Guns", "machine": "Predator", "distance": 0, "line": "A"},
        "DL-SM-71.1",
        "line A of Predator holds no damage; C would do (DL-SM-71.1)",
    ),
    Row(
        "movement",
        "lose_hp",
        {"unit": "Combat squad", "group": "Lascannon gunner", "hp": 41},
        "DL-6.2",
        "Lascannon gunner has 40 HP left, and hit points do not fall below 0; 40 is the most (DL-6.2)",
    ),
    Row(
        "movement",
        "lose_hp",
        {"unit": "Combat squad", "group": "Lascannon gunner", "hp": -1},
        "DL-24.2",
        "Lascannon gunner can get back 0 HP, what is recorded (DL-24.2)",
    ),
    # --- reserves ---
    Row(
        "vehicles from reserve",
        "arrive",
        {"unit": "Rhino", "x": 30, "y": 13},
        "DL-94.2",
        "Rhino comes on within 12 inches of its own edge (DL-94.2)",
    ),
    Row(
        "a vehicle arrived",
        "arrive",
        {"unit": "Rhino", "x": 40, "y": 6},
        "DL-94.2",
        "Rhino does not arrive now (DL-94.2)",
    ),
    Row(
        "squads from reserve",
        "arrive",
        {"unit": "Combat squad", "x": 30, "y": 7},
        "DL-94.2",
        "Combat squad comes on within 6 inches of its own edge (DL-94.2)",
    ),
    Row(
        "reserves due",
        "cast",
        {**GATE, "warp_token": "keep", "x": 30, "y": 24},
        "DL-94.2",
        "reserves are due; call them first (DL-94.2)",
    ),
    Row(
        "jumpers",
        "deep_strike",
        {**LANDING, "tokens": 0, "zone": "own"},
        "DL-95.5",
        "y=44 lies in the enemy zone of the board, not in the own one; leave out zone, or aim elsewhere (DL-95.5)",
    ),
    Row(
        "jumpers",
        "deep_strike",
        {**LANDING, "tokens": 0, "hazard": 3},
        "DL-95.5",
        "the board shows what Jumpers may be pushed into, and where; leave out hazard, or x and y (DL-95.5)",
    ),
    Row(
        "jumpers",
        "deep_strike",
        {**LANDING, "tokens": 0, "landed": "own"},
        "DL-95.5",
        "the board shows what Jumpers may be pushed into, and where; leave out landed, or x and y (DL-95.5)",
    ),
    Row(
        "jumpers",
        "deep_strike",
        {"unit": "Jumpers", "x": 36, "y": -3},
        "DL-95.3",
        "36, -3 is not on the table; aim at a point that is (DL-95.3)",
    ),
    Row(
        "jumpers",
        "deep_strike",
        {"unit": "Jumpers", "x": -5, "y": 6},
        "DL-95.3",
        "-5, 6 is not on the table; aim at a point that is (DL-95.3)",
    ),
    Row(
        "jumpers",
        "deep_strike",
        {"unit": "Jumpers", "x": 90, "y": 24},
        "DL-95.3",
        "90, 24 is not on the table; aim at a point that is (DL-95.3)",
    ),
    Row(
        "jumpers",
        "deep_strike",
        {"unit": "Jumpers", "x": 36, "y": 60},
        "DL-95.3",
        "36, 60 is not on the table; aim at a point that is (DL-95.3)",
    ),
]


@pytest.mark.clause(
    "DL-0.1",
    "DL-6.2",
    "DL-8.1",
    "DL-8.3",
    "DL-14.1",
    "DL-16.1",
    "DL-19.1",
    "DL-20.1",
    "DL-24.2",
    "DL-29.1",
    "DL-30.5",
    "DL-30.8",
    "DL-31.1",
    "DL-31.2",
    "DL-32.1",
    "DL-38.1",
    "DL-45.1",
    "DL-46.1",
    "DL-50.1",
    "DL-50.5",
    "DL-55.1",
    "DL-60.1",
    "DL-60.6",
    "DL-60.7",
    "DL-60.17",
    "DL-63.1",
    "DL-63.4",
    "DL-69.1",
    "DL-94.2",
    "DL-95.3",
    "DL-95.5",
    "DL-95.8",
    "DL-SM-57.1",
    "DL-SM-57.3",
    "DL-SM-71.1",
)
@pytest.mark.parametrize("row", ROWS, ids=str)
def test_an_order_is_refused_with_its_clause_and_changes_nothing(row: Row):
    assert not faults(begin(STARTS[row.start]), row)


ALLOWED = [
    Allowed("fleeing near", "regroup", {"unit": "Ork Boyz", "enemy": 6.1}),
    Allowed(
        "lobbas by night",
        "shoot",
        {"unit": "Lobbas 0", "target": "Combat squad", "distance": 17, "hits": [2, 2, 2], "tokens": [7]},
    ),
    Allowed("batteries", "shoot", {**LOBBED, "hits": [9, 0, 9], "tokens": [0, 0, 0]}),
    Allowed("blind", "shoot", {**LOBBED, "target": "Combat squad", "in_sight": False, "hits": [1, 1, 1]}),
    Allowed("night", "shoot", {"unit": "Scout snipers", "target": "Ork Boyz", "distance": 24}),
    Allowed("psykers", "cast", {**MACHINE_CURSE, "unit": "Vale", "distance": 24}),
    Allowed("tankbustas", "shoot", {"unit": "Tankbustas", "target": "Predator", "facing": "front", "zone": "red"}),
    Allowed("jumpers", "deep_strike", {**LANDING, "tokens": 0, "zone": "enemy"}),
    Allowed("armies, shooting", "shoot", {**PLASMA, "tokens": [0], "hot_tokens": 1}),
    Allowed("Varn and Boss", "move", {"unit": "Varn", "path": [{"x": 47, "y": 12}]}),
    Allowed("a Rhino and Boss", "drive", {"unit": "Rhino", "path": [{"x": 46, "y": 9}, {"x": 46, "y": 15}]}),
]


@pytest.mark.parametrize("row", ALLOWED, ids=str)
def test_an_order_within_the_limit_is_not_refused(row: Allowed):
    assert is_allowed(row, STARTS)


SQUADS = [{"name": f"squad {number}"} for number in range(8)]
CROWD = [{"x": 20.0 + 1.5 * (at % 8), "y": 22.0 + 1.5 * (at // 8)} for at in range(36)]


QUESTIONS = [
    # --- shots, saves and casualties ---
    QuestionRow("shoot", {"armour": 1}, "", "armour must be a save from 2+ to 6+, or none; got 1 (DL-20.1)."),
    QuestionRow("shoot", {"armour": "1+"}, "", "armour must be a save from 2+ to 6+, or none; got '1+' (DL-20.1)."),
    QuestionRow("shoot", {"guns": []}, "", "guns must name at least one weapon; got none."),
    QuestionRow(
        "shoot",
        {"guns": [{"marker": "template"}], "distance": 0},
        "",
        "a gun with a marker needs the models under it as hits; got none (DL-30.8).",
    ),
    QuestionRow(
        "shoot",
        {"guns": [{"type": "heavy"}], "moved": True},
        "DL-0.1",
        "a unit that has moved does not fire heavy weapons (DL-0.1)",
    ),
    QuestionRow(
        "shoot",
        {"model_rules": ["feel_no_pian"]},
        "",
        "there is no special rule 'feel_no_pian'. Did you mean feel_no_pain?",
    ),
    QuestionRow(
        "shoot",
        {"unit": "Devasttaterz"},
        "",
        "there is no unit 'Devasttaterz'. Did you mean 'Devastators'? 42 are known,",
    ),
    QuestionRow(
        "shoot", {"distance": 30}, "DL-29.1", "the target is 30 inches away, and the weapon reaches 24 inches (DL-29.1)"
    ),
    QuestionRow(
        "shoot",
        {"shooters": "Command squad", "unit": "Ork Boyz", "distance": 60},
        "DL-29.1",
        "the target is 60 inches away, and the weapon reaches 24 inches (DL-29.1)",
    ),
    QuestionRow(
        "shoot",
        {"night": True, "distance": 19},
        "DL-95.8",
        "at night they see 18 inches, and the target is 19 away (DL-95.8)",
    ),
    QuestionRow(
        "shoot",
        {"shooters": "Space Marines", "unit": "Ork Boyz", "night": True, "distance": 20},
        "DL-95.8",
        "at night they see 18 inches, and the target is 20 away (DL-95.8)",
    ),
    QuestionRow(
        "shoot_vehicle",
        {"guns": ["weapon=Flamer distance=9"]},
        "DL-29.1",
        "the target is 9 inches away, and the weapon reaches 8 inches (DL-29.1)",
    ),
    QuestionRow(
        "shoot_artillery",
        {"guns": "weapon=Flamer hits=3", "unit": "Lobba battery", "distance": 8, "gun_hits": 3, "crewed_guns": 2},
        "DL-55.1",
        "2 guns can be hit; got 3 (DL-55.1)",
    ),
    QuestionRow("save_table", {"dmg": -1}, "", "dmg must be a whole number from 0 to 100,000; got -1 (DL-20.1)."),
    QuestionRow(
        "casualties", {"recorded": 40}, "", "recorded must be less than the 40 HP of a model; got 40 (DL-24.2)."
    ),
    QuestionRow(
        "casualties", {"recorded": -1}, "", "recorded must be a whole number from 0 to 1,000; got -1 (DL-24.2)."
    ),
    QuestionRow(
        "vehicle_hits",
        {"rows": "text", "penetrating_ticked": [5]},
        "",
        "the penetrating row has the boxes 0 to 4 with rows=text; got 5 (DL-60.16)",
    ),
    QuestionRow(
        "vehicle_hits",
        {"rows": "sheet", "glancing_ticked": [6]},
        "",
        "the glancing row has the boxes 0 to 4 with rows=sheet; got 6 (DL-60.16)",
    ),
    # --- markers and tokens ---
    QuestionRow(
        "blast", {"tokens": 7, "held": 9}, "DL-30.5", "7 tokens are used on one blast; 6 is the most by day (DL-30.5)"
    ),
    QuestionRow(
        "blast", {"tokens": 7, "held": 10}, "DL-30.5", "7 tokens are used on one blast; 6 is the most by day (DL-30.5)"
    ),
    QuestionRow(
        "blast",
        {"tokens": 3, "held": 2},
        "DL-30.5",
        "3 scatter tokens are used, and 2 are held; 2 is the most (DL-30.5)",
    ),
    QuestionRow(
        "blast", {"in_sight": False}, "DL-32.1", "only a barrage weapon may be fired at a target out of sight (DL-32.1)"
    ),
    QuestionRow(
        "tokens", {"figures": []}, "", "figures or hulls must include a model or vehicle of the target; got none."
    ),
    QuestionRow(
        "tokens", {"figures": CROWD + CROWD}, "", "figures takes at most 40 models; got 72. Leave out those far off."
    ),
    QuestionRow(
        "tokens", {"x": 1, "y": 1}, "DL-30.4", "a marker is aimed with its centre over a model of the target (DL-30.4)"
    ),
    QuestionRow(
        "tokens",
        {"weapon": "Frag missile", "distance": 50},
        "DL-29.1",
        "the target is 50 inches away, and the weapon reaches 48 inches (DL-29.1)",
    ),
    # --- nerve, repairs and reserves ---
    QuestionRow(
        "leadership", {"unit": "Great squig"}, "DL-8.1", "Great squig knows no fear and takes no such test (DL-8.1)"
    ),
    QuestionRow(
        "psychic_test",
        {"psyker": "Nobz"},
        "DL-50.1",
        "Nobz is no psyker; Librarian Osric Vale, Gate-walker Corven, Seer-lord Tamerin, "
        "Weirdboy Zagnit or Seer of the Seventh Path would do",
    ),
    QuestionRow("regroup", {"lds": []}, "", "lds must give the Ld of every model left; got none (DL-46.1)."),
    QuestionRow(
        "regroup",
        {"enemy_inches": 5},
        "DL-46.1",
        'an enemy stands 5" away; a unit regroups with no enemy within 6" (DL-46.1)',
    ),
    QuestionRow(
        "regroup",
        {"enemy_inches": 6},
        "DL-46.1",
        'an enemy stands 6" away; a unit regroups with no enemy within 6" (DL-46.1)',
    ),
    QuestionRow(
        "regroup", {"starting": 11}, "DL-46.1", "half of the unit must be left to regroup: 5 of 11 are (DL-46.1)"
    ),
    QuestionRow("repair", {"line": "G"}, "DL-60.7", "a vehicle's sheet has the lines A to F; got G (DL-60.7)"),
    QuestionRow(
        "repair", {"line_e": 0}, "DL-SM-71.1", "no line of its sheet holds damage that could be removed (DL-SM-71.1)"
    ),
    QuestionRow(
        "reserves", {"delays": [0] * 30}, "", "delays takes one number for each of turns 1 to 20, and no more."
    ),
    QuestionRow(
        "reserves",
        {"units": 2, "delays": [0, 2]},
        "DL-94.6",
        "1 unit is picked on turn 2, so 2 cannot be delayed (DL-94.6)",
    ),
    QuestionRow(
        "focus",
        {"targets": [{"name": "a"}, {"name": "a"}]},
        "",
        "targets needs at least one, each with a name of its own; got a, a.",
    ),
    QuestionRow(
        "focus",
        {"shooters": SQUADS, "targets": [{"name": name} for name in ("Crow", "Daw", "Elk", "Fox")]},
        "",
        "8 shooters and 4 targets make 65,536 plans; 5,000 are the most, so ask about fewer of them.",
    ),
]


@pytest.mark.clause(
    "DL-0.1",
    "DL-20.1",
    "DL-24.2",
    "DL-29.1",
    "DL-30.4",
    "DL-30.5",
    "DL-30.8",
    "DL-32.1",
    "DL-46.1",
    "DL-50.1",
    "DL-55.1",
    "DL-60.16",
    "DL-60.7",
    "DL-8.1",
    "DL-94.6",
    "DL-95.8",
    "DL-SM-71.1",
)
@pytest.mark.parametrize("row", QUESTIONS, ids=str)
def test_a_question_is_refused_with_its_clause(row: QuestionRow):
    assert not question_faults(RULESET, row)
