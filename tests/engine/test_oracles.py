"""Two independent programs, icepool and dyce, give the very same fractions."""

from __future__ import annotations

import warnings
from fractions import Fraction
from typing import Any

import icepool
import pytest

from battletape.dice import D6, D10, at_least, bands, d, dice
from battletape.tape.exact import Exact

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import dyce


def fractions_of(weights: Any) -> dict[Any, Fraction]:
    found = {value: int(weight) for value, weight in weights.items() if weight}
    total = sum(found.values())
    return {value: Fraction(weight, total) for value, weight in found.items()}


def hurt(squad: tuple[int, int], wounds: int, damage: int) -> tuple[int, int]:
    """So much damage to a squad of so many models, nothing spilling onto the next one."""
    models, left = squad
    if not models or not damage:
        return squad
    return (models, left - damage) if damage < left else (models - 1, wounds if models > 1 else 0)


def squad_on_the_tape(attacks: int, sides: int, models: int, wounds: int) -> Any:
    def attack(tape, squad, _):
        if not squad[0] or not tape.roll(D6, at_least(3), label="hit"):
            return squad
        if not tape.roll(D6, at_least(4), label="wound") or tape.roll(D6, at_least(5), label="save"):
            return squad
        return hurt(squad, wounds, tape.roll(d(sides), label="damage"))

    def stage(tape, squad):
        return tape.each(attack, squad, (None,) * attacks)

    return Exact().run((stage,), (models, wounds))


@pytest.mark.parametrize(
    "attacks, sides, models, wounds", [(30, 3, 10, 3), (20, 3, 10, 3), (12, 6, 4, 5), (60, 3, 2, 2)]
)
def test_attacks_on_a_squad_equal_icepool(attacks, sides, models, wounds):
    through = (icepool.d6 >= 3) & (icepool.d6 >= 4) & (icepool.d6 < 5)
    damage = through.map(lambda passed: icepool.d(sides) if passed else 0)
    start = icepool.Die([(models, wounds)])
    die = icepool.map(lambda s, x: hurt(s, wounds, x), start, damage, star=False, repeat=attacks)
    assert squad_on_the_tape(attacks, sides, models, wounds) == fractions_of(die)


@pytest.mark.filterwarnings("ignore")
def test_attacks_on_a_squad_equal_dyce():
    none = Fraction(0)
    d6 = dyce.H(6)
    damage = dyce.expand(lambda save: dyce.H(3) if save.outcome < 5 else 0, d6, min_path_probability=none)
    wound = dyce.expand(lambda roll: damage if roll.outcome >= 4 else 0, d6, min_path_probability=none)
    attack = dyce.expand(lambda roll: wound if roll.outcome >= 3 else 0, d6, min_path_probability=none)
    squad = dyce.H({(4, 3): 1})
    for _ in range(10):
        squad = squad.apply(lambda state, lost: hurt(state, 3, lost), attack)
    assert squad_on_the_tape(10, 3, 4, 3) == fractions_of(squad)


@pytest.mark.parametrize("count", [1, 2, 5, 12])
def test_a_pool_of_successes_equals_icepool(count):
    odds = Exact().run((lambda tape, n: tape.pool(n, D10, at_least(8), label="to hit")[True],), count)
    assert odds == fractions_of(count @ (icepool.d10 >= 8))


@pytest.mark.parametrize("text", ["2d6", "3d6+2", "2d10-d4", "10d3-7", "d100"])
def test_sums_of_dice_equal_icepool_and_dyce(text):
    die = dice(text)
    ours = fractions_of(dict(zip(die.faces, die.weights, strict=True)))
    theirs: Any = 0
    peers: Any = 0
    for term in text.replace("-", "+-").split("+"):
        sign = -1 if term.startswith("-") else 1
        count, has_dice, sides = term.strip("-").partition("d")
        worth: Any = int(count or 1) @ icepool.d(int(sides)) if has_dice else int(count)
        peer: Any = int(count or 1) @ dyce.H(int(sides)) if has_dice else int(count)
        theirs, peers = theirs + sign * worth, peers + sign * peer
    assert ours == fractions_of(theirs) == fractions_of(peers)


def test_the_best_three_of_four_equal_icepool():
    def best_three(tape, _):
        tally = tape.pool(4, D6, label="ability")
        faces = sorted(face for face, number in tally.items() for _ in range(number))
        return sum(faces[1:])

    assert Exact().run((best_three,), None) == fractions_of(icepool.d6.highest(4, 3))


def test_the_largest_set_equals_icepool():
    def largest_set(tape, _):
        return max(tape.pool(6, D6, label="matching").values())

    class LargestSet(icepool.MultisetEvaluator):  # type: ignore[misc]
        def next_state(self, state, order, outcome, count):
            return max(state or 0, count)

    assert Exact().run((largest_set,), None) == fractions_of(LargestSet().evaluate(icepool.d6.pool(6)))


def test_three_meanings_of_one_pool_equal_icepool():
    def wounds(tape, count):
        tally = tape.pool(count, D6, bands(pierced=6, wound=3), label="to wound")
        return tally["pierced"], tally["wound"]

    one = icepool.d6.map({1: (0, 0), 2: (0, 0), 3: (0, 1), 4: (0, 1), 5: (0, 1), 6: (1, 0)})
    weighted = icepool.Die({icepool.Vector(pair): quantity for pair, quantity in one.items()})
    theirs = {tuple(pair): chance for pair, chance in fractions_of(5 @ weighted).items()}
    assert Exact().run((wounds,), 5) == theirs


def test_an_exploding_die_equals_icepool_to_the_same_depth():
    def explode(tape, left):
        pips = tape.roll(D6, label="die")
        return pips + tape.call(explode, left - 1) if pips == 6 and left else pips

    odds = Exact().run((explode,), 4)
    assert odds == fractions_of(icepool.d6.explode(depth=4))
    assert odds.is_exact


@pytest.mark.parametrize("dice_count", [1, 3, 6])
def test_chained_pools_equal_icepool(dice_count):
    """Hits, then wounds of the hits, then failed saves of the wounds."""

    def pool_of(number):
        return lambda tape, n: tape.pool(n, D6, at_least(number), label="p")[True]

    stages = (pool_of(3), pool_of(4), pool_of(5))
    die: Any = icepool.Die([dice_count])
    for number in (3, 4, 5):
        die = die.map(lambda n, number=number: n @ (icepool.d6 >= number) if n else 0, star=False)
    assert Exact().run(stages, dice_count) == fractions_of(die)


def test_a_comparison_equals_icepool():
    ours = Exact().run((lambda tape, _: tape.roll(dice("2d6"), label="us"),), None)
    theirs = Exact().run((lambda tape, _: tape.roll(dice("d10+1"), label="them"),), None)
    peer_ours, peer_theirs = 2 @ icepool.d6, icepool.d10 + 1
    found = ours.compare(theirs)
    assert found["more"] == (peer_ours > peer_theirs).probability(True)
    assert found["equal"] == (peer_ours == peer_theirs).probability(True)
    assert (ours + theirs) == fractions_of(peer_ours + peer_theirs)


def test_means_and_variances_equal_icepool():
    odds = Exact().run((lambda tape, _: tape.roll(dice("3d6+d3"), label="x"),), None)
    peer = 3 @ icepool.d6 + icepool.d3
    assert (odds.mean, odds.variance) == (peer.mean(), peer.variance())
    assert odds.median == peer.median_low()
