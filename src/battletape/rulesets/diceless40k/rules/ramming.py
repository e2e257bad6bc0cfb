"""Ramming: both vehicles take 20 DMG at the Strength of the base game; a rammed skimmer takes 10."""

from __future__ import annotations

from collections.abc import Collection

from battletape.rulebook import BadInput, Procedure, Refused, State, Tape, clause, replace
from battletape.rulesets.diceless40k.rules.base_vehicles import ram_strength
from battletape.rulesets.diceless40k.rules.damage_rows import DamageSheet, refuse_drive
from battletape.rulesets.diceless40k.rules.vehicles import HullPacket, VehicleAttack, strike_vehicle
from battletape.rulesets.diceless40k.rulings import DEFAULT, Rulings

RAM_DMG, SKIMMER_DMG = 20, 10


class Rammer(State, frozen=True):
    """A vehicle in a ram: the armour that meets the other one, and what kind it is."""

    av: int
    tank: bool = False
    skimmer: bool = False


class Ram(State, frozen=True):
    """A ram: the blow on each of both vehicles."""

    target: VehicleAttack
    rammer: VehicleAttack


@clause("DL-69.1")
def refuse_ram(types: Collection[str], damage: DamageSheet) -> Refused | None:
    """Refuse a ram by a vehicle that is no tank, or cannot move."""
    if "tank" not in types:
        return Refused("only a tank may ram", "DL-69.1", "type")
    return refuse_drive(damage)


@clause("DL-69.1", "DL-71.1")
def ram_packets(
    rammer: Rammer, target: Rammer, inches: float, rulings: Rulings = DEFAULT
) -> tuple[HullPacket, HullPacket]:
    """Return the packets on target and rammer, each at the Strength of the other, after so many inches."""
    if inches < 0:
        raise BadInput(f"a ram is driven 0 inches or more; got {inches:.4g}", clause="DL-69.1")
    on_target = SKIMMER_DMG if target.skimmer else RAM_DMG
    on_rammer = SKIMMER_DMG if target.skimmer and rulings.rammer_skimmer == "both_ten" else RAM_DMG
    which = "DL-71.1" if target.skimmer else "DL-69.1"
    return (
        HullPacket("ram", on_target, ram_strength(rammer.av, rammer.tank, inches), target.av, clause=which),
        HullPacket("ram", on_rammer, ram_strength(target.av, target.tank, inches), rammer.av, clause=which),
    )


@clause("DL-69.1", "DL-71.1")
def ram_of(
    sheets: tuple[DamageSheet, DamageSheet],
    rammer: Rammer,
    target: Rammer,
    inches: float,
    by: tuple[str, str] = ("attacker", "defender"),
    rulings: Rulings = DEFAULT,
) -> Ram:
    """Return a ram before the impact; `by` are the sides that pick the weapons destroyed on target and rammer."""
    on_target, on_rammer = ram_packets(rammer, target, inches, rulings)
    return Ram(
        VehicleAttack(sheets[1], (on_target,), rulings, by[0]), VehicleAttack(sheets[0], (on_rammer,), rulings, by[1])
    )


@clause("DL-69.1", "DL-71.1")
def hit_target(tape: Tape, ram: Ram) -> Ram:
    """Strike the rammed vehicle."""
    return replace(ram, target=tape.call(strike_vehicle, ram.target))


@clause("DL-69.1")
def hit_rammer(tape: Tape, ram: Ram) -> Ram:
    """Strike the rammer, at the same time."""
    return replace(ram, rammer=tape.call(strike_vehicle, ram.rammer))


RAM = Procedure("ram", (hit_target, hit_rammer))
