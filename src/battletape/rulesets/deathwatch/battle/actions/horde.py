"""A horde's own attacks in a battle: `horde_shoots` and `horde_strikes`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from msgspec import Meta
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.errors import Refused, UnknownName
from battletape.inputs import Inputs
from battletape.rulesets.deathwatch.battle.acting import (
    WHO_ACTS,
    acting,
    refuse_act,
    refuse_target,
    refuse_turn_of,
    with_blows,
)
from battletape.rulesets.deathwatch.battle.attack.prepare import NAMES, attack_on, exchange_of, setting_of
from battletape.rulesets.deathwatch.battle.outcome import engage, spend, write_back
from battletape.rulesets.deathwatch.battle.state import Fighter, Held, Mob, State, Unit, apart, is_adjacent
from battletape.rulesets.deathwatch.profiles.types import Weapon
from battletape.rulesets.deathwatch.rules import guns
from battletape.rulesets.deathwatch.rules.attack.exchange import Blow, Exchange
from battletape.rulesets.deathwatch.rules.attack.fighters import ACTIONS, ENOUGH, draft_of, one_of
from battletape.rulesets.deathwatch.rules.attack.modifiers import Action, refuse_range
from battletape.rulesets.deathwatch.rules.hordes.attacks_by_horde import attacks_of, horde_draft
from battletape.rulesets.deathwatch.rules.hordes.size_and_nerve import traits_of
from battletape.rulesets.deathwatch.rules.melee import fist
from battletape.rulesets.deathwatch.rules.qualities.effects import NO_FIELD
from battletape.rulesets.deathwatch.rules.qualities.keywords import values
from battletape.rulesets.deathwatch.rules.traits import Mode

ActingHorde = Annotated[str, Meta(title=WHO_ACTS, extra={"role": "acting horde"})]


HORDE_FISTS = "1d10-3"
"""To which it adds d10s."""


class HordeFire(Inputs, frozen=True):
    """A horde shoots: an attack for each full ten of its Magnitude, at one target or shared among several."""

    unit: ActingHorde = ""
    weapon: Annotated[str, Meta(title="Weapon; its first gun if left out")] = ""
    target: Annotated[str, Meta(extra={"role": "hostile fighter"})] = ""
    others: Annotated[tuple[str, ...], Meta(title="Who else is shot at, in turn")] = ()
    mode: Annotated[Mode, Meta(title="Fire mode", extra={"clause": "DW-RWEP-00"})] = "single"


class HordeRush(Inputs, frozen=True):
    """A horde strikes everybody it is in melee with, once each."""

    unit: ActingHorde = ""
    weapon: Annotated[str, Meta(title="Weapon; its first blade if left out")] = ""
    target: Annotated[str, Meta(title="Somebody adjacent to come to blows with")] = ""


def weapon_of(mob: Mob, name: str, melee: bool) -> Weapon:
    """The weapon named, or the first of its kind; a horde without a blade has fists."""
    kind = [weapon for weapon in mob.arsenal if weapon.melee == melee]
    if not name.strip():
        return kind[0] if kind else replace(fist(), damage=HORDE_FISTS)
    for weapon in mob.arsenal:
        if weapon.name.lower() == name.strip().lower():
            return weapon
    raise UnknownName("weapon", name, [weapon.name for weapon in mob.arsenal], source=mob.name)


def mob_of(state: State, unit: str) -> Mob:
    """The horde of this name."""
    mob = state.find(unit)
    assert isinstance(mob, Mob)
    return mob


def _refuse_mob(state: State, unit: str, action: str) -> Refused | None:
    refused = refuse_turn_of(state, unit)
    if refused is None and not isinstance(state.find(unit), Mob):
        name = state.find(unit).name
        refused = Refused(f"{name} is no horde; use shoot or strike", "DW-HORDE-15", "type")
    return refused or refuse_act(state, unit, action)


@clause("DW-HORDE-15")
def mob_blow(
    state: State, mob: Mob, target: Unit, how: Literal["shoot", "strike"], name: str = "", mode: Mode = "single"
) -> Blow:
    """One attack of a horde: with the profile of one of them, harder the more there are, and it cannot be evaded."""
    weapon = weapon_of(mob, name, how == "strike")
    assert isinstance(target, Fighter)
    held = Held(weapon, clip=ENOUGH)
    setting = replace(setting_of(state, mob, held, target), engaged=False, outnumber=False, field=NO_FIELD)
    action: Action = "" if weapon.melee else ACTIONS[mode]
    draft = replace(draft_of(one_of(mob), held, target, setting, action, mode), breakable=False, doublings=0)
    draft = horde_draft(draft, mob.magnitude, traits_of(mob.profile.traits))
    return Blow(mob.name, target.name, weapon.name, spec=attack_on(state, draft, weapon.qualities, target, mob))


# --- shooting ---------------------------------------------------------------------------------------------------------


@clause("DW-HORDE-15", "DW-RANGE-1")
def refuse_horde_fire(state: State, order: HordeFire) -> Refused | None:
    """Why a horde cannot shoot like this."""
    refused = _refuse_mob(state, order.unit, NAMES[order.mode])
    if refused is not None:
        return refused
    mob = mob_of(state, order.unit)
    weapon = weapon_of(mob, order.weapon, melee=False)
    if weapon.melee:
        return Refused(f"{mob.name} has no guns; use horde_strikes", "DW-HORDE-15", "weapon")
    refused = guns.refuse_mode(weapon, order.mode)
    if refused is None and values(weapon.qualities).flame:
        refused = Refused(f"{weapon.name} throws flames, which hordes here do not", "DW-HORDE-15", "weapon")
    if refused is None and not _shots(mob):
        refused = Refused(f"{mob.name} has too few left to shoot: {mob.magnitude} of the ten it needs", "DW-HORDE-15")
    for name in (order.target, *order.others):
        refused = refused or refuse_target(state, mob, name)
        if refused is None:
            target = state.find(name)
            if isinstance(target, Mob):
                refused = Refused(f"{target.name} is a horde; hordes here fight fighters", "DW-HORDE-15", "target")
            refused = refused or refuse_range(weapon.name, weapon.range, apart(mob, target))
    return refused


def _shots(mob: Mob) -> int:
    return attacks_of(mob.magnitude, False, traits_of(mob.profile.traits))


def begin_horde_fire(state: State, order: HordeFire) -> Exchange:
    """An attack for each full ten, shared among the targets in turn."""
    mob = mob_of(state, order.unit)
    names = (order.target, *order.others)
    targets = [state.find(names[at % len(names)]) for at in range(_shots(mob))]
    blows = tuple(mob_blow(state, mob, target, "shoot", order.weapon, order.mode) for target in targets)
    return exchange_of(state, mob, blows, names)


def finish_horde_fire(state: State, order: HordeFire, exchange: Exchange) -> State:
    """A gun that jams is one of many."""
    name = state.find(order.unit).name
    return spend(write_back(state, replace(exchange, marks=())), name, NAMES[order.mode])


# --- striking ---------------------------------------------------------------------------------------------------------


@clause("DW-HORDE-15", "DW-COND-ENGAGED")
def refuse_horde_rush(state: State, order: HordeRush) -> Refused | None:
    """Why a horde cannot strike: nobody is close enough."""
    refused = _refuse_mob(state, order.unit, "Standard Attack")
    if refused is not None:
        return refused
    mob = mob_of(state, order.unit)
    if order.target.strip():
        refused = refuse_target(state, mob, order.target)
        target = state.find(order.target)
        if refused is None and not (isinstance(target, Fighter) and is_adjacent(mob, target)):
            reason = f"{target.name} is {apart(mob, target):g} m away; a horde strikes within 2 m"
            refused = Refused(reason, "DW-COND-ENGAGED", "range")
    if refused is None and not struck_by(state, mob, order):
        refused = Refused(f"nobody is in melee with {mob.name}; move it up first", "DW-COND-ENGAGED", "range")
    if refused is None and not weapon_of(mob, order.weapon, melee=True).melee:
        refused = Refused(f"{order.weapon} is a gun; use horde_shoots", "DW-HORDE-15", "weapon")
    return refused


def struck_by(state: State, mob: Mob, order: HordeRush) -> list[Fighter]:
    """Everybody in melee with a horde, and the one it comes to blows with."""
    names = [*([order.target] if order.target.strip() else []), *mob.engaged_with]
    units = dict.fromkeys(state.find(name) for name in names)
    return [unit for unit in units if isinstance(unit, Fighter) and not unit.is_dead]


def begin_horde_rush(state: State, order: HordeRush) -> Exchange:
    """One attack at everybody in melee with it."""
    mob = mob_of(state, order.unit)
    struck = struck_by(state, mob, order)
    blows = tuple(mob_blow(state, mob, fighter, "strike", order.weapon) for fighter in struck)
    return exchange_of(state, mob, blows, tuple(fighter.name for fighter in struck))


def finish_horde_rush(state: State, order: HordeRush, exchange: Exchange) -> State:
    """Those who were struck are in melee."""
    mob = state.find(order.unit)
    state = spend(write_back(state, exchange), mob.name, "Standard Attack")
    for foe in exchange.foes:
        if not state.find(foe.name).is_out:
            state = engage(state, mob.name, foe.name)
    return state


# --- cards ------------------------------------------------------------------------------------------------------------


def _rushes(state: State) -> Iterator[HordeRush]:
    mob = acting(state)
    for foe in state.foes(mob.side) if isinstance(mob, Mob) else ():
        if isinstance(mob, Mob) and isinstance(foe, Fighter) and is_adjacent(mob, foe):
            yield HordeRush(unit=mob.name, target=foe.name)


HORDE_SHOOTS = with_blows(
    "horde_shoots", "A horde shoots", HordeFire, refuse_horde_fire, begin_horde_fire, finish_horde_fire, "DW-HORDE-15"
)
HORDE_STRIKES = with_blows(
    "horde_strikes",
    "A horde strikes",
    HordeRush,
    refuse_horde_rush,
    begin_horde_rush,
    finish_horde_rush,
    "DW-HORDE-15",
    options=_rushes,
)
