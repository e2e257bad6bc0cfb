"""Dice that players throw together although the rules ask for them one by one: all dice to hit, then all to wound.

A rule asks die by die: to hit, to wound, to hit, to wound. At the table three guns are three dice in one hand. So a
reader may hold the dice of one throw until the rules come to them: the same die, for the same need, in the same stage.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from contextlib import suppress
from typing import Any

from msgspec.structs import replace

from battletape.dice import meanings
from battletape.tape.path import Path
from battletape.tape.question import Ask, NeedAnswer

Key = tuple[Hashable, ...]
MOST = 60
"""How many dice are thrown together at most."""
FEW = 6
"""Of a die with up to so many meanings, each is tried to see what follows; otherwise only its lowest face."""


def key_of(ask: Ask, stage: int) -> Key | None:
    """What makes dice one throw; None for whatever is not a single die."""
    if ask.kind != "roll" or ask.die is None or ask.die.added:
        return None
    return stage, ask.label, ask.needed, ask.die.name, ask.clauses


def as_throw(ask: Ask, count: int) -> Ask:
    """The question for a whole throw."""
    return ask if count == 1 else replace(ask, kind="pool", count=count)


class Hand:
    """Dice that were thrown and wait until the rules ask for them."""

    def __init__(self) -> None:
        self._dice: dict[Key, list[Any]] = {}

    def holds(self, key: Key | None) -> bool:
        """Whether there is a die for this question."""
        return key is not None and bool(self._dice.get(key))

    def take(self, key: Key | None) -> Any:
        """The next die for this question."""
        assert key is not None
        return self._dice[key].pop(0)

    def keep(self, key: Key | None, dice: Iterable[Any]) -> None:
        """Hold dice for this question."""
        if key is not None:
            self._dice.setdefault(key, []).extend(dice)

    def held(self) -> Iterable[tuple[Key, Sequence[Any]]]:
        """The dice that wait, question by question."""
        return self._dice.items()

    def copy(self) -> Hand:
        """The same dice in another hand."""
        other = Hand()
        other._dice = {key: list(dice) for key, dice in self._dice.items()}
        return other


class _Ahead(Path):
    """A look ahead: the answers so far and the dice in hand, then one face for every die of the throw."""

    def __init__(self, answers: Sequence[Any], hand: Hand, face: Any) -> None:
        super().__init__()
        self.answers, self.hand, self.face = answers, hand, face
        self.key: Key | None = None
        self.count = 0

    def answer(self, ask: Ask) -> Any:
        """An answer that is known, or the face; anything else ends the look ahead."""
        at = len(self.trail)
        if at < len(self.answers):
            return self.answers[at]
        key = key_of(ask, self.stage)
        if self.hand.holds(key):
            return self.hand.take(key)
        self.key = self.key or key
        if key is None or key != self.key or self.count >= MOST:
            raise NeedAnswer(ask)
        self.count += 1
        return self.face

    def finish(self) -> None:
        """Nothing is to be kept of this."""
        raise NeedAnswer(Ask("roll", "the end"))


def thrown_together(play: Callable[[Path], Any], ask: Ask, answers: Sequence[Any], hand: Hand) -> int:
    """How many dice for the question that waits players throw at once; some may turn out not to be needed."""
    if key_of(ask, 0) is None or ask.die is None:
        return 1
    by_meaning = {meaning: face for face, meaning in reversed(meanings(ask.die, ask.read).items())}
    lowest, *others = sorted(by_meaning.values(), key=ask.die.faces.index)
    most = 1
    for face in (lowest, *others) if len(by_meaning) <= FEW else (lowest,):
        ahead = _Ahead(answers, hand.copy(), face)
        with suppress(NeedAnswer):
            play(ahead)
        if ahead.count < MOST or face == lowest:  # any other face that never ends is rolled again by the rules
            most = max(most, ahead.count)
    return most
