"""One attack: the roll to hit with its degrees, hits and first location, jams, and the hits it makes."""

from __future__ import annotations

from functools import lru_cache

from msgspec.structs import replace

from battletape.clauses import clause
from battletape.dice import D10, D100, Reading, at_least
from battletape.rulesets.deathwatch.rules import damage, locations, tests
from battletape.rulesets.deathwatch.rules.attack.records import NEVER, Attack, HitRoll, Spec
from battletape.rulesets.deathwatch.rules.damage import Hit
from battletape.rulesets.deathwatch.rules.traits import place_of
from battletape.rulesets.deathwatch.rules.wounds import Aftermath, Victim
from battletape.tape import Tape
from battletape.words import labelled

REAL_JAM = 10
ACCURATE_DICE, DEGREES_A_DIE = 2, 2
TWIN_DEGREES = 2


@clause("DW-AUTO-1", "DW-AUTO-2", "DW-ACT-SEMI-AUTO-BURST", "DW-ACT-FULL-AUTO-BURST")
def hits_of(spec: Spec, degrees: int) -> int:
    """Hits of a success: one, more by the degrees of a burst up to its rounds, then doubled, twinned, scattered."""
    hits = min(spec.cap, 1 + (degrees // spec.per if spec.per else 0)) * spec.times
    if spec.twin and degrees >= TWIN_DEGREES:
        hits = hits + 1 if spec.twin == 1 else min(hits + 1, spec.cap * spec.times)
    return hits + degrees // 2 if spec.per_two else hits


@clause("DW-PIPE-1", "DW-JAM-1", "DW-QUAL-OVERHEATS")
def outcome(spec: Spec, roll: int) -> tuple[str, int, int]:
    """What an attack roll means: its status, degrees (of failure, if it failed) and hits; jam? still needs a d10."""
    passed, degrees = tests.degrees_of(spec.target, roll, spec.tests)
    hits = hits_of(spec, degrees) if passed else 0
    natural = roll >= spec.jam_from
    if spec.overheat_from < NEVER:
        if roll >= spec.overheat_from or (spec.jam_on_miss and not passed):
            return "overheat", degrees, hits if spec.overheat_may_hit else 0
    elif natural or (spec.jam_on_miss and not passed):
        if spec.jam_check and (natural or not spec.natural_only):
            return "jam?", degrees, hits if spec.jam_may_hit or spec.saved_may_hit else 0
        return "jam", degrees, hits if spec.jam_may_hit else 0
    return "hit" if passed else "miss", degrees, hits


@clause("DW-LOC-2", "DW-SUPP-3")
def first_spot(spec: Spec, roll: int) -> str:
    """Where the first hit of an attack roll lands; nothing is said where it needs a roll of its own."""
    if not spec.called and (spec.location == "fresh" or spec.mode == "suppress"):
        return ""
    return spec.called or locations.spot_of_roll(roll, spec.location)


@lru_cache(1024)
def attack_reading(spec: Spec) -> Reading:
    """An attack roll read as all that later stages need: status, degrees still felt, hits and first spot."""
    meanings: dict[int, tuple[str, int, int, str]] = {}
    names: dict[tuple[str, int, int, str], str] = {}
    for roll in D100.faces:
        status, degrees, hits = outcome(spec, roll)
        felt = min(degrees, spec.degrees_felt) if hits else 0
        spot = first_spot(spec, roll) if hits else ""
        meaning = meanings[roll] = (status, felt, hits, spot if spec.sides or not spot else place_of(spot))
        if meaning not in names:
            names[meaning] = words_of(meaning)
    hitting = (meaning for meaning in names if meaning[2])
    return Reading(meanings.__getitem__, f"{spec.target} or less", names, good=hitting)


@lru_cache(64)
def hit_roll_reading(spec: Spec) -> Reading:
    """The same with the roll itself, if a measure asks for it."""
    read = attack_reading(spec)
    meanings = {roll: (read(roll), roll) for roll in D100.faces}
    names = {meaning: words_of(meaning[0]) for meaning in meanings.values()}
    return Reading(meanings.__getitem__, read.text, names, good=(meaning for meaning in names if meaning[0][2]))


def words_of(meaning: tuple[str, int, int, str]) -> str:
    """An attack roll in words: 3 hits, the first on the body."""
    status, _, hits, first = meaning
    where = f"the first on the {first.replace('_', ' ')}" if hits > 1 else f"on the {first.replace('_', ' ')}"
    scored = f"{hits} hit{'' if hits == 1 else 's'}" + (f", {where}" if first else "") if hits else ""
    if status in ("hit", "miss"):
        return scored or "miss"
    return f"{STATUS_WORDS[status]}" + (f", {scored}" if scored else "")


STATUS_WORDS = {"jam": "jams", "jam?": "may jam", "overheat": "overheats"}


# stages


@clause("DW-PIPE-1")
def declare(tape: Tape, attack: Attack) -> Attack:
    """Say what is attacked with what, and how."""
    return attack


@clause("DW-PIPE-1", "DW-TEST-4")
def add_modifiers(tape: Tape, attack: Attack) -> Attack:
    """Add up everything that makes the attack easier or harder, limited by the cap."""
    return attack


@clause("DW-PIPE-1", "DW-TEST-3", "DW-LOC-2")
def roll_to_hit(tape: Tape, attack: Attack) -> Attack:
    """One d100 for hit or miss, degrees, number of hits, jam and place of the first hit."""
    spec, health, hit_roll = attack.spec, attack.victim.health, attack.hit_roll
    label = labelled(spec.name, "to hit")
    if hit_roll is None:
        status, degrees, hits, first = tape.roll(D100, attack_reading(spec), label=label)
    else:
        (status, degrees, hits, first), roll = tape.roll(D100, hit_roll_reading(spec), label=label)
        hit_roll = HitRoll(roll, hits, first_spot(spec, roll) if hits else "")
    return Attack(spec, attack.victim, status, degrees, hits, first, hits, before=health, hit_roll=hit_roll)


@clause("DW-QUAL-RELIABLE", "DW-JAM-1")
def check_jam(tape: Tape, attack: Attack) -> Attack:
    """A reliable weapon that would jam does so on a ten only; otherwise the attack just misses."""
    if attack.status != "jam?":
        return attack
    spec = attack.spec
    jams = tape.roll(D10, at_least(REAL_JAM), label=labelled(spec.name, "jam check"))
    counts = spec.jam_may_hit if jams else spec.saved_may_hit
    if counts and attack.hits:
        return replace(attack, status="jam" if jams else "hit")
    missed = attack.hit_roll and HitRoll(attack.hit_roll.roll)
    status = "jam" if jams else "miss"
    return replace(attack, status=status, degrees=0, hits=0, first="", landed=0, hit_roll=missed)


def roll_hits(tape: Tape, spec: Spec) -> tuple[str, int]:
    """Only the status of an attack and how many hits it scores."""
    attack = check_jam(tape, roll_to_hit(tape, Attack(spec, NOBODY)))
    return attack.status, attack.hits


NOBODY = Victim(0)


@clause("DW-PIPE-1", "DW-MULTI-1", "DW-AUTO-3", "DW-LOC-1")
def set_places(tape: Tape, attack: Attack) -> Attack:
    """The places of the hits that were not evaded, each with all that its dice need; the roll is forgotten."""
    spec, first, hit_roll = attack.spec, attack.first, attack.hit_roll
    gone = replace(attack, first="", degrees=0)
    if not attack.landed:
        return gone
    if spec.mode == "suppress":  # each stray finds a place of its own
        return replace(gone, strays=attack.landed)
    if not first:
        first = locations.roll_spot(tape, True)
        hit_roll = hit_roll and hit_roll._replace(hits=attack.hits, first=first)
        first = first if spec.sides else place_of(first)
    places = attack.places[: attack.landed] or range(attack.landed)
    row = locations.sequence(first, places[-1] + 1)
    at_first = replace(attack, first=first, items=())
    hits = tape.each(place_one, at_first, tuple((row[at], at == 0) for at in places)).placed
    return replace(gone, hit_roll=hit_roll, items=with_aftermath(spec, hits, attack.degrees))


@clause("DW-MULTI-1", "DW-AUTO-3")
def place_one(tape: Tape, attack: Attack, item: tuple[str, bool]) -> Attack:
    """One more hit: on the limb of the first one if it is of that kind, else its side is rolled."""
    (place, is_first), spec = item, attack.spec
    spot = attack.first if place == place_of(attack.first) else locations.side_of(tape, place, spec.sides)
    return replace(attack, items=(*attack.items, hit_for(spec, spot, attack.degrees, is_first)))


def with_aftermath(spec: Spec, hits: tuple[Hit, ...], degrees: int) -> tuple[Hit | Aftermath, ...]:
    """The hits of an attack, and what its qualities do after them."""
    if not spec.follows or not hits:
        return hits
    hit = hits[0] if hits[0].counts_always else spec.hits[0]
    return (*hits, Aftermath(spec.follows, hit, min(degrees, spec.degrees_kept), spec))


@clause("DW-QUAL-ACCURATE", "DW-QUAL-RAZOR", "DW-QUAL-SPECIAL", "DW-CORE-DOSMIN")
@lru_cache(4096)
def hit_for(spec: Spec, spot: str, degrees: int, first: bool) -> Hit:
    """One hit of this attack at a place, with what its degrees do for it."""
    row = spec.sharp if spec.sharp and degrees >= damage.RAZOR_DEGREES else spec.hits
    hit = next(hit for hit in row if spot in (hit.spot, place_of(hit.spot)))
    more = accurate_dice(degrees) if spec.accurate else 0
    least = degrees if spec.dos_minimum and first else 0
    flat = spec.per_degree * degrees
    return replace(hit, dice=hit.dice + more, flat=hit.flat + flat, least=least) if more or least or flat else hit


@clause("DW-QUAL-ACCURATE")
def accurate_dice(degrees: int) -> int:
    """Dice of damage that an accurate shot adds: one for two degrees, two at most."""
    return min(ACCURATE_DICE, degrees // DEGREES_A_DIE)
