"""The question `focus`: which target each unit should fire at, to concentrate or to spread."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any, Literal

from battletape.cards import (
    Goal,
    Inputs,
    Lead,
    Line,
    Measure,
    ProfileBook,
    Question,
    Table,
    asked,
    parse_pairs,
    split_entries,
)
from battletape.rulebook import (
    BadInput,
    Caution,
    Procedure,
    Refused,
    State,
    Tape,
    by_default,
    clause,
    labelled,
    lines_by_default,
    listed,
    plural,
    replace,
)
from battletape.rulesets.diceless40k.profiles import types
from battletape.rulesets.diceless40k.questions import _inputs
from battletape.rulesets.diceless40k.questions.shoot_vehicle import HULL_RULINGS
from battletape.rulesets.diceless40k.rules import vehicles
from battletape.rulesets.diceless40k.rules.attacks import aim_with
from battletape.rulesets.diceless40k.rules.casualties import Losses, Target
from battletape.rulesets.diceless40k.rules.characteristics import Group
from battletape.rulesets.diceless40k.rules.damage_rows import DamageSheet, new_sheet
from battletape.rulesets.diceless40k.rules.morale import must_check, take_morale_test
from battletape.rulesets.diceless40k.rules.shooting import SHOOTING, Shooting, shots_at
from battletape.rulesets.diceless40k.rulings import Rulings

if TYPE_CHECKING:
    from battletape.answer import Answer, Roll

MAX_PLANS = 5_000
BEST_PLANS = 5
ABOVE_ANY_HP = 1_000_000  # more than any targets have
HOLD = "nothing"
BROKEN_WORTH = 100  # order points that a unit which breaks is worth more than its test


class ShooterInput(Inputs, count="models", frozen=True):
    """A unit that fires: a profile, or models alike with one weapon."""

    unit: str = asked("", "Unit profile", group="attacker", profile="unit")
    name: str = ""
    models: int = asked(5, ge=1, le=200)
    weapon: str = asked("", "Weapon profile", group="attacker", profile="weapon")
    bs: types.Stat = 4
    strength: int | None = asked(4, ge=1, le=12)
    ap: types.Ap | None = 5
    shots: int = asked(1, ge=1, le=100)
    type: types.WeaponType = "rapid_fire"
    range: types.Inches = 24
    rules: _inputs.WeaponRules = ()
    guns: tuple[_inputs.Gun, ...] = asked(
        (), "All that a profile can fire", "DL-19.2", group="attacker", short="weapon"
    )


class TargetInput(Inputs, count="models", frozen=True):
    """A target: a profile of a unit or of a vehicle, or its numbers; with an armour value it is a vehicle."""

    unit: str = asked("", "Unit or vehicle profile", group="target", profile="unit")
    unit_type: types.UnitType = "infantry"
    name: str = ""
    distance: float = asked(12.0, ge=0, le=240)
    models: int = asked(5, ge=1, le=200)
    toughness: types.Least1 = 4
    wounds: types.Least1 = 1
    armour: types.Save | None = 3
    invulnerable: types.Save | None = None
    cover: types.Save | None = None
    recorded: int = asked(0, ge=0, le=1000)
    ld: types.Leadership = 8
    op: _inputs.Op = 0
    av: types.Armour | None = None
    speed: vehicles.Speed = "cruising"
    weapons: int = asked(1, ge=0, le=12)
    open_topped: bool = False
    toughness_bonus: types.Stat = 0
    model_rules: _inputs.ModelRules = ()
    others: tuple[_inputs.OtherModels, ...] = asked(
        (), "Models of the unit that differ", "DL-25.1", group="target", short="model"
    )


class FocusInputs(Inputs, frozen=True):
    """Units that fire, targets, and what is wanted."""

    shooters: tuple[ShooterInput, ...] = asked(
        (ShooterInput(name="squad"),), "Shooters", "DL-PREP.12", group="attacker", short="shooter"
    )
    targets: tuple[TargetInput, ...] = asked(
        (TargetInput(name="enemy"),), "Possible targets", "DL-PREP.12", group="target", short="target"
    )
    wanted: Literal["hp", "models", "wreck", "order_points"] = asked(
        "hp",
        "Goal",
        "DL-PREP.12",
        group="circumstances",
        note="HP, models: most taken off; wreck: hits on vehicles; order points: tests, and units that break",
    )


class Shooter(State, frozen=True):
    """A unit that fires: its guns by name."""

    name: str
    guns: tuple[_inputs.Gun, ...]


class Volley(State, frozen=True):
    """The shots of one unit at a target, and what they do to troops or to a vehicle."""

    unit: str
    shooting: Shooting | None = None
    attack: vehicles.VehicleAttack | None = None
    before: Shooting | vehicles.VehicleAttack | None = None  # before the first shot


class FocusTarget(State, frozen=True):
    """A target before and after: troops with their nerves, or a vehicle, and the volleys that it has suffered."""

    name: str
    distance: float
    troops: Target | None = None
    sheet: DamageSheet | None = None
    av: int = 10
    speed: vehicles.Speed = "cruising"
    cover: int | None = None
    models_before: int = 0
    op: int = 0
    volleys: tuple[Volley, ...] = ()

    @property
    def is_gone(self) -> bool:
        """True if no model of it, or no vehicle, is left to fire at."""
        return bool(self.sheet.destroyed) if self.sheet is not None else not (self.troops and self.troops.models)

    @property
    def shots(self) -> tuple[Shooting, ...]:
        """The volleys fired at troops."""
        return tuple(volley.shooting for volley in self.volleys if volley.shooting is not None)

    @property
    def attacks(self) -> tuple[vehicles.VehicleAttack, ...]:
        """The volleys fired at a vehicle."""
        return tuple(volley.attack for volley in self.volleys if volley.attack is not None)


class Plan(State, frozen=True):
    """Which unit fires at which enemy, and what comes of it."""

    shooters: tuple[Shooter, ...]
    targets: tuple[FocusTarget, ...]
    wanted: str
    rulings: Rulings
    orders: tuple[tuple[str, str], ...] = ()


@clause("DL-PREP.12", "DL-25.1")
def begin_focus(inputs: FocusInputs, rulings: Rulings) -> Plan:
    """Return all units that fire and all targets, by names of their own."""
    shooters = tuple(_shooter(unit, at) for at, unit in enumerate(inputs.shooters, 1))
    targets = tuple(_target(target, at, rulings) for at, target in enumerate(inputs.targets, 1))
    for what, units in (("shooters", shooters), ("targets", targets)):
        names = [named.name for named in units]
        if not names or len(set(names)) < len(names):
            raise BadInput.of(
                what, f"needs at least one, each with a name of its own; got {', '.join(names) or 'none'}."
            )
    plan = Plan(shooters, targets, inputs.wanted, rulings)
    ways = prod(len(in_reach(plan, unit)) for unit in shooters)
    if ways > MAX_PLANS:
        text = f"{len(shooters)} shooters and {len(targets)} targets make {ways:,} plans; {MAX_PLANS:,} are the most"
        raise BadInput(f"{text}, so ask about fewer of them.", field="shooters")
    return plan


def _shooter(unit: ShooterInput, at: int) -> Shooter:
    name = unit.name or unit.unit or f"squad {at}"
    if unit.unit or unit.guns:
        return Shooter(name, unit.guns)
    gun = _inputs.Gun(
        weapon=unit.weapon,
        models=unit.models,
        bs=unit.bs,
        strength=unit.strength,
        ap=unit.ap,
        shots=unit.shots,
        type=unit.type,
        range=unit.range,
        rules=unit.rules,
    )
    return Shooter(name, (gun,))


def _target(given: TargetInput, at: int, rulings: Rulings) -> FocusTarget:
    name = given.name or given.unit or f"target {at}"
    if given.av is not None:
        sheet = new_sheet([f"weapon {number}" for number in range(1, given.weapons + 1)], given.open_topped, rulings)
        return FocusTarget(
            name,
            given.distance,
            sheet=sheet,
            av=given.av,
            speed=given.speed,
            cover=given.cover,
        )
    troops = _inputs.TargetInputs(
        **{field: getattr(given, field) for field in _inputs.TargetInputs.__struct_fields__ if hasattr(given, field)}
    )
    target = _inputs.target_of(replace(troops, unit=name), rulings)
    *others, group = target.groups
    target = replace(target, groups=(*others, replace(group, ld=given.ld)), by="nobody")
    return FocusTarget(name, given.distance, troops=target, models_before=target.models, op=given.op)


@clause("DL-PREP.12")
def give_orders(tape: Tape, plan: Plan) -> Plan:
    """Choose unit by unit the enemy to fire at, among those that any of its guns reaches."""
    return tape.each(_order, plan, plan.shooters)


def _order(tape: Tape, plan: Plan, unit: Shooter) -> Plan:
    chosen = tape.choose(in_reach(plan, unit), by="attacker", label=labelled(unit.name, "fires at"))
    tape.tell(Line, f"Orders: {unit.name} at {chosen}", ("DL-PREP.12",), result=chosen)
    return replace(plan, orders=(*plan.orders, (unit.name, chosen)))


def in_reach(plan: Plan, unit: Shooter) -> tuple[str, ...]:
    """Return the targets that any gun of a unit reaches; without one it fires at nothing."""
    return _near(unit, plan.targets) or (HOLD,)


@lru_cache(1024)
def _near(unit: Shooter, targets: tuple[FocusTarget, ...]) -> tuple[str, ...]:
    return tuple(target.name for target in targets if _in_range(unit, target))


def _in_range(unit: Shooter, target: FocusTarget) -> list[_inputs.Gun]:
    """Return the guns of a unit that reach a target, the first of each bearer."""
    return _inputs.guns_that_fire(unit.guns, target.distance)


@clause("DL-19.2", "DL-60.5", "DL-60.23", "DL-8.1")
def fire(tape: Tape, plan: Plan) -> Plan:
    """Fire unit by unit, each with its own packets on what is left; enemies that lost a quarter then test."""
    after = replace(plan, targets=tuple(target_after_fire(plan, target) for target in plan.targets))
    tape.tell(fire_lines, after)
    return after


def target_after_fire(plan: Plan, target: FocusTarget) -> FocusTarget:
    """Return a target after all the fire that the orders bring upon it."""
    aiming = {name for name, at in plan.orders if at == target.name}
    return _after(plan.rulings, target, tuple(unit for unit in plan.shooters if unit.name in aiming))


@lru_cache(4096)
def _after(rulings: Rulings, target: FocusTarget, shooters: tuple[Shooter, ...]) -> FocusTarget:
    """Return a target after the volleys of some units; cached, as every lesser choice takes its first option."""
    if not shooters:
        return target
    *before, last = shooters
    left = _after(rulings, target, tuple(before))
    guns = [] if left.is_gone else _in_range(last, left)
    if not guns:
        return left
    return (
        _after_volley_at_models(rulings, left, last, guns)
        if left.sheet is None
        else _after_volley_at_vehicle(rulings, left, left.sheet, last, guns)
    )


def _after_volley_at_models(
    rulings: Rulings, target: FocusTarget, unit: Shooter, guns: Iterable[_inputs.Gun]
) -> FocusTarget:
    """Return troops after a unit's volley."""
    assert target.troops is not None
    aims = []
    for gun in guns:
        firers = Group("firers", gun.models, 1, bs=gun.bs)
        aim = aim_with(_inputs.weapon_of(gun), firers, target.troops, distance=target.distance, hits=gun.hits)
        aims += [] if isinstance(aim, Refused) else [aim]
    before = Shooting(rulings, tuple(aims), target.troops, by="firers")
    shooting = by_default(SHOOTING, before)
    volleys = (*target.volleys, Volley(unit.name, shooting=shooting, before=before))
    return replace(target, volleys=volleys, troops=replace(shooting.target, losses=Losses()))


def _after_volley_at_vehicle(
    rulings: Rulings, target: FocusTarget, sheet: DamageSheet, unit: Shooter, guns: Iterable[_inputs.Gun]
) -> FocusTarget:
    """Return a vehicle after a unit's volley; once it is immobilised it is easier to hit."""
    speed, packets = vehicles.speed_for_firers(target.speed, sheet.immobilised), []
    for gun in guns:
        shots = shots_at(gun.type, gun.shots, gun.range, target.distance)
        number = 0 if isinstance(shots, Refused) else shots
        weapon, hits = _inputs.weapon_of(gun), sum(gun.hits)
        firing = vehicles.firing_with(weapon, gun.bs, target.av, gun.models, number, target.distance, hits=hits)
        firing = replace(firing, tank_hunters=gun.tank_hunters)
        packets.append(vehicles.packet_on(firing, speed, target.cover, rulings))
    before = vehicles.VehicleAttack(sheet, vehicles.sum_hull_packets(packets), rulings, by="firers")
    attack = by_default(vehicles.VEHICLE_ATTACK, before)
    volleys = (*target.volleys, Volley(unit.name, attack=attack, before=before))
    return replace(target, volleys=volleys, sheet=attack.damage)


# --- what is wanted ---------------------------------------------------------------------------------------------------


def hp(plan: Plan) -> int:
    """Return the HP taken off all targets."""
    return sum(shot.target.hp_removed for target in plan.targets for shot in target.shots)


def models(plan: Plan) -> int:
    """Return the models removed."""
    return sum(map(_removed, plan.targets))


def _removed(target: FocusTarget) -> int:
    return sum(shot.target.removed for shot in target.shots)


def wrecked(plan: Plan) -> int:
    """Return the number of vehicles wrecked or exploded."""
    return sum(bool(target.sheet.destroyed) for target in plan.targets if target.sheet is not None)


def hull_hits(plan: Plan) -> int:
    """Return the glancing and penetrating hits, of which a penetrating one counts twice."""
    attacks = [attack for target in plan.targets for attack in target.attacks]
    return sum(attack.glancing + 2 * attack.penetrating for attack in attacks)


@clause("DL-8.1")
def test_effects(plan: Plan) -> tuple[int, int]:
    """Order points that the targets must add, and how many of them break."""
    added = broken = 0
    for target in plan.targets:
        if target.troops is not None and target.troops.models and must_check(target.models_before, _removed(target)):
            test_result = take_morale_test(target.troops.groups, target.op, target.models_before)
            if test_result is not None:
                added += test_result.op - target.op
                broken += not test_result.passed
    return added, broken


def wanted(plan: Plan) -> int:
    """Return how good the plan is for the goal; a wreck or a unit that breaks counts a hundred."""
    if plan.wanted == "wreck":
        return BROKEN_WORTH * wrecked(plan) + hull_hits(plan)
    if plan.wanted == "order_points":
        added, broken = test_effects(plan)
        return added + BROKEN_WORTH * broken
    return hp(plan) if plan.wanted == "hp" else models(plan)


def worth(plan: Plan) -> Fraction:
    """Return the worth of a plan; HP are added as a fraction, to decide between plans that are as good."""
    return wanted(plan) + Fraction(hp(plan), ABOVE_ANY_HP)


def focus_headline(answer: Answer) -> str:
    """Say which unit fires at which enemy, and what it brings."""
    (plan,) = answer.states.weights
    aims = dict.fromkeys(target for _, target in plan.orders)
    orders = [f"{listed(units)} at {at}" for at in aims for units in [[unit for unit, to in plan.orders if to == at]]]
    how = "Fire" if len(plan.orders) == 1 else "Concentrate" if len(aims) == 1 else "Spread"
    return f"{how}: {listed(orders)}; that brings {effect_text(plan)}."


def effect_text(plan: Plan) -> str:
    """Say what a plan brings, in the words of its goal."""
    added, broken = test_effects(plan)
    attacks = [attack for target in plan.targets for attack in target.attacks]
    glancing, penetrating = (sum(getattr(attack, kind) for attack in attacks) for kind in ("glancing", "penetrating"))
    hits = f"{glancing} glancing and {plural(penetrating, 'penetrating hit')}"
    return {
        "hp": f"{hp(plan)} HP",
        "models": plural(models(plan), "model"),
        "wreck": f"{plural(wrecked(plan), 'wreck')}, {hits}" if wrecked(plan) else f"{hits}, no wreck",
        "order_points": f"{added} order points, {plural(broken, 'unit')} broken",
    }[plan.wanted]


def fire_lines(plan: Plan) -> Iterator[Line]:
    """Tell every volley number by number; each is played once more for its log lines."""
    for target in plan.targets:
        for volley in target.volleys:
            stages = SHOOTING if volley.attack is None else vehicles.VEHICLE_ATTACK
            for line in lines_by_default(stages, volley.before):
                yield Line(f"{volley.unit} at {target.name}: {line.text}", line.clauses, result=line.result)
    added, broken = test_effects(plan)
    if added:
        yield Line(f"Tests add {added} order points; {plural(broken, 'unit')} break", ("DL-8.1",))


def plan_table(answer: Answer) -> Table:
    """Show the best plans in order, and each way to concentrate; the best one is marked.

    Those that concentrate are looked at first, because there may not be time for all.
    """
    start: Plan = answer.start
    near = [in_reach(start, unit) for unit in start.shooters]
    names = [unit.name for unit in start.shooters]
    ways = list(enumerate(product(*near)))
    plans_by_place = {
        at: fire_by_rule(replace(start, orders=tuple(zip(names, way, strict=True))))
        for at, way in answer.in_time(sorted(ways, key=lambda counted: len(set(counted[1]))))
    }
    plans = [plans_by_place[at] for at in sorted(plans_by_place, key=lambda at: (-worth(plans_by_place[at]), at))]
    alike = [plan for plan in plans[BEST_PLANS:] if len({target for _, target in plan.orders}) == 1]
    rows = tuple(
        (*(target for _, target in plan.orders), effect_text(plan))
        for plan in (*plans[:BEST_PLANS], *alike[:BEST_PLANS])
    )
    title = "Plans, the best first" if len(plans) == len(ways) else f"The best of {len(plans):,} of {len(ways):,} plans"
    return Table(title, (*names, "brings"), rows, "DL-PREP.12", (0, len(names)))


def fire_by_rule(plan: Plan) -> Plan:
    """Return a plan carried out."""
    done: Plan = by_default(FOCUSING.stages[1:], plan)
    return done


def fill_focus(given: Mapping[str, Any], book: ProfileBook) -> dict[str, Any]:
    """Fill in profiles of shooters and targets."""
    filled = dict(given)
    for key, write in (("shooters", _fill_shooter), ("targets", _fill_target)):
        entries = filled.get(key)
        if isinstance(entries, str) and entries.strip().lower() not in ("", "-", "none"):
            entries = split_entries(entries)
        if isinstance(entries, (list, tuple)):
            filled[key] = [write(_pairs(entry, key), book) for entry in entries]
    return filled


def _pairs(entry: Any, key: str) -> Any:
    if isinstance(entry, str):
        return parse_pairs(entry, key, "unit")
    return entry


def _fill_shooter(entry: Any, book: ProfileBook) -> Any:
    if not isinstance(entry, Mapping):
        return entry
    if entry.get("unit"):
        unit: types.UnitProfile = book.find("unit", str(entry["unit"]))
        return {"guns": _inputs.guns_of(unit, book), **entry, "unit": unit.name}
    if entry.get("weapon"):
        gun = _inputs.fill_gun({"weapon": entry["weapon"]}, book)
        return {**{key: value for key, value in gun.items() if key != "marker"}, **entry}
    return entry


def _fill_target(entry: Any, book: ProfileBook) -> Any:
    if not isinstance(entry, Mapping) or not entry.get("unit"):
        return entry
    name = str(entry["unit"])
    known = {vehicle.lower() for vehicle in book.entries["vehicle"]}
    if name.strip().lower() in known:
        vehicle: types.VehicleProfile = book.find("vehicle", name)
        numbers = {"av": vehicle.front, "weapons": len(vehicle.weapons), "open_topped": "open_topped" in vehicle.types}
        return {**numbers, **entry, "unit": vehicle.name}
    return {"ld": book.find("unit", name).ld, **_inputs.fill_troops(entry, book)}


def warn_focus(inputs: FocusInputs, rulings: Rulings) -> Iterable[str | Caution]:
    """Warn of what is left out."""
    if inputs.wanted == "wreck" and all(target.av is None for target in inputs.targets):
        yield Caution("No target is a vehicle", "DL-60.4")
    for target in inputs.targets:
        yield from _inputs.warn_artillery(target.name or target.unit, target.unit_type)
    if len(inputs.shooters) > 1:
        yield Caution(
            "Units fire in the order in which they are named, each on what the ones before have left", "DL-19.2"
        )


def result(roll: Roll) -> str:
    """Say which unit fired at which enemy, and what it took off."""
    results = roll.results
    wrecks = f" and {plural(results['wrecked'], 'vehicle')} destroyed" if results["wrecked"] else ""
    return f"{results['orders']}: {results['hp']} HP, {plural(results['models'], 'model')} removed{wrecks}."


FOCUSING = Procedure("focus", (give_orders, fire))
FOCUS = Question(
    "focus",
    "Which target should each unit fire at?",
    FocusInputs,
    begin_focus,
    FOCUSING,
    (
        Measure("worth", "What the plan is worth", worth, "points"),
        Measure("hp", "HP taken off", hp, "HP"),
        Measure("models", "Models removed", models, "models"),
        Measure("wrecked", "Vehicles destroyed", wrecked, "vehicles"),
        Measure("order_points", "Order points that tests add", lambda plan: test_effects(plan)[0], "OP"),
        Measure("broken", "Units that break", lambda plan: test_effects(plan)[1], "units"),
        Measure(
            "orders", "Who fires at whom", lambda plan: listed([f"{unit} at {target}" for unit, target in plan.orders])
        ),
    ),
    focus_headline,
    fill=fill_focus,
    warn=warn_focus,
    result=result,
    example={
        "shooters": [{"name": "Ash", "models": 5}, {"name": "Birch", "models": 10}],
        "targets": [
            {"name": "Crow", "models": 10, "armour": 6},
            {"name": "Daw", "models": 5, "armour": 3, "distance": 20},
        ],
        "wanted": "models",
    },
    rulings=("area_on_vehicles", *HULL_RULINGS, *_inputs.GUN_RULINGS, *_inputs.TROOP_RULINGS),
    goal=Goal(("worth", "hp"), {"attacker": "max"}, plan_table),
    lead=(
        Lead("hp", "HP taken off", when=lambda answer: answer.inputs.wanted == "hp"),
        Lead("models", "models removed", when=lambda answer: answer.inputs.wanted == "models"),
        Lead("wrecked", "vehicles destroyed", when=lambda answer: answer.inputs.wanted == "wreck"),
        Lead("order_points", "order points added", when=lambda answer: answer.inputs.wanted == "order_points"),
        Lead("hp", "HP taken off"),
    ),
)
