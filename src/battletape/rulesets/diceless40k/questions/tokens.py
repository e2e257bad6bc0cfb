"""The question `tokens`: how to spend scatter tokens on a blast or a deep strike, with everybody on a board."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.errors import BadInput
from battletape.inputs import Inputs, meta
from battletape.log import Line
from battletape.procedure import Procedure, Stage, without_luck
from battletape.profiles import ProfileBook
from battletape.rulesets.diceless40k import words
from battletape.rulesets.diceless40k.profiles.types import Ap, Least1, Save, Stat, Weapon
from battletape.rulesets.diceless40k.questions._inputs import (
    GUN_RULINGS,
    TROOP_RULINGS,
    group_of,
)
from battletape.rulesets.diceless40k.questions.blast import fill as fill_blast
from battletape.rulesets.diceless40k.rules import blasts, deep_strike
from battletape.rulesets.diceless40k.rules.blasts import RADII, Blast, directions, hits_on, refuse_aim, worth
from battletape.rulesets.diceless40k.rules.casualties import Target
from battletape.rulesets.diceless40k.rules.deep_strike import (
    DeepStrike,
    Threat,
    Zone,
    formation,
    landing_spots,
    threats,
    token_limit,
)
from battletape.rulesets.diceless40k.rules.shooting import Shooting, make_packets, resolve_packets
from battletape.rulesets.diceless40k.rules.weapons import aim_of
from battletape.rulesets.diceless40k.rulings import Rulings
from battletape.system import Goal, Measure, Question, Table
from battletape.table.bases import Base
from battletape.table.board import Board
from battletape.table.points import Point
from battletape.tape import Tape
from battletape.words import plural

if TYPE_CHECKING:
    from battletape.answer import Answer

TARGET, FRIENDS = "target", "friends"
Place = Annotated[float, Meta(ge=0, le=240)]


class Figure(Inputs, frozen=True):
    """A model on the board: where it stands, and whether it belongs to who fires or arrives."""

    x: Place = 0.0
    y: Place = 0.0
    radius: Annotated[float, Meta(ge=0, le=12)] = 0.5
    friend: bool = False


ROW = tuple(Figure(x=20.0 + 2 * at, y=24.0) for at in range(5))


class Tokens(Inputs, frozen=True):
    """A board, and what the tokens are for."""

    use: Annotated[Literal["blast", "arrival"], meta("circumstances", "What they are spent on", "DL-30.4")] = "blast"
    held: Annotated[int, meta("target", "Scatter tokens held", "DL-30.5", ge=0, le=200)] = 4
    figures: Annotated[tuple[Figure, ...], meta("target", "Models on the board", "DL-30.8")] = ROW
    x: Annotated[Place, meta("attacker", "Aimed at: inches from the west", "DL-30.4")] = 24.0
    y: Annotated[Place, meta("attacker", "Aimed at: inches from the south", "DL-30.4")] = 24.0
    wanted: Annotated[Literal["hits", "hp", "models"], meta("target", "What is to be spared", "DL-30.8")] = "hits"
    weapon: Annotated[str, meta("attacker", "Weapon profile")] = ""
    marker: Annotated[Literal["blast", "large_blast"], meta("attacker", "Marker", "DL-30.2")] = "blast"
    bs: Annotated[Stat, meta("attacker", "BS that draws it back; 0 where it may not", "DL-30.7")] = 3
    strength: Annotated[int, Meta(ge=1, le=12), meta("attacker", "Strength", "DL-30.8")] = 4
    ap: Annotated[Ap | None, meta("attacker", "AP", "DL-20.1")] = 6
    toughness: Annotated[Least1, meta("target", "Toughness of the models", "DL-6.1")] = 4
    wounds: Annotated[Least1, meta("target", "Wounds of the models", "DL-6.1")] = 1
    armour: Annotated[Save | None, meta("target", "Their armour save", "DL-20.1")] = 3
    cover: Annotated[Save | None, meta("target", "Their cover save", "DL-20.1")] = None
    night: Annotated[bool, meta("circumstances", "Night fighting", "DL-95.9")] = False
    arriving: Annotated[int, meta("attacker", "Models that arrive", "DL-95.2", ge=1, le=40)] = 5
    zone: Annotated[Zone, meta("attacker", "Zone they are aimed at", "DL-95.5")] = "neutral"
    jamming: Annotated[bool, meta("circumstances", "A jamming beacon within 6 inches", "DL-SM-75.1")] = False
    width: Annotated[float, Meta(ge=1, le=240), meta("circumstances", "Width of the board", unit="inches")] = 72.0
    depth: Annotated[float, Meta(ge=1, le=240), meta("circumstances", "Depth of the board", unit="inches")] = 48.0


class Shelling(Struct, frozen=True, cache_hash=True):
    """A blast on a board, and the shooting that its hits become; `bare` is what it would do without tokens."""

    blast: Blast
    shooting: Shooting
    wanted: str
    bare: int = 0


class Landing(Struct, frozen=True, cache_hash=True):
    """A unit that arrives, and what it may be pushed into."""

    strike: DeepStrike
    around: tuple[Threat, ...]


# --- blasts -----------------------------------------------------------------------------------------------------------


@clause("DL-30.4", "DL-30.7", "DL-30.8")
def begin(inputs: Tokens, rules: Rulings) -> Shelling | Landing:
    """Everybody in place, the marker over its aim or the unit where it would land."""
    if inputs.use == "arrival":
        return _landing(inputs, rules)
    bases = tuple(Base(Point(figure.x, figure.y), figure.radius) for figure in inputs.figures)
    names = tuple(FRIENDS if figure.friend else TARGET for figure in inputs.figures)
    if TARGET not in names:
        raise BadInput("figures wants one model or more of the target; got none.", field="figures")
    aim = Point(inputs.x, inputs.y)
    refused = refuse_aim(aim, [base for base, name in zip(bases, names, strict=True) if name == TARGET])
    if refused is not None:
        raise refused
    target = Target(
        (group_of(TARGET, names.count(TARGET), inputs.toughness, 0, inputs.wounds, None, rules, armour=inputs.armour),),
        rules,
        cover=inputs.cover,
        picks_save=False,
    )
    weapon = Weapon(name=inputs.weapon or "blast", strength=inputs.strength, ap=inputs.ap, marker=inputs.marker)
    fired = aim_of(weapon, inputs.bs, target, hits=(0,))
    blast = Blast(
        aim,
        RADII[inputs.marker],
        bases,
        names,
        friends=frozenset({FRIENDS}),
        held=inputs.held,
        pull=inputs.bs,
        night=inputs.night,
        rules=rules,
    )
    shelling = Shelling(blast, Shooting(rules, (fired,), target), inputs.wanted)
    untouched = replace(shelling, blast=replace(blast, held=0, pull=0, night=False))
    return replace(shelling, bare=done(without_luck(SHELLING, untouched)))


@clause("DL-30.4", "DL-30.5", "DL-30.6")
def spend_tokens(tape: Tape, shelling: Shelling) -> Shelling:
    """The defender says how many tokens he uses."""
    return replace(shelling, blast=blasts.spend_tokens(tape, shelling.blast))


@clause("DL-30.4")
def push_marker(tape: Tape, shelling: Shelling) -> Shelling:
    """He pushes the marker, each token 2 inches in a direction of its own."""
    return replace(shelling, blast=blasts.push_marker(tape, shelling.blast))


@clause("DL-30.7")
def draw_back(tape: Tape, shelling: Shelling) -> Shelling:
    """The firer draws it back."""
    return replace(shelling, blast=blasts.draw_back(tape, shelling.blast))


@clause("DL-30.8")
def explode(tape: Tape, shelling: Shelling) -> Shelling:
    """The models of the target under the marker are hurt."""
    (aim,) = shelling.shooting.aims
    shooting = replace(shelling.shooting, aims=(replace(aim, hits=hits_on(shelling.blast, TARGET)),))
    return replace(shelling, shooting=resolve_packets(tape, make_packets(tape, shooting)))


SHELLING = Procedure("shelling", (spend_tokens, push_marker, draw_back, explode))


@clause("DL-30.8")
def done(shelling: Shelling) -> int:
    """What the blast does to the target, less what it does to the firer's own: hits, HP or models."""
    if shelling.wanted == "hp":
        return shelling.shooting.target.hp_removed
    if shelling.wanted == "models":
        return shelling.shooting.target.removed
    return sum(worth(shelling.blast, marker.cover) for marker in shelling.blast.markers)


# --- arrivals ---------------------------------------------------------------------------------------------------------


@clause("DL-95.2", "DL-95.6")
def _landing(inputs: Tokens, rules: Rulings) -> Landing:
    """The unit in its circles around the aim, and everything it may be pushed into."""
    board = Board(inputs.width, inputs.depth)
    own = [Base(Point(figure.x, figure.y), figure.radius) for figure in inputs.figures if figure.friend]
    enemies = [Base(Point(figure.x, figure.y), figure.radius) for figure in inputs.figures if not figure.friend]
    around = threats(formation(Point(inputs.x, inputs.y), inputs.arriving, 0.5), board, enemies, own)
    most = token_limit(inputs.zone, inputs.held, inputs.jamming)
    spots = landing_spots(around, most)
    unit = DeepStrike("unit", "attacker", "defender", inputs.zone, inputs.held, spots, inputs.jamming, rules=rules)
    return Landing(unit, around)


@clause("DL-95.2")
def spend_on_unit(tape: Tape, landing: Landing) -> Landing:
    """The opponent says how many tokens he uses."""
    return replace(landing, strike=deep_strike.spend_tokens(tape, landing.strike))


@clause("DL-95.2", "DL-95.6")
def push_unit(tape: Tape, landing: Landing) -> Landing:
    """He pushes the unit, into a mishap where his tokens reach one."""
    return replace(landing, strike=deep_strike.push_unit(tape, landing.strike))


LANDING = Procedure("landing", (spend_on_unit, push_unit))


def procedure(start: Shelling | Landing) -> Procedure:
    """The stages of a blast, or of an arrival."""
    return SHELLING if isinstance(start, Shelling) else LANDING


# --- in words ---------------------------------------------------------------------------------------------------------


def spared(state: Shelling | Landing) -> int:
    """What the tokens are worth: hits, HP or models spared, or a mishap brought about."""
    if isinstance(state, Landing):
        return int(state.strike.fate != "lands")
    return state.bare - done(state)


def used(state: Shelling | Landing) -> int:
    """Tokens that were used."""
    return state.blast.tokens if isinstance(state, Shelling) else state.strike.tokens


UNITS = {"hits": "hit", "hp": "HP", "models": "model"}


def _amount(number: Any, wanted: str) -> str:
    return f"{number} HP" if wanted == "hp" else plural(int(number), UNITS[wanted])


def headline(answer: Answer) -> str:
    """How many tokens, and what they are worth."""
    (state,) = answer.states.weights
    number, worth_it = used(state), spared(state)
    if isinstance(state, Landing):
        if worth_it:
            fate = words.MISHAPS[state.strike.fate]
            return f"Use {plural(number, 'token')}: the unit meets a mishap and {fate}."
        return "Hold the tokens back: they cannot bring about a mishap."
    if not number:
        return f"Hold the tokens back: they spare nothing ({_amount(state.bare, state.wanted)} as aimed)."
    left, bare = _amount(done(state), state.wanted), _amount(state.bare, state.wanted)
    return f"Use {plural(number, 'token')}: {left} instead of {bare}, against the best the firer can do."


def narrate(stage: Stage, before: Any, after: Any) -> Iterable[Line]:
    """Tokens, directions, inches and hits."""
    if stage is push_marker and after.blast.push is not None and after.blast.tokens:
        bearings = directions(after.blast.push, after.blast.tokens)
        ways = ", ".join(f"{way:.0f}°" for way in bearings)
        text = f"Each token 2 inches, at {ways}: the marker goes {after.blast.push.inches:.1f} inches"
        yield Line(f"{text} at {after.blast.push.bearing:.0f}°", ("DL-30.4",))
    elif stage is explode:
        yield from words.narrate(make_packets, after.shooting, after.shooting)
        yield from words.narrate(resolve_packets, before.shooting, after.shooting)
    elif stage is push_unit:
        yield from words.narrate(deep_strike.push_unit, before.strike, after.strike)
        met = [threat for threat in after.around if threat.is_met(after.strike.tokens)]
        if after.strike.fate != "lands" and met and after.strike.tokens:
            ways = ", ".join(f"{way:.0f}°" for way in met[0].directions(after.strike.tokens))
            yield Line(f"The tokens push it at {ways}, into {_threat(met[0])}", ("DL-95.6",))
    elif stage in _SAME:
        inner = "blast" if isinstance(before, Shelling) else "strike"
        yield from words.narrate(_SAME[stage], getattr(before, inner), getattr(after, inner))


def _threat(threat: Threat) -> str:
    if threat.what == "edge":
        return f"the {('north', 'east', 'south', 'west')[threat.at]} edge"
    return "an enemy" if threat.what == "enemy" else "a friend"


_SAME: dict[Stage, Stage] = {
    spend_tokens: blasts.spend_tokens,
    draw_back: blasts.draw_back,
    spend_on_unit: deep_strike.spend_tokens,
}


def value_table(answer: Answer) -> Table:
    """What each number of tokens comes to, and what a further one adds; the best is marked."""
    choice = answer.choices[0]
    start = answer.start
    wanted = start.wanted if isinstance(start, Shelling) else "mishap"
    rows, before = [], None
    for option in choice.options:
        more = "" if before is None else f"{int(option.value - before):+d}"
        rows.append((str(option.option), str(int(option.value)), more))
        before = option.value
    title = f"What tokens bring about ({'a mishap' if wanted == 'mishap' else f'{wanted} spared'})"
    head = ("tokens", wanted if wanted == "mishap" else f"{wanted} spared", "the last token")
    return Table(title, head, tuple(rows), "DL-30.4", (choice.best, 1))


def fill(given: Mapping[str, Any], book: ProfileBook) -> dict[str, Any]:
    """Profiles of the weapon and of the target."""
    known = {"weapon", "marker", "strength", "ap"}
    weapon = fill_blast({key: value for key, value in given.items() if key == "weapon"}, book)
    return {**{key: value for key, value in weapon.items() if key in known}, **given}


def warn(inputs: Tokens, rules: Rulings) -> Iterable[str]:
    """What is left out."""
    if len(inputs.figures) > 20:
        yield "With so many models the best place may take a while to find (DL-30.4)"


def is_blast(state: Any) -> bool:
    """Whether it is about a blast."""
    return isinstance(state, Shelling)


TOKENS = Question(
    "tokens",
    "How are scatter tokens best spent?",
    Tokens,
    begin,
    procedure,
    (
        Measure("spared", "What the tokens spare, or bring about", spared),
        Measure("tokens", "Tokens used", used, "tokens"),
        Measure("hits", "Hits on the target", lambda state: sum(hits_on(state.blast, TARGET)), "hits", usual=is_blast),
        Measure("hp_lost", "HP that it loses", lambda state: state.shooting.target.hp_removed, "HP", usual=is_blast),
        Measure("inches", "Inches off the aim", lambda state: round(state.blast.inches, 2), "inches", usual=is_blast),
    ),
    headline,
    narrate,
    fill=fill,
    warn=warn,
    example={"held": 3, "bs": 3},
    rulings=("night_token", "zone_of", *GUN_RULINGS, *TROOP_RULINGS),
    goal=Goal(("spared", "tokens"), {"defender": "max", "attacker": "min"}, value_table),
)
