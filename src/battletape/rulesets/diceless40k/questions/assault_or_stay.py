"""The question `assault_or_stay`: charge the enemy, or stay and shoot, over the coming player turns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import inf
from typing import TYPE_CHECKING, Any, Literal

from battletape.cards import Goal, Inputs, Lead, Measure, ProfileBook, Question, Table, asked
from battletape.rulebook import (
    Caution,
    Procedure,
    State,
    Tape,
    by_default,
    capital,
    clause,
    fold,
    inches,
    plural,
    replace,
)
from battletape.rulesets.diceless40k.profiles.types import Ap, Inches, Save, WeaponProfile, WeaponType
from battletape.rulesets.diceless40k.questions import _inputs
from battletape.rulesets.diceless40k.questions.fight import (
    FightingUnit,
    fighter_of,
    fill_fighting_unit,
    fill_preferred,
    with_preferred,
)
from battletape.rulesets.diceless40k.rules.attacks import aim_of
from battletape.rulesets.diceless40k.rules.blows import Fighter, begin_fight, with_charge_bonus
from battletape.rulesets.diceless40k.rules.casualties import Losses, Target
from battletape.rulesets.diceless40k.rules.close_combat import FIGHT
from battletape.rulesets.diceless40k.rules.keywords import WEAPON_RULES
from battletape.rulesets.diceless40k.rules.leadership import leadership_line
from battletape.rulesets.diceless40k.rules.morale import must_check, take_morale_test
from battletape.rulesets.diceless40k.rules.shooting import SHOOTING, Aim, Shooting, refuse_range
from battletape.rulesets.diceless40k.rulings import Rulings

if TYPE_CHECKING:
    from battletape.answer import Answer, Roll

CHARGE, SHOOT, STAY = "assault", "stay and shoot", "stay"
SIDES = ("attacker", "defender")
REACH = 6.0  # of a charge
BEFORE_A_CHARGE = ("pistol", "assault")
NAMES = ("our unit", "the enemy")
TURN_VERBS = {CHARGE: "assaults", SHOOT: "shoots", STAY: "stays"}
ENDS = {"destroyed": "is destroyed", "caught": "is run down", "falls back": "falls back"}


class DuelUnit(FightingUnit, frozen=True):
    """A unit that may fight or shoot."""

    guns: tuple[_inputs.Gun, ...] = asked(
        (), "All that a profile can fire", "DL-19.2", group="attacker", short="weapon"
    )
    gun: str = asked(
        "", "Weapon profile that it fires", about=", instead of all that it has", group="attacker", profile="weapon"
    )
    firers: int = asked(0, "Models that fire", "DL-19.2", about="all if 0", group="attacker", ge=0, le=200)
    bs: int = asked(4, "BS", "DL-19.1", group="attacker", short="BS", ge=0, le=10)
    gun_strength: int = asked(4, "Strength of its gun", "DL-19.1", group="attacker", ge=1, le=12)
    gun_ap: Ap | None = asked(5, "AP of its gun", "DL-20.1", group="attacker")
    shots: int = asked(2, "Shots of each at this range", "DL-19.1", about="0 for no gun", group="attacker", ge=0, le=60)
    gun_type: WeaponType = asked("rapid_fire", "Type of its gun", "DL-0.1", group="attacker")
    gun_range: Inches = asked(24, "Range of its gun", "DL-29.1", group="attacker")
    gun_rules: _inputs.Names = asked((), "Special rules of its gun", "DL-31.1", group="attacker", known=WEAPON_RULES)
    cover: Save | None = asked(None, "Cover save where it stands", "DL-20.1", group="attacker")


class AssaultOrStayInputs(Inputs, frozen=True):
    """Two units that could charge each other."""

    own: tuple[DuelUnit, ...] = asked((DuelUnit(unit=""),), "Our unit", "DL-PREP.12", group="attacker", short="unit")
    enemy: tuple[DuelUnit, ...] = asked((DuelUnit(unit=""),), "The enemy", "DL-PREP.12", group="target", short="enemy")
    distance: float = asked(
        REACH, "Distance", "DL-29.1", group="circumstances", unit="inches", form="circumstance", ge=0, le=240
    )
    player_turns: int = asked(4, "Player turns to look ahead", "DL-PREP.12", group="circumstances", ge=1, le=8)
    enemy_may: Literal["choose", "assault", "shoot"] = asked(
        "choose", "What the enemy does", "DL-PREP.12", group="circumstances"
    )


class Duel(State, frozen=True):
    """Two units turn by turn; of the two `fighters` the first is our unit."""

    fighters: tuple[Fighter, Fighter]
    inputs: tuple[DuelUnit, DuelUnit]
    rulings: Rulings
    enemy_may: str
    hp_before: tuple[int, int]
    turns: int  # that are looked at
    distance: float = REACH
    turn: int = 0  # even turns are ours
    locked: bool = False
    ending: str = ""  # which unit is destroyed, run down or falls back
    course: tuple[str, ...] = ()  # what was done in each turn
    hp_after_turns: tuple[tuple[int, int], ...] = ()  # HP of both after each turn


def _hp(fighter: Fighter) -> int:
    return sum(group.hp_left for group in fighter.groups)


@clause("DL-PREP.12")
def begin_assault_or_stay(inputs: AssaultOrStayInputs, rulings: Rulings) -> Duel:
    """Return both units before the first turn, which is ours."""
    sides = (inputs.own or (DuelUnit(),))[0], (inputs.enemy or (DuelUnit(),))[0]
    fighters = tuple(
        fighter_of(replace(side, charging=False), side.unit or name, by, rulings)
        for side, name, by in zip(sides, NAMES, SIDES, strict=True)
    )
    if fighters[0].name == fighters[1].name:
        fighters = replace(fighters[0], name=f"own {fighters[0].name}"), fighters[1]
    own, enemy = with_preferred(fighters, sides)
    both = own, enemy
    hp_before = _hp(both[0]), _hp(both[1])
    return Duel(both, sides, rulings, inputs.enemy_may, hp_before, inputs.player_turns, inputs.distance)


@clause("DL-PREP.12")
def play_turn(tape: Tape, duel: Duel) -> Duel:
    """Play one player turn: fight on if locked, else charge or shoot as its player chooses."""
    side_index = duel.turn % 2
    if duel.ending:
        return replace(duel, turn=duel.turn + 1)
    if duel.locked:
        return _end_turn(tape, _fight(tape, duel, None), "fights on")
    choice = _choose(tape, duel, side_index)
    if choice == CHARGE:
        duel = _fire(tape, duel, side_index, charging=True)
        return _end_turn(tape, duel if duel.ending else _fight(tape, duel, side_index), CHARGE)
    return _end_turn(tape, _fire(tape, duel, side_index), choice)


def _end_turn(tape: Tape, duel: Duel, choice: str) -> Duel:
    own, enemy = duel.fighters
    tape.tell(turn_line, duel, choice, clause="DL-38.1" if choice != SHOOT else "DL-19.2")
    hp_after_turns = (*duel.hp_after_turns, (_hp(own), _hp(enemy)))
    return replace(duel, turn=duel.turn + 1, course=(*duel.course, choice), hp_after_turns=hp_after_turns)


def _choose(tape: Tape, duel: Duel, side_index: int) -> str:
    forced = {"assault": (CHARGE,), "shoot": (SHOOT,)}.get(duel.enemy_may) if side_index else None
    options = forced or (SHOOT if aims_at(duel, side_index) else STAY, CHARGE)
    return str(tape.choose(options, by=SIDES[side_index], label=f"player turn {duel.turn + 1}"))


def _target(duel: Duel, side_index: int) -> Target:
    """Return a unit as the target of the other one."""
    return Target(
        duel.fighters[side_index].groups,
        duel.rulings,
        cover=duel.inputs[side_index].cover,
        by="nobody",
        picks_save=False,
    )


@clause("DL-19.2", "DL-30.8", "DL-0.1")
def aims_at(duel: Duel, side_index: int, charging: bool = False) -> tuple[Aim, ...]:
    """Return all that a unit fires at the other: of each group that is left the first weapon that may fire.

    Before a charge only pistols and assault weapons may, as in the base game.
    """
    side, shooter, target = duel.inputs[side_index], duel.fighters[side_index], _target(duel, 1 - side_index)
    guns = [_gun_left(gun, shooter) for gun in side.guns]
    guns = [gun for gun in guns if gun.models and (gun.type in BEFORE_A_CHARGE or not charging)]
    if side.guns:
        firing = _inputs.guns_that_fire(guns, duel.distance)
        return _inputs.aims_of(firing, target, duel.distance, False, duel.rulings)[0] if firing else ()
    weapon = WeaponProfile(
        name=side.gun or "gun",
        type=side.gun_type,
        strength=side.gun_strength,
        ap=side.gun_ap,
        range=side.gun_range,
        rules=_inputs.weapon_rules_named(side.gun_rules),
    )
    models = min(side.firers or shooter.models, shooter.models)
    barred = charging and side.gun_type not in BEFORE_A_CHARGE
    if barred or not models * side.shots or refuse_range(side.gun_range, duel.distance) is not None:
        return ()
    return (aim_of(weapon, side.bs, target, models, side.shots, duel.distance),)


def _gun_left(gun: _inputs.Gun, shooter: Fighter) -> _inputs.Gun:
    """Return a gun with as many models as are left of its bearers; any crew serves artillery."""
    if gun.firer_type == "artillery":
        return gun if shooter.models else replace(gun, models=0)
    bearers = sum(group.models for group in shooter.groups if group.name == gun.bearers)
    models = min(gun.models, bearers) if gun.bearers else gun.models
    return replace(gun, models=models, hits=gun.hits[: models * gun.shots])


@clause("DL-19.2", "DL-8.1")
def _fire(tape: Tape, duel: Duel, side_index: int, charging: bool = False) -> Duel:
    """Let one unit shoot; the other tests if it lost a quarter of its models, and is out of it if it fails.

    Every lesser choice takes its first option.
    """
    victim, target = duel.fighters[1 - side_index], _target(duel, 1 - side_index)
    aims = aims_at(duel, side_index, charging)
    if not aims:
        return duel
    shot: Shooting = by_default(SHOOTING, Shooting(duel.rulings, aims, target, by="nobody"))
    victim = replace(victim, groups=shot.target.groups)
    dmg = sum(packet.dmg for packet in shot.packets)
    tape.tell(shot_line, duel.fighters[side_index].name, victim.name, dmg, shot.target.losses, clause="DL-19.2")
    ending = "" if shot.target.models else f"{victim.name} is destroyed"
    inputs = duel.inputs[1 - side_index]
    starting = inputs.models + sum(other.models for other in inputs.others)
    test_result = take_morale_test(victim.groups, victim.op, starting)
    if not ending and must_check(target.models, shot.target.removed) and test_result is not None:
        victim = replace(victim, op=test_result.op)
        tape.tell(leadership_line, test_result, f"{capital(victim.name)}, a quarter lost")
        ending = "" if test_result.passed else f"{victim.name} falls back"
    return replace(_with_fighter(duel, 1 - side_index, victim), ending=ending)


@clause("DL-38.1", "DL-44.1")
def _fight(tape: Tape, duel: Duel, charging: int | None) -> Duel:
    """Fight a round of close combat; chargers have one attack more."""
    first, second = (_with_charge(fighter, side_index == charging) for side_index, fighter in enumerate(duel.fighters))
    fight = replace(begin_fight((first, second), duel.rulings), chooser="nobody", picks_save=False)
    fight = fold(FIGHT, tape, fight)
    ends = [f"{unit.name} {ENDS[unit.fate]}" for unit in fight.units if unit.fate in ENDS]
    ending = ends[0] if ends else ""
    kept = [
        replace(before, groups=unit.groups, op=unit.op) for before, unit in zip(duel.fighters, fight.units, strict=True)
    ]
    return replace(duel, fighters=(kept[0], kept[1]), locked=not ending, ending=ending)


def _with_charge(fighter: Fighter, charges: bool) -> Fighter:
    if not charges:
        return fighter
    strikes = tuple(replace(strike, blow=with_charge_bonus(strike.blow)) for strike in fighter.strikes)
    return replace(fighter, strikes=strikes)


def _with_fighter(duel: Duel, side_index: int, fighter: Fighter) -> Duel:
    own, enemy = duel.fighters
    return replace(duel, fighters=(fighter, enemy) if side_index == 0 else (own, fighter))


def procedure(start: Duel) -> Procedure:
    """Return the stages: as many player turns as are looked at."""
    return Procedure("assault or stay", (play_turn,) * start.turns)


# --- in words ---------------------------------------------------------------------------------------------------------


def hp_counted_as_lost(duel: Duel, side_index: int) -> int:
    """Return the HP that a side has lost; a unit that fled or fell counts with all that it began with."""
    name = duel.fighters[side_index].name
    return (
        duel.hp_before[side_index]
        if duel.ending.startswith(name)
        else duel.hp_before[side_index] - _hp(duel.fighters[side_index])
    )


def balance(duel: Duel) -> int:
    """Return the HP that the enemy lost, less our own."""
    return hp_counted_as_lost(duel, 1) - hp_counted_as_lost(duel, 0)


def assault_or_stay_headline(answer: Answer) -> str:
    """Say which course is better, and how both end."""
    (duel,) = answer.states.weights
    text = f"{capital(duel.course[0])}: {_end(duel)}."
    for option in answer.choices[0].options if answer.choices and duel.course else ():
        if option.option != duel.course[0]:
            (other,) = option.odds.weights
            text += f" {capital(str(option.option))} instead: {_end(other)}."
    return text


def _course_text(answer: Answer) -> str:
    """Say what the best course costs both."""
    (duel,) = answer.states.weights
    return f"{NAMES[1]} loses {hp_counted_as_lost(duel, 1)} HP, {NAMES[0]} {hp_counted_as_lost(duel, 0)} HP"


def _end(duel: Duel) -> str:
    """Say how a course ends: what both lose, and which is beaten."""
    turns = plural(len(duel.course), "player turn")
    return f"in {turns} {NAMES[1]} loses {_losses(duel, 1)}, and {NAMES[0]} loses {_losses(duel, 0)}"


def _losses(duel: Duel, side_index: int) -> str:
    """Return the HP that a side really loses, and how it ends with those it has left."""
    fighter = duel.fighters[side_index]
    left = _hp(fighter)
    if not duel.ending.startswith(fighter.name):
        return f"{duel.hp_before[side_index] - left} HP"
    end = duel.ending.removeprefix(fighter.name).strip()
    return f"{duel.hp_before[side_index] - left} HP and {end}" + (f" with {left} HP" if left else "")


def shot_line(shooter: str, target: str, dmg: int, losses: Losses) -> str:
    """Say what the shots of a unit do to the other."""
    lost = f"{losses.hp_removed} HP lost, {plural(losses.removed, 'model')} removed"
    return f"{capital(shooter)} fires at {target}: {dmg} DMG, {lost}"


def turn_line(duel: Duel, choice: str) -> str:
    """Say what was done in a turn, and how both stand."""
    own, enemy = duel.fighters
    text = f"Player turn {duel.turn + 1}, {duel.fighters[duel.turn % 2].name}: {choice}"
    ends = f"; {duel.ending}" if duel.ending else ""
    left = plural(own.models, "model")
    return f"{text}; {own.name} has {left} and {_hp(own)} HP, {enemy.name} {enemy.models} and {_hp(enemy)} HP{ends}"


def course_table(answer: Answer) -> Table:
    """Show both courses turn by turn, with the HP that both sides have left; the better balance is marked."""
    choice = answer.choices[0]
    duels = [next(iter(option.odds.weights)) for option in choice.options]
    rows = []
    for turn in range(max(len(duel.course) for duel in duels)):
        unit_name = answer.start.fighters[turn % 2].name
        rows.append((f"{turn + 1}: {unit_name}", *(_hp_cell(duel, turn) for duel in duels)))
    rows.append(("the end", *(_end_cell(duel) for duel in duels)))
    for side_index in (1, 0):
        taken = (
            f"{duel.hp_before[side_index] - _hp(duel.fighters[side_index])} of {duel.hp_before[side_index]} HP"
            for duel in duels
        )
        rows.append((f"{NAMES[side_index]} loses", *taken))
    rows.append(("balance", *(f"{balance(duel):+d} HP" for duel in duels)))
    head = ("player turn", *(str(option.option) for option in choice.options))
    title = "Both courses: HP of our unit and of the enemy after each turn"
    return Table(title, head, tuple(rows), "DL-PREP.12", (len(rows) - 1, choice.best + 1))


def _hp_cell(duel: Duel, turn: int) -> str:
    if turn >= len(duel.course):
        return ""
    own, enemy = duel.hp_after_turns[turn]
    return f"{TURN_VERBS.get(duel.course[turn], duel.course[turn])}: {own}, {enemy}"


def _end_cell(duel: Duel) -> str:
    for fighter, name in zip(duel.fighters, NAMES, strict=True):
        if duel.ending.startswith(fighter.name):
            return name + duel.ending.removeprefix(fighter.name)
    return "both still stand"


def fill_assault_or_stay(given: Mapping[str, Any], book: ProfileBook) -> dict[str, Any]:
    """Fill in the numbers of named units, how they strike and what they fire."""
    filled = dict(given)
    for key in ("own", "enemy"):
        entries = filled.get(key)
        if isinstance(entries, (str, Mapping)):
            entries = [entries]
        if isinstance(entries, (list, tuple)):
            filled[key] = [_fill_side(entry, book, key) for entry in entries]
    return fill_preferred(filled, ("own", "enemy"), book)


def _fill_side(entry: Any, book: ProfileBook, key: str) -> Any:
    filled = fill_fighting_unit(entry, book, key)
    if not isinstance(filled, Mapping):
        return filled
    numbers: dict[str, Any] = {}
    if filled.get("unit"):
        fired = _inputs.guns_of(book.find("unit", str(filled["unit"])), book)
        single = [name for name in ("gun", "firers", "shots", "gun_strength", "gun_type") if name in filled]
        numbers = {"guns": fired, "bs": max(gun["bs"] for gun in fired)} if fired and not single else {}
        numbers |= {} if fired or single else {"shots": 0}
    gun = filled.get("gun")
    if gun:
        weapon = _inputs.fill_gun({"weapon": gun}, book)
        numbers |= {
            "gun": weapon["weapon"],
            "gun_strength": weapon["strength"] or 4,
            "gun_ap": weapon["ap"],
            "gun_type": weapon["type"],
            "gun_range": weapon["range"],
            "gun_rules": list(weapon["rules"]),
            "shots": 2 * weapon["shots"] if weapon["type"] == "rapid_fire" else weapon["shots"],
        }
    return {**numbers, **filled}


def warn_assault_or_stay(inputs: AssaultOrStayInputs, rulings: Rulings) -> Iterable[str | Caution]:
    """Warn of what is left out."""
    assumption = f"Both units are taken to stand {inches(inputs.distance)} apart and within reach of each other"
    fires = "a unit that stays fires all that may fire, before an assault pistols and assault weapons"
    yield Caution(f"{assumption}; {fires}", "DL-PREP.12")
    for side in (*inputs.own[:1], *inputs.enemy[:1]):
        for gun in _inputs.guns_that_fire(side.guns, inputs.distance):
            if gun.marker != "none":
                yield Caution(
                    f"{gun.weapon} is taken to hit one model with each marker, unless its hits are said", "DL-30.8"
                )
    yield Caution("A unit that is destroyed or falls back is out of it and counts with all its HP", "DL-45.1")
    if len(inputs.own) > 1 or len(inputs.enemy) > 1:
        yield Caution("Only the first unit of each side is looked at", "DL-PREP.12")


def result(roll: Roll) -> str:
    """Say what was done, and what it cost both sides."""
    results = roll.results
    return (
        f"{capital(results['course'])}: the enemy loses {results['enemy_lost']} HP, our unit {results['own_lost']} HP."
    )


ASSAULT_OR_STAY = Question(
    "assault_or_stay",
    "Assault, or stay and shoot?",
    AssaultOrStayInputs,
    begin_assault_or_stay,
    procedure,
    (
        Measure("balance", "HP that the enemy loses, less our own", balance, "HP"),
        Measure(
            "enemy_lost", "HP that the enemy loses, all if it is beaten", lambda duel: hp_counted_as_lost(duel, 1), "HP"
        ),
        Measure(
            "own_lost",
            "HP that our unit loses, all if it is beaten",
            lambda duel: hp_counted_as_lost(duel, 0),
            "HP",
            low_for=("attacker",),
        ),
        Measure("course", "What is done in the first turn", lambda duel: duel.course[0]),
    ),
    assault_or_stay_headline,
    fill=fill_assault_or_stay,
    warn=warn_assault_or_stay,
    result=result,
    example={"own": [{"unit": "Assault Marines"}], "enemy": [{"unit": "Ork Boyz"}]},
    small={
        "own": [{"models": 5, "attacks": 2}],
        "enemy": [{"models": 10, "ws": 4, "initiative": 2, "attacks": 2, "armour": 6, "ld": 7, "bs": 2}],
    },
    rulings=(
        "lost_assault",
        "combat_wounds",
        "sweep_tie",
        "claw_and_poison",
        "preferred_enemy",
        *_inputs.GUN_RULINGS,
        *_inputs.TROOP_RULINGS,
    ),
    goal=Goal(
        ("balance", "enemy_lost", "own_lost"),
        {"attacker": "max", "defender": "min"},
        course_table,
        span=lambda duel: (-inf, inf),
    ),
    lead=(Lead("course", _course_text),),
)
