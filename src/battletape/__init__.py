"""Battletape: tabletop combat on one engine; odds, rolls, real dice and battles from one definition of each rule.

    >>> import battletape as bt
    >>> answer = bt.ruleset("attack_dice").ask("attack", attacks=12, power=6, defence=4, armour=5, models=5, hp=2)

The map of the house:

    dice, odds        dice and readings; exact distributions
    tape/             the contract between rules and luck (open tape/__init__.py first), and its readers
    procedure         stages, procedures, special rules
    clauses, log      which code implements which rule; what happened
    inputs, words     what a question takes: options, forms and errors from one type; small phrases
    system, answer    the card of a system; a question worked out
    registry          the rulesets by name
    rulesets/         the systems, each with the same rooms: rules, questions, battle, profiles, tables
    battle/           a battle: commands with recorded answers; undo, files, reports
    views, cli/       what to show, and the terminal
    conformance/      the tests that every ruleset must pass
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from battletape._version import VERSION as __version__

_HOMES = {
    "battletape.dice": (
        "D3",
        "D6",
        "D10",
        "D100",
        "Die",
        "at_least",
        "at_most",
        "bands",
        "best_of",
        "d",
        "degrees",
        "special",
    ),
    "battletape.odds": ("Odds",),
    "battletape.tape": ("Tape", "NeedAnswer", "TapeMismatch"),
    "battletape.tape.exact": ("Exact",),
    "battletape.tape.rolled": ("Rolled",),
    "battletape.tape.typed": ("Typed",),
    "battletape.tape.recorded": ("Recorded",),
    "battletape.tape.best": ("Best",),
    "battletape.tape.sampled": ("sampled",),
    "battletape.tape.budget": ("Budget",),
    "battletape.procedure": ("Procedure", "Keyword"),
    "battletape.clauses": ("clause",),
    "battletape.system": ("Ruleset", "Question", "Action", "Measure"),
    "battletape.registry": ("ruleset", "names", "register"),
    "battletape.battle": ("Battle",),
    "battletape.errors": ("BattletapeError", "BadInput", "Refused"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}
__all__ = ["__version__", *_HOME_OF]


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"battletape has no public name {name!r}; it has {', '.join(sorted(_HOME_OF))}")
    return getattr(import_module(_HOME_OF[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
