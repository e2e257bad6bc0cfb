"""What the actions of a battle share: who may act now, what keeps it from acting, and what an order may name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Annotated, Any, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import replace

from battletape.answer import Answer
from battletape.clauses import clause
from battletape.errors import Refused
from battletape.inputs import Inputs
from battletape.odds import percent
from battletape.procedure import Procedure
from battletape.rulesets.deathwatch.battle.log import NARRATE
from battletape.rulesets.deathwatch.battle.outcome import spend
from battletape.rulesets.deathwatch.battle.state import Fighter, Held, Mob, State, Unit
from battletape.rulesets.deathwatch.rules.actions import cost_of, refuse_cost
from battletape.rulesets.deathwatch.rules.attack.exchange import Exchange, procedure
from battletape.rulesets.deathwatch.rules.attack.results import IN_BATTLE, headline
from battletape.rulesets.deathwatch.rules.conditions import Allowed, budget
from battletape.rulesets.deathwatch.rules.guns import modes_of
from battletape.rulesets.deathwatch.rules.lenses import battle_lens
from battletape.rulesets.deathwatch.rules.tests import Contestant, check
from battletape.rulesets.deathwatch.rulings import Rulings
from battletape.system import Action, Measure, Role, at_once
from battletape.tape import Tape
from battletape.words import labelled

WHO_ACTS = "Who acts; the one whose turn it is if left out"
FIRST_IN_HAND = "Weapon; the first in hand if left out"
Who = Annotated[str, Meta(title=WHO_ACTS, extra={"role": "acting fighter"})]
AnyFoe = Annotated[str, Meta(extra={"role": "foe"})]
AnyGun = Annotated[str, Meta(title=FIRST_IN_HAND, extra={"role": "gun"})]
ESCAPE, RUN = "Break Free", "Run"
HELD = ("Grapple (half)", "Grapple (full)")


class Nothing(Inputs, frozen=True):
    """No parameters."""


class OneUnit(Inputs, frozen=True):
    """Something that one fighter does."""

    unit: Who = ""


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
    ended = over(state)
    if ended is not None:
        return Refused(f"the battle is over: {ended}", "DW-ECON-1", "over")
    if not state.round:
        return Refused("initiative comes first; roll it with begin_battle", "DW-ECON-1", "initiative")
    return None


@clause("DW-ECON-1", "DW-ACT-DELAY", "DW-COND-SURPRISED")
def refuse_turn_of(state: State, name: str) -> Refused | None:
    """Why a unit cannot act now at all."""
    refused = refuse_begun(state)
    if refused is not None:
        return refused
    unit = state.find(name)
    if unit.name != state.actor:
        later = " (it acts on its delay with act_delayed)" if isinstance(unit, Fighter) and unit.delayed else ""
        return Refused(f"it is the turn of {state.actor}; {unit.name} has to wait{later}", "DW-ECON-1", "turn")
    if unit.is_dead:
        if isinstance(unit, Mob):
            return Refused(f"nothing is left of {unit.name}", "DW-HORDE-14", "gone")
        return Refused(f"{unit.name} is dead", "DW-DMG-4", "gone")
    if isinstance(unit, Mob):
        return Refused(f"{unit.name} is broken and runs", "DW-HORDE-16", "broken") if unit.broken else None
    if unit.surprised:
        reason = f"{unit.name} is surprised and does nothing in this turn; end it"
        return Refused(reason, "DW-COND-SURPRISED", "surprised")
    return None


def allowed_to(unit: Unit) -> Allowed:
    """What the turn of a unit may hold."""
    if isinstance(unit, Fighter):
        return budget(unit.conditions, unit.screaming)
    reason = "it is pinned: one Half Action only" if unit.pinned else ""
    return Allowed(not unit.pinned, 1 if unit.pinned else 2, reason=reason, clause="DW-PIN-1")


@clause("DW-ECON-1", "DW-PIN-1", "DW-STUN-1", "DW-COND-FIRE", "DW-COND-HELPLESS", "DW-CRIT-2")
def refuse_act(state: State, name: str, action: str, covers: bool = False) -> Refused | None:
    """Why a unit may not take this action of the table now; `covers`: the action ends behind cover."""
    refused = refuse_turn_of(state, name)
    if refused is not None:
        return refused
    unit = state.find(name)
    allowed = allowed_to(unit)
    if allowed.only and action != (ESCAPE if allowed.only == "escape" else RUN):
        return Refused(f"{unit.name} cannot do this: {allowed.reason}", allowed.clause, "condition")
    if isinstance(unit, Fighter):
        refused = _refuse_state(unit, action, covers)
        if refused is not None:
            return refused
    if state.interrupt:
        if cost_of(action) in ("Half", "Free"):
            return None
        reason = f"{unit.name} acts on a delay, which is one Half Action; {action} is a Full Action"
        return Refused(reason, "DW-ACT-DELAY", "economy")
    return refuse_cost(unit.name, unit.used, action, allowed, state.rules)


def _refuse_state(unit: Fighter, action: str, covers: bool) -> Refused | None:
    if unit.lies_still:
        return Refused(f"{unit.name} lies still not to tear the wound; end the turn", "DW-CRIT-2", "condition")
    if unit.grappled_with and action not in HELD:
        reason = f"{unit.name} is in a grapple with {unit.grappled_with}; use grapple, or end the turn"
        return Refused(reason, "DW-ACT-GRAPPLE", "grapple")
    exposed = unit.conditions.pinned and not unit.cover_ap and not unit.conditions.prone
    if exposed and not (action == "Drop Prone" or (action == "Move (half)" and covers)):
        reason = f"{unit.name} is pinned in the open: it must move behind cover (a half move) or drop prone"
        return Refused(reason, "DW-PIN-1", "pinned")
    return None


def fighter_of(state: State, name: str, what: str) -> Fighter | Refused:
    """A fighter, or why a mob does not do such a thing."""
    unit = state.find(name)
    if isinstance(unit, Fighter):
        return unit
    reason = f"{unit.name} is a horde and does not {what}; it moves, shoots (horde_shoots) and strikes (horde_strikes)"
    return Refused(reason, "DW-HORDE-15", "type")


def fighter_to(state: State, name: str, action: str, what: str) -> Fighter | Refused:
    """The fighter that acts, or why it may not: that hordes never do this comes before what a turn holds."""
    refused = refuse_turn_of(state, name)
    who = fighter_of(state, name, what) if refused is None else refused
    return who if isinstance(who, Refused) else refuse_act(state, name, action) or who


@clause("DW-PIPE-1")
def refuse_target(state: State, who: Unit, name: str) -> Refused | None:
    """Why nobody would attack this one."""
    target = state.find(name) if name.strip() else who
    if target.side == who.side:
        which = "itself" if target is who else f"{target.name}, which is on its side"
        foes = ", ".join(foe.name for foe in state.foes(who.side))
        return Refused(f"{who.name} does not attack {which}; {foes} would do", "DW-PIPE-1", "side")
    if target.is_dead:
        return Refused(f"{target.name} is out of the fight already", "DW-PIPE-1", "gone")
    return None


# --- cards ------------------------------------------------------------------------------------------------------------

Options: TypeAlias = Callable[[Any], Iterable[Inputs]] | None
Does: TypeAlias = tuple[str | Callable[[State, Any], str], str]
"""An action of the table, or how the order tells it; and the verb for those who never do it."""
Refuse: TypeAlias = Callable[[State, Fighter, Any], Refused | None]


def allow(state: State, who: Fighter, order: Any) -> None:
    """Nothing else forbids it."""


def unchanged(state: State, who: Fighter, order: Any) -> State:
    """Nothing else comes of it."""
    return state


class Attempt(Struct, frozen=True, cache_hash=True):
    """A test as far as it has got."""

    name: str
    target: int
    what: str
    rules: Rulings
    strength: int = 0
    side: str = ""
    other: Contestant = Contestant(0)
    done: bool = False


def is_done(tried: Attempt) -> int:
    """Whether it succeeded, as a number."""
    return int(tried.done)


@clause("DW-ACT-USE-A-SKILL", "DW-BLOOD-2", "DW-COND-FIRE")
def attempt(tape: Tape, tried: Attempt) -> Attempt:
    """One test."""
    return replace(tried, done=check(tape, tried.target, labelled(tried.name, tried.what), tried.rules))


ATTEMPT = Procedure("test", (attempt,))


def with_blows(
    name: str,
    title: str,
    inputs: type[Inputs],
    refuse: Callable[[Any, Any], Refused | None],
    begin: Callable[[State, Any], Exchange],
    finish: Callable[[State, Any, Exchange], State],
    *clauses: str,
    options: Options = None,
) -> Action:
    """An action of attacks."""
    own: dict[str, Any] = {"measures": IN_BATTLE, "headline": headline, "narrate": NARRATE, "lens": battle_lens}
    return Action(name, title, inputs, refuse, begin, procedure, finish, options, clauses=clauses, **own)


def chance_of(name: str, words: str) -> Callable[[Answer], str]:
    """A headline: how often it works."""
    return lambda answer: f"{words} {percent(answer.odds(name).chance(1))}."


def by_fighter(
    name: str,
    title: str,
    inputs: type[Inputs],
    does: Does,
    finish: Callable[[State, Fighter, Any], State],
    *clauses: str,
    refuse: Refuse = allow,
    options: Options = None,
    spends: bool = True,
) -> Action:
    """An action that a fighter takes at once: what it costs is asked before it and, unless it is free, spent by it."""
    done = partial(_done, does, finish, spends=spends)
    return at_once(name, title, inputs, partial(refuse_doing, does, refuse), done, *clauses, options=options)


def by_test(
    name: str,
    title: str,
    inputs: type[Inputs],
    does: Does,
    begin: Callable[[State, Fighter, Any], Attempt],
    finish: Callable[[State, Fighter, Any], State],
    *clauses: str,
    refuse: Refuse = allow,
    options: Options = None,
    measure: str = "done",
    words: tuple[str, str] = ("It succeeds", "Succeeds"),
    procedure: Procedure = ATTEMPT,
) -> Action:
    """An action that a fighter takes, of one test; `finish` says what becomes of a success."""

    def after(state: State, order: Any, tried: Attempt) -> State:
        return _done(does, finish if tried.done else unchanged, state, order)

    return Action(
        name,
        title,
        inputs,
        partial(refuse_doing, does, refuse),
        lambda state, order: begin(state, state.fighter(order.unit), order),
        procedure,
        after,
        options,
        measures=(Measure(measure, words[0], is_done),),
        headline=chance_of(measure, words[1]),
        clauses=clauses,
    )


def refuse_doing(does: Does, refuse: Refuse, state: State, order: Any) -> Refused | None:
    """Why a fighter cannot take an action: the turn has no room for it, or what else forbids it."""
    who = fighter_to(state, order.unit, _action(does, state, order), does[1])
    return who if isinstance(who, Refused) else refuse(state, who, order)


def _done(
    does: Does, finish: Callable[[State, Fighter, Any], State], state: State, order: Any, spends: bool = True
) -> State:
    name, action = state.find(order.unit).name, _action(does, state, order)
    state = spend(state, name, action) if spends else state
    return finish(state, state.fighter(name), order)


def _action(does: Does, state: State, order: Any) -> str:
    action = does[0]
    return action if isinstance(action, str) else action(state, order)


def options_if(inputs: Callable[..., Inputs], fits: Callable[[Fighter], Any]) -> Callable[[State], Iterator[Inputs]]:
    """The one option of the fighter whose turn it is, if it is one that fits."""

    def options(state: State) -> Iterator[Inputs]:
        who = mine(state)
        return iter((inputs(unit=who.name),) if who is not None and fits(who) else ())

    return options


# --- what an order may name -------------------------------------------------------------------------------------------


def mine(state: State) -> Fighter | None:
    """The fighter who may act, if it is one."""
    unit = acting(state)
    return unit if isinstance(unit, Fighter) else None


def acting(state: State) -> Unit | None:
    """The unit whose turn it is, unless it is out."""
    unit = state.find("") if state.round else None
    return None if unit is None or unit.is_out else unit


def is_gun(weapon: Held, *, blast: bool = False, flame: bool = False) -> bool:
    """Whether it shoots, and bursts or throws flames or does neither."""
    return not weapon.weapon.melee and (bool(weapon.qualities.blast), weapon.qualities.flame) == (blast, flame)


def _acts(state: State, order: Mapping[str, Any], fits: Callable[[Unit], Any]) -> Iterator[str]:
    unit = acting(state)
    return iter((unit.name,) if unit is not None and fits(unit) else ())


def _fighters(state: State, order: Mapping[str, Any], fits: Callable[[Fighter, str], Any]) -> Iterator[str]:
    side = state.find(order["unit"]).side if "unit" in order else ""
    return (fighter.name for fighter in state.fighters if fits(fighter, side))


def _carried(state: State, order: Mapping[str, Any], fits: Callable[[Held], bool]) -> Iterator[str]:
    return (weapon.name for weapon in state.fighter(order["unit"]).held if fits(weapon))


ROLES: dict[str, Role] = {
    "acting fighter": partial(_acts, fits=lambda unit: isinstance(unit, Fighter)),
    "acting psyker": partial(_acts, fits=lambda unit: isinstance(unit, Fighter) and unit.profile.psy_rating),
    "acting horde": partial(_acts, fits=lambda unit: isinstance(unit, Mob)),
    "delayed fighter": partial(_fighters, fits=lambda fighter, side: fighter.delayed),
    "foe": lambda state, order: (foe.name for foe in state.foes(state.find(order["unit"]).side)),
    "hostile fighter": partial(_fighters, fits=lambda foe, side: foe.side != side and not foe.is_out),
    "bleeding friend": partial(
        _fighters, fits=lambda friend, side: friend.side == side and friend.conditions.blood_loss
    ),
    "gun": partial(_carried, fits=is_gun),
    "bursting gun": partial(_carried, fits=partial(is_gun, blast=True)),
    "flamer": partial(_carried, fits=partial(is_gun, flame=True)),
    "weapon with a clip": partial(_carried, fits=lambda weapon: not weapon.weapon.melee),
    "heavy weapon": partial(_carried, fits=lambda weapon: weapon.weapon.kind == "Heavy"),
    "weapon in hand": partial(_carried, fits=lambda weapon: weapon.in_hand),
    "jammed weapon": partial(_carried, fits=lambda weapon: weapon.jammed),
    "fire mode": lambda state, order: modes_of(state.fighter(order["unit"]).carries(order["weapon"]).fired),
    "aim": lambda state, order: ("half", "full"),
}
"""What an order may name; the inputs before it are known."""
