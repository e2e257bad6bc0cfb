"""How the measures of a battle are seen in its state, before and after an action."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from battletape.rulesets.deathwatch import RULESET
from battletape.rulesets.deathwatch.battle.state import CarriedWeapon, Fighter, Mob, State, Unit
from battletape.rulesets.deathwatch.rules.traits import DEAD
from battletape.table.points import Point
from battletape.tape.script import Script

WALKS = ("MoveOrder", "WalkOrder")
"""The inputs of walking, whose attacks are those of enemies left behind."""
MOST_ROWS = 10


def walks(order: Any) -> bool:
    return type(order).__name__ in WALKS


def aimed_at(before: State, order: Any) -> Unit:
    """Return the unit an action is aimed at: the one that walks, the target, or the first that fire reaches."""
    if walks(order):
        return before.find(order.unit)
    if order.target.strip():
        return before.find(order.target)
    rules = RULESET.battle
    assert rules is not None
    cards = [action for action in rules.actions if action.inputs is type(order)]
    plans = [rules.plan(action, before, order) for action in cards if rules.why_not(action, before, order) is None]
    action = next(work for plan in plans if (work := plan.begin.on(Script())))
    return before.find(action.main_target)


def left(unit: Unit) -> int:
    """Return Magnitude, or wounds left; below zero the critical damage, also of the dead."""
    if isinstance(unit, Mob):
        return unit.magnitude
    return unit.health if unit.health > DEAD else unit.health - DEAD


def of_target(read: Callable[[Any, Any], Any]) -> Callable[[State, Any, State], Any]:
    """Return a reader of the unit that an action is aimed at, before and after."""
    return lambda before, order, after: read(
        was := aimed_at(before, order), next(unit for unit in after.units if unit.name == was.name)
    )


def damage(was: Unit, now: Unit) -> int:
    return left(was) - left(now)


def row(was: Unit, now: Unit) -> Any:
    if isinstance(now, Mob):
        return NotImplemented
    if now.by_spot:
        return NotImplemented  # the row is that of the last place that was hit
    return min(MOST_ROWS, max(0, -left(now)))


def stunned(was: Unit, now: Unit) -> int:
    if isinstance(was, Mob) or isinstance(now, Mob) or now.is_dead:
        return 0
    return max(0, now.conditions.stunned - was.conditions.stunned)


def of_weapons(changed: Callable[[CarriedWeapon, CarriedWeapon], bool]) -> Callable[[State, Any, State], Any]:
    """Return a reader of a change of a weapon of the attacker."""

    def read(before: State, order: Any, after: State) -> int:
        own = before.find(order.unit).name
        return int(
            any(
                changed(was, now)
                for fighter, after_fighter in zip(before.fighters, after.fighters, strict=False)
                if (fighter.name != own) == walks(order)
                for was, now in zip(fighter.weapons, after_fighter.weapons, strict=True)
            )
        )

    return read


def pinned_in(state: State) -> set[str]:
    mobs = {mob.name for mob in state.mobs if mob.pinned}
    return {fighter.name for fighter in state.fighters if fighter.conditions.pinned} | mobs


def pinned(before: State, order: Any, after: State) -> int:
    return len(pinned_in(after) - pinned_in(before))


def opponent_of(before: State, order: Any) -> Fighter:
    actor = before.fighter(order.unit)
    return before.fighter(getattr(order, "target", "") or actor.grappled_with)


def of_trial(read: Callable[[Fighter, Fighter, Fighter, Fighter, str], Any]) -> Callable[[State, Any, State], Any]:
    """Return a reader of both sides of a trial, before and after."""

    def seen(before: State, order: Any, after: State) -> Any:
        actor, opponent = before.fighter(order.unit), opponent_of(before, order)
        return read(actor, after.fighter(actor.name), opponent, after.fighter(opponent.name), order.what)

    return seen


def won(actor: Fighter, actor_after: Fighter, was: Fighter, now: Fighter, what: str) -> Any:
    signs = {
        "feint": actor_after.fooled_enemy == now.name,
        "knock_down": now.conditions.prone,
        "throw_down": now.conditions.prone,
        "escape": not actor_after.grappled_with,
    }
    unclear = (now.is_out or was.conditions.prone) and what in ("knock_down", "throw_down")
    if what not in signs or unclear or actor.fooled_enemy == now.name:
        return NotImplemented
    return int(signs[what])


def trial_won(before: State, order: Any, after: State) -> Any:
    if order.what in ("manoeuvre", "push"):
        pushed = opponent_of(before, order)
        return int(before.at(pushed) != after.at(pushed))
    return of_trial(won)(before, order, after)


def thrown(actor: Fighter, actor_after: Fighter, was: Fighter, now: Fighter, what: str) -> Any:
    falls_by_itself = now.is_out or was.conditions.prone  # the worn out fall, and the prone cannot fall
    return NotImplemented if falls_by_itself else int(now.conditions.prone)


def of_actor(read: Callable[[Fighter, Any], Any]) -> Callable[[State, Any, State], int]:
    """Return a reader of the acting unit, afterwards."""
    return lambda before, order, after: int(bool(read(after.fighter(before.find(order.unit).name), order)))


def leapt(before: State, order: Any, after: State) -> Any:
    unit = before.find(order.unit)
    if not order.towards and before.at(unit) == Point(order.x, order.y):
        return NotImplemented  # to where it is
    return int(before.at(unit) != after.at(unit))


SEEN: dict[str, Callable[[State, Any, State], Any]] = {
    "damage": of_target(damage),
    "dead": of_target(lambda was, now: int(now.is_dead)),
    "critical_row": of_target(row),
    "stunned": of_target(stunned),
    "jammed": of_weapons(lambda was, now: now.jammed > was.jammed),
    "overheated": of_weapons(lambda was, now: now.overheated_until > was.overheated_until),
    "weapon_destroyed": of_weapons(lambda was, now: now.destroyed > was.destroyed),
    "pinned": pinned,
    "won": trial_won,
    "thrown_down": of_trial(thrown),
    "attacker_prone": of_trial(
        lambda actor, actor_after, *_: NotImplemented if actor.conditions.prone else actor_after.conditions.prone
    ),
    "contest.dead": of_trial(lambda actor, actor_after, was, now, what: int(now.is_dead)),
    "grapple.dead": of_trial(lambda actor, actor_after, was, now, what: int(now.is_dead)),
    "end_turn.dead": lambda before, order, after: sum(unit.is_dead for unit in after.units),
    "cleared": of_actor(lambda actor, order: not actor.weapon_named(order.weapon).jammed),
    "leap.done": leapt,
    "put_out.done": of_actor(lambda actor, order: not actor.conditions.on_fire),
    "break_free.done": of_actor(lambda actor, order: not actor.conditions.immobilised),
    "act_delayed.done": lambda before, order, after: int(after.interrupt == before.find(order.unit).name),
    "treat.done": lambda before, order, after: int(
        not after.fighter(order.target or before.find(order.unit).name).conditions.blood_loss
    ),
}
UNSEEN = {
    "hits": "a hit that is evaded or stopped leaves no trace",
    "landed": "a hit that armour stops leaves no trace",
    "use_skill.done": "what a skill means is for the players to say",
}
