"""The question `fire_mode`: which mode and aim of a gun serve a goal best."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from math import inf
from typing import Any, Literal, NamedTuple

from battletape.cards import Answer, Goal, Lead, Measure, Odds, Question, Roll, Table, asked, caveat, percent
from battletape.rulebook import Procedure, State, Tape, capital, clause, plural, raise_if_refused, replace
from battletape.rulesets.deathwatch.profiles.book import fill_profiles
from battletape.rulesets.deathwatch.questions import _inputs, _pictures, shoot
from battletape.rulesets.deathwatch.rules import guns, lenses, traits
from battletape.rulesets.deathwatch.rules.attack import records, results
from battletape.rulesets.deathwatch.rules.keywords import qualities_named
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings
from battletape.rulesets.deathwatch.words import AIM_WORDS, MODE_WORDS

AIMS: tuple[traits.Aim, ...] = ("none", "half", "full")
GOALS = {"kill": "dead", "damage": "damage", "hits": "landed", "hurt": "hurt"}
GOAL_WORDS = {"kill": "to kill", "damage": "damage", "hits": "hits", "hurt": "to hurt"}
"""The measure of each goal, and its words."""
CHANCES = ("kill", "hurt")
"""Goals that are met or not."""
GOAL_NOTE = "kill: the chance of death; damage, hits: how much on average; hurt: the chance of any damage"
COST_NOTE = "in units of the goal: with kill, 0.2 gives a fifth of a kill for not jamming"


class FireModeInputs(_inputs.RangedInputs, frozen=True):
    """A gun, a target, and a goal."""

    goal: Literal["kill", "damage", "hits", "hurt"] = asked(
        "kill", "Goal", "DW-RWEP-00", group="circumstances", form="mode", note=GOAL_NOTE
    )
    turns: int = asked(2, "Turns to do it in", "DW-ACT-AIM", group="circumstances", form="count", ge=1, le=4)
    jam_weight: float = asked(0.0, "What a jam costs", "DW-JAM-1", group="circumstances", note=COST_NOTE, ge=0, le=100)


class FireOption(NamedTuple):
    """A mode with an aim, and the fire about to be opened so."""

    mode: traits.Mode
    aim: traits.Aim
    start: guns.Gunfire


class FireChoice(State, frozen=True):
    """The modes and aims to choose from; of equal ones the simpler comes first."""

    options: tuple[FireOption, ...]
    turns: int

    @property
    def specs(self) -> tuple[records.PreparedAttack, ...]:
        """All attacks there are to choose from."""
        return tuple(way.start.spec for way in self.options)


_READ = {measure.name: measure.of for measure in results.HARM}


def goal_of(fire: guns.Gunfire) -> int:
    """Return what the fire did for its goal."""
    return int(_READ[GOALS[fire.fire_plan.goal]](fire))


def value_of(fire: guns.Gunfire) -> Fraction:
    """Return what the fire is worth: its goal, less what a jam costs."""
    worth = Fraction(goal_of(fire))
    return worth - Fraction(str(fire.fire_plan.jam_cost)) if fire.status == "jam" and fire.fire_plan.jam_cost else worth


def worth_span(choice: FireChoice) -> tuple[Fraction, Fraction | float]:
    """Return the least and the most that fire can be worth: a jam without success, and one success."""
    fire_plan = choice.options[0].start.fire_plan
    return -Fraction(str(fire_plan.jam_cost)), Fraction(1) if fire_plan.goal in CHANCES else inf


def _option(inputs: FireModeInputs, mode: traits.Mode, aim: traits.Aim, rulings: Rulings) -> FireOption:
    """Return a mode with an aim, and the fire of the turns there are."""
    waits = guns.takes_a_turn(aim, shoot.action_of(mode))
    spec = shoot.spec_of(replace(inputs, aim=aim), mode, rulings)
    name = f"{MODE_WORDS[mode]}, {AIM_WORDS[aim]}"
    more = {"turns": inputs.turns, "name": name, "goal": inputs.goal, "jam_cost": inputs.jam_weight}
    fire_plan = shoot.fire_plan_of(inputs, spec, waits, rulings, **more)
    return FireOption(mode, aim, guns.begin_fire(fire_plan, _inputs.health_of(inputs), inputs.clip, not waits))


def begin_fire_mode(inputs: FireModeInputs, rulings: Rulings = DEFAULT) -> FireChoice:
    """Return the modes that the gun has rounds for, each with the aims that there is time for."""
    gun, aims = _inputs.weapon_of(inputs), AIMS[:1] if qualities_named(inputs.qualities).flame else AIMS
    modes = [mode for mode in guns.modes_of(gun) if guns.refuse_mode(gun, mode, inputs.clip, rulings=rulings) is None]
    if not modes:
        raise_if_refused(guns.refuse_mode(gun, "single", inputs.clip, rulings=rulings))
    ways = (
        (mode, aim)
        for mode in modes
        for aim in aims
        if inputs.turns > 1 or not guns.takes_a_turn(aim, shoot.action_of(mode))
    )
    return FireChoice(tuple(_option(inputs, mode, aim, rulings) for mode, aim in ways), inputs.turns)


@clause("DW-RWEP-00", "DW-ACT-AIM")
def choose_mode(tape: Tape, choice: FireChoice) -> guns.Gunfire:
    """Let the shooter choose how to fire."""
    names = tuple(way.start.fire_plan.name for way in choice.options)
    chosen: str = tape.choose(names, by="attacker", label="fire mode")
    tape.tell("Fires {}", chosen)
    return choice.options[names.index(chosen)].start


def cost_of(odds: Odds[Any]) -> str:
    """Format what fire costs on average: jams 7 %, 8 rounds; empty if much of it was not explored."""
    if caveat(odds.unexplored):
        return ""
    jams, spent = odds.project(lambda fire: fire.status == "jam").mean, odds.project(lambda fire: fire.rounds).mean
    rounds = plural(int(spent), "round") if spent.denominator == 1 else f"{float(spent):.1f} rounds"
    return f"jams {percent(jams)}, {rounds}" if jams else rounds


def option_words(odds: Odds[Any], goal: str) -> str:
    """Format a mode with an aim: 44 %, jams 7 %, 8 rounds."""
    if not odds.weights:
        return "not worked out"
    return ", ".join(filter(None, (met_text(odds, goal), cost_of(odds))))


def met_text(odds: Odds[Any], goal: str) -> str:
    """Format how far fire meets its goal: 44 %; at least 20 %, if much of it was not explored."""
    least = "at least " if caveat(odds.unexplored) else ""
    goal_text = odds.project(goal_of).mean * (1 - odds.unexplored if least else 1)
    return least + (percent(goal_text) if goal in CHANCES else f"{float(goal_text):.1f}")


def best_option(answer: Answer) -> FireOption:
    """Return the option that is chosen, or the only one."""
    ways: tuple[FireOption, ...] = answer.start.options
    return ways[answer.choices[0].best] if answer.choices else ways[0]


def mode_table(answer: Answer) -> Table:
    """Return modes down, aims across; the best one is marked, if any was worked out."""
    goal, ways, best = answer.inputs.goal, answer.start.options, best_option(answer)
    options = zip(ways, answer.choices[0].options, strict=True)
    by = {(way.mode, way.aim): option_words(option.odds, goal) for way, option in options}
    modes = [mode for mode in traits.MODES if any(way.mode == mode for way in ways)]
    rows = tuple((capital(MODE_WORDS[mode]), *(by.get((mode, aim), "–") for aim in AIMS)) for mode in modes)
    title = f"{capital(GOAL_WORDS[goal])} in {plural(answer.inputs.turns, 'turn')}"
    head = ("", *(capital(AIM_WORDS[aim]) for aim in AIMS))
    known = answer.choices[0].taken.odds.weights
    mark = (modes.index(best.mode), 1 + AIMS.index(best.aim)) if known else None
    return Table(title, head, rows, "DW-RWEP-00", mark)


def _best_way(answer: Answer) -> str:
    """Return the best mode and aim in words."""
    best = best_option(answer)
    aim = "without an aim" if best.aim == "none" else f"with {AIM_WORDS[best.aim]}"
    return f"{capital(MODE_WORDS[best.mode])} {aim}"


def _goal_met(answer: Answer) -> str:
    """Return what the number of the answer is."""
    return f"{GOAL_WORDS[answer.inputs.goal]} in {plural(answer.inputs.turns, 'turn')}"


def fire_mode_headline(answer: Answer) -> str:
    """Say the best way to fire and what it does."""
    cost, goal_text = cost_of(answer.states), met_text(answer.states, answer.inputs.goal)
    return f"{_best_way(answer)}: {goal_text} {_goal_met(answer)}{f' ({cost})' if cost else ''}."


def _aims_for(goal: str, answer: Answer) -> bool:
    return bool(answer.inputs.goal == goal)


def _best_way_and_goal(answer: Answer) -> str:
    """Return the best way to fire, which is the answer, and what its number is."""
    return f"{_best_way(answer)}: {_goal_met(answer)}"


SHOWN = {"hits": lambda choice: choice.specs[0].defender.reaction == "none"}
"""Measures shown unasked, where this differs from a single attack."""


def fire_mode_result(roll: Roll) -> str:
    """Say how the gun was fired, and what came of it."""
    harm = shoot.harm_result(roll)
    return f"{capital(roll.results['best'])}; {harm[0].lower()}{harm[1:]}"


AT_A_RAIDER = {"distance": 60, "target": "Raider", "goal": "kill", "turns": 1}
FIRE_MODE = Question(
    "fire_mode",
    "Which fire mode and aim are best?",
    FireModeInputs,
    begin_fire_mode,
    lambda choice: Procedure("fire mode", (choose_mode, *(guns.fire_on,) * choice.turns)),
    (
        Measure("value", "The goal, such as the chance to kill", value_of),
        Measure("best", "Best way to fire", lambda fire: fire.fire_plan.name),
        *(
            replace(measure, usual=SHOWN.get(measure.name, measure.usual))
            for measure in shoot.MEASURES
            if not measure.name.startswith("critical")
        ),
    ),
    fire_mode_headline,
    fill=lambda given, book: fill_profiles(given, book, FireModeInputs, in_melee=False),
    warn=lambda inputs, rulings: (
        *_inputs.warnings_between(inputs, inputs.turns),
        *shoot.warnings_of_heat(inputs.qualities),
    ),
    stops=lambda choice: results.reduction_lines(choice.specs[0]),
    result=fire_mode_result,
    example={"attacker": "Brother Cato", "weapon": "Astartes Bolter (Godwyn)", **AT_A_RAIDER},
    small={"weapon": "Lasgun", "bs": 45, **AT_A_RAIDER},
    rulings=_inputs.OF_SHOTS,
    lens=lenses.lens,
    goal=Goal(("value", "jammed", "rounds"), span=worth_span, table=mode_table),
    outlines=_pictures.body_hit(),
    lead=(
        *(Lead(measure, _best_way_and_goal, when=partial(_aims_for, goal)) for goal, measure in GOALS.items()),
        Lead("value", _best_way_and_goal),
    ),
)
