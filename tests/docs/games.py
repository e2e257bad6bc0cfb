"""`python -m tests.docs.games [SYSTEM…]`: play a whole game of each system at the table, and write it as a page.

The player says what is listed and Enter, as somebody would who has read nothing: the best shot or blow first, else a
move, else on. `docs/games/SYSTEM.md` has the lines, which the tests play again as they play every page.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from io import StringIO
from pathlib import Path
from unittest.mock import patch

from battletape import registry
from battletape.battle import Battle
from battletape.battle.intents import Intent, intended, nearest_goals, parse_intent, takes_place
from battletape.battle.store import new_file
from battletape.cli.battle.play import WAY, Leave, Lines, Session
from battletape.inputs import value_of
from battletape.registry import OURS
from battletape.views.option_odds import mean, odds_of, shared_measure
from battletape.views.table_talk import Choice
from tests.docs import session as reader
from tests.docs.pages import DOCS

GAMES = DOCS / "games"
SEED = 7
MOST_LINES = 900
FIRST, LAST = 45, 16
"""Lines of a game that its page shows from its beginning and its end."""
PAGE = """# A game of {system}

{title}: a whole game of the sample sides, from set-up to its end, as it is typed at `bt battle play`. The lines are
those of a newcomer who takes what is listed: Enter goes on, and an option is said as it stands in the list, or by its
number. `{name}.txt`:

<!-- file: {name}.txt -->
```text
{lines}
```

```console
$ bt battle new {system} --file {name}.bt --title "A game of {system}"
…

$ bt battle play --file {name}.bt --seed {seed} < {name}.txt
{first}
…
{last}
```
"""


class Newcomer(Lines):
    """A player who says the best of what is listed."""

    def __init__(self, luck: random.Random) -> None:
        super().__init__()
        self.luck, self.said, self.session = luck, list[str](), None
        self.moved: set[tuple[str, str]] = set()
        self.waits = 0

    def read(self, prompt: str) -> str:
        """Return the next line, and keep it."""
        line = self.next_line(prompt)
        self.said.append(line)
        return line

    def next_line(self, prompt: str) -> str:
        """Return what to say: the best shot or blow, a move, or Enter."""
        table = self.session
        assert isinstance(table, Session)
        if "(y/n)" in prompt:
            return "y"
        if table.battle.over:
            return "q"
        if len(self.said) > MOST_LINES:
            raise Leave
        choices = [choice for choice in table.listed if not isinstance(choice, str)]
        own = [choice for choice in choices if choice.unit and choice.unit == table.unit]
        best = self.best(table.battle, own)
        said = self.words_of(best, choices) if best is not None else self.a_move(table.battle, own, choices)
        if said:
            self.waits = 0
            return said
        self.waits += 1
        if self.waits > 6 and table.listed:  # Enter alone does not go on here
            self.waits = 0
            return str(self.luck.randrange(len(table.listed)) + 1)
        return ""

    def best(self, battle: Battle, own: list[Choice]) -> Choice | None:
        """Return the shot or blow that is expected to do most."""
        worth: list[tuple[float, Choice]] = []
        for choice in own:
            if not isinstance(value_of(choice.option.params, "target"), str) or takes_place(choice.option.action):
                continue
            answer = odds_of(battle, choice)
            if answer is not None:
                worth.append((mean(answer, shared_measure([answer])) or 0.0, choice))
        most = max((value for value, _ in worth), default=0.0)
        return next((choice for value, choice in worth if value == most), None) if most > 0 else None

    def a_move(self, battle: Battle, own: list[Choice], choices: list[Choice]) -> str:
        """Return a move of a unit, once a turn: towards the nearest objective or enemy, or one that is listed."""
        ways = [choice for choice in own if takes_place(choice.option.action)]
        turn = (
            (own[0].unit, str([battle.where.get(name, "") for name in ("turn", "round", "side")])) if own else ("", "")
        )
        if not ways or turn in self.moved:
            return ""
        self.moved.add(turn)
        for goal in nearest_goals(battle.rules, battle.state, turn[0]):
            line = f"{WAY} towards {goal}"
            given = intended(
                battle.rules, ways[0].option.action, battle.state, turn[0], parse_intent(line) or Intent(0)
            )
            if battle.refusal(ways[0].option.action.name, given) is None:
                return line
        return self.words_of(self.luck.choice(ways), choices)

    @staticmethod
    def words_of(choice: Choice, choices: list[Choice]) -> str:
        """Return an option as it is listed, or by its number where several are told alike."""
        alike = [other for other in choices if other.words.lower() == choice.words.lower()]
        return choice.words if len(alike) == 1 else str(choices.index(choice) + 1)


class UsualAnswers:
    """What is said where a decision is asked while dice are rolled: Enter, which takes the usual option."""

    def __init__(self, said: list[str]) -> None:
        self.said = said

    def isatty(self) -> bool:
        """Return False: it is no terminal."""
        return False

    def readline(self) -> str:
        """Return an empty line, and keep it."""
        self.said.append("")
        return "\n"


@contextmanager
def in_folder(folder: str) -> Iterator[None]:
    """Work in a folder for a while."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def play(system: str, seed: int = SEED) -> tuple[list[str], Battle]:
    """Play a whole game; return the lines that were said, and the battle."""
    newcomer = Newcomer(random.Random(seed))
    answers = patch.object(sys, "stdin", UsualAnswers(newcomer.said))
    with tempfile.TemporaryDirectory() as folder, in_folder(folder), redirect_stdout(StringIO()), answers:
        battle = Battle.new(registry.ruleset(system))
        table = Session(new_file("game.bt", battle), seed, typed=False, first=False, best=None)
        table.lines = newcomer
        newcomer.session = table  # type: ignore[assignment]
        table.run()
        return newcomer.said, table.battle


def write(system: str, seed: int = SEED) -> str:
    """Play a game, write its page, and return how it ended."""
    said, battle = play(system, seed)
    name = "game"
    with tempfile.TemporaryDirectory() as folder, reader.reading(Path(folder)) as session:
        (Path(folder) / f"{name}.txt").write_text("".join(f"{line}\n" for line in said), encoding="utf-8")
        session._command(f'bt battle new {system} --file {name}.bt --title "A game of {system}"', "")
        told = session._command(f"bt battle play --file {name}.bt --seed {seed} < {name}.txt", "").split("\n")
    shown = [line.rstrip() for line in told]
    page = PAGE.format(
        system=system,
        title=registry.ruleset(system).title,
        name=name,
        seed=seed,
        lines="\n".join(said),
        first="\n".join(shown[:FIRST]),
        last="\n".join(shown[-LAST:]).strip("\n"),
    )
    GAMES.mkdir(exist_ok=True)
    (GAMES / f"{system}.md").write_text(page, encoding="utf-8")
    return f"{system}: {len(said)} lines, {len(battle.moves)} moves, {battle.over}"


if __name__ == "__main__":
    for wanted in sys.argv[1:] or OURS:
        print(write(wanted))
