"""HP by hand: `lose_hp` takes them off, `restore_hp` puts them back."""

from __future__ import annotations

from collections.abc import Iterator

from battletape.cards import Action, Inputs, Plan, asked
from battletape.rulebook import Tape, clause, need, replace
from battletape.rulesets.attack_dice.battle.actions._orders import ANY_UNIT
from battletape.rulesets.attack_dice.battle.state import BattleUnit, State
from battletape.rulesets.attack_dice.rules import damage


class HpChangeOrder(Inputs, frozen=True):
    """HP taken off or put back by hand."""

    unit: str = ANY_UNIT
    hp: int = asked(1, form="count", ge=1, le=100_000)


@clause("AD-80")
def plan_loss(state: State, order: HpChangeOrder) -> Plan:
    """Refuse to take more HP than the unit has left."""
    unit = state.unit(order.unit)
    left = damage.all_hp(unit.ranks) - unit.hp_lost
    need(order.hp <= left, f"{unit.name} has {left} HP left, {order.hp} were to be taken", "AD-80")
    return Plan(set_lost_hp, state, unit, unit.hp_lost + order.hp)


@clause("AD-80")
def plan_restoring(state: State, order: HpChangeOrder) -> Plan:
    """Refuse to put back more HP than the unit has lost."""
    unit = state.unit(order.unit)
    need(order.hp <= unit.hp_lost, f"{unit.name} has lost {unit.hp_lost} HP, {order.hp} were to be put back", "AD-80")
    return Plan(set_lost_hp, state, unit, unit.hp_lost - order.hp)


@clause("AD-80")
def set_lost_hp(tape: Tape, state: State, unit: BattleUnit, lost: int) -> State:
    """Set how many HP a unit has lost; its models fall or stand up again with them."""
    changed = replace(unit, hp_lost=lost)
    tape.tell(hp_change_line, unit, changed)
    return state.with_units(changed)


def hp_change_line(before: BattleUnit, after: BattleUnit) -> str:
    """Say how many HP a unit lost or got back, and how many models that leaves."""
    hp = after.hp_lost - before.hp_lost
    change = f"lose {hp}" if hp > 0 else f"get back {-hp}"
    models = f"{after.models} of {damage.all_models(after.ranks)} models stand"
    return f"{after.name} {change} HP; {'the unit is gone' if after.is_gone else models}"


def propose_losses(state: State) -> Iterator[HpChangeOrder]:
    """Propose a single HP for each unit that has any left."""
    return (HpChangeOrder(unit.name) for unit in state.units if not unit.is_gone)


def propose_restoring(state: State) -> Iterator[HpChangeOrder]:
    """Propose all HP that a unit has lost; if none has lost any, one HP, to show why it is refused."""
    hurt = [HpChangeOrder(unit.name, unit.hp_lost) for unit in state.units if unit.hp_lost]
    return iter(hurt or [HpChangeOrder(unit.name) for unit in state.units[:1]])


LOSE_HP = Action(
    "lose_hp", "Take HP off by hand", HpChangeOrder, plan_loss, options=propose_losses, clauses=("AD-80",), aside=True
)
RESTORE_HP = Action(
    "restore_hp",
    "Put HP back",
    HpChangeOrder,
    plan_restoring,
    options=propose_restoring,
    clauses=("AD-80",),
    aside=True,
)
