"""What rules are written with, from one place: the tape, dice, procedures, clauses, refusals, records and phrases.

    from battletape.rulebook import D6, Procedure, Struct, Tape, at_least, clause, replace

`battletape.cards` has what questions, actions and systems are declared with.
"""

from __future__ import annotations

from msgspec import Meta, Struct
from msgspec.structs import asdict, replace

from battletape.clauses import cites, clause, refuses
from battletape.dice import (
    D3,
    D6,
    D10,
    D100,
    Die,
    Face,
    Reading,
    at_least,
    at_most,
    bands,
    because,
    best_of,
    d,
    dice,
    highest,
    row_of,
    special,
)
from battletape.errors import (
    BadInput,
    BattletapeError,
    BudgetSpent,
    MissingInput,
    Refused,
    UnknownName,
    by_name,
    granted,
    nearest,
    need,
    raise_if_refused,
)
from battletape.procedure import (
    Dial,
    Keyword,
    Procedure,
    Stage,
    by_default,
    find_keywords,
    fold,
    lines_by_default,
    odds_of,
    odds_of_each,
    story_by_default,
    take_stage,
    with_keywords,
    without_luck,
)
from battletape.tape import Deed, Ended, Forget, Lines, Rule, Tape
from battletape.tape.parts import within
from battletape.tape.story import Line
from battletape.words import capital, inches, labelled, listed, meant, plain, plural, said

__all__ = [
    "BadInput",
    "BattletapeError",
    "BudgetSpent",
    "D10",
    "D100",
    "D3",
    "D6",
    "Deed",
    "Dial",
    "Die",
    "Ended",
    "Face",
    "Forget",
    "Keyword",
    "Line",
    "Lines",
    "Meta",
    "MissingInput",
    "Procedure",
    "Reading",
    "Refused",
    "Rule",
    "Stage",
    "Struct",
    "Tape",
    "UnknownName",
    "asdict",
    "at_least",
    "at_most",
    "bands",
    "because",
    "best_of",
    "by_default",
    "by_name",
    "capital",
    "cites",
    "clause",
    "d",
    "dice",
    "find_keywords",
    "fold",
    "granted",
    "highest",
    "inches",
    "raise_if_refused",
    "labelled",
    "lines_by_default",
    "listed",
    "meant",
    "nearest",
    "need",
    "odds_of",
    "odds_of_each",
    "plain",
    "plural",
    "refuses",
    "replace",
    "row_of",
    "said",
    "special",
    "story_by_default",
    "take_stage",
    "with_keywords",
    "within",
    "without_luck",
]
