"""What a player can ask about his gun: fire_mode, which mode and aim are best for what he wants."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.errors import Refused
from battletape.log import Line
from battletape.odds import Odds, percent
from battletape.procedure import Procedure, Stage
from battletape.rulesets.deathwatch import ask_rulings, gunfire
from battletape.rulesets.deathwatch.ask_shooting import (
    HARM,
    MEASURES,
    action_of,
    drill_of,
    fill_ranged,
    spec_of,
    warnings_of_heat,
)
from battletape.rulesets.deathwatch.blocks import Ranged, meta
from battletape.rulesets.deathwatch.firing import modes_of, refuse_mode, takes_a_turn
from battletape.rulesets.deathwatch.gunfire import Gunfire, begin_fire, fire_on
from battletape.rulesets.deathwatch.keywords import values
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings
from battletape.rulesets.deathwatch.targets import gun_of, health_of, warn_between
from battletape.rulesets.deathwatch.traits import MODES, Mode
from battletape.rulesets.deathwatch.words import AIM_WORDS, MODE_WORDS, capital, plural
from battletape.system import Measure, Question, Table
from battletape.tape import Tape
from battletape.tape.budget import Budget
from battletape.tape.exact import Exact

if TYPE_CHECKING:
    from battletape.answer import Answer

Aim: TypeAlias = Literal["none", "half", "full"]
AIMS: tuple[Aim, ...] = ("none", "half", "full")


class FireMode(Ranged, frozen=True):
    """A gun, a target, and what the shooter wants."""

    goal: Annotated[
        Literal["kill", "damage", "hits", "hurt"],
        Meta(
            description="kill: the chance of death; damage, hits: how much on average; hurt: the chance of any damage"
        ),
        meta("circumstances", "What is wanted", "RWEP-00"),
    ] = "kill"
    turns: Annotated[int, meta("circumstances", "Turns there are for it", "ACT-AIM", ge=1, le=4)] = 2
    jam_weight: Annotated[
        float,
        Meta(description="in units of the goal: with kill, 0.2 gives a fifth of a kill for not jamming"),
        meta("circumstances", "What a jam costs", "JAM-1", ge=0, le=100),
    ] = 0.0


class Option(Struct, frozen=True, cache_hash=True):
    """A mode with an aim: what it is worth, how often it jams, rounds on average, and how much of it was explored."""

    mode: Mode
    aim: Aim
    start: Gunfire
    value: Fraction
    goal: Fraction
    jams: Fraction
    rounds: Fraction
    explored: Fraction

    @property
    def name(self) -> str:
        """What it is called when a player chooses."""
        return self.start.drill.name


class Choice(Struct, frozen=True, cache_hash=True):
    """The modes and aims to choose from, the best one first."""

    options: tuple[Option, ...]


def goal_of(fire: Gunfire) -> int:
    """What the fire did for its goal."""
    measure = {"kill": "dead", "damage": "damage", "hits": "landed", "hurt": "hurt"}[fire.drill.goal]
    return int(_BY_NAME[measure].of(fire))


def value_of(fire: Gunfire) -> Fraction:
    """What the fire is worth: its goal, less what a jam costs."""
    return Fraction(goal_of(fire)) - (Fraction(str(fire.drill.jam_cost)) if fire.status == "jam" else 0)


_BY_NAME = {one.name: one for one in HARM}


ENOUGH = {"overall": 1_000_000, "by_location": 120_000}
"""So many branches for all ways to fire; those of bursts that strike each place for itself take longer."""
LONGEST = 0.5
"""And so many seconds for each, as poison and conditions make a branch long; whatever needs more is told."""


@lru_cache(256)
def options(inputs: FireMode, rules: Rulings = DEFAULT) -> tuple[Option, ...]:
    """Every mode of the gun with every aim there is time for, the best first; of equal ones the simpler."""
    from battletape.rulesets.deathwatch import RULESET  # what its other questions know of hits is of use

    ways, left = _ways(inputs, rules), ENOUGH[rules.critical_track]
    found: dict[tuple[Mode, Aim], Option] = {}
    for parts, (mode, aim) in zip(range(len(ways), 0, -1), _small_first(ways), strict=True):
        reader = Exact(RULESET.memo, Budget(branches=max(left // parts, 1), seconds=LONGEST))
        found[mode, aim] = _option(inputs, mode, aim, rules, reader)
        left -= reader.spent.steps
    return tuple(sorted((found[way] for way in ways), key=lambda one: (not one.explored, -one.value)))


def _ways(inputs: FireMode, rules: Rulings) -> list[tuple[Mode, Aim]]:
    """The modes that the gun has rounds for, each with the aims that there is time for."""
    gun, qualities = gun_of(inputs), values(inputs.qualities)
    modes = [one for one in modes_of(gun) if refuse_mode(gun, one, inputs.clip, False, qualities, rules) is None]
    aims = AIMS[:1] if qualities.flame else AIMS
    found = [
        (mode, aim) for mode in modes for aim in aims if inputs.turns > 1 or not takes_a_turn(aim, action_of(mode))
    ]
    if not found:
        raise refuse_mode(gun, "single", inputs.clip, False, qualities, rules) or _nothing()
    return found


def _small_first(ways: list[tuple[Mode, Aim]]) -> list[tuple[Mode, Aim]]:
    """Those with the fewest hits first: what they do not need is for the others."""
    return sorted(ways, key=lambda way: (not takes_a_turn(way[1], action_of(way[0])), MODES.index(way[0])))


def _option(inputs: FireMode, mode: Mode, aim: Aim, rules: Rulings, reader: Exact) -> Option:
    """What a mode with an aim does in the turns there are."""
    waits = takes_a_turn(aim, action_of(mode))
    spec = spec_of(replace(inputs, aim=aim), mode, rules=rules)
    name = f"{MODE_WORDS[mode]}, {AIM_WORDS[aim]}"
    drill = drill_of(inputs, spec, waits, rules, name=name, goal=inputs.goal, jam_cost=inputs.jam_weight)
    start, quick = (
        begin_fire(one, health_of(inputs), inputs.turns, inputs.clip, not waits)
        for one in (drill, replace(drill, detail="health", counts_hits=inputs.goal == "hits"))
    )
    kernel, counts = reader.stages((fire_on,) * inputs.turns, quick)
    odds = reader.odds(kernel, counts)
    return Option(mode, aim, start, *_means(odds), 1 - odds.unexplored)


def _means(odds: Odds[Any]) -> tuple[Fraction, Fraction, Fraction, Fraction]:
    """What it is worth, what it does for its goal, how often it jams, and rounds."""
    if not odds.weights:
        return (Fraction(0),) * 4
    jams, rounds = odds.project(lambda fire: fire.status == "jam"), odds.project(lambda fire: fire.rounds)
    return odds.project(value_of).mean, odds.project(goal_of).mean, jams.mean, rounds.mean


def _nothing() -> Refused:
    return Refused("this gun has no fire mode; single, semi or full would do", "DW-RWEP-00", "mode")


def begin_choice(inputs: FireMode, rules: Rulings = DEFAULT) -> Choice:
    """All modes and aims, worked out."""
    return Choice(options(inputs, rules))


@clause("DW-RWEP-00", "DW-ACT-AIM")
def choose_mode(tape: Tape, choice: Choice) -> Gunfire:
    """The shooter chooses how to fire."""
    names = tuple(one.name for one in choice.options)
    chosen: str = tape.choose(names, by="attacker", label="fire mode")
    return choice.options[names.index(chosen)].start


def fire_mode_procedure(inputs: FireMode, rules: Rulings = DEFAULT) -> Procedure:
    """The choice, then turn after turn of fire."""
    return _stages(inputs.turns)


@lru_cache(8)
def _stages(turns: int) -> Procedure:
    return Procedure("fire mode", (choose_mode, *(fire_on,) * turns))


def _goal_text(goal: str, number: Fraction) -> str:
    return percent(number) if goal in ("kill", "hurt") else f"{float(number):.1f}"


GOAL_WORDS = {"kill": "to kill", "damage": "damage", "hits": "hits", "hurt": "to hurt"}


def cell(option: Option) -> str:
    """A mode with an aim in a few words: 44 %, jams 7 %, 8 rounds."""
    if not option.explored:
        return "not worked out"
    if option.explored < 1:
        return f"at least {_goal_text(option.start.drill.goal, option.goal * option.explored)}"
    jams = f", jams {percent(option.jams)}" if option.jams else ""
    return f"{_goal_text(option.start.drill.goal, option.goal)}{jams}, {_rounds(option)}"


def _rounds(option: Option) -> str:
    spent = option.rounds
    return plural(int(spent), "round") if spent.denominator == 1 else f"{float(spent):.1f} rounds"


def mode_table(inputs: FireMode, rules: Rulings = DEFAULT) -> Table:
    """Modes down, aims across, the best one marked."""
    found = options(inputs, rules)
    by = {(one.mode, one.aim): cell(one) for one in found}
    modes = [mode for mode in MODES if any(one.mode == mode for one in found)]
    rows = tuple((capital(MODE_WORDS[mode]), *(by.get((mode, aim), "–") for aim in AIMS)) for mode in modes)
    best = found[0]
    title = f"{capital(GOAL_WORDS[inputs.goal])} in {plural(inputs.turns, 'turn')}"
    head = ("", *(capital(AIM_WORDS[aim]) for aim in AIMS))
    return Table(title, head, rows, "DW-RWEP-00", (modes.index(best.mode), 1 + AIMS.index(best.aim)))


def fire_mode_headline(answer: Answer) -> str:
    """The best way to fire and what it does."""
    best = answer.start.options[0]
    if best.explored < 1:  # the answer went further
        _, goal_met, jams_met, spent = _means(answer.states)
        best = replace(best, goal=goal_met, jams=jams_met, rounds=spent)
    aim = "without an aim" if best.aim == "none" else f"with {AIM_WORDS[best.aim]}"
    goal = f"{_goal_text(answer.inputs.goal, best.goal)} {GOAL_WORDS[answer.inputs.goal]}"
    jams = f"jams {percent(best.jams)}, " if best.jams else ""
    time = plural(answer.inputs.turns, "turn")
    return f"{capital(MODE_WORDS[best.mode])} {aim}: {goal} in {time} ({jams}{_rounds(best)})."


def narrate(stage: Stage, before: Any, after: Any) -> Iterable[Line]:
    """What each stage did."""
    if stage is choose_mode:
        return (Line(f"Fires {after.drill.name}", ("DW-RWEP-00",), result=after.drill.name),)
    return gunfire.narrate(stage, before, after)


def warn_fire_mode(inputs: FireMode, rules: Rulings = DEFAULT) -> Iterable[str]:
    """What is left out, and whether the choice is sure."""
    yield from (*warn_between(inputs, inputs.turns), *warnings_of_heat(inputs.qualities))
    if any(one.explored < 1 for one in options(inputs, rules)):
        yield "Some ways to fire are too large to follow to the end; the choice rests on what was seen of them."


FIRE_MODE = Question(
    "fire_mode",
    "Which fire mode and aim are best?",
    FireMode,
    begin_choice,
    fire_mode_procedure,
    (
        Measure("value", "What it is worth", value_of),
        Measure("best", "Best way to fire", lambda fire: fire.drill.name),
        *(one for one in MEASURES if one.name not in ("critical", "critical_row")),
    ),
    fire_mode_headline,
    narrate,
    fill=lambda given, found: fill_ranged(given, found, FireMode),
    warn=warn_fire_mode,
    table=mode_table,
    example={"weapon": "Lasgun", "bs": 45, "distance": 60, "target": "Raider", "goal": "kill", "turns": 1},
    rulings=ask_rulings.FIRE_MODE,
)
