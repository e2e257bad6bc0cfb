"""A volley's markers and tokens: gets hot! tokens, scatter tokens, where markers fall, and the units under them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import sqrt
from typing import Annotated, Literal, TypeAlias

from battletape import rulebook
from battletape.cards import Inputs, asked
from battletape.field.measure import Measurement, look_from, looks_at
from battletape.field.setup import Spot, points_of
from battletape.field.state import Footprint
from battletape.rulebook import (
    Meta,
    Tape,
    clause,
    fold,
    inches,
    listed,
    need,
    plural,
    raise_if_refused,
    replace,
)
from battletape.rulesets.diceless40k.battle.pending import (
    PendingAction,
    glance_vehicle,
    record_shared_losses,
    spend_tokens,
)
from battletape.rulesets.diceless40k.battle.start import Cover, Distance, Inches, NullZone
from battletape.rulesets.diceless40k.battle.state import BattleUnit, Squad, State, Vehicle
from battletape.rulesets.diceless40k.profiles.types import WeaponProfile
from battletape.rulesets.diceless40k.rules import blasts
from battletape.rulesets.diceless40k.rules import shooting as shooting_rules
from battletape.rulesets.diceless40k.rules.artillery import refuse_gun_hits
from battletape.rulesets.diceless40k.rules.casualties import Target
from battletape.rulesets.diceless40k.rules.vehicles import angle_zone
from battletape.rulesets.diceless40k.rules.weapons import MULTIPLE_BARRAGE
from battletape.table.bases import Base
from battletape.table.distances import gap
from battletape.table.facings import Facing
from battletape.table.hulls import Hull
from battletape.table.markers import bases_touched
from battletape.table.points import TOLERANCE, Point, apart

Hits: TypeAlias = tuple[Annotated[int, Meta(ge=0, le=200)], ...]


class ShotOrder(Inputs, frozen=True):
    """The details of shots: weapons, distance, cover, facing, hits and tokens; each may be left out."""

    weapons: tuple[str, ...] = asked(
        (), "Weapons that fire", about="(left out: all that can); named twice, two models fire it beside others"
    )
    psykers_fire: bool = asked(False, "Psykers that have joined fire too, and use no power", "DL-50.1")
    distance: Distance = None
    cover: Cover = None
    null_zone: NullZone = None
    in_sight: bool = True
    facing: Literal["front", "side", "rear"] | None = asked(None, "Facing of a vehicle that is hit")
    zone: Literal["red", "orange", "yellow"] | None = asked(None, "Zone of the angle template", "DL-60.1")
    hits: Hits = asked((), "Models under each template or marker", "DL-30.8")
    gun_hits: int = asked(0, "Guns under them", "DL-55.1", ge=0, le=20)
    off_hull: bool = asked(False, "The hole of the marker lies beside the hull")
    tokens: Hits = asked((), "Scatter tokens on each marker", "DL-30.4")
    hot_tokens: int | None = asked(
        None, "Gets hot! tokens played", "DL-31.2", about="(left out: they are asked for)", ge=0, le=200
    )
    hot_on: tuple[str, ...] = asked((), "Weapons that they are played on, if not the strongest", "DL-31.2")
    aim: tuple[Spot, ...] = asked((), "Where a marker is aimed", "DL-30.4")
    bearings: tuple[Annotated[int, Meta(ge=0, le=360)], ...] = asked(
        (), "Direction of each scatter token, as the players have put them", "DL-30.4"
    )
    drawn_back: Inches | None = asked(None, "Inches drawn back", "DL-30.7")


class UnderMarker(rulebook.State, frozen=True):
    """A unit under a marker, and how the marker hits it."""

    aim: int
    unit: str
    hits: int = 1
    facing: Facing = "side"
    off_hull: bool = False


class PendingVolley(PendingAction, frozen=True, kw_only=True):
    """Shooting in progress: the weapons as they are fired, and the markers still to be laid."""

    unit: str
    target: str
    shooting: shooting_rules.Shooting
    weapons: tuple[WeaponProfile, ...]  # of each aim
    shots: ShotOrder
    shown: Measurement  # how the target lies to the unit
    markers: tuple[int, ...] = ()  # the aim of each marker still to be laid
    under_markers: tuple[UnderMarker, ...] = ()
    laid: int = 0


# --- what an order says of them ---------------------------------------------------------------------------------------


def markers_laid(aim: shooting_rules.Aim, weapon: WeaponProfile) -> int:
    """Return the markers that are laid one by one: those of a multiple barrage come with the first."""
    if aim.marker in ("none", "template"):
        return 0
    return 1 if MULTIPLE_BARRAGE in weapon.rules else aim.models * aim.shots


@clause("DL-30.5", "DL-32.2")
def slots_of(aim: shooting_rules.Aim, weapon: WeaponProfile) -> tuple[bool, ...]:
    """Return for each marker of a weapon on which tokens are used if it is a further one of a barrage."""
    if aim.marker in ("none", "template"):
        return ()
    barrage = MULTIPLE_BARRAGE in weapon.rules
    return tuple(barrage and at > 0 for at in range(aim.models * aim.shots))


@clause("DL-29.2", "DL-30.8", "DL-55.1", "DL-60.4")
def need_counted(state: State, target: BattleUnit, aims: Sequence[shooting_rules.Aim], shots: ShotOrder) -> None:
    """Refuse hits that cannot be as counted; a marker hits a vehicle once, and of a unit no more models than it has."""
    laid = [aim for aim in aims if aim.is_area for _ in range(aim.models * aim.shots)]
    markers = len(laid)
    members = () if isinstance(target, Vehicle) else state.joined_units(target)
    most = sum(member.count for member in members) if members else 1
    raise_if_refused(refuse_gun_hits(shots.gun_hits, markers, len(target.guns) if isinstance(target, Squad) else 0))
    raise_if_refused(shooting_rules.refuse_hits(shots.hits, markers, most) if shots.hits else None)
    bases = [footprint for footprint in state.footprints(*members) if isinstance(footprint, Base)]
    if not shots.hits or len(bases) < most:
        return
    held = state.player(target.side).tokens.scatter
    for aim, counted in zip(laid, shots.hits, strict=False):
        covers = most if aim.marker not in blasts.RADII else max_bases_under(float(blasts.RADII[aim.marker]), bases)
        where = "wherever it lies"
        if covers < most and shots.aim and not held:
            aimed = Base(points_of(shots.aim)[0], float(blasts.RADII[aim.marker]))
            covers, where = len(bases_touched(aimed, bases)), "where it is aimed"
        reason = f"on the board the marker of {aim.name} covers {plural(covers, 'model')} of {target.name}"
        need(counted <= covers, f"{reason} at most {where}, not {counted}; leave out hits", "DL-30.8", "hits")


@clause("DL-30.8")
def max_bases_under(radius: float, bases: Sequence[Base]) -> int:
    """Return the most bases that a marker can touch; it is enough to try where it barely touches two."""
    best = max(len(bases_touched(Base(base.centre, radius), bases)) for base in bases)
    for first, second in combinations(bases, 2):
        for centre in _touching(first, second, radius):
            best = max(best, len(bases_touched(Base(centre, radius), bases)))
    return best


def _touching(first: Base, second: Base, radius: float) -> Iterator[Point]:
    """Yield the two places of a marker where it barely touches both bases, if it can reach both."""
    far, near, away = radius + first.radius, radius + second.radius, apart(first.centre, second.centre)
    if not TOLERANCE < away <= far + near:
        return
    along = (far**2 - near**2 + away**2) / (2 * away)
    aside = sqrt(max(0.0, far**2 - along**2))
    east, north = ((second.centre.x - first.centre.x) / away, (second.centre.y - first.centre.y) / away)
    for turn in (aside, -aside):
        yield Point(first.centre.x + along * east - turn * north, first.centre.y + along * north + turn * east)


def with_hits(
    fired: list[tuple[shooting_rules.Aim, WeaponProfile]], shots: ShotOrder
) -> list[tuple[shooting_rules.Aim, WeaponProfile]]:
    """Return every template and marker with the hits that were counted, in order."""
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
def need_markers(
    state: State,
    target: BattleUnit,
    fired: Sequence[tuple[shooting_rules.Aim, WeaponProfile]],
    slots: Sequence[bool],
    shots: ShotOrder,
    on_board: bool,
) -> None:
    """Refuse markers that cannot be laid like this: not counted, out of sight, or with tokens that are not held."""
    for aim, weapon in fired:
        if aim.is_area and not aim.hits and (aim.marker == "template" or not on_board):
            what = "template" if aim.marker == "template" else "marker"
            need(False, f"{weapon.name}: say how many models are under the {what}, hits=…", "DL-30.8", "hits")
        unseen = f"{weapon.name} does not fire at what is out of sight"
        need(aim.is_area or shots.in_sight, unseen, "DL-32.1", "line_of_sight")
        if aim.marker in blasts.RADII:
            raise_if_refused(blasts.refuse_unseen(weapon.rules, shots.in_sight))
    _need_tokens(state, target, slots, shots, on_board)
    if shots.drawn_back is not None:
        drawn = max(
            (draw_back_allowed(aim, weapon, shots.in_sight) for aim, weapon in fired if aim.marker in blasts.RADII),
            default=0,
        )
        ordered = (
            (*shots.tokens, len(shots.bearings)) if shots.tokens or shots.bearings else (blasts.TOKENS_ON_A_BLAST,)
        )
        raise_if_refused(blasts.refuse_draw_back(shots.drawn_back, drawn, max(ordered)))
    if shots.aim:
        raise_if_refused(blasts.refuse_aim(points_of(shots.aim)[0], state.footprints(target)))


@clause("DL-30.4", "DL-30.5", "DL-30.6", "DL-32.2")
def _need_tokens(state: State, target: BattleUnit, slots: Sequence[bool], shots: ShotOrder, on_board: bool) -> None:
    """Refuse scatter tokens that cannot be used on the markers as ordered."""
    held = state.player(target.side).tokens.scatter
    ordered = shots.tokens or (len(shots.bearings),)
    no_marker = "scatter tokens are used on blasts, and no marker is laid"
    need(slots or not any(ordered), no_marker, "DL-30.4", "token")
    laid = f"{plural(len(slots), 'marker')} laid; got tokens on {len(shots.tokens)}"
    need(len(shots.tokens) <= len(slots), laid, "DL-30.4", "token")
    for used, further in zip(ordered, slots, strict=False):
        if further and (used > 1 or (used and on_board)):
            why = "asked for when they are laid" if on_board else f"one for each; got {used}"
            need(False, f"tokens on the further markers of a barrage are {why}", "DL-32.2", "token")
        raise_if_refused(blasts.refuse_tokens(used, held, state.night and not further, state.rulings))
        held -= used if further else blasts.tokens_spent(used, state.night, state.rulings)
    if shots.tokens and shots.bearings:
        tokens = sum(shots.tokens)
        each = f"{plural(tokens, 'token')} need a bearing each; got {len(shots.bearings)}"
        need(tokens == len(shots.bearings), each, "DL-30.4", "token")


# --- the stages -------------------------------------------------------------------------------------------------------


@clause("DL-31.2", "DL-31.3", "DL-31.4")
def play_hot_tokens(tape: Tape, volley: PendingVolley) -> PendingVolley:
    """Let the target's player play gets hot! tokens before any damage is worked out."""
    before = volley.shooting
    unit = volley.state.find(volley.unit)
    if isinstance(unit, Vehicle):
        hot = tuple(at for at, aim in enumerate(before.aims) if aim.gets_hot)
        return tape.each(play_hot_token_on_vehicle, volley, hot) if hot else volley
    shooting = fold((shooting_rules.play_gets_hot,), tape, before, about=volley.unit)
    spent = before.hot_tokens - shooting.hot_tokens
    volley = replace(volley, shooting=shooting)
    if not spent:
        return volley
    volley = spend_tokens(tape, volley, shooting.target.by, gets_hot=spent)
    firers = volley.state.joined_units(volley.state.squad(volley.unit))
    losses = Target(shooting.firers, losses=shooting.firer_losses)
    return _without_lost_markers(record_shared_losses(tape, volley, firers, losses))


@clause("DL-31.3")
def _without_lost_markers(volley: PendingVolley) -> PendingVolley:
    """Take away the markers of firers that their weapon has killed; where hits were counted, counted ones are lost."""
    if volley.shots.hits:
        return volley
    aims, markers = list(volley.shooting.aims), list(volley.markers)
    for at, aim in enumerate(aims):
        if not aim.lost_shots or aim.marker not in blasts.RADII:
            continue
        left = shooting_rules.shots_counted(aim)
        aims[at] = replace(aim, models=1, shots=left, lost_shots=0)
        kept = min(left, 1) if MULTIPLE_BARRAGE in volley.weapons[at].rules else left
        for _ in range(markers.count(at) - kept):
            markers.remove(at)
    return replace(volley, markers=tuple(markers), shooting=replace(volley.shooting, aims=tuple(aims)))


@clause("DL-31.1", "DL-31.2")
def play_hot_token_on_vehicle(tape: Tape, volley: PendingVolley, at: int) -> PendingVolley:
    """Let the target's player put a token on a vehicle's weapon: a glancing hit without damage, if players allow it."""
    state, vehicle = volley.state, volley.state.vehicle(volley.unit)
    defender, weapon = volley.shooting.target.by, volley.weapons[at]
    held = state.player(defender).tokens.gets_hot
    if vehicle.is_destroyed or shooting_rules.refuse_hot(1, held, 1, True, state.rulings) is not None:
        return volley
    declared = volley.shooting.hot_declared
    if declared is None:
        label = f"gets hot! token on {weapon.name} ({at + 1})"
        played = tape.choose((1, 0), by=defender, label=label, unit="token")
    else:
        played = min(1, declared)
        volley = replace(volley, shooting=replace(volley.shooting, hot_declared=declared - played))
    if not played:
        return volley
    volley = spend_tokens(tape, volley, defender, gets_hot=1)
    return glance_vehicle(tape, volley, vehicle.name)


@clause("DL-30.4", "DL-30.6", "DL-30.7", "DL-32.1", "DL-32.2", "DL-58.1", "DL-SM-52.1", "DL-95.9")
def lay_marker(tape: Tape, volley: PendingVolley) -> PendingVolley:
    """Lay a marker: the defender spends tokens on it, the firer draws it back, and the models under it count."""
    if not volley.markers:  # its firer is dead
        return volley
    at, state, shots = volley.markers[0], volley.state, volley.shots
    aim, weapon = volley.shooting.aims[at], volley.weapons[at]
    slots = slots_of(aim, weapon)
    slots = slots if MULTIPLE_BARRAGE in weapon.rules else slots[:1]
    slot = volley.laid
    volley = replace(volley, markers=volley.markers[1:], laid=slot + len(slots))
    defender = volley.shooting.target.by
    if aim.hits and shots.hits:
        for number, further in enumerate(slots, slot):
            volley = tape.call(_use_tokens, volley, aim, weapon, _declared_tokens(shots, number), further)
        return volley
    blast = _blast(volley, aim, weapon, state.player(defender).tokens.scatter)
    used = _declared_tokens(shots, slot)
    if shots.bearings:
        before = sum(_declared_tokens(shots, number) or 0 for number in range(slot))
        bearings = shots.bearings[before : before + (used or 0)]
        pulled = shots.drawn_back if bearings and shots.drawn_back is not None else 0.0
        laid = fold((blasts.place_further,), tape, blasts.place_by_hand(blast, bearings, pulled), about=weapon.name)
    elif used is not None:
        blast = fold((blasts.choose_fire,), tape, blast, about=weapon.name)
        laid = fold(blasts.BLAST.stages[2:], tape, blasts.with_tokens_used(blast, used), about=weapon.name)
    else:
        laid = fold(blasts.BLAST, tape, blast, about=weapon.name)
    volley = spend_tokens(tape, volley, defender, scatter=laid.spent)
    return _count_hits(volley, at, laid)


def _declared_tokens(shots: ShotOrder, slot: int) -> int | None:
    """Return the tokens ordered for a marker, if any are ordered; bearings without numbers are of the first."""
    if shots.tokens:
        return shots.tokens[slot] if slot < len(shots.tokens) else 0
    return (0 if slot else len(shots.bearings)) if shots.bearings else None


@clause("DL-30.4", "DL-30.6", "DL-30.7", "DL-32.1", "DL-32.2")
def _use_tokens(
    tape: Tape,
    volley: PendingVolley,
    aim: shooting_rules.Aim,
    weapon: WeaponProfile,
    ordered: int | None,
    further: bool,
) -> PendingVolley:
    """Use tokens on a marker whose hits the players count: as many as ordered, or as the defender chooses now."""
    state, defender = volley.state, volley.shooting.target.by
    held = state.player(defender).tokens.scatter
    blast = _fired_blast(volley, Point(0, 0), aim, weapon, held)
    blast = blast if further else tape.call(blasts.choose_fire, blast)
    used = ordered
    if used is None:
        most = min(held, 1) if further else blasts.most_tokens(held, state.night, state.rulings)
        label = "token on a further marker" if further else "scatter tokens"
        used = tape.choose(tuple(range(most + 1)), by=defender, label=label, unit="token")
    if not used:
        return volley
    spent = used if further else blasts.tokens_spent(used, state.night, state.rulings)
    volley = spend_tokens(tape, volley, defender, scatter=spent)
    if further:
        tape.tell("{}: a token decides where a further marker lies", weapon.name, clause="DL-32.2")
        return volley
    most = min(blast.draw_back_inches, blasts.scattered(used))
    if volley.shots.drawn_back is not None:
        drawn = min(volley.shots.drawn_back, most)
    else:
        drawn = tape.call(_draw_back, most, blast.firer)
    scattered = blasts.scattered(used)
    off = f"{inches(scattered)}, drawn back {inches(drawn)}: {inches(scattered - drawn)} off the aim"
    tape.tell("{}: {}, {}", weapon.name, plural(used, "scatter token"), off, clause=("DL-30.4", "DL-30.7"))
    return volley


@clause("DL-30.7")
def _draw_back(tape: Tape, most: int, by: str) -> int:
    """Let the firer say how far back it draws a marker where there is no board."""
    return int(tape.choose(tuple(range(most, -1, -1)), by=by, label="draw back", unit="inch"))


@clause("DL-30.7", "DL-32.1", "DL-58.1")
def draw_back_allowed(aim: shooting_rules.Aim, weapon: WeaponProfile, in_sight: bool) -> int:
    """Return the inches that the firer may draw a marker back."""
    return shooting_rules.draw_back_inches(aim) if blasts.may_draw_back(weapon.rules, in_sight) else 0


def _fired_blast(
    volley: PendingVolley, aimed: Point, aim: shooting_rules.Aim, weapon: WeaponProfile, held: int
) -> blasts.Blast:
    """Return a marker as it is fired, and what both players may do to it."""
    state, shots = volley.state, volley.shots
    return blasts.Blast(
        aim=aimed,
        marker=float(blasts.RADII[aim.marker]),
        held=held,
        draw_back_inches=draw_back_allowed(aim, weapon, shots.in_sight),
        is_barrage=bool(blasts.BARRAGES.intersection(weapon.rules)),
        in_sight=shots.in_sight,
        night=state.night,
        firer=state.find(volley.unit).side,
        defender=volley.shooting.target.by,
        rulings=state.rulings,
        usual_first=True,
    )


def _blast(volley: PendingVolley, aim: shooting_rules.Aim, weapon: WeaponProfile, held: int) -> blasts.Blast:
    """Return a marker over the target, and everything near enough to matter."""
    state, target, shots = volley.state, volley.state.find(volley.target), volley.shots
    radius = blasts.RADII[aim.marker]
    most = blasts.most_tokens(held, state.night, state.rulings)
    aimed = points_of(shots.aim)[0] if shots.aim else best_aim(state.footprints(target), float(radius))
    further = aim.models * aim.shots - 1 if MULTIPLE_BARRAGE in weapon.rules else 0
    reach = 2 * max(most, len(shots.bearings)) + float(radius) * (3 if further else 1)
    bases, units, hulls, vehicles = [], [], [], []
    for unit in state.on_table():
        for footprint in state.footprints(unit):
            if gap(aimed, footprint) > reach:
                continue
            if isinstance(footprint, Base):
                bases.append(footprint)
                units.append(unit.name)
            elif isinstance(footprint, Hull):
                hulls.append(footprint)
                vehicles.append(unit.name)
    friends = frozenset(unit.name for unit in state.units if unit.side != target.side)
    return replace(
        _fired_blast(volley, aimed, aim, weapon, held),
        bases=tuple(bases),
        units=tuple(units),
        hulls=tuple(hulls),
        vehicles=tuple(vehicles),
        friends=friends,
        further_markers=further,
    )


@clause("DL-30.4")
def best_aim(footprints: Sequence[Footprint], radius: float) -> Point:
    """Return the model of a target over which a marker touches most of its models."""
    bases = [each for each in footprints if isinstance(each, Base)]
    if not bases:
        return footprints[0].centre
    return max((base.centre for base in bases), key=lambda centre: len(bases_touched(Base(centre, radius), bases)))


def _count_hits(volley: PendingVolley, at: int, blast: blasts.Blast) -> PendingVolley:
    """Return the units that the markers have reached: the target counts with the weapon, all others apart."""
    aim, target = volley.shooting.aims[at], volley.target
    state = volley.state
    names = {member.name for member in state.joined_units(state.squad(target))} if target in blast.units else {target}
    on_target = tuple(map(sum, zip(*(blasts.hits_on(blast, name) for name in names), strict=True)))
    shooting = volley.shooting
    if target not in blast.vehicles:
        aims = list(shooting.aims)
        aims[at] = replace(aim, hits=(*aim.hits, *on_target))
        shooting = replace(shooting, aims=tuple(aims))
    under_markers = list(volley.under_markers)
    leaders = {name: state.squad(name).joined or name for name in dict.fromkeys(blast.units) if name not in names}
    for leader in dict.fromkeys(leaders.values()):  # a character is hit with the unit it has joined
        hits = sum(sum(blasts.hits_on(blast, name)) for name, known in leaders.items() if known == leader)
        if hits:
            under_markers.append(UnderMarker(at, leader, hits))
    for name in blast.vehicles:
        vehicle = state.vehicle(name)
        if vehicle.is_destroyed:
            continue
        toward = facing_met(volley, vehicle)
        for hull_blast in blasts.hull_hits(blast, name):
            face, beside = blasts.armour_hit(
                hull_blast, toward, bool(blasts.BARRAGES.intersection(volley.weapons[at].rules))
            )
            under_markers.append(UnderMarker(at, name, 1, face, beside))
    return replace(volley, shooting=shooting, under_markers=tuple(under_markers))


@clause("DL-60.1", "DL-60.7")
def need_facing_shown(
    state: State, unit: BattleUnit, vehicle: Vehicle, shots: ShotOrder, weapons: Sequence[WeaponProfile]
) -> None:
    """Refuse a facing or zone of a vehicle that no firing model looks at on the board.

    A barrage meets the side, and a marker beside the hull the side that it lies at.
    """
    firer, aim = state.field.measured_from(unit.name), state.field.position(vehicle.name)
    if not aim.hulls or not firer.footprints:
        return
    seen = [look_from(each.centre, aim.hulls[0]) for each in firer.footprints]
    faces = list(dict.fromkeys(face for face, _ in seen))
    from_above = shots.off_hull or any(blasts.BARRAGES.intersection(weapon.rules) for weapon in weapons)
    if shots.facing is not None and shots.facing not in faces and not from_above:
        looks = f"on the board {unit.name} looks at the {listed(faces)} of {vehicle.name}"
        need(False, f"{looks}, not at the {shots.facing}; leave out facing", "DL-60.7", "facing")
    zones = list(dict.fromkeys(angle_zone(angle, state.rulings) for _, angle in seen))
    if shots.zone is not None and shots.zone not in zones:
        lies = f"on the board {unit.name} fires at {vehicle.name} from the {listed(zones)} zone"
        need(False, f"{lies}, not the {shots.zone} one; leave out zone", "DL-60.1", "zone")


def facing_met(volley: PendingVolley, vehicle: Vehicle) -> Facing:
    """Return the facing of a vehicle that shots meet: of the target as measured, of others as the board shows it."""
    return volley.shown.facing if vehicle.name == volley.target else _look(volley, vehicle)[0]


def angle_met(volley: PendingVolley, vehicle: Vehicle) -> float:
    """Return the angle at which shots meet a vehicle, off the perpendicular of its face."""
    return volley.shown.angle if vehicle.name == volley.target else _look(volley, vehicle)[1]


def _look(volley: PendingVolley, vehicle: Vehicle) -> tuple[Facing, float]:
    field = volley.state.field
    return looks_at(field.measured_from(volley.unit), field.position(vehicle.name))
