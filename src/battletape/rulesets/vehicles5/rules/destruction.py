"""The end of a vehicle: the models that an explosion kills, and how passengers leave a wreck."""

from __future__ import annotations

from battletape.rulebook import D6, Line, Procedure, State, Tape, capital, clause, plural, replace
from battletape.rulesets.vehicles5.rules.troops import Loss, ModelGroup, roll_losses, roll_pinning
from battletape.rulesets.vehicles5.rulings import DEFAULT, Rulings
from battletape.table import points

NEARBY_STRENGTH = 3  # strength of the hits on models around it
PASSENGER_STRENGTH = 4  # on passengers
OPEN_TOPPED_STRENGTH = 3  # on passengers of an open-topped vehicle
PASSENGERS = "passengers"
"""The name of passengers in a sentence, where they have none."""


class NearbyModels(State, frozen=True):
    """Models around a vehicle, and how far each of them is from its hull."""

    group: ModelGroup
    gaps: tuple[float, ...]
    wounds_lost: int = 0  # wounds that the first of them has lost

    @clause("V5-DMG-6")
    def models_within(self, radius: int) -> tuple[int, ...]:
        """Return the models that an explosion of this radius reaches."""
        return tuple(index for index, gap in enumerate(self.gaps) if gap <= radius + points.TOLERANCE)


class Explosion(State, frozen=True):
    """The state of an explosion, or of a wreck that is left."""

    groups: tuple[NearbyModels, ...] = ()
    passengers: ModelGroup | None = None
    strength: int = PASSENGER_STRENGTH  # of the hits on passengers
    ld: int | None = None  # of the passengers; None: no pinning
    passenger_wounds_lost: int | None = None  # wounds that the first of them has lost, if asked for
    radius: int = 0
    models_hit: int = 0
    nearby_lost: int = 0  # of those nearby
    losses: tuple[Loss, ...] | None = None  # of each group, if asked for
    passengers_lost: int = 0
    pinned: bool = False
    emergency: bool = False  # out of a wreck otherwise than by its doors
    room_at_access: int = 0  # models that find a place at the doors of a wreck
    room_within: int = 0  # and within 2 inches of its hull
    wrecked: bool = False  # it does not explode
    rulings: Rulings = DEFAULT


@clause("V5-OPEN-4", "V5-DMG-6")
def strength_inside(open_topped: bool) -> int:
    """Return the strength of the hits on passengers."""
    return OPEN_TOPPED_STRENGTH if open_topped else PASSENGER_STRENGTH


@clause("V5-DMG-6")
def roll_radius(tape: Tape, explosion: Explosion) -> Explosion:
    """Roll how many inches from the hull the explosion reaches, and count the models in reach."""
    radius = int(tape.roll(D6, label="radius of the explosion"))
    reached = sum(len(group.models_within(radius)) for group in explosion.groups)
    tape.tell("The explosion reaches {} inches; models nearby that are hit: {}", radius, reached, clause="V5-DMG-6")
    return replace(explosion, radius=radius, models_hit=reached)


@clause("V5-DMG-6")
def hit_bystanders(tape: Tape, explosion: Explosion) -> Explosion:
    """Hit every model in reach once, friend or foe."""
    in_reach = ((group, len(group.models_within(explosion.radius))) for group in explosion.groups)
    hit_groups = tuple((replace(group.group, models=count), group.wounds_lost) for group, count in in_reach)
    return tape.each(_add_losses, explosion, hit_groups)


@clause("V5-DMG-6")
def _add_losses(tape: Tape, explosion: Explosion, hit_group: tuple[ModelGroup, int]) -> Explosion:
    group, wounds_lost = hit_group
    loss: Loss = (
        tape.call(hit_each_model, group, NEARBY_STRENGTH, wounds_lost)
        if group.models
        else Loss(wounds_on_next=wounds_lost)
    )
    if group.models:
        tape.tell(nearby_losses_line, group.name, loss.models, group.models, clause="V5-DMG-6")
    losses = None if explosion.losses is None else (*explosion.losses, loss)
    return replace(explosion, nearby_lost=explosion.nearby_lost + loss.models, losses=losses)


@clause("V5-DMG-6", "V5-OPEN-4")
def hit_each_model(tape: Tape, group: ModelGroup, strength: int, wounds_lost: int = 0) -> Loss:
    """Hit each of these models once, without AP."""
    return roll_losses(tape, group.models, strength, group, "-", wounds_lost)


@clause("V5-DMG-6", "V5-OPEN-4")
def hit_passengers(tape: Tape, explosion: Explosion) -> Explosion:
    """Hit each passenger once."""
    passengers = explosion.passengers
    if passengers is None or not passengers.models:
        return explosion
    loss: Loss = tape.call(hit_each_model, passengers, explosion.strength, explosion.passenger_wounds_lost or 0)
    tape.tell(passenger_losses_line, passengers.name, loss.models, passengers.models, clause="V5-DMG-6")
    wounds_lost = None if explosion.passenger_wounds_lost is None else loss.wounds_on_next
    return replace(explosion, passengers_lost=loss.models, passenger_wounds_lost=wounds_lost)


@clause("V5-DMG-6", "V5-DMG-5", "V5-CORE-6")
def test_pinning(tape: Tape, explosion: Explosion) -> Explosion:
    """Test the surviving passengers for pinning."""
    passengers = explosion.passengers
    if passengers is None or explosion.ld is None or explosion.passengers_lost >= passengers.models:
        return explosion
    return replace(explosion, pinned=tape.call(roll_pinning, explosion.ld, "", passengers.name))


@clause("V5-DMG-5", "V5-TRAN-7")
def wreck_exit(passengers: int, room_at_access: int, room_within: int, rulings: Rulings = DEFAULT) -> tuple[int, bool]:
    """Return how many passengers get out of a wreck, and whether in an emergency."""
    emergency = room_at_access < passengers
    out = min(passengers, max(room_at_access, room_within)) if emergency else passengers
    if out < passengers and rulings.no_room_in_a_wreck == "unit_lost":
        out = 0
    return out, emergency


@clause("V5-DMG-5", "V5-TRAN-7")
def leave_wreck(tape: Tape, explosion: Explosion) -> Explosion:
    """Let passengers leave a wreck; those without room are lost."""
    passengers = explosion.passengers
    if passengers is None:
        return explosion
    out, emergency = wreck_exit(passengers.models, explosion.room_at_access, explosion.room_within, explosion.rulings)
    tape.tell(passenger_losses_line, passengers.name, passengers.models - out, passengers.models, clause="V5-DMG-5")
    return replace(explosion, passengers_lost=passengers.models - out, emergency=emergency)


STAGES_NEARBY = (roll_radius, hit_bystanders)
STAGES_INSIDE = (hit_passengers, test_pinning)
EXPLOSION = Procedure("explosion", (*STAGES_NEARBY, *STAGES_INSIDE))
WRECK = Procedure("wreck", (leave_wreck, test_pinning))


def destruction_procedure(explosion: Explosion) -> Procedure:
    """Return the stages of an explosion, or of leaving a wreck."""
    return WRECK if explosion.wrecked else EXPLOSION


# --- what is told ---------------------------------------------------------------------------------------------------


def nearby_losses_line(name: str, lost: int, hit: int) -> Line:
    """Say how many models of a unit nearby fall."""
    return Line(f"{capital(name)}: {lost} of {plural(hit, 'model')} hit {_fall(lost)}", result=str(lost))


def passenger_losses_line(name: str, lost: int, passengers: int) -> Line:
    """Say how many passengers are lost."""
    subject = "Passengers lost" if name == PASSENGERS else f"{capital(name)}: passengers lost"
    return Line(f"{subject}: {lost} of {passengers}", result=str(lost))


def _fall(lost: int) -> str:
    return "falls" if lost == 1 else "fall"
