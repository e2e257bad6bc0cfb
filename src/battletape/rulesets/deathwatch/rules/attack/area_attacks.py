"""Whom an attack in a battle strikes: its target, those who are given hits of a burst, or everybody in its area."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

from msgspec.structs import replace

from battletape.clauses import clause
from battletape.rulesets.deathwatch.rules import blasts, suppression
from battletape.rulesets.deathwatch.rules.attack.battle_record import Blow, Caught, Exchange, Foe
from battletape.rulesets.deathwatch.rules.attack.records import Attack, Spec
from battletape.rulesets.deathwatch.rules.attack.taking_hits import (
    blow_of,
    meet_hits,
    rolled,
    see_what_follows,
    take_hits,
    take_strays,
)
from battletape.rulesets.deathwatch.rules.attack.to_hit import NOBODY, hit_for
from battletape.rulesets.deathwatch.rules.damage import Hit
from battletape.rulesets.deathwatch.rules.hordes.attack_on_horde import take_hit
from battletape.rulesets.deathwatch.rules.hordes.size_and_nerve import counted
from battletape.rulesets.deathwatch.rules.traits import DEAD
from battletape.rulesets.deathwatch.rulings import Rulings
from battletape.tape import Tape

Step: TypeAlias = tuple[Callable[[Tape, Exchange, str], Exchange], str]
"""Something that an attack does to a unit, and the unit's name."""


class Strays(NamedTuple):
    """How many hits of suppressing fire each unit in the area takes, and who is like whom."""

    counts: tuple[int, ...]
    kinds: tuple[int, ...]


def steps_of(blow: Blow, first: str) -> tuple[Step, ...]:
    """Everything that an attack does after its roll, in order: who is hit, then each of them in turn."""
    if blow.how == "flame":
        return ((burn, blow.target), *_steps(blow.target))
    if blow.how == "blast":
        return ((burst, ""), *(step for caught in blow.caught for step in _steps_at(caught, *_steps(caught.name))))
    if blow.how == "spray":
        until, others = _in_turn(blow, first)
        return ((spray, ""), *until, *(((spray_others, first),) if others else ()))
    names = (blow.target, *(other.name for other in blow.shares))
    return ((share, ""), *(step for name in names for step in _steps(name)))


def _steps(name: str) -> tuple[Step, ...]:
    return (meet_hits, name), (take_hits, name), (see_what_follows, name)


def _steps_at(caught: Caught, *steps: Step) -> tuple[Step, ...]:
    return steps if caught.onslaught is None else ((strike_mob_in_reach, caught.name),)


@lru_cache(256)
def _in_turn(blow: Blow, first: str) -> tuple[tuple[Step, ...], tuple[Step, ...]]:
    """Suppressing fire on everybody in the area: up to the unit that the action is measured by, and after it."""
    turns = [_steps_at(caught, (meet_hits, caught.name), (take_strays, caught.name)) for caught in blow.caught]
    at = next((at for at, caught in enumerate(blow.caught, 1) if caught.name == first), len(turns))
    until, others = (tuple(step for steps in some for step in steps) for some in (turns[:at], turns[at:]))
    return until, others


def carry_out(tape: Tape, exchange: Exchange, step: Step) -> Exchange:
    """One step of an attack."""
    rule, name = step
    return rule(tape, exchange, name)


# --- who is hit -------------------------------------------------------------------------------------------------------


@clause("DW-AUTO-3")
def share(tape: Tape, exchange: Exchange, name: str) -> Exchange:
    """Hits are shared out: the first is the target's, others may be given to units close to it."""
    blow, hits = blow_of(exchange), rolled(exchange).hits
    given = tape.call(share_out, blow, hits) if hits else ()
    names = (blow.target, *(other.name for other in blow.shares))
    due = ((who, tuple(at for at, taker in enumerate(given) if taker == who)) for who in names)
    return replace(exchange, due=tuple(share for share in due if share[1]))


@clause("DW-AUTO-3")
def share_out(tape: Tape, blow: Blow, hits: int) -> tuple[str, ...]:
    """Who takes each hit: the first is the target's, others may be given to units close to it."""
    names = (blow.target, *(other.name for other in blow.shares))
    by = blow.spec.by if blow.spec is not None else ""
    more = (str(tape.choose(names, by=by, label=f"{blow.who}: target of hit {at}")) for at in range(2, hits + 1))
    return (blow.target, *more) if blow.shares else (blow.target,) * hits


@clause("DW-QUAL-FLAME")
def burn(tape: Tape, exchange: Exchange, name: str) -> Exchange:
    """Flames strike whoever stands in them."""
    return replace(exchange, due=((name, (0,)),))


@clause("DW-QUAL-BLAST", "DW-SCAT-1", "DW-SCAT-2", "DW-HORDE-11")
def burst(tape: Tape, exchange: Exchange, name: str) -> Exchange:
    """A blast: where it lands, and everybody within reach of it, friend or foe."""
    blow, attack = blow_of(exchange), rolled(exchange)
    if attack.hits:
        return _within_reach(exchange, blow.at)
    if attack.status not in ("miss", "hit"):
        return replace(exchange, due=())
    return tape.call(land_off, blow.at, blow.bearing, attack.spec, then=_within_reach, rest=exchange)


@clause("DW-SCAT-1", "DW-SCAT-2")
def land_off(tape: Tape, at: tuple[float, float], bearing: float, spec: Spec) -> tuple[float, float]:
    """Where a missed blast lands."""
    return blasts.landing(*at, bearing, tape.call(blasts.drift, _scattering(spec), spec.name))


def _scattering(spec: Spec) -> Rulings:
    return Rulings(scatter_distance="1d10" if spec.scatter == "1d10" else "1d5")


def _within_reach(exchange: Exchange, at: tuple[float, float]) -> Exchange:
    blow, attack = blow_of(exchange), rolled(exchange)
    near = [
        caught
        for caught in blow.caught
        if (caught.x - at[0]) ** 2 + (caught.y - at[1]) ** 2 <= attack.spec.blast**2 + 1e-9
    ]
    alive = (
        caught for caught in near if caught.onslaught is not None or exchange.foe(caught.name).victim.health > DEAD
    )
    return replace(exchange, due=tuple((caught.name, tuple(range(max(1, attack.hits)))) for caught in alive))


@clause("DW-SUPP-2", "DW-SUPP-3")
def spray(tape: Tape, exchange: Exchange, name: str) -> Exchange:
    """Suppressing fire: each hit goes to somebody in the area at random."""
    caught = blow_of(exchange).caught
    if not caught:
        return replace(exchange, due=())
    names = tuple(unit.name for unit in caught)
    start = Strays((0,) * len(names), _kinds(exchange, blow_of(exchange)))
    return tape.each(count_hit, start, (names,) * rolled(exchange).hits, then=_sprayed, rest=exchange)


def _kinds(exchange: Exchange, blow: Blow) -> tuple[int, ...]:
    """Who is like whom in the area: for each the first that is struck, stands and tests Willpower alike."""
    if exchange.rest:
        return tuple(range(len(blow.caught)))
    pins, known, kinds = dict(blow.pins), dict[Any, int](), []
    for at, caught in enumerate(blow.caught):
        kind: Any = at
        if caught.spec is not None and caught.name != exchange.first:
            foe, spec = exchange.foe(caught.name), nameless(caught.spec)
            kind = (spec, foe.victim, foe.reactions, foe.parries_broken, pins.get(caught.name))
        kinds.append(known.setdefault(kind, at))
    return tuple(kinds)


@lru_cache(256)
def nameless(spec: Spec) -> Spec:
    """An attack without the name of its target."""
    return replace(spec, guard=replace(spec.guard, name=""))


@clause("DW-SUPP-3")
def count_hit(tape: Tape, strays: Strays, names: tuple[str, ...]) -> Strays:
    """One more hit on a unit in the area."""
    struck = names.index(suppression.who_is_hit(tape, names))
    return strays._replace(counts=tuple(number + (at == struck) for at, number in enumerate(strays.counts)))


def _sprayed(exchange: Exchange, strays: Strays) -> Exchange:
    struck = zip(blow_of(exchange).caught, strays.counts, strict=True)
    return replace(exchange, due=tuple((caught.name, tuple(range(number))) for caught, number in struck if number))


@clause("DW-SUPP-3")
def spray_others(tape: Tape, exchange: Exchange, name: str) -> Exchange:
    """Those struck after the unit that the action is measured by: its fate makes no difference to them."""
    others = replace(exchange, hits=0, landed=0, marks=(), attack=Attack(rolled(exchange).spec, NOBODY))
    if name in dict(exchange.mobs):
        rest = replace(exchange, foes=(), mobs=((name, exchange.magnitude(name)),), due=())
        others = others.with_mob(name, 0)
    else:
        foe = exchange.foe(name)
        rest = replace(exchange, foes=(foe,), mobs=(), due=())
        others = others.with_foe(Foe(name, foe.side, NOBODY))
    return tape.each(carry_out, others, _in_turn(blow_of(exchange), name)[1], then=_put_together, rest=rest)


def _put_together(exchange: Exchange, others: Exchange) -> Exchange:
    for foe in exchange.foes:
        others = others.with_foe(foe)
    for mob, left in exchange.mobs:
        others = others.with_mob(mob, left)
    marks = (*exchange.marks, *others.marks)
    return replace(
        others, attack=exchange.attack, hits=exchange.hits, landed=exchange.landed + others.landed, marks=marks
    )


# --- mobs in reach ----------------------------------------------------------------------------------------------------


@clause("DW-HORDE-11", "DW-SUPP-3")
def strike_mob_in_reach(tape: Tape, exchange: Exchange, name: str) -> Exchange:
    """Hits on a mob: what is left of it."""
    base = len(exchange.hits_on(name))
    onslaught = next(caught.onslaught for caught in blow_of(exchange).caught if caught.name == name)
    if not base or onslaught is None:
        return exchange
    magnitude = exchange.magnitude(name)
    spec, number = onslaught.spec(magnitude), counted(base, onslaught.count)
    items = ((hit_for(spec, "body", 0, False), onslaught.takes),) * number
    rest = replace(exchange.with_mob(name, 0), landed=exchange.landed + number)
    return tape.call(take_all, magnitude, items, then=_mob_left, rest=rest)


@clause("DW-HORDE-3")
def take_all(tape: Tape, magnitude: int, items: tuple[tuple[Hit, int], ...]) -> int:
    """What is left of a mob after some hits."""
    return tape.each(take_hit, magnitude, items)


def _mob_left(exchange: Exchange, magnitude: int) -> Exchange:
    """The first of those still due is the mob that was struck."""
    name = next(due for due, _ in exchange.due or () if due in dict(exchange.mobs))
    return exchange.without_due(name).with_mob(name, magnitude)
