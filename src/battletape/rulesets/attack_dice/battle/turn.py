"""Whose turn it is: who may act, who is next, and when a new turn begins or the battle is over."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from battletape.clauses import clause
from battletape.errors import Refused
from battletape.rulesets.attack_dice.battle.state import Field


@clause("AD-82")
def refuse_turn(field: Field, name: str) -> Refused | None:
    """Why this unit may not act now."""
    unit = field.squad(name)
    if field.phase == "before":
        return Refused("the game has not started; use start first", "AD-4")
    if unit.is_gone:
        return Refused(f"{unit.name} has no model left", "AD-80")
    if unit.side != field.active:
        return Refused(f"it is the turn of {field.active}; {unit.name} belongs to {unit.side}", "AD-82")
    if unit.activated:
        return Refused(f"{unit.name} has already been activated this turn", "AD-82")
    if field.acting and field.acting != unit.name:
        return Refused(f"{field.acting} is acting; end its activation first", "AD-82")
    return None


@clause("AD-80", "AD-82")
def settle(field: Field) -> Field:
    """What follows from losses: units that are gone leave Melees and transports, and the next side acts if need be."""
    alive = [one.melee for one in field.squads if one.melee and not one.is_gone]
    gone = {one.name for one in field.squads if one.is_gone}
    squads = [
        replace(
            one,
            melee="" if one.name in gone or alive.count(one.melee) < 2 else one.melee,
            aboard="" if one.name in gone or one.aboard in gone else one.aboard,
        )
        for one in field.squads
    ]
    after = replace(field.with_squads(*squads), acting="" if field.acting in gone else field.acting)
    return after if after.phase == "before" or _can_act(after) else pass_on(after)


def _can_act(field: Field) -> bool:
    """Whether the active side has a unit that may still act."""
    return any(one.side == field.active and not one.activated and not one.is_gone for one in field.squads)


@clause("AD-82")
def pass_on(field: Field) -> Field:
    """The next player's unit follows; when every unit has been activated a new turn begins."""
    waiting = {one.side for one in field.squads if not one.activated and not one.is_gone}
    at = field.sides.index(field.active)
    order = field.sides[at + 1 :] + field.sides[: at + 1]
    following = next((side for side in order if side in waiting), None)
    if following is not None:
        return replace(field, active=following, acting="")
    fresh = tuple(replace(one, activated=False, used=()) for one in field.squads)
    alive = {one.side for one in fresh if not one.is_gone}
    first = next((side for side in field.sides if side in alive), field.active)
    return replace(field, squads=fresh, active=first, acting="", turn=field.turn + 1)


def where(field: Field) -> Mapping[str, str]:
    """Turn, phase and whose turn it is."""
    phase = "before the game" if field.phase == "before" else f"{field.acting} acts" if field.acting else "activation"
    return {"turn": str(field.turn), "phase": phase, "side": field.active}


def over(field: Field) -> str | None:
    """Who has won: the only side with models left."""
    alive = [side for side in field.sides if any(one.side == side and not one.is_gone for one in field.squads)]
    return None if len(alive) > 1 else f"{alive[0]} holds the field" if alive else "Nobody is left"
