"""The question damage: what glances and penetrations that have been scored do to a vehicle, roll by roll."""

from __future__ import annotations

from typing import Literal

from battletape.cards import Inputs, Measure, Question, Table, asked
from battletape.rulebook import Procedure, Tape, clause, plain, plural, replace
from battletape.rulesets.vehicles5.questions import _inputs
from battletape.rulesets.vehicles5.rules import damage
from battletape.rulesets.vehicles5.rules.shooting import Shot, Volley, begin_volleys, fire
from battletape.rulesets.vehicles5.rules.traits import Band
from battletape.rulesets.vehicles5.rulings import Rulings


class Scored(Inputs, count="count", frozen=True):
    """Hits of one kind that have glanced or gone through."""

    hit: Literal["glance", "penetrate"] = asked("penetrate", "What they did", "V5-PEN-3", group="attacker")
    count: int = asked(1, "How many", "V5-PEN-4", group="attacker", ge=1, le=60)
    ap: _inputs.WeaponAp = None
    extra: _inputs.Extra = 0


class DamageInputs(Inputs, frozen=True):
    """A vehicle as it stands, and the hits it has to roll damage for."""

    vehicle: _inputs.VehicleName = ""
    types: _inputs.Types = ()
    weapons: _inputs.Weapons = 1
    weapon_names: _inputs.WeaponNames = ()
    melee_weapons: _inputs.MeleeWeapons = ()
    shaken: _inputs.Shaken = False
    stunned: _inputs.Stunned = False
    immobilised: _inputs.Immobilised = False
    band: Band = asked(
        "combat", "Speed of its last move", "V5-SKIM-7", group="circumstances", form="circumstance", short="Speed"
    )
    hits: tuple[Scored, ...] = asked(
        (Scored(),), "Hits", "V5-VOLLEY-2", about=", in order", group="attacker", short="hit"
    )


def begin_damage(inputs: DamageInputs, rulings: Rulings) -> Volley:
    condition = replace(_inputs.checked_condition(inputs, rulings), keeps_damage=True)
    shots: list[Shot] = []
    for hit in inputs.hits:
        by = _modifier(hit, inputs, rulings)
        shots += [
            Shot("", 0, False, False, 0, "d6", by, 0, below_table=rulings.damage_range, known_result=hit.hit)
        ] * hit.count
    return begin_volleys(condition, [shots])


def _modifier(hit: Scored, inputs: DamageInputs, rulings: Rulings) -> int:
    return damage.damage_modifier(hit.ap, "open_topped" in inputs.types, rulings, hit.extra)


@clause("V5-PEN-4", "V5-MARK-3", "V5-VOLLEY-2")
def roll_for_damage(tape: Tape, hits: Volley) -> Volley:
    """Roll for damage once for every hit, one after the other."""
    return fire(tape, hits)


@clause("V5-DMGMOD-5")
def _damage_rolls_table(inputs: DamageInputs, rulings: Rulings) -> Table:
    kinds: dict[str, int] = {}
    for hit in inputs.hits:
        by = damage.modifier_of_result(_modifier(hit, inputs, rulings), hit.hit)
        kinds[f"{hit.hit}{'' if hit.ap is None else f' AP{hit.ap}'}, {by:+d}"] = by

    def row(value: int) -> str:
        return f"{value}: {plain(damage.row_of_value(value, rulings.damage_range))}"

    rows = tuple((str(face), *(row(face + by) for by in kinds.values())) for face in range(1, 7))
    return Table("What a die counts as", ("die", *kinds), rows, "V5-DMGMOD-5")


def _at_the_end(measure: Measure) -> Measure:
    """Return a measure of damage that counts only the end of a destroyed vehicle."""
    read = measure.of
    return replace(
        measure, of=lambda hits: read(_inputs.BeforeAfter(hits.start, damage.forget_damage_if_destroyed(hits.now)))
    )


DAMAGE_ROLLS = Question(
    "damage",
    "What do glances and penetrations do to a vehicle?",
    DamageInputs,
    begin_damage,
    Procedure("damage", (roll_for_damage,)),
    tuple(map(_at_the_end, _inputs.DAMAGE)),
    lambda answer: f"{plural(len(answer.start.volleys[0]), 'damage roll')}: {_inputs.damage_chances(answer)}.",
    fill=lambda given, book: _inputs.fill_targeted(given, book, DamageInputs),
    table=_damage_rolls_table,
    rulings=("volley_order", *_inputs.DAMAGE_RULINGS),
    example={"vehicle": "Anvil battle tank", "hits": [{"hit": "glance", "count": 2}, {"hit": "penetrate", "ap": 1}]},
    small={"weapons": 2, "hits": [{"hit": "glance", "count": 2}, {"hit": "penetrate", "ap": 1}]},
    lead=_inputs.DAMAGE_LEAD,
)
