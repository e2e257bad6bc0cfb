"""Preparing a game: the tokens that an army gives its opponent, sheets, what is agreed, and advice to beginners."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

from battletape.rulebook import BadInput, Caution, Refused, State, clause, plural, replace
from battletape.rulesets.diceless40k.profiles.types import Marker, UnitProfile, VehicleProfile, WeaponProfile
from battletape.rulesets.diceless40k.rules.blasts import tokens_for
from battletape.rulesets.diceless40k.rules.characteristics import (
    GATE_OF_INFINITY,
    PSYKER,
    TIGURIUS,
    Group,
    groups_of,
)
from battletape.rulesets.diceless40k.rules.deep_strike import deep_strike_tokens
from battletape.rulesets.diceless40k.rules.leadership import order_points_at_start
from battletape.rulesets.diceless40k.rules.space_marines import all_powers_tokens, gate_tokens
from battletape.rulesets.diceless40k.rules.weapons import GETS_HOT, PSYCHIC
from battletape.rulesets.diceless40k.rulings import DEFAULT, Rulings

ModesOf: TypeAlias = Callable[[str], Sequence[WeaponProfile]]
"""The ways to fire a weapon of this name."""
FIRST_POINTS = 500
FIRST_UNITS = 4


DEEP_STRIKERS = "units that deep strike"


class Tokens(State, frozen=True):
    """Tokens of each kind."""

    scatter: int = 0
    gets_hot: int = 0
    warp: int = 0

    def __add__(self, other: Tokens) -> Tokens:
        return Tokens(self.scatter + other.scatter, self.gets_hot + other.gets_hot, self.warp + other.warp)


class TokenSource(State, frozen=True):
    """A weapon, a psyker or a unit for which an army gives tokens, and how many."""

    name: str
    number: int
    tokens: Tokens  # for all of them
    owner: str = ""  # the unit or vehicle that it belongs to


# --- tokens -----------------------------------------------------------------------------------------------------------


@clause("DL-30.2", "DL-30.3", "DL-PREP.1", "DL-PREP.2")
def weapon_tokens(markers: Iterable[str], gets_hot: bool = False, number: int = 1) -> Tokens:
    """Return the tokens for weapons: scatter tokens by the largest marker of their modes, and one if they get hot."""
    return Tokens(scatter=tokens_for(markers) * number, gets_hot=gets_hot * number)


@clause("DL-50.3", "DL-50.4", "DL-PREP.3", "DL-SM-57.3", "DL-SM-86.1")
def psyker_tokens(
    markers: Iterable[Marker] = (), gate: bool = False, all_powers: bool = False, rulings: Rulings = DEFAULT
) -> Tokens:
    """Return the tokens for a psyker: a warp token, and scatter tokens for its largest marker and the gate."""
    if all_powers:
        return Tokens(scatter=all_powers_tokens(rulings), warp=1)
    return Tokens(scatter=tokens_for(markers) + gate_tokens(gate), warp=1)


@clause("DL-30.1", "DL-31.1", "DL-50.4", "DL-PREP.4", "DL-PREP.5")
def token_sources(
    units: Sequence[UnitProfile],
    vehicles: Sequence[VehicleProfile],
    modes_of: ModesOf,
    deep_strikers: int = 0,
    rulings: Rulings = DEFAULT,
) -> tuple[TokenSource, ...]:
    """Return everything in an army that gives its opponent tokens; units that will arrive by deep strike come last."""
    sources = [
        replace(source, owner=unit.name) for unit in units for source in _sources_of_unit(unit, modes_of, rulings)
    ]
    for vehicle in vehicles:
        sources += [
            replace(source, owner=vehicle.name) for source in _sources_of_weapons(Counter(vehicle.weapons), modes_of)
        ]
    sources.append(TokenSource(DEEP_STRIKERS, deep_strikers, Tokens(scatter=deep_strike_tokens(deep_strikers))))
    return tuple(source for source in sources if source.tokens != Tokens())


@clause("DL-PREP.4", "DL-PREP.5")
def total_tokens(sources: Iterable[TokenSource]) -> Tokens:
    """Return all tokens of an army together: what its opponent holds when the game begins."""
    return sum((source.tokens for source in sources), Tokens())


def _sources_of_unit(unit: UnitProfile, modes_of: ModesOf, rulings: Rulings) -> list[TokenSource]:
    *differing, others = groups_of(unit, rulings)
    if unit.guns:  # the unit's own weapons are those of each gun
        differing = [group_profile for group_profile in differing if group_profile.weapons != unit.weapons]
        others = replace(others, models=unit.guns)
    sources = []
    for group in (*differing, others):
        weapons = {name: group.models for name in group.weapons if not _is_power(modes_of(name))}
        sources += _sources_of_weapons(weapons, modes_of)
    psykers = [group for group in groups_of(unit, rulings) if PSYKER in group.rules]
    for index, group in enumerate(psykers):
        markers = [mode.marker for name in group.weapons for mode in modes_of(name) if _is_power((mode,))]
        each = psyker_tokens(markers, GATE_OF_INFINITY in unit.powers, TIGURIUS in group.rules, rulings)
        number = 1 if rulings.warp_tokens == "per_unit" else group.models
        warp = 0 if rulings.warp_tokens == "per_unit" and index else each.warp * number
        sources.append(TokenSource(group.name, number, Tokens(each.scatter * number, 0, warp)))
    return sources


def _sources_of_weapons(carried: Mapping[str, int], modes_of: ModesOf) -> list[TokenSource]:
    sources = []
    for name, number in carried.items():
        modes = modes_of(name)
        gets_hot = any(GETS_HOT in mode.rules for mode in modes)
        sources.append(TokenSource(name, number, weapon_tokens([mode.marker for mode in modes], gets_hot, number)))
    return sources


def _is_power(modes: Sequence[WeaponProfile]) -> bool:
    """Return whether this is a psychic shooting attack, which counts with the psyker."""
    return any(PSYCHIC in mode.rules for mode in modes)


# --- sheets -----------------------------------------------------------------------------------------------------------


class Square(State, frozen=True):
    """A big square of a unit sheet: a group of identical models, and the damage written into it."""

    group: str
    models: int
    hp: int  # of each
    damage: int = 0


class Sheet(State, frozen=True):
    """A unit sheet: order points, and a square for each group of identical models."""

    unit: str
    op: int
    squares: tuple[Square, ...]


@clause("DL-PREP.6")
def unit_sheet(name: str, groups: Iterable[Group], op: int | None = None) -> Sheet:
    """Return the sheet of a unit, as it begins a game or as it stands."""
    squares = tuple(Square(group.name, group.models, group.hp, group.recorded) for group in groups)
    return Sheet(name, order_points_at_start() if op is None else op, squares)


@clause("DL-PREP.7")
def vehicle_entries(names: Sequence[str]) -> tuple[str, ...]:
    """Return an entry of the vehicle sheet for each vehicle; those of the same name are numbered."""
    entries, seen = [], dict.fromkeys(names, 0)
    for name in names:
        seen[name] += 1
        entries.append(f"{name} {seen[name]}" if names.count(name) > 1 else name)
    return tuple(entries)


# --- what is agreed ---------------------------------------------------------------------------------------------------


class Agreement(State, frozen=True):
    """The agreement of both players: the mission, the first side, the turns, and night fighting."""

    mission: str
    first: str
    turns: int
    night: bool = False


@clause("DL-PREP.8")
def agree(
    sides: Sequence[str], first: str = "", mission: str = "", night: bool = False, rulings: Rulings = DEFAULT
) -> Agreement:
    """Return the agreement of two sides; the side that stands first plays first, unless another one is named."""
    if first and first not in sides:
        raise BadInput(f"one of {' and '.join(sides)} plays first; got {first!r}.", field="first")
    return Agreement(mission or "annihilation", first or sides[0], rulings.turns, night)


@clause("DL-PREP.9")
def refuse_seizing() -> Refused:
    """Refuse to seize the initiative: the first side is agreed."""
    return Refused("the initiative is not seized; the players agree on the first side", "DL-PREP.9")


@clause("DL-PREP.10", "DL-PREP.11", "DL-PREP.12")
def advice(units: Sequence[UnitProfile], vehicles: Sequence[VehicleProfile] = ()) -> tuple[Caution, ...]:
    """Return advice to a beginner before a game with such an army."""
    words = []
    points = sum(unit.points for unit in units) + sum(vehicle.points for vehicle in vehicles)
    if points > FIRST_POINTS:
        words.append(
            Caution(f"The army has {points:,} points; first games go best with {FIRST_POINTS} or fewer", "DL-PREP.10")
        )
    number = len(units) + len(vehicles)
    if number > FIRST_UNITS or vehicles or any(unit.type != "infantry" for unit in units):
        words.append(
            Caution(
                f"The army has {plural(number, 'unit')}; "
                "begin with three or four of infantry, and add other types later",
                "DL-PREP.11",
            )
        )
    words.append(
        Caution("Think about whether to concentrate fire, and whether to stay in cover or to assault", "DL-PREP.12")
    )
    return tuple(words)
