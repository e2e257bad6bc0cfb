"""The question `burning`: a model on fire, or hit by a weapon that burns; its odds turn by turn, with helpers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from battletape.cards import Lead, Measure, Question, Table, asked, percent
from battletape.rulebook import Caution, capital, clause, odds_of, plural, raise_if_refused
from battletape.rulesets.second_edition import words
from battletape.rulesets.second_edition.questions._inputs import (
    WeaponInputs,
    fill_profiles,
    find_weapon,
    hit_of_inputs,
    model_of,
    warnings,
)
from battletape.rulesets.second_edition.rules import fire
from battletape.rulesets.second_edition.rules.attack import Condition
from battletape.rulesets.second_edition.rules.keywords import hit_of, sets_on_fire
from battletape.rulesets.second_edition.rules.measures import happens, not_shown
from battletape.rulesets.second_edition.rulings import Rulings

if TYPE_CHECKING:
    from battletape.answer import Answer
    from battletape.procedure import Procedure

NEVER = 0


class BurningInputs(WeaponInputs, frozen=True):
    """A model, the weapon that lit it or may light it, and its helpers."""

    incendiary: bool = asked(True, "Sets survivors on fire", "SE-86", group="weapon")
    lit: fire.FireStart = asked(
        "burning", "It burns already, or is covered by the weapon", "SE-86", group="circumstances"
    )
    turns: int = asked(3, "Its owner's turns to look ahead", "SE-87", group="circumstances", ge=1, le=20)
    helpers: int = asked(0, "Friends who beat out the flames each turn", "SE-93", group="circumstances", ge=0, le=12)
    lost: int = asked(0, "Wounds it has lost", "SE-24", group="target", ge=0, le=99)
    move: float = asked(4.0, "Move", "SE-89", group="target", unit="inches", ge=0, le=60)
    ignores: bool | None = asked(None, "It ignores the flames", "SE-95", about="(none: if it may)", group="target")


@clause("SE-86", "SE-87", "SE-95")
def begin_burning(inputs: BurningInputs, rulings: Rulings) -> fire.Burning:
    """Return the model before its first Fire Test, or before the hit; refuse to ignore flames that it may not."""
    model, flame = model_of(inputs), hit_of_inputs(inputs, area=True)
    if inputs.ignores:
        raise_if_refused(fire.refuse_to_ignore(model))
    ignores = fire.may_ignore(model.types) if inputs.ignores is None else inputs.ignores
    burning = inputs.lit == "burning"
    state = Condition(max(model.wounds - inputs.lost, 1), flame if burning else None)
    return fire.Burning(
        model,
        flame,
        state,
        inputs.helpers,
        ignores,
        inputs.lit,
        rulings=rulings,
        turns_ahead=inputs.turns,
        move=inputs.move,
    )


def course(start: fire.Burning) -> Procedure:
    """Return as many Fire Tests as turns are looked at."""
    return fire.fire_tests(start.turns_ahead)


def _ending(burning: fire.Burning) -> str:
    if burning.condition.is_dead:
        return "dead"
    return "burning" if burning.is_burning else "out" if burning.caught_fire else "never lit"


def burning_headline(answer: Answer) -> str:
    """Return how it stands after those turns, and how it ends."""
    start: fire.Burning = answer.start
    ends = fire.fire_end_chances(start).chances
    dead = answer.odds("dead").chance(1)
    turns = f"within {plural(start.turns_ahead, 'turn')}"
    rest = f"{percent(ends.get('dead', 0))} if nothing else puts the fire out"
    return f"{capital(start.model.name)} dies {percent(dead)} of the time {turns}, and {rest}."


@clause("SE-97", "SE-93", "SE-89", "SE-90", "SE-91", "SE-95")
def table(inputs: BurningInputs, rulings: Rulings) -> Table:
    """Return how it ends at last, what the helpers need, and what the model may do after each result of its test."""
    start = begin_burning(inputs, rulings)
    ends = fire.fire_end_chances(start)
    rows = [
        ("dies at last", str(ends.chances.get("dead", 0))),
        ("the fire goes out", str(ends.chances.get("out", 0))),
        ("Fire Tests on average", str(ends.tests)),
        ("may ignore the flames", _yes(fire.may_ignore(start.model.types))),
    ]
    if start.helpers:
        need = fire.beating_out_score(start.helpers)
        rows.append(("the helpers need", "nothing: certain" if need is None else f"{need}+"))
        rows.append(("the helpers succeed", str(odds_of(fire.beat_out, start.helpers, rulings).chance(True))))
        rows.append(("added for further helpers", f"+{start.helpers - 1}"))
        rows.append(("helpers stand within", f"{fire.HELP_INCHES:g} inch"))
        rows.append(("helpers may shoot", _yes(fire.HELPERS_SHOOT)))
    for result, test in (("burns", "after 1-5"), ("out", "after a 6")):
        free = fire.allowed_actions(result, result == "burns", start.ignores, rulings)  # type: ignore[arg-type]
        rows += [
            (f"{test}: runs at random", f"{inputs.move:g} inches" if free.runs else "no"),
            (f"{test}: may move", _yes(free.may_move)),
            (f"{test}: may shoot", _yes(free.may_shoot)),
            (f"{test}: bound to its squad", _yes(free.keeps_coherency)),
            (f"{test}: acts as usual", _again(result, free)),
        ]
    return Table("The fire", ("what", "is"), tuple(rows), "SE-97")


def _again(result: str, free: fire.AllowedActions) -> str:
    if free.may_move and free.may_shoot:
        return "now"
    return "from its next turn" if result == "out" else "once the fire is out"


def _yes(true: bool) -> str:
    return "yes" if true else "no"


def _in_turn(turn: int) -> str:
    return f"turn {turn}" if turn else "not by then"


def warn_burning(inputs: BurningInputs, rulings: Rulings) -> Iterable[str | Caution]:
    """Return what counts differently from what was given, and a weapon that sets no model on fire."""
    yield from warnings(inputs, rulings)
    weapon = find_weapon(inputs.weapon)
    if weapon is not None and not sets_on_fire(hit_of(weapon)):
        yield f"{weapon.name} sets no model on fire (SE-86); the target is reckoned here as if it did"


BURNING = Question(
    "burning",
    "Will a burning model live?",
    BurningInputs,
    begin_burning,
    course,
    (
        happens("dead", "Dead by then", lambda burning: burning.condition.is_dead),
        Measure(
            "ending",
            "How it stands after its last Fire Test, before anybody helps",
            _ending,
            values=("dead", "burning", "out", "never lit"),
        ),
        Measure(
            "turn_of_death",
            "The turn in which the fire kills it",
            lambda burning: burning.died_in_turn,
            "turns",
            words=_in_turn,
            never=NEVER,
            adds_up="at_most",
        ),
        Measure("tests", "Fire Tests made", lambda burning: burning.turn, "tests"),
        Measure("ran", "Inches it runs in all", lambda burning: burning.runs * burning.move, "inches", usual=not_shown),
        Measure(
            "wounds_left",
            "Wounds left",
            lambda burning: burning.condition.wounds,
            "wounds",
            usual=lambda burning: burning.condition.wounds > 1,
        ),
        happens(
            "hit",
            "Hit by the weapon",
            lambda burning: burning.hit,
            usual=lambda burning: burning.begins != "burning",
        ),
        happens(
            "killed_at_once",
            "Killed by the hit itself",
            lambda burning: burning.killed_by_hit,
            usual=lambda burning: burning.begins != "burning",
        ),
        happens(
            "caught_fire",
            "Set on fire",
            lambda burning: burning.caught_fire,
            usual=lambda burning: burning.begins != "burning",
        ),
    ),
    burning_headline,
    fill=lambda given, profiles: fill_profiles(given, profiles, BurningInputs),
    table=table,
    warn=warn_burning,
    stops=lambda burning: words.save_lines_of(burning.flame, burning.model, burning.rulings),
    rulings=(
        "beating_out",
        "ignored_flames",
        "burning_model",
        "second_fire",
        "beyond_chart",
        "save_order",
        "save_of_one",
    ),
    example={"unit": "Mud clan", "weapon": "Flamer", "helpers": 1, "turns": 2},
    small={"save": 6, "save_modifier": -2, "helpers": 1, "turns": 2},
    lead=(Lead("dead", lambda answer: f"dead within {plural(answer.start.turns_ahead, 'turn')}"),),
)
