"""A burst of sustained fire at models known by name: dice chosen after the hit, further hits where the shooter says."""

from __future__ import annotations

from collections.abc import Iterator

from battletape.rulebook import Forget, Line, Procedure, State, Tape, clause, plural, replace
from battletape.rulesets.second_edition.rules import sustained
from battletape.rulesets.second_edition.rules.attack import Condition, Hit, Model, PreparedHit, outcome_lines
from battletape.rulesets.second_edition.rules.guns import Gun
from battletape.rulesets.second_edition.rules.keywords import needs_lines, prepare_hit, take_hit
from battletape.rulesets.second_edition.rules.to_hit import Aim, can_hit, to_hit_score
from battletape.rulesets.second_edition.rulings import DEFAULT, Rulings


class BurstTarget(State, frozen=True):
    """A model that a burst may hit: the target, or one near it."""

    name: str
    model: Model
    condition: Condition
    near: sustained.Neighbour | None = None  # None: the target itself


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
    rulings: Rulings = DEFAULT


@clause("SE-99", "SE-35")
def roll_burst_to_hit(tape: Tape, burst: BurstState) -> BurstState:
    """Roll To Hit once against the target; out of range the shot is spent and does nothing."""
    tape.tell(needs_lines, burst.aim, burst.hit, burst.targets[0].model, burst.rulings)
    if not can_hit(burst.aim, burst.rulings):
        return burst
    exactly = burst.rulings.further_hits == "by_roll" and len(burst.targets) > 1
    score = tape.call(sustained.roll_score, to_hit_score(burst.aim), exactly)
    return replace(burst, score=max(score, 1) if score else 0)


@clause("SE-100")
def choose_dice(tape: Tape, burst: BurstState) -> BurstState:
    """Choose how many Sustained Fire dice to roll after a hit."""
    if not burst.score:
        return burst
    dice = tape.choose(tuple(range(burst.gun.dice, 0, -1)), by="attacker", label="Sustained Fire dice")
    return replace(burst, dice=int(dice))


@clause("SE-101", "SE-111")
def roll_burst(tape: Tape, burst: BurstState) -> BurstState:
    """Roll the chosen dice; linked weapons roll as many each."""
    if not burst.dice:
        return burst
    hits, jams = tape.call(sustained.roll_sustained, burst.dice * burst.gun.weapons)
    tape.tell(burst_line, hits, jams)
    return replace(burst, hits=hits, jams=jams)


@clause("SE-103", "SE-104")
def allocate_burst_hits(tape: Tape, burst: BurstState) -> BurstState:
    """Give the first hit to the target, and choose a model for each further one; the best choice comes first."""
    if not burst.hits:
        return replace(burst, shares=(0,) * len(burst.targets))
    need = to_hit_score(burst.aim)
    free = tuple(
        target
        for target in burst.targets
        if target.near is None or sustained.refuse_neighbour(target.near, need, burst.score, burst.rulings) is None
    )
    worth = tuple(
        sustained.worth_of_hits(target.condition, prepare_hit(burst.hit, target.model, burst.rulings), burst.hits)
        for target in free
    )
    names = tuple(target.name for target in free)
    taken = (1, *(0 for _ in free[1:]))
    first = HitShares(taken, sustained.plan_hits(burst.hits, worth, taken))

    def best_first(sharing: HitShares, left: int) -> tuple[str, ...]:
        best = next(index for index, planned in enumerate(sharing.planned) if planned > sharing.taken[index])
        return (names[best], *names[:best], *names[best + 1 :])

    def after(sharing: HitShares, name: str) -> HitShares:
        index = names.index(name)
        taken = (*sharing.taken[:index], sharing.taken[index] + 1, *sharing.taken[index + 1 :])
        as_planned = taken[index] <= sharing.planned[index]
        return HitShares(taken, sharing.planned if as_planned else sustained.plan_hits(burst.hits, worth, taken))

    placed = dict(
        zip(names, sustained.allocate_one_by_one(tape, burst.hits, first, best_first, after).taken, strict=True)
    )
    burst = replace(burst, shares=tuple(placed.get(target.name, 0) for target in burst.targets))
    tape.tell(shares_line, burst)
    return burst


class HitShares(State, frozen=True):
    """Hits being shared out: how many each model has, and how many it is to have."""

    taken: tuple[int, ...]
    planned: tuple[int, ...]


@clause("SE-105", "SE-32")
def resolve_burst_hits(tape: Tape, burst: BurstState) -> BurstState:
    """Resolve the hits on each model; each hit wounds and is saved by itself."""
    items = tuple(
        HitsOnModel(target.name, target.condition, prepare_hit(burst.hit, target.model, burst.rulings), hits)
        for target, hits in zip(burst.targets, burst.shares, strict=True)
        if hits
    )
    return tape.each(resolve_burst_hit, NO_RESULTS, items, then=_with_results, rest=burst)


class HitsOnModel(State, frozen=True):
    """The hits on one of the models."""

    name: str
    condition: Condition
    prepared_hit: PreparedHit
    hits: int

    @property
    def subject(self) -> str:
        """Name the model that the dice are for."""
        return self.name


def resolve_burst_hit(tape: Tape, results: BurstResults, item: HitsOnModel) -> BurstResults:
    """Resolve all hits on one of the models."""
    rest = (results, item.name, item.condition)
    return tape.call(
        take_hits, item.condition, item.prepared_hit, item.hits, then=_after_hits, rest=rest, tell=target_lines
    )


def take_hits(tape: Tape, condition: Condition, prepared_hit: PreparedHit, hits: int) -> Condition:
    """Let a model take some hits, one after another."""
    return tape.each(take_hit, condition, (prepared_hit,) * hits)


def _after_hits(before: tuple[BurstResults, str, Condition], condition: Condition) -> BurstResults:
    results, name, was = before
    fallen = results.fallen + (condition.is_dead and not was.is_dead)
    return BurstResults(fallen, results.lost + was.wounds - condition.wounds, (*results.conditions, (name, condition)))


def _with_results(burst: BurstState, results: BurstResults) -> BurstState:
    return replace(burst, results=results)


def lens(asked: frozenset[str]) -> Forget:
    """Forget which models were hit: measures count."""
    return ((BurstResults, _without_names), (BurstState, _forget_names))


def _without_names(results: BurstResults) -> BurstResults:
    return BurstResults(results.fallen, results.lost) if results.conditions else results


def _forget_names(burst: BurstState) -> BurstState:
    return replace(burst, results=_without_names(burst.results))


BURST = Procedure("burst", (roll_burst_to_hit, choose_dice, roll_burst, allocate_burst_hits, resolve_burst_hits))


# --- what is told ----------------------------------------------------------------------------------------------------


def burst_line(hits: int, jams: int) -> Line:
    """Say how many hits and jams the Sustained Fire dice bring."""
    jammed = f", and {plural(jams, 'jam')}" if jams else ""
    return Line(f"{plural(hits, 'hit')}{jammed}", ("SE-101", "SE-106"), result=f"{hits} hits")


def shares_line(burst: BurstState) -> Line:
    """Say which model takes how many hits."""
    shares = ", ".join(
        f"{target.name} {hits}" for target, hits in zip(burst.targets, burst.shares, strict=True) if hits
    )
    return Line(f"Hits: {shares}", ("SE-103", "SE-104"), result=shares)


def target_lines(before: tuple[BurstResults, str, Condition], condition: Condition) -> Iterator[Line]:
    """Say what the hits did to one of the models."""
    _, name, was = before
    yield from outcome_lines(name, was, condition)
