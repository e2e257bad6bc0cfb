"""What a fighter carries in a battle: his weapons with their clips, jams and rounds, and the watch he keeps."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from battletape.rulesets.deathwatch.keywords import special_of, values
from battletape.rulesets.deathwatch.profiles import loaded
from battletape.rulesets.deathwatch.shapes import Weapon
from battletape.rulesets.deathwatch.traits import Qualities

TWO_HANDS = ("Basic", "Heavy")
NO_HANDS = ("Mounted", "n/a")


class Held(Struct, frozen=True, cache_hash=True):
    """A weapon in somebody's hands or on his belt."""

    weapon: Weapon
    rounds: tuple[Weapon, ...] = ()  # what a launcher may fire
    loaded: str = ""  # which of them it fires
    clip: int = 0
    jammed: bool = False
    braced: bool = False
    ready: bool = True
    destroyed: bool = False
    lies_at: tuple[float, float] | None = None  # dropped
    reload_done: int = 0  # Full Actions in a row
    overheated_until: int = 0  # the last round in which it is too hot
    fired_round: int = 0
    trained: bool = True  # its bearer, by his talents

    @property
    def name(self) -> str:
        """Of the weapon."""
        return self.weapon.name

    @property
    def fired(self) -> Weapon:
        """The weapon as it is fired, with the round that is in it."""
        for one in self.rounds:
            if one.name == self.loaded:
                return loaded(self.weapon, one)
        return self.weapon

    @property
    def qualities(self) -> Qualities:
        """Its qualities, with those of the round in it."""
        return values(self.fired.qualities)

    @property
    def special(self) -> Literal["", "claws", "force"]:
        """What “special” stands for, if it is that."""
        return special_of(self.weapon.group) if self.qualities.special else ""

    @property
    def hands(self) -> int:
        """How many hands it wants."""
        return 2 if self.weapon.kind in TWO_HANDS else 0 if self.weapon.kind in NO_HANDS else 1

    @property
    def in_hand(self) -> bool:
        """Ready to be used, and whole."""
        return self.ready and not self.destroyed and self.lies_at is None


class Watch(Struct, frozen=True, cache_hash=True):
    """Overwatch: with which weapon, which way, and since which round."""

    weapon: str
    facing: float
    since: int
