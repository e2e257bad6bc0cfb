"""Shooting with ordinary weapons: some shots at a model or a squad, one hit after another."""

from __future__ import annotations

from collections.abc import Iterator

from battletape import rulebook
from battletape.rulebook import Procedure, State, Tape, clause, replace
from battletape.rulesets.second_edition.rules import squads
from battletape.rulesets.second_edition.rules.attack import Hit, Model, PreparedHit
from battletape.rulesets.second_edition.rules.keywords import needs_lines, prepare_hit, take_hit
from battletape.rulesets.second_edition.rules.to_hit import Aim, can_hit, roll_to_hit, to_hit_score
from battletape.rulesets.second_edition.rulings import DEFAULT, Rulings


class ShotSetup(State, frozen=True):
    """The constants of some shots: the aim, the hit, the models fired at, and their order."""

    aim: Aim
    hit: Hit
    model: Model
    target_order: squads.TargetOrder = "one_by_one"
    automatic: bool = False  # hits without a roll
    rulings: Rulings = DEFAULT

    @property
    def prepared_hit(self) -> PreparedHit:
        """Return what each hit does."""
        return prepare_hit(self.hit, self.model, self.rulings)


class Volley(State, frozen=True):
    """Shots under way: how many are still to come, the hits, and the models left standing."""

    setup: ShotSetup
    shots: int
    models_left: squads.ModelCounts
    models: int  # at the beginning
    wounds: int  # of all of them, at the beginning
    vehicle_hits_before: int = 0  # hits for armour penetration that they had taken, at the beginning
    hits: int = 0

    @property
    def fallen(self) -> int:
        """Return how many models have fallen."""
        return self.models - squads.count_models(self.models_left)

    @property
    def lost(self) -> int:
        """Return how many wounds were lost."""
        return self.wounds - squads.wounds_left(self.models_left)


def volley_of(setup: ShotSetup, shots: int, models: squads.ModelCounts) -> Volley:
    """Return shots before the first die."""
    return Volley(
        setup, shots, models, squads.count_models(models), squads.wounds_left(models), squads.hits_on_vehicles(models)
    )


@clause("SE-11", "SE-12", "SE-16", "SE-17")
def note_to_hit(tape: Tape, volley: Volley) -> Volley:
    """Note range and modifiers; a shot that cannot hit is not rolled."""
    setup = volley.setup
    tape.tell(needs_lines, None if setup.automatic else setup.aim, setup.hit, setup.model, setup.rulings)
    if setup.automatic or can_hit(setup.aim, setup.rulings):
        return volley
    return replace(volley, shots=0)


@clause("SE-13", "SE-14", "SE-15")
def roll_shots(tape: Tape, volley: Volley) -> Volley:
    """Roll To Hit for every shot."""
    if volley.setup.automatic or not volley.shots:
        return replace(volley, hits=volley.shots, shots=0)
    return replace(volley, hits=roll_to_hit(tape, volley.shots, to_hit_score(volley.setup.aim)), shots=0)


@clause("SE-23", "SE-32")
def take_hits(tape: Tape, volley: Volley) -> Volley:
    """Take the hits one after another, each on a model that still stands."""
    items = ((volley.setup.prepared_hit, volley.setup.target_order),) * volley.hits
    # the rest keeps its line, which the items are struck from in any case, so that losses can be told
    return tape.each(hit_next_model, volley.models_left, items, then=_with_models_left, rest=volley, tell=losses_lines)


@clause("SE-23", "SE-24")
def hit_next_model(
    tape: Tape, squad: squads.ModelCounts, item: tuple[PreparedHit, squads.TargetOrder]
) -> squads.ModelCounts:
    """Hit the next model of a squad; when none is left the hit goes to waste."""
    if not squad:
        return squad
    prepared_hit, target_order = item
    condition = squads.next_target(squad, target_order)
    return squads.with_model(squads.without_model(squad, condition), tape.call(take_hit, condition, prepared_hit))


def _with_models_left(volley: Volley, squad: squads.ModelCounts) -> Volley:
    return replace(volley, models_left=squad)


SHOOTING = Procedure("shooting", (note_to_hit, roll_shots, take_hits))


# --- what is told ----------------------------------------------------------------------------------------------------


def losses_lines(volley: Volley, squad: squads.ModelCounts) -> Iterator[rulebook.Line]:
    """Say what the hits of some shots did."""
    if volley.hits:
        yield from squads.squad_loss_lines(volley.setup.model.name, volley.models_left, squad)
