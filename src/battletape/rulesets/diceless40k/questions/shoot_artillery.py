"""The question `shoot_artillery`: what shooting does to the crew and the guns of an artillery unit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from battletape.cards import Lead, Measure, ProfileBook, Question, Rank, asked
from battletape.rulebook import Caution, clause, plural, raise_if_refused
from battletape.rulesets.diceless40k import words
from battletape.rulesets.diceless40k.profiles.types import UnitProfile
from battletape.rulesets.diceless40k.questions import _inputs
from battletape.rulesets.diceless40k.questions.casualties import ranks_of
from battletape.rulesets.diceless40k.rules import artillery
from battletape.rulesets.diceless40k.rules.casualties import Packet
from battletape.rulesets.diceless40k.rules.shooting import packet_of, shots_counted
from battletape.rulesets.diceless40k.rules.vehicles import HullPacket, firing_with, packet_on
from battletape.rulesets.diceless40k.rulings import Rulings

if TYPE_CHECKING:
    from battletape.answer import Answer


class ShootArtilleryInputs(_inputs.ShootingInputs, frozen=True):
    """A battery under fire: the models are its crew."""

    crewed_guns: int = asked(1, "Guns", "DL-55.1", group="target", ge=1, le=20)
    gun_hits: int = asked(0, "Guns under templates and markers", "DL-55.1", group="attacker", ge=0, le=200)
    dmg: _inputs.Dmg | None = asked(None, "DMG of one packet", "DL-55.1", about=", instead of guns", group="attacker")
    vehicle_dmg: _inputs.Dmg = asked(0, "The same packet's DMG on a vehicle", "DL-55.1", group="attacker")
    strength: int = asked(4, "And its Strength", "DL-55.2", group="attacker", ge=1, le=12)


@clause("DL-55.1", "DL-55.2")
def begin_shoot_artillery(inputs: ShootArtilleryInputs, rulings: Rulings) -> artillery.Battery:
    """Return crew and guns, and the same shots as troops and as a vehicle suffer them."""
    crew = _inputs.target_of(inputs, rulings)
    raise_if_refused(artillery.refuse_battery(inputs.crewed_guns, crew.models))
    packets: list[tuple[Packet, HullPacket]] = []
    if inputs.dmg is not None:
        packet = Packet("packet", inputs.dmg, inputs.strength)
        packets.append((packet, HullPacket("packet", inputs.vehicle_dmg, inputs.strength, artillery.GUN_AV)))
    else:
        aims, _ = _inputs.aims_of(inputs.guns, crew, inputs.distance, inputs.moved, rulings, bool(inputs.shooters))
        markers = [aim.models * aim.shots if aim.is_area else 0 for aim in aims]
        raise_if_refused(artillery.refuse_gun_hits(inputs.gun_hits, sum(markers), inputs.crewed_guns))
        covered = artillery.gun_hits_of(inputs.gun_hits, markers, inputs.crewed_guns)
        for aim, hits in zip(aims, covered, strict=True):
            gun = inputs.guns[aim.firer]
            shots = 0 if aim.is_area else shots_counted(aim)
            firing = firing_with(_inputs.weapon_of(gun), gun.bs, artillery.GUN_AV, 1, shots, inputs.distance, hits=hits)
            packets.append((packet_of(aim), packet_on(firing, "cruising", inputs.cover, rulings)))
    names = ("gun",) if inputs.crewed_guns == 1 else tuple(f"gun {at}" for at in range(1, inputs.crewed_guns + 1))
    return artillery.Battery(crew, names, tuple(packets))


def shoot_artillery_headline(answer: Answer) -> str:
    """Say what crew and guns lose."""
    crew, guns, removed, lost = (words.value(answer, name) for name in ("crew_dmg", "guns_dmg", "removed", "guns_lost"))
    fate = f"{plural(removed, 'crew member')} and {plural(lost, 'gun')} are lost"
    return f"The crew takes {crew} DMG, the guns {guns} DMG: {fate}."


def fill_shoot_artillery(given: Mapping[str, Any], book: ProfileBook) -> dict[str, Any]:
    """Fill in profiles of the battery, the shooters and every weapon."""
    filled = _inputs.fill_troops(_inputs.fill_guns(given, book), book)
    if filled.get("unit"):
        unit: UnitProfile = book.find("unit", str(filled["unit"]))
        if unit.guns:
            filled.setdefault("crewed_guns", unit.guns)
    return filled


def warn_shoot_artillery(inputs: ShootArtilleryInputs, rulings: Rulings) -> Iterable[str | Caution]:
    """Warn of what is unusual."""
    yield from _inputs.warn_troops(inputs)
    if inputs.dmg is None:
        crew = _inputs.target_of(inputs, rulings)
        for aim in _inputs.aims_of(inputs.guns, crew, inputs.distance, inputs.moved, rulings, bool(inputs.shooters))[0]:
            yield from _inputs.warn_range(aim.name, aim.type, aim.range, rulings)
            if aim.is_area:
                yield from _inputs.warn_hits(aim, crew)
                if not inputs.gun_hits:
                    yield Caution(f"{aim.name} hits what it covers: no gun, unless gun_hits says so", "DL-55.1")


def _ranks(answer: Answer) -> Iterable[Rank]:
    """Yield the crew, then the guns."""
    (battery,) = answer.states.weights
    yield from ranks_of(answer.start.crew.groups, battery.crew.groups)
    yield Rank("guns", len(answer.start.guns), len(battery.guns))


SHOOT_ARTILLERY = Question(
    "shoot_artillery",
    "What does shooting do to an artillery unit?",
    ShootArtilleryInputs,
    begin_shoot_artillery,
    artillery.ARTILLERY,
    (
        Measure("guns_lost", "Guns destroyed", lambda battery: battery.destroyed, "guns"),
        Measure("removed", "Crew removed", lambda battery: battery.crew.removed, "models"),
        Measure(
            "crew_dmg",
            "DMG on the crew before saves",
            lambda battery: battery.to_crew,
            "DMG",
        ),
        Measure(
            "guns_dmg",
            "DMG on the guns before cover",
            lambda battery: battery.to_guns,
            "DMG",
        ),
        Measure("crew_left", "Crew left", lambda battery: battery.crew.models, "models", low_for=("attacker",)),
        Measure("guns_left", "Guns left", lambda battery: len(battery.guns), "guns", low_for=("attacker",)),
    ),
    shoot_artillery_headline,
    fill=fill_shoot_artillery,
    warn=warn_shoot_artillery,
    example={"unit": "Lobba battery", "shooters": "Lootas", "distance": 18},
    small={"models": 4, "crewed_guns": 2, "guns": [{"models": 10, "shots": 2, "ap": 5}]},
    rulings=("artillery_guns", "ordnance_pen", "area_on_vehicles", *_inputs.GUN_RULINGS, *_inputs.TROOP_RULINGS),
    lead=(
        Lead("guns_lost", lambda answer: f"guns lost, {words.value(answer, 'removed')} of the crew"),
        Lead("removed", "of the crew fall, no gun lost"),
    ),
    ranks=_ranks,
)
