"""The two rows of boxes on a vehicle's sheet: glancing and penetrating hits tick them, and each box has a result.

`DamageSheet` is the sheet of one vehicle: damage on its lines, ticked boxes, what is left of it, and the results in the
order they came, which is what repairs need. `take_hit` is one hit on its row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal, TypeAlias

from battletape.rulebook import Line, Refused, State, Tape, cites, clause, labelled, plain, raise_if_refused, replace
from battletape.rulesets.diceless40k.rulings import DEFAULT, Rulings

Kind: TypeAlias = Literal["G", "P"]
"""A glancing or a penetrating hit; each has its own row."""
Result: TypeAlias = Literal[
    "crew_shaken", "crew_stunned", "weapon_destroyed", "immobilised", "wrecked", "explodes", "none"
]
Row: TypeAlias = tuple[Result, ...]
Fate: TypeAlias = Literal["", "wrecked", "explodes"]

SHAKEN: Final = "crew_shaken"
STUNNED: Final = "crew_stunned"
WEAPON: Final = "weapon_destroyed"
IMMOBILISED: Final = "immobilised"
WRECKED: Final = "wrecked"
EXPLODES: Final = "explodes"
NOTHING: Final = "none"

# The boxes from left to right. The worked example of the rules needs three for a shaken crew on the glancing row, and
# none on the other; the printed sheet names every result once.
ROWS: Mapping[str, Mapping[Kind, Row]] = {
    "text": {
        "G": (SHAKEN, SHAKEN, SHAKEN, STUNNED, WEAPON, IMMOBILISED, WRECKED),
        "P": (STUNNED, WEAPON, IMMOBILISED, WRECKED, EXPLODES),
    },
    "sheet": {
        "G": (SHAKEN, STUNNED, WEAPON, IMMOBILISED, WRECKED),
        "P": (SHAKEN, STUNNED, WEAPON, IMMOBILISED, WRECKED, EXPLODES),
    },
}
cites("DL-60.16", where=f"{__name__}.ROWS")
LINES = "ABCDEF"
NO_LINES = (0,) * len(LINES)


class Hit(State, frozen=True):
    """A hit on a row: the threshold that was reached (none for a hit without damage), and +1 on the damage chart."""

    kind: Kind
    line: str = ""
    at: int = 0
    bonus: int = 0

    @property
    def name(self) -> str:
        """As on the sheet: E15P; of a hit without damage its row, with its number where it has one."""
        return f"{self.line}{self.at or ''}{self.kind}"


class BoxResult(State, frozen=True):
    """The result of one hit: the box that was due, what it became, and the boxes that it ticked."""

    hit: Hit
    result: Result
    due: Result = NOTHING
    boxes: tuple[int, ...] = ()
    weapon: str = ""  # the one that is destroyed
    clause: str = "DL-60.17"
    over: bool = False  # a crew that was shaken or stunned by it has recovered


class DamageSheet(State, frozen=True):
    """A vehicle's sheet."""

    weapons: tuple[str, ...] = ()  # all that it began with
    lines: tuple[int, ...] = NO_LINES
    glancing: tuple[int, ...] = ()  # ticked boxes, from 0 at the left
    penetrating: tuple[int, ...] = ()
    destroyed_weapons: tuple[int, ...] = ()  # weapons destroyed, by their place
    immobilised: bool = False
    shaken: bool = False  # until the end of its next turn
    stunned: bool = False
    destroyed: Fate = ""
    history: tuple[BoxResult, ...] = ()  # results that stand, in the order they came

    @property
    def weapons_left(self) -> tuple[str, ...]:
        """The weapons that still fire."""
        return tuple(weapon for index, weapon in enumerate(self.weapons) if index not in self.destroyed_weapons)

    def ticked_boxes(self, kind: Kind) -> tuple[int, ...]:
        """Return the ticked boxes of a row."""
        return self.glancing if kind == "G" else self.penetrating

    def line(self, name: str) -> int:
        """Return the DMG recorded on a line."""
        return self.lines[line_at(name)]


@clause("DL-60.13", "DL-60.15", "DL-60.16", "DL-70.2", "DL-PREP.7")
def new_sheet(weapons: Sequence[str] = (), open_topped: bool = False, rulings: Rulings = DEFAULT) -> DamageSheet:
    """Return a vehicle's sheet before the game; an open-topped one has its first glancing box ticked."""
    first = (ROWS[rulings.rows]["G"].index(SHAKEN),) if open_topped else ()
    return DamageSheet(weapons=tuple(weapons), glancing=first)


@clause("DL-60.7")
def refuse_line(name: str) -> Refused | None:
    """Refuse a line that no sheet has: there are the lines A to F."""
    if len(name) == 1 and name in LINES:
        return None
    return Refused(f"a vehicle's sheet has the lines A to F; got {name}", "DL-60.7", "line")


def line_at(name: str) -> int:
    """Return the place of a line on the sheet."""
    raise_if_refused(refuse_line(name))
    return LINES.index(name)


# --- one hit ----------------------------------------------------------------------------------------------------------


@clause("DL-60.17", "DL-60.15", "DL-60.18", "DL-60.19", "DL-60.20", "DL-60.21", "DL-60.22", "DL-60.23")
def take_hit(
    tape: Tape, damage: DamageSheet, hit: Hit, by: str, rulings: Rulings = DEFAULT
) -> tuple[DamageSheet, BoxResult]:
    """Tick the box that is due on the hit's row; its result takes effect, changed where the vehicle is past it."""
    row = ROWS[rulings.rows][hit.kind]
    due = box_due(damage, hit, rulings)
    if due is None:
        return _without_box(tape, damage, hit, by, rulings)
    result, clause_id = row[due], "DL-60.18" if hit.bonus else "DL-60.17"
    further = result == IMMOBILISED and takes_weapons(damage, hit.kind, rulings)
    if further and tape.call(choose_further, hit, by) == WEAPON:
        return _apply(tape, damage, BoxResult(hit, WEAPON, IMMOBILISED, clause="DL-60.20"), by)
    became = effective_result(damage, result, rulings)
    boxes: tuple[int, ...] = (due,)
    if result == WEAPON and became == IMMOBILISED and rulings.chain_ticks == "both":
        boxes = tuple(sorted({due, row.index(IMMOBILISED)}))
    if became != result:
        clause_id = "DL-60.21"
    elif result in (WRECKED, EXPLODES) and not hit.bonus:
        clause_id = "DL-60.22" if hit.kind == "G" else "DL-60.23"
    return _apply(tape, damage, BoxResult(hit, became, result, boxes, clause=clause_id), by)


@clause("DL-60.20")
def choose_further(tape: Tape, hit: Hit, by: str) -> Result:
    """Let the attacker immobilise, or destroy a further weapon instead."""
    label = labelled(hit.name, "immobilised or weapon destroyed")
    chosen: Result = tape.choose((IMMOBILISED, WEAPON), by=by, label=label)
    return chosen


@clause("DL-60.17", "DL-60.18", "DL-60.22")
def choose_weapon(tape: Tape, damage: DamageSheet, hit: Hit, by: str) -> str:
    """Let the attacker choose the weapon that is destroyed."""
    options = tuple(dict.fromkeys(damage.weapons_left))
    return str(tape.choose(options, by=by, label=labelled(hit.name, "weapon destroyed")))


@clause("DL-60.17", "DL-60.18", "DL-60.22")
def box_due(damage: DamageSheet, hit: Hit, rulings: Rulings = DEFAULT) -> int | None:
    """Return the first open box of the row, for a +1 hit the second; a glance never takes a wreck before its time."""
    row = ROWS[rulings.rows][hit.kind]
    open_boxes = [box for box in range(len(row)) if box not in damage.ticked_boxes(hit.kind)]
    if not open_boxes:
        return None
    index = 0
    if hit.bonus:
        if len(open_boxes) == 1 and rulings.plus_one_short == "none":
            return None
        index = min(1, len(open_boxes) - 1)
    if row[open_boxes[index]] == WRECKED and hit.kind == "G" and not may_wreck(damage):
        return open_boxes[index - 1] if index else None
    return open_boxes[index]


@clause("DL-60.22")
def may_wreck(damage: DamageSheet) -> bool:
    """Return whether a glancing hit may wreck: all weapons are destroyed, and the vehicle is immobilised."""
    return damage.immobilised and not damage.weapons_left


@clause("DL-60.20")
def takes_weapons(damage: DamageSheet, kind: Kind, rulings: Rulings = DEFAULT) -> bool:
    """Return whether the attacker may destroy a further weapon: the row's weapon box is ticked, and one is left."""
    kinds: tuple[Kind, ...] = ("G", "P") if rulings.weapons_again == "either_row" else (kind,)
    rows = ROWS[rulings.rows]
    return bool(damage.weapons_left) and any(
        rows[kind][box] == WEAPON for kind in kinds for box in damage.ticked_boxes(kind)
    )


@clause("DL-60.21")
def effective_result(damage: DamageSheet, result: Result, rulings: Rulings = DEFAULT) -> Result:
    """Return what a result becomes: without a weapon to destroy it immobilises; immobilised again, a weapon is lost.

    With neither a weapon nor its mobility left a vehicle is wrecked.
    """
    if result == WEAPON and not damage.weapons_left:
        return WRECKED if damage.immobilised else IMMOBILISED
    if result == IMMOBILISED and damage.immobilised:
        if rulings.immobilised_again == "nothing":
            return NOTHING
        return WEAPON if damage.weapons_left else WRECKED
    return result


@clause("DL-60.22", "DL-60.18")
def _without_box(tape: Tape, damage: DamageSheet, hit: Hit, by: str, rulings: Rulings) -> tuple[DamageSheet, BoxResult]:
    """Take a hit that may tick nothing: the last glances destroy what a wreck still has, others do nothing."""
    row, full = ROWS[rulings.rows][hit.kind], damage.ticked_boxes(hit.kind)
    stuck = hit.kind == "G" and not may_wreck(damage) and [box for box in range(len(row)) if box not in full]
    if not stuck or (hit.bonus and len(stuck) == 1 and rulings.plus_one_short == "none"):
        box_result = BoxResult(hit, NOTHING, clause="DL-60.18" if hit.bonus else "DL-60.17")
        tape.tell(box_result_line, box_result)
        return damage, box_result
    return _apply(
        tape, damage, BoxResult(hit, effective_result(damage, WEAPON, rulings), WRECKED, clause="DL-60.22"), by
    )


def _apply(tape: Tape, damage: DamageSheet, box_result: BoxResult, by: str) -> tuple[DamageSheet, BoxResult]:
    """Let a result take effect and write it down."""
    hit, result = box_result.hit, box_result.result
    if result == WEAPON:
        weapon = tape.call(choose_weapon, damage, hit, by)
        lost = next(
            index
            for index, name in enumerate(damage.weapons)
            if name == weapon and index not in damage.destroyed_weapons
        )
        box_result = replace(box_result, weapon=weapon)
        damage = replace(damage, destroyed_weapons=tuple(sorted((*damage.destroyed_weapons, lost))))
    elif result == IMMOBILISED:
        damage = replace(damage, immobilised=True)
    elif result == SHAKEN:
        damage = replace(damage, shaken=True)
    elif result == STUNNED:
        damage = replace(damage, stunned=True)
    elif result != NOTHING:
        damage = replace(damage, destroyed=worse_fate(damage.destroyed, result))
    tape.tell(box_result_line, box_result)
    boxes = tuple(sorted({*damage.ticked_boxes(hit.kind), *box_result.boxes}))
    damage = replace(damage, glancing=boxes) if hit.kind == "G" else replace(damage, penetrating=boxes)
    return replace(damage, history=(*damage.history, box_result)), box_result


@clause("DL-60.23")
def worse_fate(before: Fate, result: Result) -> Fate:
    """Return the worse of two ends: an explosion beats a wreck."""
    return EXPLODES if EXPLODES in (before, result) else WRECKED


# --- hits without damage, and what a sheet allows ---------------------------------------------------------------------


@clause("DL-SM-57.1", "DL-31.1")
def take_glancing_hit(
    tape: Tape, damage: DamageSheet, by: str, rulings: Rulings = DEFAULT
) -> tuple[DamageSheet, BoxResult]:
    """Take a glancing hit without damage: a box is ticked, no line is; a repair never undoes it.

    A machine curse does this, and a gets hot! token on a vehicle's weapon where the players allow it.
    """
    return take_hit(tape, damage, Hit("G"), by, rulings)


@clause("DL-60.23")
def refuse_target(damage: DamageSheet) -> Refused | None:
    """Refuse to attack a wreck."""
    if not damage.destroyed:
        return None
    what = "it has exploded" if damage.destroyed == EXPLODES else "it is a wreck"
    return Refused(f"this vehicle is no target any more: {what}", "DL-60.23", "destroyed")


@clause("DL-60.17")
def refuse_weapon(damage: DamageSheet, weapon: str) -> Refused | None:
    """Refuse a vehicle's weapon that is destroyed, or whose crew is shaken or stunned."""
    if damage.destroyed:
        return Refused("a wreck fires nothing", "DL-60.17", "destroyed")
    if weapon not in damage.weapons_left:
        what = f"the {weapon} is destroyed" if weapon in damage.weapons else f"it has no {weapon}"
        left = ", ".join(dict.fromkeys(damage.weapons_left)) or "nothing"
        return Refused(f"{what}; this vehicle may fire {left}", "DL-60.17", "weapon")
    if damage.stunned or damage.shaken:
        return Refused(f"a {'stunned' if damage.stunned else 'shaken'} crew fires nothing", "DL-60.17", "crew")
    return None


@clause("DL-60.17")
def refuse_drive(damage: DamageSheet) -> Refused | None:
    """Refuse to move a vehicle that is wrecked or immobilised, or whose crew is stunned."""
    if damage.destroyed:
        return Refused("a wreck does not move", "DL-60.17", "destroyed")
    if damage.immobilised:
        return Refused("an immobilised vehicle does not move", "DL-60.17", "immobilised")
    return Refused("a stunned crew does not move", "DL-60.17", "crew") if damage.stunned else None


@clause("DL-60.17", "DL-0.1")
def result_in_squadron(result: Result) -> Result:
    """Return a result in a squadron that goes on: stunned is shaken, and immobilised is wrecked."""
    return SHAKEN if result == STUNNED else WRECKED if result == IMMOBILISED else result


@clause("DL-60.17", "DL-0.1")
def apply_squadron_rule(damage: DamageSheet) -> DamageSheet:
    """Return the sheet of a vehicle whose squadron goes on: a stunned crew is shaken, an immobilised one is lost."""
    damage = replace(damage, stunned=False, shaken=True) if damage.stunned else damage
    return replace(damage, destroyed=damage.destroyed or WRECKED) if damage.immobilised else damage


@clause("DL-60.17", "DL-60.19")
def recover_crew(damage: DamageSheet, shaken: bool = True, stunned: bool = True) -> DamageSheet:
    """Return the sheet after the crew recovers at the end of its turn; the boxes stay ticked."""
    if not (damage.shaken and shaken) and not (damage.stunned and stunned):
        return damage
    ended = {SHAKEN} if shaken else set()
    ended |= {STUNNED} if stunned or (shaken and not damage.stunned) else set()  # in a squadron it was shaken only
    history = tuple(
        replace(box_result, over=box_result.over or box_result.result in ended) for box_result in damage.history
    )
    return replace(damage, shaken=damage.shaken and not shaken, stunned=damage.stunned and not stunned, history=history)


@clause("DL-SM-71.2", "DL-60.17")
def crew_after_repair(damage: DamageSheet) -> DamageSheet:
    """Return the sheet once a result is undone: the crew stays shaken or stunned only by another that still lasts."""
    running = {box_result.result for box_result in damage.history if not box_result.over}
    shakes = {SHAKEN} if damage.stunned else {SHAKEN, STUNNED}  # in a squadron a stunned crew is shaken
    return replace(
        damage, shaken=damage.shaken and bool(running & shakes), stunned=damage.stunned and STUNNED in running
    )


# --- log lines --------------------------------------------------------------------------------------------------------


def lines_text(lines: Sequence[int]) -> str:
    """Say the DMG on the lines of a sheet: A36 B12."""
    return " ".join(f"{line}{dmg}" for line, dmg in zip(LINES, lines, strict=True) if dmg)


def box_result_line(box_result: BoxResult) -> Line:
    """Say what one hit did."""
    row = "Glancing" if box_result.hit.kind == "G" else "Penetrating"
    text = f"{row} hit{f' {box_result.hit.name}' if box_result.hit.line else ''}: {result_text(box_result)}"
    return Line(text, (box_result.clause,), result=plain(box_result.result))


def result_text(box_result: BoxResult) -> str:
    """Say a result in words, with the weapon that is gone."""
    if box_result.result == "none":
        return "nothing more, though its box is ticked" if box_result.boxes else "nothing, for no box is left"
    return plain(box_result.result) + (f" ({box_result.weapon})" if box_result.weapon else "")
