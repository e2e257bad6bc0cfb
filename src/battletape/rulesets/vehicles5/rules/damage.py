"""Penetration and damage: whether a hit goes through, and what a row of the damage table does."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from itertools import product
from operator import ge, gt, le, lt
from typing import Any, Literal, NamedTuple, TypeAlias

from battletape.rulebook import (
    D3,
    D6,
    Line,
    Reading,
    Rule,
    State,
    Tape,
    because,
    capital,
    clause,
    highest,
    labelled,
    listed,
    plain,
    plural,
    replace,
)
from battletape.rulesets.vehicles5.rules.traits import Ap, Band, DamageRow, Hit, PenDice, Status, Traits
from battletape.rulesets.vehicles5.rulings import DEFAULT, Rulings
from battletape.rulesets.vehicles5.tables.printed import DAMAGE_MODIFIERS, DAMAGE_TABLE, PAIR, TWO_DICE

RENDING_FACE = 6  # the face to which rending adds a D3
HIGHEST_TOTAL: Mapping[PenDice, int] = {"d6": 6, "higher_of_two": 6, "2d6": 12, "six_adds_d3": 9}


@clause("V5-PEN-3", "V5-PEN-1", "V5-PEN-2", "V5-CORE-11", "V5-CORE-12")
def penetrate(tape: Tape, name: str, dice: PenDice, gap: int, armour: int = 0, by: str = "") -> Hit:
    """Roll the penetration of one hit against armour that is this much more than its strength."""
    label = labelled(name, "penetration")
    reading = hit_reading(gap, dice, armour)
    if dice == "higher_of_two":
        hit: Hit | None = tape.pool(2, PAIR, reading, label=label, whole=highest, by=by)
    else:
        hit = tape.roll(TWO_DICE if dice == "2d6" else D6, reading, label=label, by=by)
    return hit or tape.roll(D3, hit_reading(gap - RENDING_FACE, armour=armour), label=labelled(name, "D3 more"), by=by)


@clause("V5-PEN-3")
def penetration_result(gap: int, total: int) -> Hit:
    """Compare the dice with the gap: equal is a glance, more a penetration."""
    return "penetrate" if total > gap else "glance" if total == gap else "none"


@lru_cache(256)
def hit_reading(gap: int, dice: PenDice = "d6", armour: int = 0) -> Reading:
    """Read a die against the gap; the 6 of a rending weapon decides nothing yet. `armour` is for the words only."""
    if armour:
        return because(hit_reading(gap, dice), f"against armour {armour}")
    needed = f"glance {gap}, penetrate {gap + 1}+" if gap > 0 else "penetrates"
    if dice == "six_adds_d3":
        text = f"{needed}; {RENDING_FACE} and a D3 more"
        return Reading(
            lambda value: None if value == RENDING_FACE else penetration_result(gap, value), text, {None: "and a D3"}
        )
    if dice == "higher_of_two":
        passing = range(max(gap, 1), 7)  # of each of the two
        return Reading(lambda value: penetration_result(gap, value), f"higher one: {needed}", passing=passing)
    return Reading(lambda value: penetration_result(gap, value), needed, good=("glance", "penetrate"))


BelowTable: TypeAlias = Literal["clamp", "nothing"]
CrashRule: TypeAlias = Literal["no", "row", "every"]
DamageResult: TypeAlias = tuple[DamageRow | None, str]
"""The result of a shot or a blow, and the weapon lost by it, if any."""
TWO_TURNS = 2  # from one own player turn to the next
ALL_RESULTS = 100  # results counted where each of them matters


class Condition(State, frozen=True):
    """The damage that a vehicle has taken, and the weapons that are left."""

    shaken: bool = False
    stunned: bool = False
    immobilised: bool = False
    weapons: tuple[str, ...] = ()  # intact, in the order of the vehicle
    status: Status = "ok"
    crash: CrashRule = "no"  # of a skimmer flat out, by the ruling crash_on
    passes_over: bool = True  # the ruling repeat_damage
    max_repeats: int = 0  # results shaken or stunned beyond the first, at most
    shaken_again: int = 0
    stunned_again: int = 0
    melee: tuple[str, ...] = ()  # its close combat weapons, intact or not
    in_batch: bool = False  # the ruling volley_order: a wreck may still explode
    keeps_damage: bool = False  # its earlier damage once it is destroyed

    @property
    def is_destroyed(self) -> bool:
        """Return whether the vehicle is wrecked or exploded."""
        return self.status != "ok"

    @property
    def ended_by(self) -> str:
        """Return the clause of its destruction."""
        return "V5-DMG-5" if self.status == "wrecked" else "V5-DMG-6"

    @property
    def dazed(self) -> tuple[str, str] | None:
        """Return the word for a crew that does not shoot, stunned or shaken, and its clause."""
        if self.stunned:
            return "stunned", "V5-DMG-2"
        return ("shaken", "V5-DMG-1") if self.shaken else None

    @property
    def is_stuck(self) -> bool:
        """Return whether the vehicle is immobilised, wrecked or exploded."""
        return self.immobilised or self.is_destroyed

    @property
    def is_silent(self) -> bool:
        """Return whether the vehicle fires nothing: its crew is dazed, or no weapon that fires is left."""
        return self.shaken or self.stunned or all(name in self.melee for name in self.weapons)

    def has_lost(self, start: Condition) -> bool:
        """Return whether a weapon or the vehicle has been lost since then."""
        return self.is_destroyed or len(self.weapons) < len(start.weapons)


UNDAMAGED = Condition()  # nothing has happened to it


@clause("V5-DMGMOD-5", "V5-DMGMOD-2", "V5-DMGMOD-3", "V5-DMGMOD-4", "V5-OPEN-5")
def damage_modifier(ap: Ap | None, open_topped: bool, rulings: Rulings = DEFAULT, extra: int = 0) -> int:
    """Return the modifier of the damage roll after a penetration."""
    total = extra + DAMAGE_MODIFIERS["open_topped"] * open_topped
    if ap is None:
        return total + rulings.ap_none_modifier
    return total + {"-": DAMAGE_MODIFIERS["ap_dash"], 1: DAMAGE_MODIFIERS["ap_1"]}.get(ap, 0)


@clause("V5-DMGMOD-1")
def modifier_of_result(of_penetration: int, hit: Hit) -> int:
    """Return the modifier of the damage roll after this hit; a glance has 2 less."""
    return of_penetration + DAMAGE_MODIFIERS["glance"] if hit == "glance" else of_penetration


@clause("V5-DMGMOD-5")
def row_of_value(value: int, low: BelowTable = "clamp") -> DamageRow:
    """Return the row of the damage table, of which the first and last are open-ended."""
    if value < 1:
        return "none" if low == "nothing" else DAMAGE_TABLE[1]
    return DAMAGE_TABLE[min(value, 6)]


@lru_cache(256)
def damage_reading(by: int, low: BelowTable = "clamp") -> Reading:
    """Read a D6 on the damage table with this modifier."""
    text = "damage table" + (f", {by:+d}".replace("-", "−") if by else "")
    return Reading(lambda value: row_of_value(value + by, low), text, _WORDS)


_WORDS = {row: plain(row) for row in DAMAGE_TABLE.values()}


@clause("V5-SKIM-7")
def crash_of(traits: Traits, band: Band, rulings: Rulings = DEFAULT, by_table: bool = True) -> CrashRule:
    """Return which results make a skimmer flat out crash; by a ruling the damage table alone."""
    if not traits.skimmer or band != "flat_out":
        return "no"
    if rulings.crash_on == "every_immobilised":
        return "every"
    return "row" if by_table else "no"


@clause("V5-CUMUL", "V5-DMG-3", "V5-DMG-4", "V5-SKIM-7", "V5-MARK-4")
def effective_row(condition: Condition, row: DamageRow) -> DamageRow:
    """Return the row that counts: one without effect becomes another, and a skimmer may crash."""
    if condition.is_destroyed:
        return "none"
    if row == "weapon_destroyed":
        if condition.weapons:
            return row
        if not condition.passes_over:
            return "none"
        return "wrecked" if condition.immobilised or condition.crash == "every" else "immobilised"
    if row == "immobilised":
        if not condition.immobilised:
            return "immobilised" if condition.crash == "no" else "wrecked"
        if not condition.passes_over:
            return "none"
        return "weapon_destroyed" if condition.weapons else "wrecked"
    return row


@clause("V5-DMG-3")
def choose_destroyed_weapon(tape: Tape, weapons: tuple[str, ...], by: str) -> str:
    """Choose the weapon that is destroyed."""
    return str(tape.choose(weapons, by=by, label="weapon destroyed"))


@clause("V5-DMG-3", "V5-VOLLEY-2", "V5-CUMUL")
def condition_with(
    weapons: Iterable[str], melee: tuple[str, ...] = (), condition: Condition = UNDAMAGED, rulings: Rulings = DEFAULT
) -> Condition:
    """Return the condition of a vehicle with these weapons, by the rulings."""
    lasting = () if rulings.melee_weapon_can_be_destroyed else melee
    return Condition(
        condition.shaken,
        condition.stunned,
        condition.immobilised,
        tuple(name for name in weapons if name not in lasting),
        passes_over=rulings.repeat_damage == "pass_over",
        melee=melee,
        in_batch=rulings.volley_order == "batch",
    )


def _condition_after(condition: Condition, row: DamageRow | None, lost: str) -> Condition:
    if row is None or row == "none" or is_beyond_damage(condition):
        return condition
    if condition.status == "wrecked":
        return replace(condition, status="exploded") if row == "exploded" else condition
    done = effective_row(condition, row)
    if done in ("shaken", "stunned"):
        return _with_daze(condition, done)
    if done == "immobilised":
        return replace(condition, immobilised=True)
    if done == "weapon_destroyed":
        weapons = list(condition.weapons)
        weapons.remove(lost or weapons[0])
        return replace(condition, weapons=tuple(weapons))
    if done == "wrecked":
        stuck = condition.immobilised or row != "wrecked"
        return replace(condition, status="wrecked", immobilised=stuck)
    return replace(condition, status="exploded") if done == "exploded" else condition


def _with_daze(condition: Condition, done: Literal["shaken", "stunned"]) -> Condition:
    if not getattr(condition, done):
        return replace(condition, **{done: True})
    again = getattr(condition, f"{done}_again")
    return replace(condition, **{f"{done}_again": again + 1}) if again < condition.max_repeats else condition


@clause("V5-VOLLEY-2")
def is_beyond_damage(condition: Condition) -> bool:
    """Return whether nothing more can happen to a vehicle."""
    return condition.status == "exploded" or (condition.status == "wrecked" and not condition.in_batch)


@clause("V5-DMG-3", "V5-MARK-1")
def roll_damage_result(
    tape: Tape, roll_shot: Rule, shot: Any, rows: tuple[DamageRow, ...], weapons: tuple[str, ...]
) -> DamageResult:
    """Roll what a shot or blow comes to; the side that dealt it chooses the weapon that is lost."""
    row: DamageRow | None = tape.call(roll_shot, shot)
    return row, tape.call(choose_destroyed_weapon, weapons, shot.by) if row in rows else ""


@clause("V5-DMG-3", "V5-CUMUL")
def weapon_choice(condition: Condition) -> tuple[tuple[DamageRow, ...], tuple[str, ...]]:
    """Return the results that cost a weapon, and the weapons to choose from; nothing where there is no choice."""
    weapons = tuple(dict.fromkeys(condition.weapons))  # equal names are one option
    if len(weapons) < 2 or condition.is_destroyed:
        return (), ()
    if condition.immobilised and condition.passes_over:
        return ("weapon_destroyed", "immobilised"), weapons
    return ("weapon_destroyed",), weapons


@clause("V5-MARK-1", "V5-DMG-1", "V5-DMG-2", "V5-DMG-3", "V5-DMG-4", "V5-CUMUL", "V5-VOLLEY-2")
def apply_result(condition: Condition, result: DamageResult) -> Condition:
    """Return the condition of a vehicle after a damage result."""
    after = _condition_after(condition, *result)
    return after if condition.keeps_damage else forget_damage_if_destroyed(after)


@clause("V5-MARK-1")
def forget_damage_if_destroyed(condition: Condition) -> Condition:
    """Forget all of a destroyed vehicle but its end, and whether a wreck may still explode."""
    if not condition.is_destroyed:
        return condition
    may_explode = condition.status == "wrecked" and condition.in_batch
    return Condition(status=condition.status, in_batch=may_explode)


@clause("V5-PEN-4", "V5-DMGMOD-5")
def roll_row(tape: Tape, name: str, by_modifier: int, low: BelowTable = "clamp", by: str = "") -> DamageRow:
    """Roll the die of a damage roll."""
    row: DamageRow = tape.roll(D6, damage_reading(by_modifier, low), label=labelled(name, "damage"), by=by)
    return row


@clause("V5-DMG-1", "V5-DMG-2")
def end_of_daze(player_turn: int, is_owners: bool, rulings: Rulings = DEFAULT) -> int:
    """Return the player turn at whose end shaken or stunned is over."""
    if not is_owners:
        return player_turn + 1
    return player_turn if rulings.shaken_in_own_turn == "this_turn" else player_turn + TWO_TURNS


@clause("V5-CUMUL")
def dazed_until(
    ends: tuple[int, int], was: Condition, now: Condition, player_turn: int, is_owners: bool, rulings: Rulings
) -> tuple[int, int]:
    """Return when shaken and when stunned end, after all such results of a player turn."""
    shaken, stunned = ends
    for _ in range(now.shaken - was.shaken + now.shaken_again):
        shaken = end_of_repeated_daze(shaken, player_turn, is_owners, rulings)
    for _ in range(now.stunned - was.stunned + now.stunned_again):
        stunned = end_of_repeated_daze(stunned, player_turn, is_owners, rulings)
    return shaken, stunned


@clause("V5-CUMUL")
def max_repeated_dazes(rulings: Rulings) -> int:
    """Return how many results shaken or stunned beyond the first count."""
    return ALL_RESULTS if rulings.repeated_shaken == "adds_up" else 0


@clause("V5-CUMUL")
def end_of_repeated_daze(until: int, player_turn: int, is_owners: bool, rulings: Rulings = DEFAULT) -> int:
    """Return when shaken or stunned ends for a vehicle that was so until then (0: it was not)."""
    if rulings.repeated_shaken == "adds_up" and until >= player_turn:
        return until + TWO_TURNS
    return max(until, end_of_daze(player_turn, is_owners, rulings))


UNNAMED = "weapon"
"""A weapon of which nothing is known but that it is there."""
UNCHANGED = "no worse than before"
IN_ORDER = "in order"
COUNT_WORDS = ("no", "one", "two", "three", "four", "five", "six")
MOST_LOST = 60
"""How many lost weapons a condition may have that is compared with others."""


class Severity(NamedTuple):
    """How bad a condition is, by the damage table: the field that stands first counts first."""

    exploded: bool = False
    wrecked: bool = False
    immobilised: bool = False
    weapons_lost: int = 0
    stunned: bool = False
    shaken: bool = False

    def words(self) -> str:
        """Return the condition as players read it."""
        if self.exploded or self.wrecked:
            return "exploded" if self.exploded else "wrecked"
        lost = self.weapons_lost
        count = COUNT_WORDS[lost] if lost < len(COUNT_WORDS) else str(lost)
        words = [f"{count} weapon{'s' if lost > 1 else ''} lost"] if lost > 0 else []
        words += [word for word in ("immobilised", "stunned", "shaken") if getattr(self, word)]
        return ", ".join(words) or IN_ORDER


ONE_LOST = "weapon lost"


@lru_cache(1)
def _severities() -> Mapping[str, Severity]:
    """Return how bad each condition is, by its words."""
    flags, lost = (False, True), range(MOST_LOST + 1)
    each = (Severity(False, False, *rest) for rest in product(flags, lost, flags, flags))
    destroyed = (Severity(wrecked=True), Severity(exploded=True))
    named = {severity.words(): severity for severity in (*each, *destroyed)}
    return {**named, UNCHANGED: Severity(), ONE_LOST: Severity(weapons_lost=1)}


def _by_severity(compare: Callable[[Any, Any], bool]) -> Any:
    def compared(words: ConditionWords, other: object) -> Any:
        if not isinstance(other, str):
            return NotImplemented
        return compare(words.severity, ConditionWords(other).severity)

    return compared


class ConditionWords(str):
    """A condition in words that sort by how bad it is."""

    __slots__ = ()
    __lt__, __le__, __gt__, __ge__ = map(_by_severity, (lt, le, gt, ge))

    @property
    def severity(self) -> Severity:
        """How bad the condition is; words that are not in the damage table raise TypeError."""
        found = _severities().get(str(self))
        if found is None:
            raise TypeError(f"{str(self)!r} is no result of the damage table")
        return found


def worst_change(start: Condition, now: Condition) -> ConditionWords:
    """Return the worst change from one condition to another."""
    if now.is_destroyed:
        return condition_summary(now)
    if now.immobilised and not start.immobilised:
        return ConditionWords(Severity(immobilised=True).words())
    if len(now.weapons) < len(start.weapons):
        return ConditionWords(ONE_LOST)
    if now.stunned and not start.stunned:
        return ConditionWords(Severity(stunned=True).words())
    if now.shaken and not start.shaken:
        return ConditionWords(Severity(shaken=True).words())
    return ConditionWords(UNCHANGED)


def condition_summary(condition: Condition, weapons: int | None = None) -> ConditionWords:
    """Describe a condition in words; lost weapons count if the number at first is known."""
    if condition.is_destroyed:
        exploded = condition.status == "exploded"
        return ConditionWords(Severity(exploded=exploded, wrecked=not exploded).words())
    lost = 0 if weapons is None else weapons - len(condition.weapons)
    bad = Severity(False, False, condition.immobilised, max(lost, 0), condition.stunned, condition.shaken)
    return ConditionWords(bad.words())


# --- what is told ---------------------------------------------------------------------------------------------------

VEHICLE = "the vehicle"
"""The name of a vehicle in a sentence, where it has none."""
_CLAUSES_OF_WORDS = {"shaken": "V5-DMG-1", "stunned": "V5-DMG-2", "immobilised": "V5-DMG-4"}


def damage_line(name: str, before: Condition, after: Condition) -> Line:
    """Say what shots or blows did to a vehicle."""
    subject = capital(name)
    if after.is_destroyed:
        word = "explodes" if after.status == "exploded" else "is wrecked"
        return Line(f"{subject} {word}", (after.ended_by,), result=after.status)
    worse = [(word, by) for word, by in _CLAUSES_OF_WORDS.items() if getattr(after, word) and not getattr(before, word)]
    parts = [f"is {', '.join(word for word, _ in worse)}"] if worse else []
    lost = lost_weapons(before, after)
    if lost:
        worse.append(("a weapon lost" if len(lost) == 1 else f"{len(lost)} weapons lost", "V5-DMG-3"))
        parts.append(f"loses {_weapon_names(lost)}")
    if not worse:
        return Line(f"{subject} is as before", ("V5-VOLLEY-1",), result="unchanged")
    result = ", ".join(word for word, _ in worse)
    return Line(f"{subject} {' and '.join(parts)}", tuple(by for _, by in worse), result=result)


def lost_weapons(before: Condition, after: Condition) -> tuple[str, ...]:
    """Return the weapons that are gone, each as often as it was lost."""
    left = list(after.weapons)
    lost = []
    for name in before.weapons:
        if name in left:
            left.remove(name)
        else:
            lost.append(name)
    return tuple(lost)


def _weapon_names(lost: Iterable[str]) -> str:
    """Name the weapons that are lost; those without a name of their own are counted."""
    names = list(lost)
    named = [f"its {name}" for name in names if name != UNNAMED]
    unnamed = len(names) - len(named)
    return listed([*named, *([plural(unnamed, "weapon") if unnamed > 1 else "a weapon"] if unnamed else [])])


def changed_result_line(condition: Condition, result: DamageResult) -> Line | None:
    """Say why a result does something else than the table says; nothing if it does just that."""
    row = result[0]
    if row is None or row == "none" or condition.is_destroyed:
        return None
    done = effective_row(condition, row)
    if done == row:
        again = done in ("shaken", "stunned") and getattr(condition, done)
        return Line(f"It was {done} already", ("V5-CUMUL",), result=done) if again else None
    if row == "immobilised" and not condition.immobilised:
        return Line("A skimmer at this speed crashes when it is immobilised", ("V5-SKIM-7",), result=done)
    why = "It was immobilised already" if row == "immobilised" else "There is no weapon left to destroy"
    return Line(f"{why}: {_INSTEAD[done]}", ("V5-CUMUL",), result=done)


_INSTEAD: Mapping[DamageRow, str] = {
    "none": "nothing more happens",
    "weapon_destroyed": "a weapon is destroyed instead",
    "immobilised": "it is immobilised instead",
    "wrecked": "it is wrecked instead",
}
