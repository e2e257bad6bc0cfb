"""Doing, undoing, redoing, forking; what may be done and what it would bring."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Literal

import msgspec
import pytest
from msgspec import Meta
from msgspec.structs import replace

from battletape.battle import Battle, BattleFault
from battletape.battle.journal import Journal, Move, UndoMark
from battletape.battle.preview import plain_headline
from battletape.dice import D6
from battletape.errors import BadInput, BattletapeError, Refused, UnknownName
from battletape.inputs import Inputs
from battletape.procedure import Procedure
from battletape.system import EACH, Action, Measure, Plan, unchanged
from battletape.tape import NeedAnswer
from battletape.tape.limits import SECONDS_SPENT, Budget
from battletape.tape.script import Script
from battletape.tape.typed import Typed
from tests.battle.battles import ASH_AT_CROW, skirmish
from tests.toy import RULESET
from tests.toy.turn import BATTLE, OnTarget, Recruit


def test_a_new_battle_is_the_sample_with_the_default_rulings():
    battle = Battle.new("toy")
    assert [one.name for one in battle.state.fighters] == ["Ash", "Old Birch", "Crow", "Dun"]
    assert battle.rulings == RULESET.rulings()
    assert (battle.title, battle.moves, battle.journal, battle.over) == ("", (), (), None)
    assert repr(battle) == "<Battle toy '': 0 moves, turn 1, phase actions, side red>"
    assert [table.title for table in battle.tables] == ["Turn 1, red"]
    assert [action.name for action in battle.actions] == ["shoot", "move", "end_turn"]


def test_the_odds_of_an_action_have_seconds_of_their_own_and_say_if_they_were_too_few(monkeypatch):
    monkeypatch.setattr("battletape.battle.preview.PREVIEW_SECONDS", 0.0)
    battle = Battle.new("toy", rulings={"again": "always"})
    RULESET.memo.clear()
    late = battle.odds("shoot", unit="Ash", target="Crow")
    assert late.how.left_out == SECONDS_SPENT
    assert not battle.odds("shoot", unit="Ash", target="Crow", budget=Budget(seconds=60)).how.left_out


def test_rulings_come_by_name_preset_or_type():
    brisk = Battle.new(RULESET, rulings={"preset": "brisk"})
    assert brisk.rulings == RULESET.rulings(again="once", nerve_test="last")
    assert brisk.state.rulings == brisk.rulings
    assert Battle.new(RULESET, brisk.start, brisk.rulings) == brisk
    assert brisk != Battle.new(RULESET)
    assert brisk != "a battle"


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Battle.new("toi"), "there is no ruleset 'toi'. Did you mean 'toy'?"),
        (
            lambda: Battle.new(RULESET, {"fihgters": []}),
            "start: there is no input 'fihgters' here. Did you mean fighters",
        ),
        (lambda: Battle.new(RULESET, rulings={"again": "twice"}), "again must be one of always, once; got 'twice'"),
        (lambda: Battle.new(RULESET, title="two\nlines"), "title must be one line of up to 200 characters"),
        (lambda: Battle.new(replace(RULESET, battle=None)), "toy has no battles yet; it answers questions only"),
    ],
)
def test_a_set_up_that_does_not_fit(make, message):
    with pytest.raises(BadInput) as error:
        make()
    assert message in str(error.value)


def test_push_records_every_answer_and_moves_the_state():
    battle = Battle.new(RULESET)
    move = battle.push("shoot", OnTarget(unit="Ash", target="Crow"), tape=Script(*ASH_AT_CROW))
    assert [str(entry) for entry in move.entries] == [
        "choose snap or aim [snap | aim] = snap",
        "pool to hit [3 x 1-6] = 2 4 3",
        "direction smoke [degrees] = 217.5",
        "choose stand or duck [stand | duck] = stand",
        "roll wounds [1-3] = 2",
        "roll nerve [1-6] = 1",
    ]
    assert (move.number, move.follows, battle.moves) == (1, 0, (move,))
    assert battle.state.fighters[2].wounds == 2


def test_one_tape_may_serve_several_moves():
    tape = Script("snap", 1, 1, 1, 90, "snap", 1, 1)
    battle = Battle.new(RULESET)
    battle.push("shoot", unit="Ash", target="Crow", tape=tape)
    battle.push("shoot", unit="Old Birch", target="Crow", tape=tape)
    assert [len(move.entries) for move in battle.moves] == [3, 2]
    assert battle.check().answers == 5


def test_seeds_repeat():
    one, two = Battle.new(RULESET), Battle.new(RULESET)
    for battle in (one, two):
        battle.push("shoot", unit="Ash", target="Crow", tape=7)
    assert one == two
    two.pop()
    two.push("shoot", unit="Ash", target="Crow", tape="another")
    assert one.moves[0].entries != two.moves[0].entries


def test_typed_dice_come_one_by_one_and_change_nothing_until_all_are_there():
    battle = Battle.new(RULESET)
    before = battle.text
    typed: list[str] = []
    asked = []
    for answer in ("snap", "1 hit", "217.5", "stand", "2", "1"):
        with pytest.raises(NeedAnswer) as need:
            battle.push("shoot", unit="Ash", target="Crow", tape=Typed(typed))
        asked.append(need.value.ask.label)
        assert battle.text == before
        typed.append(answer)
    with pytest.raises(BadInput, match="to hit 1/3 must be 1-6, got 7"):
        battle.push("shoot", unit="Ash", target="Crow", tape=Typed(["snap", "7 7 7"]))
    assert battle.text == before
    battle.push("shoot", unit="Ash", target="Crow", tape=Typed(typed))
    assert asked == ["snap or aim", "to hit", "smoke", "stand or duck", "wounds", "nerve"]
    assert str(battle.moves[0].entries[1]) == "pool to hit [3 x 1-6] = 2 fail, 1 pass"
    assert battle.check().moves == 1


@pytest.mark.parametrize(
    ("action", "params", "message"),
    [
        ("shot", {}, "there is no action 'shot'. Did you mean 'shoot'?"),
        ("move", {"unit": "Ash", "too": 3}, "move: there is no input 'too' here. Did you mean to?"),
        ("move", {"unit": "Ash", "to": 99}, "move: to must be a whole number from 0 to 24; got 99."),
        ("move", {"unit": "Crow", "to": 4}, "red must act with Ash, Old Birch; got 'Crow' (TOY-1)"),
    ],
)
def test_what_does_not_fit_leaves_the_battle_as_it_was(action, params, message):
    battle = skirmish()
    battle.pop()
    text = battle.text
    for doing in (battle.push, battle.odds):
        with pytest.raises(BattletapeError) as error:
            doing(action, params)
        assert message in str(error.value)
    assert battle.text == text


def test_undo_and_redo_go_back_and_forth():
    battle = skirmish()
    states = []
    while battle.peek().undo:
        states.append(battle.state)
        battle.pop()
    assert battle.state == Battle.new(RULESET).state
    assert battle.peek().undo is None
    with pytest.raises(BattletapeError, match="there is nothing to undo: no move stands"):
        battle.pop()
    assert [battle.redo().number for _ in states] == [1, 3, 4]
    assert battle.state == states[0]
    assert battle.redo().number == 5
    with pytest.raises(BattletapeError, match="there is nothing to redo"):
        battle.redo()


def test_a_new_move_ends_redo_but_the_undone_one_stays_in_the_journal():
    battle = skirmish()
    assert battle.peek().redo is not None
    battle.push("move", unit="Crow", to=9)
    assert battle.peek().redo is None
    assert [move.number for move in battle.moves] == [1, 3, 4, 6]
    told = [item.kind if isinstance(item, UndoMark) else item.number for item in battle.journal]
    assert told == [1, 2, "undo", 3, 4, 5, "undo", 6]
    assert [item.follows for item in battle.journal if not isinstance(item, UndoMark)] == [0, 1, 1, 3, 4, 4]


def test_fork_takes_the_way_to_any_move_undone_ones_too():
    battle = skirmish()
    at_two = battle.fork(2, title="What if")
    assert [move.action for move in at_two.moves] == ["shoot", "move"]
    assert at_two.state.fighters[1].at == 4
    assert at_two.title == "What if"
    assert at_two.check().moves == 2
    at_two.push("end_turn")
    assert len(battle.record.moves) == 5
    assert battle.fork().state == battle.state
    assert battle.fork(0).state == Battle.new(RULESET).state
    for wrong in (-1, 6, True, "2"):
        with pytest.raises(BadInput, match="fork needs the number of a move from 0 to 5"):
            battle.fork(wrong)  # type: ignore[arg-type]


def test_options_come_with_the_reason_and_legal_are_those_without():
    battle = skirmish()
    options = {(one.action.name, *one.params.__rich_repr__()): one.refused for one in battle.options()}
    free = [key for key, refused in options.items() if refused is None]
    assert (("shoot", ("unit", "Crow"), ("target", "Ash"))) in free
    assert [(one.action.name, *one.params.__rich_repr__()) for one in battle.legal()] == free
    far = options["shoot", ("unit", "Dun"), ("target", "Ash")]
    assert far is not None
    assert (far.reason, far.clause) == ("Ash is 16 paces away, a shot reaches 12", "TOY-2")
    assert battle.refusal("shoot", unit="Crow", target="Ash") is None
    assert isinstance(battle.refusal("shoot", unit="Dun", target="Ash"), Refused)


def test_an_option_is_asked_about_and_done_as_it_is():
    battle = skirmish()
    option = next(one for one in battle.legal() if one.action.name == "shoot")
    named = option.action.name, option.params
    assert battle.odds(option).states == battle.odds(*named).states
    battle, branch = battle.fork(), battle.fork()
    assert battle.push(option, tape=3).entries == branch.push(*named, tape=3).entries
    assert battle.text == branch.text
    refused = next(one for one in battle.options() if one.refused)
    assert str(battle.refusal(refused)) == str(refused.refused)
    with pytest.raises(Refused):
        battle.push(refused)


def test_a_closed_action_is_refused_whatever_is_said_without_being_planned():
    tried: list[OnTarget] = []

    def plan(state: object, order: OnTarget) -> Plan:
        tried.append(order)
        return Plan(unchanged, state)

    shoot = BATTLE.action("shoot")
    shut = replace(shoot, plan=plan, closed=lambda state: Refused("the guns are silent until dawn", "TOY-1"))
    actions = tuple(shut if action.name == "shoot" else action for action in BATTLE.actions)
    battle = Battle.new(replace(RULESET, battle=replace(BATTLE, actions=actions)))
    assert {option.action.name for option in battle.legal()} == {"move", "end_turn"}
    (option,) = battle.options_of("shoot")
    assert option.refused is not None
    assert (option.refused.reason, option.refused.at_all) == ("the guns are silent until dawn", True)
    with pytest.raises(Refused, match="silent until dawn"):
        battle.push("shoot", unit="Ash", target="Crow")
    assert tried == []


def test_what_is_said_beside_an_option_wins():
    battle = skirmish()
    walk = next(one for one in battle.legal() if one.action.name == "move")
    assert battle.push(walk, to=walk.params.to + 1).params == replace(walk.params, to=walk.params.to + 1)


def test_the_odds_of_an_action_are_those_of_the_question_from_the_live_state():
    battle = skirmish()
    before = battle.text
    odds = battle.odds("shoot", unit="Crow", target="Ash")
    asked = RULESET.ask("shoot", wounds=4, save=5, dice=3, paces=8, keywords=("Heavy",))
    assert odds.states == asked.states
    assert str(odds) == str(asked)
    assert odds.steps == asked.steps
    assert odds.how.method == "exact"
    assert odds.rulings == battle.rulings
    assert odds.odds("fallen").chance(True) > 0
    assert battle.text == before
    weak = battle.fork()
    weak.push("shoot", unit="Crow", target="Ash", tape=Script("snap", 6, 1, 1, "stand", 2, 2, 1))
    weak.push("end_turn")
    weak.push("end_turn")
    assert weak.odds("shoot", unit="Crow", target="Ash").odds("fallen").chance(True) > odds.odds("fallen").chance(True)


def test_actions_without_a_sentence_of_their_own_get_a_plain_one():
    battle = Battle.new(RULESET)
    assert str(battle.odds("end_turn")) == "End the turn: no dice, nothing to measure."
    answer = battle.odds("shoot", unit="Old Birch", target="Crow")
    assert plain_headline(answer) == f"Wounds lost: {float(answer.odds().mean):.2f} on average."
    words = replace(answer.question, measures=(Measure("word", "Result", lambda shot: f"{shot.lost} lost"),))
    assert plain_headline(replace(answer, question=words)) == "Result: most likely 4 lost."


def test_a_recording_that_no_longer_fits_names_the_move():
    battle = skirmish()
    first = battle.record.moves[0]
    battle.record.moves[0] = Move(1, 0, first.action, (first.params, first.entries[:-1]))
    with pytest.raises(
        BattleFault, match=r"^move 1 \(shoot\) needs one more answer, “roll nerve \[1-6\] = …”; it has 5"
    ):
        battle.check()


def test_check_finds_a_state_that_the_replay_does_not_reach():
    battle = skirmish()
    assert battle.check() == (5, 11, "new")
    battle.trust(4, battle.fork(1).state)
    with pytest.raises(BattleFault, match=r"the replay of move 4 \(end_turn\) ends in another state"):
        battle.check()


def test_a_rule_that_fails_in_a_replay_is_told_with_its_move():
    def stumble(tape, state):
        raise BattletapeError("the rule stumbles")

    action = replace(BATTLE.actions[2], procedure=Procedure("stumble", (stumble,)))
    rules = replace(BATTLE, actions=(*BATTLE.actions[:2], action))
    battle = skirmish()
    battle.rules = rules
    with pytest.raises(BattleFault, match=r"move 4 \(end_turn\): the rule stumbles"):
        battle.check()


def test_an_answer_that_no_file_can_hold_is_refused():
    def ask(tape, state):
        tape.choose(("one\ntwo", "three"), by="red", label="lines")
        return state

    action = replace(BATTLE.actions[2], procedure=Procedure("ask", (ask,)))
    battle = Battle.new(replace(RULESET, battle=replace(BATTLE, actions=(action,))))
    with pytest.raises(BattletapeError, match="cannot be written as one line"):
        battle.push("end_turn")
    assert battle.journal == ()


def test_luck_of_a_single_die_shows_in_the_odds_of_a_custom_action():
    def ask(tape, state):
        return tape.roll(D6, label="die")

    action = replace(
        BATTLE.actions[2],
        plan=lambda state, order: Plan(unchanged, state).then(lambda tape, work: state),
        procedure=Procedure("ask", (ask,)),
        measures=(Measure("pips", "Pips", lambda work: work),),
    )
    battle = Battle.new(replace(RULESET, battle=replace(BATTLE, actions=(action,))))
    assert battle.odds("end_turn").odds().mean == Fraction(7, 2)
    assert str(battle.odds("end_turn")) == "Pips: 3.50 on average."


def test_one_move_is_told_on_its_own():
    battle = skirmish()
    told = battle.move_record(5)
    assert (told.move.number, told.undone, told.before) == (5, True, battle.state)
    assert told.lines[0].text == "Snap or aim by attacker: aim"
    assert list(battle.move_records())[5] == told
    for wrong in (0, 6):
        with pytest.raises(BadInput, match=f"the moves are numbered 1 to 5; got {wrong}"):
            battle.move_record(wrong)


def test_the_rulings_in_force_are_those_of_the_state():
    battle = Battle.new(RULESET)
    action = replace(
        BATTLE.actions[2],
        plan=lambda state, order: Plan(
            unchanged, msgspec.structs.replace(state, rulings=RULESET.rulings(again="once"))
        ),
    )
    battle.rules = replace(BATTLE, actions=(BATTLE.actions[0], action))
    battle.push("end_turn")
    assert battle.rulings == RULESET.rulings()
    assert battle.agreed == RULESET.rulings(again="once")
    assert battle.odds("shoot", unit="Ash", target="Crow").rulings == battle.agreed


class Profiled(Recruit, frozen=True):
    """A fighter by the name of a profile."""

    profile: str = ""


class Side(Inputs, frozen=True):
    """A side with its fighters."""

    name: str = ""
    fighters: tuple[Profiled, ...] = ()


class Sides(Inputs, frozen=True):
    """All sides."""

    sides: tuple[Side, ...] = ()


def test_profiles_are_written_out_when_a_battle_begins():
    def fill(given, book):
        return {"name": given["profile"], **given, "wounds": 7}

    rules = replace(BATTLE, start=Sides, begin=lambda start, rulings: start, state=Sides, fill={"fighters": fill})
    sides = [{"name": "red", "fighters": ["Ash", {"profile": "Elm", "name": "Old Elm"}, "profile=Oak dice=5"]}]
    (side,) = Battle.new(replace(RULESET, battle=rules), {"sides": sides}).state.sides
    assert [(one.profile, one.name, one.wounds, one.dice) for one in side.fighters] == [
        ("Ash", "Ash", 7, 3),
        ("Elm", "Old Elm", 7, 3),
        ("Oak", "Oak", 7, 5),
    ]


def test_a_journal_compares_by_what_is_in_it():
    assert Journal() == Journal()
    assert Journal() != 1
    with pytest.raises(UnknownName):
        skirmish().rules.action("fly")


@pytest.mark.parametrize(
    "fighters, told",
    [([""], "needs the name of a profile"), (["profile"], None), ("Ash ; profile=Oak dice=5", None)],
)
def test_a_start_takes_names_or_pairs_and_no_empty_name(fighters, told):
    rules = replace(
        BATTLE,
        start=Sides,
        begin=lambda start, rulings: start,
        state=Sides,
        fill={"fighters": lambda given, book: given},
    )
    card = replace(RULESET, battle=rules)
    if told:
        with pytest.raises(BadInput, match=told):
            Battle.new(card, {"sides": [{"name": "red", "fighters": fighters}]})
        return
    (side,) = Battle.new(card, {"sides": [{"name": "red", "fighters": fighters}]}).state.sides
    assert [one.profile for one in side.fighters] == (["profile"] if fighters == ["profile"] else ["Ash", "Oak"])


def test_a_role_that_the_battle_does_not_know_is_told_with_whose_it_is():
    with pytest.raises(BattletapeError, match=r"unit of shoot has the role 'own fighter'.* Known: enemy\."):
        Battle.new(replace(RULESET, battle=replace(BATTLE, roles={"enemy": BATTLE.roles["enemy"]}))).legal()


def test_the_role_each_stands_for_every_choice_of_an_input_and_for_yes_and_no():
    class Stance(Inputs, frozen=True):
        unit: Annotated[str, Meta(extra={"role": "own fighter"})] = ""
        pace: Annotated[Literal["slow", "fast"], Meta(extra={"role": EACH})] = "slow"
        loud: Annotated[bool, Meta(extra={"role": EACH})] = False

    action = Action("stance", "Take a stance", Stance, lambda state, order: state)
    state = Battle.new("toy").state
    options = [(order.pace, order.loud) for order in BATTLE.options(action, state) if order.unit == "Ash"]  # type: ignore[attr-defined]
    assert options == [("slow", False), ("slow", True), ("fast", False), ("fast", True)]
