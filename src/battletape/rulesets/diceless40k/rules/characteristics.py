"""Hit points, order points, groups of identical models, what most of them have, and the names of what they can do."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from battletape.rulebook import BadInput, State, clause
from battletape.rulesets.diceless40k.profiles.types import GroupProfile, UnitProfile
from battletape.rulesets.diceless40k.rulings import DEFAULT, Rulings

ACUTE_SENSES = "acute_senses"
ETERNAL_WARRIOR = "eternal_warrior"
FEARLESS = "fearless"
FEEL_NO_PAIN = "feel_no_pain"
FLEET = "fleet"
FURIOUS_CHARGE = "furious_charge"
HIT_AND_RUN = "hit_and_run"
INDEPENDENT = "independent_character"
MOVE_THROUGH_COVER = "move_through_cover"
PREFERRED_ENEMY = "preferred_enemy"
PSYKER = "psyker"
REROLL_LD = "reroll_leadership"
REROLL_SAVES = "reroll_failed_saves"
REROLL_SAVED = "reroll_successful_saves"
SKILLED_RIDER = "skilled_rider"
STUBBORN = "stubborn"
TANK_HUNTERS = "tank_hunters"
VULNERABLE = "vulnerable_to_blasts"

DEEP_STRIKE = "deep_strike"
OUTFLANK = "outflank"
NO_SCATTER = "no_scatter"

CHRONUS = "chronus"
CLUSTER_MINES = "cluster_mines"
JAMMING_BEACON = "jamming_beacon"
MASTER_OF_THE_FORGE = "master_of_the_forge"
PSYCHIC_HOOD = "psychic_hood"
RHINO_REPAIR = "repair"
SERVITOR = "servitor"
SERVO_ARM = "servo_arm"
SERVO_HARNESS = "servo_harness"
SMOKE = "smoke_launchers"
TECHMARINE = "techmarine"
TIGURIUS = "all_powers"

GATE_OF_INFINITY = "gate_of_infinity"
MACHINE_CURSE = "machine_curse"
NULL_ZONE = "null_zone"


MODEL_RULES = (
    ACUTE_SENSES,
    CLUSTER_MINES,
    DEEP_STRIKE,
    ETERNAL_WARRIOR,
    FEARLESS,
    FEEL_NO_PAIN,
    FLEET,
    FURIOUS_CHARGE,
    HIT_AND_RUN,
    INDEPENDENT,
    MASTER_OF_THE_FORGE,
    MOVE_THROUGH_COVER,
    NO_SCATTER,
    OUTFLANK,
    PREFERRED_ENEMY,
    PSYCHIC_HOOD,
    PSYKER,
    REROLL_LD,
    REROLL_SAVED,
    REROLL_SAVES,
    SERVITOR,
    SERVO_ARM,
    SERVO_HARNESS,
    SKILLED_RIDER,
    STUBBORN,
    TANK_HUNTERS,
    TECHMARINE,
    TIGURIUS,
    VULNERABLE,
)
"""What the profile of a unit or of a group in it may name."""
VEHICLE_RULES = (CHRONUS, DEEP_STRIKE, JAMMING_BEACON, NO_SCATTER, RHINO_REPAIR, SMOKE)
"""What the profile of a vehicle may name."""
POWERS = (GATE_OF_INFINITY, MACHINE_CURSE, NULL_ZONE)
"""Psychic powers that are no weapons."""


class Group(State, frozen=True):
    """Identical models of a unit: how many are left, and the damage recorded against the one in front."""

    name: str
    models: int
    hp: int  # of each
    toughness: int = 4  # with the bracketed bonus
    toughness_bonus: int = 0
    armour: int | None = None
    invulnerable: int | None = None
    recorded: int = 0
    type: str = "infantry"
    ws: int = 4
    bs: int = 4
    strength: int = 4
    initiative: int = 4
    attacks: int = 1
    ld: int = 8
    weapons: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()

    @property
    def hp_left(self) -> int:
        """Hit points of all its models together."""
        return self.models * self.hp - self.recorded

    @property
    def front_hp(self) -> int:
        """Hit points left to the model in front, 0 if there is none."""
        return self.hp - self.recorded if self.models else 0

    @property
    def own_toughness(self) -> int:
        """Toughness without a bracketed bonus, as instant death compares it."""
        return self.toughness - self.toughness_bonus


@clause("DL-31.10")
def majority(groups: Iterable[Group], stat: Callable[[Group], int]) -> int:
    """Return what most models left in a unit have; the higher of two as common, and 0 without models."""
    counts: dict[int, int] = {}
    for group in groups:
        if group.models:
            counts[stat(group)] = counts.get(stat(group), 0) + group.models
    return max(counts, key=lambda value: (counts[value], value), default=0)


@clause("DL-6.1")
def hit_points(wounds: int, toughness: int) -> int:
    """Return the HP of a model: its Wounds times its Toughness times 10."""
    if wounds < 1 or toughness < 1:
        raise BadInput(f"a model has 1 Wound and 1 Toughness or more; got W{wounds} T{toughness}", clause="DL-6.1")
    return wounds * toughness * 10


@clause("DL-6.1", "DL-6.2")
def with_wounds_and_toughness(group: Group, wounds: int, toughness: int) -> Group:
    """Return the group with other Wounds or Toughness in play: its HP change, the damage taken stays.

    A model in front that has more damage than HP now is removed.
    """
    hp = hit_points(wounds, toughness)
    dies = group.recorded >= hp
    return msgspec.structs.replace(
        group,
        hp=hp,
        toughness=toughness,
        toughness_bonus=toughness - group.own_toughness,  # instant death compares the unmodified one
        models=group.models - dies,
        recorded=0 if dies else group.recorded,
    )


@clause("DL-25.1", "DL-6.1")
def groups_of(unit: UnitProfile, rulings: Rulings = DEFAULT) -> tuple[Group, ...]:
    """Return the groups of identical models of a unit as it begins a game: those that differ first, then the others."""
    return (
        *(_group(unit, profile, rulings) for profile in unit.groups),
        _group(unit, GroupProfile(models=unit.models), rulings),
    )


def _group(unit: UnitProfile, profile: GroupProfile, rulings: Rulings) -> Group:
    own = {name: getattr(unit, name) if getattr(profile, name) is None else getattr(profile, name) for name in _SHARED}
    bonus = own.pop("toughness_bonus")
    lower = own.pop("toughness")
    counted = lower + bonus if rulings.bracketed_hp == "higher" else lower
    return Group(
        name=profile.name or unit.name,
        models=profile.models,
        hp=hit_points(own.pop("wounds"), counted),
        toughness=lower + bonus,
        toughness_bonus=bonus,
        type=unit.type,
        weapons=profile.weapons or unit.weapons,
        rules=profile.rules or unit.rules,
        **own,
    )


_SHARED = (
    "ws",
    "bs",
    "strength",
    "toughness",
    "toughness_bonus",
    "wounds",
    "initiative",
    "attacks",
    "ld",
    "armour",
    "invulnerable",
)
