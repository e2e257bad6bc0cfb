"""Blows in a battle: `strike` somebody, `contest` (feints, knock-downs, pushes) and `grapple` (holds)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Annotated, Any, Literal, TypeAlias, get_args

from msgspec import Meta
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.errors import Refused
from battletape.inputs import Inputs
from battletape.rulesets.deathwatch.battle.acting import Who, chance_of, mine, refuse_doing, refuse_target, with_blows
from battletape.rulesets.deathwatch.battle.actions.overwatch import entered
from battletape.rulesets.deathwatch.battle.attack import prepare, striking
from battletape.rulesets.deathwatch.battle.attack.striking import BARE, Deed, Striking, blow_at
from battletape.rulesets.deathwatch.battle.outcome import engage, spend, write_back
from battletape.rulesets.deathwatch.battle.start import Bearing
from battletape.rulesets.deathwatch.battle.state import CONTACT, Fighter, State, apart, is_adjacent, towards
from battletape.rulesets.deathwatch.rules import guns, melee
from battletape.rulesets.deathwatch.rules.attack.exchange import Blow, Exchange, Trial, procedure
from battletape.rulesets.deathwatch.rules.attack.fighters import contestant, fists_of
from battletape.rulesets.deathwatch.rules.attack.results import DIES, chance
from battletape.rulesets.deathwatch.rules.movement import MANOEUVRED
from battletape.system import Action
from battletape.table.points import Point, step


def begin_strike(state: State, order: Striking) -> Exchange:
    """The blows about to fall."""
    who, target = state.fighter(order.unit), state.find(order.target)
    held = striking.blade_of(who, order)
    second = state.find(order.target2) if order.target2.strip() else target
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


@clause("DW-ACT-ALL-OUT-ATTACK", "DW-ACT-GUARDED-ATTACK", "DW-ACT-FEINT", "DW-ACT-CHARGE", "DW-ACT-GRAPPLE")
def finish_strike(state: State, order: Striking, exchange: Exchange) -> State:
    """Where a charge ends, who is in melee now, and what the action means until the next turn."""
    who, target = state.fighter(order.unit), state.find(order.target)
    before = (who.x, who.y)
    if order.how == "charge":
        x, y = towards(who, target, apart(who, target) - CONTACT)
        held = tuple(replace(weapon, braced=False) for weapon in who.held)
        who = replace(who, x=x, y=y, held=held, cover="", cover_ap=0, hidden=())
        state = state.changed(who)
    first = striking.blade_of(who, order)
    for gun in (first, striking.second_of(who, order, first)) if order.how == "two_weapons" else ():
        if gun is not None and not gun.weapon.melee:
            used = guns.rounds_used(gun.fired, "single", rules=state.rules)
            gun = replace(gun, clip=max(0, gun.clip - used), fired_round=state.round)
            state = state.changed(state.fighter(who.name).with_held(gun))
    state = spend(write_back(state, exchange), who.name, striking.NAMES[order.how])
    struck = {state.find(name).name for name in (target.name, order.target2) if name}
    for name in sorted(struck):
        if is_adjacent(state.find(who.name), state.find(name)) and not state.find(name).is_out:
            state = engage(state, who.name, name)
    now = state.fighter(who.name)
    fooled = "" if now.feinted in struck else now.feinted
    now = replace(now, feinted=fooled, no_evasion=order.how == "all_out", guarded=order.how == "guarded")
    state = state.changed(now)
    other = state.find(target.name)
    if order.how == "grapple" and exchange.landed and isinstance(other, Fighter) and not other.is_out:
        held_by = replace(other, grappled_with=who.name, controls=False)
        state = state.changed(replace(now, grappled_with=other.name, controls=True), held_by)
    if order.how == "charge" and not now.is_out:
        state = entered(state, now, (before, (now.x, now.y))[1:], 0, ())
    return state


# --- the card ---------------------------------------------------------------------------------------------------------


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


STRIKE = with_blows(
    "strike",
    "Strike somebody",
    Striking,
    striking.refuse_strike,
    begin_strike,
    finish_strike,
    *("DW-PIPE-1", "DW-ACT-STANDARD-ATTACK", "DW-ACT-ALL-OUT-ATTACK", "DW-ACT-CHARGE", "DW-ACT-GUARDED-ATTACK"),
    *("DW-ACT-MULTIPLE-ATTACKS", "DW-ACT-STUN"),
    options=_strikes,
)


# --- one against the other --------------------------------------------------------------------------------------------

Contest: TypeAlias = Literal["feint", "knock_down", "manoeuvre"]
Hold: TypeAlias = Literal["damage", "throw_down", "push", "stand", "escape"]
CONTESTS: dict[Contest, str] = {"feint": "Feint", "knock_down": "Knock-Down", "manoeuvre": "Manoeuvre"}


class Contesting(Inputs, frozen=True):
    """A test against somebody in melee."""

    unit: Who = ""
    target: str = ""
    what: Annotated[Contest, Meta(title="Which action", extra={"clause": "DW-TEST-6"})] = "feint"
    direction: Annotated[Bearing, Meta(title="Which way to push", extra={"clause": "DW-ACT-MANOEUVRE"})] = 0.0
    follow: Annotated[bool, Meta(title="Follow the push", extra={"clause": "DW-ACT-MANOEUVRE"})] = False


class Holding(Inputs, frozen=True):
    """A turn of a grapple."""

    unit: Who = ""
    what: Annotated[Hold, Meta(title="What is done", extra={"clause": "DW-ACT-GRAPPLE"})] = "damage"
    direction: Annotated[Bearing, Meta(title="Which way to push")] = 0.0


MEASURES = (
    chance("won", "The test is won", lambda action: action.won),
    chance("thrown_down", "Thrown down", lambda action: action.thrown),
    chance("attacker_prone", "The attacker falls too", lambda action: action.own_prone),
    DIES,
)


def _begin(state: State, who: Fighter, target: Fighter, what: str, strong: bool) -> Exchange:
    spec = blow_at(state, who, fists_of(who), target, prepare.PLAIN).spec
    assert spec is not None
    one, other = (contestant(unit, strong, f"{unit.name}: ", rules=state.rules) for unit in (who, target))
    trial = Trial(what, one, other, spec, state.rules)
    return Exchange((prepare.foe_of(target),), first=target.name, before=target.health, trial=trial)


def _settled(state: State, action: Exchange) -> State:
    """What the test did to the other."""
    state = write_back(state, action)
    other = state.fighter(action.first)
    return state.changed(other.suffering(prone=True)) if action.thrown and not other.is_dead else state


# --- feint, knock-down, manoeuvre -------------------------------------------------------------------------------------


@clause("DW-ACT-FEINT", "DW-ACT-KNOCK-DOWN", "DW-ACT-MANOEUVRE")
def refuse_contest(state: State, who: Fighter, order: Contesting) -> Refused | None:
    """Why a fighter cannot try this."""
    refused = refuse_target(state, who, order.target)
    if refused is not None:
        return refused
    target = state.find(order.target)
    if not isinstance(target, Fighter):
        reason = f"{target.name} is a horde; nobody can {order.what.replace('_', ' ')} all of it"
        return Refused(reason, "DW-HORDE-1", "target")
    return striking.refuse_reach(who, fists_of(who), target)


def begin_contest(state: State, order: Contesting) -> Exchange:
    """Both sides of the test."""
    who, target = state.fighter(order.unit), state.fighter(order.target)
    return _begin(state, who, target, order.what, order.what == "knock_down")


def finish_contest(state: State, order: Contesting, action: Exchange) -> State:
    """Who is fooled, down, or somewhere else."""
    who, target = state.fighter(order.unit), state.fighter(order.target)
    state = spend(_settled(state, action), who.name, CONTESTS[order.what])
    if not state.fighter(target.name).is_out:
        state = engage(state, who.name, target.name)
    now = state.fighter(who.name)
    if action.own_prone:
        now = now.suffering(prone=True)
    if order.what == "feint" and action.won:
        now = replace(now, feinted=target.name, feint_turns=2)
    state = state.changed(now)
    if order.what == "manoeuvre" and action.won:
        state = pushed(state, target.name, order.direction, MANOEUVRED)
        if order.follow:
            state = pushed(state, who.name, order.direction, MANOEUVRED)
    return state


def pushed(state: State, name: str, direction: float, metres: float) -> State:
    """A fighter some metres on."""
    who = state.fighter(name)
    place = step(Point(who.x, who.y), direction, metres)
    held = tuple(replace(weapon, braced=False) for weapon in who.held)
    return state.changed(replace(who, x=round(place.x, 3), y=round(place.y, 3), held=held))


# --- grapple ----------------------------------------------------------------------------------------------------------


@clause("DW-ACT-GRAPPLE")
def refuse_hold(state: State, who: Fighter, order: Holding) -> Refused | None:
    """Why a fighter cannot do this in a grapple."""
    if not who.grappled_with:
        reason = f"{who.name} is in no grapple; start one with strike how=grapple"
        return Refused(reason, "DW-ACT-GRAPPLE", "grapple")
    return melee.refuse_grapple(order.what, True, who.controls)


def begin_hold(state: State, order: Holding) -> Exchange:
    """Strength against strength."""
    who = state.fighter(order.unit)
    return _begin(state, who, state.fighter(who.grappled_with), order.what, True)


def finish_hold(state: State, order: Holding, action: Exchange) -> State:
    """What the one who won does with the other."""
    who = state.fighter(order.unit)
    state = spend(_settled(state, action), who.name, "Grapple (full)")
    now, other = state.fighter(who.name), state.fighter(action.first)
    if not action.won:
        return state
    if order.what == "escape":
        return state.changed(replace(now, grappled_with=""), replace(other, grappled_with="", controls=False))
    if order.what == "stand":
        return state.changed(*(fighter.suffering(prone=False) for fighter in (now, other)))
    if order.what == "push":
        for name in (now.name, other.name):
            state = pushed(state, name, order.direction, MANOEUVRED)
    return state


def _contests(state: State) -> Iterator[Contesting]:
    who = mine(state)
    near = [foe for foe in state.foes(who.side) if is_adjacent(who, foe)] if who is not None else []
    return (Contesting(unit=state.actor, target=target.name, what=what) for target in near for what in CONTESTS)


def _holds(state: State) -> Iterator[Holding]:
    who = mine(state)
    return (Holding(unit=state.actor, what=what) for what in (get_args(Hold) if who and who.grappled_with else ()))


TRIED: dict[str, Any] = {"measures": MEASURES, "headline": chance_of("won", "The test is won")}
CONTEST = Action(
    "contest",
    "Feint, knock down or push somebody",
    Contesting,
    partial(refuse_doing, (lambda state, order: CONTESTS[order.what], "do this"), refuse_contest),
    begin_contest,
    procedure,
    finish_contest,
    _contests,
    clauses=("DW-ACT-FEINT", "DW-ACT-KNOCK-DOWN", "DW-ACT-MANOEUVRE"),
    **TRIED,
)
GRAPPLE = Action(
    "grapple",
    "A turn of a grapple, or out of it",
    Holding,
    partial(refuse_doing, ("Grapple (full)", "grapple"), refuse_hold),
    begin_hold,
    procedure,
    finish_hold,
    _holds,
    clauses=("DW-ACT-GRAPPLE",),
    **TRIED,
)
