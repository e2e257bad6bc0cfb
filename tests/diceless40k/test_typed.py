"""What a player types wins over the numbers of a profile, in every question of Diceless 40k and of the vehicles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
import pytest

from battletape.errors import BattletapeError
from battletape.inputs import Inputs
from battletape.rulesets.diceless40k import RULESET as DL
from battletape.rulesets.vehicles5 import RULESET as V5
from battletape.system import Question, Ruleset

NAMED: dict[str, list[Mapping[str, Any]]] = {  # what names profiles where neither the example nor the small case does
    "vehicles5 explosion": [{"vehicle": "Barrow carrier", "passenger_unit": "Furnace company"}],
    "vehicles5 walker_fight": [
        {"walker": "Warden strider", "foe": "Furnace company"},
        {"walker": "Warden strider", "foe": "Harbour watch"},
        {"walker": "Warden strider", "foe_walker": "Warden strider"},
    ],
    "diceless40k assault_vehicle": [{"vehicle": "Trukk", "attackers": "Combat squad"}],
    "diceless40k casualties": [{"unit": "Ork Boyz"}],
    "diceless40k blast": [{"weapon": "Frag missile", "unit": "Ork Boyz"}],
}


def others(value: Any) -> Iterator[Any]:
    """Values of the same kind that differ a little; a text names another profile, or a kind of thing."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (value + 1, value - 1, value - 2, 1)
    elif value is None:
        yield from (4, 5, "krak")
    elif isinstance(value, (list, tuple)):
        yield from ([], list(value[:1]))


def nested(inputs: Any) -> Any:
    """Inputs as plain values, to compare them."""
    return msgspec.to_builtins(inputs, enc_hook=str)


def filled_in(card: Ruleset, question: Question, given: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that profiles fill in, and what with."""
    filled = question.filled(given, card.book)
    return {name: value for name, value in filled.items() if name not in given}


def cases() -> Iterator[tuple[Ruleset, Question, Mapping[str, Any]]]:
    for card in (DL, V5):
        for question in card.questions:
            for given in (question.example, question.small, *NAMED.get(f"{card.name} {question.name}", ())):
                if question.fill is not None and filled_in(card, question, given):
                    yield card, question, given


CASES = list(cases())


@pytest.mark.parametrize(("card", "question", "given"), CASES, ids=lambda value: getattr(value, "name", ""))
def test_a_number_that_is_typed_wins_over_the_profiles(card: Ruleset, question: Question, given: Mapping[str, Any]):
    kept = []
    for name, value in filled_in(card, question, given).items():
        for typed in others(value):
            try:
                alone, _ = card.split(question, {name: typed})
                inputs, _ = card.split(question, {**given, name: typed})
            except BattletapeError:
                continue  # not a value of this field
            if nested(getattr(alone, name)) == nested(value):
                continue
            if card is V5 and name == "rules":  # special rules are added to those of the weapon
                assert set(getattr(inputs, name)) == {*getattr(alone, name), *value}
            else:
                assert nested(getattr(inputs, name)) == nested(getattr(alone, name)), (name, typed)
            kept.append(name)
            break
    assert kept


def test_the_cases_of_the_trial_keep_what_was_typed():
    fight = V5.ask("walker_fight", walker="Warden strider", foe="Harbour watch", foe_models=4)
    assert (fight.inputs.foe_models, fight.start.models) == (4, 4)
    blast = V5.ask("explosion", passenger_unit="Furnace company", passengers=8)
    assert (blast.inputs.passengers, blast.start.passengers.models) == (8, 8)


LISTS = [  # lists whose entries name profiles
    (DL, "fight", "first", {"unit": "Ork Boyz"}),
    (DL, "assault_or_stay", "own", {"unit": "Assault Marines"}),
    (DL, "shoot", "guns", {"weapon": "Heavy bolter"}),
    (DL, "shoot_vehicle", "guns", {"weapon": "Lascannon"}),
    (V5, "assault", "attackers", {"unit": "Furnace company"}),
    (V5, "shoot", "guns", {"weapon": "Lascannon"}),
    (V5, "explosion", "models", {"unit": "Furnace company"}),
    (V5, "tank_shock", "units", {"unit": "Furnace company", "at": 4}),
]


@pytest.mark.parametrize(("card", "name", "key", "entry"), LISTS)
def test_a_number_of_an_entry_wins_over_its_profile(card, name, key, entry):
    question = card.question(name)
    (plain,) = getattr(card.split(question, {key: [entry]})[0], key)
    tried = 0
    for field in plain.__struct_fields__:
        value = getattr(plain, field)
        if field in entry or isinstance(value, (str, tuple, bool, Inputs)):
            continue
        for typed in others(value):
            try:
                (kept,) = getattr(card.split(question, {key: [{**entry, field: typed}]})[0], key)
            except BattletapeError:
                continue
            assert getattr(kept, field) == typed, field
            tried += 1
            break
    assert tried > 1
