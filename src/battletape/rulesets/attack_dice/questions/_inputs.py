"""Inputs that the questions share, the attack that they make ready, and warnings."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any, Literal

from battletape.cards import Inputs, asked, described, part_of
from battletape.rulebook import BadInput, Caution, Meta
from battletape.rulesets.attack_dice.profiles.checks import unusual_warnings
from battletape.rulesets.attack_dice.profiles.types import Save
from battletape.rulesets.attack_dice.rules.attack import AttackPool, PendingAttack, dice_of, pending_attack, target_of
from battletape.rulesets.attack_dice.rules.damage import all_hp, is_single, make_ranks
from battletape.rulesets.attack_dice.rules.keywords import WEAPON_CLASSES, misspelling_warning
from battletape.rulesets.attack_dice.rules.melee import Facing, Situation, idle_warnings
from battletape.rulesets.attack_dice.rulings import Rulings

if TYPE_CHECKING:
    from battletape.rulesets.attack_dice.questions.attack import AttackInputs


# What several questions take, described once; a base class cannot be shared, because of the order of the fields.
WeaponName = Annotated[str, described("Weapon profile", group="attacker", profile="weapon")]
AttackDice = Annotated[int, described("Attack dice of one model", group="attacker", ge=1, le=1000, short="Attacks")]
Bearers = Annotated[int, described("Models that fire", group="attacker", ge=1, le=1000, form="count")]
Power = Annotated[int, described("Power", group="attacker", ge=0, le=100, short="Power")]
PowerBonus = Annotated[int, described("Bonus to Power", group="attacker", ge=-100, le=100)]
Ap = Annotated[Save | None, described("AP", group="attacker", short="AP")]
WeaponClass = Annotated[str, described("Weapon class", group="attacker", known=WEAPON_CLASSES)]
Range = Annotated[
    Annotated[int, Meta(ge=0, le=500)] | None, described("Range", group="attacker", unit="inches", short="Range")
]
Defence = Annotated[int, described("Defence", group="target", ge=0, le=100, short="Defence")]
DefenceBonus = Annotated[int, described("Bonus to Defence", group="target", ge=-100, le=100)]


class CircumstanceInputs(Inputs, frozen=True):
    """The circumstances that every question shares."""

    attacker_melee: str = asked("", "Melee the attacker is in", group="circumstances")
    target_melee: str = asked("", "Melee the target is in", group="circumstances")
    friend_in_target_melee: bool = asked(
        False,
        "A friend is in the target's Melee",
        group="circumstances",
        form="circumstance",
        short="Friend in its Melee",
    )
    embarked: bool = asked(
        False,
        "The attacker fires from a transport",
        group="circumstances",
        form="circumstance",
        short="From a transport",
    )
    facing: Facing = asked("none", "Side attacked", about="(with the facing rule)", group="circumstances")
    cover_stat: Literal["defence", "armour"] = asked("defence", "What cover improves", group="circumstances")
    cover: int = asked(0, "Cover bonus", group="circumstances", form="circumstance", short="Cover", ge=0, le=15)
    modifier: int = asked(0, "Other Dice Modifiers", group="circumstances", ge=-20, le=20)


class TargetInputs(CircumstanceInputs, frozen=True):
    """A target, and how far away it is."""

    unit: str = asked("", "Unit profile", group="target", profile="unit")
    models: int = asked(5, "Models", group="target", form="count", ge=1, le=1000)
    hp: int = asked(1, "HP of each model", group="target", short="HP", ge=1, le=1000)
    others: tuple[Annotated[int, Meta(ge=1, le=1000)], ...] = asked(
        (), "HP of further models, lost last", group="target"
    )
    lost: int = asked(0, "HP already lost", group="target", ge=0, le=1_000_000)
    defence: Defence = 4
    defence_bonus: DefenceBonus = 0
    armour: Save | None = asked(None, "Armour Save", group="target", short="Armour")
    aegis: Save | None = asked(None, "AEGIS Save", group="target", short="AEGIS")
    distance: int | None = asked(
        None, "Distance", group="circumstances", unit="inches", form="circumstance", ge=0, le=1000
    )
    line_of_sight: bool = asked(
        True, "Line of sight", group="circumstances", form="circumstance", short="Line of sight"
    )


class WeaponInputs(Inputs, count="bearers", frozen=True):
    """One weapon profile of a volley."""

    weapon: WeaponName = ""
    attacks: AttackDice = 1
    bearers: Bearers = 1
    power: Power = 4
    power_bonus: PowerBonus = 0
    ap: Ap = None
    weapon_class: WeaponClass = ""
    range: Range = None


MAX_DICE = 1_000
"""The most dice that one pool may have."""


def situation_of(inputs: CircumstanceInputs) -> Situation:
    """Return the circumstances of a question as the rules read them."""
    return Situation(**part_of(inputs, *Situation.__struct_fields__))


def pool_of(profile: AttackInputs | WeaponInputs, situation: Situation) -> AttackPool:
    """Return the pool of one weapon profile."""
    dice = dice_of(profile.bearers, profile.attacks)
    if dice > MAX_DICE:
        raise BadInput(
            f"attacks times bearers must make {MAX_DICE:,} dice or fewer in one pool, got {dice:,}.", field="attacks"
        )
    power = profile.power + profile.power_bonus
    name = profile.weapon or "the weapon"
    return AttackPool(dice, power, profile.ap, profile.range, 0, situation, name, profile.weapon_class)


def pending_attack_of(
    inputs: TargetInputs, profiles: Iterable[AttackInputs | WeaponInputs], rulings: Rulings
) -> PendingAttack:
    """Return the attack of a question before its first die: its weapon profiles, in order, on one target."""
    ranks = make_ranks(inputs.models, inputs.hp, inputs.others)
    if inputs.lost >= all_hp(ranks):
        raise BadInput.of("lost", f"must be fewer than the unit's {all_hp(ranks)} HP; got {inputs.lost}.")
    defence, name = inputs.defence + inputs.defence_bonus, inputs.unit or "the target"
    target = target_of(name, defence, ranks, inputs.lost, inputs.armour, inputs.aegis)
    situation = situation_of(inputs)
    return pending_attack(rulings, (target,), (pool_of(profile, situation) for profile in profiles))


def warnings(target: Any, weapons: Iterable[Any], rulings: Rulings) -> list[str | Caution]:
    """Warn of inputs that are unusual, misspelt or without effect."""
    fired = tuple(weapons)
    powers = [weapon.power + weapon.power_bonus for weapon in fired]
    classes = dict.fromkeys(misspelling_warning(weapon.weapon_class) for weapon in fired)
    aimed = isinstance(target, TargetInputs)
    hp = max(target.hp, *target.others, 0) if aimed else 1
    single = not aimed or is_single(make_ranks(target.models, target.hp, target.others))
    numbers = unusual_warnings(powers, target.defence + target.defence_bonus, hp, rulings)
    idle = idle_warnings(situation_of(target), single, rulings)
    return [*numbers, *(warning for warning in classes if warning), *idle]
