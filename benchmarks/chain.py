"""Topic chain: attacks on a squad of several-wound models, beside icepool, dyce and a chain written by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from benchmarks.race import Differs, Pace, race
from benchmarks.squads import (
    Duel,
    by_hand,
    dyce_apply,
    dyce_expand,
    hush,
    icepool_kept,
    icepool_map,
    ours,
    shares,
    volley_by_sub_rule,
)
from benchmarks.table import Table

Peer = Callable[[Duel], Any]

ICEPOOL: dict[str, Peer] = {"icepool map": icepool_map, "icepool, each kernel kept": icepool_kept}
DYCE: dict[str, Peer] = {"dyce expand": dyce_expand, "dyce apply": dyce_apply}
HAND: dict[str, Peer] = {"plain Python by hand": by_hand}
QUICKEST = ("icepool, each kernel kept", "dyce apply")
"""The quickest programs we could write for a peer: there it is enough to be level."""
DUELS: tuple[tuple[Duel, float, float | None], ...] = (  # at least so many times as fast as icepool, as dyce
    (Duel(20, 3, 10, 3), 8, 15),
    (Duel(30, 3, 10, 3), 8, 15),
    (Duel(100, 6, 30, 6), 12, None),
)


def run(pace: Pace) -> Table:
    """Compare the fractions, then race."""
    hush()
    table = Table(
        "chain",
        "a rule on the tape, memo empty, with equal fractions",
        "times as fast as a library; times the time of the hand-written chain",
    )
    for duel, icepool_target, dyce_target in DUELS:
        peers = {**ICEPOOL, **DYCE, **HAND}
        check(duel, peers)
        called = ours(duel, volley_by_sub_rule)
        theirs = {name: _way(peer, duel) for name, peer in peers.items()}
        times = race({"ours": ours(duel), "called": called, **theirs}, pace)
        for name in ICEPOOL:
            table.faster(str(duel), name, times["ours"], times[name], 1 if name in QUICKEST else icepool_target)
        for name in DYCE:
            table.faster(str(duel), name, times["ours"], times[name], 1 if name in QUICKEST else dyce_target)
        for name in HAND:
            table.within(str(duel), name, times["ours"], times[name], 3)
        table.faster(f"{duel}, sub-rule", "ours without the sub-rule", times["called"], times["ours"], None)
    return table


def check(duel: Duel, peers: dict[str, Peer]) -> None:
    """Every way must come to the same fractions."""
    mine = ours(duel)().fractions()
    if ours(duel, volley_by_sub_rule)().fractions() != mine:
        raise Differs(f"{duel}: the rule with a sub-rule and the one without give different fractions")
    for name, peer in peers.items():
        if shares(peer(duel)) != mine:
            raise Differs(f"{duel}: {name} and the tape give different fractions")


def _way(peer: Peer, duel: Duel) -> Callable[[], Any]:
    return lambda: peer(duel)
