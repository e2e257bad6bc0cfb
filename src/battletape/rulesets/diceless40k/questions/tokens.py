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
from battletape.rulebook import (
    BadInput,
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
from battletape.rulesets.diceless40k.profiles.types import (
    Ap,
    Armour,
    Inches,
    Least1,
    Save,
    Stat,
    VehicleProfile,
    WeaponProfile,
    WeaponType,
)
from battletape.rulesets.diceless40k.questions._inputs import (
    GUN_RULINGS,
    TROOP_RULINGS,
    Names,
    group_of,
    known_rules,
)
from battletape.rulesets.diceless40k.questions.blast import fill as fill_blast
from battletape.rulesets.diceless40k.rules import blasts, deep_strike
from battletape.rulesets.diceless40k.rules.attacks import aim_of
from battletape.rulesets.diceless40k.rules.blasts import (
    LOBBED,
    RADII,
    Blast,
    armour_hit,
    directions_left_out,
    hits_on,
    hull_hits,
    may_draw_back,
    refuse_aim,
    refuse_unseen,
)
from battletape.rulesets.diceless40k.rules.casualties import Target
from battletape.rulesets.diceless40k.rules.damage_rows import new_sheet, ticked_line
from battletape.rulesets.diceless40k.rules.deep_strike import (
    DeepStrike,
    Threat,
    Zone,
    formation,
    landing_spots,
    threats,
    token_limit,
)
from battletape.rulesets.diceless40k.rules.keywords import WEAPON_RULES
from battletape.rulesets.diceless40k.rules.shooting import (
    Shooting,
    make_packets,
    pull_back,
    refuse_range,
    resolve_packets,
)
from battletape.rulesets.diceless40k.rules.vehicles import (
    VEHICLE_ATTACK,
    Speed,
    VehicleAttack,
    firing_with,
    packet_on,
    struck_lines,
    sum_hull_packets,
)
from battletape.rulesets.diceless40k.rules.weapons import MULTIPLE_BARRAGE
from battletape.rulesets.diceless40k.rulings import Rulings
from battletape.table import picture as drawn
from battletape.table.bases import Base
from battletape.table.board import Board
from battletape.table.facings import Facing, armour_at
from battletape.table.hulls import Hull
from battletape.table.points import Point

if TYPE_CHECKING:
    from battletape.answer import Answer

TARGET, FRIENDS = "target", "friends"
MOST_FIGURES, MOST_HULLS, MOST_FURTHER = 40, 4, 4
Place = Annotated[float, Meta(ge=0, le=240)]
Size = Annotated[float, Meta(gt=0, le=24)]


class Figure(Inputs, frozen=True):
    """A model on the board: where it stands, and whether it belongs to the side that fires or arrives."""

    x: Place = 0.0
    y: Place = 0.0
    radius: float = asked(0.5, ge=0, le=12)
    friend: bool = False


class Hulk(Inputs, frozen=True):
    """A vehicle on the board: where its hull lies, its armour, and the facing that looks at the firer."""

    vehicle: str = asked("", "Vehicle profile", group="target", profile="vehicle")
    x: Place = 0.0
    y: Place = 0.0
    heading: float = asked(0.0, ge=0, le=360)
    length: Size = 4.0
    width: Size = 3.0
    front: Armour = 12
    side: Armour = 11
    rear: Armour = 10
    facing: Facing = "front"
    speed: Speed = "cruising"
    cover: Save | None = None
    friend: bool = False


ROW = tuple(Figure(x=20.0 + 2 * at, y=24.0) for at in range(5))
Wanted = Literal["hits", "hp", "models", "hull"]


class Tokens(Inputs, frozen=True):
    """A board, and what the tokens are for."""

    use: Literal["blast", "arrival"] = asked("blast", "What they are spent on", "DL-30.4", group="circumstances")
    held: int = asked(4, "Scatter tokens held", "DL-30.5", group="target", ge=0, le=200)
    figures: tuple[Figure, ...] = asked(ROW, "Models on the board", "DL-30.8", group="target", short="model")
    hulls: tuple[Hulk, ...] = asked((), "Vehicles on the board", "DL-60.4", group="target", short="vehicle")
    x: Place = asked(24.0, "Aimed at: inches from the west", "DL-30.4", group="attacker")
    y: Place = asked(24.0, "Aimed at: inches from the south", "DL-30.4", group="attacker")
    wanted: Wanted = asked(
        "hits",
        "What is to be spared",
        "DL-30.8",
        group="target",
        note="hits, HP or models of the target, or hull: DMG on the lines of its vehicles",
    )
    weapon: str = asked("", "Weapon profile", group="attacker", profile="weapon")
    marker: Literal["blast", "large_blast"] = asked("blast", "Marker", "DL-30.2", group="attacker")
    bs: Stat = asked(3, "BS", "DL-30.7", group="attacker", short="BS")
    strength: int = asked(4, "Strength", "DL-30.8", group="attacker", short="S", ge=1, le=12)
    ap: Ap | None = asked(6, "AP", "DL-20.1", group="attacker", short="AP")
    type: WeaponType = asked("assault", "Type", "DL-29.1", group="attacker")
    range: Inches = asked(48, "Range", "DL-29.1", group="attacker", unit="inches", short="Range")
    distance: float = asked(
        24.0, "Distance", "DL-29.1", group="circumstances", unit="inches", form="circumstance", ge=0, le=240
    )
    rules: Names = asked((), "Special rules of the weapon", "DL-32.1", group="attacker", known=WEAPON_RULES)
    further: int = asked(0, "Further markers of a multiple barrage", "DL-32.2", group="attacker", ge=0, le=MOST_FURTHER)
    in_sight: bool = asked(True, "The firer sees the target", "DL-32.1", group="circumstances")
    toughness: Least1 = asked(4, "Toughness of the models", "DL-6.1", group="target")
    wounds: Least1 = asked(1, "Wounds of the models", "DL-6.1", group="target")
    armour: Save | None = asked(3, "Their armour save", "DL-20.1", group="target")
    cover: Save | None = asked(None, "Their cover save", "DL-20.1", group="target")
    night: bool = asked(False, "Night fighting", "DL-95.9", group="circumstances", form="circumstance", short="Night")
    arriving: int = asked(5, "Models that arrive", "DL-95.2", group="attacker", ge=1, le=40)
    zone: Zone = asked("neutral", "Zone they are aimed at", "DL-95.5", group="attacker")
    landed: Zone | None = asked(None, "Zone where tokens push them, if another one", "DL-95.5", group="circumstances")
    jamming: bool = asked(False, "A jamming beacon within 6 inches", "DL-SM-75.1", group="circumstances")
    width: float = asked(72.0, "Width of the board", group="circumstances", unit="inches", ge=1, le=240)
    depth: float = asked(48.0, "Depth of the board", group="circumstances", unit="inches", ge=1, le=240)


class Shelling(State, frozen=True):
    """A blast on a board, what its hits become, and what is to be spared; `bare` is what it would do without tokens."""

    blast: Blast
    weapon: WeaponProfile
    bs: int
    wanted: Wanted
    shooting: Shooting | None = None  # at the models of the target, if it has any
    hulks: tuple[Hulk, ...] = ()
    struck: tuple[VehicleAttack, ...] = ()  # what was done to vehicles of the target
    distance: float = 0
    bare: int = 0


class Landing(State, frozen=True):
    """A unit that arrives, and what it may be pushed into."""

    strike: DeepStrike
    around: tuple[Threat, ...]


def _bases(inputs: Tokens) -> tuple[Base, ...]:
    return tuple(Base(Point(figure.x, figure.y), figure.radius) for figure in inputs.figures)


def _hull(hulk: Hulk) -> Hull:
    return Hull(Point(hulk.x, hulk.y), hulk.heading, hulk.length, hulk.width)


def _hulk_name(hulk: Hulk, at: int) -> str:
    return f"{_hulk_kind(hulk)} {at + 1}"


def _hulk_kind(hulk: Hulk) -> str:
    return f"{'friendly ' if hulk.friend else ''}{hulk.vehicle or 'vehicle'}"


# --- blasts -----------------------------------------------------------------------------------------------------------


@clause("DL-30.4", "DL-30.7", "DL-30.8", "DL-32.1", "DL-58.1")
def begin(inputs: Tokens, rules: Rulings) -> Shelling | Landing:
    """Everybody in place, the marker over its aim or the unit where it would land."""
    for name, most, what in (("figures", MOST_FIGURES, "models"), ("hulls", MOST_HULLS, "vehicles")):
        number = len(getattr(inputs, name))
        if number > most:
            raise BadInput.of(name, f"takes at most {most} {what}; got {number}. Leave out those far off.")
    if inputs.use == "arrival":
        return _landing(inputs, rules)
    bases, hulls = _bases(inputs), tuple(map(_hull, inputs.hulls))
    names = tuple(FRIENDS if figure.friend else TARGET for figure in inputs.figures)
    vehicles = tuple(_hulk_name(hulk, at) for at, hulk in enumerate(inputs.hulls))
    own = [base for base, name in zip(bases, names, strict=True) if name == TARGET]
    targets: list[Base | Hull] = [
        *own,
        *(hull for hull, hulk in zip(hulls, inputs.hulls, strict=True) if not hulk.friend),
    ]
    if not targets:
        raise BadInput("figures or hulls must include a model or vehicle of the target; got none.", field="figures")
    weapon_rules = known_rules(inputs.rules, WEAPON_RULES)
    aim = Point(inputs.x, inputs.y)
    raise_if_refused(
        refuse_aim(aim, targets)
        or refuse_unseen(weapon_rules, inputs.in_sight)
        or refuse_range(inputs.range, inputs.distance)
    )
    weapon = WeaponProfile(
        name=inputs.weapon or "blast",
        type=inputs.type,
        range=inputs.range,
        strength=inputs.strength,
        ap=inputs.ap,
        marker=inputs.marker,
        rules=weapon_rules,
    )
    group = group_of(TARGET, max(1, len(own)), inputs.toughness, 0, inputs.wounds, None, rules, armour=inputs.armour)
    target = Target((group,), rules, cover=inputs.cover, picks_save=False)
    fired = aim_of(weapon, inputs.bs, target, distance=inputs.distance, hits=(0,))
    blast = Blast(
        aim,
        RADII[inputs.marker],
        bases,
        names,
        hulls=hulls,
        vehicles=vehicles,
        friends=frozenset({FRIENDS, *(name for name, hulk in zip(vehicles, inputs.hulls, strict=True) if hulk.friend)}),
        held=inputs.held,
        pull=pull_back(fired) if may_draw_back(weapon_rules, inputs.in_sight) else 0,
        night=inputs.night,
        further=inputs.further,
        rules=rules,
    )
    shooting = Shooting(rules, (fired,), target) if own else None
    shelling = Shelling(blast, weapon, inputs.bs, inputs.wanted, shooting, inputs.hulls, distance=inputs.distance)
    untouched = replace(shelling, blast=replace(blast, held=0, night=False))
    return replace(shelling, bare=done(by_default(procedure(untouched), untouched)))


@clause("DL-30.4", "DL-30.5", "DL-30.6")
def spend_tokens(tape: Tape, shelling: Shelling) -> Shelling:
    """The defender says how many tokens to use."""
    return replace(shelling, blast=blasts.spend_tokens(tape, shelling.blast))


@clause("DL-30.4")
def push_marker(tape: Tape, shelling: Shelling) -> Shelling:
    """The defender pushes the marker, each token 2 inches in a direction of its own."""
    return replace(shelling, blast=blasts.push_marker(tape, shelling.blast))


@clause("DL-30.7")
def draw_back(tape: Tape, shelling: Shelling) -> Shelling:
    """The firer draws it back."""
    return replace(shelling, blast=blasts.draw_back(tape, shelling.blast))


@clause("DL-32.2")
def place_next(tape: Tape, shelling: Shelling) -> Shelling:
    """A further marker of a multiple barrage is laid against the first."""
    number = len(shelling.blast.markers) + 1
    return replace(shelling, blast=blasts.place_marker(tape, shelling.blast, number))


@clause("DL-30.8", "DL-60.4")
def explode(tape: Tape, shelling: Shelling) -> Shelling:
    """What lies under the markers is hurt: models of the target, and its vehicles."""
    blast, shooting = shelling.blast, shelling.shooting
    if shooting is not None:
        (aim,) = shooting.aims
        shooting = replace(shooting, aims=(replace(aim, hits=hits_on(blast, TARGET)),))
        shooting = resolve_packets(tape, make_packets(tape, shooting))
    struck = tuple(_strike(shelling, at) for at, hulk in enumerate(shelling.hulks) if not hulk.friend)
    for attack in struck:
        for packet in attack.struck:
            tape.tell(struck_lines, packet)
            for ticked in packet.ticked:
                tape.tell(ticked_line, ticked)
    return replace(shelling, shooting=shooting, struck=struck)


def _strike(shelling: Shelling, at: int) -> VehicleAttack:
    """What the markers do to one vehicle; which weapon it loses does not matter here."""
    hulk, blast, weapon = shelling.hulks[at], shelling.blast, shelling.weapon
    packets = []
    for lies in hull_hits(blast, blast.vehicles[at]):
        face, beside = armour_hit(lies, hulk.facing, bool(LOBBED.intersection(weapon.rules)))
        av, away = armour_at(hulk, face), shelling.distance
        firing = firing_with(weapon, shelling.bs, av, distance=away, hits=1, off_hull=beside)
        packets.append(packet_on(firing, hulk.speed, hulk.cover, blast.rules))
    attack = VehicleAttack(new_sheet(rules=blast.rules), sum_hull_packets(packets), blast.rules)
    struck: VehicleAttack = by_default(VEHICLE_ATTACK, attack)
    return struck


SHELLING = tuple(
    Procedure("shelling", (spend_tokens, push_marker, draw_back, *(place_next,) * further, explode))
    for further in range(MOST_FURTHER + 1)
)
"""The stages of a blast, by the number of its further markers."""


@clause("DL-30.8")
def hits(shelling: Shelling, *, friends: bool = False) -> int:
    """Models and vehicles of the target under the markers, or those of the firer's own side."""
    blast, total = shelling.blast, sum(hits_on(shelling.blast, FRIENDS if friends else TARGET))
    for name, hulk in zip(blast.vehicles, shelling.hulks, strict=True):
        total += len(hull_hits(blast, name)) if hulk.friend == friends else 0
    return total


def hp_lost(shelling: Shelling) -> int:
    """HP that the models of the target lose."""
    return 0 if shelling.shooting is None else shelling.shooting.target.hp_removed


@clause("DL-60.13")
def hull_dmg(shelling: Shelling) -> int:
    """DMG that is written on the sheets of the target's vehicles."""
    return sum(sum(attack.damage.lines) for attack in shelling.struck)


@clause("DL-30.8")
def done(shelling: Shelling) -> int:
    """What the blast does to the target: HP, models, DMG on hulls, or hits less those on the firer's own."""
    if shelling.wanted == "hits":
        return hits(shelling) - hits(shelling, friends=True)
    if shelling.wanted == "hull":
        return hull_dmg(shelling)
    if shelling.wanted == "hp" or shelling.shooting is None:
        return hp_lost(shelling)
    return shelling.shooting.target.removed


# --- arrivals ---------------------------------------------------------------------------------------------------------


@clause("DL-95.2", "DL-95.6")
def _landing(inputs: Tokens, rules: Rulings) -> Landing:
    """The unit in its circles around the aim, and everything it may be pushed into."""
    board = Board(inputs.width, inputs.depth)
    things: list[tuple[Base | Hull, bool]] = [
        *((base, figure.friend) for base, figure in zip(_bases(inputs), inputs.figures, strict=True)),
        *((_hull(hulk), hulk.friend) for hulk in inputs.hulls),
    ]
    enemies = [thing for thing, is_friend in things if not is_friend]
    own = [thing for thing, is_friend in things if is_friend]
    around = threats(formation(Point(inputs.x, inputs.y), inputs.arriving, 0.5), board, enemies, own)
    most = token_limit(inputs.zone, inputs.held, inputs.jamming)
    spots = landing_spots(around, most)
    unit = DeepStrike("unit", "attacker", "defender", inputs.zone, inputs.held, spots, inputs.jamming, rules=rules)
    return Landing(replace(unit, landed=inputs.landed), around)


@clause("DL-95.2")
def spend_on_unit(tape: Tape, landing: Landing) -> Landing:
    """The opponent says how many tokens to use."""
    return replace(landing, strike=deep_strike.spend_tokens(tape, landing.strike))


@clause("DL-95.2", "DL-95.6")
def push_unit(tape: Tape, landing: Landing) -> Landing:
    """The opponent pushes the unit, into a mishap where the tokens reach one."""
    strike = deep_strike.push_unit(tape, landing.strike)
    met = next((threat for threat in landing.around if threat.is_met(strike.tokens)), None)
    if strike.fate != "lands" and met and strike.tokens:
        tape.tell(threat_text, met, strike.tokens, clause="DL-95.6")
    return replace(landing, strike=strike)


LANDING = Procedure("landing", (spend_on_unit, push_unit))


def procedure(start: Shelling | Landing) -> Procedure:
    """The stages of a blast, or of an arrival."""
    return SHELLING[start.blast.further] if isinstance(start, Shelling) else LANDING


# --- in words ---------------------------------------------------------------------------------------------------------


def spared(state: Shelling | Landing) -> int:
    """What the tokens are worth: hits, HP or models spared, or a mishap brought about."""
    if isinstance(state, Landing):
        return int(state.strike.fate != "lands")
    return state.bare - done(state)


def used(state: Shelling | Landing) -> int:
    """Tokens that were used."""
    return state.blast.tokens if isinstance(state, Shelling) else state.strike.tokens


UNITS = {"hits": "hit", "models": "model"}


def _amount(number: Any, wanted: str) -> str:
    if wanted in UNITS:
        return plural(int(number), UNITS[wanted])
    return f"{number} HP" if wanted == "hp" else f"{number} DMG on the hull"


def headline(answer: Answer) -> str:
    """How many tokens, and what they are worth."""
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
    left, bare = _amount(done(state), state.wanted), _amount(state.bare, state.wanted)
    if not number:
        return f"{hold}: they spare nothing ({bare} as aimed)." if held else f"{hold}: {bare} as aimed."
    return f"Use {plural(number, 'token')}: {left} instead of {bare}, if the firer then plays its best."


def threat_text(threat: Threat, tokens: int) -> str:
    """Say in which directions tokens push a unit, and into what."""
    ways = ", ".join(f"{way:.0f}°" for way in threat.directions(tokens))
    return f"The tokens push it at {ways}, into {_threat(threat)}"


def _threat(threat: Threat) -> str:
    if threat.what == "edge":
        return f"the {('north', 'east', 'south', 'west')[threat.at]} edge"
    return "an enemy" if threat.what == "enemy" else "a friend"


SPARED = {"hits": "hits spared", "hp": "HP spared", "models": "models spared", "hull": "DMG spared"}


def value_table(answer: Answer) -> Table:
    """What each number of tokens comes to, and what a further one adds; the best is marked."""
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
    if not landing and start.blast.further:
        columns = ("on the first marker", *columns[1:])
    best = known.index(choice.taken) if choice and choice.taken in known else 0
    return Table(title, columns, tuple(row[: len(columns)] for row in rows), clause_id, (best, 1))


def fill(given: Mapping[str, Any], book: ProfileBook) -> dict[str, Any]:
    """Fill in the profiles of the weapon and of vehicles; with vehicles there are no models unless named."""
    known = {"weapon", "marker", "strength", "ap", "type", "range", "rules"}
    weapon = fill_blast({key: value for key, value in given.items() if key == "weapon"}, book)
    filled = {**{key: value for key, value in weapon.items() if key in known}, **given}
    hulls = filled.get("hulls")
    if isinstance(hulls, str) and hulls.strip().lower() not in ("", "-", "none"):
        hulls = split_entries(hulls)
    if isinstance(hulls, (list, tuple)) and hulls:
        filled["hulls"] = [_fill_hulk(hulk, book) for hulk in hulls]
        filled.setdefault("figures", [])
    return filled


def _fill_hulk(entry: Any, book: ProfileBook) -> Any:
    if isinstance(entry, str):
        entry = parse_pairs(entry, "hulls", "vehicle")
    if not isinstance(entry, Mapping) or not entry.get("vehicle"):
        return entry
    vehicle: VehicleProfile = book.find("vehicle", str(entry["vehicle"]))
    numbers = {name: getattr(vehicle, name) for name in ("length", "width", "front", "side", "rear")}
    return {**numbers, **entry, "vehicle": vehicle.name}


def warn(inputs: Tokens, rules: Rulings) -> Iterable[str]:
    """What is left out, and what cannot be spared."""
    if inputs.use == "arrival":
        return
    start = begin(inputs, rules)
    assert isinstance(start, Shelling)
    arcs, degrees = directions_left_out(start.blast)
    if arcs:
        text = f"So many models and vehicles that {arcs:,} narrow arcs of directions are left out"
        yield f"{text}, {degrees:.1f}° of 360° in all (DL-30.4)"
    if inputs.further and inputs.held:
        yield (
            "The first marker is pushed by whom it touches and whom the others can touch from there, "
            "not by how many of them at once (DL-32.2)"
        )
    if inputs.wanted == "hull" and all(hulk.friend for hulk in inputs.hulls):
        yield "No vehicle of the target is on the board, so no DMG on hulls can be spared (DL-60.4)"
    if inputs.wanted in ("hp", "models") and start.shooting is None:
        yield "No model of the target is on the board, so no HP can be spared; ask for hull or hits (DL-30.8)"
    if inputs.further and inputs.weapon and MULTIPLE_BARRAGE not in inputs.rules:
        yield f"{inputs.weapon} is no multiple barrage, which alone lays further markers (DL-32.2)"


def of_blast(measure: str, count: Callable[[Shelling], Any]) -> Callable[[Shelling | Landing], Any]:
    """A measure of a blast, which an arrival is refused."""

    def counted(state: Shelling | Landing) -> Any:
        if isinstance(state, Shelling):
            return count(state)
        raise BadInput(f"{measure} is known of a blast, not of an arrival; ask for spared or tokens", field="measures")

    return counted


def inches(shelling: Shelling) -> float:
    """How far from the aim the marker ends up."""
    return round(shelling.blast.inches, 2)


def is_blast(state: Any) -> bool:
    """Whether it is about a blast."""
    return isinstance(state, Shelling)


def has_hulls(state: Any) -> bool:
    """Whether it is about a blast with vehicles around."""
    return isinstance(state, Shelling) and bool(state.hulks)


def tokens_picture(inputs: Tokens, answer: Answer) -> drawn.Picture:
    """Draw the board around the aim: all models, the marker, and where it ends up if both sides play their best."""
    figures = tuple(
        drawn.Figure(
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
    machines = tuple(
        drawn.Machine(
            _hull(hulk),
            _hulk_name(hulk, at),
            tone="acts" if hulk.friend else "target",
            drag=(f"hulls.{at}.x", f"hulls.{at}.y"),
            kind=_hulk_kind(hulk),
        )
        for at, hulk in enumerate(inputs.hulls)
    )
    aim, last = Point(inputs.x, inputs.y), answer.states.mode
    radius = RADII[inputs.marker] if inputs.use == "blast" else 0.5
    ends = [marker.centre for marker in last.blast.markers] if isinstance(last, Shelling) else []
    ghosts = tuple(drawn.Marker(Base(end, radius), "where it ends up", ghost=True) for end in ends if end != aim)
    name = inputs.weapon or ("blast" if inputs.use == "blast" else "landing")
    marker = drawn.Marker(Base(aim, radius), name, hole=True, drag=("x", "y"))
    board = Board(inputs.width, inputs.depth)
    return drawn.Picture("The board", (*ghosts, marker, *machines, *figures), board)


TOKENS = Question(
    "tokens",
    "How are scatter tokens best spent?",
    Tokens,
    begin,
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
    headline,
    fill=fill,
    warn=warn,
    example={"held": 3, "bs": 3},
    rulings=("night_token", "zone_of", "area_on_vehicles", "ordnance_pen", *GUN_RULINGS, *TROOP_RULINGS),
    goal=Goal(
        ("spared", "tokens"), {"defender": "max", "attacker": "min"}, value_table, span=lambda start: (-inf, inf)
    ),
    picture=tokens_picture,
    lead=(Lead("tokens", lambda answer: "token to use" if words.value(answer, "tokens") == 1 else "tokens to use"),),
)
