"""Flames in a battle (`flame`): everybody in the arc is struck, friend or foe."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.errors import Refused
from battletape.rulesets.deathwatch.battle.acting import FIRST_IN_HAND, AnyFoe, Who, refuse_target, with_blows
from battletape.rulesets.deathwatch.battle.attack.prepare import (
    Circumstances,
    draft_of,
    exchange_of,
    gun_of,
    onslaught_of,
    refuse_gun,
    refuse_shooter,
    situation_of,
    spec_of,
)
from battletape.rulesets.deathwatch.battle.outcome import fired
from battletape.rulesets.deathwatch.battle.start import Bearing
from battletape.rulesets.deathwatch.battle.state import Fighter, Held, Mob, State, Unit, apart, bearing
from battletape.rulesets.deathwatch.rules.attack.exchange import Blow, Exchange
from battletape.rulesets.deathwatch.rules.attack.modifiers import refuse_range
from battletape.rulesets.deathwatch.rules.blasts import in_flames


class Flaming(Circumstances, frozen=True):
    """Flames towards a bearing, or towards somebody."""

    unit: Who = ""
    weapon: Annotated[str, Meta(title=FIRST_IN_HAND, extra={"role": "flamer"})] = ""
    target: AnyFoe = ""
    direction: Annotated[Bearing, Meta(title="Which way, if no target is named")] = 0.0


@clause("DW-QUAL-FLAME", "DW-HORDE-12")
def refuse_flame(state: State, order: Flaming) -> Refused | None:
    """Why nobody can be set on fire so."""
    refused = refuse_shooter(state, order.unit, "Standard Attack")
    if refused is not None:
        return refused
    who, held = gun_of(state, order.unit, order.weapon)
    refused = refuse_gun(state, who, held, "single")
    if refused is None and order.target.strip():
        refused = refuse_target(state, who, order.target)
    if refused is not None:
        return refused
    if not held.qualities.flame:
        return Refused(f"{held.name} throws no flames; use shoot", "DW-QUAL-FLAME", "kind")
    if order.target.strip():
        return refuse_range(held.name, held.fired.range, apart(who, state.find(order.target)), flame=True)
    return None


def in_arc(state: State, who: Fighter, held: Held, order: Flaming) -> list[Unit]:
    """Everybody in the arc of the flames, friend or foe; the one they are thrown at first."""
    aimed = state.find(order.target) if order.target.strip() else None
    way = order.direction if aimed is None else bearing(who, aimed.x, aimed.y)
    caught = [
        unit
        for unit in state.present
        if unit.name != who.name and in_flames(apart(who, unit), bearing(who, unit.x, unit.y) - way, held.fired.range)
    ]
    return sorted(caught, key=lambda unit: (unit is not aimed, apart(who, unit), unit.name))


def begin_flame(state: State, order: Flaming) -> Exchange:
    """The flames about to be thrown: everybody in the arc makes a test."""
    who, held = gun_of(state, order.unit, order.weapon)
    struck = in_arc(state, who, held, order)
    blows = []
    for unit in struck:
        situation = situation_of(state, who, held, unit, "", order)
        draft = draft_of(state, who, held, situation, "single", None, unit)
        blow = Blow(who.name, unit.name, held.name, how="flame")
        if isinstance(unit, Mob):
            blows.append(replace(blow, how="", onslaught=onslaught_of(state, held, draft, unit, "flame")))
        else:
            blows.append(replace(blow, spec=spec_of(state, draft, held.fired.qualities, unit, who)))
    return exchange_of(state, who, tuple(blows), tuple(unit.name for unit in struck))


def finish_flame(state: State, order: Flaming, exchange: Exchange) -> State:
    """One round is spent."""
    who, held = gun_of(state, order.unit, order.weapon)
    return fired(state, who, held, "single", "Standard Attack", exchange)


FLAME = with_blows(
    "flame",
    "Throw flames",
    Flaming,
    refuse_flame,
    begin_flame,
    finish_flame,
    *("DW-QUAL-FLAME", "DW-HORDE-12"),
)
