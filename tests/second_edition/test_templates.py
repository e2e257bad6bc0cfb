"""Template weapons: the shape, how it is laid, and who lies under it."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from battletape.errors import Refused
from battletape.registry import ruleset
from battletape.tape.script import Script
from tests.second_edition.tables import table_rows

SYSTEM = ruleset("second_edition")
FLAMER = {"length": 8, "end_radius": 1.75, "shooter_base": 0}
"""Tip to disc 6.25 inches: sine 7/25."""


def under(x, y, radius=0.5, **more):
    """The row of a model at a place along and beside the axis, under a template that points north."""
    models = [
        {"name": "target", "y": 6.25, "radius": 0},
        {"name": "model", "x": y, "y": x, "radius": radius, "side": "friend"},
    ]
    asked = SYSTEM.ask("template", models=models, target="target", heading=0, strength="none", **FLAMER, **more)
    return asked, table_rows(asked)[1]


@pytest.mark.clause("SE-84", "SE-83")
@pytest.mark.parametrize(
    "x, y, away, part, cover, hit",
    [
        (3, 0, -0.84, "edge", "entirely", 1),
        (1, 0, -0.28, "edge", "partially", Fraction(1, 2)),
        (3, 1, 0.12, "edge", "partially", Fraction(1, 2)),
        (6.25, 1.25, -0.5, "arc", "entirely", 1),
        (8.5, 0, 0.5, "arc", "missed", 0),
        (-0.25, 0, 0.25, "apex", "partially", Fraction(1, 2)),
    ],
)
def test_the_teardrop(x, y, away, part, cover, hit):
    asked, row = under(x, y)
    assert float(row[2]) == pytest.approx(away, abs=1e-8)
    assert row[3:] == (part, cover)
    assert asked.odds("friends_hit").at_least(1) == hit


@pytest.mark.clause("SE-9")
@pytest.mark.parametrize("name, length, radius", [("small", 5, 0.625), ("medium", 8.5, 1.25), ("large", 12, 2)])
def test_the_three_templates(name, length, radius):
    near = [{"name": "foe", "y": 3.0}]
    shape = SYSTEM.ask("template", template=name, models=near).start.template
    assert (shape.to_disc + shape.radius, shape.radius) == (length, radius)


@pytest.mark.clause("SE-81")
def test_nobody_rolls_to_hit():
    made = SYSTEM.roll("template", models=[{"name": "foe", "y": 4.0}], heading=0, tape=Script(6))
    assert [entry.label for entry in made.entries] == ["to wound"]
    assert "bs" not in SYSTEM.question("template").inputs.__struct_fields__


@pytest.mark.clause("SE-82")
def test_a_target_out_of_reach_is_refused():
    far = [{"name": "far", "y": 9.0, "radius": 0.5}]
    with pytest.raises(Refused, match="a template 8 inches long does not reach far"):
        SYSTEM.ask("template", models=far, target="far", **FLAMER)
    short = SYSTEM.ask("template", models=[{"name": "near", "y": 2.0, "radius": 0.5}], **FLAMER)
    assert short.odds("hits").chance(1) == 1  # short of the round end, but under the template


@pytest.mark.clause("SE-82", "SE-83")
def test_the_best_placement_catches_most_enemies_and_fewest_friends():
    models = [
        {"name": "A", "x": -1.2, "y": 6.0, "radius": 0.5},
        {"name": "B", "x": 1.2, "y": 6.0, "radius": 0.5},
        {"name": "pal", "x": 3.0, "y": 6.0, "radius": 0.5, "side": "friend"},
    ]
    asked = SYSTEM.ask("template", models=models, strength="none", **FLAMER)
    best = asked.odds("enemies_hit").mean - asked.odds("friends_hit").mean
    for heading in range(0, 360, 2):  # the second way: every second degree
        try:
            fixed = SYSTEM.ask("template", models=models, heading=heading, strength="none", **FLAMER)
        except Refused:
            continue
        assert fixed.odds("enemies_hit").mean - fixed.odds("friends_hit").mean <= best
    assert best > 1


@pytest.mark.clause("SE-82")
def test_where_the_tip_touches_the_shooters_base():
    models = [{"name": "A", "x": 1.0, "y": 5.0}]
    near = SYSTEM.ask("template", models=models, heading=0, shooter_base=50)
    free = SYSTEM.ask("template", models=models, heading=0, shooter_base=50, template_tip="anywhere")
    assert table_rows(near) != table_rows(free)
    assert free.start.shooter.radius == pytest.approx(0.984, abs=1e-3)


@pytest.mark.clause("SE-83")
def test_the_shooter_is_never_hit():
    asked = SYSTEM.ask("template", models=[{"name": "foe", "y": 4.0}], measures=["who"])
    assert asked.odds("who").chance(lambda names: "shooter" in names) == 0


@pytest.mark.clause("SE-85", "SE-83")
def test_two_covered_entirely_and_two_partly():
    models = [{"x": x, "y": y, "radius": 0.5} for x, y in ((0, 6.25), (0, 4.5), (1, 3), (-1, 3))]
    fired = {"strength": 4, "save_modifier": -2, "toughness": 3, "save": 6, "heading": 0}
    killed = SYSTEM.ask("template", models=models, **FLAMER, **fired).odds("killed")
    chances = dict.fromkeys(range(5), Fraction(0))
    for dies in product((0, 1), repeat=4):  # every way: 2/3 entirely, 1/3 partly
        share = Fraction(1)
        for at, dead in enumerate(dies):
            chance = Fraction(2, 3) if at < 2 else Fraction(1, 3)
            share *= chance if dead else 1 - chance
        chances[sum(dies)] += share
    assert killed.fractions() == chances
    assert chances[0] == Fraction(4, 81)


@pytest.mark.clause("SE-85", "SE-86")
def test_survivors_may_burn():
    asked = SYSTEM.ask("template", models=[{"name": "foe", "y": 4.0}], incendiary=True, strength=4, save=None)
    assert asked.odds("on_fire").chance(1) == Fraction(1, 3) * Fraction(1, 2)
