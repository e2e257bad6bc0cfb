"""Whole battles at random, from set-up to the end: `python -m benchmarks.whole_battles vehicles5 --battles 500`.

In each, every move is one that the system offers, and it must succeed; until the battle is over something must be
offered; taking all moves back leads to the start, making them again to the same end, and so does the file read anew.
Moves are chosen as players would: mostly orders to units, the end of a phase now and then, corrections not at all.
It prints each trouble with the seed of its battle, and the exit code is 1 if there is one.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator, Sequence
from time import monotonic

from battletape.battle import Battle
from battletape.battle.battle import Option
from battletape.battle.reading import read_battle
from battletape.conformance.random_play import AnyOption
from battletape.errors import BattletapeError
from battletape.registry import OURS
from battletape.views.battle import command_line

MOST_MOVES = 1_500
"""A battle that is not over by then is given up, and counted."""
GOES_ON = 0.25
"""How often the end of a phase or turn is chosen while units may act."""
SAY_EVERY = 2.0
"""Seconds between two lines of progress."""


def play(system: str, seed: int) -> tuple[Battle, list[str]]:
    """Play a battle to its end; return it with what went wrong."""
    luck, battle = random.Random(f"{system} {seed}"), Battle.new(system)
    troubles: list[str] = []
    for _ in range(MOST_MOVES):
        if battle.over:
            break
        option = chosen(battle, luck)
        if option is None:
            troubles.append(f"after move {len(battle.moves)} nothing can be done, and it is not over")
            break
        before = battle.state
        try:
            battle.push(option, tape=AnyOption(luck.randrange(2**32)))
        except BattletapeError as error:
            troubles.append(f"{command_line(option.action.name, option.params)} is offered, but: {error}")
            break
        if battle.state == before:
            troubles.append(f"{command_line(option.action.name, option.params)} is offered, but changes nothing")
    troubles += back_and_forth(battle)
    return battle, troubles


def chosen(battle: Battle, luck: random.Random) -> Option | None:
    """Return a move: an action first, then one of its options, so that one with many options is no likelier."""
    actions = [action for action in battle.actions if not action.aside]
    going_on = [action for action in actions if action.goes_on in ("phase", "turn")]
    orders = [action for action in actions if action not in going_on]
    luck.shuffle(orders)
    luck.shuffle(going_on)
    first, then = (going_on, orders) if luck.random() < GOES_ON else (orders, going_on)
    for action in (*first, *then):
        options = [option for option in battle.options_of(action.name) if option.refused is None]
        if options:
            return luck.choice(options)
    return None


def back_and_forth(battle: Battle) -> Iterator[str]:
    """Say where the battle is another one after all moves are taken back and made again, or after its file is read."""
    end, start, moves = battle.state, battle.fork(0).state, battle.moves
    if read_battle(battle.text).state != end:
        yield "its file leads to another state"
    for _ in moves:
        battle.pop()
    if battle.state != start:
        yield "with every move taken back it is not as it began"
    for _ in moves:
        battle.redo()
    if battle.state != end or battle.moves != moves:
        yield "with every move made again it is not as it was"


def main(arguments: Sequence[str] | None = None) -> int:
    """Play the battles that the command line asks for."""
    parser = argparse.ArgumentParser(prog="whole_battles", description="Play whole battles at random.")
    parser.add_argument("systems", nargs="*", metavar="SYSTEM", help=f"any of {', '.join(OURS)} (default: all)")
    parser.add_argument("--battles", type=int, default=500, help="battles of each system (default: 500)")
    parser.add_argument("--seed", type=int, default=0, help="the seed of the first; the next has one more")
    asked = parser.parse_args(arguments)
    wrong = 0
    for system in asked.systems or OURS:
        over = moves = wrong_here = 0
        began = said = monotonic()
        for number in range(asked.battles):
            battle, troubles = play(system, asked.seed + number)
            over += bool(battle.over)
            moves += len(battle.moves)
            wrong_here += bool(troubles)
            for trouble in troubles:
                print(f"{system}, seed {asked.seed + number}: {trouble}", flush=True)
            if monotonic() - said > SAY_EVERY:
                said = monotonic()
                print(f"  {system}: {number + 1} of {asked.battles}, {said - began:.0f} s", file=sys.stderr, flush=True)
        wrong += wrong_here
        print(
            f"{system}: {asked.battles} battles, {moves} moves, {over} to their end, {wrong_here} with trouble, "
            f"{monotonic() - began:.0f} s",
            flush=True,
        )
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
