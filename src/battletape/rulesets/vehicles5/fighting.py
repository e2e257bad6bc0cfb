"""Close combat in a battle: assaults on machines, and fights with walkers that go on round after round."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from msgspec import Meta
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.errors import Refused
from battletape.procedure import Procedure
from battletape.rulesets.vehicles5 import assault
from battletape.rulesets.vehicles5.attackers import Assault, goals_of, refuse_assault, refuse_grenade
from battletape.rulesets.vehicles5.charging import Clash, charge, goals_in_contact, nearest_of, refuse_charge
from battletape.rulesets.vehicles5.field import Field, Machine, Squad, Unitlike, things_of
from battletape.rulesets.vehicles5.marching import fall_back
from battletape.rulesets.vehicles5.melee import blows_at, foot_of, grenade_of, walker_of
from battletape.rulesets.vehicles5.orders import (
    OneUnit,
    about,
    aftermath,
    chronicle,
    departure,
    enemies,
    mine,
    over,
    tidy,
)
from battletape.rulesets.vehicles5.ruin import clear_ruins, foresee_ruins
from battletape.rulesets.vehicles5.walker_fight import ROUND, Fight, Foot
from battletape.system import Action, Measure
from battletape.table.distances import gap
from battletape.tape import Tape


class Round(OneUnit, frozen=True):
    """Those who are locked in a fight strike again; a squad that wants to use grenades is the one to name."""

    grenade: Annotated[str, Meta(title="Grenades used in place of blows")] = ""
    grenadiers: Annotated[int, Meta(title="Models that use them (0 = all who strike)", ge=0, le=100)] = 0


# --- the blows ------------------------------------------------------------------------------------------------------


def begin_assault(field: Field, order: Assault) -> Clash:
    """Ready to charge."""
    unit, target = field.find(order.unit), field.find(order.target)
    grenade = grenade_of(unit, order.grenade) if order.grenade and isinstance(unit, Squad) else ""
    return Clash(field, unit.name, target.name, goals_of(unit, target, order), grenade, order.grenadiers)


@clause("V5-ASLT-6", "V5-ASLT-8", "V5-WALK-8")
def come_to_blows(tape: Tape, work: Clash) -> Clash:
    """Strike: at a machine once and for all, with a walker a round of a fight."""
    if not work.contact:
        return work
    field = work.field
    unit, target = field.find(work.unit), field.find(work.target)
    if isinstance(target, Squad) or target.traits.walker:
        fought: Clash = tape.call(fight_round, work)
        return fought
    (stage,) = assault.assaulting(target.traits, field.rules)
    blows = blows_at(field, unit, target, work)
    after = tape.call(stage, assault.begin_melee(field.fresh(target), blows)).now
    return replace(work, field=field.changed(field.damaged(target, after)))


@clause("V5-WALK-8", "V5-WALK-12", "V5-CORE-16")
def fight_round(tape: Tape, work: Clash) -> Clash:
    """One round between a walker and its foe."""
    field = work.field
    unit, target = field.find(work.unit), field.find(work.target)
    walker, foe = (unit, target) if isinstance(unit, Machine) else (target, unit)
    assert isinstance(walker, Machine)
    before = _begin_fight(field, walker, foe, work, walker is unit)
    after = before
    for stage in ROUND:
        after = tape.call(stage, after)
    field = _after_fight(field, walker, foe, before, after)
    if after.over == "foe_fled":
        field = tape.call(fall_back, field, foe.name)
    return replace(work, field=field)


def _begin_fight(field: Field, walker: Machine, foe: Unitlike, work: Clash, walker_acts: bool) -> Fight:
    own = field.condition(walker)
    charges: Literal["walker", "foe", "nobody"] = "nobody"
    if work.charges:
        charges = "walker" if walker_acts else "foe"
    common: dict[str, Any] = {"sides": (walker.side, foe.side), "rules": field.rules}
    if isinstance(foe, Machine):
        other = field.condition(foe)
        return Fight(walker_of(walker), walker_of(foe), charges, own, own, foe_walker=other, **common)
    count, hurt = len(foe.models), foe.wounds_lost
    foot: Foot = foot_of(foe, walker, work)
    return Fight(walker_of(walker), foot, charges, own, own, models=count, hurt=hurt, fielded=count, **common)


def _after_fight(field: Field, walker: Machine, foe: Unitlike, before: Fight, after: Fight) -> Field:
    own = _struck(field, walker, before.walker, after.walker)
    other: Any
    if isinstance(foe, Machine):
        assert before.foe_walker is not None
        assert after.foe_walker is not None
        other = _struck(field, foe, before.foe_walker, after.foe_walker)
    else:
        other = replace(foe, models=foe.models[: after.models], wounds_lost=after.hurt if after.models else 0)
    locked = not after.over
    won, lost = after.over in ("foe_destroyed", "foe_fled", "foe_swept"), after.over == "walker_destroyed"
    own = replace(own, locked_with=(foe.name,) if locked else (), fought=True, consolidates=won)
    other = replace(other, locked_with=(walker.name,) if locked else (), fought=True, consolidates=lost)
    return field.changed(own, other)


def _struck(field: Field, machine: Machine, before: Any, after: Any) -> Machine:
    return field.damaged(machine, after, before)


# --- later rounds ---------------------------------------------------------------------------------------------------


@clause("V5-WALK-8", "V5-CORE-16", "V5-ASLT-4")
def refuse_fight(field: Field, order: Round) -> Refused | None:
    """Why there is no round to fight: in each Assault phase, of either side, those who are locked fight once."""
    unit, ended = field.find(order.unit), over(field)
    if ended is not None:
        return Refused(f"the battle is over: {ended}", "V5-CORE-16", "over")
    if field.phase != "assault":
        return Refused(f"fights go on in the assault phase; it is the {field.phase} phase", "V5-CORE-16", "phase")
    if not unit.locked_with:
        return Refused(f"{unit.name}: locked in no fight", "V5-WALK-8", "locked")
    if unit.fought:
        return Refused(f"{unit.name}: fought already in this phase", "V5-CORE-16", "fought")
    return refuse_grenade(unit, order.grenade, order.grenadiers)


def begin_fight(field: Field, order: Round) -> Clash:
    """The next round of a fight."""
    unit = field.find(order.unit)
    grenade = grenade_of(unit, order.grenade) if order.grenade and isinstance(unit, Squad) else ""
    return Clash(field, unit.name, unit.locked_with[0], (), grenade, order.grenadiers, charges=False)


@clause("V5-WALK-14", "V5-CORE-16")
def pile_in(tape: Tape, work: Clash) -> Clash:
    """Soldiers who lost touch with the walker close up again."""
    unit, target = work.field.find(work.unit), work.field.find(work.target)
    squad, other = (unit, target) if isinstance(unit, Squad) else (target, unit)
    if isinstance(squad, Squad) and gap(*nearest_of(squad, other)) > 0:
        goals = goals_in_contact(squad, other)
        if refuse_charge(work.field, squad, other, goals) is None:
            models = tuple(replace(one, centre=goal) for one, goal in zip(squad.models, goals, strict=True))
            return replace(work, field=work.field.changed(replace(squad, models=models)), contact=True)
    return replace(work, contact=True)


# --- the cards ------------------------------------------------------------------------------------------------------

ASSAULTING = Procedure("assault", (charge, come_to_blows, clear_ruins))
FIGHTING = Procedure("fight", (pile_in, fight_round, clear_ruins))
ASSAULTING_FORECAST = Procedure("assault", (charge, come_to_blows, foresee_ruins))
FIGHTING_FORECAST = Procedure("fight", (pile_in, fight_round, foresee_ruins))


def _assaults(field: Field) -> Iterator[Assault]:
    for one in mine(field, "assault"):
        if not things_of(one) or (isinstance(one, Squad) and one.aboard):
            continue
        for target in enemies(field):
            if gap(*nearest_of(one, target)) <= assault.REACH:
                yield Assault(unit=one.name, target=target.name)
                if isinstance(one, Squad):
                    grenades = (Assault(unit=one.name, target=target.name, grenade=it) for it in one.profile.grenades)
                    yield from grenades


def _locked(field: Field) -> Iterator[Round]:
    if field.phase == "assault":
        for one in field.units:
            if one.locked_with and not one.is_gone:
                yield Round(unit=one.name)
                if isinstance(one, Squad):
                    yield from (Round(unit=one.name, grenade=it) for it in one.profile.grenades)


def _gone(work: Clash) -> int:
    return int(work.field.find(work.target).is_gone)


def _own_gone(work: Clash) -> int:
    return int(work.field.find(work.unit).is_gone)


MEASURES = (
    Measure("target_gone", "Target destroyed", _gone),
    Measure("own_gone", "Attacker destroyed", _own_gone),
    Measure("contact", "Came into contact", lambda work: int(work.contact)),
)
ASSAULT = Action(
    "assault",
    "Charge and strike",
    Assault,
    refuse_assault,
    begin_assault,
    ASSAULTING,
    lambda field, order, work: tidy(work.field),
    _assaults,
    measures=MEASURES,
    about=about,
    opens=departure,
    tell=aftermath,
    clauses=("V5-ASLT-1", "V5-ASLT-6", "V5-WALK-8"),
)
FIGHT = Action(
    "fight",
    "Fight the next round of a fight",
    Round,
    refuse_fight,
    begin_fight,
    FIGHTING,
    lambda field, order, work: tidy(work.field),
    _locked,
    measures=MEASURES[:2],
    about=about,
    tell=chronicle,
    clauses=("V5-WALK-8", "V5-CORE-16"),
)
