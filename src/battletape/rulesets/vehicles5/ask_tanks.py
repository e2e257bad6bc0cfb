"""What a player can ask about big guns and hulls used as weapons: ordnance, tank_shock and ram."""

from __future__ import annotations

from battletape.rulesets.vehicles5.ask_ordnance import ORDNANCE
from battletape.rulesets.vehicles5.ask_ramming import RAM
from battletape.rulesets.vehicles5.ask_tank_shock import TANK_SHOCK

__all__ = ["ORDNANCE", "QUESTIONS", "RAM", "TANK_SHOCK"]

QUESTIONS = (ORDNANCE, TANK_SHOCK, RAM)
