"""Melee: several attacks, two weapons, bare fists, stunning, and trials of one against the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from battletape.rulebook import D10, Refused, Tape, UnknownName, clause
from battletape.rulesets.deathwatch.profiles.types import WeaponProfile
from battletape.rulesets.deathwatch.rules.attack.modifiers import BARE_HANDS, Talent, has_talent
from battletape.rulesets.deathwatch.rules.d100_tests import Contest, Contestant, contest
from battletape.rulesets.deathwatch.rules.traits import Modifier
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings

TWO_WEAPONS = -20
AMBIDEXTROUS = +10  # what the talent gives back of it
TWO_GUNS_WITHIN = 10  # metres between their targets
ONE_HANDED = ("Pistol", "Melee")
MAIN_AND_OFF: tuple[Literal["main", "off"], ...] = ("main", "off")
MAX_DEGREES_COUNTED = 2  # degrees by which a knock-down does more
SWIFT = Talent("Swift Attack", "DW-ACT-MULTIPLE-ATTACKS")
LIGHTNING = Talent("Lightning Attack", "DW-ACT-MULTIPLE-ATTACKS")
BOTH_HANDS = Talent("Ambidextrous", "DW-TWOW-1")
WIELDER = Talent("Two Weapon Wielder", "DW-TWOW-2")
WIELDER_MELEE = Talent("Two Weapon Wielder (Melee)", "DW-TWOW-2")
WIELDER_BALLISTIC = Talent("Two Weapon Wielder (Ballistic)", "DW-TWOW-2")
UNARMED_WARRIOR = Talent("Unarmed Warrior", "DW-UNARM-2")
UNARMED_MASTER = Talent("Unarmed Master", "DW-UNARM-2")
ATTACKS: Mapping[Talent, int] = {LIGHTNING: 3, SWIFT: 2}
ATTACKS_BY_ACTION: Mapping[str, int] = {"swift": ATTACKS[SWIFT], "lightning": ATTACKS[LIGHTNING]}
"""Attacks of an action that makes several with one weapon."""
BY_SKILL = ("feint", "manoeuvre")
"""Trials of skill against skill; all others are of strength against strength."""
FISTS: Mapping[Talent, str] = {UNARMED_MASTER: "1d10", UNARMED_WARRIOR: "1d10-3"}
BARE = "1d5-3"


# --- several attacks and two weapons ----------------------------------------------------------------------------------


@clause("DW-ACT-MULTIPLE-ATTACKS")
def attacks_of(talents: Sequence[str]) -> int:
    """Return melee attacks of one Multiple Attacks action; talents replace each other and do not add up."""
    return max((number for talent, number in ATTACKS.items() if has_talent(talents, talent)), default=1)


@clause("DW-ACT-MULTIPLE-ATTACKS")
def refuse_attacks(number: int, talents: Sequence[str]) -> Refused | None:
    """Refuse so many attacks without the talent for it."""
    if attacks_of(talents) < number:
        needs = next(talent.name for talent, attacks in ATTACKS.items() if attacks == number)
        reason = f"{number} attacks need the talent {needs}; got {', '.join(talents) or 'none'}"
        return Refused(reason, "DW-ACT-MULTIPLE-ATTACKS", "talent")
    return None


@clause("DW-TWOW-1")
def refuse_two_weapons(weapons: Sequence[WeaponProfile]) -> Refused | None:
    """Refuse to hold two weapons of which one needs both hands."""
    for weapon in weapons:
        if weapon.kind not in ONE_HANDED and not (weapon.melee and weapon.kind == "Mounted"):
            reason = f"{weapon.name} needs both hands ({weapon.kind}); pistols and melee weapons go in one"
            return Refused(reason, "DW-TWOW-1", "hands")
    return None


@clause("DW-TWOW-2")
def refuse_both(weapons: Sequence[WeaponProfile], talents: Sequence[str]) -> Refused | None:
    """Refuse an attack with both weapons without the talent for their kind."""
    wanted = dict.fromkeys(WIELDER_MELEE if weapon.melee else WIELDER_BALLISTIC for weapon in weapons)
    missing = [talent.name for talent in wanted or (WIELDER,) if not has_talent(talents, talent)]
    if missing and not has_talent(talents, WIELDER):
        return Refused(f"an attack with both weapons needs the talent {' and '.join(missing)}", "DW-TWOW-2", "talent")
    return None


@clause("DW-TWOW-1", "DW-TWOW-2")
def hand_modifiers(
    hand: Literal["main", "off"], both: bool, talents: Sequence[str], rulings: Rulings = DEFAULT
) -> tuple[Modifier, ...]:
    """Return what holding two weapons takes from an attack: the off hand alone, or both of an attack with both."""
    ambidextrous = has_talent(talents, BOTH_HANDS)
    alone = () if hand == "main" or ambidextrous else (Modifier("off hand", TWO_WEAPONS, "DW-TWOW-1"),)
    if not both:
        return alone
    each = Modifier("both weapons", TWO_WEAPONS + AMBIDEXTROUS * ambidextrous, "DW-TWOW-2")
    return (each, *alone) if rulings.two_weapons_off_hand == "adds" else (each,)


@clause("DW-TWOW-1")
def off_hand(talents: Sequence[str]) -> tuple[Modifier, ...]:
    """Return what the off hand takes from one attack with it."""
    return hand_modifiers("off", False, talents)


@clause("DW-TWOW-3")
def refuse_two_targets(separation: float) -> Refused | None:
    """Refuse two targets for two guns that are too far from each other."""
    if separation > TWO_GUNS_WITHIN:
        reason = f"two guns fire at targets within {TWO_GUNS_WITHIN} m of each other; these are {separation:g} m apart"
        return Refused(reason, "DW-TWOW-3", "range")
    return None


# --- bare fists -------------------------------------------------------------------------------------------------------


@clause("DW-UNARM-2")
def fist(talents: Sequence[str] = ()) -> WeaponProfile:
    """Return bare fists as a weapon; that armour counts double against them is worked out elsewhere."""
    damage = next((text for talent, text in FISTS.items() if has_talent(talents, talent)), BARE)
    return WeaponProfile(name=BARE_HANDS[0], kind="Melee", melee=True, damage=damage, damage_type="I")


@clause("DW-UNARM-3")
def gives_fatigue(raw: int, net: int, tb: int, rulings: Rulings = DEFAULT) -> bool:
    """Return whether damage of a bare fist gives a level of fatigue; none without damage."""
    damage = raw if rulings.unarmed_fatigue == "raw" else net
    return damage > 0 and damage >= tb


# --- stunning and tests of one against the other ----------------------------------------------------------------------


@clause("DW-ACT-STUN")
def stun_rounds(tape: Tape, sb: int, tb: int, head: int) -> int:
    """Roll the rounds that a blow to stun stuns for, 0 for none."""
    over: int = tape.roll(D10, label="stun") + sb - tb - head
    return max(1, over) if over >= 0 else 0


class TrialResult(NamedTuple):
    """The result of a trial: which side falls, and whether the winner may strike as well."""

    target_prone: bool = False
    winner_strikes: bool = False
    attacker_prone: bool = False


@clause("DW-ACT-FEINT", "DW-ACT-KNOCK-DOWN", "DW-ACT-MANOEUVRE", "DW-ACT-GRAPPLE", "DW-TEST-6")
def roll_trial(
    tape: Tape, what: str, attacker: Contestant, target: Contestant, rulings: Rulings = DEFAULT
) -> tuple[bool, TrialResult]:
    """Roll skill against skill, or strength against strength; return whether the first wins, and the result.

    The loser of a knock-down falls, the attacker too after a bad failure; a clear win does damage.
    """
    max_degrees = MAX_DEGREES_COUNTED if what == "knock_down" else 0
    contested: Contest = tape.call(contest, attacker, target, rulings, max_degrees)
    won = contested.winner == "one"
    if what == "knock_down":
        return won, TrialResult(
            won, won and contested.by >= MAX_DEGREES_COUNTED, not won and contested.failed >= MAX_DEGREES_COUNTED
        )
    return won, TrialResult(won and what == "throw_down", won and what in ("damage", "grapple"))


GRAPPLE_USES = ("damage", "throw_down", "push", "stand", "ready", "use_item")


@clause("DW-ACT-GRAPPLE")
def refuse_grapple(what: str, name: str, grappled: bool, controls: bool) -> Refused | None:
    """Refuse a use of a grapple: the holder chooses, a held fighter may only escape."""
    if not grappled:
        reason = f"{name} is in no grapple; start with a hit by bare hands (strike how=grapple)"
        return Refused(reason, "DW-ACT-GRAPPLE", "grapple")
    if what == "escape":
        reason = "a fighter that holds the other has nothing to escape from, and may let go at will"
        return Refused(reason, "DW-ACT-GRAPPLE", "grapple") if controls else None
    if what not in GRAPPLE_USES:
        raise UnknownName("use of a grapple", what, (*GRAPPLE_USES, "escape"), source="DW-ACT-GRAPPLE")
    if not controls:
        return Refused("a held fighter can only try to escape, a Full Action", "DW-ACT-GRAPPLE", "grapple")
    return None
