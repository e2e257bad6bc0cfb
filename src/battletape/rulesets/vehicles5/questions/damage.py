"""The question damage: what glances and penetrations that have been scored do to a vehicle, roll by roll."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.inputs import Inputs, meta
from battletape.log import Line
from battletape.odds import percent
from battletape.procedure import Procedure, Stage
from battletape.profiles import ProfileBook
from battletape.rulesets.vehicles5.questions import _rulings
from battletape.rulesets.vehicles5.questions._inputs import (
    DAMAGE,
    TYPES,
    Seen,
    Target,
    condition_of,
    fill_targeted,
    refuse_target,
)
from battletape.rulesets.vehicles5.rules.damage import (
    Condition,
    Low,
    Order,
    forget,
    modifier,
    modifier_of_hit,
    roll_damage,
    row_of_value,
)
from battletape.rulesets.vehicles5.rules.traits import Ap, Band
from battletape.rulesets.vehicles5.rulings import DEFAULT, Rulings
from battletape.rulesets.vehicles5.words import condition_line
from battletape.system import Measure, Question, Table
from battletape.tape import Tape
from battletape.words import plain, plural

if TYPE_CHECKING:
    from battletape.answer import Answer


FACES = range(1, 7)


class Scored(Inputs, frozen=True):
    """Hits of one kind that have glanced or gone through."""

    hit: Annotated[Literal["glance", "penetrate"], meta("attacker", "What they did", "V5-PEN-3")] = "penetrate"
    count: Annotated[int, meta("attacker", "How many", "V5-PEN-4", ge=1, le=60)] = 1
    ap: Annotated[Ap | None, meta("attacker", "AP: 1 to 6, -, or none", "V5-DMGMOD-2")] = None
    extra: Annotated[int, meta("attacker", "Further damage modifiers", "V5-DMGMOD-5", ge=-10, le=10)] = 0


class Damage(Inputs, frozen=True):
    """A vehicle as it stands, and the hits it has to roll damage for."""

    vehicle: Annotated[str, meta("target", "Vehicle profile")] = ""
    types: Annotated[tuple[str, ...], meta("target", f"Types: {TYPES}", "V5-FAST-1")] = ()
    weapons: Annotated[int, meta("target", "Intact weapons", "V5-DMG-3", ge=0, le=12)] = 1
    weapon_names: Annotated[tuple[str, ...], meta("target", "Intact weapons by name", "V5-DMG-3")] = ()
    melee_weapons: Annotated[tuple[str, ...], meta("target", "Those of them for close combat", "V5-DMG-3")] = ()
    shaken: Annotated[bool, meta("target", "Crew shaken", "V5-DMG-1")] = False
    stunned: Annotated[bool, meta("target", "Crew stunned", "V5-DMG-2")] = False
    immobilised: Annotated[bool, meta("target", "Immobilised", "V5-DMG-4")] = False
    band: Annotated[Band, meta("circumstances", "Speed of its last move", "V5-SKIM-7")] = "combat"
    hits: Annotated[tuple[Scored, ...], meta("attacker", "Hits, in order", "V5-VOLLEY-2")] = (Scored(),)


class Pounded(Struct, frozen=True, cache_hash=True):
    """The state of the question; of a vehicle that is destroyed, what was true of it then stays written down."""

    start: Condition
    now: Condition
    rolls: tuple[tuple[int, Low, Order], ...]


def begin_damage(inputs: Damage, rules: Rulings = DEFAULT) -> Pounded:
    """The vehicle and the modifier of every roll; raises Refused if it cannot have gone so fast."""
    same = {name: getattr(inputs, name) for name in Target.__struct_fields__ if name in Damage.__struct_fields__}
    target = Target(**same)
    refused = refuse_target(target)
    if refused is not None:
        raise refused
    rolls = tuple(
        (_modifier(hit, inputs, rules), rules.damage_range, rules.volley_order)
        for hit in inputs.hits
        for _ in range(hit.count)
    )
    condition = condition_of(target, rules)
    return Pounded(condition, condition, rolls)


def _modifier(hit: Scored, inputs: Damage, rules: Rulings) -> int:
    return modifier_of_hit(modifier(hit.ap, "open_topped" in inputs.types, rules, hit.extra), hit.hit)


@clause("V5-PEN-4", "V5-MARK-3", "V5-VOLLEY-2")
def roll_for_damage(tape: Tape, pounded: Pounded) -> Pounded:
    """A damage roll for every hit, each on the condition that the one before it left."""
    return replace(pounded, now=tape.each(roll_damage, pounded.now, pounded.rolls))


ROLLS = Procedure("damage", (roll_for_damage,))


def fill_damage(given: Mapping[str, Any], found: ProfileBook) -> dict[str, Any]:
    """The profile of the vehicle written out."""
    return fill_targeted(given, found, Damage)


def damage_rolls_headline(answer: Answer) -> str:
    """The numbers people want first."""
    destroyed, stuck = (answer.odds(name).chance(1) for name in ("destroyed", "immobilised_or_worse"))
    rolls = plural(len(answer.start.rolls), "damage roll")
    return f"{rolls}: destroyed {percent(destroyed)}, immobilised or worse {percent(stuck)}."


@clause("V5-DMGMOD-5")
def damage_rolls_table(inputs: Damage, rules: Rulings) -> Table:
    """What each face of the die counts as, for every kind of hit."""
    kinds = {_kind(hit, inputs, rules): _modifier(hit, inputs, rules) for hit in inputs.hits}
    rows = tuple(
        (str(face), *(f"{face + by}: {plain(row_of_value(face + by, rules.damage_range))}" for by in kinds.values()))
        for face in FACES
    )
    return Table("What a die counts as", ("die", *kinds), rows, "V5-DMGMOD-5")


def _kind(hit: Scored, inputs: Damage, rules: Rulings) -> str:
    ap = "" if hit.ap is None else f" AP{hit.ap}"
    return f"{hit.hit}{ap}, {_modifier(hit, inputs, rules):+d}"


def narrate_damage_rolls(stage: Stage, before: Pounded, after: Pounded) -> Iterable[Line]:
    """What is left of the vehicle."""
    yield condition_line(before.now, after.now)


def _measures() -> Iterator[Measure]:
    """The measures of damage; of a destroyed vehicle only its end counts in them."""
    for measure in DAMAGE:
        read = measure.of
        yield replace(measure, of=lambda state, read=read: read(Seen(state.start, forget(state.now))))


DAMAGE_ROLLS = Question(
    "damage",
    "What do glances and penetrations do to a vehicle?",
    Damage,
    begin_damage,
    ROLLS,
    tuple(_measures()),
    damage_rolls_headline,
    narrate_damage_rolls,
    fill=fill_damage,
    table=damage_rolls_table,
    rulings=_rulings.DAMAGE_ROLLS,
    example={"weapons": 2, "hits": [{"hit": "glance", "count": 2}, {"hit": "penetrate", "ap": 1}]},
)
