"""Shooting with ordinary weapons: some shots at a model or a squad, one hit after another."""

from __future__ import annotations

from collections.abc import Iterator

from battletape import rulebook
from battletape.rulebook import Procedure, State, Tape, clause, replace
from battletape.rulesets.second_edition.rules.attack import Blow, Hit, Model
from battletape.rulesets.second_edition.rules.keywords import blow_of, needs_lines, take_hit
from battletape.rulesets.second_edition.rules.squads import (
    Line,
    Way,
    aimed_at,
    harm_lines,
    hits_on_vehicles,
    put,
    standing,
    take_out,
    wounds_left,
)
from battletape.rulesets.second_edition.rules.to_hit import Aim, can_hit, need_of, roll_to_hit
from battletape.rulesets.second_edition.rulings import DEFAULT, Rulings


class Fire(State, frozen=True):
    """What does not change while shots are fired: the aim, the hit, the models fired at, and how they are picked."""

    aim: Aim
    hit: Hit
    model: Model
    way: Way = "one_by_one"
    automatic: bool = False  # hits without a roll
    rules: Rulings = DEFAULT

    @property
    def blow(self) -> Blow:
        """Return what each hit does."""
        return blow_of(self.hit, self.model, self.rules)


class Volley(State, frozen=True):
    """Shots under way: how many are still to come, the hits, and the models left standing."""

    fire: Fire
    shots: int
    line: Line
    models: int  # at the beginning
    wounds: int  # of all of them, at the beginning
    hulls: int = 0  # hits for armour penetration that they had taken, at the beginning
    hits: int = 0

    @property
    def fallen(self) -> int:
        """Return how many models have fallen."""
        return self.models - standing(self.line)

    @property
    def lost(self) -> int:
        """Return how many wounds were lost."""
        return self.wounds - wounds_left(self.line)


def volley_of(fire: Fire, shots: int, line: Line) -> Volley:
    """Shots before the first die."""
    return Volley(fire, shots, line, standing(line), wounds_left(line), hits_on_vehicles(line))


@clause("SE-11", "SE-12", "SE-16", "SE-17")
def find_score(tape: Tape, volley: Volley) -> Volley:
    """Range and modifiers first; a shot that cannot hit is not rolled."""
    fire = volley.fire
    tape.tell(needs_lines, None if fire.automatic else fire.aim, fire.hit, fire.model, fire.rules)
    if fire.automatic or can_hit(fire.aim, fire.rules):
        return volley
    return replace(volley, shots=0)


@clause("SE-13", "SE-14", "SE-15")
def roll_shots(tape: Tape, volley: Volley) -> Volley:
    """Roll To Hit for every shot."""
    if volley.fire.automatic or not volley.shots:
        return replace(volley, hits=volley.shots, shots=0)
    return replace(volley, hits=roll_to_hit(tape, volley.shots, need_of(volley.fire.aim)), shots=0)


@clause("SE-23", "SE-32")
def take_hits(tape: Tape, volley: Volley) -> Volley:
    """The hits one after another, each on a model that still stands."""
    items = ((volley.fire.blow, volley.fire.way),) * volley.hits
    # the rest keeps its line, which the items are struck from in any case, so that losses can be told
    return tape.each(strike_one, volley.line, items, then=_struck, rest=volley, tell=losses)


@clause("SE-23", "SE-24")
def strike_one(tape: Tape, line: Line, item: tuple[Blow, Way]) -> Line:
    """One hit on one model of a line; when nobody is left it goes to waste."""
    if not line:
        return line
    blow, way = item
    state = aimed_at(line, way)
    return put(take_out(line, state), tape.call(take_hit, state, blow))


def _struck(volley: Volley, line: Line) -> Volley:
    return replace(volley, line=line)


SHOOTING = Procedure("shooting", (find_score, roll_shots, take_hits))


# --- what is told ----------------------------------------------------------------------------------------------------


def losses(volley: Volley, line: Line) -> Iterator[rulebook.Line]:
    """Say what the hits of some shots did."""
    if volley.hits:
        yield from harm_lines(volley.fire.model.name, volley.line, line)
