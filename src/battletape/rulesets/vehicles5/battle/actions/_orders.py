"""What orders share: the units that they name, what each of them may be, and who may act at all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any, TypeVar

from msgspec import Meta
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.errors import Refused
from battletape.inputs import Inputs
from battletape.procedure import Stage
from battletape.rulesets.vehicles5.battle.state import Field, Machine, Squad, Unitlike
from battletape.rulesets.vehicles5.battle.turn import refuse_turn
from battletape.rulesets.vehicles5.rules.traits import Phase
from battletape.system import Role
from battletape.tape import Tape

Distance = Annotated[float, Meta(ge=0, le=240, extra={"unit": "inches", "clause": "V5-MOVE-2"})]
OwnMachine = Annotated[str, Meta(extra={"role": "machine"})]
OwnTank = Annotated[str, Meta(extra={"role": "tank"})]
Enemy = Annotated[str, Meta(extra={"role": "enemy"})]
U = TypeVar("U", Machine, Squad)


class Nothing(Inputs, frozen=True):
    """No parameters."""


class OneUnit(Inputs, frozen=True):
    """Something that one machine or squad does."""

    unit: str = ""


class OneMachine(Inputs, frozen=True):
    """Something that one machine does."""

    unit: OwnMachine = ""


def acting(field: Field, kind: type[U], name: str, what: str, by: str, *phases: Phase) -> U | Refused:
    """The unit that is to act, or why it does not: out of turn or phase, gone, or not of the kind that does so."""
    return refuse_turn(field, name, *phases) or of_kind(field, kind, name, what, by)


def of_kind(field: Field, kind: type[U], name: str, what: str, by: str) -> U | Refused:
    """A machine or a squad, or why the other kind does not do such a thing."""
    unit = field.find(name)
    if isinstance(unit, kind):
        return unit
    other = "a squad; only machines" if isinstance(unit, Squad) else "a machine; only squads"
    return Refused(f"{unit.name} is {other} {what}", by, "type")


def take_stage(tape: Tape, work: Any, stage: Stage) -> Any:
    """The next stage of what an action is made of: a drive, a ram, a round of a fight."""
    return tape.call(stage, work)


def finish(field: Field, order: Any, work: Any) -> Field:
    """The battle as the stages of an action leave it."""
    left: Field = work.field
    return left


# --- what can be named ----------------------------------------------------------------------------------------------


def mine(field: Field, *phases: Phase) -> Sequence[Unitlike]:
    """The units of the active side that are left, if it is one of these phases."""
    if phases and field.phase not in phases:
        return ()
    return [unit for unit in field.units if unit.side == field.active and not unit.is_gone]


def enemies(field: Field) -> Sequence[Unitlike]:
    """The units of the other side that stand on the table."""
    return [unit for unit in field.on_table() if unit.side != field.active]


def _own(kind: type[U], fits: Callable[[U], bool] = lambda unit: True, *phases: Phase) -> Role:
    return lambda field, named: (unit.name for unit in mine(field, *phases) if isinstance(unit, kind) and fits(unit))


ROLES: dict[str, Role] = {
    "machine": _own(Machine),
    "tank": _own(Machine, lambda machine: machine.traits.tank and not machine.moved, "movement"),
    "squad that shoots": _own(Squad, lambda squad: not squad.fired_at, "shooting"),
    "squad on the run": _own(Squad, lambda squad: squad.falling_back, "movement"),
    "passengers": _own(Squad, lambda squad: bool(squad.aboard), "movement"),
    "enemy": lambda field, named: (unit.name for unit in enemies(field)),
    "enemy machine": lambda field, named: (unit.name for unit in enemies(field) if isinstance(unit, Machine)),
    "yes or no": lambda field, named: (False, True),
}


# --- what follows from any of them ----------------------------------------------------------------------------------


@clause("V5-WALK-8", "V5-CORE-16")
def settle(field: Field) -> Field:
    """What follows from losses: nobody is locked in a fight with the dead, or with those who ran."""
    free = {unit.name for unit in field.units if unit.is_gone}
    free |= {squad.name for squad in field.squads if squad.falling_back}
    changed = [_unlocked(unit, free) for unit in field.units if unit.locked_with]
    return field.changed(*changed) if changed else field


def _unlocked(unit: Any, free: set[str]) -> Any:
    left = () if unit.name in free else tuple(name for name in unit.locked_with if name not in free)
    return replace(unit, locked_with=left)
