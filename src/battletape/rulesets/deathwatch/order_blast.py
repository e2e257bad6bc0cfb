"""Blasts and flames in a battle: everybody within reach is struck, friend or foe."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.errors import Refused
from battletape.rulesets.deathwatch.blasts import in_flames
from battletape.rulesets.deathwatch.field import Field, Fighter, Held, Mob, Unit, apart, bearing
from battletape.rulesets.deathwatch.gunners import (
    ADDS,
    NAMES,
    burn_of,
    fired,
    gun_of,
    guns_of,
    refuse_gun,
    refuse_shooter,
    work_of,
)
from battletape.rulesets.deathwatch.matchups import Circumstances, aim_of, onslaught_of, situation_of, spec_of
from battletape.rulesets.deathwatch.modifiers import refuse_range
from battletape.rulesets.deathwatch.orders import Who, refuse_target, with_blows
from battletape.rulesets.deathwatch.setup import Bearing, Place
from battletape.rulesets.deathwatch.shapes import Character
from battletape.rulesets.deathwatch.specs import Aim
from battletape.rulesets.deathwatch.traits import Mode
from battletape.rulesets.deathwatch.work import Blow, Caught, Work

FARTHEST_SCATTER = 10  # metres


class Blasting(Circumstances, frozen=True):
    """A weapon that bursts, fired at somebody or, without a target, at a place."""

    unit: Who = ""
    weapon: Annotated[str, Meta(title="Weapon; the first in hand if left out")] = ""
    target: str = ""
    mode: Annotated[Mode, Meta(title="Fire mode", extra={"clause": "DW-RWEP-00"})] = "single"
    x: Place = 0.0
    y: Place = 0.0


class Flaming(Circumstances, frozen=True):
    """Flames towards a bearing, or towards somebody."""

    unit: Who = ""
    weapon: Annotated[str, Meta(title="Weapon; the first in hand if left out")] = ""
    target: str = ""
    direction: Annotated[Bearing, Meta(title="Which way, if no target is named")] = 0.0


# --- blasts -----------------------------------------------------------------------------------------------------------


@clause("DW-QUAL-BLAST", "DW-RANGE-1")
def refuse_blast(field: Field, order: Blasting) -> Refused | None:
    """Why such a weapon cannot be fired there."""
    refused = refuse_shooter(field, order.unit, NAMES[order.mode])
    if refused is not None:
        return refused
    who, held = gun_of(field, order.unit, order.weapon)
    refused = refuse_gun(field, who, held, order.mode)
    if refused is None and order.target.strip():
        refused = refuse_target(field, who, order.target)
    if refused is not None:
        return refused
    if not held.qualities.blast:
        return Refused(f"{held.name} does not burst; use shoot", "DW-QUAL-BLAST", "kind")
    return refuse_range(held.name, held.fired.range, apart(who, _aimed_at(field, order)))


def _aimed_at(field: Field, order: Blasting) -> Unit:
    """The target, or a stand-in for the ground that is aimed at."""
    if order.target.strip():
        return field.find(order.target)
    return Fighter(name="", side="", profile=Character(), x=order.x, y=order.y)


def begin_blast(field: Field, order: Blasting) -> Work:
    """The shot about to be fired, with everybody whom it may reach wherever it lands."""
    who, held = gun_of(field, order.unit, order.weapon)
    target = _aimed_at(field, order)
    situation = situation_of(field, who, held, target, ADDS[order.mode], order)
    aim = aim_of(field, who, held, situation, order.mode, None, target)
    reach = held.qualities.blast + FARTHEST_SCATTER
    near = [one for one in field.present if apart(one, target) <= reach]
    names = held.fired.qualities
    if isinstance(target, Mob):
        spec = onslaught_of(field, held, aim, target, "shoot").spec(target.magnitude)
    else:
        spec = spec_of(field, aim, names, target, who)
    blow = Blow(
        who.name,
        target.name,
        held.name,
        spec=spec,
        how="blast",
        caught=tuple(_caught(field, who, held, aim, one) for one in near),
        at=(target.x, target.y),
        bearing=bearing(who, target.x, target.y),
        burn=burn_of(field, who, held, aim),
        haywire=held.qualities.haywire,
    )
    first = (target.name,) if target.name else ()
    return work_of(field, who, (blow,), (*first, *(one.name for one in near)))


def _caught(field: Field, who: Fighter, held: Held, aim: Aim, one: Unit) -> Caught:
    if isinstance(one, Mob):
        return Caught(one.name, one.x, one.y, onslaught=onslaught_of(field, held, aim, one, "shoot"))
    return Caught(one.name, one.x, one.y, spec_of(field, aim, held.fired.qualities, one, who))


def finish_blast(field: Field, order: Blasting, work: Work) -> Field:
    """Rounds are spent."""
    who, held = gun_of(field, order.unit, order.weapon)
    return fired(field, who, held, order.mode, NAMES[order.mode], work)


# --- flames -----------------------------------------------------------------------------------------------------------


@clause("DW-QUAL-FLAME", "DW-HORDE-12")
def refuse_flame(field: Field, order: Flaming) -> Refused | None:
    """Why nobody can be set on fire so."""
    refused = refuse_shooter(field, order.unit, "Standard Attack")
    if refused is not None:
        return refused
    who, held = gun_of(field, order.unit, order.weapon)
    refused = refuse_gun(field, who, held, "single")
    if refused is None and order.target.strip():
        refused = refuse_target(field, who, order.target)
    if refused is not None:
        return refused
    if not held.qualities.flame:
        return Refused(f"{held.name} throws no flames; use shoot", "DW-QUAL-FLAME", "kind")
    if order.target.strip():
        return refuse_range(held.name, held.fired.range, apart(who, field.find(order.target)), flame=True)
    return None


def in_arc(field: Field, who: Fighter, held: Held, order: Flaming) -> list[Unit]:
    """Everybody in the arc of the flames, friend or foe; the one they are thrown at first."""
    aimed = field.find(order.target) if order.target.strip() else None
    way = order.direction if aimed is None else bearing(who, aimed.x, aimed.y)
    found = [
        one
        for one in field.present
        if one.name != who.name and in_flames(apart(who, one), bearing(who, one.x, one.y) - way, held.fired.range)
    ]
    return sorted(found, key=lambda one: (one is not aimed, apart(who, one), one.name))


def begin_flame(field: Field, order: Flaming) -> Work:
    """The flames about to be thrown: everybody in the arc tests for himself."""
    who, held = gun_of(field, order.unit, order.weapon)
    struck = in_arc(field, who, held, order)
    blows = []
    for one in struck:
        situation = situation_of(field, who, held, one, "", order)
        aim = aim_of(field, who, held, situation, "single", None, one)
        blow = Blow(who.name, one.name, held.name, how="flame")
        if isinstance(one, Mob):
            blows.append(replace(blow, how="", onslaught=onslaught_of(field, held, aim, one, "flame")))
        else:
            blows.append(replace(blow, spec=spec_of(field, aim, held.fired.qualities, one, who)))
    return work_of(field, who, tuple(blows), tuple(one.name for one in struck))


def finish_flame(field: Field, order: Flaming, work: Work) -> Field:
    """One round is spent."""
    who, held = gun_of(field, order.unit, order.weapon)
    return fired(field, who, held, "single", "Standard Attack", work)


def _blasts(field: Field) -> Iterator[Blasting]:
    for who, held in guns_of(field, blast=True):
        for target in field.foes(who.side):
            yield Blasting(unit=who.name, weapon=held.name, target=target.name)


def _flames(field: Field) -> Iterator[Flaming]:
    for who, held in guns_of(field, flame=True):
        for target in field.foes(who.side):
            yield Flaming(unit=who.name, weapon=held.name, target=target.name)


BLAST = with_blows(
    "blast",
    "Fire a weapon that bursts",
    Blasting,
    refuse_blast,
    begin_blast,
    finish_blast,
    _blasts,
    *("DW-QUAL-BLAST", "DW-SCAT-2"),
)
FLAME = with_blows(
    "flame",
    "Throw flames",
    Flaming,
    refuse_flame,
    begin_flame,
    finish_flame,
    _flames,
    *("DW-QUAL-FLAME", "DW-HORDE-12"),
)
