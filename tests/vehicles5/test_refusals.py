"""What is refused in a battle and in a question, with the clause and the words, and that nothing changes by it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from battletape.battle import Battle
from tests.refusals import Allowed, QuestionRow, Row, Start, begin, faults, is_allowed, question_faults, start_faults
from tests.vehicles5.asking import RULES
from tests.vehicles5.battles import FAR, battle, box, path, squad, vehicle


def between(south: list[Any], north: list[Any], grounds: Sequence[Any] = (), **rulings: Any) -> Callable[[], Battle]:
    """Return what makes a battle between South and North."""
    return lambda: battle(south, north, grounds, rulings)


TANK = vehicle("Tank", "Anvil battle tank", 20, 10)
TANK_WEST = vehicle("Tank", "Anvil battle tank", 10, 10)
CART = vehicle("Cart", "Ember cart", 20, 18.5, 90)  # its southern side is at 17.25
ORDINARY = vehicle("Cart", "Tollgate wagon", 10, 10)
OGRE = vehicle("Ogre", "Twin-fisted ogre", 20, 12)
WATCH = squad("Watch", "Harbour watch", 20, 18, 180, models=5)
DESTROYER = vehicle("Foe", "Longwatch destroyer", 20, 40, 180)
SAPPERS = squad("Men", "Ninth Bridge sappers", 0, 0, aboard="Carrier")
HERON = vehicle("Heron", "Heron carrier", 20, 8)
LEGS = vehicle("Legs", "Warden strider", 30, 10, base=None, length=4.0, width=2.0)
WALL = {"kind": "impassable", "corners": box(0, 18.5, 8, 20)}
ROAD = {"kind": "road", "corners": box(8, 0, 12, 48)}
RAMMED = [
    squad("Men", "Harbour watch", 20, 14.5, 180, models=3, abreast=3),
    vehicle("Foe", "Ember cart", 20, 20, 180),
    vehicle("Far", "Ember cart", 20, 44),
]
BOARDING = [
    vehicle("Carrier", "Barrow carrier", 20, 20),
    squad("Men", "Ninth Bridge sappers", 22.7, 22, 0, abreast=1),
    squad("Leapers", "Rooftop leapers", 17.3, 22, 0, abreast=1),
    squad("Mob", "Scrapyard mob", 36, 30),
]
AT_THE_DOORS = [{"x": 22.2 + dx, "y": 19 + dy} for dx, dy in ((0, 0), (0, 1.05), (0, 2.1), (1.05, 0.5), (1.05, 1.6))]
IN_A_ROW = [{"x": 20, "y": 24 + at} for at in range(5)]
CHARGERS = (
    [
        squad("Men", "Furnace company", 20, 12, models=5),
        vehicle("Tank", "Anvil battle tank", 40, 10),
        vehicle("Own", "Ember cart", 20, 6),
    ],
    [CART, squad("Foes", "Harbour watch", 30, 14), FAR],
)
MEN = between([squad("Men", "Furnace company", 20, 12, models=3)], [CART, FAR])
COMPANY = between([squad("Company", "Furnace company", 20, 10)], [vehicle("Foe", "Ember cart", 20, 24, 180)])
FRIENDLY_CARRIER = between([vehicle("Carrier", "Barrow carrier", 20, 20), SAPPERS], [DESTROYER])
STRIDER = between([vehicle("Strider", "Warden strider", 20, 10)], [vehicle("Foe", "Ember cart", 34, 10)])
FLAMER = [{"gun": "Heavy flamer"}]
LASCANNON = [{"gun": "left lascannon"}]
STORM_BOLTER = [{"gun": "Storm bolter"}]
BOLTER = [{"weapon": "Bolter", "models": 1}]
SHAKEN, STUNNED = (3, 6, 1), (3, 6, 2)
"""Dice of a lascannon that hits, penetrates, and shakes or stuns."""
ENEMY_SHOOTS = ("end_turn", "end_phase")
ON_FOOT = [{"x": x, "y": 14} for x in (18, 20, 22)]

STARTS: dict[str, Start] = {
    "a tank": (between([TANK_WEST], [FAR]),),
    "a tank, shooting": (between([TANK_WEST], [FAR]), "end_phase"),
    "a fast tank": (between([vehicle("It", "Gannet outrider", 10, 10)], [FAR]),),
    "a walker": (between([vehicle("It", "Warden strider", 10, 10)], [FAR]),),
    "a skimmer": (between([vehicle("It", "Kingfisher", 10, 10)], [FAR]),),
    "a road": (between([TANK_WEST], [FAR], [ROAD]),),
    "crowded": (
        between(
            [ORDINARY, squad("Men", "Furnace company", 10, 16)],
            [FAR, squad("Foes", "Harbour watch", 24, 10)],
            [WALL],
        ),
    ),
    "at the edge": (between([vehicle("Cart", "Ember cart", 20, 4)], [FAR]),),
    "standing": (between([vehicle("Barrow", "Barrow carrier", 20, 10)], [FAR]), ("stand", {"unit": "Barrow"})),
    "in smoke": (
        between([vehicle("Barrow", "Barrow carrier", 20, 10)], [FAR]),
        ("stand", {"unit": "Barrow"}),
        ("smoke", {"unit": "Barrow"}),
    ),
    "beside men": (between([LEGS, squad("Men", "Furnace company", 31.7, 10, models=1)], [FAR]),),
    "beside men, shooting": (
        between([LEGS, squad("Men", "Furnace company", 31.7, 10, models=1)], [FAR]),
        "end_phase",
    ),
    "men": (MEN,),
    "men moved": (MEN, ("move_unit", {"unit": "Men", "places": ON_FOOT})),
    "assaults": (between(*CHARGERS), "end_phase", "end_phase"),
    "men ran": (
        between(*CHARGERS),
        "end_phase",
        ("run", {"unit": "Men", "heading": 180, "inches": 1}, (4,)),
        "end_phase",
    ),
    "men fired": (
        between(*CHARGERS),
        "end_phase",
        ("shoot_unit", {"unit": "Men", "target": "Cart", "weapons": BOLTER}, (1, 1)),
        "end_phase",
    ),
    "the ogre fired": (
        between([OGRE], [WATCH, vehicle("Cart", "Ember cart", 26, 12), FAR]),
        "end_phase",
        ("fire", {"unit": "Ogre", "target": "Watch", "guns": FLAMER}, (1, 1, 1)),
        "end_phase",
    ),
    "the ogre ran": (
        between([OGRE], [WATCH, FAR]),
        "end_phase",
        ("run", {"unit": "Ogre", "heading": 270}, (4,)),
    ),
    "the ogre ran and smoked": (
        between([OGRE], [WATCH, FAR]),
        "end_phase",
        ("run", {"unit": "Ogre", "heading": 270}, (4,)),
        ("smoke", {"unit": "Ogre"}),
        "end_phase",
    ),
    "a cart, shooting": (between([vehicle("Cart", "Ember cart", 20, 10)], [FAR]), "end_phase"),
    "a tank drove": (
        between([TANK], [vehicle("Foe", "Ember cart", 20, 24, 180), vehicle("Behind", "Ember cart", 20, 3)]),
        ("drive", {"unit": "Tank", "path": path((20, 13))}),
        "end_phase",
    ),
    "a strider, shooting": (STRIDER, "end_phase"),
    "the strider fired": (
        STRIDER,
        "end_phase",
        ("pivot_to_fire", {"unit": "Strider", "heading": 90}),
        ("fire", {"unit": "Strider", "target": "Foe", "guns": STORM_BOLTER}, (1, 2)),
    ),
    "the company moved": (COMPANY, ("move_unit", {"unit": "Company", "heading": 0, "inches": 1}), "end_phase"),
    "the company fired": (
        COMPANY,
        ("move_unit", {"unit": "Company", "heading": 0, "inches": 1}),
        "end_phase",
        ("shoot_unit", {"unit": "Company", "target": "Foe", "weapons": BOLTER}, (1, 1)),
    ),
    "tank shock": (
        between([TANK, vehicle("Friend", "Ember cart", 20, 24), vehicle("Cart", "Tollgate wagon", 6, 6)], [FAR]),
    ),
    "a ram": (between([TANK, vehicle("Own", "Ember cart", 6, 20)], RAMMED),),
    "a stunned tank": (
        between([TANK], [DESTROYER]),
        *ENEMY_SHOOTS,
        ("fire", {"unit": "Foe", "target": "Tank", "guns": LASCANNON}, STUNNED),
        "end_turn",
    ),
    "a friend ahead": (
        between(
            [HERON, vehicle("Friend", "Hay wain", 20, 19.5, 90)], [vehicle("Foe", "Strongroom carrier", 20, 26, 180)]
        ),
    ),
    "a friend below": (
        between([HERON, vehicle("Friend", "Hay wain", 20, 14, 90)], [vehicle("Foe", "Hay wain", 20, 26, 180)]),
    ),
    "boarding": (between(BOARDING, [FAR]),),
    "boarded": (
        between(BOARDING, [FAR]),
        ("move_unit", {"unit": "Men", "places": AT_THE_DOORS}),
        ("embark", {"unit": "Men", "machine": "Carrier"}),
    ),
    "aboard": (between([vehicle("Carrier", "Barrow carrier", 20, 20), SAPPERS], [FAR]),),
    "flat out": (
        between([vehicle("Carrier", "Hay wain", 20, 20), SAPPERS], [FAR]),
        ("drive", {"unit": "Carrier", "path": path((20, 36))}),
    ),
    "got out of a fast carrier": (
        between([vehicle("Carrier", "Hay wain", 20, 20), SAPPERS], [FAR], flat_out_symmetric=True),
        ("disembark", {"unit": "Men"}),
    ),
    "a shaken carrier": (
        FRIENDLY_CARRIER,
        *ENEMY_SHOOTS,
        ("fire", {"unit": "Foe", "target": "Carrier", "guns": LASCANNON}, SHAKEN),
        "end_turn",
        "end_phase",
    ),
    "a fast carrier": (between([vehicle("Carrier", "Hay wain", 20, 20), SAPPERS], [FAR]),),
}

TOO_FAR = "inches is more than the"
NOT_ON_A_FRIEND = "a skimmer flies over models but may not come to rest on one (V5-SKIM-4)"
ROWS = [
    # --- whose turn, and which phase ---
    Row(
        "a tank",
        "drive",
        {"unit": "Far", "path": path((44, 40))},
        "V5-CORE-16",
        "it is the turn of South; Far belongs to North (V5-CORE-16)",
    ),
    Row(
        "a tank, shooting",
        "drive",
        {"unit": "Tank", "path": path((10, 12))},
        "V5-CORE-16",
        "this is done in the Movement phase; this is the Shooting phase (V5-CORE-16)",
    ),
    Row("a tank", "drive", {"unit": "Tannek", "path": path((10, 12))}, "", "Did you mean 'Tank'"),
    Row("a tank", "turn_on_spot", {"unit": "Tank", "heading": -5}, "", "heading must be a number from 0 to 360"),
    # --- moves of vehicles ---
    Row("a tank", "drive", {"unit": "Tank", "path": path((10, 22.5))}, "V5-MOVE-3", f"12.5 {TOO_FAR} 12 that a tank"),
    Row(
        "a fast tank", "drive", {"unit": "It", "path": path((10, 28.5))}, "V5-MOVE-5", f"18.5 {TOO_FAR} 18 that a fast"
    ),
    Row("a walker", "drive", {"unit": "It", "path": path((10, 17))}, "V5-WALK-1", f"7 {TOO_FAR} 6 that a walker may"),
    Row("a skimmer", "drive", {"unit": "It", "path": path((10, 34.5))}, "V5-SKIM-5", f"24.5 {TOO_FAR} 24 that a fast"),
    Row(
        "a road",
        "drive",
        {"unit": "Tank", "path": path((10, 18), (20, 18))},
        "V5-MOVE-3",
        f"18 {TOO_FAR} 12 that a tank may move (V5-MOVE-3)",
    ),
    Row(
        "crowded",
        "drive",
        {"unit": "Cart", "path": path((10, 20))},
        "V5-TERR-4",
        "there is a friend in the way, and vehicles do not drive through friends (V5-TERR-4)",
    ),
    Row(
        "crowded",
        "drive",
        {"unit": "Cart", "path": path((4, 14), (4, 18))},
        "V5-SKIM-2",
        "impassable ground is in the way, which only skimmers pass over (V5-SKIM-2)",
    ),
    Row(
        "crowded",
        "drive",
        {"unit": "Cart", "path": path((17.5, 10))},
        "V5-CORE-19",
        "2 enemies would be closer than 1 inch, which only an assault allows (V5-CORE-19)",
    ),
    Row("crowded", "drive", {"unit": "Cart", "path": path((1, 10))}, "V5-TANK-4", "Cart would reach over the edge of"),
    Row(
        "at the edge",
        "drive",
        {"unit": "Cart", "path": path((20, 0.5), (20, 4))},
        "V5-TANK-4",
        "Cart would reach over the edge of the table (V5-TANK-4)",
    ),
    Row(
        "in smoke",
        "turn_on_spot",
        {"unit": "Barrow", "heading": 45},
        "V5-SMOKE-1",
        "Barrow has set off its smoke, which ends its move; it moves and turns before that (V5-SMOKE-1)",
    ),
    *(
        Row(start, action, {"unit": "Legs", "heading": 90}, "V5-TERR-4", "Legs would stand on a model as it turns")
        for start, action in (("beside men", "turn_on_spot"), ("beside men, shooting", "pivot_to_fire"))
    ),
    *(
        Row("a friend ahead", action, {"unit": "Heron", **params}, "V5-SKIM-4", NOT_ON_A_FRIEND)
        for action, params in (
            ("drive", {"path": path((20, 20))}),
            ("tank_shock", {"heading": 0, "inches": 12}),
            ("ram", {"target": "Foe"}),
        )
    ),
    # --- moves of squads ---
    Row("men", "move_unit", {"unit": "Men", "heading": 0, "inches": 7}, "V5-CORE-9", f"7 {TOO_FAR} 6 that a soldier"),
    Row(
        "men",
        "move_unit",
        {"unit": "Men", "places": [{"x": 16, "y": 12}, *ON_FOOT[1:]]},
        "V5-CORE-17",
        "a model would stand more than 2 inches from every other of its unit (V5-CORE-17)",
    ),
    Row(
        "men",
        "move_unit",
        {"unit": "Men", "places": ON_FOOT[:2]},
        "V5-CORE-17",
        "places must be one for each of the 3 models of Men; got 2 (V5-CORE-17)",
    ),
    Row(
        "men",
        "move_unit",
        {"unit": "Men", "heading": 0, "inches": 4},
        "V5-CORE-19",
        "an enemy would be closer than 1 inch, which only an assault allows (V5-CORE-19)",
    ),
    Row(
        "men",
        "move_unit",
        {"unit": "Men", "heading": 0, "inches": 6},
        "V5-TERR-4",
        "model 1 of Men would stand on Cart (V5-TERR-4)",
    ),
    Row(
        "men",
        "drive",
        {"unit": "Men", "path": path((20, 14))},
        "V5-MOVE-2",
        "Men is a squad; only vehicles drive; squads use move_unit (V5-MOVE-2)",
    ),
    Row(
        "men moved",
        "move_unit",
        {"unit": "Men", "heading": 0, "inches": 1},
        "V5-CORE-9",
        "Men: moved already in this turn (V5-CORE-9)",
    ),
    # --- fire ---
    Row(
        "a tank drove",
        "fire",
        {"unit": "Tank", "target": "Foe", "guns": [{"gun": "Lascannon"}, {"gun": "left bolter"}]},
        "V5-FIRE-2",
        "one main weapon may fire at this speed, with all of S4 or less; named were S9, S5 (V5-FIRE-2)",
    ),
    Row(
        "a tank drove",
        "fire",
        {"unit": "Tank", "target": "Foe", "guns": [{"gun": "Battle cannon"}, {"gun": "Lascannon"}]},
        "V5-ORD-1",
        "an ordnance weapon fires alone; 2 weapons were named (V5-ORD-1)",
    ),
    Row(
        "a tank drove",
        "fire",
        {"unit": "Tank", "target": "Behind", "guns": [{"gun": "Lascannon"}]},
        "V5-LOS-3",
        "Lascannon points 22.5 degrees left to 22.5 degrees right only, and no part of the target is there (V5-LOS-3)",
    ),
    Row(
        "a tank drove",
        "fire",
        {"unit": "Tank", "target": "Behind", "guns": [{"gun": "left bolter"}]},
        "V5-LOS-4",
        "left bolter points 135 degrees left to dead ahead only, and no part of the target is there (V5-LOS-4)",
    ),
    Row(
        "a tank drove",
        "fire",
        {"unit": "Tank", "target": "Foe", "guns": [{"gun": "Lazzcanon"}]},
        "",
        "Did you mean 'Lascannon'",
    ),
    Row(
        "a strider, shooting",
        "fire",
        {"unit": "Strider", "target": "Foe", "guns": STORM_BOLTER},
        "V5-LOS-3",
        "Storm bolter points 22.5 degrees left to 22.5 degrees right only, and no part of the target is there",
    ),
    Row(
        "the strider fired",
        "pivot_to_fire",
        {"unit": "Strider", "heading": 0},
        "V5-WALK-5",
        "a walker turns as it fires, not afterwards (V5-WALK-5)",
    ),
    Row(
        "the strider fired",
        "run",
        {"unit": "Strider", "heading": 0},
        "V5-WALK-1",
        "Strider has fired, and a run takes the place of shooting (V5-WALK-1)",
    ),
    Row(
        "a cart, shooting",
        "pivot_to_fire",
        {"unit": "Cart", "heading": 0},
        "V5-WALK-5",
        "only a walker turns when it fires; others turn in the Movement phase (V5-WALK-5)",
    ),
    Row(
        "the company moved",
        "shoot_unit",
        {"unit": "Company", "target": "Foe", "weapons": [{"weapon": "Krak missile", "models": 1}]},
        "V5-CORE-21",
        "Krak missile is a heavy weapon, and its bearer counts as moving (V5-CORE-21)",
    ),
    Row(
        "the company moved",
        "shoot_unit",
        {"unit": "Company", "target": "Foe", "weapons": [{"weapon": "Meltagun", "models": 2}]},
        "V5-CORE-1",
        "1 models of Company can fire Meltagun; 2 were named (V5-CORE-1)",
    ),
    Row(
        "the company fired",
        "run",
        {"unit": "Company", "heading": 0},
        "V5-WALK-1",
        "Company has fired, and a run takes the place of shooting (V5-WALK-1)",
    ),
    # --- runs ---
    Row("the ogre ran", "run", {"unit": "Ogre", "heading": 0}, "V5-WALK-1", "Ogre has run this turn (V5-WALK-1)"),
    Row(
        "the ogre ran",
        "fire",
        {"unit": "Ogre", "target": "Watch", "guns": FLAMER},
        "V5-WALK-4",
        "a walker that ran this turn does not fire (V5-WALK-4)",
    ),
    Row(
        "a cart, shooting",
        "run",
        {"unit": "Cart", "heading": 0},
        "V5-WALK-1",
        "Cart does not run; walkers and squads do (V5-WALK-1)",
    ),
    # --- assaults ---
    Row(
        "assaults",
        "assault",
        {"unit": "Men", "target": "Far"},
        "V5-CORE-16",
        "a charge reaches 6 inches, or the higher of two dice through difficult ground; Far is 35.42 away (V5-CORE-16)",
    ),
    Row(
        "assaults",
        "assault",
        {"unit": "Men", "target": "Own"},
        "V5-ASLT-1",
        "a vehicle of its own side is no target; any enemy vehicle in reach is (V5-ASLT-1)",
    ),
    Row(
        "assaults",
        "assault",
        {"unit": "Men", "target": "Foes"},
        "V5-ASLT-1",
        "squads against squads are not part of these rules; vehicles can be assaulted (V5-ASLT-1)",
    ),
    Row(
        "assaults",
        "assault",
        {"unit": "Tank", "target": "Cart"},
        "V5-WALK-6",
        "Tank does not fight; tanks charge by tank shock and ram (V5-WALK-6)",
    ),
    Row(
        "men ran",
        "assault",
        {"unit": "Men", "target": "Cart"},
        "V5-CORE-16",
        "Men: ran already in this turn (V5-CORE-16)",
    ),
    Row(
        "men fired",
        "assault",
        {"unit": "Men", "target": "Cart"},
        "V5-CORE-21",
        "Bolter is a rapid fire weapon; a unit that fires it does not charge this turn (V5-CORE-21)",
    ),
    Row(
        "the ogre fired",
        "assault",
        {"unit": "Ogre", "target": "Cart"},
        "V5-WALK-7",
        "a walker that fired may assault only the unit it fired at (V5-WALK-7)",
    ),
    Row(
        "the ogre ran and smoked",
        "assault",
        {"unit": "Ogre", "target": "Watch"},
        "V5-WALK-4",
        "a walker that ran may not assault in the same turn (V5-WALK-4)",
    ),
    # --- tank shocks and rams ---
    Row(
        "tank shock",
        "tank_shock",
        {"unit": "Cart", "heading": 0, "inches": 6},
        "V5-TANK-1",
        "only a tank may tank shock; this is an ordinary vehicle (V5-TANK-1)",
    ),
    Row(
        "tank shock",
        "tank_shock",
        {"unit": "Tank", "heading": 0, "inches": 0},
        "V5-TANK-2",
        "a tank shock goes more than 0 inches straight ahead; 0 were declared (V5-TANK-2)",
    ),
    Row(
        "tank shock",
        "tank_shock",
        {"unit": "Tank", "heading": 0, "inches": 13},
        "V5-MOVE-3",
        f"13 {TOO_FAR} 12 that a tank may move (V5-MOVE-3)",
    ),
    Row("a ram", "ram", {"unit": "Tank", "target": "Own"}, "V5-RAM-1", "Own is on the same side (V5-RAM-1)"),
    Row("a ram", "ram", {"unit": "Tank", "target": "Men"}, "V5-RAM-1", "Men is a squad; only vehicles can be rammed"),
    Row("a ram", "ram", {"unit": "Own", "target": "Foe"}, "V5-RAM-1", "only a tank may ram; this is an ordinary"),
    Row("a ram", "ram", {"unit": "Tank", "target": "Far"}, "V5-RAM-1", "Tank would run into Foe first (V5-RAM-1)"),
    Row(
        "a ram",
        "ram",
        {"unit": "Tank", "target": "Foe", "heading": 90},
        "V5-RAM-2",
        "Foe is not within 12 inches straight ahead (V5-RAM-2)",
    ),
    *(
        Row(
            "a stunned tank",
            action,
            {"unit": "Tank", **params},
            "V5-DMG-2",
            f"a stunned vehicle may not {verb}; it may turn on the spot (V5-DMG-2)",
        )
        for action, verb, params in (
            ("tank_shock", "tank shock", {"heading": 0, "inches": 6}),
            ("ram", "ram", {"target": "Foe"}),
            ("drive", "move", {"path": path((20, 12))}),
        )
    ),
    # --- transports ---
    Row(
        "boarding",
        "embark",
        {"unit": "Leapers", "machine": "Carrier"},
        "V5-TRAN-1",
        "only infantry without jump packs may ride; this unit is jump infantry (V5-TRAN-1)",
    ),
    Row(
        "boarding",
        "embark",
        {"unit": "Mob", "machine": "Carrier"},
        "V5-TRAN-1",
        "20 models cannot ride in a vehicle with room for 10 (V5-TRAN-1)",
    ),
    Row(
        "boarding",
        "embark",
        {"unit": "Men", "machine": "Carrier"},
        "V5-TRAN-5",
        "all 5 models must be within 2 inches of an access point; 3 are (V5-TRAN-5)",
    ),
    Row(
        "boarded",
        "disembark",
        {"unit": "Men"},
        "V5-TRAN-4",
        "a unit that boarded this turn may not get out as well (V5-TRAN-4)",
    ),
    Row(
        "boarded",
        "move_unit",
        {"unit": "Men", "heading": 0, "inches": 1},
        "V5-TRAN-2",
        "Men is aboard Carrier and has to get out first (V5-TRAN-2)",
    ),
    Row(
        "aboard",
        "disembark",
        {"unit": "Men", "emergency": True},
        "V5-TRAN-7",
        "there is room at the entrances, so emergency must be no (V5-TRAN-7)",
    ),
    Row(
        "aboard",
        "disembark",
        {"unit": "Men", "places": IN_A_ROW},
        "V5-TRAN-6",
        "model 1 is 3.77 inches from the way out; 2 would do (V5-TRAN-6)",
    ),
    Row(
        "aboard",
        "disembark",
        {"unit": "Men", "places": IN_A_ROW[:2]},
        "V5-TRAN-6",
        "places must be one for each of the 5 models; got 2 (V5-TRAN-6)",
    ),
    Row(
        "flat out",
        "disembark",
        {"unit": "Men"},
        "V5-FAST-5",
        "no unit may get out once the vehicle has gone flat out (V5-FAST-5)",
    ),
    Row(
        "got out of a fast carrier",
        "drive",
        {"unit": "Carrier", "path": path((36, 20))},
        "V5-FAST-5",
        "a vehicle may not go flat out once a unit got in or out this turn (ruling flat_out_symmetric) (V5-FAST-5)",
    ),
    Row(
        "a shaken carrier",
        "shoot_unit",
        {"unit": "Men", "target": "Foe"},
        "V5-DMG-1",
        "no passengers shoot out of a shaken vehicle (V5-DMG-1)",
    ),
]
ALLOWED = [
    Allowed("a road", "drive", {"unit": "Tank", "path": path((10, 28))}),
    Allowed("at the edge", "drive", {"unit": "Cart", "path": path((20, 2.5), (20, 4))}),
    Allowed("standing", "turn_on_spot", {"unit": "Barrow", "heading": 45}),
    Allowed("a friend below", "ram", {"unit": "Heron", "target": "Foe"}),  # flown over
    Allowed("the ogre fired", "assault", {"unit": "Ogre", "target": "Watch"}),
    Allowed("the ogre ran", "smoke", {"unit": "Ogre"}),
    Allowed("a fast carrier", "disembark", {"unit": "Men"}),
]


@pytest.mark.clause(
    "V5-ASLT-1",
    "V5-CORE-1",
    "V5-CORE-9",
    "V5-CORE-16",
    "V5-CORE-17",
    "V5-CORE-19",
    "V5-CORE-21",
    "V5-DMG-1",
    "V5-DMG-2",
    "V5-FAST-5",
    "V5-FIRE-2",
    "V5-LOS-3",
    "V5-LOS-4",
    "V5-MOVE-1",
    "V5-MOVE-2",
    "V5-MOVE-3",
    "V5-MOVE-5",
    "V5-ORD-1",
    "V5-RAM-1",
    "V5-RAM-2",
    "V5-SKIM-2",
    "V5-SKIM-4",
    "V5-SKIM-5",
    "V5-SMOKE-1",
    "V5-TANK-1",
    "V5-TANK-2",
    "V5-TANK-4",
    "V5-TERR-4",
    "V5-TRAN-1",
    "V5-TRAN-2",
    "V5-TRAN-3",
    "V5-TRAN-4",
    "V5-TRAN-5",
    "V5-TRAN-6",
    "V5-TRAN-7",
    "V5-WALK-1",
    "V5-WALK-4",
    "V5-WALK-5",
    "V5-WALK-6",
    "V5-WALK-7",
)
@pytest.mark.parametrize("row", ROWS, ids=str)
def test_an_order_is_refused_with_its_clause_and_changes_nothing(row: Row):
    assert not faults(begin(STARTS[row.start]), row)


@pytest.mark.parametrize("row", ALLOWED, ids=str)
def test_an_order_within_the_limit_is_not_refused(row: Allowed):
    assert is_allowed(row, STARTS)


WAIN = vehicle("Wain", "Hay wain", 20, 10)
HAY = vehicle("Hay", "Barrow carrier", 40, 40)
BAD_STARTS: list[tuple[list[Any], list[Any], str]] = [
    ([vehicle("Tank", "Anvil battle tank", 1, 10)], [FAR], "does not stand wholly on the table"),
    ([vehicle("Tank", "Anvil battle tank", 44, 44)], [FAR], "stand on the same ground"),
    ([vehicle("Far", "Anvil battle tank", 10, 10)], [FAR], "is used twice"),
    (
        [vehicle("Cart", "Ember cart", 10, 10), squad("Men", "Harbour watch", 0, 0, aboard="Cart")],
        [FAR],
        "carries no unit",
    ),
    ([vehicle("Tank", "Anvil battle tank", 10, 10, front=15)], [FAR], "from 10 to 14; got 15"),
    ([vehicle("Tank", "Anvilbatleltnak", 10, 10)], [FAR], "Did you mean 'Anvil battle tank'"),
    ([WAIN, *(squad(name, "Long rifles", 0, 0, aboard="Wain") for name in ("Left", "Right"))], [FAR], "one at a time"),
    ([WAIN, squad("Leapers", "Rooftop leapers", 0, 0, aboard="Wain")], [FAR], "jump infantry"),
    (
        [TANK, squad("Men", "Ninth Bridge sappers", 0, 0, aboard="Hay")],
        [HAY],
        "Men of South cannot ride: Hay belongs to North",
    ),
]


@pytest.mark.clause("V5-TRAN-1", "V5-TRAN-2")
@pytest.mark.parametrize(("south", "north", "fragment"), BAD_STARTS, ids=[fragment for *_, fragment in BAD_STARTS])
def test_a_start_that_does_not_fit_is_refused(south: list[Any], north: list[Any], fragment: str):
    assert not start_faults(lambda: battle(south, north), fragment)


QUESTIONS = [
    # --- volleys ---
    QuestionRow("shoot", {"front": 9}, "", "front must be a whole number from 10 to 14; got 9 (V5-PEN-3)."),
    QuestionRow("shoot", {"front": 15}, "", "front must be a whole number from 10 to 14; got 15 (V5-PEN-3)."),
    QuestionRow(
        "shoot",
        {"guns": [{"strength": 11}]},
        "",
        "guns 1: strength must be a whole number from 1 to 10; got 11 (V5-CORE-23).",
    ),
    QuestionRow(
        "shoot", {"guns": ["Lazzcanon"]}, "", "there is no weapon 'Lazzcanon' (V5-CORE-21). Did you mean 'Lascannon'?"
    ),
    QuestionRow(
        "shoot",
        {"guns": [{"rules": ["lanze"]}]},
        "",
        "there is no keyword 'lanze'. Did you mean 'lance'? Known: ordnance, melta,",
    ),
    QuestionRow(
        "shoot",
        {"types": ["hover"]},
        "",
        "there is no vehicle type 'hover'. Known: fast, tank, skimmer, walker, open_topped.",
    ),
    QuestionRow(
        "shoot",
        {"vehicle": "Anvil battle tank", "weapon_names": ["Ray gun"]},
        "",
        "Anvil battle tank: there is no weapon 'Ray gun' (V5-DMG-3). Known: Battle",
    ),
    QuestionRow(
        "shoot",
        {"band": "flat_out"},
        "V5-FAST-1",
        "flat out is too fast for this vehicle; cruising is the fastest it goes (V5-FAST-1)",
    ),
    QuestionRow(
        "shoot",
        {"types": ["walker"], "band": "cruising"},
        "V5-WALK-1",
        "cruising is too fast for this vehicle; combat is the fastest it goes (V5-WALK-1)",
    ),
    QuestionRow(
        "shoot", {"guns": [{"shots": 60, "models": 100}]}, "", "guns must fire 2,000 shots or fewer in all; got 6,000."
    ),
    QuestionRow("shoot", {"cover": 1}, "", "cover must be a save from 2+ to 6+, or none; got 1 (V5-CORE-4)."),
    QuestionRow(
        "shoot",
        {"guns": [{"ap": 7}]},
        "",
        "guns 1: ap must be one of 1, 2, 3, 4, 5, 6, -, or none; got 7 (V5-DMGMOD-2).",
    ),
    QuestionRow(
        "shoot", {"guns": ""}, "", "guns must name one gun or more, such as “weapon=Lascannon”; got none (V5-VOLLEY-1)."
    ),
    QuestionRow(
        "shoot", {"guns": []}, "", "guns must name one gun or more, such as “weapon=Lascannon”; got none (V5-VOLLEY-1)."
    ),
    QuestionRow(
        "shoot",
        {"front": 12, "guns": [""]},
        "",
        "guns need a name, or numbers such as “strength=9”, for each of them; got ''.",
    ),
    QuestionRow(
        "shoot",
        {"weapons": 2, "weapon_names": "a, b, c"},
        "",
        "weapons and weapon_names must be the same weapons; got 2 and a, b, c. Give",
    ),
    QuestionRow(
        "shoot",
        {"weapon_names": "a, b", "melee_weapons": "x"},
        "",
        "melee_weapons: there is no weapon 'x' (V5-DMG-3). Known: a, b.",
    ),
    QuestionRow(
        "shoot",
        {"guns": [{"rules": ["template"], "touches_friend": True}]},
        "V5-SHOT-6",
        "a template may not touch friendly models; lay it so that it spares them (V5-SHOT-6)",
    ),
    QuestionRow(
        "shoot",
        {"guns": "Battle cannon"},
        "",
        "whose large blast scatters instead: ask ordnance, or give auto=yes for a sure hit (V5-ORD-2).",
    ),
    QuestionRow(
        "kill_time",
        {"volleys": [{"guns": "Battle cannon"}]},
        "",
        "whose large blast scatters instead: ask ordnance, or give auto=yes for a sure hit (V5-ORD-2).",
    ),
    QuestionRow(
        "shoot",
        {"guns": "Frag missile"},
        "",
        "whose small blast scatters instead: ask ordnance, or give auto=yes for a sure hit (V5-CORE-3).",
    ),
    QuestionRow(
        "kill_time",
        {"volleys": [{"guns": "Frag missile"}]},
        "",
        "whose small blast scatters instead: ask ordnance, or give auto=yes for a sure hit (V5-CORE-3).",
    ),
    QuestionRow(
        "shoot",
        {"guns": "Krak grenade"},
        "",
        "a grenade, which is used in an assault: ask assault with grenade='Krak grenade' (V5-ASLT-4).",
    ),
    QuestionRow(
        "kill_time",
        {"volleys": [{"guns": "Krak grenade"}]},
        "",
        "a grenade, which is used in an assault: ask assault with grenade='Krak grenade' (V5-ASLT-4).",
    ),
    QuestionRow(
        "shoot",
        {"guns": "Power fist"},
        "",
        "weapon must be one that can be fired; got 'Power fist', which is for striking (V5-CORE-21).",
    ),
    QuestionRow(
        "kill_time",
        {"volleys": [{"guns": "Power fist"}]},
        "",
        "weapon must be one that can be fired; got 'Power fist', which is for striking (V5-CORE-21).",
    ),
    QuestionRow(
        "shoot", {"guns": "Lazzcanon"}, "", "there is no weapon 'Lazzcanon' (V5-CORE-21). Did you mean 'Lascannon'?"
    ),
    QuestionRow(
        "kill_time",
        {"volleys": [{"guns": "Lazzcanon"}]},
        "",
        "there is no weapon 'Lazzcanon' (V5-CORE-21). Did you mean 'Lascannon'?",
    ),
    QuestionRow(
        "shoot", {"guns": "Zzz"}, "", "there is no weapon 'Zzz' (V5-CORE-21). 41 are known, such as Lasgun, Shotgun,"
    ),
    QuestionRow(
        "kill_time",
        {"volleys": [{"guns": "Zzz"}]},
        "",
        "there is no weapon 'Zzz' (V5-CORE-21). 41 are known, such as Lasgun, Shotgun,",
    ),
    QuestionRow(
        "kill_time",
        {"volleys": [{"guns": []}]},
        "",
        "guns must name one gun or more, such as “weapon=Lascannon”; got none (V5-VOLLEY-1).",
    ),
    QuestionRow("kill_time", {"volleys": []}, "", "volleys must name at least one volley; got none."),
    QuestionRow(
        "damage",
        {"types": ["skimmer"], "band": "flat_out"},
        "V5-FAST-1",
        "flat out is too fast for this vehicle; cruising is the fastest it goes (V5-FAST-1)",
    ),
    QuestionRow(
        "line_of_fire", {"guns": [{"arc": [10]}]}, "", "arc must be two bearings, from and to; got 1 (V5-LOS-4)."
    ),
    # --- assaults ---
    QuestionRow(
        "assault",
        {"attackers": [{"unit": "Harbour watch", "grenade": "melta_bomb"}]},
        "",
        "grenade must be one carried by Harbour watch (Frag grenade); got 'melta_bomb'.",
    ),
    QuestionRow(
        "assault",
        {"attackers": [{"unit": "Harbour watch", "weapon": "Lascannon"}]},
        "",
        "weapon must be one for close combat; got 'Lascannon'.",
    ),
    QuestionRow("assault", {"rear": 9}, "", "rear must be a whole number from 10 to 14; got 9 (V5-PEN-3)."),
    QuestionRow("assault", {"rear": 15}, "", "rear must be a whole number from 10 to 14; got 15 (V5-PEN-3)."),
    QuestionRow("assault", {"attacks": -1}, "", "attacks must be a whole number from 0 to 1,000; got -1 (V5-ASLT-3)."),
    QuestionRow(
        "assault",
        {"attackers": [{"models": 100, "attacks": 10}, {"models": 100, "attacks": 10}, {"models": 100, "attacks": 10}]},
        "",
        "attackers must make 2,000 attacks or fewer in all; got 3,300.",
    ),
    QuestionRow(
        "assault",
        {"grenade": "Crack grenade"},
        "",
        "there is no grenade 'Crack grenade'. Did you mean 'Krak grenade'? Known:",
    ),
    QuestionRow(
        "assault",
        {"grenade": "Lascannon"},
        "",
        "there is no grenade 'Lascannon'. Known: defensive, assault, krak, melta_bomb,",
    ),
    QuestionRow(
        "assault",
        {"types": ["walker"], "band": "cruising"},
        "V5-WALK-1",
        "cruising is too fast for this vehicle; combat is the fastest it goes (V5-WALK-1)",
    ),
    QuestionRow(
        "assault",
        {"attackers": [{"places": [{"gap": 0}], "in_reach": 2}]},
        "",
        "only one of in_reach and places can be given; got both (V5-ASLT-3).",
    ),
    QuestionRow(
        "walker_fight",
        {"foe": "Harbour watch", "grenade": "melta_bomb"},
        "",
        "grenade must be one carried by Harbour watch (Frag grenade); got 'melta_bomb'.",
    ),
    QuestionRow(
        "walker_fight",
        {"foe": "Harbour watch", "foe_walker": "Twin-fisted ogre"},
        "",
        "only one of foe and foe_walker can be given; got both.",
    ),
    QuestionRow(
        "walker_fight",
        {"walker": "Tollgate wagon"},
        "",
        "walker must be a walker; got 'Tollgate wagon', which is not one. Walkers:",
    ),
    QuestionRow(
        "walker_fight",
        {"dccw": ["fist", "fist"]},
        "",
        "dccw must have a name of its own for each weapon; got fist, fist.",
    ),
    QuestionRow("walker_fight", {"rounds": 13}, "", "rounds must be a whole number from 1 to 12; got 13 (V5-CORE-16)."),
    QuestionRow(
        "walker_fight",
        {"stunned": True, "charges": "walker"},
        "V5-DMG-2",
        "a stunned walker may not assault (V5-DMG-2)",
    ),
    QuestionRow(
        "walker_fight",
        {"foe": "warden strider"},
        "",
        "foe must be a unit of soldiers; for Warden strider use foe_walker.",
    ),
    # --- blasts ---
    QuestionRow(
        "ordnance",
        {"line_of_sight": False},
        "V5-ORD-3",
        "what is aimed directly needs line of sight; a barrage does not (V5-ORD-3)",
    ),
    QuestionRow(
        "ordnance",
        {"aim_ahead": 2.1},
        "V5-SHOT-7",
        "a marker must be aimed with its hole over the hull, and this place is off it (V5-SHOT-7)",
    ),
    QuestionRow(
        "ordnance",
        {"aim_right": 2},
        "V5-SHOT-7",
        "a marker must be aimed with its hole over the hull, and this place is off it (V5-SHOT-7)",
    ),
    QuestionRow(
        "ordnance",
        {"band": "flat_out"},
        "V5-FAST-1",
        "flat out is too fast for this vehicle; cruising is the fastest it goes (V5-FAST-1)",
    ),
    QuestionRow("ordnance", {"front": 15}, "", "front must be a whole number from 10 to 14; got 15 (V5-PEN-3)."),
    QuestionRow("ordnance", {"weapon": "Lascannon"}, "", "weapon must be one that fires a blast; got 'Lascannon'."),
    QuestionRow(
        "ordnance",
        {"weapon": "Battle cannon", "barrage": True},
        "",
        "the Battle cannon cannot be fired as a barrage; fire it directly instead (V5-ORD-4).",
    ),
    QuestionRow(
        "ordnance",
        {"vehicle": "Longwatch destroyer", "weapon": "Siege howitzer", "line_of_sight": False},
        "V5-ORD-3",
        "what is aimed directly needs line of sight; a barrage does not (V5-ORD-3)",
    ),
    # --- drives ---
    QuestionRow(
        "ram", {"distance": 13}, "V5-RAM-2", "the target is 13 inches away; this tank rams one at 12 or less (V5-RAM-2)"
    ),
    QuestionRow("ram", {"rammer_types": "fast"}, "V5-RAM-1", "only a tank may ram; this is a fast vehicle (V5-RAM-1)"),
    QuestionRow("ram", {"dodge": "always"}, "V5-SKIM-8", "only a skimmer may dodge a ram (V5-SKIM-8)"),
    QuestionRow(
        "ram",
        {"target_types": "walker", "target_struck": "rear", "reaction": "glory"},
        "V5-WALK-15",
        "a walker that is struck in the rear can only brace itself (V5-WALK-15)",
    ),
    QuestionRow(
        "ram", {"rammer_stunned": True}, "V5-DMG-2", "a stunned vehicle may not ram; it may turn on the spot (V5-DMG-2)"
    ),
    QuestionRow(
        "ram", {"speed": "combat"}, "V5-RAM-2", "a ram is driven at top speed, cruising; combat was declared (V5-RAM-2)"
    ),
    QuestionRow("ram", {"distance": -1}, "", "distance must be a number from 0 to 60; got -1 (V5-RAM-5)."),
    QuestionRow(
        "ram",
        {"target_weapons": 2, "target_weapon_names": "a"},
        "",
        "weapons and weapon_names must be the same weapons; got 2 and a. Give one of them only (V5-DMG-3).",
    ),
    QuestionRow(
        "tank_shock",
        {"declared": 0},
        "V5-TANK-2",
        "a tank shock goes more than 0 inches straight ahead; 0 were declared (V5-TANK-2)",
    ),
    QuestionRow(
        "tank_shock", {"types": "fast"}, "V5-TANK-1", "only a tank may tank shock; this is a fast vehicle (V5-TANK-1)"
    ),
    QuestionRow(
        "tank_shock", {"declared": 13}, "V5-MOVE-3", "13 inches is more than the 12 that a tank may move (V5-MOVE-3)"
    ),
    QuestionRow(
        "tank_shock",
        {"units": "at=3 glory='Missile launcher'"},
        "",
        "weapon must be one way to fire a Missile launcher: Frag missile or Krak missile",
    ),
    QuestionRow(
        "tank_shock",
        {"vehicle": "Bull ramm"},
        "",
        "there is no vehicle 'Bull ramm'. Did you mean 'Bull ram'? Known: Tollgate",
    ),
    QuestionRow(
        "tank_shock",
        {"weapons": "1", "weapon_names": ["a", "b"]},
        "",
        "weapons and weapon_names must be the same weapons; got 1 and a, b. Give one of them only (V5-DMG-3).",
    ),
    QuestionRow(
        "dangerous_terrain",
        {"grounds": "swamp"},
        "",
        "there is no terrain 'swamp'. Known: difficult, dangerous, impassable, wreck, crater, road.",
    ),
    QuestionRow(
        "dangerous_terrain",
        {"distance": 13},
        "V5-MOVE-3",
        "13 inches is more than the 12 that an ordinary vehicle may move (V5-MOVE-3)",
    ),
    QuestionRow(
        "dangerous_terrain",
        {"grounds": "impassable"},
        "V5-SKIM-2",
        "impassable ground is in the way, which only skimmers pass over (V5-SKIM-2)",
    ),
    QuestionRow(
        "dangerous_terrain",
        {"relation": "landing"},
        "V5-SKIM-2",
        "only a skimmer can land on terrain; other vehicles go into it or through it (V5-SKIM-2)",
    ),
    QuestionRow(
        "dangerous_terrain", {"distance": -2}, "", "distance must be a number from 0 to 240; got -2 (V5-MOVE-2)."
    ),
    # --- passengers ---
    QuestionRow(
        "explosion",
        {"vehicle": "Barrow carrier", "passengers": 11},
        "V5-TRAN-1",
        "11 models cannot ride in a vehicle with room for 10 (V5-TRAN-1)",
    ),
    QuestionRow(
        "explosion",
        {"vehicle": "Barrow carrier", "passenger_unit": "Scrapyard mob"},
        "V5-TRAN-1",
        "20 models cannot ride in a vehicle with room for 10 (V5-TRAN-1)",
    ),
    QuestionRow(
        "explosion",
        {"vehicle": "Anvil battle tank", "passengers": 4},
        "V5-TRAN-1",
        "4 models cannot ride in a vehicle that carries no unit (V5-TRAN-1)",
    ),
    QuestionRow(
        "explosion",
        {"passenger_unit": "Rooftop leapers"},
        "V5-TRAN-1",
        "only infantry without jump packs may ride; this unit is jump infantry (V5-TRAN-1)",
    ),
    QuestionRow(
        "explosion",
        {"passenger_unit": "Mud riders"},
        "V5-TRAN-1",
        "only infantry without jump packs may ride; this unit is bike (V5-TRAN-1)",
    ),
    QuestionRow(
        "what_may_it_do",
        {"passengers": 1},
        "V5-TRAN-1",
        "1 model cannot ride in a vehicle that carries no unit (V5-TRAN-1)",
    ),
    # --- what a vehicle may do ---
    QuestionRow(
        "what_may_it_do",
        {"in_the_way": ["fog"]},
        "",
        "there is no thing in the way 'fog' (V5-TERR-4). Known: friendly, enemy, enemy_vehicle.",
    ),
    QuestionRow(
        "what_may_it_do",
        {"together": ["gun 1"], "as_barrage": ["gun 2"]},
        "",
        "as_barrage: there is no weapon that fires 'gun 2' (V5-ORD-4). Did you mean 'gun 1'? Known: gun 1.",
    ),
    QuestionRow(
        "what_may_it_do",
        {"stands": True, "band": "combat"},
        "V5-MOVE-1",
        "what was declared stationary has not driven (V5-MOVE-1)",
    ),
    QuestionRow(
        "what_may_it_do",
        {"phase": "movement", "fired": True},
        "V5-CORE-16",
        "shots and runs come after the Movement phase, and this is that phase (V5-CORE-16)",
    ),
    QuestionRow(
        "what_may_it_do",
        {"distance": 5, "displacement": 6},
        "V5-MOVE-7",
        "a path of 5 inches cannot lead 6 inches away (V5-MOVE-7)",
    ),
    QuestionRow(
        "what_may_it_do",
        {"types": "walker", "distance": 7},
        "V5-WALK-1",
        "7 inches is more than the 6 that a walker may move (V5-WALK-1)",
    ),
    QuestionRow(
        "what_may_it_do",
        {"distance": 13},
        "V5-MOVE-3",
        "13 inches is more than the 12 that an ordinary vehicle may move (V5-MOVE-3)",
    ),
    QuestionRow(
        "what_may_it_do", {"distance": -1}, "", "distance must be a number from 0 to 240, or none; got -1 (V5-MOVE-2)."
    ),
    QuestionRow(
        "what_may_it_do",
        {"band": "flat_out"},
        "V5-FAST-1",
        "flat out is too fast for this vehicle; cruising is the fastest it goes (V5-FAST-1)",
    ),
    QuestionRow(
        "what_may_it_do",
        {"band": "cruising", "types": "walker"},
        "V5-WALK-1",
        "cruising is too fast for this vehicle; combat is the fastest it goes (V5-WALK-1)",
    ),
    QuestionRow(
        "what_may_it_do", {"declared": "ram"}, "V5-RAM-1", "only a tank may ram; this is an ordinary vehicle (V5-RAM-1)"
    ),
    QuestionRow(
        "what_may_it_do",
        {"capacity": 3, "passengers": 5},
        "V5-TRAN-1",
        "5 models cannot ride in a vehicle with room for 3 (V5-TRAN-1)",
    ),
    QuestionRow(
        "what_may_it_do",
        {"guns": "lascannon", "together": "lasgun"},
        "",
        "there is no weapon 'lasgun' (V5-DMG-3). Did you mean 'lascannon'? Known: lascannon.",
    ),
    QuestionRow(
        "what_may_it_do",
        {"vehicle": "Barrow carrier", "weapon_names": "cannon"},
        "",
        "there is no weapon 'cannon' (V5-DMG-3). Known: Storm bolter.",
    ),
    QuestionRow(
        "what_may_it_do",
        {"guns": "Dreadnought close combat weapon"},
        "",
        "weapon must be one that can be fired; got 'Dreadnought close combat weapon', which is for striking",
    ),
    QuestionRow(
        "what_may_it_do",
        {"types": "tnk"},
        "",
        "there is no vehicle type 'tnk'. Did you mean 'tank'? Known: fast, tank,",
    ),
    QuestionRow("what_may_it_do", {"ran": True}, "V5-WALK-1", "only a walker runs; other vehicles drive (V5-WALK-1)"),
    QuestionRow(
        "what_may_it_do",
        {"types": "walker", "ran": True, "fired": True},
        "V5-WALK-4",
        "a walker that ran this turn does not fire (V5-WALK-4)",
    ),
    QuestionRow(
        "what_may_it_do",
        {"smoke_launchers": True, "smoke_this_turn": True, "fired": True},
        "V5-SMOKE-2",
        "a vehicle that set off smoke this turn fires no weapon (V5-SMOKE-2)",
    ),
    QuestionRow(
        "what_may_it_do",
        {"smoke_this_turn": True},
        "V5-SMOKE-1",
        "a vehicle without smoke launchers sets off no smoke; it needs smoke_launchers (V5-SMOKE-1)",
    ),
    QuestionRow("what_may_it_do", {"together": "laser"}, "", "there is no weapon 'laser' (V5-DMG-3). Known: gun 1."),
]


@pytest.mark.clause(
    "V5-ASLT-3",
    "V5-ASLT-4",
    "V5-CORE-16",
    "V5-CORE-21",
    "V5-CORE-23",
    "V5-CORE-3",
    "V5-CORE-4",
    "V5-DMG-2",
    "V5-DMG-3",
    "V5-DMGMOD-2",
    "V5-FAST-1",
    "V5-LOS-4",
    "V5-MOVE-1",
    "V5-MOVE-2",
    "V5-MOVE-3",
    "V5-MOVE-7",
    "V5-ORD-2",
    "V5-ORD-3",
    "V5-ORD-4",
    "V5-PEN-3",
    "V5-RAM-1",
    "V5-RAM-2",
    "V5-RAM-5",
    "V5-SHOT-6",
    "V5-SHOT-7",
    "V5-SKIM-2",
    "V5-SKIM-8",
    "V5-SMOKE-1",
    "V5-SMOKE-2",
    "V5-TANK-1",
    "V5-TANK-2",
    "V5-TERR-4",
    "V5-TRAN-1",
    "V5-VOLLEY-1",
    "V5-WALK-1",
    "V5-WALK-15",
    "V5-WALK-4",
)
@pytest.mark.parametrize("row", QUESTIONS, ids=str)
def test_a_question_is_refused_with_its_clause(row: QuestionRow):
    assert not question_faults(RULES, row)
