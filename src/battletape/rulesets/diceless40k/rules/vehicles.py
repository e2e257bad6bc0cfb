"""Damage on vehicles: how much a weapon deals, which line of Table 4 it goes to, and the hits that come of it.

Whatever hurts a vehicle becomes a `HullPacket` (here shots, templates, blasts and terrain; blows and rams have chapters
of their own), and `VEHICLE_ATTACK` works packets out: cover, line, thresholds, rows of boxes. Its record keeps every
number on the way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Literal, TypeAlias

from battletape.rulebook import BadInput, Line, Procedure, State, Tape, capital, clause, replace
from battletape.rulesets.diceless40k.profiles.types import WeaponProfile
from battletape.rulesets.diceless40k.rules import damage_rows
from battletape.rulesets.diceless40k.rules.attacks import piercing_of
from battletape.rulesets.diceless40k.rules.casualties import hand_out
from battletape.rulesets.diceless40k.rules.movement import round_half_up
from battletape.rulesets.diceless40k.rules.saves import look_up
from battletape.rulesets.diceless40k.rules.shooting import heavy_range_bonus, reroll_bonus
from battletape.rulesets.diceless40k.rules.space_marines import mines_on_vehicle
from battletape.rulesets.diceless40k.rules.weapons import Extra, Piercing
from battletape.rulesets.diceless40k.rulings import DEFAULT, Rulings
from battletape.rulesets.diceless40k.tables import sheet

Speed: TypeAlias = Literal["immobile", "combat", "cruising", "flat_out"]
Zone: TypeAlias = Literal["red", "orange", "yellow"]
"""The zones of the vehicle angle template."""

EXTRA: dict[Extra, int] = {"d6": 4, "d3": 2, "d6_and_d3": 6}  # what further dice of penetration take off AV-S
LANCE_AV = 12
MAX_AV_MINUS_S = 6
SMOKE_COVER = FLAT_OUT_COVER = 4
TERRAIN_STRENGTH = 8
TERRAIN_DMG = 10  # for each inch


class Modifier(State, frozen=True):
    """Something that is added to BS or WS, and its clause."""

    name: str
    value: int
    clause: str


class Firing(State, frozen=True):
    """Weapons of one kind that fire at one facing of a vehicle."""

    name: str
    av: int
    bs: int
    piercing: Piercing
    weapons: int = 1
    shots: int = 1  # of each
    ap: int | None = None
    type: str = "rapid_fire"
    zone: Zone = "orange"
    range: int | None = None
    distance: float | None = None
    tank_hunters: bool = False
    marker: str = "none"
    hits: int = 0  # of a marker or template on the hull
    off_hull: bool = False  # the hole of the marker lies beside the hull
    ignores_cover: bool = False


class HullPacket(State, frozen=True):
    """DMG of one kind on one facing of a vehicle, and how it came about."""

    name: str
    dmg: int
    strength: int
    av: int
    extra: Extra | None = None
    lance: bool = False
    ordnance: bool = False
    bonus: int = 0  # on the damage chart
    cover: int | None = None  # the save that helps
    skill: int | None = None  # BS, WS or multiplier with all modifiers
    modifiers: tuple[Modifier, ...] = ()
    times: int = 1  # shots, attacks or hits that it is made of
    clause: str = "DL-60.4"
    zone: Zone | None = None  # of the angle template, where the angle counts


class LineDamage(State, frozen=True):
    """Lines after some DMG, the thresholds that were newly reached, and what did not fit on line F."""

    lines: tuple[int, ...]
    hits: tuple[damage_rows.Hit, ...] = ()
    lost: int = 0


class PacketResult(State, frozen=True):
    """The result of a packet: DMG after cover, AV-S and its line (none if too strong), thresholds, boxes."""

    packet: HullPacket
    dmg: int  # after cover
    av_minus_s: int
    line: str | None
    hits: tuple[damage_rows.Hit, ...] = ()
    lines: tuple[int, ...] = ()  # afterwards
    lost: int = 0
    box_results: tuple[damage_rows.BoxResult, ...] = ()


class VehicleAttack(State, frozen=True):
    """An attack on a vehicle: the packets still to come, the sheet, and what has become of it so far."""

    damage: damage_rows.DamageSheet
    packets: tuple[HullPacket, ...]
    rulings: Rulings = DEFAULT
    by: str = "attacker"  # the side that orders packets and picks weapons
    packet_results: tuple[PacketResult, ...] = ()

    @property
    def glancing(self) -> int:
        """Glancing hits so far."""
        return sum(hit.kind == "G" for result in self.packet_results for hit in result.hits)

    @property
    def penetrating(self) -> int:
        """Penetrating hits so far."""
        return sum(hit.kind == "P" for result in self.packet_results for hit in result.hits)

    @property
    def lost(self) -> int:
        """DMG that did not fit on the sheet."""
        return sum(result.lost for result in self.packet_results)

    @property
    def results(self) -> tuple[damage_rows.BoxResult, ...]:
        """The results of all hits, in order."""
        return tuple(box_result for result in self.packet_results for box_result in result.box_results)


# --- the BS against a vehicle -----------------------------------------------------------------------------------------


@clause("DL-60.1")
def angle_zone(degrees: float, rulings: Rulings = DEFAULT) -> Zone:
    """Return the zone of the angle template for a line of sight so many degrees off the perpendicular."""
    if not 0 <= degrees <= 90:
        raise BadInput(f"an angle off the perpendicular must be from 0 to 90 degrees, got {degrees:g}", field="degrees")
    return "red" if degrees <= rulings.angle_red else "orange" if degrees <= rulings.angle_orange else "yellow"


@clause("DL-60.2")
def speed_for_firers(band: str, immobilised: bool = False) -> Speed:
    """Return the speed that counts for firers: that of the last Movement phase; immobilised counts as immobile."""
    speeds: dict[str, Speed] = {"stationary": "immobile", "immobile": "immobile", "combat": "combat"}
    speeds |= {"cruising": "cruising", "flat_out": "flat_out"}
    if band not in speeds:
        raise BadInput(f"a speed is one of {', '.join(sheet.SPEED)}; got {band!r}", field="speed")
    return "immobile" if immobilised else speeds[band]


@clause("DL-60.2", "DL-T7")
def speed_modifier(speed: Speed) -> Modifier:
    """Return what the target's speed adds to BS or WS."""
    return Modifier(f"{speed.replace('_', ' ')} target", sheet.SPEED[speed], "DL-60.2")


@clause("DL-60.3", "DL-T7")
def ap_modifier(ap: int | None) -> Modifier:
    """Return what AP1 and AP- add to BS."""
    return Modifier("AP-" if ap is None else f"AP{ap}", sheet.ARMOUR_PIERCING.get(ap, 0), "DL-60.3")


@clause("DL-76.2")
def tank_hunter_modifier(hunts: bool) -> Modifier:
    """Return what tank hunters add to BS and WS against vehicles."""
    return Modifier("tank hunters", int(hunts), "DL-76.2")


@clause("DL-60.3", "DL-60.1", "DL-31.5", "DL-29.1", "DL-T7")
def modifiers_of(firing: Firing, speed: Speed, rulings: Rulings = DEFAULT) -> tuple[Modifier, ...]:
    """Return everything that changes the BS of a weapon against a vehicle."""
    heavy = firing.type == "heavy"
    ranged = heavy and firing.range is not None and firing.distance is not None
    bonus = heavy_range_bonus(firing.range or 0, firing.distance or 0, rulings) if ranged else 0
    changes = (
        Modifier("re-rolls to hit", reroll_bonus(firing.piercing.rerolls_to_hit, rulings), "DL-31.5"),
        tank_hunter_modifier(firing.tank_hunters),
        Modifier("range", bonus, "DL-29.1"),
        Modifier(f"{firing.zone} angle", sheet.ANGLE[firing.zone] if heavy else 0, "DL-60.1"),
        speed_modifier(speed),
        ap_modifier(firing.ap),
    )
    return tuple(modifier for modifier in changes if modifier.value)


@clause("DL-60.3")
def modified_skill(skill: int, modifiers: Iterable[Modifier]) -> int:
    """Return the BS or WS with all modifiers; never below 0."""
    return max(0, skill + sum(modifier.value for modifier in modifiers))


# --- packets ----------------------------------------------------------------------------------------------------------


@clause("DL-60.4", "DL-60.9", "DL-60.10")
def firing_with(
    weapon: WeaponProfile,
    bs: int,
    av: int,
    weapons: int = 1,
    shots: int | None = None,
    distance: float = 0,
    zone: Zone = "orange",
    tank_hunters: bool = False,
    hits: int = 0,
    off_hull: bool = False,
) -> Firing:
    """Return the weapons of a profile as they fire at a vehicle; without a number of shots those of the profile."""
    piercing = piercing_of(weapon.strength or 0, weapon.rules, weapon.range, distance)
    return Firing(
        name=weapon.name,
        av=av,
        bs=bs,
        piercing=piercing,
        weapons=weapons,
        shots=weapon.shots if shots is None else shots,
        ap=weapon.ap,
        type=weapon.type,
        zone=zone,
        range=weapon.range,
        distance=distance,
        tank_hunters=tank_hunters,
        marker=weapon.marker,
        hits=hits,
        off_hull=off_hull,
        ignores_cover=piercing.ignores_cover,
    )


@clause("DL-60.4")
def shot_damage(bs: int, shots: int, weapons: int = 1) -> int:
    """Return the DMG of shots at a vehicle: BS times shots; Strength does not count here."""
    if shots < 0 or weapons < 0:
        raise BadInput(f"shots and weapons are 0 or more; got {shots} and {weapons}", clause="DL-60.4")
    return max(0, bs) * shots * weapons


@clause("DL-60.4", "DL-60.5", "DL-60.6", "DL-58.1")
def packet_on(firing: Firing, speed: Speed, cover: int | None = None, rulings: Rulings = DEFAULT) -> HullPacket:
    """Return the packet that weapons deal to a vehicle at this speed, in this cover."""
    piercing = firing.piercing
    if firing.marker == "none":
        modifiers = modifiers_of(firing, speed, rulings)
        skill, times = modified_skill(firing.bs, modifiers), firing.shots * firing.weapons
    else:
        modifiers, skill = area_skill(firing, speed, rulings)
        times = firing.hits
    if times < 0:
        raise BadInput(f"shots and hits are 0 or more; got {times}", clause="DL-60.4")
    return HullPacket(
        name=firing.name,
        dmg=shot_damage(skill, times),
        strength=piercing.strength // 2 if firing.off_hull else piercing.strength,
        av=firing.av,
        extra=piercing.extra,
        lance=piercing.lance,
        ordnance=firing.type == "ordnance",
        bonus=int(piercing.damage_bonus),
        cover=None if firing.ignores_cover or firing.marker == "template" else cover,
        skill=skill,
        modifiers=modifiers,
        times=times,
        zone=firing.zone if firing.marker == "none" and firing.type == "heavy" else None,
    )


@clause("DL-60.4", "DL-31.6")
def area_skill(firing: Firing, speed: Speed, rulings: Rulings = DEFAULT) -> tuple[tuple[Modifier, ...], int]:
    """Return a template's or blast's multiplier in place of BS: speed and AP change it, angle and range do not."""
    if rulings.area_on_vehicles == "bs":
        modifiers = modifiers_of(firing, speed, rulings)
        return modifiers, modified_skill(firing.bs, modifiers)
    twin = firing.marker == "template" and firing.piercing.twin_template
    times = sheet.AREA["twin_linked template" if twin else firing.marker]
    changes = tuple(change for change in (speed_modifier(speed), ap_modifier(firing.ap)) if change.value)
    return changes, modified_skill(times, changes)


@clause("DL-60.5")
def sum_hull_packets(packets: Iterable[HullPacket]) -> tuple[HullPacket, ...]:
    """Return the packets of the same weapon on the same facing added up, in the order of the first of each.

    Where their BS differ, by distance or angle, the sum has none of its own.
    """
    summed: dict[HullPacket, HullPacket] = {}
    for packet in packets:
        kind = replace(packet, dmg=0, times=0, skill=None, modifiers=(), zone=None)
        known = summed.get(kind)
        if known is None:
            summed[kind] = packet
            continue
        alike = (known.skill, known.modifiers) == (packet.skill, packet.modifiers)
        whole = replace(known, dmg=known.dmg + packet.dmg, times=known.times + packet.times)
        summed[kind] = whole if alike else replace(whole, skill=None, modifiers=(), zone=None)
    return tuple(summed.values())


@clause("DL-25.2", "DL-60.5")
def share_packet(
    tape: Tape, packets: Sequence[HullPacket], names: Sequence[str], by: str, rulings: Rulings = DEFAULT
) -> tuple[HullPacket, ...]:
    """Share a packet evenly among a squadron; `packets` holds it as each vehicle would suffer it alone.

    Leftover points go where their player says; a share has no BS of its own.
    """
    each, left = divmod(packets[0].dmg, len(packets))
    extra = (0,) * len(packets)
    if rulings.leftover != "lost":
        extra = hand_out(tape, left, [(name, 1) for name in names], by, packets[0].name)
    return tuple(
        replace(packet, dmg=each + more, skill=None, modifiers=()) for packet, more in zip(packets, extra, strict=True)
    )


@clause("DL-60.6")
def vehicle_cover(
    obscured: int | None = None, smoke: bool = False, skimmer: bool = False, speed: Speed = "combat"
) -> int | None:
    """Return a vehicle's cover save: the best of what hides it, of smoke, and of a skimmer that goes flat out."""
    saves = [obscured] if obscured is not None else []
    saves += [SMOKE_COVER] if smoke else []
    saves += [FLAT_OUT_COVER] if skimmer and speed == "flat_out" else []
    return min(saves, default=None)


@clause("DL-57.1", "DL-57.2")
def terrain_packet(
    rear: int, inches: float, strength: int = TERRAIN_STRENGTH, dmg_per_inch: int = TERRAIN_DMG
) -> HullPacket:
    """Return the packet of dangerous terrain: rear armour is hit for every inch inside; nothing modifies it."""
    if inches < 0:
        raise BadInput(f"inches in terrain are 0 or more; got {inches:.4g}", clause="DL-57.1")
    dmg = round_half_up(dmg_per_inch * Fraction(inches).limit_denominator(1000))
    return HullPacket("dangerous terrain", dmg, strength, rear, clause="DL-57.1")


@clause("DL-57.1")
def inches_in_danger(
    inches: float, skimmer: bool = False, starts: bool = False, ends: bool = False, rulings: Rulings = DEFAULT
) -> float:
    """Return the inches that count in dangerous terrain; for a skimmer one each for its start and end there."""
    if not skimmer:
        return inches
    return 0 if rulings.skimmer_terrain == "never" else int(starts) + int(ends)


@clause("DL-SM-73.2")
def tremor_packet(rear: int, moved: float, in_terrain: float = 0, rulings: Rulings = DEFAULT) -> HullPacket:
    """Return the packet of ground shaken by a subterranean blast, as dangerous as dangerous terrain."""
    inches = moved if rulings.tremor_vehicle == "whole_move" else in_terrain
    return replace(terrain_packet(rear, inches), name="tremor", clause="DL-SM-73.2")


@clause("DL-SM-67.1")
def mines_packet(rear: int, rulings: Rulings = DEFAULT) -> HullPacket:
    """Return the packet of cluster mines under a vehicle."""
    dmg, strength = mines_on_vehicle(rulings)
    return HullPacket("cluster mines", dmg, strength, rear, clause="DL-SM-67.1")


# --- Table 4 ----------------------------------------------------------------------------------------------------------


@clause("DL-60.7", "DL-60.9", "DL-60.10", "DL-58.1")
def av_minus_s(
    av: int,
    strength: int,
    extra: Extra | None = None,
    lance: bool = False,
    ordnance: bool = False,
    rulings: Rulings = DEFAULT,
) -> int:
    """Return the armour less Strength: a lance meets 12 at most, a further die of penetration takes off 4 or 2."""
    armour = min(av, LANCE_AV) if lance else av
    less = EXTRA[extra] if extra else 0
    return armour - strength - less - int(ordnance and rulings.ordnance_pen == "minus_one")


@clause("DL-60.7", "DL-60.8", "DL-T4")
def line_of(difference: int) -> str | None:
    """Return the line of Table 4 for an AV-S: A for 6 down to F for 1 and less; over 6 there is no damage at all."""
    if difference > MAX_AV_MINUS_S:
        return None
    return damage_rows.LINES[min(MAX_AV_MINUS_S - difference, len(damage_rows.LINES) - 1)]


def _thresholds() -> dict[str, tuple[damage_rows.Hit, ...]]:
    """Return the hits of each line, in order."""
    return {
        line: tuple(damage_rows.Hit("G" if mark[-1] == "G" else "P", line, int(mark[:-1])) for mark in marks.split())
        for line, _, marks in sheet.VEHICLE_LINES
    }


THRESHOLDS = _thresholds()


@clause("DL-60.7", "DL-60.11", "DL-60.13", "DL-60.14", "DL-T4")
def record_damage(lines: Sequence[int], line: str, dmg: int, rulings: Rulings = DEFAULT) -> LineDamage:
    """Write DMG on a line: a line holds 36, the rest goes on to the next ones; thresholds newly reached are hits.

    What does not fit on line F is lost, unless the players let it begin that line anew.
    """
    line_index = damage_rows.line_at(line)
    if dmg < 0:
        raise BadInput(f"DMG is 0 or more; got {dmg}", clause="DL-60.13")
    if len(lines) != len(damage_rows.LINES) or any(not 0 <= held <= sheet.LINE_HOLDS for held in lines):
        raise BadInput(
            f"each of the lines A to F holds 0 to {sheet.LINE_HOLDS} DMG; got {list(lines)}", clause="DL-60.14"
        )
    after, hits, rest = list(lines), [], dmg
    for place in range(line_index, len(damage_rows.LINES)):
        taken = min(rest, sheet.LINE_HOLDS - after[place])
        hits += [hit for hit in THRESHOLDS[damage_rows.LINES[place]] if after[place] < hit.at <= after[place] + taken]
        after[place] += taken
        rest -= taken
    if rest and rulings.beyond_f == "again":
        after[-1] = min(rest, sheet.LINE_HOLDS)
        hits += [hit for hit in THRESHOLDS[damage_rows.LINES[-1]] if hit.at <= after[-1]]
        rest -= after[-1]
    return LineDamage(tuple(after), tuple(hits), rest)


# --- an attack --------------------------------------------------------------------------------------------------------


@clause("DL-60.5", "DL-60.12")
def strike_vehicle(tape: Tape, attack: VehicleAttack) -> VehicleAttack:
    """Resolve the packets one by one, in the order that the attacker chooses."""
    return tape.each(strike_next, attack, range(1, len(attack.packets) + 1))


@clause("DL-60.5", "DL-60.6", "DL-60.7", "DL-60.8", "DL-60.13")
def strike_next(tape: Tape, attack: VehicleAttack, number: int) -> VehicleAttack:
    """Resolve the packet that comes next: save by cover, write it on its line, and tick its hits."""
    names = _packets_by_name(attack.packets)
    packet = names[tape.choose(tuple(names), by=attack.by, label=f"packet {number}")]
    left = list(attack.packets)
    left.remove(packet)
    attack = replace(attack, packets=tuple(left))
    if attack.damage.destroyed and attack.rulings.apply_all_hits == "stop_at_wreck":
        return attack
    dmg = look_up(packet.dmg, packet.cover)
    difference = av_minus_s(packet.av, packet.strength, packet.extra, packet.lance, packet.ordnance, attack.rulings)
    line = line_of(difference)
    lines = attack.damage.lines
    recorded = LineDamage(lines) if line is None else record_damage(lines, line, dmg, attack.rulings)
    result = PacketResult(packet, dmg, difference, line, recorded.hits, recorded.lines, recorded.lost)
    damage = replace(attack.damage, lines=recorded.lines)
    attack = replace(attack, damage=damage, packet_results=(*attack.packet_results, result))
    tape.tell(packet_result_lines, result)
    hits = tuple(replace(hit, bonus=packet.bonus) for hit in recorded.hits)
    return tape.each(tick_hit, attack, hits) if hits else attack


@clause("DL-60.15", "DL-60.17", "DL-60.23")
def tick_hit(tape: Tape, attack: VehicleAttack, hit: damage_rows.Hit) -> VehicleAttack:
    """Tick one hit of the packet on its row; all of them count, even after one that wrecks."""
    if attack.damage.destroyed and attack.rulings.apply_all_hits == "stop_at_wreck":
        return attack
    damage, box_result = damage_rows.take_hit(tape, attack.damage, hit, attack.by, attack.rulings)
    *before, last = attack.packet_results
    last = replace(last, box_results=(*last.box_results, box_result))
    return replace(attack, damage=damage, packet_results=(*before, last))


def _packets_by_name(packets: Sequence[HullPacket]) -> dict[str, HullPacket]:
    """Return the packets by name, those that differ and have the same name numbered."""
    names: dict[str, HullPacket] = {}
    for packet in packets:
        name, number = packet.name, 1
        while names.get(name, packet) != packet:
            number += 1
            name = f"{packet.name} ({number})"
        names.setdefault(name, packet)
    return names


VEHICLE_ATTACK = Procedure("vehicle attack", (strike_vehicle,))


# --- log lines --------------------------------------------------------------------------------------------------------


def packet_text(packet: HullPacket) -> str:
    """Say how the DMG of a packet comes about: BS7 × 4 = 28 DMG."""
    if packet.skill is None:
        return f"{packet.dmg} DMG at S{packet.strength}"
    added = ", ".join(f"{modifier.name} {modifier.value:+d}" for modifier in packet.modifiers)
    return f"{packet.skill}{f' ({added})' if added else ''} × {packet.times} = {packet.dmg} DMG at S{packet.strength}"


def packet_clauses(packet: HullPacket) -> tuple[str, ...]:
    """Return the clauses that a packet rests on."""
    return (packet.clause, *(modifier.clause for modifier in packet.modifiers))


EXTRA_CLAUSES: dict[Extra | None, tuple[str, ...]] = {
    None: (),
    "d6": ("DL-60.9",),
    "d3": ("DL-60.10",),
    "d6_and_d3": ("DL-60.9", "DL-60.10"),
}


def packet_result_lines(result: PacketResult) -> Iterator[Line]:
    """Show the result of a packet on a vehicle: cover, line, and the hits, which then tick their boxes."""
    packet = result.packet
    yield Line(f"{capital(packet.name)}: {packet_text(packet)}", packet_clauses(packet), result=f"{packet.dmg} DMG")
    if packet.cover is not None:
        text = f"{capital(packet.name)}: {packet.dmg} DMG → {packet.cover}+ cover → {result.dmg} DMG"
        yield Line(text, ("DL-60.6",))
    armour = f"AV{packet.av} - S{packet.strength}" + (f" - {EXTRA[packet.extra]}" if packet.extra else "")
    armour += " (lance: 12 at most)" if packet.lance else ""
    if result.line is None:
        yield Line(f"{armour} = {result.av_minus_s}: too much armour, no damage", ("DL-60.8",), result="no damage")
        return
    clauses = ("DL-60.7", *EXTRA_CLAUSES[packet.extra])
    yield sheet_line(result, f"{armour} = {result.av_minus_s}, line {result.line}", clauses)


def sheet_line(result: PacketResult, what: str, clauses: tuple[str, ...] = ("DL-60.7",)) -> Line:
    """Show the hits of DMG on a line, and the sheet."""
    hits = " ".join(hit.name for hit in result.hits) or "no hit"
    held = damage_rows.lines_text(result.lines) or "nothing"
    text = f"{what}: {hits}; the sheet has {held}"
    return Line(text + (f", {result.lost} DMG are lost" if result.lost else ""), (*clauses, "DL-60.13"), result=hits)
