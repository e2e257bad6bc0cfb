"""What a player reads of a vehicle's damage: the worst that happened to it, and its condition afterwards."""

from __future__ import annotations

from typing import Any

from battletape.rulesets.vehicles5.damage import Condition

UNCHANGED = "no worse than before"
PLIGHTS = (UNCHANGED, "shaken", "stunned", "weapon lost", "immobilised", "wrecked", "exploded")
IN_ORDER = "in order"
COUNTS = ("no", "one", "two", "three", "four", "five", "six")


class Ranked(str):
    """A word that stands before or after others by its meaning and not by its letters."""

    __slots__ = ()

    @property
    def rank(self) -> Any:
        """Its place."""
        raise NotImplementedError

    def __lt__(self, other: str) -> bool:
        return bool(self.rank < type(self)(other).rank)

    def __le__(self, other: str) -> bool:
        return bool(self.rank <= type(self)(other).rank)

    def __gt__(self, other: str) -> bool:
        return bool(self.rank > type(self)(other).rank)

    def __ge__(self, other: str) -> bool:
        return bool(self.rank >= type(self)(other).rank)


class Plight(Ranked):
    """The worst that happened to a vehicle, in the order of the damage table."""

    __slots__ = ()

    @property
    def rank(self) -> int:
        """Its row of the damage table."""
        return PLIGHTS.index(self)


class Wear(Ranked):
    """The condition of a vehicle in words, the worse the later: “one weapon lost, immobilised”."""

    __slots__ = ()

    @property
    def rank(self) -> tuple[Any, ...]:
        """How bad it is."""
        words = str(self).split(", ")
        lost = next((word.split()[0] for word in words if word.endswith("lost")), "no")
        number = COUNTS.index(lost) if lost in COUNTS else int(lost)
        flags = ("exploded", "wrecked", "immobilised")
        return (*(flag in words for flag in flags), number, "stunned" in words, "shaken" in words)


def worst(start: Condition, now: Condition) -> Plight:
    """The worst change from one condition to another."""
    if now.is_destroyed:
        return Plight(now.status)
    happened = {
        "immobilised": now.immobilised and not start.immobilised,
        "weapon lost": len(now.weapons) < len(start.weapons),
        "stunned": now.stunned and not start.stunned,
        "shaken": now.shaken and not start.shaken,
    }
    return Plight(next((plight for plight, is_so in happened.items() if is_so), UNCHANGED))


def wear(condition: Condition, weapons: int | None = None) -> Wear:
    """A condition in words, of a vehicle that had so many weapons; without that number nobody asks for them."""
    if condition.is_destroyed:
        return Wear(condition.status)
    lost = 0 if weapons is None else weapons - len(condition.weapons)
    count = COUNTS[lost] if lost < len(COUNTS) else str(lost)
    words = [f"{count} weapon{'s' if lost > 1 else ''} lost"] if lost > 0 else []
    words += [word for word in ("immobilised", "stunned", "shaken") if getattr(condition, word)]
    return Wear(", ".join(words) or IN_ORDER)
