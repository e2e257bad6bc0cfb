"""The question `move`: how far a unit may go, through terrain too."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal

from battletape.cards import Inputs, Lead, Line, Measure, Question, asked
from battletape.rulebook import Caution, Procedure, State, Tape, clause, inches, replace
from battletape.rulesets.diceless40k.profiles.types import UnitType
from battletape.rulesets.diceless40k.rules import movement
from battletape.rulesets.diceless40k.rules.close_combat import consolidation, hit_and_run_inches
from battletape.rulesets.diceless40k.rules.morale import fall_back_inches
from battletape.rulesets.diceless40k.rules.space_marines import tremor_inches
from battletape.rulesets.diceless40k.rulings import Rulings

if TYPE_CHECKING:
    from battletape.answer import Answer

Kind = Literal["move", "assault", "turbo_boost", "run", "fall_back", "consolidate", "hit_and_run"]
CLAUSES: dict[Kind, str] = {
    "move": "DL-0.1",
    "assault": "DL-0.1",
    "turbo_boost": "DL-0.1",
    "run": "DL-16.1",
    "fall_back": "DL-45.1",
    "consolidate": "DL-40.2",
    "hit_and_run": "DL-75.2",
}
MOVES: dict[Kind, movement.Move] = {"move": "move", "assault": "assault", "turbo_boost": "turbo_boost"}


class Piece(Inputs, frozen=True):
    """A piece of a way: on which ground, and how long."""

    ground: movement.Ground = "open"
    inches: float = asked(1.0, ge=0, le=240)


class MoveInputs(Inputs, frozen=True):
    """A unit that moves."""

    type: UnitType = asked("infantry", "Unit type", "DL-0.1", group="attacker")
    kind: Kind = asked("move", "What it does", "DL-14.1", group="attacker")
    allowed: float | None = asked(
        None, "Inches it may move, if not by its type", "DL-0.1", group="attacker", unit="inches", ge=0, le=240
    )
    shaken_ground: bool = asked(False, "A subterranean blast has hit it", "DL-SM-73.1", group="circumstances")
    through_cover: bool = asked(False, "It moves through cover", "DL-75.3", group="attacker")
    open_first: float = asked(
        3.0, "Inches to difficult terrain", "DL-14.1", group="circumstances", unit="inches", ge=0, le=240
    )
    path: tuple[Piece, ...] = asked(
        (), "Or its whole way, piece by piece", "DL-14.1", group="circumstances", short="piece"
    )


class UnitMove(State, frozen=True):
    """A move: what it may, what it costs, and whether it is allowed."""

    inputs: MoveInputs
    rulings: Rulings
    inches: float = 0
    in_terrain: float = 0
    cost: float = 0
    refused: str = ""


@clause("DL-14.1")
def begin_move(inputs: MoveInputs, rulings: Rulings) -> UnitMove:
    """Return the unit before it moves."""
    return UnitMove(inputs, rulings)


@clause("DL-0.1", "DL-16.1", "DL-40.2", "DL-45.1", "DL-75.2", "DL-SM-73.1")
def find_inches(tape: Tape, move: UnitMove) -> UnitMove:
    """Find how far a unit may go at all."""
    given = move.inputs
    less = tremor_inches() if given.shaken_ground and given.kind in MOVES else 0
    most = _most_inches(given, less)
    clauses = (CLAUSES[given.kind], *(("DL-SM-73.1",) if less else ()))
    text = f"It may go {inches(most)}{f', less {less} on shaken ground' if less else ''}"
    tape.tell(Line, text, clauses, result=inches(most))
    return replace(move, inches=most)


def _most_inches(given: MoveInputs, less: int) -> float:
    if given.kind in MOVES:
        if given.allowed is not None:
            return max(0, given.allowed - less)
        return movement.allowance(given.type, MOVES[given.kind], less)
    if given.kind == "fall_back":
        return fall_back_inches(given.type)
    fixed = {"run": movement.run_distance, "consolidate": consolidation, "hit_and_run": hit_and_run_inches}
    return fixed[given.kind]()


@clause("DL-14.1", "DL-75.3")
def cross_terrain(tape: Tape, move: UnitMove) -> UnitMove:
    """Find what difficult terrain leaves of the inches; it slows only moves and charges, and not every type of unit."""
    given, slowed = move.inputs, move.inputs.kind in MOVES and movement.is_slowed(move.inputs.type)
    if not given.path:
        first = min(given.open_first, move.inches)
        rest = movement.inches_in_terrain(move.inches, first, given.through_cover) if slowed else move.inches - first
        text = f"After {inches(first)} in the open {inches(rest)} in terrain"
        tape.tell(Line, text, ("DL-75.3" if given.through_cover else "DL-14.1",), result=inches(rest))
        return replace(move, in_terrain=rest)
    way = [(piece.ground, piece.inches) for piece in given.path]
    refused = movement.refuse_path(way, move.inches, slowed, given.through_cover, move.rulings)
    cost = (
        movement.cost_of(way, move.rulings)
        if slowed and not given.through_cover
        else sum(piece.inches for piece in given.path)
    )
    inside = sum(piece.inches for piece in given.path if piece.ground == "difficult")
    reason = "" if refused is None else refused.reason
    text = "The way costs {} of {}: {}"
    tape.tell(text, inches(cost), inches(move.inches), reason or "allowed", clause="DL-14.1")
    return replace(move, in_terrain=inside, cost=cost, refused=reason)


def total(move: UnitMove) -> float:
    """Return the inches of the whole way: to the terrain and in it, or along the path."""
    if move.inputs.path:
        return sum(piece.inches for piece in move.inputs.path)
    return min(move.inputs.open_first, move.inches) + move.in_terrain


def move_headline(answer: Answer) -> str:
    """Say how far a unit may go, and how far in terrain."""
    (move,) = answer.states.weights
    if move.refused:
        return f"That is too far: {move.refused}."
    if move.inputs.path:
        return f"It may go this way: it costs {inches(move.cost)} of {inches(move.inches)}."
    first = min(move.inputs.open_first, move.inches)
    return f"It may go {inches(move.inches)}: {inches(first)} in the open, then {inches(move.in_terrain)} in terrain."


def warn_move(inputs: MoveInputs, rulings: Rulings) -> Iterable[str | Caution]:
    """Warn of what changes nothing."""
    if inputs.kind in MOVES and not movement.is_slowed(inputs.type):
        yield Caution("Difficult terrain does not slow it; it may be dangerous instead", "DL-14.2")


MOVE = Question(
    "move",
    "How far may a unit move?",
    MoveInputs,
    begin_move,
    Procedure("move", (find_inches, cross_terrain)),
    (
        Measure("inches", "Inches it may go", lambda move: move.inches, "inches"),
        Measure("terrain_inches", "Inches in difficult terrain", lambda move: move.in_terrain, "inches"),
        Measure("total_inches", "Inches of the whole way", total, "inches"),
        Measure(
            "cost",
            "Inches that the way costs",
            lambda move: move.cost,
            "inches",
            usual=lambda move: bool(move.inputs.path),
        ),
        Measure(
            "legal",
            "The way is allowed",
            lambda move: int(not move.refused),
            usual=lambda move: bool(move.inputs.path),
        ),
    ),
    move_headline,
    warn=warn_move,
    example={"open_first": 2},
    small={"open_first": 3},
    rulings=("terrain_cost",),
    lead=(Lead("inches", "inches it may go"),),
)
