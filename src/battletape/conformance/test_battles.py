"""Battles keep the same promises in every ruleset: undo, redo, text, checkpoint, refusals with a reason."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator

import msgspec
import pytest

from battletape.battle import Battle
from battletape.battle.notation import write_battle
from battletape.battle.reading import read_battle
from battletape.battle.report import COLUMNS, log_text, to_csv, to_json
from battletape.conformance.plugin import fail_if
from battletape.conformance.random_play import play_at_random
from battletape.conformance.subjects import Subject
from battletape.errors import Refused
from battletape.inputs import fields
from battletape.system import BattleRules
from battletape.tape.limits import Budget

FEWEST = 6  # moves of a battle that is worth a look
STEPS = [tuple(range(start, start + 40)) for start in (0, 1000, 2000)]
BUDGET = Budget(seconds=600.0)  # a busy machine is no reason to leave something out
TAKEN = {"tape", "budget", "floats"}  # by what `push` and `odds` take themselves
every_play = pytest.mark.parametrize("steps", STEPS, ids=["play 1", "play 2", "play 3"])


def rules(subject: Subject) -> BattleRules:
    """Return the battle on the card."""
    assert subject.ruleset.battle_rules is not None
    return subject.ruleset.battle_rules


def played(subject: Subject, steps: tuple[int, ...]) -> Battle:
    """Return the sample, played at random."""
    battle = Battle.new(subject.ruleset, title="Conformance")
    play_at_random(battle, steps)
    if len(battle.record.moves) < FEWEST:
        fail_if(
            [
                f"The sample, played at random, has only {len(battle.record.moves)} moves; "
                f"let it last for {FEWEST}, so that undo, redo and files can be tried."
            ]
        )
    return battle


@every_play
def test_replay_and_text_give_the_same_battle(battling: Subject, steps: tuple[int, ...]) -> None:
    battle = played(battling, steps)
    battle.check()
    for text in (battle.text, write_battle(battle, checkpoint=True)):
        again = read_battle(text, card=battling.ruleset)
        same = {
            "moves": again == battle,
            "state": again.state == battle.state,
            "text": again.text == battle.text,
            "log": list(again.move_records()) == list(battle.move_records()),
        }
        fail_if(
            f"Written to a file and read again, the battle has another {what}. Is every part of the state and of the "
            "inputs a type that comes back from JSON as it went, and the log a matter of state and dice alone?"
            for what, is_same in same.items()
            if not is_same
        )
    if again.opened != "checkpoint":
        fail_if(["A file with a checkpoint is not opened by it: the state does not come back from JSON as it went."])


@every_play
def test_undo_then_redo_is_the_identity(battling: Subject, steps: tuple[int, ...]) -> None:
    battle = played(battling, steps)
    moves, states = battle.moves, [battle.state]
    for _ in moves:
        battle.pop()
        states.append(battle.state)
    problems = []
    if battle.state != Battle.new(battling.ruleset).state:
        problems.append("With every move undone, the battle is not as it began.")
    for move in moves:
        if battle.state != states.pop():
            problems.append(f"Before move {move.number} ({move.action}) redo finds another state than undo left.")
        if battle.redo() != move:
            problems.append(f"Redone, move {move.number} ({move.action}) is another.")
    if [battle.state] != states or battle.moves != moves:
        problems.append("With every move redone, the battle is not as it was.")
    fail_if(f"{problem} Does `finish` ask something besides the state and the dice?" for problem in problems)


@every_play
def test_every_refusal_has_a_reason_and_a_clause_of_the_book(battling: Subject, steps: tuple[int, ...]) -> None:
    refusals = refused_in(played(battling, steps))
    problems = []
    for action, refusal in refusals:
        if not refusal.reason.strip():
            problems.append(f"{action} is refused without a reason.")
        if refusal.clause not in battling.ruleset.clauses.by_id:
            named = refusal.clause or "none"
            problems.append(f"{action} is refused ({refusal.reason}) by the clause {named}; name one of clauses.toml.")
    fail_if(problems)


def refused_in(battle: Battle) -> Iterator[tuple[str, Refused]]:
    """Yield what is refused on the way of a battle: the action and why."""
    for at in range(len(battle.moves)):
        for option in battle.fork(at).options():
            if option.refused is not None:
                yield option.action.name, option.refused


def test_what_is_refused_is_not_done_and_what_is_legal_is(battling: Subject) -> None:
    battle = Battle.new(battling.ruleset)
    problems = []
    for option in battle.options():
        branch = battle.fork()
        before = branch.text
        try:
            branch.push(option, tape=1)
        except Refused as refusal:
            if option.refused is None:
                problems.append(f"{option.action.name}: legal, and yet refused when it is done: {refusal}")
            elif branch.text != before:
                problems.append(f"{option.action.name}: refused, and yet something was done.")
        else:
            if option.refused is not None or len(branch.moves) != 1:
                problems.append(f"{option.action.name}: refused ({option.refused}), and yet done.")
    fail_if(problems)


def test_states_are_frozen_hashable_and_come_back_from_json(battling: Subject) -> None:
    battle, kind = played(battling, STEPS[0]), rules(battling).state
    if not issubclass(kind, msgspec.Struct) or not kind.__struct_config__.frozen:
        fail_if([f"The state of a battle should be a frozen msgspec Struct; {kind.__name__} is none."])
    for number in range(len(battle.record.moves) + 1):
        state = battle.reach(number)
        hash(state)
        if not isinstance(state, kind):
            fail_if([f"After move {number} the state is a {type(state).__name__}; the card says {kind.__name__}."])
        if msgspec.json.decode(msgspec.json.encode(state), type=kind) != state:
            fail_if([f"After move {number} the state does not come back from JSON as it went."])


def test_the_odds_of_every_legal_action_sum_to_one_and_change_nothing(battling: Subject) -> None:
    battle = played(battling, STEPS[0])
    problems: list[str] = []
    seen = set()
    for at in range(len(battle.record.moves) + 1):
        now = battle.fork(at)
        for option in now.legal():
            name = option.action.name
            if name not in seen:
                seen.add(name)
                before = now.text
                answer = now.odds(option, budget=BUDGET)
                if sum(answer.states.fractions().values()) + answer.states.unexplored != 1:
                    problems.append(f"{name}: the chances of all results do not sum to one.")
                if not answer.headline.strip():
                    problems.append(f"{name}: its odds have no headline.")
                if now.text != before:
                    problems.append(f"{name}: asking for its odds changes the battle.")
    if len(seen) < min(3, len(rules(battling).actions)):
        problems.append(f"The sample, played at random, offers only {', '.join(sorted(seen))}; let it offer more.")
    fail_if(problems)


def test_reports_hold_every_move(battling: Subject) -> None:
    battle = played(battling, STEPS[1])
    text = log_text(battle)
    problems = [
        f"The log does not tell of move {move.number} ({move.action})."
        for move in battle.record.moves
        if f"\n{move.number}. {move.action}" not in text
    ]
    table = list(csv.DictReader(io.StringIO(to_csv(battle))))
    if tuple(table[0]) != COLUMNS or len(table) < len(battle.moves):
        problems.append("The table of the battle (CSV) does not hold every move.")
    data = json.loads(to_json(battle))
    numbers = [item["move"] for item in data["journal"] if "move" in item]
    if numbers != [move.number for move in battle.record.moves]:
        problems.append("The report of the battle (JSON) does not hold every move.")
    fail_if(problems)


def test_inputs_of_actions_do_not_share_names_with_the_commands_own(battling: Subject) -> None:
    fail_if(
        f"{action.name} has an input {field.name}, which is a word of Battle.push and Battle.odds; call it otherwise."
        for action in rules(battling).actions
        for field in fields(action.inputs)
        if field.name in TAKEN
    )
