"""Suppressing fire in a battle (`suppress`), and who is pinned by it."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.errors import Refused
from battletape.rulesets.deathwatch.battle.acting import AnyGun, Who, with_blows
from battletape.rulesets.deathwatch.battle.attack.prepare import (
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
    target_of,
)
from battletape.rulesets.deathwatch.battle.outcome import fired
from battletape.rulesets.deathwatch.battle.start import Bearing
from battletape.rulesets.deathwatch.battle.state import Fighter, Held, Mob, State, Unit, apart, bearing
from battletape.rulesets.deathwatch.rules import guns, suppression
from battletape.rulesets.deathwatch.rules.attack.exchange import Blow, Caught, Exchange
from battletape.rulesets.deathwatch.rules.attack.modifiers import attack_modifiers
from battletape.rulesets.deathwatch.rules.attack.records import Guard
from battletape.rulesets.deathwatch.rules.qualities.keywords import ready
from battletape.rulesets.deathwatch.rules.traits import Mode


class Suppressing(Circumstances, frozen=True):
    """Suppressing fire along a bearing, or towards somebody."""

    unit: Who = ""
    weapon: AnyGun = ""
    target: Annotated[str, Meta(title="Towards whom", extra={"role": "foe"})] = ""
    direction: Annotated[Bearing, Meta(title="Which way, if nobody is named", extra={"clause": "DW-SUPP-1"})] = 0.0


def way_of(state: State, who: Fighter, order: Suppressing) -> float:
    """The bearing of the fire."""
    if not order.target.strip():
        return order.direction
    target = state.find(order.target)
    return bearing(who, target.x, target.y)


def pins_of(state: State, units: list[Unit]) -> tuple[tuple[str, int], ...]:
    """Who tests Willpower not to be pinned, and the target; nobody in melee does, a mob adds its Magnitude later."""
    tested = []
    for unit in units:
        if unit.engaged_with:
            continue
        if isinstance(unit, Mob):
            target = unit.profile.willpower
        else:
            will = target_of(state, unit, "wp", unit.profile.willpower)
            target = suppression.pin_target(will, rules=state.rules)
        tested.append((unit.name, target))
    return tuple(tested)


# --- suppressing fire -------------------------------------------------------------------------------------------------


@clause("DW-SUPP-1", "DW-SUPP-4", "DW-ACT-SUPPRESSING-FIRE")
def refuse_suppress(state: State, order: Suppressing) -> Refused | None:
    """Why a fighter cannot lay down suppressing fire."""
    refused = refuse_shooter(state, order.unit, "Suppressing Fire")
    if refused is not None:
        return refused
    who, held = gun_of(state, order.unit, order.weapon)
    far = refuse_far(who, held, state.find(order.target)) if order.target.strip() else None
    return refuse_bursts(state, who, held) or far


@clause("DW-SUPP-1")
def refuse_far(who: Fighter, held: Held, target: Unit) -> Refused | None:
    """Why suppressing fire does not reach this unit."""
    away, reach = apart(who, target), suppression.suppressed_reach(held.fired.range)
    if away <= reach:
        return None
    reason = f"suppressing fire reaches half the range of {held.name}, {reach:g} m; {target.name} is {away:.4g} m away"
    return Refused(reason, "DW-SUPP-1", "range")


def refuse_bursts(state: State, who: Fighter, held: Held) -> Refused | None:
    """Why this weapon cannot fire the bursts that it takes."""
    if held.weapon.melee:
        return guns.refuse_mode(held.fired, "single")
    mode: Mode = "full" if held.fired.full else "semi"
    return suppression.refuse_suppress(held.fired) or refuse_gun(state, who, held, mode)


def begin_suppress(state: State, order: Suppressing) -> Exchange:
    """The fire about to be opened, and everybody in its way."""
    who, held = gun_of(state, order.unit, order.weapon)
    return suppressing_fire(state, who, held, way_of(state, who, order), order, order.target.strip())


def suppressing_fire(
    state: State, who: Fighter, held: Held, way: float, order: Circumstances, towards: str = ""
) -> Exchange:
    """Suppressing fire along a bearing; it is measured by the unit it is meant for, else by the first enemy in it."""
    reach = held.fired.range
    struck = [
        unit
        for unit in state.present
        if unit.name != who.name
        and suppression.is_suppressed(apart(who, unit), bearing(who, unit.x, unit.y) - way, reach, state.rules)
    ]
    target = struck[0] if struck else who
    own = situation_of(state, who, held, target, "suppressing", order)
    if state.rules.suppressing_modifiers == "own_state":
        own = suppression.own_state(own)
    rof = suppression.suppressing_rof(held.fired)
    mode: Mode = "full" if held.fired.full else "semi"
    draft = draft_of(state, who, held, own, mode)
    draft = replace(draft, mode="suppress", rof=rof, modifiers=attack_modifiers(own, melee=False, rules=state.rules))
    names = held.fired.qualities
    spec = ready(draft, names, Guard(), state.rules)
    caught = tuple(
        Caught(unit.name, unit.x, unit.y, onslaught=onslaught_of(state, held, draft, unit, "shoot"))
        if isinstance(unit, Mob)
        else Caught(unit.name, unit.x, unit.y, spec_of(state, draft, names, unit, who))
        for unit in struck
    )
    blow = Blow(
        who.name,
        "",
        held.name,
        spec=spec,
        how="spray",
        caught=caught,
        pins=pins_of(state, struck),
        burn=burn_of(state, who, held, draft),
    )
    meant = state.find(towards).name if towards else ""
    by_aim = sorted(struck, key=lambda unit: (unit.name != meant, unit.side == who.side))
    return exchange_of(state, who, (blow,), tuple(unit.name for unit in by_aim))


def finish_suppress(state: State, order: Suppressing, exchange: Exchange) -> State:
    """Rounds are spent."""
    who, held = gun_of(state, order.unit, order.weapon)
    return fired(state, who, held, "full" if held.fired.full else "semi", "Suppressing Fire", exchange)


SUPPRESS = with_blows(
    "suppress",
    "Suppressing fire",
    Suppressing,
    refuse_suppress,
    begin_suppress,
    finish_suppress,
    *("DW-ACT-SUPPRESSING-FIRE", "DW-SUPP-1", "DW-SUPP-2", "DW-SUPP-3"),
)
