"""The twins: `ask` against plain loops over faces, on a grid and on random questions."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battletape import ruleset
from tests.attack_dice import twin

SYSTEM = ruleset("attack_dice")
SIDES = {"dual": (10, 6), "d10": (10, 10), "d6": (6, 6)}
SAVES = st.sampled_from([None, 2, 3, 4, 5, 6])


def rulings(game: twin.Game, dice: str) -> dict[str, str]:
    return {
        "dice": dice,
        "method": game.method,
        "chart_errata": "corrected" if game.corrected else "printed",
        "modifier_policy": game.policy,
        "spill": "spills" if game.spill else "lost",
    }


def compare(answer: Any, states: dict[Any, Fraction], before: tuple[int, ...]) -> None:
    for measure, wanted in twin.measured(states, before).items():
        assert answer.odds(measure) == wanted, measure


# one entry of every kind: automatic by chart and formula, single numbers, top face, two stages, none
PAIRS = [(20, 0), (10, 2), (7, 1), (6, 2), (4, 4), (3, 6), (1, 5), (2, 9), (1, 15), (19, 15), (0, 0), (0, 4)]


@pytest.mark.clause("AD-13", "AD-44", "AD-46", "AD-81", "AD-85", "AD-90")
@pytest.mark.parametrize("method", ["chart", "formula"])
@pytest.mark.parametrize("dice", SIDES)
@pytest.mark.parametrize("pair", PAIRS, ids=str)
def test_one_weapon_on_a_grid(pair: tuple[int, int], dice: str, method: str):
    power, defence = pair
    for (armour, aegis, ap), spill, policy in product(
        [(None, None, None), (4, None, None), (4, 5, 5), (4, 5, 4), (None, 6, 2)],
        [True, False],
        ["strict", "spill"],
    ):
        game = twin.Game(*SIDES[dice], method=method, spill=spill, policy=policy)
        target = twin.Target(defence, (2, 2, 3), armour, aegis)
        inputs = {"power": power, "defence": defence, "armour": armour, "aegis": aegis, "ap": ap, "models": 2, "hp": 2}
        answer = SYSTEM.ask("attack", attacks=3, others=[3], modifier=-1, **inputs, **rulings(game, dice))
        compare(answer, twin.volley([twin.Weapon(3, power, ap)], target, game, [-1]), target.hp)


@st.composite
def volleys(draw: st.DrawFn) -> tuple[dict[str, Any], list[twin.Weapon], twin.Target, twin.Game, list[int], int]:
    """A volley with everything: dice, method, policy, cover, Melee, mixed HP, old wounds, up to three weapons."""
    dice = draw(st.sampled_from(list(SIDES)))
    game = twin.Game(
        *SIDES[dice],
        method=draw(st.sampled_from(["chart", "formula"])),
        corrected=draw(st.booleans()),
        policy=draw(st.sampled_from(["strict", "natural_max", "spill"])),
        spill=draw(st.booleans()),
    )
    power = st.integers(0, 22)
    weapons = draw(st.lists(st.builds(twin.Weapon, st.integers(1, 3), power, SAVES), min_size=1, max_size=3))
    classes = draw(st.lists(st.sampled_from(["", "battle", "heavy"]), min_size=len(weapons), max_size=len(weapons)))
    models, hp = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    others = draw(st.lists(st.integers(1, 4), max_size=2))
    lost = draw(st.integers(0, models * hp + sum(others) - 1))
    defence, cover = draw(st.integers(0, 16)), draw(st.integers(0, 3))
    own, theirs = draw(st.sampled_from(["", "M1"])), draw(st.sampled_from(["", "M1", "M2"]))
    friend, modifier = draw(st.booleans()), draw(st.integers(-2, 2))
    engaged = bool(own) and own == theirs
    position = 0 if engaged else -bool(own) - (bool(theirs) and friend)
    clumsy = {"": 0, "battle": -1, "heavy": -2}
    modifiers = [modifier + position + (clumsy[one] if own else 0) for one in classes]
    inputs: dict[str, Any] = {
        "weapons": [
            {"attacks": one.attacks, "power": one.power, "ap": one.ap, "weapon_class": kind}
            for one, kind in zip(weapons, classes, strict=True)
        ],
        "models": models,
        "hp": hp,
        "others": others,
        "lost": lost,
        "defence": defence,
        "cover": cover,
        "armour": draw(SAVES),
        "aegis": draw(SAVES),
        "attacker_melee": own,
        "target_melee": theirs,
        "friend_in_target_melee": friend,
        "modifier": modifier,
        **rulings(game, dice),
    }
    target = twin.Target(
        defence + (0 if engaged else cover), (hp,) * models + tuple(others), inputs["armour"], inputs["aegis"]
    )
    return inputs, weapons, target, game, modifiers, lost


@pytest.mark.clause("AD-58", "AD-64", "AD-77", "AD-81", "AD-87")
@settings(max_examples=150, deadline=None)
@given(volleys())
def test_any_volley(drawn: Any):
    inputs, weapons, target, game, modifiers, lost = drawn
    before = target.hp
    for _ in range(lost):
        before = twin.strike(before, 1, True)
    states = twin.volley(weapons, target._replace(hp=before), game, modifiers)
    compare(SYSTEM.ask("volley", **inputs), states, before)


@pytest.mark.clause("AD-58", "AD-74")
@pytest.mark.parametrize("armour", [None, 2, 4, 6])
@pytest.mark.parametrize("cover", [0, 1, 3])
@pytest.mark.parametrize("ap", [None, 3, 5])
def test_cover_on_armour(armour: int | None, cover: int, ap: int | None):
    better = armour if not cover else max(2, (7 if armour is None else armour) - cover)
    target = twin.Target(3, (1, 1), better)
    states = twin.volley([twin.Weapon(2, 3, ap)], target, twin.Game())
    inputs = {"attacks": 2, "power": 3, "defence": 3, "armour": armour, "ap": ap, "models": 2}
    compare(SYSTEM.ask("attack", **inputs, cover=cover, cover_stat="armour"), states, target.hp)


@pytest.mark.clause("AD-10", "AD-73")
def test_two_dice_two_stages_and_a_save_die_by_die():
    """No shortcut at all: every face of every die that could be rolled, each path with its own weight."""
    found: dict[int, Fraction] = {}
    tenth = Fraction(1, 10)
    for pair in product(range(10), repeat=2):
        nines = [one for one in pair if one == 9]
        for seconds in product(range(10), repeat=len(nines)):
            hits = sum(one >= 2 for one in seconds)
            for saves in product(range(10), repeat=hits):
                loss = sum(one < 7 for one in saves)
                weight = tenth ** (2 + len(seconds) + len(saves))
                found[loss] = found.get(loss, Fraction(0)) + weight
    answer = SYSTEM.ask("attack", attacks=2, power=2, defence=8, armour=5, models=1, hp=5)
    assert answer.odds("damage") == found
