"""Shooting at troops: damage, packets, the range bonus, gets hot!, whole volleys."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from battletape.errors import BadInput, Refused
from battletape.procedure import fold
from battletape.rulesets.diceless40k.rules import shooting
from battletape.rulesets.diceless40k.rules.attacks import with_special_rules
from battletape.rulesets.diceless40k.rules.casualties import Losses, Packet, Target, resolve_all
from battletape.rulesets.diceless40k.rules.characteristics import ACUTE_SENSES, FEEL_NO_PAIN, VULNERABLE, Group
from battletape.rulesets.diceless40k.rules.weapons import GETS_HOT
from battletape.rulesets.diceless40k.rulings import Rulings
from battletape.tape.best import Best
from battletape.tape.script import Script
from tests.diceless40k.log_lines import shares, texts
from tests.diceless40k.vectors import vectors
from tests.diceless40k.wished_options import WishedOptions

OFF = Rulings(heavy_range_bonus="off")
MARINE = Group("marine", 1, 40, armour=3)
GUARDSMAN = Group("guardsman", 1, 30, toughness=3, armour=5)
BOYZ = Target((Group("boyz", 20, 40, armour=6),))


def shoot(
    aims: Any, target: Target, *answers: Any, firers: tuple[Group, ...] = (), tokens: int = 0
) -> shooting.Shooting:
    """Return the shooting with these answers, all of which are asked for."""
    return shoot_on(Script(*answers), aims, target, firers=firers, tokens=tokens)


def shoot_on(
    tape: Script, aims: Any, target: Target, *, firers: tuple[Group, ...] = (), tokens: int = 0
) -> shooting.Shooting:
    """Return the shooting on this tape, whose answers are all asked for."""
    after: shooting.Shooting = fold(
        shooting.SHOOTING, tape, shooting.Shooting(target.rulings, tuple(aims), target, firers, tokens)
    )
    assert tape.used_up
    return after


# --- DL-19 ------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("DL-19.1", "DL-19.2", "DL-19.3", "DL-19.4", "DL-31.5", "DL-17.1")
@pytest.mark.parametrize(("given", "expect"), vectors("shooting_damage"))
def test_the_damage_of_the_vectors(given: dict[str, Any], expect: dict[str, Any]):
    flags = {"reroll_hit": "reroll_to_hit", "reroll_wound": "reroll_to_wound", "twin_linked": "twin_linked"}
    names = [name for flag, name in flags.items() if given.get(flag)]
    aim = shooting.Aim("weapon", given["bs"], given["s"], models=given.get("models", 1), shots=given["shots"])
    assert shooting.damage_of(with_special_rules(aim, names)) == expect["dmg"]


@pytest.mark.clause("DL-19.1", "DL-17.1")
def test_a_marine_rapid_firing_a_bolter_as_in_the_document():
    assert shooting.shooting_damage(4, 4, 2) == 32
    assert shooting.shooting_damage(3, 3, 1) == 9
    assert shooting.shooting_damage(3, 5, 3) == 45
    assert shooting.shooting_damage(-1, 4, 2) == 0
    with pytest.raises(BadInput, match=r"DL-19\.1"):
        shooting.shooting_damage(4, 4, -1)


@pytest.mark.clause("DL-19.3", "DL-19.4", "DL-31.5")
def test_rerolls_add_one_once_or_each_by_a_ruling():
    bolter = shooting.Aim("bolter", 4, 4, shots=2)
    assert shooting.damage_of(with_special_rules(bolter, ("reroll_to_hit", "reroll_to_wound"))) == 50
    assert shooting.damage_of(with_special_rules(bolter, ("reroll_to_hit", "twin_linked"))) == 40
    each = replace(bolter, rulings=Rulings(reroll_bonus="each"))
    assert shooting.damage_of(with_special_rules(each, ("reroll_to_hit", "twin_linked"))) == 48


@pytest.mark.clause("DL-19.4")
def test_a_reroll_to_wound_does_not_count_for_instant_death():
    packet = shooting.packet_of(with_special_rules(shooting.Aim("gun", 4, 7), ("reroll_to_wound",)))
    assert (packet.dmg, packet.strength) == (32, 7)


@pytest.mark.clause("DL-19.2", "DL-29.1")
@pytest.mark.parametrize(("given", "expect"), vectors("shooting_packets"))
def test_the_packets_of_the_vectors(given: dict[str, Any], expect: dict[str, Any]):
    rules = Rulings(heavy_range_bonus="on" if given["heavy_range_bonus"] else "off")
    packets = shooting.sum_packets(
        [
            shooting.packet_of(
                shooting.Aim(
                    weapon["name"],
                    weapon["bs"],
                    weapon["s"],
                    models=weapon["count"],
                    shots=weapon["shots"],
                    ap=weapon["ap"],
                    type=weapon["type"],
                    range=weapon["range"],
                    distance=given["distance"],
                    rulings=rules,
                )
            )
            for weapon in given["weapons"]
        ]
    )
    assert [{"name": packet.name, "dmg": packet.dmg, "ap": packet.ap} for packet in packets] == expect["packets"]


@pytest.mark.clause("DL-19.2")
def test_a_combat_squad_at_18_inches_as_in_the_document():
    bolters = shooting.Aim("bolter", 4, 4, models=4, ap=5, range=24, distance=18, rulings=OFF)
    lascannon = shooting.Aim("lascannon", 4, 9, ap=2, type="heavy", range=48, distance=18, rulings=OFF)
    assert [shooting.damage_of(bolters), shooting.damage_of(lascannon)] == [64, 36]
    assert shooting.damage_of(replace(lascannon, rulings=Rulings())) == 54


@pytest.mark.clause("DL-19.2")
def test_the_same_weapon_in_two_groups_is_one_packet():
    one, other = Packet("bolter", 64, 4, 5, shots=4), Packet("bolter", 16, 4, 5)
    assert shooting.sum_packets([one, other, Packet("plasma gun", 28, 7, 2)]) == (
        Packet("bolter", 80, 4, 5, shots=5),
        Packet("plasma gun", 28, 7, 2),
    )


@pytest.mark.clause("DL-19.1")
def test_a_far_too_weak_shot_may_do_nothing_by_a_ruling():
    table = Rulings(cannot_wound="base_table")
    assert shooting.can_wound(3, 8)
    assert [shooting.can_wound(3, toughness, table) for toughness in (6, 7)] == [True, False]
    assert shooting.damage_of(shooting.Aim("lasgun", 3, 3, toughness=7)) == 9
    assert shooting.damage_of(shooting.Aim("lasgun", 3, 3, toughness=7, rulings=table)) == 0


# --- DL-29: range and templates ---------------------------------------------------------------------------------------


@pytest.mark.clause("DL-29.1")
def test_an_unlimited_range_earns_no_bonus():
    assert [shooting.heavy_range_bonus(reach, 12) for reach in (48, 228, 240)] == [3, 18, 0]
    assert shooting.heavy_range_bonus(240, 240) == 0


@pytest.mark.clause("DL-29.1")
@pytest.mark.parametrize(("given", "expect"), vectors("heavy_range_bonus"))
def test_the_range_bonus_of_the_vectors(given: dict[str, Any], expect: dict[str, Any]):
    assert shooting.heavy_range_bonus(given["max_range"], given["distance"]) == expect["bs_bonus"]


@pytest.mark.clause("DL-29.1")
def test_the_range_bonus_of_a_lascannon_as_in_the_document():
    assert [shooting.heavy_range_bonus(48, distance) for distance in (30, 23, 11)] == [1, 2, 3]
    assert shooting.heavy_range_bonus(36, 10) == 2
    assert shooting.heavy_range_bonus(48, 30, OFF) == 0


@pytest.mark.clause("DL-29.1")
def test_exactly_12_inches_under_the_range_by_a_ruling():
    strict = Rulings(range_step="strict")
    assert [shooting.heavy_range_bonus(48, distance) for distance in (48, 37, 36, 35.5, 24)] == [0, 0, 1, 1, 2]
    assert [shooting.heavy_range_bonus(48, distance, strict) for distance in (48, 37, 36, 35.5, 24)] == [0, 0, 0, 1, 1]


@pytest.mark.clause("DL-29.1")
def test_beyond_the_range_nothing_is_fired():
    for distance in (48.5, -1):
        with pytest.raises(Refused, match=r"DL-29\.1"):
            shooting.heavy_range_bonus(48, distance)
    refused = shooting.shots_at("heavy", 1, 48, 49)
    assert isinstance(refused, Refused)
    assert "49 inches away, and the weapon reaches 48 inches" in refused.reason


@pytest.mark.clause("DL-29.1")
def test_only_heavy_weapons_are_better_at_short_range():
    assert shooting.bs_used(shooting.Aim("bolter", 4, 4, type="rapid_fire", range=24, distance=1)) == 4
    assert shooting.bs_used(shooting.Aim("lascannon", 4, 9, type="heavy", range=48, distance=30)) == 5


@pytest.mark.clause("DL-29.2", "DL-31.6")
@pytest.mark.parametrize(("given", "expect"), vectors("template_damage"))
def test_the_templates_of_the_vectors(given: dict[str, Any], expect: dict[str, Any]):
    assert shooting.area_damage("template", given["hits"], given["s"], given["twin_linked"]) == expect["dmg"]


@pytest.mark.clause("DL-29.2")
def test_a_flamer_on_three_orks_as_in_the_document():
    flamer = shooting.Aim("flamer", 4, 4, ap=5, type="assault", marker="template", hits=(3,))
    assert shooting.damage_of(flamer) == 48
    assert shooting.packet_of(flamer).ignores_cover
    assert shooting.damage_of(replace(flamer, strength=5, hits=(5,))) == 100
    assert shooting.damage_of(with_special_rules(flamer, ("twin_linked",))) == 60


@pytest.mark.clause("DL-30.8")
@pytest.mark.parametrize(("given", "expect"), vectors("blast_damage"))
def test_the_blasts_of_the_vectors(given: dict[str, Any], expect: dict[str, Any]):
    for marker in ("blast", "large_blast"):
        assert shooting.area_damage(marker, given["hits"], given["s"]) == expect["dmg"]


@pytest.mark.clause("DL-30.8", "DL-31.5")
def test_a_twin_linked_blast_is_no_stronger():
    assert (
        shooting.damage_of(with_special_rules(shooting.Aim("gun", 4, 4, marker="blast", hits=(4, 1)), ("twin_linked",)))
        == 60
    )
    with pytest.raises(BadInput, match="hits must be 0 or more"):
        shooting.area_damage("blast", -1, 4)


@pytest.mark.clause("DL-30.7")
def test_how_far_a_blast_is_pulled_back():
    gun = with_special_rules(
        shooting.Aim("gun", 4, 4, marker="blast", type="heavy", range=48, distance=30), ("twin_linked",)
    )
    assert shooting.draw_back_inches(gun) == 6
    assert shooting.draw_back_inches(replace(gun, rulings=Rulings(scatter_pull="plain_bs"))) == 4


# --- who may fire, and how far he sees --------------------------------------------------------------------------------


@pytest.mark.clause("DL-0.1", "DL-19.1")
def test_shots_by_weapon_type_as_in_the_base_game():
    assert shooting.shots_at("rapid_fire", 1, 24, 12, moved=True) == 2
    assert shooting.shots_at("rapid_fire", 1, 24, 13) == 1
    assert shooting.shots_at("pistol", 1, 12, 12, moved=True) == 1
    assert shooting.shots_at("assault", 3, 18, 10, moved=True) == 3
    assert shooting.shots_at("heavy", 3, 36, 30) == 3
    assert shooting.shots_at("heavy", 3, 36, 30, moved=True, unit_type="bike") == 3


@pytest.mark.clause("DL-0.1", "DL-19.1")
@pytest.mark.parametrize(
    ("weapon_type", "distance", "clause"),
    [("rapid_fire", 13, "DL-0.1"), ("heavy", 10, "DL-0.1"), ("ordnance", 10, "DL-0.1"), ("melee", 0, "DL-19.1")],
)
def test_who_has_moved_may_not_fire_everything(weapon_type: str, distance: int, clause: str):
    refused = shooting.shots_at(weapon_type, 1, 24, distance, moved=True)
    assert isinstance(refused, Refused)
    assert refused.clause == clause


@pytest.mark.clause("DL-75.4", "DL-95.8")
@pytest.mark.parametrize(("given", "expect"), vectors("night_sight"))
def test_sight_at_night_of_the_vectors(given: dict[str, Any], expect: dict[str, Any]):
    assert shooting.night_sight(given["acute_senses"]) == expect["inches"]
    assert shooting.night_sight() == 18
    assert shooting.sight_of(Group("scouts", 5, 40, rules=(ACUTE_SENSES,))) == 24
    assert shooting.sight_of(MARINE) == 18


# --- DL-31: gets hot! -------------------------------------------------------------------------------------------------


@pytest.mark.clause("DL-31.2", "DL-31.3", "DL-31.4")
@pytest.mark.parametrize(("given", "expect"), vectors("gets_hot"))
def test_gets_hot_of_the_vectors(given: dict[str, Any], expect: dict[str, Any]):
    firer = Group("firer", 1, given["hp_left"], armour=given["save"])
    names = (GETS_HOT,)
    aim = with_special_rules(
        shooting.Aim("plasma gun", given["bs_used"], given["s"], shots=given["shots"], ap=2), names
    )
    if given["reroll_hit"]:
        aim = replace(aim, bs=aim.bs - 1, rerolls_to_hit=1)  # bs_used holds the bonus already
    after = shoot([aim], BOYZ, int(given["token_used"]), firers=(firer,), tokens=1)
    (fired,) = after.aims
    assert {
        "dmg_to_firer": after.firer_losses.dmg,
        "hp_lost": after.firer_losses.hp,
        "firer_dies": bool(after.firer_losses.removed),
        "shots_counted": fired.shots - fired.lost_shots,
        "dmg_to_target": after.packets[0].dmg,
    } == expect


@pytest.mark.clause("DL-31.2", "DL-31.3")
def test_a_hot_plasma_gun():
    gun = with_special_rules(shooting.Aim("plasma gun", 4, 7, shots=2, ap=2), (GETS_HOT,))
    after = shoot([gun], BOYZ, 1, firers=(MARINE,), tokens=2)
    assert (after.firers[0].recorded, after.packets[0].dmg, after.hot_tokens) == (13, 56, 1)
    hurt = replace(GUARDSMAN, recorded=3)
    after = shoot([replace(gun, bs=3)], BOYZ, 1, firers=(hurt,), tokens=1)
    assert (after.firers[0].models, after.packets[0].dmg) == (0, 21)


@pytest.mark.clause("DL-31.2")
def test_a_token_need_not_be_played_and_is_asked_for_only_where_there_is_one():
    gun = with_special_rules(shooting.Aim("plasma gun", 4, 7, shots=2, ap=2), (GETS_HOT,))
    assert shoot([gun], BOYZ, 0, firers=(MARINE,), tokens=1).firer_losses == Losses()
    assert shoot([gun], BOYZ, firers=(MARINE,)).packets[0].dmg == 56
    assert shoot([shooting.Aim("bolter", 4, 4, shots=2)], BOYZ, firers=(MARINE,), tokens=3).hot_tokens == 3
    assert shoot([gun], BOYZ, tokens=1).packets[0].dmg == 56  # nobody fires it by hand: a vehicle's


@pytest.mark.clause("DL-31.2", "DL-20.1")
def test_a_firer_may_choose_his_save():
    hero = Group("hero", 1, 120, armour=3, invulnerable=4)
    gun = with_special_rules(shooting.Aim("plasma pistol", 5, 7, ap=2), (GETS_HOT,))
    assert shoot([gun], BOYZ, 1, "invulnerable", firers=(hero,), tokens=1).firers[0].recorded == 20
    heroes = replace(hero, models=2)
    tape = Script(2, "armour", "invulnerable")
    twice = shoot_on(tape, [replace(gun, models=2)], BOYZ, firers=(heroes,), tokens=2)
    assert [(share.packet, share.hp) for share in shares(tape, "hero")] == [
        ("plasma pistol gets hot! (1)", 13),
        ("plasma pistol gets hot! (2)", 20),
    ]
    assert twice.firers[0].recorded == 13 + 20


@pytest.mark.clause("DL-31.2", "DL-31.3")
def test_a_token_for_each_gun_that_is_fired():
    guards = Group("guardsmen", 3, 27, toughness=3, armour=5)
    guns = with_special_rules(shooting.Aim("plasma gun", 3, 7, models=3, shots=2, ap=2), (GETS_HOT,))
    tape = Script(2)
    after = shoot_on(tape, [guns], BOYZ, firers=(guards,), tokens=5)
    assert (after.firer_losses.removed, after.firers[0].models, after.hot_tokens) == (2, 1, 3)
    assert "2 firers dead: as many shots do not count" in texts(tape)
    assert "Plasma gun: BS3 × S7 × 4 shots (4 of 6 count) = 84 DMG, AP2" in texts(tape)
    assert after.packets[0].dmg == 3 * 7 * (6 - 2)


@pytest.mark.clause("DL-31.4")
def test_who_may_reroll_is_hurt_less():
    gun = with_special_rules(shooting.Aim("plasma gun", 4, 7, ap=2), (GETS_HOT, "twin_linked"))
    assert shoot([gun], BOYZ, 1, firers=(MARINE,), tokens=1).firer_losses.hp == 3
    skilled = with_special_rules(shooting.Aim("plasma gun", 6, 7, ap=2), (GETS_HOT,))
    assert shoot([skilled], BOYZ, 1, firers=(MARINE,), tokens=1).firer_losses.dmg == 10
    close = with_special_rules(shooting.Aim("plasma cannon", 5, 7, type="heavy", range=36, distance=1), (GETS_HOT,))
    assert shoot([close], BOYZ, 1, firers=(MARINE,), tokens=1).firer_losses.dmg == 40


@pytest.mark.clause("DL-31.3")
def test_the_firer_of_two_weapons_says_which_shot_is_lost():
    gun = with_special_rules(shooting.Aim("plasma pistol", 3, 7, ap=2), (GETS_HOT,))
    pistol = shooting.Aim("bolt pistol", 3, 4, ap=5)
    dying = replace(GUARDSMAN, recorded=10)
    kept = shoot([gun, pistol], BOYZ, 1, "bolt pistol", firers=(dying,), tokens=1)
    assert [packet.dmg for packet in kept.packets] == [21, 0]
    lost = shoot([gun, pistol], BOYZ, 1, "plasma pistol", firers=(dying,), tokens=1)
    assert [packet.dmg for packet in lost.packets] == [0, 12]


@pytest.mark.clause("DL-31.3")
def test_a_dead_gunners_blast_deals_nothing():
    guards = Group("gunners", 2, 27, toughness=3, armour=5)
    cannons = with_special_rules(
        shooting.Aim("plasma cannon", 3, 7, models=2, marker="blast", hits=(2, 5)), (GETS_HOT,)
    )
    assert shoot([cannons], BOYZ, 1, firers=(guards,), tokens=1).packets[0].dmg == 2 * 7 * 3


@pytest.mark.clause("DL-31.2")
def test_the_best_use_of_a_token():
    gun = with_special_rules(shooting.Aim("plasma gun", 3, 7, shots=2, ap=2), (GETS_HOT,))
    start = shooting.Shooting(Rulings(), (gun,), BOYZ, (replace(GUARDSMAN, recorded=3),), 1)
    advice = Best(lambda after: after.target.hp_removed, sides={"defender": "min"}).run(shooting.SHOOTING.stages, start)
    assert (advice.value, advice.decisions[0].best) == (21, 1)


@pytest.mark.clause("DL-31.1", "DL-31.2")
def test_tokens_that_may_not_be_played():
    assert shooting.refuse_hot(1, 1, 1) is None
    for refused, clause in (
        (shooting.refuse_hot(2, 1, 3), "DL-31.2"),
        (shooting.refuse_hot(2, 3, 1), "DL-31.2"),
        (shooting.refuse_hot(-1, 3, 1), "DL-31.2"),
        (shooting.refuse_hot(1, 3, 1, on_vehicle=True), "DL-31.1"),
    ):
        assert refused is not None
        assert refused.clause == clause
    assert shooting.refuse_hot(1, 3, 1, on_vehicle=True, rulings=Rulings(hot_on_vehicles="yes")) is None


# --- whole volleys ----------------------------------------------------------------------------------------------------


@pytest.mark.clause("DL-19.2", "DL-30.8", "DL-29.2")
@pytest.mark.parametrize(("given", "expect"), vectors("resolve_shooting"))
def test_volleys_of_the_vectors(given: dict[str, Any], expect: dict[str, Any]):
    packet, aimed_at = given["packet"], given["target"]
    rules = [name for name in (FEEL_NO_PAIN, VULNERABLE) if aimed_at.get(name)]
    group = Group(
        "target",
        aimed_at["models"],
        aimed_at["hp_each"],
        toughness=aimed_at["toughness"],
        armour=aimed_at["armour"],
        invulnerable=aimed_at.get("invulnerable"),
        recorded=aimed_at.get("damage_recorded", 0),
        rules=tuple(rules),
    )
    aim = shooting.Aim(
        "weapon",
        packet.get("bs", 0),
        packet["s"],
        models=packet.get("models", 1),
        shots=packet.get("shots", 1),
        ap=packet["ap"],
        marker="none" if packet["kind"] == "direct" else packet["kind"],
        hits=(packet["hits"],) if "hits" in packet else (),
    )
    target = Target((group,), cover=aimed_at.get("cover"))
    tape = WishedOptions()
    fold(shooting.SHOOTING, tape, shooting.Shooting(Rulings(), (aim,), target))
    (share,) = shares(tape)
    assert {
        "dmg": share.dmg,
        "save_used": share.parts[0].save,
        "after_save": share.after_save,
        "hp_lost": share.hp,
        "removed": share.loss.removed,
        "models_left": share.loss.models_left,
        "damage_recorded": share.loss.recorded,
    } == expect


@pytest.mark.clause("DL-19.2", "DL-24.1")
def test_packets_are_taken_the_strongest_first_or_as_they_are_fired():
    rules = Rulings(packets="in_turn")
    marines = Target((Group("marines", 5, 40, armour=3),), rules)
    bolters = shooting.Aim("bolter", 4, 4, models=5, shots=2, ap=5)
    krak = shooting.Aim("krak missile", 4, 8, models=2, ap=3)
    tape = Script()
    after = shoot_on(tape, [bolters, krak], marines).target
    assert [(share.packet, share.dmg, share.hp) for share in shares(tape)] == [
        ("bolter", 160, 53),
        ("krak missile", 64, 64),
    ]
    # 53: one dead and 13 recorded; 64: 27 for the wounded one, 37 for another, who dies outright
    assert (after.groups[0].models, after.groups[0].recorded, after.removed) == (2, 0, 3)
    for aims in ([bolters, krak], [krak, bolters]):
        tape = Script()
        after = shoot_on(tape, aims, replace(marines, rulings=Rulings())).target
        assert [share.packet for share in shares(tape)] == ["krak missile", "bolter"]
        # 64: one dead, and 24 kill another outright; 53: a third, and 13 recorded
        assert (after.groups[0].models, after.groups[0].recorded, after.removed) == (2, 13, 3)


@pytest.mark.clause("DL-19.2", "DL-25.2")
def test_a_volley_is_spread_over_those_who_stood_before_it():
    nob, boyz = Group("nob", 1, 80, armour=4), Group("boyz", 3, 40)
    flames, rifles = Packet("flames", 160, 5), Packet("rifles", 80, 3)
    target = Target((nob, boyz))
    tape = Script()
    at_once = resolve_all(tape, target, [rifles, flames])
    # flames: 40 and 120, which kills all boyz; rifles: a quarter on the nob all the same, the rest on the dead
    assert [(share.packet, share.group, share.dmg) for share in shares(tape)] == [
        ("flames", "nob", 40),
        ("flames", "boyz", 120),
        ("rifles", "nob", 20),
        ("rifles", "boyz", 60),
    ]
    assert (shares(tape)[-1].loss.overkill, at_once.models_before) == (60, ())
    assert [group.recorded for group in at_once.groups] == [20 + 10, 0]
    tape = Script()
    resolve_all(tape, replace(target, rulings=Rulings(packets="in_turn")), [flames, rifles])
    assert [(share.packet, share.group, share.dmg) for share in shares(tape)][2:] == [("rifles", "nob", 80)]


@pytest.mark.clause("DL-8.1")
def test_whoever_loses_hp_to_a_weapon_that_pins_is_tested():
    rifle = with_special_rules(shooting.Aim("sniper rifle", 4, 3), ("pinning",))
    assert shooting.is_pinned_down(shoot([rifle], BOYZ))
    assert not shooting.is_pinned_down(shoot([replace(rifle, bs=0)], BOYZ))
    assert not shooting.is_pinned_down(shoot([shooting.Aim("bolter", 4, 4)], BOYZ))


@pytest.mark.clause("DL-19.2", "DL-20.1", "DL-24.1", "DL-24.2")
def test_what_is_measured():
    after = shoot([shooting.Aim("bolter", 4, 4, models=10, shots=2, ap=5)], Target((Group("grots", 5, 20),)))
    assert {measure.name: measure.of(after) for measure in shooting.MEASURES} == {
        "dmg": 320,
        "hp_lost": 320,
        "hp_removed": 100,
        "removed": 5,
        "models_left": 0,
    }
