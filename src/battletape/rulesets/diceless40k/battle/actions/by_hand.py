"""What is written down by hand: `lose_hp`, `change_body`, `test_nerve`, `mark_line`, `place`, and `night`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Literal

from battletape.cards import Inputs, Line
from battletape.cards import refusing as Action
from battletape.rulebook import Meta, Procedure, Refused, Tape, clause, plural, replace
from battletape.rulesets.diceless40k.battle.actions._orders import at_once
from battletape.rulesets.diceless40k.battle.actions.reserves import placed
from battletape.rulesets.diceless40k.battle.board import refuse_room
from battletape.rulesets.diceless40k.battle.deed import (
    FAILED,
    GLANCING,
    PENETRATING,
    WRECKED,
    Deed,
    begin_deed,
    finish_deed,
    go_to_ground,
    headline,
    merged,
    take_away,
    take_unit_test,
    write_attack,
)
from battletape.rulesets.diceless40k.battle.ground import flee
from battletape.rulesets.diceless40k.battle.start import Heading, Place
from battletape.rulesets.diceless40k.battle.state import Machine, State
from battletape.rulesets.diceless40k.battle.turn import refuse_away, refuse_over
from battletape.rulesets.diceless40k.profiles.types import Least1
from battletape.rulesets.diceless40k.rules.casualties import after, remove_casualties
from battletape.rulesets.diceless40k.rules.characteristics import Group, with_body
from battletape.rulesets.diceless40k.rules.damage_rows import LINES, Hit, refuse_line, refuse_target
from battletape.rulesets.diceless40k.rules.morale import is_fearless, refuse_test
from battletape.rulesets.diceless40k.rules.vehicles import (
    HullPacket,
    Struck,
    VehicleAttack,
    record,
    tick_hit,
    written_line,
)


def untold(state: State) -> Iterable[Inputs]:
    """What is written by hand may always be written, so that nothing of it is listed as something to do."""
    return ()


class Loss(Inputs, frozen=True):
    """A group loses HP, or gets some back."""

    unit: Annotated[str, Meta(title="Which unit", extra={"role": "any troop"})] = ""
    group: Annotated[str, Meta(title="Which group", extra={"role": "group"})] = ""
    hp: Annotated[int, Meta(title="HP lost (below 0: regained)", ge=-10_000, le=10_000)] = 10


@clause("DL-24.1", "DL-6.2")
def refuse_loss(state: State, order: Loss) -> Refused | None:
    """Nobody has fewer hit points than 0, or more than at the start."""
    refused = refuse_over(state)
    if refused is not None:
        return refused
    troop = state.troop(order.unit)
    group = troop.groups[troop.group_at(order.group)]
    if order.hp > group.hp_left:
        reason = f"{group.name} has {group.hp_left} HP left, and hit points do not fall below 0"
        return Refused(f"{reason}; {group.hp_left} is the most", "DL-6.2", "hp")
    if -order.hp > group.recorded:
        return Refused(f"{group.name} can get back {group.recorded} HP, what is recorded", "DL-24.2", "hp")
    return None


@clause("DL-24.1", "DL-24.2", "DL-8.1")
def write_loss(tape: Tape, deed: Deed) -> Deed:
    """The HP come off the group, or off what is recorded against it; outside of fights losses may shake the unit."""
    order, troop = deed.order, deed.state.troop(deed.order.unit)
    at = troop.group_at(order.group)
    group = troop.groups[at]
    if order.hp < 0:
        now = replace(group, recorded=group.recorded + order.hp)
    else:
        now = after(group, remove_casualties(group.models, group.hp, group.recorded, order.hp))
    removed = group.models - now.models
    gone = f"{plural(removed, 'model')} removed, {now.models} left" + (
        f", {now.recorded} HP recorded" if now.models else ""
    )
    change = f"{order.hp} HP lost" if order.hp >= 0 else f"{-order.hp} HP regained"
    whose = "" if group.name == troop.name else f" of {troop.name}"
    tape.tell(Line, f"{group.name}{whose}: {change}, {gone}", ("DL-24.1", "DL-24.2"), result=change)
    fallen = tape.call(take_away, troop, (*troop.groups[:at], now, *troop.groups[at + 1 :]))
    return deed.with_units(replace(fallen, lost=troop.lost + (0 if troop.combat else removed)))


LOSE_HP = Action(
    "lose_hp",
    "Write down HP",
    Loss,
    refuse_loss,
    begin_deed,
    Procedure("loss", (write_loss,)),
    finish_deed,
    untold,
    clauses=("DL-24.1",),
)


class Body(Inputs, frozen=True):
    """The Wounds or the Toughness of a group change, by a power or whatever else."""

    unit: Annotated[str, Meta(title="Which unit", extra={"role": "any troop"})] = ""
    group: Annotated[str, Meta(title="Which group", extra={"role": "group"})] = ""
    wounds: Least1 = 1
    toughness: Least1 = 4


@clause("DL-6.1")
def refuse_body(state: State, order: Body) -> Refused | None:
    """Only who is still there changes."""
    refused = refuse_over(state)
    if refused is not None:
        return refused
    troop = state.troop(order.unit)
    group = troop.groups[troop.group_at(order.group)]
    return None if group.models else Refused(f"nobody is left of {group.name}", "DL-6.2", "gone")


@clause("DL-6.1", "DL-6.2")
def change_body(tape: Tape, state: State, order: Body) -> State:
    """Give a group other Wounds or Toughness, and the HP that follow from them."""
    troop = state.troop(order.unit)
    at = troop.group_at(order.group)
    now = with_body(troop.groups[at], order.wounds, order.toughness)
    tape.tell(body_line, now)
    return state.changed(replace(troop, groups=(*troop.groups[:at], now, *troop.groups[at + 1 :])))


def body_line(group: Group) -> str:
    """Describe the body of a group."""
    models = plural(group.models, "model")
    return f"{group.name}: T{group.toughness}, {group.hp} HP each, {group.recorded} recorded, {models}"


CHANGE_BODY = at_once(
    "change_body", "Write down other Wounds or Toughness", Body, refuse_body, change_body, "DL-6.1", options=untold
)


class Nerve(Inputs, frozen=True):
    """A unit takes a test that the program does not see coming, such as one for a special rule."""

    unit: Annotated[str, Meta(title="Which unit", extra={"role": "any troop"})] = ""
    test: Annotated[Literal["morale", "pinned", "other"], Meta(title="What it tests for")] = "morale"
    modifier: Annotated[int, Meta(ge=-10, le=10, title="Modifiers of Ld", extra={"clause": "DL-8.2"})] = 0


@clause("DL-8.1")
def refuse_nerve(state: State, order: Nerve) -> Refused | None:
    """Why a unit takes no such test."""
    unit = state.troop(order.unit)
    refused = refuse_over(state) or refuse_away(unit)
    if refused is not None:
        return refused
    if unit.joined:
        return Refused(f"{unit.name} is with {unit.joined}, which takes the test", "DL-8.3", "joined")
    if order.test == "other":
        return None
    refused = refuse_test(unit.name, is_fearless(merged(state.company(unit))))
    if refused is not None:
        return refused
    if unit.falling_back:
        return Refused(f"{unit.name} is falling back and fails without a test", "DL-8.1", "falling_back")
    return None


@clause("DL-8.1", "DL-8.2", "DL-8.3")
def test_nerve(tape: Tape, deed: Deed) -> Deed:
    """25 order points and the threshold; who fails for morale falls back, who is pinned goes to ground."""
    order, name = deed.order, deed.state.troop(deed.order.unit).name
    what = {"morale": "morale test", "pinned": "is it pinned", "other": "leadership test"}[order.test]
    deed, tested = take_unit_test(tape, deed, name, what, order.test == "morale", order.modifier)
    if tested.passed or order.test == "other":
        return deed
    return flee(tape, deed, name) if order.test == "morale" else go_to_ground(tape, deed, name)


TEST_NERVE = Action(
    "test_nerve",
    "Take a leadership test",
    Nerve,
    refuse_nerve,
    begin_deed,
    Procedure("test of nerve", (test_nerve,)),
    finish_deed,
    untold,
    measures=(FAILED,),
    headline=headline,
    clauses=("DL-8.1",),
)


class Mark(Inputs, frozen=True):
    """DMG goes on a line of a vehicle's sheet."""

    unit: Annotated[str, Meta(title="Which vehicle", extra={"role": "any machine"})] = ""
    line: Annotated[str, Meta(title="Line A to F", extra={"clause": "DL-60.7"})] = "A"
    dmg: Annotated[int, Meta(title="DMG", ge=0, le=1000)] = 6


@clause("DL-60.7", "DL-60.13")
def refuse_mark(state: State, order: Mark) -> Refused | None:
    """A sheet has the lines A to F, and a wreck has none that count."""
    refused = refuse_over(state) or refuse_target(state.machine(order.unit).damage)
    return refused or refuse_line(order.line.strip().upper())


@clause("DL-60.13", "DL-60.14", "DL-60.17")
def write_line(tape: Tape, deed: Deed) -> Deed:
    """The DMG goes on the line and over, and every threshold it reaches is a hit."""
    state, order = deed.state, deed.order
    machine, line = state.machine(order.unit), order.line.strip().upper()
    got = record(machine.damage.lines, line, order.dmg, state.rulings)
    packet = HullPacket("by hand", order.dmg, 0, 0)
    struck = Struck(packet, order.dmg, 6 - LINES.index(line), line, got.hits, got.lines, got.lost)
    attack = VehicleAttack(
        replace(machine.damage, lines=got.lines), (), state.rulings, state.other(machine.side), (struck,)
    )
    tape.tell(written_line, struck, f"{machine.name}: {order.dmg} DMG on line {line}")
    attack = tape.call(_tick, attack, got.hits, about=machine.name)
    return write_attack(tape, deed, machine.name, attack)


def _tick(tape: Tape, attack: VehicleAttack, hits: tuple[Hit, ...]) -> VehicleAttack:
    return tape.each(tick_hit, attack, hits)


MARK_LINE = Action(
    "mark_line",
    "Write down damage on a vehicle",
    Mark,
    refuse_mark,
    begin_deed,
    Procedure("mark", (write_line,)),
    finish_deed,
    untold,
    measures=(GLANCING, PENETRATING, WRECKED),
    headline=headline,
    clauses=("DL-60.13",),
)


class Put(Inputs, frozen=True):
    """A unit is put somewhere on the board; without x and y its place is no longer known."""

    unit: str = ""
    x: Place | None = None
    y: Place | None = None
    heading: Heading = 0.0


@clause("DL-0.1")
def refuse_put(state: State, order: Put) -> Refused | None:
    """Only what is on the table is put somewhere, where there is room."""
    refused = refuse_over(state)
    unit = state.find(order.unit)
    if refused is not None:
        return refused
    return refuse_away(unit) or refuse_room(state, placed((unit,), order.x, order.y, order.heading))


@clause("DL-0.1")
def put(tape: Tape, state: State, order: Put) -> State:
    """Put a unit somewhere on the board, or forget where it stands."""
    unit = state.find(order.unit)
    if order.x is None or order.y is None:
        tape.tell("The place of {} is no longer known", unit.name)
    else:
        tape.tell("{} is put at {:.4g}, {:.4g}", unit.name, order.x, order.y)
    (there,) = placed((unit,), order.x, order.y, order.heading)
    if isinstance(there, Machine):
        return state.changed(replace(state.machine(order.unit), hull=there.hull))
    return state.changed(replace(state.troop(order.unit), models=there.models))


PLACE = at_once("place", "Put a unit on the board", Put, refuse_put, put, "DL-0.1", options=untold)


class Dusk(Inputs, frozen=True):
    """Night fighting begins, or ends."""

    falls: Annotated[bool, Meta(title="Night falls (else it ends)", extra={"clause": "DL-95.8"})] = True


@clause("DL-95.8")
def refuse_night(state: State, order: Dusk) -> Refused | None:
    """Night falls by day and ends by night."""
    refused = refuse_over(state)
    if refused is not None or state.night is not order.falls:
        return refused
    return Refused(f"it is {'night' if state.night else 'day'} already", "DL-95.8", "night")


@clause("DL-95.8", "DL-95.9")
def change_light(tape: Tape, state: State, order: Dusk) -> State:
    """Begin or end night fighting."""
    tape.tell("Night falls" if order.falls else "The night is over")
    return replace(state, night=order.falls)


NIGHT = at_once("night", "Begin or end night fighting", Dusk, refuse_night, change_light, "DL-95.8", options=untold)
