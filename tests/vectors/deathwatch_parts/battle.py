"""Actions and what a turn holds."""

from __future__ import annotations

from battletape.rulesets.deathwatch import actions, economy
from battletape.rulesets.deathwatch import movement as moving
from tests.vectors.deathwatch_parts import Given, is_legal, rules


def action(given: Given) -> Given:
    row = actions.find_action(given["name"])
    return {"type": row.cost, "subtypes": list(row.subtypes)}


def action_types(given: Given) -> Given:
    return {"count": len(actions.ACTIONS), "types": {row.name: row.cost for row in actions.ACTIONS}}


def turn_legal(given: Given) -> Given:
    refused = economy.refuse_turn(given["actions"], rules(given))
    return {"legal": is_legal(refused)} | ({"reason": refused.reason} if refused else {})


def aim_after_reaction(given: Given) -> Given:
    return {"aim_bonus": economy.aim_left(given["aim"], reacted=True)}


def delay(given: Given) -> Given:
    return {"action_lost": economy.held_action(given["used_before_next_turn"]).lost}


def leave_melee(given: Given) -> Given:
    enemies = given["enemies"]
    return {"with_disengage": moving.free_attacks(enemies, True), "without": moving.free_attacks(enemies, False)}
