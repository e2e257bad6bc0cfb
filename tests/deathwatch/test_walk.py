"""The walk of one attack: rolled or in a battle it passes the same stages, and each speaks between its dice."""

from __future__ import annotations

import sys
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from battletape.battle import Battle
from battletape.rulesets import deathwatch
from battletape.rulesets.deathwatch import RULESET
from battletape.rulesets.deathwatch.rules import damage, wounds
from battletape.rulesets.deathwatch.rules.attack import exchange, stages
from battletape.rulesets.deathwatch.rules.qualities import effects

RULES = Path(deathwatch.__path__[0]) / "rules"
CHOSEN = {"weapon": "Astartes Bolter (Godwyn)", "bs": 50, "mode": "semi", "target": "Raider", "dodge": 30}
POISON = ["Toxic", "Concussive"]
OWN, FOE = {"bs": 80, "qualities": POISON}, {"wounds": 12, "toughness": 30, "dodge": 30}


def battle() -> Battle:
    """Two fighters, the first to act with a gun in hand."""
    gun = {"name": "gun", "kind": "Pistol", "range": 50, "damage": "1d10+9", "clip": 9, "semi": 2}
    gun |= {key: OWN[key] for key in ("damage", "qualities") if key in OWN}
    mine = {key: value for key, value in OWN.items() if key not in gun}
    who = {"name": "A", "initiative": 9, "arsenal": [gun], "weapons": ["gun"], **mine}
    other = {"name": "B", "initiative": 8, "y": 20, **FOE}
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
        if event == "call" and code.co_varnames[:1] == ("tape",) and Path(code.co_filename).is_relative_to(RULES):
            passed.add(code)

    sys.setprofile(note)
    try:
        run()
    finally:
        sys.setprofile(None)
    return passed


@pytest.mark.clause("DW-PIPE-1")
def test_both_pass_the_same_stages():
    """From the declaration to the last wound and what qualities do after it."""
    given = {**CHOSEN, "reaction": "dodge", "qualities": POISON, "damage": "1d10+9", "minion": False, "wounds": 16}
    asked = called(lambda: [rolled(seed, given) for seed in range(24)])
    played = called(lambda: [fire(battle(), seed) for seed in range(24)])
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
    more = {"see_what_follows", "end_blow", "choose_reaction", "place_one", "side_of", "suffer_named"}
    assert {code.co_name for code in asked - played} == set()
    assert {code.co_name for code in played - asked} <= more  # clouds left behind, who was shot at, left or right


@pytest.mark.clause("DW-PIPE-1", "DW-HPIPE-1", "DW-SUPP-2")
def test_the_stages_of_an_attack_are_told_between_their_dice():
    log = RULESET.roll("suppress", seed=1).log
    stages_told = list(dict.fromkeys(line.stage for line in log))
    assert stages_told == ["Add modifiers", "Roll to hit", "Land hits", "Keep heads down"]
    texts = [line.text for line in RULESET.roll("fight", seed=3, target="Brother Cato", action="standard").log]
    order = [
        texts.index(next(text for text in texts if part in text)) for part in ("To hit", "Hits on", "Damage", " + ")
    ]
    assert order == sorted(order)
