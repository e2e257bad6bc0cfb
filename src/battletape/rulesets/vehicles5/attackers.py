"""Who may assault whom in a battle, and with what."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from battletape.clauses import clause
from battletape.errors import Refused, UnknownName
from battletape.inputs import Inputs
from battletape.rulesets.vehicles5 import assault, walkers
from battletape.rulesets.vehicles5.boarding import exit_of
from battletape.rulesets.vehicles5.charging import goals_in_contact, refuse_charge
from battletape.rulesets.vehicles5.field import Field, Machine, Squad, Unitlike
from battletape.rulesets.vehicles5.firing import refuse_charge_after
from battletape.rulesets.vehicles5.orders import Spot, points, refuse_gone, refuse_squad, refuse_turn
from battletape.rulesets.vehicles5.words import plural
from battletape.table.points import Point


class Assault(Inputs, frozen=True):
    """A squad or a walker charges a unit and strikes."""

    unit: str = ""
    target: str = ""
    places: Annotated[tuple[Spot, ...], Meta(title="Where each model ends its charge")] = ()
    grenade: Annotated[str, Meta(title="Grenades used in place of blows")] = ""
    grenadiers: Annotated[int, Meta(title="Models that use them (0 = all who strike)", ge=0, le=100)] = 0


@clause("V5-ASLT-1", "V5-CORE-16", "V5-WALK-6", "V5-WALK-7")
def refuse_assault(field: Field, order: Assault) -> Refused | None:
    """Why a unit may not assault this target."""
    refused = refuse_turn(field, order.unit, "assault")
    if refused is not None:
        return refused
    unit, target = field.find(order.unit), field.find(order.target)
    if unit.fought or unit.locked_with:
        return Refused(f"{unit.name}: fought already, or locked in a fight", "V5-WALK-8", "locked")
    refused = _refuse_attacker(field, unit, target)
    if refused is None and target.locked_with:
        refused = Refused(f"{target.name}: locked in a fight; this battle knows fights of two", "V5-WALK-8", "locked")
    if refused is None and isinstance(target, Squad):
        refused = _refuse_squad_as_target(unit, target)
    if refused is None:
        refused = refuse_grenade(unit, order.grenade, order.grenadiers)
    return refused or refuse_charge(field, unit, target, goals_of(unit, target, order))


def _refuse_attacker(field: Field, unit: Unitlike, target: Unitlike) -> Refused | None:
    own = unit.side == target.side
    if isinstance(unit, Squad):
        refused = refuse_squad(field, unit)
        if refused is None and unit.ran:
            refused = Refused(f"{unit.name}: ran already in this turn", "V5-CORE-16", "ran")
        if refused is None and unit.fired_slow:
            refused = refuse_charge_after(unit.ways(unit.fired_slow)[0])
        return refused or assault.refuse_assault(own, True, exit_of(field, unit), target.is_gone)
    if not unit.traits.walker:
        return Refused(f"{unit.name} does not fight; tanks charge by tank shock and ram", "V5-WALK-6", "type")
    same = unit.fired_at in ("", target.name)
    state = field.condition(unit).state
    refused = walkers.refuse_walker(
        "assault", fired=bool(unit.fired_at), target_is_fired_unit=same, ran=unit.ran, state=state, rules=field.rules
    )
    return refused or assault.refuse_assault(own, True, None, target.is_gone)


def _refuse_squad_as_target(unit: Unitlike, target: Squad) -> Refused | None:
    if isinstance(unit, Squad):
        return Refused("squads against squads are not part of these rules; machines can be assaulted", "V5-ASLT-1")
    if target.aboard:
        return Refused(f"{target.name}: aboard {target.aboard}", "V5-TRAN-2", "aboard")
    return refuse_gone(target)


@clause("V5-ASLT-4")
def refuse_grenade(unit: Unitlike, name: str, grenadiers: int = 0) -> Refused | None:
    """Why a unit cannot use this grenade, or not with so many models."""
    if not name:
        reason = f"grenadiers wants to know which grenade the {plural(grenadiers, 'model')} will use"
        return Refused(f"{reason}: name it with grenade", "V5-ASLT-4", "grenade") if grenadiers else None
    models = len(unit.models) if isinstance(unit, Squad) else 0
    known = unit.profile.grenades if isinstance(unit, Squad) else ()
    if name.strip().lower() in (one.lower() for one in known):
        if grenadiers <= models:
            return None
        reason = f"{unit.name}: {plural(models, 'model')} left, so grenadiers wants {models} at most; got {grenadiers}"
        return Refused(reason, "V5-ASLT-4", "grenadiers")
    if not known:
        return Refused(f"{unit.name}: no grenades", "V5-ASLT-4", "grenade")
    raise UnknownName("grenade", name, known, source=unit.name)


def goals_of(unit: Unitlike, target: Unitlike, order: Assault) -> tuple[Point, ...]:
    """Where the models of a squad end its charge."""
    if isinstance(unit, Machine):
        return ()
    return points(order.places) if order.places else goals_in_contact(unit, target)
