"""The question what_may_it_do: a vehicle in its own turn, and everything it may do from now on, with the clauses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any, get_args

from battletape.cards import Answer, Inputs, Lead, Line, Measure, ProfileBook, Question, asked, fill_from
from battletape.rulebook import (
    InputName,
    Procedure,
    Refused,
    State,
    Tape,
    UnknownName,
    capital,
    cited,
    clause,
    granted,
    inches,
    listed,
    plain,
    plural,
    raise_if_refused,
    replace,
)
from battletape.rulesets.vehicles5.profiles.book import find_named, has_smoke, label_of, modes, traits_of
from battletape.rulesets.vehicles5.profiles.types import Distance, Seats, Stat, VehicleProfile, WeaponProfile
from battletape.rulesets.vehicles5.questions import _inputs
from battletape.rulesets.vehicles5.questions._inputs import Names, yes_no_measure
from battletape.rulesets.vehicles5.rules import firing, geometry, movement, transports, walkers
from battletape.rulesets.vehicles5.rules.damage import UNDAMAGED
from battletape.rulesets.vehicles5.rules.firing import fire_mode, mode_clause, refuse_fire
from battletape.rulesets.vehicles5.rules.keywords import BARRAGE
from battletape.rulesets.vehicles5.rules.movement import Blocker, Situation, WeaponUse, max_inches, refuse_move_now
from battletape.rulesets.vehicles5.rules.shooting import best_cover
from battletape.rulesets.vehicles5.rules.traits import BANDS, Band, Declared, Phase
from battletape.rulesets.vehicles5.rulings import Rulings
from battletape.rulesets.vehicles5.tables.printed import FireMode


class Mounted(Inputs, frozen=True):
    """A weapon of the vehicle."""

    weapon: str = asked("", "Weapon profile", group="weapon", profile="weapon")
    name: str = asked("", "What it is called", group="weapon")
    mount: str = asked("", "The weapon it is one way of firing", "V5-DEF-1", group="weapon")
    strength: Stat = asked(8, "Strength as fired", "V5-DEF-1", group="weapon")
    ordnance: bool = asked(False, "Is ordnance", "V5-ORD-1", group="weapon")
    lobs: bool = asked(False, "Can fire as a barrage", "V5-ORD-4", group="weapon")
    destroyed: bool = asked(False, "Has been destroyed", "V5-DMG-3", group="weapon")


def _called(inputs: WhatMayItDoInputs) -> tuple[str, ...]:
    """Return the names of the vehicle's weapons."""
    return tuple(gun.name or gun.weapon for gun in inputs.guns if gun.name or gun.weapon)


class WhatMayItDoInputs(Inputs, frozen=True):
    """A vehicle in its own turn: what it is, what it suffered, what it has done so far."""

    vehicle: _inputs.VehicleName = ""
    types: _inputs.Types = ()
    guns: tuple[Mounted, ...] = asked((Mounted(),), "Its weapons", "V5-DEF-1", group="target", short="weapon")
    weapon_names: Names = asked((), "Those still intact, if not all", "V5-DMG-3", group="target", among=_called)
    shaken: _inputs.Shaken = False
    stunned: _inputs.Stunned = False
    immobilised: _inputs.Immobilised = False
    status: _inputs.Destroyed = "ok"
    smoke_launchers: bool = asked(False, "Has smoke launchers", "V5-SMOKE-1", group="target")
    capacity: _inputs.Capacity = 0
    fire_points: Seats = asked(0, "Fire points", "V5-TRAN-3", group="target")
    passengers: Seats = asked(0, "Passengers aboard", "V5-TRAN-3", group="target")
    band: Band = asked("stationary", "Speed of its move this turn", "V5-MOVE-7", group="circumstances")
    distance: Distance | None = asked(None, "Or the inches driven", "V5-MOVE-2", group="circumstances")
    displacement: Distance | None = asked(
        None, "And how far that took it, straight", "V5-MOVE-7", group="circumstances"
    )
    on_road: _inputs.OnRoad = False
    stands: bool = asked(False, "It was declared stationary", "V5-MOVE-1", group="circumstances")
    in_the_way: Names = asked(
        (), "In its way", "V5-TERR-4", group="circumstances", known=("friendly", "enemy", "enemy_vehicle")
    )
    ends_on_model: bool = asked(False, "It would come to rest on a model", "V5-SKIM-4", group="circumstances")
    declared: Declared = asked("normal", "How it moved", "V5-TANK-1", group="circumstances")
    smoke_used: bool = asked(False, "Smoke used in an earlier turn", "V5-SMOKE-1", group="circumstances")
    smoke_this_turn: bool = asked(False, "Smoke set off this turn", "V5-SMOKE-2", group="circumstances")
    ran: bool = asked(False, "A walker that has run", "V5-WALK-4", group="circumstances")
    fired: bool = asked(False, "It has fired", "V5-WALK-7", group="circumstances")
    boarded: bool = asked(False, "Passengers got in this turn", "V5-TRAN-4", group="circumstances")
    unit_left: bool = asked(False, "A unit got out after its move", "V5-TRAN-8", group="circumstances")
    phase: Phase | None = asked(None, "Phase, if that does not follow", "V5-CORE-16", group="circumstances")
    together: Names = asked((), "Weapons it means to fire together", "V5-FIRE-5", group="circumstances", among=_called)
    as_barrage: Names = asked((), "Weapons fired as a barrage", "V5-ORD-4", group="circumstances", among=_called)
    fire_at: Names = asked((), "Units it means to fire at", "V5-FIRE-0", group="circumstances")
    other_target: bool = asked(
        False, "It means to assault a unit other than the one it fired at", "V5-WALK-7", group="circumstances"
    )


FIRES: dict[FireMode, str] = {
    "all": "all weapons",
    "one_main": "one main weapon and all defensive ones",
    "none": "nothing",
}
SPEEDS: dict[Band, str] = {
    "stationary": "standing still",
    "combat": "at combat speed",
    "cruising": "at cruising speed",
    "flat_out": "flat out",
}


class Permission(State, frozen=True):
    """An action that is allowed or refused: how much of it or why not, and the clause."""

    action: str
    allowed: bool
    detail: str
    clause: str
    cites: tuple[str, ...] = ()  # further clauses, in brackets at the end of `detail`


def permissions_in(situation: Situation) -> tuple[Permission, ...]:
    """Return everything that a vehicle may do from now on in its turn."""
    return (
        *_moving(situation),
        *_shooting(situation),
        *_carrying(situation),
        *_walking(situation),
        *_fighting(situation),
    )


def find_permission(lines: Sequence[Permission], action: str) -> Permission | None:
    """Return the permission for an action; None if there is none."""
    return next((line for line in lines if line.action == action), None)


def _permission(
    action: str, refused: Refused | None, detail: str = "", by: str = "", cites: tuple[str, ...] = ()
) -> Permission:
    if refused is not None:
        return Permission(action, False, refused.reason, refused.clause)
    return Permission(action, True, cited(detail, cites), by, cites)


def _moving(situation: Situation) -> Iterator[Permission]:
    yield _permission("turn on the spot", refuse_move_now("pivot", situation), "as often as it likes", "V5-MOVE-1")
    refused = refuse_move_now("move", situation)
    if refused is not None:
        yield _permission("drive", refused)
    else:
        for band in BANDS[1 : BANDS.index(movement.top_band(situation.traits)) + 1]:
            by = movement.max_inches_clause(situation.traits, situation.on_road, band, situation.rulings)
            reach, cites = _reach(situation, band)
            yield _permission(f"drive {SPEEDS[band]}", movement.refuse_flat_out(situation, band), reach, by, cites)
    if situation.traits.tank:
        top = max_inches(situation.traits, situation.on_road, rulings=situation.rulings)
        shock = f"straight ahead, up to {inches(top)}"
        yield _permission("tank shock", refuse_move_now("tank_shock", situation), shock, "V5-TANK-1")
        ram = f"straight ahead at top speed, {inches(top)}; then it fires nothing"
        yield _permission("ram", refuse_move_now("ram", situation), ram, "V5-RAM-1")
    when = "after its run" if situation.ran else "once its move is over"
    when += "; then it fires nothing this turn"
    refused = movement.refuse_smoke(situation, at_once=False)
    yield _permission("set off smoke", refused, when, "V5-SMOKE-1", ("V5-SMOKE-2",))


def _reach(situation: Situation, band: Band) -> tuple[str, tuple[str, ...]]:
    """Say how far a vehicle goes at a speed and what follows from that speed; also return the clauses of the end."""
    longest = max_inches(situation.traits, situation.on_road, band, situation.rulings)
    mode = fire_mode(situation, band)
    fires = (_what_it_fires(situation, mode), ()) if mode.why is None else (FIRES["none"], (mode.why.clause,))
    parts: list[tuple[str, tuple[str, ...]]] = [(f"then it fires {fires[0]}", fires[1])]
    if band == "flat_out":
        parts.append(("no unit gets in or out after it", ("V5-FAST-5",)))
        cover = best_cover(situation.traits, band, situation.condition, False, None, situation.rulings)
        parts += [(f"a cover save of {cover}+", ("V5-SKIM-6",))] if cover else []
    *before, (last, cites) = parts
    return "; ".join((f"up to {inches(longest)}", *(cited(*part) for part in before), last)), cites


def _what_it_fires(situation: Situation, mode: firing.AllowedFire) -> str:
    if mode.why is not None:
        return cited(FIRES["none"], (mode.why.clause,))
    alone = ", or one ordnance weapon alone" if any(gun.ordnance for gun in situation.weapons) else ""
    return f"{FIRES[mode.mode]}{alone}"


def _shooting(situation: Situation) -> Iterator[Permission]:
    mode = fire_mode(situation)
    by = mode_clause(situation.traits, situation.band)
    yield _permission("fire", mode.why, _what_it_fires(situation, mode), by)
    if mode.mode == "none":
        return
    for gun in situation.weapons:
        detail, of = "a main weapon", by
        if gun.ordnance:
            detail, of = "ordnance: it fires alone", "V5-ORD-1"
        elif firing.is_defensive(gun.strength):
            detail, of = "a defensive weapon", "V5-DEF-1"
        refused = refuse_fire(situation, (gun,))
        yield _permission(f"fire the {gun.name}", refused, f"S{gun.strength}, {detail}", of)
        if gun.can_barrage:
            lobbed = refuse_fire(situation, (gun,), (gun,))
            yield _permission(f"fire the {gun.name} as a barrage", lobbed, "without sight as well", "V5-ORD-4")


def _carrying(situation: Situation) -> Iterator[Permission]:
    if not situation.passengers:
        return
    count, as_moving = transports.shooters(situation)
    moving = ", counting as moving" if as_moving else ""
    by = "V5-OPEN-1" if situation.traits.open_topped else "V5-TRAN-3"
    refused = transports.refuse_passenger_fire(situation)
    yield _permission("passengers shoot", refused, f"{plural(count, 'model')}{moving}", by)
    way = transports.exit_by_choice(situation)
    if isinstance(way, Refused):
        yield _permission("passengers get out", way)
        return
    stays = "" if way.vehicle_may_turn else "; the vehicle then neither moves nor turns"
    actions = f"and may {listed(way.allowed_actions)}{stays}"
    yield Permission("passengers get out", True, actions, transports.exit_clause(situation, way))


def _walking(situation: Situation) -> Iterator[Permission]:
    if not situation.traits.walker:
        return
    run = "D6 inches; then it neither fires nor assaults"
    yield _permission("run", walkers.refuse_action_now("run", situation), run, "V5-WALK-1", ("V5-WALK-4",))
    turn = "towards its target; this is no move"
    yield _permission("turn to fire", walkers.refuse_action_now("pivot_when_firing", situation), turn, "V5-WALK-5")
    targets, by = "any enemy in reach", "V5-WALK-6"
    if situation.fired:
        targets, by = "the unit it fired at", "V5-WALK-7"
    yield _permission("assault", walkers.refuse_action_now("assault", situation), targets, by)


def _fighting(situation: Situation) -> Iterator[Permission]:
    if situation.traits.walker:
        actions = walkers.fight_actions(situation.traits, situation.condition)
        listed_actions = listed([walkers.ACTION_WORDS.get(action, action) for action in actions])
        may = f"it may {listed_actions}, and never tests its morale"
        gone = Refused(f"it is {situation.condition.status}", "V5-WALK-8", "destroyed") if not actions else None
        yield _permission("close combat", gone, may, "V5-WALK-8", ("V5-WALK-13",))
    else:
        nothing = "nothing follows an assault on it: no result, no morale, no unit is locked"
        yield Permission("close combat", False, nothing, "V5-ASLT-8")
    yield _permission("go to ground", geometry.refuse_go_to_ground(situation.traits))


class PermissionState(State, frozen=True):
    """The state of the question."""

    now: Situation
    together: tuple[WeaponUse, ...]
    lobbed: tuple[WeaponUse, ...]
    targets: tuple[str, ...]
    path: tuple[Blocker, ...]
    ends_on_model: bool
    assault_band: Band
    lines: tuple[Permission, ...] = ()


_SAME = frozenset(Situation.__struct_fields__) & frozenset(WhatMayItDoInputs.__struct_fields__) - {"band"}


def begin_what_may_it_do(inputs: WhatMayItDoInputs, rulings: Rulings) -> PermissionState:
    _refuse_impossible_turn(inputs)
    guns = tuple(
        WeaponUse(gun.name or gun.weapon or f"gun {number}", gun.strength, gun.ordnance, gun.mount, gun.lobs)
        for number, gun in enumerate(inputs.guns, 1)
    )
    every = list(dict.fromkeys(gun.weapon for gun in guns))
    kept = [find_named("weapon", name, every, clause="V5-DMG-3") for name in inputs.weapon_names] or every
    lost = {gun.weapon for gun, given in zip(guns, inputs.guns, strict=True) if given.destroyed}
    intact = tuple(name for name in kept if name not in lost)
    condition, (band, assault_band) = _inputs.condition_from_inputs(inputs, intact), _bands(inputs, rulings)
    same = {name: getattr(inputs, name) for name in _SAME}
    situation = Situation(
        traits_of(inputs.types),
        condition,
        band,
        weapons=guns,
        given_phase=inputs.phase,
        rulings=rulings,
        will_not_move=inputs.stands,
        **same,
    )
    raise_if_refused(firing.refuse_fire_after_actions(situation) if inputs.fired else None)
    together, lobbed = (
        tuple(find_named("weapon", name, guns, attrgetter("name"), "V5-DMG-3") for name in names)
        for names in (inputs.together, inputs.as_barrage)
    )
    kinds: tuple[Blocker, ...] = get_args(Blocker)
    words = [word.replace(" ", "_") for word in inputs.in_the_way]
    path = tuple(find_named("thing in the way", word, kinds, clause="V5-TERR-4") for word in words)
    return PermissionState(situation, together, lobbed, inputs.fire_at, path, inputs.ends_on_model, assault_band)


@clause("V5-WALK-4", "V5-SMOKE-1", "V5-WALK-1")
def _refuse_impossible_turn(inputs: WhatMayItDoInputs) -> None:
    """Refuse what cannot have happened."""
    if inputs.ran and "walker" not in inputs.types:
        raise Refused("only a walker runs; other vehicles drive", "V5-WALK-1", "ran")
    if not inputs.smoke_launchers and (inputs.smoke_this_turn or inputs.smoke_used):
        reason = "a vehicle without smoke launchers sets off no smoke; it needs "
        raise Refused((reason, InputName("smoke_launchers")), "V5-SMOKE-1")
    if inputs.phase == "movement" and (inputs.ran or inputs.fired):
        raise Refused("shots and runs come after the Movement phase, and this is that phase", "V5-CORE-16", "phase")
    if inputs.stands and (inputs.band != "stationary" or inputs.distance):
        raise Refused("what was declared stationary has not driven", "V5-MOVE-1", "stationary")
    for name in inputs.as_barrage:
        if name not in inputs.together:
            raise UnknownName("weapon that fires", name, inputs.together, source="as_barrage", clause="V5-ORD-4")


def _bands(inputs: WhatMayItDoInputs, rulings: Rulings) -> tuple[Band, Band]:
    """Return a vehicle's speeds for shots and for assaults; raise Refused if it is too fast."""
    traits = traits_of(inputs.types)
    band = assault_band = inputs.band
    if inputs.distance is not None:
        straight = inputs.distance if inputs.displacement is None else inputs.displacement
        bands = movement.bands_of_move(inputs.distance, straight, traits, inputs.on_road, rulings)
        band, assault_band = granted(bands)
    raise_if_refused(movement.refuse_band(band, traits) or transports.refuse_crowd(inputs.passengers, inputs.capacity))
    if inputs.declared != "normal" and not traits.tank:
        raise_if_refused(movement.refuse_move(inputs.declared, traits, UNDAMAGED, rulings))
    return band, assault_band


def fill_what_may_it_do(given: Mapping[str, Any], book: ProfileBook) -> dict[str, Any]:

    def guns(vehicle: VehicleProfile) -> Iterator[dict[str, Any]]:
        for fitting in vehicle.mounts:
            ways, label = modes(book, fitting.weapon), label_of(fitting)
            for way in ways:
                name, mount = (f"{label} ({way.name})", label) if len(ways) > 1 else (label, "")
                if way.strength is not None:
                    yield {"weapon": way.name, "name": name, "mount": mount, **_numbers(way)}

    return fill_from(
        _inputs.fill_many(given, "guns", lambda gun: _fill_mounted(gun, book), "weapon"),
        *("vehicle", book, "types", "capacity", "fire_points"),
        smoke_launchers=has_smoke,
        passengers=attrgetter("capacity"),
        guns=lambda vehicle: list(guns(vehicle)),
    )


def _numbers(weapon: WeaponProfile) -> dict[str, Any]:
    return {"strength": weapon.strength, "ordnance": weapon.type == "ordnance", "lobs": BARRAGE in weapon.rules}


def _fill_mounted(gun: Mapping[str, Any], book: ProfileBook) -> dict[str, Any]:
    """Fill in the numbers of a named weapon, or of the first missile of a launcher."""
    given = {key: value for key, value in gun.items() if key != "models"}
    if not given.get("weapon"):
        return given
    return {**_numbers(_inputs.need_ranged(modes(book, str(given["weapon"]))[0])), **given}


@clause("V5-FIRE-5", "V5-MOVE-1", "V5-SMOKE-1", "V5-TRAN-3")
def look_up(tape: Tape, possible: PermissionState) -> PermissionState:
    """Look up what the vehicle may do, line by line; no dice."""
    now, path, ends_on_model = possible.now, possible.path, possible.ends_on_model
    lines = list(permissions_in(now))
    if path or ends_on_model:
        how, by = ("over them", "V5-SKIM-1") if now.traits.skimmer else ("by tank shock or ram", "V5-TERR-4")
        lines.append(_permission("drive that way", movement.refuse_path(now.traits, path, ends_on_model), how, by))
    if ends_on_model:
        refused = refuse_move_now("pivot", now) or movement.refuse_turn(now.name, True)
        lines.append(_permission("turn that way", refused))
    if possible.together:
        names, by = listed([gun.name for gun in possible.together]), mode_clause(now.traits, now.band)
        refused = refuse_fire(now, possible.together, possible.lobbed, possible.targets)
        lines.append(_permission(f"fire the {names} together", refused, "at one target", by))
    tape.tell(permissions, tuple(lines))
    return replace(possible, lines=tuple(lines))


def permissions(lines: Sequence[Permission]) -> Iterator[Line]:
    """Say of each thing whether the vehicle may do it, and why."""
    for line in lines:
        may = "yes" if line.allowed else "no"
        yield Line(f"{capital(line.action)}: {may}, {line.detail}", (line.clause,), result=may, cites=line.cites)


def _may(name: str, title: str, action: str, otherwise: int | str = 0) -> Measure:
    """Return a measure that is 1 if an action is allowed, else 0."""

    def of(possible: PermissionState) -> int | str:
        line = find_permission(possible.lines, action)
        return otherwise if line is None else int(line.allowed)

    return Measure(name, title, of)


def _together(possible: PermissionState) -> int | str:
    return int(possible.lines[-1].allowed) if possible.together else "none named"


def _fights(possible: PermissionState) -> str:
    actions = walkers.fight_actions(possible.now.traits, possible.now.condition)
    return ", ".join(map(plain, actions)) or "nothing"


def what_may_it_do_headline(answer: Answer) -> str:
    situation: Situation = answer.start.now
    lines = permissions_in(situation)
    left = movement.inches_left(situation)
    drive = find_permission(lines, "drive")
    if left:
        parts = [f"may drive up to {inches(left)}"]
    elif situation.moved:
        parts = [f"has moved {SPEEDS[situation.band]}"]
    else:
        parts = [f"may not drive ({drive.clause})" if drive else "may not drive"]
    parts.append(f"{'as it stands it ' if left else ''}fires {_what_it_fires(situation, fire_mode(situation))}")
    cloud = find_permission(lines, "set off smoke")
    if situation.smoke_launchers and cloud is not None:
        spent = "spent" if situation.smoke_used or situation.smoke_this_turn else "not available"
        parts.append("smoke is ready" if cloud.allowed else f"smoke is {spent} ({cloud.clause})")
    return capital("; ".join(parts)) + "."


WHAT_MAY_IT_DO = Question(
    "what_may_it_do",
    "What may a vehicle do this turn?",
    WhatMayItDoInputs,
    begin_what_may_it_do,
    Procedure("what may it do", (look_up,)),
    (
        yes_no_measure("may_move", "May drive", lambda state: movement.inches_left(state.now) > 0),
        _may("may_turn", "May turn on the spot", "turn on the spot"),
        Measure("inches", "Inches it may drive", lambda state: movement.inches_left(state.now), "inches"),
        Measure("band", "Speed of its move", lambda state: state.now.band, words=SPEEDS.__getitem__),
        Measure("assault_band", "Speed when assaulted", lambda state: state.assault_band, words=SPEEDS.__getitem__),
        _may("way", "May drive through what is in the way", "drive that way", "nothing in the way"),
        Measure("fire_mode", "What it may fire", lambda state: fire_mode(state.now).mode, words=FIRES.__getitem__),
        Measure("main_weapons", "Main weapons that may fire", lambda state: firing.main_weapons(state.now), "weapons"),
        yes_no_measure("may_lob", "May fire a barrage", lambda state: firing.may_fire_barrage(state.now)),
        _may("tank_shock", "May tank shock", "tank shock"),
        _may("ram", "May ram", "ram"),
        _may("smoke", "May set off smoke", "set off smoke"),
        yes_no_measure(
            "smoke_now", "May set off smoke at once", lambda state: movement.refuse_smoke(state.now) is None
        ),
        Measure(
            "passengers_shoot", "Passengers that may shoot", lambda state: transports.shooters(state.now)[0], "models"
        ),
        yes_no_measure(
            "passengers_as_moving", "Passengers count as moving", lambda state: transports.shooters(state.now)[1]
        ),
        _may("passengers_get_out", "Passengers may get out", "passengers get out"),
        _may("run", "May run", "run"),
        _may("turn_to_fire", "May turn to fire", "turn to fire"),
        _may("assault", "May assault", "assault"),
        Measure("close_combat", "What it does in close combat", _fights),
        _may("go_to_ground", "May go to ground", "go to ground"),
        Measure("together", "May fire those weapons together", _together),
    ),
    what_may_it_do_headline,
    fill=fill_what_may_it_do,
    rulings=(
        "road_bonus",
        "road_band",
        "stunned_may_pivot",
        "walker_smoke_time",
        "walker_moved_barrage",
        "passenger_fire_max_band",
        "smoke_stops_passengers",
        "flat_out_symmetric",
    ),
    example={"vehicle": "Anvil battle tank", "band": "combat"},
    small={"types": ["tank"], "guns": [{"strength": 9}, {"strength": 4}], "band": "combat", "smoke_launchers": True},
    lead=(
        Lead("inches", "inches it may drive"),
        Lead(
            "main_weapons",
            lambda answer: f"main {'weapon' if answer.odds('main_weapons').mode == 1 else 'weapons'} may fire",
        ),
        Lead("may_move", "it may neither drive nor fire a main weapon"),
    ),
)
