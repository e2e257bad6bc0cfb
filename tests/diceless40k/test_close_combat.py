"""Close combat: the factor, blows with special weapons, whole rounds, sweeping advances, hit and run."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from battletape.errors import BadInput, UnknownName
from battletape.procedure import fold
from battletape.rulesets.diceless40k.profiles.types import VehicleProfile, WeaponProfile
from battletape.rulesets.diceless40k.rules import blows, close_combat, leadership
from battletape.rulesets.diceless40k.rules.attacks import blow_of, walker_blow
from battletape.rulesets.diceless40k.rules.casualties import Packet, Target, resolve
from battletape.rulesets.diceless40k.rules.characteristics import Group
from battletape.rulesets.diceless40k.rulings import Rulings
from battletape.tape.best import Best
from battletape.tape.script import Script
from tests.diceless40k.log_lines import shares, texts
from tests.diceless40k.vectors import vectors
from tests.diceless40k.wished_options import WishedOptions

MARINE = Group("Marines", 5, 40, armour=3)
BOY = Group("Boyz", 10, 40, armour=6, strength=3, initiative=2, attacks=2, ld=7)


def fight_of(*units: blows.Fighter, rulings: Rulings = Rulings(), answers: tuple[Any, ...] = ()) -> blows.Fight:
    return fight_on(Script(*answers), *units, rulings=rulings)


def fight_on(tape: Script, *units: blows.Fighter, rulings: Rulings = Rulings()) -> blows.Fight:
    """Return the fight on this tape, whose answers are all asked for."""
    after: blows.Fight = fold(close_combat.FIGHT, tape, blows.begin_fight(units, rulings))
    assert tape.used_up
    return after


def fighter(group: Group, side: str, blow: blows.Blow | None = None, **known: Any) -> blows.Fighter:
    return blows.Fighter(group.name, side, (group,), (blows.Strike(group.name, blow or blow_of(group)),), **known)


def taken_by(unit: blows.Fighter) -> leadership.TestResult:
    assert unit.test_result is not None
    return unit.test_result


# --- the factor and the damage ---------------------------------------------------------------------------------------


@pytest.mark.clause("DL-38.2", "DL-T5", "DL-37.1")
@pytest.mark.parametrize(("given", "expect"), vectors("cc_factor"))
def test_the_factors_of_the_vectors(given: dict[str, Any], expect: dict[str, Any]):
    assert blows.cc_factor(given["attacker_ws"], given["target_ws"]) == expect["factor"]


@pytest.mark.clause("DL-38.2", "DL-T5")
@pytest.mark.parametrize(
    ("attacker", "target", "factor"), [(4, 4, 4), (4, 3, 5), (4, 8, 4), (4, 9, 3), (1, 0, 6), (0, 0, 6), (0, 1, 3)]
)
def test_the_factor_looks_at_ws_0_first(attacker: int, target: int, factor: int):
    assert blows.cc_factor(attacker, target) == factor


@pytest.mark.clause("DL-38.2")
def test_a_ws_below_0_is_refused():
    with pytest.raises(BadInput, match="WS is 0 or more; got -1 against 4"):
        blows.cc_factor(-1, 4)


@pytest.mark.clause("DL-38.1", "DL-42.1", "DL-75.5")
@pytest.mark.parametrize(("given", "expect"), vectors("cc_damage"))
def test_the_damage_of_the_vectors(given: dict[str, Any], expect: dict[str, Any]):
    group = Group("fighters", 1, 40, ws=given["attacker_ws"], strength=given["s"], attacks=given["attacks"])
    group = replace(group, rules=("preferred_enemy",))
    weapon = ("lightning_claw",) if given["lightning_claw"] else ()
    blow = blows.blow_at_enemy(blow_of(group, "blade", weapon), group, given["preferred_enemy"])
    damage = blows.blow_damage(blow, 1, given["target_ws"], 4)
    assert {"factor": damage.factor, "dmg": damage.dmg} == expect


@pytest.mark.clause("DL-42.2", "DL-42.3", "DL-T6")
@pytest.mark.parametrize(("given", "expect"), vectors("poisoned_damage"))
def test_the_poison_of_the_vectors(given: dict[str, Any], expect: dict[str, Any]):
    group = Group("fighters", 1, 40, ws=given["attacker_ws"], strength=given["s"], attacks=given["attacks"])
    blow = blow_of(group, "blade", (f"poisoned_{given['poison']}",))
    damage = blows.blow_damage(blow, 1, given["target_ws"], given["target_t"])
    assert {"factor": damage.factor, "dmg": damage.dmg} == expect


@pytest.mark.clause("DL-42.5")
@pytest.mark.parametrize(("given", "expect"), vectors("witchblade_damage"))
def test_the_witchblades_of_the_vectors(given: dict[str, Any], expect: dict[str, Any]):
    group = Group("seer", 1, 40, ws=given["attacker_ws"], strength=given["s"], attacks=given["attacks"])
    damage = blows.blow_damage(blow_of(group, "blade", ("witchblade",)), 1, given["target_ws"], given["target_t"])
    assert {"factor": damage.factor, "dmg": damage.dmg} == expect


@pytest.mark.clause("DL-38.1", "DL-38.3")
def test_an_ork_boy_deals_12_and_ten_of_them_on_the_charge_360():
    assert blows.blow_damage(blow_of(BOY), 1, 4, 4).each == 12
    charging = blow_of(BOY, charging=True)
    assert (charging.attacks, blows.blow_damage(charging, 10, 4, 4).dmg) == (3, 360)
    assert blows.attacks_of(2, charging=True, two_weapons=True) == 4


@pytest.mark.clause("DL-42.1")
def test_lightning_claws_add_one_to_the_factor_and_ignore_armour():
    captain = Group("captain", 1, 120, ws=5, attacks=4)
    blow = blow_of(captain, "blade", ("lightning_claw",))
    assert (blows.blow_damage(blow, 1, 4, 4).dmg, blow.ignores_armour) == (96, True)


@pytest.mark.clause("DL-42.2", "DL-T6")
def test_poison_by_its_kind_and_never_below_nought():
    assert [blows.poisoned_damage(4, 4, kind) for kind in (6, 5, 4, 3, 2)] == [8, 12, 16, 20, 24]
    assert blows.poisoned_damage(4, 1, 6) == 0
    with pytest.raises(BadInput, match=r"poison works on 2\+ to 6\+; got 7\+"):
        blows.poisoned_damage(4, 4, 7)


@pytest.mark.clause("DL-42.3")
def test_a_strong_poisoner_adds_one_to_the_factor():
    strong = blow_of(replace(MARINE, strength=4), "blade", ("poisoned_4",))
    assert blows.blow_damage(strong, 1, 4, 4).each == 20
    assert blows.blow_damage(strong, 1, 4, 5).each == 20  # 4 x 5: the victim is tougher


@pytest.mark.clause("DL-42.3", "DL-42.1")
def test_claw_and_poison_count_once_or_each():
    blow = blow_of(
        MARINE,
        "blade",
        (
            "lightning_claw",
            "poisoned_4",
        ),
    )
    assert blows.factor_of(blow, 4, 4) == 5
    assert blows.factor_of(blow, 4, 4, Rulings(claw_and_poison="each")) == 6


@pytest.mark.clause("DL-42.5")
def test_a_witchblade_is_poison_of_2_and_may_be_strong():
    seer = Group("seer", 1, 30, ws=5, strength=3, attacks=3)
    blow = blow_of(seer, "blade", ("witchblade",))
    assert blows.blow_damage(blow, 1, 4, 4).dmg == 90
    assert blows.blow_damage(replace(blow, ws=4, attacks=1), 1, 4, 3).dmg == 25


@pytest.mark.clause("DL-75.5")
def test_a_reroll_to_hit_is_one_ws_and_a_reroll_to_wound_one_factor():
    assert blows.blow_damage(blow_of(MARINE, "blade", ("reroll_to_hit",)), 1, 4, 4).factor == 5
    assert blows.blow_damage(blow_of(MARINE, "blade", ("reroll_to_wound",)), 1, 4, 4).factor == 5
    hater = replace(MARINE, rules=("preferred_enemy",))
    both = blows.blow_at_enemy(blow_of(hater, "blade", ("reroll_to_hit",)), hater, preferred=True)
    assert both.ws + both.better_ws == 5  # the two do not add up
    assert not blows.blow_at_enemy(blow_of(hater), hater, preferred=False).better_ws


@pytest.mark.clause("DL-38.1")
def test_a_power_fist_doubles_strength_strikes_last_and_ignores_armour():
    blow = blow_of(MARINE, "blade", ("power_fist",))
    assert (blow.strength, blow.initiative, blow.ignores_armour) == (8, 1, True)
    assert blow_of(MARINE, "blade", ("power_weapon", "power_fist", "chainfist")).strength == 8  # doubled once
    assert blow_of(replace(MARINE, strength=6), "blade", ("power_fist",)).strength == 10
    assert blow_of(MARINE, "blade", ("power_weapon",)).ignores_armour
    assert blow_of(MARINE, "blade", ("force_weapon",)).ignores_armour
    assert blow_of(MARINE, slowed=True).initiative == 1
    assert blow_of(MARINE, strength=6).strength == 6


@pytest.mark.clause("DL-38.1")
def test_a_rule_that_nobody_knows_is_refused():
    with pytest.raises(UnknownName, match="there is no keyword 'lightning_clow'"):
        blow_of(MARINE, "blade", ("lightning_clow",))


def armed(*rules: str, name: str = "blade", kind: Any = "melee") -> WeaponProfile:
    return WeaponProfile(name, kind, rules=rules)


@pytest.mark.clause("DL-38.1")
def test_a_second_weapon_gives_an_attack():
    blade, pistol, bolter = armed(), armed(name="pistol", kind="pistol"), armed(name="bolter", kind="rapid_fire")
    power, fist = armed("power_weapon", name="power"), armed("power_weapon", "power_fist", name="fist")
    claws, other = armed("lightning_claw", name="claws"), armed("rending", name="other")
    assert blows.close_combat_weapons((bolter, pistol)) == ((blows.BARE_HANDS, False),)
    assert blows.close_combat_weapons(()) == ((blows.BARE_HANDS, False),)
    assert blows.close_combat_weapons((pistol, blade)) == ((blade, True),)
    assert blows.close_combat_weapons((power,)) == ((power, False),)
    assert blows.close_combat_weapons((pistol, power)) == ((power, True),)
    assert blows.close_combat_weapons((blade, power)) == ((power, True), (blade, False))
    assert blows.close_combat_weapons((pistol, fist)) == ((fist, False),)
    assert blows.close_combat_weapons((fist, fist)) == ((fist, True),)
    assert blows.close_combat_weapons((claws,)) == ((claws, True),)
    assert blows.close_combat_weapons((power, other)) == ((power, False), (other, False))


@pytest.mark.clause("DL-38.1")
def test_not_all_of_a_group_need_to_reach_the_same_enemy():
    strikes = (
        blows.Strike("Marines", blow_of(MARINE), "Left", 3),
        blows.Strike("Marines", blow_of(MARINE), "Right", 3),
    )
    left, right = (fighter(Group(name, 9, 40, attacks=0), "Dale") for name in ("Left", "Right"))
    after = fight_of(blows.Fighter("Marines", "Hill", (MARINE,), strikes), left, right)
    assert [(record.target, record.models) for record in after.blow_records] == [("Left", 3), ("Right", 2)]


@pytest.mark.clause("DL-38.1", "DL-19.1")
def test_weak_blows_on_the_tough_by_ruling():
    weak = blows.Blow(strength=3)
    assert blows.blow_damage(weak, 1, 4, 7).dmg == 12
    assert blows.blow_damage(weak, 1, 4, 7, Rulings(cannot_wound="base_table")).dmg == 0
    assert blows.blow_damage(weak, 1, 4, 6, Rulings(cannot_wound="base_table")).dmg == 12
    poison = replace(weak, poison=4)
    assert blows.blow_damage(poison, 1, 4, 7, Rulings(cannot_wound="base_table")).dmg == 28


@pytest.mark.clause("DL-42.4")
@pytest.mark.parametrize(("given", "expect"), [(g, e) for g, e in vectors("rending_resolve") if g["assault"]])
def test_rending_blows_of_the_vectors(given: dict[str, Any], expect: dict[str, Any]):
    victim = Group("victims", 9, 100, armour=given["armour"], invulnerable=given["invulnerable"])
    packet = Packet("blows", given["dmg"], 4, given["ap"], rending=True, assault=True)
    tape = Script(_kind(given))
    resolve(tape, Target((victim,), cover=given["cover"]), packet)
    assert tape.used_up
    piercing, normal = shares(tape)[0].parts
    assert (piercing.dmg, normal.dmg) == (expect["ap2"], expect["normal"])
    assert (piercing.hp, normal.hp) == (expect["hp_from_ap2"], expect["hp_from_normal"])


def _kind(given: dict[str, Any]) -> str:
    return "armour" if given["armour"] <= given["invulnerable"] else "invulnerable"


@pytest.mark.clause("DL-42.4")
def test_rending_in_a_fight_splits_the_packet():
    hero = Group("hero", 1, 120, ws=4, strength=4, attacks=6, initiative=5)
    guard = Group("guard", 10, 40, armour=3, invulnerable=4, attacks=0)
    tape = Script("armour")
    after = fight_on(tape, fighter(hero, "Hill", blow_of(hero, "blade", ("rending",))), fighter(guard, "Dale"))
    (share,) = shares(tape, "guard")
    assert [(part.dmg, part.hp) for part in share.parts] == [(16, 8), (80, 27)]
    assert after.hp_lost == (0, 35)


# --- a round ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("DL-38.1", "DL-44.1")
@pytest.mark.parametrize(("given", "expect"), vectors("assault_round"))
def test_the_rounds_of_the_vectors(given: dict[str, Any], expect: dict[str, Any]):
    units = []
    for side in ("first", "second"):
        of = given[side]
        stats = {name: of[name] for name in ("ws", "attacks", "initiative", "armour") if name in of}
        group = Group(side, of["models"], of["hp_each"], strength=of["s"], ld=given["loser_ld"], **stats)
        units.append(fighter(group, side, op=given["loser_op"]))
    tape = Script()
    after = fight_on(tape, *units)
    first, second = after.blow_records
    loser = after.unit(after.loser)
    assert {
        "first_dmg": first.damage.dmg,
        "first_hp_inflicted": after.hp_lost[1],
        "second_models_left": second.models,
        "second_dmg": second.damage.dmg,
        "second_hp_inflicted": after.hp_lost[0],
        "first_models_left": shares(tape, "first")[0].loss.models_left,
        "loser": after.loser,
        "difference": after.difference,
        "loser_op_after": loser.op,
        "loser_passes": taken_by(loser).passed,
    } == expect


@pytest.mark.clause("DL-38.1", "DL-44.1", "DL-40.1")
def test_five_marines_charged_by_ten_boyz_are_run_down():
    charging = replace(BOY, strength=4)
    tape = Script()
    after = fight_on(
        tape, fighter(MARINE, "Hill"), fighter(charging, "Dale", blow_of(charging, charging=True, two_weapons=True))
    )
    boyz = after.unit("Boyz")
    assert (after.blow_records[0].damage.dmg, boyz.models, boyz.groups[0].recorded) == (80, 9, 27)
    assert after.blow_records[1].damage.dmg == 576
    marines = after.unit("Marines")
    assert (marines.losses.hp, shares(tape, "Marines")[0].loss.recorded) == (190, 30)
    assert (after.hp_lost, after.loser, after.difference) == ((190, 67), "Hill", 123)
    assert (marines.op, taken_by(marines).threshold) == (148, 144)
    assert "Marines: Initiative 4 against 18: caught and destroyed" in texts(tape)
    assert (marines.fate, marines.models, after.consolidates) == ("caught", 0, ("Boyz",))


@pytest.mark.clause("DL-38.1", "DL-44.1")
def test_the_measures_of_that_fight():
    charging = replace(BOY, strength=4)
    after = fight_of(
        fighter(MARINE, "Hill"), fighter(charging, "Dale", blow_of(charging, charging=True, two_weapons=True))
    )
    assert {measure.name: measure.of(after) for measure in close_combat.MEASURES} == {
        "first_dmg": 80,
        "second_dmg": 576,
        "first_hp_lost": 190,
        "second_hp_lost": 67,
        "first_left": 0,
        "second_left": 9,
        "first_stood": 1,
        "second_stood": 9,
        "loser": "first",
        "difference": 123,
        "fleeing": 1,
        "caught": 1,
    }


@pytest.mark.clause("DL-38.1")
def test_blows_of_one_initiative_are_simultaneous():
    deadly = Group("Deadly", 1, 10, strength=10, attacks=4)
    after = fight_of(fighter(deadly, "Hill"), fighter(replace(deadly, name="Twin"), "Dale"))
    assert [unit.fate for unit in after.units] == ["destroyed", "destroyed"]
    assert (after.loser, after.difference, after.consolidates) == ("", 0, ())


@pytest.mark.clause("DL-38.1")
def test_who_falls_on_an_earlier_step_does_not_strike():
    deadly = Group("Deadly", 1, 10, strength=10, attacks=4, initiative=5)
    after = fight_of(fighter(deadly, "Hill"), fighter(replace(deadly, name="Slow", initiative=4), "Dale"))
    assert [record.unit for record in after.blow_records] == ["Deadly"]
    assert (after.loser, after.consolidates) == ("Dale", ("Deadly",))


@pytest.mark.clause("DL-44.1")
def test_the_side_that_destroys_the_other_has_won_whatever_it_lost():
    brute = Group("Brute", 1, 300, 6, strength=10, attacks=4, initiative=1)
    weak = Group("Weak", 2, 10, strength=10, attacks=3, initiative=5)
    after = fight_of(fighter(brute, "Hill"), fighter(weak, "Dale"))
    assert (after.hp_lost, after.loser) == ((240, 20), "Dale")
    assert (after.unit("Brute").fate, after.unit("Brute").op) == ("", 0)


@pytest.mark.clause("DL-44.1")
def test_equal_losses_are_a_draw_without_a_test():
    after = fight_of(fighter(MARINE, "Hill", op=50), fighter(replace(MARINE, name="Others"), "Dale"))
    assert (after.hp_lost, after.loser, after.difference) == ((27, 27), "", 0)
    assert [unit.op for unit in after.units] == [50, 0]
    assert [unit.test_result for unit in after.units] == [None, None]


@pytest.mark.clause("DL-38.1", "DL-25.2")
def test_groups_that_strike_alike_are_one_packet():
    sergeant = replace(MARINE, name="Sergeant", models=1, attacks=2)
    squad = blows.Fighter(
        "Squad",
        "Hill",
        (sergeant, replace(MARINE, models=4)),
        (blows.Strike("Sergeant", blow_of(sergeant)), blows.Strike("Marines", blow_of(MARINE))),
    )
    tape = Script()
    after = fight_on(tape, squad, fighter(replace(BOY, attacks=0), "Dale"))
    assert [record.damage.dmg for record in after.blow_records] == [32, 64]
    (share,) = shares(tape, "Boyz")
    assert share.dmg == 96


@pytest.mark.clause("DL-38.1")
def test_a_power_fist_strikes_on_its_own_step_and_through_armour():
    sergeant = replace(MARINE, name="Sergeant", models=1)
    squad = blows.Fighter(
        "Squad",
        "Hill",
        (sergeant, replace(MARINE, models=4)),
        (
            blows.Strike("Sergeant", blow_of(sergeant, "fist", ("power_fist",))),
            blows.Strike("Marines", blow_of(MARINE)),
        ),
    )
    tape = Script()
    after = fight_on(tape, squad, fighter(replace(BOY, attacks=0), "Dale"))
    assert [(record.step, record.damage.dmg) for record in after.blow_records] == [(4, 64), (1, 32)]
    assert [(share.hp, share.loss.instant_death) for share in shares(tape, "Boyz")] == [(53, False), (32, True)]


@pytest.mark.clause("DL-38.1", "DL-44.1")
def test_a_walker_strikes_troops_and_neither_loses_hit_points_nor_heart():
    walker = VehicleProfile("Dread", types=("walker",), ws=4, strength=6, initiative=4, attacks=2)
    blow = walker_blow(walker, "fist", ("power_weapon", "power_fist"), charging=True)
    assert (blow.strength, blow.initiative, blow.attacks) == (10, 4, 3)
    dread = blows.Fighter("Dread", "Hill", (blows.walker_group(walker),), (blows.Strike("Dread", blow),))
    after = fight_of(dread, fighter(MARINE, "Dale"))
    assert [(record.unit, record.damage.dmg) for record in after.blow_records] == [
        ("Dread", 120)
    ]  # blows at it meet armour
    assert (after.loser, after.unit("Dread").models) == ("Dale", 1)
    champion = Group("Champion", 1, 40, ld=10)
    strong = Group("Squad", 10, 40)
    losing = fight_of(
        dread,
        fighter(champion, "Hill"),
        blows.Fighter("Squad", "Dale", (strong,), (blows.Strike("Squad", blow_of(strong), "Champion"),)),
        rulings=Rulings(),
    )
    assert (losing.unit("Dread").fate, losing.unit("Champion").fate) == ("", "destroyed")


@pytest.mark.clause("DL-75.5")
def test_preferred_enemy_raises_own_blows_or_both_ways():
    hater = replace(MARINE, rules=("preferred_enemy",))
    mine = fighter(hater, "Hill", blow_of(hater), preferred=("Others",))
    theirs = fighter(replace(MARINE, name="Others"), "Dale")
    after = fight_of(mine, theirs)
    assert [record.damage.factor for record in after.blow_records] == [5, 4]
    after = fight_of(mine, fighter(replace(MARINE, name="Others", ws=5), "Dale"))
    assert [record.damage.factor for record in after.blow_records] == [4, 5]
    after = fight_of(
        mine, fighter(replace(MARINE, name="Others", ws=5), "Dale"), rulings=Rulings(preferred_enemy="both")
    )
    assert [record.damage.factor for record in after.blow_records] == [4, 4]


@pytest.mark.clause("DL-38.1")
def test_who_has_lost_his_target_strikes_another():
    quick = Group("Quick", 1, 40, strength=10, attacks=10, initiative=6)
    slow = replace(MARINE, name="Slow", initiative=2)
    prey = Group("Prey", 1, 10, attacks=0)
    other, last = (Group(name, 5, 40, attacks=0) for name in ("Other", "Last"))
    after = fight_of(
        blows.Fighter("Quick", "Hill", (quick,), (blows.Strike("Quick", blow_of(quick), "Prey"),)),
        blows.Fighter("Slow", "Hill", (slow,), (blows.Strike("Slow", blow_of(slow), "Prey"),)),
        fighter(prey, "Dale"),
        fighter(other, "Dale"),
        fighter(last, "Dale"),
        answers=("Last",),
    )
    assert [(record.unit, record.target) for record in after.blow_records] == [("Quick", "Prey"), ("Slow", "Last")]


@pytest.mark.clause("DL-38.1")
def test_a_fight_that_makes_no_sense_is_refused():
    marines, boyz = fighter(MARINE, "Hill"), fighter(BOY, "Dale")
    with pytest.raises(BadInput, match="a fight has two sides; got Hill"):
        blows.begin_fight((marines,))
    with pytest.raises(BadInput, match="a name of its own; got Marines, Marines"):
        blows.begin_fight((marines, replace(marines, side="Dale")))
    with pytest.raises(BadInput, match="Marines has no group 'Boyz' that could strike"):
        blows.begin_fight((replace(marines, strikes=boyz.strikes), boyz))
    with pytest.raises(BadInput, match="every group of Marines needs a name of its own"):
        blows.begin_fight((replace(marines, groups=(MARINE, MARINE)), boyz))
    with pytest.raises(BadInput, match="Marines has no enemy 'Crow' in this fight"):
        blows.begin_fight((replace(marines, strikes=(blows.Strike("Marines", blows.Blow(), "Crow"),)), boyz))
    with pytest.raises(BadInput, match="Marines has joined 'Boyz', which is not on its side"):
        blows.begin_fight((replace(marines, joined="Boyz"), boyz))


@pytest.mark.clause("DL-38.1", "DL-25.2")
def test_the_defender_is_advised_where_points_that_are_left_over_hurt_least():
    bosses = blows.Fighter("Mob", "Dale", (Group("Nob", 1, 4, attacks=0), Group("Boyz", 2, 40, attacks=0)))
    striker = fighter(Group("Striker", 1, 40, strength=4, attacks=1), "Hill")
    start = blows.begin_fight((striker, bosses))
    # 16 DMG over three: 5 each and one more, and the nob has only 4 HP
    advice = Best(lambda after: after.unit("Mob").groups[1].recorded, {"Dale": "min"}).run(
        close_combat.FIGHT.stages, start
    )
    assert advice.value == 10
    assert advice.decisions[0].best == 1


# --- losing, sweeping, consolidating ---------------------------------------------------------------------------------


def lost_by_hill(**known: Any) -> blows.Fight:
    """Dale loses nothing and strikes Hill for 64 DMG, no saves: 64 HP."""
    victim = Group("Victims", 10, 40, attacks=0, initiative=2, **known.pop("stats", {}))
    striker = Group("Strikers", 4, 40)
    rulings = known.pop("rulings", Rulings())
    tape = known.pop("tape", None) or Script(*known.pop("answers", ()))
    others = known.pop("others", ())
    return fight_on(tape, fighter(victim, "Hill", **known), fighter(striker, "Dale"), *others, rulings=rulings)


@pytest.mark.clause("DL-44.1", "DL-44.2")
def test_the_loser_adds_25_and_the_difference():
    after = lost_by_hill(op=55)
    assert (after.difference, after.unit("Victims").op, after.unit("Victims").fate) == (64, 144, "holds")
    after = lost_by_hill(op=56)
    assert (after.unit("Victims").op, after.unit("Victims").fate) == (145, "falls back")
    after = lost_by_hill(op=56, rulings=Rulings(lost_assault="difference"))
    assert (after.unit("Victims").op, after.unit("Victims").fate) == (120, "holds")


@pytest.mark.clause("DL-44.2")
def test_the_printed_ld_counts_and_a_reroll_uses_its_table():
    after = lost_by_hill(op=96, stats={"rules": ("reroll_leadership",)})
    assert (taken_by(after.unit("Victims")).threshold, after.unit("Victims").fate) == (185, "holds")
    assert taken_by(after.unit("Victims")).ld == 8


@pytest.mark.clause("DL-44.3")
def test_extra_wounds_count_for_their_side():
    victim = Group("Victims", 10, 40, attacks=0, armour=3)
    drummer = fighter(Group("Strikers", 4, 40), "Dale", extra_wounds=2)
    after = fight_of(fighter(victim, "Hill"), drummer)
    assert (after.hp_lost, after.extra_hp, after.difference) == ((21, 0), (0, 80), 101)


@pytest.mark.clause("DL-44.4")
def test_the_fearless_take_the_difference_as_damage():
    tape = Script()
    after = lost_by_hill(stats={"rules": ("fearless",), "armour": 3}, tape=tape)
    victims = after.unit("Victims")
    told = [(share.packet, share.dmg, share.hp) for share in shares(tape, "Victims")]
    assert told[1:] == [("Victims: no retreat", 21, 7)]
    assert (victims.fate, victims.op, victims.test_result, after.hp_lost) == ("no retreat", 0, None, (21, 0))
    assert after.consolidates == ()


@pytest.mark.clause("DL-44.4")
def test_no_retreat_is_shared_with_the_characters_of_a_unit():
    unit = Group("Victims", 9, 40, attacks=0, rules=("fearless",))
    hero = Group("Hero", 1, 120, attacks=0, rules=("fearless",))
    striker = Group("Strikers", 4, 40)
    strikes = (blows.Strike("Strikers", blow_of(striker), "Victims"),)
    tape = Script(0)
    after = fight_on(
        tape,
        fighter(unit, "Hill"),
        blows.Fighter("Hero", "Hill", (hero,), joined="Victims"),
        blows.Fighter("Strikers", "Dale", (striker,), strikes),
    )
    # 64 HP lost, one model gone: 64 DMG over nine are 7 each, and none of what is left over on the unit
    assert [share.dmg for share in shares(tape, "Victims")] == [64, 56]
    assert [share.dmg for share in shares(tape, "Hero")] == [8]
    assert [after.unit(name).fate for name in ("Victims", "Hero")] == ["no retreat", "no retreat"]


@pytest.mark.clause("DL-44.4")
def test_no_retreat_may_destroy_a_unit():
    victim = Group("Victims", 2, 40, attacks=0, rules=("fearless",))
    after = fight_of(fighter(victim, "Hill"), fighter(Group("Strikers", 4, 40), "Dale"))
    assert (after.unit("Victims").fate, after.consolidates) == ("destroyed", ("Strikers",))


@pytest.mark.clause("DL-40.1", "DL-45.1")
def test_who_breaks_off_falls_back_by_its_type():
    tape = Script()
    after = lost_by_hill(op=150, tape=tape)
    assert "Victims: Initiative 18 against 16: breaks off" in texts(tape)
    assert (after.unit("Victims").fate, after.unit("Victims").falls_back) == ("falls back", 7)
    assert after.unit("Victims").models == 9
    after = lost_by_hill(op=150, stats={"type": "bike"})
    assert after.unit("Victims").falls_back == 10
    assert after.consolidates == ("Strikers",)


@pytest.mark.clause("DL-40.1")
def test_nobody_is_caught_by_those_who_may_not_sweep():
    victim = Group("Victims", 3, 40, attacks=0, initiative=1, ld=3)
    striker = fighter(Group("Strikers", 4, 40), "Dale", may_sweep=False)
    tape = Script()
    after = fight_on(tape, fighter(victim, "Hill"), striker)
    assert after.unit("Victims").fate == "falls back"
    assert "Victims: Initiative 2 against 0: breaks off" in texts(tape)


@pytest.mark.clause("DL-40.1")
@pytest.mark.parametrize(("given", "expect"), vectors("sweeping_advance"))
def test_the_sweeping_advances_of_the_vectors(given: dict[str, Any], expect: dict[str, Any]):
    fleeing, winning = (
        close_combat.total_initiative(tuple(Group("model", 1, 40, initiative=each) for each in given[side]))
        for side in ("falling_back_initiatives", "winner_initiatives")
    )
    assert {
        "falling_back_total": fleeing,
        "winner_total": winning,
        "breaks_off": close_combat.breaks_off(fleeing, winning),
    } == expect


@pytest.mark.clause("DL-40.1")
@pytest.mark.parametrize(("fleeing", "winning", "escapes"), [(20, 16, True), (16, 16, False), (4, 18, False)])
def test_only_a_higher_total_breaks_off(fleeing: int, winning: int, escapes: bool):
    assert close_combat.breaks_off(fleeing, winning) == escapes


@pytest.mark.clause("DL-40.1")
def test_a_tie_by_ruling():
    assert not close_combat.breaks_off(16, 16)
    assert close_combat.breaks_off(16, 16, Rulings(sweep_tie="escapes"))


@pytest.mark.clause("DL-40.1")
def test_a_character_whose_unit_is_gone_flees_alone():
    unit = Group("Victims", 1, 10, attacks=0)
    hero = Group("Hero", 1, 120, attacks=0, initiative=5, ld=3)
    striker = Group("Strikers", 4, 40)
    strikes = (blows.Strike("Strikers", blow_of(striker), "Victims"),)
    tape = Script()
    after = fight_on(
        tape,
        fighter(unit, "Hill"),
        blows.Fighter("Hero", "Hill", (hero,), joined="Victims"),
        blows.Fighter("Strikers", "Dale", (striker,), strikes),
    )
    assert "Hero: Initiative 5 against 16: caught and destroyed" in texts(tape)
    assert [after.unit(name).fate for name in ("Victims", "Hero")] == ["destroyed", "caught"]


@pytest.mark.clause("DL-8.3", "DL-44.1")
def test_a_character_takes_the_test_for_his_unit():
    hero = Group("Hero", 1, 120, attacks=0, ld=10, rules=("independent_character",))
    joined = blows.Fighter("Hero", "Hill", (hero,), op=30, joined="Victims")
    striker = Group("Strikers", 4, 40)
    victim = fighter(Group("Victims", 10, 40, attacks=0), "Hill", op=60)
    strikes = fighter(striker, "Dale", None)
    strikes = replace(strikes, strikes=(blows.Strike("Strikers", blow_of(striker), "Victims"),))
    after = fight_of(victim, joined, strikes)
    assert (after.unit("Victims").op, after.unit("Hero").op) == (149, 55)
    assert (taken_by(after.unit("Victims")).threshold, after.unit("Victims").fate, after.unit("Hero").fate) == (
        183,
        "holds",
        "holds",
    )
    after = fight_of(replace(victim, op=100), replace(joined, op=0), strikes, rulings=Rulings(character_compares="own"))
    assert after.unit("Victims").fate == "holds"
    tape = Script()
    after = fight_on(tape, replace(victim, op=100), replace(joined, op=0), strikes)
    assert [after.unit(name).fate for name in ("Victims", "Hero")] == ["falls back", "falls back"]
    assert "Victims: Initiative 40 against 16: breaks off" in texts(tape)


@pytest.mark.clause("DL-44.1")
def test_each_unit_of_the_losing_side_adds_the_whole_difference():
    bystander = fighter(Group("Bystanders", 5, 40, attacks=0), "Hill")
    striker = Group("Strikers", 4, 40)
    strikes = replace(fighter(striker, "Dale"), strikes=(blows.Strike("Strikers", blow_of(striker), "Victims"),))
    after = fight_of(fighter(Group("Victims", 10, 40, attacks=0), "Hill"), bystander, strikes)
    assert [after.unit(name).op for name in ("Victims", "Bystanders")] == [89, 89]


@pytest.mark.clause("DL-40.2")
@pytest.mark.parametrize(("given", "expect"), vectors("consolidation"))
def test_consolidation_is_4_inches_whatever_the_terrain(given: dict[str, Any], expect: dict[str, Any]):
    assert given["in_difficult_terrain"]
    assert close_combat.consolidation() == expect["inches"]


# --- hit and run -----------------------------------------------------------------------------------------------------


@pytest.mark.clause("DL-75.2")
@pytest.mark.parametrize(("given", "expect"), vectors("hit_and_run_distance"))
def test_hit_and_run_is_10_inches(given: dict[str, Any], expect: dict[str, Any]):
    assert close_combat.hit_and_run_inches() == expect["inches"]


@pytest.mark.clause("DL-75.2")
def test_hit_and_run_needs_the_rule_and_initiative():
    rider = Group("Riders", 3, 50, initiative=4, rules=("hit_and_run",))
    assert close_combat.refuse_hit_and_run((rider,)) is None
    assert "not every model" in str(close_combat.refuse_hit_and_run((rider, replace(rider, rules=()))))
    assert "Initiative 3 fails; it passes from 4" in str(
        close_combat.refuse_hit_and_run((replace(rider, initiative=3),))
    )
    assert close_combat.refuse_hit_and_run((replace(rider, initiative=3),), Rulings(characteristic_pass=3)) is None


# --- force weapons ---------------------------------------------------------------------------------------------------


def forced(
    *answers: Any, champion: Group | None = None, hill: dict[str, Any] | None = None, **known: Any
) -> blows.Fight:
    """A librarian strikes a champion with his force staff: 2 attacks of 20 DMG."""
    seer = Group("Seer", 1, 80, ws=5, attacks=2, ld=10, initiative=5)
    staff = blow_of(seer, "staff", ("power_weapon", "force_weapon"))
    victim = champion or Group("Champion", 1, 240, toughness=6, attacks=0)
    tape = Script(*answers)
    units = (
        blows.Fighter("Seer", "Hill", (seer,), (blows.Strike("Seer", staff),), **(hill or {})),
        fighter(victim, "Dale"),
    )
    after: blows.Fight = blows.strike_in_order(tape, replace(blows.begin_fight(units), **known))
    assert tape.used_up
    return after


@pytest.mark.clause("DL-50.1")
def test_a_force_weapon_slays_whom_it_has_hurt():
    after = forced("Champion")
    assert (after.blow_records[0].damage.dmg, after.unit("Champion").models, after.unit("Seer").op) == (40, 0, 25)
    assert close_combat.find_result(Script(), after).hp_lost == (0, 240)
    assert forced("no test").unit("Champion").groups[0].recorded == 40


@pytest.mark.clause("DL-50.1", "DL-50.2")
def test_a_failed_test_for_a_force_weapon_does_nothing():
    after = forced("Champion", hill={"op": 175})
    champion = after.unit("Champion").groups[0]
    assert (champion.models, champion.recorded, after.unit("Seer").op) == (1, 40, 0)
    assert forced("Champion", hill={"op": 140, "hood": True}).unit("Seer").op == 0


@pytest.mark.clause("DL-50.5", "DL-50.6")
def test_a_warp_token_on_a_force_weapon():
    after = forced("Champion", "play", "accept", warp_tokens=(0, 1))
    assert (after.unit("Champion").models, after.warp_tokens, after.token_used) == (1, (0, 0), (False, True))
    after = forced("Champion", "play", "push on", warp_tokens=(3, 1))
    assert (after.unit("Champion").models, after.warp_tokens, after.token_used) == (0, (3, 1), (False, True))
    assert (after.unit("Seer").groups[0].recorded, after.unit("Seer").losses.hp) == (50, 50)


@pytest.mark.clause("DL-50.1", "DL-26.1")
def test_nobody_is_slain_who_is_eternal_unhurt_or_gone():
    forced(champion=Group("Hero", 1, 240, toughness=6, attacks=0, rules=("eternal_warrior",)))
    forced(champion=Group("Weak", 1, 40, attacks=0))
    forced(champion=Group("Sure", 2, 20, attacks=0))


# --- what always holds -----------------------------------------------------------------------------------------------

SAVES = st.sampled_from([None, 2, 3, 4, 5, 6])
GROUPS = st.builds(
    Group,
    name=st.just("group"),
    models=st.integers(1, 12),
    hp=st.integers(1, 150),
    toughness=st.integers(2, 8),
    armour=SAVES,
    invulnerable=st.sampled_from([None, 4, 5]),
    ws=st.integers(0, 10),
    strength=st.integers(1, 10),
    initiative=st.integers(0, 8),
    attacks=st.integers(0, 5),
    ld=st.integers(2, 10),
    rules=st.sampled_from([(), ("fearless",), ("feel_no_pain",), ("eternal_warrior",)]),
)
WEAPONS = st.sampled_from([(), ("power_weapon",), ("power_fist",), ("lightning_claw",), ("poisoned_4",), ("rending",)])


@pytest.mark.clause("DL-38.1", "DL-44.1", "DL-40.1")
@given(GROUPS, GROUPS, WEAPONS, WEAPONS, st.integers(0, 200), st.integers(0, 200))
@settings(max_examples=150, deadline=None)
def test_hit_points_add_up_and_the_fates_agree(one, two, arms, others, op, other_op):
    units = (
        blows.Fighter("One", "Hill", (one,), (blows.Strike("group", blow_of(one, "arms", arms)),), op=op),
        blows.Fighter("Two", "Dale", (two,), (blows.Strike("group", blow_of(two, "arms", others)),), op=other_op),
    )
    start = blows.begin_fight(units)
    struck = blows.strike_in_order(WishedOptions(), start)
    for before, after in zip(start.units, struck.units, strict=True):
        assert before.groups[0].hp_left - after.groups[0].hp_left == after.losses.hp_removed
    fight: blows.Fight = fold(close_combat.FIGHT, WishedOptions(), start)
    assert fight.hp_lost == tuple(
        before.groups[0].hp_left - after.groups[0].hp_left
        for before, after in zip(start.units, struck.units, strict=True)
    )
    for unit in fight.units:
        assert unit.models == 0 or unit.fate in ("", "holds", "no retreat", "falls back")
        assert (unit.test_result is not None) == (unit.fate in ("holds", "falls back") or (unit.fate == "caught"))
        assert unit.fate == "" or unit.side == fight.loser or not unit.models
    if fight.loser and all(unit.models for unit in struck.units):
        at = fight.sides.index(fight.loser)
        assert fight.hp_lost[at] - fight.hp_lost[1 - at] == fight.difference > 0


# --- furious charge -------------------------------------------------------------------------------------------------


@pytest.mark.clause("DL-0.1", "DL-38.1")
@pytest.mark.parametrize(
    ("weapon_rules", "charging", "slowed", "expected"),
    [
        ((), False, False, (3, 2, 2)),
        ((), True, False, (4, 3, 3)),
        ((), True, True, (4, 3, 1)),  # through difficult terrain without grenades it still strikes last
        (("power_fist",), True, False, (7, 3, 1)),  # twice 3, and then 1 more
    ],
)
def test_furious_charge_adds_strength_and_initiative_to_who_charges(weapon_rules, charging, slowed, expected):
    mad = Group("Mad", 1, 40, strength=3, attacks=2, initiative=2, rules=("furious_charge",))
    blow = blow_of(mad, "axe", weapon_rules, charging=charging, slowed=slowed)
    assert (blow.strength, blow.attacks, blow.initiative) == expected


@pytest.mark.clause("DL-0.1")
def test_furious_charge_stops_at_10():
    mad = Group("Mad", 1, 40, strength=10, initiative=10, rules=("furious_charge",))
    assert (blow_of(mad, charging=True).strength, blow_of(mad, charging=True).initiative) == (10, 10)
