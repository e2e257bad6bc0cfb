"""The question assault: what blows and grenades in close combat do to a vehicle."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from operator import attrgetter
from typing import Annotated, Any

from battletape.cards import Answer, Inputs, Measure, ProfileBook, Question, Table, asked, fill_from
from battletape.rulebook import BadInput, Caution, InputName, Meta, clause, plain
from battletape.rulesets.vehicles5.profiles.book import traits_of
from battletape.rulesets.vehicles5.profiles.types import Many, Stat, WeaponProfile
from battletape.rulesets.vehicles5.questions import _inputs, _pictures
from battletape.rulesets.vehicles5.rules import assault, walkers
from battletape.rulesets.vehicles5.rules.shooting import expected
from battletape.rulesets.vehicles5.rules.traits import Band
from battletape.rulesets.vehicles5.rulings import Rulings
from battletape.rulesets.vehicles5.tables.printed import format_to_hit
from battletape.table.facings import Facing, armour_at

_GRENADE, _IN_REACH = "Grenade in place of blows", "Of these in contact, or within 2 inches of one that is"
Die = Annotated[int, Meta(ge=2, le=6)]
Gap = Annotated[float, Meta(ge=0, le=240)]


class ModelPlace(Inputs, frozen=True):
    """The place of one model at the end of a charge."""

    gap: Gap = asked(0.0, "Inches to the hull, 0 in contact", "V5-ASLT-2", group="attacker")
    friend: Gap | None = asked(None, "Inches to a comrade in contact", "V5-ASLT-3", group="attacker")


class Attackers(Inputs, count="models", frozen=True):
    """Models of one kind that strike at a vehicle."""

    unit: _inputs.OwnUnit = ""
    models: int = asked(5, "Models", group="attacker", ge=1, le=100)
    in_reach: Many | None = asked(None, _IN_REACH, "V5-ASLT-3", group="attacker")
    places: tuple[ModelPlace, ...] = asked(
        (), "Or where each of them stands", "V5-ASLT-3", group="attacker", short="model"
    )
    attacks: Stat = asked(1, "Attacks of each", "V5-ASLT-3", group="attacker")
    two_weapons: Many = asked(0, "Models with two close combat weapons", group="attacker")
    charged: bool = asked(True, "They charged this phase", "V5-ASLT-3", group="circumstances")
    ws: Stat = asked(4, "WS, against walkers", "V5-WALK-8", group="attacker")
    strength: _inputs.Strength = 4
    heavy: Many = asked(0, "Models whose weapon doubles their strength", "V5-ASLT-6", group="attacker")
    weapon: str = asked("", "Close combat weapon of all of them", group="attacker", profile="weapon")
    times: int = asked(1, "Times the strength for their weapon", group="attacker", ge=1, le=2)
    dice: _inputs.Dice = "d6"
    grenade: str = asked("", _GRENADE, "V5-ASLT-4", group="attacker", profile="weapon", worn=True)
    rules: _inputs.SpecialRules = ()


class AssaultInputs(_inputs.TargetInputs, frozen=True):
    """Blows at a vehicle: so many attacks of one kind, or attackers in detail."""

    attacks: int = asked(10, "Attacks in all", "V5-ASLT-3", group="attacker", ge=0, le=1000)
    strength: _inputs.Strength = 4
    dice: _inputs.Dice = "d6"
    grenade: str = asked("", _GRENADE, "V5-ASLT-4", group="attacker", profile="weapon", worn=True)
    ws: Stat = asked(4, "WS, against walkers", "V5-WALK-8", group="attacker")
    attackers: tuple[Attackers, ...] = asked((), "Attackers in detail", "V5-ASLT-3", group="attacker", short="attacker")
    assault_band: Band | None = asked(
        None, "Speed by the straight distance it covered, if that differs", "V5-MOVE-7", group="circumstances"
    )
    contact: Facing = asked("rear", "Side that is touched", "V5-ASLT-7", group="circumstances")
    walker_ws: Stat = asked(4, "WS, if it is a walker", "V5-WALK-8", group="target")
    needs: Die | None = asked(None, "To hit", about=", whatever else there is", group="circumstances")


def begin_assault(inputs: AssaultInputs, rulings: Rulings) -> assault.Melee:
    """Return the vehicle with every blow that is struck at it."""
    _, target = _side_and_target(inputs, rulings)
    shots = tuple(shot for blow, ws in _blows(inputs) for shot in walkers.shots_of_blows(target, [blow], ws, rulings))
    if len(shots) > _inputs.MAX_SHOTS:
        most = f"{_inputs.MAX_SHOTS:,} attacks or fewer in all"
        raise BadInput.of("attackers", f"must make {most}; got {len(shots):,}.")
    return assault.Melee(target.condition, target.condition, (shots,), expected(shots), walker=target.ws is not None)


@clause("V5-ASLT-4", "V5-WALK-10")
def _blows(inputs: AssaultInputs) -> Iterable[tuple[assault.Blow, int]]:
    """Yield every kind of blow, with the WS of the models that strike it."""
    if not inputs.attackers:
        name = plain(inputs.grenade) or "blow"
        yield assault.Blow(name, inputs.attacks, inputs.strength, inputs.dice, grenade=bool(inputs.grenade)), inputs.ws
    for number, group in enumerate(inputs.attackers, 1):
        name = group.unit or (f"attackers {number}" if len(inputs.attackers) > 1 else "attackers")
        thrown = assault.Blow(plain(group.grenade), 0, group.strength, group.dice, grenade=True)
        numbers = {key: getattr(group, key) for key in _OF_FOOT}
        squad = walkers.SquadFighter(**numbers, name=name, grenade=thrown if group.grenade else None)
        blows = walkers.squad_blows(squad, _count_striking(group), group.charged)
        yield from ((blow, group.ws) for blow in blows if blow.attacks)


@clause("V5-ASLT-3", "V5-ASLT-2")
def _count_striking(attackers: Attackers) -> int:
    """Count the attackers that strike."""
    if attackers.places and attackers.in_reach is not None:
        both = InputName("in_reach"), " and ", InputName("places")
        raise BadInput(("only one of ", *both, " can be given; got both."), field="places", clause="V5-ASLT-3")
    if attackers.places:
        return assault.count_strikers([(stood.gap, stood.friend) for stood in attackers.places])
    return attackers.models if attackers.in_reach is None else min(attackers.models, attackers.in_reach)


def _side_and_target(inputs: AssaultInputs, rulings: Rulings) -> tuple[Facing, walkers.BlowTarget]:
    """Return the facing that is struck, and the vehicle as a target of blows."""
    traits = traits_of(inputs.types)
    side = assault.facing_struck(traits, inputs.contact, rulings)
    return side, walkers.BlowTarget(
        armour_at(inputs, side),
        _inputs.checked_condition(inputs, rulings),
        traits.open_topped,
        inputs.assault_band or inputs.band,
        inputs.walker_ws if traits.walker else None,
        inputs.needs,
    )


def _assault_table(inputs: AssaultInputs, rulings: Rulings) -> Table:
    side, target = _side_and_target(inputs, rulings)
    hits = [(blow, format_to_hit(walkers.blow_to_hit(blow, ws, target, rulings))) for blow, ws in _blows(inputs)]
    armour = f"{side} {target.av}"
    rows = tuple((blow.name, str(blow.attacks), str(blow.strength), hit, armour) for blow, hit in hits)
    return Table("The blows", ("with", "attacks", "strength", "to hit", "armour"), rows, "V5-ASLT-3")


def fill_assault(given: Mapping[str, Any], profiles: ProfileBook) -> dict[str, Any]:
    filled = _inputs.fill_targeted(given, profiles, _inputs.TargetInputs)
    filled = _fill_grenade(fill_from(filled, "vehicle", profiles, walker_ws=attrgetter("ws")), profiles)
    return _inputs.fill_many(
        filled, "attackers", lambda group: _fill_attackers(group, profiles), "unit", profiles.entries["unit"]
    )


def _fill_attackers(given: Mapping[str, Any], profiles: ProfileBook) -> dict[str, Any]:
    filled = _inputs.fill_unit(given, profiles, Attackers)
    if filled.get("weapon"):
        weapon: WeaponProfile = profiles.find("weapon", str(filled["weapon"]))
        if weapon.type != "melee":
            raise BadInput.of("weapon", f"must be one for close combat; got {weapon.name!r}.")
        filled = {"times": weapon.times, **filled, "weapon": weapon.name, "heavy": given.get("heavy", 0)}
    return _fill_grenade(filled, profiles)


def _fill_grenade(given: dict[str, Any], profiles: ProfileBook) -> dict[str, Any]:
    """Fill in the numbers of the named grenade, which the named unit must carry."""
    name = str(given.get("grenade") or "").strip()
    if name.lower() in ("", "none", "-"):
        return {key: value for key, value in given.items() if key != "grenade"}
    return {**given, **_inputs.grenade_numbers(name, profiles, str(given.get("unit") or ""))}


def assault_headline(answer: Answer) -> str:
    text = _inputs.damage_headline(answer)
    if "walker" not in answer.inputs.types:
        return text
    return f"{text[:-1]}, {answer.average('combat_wounds')} wounds for the result."


_OF_FOOT = ("strength", "attacks", "two_weapons", "rules", "heavy", "times", "dice")
_IDLE = ("attacks", "strength", "dice", "grenade", "ws")


def warn_assault(inputs: AssaultInputs, rulings: Rulings) -> list[str | Caution]:
    warnings = _inputs.harmless_warnings(begin_assault(inputs, rulings).volleys[0])
    if inputs.attackers and any(getattr(inputs, name) != getattr(AssaultInputs(), name) for name in _IDLE):
        warnings.append("attackers are given in detail, so attacks, strength, dice, grenade and WS do not count")
    if inputs.smoke or inputs.terrain_cover is not None:
        warnings.append(Caution("neither smoke nor other cover helps in close combat", "V5-CORE-4"))
    return warnings


ASSAULT = Question(
    "assault",
    "What will an assault do to a vehicle?",
    AssaultInputs,
    begin_assault,
    assault.ASSAULT,
    (
        *_inputs.DAMAGE,
        *_inputs.EXPECTED,
        Measure("combat_wounds", "Wounds for the result, if it is a walker", lambda melee: melee.wounds, "wounds"),
    ),
    assault_headline,
    fill=fill_assault,
    table=_assault_table,
    warn=warn_assault,
    rulings=("assault_facing", "grenades_on_helpless_walker", "volley_order", *_inputs.DAMAGE_RULINGS),
    result=_inputs.damage_result,
    outlines=_pictures.ASSAULTED,
    example={
        "vehicle": "Anvil battle tank",
        "band": "combat",
        "attackers": [{"unit": "Furnace company", "models": 5, "grenade": "krak"}],
    },
    small={"rear": 10, "band": "combat", "attackers": [{"models": 5, "grenade": "krak"}]},
    lead=_inputs.DAMAGE_LEAD,
)
