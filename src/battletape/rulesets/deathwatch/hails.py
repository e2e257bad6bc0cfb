"""Flames, blasts and suppressing fire in a battle: attacks that strike more than the one they are aimed at."""

from __future__ import annotations

from msgspec.structs import replace

from battletape.clauses import clause
from battletape.rulesets.deathwatch import blasts, suppression
from battletape.rulesets.deathwatch.attack import hit_for
from battletape.rulesets.deathwatch.blows import react, suffer_attack, take
from battletape.rulesets.deathwatch.horde_volleys import take_hit
from battletape.rulesets.deathwatch.hordes import counted
from battletape.rulesets.deathwatch.rulings import Rulings
from battletape.rulesets.deathwatch.specs import Attack, Spec
from battletape.rulesets.deathwatch.traits import DEAD
from battletape.rulesets.deathwatch.work import Blow, Caught, Work, shot_at
from battletape.tape import Tape


@clause("DW-QUAL-FLAME")
def burn_down(tape: Tape, work: Work, blow: Blow, attack: Attack) -> Work:
    attack = blasts.place_at_random(tape, blasts.dodge_flames(tape, attack))
    if attack.items:
        attack = blasts.catch_fire(tape, take(tape, attack))
    foe = replace(work.foe(blow.target), victim=attack.victim, shot_at=True)
    return replace(work.with_foe(foe), hits=work.hits + attack.hits, landed=work.landed + attack.landed, attack=None)


@clause("DW-QUAL-BLAST", "DW-SCAT-1", "DW-SCAT-2", "DW-HORDE-11")
def explode(tape: Tape, work: Work, blow: Blow, attack: Attack) -> Work:
    """A blast: where it lands, and everybody within reach of it, friend or foe."""
    spec, (x, y), direct = attack.spec, blow.at, attack.hits > 0
    if not direct:
        if attack.status not in ("miss", "hit"):
            return shot_at(work, blow)
        x, y = blasts.landing(x, y, blow.bearing, blasts.drift(tape, _scattering(spec), spec.name))
    hits = max(1, attack.hits)
    for one in blow.caught:
        if (one.x - x) ** 2 + (one.y - y) ** 2 > spec.blast**2 + 1e-9:
            continue
        if one.onslaught is not None:
            work = _mob_hits(tape, work, one, hits)
        elif one.spec is not None and work.foe(one.name).victim.health > DEAD:
            first = attack.first if direct and one.name == blow.target else ""
            part = replace(attack, spec=one.spec, hits=hits, landed=hits, first=first, status="struck")
            work = suffer_attack(tape, work, one.name, part, tuple(range(hits)), hits, blow)
    return shot_at(work, blow)


def _scattering(spec: Spec) -> Rulings:
    return Rulings(scatter_distance="1d10" if spec.scatter == "1d10" else "1d5")


def _mob_hits(tape: Tape, work: Work, one: Caught, base: int) -> Work:
    assert one.onslaught is not None
    magnitude = work.magnitude(one.name)
    spec, number = one.onslaught.spec(magnitude), counted(base, one.onslaught.count)
    items = tuple((hit_for(spec, "body", 0, False), one.onslaught.takes) for _ in range(number))
    left = tape.each(take_hit, magnitude, items)
    return replace(work.with_mob(one.name, left), landed=work.landed + number)


@clause("DW-SUPP-2", "DW-SUPP-3")
def spray(tape: Tape, work: Work, blow: Blow, attack: Attack) -> Work:
    """Suppressing fire: each hit goes to somebody in the area at random, at a random place."""
    if not work.rough and blow.caught:
        names = tuple(one.name for one in blow.caught)
        struck = [suppression.who_is_hit(tape, names) for _ in range(attack.hits)]
        for one in blow.caught:
            number = struck.count(one.name)
            if number and one.onslaught is not None:
                work = _mob_hits(tape, work, one, number)
            elif number and one.spec is not None:
                part = replace(attack, spec=one.spec, hits=number, landed=number, first="")
                work = _stray(tape, work, one.name, part)
    return shot_at(work, blow)


def _stray(tape: Tape, work: Work, name: str, attack: Attack) -> Work:
    foe = work.foe(name)
    foe, attack = react(tape, foe, replace(attack, victim=foe.victim, before=foe.victim.health))
    if attack.landed:
        attack = take(tape, suppression.place_strays(tape, attack))
    return replace(work.with_foe(replace(foe, victim=attack.victim)), landed=work.landed + attack.landed)
