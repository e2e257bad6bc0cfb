"""Repairs: a techmarine or a Rhino's own crew takes damage off a line, and hits that it made are undone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from battletape.rulebook import BadInput, Line, Procedure, Refused, State, Tape, clause, plain, replace
from battletape.rulesets.diceless40k.rules import damage_rows
from battletape.rulesets.diceless40k.rules.vehicles import THRESHOLDS
from battletape.rulesets.diceless40k.rulings import DEFAULT, Rulings

TECHMARINE_POINTS = 12
SERVITOR_POINTS = 6  # each, with a servo-arm
HARNESS_POINTS = 6
RHINO_POINTS = 6


class Repair(State, frozen=True):
    """A repair: the sheet before and after, the points, the line that the owner chose, and what is undone."""

    damage: damage_rows.DamageSheet
    points: int
    by: str = "owner"
    rulings: Rulings = DEFAULT
    line: str = ""
    before: int = 0  # DMG on the line
    after: int = 0
    undone_hits: tuple[damage_rows.Hit, ...] = ()  # thresholds that the line fell under
    undone: tuple[damage_rows.BoxResult, ...] = ()  # results that no longer stand
    servitors: int = 0  # that helped
    ticked: bool = False  # boxes are known to be ticked, but not what ticked them


@clause("DL-SM-71.1", "DL-SM-71.3", "DL-SM-71.4")
def repair_points(servitors: int = 0, harness: bool = False) -> int:
    """Return the DMG that a techmarine removes: 12, and 6 for a servo-harness and each servitor with a servo-arm."""
    if servitors < 0:
        raise BadInput(f"servitors are 0 or more; got {servitors}", clause="DL-SM-71.3")
    return TECHMARINE_POINTS + SERVITOR_POINTS * servitors + HARNESS_POINTS * harness


@clause("DL-SM-76.1")
def rhino_points(immobilised: bool) -> int:
    """Return the DMG that a Rhino removes in each of its turns while it is immobilised."""
    return RHINO_POINTS if immobilised else 0


@clause("DL-SM-71.1", "DL-SM-76.1")
def refuse_repair(damage: damage_rows.DamageSheet) -> Refused | None:
    """Refuse to repair a vehicle that is destroyed, or has no line with damage."""
    if damage.destroyed:
        return Refused("a vehicle that is wrecked or has exploded cannot be repaired", "DL-SM-71.1", "destroyed")
    if not any(damage.lines):
        return Refused("no line of its sheet holds damage that could be removed", "DL-SM-71.1", "damage")
    return None


@clause("DL-SM-71.2")
def thresholds_undone(line: str, before: int, after: int) -> tuple[damage_rows.Hit, ...]:
    """Return the thresholds that a line falls under, in the order of the line."""
    damage_rows.line_at(line)
    return tuple(hit for hit in THRESHOLDS[line] if after < hit.at <= before)


@clause("DL-SM-71.1")
def lines_to_repair(damage: damage_rows.DamageSheet, points: int) -> tuple[str, ...]:
    """Return the lines with damage, those first where the repair undoes most."""
    held = [line for line in damage_rows.LINES if damage.line(line)]
    undone = {line: thresholds_undone(line, damage.line(line), max(0, damage.line(line) - points)) for line in held}
    return tuple(sorted(held, key=lambda line: (-len(undone[line]), line)))


@clause("DL-SM-71.1", "DL-SM-76.1")
def choose_line(tape: Tape, repair: Repair) -> Repair:
    """Let the owner pick the line that is repaired."""
    lines = lines_to_repair(repair.damage, repair.points)
    if not lines or not repair.points or repair.line:
        return repair
    return replace(repair, line=tape.choose(lines, by=repair.by, label="line to repair"))


@clause("DL-SM-71.1", "DL-SM-71.2", "DL-SM-76.1")
def remove_damage(tape: Tape, repair: Repair) -> Repair:
    """Take the points off the line, not below 0; each threshold that it falls under undoes a hit of its kind."""
    if not repair.line:
        tape.tell("Nothing is repaired")
        return repair
    line_index, damage = damage_rows.line_at(repair.line), repair.damage
    before = damage.lines[line_index]
    after = max(0, before - repair.points)
    thresholds = thresholds_undone(repair.line, before, after)
    damage = replace(damage, lines=(*damage.lines[:line_index], after, *damage.lines[line_index + 1 :]))
    undone: list[damage_rows.BoxResult] = []
    for hit in reversed(thresholds):
        damage, box_result = undo_result(damage, hit.kind, repair.line, repair.rulings)
        undone += [box_result] if box_result else []
    repair = replace(
        repair, damage=damage, before=before, after=after, undone_hits=thresholds, undone=(*repair.undone, *undone)
    )
    tape.tell(repaired_lines, repair)
    return repair


@clause("DL-SM-71.2")
def undo_result(
    damage: damage_rows.DamageSheet, kind: damage_rows.Kind, line: str, rulings: Rulings = DEFAULT
) -> tuple[damage_rows.DamageSheet, damage_rows.BoxResult | None]:
    """Undo a result of a row: the most recent that came from this line, or else the most recent that damage caused.

    Its box is open again, and what it still did ends: a weapon or the vehicle's mobility is back, a crew recovers.
    """
    box_result = _to_undo(damage.history, kind, line, rulings)
    if box_result is None:
        return damage, None
    history = list(damage.history)
    index = history.index(box_result) if rulings.repair_order == "first_in" else _last_index(history, box_result)
    del history[index]
    boxes = tuple(box for box in damage.ticked_boxes(kind) if box not in box_result.boxes)
    damage = replace(damage, history=tuple(history))
    damage = replace(damage, glancing=boxes) if kind == "G" else replace(damage, penetrating=boxes)
    if box_result.result == "immobilised":
        damage = replace(damage, immobilised=False)
    if box_result.weapon:
        back = max(place for place in damage.destroyed_weapons if damage.weapons[place] == box_result.weapon)
        damage = replace(damage, destroyed_weapons=tuple(place for place in damage.destroyed_weapons if place != back))
    return damage_rows.crew_after_repair(damage), box_result


def _to_undo(
    history: Sequence[damage_rows.BoxResult], kind: damage_rows.Kind, line: str, rulings: Rulings
) -> damage_rows.BoxResult | None:
    by_damage = [box_result for box_result in history if box_result.hit.kind == kind and box_result.hit.line]
    own = [box_result for box_result in by_damage if box_result.hit.line == line] or by_damage
    if not own:
        return None
    return own[0] if rulings.repair_order == "first_in" else own[-1]


def _last_index(history: Sequence[damage_rows.BoxResult], box_result: damage_rows.BoxResult) -> int:
    return len(history) - 1 - list(reversed(history)).index(box_result)


REPAIR = Procedure("repair", (choose_line, remove_damage))


# --- log lines --------------------------------------------------------------------------------------------------------


def repaired_lines(repair: Repair) -> Iterator[Line]:
    """Say what comes off the sheet, and what that undoes."""
    under = " ".join(hit.name for hit in repair.undone_hits)
    text = f"Line {repair.line}: {repair.before} - {repair.points} → {repair.after} DMG"
    yield Line(text + (f", which undoes {under}" if under else ""), ("DL-SM-71.1", "DL-SM-71.2"), result=under)
    for box_result in repair.undone:
        yield Line(f"Undone: {damage_rows.result_text(box_result)}", ("DL-SM-71.2",), result=plain(box_result.result))
