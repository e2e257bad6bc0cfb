"""Ordinary shots: `shoot` with one model at another, and `volley` with a squad at a squad."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any

from battletape.cards import Inputs
from battletape.cards import Line as Said
from battletape.cards import refusing as Action
from battletape.rulebook import Meta, Procedure, Refused, Stage, Struct, Tape, clause, replace
from battletape.rulesets.second_edition import words
from battletape.rulesets.second_edition.battle.actions._orders import (
    FAR,
    Cover,
    Inches,
    Other,
    Shot,
    acting,
    foes,
    kind_of,
    refuse_kind,
    refuse_target,
    shots,
    situations,
)
from battletape.rulesets.second_edition.battle.state import Arm, Fighter, State, aim_of, distance_of, fired
from battletape.rulesets.second_edition.battle.turn import refuse_gone, refuse_phase, refuse_shooter
from battletape.rulesets.second_edition.rules.attack import Condition, hit_of
from battletape.rulesets.second_edition.rules.measures import SHOTS, shown
from battletape.rulesets.second_edition.rules.shooting import SHOOTING, Fire, Volley, find_score, take_hits, volley_of
from battletape.rulesets.second_edition.rules.squads import Line, hits_on_vehicles, put, take_out

# --- one model at another --------------------------------------------------------------------------------------------


@clause("SE-34", "SE-108", "SE-109")
def refuse_shot(state: State, order: Shot) -> Refused | None:
    """Why this shot is not allowed now; out of range it is, and is spent."""
    fighter, target = state.fighter(order.unit), state.fighter(order.target)
    arm = fighter.arm(order.weapon)
    return (
        refuse_kind(arm, "shoot")
        or refuse_shooter(state, fighter, arm)
        or refuse_target(state, fighter, target, order.distance)
    )


def fire_of(state: State, fighter: Fighter, arm: Arm, target: Fighter, order: Any) -> Fire:
    """A shot of a model at another, with its circumstances."""
    distance = distance_of(state, fighter, target, order.distance)
    aim = aim_of(fighter, arm, distance, situations(order.cover), order.modifier)
    return Fire(aim, hit_of(arm.weapon), replace(target.model, name=target.name), rules=state.rules)


@clause("SE-13", "SE-23")
def begin_shot(state: State, order: Shot) -> Volley:
    """One shot at one model."""
    fighter, target = state.fighter(order.unit), state.fighter(order.target)
    fire = fire_of(state, fighter, fighter.arm(order.weapon), target, order)
    return volley_of(fire, 1, ((target.state, 1),))


@clause("SE-24")
def struck(target: Fighter, volley: Volley) -> Fighter:
    """The model that was shot at, as the shots left it."""
    state = volley.line[0][0] if volley.line else replace(target.state, wounds=0)
    return replace(target, state=state)


def finish_shot(state: State, order: Shot, volley: Volley) -> State:
    """The target as it is now; the model that shot has used its shot."""
    fighter = state.fighter(order.unit)
    after = state.changed(struck(state.fighter(order.target), volley))
    return fired(after, fighter, fighter.arm(order.weapon))


def narrate(stage: Stage, before: Any, after: Any) -> Iterable[Said]:
    """What is needed, and who fell."""
    if stage is find_score:
        fire: Fire = before.fire
        yield from words.needs(None if fire.automatic else fire.aim, fire.hit, fire.model, fire.rules)
    elif stage is take_hits and before.hits and not before.fire.model.is_vehicle:
        yield from words.fell(before, after)


SHOOT = Action(
    *("shoot", "Shoot with an ordinary weapon", Shot, refuse_shot, begin_shot, SHOOTING, finish_shot),
    options=lambda state: shots(state, "shoot"),
    measures=tuple(map(shown, SHOTS)),
    narrate=narrate,
    headline=words.shots,
    clauses=("SE-13", "SE-23"),
)

# --- a squad at a squad ----------------------------------------------------------------------------------------------


class VolleyOrder(Inputs, frozen=True):
    """Every model of a unit that can fires one kind of weapon at a unit."""

    unit: Annotated[str, Meta(title="Unit that shoots")] = ""
    weapon: str = ""
    target: Annotated[str, Meta(title="Unit shot at")] = ""
    distance: Inches = None
    cover: Cover = "none"
    modifier: Other = 0


class Squadfire(Struct, frozen=True, cache_hash=True):
    """Shots of a squad: those that need the same score are rolled together, one group after another."""

    groups: tuple[tuple[Fire, int], ...]
    line: Line
    models: int
    wounds: int
    hulls: int = 0
    hits: int = 0

    @property
    def fire(self) -> Fire:
        """The shots that come next."""
        return self.groups[0][0]

    @property
    def fallen(self) -> int:
        """How many models have fallen."""
        return self.models - sum(models for _, models in self.line)

    @property
    def lost(self) -> int:
        """How many wounds were lost."""
        return self.wounds - sum(state.wounds * models for state, models in self.line)


@clause("SE-34", "SE-109")
def refuse_volley(state: State, order: VolleyOrder) -> Refused | None:
    """Why a squad may not fire like this: no model of it can, or there is nobody to fire at."""
    squad, targets = state.squad(order.unit), state.squad(order.target)
    refused = refuse_phase(state, "shooting")
    if refused is not None:
        return refused
    if squad[0].side == targets[0].side:
        return Refused(f"{order.target} is on the same side; choose an enemy", "SE-34", "side")
    if all(target.is_gone for target in targets):
        return refuse_gone(targets[0])
    armed = [fighter for fighter in squad if order.weapon.strip().lower() in (arm.name.lower() for arm in fighter.arms)]
    if not armed:
        return Refused(f"nobody of {squad[0].unit} carries {order.weapon}; name a weapon that they have", "SE-34")
    whys = [_refuse_rifle(state, fighter, targets, order) for fighter in armed]
    return next((why for why in whys if why is not None), None) if all(whys) else None


def _refuse_rifle(state: State, fighter: Fighter, targets: Iterable[Fighter], order: VolleyOrder) -> Refused | None:
    arm = fighter.arm(order.weapon)
    return (
        refuse_kind(arm, "shoot")
        or refuse_shooter(state, fighter, arm)
        or refuse_target(state, fighter, nearest(state, fighter, targets), order.distance)
    )


@clause("SE-10")
def nearest(state: State, fighter: Fighter, targets: Iterable[Fighter]) -> Fighter:
    """The model of a unit that stands nearest; the first where nobody has a place."""
    standing = [target for target in targets if not target.is_gone]
    return min(standing, key=lambda target: distance_of(state, fighter, target) or 0.0)


def _rifles(state: State, order: VolleyOrder) -> Iterator[tuple[Fighter, Fighter]]:
    """Everybody who fires, and the model whom the distance is measured to."""
    targets = state.squad(order.target)
    for fighter in state.squad(order.unit):
        carried = order.weapon.strip().lower() in (arm.name.lower() for arm in fighter.arms)
        if carried and _refuse_rifle(state, fighter, targets, order) is None:
            yield fighter, nearest(state, fighter, targets)


@clause("SE-11", "SE-23")
def begin_volley(state: State, order: VolleyOrder) -> Squadfire:
    """The shots of a squad in groups by the score that they need."""
    groups: dict[Fire, int] = {}
    targets = [target for target in state.squad(order.target) if not target.is_gone]
    for fighter, target in _rifles(state, order):
        fire = fire_of(state, fighter, fighter.arm(order.weapon), target, order)
        band = fire.aim.distance if order.distance is not None else _rounded(fire)
        fire = replace(
            fire, model=replace(targets[0].model, name=targets[0].unit), aim=replace(fire.aim, distance=band)
        )
        groups[fire] = groups.get(fire, 0) + 1
    line: Line = ()
    for target in targets:
        line = put(line, target.state)
    wounds = sum(target.state.wounds for target in targets)
    return Squadfire(tuple(groups.items()), line, len(targets), wounds, hits_on_vehicles(line))


def _rounded(fire: Fire) -> float | None:
    """The far end of the range band: shots in the same band are rolled together."""
    aim = fire.aim
    if aim.distance is None or aim.distance > aim.long_range:
        return aim.distance
    return aim.short_range if aim.distance <= aim.short_range else aim.long_range


@clause("SE-13", "SE-23", "SE-32")
def fire_group(tape: Tape, squadfire: Squadfire) -> Squadfire:
    """All shots that need the same score: To Hit, and the hits one after another."""
    (fire, count), *rest = squadfire.groups
    volley = volley_of(fire, count, squadfire.line)
    for stage in SHOOTING.stages[:-1]:
        volley = tape.call(stage, volley)
    hits = squadfire.hits + volley.hits
    volley = tape.call(take_hits, volley)
    return replace(squadfire, groups=tuple(rest), line=volley.line, hits=hits)


def volley_stages(squadfire: Squadfire) -> Procedure:
    """A stage for each group."""
    return Procedure("volley", (fire_group,) * len(squadfire.groups))


@clause("SE-24")
def finish_volley(state: State, order: VolleyOrder, squadfire: Squadfire) -> State:
    """The squad that was shot at as it is now; whoever fell or was hurt is named in the order of the squad."""
    line, changed = squadfire.line, []
    rifles = [fighter for fighter, _ in _rifles(state, order)]
    targets = [target for target in state.squad(order.target) if not target.is_gone]
    for target in reversed(targets):
        if any(condition == target.state for condition, _ in line):
            line = take_out(line, target.state)
        else:
            changed.append(target)
    left: list[Condition] = [condition for condition, models in line for _ in range(models)]
    for target in changed:
        after = next((now for now in reversed(left) if _may_become(target.state, now)), None)
        if after is not None:
            left.remove(after)
        state = state.changed(replace(target, state=after or replace(target.state, wounds=0)))
    for fighter in rifles:
        state = fired(state, fighter, fighter.arm(order.weapon))
    return state


def _may_become(was: Condition, now: Condition) -> bool:
    """Whether shots can turn one condition into the other: nobody gains wounds, and no fire goes out."""
    burnt = now.on_fire is not None and not now.lit
    return now.wounds <= was.wounds and burnt == (was.on_fire is not None)


def tell_group(stage: Stage, before: Squadfire, after: Squadfire) -> Iterable[Said]:
    """What a group of shots needed, and who fell."""
    fire = before.fire
    yield from words.needs(fire.aim, fire.hit, fire.model, fire.rules)
    if after.hits > before.hits and not fire.model.is_vehicle:
        yield from words.fell(before, after)


def _volleys(state: State) -> Iterator[VolleyOrder]:
    units = dict.fromkeys((fighter.unit, arm.name) for fighter in acting(state, "shooting") for arm in fighter.arms)
    for unit, weapon in units:
        bearers = [fighter for fighter in state.squad(unit) if any(arm.name == weapon for arm in fighter.arms)]
        if len(bearers) < 2 or kind_of(bearers[0].arm(weapon).weapon) != "shoot":
            continue
        for target in dict.fromkeys(foe.unit for foe in foes(state)):
            known = distance_of(state, bearers[0], state.squad(target)[0]) is not None
            yield VolleyOrder(unit=unit, weapon=weapon, target=target, distance=None if known else FAR)


VOLLEY = Action(
    *("volley", "Fire a volley with a squad", VolleyOrder, refuse_volley, begin_volley, volley_stages, finish_volley),
    options=_volleys,
    measures=tuple(map(shown, SHOTS)),
    narrate=tell_group,
    headline=words.shots,
    clauses=("SE-13", "SE-23"),
)
