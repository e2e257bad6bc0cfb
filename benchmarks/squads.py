"""The same question many ways: attacks on a squad of models with several wounds each, where nothing spills over.

An attack hits on 3+, wounds on 4+, is saved on 5+ and does a D3 or D6 of damage to the model in front; what a model
does not need to fall is lost. The result is the exact distribution of (models left, wounds left of the first one).
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

import dyce
import icepool

from battletape.dice import D6, at_least, d
from battletape.odds import Odds
from battletape.tape import Rule, Tape
from battletape.tape.exact import Exact

Squad = tuple[int, int]
Shares = dict[Squad, Fraction]


class Duel(NamedTuple):
    """A question: so many attacks, the sides of the damage die, models, wounds of each."""

    attacks: int
    damage: int
    models: int
    wounds: int

    def __str__(self) -> str:
        return f"{self.attacks} attacks, D{self.damage} damage, {self.models} x {self.wounds} wounds"


# --- ours: a rule written on the tape ------------------------------------------------------------------------------


def volley(duel: Duel) -> Rule:
    """The rule: one attack after the other, each asking the tape for its dice."""
    damage_die, full = d(duel.damage), duel.wounds

    def one_attack(tape: Tape, squad: Squad, _: None) -> Squad:
        models, wounds = squad
        if not models or not tape.roll(D6, at_least(3), label="to hit"):
            return squad
        if not tape.roll(D6, at_least(4), label="to wound") or tape.roll(D6, at_least(5), label="save"):
            return squad
        wounds -= tape.roll(damage_die, label="damage")
        return (models, wounds) if wounds > 0 else (models - 1, full)

    def all_attacks(tape: Tape, squad: Squad) -> Squad:
        return tape.each(one_attack, squad, (None,) * duel.attacks)

    return all_attacks


def volley_by_sub_rule(duel: Duel) -> Rule:
    """The same rule with the damage of one attack as a sub-rule, as the peers have it: worked out once for all."""
    damage_die, full = d(duel.damage), duel.wounds

    def damage_done(tape: Tape) -> int:
        if not tape.roll(D6, at_least(3), label="to hit") or not tape.roll(D6, at_least(4), label="to wound"):
            return 0
        done: int = 0 if tape.roll(D6, at_least(5), label="save") else tape.roll(damage_die, label="damage")
        return done

    def one_attack(tape: Tape, squad: Squad, _: None) -> Squad:
        models, wounds = squad
        if not models:
            return squad
        wounds -= tape.call(damage_done)
        return (models, wounds) if wounds > 0 else (models - 1, full)

    def all_attacks(tape: Tape, squad: Squad) -> Squad:
        return tape.each(one_attack, squad, (None,) * duel.attacks)

    return all_attacks


def ours(duel: Duel, write: Callable[[Duel], Rule] = volley) -> Callable[[], Odds[Squad]]:
    """The rule read by the exact reader, with an empty memo each time."""
    rule, start = write(duel), (duel.models, duel.wounds)
    return lambda: Exact().run((rule,), start)


# --- by hand -------------------------------------------------------------------------------------------------------


def by_hand(duel: Duel) -> dict[Squad, int]:
    """The same chain in plain Python for this one question, with 7 in 9 attacks doing nothing worked out on paper."""
    attacks, sides, models, wounds = duel
    now = {(models, wounds): 1}
    for _ in range(attacks):
        after: dict[Squad, int] = {}
        for squad, weight in now.items():
            left, front = squad
            if not left:
                after[squad] = after.get(squad, 0) + weight * 9 * sides
                continue
            after[squad] = after.get(squad, 0) + weight * 7 * sides
            for damage in range(1, sides + 1):
                hurt = (left, front - damage) if front > damage else (left - 1, wounds)
                after[hurt] = after.get(hurt, 0) + weight * 2
        now = after
    return now


# --- peers ---------------------------------------------------------------------------------------------------------


def _hurt(full: int) -> Callable[[Squad, int], Squad]:
    def hurt(squad: Squad, damage: int) -> Squad:
        models, wounds = squad
        if not models or not damage:
            return squad
        return (models, wounds - damage) if wounds > damage else (models - 1, full)

    return hurt


def _icepool_attack(sides: int) -> Any:
    d6 = icepool.d6
    damage = (d6 < 5).map(lambda through: icepool.d(sides) if through else 0)
    wound = (d6 >= 4).map(lambda wounds: damage if wounds else 0)
    return (d6 >= 3).map(lambda hits: wound if hits else 0)


def icepool_map(duel: Duel) -> Any:
    """The way of icepool's documentation: the state and one attack mapped to the next state, again and again."""
    start = icepool.Die([(duel.models, duel.wounds)])
    return icepool.map(_hurt(duel.wounds), start, _icepool_attack(duel.damage), star=False, repeat=duel.attacks)


def icepool_kept(duel: Duel) -> Any:
    """The quickest way found: the next states of each state kept by hand as a die of their own."""
    hurt, attack = _hurt(duel.wounds), _icepool_attack(duel.damage).simplify()

    @lru_cache(None)
    def after(squad: Squad) -> Any:
        return attack.map(lambda damage: hurt(squad, damage))

    return icepool.Die([(duel.models, duel.wounds)]).map(after, star=False, repeat=duel.attacks)


def _dyce_attack(sides: int) -> Any:
    d6 = dyce.H(6)
    damage = dyce.expand(lambda save: dyce.H(sides) if save.outcome < 5 else 0, d6, min_path_probability=Fraction(0))
    wound = dyce.expand(lambda roll: damage if roll.outcome >= 4 else 0, d6, min_path_probability=Fraction(0))
    return dyce.expand(lambda roll: wound if roll.outcome >= 3 else 0, d6, min_path_probability=Fraction(0))


def dyce_expand(duel: Duel) -> Any:
    """The way of dyce's documentation for a result on which the next one depends."""
    hurt, attack, none = _hurt(duel.wounds), _dyce_attack(duel.damage), Fraction(0)
    squad = dyce.H({(duel.models, duel.wounds): 1})

    def step(state: Any, damage: Any) -> Squad:
        return hurt(state.outcome, damage.outcome)

    for _ in range(duel.attacks):
        squad = dyce.expand(step, squad, attack, min_path_probability=none)
    return squad


def dyce_apply(duel: Duel) -> Any:
    """The quickest way found: a function applied to two histograms, as for a sum; nothing but the states may matter."""
    hurt, attack = _hurt(duel.wounds), _dyce_attack(duel.damage)
    squad = dyce.H({(duel.models, duel.wounds): 1})
    for _ in range(duel.attacks):
        squad = squad.apply(hurt, attack)
    return squad


def shares(weights: Any) -> Shares:
    """Any peer's result as fractions."""
    found = {squad: int(weight) for squad, weight in weights.items() if weight}
    total = sum(found.values())
    return {squad: Fraction(weight, total) for squad, weight in found.items()}


def hush() -> None:
    """Let dyce not remind us, each time, that `expand` is experimental."""
    warnings.filterwarnings("ignore", module="dyce")
    warnings.filterwarnings("ignore", message=".*experimental.*")
