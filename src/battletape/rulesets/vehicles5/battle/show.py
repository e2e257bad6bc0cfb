"""How a battle is shown: whose turn it is, and tables of machines, squads and ground."""

from __future__ import annotations

from collections.abc import Iterable

from battletape.cards import Table
from battletape.rulebook import plain, plural
from battletape.rulesets.vehicles5.battle.state import Machine, Squad, State, footprints
from battletape.rulesets.vehicles5.rules.damage import wear
from battletape.table.picture import Picture, Thing, lying, standing


def show(state: State) -> Iterable[Table]:
    """Show machines, squads and the ground."""
    head = ("machine", "side", "place", "heading", "armour", "speed", "condition", "weapons", "notes")
    yield Table("Machines", head, tuple(_machine_row(state, machine) for machine in state.machines))
    about = ("squad", "side", "models", "place", "save", "Ld", "notes")
    yield Table("Squads", about, tuple(_squad_row(state, squad) for squad in state.squads))
    rows = tuple(
        (ground.name, ground.kind, f"{ground.cover}+" if ground.cover else "-", f"{ground.top:g}")
        for ground in state.grounds
    )
    yield Table("Ground", ("name", "kind", "cover", "height"), rows)


def picture(state: State) -> Picture:
    """Draw the table with its ground, wrecks, machines and squads."""
    things: list[Thing] = [lying(ground.name, ground.ground, plain(ground.kind)) for ground in state.grounds]
    for machine in state.machines:
        if machine.condition.status == "wrecked":
            things += standing(machine.name, machine.side, footprints(machine), "plain", "wrecked")
    for unit in state.on_table():
        things += standing(unit.name, unit.side, footprints(unit), "acts" if unit.side == state.active else "target")
    return Picture("The table", tuple(things), state.board, whole=True)


def _machine_row(state: State, machine: Machine) -> tuple[str, ...]:
    at = machine.hull.centre
    place = "-" if machine.condition.status == "exploded" else f"{at.x:.1f}, {at.y:.1f}"
    notes = [f"carries {squad.name}" for squad in state.passengers(machine)]
    notes += ["in smoke"] if state.in_smoke(machine) else []
    notes += [f"fights {machine.locked_with[0]}"] if machine.locked_with else []
    notes += [f"fired at {machine.fired_at}"] if machine.fired_at else []
    profile = machine.profile
    return (
        machine.name,
        machine.side,
        place,
        f"{machine.hull.heading:.0f}",
        f"{profile.front}/{profile.side}/{profile.rear}",
        plain(machine.band),
        str(wear(state.condition(machine))),
        ", ".join(machine.condition.weapons),
        "; ".join(notes),
    )


def _squad_row(state: State, squad: Squad) -> tuple[str, ...]:
    place = f"{squad.models[0].centre.x:.1f}, {squad.models[0].centre.y:.1f}" if squad.models else "-"
    notes = [f"fled off the table, {plural(squad.fled, 'model')}"] if squad.fled else []
    notes += ["on the run"] if squad.falling_back and not squad.fled else []
    notes += ["pinned"] if squad.pinned_until >= state.turn else []
    notes += [f"fights {squad.locked_with[0]}"] if squad.locked_with else []
    notes += ["gone"] if squad.is_lost else []
    return (
        squad.name,
        squad.side,
        f"{len(squad.models)}/{squad.profile.models}",
        f"in {squad.aboard}" if squad.aboard else place,
        f"{squad.profile.save}+" if squad.profile.save else "-",
        str(squad.profile.ld),
        "; ".join(notes),
    )
