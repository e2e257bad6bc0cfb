"""The battle itself: phases and player turns, what ends with them, and how it is shown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from battletape.clauses import clause
from battletape.errors import Refused
from battletape.rulesets.vehicles5.boarding import DISEMBARK, EMBARK
from battletape.rulesets.vehicles5.colliding import RAM_ACTION
from battletape.rulesets.vehicles5.driving import DRIVE
from battletape.rulesets.vehicles5.field import Field, Machine, Squad
from battletape.rulesets.vehicles5.fighting import ASSAULT, FIGHT
from battletape.rulesets.vehicles5.gunnery import FIRE_ACTION, PIVOT
from battletape.rulesets.vehicles5.marching import MOVE_UNIT
from battletape.rulesets.vehicles5.musketry import SHOOT_UNIT
from battletape.rulesets.vehicles5.orders import Nothing, at_once, over
from battletape.rulesets.vehicles5.plight import wear
from battletape.rulesets.vehicles5.pushing import TANK_SHOCK_ACTION
from battletape.rulesets.vehicles5.running import CONSOLIDATE, FALL_BACK, RUN
from battletape.rulesets.vehicles5.setup import Start, begin_field, fill_start, sample
from battletape.rulesets.vehicles5.steering import SMOKE, STAND, TURN
from battletape.rulesets.vehicles5.traits import PHASES
from battletape.rulesets.vehicles5.words import plain, plural
from battletape.system import BattleRules, Table


@clause("V5-CORE-16", "V5-CORE-20")
def refuse_end(field: Field, order: Nothing) -> Refused | None:
    """Why a phase cannot end yet: somebody on the run has to fall back, or those locked in a fight have to fight."""
    ended = over(field)
    if ended is not None:
        return Refused(f"the battle is over: {ended}", "V5-CORE-16", "over")
    for one in field.squads:
        waits = one.side == field.active and one.falling_back and not one.fell_back and not one.is_gone
        if waits and field.phase == "movement":
            return Refused(f"{one.name} is on the run and has to fall back first", "V5-CORE-20", "falling_back")
    for unit in field.units:
        if field.phase == "assault" and unit.locked_with and not unit.fought and not unit.is_gone:
            return Refused(f"{unit.name}: locked in a fight that comes first", "V5-CORE-16", "fight")
    return None


@clause("V5-CORE-16")
def refuse_end_turn(field: Field, order: Nothing) -> Refused | None:
    """Why a player turn cannot end yet: what holds for a phase, and fights of the Assault phase that is left out."""
    refused = refuse_end(field, order)
    if refused is None and field.phase != "assault" and any(one.locked_with for one in field.units):
        return Refused("there are fights to fight in the assault phase; end this phase first", "V5-CORE-16", "fight")
    return refused


@clause("V5-CORE-16")
def end_phase(field: Field, order: Nothing) -> Field:
    """The next phase, or the other player's turn after the last."""
    at = PHASES.index(field.phase) + 1
    if at == len(PHASES):
        return end_turn(field, order)
    return clear_smoke(replace(field, phase=PHASES[at]))


@clause("V5-CORE-16", "V5-DMG-1", "V5-DMG-2", "V5-SMOKE-3")
def end_turn(field: Field, order: Nothing) -> Field:
    """The turn goes over to the other player: effects that end with it are gone, and his units are fresh."""
    following = field.other_side(field.active)
    machines = tuple(expired(one, field.turn) for one in field.machines)
    squads = tuple(risen(one, field.turn) for one in field.squads)
    field = replace(field, machines=machines, squads=squads, active=following, turn=field.turn + 1, phase="movement")
    return clear_smoke(field.changed(*(fresh(one) for one in field.units if one.side == following and not one.is_gone)))


@clause("V5-DMG-1", "V5-DMG-2")
def expired(machine: Machine, turn: int) -> Machine:
    """A machine when a player turn ends: shaken and stunned are over if this was the turn they lasted to."""
    shaken = machine.shaken_until if machine.shaken_until > turn else 0
    stunned = machine.stunned_until if machine.stunned_until > turn else 0
    return replace(machine, shaken_until=shaken, stunned_until=stunned, fought=False, consolidates=False)


@clause("V5-CORE-6")
def risen(squad: Squad, turn: int) -> Squad:
    """A squad when a player turn ends: pinned soldiers stand up after the turn they lost."""
    until = squad.pinned_until if squad.pinned_until > turn else 0
    return replace(squad, pinned_until=until, fought=False, consolidates=False)


@clause("V5-SMOKE-3")
def clear_smoke(field: Field) -> Field:
    """Smoke that has blown away is forgotten; the launchers stay empty."""
    gone = [one for one in field.machines if one.smoke_turn and not field.in_smoke(one)]
    return field.changed(*(replace(one, smoke_turn=0) for one in gone)) if gone else field


def fresh(unit: Machine | Squad) -> Machine | Squad:
    """A unit at the beginning of its own turn: what it did in the last one no longer counts."""
    if isinstance(unit, Machine):
        return replace(
            unit,
            band="stationary",
            assault_band="stationary",
            path=0.0,
            displacement=0.0,
            on_road=False,
            moved=False,
            pivoted=False,
            declared="normal",
            ran=False,
            fired_at="",
            exit_after_move=False,
            finished_move=False,
        )
    return replace(
        unit,
        boarded=False,
        left="",
        left_from="",
        moved=False,
        ran=False,
        fired_at="",
        fired_slow="",
        fell_back=False,
    )


# --- what is shown --------------------------------------------------------------------------------------------------


def where(field: Field) -> Mapping[str, str]:
    """Turn, phase and whose turn it is."""
    return {"turn": str(field.turn), "phase": field.phase, "side": field.active}


def show(field: Field) -> Iterable[Table]:
    """Machines, squads and the ground."""
    head = ("machine", "side", "place", "heading", "armour", "speed", "condition", "weapons", "notes")
    yield Table("Machines", head, tuple(_machine_row(field, one) for one in field.machines))
    about = ("squad", "side", "models", "place", "save", "Ld", "notes")
    yield Table("Squads", about, tuple(_squad_row(field, one) for one in field.squads))
    rows = tuple((one.name, one.kind, f"{one.cover}+" if one.cover else "-", f"{one.top:g}") for one in field.grounds)
    yield Table("Ground", ("name", "kind", "cover", "height"), rows)


def _machine_row(field: Field, one: Machine) -> tuple[str, ...]:
    place = "-" if one.condition.status == "exploded" else f"{one.hull.centre.x:.1f}, {one.hull.centre.y:.1f}"
    notes = [f"carries {squad.name}" for squad in field.passengers(one)]
    notes += ["in smoke"] if field.in_smoke(one) else []
    notes += [f"fights {one.locked_with[0]}"] if one.locked_with else []
    notes += [f"fired at {one.fired_at}"] if one.fired_at else []
    profile = one.profile
    return (
        one.name,
        one.side,
        place,
        f"{one.hull.heading:.0f}",
        f"{profile.front}/{profile.side}/{profile.rear}",
        plain(one.band),
        str(wear(field.condition(one))),
        ", ".join(one.condition.weapons),
        "; ".join(notes),
    )


def _squad_row(field: Field, one: Squad) -> tuple[str, ...]:
    place = f"{one.models[0].centre.x:.1f}, {one.models[0].centre.y:.1f}" if one.models else "-"
    notes = [f"fled off the table, {plural(one.fled, 'model')}"] if one.fled else []
    notes += ["on the run"] if one.falling_back and not one.fled else []
    notes += ["pinned"] if one.pinned_until >= field.turn else []
    notes += [f"fights {one.locked_with[0]}"] if one.locked_with else []
    notes += ["gone"] if one.is_lost else []
    return (
        one.name,
        one.side,
        f"{len(one.models)}/{one.profile.models}",
        f"in {one.aboard}" if one.aboard else place,
        f"{one.profile.save}+" if one.profile.save else "-",
        str(one.profile.ld),
        "; ".join(notes),
    )


def _one(field: Any) -> Iterable[Nothing]:
    return (Nothing(),)


END_PHASE = at_once("end_phase", "End the phase", Nothing, refuse_end, end_phase, _one, "V5-CORE-16", "V5-SMOKE-3")
END_TURN = at_once(
    "end_turn", "End the player turn", Nothing, refuse_end_turn, end_turn, _one, "V5-CORE-16", "V5-DMG-1", "V5-DMG-2"
)
ACTIONS = (
    *(TURN, STAND, DRIVE, TANK_SHOCK_ACTION, RAM_ACTION, SMOKE, MOVE_UNIT, FALL_BACK, EMBARK, DISEMBARK),
    *(FIRE_ACTION, SHOOT_UNIT, RUN, PIVOT),
    *(ASSAULT, FIGHT, CONSOLIDATE),
    *(END_PHASE, END_TURN),
)
BATTLE = BattleRules(
    start=Start,
    begin=begin_field,
    state=Field,
    actions=ACTIONS,
    where=where,
    show=show,
    over=over,
    sample=sample,
    fill=fill_start,
)
