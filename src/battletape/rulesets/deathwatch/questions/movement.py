"""The question movement: how far a character goes, in how many turns, and whether a charge gets there."""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter

from battletape.cards import Answer, Inputs, Lead, Line, Measure, Question, Table, asked, percent
from battletape.rulebook import Procedure, Refused, State, Tape, capital, clause, plural
from battletape.rulesets.deathwatch.rules import d100_tests, movement, traits
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings
from battletape.rulesets.deathwatch.tables.sheet import MOVEMENT, SIZES, Moves
from battletape.rulesets.deathwatch.words import metres


class MovementInputs(Inputs, frozen=True):
    """A character that moves, and the distance."""

    agility: int = asked(40, "Agility", "DW-MOVE-1", group="attacker", ge=0, le=150)
    agility_bonus: int | None = asked(
        None, "Agility bonus", "DW-MOVE-1", about="the tens of Agility if left out", group="attacker", ge=0, le=20
    )
    size: traits.Size = asked("Average", "Size", "DW-MOVE-1", group="attacker")
    halved: bool = asked(False, "Movement halved by a wound", "DW-CRIT-2", group="attacker")
    distance: float = asked(0.0, "Distance to go", "DW-MOVE-1", group="circumstances", unit="metres", ge=0, le=100_000)
    ws: int = asked(40, "Weapon Skill of a charge", "DW-ACT-CHARGE", group="attacker", ge=0, le=150)


class MovementState(State, frozen=True):
    """A character that moves, and how far each gait goes by the table."""

    size: traits.Size
    reach: Moves  # metres of each gait
    distance: float
    charge_target: int  # what the attack at the end of a charge must roll or less
    rulings: Rulings

    @property
    def refused(self) -> Refused | None:
        """The refusal to charge this distance, if it is refused."""
        return movement.refuse_charge(self.distance, self.reach)

    def turns(self, gait: str) -> int:
        """Return the turns for the distance at this gait."""
        return movement.turns(self.distance, getattr(self.reach, gait))


def begin_movement(inputs: MovementInputs, rulings: Rulings = DEFAULT) -> MovementState:
    """Return a character about to move."""
    ab = d100_tests.bonus(inputs.agility) if inputs.agility_bonus is None else inputs.agility_bonus
    reach = movement.moves(ab, inputs.size, inputs.halved)
    return MovementState(inputs.size, reach, inputs.distance, movement.charge_target(inputs.ws, rulings), rulings)


@clause("DW-MOVE-1", "DW-ACT-MOVE", "DW-ACT-RUN", "DW-ACT-CHARGE")
def look_up(tape: Tape, going: MovementState) -> MovementState:
    """Find the row of the movement table; no dice."""
    tape.tell(gait_lines, going)
    return going


def movement_headline(answer: Answer) -> str:
    """Say all four gaits, and how long a distance takes."""
    going: MovementState = answer.start
    far = ", ".join(f"{gait} {metres(getattr(going.reach, gait))}" for gait in movement.GAITS).capitalize()
    if not going.distance:
        return f"{far}."
    charge = (
        "no charge"
        if going.refused
        else f"a charge hits {percent(d100_tests.chance(going.charge_target, going.rulings))}"
    )
    walks = f"{plural(going.turns('full'), 'turn')} at a full move, {plural(going.turns('run'), 'turn')} at a run"
    return f"{far}. {metres(going.distance)}: {walks}; {charge}."


def gait_lines(going: MovementState) -> Iterator[Line]:
    """Say how far each gait goes, and the turns that a distance takes."""
    by_size = SIZES[going.size][1]
    if by_size:
        yield Line(f"{going.size}: Agility bonus {by_size:+d} for movement", ("DW-MOVE-1",))
    for gait in movement.GAITS:
        far = getattr(going.reach, gait)
        text = f"{capital(movement.TITLES[gait])}: {metres(far)}"
        if going.distance and gait != "charge":
            text += f", {plural(going.turns(gait), 'turn')}"
        yield Line(text, (movement.CLAUSES[gait],), result=f"{float(far):g}")
    if going.distance:
        refused = going.refused
        text = f"No charge: {refused.reason}" if refused else f"A charge strikes at {going.charge_target} or less"
        yield Line(text, ("DW-ACT-CHARGE",), result="" if refused else str(going.charge_target))


def movement_table(inputs: MovementInputs, rulings: Rulings) -> Table:
    """Return the printed table, with the row that answers."""
    rows = tuple((str(ab), *(f"{float(metres):g}" for metres in moves)) for ab, moves in MOVEMENT.items())
    reach = begin_movement(inputs, rulings).reach
    at = next((row for row, moves in enumerate(MOVEMENT.values()) if moves == reach), None)
    mark = None if at is None or inputs.halved else (at, 0)
    return Table("Metres a round by Agility bonus", ("AB", *movement.GAITS), rows, "DW-MOVE-1", mark)


MOVE = Question(
    "movement",
    "How far does somebody get?",
    MovementInputs,
    begin_movement,
    Procedure("movement", (look_up,)),
    (
        *(
            Measure(gait, capital(movement.TITLES[gait]), attrgetter(f"reach.{gait}"), "metres")
            for gait in movement.GAITS
        ),
        Measure("turns", "Turns at a full move", lambda going: going.turns("full"), "turns"),
        Measure("turns_running", "Turns at a run", lambda going: going.turns("run"), "turns"),
        Measure("may_charge", "May charge over the distance", lambda going: int(going.refused is None)),
    ),
    movement_headline,
    table=movement_table,
    example={"agility": 45, "distance": 20},
    rulings=("modifier_cap", "auto_results"),
    lead=(
        Lead("turns", "turns at a full move", when=lambda answer: answer.start.distance > 0),
        Lead("full", "metres at a full move"),
    ),
)
