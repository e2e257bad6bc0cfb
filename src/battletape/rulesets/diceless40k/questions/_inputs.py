"""The inputs that questions share: targets, guns, vehicles and their sheets, and the profiles that fill them in."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Annotated, Any

from battletape.cards import Inputs, ProfileBook, Table, asked, named_entry, parse_inputs, split_entries
from battletape.rulebook import (
    BadInput,
    Caution,
    Meta,
    Procedure,
    Refused,
    asdict,
    capital,
    clause,
    find_keyword,
    nearest,
    raise_if_refused,
    story_by_default,
)
from battletape.rulesets.diceless40k.profiles import types
from battletape.rulesets.diceless40k.profiles.book import modes
from battletape.rulesets.diceless40k.rules.artillery import gunners
from battletape.rulesets.diceless40k.rules.attacks import aim_with
from battletape.rulesets.diceless40k.rules.casualties import Target, share_lines
from battletape.rulesets.diceless40k.rules.characteristics import (
    MODEL_RULES,
    TANK_HUNTERS,
    Group,
    groups_of,
    hit_points,
)
from battletape.rulesets.diceless40k.rules.damage_rows import LINES, ROWS, DamageSheet, new_sheet, refuse_target
from battletape.rulesets.diceless40k.rules.keywords import KEYWORDS, WEAPON_RULES
from battletape.rulesets.diceless40k.rules.shooting import Aim, refuse_hits, shots_at
from battletape.rulesets.diceless40k.rules.vehicles import Speed, VehicleAttack
from battletape.rulesets.diceless40k.rules.weapons import reach_of, refuse_unasked
from battletape.rulesets.diceless40k.rulings import Rulings
from battletape.rulesets.diceless40k.tables.printed import saves_in_use, vehicle_table
from battletape.table.facings import armour_at

Names = tuple[str, ...]
ModelRules = Annotated[Names, Meta(extra={"known": dict.fromkeys(MODEL_RULES, "")})]
WeaponRules = Annotated[Names, Meta(extra={"known": WEAPON_RULES})]
StrikesWith = Annotated[str, Meta(extra={"profile": "weapon"})]
Hp = Annotated[int, Meta(ge=1, le=1000)]
Op = Annotated[int, Meta(ge=0, le=5000)]
Dmg = Annotated[int, Meta(ge=0, le=100_000)]
TestLd = Annotated[int, Meta(ge=0, le=12)]  # above 10 it reads as 10, below 2 no test is passed (DL-8.2)
LineDmg = Annotated[int, Meta(ge=0, le=36)]
TROOP_RULINGS = (
    "leftover",
    "overkill",
    "instant_death",
    "feel_no_pain_order",
    "vulnerable",
    "save_shifts",
    "bracketed_hp",
)
"""Rulings that count wherever troops are hurt."""
GUN_RULINGS = ("packets", "heavy_range_bonus", "range_step", "reroll_bonus", "sniper_rends", "cannot_wound")
"""Rulings that count wherever troops are shot at."""
ROW_RULINGS = ("rows", "plus_one_short", "chain_ticks", "immobilised_again", "weapons_again")
"""Rulings that count wherever boxes of a vehicle's sheet are ticked."""


# --- troops -----------------------------------------------------------------------------------------------------------


class OtherModels(Inputs, frozen=True):
    """Further models of a unit that are alike among themselves."""

    name: str = "others"
    models: int = asked(1, form="count", ge=1, le=200)
    toughness: types.Least1 = 4
    toughness_bonus: types.Stat = 0
    wounds: types.Least1 = 1
    hp: Hp | None = None
    armour: types.Save | None = None
    invulnerable: types.Save | None = None
    recorded: int = asked(0, ge=0, le=1000)
    ld: types.Leadership = 8
    rules: ModelRules = ()


class TargetInputs(Inputs, frozen=True):
    """A unit that is attacked: models alike, and others that differ."""

    unit: str = asked("", "Unit profile", group="target", profile="unit")
    unit_type: types.UnitType = asked("infantry", "Unit type", "DL-0.1", group="target")
    models: int = asked(5, "Models", "DL-25.1", group="target", form="count", ge=1, le=200)
    toughness: types.Least1 = asked(4, "Toughness", "DL-6.1", group="target", short="T")
    toughness_bonus: types.Stat = asked(0, "Bracketed toughness above it", "DL-6.1", group="target")
    wounds: types.Least1 = asked(1, "Wounds", "DL-6.1", group="target", short="W")
    hp: Hp | None = asked(None, "HP of each, if not W × T × 10", "DL-6.1", group="target")
    armour: types.Save | None = asked(3, "Armour save", "DL-20.1", group="target", short="Save")
    invulnerable: types.Save | None = asked(None, "Invulnerable save", "DL-20.1", group="target", short="Inv")
    cover: types.Save | None = asked(
        None, "Cover save", "DL-20.1", group="target", form="circumstance", short="In cover"
    )
    gone_to_ground: bool = asked(
        False, "Gone to ground", "DL-20.1", group="target", form="circumstance", short="Gone to ground"
    )
    null_zone: bool = asked(
        False, "In a null zone", "DL-SM-57.2", group="target", form="circumstance", short="Null zone"
    )
    recorded: int = asked(0, "Damage recorded", "DL-24.2", group="target", unit="HP", ge=0, le=1000)
    model_rules: Names = asked((), "Special rules of the models", "DL-75.1", group="target", known=MODEL_RULES)
    others: tuple[OtherModels, ...] = asked(
        (), "Models of the unit that differ", "DL-25.1", group="target", short="model"
    )


def group_of(
    name: str,
    models: int,
    toughness: int,
    toughness_bonus: int,
    wounds: int,
    hp: int | None,
    rulings: Rulings,
    **more: Any,
) -> Group:
    """Return a group of models alike, with the HP given or those of its profile."""
    counted = toughness + toughness_bonus if rulings.bracketed_hp == "higher" else toughness
    return Group(
        name,
        models,
        hit_points(wounds, counted) if hp is None else hp,
        toughness=toughness + toughness_bonus,
        toughness_bonus=toughness_bonus,
        **more,
    )


def target_of(troops: TargetInputs, rulings: Rulings) -> Target:
    """Return the unit that is attacked, models that differ first; the best save is used without asking."""
    groups = [_group(other.name, other, other.rules, troops.unit_type, rulings) for other in troops.others]
    groups.append(_group(troops.unit or "models", troops, troops.model_rules, troops.unit_type, rulings))
    for group in groups:
        if group.recorded >= group.hp:
            raise BadInput.of(
                "recorded", f"must be less than the {group.hp} HP of a model; got {group.recorded}.", clause="DL-24.2"
            )
    names = [group.name for group in groups]
    if len(set(names)) < len(names):
        raise BadInput(f"every group of a unit needs a name of its own; got {', '.join(names)}.", field="others")
    return Target(
        tuple(groups),
        rulings,
        cover=troops.cover,
        gone_to_ground=troops.gone_to_ground,
        null_zone=troops.null_zone,
        picks_save=False,
    )


def _group(name: str, given: TargetInputs | OtherModels, model_rules: Names, unit_type: str, rulings: Rulings) -> Group:
    more = {field: getattr(given, field) for field in ("armour", "invulnerable", "recorded")}
    return group_of(
        name,
        given.models,
        given.toughness,
        given.toughness_bonus,
        given.wounds,
        given.hp,
        rulings,
        type=unit_type,
        rules=known_rules(model_rules, MODEL_RULES),
        ld=given.ld if isinstance(given, OtherModels) else 8,
        **more,
    )


def known_rules(names: Names, known: Collection[str]) -> Names:
    """Return special rules by name, as the rules know them; an unknown name is refused with the nearest one."""
    found = []
    for name in names:
        plain = _as_named(name)
        if plain not in known:
            like = nearest(plain, known)
            hint = f" Did you mean {like}?" if like else f" Known: {', '.join(known)}."
            raise BadInput(f"there is no special rule {name!r}.{hint}", field="rules")
        found.append(plain)
    return tuple(found)


def weapon_rules_named(names: Names) -> Names:
    """Return special rules of a weapon by name; refuse one that is unknown, or lacks the number it needs."""
    plain = tuple(map(_as_named, names))
    for name in plain:
        find_keyword(name, KEYWORDS, "special rule")
    return plain


def _as_named(name: str) -> str:
    return name.strip().lower().replace(" ", "_").replace("-", "_")


TROOPS = ("toughness", "toughness_bonus", "wounds", "armour", "invulnerable")


def fill_troops(given: Mapping[str, Any], book: ProfileBook) -> dict[str, Any]:
    """Fill in the numbers of the named unit, except where the player gives others."""
    if not given.get("unit"):
        return dict(given)
    unit: types.UnitProfile = book.find("unit", str(given["unit"]))
    numbers: dict[str, Any] = {name: getattr(unit, name) for name in ("models", *TROOPS)}
    numbers |= {"model_rules": list(unit.rules), "unit_type": unit.type}
    numbers["others"] = [
        {
            "name": group_profile.name,
            "models": group_profile.models,
            **{
                name: getattr(unit, name) if getattr(group_profile, name) is None else getattr(group_profile, name)
                for name in (*TROOPS, "ld")
            },
            "rules": list(group_profile.rules or unit.rules),
        }
        for group_profile in unit.groups
    ]
    return {**numbers, **given, "unit": unit.name}


def saves_used(procedure: Procedure, state: Any) -> Table | None:
    """Return the cells of Table 1 that are looked up if every choice takes its first option."""
    shares = story_by_default(procedure, state, share_lines)
    return saves_in_use((part.dmg, part.column) for _packet, _group, parts, _loss in shares for part in parts)


def lines_used(attack: VehicleAttack) -> Table:
    """Return Table 4 with the lines that an attack wrote on."""
    results = attack.packet_results
    hit_lines = [hit.line for packet in results for hit in packet.hits]
    return vehicle_table([*(packet.line for packet in results), *hit_lines])


def warn_troops(troops: TargetInputs) -> Iterable[str | Caution]:
    """Warn of what is unusual about a target."""
    if troops.gone_to_ground and troops.cover == 2:
        yield Caution("Cover cannot become better than 2+, so going to ground adds nothing", "DL-20.1")
    if troops.null_zone and troops.invulnerable is None and not any(other.invulnerable for other in troops.others):
        yield Caution("No model has an invulnerable save, so the null zone changes nothing", "DL-SM-57.2")


def warn_artillery(name: str, unit_type: str) -> Iterable[str | Caution]:
    """Warn that a crew without its guns takes only a part of what is fired at artillery."""
    if unit_type == "artillery":
        crew = name or "The target"
        instead = "shots go to crew and guns, and here the crew takes all; ask shoot_artillery"
        yield Caution(f"{crew} is artillery: {instead}", "DL-55.1")


# --- guns -------------------------------------------------------------------------------------------------------------


class Gun(Inputs, count="models", frozen=True):
    """A weapon as so many models of a unit fire it, and what those models are like."""

    weapon: str = asked("", "Weapon profile", group="attacker", profile="weapon")
    models: int = asked(1, "Models that fire it", "DL-19.2", group="attacker", form="count", ge=1, le=200)
    bs: types.Stat = asked(4, "BS", "DL-19.1", group="attacker", short="BS")
    strength: int | None = asked(4, "Strength", "DL-19.1", group="attacker", short="S", ge=1, le=12)
    ap: types.Ap | None = asked(None, "AP", "DL-20.1", group="attacker", short="AP")
    shots: int = asked(1, "Shots at full range", "DL-19.1", group="attacker", short="Shots", ge=1, le=1000)
    type: types.WeaponType = asked("assault", "Type", "DL-0.1", group="attacker")
    range: types.Inches = asked(24, "Range", "DL-29.1", group="attacker", unit="inches", short="Range")
    marker: types.Marker = asked("none", "Marker", "DL-30.8", group="attacker")
    hits: tuple[Annotated[int, Meta(ge=0, le=200)], ...] = asked(
        (), "Models under each marker", "DL-30.8", group="attacker"
    )
    rules: Names = asked((), "Special rules of the weapon", "DL-31.1", group="attacker", known=WEAPON_RULES)
    bearers: str = asked(
        "",
        "Who carries it",
        "DL-19.2",
        about="of their weapons the first that may fire is fired",
        group="attacker",
        profile="unit",
    )
    tank_hunters: bool = asked(False, "The firers are tank hunters", "DL-76.2", group="attacker")
    firer_type: types.UnitType = asked("infantry", "Unit type of the firers", "DL-0.1", group="attacker")
    firer_toughness: types.Least1 = asked(4, "Toughness of the firers", "DL-31.2", group="attacker")
    firer_toughness_bonus: types.Stat = asked(0, "Bracketed toughness above it", "DL-6.1", group="attacker")
    firer_wounds: types.Least1 = asked(1, "Wounds of the firers", "DL-31.2", group="attacker")
    firer_armour: types.Save | None = asked(3, "Armour save of the firers", "DL-31.2", group="attacker")
    firer_invulnerable: types.Save | None = asked(None, "Invulnerable save of the firers", "DL-31.2", group="attacker")
    firer_recorded: int = asked(0, "Damage recorded on the firers", "DL-31.2", group="attacker", ge=0, le=1000)


class ShootingInputs(TargetInputs, frozen=True):
    """A unit that shoots, and its target."""

    shooters: str = asked("", "Unit that shoots", group="attacker", profile="unit")
    guns: tuple[Gun, ...] = asked(
        (Gun(models=5, shots=2, ap=5),), "What is fired", "DL-19.2", group="attacker", short="gun"
    )
    distance: float = asked(
        12.0, "Distance", "DL-29.1", group="circumstances", unit="inches", form="circumstance", ge=0, le=240
    )
    moved: bool = asked(
        False, "The shooters have moved", "DL-0.1", group="circumstances", form="circumstance", short="Moved"
    )


def weapon_of(gun: Gun) -> types.WeaponProfile:
    """Return the weapon of a gun."""
    return types.WeaponProfile(
        name=gun.weapon or "gun",
        type=gun.type,
        strength=gun.strength,
        ap=gun.ap,
        range=gun.range,
        shots=gun.shots,
        marker=gun.marker,
        rules=weapon_rules_named(gun.rules),
    )


def warn_hits(aim: Aim, target: Target) -> Iterable[str | Caution]:
    """Warn of what players may have counted wrongly under a template or marker; a battle would refuse it."""
    refused = refuse_hits(aim.hits, aim.models * aim.shots, target.models)
    if refused is not None:
        yield Caution(f"{capital(aim.name)}: {refused.reason}", refused.clause)


def warn_range(name: str, weapon_type: str, weapon_range: int | None, rulings: Rulings) -> Iterable[str | Caution]:
    """Warn why range adds nothing to the BS of a heavy weapon."""
    if weapon_type != "heavy" or rulings.heavy_range_bonus == "off":
        return
    if weapon_range is None:
        yield Caution(f"{name} has no range here, so none adds to its BS", "DL-29.1")
    elif weapon_range >= types.UNLIMITED_RANGE:
        yield Caution(f"{name} has an unlimited range, so none adds to its BS", "DL-29.1")


def firers_of(guns: Sequence[Gun], rulings: Rulings) -> tuple[Group, ...]:
    """Return the models that fire, a group for each gun."""
    return tuple(
        group_of(
            f"firers of {gun.weapon or 'gun'}" + (f" ({at})" if at else ""),
            gun.models,
            gun.firer_toughness,
            gun.firer_toughness_bonus,
            gun.firer_wounds,
            None,
            rulings,
            type=gun.firer_type,
            bs=gun.bs,
            armour=gun.firer_armour,
            invulnerable=gun.firer_invulnerable,
            recorded=gun.firer_recorded,
        )
        for at, gun in enumerate(guns)
    )


def aims_of(
    guns: Sequence[Gun], target: Target, distance: float, moved: bool, rulings: Rulings, leave_out: bool = False
) -> tuple[tuple[Aim, ...], tuple[Group, ...]]:
    """Return the guns as fired, and the firing groups; a gun that may not fire is refused, or left out of a unit's."""
    if not guns:
        raise BadInput.of("guns", "must name at least one weapon; got none.")
    firers, aims = firers_of(guns, rulings), []
    for at, (gun, firer) in enumerate(zip(guns, firers, strict=True)):
        if gun.marker != "none" and not gun.hits:
            raise BadInput(
                f"{gun.weapon or 'a gun'} with a marker needs the models under it as hits; got none.",
                field="hits",
                clause="DL-30.8",
            )
        aim = aim_with(weapon_of(gun), firer, target, distance=distance, moved=moved, hits=gun.hits, firer=at)
        if not isinstance(aim, Refused):
            aims.append(aim)
        elif not leave_out or (at == len(guns) - 1 and not aims):
            raise aim
    return tuple(aims), firers


def fill_guns(given: Mapping[str, Any], book: ProfileBook, key: str = "guns") -> dict[str, Any]:
    """Fill in numbers of every named weapon, and the weapons of a named unit; a bare name will do for a weapon."""
    filled = dict(given)
    if given.get("shooters"):
        unit: types.UnitProfile = book.find("unit", str(given["shooters"]))
        circumstances = parse_inputs(
            ShootingInputs, {name: given[name] for name in ("distance", "moved") if name in given}
        )
        filled["shooters"] = unit.name
        filled.setdefault(key, first_guns(guns_of(unit, book), circumstances.distance, circumstances.moved, unit.type))
    guns = filled.get(key)
    if isinstance(guns, str) and guns.strip().lower() not in ("", "-", "none"):
        guns = split_entries(guns)
    if isinstance(guns, (list, tuple)):
        filled[key] = [fill_gun(gun, book, key) for gun in guns]
    return filled


def fill_gun(entry: Any, book: ProfileBook, key: str = "guns") -> Any:
    """Fill in one weapon: given by its name, as “4 x Bolter”, or with numbers."""
    if isinstance(entry, Inputs):
        return entry
    entry = named_entry(entry, "weapon", known=book.entries["weapon"], source=key)
    if not isinstance(entry, Mapping) or not entry.get("weapon"):
        return entry
    weapon = modes(book, str(entry["weapon"]))[0]
    return {**weapon_numbers(weapon), **entry, "weapon": weapon.name}


def weapon_numbers(weapon: types.WeaponProfile) -> dict[str, Any]:
    """Return the numbers of a weapon profile that a gun has."""
    names = ("strength", "ap", "shots", "type", "range", "marker", "rules")
    return {name: getattr(weapon, name) for name in names}


def guns_of(unit: types.UnitProfile, book: ProfileBook) -> list[dict[str, Any]]:
    """Return every gun that a unit can fire, in the order of each group's weapons; artillery fires its guns only."""
    groups = groups_of(unit)
    wounds = [*(group_profile.wounds or unit.wounds for group_profile in unit.groups), unit.wounds]
    served = gunners(groups) if unit.guns else None
    guns: list[dict[str, Any]] = []
    for group, each in zip(groups, wounds, strict=True):
        if served not in (None, group):
            continue
        number = unit.guns or group.models
        ways = [way for name in (unit.weapons if unit.guns else group.weapons) for way in modes(book, name)]
        for weapon in ways:
            if refuse_unasked(weapon) is None:
                guns.append(
                    {
                        "weapon": weapon.name,
                        "models": number,
                        "bearers": group.name,
                        "bs": group.bs,
                        "tank_hunters": TANK_HUNTERS in group.rules,
                        "firer_type": unit.type,
                        "firer_toughness": group.own_toughness,
                        "firer_toughness_bonus": group.toughness_bonus,
                        "firer_wounds": each,
                        "firer_armour": group.armour,
                        "firer_invulnerable": group.invulnerable,
                        **weapon_numbers(weapon),
                        **({} if weapon.marker == "none" else {"hits": (1,) * (number * weapon.shots)}),
                    }
                )
    return guns


@clause("DL-19.2")
def guns_that_fire(guns: Iterable[Gun], distance: float) -> list[Gun]:
    """Return the guns of a unit that reach a target, the first of each bearer."""
    firing: dict[object, Gun] = {}
    for at, gun in enumerate(guns):
        if not isinstance(shots_at(gun.type, gun.shots, reach_of(weapon_of(gun)), distance), Refused):
            firing.setdefault(gun.bearers or at, gun)
    return list(firing.values())


@clause("DL-19.2")
def first_guns(
    guns: Sequence[dict[str, Any]], distance: float, moved: bool, unit_type: str = "infantry"
) -> list[dict[str, Any]]:
    """Return the first weapon of each bearer that may fire; if none may, the first of all, which is then refused."""
    chosen: dict[str, dict[str, Any]] = {}
    fires: set[str] = set()
    for gun in guns:
        bearers = gun["bearers"]
        weapon = types.WeaponProfile(**{name: gun[name] for name in ("type", "range", "marker")})
        may = not isinstance(shots_at(gun["type"], 1, reach_of(weapon), distance, moved, unit_type), Refused)
        if bearers not in chosen or (may and bearers not in fires):
            chosen[bearers] = gun
        fires |= {bearers} if may else set()
    return list(chosen.values())


# --- vehicles ---------------------------------------------------------------------------------------------------------


def _boxes(count: int) -> tuple[str, ...]:
    """Return the boxes of a row, from the left."""
    return tuple(map(str, range(count)))


class BoxInputs(Inputs, frozen=True):
    """A vehicle's sheet without the damage on its lines: ticked boxes, and what is left of it."""

    vehicle_weapons: Names = asked(
        ("weapon",), "Weapons that it has left", "DL-60.17", group="target", profile="weapon"
    )
    immobilised: bool = asked(False, "It is immobilised", "DL-60.2", group="target")
    open_topped: bool = asked(False, "It is open-topped", "DL-70.2", group="target")
    glancing_ticked: tuple[Annotated[int, Meta(ge=0, le=6)], ...] = asked(
        (), "Ticked glancing boxes", "DL-60.17", about="the first is 0", group="target", known=_boxes(7)
    )
    penetrating_ticked: tuple[Annotated[int, Meta(ge=0, le=5)], ...] = asked(
        (), "Ticked penetrating boxes", "DL-60.17", about="the first is 0", group="target", known=_boxes(6)
    )


class LineInputs(BoxInputs, frozen=True):
    """A vehicle's sheet: damage on its lines, ticked boxes, what is left of it."""

    line_a: LineDmg = asked(0, "DMG on line A", "DL-60.13", group="target")
    line_b: LineDmg = asked(0, "DMG on line B", "DL-60.13", group="target")
    line_c: LineDmg = asked(0, "DMG on line C", "DL-60.13", group="target")
    line_d: LineDmg = asked(0, "DMG on line D", "DL-60.13", group="target")
    line_e: LineDmg = asked(0, "DMG on line E", "DL-60.13", group="target")
    line_f: LineDmg = asked(0, "DMG on line F", "DL-60.13", group="target")


class TargetVehicleInputs(LineInputs, frozen=True):
    """A vehicle that is attacked, and its sheet."""

    vehicle: str = asked("", "Vehicle profile", group="target", profile="vehicle")
    av: types.Armour = asked(10, "Armour of the side that is hit", "DL-60.7", group="target", short="Armour")
    speed: Speed = asked(
        "cruising", "Speed of its last move", "DL-60.2", group="target", form="circumstance", short="Speed"
    )


def sheet_of(boxes: BoxInputs, rulings: Rulings) -> DamageSheet:
    """Return the sheet of a vehicle as it stands; without lines nothing is written on them."""
    for row, boxes_of_row in zip(("glancing", "penetrating"), ROWS[rulings.rows].values(), strict=True):
        last, ticks = len(boxes_of_row) - 1, getattr(boxes, f"{row}_ticked")
        if max(ticks, default=0) > last:
            raise BadInput(
                f"the {row} row has the boxes 0 to {last} with rows={rulings.rows}; got {max(ticks)}",
                field=f"{row}_ticked",
                clause="DL-60.16",
            )
    damage = new_sheet(boxes.vehicle_weapons, boxes.open_topped, rulings)
    numbers = tuple(getattr(boxes, f"line_{line.lower()}", 0) for line in LINES)
    ticked = tuple(sorted({*damage.glancing, *boxes.glancing_ticked}))
    values: dict[str, Any] = asdict(damage) | {
        "lines": numbers,
        "glancing": ticked,
        "penetrating": tuple(sorted(set(boxes.penetrating_ticked))),
        "immobilised": boxes.immobilised,
    }
    sheet = DamageSheet(**values)
    raise_if_refused(refuse_target(sheet))
    return sheet


def fill_hull(given: Mapping[str, Any], book: ProfileBook) -> dict[str, Any]:
    """Fill in the numbers of the named vehicle, except where the player gives others."""
    if not given.get("vehicle"):
        return dict(given)
    vehicle: types.VehicleProfile = book.find("vehicle", str(given["vehicle"]))
    numbers = {
        "av": armour_at(vehicle, given.get("facing", "front")),
        "vehicle_weapons": list(vehicle.weapons),
        "open_topped": "open_topped" in vehicle.types,
    }
    return {**numbers, **given, "vehicle": vehicle.name}
