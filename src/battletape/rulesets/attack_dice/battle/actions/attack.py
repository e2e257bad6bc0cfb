"""The action `attack`: a unit fires one weapon profile at one target or several; a refusal names the clause."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.errors import Refused, UnknownName
from battletape.inputs import Inputs
from battletape.rulesets.attack_dice import words
from battletape.rulesets.attack_dice.battle.log import tell_attack
from battletape.rulesets.attack_dice.battle.state import Arm, Field, Squad, bearers_left, situation_of
from battletape.rulesets.attack_dice.battle.turn import refuse_turn, settle
from battletape.rulesets.attack_dice.rules.attack import MEASURES, Mark, Shot, Strike, pools
from battletape.rulesets.attack_dice.rules.damage import all_hp, is_single, standing
from battletape.rulesets.attack_dice.rules.keywords import sequence
from battletape.rulesets.attack_dice.rules.melee import Facing, Situation, refuse_target
from battletape.rulesets.attack_dice.rules.requirement import refuse_power
from battletape.system import Action

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
    also: Annotated[
        tuple[Aim, ...],
        Meta(
            title="Further targets of the same weapon",
            description="“target=NAME models=N” for each, with “;” between them; distance, line_of_sight and facing "
            "may follow",
        ),
    ] = ()


@clause("AD-67", "AD-68", "AD-82")
def refuse_attack(field: Field, order: AttackOrder) -> Refused | None:
    """Why this attack is not allowed now."""
    wrong = refuse_turn(field, order.unit)
    if wrong:
        return wrong
    unit = field.squad(order.unit)
    arm = _arm(unit, order.weapon)
    refused = refuse_power(arm.power, field.rules)
    if refused:
        return refused
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
    aims = _by_target(field, order)
    dice = pools((arm.name, name, models, arm.attacks) for name, (_, models, _) in aims.items())
    marks, shots, wounds = [], [], []
    for at, (name, (target, _, situation)) in enumerate(aims.items()):
        ranks, wounded = standing(target.ranks, target.lost)
        marks.append(Mark(target.defence, ranks, target.armour, target.aegis, name, wounded, is_single(target.ranks)))
        shots.append(
            Shot(dice[arm.name, name], arm.power, arm.ap, arm.range, at, situation, arm.name, arm.weapon_class)
        )
        wounds.append(wounded)
    return Strike(field.rules, tuple(marks), tuple(shots), tuple(wounds), (0,) * len(aims))


@clause("AD-80", "AD-82")
def finish_attack(field: Field, order: AttackOrder, strike: Strike) -> Field:
    """Take the losses off, and mark the weapon as used in this activation."""
    unit = field.squad(order.unit)
    aims = _by_target(field, order)
    used = (*unit.used, (_arm(unit, order.weapon).name, sum(models for _, models, _ in aims.values())))
    changed = [replace(unit, used=used)]
    for (target, _, _), mark, lost in zip(aims.values(), strike.marks, strike.lost, strict=True):
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


def about_attack(field: Field, order: AttackOrder) -> Mapping[str, str]:
    """Who attacks whom with what; several targets are named one after the other."""
    targets = dict.fromkeys(target.name for target, _, _ in _aims(field, order))
    return {"unit": order.unit, "target": ", ".join(targets), "weapon": order.weapon}


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


def _by_target(field: Field, order: AttackOrder) -> dict[str, tuple[Squad, int, Situation]]:
    """Models that fire at the same target are one group."""
    found: dict[str, tuple[Squad, int, Situation]] = {}
    for target, models, situation in _aims(field, order):
        before = found.get(target.name, (target, 0, situation))
        found[target.name] = (target, before[1] + models, before[2])
    return found


ATTACK = Action(
    "attack",
    "Attack with one weapon",
    AttackOrder,
    refuse_attack,
    begin_attack,
    sequence,
    finish_attack,
    attack_options,
    measures=MEASURES,
    narrate=words.narrate,
    about=about_attack,
    tell=tell_attack,
    headline=words.casualties_headline,
    clauses=("AD-66",),
)
