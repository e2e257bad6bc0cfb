"""The README of the system names the decision of every ruling, and its file of sides begins a battle."""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files

from battletape.battle import Battle
from battletape.rulesets.vehicles5.battle.start import GroundStart, SideStart, SquadStart, Start, VehicleStart
from battletape.rulesets.vehicles5.profiles.types import UnitProfile, VehicleProfile
from battletape.rulesets.vehicles5.rulings import Rulings

TEXT = (files("battletape.rulesets.vehicles5") / "README.md").read_text(encoding="utf-8")
ROWS = {
    line.split("|")[1].strip(): [cell.strip() for cell in line.split("|")[2:-1]]
    for line in TEXT.splitlines()
    if line.startswith("| `")
}


def test_every_ruling_names_its_decision():
    decisions = {cells[-1] for name, cells in ROWS.items() if name.strip("`") in Rulings.__struct_fields__}
    assert all(decision == "ours" or decision.startswith("D-") for decision in decisions)
    assert len(decisions - {"ours"}) == 38


def test_the_sides_file_begins_a_battle():
    (example,) = re.findall(r"```toml\n(.*?)```", TEXT, re.S)
    battle = Battle.new("vehicles5", tomllib.loads(example)).state
    assert [one.name for one in battle.vehicles] == ["Anvil", "Barrow", "Crate"]
    assert [(one.name, one.models, battle.transport_of(one.name)) for one in battle.squads] == [
        ("Sappers", 5, "Barrow"),
        ("Company", 6, ""),
        ("Watch", 10, ""),
    ]
    assert [gun.label for gun in battle.vehicle("Crate").guns] == ["Long gun", "left coil"]
    assert len(battle.field.terrain) == 2


def test_the_sides_file_names_every_key_there_is():
    for shape in (VehicleStart, SquadStart, GroundStart, Start, SideStart):
        for name in (
            set(shape.__struct_fields__) - set(VehicleProfile.__struct_fields__) - set(UnitProfile.__struct_fields__)
        ):
            assert f"`{name}`" in TEXT or f"\n{name} = " in TEXT or f"[[{name}]]" in TEXT or f".{name}]]" in TEXT, name
