"""Psychic powers that do damage, in a battle (`focus_power`); which powers there are is outside the sheet."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from msgspec.structs import replace

from battletape.clauses import refuses
from battletape.errors import Refused
from battletape.inputs import Inputs, param
from battletape.rulesets.deathwatch.battle import acting
from battletape.rulesets.deathwatch.battle.attack import blow_of, exchange_of
from battletape.rulesets.deathwatch.battle.state import Fighter, Held, State, Unit, apart
from battletape.rulesets.deathwatch.profiles.types import Weapon
from battletape.rulesets.deathwatch.rules.attack.exchange import Exchange
from battletape.rulesets.deathwatch.rules.attack.fighters import Setting, power_draft
from battletape.rulesets.deathwatch.rules.attack.modifiers import refuse_range
from battletape.rulesets.deathwatch.rules.damage import parse_damage


class Power(Inputs, frozen=True):
    """A psychic power that does damage; which powers there are is outside the sheet."""

    unit: Annotated[str, param(acting.WHO_ACTS, role="acting psyker")] = ""
    target: acting.AnyFoe = ""
    damage: Annotated[str, param("Damage, such as 1d10+4", "DW-HORDE-13")] = "1d10"
    pen: Annotated[int, param("Penetration", ge=0, le=30)] = 0
    range: Annotated[int, param("", unit="metres", ge=1, le=2000)] = 30
    cost: acting.HalfOrFull = "half"


@refuses("DW-ACT-FOCUS-POWER", "DW-HORDE-13")
def refuse_power(state: State, who: Unit, order: Power) -> Iterator[Refused | None]:
    """Why a fighter cannot use a power."""
    if not isinstance(who, Fighter) or not who.profile.psy_rating:
        yield Refused(f"{who.name} is no psyker; it needs a Psy Rating of 1 or more", "DW-ACT-FOCUS-POWER", "psyker")
    parse_damage(order.damage)
    yield acting.refuse_target(state, who, order.target)
    yield refuse_range("the power", order.range / 4, apart(who, state.find(order.target)))


def begin_power(state: State, who: Fighter, order: Power) -> Exchange:
    """Willpower with five for each point of the rating; on a horde as many hits as that. Nobody evades it."""
    target = state.find(order.target)
    power = Held(Weapon(name="the power", damage=order.damage, pen=order.pen, damage_type="E"))
    draft = replace(power_draft(who, power, target, Setting(rules=state.rules)), eligible=False, sure=False)  # no fury
    blow = blow_of(state, who, power, target, draft, "psychic")
    return exchange_of(state, who, (blow,), (target,))


FOCUS_POWER = acting.attacking(
    "focus_power", "Use a psychic power", Power, "Focus Power ({cost})", "DW-HORDE-13", may=acting.refuse_act
)(refuse=refuse_power, begin=begin_power)
