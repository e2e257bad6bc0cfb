"""A whole battle, move by move: `python -m tests.second_edition.causeway` writes golden/causeway.battle again.

Four turns with typed dice: a jam and its clearing, a weapon lost to a misfire, a cloud that drifts, a plasma ball that
shrinks and swells, flames that are beaten out, a template, and a force weapon.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from battletape._version import VERSION
from battletape.battle import Battle
from battletape.tape.script import Script

FILE = Path(__file__).parent / "golden" / "causeway.battle"
START = tomllib.loads((Path(__file__).parent / "causeway.toml").read_text(encoding="utf-8"))
"""Two squads a side on an open table; the sample of earlier versions."""


def do(battle: Battle, action: str, *dice: Any, **params: Any) -> None:
    """An action with typed dice, all of which must be used."""
    tape = Script(*dice)
    battle.push(action, tape=tape, **params)
    assert tape.used_up, (action, params, tape.left)


def causeway() -> Battle:
    """A battle of four turns."""
    battle = Battle.new("second_edition", START, title="The causeway")
    harbour_opens(battle)
    marsh_answers(battle)
    harbour_clears(battle)
    marsh_strikes(battle)
    harbour_scatters(battle)
    marsh_jams(battle)
    harbour_ends(battle)
    marsh_ends(battle)
    return battle


def harbour_opens(battle: Battle) -> None:
    """Turn 1 of Harbour: the flamer comes near, the heavy bolter jams, the frag missile goes off on its bearer."""
    do(battle, "move", unit="Levy 6", x=12, y=12.4)
    do(battle, "move_unit", unit="Gunners", heading=350, far=2)
    do(battle, "end_phase")
    do(battle, "volley", 6, 4, 2, 1, 4, 2, unit="Levy", weapon="Lasgun", target="Gang", cover="soft")
    burst = {"unit": "Gunners 1", "weapon": "Heavy bolter", "target": "Gang 2"}
    do(battle, "burst", 5, 2, "jam", 2, "Gang 3", 1, 3, **burst)
    do(
        battle,
        "blast",
        1,
        "hit",
        "misfire",
        1,
        1,
        1,
        unit="Gunners 2",
        weapon="Missile launcher, frag",
        target="Gang 2",
    )
    do(battle, "blast", 3, 1, unit="Gunners 3", weapon="Missile launcher, plasma", target="Matron")
    do(battle, "template", "over Gang 4, heading 4.47", 1, 5, 2, unit="Levy 6", weapon="Flamer", target="Gang 4")
    do(battle, "hold_fire", unit="Levy 5", weapon="Grenade launcher, frag")
    do(battle, "end_turn")


def marsh_answers(battle: Battle) -> None:
    """Turn 1 of Marsh: the ball shrinks on the Matron, the flames are beaten out, and smoke goes up."""
    do(battle, "test_marker", 3, marker="Plasma ball 1")
    do(battle, "marker_harm", 1, marker="Plasma ball 1")
    do(battle, "fire_test", 2, 1, 45, unit="Gang 4")
    do(battle, "beat_out", 5, unit="Gang 4", helpers=["Gang 5", "Gang 2"])
    do(battle, "move", unit="Matron", x=27.6, y=13.2)
    do(battle, "end_phase")
    do(battle, "end_phase")
    do(battle, "end_phase")


def harbour_clears(battle: Battle) -> None:
    """Turn 2 of Harbour: the ball swells where it lies, and the heavy bolter is cleared."""
    do(battle, "test_marker", 6, 4, marker="Plasma ball 1")
    do(battle, "marker_harm", 5, 3, 4, marker="Plasma ball 1")
    do(battle, "move", unit="Gunners 1", x=27.8, y=11.0)
    do(battle, "end_phase")
    do(battle, "clear_jam", unit="Gunners 1", weapon="Heavy bolter")
    do(battle, "ground", 6, 5, 2, unit="Levy 5", weapon="Grenade launcher, frag", x=14, y=18)
    do(battle, "grenade", 1, "arrow", "misfire", unit="Levy 6", weapon="Frag grenade", target="Gang 5")
    do(battle, "end_turn")


def marsh_strikes(battle: Battle) -> None:
    """Turn 2 of Marsh: smoke, a shot with the plasma pistol, and the Matron's sword."""
    do(battle, "move", unit="Matron", x=27.7, y=12.1)
    do(battle, "end_phase")
    do(battle, "ground", 2, "hit", 4, unit="Gang 5", weapon="Smoke grenade", x=11.0, y=15.0)
    do(battle, "burst", 4, 1, 2, 1, unit="Matron", weapon="Plasma pistol", target="Gunners 3")
    do(battle, "end_phase")
    do(battle, "strike", 2, 2, unit="Matron", weapon="Force sword", target="Gunners 1", hits=2)
    do(battle, "end_turn")


def harbour_scatters(battle: Battle) -> None:
    """Turn 3 of Harbour: the smoke drifts, and a grenade from the launcher with it."""
    do(battle, "test_marker", 6, 5, 200, marker="Cloud 2")
    do(battle, "end_phase")
    launcher = {"unit": "Levy 5", "weapon": "Grenade launcher, frag", "target": "Gang 2"}
    do(battle, "blast", 2, "arrow", 2, 270, 6, 5, 1, **launcher)
    do(battle, "end_turn")


def marsh_jams(battle: Battle) -> None:
    """Turn 3 of Marsh: the smoke is about to go, and the heavy stubber jams."""
    do(battle, "test_marker", 1, marker="Cloud 2")
    do(battle, "end_phase")
    do(battle, "burst", 5, 1, "jam", unit="Gang 4", weapon="Heavy stubber", target="Levy 6")
    do(battle, "end_turn")


def harbour_ends(battle: Battle) -> None:
    """Turn 4 of Harbour: a volley that is taken back, and another."""
    do(battle, "end_phase")
    do(battle, "volley", 1, 1, 1, 1, unit="Levy", weapon="Lasgun", target="Gang")
    battle.pop()
    do(battle, "volley", 5, 3, 1, 4, 3, 2, unit="Levy", weapon="Lasgun", target="Gang", modifier=-1)
    do(battle, "end_turn")


def marsh_ends(battle: Battle) -> None:
    """Turn 4 of Marsh: the heavy stubber is cleared."""
    do(battle, "end_phase")
    do(battle, "clear_jam", unit="Gang 4", weapon="Heavy stubber")
    do(battle, "end_turn")


def as_file() -> str:
    """The battle as its file, which says that an early version began it: a version of the day would go stale."""
    return causeway().text.replace(f"version: {VERSION}", "version: 0.1.0", 1)


if __name__ == "__main__":
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(as_file(), encoding="utf-8")
