"""Blasts in a battle (`blast`): everybody within reach is struck, friend or foe."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from battletape.clauses import clause
from battletape.errors import Refused
from battletape.rulesets.deathwatch.battle.acting import FIRST_IN_HAND, AnyFoe, Who, refuse_target, with_blows
from battletape.rulesets.deathwatch.battle.attack.prepare import (
    ADDS,
    NAMES,
    Circumstances,
    burn_of,
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
from battletape.rulesets.deathwatch.battle.start import Place
from battletape.rulesets.deathwatch.battle.state import Fighter, Held, Mob, State, Unit, apart, bearing
from battletape.rulesets.deathwatch.profiles.types import Character
from battletape.rulesets.deathwatch.rules.attack.exchange import Blow, Caught, Exchange
from battletape.rulesets.deathwatch.rules.attack.modifiers import refuse_range
from battletape.rulesets.deathwatch.rules.attack.records import AttackDraft
from battletape.rulesets.deathwatch.rules.traits import Mode

FARTHEST_SCATTER = 10  # metres


class Blasting(Circumstances, frozen=True):
    """A weapon that bursts, fired at somebody or, without a target, at a place."""

    unit: Who = ""
    weapon: Annotated[str, Meta(title=FIRST_IN_HAND, extra={"role": "bursting gun"})] = ""
    target: AnyFoe = ""
    mode: Annotated[Mode, Meta(title="Fire mode", extra={"clause": "DW-RWEP-00"})] = "single"
    x: Place = 0.0
    y: Place = 0.0


@clause("DW-QUAL-BLAST", "DW-RANGE-1")
def refuse_blast(state: State, order: Blasting) -> Refused | None:
    """Why such a weapon cannot be fired there."""
    refused = refuse_shooter(state, order.unit, NAMES[order.mode])
    if refused is not None:
        return refused
    who, held = gun_of(state, order.unit, order.weapon)
    refused = refuse_gun(state, who, held, order.mode)
    if refused is None and order.target.strip():
        refused = refuse_target(state, who, order.target)
    if refused is not None:
        return refused
    if not held.qualities.blast:
        return Refused(f"{held.name} does not burst; use shoot", "DW-QUAL-BLAST", "kind")
    return refuse_range(held.name, held.fired.range, apart(who, _aimed_at(state, order)))


def _aimed_at(state: State, order: Blasting) -> Unit:
    """The target, or a stand-in for the ground that is aimed at."""
    if order.target.strip():
        return state.find(order.target)
    return Fighter(name="", side="", profile=Character(), x=order.x, y=order.y)


def begin_blast(state: State, order: Blasting) -> Exchange:
    """The shot about to be fired, with everybody whom it may reach wherever it lands."""
    who, held = gun_of(state, order.unit, order.weapon)
    target = _aimed_at(state, order)
    situation = situation_of(state, who, held, target, ADDS[order.mode], order)
    draft = draft_of(state, who, held, situation, order.mode, None, target)
    reach = held.qualities.blast + FARTHEST_SCATTER
    near = [unit for unit in state.present if apart(unit, target) <= reach]
    names = held.fired.qualities
    if isinstance(target, Mob):
        spec = onslaught_of(state, held, draft, target, "shoot").spec(target.magnitude)
    else:
        spec = spec_of(state, draft, names, target, who)
    blow = Blow(
        who.name,
        target.name,
        held.name,
        spec=spec,
        how="blast",
        caught=tuple(_caught(state, who, held, draft, unit) for unit in near),
        at=(target.x, target.y),
        bearing=bearing(who, target.x, target.y),
        burn=burn_of(state, who, held, draft),
        haywire=held.qualities.haywire,
    )
    first = (target.name,) if target.name else ()
    return exchange_of(state, who, (blow,), (*first, *(unit.name for unit in near)))


def _caught(state: State, who: Fighter, held: Held, draft: AttackDraft, unit: Unit) -> Caught:
    if isinstance(unit, Mob):
        return Caught(unit.name, unit.x, unit.y, onslaught=onslaught_of(state, held, draft, unit, "shoot"))
    return Caught(unit.name, unit.x, unit.y, spec_of(state, draft, held.fired.qualities, unit, who))


def finish_blast(state: State, order: Blasting, exchange: Exchange) -> State:
    """Rounds are spent."""
    who, held = gun_of(state, order.unit, order.weapon)
    return fired(state, who, held, order.mode, NAMES[order.mode], exchange)


BLAST = with_blows(
    "blast",
    "Fire a weapon that bursts",
    Blasting,
    refuse_blast,
    begin_blast,
    finish_blast,
    *("DW-QUAL-BLAST", "DW-SCAT-2"),
)
