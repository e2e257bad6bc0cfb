"""Overwatch and suppressing fire: the units that are hit and pinned, and for how long."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

from battletape.rulebook import BadInput, Reading, Refused, Tape, clause, d, labelled, replace
from battletape.rulesets.deathwatch.profiles.types import WeaponProfile
from battletape.rulesets.deathwatch.rules import blasts, d100_tests, damage, guns, traits
from battletape.rulesets.deathwatch.rules.attack import records, stages
from battletape.rulesets.deathwatch.rules.attack.modifiers import Situation
from battletape.rulesets.deathwatch.rules.conditions import Conditions
from battletape.rulesets.deathwatch.rules.keywords import qualities_named
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings
from battletape.rulesets.deathwatch.tables.sheet import DIFFICULTIES, situation_key

Fire: TypeAlias = Literal["semi", "full", "suppressing"]
"""Fire from overwatch."""
PINNING = traits.Modifier("to keep one's head is Hard", DIFFICULTIES["Hard"], "DW-SUPP-1")
NOT_SHOT_AT = traits.Modifier("not shot at since the last turn", 30, "DW-PIN-2")
OWN_ROWS = ("fatigued", "mud_or_heavy_rain", "weapon_without_talent", "deep_snow", "heavy_weapon_unbraced")
"""Rows of the summary that are the shooter's own state and footing."""
OWN_STATE = (
    *("action", "overwatch", "aim", "grade", "untrained", "heavy", "braced", "gyro"),
    *("fatigue", "pinned", "blind", "other"),
)
"""Of a situation no range, no size and nothing of a target."""
ARC_DEGREES = 45.0
MAX_TARGETS = 100
THE_FIRST = Reading(lambda face: face == 1, "1 or less", {True: "the first", False: "another"}, good=(True,))


# --- areas ------------------------------------------------------------------------------------------------------------


@clause("DW-OVER-1", "DW-ACT-OVERWATCH", "DW-SUPP-1")
def in_arc(distance: float, bearing: float, reach: float, rulings: Rulings = DEFAULT) -> bool:
    """Return whether a point lies in a kill zone or area under fire: an arc of 45 degrees, out to this reach."""
    half = ARC_DEGREES if rulings.arc_of_45 == "each_side" else ARC_DEGREES / 2
    return 0 <= distance <= reach and blasts.off_axis(bearing) <= half


@clause("DW-SUPP-1", "DW-ACT-SUPPRESSING-FIRE")
def suppressed_reach(range_m: float) -> float:
    """Return how far suppressing fire reaches: half the weapon's range."""
    return range_m / 2


# --- overwatch --------------------------------------------------------------------------------------------------------


@clause("DW-OVER-4")
def overwatch_hours(willpower: int) -> int:
    """Return how many hours a fighter can keep overwatch: its Willpower bonus."""
    return d100_tests.bonus(willpower)


@clause("DW-OVER-4")
def ends_by_fire(willpower: int, rulings: Rulings = DEFAULT) -> bool:
    """Return whether overwatch is over once it has fired: by the ruling, or where Willpower cannot hold it at all."""
    return rulings.overwatch == "ends_with_fire" or not overwatch_hours(willpower)


@clause("DW-SUPP-2")
def situation_that_counts(s: Situation, rulings: Rulings = DEFAULT) -> Situation:
    """Return what counts of the situation of suppressing fire: only the shooter's own state, unless ruled otherwise."""
    if rulings.suppressing_modifiers != "own_state":
        return s
    own: dict[str, Any] = {name: getattr(s, name) for name in OWN_STATE}
    return Situation(**own, situations=tuple(row for row in s.situations if situation_key(row) in OWN_ROWS))


@clause("DW-SUPP-2")
def unused_rows(fire: Fire, situations: Sequence[str], rulings: Rulings = DEFAULT) -> tuple[str, ...]:
    """Return rows of the summary that were named and do not count for such fire."""
    if fire != "suppressing" or rulings.suppressing_modifiers != "own_state":
        return ()
    return tuple(key for key in map(situation_key, situations) if key not in OWN_ROWS)


# --- suppressing fire -------------------------------------------------------------------------------------------------


@clause("DW-SUPP-1", "DW-ACT-SUPPRESSING-FIRE", "DW-QUAL-FLAME")
def refuse_suppress(weapon: WeaponProfile) -> Refused | None:
    """Refuse suppressing fire of a weapon without bursts, or of flames."""
    name = weapon.name or "the weapon"
    if qualities_named(weapon.qualities).flame:
        return Refused(f"{name} has no bursts; suppressing fire needs semi-auto or full auto", "DW-SUPP-1", "mode")
    if not (weapon.semi or weapon.full):
        has = " or ".join(guns.MODE_WORDS[mode] for mode in guns.modes_of(weapon)) or "no mode of fire"
        return Refused(f"suppressing fire needs semi-auto or full auto; {name} has {has}", "DW-SUPP-1", "mode")
    return None


@clause("DW-SUPP-2", "DW-SUPP-4")
def burst_of(weapon: WeaponProfile) -> traits.Mode:
    """Return the fastest burst of a gun, whose rounds are those of suppressing fire, and its most hits."""
    return "full" if weapon.full else "semi"


@clause("DW-SUPP-3")
def roll_unit_hit(tape: Tape, names: Sequence[str]) -> int:
    """Roll which unit takes a hit; if only the first has a name, the first or another."""
    number = len(names)
    if not 1 <= number <= MAX_TARGETS:
        raise BadInput(f"suppressing fire needs 1 to {MAX_TARGETS} targets; got {number}", clause="DW-SUPP-3")
    if number == 1:
        return 0
    if not any(names[1:]):
        return int(not tape.roll(d(number), THE_FIRST, label="who is hit"))
    text = ", ".join(f"{number} {name}" for number, name in enumerate(names, 1))
    return names.index(tape.roll(d(number), Reading(lambda face: names[face - 1], text), label="who is hit"))


@clause("DW-SUPP-3", "DW-LOC-1")
def place_stray(tape: Tape, spec: records.PreparedAttack) -> damage.Hit:
    """Roll the place of a hit of suppressing fire."""
    return stages.hit_for(spec, stages.roll_spot(tape, spec.left_and_right), 0, False)


# --- pinning ----------------------------------------------------------------------------------------------------------


@clause("DW-SUPP-1", "DW-OVER-3", "DW-HORDE-9")
def pin_target(willpower: int, magnitude: int = 0, more: int = 0, rulings: Rulings = DEFAULT) -> int:
    """Return the target number of a unit not to be pinned: a Hard test, to which a horde adds its Magnitude."""
    return d100_tests.target(willpower, (PINNING, magnitude, more), rulings)


PinTest: TypeAlias = tuple[str, int, Rulings, str]
"""A test not to be pinned: the unit for its label, the target, rulings, and the name to note, if any."""


class PinnedUnits(NamedTuple):
    """The number of pinned units, and their names."""

    number: int = 0
    names: tuple[str, ...] = ()


@clause("DW-SUPP-1", "DW-OVER-3", "DW-HORDE-9", "DW-HPIPE-1")
def pin_one(tape: Tape, pinned: PinnedUnits, test: PinTest) -> PinnedUnits:
    """Test one unit under such fire, hit or not; if it fails, it is pinned."""
    name, target, rulings, noted_as = test
    if d100_tests.roll_success(tape, target, labelled(name, "willpower (pinned)"), rulings, by="defender"):
        return pinned
    return PinnedUnits(pinned.number + 1, (*pinned.names, noted_as) if noted_as else pinned.names)


@clause("DW-PIN-2")
def recovery_target(
    willpower: int, shot_at: bool, more: Sequence[traits.Modifier | int] = (), rulings: Rulings = DEFAULT
) -> int:
    """Return the target number of a pinned unit to recover; easier if it was not shot at."""
    return d100_tests.target(willpower, (*more, *(() if shot_at else (NOT_SHOT_AT,))), rulings)


@clause("DW-PIN-2")
def recovers_from_pinning(tape: Tape, name: str, target: int, rulings: Rulings = DEFAULT) -> bool:
    """Test whether a pinned unit recovers at the end of its turn."""
    return d100_tests.roll_success(tape, target, labelled(name, "willpower (recover)"), rulings, by="defender")


@clause("DW-PIN-3", "DW-COND-ENGAGED")
def without_pinning(conditions: Conditions) -> Conditions:
    """Return the conditions of a fighter that comes into melee, where none stays pinned."""
    return replace(conditions, pinned=False) if conditions.pinned else conditions
