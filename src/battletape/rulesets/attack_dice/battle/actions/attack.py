"""The action `attack`: a unit fires one weapon profile at one target or several; a refusal names the clause."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated

from battletape.cards import Action, Inputs
from battletape.rulebook import Meta, Refused, by_name, clause, replace
from battletape.rulesets.attack_dice import words
from battletape.rulesets.attack_dice.battle.log import tell_attack
from battletape.rulesets.attack_dice.battle.state import Arm, Squad, State, bearers_left, refuse_gone, situation_of
from battletape.rulesets.attack_dice.battle.turn import refuse_turn
from battletape.rulesets.attack_dice.rules.attack import MEASURES, Shot, Strike, mark_of, pools, strike_with
from battletape.rulesets.attack_dice.rules.damage import all_hp
from battletape.rulesets.attack_dice.rules.keywords import sequence
from battletape.rulesets.attack_dice.rules.melee import Facing, Situation, refuse_target
from battletape.rulesets.attack_dice.rules.requirement import refuse_power

Inches = Annotated[
    Annotated[int, Meta(ge=0, le=1000)] | None,
    Meta(title="Distance, where the weapon has a range", extra={"unit": "inches", "clause": "AD-68"}),
]
Many = Annotated[int, Meta(ge=0, le=1000)]


class Aim(Inputs, frozen=True):
    """A further target of the same weapon, and how many models fire at it."""

    target: str = ""
    models: Annotated[int, Meta(ge=1, le=1000)] = 1
    distance: Inches = None
    line_of_sight: bool = True
    facing: Facing = "none"


class AttackOrder(Inputs, frozen=True):
    """A unit attacks with one weapon profile; its models may be split over several targets."""

    unit: Annotated[str, Meta(extra={"role": "own unit"})] = ""
    weapon: Annotated[str, Meta(extra={"role": "weapon"})] = ""
    target: Annotated[str, Meta(extra={"role": "enemy"})] = ""
    models: Annotated[Many, Meta(title="Models that fire (0 = all that can)")] = 0
    distance: Inches = None
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
def refuse_attack(state: State, order: AttackOrder) -> Refused | None:
    """Why this attack is not allowed now."""
    out_of_turn = refuse_turn(state, order.unit)
    if out_of_turn:
        return out_of_turn
    unit = state.squad(order.unit)
    arm = _arm(unit, order.weapon)
    powerless = refuse_power(arm.power, state.rules)
    if powerless:
        return powerless
    left = bearers_left(unit, arm)
    if not left:
        return Refused(f"{unit.name} has no model left to fire {arm.name} in this activation", "AD-82")
    aims = _aims(state, order)
    asked = sum(models for _, models, _ in aims)
    if asked > left:
        return Refused(f"{left} models of {unit.name} can fire {arm.name}, {asked} were asked for", "AD-70")
    for target, _, situation in aims:
        if target.side == unit.side:
            return Refused(f"{target.name} is on the same side", "AD-67")
        refused = refuse_gone(target) or refuse_target(situation, arm.range)
        if refused:
            return refused
    unmeasured = (refuse_unmeasured(arm, target, situation) for target, situation in _targets(aims))
    return next((why for why in unmeasured if why is not None), None)


@clause("AD-68", "AD-56")
def refuse_unmeasured(arm: Arm, target: Squad, situation: Situation) -> Refused | None:
    """Why the distance must be named: the weapon has a range, and the target is not in the same Melee."""
    if arm.range is None or situation.engaged or situation.distance is not None:
        return None
    reason = f'{arm.name} reaches {arm.range}", so name the distance to {target.name}, such as distance={arm.range}'
    return Refused(reason, "AD-68", "distance")


def _attacks(state: State) -> Iterator[AttackOrder]:
    """Each weapon of the side whose activation it is at each enemy, from as far as it reaches."""
    for unit in (squad for squad in state.squads if squad.side == state.active):
        for arm in unit.weapons:
            for target in (squad for squad in state.squads if squad.side != unit.side and not squad.is_gone):
                near = arm.range is None or situation_of(state, unit, target).engaged
                yield AttackOrder(unit.name, arm.name, target.name, distance=None if near else arm.range)


@clause("AD-66", "AD-71")
def begin_attack(state: State, order: AttackOrder) -> Strike:
    """One pool for each target; all targets are declared before any die is rolled."""
    arm = _arm(state.squad(order.unit), order.weapon)
    aims = _aims(state, order)
    dice = pools((arm.name, target.name, models, arm.attacks) for target, models, _ in aims)
    marks, shots = [], []
    for at, (target, situation) in enumerate(_targets(aims)):
        marks.append(mark_of(target.name, target.defence, target.ranks, target.lost, target.armour, target.aegis))
        pool = dice[arm.name, target.name]
        shots.append(Shot(pool, arm.power, arm.ap, arm.range, at, situation, arm.name, arm.weapon_class))
    return strike_with(state.rules, marks, shots)


@clause("AD-80", "AD-82")
def finish_attack(state: State, order: AttackOrder, strike: Strike) -> State:
    """Take the losses off, and mark the weapon as used in this activation."""
    unit = state.squad(order.unit)
    aims = _aims(state, order)
    used = (*unit.used, (_arm(unit, order.weapon).name, sum(models for _, models, _ in aims)))
    changed = [replace(unit, used=used)]
    for (target, _), mark, lost in zip(_targets(aims), strike.marks, strike.lost, strict=True):
        fallen_before = all_hp(target.ranks) - all_hp(mark.ranks)
        changed.append(replace(target, lost=fallen_before + lost))
    return replace(state.with_squads(*changed), acting=unit.name)


def about_attack(state: State, order: AttackOrder) -> Mapping[str, str]:
    """Who attacks whom with what; several targets are named one after the other."""
    targets = ", ".join(target.name for target, _ in _targets(_aims(state, order)))
    return {"unit": order.unit, "target": targets, "weapon": order.weapon}


def _arm(unit: Squad, name: str) -> Arm:
    return by_name(f"weapon of {unit.name}", name, unit.weapons)


def _aims(state: State, order: AttackOrder) -> list[tuple[Squad, int, Situation]]:
    """Every target as it is declared, with how many models fire at it, and where they stand."""
    unit = state.squad(order.unit)
    left = bearers_left(unit, _arm(unit, order.weapon)) - sum(aim.models for aim in order.also)
    first = Aim(target=order.target, models=max(order.models or left, 1), distance=order.distance)
    first = replace(first, line_of_sight=order.line_of_sight, facing=order.facing)
    aims = []
    for aim in (first, *order.also):
        target = state.squad(aim.target)
        given = {"distance": aim.distance, "line_of_sight": aim.line_of_sight, "facing": aim.facing}
        aims.append((target, aim.models, situation_of(state, unit, target, modifier=order.modifier, **given)))
    return aims


def _targets(aims: Iterable[tuple[Squad, int, Situation]]) -> Iterable[tuple[Squad, Situation]]:
    """Each target once; what is said of it first holds for all who fire at it."""
    targets: dict[str, tuple[Squad, Situation]] = {}
    for target, _, situation in aims:
        targets.setdefault(target.name, (target, situation))
    return targets.values()


ATTACK = Action(
    "attack",
    "Attack with one weapon",
    AttackOrder,
    refuse_attack,
    begin_attack,
    sequence,
    finish_attack,
    options=_attacks,
    measures=MEASURES,
    narrate=words.narrate,
    about=about_attack,
    tell=tell_attack,
    headline=words.casualties_headline,
    clauses=("AD-66",),
)
