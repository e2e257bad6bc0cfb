"""What tank_shock and ram share: everything on the line of a tank, and weapons for death or glory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Annotated, Any

from battletape.cards import Inputs, Measure, ProfileBook, asked
from battletape.rulebook import BadInput, Meta, capital, clause, granted, raise_if_refused, replace
from battletape.rulesets.vehicles5.profiles.book import modes
from battletape.rulesets.vehicles5.profiles.types import Stat, WeaponProfile
from battletape.rulesets.vehicles5.questions import _inputs
from battletape.rulesets.vehicles5.rules import keywords, tank_shock, terrain
from battletape.rulesets.vehicles5.rules.damage import Condition
from battletape.rulesets.vehicles5.rules.tank_shock import Drive, GloryWeapon, Kind, ShockedUnit, ThingOnLine, Tries
from battletape.rulesets.vehicles5.rules.traits import Ap, PenDice, Traits
from battletape.rulesets.vehicles5.rulings import Rulings
from battletape.rulesets.vehicles5.tables.printed import GRENADES

RULINGS = (
    *("road_bonus", "road_band", "terrain_tests", "tank_shock_least", "engaged_on_the_line"),
    *("dog_weapon_destroyed_stops", "death_or_glory_hits", "death_or_glory_melta", "volley_order"),
    *_inputs.DAMAGE_RULINGS,
)
"""Those that can change how a tank drives through units."""


class Attack(Inputs, frozen=True):
    """A weapon for death or glory: a shot, a blow or a grenade."""

    weapon: str = asked("", "Weapon profile", group="target", profile="weapon")
    strength: Stat = asked(8, "Strength", group="target", short="S")
    ap: Ap | None = asked(None, "AP", "V5-DMGMOD-2", group="target", short="AP")
    dice: PenDice = asked("d6", "Penetration dice", "V5-PEN-1", group="target")
    shots: int = asked(1, "Shots, of which one counts by the sheet", "V5-DOG-2", group="target", ge=1, le=60)
    rules: _inputs.Names = asked((), "Special rules", group="target", known=keywords.WEAPON_RULES)


InchesAhead = Annotated[float, Meta(ge=0, le=60, extra={"unit": "inches"})]


class InTheWay(Inputs, frozen=True):
    """Something on the line of a tank."""

    kind: Kind = asked("enemy_unit", "What it is", "V5-TANK-4", group="target")
    at: InchesAhead = asked(3.0, "Inches ahead of the tank", "V5-TANK-3", group="target")
    relation: _inputs.OnGround = asked("through", "What the drive has to do with bad ground", group="target")
    name: str = asked("", "Name", group="target")
    unit: _inputs.UnitName = ""
    ld: int = asked(8, "Ld", "V5-TANK-5", group="target", ge=2, le=10)
    falling_back: bool = asked(False, "It is falling back already", "V5-CORE-5", group="target")
    fearless: bool = asked(False, "It is fearless", "V5-CORE-5", group="target")
    strength: Stat = asked(4, "Strength of its blows", "V5-DOG-2", group="target")
    glory: tuple[Attack, ...] = asked((), "Weapons for death or glory", "V5-DOG-2", group="target", short="weapon")
    rules: _inputs.Names = asked((), "Its special rules", "V5-CORE-14", group="target", known=keywords.UNIT_RULES)
    tries: Tries = asked("choose", "Whether a model tries death or glory", "V5-DOG-1", group="circumstances")


@clause("V5-DOG-2", "V5-CORE-14")
def glory_weapons(
    attacks: Sequence[Attack],
    front: int,
    tank: Condition,
    traits: Traits,
    rulings: Rulings,
    unit_rules: Sequence[str] = (),
) -> tuple[GloryWeapon, ...]:
    """Return weapons to choose from, the one that stops the tank most often first."""
    weapons = []
    for number, attack in enumerate(attacks, 1):
        name = attack.weapon or (f"weapon {number}" if len(attacks) > 1 else "glory")
        special = tuple(dict.fromkeys((*attack.rules, *unit_rules)))
        weapons.append(GloryWeapon(name, attack.strength, attack.ap, attack.dice, attack.shots, special))

    def chance(glory: GloryWeapon) -> Any:
        shots = tank_shock.glory_shots(glory, front, traits.open_topped, rulings)
        return tank_shock.chance_to_stop(tank, shots, rulings)

    return tuple(sorted(weapons, key=chance, reverse=True) if len(weapons) > 1 else weapons)


def attacks_with(
    carried: Iterable[str], book: ProfileBook, may_use: Callable[[WeaponProfile], bool] = lambda weapon: True
) -> list[dict[str, str]]:
    """Return every way to strike or fire with these weapons, or with fists."""
    ways = [way for name in dict.fromkeys(carried) for way in modes(book, name) if may_use(way)]
    fists = () if any(way.type == "melee" for way in ways) else (tank_shock.FISTS,)
    return [{"weapon": way.name} for way in (*ways, *fists)]


def fill_glory(given: Mapping[str, Any], book: ProfileBook, strength: Any) -> dict[str, Any]:
    """Fill in the weapons of `glory`, for a striker of this strength."""
    return _inputs.fill_many(given, "glory", lambda attack: _fill_attack(attack, book, strength), "weapon")


def _fill_attack(given: Mapping[str, Any], book: ProfileBook, striker_strength: Any) -> dict[str, Any]:
    name = str(given.get("weapon") or "")
    if not name:
        return dict(given)
    is_printed = name.strip().lower().replace(" ", "_") in GRENADES
    ways: Sequence[WeaponProfile] = (tank_shock.FISTS,)
    if name != tank_shock.FISTS.name:
        ways = () if is_printed else modes(book, name)
    types = {way.type for way in ways}
    if is_printed or types == {"grenade"}:  # at arm's length, so the rulings on shots do not count
        name = name if is_printed else ways[0].name
        numbers = _inputs.grenade_numbers(name, book)
        return {"strength": numbers["strength"], "dice": numbers["dice"], **given, "weapon": name}
    if types == {"melee"}:
        if not str(striker_strength).strip().isdigit():
            raise BadInput.of("strength", f"must be a whole number from 1 to 10; got {striker_strength!r}.")
        glory = tank_shock.glory_weapon(ways[0], int(striker_strength))
        return {"strength": glory.strength, "rules": glory.rules, **given, "weapon": glory.name}
    return _inputs.fill_gun(given, book, Attack)


def drive_through(
    obstacles: Sequence[InTheWay],
    tank: Condition,
    front: int,
    traits: Traits,
    declared: float,
    on_road: bool,
    rulings: Rulings,
    target_at: float | None = None,
    name: str = tank_shock.TANK,
) -> Drive:
    """Return a tank about to drive along this line; raise Refused where it may not."""
    names = [obstacle.name or obstacle.unit or f"unit {number}" for number, obstacle in enumerate(obstacles, 1)]
    path = [ThingOnLine(obstacle.kind, obstacle.at) for obstacle in obstacles]
    line = granted(
        tank_shock.straight_drive(traits, tank, declared, path, on_road=on_road, target_at=target_at, rulings=rulings)
    )
    shocked, bad_ground = [], []
    for obstacle, unit in zip(obstacles, names, strict=True):
        if obstacle.kind == "enemy_unit":
            weapons = glory_weapons(obstacle.glory, front, tank, traits, rulings, obstacle.rules)
            shocked.append(
                ShockedUnit(
                    unit, obstacle.at, obstacle.ld, obstacle.falling_back, obstacle.fearless, weapons, obstacle.tries
                )
            )
        elif obstacle.kind == "terrain" or (
            obstacle.kind == "impassable" and terrain.needs_test(traits, obstacle.kind, rulings)
        ):
            raise_if_refused(terrain.refuse_relation(traits, obstacle.relation))
            bad_ground.append((obstacle.relation, obstacle.at))
    return tank_shock.begin_drive(
        line,
        shocked,
        bad_ground,
        tank,
        front=front,
        traits=traits,
        declared=declared,
        on_road=on_road,
        ram=target_at is not None,
        rulings=rulings,
        name=name,
    )


def fill_units_on_line(given: Mapping[str, Any], book: ProfileBook) -> dict[str, Any]:
    """Fill in the units on the line of a tank, and their weapons."""
    return _inputs.fill_many(given, "units", lambda unit: _fill_unit(unit, book), "unit")


def _fill_unit(given: Mapping[str, Any], book: ProfileBook) -> dict[str, Any]:
    filled = _inputs.fill_unit(given, book, InTheWay)
    if filled.get("unit") and "glory" not in given:
        unit = book.find("unit", filled["unit"])
        filled["glory"] = attacks_with([*(weapon.name for weapon in unit.weapons), *unit.grenades], book)
    return fill_glory(filled, book, filled.get("strength", 4))


def damage_of(
    which: str, read: Callable[[Any], Any], skip: Sequence[str] = (), *, own: bool = False
) -> tuple[Measure, ...]:
    """Return the measures of damage for one of several vehicles; with `own` it is the attacker's."""

    def measure(usual: Measure) -> Measure:
        name = f"{which}_{'unharmed' if usual.name == 'unchanged' else usual.name}"
        title = f"{capital(which)}: {usual.title.lower()}"
        return replace(usual, name=name, title=title, of=lambda state: usual.of(read(state)))

    every = _inputs.own_damage() if own else _inputs.DAMAGE
    return tuple(measure(usual) for usual in every if usual.name not in skip)
