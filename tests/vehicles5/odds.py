"""Odds and conditions as tests compare them."""

from __future__ import annotations

from msgspec.structs import replace

from battletape.odds import Odds
from battletape.procedure import odds_of
from battletape.rulesets.vehicles5.rules.damage import Condition
from battletape.rulesets.vehicles5.rules.shooting import Shot, roll_shot
from battletape.rulesets.vehicles5.rules.traits import DamageRow
from battletape.rulesets.vehicles5.rulings import Rulings


def results_of(shot: Shot) -> Odds[DamageRow]:
    """The odds of what one shot comes to, “none” where there is no damage roll."""
    return odds_of(roll_shot, shot).project(lambda row: row or "none")


def ruled(condition: Condition, rulings: Rulings) -> Condition:
    """A vehicle whose damage is counted by these rulings."""
    return replace(condition, in_batch=rulings.volley_order == "batch")


def plain(condition: Condition) -> Condition:
    """A condition, whatever ruling it was counted by."""
    return replace(condition, in_batch=False)
