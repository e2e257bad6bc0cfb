"""Turns of a battle: `begin_battle`, `end_turn`, `delay`, `act_delayed`; `defend`; reactions, `dodge` and `parry`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from battletape.cards import Answer, Inputs, Measure, Nothing, param, percent
from battletape.cards import refusing as Action
from battletape.cards import refusing_at_once as at_once
from battletape.rulebook import Procedure, Refused, Tape, clause, labelled, plural, refuses, replace
from battletape.rulesets.deathwatch.battle import acting, turn
from battletape.rulesets.deathwatch.battle.state import Fighter, State
from battletape.rulesets.deathwatch.rules.attack import fighters, stages
from battletape.rulesets.deathwatch.rules.tests import Contestant, contest

# --- one turn after the other -----------------------------------------------------------------------------------------


def next_headline(answer: Answer) -> str:
    """Whose turn is next, and whether somebody dies as it begins."""
    risk = answer.odds("dead").at_least(FALLEN.of(answer.start) + 1)
    return f"Somebody dies as the next turn begins {percent(risk)}." if risk else "The next turn begins."


FALLEN = Measure(
    "dead", "How many are dead or destroyed", lambda state: sum(unit.is_dead for unit in state.units), "units"
)
BEGIN_BATTLE = Action(
    "begin_battle",
    "Roll initiative",
    Nothing,
    lambda state, order: Refused("initiative has been rolled", "DW-ECON-1", "initiative") if state.round else None,
    procedure=Procedure("initiative", (turn.roll_initiative, turn.begin_turn)),
    headline=lambda answer: "A d10 and the Agility bonus for everybody.",
    clauses=("DW-ECON-1",),
)
END_TURN = Action(
    "end_turn",
    "End the turn",
    Nothing,
    lambda state, order: acting.refuse_begun(state),
    procedure=Procedure("end of turn", (turn.finish_turn,)),
    measures=(FALLEN,),
    headline=next_headline,
    clauses=("DW-ECON-1", "DW-PIN-2", "DW-STUN-1", "DW-BLOOD-1", "DW-COND-FIRE", "DW-HORDE-16"),
)

# --- delays and stances -----------------------------------------------------------------------------------------------


class Acting(Inputs, frozen=True):
    """A fighter acts on its delay."""

    unit: str = param("", "Who has delayed", role="delayed fighter")
    against: str = param("", "Another who acts on a delay at the same moment", "DW-ACT-DELAY")


@clause("DW-ACT-DELAY")
def refuse_delay(state: State, order: acting.OneUnit, action: str) -> Refused | None:
    """Why a fighter cannot delay: somebody acts on a delay, or the turn has no room for it."""
    if state.interrupt:
        return Refused(f"{state.interrupt} acts on a delay already", "DW-ACT-DELAY", "delay")
    return acting.refuse_fighter("delay", state, order, action)


@clause("DW-ACT-DELAY", "DW-TEST-6")
def be_first(tape: Tape, tried: acting.Attempt) -> acting.Attempt:
    """Two who act on a delay at once: Agility against Agility."""
    if not tried.other.label:
        return replace(tried, done=True)
    first = Contestant(tried.target, tried.strength, labelled(tried.name, "agility"))
    return replace(tried, done=contest(tape, first, tried.other, tried.rules, 0).winner == "one")


@refuses("DW-ACT-DELAY", "DW-STUN-1")
def refuse_act_delayed(state: State, order: Acting, action: str) -> Iterator[Refused | None]:
    """Why a fighter cannot act on a delay now."""
    yield acting.refuse_begun(state)
    if state.interrupt:
        yield Refused(f"{state.interrupt} acts on a delay already; let that end first", "DW-ACT-DELAY", "delay")
    for name in (order.unit, *filter(str.strip, (order.against,))):
        who = state.find(name)
        if not isinstance(who, Fighter) or not who.delayed:
            yield Refused(f"{who.name} has not delayed; use delay in its turn first", "DW-ACT-DELAY", "delay")
        elif who.is_out or who.conditions.stunned:
            yield Refused(f"{who.name} cannot act: it is stunned or out", "DW-STUN-1", "condition")
        elif who.name == state.active:
            yield Refused(f"it is the turn of {who.name} already", "DW-ACT-DELAY", "turn")


def begin_act_delayed(state: State, who: Fighter, order: Acting) -> acting.Attempt:
    """Alone there is no test; two at once go by Agility."""
    other = acting.named(state, order.against)
    tried = acting.Attempt(who.name, acting.needed(state, who, "agility"), "agility", state.rules, who.ab)
    if not isinstance(other, Fighter):
        return tried
    return replace(tried, other=Contestant(acting.needed(state, other, "agility"), other.ab, f"{other.name}: agility"))


def write_act_delayed(state: State, who: Fighter, order: Acting, tried: acting.Attempt) -> State:
    """The winner has one Half Action now; the other may act afterwards."""
    first = state.fighter(order.unit if tried.done or not order.against.strip() else order.against)
    return replace(state.changed(replace(first, delayed=False)), interrupt=first.name)


DELAY = acting.deed("delay", "Delay", acting.OneUnit, "Delay", may=refuse_delay)(finish=acting.becoming(delayed=True))
ACT_DELAYED = acting.deed("act_delayed", "Act on a delay", Acting, "", "DW-ACT-DELAY", may=refuse_act_delayed)(
    begin=begin_act_delayed, writes=write_act_delayed, spends=False, **acting.a_test(Procedure("delay", (be_first,)))
)
DEFEND = acting.deed("defend", "Defensive stance", acting.OneUnit, "Defensive Stance", never="take a stance")(
    finish=acting.becoming(defensive=True)  # until the next turn
)

# --- reactions: chosen when an attack hits; as actions they only say whether one is left ------------------------------


class Reaction(Inputs, frozen=True):
    """A fighter that would dodge or parry."""

    unit: str = param("", "Who would react; the one whose turn it is if left out")


def _reaction(what: str, title: str, when: str, by: str, refuse: Callable[[Fighter], Refused | None]) -> Any:
    """An action that is always refused: nobody may react now, or it is chosen when an attack hits."""

    @refuses()
    def refused(state: State, order: Reaction) -> Iterator[Refused | None]:
        yield acting.refuse_begun(state)
        yield acting.refuse_horde(state.find(order.unit), what)
        who = state.fighter(order.unit)
        yield acting.refuse_dead(who) or refuse(who)
        left = plural(stages.reactions(who.defensive) - who.reactions_used, "Reaction")
        reason = f"a {what} is a Reaction: it is chosen within the attack, when {when} hits (the question “reaction”)"
        yield Refused(f"{reason}; {who.name} has {left} left this round", by, "reaction")

    return at_once(what, title, Reaction, refused, lambda state, order: state, by, "DW-EVA-1", options=lambda state: ())


@clause("DW-EVA-1", "DW-EVA-2", "DW-ACT-DODGE")
def refuse_dodging(who: Fighter) -> Refused | None:
    """Why somebody would not dodge."""
    untrained = None if who.profile.dodge else Refused(f"{who.name} has no Dodge", "DW-EVA-2", "reaction")
    return stages.refuse_reaction(fighters.reacting(who)) or untrained


@clause("DW-EVA-1", "DW-EVA-3", "DW-ACT-PARRY")
def refuse_parrying(who: Fighter) -> Refused | None:
    """Why somebody would not parry."""
    blade = next(iter((*fighters.in_turn(who), *who.blades)), None)
    qualities = stages.NO_QUALITIES if blade is None else blade.qualities
    return stages.refuse_parry(fighters.reacting(who), armed=blade is not None, qualities=qualities)


DODGE = _reaction("dodge", "Dodge an attack", "an attack", "DW-ACT-DODGE", refuse_dodging)
PARRY = _reaction("parry", "Parry a blow", "a blow", "DW-ACT-PARRY", refuse_parrying)
