"""Profiles: ours fit together, the players' own are checked with a sentence each, and the rules read them rightly."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from battletape.errors import BadInput, UnknownName
from battletape.inputs import Inputs
from battletape.profiles import BadProfiles
from battletape.rulesets.vehicles5.profiles.book import (
    book,
    doors,
    find_fitting,
    fitting_mount,
    has_smoke,
    heavy_strikers,
    labels,
    modes,
    rules_of,
    traits_of,
    walker_weapons,
)
from battletape.rulesets.vehicles5.profiles.types import Fitting, UnitProfile, VehicleProfile, WeaponProfile
from battletape.rulesets.vehicles5.questions._inputs import (
    Gun,
    TargetInputs,
    fill_gun,
    fill_many,
    fill_targeted,
    fill_unit,
)
from battletape.rulesets.vehicles5.questions.assault import Attackers
from battletape.rulesets.vehicles5.questions.walker_fight import WalkerFightInputs, fill_walker
from battletape.rulesets.vehicles5.rules.keywords import BARRAGE, DREADNOUGHT_WEAPON, FEARLESS, ONE_SHOT, TEMPLATE
from battletape.rulesets.vehicles5.rules.traits import Traits
from battletape.rulesets.vehicles5.rulings import Rulings
from battletape.table.mounts import Mount, in_arc

BOOK = book()


def vehicle(name: str) -> VehicleProfile:
    found: VehicleProfile = BOOK.find("vehicle", name)
    return found


def weapon(name: str) -> WeaponProfile:
    found: WeaponProfile = BOOK.find("weapon", name)
    return found


def test_our_own_garage_loads_and_holds_every_kind() -> None:
    assert {kind: len(found) for kind, found in BOOK.entries.items()} == {"weapon": 41, "vehicle": 17, "unit": 12}
    kinds = {traits_of(vehicle.types) for vehicle in BOOK.entries["vehicle"].values()}
    wanted = {
        Traits(),
        Traits(tank=True),
        Traits(fast=True),
        Traits(fast=True, skimmer=True),
        Traits(skimmer=True, tank=True),
        Traits(fast=True, open_topped=True),
        Traits(walker=True),
        Traits(walker=True, open_topped=True),
    }
    assert wanted <= kinds
    for kind in BOOK.entries.values():
        for one in kind.values():
            hash(one)  # profiles stand in states of a battle


def test_the_numbers_of_well_known_weapons() -> None:
    known = {"Lascannon": (9, 2), "Krak missile": (8, 3), "Meltagun": (8, 1), "Autocannon": (7, 4), "Lasgun": (3, "-")}
    assert {name: (weapon(name).strength, weapon(name).ap) for name in known} == known
    assert (weapon("Demolisher cannon").strength, weapon("Demolisher cannon").type) == (10, "ordnance")
    assert weapon("Krak grenade").ap is None


def test_every_weapon_of_every_vehicle_and_unit_can_be_found() -> None:
    for one in BOOK.entries["vehicle"].values():
        for fitting in one.mounts:
            assert modes(BOOK, fitting.weapon)
            assert find_fitting(one, fitting.label or fitting.weapon) == fitting
        assert len(set(labels(one))) == len(one.mounts)
    for unit in BOOK.entries["unit"].values():
        assert all(modes(BOOK, carried.name) for carried in unit.weapons)


def test_a_launcher_has_the_modes_of_its_missiles() -> None:
    assert [one.name for one in modes(BOOK, "missile launcher")] == ["Frag missile", "Krak missile"]
    assert [one.name for one in modes(BOOK, "Lascannon")] == ["Lascannon"]
    with pytest.raises(UnknownName, match="Did you mean 'Lascannon'"):
        modes(BOOK, "Lazzcanon")


def test_a_weapon_the_vehicle_does_not_have_is_refused_with_those_it_has() -> None:
    with pytest.raises(UnknownName, match=r"'Lazzcanon' \(V5-DMG-3\). Did you mean 'Lascannon'\? Known: Battle cannon"):
        find_fitting(vehicle("Anvil battle tank"), "Lazzcanon")


@pytest.mark.clause("V5-LOS-1", "V5-LOS-2", "V5-LOS-3", "V5-LOS-4", "V5-LOS-5")
@pytest.mark.parametrize(
    ("fitting", "lo", "hi"),
    [
        (Fitting(mount="turret"), -180, 180),
        (Fitting(mount="hull"), -22.5, 22.5),
        (Fitting(mount="hull", direction=90), 67.5, 112.5),
        (Fitting(mount="sponson", arc=(-135, 0)), -135, 0),
        (Fitting(mount="pintle", on="turret"), -180, 180),
        (Fitting(mount="pintle", on="hull"), -22.5, 22.5),
        (Fitting(mount="pintle", on="hull", direction=-45), -67.5, -22.5),
        (Fitting(mount="pintle", on="hull", arc=(-90, 90)), -90, 90),
    ],
)
def test_arcs_by_the_place_of_the_weapon(fitting: Fitting, lo: float, hi: float) -> None:
    mount = fitting_mount(fitting)
    assert (mount.lo, mount.hi) == (lo, hi)


@pytest.mark.clause("V5-LOS-3")
def test_the_hull_arc_is_a_ruling() -> None:
    ahead = Fitting(mount="hull")
    assert in_arc(fitting_mount(ahead), 22.5)
    assert not in_arc(fitting_mount(ahead), 23)
    assert in_arc(fitting_mount(ahead, Rulings(hull_arc_degrees=90)), 45)


@pytest.mark.clause("V5-LOS-1")
def test_x_is_to_the_right_and_y_ahead() -> None:
    left = find_fitting(vehicle("Anvil battle tank"), "left bolter")
    assert fitting_mount(left) == Mount(-135, 0, ahead=0.5, right=-1.75, height=1.0)
    assert doors(vehicle("Barrow carrier")) == ((0.0, -1.5), (0.0, 1.5), (-2.25, 0.0))


def test_what_the_weapons_of_a_walker_are_called() -> None:
    ogre = vehicle("Twin-fisted ogre")
    assert labels(ogre) == ("Heavy flamer", "left fist", "right fist")
    assert labels(ogre, "arm") == ("left fist", "right fist")
    assert walker_weapons(ogre, BOOK) == ("left fist", "right fist")


def test_flags_of_special_rules() -> None:
    assert BARRAGE in weapon("Siege howitzer").rules
    assert TEMPLATE in weapon("Flamer").rules
    assert ONE_SHOT in weapon("Hunter missile").rules
    assert DREADNOUGHT_WEAPON in weapon("Dreadnought close combat weapon").rules
    assert rules_of(weapon("Siege howitzer")) == ("barrage", "ordnance")
    assert has_smoke(vehicle("Anvil battle tank"))
    assert not has_smoke(vehicle("Hay wain"))
    hounds: UnitProfile = BOOK.find("unit", "Marsh hounds")
    assert FEARLESS in hounds.rules


def test_an_unknown_type_is_refused_with_the_nearest() -> None:
    with pytest.raises(UnknownName, match="Did you mean 'skimmer'"):
        traits_of(["tank", "skimer"])


def test_fill_gun_takes_the_numbers_of_the_profile_and_keeps_the_players_own() -> None:
    filled = fill_gun({"weapon": "battle CANNON", "bs": 3, "ap": 2}, BOOK, Gun)
    assert filled == {
        "weapon": "Battle cannon",
        "strength": 8,
        "ap": 2,
        "shots": 1,
        "rules": ("ordnance",),
        "bs": 3,
    }
    assert fill_gun({"weapon": "Meltagun", "rules": "tank_hunters, melta"}, BOOK, Gun)["rules"] == (
        "melta",
        "tank_hunters",
    )
    assert fill_gun({"strength": 9}, BOOK, Gun) == {"strength": 9}


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Missile launcher", "one way to fire a Missile launcher: Frag missile or Krak missile"),
        ("Power fist", "got 'Power fist', which is for striking"),
        ("Lazzcanon", "Did you mean 'Lascannon'"),
    ],
)
def test_a_gun_that_cannot_be_fired_so(name: str, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        fill_gun({"weapon": name}, BOOK, Gun)


def test_fill_target_names_the_weapons_unless_the_player_gave_a_number() -> None:
    filled = fill_targeted({"vehicle": "hay wain"}, BOOK, TargetInputs)
    assert filled["weapon_names"] == ("Heavy stubber",)
    assert (filled["front"], filled["types"]) == (10, ("fast", "open_topped"))
    assert "weapon_names" not in fill_targeted({"vehicle": "Hay wain", "weapons": 2}, BOOK, TargetInputs)
    narrow = fill_targeted({"vehicle": "Anvil battle tank", "front": 12, "weapons": 1}, BOOK, Fitted)
    kept = {"vehicle": "Anvil battle tank", "front": 12, "length": 5.0}
    assert narrow == {**kept, "weapons": 1, "melee_weapons": ()}


class Fitted(Inputs, frozen=True):
    vehicle: str = ""
    front: int = 10
    length: float = 4.0


def test_fill_walker_and_unit() -> None:
    ogre = fill_walker({"walker": "twin-fisted ogre"}, BOOK)
    assert (ogre["ws"], ogre["strength"], ogre["attacks"], ogre["front"]) == (4, 6, 3, 13)
    assert ogre["dccw"] == ("left fist", "right fist")
    with pytest.raises(BadInput, match=r"got 'Hay wain', which is not one. Walkers: Warden strider, Twin-fisted ogre"):
        fill_walker({"walker": "Hay wain"}, BOOK)
    hounds = fill_unit({"foe": "marsh hounds", "foe_models": 3}, BOOK, WalkerFightInputs, "foe", "foe_")
    assert (hounds["foe"], hounds["foe_models"], hounds["foe_fearless"]) == ("Marsh hounds", 3, True)
    assert "foe_save" not in hounds  # they have none
    assert fill_unit({"models": 3}, BOOK, Attackers) == fill_walker({"models": 3}, BOOK) == {"models": 3}
    assert fill_targeted({"models": 3}, BOOK, TargetInputs) == {"models": 3}


@pytest.mark.parametrize(
    "entries",
    ["2 x Lascannon; weapon=Meltagun bs=4", ["2 x Lascannon", {"weapon": "Meltagun", "bs": "4"}]],
)
def test_a_bare_name_will_do_in_a_list(entries: Any) -> None:
    filled = fill_many({"guns": entries}, "guns", lambda one: fill_gun(one, BOOK, Gun), "weapon")["guns"]
    assert [(one["weapon"], one["strength"]) for one in filled] == [("Lascannon", 9), ("Meltagun", 8)]
    assert (filled[0]["models"], filled[1]["bs"]) == (2, "4")
    assert fill_many({"guns": "none"}, "guns", dict, "weapon") == {"guns": "none"}


WRONG = {
    'weapon|name = "A"\ntype = "ordnance"\nstrength = 8\nap = 3\nrange = 24': "is ordnance and must have a large blast",
    'weapon|name = "A"\ntype = "melee"\nstrength = 8': "must have a strength, unless its type is melee",
    'weapon|name = "A"\nstrength = 8': "must have an ap from 1 to 6",
    'weapon|name = "A"\nstrength = 8\nap = 3\nleast = 12': "which only a barrage has",
    'weapon|name = "A"\nstrength = 8\nap = 3\nrules = ["melto"]': "Did you mean 'melta'",
    'vehicle|name = "A"\ntypes = ["walker"]': "must have ws, strength, initiative and attacks if it is a walker",
    'vehicle|name = "A"\nws = 3': "none of them if it is not",
    'vehicle|name = "A"\ntypes = ["tnk"]': "Did you mean 'tank'",
    'vehicle|name = "A"\nupgrades = ["dozer"]': "Known: smoke_launchers",
    'vehicle|name = "A"\ncapacity = 10': "must have access points if it is a closed transport",
    'vehicle|name = "A"\nfire_points = 2': "which only a closed transport has",
    'vehicle|name = "A"\ncapacity = 5\naccess = [{ x = 9, y = 0 }]': "an access point outside its hull",
    'vehicle|name = "A"\nmounts = [{ weapon = "Lazzcanon" }]': "Did you mean 'Lascannon'",
    'vehicle|name = "A"\nmounts = [{ weapon = "Lascannon" }, { weapon = "Lascannon" }]': "give each a label",
    'vehicle|name = "A"\nmounts = [{ weapon = "Power fist" }]': "must have the mount arm",
    'vehicle|name = "A"\nmounts = [{ weapon = "Lascannon", mount = "sponson" }]': "is on a sponson and needs an arc",
    'vehicle|name = "A"\nmounts = [{ weapon = "Lascannon", arc = [90, 0] }]': "the smaller one first",
    'vehicle|name = "A"\nmounts = [{ weapon = "Lascannon", mount = "pintle" }]': "is on a pintle and needs on",
    'vehicle|name = "A"\nmounts = [{ weapon = "Lascannon", x = 5 }]': "is mounted outside or above the hull",
    'unit|name = "A"\ntwo_weapons = 6': "has 6 models with two weapons, but 5 models in all",
    'unit|name = "A"\nweapons = [{ name = "Bolter", models = 6 }]': "has 6 models with 'Bolter', but 5",
    'unit|name = "A"\nweapons = [{ name = "Bolterr" }]': "Did you mean 'Bolter'",
    'unit|name = "A"\ngrenades = ["Bolter"]': "carries 'Bolter', which is no grenade",
    'unit|name = "A"\nrules = ["fearles"]': "Did you mean 'fearless'",
    'vehicle|name = "A"\nfront = 15': "front must be a whole number from 10 to 14; got 15",
    'vehicle|name = "A"\nrear = 9': "rear must be a whole number from 10 to 14; got 9",
}


@pytest.mark.clause("V5-PEN-3")
@pytest.mark.parametrize(("entry", "words"), WRONG.items())
def test_a_players_file_is_checked_with_a_sentence(tmp_path: Path, entry: str, words: str) -> None:
    kind, _, keys = entry.partition("|")
    file = tmp_path / "mine.toml"
    file.write_text(f"[[{kind}]]\n{keys}\n", encoding="utf-8")
    with pytest.raises(BadProfiles) as raised:
        _ = book([str(file)]).entries
    assert len(raised.value.errors) == 1
    assert words in raised.value.errors[0]


def test_a_players_file_may_add_and_replace(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(
        '[[vehicle]]\nname = "Hay wain"\nfront = 11\n[[weapon]]\nname = "Slinger"\nstrength = 3\nap = "-"\n', "utf-8"
    )
    mine = book([str(file)])
    assert mine.find("vehicle", "Hay wain").front == 11
    assert mine.find("weapon", "slinger").ap == "-"
    assert vehicle("Hay wain").front == 10


def test_how_many_models_strike_with_a_weapon_that_doubles_their_strength() -> None:
    profiles = book()
    found = {name: heavy_strikers(unit, profiles) for name, unit in profiles.entries["unit"].items()}
    assert {name: number for name, number in found.items() if number} == {"Furnace blades": 1, "Vault wardens": 5}
