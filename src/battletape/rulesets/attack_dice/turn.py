"""What a player may do in a battle, and why not; a refused action names the clause."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.errors import BattletapeError, Refused, UnknownName
from battletape.inputs import Inputs, fields, parse_inputs
from battletape.log import Line
from battletape.procedure import Procedure
from battletape.rulesets.attack_dice import words
from battletape.rulesets.attack_dice.attack import Mark, Shot, Strike
from battletape.rulesets.attack_dice.damage import all_hp, all_models, standing
from battletape.rulesets.attack_dice.field import (
    Arm,
    Field,
    Squad,
    Start,
    bearers_left,
    begin_field,
    fill_start,
    pass_on,
    settle,
    situation_of,
)
from battletape.rulesets.attack_dice.keywords import sequence
from battletape.rulesets.attack_dice.melee import Facing, Situation, refuse_target
from battletape.rulesets.attack_dice.questions import CASUALTIES, DAMAGE, HP_LOST, WIPED_OUT
from battletape.rulesets.attack_dice.rulings import Rulings
from battletape.system import Action, BattleRules, Table

Inches = Annotated[int, Meta(ge=0, le=1000, extra={"unit": "inches"})]
Many = Annotated[int, Meta(ge=0, le=1000)]


class Aim(Inputs, frozen=True):
    """A further target of the same weapon, and how many models fire at it."""

    target: str = ""
    models: Annotated[int, Meta(ge=1, le=1000)] = 1
    distance: Inches | None = None
    line_of_sight: bool = True
    facing: Facing = "none"


class AttackOrder(Inputs, frozen=True):
    """A unit attacks with one weapon profile; its models may be split over several targets."""

    unit: str = ""
    weapon: str = ""
    target: str = ""
    models: Annotated[Many, Meta(title="Models that fire (0 = all that can)")] = 0
    distance: Inches | None = None
    line_of_sight: bool = True
    facing: Facing = "none"
    modifier: Annotated[int, Meta(title="Other Dice Modifiers", ge=-20, le=20)] = 0
    also: Annotated[tuple[Aim, ...], Meta(title="Further targets of the same weapon")] = ()


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


# --- attack ---------------------------------------------------------------------------------------------------------


def _arm(unit: Squad, name: str) -> Arm:
    for arm in unit.weapons:
        if arm.name.lower() == name.strip().lower():
            return arm
    raise UnknownName(f"weapon of {unit.name}", name, [arm.name for arm in unit.weapons])


def _aims(field: Field, order: AttackOrder) -> list[tuple[Squad, int, Situation]]:
    """Every target with how many models fire at it, and where they stand."""
    unit = field.squad(order.unit)
    left = bearers_left(unit, _arm(unit, order.weapon)) - sum(aim.models for aim in order.also)
    first = Aim(target=order.target, models=max(order.models or left, 1), distance=order.distance)
    first = replace(first, line_of_sight=order.line_of_sight, facing=order.facing)
    found = []
    for aim in (first, *order.also):
        target = field.squad(aim.target)
        given = {"distance": aim.distance, "line_of_sight": aim.line_of_sight, "facing": aim.facing}
        found.append((target, aim.models, situation_of(field, unit, target, modifier=order.modifier, **given)))
    return found


@clause("AD-67", "AD-68", "AD-82")
def refuse_attack(field: Field, order: AttackOrder) -> Refused | None:
    """Why this attack is not allowed now."""
    wrong = _not_your_turn(field, order.unit)
    if wrong:
        return wrong
    unit = field.squad(order.unit)
    arm = _arm(unit, order.weapon)
    left = bearers_left(unit, arm)
    if not left:
        return Refused(f"{unit.name} has no model left to fire {arm.name} in this activation", "AD-82")
    asked = sum(models for _, models, _ in _aims(field, order))
    if asked > left:
        return Refused(f"{left} models of {unit.name} can fire {arm.name}, {asked} were asked for", "AD-70")
    for target, _, situation in _aims(field, order):
        if target.side == unit.side:
            return Refused(f"{target.name} is on the same side", "AD-67")
        if target.is_gone:
            return Refused(f"{target.name} has no model left", "AD-80")
        refused = refuse_target(situation, arm.range)
        if refused:
            return refused
    return None


@clause("AD-66", "AD-71")
def begin_attack(field: Field, order: AttackOrder) -> Strike:
    """One pool for each target; all targets are declared before any die is rolled."""
    arm = _arm(field.squad(order.unit), order.weapon)
    aims = _aims(field, order)
    marks, shots, wounds = [], [], []
    for at, (target, models, situation) in enumerate(aims):
        ranks, wounded = standing(target.ranks, target.lost)
        marks.append(Mark(target.defence, ranks, target.armour, target.aegis, target.name))
        shots.append(Shot(arm.attacks * models, arm.power, arm.ap, arm.range, at, situation, arm.name))
        wounds.append(wounded)
    return Strike(field.rules, tuple(marks), tuple(shots), tuple(wounds), (0,) * len(aims))


def attack_procedure(field: Field, order: AttackOrder) -> Procedure:
    """The attack sequence, once for each target."""
    arm = _arm(field.squad(order.unit), order.weapon)
    return sequence([arm.weapon_class] * (1 + len(order.also)), field.rules)


@clause("AD-80", "AD-82")
def finish_attack(field: Field, order: AttackOrder, strike: Strike) -> Field:
    """Take the losses off, and mark the weapon as used in this activation."""
    unit = field.squad(order.unit)
    aims = _aims(field, order)
    used = (*unit.used, (_arm(unit, order.weapon).name, sum(models for _, models, _ in aims)))
    changed = [replace(unit, used=used)]
    for (target, _, _), mark, lost in zip(aims, strike.marks, strike.lost, strict=True):
        fallen_before = all_hp(target.ranks) - all_hp(mark.ranks)
        changed.append(replace(target, lost=fallen_before + lost))
    return settle(replace(field.with_squads(*changed), acting=unit.name))


def attack_options(field: Field) -> Iterable[AttackOrder]:
    """Every weapon of every unit of the active side against every enemy."""
    for unit in field.squads:
        for target in field.squads:
            if unit.side == field.active and target.side != unit.side and not target.is_gone:
                for arm in unit.weapons:
                    yield AttackOrder(unit=unit.name, weapon=arm.name, target=target.name)


# --- the other actions ----------------------------------------------------------------------------------------------


def _not_your_turn(field: Field, name: str) -> Refused | None:
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
    if field.phase == "running":
        now = getattr(field.rules, order.ruling, None)
        return Refused(f"{order.ruling} is {now} for the whole game; it cannot change once the game has started", "AD-4")
    parse_inputs(Rulings, {order.ruling: order.value})
    return None


def _agree(field: Field, order: Agreement, _: Any) -> Field:
    agreed = getattr(parse_inputs(Rulings, {order.ruling: order.value}), order.ruling)
    return replace(field, rules=replace(field.rules, **{order.ruling: agreed}))


def _agreements(field: Field) -> Iterable[Agreement]:
    return (Agreement(ruling=one.name, value=str(value)) for one in fields(Rulings) for value in one.choices)


def refuse_start(field: Field, order: Nothing) -> Refused | None:
    """A game starts once."""
    return Refused("the game has already started", "AD-4") if field.phase == "running" else None


def refuse_done(field: Field, order: OneUnit) -> Refused | None:
    """Only a unit of the active side ends its activation."""
    return _not_your_turn(field, order.unit)


def _done(field: Field, order: OneUnit, _: Any) -> Field:
    return pass_on(field.with_squads(replace(field.squad(order.unit), activated=True, used=())))


def refuse_engage(field: Field, order: TwoUnits) -> Refused | None:
    """Two living units of different sides can be locked in a Melee, unless both are in different ones."""
    unit, target = field.squad(order.unit), field.squad(order.target)
    if unit.is_gone or target.is_gone:
        return Refused("both units need a model left", "AD-80")
    if unit.side == target.side:
        return Refused(f"{unit.name} and {target.name} are on the same side", "AD-56")
    if unit.melee and unit.melee == target.melee:
        return Refused(f"they are already in Melee {unit.melee}", "AD-56")
    if unit.melee and target.melee:
        return Refused(f"{unit.name} is in Melee {unit.melee}; it must leave that one first", "AD-56")
    return None


def _engage(field: Field, order: TwoUnits, _: Any) -> Field:
    unit, target = field.squad(order.unit), field.squad(order.target)
    taken = {one.melee for one in field.squads}
    fresh = next(name for name in (f"M{number}" for number in range(1, len(field.squads) + 2)) if name not in taken)
    melee = unit.melee or target.melee or fresh
    return field.with_squads(replace(unit, melee=melee), replace(target, melee=melee))


def refuse_leave(field: Field, order: OneUnit) -> Refused | None:
    """Only a unit in a Melee leaves one."""
    unit = field.squad(order.unit)
    return None if unit.melee else Refused(f"{unit.name} is in no Melee", "AD-56")


def _leave(field: Field, order: OneUnit, _: Any) -> Field:
    return settle(field.with_squads(replace(field.squad(order.unit), melee="")))


def refuse_cover(field: Field, order: Cover) -> Refused | None:
    """Any living unit may be in cover."""
    unit = field.squad(order.unit)
    return Refused(f"{unit.name} has no model left", "AD-80") if unit.is_gone else None


def _cover(field: Field, order: Cover, _: Any) -> Field:
    return field.with_squads(replace(field.squad(order.unit), cover_stat=order.stat, cover=order.amount))


def refuse_embark(field: Field, order: TwoUnits) -> Refused | None:
    """A unit embarks in another living unit of its own side, if it is free and that one is not itself aboard."""
    unit, transport = field.squad(order.unit), field.squad(order.target)
    if unit.name == transport.name or unit.side != transport.side:
        return Refused(f"{transport.name} cannot carry {unit.name}", "AD-65")
    if unit.is_gone or transport.is_gone:
        return Refused("both units need a model left", "AD-80")
    if unit.melee or unit.aboard or transport.aboard or any(one.aboard == unit.name for one in field.squads):
        return Refused(f"{unit.name} must be free to go aboard {transport.name}", "AD-65")
    return None


def _embark(field: Field, order: TwoUnits, _: Any) -> Field:
    transport = field.squad(order.target)
    return field.with_squads(replace(field.squad(order.unit), aboard=transport.name))


def refuse_disembark(field: Field, order: OneUnit) -> Refused | None:
    """Only a unit aboard leaves a transport."""
    unit = field.squad(order.unit)
    return None if unit.aboard else Refused(f"{unit.name} is not aboard anything", "AD-65")


def _disembark(field: Field, order: OneUnit, _: Any) -> Field:
    return field.with_squads(replace(field.squad(order.unit), aboard=""))


def refuse_loss(field: Field, order: HpChange) -> Refused | None:
    """HP never go below 0."""
    unit = field.squad(order.unit)
    left = all_hp(unit.ranks) - unit.lost
    return Refused(f"{unit.name} has {left} HP left, {order.hp} were to be taken", "AD-80") if order.hp > left else None


def _lose(field: Field, order: HpChange, _: Any) -> Field:
    unit = field.squad(order.unit)
    return settle(field.with_squads(replace(unit, lost=unit.lost + order.hp)))


def refuse_restore(field: Field, order: HpChange) -> Refused | None:
    """No unit gets more HP than it began with."""
    unit = field.squad(order.unit)
    if order.hp > unit.lost:
        return Refused(f"{unit.name} has lost {unit.lost} HP, {order.hp} were to be put back", "AD-80")
    return None


def _restore(field: Field, order: HpChange, _: Any) -> Field:
    unit = field.squad(order.unit)
    return field.with_squads(replace(unit, lost=unit.lost - order.hp))
