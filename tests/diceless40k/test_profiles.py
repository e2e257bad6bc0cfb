"""The profiles: ours fit together and use every special rule; bad ones are told."""

from __future__ import annotations

from pathlib import Path

import pytest

from battletape.procedure import find_keyword
from battletape.profiles import BadProfiles
from battletape.rulesets.diceless40k.profiles.book import book, modes
from battletape.rulesets.diceless40k.profiles.types import UnitProfile, VehicleProfile
from battletape.rulesets.diceless40k.rules.characteristics import MODEL_RULES, POWERS, VEHICLE_RULES, groups_of
from battletape.rulesets.diceless40k.rules.keywords import KEYWORDS, WEAPON_RULES

BOOK = book()
UNITS: list[UnitProfile] = list(BOOK.entries["unit"].values())
VEHICLES: list[VehicleProfile] = list(BOOK.entries["vehicle"].values())


def test_every_special_rule_is_some_bodys():
    units = {rule for unit in UNITS for rule in (*unit.rules, *(rule for group in unit.groups for rule in group.rules))}
    assert units == set(MODEL_RULES)
    assert {power for unit in UNITS for power in unit.powers} == set(POWERS)
    assert {rule for vehicle in VEHICLES for rule in vehicle.rules} == set(VEHICLE_RULES)
    assert {
        find_keyword(rule, KEYWORDS).name for weapon in BOOK.entries["weapon"].values() for rule in weapon.rules
    } == set(WEAPON_RULES)


def test_every_weapon_is_carried():
    carried = {name.lower() for unit in UNITS for group in groups_of(unit) for name in group.weapons}
    carried |= {name.lower() for vehicle in VEHICLES for name in vehicle.weapons}
    idle = [
        weapon.name
        for weapon in BOOK.entries["weapon"].values()
        if weapon.name.lower() not in carried and weapon.mode_of.lower() not in carried
    ]
    assert idle == []


def test_every_type_of_unit_and_vehicle_is_there():
    assert {unit.type for unit in UNITS} == {
        "infantry",
        "jump_infantry",
        "bike",
        "jetbike",
        "beast",
        "cavalry",
        "monstrous_creature",
        "artillery",
    }
    assert {kind for vehicle in VEHICLES for kind in vehicle.types} == {
        "tank",
        "fast",
        "skimmer",
        "open_topped",
        "walker",
    }


@pytest.mark.clause("DL-6.4")
@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_every_unit_makes_groups_with_hit_points(unit: UnitProfile):
    groups = groups_of(unit)
    assert len({group.name for group in groups}) == len(groups)
    assert all(group.hp >= 20 and group.models for group in groups)


@pytest.mark.clause("DL-30.3")
def test_a_weapon_with_several_kinds_of_ammunition():
    assert [way.name for way in modes(BOOK, "missile launcher")] == ["Krak missile", "Frag missile"]
    assert [way.name for way in modes(BOOK, "Bolter")] == ["Bolter"]


GUN = '[[weapon]]\nname = "Gun"\n'


@pytest.mark.clause("DL-6.4")
@pytest.mark.parametrize(
    ("text", "told"),
    [
        (GUN + 'range = 24\nrules = ["poisoned"]', "poisoned needs a number from 2 to 6 in brackets"),
        (GUN + 'range = 24\nstrength = 4\nrules = ["twin_linkd"]', "'twin_linkd'. Did you mean 'twin_linked'?"),
        (GUN + "range = 24", "weapon 'Gun' must have a strength"),
        (GUN + "strength = 4", "must have a range, unless it is a template"),
        (GUN + 'type = "melee"\nap = 3', "must have no range, AP or marker"),
        (GUN + 'type = "ordnance"\nstrength = 8\nrange = 24', "must have a large blast"),
        ('[[unit]]\nname = "A"\nweapons = ["Boltr"]', "weapon 'Boltr', which is not known; did you mean 'Bolter'?"),
        ('[[unit]]\nname = "A"\nrules = ["brave"]', "rule 'brave', which is not known; known are acute_senses"),
        ('[[unit]]\nname = "A"\nguns = 2', "must have guns if it is artillery, and none if it is not"),
        ('[[unit]]\nname = "A"\ntype = "walker"', "walkers are vehicles here"),
        ('[[unit]]\nname = "A"\ngroups = [{ models = 2 }]', "must give each of its groups a name of its own"),
        ('[[unit]]\nname = "A"\ngroups = [{ name = "A" }]', "must give each of its groups a name of its own"),
        ('[[unit]]\nname = "A"\nweapons = ["Smite"]', "must have the rule 'psyker'"),
        ('[[unit]]\nname = "A"\npowers = ["null_zon"]', "did you mean 'null_zone'?"),
        ('[[unit]]\nname = "A"\narmour = 1', "2+ to 6+"),
        ('[[vehicle]]\nname = "V"\ntypes = ["hover"]', "type 'hover', which is not known"),
        ('[[vehicle]]\nname = "V"\nws = 4', "is no walker and must have no ws"),
        ('[[vehicle]]\nname = "V"\ntypes = ["walker"]\nws = 4', "is a walker and must have ws, strength"),
        ('[[vehicle]]\nname = "V"\nfront = 15', "from 10 to 14"),
    ],
)  # fmt: skip
def test_a_bad_profile_is_told(tmp_path: Path, text: str, told: str):
    file = tmp_path / "own.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(BadProfiles) as raised:
        assert book((str(file),)).entries
    assert told in str(raised.value)


def test_a_players_own_unit_is_found(tmp_path: Path):
    file = tmp_path / "own.toml"
    file.write_text('[[unit]]\nname = "Ours"\nweapons = ["missile launcher", "bolter"]', encoding="utf-8")
    assert book((str(file),)).find("unit", "ours").models == 5
