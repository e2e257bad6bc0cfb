"""The question line_of_fire: which side each firer sees, whether there is cover, and which weapons bear; no dice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from battletape.cards import Answer, Inputs, Lead, Line, Measure, ProfileBook, Question, asked, fill_from
from battletape.rulebook import BadInput, Meta, Procedure, State, Tape, capital, clause, listed, plural, replace
from battletape.rulesets.vehicles5.profiles.book import label_of
from battletape.rulesets.vehicles5.profiles.types import Degrees, Fitting, Mount, Size, Stand, VehicleProfile
from battletape.rulesets.vehicles5.rules import geometry, shooting
from battletape.rulesets.vehicles5.rulings import Rulings
from battletape.table.facings import Facing

Bearing = Annotated[float, Meta(ge=-360, le=360, extra={"unit": "degrees"})]
SIDES: tuple[Facing, ...] = ("front", "side", "rear")


class Firer(Inputs, frozen=True):
    """A model or vehicle that shoots at the vehicle."""

    bearing: Bearing = asked(0.0, "Its bearing from the vehicle", "V5-SHOT-4", group="attacker")
    hidden: float = asked(0.0, "Part of that side hidden from it, 0 to 1", "V5-SHOT-2", group="attacker", ge=0, le=1)
    sees: geometry.Part = asked("hull", "What it sees of the vehicle", "V5-SHOT-1", group="attacker")


class Mounting(Inputs, frozen=True):
    """A weapon of the vehicle that shoots, and how it can point."""

    name: str = asked("", "What it is called", group="weapon")
    mount: Mount = asked("turret", "Mount", "V5-LOS-2", group="weapon")
    on: Stand | None = asked(None, "What a pintle stands on", "V5-LOS-5", group="weapon")
    direction: Degrees = asked(0, "Where it points, off dead ahead", "V5-LOS-3", group="weapon")
    arc: tuple[Degrees, ...] = asked((), "Its arc, from and to", "V5-LOS-4", group="weapon")


class LineOfFireInputs(Inputs, frozen=True):
    """A vehicle that is shot at, and one that shoots back."""

    target: str = asked("", "Profile of the vehicle shot at", group="target", profile="vehicle")
    length: Size = asked(4.0, "Length of its hull, if its corners count", "V5-SHOT-4", group="target")
    width: Size = asked(3.0, "Width of its hull", "V5-SHOT-4", group="target")
    heading: Bearing = asked(0.0, "Its heading, where bearings are compass bearings", "V5-WALK-17", group="target")
    firers: tuple[Firer, ...] = asked((Firer(),), "Who shoots at it", "V5-SHOT-5", group="attacker", short="shooter")
    vehicle: str = asked("", "Profile of a vehicle that shoots", group="weapon", profile="vehicle")
    guns: tuple[Mounting, ...] = asked((Mounting(),), "Its weapons", "V5-LOS-1", group="weapon", short="weapon")
    aim_bearing: Bearing = asked(0.0, "Bearing of its target, off dead ahead", "V5-LOS-1", group="weapon")
    elevation: float = asked(0.0, "How much higher that is", "V5-LOS-6", group="weapon", unit="degrees", ge=-90, le=90)


class Lines(State, frozen=True):
    """The state of the question."""

    inputs: LineOfFireInputs
    rulings: Rulings
    seeing: tuple[Firer, ...] = ()
    groups: tuple[int, ...] = (0, 0, 0)  # firers at the front, the sides and the rear
    cover: bool = False
    bears: tuple[str, ...] = ()


def begin_line_of_fire(inputs: LineOfFireInputs, rulings: Rulings) -> Lines:
    for gun in inputs.guns:
        if len(gun.arc) not in (0, 2):
            raise BadInput.of("arc", f"must be two bearings, from and to; got {len(gun.arc)}.", clause="V5-LOS-4")
    return Lines(inputs, rulings)


@clause("V5-SHOT-1", "V5-SHOT-2")
def find_seeing_firers(tape: Tape, lines: Lines) -> Lines:
    """Find the firers that see the vehicle, and whether it has cover from them."""
    seeing = tuple(firer for firer in lines.inputs.firers if geometry.counts_as_seen(firer.sees))
    cover = geometry.claims_cover([firer.hidden for firer in seeing], lines.rulings)
    tape.tell(what_is_seen, len(lines.inputs.firers) - len(seeing), cover)
    return replace(lines, seeing=seeing, cover=cover)


@clause("V5-SHOT-5", "V5-SHOT-4", "V5-WALK-17")
def find_facings(tape: Tape, lines: Lines) -> Lines:
    """Find the facing that each firer shoots at; no dice."""
    inputs, bearings = lines.inputs, [firer.bearing for firer in lines.seeing]
    groups = shooting.facing_groups(bearings, lines.rulings, inputs.length, inputs.width, inputs.heading)
    found = replace(lines, groups=tuple(len(groups[side]) for side in SIDES))
    tape.tell(capital(_firers_by_facing(found)), clause=("V5-SHOT-5", "V5-SHOT-4"))
    return found


@clause("V5-LOS-1", "V5-LOS-6")
def find_bearing_weapons(tape: Tape, lines: Lines) -> Lines:
    """Find the weapons of the other vehicle that can point at its target."""
    inputs = lines.inputs
    fittings = [
        Fitting(label=gun.name or f"gun {number}", mount=gun.mount, on=gun.on, direction=gun.direction, arc=gun.arc)
        for number, gun in enumerate(inputs.guns, 1)
    ]
    bears = geometry.weapons_bearing(fittings, inputs.aim_bearing, inputs.elevation, lines.rulings)
    pointed = replace(lines, bears=bears)
    tape.tell(what_bears, _bearing_weapons(pointed))
    return pointed


def what_is_seen(blind: int, cover: bool) -> Iterator[Line]:
    """Say how many firers do not see the vehicle, and whether it has cover from the others."""
    if blind:
        yield Line(f"{plural(blind, 'firer')} without a line to hull or turret", ("V5-SHOT-1",), result="unseen")
    hidden = "half of it or more is hidden from most firers" if cover else "not enough of it is hidden"
    yield Line(f"Cover: {hidden}", ("V5-SHOT-2",), result="yes" if cover else "no")


def what_bears(weapons: str) -> Line:
    """Name the weapons that bear."""
    return Line(f"Weapons that bear: {weapons}", result=weapons)


def fill_line_of_fire(given: Mapping[str, Any], profiles: ProfileBook) -> dict[str, Any]:

    def guns(vehicle: VehicleProfile) -> list[dict[str, Any]]:
        keys = ("mount", "on", "direction", "arc")
        return [{"name": label_of(gun), **{key: getattr(gun, key) for key in keys}} for gun in vehicle.mounts]

    filled = fill_from(given, "vehicle", profiles, "length", "width", key="target")
    return fill_from(filled, "vehicle", profiles, guns=guns)


def _bearing_weapons(lines: Lines) -> str:
    return ", ".join(lines.bears) or "none"


def _firers_by_facing(lines: Lines) -> str:
    groups = [
        f"{plural(count, 'firer')} at its {side}" for count, side in zip(lines.groups, SIDES, strict=True) if count
    ]
    return listed(groups) or "no unit sees it"


def line_of_fire_headline(answer: Answer) -> str:
    (lines,) = answer.states.fractions()
    cover = "cover helps it" if lines.cover else "no cover"
    return (
        f"{capital(_firers_by_facing(lines))}; {cover}; weapons that bear on their target: {_bearing_weapons(lines)}."
    )


LINE_OF_FIRE = Question(
    "line_of_fire",
    "Which side is seen, is there cover, and which weapons bear?",
    LineOfFireInputs,
    begin_line_of_fire,
    Procedure("line of fire", (find_seeing_firers, find_facings, find_bearing_weapons)),
    (
        Measure("front", "Firers at the front", lambda lines: lines.groups[0], "firers"),
        Measure("side", "Firers at the sides", lambda lines: lines.groups[1], "firers"),
        Measure("rear", "Firers at the rear", lambda lines: lines.groups[2], "firers"),
        Measure("seeing", "Firers that see it", lambda lines: len(lines.seeing), "firers"),
        Measure("cover", "It may claim cover", lambda lines: int(lines.cover)),
        Measure("bears", "Weapons that bear", _bearing_weapons),
    ),
    line_of_fire_headline,
    fill=fill_line_of_fire,
    rulings=("facing_model", "cover_majority", "hull_arc_degrees"),
    example={
        "firers": [
            {"bearing": 10, "hidden": 0.6},
            {"bearing": 30, "hidden": 0.6},
            {"bearing": 80, "hidden": 0.5},
            {"bearing": 95},
            {"bearing": 110},
        ],
        "vehicle": "Anvil battle tank",
        "aim_bearing": 60,
    },
    lead=(
        Lead("front", "firers at its front"),
        Lead("side", "firers at its side"),
        Lead("rear", "firers at its rear"),
        Lead("seeing", "firers see it"),
    ),
)
