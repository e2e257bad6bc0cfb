"""A unit's shooting: which weapons fire with what, where markers fall, and what comes of it to whomever they reach."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.errors import Refused, UnknownName
from battletape.inputs import Inputs
from battletape.log import Line
from battletape.procedure import Procedure, Stage
from battletape.rulesets.diceless40k.battle.board import known_distance
from battletape.rulesets.diceless40k.battle.deed import (
    Deed,
    check_pinning,
    glance,
    merged,
    run,
    share_losses,
    strike_machine,
    suffer,
)
from battletape.rulesets.diceless40k.battle.start import Cover, Distance, Inches, Spot
from battletape.rulesets.diceless40k.battle.state import Machine, State, Troop, Unitlike, things_of, ways_of
from battletape.rulesets.diceless40k.profiles.types import Weapon
from battletape.rulesets.diceless40k.rules.artillery import ARTILLERY, GUN_AV, Battery, damage_guns
from battletape.rulesets.diceless40k.rules.base_vehicles import passengers_who_fire, refuse_weapons
from battletape.rulesets.diceless40k.rules.blasts import (
    BLAST,
    LOBBED,
    RADII,
    TOKENS_ON_A_BLAST,
    Blast,
    armour_hit,
    choose_fire,
    hits_on,
    hull_hits,
    may_draw_back,
    most_tokens,
    place_by_hand,
    place_further,
    refuse_aim,
    refuse_draw_back,
    refuse_tokens,
    refuse_unseen,
    scattered,
    spend,
    tokens_spent,
)
from battletape.rulesets.diceless40k.rules.casualties import Packet, Target
from battletape.rulesets.diceless40k.rules.characteristics import TANK_HUNTERS, Group
from battletape.rulesets.diceless40k.rules.damage_rows import refuse_target, refuse_weapon
from battletape.rulesets.diceless40k.rules.shooting import (
    NIGHT_SIGHT,
    Aim,
    Shooting,
    counted_hits,
    is_pinned_down,
    make_packets,
    packet_of,
    play_gets_hot,
    pull_back,
    refuse_hits,
    refuse_hot,
    refuse_range,
    resolve_packets,
    shots_counted,
    sight_of,
)
from battletape.rulesets.diceless40k.rules.space_marines import refuse_bombardment
from battletape.rulesets.diceless40k.rules.vehicles import (
    HullPacket,
    Zone,
    cover_met,
    firing_with,
    packet_on,
    share_packet,
    speed_met,
    sum_hull_packets,
    zone_on_table,
)
from battletape.rulesets.diceless40k.rules.weapons import (
    MULTIPLE_BARRAGE,
    ONE_SHOT,
    ORBITAL,
    PSYCHIC,
    SUBTERRANEAN,
    TEMPLATE_RANGE,
    aim_of,
    aim_with,
)
from battletape.table.areas import is_inside
from battletape.table.bases import Base
from battletape.table.distances import gap
from battletape.table.facings import Facing, facing
from battletape.table.hulls import Hull
from battletape.table.markers import bases_touched
from battletape.table.points import Point
from battletape.tape import Tape
from battletape.words import inches, plural

SLOW = ("rapid_fire", "heavy", "ordnance")
"""Weapons after which nobody assaults in the same turn, as in the base game."""
Hits: TypeAlias = tuple[Annotated[int, Meta(ge=0, le=200)], ...]


class ShotOrder(Inputs, frozen=True):
    """What is said about shots besides who fires at whom."""

    weapons: Annotated[tuple[str, ...], Meta(title="Weapons that fire (left out: all that can)")] = ()
    distance: Distance = None
    cover: Cover = None
    in_sight: bool = True
    facing: Annotated[Literal["front", "side", "rear"] | None, Meta(title="Facing of a vehicle that is hit")] = None
    zone: Annotated[
        Literal["red", "orange", "yellow"] | None, Meta(title="Zone of the angle template", extra={"clause": "DL-60.1"})
    ] = None
    hits: Annotated[Hits, Meta(title="Models under each template or marker", extra={"clause": "DL-30.8"})] = ()
    gun_hits: Annotated[int, Meta(title="Guns under them", ge=0, le=20, extra={"clause": "DL-55.1"})] = 0
    off_hull: Annotated[bool, Meta(title="The hole of the marker lies beside the hull")] = False
    tokens: Annotated[Hits, Meta(title="Scatter tokens on each marker", extra={"clause": "DL-30.4"})] = ()
    hot_tokens: Annotated[
        Annotated[int, Meta(ge=0, le=200)] | None,
        Meta(title="Gets hot! tokens played (left out: they are asked for)", extra={"clause": "DL-31.2"}),
    ] = None
    aim: Annotated[tuple[Spot, ...], Meta(title="Where a marker is aimed", extra={"clause": "DL-30.4"})] = ()
    bearings: Annotated[
        tuple[Annotated[int, Meta(ge=0, le=360)], ...],
        Meta(title="Direction of each scatter token, as the players have put them", extra={"clause": "DL-30.4"}),
    ] = ()
    drawn_back: Annotated[Inches | None, Meta(title="Inches drawn back", extra={"clause": "DL-30.7"})] = None


class Reached(Struct, frozen=True, cache_hash=True):
    """Whom a marker has reached besides the target, and how."""

    aim: int
    unit: str
    hits: int = 1
    facing: Facing = "side"
    off_hull: bool = False


class Volley(Deed, frozen=True, cache_hash=True, kw_only=True):
    """Shooting under way: the weapons as they are fired, and the markers still to be laid."""

    unit: str
    target: str
    shooting: Shooting
    weapons: tuple[Weapon, ...]  # of each aim
    shots: ShotOrder
    distance: float
    cover: int | None = None
    markers: tuple[int, ...] = ()  # the aim of each marker still to be laid
    reached: tuple[Reached, ...] = ()
    laid: int = 0


# --- making ready ----------------------------------------------------------------------------------------------------


@clause("DL-19.2", "DL-60.4", "DL-75.4", "DL-95.8")
def volley_of(
    state: State, unit: Unitlike, order: Inputs, target: Unitlike, shots: ShotOrder, psychic: bool = False
) -> Volley | Refused:
    """A unit's shooting, or a psyker's with a power, before the first shot; or why nobody may fire at this target."""
    refused = _refuse_aim_at(state, unit, target)
    if refused is not None:
        return refused
    distance = known_distance(state, state.seat_of(unit), target, shots.distance, "DL-29.1")
    if isinstance(distance, Refused):
        return distance
    if distance is None:
        return Refused("nobody has said how far away the target is; say distance=…", "DL-29.1", "range")
    company = state.company(unit) if isinstance(unit, Troop) else ()
    cover = shots.cover if shots.cover is not None else cover_on_board(state, target)
    victim = _victim(state, target, cover)
    if isinstance(unit, Machine):
        fired = _machine_fires(state, unit, victim, shots, distance)
    else:
        company = (unit,) if psychic else company
        fired = _troop_fires(state, company, victim, shots, distance, psychic)
    if isinstance(fired, Refused):
        return fired
    if shots.hits or shots.gun_hits:
        refused = _refuse_hits(state, target, [aim for aim, _ in fired], shots)
        if refused is not None:
            return refused
    fired = _with_hits(fired, shots)
    on_board = bool(things_of(target)) and not shots.hits
    slots = tuple(further for aim, weapon in fired for further in _slots(aim, weapon))
    markers = tuple(at for at, (aim, weapon) in enumerate(fired) for _ in range(_markers(aim, weapon)))
    refused = _refuse_markers(state, target, fired, slots, shots, on_board)
    if refused is not None:
        return refused
    hot = state.player(target.side).tokens.gets_hot
    weapons = sum(aim.models for aim, _ in fired if aim.gets_hot)
    refused = refuse_hot(shots.hot_tokens or 0, hot, weapons, isinstance(unit, Machine), state.rulings)
    if refused is not None:
        return refused
    aims = tuple(aim for aim, _ in fired)
    shooting = Shooting(
        state.rulings,
        aims,
        victim,
        merged(company),
        hot,
        shots.hot_tokens,
        unit.side,
        state.in_null_zone(unit),
    )
    return Volley(
        state,
        order,
        unit=unit.name,
        target=target.name,
        shooting=shooting,
        weapons=tuple(weapon for _, weapon in fired),
        shots=shots,
        distance=distance,
        cover=cover,
        markers=markers,
    )


@clause("DL-60.23", "DL-0.1")
def _refuse_aim_at(state: State, unit: Unitlike, target: Unitlike) -> Refused | None:
    """Why a unit is no target: a friend, away, destroyed, locked in a fight, or a character among others."""
    if target.side == unit.side:
        return Refused(f"{target.name} is on the same side", "DL-0.1", "target")
    if isinstance(target, Machine) and (refused := refuse_target(target.damage)) is not None:
        return refused
    if target.is_gone or target.where != "table":
        return Refused(f"{target.name} is not on the table", "DL-0.1", "target")
    if target.combat:
        return Refused(f"{target.name} is locked in combat with friends", "DL-0.1", "locked")
    if isinstance(target, Troop) and target.joined:
        return Refused(f"{target.name} is with {target.joined}; fire at {target.joined}", "DL-0.1", "joined")
    return None


def _victim(state: State, target: Unitlike, cover: int | None) -> Target:
    if isinstance(target, Machine):
        return Target((), state.rulings, by=target.side)
    return state.target(target, cover, merged(state.company(target)))


@clause("DL-20.1", "DL-60.6")
def cover_on_board(state: State, unit: Unitlike) -> int | None:
    """The cover save of a unit by the terrain that most of it stands in, as far as places are known."""
    things = things_of(unit)
    centres = [thing.centre for thing in things if isinstance(thing, (Base, Hull))]
    saves = []
    for ground in state.grounds:
        shape = ground.shape
        if shape is not None and ground.cover is not None and centres:
            inside = sum(is_inside(shape, centre) for centre in centres)
            saves += [ground.cover] if 2 * inside > len(centres) else []
    return min(saves, default=None)


def _troop_fires(
    state: State, company: Sequence[Troop], victim: Target, shots: ShotOrder, distance: float, psychic: bool
) -> list[tuple[Aim, Weapon]] | Refused:
    """One weapon of each group: the first that may fire, or the one that was named."""
    fired: list[tuple[Aim, Weapon]] = []
    why: Refused | None = None
    most = _most_firers(state, company)
    if isinstance(most, Refused):
        return most
    wanted = [name.strip().lower() for name in shots.weapons]
    known = set[str]()
    at = -1
    for troop in company:
        for group in troop.groups:
            at += 1
            if troop.fired_at or troop.mended:  # a psyker among them whose power was its shot
                continue
            for weapon in _carried(troop, group):
                known |= {weapon.name.lower(), weapon.mode_of.lower()}
                if not group.models or (wanted and not {weapon.name.lower(), weapon.mode_of.lower()} & {*wanted}):
                    continue
                lit = _as_lit(state, weapon, shots)
                aim = _fire(lit, troop, group, weapon, victim, distance, at, bool(wanted), psychic)
                if isinstance(aim, Refused):
                    why = why or aim
                    continue
                if most:
                    fired.append((replace(aim, models=min(aim.models, most)), weapon))
                    most -= fired[-1][0].models
                break
    for name in wanted:
        if name not in known:
            raise UnknownName(f"weapon of {company[0].name}", name, sorted(known - {""}))
    if fired:
        return fired
    return why or Refused(f"{company[0].name} has nothing to fire", "DL-19.1", "weapon")


@clause("DL-0.1")
def _most_firers(state: State, company: Sequence[Troop]) -> int | Refused:
    """How many models or guns may fire: all, but of passengers only as many as their vehicle lets; or why nobody."""
    if not company[0].aboard:
        return sum(max(troop.count, len(troop.guns)) for troop in company)
    machine = state.machine(company[0].aboard)
    riding = sum(rider.count for rider in state.riders(machine.name))
    profile, speed = machine.profile, machine.speed if machine.moved else "immobile"
    return passengers_who_fire(
        profile.types, machine.damage, speed, riding, profile.fire_points, smoke=machine.in_smoke
    )


def _carried(troop: Troop, group: Group) -> Iterator[Weapon]:
    """Every way to fire what a group carries; of artillery the guns fire, not their crew."""
    names = troop.guns[:1] if troop.type == "artillery" else group.weapons
    if troop.type == "artillery" and group is not next((one for one in troop.groups if one.models), None):
        return
    for name in names:
        yield from ways_of(troop, name)


@clause("DL-32.1", "DL-95.8")
def _as_lit(state: State, weapon: Weapon, shots: ShotOrder) -> State:
    """The battle as it is for a weapon: a barrage on a target out of sight needs no light."""
    return replace(state, night=False) if LOBBED.intersection(weapon.rules) and not shots.in_sight else state


def _fire(
    state: State,
    troop: Troop,
    group: Group,
    weapon: Weapon,
    victim: Target,
    distance: float,
    at: int,
    named: bool,
    psychic: bool,
) -> Aim | Refused:
    """A group with one weapon as it is fired, or why not."""
    if PSYCHIC in weapon.rules and not psychic:
        return Refused(f"{weapon.name} is a psychic power; use it with cast", "DL-50.1", "weapon")
    if ORBITAL in weapon.rules:
        refused = refuse_bombardment(weapon.name in troop.used)
        if refused is not None or not named:
            return refused or Refused(f"{weapon.name} has to be called by its name", "DL-SM-52.1", "weapon")
    if ONE_SHOT in weapon.rules and weapon.name in troop.used:
        return Refused(f"{weapon.name} has been fired; it is good for one shot", "DL-0.1", "weapon")
    if state.night and distance > sight_of(group):
        reason = f"{group.name} see {sight_of(group)} inches at night; the target is {inches(distance)} away"
        return Refused(reason, "DL-95.8", "night")
    number = len(troop.guns) if troop.type == "artillery" else group.models
    seat = state.seat_of(troop)
    moved = (troop.moved or seat.moved) and ORBITAL not in weapon.rules
    aim = aim_with(weapon, group, victim, 1, distance, moved, firer=at)
    return aim if isinstance(aim, Refused) else replace(aim, models=number)


def _machine_fires(
    state: State, machine: Machine, victim: Target, shots: ShotOrder, distance: float
) -> list[tuple[Aim, Weapon]] | Refused:
    """The weapons of a vehicle that are left, in range, and may fire together at its speed."""
    fired: list[tuple[Aim, Weapon]] = []
    why: Refused | None = None
    named = [machine.weapon(name) for name in shots.weapons]
    for weapon in named:
        refused = refuse_weapon(machine.damage, weapon.mode_of or weapon.name)
        if refused is not None:
            return refused
    if refused_crew := refuse_weapon(machine.damage, next(iter(machine.damage.weapons_left), "weapon")):
        return refused_crew
    for carried in machine.damage.weapons_left:
        for weapon in ways_of(machine, carried):
            if named and weapon not in named:
                continue
            lit = _as_lit(state, weapon, shots)
            refused = _refuse_gun(lit, machine, weapon, distance, [known for _, known in fired])
            if refused is not None:
                why = why or refused
                continue
            number = sum(name == carried for name in machine.damage.weapons_left)
            if sum(known.name == weapon.name for _, known in fired) < number:
                fired.append((aim_of(weapon, machine.profile.bs, victim, 1, weapon.shots, distance), weapon))
            break
    return fired or why or Refused(f"{machine.name} has nothing to fire", "DL-60.4", "weapon")


def _refuse_gun(
    state: State, machine: Machine, weapon: Weapon, distance: float, others: Sequence[Weapon]
) -> Refused | None:
    """Why a vehicle's weapon may not fire, together with others."""
    if weapon.type in ("melee", "grenade"):
        return Refused("a close combat weapon is not fired", "DL-19.1", "weapon")
    if ONE_SHOT in weapon.rules and weapon.name in machine.used:
        return Refused(f"{weapon.name} has been fired; it is good for one shot", "DL-0.1", "weapon")
    if state.night and distance > NIGHT_SIGHT:
        reason = f"the crew of {machine.name} sees {NIGHT_SIGHT} inches at night; the target is {inches(distance)} away"
        return Refused(reason, "DL-95.8", "night")
    refused = refuse_range(TEMPLATE_RANGE if weapon.marker == "template" else weapon.range, distance)
    if refused is not None:
        return refused
    together = [(gun.strength or 0, gun.type == "ordnance") for gun in (*others, weapon)]
    speed = machine.speed if machine.moved else "immobile"
    types = machine.profile.types
    return refuse_weapons(types, speed, together, smoke=machine.in_smoke, rammed=machine.rammed, ran=machine.ran)


def _markers(aim: Aim, weapon: Weapon) -> int:
    """Markers that are laid one by one: those of a multiple barrage come with the first."""
    if aim.marker in ("none", "template"):
        return 0
    return 1 if MULTIPLE_BARRAGE in weapon.rules else aim.models * aim.shots


@clause("DL-30.5", "DL-32.2")
def _slots(aim: Aim, weapon: Weapon) -> tuple[bool, ...]:
    """The markers of a weapon on which tokens are used, and whether one is laid against the first of a barrage."""
    if aim.marker in ("none", "template"):
        return ()
    barrage = MULTIPLE_BARRAGE in weapon.rules
    return tuple(barrage and at > 0 for at in range(aim.models * aim.shots))


@clause("DL-29.2", "DL-30.8", "DL-55.1", "DL-60.4")
def _refuse_hits(state: State, target: Unitlike, aims: Sequence[Aim], shots: ShotOrder) -> Refused | None:
    """Why the hits cannot be as they were counted; a marker hits a vehicle once, and of a unit no more than it has."""
    markers = sum(aim.models * aim.shots for aim in aims if aim.is_area)
    most = 1 if isinstance(target, Machine) else sum(member.count for member in state.company(target))
    guns = markers * len(target.guns) if isinstance(target, Troop) else 0
    if shots.gun_hits > guns:
        return Refused(f"{plural(guns, 'gun')} can be hit; got {shots.gun_hits}", "DL-55.1", "hits")
    return refuse_hits(shots.hits, markers, most) if shots.hits else None


def _with_hits(fired: list[tuple[Aim, Weapon]], shots: ShotOrder) -> list[tuple[Aim, Weapon]]:
    """Every template and marker with the hits that were counted, in order."""
    left = list(shots.hits)
    ready = []
    for aim, weapon in fired:
        if aim.is_area and left:
            number = aim.models * aim.shots
            own, left = tuple(left[:number]), left[number:]
            ready.append((replace(aim, hits=own), weapon))
        else:
            ready.append((aim, weapon))
    return ready


@clause("DL-30.5", "DL-32.1", "DL-30.4")
def _refuse_markers(
    state: State,
    target: Unitlike,
    fired: Sequence[tuple[Aim, Weapon]],
    slots: Sequence[bool],
    shots: ShotOrder,
    on_board: bool,
) -> Refused | None:
    """Why markers cannot be laid like this: nobody has counted, a target out of sight, tokens that are not there."""
    for aim, weapon in fired:
        if aim.is_area and not aim.hits and (aim.marker == "template" or not on_board):
            what = "template" if aim.marker == "template" else "marker"
            return Refused(f"{weapon.name}: say how many models are under the {what}, hits=…", "DL-30.8", "hits")
        if not aim.is_area and not shots.in_sight:
            return Refused(f"{weapon.name} does not fire at what is out of sight", "DL-32.1", "line_of_sight")
        refused = refuse_unseen(weapon.rules, shots.in_sight) if aim.marker in RADII else None
        if refused is not None:
            return refused
    refused = _refuse_tokens_said(state, target, slots, shots, on_board)
    if refused is not None:
        return refused
    if shots.drawn_back is not None:
        drawn = max((may_pull(aim, weapon, shots.in_sight) for aim, weapon in fired if aim.marker in RADII), default=0)
        said = (*shots.tokens, len(shots.bearings)) if shots.tokens or shots.bearings else (TOKENS_ON_A_BLAST,)
        refused = refuse_draw_back(shots.drawn_back, drawn, max(said))
        if refused is not None:
            return refused
    if shots.aim:
        aimed = Point(shots.aim[0].x, shots.aim[0].y)
        return refuse_aim(aimed, things_of(target))
    return None


@clause("DL-30.4", "DL-30.5", "DL-30.6", "DL-32.2")
def _refuse_tokens_said(
    state: State, target: Unitlike, slots: Sequence[bool], shots: ShotOrder, on_board: bool
) -> Refused | None:
    """Why scatter tokens cannot be used on the markers as it is said."""
    held = state.player(target.side).tokens.scatter
    said = shots.tokens or (len(shots.bearings),)
    if any(said) and not slots:
        return Refused("scatter tokens are used on blasts, and no marker is laid", "DL-30.4", "token")
    if len(shots.tokens) > len(slots):
        return Refused(f"{plural(len(slots), 'marker')} laid; got tokens on {len(shots.tokens)}", "DL-30.4", "token")
    for used, further in zip(said, slots, strict=False):
        if further and (used > 1 or (used and on_board)):
            why = "asked for when they are laid" if on_board else f"one for each; got {used}"
            return Refused(f"tokens on the further markers of a barrage are {why}", "DL-32.2", "token")
        refused = refuse_tokens(used, held, state.night and not further, state.rulings)
        if refused is not None:
            return refused
        held -= used if further else tokens_spent(used, state.night, state.rulings)
    if shots.tokens and shots.bearings and sum(shots.tokens) != len(shots.bearings):
        tokens = plural(sum(shots.tokens), "token")
        return Refused(f"{tokens} need a bearing each; got {len(shots.bearings)}", "DL-30.4", "token")
    return None


# --- the stages ------------------------------------------------------------------------------------------------------


@clause("DL-31.2", "DL-31.3", "DL-31.4")
def heat_weapons(tape: Tape, volley: Volley) -> Volley:
    """The target's player may play gets hot! tokens before anything is worked out."""
    before = volley.shooting
    unit = volley.state.find(volley.unit)
    if isinstance(unit, Machine):
        hot = tuple(at for at, aim in enumerate(before.aims) if aim.gets_hot)
        return tape.each(heat_machine, volley, hot) if hot else volley
    volley, shooting = run(tape, volley, (play_gets_hot,), before, volley.unit)
    spent = before.hot_tokens - shooting.hot_tokens
    volley = replace(volley, shooting=shooting)
    if not spent:
        return volley
    state = volley.state.spend(shooting.target.by, gets_hot=spent)
    volley = replace(volley, state=state).counted(spent=spent)
    firers = state.company(state.troop(volley.unit))
    losses = Target(shooting.firers, told=tuple(told for hot in shooting.hot for told in hot.told))
    return _strike_out(share_losses(tape, volley, firers, losses))


@clause("DL-31.3")
def _strike_out(volley: Volley) -> Volley:
    """Markers of firers whom their weapon has killed are not laid; where hits were counted, counted ones are lost."""
    if volley.shots.hits:
        return volley
    aims, markers = list(volley.shooting.aims), list(volley.markers)
    for at, aim in enumerate(aims):
        if not aim.lost_shots or aim.marker not in RADII:
            continue
        left = shots_counted(aim)
        aims[at] = replace(aim, models=1, shots=left, lost_shots=0)
        kept = min(left, 1) if MULTIPLE_BARRAGE in volley.weapons[at].rules else left
        for _ in range(markers.count(at) - kept):
            markers.remove(at)
    return replace(volley, markers=tuple(markers), shooting=replace(volley.shooting, aims=tuple(aims)))


@clause("DL-31.1", "DL-31.2")
def heat_machine(tape: Tape, volley: Volley, at: int) -> Volley:
    """A token on a vehicle's weapon, where the players allow it, is a glancing hit without damage."""
    state, machine = volley.state, volley.state.machine(volley.unit)
    defender, weapon = volley.shooting.target.by, volley.weapons[at]
    held = state.player(defender).tokens.gets_hot
    if machine.is_gone or refuse_hot(1, held, 1, True, state.rulings) is not None:
        return volley
    said = volley.shooting.hot_said
    if said is None:
        played = tape.choose((0, 1), by=defender, label=f"gets hot! token on {weapon.name} ({at + 1})")
    else:
        played = min(1, said)
        volley = replace(volley, shooting=replace(volley.shooting, hot_said=said - played))
    if not played:
        return volley
    volley = replace(volley, state=state.spend(defender, gets_hot=1)).counted(spent=1)
    return glance(tape, volley, machine.name)


@clause("DL-30.4", "DL-30.6", "DL-30.7", "DL-32.1", "DL-32.2", "DL-58.1", "DL-SM-52.1", "DL-95.9")
def lay_marker(tape: Tape, volley: Volley) -> Volley:
    """A marker is laid: the defender spends tokens on it, the firer draws it back, and the models under it count."""
    if not volley.markers:  # its firer is dead
        return volley
    at, state, shots = volley.markers[0], volley.state, volley.shots
    aim, weapon = volley.shooting.aims[at], volley.weapons[at]
    slots = _slots(aim, weapon)
    slots = slots if MULTIPLE_BARRAGE in weapon.rules else slots[:1]
    slot = volley.laid
    volley = replace(volley, markers=volley.markers[1:], laid=slot + len(slots))
    defender = volley.shooting.target.by
    if aim.hits and shots.hits:
        for number, further in enumerate(slots, slot):
            volley = tape.call(_use_tokens, volley, aim, weapon, _said(shots, number), further)
        return volley
    blast = _blast(volley, aim, weapon, state.player(defender).tokens.scatter)
    used = _said(shots, slot)
    if shots.bearings:
        before = sum(_said(shots, number) or 0 for number in range(slot))
        bearings = shots.bearings[before : before + (used or 0)]
        pulled = shots.drawn_back if bearings and shots.drawn_back is not None else 0.0
        volley, laid = run(tape, volley, (place_further,), place_by_hand(blast, bearings, pulled), weapon.name)
    elif used is not None:
        volley, blast = run(tape, volley, (choose_fire,), blast, weapon.name)
        volley, laid = run(tape, volley, BLAST.stages[2:], spend(blast, used), weapon.name)
    else:
        volley, laid = run(tape, volley, BLAST, blast, weapon.name)
    volley = replace(volley, state=state.spend(defender, scatter=laid.spent)).counted(spent=laid.spent)
    return _count_hits(volley, at, laid)


def _said(shots: ShotOrder, slot: int) -> int | None:
    """Tokens that are said to be used on a marker, if anything is said of tokens; bearings alone are of the first."""
    if shots.tokens:
        return shots.tokens[slot] if slot < len(shots.tokens) else 0
    return (0 if slot else len(shots.bearings)) if shots.bearings else None


@clause("DL-30.4", "DL-30.6", "DL-30.7", "DL-32.1", "DL-32.2")
def _use_tokens(tape: Tape, volley: Volley, aim: Aim, weapon: Weapon, said: int | None, further: bool) -> Volley:
    """Tokens on a marker whose hits the players count: as said, or as the defender now says; the inches are told."""
    state, defender = volley.state, volley.shooting.target.by
    held = state.player(defender).tokens.scatter
    blast = _fired_blast(volley, Point(0, 0), aim, weapon, held)
    blast = blast if further else tape.call(choose_fire, blast)
    used = said
    if used is None:
        most = min(held, 1) if further else most_tokens(held, state.night, state.rulings)
        label = "token on a further marker" if further else "scatter tokens"
        used = tape.choose(tuple(range(most + 1)), by=defender, label=label)
    if not used:
        return volley
    spent = used if further else tokens_spent(used, state.night, state.rulings)
    volley = replace(volley, state=state.spend(defender, scatter=spent)).counted(spent=spent)
    if further:
        return volley.said(Line(f"{weapon.name}: a token decides where a further marker lies", ("DL-32.2",)))
    most = min(blast.pull, scattered(used))
    if volley.shots.drawn_back is not None:
        drawn = min(volley.shots.drawn_back, most)
    else:
        drawn = tape.choose(tuple(range(most, -1, -1)), by=blast.firer, label="draw back")
    off = f"{inches(scattered(used))}, drawn back {inches(drawn)}: {inches(scattered(used) - drawn)} off the aim"
    return volley.said(Line(f"{weapon.name}: {plural(used, 'scatter token')}, {off}", ("DL-30.4", "DL-30.7")))


@clause("DL-30.7", "DL-32.1", "DL-58.1")
def may_pull(aim: Aim, weapon: Weapon, in_sight: bool) -> int:
    """Inches that the firer may draw a marker back."""
    return pull_back(aim) if may_draw_back(weapon.rules, in_sight) else 0


def _fired_blast(volley: Volley, aimed: Point, aim: Aim, weapon: Weapon, held: int) -> Blast:
    """A marker as it is fired, and what both players may do to it."""
    state, shots = volley.state, volley.shots
    return Blast(
        aim=aimed,
        marker=float(RADII[aim.marker]),
        held=held,
        pull=may_pull(aim, weapon, shots.in_sight),
        lobs=bool(LOBBED.intersection(weapon.rules)),
        in_sight=shots.in_sight,
        night=state.night,
        firer=state.find(volley.unit).side,
        defender=volley.shooting.target.by,
        rules=state.rulings,
    )


def _blast(volley: Volley, aim: Aim, weapon: Weapon, held: int) -> Blast:
    """A marker over the target, and everything near enough to matter."""
    state, target, shots = volley.state, volley.state.find(volley.target), volley.shots
    radius = RADII[aim.marker]
    most = most_tokens(held, state.night, state.rulings)
    aimed = Point(shots.aim[0].x, shots.aim[0].y) if shots.aim else best_aim(target, float(radius))
    further = aim.models * aim.shots - 1 if MULTIPLE_BARRAGE in weapon.rules else 0
    reach = 2 * max(most, len(shots.bearings)) + float(radius) * (3 if further else 1)
    bases, units, hulls, vehicles = [], [], [], []
    for unit in state.on_table():
        for thing in things_of(unit):
            if gap(aimed, thing) > reach:
                continue
            if isinstance(thing, Base):
                bases.append(thing)
                units.append(unit.name)
            elif isinstance(thing, Hull):
                hulls.append(thing)
                vehicles.append(unit.name)
    friends = frozenset(unit.name for unit in state.units if unit.side != target.side)
    return replace(
        _fired_blast(volley, aimed, aim, weapon, held),
        bases=tuple(bases),
        units=tuple(units),
        hulls=tuple(hulls),
        vehicles=tuple(vehicles),
        friends=friends,
        further=further,
    )


@clause("DL-30.4")
def best_aim(target: Unitlike, radius: float) -> Point:
    """The model of a target over which a marker touches most of its models."""
    things = things_of(target)
    bases = [thing for thing in things if isinstance(thing, Base)]
    if not bases:
        (hull,) = (thing for thing in things if isinstance(thing, Hull))
        return hull.centre
    return max((base.centre for base in bases), key=lambda centre: len(bases_touched(Base(centre, radius), bases)))


def _count_hits(volley: Volley, at: int, blast: Blast) -> Volley:
    """Whom the markers have reached: the target counts with the weapon, everybody else apart."""
    aim, target = volley.shooting.aims[at], volley.target
    state = volley.state
    names = {member.name for member in state.company(state.troop(target))} if target in blast.units else {target}
    on_target = tuple(map(sum, zip(*(hits_on(blast, name) for name in names), strict=True)))
    shooting = volley.shooting
    if target not in blast.vehicles:
        aims = list(shooting.aims)
        aims[at] = replace(aim, hits=(*aim.hits, *on_target))
        shooting = replace(shooting, aims=tuple(aims))
    reached = list(volley.reached)
    leaders = {name: state.troop(name).joined or name for name in dict.fromkeys(blast.units) if name not in names}
    for leader in dict.fromkeys(leaders.values()):  # who has joined a unit is hit with it
        hits = sum(sum(hits_on(blast, name)) for name, known in leaders.items() if known == leader)
        if hits:
            reached.append(Reached(at, leader, hits))
    for name in blast.vehicles:
        machine = state.machine(name)
        if machine.is_gone:
            continue
        toward = _facing(state, state.find(volley.unit), machine, volley.shots)
        for lies in hull_hits(blast, name):
            face, beside = armour_hit(lies, toward, bool(LOBBED.intersection(volley.weapons[at].rules)))
            reached.append(Reached(at, name, 1, face, beside))
    return replace(volley, shooting=shooting, reached=tuple(reached))


def _facing(state: State, unit: Unitlike, machine: Machine, shots: ShotOrder) -> Facing:
    """The facing that shots of a unit meet, as said or as the board shows it; else the front."""
    if shots.facing is not None:
        return shots.facing
    eyes = _eye(state.seat_of(unit))
    return facing(machine.hull, eyes) if machine.hull is not None and eyes is not None else "front"


def _eye(unit: Unitlike) -> Point | None:
    """Where a unit looks from, if it stands on the board."""
    return next((thing.centre for thing in things_of(unit)), None)


@clause("DL-19.2", "DL-25.3", "DL-60.5", "DL-55.1")
def work_out_shots(tape: Tape, volley: Volley) -> Volley:
    """The packets of all weapons on the target."""
    target = volley.state.find(volley.target)
    if isinstance(target, Machine):
        return _shots_at_machine(tape, volley, target)
    if target.guns:
        return _shots_at_battery(tape, volley, target)
    before = volley.shooting
    volley, shooting = run(tape, volley, (make_packets, resolve_packets), before, target.name)
    volley = volley.counted(dmg=sum(packet.dmg for packet in shooting.packets))
    company = volley.state.company(target)
    return replace(share_losses(tape, volley, company, shooting.target), shooting=shooting)


def hull_packet(
    volley: Volley, at: int, machine: Machine, hits: int = 0, off_hull: bool = False, face: Facing | None = None
) -> HullPacket:
    """A weapon of the volley as a vehicle suffers it."""
    state, unit = volley.state, volley.state.find(volley.unit)
    aim, weapon, shots = volley.shooting.aims[at], volley.weapons[at], volley.shots
    meets = face or _facing(state, unit, machine, shots)
    eyes = _eye(state.seat_of(unit))
    zone: Zone = "orange"
    if shots.zone is not None:
        zone = shots.zone
    elif machine.hull is not None and eyes is not None:
        zone = zone_on_table(machine.hull, eyes, rules=state.rulings)
    group = volley.shooting.firers[aim.firer] if isinstance(unit, Troop) else None
    hunts = group is not None and TANK_HUNTERS in group.rules
    av = int(getattr(machine.profile, meets))
    number = 0 if aim.is_area else shots_counted(aim)
    firing = firing_with(weapon, aim.bs, av, 1, number, aim.distance, zone, hunts, hits, off_hull)
    speed = speed_met(machine.speed, machine.damage.immobilised)
    skims = "skimmer" in machine.profile.types
    cover = cover_met(volley.cover, machine.in_smoke, skims, speed)
    return packet_on(firing, speed, cover, state.rulings)


@clause("DL-60.4", "DL-60.5")
def _shots_at_machine(tape: Tape, volley: Volley, machine: Machine) -> Volley:
    """All that a unit fires at a vehicle, each weapon and facing a packet."""
    packets, areas = [], []
    for at, aim in enumerate(volley.shooting.aims):
        if not aim.is_area:
            packets.append(hull_packet(volley, at, machine))
        elif aim.hits:
            areas.append(hull_packet(volley, at, machine, sum(counted_hits(aim)), volley.shots.off_hull))
            packets.append(areas[-1])
    reached = [
        hull_packet(volley, known.aim, machine, known.hits, known.off_hull, known.facing)
        for known in volley.reached
        if known.unit == machine.name
    ]
    squadron = volley.state.squadron_of(machine)
    if len(squadron) > 1:
        return _shots_at_squadron(tape, volley, squadron, (*areas, *reached))
    summed = sum_hull_packets(packet for packet in (*packets, *reached) if packet.dmg)
    return strike_machine(tape, volley, machine.name, summed, volley.shooting.by)


@clause("DL-25.2", "DL-60.5")
def _shots_at_squadron(tape: Tape, volley: Volley, squadron: Sequence[Machine], areas: Sequence[HullPacket]) -> Volley:
    """Shots at a vehicle of a squadron go evenly to all of it; templates and markers hit what they cover."""
    aims = [at for at, aim in enumerate(volley.shooting.aims) if not aim.is_area]
    alone = [sum_hull_packets(hull_packet(volley, at, machine) for at in aims) for machine in squadron]
    names = [machine.name for machine in squadron]
    by, rules = squadron[0].side, volley.state.rulings
    shares = [share_packet(tape, packets, names, by, rules) for packets in zip(*alone, strict=True) if packets[0].dmg]
    for at, name in enumerate(names):
        own = [share[at] for share in shares] + (list(sum_hull_packets(areas)) if at == 0 else [])
        own = [packet for packet in own if packet.dmg]
        if own and not volley.state.machine(name).is_gone:
            volley = strike_machine(tape, volley, name, own, volley.shooting.by)
    return volley


@clause("DL-55.1", "DL-55.2")
def _shots_at_battery(tape: Tape, volley: Volley, troop: Troop) -> Volley:
    """Shots at artillery go to crew and guns; what is laid out with a marker hits what it covers."""
    state, shooting = volley.state, volley.shooting
    pairs: list[tuple[Packet, HullPacket]] = []
    areas: list[tuple[Packet, HullPacket]] = []
    for at, aim in enumerate(shooting.aims):
        on_troops = packet_of(aim)
        on_guns = _gun_packet(volley, at, volley.shots.gun_hits if aim.is_area else 0)
        (areas if aim.is_area else pairs).append((on_troops, on_guns))
    battery = Battery(shooting.target, troop.guns, tuple(pairs), troop.gun_lines)
    volley, battery = run(tape, volley, ARTILLERY, battery, troop.name)
    for _, on_guns in areas:
        if on_guns.dmg:
            battery = tape.call(damage_guns, battery, on_guns)
    company = state.company(troop)
    dmg = sum(packet.dmg for packet, _ in pairs)
    volley = share_losses(tape, volley.counted(dmg=dmg), company, battery.crew)
    after = volley.state.troop(troop.name)
    volley = volley.with_units(replace(after, guns=battery.guns, gun_lines=battery.lines))
    pinning = {packet.name for packet, _ in pairs if packet.pinning}
    if any(told.hp for told in battery.crew.told if told.packet in pinning):
        volley = check_pinning(volley, troop.name)
    for packet, _ in areas:
        if packet.dmg and volley.state.troop(troop.name).count:
            volley = _suffer_marker(tape, volley, volley.state.troop(troop.name), packet, volley.cover)
    if not volley.state.troop(troop.name).count:
        volley = volley.with_units(replace(volley.state.troop(troop.name), guns=()))
    return volley


def _gun_packet(volley: Volley, at: int, hits: int) -> HullPacket:
    """A weapon on guns of armour 10, which never move."""
    aim, weapon = volley.shooting.aims[at], volley.weapons[at]
    number = 0 if aim.is_area else shots_counted(aim)
    firing = firing_with(weapon, aim.bs, GUN_AV, 1, number, aim.distance, hits=hits)
    return packet_on(firing, "cruising", volley.cover, volley.state.rulings)


@clause("DL-30.8")
def reach_others(tape: Tape, volley: Volley) -> Volley:
    """Whoever else lies under a marker suffers as well, friend or foe."""
    for known in volley.reached:
        if known.unit == volley.target:
            continue
        unit = volley.state.find(known.unit)
        if unit.is_gone:
            continue
        if isinstance(unit, Machine):
            packet = hull_packet(volley, known.aim, unit, known.hits, known.off_hull, known.facing)
            by = volley.state.other(unit.side)
            volley = strike_machine(tape, volley, unit.name, (packet,), by)
        else:
            aim = replace(volley.shooting.aims[known.aim], hits=(known.hits,), lost_shots=0)
            volley = _suffer_marker(tape, volley, unit, packet_of(aim), cover_on_board(volley.state, unit))
    return volley


@clause("DL-8.1", "DL-30.8")
def _suffer_marker(tape: Tape, volley: Volley, unit: Troop, packet: Packet, cover: int | None) -> Volley:
    """A unit under a marker suffers, and takes a pinning test if the weapon that hurt it pins."""
    volley = suffer(tape, volley, unit.name, (packet,), cover)
    hurt = volley.state.troop(unit.name).hp < unit.hp
    return check_pinning(volley, unit.name) if packet.pinning and hurt else volley


@clause("DL-8.1", "DL-SM-73.1", "DL-SM-73.2")
def shake_ground(tape: Tape, volley: Volley) -> Volley:
    """Pinning tests, and shaken ground under who was hit by a subterranean blast; the firers have fired."""
    target = volley.state.find(volley.target)
    hit = {known.unit for known in volley.reached}
    hit |= {volley.target} if any(sum(aim.hits) for aim in volley.shooting.aims) else set()
    subterranean = any(SUBTERRANEAN in weapon.rules for weapon in volley.weapons)
    for name in sorted(hit) if subterranean else ():
        volley = volley.with_units(replace(volley.state.find(name), tremor=True))
        volley = volley.said(Line(f"The ground under {name} is shaken", ("DL-SM-73.1",)))
    if isinstance(target, Troop) and is_pinned_down(volley.shooting):
        volley = check_pinning(volley, target.name)
    return _have_fired(volley)


def _have_fired(volley: Volley) -> Volley:
    state, unit = volley.state, volley.state.find(volley.unit)
    once = tuple(weapon.name for weapon in volley.weapons if ONE_SHOT in weapon.rules)
    if isinstance(unit, Machine):
        done = replace(unit, fired_at=volley.target, used=(*unit.used, *once))
        return volley.with_units(done)
    slow = any(weapon.type in SLOW for weapon in volley.weapons)
    members = state.company(unit) or (unit,)
    fired = [
        replace(member, fired_at=volley.target, fired_slow=slow, used=tuple(dict.fromkeys((*member.used, *once))))
        for member in members
    ]
    return volley.with_units(*fired)


AFTER: tuple[Stage, ...] = (work_out_shots, reach_others, shake_ground)


def volley_stages(volley: Volley) -> Procedure:
    """The stages of a volley: as many markers are laid as its weapons have."""
    return Procedure("volley", (heat_weapons, *(lay_marker,) * len(volley.markers), *AFTER))
