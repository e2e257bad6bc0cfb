"""Effects of weapon qualities once damage is done: stun, poison, snares, smoke, haywire fields."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

from battletape.cards import Line
from battletape.rulebook import D10, D100, Tape, cites, clause, dice, labelled, replace, row_of
from battletape.rulesets.deathwatch.rules import d100_tests, wounds
from battletape.rulesets.deathwatch.rules.conditions import BodyNumbers, stun
from battletape.rulesets.deathwatch.rules.damage import NO_FURY, Hit, damage_after_armour
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings

Strength: TypeAlias = Literal[
    "insignificant", "minor_disruption", "major_disruption", "dead_zone", "prolonged_dead_zone"
]
"""How strong a haywire field is."""
SMOKE_ACROSS, SMOKE_ROUNDS = "3d10", "2d10"


class HaywireField(NamedTuple):
    """The effects of a haywire field of one strength on technology."""

    numbers: range
    to_technology: int  # to actions with guns that are not primitive, tech tests, and anything done in power armour
    movement: int  # of power armour, metres
    stops: bool  # technology stops altogether
    unpowers: bool  # powered melee weapons count as primitive ones of their kind


FIELDS: Mapping[Strength, HaywireField] = {
    "insignificant": HaywireField(range(1, 21), 0, 0, False, False),
    "minor_disruption": HaywireField(range(21, 41), -10, -1, False, False),
    "major_disruption": HaywireField(range(41, 61), -20, -3, False, True),
    "dead_zone": HaywireField(range(61, 81), -20, -3, True, True),
    "prolonged_dead_zone": HaywireField(range(81, 101), -20, -3, True, True),
}
NO_FIELD = FIELDS["insignificant"]
cites("DW-QUAL-HAYWIRE", where=f"{__name__}.FIELDS")
_STRENGTHS: tuple[Strength, ...] = tuple(FIELDS)
_FIELD_ROWS = tuple((field.numbers, name) for name, field in FIELDS.items())


class SmokeScreen(NamedTuple):
    """A smoke screen: metres across, and rounds."""

    across: int
    rounds: int


RESISTANCE_MODIFIERS = {"concussive": -10, "shocking": 10, "toxic": -5}
"""Modifiers of Toughness for each degree of the attack, armour point of the place, or point of net damage."""


@clause("DW-QUAL-CONCUSSIVE", "DW-QUAL-SHOCKING", "DW-QUAL-TOXIC")
@lru_cache(4096)
def resist_target(body: BodyNumbers, quality: str, number: int) -> int:
    """Return the target number of Toughness against a quality, by degrees or points."""
    return d100_tests.target(body.toughness, (RESISTANCE_MODIFIERS[quality] * number,), body.rulings)


def withstands(tape: Tape, body: BodyNumbers, quality: str, number: int) -> bool:
    """Test Toughness against such a quality."""
    return d100_tests.roll_success(
        tape, resist_target(body, quality, number), f"toughness ({quality})", body.rulings, by="defender"
    )


@clause("DW-QUAL-HAYWIRE")
def weaken(strength: Strength) -> Strength:
    """Return the field a round later: one step less, down to insignificant."""
    return _STRENGTHS[max(0, _STRENGTHS.index(strength) - 1)]


@clause("DW-QUAL-HAYWIRE")
def field_rounds(strength: Strength) -> int:
    """Return rounds until a field is insignificant."""
    return _STRENGTHS.index(strength)


# --- with dice, hit by hit --------------------------------------------------------------------------------------------


@clause("DW-QUAL-TOXIC")
def poison(tape: Tape, hit: Hit, damage: int) -> int:
    """Test Toughness against the poison of a hit, harder the more got through; return 1 if it fails."""
    return int(not withstands(tape, hit.body, "toxic", damage))


@clause("DW-QUAL-TOXIC")
def apply_poison(tape: Tape, victim: wounds.Victim, hit: Hit, _: int) -> wounds.Victim:
    """Roll a d10 of Impact damage that nothing reduces."""
    return wounds.lose_wounds(tape, victim, replace(hit, damage_type="I"), tape.roll(D10, label="toxic damage"))


@clause("DW-QUAL-SHOCKING")
def shock(tape: Tape, hit: Hit, damage: int) -> int:
    """Test Toughness against a shocking hit; return the rounds of stun: half the damage, at least one."""
    if withstands(tape, hit.body, "shocking", hit.ap):
        return 0
    return max(1, damage // 2 if hit.body.rulings.shocking_rounds == "half_down" else (damage + 1) // 2)


@clause("DW-QUAL-SHOCKING")
def apply_shock(tape: Tape, victim: wounds.Victim, hit: Hit, rounds: int) -> wounds.Victim:
    """Stun the victim of a shocking hit."""
    return replace(victim, conditions=victim.conditions and stun(victim.conditions, rounds))


@clause("DW-QUAL-SNARE")
def break_free(tape: Tape, strength: int, agility: int, by: str = "defender", rulings: Rulings = DEFAULT) -> bool:
    """Try once to get out of a snare, by strength or by agility; the better one is offered first."""
    ways = {"strength": strength, "agility": agility}
    how = tape.choose(sorted(ways, key=lambda test: (-ways[test], test == "agility")), by=by, label="break free")
    return d100_tests.roll_success(tape, ways[how], f"{how} (break free)", rulings)


@clause("DW-QUAL-SMOKE")
def smoke_screen(tape: Tape) -> SmokeScreen:
    """Roll a smoke screen where the shot lands."""
    across = tape.roll(dice(SMOKE_ACROSS), label="smoke, metres across")
    return SmokeScreen(int(across), int(tape.roll(dice(SMOKE_ROUNDS), label="smoke, rounds")))


@clause("DW-QUAL-HAYWIRE")
def roll_haywire_field(tape: Tape) -> Strength:
    """Roll the strength of a haywire field."""
    strength: Strength = tape.roll(D100, row_of(_FIELD_ROWS, "field"), label="haywire field")
    return strength


# --- after all hits of an attack --------------------------------------------------------------------------------------


@clause("DW-QUAL-CONCUSSIVE")
def concuss(tape: Tape, victim: wounds.Victim, after: wounds.Aftermath) -> wounds.Victim:
    """Test Toughness against a concussive attack, or be stunned a round; much damage throws down."""
    conditions = victim.conditions
    if conditions is None:
        return victim
    if not withstands(tape, after.hit.body, "concussive", after.degrees):
        conditions = stun(conditions, 1)
    if victim.net_damage > after.spec.defender.sb:
        conditions = replace(conditions, prone=True)
    return replace(victim, conditions=conditions)


@clause("DW-QUAL-SNARE")
def ensnare(tape: Tape, victim: wounds.Victim, after: wounds.Aftermath) -> wounds.Victim:
    """Test Agility against a snare that hit, or be held and helpless."""
    conditions, body = victim.conditions, after.hit.body
    if conditions is None or conditions.immobilised:
        return victim
    if d100_tests.roll_success(tape, body.agility, "agility (snare)", body.rulings, by="defender"):
        return victim
    return replace(victim, conditions=replace(conditions, immobilised=True))


@clause("DW-QUAL-FLAME")
def catch_fire(tape: Tape, victim: wounds.Victim, after: wounds.Aftermath) -> wounds.Victim:
    """Test Agility of a victim hurt by flames, or set it on fire."""
    conditions, defender = victim.conditions, after.spec.defender
    if conditions is None or conditions.on_fire or not victim.net_damage:
        return victim
    if d100_tests.roll_success(
        tape, defender.agility, labelled(defender.name, "agility (catch fire)"), after.spec.test_rulings, by="defender"
    ):
        return victim
    return replace(victim, conditions=replace(conditions, on_fire=True))


@clause("DW-QUAL-SPECIAL")
def burn_within(tape: Tape, victim: wounds.Victim, after: wounds.Aftermath) -> wounds.Victim:
    """Test Willpower of psyker against victim of a force weapon; if it wins, roll a d10 for each rating."""
    spec = after.spec
    if not victim.net_damage:
        return victim
    own, other = spec.willpower, spec.defender.willpower
    first = d100_tests.Contestant(own, d100_tests.bonus(own), labelled(spec.name, "willpower"))
    second = d100_tests.Contestant(other, d100_tests.bonus(other), labelled(spec.defender.name, "willpower"))
    if tape.call(d100_tests.contest, first, second, spec.test_rulings, 0).winner != "one":
        return victim
    burn = replace(
        after.hit,
        dice=spec.psy_rating,
        dropped_dice=0,
        better_of_two=False,
        flat=0,
        min_die=0,
        reduction=0,
        by_cover_lost=(),
    )
    burn = replace(burn, armour_may_go=False, fury=NO_FURY, damage_type="E")
    return wounds.lose_wounds(tape, victim, burn, tape.call(damage_after_armour, burn, burn.max_damage))


# --- in words ---------------------------------------------------------------------------------------------------------

Effect: TypeAlias = Callable[..., wounds.Victim]
TESTED: Mapping[Effect, tuple[str, str]] = {
    apply_poison: ("Against the poison", "toxic"),
    apply_shock: ("Against the shock", "shocking"),
    concuss: ("Not to be stunned", "concussive"),
}
"""Effects that a Toughness test may prevent: the words for the test, and the quality."""
DAMAGE_WORDS: Mapping[Effect, str] = {apply_poison: "poison"}
"""Words for effects with damage of their own, if the name is not the word."""


def resistance_lines(effects: Iterable[Effect], hit: Hit, number: int) -> Iterator[Line]:
    """Say the Toughness tests against what qualities do after so many degrees or points of damage."""
    for words, quality in (TESTED[effect] for effect in effects if effect in TESTED):
        needs = resist_target(hit.body, quality, hit.ap if quality == "shocking" else number)
        yield Line(f"{words}: Toughness at {needs}", (f"DW-QUAL-{quality.upper()}",), result=str(needs))
