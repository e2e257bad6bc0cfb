"""Topic diceless: questions and battles of Diceless 40k, where nothing is rolled; it takes time to follow choices."""

from __future__ import annotations

from functools import partial
from typing import Any

from battletape.registry import ruleset
from benchmarks.attack import forget
from benchmarks.diceless_battle import add_rows
from benchmarks.race import Pace, race
from benchmarks.table import Table


def crowd(models: int) -> list[dict[str, float]]:
    """So many models in rows of four."""
    return [{"x": 20.0 + 1.5 * (at % 4), "y": 22.0 + 1.5 * (at // 4)} for at in range(models)]


def tokens(number: int, models: int, **more: Any) -> dict[str, Any]:
    """Tokens against a large blast over the middle of a crowd."""
    standing = crowd(models)
    middle = standing[models // 2]
    return {
        "held": number,
        "figures": standing,
        "x": middle["x"],
        "y": middle["y"],
        "marker": "large_blast",
        **more,
    }


GROWING = (4, 8, 16, 24)
"""Models in a crowd, to show how time grows."""
QUICK_LIMIT, ADVICE_LIMIT, BOARD_LIMIT = 0.010, 0.250, 1.0
ASKED: dict[str, tuple[str, dict[str, Any], float]] = {
    "a squad shoots at a squad": ("shoot", {"shooters": "Space Marines", "unit": "Ork Boyz"}, QUICK_LIMIT),
    "a round of close combat": ("fight", {"first": "Assault Marines", "second": "Ork Boyz"}, QUICK_LIMIT),
    "four kinds of weapons on a tank, and the range of it": (
        "shoot_vehicle",
        {
            "vehicle": "Predator",
            "facing": "side",
            "guns": ["2 x Lascannon", "4 x Krak missile", "2 x Meltagun", "Assault cannon"],
        },
        ADVICE_LIMIT,
    ),
    "focus: three squads and three targets": (
        "focus",
        {
            "shooters": ["Space Marines", "Devastators", "Veterans"],
            "targets": ["Ork Boyz", "Rhino", "Terminators"],
        },
        ADVICE_LIMIT,
    ),
    "assault or stay over eight player turns": (
        "assault_or_stay",
        {"own": "Space Marines", "enemy": "Ork Boyz", "player_turns": 8},
        ADVICE_LIMIT,
    ),
    "focus: five squads and five targets": (
        "focus",
        {
            "shooters": ["Space Marines", "Devastators", "Veterans", "Assault Marines", "Terminators"],
            "targets": ["Ork Boyz", "Rhino", "Nobz", "Trukk", "Combat squad"],
        },
        BOARD_LIMIT,
    ),
    "six tokens, eight models": ("tokens", tokens(6, 8), BOARD_LIMIT),
    "six tokens, eight models and a tank": (
        "tokens",
        tokens(6, 8, hulls=[{"vehicle": "Predator", "x": 26.0, "y": 27.0}]),
        BOARD_LIMIT,
    ),
    "six tokens, eight models, a barrage of three markers": (
        "tokens",
        tokens(6, 8, weapon="Lobba", further=2, marker="blast"),
        BOARD_LIMIT,
    ),
}


def run(pace: Pace) -> Table:
    """Time each question with nothing kept, its sentence included."""
    table = Table(
        "diceless",
        "questions of Diceless 40k (ruleset.ask and the headline, nothing kept), and battles",
        "part of the time allowed",
    )
    for name, (question, given, limit) in ASKED.items():
        seconds = race({"": partial(ask, question, given)}, pace, before=forget_all)[""]
        table.within(name, f"{limit * 1000:.0f} ms", seconds, limit)
    for models in GROWING:
        grown = {f"{number} tokens": partial(ask, "tokens", tokens(number, models)) for number in (2, 4, 6)}
        for name, seconds in race(grown, pace, before=forget_all).items():
            table.within(f"growth: {name}, {models} models", "six and eight: 1 s", seconds, BOARD_LIMIT, None)
    add_rows(table, pace)
    return table


def ask(question: str, given: dict[str, Any]) -> str:
    """The sentence of an answer."""
    return ruleset("diceless40k").ask(question, **given).headline


def forget_all() -> None:
    """Empty the memo and every cache of the rules."""
    forget("diceless40k")
