"""Wounds: how damage lands, when it is critical, and who dies of it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.errors import BadInput
from battletape.rulesets.deathwatch.conditions import Conditions
from battletape.rulesets.deathwatch.criticals import kills, suffer
from battletape.rulesets.deathwatch.damage import NO_FURY, Hit, net, raw
from battletape.rulesets.deathwatch.traits import DEAD, SPOTS, place_of
from battletape.tape import Tape
from battletape.tape.folds import in_two

UNTOUCHED = Conditions()
LAST_ROW = 10
"""The last row of a critical table, which kills everywhere."""


class Victim(Struct, frozen=True, cache_hash=True):
    """Somebody who is hit: the state of the fold where places or conditions matter."""

    health: int  # wounds left; below zero the critical total; DEAD and less is dead
    spot: str = ""  # of the last critical row
    by_spot: tuple[int, ...] = ()  # with critical damage counted by location only
    conditions: Conditions | None = None  # None: not tracked, rows ask only what may kill
    worn: int = 0  # points of cover shot away, where it wears down

    @property
    def is_dead(self) -> bool:
        """Dead by a critical row."""
        return self.health <= DEAD


def _is_dead(victim: Victim) -> bool:
    return victim.health <= DEAD


class Landing(NamedTuple):
    """Where somebody stands after a hit: damage taken, critical total, and the row the hit reached (None: none)."""

    damage_taken: int
    critical_total: int
    row: int | None


@clause("DW-DMG-2")
def row_reached(critical_total: int) -> int:
    """The row of the critical tables for a critical total."""
    return min(LAST_ROW, max(0, critical_total))


@clause("DW-DMG-1", "DW-DMG-2")
def land(health: int, got: int, true_grit: bool = False) -> tuple[int, int]:
    """Health after damage, and the critical row reached; 0 where wounds were left for all of it."""
    left = health - got
    if left >= 0 or not got:
        return left, 0
    if true_grit:
        left = min(0, health) - (got - max(0, health) + 1) // 2
    return left, -left if left > -LAST_ROW else LAST_ROW


@clause("DW-DMG-1")
def damage_taken(health: int, wounds: int) -> int:
    """Damage taken so far, critical damage not counted."""
    return wounds - max(0, health)


@clause("DW-DMG-2")
def critical_total(health: int) -> int:
    """Critical damage so far; of the dead, the row that killed."""
    return DEAD - health if health <= DEAD else max(0, -health)


@clause("DW-DMG-1", "DW-DMG-2")
def add_up(
    wounds: int, nets: Iterable[int], taken: int = 0, critical: int = 0, true_grit: bool = False
) -> tuple[Landing, ...]:
    """The damage of several hits in turn, counted on without an end, as for a record of what happened."""
    found = []
    for got in nets:
        normal = min(wounds - taken, got)
        taken, more = taken + normal, got - normal
        if true_grit:
            more = (more + 1) // 2
        critical += more
        found.append(Landing(taken, critical, row_reached(critical) if more else None))
    return tuple(found)


@clause("DW-DMG-4")
def dead_after(wounds: int, nets: Iterable[int]) -> tuple[bool, ...]:
    """Whether a minion, who dies of any critical damage, is dead after each hit."""
    return tuple(one.critical_total >= 1 for one in add_up(wounds, nets))


@clause("DW-LIGHT-1", "DW-HEAVY-1")
def category(damage: int, tb: int, critical: int = 0) -> str:
    """How badly somebody is hurt, which says how fast he heals."""
    if damage < 0 or critical < 0:
        raise BadInput(f"damage wants 0 or more; got {min(damage, critical)} (DW-LIGHT-1)", field="damage_taken")
    if critical:
        return "critical"
    if not damage:
        return "undamaged"
    return "lightly" if damage <= 2 * tb else "heavily"


@clause("DW-DMG-3")
def felt(tape: Tape, hit: Hit) -> int:
    """The damage of a hit that gets through, as far as it can be felt."""
    return net(tape, hit, hit.most)


@lru_cache(4096)
def without_dice(hit: Hit) -> Hit:
    """What still matters of a hit when its dice are thrown."""
    return replace(hit, dice=0, drop=0, flat=0, reduction=0, fury=NO_FURY, least=0, best_each=False, rolls=1)


@clause("DW-DMG-1", "DW-DMG-2", "DW-DMG-4")
@in_two(felt, without_dice, lambda health: health <= DEAD)
def wound(tape: Tape, health: int, got: int, hit: Hit) -> int:
    """One hit on somebody of whom only the health is asked; the dead are not hit again."""
    left = health - got
    if left >= 0 or not got:  # most hits: quicker than `land`
        return left
    left, row = land(health, got, hit.true_grit)
    return DEAD - row if _dies(tape, hit, row) else left


@clause("DW-DMG-1", "DW-DMG-2", "DW-DMG-4")
@in_two(felt, without_dice, _is_dead)
def strike(tape: Tape, victim: Victim, got: int, hit: Hit) -> Victim:
    """One hit on somebody, with the place of the critical row it reached and what that row does."""
    return hurt(tape, victim, hit, got)


@clause("DW-COVER-1")
def through_air(tape: Tape, hit: Hit) -> int:
    """The damage of a hit before anything stops it, as far as it can be felt."""
    return raw(tape, hit, max(hit.most + max(hit.worn, default=hit.reduction), hit.cover + 1))


@clause("DW-COVER-1")
def through_cover(victim: Victim, damage: int, hit: Hit) -> tuple[Victim, int]:
    """What gets through cover that wears down: damage above its AP takes a point of it for the hits that follow."""
    if not hit.worn:
        return victim, max(0, min(hit.most, damage - hit.reduction))
    gone = min(victim.worn, hit.cover)
    if gone < hit.cover and damage > hit.cover - gone:
        victim = replace(victim, worn=gone + 1)
    return victim, max(0, min(hit.most, damage - hit.worn[gone]))


@clause("DW-DMG-2", "DW-DMG-4")
def hurt(tape: Tape, victim: Victim, hit: Hit, got: int) -> Victim:
    """So much damage got through: wounds first, then the critical row of this place."""
    left, spot, by_spot, conditions = victim.health - got, victim.spot, victim.by_spot, victim.conditions
    if left >= 0 or not got:  # most hits: quicker than `land`
        return Victim(left, spot, by_spot, conditions, victim.worn) if got else victim
    left, row = land(victim.health, got, hit.true_grit)
    if by_spot:
        by_spot = _more_at(by_spot, hit.spot, min(0, victim.health) - left)
        row = by_spot[SPOTS.index(hit.spot)]
    if conditions is None or hit.sudden_death or row >= LAST_ROW:
        dead = _dies(tape, hit, row)
    else:
        found = tape.call(suffer, conditions, hit, row)
        dead = found == "dead"
        conditions = conditions if dead else found
    if dead:  # what else he had no longer counts
        conditions, by_spot = conditions and UNTOUCHED, (0,) * len(by_spot)
    return Victim(DEAD - row if dead else left, hit.spot if hit.note_spot else "", by_spot, conditions, victim.worn)


def _more_at(by_spot: tuple[int, ...], spot: str, more: int) -> tuple[int, ...]:
    """Critical damage by spot, with so much more at one of them."""
    at = SPOTS.index(spot)
    return (*by_spot[:at], min(LAST_ROW, by_spot[at] + more), *by_spot[at + 1 :])


def _dies(tape: Tape, hit: Hit, row: int) -> bool:
    """Whether a row kills: the last one always, minions by any, others by what the row says."""
    if hit.sudden_death or row >= LAST_ROW:
        return True
    return bool(kills(tape, hit.damage_type, place_of(hit.spot), row, hit.toughness))
