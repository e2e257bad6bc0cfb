"""The state of a battle: units of two or more sides, who is in which Melee, whose turn it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.errors import BadInput, UnknownName
from battletape.inputs import Inputs, parse_pairs
from battletape.profiles import ProfileBook, named_entry
from battletape.rulesets.attack_dice.damage import Ranks, all_hp, make_ranks, standing
from battletape.rulesets.attack_dice.melee import Situation
from battletape.rulesets.attack_dice.profiles import Save
from battletape.rulesets.attack_dice.rulings import Rulings


class Arm(Inputs, frozen=True):
    """A weapon of a unit, and how many models carry it."""

    name: str = "Weapon"
    models: Annotated[int, Meta(ge=1, le=1000)] = 1
    attacks: Annotated[int, Meta(ge=1, le=1000)] = 1
    power: Annotated[int, Meta(ge=0, le=100)] = 4
    ap: Save | None = None
    range: Annotated[int, Meta(ge=0, le=500)] | None = None
    weapon_class: str = ""


class UnitStart(Inputs, frozen=True):
    """A unit at the start: by the name of a profile, or with numbers of its own."""

    name: str = ""
    profile: str = ""
    models: Annotated[int, Meta(ge=1, le=1000)] = 5
    hp: Annotated[int, Meta(ge=1, le=1000)] = 1
    others: tuple[Annotated[int, Meta(ge=1, le=1000)], ...] = ()
    defence: Annotated[int, Meta(ge=0, le=100)] = 3
    armour: Save | None = None
    aegis: Save | None = None
    weapons: tuple[Arm, ...] = ()


class SideStart(Inputs, frozen=True):
    """A side and its units."""

    name: str = ""
    units: tuple[UnitStart, ...] = ()


class Start(Inputs, frozen=True):
    """The sides of a battle, in turn order."""

    sides: tuple[SideStart, ...] = ()


class Squad(msgspec.Struct, frozen=True):
    """A unit in play."""

    name: str
    side: str
    defence: int
    ranks: Ranks
    weapons: tuple[Arm, ...]
    armour: int | None = None
    aegis: int | None = None
    lost: int = 0
    melee: str = ""
    cover_stat: Literal["defence", "armour"] = "defence"
    cover: int = 0
    aboard: str = ""
    used: tuple[tuple[str, int], ...] = ()
    activated: bool = False

    @property
    def models(self) -> int:
        """Models still standing."""
        return sum(models for models, _ in standing(self.ranks, self.lost)[0])

    @property
    def wounded(self) -> int:
        """HP left to the model that has lost some; 0 if none has."""
        left, wound = standing(self.ranks, self.lost)
        return left[0][1] - wound if wound else 0

    @property
    def is_gone(self) -> bool:
        """Whether no HP is left."""
        return self.lost >= all_hp(self.ranks)


class Field(msgspec.Struct, frozen=True):
    """A battle: settings, sides in turn order, units, and whose turn it is."""

    rules: Rulings
    sides: tuple[str, ...]
    squads: tuple[Squad, ...]
    active: str
    turn: int = 1
    phase: Literal["before", "running"] = "before"
    acting: str = ""

    def squad(self, name: str) -> Squad:
        """The unit of this name, in any case; raises UnknownName with the nearest one."""
        for one in self.squads:
            if one.name.lower() == name.strip().lower():
                return one
        raise UnknownName("unit", name, [one.name for one in self.squads])

    def with_squads(self, *changed: Squad) -> Field:
        """The same battle with these units changed."""
        by_name = {one.name: one for one in changed}
        return replace(self, squads=tuple(by_name.get(one.name, one) for one in self.squads))


def fill_start(given: Mapping[str, Any], book: ProfileBook) -> dict[str, Any]:
    """Numbers of named profiles, written out so that the battle stays as it was when a profile changes."""
    sides = given.get("sides", ())
    if not isinstance(sides, (list, tuple)):
        return dict(given)
    return {**given, "sides": [_fill_side(side, book) if isinstance(side, Mapping) else side for side in sides]}


def _fill_side(side: Mapping[str, Any], book: ProfileBook) -> dict[str, Any]:
    units = side.get("units", ())
    if not isinstance(units, (list, tuple)):
        return dict(side)
    filled = [_fill_unit(_pairs({"profile": one} if _is_name(one) else one), book) for one in units]
    return {**side, "units": filled}


def _is_name(entry: Any) -> bool:
    return isinstance(entry, str) and "=" not in entry


def _pairs(entry: Any) -> Any:
    """An entry as keys and values; a text is name=value pairs."""
    return parse_pairs(entry, "start") if isinstance(entry, str) else entry


def _fill_unit(given: Any, book: ProfileBook) -> Any:
    if not isinstance(given, Mapping):
        return given
    numbers: dict[str, Any] = {}
    if given.get("profile"):
        unit = book.find("unit", str(given["profile"]))
        names = ("name", "models", "hp", "others", "defence", "armour", "aegis")
        numbers = {name: getattr(unit, name) for name in names}
        numbers |= {"profile": unit.name, "weapons": [{"name": one.name, "models": one.models} for one in unit.weapons]}
    filled = {**numbers, **given, **({"profile": numbers["profile"]} if numbers else {})}
    weapons = filled.get("weapons", ())
    if isinstance(weapons, (list, tuple)):
        filled["weapons"] = [_fill_arm(_pairs(named_entry(one)), book) for one in weapons]
    return filled


def _fill_arm(given: Any, book: ProfileBook) -> Any:
    """A weapon by the name of a profile; one with numbers of its own needs none."""
    if not isinstance(given, Mapping):
        return given
    name = str(given.get("name", "")).strip()
    known = {one.lower(): profile for one, profile in book.entries["weapon"].items()}.get(name.lower())
    if known is None:
        if given.keys() <= {"name", "models"}:
            raise UnknownName("weapon", name, book.entries["weapon"])
        return dict(given)
    names = ("name", "attacks", "power", "ap", "range", "weapon_class")
    return {**{name: getattr(known, name) for name in names}, **given, "name": known.name}


@clause("AD-67")
def begin_field(start: Start, rules: Rulings) -> Field:
    """Set the sides up; every unit needs a name of its own."""
    if len(start.sides) < 2:
        raise BadInput(f"a battle wants two sides or more; got {len(start.sides)}.", field="sides")
    squads: list[Squad] = []
    for side in start.sides:
        if not side.name or not side.units:
            raise BadInput("a side wants a name and at least one unit.", field="sides")
        for unit in side.units:
            name = unit.name or unit.profile or "Unit"
            ranks = make_ranks(unit.models, unit.hp, unit.others)
            squads.append(Squad(name, side.name, unit.defence, ranks, unit.weapons, unit.armour, unit.aegis))
            _refuse_twins(f"weapon of {name}", [arm.name for arm in unit.weapons])
    _refuse_twins("unit", [one.name for one in squads])
    _refuse_twins("side", [side.name for side in start.sides])
    return Field(rules, tuple(side.name for side in start.sides), tuple(squads), start.sides[0].name)


def _refuse_twins(what: str, names: list[str]) -> None:
    """Actions go by name, so no two may share one."""
    for at, name in enumerate(names):
        if name.lower() in (one.lower() for one in names[:at]):
            raise BadInput(f"every {what} wants a name of its own; {name!r} stands twice.", field="name")


@clause("AD-56", "AD-61", "AD-65")
def situation_of(field: Field, unit: Squad, target: Squad, **given: Any) -> Situation:
    """Where attacker and target stand; a unit aboard a transport counts as in the transport's Melee."""
    melee = field.squad(unit.aboard).melee if unit.aboard else unit.melee
    friends = [one for one in field.squads if one.side == unit.side and not one.is_gone and one.melee]
    return Situation(
        attacker_melee=melee,
        target_melee=target.melee,
        friend_in_target_melee=any(one.melee == target.melee for one in friends),
        embarked=bool(unit.aboard),
        cover_stat=target.cover_stat,
        cover=target.cover,
        **given,
    )


@clause("AD-82")
def bearers_left(unit: Squad, arm: Arm) -> int:
    """How many models may still fire this weapon in this activation."""
    spent = sum(models for name, models in unit.used if name == arm.name)
    return max(0, min(arm.models, unit.models) - spent)


@clause("AD-80", "AD-82")
def settle(field: Field) -> Field:
    """What follows from losses: units that are gone leave Melees and transports, and the next side acts if need be."""
    alive = [one.melee for one in field.squads if one.melee and not one.is_gone]
    gone = {one.name for one in field.squads if one.is_gone}
    squads = [
        replace(
            one,
            melee="" if one.name in gone or alive.count(one.melee) < 2 else one.melee,
            aboard="" if one.name in gone or one.aboard in gone else one.aboard,
        )
        for one in field.squads
    ]
    after = replace(field.with_squads(*squads), acting="" if field.acting in gone else field.acting)
    return after if after.phase == "before" or _can_act(after) else pass_on(after)


def _can_act(field: Field) -> bool:
    """Whether the active side has a unit that may still act."""
    return any(one.side == field.active and not one.activated and not one.is_gone for one in field.squads)


@clause("AD-82")
def pass_on(field: Field) -> Field:
    """The next player's unit follows; when every unit has been activated a new turn begins."""
    waiting = {one.side for one in field.squads if not one.activated and not one.is_gone}
    at = field.sides.index(field.active)
    order = field.sides[at + 1 :] + field.sides[: at + 1]
    following = next((side for side in order if side in waiting), None)
    if following is not None:
        return replace(field, active=following, acting="")
    fresh = tuple(replace(one, activated=False, used=()) for one in field.squads)
    alive = {one.side for one in fresh if not one.is_gone}
    first = next((side for side in field.sides if side in alive), field.active)
    return replace(field, squads=fresh, active=first, acting="", turn=field.turn + 1)
