"""Topic growth: twice the attacks may take at most twice the time, for as many states."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.chain import HAND, check
from benchmarks.race import Pace, race
from benchmarks.squads import Duel, ours
from benchmarks.table import Table

ATTACKS = (10, 20, 40, 80, 160, 320, 640)


def run(pace: Pace) -> Table:
    """Time each length, relative to states times attacks of the shortest; for a few models, and for ever more."""
    table = Table(
        "growth",
        "ever more attacks, D3 damage on three-wound models",
        "time for each state and attack, relative to that of the shortest run",
    )
    series(table, "10 models", [Duel(attacks, 3, 10, 3) for attacks in ATTACKS], pace)
    series(table, "a model for each attack", [Duel(attacks, 3, attacks, 3) for attacks in ATTACKS], pace)
    return table


def series(table: Table, title: str, duels: Sequence[Duel], pace: Pace) -> None:
    """One race over all lengths."""
    for duel in duels:
        check(duel, HAND)
    times = race({str(duel.attacks): ours(duel) for duel in duels}, pace)
    first, *_ = duels
    share = times[str(first.attacks)] / _work(first)
    for duel in duels:
        what = f"{duel.attacks} attacks, {title}, {_work(duel) // duel.attacks} states"
        most = None if duel is first else 1
        table.within(what, "states x attacks", times[str(duel.attacks)], share * _work(duel), most)


def _work(duel: Duel) -> int:
    return len(ours(duel)().weights) * duel.attacks
