"""What the actions of a battle share: who may act now, what keeps it from acting, and what an order may name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import Meta

from battletape.clauses import clause
from battletape.errors import Refused
from battletape.inputs import Inputs
from battletape.odds import percent
from battletape.rulesets.deathwatch.battle.log import NARRATE
from battletape.rulesets.deathwatch.battle.state import Fighter, Held, Mob, State, Unit
from battletape.rulesets.deathwatch.rules.actions import cost_of, refuse_cost
from battletape.rulesets.deathwatch.rules.attack.exchange import MEASURES, Exchange, blows, headline
from battletape.rulesets.deathwatch.rules.conditions import Allowed, budget
from battletape.rulesets.deathwatch.rules.guns import modes_of
from battletape.rulesets.deathwatch.rules.lenses import battle_lens
from battletape.system import Action, Role

if TYPE_CHECKING:
    from battletape.answer import Answer


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
    return Allowed(not unit.pinned, 1 if unit.pinned else 2, True, False, reason=reason, clause="DW-PIN-1")


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


def with_blows(
    name: str,
    title: str,
    inputs: type[Inputs],
    refuse: Callable[[Any, Any], Refused | None],
    begin: Callable[[State, Any], Exchange],
    finish: Callable[[State, Any, Exchange], State],
    *clauses: str,
    options: Callable[[Any], Iterable[Inputs]] | None = None,
) -> Action:
    """An action of attacks."""
    return Action(
        name,
        title,
        inputs,
        refuse,
        begin,
        blows,
        finish,
        options,
        measures=MEASURES,
        headline=headline,
        narrate=NARRATE,
        clauses=clauses,
        lens=battle_lens,
    )


def chance_of(name: str, words: str) -> Callable[[Answer], str]:
    """A headline: how often it works."""
    return lambda answer: f"{words} {percent(answer.odds(name).chance(1))}."


# --- what an order may name -------------------------------------------------------------------------------------------


def mine(state: State) -> Fighter | None:
    """The fighter who may act, if it is one."""
    if not state.round:
        return None
    unit = state.find("")
    return unit if isinstance(unit, Fighter) and not unit.is_out else None


def carried(
    state: State, order: Mapping[str, Any], fits: Callable[[Held], bool] = lambda weapon: True
) -> Iterator[str]:
    """The weapons of the fighter who is named that fit."""
    return (weapon.name for weapon in state.fighter(order["unit"]).held if fits(weapon))


def is_gun(weapon: Held, *, blast: bool = False, flame: bool = False) -> bool:
    """Whether it shoots, and bursts or throws flames or does neither."""
    return not weapon.weapon.melee and (bool(weapon.qualities.blast), weapon.qualities.flame) == (blast, flame)


def acting_fighter(state: State, order: Mapping[str, Any]) -> Iterator[str]:
    """The fighter whose turn it is, unless it is out."""
    fighter = mine(state)
    return iter((fighter.name,) if fighter else ())


def acting_psyker(state: State, order: Mapping[str, Any]) -> Iterator[str]:
    """The fighter whose turn it is, if it has a Psy Rating."""
    fighter = mine(state)
    return iter((fighter.name,) if fighter and fighter.profile.psy_rating else ())


def acting_mob(state: State, order: Mapping[str, Any]) -> Iterator[str]:
    """The horde whose turn it is, unless it is out."""
    unit = state.find("") if state.round else None
    return iter((unit.name,) if isinstance(unit, Mob) and not unit.is_out else ())


def delayed_fighters(state: State, order: Mapping[str, Any]) -> Iterator[str]:
    """Every fighter that keeps a Half Action for later."""
    return (fighter.name for fighter in state.fighters if fighter.delayed)


def foes(state: State, order: Mapping[str, Any]) -> Iterator[str]:
    """Everybody of other sides who is not out."""
    return (foe.name for foe in state.foes(state.find(order["unit"]).side))


def hostile_fighters(state: State, order: Mapping[str, Any]) -> Iterator[str]:
    """The fighters of other sides that are not out."""
    return (foe.name for foe in state.foes(state.find(order["unit"]).side) if isinstance(foe, Fighter))


def bleeding_friends(state: State, order: Mapping[str, Any]) -> Iterator[str]:
    """The fighters of the own side that bleed."""
    side = state.find(order["unit"]).side
    return (friend.name for friend in state.fighters if friend.side == side and friend.conditions.blood_loss)


def fire_modes(state: State, order: Mapping[str, Any]) -> Iterator[str]:
    """The modes of fire of the weapon that is named."""
    return iter(modes_of(state.fighter(order["unit"]).carries(order["weapon"]).fired))


def aims(state: State, order: Mapping[str, Any]) -> Iterator[str]:
    """Half and full."""
    return iter(("half", "full"))


ROLES: dict[str, Role] = {
    "acting fighter": acting_fighter,
    "acting psyker": acting_psyker,
    "acting horde": acting_mob,
    "delayed fighter": delayed_fighters,
    "foe": foes,
    "hostile fighter": hostile_fighters,
    "bleeding friend": bleeding_friends,
    "gun": partial(carried, fits=is_gun),
    "bursting gun": partial(carried, fits=partial(is_gun, blast=True)),
    "flamer": partial(carried, fits=partial(is_gun, flame=True)),
    "weapon with a clip": partial(carried, fits=lambda weapon: not weapon.weapon.melee),
    "heavy weapon": partial(carried, fits=lambda weapon: weapon.weapon.kind == "Heavy"),
    "weapon in hand": partial(carried, fits=lambda weapon: weapon.in_hand),
    "jammed weapon": partial(carried, fits=lambda weapon: weapon.jammed),
    "fire mode": fire_modes,
    "aim": aims,
}
