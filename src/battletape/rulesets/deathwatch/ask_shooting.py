"""What a player can ask about fire at a character: shoot."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import Meta

from battletape.errors import Refused
from battletape.log import Line
from battletape.odds import percent
from battletape.procedure import Procedure, Stage
from battletape.profiles import ProfileBook
from battletape.rulesets.deathwatch import ask_rulings, gunfire, pipeline
from battletape.rulesets.deathwatch.attack import outcome
from battletape.rulesets.deathwatch.blocks import ModeOf, Ranged, meta
from battletape.rulesets.deathwatch.damage import NO_FURY
from battletape.rulesets.deathwatch.firing import clear_target, reload_actions
from battletape.rulesets.deathwatch.gunfire import Drill, Gunfire, begin_fire, fire_on
from battletape.rulesets.deathwatch.keywords import ready, values
from battletape.rulesets.deathwatch.modifiers import Action, dodge_modifiers
from battletape.rulesets.deathwatch.profiles import fill_attacker, fill_target, fill_weapon
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings
from battletape.rulesets.deathwatch.specs import Attack, Spec
from battletape.rulesets.deathwatch.targets import (
    against,
    band_of,
    detail_of,
    guard_of,
    health_of,
    shot_of,
    situation_of,
)
from battletape.rulesets.deathwatch.traits import DEAD, Mode, Spot
from battletape.rulesets.deathwatch.wounds import critical_total, row_reached
from battletape.system import Measure, Question

if TYPE_CHECKING:
    from battletape.answer import Answer

State = Attack | Gunfire
__all__ = ["MEASURES", "SHOOT", "Shoot", "damage_done", "dodge_modifiers", "drill_of", "fill_ranged", "spec_of"]


class Shoot(Ranged, frozen=True):
    """One attack with a gun, or the fire of several turns."""

    mode: ModeOf = "full"
    called: Annotated[Spot | None, meta("attacker", "Place aimed at, of a called shot", "ACT-CALLED-SHOT")] = None
    on_overwatch: Annotated[bool, meta("circumstances", "Fired from overwatch", "OVER-2")] = False
    shots: Annotated[
        int,
        Meta(
            description="with more than one, jams are cleared, clips reloaded and full aims taken in between, "
            "and the places of critical rows are not followed"
        ),
        meta("circumstances", "Turns of fire", "JAM-2", ge=1, le=10),
    ] = 1


def begin_shoot(inputs: Shoot, rules: Rulings = DEFAULT) -> State:
    """The attack about to be made, or the first turn of fire."""
    spec, health = shoot_spec(inputs, rules), health_of(inputs)
    if inputs.shots == 1:
        return pipeline.begin(spec, health, detail_of(inputs.detail, spec))
    drill = drill_of(inputs, spec, inputs.aim == "full", rules)
    return begin_fire(drill, health, inputs.shots, inputs.clip)


def shoot_procedure(inputs: Shoot, rules: Rulings = DEFAULT) -> Procedure:
    """The stages of one attack, or one for each turn."""
    if inputs.shots == 1:
        spec = shoot_spec(inputs, rules)
        return pipeline.procedure(spec, detail_of(inputs.detail, spec))
    return turns(inputs.shots)


@lru_cache(16)
def turns(number: int) -> Procedure:
    """So many turns of fire."""
    return Procedure("fire", (fire_on,) * number)


def shoot_spec(inputs: Shoot, rules: Rulings = DEFAULT) -> Spec:
    """The attack of these inputs; what the rules do not allow is refused."""
    if inputs.on_overwatch and inputs.mode == "single":
        raise Refused("overwatch fires a burst, semi or full; a single shot is not one", "DW-OVER-2", "mode")
    return spec_of(inputs, inputs.mode, inputs.called, inputs.on_overwatch, rules)


ACTIONS: Mapping[Mode, Action] = {"single": "standard", "semi": "semi", "full": "full"}


@lru_cache(1024)
def spec_of(
    inputs: Ranged, mode: Mode, called: Spot | None = None, overwatch: bool = False, rules: Rulings = DEFAULT
) -> Spec:
    """A shot or burst at this target, with all modifiers and qualities."""
    qualities = values(inputs.qualities)
    situation = situation_of(
        inputs,
        "called" if called else ACTIONS[mode],
        overwatch=overwatch,
        heavy=inputs.kind == "Heavy",
        braced=inputs.braced,
        gyro=qualities.gyro,
        pinned=inputs.pinned,
        size=inputs.size,
        size_hidden=inputs.size_hidden,
        band=band_of(inputs, rules),
        engaged=inputs.engaged,
        **against(inputs),
    )
    return ready(
        shot_of(inputs, mode, situation, called, rules), inputs.qualities, guard_of(inputs, rules=rules), rules
    )


def drill_of(inputs: Ranged, spec: Spec, aims: bool, rules: Rulings = DEFAULT, **more: Any) -> Drill:
    """What the shooter does turn by turn."""
    return Drill(
        spec,
        "conditions" if detail_of(inputs.detail, spec) == "conditions" else "health",
        clear=clear_target(inputs.bs, (), inputs.fatigue, rules),
        clip=inputs.clip,
        reload=reload_actions(inputs.reload, values(inputs.qualities)),
        empties=rules.jam_clear_empties_clip,
        aims=aims,
        tests=Rulings(auto_results=rules.auto_results),
        **more,
    )


def fill_ranged(given: Mapping[str, Any], found: ProfileBook, inputs: type[Ranged]) -> dict[str, Any]:
    """Profiles of attacker, gun and target written out."""
    filled = fill_weapon(fill_attacker(given, found, inputs), found, inputs, melee=False)
    return fill_target(filled, found, inputs)


# --- what came of it --------------------------------------------------------------------------------------------------


def damage_done(before: int, health: int) -> int:
    """Damage between two states of health, wounds and critical damage together."""
    return before - (health if health > DEAD else -critical_total(health))


def row_words(state: State) -> str:
    """The critical row reached last: X head 7, or none."""
    health, spot = state.victim.health, state.victim.spot
    if health >= 0 or damage_done(state.before, health) <= 0:
        return "none"
    letter = state.spec.hits[0].damage_type
    return " ".join(filter(None, (letter, spot.replace("_", " "), str(row_reached(critical_total(health))))))


def rounds_of(state: State) -> int:
    """Rounds spent."""
    return state.rounds if isinstance(state, Gunfire) else state.spec.rounds


def condition(name: str) -> Callable[[Any], int]:
    """A condition of the victim as a number; 0 where conditions are not followed."""
    return lambda state: int(getattr(state.victim.conditions, name)) if state.victim.conditions else 0


def _is(test: Callable[[Any], Any]) -> Callable[[Any], int]:
    """1 or 0, so that chances and means both read well."""
    return lambda state: int(bool(test(state)))


HARM = (
    Measure("damage", "Damage", lambda state: damage_done(state.before, state.victim.health), "damage"),
    Measure("hits", "Hits scored", lambda state: state.hits, "hits"),
    Measure("landed", "Hits that were not evaded", lambda state: state.landed, "hits"),
    Measure("wounds", "Wounds lost", lambda state: max(0, state.before) - max(0, state.victim.health), "wounds"),
    Measure("dead", "Dead", _is(lambda state: state.victim.health <= DEAD)),
    Measure("hurt", "Hurt at all", _is(lambda state: damage_done(state.before, state.victim.health) > 0)),
    Measure("critical", "Critical row reached", row_words),
    Measure("critical_row", "Row of the critical table", lambda state: critical_row(state.victim.health), "row"),
)
"""Read off any state with `victim`, `before`, `hits`, `landed` and `spec`."""
CONDITIONS = (
    Measure("stunned", "Rounds stunned", condition("stunned"), "rounds"),
    Measure("prone", "Thrown down", condition("prone")),
    Measure("on_fire", "On fire", condition("on_fire")),
    Measure("bleeding", "Bleeding", condition("blood_loss")),
    Measure("fatigue", "Levels of fatigue", condition("fatigue"), "levels"),
)
"""With detail conditions only: else 0."""
MEASURES = (
    *HARM,
    Measure("jammed", "The weapon jams", _is(lambda state: state.status == "jam")),
    Measure("overheated", "The weapon overheats", _is(lambda state: state.status == "overheat")),
    Measure("rounds", "Rounds spent", rounds_of, "rounds"),
    *CONDITIONS,
)


def critical_row(health: int) -> int:
    """The row of the critical table somebody has come to; 0 for none."""
    return row_reached(critical_total(health))


def harm_headline(answer: Answer, risk: str = "jammed") -> str:
    """The numbers people want first."""
    landed, damage = (float(answer.odds(name).mean) for name in ("landed", "damage"))
    hits = "hit" if f"{landed:.1f}" == "1.0" else "hits"
    dead, jams = answer.odds("dead").chance(1), answer.odds(risk).chance(1)
    more = f", {'jams' if risk == 'jammed' else 'overheats'} {percent(jams)}" if jams else ""
    return f"{landed:.1f} {hits} and {damage:.1f} damage on average; dead {percent(dead)}{more}."


def shoot_headline(answer: Answer) -> str:
    """Hits, damage, death and jams."""
    return harm_headline(answer, "overheated" if answer.start.spec.overheat_from <= 100 else "jammed")


def narrate(stage: Stage, before: Any, after: Any) -> Iterable[Line]:
    """What each stage did."""
    return (
        gunfire.narrate(stage, before, after) if isinstance(before, Gunfire) else pipeline.narrate(stage, before, after)
    )


def warn_shoot(inputs: Shoot, rules: Rulings = DEFAULT) -> list[str]:
    """What a player may have overlooked."""
    return warnings_of(shoot_spec(inputs, rules))


def warnings_of(spec: Spec) -> list[str]:
    """An attack that cannot hit, or cannot hurt."""
    said: list[str] = []
    if not spec.flame and not any(outcome(spec, roll)[2] for roll in range(1, 101)):
        said.append(f"This attack cannot hit: its target is {spec.target}.")
    most = max(hit.dice * hit.sides + hit.flat - hit.reduction for hit in spec.hits)
    extra = spec.accurate or spec.per_degree or spec.sharp
    if most <= 0 and not extra:
        fury = all(hit.fury == NO_FURY for hit in spec.hits)
        said.append("This weapon cannot hurt this target" + ("." if fury else " but by righteous fury."))
    return said


SHOOT = Question(
    "shoot",
    "What will a shot or burst do to somebody?",
    Shoot,
    begin_shoot,
    shoot_procedure,
    MEASURES,
    shoot_headline,
    narrate,
    fill=lambda given, found: fill_ranged(given, found, Shoot),
    warn=warn_shoot,
    example={"weapon": "Autogun", "bs": 45, "distance": 60, "mode": "semi", "target": "Raider"},
    rulings=ask_rulings.SHOOT,
)
