"""The working state of an action in a battle: who is struck by what, and how far it has got."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from battletape.rulesets.deathwatch.rules.attack.records import Attack, Spec
from battletape.rulesets.deathwatch.rules.blasts import Cloud
from battletape.rulesets.deathwatch.rules.hordes.attack_on_horde import Onslaught
from battletape.rulesets.deathwatch.rules.wounds import Victim
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings

How: TypeAlias = Literal["", "flame", "blast", "spray"]
Mark: TypeAlias = tuple[str, str, str]
"""Something that happened to a weapon: who, weapon, what (jam, overheat, dropped, broken, cohesion)."""


Due: TypeAlias = tuple[str, tuple[int, ...]]
"""A unit that is hit, and which hits of the attack it takes."""


class Foe(Struct, frozen=True, cache_hash=True):
    """A fighter in an action, as it stands now."""

    name: str
    side: str
    victim: Victim
    x: float = 0.0
    y: float = 0.0
    tb: int = 0
    reactions: int = 0  # left
    budget: int = 1  # a round
    reacted: int = 0
    parries_broken: int = 0  # weapons it parried with, best first
    shot_at: bool = False


class Caught(Struct, frozen=True, cache_hash=True):
    """A unit that a blast or suppressing fire may reach, and the attack on it."""

    name: str
    x: float = 0.0
    y: float = 0.0
    spec: Spec | None = None
    onslaught: Onslaught | None = None  # a mob


class Blow(Struct, frozen=True, cache_hash=True):
    """One attack of an action."""

    who: str
    target: str
    weapon: str
    spec: Spec | None = None
    onslaught: Onslaught | None = None  # the target is a mob
    how: How = ""
    shares: tuple[Caught, ...] = ()  # who else may be given hits of a burst
    caught: tuple[Caught, ...] = ()
    at: tuple[float, float] = (0.0, 0.0)  # where a blast is aimed
    bearing: float = 0.0
    pins: tuple[tuple[str, int], ...] = ()  # who tests Willpower afterwards, and the target; of a mob without its size
    denied: tuple[tuple[str, str, str], ...] = ()  # for the log: who has no reaction, why, and the clause
    burn: Spec | None = None  # what an overheating weapon does to its bearer
    haywire: int = 0  # metres


class Pinned(NamedTuple):
    """How many were pinned, and who."""

    number: int = 0
    names: tuple[str, ...] = ()


class Exchange(Struct, frozen=True, cache_hash=True):
    """The attacks of one action, as far as they have got."""

    foes: tuple[Foe, ...] = ()
    mobs: tuple[tuple[str, int], ...] = ()  # Magnitudes
    rest: tuple[Blow, ...] = ()
    blow: Blow | None = None
    attack: Attack | None = None  # the roll of the blow
    due: tuple[Due, ...] | None = None  # who is still to be struck; None while nobody knows yet
    part: Attack | None = None  # what the one who is struck now takes of it
    first: str = ""  # whom the action is aimed at
    before: int = 0  # its health or Magnitude
    hits: int = 0
    landed: int = 0
    stunned: int = 0  # rounds, by a blow to stun
    pinned: int = 0  # how many
    down: tuple[str, ...] = ()  # who
    marks: tuple[Mark, ...] = ()
    clouds: tuple[Cloud, ...] = ()
    won: bool = False  # a test of one against the other
    own_prone: bool = False
    thrown: bool = False
    tests: Rulings = DEFAULT

    def foe(self, name: str) -> Foe:
        """The unit of this name."""
        return next(foe for foe in self.foes if foe.name == name)

    def with_foe(self, foe: Foe) -> Exchange:
        """The same with one of them changed."""
        return replace(self, foes=tuple(foe if known.name == foe.name else known for known in self.foes))

    def hits_on(self, name: str) -> tuple[int, ...]:
        """Which hits of the attack a unit has still to take."""
        return next((hits for taker, hits in self.due or () if taker == name), ())

    def without_due(self, name: str) -> Exchange:
        """The same once a unit has taken the hits due to it."""
        return replace(self, part=None, due=tuple(due for due in self.due or () if due[0] != name))

    def magnitude(self, name: str) -> int:
        """What is left of a mob."""
        return dict(self.mobs)[name]

    def with_mob(self, name: str, magnitude: int) -> Exchange:
        """The same with a mob changed."""
        return replace(self, mobs=tuple((mob, magnitude if mob == name else left) for mob, left in self.mobs))


def shot_at(exchange: Exchange, blow: Blow) -> Exchange:
    """Note who was fired at."""
    names = {blow.target, *(caught.name for caught in blow.caught)} if blow.spec and not blow.spec.melee else set()
    foes = tuple(replace(foe, shot_at=True) if foe.name in names else foe for foe in exchange.foes)
    return replace(exchange, foes=foes, attack=None, due=(), part=None)
