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
    rulebook, cards   all that rules are written and systems are declared with, to import from
    registry          the rulesets by name
    rulesets/         the systems, each with the same rooms: rules, questions, battle, profiles, tables
    battle/           a battle: commands with recorded answers; undo, files, reports
    views, cli/, web/ what to show; the terminal and the page
    sheets, table/    what can be printed; places, bases and templates on the table
    conformance/      the tests that every ruleset must pass
"""

from __future__ import annotations

from battletape._version import VERSION as __version__

TYPE_CHECKING = (
    False  # true for type checkers; importing `typing` for it takes a third of the time until Ctrl-C is heard
)
if TYPE_CHECKING:  # the same names for type checkers and editors; a test compares both lists
    from battletape.answer import Answer as Answer
    from battletape.answer import Roll as Roll
    from battletape.battle import Battle as Battle
    from battletape.clauses import clause as clause
    from battletape.dice import D3 as D3
    from battletape.dice import D6 as D6
    from battletape.dice import D10 as D10
    from battletape.dice import D100 as D100
    from battletape.dice import Die as Die
    from battletape.dice import at_least as at_least
    from battletape.dice import at_most as at_most
    from battletape.dice import bands as bands
    from battletape.dice import best_of as best_of
    from battletape.dice import d as d
    from battletape.dice import degrees as degrees
    from battletape.dice import special as special
    from battletape.errors import BadInput as BadInput
    from battletape.errors import BattletapeError as BattletapeError
    from battletape.errors import Refused as Refused
    from battletape.odds import Odds as Odds
    from battletape.procedure import Keyword as Keyword
    from battletape.procedure import Procedure as Procedure
    from battletape.registry import names as names
    from battletape.registry import register as register
    from battletape.registry import ruleset as ruleset
    from battletape.system import Action as Action
    from battletape.system import Measure as Measure
    from battletape.system import Question as Question
    from battletape.system import Ruleset as Ruleset
    from battletape.tape import NeedAnswer as NeedAnswer
    from battletape.tape import Tape as Tape
    from battletape.tape import TapeMismatch as TapeMismatch
    from battletape.tape.best import Best as Best
    from battletape.tape.exact import Exact as Exact
    from battletape.tape.limits import Budget as Budget
    from battletape.tape.recorded import Recorded as Recorded
    from battletape.tape.rolled import Rolled as Rolled
    from battletape.tape.sampled import sampled as sampled
    from battletape.tape.typed import Typed as Typed

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
    "battletape.tape.limits": ("Budget",),
    "battletape.procedure": ("Procedure", "Keyword"),
    "battletape.clauses": ("clause",),
    "battletape.answer": ("Answer", "Roll"),
    "battletape.system": ("Ruleset", "Question", "Action", "Measure"),
    "battletape.registry": ("ruleset", "names", "register"),
    "battletape.battle": ("Battle",),
    "battletape.errors": ("BattletapeError", "BadInput", "Refused"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}
__all__ = ["__version__", *_HOME_OF]


if not TYPE_CHECKING:  # or a checker would take any name for granted

    def __getattr__(name: str) -> object:
        from importlib import import_module

        if name not in _HOME_OF:
            raise AttributeError(f"battletape has no public name {name!r}; it has {', '.join(sorted(_HOME_OF))}")
        return getattr(import_module(_HOME_OF[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
