"""HP by hand: `lose_hp` takes them off, `restore_hp` puts them back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from battletape.cards import Inputs, at_once
from battletape.rulebook import Meta, Refused, clause, replace
from battletape.rulesets.attack_dice.battle.actions._orders import ANY_UNIT
from battletape.rulesets.attack_dice.battle.state import State
from battletape.rulesets.attack_dice.rules.damage import all_hp


class HpChange(Inputs, frozen=True):
    """HP taken off or put back by hand."""

    unit: str = ANY_UNIT
    hp: Annotated[int, Meta(ge=1, le=100_000, extra={"part": "count"})] = 1


@clause("AD-80")
def refuse_loss(state: State, order: HpChange) -> Refused | None:
    """HP never go below 0."""
    unit = state.squad(order.unit)
    left = all_hp(unit.ranks) - unit.lost
    return Refused(f"{unit.name} has {left} HP left, {order.hp} were to be taken", "AD-80") if order.hp > left else None


def _lose(state: State, order: HpChange) -> State:
    unit = state.squad(order.unit)
    return state.with_squads(replace(unit, lost=unit.lost + order.hp))


def _living(state: State) -> Iterator[HpChange]:
    """A single HP of any unit that has some."""
    return (HpChange(unit.name) for unit in state.squads if not unit.is_gone)


def refuse_restore(state: State, order: HpChange) -> Refused | None:
    """No unit gets more HP than it began with."""
    unit = state.squad(order.unit)
    if order.hp > unit.lost:
        return Refused(f"{unit.name} has lost {unit.lost} HP, {order.hp} were to be put back", "AD-80")
    return None


def _restore(state: State, order: HpChange) -> State:
    unit = state.squad(order.unit)
    return state.with_squads(replace(unit, lost=unit.lost - order.hp))


def _hurt(state: State) -> Iterator[HpChange]:
    """All that a unit has lost; if none has lost any, a single HP, which is refused."""
    hurt = [HpChange(unit.name, unit.lost) for unit in state.squads if unit.lost]
    return iter(hurt or [HpChange(unit.name) for unit in state.squads[:1]])


LOSE_HP = at_once("lose_hp", "Take HP off by hand", HpChange, refuse_loss, _lose, "AD-80", options=_living)
RESTORE_HP = at_once("restore_hp", "Put HP back", HpChange, refuse_restore, _restore, "AD-80", options=_hurt)
