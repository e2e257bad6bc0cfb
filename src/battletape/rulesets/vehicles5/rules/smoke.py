"""Smoke launchers: when they may be set off, how long the smoke hangs, and the save it gives."""

from __future__ import annotations

from battletape.clauses import clause
from battletape.errors import Refused
from battletape.rulesets.vehicles5.rules.movement import Situation, refuse_phase
from battletape.rulesets.vehicles5.rules.traits import Phase
from battletape.rulesets.vehicles5.rulings import DEFAULT, Rulings

SAVE = 4


@clause("V5-SMOKE-1", "V5-WALK-4")
def refuse_smoke(now: Situation, at_once: bool = True) -> Refused | None:
    """Why a vehicle may not set off its smoke, at once or after its move."""
    if not now.smoke_launchers:
        return Refused("this vehicle has no smoke launchers", "V5-SMOKE-1", "launchers")
    if now.smoke_used or now.smoke_this_turn:
        return Refused("smoke works once in a game, and this vehicle has used it", "V5-SMOKE-1", "used")
    if now.condition.is_destroyed:
        return Refused(f"a {now.condition.status} vehicle has no crew to set off smoke", "V5-SMOKE-1", "destroyed")
    if now.phase == "movement":
        if now.moved or now.stands or not at_once:
            return None
        reason = "smoke is set off when the move is over or the vehicle is declared stationary; it is neither yet"
        return Refused(reason, "V5-SMOKE-1", "early")
    if not (now.phase == "shooting" and now.traits.walker and now.ran):
        deed = "smoke, but for that of a walker that ran, is set off"
        return refuse_phase(deed, now.phase, "movement", by="V5-SMOKE-1")
    if now.rules.walker_smoke_time == "move_only":
        return Refused("a walker sets off smoke after its move by the ruling walker_smoke_time", "V5-WALK-4", "phase")
    return None


@clause("V5-SMOKE-3")
def smoke_is_active(triggered: int, now: tuple[int, Phase]) -> bool:
    """Whether smoke hangs: to the end of the enemy's next Shooting phase."""
    turn, phase = now
    return turn == triggered or (turn == triggered + 1 and phase != "assault")


@clause("V5-SMOKE-3")
def smoke_save(other: int | None = None, rules: Rulings = DEFAULT) -> int | None:
    """The cover save of a vehicle in smoke that has this other cover, if any."""
    if rules.smoke_cover == "bonus":
        return None if other is None else max(2, other - SAVE)  # no save is better than 2+
    return SAVE if other is None else min(SAVE, other)


@clause("V5-SMOKE-2")
def refuse_passengers_in_smoke(smoke_this_turn: bool, rules: Rulings = DEFAULT) -> Refused | None:
    """Why smoke stops passengers from shooting, by a ruling."""
    if not smoke_this_turn or not rules.smoke_stops_passengers:
        return None
    reason = "the vehicle set off smoke this turn, and by the ruling smoke_stops_passengers nobody fires from it"
    return Refused(reason, "V5-SMOKE-2", "smoke")
