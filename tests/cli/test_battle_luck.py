"""`battletape battle luck`, and luck in exports and at the table."""

from __future__ import annotations

import json

from tests.battle.test_luck import SHOT


def test_the_command_shows_it(bt):
    bt("battle", "new", "attack_dice")
    assert "Nothing has been left to luck" in bt("battle", "luck").stdout
    bt("battle", "do", "start")
    bt("battle", "do", "attack", *(f"{name}={value}" for name, value in SHOT.items()), "--seed", "1")
    told = bt("battle", "luck").stdout
    assert "Storm wardens: attack" in told
    assert "North: luck" in told
    assert json.loads(bt("battle", "luck", "--json").stdout)["sides"][0]["side"] == "North"
    assert "due,came,luck,by" in bt("battle", "export", "csv", "--luck").stdout
    assert "North: luck" in bt("battle", "play", input="luck\n").stdout
