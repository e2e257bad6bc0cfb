"""Values that do not fit the public names: a sentence, never an error of Python's own."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, cast

import pytest
from msgspec.structs import replace

import battletape as bt
from battletape.answer import advise, ask, roll, sample
from battletape.battle.store import open_battle
from battletape.errors import UnknownName, by_name
from tests.toy import RULESET as TOY

SYSTEM = bt.ruleset("attack_dice")
ODDS = bt.Odds({1: 1, 2: 1})
SHOOT = TOY.question("shoot")
ACTION = cast(Any, TOY.battle).actions[0]
NAN = float("nan")
LIST = cast(Any, [1])


def asks(method: str, *args: Any, **named: Any) -> Callable[[Any, Any], Any]:
    return lambda tape, state: getattr(tape, method)(*args, label="x", **named)


def roll_it(tape: bt.Tape, state: Any) -> Any:
    return tape.roll(bt.D6, label="x")


CASES: dict[str, tuple[Callable[[], Any], str]] = {
    "a measure alone": (
        lambda: replace(SHOOT, measures=SHOOT.measures[0]),
        r"the measures of 'shoot' must be a tuple of Measure, such as \(FALLEN,\); got a Measure",
    ),
    "a question alone": (lambda: replace(TOY, questions=SHOOT), r"must be a tuple of Question, such as \(SHOOT,\)"),
    "questions by name": (lambda: replace(TOY, questions=("shoot",)), r"tuple of Question.*; got \('shoot',\)"),
    "sides as text": (lambda: bt.d("6"), "a die needs 1 to 1,000 sides, got '6'"),
    "half a side": (lambda: bt.d(2.5), "a die needs 1 to 1,000 sides, got 2.5"),
    "no faces": (lambda: bt.special("coin", ()), "the die coin needs faces with whole-number weights, got {}"),
    "faces that change": (lambda: bt.special("coin", [LIST]), r"a special die needs faces such as numbers or names"),
    "faces as a number": (lambda: bt.special("coin", 5), r"a special die needs faces such as numbers or names, got 5"),
    "a nameless die": (lambda: bt.special(5, "ab"), "a die needs a name and faces with their weights, got 5"),
    "half a weight": (lambda: bt.Die("coin", {1: 0.5}), "the die coin needs faces with whole-number weights"),
    "a negative weight": (lambda: bt.Die("coin", {1: -1, 2: 2}), "the die coin needs faces with whole-number weights"),
    "weights as text": (lambda: bt.Die("coin", {1: "a"}), "the die coin needs faces with whole-number weights"),
    "at least text": (lambda: bt.at_least("4"), "at_least needs a number such as 4, got '4'"),
    "at most nothing": (lambda: bt.at_most(None), "at_most needs a number such as 4, got None"),
    "a band of text": (lambda: bt.bands(hit="4"), "the band hit needs a number such as 4, got '4'"),
    "degrees of text": (lambda: bt.degrees("4"), "degrees needs a number such as 4, got '4'"),
    "odds in floats": (lambda: bt.Odds({1: 0.5}), r"odds need values with whole-number weights such as {1: 5, 2: 1}"),
    "odds in fractions": (lambda: bt.Odds({1: Fraction(1, 2)}), r"whole-number weights .* got {1: Fraction\(1, 2\)}"),
    "odds of a list": (lambda: bt.Odds([1, 2]), r"whole-number weights .* got \[1, 2\]"),
    "odds of text": (lambda: bt.Odds({1: "a"}), "whole-number weights"),
    "a total of text": (lambda: bt.Odds({1: 1}, "a"), "got {1: 1} and the total 'a'"),
    "a share of text": (lambda: ODDS.quantile("a"), "a quantile needs a share from 0 to 1, got 'a'"),
    "no share": (lambda: ODDS.quantile(NAN), "a quantile needs a share from 0 to 1, got nan"),
    "at least a word": (lambda: ODDS.at_least("a"), "'a' has no order among results such as 1"),
    "a sum with a word": (lambda: ODDS + "a", "a sum needs results that add up, got 1 and 'a'"),
    "a sum with a list": (lambda: ODDS + LIST, r"a sum needs results that add up, got \[1\]"),
    "a sum with no number": (lambda: ODDS + NAN, "a sum needs results that add up, got nan"),
    "a number of times a word": (lambda: bt.Odds({"a": 1}) * 3, "a product needs numbers, got 'a' and 3"),
    "the greater of a word": (lambda: ODDS.max("a"), "the greater one needs results with an order, got 1 and 'a'"),
    "more than a word": (lambda: ODDS > "a", "a comparison needs results with an order, got 1 and 'a'"),
    "an if about a comparison": (lambda: bool(ODDS > 1), "a comparison of odds is itself odds, 50 % for True"),
    "Python's own max": (lambda: max(ODDS, cast(Any, 3)), r"a\.max\(b\) or a\.min\(b\)"),
    "odds in order": (lambda: sorted([ODDS, ODDS + 1]), r"sort by odds\.mean"),
    "odds by a list": (lambda: ODDS[LIST], r"odds are looked up by a value, such as odds\[3\]; got \[1\]"),
    "a sum with words": (lambda: ODDS + bt.Odds({"a": 1}), "a sum needs results that add up, got 1 and 'a'"),
    "a comparison with words": (lambda: ODDS.compare(bt.Odds({"a": 1})), "a comparison needs results with an order"),
    "a comparison with a number": (lambda: ODDS.compare(3), "a comparison needs other odds, got 3"),
    "a measure that is none": (lambda: ODDS.project(None), "odds are projected with a function of the result"),
    "a measure that changes": (lambda: ODDS.project(lambda value: [value]), r"a measure must be .* got \[1\]"),
    "a chance of a list": (lambda: ODDS.chance([1]), r"a chance needs a value or a condition, got \[1\]"),
    "a seed that is a list": (lambda: bt.Rolled([1]), r"a seed must be a whole number or a text, got \[1\]"),
    "typed answers in one text": (
        lambda: bt.Typed("3 4"),
        "typed answers must be a list with a text for each question",
    ),
    "typed answers of a number": (
        lambda: bt.Typed(5),
        "typed answers must be a list with a text for each question, got 5",
    ),
    "a recording in one text": (lambda: bt.Recorded("roll x [1-6] = 4"), "a recording must be a list of entries"),
    "a recording of anything": (
        lambda: bt.Recorded([cast(Any, 5)]),
        "an entry must have the form .* got '5'",
    ),
    "a goal that is none": (lambda: bt.Best(None), "a goal must be a function of the last state, got None"),
    "a goal of words": (
        lambda: bt.Best(lambda state: "a").run((asks("choose", ("a", "b"), by="me"),), 0),
        "a goal must give a number for every state, got 'a'",
    ),
    "sides in one word": (lambda: bt.Best(lambda state: 0, "max"), "sides must be a mapping"),
    "half a sample": (lambda: bt.sampled((asks("roll", bt.D6),), 0, 2.5), "sampling needs one run or more, got 2.5"),
    "samples of a function": (
        lambda: bt.sampled(asks("roll", bt.D6), 0, 5),
        "needs its stages as a tuple of functions",
    ),
    "samples that change": (
        lambda: bt.sampled((lambda tape, state: [1],), 0, 5),
        "a state or result must be frozen, such as a number, a tuple or a frozen Struct, .* got 'list'",
    ),
    "a budget of text": (lambda: bt.Budget(branches="a"), "branches of a budget must be a whole number of 1 .* 'a'"),
    "a budget of a number": (lambda: bt.Exact(budget=5).run((), 0), r"a budget must be a Budget\(.* got 5"),
    "a clause without its id": (lambda: bt.clause(lambda: 0), r"cites clauses by their ids: @clause\(\"AD-7\"\)"),
    "a ruleset that is a list": (lambda: bt.ruleset([]), r"there is no ruleset '\[\]'"),
    "a name that is taken": (
        lambda: bt.register(replace(TOY, name="attack_dice")),
        r"the name 'attack_dice' is one of Battletape's own rulesets; .* register\(card, replace=True\)",
    ),
    "stages instead of a procedure": (
        lambda: replace(SHOOT, procedure=(roll_it,)),
        r"the procedure of 'shoot' must be a Procedure, such as Procedure\('shoot', .* got a tuple",
    ),
    "stages from a function": (
        lambda: ask(TOY, replace(SHOOT, procedure=lambda start: (roll_it,)), {}),
        "shoot: its procedure must be a Procedure, .* got a tuple",
    ),
    "a stage alone": (
        lambda: bt.Procedure("shoot", roll_it),
        "the procedure 'shoot' needs its stages as a tuple of functions, .* got <function roll_it",
    ),
    "a list as the state": (
        lambda: ask(TOY, replace(SHOOT, begin=lambda inputs, rulings: [0]), {}),
        "shoot: the state that begin gives must be frozen, such as a frozen Struct, .* got a list",
    ),
    "a list from a stage": (
        lambda: ask(TOY, replace(SHOOT, procedure=bt.Procedure("x", (lambda tape, state: [0],))), {}),
        "a state or result must be frozen, such as a number, a tuple or a frozen Struct, .* got 'list'",
    ),
    "a beginning without a return": (
        lambda: ask(TOY, replace(SHOOT, begin=lambda inputs, rulings: None), {}),
        "shoot: its begin must return the state before the first stage, .*; got None, as without a return",
    ),
    "a headline that is a text": (
        lambda: replace(SHOOT, headline="Five fall."),
        r"the headline of 'shoot' must be a function, such as def headline\(answer\), .*; got the text 'Five fall\.'",
    ),
    "a beginning that is a state": (
        lambda: replace(SHOOT, begin=0),
        r"the begin of 'shoot' must be a function, such as def begin\(inputs, rulings\), .*; got an int",
    ),
    "a headline of an action": (
        lambda: replace(ACTION, headline="It falls."),
        "the headline of '.*' must be a function, .*; got the text 'It falls.'",
    ),
    "an action without a plan": (
        lambda: replace(ACTION, plan=None),
        r"the plan of '.*' must be a function, such as def plan\(state, order\), .*; got a NoneType",
    ),
    "a measure of a name": (
        lambda: bt.Measure("fallen", "Models fallen", "fallen"),
        "what the measure 'fallen' reads off a state must be a function, such as lambda .*; got the text 'fallen'",
    ),
    "a headline without a return": (
        lambda: ask(TOY, replace(SHOOT, headline=lambda answer: None), {}).headline,
        "shoot: its headline must return a sentence; got nothing",
    ),
    "a card that is none": (lambda: bt.register("x"), "registered by its card, a Ruleset; got 'x'"),
    "a budget for a question": (lambda: SYSTEM.ask("attack", budget=3), r"a budget must be a Budget\("),
    "a preset that is a list": (lambda: SYSTEM.ask("attack", preset=[]), r"there is no preset '\[\]'"),
    "a tape of text": (lambda: SYSTEM.roll("attack", tape="3"), "a roll needs a tape of one path, .* got '3'"),
    "a tape of all paths": (lambda: SYSTEM.roll("attack", tape=bt.Exact()), "a roll needs a tape of one path"),
    "a file of no name": (lambda: SYSTEM.with_profiles("a\0b").ask("attack", unit="x"), "it cannot be read"),
    "a battle file of no name": (lambda: open_battle("a\0b"), "cannot be read"),
    "a battle of a number": (lambda: bt.Battle.new(5), "there is no ruleset '5'"),
    "a start that is text": (lambda: bt.Battle.new("attack_dice", "x"), "names with their values are needed"),
    "rulings that are text": (lambda: bt.Battle.new("attack_dice", None, "x"), "names with their values are needed"),
    "a title of a number": (lambda: bt.Battle.new("attack_dice", title=5), "title must be one line .* got 5"),
    "a key of a number": (lambda: bt.Battle.new("attack_dice", {5: 3}), "there is no input 5 here"),
    "dice from a list": (lambda: bt.Battle.new("attack_dice").push("start", tape=[]), "a seed must be"),
    "words for an action": (lambda: bt.Battle.new("attack_dice").push("start", "x"), "names with their values"),
    "a move by name": (lambda: bt.Battle.new("attack_dice").move_record("a"), "the moves are numbered 1 to 0; got 'a'"),
}


@pytest.mark.parametrize("name", CASES)
def test_a_value_that_does_not_fit_is_refused_with_a_sentence(name: str):
    misuse, sentence = CASES[name]
    with pytest.raises(bt.BattletapeError, match=sentence):
        misuse()


READERS: dict[str, Callable[[Any], Any]] = {
    "rolled": lambda rule: rule(bt.Rolled(1), 0),
    "typed": lambda rule: rule(bt.Typed(["1"]), 0),
    "exact": lambda rule: bt.Exact().run((rule,), 0),
    "best": lambda rule: bt.Best(lambda state: 0).run((rule,), 0),
    "sampled": lambda rule: bt.sampled((rule,), 0, 3),
}


def aim(tape: bt.Tape, state: Any) -> Any:
    return state


def forget_to_return(tape: bt.Tape, state: Any) -> Any:
    tape.roll(bt.D6, label="to hit")


def now_and_then(tape: bt.Tape, state: Any) -> Any:
    return state if tape.roll(bt.D6, bt.at_least(2), label="to hit") else None


def wound(tape: bt.Tape, state: Any) -> Any:
    return replace(state, kills=tape.roll(bt.D6, label="to wound"))


ANSWERS: dict[str, Callable[[Any], Any]] = {
    "ask": lambda question: ask(TOY, question, {}),
    "roll": lambda question: [roll(TOY, question, {}, seed=seed) for seed in range(40)],
    "sample": lambda question: sample(TOY, question, {}, 100, seed=1),
    "advise": lambda question: advise(TOY, question, {}, question.measures[0].name),
}


@pytest.mark.parametrize("way", ANSWERS)
@pytest.mark.parametrize("slip", [forget_to_return, now_and_then])
def test_a_stage_that_returns_nothing_is_named(way: str, slip: Any):
    for stages in ((aim, slip), (aim, slip, wound)):
        question = replace(SHOOT, procedure=bt.Procedure("shoot", stages))
        with pytest.raises(bt.BattletapeError) as error:
            ANSWERS[way](question)
        assert str(error.value).startswith(f"shoot: the stage {slip.__name__} must return the state after it, such as ")


def with_shot(**changed: Any) -> tuple[bt.Battle, Any]:
    """A battle whose shot is changed, and such a shot."""
    rules: Any = TOY.battle
    actions = tuple(replace(card, **changed) if card is ACTION else card for card in rules.actions)
    game = bt.Battle.new(replace(TOY, battle=replace(rules, actions=actions)), rules.sample())
    return game, next(option for option in game.legal() if option.action.name == ACTION.name)


def test_a_stage_of_an_action_that_returns_nothing_is_named():
    named = "shoot: the stage forget_to_return must return the state after it"
    for stages in ((forget_to_return,), (forget_to_return, wound)):
        game, option = with_shot(procedure=bt.Procedure("shoot", stages))
        with pytest.raises(bt.BattletapeError, match=named):
            game.odds(option)
        with pytest.raises(bt.BattletapeError, match=named):
            game.push(option)
    for bare, got in ((None, "None, as without a return"), (5, "an int")):
        with pytest.raises(bt.BattletapeError, match=f"shoot: its plan must return a Plan, such as .*; got {got}"):
            with_shot(plan=lambda state, order, bare=bare: bare)


LINES = {"\n": "a\nb", "at the end": "a\n", "return": "a\rb", "nothing": "", "a number": 5}
QUESTIONS: dict[str, tuple[Callable[[Any, Any], Any], str]] = {
    "no options": (asks("choose", (), by="me"), "x: a choice needs one option or more, got none"),
    "options that are none": (asks("choose", None, by="me"), "x: a choice needs its options in order, .* got None"),
    "options in no order": (asks("choose", {"a", "b"}, by="me"), "x: a choice needs its options in order"),
    "half a die": (asks("pool", 1.5, bt.D6), "x: a pool needs 0 to 1,000,000 dice, got 1.5"),
    "dice as text": (asks("pool", "3", bt.D6), "x: a pool needs 0 to 1,000,000 dice, got '3'"),
    "a number for a die": (asks("roll", 6), r"a rule rolls dice such as D6 or d\(8\), got 6"),
    "a number for a pool's die": (asks("pool", 2, 6), r"a rule rolls dice such as D6 or d\(8\), got 6"),
    "a number for a reading": (asks("roll", bt.D6, 5), r"a die is read with a function such as at_least\(4\), got 5"),
    "bearings as text": (asks("direction", ["a", "b"]), "x: cuts must be rising bearings from 0 to below 360"),
    "a bearing alone": (asks("direction", 5), "x: cuts must be rising bearings from 0 to below 360, got 5"),
    "options twice": (asks("choose", (1, 1), by="me"), r"x: a choice needs options that differ, got \(1, 1\)"),
    "lists twice": (asks("choose", ([1], [2], [1]), by="me"), r"x: a choice needs options that differ, got \(\[1\],"),
    "a bearing that is none": (asks("direction", [NAN, 1.0]), "x: cuts must be rising bearings from 0 to below 360"),
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("name", QUESTIONS)
def test_every_reader_refuses_a_question_that_makes_no_sense(reader: str, name: str):
    rule, sentence = QUESTIONS[name]
    with pytest.raises(bt.BattletapeError, match=sentence):
        READERS[reader](rule)


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("label", LINES.values(), ids=LINES)
def test_a_label_is_one_line(reader: str, label: Any):
    for rule in (
        lambda tape, state: tape.roll(bt.D6, label=label),
        lambda tape, state: tape.pool(2, bt.D6, label=label),
        lambda tape, state: tape.pool(0, bt.D6, label=label),
        lambda tape, state: tape.direction((0, 90), label=label),
        lambda tape, state: tape.choose(("a", "b"), by="me", label=label),
        lambda tape, state: tape.choose(("a",), by="me", label=label),
    ):
        with pytest.raises(bt.BattletapeError) as error:
            READERS[reader](rule)
        assert str(error.value) == f"a question needs a label of one line, got {label!r}"


@pytest.mark.parametrize("reader", ["exact", "best", "sampled"])
def test_every_reader_refuses_states_that_change(reader: str):
    with pytest.raises(bt.BattletapeError, match=r"a state or result must be frozen, .* got 'list'"):
        READERS[reader](lambda tape, state: [tape.roll(bt.D6, label="x")])


def test_an_error_inside_a_rule_is_passed_on_unchanged():
    def rule(tape, state):
        return state + "a"

    for reader in READERS.values():
        with pytest.raises(TypeError, match="unsupported operand"):
            reader(rule)


def test_answers_entries_options_and_odds_of_other_types_are_accepted():
    assert bt.Typed([cast(Any, 3)]).roll(bt.D6, label="x") == 3
    assert bt.Recorded(["roll x [1-6] = 4"]).roll(bt.D6, label="x") == 4
    assert bt.Rolled(1).choose((one for one in "ab"), by="me", label="x") == "a"
    assert (ODDS == {1: "much"}) is False
    assert bt.Odds({1: True}) == {1: 1}


def test_things_are_found_by_name_in_small_or_capital_letters():
    questions = TOY.questions
    assert by_name("question", " SHOOT ", questions) is SHOOT
    with pytest.raises(UnknownName, match=r"^toy: there is no question 'shot' \(T-1\)\. Did you mean 'shoot'\?"):
        by_name("question", "shot", questions, source="toy", clause="T-1")
