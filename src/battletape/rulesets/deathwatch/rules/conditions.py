"""Conditions of a fighter: fatigue, stun and all the rest; what they cost, and how they pass."""

from __future__ import annotations

from typing import Literal, NamedTuple

from battletape.rulebook import Refused, State, clause, plural, replace
from battletape.rulesets.deathwatch.rules.traits import Modifier, place_of
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings

FOR_GOOD = 99
"""Rounds of what does not pass by itself: until treated, for hours, for good."""
LONGEST_SLEEP = 10  # minutes, less the toughness bonus
NIGHT = 8  # hours of rest that take all fatigue


class BodyNumbers(State, frozen=True):
    """The numbers of a victim that critical rows and special rules need, with the rulings that matter."""

    tb: int = 3
    toughness: int = 30
    agility: int = 30
    immune_blood_loss: bool = False
    rulings: Rulings = DEFAULT  # as far as they ask for them


class Conditions(State, frozen=True):
    """The conditions of a fighter, in small numbers, so that equal states merge."""

    fatigue: int = 0  # at most one more than the toughness bonus: out
    stunned: int = 0  # rounds
    prone: bool = False
    pinned: bool = False
    on_fire: bool = False
    blood_loss: bool = False
    immobilised: bool = False
    blind: int = 0  # rounds
    deaf: int = 0  # rounds
    half_actions: int = 0  # turns with one Half Action only
    slowed: int = 0  # rounds of halved movement
    useless: tuple[tuple[str, int], ...] = ()  # (spot, rounds), sorted
    lost: tuple[str, ...] = ()  # right_hand, left_leg, eye; sorted
    penalties: tuple[tuple[str, int, int], ...] = ()  # (test, amount, rounds), sorted; amount 0 halves
    stand_is_full: bool = False
    dropped: bool = False
    unconscious: int = 0  # minutes
    hazard: str = ""  # ribs or wound: a risk to face every turn
    armour_lost: tuple[tuple[str, int], ...] = ()  # (spot, points), sorted
    notes: tuple[str, ...] = ()  # what only people care about


NOTHING = Conditions()
ROUNDS = ("stunned", "blind", "deaf", "half_actions", "slowed")
"""Conditions that last for rounds."""


class TurnAllowance(NamedTuple):
    """The actions that a turn may hold: a Full Action, and how many Half Actions."""

    full: bool
    half_actions: int
    only: Literal["", "escape", "run"] = ""
    reason: str = ""
    clause: str = ""


@clause("DW-FAT-1")
def add_fatigue(conditions: Conditions, levels: int, tb: int) -> Conditions:
    """Add fatigue; beyond the Toughness bonus the fighter falls unconscious, the toughest lose a turn."""
    if levels <= 0:
        return conditions
    fatigue, minutes = conditions.fatigue + levels, max(0, LONGEST_SLEEP - tb)
    if fatigue <= tb:
        return replace(conditions, fatigue=fatigue)
    if minutes:
        return replace(conditions, fatigue=tb + 1, unconscious=minutes, prone=True)
    return replace(stun(conditions, 1), fatigue=tb, prone=True)


@clause("DW-FAT-2")
def wake(conditions: Conditions, tb: int) -> Conditions:
    """Return an unconscious fighter's conditions once it is awake, with fatigue up to its Toughness bonus."""
    return replace(conditions, unconscious=0, fatigue=min(conditions.fatigue, tb))


@clause("DW-FAT-3")
def fatigue_after_rest(fatigue: int, hours: float) -> int:
    """Return the fatigue after so many hours of complete rest: a level less for each, none after eight."""
    return 0 if hours >= NIGHT else max(0, fatigue - int(hours))


@clause("DW-STUN-1")
def stun(conditions: Conditions, rounds: int) -> Conditions:
    """Stun for so many rounds; the longer of two stuns counts."""
    return replace(conditions, stunned=max(conditions.stunned, rounds))


@clause("DW-COND-HELPLESS")
def is_helpless(conditions: Conditions) -> bool:
    """Return whether a fighter has no defence at all: caught in a snare, or unconscious."""
    return conditions.immobilised or conditions.unconscious > 0


@clause("DW-STUN-1", "DW-COND-HELPLESS", "DW-PIN-1")
def turn_allowance(conditions: Conditions, screaming: bool = False) -> TurnAllowance:
    """Return what the next turn may hold; `screaming`: on fire, and the Willpower test failed."""
    if conditions.unconscious:
        return TurnAllowance(False, 0, reason="it is unconscious", clause="DW-FAT-1")
    if conditions.stunned:
        reason = f"it is stunned for {plural(conditions.stunned, 'round')} and has no actions"
        return TurnAllowance(False, 0, reason=reason, clause="DW-STUN-1")
    if conditions.immobilised:
        return TurnAllowance(True, 0, "escape", "it is caught and may only try to break free", "DW-QUAL-SNARE")
    if screaming:
        return TurnAllowance(True, 0, "run", "it is on fire and may only run and scream", "DW-COND-FIRE")
    if conditions.pinned:
        return TurnAllowance(False, 1, reason="it is pinned: one Half Action only", clause="DW-PIN-1")
    if conditions.half_actions:
        return TurnAllowance(False, 1, reason="a critical wound leaves one Half Action", clause="DW-CRIT-2")
    return TurnAllowance(True, 2)


@clause("DW-COND-BLIND")
def refuse_sight(conditions: Conditions) -> Refused | None:
    """Refuse shots and other tests by sight of a blind fighter."""
    if conditions.blind:
        how_long = "for good" if conditions.blind >= FOR_GOOD else f"for {plural(conditions.blind, 'round')}"
        return Refused(f"it is blind {how_long}: tests by sight and Ballistic Skill fail", "DW-COND-BLIND", "blind")
    return None


@clause("DW-CRIT-2")
def modifiers_of(conditions: Conditions, test: str, spot: str = "") -> tuple[Modifier, ...]:
    """Return what critical wounds take from a test (ws, bs, s, t, ag …) made with this arm."""
    return tuple(
        Modifier("critical wound", amount, "DW-CRIT-2")
        for what, amount, left in conditions.penalties
        if amount and left < FOR_GOOD and (what in (test, spot) or (what == "all_but_t" and test != "t"))
    )


@clause("DW-CRIT-2")
def characteristic(conditions: Conditions, what: str, value: int) -> int:
    """Return a characteristic as critical wounds leave it: less what is lost for good, and halved if a row says so."""
    own = [(amount, left) for name, amount, left in conditions.penalties if name == what]
    value = max(0, value + sum(amount for amount, left in own if left >= FOR_GOOD))
    return value // 2 if any(not amount for amount, _ in own) else value


@clause("DW-CRIT-2")
def can_use(conditions: Conditions, spot: str) -> bool:
    """Return whether an arm or leg still serves: neither lost nor useless, with its hand or foot."""
    side, end = spot.rpartition("_")[0], {"arm": "hand", "leg": "foot"}.get(place_of(spot), "")
    gone = {spot, f"{side}_{end}" if side else end}
    return not gone & set(conditions.lost) and all(useless != spot for useless, _ in conditions.useless)


@clause("DW-CRIT-2")
def is_slowed(conditions: Conditions) -> bool:
    """Return whether movement is halved, by a wound or by a useless leg."""
    return conditions.slowed > 0 or not all(can_use(conditions, leg) for leg in ("right_leg", "left_leg", "leg"))


@clause("DW-STUN-1")
def end_turn(conditions: Conditions) -> Conditions:
    """End a fighter's own turn: stun and everything else with a duration is a round shorter."""
    if conditions == NOTHING:
        return conditions
    return replace(
        conditions,
        **{name: _a_round_less(getattr(conditions, name)) for name in ROUNDS},
        useless=tuple((spot, _a_round_less(left)) for spot, left in conditions.useless if left > 1),
        penalties=tuple((what, by, _a_round_less(left)) for what, by, left in conditions.penalties if left > 1),
    )


def _a_round_less(rounds: int) -> int:
    return rounds if rounds >= FOR_GOOD else max(0, rounds - 1)
