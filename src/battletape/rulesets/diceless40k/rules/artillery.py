"""Shooting at artillery: a share of the damage for the crew, a share for the guns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from battletape.rulebook import Line, Procedure, Refused, State, Tape, capital, clause, plural, replace
from battletape.rulesets.diceless40k.rules import casualties
from battletape.rulesets.diceless40k.rules.characteristics import Group
from battletape.rulesets.diceless40k.rules.damage_rows import NO_LINES
from battletape.rulesets.diceless40k.rules.saves import look_up
from battletape.rulesets.diceless40k.rules.vehicles import HullPacket, av_minus_s, line_of, packet_text, record_damage
from battletape.rulesets.diceless40k.rulings import DEFAULT, Rulings

GUN_AV = 10
CREW_COLUMN, GUN_COLUMN = 3, 5
WEAK_STRENGTH = 3  # Strength, and below


class DamageShares(State, frozen=True):
    """The DMG before saves that goes to the crew and to the guns."""

    crew: int
    guns: int


class Battery(State, frozen=True):
    """An artillery unit under fire: crew, guns with the damage on the one in front, packets still to come."""

    crew: casualties.Target
    guns: tuple[str, ...]
    packets: tuple[
        tuple[casualties.Packet, HullPacket], ...
    ] = ()  # the same shots as troops and as a vehicle suffer them
    lines: tuple[int, ...] = NO_LINES
    to_crew: int = 0  # DMG before saves
    to_guns: int = 0
    destroyed: int = 0  # guns


@clause("DL-55.1")
def artillery_columns(dmg: int) -> DamageShares:
    """Return the shares of one DMG value: its 3+ column for the crew, its 5+ column for the guns."""
    return DamageShares(look_up(dmg, CREW_COLUMN), look_up(dmg, GUN_COLUMN))


@clause("DL-55.1", "DL-55.2")
def artillery_shares(dmg: int, vehicle_dmg: int, strength: int, rulings: Rulings = DEFAULT) -> DamageShares:
    """Return the shares of crew and guns, each by its column; the guns take DMG on vehicles, none from S3 or less."""
    counted = vehicle_dmg if rulings.artillery_guns == "vehicle_dmg" else dmg
    guns = 0 if strength <= WEAK_STRENGTH else artillery_columns(counted).guns
    return DamageShares(artillery_columns(dmg).crew, guns)


@clause("DL-55.1")
def damage_guns(tape: Tape, battery: Battery, packet: HullPacket) -> Battery:
    """Deal DMG to the guns, one after the other on Table 4: a hit destroys the gun, the rest goes on to the next."""
    line = line_of(
        av_minus_s(GUN_AV, packet.strength, packet.extra, packet.lance, packet.ordnance, battery.crew.rulings)
    )
    dmg = packet.dmg
    while line is not None and dmg and battery.guns:
        recorded = record_damage(battery.lines, line, dmg)
        if not recorded.hits:
            return replace(battery, lines=recorded.lines)
        needed = _dmg_to_destroy(battery.lines, line, dmg)
        label = f"gun removed ({battery.destroyed + 1})"
        gun = tape.choose(tuple(dict.fromkeys(battery.guns)), by=battery.crew.by, label=label)
        left = list(battery.guns)
        left.remove(gun)
        tape.tell("{} is destroyed by {}", capital(gun), recorded.hits[0].name, clause="DL-55.1")
        battery = replace(battery, guns=tuple(left), lines=NO_LINES, destroyed=battery.destroyed + 1)
        dmg -= needed
    return battery


def _dmg_to_destroy(lines: tuple[int, ...], line: str, dmg: int) -> int:
    """Return the least DMG that makes a hit."""
    return next(points for points in range(1, dmg + 1) if record_damage(lines, line, points).hits)


@clause("DL-55.1", "DL-55.2")
def resolve_battery_packets(tape: Tape, battery: Battery) -> Battery:
    """Resolve packet by packet: the crew saves its share, and the guns take theirs."""
    crew = casualties.begin_volley(battery.crew)
    battery = tape.each(split_packet, replace(battery, packets=(), crew=crew), pairs_in_order(battery))
    return replace(battery, crew=casualties.end_volley(battery.crew))


@clause("DL-19.2")
def pairs_in_order(battery: Battery) -> tuple[tuple[casualties.Packet, HullPacket], ...]:
    """Return the packets on a battery as they are taken: like those on any unit, the strongest first."""
    if battery.crew.rulings.packets == "in_turn":
        return battery.packets
    return tuple(sorted(battery.packets, key=lambda pair: casualties.packet_order(pair[0])))


@clause("DL-55.1")
def gun_hits_of(total: int, markers: Sequence[int], guns: int) -> tuple[int, ...]:
    """Return the guns under the markers of each weapon: as many as it can cover, the first weapon first."""
    hits = []
    for number in markers:
        hits.append(min(total, number * guns))
        total -= hits[-1]
    return tuple(hits)


@clause("DL-55.1")
def refuse_gun_hits(hits: int, markers: int, guns: int) -> Refused | None:
    """Refuse more hits on guns than templates and markers can cover: each covers every gun once."""
    if hits <= markers * guns:
        return None
    return Refused(f"{plural(markers * guns, 'gun')} can be hit; got {hits}", "DL-55.1", "hits")


@clause("DL-55.1", "DL-55.2")
def split_packet(tape: Tape, battery: Battery, packets: tuple[casualties.Packet, HullPacket]) -> Battery:
    """Share one packet between crew and guns; without guns all of it goes to the crew.

    A template or marker hits what it covers: both have their own hits.
    """
    on_troops, on_armour = packets
    shares = DamageShares(on_troops.dmg, 0)
    if on_troops.area:
        shares = DamageShares(on_troops.dmg, on_armour.dmg)
    elif battery.guns or (battery.destroyed and battery.crew.rulings.packets == "at_once"):
        shares = artillery_shares(on_troops.dmg, on_armour.dmg, on_armour.strength, battery.crew.rulings)
    tape.tell(share_out_lines, on_troops, on_armour, shares)
    crew: casualties.Target = tape.call(casualties.resolve, battery.crew, replace(on_troops, dmg=shares.crew))
    battery = replace(battery, crew=crew, to_crew=battery.to_crew + shares.crew, to_guns=battery.to_guns + shares.guns)
    return damage_guns(tape, battery, replace(on_armour, dmg=look_up(shares.guns, on_armour.cover)))


@clause("DL-55.1")
def abandon_guns(tape: Tape, battery: Battery) -> Battery:
    """Remove guns without a crew, as in the base game."""
    if battery.crew.models:
        return battery
    if battery.guns:
        tape.tell("Nobody is left to serve the guns: they are gone")
    return replace(battery, guns=(), lines=NO_LINES)


@clause("DL-55.1")
def gunners(groups: Iterable[Group]) -> Group | None:
    """Return the group of a battery's crew that fires its guns: the first with models left."""
    return next((group for group in groups if group.models), None)


@clause("DL-55.1")
def refuse_battery(guns: int, crew: int) -> Refused | None:
    """Refuse an artillery unit without guns or without crew."""
    if guns > 0 and crew > 0:
        return None
    return Refused(f"an artillery unit has guns and a crew; got {guns} guns and {crew} models", "DL-55.1")


ARTILLERY = Procedure("artillery", (resolve_battery_packets, abandon_guns))


# --- log lines --------------------------------------------------------------------------------------------------------


def share_out_lines(packet: casualties.Packet, hull: HullPacket, shares: DamageShares) -> Iterator[Line]:
    """Show the shares of a packet for the crew and for the guns."""
    name = capital(packet.name)
    if packet.area:
        guns = f"{packet_text(hull)} on the guns" if hull.dmg else "no gun under it"
        yield Line(f"{name}: {packet.dmg} DMG on the crew under it, {guns}", ("DL-55.1", "DL-30.8"))
        return
    yield Line(f"{name}: {packet.dmg} DMG → column 3+ → {shares.crew} DMG on the crew", ("DL-55.1",))
    guns = f"{packet_text(hull)} → column 5+ → {shares.guns} DMG on the guns"
    weak = "too weak for the guns" if hull.strength <= WEAK_STRENGTH else guns
    yield Line(f"{name}: {weak}", ("DL-55.2",) if hull.strength <= WEAK_STRENGTH else ("DL-55.1", "DL-60.4"))
