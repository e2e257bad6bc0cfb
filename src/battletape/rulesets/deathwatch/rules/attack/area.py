"""Attacks on many: hits of a burst shared out, blasts and what they catch, suppressing fire, and hordes in reach."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

from battletape.cards import Line
from battletape.rulebook import Tape, clause, labelled, plural, replace
from battletape.rulesets.deathwatch.rules import blasts, hordes, suppression
from battletape.rulesets.deathwatch.rules.attack.exchange import (
    Combatant,
    DeclaredAttack,
    Exchange,
    InArea,
    Manner,
    attack_roll,
    declared_attack,
    lay_smoke,
    react_and_place,
    resolve_hits,
    resolve_side_effects,
)
from battletape.rulesets.deathwatch.rules.attack.records import Attack, PreparedAttack
from battletape.rulesets.deathwatch.rules.attack.stages import NO_VICTIM

Step: TypeAlias = tuple[Callable[[Tape, Exchange, str], Exchange], str]
"""Something that an attack does to a unit, and the unit's name."""


class StrayHits(NamedTuple):
    """The hits of suppressing fire on each unit in the area, and which units are interchangeable."""

    counts: tuple[int, ...]
    kinds: tuple[int, ...]


def steps_of(declared: DeclaredAttack, main_target: str) -> tuple[Step, ...]:
    """Return the steps of an attack on many after its roll: the hits are dealt out, then taken unit by unit."""
    if declared.how in ("spray", "blast"):
        until, others = _in_turn(declared, main_target)
        begins = spread_hits if declared.how == "spray" else land_blast
        last: tuple[Step, ...] = (
            ((lay_smoke, ""),) if declared.spec is not None and "smoke" in declared.spec.extra_effects else ()
        )
        return ((begins, ""), *until, *(((strike_others, main_target),) if others else ()), *last)
    return (
        (share_hits, ""),
        *(step for unit in (InArea(declared.target), *declared.shared_with) for step in _steps_at(unit, declared.how)),
    )


def _steps_at(unit: InArea, how: Manner) -> tuple[Step, ...]:
    rules = (react_and_place, resolve_hits) if unit.horde_attack is None else (strike_mob_in_reach,)
    return tuple((step, unit.name) for step in (*rules, *((resolve_side_effects,) if how != "spray" else ())))


@lru_cache(256)
def _in_turn(declared: DeclaredAttack, main_target: str) -> tuple[tuple[Step, ...], tuple[Step, ...]]:
    """Return the steps of an attack on an area: up to the main target, and after it."""
    turns = [_steps_at(unit, declared.how) if unit.spec or unit.horde_attack else () for unit in declared.in_area]
    reached = next((number for number, unit in enumerate(declared.in_area, 1) if unit.name == main_target), len(turns))
    first, others = (tuple(step for steps in part for step in steps) for part in (turns[:reached], turns[reached:]))
    return first, others


def take_step(tape: Tape, exchange: Exchange, step: Step) -> Exchange:
    """Take one step of an attack."""
    rule, name = step
    return rule(tape, exchange, name)


# --- the units that are hit -------------------------------------------------------------------------------------------


@clause("DW-AUTO-3")
def share_hits(tape: Tape, exchange: Exchange, name: str) -> Exchange:
    """Share hits out: the first is the target's, others may be given to units close to it."""
    declared, attack = declared_attack(exchange), attack_roll(exchange)
    names = (declared.target, *(other.name for other in declared.shared_with))
    takers = tuple(
        tape.call(choose_taker, names, declared.attacker, attack.spec.by, number)
        for number in range(1, attack.hits + 1)
    )
    shares = ((name, tuple(index for index, taker in enumerate(takers) if taker == name)) for name in names)
    return replace(exchange, pending_hits=tuple(share for share in shares if share[1]))


@clause("DW-AUTO-3")
def choose_taker(tape: Tape, names: tuple[str, ...], name: str, by: str, number: int) -> str:
    """Let the attacker choose the unit that takes a hit; the first hit is the target's."""
    return names[0] if number == 1 else str(tape.choose(names, by=by, label=labelled(name, f"target of hit {number}")))


@clause("DW-QUAL-BLAST", "DW-SCAT-1", "DW-SCAT-2", "DW-HORDE-11")
def land_blast(tape: Tape, exchange: Exchange, name: str) -> Exchange:
    """Let a blast land, and reach every unit within it, friend or foe."""
    declared, attack = declared_attack(exchange), attack_roll(exchange)
    places = tuple(
        (combatant.name, (combatant.x, combatant.y))
        for combatant in (exchange.combatant(unit.name) for unit in declared.in_area)
    )
    if "smoke" in attack.spec.extra_effects:
        return _burst_in_smoke(tape, exchange, places)
    if blasts.scatters(attack):
        astray = (declared.aimed_at, declared.bearing, attack.spec, places)
        return tape.call(blasts.units_hit_by_scatter, *astray, then=_with_blast_hits, rest=exchange, tell=blast_line)
    names = blasts.names_within(attack.spec.blast, declared.aimed_at, places) if attack.hits else ()
    if attack.hits:
        tape.tell(blast_line, exchange, names)
    return _with_blast_hits(exchange, names)


@clause("DW-QUAL-SMOKE", "DW-SCAT-1", "DW-SCAT-2")
def _burst_in_smoke(tape: Tape, exchange: Exchange, places: blasts.Places) -> Exchange:
    declared, attack = declared_attack(exchange), attack_roll(exchange)
    spec, centre, astray = attack.spec, declared.aimed_at, blasts.scatters(attack)
    if astray:
        x, y = blasts.landing(*centre, declared.bearing, tape.call(blasts.roll_drift, spec.scatter, spec.name))
        centre = (round(x, 3), round(y, 3))
    if not (astray or attack.hits):
        return _with_blast_hits(exchange, ())
    names = blasts.names_within(spec.blast, centre, places)
    if spec.blast:
        tape.tell(blast_line, exchange, names)
    return replace(_with_blast_hits(exchange, names), smoke_due_at=centre)


@clause("DW-QUAL-BLAST", "DW-HPIPE-1")
def _with_blast_hits(exchange: Exchange, names: tuple[str, ...]) -> Exchange:
    """Give each unit within a blast all its hits, one of a miss; a miss does nothing to its own horde."""
    declared, attack = declared_attack(exchange), attack_roll(exchange)
    if declared.horde_attack is not None and not attack.hits:
        names = tuple(name for name in names if name != declared.target)
    exchange = replace(exchange, pending_hits=tuple((name, tuple(range(max(1, attack.hits)))) for name in names))
    scored = len(exchange.hits_on(declared.target)) if declared.target else attack.hits
    if declared.horde_attack is not None:
        scored = hordes.hits_counted(scored, declared.horde_attack.hit_count)
    return replace(exchange, hits=exchange.hits + scored)


@clause("DW-SUPP-2", "DW-SUPP-3")
def spread_hits(tape: Tape, exchange: Exchange, name: str) -> Exchange:
    """Give each hit of suppressing fire to a unit in the area at random."""
    units = declared_attack(exchange).in_area
    if not units:
        return replace(exchange, pending_hits=())
    names = tuple(unit.name for unit in units)
    start = StrayHits((0,) * len(names), _interchangeable(exchange, declared_attack(exchange)))
    hits = (names,) * attack_roll(exchange).hits
    return tape.each(count_stray_hit, start, hits, then=_with_stray_hits, rest=exchange, tell=spray_line)


def _interchangeable(exchange: Exchange, declared: DeclaredAttack) -> tuple[int, ...]:
    """Return, for each unit in the area, the first one that is struck, hurt and tested alike."""
    if exchange.later_attacks:
        return tuple(range(len(declared.in_area)))
    pins, known, kinds = dict(declared.pin_tests), dict[Any, int](), []
    for index, unit in enumerate(declared.in_area):
        kind: Any = index
        if unit.spec is not None and unit.name != exchange.main_target:
            combatant, spec = exchange.combatant(unit.name), without_name(unit.spec)
            kind = (spec, combatant.victim, combatant.reactions, combatant.parries_broken, pins.get(unit.name))
        kinds.append(known.setdefault(kind, index))
    return tuple(kinds)


@lru_cache(256)
def without_name(spec: PreparedAttack) -> PreparedAttack:
    """Return an attack without the name of its target."""
    return replace(spec, defender=replace(spec.defender, name=""))


@clause("DW-SUPP-3")
def count_stray_hit(tape: Tape, strays: StrayHits, names: tuple[str, ...]) -> StrayHits:
    """Roll which unit in the area takes one more hit."""
    hit_index = suppression.roll_unit_hit(tape, names)
    return strays._replace(counts=tuple(count + (index == hit_index) for index, count in enumerate(strays.counts)))


def _with_stray_hits(exchange: Exchange, strays: StrayHits) -> Exchange:
    shares = zip(declared_attack(exchange).in_area, strays.counts, strict=True)
    return replace(exchange, pending_hits=tuple((unit.name, tuple(range(number))) for unit, number in shares if number))


@clause("DW-SUPP-3", "DW-QUAL-BLAST")
def strike_others(tape: Tape, exchange: Exchange, name: str) -> Exchange:
    """Strike the units after the main target: its fate makes no difference to them."""
    declared, attack, combatant = declared_attack(exchange), attack_roll(exchange), exchange.combatant(name)
    if declared.target in ("", name):  # of the roll only its degrees matter to bystanders
        attack = Attack(attack.spec, NO_VICTIM, degrees=attack.degrees)
    others = replace(exchange, hits=0, landed=0, events=(), attack=attack)
    others, rest = (
        others.with_combatant(Combatant(name, NO_VICTIM, combatant.is_mob)),
        replace(exchange, combatants=(combatant,), pending_hits=()),
    )
    return tape.each(take_step, others, _in_turn(declared, name)[1], then=_rejoined, rest=rest)


def _rejoined(exchange: Exchange, others: Exchange) -> Exchange:
    for combatant in exchange.combatants:
        others = others.with_combatant(combatant)
    events = (*exchange.events, *others.events)
    return replace(
        others, attack=exchange.attack, hits=exchange.hits, landed=exchange.landed + others.landed, events=events
    )


# --- mobs in reach ----------------------------------------------------------------------------------------------------


@clause("DW-HORDE-11", "DW-SUPP-3")
def strike_mob_in_reach(tape: Tape, exchange: Exchange, name: str) -> Exchange:
    """Strike a mob in the area, and return what is left of it."""
    declared, base = declared_attack(exchange), len(exchange.hits_on(name))
    horde_attack = next(unit.horde_attack for unit in declared.in_area if unit.name == name)
    if not base or horde_attack is None:
        return exchange
    crowd, degrees = exchange.crowd(name), attack_roll(exchange).degrees if declared.how == "blast" else 0
    hits = hordes.hits_on(horde_attack, horde_attack.spec(crowd.magnitude), base, degrees)
    rest = replace(exchange.with_victim(name, NO_VICTIM), landed=exchange.landed + len(hits))
    if len(hits) != base:
        tape.tell(hordes.count_line, horde_attack, base, len(hits))
    return tape.call(hordes.take_hits, horde_attack, crowd, hits, then=_with_mob_losses, rest=rest, about=name)


def _with_mob_losses(exchange: Exchange, crowd: hordes.Crowd) -> Exchange:
    """Return the exchange with the losses of the mob that was due first."""
    name = next(pending for pending, _ in exchange.pending_hits or () if exchange.combatant(pending).is_mob)
    return exchange.without_pending_hits(name).with_crowd(name, crowd)


# --- lines of the log -------------------------------------------------------------------------------------------------


def blast_line(exchange: Exchange, names: tuple[str, ...]) -> Line:
    """Say which units a blast reaches where it has landed."""
    return Line(f"In the blast: {', '.join(names) or 'nothing'}", ("DW-QUAL-BLAST",))


def spray_line(exchange: Exchange, strays: StrayHits) -> Line | None:
    """Say how the hits of suppressing fire are shared out."""
    total, names = sum(strays.counts), [unit.name for unit in declared_attack(exchange).in_area]
    if not total:
        return None
    if exchange.last_attack is not None:
        return Line(f"{strays.counts[0]} of {plural(total, 'hit')} on the first target", ("DW-SUPP-3",))
    shares = (f"{number} on {name}" for name, number in zip(names, strays.counts, strict=True) if number)
    return Line(f"{plural(total, 'hit')}: {', '.join(shares)}", ("DW-SUPP-3",))
