"""The question pinning: whether a unit that came under such fire, or out of a wreck, keeps its head up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import Struct
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.inputs import Inputs, meta
from battletape.log import Line
from battletape.odds import percent
from battletape.procedure import Procedure, Stage
from battletape.profiles import ProfileBook
from battletape.rulesets.vehicles5.profiles.types import Unit
from battletape.rulesets.vehicles5.rules.troops import Source, effective_ld, roll_pinning
from battletape.rulesets.vehicles5.rulings import DEFAULT, Rulings
from battletape.system import Measure, Question
from battletape.tape import Tape

if TYPE_CHECKING:
    from battletape.answer import Answer


class Pinning(Inputs, frozen=True):
    """A unit that has to take a pinning test."""

    unit: Annotated[str, meta("target", "Unit profile")] = ""
    ld: Annotated[int, meta("target", "Ld", "V5-CORE-6", ge=2, le=10)] = 8
    barrage: Annotated[bool, meta("circumstances", "By an ordnance barrage, not aimed directly", "V5-ORD-5")] = False


class Nerve(Struct, frozen=True):
    """The state of the question."""

    ld: int
    source: Source = ""
    pinned: bool = False


def begin_pinning(inputs: Pinning, rules: Rulings = DEFAULT) -> Nerve:
    """The unit and what it came under."""
    return Nerve(inputs.ld, "ordnance_barrage" if inputs.barrage else "")


@clause("V5-CORE-6", "V5-ORD-5")
def keep_heads_up(tape: Tape, nerve: Nerve) -> Nerve:
    """Take the test."""
    return replace(nerve, pinned=tape.call(roll_pinning, nerve.ld, nerve.source))


PINNED = Procedure("pinning", (keep_heads_up,))


def fill_pinning(given: Mapping[str, Any], found: ProfileBook) -> dict[str, Any]:
    """The Ld of the named unit."""
    if not given.get("unit"):
        return dict(given)
    unit: Unit = found.find("unit", str(given["unit"]))
    return {"ld": unit.ld, **given, "unit": unit.name}


def pinning_headline(answer: Answer) -> str:
    """The chance to be pinned."""
    return f"Pinned {percent(answer.odds('pinned').chance(1))}."


def narrate_pinning(stage: Stage, before: Nerve, after: Nerve) -> Iterable[Line]:
    """How it went."""
    yield Line("The unit is pinned" if after.pinned else "The unit holds", ("V5-CORE-6",))


PINNING = Question(
    "pinning",
    "Is a unit pinned?",
    Pinning,
    begin_pinning,
    PINNED,
    (
        Measure("pinned", "Pinned", lambda nerve: int(nerve.pinned)),
        Measure("ld_that_counts", "Ld that counts", lambda nerve: effective_ld(nerve.ld, nerve.source)),
    ),
    pinning_headline,
    narrate_pinning,
    fill=fill_pinning,
    rulings=(),
    example={"ld": 8, "barrage": True},
)
