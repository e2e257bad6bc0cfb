"""Special rules of weapons, each in one place: its name, and the dials that it turns before a weapon is fired.

What a rule does in close combat stands with the blows, and what it does to armour with the vehicles; here it has its
name, and `against_armour` says what a vehicle is hit with.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

from battletape.rulebook import (
    Dial,
    Keyword,
    Procedure,
    Refused,
    State,
    Tape,
    clause,
    find_keywords,
    replace,
    with_keywords,
    without_luck,
)
from battletape.rulesets.diceless40k.profiles.types import Weapon
from battletape.rulesets.diceless40k.rules.casualties import Target
from battletape.rulesets.diceless40k.rules.characteristics import Group, majority
from battletape.rulesets.diceless40k.rules.shooting import Aim, shots_at
from battletape.rulesets.diceless40k.tables.sheet import POISON

BARRAGE = "barrage"
CHAINFIST = "chainfist"
DAMAGE_BONUS = "plus_one_damage"
FORCE_WEAPON = "force_weapon"
GETS_HOT = "gets_hot"
IGNORES_COVER = "ignores_cover"
LANCE = "lance"
LIGHTNING_CLAW = "lightning_claw"
MELTA = "melta"
MOONFANG = "moonfang"
MULTIPLE_BARRAGE = "multiple_barrage"
ONE_SHOT = "one_shot"
ORBITAL = "orbital"
ORDNANCE_BARRAGE = "ordnance_barrage"
PINNING = "pinning"
POISONED = {"poisoned_2": 2, "poisoned_3": 3, "poisoned_4": 4, "poisoned_5": 5, "poisoned_6": 6}
POWER_FIST = "power_fist"
POWER_WEAPON = "power_weapon"
PSYCHIC = "psychic"
RENDING = "rending"
REROLL_HIT = "reroll_to_hit"
REROLL_WOUND = "reroll_to_wound"
SNIPER = "sniper"
SUBTERRANEAN = "subterranean"
TWIN_LINKED = "twin_linked"
WITCHBLADE = "witchblade"

Extra: TypeAlias = Literal["d6", "d3", "d6_and_d3"]
"""The dice that a weapon adds to armour penetration in the base game."""
SNIPER_STRENGTH = 3
TEMPLATE_RANGE = 8  # inches that a template reaches


def note_weapon(tape: Tape, aim: Aim) -> Aim:
    """The weapon as it is; the special rules have turned its dials before."""
    return aim


READY = Procedure("ready", (note_weapon,))


@clause("DL-31.5", "DL-31.6")
def _twin_linked(aim: Aim) -> Aim:
    return replace(aim, rerolls_to_hit=aim.rerolls_to_hit + 1, twin_template=True)


@clause("DL-19.3")
def _reroll_to_hit(aim: Aim) -> Aim:
    return replace(aim, rerolls_to_hit=aim.rerolls_to_hit + 1)


@clause("DL-19.4")
def _reroll_to_wound(aim: Aim) -> Aim:
    return replace(aim, rerolls_to_wound=aim.rerolls_to_wound + 1)


@clause("DL-31.7")
def _rending(aim: Aim) -> Aim:
    return replace(aim, rending=True)


@clause("DL-31.10")
def _sniper(aim: Aim) -> Aim:
    rends = aim.rending or aim.rules.sniper_rends == "yes"
    return replace(aim, strength=0, counted_strength=aim.toughness, rending=rends)  # nothing that could kill outright


@clause("DL-31.1")
def _gets_hot(aim: Aim) -> Aim:
    return replace(aim, gets_hot=True)


@clause("DL-8.1")
def _pinning(aim: Aim) -> Aim:
    return replace(aim, pinning=True)


@clause("DL-20.1")
def _ignores_cover(aim: Aim) -> Aim:
    return replace(aim, ignores_cover=True)


def _poisoned(number: int) -> Dial:
    @clause("DL-42.2")
    def poisoned(aim: Aim) -> Aim:
        return replace(aim, counted_strength=max(0, aim.toughness + POISON[number]))

    return poisoned


def _turns(name: str, dial: Dial) -> Keyword:
    return Keyword(name, clauses=dial.__clauses__[:1], before={note_weapon: dial})  # type: ignore[attr-defined]


KEYWORDS = (
    _turns(SNIPER, _sniper),
    *(_turns(name, _poisoned(number)) for name, number in POISONED.items()),
    _turns(TWIN_LINKED, _twin_linked),
    _turns(REROLL_HIT, _reroll_to_hit),
    _turns(REROLL_WOUND, _reroll_to_wound),
    _turns(RENDING, _rending),
    _turns(GETS_HOT, _gets_hot),
    _turns(IGNORES_COVER, _ignores_cover),
    _turns(PINNING, _pinning),
    # these do something elsewhere; they are here so that their names are known
    Keyword(BARRAGE, clauses=("DL-32.1",)),
    Keyword(CHAINFIST, clauses=("DL-60.9",)),
    Keyword(DAMAGE_BONUS, clauses=("DL-60.18",)),
    Keyword(FORCE_WEAPON, clauses=("DL-50.1",)),
    Keyword(LANCE, clauses=("DL-60.7",)),
    Keyword(LIGHTNING_CLAW, clauses=("DL-42.1",)),
    Keyword(MELTA, clauses=("DL-32.3",)),
    Keyword(MOONFANG, clauses=("DL-SM-94.1",)),
    Keyword(MULTIPLE_BARRAGE, clauses=("DL-32.2",)),
    Keyword(ONE_SHOT, clauses=("DL-0.1",)),
    Keyword(ORBITAL, clauses=("DL-SM-52.1",)),
    Keyword(ORDNANCE_BARRAGE, clauses=("DL-58.1",)),
    Keyword(POWER_FIST, clauses=("DL-63.2",)),
    Keyword(POWER_WEAPON, clauses=("DL-20.3",)),
    Keyword(PSYCHIC, clauses=("DL-50.1",)),
    Keyword(SUBTERRANEAN, clauses=("DL-SM-73.1",)),
    Keyword(WITCHBLADE, clauses=("DL-42.5",)),
)
WEAPON_RULES = tuple(keyword.name for keyword in KEYWORDS)
"""What a weapon's profile may name."""


@clause("DL-31.10", "DL-42.2")
def needs_no_strength(names: Iterable[str]) -> bool:
    """Whether a weapon looks at the victim's Toughness instead of a Strength of its own."""
    return any(name == SNIPER or name in POISONED for name in names)


def ready(aim: Aim, names: Iterable[str] = ()) -> Aim:
    """A weapon ready to be fired at troops: the special rules of these names have turned their dials."""
    found: Aim = without_luck(with_keywords(READY, find_keywords(tuple(names), KEYWORDS)), aim)
    return found


@clause("DL-29.1", "DL-29.2")
def reach_of(weapon: Weapon) -> int:
    """How many inches a weapon reaches; a template as far as it is long."""
    return TEMPLATE_RANGE if weapon.marker == "template" else weapon.range


@clause("DL-50.1", "DL-SM-52.1", "DL-19.1")
def refuse_unasked(weapon: Weapon) -> Refused | None:
    """Why a weapon is not fired along with the others of a unit: it is a power, or has to be called by its name."""
    if PSYCHIC in weapon.rules:
        return Refused(f"{weapon.name} is a psychic power; use it with cast", "DL-50.1", "weapon")
    if ORBITAL in weapon.rules:
        return Refused(f"{weapon.name} has to be called by its name", "DL-SM-52.1", "weapon")
    if weapon.type in ("melee", "grenade"):
        return Refused("a close combat weapon is not fired", "DL-19.1", "weapon")
    return None


@clause("DL-19.2", "DL-25.1")
def aim_with(
    weapon: Weapon,
    group: Group,
    target: Target,
    models: int = 0,
    distance: float = 0,
    moved: bool = False,
    hits: tuple[int, ...] = (),
    firer: int = 0,
) -> Aim | Refused:
    """A weapon of a group as it is fired at a target, or why it may not be; without a number all fire."""
    number = models or group.models
    if number > group.models:
        return Refused(f"{group.name} has {group.models} models; got {number} that fire", "DL-19.2", "models")
    shots = shots_at(weapon.type, weapon.shots, reach_of(weapon), distance, moved, group.type)
    if isinstance(shots, Refused):
        return shots
    aim = aim_of(weapon, group.bs, target, number, shots, distance, hits)
    return replace(aim, firer=firer)


@clause("DL-19.2")
def aim_of(
    weapon: Weapon,
    bs: int,
    target: Target,
    models: int = 1,
    shots: int = 1,
    distance: float = 0,
    hits: tuple[int, ...] = (),
) -> Aim:
    """A weapon of so many models, or of a vehicle, on a target; its special rules have turned their dials."""
    aim = Aim(
        name=weapon.name,
        bs=bs,
        strength=weapon.strength or 0,
        models=models,
        shots=shots,
        ap=weapon.ap,
        type=weapon.type,
        marker=weapon.marker,
        range=weapon.range,
        distance=distance,
        hits=hits,
        rules=target.rules,
        toughness=majority(target.groups, lambda group: group.toughness),
    )
    return ready(aim, weapon.rules)


class Piercing(State, frozen=True):
    """What a weapon hits a vehicle with: its Strength, the dice it adds to penetration, and whether it is a lance."""

    strength: int
    extra: Extra | None = None
    lance: bool = False
    twin_linked: bool = False
    rerolls: bool = False  # to hit, beside twin-linked
    damage_bonus: bool = False

    @property
    def sources(self) -> int:
        """How many sources of a re-roll to hit it has."""
        return self.twin_linked + self.rerolls


@clause("DL-60.9", "DL-60.10")
def extra_dice(d6: bool, d3: bool) -> Extra | None:
    """The dice that are added to penetration: a D6, a D3, both or none."""
    if d6:
        return "d6_and_d3" if d3 else "d6"
    return "d3" if d3 else None


@clause("DL-32.3", "DL-31.9", "DL-31.11", "DL-31.5")
def against_armour(
    strength: int,
    names: Iterable[str],
    weapon_range: int = 0,
    distance: float = 0,
    assault: bool = False,
    monstrous: bool = False,
) -> Piercing:
    """A weapon on armour: melta adds a D6 within half range, rending a D3, and a sniper weapon is S3 and rends.

    In an assault a chainfist adds a D6, and so does whatever a monstrous creature strikes with.
    """
    known = {keyword.name for keyword in find_keywords(tuple(names), KEYWORDS)}
    melts = MELTA in known and 2 * distance <= weapon_range
    tears = assault and (monstrous or CHAINFIST in known)
    return Piercing(
        strength=SNIPER_STRENGTH if SNIPER in known else strength,
        extra=extra_dice(melts or tears, bool(known & {RENDING, SNIPER})),
        lance=LANCE in known,
        twin_linked=TWIN_LINKED in known,
        rerolls=REROLL_HIT in known,
        damage_bonus=DAMAGE_BONUS in known,
    )
