"""Topic diceless: advice and battles of Diceless 40k, where nothing is rolled; it takes time to follow choices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from battletape.battle import Battle
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
BESIDE: dict[str, dict[str, Any]] = {
    "a tank beside them": {"hulls": [{"vehicle": "Predator", "x": 26.0, "y": 27.0}]},
    "a barrage of three markers": {"weapon": "Lobba", "marker": "blast", "further": 2},
}
SHOOTERS = ("Space Marines", "Devastators", "Veterans", "Scout snipers", "Terminators")
TARGETS = ("Ork Boyz", "Shoota Boyz", "Grots", "Trukk", "Battlewagon")
SQUADS: tuple[dict[str, Any], ...] = (
    {"name": "Ash", "models": 6, "bs": 4, "strength": 4, "ap": 5, "shots": 1, "type": "rapid_fire", "range": 24},
    {"name": "Birch", "models": 4, "bs": 4, "strength": 9, "ap": 2, "shots": 1, "type": "heavy", "range": 48},
    {"name": "Cedar", "models": 12, "bs": 3, "strength": 4, "ap": 6, "shots": 2, "type": "assault", "range": 18},
    {"name": "Dogwood", "models": 3, "bs": 3, "strength": 6, "ap": 4, "shots": 3, "type": "assault", "range": 24},
)
MARKS: tuple[dict[str, Any], ...] = (
    {"name": "Crow", "models": 8, "toughness": 4, "wounds": 1, "armour": 6, "distance": 12.0, "cover": None},
    {"name": "Elk", "models": 3, "toughness": 5, "wounds": 2, "armour": 3, "distance": 20.0, "cover": None},
    {"name": "Fox", "models": 10, "toughness": 3, "wounds": 1, "armour": 5, "distance": 16.0, "cover": 4},
)
"""A few squads and marks, on which every plan is tried."""


def run(pace: Pace) -> Table:
    """Compare advice with every plan tried out; then time advice with nothing kept, and battles."""
    table = Table("diceless", "advice by ask with its sentence, nothing kept, and battles", "part of the time allowed")
    check()
    for tokens, models in ((TOKENS, MODELS), *GROWTH):
        name = f"tokens: {plural(tokens, 'token')} and {models} models"
        bound = 1 if (tokens, models) == (TOKENS, MODELS) else None  # the others show how it grows
        table.within(name, "1 s", timed("tokens", scattered(tokens, models), pace), TOKENS_LIMIT, bound)
    for what, more in BESIDE.items():
        given = {**scattered(TOKENS, MODELS), **more}
        table.within(f"tokens: the same with {what}", "1 s", timed("tokens", given, pace), TOKENS_LIMIT, None)
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
    """The advice of `focus` is worth as much as the best of all plans, each of them fired unit by unit in a battle."""
    told = ruleset(SYSTEM).ask("focus", shooters=[*SQUADS], targets=[*MARKS]).odds("hp").mean
    start = before_the_volleys()
    best = max(fired(start, plan) for plan in product(MARKS, repeat=len(SQUADS)))
    if told != best:
        raise Differs(f"focus is worth {told} HP, and the best of all plans in a battle {best} HP")


def before_the_volleys() -> Battle:
    """A battle without a board in which the squads are about to fire at the marks."""
    firing = [
        {
            "name": squad["name"],
            "models": squad["models"],
            "bs": squad["bs"],
            "weapons": ["gun"],
            "arsenal": [
                {"name": "gun", **{field: squad[field] for field in ("type", "strength", "ap", "shots", "range")}}
            ],
        }
        for squad in SQUADS
    ]
    targets = [{field: mark[field] for field in mark if field not in ("distance", "cover")} for mark in MARKS]
    sides = [{"name": "Firers", "units": firing}, {"name": "Targets", "units": targets}]
    battle = Battle.new(SYSTEM, {"sides": sides})
    battle.push("end_phase")
    return battle


def fired(start: Battle, plan: Sequence[Mapping[str, Any]]) -> int:
    """HP that a plan takes off all marks; who may not fire at its mark, which is gone or out of reach, does not."""
    battle = start.fork()
    for squad, mark in zip(SQUADS, plan, strict=True):
        shot = {"unit": squad["name"], "target": mark["name"], "distance": mark["distance"], "cover": mark["cover"]}
        if battle.refusal("shoot", shot) is None:
            battle.push("shoot", shot)
    return sum(start.state.squad(mark["name"]).hp - battle.state.squad(mark["name"]).hp for mark in MARKS)


def timed(question: str, given: dict[str, Any], pace: Pace) -> float:
    """The best time of an answer and its sentence, every memo and cache emptied before."""
    return race({"": lambda: ruleset(SYSTEM).ask(question, **given).headline}, pace, before=forget_all)[""]


def forget_all() -> None:
    """Empty the memo and every cache of the rules."""
    forget(SYSTEM)
