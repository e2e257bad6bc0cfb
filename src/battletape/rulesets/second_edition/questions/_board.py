"""What questions about markers and templates share: the models on the table, and the measures of their hits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Annotated, Any, Literal

from battletape.cards import Inputs, Measure, ProfileBook, Table, asked, described
from battletape.rulebook import BadInput, Meta, clause, raise_if_refused
from battletape.rulesets.second_edition.profiles.types import Remains, Save, SaveDice, WeaponProfile
from battletape.rulesets.second_edition.questions._inputs import (
    AimedInputs,
    TargetInputs,
    WeaponInputs,
    fill_profiles,
    model_of,
)
from battletape.rulesets.second_edition.rules import blasts
from battletape.rulesets.second_edition.rules.attack import Condition, Model
from battletape.rulesets.second_edition.rules.blasts import Figure, HitResults, ModelChances, count_hit, refuse_figures
from battletape.rulesets.second_edition.rules.measures import BREAKDOWN_MEASURES, happens, not_shown
from battletape.table.bases import Base, base_radius
from battletape.table.points import Point

Coordinate = Annotated[float, Meta(ge=-240, le=240, extra={"unit": "inches"})]
SHOOTER = "shooter"


class ModelAt(Inputs, frozen=True):
    """A model on the table: its name, its side, its middle and its base."""

    name: str = asked("", "Name")
    x: Coordinate = asked(0.0, "East")
    y: Coordinate = asked(0.0, "North")
    side: Literal["enemy", "friend"] = asked("enemy", "Side")
    base: float = asked(25.0, "Base", unit="mm", ge=0, le=300)
    radius: float | None = asked(None, "Radius of the base, where it is known in inches", unit="inches", ge=0, le=12)


DEFAULT_MODELS = tuple(ModelAt(x=x, y=18.0) for x in (-4.0, -2.0, 0.0, 2.0, 4.0))
"""Five models side by side, 18 inches ahead."""
Models = Annotated[
    tuple[ModelAt, ...],
    Meta(description=f"{blasts.MAX_MODELS - 1} at most beside the shooter"),
    described("Models on the table", "SE-40", group="target"),
]
ShooterX = Annotated[
    Coordinate, described("Shooter", "SE-10", about=": inches east", group="attacker", unit="inches", form="aside")
]
ShooterY = Annotated[
    Coordinate, described("Shooter", "SE-10", about=": inches north", group="attacker", unit="inches", form="aside")
]
ShooterBase = Annotated[
    float, described("Base of the shooter", "SE-10", group="attacker", unit="mm", ge=0, le=300, form="aside")
]
FriendToughness = Annotated[
    Annotated[int, Meta(ge=1, le=10)] | None,
    described(
        "Toughness of friends and of the shooter", "SE-40", about="(none: vehicles)", group="attacker", form="aside"
    ),
]
FriendWounds = Annotated[int, described("Their wounds", "SE-40", group="attacker", ge=1, le=100, form="aside")]
FriendSave = Annotated[Save | None, described("Their armour save", "SE-40", group="attacker", form="aside")]
FriendSaveDice = Annotated[SaveDice, described("Dice of their armour save", "SE-30", group="attacker", form="aside")]
FriendAreaSave = Annotated[
    Save | None, described("Their armour save against blasts and templates", "SE-117", group="attacker", form="aside")
]
FriendFieldSave = Annotated[
    Save | None, described("Their field save, which no modifier touches", "SE-31", group="attacker", form="aside")
]
Marker = Annotated[
    float, described("Radius of the blast marker", "SE-8", group="weapon", unit="inches", ge=0.25, le=12)
]
Leaves = Annotated[Remains, described("What the blast leaves behind", "SE-66", group="weapon")]
ShooterGoal = Annotated[
    Literal["hit", "killed"],
    Meta(description="enemies hit or killed; each friend hit or killed takes one off"),
    described("What the shooter plays for", "SE-34", group="attacker"),
]


BEST_TARGET = "the best one"
"""The target where no model is named."""


def aims(inputs: Any) -> dict[str, str]:
    """Name the targets: the best one, or any enemy by name."""
    names = [model_name(placed, number) for number, placed in enumerate(inputs.models, 1) if placed.side == "enemy"]
    return {"": BEST_TARGET, **dict.fromkeys(names, "")}


def model_name(placed: ModelAt, number: int) -> str:
    """Return what a model is called: by its name, or by its side and its place in the list."""
    return placed.name.strip() or f"{placed.side} {number}"


class AimedMarkerInputs(AimedInputs, frozen=True):
    """A blast that is aimed at a model with Ballistic Skill, and all models near."""

    blast: Marker = 2.0
    models: Models = DEFAULT_MODELS
    shooter_x: ShooterX = 0.0
    shooter_y: ShooterY = 0.0
    shooter_base: ShooterBase = 25.0
    friend_toughness: FriendToughness = 3
    friend_wounds: FriendWounds = 1
    friend_save: FriendSave = None
    friend_save_dice: FriendSaveDice = "1d6"
    friend_area_save: FriendAreaSave = None
    friend_field_save: FriendFieldSave = None
    target: str = asked("", "Model aimed at", "SE-34", group="target", among=aims)
    wanted: ShooterGoal = "hit"


class TableInputs(WeaponInputs, frozen=True):
    """A marker or template that needs no Ballistic Skill, and all models near."""

    models: Models = DEFAULT_MODELS
    shooter_x: ShooterX = 0.0
    shooter_y: ShooterY = 0.0
    shooter_base: ShooterBase = 25.0
    friend_toughness: FriendToughness = 3
    friend_wounds: FriendWounds = 1
    friend_save: FriendSave = None
    friend_save_dice: FriendSaveDice = "1d6"
    friend_area_save: FriendAreaSave = None
    friend_field_save: FriendFieldSave = None


# --- the models in place ---------------------------------------------------------------------------------------------


@clause("SE-10", "SE-40")
def figures_of(
    inputs: Any, *, with_shooter: bool = True, models: Iterable[ModelAt] | None = None
) -> tuple[Figure, ...]:
    """Return the models on the table, the shooter first; refuse a base that stands in another."""
    record, friend = model_of(inputs), friend_model(inputs)
    figures = [Figure(SHOOTER, "shooter", shooter_of(inputs), friend, Condition(friend.wounds))] if with_shooter else []
    for number, placed in enumerate(inputs.models if models is None else models, 1):
        model = record if placed.side == "enemy" else friend
        base = Base(Point(placed.x, placed.y), radius_of(placed))
        figures.append(Figure(model_name(placed, number), placed.side, base, model, Condition(model.wounds)))
    raise_if_refused(refuse_figures(figures))
    return tuple(figures)


def friend_model(inputs: Any) -> Model:
    """Return the shooter and the shooter's friends as targets of their own marker."""
    if not hasattr(inputs, "friend_toughness"):
        return model_of(inputs)
    saves = (inputs.friend_save, inputs.friend_save_dice, inputs.friend_area_save, inputs.friend_field_save)
    return Model(inputs.friend_toughness, inputs.friend_wounds, *saves, name="a friend")


@clause("SE-10")
def radius_of(placed: ModelAt) -> float:
    """Return the radius of a base in inches: as given, or by its diameter in millimetres."""
    return float(base_radius(placed.base)) if placed.radius is None else placed.radius


def shooter_of(inputs: Any) -> Base:
    """Return the base of the shooter."""
    return Base(Point(inputs.shooter_x, inputs.shooter_y), float(base_radius(inputs.shooter_base)))


def enemies(figures: Iterable[Figure], field: str = "models") -> tuple[str, ...]:
    """Return the names of the enemies; refuse a table without one."""
    names = tuple(figure.name for figure in figures if figure.side == "enemy")
    if not names:
        raise BadInput.of(field, "must include an enemy to aim at; got none.", clause="SE-34")
    return names


def fill_with(
    given: Mapping[str, Any], profiles: ProfileBook, inputs: type[TargetInputs], fits: Callable[[WeaponProfile], str]
) -> dict[str, Any]:
    """Fill in the numbers of named profiles; a weapon of another kind is refused, and `fits` says why."""
    if given.get("weapon"):
        weapon = profiles.find("weapon", str(given["weapon"]))
        if why := fits(weapon):
            raise BadInput.of("weapon", f"must be one that {why}; got {weapon.name!r}.")
    filled = fill_profiles(given, profiles, inputs)
    return {name: value for name, value in filled.items() if not (name == "models" and isinstance(value, int))}


# --- what may come of it ---------------------------------------------------------------------------------------------


def _names(results: HitResults, dead: bool = False) -> str:
    return ", ".join(record.name for record in results.records if record.dead or not dead) or blasts.RESERVED_NAME


COVERED = Measure("covered", "Who lies under it", lambda state: blasts.covered_text(state.covered), usual=not_shown)
TOUCHED = Measure(
    "touched", "Models under it, entirely or partly", lambda state: len(state.covered), "models", usual=not_shown
)
RESULT_MEASURES = (
    *BREAKDOWN_MEASURES,
    Measure("who", "Who is hit", lambda state: _names(state.results), usual=not_shown),
    Measure("who_dies", "Who is killed", lambda state: _names(state.results, dead=True), usual=not_shown),
    COVERED,
    TOUCHED,
)
GAIN = Measure("gain", "Enemies less friends", blasts.gain_of_results, "models", usual=not_shown)
INCHES = Measure("inches", "Inches scattered", lambda state: state.inches, "inches", usual=not_shown)
TARGET_MEASURES = (
    happens("target_hit", "The model aimed at is hit", lambda state: count_hit(state.results, "target") > 0),
    happens(
        "target_killed", "The model aimed at is killed", lambda state: count_hit(state.results, "target", dead=True) > 0
    ),
    happens(
        "shooter_hit", "The shooter is hit", lambda state: count_hit(state.results, "shooter") > 0, usual=not_shown
    ),
    happens("weapon_destroyed", "The weapon is destroyed", lambda state: state.fate == "on_shooter", usual=not_shown),
)


@clause("SE-53")
def chances_table(chances: Iterable[ModelChances], title: str, by: str) -> Table:
    """Return a table of each model's chance to be hit and to die."""
    rows = tuple((chance.name, chance.side, _in_100(chance.hit), _in_100(chance.dies)) for chance in chances)
    return Table(title, ("model", "side", "hit, of 100 times", "killed, of 100 times"), rows, by)


def _in_100(chance: Fraction) -> str:
    return f"{float(100 * chance):.1f}"
