"""The battle: guns, ammunition, jams, aim, brace, flames, blasts, suppressing fire and overwatch."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from battletape.battle import Battle
from battletape.errors import BadInput
from battletape.tape.exact import Exact
from battletape.tape.limits import Budget
from battletape.tape.sampled import Quick
from tests.deathwatch.battles import Said, battle, crowd, do, fighter, mob, pass_to, refused, state, unit_named

CATO, ILARIO, ANSELM = fighter("Brother Cato"), fighter("Brother Ilario"), fighter("Brother Anselm")
GODWYN, HEAVY, FLAMER = "Astartes Bolter (Godwyn)", "Astartes Heavy Bolter", "Astartes Flamer"
STORM = "Astartes Storm Bolter"
SKARR = fighter("Raider", 0, 20, name="Skarr")
GHARN = fighter("Warlord Gharn", 0, 20)


@pytest.mark.clause("DW-PIPE-1", "DW-RWEP-00", "DW-ACT-FULL-AUTO-BURST")
def test_a_burst_goes_through_the_whole_pipeline_and_spends_its_rounds():
    game = battle([CATO], [GHARN])
    # short range +10, full auto +20, hulking +10: 88; 23 gives 7 hits worth of degrees, capped at 4
    dice = (4, *(7, 3, 9), *(2, 2, 5), *(10, 1, 6), 4, *(8, 8, 4))  # the side of the arm, then hit by hit; fury 4
    told = do(game, "shoot", 23, "none", *dice, target="Warlord Gharn", mode="full")
    assert "Full auto burst +20" in told
    assert any("48 becomes 88" in text for text in told)
    held = unit_named(game, "Brother Cato").weapon_named(GODWYN)
    assert (held.clip, held.fired_round, unit_named(game, "Warlord Gharn").shot_at) == (24, 1, True)
    # carapace 6 everywhere less pen 5, TB 10: 11 taken from 21, 12, 21 (fury 4) and 21
    assert unit_named(game, "Warlord Gharn").health == 38 - 10 - 1 - 14 - 10


@pytest.mark.clause("DW-JAM-1", "DW-JAM-2", "DW-ACT-RELOAD")
def test_a_jam_is_cleared_and_the_clip_is_lost_and_reloaded():
    game = battle([CATO], [GHARN])
    do(game, "shoot", 95, target="Warlord Gharn", mode="semi")
    assert unit_named(game, "Brother Cato").weapon_named(GODWYN).jammed
    pass_to(game, "Brother Cato")
    assert game.odds("clear_jam").odds("cleared").chance(1) == Fraction(48, 100)
    do(game, "clear_jam", 49)
    assert unit_named(game, "Brother Cato").weapon_named(GODWYN).jammed
    pass_to(game, "Brother Cato")
    do(game, "clear_jam", 48)
    held = unit_named(game, "Brother Cato").weapon_named(GODWYN)
    assert (held.jammed, held.clip) == (False, 0)
    pass_to(game, "Brother Cato")
    do(game, "reload")
    assert unit_named(game, "Brother Cato").weapon_named(GODWYN).clip == 28
    pass_to(game, "Brother Cato")


@pytest.mark.clause("DW-JAM-2")
def test_a_ruling_keeps_the_clip():
    game = battle([CATO], [GHARN], {"jam_clear_empties_clip": False})
    do(game, "shoot", 95, target="Warlord Gharn", mode="semi")
    pass_to(game, "Brother Cato")
    do(game, "clear_jam", 1)
    assert unit_named(game, "Brother Cato").weapon_named(GODWYN).clip == 26


@pytest.mark.clause("DW-ACT-RELOAD")
def test_a_long_reload_needs_turns_in_a_row_and_anything_else_loses_it():
    game = battle([fighter("Brother Ilario", weapons=[STORM])], [GHARN])
    do(game, "shoot", 99, target="Warlord Gharn", mode="full")
    pass_to(game, "Brother Ilario")
    do(game, "clear_jam", 1)
    assert unit_named(game, "Brother Ilario").weapon_named(STORM).profile.reload == 2
    pass_to(game, "Brother Ilario")
    do(game, "reload", weapon=STORM)
    assert unit_named(game, "Brother Ilario").weapon_named(STORM).reload_done == 1
    pass_to(game, "Brother Ilario")
    do(game, "move", x=1, y=0)
    assert unit_named(game, "Brother Ilario").weapon_named(STORM).reload_done == 0
    for done in (1, 0):
        pass_to(game, "Brother Ilario")
        do(game, "reload", weapon=STORM)
        assert unit_named(game, "Brother Ilario").weapon_named(STORM).reload_done == done
    assert (
        unit_named(game, "Brother Ilario").weapon_named(STORM).clip
        == unit_named(game, "Brother Ilario").weapon_named(STORM).profile.clip
    )


@pytest.mark.clause("DW-ACT-AIM", "DW-ECON-2")
def test_an_aim_adds_to_the_next_attack_and_is_lost_by_anything_else():
    game = battle([CATO], [GHARN])
    plain = game.odds("shoot", target="Warlord Gharn").odds("hits").at_least(1)
    do(game, "aim")
    assert game.odds("shoot", target="Warlord Gharn").odds("hits").at_least(1) == plain + Fraction(1, 10)
    do(game, "move", x=1, y=0)
    assert unit_named(game, "Brother Cato").aim == "none"
    pass_to(game, "Brother Cato")
    do(game, "aim", aim="full")
    pass_to(game, "Brother Cato")
    assert unit_named(game, "Brother Cato").aim == "full"
    do(game, "shoot", 90, target="Warlord Gharn")
    assert unit_named(game, "Brother Cato").aim == "none"


@pytest.mark.clause("DW-ACT-AIM", "DW-EVA-1", "DW-OVER-4")
def test_a_reaction_costs_the_aim_and_the_watch_and_there_is_one_a_round():
    game = battle([CATO, fighter("Brother Rurik", 3, 0)], [GHARN])
    do(game, "aim", aim="full")
    pass_to(game, "Brother Rurik")
    pass_to(game, "Warlord Gharn")
    do(game, "shoot", 10, "dodge", 99, 1, target="Brother Cato", weapon="Autopistol")
    cato = unit_named(game, "Brother Cato")
    assert (cato.aim, cato.reactions_used) == ("none", 1)
    game.push("end_turn")
    assert unit_named(game, "Brother Cato").reactions_used == 0  # a new round


@pytest.mark.clause("DW-ACT-BRACE-HEAVY-WEAPON", "DW-SUMM-HEAVY_WEAPON_UNBRACED")
def test_a_heavy_weapon_fires_well_only_when_braced_and_moving_ends_that():
    game = battle([ILARIO], [GHARN])
    loose = game.odds("shoot", target="Warlord Gharn", mode="full").odds("hits").at_least(1)
    do(game, "brace")
    pass_to(game, "Brother Ilario")
    firm = game.odds("shoot", target="Warlord Gharn", mode="full").odds("hits").at_least(1)
    assert firm - loose == Fraction(92 - 62, 100)
    do(game, "move", x=0, y=1)
    assert not unit_named(game, "Brother Ilario").weapon_named(HEAVY).braced


@pytest.mark.clause("DW-ACT-CALLED-SHOT")
def test_a_called_shot_lands_where_it_was_called():
    game = battle([CATO], [GHARN])
    told = do(game, "shoot", 12, "none", 1, 2, 3, target="Warlord Gharn", called="head")
    assert any("on the head" in text for text in told)
    assert unit_named(game, "Brother Cato").done.actions == ("Called Shot",)


@pytest.mark.clause("DW-AUTO-3")
def test_extra_hits_may_go_to_units_close_to_the_first():
    two = [SKARR, fighter("Raider", 1, 21, name="Murn"), fighter("Raider", 9, 20, name="Dagg")]
    game = battle([CATO], two)
    # 11: arm, arm, body, head; the second and fourth go to Murn
    dice = (11, "Murn", "Skarr", "Murn", 9, 9, 9, 9, 9, 9)  # both are dead after one hit each
    do(game, "shoot", *dice, target="Skarr", mode="full", others=["Murn"])
    assert unit_named(game, "Skarr").is_dead
    assert unit_named(game, "Murn").is_dead
    assert not unit_named(game, "Dagg").is_dead


@pytest.mark.clause("DW-QUAL-FLAME", "DW-COND-FIRE", "DW-HORDE-12")
def test_flames_strike_all_units_in_the_arc_and_a_mob_by_a_die():
    game = battle([ANSELM], [fighter("Warlord Gharn", 0, 10), fighter("Raider", 9, 10, name="Aside"), mob(x=1, y=14)])
    before = crowd(game).magnitude
    flames = (88, 50, 9, 9, 88)  # not dodged, on the body, 9 + 9, and he catches fire
    on_the_mob = (3, *((9, 9) * 8))
    do(game, "flame", *flames, *on_the_mob, target="Warlord Gharn")
    assert unit_named(game, "Warlord Gharn").conditions.on_fire
    assert (before - crowd(game).magnitude, unit_named(game, "Aside").health) == (8, 10)
    assert (
        unit_named(game, "Brother Anselm").weapon_named(FLAMER).clip
        == unit_named(game, "Brother Anselm").weapon_named(FLAMER).profile.clip - 1
    )
    pass_to(game, "Brother Anselm")
    do(game, "move", x=0, y=-9, pace="full")
    pass_to(game, "Brother Anselm")
    do(game, "move", x=0, y=-14)
    refused(game, "flame", "DW-QUAL-FLAME", "cannot reach 24 m; it reaches 20 m", target="Warlord Gharn")


@pytest.mark.clause("DW-QUAL-BLAST", "DW-SCAT-1", "DW-SCAT-2", "DW-HORDE-11")
def test_a_blast_strikes_friend_and_foe_and_scatters_when_it_misses():
    gunner = fighter("Brother Ilario", name="Gunner", weapons=["Astartes Missile Launcher (Soundstrike)"])
    foes = [SKARR, fighter("Raider", 3, 20, name="Near"), fighter("Raider", 0, 30, name="Back")]
    game = battle([gunner, fighter("Brother Cato", 0, 16)], foes)
    assert unit_named(game, "Gunner").weapons[0].loaded == "Frag missile"
    # a hit: Skarr by the roll; Cato, who does not dodge, and Near at random places
    do(game, "blast", 11, "none", 50, 9, 9, 9, 9, 50, 9, 9, target="Skarr")
    assert unit_named(game, "Skarr").is_dead
    assert unit_named(game, "Near").is_dead
    assert (unit_named(game, "Back").health, unit_named(game, "Brother Cato").health) == (10, 17)
    refused(game, "blast", "DW-ECON-2", "same Half Action twice", target="Back")
    pass_to(game, "Gunner")
    # a miss at the ground: back and left (7) by five metres, and nobody is there
    do(game, "blast", 90, 7, 5, x=0, y=40)
    assert unit_named(game, "Back").health == 10
    pass_to(game, "Gunner")
    # a miss at the ground: straight on (2) by four metres, which is where Back stands
    do(game, "blast", 90, 2, 4, 50, 9, 9, x=0, y=26)
    assert unit_named(game, "Back").is_dead
    assert unit_named(game, "Gunner").weapons[0].clip == 5


@pytest.mark.clause("DW-HORDE-11", "DW-HORDE-4", "DW-QUAL-DEVASTATING", "DW-HORDE-2")
def test_a_blast_on_a_mob_counts_many_times():
    gunner = fighter("Brother Ilario", weapons=["Astartes Missile Launcher (Soundstrike)"])
    game = battle([gunner], [mob(y=20)])
    do(game, "blast", 11, *((9, 9) * 7), target="Raider mob")
    assert crowd(game).magnitude == 23
    assert crowd(game).lost_since == 7


@pytest.mark.clause("DW-COND-COHESION", "DW-QUAL-DEVASTATING", "DW-RWEP-24", "DW-ACT-RELOAD")
def test_a_devastating_hit_costs_the_squad_cohesion_and_launchers_change_their_rounds():
    launcher, talents = "Astartes Missile Launcher (Soundstrike)", ["Launcher training", "Heavy training"]
    gunner = fighter("Warlord Gharn", y=30, weapons=[launcher], talents=talents)
    game = battle([CATO, fighter("Brother Rurik", 20, 0)], [gunner], cohesion=5)
    pass_to(game, "Warlord Gharn")
    do(game, "blast", 1, "none", 1, 1, target="Brother Cato")
    assert dict(state(game).cohesion)["Vesper"] == 4
    pass_to(game, "Warlord Gharn")
    with pytest.raises(BadInput, match="Krak missile"):
        game.refusal("reload", ammunition="Crack missile")
    do(game, "reload", ammunition="krak missile")
    assert (unit_named(game, "Warlord Gharn").weapons[0].loaded, unit_named(game, "Warlord Gharn").weapons[0].clip) == (
        "Krak missile",
        8,
    )


@pytest.mark.clause("DW-SUPP-1", "DW-SUPP-2", "DW-SUPP-3", "DW-PIN-1", "DW-HORDE-9")
def test_suppressing_fire_pins_all_units_in_the_area():
    foes = [SKARR, fighter("Warlord Gharn", 1, 25), fighter("Raider", 40, 0, name="Aside"), mob(x=2, y=30)]
    game = battle([CATO], foes)
    # 48 - 20 = 28: a 5 is two hits more; one goes to Skarr (1), one to Gharn (2), who may dodge
    dice = (5, 1, 2, 50, 1, 1, 1, "none", 50, 1, 1, 1)
    do(game, "suppress", *dice, 9, 26, 39, target="Skarr")
    assert not unit_named(game, "Skarr").is_dead  # it did not get through
    assert [unit_named(game, name).conditions.pinned for name in ("Skarr", "Warlord Gharn", "Aside")] == [
        True,
        True,
        False,
    ]
    assert crowd(game).pinned  # 28 + 30 - 20 = 38
    assert unit_named(game, "Brother Cato").weapon_named(GODWYN).clip == 24
    pass_to(game, "Skarr")
    refused(game, "shoot", "DW-PIN-1", "pinned in the open", target="Brother Cato")
    refused(game, "move", "DW-PIN-1", "behind cover", x=3, y=20)
    refused(game, "run", "DW-PIN-1", x=0, y=30)
    do(game, "move", x=3, y=20, cover="8")
    refused(game, "shoot", "DW-PIN-1", "one Half Action only", target="Brother Cato")


@pytest.mark.clause("DW-SUPP-1", "DW-OVER-2")
def test_the_odds_of_suppressing_fire_are_about_the_unit_it_is_meant_for():
    raiders = [fighter("Raider", 1, 14, name="Skarr"), fighter("Raider", 2, 14, name="Murn")]
    now = battle([CATO, fighter("Brother Teodor", 0, 12)], raiders)
    for target in ("Skarr", "Murn"):
        answer = now.odds("suppress", unit="Brother Cato", target=target)
        assert answer.start.main_target == target
        assert f"damage to {target} on average; {target} dead" in answer.headline


def hailed(bs: int, *theirs: dict[str, Any], **weapon: Any) -> Battle:
    """Cato with a storm bolter before a crowd, a brother among them."""
    return battle(
        [fighter("Brother Cato", bs=bs, weapons=[STORM], **weapon), fighter("Brother Teodor", 0, 12)], [*theirs]
    )


def raiders(number: int) -> list[dict[str, Any]]:
    return [fighter("Raider", at - number // 2, 14 + at % 3, name=f"Raider {at}") for at in range(number)]


@pytest.mark.clause("DW-SUPP-2", "DW-SUPP-3")
@pytest.mark.parametrize(
    ("bs", "theirs"), [(95, [*raiders(5), mob(x=2, y=18)]), (90, [*raiders(2), fighter("Warlord Gharn", 1, 20)])]
)
def test_a_good_gunner_fires_into_a_crowd_as_the_odds_say(bs: int, theirs: list[Any]):
    now, times = hailed(bs, *theirs), 2_000
    answer = now.odds("suppress", unit="Brother Cato", target="Raider 1", budget=Budget())
    assert answer.states.is_exact
    work, tape = answer.start, Quick("crowd")
    plays = []
    for _ in range(times):
        played = work
        for stage in answer.question.procedure(work).stages:
            played = stage(tape, played)
        plays.append(played)
    for measure in answer.measures:
        odds = answer.odds(measure.name)
        came = sum(measure.of(played) for played in plays) / times
        assert abs(came - float(odds.mean)) <= 4.5 * (float(odds.variance) / times) ** 0.5 + 1e-9, measure.name


@pytest.mark.clause("DW-SUPP-3")
def test_fire_on_equal_units_has_the_odds_of_fire_on_each_by_name():
    now = battle([fighter("Brother Cato", bs=35, weapons=[STORM])], raiders(3))
    order = {"unit": "Brother Cato", "target": "Raider 1"}
    answer = now.odds("suppress", order, budget=Budget(), measures=["stunned"])
    plainly = Exact(budget=Budget()).run(answer.question.procedure(answer.start).stages, answer.start)
    assert answer.states.is_exact
    assert plainly.is_exact
    for measure in answer.question.measures:
        assert answer.odds(measure.name) == plainly.project(measure.of), measure.name


@pytest.mark.clause("DW-PIN-2", "DW-PIN-3", "DW-PIN-1")
def test_the_pinned_recover_at_the_end_of_their_turn_or_in_melee():
    game = battle([CATO], [fighter("Raider", 0, 20, name="Skarr", pinned=True), fighter("Raider", 0, 9, name="Dagg")])
    pass_to(game, "Skarr")
    do(game, "drop_prone")
    told = do(game, "end_turn", 59)  # nobody shot at him: 28 + 30 = 58
    assert any("needs 58 or less" in text for text in told)
    assert unit_named(game, "Skarr").conditions.pinned
    pass_to(game, "Brother Cato", seed=3)
    two = battle([fighter("Brother Cato", 0, 0, pinned=True)], [fighter("Raider", 0, 1, name="Dagg")])
    do(two, "end_turn", 99)
    do(two, "strike", 99, target="Brother Cato", weapon="fists")
    assert not unit_named(two, "Brother Cato").conditions.pinned


@pytest.mark.clause("DW-OVER-1", "DW-OVER-2", "DW-OVER-3", "DW-OVER-4", "DW-ACT-OVERWATCH")
def test_overwatch_fires_at_a_unit_that_comes_into_the_zone_and_pins_it():
    game = battle([CATO], [fighter("Raider", 60, 30, name="Skarr"), fighter("Raider", 61, 30, name="Murn")])
    refused(game, "fire_on_watch", "DW-OVER-1", "keeps no overwatch", unit="Brother Cato", target="Skarr")
    do(game, "watch", direction=45)
    game.push("end_turn")
    refused(game, "fire_on_watch", "DW-OVER-2", "has not just come", unit="Brother Cato", target="Skarr")
    told = do(game, "run", x=43, y=30)
    assert "Skarr is in the kill zone of Brother Cato." in told
    # full auto +20, overwatch -20, running -20 and normal range: 28; hit, and Willpower 28 - 20 is 8
    shot = do(game, "fire_on_watch", 28, 1, 1, 1, 9, unit="Brother Cato", target="Skarr")
    assert any("48 becomes 28" in text for text in shot)
    assert unit_named(game, "Skarr").conditions.pinned
    assert unit_named(game, "Brother Cato").overwatch is None
    refused(game, "fire_on_watch", "DW-OVER-1", unit="Brother Cato", target="Skarr")


@pytest.mark.clause("DW-OVER-4", "DW-OVER-1")
def test_overwatch_is_kept_by_waiting_and_ended_by_acting_and_a_ruling_lets_it_hold():
    game = battle([CATO], [fighter("Raider", 60, 30, name="Skarr")], {"overwatch": "holds"})
    do(game, "watch", direction=45)
    pass_to(game, "Brother Cato")
    assert unit_named(game, "Brother Cato").overwatch is not None
    pass_to(game, "Skarr")
    do(game, "run", x=43, y=30)
    do(game, "fire_on_watch", 90, 1, unit="Brother Cato", target="Skarr", mode="semi")
    assert unit_named(game, "Brother Cato").overwatch is not None
    pass_to(game, "Brother Cato")
    do(game, "move", x=1, y=0)
    assert unit_named(game, "Brother Cato").overwatch is None


@pytest.mark.clause("DW-QUAL-OVERHEATS", "DW-QUAL-RECHARGE")
def test_a_weapon_that_overheats_is_dropped_or_burns_and_then_cools():
    hot = {"name": "Hot gun", "kind": "Basic", "range": 60, "damage": "1d10+9", "damage_type": "E", "clip": 9}
    gun = {**hot, "qualities": ["Overheats"]}
    cato = fighter("Brother Cato", weapons=["Hot gun"], arsenal=[gun])
    for choice, dice in (("drop", ()), ("burn", (3, 10))):
        game = battle([cato], [GHARN])
        do(game, "shoot", 91, choice, *dice, target="Warlord Gharn")
        held = unit_named(game, "Brother Cato").weapons[0]
        assert (held.overheated_until, held.dropped_at is not None) == (2, choice == "drop")
        assert unit_named(game, "Brother Cato").health == (21 if choice == "drop" else 18)
        pass_to(game, "Brother Cato")
        if choice == "drop":
            do(game, "ready")
        refused(game, "shoot", "DW-QUAL-OVERHEATS", "too hot in round 2", target="Warlord Gharn")
    slow = fighter("Brother Cato", weapons=["Hot gun"], arsenal=[{**hot, "qualities": ["Recharge"]}])
    game = battle([slow], [GHARN])
    do(game, "shoot", 90, target="Warlord Gharn")
    pass_to(game, "Brother Cato")
    refused(game, "shoot", "DW-QUAL-RECHARGE", "round 3", target="Warlord Gharn")


@pytest.mark.clause("DW-QUAL-SMOKE", "DW-QUAL-HAYWIRE", "DW-QUAL-SNARE")
def test_smoke_fields_and_snares_stay_on_the_field():
    odd = {"name": "Odd gun", "kind": "Pistol", "range": 60, "damage": "1d10", "damage_type": "I", "clip": 9}

    def cato(quality: str) -> dict[str, Any]:
        return fighter("Brother Cato", weapons=["Odd gun"], arsenal=[{**odd, "qualities": [quality]}])

    game = battle([cato("Smoke")], [GHARN])
    clear = game.odds("shoot", target="Warlord Gharn").odds("hits").at_least(1)
    told = do(game, "shoot", 11, "none", 1, 15, 18, target="Warlord Gharn")
    assert any("A smoke screen at (0, 20), 7.5 m about for 18 rounds." in text for text in told)
    pass_to(game, "Brother Cato")
    assert game.odds("shoot", target="Warlord Gharn").odds("hits").at_least(1) == clear - Fraction(2, 10)
    assert state(game).clouds[0].rounds == 17
    game = battle([cato("Haywire (3)")], [GHARN])
    do(game, "shoot", 11, "none", 1, 70, target="Warlord Gharn")
    pass_to(game, "Warlord Gharn")
    refused(game, "shoot", "DW-QUAL-HAYWIRE", "no technology works", target="Brother Cato", weapon="Autopistol")
    pass_to(game, "Brother Cato")
    assert state(game).clouds[0].strength == "major_disruption"
    game = battle([cato("Snare")], [GHARN])
    do(game, "shoot", 11, "none", 1, 99, target="Warlord Gharn")
    assert unit_named(game, "Warlord Gharn").conditions.immobilised
    pass_to(game, "Warlord Gharn")
    refused(game, "move", "DW-QUAL-SNARE", "break free", x=0, y=21)
    do(game, "break_free", "strength", 99)
    pass_to(game, "Warlord Gharn")
    do(game, "break_free", "agility", 1)
    assert not unit_named(game, "Warlord Gharn").conditions.immobilised


@pytest.mark.clause("DW-COVER-1", "DW-DMG-2")
@pytest.mark.parametrize("wears, left", [(False, 16), (True, 15)])
def test_cover_wears_down_where_the_ruling_says_so(wears, left):
    hidden = fighter("Warlord Gharn", 0, 20, cover="16", hidden=["all"])
    game = battle([CATO], [hidden], {"cover_degrades": wears, "critical_track": "by_location"})
    do(game, "shoot", 11, "none", 7, 8, 9, target="Warlord Gharn")
    gharn = unit_named(game, "Warlord Gharn")
    assert (gharn.cover_ap, gharn.health, len(gharn.by_spot)) == (left, 38, 6)


COMBI, MELTA = "Astartes Combi-Weapon", "Astartes Meltagun (Vulkan)"


def with_combi(*barrels: str, **more: Any) -> dict[str, Any]:
    return fighter("Brother Cato", **{"weapons": [COMBI, "Astartes Bolt Pistol"], "barrels": barrels, **more})


@pytest.mark.clause("DW-RWEP-04")
def test_the_second_barrel_of_a_combi_weapon_is_fired_by_its_name_and_has_one_round():
    game = battle([with_combi(MELTA)], [fighter("Warlord Gharn", 0, 9)])
    # a hit on the body: armour 6 is gone by pen 13, TB 10: 2 + 3 + 8 less 10
    told = do(game, "shoot", 13, "none", 2, 3, target="Warlord Gharn", weapon=MELTA)
    assert told[0] == f"Brother Cato attacks Warlord Gharn with {MELTA}"
    assert f"Brother Cato's {MELTA}: 0 of 1 rounds." in told
    assert unit_named(game, "Warlord Gharn").health == 38 - (2 + 3 + 8 - 10)
    cato = unit_named(game, "Brother Cato")
    assert (cato.weapon_named(COMBI).clip, cato.weapon_named(COMBI).fired_round, cato.weapon_named(MELTA).clip) == (
        28,
        0,
        0,
    )
    pass_to(game, "Brother Cato")
    for _ in range(2):
        do(game, "reload", weapon=MELTA)
        pass_to(game, "Brother Cato")
    assert unit_named(game, "Brother Cato").weapon_named(MELTA).clip == 1


@pytest.mark.clause("DW-RWEP-04", "DW-ACT-READY")
def test_both_barrels_of_a_combi_weapon_are_one_weapon_in_the_hands():
    game = battle([with_combi(MELTA)], [fighter("Warlord Gharn", 0, 9)])
    cato = unit_named(game, "Brother Cato")
    assert (cato.free_hands, cato.weapon_named(MELTA).in_hand, cato.weapon_named("Astartes Bolt Pistol").in_hand) == (
        0,
        True,
        False,
    )
    told = do(game, "drop", weapon=COMBI)
    assert [line for line in told if "lies" in line] == [f"Brother Cato's {COMBI} lies on the ground."]
    refused(game, "shoot", "DW-ACT-READY", "not in hand", target="Warlord Gharn", weapon=MELTA)
    do(game, "ready", weapon=MELTA)
    assert all(unit_named(game, "Brother Cato").weapon_named(name).in_hand for name in (COMBI, MELTA))
    game.push("reinforce", like="Brother Cato", name="Brother Otho")
    assert unit_named(game, "Brother Otho").free_hands == 0


def with_smoke(*qualities: str) -> dict[str, Any]:
    gun = {"name": "Smoke gun", "kind": "Pistol", "range": 60, "damage": "1d10", "damage_type": "I", "clip": 9}
    return fighter("Brother Cato", weapons=["Smoke gun"], arsenal=[{**gun, "qualities": ["Smoke", *qualities]}])


@pytest.mark.clause("DW-QUAL-SMOKE", "DW-SCAT-1", "DW-SCAT-2")
def test_smoke_is_laid_on_any_spot_and_drifts_off_it_when_the_shot_misses():
    game = battle([with_smoke()], [GHARN])
    told = do(game, "blast", 11, 15, 18, x=0, y=10)
    assert told[0] == "Brother Cato attacks a place with Smoke gun"
    assert "A smoke screen at (0, 10), 7.5 m about for 18 rounds." in told
    assert unit_named(game, "Brother Cato").weapon_named("Smoke gun").clip == 8
    pass_to(game, "Brother Cato")
    # a miss drifts straight on (2), three metres: Gharn stands in it, and nobody is hurt
    told = do(game, "blast", 95, 2, 3, 12, 5, x=0, y=17)
    assert "A smoke screen at (0, 20), 6 m about for 5 rounds." in told
    assert state(game).smoke_at(unit_named(game, "Warlord Gharn"))
    assert unit_named(game, "Warlord Gharn").health == 38
    pass_to(game, "Brother Cato")
    told = do(game, "blast", 5, 10, 6, x=0, y=10)  # once more at the same place
    assert "A smoke screen at (0, 10), 5 m about for 6 rounds." in told
    assert [(cloud.corners[0].x, cloud.corners[0].y) for cloud in state(game).clouds] == [(0, 10), (0, 20), (0, 10)]
    pass_to(game, "Brother Cato")
    assert not any("screen" in text for text in do(game, "blast", 96, x=0, y=40))  # a jam
    assert unit_named(game, "Brother Cato").weapon_named("Smoke gun").jammed


@pytest.mark.clause("DW-QUAL-SMOKE", "DW-QUAL-BLAST")
def test_a_blast_of_smoke_leaves_one_screen_where_it_lands_even_if_dodged():
    skarr = fighter("Raider", 1, 20, name="Skarr")
    game = battle([with_smoke("Blast (3)")], [GHARN, skarr])
    game.push("blast", target="Warlord Gharn", tape=Said(1, to_hit=11))
    assert [(cloud.corners[0].x, cloud.corners[0].y) for cloud in state(game).clouds] == [(0, 20)]
