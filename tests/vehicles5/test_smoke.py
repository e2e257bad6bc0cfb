"""Smoke: once a game, for two Shooting phases, and a save of 4+."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from battletape.errors import Refused
from battletape.rulesets.vehicles5.rules.damage import Condition
from battletape.rulesets.vehicles5.rules.movement import (
    Situation,
    refuse_passengers_in_smoke,
    refuse_smoke,
    smoke_is_active,
    smoke_save,
)
from battletape.rulesets.vehicles5.rules.traits import PHASES, Traits
from battletape.rulesets.vehicles5.rulings import Rulings


def asked(**changed: Any) -> Refused | None:
    given = {"traits": Traits(), "condition": Condition(), "smoke_launchers": True, "has_moved": True}
    return refuse_smoke(Situation(**{**given, "given_phase": "movement", **changed}))


@pytest.mark.clause("V5-SMOKE-1", "V5-WALK-4")
@pytest.mark.parametrize(
    ("changed", "word"),
    [
        ({}, ""),
        ({"has_moved": False, "will_not_move": True}, ""),
        ({"condition": Condition(shaken=True, stunned=True, immobilised=True)}, ""),
        ({"traits": Traits(fast=True, skimmer=True)}, ""),
        ({"traits": Traits(walker=True), "given_phase": "shooting", "ran": True, "has_moved": False}, ""),
        ({"smoke_launchers": False}, "no smoke launchers"),
        ({"smoke_used": True}, "once in a game"),
        ({"has_moved": False}, "when the move is over"),
        ({"given_phase": "shooting"}, "Shooting phase"),
        ({"given_phase": "shooting", "traits": Traits(walker=True)}, "Shooting phase"),
        ({"given_phase": "shooting", "ran": True}, "Shooting phase"),
        ({"given_phase": "assault", "traits": Traits(walker=True), "ran": True}, "Assault phase"),
        ({"condition": Condition(status="wrecked")}, "wrecked"),
    ],
)
def test_when_smoke_may_be_set_off(changed: dict[str, Any], word: str) -> None:
    refused = asked(**changed)
    assert (refused is None) == (not word)
    if refused is not None:
        assert word in refused.reason
        assert refused.clause == "V5-SMOKE-1"


@pytest.mark.clause("V5-WALK-4")
def test_smoke_after_a_run_is_a_ruling() -> None:
    after_run = {"traits": Traits(walker=True), "given_phase": "shooting", "ran": True}
    assert asked(**after_run, rulings=Rulings(walker_smoke_time="move_or_run")) is None
    refused = asked(**after_run, rulings=Rulings(walker_smoke_time="move_only"))
    assert refused is not None
    assert refused.clause == "V5-WALK-4"
    assert asked(traits=Traits(walker=True), rulings=Rulings(walker_smoke_time="move_only")) is None


@pytest.mark.clause("V5-SMOKE-3")
def test_smoke_hangs_until_the_enemy_has_shot() -> None:
    seen = [(turn, phase) for turn in range(4, 8) for phase in PHASES if smoke_is_active(5, (turn, phase))]
    assert seen == [(5, "movement"), (5, "shooting"), (5, "assault"), (6, "movement"), (6, "shooting")]


@pytest.mark.clause("V5-SMOKE-3")
@pytest.mark.parametrize(
    ("other", "save", "bonus"), [(None, 4, None), (6, 4, 2), (5, 4, 2), (4, 4, 2), (3, 3, 2), (2, 2, 2)]
)
def test_smoke_is_a_save_of_its_own_or_a_bonus_by_ruling(other: int | None, save: int, bonus: int | None) -> None:
    assert smoke_save(other) == save
    assert smoke_save(other, Rulings(smoke_cover="bonus")) == bonus


@pytest.mark.clause("V5-SMOKE-3")
def test_the_catalogues_lascannon_in_smoke() -> None:
    save = smoke_save()
    assert save is not None
    stopped = Fraction(7 - save, 6)
    assert stopped == Fraction(1, 2)
    assert 1 - Fraction(2, 3) * Fraction(4, 6) * (1 - stopped) == Fraction(7, 9)


@pytest.mark.clause("V5-SMOKE-2")
def test_passengers_fire_from_smoke_unless_agreed_otherwise() -> None:
    assert refuse_passengers_in_smoke(True) is None
    strict = Rulings(smoke_stops_passengers=True)
    assert refuse_passengers_in_smoke(False, strict) is None
    refused = refuse_passengers_in_smoke(True, strict)
    assert refused is not None
    assert refused.clause == "V5-SMOKE-2"
