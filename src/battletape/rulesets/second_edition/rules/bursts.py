"""A burst of sustained fire at models known by name: dice chosen after the hit, further hits where the shooter says."""

from __future__ import annotations

from collections.abc import Iterator

from battletape.rulebook import Forget, Line, Procedure, State, Tape, clause, plural, replace
from battletape.rulesets.second_edition.rules.attack import Condition, Hit, Model, PreparedHit, outcome_lines
from battletape.rulesets.second_edition.rules.guns import Gun
from battletape.rulesets.second_edition.rules.keywords import needs_lines, prepare_hit, take_hit
from battletape.rulesets.second_edition.rules.sustained import (
    Neighbour,
    allocate_one_by_one,
    plan_hits,
    refuse_neighbour,
    roll_score,
    roll_sustained,
    worth_of_hits,
)
from battletape.rulesets.second_edition.rules.to_hit import Aim, can_hit, to_hit_score
from battletape.rulesets.second_edition.rulings import DEFAULT, Rulings


class BurstTarget(State, frozen=True):
    """A model that a burst may hit: the target, or one near it."""

    name: str
    model: Model
    state: Condition
    near: Neighbour | None = None  # None: the target itself


class BurstResults(State, frozen=True):
    """The results of a burst: models fallen, wounds lost, and the condition of each model that was hit."""

    fallen: int = 0
    lost: int = 0
    conditions: tuple[tuple[str, Condition], ...] = ()


NO_RESULTS = BurstResults()


class BurstState(State, frozen=True):
    """A burst from the roll To Hit to the last wound; the target comes first among the models."""

    gun: Gun
    aim: Aim
    hit: Hit
    targets: tuple[BurstTarget, ...]
    score: int = 0  # rolled To Hit; 0: a miss
    dice: int = 0
    hits: int = 0
    jams: int = 0
    shares: tuple[int, ...] = ()  # hits for each mark
    results: BurstResults = NO_RESULTS
    rules: Rulings = DEFAULT


@clause("SE-99", "SE-35")
def roll_burst_to_hit(tape: Tape, salvo: BurstState) -> BurstState:
    """Roll To Hit once against the target; out of range the shot is spent and does nothing."""
    tape.tell(needs_lines, salvo.aim, salvo.hit, salvo.targets[0].model, salvo.rules)
    if not can_hit(salvo.aim, salvo.rules):
        return salvo
    exactly = salvo.rules.further_hits == "by_roll" and len(salvo.targets) > 1
    score = tape.call(roll_score, to_hit_score(salvo.aim), exactly)
    return replace(salvo, score=max(score, 1) if score else 0)


@clause("SE-100")
def choose_dice(tape: Tape, salvo: BurstState) -> BurstState:
    """Choose how many Sustained Fire dice to roll after a hit."""
    if not salvo.score:
        return salvo
    dice = tape.choose(tuple(range(salvo.gun.dice, 0, -1)), by="attacker", label="Sustained Fire dice")
    return replace(salvo, dice=int(dice))


@clause("SE-101", "SE-111")
def roll_burst(tape: Tape, salvo: BurstState) -> BurstState:
    """Roll the chosen dice; linked weapons roll as many each."""
    if not salvo.dice:
        return salvo
    hits, jams = tape.call(roll_sustained, salvo.dice * salvo.gun.weapons)
    tape.tell(burst_line, hits, jams)
    return replace(salvo, hits=hits, jams=jams)


@clause("SE-103", "SE-104")
def allocate_burst_hits(tape: Tape, salvo: BurstState) -> BurstState:
    """Give the first hit to the target, and choose a model for each further one; the best choice comes first."""
    if not salvo.hits:
        return replace(salvo, shares=(0,) * len(salvo.targets))
    need = to_hit_score(salvo.aim)
    free = tuple(
        mark
        for mark in salvo.targets
        if mark.near is None or refuse_neighbour(mark.near, need, salvo.score, salvo.rules) is None
    )
    worth = tuple(
        worth_of_hits(mark.state, prepare_hit(salvo.hit, mark.model, salvo.rules), salvo.hits) for mark in free
    )
    names = tuple(mark.name for mark in free)
    taken = (1, *(0 for _ in free[1:]))
    first = HitShares(taken, plan_hits(salvo.hits, worth, taken))

    def best_first(sharing: HitShares, left: int) -> tuple[str, ...]:
        best = next(at for at, planned in enumerate(sharing.planned) if planned > sharing.taken[at])
        return (names[best], *names[:best], *names[best + 1 :])

    def after(sharing: HitShares, name: str) -> HitShares:
        at = names.index(name)
        now = (*sharing.taken[:at], sharing.taken[at] + 1, *sharing.taken[at + 1 :])
        as_planned = now[at] <= sharing.planned[at]
        return HitShares(now, sharing.planned if as_planned else plan_hits(salvo.hits, worth, now))

    placed = dict(zip(names, allocate_one_by_one(tape, salvo.hits, first, best_first, after).taken, strict=True))
    salvo = replace(salvo, shares=tuple(placed.get(mark.name, 0) for mark in salvo.targets))
    tape.tell(shares_line, salvo)
    return salvo


class HitShares(State, frozen=True):
    """Hits being shared out: how many each model has, and how many it is to have."""

    taken: tuple[int, ...]
    planned: tuple[int, ...]


@clause("SE-105", "SE-32")
def resolve_burst_hits(tape: Tape, salvo: BurstState) -> BurstState:
    """Resolve the hits on each model; each hit wounds and is saved by itself."""
    items = tuple(
        HitsOnModel(mark.name, mark.state, prepare_hit(salvo.hit, mark.model, salvo.rules), hits)
        for mark, hits in zip(salvo.targets, salvo.shares, strict=True)
        if hits
    )
    return tape.each(resolve_burst_hit, NO_RESULTS, items, then=_with_results, rest=salvo)


class HitsOnModel(State, frozen=True):
    """The hits on one of the models."""

    name: str
    state: Condition
    prepared_hit: PreparedHit
    hits: int

    @property
    def whom(self) -> str:
        """Name the model that the dice are for."""
        return self.name


def resolve_burst_hit(tape: Tape, harm: BurstResults, item: HitsOnModel) -> BurstResults:
    """Resolve all hits on one of the models."""
    rest = (harm, item.name, item.state)
    return tape.call(
        take_hits, item.state, item.prepared_hit, item.hits, then=_after_hits, rest=rest, tell=target_lines
    )


def take_hits(tape: Tape, state: Condition, blow: PreparedHit, hits: int) -> Condition:
    """Let a model take some hits, one after another."""
    return tape.each(take_hit, state, (blow,) * hits)


def _after_hits(before: tuple[BurstResults, str, Condition], state: Condition) -> BurstResults:
    harm, name, was = before
    fallen = harm.fallen + (state.is_dead and not was.is_dead)
    return BurstResults(fallen, harm.lost + was.wounds - state.wounds, (*harm.conditions, (name, state)))


def _with_results(salvo: BurstState, harm: BurstResults) -> BurstState:
    return replace(salvo, results=harm)


def lens(asked: frozenset[str]) -> Forget:
    """Forget which models were hit: measures count."""
    return ((BurstResults, _without_names), (BurstState, _forget_names))


def _without_names(harm: BurstResults) -> BurstResults:
    return BurstResults(harm.fallen, harm.lost) if harm.conditions else harm


def _forget_names(salvo: BurstState) -> BurstState:
    return replace(salvo, results=_without_names(salvo.results))


BURST = Procedure("burst", (roll_burst_to_hit, choose_dice, roll_burst, allocate_burst_hits, resolve_burst_hits))


# --- what is told ----------------------------------------------------------------------------------------------------


def burst_line(hits: int, jams: int) -> Line:
    """Say how many hits and jams the Sustained Fire dice bring."""
    jammed = f", and {plural(jams, 'jam')}" if jams else ""
    return Line(f"{plural(hits, 'hit')}{jammed}", ("SE-101", "SE-106"), result=f"{hits} hits")


def shares_line(salvo: BurstState) -> Line:
    """Say which model takes how many hits."""
    shares = ", ".join(f"{mark.name} {hits}" for mark, hits in zip(salvo.targets, salvo.shares, strict=True) if hits)
    return Line(f"Hits: {shares}", ("SE-103", "SE-104"), result=shares)


def target_lines(before: tuple[BurstResults, str, Condition], state: Condition) -> Iterator[Line]:
    """Say what the hits did to one of the models."""
    _, name, was = before
    yield from outcome_lines(name, was, state)
