"""Assaults on vehicles: WS in place of BS, the attacker's own Strength, and grenades."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

from battletape.rulebook import Procedure, State, Tape, UnknownName, clause, labelled, replace
from battletape.rulesets.diceless40k.profiles.types import VehicleProfile, WeaponProfile
from battletape.rulesets.diceless40k.rules import vehicles
from battletape.rulesets.diceless40k.rules.attacks import blow_of, piercing_of
from battletape.rulesets.diceless40k.rules.characteristics import TANK_HUNTERS, Group
from battletape.rulesets.diceless40k.rules.damage_rows import LINES
from battletape.rulesets.diceless40k.rules.shooting import reroll_bonus
from battletape.rulesets.diceless40k.rules.weapons import Extra
from battletape.rulesets.diceless40k.rulings import DEFAULT, Rulings

Grenade: TypeAlias = Literal["assault", "defensive", "krak", "melta_bomb"]
GRENADES: dict[Grenade, int] = {"assault": 4, "defensive": 4, "krak": 6, "melta_bomb": 12}
"""Strength of grenades on armour; that of the melta bomb holds its further die already."""
GRENADE_WORDS: tuple[tuple[str, Grenade], ...] = (
    ("melta bomb", "melta_bomb"),
    ("krak", "krak"),
    ("assault", "assault"),
    ("defensive", "defensive"),
)
"""Grenades by a word of their names, the strongest first."""
GRENADE_DMG = 20  # of each model


class Attackers(State, frozen=True):
    """Models alike that assault a vehicle: with their attacks, or some of them with grenades."""

    name: str
    ws: int
    strength: int
    models: int = 1
    attacks: int = 1  # of each
    extra: Extra | None = None
    tank_hunters: bool = False
    rerolls: int = 0  # sources of a re-roll to hit
    bonus: int = 0  # on the damage chart
    ap: int | None = None
    lance: bool = False
    grenade: Grenade | None = None
    throwing: int | None = None  # how many use the grenade; None: it is still to be chosen


class VehicleAssault(State, frozen=True):
    """An assault on a vehicle: the attackers, the armour and speed they meet, and the attack that comes of it."""

    attackers: tuple[Attackers, ...]
    av: int
    speed: vehicles.Speed
    attack: vehicles.VehicleAttack


@clause("DL-63.4")
def assaulted_armour(vehicle: VehicleProfile) -> int:
    """Return the armour that blows meet: the rear, of a walker the front, as in the base game."""
    return vehicle.front if "walker" in vehicle.types else vehicle.rear


@clause("DL-63.6")
def grenades_among(weapons: Iterable[WeaponProfile]) -> tuple[Grenade, ...]:
    """Return the kinds of grenades among some weapons, the strongest first."""
    carried = [weapon.name.lower() for weapon in weapons if weapon.type == "grenade"]
    return tuple(kind for word, kind in GRENADE_WORDS if any(word in name for name in carried))


@clause("DL-63.2", "DL-42.6", "DL-60.9", "DL-60.10", "DL-76.2")
def attackers_of(
    group: Group,
    weapon: str = "blows",
    rules: Iterable[str] = (),
    *,
    models: int | None = None,
    strength: int | None = None,
    charging: bool = False,
    two_weapons: bool = False,
    grenade: Grenade | None = None,
    throwing: int | None = None,
) -> Attackers:
    """Return a group as it strikes at a vehicle, by its weapon; monstrous creatures and chainfists add a D6."""
    names = tuple(rules)
    blow = blow_of(group, weapon, names, strength=strength, charging=charging, two_weapons=two_weapons)
    monstrous = group.type == "monstrous_creature"
    piercing = piercing_of(blow.strength, names, assault=True, monstrous=monstrous)
    return Attackers(
        name=f"{group.name}: {weapon}",
        ws=blow.ws,
        strength=piercing.strength,
        models=group.models if models is None else models,
        attacks=blow.attacks,
        extra=piercing.extra,
        tank_hunters=TANK_HUNTERS in group.rules,
        rerolls=piercing.rerolls_to_hit,
        bonus=int(piercing.damage_bonus),
        lance=piercing.lance,
        grenade=grenade,
        throwing=throwing,
    )


@clause("DL-63.1", "DL-63.2", "DL-63.3", "DL-63.4", "DL-76.2")
def blow_packet(
    attackers: Attackers, models: int, av: int, speed: vehicles.Speed, rulings: Rulings = DEFAULT
) -> vehicles.HullPacket:
    """Return the packet of normal attacks: WS with all modifiers times attacks; neither angle nor range counts."""
    changes = (
        vehicles.Modifier("re-rolls to hit", reroll_bonus(attackers.rerolls, rulings), "DL-63.4"),
        vehicles.tank_hunter_modifier(attackers.tank_hunters),
        vehicles.speed_modifier(speed),
        *((vehicles.ap_modifier(attackers.ap),) if rulings.vehicle_assault_ap == "on" else ()),
    )
    modifiers = tuple(modifier for modifier in changes if modifier.value)
    ws, attacks = vehicles.modified_skill(attackers.ws, modifiers), models * attackers.attacks
    return vehicles.HullPacket(
        name=attackers.name,
        dmg=vehicles.shot_damage(ws, attacks),
        strength=attackers.strength,
        av=av,
        extra=attackers.extra,
        lance=attackers.lance,
        bonus=attackers.bonus,
        skill=ws,
        modifiers=modifiers,
        times=attacks,
        clause="DL-63.1",
    )


@clause("DL-63.5", "DL-63.6")
def grenade_packet(kind: Grenade, models: int, av: int, name: str = "") -> vehicles.HullPacket:
    """Return the packet of grenades: 20 DMG for each model, which nothing modifies, at the Strength of the grenade."""
    if kind not in GRENADES:
        raise UnknownName("grenade", kind, GRENADES, clause="DL-63.6")
    called = labelled(name, f"{kind.replace('_', ' ')}s" if kind == "melta_bomb" else f"{kind} grenades")
    return vehicles.HullPacket(called, GRENADE_DMG * models, GRENADES[kind], av, times=models, clause="DL-63.5")


@clause("DL-63.5")
def choose_grenades(tape: Tape, assault: VehicleAssault) -> VehicleAssault:
    """Let each model strike with its attacks or with a grenade."""
    return tape.each(attacker_packets, assault, assault.attackers)


@clause("DL-63.5", "DL-63.1")
def attacker_packets(tape: Tape, assault: VehicleAssault, attackers: Attackers) -> VehicleAssault:
    """Make the packets of one kind of attackers; their player chooses how many use grenades."""
    throwing = attackers.throwing
    if attackers.grenade is None:
        throwing = 0
    elif throwing is None:
        label = labelled(attackers.name, "models with grenades")
        throwing = tape.choose(grenade_options(assault, attackers), by=assault.attack.by, label=label)
    packets: list[vehicles.HullPacket] = []
    if attackers.models > throwing:
        rulings = assault.attack.rulings
        packets.append(blow_packet(attackers, attackers.models - throwing, assault.av, assault.speed, rulings))
    if throwing and attackers.grenade is not None:
        packets.append(grenade_packet(attackers.grenade, throwing, assault.av, attackers.name))
    return replace(assault, attack=replace(assault.attack, packets=(*assault.attack.packets, *packets)))


@clause("DL-63.5", "DL-63.6")
def grenade_options(assault: VehicleAssault, attackers: Attackers) -> tuple[int, ...]:
    """Return the choices of how many models use grenades: all first where these do more than blows, else none first."""
    assert attackers.grenade is not None
    rulings = assault.attack.rulings
    blows = blow_packet(attackers, attackers.models, assault.av, assault.speed, rulings)
    grenades = grenade_packet(attackers.grenade, attackers.models, assault.av)
    numbers = range(attackers.models + 1)
    throws = _effect_of(assault.attack, grenades) > _effect_of(assault.attack, blows)
    return tuple(reversed(numbers) if throws else numbers)


def _effect_of(attack: vehicles.VehicleAttack, packet: vehicles.HullPacket) -> tuple[int, int, int, int]:
    """Return the effect of a packet alone on a vehicle: penetrating and glancing hits, its line, and its DMG."""
    line = vehicles.line_of(
        vehicles.av_minus_s(packet.av, packet.strength, packet.extra, packet.lance, packet.ordnance, attack.rulings)
    )
    if line is None:
        return 0, 0, -1, 0
    hits = [hit.kind for hit in vehicles.record_damage(attack.damage.lines, line, packet.dmg, attack.rulings).hits]
    return hits.count("P"), hits.count("G"), LINES.index(line), packet.dmg


@clause("DL-63.1", "DL-63.5")
def strike_armour(tape: Tape, assault: VehicleAssault) -> VehicleAssault:
    """Resolve the packets on the vehicle; there is no result of the combat, and no unit tests."""
    return replace(assault, attack=tape.call(vehicles.strike_vehicle, assault.attack))


VEHICLE_ASSAULT = Procedure("vehicle assault", (choose_grenades, strike_armour))
