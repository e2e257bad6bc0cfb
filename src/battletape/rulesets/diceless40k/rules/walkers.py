"""Walkers in close combat: blows at their armour are struck on their Initiative step, among the blows of all others.

`Melee` is a fight in which walkers stand. Its blows are worked out here; what follows from them is that of any fight.
"""

from __future__ import annotations

from battletape.rulebook import State, Tape, clause, fold, listed, replace
from battletape.rulesets.diceless40k.rules import blows
from battletape.rulesets.diceless40k.rules.base_vehicles import may_sweep
from battletape.rulesets.diceless40k.rules.vehicle_assault import VEHICLE_ASSAULT, Attackers, VehicleAssault


class ArmourAttack(State, frozen=True):
    """An attack of a group of a unit on armour."""

    unit: str
    group: str
    attackers: Attackers


class Melee(State, frozen=True):
    """A fight with walkers in it: how each group strikes at armour, and the sheet of each walker."""

    fight: blows.Fight
    armour_attacks: tuple[ArmourAttack, ...]
    walkers: tuple[tuple[str, VehicleAssault], ...]

    def attackers(self, unit: str, group: str, models: int) -> Attackers:
        """Return so many models of a group as they strike at armour."""
        attack = next(attack for attack in self.armour_attacks if (attack.unit, attack.group) == (unit, group))
        return replace(attack.attackers, models=models)


@clause("DL-38.1", "DL-63.1", "DL-63.4")
def strike_among_walkers(tape: Tape, melee: Melee) -> Melee:
    """Let the models that are left strike at units or at armour, step by step from the highest Initiative down."""
    return tape.each(strike_step_with_walkers, melee, blows.steps_of(melee.fight))


@clause("DL-38.1", "DL-63.1", "DL-63.5")
def strike_step_with_walkers(tape: Tape, melee: Melee, step: int) -> Melee:
    """Strike all blows of a step at the same time; a walker that they destroy still strikes on its own step."""
    fight = melee.fight
    records = []
    at_armour: dict[str, list[tuple[str, Attackers]]] = {}
    for unit, strike, models in blows.ready_to_strike(fight, step):
        enemies = [enemy.name for enemy in fight.enemies_of(unit.side)]
        if not enemies:
            continue
        target = blows.choose_enemy(tape, unit, strike, enemies)
        if fight.unit(target).is_walker:
            attackers = melee.attackers(unit.name, strike.group, models)
            at_armour.setdefault(target, []).append((unit.name, attackers))
        else:
            records.append(blows.blows_at(fight, unit, strike, models, target))
    melee = replace(melee, fight=blows.take_blows(tape, fight, records))
    for name, attacks in at_armour.items():
        melee = _strike_walker(tape, melee, step, name, attacks)
    return melee


def _strike_walker(tape: Tape, melee: Melee, step: int, name: str, attacks: list[tuple[str, Attackers]]) -> Melee:
    """Strike at one walker; destroyed, it strikes no more, and immobilised or stunned, it does not sweep."""
    before = dict(melee.walkers)[name]
    assault = replace(before, attackers=tuple(attackers for _, attackers in attacks))
    units = tuple(dict.fromkeys(unit for unit, _ in attacks))
    tape.tell("Initiative {}: {} at {}", step, listed(units), name, clause=("DL-38.1", "DL-63.1"))
    assault = fold(VEHICLE_ASSAULT, tape, assault, about=name)
    walkers = tuple((known, assault if known == name else sheet) for known, sheet in melee.walkers)
    fight, damage = melee.fight, assault.attack.damage
    walker = replace(fight.unit(name), may_sweep=may_sweep(damage))
    if damage.destroyed:
        walker = replace(walker, groups=tuple(replace(group, models=0) for group in walker.groups))
    return replace(melee, fight=fight.with_units(walker), walkers=walkers)
