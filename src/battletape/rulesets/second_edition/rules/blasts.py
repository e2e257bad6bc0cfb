"""Blast weapons: a shot at a model, where its marker lies, and what it does to the models under it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from typing import Literal, NamedTuple, TypeAlias, TypeVar

from battletape.rulebook import (
    D6,
    BadInput,
    Forget,
    Line,
    Procedure,
    Refused,
    Stage,
    State,
    Tape,
    UnknownName,
    at_least,
    capital,
    clause,
    fold,
    inches,
    labelled,
    odds_of,
    replace,
)
from battletape.rulesets.second_edition.profiles.types import Remains
from battletape.rulesets.second_edition.rules.attack import Condition, Hit, Model, PreparedHit, outcome_lines
from battletape.rulesets.second_edition.rules.keywords import prepare_hit, take_hit
from battletape.rulesets.second_edition.rules.scatter import (
    FATES,
    Fate,
    coverage_at,
    distance_between,
    land_marker,
    marker_place,
    roll_scatter,
)
from battletape.rulesets.second_edition.rules.to_hit import (
    Aim,
    band_of,
    can_hit,
    roll_to_hit,
    to_hit_line,
    to_hit_score,
)
from battletape.rulesets.second_edition.rulings import DEFAULT, Rulings
from battletape.table.bases import Base
from battletape.table.markers import Coverage
from battletape.table.points import TOLERANCE, Point, apart

Side: TypeAlias = Literal["shooter", "friend", "enemy"]
Role: TypeAlias = Literal["shooter", "friend", "enemy", "target"]
"""The side of a model, as the shooter sees it; the target is the enemy that was aimed at."""
S = TypeVar("S")
MAX_MODELS = 40
RESERVED_NAME = "nobody"
"""The word in results where no model was hit, so no model has that name."""
PARTLY_HIT_ON = 4
"""What a die must show to hit a model that is partly covered."""


class Figure(State, frozen=True):
    """A model on the table: its base and side, its numbers, and its condition."""

    name: str
    side: Side
    base: Base
    model: Model
    condition: Condition


class BlastShot(State, frozen=True):
    """A blast on its way: the radius of its marker, its hit, and how it was sent."""

    marker: float
    hit: Hit
    aim: Aim
    thrown: bool = False  # a grenade
    remains: Remains = "none"
    placed: bool = False  # whether the place itself is wanted, as in a battle
    carried: int = 1  # grenades of the kind that the thrower has


class CoveredModel(State, frozen=True):
    """A model under a marker or template: whether it is covered entirely, and what the hit may do."""

    name: str
    role: Role
    alike_number: int  # the same number for models that are alike
    sure_hit: bool  # hit without a roll
    prepared_hit: PreparedHit
    condition: Condition

    @property
    def subject(self) -> str:
        """Return the name of the model that the dice are for."""
        return self.name


class HitRecord(State, frozen=True):
    """A model that was hit, and what came of it."""

    name: str
    role: Role
    alike_number: int
    dead: bool
    burning: bool  # set on fire by this hit
    lost: int  # wounds
    vehicle: bool = False  # its hit is for the armour penetration of the base game
    condition: Condition | None = None


class HitResults(State, frozen=True):
    """The models that were hit so far."""

    records: tuple[HitRecord, ...] = ()


NO_HITS = HitResults()


class Blast(State, frozen=True):
    """A blast from the aim to its results."""

    shot: BlastShot
    figures: tuple[Figure, ...]
    shooter: Base
    target: str = ""  # the model aimed at; empty: the ground
    spot: Point | None = None  # the place aimed at
    distance: float = 0.0
    fate: Fate = ""
    inches: float = 0.0
    centre: Point | None = None  # where the marker lies, where that is wanted
    landed: bool = False
    covered: tuple[tuple[str, Coverage], ...] = ()  # the models under it, entirely or partly
    under: tuple[CoveredModel, ...] = ()
    results: HitResults = NO_HITS
    covers_spot: bool = False  # whether the marker lies over the very spot aimed at
    goal: str = "hit"  # what the shooter plays for
    rulings: Rulings = DEFAULT


# --- the models on the table -----------------------------------------------------------------------------------------


@clause("SE-10", "SE-39")
def refuse_figures(figures: Sequence[Figure]) -> BadInput | None:
    """Refuse models on one spot, too many of them, or two of one name."""
    if len(figures) > MAX_MODELS:
        shooters = sum(figure.side == "shooter" for figure in figures)
        most = f"{MAX_MODELS - shooters} models" + (" beside the shooter" if shooters else "")
        given = f"got {len(figures) - shooters}. Leave out those far off"
        return BadInput.of("models", f"takes at most {most}; {given}.", clause="SE-10")
    names = [figure.name for figure in figures]
    for name in names:
        if (
            not name.strip()
            or "[" in name
            or "," in name
            or names.count(name) > 1
            or name.strip().lower() == RESERVED_NAME
        ):
            return BadInput.of(
                "models",
                f"must each have a name of their own, without [ or comma, and none is called {RESERVED_NAME}; "
                f"got {name!r}.",
                clause="SE-10",
            )
    for figure, other in combinations(figures, 2):
        gap = apart(figure.base.centre, other.base.centre)
        if not figure.base.radius or not other.base.radius:
            continue  # a mere point takes up no ground
        if gap < figure.base.radius + other.base.radius - 1e-6:
            wanted = f"{figure.base.radius + other.base.radius:.2f} inches apart or more"
            where = f"{figure.name} and {other.name} stand {gap:.2f} inches apart"
            return BadInput.of(
                "models", f"must not stand in each other: {where}, and must be {wanted}.", clause="SE-10"
            )
    return None


def find_figure(figures: Iterable[Figure], name: str) -> Figure:
    """Return the model of this name."""
    known = {figure.name: figure for figure in figures}
    for figure in known.values():
        if figure.name.lower() == name.strip().lower():
            return figure
    raise UnknownName("model", name, known)


def alike_numbers(figures: Sequence[Figure]) -> dict[str, int]:
    """Return number the models, the same number for those that are alike."""
    met: dict[tuple[Side, Model, Condition], int] = {}
    return {figure.name: met.setdefault((figure.side, figure.model, figure.condition), len(met)) for figure in figures}


# --- the shot --------------------------------------------------------------------------------------------------------


@clause("SE-34")
def refuse_aim(figure: Figure, enemies: Sequence[str]) -> Refused | None:
    """Refuse the shooter and friends as targets."""
    if figure.side == "enemy":
        return None
    own = "the shooter" if figure.side == "shooter" else "on the same side"
    return Refused(f"{figure.name} is {own}; aim at an enemy, such as {enemies[0]}", "SE-34", "side")


@clause("SE-34", "SE-33")
def choose_target(tape: Tape, blast: Blast) -> Blast:
    """Choose the model to aim at, and measure the distance to it."""
    enemies = [figure.name for figure in blast.figures if figure.side == "enemy"]
    named = blast.target or tape.choose(enemies, by="attacker", label="target")
    blast = with_target(blast, find_figure(blast.figures, named))
    tape.tell(aim_lines, blast)
    return blast


@clause("SE-34", "SE-10")
def with_target(blast: Blast, target: Figure) -> Blast:
    """Return a blast with its target, and the distance to it unless that was given."""
    shot, distance = blast.shot, blast.shot.aim.distance
    if distance is None:
        distance = distance_between(blast.shooter, target.base, blast.rulings)
    shot = replace(shot, aim=replace(shot.aim, distance=distance))
    return replace(blast, shot=shot, target=target.name, spot=target.base.centre, distance=distance)


@clause("SE-34", "SE-35", "SE-36", "SE-65")
def roll_to_hit_target(tape: Tape, blast: Blast) -> Blast:
    """Check the range, beyond which nothing happens, then roll To Hit; a score that no dice show is a miss."""
    aim = blast.shot.aim
    if band_of(aim) == "out":
        return with_fate(tape, blast, "no_effect")
    if can_hit(aim, blast.rulings) and roll_to_hit(tape, 1, to_hit_score(aim)):
        return with_fate(tape, blast, "hit")
    return blast


def with_fate(tape: Tape, blast: Blast, fate: Fate, moved: float = 0.0) -> Blast:
    """Return the blast with what becomes of its marker, and log that."""
    tape.tell(fate_line, fate, moved)
    return replace(blast, fate=fate, inches=moved)


@clause("SE-42", "SE-49", "SE-55")
def scatter(tape: Tape, blast: Blast) -> Blast:
    """Roll the Scatter and Artillery dice together after a miss in range."""
    if blast.fate:
        return blast
    fall = tape.call(roll_scatter, blast.distance, blast.shot.thrown, not blast.target)
    return with_fate(tape, blast, fall.fate, fall.inches)


@clause("SE-43", "SE-36", "SE-44", "SE-45", "SE-46", "SE-63")
def land(tape: Tape, blast: Blast) -> Blast:
    """Lay the marker on its aim, somewhere around it, on the shooter, or nowhere, and find the models under it."""
    if blast.fate in ("dud", "no_effect") or blast.spot is None:
        return replace(blast, figures=(), landed=True)
    bases = tuple(figure.base for figure in blast.figures)
    spot, marker, sure = blast.spot, blast.shot.marker, ""
    if blast.fate == "on_shooter":
        spot, covered = blast.shooter.centre, coverage_at(Base(blast.shooter.centre, marker), bases)
        sure = next((figure.name for figure in blast.figures if figure.side == "shooter"), "")
    elif blast.fate == "moves":
        landing = land_marker(tape, spot, blast.inches, marker, bases, blast.shot.placed)
        spot, covered = marker_place(spot, blast.inches, landing), landing.bases
    else:
        covered = coverage_at(Base(spot, marker), bases)
        sure = blast.target if hits_target_for_sure(blast) else ""
    under = models_under(blast.figures, covered, blast.shot.hit, blast.target, sure, blast.rulings)
    centre = spot if blast.shot.placed else None
    covers = blast.fate != "on_shooter" and blast.inches <= marker + TOLERANCE
    names = names_under(blast.figures, covered)
    tape.tell(covered_line, "the marker", names)
    return replace(blast, figures=(), landed=True, covered=names, under=under, centre=centre, covers_spot=covers)


@clause("SE-36", "SE-44", "SE-63")
def hits_target_for_sure(blast: Blast) -> bool:
    """Return whether the target is hit without a roll: by a hit and, unless ruled otherwise, if the marker stays."""
    return blast.fate == "hit" or (blast.fate == "stays" and blast.rulings.stays_put == "as_hit")


@clause("SE-36", "SE-37", "SE-38", "SE-40")
def models_under(
    figures: Sequence[Figure],
    covered: Sequence[Coverage],
    hit: Hit,
    target: str = "",
    sure: str = "",
    rulings: Rulings = DEFAULT,
) -> tuple[CoveredModel, ...]:
    """Return the models under a marker, friends too: covered entirely or partly, or hit for sure."""
    alike, found = alike_numbers(figures), []
    for figure, cover in zip(figures, covered, strict=True):
        if cover == "missed" and figure.name != sure:
            continue
        role: Role = "target" if target and figure.name == target else figure.side
        certain = cover == "entirely" or figure.name == sure
        blow = prepare_hit(hit, figure.model, rulings)
        found.append(CoveredModel(figure.name, role, alike[figure.name], certain, blow, figure.condition))
    return tuple(found)


def names_under(figures: Sequence[Figure], covered: Sequence[Coverage]) -> tuple[tuple[str, Coverage], ...]:
    """Name the models that are covered, entirely or partly."""
    return tuple((figure.name, cover) for figure, cover in zip(figures, covered, strict=True) if cover != "missed")


@clause("SE-41", "SE-37", "SE-38")
def hit_models_under(tape: Tape, blast: Blast) -> Blast:
    """Hit each model under the marker once, each on its own."""
    return hit_each_model(tape, blast.under, then=_with_results, rest=replace(blast, under=(), results=NO_HITS))


def _with_results(blast: Blast, results: HitResults) -> Blast:
    return replace(blast, results=results)


def hit_each_model(tape: Tape, under: tuple[CoveredModel, ...], then: Callable[[S, HitResults], S], rest: S) -> S:
    """Hit each of these models, as the end of a rule."""
    return tape.each(hit_next_model, NO_HITS, under, then=then, rest=rest, tell=no_hit_line if under else None)


@clause("SE-41")
def hit_next_model(tape: Tape, results: HitResults, under: CoveredModel) -> HitResults:
    """Hit one model after another; what becomes of one has no part in what becomes of the next."""
    return tape.call(hit_model, under, then=_with_record, rest=results)


@clause("SE-38", "SE-37", "SE-41", "SE-83")
def hit_model(tape: Tape, under: CoveredModel) -> HitRecord | None:
    """Hit a model: covered entirely without a roll, partly on a 4+; then wound, save and damage."""
    if not under.sure_hit and not tape.roll(D6, at_least(PARTLY_HIT_ON), label=labelled(under.name, "partly covered")):
        return None
    condition = tape.call(take_hit, under.condition, under.prepared_hit)
    tape.tell(outcome_lines, capital(under.name) or "A model", under.condition, condition)
    lost, was_burning = under.condition.wounds - condition.wounds, under.condition.on_fire is not None
    burning = condition.on_fire is not None and not was_burning and not condition.is_dead
    vehicle = condition.vehicle_hits > under.condition.vehicle_hits
    return HitRecord(under.name, under.role, under.alike_number, condition.is_dead, burning, lost, vehicle, condition)


def _with_record(results: HitResults, record: HitRecord | None) -> HitResults:
    return results if record is None else HitResults((*results.records, record))


BLAST = Procedure("blast", (choose_target, roll_to_hit_target, scatter, land, hit_models_under))

# --- what is told ----------------------------------------------------------------------------------------------------


def aim_lines(blast: Blast) -> Iterator[Line]:
    """Say at what model or spot a blast is aimed, from how far, and which score hits a model."""
    at = blast.target or f"the ground at {spot_name(blast)}"
    text = f"{capital(blast.shot.hit.weapon)} at {at}, {inches(round(blast.distance, 2))} away"
    yield Line(text, ("SE-34" if blast.target else "SE-59",), result=at)
    if blast.target:
        yield to_hit_line(blast.shot.aim, blast.rulings)


def spot_name(blast: Blast) -> str:
    """Write the place aimed at as two numbers of inches."""
    assert blast.spot is not None
    return f"{round(blast.spot.x, 2):g}, {round(blast.spot.y, 2):g}"


def fate_line(fate: Fate, moved: float) -> Line:
    """Say what becomes of the marker."""
    clauses = {"hit": "SE-36", "stays": "SE-44", "moves": "SE-43", "dud": "SE-45", "on_shooter": "SE-46"}
    far = f" {inches(moved)}" if fate == "moves" else ""
    return Line(f"The marker: {FATES[fate]}{far}", (clauses.get(fate, "SE-35"),), result=fate)


def covered_text(covered: Iterable[tuple[str, Coverage]]) -> str:
    """Name the models under a marker, and how much of each it covers."""
    return ", ".join(f"{name} {cover}" for name, cover in covered) or "nobody"


def covered_line(marker: str, covered: tuple[tuple[str, Coverage], ...]) -> Line:
    """Say what lies under a marker."""
    text = covered_text(covered)
    return Line(f"Under {marker}: {text}", ("SE-37", "SE-38"), result=text)


def no_hit_line(attack: object, results: HitResults) -> str | None:
    """Say that models which are partly covered are all missed."""
    return None if results.records else "Nobody is hit"


# --- each model's chance ---------------------------------------------------------------------------------------------


class ModelChances(State, frozen=True):
    """The chances of one model to be hit and to die."""

    name: str
    side: Side
    hit: Fraction
    dies: Fraction


@clause("SE-53", "SE-54", "SE-64")
def chances_of_models(blast: Blast, procedure: Procedure) -> tuple[ModelChances, ...]:
    """Return each model's chance to be hit and to die after the aim: the same stages with it alone on the table.

    Where the marker lies decides which models are under it; what it does to one does not affect the others.
    """
    return tuple(chance_of_only_model(replace(blast, figures=(figure,)), procedure) for figure in blast.figures)


@lru_cache(1024)  # while one model is moved, the others stay
def chance_of_only_model(blast: Blast, procedure: Procedure) -> ModelChances:
    """Return the chance of the only model on the table to be hit and to die."""
    (figure,) = blast.figures
    odds = odds_of(play_stages, blast, procedure.stages[1:])
    hit = odds.chance(lambda after: bool(after.results.records))
    dies = odds.chance(lambda after: any(record.dead for record in after.results.records))
    return ModelChances(figure.name, figure.side, hit, dies)


def play_stages(tape: Tape, blast: Blast, stages: tuple[Stage, ...]) -> Blast:
    """Play these stages one after another."""
    result: Blast = fold(stages, tape, blast)
    return result


# --- what is asked ---------------------------------------------------------------------------------------------------


def count_hit(results: HitResults, *roles: Role, dead: bool = False) -> int:
    """Return how many models of these roles were hit, or killed."""
    return sum(record.role in roles and (record.dead or not dead) for record in results.records)


ENEMY_ROLES: tuple[Role, ...] = ("enemy", "target")
OWN_ROLES: tuple[Role, ...] = ("shooter", "friend")


def gain_of_results(blast: Blast) -> int:
    """Return what the shooter plays for: enemies hit or killed, less friends; or friends under a cloud of smoke."""
    dead = blast.goal == "killed"
    if blast.goal == "screened":
        return count_hit(blast.results, *OWN_ROLES)
    return count_hit(blast.results, *ENEMY_ROLES, dead=dead) - count_hit(blast.results, *OWN_ROLES, dead=dead)


def gain_of_models(under: Iterable[CoveredModel], goal: str) -> Fraction:
    """Return what the shooter gains on average from a marker or template that lies over these models."""
    return sum((gain_of_model(model, goal) for model in under), Fraction(0))


def gain_of_model(under: CoveredModel, goal: str) -> Fraction:
    """Return what the shooter gains on average from a single model that lies under a marker or template."""
    hit, dies = _struck_chances(replace(under, name="", role="enemy", alike_number=0))
    chance, own = dies if goal == "killed" else hit, under.role in OWN_ROLES
    if goal == "screened":
        return chance if own else Fraction(0)
    return -chance if own else chance


@lru_cache(1024)
def _struck_chances(under: CoveredModel) -> tuple[Fraction, Fraction]:
    """Return the chance of a model under a marker to be hit, and to die."""
    odds = odds_of(hit_model, under)
    dies = odds.chance(lambda record: record is not None and record.dead)
    return odds.chance(lambda record: record is not None), dies


NAMING_MEASURES = frozenset({"who", "who_dies"})
"""Measures that tell models apart by their names."""
DEATH_MEASURES = frozenset(
    {"killed", "enemies_killed", "friends_killed", "target_killed", "who_dies", "gain", "wounds_lost"}
)
"""Measures that look at more than which models were hit."""


class KeptDetails(NamedTuple):
    """The details of a blast that a lens keeps, because some measure asks for them."""

    names: bool
    dead_names: bool
    deaths: bool
    lost: bool
    fires: bool
    fate: bool
    inches: bool
    covered: bool
    spot: bool
    target: bool
    vehicles: bool


MAX_BRANCHES_BY_NAME = 150_000
"""Branches that odds by name may take: each model more doubles or trebles them, and what is left out is told."""


def max_branches(asked: frozenset[str]) -> int | None:
    """Return a lower limit of branches than usual where models are told apart by name."""
    return MAX_BRANCHES_BY_NAME if NAMING_MEASURES & asked else None


def lens(asked: frozenset[str]) -> Forget:
    """Forget names, places and conditions unless a measure asks for them: models that are alike are counted."""
    return _lens(
        KeptDetails(
            names=bool(NAMING_MEASURES & asked),
            dead_names="who_dies" in asked,
            deaths=bool(DEATH_MEASURES & asked),
            lost="wounds_lost" in asked,
            fires="on_fire" in asked,
            fate=bool({"fate", "weapon_destroyed", "marker_placed", "leaves", "grenades_left"} & asked),
            inches="inches" in asked,
            covered=bool({"covered", "touched"} & asked),
            spot="spot_covered" in asked,
            target=bool({"target_hit", "target_killed", "shooter_hit"} & asked),
            vehicles="vehicle_hits" in asked,
        )
    )


@lru_cache(256)
def _lens(details: KeptDetails) -> Forget:
    roles: dict[Role, Role] = {} if details.target else {"target": "enemy", "shooter": "friend"}

    def forget_toll(results: HitResults) -> HitResults:
        if len(results.records) < 2 or details.dead_names:
            return results
        return _by_role(results) if details.names else HitResults(tuple(sorted(results.records, key=_in_order)))

    def plainer(record: HitRecord) -> HitRecord:
        return HitRecord(
            record.name if details.names else "",
            roles.get(record.role, record.role),
            0,
            record.dead and details.deaths,
            record.burning and details.fires,
            record.lost if details.lost else 0,
            record.vehicle and details.vehicles,
        )

    def forget_blast(blast: Blast) -> Blast:
        if not blast.landed:
            return blast
        under = blast.under
        if not details.names:
            alike = (replace(model, name="", role=roles.get(model.role, model.role)) for model in under)
            under = tuple(sorted(alike, key=_in_kind))
        return replace(
            blast,
            under=under,
            results=forget_toll(blast.results),
            centre=None,
            fate=blast.fate if details.fate else "",
            inches=blast.inches if details.inches else 0.0,
            covered=blast.covered if details.covered else (),
            covers_spot=blast.covers_spot and details.spot,
        )

    return ((HitRecord, plainer), (HitResults, forget_toll), (Blast, forget_blast))


def _by_role(results: HitResults) -> HitResults:
    """Keep the names of the models that were hit, but what came of it only as a count for each role.

    All but the last are in order already, so what befell the last one moves to its place.
    """
    *others, last = results.records
    fate = _what_happened(last)
    for index, record in enumerate(others):
        if record.role == last.role and (other := _what_happened(record)) > fate:
            others[index], fate = HitRecord(record.name, record.role, 0, *fate), other
    return results if fate == _what_happened(last) else HitResults((*others, HitRecord(last.name, last.role, 0, *fate)))


def _what_happened(record: HitRecord) -> tuple[bool, bool, int, bool]:
    return record.dead, record.burning, record.lost, record.vehicle


def _in_kind(under: CoveredModel) -> tuple[int, Role, bool]:
    return under.alike_number, under.role, under.sure_hit


def _in_order(record: HitRecord) -> tuple[Role, bool, bool, int, bool]:
    return record.role, *_what_happened(record)
