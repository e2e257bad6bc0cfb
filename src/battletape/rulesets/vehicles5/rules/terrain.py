"""Bad ground: who must test, where a failed test stops a vehicle, and how far walkers get."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

from msgspec import Struct

from battletape.clauses import cites, clause
from battletape.dice import D6, Reading, at_least, highest
from battletape.errors import Refused
from battletape.rulesets.vehicles5.rules.movement import band
from battletape.rulesets.vehicles5.rules.traits import Band, Ground, Relation, Row, Traits
from battletape.rulesets.vehicles5.rulings import DEFAULT, Rulings
from battletape.rulesets.vehicles5.tables.printed import PAIR
from battletape.tape import Tape

Terrain: TypeAlias = Literal["difficult", "dangerous", "impassable", "wreck", "crater", "road"]
"""What an area on the table is."""
GROUNDS: Mapping[Terrain, tuple[Ground, ...]] = {
    "difficult": ("difficult",),
    "dangerous": ("dangerous",),
    "impassable": ("impassable",),
    "wreck": ("difficult", "dangerous"),
    "crater": ("difficult",),
    "road": (),
}
HIGHER = Reading(lambda value: value, "the higher counts")
WRECK_COVER = 4  # the save behind a wreck, where enough of a model is hidden
cites("V5-CORE-18", where=f"{__name__}.GROUNDS")
cites("V5-CORE-18", where=f"{__name__}.WRECK_COVER")


class Stop(Struct, frozen=True):
    """Where a move ends: inches covered, the speed that makes, and what the ground did to the vehicle."""

    moved: float
    band: Band
    row: Row = "none"


@clause("V5-TERR-2", "V5-TERR-1", "V5-SKIM-2", "V5-SKIM-3", "V5-WALK-2", "V5-CORE-18")
def tests(traits: Traits, grounds: Sequence[Terrain], relation: Relation, rules: Rulings) -> int:
    """How many dice a move through these areas costs: difficult ground is as bad as dangerous, but not for walkers."""
    if traits.skimmer and relation in ("over", "through"):
        return 0
    feared: set[Ground] = {"dangerous"} if traits.walker else {"dangerous", "difficult"}
    if traits.skimmer:
        feared = {"difficult", "impassable", "dangerous"}
        if not rules.skimmer_dangerous_test:
            feared.remove("dangerous")
    areas = sum(not feared.isdisjoint(GROUNDS[one]) for one in grounds)
    return min(areas, 1) if rules.terrain_tests == "one_per_move" else areas


@clause("V5-SKIM-2", "V5-TERR-1")
def refuse_ground(traits: Traits, grounds: Sequence[Terrain]) -> Refused | None:
    """Why a vehicle may not go into these areas."""
    if "impassable" in grounds and not traits.skimmer:
        return Refused("impassable ground is in the way, which only skimmers pass over", "V5-SKIM-2", "terrain")
    return None


@clause("V5-WALK-2", "V5-CORE-9", "V5-TERR-1")
def is_slowed(traits: Traits | None, grounds: Sequence[Terrain]) -> bool:
    """Whether a move is cut to the higher of two dice: difficult ground slows walkers and soldiers (None) only."""
    on_legs = traits is None or (traits.walker and not traits.skimmer)
    return on_legs and any("difficult" in GROUNDS[one] for one in grounds)


@clause("V5-TERR-3", "V5-SKIM-3", "V5-SKIM-7")
def stop(
    traits: Traits,
    declared: float,
    starts_inside: bool,
    enters_at: float | None,
    failed: bool,
    rules: Rulings = DEFAULT,
    on_road: bool = False,
) -> Stop:
    """Where a move ends once its test is rolled: it never begins, halts at the edge, or goes its full way."""
    moved = declared
    if failed and starts_inside:
        moved = 0.0
    elif failed and enters_at is not None and not traits.skimmer:
        moved = min(declared, enters_at)
    found = band(moved, traits, on_road, rules)
    if isinstance(found, Refused):
        raise found
    return Stop(moved, found, failed_row(traits, found, rules) if failed else "none")


@clause("V5-TERR-3", "V5-SKIM-7")
def failed_row(traits: Traits, band: Band, rules: Rulings = DEFAULT) -> Row:
    """What a failed test does at the speed reached so far: a skimmer that comes down flat out is wrecked."""
    crashes = traits.skimmer and band == "flat_out" and rules.crash_on == "every_immobilised"
    return "wrecked" if crashes else "immobilised"


@clause("V5-TERR-2", "V5-WALK-2")
def roll_tests(tape: Tape, count: int) -> bool:
    """Whether a vehicle gets through: a 1 on any of its dice fails."""
    return not tape.pool(count, D6, at_least(2), label="dangerous terrain")[False] if count else True


@clause("V5-CORE-9", "V5-WALK-2")
def roll_difficult(tape: Tape) -> int:
    """How far difficult ground lets a walker or soldier go: the higher of two dice."""
    return int(tape.pool(2, PAIR, HIGHER, label="difficult terrain", whole=highest))


@clause("V5-CORE-9")
def roll_dangerous_on_foot(tape: Tape, models: int) -> int:
    """How many soldiers dangerous ground wounds: a die each, and a 1 hurts."""
    return tape.pool(models, D6, at_least(2), label="dangerous terrain")[False]
