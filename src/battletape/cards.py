"""What questions, actions and systems are declared with, from one place: cards, inputs, answers, logs and profiles.

    from battletape.cards import Answer, Inputs, Measure, Question, asked

`battletape.rulebook` has what the rules themselves are written with.
"""

from __future__ import annotations

from battletape.answer import Answer, Roll, caveat
from battletape.inputs import (
    Field,
    Inputs,
    InputsMeta,
    Nothing,
    asked,
    described,
    fields,
    parse_inputs,
    parse_pairs,
    parse_value,
    part_of,
    pick_fields,
    split_entries,
)
from battletape.log import Trail, lines
from battletape.odds import Odds, percent
from battletape.profiles import ProfileBook, as_entry, entry_value, fill_from, named_entry, read_book, written_out
from battletape.system import (
    EACH,
    NO_STAGES,
    Action,
    BattleRules,
    Goal,
    Lead,
    LiveExample,
    Measure,
    Plan,
    Question,
    Rank,
    Role,
    Ruleset,
    Rung,
    Table,
    Tile,
    last_side,
    named_by,
    read_rulings,
    sample_of,
    unchanged,
)
from battletape.tape.story import Line

__all__ = [
    "asked",
    "described",
    "Action",
    "Answer",
    "BattleRules",
    "InputsMeta",
    "EACH",
    "Field",
    "Goal",
    "Inputs",
    "Lead",
    "Line",
    "LiveExample",
    "Measure",
    "NO_STAGES",
    "Nothing",
    "Odds",
    "Plan",
    "ProfileBook",
    "Question",
    "Rank",
    "Role",
    "Roll",
    "Ruleset",
    "Rung",
    "Table",
    "Tile",
    "Trail",
    "as_entry",
    "caveat",
    "fields",
    "fill_from",
    "last_side",
    "lines",
    "named_by",
    "named_entry",
    "parse_inputs",
    "parse_pairs",
    "parse_value",
    "part_of",
    "percent",
    "pick_fields",
    "read_book",
    "read_rulings",
    "entry_value",
    "sample_of",
    "unchanged",
    "split_entries",
    "written_out",
]
