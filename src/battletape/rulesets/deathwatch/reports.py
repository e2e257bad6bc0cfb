"""An attack by one path with every die kept, as for a record of what happened."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.dice import D100
from battletape.rulesets.deathwatch import blasts, checks, damage, locations
from battletape.rulesets.deathwatch.attack import check_jam, first_spot, hit_for, outcome
from battletape.rulesets.deathwatch.damage import NO_FURY, Hit
from battletape.rulesets.deathwatch.evasion import evade
from battletape.rulesets.deathwatch.pipeline import begin
from battletape.rulesets.deathwatch.specs import Attack, Spec, labelled
from battletape.rulesets.deathwatch.traits import place_of
from battletape.rulesets.deathwatch.wounds import Victim, add_up, row_reached, stopped, torn_off
from battletape.tape import Tape

NOBODY = Victim(0)


class Landed(Struct, frozen=True):
    """One hit as it happened."""

    place: str
    kept: tuple[int, ...]
    confirmed: bool | None
    extra: int
    damage: int
    reduction: int
    net: int
    row: int | None


class Report(Struct, frozen=True):
    """An attack as it happened, hit by hit."""

    status: str
    degrees: int
    failure: int
    hits: int
    negated: int
    places: tuple[str, ...]
    landed: tuple[Landed, ...]
    damage_taken: int
    critical_total: int


@clause("DW-PIPE-1")
def resolve(tape: Tape, spec: Spec, health: int | None = None) -> Report:
    """Make an attack on a tape of one path and keep every die; damage is counted on past death, rows ask nothing."""
    start = begin(spec, health)
    attack, degrees, failure = _struck(tape, start) if spec.flame else _rolled(tape, start)
    first = attack.first or (locations.roll_spot(tape, spec.sides) if attack.hits else "")
    places = locations.sequence(first, attack.hits) if attack.hits else ()
    spots = locations.sides(tape, first, attack.landed) if spec.sides and attack.landed else places[: attack.landed]
    wounds, left = spec.guard.wounds, start.victim.health
    taken, critical = wounds - max(0, left), max(0, -left)
    landed: list[Landed] = []
    victim, by_spot = NOBODY, dict.fromkeys(spots, 0)
    for at, spot in enumerate(spots):
        hit = hit_for(spec, spot, degrees, at == 0)
        shown = _show(tape, hit, stopped(victim, hit)[0])
        before = critical
        (after,) = add_up(wounds, (shown.net,), taken, critical, spec.guard.true_grit)
        taken, critical, row = after
        by_spot[spot] += critical - before
        row = row_reached(by_spot[spot]) if row and spec.by_location else row
        landed.append(replace(shown, row=row))
        if row and hit.frail:
            victim = replace(victim, stripped=torn_off(victim, hit, row))
    return Report(
        attack.status,
        degrees,
        failure,
        attack.hits,
        attack.hits - attack.landed,
        places,
        tuple(landed),
        taken,
        critical,
    )


def _rolled(tape: Tape, start: Attack) -> tuple[Attack, int, int]:
    """An attack roll with all that follows it up to evasion, its degrees of success and of failure."""
    spec = start.spec
    roll = tape.roll(D100, label=labelled(spec.name, "to hit"))
    status, degrees, hits = outcome(spec, roll)
    first = first_spot(spec, roll) if hits else ""
    attack = check_jam(tape, replace(start, status=status, hits=hits, landed=hits, first=first))
    passed = attack.hits > 0 or checks.succeeds(spec.target, roll, spec.tests)
    if spec.blast:
        attack = blasts.scatter(tape, attack)
    return evade(tape, attack), degrees if passed else 0, 0 if passed else degrees


def _struck(tape: Tape, start: Attack) -> tuple[Attack, int, int]:
    """Flames, which nobody aims."""
    return blasts.dodge_flames(tape, start), 0, 0


def _show(tape: Tape, hit: Hit, reduction: int) -> Landed:
    """The dice of one hit, as they fell."""
    count, die, _ = damage.damage_dice(hit.dice, hit.sides, hit.drop, hit.best_each, hit.least)
    best: tuple[int, ...] = ()
    confirmed: bool | None = None
    extra = got = 0
    for _ in range(hit.rolls):
        thrown = [face for face, number in tape.pool(count, die, label="damage").items() for _ in range(number)]
        now = damage.kept(thrown, hit.drop)
        total = sum(now) + max(0, min(hit.least, hit.sides) - min(now, default=hit.least)) + hit.flat
        if damage.fury_rolls(now, hit.sides, hit.fury != NO_FURY):
            confirmed = damage.confirmed(tape, hit.fury)
            more = damage.fury(tape, ENDLESS) if confirmed else 0
            extra, total = extra + more, total + more
        best, got = (*best, *now), got + max(0, total)
    through = damage.net_of(got, reduction)
    return Landed(place_of(hit.spot), best, confirmed, extra, got, reduction, through, None)


ENDLESS = 10**9
