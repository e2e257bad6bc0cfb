"""The walk of one attack: how many files a shot passes, rolled or in a battle, and that both pass the same stages."""

from __future__ import annotations

import re
import sys
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from battletape.battle import Battle
from battletape.rulesets import deathwatch
from battletape.rulesets.deathwatch import RULESET
from battletape.rulesets.deathwatch.rules import damage, wounds
from battletape.rulesets.deathwatch.rules.attack import exchange, results, stages
from battletape.rulesets.deathwatch.rules.qualities import effects
from tests.architecture.test_walk import walk

HOME = Path(deathwatch.__path__[0])
IN_A_ROLL = 15
IN_AN_ACTION = 20
SEEDS = range(12)
EXAMPLE = dict(next(question for question in RULESET.questions if question.name == "shoot").example)
CHOSEN = {"weapon": "Astartes Bolter (Godwyn)", "bs": 50, "mode": "semi", "target": "Raider", "dodge": 30}
LEADER = {**EXAMPLE, "target": "Warlord Gharn", "wounds": 15, "damage": "2d10+18", "reaction": "dodge"}
"""Somebody with a name shoots at somebody with a name, who dodges, and whom most hits bring to a critical row."""
POISON = ["Toxic", "Concussive"]
SHOTS: dict[str, tuple[dict[str, Any], int]] = {
    "the example of the question": (EXAMPLE, IN_A_ROLL),
    "numbers of one's own": ({**CHOSEN, "reaction": "dodge"}, IN_A_ROLL),
    "a leader and critical rows": (LEADER, IN_A_ROLL),
    "who is not trained, at somebody prone": ({**LEADER, "attacker": "Raider", "prone": True}, IN_A_ROLL),
    "poison and a shock wave": ({**LEADER, "qualities": POISON}, IN_A_ROLL + 1),  # qualities/effects.py
    "a blast that may miss": ({**LEADER, "mode": "single", "qualities": ["Blast (2)"]}, IN_A_ROLL + 1),  # blasts.py
    "behind sandbags": ({**LEADER, "cover": "sandbags"}, IN_A_ROLL + 1),  # tables/sheet.py
    "all of that": ({**LEADER, "mode": "single", "qualities": [*POISON, "Blast (2)"], "cover": "sandbags"}, 18),
}
FIGHTS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "numbers of one's own": ({"bs": 80}, {"wounds": 30, "dodge": 40}),
    "named": ({"profile": "Brother Cato", "weapons": ["Astartes Bolter (Godwyn)"]}, {"profile": "Warlord Gharn"}),
    "critical rows": ({"bs": 80, "damage": "2d10+18"}, {"profile": "Warlord Gharn", "wounds": 4}),
    "poison and critical rows": ({"bs": 80, "qualities": POISON}, {"wounds": 12, "toughness": 30, "dodge": 30}),
    "poison, heat and critical rows": ({"bs": 80, "qualities": [*POISON, "Overheats"]}, {"wounds": 12, "cover": "6"}),
}


def battle(of: str = "numbers of one's own") -> Battle:
    """Two fighters, the first to act with a gun in hand."""
    own, foe = FIGHTS[of]
    gun = {"name": "gun", "kind": "Pistol", "range": 50, "damage": "1d10+9", "clip": 9, "semi": 2}
    gun |= {key: own[key] for key in ("damage", "qualities") if key in own}
    mine = {key: value for key, value in own.items() if key not in gun}
    who = {"name": "A", "initiative": 9, "arsenal": [gun], "weapons": ["gun"], **mine}
    other = {"name": "B", "initiative": 8, "y": 20, **foe}
    return Battle.new(RULESET, {"sides": [{"name": "us", "fighters": [who]}, {"name": "them", "fighters": [other]}]})


def fire(one: Battle, seed: int) -> Any:
    """A burst, with the log that tells it."""
    return one.tell(one.push("shoot", target="B", mode="semi", tape=seed).number)


def rolled(seed: int, given: dict[str, Any]) -> Any:
    """A shot of the question, with its log; another distance is read anew."""
    return RULESET.roll("shoot", seed=seed, **{**given, "distance": 31 + seed}).log


def called(run: Any) -> set[Any]:
    """The code of every function of the ruleset that a run calls with a tape: what asks for dice or choices."""
    passed = set()

    def note(frame: FrameType, event: str, argument: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_varnames[:1] == ("tape",) and Path(code.co_filename).is_relative_to(HOME):
            passed.add(code)

    sys.setprofile(note)
    try:
        run()
    finally:
        sys.setprofile(None)
    return passed


@pytest.mark.clause("DW-PIPE-1")
@pytest.mark.parametrize("shot", SHOTS)
def test_a_rolled_shot_passes_few_files(shot: str):
    given, most = SHOTS[shot]
    walks = [walk("deathwatch", partial(rolled, seed, given)) for seed in SEEDS]
    assert max(map(len, walks)) == most, f"it passes {', '.join(max(walks, key=len))}"
    if given.get("target") == "Warlord Gharn":
        assert any(re.search(r", row \d", str(rolled(seed, given))) for seed in SEEDS)


@pytest.mark.clause("DW-PIPE-1")
@pytest.mark.parametrize("fight", FIGHTS)
def test_a_shot_in_a_battle_passes_few_files(fight: str):
    told = []
    for seed in range(24):
        one = battle(fight)
        files = walk("deathwatch", lambda one=one, seed=seed: told.append(str(fire(one, seed))))
        assert len(files) <= IN_AN_ACTION, f"with seed {seed} it passes {', '.join(files)}"
    assert any(re.search(r", row \d", text) for text in told) == ("critical rows" in fight)


@pytest.mark.clause("DW-PIPE-1")
def test_both_pass_the_same_stages():
    """From the declaration to the last wound and what qualities do after it."""
    given = {**CHOSEN, "reaction": "dodge", "qualities": POISON, "damage": "1d10+9", "minion": False, "wounds": 16}
    asked = called(lambda: [rolled(seed, given) for seed in range(24)])
    played = called(lambda: [fire(battle("poison and critical rows"), seed) for seed in range(24)])
    every = (
        *(exchange.next_attack, *stages.ROLL, stages.evade, stages.dodge, stages.set_places),
        *(
            exchange.take_hits,
            exchange.suffer_hits,
            wounds.strike,
            wounds.reach,
            wounds.wound,
            damage.raw,
            damage.roll_dice,
        ),
        *(wounds.hurt, wounds.suffer, effects.poison, effects.sicken, wounds.follow, effects.shake),
    )
    assert {stage.__code__ for stage in every} <= asked & played
    more = {"see_what_follows", "end_blow", "choose_reaction", "place_one", "side_of"}
    assert {code.co_name for code in asked - played} == set()
    assert {code.co_name for code in played - asked} <= more  # clouds left behind, who was shot at, left or right


@pytest.mark.clause("DW-PIPE-1", "DW-HPIPE-1", "DW-SUPP-2")
def test_the_stages_of_an_attack_are_told_between_their_dice():
    log = RULESET.roll("suppress", seed=1).log
    stages_told = list(dict.fromkeys(line.stage for line in log))
    assert stages_told == ["Add modifiers", "Roll to hit", "Land hits", "Keep heads down"]
    texts = [line.text for line in RULESET.roll("fight", seed=3, target="Brother Cato", action="standard").log]
    hits = [at for at, text in enumerate(texts) if text.endswith(" through")]
    damage = [at for at, text in enumerate(texts) if text.startswith("Damage")]
    assert all(at - 1 in damage for at in hits)
