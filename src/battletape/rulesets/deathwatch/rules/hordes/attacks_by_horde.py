"""What a horde does to others: more dice and more attacks the more of them there are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from battletape.clauses import clause, refuses
from battletape.errors import BadInput, Refused
from battletape.log import Line
from battletape.procedure import Procedure, Stage
from battletape.rulesets.deathwatch.rules.attack.records import MOST_DEGREES, Attack, AttackDraft, Spec
from battletape.rulesets.deathwatch.rules.attack.stages import (
    NOBODY,
    Reacting,
    hits_of,
    refuse_reaction,
    roll_and_place,
    struck_at,
)
from battletape.rulesets.deathwatch.rules.guns import Drill, Gun, Gunfire, hit
from battletape.rulesets.deathwatch.rules.hordes.size_and_nerve import Traits
from battletape.rulesets.deathwatch.rules.traits import DEAD
from battletape.rulesets.deathwatch.rules.wounds import health_words, strike
from battletape.rulesets.deathwatch.rulings import Rulings
from battletape.rulesets.deathwatch.words import modifier_lines
from battletape.tape import Deed, Tape
from battletape.words import plain, plural

MOST_DICE = 2
MANY = 20
"""From this Magnitude on a horde can be overwhelming."""
PLAIN = Traits()
COUNTED = 12
"""Hits are counted where there cannot be more of them than this; else it would take too long to follow them."""


@clause("DW-HORDE-15", "DW-HORDE-17")
def attacks_of(magnitude: int, melee: bool, traits: Traits = PLAIN) -> int:
    """Attacks of a horde in a turn: a shot for each ten, or in melee one at each engaged enemy, of whom this is one."""
    if melee or magnitude <= 0:
        return int(magnitude > 0)
    return magnitude // 10 + traits.fire_drill


@refuses("DW-HORDE-15", "DW-EVA-1")
def refuse_manner(evades: bool, aimed: bool, furious: bool) -> Iterator[Refused | None]:
    """What nobody does against a horde, evade it, and what it cannot do: take aim, or have righteous fury."""
    if evades:
        yield refuse_reaction(Reacting(("by_horde",)), "dodge or parry")
    if aimed:
        yield Refused("a horde does not aim; leave the aim out", "DW-HORDE-15", "aim")
    if furious:
        yield Refused("a horde has no righteous fury; leave it out", "DW-HORDE-15", "fury")


@clause("DW-HORDE-15", "DW-HORDE-17", "DW-RF-3")
def horde_draft(draft: AttackDraft, magnitude: int, traits: Traits = PLAIN) -> AttackDraft:
    """One creature's attack as the whole horde makes it: hits that cannot be evaded, and never any fury.

    Each full ten gives a d10 more, two at most; an overwhelming rush another.
    """
    if draft.sides != 10:
        raise BadInput(f"a horde adds d10s to its damage; got d{draft.sides}s, write it with d10s (DW-HORDE-15)")
    rush = draft.melee and traits.overwhelming and magnitude >= MANY
    more = min(MOST_DICE, magnitude // 10) + rush
    return replace(draft, dice=draft.dice + more, eligible=False, sure=False, furious=False, evadable=False, aimed=0)


# --- with dice --------------------------------------------------------------------------------------------------------


class Rush(Gunfire, frozen=True, cache_hash=True):
    """A horde that attacks a character turn after turn; it has guns enough for none of them to be followed."""

    attacks: int = 1  # a turn
    spots: tuple[str, ...] = ()  # where the hits of the last attack landed, for the log
    turn: int = 1
    dead_in: int = 0  # the turn; 0 not


def begin_rush(spec: Spec, attacks: int, health: int, turns: int = 1, cap: int = 60) -> Rush:
    """A horde about to attack a target of this health."""
    drill = Drill(spec, turns, tests=Rulings(modifier_cap=cap))
    return Rush(drill, struck_at(spec, health), health, Gun(), attacks=attacks)


def is_counted(rush: Rush) -> bool:
    """Whether its hits are few enough to be counted unasked."""
    return rush.attacks * rush.drill.turns * hits_of(rush.spec, MOST_DEGREES) <= COUNTED


def procedure(rush: Rush) -> Procedure:
    """The attacks of so many turns."""
    return Procedure("horde attacks", (come_on, *((*(attack_target,) * rush.attacks, end_turn) * rush.drill.turns)))


@clause("DW-HORDE-15")
def come_on(tape: Tape, rush: Rush) -> Rush:
    """Say how the horde attacks, and what adds to it."""
    return rush


@clause("DW-HORDE-15", "DW-PIPE-1", "DW-DMG-1")
def attack_target(tape: Tape, rush: Rush) -> Rush:
    """One attack of a horde; a gun that jams is one of many, and costs it this attack only. The dead are left alone."""
    victim, rest = rush.victim, replace(rush, victim=NOBODY, spots=())
    if victim.health <= DEAD:
        return replace(rush, spots=())
    return tape.call(rush_at, rest, onto=victim)


@clause("DW-HORDE-15", "DW-PIPE-1")
def rush_at(tape: Tape, rush: Rush) -> Deed[Rush]:
    """One attack, whoever it is aimed at: the hits that are to be taken."""
    attack: Attack = tape.call(roll_and_place, rush.spec)
    spots = tuple(hit.spot for hit in attack.placed)
    after = replace(rush, hits=rush.hits + attack.landed, landed=rush.landed + attack.landed, spots=spots)
    return Deed(strike, attack.items, hit, after)


@clause("DW-HORDE-15")
def end_turn(tape: Tape, rush: Rush) -> Rush:
    """The horde has made all its attacks of this turn."""
    died = rush.victim.health <= DEAD and not rush.dead_in
    return replace(rush, turn=rush.turn + 1, dead_in=rush.turn if died else rush.dead_in)


def narrate(stage: Stage, before: Rush, after: Rush) -> Iterable[Line]:
    """What the horde did."""
    spec = before.spec
    if stage is come_on:
        if not spec.flame:
            yield from modifier_lines(spec.skill, spec.modifiers, before.drill.tests.modifier_cap)
        yield Line(f"{plural(before.attacks, 'attack')} a turn, which nobody can dodge or parry", ("DW-HORDE-15",))
    elif stage is attack_target and after.spots:
        left = health_words(after.victim.health, spec.guard.wounds).lower()
        yield Line(f"{plural(len(after.spots), 'hit')} ({', '.join(map(plain, after.spots))}): {left}", ("DW-DMG-1",))
    elif stage is end_turn and not before.dead_in:
        yield Line(f"Turn {before.turn}: {health_words(after.victim.health, spec.guard.wounds).lower()}")
