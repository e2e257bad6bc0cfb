"""The README of the system names every decision and every chapter of the rules, and its walk is true."""

from __future__ import annotations

import re
from importlib import import_module
from importlib.resources import files
from pathlib import Path

import pytest

from battletape.inputs import fields
from battletape.rulesets.deathwatch.rulings import Rulings

PACKAGE = "battletape.rulesets.deathwatch"
HOME = Path(str(files(PACKAGE)))
TEXT = (HOME / "README.md").read_text(encoding="utf-8")
ROWS = {
    line.split("|")[1].strip(): [cell.strip() for cell in line.split("|")[2:-1]]
    for line in TEXT.splitlines()
    if line.startswith("| `")
}
ROOMS = {name for name in ROWS if "." in name or "/" in name}


def test_every_decision_that_no_switch_covers_has_a_ruling():
    decisions = {cells[-1] for cells in ROWS.values() if len(cells) == 7}
    assert decisions == {"switch", *(f"A{number}" for number in range(1, 45))}


def test_the_map_of_the_rooms_names_every_chapter_and_no_other():
    written = {file for names in ROOMS for file in re.findall(r"`([^`]+)`", names)}
    assert all((HOME / file).exists() for file in written)
    chapters = {f"rules/{file.name}" for file in (HOME / "rules").iterdir() if not file.name.startswith("_")}
    assert {file.rstrip("/") for file in written} >= chapters


def named(text: str) -> tuple[list[Path], list[str]]:
    """The files that a text names, of the system or of its tests, and its other names."""
    words = re.findall(r"`([^`]+)`", text)
    paths = [word for word in words if "/" in word or word.endswith((".py", ".toml"))]
    tests = Path(__file__).parent
    found = ((*HOME.glob(f"**/{path}"), tests / path, tests.parents[1] / path) for path in paths)
    there = [next((path for path in places if path.exists()), places[0]) for places in found]
    return there, [word for word in words if word not in paths]


def test_every_file_that_is_named_is_there():
    written, _ = named(TEXT[TEXT.index("## Where things are") :])
    assert len(written) > 60
    assert [path for path in written if not path.exists()] == []


WALK = TEXT[TEXT.index("### The walk of one attack") : TEXT.index("`tests/deathwatch/test_new_keyword.py`")]
STEPS = re.split(r"^[0-9]\. ", WALK, flags=re.MULTILINE)[1:]


@pytest.mark.parametrize("step", STEPS, ids=["declare", "roll", "damage", "made"])
def test_every_name_of_the_walk_is_in_a_file_that_its_step_names(step):
    written, names = named(step)
    homes = {f"{PACKAGE}.{'.'.join(path.relative_to(HOME).with_suffix('').parts)}" for path in written}
    own = {name: value for home in homes for name, value in vars(import_module(home)).items()}
    assert names
    for name in names:
        first, _, field = name.partition(".")
        assert getattr(own.get(first), "__module__", "") in homes, f"{name} is not in {', '.join(sorted(homes))}"
        assert not field or field in own[first].__struct_fields__


def test_every_ruling_that_is_recommended_exists():
    known = {given.name: given for given in fields(Rulings)}
    for name, value in re.findall(r"`(\w+)=(\w+)`", TEXT):
        assert value in dict(known[name].alternatives)
