"""The state of a battle: fighters and mobs, what they carry and suffer from, how far they can go, whose turn it is."""

from __future__ import annotations

from collections.abc import Iterator
from math import atan2, degrees, hypot
from typing import Any, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.errors import UnknownName
from battletape.rulesets.deathwatch.profiles.book import loaded
from battletape.rulesets.deathwatch.profiles.types import Character, Horde, Weapon
from battletape.rulesets.deathwatch.rules.attack.modifiers import parry_modifiers
from battletape.rulesets.deathwatch.rules.blasts import Cloud
from battletape.rulesets.deathwatch.rules.conditions import Conditions, can_use, characteristic, is_slowed
from battletape.rulesets.deathwatch.rules.movement import moves
from battletape.rulesets.deathwatch.rules.qualities.effects import FIELDS
from battletape.rulesets.deathwatch.rules.qualities.keywords import special_of, values
from battletape.rulesets.deathwatch.rules.tests import bonus
from battletape.rulesets.deathwatch.rules.traits import DEAD, Aim, Qualities
from battletape.rulesets.deathwatch.rules.wounds import NONE_BY_SPOT
from battletape.rulesets.deathwatch.rulings import Rulings
from battletape.rulesets.deathwatch.tables.sheet import Moves

TWO_HANDS = ("Basic", "Heavy")
NO_HANDS = ("Mounted", "n/a")


class Held(Struct, frozen=True, cache_hash=True):
    """A weapon in a fighter's hands or on its belt."""

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
    trained: bool = True  # its bearer, by talents

    @property
    def name(self) -> str:
        """Of the weapon."""
        return self.weapon.name

    @property
    def fired(self) -> Weapon:
        """The weapon as it is fired, with the round that is in it."""
        for round in self.rounds:
            if round.name == self.loaded:
                return loaded(self.weapon, round)
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
        """How many hands it needs."""
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


ADJACENT = 2.0
"""Metres between two units that can come to blows."""
CONTACT = 1.0
"""Metres left between them after a charge."""


class Fighter(Struct, frozen=True, kw_only=True, cache_hash=True):
    """A character in a battle: the profile, and everything that changes."""

    name: str
    side: str
    profile: Character
    armour: tuple[int, ...] = NONE_BY_SPOT
    primitive: bool = False  # the armour
    sealed: bool = False
    x: float = 0.0
    y: float = 0.0
    facing: float = 0.0
    cover: str = ""
    cover_ap: int = 0
    hidden: tuple[str, ...] = ()  # spots behind the cover
    health: int = 0  # wounds left; below zero the critical total; DEAD and less is dead
    by_spot: tuple[int, ...] = ()  # critical damage by location, where the ruling counts it so
    conditions: Conditions = Conditions()
    held: tuple[Held, ...] = ()
    engaged_with: tuple[str, ...] = ()
    grappled_with: str = ""
    controls: bool = False  # the grapple
    surprised: bool = False
    aim: Aim = "none"
    overwatch: Watch | None = None
    delayed: bool = False
    feinted: str = ""  # whom a feint has fooled
    feint_turns: int = 0  # own turns until that is over
    no_evasion: bool = False  # after an all out attack
    defensive: bool = False
    guarded: bool = False
    running: bool = False
    screaming: bool = False  # on fire, and may only run
    lies_still: bool = False  # not to tear a wound open
    holds_wound: bool = False  # with one hand
    reactions_used: int = 0
    used: tuple[str, ...] = ()  # actions of this turn
    shot_at: bool = False  # since its last turn
    initiative: int = 0

    @property
    def is_dead(self) -> bool:
        """Dead by a critical row or blood loss."""
        return self.health <= DEAD

    @property
    def is_out(self) -> bool:
        """Dead, or unconscious."""
        return self.is_dead or self.conditions.unconscious > 0

    @property
    def ab(self) -> int:
        """Agility bonus, as critical wounds leave it."""
        return bonus(characteristic(self.conditions, "ag", self.profile.agility))

    @property
    def sb(self) -> int:
        """Strength bonus with its multiplier, as critical wounds leave it."""
        own = self.profile
        return bonus(characteristic(self.conditions, "s", own.strength), own.unnatural_strength, own.strength_bonus)

    @property
    def tb(self) -> int:
        """Toughness bonus with its multiplier, as critical wounds leave it."""
        own = self.profile
        return bonus(characteristic(self.conditions, "t", own.toughness), own.unnatural_toughness, own.toughness_bonus)

    @property
    def free_hands(self) -> int:
        """Hands that hold nothing and serve."""
        return self.hands - sum(weapon.hands for weapon in self.held if weapon.in_hand)

    @property
    def hands(self) -> int:
        """Hands that serve, but for one that holds a wound."""
        whole = sum(can_use(self.conditions, arm) for arm in ("right_arm", "left_arm"))
        return max(0, whole - self.holds_wound)

    @property
    def blades(self) -> tuple[Held, ...]:
        """Melee weapons in hand."""
        return tuple(held for held in self.held if held.in_hand and held.weapon.melee)

    def carries(self, name: str) -> Held:
        """The weapon of this name; without a name the first that is in hand."""
        wanted = name.strip().lower()
        for weapon in self.held:
            if weapon.name.lower() == wanted or (not wanted and weapon.in_hand):
                return weapon
        if not wanted and self.held:
            return self.held[0]
        raise UnknownName("weapon", name, [weapon.name for weapon in self.held], source=self.name)

    def with_held(self, held: Held) -> Fighter:
        """The same with a weapon changed."""
        return replace(self, held=tuple(held if weapon.name == held.name else weapon for weapon in self.held))

    def suffering(self, **conditions: Any) -> Fighter:
        """The same with these conditions."""
        return replace(self, conditions=replace(self.conditions, **conditions))


class Mob(Struct, frozen=True, kw_only=True, cache_hash=True):
    """A horde in a battle."""

    name: str
    side: str
    profile: Horde
    arsenal: tuple[Weapon, ...] = ()
    x: float = 0.0
    y: float = 0.0
    magnitude: int = 30
    starting: int = 30
    lost_since: int = 0  # Magnitude, since its last turn
    broken: bool = False
    pinned: bool = False
    shot_at: bool = False
    used: tuple[str, ...] = ()
    engaged_with: tuple[str, ...] = ()
    initiative: int = 0

    @property
    def is_dead(self) -> bool:
        """Destroyed."""
        return self.magnitude <= 0

    @property
    def is_out(self) -> bool:
        """Destroyed, or on the run."""
        return self.is_dead or self.broken

    @property
    def ab(self) -> int:
        """Agility bonus."""
        return bonus(self.profile.agility)


Unit: TypeAlias = Fighter | Mob


class Entered(Struct, frozen=True, cache_hash=True):
    """A unit that has just come into a kill zone, with the cover it counts as being in."""

    watcher: str
    target: str
    cover_ap: int = 0
    hidden: tuple[str, ...] = ()


class State(Struct, frozen=True, kw_only=True, cache_hash=True):
    """A battle now."""

    rules: Rulings
    sides: tuple[str, ...]
    fighters: tuple[Fighter, ...] = ()
    mobs: tuple[Mob, ...] = ()
    round: int = 0  # 0: initiative is still to be rolled
    order: tuple[str, ...] = ()
    active: str = ""  # whose turn it is
    interrupt: str = ""  # who acts on a delay in it
    entered: tuple[Entered, ...] = ()
    clouds: tuple[Cloud, ...] = ()
    cohesion: tuple[tuple[str, int], ...] = ()  # of each side
    most_rounds: int = 20

    @property
    def units(self) -> tuple[Unit, ...]:
        """Everybody."""
        return (*self.fighters, *self.mobs)

    @property
    def present(self) -> tuple[Unit, ...]:
        """Everybody who is still there: neither dead nor run away."""
        return tuple(unit for unit in self.units if not is_gone(unit))

    @property
    def actor(self) -> str:
        """Who may act now."""
        return self.interrupt or self.active

    def find(self, name: str) -> Unit:
        """The fighter or mob of this name; without a name the one who may act now."""
        wanted = (name.strip() or self.actor).lower()
        for unit in self.units:
            if unit.name.lower() == wanted:
                return unit
        raise UnknownName("fighter", name, [unit.name for unit in self.units])

    def fighter(self, name: str) -> Fighter:
        """The fighter of this name."""
        unit = self.find(name)
        if isinstance(unit, Fighter):
            return unit
        raise UnknownName("fighter", name, [fighter.name for fighter in self.fighters])

    def changed(self, *units: Unit) -> State:
        """The same with these changed."""
        by_name = {unit.name: unit for unit in units}
        fighters = tuple(by_name.get(fighter.name, fighter) for fighter in self.fighters)
        mobs = tuple(by_name.get(mob.name, mob) for mob in self.mobs)
        return replace(self, fighters=fighters, mobs=mobs)

    def foes(self, side: str) -> Iterator[Unit]:
        """All of other sides that are not out."""
        return (unit for unit in self.units if unit.side != side and not unit.is_out)

    def smoke_at(self, unit: Unit) -> bool:
        """Whether a unit stands in smoke."""
        return any(cloud.kind == "smoke" and apart(cloud, unit) <= cloud.radius for cloud in self.clouds)

    def field_at(self, unit: Unit) -> str:
        """The strength of the haywire field about a unit; insignificant if there is none."""
        fields = [cloud for cloud in self.clouds if cloud.kind == "haywire" and apart(cloud, unit) <= cloud.radius]
        return fields[-1].strength if fields else "insignificant"


def is_gone(unit: Unit) -> bool:
    """Dead, or run away."""
    return unit.is_dead or (isinstance(unit, Mob) and unit.broken)


def apart(one: Unit | Cloud, other: Unit | Cloud) -> float:
    """Metres between two."""
    return round(hypot(other.x - one.x, other.y - one.y), 6)


def bearing(unit: Unit, x: float, y: float) -> float:
    """The bearing from a unit to a point, in degrees clockwise from north."""
    if (unit.x, unit.y) == (x, y):
        return 0.0
    return degrees(atan2(x - unit.x, y - unit.y)) % 360


def is_adjacent(one: Unit, other: Unit) -> bool:
    """Close enough to come to blows."""
    return apart(one, other) <= ADJACENT


@clause("DW-MOVE-1", "DW-CRIT-2", "DW-QUAL-HAYWIRE")
def moves_of(state: State, unit: Unit) -> Moves:
    """Metres of each gait, by Agility, size, wounds and fields that slow power armour."""
    if not isinstance(unit, Fighter):
        return moves(unit.ab)
    less = -FIELDS[state.field_at(unit)].movement if unit.sealed else 0  # type: ignore[index]
    return moves(unit.ab, unit.profile.size, is_slowed(unit.conditions), less)


def towards(unit: Unit, other: Unit, far: float) -> tuple[float, float]:
    """The place so many metres on the way to another unit."""
    return along(unit.x, unit.y, other.x, other.y, far)


def along(x: float, y: float, to_x: float, to_y: float, far: float) -> tuple[float, float]:
    """The place so many metres on the way from one place to another."""
    way = hypot(to_x - x, to_y - y)
    share = far / way if way else 0.0
    return round(x + (to_x - x) * share, 3), round(y + (to_y - y) * share, 3)


def steps(x: float, y: float, to_x: float, to_y: float) -> tuple[tuple[float, float], ...]:
    """Places on the way, a metre apart, without the first."""
    way = hypot(to_x - x, to_y - y)
    between = [along(x, y, to_x, to_y, far) for far in range(1, int(way) + 1)]
    return (*between, (to_x, to_y))


@clause("DW-EVA-3", "DW-QUAL-UNWIELDY")
def in_turn(who: Fighter) -> tuple[Held, ...]:
    """The melee weapons in hand that parry, the best first."""
    fit = (blade for blade in who.blades if not blade.qualities.unwieldy)
    return tuple(sorted(fit, key=lambda blade: -sum(by.value for by in parry_modifiers(blade.qualities))))
