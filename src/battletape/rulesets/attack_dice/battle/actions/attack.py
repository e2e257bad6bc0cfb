"""The action `attack`: a unit fires one weapon profile at one target or several."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, NamedTuple

from battletape.cards import Action, Inputs, Plan, asked
from battletape.field.measure import Measurement
from battletape.rulebook import Line, Meta, Refused, Tape, by_name, clause, need, raise_if_refused, replace
from battletape.rulesets.attack_dice import words
from battletape.rulesets.attack_dice.battle import turn
from battletape.rulesets.attack_dice.battle.state import (
    BattleUnit,
    CarriedWeapon,
    Done,
    State,
    living_unit,
    measured,
    models_left_to_fire,
    situation_of,
)
from battletape.rulesets.attack_dice.rules import attack, damage, keywords, melee, requirement
from battletape.rulesets.attack_dice.rulings import Rulings

Inches = Annotated[
    Annotated[int, Meta(ge=0, le=1000)] | None,
    Meta(title="Distance, where the weapon has a range", extra={"unit": "inches", "clause": "AD-68"}),
]
ModelCount = Annotated[int, Meta(ge=0, le=1000)]


class MeasuredTarget(NamedTuple):
    """A target, what the board shows of it, and what that means for the attack."""

    target: BattleUnit
    shown: Measurement
    situation: melee.Situation


class DeclaredTarget(Inputs, frozen=True):
    """A further target of the same weapon, and how many models fire at it."""

    target: str = ""
    models: int = asked(1, ge=1, le=1000)
    distance: Inches = None
    line_of_sight: bool = True
    facing: melee.Facing = "none"


class AttackOrder(Inputs, frozen=True):
    """A unit attacks with one weapon profile; its models may be split over several targets."""

    unit: str = asked("", role="own unit")
    weapon: str = asked("", role="weapon")
    target: str = asked("", role="enemy")
    models: ModelCount = asked(0, "Models that fire", about="(0 = all that can)")
    distance: Inches = None
    line_of_sight: bool = True
    facing: melee.Facing = "none"
    modifier: int = asked(0, "Other Dice Modifiers", ge=-20, le=20)
    also: tuple[DeclaredTarget, ...] = asked(
        (),
        "Further targets of the same weapon",
        note="“target=NAME models=N” for each, with “;” between them; distance, line_of_sight and facing may follow",
    )


@clause("AD-67", "AD-68", "AD-82")
def plan_attack(state: State, order: AttackOrder) -> Plan:
    """Refuse units that may not act, weapons that are spent, and targets out of range or sight."""
    unit = turn.acting_unit(state, order.unit)
    weapon = by_name(f"weapon of {unit.name}", order.weapon, unit.weapons)
    raise_if_refused(requirement.refuse_power(weapon.power, state.rulings))
    left = models_left_to_fire(unit, weapon)
    need(left, f"{unit.name} has no model left to fire {weapon.name} in this activation", "AD-82")
    declared = _declared(order, left)
    firing = sum(declaration.models for declaration in declared)
    need(firing <= left, f"{left} models of {unit.name} can fire {weapon.name}, {firing} were asked for", "AD-70")
    targets: dict[str, MeasuredTarget] = {}
    groups = []
    for declaration in declared:
        target = living_unit(state, declaration.target)
        need(target.side != unit.side, f"{target.name} is on the same side", "AD-67")
        shown = measured(state, unit, target, declaration.distance, declaration.line_of_sight)
        situation = situation_of(state, unit, target, shown, declaration.facing, order.modifier)
        raise_if_refused(melee.refuse_target(situation, weapon.range))
        # a target declared twice is measured once
        targets.setdefault(target.name, MeasuredTarget(target, shown, situation))
        groups.append((weapon.name, target.name, declaration.models, weapon.attacks))
    raise_if_refused(*(refuse_unmeasured(weapon, target) for target in targets.values()))
    fired = replace(unit, done=Done(fired=(*unit.done.fired, (weapon.name, firing))))
    aimed_at = tuple(targets.values())
    return Plan(begin_attack, state.rulings, weapon, aimed_at, tuple(groups)).then(take_losses, state, fired, aimed_at)


def _declared(order: AttackOrder, left: int) -> tuple[DeclaredTarget, ...]:
    """Return every declared target; models that no other target claims fire at the first one."""
    models = order.models or left - sum(other.models for other in order.also)
    first = DeclaredTarget(order.target, max(models, 1), order.distance, order.line_of_sight, order.facing)
    return (first, *order.also)


@clause("AD-68", "AD-56")
def refuse_unmeasured(weapon: CarriedWeapon, target: MeasuredTarget) -> Refused | None:
    """Refuse a weapon with a range at a target whose distance is not known, unless both are in the same Melee."""
    if weapon.range is None or target.situation.engaged or target.situation.distance is not None:
        return None
    reach = f'{weapon.name} reaches {weapon.range}"'
    reason = f"{reach}, so name the distance to {target.target.name}, such as distance={weapon.range}"
    return Refused(reason, "AD-68", "distance")


def propose_attacks(state: State) -> Iterator[AttackOrder]:
    """Propose each weapon of the side whose activation it is at each enemy, from as far as it reaches."""
    for unit in (unit for unit in state.units if unit.side == state.active_side):
        targets = [target for target in state.units if target.side != unit.side and not target.is_gone]
        situations = [situation_of(state, unit, target, measured(state, unit, target)) for target in targets]
        for weapon in unit.weapons:
            for target, situation in zip(targets, situations, strict=True):
                near = weapon.range is None or situation.engaged or situation.distance is not None
                yield AttackOrder(unit.name, weapon.name, target.name, distance=None if near else weapon.range)


@clause("AD-66", "AD-71")
def begin_attack(
    tape: Tape,
    rulings: Rulings,
    weapon: CarriedWeapon,
    aimed_at: Sequence[MeasuredTarget],
    groups: Sequence[attack.Group],
) -> attack.PendingAttack:
    """Gather the dice into one pool for each target."""
    dice = attack.pool_sizes(groups)
    targets, pools = [], []
    for at, (unit, shown, situation) in enumerate(aimed_at):
        tape.tell(what_the_board_shows, unit.name, shown, situation)
        targets.append(attack.target_of(unit.name, unit.defence, unit.ranks, unit.hp_lost, unit.armour, unit.aegis))
        numbers = (dice[weapon.name, unit.name], weapon.power, weapon.ap, weapon.range)
        pools.append(attack.AttackPool(*numbers, at, situation, weapon.name, weapon.weapon_class))
    return attack.pending_attack(rulings, targets, pools)


def what_the_board_shows(target: str, shown: Measurement, situation: melee.Situation) -> Line | None:
    """Say how far away a target is and what covers it, unless the players said so or it is engaged."""
    if shown.by == "players" or situation.engaged:
        return None
    cover = f", in cover: +{situation.cover} {situation.cover_stat.capitalize()}" if situation.cover else ""
    by = f" by {shown.covered_by}" if cover and shown.cover == situation.cover else ""
    return Line(f'{target}: {situation.distance}" away{cover}{by}', ("AD-68", "AD-58") if cover else ("AD-68",))


@clause("AD-80", "AD-82")
def take_losses(
    tape: Tape, pending: attack.PendingAttack, state: State, fired: BattleUnit, aimed_at: Sequence[MeasuredTarget]
) -> State:
    """Take the lost HP off the targets; the weapon is used up for this activation."""
    changed = [fired]
    for (unit, _, _), target, lost in zip(aimed_at, pending.targets, pending.hp_lost, strict=True):
        lost_before = damage.all_hp(unit.ranks) - damage.all_hp(target.ranks)
        changed.append(replace(unit, hp_lost=lost_before + lost))
    return replace(state.with_units(*changed), active_unit=fired.name)


def about_attack(state: State, order: AttackOrder) -> Mapping[str, str]:
    """Name attacker, targets and weapon, for tables."""
    names = (order.target, *(other.target for other in order.also))
    targets = dict.fromkeys(state.unit(name).name for name in names)
    return {"unit": order.unit, "target": ", ".join(targets), "weapon": order.weapon}


ATTACK = Action(
    "attack",
    "Attack with one weapon",
    AttackOrder,
    plan_attack,
    keywords.attack_procedure,
    options=propose_attacks,
    measures=attack.MEASURES,
    about=about_attack,
    headline=words.casualties_headline,
    clauses=("AD-66",),
    closed=turn.refuse_after_end,
)
