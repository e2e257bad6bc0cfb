"""Template weapons: a flamer's teardrop, how it may be laid, and who lies under it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache

from battletape.rulebook import BadInput, Line, Procedure, Refused, State, Tape, clause, replace
from battletape.rulesets.second_edition.profiles.types import Template
from battletape.rulesets.second_edition.rules.attack import Hit
from battletape.rulesets.second_edition.rules.blasts import (
    NOBODY,
    OWN,
    CoveredModel,
    Figure,
    HitResults,
    covered_text,
    find_figure,
    mean_gain,
    models_under,
    names_under,
    strike_each,
)
from battletape.rulesets.second_edition.rulings import DEFAULT, Rulings
from battletape.table.bases import Base
from battletape.table.markers import Coverage
from battletape.table.teardrops import (
    Flame,
    Teardrop,
    aimed_flame,
    flame_arcs,
    flame_coverage,
    held_flame,
    swing_arcs,
    teardrop,
)


class Placement(State, frozen=True):
    """A way to lay the template: over which target, and the heading of its axis."""

    target: str
    heading: float
    flame: Flame
    covered: tuple[Coverage, ...]

    def __str__(self) -> str:
        return f"over {self.target}, heading {self.heading:.2f}"

    @property
    def description(self) -> str:
        """Say how it lies, as at the table."""
        return f"over {self.target}, heading {round(self.heading) % 360}°"


class TemplateAttack(State, frozen=True):
    """A template from the aim to the toll."""

    template: Teardrop
    hit: Hit
    figures: tuple[Figure, ...]
    shooter: Base
    target: str = ""  # empty: the shooter's choice
    heading: float | None = None  # None: the shooter's choice
    laid: Placement | None = None
    under: tuple[CoveredModel, ...] = ()
    results: HitResults = NOBODY
    gains: str = "hit"
    landed: bool = False
    covered: tuple[tuple[str, Coverage], ...] = ()
    rules: Rulings = DEFAULT


@clause("SE-9")
def shape_of(template: Template) -> Teardrop:
    """The teardrop of a template: the hull of its point and its round end; the sizes are data, and must make sense."""
    if not 0 < template.radius < template.length / 2:
        told = f"a length of {template.length:g} and a round end of radius {template.radius:g}"
        wanted = "more than 0 and less than half the length"
        raise BadInput(
            f"the radius of a template's round end must be {wanted}; got {told}.", field="radius", clause="SE-9"
        )
    return teardrop(template.length, template.radius)


@lru_cache(256)
@clause("SE-82", "SE-83")
def placements(burst: TemplateAttack) -> tuple[Placement, ...]:
    """Every way to lay the template that differs in whom it covers, the best one for the shooter first.

    Of ways that gain as much, the one that endangers fewer friends, then the axis over the middle of a target. The
    point touches the shooter's rim where that is nearest to the target or, if the rim is free, where the axis leaves
    the base. The shooter's own base touches the point only.
    """
    targets = [figure for figure in burst.figures if figure.side == "enemy"]
    if burst.target:
        targets = [find_figure(burst.figures, burst.target)]
    bases = tuple(figure.base for figure in burst.figures)
    met: dict[tuple[Coverage, ...], Placement] = {}
    for target in targets:
        for flame in _flames(burst, target, bases):
            covered = tuple(flame_coverage(flame, base) for base in bases)
            if covered[burst.figures.index(target)] != "missed":
                met.setdefault(covered, Placement(target.name, flame.heading, flame, covered))
    ways = tuple({str(way): way for way in reversed(met.values())}.values())[::-1]
    return tuple(sorted(ways, key=lambda way: worth_of(burst, way), reverse=True))


@clause("SE-82", "SE-83")
def worth_of(burst: TemplateAttack, way: Placement) -> tuple[Fraction, int]:
    """Return what a way to lay the template gains on average, and how few friends lie under it."""
    figures = [figure for figure in burst.figures if figure.side != "shooter"]
    covered = [cover for figure, cover in zip(burst.figures, way.covered, strict=True) if figure.side != "shooter"]
    under = models_under(figures, covered, burst.hit, way.target, rules=burst.rules)
    return mean_gain(under, burst.gains), -sum(model.role in OWN for model in under)


def _flames(burst: TemplateAttack, target: Figure, bases: Sequence[Base]) -> list[Flame]:
    """The template over the middle of a target, then turned to the middle of every arc on which it covers others."""
    template, shooter = burst.template, burst.shooter
    straight, free = aimed_flame(template, shooter, target.base), burst.rules.template_tip == "anywhere"
    if burst.heading is not None:
        return [held_flame(template, shooter, burst.heading) if free else replace(straight, heading=burst.heading)]
    ways = swing_arcs(template, shooter, bases) if free else flame_arcs(template, straight.apex, bases)
    turned = (held_flame(template, shooter, at) if free else replace(straight, heading=at) for at in ways.middles())
    return [straight, *turned]


@clause("SE-82")
def refuse_burst(burst: TemplateAttack) -> Refused | None:
    """Refuse a template that reaches no enemy, or not the target."""
    if placements(burst):
        return None
    whom = burst.target or "any enemy"
    length = burst.template.to_disc + burst.template.radius
    return Refused(f"a template {length:g} inches long does not reach {whom}; choose another target", "SE-82")


@clause("SE-81", "SE-82")
def lay(tape: Tape, burst: TemplateAttack) -> TemplateAttack:
    """The shooter lays the template; nobody rolls To Hit."""
    ways = placements(burst)
    chosen = tape.choose(tuple(str(way) for way in ways), by="attacker", label="placement")
    laid = next(way for way in ways if str(way) == chosen)
    others = [at for at, figure in enumerate(burst.figures) if figure.side != "shooter"]
    figures, covered = [burst.figures[at] for at in others], [laid.covered[at] for at in others]
    under = models_under(figures, covered, burst.hit, laid.target, rules=burst.rules)
    burst = replace(burst, figures=(), laid=laid, under=under, covered=names_under(figures, covered), landed=True)
    tape.tell(laid_lines, laid, burst.covered)
    return burst


@clause("SE-83", "SE-85")
def burn(tape: Tape, burst: TemplateAttack) -> TemplateAttack:
    """Hit the models under the template: those covered entirely without a roll, those partly on a 4+."""
    return strike_each(tape, burst.under, then=_burnt, rest=replace(burst, under=(), results=NOBODY))


def _burnt(burst: TemplateAttack, toll: HitResults) -> TemplateAttack:
    return replace(burst, results=toll)


TEMPLATE = Procedure("template", (lay, burn))


# --- what is told ----------------------------------------------------------------------------------------------------


def laid_lines(laid: Placement, covered: tuple[tuple[str, Coverage], ...]) -> Iterator[Line]:
    """Say how the template lies, and over which models."""
    yield Line(f"The template lies {laid.description}", ("SE-82",), result=str(laid))
    text = covered_text(covered)
    yield Line(f"Under the template: {text}", ("SE-83",), result=text)
