"""The log of a battle: why reactions are missing, each hit with its sum and critical row, pinned units."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from battletape.battle import Battle
from battletape.rulesets.deathwatch import RULESET
from battletape.tape.story import Line
from tests.deathwatch.battles import Said, battle, crowd, do, fighter, mob, pass_to, refused, state, unit_named

CATO = fighter("Brother Cato")
RURIK = fighter("Brother Rurik", 3, 0, weapons=["Astartes Bolter (Godwyn)"])
TEODOR = fighter("Brother Teodor", 0, 20)
GHARN = fighter("Warlord Gharn", 0, 1)
BURNING = fighter("Raider", 0, 30, name="Skarr", on_fire=True, wounds=40)
SKARR = fighter("Raider", 0, 20, name="Skarr")


def lines(played: Battle, number: int = -1) -> tuple[Line, ...]:
    return played.move_record(len(played.record.moves) if number < 0 else number).lines


def cited(one, text: str) -> tuple[str, ...]:
    return next(line.clauses for line in lines(one) if text in line.text)


# --- reactions --------------------------------------------------------------------------------------------------------


@pytest.mark.clause("DW-EVA-1", "DW-ACT-DODGE", "DW-ACT-PARRY")
def test_the_log_says_why_a_second_reaction_is_not_offered():
    game = battle([CATO, RURIK], [TEODOR])
    do(game, "shoot", 12, "dodge", 20, target="Brother Teodor")
    used = "is a Reaction, and there is one Reaction a round: 1 used"
    pass_to(game, "Brother Rurik")
    said = do(game, "shoot", 12, 1, 1, 1, target="Brother Teodor")
    assert f"Brother Teodor has no reaction: a dodge {used}, wait for the next round" in said
    assert cited(game, "has no reaction") == ("DW-EVA-1",)


@pytest.mark.clause("DW-STUN-1")
def test_the_log_says_why_a_stunned_fighter_does_not_react():
    game = battle([CATO], [fighter("Raider", 0, 20, name="Skarr", stunned=2), mob(y=30)])
    said = do(game, "shoot", 12, 1, 1, 1, target="Skarr")
    assert "Skarr has no reaction: a stunned fighter cannot dodge" in said


@pytest.mark.clause("DW-EVA-1", "DW-ACT-MULTIPLE-ATTACKS")
def test_the_second_blow_of_an_action_meets_no_reaction_if_the_first_used_it():
    game = battle([fighter("Warlord Gharn", 0, 1)], [fighter("Brother Teodor")])
    move = game.push("strike", how="swift", target="Brother Teodor", tape=Said(3, to_hit=[12, 12], reaction=["dodge"]))
    said = [line.text for line in game.move_record(move.number).lines]
    assert sum("reaction by" in text for text in said) == 1
    assert any("has no reaction: a dodge or parry is a Reaction" in text for text in said)


@pytest.mark.clause("DW-EVA-1", "DW-EVA-2", "DW-EVA-3", "DW-AUTO-3")
def test_dice_of_reactions_cite_the_clause_of_the_reaction():
    game = battle([CATO], [TEODOR])
    do(game, "shoot", 12, "dodge", 20, target="Brother Teodor")
    assert cited(game, "reaction by") == ("DW-EVA-1",)
    assert cited(game, "dodge (needs") == ("DW-EVA-2",)
    game = battle([fighter("Brother Teodor")], [GHARN])
    game.push("strike", target="Warlord Gharn", tape=Said(1, to_hit=12, reaction="parry", parry=1, power_field=99))
    assert cited(game, "reaction by") == ("DW-EVA-1",)
    assert cited(game, "parry (needs") == ("DW-EVA-3",)
    burst = battle([CATO], [SKARR, fighter("Raider", 1, 20, name="Murn")])
    given = {"target_of_hit_2": "Murn", "target_of_hit_3": "Skarr"}
    burst.push("shoot", target="Skarr", mode="full", others=["Murn"], tape=Said(2, to_hit=52, **given))
    assert cited(burst, "target of hit 2 by Vesper: Murn") == ("DW-AUTO-3",)


# --- hits -------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("DW-DMG-3", "DW-CRIT-2", "DW-DMG-2")
def test_each_hit_shows_its_sum_and_the_critical_row_it_reached():
    game = battle([CATO], [fighter("Warlord Gharn", 0, 20, damage_taken=30, wounds=30)])
    # to hit 12: the left arm, AP 6 - 5, TB 10; 7 + 8 + 5 = 20, so 9 get through: row 9 kills
    said = do(game, "shoot", 12, "none", 7, 8, 2, target="Warlord Gharn")
    assert "Warlord Gharn: 15 + 5 = 20 on the left arm, less 11 (AP 6, penetration 5, TB 10): 9 through" in said
    row = next(line for line in lines(game) if line.text.startswith("Warlord Gharn: Explosive, left arm, row 9: "))
    assert row.clauses == ("DW-CRIT-2",)
    assert "dead" in row.text
    assert unit_named(game, "Warlord Gharn").is_dead


@pytest.mark.clause("DW-DMG-3", "DW-HORDE-3", "DW-RF-1")
def test_hits_on_a_mob_stand_in_a_line_and_fury_is_added():
    game = battle([CATO], [mob(y=20), SKARR])
    said = do(game, "shoot", 80, 1, 1, 1, 1, 1, 1, target="Raider mob")
    assert sum(text.startswith("Raider mob: 2 + 5 = 7, less ") for text in said) == 2
    furious = Said(1, to_hit=10, damage=[(10, 3, 2)], confirm=1, righteous_fury=4)
    roll = RULESET.roll("shoot", tape=furious, mode="single", fury="confirm")
    assert any(line.text.startswith("13 + 5 + 4 = 22 on the head, less ") for line in roll.log)


# --- pinning ----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("DW-HORDE-9", "DW-HPIPE-1", "DW-PIPE-1")
def test_a_mob_tests_with_what_is_left_of_it_and_the_dead_do_not_test():
    game = battle([CATO], [mob(y=20), fighter("Raider", 40, 0, name="Aside")])
    # 28 + 20: two hits and one more for explosions, each takes one; Willpower 28 - 20 + 27 = 35
    game.push(
        "suppress", target="Raider mob", tape=Said(1, to_hit=1, damage=[(9, 9, 9)] * 9, **{"willpower_(pinned)": 36})
    )
    left = crowd(game).magnitude
    need = next(line for line in lines(game) if "willpower (pinned)" in line.text)
    assert left < 30
    assert need.needed == f"{28 - 20 + left} or less"
    assert crowd(game).pinned
    game = battle([CATO], [SKARR, fighter("Raider", 40, 0, name="Aside")])
    game.push("suppress", target="Skarr", tape=Said(1, to_hit=1, damage=[(9, 9, 9)] * 9, location=[50] * 4))
    assert unit_named(game, "Skarr").is_dead
    assert not any("willpower" in line.text for line in lines(game))


@pytest.mark.clause("DW-HORDE-9", "DW-OVER-3")
def test_the_odds_of_pinning_a_mob_know_what_the_burst_takes():
    game = battle([fighter("Brother Cato", weapons=["Autogun"])], [mob(y=20, magnitude=12, toughness=60, ap=0), SKARR])
    do(game, "watch", direction=0)
    pass_to(game, "Raider mob")
    do(game, "move", x=0, y=18)
    answer = game.odds("fire_on_watch", unit="Brother Cato", target="Raider mob", mode="semi", trained="yes")
    # by brute force: 48 + 10 (semi) - 20 (overwatch) + 10 (short) + 10 (size) = 58; 1d10+3 against TB 6
    chance = Fraction(0)
    hurts = Fraction(7, 10)
    for roll in range(1, 101):
        hits = 0 if roll > 58 or roll >= 94 else min(3, 1 + (58 - roll) // 10 // 2)
        for found in product((0, 1), repeat=hits):
            weight = hurts ** sum(found) * (1 - hurts) ** (hits - sum(found))
            chance += Fraction(1, 100) * weight * Fraction(100 - (28 - 20 + 12 - sum(found)), 100)
    assert answer.odds("pinned").chance(1) == chance


# --- what else is said ------------------------------------------------------------------------------------------------


@pytest.mark.clause("DW-FAT-1")
def test_a_fighter_with_too_much_fatigue_at_the_start_is_unconscious():
    game = battle([CATO], [fighter("Raider", 0, 20, name="Skarr", fatigue=4), fighter("Raider", 0, 25, name="Murn")])
    skarr = unit_named(game, "Skarr").conditions
    assert (skarr.fatigue, skarr.unconscious, skarr.prone) == (4, 7, True)  # TB 3: 10 - 3 minutes
    assert unit_named(game, "Skarr").is_out
    pass_to(game, "Skarr")
    refused(game, "aim", "DW-FAT-1", "unconscious")
    tough = battle([CATO], [fighter("Warlord Gharn", 0, 20, fatigue=11)])  # TB 10: no minutes, he loses a turn
    gharn = unit_named(tough, "Warlord Gharn").conditions
    assert (gharn.fatigue, gharn.unconscious, gharn.stunned, gharn.prone) == (10, 0, 1, True)


@pytest.mark.clause("DW-SUPP-3", "DW-LOC-2")
def test_the_roll_of_suppressing_fire_says_nothing_of_places():
    game = battle([CATO], [SKARR, mob(y=30)])
    game.push("suppress", target="Skarr", tape=Said(1, to_hit=1))
    text = next(line.text for line in lines(game) if "to hit" in line.text)
    assert text.endswith("→ 2 hits")


@pytest.mark.clause("DW-ACT-RELOAD", "DW-COND-FIRE")
def test_half_a_reload_and_a_second_turn_on_fire_are_told():
    game = battle([fighter("Brother Ilario", weapons=["Astartes Lascannon"]), CATO], [BURNING, SKARR | {"name": "M"}])
    game.push("shoot", target="M", tape=1)
    pass_to(game, "Brother Ilario")
    first = do(game, "reload")
    assert "Brother Ilario's Astartes Lascannon is being reloaded, 1 of 2 Full Actions." in first
    pass_to(game, "Brother Cato")
    for _ in range(2):
        move = game.push("end_turn", tape=Said(1, fire=4, **{"willpower_(fire)": 99}))
        assert "Skarr may only run." in [line.text for line in game.move_record(move.number).lines]
        for name in ("M", "Brother Ilario", "Brother Cato"):
            game.push("end_turn", tape=1)
            assert state(game).active == name
