"""What a player can ask: examples of the document, ranges, bad input, profiles, tables."""

from __future__ import annotations

from typing import Any

import pytest

from battletape.answer import sample
from battletape.errors import BadInput
from battletape.registry import ruleset
from battletape.table.hulls import Hull, hull_gap
from battletape.table.points import Point, step
from battletape.tape.script import Script
from battletape.views.answer import answer_view

DL: Any = ruleset("diceless40k")
MARINES = {"models": 10, "armour": 3}


def value(answer, measure):
    (only,) = answer.odds(measure).fractions()
    return only


def steps(answer):
    return [step.title for step in answer.steps]


def ranges(answer):
    """What choices can make of the measures, by their titles."""
    view = answer_view(answer).ranges
    assert view is not None
    return {title: tuple(values) for title, *values in view.rows}


# --- the document's examples ----------------------------------------------------------------------------------------


@pytest.mark.clause("DL-19.1", "DL-20.1")
def test_a_marine_with_a_bolter_is_told_number_by_number():
    answer = DL.ask("shoot", guns=["Bolter"], distance=12, models=1)
    assert str(answer) == "Nobody falls, 11 HP recorded: 32 DMG, 11 HP lost."
    assert steps(answer) == [
        "Bolter: BS4 × S4 × 2 shots = 32 DMG, AP5",
        "Bolter on models: 32 DMG → 3+ (armour) → 11 HP",
        "Models: 0 models removed, 1 left, 11 HP recorded",
    ]
    assert [step.clauses[0] for step in answer.steps] == ["DL-19.1", "DL-20.1", "DL-24.1"]


@pytest.mark.clause("DL-19.2", "DL-29.1")
def test_the_combat_squad_with_and_without_the_range_bonus():
    for option, lascannon in (("off", 36), ("on", 54)):
        shot = DL.roll("shoot", guns=["4 x Bolter", "Lascannon"], distance=18, heavy_range_bonus=option).state
        assert [packet.dmg for packet in shot.packets] == [64, lascannon]


@pytest.mark.clause("DL-25.1", "DL-25.2", "DL-25.3")
def test_devastators_under_fire():
    answer = DL.ask("shoot", unit="Devastators", guns=["10 x Bolter"], distance=10)
    assert value(answer, "dmg") == 320
    assert "Missile launchers: 1 model removed, 1 left, 2 HP recorded" in steps(answer)


@pytest.mark.clause("DL-60.12", "DL-60.17")
def test_devastators_on_a_trukk():
    guns = ["6 x Bolter", {"weapon": "Krak missile", "weapons": 4, "distance": 11}]
    guns[0] = {"weapon": "Bolter", "weapons": 6, "shots": 2}
    answer = DL.ask("shoot_vehicle", av=10, guns=guns, vehicle_weapons=["big shoota", "rokkit"])
    assert (value(answer, "glancing"), value(answer, "penetrating")) == (2, 2)
    assert (value(answer, "line_a"), value(answer, "line_b"), value(answer, "line_e")) == (36, 12, 28)
    assert str(answer) == "2 glancing and 2 penetrating hits: its crew is stunned and 1 weapon destroyed."


@pytest.mark.clause("DL-38.1", "DL-44.1", "DL-40.1")
def test_the_chain_of_an_assault():
    boyz = {"models": 10, "initiative": 2, "attacks": 3, "armour": 6, "ld": 7, "charging": True}
    answer = DL.ask("fight", first=[{"models": 5}], second=[boyz])
    assert str(answer) == (
        "The first side loses 190 HP, the second 67 HP: the first side lost by 123 HP and is run down."
    )
    assert (value(answer, "first_factor"), value(answer, "op_after"), value(answer, "passed")) == (4, 148, 0)


@pytest.mark.clause("DL-8.1")
def test_how_many_tests_are_passed_and_which_one_fails():
    answer = DL.ask("leadership", ld=8)
    assert str(answer) == "With 0 order points against 144 it passes 5 more tests; number 6 fails."
    assert "Tests in a row: 25, 50, 75, 100, 125 pass; 150 is more than 144 and fails" in steps(answer)
    assert str(DL.ask("leadership", ld=3)) == "With 0 order points against 17 the next test fails."


@pytest.mark.clause("DL-94.5", "DL-94.6", "DL-94.7")
def test_the_schedule_of_reserves():
    assert str(DL.ask("reserves", units=5)) == "5 units come: 2 on turn 2, 2 on turn 3 and 1 on turn 4."
    assert str(DL.ask("reserves", units=5, delays=[0, 1])) == "5 units come: 1 on turn 2, 3 on turn 3 and 1 on turn 4."
    assert value(DL.ask("reserves", units=6, modifier=-1), "turn_2") == 2
    assert value(DL.ask("reserves", units=6, reroll=True), "turn_2") == 4
    assert str(DL.ask("reserves", units=0)) == "Nobody comes."


@pytest.mark.clause("DL-PREP.4", "DL-PREP.5", "DL-PREP.9")
def test_what_an_army_gives_its_opponent():
    answer = DL.ask("army_tokens", units=["space marines", "Devastators"], vehicles=["Rhino"], deep_strikers=1)
    assert str(answer) == "The opponent gets 6 scatter tokens, 2 gets hot! tokens and 0 warp tokens."
    assert answer.table.rows[-1] == ("in all", "", "6", "2", "0")
    assert answer.table.mark == (len(answer.table.rows) - 1, 2)
    assert any("DL-PREP.9" in warning for warning in answer.warnings)


@pytest.mark.clause("DL-14.1", "DL-75.3")
def test_moves_into_terrain():
    assert value(DL.ask("move", open_first=3), "terrain_inches") == 1.5
    assert value(DL.ask("move", open_first=2, through_cover=True), "total_inches") == 6
    path = [{"inches": 3}, {"ground": "difficult", "inches": 2}]
    assert str(DL.ask("move", path=path)).startswith("That is too far: the move costs 7 inches")
    assert value(DL.ask("move", type="bike", open_first=3), "terrain_inches") == 9


@pytest.mark.clause("DL-50.5", "DL-50.6")
def test_a_warp_token_makes_a_range_of_a_psychic_test():
    answer = DL.ask("psychic_test", op=0, tokens_held=1)
    assert value(answer, "works") == 0
    assert answer.outcomes().sides == ("defender", "attacker")
    assert ranges(answer)["The power works"] == ("no", "no or yes", "no or yes")
    assert (
        str(answer) == "A warp token cancels the power, unless the psyker pushes on; without it, 7 in a row would work."
    )
    assert answer.usual == (
        "Choices as usual: warp token on the psyker: play (or keep); "
        "the psyker and the warp token: accept (or push on)."
    )
    failing = DL.ask("psychic_test", op=1_000, tokens_held=1)
    assert (value(failing, "works"), value(failing, "warp_tokens")) == (0, 1)  # it fails anyway: the token is kept


@pytest.mark.clause("DL-SM-71.2", "DL-SM-72.1")
def test_a_repair_undoes_what_its_line_did():
    answer = DL.ask("repair", line_e=28)
    assert str(answer) == "Line E goes from 28 to 16 DMG; undone: weapon destroyed (weapon)."
    alone = DL.ask("repair", line_e=28, servitors=2, led=False, turns_without=2)
    assert value(alone, "points") == 12
    assert alone.warnings == ("The servitors are in mindlock and do not help (DL-SM-72.1)",)


@pytest.mark.clause("DL-55.1", "DL-55.2")
def test_artillery_shares_the_damage():
    answer = DL.ask("shoot_artillery", guns=[{"models": 10, "bs": 3, "strength": 3, "shots": 2, "ap": 5}], models=4)
    assert (value(answer, "crew_dmg"), value(answer, "guns_dmg")) == (60, 0)


@pytest.mark.clause("DL-67.1", "DL-70.1", "DL-SM-89.1")
def test_who_is_inside_when_it_explodes():
    answer = DL.ask("vehicle_end", models=12, armour=6, open_topped=True)
    assert (value(answer, "dmg"), value(answer, "hp_lost"), value(answer, "removed")) == (108, 90, 2)
    wreck = DL.ask("vehicle_end", end="wrecked")
    assert str(wreck) == "Nobody inside is hurt; the pinning test is passed."
    assert value(wreck, "commander_hp") == 30


@pytest.mark.clause("DL-57.1", "DL-SM-73.2", "DL-SM-67.1")
def test_bad_ground_under_a_vehicle():
    assert value(DL.ask("drive", rear=10, inches=3), "penetrating") == 3
    assert value(DL.ask("drive", ground="shaken", moved=6), "line_f") == 24
    assert value(DL.ask("drive", ground="mined"), "dmg") == 23
    assert value(DL.ask("drive", skimmer=True, ends=True), "dmg") == 10


# --- ranges ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("DL-25.2")
def test_leftover_points_make_a_range():
    others = [{"name": "sergeant", "armour": 3}, {"name": "launchers", "models": 2, "armour": 3}]
    answer = DL.ask("casualties", dmg=322, ap=5, models=2, others=others)
    by_hand = set()
    for sergeant, launchers in ((1, 1), (1, 0), (0, 2), (0, 1), (0, 0)):
        tape = Script(sergeant, launchers)
        by_hand.add(DL.roll("casualties", tape=tape, dmg=322, ap=5, models=2, others=others).results["hp_removed"])
    assert (min(by_hand), max(by_hand)) == (106, 107)
    assert ranges(answer)["HP taken off the sheet"] == ("107", "106 to 107")
    assert str(answer).endswith("By other choices: 106 to 107 HP off the sheet.")


@pytest.mark.clause("DL-63.5")
def test_grenades_or_blows_make_a_range():
    given = {"models": 5, "av": 10, "grenade": "krak"}
    answer = DL.ask("assault_vehicle", **given)
    by_number = [value(DL.ask("assault_vehicle", **given, throwing=number), "penetrating") for number in range(6)]
    told = (str(by_number[-1]), f"{min(by_number)} to {max(by_number)}")
    assert ranges(answer)["Penetrating hits"] == told


@pytest.mark.clause("DL-31.2")
def test_hot_tokens_are_a_range():
    gun = {"weapon": "Plasma gun", "models": 3, "firer_armour": 5, "firer_toughness": 3, "firer_recorded": 4}
    answer = DL.ask("shoot", guns=[gun], hot_tokens=3, **MARINES)
    dmg, defender = ranges(answer)["Damage before saves"]
    assert (dmg, defender) == ("112", "112 to 168")  # 27 HP for each token kill two of the three, and a shot of each


@pytest.mark.clause("DL-20.1")
def test_what_is_sure_has_no_range():
    assert answer_view(DL.ask("save_table")).ranges is None
    assert answer_view(DL.ask("shoot", **MARINES)).ranges is None


# --- advice ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("DL-30.4", "DL-30.7")
def test_tokens_are_worth_what_the_table_says():
    answer = DL.ask("tokens", held=6)
    assert str(answer) == "Use 3 tokens: 0 hits instead of 3 hits, if the firer then plays its best."
    assert [row[1] for row in answer.table.rows] == ["0", "0", "2", "3", "3", "3", "3"]
    assert answer.table.mark == (3, 1)
    few = DL.ask("tokens", held=1)
    assert str(few) == "Hold the tokens back: they spare nothing (3 hits as aimed)."
    assert value(few, "tokens") == 0


@pytest.mark.clause("DL-95.2", "DL-95.6")
def test_tokens_on_an_arriving_unit():
    answer = DL.ask("tokens", use="arrival", x=20, y=20, held=4)
    assert str(answer) == "Use 1 token: the unit meets a mishap and is set up by the opponent."
    assert [row[1] for row in answer.table.rows] == ["no", "yes", "yes", "yes", "yes"]
    far = DL.ask("tokens", use="arrival", x=60, y=10, held=1)
    assert str(far) == "Hold the tokens back: they cannot bring about a mishap."
    for measure in ("hits", "hp_lost", "hull_dmg", "inches"):
        with pytest.raises(BadInput, match=f"{measure} is known of a blast, not of an arrival; ask for spared or tok"):
            DL.ask("tokens", use="arrival", measures=[measure]).to_json()


@pytest.mark.clause("DL-95.2")
def test_a_unit_aimed_into_a_mishap_needs_no_token():
    answer = DL.ask("tokens", use="arrival", x=24, y=24, zone="enemy")
    assert str(answer).startswith("Hold the tokens back: where it is aimed the unit meets a mishap by itself")


TANK = {"x": 24.0, "y": 24.0, "heading": 20.0}
SHELL = {"strength": 8, "ap": 3, "marker": "blast"}


@pytest.mark.clause("DL-60.4", "DL-30.4", "DL-30.7")
@pytest.mark.parametrize(("tokens", "pull"), [(1, 0), (2, 0), (2, 1), (3, 2), (4, 3)])
def test_tokens_push_a_marker_off_a_hull_as_a_fine_grid_does(tokens, pull):
    hull = Hull(Point(24, 24), 20.0)
    reaches = [2.0] if tokens == 1 else [2 * tokens * part / 24 for part in range(25)]

    def touched(angle, inches):
        return hull_gap(hull, step(Point(24, 24), angle, inches)) <= 1.5

    best = 1
    for angle in range(0, 360, 3):
        for inches in reaches:
            back = [max(0.0, inches - pull * part / 8) for part in range(9)]
            best = min(best, max(touched(angle, place) for place in back))
    answer = DL.ask("tokens", held=tokens, bs=pull, hulls=[TANK], **SHELL)
    with_all = next(option for option in answer.choices[0].options if option.option == tokens) if answer.choices else 0
    assert 1 - int(getattr(with_all, "value", 0)) == best


@pytest.mark.clause("DL-60.4", "DL-60.13")
def test_a_hull_is_spared_dmg():
    answer = DL.ask("tokens", held=4, bs=3, hulls=[{"vehicle": "Rhino", **TANK}], wanted="hull", **SHELL)
    assert (
        str(answer) == "Use 3 tokens: 0 DMG on the hull instead of 3 DMG on the hull, if the firer then plays its best."
    )
    assert "AV11 - S4 = 7: too much armour, no damage" in steps(answer)  # the hole lies beside the hull
    still = DL.ask("tokens", held=0, bs=3, hulls=[{"vehicle": "Rhino", **TANK}], wanted="hull", **SHELL)
    assert value(still, "hull_dmg") == 3
    assert "AV11 - S8 = 3, line D: no hit; the sheet has D3" in steps(still)


@pytest.mark.clause("DL-32.2", "DL-32.1")
def test_a_multiple_barrage_takes_a_token_for_each_further_marker():
    given = {"weapon": "Lobba", "further": 1}
    plain = DL.ask("tokens", held=0, **given)
    assert value(plain, "hits") == 5  # three of the row under the first marker, two under the next
    held = DL.ask("tokens", held=1, **given)
    assert value(held, "tokens") == 1
    assert value(held, "hits") == 3
    assert any("for a token the defender lays it" in step for step in steps(held))
    unseen = DL.ask("tokens", held=2, in_sight=False, **given)
    assert value(unseen, "spared") >= value(DL.ask("tokens", held=2, **given), "spared")


@pytest.mark.clause("DL-30.4")
def test_a_large_crowd_says_what_is_left_out():
    crowd = [{"x": 20.0 + 1.5 * (at % 8), "y": 22.0 + 1.5 * (at // 8)} for at in range(36)]
    given = {"held": 6, "x": 26.0, "y": 25.0, "marker": "large_blast"}
    question = DL.question("tokens")
    inputs, rulings = DL.split(question, {**given, "figures": crowd})
    (said,) = map(str, question.warn(inputs, rulings))
    assert said.startswith("So many models and vehicles that ")
    assert said.endswith("° of 360° in all (DL-30.4)")
    inputs, rulings = DL.split(question, {**given, "figures": crowd[16:24]})
    assert not list(question.warn(inputs, rulings))


@pytest.mark.clause("DL-PREP.12")
def test_assault_or_stay_shows_both_courses():
    answer = DL.ask("assault_or_stay", own="Space Marines", enemy="Ork Boyz", player_turns=2)
    table = answer.table
    assert table.head == ("player turn", "stay and shoot", "assault")
    assert [row[0] for row in table.rows[:2]] == ["1: Space Marines", "2: Ork Boyz"]
    balances = [int(cell.removesuffix(" HP")) for cell in table.rows[-1][1:]]
    assert value(answer, "balance") == max(balances)
    assert table.mark == (len(table.rows) - 1, 1 + balances.index(max(balances)))
    assert str(answer).count("player turn") == 2  # how either course ends
    only = DL.ask("assault_or_stay", own=[{"shots": 0}], enemy_may="assault")
    assert value(only, "course") == "assault"


@pytest.mark.clause("DL-29.1")
def test_range_adds_nothing_to_a_hunter_killer_missile():
    shot = DL.ask("shoot", guns=[{"weapon": "Hunter-killer missile"}], distance=12)
    assert [value(shot, name) for name in ("bs", "range_bonus", "dmg")] == [4, 0, 32]
    told = "Hunter-killer missile has an unlimited range, so none adds to its BS (DL-29.1)"
    assert told in shot.warnings
    gun = {"weapon": "Hunter-killer missile", "distance": 12}
    hull = DL.ask("shoot_vehicle", guns=[gun])
    assert [value(hull, name) for name in ("bs", "dmg")] == [4, 4]
    assert told in hull.warnings


@pytest.mark.clause("DL-29.2", "DL-30.8")
def test_hits_that_cannot_be_are_noted():
    flamer = {"marker": "template", "strength": 4}
    many = DL.ask("shoot", models=3, guns=[{**flamer, "hits": [20]}], distance=4)
    told = "Gun: 20 hits under one template or marker; 3 is the most, for there are no more to hit (DL-30.8)"
    assert many.warnings == (told,)
    few = DL.ask("shoot", models=9, guns=[{**flamer, "hits": [2], "models": 2}], distance=4)
    assert few.warnings == ("Gun: templates and markers laid: 2, each with hits of its own; got 1 number (DL-30.8)",)
    assert DL.ask("shoot", models=9, guns=[{**flamer, "hits": [2, 9], "models": 2}], distance=4).warnings == ()
    many = DL.ask("shoot_artillery", models=3, guns=[{**flamer, "hits": [20]}], distance=4, gun_hits=1)
    assert many.warnings == (told,)


@pytest.mark.clause("DL-94.7")
def test_bonuses_that_bring_nobody_are_noted():
    answer = DL.ask("reserves", bonuses=[5, 1, 0, 0, -1])
    assert answer.warnings == (
        "On turn 1 nobody comes from reserve, whatever the bonus; got +5 (DL-94.7)",
        "On turn 5 all reserves come, whatever the bonus; got -1 (DL-94.7)",
    )
    assert [value(answer, f"turn_{turn}") for turn in (1, 2)] == [0, 3]


@pytest.mark.clause("DL-PREP.12", "DL-45.1")
def test_assault_or_stay_says_what_a_unit_that_falls_back_has_really_lost():
    answer = DL.ask("assault_or_stay", own="Assault Marines", enemy="Shoota Boyz", player_turns=2)
    (duel,) = answer.states.weights
    left = sum(group.hp_left for group in duel.fighters[1].groups)
    assert duel.ending == "Shoota Boyz falls back"
    assert 0 < left < 800
    assert f"the enemy loses {800 - left} HP and falls back with {left} HP, and our unit" in answer.headline
    assert value(answer, "enemy_lost") == 800  # for the balance it is out of it


# --- tables ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("DL-T1", "DL-20.4")
@pytest.mark.parametrize("dmg", [1, 9, 57, 100])
def test_the_marked_cell_of_table_1_is_the_answer(dmg):
    answer = DL.ask("save_table", dmg=dmg, armour=4)
    row, column = answer.table.mark
    assert int(answer.table.rows[row][column]) == value(answer, "hp_lost")


@pytest.mark.clause("DL-T2", "DL-T3")
@pytest.mark.parametrize("reroll", [True, False])
def test_the_marked_cell_of_tables_2_and_3_is_the_threshold(reroll):
    for question, given in (("leadership", {"ld": 7}), ("regroup", {"ld": 7}), ("psychic_test", {"ld": 7})):
        answer = DL.ask(question, reroll=reroll, **given)
        row, column = answer.table.mark
        assert answer.table.rows[row][column] == ("165" if reroll else "117")


@pytest.mark.clause("DL-T4", "DL-T5")
def test_the_marked_lines_and_factors():
    shot = DL.ask("shoot_vehicle", av=12, guns=[{"strength": 8}])
    assert shot.table.rows[shot.table.mark[0]][0] == value(shot, "line") == "C"
    fight = DL.ask("fight", first=[{"ws": 5}], second=[{"ws": 4}])
    assert int(fight.table.rows[fight.table.mark[0]][1]) == value(fight, "first_factor") == 5


# --- bad input ------------------------------------------------------------------------------------------------------


# --- profiles and warnings ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "given"),
    [
        ("shoot", {"shooters": "Space Marines", "unit": "Ork Boyz"}),
        ("fight", {"first": "Assault Marines", "second": [{"unit": "Ork Boyz", "charging": True}]}),
        ("shoot_vehicle", {"vehicle": "Predator", "facing": "side", "guns": ["2 x Lascannon", "Missile launcher"]}),
        ("assault_vehicle", {"vehicle": "Rhino", "attackers": "Ork Boyz"}),
        ("vehicle_hits", {"vehicle": "Predator", "hits": [{"kind": "P"}]}),
        ("drive", {"vehicle": "Rhino"}),
        ("ram", {"rammer": "Predator", "target": "Rhino"}),
        ("leadership", {"unit": "Veterans"}),
        ("regroup", {"unit": "Ork Boyz"}),
        ("blast", {"weapon": "Missile launcher", "unit": "Ork Boyz"}),
        ("tokens", {"weapon": "Missile launcher"}),
        ("vehicle_end", {"unit": "Terminators"}),
        ("casualties", {"unit": "Scout bikers"}),
        ("focus", {"shooters": ["Devastators"], "targets": ["Ork Boyz", "Rhino"]}),
    ],
)
def test_profiles_fill_the_form(question, given):
    answer = DL.ask(question, **given)
    assert answer.headline.endswith(".")
    assert answer.steps
    assert all(step.clauses for step in answer.steps)


@pytest.mark.parametrize(
    ("question", "given", "clause"),
    [
        ("shoot", {"hot_tokens": 1}, "DL-31.2"),
        ("shoot", {"null_zone": True}, "DL-SM-57.2"),
        ("save_table", {"cover": 4, "assault": True}, "DL-20.1"),
        ("save_table", {"fragile": True}, "DL-76.3"),
        ("rending", {"dmg": 9}, "DL-31.7"),
        ("leadership", {"ld": 12}, "DL-8.2"),
        ("leadership", {"ld": 1}, "DL-8.2"),
        ("blast", {"hits": 9}, "DL-30.8"),
        ("shoot_vehicle", {"guns": [{"zone": "red"}]}, "DL-60.1"),
        ("assault_vehicle", {"throwing": 2}, "DL-63.5"),
        ("ram", {"rammer_tank": False}, "DL-69.1"),
        ("drive", {"skimmer": True}, "DL-57.1"),
        ("arrival", {"guided": True, "jamming": True}, "DL-95.7"),
        ("psychic_test", {"unit_op": 25}, "DL-50.1"),
        ("move", {"type": "bike"}, "DL-14.2"),
        ("casualties", {"cause": "perils"}, "DL-50.6"),
        ("focus", {"wanted": "wreck"}, "DL-60.4"),
        ("fight", {"first": [{"preferred": True}]}, "DL-75.5"),
        ("shoot", {"gone_to_ground": True, "cover": 2}, "DL-20.1"),
        ("repair", {"line_a": 36, "glancing_ticked": [0]}, "DL-SM-71.2"),
    ],
)
def test_what_is_unusual_is_told_with_its_clause(question, given, clause):
    assert any(f"({clause})" in warning for warning in DL.ask(question, **given).warnings)


@pytest.mark.clause("DL-19.2")
def test_a_whole_unit_fires_what_reaches():
    answer = DL.ask("shoot", shooters="Command squad", unit="Ork Boyz", distance=13)
    assert answer.warnings == tuple(
        f"{weapon} may not fire at this distance, or after a move, and is left out (DL-0.1)"
        for weapon in ("Bolt pistol", "Flamer")
    )
    near = DL.ask("shoot", shooters="Command squad", unit="Ork Boyz", distance=6)
    assert any("Flamer is taken to hit one model" in warning for warning in near.warnings)


@pytest.mark.clause("DL-94.8", "DL-94.9", "DL-95.7")
def test_arrivals():
    assert str(DL.ask("arrival", how="outflanking", left=False)) == "The unit comes on from the right edge."
    gone = DL.ask("arrival", how="outflanking", left=False, right=False)
    assert str(gone) == "There is no room at either edge: the unit is removed from play."
    assert value(gone, "fate") == "removed"
    assert value(DL.ask("arrival", guided=True), "max_tokens") == 0
    strike = DL.ask("arrival", zone="enemy", held=3, mishap_inches=5)
    assert str(strike) == "3 tokens may push it 6 inches, into a mishap, which removes it from play."


# --- numbers that a player may want to know one by one ---------------------------------------------------------------


@pytest.mark.clause("DL-67.1", "DL-67.2", "DL-SM-89.1")
def test_a_vehicle_that_is_not_destroyed_hurts_nobody():
    for result in ("crew_shaken", "immobilised", "none"):
        answer = DL.ask("vehicle_end", end=result, models=10)
        assert [value(answer, name) for name in ("dmg", "removed", "tests", "commander_hp")] == [0, 0, 0, 40]
        assert answer.headline.startswith("The vehicle is not destroyed")
    wreck = DL.ask("vehicle_end", end="wrecked", models=10)
    assert [value(wreck, name) for name in ("dmg", "tests", "commander_hp", "commander_most")] == [0, 1, 30, 40]


@pytest.mark.clause("DL-SM-57.4")
def test_the_owner_may_leave_a_unit_behind_at_the_gate():
    answer = DL.ask("casualties", cause="gate_of_infinity", models=5, armour=2, invulnerable=4)
    assert value(answer, "hp_lost") == 10
    assert ranges(answer)["HP taken off the sheet"] == ("10", "0 to 10")


@pytest.mark.clause("DL-SM-72.1")
@pytest.mark.parametrize(
    ("turns", "led", "working"), [(0, True, 2), (5, True, 2), (0, False, 2), (1, False, 2), (2, False, 0)]
)
def test_servitors_without_a_techmarine_work_for_a_turn(turns, led, working):
    answer = DL.ask("repair", servitors=2, turns_without=turns, led=led)
    assert value(answer, "servitors") == working
    assert value(answer, "points") == 12 + 6 * working


@pytest.mark.clause("DL-50.1")
def test_a_psychic_test_leaves_the_order_points_of_the_unit_alone():
    answer = DL.ask("psychic_test", op=0, unit_op=75, ld=9)
    assert [value(answer, name) for name in ("op", "unit_op")] == [25, 75]


@pytest.mark.clause("DL-60.1")
@pytest.mark.parametrize(
    ("gun", "zone", "bs"),
    [
        ({"type": "heavy", "degrees": 30}, "red", 5),
        ({"type": "heavy", "degrees": 60}, "orange", 4),
        ({"type": "heavy", "degrees": 61}, "yellow", 3),
        ({"type": "assault", "degrees": 0}, "none", 4),
    ],
)
def test_the_angle_counts_for_heavy_weapons_only(gun, zone, bs):
    answer = DL.ask("shoot_vehicle", guns=[{"bs": 4, "ap": 5, **gun}], speed="cruising")
    assert (value(answer, "zone"), value(answer, "bs")) == (zone, bs)


@pytest.mark.clause("DL-25.2")
def test_the_share_of_every_model():
    answer = DL.ask("casualties", dmg=322, models=4, others=[{"name": "sergeant"}])
    assert (value(answer, "per_model"), value(answer, "leftover")) == (64, 2)


@pytest.mark.parametrize("question", [question for question in DL.questions if question.goal], ids=lambda own: own.name)
def test_rolls_follow_the_choices_that_are_best(question):
    exact, rolled = DL.ask(question.name, **question.example), sample(DL, question, question.example, 20, seed=1)
    assert rolled.states.fractions() == exact.states.fractions()
    assert (rolled.choices, rolled.table, rolled.warnings) == (exact.choices, exact.table, exact.warnings)
    assert rolled.headline == exact.headline


def test_where_choices_are_too_many_for_a_table_that_is_told():
    few, many = (
        DL.ask(
            "focus",
            shooters=[{"name": f"unit {at}", "models": 5} for at in range(shooters)],
            targets=[{"name": f"target {at}", "models": 5} for at in range(4)],
        )
        for shooters in (2, 6)
    )
    too_many = "There are too many choices to list what they can make of it."
    assert too_many not in few.warnings
    assert answer_view(few).ranges is not None
    assert too_many in many.warnings
    assert answer_view(many).ranges is None


# --- profiles that are poured into questions --------------------------------------------------------------------------


@pytest.mark.clause("DL-60.12", "DL-60.4")
def test_rapid_fire_within_12_inches_doubles_on_vehicles_too():
    gun = {"weapon": "Bolter", "weapons": 6}
    assert value(DL.ask("shoot_vehicle", av=10, guns=[{**gun, "distance": 12}]), "dmg") == 6 * 2 * 4
    assert value(DL.ask("shoot_vehicle", av=10, guns=[{**gun, "distance": 13}]), "dmg") == 6 * 4


@pytest.mark.clause("DL-29.2")
def test_a_template_reaches_a_vehicle_as_far_as_it_is_long():
    assert value(DL.ask("shoot_vehicle", guns=["weapon=Flamer distance=8"]), "dmg") == 4


@pytest.mark.parametrize("question, sides", [("fight", ("first", "second")), ("assault_or_stay", ("own", "enemy"))])
def test_a_unit_in_pairs_is_the_unit_of_that_name(question, sides):
    mine, theirs = sides
    named = DL.ask(question, **{mine: "Khan Temurin", theirs: "Nobz"})
    paired = DL.ask(question, **{mine: "unit='Khan Temurin'", theirs: "unit=Nobz"})
    assert paired.inputs == named.inputs
    assert paired.headline == named.headline
    fewer = DL.ask(question, **{mine: "unit=Nobz models=2"})
    (band,) = getattr(fewer.inputs, mine)
    assert (band.models, band.wounds, band.unit) == (2, 2, "Nobz")


@pytest.mark.clause("DL-SM-76.1", "DL-SM-71.2")
@pytest.mark.parametrize("dmg, result", [(22, "weapon destroyed (weapon)"), (29, "immobilised")])
def test_the_crew_of_a_rhino_undoes_the_last_result_of_its_line(dmg, result):
    answer = DL.ask("repair", who="own_crew", immobilised=True, line_e=dmg)
    assert value(answer, "points") == 6
    assert answer.headline == f"Line E goes from {dmg} to {dmg - 6} DMG; undone: {result}."


@pytest.mark.clause("DL-SM-71.2")
def test_only_the_lines_that_are_said_hold_damage():
    answer = DL.ask("repair", line_f=18)
    assert answer.headline == "Line F goes from 18 to 6 DMG; undone: weapon destroyed (weapon) and crew stunned."


@pytest.mark.clause("DL-44.1")
def test_who_has_won_a_fight_is_told_whatever_was_lost():
    few = {"models": 1, "ws": 10, "strength": 10, "attacks": 10, "initiative": 10, "armour": None}
    many = {"models": 60, "attacks": 2, "initiative": 2, "armour": None}
    answer = DL.ask("fight", first=[few], second=[many])
    lost = (value(answer, "first_hp_lost"), value(answer, "second_hp_lost"))
    assert lost[0] < lost[1]
    told = f"The first side loses {lost[0]} HP, the second {lost[1]} HP: nobody of the first side is left"
    assert str(answer) == f"{told}, so the second side has won."
    step = f"First side lost {lost[0]} HP, second side {lost[1]} HP: nobody of first side is left"
    assert f"{step}, so second side has won" in steps(answer)


@pytest.mark.clause("DL-44.1")
def test_units_of_a_side_that_end_differently_are_told_apart():
    grot = {"unit": "Grots", "models": 1, "attacks": 0, "others": []}
    steady = {"models": 20, "attacks": 0, "ld": 10, "armour": 2}
    answer = DL.ask("fight", first=[grot, steady], second=[{"models": 5}, {"models": 5}])
    text = "the first side lost by 20 HP; Grots is destroyed and the first unit holds."
    assert str(answer).endswith(text)
