"""Blasts: scatter tokens that push a marker off its aim, the firer's BS that draws it back, barrages, hits.

Without a board the inches are all there is (`final_inches`), and the players count the models. On a board `BLAST` asks
the defender for a number of tokens and for a place, and the firer how far to draw the marker back. Directions
are continuous; `battletape.table.rays` reduces them to the finitely many places that differ in what can come of them,
so that every choice has a list of options and a best one can be found.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Literal, TypeAlias, TypeVar

from battletape.rulebook import (
    BadInput,
    Line,
    Procedure,
    Refused,
    State,
    Tape,
    clause,
    plural,
    raise_if_refused,
    replace,
)
from battletape.rulebook import inches as inches_text
from battletape.rulesets.diceless40k.rules.weapons import BARRAGE, MULTIPLE_BARRAGE, ORBITAL, ORDNANCE_BARRAGE
from battletape.rulesets.diceless40k.rulings import DEFAULT, Rulings
from battletape.table import points as geometry
from battletape.table import rays
from battletape.table.bases import Base
from battletape.table.facings import Facing
from battletape.table.hulls import Hull, is_on_hull
from battletape.table.markers import BLAST as BLAST_RADIUS
from battletape.table.markers import LARGE_BLAST, HullBlast

LOOKS_AROUND = 24  # bearings that are tried to see how many tokens are worth spending
TOKEN_INCHES = 2
TOKENS_ON_A_BLAST = 6
NIGHT_TOKENS = 1  # more
TOKENS_BY_MARKER = {"none": 0, "template": 0, "blast": 2, "large_blast": 3}
RADII = {"blast": BLAST_RADIUS, "large_blast": LARGE_BLAST}
BARRAGES = frozenset({BARRAGE, MULTIPLE_BARRAGE, ORDNANCE_BARRAGE, ORBITAL})
"""Weapons that may fire at what they do not see."""
NEVER_DRAWN_BACK = frozenset({ORDNANCE_BARRAGE, ORBITAL})
"""Weapons whose firer never draws the marker back."""
TOKEN, NO_TOKEN = "token", "no token"
DIRECT, INDIRECT = "direct", "indirect"

T = TypeVar("T")
Placer: TypeAlias = Literal["firer", "defender"]
Gain: TypeAlias = tuple[tuple[int, ...], tuple[HullBlast, ...]]
"""What a marker is worth to the firer: hits on every unit, those on friends below 0, and how it lies on every hull."""


class Marker(State, frozen=True):
    """A marker where it lies in the end, and what is under it."""

    centre: geometry.Point
    cover: rays.Cover


class Blast(State, frozen=True):
    """A blast on a board: where it is aimed, what stands around, what both players may do, and how far it has got."""

    aim: geometry.Point
    marker: float  # its radius
    bases: tuple[Base, ...] = ()
    units: tuple[str, ...] = ()  # the unit of each base
    hulls: tuple[Hull, ...] = ()
    vehicles: tuple[str, ...] = ()  # the vehicle of each hull
    friends: frozenset[str] = frozenset()  # units and vehicles of the firer's own side
    held: int = 0  # scatter tokens of the defender
    draw_back_inches: int = 0  # at most, when firing directly
    is_barrage: bool = False  # it may fire indirectly
    in_sight: bool = True
    night: bool = False
    further_markers: int = 0  # of a multiple barrage, after the first
    firer: str = "attacker"
    defender: str = "defender"
    rulings: Rulings = DEFAULT
    indirect: bool = False
    tokens: int = 0  # used so far
    spent: int = 0  # of those from the pool
    push: rays.Push | None = None
    markers: tuple[Marker, ...] = ()
    usual_first: bool = False  # the tokens that players usually spend are offered first; else none, one, two and so on

    def __post_init__(self) -> None:
        if len(self.units) not in (0, len(self.bases)) or len(self.vehicles) not in (0, len(self.hulls)):
            raise BadInput("a blast needs the unit of every base and every hull, or of none of them", field="units")
        if self.marker <= 0 or self.held < 0 or self.draw_back_inches < 0 or self.further_markers < 0:
            raise BadInput("a blast needs a marker; tokens, inches and further markers must be 0 or more")

    @property
    def inches(self) -> float:
        """The inches between the first marker and its aim."""
        return geometry.apart(self.aim, self.markers[0].centre) if self.markers else 0.0


# --- tokens -----------------------------------------------------------------------------------------------------------


@clause("DL-30.1", "DL-30.2", "DL-30.3")
def tokens_for(markers: Iterable[str]) -> int:
    """Return the scatter tokens that a weapon gives the opponent by its largest marker: 2 or 3."""
    return max((TOKENS_BY_MARKER[marker] for marker in markers), default=0)


@clause("DL-30.5", "DL-95.9")
def most_tokens(held: int, night: bool = False, rulings: Rulings = DEFAULT) -> int:
    """Return the scatter tokens that may be used on one blast: 6, by night one more, and never more than are held."""
    if held < 0:
        raise BadInput(f"scatter tokens are 0 or more; got {held}", clause="DL-30.5")
    if night and rulings.night_token == "free":
        return min(held, TOKENS_ON_A_BLAST) + NIGHT_TOKENS
    return min(held, TOKENS_ON_A_BLAST + NIGHT_TOKENS * night)


@clause("DL-30.6", "DL-95.9")
def tokens_spent(used: int, night: bool = False, rulings: Rulings = DEFAULT) -> int:
    """Return the tokens that are gone for the game: those used, less one by night where that one is free."""
    return max(0, used - NIGHT_TOKENS) if night and rulings.night_token == "free" else used


@clause("DL-30.5", "DL-30.4", "DL-95.9")
def refuse_tokens(used: int, held: int, night: bool = False, rulings: Rulings = DEFAULT) -> Refused | None:
    """Refuse more scatter tokens on one blast than may be used."""
    if used < 0:
        return Refused(f"tokens are 0 or more; got {used}", "DL-30.4", "token")
    most = TOKENS_ON_A_BLAST + NIGHT_TOKENS * night
    if used > most:
        when = "by night" if night else "by day"
        return Refused(f"{used} tokens are used on one blast; {most} is the most {when}", "DL-30.5", "token")
    if used > most_tokens(held, night, rulings):
        fits = most_tokens(held, night, rulings)
        spent = f"{plural(used, 'scatter token')} {'is' if used == 1 else 'are'} used"
        have = f"{held} {'is' if held == 1 else 'are'} held"
        return Refused(f"{spent}, and {have}; {fits} is the most", "DL-30.5", "token")
    return None


# --- without a board --------------------------------------------------------------------------------------------------


@clause("DL-30.4")
def scattered(tokens: int) -> int:
    """Return the inches that so many tokens push a marker, all in one direction."""
    return TOKEN_INCHES * tokens


@clause("DL-30.7")
def final_inches(tokens: int, bs: int, may_reduce: bool = True) -> int:
    """Return the inches off the aim after the firer has drawn the marker back as far as possible."""
    return max(0, scattered(tokens) - (max(0, bs) if may_reduce else 0))


@clause("DL-30.7", "DL-32.1", "DL-58.1", "DL-SM-52.1")
def may_draw_back(weapon_rules: Collection[str], in_sight: bool = True) -> bool:
    """Return whether the firer's BS draws a marker back: not out of sight, and never for an ordnance barrage."""
    return in_sight and not NEVER_DRAWN_BACK.intersection(weapon_rules)


@clause("DL-30.7")
def refuse_draw_back(inches: float, limit: int, tokens: int) -> Refused | None:
    """Refuse to draw a marker back farther than the firer's BS, or past the aim."""
    if not 0 <= inches <= limit + geometry.TOLERANCE:
        reason = f"the firer may draw back 0 to {inches_text(limit)}; got {inches_text(inches)}"
        return Refused(reason, "DL-30.7", "distance")
    if inches > scattered(tokens) + geometry.TOLERANCE:
        reason = f"the firer may not draw the marker past its aim; tokens pushed it {inches_text(scattered(tokens))}"
        return Refused(f"{reason} at most", "DL-30.7", "distance")
    return None


@clause("DL-32.1")
def refuse_unseen(weapon_rules: Collection[str], in_sight: bool) -> Refused | None:
    """Refuse a blast at a target out of sight, unless it is a barrage."""
    if in_sight or BARRAGES.intersection(weapon_rules):
        return None
    return Refused("only a barrage weapon may be fired at a target out of sight", "DL-32.1", "line_of_sight")


# --- on a board -------------------------------------------------------------------------------------------------------


@clause("DL-30.4")
def refuse_aim(aim: geometry.Point, targets: Sequence[Base | Hull]) -> Refused | None:
    """Refuse to aim a marker where its centre is not over a model of the target."""
    for target in targets:
        if isinstance(target, Hull) and is_on_hull(target, aim):
            return None
        if isinstance(target, Base) and geometry.apart(aim, target.centre) <= target.radius + geometry.TOLERANCE:
            return None
    return Refused("a marker is aimed with its centre over a model of the target", "DL-30.4", "aim")


@clause("DL-32.1")
def choose_fire(tape: Tape, blast: Blast) -> Blast:
    """Let the firer of a barrage choose direct or indirect fire, out of sight only indirect; that is not drawn back."""
    ways = (DIRECT, INDIRECT) if blast.is_barrage and blast.in_sight else (DIRECT,) if blast.in_sight else (INDIRECT,)
    if tape.choose(ways, by=blast.firer, label="direct or indirect fire") == DIRECT:
        return blast
    return replace(blast, indirect=True, draw_back_inches=0)


@clause("DL-30.4", "DL-30.5", "DL-30.6", "DL-95.9")
def spend_tokens(tape: Tape, blast: Blast) -> Blast:
    """Let the target's player spend scatter tokens, usually those that spare more hits than they are."""
    numbers = range(most_tokens(blast.held, blast.night, blast.rulings) + 1)
    usual = _usual_tokens(blast, numbers[-1]) if blast.usual_first and len(numbers) > 1 else 0
    options = (usual, *(tokens for tokens in numbers if tokens != usual))
    used = tape.choose(options, by=blast.defender, label="scatter tokens", unit="token")
    blast = with_tokens_used(blast, used)
    tape.tell(tokens_line, used, blast.held)
    return blast


def _usual_tokens(blast: Blast, most: int) -> int:
    """Return as few tokens as spare the most hits beyond one for each; the others are kept for another shot.

    This is a look at every inch of some bearings.
    It only puts an option first; which places there are is worked out exactly once the tokens are spent.
    """
    bases, back = (*blast.bases, *_bases_for_further(blast)), int(blast.draw_back_inches)
    left_at = [0] + [len(bases) + 2 * len(blast.hulls)] * TOKEN_INCHES * most
    for bearing in range(0, 360, 360 // LOOKS_AROUND):
        worths = [
            _worth_with_further(
                blast, rays.cover(Base(geometry.step(blast.aim, bearing, inches), blast.marker), bases, blast.hulls)
            )
            for inches in range(len(left_at))
        ]
        left_at = [min(left, max(worths[max(0, inches - back) : inches + 1])) for inches, left in enumerate(left_at)]
        left_at[0] = worths[0]
    left = [left_at[0], left_at[TOKEN_INCHES]]  # one token leads to a circle, more to any place within their sum
    left += [min(left_at[: TOKEN_INCHES * tokens + 1]) for tokens in range(2, most + 1)]
    return min(range(most + 1), key=lambda tokens: (left[tokens] + tokens, tokens))


@clause("DL-30.6")
def with_tokens_used(blast: Blast, used: int) -> Blast:
    """Return a copy of the blast after so many tokens have been used on it."""
    spent = tokens_spent(used, blast.night, blast.rulings)
    return replace(blast, tokens=blast.tokens + used, spent=blast.spent + spent, held=blast.held - spent)


@clause("DL-30.4")
def push_marker(tape: Tape, blast: Blast) -> Blast:
    """Push the marker by the tokens, each 2 inches in a direction that the same player chooses."""
    places = _places_by_name(blast)
    push = places[tape.choose(tuple(places), by=blast.defender, label="scatter")]
    if blast.tokens:
        tape.tell(pushed_line, push, blast.tokens)
    return replace(blast, push=push)


@clause("DL-30.7")
def draw_back(tape: Tape, blast: Blast) -> Blast:
    """Let the firer draw the marker back towards its aim by up to its BS in inches; what hits most stands first."""
    assert blast.push is not None
    spots = sorted(blast.push.spots, key=lambda spot: (-_worth_with_further(blast, spot.cover), spot.inches))
    ways = _by_name(spots, _spot_name)
    spot = ways[tape.choose(tuple(ways), by=blast.firer, label="draw back")]
    centre = geometry.step(blast.aim, blast.push.bearing, spot.inches) if spot.inches else blast.aim
    under = tuple(index for index in spot.cover.bases if index < len(blast.bases))
    after = replace(blast, push=None, markers=(Marker(centre, replace(spot.cover, bases=under)),))
    tape.tell(drawn_line, blast.push.inches, after)
    return after


@clause("DL-32.2")
def place_further(tape: Tape, blast: Blast) -> Blast:
    """Lay the further markers of a multiple barrage."""
    return tape.each(place_marker, blast, range(2, blast.further_markers + 2)) if blast.further_markers else blast


@clause("DL-32.2")
def place_marker(tape: Tape, blast: Blast, number: int) -> Blast:
    """Lay a further marker against the first: where the firer chooses, or for a token the defender."""
    placer: Placer = "firer"
    if blast.held:
        answer = tape.choose((NO_TOKEN, TOKEN), by=blast.defender, label=f"token on marker {number}")
        if answer == TOKEN:
            placer = "defender"
            blast = replace(blast, tokens=blast.tokens + 1, spent=blast.spent + 1, held=blast.held - 1)
    beside = markers_beside(blast, placer)
    by = blast.firer if placer == "firer" else blast.defender
    marker = beside[tape.choose(tuple(beside), by=by, label=f"marker {number}")]
    tape.tell(laid_line, number, placer, blast.markers[0].centre, marker)
    return replace(blast, markers=(*blast.markers, marker))


BLAST = Procedure("blast", (choose_fire, spend_tokens, push_marker, draw_back, place_further))


@clause("DL-30.4", "DL-30.7")
@lru_cache(64)
def places_for(blast: Blast, tokens: int) -> tuple[rays.Push, ...]:
    """Return the places that so many tokens lead to and that differ in their effect; the defender's best first.

    Left out is what no player would choose: spots of a place that hit fewer enemies, or more friends, than another one
    to draw back to, and places that leave the firer something better for everything that another place leaves.
    For a multiple barrage the models that a further marker can touch from there count too, though not how many at once.
    """
    held = blast.held + blast.spent
    most = max(tokens, most_tokens(held, blast.night, blast.rulings)) if tokens else 0  # all of them in one go, or none
    bases = (*blast.bases, *_bases_for_further(blast))
    places = rays.pushes(
        blast.aim, most, float(TOKEN_INCHES), float(blast.draw_back_inches), float(blast.marker), bases, blast.hulls
    )
    gains = {spot.cover: _gain(blast, spot.cover) for place in places[tokens] for spot in place.spots}
    kept: list[tuple[rays.Push, tuple[Gain, ...]]] = []
    for place in sorted(places[tokens], key=lambda place: (_best_worth(blast, place), -round(place.leeway, 4))):
        best = _best_spots(blast, place.spots, gains)
        left = tuple(gains[spot.cover] for spot in best)
        if not any(_are_matched_by(blast, other, left) for _, other in kept):
            kept = [(known, other) for known, other in kept if not _are_matched_by(blast, left, other)]
            kept.append((replace(place, spots=best), left))
    return tuple(place for place, _ in kept)


def _bases_for_further(blast: Blast) -> tuple[Base, ...]:
    """Return larger bases, which the first marker touches where a further one could touch the model."""
    further = blast.bases if blast.further_markers else ()
    return tuple(Base(base.centre, base.radius + 2 * blast.marker) for base in further)


@clause("DL-30.4")
def directions_left_out(blast: Blast) -> tuple[int, float]:
    """Return how many narrow arcs of directions are left out in a large crowd, and how many degrees they span."""
    most = most_tokens(blast.held, blast.night, blast.rulings)
    curves = rays.ray_curves(blast.aim, float(blast.marker), (*blast.bases, *_bases_for_further(blast)), blast.hulls)
    reaches = tuple(float(TOKEN_INCHES * tokens) for tokens in range(1, most + 1))
    around = rays.compass(curves, reaches, float(blast.draw_back_inches))
    return around.left_out, around.degrees


def _gain(blast: Blast, cover: rays.Cover) -> Gain:
    """Return what a marker is worth: hits unit by unit, and how it lies on each hull."""
    models, gains = len(blast.bases), list[int]()
    units = blast.units or tuple(map(str, range(models)))
    for first in (0, models) if blast.further_markers else (0,):
        under = Counter(units[index - first] for index in cover.bases if first <= index < first + models)
        gains += [-under[unit] if unit in blast.friends else under[unit] for unit in dict.fromkeys(units)]
    return tuple(gains), cover.hulls


def _is_matched_by(blast: Blast, gain: Gain, other: Gain) -> bool:
    """Return whether the other gain is as good for the firer: no fewer hits on an enemy, no more on a friend.

    Which way a hull is hit best depends on its armour, so only a clear one is known to be less, or more for a friend.
    """
    if any(mine > theirs for mine, theirs in zip(gain[0], other[0], strict=True)):
        return False
    for index, (mine, theirs) in enumerate(zip(gain[1], other[1], strict=True)):
        own = bool(blast.vehicles) and blast.vehicles[index] in blast.friends
        if mine != theirs and (theirs if own else mine).part != "clear":
            return False
    return True


def _are_matched_by(blast: Blast, gains: Iterable[Gain], others: Sequence[Gain]) -> bool:
    """Return whether the firer finds, for each of these gains, one as good among the others."""
    return all(any(_is_matched_by(blast, gain, better) for better in others) for gain in gains)


def _best_spots(blast: Blast, spots: Sequence[rays.Spot], gains: Mapping[rays.Cover, Gain]) -> tuple[rays.Spot, ...]:
    """Return the spots that are worth drawing back to; of two as good the one nearer to the aim."""
    kept: list[rays.Spot] = []
    for spot in sorted(spots, key=lambda spot: spot.inches):
        gain = gains[spot.cover]
        if not any(_is_matched_by(blast, gain, gains[known.cover]) for known in kept):
            kept = [known for known in kept if not _is_matched_by(blast, gains[known.cover], gain)]
            kept.append(spot)
    return tuple(kept)


@clause("DL-30.8")
def worth(blast: Blast, cover: rays.Cover) -> int:
    """Return the enemies under a marker, less those of the firer's side; a hole on a hull counts twice a rim."""
    under = [index for index in cover.bases if index < len(blast.bases)]
    total = sum(-1 if blast.units and blast.units[index] in blast.friends else 1 for index in under)
    for index, hull in enumerate(cover.hulls):
        points = {"hole": 2, "edge": 1}.get(hull.part, 0)
        total += -points if blast.vehicles and blast.vehicles[index] in blast.friends else points
    return total


def _worth_with_further(blast: Blast, cover: rays.Cover) -> int:
    """Return what a first marker is worth, with all models that further ones can touch from there."""
    near = (blast.units[index - len(blast.bases)] for index in cover.bases if index >= len(blast.bases))
    return worth(blast, cover) + sum(-1 if unit in blast.friends else 1 for unit in near)


def _best_worth(blast: Blast, place: rays.Push) -> int:
    return max(_worth_with_further(blast, spot.cover) for spot in place.spots)


@clause("DL-32.2")
def markers_beside(blast: Blast, placer: Placer) -> dict[str, Marker]:
    """Return where a further marker may be laid against the first, by bearing; the best for its player first.

    Left out are places that are no better for that player than another one, for any goal.
    """
    first = Base(blast.markers[0].centre, blast.marker)
    around = rays.beside_arcs(first, blast.bases, blast.hulls)
    widest: dict[rays.Cover, tuple[float, float]] = {}
    for cover, middle, width in zip(around.statuses, around.middles(), around.widths(), strict=True):
        if cover not in widest or widest[cover][0] < width:
            widest[cover] = width, middle
    sign = -1 if placer == "firer" else 1
    ordered = sorted(widest, key=lambda cover: (sign * worth(blast, cover), widest[cover][1]))
    gains = {cover: _gain(blast, cover) for cover in ordered}
    kept: list[rays.Cover] = []
    for cover in ordered:
        pairs = ((gains[cover], gains[known]) for known in kept)
        if not any(_is_matched_by(blast, *(pair if placer == "firer" else pair[::-1])) for pair in pairs):
            kept.append(cover)
    return {
        f"{widest[cover][1]:.1f}°": Marker(geometry.step(first.centre, widest[cover][1], 2 * first.radius), cover)
        for cover in kept
    }


@lru_cache(64)
def _places_by_name(blast: Blast) -> Mapping[str, rays.Push]:
    return _by_name(places_for(blast, blast.tokens), _place_name)


def _place_name(place: rays.Push) -> str:
    return f'{place.inches:.2f}" at {place.bearing:.2f}°' if place.inches else "stays"


def _spot_name(spot: rays.Spot) -> str:
    return f'{spot.inches:.2f}" off the aim' if spot.inches else "on the aim"


def _by_name(items: Iterable[T], name_of: Callable[[T], str]) -> dict[str, T]:
    """Return the things by their names in words; those that round to the same words are numbered."""
    names: dict[str, T] = {}
    for item in items:
        name, number = name_of(item), 1
        while name in names:
            number += 1
            name = f"{name_of(item)} ({number})"
        names[name] = item
    return names


@clause("DL-30.4")
def directions(place: rays.Push, tokens: int) -> tuple[float, ...]:
    """Return a bearing for each token, so that together they lead to a place."""
    return rays.step_bearings(tokens, place.bearing, place.inches, TOKEN_INCHES)


@clause("DL-30.4", "DL-30.7", "DL-30.6")
def place_by_hand(blast: Blast, bearings: Sequence[float], drawn_back: float = 0) -> Blast:
    """Return the marker as the players put it: a bearing for each token, and the inches that it was drawn back."""
    raise_if_refused(refuse_tokens(len(bearings), blast.held, blast.night, blast.rulings))
    pushed = rays.steps_from(blast.aim, bearings, TOKEN_INCHES)
    raise_if_refused(refuse_draw_back(drawn_back, blast.draw_back_inches, len(bearings)))
    if drawn_back > geometry.apart(blast.aim, pushed) + geometry.TOLERANCE:
        raise Refused("the firer may not draw the marker past its aim", "DL-30.7", "distance")
    centre = geometry.towards(pushed, blast.aim, drawn_back)
    cover = rays.cover(Base(centre, float(blast.marker)), blast.bases, blast.hulls)
    return replace(with_tokens_used(blast, len(bearings)), markers=(Marker(centre, cover),))


# --- hits -------------------------------------------------------------------------------------------------------------


@clause("DL-30.8")
def hits_on(blast: Blast, unit: str) -> tuple[int, ...]:
    """Return the models of a unit under each marker."""
    return tuple(sum(blast.units[index] == unit for index in marker.cover.bases) for marker in blast.markers)


@clause("DL-30.8", "DL-60.4")
def hull_hits(blast: Blast, vehicle: str) -> tuple[HullBlast, ...]:
    """Return how the markers lie on a vehicle's hull, those that touch it."""
    index = blast.vehicles.index(vehicle)
    lying = (marker.cover.hulls[index] for marker in blast.markers)
    return tuple(hull_blast for hull_blast in lying if hull_blast.part != "clear")


@clause("DL-60.4", "DL-32.1")
def armour_hit(hull_blast: HullBlast, firer_facing: Facing, barrage: bool = False) -> tuple[Facing, bool]:
    """Return the facing that a marker hits, and whether its hole is off the hull: then the Strength is halved.

    With the hole on the hull it is the facing towards the firer, of a barrage the side; else that towards the hole.
    """
    if hull_blast.facing is not None:
        return hull_blast.facing, True
    return ("side" if barrage else firer_facing), False


# --- log lines --------------------------------------------------------------------------------------------------------


def tokens_line(used: int, held: int) -> Line:
    """Say how many scatter tokens were used."""
    text = f"{plural(used, 'scatter token')} used, {held} left"
    return Line(text, ("DL-30.4", "DL-30.6"), result=str(used))


def pushed_line(push: rays.Push, tokens: int) -> Line:
    """Say in which directions tokens push a marker."""
    ways = ", ".join(f"{way:.0f}°" for way in directions(push, tokens))
    return Line(
        f"Each token 2 inches, at {ways}: the marker goes {push.inches:.1f} inches at {push.bearing:.0f}°", ("DL-30.4",)
    )


def laid_line(number: int, placer: Placer, first: geometry.Point, marker: Marker) -> Line:
    """Say where a further marker lies, and which player laid it there."""
    lays = "for a token the defender lays it" if placer == "defender" else "the firer lays it"
    under = len(marker.cover.bases) + sum(hull_blast.part != "clear" for hull_blast in marker.cover.hulls)
    text = f"Marker {number}: {lays} at {geometry.bearing(first, marker.centre):.0f}° of the first, {under} under it"
    return Line(text, ("DL-32.2",), result=str(under))


def drawn_line(pushed: float, blast: Blast) -> Line:
    """Say where a marker lies at last, and what lies under it."""
    back = (
        f"drawn back to {blast.inches:.1f} inches off the aim"
        if round(blast.inches, 1) < round(pushed, 1)
        else "not drawn back"
    )
    text = f"Pushed {pushed:.1f} inches and {back}" if pushed else "The marker stays on its aim"
    cover = blast.markers[0].cover
    under, hulls = len(cover.bases), sum(hull.part != "clear" for hull in cover.hulls)
    what = plural(under, "model") + (f" and {plural(hulls, 'hull')}" if hulls else "")
    return Line(f"{text}: {what} under the marker", ("DL-30.7", "DL-30.8"), result=str(under + hulls))
