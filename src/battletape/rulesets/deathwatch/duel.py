"""Two characters who fight it out over some rounds; of wounds only health is followed, and guns jam and rest."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.dice import D10, D100, Reading
from battletape.log import Line
from battletape.procedure import Procedure, Stage
from battletape.rulesets.deathwatch.attack import outcome
from battletape.rulesets.deathwatch.checks import check
from battletape.rulesets.deathwatch.gunfire import Outcome, attack_once, must_rest, roll_and_place
from battletape.rulesets.deathwatch.pipeline import after_hits, health_words
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings
from battletape.rulesets.deathwatch.specs import NONE_BY_SPOT, Attack, Spec
from battletape.rulesets.deathwatch.traits import DEAD
from battletape.rulesets.deathwatch.wounds import Victim, strike
from battletape.tape import Deed, Ended, Lines, Tape

Side: TypeAlias = Literal["a", "b"]


class Duel(NamedTuple):
    """How a duel stands: health of both, guns that are jammed, and rounds since somebody fell."""

    a: int
    b: int
    a_jammed: bool = False
    b_jammed: bool = False
    over: int = 0


class Toll(NamedTuple):
    """What the attacks of one of the two have done: what is left of the other, and how the gun is."""

    health: int
    jammed: bool = False
    rests: bool = False  # too hot or not charged yet
    by_spot: tuple[int, ...] = ()  # critical damage place by place, where the ruling counts it so


class Turn(Struct, frozen=True, cache_hash=True):
    """What one of the two does in his turns."""

    who: Side
    spec: Spec
    clear: int = 50  # target of the test to clear a jam
    recharges: bool = False  # a turn goes by after each shot
    tests: Rulings = DEFAULT


class Duelling(Struct, frozen=True, cache_hash=True):
    """Two characters and how far they have got."""

    start: Duel
    now: Duel
    a: Turn
    b: Turn
    rounds: int
    first: str  # a, b or initiative
    a_agility: int = 0  # bonus
    b_agility: int = 0

    @property
    def ended_in(self) -> int:
        """The round in which somebody fell; 0 if both stand."""
        return self.rounds + 1 - self.now.over if self.now.over else 0

    @property
    def winner(self) -> str:
        """Who stands alone."""
        return "a" if self.now.b <= DEAD else "b" if self.now.a <= DEAD else "nobody"


@clause("DW-ECON-1")
def roll_initiative(tape: Tape, duelling: Duelling) -> Duelling:
    """A d10 and the Agility bonus each, once; the higher goes first, of equals the more agile, then the first named."""
    if duelling.first != "initiative":
        return duelling
    ahead = duelling.a_agility - duelling.b_agility
    lead = int(tape.roll(D10, label="A: initiative")) + ahead
    if not 1 <= lead <= 10:  # the other roll cannot change it
        return replace(duelling, first="a" if lead > 10 else "b")
    return replace(duelling, first=tape.roll(D10, faster(lead, ahead), label="B: initiative"))


FIRST = {"a": "A goes first", "b": "B goes first"}


@lru_cache(512)
def faster(lead: int, agility: int) -> Reading:
    """The second d10 of an initiative, read as who goes first."""
    found = {roll: "a" if roll < lead or (roll == lead and agility >= 0) else "b" for roll in D10.faces}
    return Reading(found.__getitem__, f"more than {lead}" if agility >= 0 else f"{lead} or more", FIRST)


@clause("DW-PIPE-1", "DW-ECON-1")
def fight_on(tape: Tape, duelling: Duelling) -> Duelling:
    """Turn after turn, until one falls or the rounds are over."""
    starts = tuple(
        Toll(health, by_spot=NONE_BY_SPOT if one.spec.by_location else ())
        for one, health in ((duelling.a, duelling.start.b), (duelling.b, duelling.start.a))
    )
    order = ((0, duelling.a), (1, duelling.b))
    turns = (order if duelling.first == "a" else order[::-1]) * duelling.rounds

    return tape.race(LINES, (starts[0], starts[1]), turns, then=_ended, rest=duelling)


def _ended(duelling: Duelling, came: Ended) -> Duelling:
    (b, a_jammed), (a, b_jammed), at = came
    over = 0 if at is None else duelling.rounds - at // 2  # two turns make a round
    return replace(duelling, now=Duel(a, b, a_jammed, b_jammed, over))


@clause("DW-PIPE-1", "DW-JAM-2", "DW-ECON-1", "DW-QUAL-RECHARGE", "DW-QUAL-OVERHEATS")
def turn(tape: Tape, toll: Toll, own: Turn) -> Toll:
    """One turn: clear a jam, let the gun rest, or attack."""
    if toll.jammed:
        return toll._replace(jammed=not check(tape, own.clear, f"{own.who.upper()}: clear the jam", own.tests))
    if toll.rests:
        return toll._replace(rests=False)
    if is_idle(own.spec):
        return toll
    victim = Victim(toll.health, by_spot=toll.by_spot)
    if after_hits(own.spec):
        return tape.call(attack_once, victim, own.spec, then=_told, rest=own)
    return tape.call(attack, own, onto=victim)


def _told(own: Turn, came: Outcome) -> Toll:
    return _struck(_gun(own, came.status), came.victim)


def _gun(own: Turn, status: str) -> tuple[bool, bool]:
    """Whether the gun jams, and whether it must rest."""
    return status == "jam", must_rest(own.recharges, status)


def _struck(gun: tuple[bool, bool], victim: Victim) -> Toll:
    return Toll(max(DEAD, victim.health), *gun, victim.by_spot)


LINES = Lines(turn, lambda toll: toll.health <= DEAD, lambda toll: (toll.health, toll.jammed))


@clause("DW-PIPE-1")
def attack(tape: Tape, own: Turn) -> Deed[Toll]:
    """One attack, whoever it is aimed at: the hits that are to be taken, and what it does to the gun."""
    return tape.call(roll_and_place, own.spec, then=_hits, rest=own)


def _hits(own: Turn, rolled: Attack) -> Deed[Toll]:
    return Deed(strike, rolled.items, _struck, _gun(own, rolled.status))


@lru_cache(256)
def is_idle(spec: Spec) -> bool:
    """An attack that can neither hit nor jam, so that nobody need roll for it."""
    return not spec.flame and all(outcome(spec, roll)[0] == "miss" for roll in D100.faces)


DUEL_ROUNDS = Procedure("duel", (roll_initiative, fight_on))


def begin_duel(
    a: Turn, b: Turn, health: tuple[int, int], rounds: int, first: str, agility: tuple[int, int]
) -> Duelling:
    """Two characters face to face; one with the initiative may be rolled for."""
    start = Duel(*health)
    return Duelling(start, start, a, b, rounds, first, *agility)


def narrate(stage: Stage, before: Duelling, after: Duelling) -> Iterable[Line]:
    """What each stage did."""
    if stage is roll_initiative:
        if before.first == "initiative":
            yield Line(f"{after.first.upper()} goes first", ("DW-ECON-1",), result=after.first)
        return
    wounds = {"a": after.b.spec.guard.wounds, "b": after.a.spec.guard.wounds}
    for who in ("a", "b"):
        yield Line(f"{who.upper()}: {health_words(getattr(after.now, who), wounds[who]).lower()}", ("DW-DMG-1",))
    if after.ended_in:
        yield Line(f"{after.winner.upper()} wins in round {after.ended_in}", result=after.winner)
