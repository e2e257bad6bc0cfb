"""Close combat in a battle: the weapons that are used, rounds, and blows on vehicles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from battletape.rulebook import Tape, clause, fold, replace
from battletape.rulesets.diceless40k.battle.ground import fall_back
from battletape.rulesets.diceless40k.battle.pending import (
    Pending,
    PendingAction,
    remove_models,
    spend_tokens,
    write_attack,
)
from battletape.rulesets.diceless40k.battle.state import BattleUnit, Squad, State, Vehicle
from battletape.rulesets.diceless40k.profiles.types import WeaponProfile
from battletape.rulesets.diceless40k.rules import blows, vehicle_assault
from battletape.rulesets.diceless40k.rules.attacks import blow_of, walker_blow
from battletape.rulesets.diceless40k.rules.base_vehicles import may_sweep
from battletape.rulesets.diceless40k.rules.characteristics import Group
from battletape.rulesets.diceless40k.rules.close_combat import FIGHT
from battletape.rulesets.diceless40k.rules.vehicles import VehicleAttack, speed_for_firers
from battletape.rulesets.diceless40k.rules.walkers import ArmourAttack, Melee, strike_among_walkers


def grenades_of(unit: Squad, group: Group) -> tuple[vehicle_assault.Grenade, ...]:
    """Return the kinds of grenades that a group carries, the strongest first."""
    return vehicle_assault.grenades_among(_weapons(unit, group))


def _weapons(unit: Squad, group: Group) -> list[WeaponProfile]:
    return [weapon for name in group.weapons for weapon in unit.arsenal if weapon.name.lower() == name.lower()]


def choose_weapon(tape: Tape, unit: Squad, group: Group) -> tuple[WeaponProfile, bool]:
    """Choose the weapon that a group strikes with; return also if a second one gives a further attack."""
    arms = {weapon.name: (weapon, second) for weapon, second in blows.close_combat_weapons(_weapons(unit, group))}
    return arms[tape.choose(tuple(arms), by=unit.side, label=f"weapon of {group.name} in {unit.name}")]


Armed: TypeAlias = tuple[tuple[Group, WeaponProfile, bool], ...]
"""The groups of a unit, each with the weapon it strikes with, and whether a second one gives it a further attack."""


@clause("DL-38.1")
def arm_unit(tape: Tape, unit: BattleUnit) -> Armed:
    """Choose the weapons of a unit; a walker strikes with the first close combat weapon that it has left."""
    if isinstance(unit, Squad):
        return tuple((group, *choose_weapon(tape, unit, group)) for group in unit.groups if group.models)
    blades = [weapon for weapon in unit.arsenal if weapon.type == "melee" and weapon.name in unit.damage.weapons_left]
    return (
        (replace(blows.walker_group(unit.profile), name=unit.name), blades[0] if blades else blows.BARE_HANDS, False),
    )


# --- a fight ----------------------------------------------------------------------------------------------------------


@clause("DL-38.1", "DL-75.5")
def fighter_of(
    state: State, unit: BattleUnit, armed: Armed, hood: bool | None = None, null_zone: bool | None = None
) -> blows.Fighter:
    """Return a unit as it fights with these weapons, with its preferred enemies in the fight."""
    if isinstance(unit, Vehicle):
        ((group, weapon, _),) = armed
        blow = walker_blow(unit.profile, weapon.name, weapon.rules, charging=unit.charged)
        return blows.Fighter(
            unit.name, unit.side, (group,), (blows.Strike(unit.name, blow),), may_sweep=may_sweep(unit.damage)
        )
    strikes = []
    for group, weapon, second in armed:
        blow = blow_of(
            group,
            weapon.name,
            weapon.rules,
            strength=weapon.strength,
            charging=unit.charged,
            two_weapons=second,
            slowed=unit.slowed and "assault" not in grenades_of(unit, group),
        )
        strikes.append(blows.Strike(group.name, blow))
    return blows.Fighter(
        name=unit.name,
        side=unit.side,
        groups=unit.groups,
        strikes=tuple(strikes),
        op=unit.op,
        psyker_op=None if unit.is_psyker else unit.psyker_op,
        joined=unit.joined,
        preferred=tuple(enemy.name for enemy in state.in_combat(unit.combat) if _is_preferred_enemy(unit, enemy)),
        null_zone=state.in_null_zone(unit, null_zone),
        hood=state.in_hood(unit, hood),
    )


@clause("DL-75.5")
def _is_preferred_enemy(unit: Squad, enemy: BattleUnit) -> bool:
    """Return whether an enemy is preferred by a unit: by its army, its side or its own name."""
    army = enemy.army if isinstance(enemy, Squad) else enemy.profile.army
    return enemy.side != unit.side and blows.is_preferred(unit.prefers, army, enemy.side, enemy.name)


@clause("DL-38.1", "DL-44.1", "DL-40.1", "DL-40.2")
def fight_round(tape: Tape, work: PendingAction, number: int) -> PendingAction:
    """Fight a round of close combat between the units of a fight, and write what it leaves of them."""
    state = work.state
    units = state.in_combat(number)
    if len({unit.side for unit in units}) < 2:
        return work
    armed = {unit.name: arm_unit(tape, unit) for unit in units}
    order = work.order
    fighters = [fighter_of(state, unit, armed[unit.name], order.hood, order.null_zone) for unit in units]
    fight = blows.begin_fight(fighters, state.rulings)
    fight = blows.add_wounds(fight, state.find(order.unit).side, order.extra_wounds, order.enemy_extra_wounds)
    players = [state.player(side) for side in fight.sides]
    fight = replace(
        fight,
        warp_tokens=(players[0].tokens.warp, players[1].tokens.warp),
        token_used=(players[0].warp_used, players[1].warp_used),
    )
    walkers = tuple((unit.name, _vehicle_before_assault(state, unit)) for unit in units if isinstance(unit, Vehicle))
    if walkers:
        arms = (ArmourAttack(unit.name, *arm) for unit in units for arm in attackers_in(unit, armed[unit.name]))
        melee = fold((strike_among_walkers,), tape, Melee(fight, tuple(arms), walkers))
        fight = fold(FIGHT.stages[1:], tape, melee.fight)
        walkers = melee.walkers
    else:
        fight = fold(FIGHT, tape, fight)
    for player, held, used in zip(players, fight.warp_tokens, fight.token_used, strict=True):
        work = replace(work, state=work.state.with_player(replace(player, warp_used=used)))
        work = spend_tokens(tape, work, player.side, warp=player.tokens.warp - held)
    work = _write_fight(tape, work, fight)
    for name, assault in walkers:
        work = _write_assault(tape, work, name, assault)
    return work


def _write_fight(tape: Tape, work: PendingAction, fight: blows.Fight) -> PendingAction:
    """Write the sheets after a round: losses, order points, units that fall back and units that are free."""
    work = work.with_counts(dmg=sum(record.damage.dmg for record in fight.blow_records))
    fleeing = []
    for fighter in fight.units:
        unit = work.state.find(fighter.name)
        free = fighter.name in fight.consolidates
        if isinstance(unit, Vehicle):
            work = work.with_units(replace(unit, fought=True, may_consolidate=free))
            continue
        lost = sum(group.hp_left for group in unit.groups) - sum(group.hp_left for group in fighter.groups)
        work = work.with_counts(hp=lost, removed=unit.count - fighter.models)
        work = work.with_counts(failed=fighter.test_result is not None and not fighter.test_result.passed)
        work = remove_models(
            tape,
            work,
            unit,
            fighter.groups,
            op=fighter.op,
            psyker_op=fighter.psyker_op or 0,
            fought=True,
            may_consolidate=free,
        )
        if fighter.fate == "falls back" and not fighter.joined:
            fleeing.append(fighter.name)
    for name in fleeing:
        work = fall_back(tape, work, name)
    return work


# --- blows on vehicles ------------------------------------------------------------------------------------------------


@clause("DL-63.1", "DL-63.5")
def attackers_in(unit: BattleUnit, armed: Armed) -> Iterator[tuple[str, vehicle_assault.Attackers]]:
    """Yield each group of a unit, and how it strikes at a vehicle, with the grenades that it might use."""
    for group, weapon, second in armed:
        grenades = grenades_of(unit, group) if isinstance(unit, Squad) else ()
        yield (
            group.name,
            vehicle_assault.attackers_of(
                group,
                weapon.name,
                weapon.rules,
                strength=weapon.strength,
                charging=unit.charged,
                two_weapons=second,
                grenade=grenades[0] if grenades else None,
            ),
        )


def _vehicle_before_assault(state: State, vehicle: Vehicle) -> vehicle_assault.VehicleAssault:
    """Return a vehicle before the first blow at it."""
    attack = VehicleAttack(vehicle.damage, (), state.rulings, state.enemy_of(vehicle.side))
    speed = speed_for_firers(vehicle.speed, vehicle.damage.immobilised)
    return vehicle_assault.VehicleAssault((), vehicle_assault.assaulted_armour(vehicle.profile), speed, attack)


def _write_assault(tape: Tape, work: Pending, name: str, assault: vehicle_assault.VehicleAssault) -> Pending:
    """Write the blows at a vehicle on its sheet."""
    work = work.with_counts(dmg=sum(result.packet.dmg for result in assault.attack.packet_results))
    return write_attack(tape, work, name, assault.attack)


@clause("DL-63.1", "DL-63.4")
def attack_vehicle(tape: Tape, work: Pending, units: Sequence[BattleUnit], name: str) -> Pending:
    """Let units strike at a vehicle; there is no result, and no unit tests."""
    attackers = tuple(group for unit in units for _, group in attackers_in(unit, arm_unit(tape, unit)))
    assault = replace(_vehicle_before_assault(work.state, work.state.vehicle(name)), attackers=attackers)
    assault = fold(vehicle_assault.VEHICLE_ASSAULT, tape, assault, about=name)
    work = work.with_units(*(replace(work.state.find(unit.name), fought=True) for unit in units))
    return _write_assault(tape, work, name, assault)
