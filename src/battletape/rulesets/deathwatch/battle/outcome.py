"""What an action leaves behind: what it cost, what attacks did to everybody, and who is in melee with whom."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from battletape.clauses import clause
from battletape.rulesets.deathwatch.battle.state import Fighter, Held, Mob, State, Unit, is_adjacent
from battletape.rulesets.deathwatch.rules import guns
from battletape.rulesets.deathwatch.rules.actions import cost_of
from battletape.rulesets.deathwatch.rules.attack.exchange import Exchange, Foe
from battletape.rulesets.deathwatch.rules.attack.fighters import in_turn
from battletape.rulesets.deathwatch.rules.suppression import in_melee
from battletape.rulesets.deathwatch.rules.traits import Mode


@clause("DW-ECON-1", "DW-ACT-AIM", "DW-ACT-RELOAD", "DW-OVER-4")
def spend(state: State, name: str, action: str) -> State:
    """Note an action: aims, overwatch and reloads are lost by it, and a delay is used up."""
    unit = state.find(name)
    state = replace(state, entered=())
    if cost_of(action) == "Free":
        return state
    if isinstance(unit, Fighter):
        held = unit.held if action == "Reload" else tuple(replace(weapon, reload_done=0) for weapon in unit.held)
        unit = replace(unit, aim="none", overwatch=None, held=held)
    used = unit.used if state.interrupt else (*unit.used, action)
    return replace(state.changed(replace(unit, used=used)), interrupt="")


@clause("DW-EVA-1", "DW-ACT-AIM", "DW-OVER-4", "DW-COND-COHESION", "DW-QUAL-OVERHEATS", "DW-JAM-1", "DW-COVER-1")
def write_back(state: State, exchange: Exchange) -> State:
    """What attacks did to everybody and to their weapons."""
    for foe in exchange.foes:
        unit, down = state.find(foe.name), foe.name in exchange.down
        if isinstance(unit, Mob):
            left, shot = max(0, foe.victim.health), bool(exchange.hits) or unit.shot_at
            lost, pinned = unit.lost_since + unit.magnitude - left, unit.pinned or down
            state = state.changed(replace(unit, magnitude=left, lost_since=lost, shot_at=shot, pinned=pinned))
        else:
            state = state.changed(_hurt(unit, foe, down))
    for who, weapon, what in dict.fromkeys(exchange.marks):
        state = _marked(state, who, weapon, what)
    return replace(state, clouds=(*state.clouds, *exchange.clouds))


def _hurt(who: Fighter, foe: Foe, pinned: bool) -> Fighter:
    victim = foe.victim
    conditions = victim.conditions or who.conditions
    after = replace(
        who,
        health=victim.health,
        by_spot=victim.by_spot,
        conditions=replace(conditions, dropped=False, pinned=conditions.pinned or pinned),
        cover_ap=max(0, who.cover_ap - victim.worn),
        reactions_used=who.reactions_used + foe.reacted,
        shot_at=who.shot_at or foe.shot_at,
    )
    if foe.reacted or after.is_out:
        after = replace(after, aim="none", overwatch=None)
    for blade in in_turn(who)[: foe.parries_broken]:
        after = after.with_held(replace(blade, destroyed=True))
    if conditions.dropped and (held := next((weapon for weapon in after.held if weapon.in_hand), None)) is not None:
        after = after.with_held(replace(held, lies_at=(after.x, after.y)))
    return after


def _marked(state: State, who: str, weapon: str, what: str) -> State:
    unit = state.find(who)
    if what == "cohesion":
        left = tuple((side, max(0, n - 1) if side == unit.side else n) for side, n in state.cohesion)
        return replace(state, cohesion=left)
    if not isinstance(unit, Fighter) or not any(held.name == weapon for held in unit.held):
        return state
    changes: dict[str, dict[str, Any]] = {
        "jam": {"jammed": True},
        "overheat": {"overheated_until": state.round + 1},
        "dropped": {"lies_at": (unit.x, unit.y)},
        "broken": {"destroyed": True},
    }
    return state.changed(unit.with_held(replace(unit.carries(weapon), **changes[what])))


@clause("DW-COND-ENGAGED", "DW-PIN-3")
def engage(state: State, one: str, other: str) -> State:
    """Two come to blows, unless the other is out: nobody in melee stays pinned."""
    for name, foe in ((one, other), (other, one)) if not state.find(other).is_out else ():
        unit = state.find(name)
        fights = replace(unit, engaged_with=tuple(sorted({*unit.engaged_with, foe})))
        if isinstance(fights, Fighter):
            fights = replace(fights, conditions=in_melee(fights.conditions))
        else:
            fights = replace(fights, pinned=False)
        state = state.changed(fights)
    return state


@clause("DW-COND-ENGAGED", "DW-ACT-GRAPPLE")
def settle(state: State) -> State:
    """Nobody stays in melee or in a grapple with a unit that is out, has run or has gone away."""
    for unit in state.units:
        others = [] if unit.is_out else [state.find(name) for name in unit.engaged_with]
        stays = tuple(other.name for other in others if not other.is_out and is_adjacent(unit, other))
        if stays != unit.engaged_with:
            unit = replace(unit, engaged_with=stays)
        if isinstance(unit, Fighter) and unit.grappled_with and unit.grappled_with not in stays:
            unit = replace(unit, grappled_with="", controls=False)
        state = state.changed(unit)
    return state


@clause("DW-RWEP-00", "DW-QUAL-RECHARGE")
def emptied(state: State, who: Fighter, held: Held, mode: Mode) -> State:
    """Note the rounds of an attack."""
    spent = guns.rounds_used(held.fired, mode, held.clip, state.rules)
    return state.changed(who.with_held(replace(held, clip=max(0, held.clip - spent), fired_round=state.round)))


@clause("DW-ACT-BRACE-HEAVY-WEAPON")
def moved(unit: Unit, x: float, y: float, **cover: Any) -> Unit:
    """A unit at another place, behind other cover if it says so: nothing is braced."""
    if not isinstance(unit, Fighter):
        return replace(unit, x=x, y=y)
    return replace(unit, x=x, y=y, held=tuple(replace(weapon, braced=False) for weapon in unit.held), **cover)
