"""The action `strike`: hits of a force weapon in hand-to-hand combat."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any

from battletape.cards import Inputs, Line
from battletape.cards import refusing as Action
from battletape.rulebook import Meta, Refused, Stage, clause, inches, replace
from battletape.rulesets.second_edition import words
from battletape.rulesets.second_edition.battle.actions._orders import acting, foes, kind_of
from battletape.rulesets.second_edition.battle.actions.shoot import struck
from battletape.rulesets.second_edition.battle.state import State
from battletape.rulesets.second_edition.battle.turn import refuse_by_fire, refuse_gone, refuse_turn
from battletape.rulesets.second_edition.rules.attack import hit_of
from battletape.rulesets.second_edition.rules.force_weapons import Wielder, blows, refuse_weapon, refuse_wielder
from battletape.rulesets.second_edition.rules.measures import CASUALTIES, WOUNDS_LOST
from battletape.rulesets.second_edition.rules.shooting import SHOOTING, Fire, Volley, find_score, take_hits
from battletape.rulesets.second_edition.rules.sustained import refuse_fire
from battletape.table.distances import gap

IN_CONTACT = 0.25
"""Models within so many inches of each other count as base to base."""


class StrikeOrder(Inputs, frozen=True):
    """A model strikes another with a force weapon; who hits whom how often, the base game says."""

    unit: Annotated[str, Meta(title="Model that strikes")] = ""
    weapon: str = ""
    target: Annotated[str, Meta(title="Model struck")] = ""
    hits: Annotated[int, Meta(title="Hits scored", ge=1, le=20, extra={"clause": "SE-117"})] = 1


@clause("SE-112", "SE-113", "SE-117")
def refuse_strike(state: State, order: StrikeOrder) -> Refused | None:
    """Why a model does not strike so: no psyker, no force weapon, or not base to base."""
    fighter, target = state.fighter(order.unit), state.fighter(order.target)
    arm = fighter.arm(order.weapon)
    refused = refuse_turn(state, fighter, "hand_to_hand") or refuse_by_fire(state, fighter, "fight")
    refused = refused or refuse_weapon(arm.weapon.force, arm.name)
    refused = refused or refuse_wielder(fighter.mastery, fighter.name) or refuse_fire(arm.state, arm.name)
    if refused is None and fighter.fought:
        refused = Refused(f"{fighter.name} has struck in this turn; wait for the next", "SE-117", "fought")
    if refused is None and target.side == fighter.side:
        refused = Refused(f"{target.name} is on the same side; choose an enemy", "SE-117", "side")
    if refused is None and fighter.base is not None and target.base is not None:
        apart = gap(fighter.base, target.base)
        if apart > IN_CONTACT:
            reason = f"{target.name} is {inches(round(apart, 2))} away; move base to base first"
            refused = Refused(reason, "SE-117", "contact")
    return refused or refuse_gone(target)


@clause("SE-113", "SE-114", "SE-115", "SE-116")
def begin_strike(state: State, order: StrikeOrder) -> Volley:
    """The hits of a force weapon: the wielder's Strength with the Mastery Level, or the weapon's own if higher."""
    fighter, target = state.fighter(order.unit), state.fighter(order.target)
    weapon = fighter.arm(order.weapon).weapon
    wielder, model = Wielder(fighter.strength, fighter.mastery), replace(target.model, name=target.name)
    return blows(wielder, hit_of(weapon), model, order.hits, ((target.state, 1),), rules=state.rules)


def finish_strike(state: State, order: StrikeOrder, volley: Volley) -> State:
    """The model that was struck, as the blows left it."""
    after = state.changed(struck(state.fighter(order.target), volley))
    return after.changed(replace(after.fighter(order.unit), fought=True))


def narrate(stage: Stage, before: Any, after: Any) -> Iterable[Line]:
    """How hard the blow is, and what it does."""
    fire: Fire = before.fire
    if stage is find_score:
        yield Line(f"The blow has Strength {fire.hit.strength}", ("SE-113", "SE-114"))
        yield words.wound_line(fire.hit, fire.model, fire.rules)
        yield from words.save_lines(fire.hit, fire.model, fire.rules)
    elif stage is take_hits and not fire.model.is_vehicle:
        yield from words.fell(before, after)


def _strikes(state: State) -> Iterator[StrikeOrder]:
    for fighter in acting(state, "hand_to_hand"):
        for arm in fighter.arms:
            if kind_of(arm.weapon) == "strike":
                for foe in foes(state):
                    yield StrikeOrder(unit=fighter.name, weapon=arm.name, target=foe.name, hits=2)


STRIKE = Action(
    *("strike", "Strike with a force weapon", StrikeOrder, refuse_strike, begin_strike, SHOOTING, finish_strike),
    options=_strikes,
    measures=(CASUALTIES, WOUNDS_LOST),
    narrate=narrate,
    clauses=("SE-113", "SE-114"),
)
