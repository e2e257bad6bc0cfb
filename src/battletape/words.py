"""Small turns of phrase that every system uses: numbers with their nouns, lists, distances, capitals."""

from __future__ import annotations

from collections.abc import Sequence


def plural(number: int, word: str) -> str:
    """One weapon, 2 weapons, 1,000 weapons."""
    return f"{number:,} {word}" if number == 1 else f"{number:,} {word}s"


def listed(words: Sequence[str], last: str = "and") -> str:
    """One, two and three."""
    return f" {last} ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def plain(word: str) -> str:
    """A word of the rules as people write it: flat_out becomes “flat out”."""
    return word.replace("_", " ")


def capital(text: str) -> str:
    """The text with a capital letter at its beginning; the rest stays as it is."""
    return text[:1].upper() + text[1:]


def with_article(noun: str) -> str:
    """A scatter die, an artillery die."""
    return f"{'an' if noun[:1] in 'AEIOUaeiou' else 'a'} {noun}"


def inches(number: float) -> str:
    """A distance as people measure it: 6 inches, 1 inch, 4.5 inches, 7.071 inches."""
    return f"{number:.4g} inch" if number == 1 else f"{number:.4g} inches"


def labelled(name: str, what: str) -> str:
    """A label with the name it is about in front, if there is one: “Lascannon: to hit”."""
    return f"{name}: {what}" if name else what
