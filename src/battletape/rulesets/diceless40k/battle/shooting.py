"""A unit's shooting: the weapons that fire, and the damage to the target and to other units under markers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from battletape.cards import Inputs
from battletape.field.measure import Claim, Measurement, measure
from battletape.field.sight import terrain_cover
from battletape.field.state import ABOARD, TABLE
from battletape.rulebook import (
    Procedure,
    Refused,
    Stage,
    Tape,
    UnknownName,
    clause,
    fold,
    granted,
    inches,
    need,
    plural,
    raise_if_refused,
    replace,
)
from battletape.rulesets.diceless40k.battle import markers
from battletape.rulesets.diceless40k.battle.moves import characters_with, need_null_zone
from battletape.rulesets.diceless40k.battle.pending import (
    check_pinning,
    combined_groups,
    damage_vehicle,
    record_shared_losses,
    resolve_packets_on,
)
from battletape.rulesets.diceless40k.battle.state import BattleUnit, Squad, State, Vehicle, fire_modes
from battletape.rulesets.diceless40k.profiles.types import WeaponProfile
from battletape.rulesets.diceless40k.rules import shooting as shooting_rules
from battletape.rulesets.diceless40k.rules import vehicles
from battletape.rulesets.diceless40k.rules import weapons as weapon_rules
from battletape.rulesets.diceless40k.rules.artillery import ARTILLERY, GUN_AV, Battery, gun_hits_of, gunners
from battletape.rulesets.diceless40k.rules.attacks import aim_of, aim_with
from battletape.rulesets.diceless40k.rules.base_vehicles import passengers_who_fire, refuse_weapons
from battletape.rulesets.diceless40k.rules.blasts import BARRAGES
from battletape.rulesets.diceless40k.rules.casualties import Target
from battletape.rulesets.diceless40k.rules.characteristics import PSYKER, TANK_HUNTERS, Group
from battletape.rulesets.diceless40k.rules.damage_rows import refuse_target, refuse_weapon
from battletape.rulesets.diceless40k.rules.space_marines import refuse_bombardment
from battletape.table.facings import Facing, armour_at

SLOW = ("rapid_fire", "heavy", "ordnance")
"""Weapons after which no unit assaults in the same turn, as in the base game."""


# --- making ready -----------------------------------------------------------------------------------------------------


@clause("DL-19.2", "DL-60.4", "DL-75.4", "DL-95.8")
def prepare_volley(
    state: State, unit: BattleUnit, order: Inputs, target: BattleUnit, shots: markers.ShotOrder, psychic: bool = False
) -> markers.PendingVolley:
    """Return a unit's shooting, or a psyker's with a power, before the first shot; refuse what may not be done."""
    _need_target(state, unit, target)
    shown = measured(state, unit, target, shots)
    shots, distance = replace(shots, in_sight=shown.sees), shown.distance
    members = state.joined_units(unit) if isinstance(unit, Squad) else ()
    need_null_zone(state, (target,), shots.null_zone)
    victim = _target_before(state, target, shown.cover or None)
    victim = replace(victim, null_zone=state.in_null_zone(target, shots.null_zone))
    if isinstance(unit, Vehicle):
        fired = granted(_vehicle_fires(state, unit, victim, shots, distance))
    else:
        members = (unit,) if psychic else members
        fired = granted(_squad_fires(state, members, victim, shots, distance, psychic))
    if shots.hits or shots.gun_hits:
        markers.need_counted(state, target, [aim for aim, _ in fired], shots)
    if isinstance(target, Vehicle):
        markers.need_facing_shown(state, unit, target, shots, [weapon for _, weapon in fired])
    fired = markers.with_hits(fired, shots)
    on_board = bool(state.footprints(target)) and not shots.hits
    slots = tuple(further for aim, weapon in fired for further in markers.slots_of(aim, weapon))
    marker_weapons = tuple(
        at for at, (aim, weapon) in enumerate(fired) for _ in range(markers.markers_laid(aim, weapon))
    )
    markers.need_markers(state, target, fired, slots, shots, on_board)
    hot = state.player(target.side).tokens.gets_hot
    weapons = sum(aim.models for aim, _ in fired if aim.gets_hot)
    aims = tuple(aim for aim, _ in fired)
    played = len(shots.hot_on) if shots.hot_on else shots.hot_tokens
    raise_if_refused(shooting_rules.refuse_hot(played or 0, hot, weapons, isinstance(unit, Vehicle), state.rulings))
    raise_if_refused(shooting_rules.refuse_hot_on(shots.hot_on, aims, shots.hot_tokens))
    shooting = shooting_rules.Shooting(
        state.rulings,
        aims,
        victim,
        combined_groups(members),
        hot,
        played,
        unit.side,
        state.in_null_zone(unit),
        hot_on=shots.hot_on,
    )
    return markers.PendingVolley(
        state,
        order,
        unit=unit.name,
        target=target.name,
        shooting=shooting,
        weapons=tuple(weapon for _, weapon in fired),
        shots=shots,
        shown=shown,
        markers=marker_weapons,
    )


def begin_volley(tape: Tape, volley: markers.PendingVolley) -> markers.PendingVolley:
    """Return a volley as it was prepared, before the first shot."""
    return volley


@clause("DL-20.1", "DL-29.1", "DL-32.1", "DL-60.6")
def measured(state: State, unit: BattleUnit, target: BattleUnit, shots: markers.ShotOrder) -> Measurement:
    """Measure a target once, by the board or as the players say; passengers fire from their vehicle.

    Players may say that a target is out of sight, or which cover it has; they need not say what the board shows.
    """
    claim = Claim(distance=shots.distance, sees=None if shots.in_sight else False, cover=shots.cover)
    company = () if state.carrier(unit) else characters_with(state, unit), characters_with(state, target)
    shown = measure(state.field, unit.name, target.name, claim, {"distance": "DL-29.1"}, company)
    if shown.by == "players" and shots.cover is None:  # the terrain it stands in is known even so
        return replace(shown, cover=cover_where_it_stands(state, target))
    return shown


@clause("DL-20.1", "DL-60.6")
def cover_where_it_stands(state: State, unit: BattleUnit) -> int:
    """Return the cover save of the terrain that most of a unit stands in; 0 without any."""
    return terrain_cover(state.field, state.field.position(unit.name), "middles").worth


@clause("DL-60.23", "DL-0.1")
def _need_target(state: State, unit: BattleUnit, target: BattleUnit) -> None:
    """Refuse targets that are friends, away, destroyed, locked in a fight, or characters with a unit."""
    need(target.side != unit.side, f"{target.name} is on the same side", "DL-0.1", "target")
    where, gone = state.where(target), state.is_gone(target)
    if isinstance(target, Vehicle):
        raise_if_refused(refuse_target(target.damage))
    elif where == ABOARD and not gone:
        carrier = state.carrier(target)
        need(False, f"{target.name} rides in {carrier}; fire at {carrier}", "DL-0.1", "target")
    left = "nobody is left of it" if gone else "fire at a unit that is"
    on_table = not gone and where == TABLE
    need(on_table, f"{target.name} is not on the table; {left}", "DL-0.1", "target")
    need(not target.combat, f"{target.name} is locked in combat with friends", "DL-0.1", "locked")
    joined = target.joined if isinstance(target, Squad) else ""
    need(not joined, f"{target.name} is with {joined}; fire at {joined}", "DL-0.1", "joined")


def _target_before(state: State, target: BattleUnit, cover: int | None) -> Target:
    if isinstance(target, Vehicle):
        return Target((), state.rulings, by=target.side)
    return state.target(target, cover, combined_groups(state.joined_units(target)))


@clause("DL-50.1")
def keeps_power(squad: Squad, shots: markers.ShotOrder) -> bool:
    """Return whether a psyker in a unit keeps its shot for a power: unless weapons are named, or psykers fire."""
    may_cast = bool(squad.joined) and bool(squad.groups_with(PSYKER)) and not squad.cast
    return may_cast and not shots.weapons and not shots.psykers_fire


def _squad_fires(
    state: State, members: Sequence[Squad], victim: Target, shots: markers.ShotOrder, distance: float, psychic: bool
) -> list[tuple[shooting_rules.Aim, WeaponProfile]] | Refused:
    """Return one weapon of each model: the first of its group that may fire, or one that was named."""
    fired: list[tuple[shooting_rules.Aim, WeaponProfile]] = []
    alternatives: list[tuple[shooting_rules.Aim, WeaponProfile]] = []
    refusal: Refused | None = None
    most = _most_firers(state, members)
    if isinstance(most, Refused):
        return most
    wanted = [name.strip().lower() for name in shots.weapons]
    known = set[str]()
    at = -1
    for squad in members:
        for group in squad.groups:
            at += 1
            if squad.fired_at or squad.repaired:  # a psyker among them whose power was its shot
                continue
            if keeps_power(squad, shots):
                refusal = refusal or Refused(
                    f"{squad.name} keeps its shot for a power; name its weapon", "DL-50.1", "cast"
                )
                continue
            for weapon in _fire_modes_of_group(squad, group):
                known |= _names(weapon)
                if not group.models or (wanted and not _names(weapon) & {*wanted}):
                    continue
                visible_state = _with_visibility(state, weapon, shots)
                aim = _aim_of_group(visible_state, squad, group, weapon, victim, distance, at, bool(wanted), psychic)
                if isinstance(aim, Refused):
                    refusal = refusal or aim
                elif fired and fired[-1][0].firer == at:
                    alternatives.append((aim, weapon))
                elif most:
                    fired.append((replace(aim, models=min(aim.models, most)), weapon))
                    most -= fired[-1][0].models
                if not wanted and not isinstance(aim, Refused):
                    break
    for name in wanted:
        if name not in known:
            raise UnknownName(f"weapon of {members[0].name}", name, sorted(known - {""}))
    if fired:
        return _split_group_weapons(fired, alternatives, wanted, combined_groups(members)) if wanted else fired
    return refusal or Refused(f"{members[0].name} has nothing to fire", "DL-19.1", "weapon")


@clause("DL-0.1", "DL-19.2")
def _split_group_weapons(
    fired: Sequence[tuple[shooting_rules.Aim, WeaponProfile]],
    alternatives: Sequence[tuple[shooting_rules.Aim, WeaponProfile]],
    wanted: Sequence[str],
    groups: Sequence[Group],
) -> list[tuple[shooting_rules.Aim, WeaponProfile]] | Refused:
    """Split a group that fires several named weapons: as often as one is named, a model fires it."""
    mixed = list(fired)
    for name in dict.fromkeys(wanted):
        options = [(aim, weapon) for aim, weapon in alternatives if name in _names(weapon)]
        if not options or any(name in _names(weapon) for _, weapon in mixed):
            continue
        number = wanted.count(name)
        for aim, weapon in options:
            at = next(at for at, (known, _) in enumerate(mixed) if known.firer == aim.firer)
            known, first = mixed[at]
            if known.models > number:
                mixed[at] = replace(known, models=known.models - number), first
                mixed.insert(at + 1, (replace(aim, models=number), weapon))
                break
        else:
            (aim, weapon), *_ = options
            known, first = next((known, first) for known, first in mixed if known.firer == aim.firer)
            each = f"each model fires one weapon, and {plural(known.models, 'model')} of {groups[aim.firer].name}"
            would = f"{'fires' if known.models == 1 else 'fire'} {first.name}"
            return Refused(f"{each} {would}; name {first.name} or {weapon.name}, not both", "DL-0.1", "weapon")
    return mixed


def _names(weapon: WeaponProfile) -> set[str]:
    """Return the names of a weapon: its own, and that of the weapon of which it is one kind of ammunition."""
    return {weapon.name.lower(), weapon.mode_of.lower()}


@clause("DL-0.1")
def _most_firers(state: State, members: Sequence[Squad]) -> int | Refused:
    """Return how many models or guns may fire: all, or of passengers as many as their vehicle lets; or why none may."""
    carrier = state.carrier(members[0])
    if not carrier:
        return sum(max(squad.count, len(squad.guns)) for squad in members)
    vehicle = state.vehicle(carrier)
    riding = sum(squad.count for squad in state.passengers(vehicle.name))
    profile, speed = vehicle.profile, vehicle.speed if vehicle.moved else "immobile"
    return passengers_who_fire(
        profile.types, vehicle.damage, speed, riding, profile.fire_points, smoke=vehicle.in_smoke
    )


def _fire_modes_of_group(squad: Squad, group: Group) -> Iterator[WeaponProfile]:
    """Return every way to fire what a group carries; of artillery the guns fire, not their crew."""
    names = squad.guns[:1] if squad.type == "artillery" else group.weapons
    if squad.type == "artillery" and group is not gunners(squad.groups):
        return
    for name in names:
        yield from fire_modes(squad, name)


@clause("DL-32.1", "DL-95.8")
def _with_visibility(state: State, weapon: WeaponProfile, shots: markers.ShotOrder) -> State:
    """Return the battle, by day for a barrage on a target out of sight, which needs no light."""
    return replace(state, night=False) if BARRAGES.intersection(weapon.rules) and not shots.in_sight else state


def _aim_of_group(
    state: State,
    squad: Squad,
    group: Group,
    weapon: WeaponProfile,
    victim: Target,
    distance: float,
    at: int,
    named: bool,
    psychic: bool,
) -> shooting_rules.Aim | Refused:
    """Return a group with one weapon as it is fired, or why not."""
    if weapon_rules.ORBITAL in weapon.rules and (refused := refuse_bombardment(weapon.name in squad.used)) is not None:
        return refused
    is_called = psychic if weapon_rules.PSYCHIC in weapon.rules else named and weapon_rules.ORBITAL in weapon.rules
    if not is_called and (refused := weapon_rules.refuse_unasked(weapon)) is not None:
        return refused
    if weapon_rules.ONE_SHOT in weapon.rules and weapon.name in squad.used:
        return Refused(f"{weapon.name} has been fired; it is good for one shot", "DL-0.1", "weapon")
    if state.night and distance > shooting_rules.sight_of(group):
        sees = "sees" if group.models == 1 else "see"
        far = f"the target is {inches(distance)} away"
        reason = f"{group.name} {sees} {shooting_rules.sight_of(group)} inches at night; {far}"
        return Refused(reason, "DL-95.8", "night")
    number = len(squad.guns) if squad.type == "artillery" else group.models
    carrier = state.carrier(squad)
    moved = (
        squad.moved or (bool(carrier) and state.vehicle(carrier).moved)
    ) and weapon_rules.ORBITAL not in weapon.rules
    aim = aim_with(weapon, group, victim, 1, distance, moved, firer=at)
    return aim if isinstance(aim, Refused) else replace(aim, models=number)


def _vehicle_fires(
    state: State, vehicle: Vehicle, victim: Target, shots: markers.ShotOrder, distance: float
) -> list[tuple[shooting_rules.Aim, WeaponProfile]] | Refused:
    """Return the weapons of a vehicle that are left, in range, and may fire together at its speed."""
    fired: list[tuple[shooting_rules.Aim, WeaponProfile]] = []
    refusal: Refused | None = None
    named = [vehicle.weapon(name) for name in shots.weapons]
    for weapon in named:
        refused = refuse_weapon(vehicle.damage, weapon.mode_of or weapon.name)
        if refused is not None:
            return refused
    if refused_crew := refuse_weapon(vehicle.damage, next(iter(vehicle.damage.weapons_left), "weapon")):
        return refused_crew
    for carried in vehicle.damage.weapons_left:
        for weapon in fire_modes(vehicle, carried):
            if named and weapon not in named:
                continue
            visible_state = _with_visibility(state, weapon, shots)
            refused = _refuse_vehicle_weapon(visible_state, vehicle, weapon, distance, [known for _, known in fired])
            if refused is not None:
                refusal = refusal or refused
                continue
            number = sum(name == carried for name in vehicle.damage.weapons_left)
            if sum(known.name == weapon.name for _, known in fired) < number:
                fired.append((aim_of(weapon, vehicle.profile.bs, victim, 1, weapon.shots, distance), weapon))
            break
    return fired or refusal or Refused(f"{vehicle.name} has nothing to fire", "DL-60.4", "weapon")


def _refuse_vehicle_weapon(
    state: State, vehicle: Vehicle, weapon: WeaponProfile, distance: float, others: Sequence[WeaponProfile]
) -> Refused | None:
    """Refuse a vehicle's weapon that may not fire, alone or together with others."""
    if weapon.type in ("melee", "grenade"):
        return Refused("a close combat weapon is not fired", "DL-19.1", "weapon")
    if weapon_rules.ONE_SHOT in weapon.rules and weapon.name in vehicle.used:
        return Refused(f"{weapon.name} has been fired; it is good for one shot", "DL-0.1", "weapon")
    if state.night and distance > shooting_rules.NIGHT_SIGHT:
        far = f"the target is {inches(distance)} away"
        reason = f"the crew of {vehicle.name} sees {shooting_rules.NIGHT_SIGHT} inches at night; {far}"
        return Refused(reason, "DL-95.8", "night")
    refused = shooting_rules.refuse_range(weapon_rules.reach_of(weapon), distance)
    if refused is not None:
        return refused
    together = [(gun.strength or 0, gun.type == "ordnance") for gun in (*others, weapon)]
    speed = vehicle.speed if vehicle.moved else "immobile"
    types = vehicle.profile.types
    return refuse_weapons(types, speed, together, smoke=vehicle.in_smoke, rammed=vehicle.rammed, ran=vehicle.ran)


# --- the stages -------------------------------------------------------------------------------------------------------


@clause("DL-19.2", "DL-25.3", "DL-60.5", "DL-55.1")
def work_out_shots(tape: Tape, volley: markers.PendingVolley) -> markers.PendingVolley:
    """Resolve the packets of all weapons on the target."""
    target = volley.state.find(volley.target)
    if isinstance(target, Vehicle):
        return _shots_at_vehicle(tape, volley, target)
    if target.guns:
        return _shots_at_battery(tape, volley, target)
    before = volley.shooting
    shooting = fold((shooting_rules.make_packets, shooting_rules.resolve_packets), tape, before, about=target.name)
    volley = volley.with_counts(dmg=sum(packet.dmg for packet in shooting.packets))
    members = volley.state.joined_units(target)
    return replace(record_shared_losses(tape, volley, members, shooting.target), shooting=shooting)


def hull_packet(
    volley: markers.PendingVolley,
    at: int,
    vehicle: Vehicle,
    hits: int = 0,
    off_hull: bool = False,
    face: Facing | None = None,
) -> vehicles.HullPacket:
    """Return a weapon of the volley as a vehicle suffers it."""
    state, unit = volley.state, volley.state.find(volley.unit)
    aim, weapon, shots = volley.shooting.aims[at], volley.weapons[at], volley.shots
    meets = face or shots.facing or markers.facing_met(volley, vehicle)
    zone = shots.zone or vehicles.angle_zone(markers.angle_met(volley, vehicle), state.rulings)
    group = volley.shooting.firers[aim.firer] if isinstance(unit, Squad) else None
    hunts = group is not None and TANK_HUNTERS in group.rules
    av = armour_at(vehicle.profile, meets)
    number = 0 if aim.is_area else shooting_rules.shots_counted(aim)
    firing = vehicles.firing_with(weapon, aim.bs, av, 1, number, aim.distance, zone, hunts, hits, off_hull)
    speed = vehicles.speed_for_firers(vehicle.speed, vehicle.damage.immobilised)
    skims = "skimmer" in vehicle.profile.types
    cover = vehicles.vehicle_cover(volley.shown.cover or None, vehicle.in_smoke, skims, speed)
    return vehicles.packet_on(firing, speed, cover, state.rulings)


@clause("DL-60.4", "DL-60.5")
def _shots_at_vehicle(tape: Tape, volley: markers.PendingVolley, vehicle: Vehicle) -> markers.PendingVolley:
    """Resolve all shots of a unit at a vehicle, each weapon and facing a packet."""
    packets, areas = [], []
    for at, aim in enumerate(volley.shooting.aims):
        if not aim.is_area:
            packets.append(hull_packet(volley, at, vehicle))
        elif aim.hits:
            areas.append(hull_packet(volley, at, vehicle, sum(shooting_rules.counted_hits(aim)), volley.shots.off_hull))
            packets.append(areas[-1])
    reached = [
        hull_packet(volley, known.aim, vehicle, known.hits, known.off_hull, known.facing)
        for known in volley.under_markers
        if known.unit == vehicle.name
    ]
    squadron = volley.state.squadron_of(vehicle)
    if len(squadron) > 1:
        return _shots_at_squadron(tape, volley, squadron, (*areas, *reached))
    summed = vehicles.sum_hull_packets(packet for packet in (*packets, *reached) if packet.dmg)
    return damage_vehicle(tape, volley, vehicle.name, summed, volley.shooting.by)


@clause("DL-25.2", "DL-60.5")
def _shots_at_squadron(
    tape: Tape, volley: markers.PendingVolley, squadron: Sequence[Vehicle], areas: Sequence[vehicles.HullPacket]
) -> markers.PendingVolley:
    """Share shots at a vehicle evenly among its squadron; templates and markers hit what they cover."""
    aims = [at for at, aim in enumerate(volley.shooting.aims) if not aim.is_area]
    alone = [vehicles.sum_hull_packets(hull_packet(volley, at, vehicle) for at in aims) for vehicle in squadron]
    names = [vehicle.name for vehicle in squadron]
    by, rulings = squadron[0].side, volley.state.rulings
    shares = [
        vehicles.share_packet(tape, packets, names, by, rulings)
        for packets in zip(*alone, strict=True)
        if packets[0].dmg
    ]
    for at, name in enumerate(names):
        own = [share[at] for share in shares] + (list(vehicles.sum_hull_packets(areas)) if at == 0 else [])
        own = [packet for packet in own if packet.dmg]
        if own and not volley.state.vehicle(name).is_destroyed:
            volley = damage_vehicle(tape, volley, name, own, volley.shooting.by)
    return volley


@clause("DL-55.1", "DL-55.2")
def _shots_at_battery(tape: Tape, volley: markers.PendingVolley, squad: Squad) -> markers.PendingVolley:
    """Share shots at artillery between crew and guns; a marker hits what it covers."""
    state, shooting = volley.state, volley.shooting
    marker_shots = [aim.models * aim.shots if aim.is_area else 0 for aim in shooting.aims]
    hits = gun_hits_of(volley.shots.gun_hits, marker_shots, len(squad.guns))
    pairs = tuple(
        (shooting_rules.packet_of(aim), _gun_packet(volley, at, hits[at])) for at, aim in enumerate(shooting.aims)
    )
    battery = Battery(shooting.target, squad.guns, pairs, squad.gun_lines)
    battery = fold(ARTILLERY, tape, battery, about=squad.name)
    packets = [packet for packet, _ in pairs]
    volley = volley.with_counts(dmg=sum(packet.dmg for packet in packets))
    volley = record_shared_losses(tape, volley, state.joined_units(squad), battery.crew)
    after = volley.state.squad(squad.name)
    volley = volley.with_units(replace(after, guns=battery.guns, gun_lines=battery.lines))
    return check_pinning(tape, volley, squad.name) if battery.crew.losses.pinning else volley


def _gun_packet(volley: markers.PendingVolley, at: int, hits: int) -> vehicles.HullPacket:
    """Return a weapon on guns of armour 10, which never move."""
    aim, weapon = volley.shooting.aims[at], volley.weapons[at]
    number = 0 if aim.is_area else shooting_rules.shots_counted(aim)
    firing = vehicles.firing_with(weapon, aim.bs, GUN_AV, 1, number, aim.distance, hits=hits)
    return vehicles.packet_on(firing, "cruising", volley.shown.cover or None, volley.state.rulings)


@clause("DL-30.8")
def resolve_others_under_markers(tape: Tape, volley: markers.PendingVolley) -> markers.PendingVolley:
    """Hurt every other unit under the markers, friend or enemy; hits of one weapon add up, as on the target."""
    for name in dict.fromkeys(known.unit for known in volley.under_markers if known.unit != volley.target):
        unit = volley.state.find(name)
        if volley.state.is_gone(unit):
            continue
        under = [known for known in volley.under_markers if known.unit == name]
        if isinstance(unit, Vehicle):
            hull = [hull_packet(volley, known.aim, unit, known.hits, known.off_hull, known.facing) for known in under]
            volley = damage_vehicle(
                tape, volley, name, vehicles.sum_hull_packets(hull), volley.state.enemy_of(unit.side)
            )
        else:
            aims = [replace(volley.shooting.aims[known.aim], hits=(known.hits,), lost_shots=0) for known in under]
            packets = shooting_rules.sum_packets([shooting_rules.packet_of(aim) for aim in aims])
            cover = cover_where_it_stands(volley.state, unit) or None
            volley = resolve_packets_on(tape, volley, name, packets, cover)
    return volley


@clause("DL-8.1", "DL-SM-73.1", "DL-SM-73.2")
def finish_volley(tape: Tape, volley: markers.PendingVolley) -> markers.PendingVolley:
    """Shake the ground under units hit by a subterranean blast, test for pinning, and mark the firers."""
    target = volley.state.find(volley.target)
    hit = {known.unit for known in volley.under_markers}
    hit |= {volley.target} if any(sum(aim.hits) for aim in volley.shooting.aims) else set()
    subterranean = any(weapon_rules.SUBTERRANEAN in weapon.rules for weapon in volley.weapons)
    for name in sorted(hit) if subterranean else ():
        volley = volley.with_units(replace(volley.state.find(name), on_shaken_ground=True))
        tape.tell("The ground under {} is shaken", name, clause="DL-SM-73.1")
    if isinstance(target, Squad) and shooting_rules.is_pinned_down(volley.shooting):
        volley = check_pinning(tape, volley, target.name)
    return _mark_as_fired(volley)


def _mark_as_fired(volley: markers.PendingVolley) -> markers.PendingVolley:
    state, unit = volley.state, volley.state.find(volley.unit)
    once = tuple(weapon.name for weapon in volley.weapons if weapon_rules.ONE_SHOT in weapon.rules)
    if isinstance(unit, Vehicle):
        done = replace(unit, fired_at=volley.target, used=(*unit.used, *once))
        return volley.with_units(done)
    slow = any(weapon.type in SLOW for weapon in volley.weapons)
    members = state.joined_units(unit) or (unit,)
    fired = [
        replace(member, fired_at=volley.target, fired_slow=slow, used=tuple(dict.fromkeys((*member.used, *once))))
        for member in members
        if not keeps_power(member, volley.shots)
    ]
    return volley.with_units(*fired)


STAGES_AFTER_MARKERS: tuple[Stage, ...] = (work_out_shots, resolve_others_under_markers, finish_volley)


def volley_stages(volley: markers.PendingVolley) -> Procedure:
    """Return the stages of a volley: as many markers are laid as its weapons have."""
    return Procedure(
        "volley", (markers.play_hot_tokens, *(markers.lay_marker,) * len(volley.markers), *STAGES_AFTER_MARKERS)
    )
