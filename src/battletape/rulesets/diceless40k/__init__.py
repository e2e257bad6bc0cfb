"""Diceless 40k: every roll replaced by damage points, tables, order points and tokens."""

from __future__ import annotations

from battletape.clauses import cites
from battletape.rulesets.diceless40k.battle import BATTLE
from battletape.rulesets.diceless40k.profiles.book import book
from battletape.rulesets.diceless40k.questions import QUESTIONS
from battletape.rulesets.diceless40k.rules.weapons import KEYWORDS
from battletape.rulesets.diceless40k.rulings import PRESETS, Rulings
from battletape.rulesets.diceless40k.sheets import SHEETS
from battletape.rulesets.diceless40k.tables.printed import printed_tables
from battletape.system import Ruleset

RULESET = Ruleset(
    name="diceless40k",
    title="Diceless 40k",
    summary="Damage points, tables, order points and tokens instead of dice; rules by Dav0r",
    package=__name__,
    rulings=Rulings,
    questions=QUESTIONS,
    presets=PRESETS,
    tables=printed_tables,
    profiles=book,
    battle=BATTLE,
    keywords=KEYWORDS,
    sheets=SHEETS,
)

cites("DL-0.1", "DL-0.2", "DL-0.4", where=f"{__name__}.RULESET")
