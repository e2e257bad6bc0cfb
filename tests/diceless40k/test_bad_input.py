"""What the issue calls bad input, as players type it: a reason, a clause and what would do; the battle stays as it is.

Each is asked of a question or of a battle on the command line; `test_battle_refusals.py` asks the same from Python.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from battletape.cli.app import app
from battletape.errors import BadInput
from battletape.rulesets.diceless40k import RULESET

Says = Callable[..., str]
FILE = "battle.bt"
SIDES = """
[[sides]]
name = "Vigil"
units = [
    { name = "Squad", profile = "Combat squad" },
    { name = "Guns", profile = "Forge team" },
    { name = "Osric", profile = "Librarian Osric Vale" },
    { name = "Corven", profile = "Gate-walker Corven" },
]
vehicles = [
    { name = "Predator", profile = "Predator" },
    { name = "Walker", profile = "Dreadnought", weapons = ["Plasma gun"], arsenal = [
        { name = "Plasma gun", strength = 7, ap = 2, range = 24, rules = ["gets_hot"] },
    ] },
]

[[sides]]
name = "Horde"
units = [
    { name = "Boyz", profile = "Ork Boyz" },
    { name = "Zagnit", profile = "Weirdboy Zagnit" },
    { name = "Lobbas", profile = "Lobba battery" },
]
vehicles = [{ name = "Trukk", profile = "Trukk" }]
"""


@pytest.fixture
def says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Says:
    """What the program says to a command, in a folder with a battle of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")

    def run(*args: str, code: int = 0) -> str:
        result = CliRunner().invoke(app, list(args), prog_name="battletape")
        assert result.exit_code == code, result.output
        return re.sub(r"\s+", " ", result.output)

    Path("sides.toml").write_text(SIDES, encoding="utf-8")
    run("battle", "new", "diceless40k", "--sides", "sides.toml")
    return run


def refused(says: Says, told: str, clause: str, *command: str) -> None:
    """A command is answered with a sentence and a clause, and the battle is as it was."""
    before = Path(FILE).read_text(encoding="utf-8")
    answer = says(*command, code=2)
    assert told in answer
    assert f"({clause})" in answer
    assert Path(FILE).read_text(encoding="utf-8") == before


def shooting(says: Says, *sides: str) -> None:
    """Go on to the Shooting phase of Vigil, or of the Horde."""
    for _ in range(4 if "Horde" in sides else 1):
        says("battle", "do", "end_phase")


@pytest.mark.clause("DL-20.1")
def test_a_save_of_1_plus(says):
    told = "must be a save from 2+ to 6+, or none; got"
    refused(says, f"armour {told}", "DL-20.1", "odds", "diceless40k", "shoot", "--armour", "1+")
    shooting(says)
    refused(
        says,
        f"cover {told}",
        "DL-20.1",
        "battle",
        "do",
        "shoot",
        "unit=Squad",
        "target=Boyz",
        "distance=18",
        "cover=1+",
    )


@pytest.mark.clause("DL-30.5")
def test_a_seventh_token_on_one_blast_by_day(says):
    told = "7 tokens are used on one blast; 6 is the most by day"
    refused(says, told, "DL-30.5", "odds", "diceless40k", "blast", "--held", "10", "--tokens", "7")
    shooting(says, "Horde")
    lob = ("unit=Lobbas", "target=Squad", "distance=30", "hits=2,2,2")
    refused(says, told, "DL-30.5", "battle", "do", "shoot", *lob, "tokens=7")


@pytest.mark.clause("DL-30.5")
def test_a_scatter_token_that_is_not_held(says):
    told = "3 scatter tokens are used, and 2 are held; 2 is the most"
    refused(says, told, "DL-30.5", "odds", "diceless40k", "blast", "--held", "2", "--tokens", "3")
    shooting(says)
    fire = ("unit=Guns", "target=Boyz", "distance=30", "weapons=Plasma cannon", "hits=2")
    says("battle", "do", "shoot", *fire, "tokens=4", "hot_tokens=0")  # of the 6 that Guns, Osric and Corven gave them
    for _ in range(6):
        says("battle", "do", "end_phase")
    held = says("battle", "show")
    assert re.search(r"Horde 2 ", held), held
    refused(says, told, "DL-30.5", "battle", "do", "shoot", *fire, "tokens=3", "hot_tokens=0")


@pytest.mark.clause("DL-31.2")
def test_a_gets_hot_token_that_is_not_held_or_has_no_weapon(says):
    shooting(says)
    fire = ("battle", "do", "shoot", "unit=Guns", "target=Boyz", "distance=30", "weapons=Plasma cannon", "hits=2")
    told = "9 gets hot! tokens played, and 3 held; 1 is the most"
    refused(says, told, "DL-31.2", *fire, "hot_tokens=9")
    told = "2 gets hot! tokens played, and 1 of the weapons that fire get hot; one each"
    refused(says, told, "DL-31.2", *fire, "hot_tokens=2")
    says(*fire, "tokens=0", "hot_tokens=1")


@pytest.mark.clause("DL-31.1")
def test_a_gets_hot_token_on_the_weapon_of_a_vehicle(says):
    shooting(says)
    told = "gets hot! tokens cannot be played on the weapons of a vehicle unless the ruling hot_on_vehicles says so"
    fire = ("battle", "do", "shoot", "target=Boyz", "distance=20", "hot_tokens=1")
    refused(says, told, "DL-31.1", *fire, "unit=Walker")
    told = "1 gets hot! token played, and 0 of the weapons that fire get hot; one each"
    refused(says, told, "DL-31.2", *fire, "unit=Predator")


@pytest.mark.clause("DL-50.5")
def test_a_warp_token_that_is_not_held_and_a_second_one_in_a_player_turn(says):
    shooting(says)
    curse = ("battle", "do", "cast", "unit=Osric", "power=machine_curse", "target=Trukk", "distance=20")
    vortex = ("battle", "do", "cast", "unit=Corven", "power=Vortex", "target=Boyz", "distance=6", "hits=3", "tokens=0")
    says(*curse, "warp_token=play", "--answers", "accept")
    told = "one warp token may be played in a player turn, and it has been; the next one may in the next player turn"
    refused(says, told, "DL-50.5", *vortex, "warp_token=play")
    for turn in range(2):
        for _ in range(6):
            says("battle", "do", "end_phase")
        if not turn:
            says(*curse, "warp_token=play", "--answers", "accept")
    told = "no warp token is held, so none can be played; the test is taken as usual"
    refused(says, told, "DL-50.5", *vortex, "warp_token=play")


@pytest.mark.clause("DL-46.1")
def test_a_regroup_with_an_enemy_within_6_inches(says):
    told = 'an enemy stands 6" away; a unit regroups with no enemy within 6"'
    refused(says, told, "DL-46.1", "odds", "diceless40k", "regroup", "--enemy-inches", "6")


@pytest.mark.clause("DL-60.17")
def test_a_destroyed_weapon(says):
    says("battle", "do", "mark_line", "unit=Predator", "line=C", "dmg=36", "--answers", "Autocannon")
    for _ in range(7):
        says("battle", "do", "end_phase")
    told = "the Autocannon is destroyed; this vehicle may fire Lascannon, Hunter-killer missile"
    shot = ("unit=Predator", "target=Boyz", "distance=20", "weapons=Autocannon")
    refused(says, told, "DL-60.17", "battle", "do", "shoot", *shot)


@pytest.mark.clause("DL-60.7")
def test_a_line_g_of_table_4(says):
    told = "a vehicle's sheet has the lines A to F; got G"
    refused(says, told, "DL-60.7", "odds", "diceless40k", "repair", "--line", "G")
    refused(says, told, "DL-60.7", "battle", "do", "mark_line", "unit=Trukk", "line=G", "dmg=5")
    says("battle", "do", "mark_line", "unit=Predator", "line=C", "dmg=5")
    shooting(says)
    bless = ("battle", "do", "repair", "unit=Guns", "machine=Predator", "distance=0")
    refused(says, told, "DL-60.7", *bless, "line=G")
    refused(says, "line A of Predator holds no damage; C would do", "DL-SM-71.1", *bless, "line=A")


@pytest.mark.clause("DL-6.2", "DL-24.2")
def test_hit_points_below_0(says):
    told = "Lascannon gunner has 40 HP left, and hit points do not fall below 0; 40 is the most"
    refused(says, told, "DL-6.2", "battle", "do", "lose_hp", "unit=Squad", "group=Lascannon gunner", "hp=41")
    refused(
        says,
        "Lascannon gunner can get back 0 HP, what is recorded",
        "DL-24.2",
        *("battle", "do", "lose_hp", "unit=Squad", "group=Lascannon gunner", "hp=-1"),
    )
    told = "recorded must be a whole number from 0 to 1,000; got"
    refused(says, told, "DL-24.2", "odds", "diceless40k", "casualties", "--recorded", "-1")


@pytest.mark.clause("DL-60.16")
@pytest.mark.parametrize(("rows", "row", "box"), [("text", "penetrating", 5), ("sheet", "glancing", 6)])
def test_a_box_that_the_row_does_not_have_is_refused(rows, row, box):
    with pytest.raises(BadInput, match=f"the {row} row has the boxes 0 to 4 with rows={rows}; got {box}"):
        RULESET.ask("vehicle_hits", rows=rows, **{f"{row}_ticked": [box]})
