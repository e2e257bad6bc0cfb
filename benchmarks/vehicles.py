"""Topic vehicles: a volley at a vehicle and the volleys until it is destroyed, exact and by rolls."""

from __future__ import annotations

from functools import partial
from time import process_time
from typing import Any

from battletape.answer import Answer, sample
from battletape.registry import ruleset
from benchmarks.attack import forget
from benchmarks.race import Differs, Pace, race
from benchmarks.table import Row, Table

GUNS: list[dict[str, Any]] = [
    {"weapon": "Lascannon", "models": 2},
    {"weapon": "Autocannon", "models": 2},
    {"weapon": "Meltagun", "models": 2, "half_range": True},
    {"weapon": "Assault cannon"},
    {"weapon": "Krak missile", "models": 2},
    {"weapon": "Lance beam"},
]
"""Ten weapons of six kinds, 15 shots in all."""
TARGET: dict[str, Any] = {"front": 13, "side": 12, "rear": 10, "weapons": 3, "smoke": True}
WEAPONS = (0, 1, 2, 3, 5, 8, 12)
"""How many weapons the target has left: a volley knows each number of them, in every condition, as a state."""
STATES: dict[str, dict[str, Any]] = {
    "unharmed": {},
    "stunned, one weapon left": {"stunned": True, "weapons": 1},
    "immobilised, no weapon left": {"immobilised": True, "weapons": 0},
    **{f"{count} weapons": {"weapons": count} for count in WEAPONS},
    **{f"{count} weapons with names": {"weapon_names": [f"gun {at}" for at in range(count)]} for count in (5, 8, 12)},
}
LONG_STATES = {name: STATES[name] for name in ("unharmed", "12 weapons", "12 weapons with names")}
VOLLEYS = 8
VOLLEY_LIMIT, KILL_LIMIT = 0.010, 0.100
SIGMA = 4.0
MEASURE = "destroyed"


def run(pace: Pace) -> Table:
    """Time both questions with nothing kept; then the first volley by rolls."""
    table = Table(
        "vehicles",
        "ten weapons at a vehicle in smoke, and eight such volleys in a row: ruleset.ask, nothing kept",
        "part of the time allowed; times as fast as rolls; for the sample, standard errors away from the exact chance",
    )
    cold = {name: race({"": partial(volley, state)}, pace, before=forget_all)[""] for name, state in STATES.items()}
    for name, seconds in cold.items():
        table.within(f"ten-weapon volley, {name}", "10 ms", seconds, VOLLEY_LIMIT)
    for name, state in LONG_STATES.items():
        seconds = race({"": partial(kill_time, state)}, pace, before=forget_all)[""]
        table.within(f"kill_time over {VOLLEYS} volleys, {name}", "100 ms", seconds, KILL_LIMIT)
    began = process_time()
    rolled = by_rolls(pace.samples)
    took = process_time() - began
    table.faster("ten-weapon volley, unharmed", f"{pace.samples:,} rolls of it", cold["unharmed"], took, None)
    table.rows.append(agreement(rolled, pace.samples))
    return table


def volley(state: dict[str, Any]) -> Answer:
    """The volley at a vehicle in some state."""
    return ruleset("vehicles5").ask("shoot", **{**target_in(state), "guns": GUNS})


def kill_time(state: dict[str, Any]) -> Answer:
    """The same volley again and again."""
    return ruleset("vehicles5").ask("kill_time", **{**target_in(state), "volleys": [{"guns": GUNS}], "repeat": VOLLEYS})


def target_in(state: dict[str, Any]) -> dict[str, Any]:
    """The target in some state; names of weapons stand for their number."""
    left_out = ("weapons",) if "weapon_names" in state else ()
    return {**{key: value for key, value in TARGET.items() if key not in left_out}, **state}


def by_rolls(times: int) -> Answer:
    """The volley at an unharmed vehicle, rolled so many times."""
    card = ruleset("vehicles5")
    return sample(card, card.question("shoot"), {**TARGET, "guns": GUNS}, times, seed=20)


def agreement(rolled: Answer, times: int) -> Row:
    """How many standard errors the rolls lie from the exact chance that it is destroyed."""
    shown, exact = rolled.odds(MEASURE), volley({}).odds(MEASURE)
    away = abs(float(shown.mean - exact.mean)) / (float(exact.variance) / times) ** 0.5
    if away > SIGMA:
        raise Differs(f"{times:,} rolled volleys destroy it {float(shown.mean):.4f}, {away:.1f} sigma away")
    what = f"{times:,} volleys rolled, chance {MEASURE}"
    return Row(what, "exact chance", away, "at most", SIGMA, float(shown.mean), float(exact.mean), "")


def forget_all() -> None:
    """Empty the memo and every cache of the rules."""
    forget("vehicles5")
