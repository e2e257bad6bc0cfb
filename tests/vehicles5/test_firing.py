"""What may fire: the legality tables of the catalogue, and every set of weapons by its pseudocode."""

from __future__ import annotations

from itertools import product
from typing import Any, Literal

import pytest

from battletape.rulesets.vehicles5.profiles.book import book
from battletape.rulesets.vehicles5.profiles.types import WeaponProfile
from battletape.rulesets.vehicles5.rules import firing
from battletape.rulesets.vehicles5.rules.damage import Condition
from battletape.rulesets.vehicles5.rules.firing import (
    AllowedFire,
    is_barrage,
    is_defensive,
    refuse_barrage,
    refuse_fire,
    refuse_range,
    refuse_targets,
    refuse_weapons_together,
)
from battletape.rulesets.vehicles5.rules.movement import Situation, WeaponUse
from battletape.rulesets.vehicles5.rules.traits import Band, Traits
from battletape.rulesets.vehicles5.rules.troops import (
    refuse_charge_after,
    refuse_rapid_fire,
    refuse_weapon_on_foot,
    shots_on_foot,
)
from battletape.rulesets.vehicles5.rulings import Rulings

ORDINARY, TANK, SKIMMER, FAST = Traits(), Traits(tank=True), Traits(skimmer=True), Traits(fast=True)
FAST_SKIMMER, WALKER = Traits(fast=True, skimmer=True), Traits(walker=True)
HOWITZER = WeaponUse("howitzer", 9, ordnance=True, can_barrage=True)
TABLE: list[tuple[Traits, Band, str, bool]] = [  # table 18.3: mode, indirect barrage
    *((kind, "stationary", "all", True) for kind in (ORDINARY, TANK, SKIMMER, FAST, FAST_SKIMMER, WALKER)),
    *((kind, "combat", "one_main", False) for kind in (ORDINARY, TANK, SKIMMER)),
    *((kind, "combat", "all", True) for kind in (FAST, FAST_SKIMMER, WALKER)),
    *((kind, "cruising", "none", False) for kind in (ORDINARY, TANK, SKIMMER)),
    *((kind, "cruising", "one_main", False) for kind in (FAST, FAST_SKIMMER)),
    *((kind, "flat_out", "none", False) for kind in (FAST, FAST_SKIMMER)),
]


def fire_mode(traits: Traits, band: Band, condition: Condition = Condition(), **given: Any) -> AllowedFire:
    return firing.fire_mode(Situation(traits, condition, band, **given))


def weapon(name: str) -> WeaponProfile:
    found: WeaponProfile = book().find("weapon", name)
    return found


@pytest.mark.clause("V5-FIRE-1", "V5-FIRE-2", "V5-FIRE-3", "V5-FIRE-4", "V5-FAST-2", "V5-FAST-3", "V5-FAST-4")
@pytest.mark.clause("V5-WALK-3", "V5-ORD-4", "V5-TANK-6")
@pytest.mark.parametrize(("traits", "band", "mode", "barrage"), TABLE)
def test_fire_by_speed(traits: Traits, band: Band, mode: str, barrage: bool) -> None:
    found = fire_mode(traits, band)
    assert (found.mode, found.as_stationary) == (mode, barrage)
    assert (found.why is None) == (mode != "none")


@pytest.mark.clause("V5-FIRE-5", "V5-SMOKE-2", "V5-RAM-2", "V5-WALK-4", "V5-DMG-1", "V5-DMG-2", "V5-DMG-5", "V5-DMG-6")
@pytest.mark.parametrize(
    ("given", "clause"),
    [
        ({"condition": Condition(status="exploded", shaken=True)}, "V5-DMG-6"),
        ({"condition": Condition(status="wrecked"), "smoke_this_turn": True}, "V5-DMG-5"),
        ({"condition": Condition(shaken=True), "smoke_this_turn": True, "declared": "ram", "ran": True}, "V5-DMG-1"),
        ({"condition": Condition(stunned=True)}, "V5-DMG-2"),
        ({"smoke_this_turn": True, "declared": "ram", "ran": True}, "V5-SMOKE-2"),
        ({"declared": "ram", "ran": True}, "V5-RAM-2"),
        ({"ran": True}, "V5-WALK-4"),
    ],
)
def test_the_first_reason_that_applies_is_named(given: dict[str, Any], clause: str) -> None:
    bands: tuple[Band, ...] = ("stationary", "combat", "flat_out")
    for band in bands:
        found = fire_mode(WALKER, band, **given)
        assert found.mode == "none"
        assert found.why is not None
        assert found.why.clause == clause
        assert refuse_weapons_together(found, [(9, False)]) is found.why
        assert refuse_barrage(found, HOWITZER) is found.why


@pytest.mark.clause("V5-FIRE-3", "V5-FIRE-4", "V5-FAST-4")
def test_too_fast_to_fire_says_what_would_do() -> None:
    cruising, racing = fire_mode(ORDINARY, "cruising").why, fire_mode(FAST, "flat_out").why
    assert cruising is not None
    assert cruising.clause == "V5-FIRE-3"
    assert "6 inches" in cruising.reason
    assert racing is not None
    assert racing.clause == "V5-FAST-4"
    assert "12 inches" in racing.reason


@pytest.mark.clause("V5-FIRE-5")
def test_an_immobilised_vehicle_fires_by_the_distance_it_covered() -> None:
    assert fire_mode(ORDINARY, "stationary", condition=Condition(immobilised=True)).mode == "all"
    assert fire_mode(ORDINARY, "combat", condition=Condition(immobilised=True)).mode == "one_main"


@pytest.mark.clause("V5-ORD-4", "V5-WALK-3")
def test_a_walkers_barrage_after_a_move_is_a_ruling() -> None:
    strict = Rulings(walker_moved_barrage=False)
    assert refuse_barrage(fire_mode(WALKER, "combat"), HOWITZER) is None
    refused = refuse_barrage(fire_mode(WALKER, "combat", rulings=strict), HOWITZER)
    assert refused is not None
    assert refused.clause == "V5-ORD-4"
    assert refuse_barrage(fire_mode(WALKER, "stationary", rulings=strict), HOWITZER) is None
    assert refuse_barrage(fire_mode(FAST, "combat", rulings=strict), HOWITZER) is None
    assert refuse_barrage(fire_mode(WALKER, "combat", rulings=strict), WeaponUse("mortar", 4, can_barrage=True)) is None


@pytest.mark.clause("V5-FIRE-1", "V5-FIRE-2", "V5-FIRE-5", "V5-ORD-1", "V5-DEF-1", "V5-FAST-2", "V5-FAST-3")
def test_every_set_of_up_to_three_weapons() -> None:
    """The pseudocode of V5-FIRE-5 over all sets of S3, S4, S5, S9 and two kinds of ordnance."""
    kinds = [(3, False), (4, False), (5, False), (9, False), (4, True), (9, True)]
    modes: list[tuple[Literal["all", "one_main", "none"], Band]] = [
        ("all", "stationary"),
        ("one_main", "combat"),
        ("none", "cruising"),
    ]
    for (name, band), size in product(modes, range(4)):
        mode = fire_mode(ORDINARY, band)
        for guns in product(kinds, repeat=size):
            ordnance = sum(is_ordnance for _, is_ordnance in guns)
            if name == "none":
                legal = not guns
            elif ordnance:
                legal = ordnance == 1 and len(guns) == 1
            else:
                legal = name == "all" or sum(strength >= 5 for strength, _ in guns) <= 1
            assert (refuse_weapons_together(mode, guns) is None) == legal


@pytest.mark.clause("V5-FIRE-2", "V5-FIRE-5", "V5-ORD-1")
def test_refused_sets_say_what_would_do() -> None:
    combat = fire_mode(ORDINARY, "combat")
    assert refuse_weapons_together(combat, [(9, False), (4, False), (4, False)]) is None
    two = refuse_weapons_together(combat, [(9, False), (9, False), (4, False)])
    assert two is not None
    assert "one main weapon" in two.reason
    assert "S9, S9" in two.reason
    beside = refuse_weapons_together(combat, [(8, True), (4, False)])
    assert beside is not None
    assert beside.clause == "V5-ORD-1"


@pytest.mark.clause("V5-DEF-1")
def test_strength_four_is_the_last_defensive_one() -> None:
    assert [strength for strength in range(1, 11) if is_defensive(strength)] == [1, 2, 3, 4]


@pytest.mark.clause("V5-FIRE-0")
def test_one_target_for_all_guns() -> None:
    assert refuse_targets([]) is None
    assert refuse_targets(["unit1", "unit1"]) is None
    refused = refuse_targets(["unit1", "unit2", "unit1"])
    assert refused is not None
    assert refused.reason.endswith("named were unit1, unit2")


@pytest.mark.clause("V5-ORD-3", "V5-ORD-4", "V5-CORE-3")
def test_minimum_range_is_for_barrages() -> None:
    howitzer, mortar = weapon("Siege howitzer"), weapon("Mortar")
    assert refuse_range(howitzer, 10) is None
    near = refuse_range(howitzer, 10, as_barrage=True)
    assert near is not None
    assert near.clause == "V5-ORD-4"
    assert "36 inches at least" in near.reason
    assert refuse_range(howitzer, 36, as_barrage=True) is None
    lobbed = refuse_range(mortar, 11, as_barrage=True)
    assert lobbed is not None
    assert lobbed.clause == "V5-CORE-3"
    direct = refuse_range(mortar, 11)
    assert direct is not None
    assert "12 inches at least" in direct.reason
    assert [is_barrage(howitzer, chosen) for chosen in (False, True)] == [False, True]
    assert is_barrage(mortar, False)
    assert not is_barrage(weapon("Lascannon"), False)


@pytest.mark.clause("V5-CORE-1", "V5-ORD-4")
def test_range_and_what_can_be_lobbed() -> None:
    far = refuse_range(weapon("Lascannon"), 48.5)
    assert far is not None
    assert far.reason == "Lascannon reaches 48 inches; the target is 48.5 away"
    assert refuse_range(weapon("Lascannon"), 48) is None
    assert refuse_range(weapon("Heavy flamer"), 3) is None  # templates have no range but their length
    gun = WeaponUse("Battle cannon", 8, ordnance=True)
    direct = refuse_fire(Situation(TANK, Condition(weapons=(gun.name,)), weapons=(gun,)), (gun,), (gun,))
    assert direct is not None
    assert "cannot be fired as a barrage" in direct.reason


@pytest.mark.clause("V5-CORE-21")
@pytest.mark.parametrize(
    ("name", "standing", "moving", "charges"),
    [
        ("Lascannon", 1, 0, False),
        ("Heavy bolter", 3, 0, False),
        ("Storm bolter", 2, 2, True),
        ("Meltagun", 1, 1, True),
        ("Bolt pistol", 1, 1, True),
        ("Bolter", 2, 2, False),
        ("Battle cannon", 0, 0, False),
        ("Krak grenade", 0, 0, True),
        ("Power fist", 0, 0, True),
    ],
)
def test_weapons_on_foot(name: str, standing: int, moving: int, charges: bool) -> None:
    gun = weapon(name)
    assert shots_on_foot(gun, 12, False) == standing
    assert shots_on_foot(gun, 12, True) == moving
    assert (refuse_weapon_on_foot(gun, True) is None) == bool(moving)
    assert (refuse_charge_after(gun) is None) == charges


@pytest.mark.clause("V5-CORE-21")
def test_rapid_fire_twice_close_by_and_once_further_off() -> None:
    assert [shots_on_foot(weapon("Bolter"), inches, False) for inches in (1, 12, 12.5, 24, 24.5)] == [2, 2, 1, 1, 0]


@pytest.mark.clause("V5-CORE-21")
def test_who_counts_as_moving_fires_rapid_fire_weapons_close_by_unless_players_say_otherwise() -> None:
    distances, full = (1, 12, 12.5, 22, 24.5), Rulings(rapid_fire_moved="full")
    assert [shots_on_foot(weapon("Bolter"), inches, True) for inches in distances] == [2, 2, 0, 0, 0]
    assert [shots_on_foot(weapon("Bolter"), inches, True, full) for inches in distances] == [2, 2, 1, 1, 0]
    assert shots_on_foot(weapon("Storm bolter"), 22, True) == 2  # an assault weapon
    refused = refuse_rapid_fire(weapon("Bolter"), 22, True)
    assert refused is not None
    assert "reaches 12 inches for a soldier that counts as moving; the target is 22 away" in refused.reason
