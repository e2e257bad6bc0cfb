"""What the actions of a battle share: who may act now, what keeps it from acting, and what an order may name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any, Literal, NamedTuple, TypeAlias

from battletape.cards import NO_STAGES, Answer, Inputs, Measure, Role, param, percent
from battletape.cards import refusing as Action
from battletape.rulebook import Procedure, Refused, Tape, asdict, clause, labelled, plain, refuses, replace
from battletape.rulebook import State as FrozenState
from battletape.rulesets.deathwatch.battle import attack
from battletape.rulesets.deathwatch.battle.state import Fighter, Held, Mob, State, Unit, apart, is_adjacent
from battletape.rulesets.deathwatch.rules import actions, guns, lenses, tests, traits
from battletape.rulesets.deathwatch.rules.attack import exchange, fighters, results
from battletape.rulesets.deathwatch.rules.conditions import Allowed, budget
from battletape.rulesets.deathwatch.rulings import Rulings
from battletape.rulesets.deathwatch.tables.sheet import parse_cover

WHO_ACTS = "Who acts; the one whose turn it is if left out"
HALF_OR_FULL = "Half or Full Action"
Pace: TypeAlias = Literal["half", "full"]
ANY_FOE: str = param("", role="foe")
HOW_HARD: int = param(0, "How hard it is", "DW-TEST-2", ge=-60, le=60)


class OneUnit(Inputs, frozen=True):
    """Something that one fighter does."""

    unit: str = param("", WHO_ACTS, role="acting fighter")


class OneWeapon(OneUnit, frozen=True):
    """Something done with one weapon."""

    weapon: str = param("", "Weapon; the first in hand if left out", role="weapon")


# --- who may act ------------------------------------------------------------------------------------------------------


def over(state: State) -> str | None:
    """Who has won: the only side with anybody who can still act, or nobody when the rounds are over."""
    able = dict.fromkeys(unit.side for unit in state.units if not unit.is_out)
    if len(able) == 1:
        return f"{next(iter(able))} holds the field"
    if not able:
        return "Nobody is left to fight"
    return f"The battle ends after {state.most_rounds} rounds" if state.round > state.most_rounds else None


@clause("DW-ECON-1")
def refuse_begun(state: State) -> Refused | None:
    """Why nothing can be done: the battle is over, or has not begun."""
    if (ended := over(state)) is not None:
        return Refused(f"the battle is over: {ended}", "DW-ECON-1", "over")
    if not state.round:
        return Refused("initiative comes first; roll it with begin_battle", "DW-ECON-1", "initiative")
    return None


@refuses("DW-ECON-1", "DW-ACT-DELAY", "DW-COND-SURPRISED")
def refuse_turn_of(state: State, name: str) -> Iterator[Refused | None]:
    """Why a unit cannot act now at all."""
    yield refuse_begun(state)
    unit = state.find(name)
    if unit.name != state.actor:
        later = " (it acts on its delay with act_delayed)" if isinstance(unit, Fighter) and unit.delayed else ""
        yield Refused(f"it is the turn of {state.actor}; {unit.name} has to wait{later}", "DW-ECON-1", "turn")
    yield refuse_dead(unit)
    if unit.left:
        yield Refused(f"{unit.name} has left the battle; end the turn", "DW-ECON-1", "gone")
    if isinstance(unit, Mob) and unit.broken:
        yield Refused(f"{unit.name} is broken and runs", "DW-HORDE-16", "broken")
    if unit.surprised:
        reason = f"{unit.name} is surprised and does nothing in this turn; end it"
        yield Refused(reason, "DW-COND-SURPRISED", "surprised")


def refuse_dead(unit: Unit) -> Refused | None:
    """Why the dead do nothing."""
    if not unit.is_dead:
        return None
    if isinstance(unit, Mob):
        return Refused(f"nothing is left of {unit.name}", "DW-HORDE-14", "gone")
    return Refused(f"{unit.name} is dead", "DW-DMG-4", "gone")


def allowed_to(unit: Unit) -> Allowed:
    """What the turn of a unit may hold."""
    if isinstance(unit, Fighter):
        return budget(unit.conditions, unit.screaming)
    reason = "it is pinned: one Half Action only" if unit.pinned else ""
    return Allowed(not unit.pinned, 1 if unit.pinned else 2, reason=reason, clause="DW-PIN-1")


@refuses("DW-ECON-1", "DW-PIN-1", "DW-STUN-1", "DW-COND-FIRE", "DW-COND-HELPLESS", "DW-CRIT-2")
def refuse_act(state: State, order: Any, action: str) -> Iterator[Refused | None]:
    """Why a unit may not take this action of the table now."""
    yield refuse_turn_of(state, order.unit)
    unit = state.find(order.unit)
    allowed = allowed_to(unit)
    if allowed.only and action != ("Break Free" if allowed.only == "escape" else "Run"):
        yield Refused(f"{unit.name} cannot do this: {allowed.reason}", allowed.clause, "condition")
    if isinstance(unit, Fighter):
        if unit.lies_still:
            yield Refused(f"{unit.name} lies still not to tear the wound; end the turn", "DW-CRIT-2", "condition")
        if unit.grappled_with and not action.startswith("Grapple"):
            reason = f"{unit.name} is in a grapple with {unit.grappled_with}; use grapple, or end the turn"
            yield Refused(reason, "DW-ACT-GRAPPLE", "grapple")
        exposed = unit.conditions.pinned and not unit.cover_ap and not unit.conditions.prone
        hides = action == "Drop Prone" or (action == "Move (half)" and parse_cover(order.cover, order.hidden)[0] > 0)
        if exposed and not hides:
            reason = f"{unit.name} is pinned in the open: it must move behind cover (a half move) or drop prone"
            yield Refused(reason, "DW-PIN-1", "pinned")
    if not state.interrupt:
        yield actions.refuse_cost(unit.name, unit.used, action, allowed, state.rules)
    elif actions.cost_of(action) not in ("Half", "Free"):
        reason = f"{unit.name} acts on a delay, which is one Half Action; {action} is a Full Action"
        yield Refused(reason, "DW-ACT-DELAY", "economy")


def refuse_horde(unit: Unit, what: str) -> Refused | None:
    """Why a mob does not do such a thing."""
    if isinstance(unit, Fighter):
        return None
    reason = f"{unit.name} is a horde and does not {what}; it moves, shoots (horde_shoots) and strikes (horde_strikes)"
    return Refused(reason, "DW-HORDE-15", "type")


@refuses()
def refuse_fighter(never: str, state: State, order: Any, action: str) -> Iterator[Refused | None]:
    """Why a fighter may not act so: what hordes never do comes before what a turn holds."""
    yield refuse_turn_of(state, order.unit)
    yield refuse_horde(state.find(order.unit), never)
    yield refuse_act(state, order, action)


@clause("DW-PIPE-1")
def refuse_target(state: State, who: Unit, name: str) -> Refused | None:
    """Why nobody would attack this one."""
    target = named(state, name) or who
    if target.side == who.side:
        which = "itself" if target is who else f"{target.name}, which is on its side"
        foes = ", ".join(foe.name for foe in state.foes(who.side))
        return Refused(f"{who.name} does not attack {which}; {foes} would do", "DW-PIPE-1", "side")
    gone = target.is_dead or target.left
    return Refused(f"{target.name} is out of the fight already", "DW-PIPE-1", "gone") if gone else None


def refuse_apart(who: Unit, other: Unit, reach: str, by: str = "DW-COND-ENGAGED") -> Refused | None:
    """Why nothing is done to somebody who is not next to one."""
    if is_adjacent(who, other):
        return None
    return Refused(f"{other.name} is {apart(who, other):g} m away; {reach}", by, "range")


def named(state: State, name: str) -> Unit | None:
    """The unit of this name, if one is named."""
    return state.find(name) if name.strip() else None


# --- cards ------------------------------------------------------------------------------------------------------------


class Attempt(FrozenState, frozen=True):
    """A test as far as it has got."""

    name: str
    target: int
    what: str
    rules: Rulings
    strength: int = 0
    side: str = ""
    other: tests.Contestant = tests.Contestant(0)
    done: bool = False


@clause("DW-ECON-1", "DW-ACT-AIM", "DW-ACT-RELOAD", "DW-OVER-4")
def spend(state: State, name: str, action: str) -> State:
    """Note an action: aims, overwatch and reloads are lost by it, and a delay is used up."""
    unit = state.find(name)
    state = replace(state, entered=())
    if actions.cost_of(action) == "Free":
        return state
    if isinstance(unit, Fighter):
        held = unit.held if action == "Reload" else tuple(replace(weapon, reload_done=0) for weapon in unit.held)
        unit = replace(unit, aim="none", overwatch=None, held=held)
    used = unit.used if state.interrupt else (*unit.used, action)
    return replace(state.changed(replace(unit, used=used)), interrupt="")


class Arms(NamedTuple):
    """With what something is done: the weapon that an order means, and what somebody lacks who carries none."""

    find: Callable[[Fighter, Any], Held]
    what: str
    by: str


ANY_WEAPON = Arms(lambda who, order: who.carries(order.weapon), "weapon", "DW-ACT-READY")
Refuse: TypeAlias = Callable[..., Refused | None]
Finish: TypeAlias = Callable[..., State]


def no_change(state: State, *done: Any) -> State:
    """Nothing else comes of it."""
    return state


def deed(
    name: str,
    title: str,
    inputs: type[Inputs],
    action: str | Callable[[State, Any], str],
    *clauses: str,
    never: str = "",
    may: Callable[[State, Any, str], Refused | None] | None = None,
) -> Callable[..., Any]:
    """What a unit does in its turn, an action of the table, in words; given its rules, that is its card.

    In the name of the action, inputs stand in braces. `may` says who takes it now: fighters, as hordes `never` do it.
    The clauses of the table come first.
    """
    refuse_unit = may or partial(refuse_fighter, never or plain(name))
    by = (*(row.clause for row in actions.ACTIONS if row.played_by == name), *clauses)

    def action_of(state: State, order: Any) -> str:
        return action.format(**asdict(order)) if isinstance(action, str) else action(state, order)

    def card(
        refuse: Refuse = lambda state, *tried: None,
        begin: Callable[..., Any] = no_change,
        procedure: Callable[[Any], Procedure] = NO_STAGES,
        writes: Finish = no_change,
        finish: Finish = no_change,
        spends: bool = True,
        arms: Arms | None = ANY_WEAPON if issubclass(inputs, OneWeapon) else None,
        **more: Any,
    ) -> Any:
        """The action is noted after what it did to others (`writes`); `finish` follows, unless a test has failed.

        All rules are told the state, who acts (with `arms` or a weapon in the order: and with what), and the order.
        """

        def told(state: State, order: Any) -> tuple[Any, ...]:
            who: Any = state.find(order.unit)
            return (state, who, order) if arms is None else (state, who, arms.find(who, order), order)

        def refused(state: State, order: Any) -> Refused | None:
            forbidden = refuse_unit(state, order, action_of(state, order))
            if forbidden is None and arms is not None and not (who := state.fighter(order.unit)).held:
                return Refused(f"{who.name} carries no {arms.what}", arms.by, "weapon")
            return forbidden or refuse(*told(state, order))

        def begun(state: State, order: Any) -> Any:
            return begin(*told(state, order))

        def finished(state: State, order: Any, result: Any) -> State:
            order = replace(order, unit=state.find(order.unit).name)  # whoever acts afterwards
            after = writes(*told(state, order), result)
            after = spend(after, order.unit, action_of(state, order)) if spends else after
            failed = isinstance(result, Attempt) and not result.done
            return after if failed else finish(*told(after, order), result)

        return Action(name, title, inputs, refused, begun, procedure, finished, clauses=by, **more)

    return card


def attacking(*words: Any, **may: Any) -> Callable[..., Any]:
    """A deed of attacks."""
    return partial(
        deed(*words, **may),
        procedure=exchange.procedure,
        writes=lambda state, who, order, blows: attack.write_back(state, blows),
        measures=results.IN_BATTLE,
        headline=results.headline,
        lens=lenses.lens,
    )


def if_suffering(condition: str, words: str, by: str, kind: str, wanted: bool = True) -> Refuse:
    """Whoever is not in this condition is refused with these words; not `wanted`: whoever is in it."""

    def refuse(state: State, who: Fighter, order: Any) -> Refused | None:
        suffers = bool(getattr(who.conditions, condition))
        return None if suffers == wanted else Refused(f"{who.name} {words}", by, kind)

    return refuse


refuse_prone = if_suffering("prone", "is prone; stand first", "DW-COND-PRONE", "prone", wanted=False)


def becoming(**changes: Any) -> Finish:
    """The one who acts is like this now."""
    return lambda state, who, order, result: state.changed(replace(who, **changes))


def suffering(**conditions: bool) -> Finish:
    """The one who acts, or whom it does this to, is in these conditions now."""
    return lambda state, who, order, result: state.changed(
        state.fighter(getattr(order, "target", "") or who.name).suffering(**conditions)
    )


# --- tests ------------------------------------------------------------------------------------------------------------

LOWERED_WITH = {"agility": "ag", "medicae": "int", "strength": "s", "toughness": "t", "willpower": "wp"}
"""The characteristic whose wounds lower a number of a profile, if it is called otherwise."""


def needed(state: State, who: Fighter, of: str, *added: traits.Modifier) -> int:
    """What a fighter's test of a number of its profile must roll or less, with fatigue and wounds."""
    return fighters.target_of(who, LOWERED_WITH.get(of, of), getattr(who.profile, of), added, state.rules)


def begin_test(of: str, label: str, *added: traits.Modifier) -> Callable[..., Attempt]:
    """An action begins with a test of this number."""
    return lambda state, who, *order: Attempt(who.name, needed(state, who, of, *added), label, state.rules)


@clause("DW-ACT-USE-A-SKILL", "DW-BLOOD-2", "DW-COND-FIRE")
def attempt(tape: Tape, tried: Attempt) -> Attempt:
    """One test."""
    return replace(tried, done=tests.check(tape, tried.target, labelled(tried.name, tried.what), tried.rules))


ATTEMPT = Procedure("test", (attempt,))


def chance_of(name: str, words: str) -> Callable[[Answer], str]:
    """A headline: how often it works."""
    return lambda answer: f"{words} {percent(answer.odds(name).chance(1))}."


def a_test(
    procedure: Procedure = ATTEMPT, words: str = "It succeeds", headline: str = "Succeeds", measure: str = "done"
) -> dict[str, Any]:
    """What all cards of one test have."""
    measures = (Measure(measure, words, lambda tried: int(tried.done)),)
    return {"procedure": procedure, "measures": measures, "headline": chance_of(measure, headline)}


# --- what an order may name -------------------------------------------------------------------------------------------


def mine(state: State) -> Fighter | None:
    """The fighter who may act, if it is one."""
    return unit if isinstance(unit := acting(state), Fighter) else None


def acting(state: State) -> Unit | None:
    """The unit whose turn it is, unless it is out."""
    unit = state.find("") if state.round else None
    return None if unit is None or unit.is_out else unit


def is_gun(weapon: Held, *, blast: bool = False, flame: bool = False) -> bool:
    """Whether it shoots, and bursts or throws flames or does neither."""
    return not weapon.weapon.melee and (bool(weapon.qualities.blast), weapon.qualities.flame) == (blast, flame)


def is_smoking(weapon: Held) -> bool:
    """Whether it shoots smoke, which may be laid on a place."""
    return not weapon.weapon.melee and weapon.qualities.smoke


def _fights(state: State, order: Mapping[str, Any], fits: Callable[[Fighter], Any]) -> Iterable[str]:
    return (unit.name for unit in (acting(state),) if isinstance(unit, Fighter) and fits(unit))


def _foes(state: State, order: Mapping[str, Any], fits: Callable[[Unit, Unit], bool]) -> Iterable[str]:
    who = state.find(order["unit"])
    return (foe.name for foe in state.foes(who.side) if fits(who, foe))


def _bleeding(state: State, order: Mapping[str, Any]) -> Iterable[str]:
    side = state.find(order["unit"]).side
    return (friend.name for friend in state.fighters if friend.side == side and friend.conditions.blood_loss)


def _carried(state: State, order: Mapping[str, Any], fits: Callable[[Held], Any]) -> Iterable[str]:
    return (weapon.name for weapon in state.fighter(order["unit"]).held if fits(weapon))


def _weapon(state: State, order: Mapping[str, Any]) -> Held:
    return state.fighter(order["unit"]).carries(order["weapon"])


ROLES: dict[str, Role] = {
    "acting fighter": partial(_fights, fits=lambda who: True),
    "acting psyker": partial(_fights, fits=lambda who: who.profile.psy_rating),
    "burning fighter": partial(_fights, fits=lambda who: who.conditions.on_fire),
    "fighter held fast": partial(_fights, fits=lambda who: who.conditions.immobilised),
    "grappling fighter": partial(_fights, fits=lambda who: who.grappled_with),
    "acting horde": lambda state, order: (unit.name for unit in (acting(state),) if isinstance(unit, Mob)),
    "delayed fighter": lambda state, order: (fighter.name for fighter in state.fighters if fighter.delayed),
    "watching fighter": lambda state, order: (came.watcher for came in state.entered),
    "unit in its zone": lambda state, order: (came.target for came in state.entered if came.watcher == order["unit"]),
    "foe": partial(_foes, fits=lambda who, foe: True),
    "foe in reach": partial(_foes, fits=is_adjacent),
    "hostile fighter": partial(_foes, fits=lambda who, foe: isinstance(foe, Fighter)),
    "fighter in reach": partial(_foes, fits=lambda who, foe: isinstance(foe, Fighter) and is_adjacent(who, foe)),
    "bleeding friend": _bleeding,
    "weapon": partial(_carried, fits=lambda weapon: True),
    "gun": partial(_carried, fits=is_gun),
    "bursting gun": partial(_carried, fits=lambda weapon: is_gun(weapon, blast=True) or is_smoking(weapon)),
    "flamer": partial(_carried, fits=partial(is_gun, flame=True)),
    "weapon with a clip": partial(_carried, fits=lambda weapon: not weapon.weapon.melee),
    "heavy weapon": partial(_carried, fits=lambda weapon: weapon.weapon.kind == "Heavy"),
    "weapon in hand": partial(_carried, fits=lambda weapon: weapon.in_hand),
    "jammed weapon": partial(_carried, fits=lambda weapon: weapon.jammed),
    "fire mode": lambda state, order: guns.modes_of(_weapon(state, order).fired),
    "put away if in hand": lambda state, order: (_weapon(state, order).in_hand,),
    "own facing": lambda state, order: (state.fighter(order["unit"]).facing,),
    "own perception": lambda state, order: (state.fighter(order["unit"]).profile.perception,),
}
"""What an order may name; the inputs before it are known."""
