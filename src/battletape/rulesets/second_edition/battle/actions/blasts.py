"""Markers on their way: `blast` at a model, `grenade` at a model, and `ground` with either at a spot."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from battletape.cards import Action, Inputs, Plan, asked
from battletape.rulebook import Refused, Tape, clause, granted, inches, need, replace
from battletape.rulesets.second_edition import words
from battletape.rulesets.second_edition.battle import turn
from battletape.rulesets.second_edition.battle.actions import _orders as orders
from battletape.rulesets.second_edition.battle.actions._orders import TRIED_INCHES, Inches, Shot, ShotOrder, Where
from battletape.rulesets.second_edition.battle.state import (
    CarriedWeapon,
    Fighter,
    PlacedMarker,
    State,
    after_firing,
    after_hits,
    aim_of,
    figures_near,
    measured_field,
    table_size,
    without_others,
)
from battletape.rulesets.second_edition.rules import blasts
from battletape.rulesets.second_edition.rules.blasts import BLAST, Blast, BlastShot, find_figure, with_target
from battletape.rulesets.second_edition.rules.clouds import ORIGIN, remaining_marker
from battletape.rulesets.second_edition.rules.grenades import grenades_left
from battletape.rulesets.second_edition.rules.ground import GROUND, with_spot
from battletape.rulesets.second_edition.rules.keywords import hit_of
from battletape.rulesets.second_edition.rules.measures import AREA_MEASURES, FATE, GRENADES_LEFT, always_shown
from battletape.rulesets.second_edition.rules.to_hit import Aim
from battletape.table.bases import Base
from battletape.table.points import Point

MAX_SCATTER_INCHES = 10.0
"""No marker scatters farther, in inches."""

# --- at a model ------------------------------------------------------------------------------------------------------


@clause("SE-34", "SE-35", "SE-48")
def plan_blast(state: State, order: ShotOrder) -> Plan:
    """Refuse a blast that is not allowed now; out of range it is, and is spent."""
    return _plan(state, order, "blast")


@clause("SE-55", "SE-57", "SE-58")
def plan_grenade(state: State, order: ShotOrder) -> Plan:
    """Refuse a grenade that is not thrown now; too far away it may be, and is lost."""
    return _plan(state, order, "grenade")


def _plan(state: State, order: ShotOrder, kind: str) -> Plan:
    shot = orders.shot_at(state, order, kind)
    return Plan(begin_blast, state, shot).then(end_blast, state, shot.fighter, shot.weapon, shot.shown.by == "board")


def _blast_shot(weapon: CarriedWeapon, aim: Aim) -> BlastShot:
    profile = weapon.weapon
    assert profile.blast is not None
    stays = profile.remains != "none"
    return BlastShot(
        profile.blast, hit_of(profile), aim, profile.grenade, profile.remains, stays, weapon.grenades_left or 1
    )


@clause("SE-33", "SE-34", "SE-40", "SE-55")
def begin_blast(tape: Tape, state: State, shot: Shot) -> Blast:
    """Find the models that the marker may reach."""
    fighter, target, blast_shot = shot.fighter, shot.target, _blast_shot(shot.weapon, shot.aim)
    orders.tell_cover(tape, target.name, shot.shown)
    field = measured_field(state, fighter, target, shot.shown)
    (shooter,), (aim,) = (field.position(each.name).bases for each in (fighter, target))
    figures = figures_near(state, field, fighter, aim.centre, MAX_SCATTER_INCHES + blast_shot.marker)
    blast = Blast(blast_shot, figures, shooter, target.name, rulings=state.rulings)
    return with_target(blast, find_figure(figures, target.name))


@clause("SE-46", "SE-48", "SE-58", "SE-66")
def end_blast(tape: Tape, blast: Blast, state: State, fighter: Fighter, weapon: CarriedWeapon, placed: bool) -> State:
    """Keep what became of the models under the marker; the weapon may be destroyed, and a marker may stay.

    `placed` says whether the table tells where the marker lies.
    """
    state = after_firing(after_hits(state, blast.results), fighter, weapon)
    now = state.fighter(fighter.name)
    used = now.weapon(weapon.name)
    if weapon.grenades_left is not None:
        used = replace(used, grenades_left=grenades_left(weapon.grenades_left, blast.fate))
        tape.tell(grenades_of, fighter.name, weapon.name, weapon.grenades_left, used.grenades_left, clause="SE-58")
    elif blast.fate == "on_shooter":
        used = replace(used, state=replace(used.state, destroyed=True))
        tape.tell("{} of {} is destroyed", weapon.name, fighter.name, clause="SE-48")
    after: State = tape.call(leave_marker, state.with_models(now.with_weapon(used)), fighter.side, blast, placed)
    return after


def grenades_of(name: str, grenade: str, before: int, after: int) -> str:
    """Say how many grenades of the kind are left."""
    lost = "; the others are lost" if before - after > 1 else ""
    return f"{name} has {after} x {grenade} left{lost}"


@clause("SE-66", "SE-75")
def leave_marker(tape: Tape, state: State, side: str, blast: Blast, placed: bool) -> State:
    """Leave the marker in play, if the weapon leaves one; it is tested for the first time in the next turn."""
    if blast.centre is None:
        return state
    marker = remaining_marker(blast.shot.remains, blast.shot.marker, blast.shot.hit, blast.centre)
    if marker is None:
        return state
    taken, called = {piece.name for piece in state.field.terrain}, "Cloud" if marker.kind == "cloud" else "Plasma ball"
    number = next(number for number in count(state.markers_made + 1) if f"{called} {number}" not in taken)
    name = f"{called} {number}"
    where = f" at {blast.centre.x:.1f}, {blast.centre.y:.1f}" if placed else ""
    tape.tell("{} stays in play{}, radius {}", name, where, inches(marker.radius))
    lying = PlacedMarker(
        name,
        kind=marker.kind,
        corners=(blast.centre,) if placed else (),
        radius=marker.radius,
        hit=marker.hit,
        owner=side,
        turn=state.clock.turn,
    )
    return replace(state.with_markers(lying), markers_made=number)


# --- at the ground ---------------------------------------------------------------------------------------------------


class SpotOrder(Inputs, frozen=True):
    """A model sends a marker to a spot on the ground."""

    unit: str = asked("", "Model that shoots or throws")
    weapon: str = ""
    x: Where | None = asked(None, "Inches east")
    y: Where | None = asked(None, "Inches north")
    distance: Inches = None


@clause("SE-59", "SE-65")
def plan_ground(state: State, order: SpotOrder) -> Plan:
    """Refuse spots off the table, and spots that are not named; out of range the shot is spent."""
    fighter, weapon = orders.firing_model_and_weapon(state, order, "blast", "grenade")
    on_table = bool(state.field.footprints(fighter.name))
    spot = granted(spot_of(fighter, order, on_table))
    if on_table:
        off = f"({spot.x:g}, {spot.y:g}) is off the table, which is {table_size(state)}"
        need(state.field.is_on_board(Base(spot, 0.0)), off, "SE-59", "board")
    aim = aim_of(fighter, weapon, order.distance)
    return Plan(begin_ground, state, fighter, weapon, spot, aim).then(end_blast, state, fighter, weapon, on_table)


@clause("SE-59")
def spot_of(fighter: Fighter, order: SpotOrder, on_table: bool) -> Point | Refused:
    """Return the place aimed at: by its numbers, or for a model without a place straight ahead."""
    if on_table and order.x is not None and order.y is not None:
        return Point(order.x, order.y)
    if not on_table and order.distance is not None:
        return Point(0.0, order.distance + fighter.radius)
    reason = "a shot at the ground needs x and y of the spot, or for a model without a place the distance"
    return Refused(reason, "SE-59", "spot")


@clause("SE-59", "SE-63", "SE-65")
def begin_ground(tape: Tape, state: State, fighter: Fighter, weapon: CarriedWeapon, spot: Point, aim: Aim) -> Blast:
    """Find the models that the marker may reach."""
    shot, field = _blast_shot(weapon, aim), state.field
    if not field.footprints(fighter.name):
        field = without_others(state, (fighter, ORIGIN))
    figures = figures_near(state, field, fighter, spot, MAX_SCATTER_INCHES + shot.marker)
    (base,) = field.position(fighter.name).bases
    return with_spot(Blast(shot, figures, base, spot=spot, rulings=state.rulings), spot)


def propose_spots(state: State) -> Iterator[SpotOrder]:
    """Propose the spot of each enemy; where the shooter has no place, a spot straight ahead."""
    for fighter in orders.own_models(state):
        for weapon in fighter.weapons:
            if orders.kind_of(weapon.weapon) not in ("blast", "grenade"):
                continue
            if not state.field.footprints(fighter.name):
                yield SpotOrder(unit=fighter.name, weapon=weapon.name, distance=TRIED_INCHES / 2)
                continue
            for target in state.field.enemies_of(fighter.side):
                at = target.bases[0].centre
                yield SpotOrder(unit=fighter.name, weapon=weapon.name, x=round(at.x, 2), y=round(at.y, 2))


BLAST_ACTION = Action(
    "blast",
    "Fire a blast weapon at a model",
    ShotOrder,
    plan_blast,
    BLAST,
    options=orders.propose_shots("blast"),
    measures=(*AREA_MEASURES, FATE),
    headline=words.toll_headline,
    lens=blasts.lens,
    clauses=("SE-33", "SE-34"),
    closed=turn.closed_but_in("shooting"),
)
GRENADE = Action(
    "grenade",
    "Throw a grenade at a model",
    ShotOrder,
    plan_grenade,
    BLAST,
    options=orders.propose_shots("grenade"),
    measures=(*AREA_MEASURES, FATE, always_shown(GRENADES_LEFT)),
    headline=words.toll_headline,
    lens=blasts.lens,
    clauses=("SE-55", "SE-56"),
    closed=turn.closed_but_in("shooting"),
)
GROUND_ACTION = Action(
    "ground",
    "Send a marker to a spot",
    SpotOrder,
    plan_ground,
    GROUND,
    options=propose_spots,
    measures=(*AREA_MEASURES, FATE),
    headline=words.toll_headline,
    lens=blasts.lens,
    clauses=("SE-59", "SE-60"),
    closed=turn.closed_but_in("shooting"),
)
