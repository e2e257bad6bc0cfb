"""Close combat in a battle: who strikes with what, and blows on vehicles."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from battletape.clauses import clause
from battletape.rulesets.diceless40k.battle.deed import D, Deed, flee, run, write_attack
from battletape.rulesets.diceless40k.battle.state import Machine, State, Troop, Unitlike
from battletape.rulesets.diceless40k.profiles.types import Weapon
from battletape.rulesets.diceless40k.rules.characteristics import Group
from battletape.rulesets.diceless40k.rules.close_combat import (
    FIGHT,
    Fight,
    Fighter,
    Strike,
    add_wounds,
    arms_of,
    begin_fight,
    blow_of,
    walker_blow,
    walker_group,
)
from battletape.rulesets.diceless40k.rules.vehicle_assault import (
    VEHICLE_ASSAULT,
    Attackers,
    Grenade,
    VehicleAssault,
    assaulted_armour,
    attackers_of,
)
from battletape.rulesets.diceless40k.rules.vehicles import VehicleAttack, speed_met
from battletape.tape import Tape

KINDS: tuple[tuple[str, Grenade], ...] = (
    ("melta bomb", "melta_bomb"),
    ("krak", "krak"),
    ("assault", "assault"),
    ("defensive", "defensive"),
)
"""Grenades by a word of their names, the strongest first."""


def grenades_of(unit: Troop, group: Group) -> tuple[Grenade, ...]:
    """The kinds of grenades that a group carries, the strongest first."""
    carried = [weapon.name.lower() for weapon in _weapons(unit, group) if weapon.type == "grenade"]
    return tuple(kind for word, kind in KINDS if any(word in name for name in carried))


def _weapons(unit: Troop, group: Group) -> list[Weapon]:
    return [weapon for name in group.weapons for weapon in unit.arsenal if weapon.name.lower() == name.lower()]


def choose_arm(tape: Tape, unit: Troop, group: Group) -> tuple[Weapon, bool]:
    """The weapon that a group strikes with, and whether a second one gives it a further attack."""
    arms = {weapon.name: (weapon, second) for weapon, second in arms_of(_weapons(unit, group))}
    best = sorted(arms, key=lambda name: -len(arms[name][0].rules))
    return arms[tape.choose(tuple(best), by=unit.side, label=f"weapon of {group.name} in {unit.name}")]


# --- a fight ---------------------------------------------------------------------------------------------------------


@clause("DL-38.1")
def fighter_of(tape: Tape, state: State, unit: Unitlike) -> Fighter:
    """A unit as it fights, its weapons chosen."""
    if isinstance(unit, Machine):
        blades = [
            weapon for weapon in unit.arsenal if weapon.type == "melee" and weapon.name in unit.damage.weapons_left
        ]
        rules = blades[0].rules if blades else ()
        blow = walker_blow(unit.profile, blades[0].name if blades else "blows", rules, charging=unit.charged)
        group = replace(walker_group(unit.profile), name=unit.name)
        return Fighter(unit.name, unit.side, (group,), (Strike(unit.name, blow),), may_sweep=False)
    strikes = []
    for group in unit.groups:
        if group.models:
            weapon, second = choose_arm(tape, unit, group)
            slowed = unit.slowed and "assault" not in grenades_of(unit, group)
            blow = blow_of(
                group,
                weapon.name,
                weapon.rules,
                strength=weapon.strength,
                charging=unit.charged,
                two_weapons=second,
                slowed=slowed,
                preferred=True,
            )
            strikes.append(Strike(group.name, blow))
    return Fighter(
        name=unit.name,
        side=unit.side,
        groups=unit.groups,
        strikes=tuple(strikes),
        op=unit.op,
        psyker_op=None if unit.is_psyker else unit.psyker_op,
        joined=unit.joined,
        preferred=True,
        null_zone=state.in_null_zone(unit),
        hood=state.in_hood(unit),
    )


@clause("DL-38.1", "DL-44.1", "DL-40.1", "DL-40.2")
def fight_round(tape: Tape, deed: Deed, number: int) -> Deed:
    """A round of close combat between the units of a fight, and what it leaves of them."""
    state = deed.state
    units = state.in_combat(number)
    if len({unit.side for unit in units}) < 2 or all(isinstance(unit, Machine) for unit in units):
        return deed
    fight = begin_fight([fighter_of(tape, state, unit) for unit in units], state.rulings)
    fight = add_wounds(fight, state.find(deed.order.unit).side, deed.order.extra_wounds, deed.order.enemy_extra_wounds)
    players = [state.player(side) for side in fight.sides]
    fight = replace(
        fight,
        warp_tokens=(players[0].tokens.warp, players[1].tokens.warp),
        token_used=(players[0].warp_used, players[1].warp_used),
    )
    deed, fight = run(tape, deed, FIGHT, fight)
    for player, held, used in zip(players, fight.warp_tokens, fight.token_used, strict=True):
        kept = replace(player, tokens=replace(player.tokens, warp=held), warp_used=used)
        deed = replace(deed, state=deed.state.with_player(kept))
    return _write_fight(deed, fight)


def _write_fight(deed: Deed, fight: Fight) -> Deed:
    """The sheets after a round: losses, order points, who falls back and who is free."""
    deed = deed.counted(dmg=sum(blows.damage.dmg for blows in fight.struck))
    fleeing = []
    for fighter in fight.units:
        unit = deed.state.find(fighter.name)
        free = fighter.name in fight.consolidates
        if isinstance(unit, Machine):
            deed = deed.with_units(replace(unit, fought=True))
            continue
        lost = sum(told.loss.hp_removed for told in fighter.told)
        deed = deed.counted(hp=lost, removed=unit.count - fighter.models)
        deed = deed.counted(failed=fighter.tested is not None and not fighter.tested.passed)
        after = replace(unit.with_groups(fighter.groups), op=fighter.op, fought=True, free=free)
        after = replace(after, psyker_op=fighter.psyker_op or 0)
        deed = deed.with_units(after)
        if fighter.fate == "falls back" and not fighter.joined:
            fleeing.append(fighter.name)
    for name in fleeing:
        deed = flee(deed, name)
    return deed


# --- blows on vehicles -----------------------------------------------------------------------------------------------


@clause("DL-63.1", "DL-63.5")
def attackers_in(tape: Tape, unit: Unitlike) -> tuple[Attackers, ...]:
    """The groups of a unit as they strike at a vehicle, with the grenades that they might use."""
    if isinstance(unit, Machine):
        blades = [
            weapon for weapon in unit.arsenal if weapon.type == "melee" and weapon.name in unit.damage.weapons_left
        ]
        name, rules = (blades[0].name, blades[0].rules) if blades else ("blows", ())
        return (attackers_of(walker_group(unit.profile), name, rules, charging=unit.charged),)
    attackers = []
    for group in unit.groups:
        if group.models:
            weapon, second = choose_arm(tape, unit, group)
            grenades = grenades_of(unit, group)
            attackers.append(
                attackers_of(
                    group,
                    weapon.name,
                    weapon.rules,
                    strength=weapon.strength,
                    charging=unit.charged,
                    two_weapons=second,
                    grenade=grenades[0] if grenades else None,
                )
            )
    return tuple(attackers)


@clause("DL-63.1", "DL-63.4")
def hack(tape: Tape, deed: D, units: Sequence[Unitlike], name: str) -> D:
    """Units strike at a vehicle; there is no result, and nobody tests."""
    machine = deed.state.machine(name)
    attackers = tuple(one for unit in units for one in attackers_in(tape, unit))
    by = deed.state.other(machine.side)
    speed = speed_met(machine.speed, machine.damage.immobilised)
    assault = VehicleAssault(
        attackers, assaulted_armour(machine.profile), speed, VehicleAttack(machine.damage, (), deed.state.rulings, by)
    )
    deed, assault = run(tape, deed, VEHICLE_ASSAULT, assault, name)
    deed = deed.counted(dmg=sum(struck.packet.dmg for struck in assault.attack.struck))
    deed = deed.with_units(*(replace(deed.state.find(unit.name), fought=True) for unit in units))
    return write_attack(tape, deed, name, assault.attack)
