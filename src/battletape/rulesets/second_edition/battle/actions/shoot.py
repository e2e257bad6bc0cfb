"""Ordinary shots: `shoot` with one model at another, and `volley` with a squad at a squad."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from battletape import rulebook
from battletape.cards import Action, Inputs, Plan, asked
from battletape.rulebook import Procedure, Refused, Tape, UnknownName, by_name, clause, need, raise_if_refused, replace
from battletape.rulesets.second_edition import words
from battletape.rulesets.second_edition.battle import turn
from battletape.rulesets.second_edition.battle.actions import _orders as orders
from battletape.rulesets.second_edition.battle.actions._orders import (
    TRIED_INCHES,
    Cover,
    Inches,
    InSight,
    Other,
    Shot,
    ShotOrder,
)
from battletape.rulesets.second_edition.battle.state import CarriedWeapon, Fighter, State, after_firing, distance_of
from battletape.rulesets.second_edition.rules import squads
from battletape.rulesets.second_edition.rules.attack import Condition, outcome_lines
from battletape.rulesets.second_edition.rules.keywords import hit_of
from battletape.rulesets.second_edition.rules.measures import SHOT_MEASURES, always_shown
from battletape.rulesets.second_edition.rules.shooting import SHOOTING, ShotSetup, Volley, take_hits, volley_of
from battletape.rulesets.second_edition.rules.to_hit import Aim
from battletape.rulesets.second_edition.rulings import Rulings

# --- one model at another --------------------------------------------------------------------------------------------


@clause("SE-34", "SE-108", "SE-109")
def plan_shot(state: State, order: ShotOrder) -> Plan:
    """Refuse a shot that is not allowed now; out of range it is, and is spent."""
    shot = orders.shot_at(state, order, "shoot")
    return Plan(begin_shot, shot, state.rulings).then(end_shot, state, shot)


@clause("SE-13", "SE-23")
def begin_shot(tape: Tape, shot: Shot, rulings: Rulings) -> Volley:
    """Make one shot at one model ready."""
    orders.tell_cover(tape, shot.target.name, shot.shown)
    model = replace(shot.target.model, name=shot.target.name)
    setup = ShotSetup(shot.aim, hit_of(shot.weapon.weapon), model, rulings=rulings)
    return volley_of(setup, 1, ((shot.target.condition, 1),))


@clause("SE-24")
def target_after(target: Fighter, volley: Volley) -> Fighter:
    """Return the model that was shot at, as the shots left it."""
    state = volley.models_left[0][0] if volley.models_left else replace(target.condition, wounds=0)
    return replace(target, condition=state)


def end_shot(tape: Tape, volley: Volley, state: State, shot: Shot) -> State:
    """Keep what became of the target; the shot is used."""
    return after_firing(state.with_models(target_after(shot.target, volley)), shot.fighter, shot.weapon)


SHOOT = Action(
    "shoot",
    "Shoot with an ordinary weapon",
    ShotOrder,
    plan_shot,
    SHOOTING,
    options=orders.propose_shots("shoot"),
    measures=tuple(map(always_shown, SHOT_MEASURES)),
    headline=words.shots,
    clauses=("SE-13", "SE-23"),
    closed=turn.closed_but_in("shooting"),
)

# --- a squad at a squad ----------------------------------------------------------------------------------------------


class VolleyOrder(Inputs, frozen=True):
    """Every model of a unit that can fires one kind of weapon at a unit."""

    unwritten: ClassVar = ("in_sight",)

    unit: str = asked("", "Unit that shoots")
    weapon: str = ""
    target: str = asked("", "Unit shot at")
    distance: Inches = None
    cover: Cover = "none"
    modifier: Other = 0
    in_sight: InSight = False


class SquadVolley(rulebook.State, frozen=True):
    """Shots of a squad: those that need the same score are rolled together, one group after another."""

    groups: tuple[tuple[ShotSetup, int], ...]
    models_left: squads.ModelCounts
    models: int
    wounds: int
    vehicle_hits_before: int = 0
    hits: int = 0

    @property
    def setup(self) -> ShotSetup:
        """Return the setup of the shots that come next."""
        return self.groups[0][0]

    @property
    def fallen(self) -> int:
        """Return how many models have fallen."""
        return self.models - squads.count_models(self.models_left)

    @property
    def lost(self) -> int:
        """Return how many wounds were lost."""
        return self.wounds - squads.wounds_left(self.models_left)


@clause("SE-34", "SE-109")
def plan_volley(state: State, order: VolleyOrder) -> Plan:
    """Refuse a volley for which no model is able, or at a unit that is no target."""
    squad = turn.find_squad(state, order.unit)
    turn.need_turn(state, squad[0])
    able = [fighter for fighter in squad if not fighter.is_gone]
    need(able, f"{squad[0].unit} has fallen", "SE-24", "gone")
    weapon = weapon_of(squad, order.weapon)
    armed = [(fighter, fighter.weapon(weapon)) for fighter in able if carries(fighter, weapon)]
    need(armed, f"every model of {squad[0].unit} with {weapon} has fallen; name another weapon", "SE-24", "gone")
    raise_if_refused(orders.refuse_kind(armed[0][1], "shoot"))
    targets = turn.find_squad(state, order.target)
    need(squad[0].side != targets[0].side, f"{targets[0].unit} is on the same side; choose an enemy", "SE-34", "side")
    standing = [target for target in targets if not target.is_gone]
    need(standing, f"{targets[0].unit} has fallen", "SE-24", "gone")
    found = [volley_shot(state, order, fighter, carried_weapon, standing) for fighter, carried_weapon in armed]
    shots = [shot for shot in found if isinstance(shot, Shot)]
    if not shots:
        raise_if_refused(*(refused for refused in found if isinstance(refused, Refused)))
    return Plan(begin_volley, shots, standing, state.rulings).then(end_volley, state, shots, standing)


@clause("SE-10", "SE-11")
def volley_shot(
    state: State, order: VolleyOrder, fighter: Fighter, weapon: CarriedWeapon, targets: Sequence[Fighter]
) -> Shot | Refused:
    """Return the shot of one model in a volley, at the nearest model that it sees; refuse it if it sees none."""
    refused = turn.refuse_shooter(state, fighter, weapon)
    if refused is not None:
        return refused
    claim = orders.claim_of(order)
    for target in sorted(targets, key=lambda target: distance_of(state, fighter, target)):
        shown = orders.measured(state, fighter, target, claim)
        if shown.sees:
            return Shot(fighter, weapon, target, shown, at_end_of_band(orders.aim_at(order, fighter, weapon, shown)))
    return Refused(
        f"{fighter.name} sees no model of {targets[0].unit}; choose another target, or say in_sight=yes if it does",
        "SE-117",
        "sight",
    )


def weapon_of(squad: Sequence[Fighter], name: str) -> str:
    """Return the name of a weapon that models of a squad carry, in full."""
    arms = {carried_weapon.name: carried_weapon for fighter in squad for carried_weapon in fighter.weapons}
    try:
        return by_name(f"weapon of {squad[0].unit}", name, tuple(arms.values())).name
    except UnknownName as unknown:
        if name.strip() and not unknown.fits:
            reason = f"no model of {squad[0].unit} carries {name}; name a weapon that they have"
            raise Refused(reason, "SE-34", "weapon") from None
        raise


def carries(fighter: Fighter, weapon: str) -> bool:
    """Return whether a model has this weapon."""
    return any(carried_weapon.name == weapon for carried_weapon in fighter.weapons)


@clause("SE-11")
def at_end_of_band(aim: Aim) -> Aim:
    """Take a shot to the far end of its range band: shots in the same band are rolled together."""
    if aim.distance is None or aim.distance > aim.long_range:
        return aim
    return replace(aim, distance=aim.short_range if aim.distance <= aim.short_range else aim.long_range)


@clause("SE-11", "SE-23")
def begin_volley(tape: Tape, shots: Sequence[Shot], targets: Sequence[Fighter], rulings: Rulings) -> SquadVolley:
    """Gather the shots of a squad in groups by the score that they need."""
    groups: dict[ShotSetup, int] = {}
    model = replace(targets[0].model, name=targets[0].unit)
    for shown in {(shot.shown.cover, shot.shown.covered_by): shot.shown for shot in shots}.values():
        orders.tell_cover(tape, targets[0].unit, shown)
    for shot in shots:
        setup = ShotSetup(shot.aim, hit_of(shot.weapon.weapon), model, rulings=rulings)
        groups[setup] = groups.get(setup, 0) + 1
    targets_left: squads.ModelCounts = ()
    for target in targets:
        targets_left = squads.with_model(targets_left, target.condition)
    wounds = sum(target.condition.wounds for target in targets)
    return SquadVolley(tuple(groups.items()), targets_left, len(targets), wounds, squads.hits_on_vehicles(targets_left))


@clause("SE-13", "SE-23", "SE-32")
def fire_group(tape: Tape, work: SquadVolley) -> SquadVolley:
    """Fire all shots that need the same score: To Hit, and the hits one after another."""
    (setup, count), *rest = work.groups
    volley = volley_of(setup, count, work.models_left)
    for stage in SHOOTING.stages[:-1]:
        volley = tape.call(stage, volley)
    hits = work.hits + volley.hits
    volley = tape.call(take_hits, volley)
    return replace(work, groups=tuple(rest), models_left=volley.models_left, hits=hits)


def volley_stages(work: SquadVolley) -> Procedure:
    """Return a stage for each group."""
    return Procedure("volley", (fire_group,) * len(work.groups))


@clause("SE-24")
def end_volley(tape: Tape, work: SquadVolley, state: State, shots: Sequence[Shot], targets: Sequence[Fighter]) -> State:
    """Name the models that fell or were hurt, in the order of the squad; the shots are used."""
    targets_left, changed = work.models_left, []
    for target in reversed(targets):
        if any(condition == target.condition for condition, _ in targets_left):
            targets_left = squads.without_model(targets_left, target.condition)
        else:
            changed.append(target)
    left: list[Condition] = [condition for condition, models in targets_left for _ in range(models)]
    for target in changed:
        after = next((now for now in reversed(left) if _may_become(target.condition, now)), None)
        if after is not None:
            left.remove(after)
        now = after or replace(target.condition, wounds=0)
        if target.name != target.unit:
            tape.tell(outcome_lines, target.name, target.condition, now)
        state = state.with_models(replace(target, condition=now))
    for shot in shots:
        state = after_firing(state, shot.fighter, shot.weapon)
    return state


def _may_become(was: Condition, now: Condition) -> bool:
    """Return whether shots can turn one condition into the other: no model gains wounds, and no fire goes out."""
    burnt = now.on_fire is not None and not now.just_lit
    return now.wounds <= was.wounds and burnt == (was.on_fire is not None)


def propose_volleys(state: State) -> Iterator[VolleyOrder]:
    """Propose each ordinary weapon that several models of a unit carry, at each unit of an enemy."""
    units = dict.fromkeys(
        (fighter.unit, carried_weapon.name)
        for fighter in orders.own_models(state)
        for carried_weapon in fighter.weapons
    )
    for unit, weapon in units:
        bearers = [fighter for fighter in state.squad(unit) if carries(fighter, weapon)]
        if len(bearers) < 2 or orders.kind_of(bearers[0].weapon(weapon).weapon) != "shoot":
            continue
        for target in dict.fromkeys(foe.unit for foe in orders.enemies(state)):
            squads_of_both = bearers, state.squad(target)
            known = all(state.field.footprints(*(each.name for each in squad)) for squad in squads_of_both)
            distance = None if known else TRIED_INCHES
            yield VolleyOrder(unit=unit, weapon=weapon, target=target, distance=distance)


VOLLEY = Action(
    "volley",
    "Fire a volley with a squad",
    VolleyOrder,
    plan_volley,
    volley_stages,
    options=propose_volleys,
    measures=tuple(map(always_shown, SHOT_MEASURES)),
    headline=words.shots,
    clauses=("SE-13", "SE-23"),
    closed=turn.closed_but_in("shooting"),
)
