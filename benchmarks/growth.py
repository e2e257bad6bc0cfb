"""Topic growth: twice the attacks may take at most twice the time, for as many states."""

from __future__ import annotations

from benchmarks.chain import HAND, check
from benchmarks.race import Pace, race
from benchmarks.squads import Duel, ours
from benchmarks.table import Table

ATTACKS = (10, 20, 40, 80, 160, 320, 640)


def run(pace: Pace) -> Table:
    """Time each length in one race, relative to states times attacks of the shortest."""
    table = Table(
        "growth",
        "D3 damage on ten three-wound models, ever more attacks",
        "time for each state and attack, relative to that of the first row",
    )
    duels = [Duel(attacks, 3, 10, 3) for attacks in ATTACKS]
    for duel in duels:
        check(duel, HAND)
    times = race({str(duel.attacks): ours(duel) for duel in duels}, pace)
    work = {duel.attacks: len(ours(duel)().weights) * duel.attacks for duel in duels}
    first = ATTACKS[0]
    for attacks in ATTACKS:
        may = times[str(first)] * work[attacks] / work[first]
        what = f"{attacks} attacks, {work[attacks] // attacks} states"
        table.within(what, "states x attacks", times[str(attacks)], may)
    return table
