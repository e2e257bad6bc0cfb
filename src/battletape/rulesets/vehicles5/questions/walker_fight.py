"""The question walker_fight: a walker against soldiers or another walker, over several rounds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any, Literal

from battletape.cards import (
    Answer,
    Inputs,
    Lead,
    Measure,
    ProfileBook,
    Question,
    Roll,
    Table,
    asked,
    fill_from,
    percent,
)
from battletape.rulebook import BadInput, InputName, plural, raise_if_refused, replace
from battletape.rulesets.vehicles5.profiles import book
from battletape.rulesets.vehicles5.profiles.types import Armour, ArmourSave, Many, Stat
from battletape.rulesets.vehicles5.questions import _inputs
from battletape.rulesets.vehicles5.questions._inputs import Names, yes_no_measure
from battletape.rulesets.vehicles5.rules import assault, keywords, walkers
from battletape.rulesets.vehicles5.rules.damage import UNDAMAGED, Condition, condition_with
from battletape.rulesets.vehicles5.rules.troops import ws_to_hit
from battletape.rulesets.vehicles5.rules.walkers import Charger, Fight, WalkerFighter, won_by
from battletape.rulesets.vehicles5.rulings import Rulings
from battletape.rulesets.vehicles5.tables.printed import GRENADES, format_to_hit

Grenade = Literal["defensive", "assault", "krak", "melta_bomb"]


class WalkerFightInputs(Inputs, frozen=True):
    """A walker, its foe and how many rounds they fight."""

    walker: str = asked("", "Walker profile", group="attacker", profile="vehicle")
    ws: Stat = asked(4, "WS", "V5-WALK-8", group="attacker")
    strength: Stat = asked(6, "Strength", "V5-WALK-16", group="attacker", short="S")
    initiative: Stat = asked(4, "Initiative", "V5-WALK-8", group="attacker")
    attacks: Stat = asked(2, "Attacks", "V5-WALK-11", group="attacker")
    front: Armour = asked(12, "Front armour", "V5-WALK-9", group="attacker", short="Front")
    types: Names = asked(("walker",), "Types", "V5-OPEN-5", group="attacker", known=("walker", "open_topped"))
    weapon_names: Names = asked(
        ("gun",), "Intact weapons", "V5-DMG-3", group="attacker", short="Weapons", profile="weapon"
    )
    dccw: Names = asked(
        ("fist",), "Its close combat weapons", "V5-WALK-16", group="attacker", among=lambda inputs: inputs.weapon_names
    )
    shaken: bool = asked(False, "Crew shaken", "V5-DMG-1", group="attacker")
    stunned: bool = asked(False, "Crew stunned", "V5-WALK-11", group="attacker")
    immobilised: bool = asked(False, "Immobilised", "V5-WALK-11", group="attacker")

    foe: str = asked("", "Unit profile of the foe", group="target", profile="unit")
    foe_walker: str = asked("", "Walker profile of the foe", group="target", profile="vehicle")
    foe_is_walker: bool = asked(False, "The foe is a walker", "V5-WALK-8", group="target")
    foe_models: int = asked(5, "Models", group="target", ge=1, le=100)
    foe_in_reach: Many | None = asked(None, "Models that can strike at most", "V5-ASLT-3", group="target")
    foe_ws: Stat = asked(4, "WS", "V5-CORE-10", group="target")
    foe_strength: Stat = asked(4, "Strength", group="target", short="S")
    foe_toughness: Stat = asked(4, "Toughness", "V5-CORE-7", group="target")
    foe_wounds: Stat = asked(1, "Wounds of each", "V5-CORE-8", group="target")
    foe_initiative: Stat = asked(4, "Initiative", "V5-CORE-16", group="target")
    foe_attacks: Stat = asked(1, "Attacks of each", "V5-ASLT-3", group="target")
    foe_ld: int = asked(8, "Ld", "V5-CORE-5", group="target", ge=2, le=10)
    foe_save: ArmourSave | None = asked(None, "Armour save", group="target")
    foe_two_weapons: int = asked(0, "Models with two weapons", "V5-ASLT-3", group="target", ge=0, le=100)
    foe_heavy: Many = asked(0, "Models whose weapon doubles their strength", "V5-ASLT-6", group="target")
    foe_fearless: bool = asked(False, "Fearless", "V5-CORE-5", group="target")
    foe_rules: Names = asked((), "Special rules", group="target", known=keywords.UNIT_RULES)
    grenade: Grenade | None = asked(None, "Grenade in place of their blows", "V5-WALK-10", group="target")
    foe_front: Armour = asked(12, "Front armour, if it is a walker", "V5-WALK-9", group="target")
    foe_types: Names = asked(
        ("walker",), "Types if it is a walker", "V5-OPEN-5", group="target", known=("walker", "open_topped")
    )
    foe_weapon_names: Names = asked(("gun",), "Its weapons, if it is a walker", group="target", profile="weapon")
    foe_dccw: Names = asked(
        ("fist",),
        "Its close combat weapons",
        "V5-WALK-16",
        group="target",
        among=lambda inputs: inputs.foe_weapon_names,
    )

    charges: Charger = asked("walker", "Who charges", "V5-WALK-16", group="circumstances")
    rounds: int = asked(3, "Rounds", "V5-CORE-16", group="circumstances", ge=1, le=12)


def begin_walker_fight(inputs: WalkerFightInputs, rulings: Rulings) -> Fight:
    """Return both sides before the first blow."""
    condition = _inputs.condition_from_inputs(inputs)
    foe = _inputs.part_of(inputs, "foe_")
    if inputs.charges == "walker":
        raise_if_refused(walkers.refuse_walker("assault", condition=condition))
    walker = _walker(inputs, inputs.walker or "walker")
    start = _condition(inputs, condition, rulings)
    if foe.is_walker:
        other = _walker(foe, foe.walker or "other walker")
        fight = Fight(walker, other, inputs.charges, start, start, _condition(foe, UNDAMAGED, rulings))
        return replace(fight, last=inputs.rounds, rulings=rulings)
    squad = walkers.squad_fighter(
        foe,
        inputs.foe or "unit",
        grenade=None if inputs.grenade is None else assault.grenade_blow(inputs.grenade, 1),
        fearless=foe.fearless,
        in_reach=walkers.ALL_MODELS if foe.in_reach is None else foe.in_reach,
        heavy=foe.heavy,
    )
    fight = Fight(walker, squad, inputs.charges, start, start, models=foe.models, fielded=foe.models)
    return replace(fight, last=inputs.rounds, rulings=rulings)


def _walker(numbers: Any, name: str) -> WalkerFighter:
    return walkers.walker_fighter(numbers, numbers.dccw, "open_topped" in numbers.types, name)


def _condition(numbers: Any, condition: Condition, rulings: Rulings) -> Condition:
    """Return a walker's condition; its foe would destroy close combat weapons first."""
    dccw = numbers.dccw
    if len(set(dccw)) < len(dccw):
        raise BadInput.of("dccw", f"must have a name of its own for each weapon; got {', '.join(dccw)}.")
    names = (*dccw, *(name for name in numbers.weapon_names if name not in dccw))
    return condition_with(names, dccw, condition, rulings)


def fill_walker_fight(given: Mapping[str, Any], profiles: ProfileBook) -> dict[str, Any]:
    if given.get("foe") and given.get("foe_walker"):
        both = InputName("foe"), " and ", InputName("foe_walker")
        raise BadInput(("only one of ", *both, " can be given; got both."), field="foe_walker")
    for name in profiles.entries["vehicle"] if given.get("foe") else ():
        if name.lower() == str(given["foe"]).strip().lower():
            raise BadInput.of("foe", ("must be a unit of soldiers; for ", name, " use ", InputName("foe_walker"), "."))
    filled = fill_walker(fill_walker(given, profiles), profiles, "foe_")
    if filled.get("foe_walker"):
        return {"foe_is_walker": True, **filled}
    filled = _inputs.fill_unit(filled, profiles, WalkerFightInputs, "foe", "foe_")
    if filled.get("foe") and given.get("grenade") in GRENADES:
        _inputs.grenade_numbers(str(given["grenade"]), profiles, filled["foe"])
    return filled


def fill_walker(given: Mapping[str, Any], profiles: ProfileBook, prefix: str = "") -> dict[str, Any]:
    """Fill in the numbers of the named walker that the player did not give."""
    key, names = f"{prefix}walker", ("ws", "strength", "initiative", "attacks", "front", "types")
    read: dict[str, Callable[[Any], Any]] = {name: attrgetter(name) for name in names}
    read |= {"weapon_names": book.labels, "dccw": lambda walker: book.walker_weapons(walker, profiles)}
    filled = fill_from(given, "vehicle", profiles, key=key, **{prefix + name: of for name, of in read.items()})
    if filled.get(key) and "walker" not in profiles.find("vehicle", filled[key]).types:
        known = [name for name, vehicle in profiles.entries["vehicle"].items() if "walker" in vehicle.types]
        known_ones = f"Walkers: {', '.join(known)}."
        raise BadInput.of(key, f"must be a walker; got {filled[key]!r}, which is not one. {known_ones}")
    return filled


def foe_lost(fight: Fight) -> int:
    """Count the models that the foe has lost; a walker is one."""
    return fight.fielded - fight.models if fight.foe_condition is None else int(fight.foe_condition.is_destroyed)


def walker_fight_headline(answer: Answer) -> str:
    both, fled, open_ = (answer.odds("over").chance(ENDS[end][0]) for end in ("both_destroyed", "foe_fled", ""))
    dead, fallen = (answer.odds(f"{side}_destroyed").chance(1) for side in ("walker", "foe"))
    chances = [
        ("the foe is destroyed", fallen),
        ("it escapes", fled),
        ("the walker is destroyed", dead),
        ("both", both),
    ]
    listed_chances = ", ".join(
        f"{words} {percent(chance)}" for words, chance in chances if chance or "destroyed" in words
    )
    return f"In {plural(answer.inputs.rounds, 'round')} {listed_chances}; undecided {percent(open_)}."


ENDS = {
    "": ("goes on", "Undecided"),
    "walker_destroyed": ("walker destroyed", "The walker is destroyed"),
    "foe_destroyed": ("foe destroyed", "The foe is destroyed"),
    "both_destroyed": ("both destroyed", "Both are destroyed"),
    "foe_fled": ("foe escapes", "The foe escapes"),
    "foe_swept": ("foe caught and destroyed", "The walker catches the foe, which is destroyed"),
}
"""How a fight ends, in the words of the answer and of a result."""
NOTHING_LEFT = ("foe_destroyed", "both_destroyed", "foe_swept")


def _fight_result(roll: Roll) -> str:
    over = roll.state.over
    lost = "" if roll.inputs.foe_walker else f"; {plural(roll.results['foe_lost'], 'model')} of the foe lost"
    ends = ENDS[over][1]
    return f"After {plural(roll.results['rounds'], 'round')}: {ends[0].lower()}{ends[1:]}{lost}."


def _fight_table(inputs: WalkerFightInputs, rulings: Rulings) -> Table:
    fight = replace(begin_walker_fight(inputs, rulings), round=1)
    walker, foe = walkers.walker_as_target(fight.walker, fight.walker_condition), fight.foe
    hits = [(walkers.own_blow(fight), ws_to_hit(fight.walker.ws, foe.ws))]
    hits += [(blow, walkers.blow_to_hit(blow, foe.ws, walker, rulings)) for blow in walkers.foe_blows(fight)]
    rows = tuple((blow.name, str(blow.attacks), str(blow.strength), format_to_hit(hit)) for blow, hit in hits)
    return Table("The first round", ("who", "attacks", "strength", "to hit"), rows, "V5-WALK-8")


WALKER_FIGHT = Question(
    "walker_fight",
    "How does a walker fare in close combat?",
    WalkerFightInputs,
    begin_walker_fight,
    walkers.fight_procedure,
    (
        Measure(
            "over", "How it ends", lambda fight: ENDS[fight.over][0], values=tuple(end[0] for end in ENDS.values())
        ),
        yes_no_measure(
            "walker_destroyed", "Walker destroyed", lambda fight: fight.walker_condition.is_destroyed, "attacker"
        ),
        yes_no_measure("foe_destroyed", "Foe destroyed", lambda fight: fight.over in NOTHING_LEFT),
        Measure("foe_lost", "Models of the foe lost", foe_lost, "models"),
        Measure("won_by", "Who won the fight, or its last round", won_by, values=("walker", "foe", "nobody")),
        Measure("rounds", "Rounds fought", lambda fight: fight.round, "rounds"),
        *_inputs.own_damage(),
    ),
    walker_fight_headline,
    fill=fill_walker_fight,
    table=_fight_table,
    rulings=(
        "combat_morale",
        "walker_penalty",
        "grenades_on_helpless_walker",
        "volley_order",
        *_inputs.DAMAGE_RULINGS,
    ),
    result=_fight_result,
    example={
        "walker": "Warden strider",
        "charges": "walker",
        "foe": "Furnace company",
        "foe_models": 4,
        "grenade": "krak",
        "rounds": 2,
    },
    small={"charges": "walker", "foe_models": 4, "foe_save": 3, "grenade": "krak", "rounds": 2},
    lead=(
        Lead("foe_destroyed", lambda answer: f"the foe is destroyed in {plural(answer.inputs.rounds, 'round')}"),
        Lead("walker_destroyed", lambda answer: f"the walker is destroyed in {plural(answer.inputs.rounds, 'round')}"),
        Lead("over", "undecided", holds=lambda end: end == ENDS[""][0]),
    ),
)
