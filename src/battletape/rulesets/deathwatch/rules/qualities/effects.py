"""What special rules of weapons do once damage is done: stun, poison, snares, smoke, haywire fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from msgspec.structs import replace

from battletape.clauses import cites, clause
from battletape.dice import D10, D100, dice, row_of
from battletape.rulesets.deathwatch.rules import tests
from battletape.rulesets.deathwatch.rules.conditions import Conditions, resists, stun
from battletape.rulesets.deathwatch.rules.damage import NO_FURY, Hit, net
from battletape.rulesets.deathwatch.rules.wounds import Aftermath, Victim, hurt
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings
from battletape.tape import Tape
from battletape.words import labelled

if TYPE_CHECKING:
    pass


Strength: TypeAlias = Literal[
    "insignificant", "minor_disruption", "major_disruption", "dead_zone", "prolonged_dead_zone"
]
"""How strong a haywire field is."""
SMOKE_ACROSS, SMOKE_ROUNDS = "3d10", "2d10"


class Field(NamedTuple):
    """What a haywire field of one strength does to technology."""

    numbers: range
    to_technology: int  # to actions with guns that are not primitive, tech tests, and anything done in power armour
    movement: int  # of power armour, metres
    stops: bool  # technology stops altogether
    blunts: bool  # powered melee weapons count as primitive ones of their kind


FIELDS: Mapping[Strength, Field] = {
    "insignificant": Field(range(1, 21), 0, 0, False, False),
    "minor_disruption": Field(range(21, 41), -10, -1, False, False),
    "major_disruption": Field(range(41, 61), -20, -3, False, True),
    "dead_zone": Field(range(61, 81), -20, -3, True, True),
    "prolonged_dead_zone": Field(range(81, 101), -20, -3, True, True),
}
NO_FIELD = FIELDS["insignificant"]
cites("DW-QUAL-HAYWIRE", where=f"{__name__}.FIELDS")
_STRENGTHS: tuple[Strength, ...] = tuple(FIELDS)
_FIELD_ROWS = tuple((field.numbers, name) for name, field in FIELDS.items())


class Cloud(NamedTuple):
    """A smoke screen: metres across, and rounds."""

    across: int
    rounds: int


# --- without dice -----------------------------------------------------------------------------------------------------


@clause("DW-QUAL-CONCUSSIVE")
def concussive_target(toughness: int, degrees: int, cap: int = DEFAULT.modifier_cap) -> int:
    """Toughness against a concussive attack: -10 for each of its degrees."""
    return toughness - min(10 * degrees, cap)


@clause("DW-QUAL-CONCUSSIVE")
def knocks_down(net: int, sb: int) -> bool:
    """Whether a concussive attack throws its target down: more net damage than the Strength bonus."""
    return net > sb


@clause("DW-QUAL-SHOCKING")
def shocking_target(toughness: int, ap: int, cap: int = DEFAULT.modifier_cap) -> int:
    """Toughness against a shocking hit: +10 for each armour point of the place."""
    return toughness + min(10 * ap, cap)


@clause("DW-QUAL-SHOCKING")
def shocking_rounds(net: int, half_down: bool = False) -> int:
    """Rounds of a shock: half the net damage, at least one."""
    return max(1, net // 2 if half_down else (net + 1) // 2)


@clause("DW-QUAL-TOXIC")
def toxic_target(toughness: int, net: int, cap: int = DEFAULT.modifier_cap) -> int:
    """Toughness against poison: -5 for each point of net damage."""
    return toughness - min(5 * net, cap)


@clause("DW-QUAL-HAYWIRE")
def fades(strength: Strength) -> Strength:
    """The field a round later: one step less, down to insignificant."""
    return _STRENGTHS[max(0, _STRENGTHS.index(strength) - 1)]


@clause("DW-QUAL-HAYWIRE")
def field_rounds(strength: Strength) -> int:
    """Rounds until a field is insignificant."""
    return _STRENGTHS.index(strength)


# --- with dice, hit by hit --------------------------------------------------------------------------------------------


@clause("DW-QUAL-TOXIC")
def poison(tape: Tape, net: int, hit: Hit) -> int:
    """Extra Impact damage of a toxic hit that hurt its target; nothing reduces it, and no poison follows it."""
    body = hit.body
    if net <= 0 or resists(tape, toxic_target(body.toughness, net, body.cap), "toughness (toxic)", body.auto):
        return 0
    return int(tape.roll(D10, label="toxic damage"))


@clause("DW-QUAL-SHOCKING")
def shock(tape: Tape, net: int, hit: Hit) -> int:
    """Rounds of stun from a shocking hit that hurt its target."""
    body = hit.body
    if net <= 0 or resists(tape, shocking_target(body.toughness, hit.ap, body.cap), "toughness (shocking)", body.auto):
        return 0
    return shocking_rounds(net, body.shock_down)


@clause("DW-QUAL-TOXIC")
def sicken(tape: Tape, victim: Victim, hit: Hit, got: int) -> Victim:
    """After a toxic hit: the poison does Impact damage of its own."""
    return hurt(tape, victim, replace(hit, damage_type="I"), tape.call(poison, got, hit))


@clause("DW-QUAL-SHOCKING")
def jolt(tape: Tape, victim: Victim, hit: Hit, got: int) -> Victim:
    """After a shocking hit: the victim may be stunned."""
    rounds = 0 if victim.conditions is None else tape.call(shock, got, hit)
    return befallen(victim, stun(victim.conditions, rounds)) if victim.conditions and rounds else victim


def befallen(victim: Victim, conditions: Conditions) -> Victim:
    """The victim in these conditions."""
    return replace(victim, conditions=conditions)


# --- with dice, once an attack ----------------------------------------------------------------------------------------


@clause("DW-QUAL-SNARE")
def break_free(tape: Tape, strength: int, agility: int, by: str = "defender", rules: Rulings = DEFAULT) -> bool:
    """One try to get out of a snare, by strength or by agility; the better one is offered first."""
    ways = {"strength": strength, "agility": agility}
    how = tape.choose(sorted(ways, key=lambda way: (-ways[way], way == "agility")), by=by, label="break free")
    return resists(tape, ways[how], f"{how} (break free)", rules.auto_results == "01_and_00")


@clause("DW-QUAL-SMOKE")
def smoke_screen(tape: Tape) -> Cloud:
    """A smoke screen where the shot lands; shooting at what is in it is hard (-20)."""
    across = tape.roll(dice(SMOKE_ACROSS), label="smoke, metres across")
    return Cloud(int(across), int(tape.roll(dice(SMOKE_ROUNDS), label="smoke, rounds")))


@clause("DW-QUAL-HAYWIRE")
def haywire(tape: Tape) -> Strength:
    """A haywire field, as strong as a d100 says."""
    strength: Strength = tape.roll(D100, row_of(_FIELD_ROWS, "field"), label="haywire field")
    return strength


# --- after all hits of an attack --------------------------------------------------------------------------------------


@clause("DW-QUAL-CONCUSSIVE")
def shake(tape: Tape, victim: Victim, after: Aftermath) -> Victim:
    """A concussive attack that hit: Toughness or stunned a round, and thrown down by much damage."""
    conditions, body = victim.conditions, after.hit.body
    if conditions is None:
        return victim
    target = concussive_target(body.toughness, after.degrees, body.cap)
    if not resists(tape, target, "toughness (concussive)", body.auto):
        conditions = stun(conditions, 1)
    if knocks_down(victim.net, after.spec.guard.sb):
        conditions = replace(conditions, prone=True)
    return befallen(victim, conditions)


@clause("DW-QUAL-SNARE")
def ensnare(tape: Tape, victim: Victim, after: Aftermath) -> Victim:
    """A snare that hit: an Agility test, or the target is held and helpless."""
    conditions, body = victim.conditions, after.hit.body
    if conditions is None or conditions.immobilised or resists(tape, body.agility, "agility (snare)", body.auto):
        return victim
    return befallen(victim, replace(conditions, immobilised=True))


@clause("DW-QUAL-FLAME")
def catch_fire(tape: Tape, victim: Victim, after: Aftermath) -> Victim:
    """Whoever is hurt by flames tests Agility once more, or is on fire."""
    conditions, guard = victim.conditions, after.spec.guard
    if conditions is None or conditions.on_fire or not victim.net:
        return victim
    if tests.check(tape, guard.agility, labelled(guard.name, "agility (catch fire)"), after.spec.tests):
        return victim
    return befallen(victim, replace(conditions, on_fire=True))


@clause("DW-QUAL-SPECIAL")
def burn_within(tape: Tape, victim: Victim, after: Aftermath) -> Victim:
    """A force weapon that hurt its target: if the psyker wins by Willpower, a d10 for each point of the rating."""
    spec = after.spec
    if not victim.net:
        return victim
    own, other = spec.willpower, spec.guard.willpower
    first = tests.Contestant(own, tests.bonus(own), labelled(spec.name, "willpower"))
    second = tests.Contestant(other, tests.bonus(other), labelled(spec.guard.name, "willpower"))
    if tape.call(tests.opposed, first, second, spec.tests) != "one":
        return victim
    burn = replace(after.hit, dice=spec.psy_rating, drop=0, best_each=False, flat=0, least=0, reduction=0, worn=())
    burn = replace(burn, frail=False, fury=NO_FURY, damage_type="E")
    return hurt(tape, victim, burn, tape.call(net, burn, burn.most))
