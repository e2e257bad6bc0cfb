"""What a battle offers can be done, and changes something; whatever else is said is refused for the true reason."""

from __future__ import annotations

import random
import shlex
from collections.abc import Iterator

import pytest

from battletape.battle import Battle
from battletape.battle.battle import Option
from battletape.cli.battle.options import find_params
from battletape.conformance.random_play import AnyOption
from battletape.errors import BattletapeError, MissingInput, Refused
from battletape.inputs import fields
from battletape.registry import ruleset
from battletape.system import NAMED
from battletape.views.battle import _command

PLANNED = ("attack_dice", "vehicles5", "diceless40k")
SYSTEMS = (*PLANNED, "second_edition", "deathwatch")
MOVES = 36
LOOKED_AT = 40  # options at one point of a battle


def played(system: str, seed: int, every: int) -> Iterator[tuple[Battle, random.Random]]:
    """Points of a battle that is played at random, each action as likely as any other."""
    battle = Battle.new(system)
    for step in range(MOVES):
        luck = random.Random(f"{seed} {step}")
        if step % every == 0:
            yield battle, luck
        by_action: dict[str, list[Option]] = {}
        for option in battle.legal():
            by_action.setdefault(option.action.name, []).append(option)
        if not by_action:
            return
        battle.push(luck.choice(by_action[luck.choice(sorted(by_action))]), tape=AnyOption(f"{seed} {step}"))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("system", SYSTEMS)
def test_every_offered_move_succeeds_and_changes_something(system: str, seed: int):
    for battle, luck in played(system, seed, 4):
        legal = battle.legal()
        for option in luck.sample(legal, min(len(legal), LOOKED_AT)):
            branch, typed = battle.fork(), battle.fork()
            branch.push(option, tape=AnyOption(seed))
            name, *words = shlex.split(_command(option.action.name, option.params))
            typed.push(name, find_params(typed, name, words), tape=AnyOption(seed))
            assert branch.state == typed.state != battle.state, _command(option.action.name, option.params)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("system", PLANNED)
def test_whatever_else_is_said_is_refused_for_the_true_reason(system: str, seed: int):
    known = ruleset(system).clauses.by_id
    for battle, luck in played(system, seed, 4):
        units = [unit.name for unit in battle.state.units]
        for action in battle.actions:
            ways = list(battle.ways(action.name))
            named = [field.name for field in fields(action.inputs) if field.name in NAMED]
            said = [{}, *({name: luck.choice(units)} for name in named)]
            said += [{name: word.lower() for name in named} for word in luck.choice(units).split()[-1:]]
            for given in said:
                try:
                    refused = battle.refusal(action.name, given)
                except MissingInput as error:  # never where nothing that could be said would do
                    closed = any(way.refused is not None and way.refused.at_all for way in ways)
                    assert not closed, (action.name, given, str(error))
                except BattletapeError as error:
                    assert "fits" in str(error) or "weapon" in str(error), (action.name, given, str(error))
                else:
                    assert refused is None or (refused.reason and refused.clause in known), (action.name, given)
                    if isinstance(refused, Refused) and refused.kind in ("phase", "over"):
                        assert not any(way.refused is None for way in ways)
