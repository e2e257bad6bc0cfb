"""The whole attack as one procedure, and what it says of its steps."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from battletape.clauses import clause
from battletape.log import Line
from battletape.procedure import Procedure, Stage
from battletape.rulesets.deathwatch.rules import blasts, locations, melee
from battletape.rulesets.deathwatch.rules.attack.evasion import evade
from battletape.rulesets.deathwatch.rules.attack.records import Attack, Spec
from battletape.rulesets.deathwatch.rules.attack.to_hit import (
    NOBODY,
    add_modifiers,
    check_jam,
    declare,
    roll_to_hit,
    set_places,
)
from battletape.rulesets.deathwatch.rules.conditions import LONGEST_SLEEP, NOTHING, stun, tire
from battletape.rulesets.deathwatch.rules.damage import raw
from battletape.rulesets.deathwatch.rules.traits import DEAD
from battletape.rulesets.deathwatch.rules.wounds import NONE_BY_SPOT, Victim, hurt, strike
from battletape.rulesets.deathwatch.rulings import Rulings
from battletape.tape import Tape
from battletape.words import plain, plural


def begin(spec: Spec, health: int | None = None) -> Attack:
    """An attack about to be made on a target of this health; unhurt if none is given."""
    left = spec.guard.wounds if health is None else health
    by_spot, falls = NONE_BY_SPOT if spec.by_location else (), spec.hits[0].body.tb < LONGEST_SLEEP
    victim = Victim(left, by_spot=by_spot, conditions=NOTHING, dealt=0, falls=falls)
    return Attack(spec, victim, before=left)


def procedure(spec: Spec, last: bool = False) -> Procedure:
    """The stages of an attack, of flames, of a blast, or of anything else; after the last attack less need be known."""
    by_place = spec.by_location and last and not any(hit.counts_always for hit in spec.hits)
    take = (forget_places, take_hits) if by_place else (take_hits,)
    name = "flames" if spec.flame else "blast" if "blast" in spec.tail else "attack"
    return Procedure(name, (*until_hit(spec), *take))


def until_hit(spec: Spec) -> tuple[Stage, ...]:
    """The stages up to the places of the hits, which do not ask who is hit."""
    if spec.flame:
        return FLAMES
    return (*ROLL, blasts.scatter, evade, set_places) if "blast" in spec.tail else (*ROLL, evade, set_places)


ROLL = (declare, add_modifiers, roll_to_hit, check_jam)
FLAMES = (declare, blasts.dodge_flames, set_places)


@clause("DW-DMG-2", "DW-MULTI-1")
def forget_places(tape: Tape, attack: Attack) -> Attack:
    """Of critical damage by location only what later hits may add to is kept, however many of them there are."""
    return without_places(attack)


def without_places(attack: Attack) -> Attack:
    """An attack each of whose hits forgets the critical damage of places that no later one strikes."""
    hits = attack.placed
    kept = tuple(replace(hit, keeps=locations.later(hits[0].spot, at)) for at, hit in enumerate(hits))
    return replace(attack, items=(*kept, *attack.items[len(hits) :]))


@clause("DW-PIPE-1", "DW-DMG-1", "DW-DMG-2")
def take_hits(tape: Tape, attack: Attack) -> Attack:
    """Take the hits one after the other, with the critical rows they reach; or a fist, or a blow to stun."""
    if attack.spec.how and attack.items:
        return tape.call(take_fist if attack.spec.how == "fists" else take_stun, attack)  # type: ignore[no-any-return]
    rest = replace(attack, victim=NOBODY, items=())
    return tape.each(strike, attack.victim, attack.items, then=taken, rest=rest)


def taken(attack: Attack, victim: Victim) -> Attack:
    """What the hits did."""
    return replace(attack, victim=victim)


@clause("DW-UNARM-2", "DW-UNARM-3")
def take_fist(tape: Tape, attack: Attack) -> Attack:
    """A hit with bare hands."""
    return fist_damage(tape, attack, attack.placed[0].body.tb, attack.spec.tests)


@clause("DW-UNARM-2", "DW-UNARM-3")
def fist_damage(tape: Tape, attack: Attack, tb: int, rules: Rulings, tires: bool = False) -> Attack:
    """What a fist does: damage, and fatigue if it hurts enough."""
    hit = attack.placed[0] if attack.items else next(hit for hit in attack.spec.hits if hit.spot == "body")
    got: int = tape.call(raw, hit, hit.most + hit.reduction)
    through = max(0, got - hit.reduction)
    victim = hurt(tape, attack.victim, hit, through)
    tired = tires or melee.tires(got, through, tb, rules)
    if tired and victim.conditions is not None and victim.health > DEAD:
        victim = replace(victim, conditions=tire(victim.conditions, 1, tb))
    return replace(attack, victim=victim, items=(), tired=attack.tired or tired)


@clause("DW-ACT-STUN")
def take_stun(tape: Tape, attack: Attack) -> Attack:
    """A blow to stun that hits: no damage, but rounds without a turn."""
    spec, victim = attack.spec, attack.victim
    rounds: int = tape.call(melee.stun_rounds, spec.sb, attack.placed[0].body.tb, spec.guard.ap[0])
    if rounds and victim.conditions is not None:
        victim = replace(victim, conditions=stun(victim.conditions, rounds))
    return replace(attack, victim=victim, items=(), stunned=rounds)


# in words


def narrate(stage: Stage, before: Attack, after: Attack) -> Iterable[Line]:
    """What an attack says of its stages."""
    spec = before.spec
    if stage is add_modifiers:
        for modifier in spec.modifiers:
            yield Line(
                f"{modifier.source[:1].upper()}{modifier.source[1:]} {modifier.value:+d}",
                (modifier.clause,) if modifier.clause else (),
            )
        if spec.modifiers:
            applied = spec.target - spec.skill
            capped = f", of which {applied:+d} counts" if applied != spec.total else ""
            yield Line(f"Modifiers {spec.total:+d}{capped}: {spec.skill} becomes {spec.target}", ("DW-TEST-4",))
    elif stage is evade and after.landed < after.hits:
        yield Line(f"{after.hits - after.landed} of {after.hits} hits undone, {after.landed} left")
    elif stage is set_places and after.items:
        places = ", ".join(plain(hit.spot) for hit in after.placed)
        yield Line(f"Hits on: {places}", ("DW-MULTI-1",) if len(after.placed) > 1 else ("DW-LOC-2",))
    elif stage is take_hits and before.items and spec.how == "stun":
        text = f"Stunned for {plural(after.stunned, 'round')}" if after.stunned else "Not stunned"
        yield Line(text, ("DW-ACT-STUN",))
    elif stage is take_hits and before.items:
        if after.tired:
            yield Line("A level of fatigue", ("DW-UNARM-3",))
        yield Line(health_words(after.victim.health, spec.guard.wounds))


def health_words(health: int, wounds: int) -> str:
    """Health in words: 12 of 21 wounds left, critical damage 3, dead."""
    if health <= DEAD:
        return "Dead"
    return f"{health} of {wounds} wounds left" if health >= 0 else f"Critical damage {-health}"
