"""Small turns of phrase that questions and battles share."""

from __future__ import annotations

from collections.abc import Sequence


def plain(word: str) -> str:
    """A word of the rules as people write it: flat_out becomes “flat out”."""
    return word.replace("_", " ")


def capital(text: str) -> str:
    """The same with a capital letter, for the beginning of a sentence."""
    return text[:1].upper() + text[1:]


def listed(words: Sequence[str], last: str = "and") -> str:
    """One, two and three."""
    return f" {last} ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def plural(number: int, word: str) -> str:
    """One weapon, two weapons."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def inches(number: float) -> str:
    """A distance: 6 inches, 1 inch, 4.5 inches."""
    return f"{number:g} inch" if number == 1 else f"{number:g} inches"
