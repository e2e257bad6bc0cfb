"""Wrong values for every input of a question, beside a named profile: what players may type, and must be told in words.

A wrong value alone is refused at once. Beside the name of a profile, a question first looks up the numbers of that
profile, and on the way the wrong value may be taken for the name of something. Every door is tried with the same cases:
the library by `test_wrong_values`, the terminal and the page by tests that hand `Wrong` to them.
"""

from __future__ import annotations

import builtins
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import cycle, islice
from typing import Any

from battletape.errors import BattletapeError
from battletape.inputs import Field, fields, quoted
from battletape.system import Question, Ruleset
from battletape.views.profile_choices import profile_choices

DUNDER = ("__init__", "__class__")
"""Words that every object has an attribute for."""
WORDS = ("true", *DUNDER, "", "-7", "9" * 30, "Ork's \"axe", "1.5", "[1]")
"""What can be typed as text, at any door."""
VALUES: tuple[Any, ...] = (*WORDS, True, None, -7, 10**30, 1.5, [], ["__class__"], [[]], {}, {"__init__": "front"})
"""What a program can send besides."""
TELLTALE = re.compile(r"0x[0-9a-f]{6,}|\bobject at\b|<(?:class|function|bound|built-in|module)\b|msgspec|\bNoneType\b")
"""What only a representation of Python says."""
REPRESENTED = re.compile(r"\b[A-Z]\w*\((?:\w+=|<)")
"""An object of ours as Python writes it: Vehicle(name=…)."""


@dataclass(frozen=True)
class Wrong:
    """A question, a profile that it names, and one input that is wrong."""

    ruleset: Ruleset
    question: Question
    named: tuple[tuple[str, str], ...]
    path: tuple[str, ...]  # of the input: ("facing",), or ("guns", "facing") in an entry of a list
    value: Any

    def __str__(self) -> str:
        names = " ".join(f"{name}={quoted(value)}" for name, value in self.named)
        return f"{self.ruleset.name} {self.question.name} {names} {'.'.join(self.path)}={self.value!r:.60}"

    @property
    def given(self) -> dict[str, Any]:
        """What a program sends."""
        if len(self.path) == 1:
            return {**dict(self.named), self.path[0]: self.value}
        return {self.path[0]: [{**dict(self.named), self.path[1]: self.value}]}

    @property
    def texts(self) -> dict[str, str] | None:
        """What a player types; None where the value is no text, or no text can say it."""
        if not isinstance(self.value, str):
            return None
        if len(self.path) == 1:
            return {**dict(self.named), self.path[0]: self.value}
        pairs = {**dict(self.named), self.path[1]: self.value}
        return {self.path[0]: " ".join(f"{name}={quoted(value)}" for name, value in pairs.items())}


def wrong(
    ruleset: Ruleset, question: Question, values: tuple[Any, ...] = VALUES, *, each: int, choices: int, names: int = 9
) -> Iterator[Wrong]:
    """Yield every input of a question with wrong values, beside the profiles that it may name.

    An input is given `each` many of the values, and the next one those that come after them; an input with a few
    `choices` so many, because a choice is what is looked up. `names` bounds the profiles beside which it is tried.
    """
    at = 0
    for above, own, named in _homes(ruleset, question, names):
        for field in own:
            for value in islice(cycle(values), at, at + min(choices if field.kind == "choice" else each, len(values))):
                yield Wrong(ruleset, question, named, (*above, field.name), value)
            at = (at + each) % len(values)


def _homes(
    ruleset: Ruleset, question: Question, most: int
) -> Iterator[tuple[tuple[str, ...], tuple[Field, ...], tuple[tuple[str, str], ...]]]:
    """Yield inputs that stand together, of the question or of an entry of one of its lists, and the profiles named
    there.
    """
    known = profile_choices(ruleset, question)
    lists = [field for field in fields(question.inputs) if field.item is not None]
    for above, inputs in (((), question.inputs), *(((field.name,), field.item) for field in lists)):
        if inputs is None:
            continue
        own = fields(inputs)
        named: list[tuple[tuple[str, str], ...]] = [
            ((path[-1], pick.names[0]),) for path, pick in known.items() if path[:-1] == above
        ]
        together = tuple(pair for pairs in named for pair in pairs)
        if len(named) > 1 and not above and _is_accepted(ruleset, question, dict(together)):
            named.append(together)
        for names in named[-most:] or [()]:
            yield above, own, names


def _is_accepted(ruleset: Ruleset, question: Question, given: Mapping[str, Any]) -> bool:
    try:
        ruleset.split(question, given)
    except BattletapeError:
        return False
    return True


def trouble(ask: Callable[[], object]) -> str:
    """Return the fault of an error: not one of ours, or in words of Python; empty if there is none."""
    try:
        returned = ask()
    except BattletapeError as error:
        return untold(str(error))
    except Exception as error:
        return f"it ends in {type(error).__name__}: {error}"
    return untold(returned) if isinstance(returned, str) else ""


def untold(sentence: str) -> str:
    """Return what a sentence says that no player should read; empty if there is nothing of the kind."""
    found = TELLTALE.search(sentence) or REPRESENTED.search(sentence)
    if found is None:
        return "" if sentence.strip() else "it says nothing"
    return f"it says {sentence[max(found.start() - 40, 0) : found.end() + 40]!r}"


class TakenForAName(Exception):
    """Text that a player typed was taken for the name of an attribute."""


@contextmanager
def no_text_as_a_name(*words: str) -> Iterator[None]:
    """Refuse that Battletape looks up an attribute with one of these words in its name."""
    plain = {"getattr": builtins.getattr, "hasattr": builtins.hasattr}

    def watched(look_up: Callable[..., Any]) -> Callable[..., Any]:
        def looked_up(thing: Any, name: str, *default: Any) -> Any:
            if any(word in name for word in words):
                home = str(sys._getframe(1).f_globals.get("__name__"))
                if home.startswith("battletape."):
                    raise TakenForAName(f"{name!r} in {home}")
            return look_up(thing, name, *default)

        return looked_up

    try:
        for name, look_up in plain.items():
            vars(builtins)[name] = watched(look_up)
        yield
    finally:
        vars(builtins).update(plain)
