"""Models on a table as an input: one by one, in formations, in every way a player may write them."""

from __future__ import annotations

from math import dist

import pytest

from battletape.errors import BadInput
from battletape.inputs import (
    FARTHEST,
    Inputs,
    Placed,
    asked,
    base_size,
    fields,
    is_placed,
    model_names,
    parse_inputs,
    parse_value,
    show_place,
)


class Shot(Inputs, frozen=True):
    """A question with models on a table."""

    near: tuple[Placed, ...] = asked((), "Models nearby", group="target")


(NEAR,) = fields(Shot)


def test_a_list_of_models_is_known_by_its_type() -> None:
    assert (NEAR.kind, NEAR.form, NEAR.item) == ("many", "places", Placed)
    assert (is_placed(Placed), is_placed(Shot)) == (True, False)
    assert "ring 6 at 0,0" in NEAR.wants


@pytest.mark.parametrize(
    ("text", "model"),
    [
        ("3,4", Placed(x=3, y=4)),
        ("at -3, 4.5", Placed(x=-3, y=4.5)),
        ("Ork at 3,4", Placed(name="Ork", x=3, y=4)),
        ("Big Ork 3,4 base=40 side=friend", Placed(name="Big Ork", x=3, y=4, base=40, side="friend")),
        ("name=Ork x=3 y=4", Placed(name="Ork", x=3, y=4)),
        ("name='Ork at home' y=4", Placed(name="Ork at home", y=4)),
        ({"name": "Ork", "x": 3, "y": 4}, Placed(name="Ork", x=3, y=4)),
    ],
)
def test_one_model_in_every_wording(text: object, model: Placed) -> None:
    assert parse_value(NEAR, [text]) == (model,)
    assert parse_value(NEAR, NEAR.show((model,))) == (model,), "what is shown reads back"


@pytest.mark.parametrize(
    "name", ["", "O'Brien", 'the "Rat"', "Ork at the gate", "ring 6", "two", "a;b", "x=3", "Ög <&>"]
)
def test_any_name_reads_back(name: str) -> None:
    model = Placed(name=name, x=1.25, y=-2)
    assert parse_value(NEAR, show_place(model)) == (model,)


def test_several_models_in_one_text() -> None:
    models = parse_value(NEAR, "Ork at 3,4; ring 3 at 0,0; Boss at -2,1 base=40")
    assert len(models) == 5
    assert (models[0].name, models[-1].name, models[-1].base) == ("Ork", "Boss", 40)


def test_a_formation_is_a_list_of_models() -> None:
    models = parse_value(NEAR, ["ring 6 at 10,20 spacing 1 facing 90 name=Ork base=32 side=friend"])
    assert [model.name for model in models] == [f"Ork {at}" for at in range(1, 7)]
    assert {(model.base, model.side) for model in models} == {(32, "friend")}
    assert (models[0].x > 11.9, models[0].y) == (True, 20), "the first one stands where the formation faces"
    gaps = [dist((a.x, a.y), (b.x, b.y)) - base_size(a) for a, b in zip(models, models[1:] + models[:1], strict=True)]
    assert gaps == [pytest.approx(1, abs=0.015)] * 6


@pytest.mark.parametrize("text", ["two ranks of 10 at 0,0", "ranks 10 at 0,0", "ranks 10"])
def test_two_ranks_in_words(text: str) -> None:
    models = parse_value(NEAR, text)
    assert [len({model.y for model in models}), len(models)] == [2, 10]


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("Ork", "near must be models such as"),
        ("Ork at 3", "“ring 6 at 0,0 spacing 1”; got"),
        ("ring six at 0,0", "a formation of 1 to 100 models"),
        ("ring", "formations are line, ranks, cluster, ring"),
        ("ring 0 at 0,0", "a formation of 1 to 100 models"),
        ("ring 500 at 0,0", "a formation of 1 to 100 models"),
        ("ring 6 at 0", "got 'ring 6 at 0'"),
        ("ring 6 at 0,0 spacing -1", "spacing -1"),
        ("ring 6 at 0,0 spaced 2", "spaced 2"),
        ("ring 6 at 0,0 size=3", "there is no input 'size' here"),
        ("Ork at 999,0", f"x must be a number from -{FARTHEST} to {FARTHEST}; got '999'"),
        ("Ork at 3,4 base=0", "near 1: base must be a number from 1 to 300"),
        ("Ork at 3,4 side=mine", "side must be one of enemy, friend"),
        ("line 60; line 60", "near must be models such as"),
    ],
)
def test_a_place_that_does_not_fit_is_refused_with_what_would_do(text: str, part: str) -> None:
    with pytest.raises(BadInput) as error:
        parse_inputs(Shot, {"near": text})
    assert part in str(error.value)


def test_every_model_has_a_name() -> None:
    models = (Placed(), Placed(name="Ork"), Placed(name="Boss"), Placed(name="Ork"))
    assert model_names(models) == ("model 1", "Ork 2", "Boss", "Ork 4")
