"""The action `strike`: hits of a force weapon in hand-to-hand combat."""

from __future__ import annotations

from collections.abc import Iterator

from battletape.cards import Action, Inputs, Plan, asked
from battletape.field.measure import least_gap
from battletape.rulebook import Refused, Tape, clause, inches, need, raise_if_refused, replace
from battletape.rulesets.second_edition.battle import turn
from battletape.rulesets.second_edition.battle.actions._orders import enemies, kind_of, own_models
from battletape.rulesets.second_edition.battle.actions.shoot import target_after
from battletape.rulesets.second_edition.battle.state import CarriedWeapon, Fighter, State
from battletape.rulesets.second_edition.rules.force_weapons import (
    FORCE_ATTACK,
    Wielder,
    force_hits,
    refuse_weapon,
    refuse_wielder,
)
from battletape.rulesets.second_edition.rules.keywords import hit_of, is_force_weapon
from battletape.rulesets.second_edition.rules.measures import CASUALTIES, WOUNDS_LOST
from battletape.rulesets.second_edition.rules.shooting import Volley
from battletape.rulesets.second_edition.rules.sustained import refuse_fire
from battletape.rulesets.second_edition.rulings import Rulings

IN_CONTACT = 0.25
"""Models within so many inches of each other count as base to base."""


class StrikeOrder(Inputs, frozen=True):
    """A model strikes another with a force weapon; the base game says how often it hits."""

    unit: str = asked("", "Model that strikes")
    weapon: str = ""
    target: str = asked("", "Model struck")
    hits: int = asked(1, "Hits scored", "SE-117", ge=1, le=20)


@clause("SE-112", "SE-113", "SE-117")
def plan_strike(state: State, order: StrikeOrder) -> Plan:
    """Refuse wielders that are no psykers, weapons that are no force weapons, and targets not base to base."""
    fighter = turn.acting_model(state, order.unit)
    weapon = fighter.weapon(order.weapon)
    raise_if_refused(
        turn.refuse_by_fire(state, fighter, "fight"),
        refuse_weapon(is_force_weapon(weapon.weapon), weapon.name),
        refuse_wielder(fighter.mastery, fighter.name),
        refuse_fire(weapon.state, weapon.name),
    )
    need(not fighter.done.fought, f"{fighter.name} has struck in this turn; wait for the next", "SE-117", "fought")
    target = state.fighter(order.target)
    need(target.side != fighter.side, f"{target.name} is on the same side; choose an enemy", "SE-117", "side")
    turn.need_standing(target)
    raise_if_refused(refuse_contact(state, fighter, target))
    return Plan(begin_strike, fighter, weapon, target, order.hits, state.rulings).then(
        end_strike, state, fighter, target
    )


@clause("SE-117")
def refuse_contact(state: State, fighter: Fighter, target: Fighter) -> Refused | None:
    """Refuse models whose places are not base to base."""
    apart = least_gap(state.field.footprints(fighter.name), state.field.footprints(target.name)) or 0.0
    if apart <= IN_CONTACT:
        return None
    return Refused(f"{target.name} is {inches(round(apart, 2))} away; move base to base first", "SE-117", "contact")


@clause("SE-113", "SE-114", "SE-115", "SE-116")
def begin_strike(
    tape: Tape, fighter: Fighter, weapon: CarriedWeapon, target: Fighter, hits: int, rulings: Rulings
) -> Volley:
    """Make the hits of a force weapon ready: its Strength comes from the wielder and the Mastery Level."""
    wielder, model = Wielder(fighter.strength, fighter.mastery), replace(target.model, name=target.name)
    return force_hits(wielder, hit_of(weapon.weapon), model, hits, ((target.condition, 1),), rulings=rulings)


def end_strike(tape: Tape, volley: Volley, state: State, fighter: Fighter, target: Fighter) -> State:
    """Keep what became of the model that was struck; the wielder has fought."""
    return state.with_models(target_after(target, volley), replace(fighter, done=replace(fighter.done, fought=True)))


def propose_strikes(state: State) -> Iterator[StrikeOrder]:
    """Propose each force weapon of the active side against each enemy."""
    for fighter in own_models(state):
        for weapon in fighter.weapons:
            if kind_of(weapon.weapon) == "strike":
                for target_model in enemies(state):
                    yield StrikeOrder(unit=fighter.name, weapon=weapon.name, target=target_model.name, hits=2)


STRIKE = Action(
    "strike",
    "Strike with a force weapon",
    StrikeOrder,
    plan_strike,
    FORCE_ATTACK,
    options=propose_strikes,
    measures=(CASUALTIES, WOUNDS_LOST),
    clauses=("SE-113", "SE-114"),
    closed=turn.closed_but_in("hand_to_hand"),
)
