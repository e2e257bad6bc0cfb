"""A turn in melee: one attack or several, feints before them, blows to stun, bare fists and trials of strength."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache, wraps
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.log import Line
from battletape.procedure import Procedure, Stage
from battletape.rulesets.deathwatch.rules import melee
from battletape.rulesets.deathwatch.rules.attack import stages
from battletape.rulesets.deathwatch.rules.attack.records import Attack, HitRoll, Spec
from battletape.rulesets.deathwatch.rules.attack.stages import NOBODY
from battletape.rulesets.deathwatch.rules.tests import Contestant
from battletape.rulesets.deathwatch.rules.traits import DEAD
from battletape.rulesets.deathwatch.rules.wounds import Victim, strike
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings
from battletape.tape import Tape

Trial: TypeAlias = Literal["", "feint", "knock_down", "manoeuvre", "grapple"]
"""A test of one against the other."""


class Order(Struct, frozen=True, cache_hash=True):
    """What is constant in a turn of melee."""

    trial: Trial = ""
    one: Contestant = Contestant(0)
    other: Contestant = Contestant(0)
    tb: int = 0  # of the target, with its multiplier
    rules: Rulings = DEFAULT


class Bout(Struct, frozen=True, cache_hash=True):
    """How far a turn in melee has got."""

    order: Order
    attack: Attack  # the one at hand
    before: int  # health before the first
    rest: tuple[tuple[int, Spec], ...] = ()  # attacks to come, with the number of the weapon
    weapon: int = 0  # number of the one in use
    reactions: int = 1  # left to the target
    on: bool = True  # the attack at hand is made
    hits: int = 0
    landed: int = 0
    status: str = ""
    won: bool = False  # the trial
    stunned: int = 0  # rounds, by a blow to stun
    tired: bool = False  # a level of fatigue by fists
    prone: bool = False
    own_prone: bool = False
    weapon_broken: bool = False
    parry_broken: bool = False

    @property
    def victim(self) -> Victim:
        """Who is hit."""
        return self.attack.victim

    @property
    def spec(self) -> Spec:
        """The attack at hand."""
        return self.attack.spec

    @property
    def specs(self) -> tuple[Spec, ...]:
        """The attack at hand and those to come."""
        return (self.spec, *(spec for _, spec in self.rest))


def begin_bout(order: Order, attacks: tuple[tuple[int, Spec], ...], health: int, reactions: int = 1) -> Bout:
    """A turn in melee about to begin."""
    (weapon, spec), *rest = attacks
    attack = replace(stages.begin(spec, health), hit_roll=HitRoll())
    return Bout(order, attack, attack.before, tuple(rest), weapon, reactions, order.trial in ("", "feint"))


def _rolled(bout: Bout, attack: Attack) -> Bout:
    """An attack that was rolled and placed, on its target again."""
    return replace(bout, attack=replace(attack, victim=bout.victim, before=bout.attack.before))


def is_sure(stage: Stage, attack: Attack) -> bool:
    """Whether a stage has nothing to do in this attack."""
    if stage is stages.check_jam:
        return attack.status != "jam?"
    return stage is stages.evade and (not attack.hits or attack.spec.guard.reaction == "none")


@lru_cache(64)
def within(stage: Stage) -> Stage:
    """A stage of an attack as a stage of the turn, skipped if there is none; up to the hits any target will do."""

    @wraps(stage)
    def of_bout(tape: Tape, bout: Bout) -> Bout:
        attack = bout.attack
        if not bout.on or stage in (stages.declare, stages.add_modifiers) or is_sure(stage, attack):
            return bout
        rest = replace(bout, attack=Attack(attack.spec, attack.victim, before=attack.before))
        by_anybody = replace(attack, victim=NOBODY, before=0, reactions=bout.reactions, broken=bout.parry_broken)
        return tape.call(stage, by_anybody, then=_rolled, rest=rest)

    return of_bout


@wraps(stages.take_hits)
def take_hits(tape: Tape, bout: Bout) -> Bout:
    """Take the hits one after the other, with the critical rows they reach."""
    attack = bout.attack
    if not bout.on:
        return bout
    rest = replace(bout, attack=replace(attack, victim=NOBODY, items=()))
    if attack.spec.how:
        return tape.call(stages.take_hits, attack, then=_struck, rest=rest)
    return tape.each(strike, attack.victim, attack.items, then=_taken, rest=rest)


def _taken(bout: Bout, victim: Victim) -> Bout:
    return replace(bout, attack=replace(bout.attack, victim=victim))


def _struck(bout: Bout, attack: Attack) -> Bout:
    return replace(bout, attack=attack, tired=bout.tired or attack.tired, stunned=attack.stunned)


@clause("DW-ACT-MULTIPLE-ATTACKS", "DW-TWOW-2", "DW-QUAL-POWER-FIELD")
def next_attack(tape: Tape, bout: Bout) -> Bout:
    """Count what the attack did and go on to the next; broken weapons do not strike, and nobody strikes the dead."""
    if not bout.on:
        return bout
    done, rest = bout.attack, bout.rest
    if done.weapon_broken:
        rest = tuple(blow for blow in rest if blow[0] != bout.weapon)
    on = bool(rest) and done.victim.health > DEAD
    weapon, spec = rest[0] if on else (0, done.spec)
    return replace(
        bout,
        attack=Attack(spec, done.victim, before=done.victim.health, hit_roll=done.hit_roll),
        rest=rest[1:] if on else (),
        weapon=weapon,
        on=on,
        hits=bout.hits + done.hits,
        landed=bout.landed + done.landed,
        status=done.status if done.status in ("jam", "overheat") else bout.status,
        reactions=bout.reactions - done.reacted,
        weapon_broken=bout.weapon_broken or done.weapon_broken,
        parry_broken=bout.parry_broken or done.parry_broken,
    )


# --- one against the other --------------------------------------------------------------------------------------------


@clause("DW-ACT-FEINT", "DW-ACT-KNOCK-DOWN", "DW-ACT-MANOEUVRE", "DW-ACT-GRAPPLE")
def try_each_other(tape: Tape, bout: Bout) -> Bout:
    """A trial; after a feint that works nobody evades, and a clear winner by strength hurts and tires the other."""
    order = bout.order
    won, fall = melee.struggle(tape, order.trial, order.one, order.other, order.rules)
    reactions = 0 if won and order.trial == "feint" else bout.reactions
    bout = replace(bout, won=won, prone=fall.target_prone, own_prone=fall.own_prone, reactions=reactions)
    if not fall.strikes:
        return bout
    return _struck(bout, stages.fist_damage(tape, bout.attack, order.tb, order.rules, tires=True))


TRIALS: dict[str, tuple[str, str]] = {
    "feint": ("The feint", "DW-ACT-FEINT"),
    "manoeuvre": ("The push", "DW-ACT-MANOEUVRE"),
    "knock_down": ("The knock-down", "DW-ACT-KNOCK-DOWN"),
    "grapple": ("The hold", "DW-ACT-GRAPPLE"),
}
"""Each trial in words, with its clause."""


def bout_procedure(bout: Bout) -> Procedure:
    """The stages of a turn: a trial, then every attack from its roll to its last wound."""
    trial = bout.order.trial
    turn: list[Stage] = [try_each_other] if trial else []
    for spec in bout.specs if trial in ("", "feint") else ():
        turn += [*map(within, stages.until_hit(spec)), take_hits, next_attack]
    return Procedure("melee", tuple(turn))


def narrate(stage: Stage, before: Bout, after: Bout) -> Iterable[Line]:
    """What each stage did."""
    if stage is try_each_other:
        words, by = TRIALS[before.order.trial]
        worked = "works" if after.won else "does not work"
        yield Line(f"{words} {worked}", (by,), result=worked)
        if after.own_prone:
            yield Line("The attacker falls too", ("DW-ACT-KNOCK-DOWN",))
        if after.tired:
            yield Line("A level of fatigue", ("DW-UNARM-3",))
    inner = getattr(stage, "__wrapped__", None)
    if inner is not None and before.on:
        yield from stages.narrate(inner, before.attack, after.attack)
    if after.attack.weapon_broken and not before.attack.weapon_broken:
        yield Line("The power field breaks the attacker's weapon", ("DW-QUAL-POWER-FIELD",))
