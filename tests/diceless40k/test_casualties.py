"""From damage to casualties: groups, packets, instant death, rending, doubling and halving."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from battletape.errors import BadInput
from battletape.rulesets.diceless40k.rules import casualties
from battletape.rulesets.diceless40k.rules.characteristics import (
    ETERNAL_WARRIOR,
    FEEL_NO_PAIN,
    REROLL_SAVES,
    VULNERABLE,
    Group,
)
from battletape.rulesets.diceless40k.rulings import Rulings
from battletape.tape.script import Script
from tests.diceless40k.log_lines import Share, shares, texts
from tests.diceless40k.vectors import vectors
from tests.diceless40k.wished_options import WishedOptions

SERGEANT = Group("sergeant", 1, 40, armour=3)
LAUNCHERS = Group("missile launchers", 2, 40, armour=3)
BOLTERS = Group("bolters", 2, 40, armour=3)
DEVASTATORS = (SERGEANT, LAUNCHERS, BOLTERS)
NOB, BOYZ = Group("nob", 1, 80, armour=4), Group("boyz", 9, 40, armour=6)


def hit(target: casualties.Target, packet: casualties.Packet, *answers: Any) -> casualties.Target:
    """The target after a packet; the answers are the defender's, and all are asked for."""
    tape = Script(*answers)
    after = casualties.resolve(tape, target, packet)
    assert tape.used_up
    return after


def shares_of(target: casualties.Target, packet: casualties.Packet, *answers: Any) -> list[Share]:
    """Return the shares of the groups; the answers are the defender's, and all are asked for."""
    tape = Script(*answers)
    casualties.resolve(tape, target, packet)
    assert tape.used_up
    return shares(tape)


def usual_shares(target: casualties.Target, packet: casualties.Packet) -> list[Share]:
    """Return the shares of the groups where every choice takes its first option."""
    tape = WishedOptions()
    casualties.resolve(tape, target, packet)
    return shares(tape)


# --- DL-24: one model at a time ---------------------------------------------------------------------------------------


@pytest.mark.clause("DL-24.1", "DL-24.2", "DL-6.2")
@pytest.mark.parametrize(("given", "expect"), vectors("remove_casualties"))
def test_the_casualties_of_the_vectors(given: dict[str, Any], expect: dict[str, Any]):
    loss = casualties.remove_casualties(given["models"], given["hp_each"], given["damage_recorded"], given["hp_lost"])
    got = {
        "removed": loss.removed,
        "models_left": loss.models_left,
        "damage_recorded": loss.recorded,
        "overkill": loss.overkill,
    }
    assert got == {name: expect[name] for name in got}


@pytest.mark.clause("DL-24.1", "DL-24.2")
def test_three_models_of_20_hp_lose_45_as_in_the_document():
    assert casualties.remove_casualties(3, 20, 0, 45) == casualties.GroupLoss(2, 1, 5, 0, 45)


@pytest.mark.clause("DL-24.2")
def test_what_is_recorded_counts_next_time():
    assert casualties.remove_casualties(10, 40, 10, 120) == casualties.GroupLoss(3, 7, 10, 0, 120)
    assert casualties.remove_casualties(10, 40, 39, 1) == casualties.GroupLoss(1, 9, 0, 0, 1)


@pytest.mark.clause("DL-6.2")
def test_a_model_with_1_hp_left_is_still_there():
    assert casualties.remove_casualties(1, 40, 0, 39) == casualties.GroupLoss(0, 1, 39, 0, 39)
    assert casualties.remove_casualties(1, 40, 39, 1) == casualties.GroupLoss(1, 0, 0, 0, 1)


@pytest.mark.clause("DL-24.1", "DL-24.2")
@pytest.mark.parametrize(
    ("models", "hp", "recorded", "lost"), [(1, 40, 0, -1), (1, 40, 40, 0), (1, 0, 0, 5), (-1, 40, 0, 5)]
)
def test_a_group_that_cannot_be_is_refused(models: int, hp: int, recorded: int, lost: int):
    with pytest.raises(BadInput, match=r"DL-24\.[12]"):
        casualties.remove_casualties(models, hp, recorded, lost)


# --- DL-25: complex units ---------------------------------------------------------------------------------------------


@pytest.mark.clause("DL-25.2", "DL-25.3")
@pytest.mark.parametrize(("given", "expect"), vectors("complex_unit"))
def test_the_complex_units_of_the_vectors(given: dict[str, Any], expect: dict[str, Any]):
    groups = tuple(
        Group(
            group["name"],
            group["models"],
            group["hp_each"],
            armour=group["save"],
            recorded=group.get("damage_recorded", 0),
        )
        for group in given["groups"]
    )
    models = [group.models for group in groups]
    assert given["dmg"] // sum(models) == expect["per_model"]
    assert given["dmg"] % sum(models) == expect["leftover"]
    answers = _asked(given.get("leftover_to"), expect["leftover"], models)
    tape = Script(*answers)
    after = casualties.resolve(
        tape, casualties.Target(groups), casualties.Packet("the packet", given["dmg"], 4, ap=given["ap"])
    )
    assert tape.used_up
    for share, group, wanted in zip(shares(tape), after.groups, expect["groups"], strict=True):
        got = {
            "name": share.group,
            "dmg": share.dmg,
            "hp_lost": share.hp,
            "removed": share.loss.removed,
            "models_left": share.loss.models_left,
            "damage_recorded": share.loss.recorded,
            "overkill": share.loss.overkill,
        }
        if group.models:
            got["front_model_hp_left"] = group.front_hp
        assert got == wanted


def _asked(leftover_to: list[int] | None, left: int, models: list[int]) -> list[int]:
    """The answers a defender is asked for: where only one number fits nobody asks."""
    answers = []
    for at, most in enumerate(models):
        low, high = max(0, left - sum(models[at + 1 :])), min(left, most)
        share = high if leftover_to is None else leftover_to[at]
        if low < high:
            answers.append(share)
        left -= share
    return answers


@pytest.mark.clause("DL-25.1", "DL-25.2", "DL-25.3")
def test_devastators_under_320_dmg_as_in_the_document():
    assert casualties.spread(320, (1, 2, 2)) == (64, 128, 128)
    packet = casualties.Packet("bolter", 320, 4, ap=5)
    after = hit(casualties.Target(DEVASTATORS), packet)
    assert [share.hp for share in shares_of(casualties.Target(DEVASTATORS), packet)] == [21, 42, 42]
    assert [(group.models, group.front_hp) for group in after.groups] == [(1, 19), (1, 38), (1, 38)]
    assert (after.removed, after.hp_removed) == (2, 105)


@pytest.mark.clause("DL-25.2")
def test_leftover_points_go_where_the_defender_says():
    assert casualties.spread(322, (1, 2, 2)) == (65, 129, 128)
    assert casualties.spread(322, (1, 2, 2), (0, 0, 2)) == (64, 128, 130)
    found = shares_of(casualties.Target(DEVASTATORS), casualties.Packet("bolter", 322, 4, ap=5), 1, 0)
    assert [share.dmg for share in found] == [65, 128, 129]


@pytest.mark.clause("DL-25.2")
def test_the_default_hands_leftover_points_out_in_order():
    found = usual_shares(casualties.Target(DEVASTATORS), casualties.Packet("bolter", 324, 4, ap=5))
    assert tuple(share.dmg for share in found) == casualties.spread(324, (1, 2, 2)) == (65, 130, 129)


@pytest.mark.clause("DL-25.2")
def test_leftover_points_may_be_lost_by_a_ruling():
    found = shares_of(
        casualties.Target(DEVASTATORS, Rulings(leftover="lost")), casualties.Packet("bolter", 324, 4, ap=5)
    )
    assert [share.dmg for share in found] == [64, 128, 128]


@pytest.mark.clause("DL-25.2")
@pytest.mark.parametrize("leftover", [(2, 0, 0), (0, 3, -1), (1, 1), (1, 0, 0)])
def test_leftover_points_that_do_not_fit_are_refused(leftover: tuple[int, ...]):
    with pytest.raises(BadInput, match=r"DL-25\.2"):
        casualties.spread(322, (1, 2, 2), leftover)


@pytest.mark.clause("DL-25.3")
def test_a_nob_and_nine_boyz_under_200_dmg():
    packet = casualties.Packet("shoota", 200, 4, ap=6)
    after = hit(casualties.Target((NOB, BOYZ)), packet)
    assert [(share.dmg, share.hp) for share in shares_of(casualties.Target((NOB, BOYZ)), packet)] == [
        (20, 10),
        (180, 180),
    ]
    assert after.groups == (replace(NOB, recorded=10), replace(BOYZ, models=5, recorded=20))


@pytest.mark.clause("DL-24.2")
def test_hp_beyond_a_group_are_lost_or_spill():
    unit = (Group("grots", 1, 20), Group("runtherd", 1, 40))
    packet = casualties.Packet("shoota", 50, 4)
    assert hit(casualties.Target(unit), packet).groups == (replace(unit[0], models=0), replace(unit[1], recorded=25))
    tape = Script()
    spilled = casualties.resolve(tape, casualties.Target(unit, Rulings(overkill="spills")), packet)
    assert spilled.groups == (replace(unit[0], models=0), replace(unit[1], recorded=30))
    assert (spilled.hp_removed, spilled.losses.overkill) == (50, 0)
    assert texts(tape)[-1] == "Runtherd: 0 models removed, 1 left, 30 HP recorded (5 HP came from other groups)"
    assert [share.loss.overkill for share in shares(tape)] == [0, 0]


@pytest.mark.clause("DL-24.2")
def test_spilled_hp_that_nobody_can_take_are_lost():
    unit = (Group("grots", 1, 20), Group("runtherd", 1, 40))
    tape = Script()
    after = casualties.resolve(
        tape, casualties.Target(unit, Rulings(overkill="spills")), casualties.Packet("shoota", 500, 4)
    )
    assert texts(tape)[-1] == "440 HP too many for all of them"
    assert after.models == 0
    assert after.hp_removed == 60
    assert after.losses.overkill == 440


@pytest.mark.clause("DL-25.3")
def test_nobody_is_left_to_hit():
    empty = casualties.Target((replace(BOYZ, models=0),))
    assert hit(empty, casualties.Packet("bolter", 32, 4)) == empty
    assert shares_of(casualties.Target((BOYZ,)), casualties.Packet("bolter", 0, 4)) == []
    assert hit(casualties.Target((BOYZ,)), casualties.Packet("bolter", 0, 4)) == casualties.Target((BOYZ,))


# --- DL-26: instant death ---------------------------------------------------------------------------------------------


@pytest.mark.clause("DL-26.1")
@pytest.mark.parametrize(("given", "expect"), vectors("instant_death"))
def test_instant_death_of_the_vectors(given: dict[str, Any], expect: dict[str, Any]):
    group = Group(
        "unit",
        given["models"],
        given["hp_each"],
        toughness=given["toughness"],
        recorded=given.get("damage_recorded", 0),
    )
    loss = casualties.take_off(group, given["hp_lost"], given["strength"])
    assert {
        "removed": loss.removed,
        "models_left": loss.models_left,
        "damage_recorded": loss.recorded,
        "overkill": loss.overkill,
        "hp_removed": loss.hp_removed,
        "instant_death": loss.instant_death,
    } == expect


@pytest.mark.clause("DL-26.1")
def test_both_comparisons_of_instant_death_are_inclusive():
    assert casualties.is_instant_death(8, 4)
    assert not casualties.is_instant_death(7, 4)
    captain = Group("captain", 1, 120, toughness=4)
    assert casualties.take_off(captain, 10, 8).removed == 1
    assert casualties.take_off(captain, 9, 8).recorded == 9
    assert casualties.take_off(captain, 32, 7).recorded == 32


@pytest.mark.clause("DL-26.1")
def test_instant_death_in_a_group_goes_model_by_model():
    assert casualties.kill_outright(5, 40, 0, 64) == casualties.GroupLoss(2, 3, 0, 0, 80, instant_death=True)
    assert casualties.kill_outright(5, 40, 0, 128) == casualties.GroupLoss(3, 2, 8, 0, 128, instant_death=True)
    assert casualties.kill_outright(5, 40, 35, 12) == casualties.GroupLoss(1, 4, 7, 0, 12, instant_death=True)
    assert casualties.kill_outright(1, 40, 35, 12) == casualties.GroupLoss(1, 0, 0, 7, 5, instant_death=True)


@pytest.mark.clause("DL-26.1")
def test_earlier_damage_does_not_count_for_the_10_hp():
    assert casualties.kill_outright(1, 120, 50, 9) == casualties.GroupLoss(0, 1, 59, 0, 9, instant_death=True)
    assert casualties.kill_outright(1, 120, 50, 10) == casualties.GroupLoss(1, 0, 0, 0, 70, instant_death=True)


@pytest.mark.clause("DL-26.1")
def test_instant_death_by_shots_is_a_ruling():
    per_shot = Rulings(instant_death="per_shot")
    assert casualties.kill_outright(5, 40, 0, 64, shots=4, rulings=per_shot) == casualties.GroupLoss(
        4, 1, 0, 0, 160, instant_death=True
    )
    assert casualties.kill_outright(5, 40, 0, 36, shots=4, rulings=per_shot) == casualties.GroupLoss(
        0, 5, 36, 0, 36, instant_death=True
    )
    assert casualties.kill_outright(2, 40, 5, 60, shots=3, rulings=per_shot) == casualties.GroupLoss(
        2, 0, 0, 20, 75, instant_death=True
    )
    many = 10**12  # what is left over of so many shots is not counted one by one
    assert casualties.kill_outright(5, 40, 0, 11 * many, many, per_shot) == casualties.GroupLoss(
        5, 0, 0, 11 * (many - 5), 200, instant_death=True
    )
    assert casualties.kill_outright(5, 40, 0, 7, many, per_shot) == casualties.GroupLoss(
        0, 5, 7, 0, 7, instant_death=True
    )
    one_group = casualties.Target((Group("marines", 5, 40, armour=3, toughness=4),), per_shot)
    after = hit(one_group, casualties.Packet("krak missile", 128, 8, ap=3, shots=4))
    assert (after.losses.hp, after.groups[0].models) == (128, 1)


@pytest.mark.clause("DL-26.1")
def test_eternal_warriors_and_bracketed_toughness():
    assert casualties.take_off(Group("hero", 1, 120, toughness=4, rules=(ETERNAL_WARRIOR,)), 32, 8).recorded == 32
    assert casualties.take_off(Group("biker", 1, 50, toughness=5, toughness_bonus=1), 12, 8).removed == 1
    assert casualties.take_off(Group("big beast", 1, 50, toughness=5), 12, 8).removed == 0


# --- DL-31: rending, and DL-75, DL-76 ---------------------------------------------------------------------------------


@pytest.mark.clause("DL-31.7")
@pytest.mark.parametrize(("given", "expect"), vectors("rending_split"))
def test_the_rending_split_of_the_vectors(given: dict[str, Any], expect: dict[str, Any]):
    assert casualties.rending_split(given["dmg"]) == (expect["ap2"], expect["normal"])


@pytest.mark.clause("DL-31.7")
def test_where_the_rending_split_does_not_add_up():
    odd = [dmg for dmg in range(1, 1001) if sum(casualties.rending_split(dmg)) != dmg]
    assert len(odd) == 160
    assert [dmg for dmg in odd if dmg <= 100] == list(range(9, 100, 6))
    assert casualties.rending_split(90) == (15, 75)


@pytest.mark.clause("DL-31.8", "DL-42.4")
@pytest.mark.parametrize(("given", "expect"), vectors("rending_resolve"))
def test_rending_of_the_vectors(given: dict[str, Any], expect: dict[str, Any]):
    group = Group("unit", 10, 40, armour=given["armour"], invulnerable=given["invulnerable"])
    packet = casualties.Packet("packet", given["dmg"], 4, given["ap"], rending=True, assault=given["assault"])
    target = casualties.Target((group,), cover=given["cover"])
    (share,) = usual_shares(target, packet)
    piercing, normal = share.parts
    assert {
        "ap2": piercing.dmg,
        "normal": normal.dmg,
        "hp_from_ap2": piercing.hp,
        "hp_from_normal": normal.hp,
        "hp_lost": share.hp,
    } == expect


@pytest.mark.clause("DL-31.8")
def test_rending_with_ap4_on_3_plus_armour_in_4_plus_cover():
    target = casualties.Target((Group("marines", 10, 40, armour=3),), cover=4)
    (share,) = usual_shares(target, casualties.Packet("heavy claw", 90, 6, 4, rending=True))
    assert [part.hp for part in share.parts] == [8, 25]


@pytest.mark.clause("DL-31.8", "DL-75.1")
def test_feel_no_pain_helps_only_against_the_normal_part_of_rending():
    target = casualties.Target((Group("marines", 10, 40, armour=3, rules=(FEEL_NO_PAIN,)),))
    (share,) = usual_shares(target, casualties.Packet("claw", 90, 4, rending=True))
    assert [(part.after_save, part.hp) for part in share.parts] == [(15, 15), (25, 13)]


@pytest.mark.clause("DL-31.8", "DL-26.1")
def test_instant_death_looks_at_the_sum_of_both_parts():
    # 3 of 18 pierce, and 15 on 4+ cost 8: of either part alone nobody would die
    beast = casualties.Target((Group("beast", 1, 300, toughness=3, armour=4),))
    (share,) = usual_shares(beast, casualties.Packet("claw", 18, 6, rending=True))
    assert ([part.hp for part in share.parts], share.hp, share.loss.removed) == ([3, 8], 11, 1)


@pytest.mark.clause("DL-76.3")
@pytest.mark.parametrize(("given", "expect"), vectors("vulnerable_to_blasts"))
def test_vulnerable_to_blasts_of_the_vectors(given: dict[str, Any], expect: dict[str, Any]):
    pain = (FEEL_NO_PAIN,) if given["feel_no_pain"] else ()
    swarm = Group("swarm", 10, 40, armour=given["save"], rules=(VULNERABLE, *pain))
    after = hit(casualties.Target((swarm,)), casualties.Packet("blast", given["dmg"], 4, area=True))
    assert after.losses.hp == expect["hp_lost"]


@pytest.mark.clause("DL-76.3")
def test_when_the_vulnerable_are_hurt_doubly():
    swarm = casualties.Target((Group("swarm", 10, 40, armour=4, rules=(VULNERABLE,)),))
    blast = casualties.Packet("blast", 9, 4, area=True)
    assert hit(swarm, blast).losses.hp == 10
    assert hit(replace(swarm, rulings=Rulings(vulnerable="before_save")), blast).losses.hp == 9
    assert hit(swarm, replace(blast, area=False)).losses.hp == 5


@pytest.mark.clause("DL-75.1")
def test_when_feel_no_pain_halves():
    marines = casualties.Target((Group("marines", 10, 40, armour=3, rules=(FEEL_NO_PAIN,)),))
    assert hit(marines, casualties.Packet("bolter", 320, 4, ap=5)).losses.hp == 53
    before = replace(marines, rulings=Rulings(feel_no_pain_order="before_save"))
    assert hit(marines, casualties.Packet("bolter", 2, 4, ap=5)).losses.hp == 1
    assert hit(before, casualties.Packet("bolter", 2, 4, ap=5)).losses.hp == 0


@pytest.mark.clause("DL-75.1")
@pytest.mark.parametrize(
    "packet",
    [
        casualties.Packet("melta", 32, 7, ap=1),
        casualties.Packet("plasma", 28, 7, ap=2),
        casualties.Packet("krak", 32, 8, ap=3),
        casualties.Packet("power sword", 32, 4, ignores_armour=True),
        casualties.Packet("gate", 10, 0, no_saves=True),
    ],
    ids=lambda packet: packet.name,
)
def test_where_feel_no_pain_does_not_help(packet: casualties.Packet):
    marines = casualties.Target((Group("marines", 10, 40, armour=3, rules=(FEEL_NO_PAIN,)),))
    (share,) = shares_of(marines, packet)
    assert (share.hp, share.parts[0].felt_no_pain) == (packet.dmg, False)


# --- which save -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("DL-20.1")
def test_the_defender_may_use_any_save_that_helps():
    target = casualties.Target((Group("marines", 10, 40, armour=3, invulnerable=5),), cover=4)
    packet = casualties.Packet("bolter", 60, 4, ap=5)
    assert hit(target, packet, "armour").losses.hp == 20
    assert hit(target, packet, "cover").losses.hp == 30
    (share,) = shares_of(target, packet, "invulnerable")
    assert (share.parts[0].save, share.parts[0].column, share.hp) == (5, "5+", 40)


@pytest.mark.clause("DL-20.5", "DL-20.6")
def test_the_save_with_the_best_column_comes_first():
    hero = Group("hero", 1, 120, armour=4, invulnerable=4, rules=())
    in_null_zone = casualties.Target((hero,), null_zone=True)
    (share,) = usual_shares(in_null_zone, casualties.Packet("shot", 60, 4, ap=5))
    assert share.parts[0].save_kind == "armour"
    blessed = replace(in_null_zone, groups=(replace(hero, armour=None, rules=(REROLL_SAVES,)),))
    (share,) = shares_of(blessed, casualties.Packet("shot", 60, 4))
    assert (share.parts[0].column, share.hp) == ("4+", 30)


@pytest.mark.clause("DL-20.1")
def test_who_has_gone_to_ground_has_cover_in_the_open():
    boyz = casualties.Target((BOYZ,), gone_to_ground=True)
    (share,) = shares_of(boyz, casualties.Packet("bolter", 90, 4, ap=5))
    assert (share.parts[0].save_kind, share.hp) == ("cover", 75)


# --- against a second way ---------------------------------------------------------------------------------------------

GROUPS = st.tuples(st.integers(1, 6), st.integers(1, 60)).flatmap(
    lambda drawn: st.tuples(st.just(drawn[0]), st.just(drawn[1]), st.integers(0, drawn[1] - 1))
)


@pytest.mark.clause("DL-24.1", "DL-24.2")
@given(GROUPS, st.integers(0, 400))
def test_hp_are_taken_off_point_by_point(group: tuple[int, int, int], hp: int):
    models, each, recorded = group
    pool = [each - recorded, *[each] * (models - 1)]
    overkill = 0
    for _ in range(hp):
        if not pool:
            overkill += 1
            continue
        pool[0] -= 1
        if not pool[0]:
            pool.pop(0)
    left = each - pool[0] if pool else 0
    assert casualties.remove_casualties(models, each, recorded, hp) == casualties.GroupLoss(
        models - len(pool), len(pool), left, overkill, hp - overkill
    )


@pytest.mark.clause("DL-26.1")
@given(GROUPS, st.integers(0, 400))
def test_instant_death_model_by_model(group: tuple[int, int, int], hp: int):
    models, each, recorded = group
    pool = [each - recorded, *[each] * (models - 1)]
    rest, taken = hp, 0
    while pool and rest >= pool[0]:
        rest, taken = rest - pool[0], taken + pool[0]
        pool.pop(0)
    if pool and rest >= 10:
        rest, taken = 0, taken + pool.pop(0)
        left, overkill = 0, 0
    elif pool:
        pool[0] -= rest
        taken, overkill = taken + rest, 0
        left = each - pool[0]
    else:
        left, overkill = 0, rest
    wanted = casualties.GroupLoss(models - len(pool), len(pool), left, overkill, taken, instant_death=True)
    assert casualties.kill_outright(models, each, recorded, hp) == wanted


@pytest.mark.clause("DL-25.2")
@given(st.integers(0, 2000), st.lists(st.integers(0, 9), min_size=1, max_size=5))
def test_spreading_loses_nothing_and_is_even(dmg: int, models: list[int]):
    shares = casualties.spread(dmg, models)
    assert sum(shares) == (dmg if sum(models) else 0)
    for share, number in zip(shares, models, strict=True):
        assert share == 0 if not number else dmg // sum(models) * number <= share <= -(-dmg // sum(models)) * number
