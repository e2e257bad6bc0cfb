"""Tables that cannot be: each is refused with a reason and its clause."""

from __future__ import annotations

import pytest

from battletape.inputs import fields
from battletape.registry import ruleset

SYSTEM = ruleset("second_edition")


@pytest.mark.clause("SE-34")
@pytest.mark.parametrize("question", ["blast", "grenade"])
def test_a_target_is_named_in_small_letters_too(question: str):
    models = ["Ork at 0,6", "Pal at 3,6 side=friend"]
    assert str(SYSTEM.ask(question, models=models, target="ork")).startswith("Ork is hit")


@pytest.mark.clause("SE-40")
def test_a_formation_that_was_mistyped_is_told_and_facing_may_be_written_either_way():
    told = SYSTEM.ask("blast", models=["blob 3 at 0,18"]).warnings
    assert told == ("blob 3 is one model of that name; formations are line, ranks, cluster, ring",)
    assert not SYSTEM.ask("blast", models=["Ork 1 at 0,18", "Ork 2 at 2,18"]).warnings
    plain = SYSTEM.ask("blast", models=["line 3 at 0,18 facing 45"]).inputs.models
    assert SYSTEM.ask("blast", models=["line 3 at 0,18 facing=45"]).inputs.models == plain


@pytest.mark.clause("SE-10")
def test_the_form_names_as_many_models_as_are_taken():
    models = next(field for field in fields(SYSTEM.question("blast").inputs) if field.name == "models")
    assert (models.title, models.description) == ("Models on the table", "39 at most beside the shooter")
