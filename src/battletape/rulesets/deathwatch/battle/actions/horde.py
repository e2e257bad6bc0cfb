"""A horde's own attacks in a battle: `horde_shoots` and `horde_strikes`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from battletape.cards import param
from battletape.rulebook import Refused, by_name, clause, refuses, replace
from battletape.rulesets.deathwatch.battle import acting, attack
from battletape.rulesets.deathwatch.battle.state import Fighter, Held, Mob, State, apart, is_adjacent
from battletape.rulesets.deathwatch.profiles.types import Weapon
from battletape.rulesets.deathwatch.rules import guns, hordes, traits
from battletape.rulesets.deathwatch.rules.attack import fighters, modifiers, results
from battletape.rulesets.deathwatch.rules.attack.exchange import Blow, Exchange
from battletape.rulesets.deathwatch.rules.qualities import keywords

ACTING_HORDE: str = param("", acting.WHO_ACTS, role="acting horde")


class HordeFire(attack.Circumstances, frozen=True):
    """A horde shoots: an attack for each full ten of its Magnitude, at one target or shared among several."""

    unit: str = ACTING_HORDE
    weapon: str = param("", "Weapon; its first gun if left out")
    target: str = param("", "", role="hostile fighter")
    others: tuple[str, ...] = param((), "Who else is shot at, in turn")
    mode: traits.Mode = param("single", "Fire mode", "DW-RWEP-00")


class HordeRush(attack.Circumstances, frozen=True):
    """A horde strikes everybody it is in melee with, once each."""

    unit: str = ACTING_HORDE
    weapon: str = param("", "Weapon; its first blade if left out")
    target: str = param("", "Somebody adjacent to come to blows with", role="fighter in reach")


def weapon_of(mob: Mob, name: str, in_melee: bool) -> Weapon:
    """The weapon named, or what a horde attacks with unless it is told."""
    if name.strip() and not modifiers.is_bare(name):
        return by_name("weapon", name, mob.arsenal, source=mob.name)
    return hordes.armed_with(() if name.strip() else mob.arsenal, in_melee)


@refuses()
def refuse_mob(state: State, order: Any, action: str) -> Iterator[Refused | None]:
    """Why a horde may not act so, or the unit is none."""
    yield acting.refuse_turn_of(state, order.unit)
    unit = state.find(order.unit)
    if not isinstance(unit, Mob):
        yield Refused(f"{unit.name} is no horde; use shoot or strike", "DW-HORDE-15", "type")
    yield acting.refuse_act(state, order, action)


@clause("DW-HORDE-15")
def mob_blow(
    state: State,
    mob: Mob,
    target: Fighter,
    weapon: Weapon,
    order: attack.Circumstances = attack.PLAIN,
    mode: traits.Mode = "single",
) -> Blow:
    """One attack of a horde: with the profile of one of them, harder the more there are, and it cannot be evaded."""
    held = Held(weapon, clip=fighters.ENOUGH)
    setting = attack.setting_of(state, mob, held, target, order)
    action: modifiers.Action = "" if weapon.melee else fighters.ACTIONS[mode]
    draft = fighters.draft_of(fighters.one_of(mob), held, target, setting, action, mode)
    draft = hordes.horde_draft(draft, mob.magnitude, hordes.traits_of(mob.profile.traits))
    return attack.blow_of(state, mob, held, target, draft, "melee" if weapon.melee else "shoot")


# --- shooting ---------------------------------------------------------------------------------------------------------


@refuses("DW-HORDE-15", "DW-RANGE-1", "DW-QUAL-HAYWIRE")
def refuse_horde_fire(state: State, mob: Mob, order: HordeFire) -> Iterator[Refused | None]:
    """Why a horde cannot shoot like this."""
    weapon = weapon_of(mob, order.weapon, False)
    if weapon.melee:
        lacks = f"{weapon.name} of {mob.name} is no gun" if order.weapon.strip() else f"{mob.name} has no guns"
        yield Refused(f"{lacks}; use horde_strikes", "DW-HORDE-15", "weapon")
    yield guns.refuse_mode(weapon, order.mode)
    yield attack.refuse_haywire(state, mob, Held(weapon))
    if keywords.values(weapon.qualities).flame:
        yield Refused(f"{weapon.name} throws flames, which hordes here do not", "DW-HORDE-15", "weapon")
    if not _shots(mob):
        yield Refused(f"{mob.name} has too few left to shoot: {mob.magnitude} of the ten it needs", "DW-HORDE-15")
    for name in (order.target, *order.others):
        yield acting.refuse_target(state, mob, name)
        target = state.find(name)
        if isinstance(target, Mob):
            yield Refused(f"{target.name} is a horde; hordes here fight fighters", "DW-HORDE-15", "target")
        yield modifiers.refuse_range(weapon.name, weapon.range, apart(mob, target))


def _shots(mob: Mob) -> int:
    return hordes.attacks_of(mob.magnitude, False, hordes.traits_of(mob.profile.traits))


def begin_horde_fire(state: State, mob: Mob, order: HordeFire) -> Exchange:
    """An attack for each full ten, shared among the targets in turn."""
    targets, weapon = [*map(state.fighter, (order.target, *order.others))], weapon_of(mob, order.weapon, False)
    shot_at = (targets[at % len(targets)] for at in range(_shots(mob)))
    blows = [mob_blow(state, mob, target, weapon, order, order.mode) for target in shot_at]
    return attack.exchange_of(state, mob, blows, targets)


# --- striking ---------------------------------------------------------------------------------------------------------


@refuses("DW-HORDE-15", "DW-COND-ENGAGED")
def refuse_horde_rush(state: State, mob: Mob, order: HordeRush) -> Iterator[Refused | None]:
    """Why a horde cannot strike: nobody is close enough."""
    target = acting.named(state, order.target)
    if target is not None:
        yield acting.refuse_target(state, mob, target.name)
        if not (isinstance(target, Fighter) and is_adjacent(mob, target)):
            reason = f"{target.name} is {apart(mob, target):g} m away; a horde strikes within 2 m"
            yield Refused(reason, "DW-COND-ENGAGED", "range")
    if not struck_by(state, mob, order):
        yield Refused(f"nobody is in melee with {mob.name}; move it up first", "DW-COND-ENGAGED", "range")
    if not weapon_of(mob, order.weapon, True).melee:
        yield Refused(f"{order.weapon} is a gun; use horde_shoots", "DW-HORDE-15", "weapon")


def struck_by(state: State, mob: Mob, order: HordeRush) -> list[Fighter]:
    """Everybody in melee with a horde, and the one it comes to blows with."""
    units = dict.fromkeys(map(state.find, filter(str.strip, (order.target, *mob.engaged_with))))
    return [unit for unit in units if isinstance(unit, Fighter) and not unit.is_dead]


def begin_horde_rush(state: State, mob: Mob, order: HordeRush) -> Exchange:
    """One attack at everybody in melee with it."""
    struck, weapon = struck_by(state, mob, order), weapon_of(mob, order.weapon, True)
    return attack.exchange_of(state, mob, [mob_blow(state, mob, fighter, weapon, order) for fighter in struck], struck)


def finish_horde_rush(state: State, mob: Mob, order: HordeRush, exchange: Exchange) -> State:
    """Those who were struck are in melee."""
    for foe in (foe for foe in exchange.foes if not foe.is_mob):
        state = attack.engage(state, mob.name, foe.name)
    return state


HORDE_SHOOTS = acting.attacking(
    "horde_shoots", "A horde shoots", HordeFire, attack.shot_action, "DW-HORDE-15", may=refuse_mob
)(
    refuse=refuse_horde_fire,
    begin=begin_horde_fire,
    measures=results.OF_HORDES,
    # a jam is one of many
    writes=lambda state, mob, order, exchange: attack.write_back(state, replace(exchange, marks=())),
)
HORDE_STRIKES = acting.attacking(
    "horde_strikes", "A horde strikes", HordeRush, "Standard Attack", "DW-HORDE-15", may=refuse_mob
)(refuse=refuse_horde_rush, begin=begin_horde_rush, finish=finish_horde_rush, measures=results.OF_HORDES)
