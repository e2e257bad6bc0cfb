"""A burst of sustained fire at models known by name: dice chosen after the hit, further hits where the shooter says."""

from __future__ import annotations

from battletape.rulebook import Procedure, Struct, Tape, clause, replace
from battletape.rulesets.second_edition.rules.attack import Blow, Condition, Hit, Model, blow_of, take_hit
from battletape.rulesets.second_edition.rules.sustained import (
    Gun,
    Neighbour,
    place_hits,
    refuse_neighbour,
    roll_score,
    roll_sustained,
)
from battletape.rulesets.second_edition.rules.to_hit import Aim, can_hit, need_of
from battletape.rulesets.second_edition.rulings import DEFAULT, Rulings


class Mark(Struct, frozen=True, cache_hash=True):
    """A model that a burst may hit: the target, or one near it."""

    name: str
    model: Model
    state: Condition
    near: Neighbour | None = None  # None: the target itself


class Salvo(Struct, frozen=True, cache_hash=True):
    """A burst from the roll To Hit to the last wound; the target comes first among the marks."""

    gun: Gun
    aim: Aim
    hit: Hit
    marks: tuple[Mark, ...]
    score: int = 0  # rolled To Hit; 0: a miss
    dice: int = 0
    hits: int = 0
    jams: int = 0
    shares: tuple[int, ...] = ()  # hits for each mark
    before: tuple[Condition, ...] = ()
    rules: Rulings = DEFAULT

    @property
    def struck(self) -> tuple[tuple[Condition, Condition], ...]:
        """Every mark as it was and as it is."""
        return tuple(zip(self.before, (mark.state for mark in self.marks), strict=True))


def salvo_at(gun: Gun, aim: Aim, hit: Hit, marks: tuple[Mark, ...], rules: Rulings = DEFAULT) -> Salvo:
    """A burst before the first die."""
    return Salvo(gun, aim, hit, marks, before=tuple(mark.state for mark in marks), rules=rules)


@clause("SE-99", "SE-35")
def roll_burst_to_hit(tape: Tape, salvo: Salvo) -> Salvo:
    """One roll To Hit against the target; out of range the shot is spent and does nothing."""
    if not can_hit(salvo.aim, salvo.rules):
        return salvo
    exactly = salvo.rules.further_hits == "by_roll" and len(salvo.marks) > 1
    score = tape.call(roll_score, need_of(salvo.aim), exactly)
    return replace(salvo, score=max(score, 1) if score else 0)


@clause("SE-100")
def choose_dice(tape: Tape, salvo: Salvo) -> Salvo:
    """After a hit the shooter says how many Sustained Fire dice to roll."""
    if not salvo.score:
        return salvo
    dice = tape.choose(tuple(range(salvo.gun.dice, 0, -1)), by="attacker", label="Sustained Fire dice")
    return replace(salvo, dice=int(dice))


@clause("SE-101", "SE-111")
def roll_burst(tape: Tape, salvo: Salvo) -> Salvo:
    """The dice that were chosen; linked weapons roll as many each."""
    if not salvo.dice:
        return salvo
    hits, jams = tape.call(roll_sustained, salvo.dice * (2 if salvo.gun.linked else 1))
    return replace(salvo, hits=hits, jams=jams)


@clause("SE-103", "SE-104")
def share_out(tape: Tape, salvo: Salvo) -> Salvo:
    """The first hit is the target's; the shooter says where each further one goes."""
    if not salvo.hits:
        return replace(salvo, shares=(0,) * len(salvo.marks))
    need, names = need_of(salvo.aim), tuple(mark.name for mark in salvo.marks)
    free = tuple(
        mark.name
        for mark in salvo.marks
        if mark.near is None or refuse_neighbour(mark.near, need, salvo.score, salvo.rules) is None
    )
    placed = place_hits(tape, salvo.hits, names[:1], lambda so_far, left: free, lambda so_far, name: (*so_far, name))
    return replace(salvo, shares=tuple(map(placed.count, names)))


@clause("SE-105", "SE-32")
def strike_marks(tape: Tape, salvo: Salvo) -> Salvo:
    """Every hit wounds and is saved by itself."""
    blows = [blow_of(salvo.hit, mark.model, salvo.rules) for mark in salvo.marks]
    items = [(at, blow) for at, (blow, hits) in enumerate(zip(blows, salvo.shares, strict=True)) for _ in range(hits)]
    states = tuple(mark.state for mark in salvo.marks)
    return tape.each(strike_mark, states, items, then=_struck, rest=salvo)


def strike_mark(tape: Tape, states: tuple[Condition, ...], item: tuple[int, Blow]) -> tuple[Condition, ...]:
    """One hit on one of the models."""
    at, blow = item
    return (*states[:at], tape.call(take_hit, states[at], blow), *states[at + 1 :])


def _struck(salvo: Salvo, states: tuple[Condition, ...]) -> Salvo:
    marks = tuple(replace(mark, state=state) for mark, state in zip(salvo.marks, states, strict=True))
    return replace(salvo, marks=marks)


BURST = Procedure("burst", (roll_burst_to_hit, choose_dice, roll_burst, share_out, strike_marks))
