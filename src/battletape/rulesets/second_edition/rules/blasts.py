"""Blast weapons: a shot at a model, where its marker lies, and what it does to everybody under it."""

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
from battletape.rulesets.second_edition.rules.attack import Blow, Condition, Hit, Model, outcome_lines
from battletape.rulesets.second_edition.rules.keywords import blow_of, take_hit
from battletape.rulesets.second_edition.rules.scatter import (
    FATES,
    Fate,
    coverage_at,
    land_marker,
    measured,
    moved_to,
    roll_scatter,
)
from battletape.rulesets.second_edition.rules.to_hit import Aim, band_of, can_hit, need_of, roll_to_hit, to_hit_line
from battletape.rulesets.second_edition.rulings import DEFAULT, Rulings
from battletape.table.bases import Base
from battletape.table.markers import Coverage
from battletape.table.points import TOLERANCE, Point, apart

Side: TypeAlias = Literal["shooter", "friend", "enemy"]
Role: TypeAlias = Literal["shooter", "friend", "enemy", "target"]
"""Whose model it is, as the shooter sees it; the target is the enemy that was aimed at."""
S = TypeVar("S")
MOST_MODELS = 40
NO_ONE = "nobody"
"""What is told where no model was hit, so no model has that name."""
PARTLY = 4
"""What a die must show to hit a model that is partly covered."""


class Figure(State, frozen=True):
    """A model on the table: where it stands, whose it is, what it can take, and what it has taken."""

    name: str
    side: Side
    base: Base
    model: Model
    state: Condition


class Shell(State, frozen=True):
    """A blast on its way: the radius of its marker, its hit, and how it was sent."""

    marker: float
    hit: Hit
    aim: Aim
    thrown: bool = False  # a grenade
    remains: Remains = "none"
    placed: bool = False  # whether the place itself is wanted, as in a battle
    carried: int = 1  # grenades of the kind that the thrower has


class CoveredModel(State, frozen=True):
    """A model under a marker or template: who it is, whether it is covered entirely, and what the hit may do."""

    name: str
    role: Role
    kind: int  # the same number for models that are alike
    sure: bool  # hit without a roll
    blow: Blow
    state: Condition

    @property
    def whom(self) -> str:
        """Whose dice these are."""
        return self.name


class HitRecord(State, frozen=True):
    """A model that was hit, and what came of it."""

    name: str
    role: Role
    kind: int
    dead: bool
    burning: bool  # set on fire by this hit
    lost: int  # wounds
    vehicle: bool = False  # its hit is for the armour penetration of the base game
    state: Condition | None = None


class HitResults(State, frozen=True):
    """The models that were hit so far."""

    struck: tuple[HitRecord, ...] = ()


NOBODY = HitResults()


class Blast(State, frozen=True):
    """A blast from the aim to the toll: what is known before the dice, and how far it has got."""

    shell: Shell
    figures: tuple[Figure, ...]
    shooter: Base
    target: str = ""  # who is aimed at; empty: the ground
    spot: Point | None = None  # the place aimed at
    distance: float = 0.0
    fate: Fate = ""
    inches: float = 0.0
    centre: Point | None = None  # where the marker lies, where that is wanted
    landed: bool = False
    covered: tuple[tuple[str, Coverage], ...] = ()  # who lies under it, entirely or partly
    under: tuple[CoveredModel, ...] = ()
    results: HitResults = NOBODY
    covers: bool = False  # whether the marker lies over the very spot aimed at
    gains: str = "hit"  # what the shooter plays for
    rules: Rulings = DEFAULT


# --- who stands where ------------------------------------------------------------------------------------------------


@clause("SE-10", "SE-39")
def refuse_figures(figures: Sequence[Figure]) -> BadInput | None:
    """Refuse models on one spot, too many of them, or two of one name."""
    if len(figures) > MOST_MODELS:
        shooters = sum(figure.side == "shooter" for figure in figures)
        most = f"{MOST_MODELS - shooters} models" + (" beside the shooter" if shooters else "")
        got = f"got {len(figures) - shooters}. Leave out those far off"
        return BadInput.of("models", f"takes at most {most}; {got}.", clause="SE-10")
    names = [figure.name for figure in figures]
    for name in names:
        if not name.strip() or "[" in name or "," in name or names.count(name) > 1 or name.strip().lower() == NO_ONE:
            return BadInput.of(
                "models",
                f"must each have a name of their own, without [ or comma, and none is called {NO_ONE}; got {name!r}.",
                clause="SE-10",
            )
    for figure, other in combinations(figures, 2):
        gap = apart(figure.base.centre, other.base.centre)
        if not figure.base.radius or not other.base.radius:
            continue  # a mere point takes up no ground
        if gap < figure.base.radius + other.base.radius - 1e-6:
            wanted = f"{figure.base.radius + other.base.radius:.2f} inches apart or more"
            told = f"{figure.name} and {other.name} stand {gap:.2f} inches apart"
            return BadInput.of("models", f"must not stand in each other: {told}, and must be {wanted}.", clause="SE-10")
    return None


def find_figure(figures: Iterable[Figure], name: str) -> Figure:
    """The model of this name."""
    known = {figure.name: figure for figure in figures}
    for figure in known.values():
        if figure.name.lower() == name.strip().lower():
            return figure
    raise UnknownName("model", name, known)


def kinds(figures: Sequence[Figure]) -> dict[str, int]:
    """A number for each model, the same for those that are alike."""
    met: dict[tuple[Side, Model, Condition], int] = {}
    return {figure.name: met.setdefault((figure.side, figure.model, figure.state), len(met)) for figure in figures}


# --- the shot --------------------------------------------------------------------------------------------------------


@clause("SE-34")
def refuse_aim(figure: Figure, enemies: Sequence[str]) -> Refused | None:
    """Refuse the shooter and friends as targets."""
    if figure.side == "enemy":
        return None
    own = "the shooter" if figure.side == "shooter" else "on the same side"
    return Refused(f"{figure.name} is {own}; aim at an enemy, such as {enemies[0]}", "SE-34", "side")


@clause("SE-34", "SE-33")
def nominate(tape: Tape, blast: Blast) -> Blast:
    """The shooter names the model to aim at, and the distance to it is measured."""
    enemies = [figure.name for figure in blast.figures if figure.side == "enemy"]
    named = blast.target or tape.choose(enemies, by="attacker", label="target")
    blast = aimed(blast, find_figure(blast.figures, named))
    tape.tell(aim_lines, blast)
    return blast


@clause("SE-34", "SE-10")
def aimed(blast: Blast, target: Figure) -> Blast:
    """A blast with its target, and the distance to it unless that was given."""
    shell, distance = blast.shell, blast.shell.aim.distance
    if distance is None:
        distance = measured(blast.shooter, target.base, blast.rules)
    shell = replace(shell, aim=replace(shell.aim, distance=distance))
    return replace(blast, shell=shell, target=target.name, spot=target.base.centre, distance=distance)


@clause("SE-34", "SE-35", "SE-36", "SE-65")
def roll_to_hit_target(tape: Tape, blast: Blast) -> Blast:
    """Range first: beyond it nothing happens at all. Then one roll To Hit; a score that no dice show is a miss."""
    aim = blast.shell.aim
    if band_of(aim) == "out":
        return with_fate(tape, blast, "no_effect")
    if can_hit(aim, blast.rules) and roll_to_hit(tape, 1, need_of(aim)):
        return with_fate(tape, blast, "hit")
    return blast


def with_fate(tape: Tape, blast: Blast, fate: Fate, moved: float = 0.0) -> Blast:
    """Settle what becomes of the marker."""
    tape.tell(fate_line, fate, moved)
    return replace(blast, fate=fate, inches=moved)


@clause("SE-42", "SE-49", "SE-55")
def scatter(tape: Tape, blast: Blast) -> Blast:
    """A miss in range: Scatter and Artillery dice together."""
    if blast.fate:
        return blast
    fall = tape.call(roll_scatter, blast.distance, blast.shell.thrown, not blast.target)
    return with_fate(tape, blast, fall.fate, fall.inches)


@clause("SE-43", "SE-36", "SE-44", "SE-45", "SE-46", "SE-63")
def land(tape: Tape, blast: Blast) -> Blast:
    """The marker lies on its aim, somewhere around it, on the shooter, or nowhere: who is under it?"""
    if blast.fate in ("dud", "no_effect") or blast.spot is None:
        return replace(blast, figures=(), landed=True)
    bases = tuple(figure.base for figure in blast.figures)
    spot, marker, sure = blast.spot, blast.shell.marker, ""
    if blast.fate == "on_shooter":
        spot, covered = blast.shooter.centre, coverage_at(Base(blast.shooter.centre, marker), bases)
        sure = next((figure.name for figure in blast.figures if figure.side == "shooter"), "")
    elif blast.fate == "moves":
        landing = land_marker(tape, spot, blast.inches, marker, bases, blast.shell.placed)
        spot, covered = moved_to(spot, blast.inches, landing), landing.bases
    else:
        covered = coverage_at(Base(spot, marker), bases)
        sure = blast.target if is_sure(blast) else ""
    under = models_under(blast.figures, covered, blast.shell.hit, blast.target, sure, blast.rules)
    centre = spot if blast.shell.placed else None
    covers = blast.fate != "on_shooter" and blast.inches <= marker + TOLERANCE
    names = names_under(blast.figures, covered)
    tape.tell(covered_line, "the marker", names)
    return replace(blast, figures=(), landed=True, covered=names, under=under, centre=centre, covers=covers)


@clause("SE-36", "SE-44", "SE-63")
def is_sure(blast: Blast) -> bool:
    """Return whether the target is hit whatever is covered: by a hit and, unless ruled otherwise, if a marker stays."""
    return blast.fate == "hit" or (blast.fate == "stays" and blast.rules.stays_put == "as_hit")


@clause("SE-36", "SE-37", "SE-38", "SE-40")
def models_under(
    figures: Sequence[Figure],
    covered: Sequence[Coverage],
    hit: Hit,
    target: str = "",
    sure: str = "",
    rules: Rulings = DEFAULT,
) -> tuple[CoveredModel, ...]:
    """Return the models under a marker, friends too: entirely covered, partly covered, or hit whatever it covers."""
    alike, found = kinds(figures), []
    for figure, cover in zip(figures, covered, strict=True):
        if cover == "missed" and figure.name != sure:
            continue
        role: Role = "target" if target and figure.name == target else figure.side
        certain = cover == "entirely" or figure.name == sure
        blow = blow_of(hit, figure.model, rules)
        found.append(CoveredModel(figure.name, role, alike[figure.name], certain, blow, figure.state))
    return tuple(found)


def names_under(figures: Sequence[Figure], covered: Sequence[Coverage]) -> tuple[tuple[str, Coverage], ...]:
    """Name the models that are covered, entirely or partly."""
    return tuple((figure.name, cover) for figure, cover in zip(figures, covered, strict=True) if cover != "missed")


@clause("SE-41", "SE-37", "SE-38")
def strike(tape: Tape, blast: Blast) -> Blast:
    """One hit for each model under the marker, each on its own."""
    return strike_each(tape, blast.under, then=_struck, rest=replace(blast, under=(), results=NOBODY))


def _struck(blast: Blast, toll: HitResults) -> Blast:
    return replace(blast, results=toll)


def strike_each(tape: Tape, under: tuple[CoveredModel, ...], then: Callable[[S, HitResults], S], rest: S) -> S:
    """Hit each of these models, as the end of a rule."""
    return tape.each(strike_model, NOBODY, under, then=then, rest=rest, tell=nobody_hit if under else None)


@clause("SE-41")
def strike_model(tape: Tape, toll: HitResults, under: CoveredModel) -> HitResults:
    """One model after another; what becomes of one of them has no part in what becomes of the next."""
    return tape.call(strike_one, under, then=_add, rest=toll)


@clause("SE-38", "SE-37", "SE-41", "SE-83")
def strike_one(tape: Tape, under: CoveredModel) -> HitRecord | None:
    """A model under a marker or template: covered entirely it is hit, partly on a 4+; then wound, save and damage."""
    if not under.sure and not tape.roll(D6, at_least(PARTLY), label=labelled(under.name, "partly covered")):
        return None
    state = tape.call(take_hit, under.state, under.blow)
    tape.tell(outcome_lines, capital(under.name) or "A model", under.state, state)
    lost, was_burning = under.state.wounds - state.wounds, under.state.on_fire is not None
    burning = state.on_fire is not None and not was_burning and not state.is_dead
    vehicle = state.vehicle_hits > under.state.vehicle_hits
    return HitRecord(under.name, under.role, under.kind, state.is_dead, burning, lost, vehicle, state)


def _add(toll: HitResults, struck: HitRecord | None) -> HitResults:
    return toll if struck is None else HitResults((*toll.struck, struck))


BLAST = Procedure("blast", (nominate, roll_to_hit_target, scatter, land, strike))

# --- what is told ----------------------------------------------------------------------------------------------------


def aim_lines(blast: Blast) -> Iterator[Line]:
    """Say at what model or spot a blast is aimed, from how far, and which score hits a model."""
    at = blast.target or f"the ground at {spot_name(blast)}"
    text = f"{capital(blast.shell.hit.weapon)} at {at}, {inches(round(blast.distance, 2))} away"
    yield Line(text, ("SE-34" if blast.target else "SE-59",), result=at)
    if blast.target:
        yield to_hit_line(blast.shell.aim, blast.rules)


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


def nobody_hit(attack: object, toll: HitResults) -> str | None:
    """Say that models which are partly covered are all missed."""
    return None if toll.struck else "Nobody is hit"


# --- each model's chance ---------------------------------------------------------------------------------------------


class Chance(State, frozen=True):
    """What may become of one model."""

    name: str
    side: Side
    hit: Fraction
    dies: Fraction


@clause("SE-53", "SE-54", "SE-64")
def each_chance(blast: Blast, procedure: Procedure) -> tuple[Chance, ...]:
    """Each model's chance to be hit and to die once the aim is taken: the same stages with nobody else on the table.

    Where the marker lies decides who is under it; what it does to one of them has no part in what it does to others.
    """
    return tuple(chance_alone(replace(blast, figures=(figure,)), procedure) for figure in blast.figures)


@lru_cache(1024)  # while one model is moved, the others stay
def chance_alone(blast: Blast, procedure: Procedure) -> Chance:
    """The chance of the only model on the table to be hit and to die."""
    (figure,) = blast.figures
    odds = odds_of(fold_all, blast, procedure.stages[1:])
    hit = odds.chance(lambda after: bool(after.results.struck))
    dies = odds.chance(lambda after: any(struck.dead for struck in after.results.struck))
    return Chance(figure.name, figure.side, hit, dies)


def fold_all(tape: Tape, blast: Blast, stages: tuple[Stage, ...]) -> Blast:
    """The stages one after another."""
    result: Blast = fold(stages, tape, blast)
    return result


# --- what is asked ---------------------------------------------------------------------------------------------------


def count(toll: HitResults, *roles: Role, dead: bool = False) -> int:
    """Return how many models of these roles were hit, or killed."""
    return sum(struck.role in roles and (struck.dead or not dead) for struck in toll.struck)


FOES: tuple[Role, ...] = ("enemy", "target")
OWN: tuple[Role, ...] = ("shooter", "friend")


def gain(blast: Blast) -> int:
    """Return what the shooter plays for: enemies hit or killed, less friends; or friends under a cloud of smoke."""
    dead = blast.gains == "killed"
    if blast.gains == "screened":
        return count(blast.results, *OWN)
    return count(blast.results, *FOES, dead=dead) - count(blast.results, *OWN, dead=dead)


def mean_gain(under: Iterable[CoveredModel], gains: str) -> Fraction:
    """Return what the shooter gains on average from a marker or template that lies over these models."""
    return sum((gain_of(model, gains) for model in under), Fraction(0))


def gain_of(under: CoveredModel, gains: str) -> Fraction:
    """Return what the shooter gains on average from a single model that lies under a marker or template."""
    hit, dies = _struck_chances(replace(under, name="", role="enemy", kind=0))
    chance, own = dies if gains == "killed" else hit, under.role in OWN
    if gains == "screened":
        return chance if own else Fraction(0)
    return -chance if own else chance


@lru_cache(1024)
def _struck_chances(under: CoveredModel) -> tuple[Fraction, Fraction]:
    """The chance of a model under a marker to be hit, and to die."""
    odds = odds_of(strike_one, under)
    dies = odds.chance(lambda struck: struck is not None and struck.dead)
    return odds.chance(lambda struck: struck is not None), dies


NAMED = frozenset({"who", "who_dies"})
"""Measures that tell models apart by their names."""
DEADLY = frozenset({"killed", "enemies_killed", "friends_killed", "target_killed", "who_dies", "gain", "wounds_lost"})
"""Measures that look at more than who was hit."""


class Kept(NamedTuple):
    """What a lens keeps of a blast, because some measure asks for it."""

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


BY_NAME = 150_000
"""Branches that odds by name may take: each model more doubles or trebles them, and what is left out is told."""


def most_branches(asked: frozenset[str]) -> int | None:
    """Fewer branches than usual where models are told apart by name."""
    return BY_NAME if NAMED & asked else None


def lens(asked: frozenset[str]) -> Forget:
    """Names, places and conditions are forgotten unless a measure asks for them: models that are alike are counted."""
    return _lens(
        Kept(
            names=bool(NAMED & asked),
            dead_names="who_dies" in asked,
            deaths=bool(DEADLY & asked),
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
def _lens(kept: Kept) -> Forget:
    roles: dict[Role, Role] = {} if kept.target else {"target": "enemy", "shooter": "friend"}

    def forget_toll(toll: HitResults) -> HitResults:
        if len(toll.struck) < 2 or kept.dead_names:
            return toll
        return _by_role(toll) if kept.names else HitResults(tuple(sorted(toll.struck, key=_in_order)))

    def plainer(struck: HitRecord) -> HitRecord:
        return HitRecord(
            struck.name if kept.names else "",
            roles.get(struck.role, struck.role),
            0,
            struck.dead and kept.deaths,
            struck.burning and kept.fires,
            struck.lost if kept.lost else 0,
            struck.vehicle and kept.vehicles,
        )

    def forget_blast(blast: Blast) -> Blast:
        if not blast.landed:
            return blast
        under = blast.under
        if not kept.names:
            alike = (replace(model, name="", role=roles.get(model.role, model.role)) for model in under)
            under = tuple(sorted(alike, key=_in_kind))
        return replace(
            blast,
            under=under,
            results=forget_toll(blast.results),
            centre=None,
            fate=blast.fate if kept.fate else "",
            inches=blast.inches if kept.inches else 0.0,
            covered=blast.covered if kept.covered else (),
            covers=blast.covers and kept.spot,
        )

    return ((HitRecord, plainer), (HitResults, forget_toll), (Blast, forget_blast))


def _by_role(toll: HitResults) -> HitResults:
    """Who was hit by name, but of what came of it only how often, for each role: what befell one is told of another.

    All but the last are in order already, so what befell the last one moves to its place.
    """
    *told, last = toll.struck
    fate = _fate(last)
    for at, struck in enumerate(told):
        if struck.role == last.role and (other := _fate(struck)) > fate:
            told[at], fate = HitRecord(struck.name, struck.role, 0, *fate), other
    return toll if fate == _fate(last) else HitResults((*told, HitRecord(last.name, last.role, 0, *fate)))


def _fate(struck: HitRecord) -> tuple[bool, bool, int, bool]:
    return struck.dead, struck.burning, struck.lost, struck.vehicle


def _in_kind(under: CoveredModel) -> tuple[int, Role, bool]:
    return under.kind, under.role, under.sure


def _in_order(struck: HitRecord) -> tuple[Role, bool, bool, int, bool]:
    return struck.role, *_fate(struck)
