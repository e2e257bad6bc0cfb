"""The question `shoot`: ordinary shots at one model or at a squad."""

from __future__ import annotations

from battletape.cards import Measure, Question, Table, asked
from battletape.rulebook import clause, raise_if_refused
from battletape.rulesets.second_edition import words
from battletape.rulesets.second_edition.questions import _inputs
from battletape.rulesets.second_edition.rules.damage import within_chart
from battletape.rulesets.second_edition.rules.measures import SHOT_MEASURES, not_shown
from battletape.rulesets.second_edition.rules.shooting import SHOOTING, ShotSetup, Volley, volley_of
from battletape.rulesets.second_edition.rules.squads import TargetOrder
from battletape.rulesets.second_edition.rulings import Rulings
from battletape.rulesets.second_edition.tables.printed import wound_chart


class ShootInputs(_inputs.AimedInputs, frozen=True):
    """Some shots with one weapon at one model or a squad."""

    shots: int = asked(1, "Shots", "SE-13", group="attacker", form="count", ge=1, le=200)
    automatic: bool = asked(False, "They hit without a roll", "SE-23", group="attacker")
    models: _inputs.Models = 1
    lost: int = asked(0, "Wounds that its first model has lost", "SE-24", group="target", ge=0, le=99)
    way: TargetOrder = asked("one_by_one", "Whom the shots are aimed at", "SE-34", group="attacker")


@clause("SE-23", "SE-117")
def begin_shoot(inputs: ShootInputs, rulings: Rulings) -> Volley:
    """Return the shots, ready to be rolled; refuse a weapon that has a question of its own."""
    raise_if_refused(_inputs.refuse_kind(inputs.weapon))
    model = _inputs.model_of(inputs)
    fire = ShotSetup(
        _inputs.aim_of(inputs), _inputs.hit_of_inputs(inputs), model, inputs.way, inputs.automatic, rulings
    )
    return volley_of(fire, inputs.shots, _inputs.model_counts(model, inputs.models, inputs.lost))


MEASURES = (
    *SHOT_MEASURES,
    Measure("wounds_left", "Wounds left", lambda volley: volley.wounds - volley.lost, "wounds", usual=not_shown),
    Measure("wiped_out", "Nobody is left", lambda volley: int(not volley.models_left)),
)


def table(inputs: ShootInputs, rulings: Rulings) -> Table | None:
    """Return the wound chart, with the cell that answers."""
    if inputs.strength is None or inputs.toughness is None or rulings.beyond_chart != "as_ten":
        return None
    return wound_chart(rulings, (within_chart(inputs.strength), within_chart(inputs.toughness)))


SHOOT = Question(
    "shoot",
    "What will some shots do?",
    ShootInputs,
    begin_shoot,
    SHOOTING,
    MEASURES,
    words.shots,
    fill=lambda given, profiles: _inputs.fill_profiles(given, profiles, ShootInputs),
    table=table,
    warn=_inputs.warnings,
    result=words.shots_result,
    example={"shooter": "Grey Lantern brothers", "weapon": "Boltgun", "unit": "Mud clan", "distance": 10, "shots": 5},
    small={"bs": 4, "distance": 10, "to_hit_short": 1, "save_modifier": -1, "save": 6, "shots": 5, "models": 5},
    rulings=("above_six", "beyond_chart", "save_order", "save_of_one"),
    lead=words.SHOTS_LEAD,
)
