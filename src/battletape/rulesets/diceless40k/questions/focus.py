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
from battletape.rulesets.diceless40k.profiles.types import (
    Ap,
    Armour,
    Inches,
    Leadership,
    Least1,
    Save,
    Stat,
    UnitProfile,
    UnitType,
    VehicleProfile,
    WeaponType,
)
from battletape.rulesets.diceless40k.questions._inputs import (
    GUN_RULINGS,
    TROOP_RULINGS,
    Gun,
    ModelRules,
    Op,
    Others,
    Troops,
    WeaponRules,
    fill_gun,
    fill_troops,
    guns_of,
    guns_that_fire,
    target_of,
    warn_artillery,
    weapon_of,
)
from battletape.rulesets.diceless40k.questions.shoot_vehicle import HULL_RULINGS
from battletape.rulesets.diceless40k.rules.attacks import aim_with
from battletape.rulesets.diceless40k.rules.casualties import Target, Toll
from battletape.rulesets.diceless40k.rules.characteristics import Group
from battletape.rulesets.diceless40k.rules.damage_rows import DamageSheet, new_sheet
from battletape.rulesets.diceless40k.rules.morale import must_check, take_morale_test
from battletape.rulesets.diceless40k.rules.shooting import SHOOTING, Shooting, shots_at
from battletape.rulesets.diceless40k.rules.vehicles import (
    VEHICLE_ATTACK,
    Speed,
    VehicleAttack,
    firing_with,
    packet_on,
    speed_met,
    sum_hull_packets,
)
from battletape.rulesets.diceless40k.rulings import Rulings

if TYPE_CHECKING:
    from battletape.answer import Answer, Roll

MOST_WAYS = 5_000
BEST_PLANS = 5
MOST_HP = 1_000_000  # more than any targets have
HOLD = "nothing"
BROKEN = 100  # order points that a unit which breaks is worth more than its test


class Battery(Inputs, count="models", frozen=True):
    """A unit that fires: a profile, or models alike with one weapon."""

    unit: str = asked("", "Unit profile", group="attacker", profile="unit")
    name: str = ""
    models: int = asked(5, ge=1, le=200)
    weapon: str = asked("", "Weapon profile", group="attacker", profile="weapon")
    bs: Stat = 4
    strength: int | None = asked(4, ge=1, le=12)
    ap: Ap | None = 5
    shots: int = asked(1, ge=1, le=100)
    type: WeaponType = "rapid_fire"
    range: Inches = 24
    rules: WeaponRules = ()
    guns: tuple[Gun, ...] = asked((), "All that a profile can fire", "DL-19.2", group="attacker", short="weapon")


class Mark(Inputs, count="models", frozen=True):
    """A target: a profile of a unit or of a vehicle, or its numbers; with an armour value it is a vehicle."""

    unit: str = asked("", "Unit or vehicle profile", group="target", profile="unit")
    unit_type: UnitType = "infantry"
    name: str = ""
    distance: float = asked(12.0, ge=0, le=240)
    models: int = asked(5, ge=1, le=200)
    toughness: Least1 = 4
    wounds: Least1 = 1
    armour: Save | None = 3
    invulnerable: Save | None = None
    cover: Save | None = None
    recorded: int = asked(0, ge=0, le=1000)
    ld: Leadership = 8
    op: Op = 0
    av: Armour | None = None
    speed: Speed = "cruising"
    weapons: int = asked(1, ge=0, le=12)
    open_topped: bool = False
    toughness_bonus: Stat = 0
    model_rules: ModelRules = ()
    others: tuple[Others, ...] = asked((), "Models of the unit that differ", "DL-25.1", group="target", short="model")


class Focus(Inputs, frozen=True):
    """Units that fire, targets, and what is wanted."""

    shooters: tuple[Battery, ...] = asked(
        (Battery(name="squad"),), "Shooters", "DL-PREP.12", group="attacker", short="shooter"
    )
    targets: tuple[Mark, ...] = asked(
        (Mark(name="enemy"),), "Possible targets", "DL-PREP.12", group="target", short="target"
    )
    wanted: Literal["hp", "models", "wreck", "order_points"] = asked(
        "hp",
        "Goal",
        "DL-PREP.12",
        group="circumstances",
        note="HP, models: most taken off; wreck: hits on vehicles; order points: tests, and units that break",
    )


class Fired(State, frozen=True):
    """A unit that fires: its guns by name."""

    name: str
    guns: tuple[Gun, ...]


class Volley(State, frozen=True):
    """What one unit fires at a target, and what comes of it to troops or to a vehicle."""

    unit: str
    shot: Shooting | None = None
    struck: VehicleAttack | None = None
    began: Shooting | VehicleAttack | None = None  # before the first shot


class Aimed(State, frozen=True):
    """A target before and after: troops with their nerves, or a vehicle, and the volleys that it has suffered."""

    name: str
    distance: float
    troops: Target | None = None
    sheet: DamageSheet | None = None
    av: int = 10
    speed: Speed = "cruising"
    cover: int | None = None
    began: int = 0
    op: int = 0
    volleys: tuple[Volley, ...] = ()

    @property
    def is_gone(self) -> bool:
        """Whether nothing of it is left to fire at."""
        return bool(self.sheet.destroyed) if self.sheet is not None else not (self.troops and self.troops.models)

    @property
    def shots(self) -> tuple[Shooting, ...]:
        """What was fired at troops."""
        return tuple(volley.shot for volley in self.volleys if volley.shot is not None)

    @property
    def attacks(self) -> tuple[VehicleAttack, ...]:
        """What was fired at a vehicle."""
        return tuple(volley.struck for volley in self.volleys if volley.struck is not None)


class Plan(State, frozen=True):
    """Which unit fires at which enemy, and what comes of it."""

    shooters: tuple[Fired, ...]
    targets: tuple[Aimed, ...]
    wanted: str
    rules: Rulings
    orders: tuple[tuple[str, str], ...] = ()


@clause("DL-PREP.12", "DL-25.1")
def begin(inputs: Focus, rules: Rulings) -> Plan:
    """All units that fire and all targets, by names of their own."""
    shooters = tuple(_fired(unit, at) for at, unit in enumerate(inputs.shooters, 1))
    targets = tuple(_aimed(mark, at, rules) for at, mark in enumerate(inputs.targets, 1))
    for what, things in (("shooters", shooters), ("targets", targets)):
        names = [thing.name for thing in things]
        if not names or len(set(names)) < len(names):
            raise BadInput.of(
                what, f"needs at least one, each with a name of its own; got {', '.join(names) or 'none'}."
            )
    plan = Plan(shooters, targets, inputs.wanted, rules)
    ways = prod(len(in_reach(plan, unit)) for unit in shooters)
    if ways > MOST_WAYS:
        text = f"{len(shooters)} shooters and {len(targets)} targets make {ways:,} plans; {MOST_WAYS:,} are the most"
        raise BadInput(f"{text}, so ask about fewer of them.", field="shooters")
    return plan


def _fired(unit: Battery, at: int) -> Fired:
    name = unit.name or unit.unit or f"squad {at}"
    if unit.unit or unit.guns:
        return Fired(name, unit.guns)
    gun = Gun(
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
    return Fired(name, (gun,))


def _aimed(mark: Mark, at: int, rules: Rulings) -> Aimed:
    name = mark.name or mark.unit or f"target {at}"
    if mark.av is not None:
        sheet = new_sheet([f"weapon {number}" for number in range(1, mark.weapons + 1)], mark.open_topped, rules)
        return Aimed(name, mark.distance, sheet=sheet, av=mark.av, speed=mark.speed, cover=mark.cover)
    troops = Troops(**{field: getattr(mark, field) for field in Troops.__struct_fields__ if hasattr(mark, field)})
    target = target_of(replace(troops, unit=name), rules)
    *others, group = target.groups
    target = replace(target, groups=(*others, replace(group, ld=mark.ld)), by="nobody")
    return Aimed(name, mark.distance, troops=target, began=target.models, op=mark.op)


@clause("DL-PREP.12")
def give_orders(tape: Tape, plan: Plan) -> Plan:
    """Choose unit by unit the enemy to fire at, among those that any of its guns reaches."""
    return tape.each(_order, plan, plan.shooters)


def _order(tape: Tape, plan: Plan, unit: Fired) -> Plan:
    chosen = tape.choose(in_reach(plan, unit), by="attacker", label=labelled(unit.name, "fires at"))
    tape.tell(Line, f"Orders: {unit.name} at {chosen}", ("DL-PREP.12",), result=chosen)
    return replace(plan, orders=(*plan.orders, (unit.name, chosen)))


def in_reach(plan: Plan, unit: Fired) -> tuple[str, ...]:
    """The targets that any gun of a unit reaches; without one it fires at nothing."""
    return _near(unit, plan.targets) or (HOLD,)


@lru_cache(1024)
def _near(unit: Fired, targets: tuple[Aimed, ...]) -> tuple[str, ...]:
    return tuple(target.name for target in targets if _in_range(unit, target))


def _in_range(unit: Fired, target: Aimed) -> list[Gun]:
    """The guns of a unit that reach a target, of each bearer the first."""
    return guns_that_fire(unit.guns, target.distance)


@clause("DL-19.2", "DL-60.5", "DL-60.23", "DL-8.1")
def fire(tape: Tape, plan: Plan) -> Plan:
    """Fire unit by unit, each with its own packets on what is left; enemies that lost a quarter then test."""
    after = replace(plan, targets=tuple(fired_at(plan, target) for target in plan.targets))
    tape.tell(fire_lines, after)
    return after


def fired_at(plan: Plan, target: Aimed) -> Aimed:
    """A target after all the fire that the orders bring upon it."""
    aiming = {name for name, at in plan.orders if at == target.name}
    return _after(plan.rules, target, tuple(unit for unit in plan.shooters if unit.name in aiming))


@lru_cache(4096)
def _after(rules: Rulings, target: Aimed, shooters: tuple[Fired, ...]) -> Aimed:
    """A target after the volleys of some units; every lesser choice takes its first option, so it is kept."""
    if not shooters:
        return target
    *before, last = shooters
    left = _after(rules, target, tuple(before))
    guns = [] if left.is_gone else _in_range(last, left)
    if not guns:
        return left
    return _at_troops(rules, left, last, guns) if left.sheet is None else _at_hull(rules, left, left.sheet, last, guns)


def _at_troops(rules: Rulings, target: Aimed, unit: Fired, guns: Iterable[Gun]) -> Aimed:
    """Troops after a unit's volley."""
    assert target.troops is not None
    aims = []
    for gun in guns:
        firers = Group("firers", gun.models, 1, bs=gun.bs)
        aim = aim_with(weapon_of(gun), firers, target.troops, distance=target.distance, hits=gun.hits)
        aims += [] if isinstance(aim, Refused) else [aim]
    began = Shooting(rules, tuple(aims), target.troops, by="firers")
    shot = by_default(SHOOTING, began)
    volleys = (*target.volleys, Volley(unit.name, shot=shot, began=began))
    return replace(target, volleys=volleys, troops=replace(shot.target, toll=Toll()))


def _at_hull(rules: Rulings, target: Aimed, sheet: DamageSheet, unit: Fired, guns: Iterable[Gun]) -> Aimed:
    """A vehicle after a unit's volley; once it is immobilised it is easier to hit."""
    speed, packets = speed_met(target.speed, sheet.immobilised), []
    for gun in guns:
        shots = shots_at(gun.type, gun.shots, gun.range, target.distance)
        number = 0 if isinstance(shots, Refused) else shots
        weapon, hits = weapon_of(gun), sum(gun.hits)
        firing = firing_with(weapon, gun.bs, target.av, gun.models, number, target.distance, hits=hits)
        firing = replace(firing, tank_hunters=gun.tank_hunters)
        packets.append(packet_on(firing, speed, target.cover, rules))
    began = VehicleAttack(sheet, sum_hull_packets(packets), rules, by="firers")
    struck = by_default(VEHICLE_ATTACK, began)
    volleys = (*target.volleys, Volley(unit.name, struck=struck, began=began))
    return replace(target, volleys=volleys, sheet=struck.damage)


# --- what is wanted ---------------------------------------------------------------------------------------------------


def hp(plan: Plan) -> int:
    """HP taken off all targets."""
    return sum(shot.target.hp_removed for target in plan.targets for shot in target.shots)


def models(plan: Plan) -> int:
    """Models removed."""
    return sum(map(_removed, plan.targets))


def _removed(target: Aimed) -> int:
    return sum(shot.target.removed for shot in target.shots)


def wrecked(plan: Plan) -> int:
    """Vehicles wrecked or exploded."""
    return sum(bool(target.sheet.destroyed) for target in plan.targets if target.sheet is not None)


def hull_hits(plan: Plan) -> int:
    """Glancing and penetrating hits, of which a penetrating one counts twice."""
    attacks = [attack for target in plan.targets for attack in target.attacks]
    return sum(attack.glancing + 2 * attack.penetrating for attack in attacks)


@clause("DL-8.1")
def nerves(plan: Plan) -> tuple[int, int]:
    """Order points that the targets must add, and how many of them break."""
    added = broken = 0
    for target in plan.targets:
        if target.troops is not None and target.troops.models and must_check(target.began, _removed(target)):
            tested = take_morale_test(target.troops.groups, target.op, target.began)
            if tested is not None:
                added += tested.op - target.op
                broken += not tested.passed
    return added, broken


def wanted(plan: Plan) -> int:
    """How good the plan is for what is wanted: a wreck or a unit that breaks counts a hundred."""
    if plan.wanted == "wreck":
        return BROKEN * wrecked(plan) + hull_hits(plan)
    if plan.wanted == "order_points":
        added, broken = nerves(plan)
        return added + BROKEN * broken
    return hp(plan) if plan.wanted == "hp" else models(plan)


def worth(plan: Plan) -> Fraction:
    """What the plan is worth, a whole number; HP come behind it, for they decide between plans that are as good."""
    return wanted(plan) + Fraction(hp(plan), MOST_HP)


def headline(answer: Answer) -> str:
    """Say which unit fires at which enemy, and what it brings."""
    (plan,) = answer.states.weights
    aims = dict.fromkeys(target for _, target in plan.orders)
    orders = [f"{listed(who)} at {at}" for at in aims for who in [[unit for unit, to in plan.orders if to == at]]]
    how = "Fire" if len(plan.orders) == 1 else "Concentrate" if len(aims) == 1 else "Spread"
    return f"{how}: {listed(orders)}; that brings {brings(plan)}."


def brings(plan: Plan) -> str:
    """What a plan comes to, in the words of what is wanted."""
    added, broken = nerves(plan)
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
    """Every volley number by number: it was worked out beforehand, so it is played once more to be told."""
    for target in plan.targets:
        for volley in target.volleys:
            stages = SHOOTING if volley.struck is None else VEHICLE_ATTACK
            for line in lines_by_default(stages, volley.began):
                yield Line(f"{volley.unit} at {target.name}: {line.text}", line.clauses, result=line.result)
    added, broken = nerves(plan)
    if added:
        yield Line(f"Tests add {added} order points; {plural(broken, 'unit')} break", ("DL-8.1",))


def plan_table(answer: Answer) -> Table:
    """The best plans in order, and each way to concentrate; the best one is marked.

    Those that concentrate are looked at first, because there may not be time for all.
    """
    start: Plan = answer.start
    near = [in_reach(start, unit) for unit in start.shooters]
    names = [unit.name for unit in start.shooters]
    ways = list(enumerate(product(*near)))
    done_by = {
        at: fire_by_rule(replace(start, orders=tuple(zip(names, way, strict=True))))
        for at, way in answer.in_time(sorted(ways, key=lambda counted: len(set(counted[1]))))
    }
    done = [done_by[at] for at in sorted(done_by, key=lambda at: (-worth(done_by[at]), at))]
    alike = [plan for plan in done[BEST_PLANS:] if len({target for _, target in plan.orders}) == 1]
    rows = tuple(
        (*(target for _, target in plan.orders), brings(plan)) for plan in (*done[:BEST_PLANS], *alike[:BEST_PLANS])
    )
    title = "Plans, the best first" if len(done) == len(ways) else f"The best of {len(done):,} of {len(ways):,} plans"
    return Table(title, (*names, "brings"), rows, "DL-PREP.12", (0, len(names)))


def fire_by_rule(plan: Plan) -> Plan:
    """A plan carried out."""
    done: Plan = by_default(FOCUSING.stages[1:], plan)
    return done


def fill(given: Mapping[str, Any], found: ProfileBook) -> dict[str, Any]:
    """Profiles of shooters and targets written out."""
    filled = dict(given)
    for key, write in (("shooters", _fill_battery), ("targets", _fill_mark)):
        entries = filled.get(key)
        if isinstance(entries, str) and entries.strip().lower() not in ("", "-", "none"):
            entries = split_entries(entries)
        if isinstance(entries, (list, tuple)):
            filled[key] = [write(_pairs(entry, key), found) for entry in entries]
    return filled


def _pairs(entry: Any, key: str) -> Any:
    if isinstance(entry, str):
        return parse_pairs(entry, key, "unit")
    return entry


def _fill_battery(entry: Any, found: ProfileBook) -> Any:
    if not isinstance(entry, Mapping):
        return entry
    if entry.get("unit"):
        unit: UnitProfile = found.find("unit", str(entry["unit"]))
        return {"guns": guns_of(unit, found), **entry, "unit": unit.name}
    if entry.get("weapon"):
        gun = fill_gun({"weapon": entry["weapon"]}, found)
        return {**{key: value for key, value in gun.items() if key != "marker"}, **entry}
    return entry


def _fill_mark(entry: Any, found: ProfileBook) -> Any:
    if not isinstance(entry, Mapping) or not entry.get("unit"):
        return entry
    name = str(entry["unit"])
    vehicles = {vehicle.lower(): vehicle for vehicle in found.entries["vehicle"]}
    if name.strip().lower() in vehicles:
        vehicle: VehicleProfile = found.find("vehicle", name)
        numbers = {"av": vehicle.front, "weapons": len(vehicle.weapons), "open_topped": "open_topped" in vehicle.types}
        return {**numbers, **entry, "unit": vehicle.name}
    return {"ld": found.find("unit", name).ld, **fill_troops(entry, found)}


def warn(inputs: Focus, rules: Rulings) -> Iterable[str]:
    """What is left out."""
    if inputs.wanted == "wreck" and all(mark.av is None for mark in inputs.targets):
        yield "No target is a vehicle (DL-60.4)"
    for mark in inputs.targets:
        yield from warn_artillery(mark.name or mark.unit, mark.unit_type)
    if len(inputs.shooters) > 1:
        yield "Units fire in the order in which they are named, each on what the ones before have left (DL-19.2)"


def result(roll: Roll) -> str:
    """Say which unit fired at which enemy, and what it took off."""
    got = roll.results
    wrecks = f" and {plural(got['wrecked'], 'vehicle')} destroyed" if got["wrecked"] else ""
    return f"{got['orders']}: {got['hp']} HP, {plural(got['models'], 'model')} removed{wrecks}."


FOCUSING = Procedure("focus", (give_orders, fire))
FOCUS = Question(
    "focus",
    "Which target should each unit fire at?",
    Focus,
    begin,
    FOCUSING,
    (
        Measure("worth", "What the plan is worth", worth, "points"),
        Measure("hp", "HP taken off", hp, "HP"),
        Measure("models", "Models removed", models, "models"),
        Measure("wrecked", "Vehicles destroyed", wrecked, "vehicles"),
        Measure("order_points", "Order points that tests add", lambda plan: nerves(plan)[0], "OP"),
        Measure("broken", "Units that break", lambda plan: nerves(plan)[1], "units"),
        Measure(
            "orders", "Who fires at whom", lambda plan: listed([f"{unit} at {target}" for unit, target in plan.orders])
        ),
    ),
    headline,
    fill=fill,
    warn=warn,
    result=result,
    example={
        "shooters": [{"name": "Ash", "models": 5}, {"name": "Birch", "models": 10}],
        "targets": [
            {"name": "Crow", "models": 10, "armour": 6},
            {"name": "Daw", "models": 5, "armour": 3, "distance": 20},
        ],
        "wanted": "models",
    },
    rulings=("area_on_vehicles", *HULL_RULINGS, *GUN_RULINGS, *TROOP_RULINGS),
    goal=Goal(("worth", "hp"), {"attacker": "max"}, plan_table),
    lead=(
        Lead("hp", "HP taken off", when=lambda answer: answer.inputs.wanted == "hp"),
        Lead("models", "models removed", when=lambda answer: answer.inputs.wanted == "models"),
        Lead("wrecked", "vehicles destroyed", when=lambda answer: answer.inputs.wanted == "wreck"),
        Lead("order_points", "order points added", when=lambda answer: answer.inputs.wanted == "order_points"),
        Lead("hp", "HP taken off"),
    ),
)
