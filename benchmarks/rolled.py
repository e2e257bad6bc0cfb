"""Topic rolled: attack dice thrown in a second, and whether many volleys agree with the exact odds."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

from battletape.answer import Roll, sample
from battletape.procedure import fold
from battletape.registry import ruleset
from battletape.tape import Rule
from battletape.tape.rolled import Rolled
from battletape.tape.sampled import sampled
from benchmarks.attack import INPUTS, ask
from benchmarks.race import Differs, Pace, race
from benchmarks.table import Row, Table

WANTED = 200_000  # attack dice a second
ATTACKS = 50  # in each turn of the race
SIGMA = 4.0
DICE = INPUTS["attacks"]


def run(pace: Pace) -> Table:
    """Roll whole attacks with and without the log; then let many of them agree."""
    table = Table(
        "rolled",
        "whole attacks of 20 dice, Armour and AEGIS saves and HP loss: attack dice a second",
        "times the rate that is wanted; for the sample, standard errors away from the exact mean",
    )
    card = ruleset("attack_dice")
    stages, start = ready()
    more = {**INPUTS, "attacks": 10 * DICE}
    ways: dict[str, Callable[[], Any]] = {
        "rolled reader, recorded": lambda: [fold(stages, Rolled(seed), start) for seed in range(ATTACKS)],
        "sampled reader": lambda: sampled(stages, start, ATTACKS, seed=1),
        "ruleset.roll": lambda: [card.roll("attack", seed=seed, **INPUTS) for seed in range(ATTACKS)],
        "ruleset.roll, log and recording read": lambda: [
            _read(card.roll("attack", seed=seed, **INPUTS)) for seed in range(ATTACKS)
        ],
        "ruleset.roll, the same with 200 dice each": lambda: [
            _read(card.roll("attack", seed=seed, **more)) for seed in range(ATTACKS // 10)
        ],
    }
    for at, (name, seconds) in enumerate(race(ways, pace).items()):
        table.rate(name, "200,000 a second", ATTACKS * DICE / seconds, WANTED, binding=at < 3)
    for measure in ("casualties", "hp_lost"):
        table.rows.append(agreement(measure, pace.samples))
    return table


def ready() -> tuple[Sequence[Rule], Hashable]:
    """The stages and the starting state of the question."""
    card = ruleset("attack_dice")
    question = card.question("attack")
    inputs, rulings = card.split(question, INPUTS)
    start = question.begin(inputs, rulings)
    return question.procedure(start).stages, start


def _read(roll: Roll) -> tuple[Any, ...]:
    return roll.log, roll.entries


def agreement(measure: str, volleys: int) -> Row:
    """How many standard errors a sample's mean lies from the exact one."""
    card = ruleset("attack_dice")
    shown = sample(card, card.question("attack"), INPUTS, volleys, seed=20).odds(measure)
    exact = ask().odds(measure)
    error = (exact.variance / volleys) ** 0.5
    away = abs(float(shown.mean - exact.mean)) / error
    if away > SIGMA:
        raise Differs(f"{volleys:,} sampled volleys give {float(shown.mean):.4f} {measure}, {away:.1f} sigma away")
    what = f"{volleys:,} volleys sampled, mean {measure}"
    return Row(what, "exact mean", away, "at most", SIGMA, float(shown.mean), float(exact.mean), "")
