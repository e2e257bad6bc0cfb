"""How a battle is shown: whose turn it is, and tables of machines, squads and ground."""

from __future__ import annotations

from collections.abc import Iterable

from battletape.rulesets.vehicles5.battle.state import Field, Machine, Squad
from battletape.rulesets.vehicles5.rules.damage import wear
from battletape.system import Table
from battletape.words import plain, plural


def show(field: Field) -> Iterable[Table]:
    """Machines, squads and the ground."""
    head = ("machine", "side", "place", "heading", "armour", "speed", "condition", "weapons", "notes")
    yield Table("Machines", head, tuple(_machine_row(field, machine) for machine in field.machines))
    about = ("squad", "side", "models", "place", "save", "Ld", "notes")
    yield Table("Squads", about, tuple(_squad_row(field, squad) for squad in field.squads))
    rows = tuple(
        (ground.name, ground.kind, f"{ground.cover}+" if ground.cover else "-", f"{ground.top:g}")
        for ground in field.grounds
    )
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
