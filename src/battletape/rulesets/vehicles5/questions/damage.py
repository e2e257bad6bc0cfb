"""The question damage: what glances and penetrations that have been scored do to a vehicle, roll by roll."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec.structs import replace

from battletape.clauses import clause
from battletape.inputs import Inputs, meta
from battletape.procedure import Procedure
from battletape.rulesets.vehicles5.questions import _inputs
from battletape.rulesets.vehicles5.questions._inputs import how_bad, narrate
from battletape.rulesets.vehicles5.rules import damage
from battletape.rulesets.vehicles5.rules.shooting import Shot, Volley, begin_volleys, fire
from battletape.rulesets.vehicles5.rules.traits import Ap, Band
from battletape.rulesets.vehicles5.rulings import DEFAULT, Rulings
from battletape.system import Measure, Question, Table
from battletape.tape import Tape
from battletape.words import plain, plural


class Scored(Inputs, frozen=True):
    """Hits of one kind that have glanced or gone through."""

    hit: Annotated[Literal["glance", "penetrate"], meta("attacker", "What they did", "V5-PEN-3")] = "penetrate"
    count: Annotated[int, meta("attacker", "How many", "V5-PEN-4", ge=1, le=60)] = 1
    ap: Annotated[Ap | None, meta("attacker", "AP: 1 to 6, -, or none", "V5-DMGMOD-2")] = None
    extra: Annotated[int, meta("attacker", "Further damage modifiers", "V5-DMGMOD-5", ge=-10, le=10)] = 0


class Damage(Inputs, frozen=True):
    """A vehicle as it stands, and the hits it has to roll damage for."""

    vehicle: Annotated[str, meta("target", "Vehicle profile")] = ""
    types: Annotated[tuple[str, ...], meta("target", f"Types: {_inputs.TYPES}", "V5-FAST-1")] = ()
    weapons: Annotated[int, meta("target", "Intact weapons", "V5-DMG-3", ge=0, le=12)] = 1
    weapon_names: Annotated[tuple[str, ...], meta("target", "Intact weapons by name", "V5-DMG-3")] = ()
    melee_weapons: Annotated[tuple[str, ...], meta("target", "Those of them for close combat", "V5-DMG-3")] = ()
    shaken: Annotated[bool, meta("target", "Crew shaken", "V5-DMG-1")] = False
    stunned: Annotated[bool, meta("target", "Crew stunned", "V5-DMG-2")] = False
    immobilised: Annotated[bool, meta("target", "Immobilised", "V5-DMG-4")] = False
    band: Annotated[Band, meta("circumstances", "Speed of its last move", "V5-SKIM-7")] = "combat"
    hits: Annotated[tuple[Scored, ...], meta("attacker", "Hits, in order", "V5-VOLLEY-2")] = (Scored(),)


def begin_damage(inputs: Damage, rules: Rulings = DEFAULT) -> Volley:
    """The vehicle and every hit as one volley; raises Refused if it cannot have gone so fast."""
    condition = replace(_inputs.sound_condition(inputs, rules), remembers=True)
    shots: list[Shot] = []
    for hit in inputs.hits:
        by = _modifier(hit, inputs, rules)
        shots += [Shot("", 0, False, False, 0, "d6", by, 0, low=rules.damage_range, scored=hit.hit)] * hit.count
    return begin_volleys(condition, [shots])


def _modifier(hit: Scored, inputs: Damage, rules: Rulings) -> int:
    return damage.modifier(hit.ap, "open_topped" in inputs.types, rules, hit.extra)


@clause("V5-PEN-4", "V5-MARK-3", "V5-VOLLEY-2")
def roll_for_damage(tape: Tape, hits: Volley) -> Volley:
    """A damage roll for every hit, each on the condition that the one before it left."""
    return fire(tape, hits)


@clause("V5-DMGMOD-5")
def damage_rolls_table(inputs: Damage, rules: Rulings) -> Table:
    """What each face of the die counts as, for every kind of hit."""
    kinds: dict[str, int] = {}
    for hit in inputs.hits:
        by = damage.modifier_of_hit(_modifier(hit, inputs, rules), hit.hit)
        kinds[f"{hit.hit}{'' if hit.ap is None else f' AP{hit.ap}'}, {by:+d}"] = by

    def row(value: int) -> str:
        return f"{value}: {plain(damage.row_of_value(value, rules.damage_range))}"

    rows = tuple((str(face), *(row(face + by) for by in kinds.values())) for face in range(1, 7))
    return Table("What a die counts as", ("die", *kinds), rows, "V5-DMGMOD-5")


def _at_the_end(measure: Measure) -> Measure:
    """A measure of damage; of a destroyed vehicle only its end counts in it."""
    read = measure.of
    return replace(measure, of=lambda hits: read(_inputs.Seen(hits.start, damage.forget(hits.now))))


DAMAGE_ROLLS = Question(
    "damage",
    "What do glances and penetrations do to a vehicle?",
    Damage,
    begin_damage,
    Procedure("damage", (roll_for_damage,)),
    tuple(map(_at_the_end, _inputs.DAMAGE)),
    lambda answer: f"{plural(len(answer.start.volleys[0]), 'damage roll')}: {how_bad(answer)}.",
    narrate,
    fill=lambda given, book: _inputs.fill_targeted(given, book, Damage),
    table=damage_rolls_table,
    rulings=("volley_order", *_inputs.DAMAGE_RULINGS),
    example={"weapons": 2, "hits": [{"hit": "glance", "count": 2}, {"hit": "penetrate", "ap": 1}]},
)
