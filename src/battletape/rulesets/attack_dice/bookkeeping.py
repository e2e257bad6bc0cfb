"""The other things a player may do: agree, start, end an activation, Melees, cover, transports, HP by hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Annotated, Any, Literal

from msgspec import Meta
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.errors import Refused, UnknownName
from battletape.inputs import Inputs, fields, parse_value
from battletape.rulesets.attack_dice.chronicle import tell_action
from battletape.rulesets.attack_dice.damage import all_hp
from battletape.rulesets.attack_dice.field import Field, pass_on, settle
from battletape.rulesets.attack_dice.rulings import Rulings
from battletape.system import at_once


class OneUnit(Inputs, frozen=True):
    """An action of one unit."""

    unit: str = ""


class TwoUnits(Inputs, frozen=True):
    """An action of one unit towards another."""

    unit: str = ""
    target: str = ""


class Cover(Inputs, frozen=True):
    """The cover a unit has."""

    unit: str = ""
    stat: Literal["defence", "armour"] = "defence"
    amount: Annotated[int, Meta(ge=0, le=15)] = 1


class HpChange(Inputs, frozen=True):
    """HP taken off or put back by hand."""

    unit: str = ""
    hp: Annotated[int, Meta(ge=1, le=100_000)] = 1


class Agreement(Inputs, frozen=True):
    """A setting of the game."""

    ruling: str = "method"
    value: str = "chart"


class Nothing(Inputs, frozen=True):
    """No parameters."""


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


@clause("AD-3", "AD-4")
def refuse_agreement(field: Field, order: Agreement) -> Refused | None:
    """Settings are agreed before the game and hold until it ends."""
    name, _ = _agreed(order)
    if field.phase == "running":
        now = getattr(field.rules, name)
        return Refused(f"{name} is {now} for the whole game; it cannot change once the game has started", "AD-4")
    return None


def _agreed(order: Agreement) -> tuple[str, Any]:
    """The ruling and the value that are meant; a name or value that nobody knows is a BadInput."""
    known = {one.name: one for one in fields(Rulings)}
    name = order.ruling.strip().lower().replace("-", "_")
    if name not in known:
        raise UnknownName("ruling", order.ruling, known)
    return name, parse_value(known[name], order.value)


def _agree(field: Field, order: Agreement) -> Field:
    name, value = _agreed(order)
    return replace(field, rules=replace(field.rules, **{name: value}))


def _agreements(field: Field) -> Iterable[Agreement]:
    return (Agreement(ruling=one.name, value=str(value)) for one in fields(Rulings) for value in one.choices)


@clause("AD-4")
def refuse_start(field: Field, order: Nothing) -> Refused | None:
    """A game starts once."""
    return Refused("the game has already started", "AD-4") if field.phase == "running" else None


def refuse_done(field: Field, order: OneUnit) -> Refused | None:
    """Only a unit of the active side ends its activation."""
    return refuse_turn(field, order.unit)


def _done(field: Field, order: OneUnit) -> Field:
    return pass_on(field.with_squads(replace(field.squad(order.unit), activated=True, used=())))


@clause("AD-56")
def refuse_engage(field: Field, order: TwoUnits) -> Refused | None:
    """Two living units of different sides can be locked in a Melee, unless both are in different ones."""
    unit, target = field.squad(order.unit), field.squad(order.target)
    if unit.is_gone or target.is_gone:
        return Refused("both units need a model left", "AD-80")
    if unit.side == target.side:
        return Refused(f"{unit.name} and {target.name} are on the same side", "AD-56")
    for one in (unit, target):
        if one.aboard:
            return Refused(f"{one.name} is aboard {one.aboard}; it must leave the transport first", "AD-65")
    if unit.melee and unit.melee == target.melee:
        return Refused(f"they are already in Melee {unit.melee}", "AD-56")
    if unit.melee and target.melee:
        return Refused(f"{unit.name} is in Melee {unit.melee}; it must leave that one first", "AD-56")
    return None


def _engage(field: Field, order: TwoUnits) -> Field:
    unit, target = field.squad(order.unit), field.squad(order.target)
    taken = {one.melee for one in field.squads}
    fresh = next(name for name in (f"M{number}" for number in range(1, len(field.squads) + 2)) if name not in taken)
    melee = unit.melee or target.melee or fresh
    return field.with_squads(replace(unit, melee=melee), replace(target, melee=melee))


def refuse_leave(field: Field, order: OneUnit) -> Refused | None:
    """Only a unit in a Melee leaves one."""
    unit = field.squad(order.unit)
    return None if unit.melee else Refused(f"{unit.name} is in no Melee", "AD-56")


def _leave(field: Field, order: OneUnit) -> Field:
    return settle(field.with_squads(replace(field.squad(order.unit), melee="")))


def refuse_cover(field: Field, order: Cover) -> Refused | None:
    """Any living unit may be in cover."""
    unit = field.squad(order.unit)
    return Refused(f"{unit.name} has no model left", "AD-80") if unit.is_gone else None


def _cover(field: Field, order: Cover) -> Field:
    return field.with_squads(replace(field.squad(order.unit), cover_stat=order.stat, cover=order.amount))


@clause("AD-65")
def refuse_embark(field: Field, order: TwoUnits) -> Refused | None:
    """A unit embarks in another living unit of its own side, if it is free and that one is not itself aboard."""
    unit, transport = field.squad(order.unit), field.squad(order.target)
    if unit.name == transport.name or unit.side != transport.side:
        return Refused(f"{transport.name} cannot carry {unit.name}", "AD-65")
    if unit.is_gone or transport.is_gone:
        return Refused("both units need a model left", "AD-80")
    if unit.melee:
        return Refused(f"{unit.name} is in Melee {unit.melee}; it must leave that one first", "AD-65")
    for one in (unit, transport):
        if one.aboard:
            return Refused(f"{one.name} is itself aboard {one.aboard}", "AD-65")
    aboard = next((one.name for one in field.squads if one.aboard == unit.name), None)
    return Refused(f"{unit.name} carries {aboard} itself", "AD-65") if aboard else None


def _embark(field: Field, order: TwoUnits) -> Field:
    transport = field.squad(order.target)
    return field.with_squads(replace(field.squad(order.unit), aboard=transport.name))


def refuse_disembark(field: Field, order: OneUnit) -> Refused | None:
    """Only a unit aboard leaves a transport."""
    unit = field.squad(order.unit)
    return None if unit.aboard else Refused(f"{unit.name} is not aboard anything", "AD-65")


def _disembark(field: Field, order: OneUnit) -> Field:
    return field.with_squads(replace(field.squad(order.unit), aboard=""))


@clause("AD-80")
def refuse_loss(field: Field, order: HpChange) -> Refused | None:
    """HP never go below 0."""
    unit = field.squad(order.unit)
    left = all_hp(unit.ranks) - unit.lost
    return Refused(f"{unit.name} has {left} HP left, {order.hp} were to be taken", "AD-80") if order.hp > left else None


def _lose(field: Field, order: HpChange) -> Field:
    unit = field.squad(order.unit)
    return settle(field.with_squads(replace(unit, lost=unit.lost + order.hp)))


def refuse_restore(field: Field, order: HpChange) -> Refused | None:
    """No unit gets more HP than it began with."""
    unit = field.squad(order.unit)
    if order.hp > unit.lost:
        return Refused(f"{unit.name} has lost {unit.lost} HP, {order.hp} were to be put back", "AD-80")
    return None


def _restore(field: Field, order: HpChange) -> Field:
    unit = field.squad(order.unit)
    return field.with_squads(replace(unit, lost=unit.lost - order.hp))


# --- the cards ------------------------------------------------------------------------------------------------------


def _each_unit(order: type[Inputs]) -> Any:
    return lambda field: (order(unit=one.name) for one in field.squads)


def _each_pair(field: Field) -> Iterable[TwoUnits]:
    pairs = ((one, other) for one in field.squads for other in field.squads if one.name != other.name)
    return (TwoUnits(unit=one.name, target=other.name) for one, other in pairs)


def _about(field: Field, order: Any) -> Mapping[str, str]:
    return {key: getattr(order, key, "") for key in ("unit", "target")}


_at_once = partial(at_once, about=_about, tell=tell_action)


def _one(field: Field) -> Iterable[Nothing]:
    return (Nothing(),)


def _begin_game(field: Field, order: Nothing) -> Field:
    return settle(replace(field, phase="running"))


AGREE = _at_once("agree", "Agree on a ruling", Agreement, refuse_agreement, _agree, _agreements, "AD-4")
START = _at_once("start", "Start the game", Nothing, refuse_start, _begin_game, _one, "AD-4")
DONE = _at_once("done", "End a unit's activation", OneUnit, refuse_done, _done, _each_unit(OneUnit), "AD-82")
ENGAGE = _at_once("engage", "Lock two units in a Melee", TwoUnits, refuse_engage, _engage, _each_pair, "AD-56")
LEAVE = _at_once("leave", "Leave a Melee", OneUnit, refuse_leave, _leave, _each_unit(OneUnit), "AD-56")
COVER = _at_once("cover", "Set a unit's cover", Cover, refuse_cover, _cover, _each_unit(Cover), "AD-58")
EMBARK = _at_once("embark", "Go aboard a transport", TwoUnits, refuse_embark, _embark, _each_pair, "AD-65")
DISEMBARK = _at_once(
    "disembark", "Leave a transport", OneUnit, refuse_disembark, _disembark, _each_unit(OneUnit), "AD-65"
)
LOSE_HP = _at_once("lose_hp", "Take HP off by hand", HpChange, refuse_loss, _lose, _each_unit(HpChange), "AD-80")
RESTORE_HP = _at_once("restore_hp", "Put HP back", HpChange, refuse_restore, _restore, _each_unit(HpChange), "AD-80")
BOOKKEEPING = (AGREE, START, DONE, ENGAGE, LEAVE, COVER, EMBARK, DISEMBARK, LOSE_HP, RESTORE_HP)
