"""The 31 actions of the book: their costs, the battle actions that play them, turns and initiative."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

from battletape.rulebook import D10, Reading, Refused, Tape, UnknownName, cites, clause, labelled
from battletape.rulesets.deathwatch.rules.conditions import TurnAllowance
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings
from battletape.rulesets.deathwatch.tables.sheet import SHEET, Cost

Spent: TypeAlias = Literal["Half", "Full", "Reaction", "Free"]


class ActionRow(NamedTuple):
    """An action as the table prints it, and where a battle has it."""

    name: str
    cost: Cost
    subtypes: tuple[str, ...]
    played_by: str
    """The battle action; reactions are chosen within attacks, when one hits."""

    @property
    def clause(self) -> str:
        """The clause of the action, made of its name."""
        return "DW-ACT-" + self.name.upper().replace("/", "-").replace(" ", "-")


ACTIONS = tuple(ActionRow(name, *printed) for name, printed in SHEET.actions.items())
cites("DW-ACT-00", "DW-ACT-FOCUS-POWER", where=f"{__name__}.ACTIONS")
COST_OUTSIDE_TABLE: dict[str, Spent] = {
    "Clear a Jam": "Full",
    "Put out Flames": "Full",
    "Break Free": "Full",
    "Drop Prone": "Half",
}
"""Costs of actions outside the table, with a section of their own."""
USUAL_COST: dict[str, Spent] = {"Reload": "Full", "Use a Skill": "Full"}
"""Usual costs of actions with a cost that varies; others are Half Actions."""
_EXTRA = {name.lower(): cost for name, cost in COST_OUTSIDE_TABLE.items()}
_ROWS = {row.name.lower(): row for row in ACTIONS}


@clause("DW-ACT-00")
def find_action(name: str) -> ActionRow:
    """Return an action of the table, in any case; raise UnknownName with the nearest."""
    action = _ROWS.get(name.strip().lower())
    if action is None:
        raise UnknownName("action", name, [row.name for row in ACTIONS], clause="DW-ACT-00")
    return action


@lru_cache(256)  # asked for every action that could be done
@clause("DW-ACT-00", "DW-ECON-1")
def cost_of(written: str) -> Spent:
    """Return what an action costs, written as in the table or with its use: Aim (full), Use a Skill (half)."""
    name, _, use = written.partition(" (")
    if name.strip().lower() in _EXTRA:
        return _EXTRA[name.strip().lower()]
    row, wanted = find_action(name), use.rstrip(") ").lower()
    costs: dict[str, Spent] = {"half": "Half", "full": "Full", "free": "Free"}
    if row.cost == "Half/Full" or row.cost == "Varies":
        return costs.get(wanted) or USUAL_COST.get(row.name, "Half")
    return "Full" if wanted == "full" else row.cost  # getting up after some critical wounds


HALF_ACTIONS_WORTH: dict[Spent, int] = {"Half": 1, "Full": 2, "Free": 0, "Reaction": 0}
HALF_ACTIONS_A_TURN = 2  # Half Actions worth
SAME_HALF_ACTION_TWICE = "same Half Action twice"
REPEATABLE = "ready"
"""May be both Half Actions of a turn: one weapon is put away, and another drawn."""


def worth(actions: Sequence[str]) -> int:
    """Return Half Actions worth of all these."""
    return sum(HALF_ACTIONS_WORTH[cost_of(action)] for action in actions)


@clause("DW-ECON-1", "DW-ECON-2")
def refuse_turn(actions: Sequence[str], rulings: Rulings = DEFAULT) -> Refused | None:
    """Refuse a turn with all these actions, named as in the table: Aim (half), Standard Attack."""
    named = (action.strip().lower() for action in actions if cost_of(action) == "Half")
    halves = [name.removesuffix("(half)").strip() for name in named]
    once = [name for name in halves if name != REPEATABLE]
    if len(set(once)) < len(once) and worth(actions) <= HALF_ACTIONS_A_TURN:
        return Refused(SAME_HALF_ACTION_TWICE, "DW-ECON-2", "economy")
    if worth(actions) > HALF_ACTIONS_A_TURN:
        return Refused("more than one Full Action worth", "DW-ECON-1", "economy")
    if rulings.half_actions == "one_attack" and sum(is_attack(action) for action in actions) > 1:
        return Refused("more than one Attack action", "DW-ECON-2", "economy")
    return None


def is_attack(name: str) -> bool:
    """Return whether an action is an Attack by its subtypes."""
    plain = name.partition(" (")[0]
    return plain not in COST_OUTSIDE_TABLE and "Attack" in find_action(plain).subtypes


@clause("DW-ECON-1", "DW-ECON-2", "DW-PIN-1", "DW-STUN-1")
def refuse_cost(
    name: str, used: Sequence[str], action: str, allowed: TurnAllowance, rulings: Rulings = DEFAULT
) -> Refused | None:
    """Refuse an action that a turn with these actions has no room for."""
    cost = cost_of(action)
    if allowed.reason and not (allowed.full or allowed.half_actions):
        return Refused(f"{name} can do nothing: {allowed.reason}", allowed.clause, "condition")
    if cost == "Free":
        return None
    if cost == "Full" and not allowed.full:
        reason = f"{action} is a Full Action, and for {name} {allowed.reason}"
        return Refused(f"{reason}; a Half Action would do", allowed.clause, "condition")
    most = min(HALF_ACTIONS_A_TURN, allowed.half_actions or HALF_ACTIONS_A_TURN)
    if worth([*used, action]) > most < HALF_ACTIONS_A_TURN:
        done = ", ".join(used)
        return Refused(f"{name} has done {done}: {allowed.reason}; end the turn", allowed.clause, "condition")
    if refused := refuse_turn([*used, action], rulings):
        reason = f"{name} has done {', '.join(used)} this turn, and {action} besides is {refused.reason}"
        would = "; another Half Action would do" if refused.reason == SAME_HALF_ACTION_TWICE else "; end the turn"
        return Refused(reason + would, refused.clause, refused.kind)
    return None


@clause("DW-ECON-1")
def initiative(tape: Tape, name: str, agility: int) -> int:
    """Roll a d10 and add the Agility bonus."""
    return int(tape.roll(D10, label=labelled(name, "initiative"))) + agility


def rank(initiative: int, agility: int, name: str) -> tuple[int, int, str]:
    """Return a key that sorts by initiative, then by Agility bonus, then by name."""
    return -initiative, -agility, name


@clause("DW-ECON-1")
def first_of(tape: Tape, name: str, other: str, ahead: int) -> str:
    """Roll which of two acts first; `ahead` is how much higher the first one's Agility bonus is."""
    lead = initiative(tape, name, ahead)
    if not 1 <= lead <= 10:  # the other roll cannot change it
        return name if lead > 10 else other
    return str(tape.roll(D10, _faster(lead, ahead, name, other), label=labelled(other, "initiative"), by="defender"))


@lru_cache(512)
def _faster(lead: int, lead_of_name: int, name: str, other: str) -> Reading:
    """Read the second d10 of an initiative as the name that acts first."""
    first = {roll: name if rank(lead, lead_of_name, name) < rank(roll, 0, other) else other for roll in D10.faces}
    text = f"more than {name}" if first[lead] == name else f"as much as {name}, or more"
    return Reading(first.__getitem__, text, {winner: f"{winner} goes first" for winner in (name, other)})
