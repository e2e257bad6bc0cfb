"""One attack asked about and fought: question and battle give the same fractions."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from battletape.answer import Answer
from battletape.errors import Refused
from battletape.rulesets.deathwatch import RULESET
from tests.deathwatch.battles import battle, do, fighter, mob, pass_to, unit_named

TEODOR, SWORD = fighter("Brother Teodor"), "Astartes Chainsword"
STUNNED = {"stunned": True}  # so that nobody reacts


def raider(y: float = 1, **more: Any) -> dict[str, Any]:
    return fighter("Raider", 0, y, name="Skarr", stunned=2, **more)


def equal(asked: Answer, fought: Answer, *measures: str) -> None:
    for name in measures or ("damage", "hits", "dead"):
        assert asked.odds(name).fractions() == fought.odds(name).fractions(), name


@pytest.mark.clause("DW-COVER-1")
@pytest.mark.parametrize("hidden", [(), ("body", "legs")])
def test_cover_counts_in_melee(hidden: tuple[str, ...]):
    given: dict[str, Any] = {"attacker": "Brother Teodor", "weapon": SWORD, "target": "Raider", **STUNNED}
    behind = RULESET.ask("fight", **given, cover="6", hidden=hidden)
    game = battle([TEODOR], [raider(cover="6", hidden=hidden)])
    equal(behind, game.odds("strike", target="Skarr"))
    assert behind.odds("damage").mean < RULESET.ask("fight", **given).odds("damage").mean


@pytest.mark.clause("DW-COVER-1", "DW-HORDE-15")
def test_cover_counts_against_the_blows_of_a_horde():
    asked = RULESET.ask("horde_attacks", horde="Raider mob", attack="melee", target="Brother Cato", cover="6")
    game = battle([fighter("Brother Cato", cover="6")], [mob(y=1, initiative=39)])
    equal(asked, game.odds("horde_strikes", target="Brother Cato"), "damage", "dead")


@pytest.mark.clause("DW-SUMM-SHOOT_COMPLETELY_CONCEALED", "DW-COVER-1")
def test_cover_hides_every_place_of_a_target_that_is_concealed():
    row = {"situations": ["shoot_completely_concealed"]}
    behind: dict[str, Any] = {"cover": "16", "hidden": ["legs"]}
    given: dict[str, Any] = {"attacker": "Brother Cato", "target": "Raider", "distance": 20, "mode": "full", **STUNNED}
    game = battle([fighter("Brother Cato")], [raider(20, **behind), fighter("Raider", 0, 21, **behind)])
    order: dict[str, Any] = {"target": "Skarr", "mode": "full"}
    equal(RULESET.ask("shoot", **given, **behind, **row), game.odds("shoot", **order, **row))
    equal(RULESET.ask("shoot", **given, **behind), game.odds("shoot", **order))
    blow = game.odds("shoot", **order, **row, others=["Raider"]).start.later_attacks[0]
    covers = [spec.defender.cover for spec in (blow.spec, blow.shared_with[0].spec)]
    assert covers == [(16,) * 6, (0, 0, 0, 0, 16, 16)]  # the row is about the target alone


SCATTERS = {"name": "Scattergun", "kind": "Basic", "range": 30, "semi": 3, "damage": "1d10+4", "clip": 8}


@pytest.mark.clause("DW-SUPP-2", "DW-QUAL-SCATTER", "DW-RWEP-00")
@pytest.mark.parametrize(
    "rulings",
    [{}, {"suppressing_modifiers": "all"}, {"short_clip": "what_is_left"}],
    ids=["own state", "range as well", "a short clip"],
)
def test_suppressing_fire_has_a_band_only_where_range_counts(rulings: dict[str, Any]):
    gun = {**SCATTERS, "clip": 2 if "short_clip" in rulings else 8, "qualities": ["Scatter"]}
    shooter = fighter(
        "Brother Cato", bs=100, weapons=["Scattergun"], arsenal=[gun], talents=["Astartes Weapon Training"]
    )
    game = battle([shooter], [fighter("Raider", 0, 1, name="Skarr")], rulings)
    given = {name: value for name, value in gun.items() if name != "name"}
    asked = RULESET.ask("suppress", bs=100, **given, full=0, number=1, willpower=28, distance=1, **rulings)
    equal(asked, game.odds("suppress", target="Skarr"), "hits", "jammed")
    most = {"suppressing_modifiers": 8, "short_clip": 2}.get(next(iter(rulings), ""), 3)
    assert max(asked.odds("hits").fractions()) == most


@pytest.mark.clause("DW-TWOW-2", "DW-QUAL-SCATTER", "DW-COND-ENGAGED")
def test_a_pistol_in_melee_is_fired_at_point_blank():
    pistol = {**SCATTERS, "name": "Scatter pistol", "kind": "Pistol", "qualities": ["Scatter"]}
    talents = ["Two Weapon Wielder", "Astartes Weapon Training"]
    both = {"weapons": ["Improvised", "Scatter pistol"], "arsenal": [pistol], "talents": talents}
    game = battle([fighter("Brother Teodor", **both)], [raider(armour=[], wounds=200)])
    do(game, "strike", 99, target="Skarr")
    pass_to(game, "Brother Teodor")
    given: dict[str, Any] = {"attacker": "Brother Teodor", "weapon": "Improvised", "target": "Raider", "wounds": 200}
    second: dict[str, Any] = {"gun2": True, "skill2": 40, "damage2": "1d10+4", "damage_type2": "I", "pen2": 0}
    given |= {**second, "qualities2": ["Scatter"], "talents": talents, "armour": (), **STUNNED}
    order: dict[str, Any] = {"weapon": "Improvised", "weapon2": "Scatter pistol", "how": "two_weapons"}
    asked = RULESET.ask("fight", **given, action="two_weapons")
    equal(asked, game.odds("strike", target="Skarr", **order))
    assert asked.odds("hits").at_least(3) > 0


@pytest.mark.clause("DW-QUAL-STORM", "DW-QUAL-TWIN", "DW-RWEP-00")
@pytest.mark.parametrize("qualities", [["Storm"], ["Twin-linked"], ["Storm", "Twin-linked"], ["Scatter"]])
@pytest.mark.parametrize("storm", ["every_mode", "bursts_only"])
def test_the_rounds_that_are_told_are_those_that_are_gone(qualities: list[str], storm: str):
    gun = {**SCATTERS, "full": 4, "clip": 30, "qualities": qualities}
    for mode in ("single", "semi", "full"):
        game = battle([fighter("Brother Cato", weapons=["Scattergun"], arsenal=[gun])], [raider(20)], {"storm": storm})
        asked = RULESET.ask("shoot", semi=3, full=4, qualities=qualities, mode=mode, storm=storm)
        do(game, "shoot", 99, target="Skarr", mode=mode)
        assert asked.odds("rounds").fractions() == {30 - unit_named(game, "Brother Cato").weapons[0].clip: 1}


@pytest.mark.clause("DW-UNARM-1", "DW-ACT-MULTIPLE-ATTACKS", "DW-ACT-STUN", "DW-UNTR-1")
@pytest.mark.parametrize(
    "action, more",
    [
        *((name, {}) for name in ("standard", "all_out", "guarded", "stun", "swift", "lightning", "unarmed")),
        ("standard", {"off_hand": True}),
        ("standard", {"trained": False}),
        ("unarmed", {"trained": False}),  # nobody learns to use bare hands
        ("called", {"called": "head"}),
    ],
)
def test_every_blow_is_the_same(action: str, more: dict[str, Any]):
    talents = ["Lightning Attack", "Swift Attack", "Astartes Weapon Training"]
    game = battle([fighter("Brother Teodor", talents=talents)], [raider(wounds=60, kind="character")])
    order = {**more, "trained": "no" if "trained" in more else "talents"}
    given: dict[str, Any] = {"attacker": "Brother Teodor", "weapon": SWORD, "target": "Raider", "wounds": 60}
    asked = RULESET.ask("fight", **given, **STUNNED, talents=talents, minion=False, action=action, **more)
    fought = game.odds("strike", target="Skarr", how=action, **order)
    equal(asked, fought, "hits", *(() if action == "stun" else ("damage", "dead")))
    if action == "stun":
        more_rounds = asked.odds("stunned_rounds").project(lambda rounds: max(0, rounds - 2))  # than those of before
        assert more_rounds.fractions() == fought.odds("stunned").fractions()


@pytest.mark.clause("DW-ACT-KNOCK-DOWN", "DW-ACT-MANOEUVRE", "DW-ACT-GRAPPLE")
@pytest.mark.parametrize("what", ["knock_down", "manoeuvre", "grapple"])
def test_every_trial_is_the_same(what: str):
    game = battle([TEODOR], [raider()])
    asked = RULESET.ask("fight", attacker="Brother Teodor", target="Raider", **STUNNED, action=what)
    if what != "grapple":
        fought = game.odds("contest", target="Skarr", what=what)
    else:
        do(game, "strike", 10, 1, target="Skarr", how="grapple")
        pass_to(game, "Brother Teodor")
        fought = game.odds("grapple", what="damage")
    equal(asked, fought, "won", "thrown_down", "attacker_prone")


@pytest.mark.clause("DW-HORDE-15", "DW-UNARM-1")
@pytest.mark.parametrize("crowd", ["Drilled guard", "Raider mob"])
@pytest.mark.parametrize("attack", ["melee", "shoot"])
def test_a_horde_attacks_with_the_same_weapon_asked_or_fought(crowd: str, attack: str):
    near = 1 if attack == "melee" else 40
    game = battle([mob(crowd, initiative=39)], [fighter("Brother Anselm", 0, near)])
    action = "horde_strikes" if attack == "melee" else "horde_shoots"
    asked = RULESET.ask("horde_attacks", horde=crowd, attack=attack, target="Brother Anselm", distance=near)
    fought = game.odds(action, target="Brother Anselm")
    assert fought.start.later_attacks[0].weapon == asked.inputs.weapon
    equal(asked, fought, "damage", "dead")


@pytest.mark.clause("DW-HORDE-15", "DW-UNARM-1")
def test_bare_hands_of_a_horde_are_told():
    guard: dict[str, Any] = {"horde": "Drilled guard", "attack": "melee", "target": "Brother Anselm"}
    asked = RULESET.ask("horde_attacks", **guard)
    assert (asked.inputs.weapon, asked.inputs.damage) == ("fists", "1d10-3")
    assert any("strikes with bare hands" in said for said in asked.warnings)
    assert asked.odds("hits").chance(1) == Fraction(20, 100)  # Weapon Skill 30, -10 for bare hands
    # 3d10-3 and the Strength bonus of 3, against twice the armour and a toughness bonus of 8
    assert RULESET.ask("horde_attacks", **guard, head=0, arm=0, body=0, leg=0).odds("damage").chance(22) > 0
    assert RULESET.ask("horde_attacks", **guard, head=0, arm=0, body=0, leg=0).odds("damage").chance(23) == 0
    assert RULESET.ask("horde_attacks", **guard, head=2, arm=2, body=2, leg=2).odds("damage").chance(18) > 0
    assert RULESET.ask("horde_attacks", **guard, head=2, arm=2, body=2, leg=2).odds("damage").chance(19) == 0
    game = battle([mob(initiative=39, weapons=["Improvised"])], [fighter("Brother Anselm", 0, 9)])
    with pytest.raises(Refused, match="has no guns"):
        game.push("horde_shoots", target="Brother Anselm")


@pytest.mark.clause("DW-UNARM-1", "DW-UNARM-2", "DW-UNARM-3")
@pytest.mark.parametrize("fists", ["fists", "Fists", " bare hands"])
def test_fists_are_bare_hands_at_every_door(fists: str):
    given: dict[str, Any] = {"attacker": "Brother Teodor", "target": "Raider", **STUNNED}
    bare = RULESET.ask("fight", **given, action="unarmed")
    named = RULESET.ask("fight", **given, weapon=fists)
    assert (named.inputs.weapon, named.inputs.damage) == ("fists", "1d5-3")
    equal(bare, named, "damage", "hits", "dead", "tired")
    equal(named, battle([TEODOR], [raider()]).odds("strike", target="Skarr", weapon=fists))
    crowd = RULESET.ask("horde", attacker="Brother Teodor", horde="Raider mob", weapon=fists)
    assert crowd.inputs.attack == "melee"
    against = battle([TEODOR], [mob(y=1)]).odds("strike", target="Raider mob", weapon=fists)
    assert crowd.odds("lost").fractions() == against.odds("damage").fractions()
    assert RULESET.ask("duel", a_weapon=fists).inputs.a_damage == "1d5-3"
    assert RULESET.ask("hit", weapon=fists).inputs.damage == "1d5-3"
    with pytest.raises(Refused, match="needs a gun"):
        RULESET.ask("shoot", weapon=fists)
    with pytest.raises(Refused, match="do not parry"):
        RULESET.ask("fight", parry=40, parry_with=fists)


@pytest.mark.clause("DW-UNARM-1")
def test_a_fighter_without_a_blade_strikes_with_bare_hands():
    gunner = fighter("Brother Teodor", weapons=["Astartes Bolter (Godwyn)"])
    fought = battle([gunner], [raider()]).odds("strike", target="Skarr")
    assert fought.start.later_attacks[0].weapon == "fists"
    asked = RULESET.ask("fight", attacker="Brother Ilario", target="Raider", **STUNNED)
    assert asked.inputs.weapon == "fists"
    equal(asked, battle([fighter("Brother Ilario")], [raider()]).odds("strike", target="Skarr"))


@pytest.mark.clause("DW-RWEP-00", "DW-UNARM-1")
def test_no_weapon_is_lent_in_silence(tmp_path: Any):
    own = tmp_path / "own.toml"
    own.write_text(
        '[[character]]\nname = "Monk"\n[[character]]\nname = "Duellist"\nweapons = ["Astartes Combat Knife"]\n'
    )
    card = RULESET.with_profiles(str(own))
    for question in ("shoot", "fire_mode", "suppress"):
        with pytest.raises(Refused, match="Monk carries no gun"):
            card.ask(question, attacker="Monk")
    assert card.ask("shoot", attacker="Monk", damage="1d10+1").inputs.weapon == ""
    assert card.ask("fight", attacker="Monk").inputs.weapon == "fists"
    assert card.ask("duel", a_profile="Monk", b_profile="Duellist").inputs.a_weapon == "fists"
