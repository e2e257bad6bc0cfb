"""Walkers: vehicles that run, turn to shoot and fight like soldiers, round by round."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, Literal, TypeAlias

from battletape.rulebook import D6, Line, Procedure, Refused, State, Tape, capital, clause, labelled, replace
from battletape.rulesets.vehicles5.rules import assault, troops
from battletape.rulesets.vehicles5.rules.assault import Blow, WalkerDamage, resolve_blows_at_walker, shots_of_blow
from battletape.rulesets.vehicles5.rules.damage import UNDAMAGED, Condition
from battletape.rulesets.vehicles5.rules.firing import fire_mode
from battletape.rulesets.vehicles5.rules.movement import Situation, refuse_locked
from battletape.rulesets.vehicles5.rules.shooting import Shot, expected, roll_to_hit
from battletape.rulesets.vehicles5.rules.traits import Band, PenDice, Traits
from battletape.rulesets.vehicles5.rulings import DEFAULT, Rulings
from battletape.rulesets.vehicles5.tables.printed import NEVER

WalkerAction: TypeAlias = Literal[
    "run", "pivot_when_firing", "assault", "fight", "pile_in", "sweeping_advance", "consolidate", "morale_test"
]
ACTION_WORDS: dict[WalkerAction, str] = {
    "pivot_when_firing": "turn towards its target",
    "fight": "fight on",
    "pile_in": "pile in",
    "sweeping_advance": "sweep after those that flee",
    "morale_test": "test its morale",
}
_AFTER_A_ROUND: tuple[WalkerAction, ...] = ("pile_in", "sweeping_advance", "consolidate")


@clause("V5-WALK-1", "V5-WALK-4", "V5-WALK-5", "V5-WALK-6", "V5-WALK-7", "V5-WALK-13", "V5-WALK-14", "V5-DMG-2")
def refuse_walker(
    action: WalkerAction,
    *,
    fired: bool = False,
    target_is_fired_unit: bool = True,
    ran: bool = False,
    condition: Condition = UNDAMAGED,
) -> Refused | None:
    """Refuse an action that a walker may not do in its condition and after its turn so far."""
    action_words = ACTION_WORDS.get(action, action)
    if condition.is_destroyed:
        return Refused(f"a walker that is {condition.status} does not {action_words}", condition.ended_by, "destroyed")
    if action == "fight":
        return None
    if action == "morale_test":
        return Refused("a walker never tests its morale, however a fight went", "V5-WALK-13", "morale")
    if condition.immobilised:
        by = "V5-WALK-14" if action in _AFTER_A_ROUND else "V5-WALK-1"
        if action == "pivot_when_firing":
            by = "V5-WALK-5"
        return Refused(f"an immobilised walker may not {action_words}", by, "immobilised")
    if condition.stunned:
        by = "V5-WALK-14" if action in _AFTER_A_ROUND else "V5-DMG-2"
        return Refused(f"a stunned walker may not {action_words}", by, "stunned")
    if ran and action in ("pivot_when_firing", "assault"):
        return Refused(f"a walker that ran may not {action_words} in the same turn", "V5-WALK-4", "ran")
    if action == "pivot_when_firing" and fired:
        return Refused("a walker turns as it fires, not afterwards", "V5-WALK-5", "fired")
    if action == "assault" and fired and not target_is_fired_unit:
        return Refused("a walker that fired may assault only the unit it fired at", "V5-WALK-7", "target")
    return None


@clause("V5-WALK-1", "V5-WALK-5", "V5-WALK-6", "V5-WALK-7", "V5-WALK-14")
def refuse_action_now(action: WalkerAction, situation: Situation) -> Refused | None:
    """Refuse a run, a turn to fire, an assault or a consolidation in this situation."""
    refused = refuse_locked(situation.name, situation.locked_with) or refuse_walker(
        action,
        fired=situation.fired,
        target_is_fired_unit=not situation.other_target,
        ran=situation.ran,
        condition=situation.condition,
    )
    if action == "run":
        return refused or refuse_run(situation.name, situation.ran, situation.fired)
    if action == "pivot_when_firing":
        return refused or fire_mode(situation).why
    return refused


@clause("V5-WALK-1")
def refuse_run(name: str, ran: bool, fired: bool) -> Refused | None:
    """Refuse a run to a walker or squad that has run or fired."""
    if ran:
        return Refused(f"{name} has run this turn", "V5-WALK-1", "ran")
    if fired:
        return Refused(f"{name} has fired, and a run takes the place of shooting", "V5-WALK-1", "fired")
    return None


@clause("V5-WALK-1")
def roll_run(tape: Tape) -> int:
    """Roll how many inches a walker, or a soldier, runs."""
    return int(tape.roll(D6, label="run"))


@clause("V5-WALK-11", "V5-WALK-16")
def attack_count(a: int, dccw: int, charged: bool, condition: Condition = UNDAMAGED, rulings: Rulings = DEFAULT) -> int:
    """Return how many attacks a walker makes with so many close combat weapons intact."""
    hindered = condition.stunned + condition.immobilised
    less = hindered if rulings.walker_penalty == "each" else min(hindered, 1)
    return max(1, a + (dccw >= 2) + charged - less)


@clause("V5-WALK-16", "V5-CORE-23")
def blow_strength(s: int, dccw: int) -> int:
    """Return the strength of a walker's blow: twice its S with a close combat weapon intact."""
    return troops.capped(2 * s) if dccw else s


@clause("V5-WALK-8", "V5-ASLT-8", "V5-WALK-13", "V5-WALK-14")
def fight_actions(traits: Traits, condition: Condition = UNDAMAGED) -> tuple[WalkerAction, ...]:
    """Return what a walker may do in close combat and after it; for other vehicles nothing."""
    actions: tuple[WalkerAction, ...] = ("fight", *_AFTER_A_ROUND, "morale_test")
    return tuple(action for action in actions if traits.walker and refuse_walker(action, condition=condition) is None)


FightEnd: TypeAlias = Literal["", "walker_destroyed", "foe_destroyed", "both_destroyed", "foe_fled", "foe_swept"]
Charger: TypeAlias = Literal["walker", "foe", "nobody"]
ALL_MODELS = 100


class WalkerFighter(State, frozen=True):
    """The numbers of a walker that do not change during a fight."""

    ws: int
    strength: int
    initiative: int
    attacks: int
    front: int
    dccw: tuple[str, ...] = ()  # labels of its close combat weapons, intact or not
    open_topped: bool = False
    name: str = "walker"


class SquadFighter(State, frozen=True):
    """The numbers of a squad that do not change during a fight."""

    ws: int = 4
    strength: int = 4
    initiative: int = 4
    attacks: int = 1
    toughness: int = 4
    wounds: int = 1
    save: int = NEVER
    ld: int = 8
    two_weapons: int = 0  # models that strike with two; they fall last
    grenade: Blow | None = None  # in place of a model's blows
    fearless: bool = False
    in_reach: int = ALL_MODELS  # how many can strike at most
    rules: tuple[str, ...] = ()
    name: str = "unit"
    grenadiers: int = ALL_MODELS
    heavy: int = 0  # models with a weapon that doubles their strength
    times: int = 1  # what the weapon of all multiplies their strength by
    dice: PenDice = "d6"


class Fight(State, frozen=True):
    """The state of a fight."""

    walker: WalkerFighter
    foe: WalkerFighter | SquadFighter
    charge: Charger
    walker_condition: Condition
    start: Condition
    foe_condition: Condition | None = None  # if the foe is a walker
    models: int = 0  # if it is a unit
    wounds_lost: int = 0  # wounds on the first of them
    fielded: int = 0  # models at first
    round: int = 0
    last: int = 1
    wounds_on_walker: int = 0  # these two live within a round only
    wounds_on_foe: int = 0
    lead: int = 0  # of the walker in the last round
    simultaneous_blow: Blow | None = None  # equal initiative: the walker's, though it has been struck
    fleeing: bool = False
    over: FightEnd = ""
    sides: tuple[str, str] = ("attacker", "defender")  # the walker's and its foe's
    rulings: Rulings = DEFAULT

    @property
    def now(self) -> Condition:
        """Return the walker's condition."""
        return self.walker_condition


_WALKER_STATS = ("ws", "strength", "initiative", "attacks")
_SQUAD_STATS = (*_WALKER_STATS, "toughness", "wounds", "ld", "two_weapons", "rules")


def walker_fighter(numbers: Any, dccw: tuple[str, ...], open_topped: bool, name: str) -> WalkerFighter:
    """Return a walker with these numbers: a profile, or inputs with the same fields."""
    stats = {stat: getattr(numbers, stat) or 1 for stat in _WALKER_STATS}
    return WalkerFighter(**stats, front=numbers.front, dccw=dccw, open_topped=open_topped, name=name)


def squad_fighter(numbers: Any, name: str, **more: Any) -> SquadFighter:
    """Return a squad with these numbers: a profile, or inputs with the same fields."""
    stats = {stat: getattr(numbers, stat) for stat in _SQUAD_STATS}
    return SquadFighter(**stats, name=name, save=numbers.save or NEVER, **more)


@clause("V5-WALK-16", "V5-DMG-3")
def intact_melee_weapons(walker: WalkerFighter, condition: Condition, rulings: Rulings = DEFAULT) -> int:
    """Count the intact close combat weapons of a walker."""
    if not rulings.melee_weapon_can_be_destroyed:
        return len(walker.dccw)
    return sum(label in condition.weapons for label in walker.dccw)


@clause("V5-WALK-11", "V5-WALK-16")
def walker_blow(walker: WalkerFighter, condition: Condition, charged: bool, rulings: Rulings = DEFAULT) -> Blow:
    """Return the blow of a walker; its close combat weapon is a power weapon."""
    intact = intact_melee_weapons(walker, condition, rulings)
    count = attack_count(walker.attacks, intact, charged, condition, rulings)
    return Blow(walker.name, count, blow_strength(walker.strength, intact), power=intact > 0)


@clause("V5-ASLT-3", "V5-ASLT-4", "V5-CORE-14")
def squad_blows(squad: SquadFighter, models: int, charged: bool) -> list[Blow]:
    """Return the blows of so many models: a grenade each first, heavy weapons, then the rest."""
    count = min(models, squad.in_reach)
    blows = []
    if squad.grenade is not None:
        thrown = min(count, squad.grenadiers)
        blows.append(replace(squad.grenade, attacks=thrown, rules=squad.rules))
        count -= thrown
    heavy = min(count, squad.heavy)
    paired = min(count - heavy, squad.two_weapons)
    strong = assault.attack_count(heavy, squad.attacks, False, charged)
    single = assault.attack_count(count - heavy - paired, squad.attacks, False, charged)
    double = assault.attack_count(paired, squad.attacks, True, charged)
    if strong:
        s = troops.capped(2 * squad.strength)
        blows.append(Blow(f"{squad.name}, heavy", strong, s, squad.dice, rules=squad.rules))
    if single or double:
        s = troops.capped(squad.times * squad.strength)
        blows.append(Blow(squad.name, single + double, s, squad.dice, rules=squad.rules))
    return blows


BLOWS = "blows"
"""The choice of a squad that uses no grenades."""


class BlowTarget(State, frozen=True):
    """A vehicle as a target of blows."""

    av: int
    condition: Condition = UNDAMAGED
    open_topped: bool = False
    band: Band = "stationary"
    ws: int | None = None  # of a walker
    hits_on: int | None = None  # by the input, which goes before the rules


@clause("V5-WALK-8", "V5-WALK-10", "V5-CORE-10", "V5-ASLT-5")
def blow_to_hit(blow: Blow, ws: int, target: BlowTarget, rulings: Rulings) -> int:
    """Return what a blow needs to hit: by speed, or by WS against a walker, or 6 for a grenade."""
    if target.hits_on is not None:
        return target.hits_on
    if target.ws is None:
        return assault.vehicle_to_hit(target.band, target.condition.immobilised)
    helpless = target.condition.stunned or target.condition.immobilised
    by_ws = helpless and rulings.grenades_on_helpless_walker == "ws_table"
    return 6 if blow.grenade and not by_ws else troops.ws_to_hit(ws, target.ws)


@clause("V5-ASLT-6", "V5-WALK-8", "V5-WALK-9")
def shots_of_blows(
    target: BlowTarget, blows: Iterable[Blow], ws: int, rulings: Rulings = DEFAULT, by: str = "attacker"
) -> tuple[Shot, ...]:
    """Return blows with this WS, ready to be rolled against a vehicle."""
    shots: tuple[Shot, ...] = ()
    for blow in blows:
        hits_on = blow_to_hit(blow, ws, target, rulings)
        shots += shots_of_blow(blow, hits_on, target.av, target.open_topped, rulings, by, target.ws is not None)
    return shots


@clause("V5-ASLT-4", "V5-WALK-10")
def choose_grenade(
    tape: Tape,
    squad: SquadFighter,
    grenades: Mapping[str, Blow],
    models: int,
    charged: bool,
    target: BlowTarget,
    rulings: Rulings = DEFAULT,
    by: str = "attacker",
) -> SquadFighter:
    """Choose grenades or blows for a squad; the options that damage the vehicle most come first."""
    ways = {BLOWS: squad, **{name: replace(squad, grenade=grenade) for name, grenade in grenades.items()}}

    def expected_damage(name: str) -> Fraction:
        volley = expected(shots_of_blows(target, squad_blows(ways[name], models, charged), squad.ws, rulings))
        return volley.glancing + volley.penetrating

    options = tuple(sorted(ways, key=lambda name: -expected_damage(name)))  # of equals, blows
    return ways[tape.choose(options, by=by, label=labelled(squad.name, "grenades or blows"))]


@clause("V5-WALK-8", "V5-WALK-16", "V5-CORE-7", "V5-CORE-8", "V5-CORE-10")
def resolve_blow_at_squad(
    tape: Tape, ws: int, blow: Blow, squad: SquadFighter, models: int, wounds_lost: int
) -> troops.Loss:
    """Resolve the blows of a walker with this WS at a squad."""
    save = NEVER if blow.power else squad.save
    group = troops.ModelGroup(squad.name, models, squad.toughness, save, squad.wounds)
    hits = roll_to_hit(tape, blow.name, troops.ws_to_hit(ws, squad.ws), dice=blow.attacks)
    return troops.roll_losses(tape, hits, blow.strength, group, wounds_lost=wounds_lost)


@clause("V5-WALK-9")
def walker_as_target(walker: WalkerFighter, condition: Condition) -> BlowTarget:
    """Return a walker as a target of blows: by its front, the only armour that it has in a fight."""
    return BlowTarget(walker.front, condition, walker.open_topped, ws=walker.ws)


@clause("V5-WALK-11", "V5-WALK-16")
def own_blow(fight: Fight) -> Blow:
    """Return the walker's blow; a charge counts in the first round."""
    charged = fight.charge == "walker" and fight.round == 1
    return walker_blow(fight.walker, fight.walker_condition, charged, fight.rulings)


@clause("V5-ASLT-3", "V5-WALK-11")
def foe_blows(fight: Fight) -> list[Blow]:
    """Return the blows of the walker's foe."""
    foe = fight.foe
    charged = fight.charge == "foe" and fight.round == 1
    if isinstance(foe, SquadFighter):
        return squad_blows(foe, fight.models, charged)
    assert fight.foe_condition is not None
    return [walker_blow(foe, fight.foe_condition, charged, fight.rulings)]


def _strike_walker(tape: Tape, fight: Fight) -> Fight:
    target = walker_as_target(fight.walker, fight.walker_condition)
    shots = shots_of_blows(target, foe_blows(fight), fight.foe.ws, fight.rulings, fight.sides[1])
    rest = replace(fight, walker_condition=fight.start)
    return tape.call(
        resolve_blows_at_walker, fight.walker_condition, shots, fight.walker.name, then=_after_foe_blows, rest=rest
    )


def _after_foe_blows(fight: Fight, damage: WalkerDamage) -> Fight:
    wounds = damage.wounds if isinstance(fight.foe, SquadFighter) else 0  # no morale, no count
    return replace(fight, walker_condition=damage.condition, wounds_on_walker=wounds)


def _strike_foe(tape: Tape, fight: Fight, blow: Blow) -> Fight:
    ws = fight.walker.ws
    foe = fight.foe
    if isinstance(foe, SquadFighter):
        return tape.call(
            resolve_blow_at_squad,
            ws,
            blow,
            foe,
            fight.models,
            fight.wounds_lost,
            then=_after_squad_losses,
            rest=fight,
            tell=squad_losses_line,
        )
    foe_condition = fight.foe_condition
    assert foe_condition is not None
    shots = shots_of_blows(walker_as_target(foe, foe_condition), [blow], ws, fight.rulings, fight.sides[0])
    return tape.call(
        resolve_blows_at_walker,
        foe_condition,
        shots,
        foe.name,
        then=_after_walker_blow,
        rest=replace(fight, foe_condition=None),
    )


def _after_squad_losses(fight: Fight, loss: troops.Loss) -> Fight:
    left = fight.models - loss.models
    return replace(fight, models=left, wounds_lost=loss.wounds_on_next, wounds_on_foe=loss.wounds)


def _after_walker_blow(fight: Fight, damage: WalkerDamage) -> Fight:
    return replace(fight, foe_condition=damage.condition)


def _foe_is_gone(fight: Fight) -> bool:
    return fight.models == 0 if fight.foe_condition is None else fight.foe_condition.is_destroyed


@clause("V5-WALK-8", "V5-CORE-16", "V5-WALK-12")
def strike_first(tape: Tape, fight: Fight) -> Fight:
    """Strike with the side of higher initiative; if both are equal, with the foe."""
    if fight.over:
        return fight
    fight = replace(fight, round=fight.round + 1, lead=0)
    if fight.walker.initiative > fight.foe.initiative:
        return _strike_foe(tape, fight, own_blow(fight))
    if fight.walker.initiative == fight.foe.initiative:
        fight = replace(fight, simultaneous_blow=own_blow(fight))
    return _strike_walker(tape, fight)


@clause("V5-WALK-8", "V5-CORE-16", "V5-WALK-11", "V5-WALK-12")
def strike_second(tape: Tape, fight: Fight) -> Fight:
    """Strike with the slower side that is left; if both were equal, with the walker as it was."""
    if fight.simultaneous_blow is not None:
        return _strike_foe(tape, replace(fight, simultaneous_blow=None), fight.simultaneous_blow)
    if fight.over or fight.walker_condition.is_destroyed or _foe_is_gone(fight):
        return fight
    if fight.walker.initiative < fight.foe.initiative:
        return _strike_foe(tape, fight, own_blow(fight))
    return _strike_walker(tape, fight)


@clause("V5-WALK-12", "V5-CORE-16")
def count_result(tape: Tape, fight: Fight) -> Fight:
    """Count the wounds dealt, and see which sides are left."""
    if fight.over:
        return fight
    gone = fight.walker_condition.is_destroyed
    over: FightEnd = "walker_destroyed" if gone else ""
    if _foe_is_gone(fight):
        over = "both_destroyed" if gone else "foe_destroyed"
    lead = 0 if over else fight.wounds_on_foe - fight.wounds_on_walker
    if over:
        tape.tell(end_of_fight_line, fight.walker.name, fight.foe.name, over)
    elif isinstance(fight.foe, SquadFighter):
        tape.tell(round_line, fight, clause="V5-WALK-12")
    if fight.rulings.combat_morale == "plain":
        lead = (lead > 0) - (lead < 0)
    return replace(fight, over=over, lead=lead, wounds_on_walker=0, wounds_on_foe=0)


@clause("V5-CORE-16", "V5-WALK-12")
def won_by(fight: Fight) -> Charger:
    """Return the winner of the fight, or of its last round."""
    if fight.over in ("", "both_destroyed"):
        return "walker" if fight.lead > 0 else "foe" if fight.lead < 0 else "nobody"
    return "foe" if fight.over == "walker_destroyed" else "walker"


@clause("V5-CORE-16", "V5-CORE-5", "V5-WALK-13")
def test_morale_of_loser(tape: Tape, fight: Fight) -> Fight:
    """Test the morale of a unit that lost the round; a walker never tests."""
    foe = fight.foe
    if fight.over or fight.lead <= 0 or isinstance(foe, WalkerFighter):
        return fight
    ld = foe.ld
    if fight.rulings.combat_morale == "minus_difference":
        ld -= fight.lead
    holds = tape.call(troops.test_morale, foe.name, ld, False, foe.fearless)
    if holds:
        tape.tell("{}: lost the round, but fights on", capital(foe.name))
    return replace(fight, fleeing=not holds)


@clause("V5-WALK-14", "V5-CORE-16")
def sweeping_advance(tape: Tape, fight: Fight) -> Fight:
    """Pursue a unit that flees, and destroy it if the walker catches it."""
    if not fight.fleeing:
        return replace(fight, lead=0) if fight.lead and fight.round < fight.last else fight
    stays = refuse_walker("sweeping_advance", condition=fight.walker_condition)
    if stays is not None:
        tape.tell("{}: no pursuit; {}", capital(fight.walker.name), stays.reason, clause=stays.clause)
    caught = stays is None and tape.call(pursue, fight.walker.initiative, fight.foe.initiative)
    over: FightEnd = "foe_swept" if caught else "foe_fled"
    tape.tell(end_of_fight_line, fight.walker.name, fight.foe.name, over)
    if caught:
        return replace(fight, fleeing=False, lead=0, models=0, wounds_lost=0, over=over)
    return replace(fight, fleeing=False, lead=0, over=over)


@clause("V5-CORE-16", "V5-WALK-14")
def pursue(tape: Tape, initiative: int, loser_initiative: int) -> bool:
    """Roll whether the winner catches the loser: each adds a die to its initiative."""
    winner: int = tape.roll(D6, label="sweeping advance")
    loser: int = tape.roll(D6, label="escape", by="defender")
    return winner + initiative >= loser + loser_initiative


@clause("V5-WALK-14", "V5-CORE-16")
def roll_consolidation(tape: Tape) -> int:
    """Roll how many inches the winner may move when the fight is over."""
    return int(tape.roll(D6, label="consolidation"))


ROUND = (strike_first, strike_second, count_result, test_morale_of_loser, sweeping_advance)


def fight_procedure(fight: Fight) -> Procedure:
    """Return the stages of all rounds."""
    return Procedure("walker fight", ROUND * fight.last)


# --- what is told ---------------------------------------------------------------------------------------------------


def squad_losses_line(fight: Fight, loss: troops.Loss) -> Line:
    """Say how many soldiers fall under the blows of the walker."""
    return troops.losses_line(fight.foe.name, fight.models, loss, fight.wounds_lost)


def round_line(fight: Fight) -> Line:
    """Say how many wounds both sides have dealt in a round, and which side has won it."""
    dealt = f"{fight.wounds_on_foe} dealt, {fight.wounds_on_walker} taken"
    winner = won_by(replace(fight, lead=fight.wounds_on_foe - fight.wounds_on_walker))
    when = f"in round {fight.round}" if fight.last > 1 else "in this round"
    return Line(f"{capital(fight.walker.name)}: wounds {when}: {dealt}", result=winner)


def end_of_fight_line(walker: str, foe: str, over: FightEnd) -> Line:
    """Say how a fight ends."""
    text, by = ENDS[over]
    return Line(capital(text.format(walker=walker, foe=foe)), (by,), result=over)


ENDS: Mapping[FightEnd, tuple[str, str]] = {
    "walker_destroyed": ("{foe}: won against {walker}, which is destroyed", "V5-WALK-8"),
    "foe_destroyed": ("{walker}: won, and nothing is left of {foe}", "V5-WALK-8"),
    "both_destroyed": ("{walker} and {foe}: both destroyed", "V5-WALK-8"),
    "foe_fled": ("{foe}: beaten, but not caught by {walker}", "V5-CORE-20"),
    "foe_swept": ("{foe}: caught by {walker} and destroyed", "V5-WALK-14"),
}
