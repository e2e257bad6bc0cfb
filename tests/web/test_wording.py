"""Errors on a page: inputs are called by their titles, because errors keep them apart from what is said of them."""

from __future__ import annotations

from pickle import dumps, loads
from typing import Annotated, Any

import pytest
from msgspec import Meta
from msgspec.structs import replace

from battletape import registry
from battletape.errors import (
    BadInput,
    BattletapeError,
    ErrorLine,
    InputName,
    Misfit,
    Place,
    Refused,
    UnknownInput,
    UnknownName,
    parts_of,
)
from battletape.inputs import Inputs, asked, parse_inputs
from battletape.profiles import BadProfiles, EntryPlace, ProfileFault
from battletape.web.error_wording import in_titles, titles
from battletape.web.misfits import place_of
from tests.toy import RULESET


class Model(Inputs, frozen=True):
    x: Annotated[float, Meta(title="East", ge=-9, le=9)] = 0.0
    line_of_sight: bool = asked(True, "Line of sight", about=": no wall")


class Asked(Inputs, frozen=True):
    x: Annotated[float, Meta(title="Aimed at", ge=-9, le=9)] = 0.0
    band: Annotated[str, Meta(title="A: Range band, as measured")] = "long"
    little_models: Annotated[tuple[Model, ...], Meta(title="Models")] = ()


QUESTION = replace(RULESET.question("shoot"), inputs=Asked)


def error_of(given: dict[str, Any]) -> BadInput:
    with pytest.raises(BadInput) as raised:
        parse_inputs(Asked, given)
    return raised.value


def on_page(error: BattletapeError) -> str:
    return in_titles(error, RULESET, QUESTION)


def test_a_page_calls_the_input_of_an_error_by_its_title_and_a_program_by_its_name():
    error = error_of({"x": 99})
    assert str(error) == "x must be a number from -9 to 9; got 99."
    assert on_page(error) == "“Aimed at” must be a number from -9 to 9; got 99."


def test_an_input_of_an_entry_has_the_title_of_that_entry_though_the_question_has_one_of_its_name():
    error = error_of({"little_models": [{}, {"x": 99}]})
    assert str(error) == "little_models 2: x must be a number from -9 to 9; got 99."
    assert on_page(error) == "little models 2: “East” must be a number from -9 to 9; got 99."
    assert place_of(error, {"little_models": [{}, {"x": 99}]}) == "little_models.1.x"


def test_a_title_is_told_without_its_example_but_with_its_side():
    assert on_page(error_of({"little_models": [{"line_of_sight": "maybe"}]})).endswith(
        "“Line of sight” must be yes or no; got 'maybe'."
    )
    assert on_page(error_of({"band": "a\nb"})).startswith("“A: Range band, as measured” must be ")


def test_names_among_what_would_do_or_what_came_stay_as_they_are():
    error = Misfit("x", "one of band, line_of_sight", "'band'", clause="X-1")
    assert (error.field, error.wanted, error.got, error.clause) == ("x", "one of band, line_of_sight", "'band'", "X-1")
    assert on_page(error) == "“Aimed at” must be one of band, line_of_sight; got 'band' (X-1)."
    assert on_page(BadInput("there is no line_of_sight 'x'", field="line_of_sight")) == "there is no line_of_sight 'x'"


def test_other_inputs_that_a_sentence_names_are_told_by_their_titles():
    error = BadInput.of("x", ("must be less than ", InputName("band"), ", 3; got 'band'"))
    assert on_page(error) == "“Aimed at” must be less than “A: Range band, as measured”, 3; got 'band'"
    assert str(error) == "x must be less than band, 3; got 'band'"
    refused = Refused(("it needs ", InputName("x")), "X-1")
    assert (str(refused), on_page(refused)) == ("it needs x (X-1)", "it needs “Aimed at” (X-1)")


def test_what_an_error_cites_stands_beside_its_lines_and_not_in_them():
    called = titles(RULESET, QUESTION)
    error = BadInput.of("x", "must be even; got 3.", clause="X-1")
    assert (str(error), on_page(error)) == ("x must be even; got 3 (X-1).", "“Aimed at” must be even; got 3 (X-1).")
    assert error.lines(called) == (ErrorLine("“Aimed at” must be even; got 3", ("X-1",)),)
    assert BadInput("two; got 3", clauses=("X-1", "X-2")).lines() == (ErrorLine("two; got 3", ("X-1", "X-2")),)
    assert Refused("it needs x (so)", "X-1").lines() == (ErrorLine("it needs x (so)", ("X-1",)),)
    assert BadInput("it needs x (so).").lines() == (ErrorLine("it needs x (so)."),)
    faults = BadProfiles([ProfileFault.at(EntryPlace("f", 3), "a gun needs a clip", ("X-1",)), "one (so)"])
    assert str(faults) == "f line 3: a gun needs a clip (X-1)\none (so)"
    assert faults.lines() == (ErrorLine("f line 3: a gun needs a clip", ("X-1",)), ErrorLine("one (so)"))


def test_a_brief_error_leaves_out_what_is_known():
    error = UnknownName("weapon", "lascanon", ["lascannon", "bolter"])
    assert str(error) == "there is no weapon 'lascanon'. Did you mean 'lascannon'? Known: lascannon, bolter."
    assert error.summary() == "there is no weapon 'lascanon'. Did you mean 'lascannon'?"
    assert UnknownName("weapon", "bolter", ["Heavy bolter", "Storm bolter"]).summary().endswith("Storm bolter?")


def test_a_ruling_has_a_title_too_and_what_has_none_keeps_its_name():
    ruling = RULESET.rulings.__struct_fields__[0]
    assert on_page(BadInput.of(ruling, "must be so")).startswith("“")
    assert on_page(BadInput.of("nothing", "must be so")) == "nothing must be so"


def test_a_page_is_not_told_the_names_of_all_inputs():
    card = registry.ruleset("attack_dice")
    with pytest.raises(UnknownInput) as raised:
        card.ask("chart", gun=1)
    assert "It takes attacker_melee, " in str(raised.value)
    assert in_titles(raised.value, card, card.question("chart")) == "chart has no input 'gun'."
    with pytest.raises(UnknownInput) as raised:
        card.ask("chart", powr=1)
    assert in_titles(raised.value, card, card.question("chart")) == "chart has no input 'powr'. Did you mean power?"


def test_an_error_is_the_same_after_a_pickle():
    error = error_of({"little_models": [{"x": 99}]})
    again = loads(dumps(error))
    assert (str(again), on_page(again), again.source.parts) == (str(error), on_page(error), (("little_models", 1),))


def test_only_a_place_in_a_list_has_parts():
    inner = Place("units", 2, Place("sides", 1))
    assert (str(inner), inner.parts) == ("sides 1: units 2", (("sides", 1), ("units", 2)))
    assert parts_of("Ork 2") == ()
    assert Place("units", 2, "start").parts == (("units", 2),)


@pytest.mark.parametrize("value", [7, True, 1.5])
def test_a_number_in_place_of_a_list_is_refused_in_a_sentence(value):
    with pytest.raises(BadInput, match=f"^first must be .*; got {value}"):
        registry.ruleset("diceless40k").ask("fight", first=value)
