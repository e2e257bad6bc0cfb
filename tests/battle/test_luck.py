"""The luck of moves and sides: what was due, what came, by exact odds or by rolls."""

from __future__ import annotations

import csv
import io
import json
from fractions import Fraction

import pytest

from battletape.battle import Battle, luck, report
from battletape.tape.typed import Typed

SHOT = {"unit": "Storm wardens", "weapon": "Storm carbine", "target": "Hill raiders", "distance": 18}


@pytest.fixture
def battle():
    """A battle with one shot that goes well, and one that was taken back."""
    begun = Battle.new("attack_dice")
    begun.push("start")
    begun.push("attack", SHOT, tape=3)
    begun.pop()
    begun.push("attack", SHOT, tape=Typed(["12 hits", "0 saves"]))
    return begun


def test_luck_is_the_share_that_is_worse(battle):
    (one,) = luck.move_lucks(battle)
    odds = battle.fork(1).odds("attack", SHOT).odds("casualties")
    assert (one.move, one.side, one.measure, one.rolls) == (3, "North", "casualties", 0)
    assert one.due == odds.mean
    assert one.came == 5
    assert one.luck == odds.chance(lambda n: n < 5) + odds.chance(lambda n: n == 5) / 2
    (north,) = luck.side_lucks([one])
    assert (north.side, north.moves, north.luck) == ("North", 1, one.luck)


def test_what_is_too_large_is_estimated_and_says_so(battle, monkeypatch):
    (exact,) = luck.move_lucks(battle)
    monkeypatch.setattr(luck, "BRANCHES", 1)
    estimates = list(luck.move_lucks(Battle.fork(battle)))
    assert all(one.rolls in (0, luck.ROLLS) for one in estimates)
    assert abs(estimates[0].due - exact.due) < Fraction(1, 2)


def test_exports_have_it_if_asked(battle):
    assert "Luck: 50 % is what is to be expected" in report.log_text(battle, luck=True)
    assert "Luck:" not in report.log_text(battle)
    told = json.loads(report.to_json(battle, luck=True))["luck"]
    assert told["moves"][0]["by"] == "exact odds"
    assert told["sides"][0]["side"] == "North"
    rows = list(csv.DictReader(io.StringIO(report.to_csv(battle, luck=True))))
    assert [row["came"] for row in rows if row["came"]] == ["5.0"]
    assert "luck" not in report.to_csv(battle).split("\n")[0]


@pytest.mark.parametrize("system", ["attack_dice", "vehicles5", "diceless40k", "second_edition", "deathwatch"])
def test_every_system_tells_luck_or_has_none(system):
    battle = Battle.new(system)
    for step in range(30):
        legal = battle.legal()
        wanted = [option for option in legal if option.action.measures and not option.action.aside] or legal
        if not wanted:
            break
        battle.push(wanted[step * 7 % len(wanted)], tape=step)
    for one in luck.move_lucks(battle):
        assert 0 <= one.luck <= 1
        assert one.side
