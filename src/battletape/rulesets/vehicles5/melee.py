"""What the units of a battle strike with: blows and grenades of a squad, the fists of a walker."""

from __future__ import annotations

from msgspec.structs import replace

from battletape.clauses import clause
from battletape.errors import UnknownName
from battletape.rulesets.vehicles5 import assault, walkers
from battletape.rulesets.vehicles5.blows import Blow, aimed, grenade_blow
from battletape.rulesets.vehicles5.charging import Clash, nearest_of
from battletape.rulesets.vehicles5.field import Field, Machine, Squad, Unitlike
from battletape.rulesets.vehicles5.geometry import facing_from
from battletape.rulesets.vehicles5.profiles import is_fearless, is_walker_weapon
from battletape.rulesets.vehicles5.tables import GRENADES, NEVER
from battletape.rulesets.vehicles5.volley import Shot
from battletape.rulesets.vehicles5.walker_fight import EVERYBODY, Foot, Walker, fists, foot_blows

KINDS = {"frag": "assault", "frag_grenade": "assault"}


@clause("V5-GREN-1", "V5-GREN-2", "V5-GREN-3")
def grenade_of(squad: Squad, name: str) -> str:
    """The kind of a grenade by the name of its profile: “Krak grenade” is krak."""
    wanted = name.strip().lower().replace(" ", "_")
    kind = KINDS.get(wanted, wanted.removesuffix("_grenade"))
    if kind not in GRENADES:
        raise UnknownName("grenade", name, squad.profile.grenades, source=squad.name)
    return kind


@clause("V5-ASLT-3", "V5-ASLT-5", "V5-ASLT-7", "V5-WALK-16")
def blows_at(field: Field, unit: Unitlike, target: Machine, work: Clash) -> tuple[Shot, ...]:
    """Every blow of a charge at a machine that is no walker."""
    state = field.condition(target).state
    needs = assault.to_hit(target.assault_band, state.immobilised)
    one, _ = nearest_of(unit, target)
    contact = facing_from(target.hull, one.centre, field.rules)
    av = target.armour(assault.facing(target.traits, contact, field.rules))
    if isinstance(unit, Squad):
        blows = foot_blows(foot_of(unit, target, work), len(unit.models), True)
    else:
        walker, own = walker_of(unit), field.condition(unit)
        intact = fists(walker, own, field.rules)
        count = walkers.attacks(walker.attacks, intact, True, own.state, field.rules)
        blows = [Blow(unit.name, count, walkers.strength(walker.strength, intact))]
    opened, rules = target.traits.open_topped, field.rules
    return tuple(shot for blow in blows for shot in (aimed(blow, needs, av, opened, rules, unit.side),) * blow.attacks)


def walker_of(machine: Machine) -> Walker:
    """What does not change of a walker in a fight."""
    one = machine.profile
    fist = tuple(gun.label for gun in machine.guns if any(is_walker_weapon(it) for it in gun.weapons))
    return Walker(
        one.ws or 1,
        one.strength or 1,
        one.initiative or 1,
        one.attacks or 1,
        one.front,
        fist,
        machine.traits.open_topped,
        machine.name,
    )


@clause("V5-ASLT-3", "V5-ASLT-4")
def foot_of(squad: Squad, machine: Machine, work: Clash) -> Foot:
    """What does not change of a squad in a round of a fight with a machine."""
    one = squad.profile
    striking = len(assault.strikers_on_table(machine.thing, squad.models))
    grenade = replace(grenade_blow(work.grenade, striking), rules=one.rules) if work.grenade else None
    heavy = sum(count for name, count in squad.bearers(melee=True) if squad.ways(name)[0].times > 1)
    return Foot(
        one.ws,
        one.strength,
        one.initiative,
        one.attacks,
        one.toughness,
        one.wounds,
        one.save or NEVER,
        one.ld,
        one.two_weapons,
        grenade,
        is_fearless(one),
        max(striking, 1),
        one.rules,
        squad.name,
        work.grenadiers or EVERYBODY,
        heavy,
    )
