"""Template weapons: a flamer's teardrop, how it may be laid, and the models under it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache

from battletape.rulebook import BadInput, Line, Procedure, Refused, State, Tape, clause, replace
from battletape.rulesets.second_edition.profiles.types import Template
from battletape.rulesets.second_edition.rules import blasts
from battletape.rulesets.second_edition.rules.attack import Hit
from battletape.rulesets.second_edition.rulings import DEFAULT, Rulings
from battletape.table import teardrops
from battletape.table.bases import Base
from battletape.table.markers import Coverage


class Placement(State, frozen=True):
    """A way to lay the template: over which target, and the heading of its axis."""

    target: str
    heading: float
    flame: teardrops.Flame
    covered: tuple[Coverage, ...]

    def __str__(self) -> str:
        return f"over {self.target}, heading {self.heading:.2f}"

    @property
    def description(self) -> str:
        """Say how it lies, as at the table."""
        return f"over {self.target}, heading {round(self.heading) % 360}°"


class TemplateAttack(State, frozen=True):
    """A template from the aim to its results."""

    template: teardrops.Teardrop
    hit: Hit
    figures: tuple[blasts.Figure, ...]
    shooter: Base
    target: str = ""  # empty: the shooter's choice
    heading: float | None = None  # None: the shooter's choice
    placement: Placement | None = None
    under: tuple[blasts.CoveredModel, ...] = ()
    results: blasts.HitResults = blasts.NO_HITS
    goal: str = "hit"
    landed: bool = False
    covered: tuple[tuple[str, Coverage], ...] = ()
    rulings: Rulings = DEFAULT


@clause("SE-9")
def teardrop_of(template: Template) -> teardrops.Teardrop:
    """Return the teardrop of a template: its point and its round end; the sizes are data, and must make sense."""
    if not 0 < template.radius < template.length / 2:
        sizes = f"a length of {template.length:g} and a round end of radius {template.radius:g}"
        wanted = "more than 0 and less than half the length"
        raise BadInput(
            f"the radius of a template's round end must be {wanted}; got {sizes}.", field="radius", clause="SE-9"
        )
    return teardrops.teardrop(template.length, template.radius)


@lru_cache(256)
@clause("SE-82", "SE-83")
def placements(attack: TemplateAttack) -> tuple[Placement, ...]:
    """Find every way to lay the template that covers other models, the best one for the shooter first.

    Of ways that gain as much, the one that endangers fewer friends, then the axis over the middle of a target. The
    point touches the shooter's rim where that is nearest to the target or, if the rim is free, where the axis leaves
    the base. The shooter's own base touches the point only.
    """
    targets = [figure for figure in attack.figures if figure.side == "enemy"]
    if attack.target:
        targets = [blasts.find_figure(attack.figures, attack.target)]
    bases = tuple(figure.base for figure in attack.figures)
    met: dict[tuple[Coverage, ...], Placement] = {}
    for target in targets:
        for flame in _flames(attack, target, bases):
            covered = tuple(teardrops.flame_coverage(flame, base) for base in bases)
            if covered[attack.figures.index(target)] != "missed":
                met.setdefault(covered, Placement(target.name, flame.heading, flame, covered))
    ways = tuple({str(way): way for way in reversed(met.values())}.values())[::-1]
    return tuple(sorted(ways, key=lambda way: worth_of_placement(attack, way), reverse=True))


@clause("SE-82", "SE-83")
def worth_of_placement(attack: TemplateAttack, way: Placement) -> tuple[Fraction, int]:
    """Return what a way to lay the template gains on average, and how few friends lie under it."""
    figures = [figure for figure in attack.figures if figure.side != "shooter"]
    covered = [cover for figure, cover in zip(attack.figures, way.covered, strict=True) if figure.side != "shooter"]
    under = blasts.models_under(figures, covered, attack.hit, way.target, rulings=attack.rulings)
    return blasts.gain_of_models(under, attack.goal), -sum(model.role in blasts.OWN_ROLES for model in under)


def _flames(attack: TemplateAttack, target: blasts.Figure, bases: Sequence[Base]) -> list[teardrops.Flame]:
    """Return the template over the middle of a target, then turned to every arc on which it covers other models."""
    template, shooter = attack.template, attack.shooter
    straight, free = teardrops.aimed_flame(template, shooter, target.base), attack.rulings.template_tip == "anywhere"
    if attack.heading is not None:
        return [
            teardrops.held_flame(template, shooter, attack.heading)
            if free
            else replace(straight, heading=attack.heading)
        ]
    ways = (
        teardrops.swing_arcs(template, shooter, bases) if free else teardrops.flame_arcs(template, straight.apex, bases)
    )
    turned = (
        teardrops.held_flame(template, shooter, at) if free else replace(straight, heading=at) for at in ways.middles()
    )
    return [straight, *turned]


@clause("SE-82")
def refuse_template(attack: TemplateAttack) -> Refused | None:
    """Refuse a template that reaches no enemy, or not the target."""
    if placements(attack):
        return None
    target = attack.target or "any enemy"
    length = attack.template.to_disc + attack.template.radius
    return Refused(f"a template {length:g} inches long does not reach {target}; choose another target", "SE-82")


@clause("SE-81", "SE-82")
def lay(tape: Tape, attack: TemplateAttack) -> TemplateAttack:
    """Lay the template where the shooter chooses; there is no roll To Hit."""
    ways = placements(attack)
    chosen = tape.choose(tuple(str(way) for way in ways), by="attacker", label="placement")
    placement = next(way for way in ways if str(way) == chosen)
    others = [index for index, figure in enumerate(attack.figures) if figure.side != "shooter"]
    figures, covered = [attack.figures[index] for index in others], [placement.covered[index] for index in others]
    under = blasts.models_under(figures, covered, attack.hit, placement.target, rulings=attack.rulings)
    attack = replace(
        attack, figures=(), placement=placement, under=under, covered=blasts.names_under(figures, covered), landed=True
    )
    tape.tell(laid_lines, placement, attack.covered)
    return attack


@clause("SE-83", "SE-85")
def hit_models_under(tape: Tape, attack: TemplateAttack) -> TemplateAttack:
    """Hit the models under the template: those covered entirely without a roll, those partly on a 4+."""
    return blasts.hit_each_model(
        tape, attack.under, then=_with_results, rest=replace(attack, under=(), results=blasts.NO_HITS)
    )


def _with_results(attack: TemplateAttack, results: blasts.HitResults) -> TemplateAttack:
    return replace(attack, results=results)


TEMPLATE = Procedure("template", (lay, hit_models_under))


# --- what is told ----------------------------------------------------------------------------------------------------


def laid_lines(placement: Placement, covered: tuple[tuple[str, Coverage], ...]) -> Iterator[Line]:
    """Say how the template lies, and over which models."""
    yield Line(f"The template lies {placement.description}", ("SE-82",), result=str(placement))
    text = blasts.covered_text(covered)
    yield Line(f"Under the template: {text}", ("SE-83",), result=text)
