"""The critical tables: 160 rows in short codes, which `criticals.toml` explains and `rules.criticals` reads."""

from __future__ import annotations

from battletape.rulebook import Struct, cites
from battletape.rulesets.deathwatch.rules.traits import DamageType, Place
from battletape.toml import read_tables


class Critical(Struct, frozen=True):
    """The critical table of one kind of damage."""

    name: str
    pages: str
    rows: tuple[tuple[str, str, str, str], ...]


COLUMNS: tuple[Place, ...] = ("arm", "body", "head", "leg")
PRINTED = read_tables(__package__, "criticals", dict[DamageType, Critical])
TABLES = {letter: (table.name, table.pages) for letter, table in PRINTED.items()}
ROWS = {letter: table.rows for letter, table in PRINTED.items()}
LAST_ROW = 10
"""It kills everywhere."""
cites("DW-CRIT-2", where=f"{__name__}.ROWS")
cites("DW-CRIT-1", where=f"{__name__}.TABLES")
