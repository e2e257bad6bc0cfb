"""Shooting at vehicles: modifiers, packets, Table 4 with overflow, whole volleys, dangerous terrain."""

from __future__ import annotations

from math import ceil

import pytest
from hypothesis import given as drawn
from hypothesis import strategies as st
from msgspec.structs import replace

from battletape.errors import BadInput, Refused
from battletape.field.measure import look_from
from battletape.procedure import fold
from battletape.rulesets.diceless40k.profiles.types import WeaponProfile
from battletape.rulesets.diceless40k.rules import vehicles
from battletape.rulesets.diceless40k.rules.attacks import piercing_of
from battletape.rulesets.diceless40k.rules.damage_rows import LINES, NO_LINES, DamageSheet, Hit, new_sheet
from battletape.rulesets.diceless40k.rules.saves import look_up
from battletape.rulesets.diceless40k.rules.weapons import Piercing
from battletape.rulesets.diceless40k.rulings import DEFAULT, Rulings
from battletape.rulesets.diceless40k.tables.sheet import ANGLE
from battletape.table.facings import angle_off
from battletape.table.hulls import Hull
from battletape.table.points import Point, step
from battletape.tape.best import Best
from battletape.tape.script import Script
from tests.diceless40k.vectors import vectors
from tests.diceless40k.wished_options import WishedOptions

OFF = Rulings(heavy_range_bonus="off")
GUNS = ("big gun", "small gun")


def lines(given) -> tuple[int, ...]:
    return tuple(given.get(line, 0) for line in LINES)


def told(recorded_or_attack) -> dict[str, int]:
    return dict(zip(LINES, recorded_or_attack, strict=True))


def names(hits) -> list[str]:
    return [hit.name for hit in hits]


def strike(
    damage: DamageSheet, *packets: vehicles.HullPacket, rulings: Rulings = DEFAULT, answers: tuple[str, ...] = ()
):
    tape = Script(*answers)
    attack = fold(vehicles.VEHICLE_ATTACK, tape, vehicles.VehicleAttack(damage, packets, rulings))
    assert tape.used_up
    return attack


def harmless(packets, before=NO_LINES, rulings=DEFAULT) -> vehicles.VehicleAttack:
    """The attack with the first option at every choice."""
    start = vehicles.VehicleAttack(DamageSheet(GUNS, lines=before), tuple(packets), rulings)
    after: vehicles.VehicleAttack = fold(vehicles.VEHICLE_ATTACK, WishedOptions(), start)
    return after


# --- vectors ---------------------------------------------------------------------------------------------------


@pytest.mark.clause("DL-60.1", "DL-60.2", "DL-60.3", "DL-76.2", "DL-T7", "DL-31.5")
@pytest.mark.parametrize("given, expect", vectors("vehicle_bs"))
def test_vectors_of_the_bs(given, expect):
    firing = vehicles.Firing(
        "gun",
        10,
        given["bs"],
        Piercing(4, rerolls_to_hit=int(given["twin_linked"])),
        ap=given["ap"],
        type="heavy" if given["heavy"] else "assault",
        zone=given["zone"] or "orange",
        range=given["max_range"],
        distance=given["distance"],
        tank_hunters=given["tank_hunters"],
    )
    rulings = DEFAULT if given["range_bonus_rule"] else OFF
    assert vehicles.modified_skill(firing.bs, vehicles.modifiers_of(firing, given["speed"], rulings)) == expect["bs"]


@pytest.mark.clause("DL-60.4")
@pytest.mark.parametrize("given, expect", vectors("vehicle_shot_damage"))
def test_vectors_of_shots(given, expect):
    assert vehicles.shot_damage(given["bs"], given["shots"], given["weapons"]) == expect["dmg"]


@pytest.mark.clause("DL-60.7", "DL-60.8", "DL-60.9", "DL-60.10", "DL-31.11", "DL-42.6", "DL-T4")
@pytest.mark.parametrize("given, expect", vectors("vehicle_line"))
def test_vectors_of_lines(given, expect):
    rules = ("witchblade",) if given.get("witchblade") else ()
    strength = piercing_of(given["s"], rules, assault=True).strength
    difference = vehicles.av_minus_s(given["av"], strength, given.get("extra"), given.get("lance", False))
    assert (difference, vehicles.line_of(difference)) == (expect["av_minus_s"], expect["line"])


@pytest.mark.clause("DL-60.7", "DL-60.11", "DL-60.13", "DL-60.14", "DL-T4")
@pytest.mark.parametrize("given, expect", vectors("vehicle_damage"))
def test_vectors_of_damage(given, expect):
    got = vehicles.record_damage(lines(given["lines"]), given["line"], given["dmg"])
    assert told(got.lines) == expect["lines"]
    assert names(got.hits) == expect["hits"]
    assert [sum(hit.kind == kind for hit in got.hits) for kind in "GP"] == [expect["glancing"], expect["penetrating"]]
    assert got.lost == expect["lost"]


@pytest.mark.clause("DL-60.4", "DL-60.5", "DL-60.6", "DL-60.8", "DL-60.12", "DL-60.13", "DL-29.1")
@pytest.mark.parametrize("given, expect", vectors("vehicle_volley"))
def test_vectors_of_volleys(given, expect):
    rulings = DEFAULT if given["heavy_range_bonus"] else OFF
    packets = [
        vehicles.packet_on(
            vehicles.Firing(
                weapon["name"],
                given["av"],
                weapon["bs"],
                Piercing(weapon["s"], weapon.get("extra")),
                weapon["weapons"],
                weapon["shots"],
                weapon["ap"],
                "heavy" if weapon["heavy"] else "rapid_fire",
                weapon.get("zone", "orange"),
                weapon.get("range"),
                weapon.get("distance"),
            ),
            given["speed"],
            given["cover"],
            rulings,
        )
        for weapon in given["packets"]
    ]
    after = harmless(packets, lines(given.get("lines", {})), rulings)
    for result, wanted in zip(after.packet_results, expect["packets"], strict=True):
        packet = result.packet
        assert (packet.name, packet.skill, packet.dmg) == (wanted["name"], wanted["bs"], wanted["dmg"])
        assert (result.dmg, result.line) == (wanted["dmg_after_cover"], wanted["line"])
        assert names(result.hits) == wanted["hits"]
    assert told(after.damage.lines) == expect["lines"]
    assert (after.glancing, after.penetrating) == (expect["glancing"], expect["penetrating"])


@pytest.mark.clause("DL-57.1")
@pytest.mark.parametrize("given, expect", vectors("vehicle_dangerous_terrain"))
def test_vectors_of_dangerous_terrain(given, expect):
    check_packet(vehicles.terrain_packet(given["rear_av"], given["inches"]), expect)


@pytest.mark.clause("DL-SM-73.2")
@pytest.mark.parametrize("given, expect", [both for both in vectors("tremor") if both[0]["vehicle"]])
def test_vectors_of_tremors(given, expect):
    check_packet(vehicles.tremor_packet(given["rear_av"], given["inches_moved"]), expect)


@pytest.mark.clause("DL-60.4")
@pytest.mark.parametrize("given, expect", vectors("area_weapon_on_vehicle"))
def test_vectors_of_blasts_and_templates(given, expect):
    firing = vehicles.Firing(
        "gun",
        given["av"],
        4,
        Piercing(given["s"]),
        ap=given["ap"],
        marker=given["kind"],
        hits=given["hits"],
        off_hull=given["hole_off_hull"],
    )
    packet = vehicles.packet_on(firing, given["speed"])
    assert (packet.skill, packet.dmg, packet.strength) == (expect["multiplier"], expect["dmg"], expect["strength"])
    difference = vehicles.av_minus_s(packet.av, packet.strength)
    assert (difference, vehicles.line_of(difference)) == (expect["av_minus_s"], expect["line"])


@pytest.mark.clause("DL-60.1", "DL-T7")
@pytest.mark.parametrize("given, expect", vectors("angle_zone"))
def test_vectors_of_angles(given, expect):
    zone = vehicles.angle_zone(given["degrees_off_perpendicular"])
    assert (zone, ANGLE[zone]) == (expect["zone"], expect["bs_modifier"])


@pytest.mark.clause("DL-60.6")
def test_cover_reads_table_1():
    for given, expect in vectors("save_table"):
        packet = vehicles.HullPacket("shots", given["dmg"], 4, 10, cover=given["save"])
        assert harmless([packet]).packet_results[0].dmg == expect["hp_lost"]


def check_packet(packet: vehicles.HullPacket, expect) -> None:
    """One packet on a new sheet, number by number."""
    (result,) = harmless([packet]).packet_results
    assert (packet.dmg, packet.strength) == (expect["dmg"], expect["strength"])
    assert (result.av_minus_s, result.line) == (expect["av_minus_s"], expect["line"])
    assert told(result.lines) == expect["lines"]
    assert names(result.hits) == expect["hits"]
    assert [sum(hit.kind == kind for hit in result.hits) for kind in "GP"] == [
        expect["glancing"],
        expect["penetrating"],
    ]
    assert result.lost == expect["lost"]


# --- the document's own example, and ours ------------------------------------------------------------------------


@pytest.mark.clause("DL-60.12", "DL-60.17", "DL-60.11")
def test_devastators_on_a_trukk():
    bolters = vehicles.Firing("bolter", 10, 4, Piercing(4), weapons=6, shots=2, ap=5)
    missiles = vehicles.Firing("krak", 10, 4, Piercing(8), weapons=4, ap=3, type="heavy", range=48, distance=11)
    packets = [vehicles.packet_on(firing, "cruising") for firing in (bolters, missiles)]
    assert [packet.dmg for packet in packets] == [48, 28]
    after = strike(new_sheet(GUNS), *packets, answers=("bolter", "big gun"))
    assert told(after.damage.lines) == {"A": 36, "B": 12, "C": 0, "D": 0, "E": 28, "F": 0}
    assert [(result.av_minus_s, result.line, names(result.hits)) for result in after.packet_results] == [
        (6, "A", ["A36G"]),
        (2, "E", ["E8G", "E15P", "E22P"]),
    ]
    assert [ticked.result for ticked in after.results] == [
        "crew_shaken",
        "crew_shaken",
        "crew_stunned",
        "weapon_destroyed",
    ]
    assert (after.glancing, after.penetrating, after.lost) == (2, 2, 0)
    in_cover = [vehicles.packet_on(firing, "cruising", 4) for firing in (bolters, missiles)]
    covered = harmless(in_cover)
    assert [result.dmg for result in covered.packet_results] == [24, 14]
    assert (covered.glancing, covered.penetrating) == (1, 0)


@pytest.mark.clause("DL-60.3", "DL-60.5")
def test_modifiers_are_told_with_their_clauses():
    melta = vehicles.Firing(
        "multi-melta", 14, 4, Piercing(8, "d6"), ap=1, type="heavy", zone="yellow", range=24, distance=11
    )
    assert [(part.name, part.value, part.clause) for part in vehicles.modifiers_of(melta, "combat")] == [
        ("range", 1, "DL-29.1"),
        ("yellow angle", -1, "DL-60.1"),
        ("combat target", 1, "DL-60.2"),
        ("AP1", 1, "DL-60.3"),
    ]
    packet = vehicles.packet_on(melta, "combat")
    assert (packet.skill, packet.dmg) == (6, 6)
    assert vehicles.line_of(vehicles.av_minus_s(14, packet.strength, packet.extra)) == "E"


@pytest.mark.clause("DL-60.2", "DL-T7")
def test_speeds():
    assert [vehicles.speed_modifier(speed).value for speed in ("immobile", "combat", "cruising", "flat_out")] == [
        2,
        1,
        0,
        -1,
    ]
    assert (
        vehicles.speed_for_firers("stationary") == vehicles.speed_for_firers("cruising", immobilised=True) == "immobile"
    )
    assert vehicles.speed_for_firers("flat_out") == "flat_out"
    with pytest.raises(BadInput, match="a speed is one of immobile, combat, cruising, flat_out; got 'ludicrous'"):
        vehicles.speed_for_firers("ludicrous")


@pytest.mark.clause("DL-60.3", "DL-76.2")
def test_ap_and_tank_hunters():
    assert [vehicles.ap_modifier(ap).value for ap in (1, 2, 6, None)] == [1, 0, 0, -1]
    assert vehicles.ap_modifier(None).name == "AP-"
    assert [vehicles.tank_hunter_modifier(hunts).value for hunts in (False, True)] == [0, 1]


@pytest.mark.clause("DL-60.1")
def test_angles_by_ruling_and_on_the_table():
    assert [vehicles.angle_zone(angle) for angle in (30, 30.5, 60, 60.5)] == ["red", "orange", "orange", "yellow"]
    wide = Rulings(angle_red=45, angle_orange=80)
    assert [vehicles.angle_zone(angle, wide) for angle in (45, 80, 81)] == ["red", "orange", "yellow"]
    with pytest.raises(BadInput, match="0 to 90 degrees, got 91"):
        vehicles.angle_zone(91)
    tank = Hull(Point(0, 0), 0, 6, 3)
    front = Point(0, 3)

    def zone(firer: Point) -> str:
        return vehicles.angle_zone(look_from(firer, tank)[1])

    assert [zone(step(front, turned, 10)) for turned in (0, 29, 40)] == ["red", "red", "orange"]
    assert zone(Point(9, 5)) == "orange"  # on the side, 32 degrees off its middle
    assert vehicles.angle_zone(angle_off(tank, "front", Point(3, 13), Point(0, 3))) == "red"


@pytest.mark.clause("DL-60.9", "DL-60.10", "DL-31.9", "DL-31.11", "DL-32.3", "DL-60.18")
def test_weapons_of_a_profile():
    melta = WeaponProfile(name="melta", type="assault", strength=8, ap=1, range=12, rules=("melta",))
    assert vehicles.firing_with(melta, 4, 14, distance=6).piercing.extra == "d6"
    assert vehicles.firing_with(melta, 4, 14, distance=7).piercing.extra is None
    sniper = WeaponProfile(name="rifle", type="heavy", strength=4, range=36, rules=("sniper",))
    packet = vehicles.packet_on(vehicles.firing_with(sniper, 4, 10, 5, distance=24), "cruising")
    assert (packet.strength, packet.extra, packet.dmg) == (3, "d3", 5 * (4 - 1 + 1))
    hammer = WeaponProfile(name="hammer", type="assault", strength=10, range=6, rules=("plus_one_damage", "lance"))
    found = vehicles.packet_on(vehicles.firing_with(hammer, 4, 14), "combat")
    assert (found.bonus, found.lance, vehicles.av_minus_s(14, 10, None, found.lance)) == (1, True, 2)
    twin = WeaponProfile(name="twin", type="heavy", strength=9, ap=2, range=48, rules=("twin_linked",))
    assert vehicles.packet_on(vehicles.firing_with(twin, 4, 12, shots=2, distance=48), "cruising").skill == 5


@pytest.mark.clause("DL-31.5", "DL-60.3")
@pytest.mark.parametrize("ruling, bs", [("once", 5), ("each", 6)])
def test_several_rerolls_to_hit(ruling, bs):
    gun = WeaponProfile(name="gun", type="assault", strength=4, ap=4, range=24, rules=("twin_linked", "reroll_to_hit"))
    assert (
        vehicles.packet_on(vehicles.firing_with(gun, 4, 10), "cruising", rulings=Rulings(reroll_bonus=ruling)).skill
        == bs
    )


@pytest.mark.clause("DL-31.6", "DL-19.3")
@pytest.mark.parametrize("rule, dmg", [("twin_linked", 5), ("reroll_to_hit", 4)])
def test_only_a_twin_linked_template_counts_five(rule, dmg):
    flamer = WeaponProfile(name="flamer", type="assault", strength=4, ap=5, range=8, marker="template", rules=(rule,))
    assert vehicles.packet_on(vehicles.firing_with(flamer, 4, 10, hits=1), "cruising").dmg == dmg


@pytest.mark.clause("DL-60.9", "DL-60.10")
def test_a_further_d6_and_a_d3_add_up():
    """14 - 6 = 8, less 4 for a monstrous creature, less 2 for its rending claws: 2, line E."""
    claws = piercing_of(6, ("rending",), assault=True, monstrous=True)
    assert claws.extra == "d6_and_d3"
    assert vehicles.line_of(vehicles.av_minus_s(14, claws.strength, claws.extra)) == "E"


@pytest.mark.clause("DL-60.4", "DL-31.6")
def test_templates_and_blasts_on_a_hull():
    flamer = vehicles.Firing(
        "flamer", 10, 4, Piercing(5, rerolls_to_hit=1, twin_template=True), ap=4, marker="template", hits=1
    )
    assert vehicles.area_skill(flamer, "combat") == ((vehicles.speed_modifier("combat"),), 6)
    assert vehicles.packet_on(flamer, "combat", cover=4).cover is None  # templates leave no cover
    by_bs = Rulings(area_on_vehicles="bs")
    assert vehicles.packet_on(flamer, "combat", rulings=by_bs).dmg == 4 + 1 + 1
    cannon = vehicles.Firing(
        "cannon", 12, 3, Piercing(9), ap=2, type="ordnance", marker="large_blast", hits=1, off_hull=True
    )
    assert (vehicles.packet_on(cannon, "cruising").strength, vehicles.packet_on(cannon, "cruising", 4).cover) == (4, 4)
    with pytest.raises(BadInput, match="0 or more"):
        vehicles.packet_on(vehicles.Firing("gun", 10, 4, Piercing(4), shots=-1), "combat")


@pytest.mark.clause("DL-58.1")
@pytest.mark.parametrize("ruling, line", [("none", "C"), ("minus_one", "D")])
def test_ordnance_by_ruling(ruling, line):
    cannon = vehicles.Firing("cannon", 12, 3, Piercing(8), ap=3, type="ordnance", marker="large_blast", hits=1)
    after = harmless([vehicles.packet_on(cannon, "cruising")], rulings=Rulings(ordnance_pen=ruling))
    assert after.packet_results[0].line == line


@pytest.mark.clause("DL-60.5")
def test_packets_of_a_kind_are_added_up():
    bolter = vehicles.Firing("bolter", 10, 4, Piercing(4), ap=5)
    rear, side = (
        vehicles.packet_on(bolter, "combat"),
        vehicles.packet_on(vehicles.Firing("bolter", 11, 4, Piercing(4), ap=5), "combat"),
    )
    both = vehicles.sum_hull_packets([rear, side, rear])
    assert [(packet.av, packet.dmg, packet.times) for packet in both] == [(10, 10, 2), (11, 5, 1)]
    assert strike(DamageSheet(), *both, answers=("bolter (2)",)).packet_results[0].line is None  # told apart by number
    las = vehicles.Firing("lascannon", 12, 4, Piercing(9), ap=2, type="heavy", range=48, distance=40)
    far, near = vehicles.packet_on(las, "combat"), vehicles.packet_on(replace(las, distance=10), "combat")
    (summed,) = vehicles.sum_hull_packets([far, near])
    assert (far.skill, near.skill, summed.dmg, summed.skill) == (5, 8, 13, None)


@pytest.mark.clause("DL-60.6")
def test_cover_of_vehicles():
    assert vehicles.vehicle_cover() is None
    assert vehicles.vehicle_cover(5, smoke=True) == 4
    assert vehicles.vehicle_cover(3, smoke=True) == 3
    assert vehicles.vehicle_cover(skimmer=True, speed="flat_out") == 4
    assert vehicles.vehicle_cover(skimmer=True, speed="cruising") is None


@pytest.mark.clause("DL-60.5")
def test_the_order_of_packets_can_matter():
    hammer, shot = vehicles.HullPacket("hammer", 1, 10, 10, bonus=1), vehicles.HullPacket("shot", 1, 8, 10)
    sheet = DamageSheet(GUNS, lines=(0, 0, 0, 0, 14, 11))
    one = strike(sheet, shot, hammer, answers=("shot",))
    assert [ticked.result for ticked in one.results] == ["crew_stunned", "immobilised"]
    other = strike(sheet, shot, hammer, answers=("hammer", "big gun"))
    assert [ticked.result for ticked in other.results] == ["weapon_destroyed", "crew_stunned"]

    def weapons_left(attack: vehicles.VehicleAttack) -> int:
        return len(attack.damage.weapons_left)

    start = vehicles.VehicleAttack(sheet, (shot, hammer))
    for play, value in (("min", 1), ("max", 2)):
        assert Best(weapons_left, {"attacker": play}).run(vehicles.VEHICLE_ATTACK.stages, start).value == value


@pytest.mark.clause("DL-60.23")
@pytest.mark.parametrize("ruling, fate", [("yes", "explodes"), ("stop_at_wreck", "wrecked")])
def test_hits_after_a_wreck(ruling, fate):
    rules = Rulings(apply_all_hits=ruling)
    volley = vehicles.HullPacket("volley", 36, 9, 10)
    after = strike(DamageSheet(), volley, vehicles.HullPacket("more", 36, 9, 10), rulings=rules, answers=("volley",))
    assert after.damage.destroyed == fate
    assert len(after.packet_results) == (2 if ruling == "yes" else 1)
    assert len(after.results) == (6 if ruling == "yes" else 4)


@pytest.mark.clause("DL-60.18")
def test_a_seismic_hammer_ticks_the_second_box():
    after = strike(DamageSheet(GUNS), vehicles.HullPacket("hammer", 12, 10, 10, bonus=1), answers=("big gun",))
    assert [ticked.result for ticked in after.results] == ["crew_shaken", "weapon_destroyed"]
    assert (after.damage.glancing, after.damage.penetrating) == ((1,), (1,))


@pytest.mark.clause("DL-60.8")
def test_nothing_is_recorded_over_six():
    after = harmless([vehicles.HullPacket("lasguns", 100, 3, 12)])
    assert (after.packet_results[0].av_minus_s, after.packet_results[0].line, after.damage.lines) == (9, None, NO_LINES)


# --- Table 4 -----------------------------------------------------------------------------------------------------


@pytest.mark.clause("DL-T4")
def test_table_4_follows_its_formula():
    for number, line in enumerate(LINES, start=1):
        wanted = [(ceil(36 * at / number), "G" if at == 1 else "P") for at in range(1, number + 1)]
        assert [(hit.at, hit.kind) for hit in vehicles.THRESHOLDS[line]] == wanted
    assert [vehicles.line_of(difference) for difference in (7, 6, 5, 4, 3, 2, 1, 0, -5)] == [None, *"ABCDEF", "F", "F"]


@pytest.mark.clause("DL-60.14", "DL-60.11")
def test_overflow():
    got = vehicles.record_damage(NO_LINES, "A", 220)
    assert (got.lines, got.lost) == ((36,) * 6, 4)
    assert [sum(hit.kind == kind for hit in got.hits) for kind in "GP"] == [6, 15]
    assert names(vehicles.record_damage((36, 0, 0, 0, 0, 0), "A", 20).hits) == ["B18G"]
    assert names(vehicles.record_damage((0, 0, 0, 30, 0, 0), "D", 20).hits) == ["D36P", "E8G"]
    again = Rulings(beyond_f="again")
    got = vehicles.record_damage(NO_LINES, "A", 229, again)
    assert (got.lines, got.lost, names(got.hits)[-3:]) == ((36, 36, 36, 36, 36, 13), 0, ["F36P", "F6G", "F12P"])
    got = vehicles.record_damage((0, 0, 0, 0, 0, 36), "F", 100, again)
    assert (got.lines[-1], got.lost, len(got.hits)) == (36, 64, 6)  # once for each packet
    got = vehicles.record_damage(NO_LINES, "A", 200)
    assert (sum(hit.kind == "G" for hit in got.hits), sum(hit.kind == "P" for hit in got.hits)) == (6, 12)


@pytest.mark.clause("DL-60.13")
@drawn(st.sampled_from(LINES), st.lists(st.integers(0, 90), max_size=5))
def test_many_small_packets_are_one_large_one(line, parts):
    now, lost = NO_LINES, 0
    hits: list[Hit] = []
    for dmg in parts:
        got = vehicles.record_damage(now, line, dmg)
        now, lost = got.lines, lost + got.lost
        hits += got.hits
    whole = vehicles.record_damage(NO_LINES, line, sum(parts))
    assert (whole.lines, whole.lost) == (now, lost)
    assert sorted(names(whole.hits)) == sorted(names(hits))
    assert sum(now) + lost == sum(parts)


@pytest.mark.clause("DL-60.13", "DL-60.14", "DL-60.7")
def test_bad_lines_are_refused():
    with pytest.raises(Refused, match="lines A to F; got G"):
        vehicles.record_damage(NO_LINES, "G", 1)
    with pytest.raises(BadInput, match="DMG is 0 or more; got -1"):
        vehicles.record_damage(NO_LINES, "A", -1)
    with pytest.raises(BadInput, match="holds 0 to 36"):
        vehicles.record_damage((37, 0, 0, 0, 0, 0), "A", 1)
    with pytest.raises(BadInput, match="0 or more"):
        vehicles.shot_damage(4, -1)


# --- terrain -----------------------------------------------------------------------------------------------------


@pytest.mark.clause("DL-57.1")
def test_terrain_on_vehicles():
    assert names(harmless([vehicles.terrain_packet(10, 1)]).packet_results[0].hits) == ["E8G"]
    after = harmless([vehicles.terrain_packet(11, 6)])
    assert told(after.damage.lines) == {"A": 0, "B": 0, "C": 0, "D": 36, "E": 24, "F": 0}
    assert (after.glancing, after.penetrating) == (2, 5)
    with pytest.raises(BadInput, match="0 or more; got -1"):
        vehicles.terrain_packet(10, -1)


@pytest.mark.clause("DL-57.2")
def test_variant_terrain():
    packet = vehicles.terrain_packet(10, 3, strength=6, dmg_per_inch=5)
    assert (packet.dmg, packet.strength) == (15, 6)


@pytest.mark.clause("DL-57.1")
@pytest.mark.parametrize("ruling, counted", [("ends", [0, 1, 2]), ("never", [0, 0, 0])])
def test_skimmers_over_terrain(ruling, counted):
    rules = Rulings(skimmer_terrain=ruling)
    ways = [(False, False), (True, False), (True, True)]
    assert [vehicles.inches_in_danger(9, True, starts, ends, rules) for starts, ends in ways] == counted
    assert vehicles.inches_in_danger(9, rulings=rules) == 9


@pytest.mark.clause("DL-SM-73.2")
@pytest.mark.parametrize("ruling, dmg", [("whole_move", 60), ("terrain_only", 20)])
def test_tremors(ruling, dmg):
    packet = vehicles.tremor_packet(10, 6, 2, Rulings(tremor_vehicle=ruling))
    assert (packet.dmg, packet.clause) == (dmg, "DL-SM-73.2")
    after = harmless([vehicles.tremor_packet(10, 6)])
    assert (after.glancing, after.penetrating) == (2, 7)


@pytest.mark.clause("DL-SM-67.1")
@pytest.mark.parametrize("ruling", [23, 0])
def test_mines_under_a_vehicle(ruling):
    packet = vehicles.mines_packet(10, Rulings(mines_on_vehicles=ruling))
    assert (packet.dmg, packet.strength, packet.av) == (ruling, 4, 10)


def test_the_names_of_hits():
    assert Hit("P", "E", 15).name == "E15P"
    assert look_up(48, 4) == 24
