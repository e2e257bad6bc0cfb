"""Changes written down by hand: `lose_hp`, `change_body`, `test_nerve`, `mark_line`, `place`, and `night`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, Literal, TypeVar

from battletape.cards import Action, Inputs, Line, Plan, asked
from battletape.field import setup
from battletape.rulebook import Procedure, Tape, clause, need, plural, raise_if_refused, replace
from battletape.rulesets.diceless40k.battle import pending, turn
from battletape.rulesets.diceless40k.battle.actions.reserves import places_at
from battletape.rulesets.diceless40k.battle.ground import fall_back
from battletape.rulesets.diceless40k.battle.moves import refuse_room
from battletape.rulesets.diceless40k.battle.state import COHERENCY, Places, Squad, State, Vehicle
from battletape.rulesets.diceless40k.profiles.types import Least1
from battletape.rulesets.diceless40k.rules import vehicles
from battletape.rulesets.diceless40k.rules.casualties import after_loss, remove_casualties
from battletape.rulesets.diceless40k.rules.characteristics import Group, with_wounds_and_toughness
from battletape.rulesets.diceless40k.rules.damage_rows import LINES, Hit, refuse_line, refuse_target
from battletape.rulesets.diceless40k.rules.morale import is_fearless, refuse_test
from battletape.table.distances import is_coherent


def propose_nothing(state: State) -> Iterable[Inputs]:
    """Propose nothing: what is written by hand may always be written, so it is not listed as something to do."""
    return ()


GroupOrder = TypeVar("GroupOrder", "HpChangeOrder", "ChangeGroupOrder")


def group_of(state: State, order: GroupOrder) -> tuple[Squad, int, GroupOrder]:
    """Return a unit, the index of the group named, and the order in full: of a single group the name may be left out.

    Vehicles have no groups.
    """
    squad = turn.of_kind(Squad, state.find(order.unit), "is a vehicle; write its damage by mark_line")
    only = squad.groups[0].name if len(squad.groups) == 1 else ""
    index = squad.group_index(order.group or only)
    return squad, index, replace(order, group=squad.groups[index].name)


class HpChangeOrder(Inputs, frozen=True):
    """A group loses HP, or gets some back."""

    unit: str = asked("", "Which unit", role="any troop")
    group: str = asked("", "Which group", role="group")
    hp: int = asked(10, "HP lost", about="(below 0: regained)", ge=-10_000, le=10_000)


@clause("DL-24.1", "DL-6.2")
def plan_loss(state: State, order: HpChangeOrder) -> Plan:
    """Refuse hit points below 0, or above those at the start."""
    squad, index, order = group_of(state, order)
    group = squad.groups[index]
    most = f"{group.name} has {group.hp_left} HP left, and hit points do not fall below 0; {group.hp_left} is the most"
    need(order.hp <= group.hp_left, most, "DL-6.2", "hp")
    recorded = f"{group.name} can get back {group.recorded} HP, what is recorded"
    need(-order.hp <= group.recorded, recorded, "DL-24.2", "hp")
    return Plan(pending.begin_action, state, order, order=order)


@clause("DL-24.1", "DL-24.2", "DL-8.1")
def write_loss(tape: Tape, work: pending.PendingAction) -> pending.PendingAction:
    """Take HP off a group, or off what is recorded against it; outside of fights losses may shake the unit."""
    order, squad = work.order, work.state.squad(work.order.unit)
    index = squad.group_index(order.group)
    group = squad.groups[index]
    if order.hp < 0:
        changed = replace(group, recorded=group.recorded + order.hp)
    else:
        changed = after_loss(group, remove_casualties(group.models, group.hp, group.recorded, order.hp))
    removed = group.models - changed.models
    gone = f"{plural(removed, 'model')} removed, {changed.models} left" + (
        f", {changed.recorded} HP recorded" if changed.models else ""
    )
    change = f"{order.hp} HP lost" if order.hp >= 0 else f"{-order.hp} HP regained"
    whose = "" if group.name == squad.name else f" of {squad.name}"
    tape.tell(Line, f"{group.name}{whose}: {change}, {gone}", ("DL-24.1", "DL-24.2"), result=change)
    groups = (*squad.groups[:index], changed, *squad.groups[index + 1 :])
    lost = squad.lost_in_phase + (0 if squad.combat else removed)
    return pending.remove_models(tape, work, squad, groups, lost_in_phase=lost)


LOSE_HP = Action(
    "lose_hp",
    "Write down HP",
    HpChangeOrder,
    plan_loss,
    Procedure("loss", (write_loss,)),
    options=propose_nothing,
    closed=turn.refuse_over,
    clauses=("DL-24.1",),
)


class ChangeGroupOrder(Inputs, frozen=True):
    """Other Wounds or Toughness for a group, by a power or another cause."""

    unit: str = asked("", "Which unit", role="any troop")
    group: str = asked("", "Which group", role="group")
    wounds: Least1 = 1
    toughness: Least1 = 4


@clause("DL-6.1")
def plan_change_group(state: State, order: ChangeGroupOrder) -> Plan:
    """Refuse groups without models."""
    squad, index, order = group_of(state, order)
    group = squad.groups[index]
    need(group.models, f"nobody is left of {group.name}", "DL-6.2", "gone")
    return Plan(change_group, state, squad, index, order, order=order)


@clause("DL-6.1", "DL-6.2")
def change_group(tape: Tape, state: State, squad: Squad, index: int, order: ChangeGroupOrder) -> State:
    """Give a group other Wounds or Toughness, and the HP that follow from them."""
    changed = with_wounds_and_toughness(squad.groups[index], order.wounds, order.toughness)
    tape.tell(group_line, changed)
    return state.with_units(replace(squad, groups=(*squad.groups[:index], changed, *squad.groups[index + 1 :])))


def group_line(group: Group) -> str:
    """Describe a group: its Toughness, HP and models."""
    models = plural(group.models, "model")
    return f"{group.name}: T{group.toughness}, {group.hp} HP each, {group.recorded} recorded, {models}"


CHANGE_GROUP = Action(
    "change_body",
    "Write down other Wounds or Toughness",
    ChangeGroupOrder,
    plan_change_group,
    options=propose_nothing,
    closed=turn.refuse_over,
    clauses=("DL-6.1",),
)


class LeadershipTestOrder(Inputs, frozen=True):
    """A unit takes a test that the program does not see coming, such as one for a special rule."""

    unit: str = asked("", "Which unit", role="any troop")
    test: Literal["morale", "pinned", "other"] = asked("morale", "What it tests for")
    modifier: int = asked(0, "Modifiers of Ld", "DL-8.2", ge=-10, le=10)


@clause("DL-8.1")
def plan_leadership_test(state: State, order: LeadershipTestOrder) -> Plan:
    """Refuse units that are away or with others, and those that pass or fail without a test."""
    unit = turn.of_kind(Squad, state.find(order.unit), "is a vehicle and takes no leadership tests")
    turn.need_in_play(state, unit)
    need(not unit.joined, f"{unit.name} is with {unit.joined}, which takes the test", "DL-8.3", "joined")
    if order.test != "other":
        raise_if_refused(refuse_test(unit.name, is_fearless(pending.combined_groups(state.joined_units(unit)))))
        flees = f"{unit.name} is falling back and fails without a test"
        need(not unit.falling_back, flees, "DL-8.1", "falling_back")
    return Plan(pending.begin_action, state, order)


@clause("DL-8.1", "DL-8.2", "DL-8.3")
def take_leadership_test(tape: Tape, work: pending.PendingAction) -> pending.PendingAction:
    """Take a leadership test; a unit that fails for morale falls back, a pinned one goes to ground."""
    order, name = work.order, work.state.squad(work.order.unit).name
    what = {"morale": "morale test", "pinned": "is it pinned", "other": "leadership test"}[order.test]
    work, test_result = pending.take_unit_test(tape, work, name, what, order.test == "morale", order.modifier)
    if test_result.passed or order.test == "other":
        return work
    return fall_back(tape, work, name) if order.test == "morale" else pending.go_to_ground(tape, work, name)


LEADERSHIP_TEST = Action(
    "test_nerve",
    "Take a leadership test",
    LeadershipTestOrder,
    plan_leadership_test,
    Procedure("leadership test", (take_leadership_test,)),
    options=propose_nothing,
    measures=(pending.FAILED,),
    headline=pending.headline,
    closed=turn.refuse_over,
    clauses=("DL-8.1",),
)


class LineDamageOrder(Inputs, frozen=True):
    """DMG goes on a line of a vehicle's sheet."""

    unit: str = asked("", "Which vehicle", role="any vehicle")
    line: str = asked("A", "Line A to F", "DL-60.7")
    dmg: int = asked(6, "DMG", ge=0, le=1000)


@clause("DL-60.7", "DL-60.13")
def plan_mark(state: State, order: LineDamageOrder) -> Plan:
    """Refuse lines that are not on a sheet, and sheets of wrecks."""
    turn.need_any(state, order.unit, state.vehicles, "no vehicle is left", "DL-60.7")
    vehicle = turn.of_kind(Vehicle, state.find(order.unit), "is no vehicle; write its damage by lose_hp")
    raise_if_refused(refuse_target(vehicle.damage), refuse_line(order.line.strip().upper()))
    return Plan(pending.begin_action, state, order)


@clause("DL-60.13", "DL-60.14", "DL-60.17")
def write_line(tape: Tape, work: pending.PendingAction) -> pending.PendingAction:
    """Write DMG on the line and over; every threshold that it reaches is a hit."""
    state, order = work.state, work.order
    vehicle, line = state.vehicle(order.unit), order.line.strip().upper()
    recorded = vehicles.record_damage(vehicle.damage.lines, line, order.dmg, state.rulings)
    packet = vehicles.HullPacket("by hand", order.dmg, 0, 0)
    result = vehicles.PacketResult(
        packet, order.dmg, 6 - LINES.index(line), line, recorded.hits, recorded.lines, recorded.lost
    )
    attack = vehicles.VehicleAttack(
        replace(vehicle.damage, lines=recorded.lines), (), state.rulings, state.enemy_of(vehicle.side), (result,)
    )
    tape.tell(vehicles.sheet_line, result, f"{vehicle.name}: {order.dmg} DMG on line {line}")
    attack = tape.call(_tick, attack, recorded.hits, about=vehicle.name)
    return pending.write_attack(tape, work, vehicle.name, attack)


def _tick(tape: Tape, attack: vehicles.VehicleAttack, hits: tuple[Hit, ...]) -> vehicles.VehicleAttack:
    return tape.each(vehicles.tick_hit, attack, hits)


MARK_LINE = Action(
    "mark_line",
    "Write down damage on a vehicle",
    LineDamageOrder,
    plan_mark,
    Procedure("mark", (write_line,)),
    options=propose_nothing,
    measures=(pending.GLANCING, pending.PENETRATING, pending.WRECKED),
    headline=pending.headline,
    closed=turn.refuse_over,
    clauses=("DL-60.13",),
)


class UnitOrder(Inputs, frozen=True):
    """An action about any unit."""

    unit: str = ""


class PlaceOrder(UnitOrder, setup.Placement, frozen=True):
    """A unit is put somewhere on the board; without x and y its place is no longer known."""

    unwritten: ClassVar = ("formation", "spacing", "abreast", "spots")

    formation = "rings"
    spacing = 0.0


@clause("DL-0.1")
def plan_place(state: State, order: PlaceOrder) -> Plan:
    """Refuse units that are not on the table, and places without room or out of coherency."""
    unit = state.find(order.unit)
    turn.need_in_play(state, unit)
    if isinstance(unit, Squad):
        bases = setup.arranged(order, unit.count, unit.base)
        together = f"models of {unit.name} would stand more than {COHERENCY} inches from the others"
        need(is_coherent(bases, COHERENCY), together, "DL-0.1", "coherency")
        places: Places = ((unit.name, bases),)
    else:
        places = places_at((unit,), order.x, order.y, order.heading)
    raise_if_refused(refuse_room(state, places))
    return Plan(put_on_board, state, unit.name, places)


@clause("DL-0.1")
def put_on_board(tape: Tape, state: State, name: str, places: Places) -> State:
    """Put a unit somewhere on the board, or forget where it stands."""
    state = state.with_places(places)
    for first in state.field.position(name).footprints[:1]:
        tape.tell("{} is put at {:.4g}, {:.4g}", name, first.centre.x, first.centre.y)
        return state
    tape.tell("The place of {} is no longer known", name)
    return state


PLACE = Action(
    "place",
    "Put a unit on the board",
    PlaceOrder,
    plan_place,
    options=propose_nothing,
    closed=turn.refuse_over,
    clauses=("DL-0.1",),
)


class NightOrder(Inputs, frozen=True):
    """Night fighting begins, or ends."""

    falls: bool = asked(True, "Night falls", "DL-95.8", about="(else it ends)")


@clause("DL-95.8")
def plan_light(state: State, order: NightOrder) -> Plan:
    """Refuse nightfall by night, and its end by day."""
    need(state.night is not order.falls, f"it is {'night' if state.night else 'day'} already", "DL-95.8", "night")
    return Plan(change_light, state, order.falls)


@clause("DL-95.8", "DL-95.9")
def change_light(tape: Tape, state: State, falls: bool) -> State:
    """Begin or end night fighting."""
    tape.tell("Night falls" if falls else "The night is over")
    return replace(state, night=falls)


NIGHT = Action(
    "night",
    "Begin or end night fighting",
    NightOrder,
    plan_light,
    options=propose_nothing,
    closed=turn.refuse_over,
    clauses=("DL-95.8",),
)
