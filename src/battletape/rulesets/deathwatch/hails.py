"""Flames, blasts and suppressing fire in a battle: attacks that strike more than the one they are aimed at."""

from __future__ import annotations

from msgspec.structs import replace

from battletape.clauses import clause
from battletape.rulesets.deathwatch import blasts, suppression
from battletape.rulesets.deathwatch.attack import hit_for
from battletape.rulesets.deathwatch.blows import react, suffer_attack, take
from battletape.rulesets.deathwatch.horde_volleys import take_hit
from battletape.rulesets.deathwatch.hordes import counted, pin_target
from battletape.rulesets.deathwatch.rulings import Rulings
from battletape.rulesets.deathwatch.specs import Attack, Spec
from battletape.rulesets.deathwatch.traits import DEAD
from battletape.rulesets.deathwatch.work import Blow, Caught, Foe, Work, shot_at
from battletape.tape import Tape


@clause("DW-QUAL-FLAME")
def burn_down(tape: Tape, work: Work, blow: Blow, attack: Attack) -> Work:
    """Flames: out of them by Agility, or hit at a random place and perhaps set on fire."""
    attack = tape.call(blasts.place_at_random, tape.call(blasts.dodge_flames, attack))
    if attack.items:
        attack = tape.call(blasts.catch_fire, take(tape, attack))
    foe = replace(work.foe(blow.target), victim=attack.victim, shot_at=True)
    return replace(work.with_foe(foe), hits=work.hits + attack.hits, landed=work.landed + attack.landed, attack=None)


@clause("DW-QUAL-BLAST", "DW-SCAT-1", "DW-SCAT-2", "DW-HORDE-11")
def explode(tape: Tape, work: Work, blow: Blow, attack: Attack) -> Work:
    """A blast: where it lands, and everybody within reach of it, friend or foe."""
    spec, (x, y), direct = attack.spec, blow.at, attack.hits > 0
    if not direct:
        if attack.status not in ("miss", "hit"):
            return shot_at(work, blow)
        x, y = blasts.landing(x, y, blow.bearing, tape.call(blasts.drift, _scattering(spec), spec.name))
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
    left = _mob_left(tape, one, work.magnitude(one.name), base)
    return replace(work.with_mob(one.name, left), landed=work.landed + counted(base, one.onslaught.count))


def _mob_left(tape: Tape, one: Caught, magnitude: int, base: int) -> int:
    """What is left of a mob after so many hits."""
    assert one.onslaught is not None
    spec, number = one.onslaught.spec(magnitude), counted(base, one.onslaught.count)
    items = tuple((hit_for(spec, "body", 0, False), one.onslaught.takes) for _ in range(number))
    return tape.each(take_hit, magnitude, items)


@clause("DW-SUPP-2", "DW-SUPP-3")
def spray(tape: Tape, work: Work, blow: Blow, attack: Attack) -> Work:
    """Suppressing fire: each hit goes to somebody in the area at random, at a random place."""
    if work.rough:
        return shot_at(spray_in_brief(tape, work, blow, attack), blow)
    if blow.caught:
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


Strayed = tuple[Caught, int | None, int, Foe | int, Rulings]
"""Who is in the area, his Willpower target, how many are left to be hit, himself (or its size), and the tests."""


@clause("DW-SUPP-3", "DW-SUPP-1")
def spray_in_brief(tape: Tape, work: Work, blow: Blow, attack: Attack) -> Work:
    """For odds: one after the other, his share of the hits, whether he lives, and whether he is pinned; no more."""
    pins, number = dict(blow.pins), len(blow.caught)
    items: tuple[Strayed, ...] = tuple(
        (
            *(one, pins.get(one.name), number - at),
            *(work.magnitude(one.name) if one.spec is None else work.foe(one.name), work.tests),
        )
        for at, one in enumerate(blow.caught)
    )
    _, pinned = tape.each(_one_strayed, (attack.hits, work.pinned), items)
    return replace(work, pinned=pinned)


@clause("DW-SUPP-3", "DW-SUPP-1", "DW-HORDE-9")
def _one_strayed(tape: Tape, state: tuple[int, int], item: Strayed) -> tuple[int, int]:
    (left, pinned), (one, target, among, foe, tests) = state, item
    own = suppression.share_of_first(tape, left, among)
    if target is None:
        return left - own, pinned
    if isinstance(foe, int):
        size = _mob_left(tape, one, foe, own) if own else foe
        gone, target = size <= 0, pin_target(target, size, (suppression.PINNING,), tests)
    else:
        gone = foe.victim.is_dead
        if own and one.spec is not None:
            _, part = tape.call(stray, foe, Attack(one.spec, foe.victim, "hit", hits=own, landed=own))
            gone = part.victim.is_dead
    return left - own, pinned + (not gone and suppression.is_pinned(tape, target, rules=tests))


def _stray(tape: Tape, work: Work, name: str, attack: Attack) -> Work:
    foe, attack = stray(tape, work.foe(name), attack)
    return replace(work.with_foe(replace(foe, victim=attack.victim)), landed=work.landed + attack.landed)


@clause("DW-EVA-1", "DW-SUPP-3")
def stray(tape: Tape, foe: Foe, attack: Attack) -> tuple[Foe, Attack]:
    """Somebody takes hits of suppressing fire: he may react, then each lands at a place of its own."""
    foe, attack = react(tape, foe, replace(attack, victim=foe.victim, before=foe.victim.health))
    if attack.landed:
        attack = take(tape, tape.call(suppression.place_strays, attack))
    return foe, attack
