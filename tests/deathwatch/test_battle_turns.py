"""Turns of a battle: initiative, rounds, how turns begin and end, moving, care."""

from __future__ import annotations

from fractions import Fraction

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from battletape import registry
from battletape.battle import Battle
from battletape.battle.notation import write_battle
from battletape.battle.reading import read_battle
from battletape.conformance.random_play import play_at_random
from battletape.errors import BadInput
from battletape.rulesets.deathwatch import RULESET
from battletape.rulesets.deathwatch.battle.actions import ACTIONS
from battletape.rulesets.deathwatch.battle.state import State
from battletape.tape.script import Script
from tests.deathwatch.battles import Said, battle, crowd, do, fighter, mob, pass_to, place, refused, state, unit_named

CATO, RURIK = fighter("Brother Cato"), fighter("Brother Rurik", 4, 0)
SKARR = fighter("Raider", 0, 30, name="Skarr")


@pytest.fixture(scope="module", autouse=True)
def _known():
    registry._known[RULESET.name] = RULESET
    yield
    del registry._known[RULESET.name]


def fixed(played: Battle, name: str, **conditions) -> None:
    """Put a unit into a state."""
    now = unit_named(played, name)
    changed = replace(now, conditions=replace(now.conditions, **conditions))
    played.trust(played.record.live[-1], state(played).with_units(changed))


# --- rounds -----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("DW-ECON-1")
def test_initiative_is_a_d10_and_the_agility_bonus_and_ties_go_by_the_bonus():
    sides = [{"name": "A", "fighters": [{"profile": "Brother Cato"}, {"profile": "Brother Ilario", "x": 5}]}]
    sides.append(
        {"name": "B", "mobs": [{"profile": "Raider mob", "y": 30}], "fighters": [{"profile": "Warlord Gharn"}]}
    )
    one = Battle.new(RULESET, {"sides": sides})
    told = do(one, "begin_battle", 3, 4, 4, 8)
    assert state(one).clock.order == ("Raider mob", "Brother Cato", "Brother Ilario", "Warlord Gharn")
    assert "Brother Cato: initiative 7." in told
    assert one.where == {"turn": "1", "side": "B", "unit": "Raider mob"}


@pytest.mark.clause("DW-ECON-1", "DW-EVA-1")
def test_each_unit_has_a_turn_each_round_and_the_dead_are_passed_over():
    game = battle([CATO, RURIK], [SKARR])
    refused(game, "aim", "DW-ECON-1", "turn of Brother Cato", unit="Brother Rurik")
    game.push("end_turn")
    now = state(game)
    game.trust(game.record.live[-1], now.with_units(replace(unit_named(game, "Brother Cato"), health=-105)))
    game.push("end_turn")
    game.push("end_turn")
    assert (state(game).round, state(game).active) == (2, "Brother Rurik")
    game.trust(game.record.live[-1], state(game).with_units(replace(unit_named(game, "Brother Rurik"), health=-105)))
    assert game.over == "Raiders holds the field"
    refused(game, "end_turn", "DW-ECON-1", "the battle is over")


@pytest.mark.clause("DW-COND-SURPRISED")
def test_the_surprised_cannot_react():
    game = battle([fighter("Brother Cato", surprised=True)], [fighter("Warlord Gharn", 0, 20)])
    assert any("Surprised" in text or "surprised" in text for text in _shots_at_cato(game))


def _shots_at_cato(played: Battle) -> list[str]:
    branch = played.fork()
    now = state(played)
    branch.trust(0, replace(now, clock=replace(now.clock, place=now.clock.order.index("Warlord Gharn"))))
    return do(branch, "shoot", 90, target="Brother Cato", weapon="Autopistol")


@pytest.mark.clause("DW-ACT-DELAY", "DW-TEST-6")
def test_a_delay_keeps_a_half_action_for_later():
    game = battle([CATO, RURIK], [SKARR])
    do(game, "delay")
    pass_to(game, "Brother Rurik")
    do(game, "delay")
    game.push("end_turn")
    do(
        game, "act_delayed", 41, 42, unit="Brother Cato", against="Brother Rurik"
    )  # both pass; Rurik's bonus is the same
    first = state(game).interrupt
    assert first == "Brother Cato"
    do(game, "aim")
    assert (
        state(game).interrupt,
        unit_named(game, "Brother Cato").aim,
        unit_named(game, "Brother Cato").done.delayed,
    ) == (
        "",
        "half",
        False,
    )
    assert state(game).active == "Skarr"
    do(game, "act_delayed", unit="Brother Rurik")
    do(game, "move", x=4, y=4)  # it is he who moves, not the one whose turn it is
    assert (place(game, "Brother Rurik")[1], place(game, "Skarr")[1]) == (4, 30)
    pass_to(game, "Brother Rurik")
    do(game, "delay")
    pass_to(game, "Brother Rurik")
    assert not unit_named(game, "Brother Rurik").done.delayed  # lost


# --- starts and ends of turns -----------------------------------------------------------------------------------------


@pytest.mark.clause("DW-BLOOD-1", "DW-BLOOD-2", "DW-ACT-USE-A-SKILL")
def test_the_bleeding_may_die_as_their_turn_begins_until_they_are_treated():
    medic = fighter("Brother Anselm", 1, 0)
    game = battle([fighter("Brother Cato", blood_loss=True), medic, RURIK], [SKARR])
    game.push("end_turn")
    assert game.odds("treat", target="Brother Cato").odds("done").chance(1) == Fraction(45, 100)
    refused(game, "treat", "DW-BLOOD-2", "does not bleed", target="Brother Rurik")
    do(game, "treat", 46, target="Brother Cato")
    pass_to(game, "Brother Rurik")
    refused(game, "treat", "DW-BLOOD-2", target="Brother Cato")
    pass_to(game, "Skarr")
    told = do(game, "end_turn", 11)
    assert any(text.startswith("Blood loss") for text in told)
    pass_to(game, "Brother Anselm")
    do(game, "treat", 45, target="Brother Cato")
    assert not unit_named(game, "Brother Cato").conditions.blood_loss
    two = battle([CATO, fighter("Brother Rurik", 4, 0, blood_loss=True)], [SKARR])
    do(two, "end_turn", 10)
    assert unit_named(two, "Brother Rurik").is_dead
    assert state(two).active == "Skarr"


@pytest.mark.clause("DW-COND-FIRE", "DW-FAT-1")
def test_fire_hurts_tires_and_frightens_until_it_is_put_out():
    game = battle([CATO], [fighter("Raider", 0, 30, name="Skarr", on_fire=True, wounds=20), SKARR | {"name": "Murn"}])
    told = do(game, "end_turn", 9, 19)  # 9 - 3, a level of fatigue, Willpower 28 - 10 failed
    skarr = unit_named(game, "Skarr")
    assert (skarr.health, skarr.conditions.fatigue, skarr.done.screaming) == (14, 1, True)
    assert any("needs 18 or less" in text for text in told)
    refused(game, "put_out", "DW-COND-FIRE", "only run")
    do(game, "run", x=0, y=35)
    pass_to(game, "Brother Cato")
    do(game, "end_turn", 1, 18)  # no damage, and he keeps his head
    assert unit_named(game, "Skarr").conditions.fatigue == 2
    do(game, "put_out", 2)  # 32 - 20 - 10
    assert not unit_named(game, "Skarr").conditions.on_fire
    sealed = battle([fighter("Brother Cato", on_fire=True), RURIK], [SKARR])
    pass_to(sealed, "Skarr")
    do(sealed, "end_turn", 10)  # power armour is sealed: no test
    assert unit_named(sealed, "Brother Cato").health == 19
    assert sealed.refusal("aim") is None


@pytest.mark.clause("DW-FAT-1", "DW-DMG-1", "DW-DMG-2")
def test_fatigue_beyond_the_bonus_is_out_and_critical_damage_adds_up():
    game = battle(
        [CATO], [fighter("Raider", 0, 30, name="Skarr", on_fire=True, fatigue=3, wounds=20), SKARR | {"name": "M"}]
    )
    do(game, "end_turn", 1)
    skarr = unit_named(game, "Skarr")
    assert (skarr.conditions.unconscious, skarr.is_out, skarr.is_dead) == (7, True, False)
    refused(game, "aim", "DW-FAT-1", "unconscious")
    two = battle([CATO], [fighter("Warlord Gharn", 0, 30, damage_taken=38, critical=2)])
    assert [table.rows[-1][4] for table in two.tables if table.title == "Fighters"] == ["critical 2"]
    move = two.push("shoot", target="Warlord Gharn", tape=Said(1, to_hit=12, reaction="none", damage=[(1, 2, 5)]))
    assert unit_named(two, "Warlord Gharn").health == -3  # one point more: row 3 of the arm
    assert "Warlord Gharn: critical damage 3." in [line.text for line in two.move_record(move.number).lines]


@pytest.mark.clause("DW-CRIT-2")
def test_wounds_that_may_tear_open_are_faced_as_the_turn_begins():
    game = battle([CATO, RURIK], [SKARR])
    fixed(game, "Brother Rurik", hazard="ribs")
    do(game, "end_turn", "lie still")
    refused(game, "aim", "DW-CRIT-2", "lies still")
    two = battle([CATO, RURIK], [SKARR])
    fixed(two, "Brother Rurik", hazard="wound")
    do(two, "end_turn", "hold the wound")
    refused(two, "shoot", "DW-CRIT-2", "needs 2 hands", target="Skarr")
    three = battle([CATO, RURIK], [SKARR])
    fixed(three, "Brother Rurik", hazard="wound")
    do(three, "end_turn", "let go", 20, 11)
    assert unit_named(three, "Brother Rurik").health == 9


# --- moving -----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("DW-ACT-MOVE", "DW-ACT-RUN", "DW-MOVE-1")
def test_moves_go_so_far_and_a_run_is_seen():
    game = battle([CATO], [SKARR])
    do(game, "move", x=0, y=5)
    pass_to(game, "Skarr")
    still = game.odds("shoot", target="Brother Cato").odds("hits").at_least(1)
    pass_to(game, "Brother Cato")
    do(game, "run", x=0, y=6)
    pass_to(game, "Skarr")
    assert still - game.odds("shoot", target="Brother Cato").odds("hits").at_least(1) == Fraction(2, 10)
    pass_to(game, "Brother Cato")
    assert not unit_named(game, "Brother Cato").done.running


@pytest.mark.clause("DW-ACT-DISENGAGE", "DW-COND-ENGAGED")
def test_leaving_a_melee_costs_a_free_blow_unless_one_disengages():
    game = battle([CATO], [fighter("Warlord Gharn", 0, 1), fighter("Raider", 1, 0, name="Skarr"), mob(x=-1, y=0)])
    refused(game, "disengage", "DW-ACT-DISENGAGE", "plain move", x=0, y=-3)
    for foe in ("Warlord Gharn", "Skarr", "Raider mob"):
        pass_to(game, foe)
        if foe == "Raider mob":
            do(game, "horde_strikes", 99, target="Brother Cato")
        else:
            do(game, "strike", 99, target="Brother Cato", weapon="fists")
    pass_to(game, "Brother Cato")
    branch = game.fork()
    told = do(branch, "move", 99, 99, 99, x=0, y=-5)  # three free blows
    assert sum(" attacks Brother Cato with " in text for text in told) == 3
    assert unit_named(branch, "Brother Cato").engaged_with == ()
    do(game, "disengage", x=0, y=-5)
    assert (place(game, "Brother Cato")[1], unit_named(game, "Warlord Gharn").engaged_with) == (-5, ())


@pytest.mark.clause("DW-ACT-TACTICAL-ADVANCE", "DW-COVER-1")
def test_an_advance_goes_from_cover_to_cover_and_counts_as_in_the_first():
    game = battle([fighter("Brother Cato", 60, 30, cover="16", hidden=["body"])], [fighter("Raider", name="Skarr")])
    refused(game, "advance", "DW-ACT-TACTICAL-ADVANCE", "ends in the open", x=55, y=30)
    with pytest.raises(BadInput, match="DW-COVER-1"):
        game.refusal("advance", x=51, y=30, cover="4", hidden=["tail"])
    pass_to(game, "Skarr")
    do(game, "watch", direction=60)
    pass_to(game, "Brother Cato")
    do(game, "advance", x=51, y=30, cover="4", hidden=["legs"])
    (came,) = state(game).entered
    assert came.cover == (16, ("body",))
    assert unit_named(game, "Brother Cato").cover_ap == 4


@pytest.mark.clause("DW-ACT-STAND-MOUNT", "DW-COND-PRONE", "DW-ACT-JUMP-OR-LEAP")
def test_getting_down_and_up_and_leaping():
    game = battle([CATO], [SKARR])
    do(game, "drop_prone")
    do(game, "stand")
    pass_to(game, "Brother Cato")
    do(game, "drop_prone")
    pass_to(game, "Brother Cato")
    fixed(game, "Brother Cato", stand_is_full=True)
    do(game, "stand")
    assert unit_named(game, "Brother Cato").done.actions == ("Stand/Mount (full)",)
    pass_to(game, "Brother Cato")
    do(game, "leap", 41, x=0, y=3)
    assert place(game, "Brother Cato")[1] == 3


@pytest.mark.clause("DW-ACT-READY", "DW-ECON-2")
def test_one_weapon_is_put_away_and_another_drawn_in_one_turn():
    game = battle([CATO], [SKARR])
    gun, knife = "Astartes Bolter (Godwyn)", "Astartes Combat Knife"
    do(game, "ready", stow=True)  # the first in hand
    do(game, "ready", weapon=knife)
    assert [held.name for held in unit_named(game, "Brother Cato").weapons if held.in_hand] == [knife]
    refused(game, "ready", "DW-ECON-1", "more than one Full Action", weapon=knife, stow=True)
    pass_to(game, "Brother Cato")
    do(game, "ready", weapon=knife, stow=True)
    do(game, "ready", weapon=gun)
    assert [held.name for held in unit_named(game, "Brother Cato").weapons if held.in_hand] == [gun]


@pytest.mark.clause("DW-ACT-FOCUS-POWER", "DW-HORDE-13", "DW-ACT-USE-A-SKILL")
def test_powers_and_skills():
    seer = fighter("Brother Cato", psy_rating=3)
    game = battle([seer, RURIK], [SKARR, mob(y=20)])
    # Willpower 40 and 5 for each point: 55; three hits of a d10
    do(game, "focus_power", 55, 9, 9, 9, target="Raider mob", damage="1d10")
    assert crowd(game).magnitude == 27
    assert "Psy rating +15" in [line.text for line in game.move_record(game.moves[-1].number).lines]
    pass_to(game, "Brother Rurik")
    refused(game, "focus_power", "DW-ACT-FOCUS-POWER", "no psyker", target="Skarr")
    assert game.odds("use_skill", value=42, modifier=-10).odds("done").chance(1) == Fraction(32, 100)
    do(game, "use_skill", 32, value=42, modifier=-10, cost="half")
    do(game, "aim")


@pytest.mark.clause("DW-ACT-FOCUS-POWER", "DW-RF-3")
def test_a_power_has_no_righteous_fury_even_of_eligible_psykers():
    target = {"name": "Skarr", "wounds": 40, "toughness": 0, "y": 5}
    psyker = {"name": "Marek", "willpower": 50, "psy_rating": 2, "fury": True, "initiative": 9}
    game = battle([psyker], [{**target, "initiative": 1}])
    damage = game.odds("focus_power", target="Skarr", damage="1d10").odds("damage")
    assert {value: damage.chance(value) for value in (0, 1, 10, 11)} == {
        0: Fraction(40, 100),
        1: Fraction(6, 100),
        10: Fraction(6, 100),
        11: 0,
    }


@pytest.mark.clause("DW-HORDE-15")
def test_a_mob_shoots_once_for_each_ten():
    game = battle([CATO, RURIK], [mob(y=20, magnitude=25)])
    pass_to(game, "Raider mob")
    told = do(game, "horde_shoots", 99, 90, target="Brother Cato", others=["Brother Rurik"])
    assert [text for text in told if " attacks " in text] == [
        "Raider mob attacks Brother Cato with Autogun",
        "Raider mob attacks Brother Rurik with Autogun",
    ]
    refused(game, "aim", "DW-HORDE-15", "is a horde")


# --- the whole --------------------------------------------------------------------------------------------------------


def test_a_state_comes_back_from_json_and_the_tables_show_it():
    game = battle([fighter("Brother Cato", prone=True, fatigue=1, blood_loss=True)], [SKARR, mob(y=9)], cohesion=3)
    assert msgspec.json.decode(msgspec.json.encode(game.state), type=State) == game.state
    fighters, weapons, hordes, cohesion = game.tables
    assert fighters.rows[0][5] == "fatigue 1; prone; bleeding"
    assert weapons.rows[0][2] == "28/28"
    assert (hordes.rows[0][4], cohesion.rows[0]) == ("30/30", ("Vesper", "3"))


def test_every_action_cites_clauses_that_exist_and_says_what_it_is_about():
    one = Battle.new(RULESET)
    one.push("begin_battle", tape=1)
    for action in ACTIONS:
        assert action.clauses
        assert all(name in RULESET.clauses.by_id for name in action.clauses), action
    for option in one.options():
        assert option.action.about(one.state, option.params).get("unit", "") == getattr(option.params, "unit", "")
        assert option.refused is None or (option.refused.reason and option.refused.clause in RULESET.clauses.by_id)


@settings(deadline=None, max_examples=8)
@given(st.lists(st.integers(0, 10_000), min_size=10, max_size=40))
def test_random_battles_replay_undo_redo_and_come_back_from_their_text(steps):
    one = melee_and_fire()
    play_at_random(one, steps)
    one.check()
    for text in (one.text, write_battle(one, checkpoint=True)):
        again = read_battle(text)
        assert again == one
        assert again.state == one.state
    before, moves = one.state, one.moves
    for _ in moves:
        one.pop()
    assert one.state == melee_and_fire().state
    for move in moves:
        assert one.redo() == move
    assert one.state == before


def melee_and_fire() -> Battle:
    """Return a battle with all units close together, in every plight."""
    ours = [
        fighter("Brother Cato", 0, 0, on_fire=True),
        fighter("Brother Teodor", 0, 9),
        fighter("Brother Anselm", 1, 0, blood_loss=True),
        fighter("Brother Rurik", 3, 0, pinned=True, cover="8"),
    ]
    theirs = [
        fighter("Warlord Gharn", 0, 10),
        fighter("Raider", 1, 10, name="Skarr", stunned=1),
        mob(x=2, y=1, magnitude=22),
    ]
    return battle(ours, theirs, cohesion=2)


def test_what_the_measures_do_not_ask_is_forgotten_without_changing_them():
    from battletape.inputs import parse_inputs
    from battletape.tape.exact import Exact

    game = battle([fighter("Brother Cato", weapons=["Autogun"])], [fighter("Raider", 0, 20, name="Skarr"), mob(y=30)])
    for action, order in (
        ("shoot", {"target": "Skarr", "mode": "semi"}),
        ("shoot", {"target": "Raider mob", "mode": "single"}),
        ("suppress", {"target": "Raider mob"}),
    ):
        card = game.rules.action(action)
        work = game.rules.plan(card, game.state, parse_inputs(card.inputs, order, "")).begin.on(Script())
        full = Exact().run(card.procedure(work).stages, work)
        answer = game.odds(action, order, measures=["stunned"])
        for measure in card.measures:
            assert answer.odds(measure.name).fractions() == full.project(measure.of).fractions(), (action, measure.name)


def test_part_of_a_name_is_understood_where_an_action_names_only_some():
    one = battle([fighter("Brother Cato")], [fighter("Raider", 0, 20)])
    cato = unit_named(one, "Brother Cato")
    gun = next(held.name for held in cato.weapons if not held.profile.melee)
    assert not any(option.action.name in ("put_out", "clear_jam") for option in one.options())
    assert "Brother Cato is not on fire" in str(one.refusal("put_out", unit="cato"))
    assert f"{gun} is not jammed" in str(one.refusal("clear_jam", unit="cato", weapon=gun.lower()[:-2]))
    loose = replace(cato, weapons=tuple(replace(held, jammed=held.name == gun) for held in cato.weapons))
    options = one.rules.options(one.rules.action("clear_jam"), state(one).with_units(loose))
    assert [*map(msgspec.to_builtins, options)] == [{"unit": "Brother Cato", "weapon": gun}]
