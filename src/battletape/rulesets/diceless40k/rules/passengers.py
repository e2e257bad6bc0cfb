"""Passengers of a vehicle that is wrecked or explodes, and the models near an explosion."""

from __future__ import annotations

from battletape.rulebook import BadInput, Procedure, State, Tape, clause, replace
from battletape.rulesets.diceless40k.rules.casualties import Packet, Target, resolve, take_share
from battletape.rulesets.diceless40k.rules.characteristics import Group
from battletape.rulesets.diceless40k.rules.damage_rows import EXPLODES, WRECKED, Result
from battletape.rulesets.diceless40k.rules.leadership import TestResult, leadership_line, take_test, take_test_led
from battletape.rulesets.diceless40k.rules.morale import best_ld, is_fearless, may_reroll_ld
from battletape.rulesets.diceless40k.rulings import DEFAULT, Rulings
from battletape.table.distances import Thing, within

INSIDE_DMG, OPEN_TOPPED_DMG, NEARBY_DMG = 12, 9, 9  # DMG on each
INSIDE_STRENGTH, OPEN_TOPPED_STRENGTH, NEARBY_STRENGTH = 4, 3, 3  # of the base game's hits, for instant death
EXPLOSION_INCHES = 4  # inches
CHRONUS_HP_LEFT, CHRONUS_MAX_HP = 30, 40


class Bystanders(State, frozen=True):
    """A unit near an explosion, and how many models of each of its groups are in reach."""

    target: Target
    reached: tuple[int, ...]


class VehicleDestruction(State, frozen=True):
    """The end of a vehicle, or a result that it survives: its passengers, the units nearby, and how they fare."""

    end: Result
    open_topped: bool = False
    passengers: Target | None = None
    op: int = 0  # of the passengers' unit
    leader_op: int | None = None  # of an independent character that takes its tests
    bystanders: tuple[Bystanders, ...] = ()
    rulings: Rulings = DEFAULT
    test: TestResult | None = None

    @property
    def is_destroyed(self) -> bool:
        """Wrecked or exploded."""
        return self.end in (WRECKED, EXPLODES)

    @property
    def pinned(self) -> bool:
        """True if the passengers go to ground."""
        return self.test is not None and not self.test.passed


@clause("DL-67.1", "DL-70.1")
def passenger_packet(passengers: int, open_topped: bool = False) -> Packet:
    """Return the packet of an explosion on passengers: 12 DMG each, in an open-topped vehicle 9; AP-, and no cover."""
    if passengers < 0:
        raise BadInput(f"passengers are 0 or more; got {passengers}", clause="DL-67.1")
    each, strength = (OPEN_TOPPED_DMG, OPEN_TOPPED_STRENGTH) if open_topped else (INSIDE_DMG, INSIDE_STRENGTH)
    return Packet("explosion", passengers * each, strength, shots=max(1, passengers), ignores_cover=True)


@clause("DL-67.1")
def bystander_packet(models: int, rulings: Rulings = DEFAULT) -> Packet:
    """Return the packet of an explosion on models nearby: 9 DMG each, or nothing by the ruling."""
    if models < 0:
        raise BadInput(f"models in reach are 0 or more; got {models}", clause="DL-67.1")
    dmg = models * NEARBY_DMG if rulings.bystanders == "four_inches" else 0
    return Packet("explosion nearby", dmg, NEARBY_STRENGTH, shots=max(1, models), ignores_cover=True)


@clause("DL-67.1")
def in_reach(hull: Thing, models: tuple[Thing, ...]) -> tuple[int, ...]:
    """Return which models an explosion of this hull reaches."""
    return within(hull, models, EXPLOSION_INCHES)


@clause("DL-67.1", "DL-70.1")
def hurt_passengers(tape: Tape, destruction: VehicleDestruction) -> VehicleDestruction:
    """Hurt all passengers by an explosion; a wreck hurts none."""
    passengers = destruction.passengers
    if passengers is None or destruction.end != EXPLODES:
        return destruction
    return replace(
        destruction,
        passengers=tape.call(resolve, passengers, passenger_packet(passengers.models, destruction.open_topped)),
    )


@clause("DL-67.1")
def hurt_bystanders(tape: Tape, destruction: VehicleDestruction) -> VehicleDestruction:
    """Hurt all models within 4 inches of an explosion, friend or enemy."""
    if destruction.end != EXPLODES:
        return destruction
    return replace(
        destruction,
        bystanders=tuple(
            tape.call(hurt_nearby, bystanders, destruction.rulings) for bystanders in destruction.bystanders
        ),
    )


@clause("DL-67.1")
def hurt_nearby(tape: Tape, bystanders: Bystanders, rulings: Rulings = DEFAULT) -> Bystanders:
    """Hurt the models of one unit in reach, group by group."""
    target = bystanders.target
    if len(bystanders.reached) != len(target.groups):
        raise BadInput(
            f"{len(target.groups)} groups stand there; got {len(bystanders.reached)} numbers", clause="DL-67.1"
        )
    for group_index, models in enumerate(bystanders.reached):
        if models > target.groups[group_index].models:
            raise BadInput(
                f"{target.groups[group_index].name} has {target.groups[group_index].models} models; got {models}",
                clause="DL-67.1",
            )
        packet = bystander_packet(models, rulings)
        target = take_share(tape, target, packet, group_index, packet.dmg) if packet.dmg else target
    return replace(bystanders, target=target)


@clause("DL-67.2", "DL-8.3")
def take_pinning_test(tape: Tape, destruction: VehicleDestruction) -> VehicleDestruction:
    """Test the passengers that got out for pinning; fearless ones take no test."""
    passengers = destruction.passengers
    if passengers is None or not passengers.models or not destruction.is_destroyed or is_fearless(passengers.groups):
        return destruction
    ld, again = best_ld(passengers.groups), may_reroll_ld(passengers.groups)
    if destruction.leader_op is None:
        test = take_test(destruction.op, ld, again)
    else:
        test = take_test_led(destruction.op, destruction.leader_op, ld, again, rulings=destruction.rulings)
    tape.tell(leadership_line, test, "Pinning", "DL-67.2")
    return replace(destruction, test=test)


VEHICLE_END = Procedure("vehicle end", (hurt_passengers, hurt_bystanders, take_pinning_test))


@clause("DL-SM-89.1")
def tank_commander(name: str) -> Group:
    """Return a tank commander on foot: a sergeant of marines."""
    return Group(name, 1, CHRONUS_MAX_HP, armour=3, bs=4, ws=4, strength=4, initiative=4, attacks=2, ld=9)


@clause("DL-SM-89.1")
def chronus_hp(result: Result, hp: int = CHRONUS_MAX_HP) -> int:
    """Return the HP of the tank commander after a result on the tank: its end costs 10 of 40, others nothing."""
    return min(hp, CHRONUS_HP_LEFT) if result in (WRECKED, EXPLODES) else hp
