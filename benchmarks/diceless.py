"""Topic diceless: advice and battles of Diceless 40k, where nothing is rolled; it takes time to follow choices."""

from __future__ import annotations

from itertools import product
from typing import Any

from battletape.registry import ruleset
from battletape.words import plural
from benchmarks.attack import forget
from benchmarks.diceless_battle import add_rows
from benchmarks.race import Differs, Pace, race
from benchmarks.table import Table

SYSTEM = "diceless40k"
TOKENS_LIMIT, FOCUS_LIMIT = 1.0, 1.0
TOKENS, MODELS = 6, 8
GROWTH = sorted({(tokens, MODELS) for tokens in (1, 2, 4)} | {(TOKENS, models) for models in (2, 4, 16)})
"""Tokens held and models on the board, beside those of the figure."""
SHOOTERS = ("Space Marines", "Devastators", "Veterans", "Scout snipers", "Terminators")
TARGETS = ("Ork Boyz", "Shoota Boyz", "Grots", "Trukk", "Battlewagon")
SMALL = 2  # shooters and targets, where every plan is tried


def run(pace: Pace) -> Table:
    """Compare advice with every plan tried out; then time advice with nothing kept, and battles."""
    table = Table("diceless", "advice by ask with its sentence, nothing kept, and battles", "part of the time allowed")
    check()
    for tokens, models in ((TOKENS, MODELS), *GROWTH):
        name = f"tokens: {plural(tokens, 'token')} and {models} models"
        bound = 1 if (tokens, models) == (TOKENS, MODELS) else None  # the others show how it grows
        table.within(name, "1 s", timed("tokens", scattered(tokens, models), pace), TOKENS_LIMIT, bound)
    name = f"focus: {len(SHOOTERS)} shooters and {len(TARGETS)} targets"
    table.within(name, "1 s", timed("focus", aimed(SHOOTERS, TARGETS), pace), FOCUS_LIMIT)
    add_rows(table, pace)
    return table


# --- what is asked ---------------------------------------------------------------------------------------------------


def scattered(tokens: int, models: int) -> dict[str, Any]:
    """Models in rows of four, and a large blast aimed at the second."""
    figures = [{"x": 20.0 + 1.5 * (at % 4), "y": 22.0 + 1.5 * (at // 4)} for at in range(models)]
    return {"held": tokens, "figures": figures, "x": 21.5, "y": 22.0, "marker": "large_blast"}


def aimed(shooters: tuple[str, ...], targets: tuple[str, ...]) -> dict[str, Any]:
    """Who may fire at whom."""
    return {"shooters": list(shooters), "targets": list(targets)}


def check() -> None:
    """The best plan of a few shooters is worth as much as the best of all plans."""
    shooters, targets = SHOOTERS[:SMALL], TARGETS[:SMALL]
    told = worth(aimed(shooters, targets))
    best = max(
        sum(
            worth(aimed(tuple(unit for unit, aim in zip(shooters, plan, strict=True) if aim == at), (at,)))
            for at in set(plan)
        )
        for plan in product(targets, repeat=SMALL)
    )
    if told != best:
        raise Differs(f"focus is worth {told}, and the best of all plans {best}")


def worth(given: dict[str, Any]) -> Any:
    """What the advice of a focus brings."""
    return ruleset(SYSTEM).ask("focus", **given).odds("worth").mean


def timed(question: str, given: dict[str, Any], pace: Pace) -> float:
    """The best time of an answer and its sentence, every memo and cache emptied before."""
    return race({"": lambda: ruleset(SYSTEM).ask(question, **given).headline}, pace, before=forget_all)[""]


def forget_all() -> None:
    """Empty the memo and every cache of the rules."""
    forget(SYSTEM)
