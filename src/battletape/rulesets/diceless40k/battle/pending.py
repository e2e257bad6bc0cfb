"""An action in progress: the battle so far, its counts, and what follows from losses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal, Self, TypeAlias, TypeVar

from msgspec.structs import astuple

from battletape import rulebook
from battletape.cards import Measure
from battletape.field.state import OFF, Footprint
from battletape.rulebook import Line, Tape, capital, clause, fold, labelled, listed, plural, replace
from battletape.rulesets.diceless40k import words
from battletape.rulesets.diceless40k.battle.moves import MovePath, places_around, places_near, refuse_room
from battletape.rulesets.diceless40k.battle.start import VEHICLE_TOP
from battletape.rulesets.diceless40k.battle.state import BattleUnit, Places, Squad, State, Terrain, Vehicle
from battletape.rulesets.diceless40k.rules import morale, passengers
from battletape.rulesets.diceless40k.rules.base_vehicles import WRECK_COVER
from battletape.rulesets.diceless40k.rules.casualties import Losses, Packet, Target, resolve_all
from battletape.rulesets.diceless40k.rules.characteristics import Group
from battletape.rulesets.diceless40k.rules.damage_rows import (
    BoxResult,
    DamageSheet,
    apply_squadron_rule,
    result_in_squadron,
    take_glancing_hit,
)
from battletape.rulesets.diceless40k.rules.deep_strike import ring_radius
from battletape.rulesets.diceless40k.rules.leadership import TestResult, leadership_line, take_test, take_test_led
from battletape.rulesets.diceless40k.rules.preparation import Tokens
from battletape.rulesets.diceless40k.rules.psykers import PSYCHIC_TEST, PsychicTest, psychic_test
from battletape.rulesets.diceless40k.rules.vehicles import VEHICLE_ATTACK, HullPacket, VehicleAttack
from battletape.table.bases import Base
from battletape.table.hulls import Hull, corners
from battletape.table.points import Point, step

if TYPE_CHECKING:
    from battletape.answer import Answer

THE_LAST, ONE_BY_ONE = "the last", "one by one"
TokenPlay: TypeAlias = Literal["ask", "play", "keep"]
"""The order about a warp token: ask its holder, or play or keep it."""


class Tally(rulebook.State, frozen=True):
    """The counts of an action so far, for its measures."""

    dmg: int = 0
    hp: int = 0  # taken off sheets
    removed: int = 0
    recorded: int = 0  # DMG on the lines of vehicles' sheets
    glancing: int = 0
    penetrating: int = 0
    wrecked: int = 0
    failed: int = 0  # leadership and psychic tests
    spent: int = 0  # tokens
    undone: int = 0  # hits


class PendingAction(rulebook.State, frozen=True):
    """An action in progress: the battle so far, and what it has done."""

    state: State
    order: Any
    count: Tally = Tally()

    def with_counts(self, **more: int) -> Self:
        """Return a copy with more to count."""
        now = {name: getattr(self.count, name) + number for name, number in more.items()}
        return replace(self, count=replace(self.count, **now))

    def with_units(self, *units: BattleUnit) -> Self:
        """Return a copy with these units changed."""
        return replace(self, state=self.state.with_units(*units))

    def with_places(self, places: Places) -> Self:
        """Return a copy with these units on the table, where they stand now."""
        return replace(self, state=self.state.with_places(places))


class PendingMove(PendingAction, frozen=True, kw_only=True):
    """A move in progress: its path, as planned before the first step."""

    path: MovePath


def begin_action(tape: Tape, state: State, order: Any) -> PendingAction:
    """Return an action that has done nothing yet."""
    return PendingAction(state, order)


def begin_move(tape: Tape, state: State, order: Any, path: MovePath) -> PendingMove:
    """Return a move along its planned path, before the first step."""
    return PendingMove(state, order, path=path)


Pending = TypeVar("Pending", bound=PendingAction)


def state_of(work: PendingAction | State) -> State:
    """Return the battle in an action that may have stages, or had none."""
    return work.state if isinstance(work, PendingAction) else work


def subject(units: Sequence[BattleUnit], verb: str, verb_of_several: str) -> tuple[str, str]:
    """Return the names of those units that have models left, and the verb in singular or plural."""
    names = [unit.name for unit in units if not unit.is_destroyed] or [unit.name for unit in units]
    return listed(names), verb if len(names) == 1 else verb_of_several


def _measure(name: str, title: str, unit: str = "", usual: Callable[[PendingAction], bool] | None = None) -> Measure:
    return Measure(name, title, lambda work: getattr(work.count, name), unit, usual=usual)


def _target(work: PendingAction) -> BattleUnit | None:
    """Return the unit that an action is aimed at; None for one without a target."""
    name = getattr(work.order, "target", "")
    return work.state.find(name) if name else None


HP = _measure("hp", "HP taken off sheets", "HP")
REMOVED = _measure("removed", "Models removed", "models")
RECORDED = _measure(
    "recorded", "DMG recorded on vehicles", "DMG", usual=lambda work: not isinstance(_target(work), Squad)
)
HP_OF_TARGET = replace(HP, usual=lambda work: not isinstance(_target(work), Vehicle))
DMG = _measure("dmg", "Damage before saves", "DMG")
GLANCING = _measure("glancing", "Glancing hits", "hits")
PENETRATING = _measure("penetrating", "Penetrating hits", "hits")
WRECKED = _measure("wrecked", "Vehicles wrecked or exploded", "vehicles")
FAILED = _measure("failed", "Tests failed", "tests")
SPENT = _measure("spent", "Tokens spent", "tokens")
UNDONE = _measure("undone", "Hits undone", "hits")
ATTACK_MEASURES = (HP_OF_TARGET, RECORDED, REMOVED, DMG, GLANCING, PENETRATING, WRECKED, FAILED, SPENT)


def headline(answer: Answer) -> str:
    """Say what an action will do if every choice takes its first option; nothing is rolled."""
    named = ((measure, words.value(answer, measure.name)) for measure in answer.measures)
    counts = [f"{measure.title.lower()} {value}" for measure, value in named if value]
    return f"{answer.question.title}: {', '.join(counts) or 'nothing to count'}."


# --- tokens -----------------------------------------------------------------------------------------------------------

TOKEN_NAMES = dict(zip(Tokens.__struct_fields__, ("scatter", "gets hot!", "warp"), strict=True))


@clause("DL-30.6", "DL-PREP.5")
def spend_tokens(tape: Tape, work: Pending, side: str, scatter: int = 0, gets_hot: int = 0, warp: int = 0) -> Pending:
    """Take tokens off a side for good."""
    spent = Tokens(scatter, gets_hot, warp)
    work = replace(work, state=work.state.spend(side, spent)).with_counts(spent=sum(astuple(spent)))
    left = astuple(work.state.player(side).tokens)
    for kind, number, held in zip(TOKEN_NAMES, astuple(spent), left, strict=True):
        if number:
            tape.tell(tokens_left, side, kind, held)
    return work


def tokens_left(side: str, kind: str, number: int) -> Line:
    """Say how many tokens of a kind a side has left."""
    text = f"{side} has {plural(number, f'{TOKEN_NAMES[kind]} token')} left"
    return Line(text, ("DL-30.6" if kind == "scatter" else "DL-PREP.5",))


# --- losses -----------------------------------------------------------------------------------------------------------


@clause("DL-24.1", "DL-24.2")
def record_losses(tape: Tape, work: Pending, name: str, hit_target: Target) -> Pending:
    """Write the losses from packets on a unit's sheet; they count towards its morale test."""
    squad = work.state.squad(name)
    work = remove_models(tape, work, squad, hit_target.groups, lost_in_phase=squad.lost_in_phase + hit_target.removed)
    return work.with_counts(hp=hit_target.hp_removed, removed=hit_target.removed)


@clause("DL-24.1", "DL-6.2")
def remove_models(tape: Tape, work: Pending, squad: Squad, groups: Sequence[Group], **changes: Any) -> Pending:
    """Write the groups of a unit as they are now; on a board its player picks which of identical figures leave."""
    footprints = work.state.footprints(squad)
    fallen = tape.call(_fallen_models, squad, tuple(groups), footprints)
    after = replace(squad, groups=tuple(groups), **changes)
    return replace(work, state=work.state.with_losses(after, fallen))


@clause("DL-24.1", "DL-6.2")
def _fallen_models(
    tape: Tape, squad: Squad, groups: Sequence[Group], footprints: Sequence[Footprint]
) -> tuple[int, ...]:
    """Return the numbers of the models that fall, as they stand group by group; none where places are unknown."""
    if squad.count and not any(group.models for group in groups):
        tape.tell("{}: no model is left", squad.name, clause="DL-6.2")
    fallen: list[int] = []
    start = 0
    for was, now in zip(squad.groups, groups, strict=True):
        standing = dict(enumerate(footprints[start : start + was.models], 1))
        fallen += [start + number - 1 for number in _models_that_leave(tape, squad, now, standing)]
        start += was.models
    return tuple(fallen)


def _models_that_leave(tape: Tape, squad: Squad, group: Group, standing: dict[int, Footprint]) -> Sequence[int]:
    """Return the figures of a group that leave: the last ones, unless their player picks them one by one."""
    count = len(standing) - group.models
    last = tuple(standing)[group.models :]
    if count <= 0 or not group.models:
        return last
    label = labelled(squad.name, f"who of {group.name} leaves")
    if count > 1 and tape.choose((THE_LAST, ONE_BY_ONE), by=squad.side, label=label) == THE_LAST:
        return last
    left: list[int] = []
    for number in range(1, count + 1):
        names = {
            f"figure {at} at {figure.centre.x:.1f}, {figure.centre.y:.1f}": at
            for at, figure in reversed(standing.items())
            if at not in left
        }
        which = label if count == 1 else f"{label} ({number})"
        left.append(names[tape.choose(tuple(names), by=squad.side, label=which)])
    return left


def resolve_packets_on(
    tape: Tape, work: Pending, name: str, packets: Sequence[Packet], cover: int | None = None
) -> Pending:
    """Resolve packets on a unit and the characters with it, as one; a unit hurt by a pinning weapon tests."""
    members = work.state.joined_units(work.state.squad(name))
    target = work.state.target(members[0], cover, combined_groups(members))
    hit_target = resolve_all(tape, target, packets)
    work = work.with_counts(dmg=sum(packet.dmg for packet in packets))
    work = record_shared_losses(tape, work, members, hit_target)
    return check_pinning(tape, work, name) if hit_target.losses.pinning else work


def combined_groups(members: Sequence[Squad]) -> tuple[Group, ...]:
    """Return the groups of a unit and of the characters with it."""
    return tuple(group for squad in members for group in squad.groups)


def record_shared_losses(tape: Tape, work: Pending, members: Sequence[Squad], hit_target: Target) -> Pending:
    """Write the losses of a unit and its characters, which were hit as one, on each of their sheets."""
    start = 0
    for squad in members:
        own = hit_target.groups[start : start + len(squad.groups)]
        start += len(squad.groups)
        lost = sum(was.hp_left - now.hp_left for was, now in zip(squad.groups, own, strict=True))
        losses = Losses(hp_removed=lost, removed=squad.count - sum(group.models for group in own))
        work = record_losses(tape, work, squad.name, replace(hit_target, groups=own, losses=losses))
    return work


# --- tests ------------------------------------------------------------------------------------------------------------


@clause("DL-8.1", "DL-8.2", "DL-8.3")
def take_unit_test(
    tape: Tape, work: Pending, name: str, what: str, modified: bool = True, more: int = 0
) -> tuple[Pending, TestResult]:
    """Take a leadership test of a unit, on the Ld of its best model; its leader gets order points as well."""
    state, unit = work.state, work.state.squad(name)
    members = state.joined_units(unit)
    groups = combined_groups(members)
    leader = _leader(members)
    stubborn = morale.is_stubborn(groups)
    modifier = morale.ld_modifier(unit.count, unit.starting, stubborn) if modified else 0
    modifier += morale.counted_modifier(more, stubborn)
    ld, again = morale.best_ld(groups), morale.may_reroll_ld(groups)
    if leader is not None:
        test_result = take_test_led(unit.op, leader.op, ld, again, modifier, state.rulings)
        work = work.with_units(replace(leader, op=test_result.leader_op or 0))
    else:
        test_result = take_test(unit.op, ld, again, modifier)
    work = work.with_units(replace(work.state.squad(name), op=test_result.op))
    tape.tell(leadership_line, test_result, f"{name}, {what}")
    return work.with_counts(failed=not test_result.passed), test_result


@clause("DL-8.3")
def _leader(members: Sequence[Squad]) -> Squad | None:
    """Return the character that takes the tests of a unit, with a better Ld than its own models."""
    best = max(members, key=lambda member: (morale.best_ld(member.groups), member is members[0]))
    return best if best is not members[0] and best.is_character else None


@clause("DL-8.1")
def check_pinning(tape: Tape, work: Pending, name: str) -> Pending:
    """Take a pinning test; a unit that fails goes to ground."""
    unit = work.state.squad(name)
    if (
        work.state.is_gone(unit)
        or unit.falling_back
        or unit.gone_to_ground
        or morale.is_fearless(combined_groups(work.state.joined_units(unit)))
    ):
        return work
    work, test_result = take_unit_test(
        tape, work, name, "pinning test", modified=False
    )  # half strength is for morale tests
    return work if test_result.passed else go_to_ground(tape, work, name)


@clause("DL-8.1", "DL-20.1")
def go_to_ground(tape: Tape, work: Pending, name: str) -> Pending:
    """Let a unit and the characters in it go to ground."""
    members = work.state.joined_units(work.state.squad(name))
    now = work.state.player_turn
    tape.tell("{} {} to ground", *subject(members, "goes", "go"), clause="DL-20.1")
    return work.with_units(*(replace(member, gone_to_ground=True, went_to_ground_in=now) for member in members))


# --- psykers ----------------------------------------------------------------------------------------------------------


@clause("DL-50.1", "DL-50.4", "DL-50.5", "DL-50.6")
def take_psyker_test(
    tape: Tape, work: Pending, name: str, at: int, token: TokenPlay = "ask", hood: bool | None = None
) -> tuple[Pending, PsychicTest]:
    """Take the psychic test of a unit's psyker; the opponent may play a warp token on it."""
    state, psyker = work.state, work.state.squad(name)
    opponent = state.enemy_of(psyker.side)
    holder = state.player(opponent)
    test = psychic_test(
        psyker.groups[at],
        psyker.side,
        opponent,
        psyker.op if psyker.is_psyker else psyker.psyker_op,
        reroll=morale.may_reroll_ld((psyker.groups[at],)),
        hood=state.in_hood(psyker, hood),
        warp_tokens=holder.tokens.warp,
        token_used=holder.warp_used,
        null_zone=state.in_null_zone(psyker),
        rulings=state.rulings,
    )
    if token == "play":
        test = replace(test, played=True, token_used=True, warp_tokens=test.warp_tokens - 1)
    test = fold(PSYCHIC_TEST if token == "ask" else PSYCHIC_TEST.stages[1:], tape, test)
    groups = (*psyker.groups[:at], test.victim.groups[0], *psyker.groups[at + 1 :])
    lost = psyker.lost_in_phase + test.victim.removed
    points = {"op": test.op} if psyker.is_psyker else {"psyker_op": test.op}
    work = remove_models(tape, work, psyker, groups, cast=True, lost_in_phase=lost, **points)
    work = replace(work, state=work.state.with_player(replace(holder, warp_used=test.token_used)))
    work = spend_tokens(tape, work, opponent, warp=holder.tokens.warp - test.warp_tokens)
    work = work.with_counts(hp=test.victim.hp_removed, removed=test.victim.removed, failed=not test.works)
    return work, test


# --- vehicles ---------------------------------------------------------------------------------------------------------


@clause("DL-60.5", "DL-60.13")
def damage_vehicle(tape: Tape, work: Pending, name: str, packets: Sequence[HullPacket], by: str) -> Pending:
    """Resolve packets on a vehicle, write its sheet, and end it if it is destroyed."""
    vehicle = work.state.vehicle(name)
    attack = VehicleAttack(vehicle.damage, tuple(packets), work.state.rulings, by)
    attack = fold(VEHICLE_ATTACK, tape, attack, about=name)
    work = work.with_counts(dmg=sum(packet.dmg for packet in packets))
    return write_attack(tape, work, name, attack)


def write_attack(tape: Tape, work: Pending, name: str, attack: VehicleAttack) -> Pending:
    """Write an attack that has been resolved on the vehicle's sheet."""
    recorded = sum(attack.damage.lines) - sum(work.state.vehicle(name).damage.lines)
    work = work.with_counts(glancing=attack.glancing, penetrating=attack.penetrating, recorded=recorded)
    return _write_results(tape, work, name, attack.damage, attack.results)


@clause("DL-60.17", "DL-0.1")
def _write_results(tape: Tape, work: Pending, name: str, damage: DamageSheet, results: Sequence[BoxResult]) -> Pending:
    """Write the results of hits on a vehicle's sheet; in a squadron they count as in the base game."""
    vehicle = work.state.vehicle(name)
    if len(work.state.squadron_of(vehicle)) > 1:
        settled = apply_squadron_rule(damage)
        if settled != damage:
            what = "is left behind as a wreck" if settled.destroyed else "is shaken, not stunned"
            tape.tell("{} {}, for its squadron goes on", name, what, clause="DL-0.1")
        damage = settled
        results = [replace(hit, result=result_in_squadron(hit.result)) for hit in results]
    work = work.with_units(vehicle.with_results(damage, results, work.state.player_turn))
    return destroy_vehicle(tape, work, name) if damage.destroyed else work


@clause("DL-SM-57.1", "DL-31.1")
def glance_vehicle(tape: Tape, work: Pending, name: str) -> Pending:
    """Give a vehicle a glancing hit without damage: by a curse, or by its own weapon where players allow that."""
    state, vehicle = work.state, work.state.vehicle(name)
    damage, box_result = tape.call(
        take_glancing_hit, vehicle.damage, state.enemy_of(vehicle.side), state.rulings, about=name
    )
    return _write_results(tape, work.with_counts(glancing=1), name, damage, (box_result,))


@clause("DL-67.1", "DL-67.2", "DL-70.1", "DL-SM-89.1")
def destroy_vehicle(tape: Tape, work: Pending, name: str) -> Pending:
    """End a vehicle that is wrecked or explodes: its passengers get out, and models nearby may be hurt."""
    state, vehicle = work.state, work.state.vehicle(name)
    fate = vehicle.damage.destroyed
    if not fate:
        return work
    work = work.with_counts(wrecked=1)
    tape.tell("{} {}", name, "explodes" if fate == "explodes" else "is wrecked", clause="DL-60.23")
    near = _bystanders(state, vehicle) if fate == "explodes" else ()
    inside, hulls = state.passengers(name), state.field.position(name).hulls
    leading = [squad for squad in inside if squad.joined not in {other.name for other in inside}]
    work = replace(work, state=tape.call(_leave_remains, state, vehicle))
    for at, unit in enumerate(leading or [None]):
        work = _get_out_of_wreck(tape, work, vehicle, hulls, unit, near if at == 0 else ())
    for squad in state.commanders(name):
        work = _save_commander(tape, work, squad, hulls, passengers.chronus_hp(fate))
    return work.with_units(replace(work.state.vehicle(name), combat=0))


@clause("DL-60.23", "DL-67.1", "DL-0.1")
def _leave_remains(tape: Tape, state: State, vehicle: Vehicle) -> State:
    """Leave a wreck or a crater where a destroyed vehicle stood; what it is worth to others is a ruling."""
    wrecked = vehicle.damage.destroyed == "wrecked"
    kind, counts = "wreck" if wrecked else "crater", state.rulings.wrecks == "ground"
    field = state.field
    for hull in field.position(vehicle.name).hulls:
        remains = Terrain(remains_of(vehicle), kind, corners(hull))
        if counts:
            remains = replace(remains, difficult=True, dangerous=wrecked)
            tape.tell("{} is left on the table", capital(remains.name), clause="DL-0.1")
        if counts and wrecked:
            remains = replace(remains, top=VEHICLE_TOP, cover=WRECK_COVER)
        field = field.with_terrain(remains)
    return replace(state, field=field).off_table((vehicle,), OFF)


def remains_of(vehicle: Vehicle) -> str:
    """Return the name of the terrain that a destroyed vehicle has left."""
    return f"{'wreck' if vehicle.damage.destroyed == 'wrecked' else 'crater'} of {vehicle.name}"


@clause("DL-SM-89.1")
def _save_commander(tape: Tape, work: Pending, commander: Squad, hulls: Sequence[Hull], left: int) -> Pending:
    """Let a tank commander get out of the lost tank with so many hit points."""
    (group,) = commander.groups
    out = replace(commander, groups=(replace(group, recorded=group.hp - left),), moved=True, cannot_assault=True)
    places: Places = ((out.name, ()),)
    for hull in hulls:
        at = step(hull.centre, hull.heading + 90, hull.width / 2 + out.base)
        places = places_near(work.state, (out,), at) or places_around((out,), at)
    tape.tell("{} gets out with {} of {} HP", commander.name, left, group.hp, clause="DL-SM-89.1")
    return work.with_units(out).with_places(places)


def _bystanders(state: State, vehicle: Vehicle) -> tuple[tuple[Squad, tuple[int, ...]], ...]:
    """Return the units within reach of an exploding hull, and how many models of each group."""
    found = []
    for hull in state.field.position(vehicle.name).hulls:
        for unit in state.on_table():
            if isinstance(unit, Squad):
                bases = tuple(each for each in state.footprints(unit) if isinstance(each, Base))
                reached = set(passengers.in_reach(hull, bases))
                starts = [sum(group.models for group in unit.groups[:at]) for at in range(len(unit.groups))]
                numbers = tuple(
                    sum(model in reached for model in range(start, start + group.models))
                    for start, group in zip(starts, unit.groups, strict=True)
                )
                if any(numbers):
                    found.append((unit, numbers))
    return tuple(found)


def _get_out_of_wreck(
    tape: Tape,
    work: Pending,
    vehicle: Vehicle,
    hulls: Sequence[Hull],
    squad: Squad | None,
    near: Sequence[tuple[Squad, tuple[int, ...]]],
) -> Pending:
    """Let one unit get out of its lost vehicle, and hurt the models nearby."""
    state, members = work.state, () if squad is None else work.state.joined_units(squad)
    target = None if squad is None else state.target(squad, groups=combined_groups(members))
    fate = vehicle.damage.destroyed or "wrecked"
    bystanders = tuple(passengers.Bystanders(state.target(unit), numbers) for unit, numbers in near)
    open_topped = "open_topped" in vehicle.profile.types
    before = passengers.VehicleDestruction(fate, open_topped, target, bystanders=bystanders, rulings=state.rulings)
    after = fold((passengers.hurt_passengers, passengers.hurt_bystanders), tape, before, about=vehicle.name)
    for (unit, _), hurt in zip(near, after.bystanders, strict=True):
        work = record_losses(tape, work, unit.name, hurt.target)
    if squad is None or after.passengers is None:
        return work
    work = record_shared_losses(tape, work, members, after.passengers)
    members = tuple(work.state.squad(member.name) for member in members)
    places: Places = tape.call(_survivor_places, work.state, squad.name, members, vehicle, tuple(hulls))
    if any(member.count for member in members):
        tape.tell("{} {} out", *subject(members, "gets", "get"), clause="DL-67.2")
    out = (replace(member, moved=True, cannot_assault=True) for member in members)
    work = work.with_units(*out).with_places(places)
    return check_pinning(tape, work, squad.name)


@clause("DL-67.2")
def _survivor_places(
    tape: Tape, state: State, name: str, members: Sequence[Squad], vehicle: Vehicle, hulls: Sequence[Hull]
) -> Places:
    """Return where survivors stand: where their vehicle exploded, or beside its wreck; their player picks the place."""
    if not hulls or not any(squad.count for squad in members):
        return tuple((member.name, ()) for member in members)
    (hull,) = hulls
    ways = {where: places_around(members, at) for where, at in _ways_out(vehicle, hull, members).items()}
    free = {where: places for where, places in ways.items() if refuse_room(state, places) is None}
    if not free:  # a crowd: they stand where they can
        (where, places), *_ = ways.items()
        free = {where: places_near(state, members, hull.centre) or places}
    return free[tape.choose(tuple(free), by=vehicle.side, label=f"where {name} gets out")]


def _ways_out(vehicle: Vehicle, hull: Hull, members: Sequence[Squad]) -> dict[str, Point]:
    """Return where survivors may stand: about the place of the explosion, or beside the wreck, behind it first."""
    exploded = vehicle.damage.destroyed == "explodes"
    reach = (
        0.0 if exploded else ring_radius(sum(squad.count for squad in members), max(squad.base for squad in members))
    )
    share = 4 if exploded else 2  # of the hull's length and width, from its middle
    length, width = hull.length / share + reach, hull.width / share + reach
    turns = {"behind": (180, length), "in front": (0, length), "on the left": (-90, width), "on the right": (90, width)}
    sides = {where: step(hull.centre, hull.heading + turn, inches) for where, (turn, inches) in turns.items()}
    return {"in the middle": hull.centre, **sides} if exploded else sides
