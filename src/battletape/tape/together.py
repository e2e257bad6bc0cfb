"""Dice that players throw together although the rules ask for them one by one: all dice to hit, then all to wound.

A rule asks die by die: to hit, to wound, to hit, to wound. At the table three guns are three dice in one hand. So a
reader may hold the dice of one throw until the rules come to them: the same die, for the same need, in the same stage.

Pools are held in the same way: the damage of each hit of a burst is a pool of its own, and players roll them all at
once. A look ahead counts them: the rules are played on with the lowest faces and with the highest, and whatever else
they ask on the way gets the lowest or the highest, too. Only as many dice or pools as came every time are asked for
together; if the target may be dead by then, the next one waits. Other dice on the way, such as righteous fury, are
asked for when their turn comes. A decision ends the look ahead, for no player decides with dice on the table that come
later. A look ahead says what to ask for, never what the rules do: a pool that is not needed after all changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from contextlib import suppress
from itertools import product
from typing import Any

from msgspec.structs import replace

from battletape.dice import meanings
from battletape.tape.path import Path
from battletape.tape.question import Ask, NeedAnswer

Key = tuple[Hashable, ...]
MAX_DICE = 60
"""How many dice are thrown together at most."""
MAX_QUESTIONS_AHEAD = 400
"""How many questions are looked ahead at most."""
MAX_MEANINGS_TRIED = 6
"""Of a die with up to so many meanings, each is tried to see what follows; otherwise only its lowest face."""


def key_of(ask: Ask, stage: int) -> Key | None:
    """Return the key that dice of one throw share; None for choices and directions."""
    if ask.die is None or (ask.kind == "roll" and ask.die.is_several):
        return None
    return stage, ask.kind, ask.count, ask.label_of_throw, ask.needed, ask.die.name, ask.clauses


def as_throw(ask: Ask, count: int) -> Ask:
    """Return the question for a whole throw: so many dice, or the dice of so many pools."""
    if count == 1:
        return ask
    return replace(ask, kind="pool", count=ask.count * count, name="", what=ask.label_of_throw, subject="")


def split_pools(text: str) -> list[str]:
    """Return pools that were thrown together, as they are typed: 7 9 2 | 10 4 4."""
    return [pool.strip() for pool in text.split("|")]


class Hand:
    """Dice that were thrown and wait until the rules ask for them."""

    def __init__(self) -> None:
        self._dice: dict[Key, list[Any]] = {}

    def holds(self, key: Key | None) -> bool:
        """Return whether there is a die for this question."""
        return key is not None and bool(self._dice.get(key))

    def take(self, key: Key | None) -> Any:
        """Return the next die for this question."""
        assert key is not None
        return self._dice[key].pop(0)

    def keep(self, key: Key | None, dice: Iterable[Any]) -> None:
        """Hold dice for this question."""
        if key is not None:
            self._dice.setdefault(key, []).extend(dice)

    def held(self) -> Iterable[tuple[Key, Sequence[Any]]]:
        """Return the dice that wait, question by question."""
        return self._dice.items()

    def copy(self) -> Hand:
        """Return a copy that holds the dice too."""
        other = Hand()
        other._dice = {key: list(dice) for key, dice in self._dice.items()}
        return other


class _Ahead(Path):
    """A look ahead: the answers so far and the dice in hand, then the same answer for every question of the throw."""

    def __init__(self, answers: Sequence[Any], hand: Hand, same: Any) -> None:
        super().__init__()
        self.answers, self.hand, self.same = answers, hand, same
        self.key: Key | None = None
        self.names: list[str] = []  # the subjects of the dice of the throw

    def answer(self, ask: Ask) -> Any:
        """Return an answer that is known, or the same as before; for any other question, what `other` answers."""
        at = len(self.trail)
        if at < len(self.answers):
            return self.answers[at]
        key = key_of(ask, self.stage)
        if self.hand.holds(key):
            return self.hand.take(key)
        self.key = self.key or key
        if key is None or key != self.key:
            return self.other(ask)
        if len(self.names) * ask.count >= MAX_DICE:
            raise NeedAnswer(ask)
        self.names.append(ask.subject)
        return self.same

    def other(self, ask: Ask) -> Any:
        """Return any other question ends the look ahead."""
        raise NeedAnswer(ask)

    def finish(self) -> None:
        """End the look ahead, of which nothing is kept."""
        raise NeedAnswer(Ask("roll", "the end"))


class _Through(_Ahead):
    """A look ahead past other dice of the stage: they show their lowest or highest faces; a decision ends it."""

    def __init__(self, answers: Sequence[Any], hand: Hand, same: Any, end: int) -> None:
        super().__init__(answers, hand, same)
        self.end = end  # 0 for the lowest face, -1 for the highest

    def other(self, ask: Ask) -> Any:
        """Return the lowest or the highest face, for as long as the stage goes on."""
        assert self.key is not None
        if (
            ask.kind == "choose"
            or self.stage != self.key[0]
            or len(self.trail) > len(self.answers) + MAX_QUESTIONS_AHEAD
        ):
            raise NeedAnswer(ask)
        if ask.die is None:
            return 0.0
        face = ask.die.faces[self.end]
        return (face,) * ask.count if ask.kind == "pool" else face


def thrown_together(play: Callable[[Path], Any], ask: Ask, answers: Sequence[Any], hand: Hand) -> tuple[str, ...]:
    """Return the dice, or pools, for the question that waits that players throw at once, each by its subject.

    Some dice may not be needed.
    """
    if key_of(ask, 0) is None or ask.die is None:
        return (ask.subject,)
    most = _surely(play, ask, answers, hand)
    if ask.kind == "pool":
        return most
    by_meaning = {meaning: face for face, meaning in reversed(meanings(ask.die, ask.read).items())}
    lowest, *others = sorted(by_meaning.values(), key=ask.die.faces.index)
    for face in (lowest, *others) if len(by_meaning) <= MAX_MEANINGS_TRIED else (lowest,):
        ahead = _Ahead(answers, hand.copy(), face)
        with suppress(NeedAnswer):
            play(ahead)
        if len(ahead.names) < MAX_DICE or face == lowest:  # any other face that never ends is rolled again by the rules
            most = max(most, tuple(ahead.names), key=len)
    return most


def _surely(play: Callable[[Path], Any], ask: Ask, answers: Sequence[Any], hand: Hand) -> tuple[str, ...]:
    """Return the dice or pools like the one that waits that will come, whatever the dice show."""
    assert ask.die is not None
    fewest: tuple[str, ...] | None = None
    for own, other in product((0, -1), repeat=2):
        face = ask.die.faces[own]
        ahead = _Through(answers, hand.copy(), (face,) * ask.count if ask.kind == "pool" else face, other)
        with suppress(NeedAnswer):
            play(ahead)
        names = tuple(ahead.names[: max(1, MAX_DICE // ask.count)]) or (ask.subject,)
        fewest = names if fewest is None else min(fewest, names, key=len)
        if len(fewest) == 1:
            break
    assert fewest is not None
    return fewest
