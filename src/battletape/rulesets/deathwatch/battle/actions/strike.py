"""Blows in a battle: `strike` somebody, `contest` (feints, knock-downs, pushes) and `grapple` (holds)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal, TypeAlias, get_args

from msgspec import Meta
from msgspec.structs import replace

from battletape.clauses import clause, refuses
from battletape.errors import Refused
from battletape.inputs import Inputs
from battletape.rulesets.deathwatch.battle import acting
from battletape.rulesets.deathwatch.battle.acting import Who, chance_of, deed, mine
from battletape.rulesets.deathwatch.battle.actions.shoot import entered
from battletape.rulesets.deathwatch.battle.attack import prepare, striking
from battletape.rulesets.deathwatch.battle.attack.striking import BARE, Deed, Striking, blow_at
from battletape.rulesets.deathwatch.battle.outcome import emptied, engage, moved, write_back
from battletape.rulesets.deathwatch.battle.start import Bearing
from battletape.rulesets.deathwatch.battle.state import CONTACT, Fighter, State, apart, is_adjacent, towards
from battletape.rulesets.deathwatch.rules import melee
from battletape.rulesets.deathwatch.rules.attack.exchange import Blow, Exchange, Trial, procedure
from battletape.rulesets.deathwatch.rules.attack.fighters import contestant, fists_of
from battletape.rulesets.deathwatch.rules.attack.results import DIES, chance
from battletape.rulesets.deathwatch.rules.movement import MANOEUVRED
from battletape.system import EACH
from battletape.table.points import Point, step


def begin_strike(state: State, who: Fighter, order: Striking) -> Exchange:
    """The blows about to fall."""
    target, held = state.find(order.target), striking.blade_of(who, order)
    second = acting.named(state, order.target2) or target
    both = melee.has(who.profile.talents, melee.BOTH_HANDS)
    if order.how == "two_weapons":
        other = striking.second_of(who, order, held)
        assert other is not None
        main, off = (melee.hand_modifiers(hand, True, both, state.rules) for hand in ("main", "off"))
        blows: tuple[Blow, ...] = (
            blow_at(state, who, held, target, order, order.how, main),
            blow_at(state, who, other, second, replace(order, trained=order.trained2), order.how, off),
        )
    else:
        added = melee.off_hand(who.profile.talents) if order.off_hand else ()
        first = blow_at(state, who, held, target, order, order.how, added, prepare.spot_named(order.called))
        more = striking.NUMBERS.get(order.how, 1) - 1
        blows = (first, *(blow_at(state, who, held, second, order, order.how, added) for _ in range(more)))
    return prepare.exchange_of(state, who, blows, (target.name, second.name))


@clause("DW-ACT-CHARGE", "DW-ACT-MULTIPLE-ATTACKS")
def write_strike(state: State, who: Fighter, order: Striking, exchange: Exchange) -> State:
    """Where a charge ends, the rounds that were fired, and what the blows did."""
    if order.how == "charge":
        target = state.find(order.target)
        place = towards(who, target, apart(who, target) - CONTACT)
        state = state.changed(moved(who, *place, cover="", cover_ap=0, hidden=()))
    first = striking.blade_of(who, order)
    for gun in (first, striking.second_of(who, order, first)) if order.how == "two_weapons" else ():
        if gun is not None and not gun.weapon.melee:
            state = emptied(state, state.fighter(who.name), gun, "single")
    return write_back(state, exchange)


@clause("DW-ACT-ALL-OUT-ATTACK", "DW-ACT-GUARDED-ATTACK", "DW-ACT-FEINT", "DW-ACT-GRAPPLE")
def finish_strike(state: State, who: Fighter, order: Striking, exchange: Exchange) -> State:
    """Who is in melee now, and what the action means until the next turn."""
    target = state.find(order.target)
    struck = {unit.name for unit in (target, acting.named(state, order.target2)) if unit is not None}
    for name in sorted(struck):
        if is_adjacent(who, state.find(name)):
            state = engage(state, who.name, name)
    who = state.fighter(who.name)
    fooled = "" if who.feinted in struck else who.feinted
    who = replace(who, feinted=fooled, no_evasion=order.how == "all_out", guarded=order.how == "guarded")
    other = state.find(target.name)
    if order.how == "grapple" and exchange.landed and isinstance(other, Fighter) and not other.is_out:
        who = replace(who, grappled_with=other.name, controls=True)
        state = state.changed(replace(other, grappled_with=who.name, controls=False))
    state = state.changed(who)
    return entered(state, who, ((who.x, who.y),)) if order.how == "charge" and not who.is_out else state


def _strikes(state: State) -> Iterator[Striking]:
    who = mine(state)
    if who is None:
        return
    blades = [weapon.name for weapon in who.held if weapon.weapon.melee] or ["fists"]
    for target in state.foes(who.side):
        close = is_adjacent(who, target)
        ways: tuple[Deed, ...] = ("standard", "all_out", "guarded", "stun", "grapple") if close else ("charge",)
        for blade in blades:
            for how in ways:
                yield Striking(unit=who.name, weapon="" if how in BARE else blade, target=target.name, how=how)
        if close and melee.attacks_of(who.profile.talents) > 1:
            yield Striking(unit=who.name, weapon=blades[0], target=target.name, how="swift")


STRIKE = acting.attack(
    *("strike", "Strike somebody", Striking, lambda state, order: striking.NAMES[order.how], "strike like a fighter"),
    *("DW-PIPE-1", "DW-ACT-STANDARD-ATTACK", "DW-ACT-ALL-OUT-ATTACK", "DW-ACT-CHARGE", "DW-ACT-GUARDED-ATTACK"),
    *("DW-ACT-MULTIPLE-ATTACKS", "DW-ACT-STUN"),
    begin=begin_strike,
    writes=write_strike,
    finish=finish_strike,
    options=_strikes,
)
STRIKE = replace(STRIKE, refuse=striking.refuse_strike)


# --- one against the other --------------------------------------------------------------------------------------------

Contest: TypeAlias = Literal["feint", "knock_down", "manoeuvre"]
Hold: TypeAlias = Literal["damage", "throw_down", "push", "stand", "escape"]
CONTESTS: dict[Contest, str] = {"feint": "Feint", "knock_down": "Knock-Down", "manoeuvre": "Manoeuvre"}


class Contesting(Inputs, frozen=True):
    """A test against somebody in melee."""

    unit: Who = ""
    target: Annotated[str, Meta(extra={"role": "foe in reach"})] = ""
    what: Annotated[Contest, Meta(title="Which action", extra={"clause": "DW-TEST-6", "role": EACH})] = "feint"
    direction: Annotated[Bearing, Meta(title="Which way to push", extra={"clause": "DW-ACT-MANOEUVRE"})] = 0.0
    follow: Annotated[bool, Meta(title="Follow the push", extra={"clause": "DW-ACT-MANOEUVRE"})] = False


class Holding(Inputs, frozen=True):
    """A turn of a grapple."""

    unit: Who = ""
    what: Annotated[Hold, Meta(title="What is done", extra={"clause": "DW-ACT-GRAPPLE"})] = "damage"
    direction: Annotated[Bearing, Meta(title="Which way to push")] = 0.0


def begin_trial(state: State, who: Fighter, target: Fighter, what: str) -> Exchange:
    """Both sides of the test: strength, or the skill of a feint or manoeuvre."""
    spec, strong = blow_at(state, who, fists_of(who), target, prepare.PLAIN).spec, what not in ("feint", "manoeuvre")
    assert spec is not None
    one, other = (contestant(unit, strong, f"{unit.name}: ", rules=state.rules) for unit in (who, target))
    trial = Trial(what, one, other, spec, state.rules)
    return Exchange((prepare.foe_of(target),), first=target.name, before=target.health, trial=trial)


def write_trial(state: State, who: Fighter, order: Any, trial: Exchange) -> State:
    """What the test did to the other."""
    state = write_back(state, trial)
    other = state.fighter(trial.first)
    return state.changed(other.suffering(prone=True)) if trial.thrown and not other.is_dead else state


def pushed(state: State, direction: float, *names: str) -> State:
    """Fighters some metres on."""
    for who in map(state.fighter, names):
        place = step(Point(who.x, who.y), direction, MANOEUVRED)
        state = state.changed(moved(who, round(place.x, 3), round(place.y, 3)))
    return state


TRIAL: dict[str, Any] = {
    "procedure": procedure,
    "writes": write_trial,
    "measures": (
        chance("won", "The test is won", lambda action: action.won),
        chance("thrown_down", "Thrown down", lambda action: action.thrown),
        chance("attacker_prone", "The attacker falls too", lambda action: action.own_prone),
        DIES,
    ),
    "headline": chance_of("won", "The test is won"),
}


@refuses("DW-ACT-FEINT", "DW-ACT-KNOCK-DOWN", "DW-ACT-MANOEUVRE")
def refuse_contest(state: State, who: Fighter, order: Contesting) -> Iterator[Refused | None]:
    """Why a fighter cannot try this."""
    yield acting.refuse_target(state, who, order.target)
    target = state.find(order.target)
    if not isinstance(target, Fighter):
        reason = f"{target.name} is a horde; nobody can {order.what.replace('_', ' ')} all of it"
        yield Refused(reason, "DW-HORDE-1", "target")
    yield striking.refuse_reach(who, fists_of(who), target)


def finish_contest(state: State, who: Fighter, order: Contesting, trial: Exchange) -> State:
    """Who is fooled, down, or somewhere else."""
    name = trial.first
    state = engage(state, who.name, name)
    who = state.fighter(who.name)
    if trial.own_prone:
        who = who.suffering(prone=True)
    if order.what == "feint" and trial.won:
        who = replace(who, feinted=name, feint_turns=2)
    state = state.changed(who)
    if order.what == "manoeuvre" and trial.won:
        state = pushed(state, order.direction, name, *([who.name] if order.follow else []))
    return state


@clause("DW-ACT-GRAPPLE")
def refuse_hold(state: State, who: Fighter, order: Holding) -> Refused | None:
    """Why a fighter cannot do this in a grapple."""
    if not who.grappled_with:
        reason = f"{who.name} is in no grapple; start one with strike how=grapple"
        return Refused(reason, "DW-ACT-GRAPPLE", "grapple")
    return melee.refuse_grapple(order.what, True, who.controls)


def finish_hold(state: State, who: Fighter, order: Holding, trial: Exchange) -> State:
    """What the one who won does with the other."""
    other = state.fighter(trial.first)
    if not trial.won:
        return state
    if order.what == "escape":
        return state.changed(replace(who, grappled_with=""), replace(other, grappled_with="", controls=False))
    if order.what == "stand":
        return state.changed(*(fighter.suffering(prone=False) for fighter in (who, other)))
    return pushed(state, order.direction, who.name, other.name) if order.what == "push" else state


def _holds(state: State) -> Iterator[Holding]:
    who = mine(state)
    return (Holding(unit=state.actor, what=what) for what in (get_args(Hold) if who and who.grappled_with else ()))


CONTEST = deed(
    *("contest", "Feint, knock down or push somebody", Contesting, lambda state, order: CONTESTS[order.what]),
    *("do this", "DW-ACT-FEINT", "DW-ACT-KNOCK-DOWN", "DW-ACT-MANOEUVRE"),
    refuse=refuse_contest,
    begin=lambda state, who, order: begin_trial(state, who, state.fighter(order.target), order.what),
    finish=finish_contest,
    **TRIAL,
)
GRAPPLE = deed(
    *("grapple", "A turn of a grapple, or out of it", Holding, "Grapple (full)", "grapple", "DW-ACT-GRAPPLE"),
    refuse=refuse_hold,
    begin=lambda state, who, order: begin_trial(state, who, state.fighter(who.grappled_with), order.what),
    finish=finish_hold,
    options=_holds,
    **TRIAL,
)
