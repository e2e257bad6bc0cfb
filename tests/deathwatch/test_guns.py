"""Guns: modes, rounds, reloading, jams, and what stops one from being fired."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from battletape.rulesets.deathwatch import RULESET
from battletape.rulesets.deathwatch.profiles import book
from battletape.rulesets.deathwatch.rules import guns
from battletape.rulesets.deathwatch.rules.traits import Qualities
from battletape.rulesets.deathwatch.rulings import Rulings

BOOK = book.book()
GODWYN, PISTOL, HEAVY = (
    BOOK.find("weapon", name) for name in ("Astartes Bolter (Godwyn)", "Astartes Bolt Pistol", "Astartes Heavy Bolter")
)
STORM_BOLTER, CANNON, AUTO = (
    BOOK.find("weapon", name) for name in ("Astartes Storm Bolter", "Astartes Assault Cannon", "Autopistol")
)
TWIN = replace(HEAVY, qualities=("Twin-Linked",))


@pytest.mark.clause("DW-RWEP-00", "DW-ACT-STANDARD-ATTACK")
def test_a_gun_has_the_modes_of_its_profile():
    assert guns.modes_of(GODWYN) == ("single", "semi", "full")
    assert guns.modes_of(PISTOL) == ("single", "semi")
    assert guns.modes_of(HEAVY) == ("full",)
    assert guns.format_modes(GODWYN) == "single shots or semi-auto (2) or full auto (4)"


@pytest.mark.clause("DW-RWEP-00")
@pytest.mark.parametrize(
    "weapon, mode, why",
    [
        (PISTOL, "full", "Astartes Bolt Pistol has no full auto; single shots or semi-auto (3) would do (DW-RWEP-00)"),
        (HEAVY, "single", "Astartes Heavy Bolter has no single shots; full auto (10) would do (DW-RWEP-00)"),
        (CANNON, "single", "Astartes Assault Cannon has no single shots; full auto (10) would do (DW-RWEP-00)"),
        (AUTO, "semi", "Autopistol has no semi-auto; single shots or full auto (6) would do (DW-RWEP-00)"),
        (BOOK.find("weapon", "Improvised"), "single", "Improvised is for melee and has no fire modes (DW-RWEP-00)"),
    ],
)
def test_a_mode_that_is_not_there_is_refused(weapon, mode, why):
    assert str(guns.refuse_mode(weapon, mode)) == why


@pytest.mark.clause("DW-RWEP-00", "DW-JAM-1")
def test_a_jammed_gun_and_an_empty_clip_are_refused():
    assert guns.refuse_mode(GODWYN, "full", clip=4) is None
    assert str(guns.refuse_mode(GODWYN, "full", clip=3)) == (
        "full auto of Astartes Bolter (Godwyn) needs 4 rounds, the clip holds 3; single shots or semi-auto would do"
        " (DW-RWEP-00)"
    )
    empty = guns.refuse_mode(GODWYN, "single", clip=0)
    assert str(empty).endswith("needs 1 round, the clip holds 0; reload first (DW-RWEP-00)")
    assert "clear it first" in str(guns.refuse_mode(GODWYN, "single", clip=9, jammed=True))
    assert guns.refuse_mode(STORM_BOLTER, "full", 7) is not None
    assert guns.refuse_mode(STORM_BOLTER, "full", 8) is None


@pytest.mark.clause("DW-RWEP-00")
def test_the_ruling_lets_a_burst_take_what_is_left():
    left = Rulings(short_clip="what_is_left")
    assert guns.rof_of(GODWYN, "full", 3, rulings=left) == 3
    assert guns.rof_of(GODWYN, "full", 3) == guns.rof_of(GODWYN, "full") == 4
    assert guns.rof_of(STORM_BOLTER, "full", 5, left) == 2
    assert guns.refuse_mode(GODWYN, "full", clip=3, rulings=left) is None
    assert guns.refuse_mode(GODWYN, "full", clip=0, rulings=left) is not None
    assert guns.refuse_mode(STORM_BOLTER, "full", 1, rulings=left) is not None


@pytest.mark.clause("DW-RWEP-00", "DW-QUAL-STORM", "DW-QUAL-TWIN")
def test_two_barrels_spend_twice_the_rounds_but_not_four_times():
    assert [guns.rounds_used(GODWYN, mode) for mode in ("single", "semi", "full")] == [1, 2, 4]
    assert [guns.rounds_used(STORM_BOLTER, mode) for mode in ("single", "semi", "full")] == [2, 4, 8]
    assert guns.rounds_used(TWIN, "full") == 20
    assert guns.rounds_used(replace(TWIN, qualities=("Storm", "Twin-Linked")), "full") == 20
    bursts_only = Rulings(storm="bursts_only")
    assert [guns.rounds_used(STORM_BOLTER, mode, rulings=bursts_only) for mode in ("single", "full")] == [1, 8]


@pytest.mark.clause("DW-QUAL-RECHARGE")
def test_a_charging_weapon_fires_every_other_round():
    charging = replace(GODWYN, qualities=("Recharge",))
    fired = guns.Gun(fired_round=3)
    may = [guns.refuse_state(charging, number, fired) is None for number in (3, 4, 5, 6)]
    assert may == [False, False, True, True]
    assert guns.refuse_state(GODWYN, 4, fired) is None
    refused = guns.refuse_state(charging, 4, fired)
    assert "it can be fired again in round 5 (DW-QUAL-RECHARGE)" in str(refused)
    assert guns.refuse_state(charging, 5, fired) is None


@pytest.mark.clause("DW-ACT-READY", "DW-QUAL-OVERHEATS")
def test_a_weapon_must_be_whole_in_hand_and_cool():
    assert guns.refuse_state(GODWYN, 1) is None
    assert "ready it first, a Half Action (DW-ACT-READY)" in str(guns.refuse_state(GODWYN, 1, ready=False))
    assert "use another weapon" in str(guns.refuse_state(GODWYN, 1, destroyed=True))
    assert "from round 3 on (DW-QUAL-OVERHEATS)" in str(guns.refuse_state(GODWYN, 2, guns.Gun(overheated_until=2)))
    assert guns.refuse_state(GODWYN, 3, guns.Gun(overheated_until=2)) is None


@pytest.mark.clause("DW-ACT-CALLED-SHOT")
def test_a_place_is_called_with_a_single_shot_only():
    assert guns.refuse_called("single") is None
    assert str(guns.refuse_called("full")) == "a called shot is one single shot; got full auto (DW-ACT-CALLED-SHOT)"
    assert "flames cannot" in str(guns.refuse_called("single", flame=True))
    assert "a blast cannot" in str(guns.refuse_called("single", blast=True))


@pytest.mark.clause("DW-AUTO-3")
def test_extra_hits_go_two_metres_far():
    assert [guns.refuse_allocation(metres) is None for metres in (0, 1.5, 2, 2.5)] == [True, True, True, False]
    assert "this one is 2.5 m away (DW-AUTO-3)" in str(guns.refuse_allocation(2.5))


@pytest.mark.clause("DW-ACT-AIM")
def test_what_an_aim_adds():
    plain = RULESET.ask("shoot", mode="single").start.spec.target
    for aim, bonus in (("none", 0), ("half", 10), ("full", 20)):
        assert RULESET.ask("shoot", mode="single", aim=aim).start.spec.target == plain + bonus


@pytest.mark.clause("DW-ACT-BRACE-HEAVY-WEAPON")
def test_heavy_weapons_need_bracing():
    assert [guns.needs_bracing(one) for one in (HEAVY, GODWYN, CANNON)] == [True, False, False]
    assert not guns.needs_bracing(HEAVY, no_bracing=True)


@pytest.mark.clause("DW-ACT-RELOAD", "DW-QUAL-TWIN")
def test_reloading_takes_full_actions():
    assert [guns.reload_actions(5), guns.reload_actions(2), guns.reload_actions(2, Qualities(twin_linked=True))] == [
        5,
        2,
        4,
    ]


@pytest.mark.clause("DW-ACT-RELOAD")
def test_a_full_clip_is_not_reloaded():
    assert guns.refuse_reload(27, 28) is None
    assert str(guns.refuse_reload(28, 28, "the bolter")) == (
        "the bolter holds 28 of 28 rounds already; reload it when rounds are gone (DW-ACT-RELOAD)"
    )


@pytest.mark.clause("DW-JAM-2")
def test_clearing_a_jam_loses_the_clip_unless_the_ruling_keeps_it():
    jammed = guns.Gun(clip=20, jammed=True)
    assert guns.clear_jam(jammed, True) == guns.Gun(clip=0)
    assert guns.clear_jam(jammed, False) == jammed
    assert guns.clear_jam(jammed, True, empties=False) == guns.Gun(clip=20)


@pytest.mark.clause("DW-JAM-2")
def test_attempts_to_clear_a_jam():
    def needed(**given):
        return RULESET.ask("shoot", bs=45, shots=2, mode="single", **given).start.fire_plan.clear_target

    assert needed() == needed(aim="full", modifier=30, pinned=True) == 45  # what modifies the shot does not count
    assert needed(fatigue=2) == 35
    assert needed(fatigue=2, fatigue_penalty="per_level") == 25
    assert RULESET.ask("duel", a_skill=45, a_mode="single").start.a.fire_plan.clear_target == 45
