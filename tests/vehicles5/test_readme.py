"""The README of the system names every ruling with its presets, and every question that can be asked."""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files

import pytest

from battletape.battle import Battle
from battletape.inputs import fields
from battletape.rulesets.vehicles5.battle.start import GroundStart, MachineStart, SideStart, SquadStart, Start
from battletape.rulesets.vehicles5.profiles.types import Unit, Vehicle
from battletape.rulesets.vehicles5.rulings import PRESETS, Rulings

TEXT = (files("battletape.rulesets.vehicles5") / "README.md").read_text(encoding="utf-8")
ROWS = {
    line.split("|")[1].strip(): [cell.strip() for cell in line.split("|")[2:-1]]
    for line in TEXT.splitlines()
    if line.startswith("| `")
}


@pytest.mark.parametrize("ruling", fields(Rulings), ids=lambda ruling: ruling.name)
def test_a_ruling_is_told_as_it_is(ruling):
    title, sheet, core5, others, clause, decision = ROWS[f"`{ruling.name}`"]
    default = ruling.show(ruling.default)
    assert (title, clause) == (ruling.title, ruling.clause)
    assert sheet.split(":")[0] == default
    assert decision == "ours" or decision.startswith("D-")
    changed = PRESETS["core5"].get(ruling.name, ruling.default)
    assert core5.strip("*").split(":")[0] == ("=" if changed == ruling.default else ruling.show(changed))
    told = f"{sheet} {core5} {others}"
    assert all(f"{value}: {words}" in told for value, words in ruling.alternatives)


def test_every_question_is_listed():
    questions = {name.strip("`") for name, cells in ROWS.items() if len(cells) == 1}
    assert questions == {
        *("shoot", "kill_time", "assault", "ordnance", "explosion", "tank_shock", "ram", "walker_fight"),
        *("dangerous_terrain", "what_may_it_do", "damage", "line_of_fire", "transport", "pinning"),
    }


def test_no_line_of_prose_is_endless():
    assert max(len(line) for line in TEXT.splitlines() if not line.startswith(("|", "- "))) <= 120


def test_the_sides_file_begins_a_battle():
    (example,) = re.findall(r"```toml\n(.*?)```", TEXT, re.S)
    field = Battle.new("vehicles5", tomllib.loads(example)).state
    assert [one.name for one in field.machines] == ["Anvil", "Barrow", "Crate"]
    assert [(one.name, len(one.models), one.aboard) for one in field.squads] == [
        ("Sappers", 5, "Barrow"),
        ("Company", 6, ""),
        ("Watch", 10, ""),
    ]
    assert [gun.label for gun in field.machine("Crate").guns] == ["Long gun", "left coil"]
    assert len(field.grounds) == 2


def test_the_sides_file_names_every_key_there_is():
    for shape in (MachineStart, SquadStart, GroundStart, Start, SideStart):
        for name in set(shape.__struct_fields__) - set(Vehicle.__struct_fields__) - set(Unit.__struct_fields__):
            assert f"`{name}`" in TEXT or f"\n{name} = " in TEXT or f"[[{name}]]" in TEXT or f".{name}]]" in TEXT, name
