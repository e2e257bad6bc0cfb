"""The whole attack as one procedure, and what it says of its steps."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Literal, TypeAlias

from msgspec.structs import replace

from battletape.clauses import clause
from battletape.log import Line
from battletape.procedure import Procedure, Stage
from battletape.rulesets.deathwatch import blasts, checks, effects, locations
from battletape.rulesets.deathwatch.attack import (
    NOBODY,
    add_modifiers,
    check_jam,
    declare,
    roll_to_hit,
    set_places,
)
from battletape.rulesets.deathwatch.conditions import Conditions
from battletape.rulesets.deathwatch.damage import NO_FURY, Hit, net
from battletape.rulesets.deathwatch.evasion import evade
from battletape.rulesets.deathwatch.specs import NONE_BY_SPOT, Attack, Spec, labelled
from battletape.rulesets.deathwatch.traits import DEAD
from battletape.rulesets.deathwatch.wounds import (
    Victim,
    count_net,
    hurt,
    kept,
    strike,
    through_air,
    through_cover,
    wound,
)
from battletape.tape import Tape

Detail: TypeAlias = Literal["health", "rows", "conditions"]
"""How much of critical damage is followed: dead or alive, the row reached, or all it does."""
FRESH = Conditions(brief=True)


def begin(spec: Spec, health: int | None = None, detail: Detail = "rows") -> Attack:
    """An attack about to be made on somebody with so much health, all of it if none is said."""
    left = spec.guard.wounds if health is None else health
    victim = Victim(
        left,
        by_spot=NONE_BY_SPOT if spec.by_location else (),
        conditions=FRESH if detail == "conditions" else None,
    )
    return Attack(spec, victim, before=left)


def procedure(spec: Spec, detail: Detail = "rows", last: bool = False) -> Procedure:
    """The stages of an attack, of flames, a blast, or anything else; after the last one less need be known."""
    only_health = detail == "health" and spec.is_health_enough and not spec.is_frail
    by_hit = any(hit.toxic or hit.shocking or hit.worn for hit in spec.hits)
    take: tuple[Stage, ...] = (take_wounds if only_health else take_hits_in_full if by_hit else take_hits,)
    if detail == "health" and not only_health:
        take = (forget_spots, *take)
    if spec.by_location and last and "force" not in spec.tail:
        take = (forget_places, *take)
    return _procedure(spec.flame, spec.tail, take)


@lru_cache(256)
def _procedure(flame: bool, tail: tuple[str, ...], take: tuple[Stage, ...]) -> Procedure:
    after = tuple(STAGES[name] for name in tail if name in STAGES)
    after = (*after, finish) if after else ()  # without them nothing is left to forget
    if flame:
        return Procedure("flames", (*FLAMES, *take, blasts.catch_fire, *after))
    if "blast" in tail:
        return Procedure("blast", (*ROLL, blasts.scatter, evade, set_places, *take, *after))
    return Procedure("attack", (*ROLL, evade, set_places, *take, *after))


ROLL = (declare, add_modifiers, roll_to_hit, check_jam)
FLAMES = (declare, blasts.dodge_flames, blasts.place_at_random)


@clause("DW-PIPE-1", "DW-QUAL-TOXIC", "DW-QUAL-SHOCKING", "DW-COVER-1")
def strike_in_full(tape: Tape, victim: Victim, hit: Hit) -> Victim:
    """One hit through cover that may wear down, with poison and shock after it."""
    if victim.is_dead:
        return victim
    victim, got = through_cover(victim, tape.call(through_air, hit), hit)
    victim = hurt(tape, count_net(victim, hit, got), hit, got)
    if hit.toxic and got and not victim.is_dead:
        more = tape.call(effects.poison, got, hit)
        victim = hurt(tape, victim, replace(hit, damage_type="I"), more)
    if hit.shocking and got and not victim.is_dead and victim.conditions is not None:
        after = tape.call(effects.after_hit, victim.conditions, hit, got)
        victim = replace(victim, conditions=after)
    return kept(victim, hit)


@clause("DW-DMG-2")
def forget_spots(tape: Tape, attack: Attack) -> Attack:
    """Nobody will ask for the places of critical rows."""
    return replace(attack, items=tuple(replace(hit, note_spot=False) for hit in attack.items))


@clause("DW-DMG-2", "DW-MULTI-1")
def forget_places(tape: Tape, attack: Attack) -> Attack:
    """Of critical damage by location only what later hits may add to is kept, however many of them there are."""
    items = attack.items
    return replace(
        attack,
        items=tuple(replace(hit, keeps=locations.later(items[0].spot, at)) for at, hit in enumerate(items)),
    )


@clause("DW-PIPE-1", "DW-DMG-1", "DW-DMG-2")
def take_hits(tape: Tape, attack: Attack) -> Attack:
    """Take the hits one after the other, with the critical rows they reach."""
    return tape.each(strike, attack.victim, attack.items, then=_taken, rest=_apart(attack, NOBODY))


@clause("DW-PIPE-1", "DW-DMG-1", "DW-DMG-2")
def take_hits_in_full(tape: Tape, attack: Attack) -> Attack:
    """Take the hits one after the other, with the critical rows they reach and what special rules do hit by hit."""
    return tape.each(strike_in_full, attack.victim, attack.items, then=_taken, rest=_apart(attack, NOBODY))


def _apart(attack: Attack, victim: Victim) -> Attack:
    """What is the same whoever is hit; of the hits the first is kept where something burns on in it."""
    return replace(attack, victim=victim, items=attack.items[:1] if "force" in attack.spec.tail else ())


def _taken(attack: Attack, victim: Victim) -> Attack:
    """What the hits did; the damage that got through belongs to the attack, not to whom it hit."""
    if victim.net:
        return replace(attack, victim=replace(victim, net=0), net=victim.net)
    return replace(attack, victim=victim)


@clause("DW-PIPE-1", "DW-DMG-1")
def take_wounds(tape: Tape, attack: Attack) -> Attack:
    """Take the hits one after the other, of which only the health is asked."""
    victim = attack.victim
    return tape.each(
        wound, victim.health, attack.items, then=_left_with, rest=_apart(attack, replace(victim, health=0))
    )


def _left_with(attack: Attack, health: int) -> Attack:
    return replace(attack, victim=replace(attack.victim, health=health))


@clause("DW-QUAL-SPECIAL")
def burn_within(tape: Tape, attack: Attack) -> Attack:
    """A psyker whose force weapon hurt somebody: if he wins by Willpower, a d10 for each point of his rating."""
    spec, victim = attack.spec, attack.victim
    if not attack.items or not DEAD < victim.health < attack.before:
        return attack
    own, other = spec.willpower, spec.guard.willpower
    one = checks.Contestant(own, checks.bonus(own), labelled(spec.name, "willpower"))
    two = checks.Contestant(other, checks.bonus(other), labelled(spec.guard.name, "willpower"))
    if tape.call(checks.opposed, one, two, spec.tests) != "one":
        return attack
    burn = replace(
        attack.items[0],
        dice=spec.psy_rating,
        drop=0,
        best_each=False,
        flat=0,
        least=0,
        reduction=0,
        worn=(),
        frail=False,
        fury=NO_FURY,
        damage_type="E",
    )
    return replace(attack, victim=hurt(tape, victim, burn, tape.call(net, burn, burn.most)))


STAGES = {**effects.STAGES, "force": burn_within}


@clause("DW-PIPE-1")
def finish(tape: Tape, attack: Attack) -> Attack:
    """Forget what only the attack itself needed to know."""
    return replace(attack, degrees=0, first="", items=(), net=0)


# in words


def narrate(stage: Stage, before: Attack, after: Attack) -> Iterable[Line]:
    """What an attack says of its stages."""
    spec = before.spec
    if stage is add_modifiers:
        for one in spec.modifiers:
            yield Line(f"{one.source[:1].upper()}{one.source[1:]} {one.value:+d}", (one.clause,) if one.clause else ())
        if spec.modifiers:
            applied = spec.target - spec.skill
            capped = f", of which {applied:+d} counts" if applied != spec.total else ""
            yield Line(f"Modifiers {spec.total:+d}{capped}: {spec.skill} becomes {spec.target}", ("DW-TEST-4",))
    elif stage is evade and after.landed < after.hits:
        yield Line(f"{after.hits - after.landed} of {after.hits} hits undone, {after.landed} left")
    elif stage is set_places and after.items:
        places = ", ".join(hit.spot.replace("_", " ") for hit in after.items)
        yield Line(f"Hits on: {places}", ("DW-MULTI-1",) if len(after.items) > 1 else ("DW-LOC-2",))
    elif stage in (take_hits, take_hits_in_full, take_wounds) and before.items:
        yield Line(health_words(after.victim.health, spec.guard.wounds))


def health_words(health: int, wounds: int) -> str:
    """Health in words: 12 of 21 wounds left, critical damage 3, dead."""
    if health <= DEAD:
        return "Dead"
    return f"{health} of {wounds} wounds left" if health >= 0 else f"Critical damage {-health}"
