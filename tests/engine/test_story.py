"""What rules say: between the dice, in the order of play, never in a recording, and for nothing in the odds."""

from __future__ import annotations

import pickle
from fractions import Fraction

import pytest
from msgspec import Struct
from msgspec.structs import replace

import battletape as bt
from battletape.dice import D6, at_least
from battletape.log import play, play_on
from battletape.procedure import Procedure
from battletape.tape import Tape
from battletape.tape.exact import Exact
from battletape.tape.recorded import Recorded
from battletape.tape.rolled import Rolled
from battletape.tape.script import Script
from battletape.tape.typed import Typed


class Shots(Struct, frozen=True):
    left: int
    hits: int = 0


def aim(tape: Tape, shots: Shots) -> Shots:
    tape.tell("{} take aim", shots.left)
    return shots


def shoot(tape: Tape, shots: Shots, number: int) -> Shots:
    if not tape.roll(D6, at_least(4), label="to hit"):
        return shots
    tape.tell("shot {n} hits", n=number)
    return replace(shots, hits=shots.hits + 1)


def _rest(rest: None, shots: Shots) -> Shots:
    return replace(shots, left=0)


def _sum(rest: None, shots: Shots) -> str:
    return f"{shots.hits} hits in all"


def volley(tape: Tape, shots: Shots) -> Shots:
    return tape.each(shoot, shots, range(1, shots.left + 1), then=_rest, tell=_sum)


SHOOTING = Procedure("shooting", (aim, volley))


def texts(tape: bt.tape.path.Path, state: Shots = Shots(2)) -> list[str]:
    return [line.text for line in play(SHOOTING.stages, tape, state).log]


def test_the_story_goes_on_between_the_dice() -> None:
    assert texts(Script(5, 2)) == [
        "2 take aim",
        "To hit (needs 4+): 5 → pass",
        "shot 1 hits",
        "To hit (needs 4+): 2 → fail",
        "1 hits in all",
    ]


def test_telling_changes_no_odds() -> None:
    odds = Exact().run(SHOOTING.stages, Shots(2))
    assert odds.fractions() == {Shots(0, hits): Fraction(ways, 4) for hits, ways in ((0, 1), (1, 2), (2, 1))}


def test_a_recording_holds_answers_only_and_replays_to_the_same_log() -> None:
    rolled = Rolled(7)
    log = texts(rolled)
    assert len(rolled.entries) == 2
    assert texts(Recorded(rolled.entries)) == log


def test_a_typed_question_comes_with_the_log_so_far() -> None:
    tape = Typed(["5"])
    played, need = play_on(SHOOTING.stages, tape, Shots(2))
    assert need is not None
    assert [said.sentence for said in played.story] == ["{} take aim", "shot {n} hits"]


def test_lines_are_worded_only_when_the_log_is_read() -> None:
    def words(number: int) -> str:
        raise ZeroDivisionError

    def stage(tape: Tape, shots: Shots) -> Shots:
        tape.tell(words, 1)
        return shots

    played = play((stage,), Rolled(1), Shots(1))
    with pytest.raises(ZeroDivisionError):
        _ = played.log


def test_a_roll_from_a_pickle_has_its_log() -> None:
    roll = bt.ruleset("attack_dice").roll("attack", seed=7)
    assert pickle.loads(pickle.dumps(roll)).log == roll.log


def test_steps_without_dice_come_from_what_rules_tell() -> None:
    titles = [step.title for step in bt.ruleset("attack_dice").ask("attack", power=6, defence=4).steps]
    assert "Power 6 against Defence 4 by the chart" in " ".join(titles) or any("Power 6" in title for title in titles)
