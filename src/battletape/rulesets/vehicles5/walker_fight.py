"""A walker in close combat, round by round: against soldiers or another walker."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.dice import D6, at_least
from battletape.procedure import Procedure
from battletape.rulesets.vehicles5 import assault, walkers
from battletape.rulesets.vehicles5.blows import Blow, Struck, aimed, break_walker, rain_on
from battletape.rulesets.vehicles5.damage import Condition
from battletape.rulesets.vehicles5.penetration import labelled
from battletape.rulesets.vehicles5.rulings import DEFAULT, Rulings
from battletape.rulesets.vehicles5.tables import NEVER
from battletape.rulesets.vehicles5.troops import Body, Loss, capped, remove, slays, test_ld, wound, ws_needs
from battletape.rulesets.vehicles5.volley import Shot
from battletape.tape import Tape

End: TypeAlias = Literal["", "walker_destroyed", "foe_destroyed", "both_destroyed", "foe_fled", "foe_swept"]
EVERYBODY = 100


class Walker(Struct, frozen=True, cache_hash=True):
    """What does not change of a walker in a fight."""

    ws: int
    strength: int
    initiative: int
    attacks: int
    front: int
    dccw: tuple[str, ...] = ()  # labels of its close combat weapons; the intact ones are in its condition
    open_topped: bool = False
    name: str = "walker"


class Foot(Struct, frozen=True, cache_hash=True):
    """What does not change of a unit of soldiers in a fight."""

    ws: int
    strength: int
    initiative: int
    attacks: int
    toughness: int
    wounds: int = 1
    save: int = NEVER
    ld: int = 8
    two_weapons: int = 0  # how many models strike with two weapons; they fall last
    grenade: Blow | None = None  # one for each model, in place of its blows
    fearless: bool = False
    in_reach: int = EVERYBODY  # how many can strike at most
    rules: tuple[str, ...] = ()
    name: str = "unit"
    grenadiers: int = EVERYBODY  # how many use the grenade, if there is one
    heavy: int = 0  # how many strike with a weapon that doubles their strength


class Arm(Struct, frozen=True, cache_hash=True):
    """What a walker strikes with: its intact close combat weapons and its attacks."""

    fists: int
    attacks: int


class Fight(Struct, frozen=True, cache_hash=True):
    """The state of a fight."""

    one: Walker
    foe: Walker | Foot
    charge: Literal["walker", "foe", "nobody"]
    walker: Condition
    start: Condition
    foe_walker: Condition | None = None  # if the foe is a walker
    models: int = 0  # if it is a unit: those who stand, and the wounds on the first of them
    hurt: int = 0
    fielded: int = 0  # how many there were at first
    round: int = 0
    last: int = 1  # the round after which somebody wants to know who won it
    wounds_on_walker: int = 0  # these two live within a round only
    wounds_on_foe: int = 0
    lead: int = 0  # of the walker in the last round; its size only where a ruling asks for it
    raised: Arm | None = None  # equal initiative: what the walker strikes with, though it has been struck meanwhile
    fleeing: bool = False
    over: End = ""
    sides: tuple[str, str] = ("attacker", "defender")  # who decides for the walker and for its foe
    rules: Rulings = DEFAULT

    @property
    def now(self) -> Condition:
        """The walker's condition."""
        return self.walker


# --- what each side strikes with ------------------------------------------------------------------------------------


@clause("V5-WALK-16", "V5-DMG-3")
def fists(walker: Walker, condition: Condition, rules: Rulings = DEFAULT) -> int:
    """How many close combat weapons of a walker are intact."""
    if not rules.melee_weapon_can_be_destroyed:
        return len(walker.dccw)
    return sum(label in condition.weapons for label in walker.dccw)


@clause("V5-WALK-11", "V5-WALK-16")
def arm_of(walker: Walker, condition: Condition, charged: bool, rules: Rulings = DEFAULT) -> Arm:
    """What a walker in this condition strikes with."""
    intact = fists(walker, condition, rules)
    return Arm(intact, walkers.attacks(walker.attacks, intact, charged, condition.state, rules))


@clause("V5-WALK-8", "V5-WALK-9", "V5-WALK-16")
def walker_blows(
    one: Walker, arm: Arm, other: Walker, rules: Rulings = DEFAULT, by: str = "attacker"
) -> tuple[Shot, ...]:
    """What a walker strikes another one with."""
    blow = Blow(one.name, arm.attacks, walkers.strength(one.strength, arm.fists))
    needs = walkers.to_hit(one.ws, other.ws, rules=rules)
    return (aimed(blow, needs, other.front, other.open_topped, rules, by),) * arm.attacks


@clause("V5-ASLT-3", "V5-ASLT-4")
def foot_blows(foot: Foot, models: int, charged: bool) -> list[Blow]:
    """The blows of so many soldiers: grenades first, then heavy weapons, then the rest."""
    count, found, a = min(models, foot.in_reach), [], foot.attacks
    if foot.grenade is not None:
        thrown = min(count, foot.grenadiers)
        found.append(replace(foot.grenade, attacks=thrown))
        count -= thrown
    heavy = min(count, foot.heavy)
    if heavy:
        strength = capped(2 * foot.strength)
        number = assault.attacks(heavy, a, False, charged)
        found.append(Blow(f"{foot.name}, heavy", number, strength, rules=foot.rules))
    paired = min(count - heavy, foot.two_weapons)
    number = assault.attacks(count - heavy - paired, a, False, charged) + assault.attacks(paired, a, True, charged)
    if number:
        found.append(Blow(foot.name, number, foot.strength, rules=foot.rules))
    return found


@clause("V5-WALK-8", "V5-WALK-9", "V5-WALK-10", "V5-ASLT-3", "V5-ASLT-4")
def unit_blows(
    foot: Foot,
    models: int,
    other: Walker,
    its: Condition,
    charged: bool,
    rules: Rulings = DEFAULT,
    by: str = "attacker",
) -> tuple[Shot, ...]:
    """What soldiers strike a walker with: their blows, or a grenade each."""
    shots: list[Shot] = []
    for blow in foot_blows(foot, models, charged):
        needs = walkers.to_hit(foot.ws, other.ws, blow.grenade, its.state, rules)
        shots += [aimed(blow, needs, other.front, other.open_topped, rules, by)] * blow.attacks
    return tuple(shots)


@clause("V5-WALK-8", "V5-WALK-16", "V5-CORE-7", "V5-CORE-8", "V5-CORE-10")
def cut_down(tape: Tape, one: Walker, arm: Arm, foot: Foot, models: int, hurt: int) -> Loss:
    """A walker's blows at soldiers."""
    strength = walkers.strength(one.strength, arm.fists)
    save = NEVER if walkers.ignores_armour(arm.fists) else foot.save
    body = Body(foot.name, models, foot.toughness, save, foot.wounds)
    hits = tape.pool(arm.attacks, D6, at_least(ws_needs(one.ws, foot.ws)), label=labelled(one.name, "to hit"))[True]
    wounds: int = tape.call(wound, hits, strength, body)
    return remove(body, wounds, slays(strength, foot.toughness), hurt)


def _arm(fight: Fight) -> Arm:
    return arm_of(fight.one, fight.walker, fight.charge == "walker" and fight.round == 1, fight.rules)


def _strike_walker(tape: Tape, fight: Fight) -> Fight:
    """The foe strikes."""
    charged, order, by = fight.charge == "foe" and fight.round == 1, fight.rules.volley_order, fight.sides[1]
    if isinstance(fight.foe, Foot):
        blows = unit_blows(fight.foe, fight.models, fight.one, fight.walker, charged, fight.rules, by)
        return tape.call(rain_on, fight.walker, blows, order, then=_rained, rest=replace(fight, walker=fight.start))
    assert fight.foe_walker is not None
    arm = arm_of(fight.foe, fight.foe_walker, charged, fight.rules)
    blows = walker_blows(fight.foe, arm, fight.one, fight.rules, by)
    rest = replace(fight, walker=fight.start)
    return tape.call(break_walker, fight.walker, blows, order, then=_broken, rest=rest)


def _rained(fight: Fight, struck: Struck) -> Fight:
    return replace(fight, walker=struck.condition, wounds_on_walker=struck.wounds)


def _broken(fight: Fight, walker: Condition) -> Fight:
    return replace(fight, walker=walker)


def _strike_foe(tape: Tape, fight: Fight, arm: Arm) -> Fight:
    """The walker strikes."""
    if isinstance(fight.foe, Foot):
        return tape.call(cut_down, fight.one, arm, fight.foe, fight.models, fight.hurt, then=_lost, rest=fight)
    blows, order = walker_blows(fight.one, arm, fight.foe, fight.rules, fight.sides[0]), fight.rules.volley_order
    rest = replace(fight, foe_walker=None)
    return tape.call(break_walker, fight.foe_walker, blows, order, then=_foe_broken, rest=rest)


def _lost(fight: Fight, loss: Loss) -> Fight:
    return replace(fight, models=fight.models - loss.models, hurt=loss.hurt, wounds_on_foe=loss.wounds)


def _foe_broken(fight: Fight, foe: Condition) -> Fight:
    return replace(fight, foe_walker=foe)


def _foe_is_gone(fight: Fight) -> bool:
    return fight.models == 0 if fight.foe_walker is None else fight.foe_walker.is_destroyed


# --- one round ------------------------------------------------------------------------------------------------------


@clause("V5-WALK-8", "V5-CORE-16", "V5-WALK-12")
def strike_first(tape: Tape, fight: Fight) -> Fight:
    """The side with the higher initiative strikes; of equals the foe, and the walker with all it has next."""
    if fight.over:
        return fight
    fight = replace(fight, round=fight.round + 1, lead=0)
    if fight.one.initiative > fight.foe.initiative:
        return _strike_foe(tape, fight, _arm(fight))
    if fight.one.initiative == fight.foe.initiative:
        fight = replace(fight, raised=_arm(fight))
    return _strike_walker(tape, fight)


@clause("V5-WALK-8", "V5-CORE-16", "V5-WALK-11", "V5-WALK-12")
def strike_second(tape: Tape, fight: Fight) -> Fight:
    """The slower side strikes with what it has left; of equals, the other with all it had."""
    if fight.raised is not None:
        return _strike_foe(tape, replace(fight, raised=None), fight.raised)
    if fight.over or fight.walker.is_destroyed or _foe_is_gone(fight):
        return fight
    slower = fight.one.initiative < fight.foe.initiative
    return _strike_foe(tape, fight, _arm(fight)) if slower else _strike_walker(tape, fight)


@clause("V5-WALK-12", "V5-CORE-16")
def count_result(tape: Tape, fight: Fight) -> Fight:
    """See who is left, and who has dealt more wounds."""
    if fight.over:
        return fight
    gone, foe_gone = fight.walker.is_destroyed, _foe_is_gone(fight)
    over: End = "both_destroyed" if gone and foe_gone else "walker_destroyed" if gone else "foe_destroyed"
    lead = fight.wounds_on_foe - fight.wounds_on_walker
    if fight.rules.combat_morale == "plain":
        lead = (lead > 0) - (lead < 0)
    is_over = gone or foe_gone
    return replace(
        fight, over=over if is_over else "", lead=0 if is_over else lead, wounds_on_walker=0, wounds_on_foe=0
    )


@clause("V5-CORE-16", "V5-CORE-5", "V5-WALK-13")
def test_break(tape: Tape, fight: Fight) -> Fight:
    """A unit that lost the round tests its morale; a walker never does."""
    foe = fight.foe
    if fight.over or fight.lead <= 0 or isinstance(foe, Walker) or foe.fearless:
        return fight
    ld = foe.ld - fight.lead if fight.rules.combat_morale == "minus_difference" else foe.ld
    return fight if tape.call(test_ld, ld, labelled(foe.name, "morale")) else replace(fight, fleeing=True)


@clause("V5-WALK-14", "V5-CORE-16")
def sweep(tape: Tape, fight: Fight) -> Fight:
    """The walker runs after a unit that flees, if it can; whom it catches is destroyed."""
    if not fight.fleeing:
        return replace(fight, lead=0) if fight.lead and fight.round < fight.last else fight
    can = walkers.may_pursue(fight.walker.state)
    if can and tape.call(pursue, fight.one.initiative, fight.foe.initiative):
        return replace(fight, fleeing=False, lead=0, models=0, hurt=0, over="foe_swept")
    return replace(fight, fleeing=False, lead=0, over="foe_fled")


@clause("V5-CORE-16", "V5-WALK-14")
def pursue(tape: Tape, initiative: int, other: int) -> bool:
    """Whether the winner catches the loser: a die and the initiative of each, and a tie catches."""
    winner: int = tape.roll(D6, label="sweeping advance")
    loser: int = tape.roll(D6, label="escape")
    return winner + initiative >= loser + other


@clause("V5-WALK-14", "V5-CORE-16")
def roll_consolidation(tape: Tape) -> int:
    """How many inches the winner may move when the fight is over."""
    return int(tape.roll(D6, label="consolidation"))


ROUND = (strike_first, strike_second, count_result, test_break, sweep)


def fighting(rounds: int) -> Procedure:
    """The stages of so many rounds; a fight that is over asks nothing more."""
    return Procedure("walker fight", ROUND * rounds)
