"""The log: what was asked, rolled and decided, as sentences with their clause."""

from __future__ import annotations

from typing import Any

from battletape.clauses import clause
from battletape.dice import D6, D100, at_least, bands, degrees
from battletape.log import as_text, lines, play
from battletape.tape.script import Script
from battletape.tape.story import Line
from battletape.tape.typed import Typed


@clause("L-1", "L-9")
def shoot_all(tape: Any, dice: int) -> int:
    hits = tape.pool(dice, D6, at_least(4), label="to hit")[True]
    wounds = tape.pool(hits, D6, bands(pierced=6, wound=3), label="to wound")
    tape.pool(2, D6, label="luck")
    tape.roll(D6, at_least(5), label="save")
    tape.roll(D6, label="location")
    tape.roll(D100, degrees(40), label="test")
    tape.direction((0, 180), label="flight")
    tape.choose(("spare", "slay"), by="victor", label="mercy")
    tape.tell(pierced, wounds["pierced"])
    return int(wounds["pierced"])


def walk_off(tape: Any, state: int) -> int:
    tape.tell(Line(f"From {state} to {state + 1}.", ("L-3",), needed="legs"))
    return state + 1


def pierced(wounds: int) -> Line:
    return Line(f"{wounds} pierced.", result=str(wounds))


def test_every_question_is_a_line():
    tape = Script(4, 5, 1, 6, 2, 1, 1, 3, 2, 17, 200, "slay")
    played = play((shoot_all, walk_off), tape, 3)
    assert [line.text for line in played.log] == [
        "To hit (needs 4+): 4 5 1 → 2 of 3",
        "To wound (needs pierced 6+, wound 3+): 6 2 → 1 x pierced, 1 x none",
        "Luck: 1 1",
        "Save (needs 5+): 3 → fail",
        "Location: 2",
        "Test (needs 40 or less, by tens): 17 → (True, 2)",
        "Flight: 200 → arc 0",
        "Mercy by victor: slay",
        "1 pierced.",
        "From 1 to 2.",
    ]
    assert played.state == 2
    assert [line.stage for line in played.log] == ["Shoot all"] * 9 + ["Walk off"]
    assert played.log[0] == Line(
        "To hit (needs 4+): 4 5 1 → 2 of 3", ("L-1",), "Shoot all", "to hit", "4+", "4 5 1", "2 of 3"
    )
    assert played.log[8].clauses == ("L-1",)  # the sentence names none: it cites the rule that says it
    assert played.log[9].clauses == ("L-3",)
    assert played.log[9].needed == "legs"
    assert played.entries == tape.entries


def test_counts_read_well_too():
    played = play((lambda tape, n: tape.pool(n, D6, at_least(4), label="to hit")[True],), Typed(["14 hits"]), 20)
    assert played.log[0].text == "To hit (needs 4+): 6 fail, 14 pass → 14 of 20"


def test_as_text():
    assert as_text([Line("One.", ("L-1", "L-2")), Line("Two.")]) == "One.  [L-1, L-2]\nTwo."


def wound(tape: Any, left: int, power: int) -> int:
    now = left - power * int(tape.roll(D6, at_least(4), label="wound"))
    tape.tell("{} -> {}", left, now)
    return now


def volley(tape: Any, left: int) -> int:
    return int(tape.each(wound, left, (1, 2)))


def test_lines_of_the_log_stand_between_the_dice():
    played = play((volley,), Script(3, 5), 9)
    told = [line.text for line in played.log]
    assert told == ["Wound (needs 4+): 3 → fail", "9 -> 9", "Wound (needs 4+): 5 → pass", "9 -> 7"]


def test_rows_that_hold_are_lines_with_their_clause():
    told = lines((True, "Ash burns.", "L-1"), (0, "Ash runs.", "L-9"), ("a foe", "Ash fights.", ""))
    assert list(told) == [Line("Ash burns.", ("L-1",)), Line("Ash fights.")]
