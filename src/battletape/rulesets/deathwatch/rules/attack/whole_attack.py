"""The whole attack as one procedure, and what it says of its steps."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from battletape.clauses import clause
from battletape.log import Line
from battletape.procedure import Procedure, Stage
from battletape.rulesets.deathwatch.rules import blasts, locations, tests
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
from battletape.rulesets.deathwatch.rules.conditions import NOTHING
from battletape.rulesets.deathwatch.rules.damage import NO_FURY, net
from battletape.rulesets.deathwatch.rules.qualities import effects
from battletape.rulesets.deathwatch.rules.traits import DEAD
from battletape.rulesets.deathwatch.rules.wounds import NONE_BY_SPOT, Victim, hurt, strike
from battletape.tape import Tape
from battletape.words import labelled


def begin(spec: Spec, health: int | None = None) -> Attack:
    """An attack about to be made on a target of this health; unhurt if none is given."""
    left = spec.guard.wounds if health is None else health
    victim = Victim(left, by_spot=NONE_BY_SPOT if spec.by_location else (), conditions=NOTHING, dealt=0)
    return Attack(spec, victim, before=left)


def procedure(spec: Spec, last: bool = False) -> Procedure:
    """The stages of an attack, of flames, of a blast, or of anything else; after the last attack less need be known."""
    by_place = spec.by_location and last and "force" not in spec.tail
    take = (forget_places, take_hits) if by_place else (take_hits,)
    name = "flames" if spec.flame else "blast" if "blast" in spec.tail else "attack"
    return Procedure(name, (*until_hit(spec), *take, *after_hits(spec)))


def until_hit(spec: Spec) -> tuple[Stage, ...]:
    """The stages up to the places of the hits, which do not ask who is hit."""
    if spec.flame:
        return FLAMES
    return (*ROLL, blasts.scatter, evade, set_places) if "blast" in spec.tail else (*ROLL, evade, set_places)


def after_hits(spec: Spec) -> tuple[Stage, ...]:
    """The stages that follow once the hits are taken; without any nothing is left to forget."""
    burns = (blasts.catch_fire,) if spec.flame else ()
    after = tuple(STAGES[name] for name in spec.tail if name in STAGES)
    return (*burns, *after, finish) if after else burns


ROLL = (declare, add_modifiers, roll_to_hit, check_jam)
FLAMES = (declare, blasts.dodge_flames, blasts.place_at_random)


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
    return tape.each(strike, attack.victim, attack.items, then=taken, rest=apart(attack))


def apart(attack: Attack) -> Attack:
    """What is the same for every target; the first hit is kept if something burns on in it."""
    return replace(attack, victim=NOBODY, items=attack.items[:1] if "force" in attack.spec.tail else ())


def taken(attack: Attack, victim: Victim) -> Attack:
    """What the hits did; the damage that got through belongs to the attack, not to the victim."""
    if victim.net:
        return replace(attack, victim=replace(victim, net=0), net=victim.net)
    return replace(attack, victim=victim)


@clause("DW-QUAL-SPECIAL")
def burn_within(tape: Tape, attack: Attack) -> Attack:
    """A force weapon that hurt its target: if the psyker wins by Willpower, a d10 for each point of the rating."""
    spec, victim = attack.spec, attack.victim
    if not attack.items or not DEAD < victim.health < attack.before:
        return attack
    own, other = spec.willpower, spec.guard.willpower
    first = tests.Contestant(own, tests.bonus(own), labelled(spec.name, "willpower"))
    second = tests.Contestant(other, tests.bonus(other), labelled(spec.guard.name, "willpower"))
    if tape.call(tests.opposed, first, second, spec.tests) != "one":
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
        places = ", ".join(hit.spot.replace("_", " ") for hit in after.items)
        yield Line(f"Hits on: {places}", ("DW-MULTI-1",) if len(after.items) > 1 else ("DW-LOC-2",))
    elif stage is take_hits and before.items:
        yield Line(health_words(after.victim.health, spec.guard.wounds))


def health_words(health: int, wounds: int) -> str:
    """Health in words: 12 of 21 wounds left, critical damage 3, dead."""
    if health <= DEAD:
        return "Dead"
    return f"{health} of {wounds} wounds left" if health >= 0 else f"Critical damage {-health}"
