"""A quality takes one row and one function: in a ruleset made for it, a copy of ours, it then works everywhere."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from battletape.battle import Battle
from battletape.rulesets import deathwatch
from battletape.system import Ruleset
from battletape.tape.script import Script

OURS = "battletape.rulesets.deathwatch"
FUNCTION = '''
@clause("DW-COND-FIRE")
def sear(tape: Tape, victim: Victim, hit: Hit, got: int) -> Victim:
    """A hit that wounds sets on fire."""
    burning = victim.conditions and replace(victim.conditions, on_fire=True)
    return replace(victim, conditions=burning)
'''
ROW = '    ("Searing", "", _acting(effects.sear, "on_fire"), "FLAME"),\n'
TOUGH = {"wounds": 500, "minion": False, "head": 0, "arm": 0, "body": 0, "leg": 0, "tb": 2}
"""Whoever is hurt lives, and no critical row burns."""


@pytest.fixture(scope="module")
def searing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ruleset]:
    """Our ruleset with the quality Searing."""
    folder = tmp_path_factory.mktemp("made") / "searing"
    shutil.copytree(Path(deathwatch.__path__[0]), folder, ignore=shutil.ignore_patterns("__pycache__"))
    for path in folder.rglob("*.py"):
        path.write_text(path.read_text(encoding="utf-8").replace(OURS, "searing"), encoding="utf-8")
    effects, keywords = folder / "rules/qualities/effects.py", folder / "rules/qualities/keywords.py"
    effects.write_text(effects.read_text(encoding="utf-8") + FUNCTION, encoding="utf-8")
    head, _, rows = keywords.read_text(encoding="utf-8").partition("\n    (")
    keywords.write_text(f"{head}\n{ROW}    ({rows}", encoding="utf-8")
    sys.path.insert(0, str(folder.parent))
    try:
        yield import_module("searing").RULESET
    finally:
        sys.path.remove(str(folder.parent))
        for name in [name for name in sys.modules if name.partition(".")[0] == "searing"]:
            del sys.modules[name]


@pytest.mark.clause("DW-COND-FIRE", "DW-QUAL-FLAME")
@pytest.mark.parametrize(
    ("question", "given"),
    [
        ("shoot", {"mode": "semi", "weapon": "Autogun"}),
        ("shoot", {"mode": "semi", "weapon": "Autogun", "shots": 2}),
        ("fight", {"weapon": "Astartes Combat Knife", "action": "swift", "talents": ["Swift Attack"]}),
        ("horde_attacks", {"horde": "Raider mob", "mode": "semi"}),
    ],
)
def test_a_searing_hit_that_hurts_sets_on_fire(searing: Ruleset, question: str, given: dict[str, Any]):
    answer = searing.ask(question, qualities=["Searing"], **given, **TOUGH)
    assert answer.tells("on_fire")  # unasked, for the weapon itself brings it about
    assert answer.odds("on_fire").chance(1) == answer.odds("hurt").chance(1) > 0
    plain = searing.ask(question, qualities=[], measures=["on_fire"], **given, **TOUGH)
    assert plain.odds("on_fire").chance(1) == 0
    assert plain.odds("damage").fractions() == answer.odds("damage").fractions()


@pytest.mark.clause("DW-COND-FIRE")
def test_it_may_be_chosen_for_and_fought_with(searing: Ruleset):
    modes = searing.ask("fire_mode", weapon="Autogun", distance=20, turns=1, qualities=["Searing"], **TOUGH)
    assert modes.odds("on_fire").chance(1) > 0
    sides = {"a_weapon": "Astartes Combat Knife", "b_weapon": "Astartes Combat Knife", "rounds": 2}
    seared, plain = (searing.ask("duel", a_qualities=names, **sides) for names in (["Searing"], []))
    assert seared.odds().fractions() == plain.odds().fractions()  # which does not follow who burns
    hit = searing.ask("hit", weapon="Autogun", qualities=["Searing"], body=0)
    assert hit.odds("on_fire").chance(1) == hit.odds("through").at_least(1) > 0
    told = searing.roll("hit", weapon="Autogun", qualities=["Searing", "Shocking"], body=0, tape=Script(10, 99)).log
    assert [line.text for line in told][-2:] == ["Rounds stunned: 3", "On fire"]


@pytest.mark.clause("DW-COND-FIRE")
@pytest.mark.parametrize(("action", "order"), [("shoot", {"weapon": "gun"}), ("strike", {"weapon": "blade"})])
def test_in_a_battle_too(searing: Ruleset, action: str, order: dict[str, Any]):
    alike = {"damage": "1d10+9", "qualities": ["Searing"]}
    gun = {"name": "gun", "kind": "Pistol", "range": 50, "clip": 9, **alike}
    blade = {"name": "blade", "kind": "Melee", "melee": True, **alike}
    who = {"name": "A", "initiative": 9, "weapons": ["gun", "blade"], "arsenal": [gun, blade]}
    foe = {"name": "B", "initiative": 8, "y": 1, "wounds": 90}
    sides = [{"name": "ours", "fighters": [who]}, {"name": "theirs", "fighters": [foe]}]
    battle = Battle.new(searing, {"sides": sides})
    battle.push(action, target="B", tape=Script(1, 5), **order)
    assert battle.state.fighter("B").conditions.on_fire
