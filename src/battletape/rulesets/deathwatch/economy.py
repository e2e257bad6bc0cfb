"""What a turn holds: one Full Action, or two different Half Actions, and any Free Actions."""

from __future__ import annotations

from collections.abc import Sequence

from battletape.clauses import clause
from battletape.errors import Refused
from battletape.rulesets.deathwatch.actions import EXTRA, Spent, cost_of, find_action
from battletape.rulesets.deathwatch.conditions import Allowed
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings

WORTH: dict[Spent, int] = {"Half": 1, "Full": 2, "Free": 0, "Reaction": 0}
TURN = 2  # Half Actions worth
TWICE = "same Half Action twice"
TOO_MUCH = "more than one Full Action worth"
TWO_ATTACKS = "more than one Attack action"


def worth(actions: Sequence[str]) -> int:
    """Half Actions worth of all these."""
    return sum(WORTH[cost_of(one)] for one in actions)


@clause("DW-ECON-1", "DW-ECON-2")
def refuse_turn(actions: Sequence[str], rules: Rulings = DEFAULT) -> Refused | None:
    """Why a turn cannot hold all these actions, named as in the table: Aim (half), Standard Attack."""
    halves = [_plain(one) for one in actions if cost_of(one) == "Half"]
    if len(set(halves)) < len(halves) and worth(actions) <= TURN:
        return Refused(TWICE, "DW-ECON-2", "economy")
    if worth(actions) > TURN:
        return Refused(TOO_MUCH, "DW-ECON-1", "economy")
    if rules.half_actions == "one_attack" and sum(is_attack(one) for one in actions) > 1:
        return Refused(TWO_ATTACKS, "DW-ECON-2", "economy")
    return None


def _plain(name: str) -> str:
    return name.strip().lower().removesuffix("(half)").strip()


def is_attack(name: str) -> bool:
    """Whether an action is an Attack by its subtypes."""
    plain = name.partition(" (")[0]
    return plain not in EXTRA and "Attack" in find_action(plain).subtypes


@clause("DW-ECON-1", "DW-ECON-2", "DW-PIN-1", "DW-STUN-1")
def refuse_cost(
    who: str, used: Sequence[str], action: str, allowed: Allowed, rules: Rulings = DEFAULT
) -> Refused | None:
    """Why somebody who has done all this in his turn may not do this as well."""
    cost = cost_of(action)
    if allowed.reason and not (allowed.full or allowed.halves):
        return Refused(f"{who} can do nothing: {allowed.reason}", allowed.clause, "condition")
    if cost == "Free":
        return None
    if cost == "Full" and not allowed.full:
        reason = f"{action} is a Full Action, and for {who} {allowed.reason}"
        return Refused(f"{reason}; a Half Action would do", allowed.clause, "condition")
    most = min(TURN, allowed.halves or TURN)
    if worth([*used, action]) > most < TURN:
        done = ", ".join(used)
        return Refused(f"{who} has done {done}: {allowed.reason}; end the turn", allowed.clause, "condition")
    refused = refuse_turn([*used, action], rules)
    if refused is None:
        return None
    reason = f"{who} has done {', '.join(used)} this turn, and {action} besides is {refused.reason}"
    would = "; another Half Action would do" if refused.reason == TWICE else "; end the turn"
    return Refused(reason + would, refused.clause, refused.kind)
