"""Sustained fire: how many dice, where the hits go, jams and clearing them, turn after turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import ClassVar, Literal, TypeVar

from battletape import rulebook
from battletape.rulebook import D6, Refused, State, Tape, capital, clause, inches, odds_of, plural, replace
from battletape.rulesets.second_edition.rules import squads
from battletape.rulesets.second_edition.rules.attack import Condition, Hit, Model, PreparedHit
from battletape.rulesets.second_edition.rules.dice import JAM, SUSTAINED
from battletape.rulesets.second_edition.rules.guns import Gun
from battletape.rulesets.second_edition.rules.keywords import needs_lines, prepare_hit, take_hit
from battletape.rulesets.second_edition.rules.to_hit import Aim, can_hit, roll_to_hit, to_hit_score
from battletape.rulesets.second_edition.rulings import DEFAULT, Rulings

S = TypeVar("S")
NEIGHBOUR_INCHES = 4.0
"""Further hits reach models within so many inches of the first."""
Allocation = Literal["target", "spread", "each", "planned"]
"""Where further hits go: all on the target; each on a model of its own, with what is left over on the target;
wherever the shooter says, hit by hit; or where they do most in this burst."""
ModelHits = tuple[Condition, int]
"""A model that is hit, as it stands, and by how many hits."""
NO_MODELS: squads.ModelCounts = ()


class WeaponState(State, frozen=True):
    """The state of a weapon that can jam: malfunctions, whether it is lost for good, whether it must recharge."""

    jams: int = 0
    destroyed: bool = False
    cooling: bool = False
    field_words: ClassVar = {"jams": "jams", "destroyed": "destroyed", "cooling": "cooling"}


class Neighbour(State, frozen=True):
    """Another model near the target: its unit, its distance, and the score that it would need."""

    same_unit: bool = True
    distance: float = 0.0
    need: int = 4
    name: str = "a model"


# --- what is allowed ------------------------------------------------------------------------------------------------


@clause("SE-111")
def refuse_profile(name: str, blast: float | None, sustained: int | None) -> Refused | None:
    """Refuse a profile with blast and sustained fire, which together are defined nowhere."""
    if blast is None or sustained is None:
        return None
    reason = f"{name} has both a blast marker and Sustained Fire, and no rule says how they work together; give it one"
    return Refused(reason, "SE-111", "profile")


@clause("SE-100")
def refuse_dice(dice: int, most: int) -> Refused | None:
    """Refuse a number of Sustained Fire dice that the weapon does not have."""
    if 1 <= dice <= most:
        return None
    would_do = "1 would do" if most == 1 else f"1 to {most} would do"
    return Refused(f"a weapon with Sustained Fire {most} cannot roll {dice} of its dice; {would_do}", "SE-100", "dice")


@clause("SE-108", "SE-48")
def refuse_fire(state: WeaponState, name: str = "the weapon") -> Refused | None:
    """Refuse a weapon that is destroyed, jammed, or still recharging."""
    if state.destroyed:
        return Refused(f"{name} is destroyed and fires no more in this game", "SE-48", "destroyed")
    if state.jams:
        clear = "clear it first" if state.jams == 1 else "clear them first, one in each Shooting phase"
        return Refused(f"{name} has {plural(state.jams, 'jam')}; {clear}", "SE-108", "jammed")
    if state.cooling:
        return Refused(f"{name} fired in the last turn and must recharge in this one", "SE-111", "recharging")
    return None


@clause("SE-109", "SE-48")
def refuse_clearing(state: WeaponState, name: str = "the weapon") -> Refused | None:
    """Refuse a weapon without a jam, or one that is destroyed."""
    if state.destroyed:
        return Refused(f"{name} is destroyed, and cannot be cleared", "SE-48", "destroyed")
    return None if state.jams else Refused(f"{name} has no jam to clear", "SE-109", "jammed")


@clause("SE-104")
def refuse_neighbour(other: Neighbour, original: int, score: int, rulings: Rulings = DEFAULT) -> Refused | None:
    """Refuse further hits on models of another unit, too far away, or harder to hit than the target."""
    if other.distance > NEIGHBOUR_INCHES:
        far = f"{other.name} is {inches(other.distance)} from the target; {inches(NEIGHBOUR_INCHES)} would do"
        return Refused(far, "SE-104", "distance")
    if rulings.further_hits == "near":
        return None
    if not other.same_unit:
        return Refused(f"{other.name} belongs to another unit than the target", "SE-104", "unit")
    if rulings.further_hits == "by_need" and other.need > original:
        return Refused(f"{other.name} needs {other.need} to be hit; the target needs {original}", "SE-104", "need")
    if rulings.further_hits == "by_roll" and other.need > score:
        return Refused(f"{other.name} needs {other.need} to be hit; the roll was {score}", "SE-104", "need")
    return None


# --- the dice -------------------------------------------------------------------------------------------------------


@clause("SE-99", "SE-13", "SE-104")
def roll_score(tape: Tape, need: int, exactly: bool = False) -> int:
    """Roll To Hit once for a burst: the score if it hits, 0 if not; only a ruling asks which score it was."""
    if not exactly:
        return max(need, 1) if roll_to_hit(tape, 1, need) else 0
    score = int(tape.roll(D6, label="to hit"))
    if need > 6 and score == 6:
        score += max(int(tape.roll(D6, label="second die to hit")) - 3, 0)
    return score if score >= max(need, 2) else 0


@clause("SE-101", "SE-102", "SE-106", "SE-107")
def roll_sustained(tape: Tape, dice: int) -> tuple[int, int]:
    """Roll the Sustained Fire dice: hits and jams; a jam hits nothing, and the other dice still count."""
    rolled = tape.pool(dice, SUSTAINED, label="burst")
    return sum(face * number for face, number in rolled.items() if face != JAM), rolled[JAM]


@clause("SE-106", "SE-111")
def after_burst(gun: Gun, state: WeaponState, jams: int) -> WeaponState:
    """Return the weapon after a burst: every jam is a malfunction more; some explode, some must recharge."""
    exploded = gun.explodes_on is not None and jams >= gun.explodes_on
    return WeaponState(state.jams + jams, state.destroyed or exploded, gun.recharges)


@clause("SE-109", "SE-110")
def clear_jam(state: WeaponState) -> WeaponState:
    """Clear one jam instead of shooting; it needs no roll."""
    return replace(state, jams=state.jams - 1)


# --- where the hits go -----------------------------------------------------------------------------------------------


@clause("SE-103", "SE-104")
def allocate_one_by_one(
    tape: Tape, hits: int, first: S, may_take: Callable[[S, int], Sequence[str]], after: Callable[[S, str], S]
) -> S:
    """Give the first hit to the target, and choose a model for each further one among those that may take it."""
    allocated = first
    for number in range(1, hits):
        options = may_take(allocated, hits - number)
        allocated = after(allocated, tape.choose(options, by="attacker", label=f"target of hit {number + 1}"))
    return allocated


@clause("SE-103", "SE-104")
def plan_hits(hits: int, worth: tuple[Worth, ...], taken: tuple[int, ...]) -> tuple[int, ...]:
    """Return how many hits each model takes to make most of a burst, the target first; earlier models at a tie.

    `worth` says of each model what any number of hits on it comes to. Of equal ways, the one for earlier models.
    """
    left = hits - sum(taken)
    best = [0.0] * (left + 1)  # what so many further hits come to on the models that were looked at
    gives: list[list[int]] = []
    for values, already in zip(reversed(worth), reversed(taken), strict=True):
        ways, now = [], []
        for number in range(left + 1):
            totals = [values[already + own] + best[number - own] for own in range(number + 1)]
            most = max(totals)
            ways.append(next(own for own in range(number, -1, -1) if totals[own] > most - SAME_WORTH))
            now.append(totals[ways[-1]])
        best = now
        gives.append(ways)
    shares = []
    for ways, already in zip(reversed(gives), taken, strict=True):
        shares.append(already + ways[left])
        left -= ways[left]
    return tuple(shares)


Worth = tuple[float, ...]
"""What no hit, one, two and so on do to a model on average."""
SAME_WORTH = 1e-12
"""Ways to share out hits that differ by no more come to the same."""


@lru_cache(1024)
def worth_of_hits(condition: Condition, prepared_hit: PreparedHit, most: int, goal: str = "casualties") -> Worth:
    """Return what up to so many hits do to a model on average: the chance that it falls, or the wounds it loses."""
    found, chances = [0.0], {condition: 1.0}
    for _ in range(most):
        after: dict[Condition, float] = {}
        for now, chance in chances.items():
            odds = odds_of(take_hit, now, prepared_hit)
            for state_hit, weight in odds.weights.items():
                after[state_hit] = after.get(state_hit, 0.0) + chance * weight / odds.total
        chances = after
        lost = {now: condition.wounds - now.wounds if goal == "wounds" else int(now.is_dead) for now in chances}
        found.append(sum(chance * lost[now] for now, chance in chances.items()))
    return tuple(found)


@clause("SE-103", "SE-104")
def allocate_hits(
    tape: Tape,
    hits: int,
    squad: squads.ModelCounts,
    others: int,
    allocation: Allocation,
    prepared_hit: PreparedHit,
    goal: str = "casualties",
) -> tuple[ModelHits, ...]:
    """Share out the hits, the target first; of models alike, those with fewer hits come first."""
    if allocation != "each":
        return shares_of(hits, squad, others, allocation, prepared_hit, goal)
    return allocate_one_by_one(tape, hits, first_hit(squad, others), hit_options, allocate_hit).shares


def shares_of(
    hits: int,
    squad: squads.ModelCounts,
    others: int,
    allocation: Allocation,
    prepared_hit: PreparedHit,
    goal: str = "casualties",
) -> tuple[ModelHits, ...]:
    """Share out the hits: all on the target, spread over the unit, or where they do most."""
    target = squads.next_target(squad)
    rest = squads.without_model(squad, target)
    spread = 0 if allocation == "target" else min(hits - 1, others)
    near = [condition for condition, models in rest for _ in range(models)][:spread]
    if allocation == "planned":
        worth = tuple(worth_of_hits(condition, prepared_hit, hits, goal) for condition in (target, *near))
        first, *further = plan_hits(hits, worth, (1, *(0 for _ in near)))
        return ((target, first), *((condition, own) for condition, own in zip(near, further, strict=True) if own))
    return ((target, hits - spread), *((condition, 1) for condition in near))


def first_hit(squad: squads.ModelCounts, others: int) -> AllocatedHits:
    """Return the target with its hit, and the others that may take some."""
    target = squads.next_target(squad)
    return AllocatedHits(((target, 1),), squads.without_model(squad, target), others)


SAME = "the same model"


class AllocatedHits(State, frozen=True):
    """Hits allocated so far, model by model, and the models that may take the next.

    Models are gone through in the order of the line, so that no two ways to hand out hits come to the same.
    """

    shares: tuple[ModelHits, ...]
    rest: squads.ModelCounts
    others: int
    min_hits: int = 1  # the model before it, if alike, has as many


@lru_cache(4096)
def hit_options(allocated: AllocatedHits, left: int) -> tuple[str, ...]:
    """Return where the next hit may go: on the same model, or on another if the hits are enough for that."""
    condition, hits = allocated.shares[-1]
    if hits < allocated.min_hits or not allocated.others:
        return (SAME,)
    alike = hits if len(allocated.shares) > 1 else 1
    return (SAME, *[describe_model(other) for other, _ in allocated.rest if other != condition or left >= alike])


@lru_cache(4096)
def allocate_hit(allocated: AllocatedHits, chosen: str) -> AllocatedHits:
    """Allocate one more hit."""
    *before, (condition, hits) = allocated.shares
    if chosen == SAME:
        return replace(allocated, shares=(*before, (condition, hits + 1)))
    index, new = next(
        (index, other) for index, (other, _) in enumerate(allocated.rest) if describe_model(other) == chosen
    )
    floor = hits if before and new == condition else 1
    return AllocatedHits(
        (*allocated.shares, (new, 1)), squads.without_model(allocated.rest[index:], new), allocated.others - 1, floor
    )


@lru_cache(1024)
def describe_model(condition: Condition) -> str:
    """Name a model that has not been hit yet: another with 2 wounds, on fire."""
    flame = condition.on_fire
    burning = "" if flame is None else f", on fire by {flame.weapon} of Strength {flame.strength or 0}"
    hull = f", hit {plural(condition.vehicle_hits, 'time')}" if condition.vehicle_hits else ""
    return f"another with {plural(condition.wounds, 'wound')}{burning}{hull}"


# --- turn after turn ------------------------------------------------------------------------------------------------


class BurstPlan(State, frozen=True):
    """A plan for a burst: how many dice after a hit, and where the hits go."""

    dice: int
    allocation: Allocation


class SustainedFireSetup(State, frozen=True):
    """The constants of sustained fire: the gun, the shot, the models fired at, the plans, and the goal."""

    gun: Gun
    aim: Aim
    hit: Hit
    model: Model
    plans: tuple[BurstPlan, ...]
    neighbours: tuple[Neighbour, ...] = ()  # models described one by one, beside those near enough and as easy to hit
    automatic: bool = False  # the shot has hit already
    rulings: Rulings = DEFAULT
    turns: int = 1
    goal: str = "casualties"
    jam_cost: float = 0.0

    @property
    def prepared_hit(self) -> PreparedHit:
        """Return what each hit does."""
        return prepare_hit(self.hit, self.model, self.rulings)

    @property
    def needs_score(self) -> bool:
        """Return whether it matters which score was rolled."""
        return self.rulings.further_hits == "by_roll" and bool(self.neighbours) and not self.automatic


class SustainedFireState(State, frozen=True):
    """Sustained fire under way: the weapon, the models left, and what was done so far."""

    setup: SustainedFireSetup
    models_left: squads.ModelCounts
    models: int
    wounds: int
    plan: BurstPlan | None = None
    weapon: WeaponState = WeaponState()
    hits: int = 0
    models_hit: int = 0  # models hit, counted in each burst
    jams: int = 0  # jams rolled
    turns_waited: int = 0  # turns in which it could not fire
    hits_to_allocate: int = 0  # hits that are still to be shared out
    score: int = 0  # rolled To Hit with them, if it matters
    shares: tuple[ModelHits, ...] = ()
    field_words: ClassVar = {
        "weapon": "weapon",
        "hits": "hits",
        "models_hit": "models hit",
        "jams": "jams",
        "hits_to_allocate": "hits to allocate",
    }

    @property
    def fallen(self) -> int:
        """Return how many models have fallen."""
        return self.models - squads.count_models(self.models_left)

    @property
    def lost(self) -> int:
        """Return how many wounds were lost."""
        return self.wounds - squads.wounds_left(self.models_left)


def begin_sustained_fire(
    setup: SustainedFireSetup, squad: squads.ModelCounts, weapon: WeaponState = WeaponState()
) -> SustainedFireState:
    """Return sustained fire before its first turn."""
    return SustainedFireState(setup, squad, squads.count_models(squad), squads.wounds_left(squad), weapon=weapon)


def count_near_target(apart: Sequence[Neighbour], original: int, score: int, rulings: Rulings = DEFAULT) -> int:
    """Return how many models described one by one may take further hits."""
    return sum(refuse_neighbour(other, original, score, rulings) is None for other in apart)


@clause("SE-99", "SE-108", "SE-109", "SE-111")
def fire_or_clear(tape: Tape, state: SustainedFireState) -> SustainedFireState:
    """Play one Shooting phase: clear a jam, recharge, or fire if any model is left."""
    weapon = state.weapon
    if weapon.destroyed:
        return state
    if weapon.jams or weapon.cooling:
        cleared = clear_jam(weapon) if weapon.jams else weapon
        waits = state.turns_waited + bool(state.models_left)
        tape.tell(ready_line, weapon, cleared)
        return replace(state, weapon=replace(cleared, cooling=False), turns_waited=waits)
    if not state.models_left:
        return state
    return tape.call(fire_burst, state.setup, state.plan, then=_after_burst, rest=state, tell=burst_lines)


def _after_burst(state: SustainedFireState, burst: tuple[int, int, int]) -> SustainedFireState:
    hits, jams, score = burst
    return replace(
        state,
        weapon=after_burst(state.setup.gun, state.weapon, jams),
        hits_to_allocate=hits,
        score=score if state.setup.needs_score and hits > 1 else 0,
        hits=state.hits + hits,
        jams=state.jams + jams,
    )


@clause("SE-103", "SE-104")
def allocate(tape: Tape, state: SustainedFireState) -> SustainedFireState:
    """Allocate the hits of a burst."""
    if not state.hits_to_allocate or state.plan is None:
        return state
    how = (count_others(state), state.plan.allocation, state.setup.prepared_hit, state.setup.goal)
    return tape.call(
        allocate_hits, state.hits_to_allocate, state.models_left, *how, then=_with_shares, rest=state, tell=shares_line
    )


def count_others(state: SustainedFireState) -> int:
    """Return how many models beside the target may take hits."""
    setup, need = state.setup, to_hit_score(state.setup.aim)
    near = count_near_target(setup.neighbours, need, state.score or need, setup.rulings)
    return squads.count_models(state.models_left) - 1 - len(setup.neighbours) + near


def _with_shares(state: SustainedFireState, shares: tuple[ModelHits, ...]) -> SustainedFireState:
    return replace(state, shares=shares, hits_to_allocate=0, score=0, models_hit=state.models_hit + len(shares))


@clause("SE-105", "SE-32")
def resolve_hits(tape: Tape, state: SustainedFireState) -> SustainedFireState:
    """Resolve the hits; each wounds and is saved by itself."""
    if not state.shares:
        return state
    untouched, prepared_hit = state.models_left, state.setup.prepared_hit
    for state_hit, _ in state.shares:
        untouched = squads.without_model(untouched, state_hit)
    items = tuple((state_hit, hits, prepared_hit) for state_hit, hits in state.shares)
    return tape.each(
        resolve_hits_on_model,
        NO_MODELS,
        items,
        then=_with_survivors,
        rest=replace(state, models_left=untouched),
        tell=losses_lines,
    )


@clause("SE-99", "SE-100", "SE-111")
def fire_burst(tape: Tape, setup: SustainedFireSetup, plan: BurstPlan) -> tuple[int, int, int]:
    """Roll To Hit once, and after a hit the chosen dice: hits, jams, and the score (0 for a miss)."""
    need = to_hit_score(setup.aim)
    score = need
    if not setup.automatic:
        score = tape.call(roll_score, need, setup.needs_score) if can_hit(setup.aim, setup.rulings) else 0
        if not score:
            return 0, 0, 0
    return *tape.call(roll_sustained, plan.dice * setup.gun.weapons), max(score, 1)


@clause("SE-105", "SE-32")
def resolve_hits_on_model(
    tape: Tape, survivors: squads.ModelCounts, item: tuple[Condition, int, PreparedHit]
) -> squads.ModelCounts:
    """Resolve all hits on one model; a survivor joins the other survivors."""
    condition, hits, prepared_hit = item
    return squads.with_model(survivors, tape.each(take_hit, condition, (prepared_hit,) * hits))


def _with_survivors(state: SustainedFireState, survivors: squads.ModelCounts) -> SustainedFireState:
    return replace(state, models_left=squads.combine(state.models_left, survivors), shares=())


TURN = (fire_or_clear, allocate, resolve_hits)
"""One Shooting phase."""


# --- what is told ----------------------------------------------------------------------------------------------------


def setup_lines(setup: SustainedFireSetup) -> Iterator[rulebook.Line]:
    """Say what each turn of fire needs, and which models may take further hits."""
    yield from needs_lines(None if setup.automatic else setup.aim, setup.hit, setup.model, setup.rulings)
    need = to_hit_score(setup.aim)
    for other in setup.neighbours:
        refused = refuse_neighbour(other, need, need, setup.rulings)
        if refused is None:
            yield rulebook.Line(f"{capital(other.name)} may take further hits", ("SE-104",))
        elif setup.rulings.further_hits != "by_roll" or refused.kind != "need":
            yield rulebook.Line(f"No further hits: {refused.reason}", ("SE-104",))


def ready_line(before: WeaponState, after: WeaponState) -> rulebook.Line:
    """Say that a jam is cleared, or that the weapon recharges."""
    if before.jams:
        return rulebook.Line(f"A jam is cleared, {plural(after.jams, 'jam')} left", ("SE-109",))
    return rulebook.Line("The weapon recharges", ("SE-111",))


def burst_lines(state: SustainedFireState, burst: tuple[int, int, int]) -> Iterator[rulebook.Line]:
    """Say how many hits and jams a burst brings, and whether the weapon explodes."""
    hits, jams, _ = burst
    if not hits and not jams:
        yield rulebook.Line("No hit", ("SE-99",), result="0 hits")
        return
    yield rulebook.Line(plural(hits, "hit"), ("SE-101", "SE-103"), result=f"{hits} hits")
    if jams:
        yield rulebook.Line(f"The weapon has {plural(jams, 'jam')}", ("SE-106",), result=f"{jams} jams")
    if after_burst(state.setup.gun, state.weapon, jams).destroyed:
        yield rulebook.Line("The weapon explodes and is lost", ("SE-111",))


def shares_line(state: SustainedFireState, shares: tuple[ModelHits, ...]) -> rulebook.Line | None:
    """Say where the hits go, if several models take some."""
    if len(shares) < 2:
        return None
    return rulebook.Line(f"Hits: {shares_text(shares)}", ("SE-103", "SE-104"), result=shares_text(shares))


def shares_text(shares: tuple[ModelHits, ...]) -> str:
    """Write which models take how many hits: 2 on the target, 1 on each of 3 others."""
    parts, others = [f"{shares[0][1]} on the target"], Counter(hits for _, hits in shares[1:])
    for hits, models in sorted(others.items(), reverse=True):
        parts.append(f"{hits} on another" if models == 1 else f"{hits} on each of {models} others")
    return ", ".join(parts)


def losses_lines(state: SustainedFireState, survivors: squads.ModelCounts) -> Iterator[rulebook.Line]:
    """Say what the hits of a burst did; `state` has the models that were not hit in its line."""
    hit_models: squads.ModelCounts = NO_MODELS
    for condition, _ in state.shares:
        hit_models = squads.with_model(hit_models, condition)
    yield from squads.squad_loss_lines(state.setup.model.name, hit_models, survivors, others=bool(state.models_left))
