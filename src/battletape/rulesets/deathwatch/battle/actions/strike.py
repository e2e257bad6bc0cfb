"""Blows in a battle: `strike` somebody, `contest` (feints, knock-downs, pushes) and `grapple` (holds)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, TypeAlias, get_args

from battletape.cards import EACH, param
from battletape.rulebook import Refused, clause, refuses, replace
from battletape.rulesets.deathwatch.battle import acting, attack, log, start
from battletape.rulesets.deathwatch.battle.acting import OneUnit, deed, mine, named, refuse_apart, refuse_target
from battletape.rulesets.deathwatch.battle.actions.shoot import entered
from battletape.rulesets.deathwatch.battle.state import CONTACT, State, along, apart, is_adjacent, moved, moves_of
from battletape.rulesets.deathwatch.rules import guns, hordes, melee, movement
from battletape.rulesets.deathwatch.rules.attack import fighters, modifiers
from battletape.rulesets.deathwatch.rules.attack.exchange import Blow, Exchange, Trial, procedure
from battletape.rulesets.deathwatch.rules.attack.fighters import Fighter, Held, Mob, Unit, fists_of
from battletape.rulesets.deathwatch.rules.attack.modifiers import refuse_range
from battletape.rulesets.deathwatch.rules.attack.results import DIES, chance
from battletape.rulesets.deathwatch.rules.traits import Modifier
from battletape.table.points import Point, step

Bare: TypeAlias = Literal["unarmed", "grapple"]
Deed: TypeAlias = Literal[
    "standard", "all_out", "charge", "guarded", "called", "stun", "swift", "lightning", "two_weapons", Bare
]
NAMES: dict[Deed, str] = {
    "standard": "Standard Attack",
    "all_out": "All Out Attack",
    "charge": "Charge",
    "guarded": "Guarded Attack",
    "called": "Called Shot",
    "stun": "Stun",
    "swift": "Multiple Attacks",
    "lightning": "Multiple Attacks",
    "two_weapons": "Multiple Attacks",
    "unarmed": "Standard Attack",
    "grapple": "Grapple (half)",
}
BARE: tuple[Deed, ...] = get_args(Bare)


class Striking(attack.Circumstances, OneUnit, frozen=True):
    """Blows at somebody."""

    weapon: str = param("", "Weapon; the first blade in hand if left out")
    target: str = ""
    how: Deed = param("standard", "Which action", "DW-ACT-00")
    called: str = param("", "Place aimed at", "DW-ACT-CALLED-SHOT")
    off_hand: bool = param(False, "Struck with the off hand", "DW-TWOW-1")
    weapon2: str = param("", "Second weapon", "DW-TWOW-2")
    trained2: attack.Training = param("talents", "Trained with it", "DW-UNTR-1")
    target2: str = param("", "Target of the second attack", "DW-TWOW-3")


PLAIN = Striking()


def blade_of(who: Fighter, order: Striking = PLAIN) -> Held:
    """The weapon named; without a name the first blade in hand, or bare hands."""
    if order.how in BARE or modifiers.is_bare(order.weapon):
        return fists_of(who)
    if order.weapon.strip():
        return who.carries(order.weapon)
    return who.blades[0] if who.blades else fists_of(who)


def second_of(who: Fighter, order: Striking, first: Held) -> Held | None:
    """The second weapon of an attack with both, if one is named; the same name twice means two of a kind."""
    if order.how != "two_weapons" or not order.weapon2.strip():
        return None
    named = who.carries(order.weapon2)
    if named.name != first.name:
        return named
    alike = (held for held in who.held if replace(held.weapon, name=first.name) == first.weapon)
    return next((held for held in alike if held.name != first.name), None)


# --- what is refused --------------------------------------------------------------------------------------------------


@refuses("DW-ACT-STANDARD-ATTACK", "DW-COND-ENGAGED")
def refuse_strike(state: State, who: Fighter, order: Striking) -> Iterator[Refused | None]:
    """Why a fighter cannot strike like this."""
    held = blade_of(who, order)
    yield refuse_use(state, who, held, gun=order.how == "two_weapons")
    yield refuse_target(state, who, order.target)
    target = state.find(order.target)
    yield _refuse_called(target, order)
    yield _refuse_several(state, who, held, order)
    yield refuse_rush(state, who, target) if order.how == "charge" else refuse_reach(who, held, target)


@refuses("DW-ACT-READY", "DW-QUAL-POWER-FIELD", "DW-CRIT-2")
def refuse_use(state: State, who: Fighter, held: Held, gun: bool = False) -> Iterator[Refused | None]:
    """Why a weapon cannot be used for a blow, or to shoot if it may be a gun."""
    if held.weapon.melee:
        yield guns.refuse_state(held.weapon, state.round, ready=held.in_hand, destroyed=held.destroyed)
        if who.hands < min(1, held.hands):
            yield Refused(f"{who.name} has no hand left to strike with", "DW-CRIT-2", "hands")
    elif gun:
        yield attack.refuse_gun(state, who, held, "single")
    else:
        yield Refused(f"{held.name} is a gun; use shoot, or strike with a blade or fists", "DW-MWEP-00", "kind")


@clause("DW-COND-ENGAGED", "DW-TWOW-3", "DW-RANGE-1")
def refuse_reach(who: Fighter, held: Held, target: Unit) -> Refused | None:
    """Why a target is out of reach of a blow."""
    if not held.weapon.melee:
        return refuse_range(held.name, held.fired.range, apart(who, target))
    return refuse_apart(who, target, "a blow reaches 2 m, so move there or charge")


@refuses("DW-ACT-CHARGE", "DW-COND-PRONE")
def refuse_rush(state: State, who: Fighter, target: Unit) -> Iterator[Refused | None]:
    """Why a fighter cannot charge."""
    yield acting.refuse_prone(state, who, target)
    if who.engaged_with:
        reason = f"{who.name} is in melee with {', '.join(who.engaged_with)}; disengage first"
        yield Refused(reason, "DW-ACT-DISENGAGE", "engaged")
    yield movement.refuse_charge(round(apart(who, target) - CONTACT, 6), moves_of(state, who))


@refuses("DW-ACT-CALLED-SHOT", "DW-HPIPE-1", "DW-ACT-STUN")
def _refuse_called(target: Unit, order: Striking) -> Iterator[Refused | None]:
    if (order.how == "called") != bool(order.called.strip()):
        reason = "a called shot needs the action called and the place it is aimed at"
        yield Refused(f"{reason}; got {order.how} and {order.called or 'no place'}", "DW-ACT-CALLED-SHOT", "called")
    attack.spot_named(order.called)
    if isinstance(target, Mob) and order.how == "called":
        yield hordes.refuse_called()
    if isinstance(target, Mob) and order.how in ("stun", "grapple"):
        yield Refused(f"{target.name} is a horde; nobody can {order.how} all of it", "DW-HORDE-1", "target")


@refuses("DW-ACT-MULTIPLE-ATTACKS", "DW-TWOW-1", "DW-TWOW-2", "DW-TWOW-3")
def _refuse_several(state: State, who: Fighter, held: Held, order: Striking) -> Iterator[Refused | None]:
    talents, number, target = who.profile.talents, melee.NUMBERS.get(order.how, 1), state.find(order.target)
    yield melee.refuse_attacks(number, talents)
    second = named(state, order.target2) or target
    other = second_of(who, order, held) if order.how == "two_weapons" else held
    if other is None:
        reason = f"an attack with both weapons needs weapon2; {who.name} holds {held.name}"
        yield Refused(reason, "DW-TWOW-2", "weapon")
        return
    if other is not held:
        yield melee.refuse_two_weapons((held.weapon, other.weapon))
        yield melee.refuse_both((held.weapon, other.weapon), talents)
        if held.whole == other.whole:
            yield Refused(f"{held.name} and {other.name} are two barrels of one weapon", "DW-RWEP-04", "weapon")
        if who.hands < held.hands + other.hands:
            reason = f"{held.name} and {other.name} need a hand each, and {who.name} has {who.hands} to use"
            yield Refused(reason, "DW-CRIT-2", "hands")
        yield refuse_use(state, who, other, gun=True)
    if number > 1 or other is not held:
        yield refuse_target(state, who, second.name)
        yield refuse_reach(who, other, second)
    if not held.weapon.melee and not other.weapon.melee:
        yield melee.refuse_two_targets(apart(target, second))


# --- what is done -----------------------------------------------------------------------------------------------------


def blow_at(
    state: State, who: Fighter, held: Held, target: Unit, order: Striking = PLAIN, added: tuple[Modifier, ...] = ()
) -> Blow:
    """One blow or shot at somebody, with all its modifiers."""
    setting = attack.setting_of(state, who, held, target, order, other=added)
    draft = fighters.draft_of(who, held, target, setting, order.how, called=attack.spot_named(order.called))
    return attack.blow_of(state, who, held, target, draft, "melee" if held.weapon.melee else "shoot")


def begin_strike(state: State, who: Fighter, order: Striking) -> Exchange:
    """The blows about to fall."""
    target, held = state.find(order.target), blade_of(who, order)
    second = named(state, order.target2) or target
    other = second_of(who, order, held)
    if other is not None:
        main, off = (melee.hand_modifiers(hand, True, who.profile.talents, state.rules) for hand in melee.HANDS)
        then = blow_at(state, who, other, second, replace(order, trained=order.trained2), off)
        blows = [blow_at(state, who, held, target, order, main), then]
    else:
        added = melee.off_hand(who.profile.talents) if order.off_hand else ()
        struck = [target] + [second] * (melee.NUMBERS.get(order.how, 1) - 1)
        blows = [blow_at(state, who, held, unit, order, added) for unit in struck]
    return attack.exchange_of(state, who, blows, (target, second))


@clause("DW-ACT-CHARGE", "DW-ACT-MULTIPLE-ATTACKS")
def write_strike(state: State, who: Fighter, order: Striking, exchange: Exchange) -> State:
    """Where a charge ends, the rounds that were fired, and what the blows did."""
    if order.how == "charge":
        target = state.find(order.target)
        place = along(who, target, apart(who, target) - CONTACT)
        state = state.changed(moved(who, place, cover_ap=0, hidden=()))
    first = blade_of(who, order)
    for gun in (first, second_of(who, order, first)):
        if gun is not None and not gun.weapon.melee:
            state = attack.fired(state, state.fighter(who.name), gun, "single", exchange)
    return attack.write_back(state, exchange)


@clause("DW-ACT-ALL-OUT-ATTACK", "DW-ACT-GUARDED-ATTACK", "DW-ACT-FEINT", "DW-ACT-GRAPPLE")
def finish_strike(state: State, who: Fighter, order: Striking, exchange: Exchange) -> State:
    """Who is in melee now, and what the action means until the next turn."""
    struck = {unit.name for unit in (state.find(order.target), named(state, order.target2)) if unit is not None}
    for name in sorted(struck):
        if is_adjacent(who, state.find(name)):
            state = attack.engage(state, who.name, name)
    who, other = state.fighter(who.name), state.find(order.target)
    fooled = "" if who.feinted in struck else who.feinted
    who = replace(who, feinted=fooled, no_evasion=order.how == "all_out", guarded=order.how == "guarded")
    if order.how == "grapple" and exchange.landed and isinstance(other, Fighter) and not other.is_out:
        who = replace(who, grappled_with=other.name, controls=True)
        state = state.changed(replace(other, grappled_with=who.name, controls=False))
    state = state.changed(who)
    return entered(state, who, (who,)) if order.how == "charge" and not who.is_out else state


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


CLAUSES = ("DW-PIPE-1", "DW-ACT-STANDARD-ATTACK")
STRIKE = acting.attacking(
    "strike", "Strike somebody", Striking, lambda _, order: NAMES[order.how], *CLAUSES, never="strike like a fighter"
)(refuse=refuse_strike, begin=begin_strike, writes=write_strike, finish=finish_strike, options=_strikes)


# --- one against the other --------------------------------------------------------------------------------------------

Contest: TypeAlias = Literal["feint", "knock_down", "manoeuvre"]
Hold: TypeAlias = Literal["damage", "throw_down", "push", "stand", "escape"]
CONTESTS: dict[Contest, str] = {"feint": "Feint", "knock_down": "Knock-Down", "manoeuvre": "Manoeuvre"}


class Contesting(OneUnit, frozen=True):
    """A test against somebody in melee."""

    target: str = param("", "", role="foe in reach")
    what: Contest = param("feint", "Which action", "DW-TEST-6", EACH)
    direction: float = start.bearing("Which way to push", "DW-ACT-MANOEUVRE")
    follow: bool = param(False, "Follow the push", "DW-ACT-MANOEUVRE")


class Holding(OneUnit, frozen=True):
    """A turn of a grapple."""

    what: Hold = param("damage", "What is done", "DW-ACT-GRAPPLE", EACH)
    direction: float = start.bearing("Which way to push")


def begin_trial(state: State, who: Fighter, order: Contesting | Holding) -> Exchange:
    """Both sides of the test: strength, or the skill of a feint or manoeuvre."""
    target = state.fighter(order.target if isinstance(order, Contesting) else who.grappled_with)
    spec = blow_at(state, who, fists_of(who), target).spec
    assert spec is not None
    one, other = (fighters.contestant(unit, order.what, f"{unit.name}: ", rules=state.rules) for unit in (who, target))
    trial = Trial(order.what, one, other, spec, state.rules)
    return Exchange((attack.foe_of(target),), first=target.name, before=target.health, trial=trial)


def write_trial(state: State, who: Fighter, order: Any, trial: Exchange) -> State:
    """What the test did to the other."""
    state = attack.write_back(state, trial)
    other = state.fighter(trial.first)
    return state.changed(other.suffering(prone=True)) if trial.thrown and not other.is_dead else state


def pushed(state: State, direction: float, *names: str) -> State:
    """Fighters some metres on."""
    for who in map(state.fighter, names):
        place = step(Point(who.x, who.y), direction, movement.MANOEUVRED)
        state = state.changed(moved(who, Point(round(place.x, 3), round(place.y, 3))))
    return state


TRIAL: dict[str, Any] = {
    "begin": begin_trial,
    "procedure": procedure,
    "writes": write_trial,
    "measures": (
        chance("won", "The test is won", lambda action: action.won),
        chance("thrown_down", "Thrown down", lambda action: action.thrown),
        chance("attacker_prone", "The attacker falls", lambda action: action.own_prone),
        DIES,
    ),
    "headline": acting.chance_of("won", "The test is won"),
    "narrate": log.NARRATE,
}


@refuses("DW-ACT-FEINT", "DW-ACT-KNOCK-DOWN", "DW-ACT-MANOEUVRE")
def refuse_contest(state: State, who: Fighter, order: Contesting) -> Iterator[Refused | None]:
    """Why a fighter cannot try this."""
    yield refuse_target(state, who, order.target)
    target = state.find(order.target)
    if not isinstance(target, Fighter):
        reason = f"{target.name} is a horde; nobody can {order.what.replace('_', ' ')} all of it"
        yield Refused(reason, "DW-HORDE-1", "target")
    yield refuse_reach(who, fists_of(who), target)


def finish_contest(state: State, who: Fighter, order: Contesting, trial: Exchange) -> State:
    """Who is fooled, down, or somewhere else."""
    name = trial.first
    state = attack.engage(state, who.name, name)
    who = state.fighter(who.name)
    if trial.own_prone:
        who = who.suffering(prone=True)
    if order.what == "feint" and trial.won:
        who = replace(who, feinted=name, feint_turns=2)
    state = state.changed(who)
    if order.what == "manoeuvre" and trial.won:
        return pushed(state, order.direction, name, *([who.name] if order.follow else []))
    return state


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


CONTEST = deed(
    "contest", "Feint, knock down or push somebody", Contesting, lambda _, order: CONTESTS[order.what], never="do this"
)(refuse=refuse_contest, finish=finish_contest, **TRIAL)
GRAPPLE = deed("grapple", "A turn of a grapple, or out of it", Holding, "Grapple (full)")(
    refuse=lambda _, who, order: melee.refuse_grapple(order.what, who.name, bool(who.grappled_with), who.controls),
    finish=finish_hold,
    roles={"unit": "grappling fighter"},
    **TRIAL,
)
