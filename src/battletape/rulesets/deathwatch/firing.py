"""Guns: which modes they have, what a burst costs, reloading, clearing a jam, and what stops one from being fired."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from battletape.clauses import cites, clause
from battletape.errors import Refused
from battletape.rulesets.deathwatch.checks import target
from battletape.rulesets.deathwatch.modifiers import AIM_BONUS, Action, fatigue_modifier
from battletape.rulesets.deathwatch.profiles import secondary
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings
from battletape.rulesets.deathwatch.shapes import Weapon
from battletape.rulesets.deathwatch.traits import MODES, Mode, Modifier, Qualities

__all__ = [
    "MODE_WORDS",
    "Cleared",
    "aim_bonus",
    "clear_jam",
    "clear_target",
    "format_modes",
    "may_fire_after",
    "modes_of",
    "needs_bracing",
    "refuse_allocation",
    "refuse_called",
    "refuse_mode",
    "refuse_reload",
    "refuse_state",
    "reload_actions",
    "rof_of",
    "rounds_used",
    "secondary",
    "takes_a_turn",
]

MODE_WORDS: Mapping[str, str] = {"single": "single shots", "semi": "semi-auto", "full": "full auto"}
SHARED_WITHIN = 2  # metres: how far extra hits of a burst may be given to others
RECHARGED_AFTER = 2  # rounds
cites("DW-ACT-STANDARD-ATTACK", "DW-RWEP-00", where=f"{__name__}.MODE_WORDS")
HALF_ATTACKS: tuple[Action, ...] = ("", "standard")  # all others are Full Actions
NO_QUALITIES = Qualities()


# --- modes and rounds -------------------------------------------------------------------------------------------------


@clause("DW-RWEP-00")
def modes_of(weapon: Weapon) -> tuple[Mode, ...]:
    """The ways a gun can be fired."""
    has = {"single": weapon.single, "semi": weapon.semi, "full": weapon.full}
    return () if weapon.melee else tuple(mode for mode in MODES if has[mode])


def format_modes(weapon: Weapon) -> str:
    """What a gun can do, in words: single shots, semi-auto (2) or full auto (4)."""
    numbers = {"single": "", "semi": f" ({weapon.semi})", "full": f" ({weapon.full})"}
    return " or ".join(MODE_WORDS[mode] + numbers[mode] for mode in modes_of(weapon)) or "none at all"


@clause("DW-RWEP-00", "DW-ACT-STANDARD-ATTACK")
def rof_of(
    weapon: Weapon,
    mode: Mode,
    clip: int | None = None,
    qualities: Qualities = NO_QUALITIES,
    rules: Rulings = DEFAULT,
) -> int:
    """Rounds, and most hits, of a mode; with the ruling, no more than the clip still gives."""
    full = {"single": 1, "semi": weapon.semi, "full": weapon.full}[mode]
    if clip is None or rules.short_clip == "no_burst":
        return full
    return min(full, clip // _times(mode, qualities, rules))


@clause("DW-RWEP-00", "DW-QUAL-STORM", "DW-QUAL-TWIN")
def rounds_used(weapon: Weapon, mode: Mode, qualities: Qualities = NO_QUALITIES, rules: Rulings = DEFAULT) -> int:
    """Rounds that an attack spends, whatever its roll; two barrels spend twice as many."""
    return rof_of(weapon, mode) * _times(mode, qualities, rules)


def _times(mode: Mode, qualities: Qualities, rules: Rulings) -> int:
    storm = qualities.storm and (mode != "single" or rules.storm == "every_mode")
    return 2 if storm or qualities.twin else 1


@clause("DW-RWEP-00")
def refuse_mode(
    weapon: Weapon,
    mode: Mode,
    clip: int | None = None,
    jammed: bool = False,
    qualities: Qualities = NO_QUALITIES,
    rules: Rulings = DEFAULT,
) -> Refused | None:
    """Why a gun cannot be fired in this mode now."""
    name = weapon.name or "the weapon"
    if weapon.melee:
        return Refused(f"{name} is for melee and has no fire modes", "DW-RWEP-00", "mode")
    if mode not in modes_of(weapon):
        reason = f"{name} has no {MODE_WORDS[mode]}; {format_modes(weapon)} would do"
        return Refused(reason, "DW-RWEP-00", "mode")
    if jammed:
        return Refused(f"{name} is jammed; clear it first, a Full Action", "DW-JAM-2", "jammed")
    if clip is None:
        return None
    rof = rof_of(weapon, mode, clip, qualities, rules)
    if not rof or clip < rof * _times(mode, qualities, rules):
        wants = rounds_used(weapon, mode, qualities, rules)
        what = f"{MODE_WORDS[mode]} of {name} wants {wants} {'round' if wants == 1 else 'rounds'}"
        fits = [one for one in modes_of(weapon) if rounds_used(weapon, one, qualities, rules) <= clip]
        would = f"; {' or '.join(MODE_WORDS[one] for one in fits)} would do" if fits else "; reload first"
        return Refused(f"{what}, the clip holds {clip}{would}", "DW-RWEP-00", "clip")
    return None


@clause("DW-RWEP-00", "DW-QUAL-RECHARGE", "DW-QUAL-OVERHEATS", "DW-ACT-READY")
def refuse_state(
    weapon: Weapon,
    round: int,
    fired_round: int | None = None,
    overheated_until: int = 0,
    ready: bool = True,
    destroyed: bool = False,
    qualities: Qualities = NO_QUALITIES,
) -> Refused | None:
    """Why a weapon cannot be used in this round: broken, not in hand, too hot, or not charged again."""
    name = weapon.name or "the weapon"
    if destroyed:
        return Refused(f"{name} is destroyed; use another weapon", "DW-QUAL-POWER-FIELD", "destroyed")
    if not ready:
        return Refused(f"{name} is not in hand; ready it first, a Half Action", "DW-ACT-READY", "ready")
    if round <= overheated_until:
        reason = f"{name} is too hot in round {round}; it can be fired from round {overheated_until + 1} on"
        return Refused(reason, "DW-QUAL-OVERHEATS", "overheated")
    if qualities.recharge and fired_round is not None and not may_fire_after(fired_round, round):
        again = fired_round + RECHARGED_AFTER
        reason = f"{name} was fired in round {fired_round} and charges; it can be fired again in round {again}"
        return Refused(reason, "DW-QUAL-RECHARGE", "recharge")
    return None


@clause("DW-QUAL-RECHARGE")
def may_fire_after(fired_round: int, round: int) -> bool:
    """Whether a weapon that charges up may fire in a round: not in the one after it was fired."""
    return round >= fired_round + RECHARGED_AFTER


@clause("DW-ACT-CALLED-SHOT")
def refuse_called(mode: Mode, flame: bool = False, blast: bool = False) -> Refused | None:
    """Why a place cannot be called: only one blow or one single shot may be aimed at it."""
    if mode != "single":
        reason = f"a called shot is one single shot; got {MODE_WORDS[mode]}"
        return Refused(reason, "DW-ACT-CALLED-SHOT", "called")
    if flame or blast:
        what = "flames cannot" if flame else "a blast cannot"
        return Refused(f"{what} be aimed at one place of a body; leave the place out", "DW-ACT-CALLED-SHOT", "called")
    return None


@clause("DW-AUTO-3")
def refuse_allocation(separation: float) -> Refused | None:
    """Why an extra hit of a burst cannot be given to somebody: he stands too far from the first target."""
    if separation <= SHARED_WITHIN:
        return None
    reason = f"extra hits go to targets within {SHARED_WITHIN} m of the first; this one is {separation:g} m away"
    return Refused(reason, "DW-AUTO-3", "range")


# --- aiming and bracing -----------------------------------------------------------------------------------------------


@clause("DW-ACT-AIM")
def aim_bonus(aim: Literal["none", "half", "full"], reacted: bool = False) -> int:
    """What an aim adds to the next attack; who reacted to an attack has lost it."""
    return 0 if reacted else AIM_BONUS[aim]


@clause("DW-ACT-AIM", "DW-ECON-1", "DW-ECON-2")
def takes_a_turn(aim: Literal["none", "half", "full"], action: Action) -> bool:
    """Whether an aim takes a turn of its own: a full aim, and a half aim before an attack that is a Full Action."""
    return aim == "full" or (aim == "half" and action not in HALF_ATTACKS)


@clause("DW-ACT-BRACE-HEAVY-WEAPON")
def needs_bracing(weapon: Weapon, no_bracing: bool = False) -> bool:
    """Whether a weapon is hard to fire unless it is braced: the heavy ones, unless a talent or suit carries them."""
    return weapon.kind == "Heavy" and not no_bracing


# --- reloading --------------------------------------------------------------------------------------------------------


@clause("DW-ACT-RELOAD", "DW-QUAL-TWIN")
def reload_actions(reload: int, qualities: Qualities = NO_QUALITIES) -> int:
    """Full Actions in a row that a reload takes; two barrels take twice as long."""
    return reload * (2 if qualities.twin else 1)


@clause("DW-ACT-RELOAD")
def refuse_reload(clip: int, size: int, name: str = "the weapon") -> Refused | None:
    """Why a weapon cannot be reloaded: its clip is full."""
    if clip < size:
        return None
    return Refused(f"{name} holds {clip} of {size} rounds already; reload it when rounds are gone", "DW-ACT-RELOAD")


# --- jams -------------------------------------------------------------------------------------------------------------


class Cleared(NamedTuple):
    """A weapon after somebody tried to clear it."""

    jammed: bool
    clip: int


@clause("DW-JAM-2")
def clear_jam(clip: int, success: bool, rules: Rulings = DEFAULT) -> Cleared:
    """What an attempt to clear a jam leaves: a free weapon without its clip, or the same jam."""
    return Cleared(not success, 0 if success and rules.jam_clear_empties_clip else clip)


@clause("DW-JAM-2")
def clear_target(bs: int, modifiers: Sequence[Modifier | int] = (), fatigue: int = 0, rules: Rulings = DEFAULT) -> int:
    """What the test to clear a jam must roll or less."""
    return target(bs, (*modifiers, fatigue_modifier(fatigue, rules)), rules)
