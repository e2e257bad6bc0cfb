"""The question `tokens`: how to spend scatter tokens on a blast or a deep strike, with all models on a board."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import inf
from typing import TYPE_CHECKING, Annotated, Any, Literal

from battletape.cards import (
    Goal,
    Inputs,
    Lead,
    Measure,
    ProfileBook,
    Question,
    Table,
    asked,
    parse_pairs,
    split_entries,
)
from battletape.field.setup import rings
from battletape.rulebook import (
    BadInput,
    Caution,
    Meta,
    Procedure,
    State,
    Tape,
    by_default,
    clause,
    plural,
    raise_if_refused,
    replace,
)
from battletape.rulesets.diceless40k import words
from battletape.rulesets.diceless40k.profiles import types
from battletape.rulesets.diceless40k.questions._inputs import (
    GUN_RULINGS,
    TROOP_RULINGS,
    Names,
    group_of,
    weapon_rules_named,
)
from battletape.rulesets.diceless40k.questions.blast import fill_blast
from battletape.rulesets.diceless40k.rules import blasts, deep_strike, vehicles
from battletape.rulesets.diceless40k.rules.attacks import aim_of
from battletape.rulesets.diceless40k.rules.casualties import Target
from battletape.rulesets.diceless40k.rules.damage_rows import box_result_line, new_sheet
from battletape.rulesets.diceless40k.rules.keywords import WEAPON_RULES
from battletape.rulesets.diceless40k.rules.shooting import (
    Shooting,
    draw_back_inches,
    make_packets,
    refuse_range,
    resolve_packets,
)
from battletape.rulesets.diceless40k.rules.weapons import MULTIPLE_BARRAGE
from battletape.rulesets.diceless40k.rulings import Rulings
from battletape.table import picture as picture
from battletape.table.bases import Base
from battletape.table.board import Board
from battletape.table.facings import Facing, armour_at
from battletape.table.hulls import Hull
from battletape.table.points import Point

if TYPE_CHECKING:
    from battletape.answer import Answer

TARGET, FRIENDS = "target", "friends"
MAX_FIGURES, MAX_HULLS, MAX_FURTHER_MARKERS = 40, 4, 4
Place = Annotated[float, Meta(ge=0, le=240)]
Size = Annotated[float, Meta(gt=0, le=24)]


class Figure(Inputs, frozen=True):
    """A model on the board: where it stands, and whether it belongs to the side that fires or arrives."""

    x: Place = 0.0
    y: Place = 0.0
    radius: float = asked(0.5, ge=0, le=12)
    friend: bool = False


class BoardVehicle(Inputs, frozen=True):
    """A vehicle on the board: where its hull lies, its armour, and the facing that looks at the firer."""

    vehicle: str = asked("", "Vehicle profile", group="target", profile="vehicle")
    x: Place = 0.0
    y: Place = 0.0
    heading: float = asked(0.0, ge=0, le=360)
    length: Size = 4.0
    width: Size = 3.0
    front: types.Armour = 12
    side: types.Armour = 11
    rear: types.Armour = 10
    facing: Facing = "front"
    speed: vehicles.Speed = "cruising"
    cover: types.Save | None = None
    friend: bool = False


ROW = tuple(Figure(x=20.0 + 2 * at, y=24.0) for at in range(5))
Wanted = Literal["hits", "hp", "models", "hull"]


class TokensInputs(Inputs, frozen=True):
    """A board, and what the tokens are for."""

    use: Literal["blast", "arrival"] = asked("blast", "What they are spent on", "DL-30.4", group="circumstances")
    held: int = asked(4, "Scatter tokens held", "DL-30.5", group="target", ge=0, le=200)
    figures: tuple[Figure, ...] = asked(ROW, "Models on the board", "DL-30.8", group="target", short="model")
    hulls: tuple[BoardVehicle, ...] = asked((), "Vehicles on the board", "DL-60.4", group="target", short="vehicle")
    x: Place = asked(24.0, "Aimed at", "DL-30.4", about=": inches from the west", group="attacker")
    y: Place = asked(24.0, "Aimed at", "DL-30.4", about=": inches from the south", group="attacker")
    wanted: Wanted = asked(
        "hits",
        "What is to be spared",
        "DL-30.8",
        group="target",
        note="hits, HP or models of the target, or hull: DMG on the lines of its vehicles",
    )
    weapon: str = asked("", "Weapon profile", group="attacker", profile="weapon")
    marker: Literal["blast", "large_blast"] = asked("blast", "Marker", "DL-30.2", group="attacker")
    bs: types.Stat = asked(3, "BS", "DL-30.7", group="attacker", short="BS")
    strength: int = asked(4, "Strength", "DL-30.8", group="attacker", short="S", ge=1, le=12)
    ap: types.Ap | None = asked(6, "AP", "DL-20.1", group="attacker", short="AP")
    type: types.WeaponType = asked("assault", "Type", "DL-29.1", group="attacker")
    range: types.Inches = asked(48, "Range", "DL-29.1", group="attacker", unit="inches", short="Range")
    distance: float = asked(
        24.0, "Distance", "DL-29.1", group="circumstances", unit="inches", form="circumstance", ge=0, le=240
    )
    rules: Names = asked((), "Special rules of the weapon", "DL-32.1", group="attacker", known=WEAPON_RULES)
    further: int = asked(
        0, "Further markers of a multiple barrage", "DL-32.2", group="attacker", ge=0, le=MAX_FURTHER_MARKERS
    )
    in_sight: bool = asked(True, "The firer sees the target", "DL-32.1", group="circumstances")
    toughness: types.Least1 = asked(4, "Toughness of the models", "DL-6.1", group="target")
    wounds: types.Least1 = asked(1, "Wounds of the models", "DL-6.1", group="target")
    armour: types.Save | None = asked(3, "Their armour save", "DL-20.1", group="target")
    cover: types.Save | None = asked(None, "Their cover save", "DL-20.1", group="target")
    night: bool = asked(False, "Night fighting", "DL-95.9", group="circumstances", form="circumstance", short="Night")
    arriving: int = asked(5, "Models that arrive", "DL-95.2", group="attacker", ge=1, le=40)
    zone: deep_strike.Zone = asked("neutral", "Zone they are aimed at", "DL-95.5", group="attacker")
    landed: deep_strike.Zone | None = asked(
        None, "Zone where tokens push them, if another one", "DL-95.5", group="circumstances"
    )
    jamming: bool = asked(False, "A jamming beacon within 6 inches", "DL-SM-75.1", group="circumstances")
    width: float = asked(72.0, "Width of the board", group="circumstances", unit="inches", ge=1, le=240)
    depth: float = asked(48.0, "Depth of the board", group="circumstances", unit="inches", ge=1, le=240)


class BoardBlast(State, frozen=True):
    """A blast on a board, its hits, and what is to be spared; `without_tokens` is its effect without any."""

    blast: blasts.Blast
    weapon: types.WeaponProfile
    bs: int
    wanted: Wanted
    shooting: Shooting | None = None  # at the models of the target, if it has any
    board_vehicles: tuple[BoardVehicle, ...] = ()
    vehicle_attacks: tuple[vehicles.VehicleAttack, ...] = ()  # what was done to vehicles of the target
    distance: float = 0
    without_tokens: int = 0


class Landing(State, frozen=True):
    """A unit that arrives, and what it may be pushed into."""

    strike: deep_strike.DeepStrike
    around: tuple[deep_strike.Threat, ...]


def _bases(inputs: TokensInputs) -> tuple[Base, ...]:
    return tuple(Base(Point(figure.x, figure.y), figure.radius) for figure in inputs.figures)


def _hull(vehicle: BoardVehicle) -> Hull:
    return Hull(Point(vehicle.x, vehicle.y), vehicle.heading, vehicle.length, vehicle.width)


def _vehicle_name(vehicle: BoardVehicle, at: int) -> str:
    return f"{_vehicle_kind(vehicle)} {at + 1}"


def _vehicle_kind(vehicle: BoardVehicle) -> str:
    return f"{'friendly ' if vehicle.friend else ''}{vehicle.vehicle or 'vehicle'}"


# --- blasts -----------------------------------------------------------------------------------------------------------


@clause("DL-30.4", "DL-30.7", "DL-30.8", "DL-32.1", "DL-58.1")
def begin_tokens(inputs: TokensInputs, rulings: Rulings) -> BoardBlast | Landing:
    """Return the models in their places, with the marker over its aim or the unit where it would land."""
    for name, most, what in (("figures", MAX_FIGURES, "models"), ("hulls", MAX_HULLS, "vehicles")):
        number = len(getattr(inputs, name))
        if number > most:
            raise BadInput.of(name, f"takes at most {most} {what}; got {number}. Leave out those far off.")
    if inputs.use == "arrival":
        return _landing(inputs, rulings)
    bases, hulls = _bases(inputs), tuple(map(_hull, inputs.hulls))
    names = tuple(FRIENDS if figure.friend else TARGET for figure in inputs.figures)
    vehicle_names = tuple(_vehicle_name(vehicle, at) for at, vehicle in enumerate(inputs.hulls))
    own = [base for base, name in zip(bases, names, strict=True) if name == TARGET]
    targets: list[Base | Hull] = [
        *own,
        *(hull for hull, vehicle in zip(hulls, inputs.hulls, strict=True) if not vehicle.friend),
    ]
    if not targets:
        raise BadInput("figures or hulls must include a model or vehicle of the target; got none.", field="figures")
    weapon_rules = weapon_rules_named(inputs.rules)
    aim = Point(inputs.x, inputs.y)
    raise_if_refused(
        blasts.refuse_aim(aim, targets)
        or blasts.refuse_unseen(weapon_rules, inputs.in_sight)
        or refuse_range(inputs.range, inputs.distance)
    )
    weapon = types.WeaponProfile(
        name=inputs.weapon or "blast",
        type=inputs.type,
        range=inputs.range,
        strength=inputs.strength,
        ap=inputs.ap,
        marker=inputs.marker,
        rules=weapon_rules,
    )
    group = group_of(TARGET, max(1, len(own)), inputs.toughness, 0, inputs.wounds, None, rulings, armour=inputs.armour)
    target = Target((group,), rulings, cover=inputs.cover, picks_save=False)
    fired = aim_of(weapon, inputs.bs, target, distance=inputs.distance, hits=(0,))
    blast = blasts.Blast(
        aim,
        blasts.RADII[inputs.marker],
        bases,
        names,
        hulls=hulls,
        vehicles=vehicle_names,
        friends=frozenset(
            {
                FRIENDS,
                *(name for name, vehicle in zip(vehicle_names, inputs.hulls, strict=True) if vehicle.friend),
            }
        ),
        held=inputs.held,
        draw_back_inches=draw_back_inches(fired) if blasts.may_draw_back(weapon_rules, inputs.in_sight) else 0,
        night=inputs.night,
        further_markers=inputs.further,
        rulings=rulings,
    )
    shooting = Shooting(rulings, (fired,), target) if own else None
    state = BoardBlast(blast, weapon, inputs.bs, inputs.wanted, shooting, inputs.hulls, distance=inputs.distance)
    untouched = replace(state, blast=replace(blast, held=0, night=False))
    return replace(state, without_tokens=blast_effect(by_default(procedure(untouched), untouched)))


@clause("DL-30.4", "DL-30.5", "DL-30.6")
def spend_tokens(tape: Tape, state: BoardBlast) -> BoardBlast:
    """Let the defender choose how many tokens to use."""
    return replace(state, blast=blasts.spend_tokens(tape, state.blast))


@clause("DL-30.4")
def push_marker(tape: Tape, state: BoardBlast) -> BoardBlast:
    """Let the defender push the marker, each token 2 inches in a direction of its own."""
    return replace(state, blast=blasts.push_marker(tape, state.blast))


@clause("DL-30.7")
def draw_back(tape: Tape, state: BoardBlast) -> BoardBlast:
    """Let the firer draw the marker back."""
    return replace(state, blast=blasts.draw_back(tape, state.blast))


@clause("DL-32.2")
def place_next(tape: Tape, state: BoardBlast) -> BoardBlast:
    """Lay a further marker of a multiple barrage against the first."""
    number = len(state.blast.markers) + 1
    return replace(state, blast=blasts.place_marker(tape, state.blast, number))


@clause("DL-30.8", "DL-60.4")
def explode(tape: Tape, state: BoardBlast) -> BoardBlast:
    """Hurt the models and vehicles of the target under the markers."""
    blast, shooting = state.blast, state.shooting
    if shooting is not None:
        (aim,) = shooting.aims
        shooting = replace(shooting, aims=(replace(aim, hits=blasts.hits_on(blast, TARGET)),))
        shooting = resolve_packets(tape, make_packets(tape, shooting))
    attacks = tuple(_strike(state, at) for at, vehicle in enumerate(state.board_vehicles) if not vehicle.friend)
    for attack in attacks:
        for result in attack.packet_results:
            tape.tell(vehicles.packet_result_lines, result)
            for box_result in result.box_results:
                tape.tell(box_result_line, box_result)
    return replace(state, shooting=shooting, vehicle_attacks=attacks)


def _strike(state: BoardBlast, at: int) -> vehicles.VehicleAttack:
    """Return what the markers do to one vehicle; which weapon it loses does not matter here."""
    vehicle, blast, weapon = state.board_vehicles[at], state.blast, state.weapon
    packets = []
    for hull_blast in blasts.hull_hits(blast, blast.vehicles[at]):
        face, beside = blasts.armour_hit(hull_blast, vehicle.facing, bool(blasts.BARRAGES.intersection(weapon.rules)))
        av, away = armour_at(vehicle, face), state.distance
        firing = vehicles.firing_with(weapon, state.bs, av, distance=away, hits=1, off_hull=beside)
        packets.append(vehicles.packet_on(firing, vehicle.speed, vehicle.cover, blast.rulings))
    attack = vehicles.VehicleAttack(new_sheet(rulings=blast.rulings), vehicles.sum_hull_packets(packets), blast.rulings)
    resolved: vehicles.VehicleAttack = by_default(vehicles.VEHICLE_ATTACK, attack)
    return resolved


BLAST_STAGES = tuple(
    Procedure("shelling", (spend_tokens, push_marker, draw_back, *(place_next,) * further, explode))
    for further in range(MAX_FURTHER_MARKERS + 1)
)
"""The stages of a blast, by the number of its further markers."""


@clause("DL-30.8")
def hits(state: BoardBlast, *, friends: bool = False) -> int:
    """Return the models and vehicles of the target under the markers, or those of the firer's own side."""
    blast, total = state.blast, sum(blasts.hits_on(state.blast, FRIENDS if friends else TARGET))
    for name, vehicle in zip(blast.vehicles, state.board_vehicles, strict=True):
        total += len(blasts.hull_hits(blast, name)) if vehicle.friend == friends else 0
    return total


def hp_lost(state: BoardBlast) -> int:
    """Return the HP that the models of the target lose."""
    return 0 if state.shooting is None else state.shooting.target.hp_removed


@clause("DL-60.13")
def hull_dmg(state: BoardBlast) -> int:
    """Return the DMG that is written on the sheets of the target's vehicles."""
    return sum(sum(attack.damage.lines) for attack in state.vehicle_attacks)


@clause("DL-30.8")
def blast_effect(state: BoardBlast) -> int:
    """Return the effect on the target: HP, models, DMG on hulls, or hits less those on the firer's side."""
    if state.wanted == "hits":
        return hits(state) - hits(state, friends=True)
    if state.wanted == "hull":
        return hull_dmg(state)
    if state.wanted == "hp" or state.shooting is None:
        return hp_lost(state)
    return state.shooting.target.removed


# --- arrivals ---------------------------------------------------------------------------------------------------------


@clause("DL-95.2", "DL-95.6")
def _landing(inputs: TokensInputs, rulings: Rulings) -> Landing:
    """Return the unit in its circles around the aim, and everything it may be pushed into."""
    board = Board(inputs.width, inputs.depth)
    footprints: list[tuple[Base | Hull, bool]] = [
        *((base, figure.friend) for base, figure in zip(_bases(inputs), inputs.figures, strict=True)),
        *((_hull(vehicle), vehicle.friend) for vehicle in inputs.hulls),
    ]
    enemies = [footprint for footprint, is_friend in footprints if not is_friend]
    own = [footprint for footprint, is_friend in footprints if is_friend]
    around = deep_strike.threats(rings(Point(inputs.x, inputs.y), inputs.arriving, 0.5), board, enemies, own)
    most = deep_strike.token_limit(inputs.zone, inputs.held, inputs.jamming)
    spots = deep_strike.landing_outcomes(around, most)
    unit = deep_strike.DeepStrike(
        "unit", "attacker", "defender", inputs.zone, inputs.held, spots, inputs.jamming, rulings=rulings
    )
    return Landing(replace(unit, landing_zone=inputs.landed), around)


@clause("DL-95.2")
def spend_on_unit(tape: Tape, landing: Landing) -> Landing:
    """Let the opponent choose how many tokens to use."""
    return replace(landing, strike=deep_strike.spend_tokens(tape, landing.strike))


@clause("DL-95.2", "DL-95.6")
def push_unit(tape: Tape, landing: Landing) -> Landing:
    """Let the opponent push the unit, into a mishap where the tokens reach one."""
    strike = deep_strike.push_unit(tape, landing.strike)
    threat = next((threat for threat in landing.around if threat.is_met(strike.tokens)), None)
    if strike.fate != "lands" and threat and strike.tokens:
        tape.tell(threat_text, threat, strike.tokens, clause="DL-95.6")
    return replace(landing, strike=strike)


LANDING = Procedure("landing", (spend_on_unit, push_unit))


def procedure(start: BoardBlast | Landing) -> Procedure:
    """Return the stages of a blast, or of an arrival."""
    return BLAST_STAGES[start.blast.further_markers] if isinstance(start, BoardBlast) else LANDING


# --- in words ---------------------------------------------------------------------------------------------------------


def spared(state: BoardBlast | Landing) -> int:
    """Return what the tokens are worth: hits, HP or models spared, or a mishap brought about."""
    if isinstance(state, Landing):
        return int(state.strike.fate != "lands")
    return state.without_tokens - blast_effect(state)


def used(state: BoardBlast | Landing) -> int:
    """Return the tokens that were used."""
    return state.blast.tokens if isinstance(state, BoardBlast) else state.strike.tokens


UNITS = {"hits": "hit", "models": "model"}


def _amount(number: Any, wanted: str) -> str:
    if wanted in UNITS:
        return plural(int(number), UNITS[wanted])
    return f"{number} HP" if wanted == "hp" else f"{number} DMG on the hull"


def tokens_headline(answer: Answer) -> str:
    """Say how many tokens, and what they are worth."""
    (state,) = answer.states.weights
    number, worth_it = used(state), spared(state)
    held = answer.inputs.held
    hold = "Hold the tokens back" if held else "There is no token to use"
    if isinstance(state, Landing):
        if not worth_it:
            why = ": they cannot bring about a mishap" if held else ", and where it is aimed the unit lands"
            return f"{hold}{why}."
        fate = deep_strike.MISHAPS[state.strike.fate]
        if not number:
            return f"{hold}: where it is aimed the unit meets a mishap by itself and {fate}."
        return f"Use {plural(number, 'token')}: the unit meets a mishap and {fate}."
    left, bare = _amount(blast_effect(state), state.wanted), _amount(state.without_tokens, state.wanted)
    if not number:
        return f"{hold}: they spare nothing ({bare} as aimed)." if held else f"{hold}: {bare} as aimed."
    return f"Use {plural(number, 'token')}: {left} instead of {bare}, if the firer then plays its best."


def threat_text(threat: deep_strike.Threat, tokens: int) -> str:
    """Say in which directions tokens push a unit, and into what."""
    ways = ", ".join(f"{way:.0f}°" for way in threat.directions(tokens))
    return f"The tokens push it at {ways}, into {_threat(threat)}"


def _threat(threat: deep_strike.Threat) -> str:
    if threat.what == "edge":
        return f"the {('north', 'east', 'south', 'west')[threat.index]} edge"
    return "an enemy" if threat.what == "enemy" else "a friend"


SPARED = {"hits": "hits spared", "hp": "HP spared", "models": "models spared", "hull": "DMG spared"}


def value_table(answer: Answer) -> Table:
    """Show what each number of tokens comes to, and what a further one adds; the best is marked."""
    start, choice = answer.start, answer.choices[0] if answer.choices else None
    landing = isinstance(start, Landing)
    rows, before = [], None
    known = [option for option in choice.options if option.odds.weights] if choice else []  # a budget may stop it
    known.sort(key=lambda option: int(option.option))
    values = [(str(option.option), int(option.value)) for option in known] or [("0", 0)]
    for name, value in values:
        more = "" if before is None else f"{value - before:+d}"
        rows.append((name, ("yes" if value else "no") if landing else str(value), more if not landing else ""))
        before = value
    title, head = ("What tokens bring about", "a mishap") if landing else ("What tokens spare", SPARED[start.wanted])
    clause_id = "DL-95.2" if landing else "DL-30.4"
    columns = ("tokens", head) if landing else ("tokens", head, "the last token")
    if not landing and start.blast.further_markers:
        columns = ("on the first marker", *columns[1:])
    best = known.index(choice.taken) if choice and choice.taken in known else 0
    return Table(title, columns, tuple(row[: len(columns)] for row in rows), clause_id, (best, 1))


def fill_tokens(given: Mapping[str, Any], book: ProfileBook) -> dict[str, Any]:
    """Fill in the profiles of the weapon and of vehicles; with vehicles there are no models unless named."""
    known = {"weapon", "marker", "strength", "ap", "type", "range", "rules"}
    weapon = fill_blast({key: value for key, value in given.items() if key == "weapon"}, book)
    filled = {**{key: value for key, value in weapon.items() if key in known}, **given}
    hulls = filled.get("hulls")
    if isinstance(hulls, str) and hulls.strip().lower() not in ("", "-", "none"):
        hulls = split_entries(hulls)
    if isinstance(hulls, (list, tuple)) and hulls:
        filled["hulls"] = [_fill_board_vehicle(entry, book) for entry in hulls]
        filled.setdefault("figures", [])
    return filled


def _fill_board_vehicle(entry: Any, book: ProfileBook) -> Any:
    if isinstance(entry, str):
        entry = parse_pairs(entry, "hulls", "vehicle")
    if not isinstance(entry, Mapping) or not entry.get("vehicle"):
        return entry
    vehicle: types.VehicleProfile = book.find("vehicle", str(entry["vehicle"]))
    numbers = {name: getattr(vehicle, name) for name in ("length", "width", "front", "side", "rear")}
    return {**numbers, **entry, "vehicle": vehicle.name}


def warn_tokens(inputs: TokensInputs, rulings: Rulings) -> Iterable[str | Caution]:
    """Warn of what is left out, and what cannot be spared."""
    if inputs.use == "arrival":
        return
    start = begin_tokens(inputs, rulings)
    assert isinstance(start, BoardBlast)
    arcs, degrees = blasts.directions_left_out(start.blast)
    if arcs:
        text = f"So many models and vehicles that {arcs:,} narrow arcs of directions are left out"
        yield Caution(f"{text}, {degrees:.1f}° of 360° in all", "DL-30.4")
    if inputs.further and inputs.held:
        yield Caution(
            "The first marker is pushed by the models it touches and those the others can touch from there, "
            "not by how many of them at once",
            "DL-32.2",
        )
    if inputs.wanted == "hull" and all(vehicle.friend for vehicle in inputs.hulls):
        yield Caution("No vehicle of the target is on the board, so no DMG on hulls can be spared", "DL-60.4")
    if inputs.wanted in ("hp", "models") and start.shooting is None:
        yield Caution("No model of the target is on the board, so no HP can be spared; ask for hull or hits", "DL-30.8")
    if inputs.further and inputs.weapon and MULTIPLE_BARRAGE not in inputs.rules:
        yield Caution(f"{inputs.weapon} is no multiple barrage, which alone lays further markers", "DL-32.2")


def of_blast(measure: str, count: Callable[[BoardBlast], Any]) -> Callable[[BoardBlast | Landing], Any]:
    """Return a measure that refuses arrivals."""

    def counted(state: BoardBlast | Landing) -> Any:
        if isinstance(state, BoardBlast):
            return count(state)
        raise BadInput(f"{measure} is known of a blast, not of an arrival; ask for spared or tokens", field="measures")

    return counted


def inches(state: BoardBlast) -> float:
    """Return the inches between the marker and its aim."""
    return round(state.blast.inches, 2)


def is_blast(state: Any) -> bool:
    """Return whether the question is about a blast."""
    return isinstance(state, BoardBlast)


def has_hulls(state: Any) -> bool:
    """Return whether the question is about a blast with vehicles around."""
    return isinstance(state, BoardBlast) and bool(state.board_vehicles)


def tokens_picture(inputs: TokensInputs, answer: Answer) -> picture.Picture:
    """Draw the board around the aim: all models, the marker, and where it ends up if both sides play their best."""
    figures = tuple(
        picture.Figure(
            base,
            f"model {at + 1}",
            FRIENDS if figure.friend else TARGET,
            "acts" if figure.friend else "target",
            label=str(at + 1),
            drag=(f"figures.{at}.x", f"figures.{at}.y"),
            kind="model",
        )
        for at, (base, figure) in enumerate(zip(_bases(inputs), inputs.figures, strict=True))
    )
    vehicle_pictures = tuple(
        picture.Machine(
            _hull(vehicle),
            _vehicle_name(vehicle, at),
            tone="acts" if vehicle.friend else "target",
            drag=(f"hulls.{at}.x", f"hulls.{at}.y"),
            kind=_vehicle_kind(vehicle),
        )
        for at, vehicle in enumerate(inputs.hulls)
    )
    aim, last = Point(inputs.x, inputs.y), answer.states.mode
    radius = blasts.RADII[inputs.marker] if inputs.use == "blast" else 0.5
    ends = [marker.centre for marker in last.blast.markers] if isinstance(last, BoardBlast) else []
    ghosts = tuple(picture.Marker(Base(end, radius), "where it ends up", ghost=True) for end in ends if end != aim)
    name = inputs.weapon or ("blast" if inputs.use == "blast" else "landing")
    marker = picture.Marker(Base(aim, radius), name, hole=True, drag=("x", "y"))
    board = Board(inputs.width, inputs.depth)
    return picture.Picture("The board", (*ghosts, marker, *vehicle_pictures, *figures), board)


TOKENS = Question(
    "tokens",
    "How are scatter tokens best spent?",
    TokensInputs,
    begin_tokens,
    procedure,
    (
        Measure("spared", "What the tokens spare, or bring about", spared, low_for=("attacker",)),
        Measure("tokens", "Tokens used", used, "tokens"),
        Measure("hits", "Hits on the target", of_blast("hits", hits), "hits", usual=is_blast),
        Measure("hp_lost", "HP that it loses", of_blast("hp_lost", hp_lost), "HP", usual=is_blast),
        Measure("hull_dmg", "DMG on its vehicles", of_blast("hull_dmg", hull_dmg), "DMG", usual=has_hulls),
        Measure(
            "inches", "Inches off the aim", of_blast("inches", inches), "inches", usual=is_blast, low_for=("attacker",)
        ),
    ),
    tokens_headline,
    fill=fill_tokens,
    warn=warn_tokens,
    example={"held": 3, "bs": 3},
    rulings=("night_token", "zone_of", "area_on_vehicles", "ordnance_pen", *GUN_RULINGS, *TROOP_RULINGS),
    goal=Goal(
        ("spared", "tokens"), {"defender": "max", "attacker": "min"}, value_table, span=lambda start: (-inf, inf)
    ),
    picture=tokens_picture,
    lead=(Lead("tokens", lambda answer: "token to use" if words.value(answer, "tokens") == 1 else "tokens to use"),),
)
