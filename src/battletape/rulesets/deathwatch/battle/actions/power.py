"""Psychic powers that do damage, in a battle (`focus_power`); which powers there are is outside the sheet."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.errors import Refused
from battletape.inputs import Inputs
from battletape.rulesets.deathwatch.battle.acting import WHO_ACTS, AnyFoe, refuse_act, refuse_target, with_blows
from battletape.rulesets.deathwatch.battle.attack.prepare import attack_on, exchange_of
from battletape.rulesets.deathwatch.battle.outcome import spend, write_back
from battletape.rulesets.deathwatch.battle.state import Fighter, Held, Mob, State, apart
from battletape.rulesets.deathwatch.profiles.types import Weapon
from battletape.rulesets.deathwatch.rules.attack.exchange import Blow, Exchange
from battletape.rulesets.deathwatch.rules.attack.fighters import Setting, onslaught_of, power_draft
from battletape.rulesets.deathwatch.rules.attack.modifiers import refuse_range
from battletape.rulesets.deathwatch.rules.damage import parse_damage


class Power(Inputs, frozen=True):
    """A psychic power that does damage; which powers there are is outside the sheet."""

    unit: Annotated[str, Meta(title=WHO_ACTS, extra={"role": "acting psyker"})] = ""
    target: AnyFoe = ""
    damage: Annotated[str, Meta(title="Damage, such as 1d10+4", extra={"clause": "DW-HORDE-13"})] = "1d10"
    pen: Annotated[int, Meta(title="Penetration", ge=0, le=30)] = 0
    range: Annotated[int, Meta(ge=1, le=2000, extra={"unit": "metres"})] = 30
    cost: Annotated[Literal["half", "full"], Meta(title="Half or Full Action")] = "half"


@clause("DW-ACT-FOCUS-POWER", "DW-HORDE-13")
def refuse_power(state: State, order: Power) -> Refused | None:
    """Why a fighter cannot use a power."""
    refused = refuse_act(state, order.unit, f"Focus Power ({order.cost})")
    if refused is not None:
        return refused
    who = state.find(order.unit)
    if not isinstance(who, Fighter) or not who.profile.psy_rating:
        return Refused(f"{who.name} is no psyker; it needs a Psy Rating of 1 or more", "DW-ACT-FOCUS-POWER", "psyker")
    parse_damage(order.damage)
    target = refuse_target(state, who, order.target)
    return target or refuse_range("the power", order.range / 4, apart(who, state.find(order.target)))


def begin_power(state: State, order: Power) -> Exchange:
    """Willpower with five for each point of the rating; on a horde as many hits as that."""
    who, target = state.fighter(order.unit), state.find(order.target)
    power = Held(Weapon(name="the power", damage=order.damage, pen=order.pen, damage_type="E"))
    draft = replace(power_draft(who, power, target, Setting(rules=state.rules)), eligible=False, sure=False)
    blow = Blow(who.name, target.name, "the power")
    if isinstance(target, Mob):
        blow = replace(blow, onslaught=onslaught_of(power, draft, target, "psychic"))
    else:
        blow = replace(blow, spec=attack_on(state, draft, (), target, who))
    return exchange_of(state, who, (blow,), (target.name,))


def finish_power(state: State, order: Power, exchange: Exchange) -> State:
    """What the power did; phenomena are left to the players."""
    return spend(write_back(state, exchange), state.find(order.unit).name, f"Focus Power ({order.cost})")


CITED = ("DW-ACT-FOCUS-POWER", "DW-HORDE-13")
FOCUS_POWER = with_blows("focus_power", "Use a psychic power", Power, refuse_power, begin_power, finish_power, *CITED)
