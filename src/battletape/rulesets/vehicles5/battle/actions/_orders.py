"""What all actions share: their units, their cards, and what follows from losses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.errors import Refused
from battletape.inputs import Inputs
from battletape.rulesets.vehicles5.battle.log import chronicle
from battletape.rulesets.vehicles5.battle.state import Field, Machine, Squad, Unitlike
from battletape.rulesets.vehicles5.rules.traits import Phase
from battletape.system import Action
from battletape.system import at_once as without_dice

Distance = Annotated[float, Meta(ge=0, le=240, extra={"unit": "inches", "clause": "V5-MOVE-2"})]


class Nothing(Inputs, frozen=True):
    """No parameters."""


class OneUnit(Inputs, frozen=True):
    """Something that one machine or squad does."""

    unit: str = ""


def machine_of(field: Field, name: str, what: str, by: str) -> Machine | Refused:
    """A machine, or why a squad does not do such a thing."""
    unit = field.find(name)
    return unit if isinstance(unit, Machine) else Refused(f"{unit.name}: a squad; only machines {what}", by, "type")


def squad_of(field: Field, name: str, what: str, by: str) -> Squad | Refused:
    """A squad, or why a machine does not do such a thing."""
    unit = field.find(name)
    return unit if isinstance(unit, Squad) else Refused(f"{unit.name} is a machine; only squads {what}", by, "type")


def about(field: Field, order: Any) -> Mapping[str, str]:
    """Unit, target and weapon for tables."""
    found = {key: getattr(order, key, "") for key in ("unit", "target", "machine")}
    return {key: value for key, value in found.items() if value}


def at_once(
    name: str,
    title: str,
    inputs: type[Inputs],
    refuse: Callable[[Any, Any], Refused | None],
    finish: Callable[[Field, Any], Field],
    options: Callable[[Any], Iterable[Inputs]],
    *clauses: str,
) -> Action:
    """An action without dice, after which nobody stays locked in a fight with the dead."""
    return without_dice(
        name,
        title,
        inputs,
        refuse,
        lambda field, order: tidy(finish(field, order)),
        *clauses,
        options=options,
        about=about,
        tell=chronicle,
    )


def mine(field: Field, *phases: Phase) -> Sequence[Unitlike]:
    """The units of the active side that are left, if it is one of these phases."""
    if phases and field.phase not in phases:
        return ()
    return [one for one in field.units if one.side == field.active and not one.is_gone]


def enemies(field: Field) -> Sequence[Unitlike]:
    """The units of the other side that stand on the table."""
    return [one for one in field.on_table() if one.side != field.active]


@clause("V5-WALK-8", "V5-CORE-16")
def tidy(field: Field) -> Field:
    """What follows from losses: nobody is locked in a fight with the dead, or with those who ran."""
    free = {one.name for one in field.units if one.is_gone}
    free |= {one.name for one in field.squads if one.falling_back}
    changed = [_unlocked(one, free) for one in field.units if one.locked_with]
    return field.changed(*changed) if changed else field


def _unlocked(unit: Any, free: set[str]) -> Any:
    left = () if unit.name in free else tuple(one for one in unit.locked_with if one not in free)
    return replace(unit, locked_with=left)
