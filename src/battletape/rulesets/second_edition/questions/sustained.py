"""The question `sustained`: how many Sustained Fire dice to take, hits against jams, over one turn or several."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import lru_cache, partial
from math import comb, inf
from typing import TYPE_CHECKING, Any, Literal

from battletape.cards import Goal, Inputs, Lead, Measure, Odds, ProfileBook, Question, Table, asked, percent
from battletape.rulebook import (
    BadInput,
    Caution,
    Forget,
    Procedure,
    Refused,
    Tape,
    capital,
    clause,
    plural,
    raise_if_refused,
    replace,
)
from battletape.rulesets.second_edition import words
from battletape.rulesets.second_edition.questions import _inputs
from battletape.rulesets.second_edition.rules import sustained as sustained_fire
from battletape.rulesets.second_edition.rules.guns import Gun
from battletape.rulesets.second_edition.rules.keywords import gun_of, is_force_weapon
from battletape.rulesets.second_edition.rules.squads import set_on_fire
from battletape.rulesets.second_edition.rules.to_hit import to_hit_score
from battletape.rulesets.second_edition.rulings import Rulings
from battletape.words import mean_text

if TYPE_CHECKING:
    from battletape.answer import Answer, Roll


class Apart(Inputs, frozen=True):
    """A model near the target, described by itself."""

    name: str = asked("a model", "Name", group="target", form="name")
    distance: float = asked(0.0, "Distance from the target", "SE-104", group="target", unit="inches", ge=0, le=500)
    same_unit: bool = asked(True, "Of the same unit", "SE-104", group="target")
    harder: int = asked(0, "How much harder to hit than the target", "SE-104", group="target", ge=-10, le=20)


class SustainedInputs(_inputs.AimedInputs, frozen=True):
    """A weapon with Sustained Fire, a target, and a goal."""

    sustained: int = asked(2, "Sustained Fire dice of the weapon", "SE-100", group="weapon", ge=1, le=10)
    dice: int | None = asked(
        None, "Dice to take", "SE-100", about="(none: the best number)", group="attacker", ge=0, le=20
    )
    blast: float | None = asked(
        None, "Radius of a blast marker", "SE-111", group="weapon", unit="inches", ge=0.25, le=12
    )
    explodes_on: int | None = asked(None, "Explodes on so many jams at once", "SE-111", group="weapon", ge=1, le=10)
    linked: bool = asked(False, "Two weapons fired as one", "SE-111", group="weapon")
    recharges: bool = asked(False, "Fires every other turn", "SE-111", group="weapon")
    jams: int = asked(0, "Jams that it has now", "SE-108", group="weapon", ge=0, le=20)
    automatic: bool = asked(False, "It has hit already", "SE-99", group="attacker")
    models: _inputs.Models = 1
    apart: tuple[Apart, ...] = asked(
        (), "Other models near the target, one by one", "SE-104", group="target", short="model"
    )
    lost: int = asked(0, "Wounds that the target has lost", "SE-24", group="target", ge=0, le=99)
    allocation: Literal["best", "target", "spread", "each"] = asked(
        "best",
        "Where further hits go",
        "SE-104",
        group="attacker",
        note="target: all on the target; spread: one on each; each: hit by hit; best: whichever is best",
    )
    turns: int = asked(1, "Turns of fire", "SE-109", group="circumstances", ge=1, le=6)
    goal: Literal["casualties", "wounds", "hits", "kill"] = asked(
        "casualties",
        "Goal",
        group="circumstances",
        note="casualties, wounds, hits: how many on average; kill: the chance that nobody is left",
    )
    jam_weight: float = asked(
        0.0,
        "What a jam at the end costs",
        "SE-108",
        group="circumstances",
        note="in units of the goal: with casualties, 0.5 gives half a model for a weapon that still fires",
        ge=0,
        le=100,
    )


@clause("SE-99")
def fill_sustained(given: Mapping[str, Any], profiles: ProfileBook) -> dict[str, Any]:
    """Fill in the numbers of named profiles; a weapon without Sustained Fire needs its dice."""
    if given.get("weapon") and given.get("sustained") is None:
        weapon = profiles.find("weapon", str(given["weapon"]))
        other = weapon.blast is not None or weapon.template is not None or is_force_weapon(weapon)
        if weapon.sustained is None and not other:
            raise Refused(f"{weapon.name} has no Sustained Fire; ask the question shoot about it", "SE-99", "weapon")
    return _inputs.fill_profiles(given, profiles, SustainedInputs)


@clause("SE-100", "SE-104", "SE-108", "SE-111")
def begin_sustained(inputs: SustainedInputs, rulings: Rulings) -> sustained_fire.SustainedFireState:
    """Return the weapon before its first turn of fire; raise the refusal of what it may not do."""
    name = inputs.weapon or "the weapon"
    weapon, gun = sustained_fire.WeaponState(inputs.jams), gun_of(inputs)
    refusals = (
        _inputs.refuse_kind(inputs.weapon, "sustained"),
        sustained_fire.refuse_profile(name, inputs.blast, inputs.sustained),
        sustained_fire.refuse_dice(inputs.dice, gun.dice) if inputs.dice is not None else None,
        sustained_fire.refuse_fire(weapon, name) if inputs.turns == 1 else None,
    )
    raise_if_refused(*refusals)
    if inputs.apart and inputs.turns > 1:
        raise BadInput.of(
            "apart", f"says which models stand where in one turn of fire; with {inputs.turns} turns give models alone."
        )
    model, aim = _inputs.model_of(inputs), _inputs.aim_of(inputs)
    apart = tuple(
        sustained_fire.Neighbour(other.same_unit, other.distance, to_hit_score(aim) + other.harder, other.name)
        for other in inputs.apart
    )
    alone = inputs.models == 1 and not apart
    drill = sustained_fire.SustainedFireSetup(
        gun,
        aim,
        _inputs.hit_of_inputs(inputs),
        model,
        tuple(plans(inputs, gun, alone)),
        apart,
        inputs.automatic,
        rulings,
        inputs.turns,
        "hits" if model.is_vehicle else inputs.goal,
        inputs.jam_weight,
    )
    return sustained_fire.begin_sustained_fire(
        drill, _inputs.model_counts(model, inputs.models + len(apart), inputs.lost), weapon
    )


SIMPLE: tuple[sustained_fire.Allocation, ...] = ("target", "spread")
MOST_WAYS = 4_000
"""Up to about so many ways to share out hits, all of them are compared; past that, two simple ones."""


def plans(inputs: SustainedInputs, gun: Gun, alone: bool) -> Iterable[sustained_fire.BurstPlan]:
    """Return the ways to fire: a number of dice, and where further hits go; of equal ones the simpler comes first."""
    ways: tuple[sustained_fire.Allocation, ...]
    if alone:
        ways = ("target",)
    elif inputs.allocation != "best":
        ways = (inputs.allocation,)
    else:
        ways = _simpler(inputs) if too_many_ways(inputs) else ("each",)
    numbers = range(1, gun.dice + 1) if inputs.dice is None else (inputs.dice,)
    return (sustained_fire.BurstPlan(dice, way) for way in ways for dice in numbers)


def _simpler(inputs: SustainedInputs) -> tuple[sustained_fire.Allocation, ...]:
    """Return the few plans that are compared where there are too many."""
    planned = inputs.turns == 1 and inputs.goal in ("casualties", "wounds") and inputs.toughness is not None
    return ("planned",) if planned else SIMPLE


@clause("SE-104")
def too_many_ways(inputs: SustainedInputs) -> bool:
    """Return whether hits can be shared out in too many ways to compare, or it does not matter where they go."""
    if inputs.toughness is None:
        return True  # a vehicle counts its hits, wherever they go
    models, wounds, gun = inputs.models + len(inputs.apart), inputs.wounds, gun_of(inputs)
    most = 3 * (inputs.dice or gun.dice) * gun.weapons
    ways = sum(shared_among(hits, models) for hits in range(most + 1))
    lines = comb(models + wounds, wounds) * wounds if inputs.turns > 1 else 1 + bool(inputs.lost)
    tallies = inputs.turns * most if inputs.goal == "hits" and inputs.turns > 1 else 1
    return ways * lines * tallies > MOST_WAYS


@lru_cache(4096)
def shared_among(hits: int, models: int) -> int:
    """Count the ways to share hits among models that are alike, up to the number that matters."""
    if not hits or models <= 1:
        return 1
    fewer = shared_among(hits, models - 1)
    if hits < models or fewer > MOST_WAYS:
        return fewer
    return fewer + shared_among(hits - models, models)


ALLOCATIONS = {
    "target": "all on the target",
    "spread": "spread over the unit",
    "each": "each hit where it does most",
    "planned": "each hit where it does most",
}


def plan_name(plan: sustained_fire.BurstPlan) -> str:
    """Return what a plan is called when a player chooses: 2 dice, spread over the unit."""
    return f"{plan.dice} {'die' if plan.dice == 1 else 'dice'}, {ALLOCATIONS[plan.allocation]}"


@clause("SE-100", "SE-104")
def choose_dice(tape: Tape, state: sustained_fire.SustainedFireState) -> sustained_fire.SustainedFireState:
    """Choose how many dice to take after a hit, and where further hits go."""
    tape.tell(sustained_fire.setup_lines, state.setup)
    names = tuple(plan_name(plan) for plan in state.setup.plans)
    chosen: str = tape.choose(names, by="attacker", label="dice")
    return replace(state, plan=state.setup.plans[names.index(chosen)])


@lru_cache(16)
def _procedure(turns: int) -> Procedure:
    return Procedure("sustained fire", (choose_dice, *sustained_fire.TURN * turns))


# --- measures -------------------------------------------------------------------------------------------------------

AIMS: dict[str, Callable[[Any], int]] = {
    "casualties": lambda state: state.fallen,
    "wounds": lambda state: state.lost,
    "hits": lambda state: state.hits,
    "kill": lambda state: int(not state.models_left),
}


def value_of(state: sustained_fire.SustainedFireState) -> Fraction:
    """Return what the fire was worth: its goal, less what a jam costs."""
    worth = Fraction(AIMS[state.setup.goal](state))
    return worth - Fraction(str(state.setup.jam_cost)) if is_jammed(state) else worth


@clause("SE-107", "SE-108")
def is_jammed(state: sustained_fire.SustainedFireState) -> bool:
    """Return whether the weapon cannot be fired at the end: jammed, or destroyed."""
    return state.weapon.jams > 0 or state.weapon.destroyed


def span_of(start: sustained_fire.SustainedFireState) -> tuple[Fraction, Fraction | float]:
    """Return the least and the most that the fire can be worth."""
    most = {"casualties": start.models, "wounds": start.wounds, "hits": inf, "kill": 1}[start.setup.goal]
    return -Fraction(str(start.setup.jam_cost)), most if most == inf else Fraction(most)


def in_one_turn(start: sustained_fire.SustainedFireState) -> bool:
    """Return whether there is one turn of fire; what adds up over several is told only if it is asked for."""
    return start.setup.turns == 1


def pair_words(pair: tuple[int, int]) -> str:
    """Write hits and jams in words."""
    return f"{plural(pair[0], 'hit')}, {plural(pair[1], 'jam')}"


MEASURES = (
    Measure("casualties", "Models fallen", lambda state: state.fallen, "models"),
    Measure("value", "Goal, less the cost of a jam", value_of, usual=lambda start: start.setup.jam_cost > 0),
    Measure("hits", "Hits", lambda state: state.hits, "hits", usual=lambda s: in_one_turn(s) or s.setup.goal == "hits"),
    Measure("wounds_lost", "Wounds lost", lambda state: state.lost, "wounds"),
    Measure(
        "models_hit",
        "Models hit",
        lambda state: state.models_hit,
        "models",
        usual=lambda s: in_one_turn(s) and s.models > 1,
    ),
    Measure("jammed", "Cannot be fired at the end", lambda state: int(is_jammed(state))),
    Measure("jams", "Jams rolled", lambda state: state.jams, "jams", usual=in_one_turn),
    Measure("waits", "Turns without fire", lambda state: state.turns_waited, "turns", usual=lambda start: False),
    Measure("burst", "Hits and jams", lambda state: (state.hits, state.jams), words=pair_words, usual=lambda _: False),
    Measure(
        "exploded",
        "The weapon explodes",
        lambda state: int(state.weapon.destroyed),
        usual=lambda start: start.setup.gun.explodes_on is not None,
    ),
    Measure(
        "on_fire",
        "Models set on fire",
        lambda state: set_on_fire(state.models_left),
        "models",
        usual=lambda start: start.setup.prepared_hit.flame is not None,
    ),
    Measure("wiped_out", "Nobody is left", lambda state: int(not state.models_left)),
)

NEEDED = {
    "hits": ("hits", "burst"),
    "models_hit": ("models_hit",),
    "jams": ("jams", "burst"),
    "turns_waited": ("waits",),
}
"""Which measures need each tally of the fire."""


def lens(asked: frozenset[str]) -> Forget:
    """Forget the tallies that no measure asked for."""
    return _lens(tuple(name for name, measures in NEEDED.items() if asked.isdisjoint(measures)), "value" in asked)


@lru_cache(64)
def _lens(names: tuple[str, ...], value: bool) -> Forget:
    everything = dict.fromkeys(names, 0)
    with_hits = dict.fromkeys((name for name in names if name != "hits"), 0)

    def forget(state: sustained_fire.SustainedFireState) -> sustained_fire.SustainedFireState:
        if not (state.hits or state.jams or state.turns_waited):
            return state
        return replace(state, **(with_hits if value and state.setup.goal == "hits" else everything))

    return ((sustained_fire.SustainedFireState, forget),)


# --- in words -------------------------------------------------------------------------------------------------------

NOT_EACH = (
    "There are too many ways to share out the hits to compare them all: all on the target and spread over the unit "
    "were compared. Fewer models or turns would do, or allocation each."
)


def warn_sustained(inputs: SustainedInputs, rulings: Rulings) -> Iterable[str | Caution]:
    """Return what looks unusual, and what was not compared."""
    yield from _inputs.warnings(inputs, rulings)
    alone = inputs.models == 1 and not inputs.apart
    simple = inputs.allocation == "best" and too_many_ways(inputs) and _simpler(inputs) == SIMPLE
    if simple and inputs.toughness is not None and not alone:
        yield NOT_EACH


GOALS = {"casualties": "models fall", "wounds": "wounds lost", "hits": "hits", "kill": "to leave nobody"}


def met(odds: Odds[Any], goal: str) -> str:
    """Return how far some fire meets its goal, in a few words."""
    mean = odds.project(AIMS[goal]).mean
    return percent(mean) if goal == "kill" else mean_text(float(mean))


def plan_table(answer: Answer) -> Table:
    """List every way to fire: its worth, how often it leaves the weapon jammed, and where the first hits go."""
    goal, rows = answer.start.setup.goal, list[tuple[str, ...]]()
    for choice in answer.choices:
        for option in choice.options:
            if not option.odds.weights:  # the budget left out all of it
                rows.append((capital(option.option), "?", "?"))
                continue
            mean = option.odds.project(AIMS[goal]).mean
            worth = _in_100(mean) if goal == "kill" else mean_text(float(mean))
            jammed = _in_100(option.odds.project(is_jammed).chance(True))
            rows.append((capital(option.option), worth, jammed))
    for state, shares in first_shares(answer):
        rows.append((f"{plural(state.hits_to_allocate, 'hit')}: {sustained_fire.shares_text(shares)}", "", ""))
    title = f"{capital(GOALS[goal])} in {plural(answer.inputs.turns, 'turn')}"
    best = (answer.choices[0].best, 1) if answer.choices else None
    wanted = capital(GOALS[goal]) + (", of 100 times" if goal == "kill" else "")
    return Table(title, ("", wanted, "Jammed at the end, of 100 times"), tuple(rows), "SE-100", best)


def _in_100(chance: Fraction) -> str:
    return f"{float(100 * chance):.1f}"


def ordered(
    answer: Answer,
) -> Iterable[tuple[int, sustained_fire.SustainedFireState, tuple[sustained_fire.ModelHits, ...]]]:
    """List where hits do most: in which turn, in which state, and how many each model takes."""
    for index, given in enumerate(answer.orders):
        for state, chosen in given.items():
            handed = sustained_fire.first_hit(state.models_left, sustained_fire.count_others(state))
            options = iter(chosen.values())
            while sum(hits for _, hits in handed.shares) < state.hits_to_allocate:
                left = state.hits_to_allocate - sum(hits for _, hits in handed.shares)
                may = sustained_fire.hit_options(handed, left)
                handed = sustained_fire.allocate_hit(handed, next(options) if len(may) > 1 else may[0])
            yield index // len(sustained_fire.TURN), state, handed.shares


def first_shares(
    answer: Answer,
) -> list[tuple[sustained_fire.SustainedFireState, tuple[sustained_fire.ModelHits, ...]]]:
    """Return where the hits of the first turn go, fewer hits first; a jam changes nothing that is worth a line."""
    found = {state.hits_to_allocate: (state, shares) for turn, state, shares in ordered(answer) if turn == 0}
    return [found[hits] for hits in sorted(found)]


def fire_name(plan: sustained_fire.BurstPlan, answer: Answer) -> str:
    """Return what a plan is called: if hit by hit comes to one of the simple ways, by its name."""
    if plan.allocation == "each":
        for way in SIMPLE:
            if all(
                shares
                == sustained_fire.shares_of(
                    state.hits_to_allocate,
                    state.models_left,
                    sustained_fire.count_others(state),
                    way,
                    state.setup.prepared_hit,
                )
                for _, state, shares in ordered(answer)
            ):
                return plan_name(replace(plan, allocation=way))
    return plan_name(plan)


def _best_plan(answer: Answer) -> str:
    """Return the best number of dice in words."""
    plan, inputs = answer.start.setup.plans[answer.choices[0].best if answer.choices else 0], answer.inputs
    return fire_name(plan, answer) if inputs.models > 1 or inputs.apart else plan_name(plan).split(",")[0]


def _goal_met(answer: Answer) -> str:
    """Return what the number of the answer is."""
    penetration = " for armour penetration" if answer.start.setup.model.is_vehicle else ""
    over = f" in {plural(answer.inputs.turns, 'turn')}" if answer.inputs.turns > 1 else ""
    return f"{GOALS[answer.start.setup.goal]}{penetration}{over}"


def sustained_headline(answer: Answer) -> str:
    """Return the best number of dice, and what it does."""
    goal = f"{met(answer.states, answer.start.setup.goal)} {_goal_met(answer)}"
    jams = percent(answer.odds("jammed").chance(1))
    with_it = "Take" if answer.choices else "With"
    return f"{with_it} {_best_plan(answer)}: {goal}, and the weapon ends jammed {jams} of the time."


def _plan_says(answer: Answer) -> str:
    """Return the best number of dice, which is the answer, and its number."""
    return f"with {_best_plan(answer)}: {_goal_met(answer)}"


def _aims_for(goal: str, answer: Answer) -> bool:
    return bool(answer.start.setup.goal == goal)


GOAL_MEASURES = {"casualties": "casualties", "wounds": "wounds_lost", "hits": "hits", "kill": "wiped_out"}
"""The measure of each goal."""


def result(roll: Roll) -> str:
    """Return what came of the fire, and whether the weapon is jammed."""
    results = roll.results
    jams = ", the weapon ends jammed" if results["jammed"] else ""
    if not results["hits"]:
        return f"No hit{jams}."
    harm = "" if roll.state.setup.model.is_vehicle else f": {words.fate(results)}"
    return f"{plural(results['hits'], 'hit')}{harm}{jams}."


SUSTAINED = Question(
    "sustained",
    "How many Sustained Fire dice are best?",
    SustainedInputs,
    begin_sustained,
    lambda start: _procedure(start.setup.turns),
    MEASURES,
    sustained_headline,
    fill=fill_sustained,
    warn=warn_sustained,
    result=result,
    example={
        "shooter": "Grey Lantern gunners",
        "weapon": "Heavy bolter",
        "unit": "Mud clan",
        "distance": 16,
        "turns": 2,
    },
    small={"bs": 4, "sustained": 2, "strength": 5, "damage": "D4", "save_modifier": -2, "models": 3, "turns": 2},
    rulings=("above_six", "beyond_chart", "save_order", "save_of_one", "further_hits"),
    lens=lens,
    goal=Goal(("value", "jammed"), span=span_of, table=plan_table, later=True),
    lead=(
        *(Lead(measure, _plan_says, when=partial(_aims_for, goal)) for goal, measure in GOAL_MEASURES.items()),
        Lead("casualties", _plan_says),
    ),
)
