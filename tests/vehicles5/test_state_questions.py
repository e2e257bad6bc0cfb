"""The questions what_may_it_do and dangerous_terrain as a player asks them, and the words they share."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from battletape.errors import BadInput, Refused, UnknownName
from battletape.rulesets.vehicles5.profiles.book import book
from battletape.rulesets.vehicles5.questions.dangerous_terrain import DANGEROUS_TERRAIN
from battletape.rulesets.vehicles5.questions.what_may_it_do import WHAT_MAY_IT_DO
from battletape.rulesets.vehicles5.rules.shooting import shooting_steps
from battletape.rulesets.vehicles5.rulings import PRESETS, Rulings
from battletape.system import Ruleset
from battletape.tape.script import Script
from battletape.words import capital, inches, listed, plain, plural

RULES = Ruleset(
    "vehicles5",
    "Vehicles",
    "",
    "battletape.rulesets.vehicles5",
    Rulings,
    (WHAT_MAY_IT_DO, DANGEROUS_TERRAIN),
    presets=PRESETS,
    profiles=book,
)


def may(**given: Any) -> dict[str, Any]:
    """Each measure's only value."""
    answer = RULES.ask("what_may_it_do", **given)
    found = {}
    for measure in WHAT_MAY_IT_DO.measures:
        (found[measure.name],) = answer.odds(measure.name).fractions()
    return found


@pytest.mark.clause("V5-FIRE-2", "V5-SMOKE-1", "V5-MOVE-7")
def test_the_example() -> None:
    answer = RULES.ask("what_may_it_do", **WHAT_MAY_IT_DO.example)
    assert answer.headline == "Has moved at combat speed; fires one main weapon and all defensive ones; smoke is ready."
    titles = [(step.title, step.clauses) for step in answer.steps]
    assert ("Drive: no, it has moved already, and all its inches count as one move", ("V5-MOVE-7",)) in titles
    assert len(set(titles)) == len(titles)
    assert answer.table is None  # the steps say it all, once
    assert [step.title for step in answer.steps][:1] == ["Turn on the spot: yes, as often as it likes"]
    assert all(step.clauses for step in answer.steps)
    assert str(RULES.roll("what_may_it_do", **WHAT_MAY_IT_DO.example)).splitlines() == [s.title for s in answer.steps]


@pytest.mark.clause("V5-TANK-1", "V5-RAM-1", "V5-TRAN-3", "V5-SMOKE-1")
def test_a_carrier_from_the_garage() -> None:
    assert may(vehicle="Barrow carrier") == {
        "may_move": 1,
        "may_turn": 1,
        "inches": 12,
        "band": "stationary",
        "assault_band": "stationary",
        "way": "nothing in the way",
        "fire_mode": "all",
        "main_weapons": 0,
        "may_lob": 0,
        "tank_shock": 1,
        "ram": 1,
        "smoke": 1,
        "smoke_now": 0,
        "passengers_shoot": 2,
        "passengers_as_moving": 0,
        "passengers_get_out": 1,
        "run": 0,
        "turn_to_fire": 0,
        "assault": 0,
        "close_combat": "nothing",
        "go_to_ground": 0,
        "together": "none named",
    }
    stunned = may(vehicle="barrow carrier", stunned=True, smoke_used=True)
    assert {name for name, value in stunned.items() if value == 1} == {
        "may_turn",
        "passengers_get_out",
    }
    headline = RULES.ask("what_may_it_do", vehicle="Barrow carrier", stunned=True, smoke_used=True).headline
    assert headline == "May not drive (V5-DMG-2); fires nothing (V5-DMG-2); smoke is spent (V5-SMOKE-1)."


@pytest.mark.clause("V5-DEF-1", "V5-DMG-3", "V5-ORD-4")
def test_launchers_walkers_and_howitzers_from_the_garage() -> None:
    heron = RULES.ask(
        "what_may_it_do", vehicle="Heron carrier", band="cruising", together="Missile launcher (Krak missile)"
    )
    assert "fires one main weapon and all defensive ones" in heron.headline
    assert heron.odds("together").chance(1) == 1
    assert may(vehicle="Far Thunder carriage")["may_lob"] == 1
    assert may(vehicle="Far Thunder carriage", band="combat")["may_lob"] == 0
    walker = may(vehicle="Warden strider", band="combat", fired=True)
    assert (walker["main_weapons"], walker["run"], walker["assault"]) == (0, 0, 1)
    lost = may(vehicle="Strongroom carrier", weapon_names="left las")
    assert lost["main_weapons"] == 1


@pytest.mark.clause("V5-FIRE-5", "V5-FIRE-2", "V5-SMOKE-2", "V5-ORD-1")
def test_weapons_to_fire_together() -> None:
    guns = [{"weapon": "Lascannon", "name": "left"}, {"weapon": "Lascannon", "name": "right"}, "Storm bolter"]
    assert may(guns=guns, together="left, right")["together"] == 1
    assert may(guns=guns, together="left, right", band="combat")["together"] == 0
    assert may(guns=guns, together="left, storm bolter", band="combat")["together"] == 1
    smoke = RULES.ask("what_may_it_do", guns=guns, together="left", smoke_launchers=True, smoke_this_turn=True)
    last = smoke.steps[-1]
    assert last.title == "Fire the left together: no, a vehicle that set off smoke this turn fires no weapon"
    assert last.clauses == ("V5-SMOKE-2",)


@pytest.mark.clause("V5-WALK-1", "V5-MOVE-2", "V5-MOVE-3", "V5-FAST-1", "V5-RAM-1", "V5-TRAN-1")
@pytest.mark.parametrize(
    ("given", "kind", "words"),
    [
        ({"types": "walker", "distance": 7}, Refused, "7 inches is more than the 6 that a walker may move (V5-WALK-1)"),
        ({"distance": 13}, Refused, "13 inches is more than the 12 that an ordinary vehicle may move (V5-MOVE-3)"),
        ({"distance": -1}, BadInput, "V5-MOVE-2"),
        ({"band": "flat_out"}, Refused, "cruising or slower would do (V5-FAST-1)"),
        ({"band": "cruising", "types": "walker"}, Refused, "combat or slower would do (V5-WALK-1)"),
        ({"declared": "ram"}, Refused, "only a tank may ram; this is an ordinary vehicle (V5-RAM-1)"),
        ({"capacity": 3, "passengers": 5}, Refused, "5 models are more than the 3 this vehicle holds (V5-TRAN-1)"),
        ({"guns": "lascannon", "together": "lasgun"}, UnknownName, "Did you mean 'lascannon'?"),
        ({"vehicle": "Barrow carrier", "weapon_names": "bolter"}, UnknownName, "Known: Storm bolter."),
        ({"guns": "Dreadnought close combat weapon"}, BadInput, "which is for striking"),
        ({"types": "tnk"}, UnknownName, "Did you mean 'tank'?"),
    ],
)
def test_what_cannot_be_is_refused(given: dict[str, Any], kind: type[Exception], words: str) -> None:
    with pytest.raises(kind) as caught:
        RULES.ask("what_may_it_do", **given)
    assert words in str(caught.value)


@pytest.mark.clause("V5-MOVE-2", "V5-MOVE-4")
def test_inches_stand_for_a_speed() -> None:
    assert may(distance=6)["fire_mode"] == "one_main"
    assert may(distance=6.25)["fire_mode"] == "none"
    assert may(distance=0)["inches"] == 12
    assert may(distance=0, on_road=True)["inches"] == 18


# --- bad ground -----------------------------------------------------------------------------------------------------


def chances(measure: str, **given: Any) -> dict[Any, Fraction]:
    return dict(RULES.ask("dangerous_terrain", **given).odds(measure).fractions())


@pytest.mark.clause("V5-TERR-2", "V5-TERR-3")
def test_a_wood_half_way() -> None:
    answer = RULES.ask("dangerous_terrain", **DANGEROUS_TERRAIN.example)
    assert answer.odds("immobilised").chance(1) == Fraction(1, 6)
    assert dict(answer.odds("moved").fractions()) == {5.0: Fraction(1, 6), 10.0: Fraction(5, 6)}
    assert answer.odds("band_after").chance("combat") == Fraction(1, 6)
    assert answer.headline == "Immobilised 17 %, unharmed 83 %."
    failed = RULES.roll("dangerous_terrain", tape=Script(1), **DANGEROUS_TERRAIN.example)
    assert failed.log[-1].text == "It moves 5 inches, combat, and is immobilised"
    assert failed.log[-1].clauses == ("V5-TERR-3",)


@pytest.mark.clause("V5-TERR-2")
def test_three_vehicles_by_counting_faces() -> None:
    faces = [sum(die == 1 for die in dice) for dice in product(range(1, 7), repeat=3)]
    assert chances("failed", vehicles=3) == {n: Fraction(faces.count(n), 216) for n in range(4)}
    answer = RULES.ask("dangerous_terrain", vehicles=3)
    assert answer.headline == "All 3 get through 58 %; 0.5 fail on average."
    assert answer.odds("unharmed").mean == Fraction(5, 2)


@pytest.mark.clause("V5-SKIM-2", "V5-SKIM-3", "V5-SKIM-7")
def test_skimmers() -> None:
    assert chances("failed", types="skimmer", relation="over") == {0: 1}
    assert chances("immobilised", types="skimmer", relation="landing") == {0: Fraction(5, 6), 1: Fraction(1, 6)}
    crash = {"types": "fast, skimmer", "relation": "landing", "distance": 20}
    assert chances("wrecked", **crash) == {0: Fraction(5, 6), 1: Fraction(1, 6)}
    assert chances("wrecked", crash_on="row_only", **crash) == {0: 1}
    assert chances("wrecked", vehicles=2, **crash)[2] == Fraction(1, 36)
    assert RULES.ask("dangerous_terrain", **crash).headline == "Wrecked 17 %, unharmed 83 %."
    taking_off = {"vehicle": "Kingfisher", "relation": "starting", "distance": 20}
    assert chances("moved", **taking_off) == {0.0: Fraction(1, 6), 20.0: Fraction(5, 6)}
    assert chances("wrecked", **taking_off) == {0: 1}
    dangerous = {"types": "skimmer", "relation": "landing", "grounds": "dangerous"}
    assert chances("failed", **dangerous)[1] == Fraction(1, 6)
    assert chances("failed", skimmer_dangerous_test=False, **dangerous) == {0: 1}


@pytest.mark.clause("V5-WALK-2", "V5-CORE-9")
def test_walkers_by_counting_faces() -> None:
    highest = [max(pair) for pair in product(range(1, 7), repeat=2)]
    assert chances("moved", types="walker") == {float(n): Fraction(highest.count(n), 36) for n in range(1, 7)}
    mixed = {"types": "walker", "grounds": "difficult, dangerous", "enters_at": 3}
    faces = [
        (3.0, 1) if far >= 3 and die == 1 else (float(far), 0) for far in highest for die in range(1, 7)
    ]  # one that comes short of the ground needs no test
    assert chances("failed", **mixed)[1] == Fraction(sum(failed for _, failed in faces), 216)
    assert chances("moved", **mixed)[3.0] == Fraction(sum(far == 3.0 for far, _ in faces), 216)
    both = chances("failed", vehicles=2, **mixed)
    assert both[2] == chances("failed", **mixed)[1] ** 2
    assert RULES.ask("dangerous_terrain", types="walker").headline == "No test is needed; 4.5 inches on average."


@pytest.mark.clause("V5-TERR-1", "V5-TERR-2", "V5-CORE-18")
def test_several_areas_roads_and_short_moves() -> None:
    two = {"grounds": "difficult, wreck"}
    assert chances("failed", **two)[1] == Fraction(1, 6)
    assert chances("failed", terrain_tests="one_per_area", **two)[1] == Fraction(11, 36)
    assert chances("failed", grounds="road") == {0: 1}
    short = RULES.ask("dangerous_terrain", enters_at=9)
    assert short.headline == "No test is needed."
    assert short.warnings == ("the ground begins after 9 inches, further than it means to drive",)
    turning = RULES.ask("dangerous_terrain", distance=0)
    assert turning.odds("failed").chance(0) == 1
    assert "V5-TERR-2" in turning.warnings[0]
    assert chances("moved", types="walker", enters_at=6, distance=4) == {4.0: 1}


@pytest.mark.clause("V5-SKIM-2", "V5-MOVE-3")
@pytest.mark.parametrize(
    ("given", "kind", "words"),
    [
        ({"grounds": "swamp"}, UnknownName, "Known: difficult, dangerous, impassable, wreck, crater, road."),
        ({"distance": 13}, Refused, "V5-MOVE-3"),
        ({"grounds": "impassable"}, Refused, "only skimmers pass over (V5-SKIM-2)"),
        ({"relation": "landing"}, Refused, "only a skimmer"),
        ({"distance": -2}, BadInput, "got -2 (V5-MOVE-2)"),
    ],
)
def test_ground_that_cannot_be(given: dict[str, Any], kind: type[Exception], words: str) -> None:
    with pytest.raises(kind) as caught:
        RULES.ask("dangerous_terrain", **given)
    assert words in str(caught.value)


# --- words ----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("V5-SHOT-10")
def test_the_order_of_the_shooting_steps() -> None:
    steps = ("target", "facing_and_to_hit", "note_av", "penetration", "cover_save", "damage")
    assert shooting_steps() == steps
    early = shooting_steps(Rulings(cover_step="after_hit"))
    assert early == ("target", "facing_and_to_hit", "cover_save", "note_av", "penetration", "damage")


def test_small_turns_of_phrase() -> None:
    assert [listed([]), listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"])] == [
        "",
        "a",
        "a and b",
        "a, b and c",
    ]
    assert (plural(1, "model"), plural(2, "model")) == ("1 model", "2 models")
    assert (inches(1), inches(4.5)) == ("1 inch", "4.5 inches")
    assert (plain("flat_out"), capital("flat out")) == ("flat out", "Flat out")
