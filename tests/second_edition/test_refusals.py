"""What is refused in a battle and in a question, with the clause and the words, and that nothing changes by it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from battletape import ruleset
from battletape.battle import Battle
from tests.refusals import QuestionRow, Row, Start, begin, faults, question_faults, start_faults
from tests.second_edition.battles import RIFLE, at, fight, on_fire, unit

SYSTEM = ruleset("second_edition")
GAS = {"name": "Gas", "radius": 2.0, "strength": 4, **at(20, 20)}
HAZE = {"name": "Haze", "radius": 2.0, **at(5, 5)}
CANNON = {**RIFLE, "name": "Cannon", "recharges": True}


def between(south: list[Any], north: list[Any] | None = None, **more: Any) -> Callable[[], Battle]:
    """Return what makes a battle between South and North."""
    return lambda: fight(south, north, **more)


BLAZE = between(
    [
        unit("Man", "Rifle", "Staff", mastery=1, wounds=3, wear=[on_fire()], **at(20, 20)),
        unit("Friends", "Rifle", models=3, spots=[at(20, 15), at(22, 15), at(20, 5)]),
    ],
    [unit("Foe", **at(20, 30))],
)
OUT, BURNS = (6,), (2, 1, 180)
"""Dice of a Fire Test: the flames go out; the model burns on and runs an inch south."""
RIFLEMEN = between([unit("Man", "Rifle", "Mortar", models=3)], [unit("Foe"), unit("Other")])
GUNNER = between([unit("Man", "Repeater", "Rifle")], [unit("Foe")])
PHASES = between([unit("Man", "Rifle", "Staff", mastery=1, **at(20, 20))], [unit("Foe", "Rifle", **at(20, 28))])
OVER = between([unit("Man", **at(20, 20))], [unit("Cart", toughness="none", types=["vehicle"], **at(20, 30))])
SMOKERS = between([unit("Man", "Smoker", **at(20, 5)), unit("Boy", "Smoker")])
STAVES = between(
    [unit("Sage", "Staff", "Rifle", strength=4, mastery=2, **at(20, 20)), unit("Man", "Staff", **at(30, 20))],
    [unit("Foe", toughness=6, wounds=3, **at(20, 21))],
)
UNPLACED = between([unit("Man", models=3)], [unit("Foe")], markers=[{"name": "Gas", "strength": 4}])
MOVERS = between([unit("Man", **at(20, 20)), unit("Boy", **at(22, 20)), unit("Ghost")])
FILE = between([unit("Men", models=3, abreast=3, **at(20, 20)), unit("Wall", **at(20, 24.4))])
SHOT: dict[str, Any] = {"unit": "Man", "weapon": "Rifle", "target": "Foe"}
BURST: dict[str, Any] = {"unit": "Man", "weapon": "Repeater", "target": "Foe", "distance": 9}
VOLLEY: dict[str, Any] = {"unit": "Men", "weapon": "Rifle", "target": "Foes", "distance": 9}
STRIKE: dict[str, Any] = {"unit": "Sage", "weapon": "Staff", "target": "Foe"}
TO_SHOOTING = ("end_phase",)
NEXT_SHOOTING = ("end_turn", "end_phase", "end_phase", "end_phase", "end_phase")

HIGH_WALL = {"name": "Wall", "corners": [at(10, 14), at(30, 14), at(30, 15), at(10, 15)], "top": 3}
ROCK = {"name": "Rock", "corners": [at(20, 13)], "radius": 1.0, "impassable": True}

STARTS: dict[str, Start] = {
    # --- moves ---
    "movers": (MOVERS,),
    "moved": (MOVERS, ("move", {"unit": "Man", "x": 21, "y": 20})),
    "at the edge": (between([unit("Man", **at(1, 1))]),),
    "a file": (FILE,),
    "a file moved": (FILE, ("move_unit", {"unit": "Men", "heading": 90, "far": 2})),
    # --- the table ---
    "behind a wall": (
        between([unit("Man", "Rifle", **at(20, 10))], [unit("Foe", **at(20, 20))], terrain=[HIGH_WALL]),
        *TO_SHOOTING,
    ),
    "before a rock": (between([unit("Man", **at(20, 10)), unit("Boy", **at(21, 10))], terrain=[ROCK]),),
    "setting up": (between([unit("Man")], [unit("Foe", **at(20, 44))], zone=8.0),),
    # --- turns ---
    "gas": (between([unit("Man", wear=[on_fire()], **at(20, 20))], markers=[GAS]),),
    "haze": (between([unit("Man", **at(30, 30))], [unit("Foe", wear=[on_fire()], **at(40, 40))], markers=[HAZE]),),
    "gas tested": (UNPLACED, ("test_marker", {"marker": "Gas"}, (3,))),
    "gas tested, placed": (
        between([unit("Man", **at(20, 20))], markers=[GAS]),
        ("test_marker", {"marker": "Gas"}, (3,)),
    ),
    "movement": (PHASES,),
    "shooting": (PHASES, *TO_SHOOTING),
    "won": (OVER, ("remove", {"unit": "Cart"})),
    # --- fire ---
    "ablaze": (BLAZE,),
    "burning": (BLAZE, ("fire_test", {"unit": "Man"}, BURNS)),
    "burning far off": (BLAZE, ("fire_test", {"unit": "Man"}, (2, 1, 270))),
    "burning, shooting": (BLAZE, ("fire_test", {"unit": "Man"}, (5, 3, 90)), *TO_SHOOTING),
    "burning, hand to hand": (BLAZE, ("fire_test", {"unit": "Man"}, (5, 3, 90)), *TO_SHOOTING, "end_phase"),
    "put out": (BLAZE, ("fire_test", {"unit": "Man"}, OUT)),
    "put out, shooting": (BLAZE, ("fire_test", {"unit": "Man"}, OUT), *TO_SHOOTING),
    "beaten": (
        BLAZE,
        ("fire_test", {"unit": "Man"}, BURNS),
        ("beat_out", {"unit": "Man", "helpers": ["Friends 1"]}, (5,)),
    ),
    "beaten out": (
        BLAZE,
        ("fire_test", {"unit": "Man"}, BURNS),
        ("beat_out", {"unit": "Man", "helpers": ["Friends 1", "Friends 2"]}, (5,)),
    ),
    "beaten out, shooting": (
        BLAZE,
        ("fire_test", {"unit": "Man"}, BURNS),
        ("beat_out", {"unit": "Man", "helpers": ["Friends 1", "Friends 2"]}, (5,)),
        *TO_SHOOTING,
    ),
    # --- shots ---
    "placed": (
        between([unit("Man", "Rifle", **at(20, 10))], [unit("Foe", **at(20, 20)), unit("Other", **at(40, 40))]),
        *TO_SHOOTING,
        ("shoot", SHOT, (3, 3)),
    ),
    "unplaced": (between([unit("Man", "Rifle")], [unit("Foe")]), *TO_SHOOTING),
    "riflemen": (RIFLEMEN, *TO_SHOOTING),
    "one fallen": (
        RIFLEMEN,
        *TO_SHOOTING,
        ("shoot", {"unit": "Man 1", "weapon": "Rifle", "distance": 9, "target": "Foe"}, (6, 6)),
    ),
    "volleys": (between([unit("Men", "Rifle", models=3)], [unit("Foes", models=2, wounds=2)]), *TO_SHOOTING),
    "volley fired": (
        between([unit("Men", "Rifle", models=3)], [unit("Foes", models=2, wounds=2)]),
        *TO_SHOOTING,
        ("volley", VOLLEY, (1, 1, 1)),
    ),
    "a gunner": (GUNNER, *TO_SHOOTING),
    "jammed": (GUNNER, *TO_SHOOTING, ("burst", BURST, (6, 2, "jam", "jam")), *NEXT_SHOOTING),
    "one jam cleared": (
        GUNNER,
        *TO_SHOOTING,
        ("burst", BURST, (6, 2, "jam", "jam")),
        *NEXT_SHOOTING,
        ("clear_jam", {"unit": "Man", "weapon": "Repeater"}),
    ),
    "one jam left": (
        GUNNER,
        *TO_SHOOTING,
        ("burst", BURST, (6, 2, "jam", "jam")),
        *NEXT_SHOOTING,
        ("clear_jam", {"unit": "Man", "weapon": "Repeater"}),
        *NEXT_SHOOTING,
    ),
    "a cart that shot and cleared": (
        between(
            [
                unit(
                    "Man",
                    "Repeater",
                    "Rifle",
                    wear=[{"weapon": "Repeater", "jams": 1}],
                    toughness="none",
                    types=["vehicle"],
                )
            ],
            [unit("Foe", wounds=5)],
        ),
        *TO_SHOOTING,
        ("shoot", {**SHOT, "distance": 9}, (1,)),
        ("clear_jam", {"unit": "Man", "weapon": "Repeater"}),
    ),
    "fire held": (GUNNER, *TO_SHOOTING, ("hold_fire", {"unit": "Man", "weapon": "Rifle"})),
    "recharging": (
        between([unit("Man", weapons=[{"name": "Cannon"}], arsenal=[CANNON])], [unit("Foe", wounds=9)]),
        *TO_SHOOTING,
        ("shoot", {**SHOT, "weapon": "Cannon", "distance": 9}, (1,)),
        *NEXT_SHOOTING,
    ),
    "smokers": (SMOKERS, *TO_SHOOTING),
    "a flamer far off": (
        between([unit("Man", "Flamer", **at(20, 10))], [unit("Foe", **at(20, 25))]),
        *TO_SHOOTING,
    ),
    # --- hand to hand ---
    "staves": (STAVES, *TO_SHOOTING, "end_phase"),
    "struck": (STAVES, *TO_SHOOTING, "end_phase", ("strike", {**STRIKE, "hits": 2}, (4, 3))),
    "staves far off": (
        between([unit("Sage", "Staff", mastery=2, **at(20, 20))]),
        *TO_SHOOTING,
        "end_phase",
    ),
}


ROWS = [
    # --- the table ---
    Row(
        "behind a wall",
        "shoot",
        SHOT,
        "SE-117",
        "Man does not see Foe; choose another target, or say in_sight=yes if it does (SE-117)",
    ),
    Row(
        "behind a wall",
        "volley",
        SHOT,
        "SE-117",
        "Man sees no model of Foe; choose another target, or say in_sight=yes if it does (SE-117)",
    ),
    Row(
        "behind a wall",
        "shoot",
        {**SHOT, "distance": 12},
        "SE-10",
        "Foe is 9 inches from Man on the board, not 12 inches (SE-10)",
    ),
    Row(
        "before a rock",
        "move",
        {"unit": "Man", "x": 20, "y": 13},
        "SE-117",
        "Rock is impassable, and Man would go into it; go round it (SE-117)",
    ),
    Row(
        "before a rock",
        "move",
        {"unit": "Man", "towards": "Boy"},
        "SE-117",
        "Man is at Boy already; name another goal (SE-117)",
    ),
    Row(
        "setting up",
        "place",
        {"unit": "Man", "x": 20, "y": 20},
        "SE-117",
        "Man must stand in the deployment zone of South (SE-117)",
    ),
    Row(
        "setting up",
        "place",
        {"unit": "Foe", "x": 20, "y": 42},
        "SE-118",
        "nothing of the kind is due for Foe; due is: place of Man (SE-118)",
    ),
    Row("setting up", "end_phase", {}, "SE-118", "first comes: place of Man (SE-118)"),
    # --- moves ---
    Row(
        "movers",
        "move",
        {"unit": "Man", "x": 20, "y": 24.5},
        "SE-117",
        "(20, 24.5) is 4.5 inches away; Man moves 4 inches at most (SE-117)",
    ),
    Row(
        "movers",
        "move",
        {"unit": "Man", "x": 21.5, "y": 20},
        "SE-10",
        "Man would stand in the base of Boy; 1.00 inches between their middles would do (SE-10)",
    ),
    Row(
        "movers",
        "move",
        {"unit": "Ghost", "x": 21, "y": 22},
        "SE-10",
        "Ghost has no place on the table to move from; name distances when it shoots (SE-10)",
    ),
    Row(
        "moved",
        "move",
        {"unit": "Man", "x": 21, "y": 21},
        "SE-117",
        "Man has moved in this turn; wait for the next (SE-117)",
    ),
    Row(
        "at the edge",
        "move",
        {"unit": "Man", "x": 0.2, "y": 1},
        "SE-10",
        "Man would stand over the edge of the table, which is 72 by 48 inches; choose a place inside (SE-10)",
    ),
    Row(
        "a file",
        "move_unit",
        {"unit": "Men", "heading": 0, "far": 4},
        "SE-10",
        "Men 2 would stand in the base of Wall; 1.00 inches between their middles would do (SE-10)",
    ),
    Row(
        "a file",
        "move_unit",
        {"unit": "Men", "heading": 90, "far": 5},
        "SE-117",
        "(23.5, 20) is 5 inches away; Men 1 moves 4 inches at most (SE-117)",
    ),
    Row(
        "a file moved",
        "move_unit",
        {"unit": "Men", "heading": 90, "far": 1},
        "SE-117",
        "Men has moved in this turn; wait for the next (SE-117)",
    ),
    # --- the start of a turn, and phases ---
    Row("gas", "fire_test", {"unit": "Man"}, "SE-118", "something else comes first: test Gas (SE-118)"),
    Row("gas", "end_phase", {}, "SE-118", "first comes: test Gas (SE-118)"),
    Row(
        "gas",
        "move",
        {"unit": "Man", "x": 21, "y": 20},
        "SE-118",
        "that is done in the movement phase, and it is the start of the turn; first comes: test Gas (SE-118)",
    ),
    Row(
        "gas",
        "marker_harm",
        {"marker": "Gas"},
        "SE-118",
        "nothing of the kind is due for Gas; due is: test Gas (SE-118)",
    ),
    Row("haze", "fire_test", {"unit": "Foe"}, "SE-87", "Foe takes its test at the start of the turn of North (SE-87)"),
    Row(
        "gas tested",
        "marker_harm",
        {"marker": "Gas", "under": ["Man 1"], "partly": ["Man 1"]},
        "SE-80",
        "a model lies under a marker entirely or partly; name each once (SE-80)",
    ),
    Row(
        "gas tested, placed",
        "marker_harm",
        {"marker": "Gas", "under": ["Man"]},
        "SE-80",
        "the table says which models lie under Gas; name none (SE-80)",
    ),
    Row(
        "movement",
        "shoot",
        SHOT,
        "SE-118",
        "that is done in the shooting phase, and it is the movement phase; end this phase first (SE-118)",
    ),
    Row(
        "shooting",
        "move",
        {"unit": "Man", "x": 21, "y": 20},
        "SE-118",
        "that is done in the movement phase, and it is the shooting phase; wait for the next turn (SE-118)",
    ),
    Row(
        "shooting",
        "strike",
        {"unit": "Man", "weapon": "Staff", "target": "Foe"},
        "SE-118",
        "that is done in the hand-to-hand phase, and it is the shooting phase; end this phase first (SE-118)",
    ),
    Row(
        "shooting",
        "shoot",
        {"unit": "Foe", "weapon": "Rifle", "target": "Man"},
        "SE-117",
        "it is the turn of South; Foe belongs to North (SE-117)",
    ),
    Row("won", "end_turn", {}, "SE-117", "the battle is over: South holds the field (SE-117)"),
    Row("won", "remove", {"unit": "Cart"}, "SE-24", "Cart has fallen (SE-24)"),
    Row(
        "won", "move", {"unit": "Man", "x": 21, "y": 20}, "SE-117", "the battle is over: South holds the field (SE-117)"
    ),
    # --- fire ---
    Row("ablaze", "fire_test", {"unit": "Friends 1"}, "SE-87", "Friends 1 does not burn (SE-87)"),
    Row(
        "ablaze",
        "beat_out",
        {"unit": "Man", "helpers": ["Friends 1"]},
        "SE-118",
        "that is done in the movement phase, and it is the start of the turn; first comes: Fire Test of Man",
    ),
    Row(
        "burning",
        "fire_test",
        {"unit": "Man"},
        "SE-118",
        "that is done at the start of a turn, and it is the movement phase; wait for the next turn (SE-118)",
    ),
    Row(
        "burning",
        "beat_out",
        {"unit": "Friends 1", "helpers": ["Friends 2"]},
        "SE-92",
        "nothing burns there; name a model that is on fire (SE-92)",
    ),
    Row(
        "burning",
        "beat_out",
        {"unit": "Man", "helpers": []},
        "SE-92",
        "helpers must be one or more models, each named once; got none (SE-92)",
    ),
    Row(
        "burning",
        "beat_out",
        {"unit": "Man", "helpers": ["Foe"]},
        "SE-92",
        "Foe is an enemy of Man; name a friend (SE-92)",
    ),
    Row(
        "burning",
        "beat_out",
        {"unit": "Man", "helpers": ["Man"]},
        "SE-92",
        "Man cannot beat out its own flames; name a friend (SE-92)",
    ),
    Row(
        "burning",
        "beat_out",
        {"unit": "Man", "helpers": ["Friends 1", "friends 1"]},
        "SE-92",
        "helpers must be one or more models, each named once; got Friends 1, Friends 1 (SE-92)",
    ),
    Row(
        "burning",
        "move",
        {"unit": "Man", "x": 24, "y": 21},
        "SE-89",
        "Man burns and runs about, and does nothing else in this turn; others may beat out the flames (SE-89)",
    ),
    Row(
        "burning, shooting",
        "shoot",
        SHOT,
        "SE-89",
        "Man burns and runs about, and does nothing else in this turn; others may beat out the flames (SE-89)",
    ),
    Row(
        "burning, hand to hand",
        "strike",
        {"unit": "Man", "weapon": "Staff", "target": "Foe"},
        "SE-89",
        "Man burns and runs about, and does nothing else in this turn; others may beat out the flames (SE-89)",
    ),
    Row(
        "burning far off",
        "beat_out",
        {"unit": "Man", "helpers": ["Friends 3"]},
        "SE-92",
        "a helper must come within 1 inch, and this one stays 10.52 inches off; name a nearer model (SE-92)",
    ),
    Row(
        "burning far off",
        "beat_out",
        {"unit": "Man", "helpers": ["Friends 1", "Friends 2"]},
        "SE-92",
        "a helper must come within 1 inch, and this one stays 1.40 inches off; name a nearer model (SE-92)",
    ),
    Row(
        "beaten",
        "beat_out",
        {"unit": "Man", "helpers": ["Friends 2"]},
        "SE-93",
        "the flames on Man were beaten in this turn; try again in the next (SE-93)",
    ),
    Row(
        "put out",
        "move",
        {"unit": "Man", "x": 20, "y": 21},
        "SE-91",
        "the flames on Man were put out in this turn, and it neither moves nor shoots; it acts again in its",
    ),
    Row(
        "put out, shooting",
        "shoot",
        SHOT,
        "SE-91",
        "the flames on Man were put out in this turn, and it neither moves nor shoots; it acts again in its",
    ),
    Row(
        "beaten out",
        "move",
        {"unit": "Man", "x": 20, "y": 17},
        "SE-91",
        "the flames on Man were put out in this turn, and it neither moves nor shoots; it acts again in its",
    ),
    Row(
        "beaten out, shooting",
        "shoot",
        {**SHOT, "unit": "Friends 1"},
        "SE-94",
        "Friends 1 beat out flames in this turn, and helpers do not shoot; it shoots again in its next turn",
    ),
    # --- shots ---
    Row(
        "placed",
        "shoot",
        {**SHOT, "target": "Other"},
        "SE-109",
        "Man has fired Rifle in this phase already; wait for the next turn (SE-109)",
    ),
    Row("unplaced", "shoot", SHOT, "SE-10", "the distance to the target is not known; say distance=… (SE-10)"),
    Row(
        "riflemen",
        "shoot",
        {"unit": "Man 1", "weapon": "Rifle", "distance": 9, "target": "Man 2"},
        "SE-34",
        "Man 2 is on the same side; choose an enemy (SE-34)",
    ),
    Row(
        "riflemen",
        "shoot",
        {"unit": "Man 1", "weapon": "Mortar", "distance": 9, "target": "Foe"},
        "SE-33",
        "Mortar uses a blast marker; use the action blast (SE-33)",
    ),
    Row(
        "riflemen",
        "burst",
        {"unit": "Man 1", "weapon": "Rifle", "distance": 9, "target": "Foe"},
        "SE-13",
        "Rifle is an ordinary weapon; use the action shoot (SE-13)",
    ),
    Row(
        "one fallen",
        "shoot",
        {"unit": "Man 2", "weapon": "Rifle", "distance": 9, "target": "Foe"},
        "SE-24",
        "Foe has fallen (SE-24)",
    ),
    Row("volleys", "volley", {**VOLLEY, "target": "Men"}, "SE-34", "Men is on the same side; choose an enemy (SE-34)"),
    Row(
        "volleys",
        "volley",
        {**VOLLEY, "weapon": "Slings"},
        "SE-34",
        "no model of Men carries Slings; name a weapon that they have (SE-34)",
    ),
    Row(
        "volley fired",
        "volley",
        VOLLEY,
        "SE-109",
        "Men 1 has fired Rifle in this phase already; wait for the next turn (SE-109)",
    ),
    Row(
        "a gunner",
        "clear_jam",
        {"unit": "Man", "weapon": "Repeater"},
        "SE-109",
        "Repeater has no jam to clear (SE-109)",
    ),
    Row(
        "jammed", "burst", BURST, "SE-108", "Repeater has 2 jams; clear them first, one in each Shooting phase (SE-108)"
    ),
    Row(
        "one jam cleared",
        "shoot",
        {**BURST, "weapon": "Rifle"},
        "SE-109",
        "Man has cleared a jam of Repeater in this phase already; wait for the next turn (SE-109)",
    ),
    Row("one jam left", "burst", BURST, "SE-108", "Repeater has 1 jam; clear it first (SE-108)"),
    Row(
        "a cart that shot and cleared",
        "burst",
        BURST,
        "SE-110",
        "the gunner of Repeater has cleared a jam of Repeater in this phase already; wait for the next turn",
    ),
    Row(
        "a cart that shot and cleared",
        "hold_fire",
        {"unit": "Man", "weapon": "Rifle"},
        "SE-110",
        "the gunner of Rifle has fired Rifle in this phase already; wait for the next turn (SE-110)",
    ),
    Row(
        "fire held",
        "burst",
        BURST,
        "SE-109",
        "Man has held its fire in this phase already; wait for the next turn (SE-109)",
    ),
    Row(
        "recharging",
        "shoot",
        {**SHOT, "weapon": "Cannon", "distance": 9},
        "SE-111",
        "Cannon fired in the last turn and must recharge in this one (SE-111)",
    ),
    Row(
        "smokers",
        "ground",
        {"unit": "Man", "weapon": "Smoker"},
        "SE-59",
        "a shot at the ground needs x and y of the spot, or for a model without a place the distance (SE-59)",
    ),
    Row(
        "smokers",
        "ground",
        {"unit": "Man", "weapon": "Smoker", "x": 20, "y": 90},
        "SE-59",
        "(20, 90) is off the table, which is 72 by 48 inches (SE-59)",
    ),
    Row(
        "smokers",
        "ground",
        {"unit": "Boy", "weapon": "Smoker", "x": 20, "y": 20},
        "SE-59",
        "a shot at the ground needs x and y of the spot, or for a model without a place the distance (SE-59)",
    ),
    Row(
        "a flamer far off",
        "template",
        {"unit": "Man", "weapon": "Flamer", "target": "Foe"},
        "SE-82",
        "a template 8.5 inches long does not reach Foe; choose another target (SE-82)",
    ),
    # --- blows ---
    Row(
        "staves",
        "strike",
        {**STRIKE, "unit": "Man", "hits": 2},
        "SE-112",
        "Man is no psyker, and only a psyker of Mastery Level 1 to 4 may wield a force weapon (SE-112)",
    ),
    Row(
        "staves",
        "strike",
        {**STRIKE, "weapon": "Rifle", "hits": 2},
        "SE-113",
        "Rifle is no force weapon; other blows are struck by the rules of the base game (SE-113)",
    ),
    Row(
        "struck", "strike", {**STRIKE, "hits": 2}, "SE-117", "Sage has struck in this turn; wait for the next (SE-117)"
    ),
    Row("staves far off", "strike", STRIKE, "SE-117", "Foe is 27.28 inches away; move base to base first (SE-117)"),
]


@pytest.mark.clause(
    "SE-10",
    "SE-13",
    "SE-24",
    "SE-33",
    "SE-34",
    "SE-59",
    "SE-80",
    "SE-82",
    "SE-87",
    "SE-89",
    "SE-91",
    "SE-92",
    "SE-93",
    "SE-94",
    "SE-108",
    "SE-109",
    "SE-110",
    "SE-111",
    "SE-112",
    "SE-113",
    "SE-117",
    "SE-118",
)
@pytest.mark.parametrize("row", ROWS, ids=str)
def test_an_order_is_refused_with_its_clause_and_changes_nothing(row: Row):
    assert not faults(begin(STARTS[row.start]), row)


def sides(*units: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return a start with these units on the first of two sides."""
    foes = {"name": "North", "units": [unit("Foe", **at(40, 40))]}
    return {"sides": [{"name": "South", "units": list(units)}, foes], **more}


FLAT = {"name": "medium", "length": 2.0, "radius": 1.5}
LEVY = {"name": "B", "units": [unit("Man")]}
BAD_STARTS: list[tuple[dict[str, Any], str]] = [
    ({"sides": [{"name": "A", "units": [unit("Man")]}]}, "two sides"),
    ({"sides": [{"name": "A"}, LEVY]}, "at least one unit"),
    (sides(unit("Man"), unit("man")), "used twice"),
    (sides(unit("Man, the")), "without brackets"),
    (sides(unit("Man", weapons=[{"name": "Rifel"}])), "Did you mean 'Rifle'"),
    (sides(unit("Crowd", models=100)), "at most 100 models; got 101"),
    (sides(unit("Man", **at(20, 20)), unit("Boy", **at(20.9, 20))), "Man and Boy stand on the same ground"),
    (sides(unit("Man", **at(0.4, 20))), "wholly on the table"),
    (sides(unit("Man", **at(0.4, 20))), "(SE-10)"),
    (sides(unit("Man", x=20.0)), "together"),
    (sides(unit("Men", models=2, spots=[at(20, 20)])), "every model"),
    (sides(unit("Man"), markers=[{"x": 5.0}]), "with x and y or with neither"),
    (sides(unit("Man"), markers=[{"owner": "West"}]), "no side 'West'"),
    (sides(unit("Man", "Flamer", templates=[FLAT])), "(SE-9)"),
    (sides(unit("Man", "Flamer", templates=[])), "no template 'medium'"),
]


@pytest.mark.clause("SE-9", "SE-10", "SE-39")
@pytest.mark.parametrize(("start", "fragment"), BAD_STARTS, ids=[fragment for _, fragment in BAD_STARTS])
def test_a_start_that_does_not_fit_is_refused(start: dict[str, Any], fragment: str):
    assert not start_faults(lambda: Battle.new("second_edition", start), fragment)


ORK = [{"name": "Ork", "y": 12.0}]
PAL = ["Ork at 0,6", "Pal at 3,6 side=friend"]
CROWD = [{"x": 2.0 * (at_ % 10), "y": 10 + 2.0 * (at_ // 10)} for at_ in range(100)]


QUESTIONS = [
    # --- shots ---
    QuestionRow(
        "shoot",
        {"weapon": "Frag grenade"},
        "SE-55",
        "Frag grenade is thrown by hand; ask the question grenade about it (SE-55)",
    ),
    QuestionRow(
        "shoot",
        {"weapon": "Flamer"},
        "SE-81",
        "Flamer uses a flamer template; ask the question template about it (SE-81)",
    ),
    QuestionRow(
        "shoot",
        {"weapon": "Heavy bolter"},
        "SE-99",
        "Heavy bolter has Sustained Fire; ask the question sustained about it (SE-99)",
    ),
    QuestionRow(
        "shoot",
        {"weapon": "Battle cannon"},
        "SE-33",
        "Battle cannon uses a blast marker; ask the question blast about it (SE-33)",
    ),
    QuestionRow(
        "shoot",
        {"weapon": "Force rod"},
        "SE-113",
        "Force rod is a force weapon; ask the question force_weapon about it (SE-113)",
    ),
    QuestionRow(
        "shoot", {"types": "deamon"}, "", "there is no type 'deamon'. Did you mean 'daemon'? Known: infantry, vehicle,"
    ),
    QuestionRow("shoot", {"models": 51}, "", "models must be a whole number from 1 to 50; got 51 (SE-24)."),
    QuestionRow(
        "shoot", {"toughness": 31}, "", "toughness must be a whole number from 0 to 30, or none; got 31 (SE-18)."
    ),
    QuestionRow("shoot", {"shots": 0}, "", "shots must be a whole number from 1 to 200; got 0 (SE-13)."),
    QuestionRow("shoot", {"save": 1}, "", "save must be a save from 2+ to 6+, or none; got 1 (SE-26)."),
    QuestionRow("shoot", {"lost": 2, "wounds": 2}, "", "lost must be fewer than the model's 2 wounds; got 2."),
    QuestionRow(
        "shoot", {"weapon": "Bulgun"}, "", "there is no weapon 'Bulgun'. Did you mean 'Boltgun'? 52 are known, such"
    ),
    QuestionRow(
        "shoot",
        {"armour": "Mehs"},
        "",
        "there is no armour 'Mehs'. Did you mean 'Mesh'? Known: Flak, Mesh, Carapace, Power, Exo, Terminator.",
    ),
    QuestionRow("shoot", {"damage": "lots"}, "", "damage must be a number or dice such as D4 or 2D6; got 'lots'."),
    QuestionRow("shoot", {"damage": ""}, "", "damage must be a number or dice such as D4 or 2D6; got ''."),
    QuestionRow("shoot", {"damage": "D6-D10"}, "", "damage must be a number or dice such as D4 or 2D6; got 'D6-D10'."),
    QuestionRow("shoot", {"damage": "1.5"}, "", "damage must be a number or dice such as D4 or 2D6; got '1.5'."),
    QuestionRow(
        "shoot", {"short_range": 12, "long_range": 6}, "", "long_range must be no shorter than short_range, 12; got 6."
    ),
    # --- models and places ---
    QuestionRow(
        "blast",
        {"models": [{"name": "A", "y": 12.0}, {"name": "B", "y": 12.3}], "target": "A"},
        "",
        "stand in each other: A and B stand 0.30 inches apart, and must be 0.98 inches apart or more (SE-10).",
    ),
    QuestionRow(
        "blast",
        {"models": [{"name": "A", "y": 0.2}]},
        "",
        "models must not stand in each other: shooter and A stand 0.20 inches apart,",
    ),
    QuestionRow(
        "blast",
        {"models": CROWD},
        "",
        "models takes at most 39 models beside the shooter; got 100. Leave out those far off (SE-10).",
    ),
    QuestionRow(
        "blast",
        {"models": ["line 40 at 0,18"]},
        "",
        "models takes at most 39 models beside the shooter; got 40. Leave out those far off (SE-10).",
    ),
    QuestionRow(
        "blast",
        {"models": [{"name": "A", "y": 12.0}, {"name": "A", "y": 14.0}]},
        "",
        "models must each have a name of their own, without [ or comma, and none",
    ),
    QuestionRow(
        "blast",
        {"models": ["Nobody at 0,18"]},
        "",
        "without [ or comma, and none is called nobody; got 'Nobody' (SE-10).",
    ),
    QuestionRow(
        "blast",
        {"models": [{"name": "pal", "y": 12.0, "side": "friend"}]},
        "",
        "models must include an enemy to aim at; got none (SE-34).",
    ),
    QuestionRow("blast", {"models": ORK, "target": "Bert"}, "", "there is no model 'Bert'. Known: shooter, Ork."),
    QuestionRow(
        "blast",
        {"models": PAL, "target": "Pal"},
        "SE-34",
        "Pal is on the same side; aim at an enemy, such as Ork (SE-34)",
    ),
    QuestionRow(
        "blast",
        {"models": PAL, "target": "shooter"},
        "SE-34",
        "shooter is the shooter; aim at an enemy, such as Ork (SE-34)",
    ),
    QuestionRow(
        "grenade",
        {"models": PAL, "target": "Pal"},
        "SE-34",
        "Pal is on the same side; aim at an enemy, such as Ork (SE-34)",
    ),
    QuestionRow(
        "grenade",
        {"models": PAL, "target": "shooter"},
        "SE-34",
        "shooter is the shooter; aim at an enemy, such as Ork (SE-34)",
    ),
    QuestionRow("ground", {"x": 3.0}, "", "the spot needs x and y together; got one of them only (SE-59)."),
    QuestionRow(
        "ground", {"models": []}, "", "the spot needs x and y where no model stands to aim at; got neither (SE-59)."
    ),
    # --- blasts, templates and clouds ---
    QuestionRow(
        "blast", {"weapon": "Bolt pistol"}, "", "weapon must be one that has a blast marker (SE-33); got 'Bolt pistol'."
    ),
    QuestionRow(
        "blast",
        {"weapon": "Frag grenade"},
        "",
        "weapon must be one that is fired (ask grenade about a grenade, SE-55); got 'Frag grenade'.",
    ),
    QuestionRow(
        "grenade",
        {"weapon": "Bolt pistol"},
        "",
        "weapon must be one that is thrown and has a blast marker (SE-55); got 'Bolt pistol'.",
    ),
    QuestionRow(
        "grenade",
        {"weapon": "Missile launcher, frag"},
        "",
        "weapon must be one that is thrown and has a blast marker (SE-55); got 'Missile launcher, frag'.",
    ),
    QuestionRow(
        "template",
        {"weapon": "Bolt pistol"},
        "",
        "weapon must be one that uses a flamer template (SE-81); got 'Bolt pistol'.",
    ),
    QuestionRow(
        "ground",
        {"weapon": "Bolt pistol"},
        "",
        "weapon must be one that has a blast marker (SE-59); got 'Bolt pistol'.",
    ),
    QuestionRow(
        "cloud",
        {"weapon": "Bolt pistol"},
        "",
        "weapon must be one that leaves a cloud behind; got 'Bolt pistol' (SE-66).",
    ),
    QuestionRow("cloud", {"radius": 1.7}, "", "radius must be a multiple of half an inch; got 1.7 (SE-70)."),
    QuestionRow(
        "plasma",
        {"weapon": "Missile launcher, frag"},
        "",
        "weapon must be one that leaves a plasma ball behind; got 'Missile launcher, frag' (SE-66).",
    ),
    QuestionRow(
        "template",
        {"length": -4, "end_radius": 1.25},
        "",
        "half the length; got a length of -4 and a round end of radius 1.25 (SE-9).",
    ),
    QuestionRow(
        "template",
        {"length": 8, "end_radius": -1},
        "",
        "half the length; got a length of 8 and a round end of radius -1 (SE-9).",
    ),
    QuestionRow(
        "template",
        {"length": 4, "end_radius": 2.5},
        "",
        "half the length; got a length of 4 and a round end of radius 2.5 (SE-9).",
    ),
    QuestionRow(
        "template",
        {"length": 8, "end_radius": 0},
        "",
        "half the length; got a length of 8 and a round end of radius 0 (SE-9).",
    ),
    QuestionRow(
        "burning",
        {"ignores": True},
        "SE-95",
        "only some models may ignore the flames (vehicle, dreadnought, terminator,",
    ),
    # --- sustained fire ---
    QuestionRow(
        "sustained",
        {"sustained": 2, "dice": 0},
        "SE-100",
        "a weapon with Sustained Fire 2 cannot roll 0 of its dice; 1 to 2 would do (SE-100)",
    ),
    QuestionRow(
        "sustained",
        {"sustained": 2, "dice": 3},
        "SE-100",
        "a weapon with Sustained Fire 2 cannot roll 3 of its dice; 1 to 2 would do (SE-100)",
    ),
    QuestionRow("sustained", {"sustained": 0}, "", "sustained must be a whole number from 1 to 10; got 0 (SE-100)."),
    QuestionRow(
        "sustained",
        {"apart": "name=Ada", "turns": 2},
        "",
        "apart says which models stand where in one turn of fire; with 2 turns give models alone.",
    ),
    QuestionRow("sustained", {"jams": 1}, "SE-108", "the weapon has 1 jam; clear it first (SE-108)"),
    QuestionRow(
        "sustained", {"blast": 2}, "SE-111", "the weapon has both a blast marker and Sustained Fire, and no rule says"
    ),
    QuestionRow(
        "sustained",
        {"weapon": "Boltgun"},
        "SE-99",
        "Boltgun has no Sustained Fire; ask the question shoot about it (SE-99)",
    ),
    # --- force weapons ---
    QuestionRow("force_weapon", {"mastery": 5}, "", "mastery must be a whole number from 0 to 4; got 5 (SE-112)."),
    QuestionRow(
        "force_weapon",
        {"wielder": "Harbour levy"},
        "SE-112",
        "Harbour levy is no psyker, and only a psyker of Mastery Level 1 to 4 may",
    ),
    QuestionRow(
        "force_weapon",
        {"weapon": "Boltgun"},
        "SE-113",
        "Boltgun is no force weapon; other blows are struck by the rules of the base game (SE-113)",
    ),
]


@pytest.mark.clause(
    "SE-10",
    "SE-100",
    "SE-108",
    "SE-111",
    "SE-112",
    "SE-113",
    "SE-13",
    "SE-18",
    "SE-24",
    "SE-26",
    "SE-33",
    "SE-34",
    "SE-55",
    "SE-59",
    "SE-66",
    "SE-70",
    "SE-81",
    "SE-9",
    "SE-95",
    "SE-99",
)
@pytest.mark.parametrize("row", QUESTIONS, ids=str)
def test_a_question_is_refused_with_its_clause(row: QuestionRow):
    assert not question_faults(SYSTEM, row)
