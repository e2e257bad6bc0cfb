"""Questions about guns with suits, footing, flames, modes, snares and the fury of hordes."""

from __future__ import annotations

from fractions import Fraction

import pytest

from battletape.rulesets.deathwatch import RULESET

F = Fraction
SUIT = """
[[character]]
name = "Suit"
bs = 50
no_bracing = true
weapons = ["Astartes Heavy Bolter"]
"""


# --- bracing ----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("DW-ACT-BRACE-HEAVY-WEAPON")
def test_a_suit_carries_a_heavy_weapon_unbraced(tmp_path):
    file = tmp_path / "suit.toml"
    file.write_text(SUIT, encoding="utf-8")
    rules = RULESET.with_profiles(str(file))
    given = {"attacker": "Suit", "trained": True, "distance": 100}
    crowd = {"magnitude": 5, "small_horde": "no_bonus"}
    for question, more, target in (("shoot", {"mode": "full"}, 70), ("horde", {"mode": "full", **crowd}, 70)):
        start = rules.ask(question, **given, **more, braced=False).start
        spec = start.spec if question == "shoot" else start.fight.attack.spec(5)
        assert spec.target == target
    assert rules.ask("suppress", **{**given, "distance": 50}, braced=False).start.spec.target == 30
    assert rules.ask("shoot", **given, mode="full", braced=False, no_bracing=False).start.spec.target == 40
    mob = {"kind": "Heavy", "braced": False, "band": "normal", "bs": 50}
    targets = [rules.ask("horde_attacks", **mob, no_bracing=one).start.spec.target for one in (False, True)]
    assert targets == [20, 50]


# --- footing ----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("DW-SUPP-2", "DW-SUMM-DEEP_SNOW", "DW-SUMM-MUD_OR_HEAVY_RAIN")
@pytest.mark.parametrize(
    "rows, table, target",
    [
        ("deep_snow", "literal", 10),
        ("mud_or_heavy_rain", "literal", 30),
        ("mud_or_heavy_rain", "corrected", 20),
        ("deep_snow, mud_or_heavy_rain", "corrected", 0),
    ],
)
def test_the_shooters_footing_counts_for_suppressing_fire(rows, table, target):
    answer = RULESET.ask("suppress", bs=50, situations=rows, combat_table=table)
    assert answer.start.spec.target == target
    assert answer.odds("hits").at_least(1) == F(target, 100)
    assert not [warning for warning in answer.warnings if "Not counted" in warning]


@pytest.mark.clause("DW-SUPP-2")
def test_rows_that_do_not_count_are_named():
    given = {"bs": 50, "situations": "shoot_in_darkness, deep_snow"}
    answer = RULESET.ask("suppress", **given)
    assert "Not counted: shoot_in_darkness; only the shooter's own state counts (DW-SUPP-2)." in answer.warnings
    every = RULESET.ask("suppress", **given, band="normal", suppressing_modifiers="all")
    assert every.start.spec.target == 50 - min(60, 20 + 20 + 30)
    assert not [warning for warning in every.warnings if "Not counted" in warning]


# --- flames, modes, snares, clouds ------------------------------------------------------------------------------------


@pytest.mark.clause("DW-QUAL-FLAME", "DW-EVA-1")
@pytest.mark.parametrize("reaction", ["dodge", "choose"])
def test_flames_are_not_dodged(reaction):
    duel = {"a_weapon": "Astartes Flamer", "b_weapon": "Improvised", "rounds": 1, "first": "a", "b_agility": 40}
    plain = RULESET.ask("duel", **duel)
    dodging = RULESET.ask("duel", **duel, b_dodge=50, b_reaction=reaction)  # he may still dodge what else comes
    assert dodging.start.a.spec.defender.reaction == "none"
    assert dodging.odds("b_wounds").fractions() == plain.odds("b_wounds").fractions()


@pytest.mark.clause("DW-RWEP-00")
@pytest.mark.parametrize(
    "question, given, mode",
    [
        ("shoot", {"weapon": "Astartes Flamer", "distance": 15}, "single"),
        ("shoot", {"weapon": "Astartes Plasma Pistol"}, "semi"),
        ("shoot", {"weapon": "Astartes Heavy Bolter"}, "full"),
        ("shoot", {"full": 0}, "semi"),
        ("shoot", {"full": "0", "semi": "0"}, "single"),
        ("shoot", {}, "full"),
        ("horde", {"weapon": "Astartes Plasma Cannon"}, "single"),
        ("horde", {"weapon": "Astartes Plasma Pistol"}, "semi"),
        ("horde_attacks", {"weapon": "Autogun"}, "single"),
        ("horde_attacks", {"weapon": "Astartes Heavy Bolter"}, "full"),
    ],
)
def test_a_gun_is_fired_in_a_mode_it_has(question, given, mode):
    assert RULESET.ask(question, **given).inputs.mode == mode


@pytest.mark.clause("DW-QUAL-SNARE")
def test_a_snare_holds_unless_agility_passes():
    given = {"mode": "single", "band": "normal", "bs": 50, "agility": 35, "damage": "1d5", "pen": 0}
    answer = RULESET.ask("shoot", **given, qualities=("Snare",))
    assert answer.odds("held").fractions() == {0: F(27, 40), 1: F(1, 2) * F(13, 20)}
    twice = RULESET.ask("shoot", **given, qualities=("Snare",), shots=2)
    jam = F(1, 20)  # cleared or not, it takes the second turn
    assert twice.odds("held").chance(1) == F(13, 40) + (F(27, 40) - jam) * F(13, 40)
    assert RULESET.ask("shoot", **given, qualities=(), measures=["held"]).odds("held").fractions() == {0: 1}


@pytest.mark.clause("DW-QUAL-SMOKE", "DW-QUAL-HAYWIRE")
def test_clouds_are_shown_by_a_battle():
    answer = RULESET.ask("shoot", qualities=("Smoke", "Haywire (3)"))
    assert [warning.rpartition("(")[2] for warning in answer.warnings] == ["DW-QUAL-SMOKE).", "DW-QUAL-HAYWIRE)."]
    assert all("a battle shows" in warning for warning in answer.warnings)


# --- hordes -----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("DW-RF-3", "DW-HORDE-15", "DW-QUAL-VOLATILE")
@pytest.mark.parametrize("fury", ["eligible_only", "everyone", "nobody"])
@pytest.mark.parametrize("qualities", [(), ("Volatile",)])
def test_a_horde_never_has_righteous_fury(fury, qualities):
    bare = dict.fromkeys(("tb", "head", "arm", "body", "leg"), 0)
    given = {"magnitude": 20, "bs": 100, "attacks": 1, "wounds": 100, "qualities": qualities, **bare}
    answer = RULESET.ask("horde_attacks", **given, righteous_fury=fury)
    assert answer.odds("damage").mean == F(95, 100) * (3 * F(11, 2) + 3)  # 1d10+3 and two dice more; 96-00 jams
    assert answer.odds("damage").values()[-1] == 33
