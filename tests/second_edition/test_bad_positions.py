"""Tables that cannot be: each is refused with a reason and its clause."""

from __future__ import annotations

import pytest

from battletape.errors import BadInput, Refused, UnknownName
from battletape.inputs import fields
from battletape.registry import ruleset

SYSTEM = ruleset("second_edition")


@pytest.mark.clause("SE-10")
def test_a_base_inside_another():
    models = [{"name": "A", "y": 12.0}, {"name": "B", "y": 12.3}]
    with pytest.raises(
        BadInput, match=r"A and B stand 0.30 inches apart, and must be 0.98 inches apart or more \(SE-10\)"
    ):
        SYSTEM.ask("blast", models=models, target="A")
    with pytest.raises(BadInput, match="shooter and A"):
        SYSTEM.ask("blast", models=[{"name": "A", "y": 0.2}])


@pytest.mark.clause("SE-10")
def test_a_hundred_models():
    models = [{"x": 2.0 * (at % 10), "y": 10 + 2.0 * (at // 10)} for at in range(100)]
    with pytest.raises(
        BadInput, match=r"at most 39 models beside the shooter; got 100. Leave out those far off \(SE-10\)"
    ):
        SYSTEM.ask("blast", models=models)


@pytest.mark.clause("SE-10")
def test_two_models_of_one_name():
    with pytest.raises(BadInput, match="a name of their own"):
        SYSTEM.ask("blast", models=[{"name": "A", "y": 12.0}, {"name": "A", "y": 14.0}])


@pytest.mark.clause("SE-34")
def test_nobody_to_aim_at():
    with pytest.raises(BadInput, match=r"models must include an enemy to aim at; got none \(SE-34\)"):
        SYSTEM.ask("blast", models=[{"name": "pal", "y": 12.0, "side": "friend"}])
    with pytest.raises(UnknownName, match="Bert"):
        SYSTEM.ask("blast", models=[{"name": "Ork", "y": 12.0}], target="Bert")


@pytest.mark.clause("SE-33", "SE-55", "SE-81", "SE-59")
@pytest.mark.parametrize(
    "question, weapon, why",
    [
        ("blast", "Bolt pistol", "has a blast marker"),
        ("blast", "Frag grenade", "is fired"),
        ("grenade", "Bolt pistol", "is thrown"),
        ("template", "Bolt pistol", "uses a flamer template"),
        ("ground", "Bolt pistol", "has a blast marker"),
        ("cloud", "Bolt pistol", "leaves a cloud behind"),
    ],
)
def test_a_weapon_of_another_kind(question, weapon, why):
    with pytest.raises(BadInput, match=why):
        SYSTEM.ask(question, weapon=weapon)


@pytest.mark.clause("SE-34")
@pytest.mark.parametrize("question", ["blast", "grenade"])
def test_a_friend_is_not_aimed_at(question: str):
    models = ["Ork at 0,6", "Pal at 3,6 side=friend"]
    for target in ("Pal", "shooter"):
        with pytest.raises(Refused, match="aim at an enemy, such as Ork") as refused:
            SYSTEM.ask(question, models=models, target=target)
        assert refused.value.clause == "SE-34"
    assert str(SYSTEM.ask(question, models=models, target="ork")).startswith("Ork is hit")


@pytest.mark.clause("SE-10")
def test_no_model_is_called_nobody():
    with pytest.raises(BadInput, match="none is called nobody; got 'Nobody'"):
        SYSTEM.ask("blast", models=["Nobody at 0,18"])


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
    with pytest.raises(BadInput, match="at most 39 models beside the shooter; got 40"):
        SYSTEM.ask("blast", models=["line 40 at 0,18"])
