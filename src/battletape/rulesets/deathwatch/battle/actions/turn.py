"""Turns of a battle: `begin_battle`, `end_turn`, `delay`, `act_delayed`; `defend`; reactions, `dodge` and `parry`."""

from __future__ import annotations

from collections.abc import Callable

from battletape.cards import Action, Answer, Inputs, Measure, Nothing, Plan, asked, percent, unchanged
from battletape.rulebook import Procedure, Refused, Tape, clause, labelled, need, plural, raise_if_refused, replace
from battletape.rulesets.deathwatch.battle import referee, turn
from battletape.rulesets.deathwatch.battle.changes import change
from battletape.rulesets.deathwatch.battle.state import Fighter, State
from battletape.rulesets.deathwatch.rules.attack import fighters, stages
from battletape.rulesets.deathwatch.rules.d100_tests import Contestant, contest

# --- one turn after the other -----------------------------------------------------------------------------------------


@clause("DW-ECON-1")
def plan_battle(state: State, order: Nothing) -> Plan:
    """Refuse to roll initiative twice."""
    need(not state.round, "initiative has been rolled", "DW-ECON-1", "initiative", at_all=True)
    return Plan(unchanged, state)


@clause("DW-ECON-1")
def plan_end_of_turn(state: State, order: Nothing) -> Plan:
    """Refuse to end a turn before the battle begins and after it is over."""
    referee.need_battle(state)
    return Plan(unchanged, state)


def end_of_turn_headline(answer: Answer) -> str:
    """Say that the next turn begins, and how likely a unit dies as it does."""
    risk = answer.odds("dead").at_least(FALLEN.of(answer.start) + 1)
    return f"A fighter dies as the next turn begins {percent(risk)}." if risk else "The next turn begins."


FALLEN = Measure(
    "dead", "How many are dead or destroyed", lambda state: sum(unit.is_dead for unit in state.units), "units"
)
BEGIN_BATTLE = Action(
    "begin_battle",
    "Roll initiative",
    Nothing,
    plan_battle,
    Procedure("initiative", (turn.roll_initiative, turn.begin_turn)),
    headline=lambda answer: "A d10 and the Agility bonus for everybody.",
    clauses=("DW-ECON-1",),
)
END_TURN = Action(
    "end_turn",
    "End the turn",
    Nothing,
    plan_end_of_turn,
    Procedure("end of turn", (turn.finish_turn,)),
    measures=(FALLEN,),
    headline=end_of_turn_headline,
    clauses=("DW-ECON-1", "DW-PIN-2", "DW-STUN-1", "DW-BLOOD-1", "DW-COND-FIRE", "DW-HORDE-16"),
    ends="turn",
)

# --- delays and stances -----------------------------------------------------------------------------------------------


class ActDelayedOrder(Inputs, frozen=True):
    """A fighter acts on its delay."""

    unit: str = asked("", "Fighter that has delayed", role="delayed fighter")
    against: str = asked("", "Another fighter that acts on a delay at the same moment", "DW-ACT-DELAY")


@clause("DW-ACT-DELAY")
def plan_delay(state: State, order: referee.UnitOrder) -> Plan:
    """Refuse a delay while another unit acts on one, and one for which the turn has no room."""
    need(not state.interrupt, f"{state.interrupt} acts on a delay already", "DW-ACT-DELAY", "delay")
    fighter = referee.acting_fighter(state, order, "Delay", "delay")
    return Plan(delay, state, fighter.name, order=replace(order, unit=fighter.name))


@clause("DW-ACT-DELAY")
def delay(tape: Tape, state: State, name: str) -> State:
    """Wait with a Half Action for a better moment."""
    state = referee.spend(tape, state, name, "Delay")
    return change(tape, state, state.fighter(name).with_done(delayed=True))


@clause("DW-ACT-DELAY", "DW-STUN-1")
def plan_acting_delayed(state: State, order: ActDelayedOrder) -> Plan:
    """Refuse fighters that have not delayed, that cannot act, or that act already."""
    referee.need_battle(state)
    busy = f"{state.interrupt} acts on a delay already; let that end first"
    need(not state.interrupt, busy, "DW-ACT-DELAY", "delay")
    fighter = _delayed(state, referee.unit_named(state, order.unit).name)
    other = _delayed(state, order.against) if order.against.strip() else None
    attempt = referee.PendingTest(
        fighter.name, referee.test_target(state, fighter, "agility"), "agility", state.rulings, fighter.ab
    )
    if other is not None:
        against = Contestant(referee.test_target(state, other, "agility"), other.ab, f"{other.name}: agility")
        attempt = replace(attempt, other=against)
    full = replace(order, unit=fighter.name, against=other.name if other else "")
    return Plan(referee.begin_attempt, attempt, order=full).then(interrupt, state, other.name if other else "")


def _delayed(state: State, name: str) -> Fighter:
    """Return the fighter of this name, which must be able to act on its delay."""
    unit = state.find(name)
    waits = isinstance(unit, Fighter) and unit.done.delayed
    need(waits, f"{unit.name} has not delayed; use delay in its turn first", "DW-ACT-DELAY", "delay")
    fighter = referee.as_fighter(unit, "delay")
    able = not (fighter.is_out or fighter.conditions.stunned)
    need(able, f"{fighter.name} cannot act: it is stunned or out", "DW-STUN-1", "condition")
    need(fighter.name != state.active, f"it is the turn of {fighter.name} already", "DW-ACT-DELAY", "turn")
    return fighter


@clause("DW-ACT-DELAY", "DW-TEST-6")
def be_first(tape: Tape, test: referee.PendingTest) -> referee.PendingTest:
    """Test Agility against Agility where two act on a delay at once."""
    if not test.other.label:
        return replace(test, passed=True)
    first = Contestant(test.target, test.strength, labelled(test.name, "agility"))
    return replace(test, passed=contest(tape, first, test.other, test.rulings, 0).winner == "one")


@clause("DW-ACT-DELAY")
def interrupt(tape: Tape, test: referee.PendingTest, state: State, other: str) -> State:
    """Let the winner take one Half Action now; the other may act afterwards."""
    first = state.fighter(test.name if test.passed or not other else other)
    tape.tell("{} acts on the delay.", first.name)
    return replace(change(tape, state, first.with_done(delayed=False)), interrupt=first.name)


@clause("DW-ACT-DEFENSIVE-STANCE")
def plan_stance(state: State, order: referee.UnitOrder) -> Plan:
    """Let a fighter take a defensive stance."""
    fighter = referee.acting_fighter(state, order, "Defensive Stance", "take a stance")
    return Plan(take_stance, state, fighter.name, order=replace(order, unit=fighter.name))


@clause("DW-ACT-DEFENSIVE-STANCE")
def take_stance(tape: Tape, state: State, name: str) -> State:
    """Take a defensive stance until the next turn."""
    state = referee.spend(tape, state, name, "Defensive Stance")
    return change(tape, state, state.fighter(name).with_done(defensive=True))


DELAY = Action("delay", "Delay", referee.UnitOrder, plan_delay, clauses=referee.clauses_of("delay"))
ACT_DELAYED = Action(
    "act_delayed",
    "Act on a delay",
    ActDelayedOrder,
    plan_acting_delayed,
    clauses=referee.clauses_of("act_delayed", "DW-ACT-DELAY"),
    **referee.card_of_test(Procedure("delay", (be_first,))),
)
DEFEND = Action("defend", "Defensive stance", referee.UnitOrder, plan_stance, clauses=referee.clauses_of("defend"))

# --- reactions: chosen when an attack hits; as actions they only say whether one is left ------------------------------


class ReactionOrder(Inputs, frozen=True):
    """A fighter that would dodge or parry."""

    unit: str = asked("", "Fighter that would react", about="the one whose turn it is if left out")


def _reaction(what: str, title: str, when: str, by: str, refuse: Callable[[Fighter], Refused | None]) -> Action:
    """Return an action that is always refused: no reaction is left, or it is chosen when an attack hits."""

    def plan_reaction(state: State, order: ReactionOrder) -> Plan:
        referee.need_battle(state)
        fighter = referee.as_fighter(state.find(order.unit), what)
        raise_if_refused(referee.refuse_dead(fighter), refuse(fighter))
        left = plural(stages.reactions_per_round(fighter.done.defensive) - fighter.reactions_used, "Reaction")
        reason = f"a {what} is a Reaction: it is chosen within the attack, when {when} hits (the question “reaction”)"
        need(False, f"{reason}; {fighter.name} has {left} left this round", by, "reaction")
        return Plan(unchanged, state)

    return Action(what, title, ReactionOrder, plan_reaction, options=lambda state: (), clauses=(by, "DW-EVA-1"))


@clause("DW-EVA-1", "DW-EVA-2", "DW-ACT-DODGE")
def refuse_dodging(fighter: Fighter) -> Refused | None:
    """Refuse a fighter that would not dodge."""
    untrained = None if fighter.profile.dodge else Refused(f"{fighter.name} has no Dodge", "DW-EVA-2", "reaction")
    return stages.refuse_reaction(fighters.reaction_limits(fighter)) or untrained


@clause("DW-EVA-1", "DW-EVA-3", "DW-ACT-PARRY")
def refuse_parrying(fighter: Fighter) -> Refused | None:
    """Refuse a fighter that would not parry."""
    blade = next(iter((*fighters.parrying_weapons(fighter), *fighter.blades)), None)
    qualities = stages.NO_QUALITIES if blade is None else blade.qualities
    return stages.refuse_parry(fighters.reaction_limits(fighter), armed=blade is not None, qualities=qualities)


DODGE = _reaction("dodge", "Dodge an attack", "an attack", "DW-ACT-DODGE", refuse_dodging)
PARRY = _reaction("parry", "Parry a blow", "a blow", "DW-ACT-PARRY", refuse_parrying)
