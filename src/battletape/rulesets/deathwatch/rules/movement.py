"""Movement: how metres moves, charges and runs go, and leaving a melee."""

from __future__ import annotations

from fractions import Fraction
from math import ceil
from typing import Literal, TypeAlias

from battletape.rulebook import Refused, clause
from battletape.rulesets.deathwatch.rules.attack.modifiers import Situation, attack_modifiers
from battletape.rulesets.deathwatch.rules.d100_tests import target
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings
from battletape.rulesets.deathwatch.tables.sheet import LEAST_CHARGE, MOVEMENT, SIZES, Moves, find_name

Gait: TypeAlias = Literal["half", "full", "charge", "run"]
GAITS: tuple[Gait, ...] = ("half", "full", "charge", "run")
TITLES = {"half": "half move", "full": "full move", "charge": "charge", "run": "run"}
CLAUSES = {"half": "DW-ACT-MOVE", "full": "DW-ACT-MOVE", "charge": "DW-ACT-CHARGE", "run": "DW-ACT-RUN"}
MANOEUVRED = 1
"""Metres an enemy is pushed by a manoeuvre that is won."""


@clause("DW-MOVE-1")
def moves(ab: int, size: str = "Average", halved: bool = False, less: int = 0) -> Moves:
    """Return the metres of each gait, by Agility bonus and size; wounds halve them, haywire fields take some.

    Beyond the table it goes on as its rows do.
    """
    base = max(0, ab + SIZES[find_name("size", size, SIZES)][1] - less)
    whole = MOVEMENT.get(base) or Moves(Fraction(base), 2 * base, 3 * base, 6 * base)
    if not halved:
        return whole
    return Moves(whole.half / 2, *(ceil(Fraction(metres, 2)) for metres in whole[1:]))


@clause("DW-ACT-MOVE", "DW-ACT-RUN")
def refuse_move(metres: float, gait: Gait, reach: Moves) -> Refused | None:
    """Refuse a move farther than this gait goes."""
    most: Fraction | int = getattr(reach, gait)
    if metres > most:
        enough = next((TITLES[gait] for gait in GAITS if gait != "charge" and getattr(reach, gait) >= metres), "")
        would = f"; a {enough} would do" if enough else ""
        reason = f"a {TITLES[gait]} reaches {float(most):g} m, not {metres:g} m{would}"
        return Refused(reason, CLAUSES[gait], "distance")
    return None


@clause("DW-ACT-CHARGE")
def refuse_charge(metres: float, reach: Moves) -> Refused | None:
    """Refuse a charge of less than four metres, or of more than the charge distance."""
    if reach.charge < LEAST_CHARGE:
        reason = f"a charge must be at least {LEAST_CHARGE} m, and this one reaches only {reach.charge} m"
        return Refused(reason, "DW-ACT-CHARGE", "distance")
    if metres < LEAST_CHARGE:
        return Refused(f"a charge must be at least {LEAST_CHARGE} m, got {metres:g} m", "DW-ACT-CHARGE", "distance")
    return refuse_move(metres, "charge", reach)


@clause("DW-ACT-CHARGE")
def charge_target(ws: int, rulings: Rulings = DEFAULT) -> int:
    """Return the target number of the attack at the end of a charge."""
    return target(ws, attack_modifiers(Situation(action="charge"), melee=True, rulings=rulings), rulings)


@clause("DW-ACT-TACTICAL-ADVANCE")
def refuse_advance(metres: float, reach: Moves, leaves_cover: bool, reaches_cover: bool) -> Refused | None:
    """Refuse an advance that is too metres, or does not go from cover to cover."""
    if not (leaves_cover and reaches_cover):
        missing = "starts in" if not leaves_cover else "ends in"
        reason = f"a tactical advance goes from one cover to another; this one {missing} the open"
        return Refused(reason, "DW-ACT-TACTICAL-ADVANCE", "cover")
    if metres > reach.full:
        reason = f"a tactical advance reaches a full move of {reach.full} m, not {metres:g} m"
        return Refused(reason, "DW-ACT-TACTICAL-ADVANCE", "distance")
    return None


@clause("DW-ACT-DISENGAGE")
def refuse_disengage(metres: float, reach: Moves, engaged: bool) -> Refused | None:
    """Refuse to disengage outside a melee, or farther than a half move."""
    if not engaged:
        return Refused("no enemy is in melee with it; a plain move would do", "DW-ACT-DISENGAGE", "engaged")
    if metres > reach.half:
        reason = f"disengaging is a half move of {float(reach.half):g} m, not {metres:g} m"
        return Refused(reason, "DW-ACT-DISENGAGE", "distance")
    return None


@clause("DW-MOVE-1")
def turns(distance: float, metres: Fraction | int) -> int:
    """Return turns until a distance is covered at so many metres each."""
    return ceil(Fraction(str(distance)) / metres)
