"""Assaulting a vehicle: which models strike, how often, and which armour counts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from battletape.rulebook import Line, Procedure, Refused, State, Tape, UnknownName, clause, plain, plural, replace
from battletape.rulesets.vehicles5.profiles.types import WeaponProfile
from battletape.rulesets.vehicles5.rules import damage
from battletape.rulesets.vehicles5.rules.keywords import shot_with_rules
from battletape.rulesets.vehicles5.rules.shooting import BlowAt, Shot, ShotDraft, Volley, fire, roll_and_apply
from battletape.rulesets.vehicles5.rules.terrain import roll_difficult
from battletape.rulesets.vehicles5.rules.traits import Band, PenDice, Traits
from battletape.rulesets.vehicles5.rules.troops import COHERENCY
from battletape.rulesets.vehicles5.rulings import DEFAULT, Rulings
from battletape.rulesets.vehicles5.tables.printed import ASSAULT_TO_HIT, GRENADES
from battletape.table.distances import Thing, gap, touches
from battletape.table.facings import Facing
from battletape.table.points import TOLERANCE

REACH = 6  # inches of a charge over open ground


class Melee(Volley, frozen=True):
    """The state of an assault: one volley of blows."""

    walker: bool = False
    wounds: int = 0  # damage rolls against a walker


@clause("V5-ASLT-1", "V5-CORE-16", "V5-DMG-5", "V5-DMG-6")
def refuse_assault(same_side: bool, target: damage.Condition = damage.UNDAMAGED) -> Refused | None:
    """Refuse an assault on a friend or on a destroyed vehicle."""
    if same_side:
        return Refused("a vehicle of its own side is no target; any enemy vehicle in reach is", "V5-ASLT-1", "side")
    if target.is_destroyed:
        return Refused("this vehicle is already destroyed", target.ended_by, "destroyed")
    return None


@clause("V5-CORE-16", "V5-ASLT-2")
def refuse_reach(inches: float, target: str = "the target") -> Refused | None:
    """Refuse a charge at a target that is too far away."""
    if inches <= REACH + TOLERANCE:
        return None
    reason = f"a charge reaches {REACH} inches, or the higher of two dice through difficult ground"
    return Refused(f"{reason}; {target} is {inches:.4g} away", "V5-CORE-16", "reach")


@clause("V5-CORE-16", "V5-ASLT-2", "V5-WALK-1")
def roll_reach(tape: Tape, through_difficult: bool = False) -> int:
    """Return how many inches a charge covers; difficult ground calls for dice."""
    return int(tape.call(roll_difficult)) if through_difficult else REACH


@clause("V5-ASLT-3", "V5-ASLT-2")
def count_strikers(models: Sequence[tuple[float, float | None]]) -> int:
    """Count the models that strike, by the gaps of each to the hull and to a friend in contact with it."""
    near = COHERENCY + TOLERANCE
    return sum(hull <= TOLERANCE or (friend is not None and friend <= near) for hull, friend in models)


def gaps_to(target: Thing, unit: Sequence[Thing]) -> list[tuple[float, float | None]]:
    """Return the gaps of each model to a vehicle, and to the nearest friend in contact with it."""
    in_contact = [model for model in unit if touches(model, target)]
    friends = (min((gap(model, other) for other in in_contact), default=None) for model in unit)
    return [(gap(model, target), friend) for model, friend in zip(unit, friends, strict=True)]


@clause("V5-ASLT-2")
def refuse_contact(unit: Sequence[Thing], target: Sequence[Thing]) -> Refused | None:
    """Refuse a charge that brings no model into contact."""
    if any(touches(model, other) for model in unit for other in target):
        return None
    return Refused("a charge must bring a model into contact, and this one brings none", "V5-ASLT-2", "contact")


@clause("V5-ASLT-3")
def attack_count(models: int, a: int, two_weapons: bool, charged: bool) -> int:
    """Return how many attacks so many models make."""
    return models * (a + two_weapons + charged)


@clause("V5-ASLT-5")
def vehicle_to_hit(assault_band: Band, immobilised: bool = False) -> int:
    """Return what a blow needs to hit a vehicle at this speed; 0 is no roll."""
    return ASSAULT_TO_HIT["stationary" if immobilised else assault_band]


@clause("V5-ASLT-7", "V5-WALK-9", "V5-WALK-17")
def facing_struck(traits: Traits, contact: Facing = "rear", rulings: Rulings = DEFAULT) -> Facing:
    """Return the facing whose armour blows have to beat; for a walker always its front."""
    if traits.walker:
        return "front"
    return contact if rulings.assault_facing == "contact" else "rear"


class Blow(State, frozen=True):
    """One kind of close combat attack."""

    name: str
    attacks: int
    strength: int
    dice: PenDice = "d6"
    grenade: bool = False
    rules: tuple[str, ...] = ()
    power: bool = False  # no armour save stops it


class WalkerDamage(State, frozen=True):
    """The condition of a walker under blows, and the damage rolls made against it."""

    condition: damage.Condition
    wounds: int = 0


@clause("V5-GREN-1", "V5-GREN-2", "V5-GREN-3", "V5-ASLT-4")
def grenade_blow(name: str, models: int, arsenal: Iterable[WeaponProfile] = ()) -> Blow:
    """Return a blow with a grenade for each of so many models, by its profile or by its printed kind."""
    kind = grenade_kind(name)
    thrown = [weapon for weapon in arsenal if weapon.type == "grenade"]
    for weapon in thrown:
        if weapon.name.lower() == name.strip().lower():
            up_close = shot_with_rules(ShotDraft(name, half_range=True), weapon.rules).dice
            return Blow(plain(kind), models, weapon.strength or 1, up_close, grenade=True)
    if kind not in GRENADES:
        raise UnknownName("grenade", name, [*GRENADES, *(weapon.name for weapon in thrown)])
    strength, dice = GRENADES[kind]
    return Blow(plain(kind), models, strength, dice, grenade=True)


def grenade_kind(name: str) -> str:
    """Return the kind of a grenade: “Krak grenade” is krak, “Frag grenade” is assault."""
    kind = name.strip().lower().replace(" ", "_").removesuffix("_grenade")
    return "assault" if kind == "frag" else kind


@clause("V5-ASLT-6", "V5-GREN-3")
def shots_of_blow(
    blow: Blow,
    hits_on: int,
    av: int,
    open_topped: bool = False,
    rulings: Rulings = DEFAULT,
    by: str = "attacker",
    walker: bool = False,
) -> tuple[Shot, ...]:
    """Return every attack of one kind, ready to be rolled: without AP or cover, and at close range."""
    at: BlowAt = "walker" if walker else "vehicle"
    draft = ShotDraft(blow.name, hits_on, blow.strength, av, dice=blow.dice, half_range=True, blow_at=at)
    shot = shot_with_rules(replace(draft, open_topped=open_topped, by=by), blow.rules, rulings)
    return (shot,) * blow.attacks


@clause("V5-WALK-12")
def resolve_blows_at_walker(
    tape: Tape, condition: damage.Condition, blows: tuple[Shot, ...], name: str = damage.VEHICLE
) -> WalkerDamage:
    """Strike all blows of one step of a fight at a walker; they fall at once."""
    walker_damage = tape.each(resolve_blow_at_walker, WalkerDamage(condition), blows)
    if blows:
        tape.tell(damage.damage_line, name, condition, walker_damage.condition)
    return walker_damage


@clause("V5-WALK-12", "V5-VOLLEY-2")
def resolve_blow_at_walker(tape: Tape, walker_damage: WalkerDamage, blow: Shot) -> WalkerDamage:
    """Resolve one blow at a walker; each damage roll counts as a wound."""
    return roll_and_apply(tape, walker_damage.condition, blow, _after_blow, walker_damage, changed_blow_line)


def _after_blow(walker_damage: WalkerDamage, result: damage.DamageResult) -> WalkerDamage:
    if result[0] is None:
        return walker_damage
    return WalkerDamage(damage.apply_result(walker_damage.condition, result), walker_damage.wounds + 1)


@clause("V5-ASLT-6", "V5-ASLT-5", "V5-VOLLEY-1", "V5-VOLLEY-2", "V5-WALK-8", "V5-WALK-12")
def strike_blows(tape: Tape, melee: Melee) -> Volley:
    """Strike every blow; at a walker, count the damage rolls."""
    if not melee.walker:
        return fire(tape, melee)
    blows = () if melee.now.is_destroyed else melee.volleys[0]
    rest = replace(melee, now=melee.start)
    return tape.call(resolve_blows_at_walker, melee.now, blows, then=_after_blows, rest=rest, tell=wounds_line)


def _after_blows(melee: Melee, walker_damage: WalkerDamage) -> Melee:
    return replace(melee, now=walker_damage.condition, wounds=walker_damage.wounds)


ASSAULT = Procedure("assault", (strike_blows,))


# --- what is told ---------------------------------------------------------------------------------------------------


def changed_blow_line(walker_damage: WalkerDamage, result: damage.DamageResult) -> Line | None:
    """Say why a blow at a walker does something else than the table says."""
    return damage.changed_result_line(walker_damage.condition, result)


def wounds_line(melee: Melee, walker_damage: WalkerDamage) -> Line:
    """Say how many wounds the side of a walker has suffered for the result of the fight."""
    wounds = plural(walker_damage.wounds, "wound")
    return Line(f"The walker's side has suffered {wounds} for the result", ("V5-WALK-12",), result=wounds)
