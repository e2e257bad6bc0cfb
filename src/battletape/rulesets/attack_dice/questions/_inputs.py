"""Inputs that the questions share, the attack that they make ready, and warnings."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any, Literal

from battletape.cards import Inputs, meta, part_of
from battletape.rulebook import BadInput, Meta
from battletape.rulesets.attack_dice.profiles.checks import unusual
from battletape.rulesets.attack_dice.profiles.types import Save
from battletape.rulesets.attack_dice.rules.attack import Shot, Strike, dice_of, strike_with, target_of
from battletape.rulesets.attack_dice.rules.damage import all_hp, is_single, make_ranks
from battletape.rulesets.attack_dice.rules.keywords import WEAPON_CLASSES, misspelt
from battletape.rulesets.attack_dice.rules.melee import Facing, Situation, idle_inputs
from battletape.rulesets.attack_dice.rulings import Rulings

if TYPE_CHECKING:
    from battletape.rulesets.attack_dice.questions.attack import Attack


# What several questions take, described once; a base class cannot be shared, because of the order of the fields.
WeaponName = Annotated[str, meta("attacker", "Weapon profile", profile="weapon")]
AttackDice = Annotated[int, meta("attacker", "Attack dice of one model", ge=1, le=1000, short="Attacks")]
Bearers = Annotated[int, meta("attacker", "Models that fire", ge=1, le=1000, form="count")]
Power = Annotated[int, meta("attacker", "Power", ge=0, le=100, short="Power")]
PowerBonus = Annotated[int, meta("attacker", "Bonus to Power", ge=-100, le=100)]
Ap = Annotated[Save | None, meta("attacker", "AP", short="AP")]
WeaponClass = Annotated[str, meta("attacker", "Weapon class", known=WEAPON_CLASSES)]
Range = Annotated[Annotated[int, Meta(ge=0, le=500)] | None, meta("attacker", "Range", unit="inches", short="Range")]
Defence = Annotated[int, meta("target", "Defence", ge=0, le=100, short="Defence")]
DefenceBonus = Annotated[int, meta("target", "Bonus to Defence", ge=-100, le=100)]


class Around(Inputs, frozen=True):
    """The circumstances every question shares."""

    attacker_melee: Annotated[str, meta("circumstances", "Melee the attacker is in")] = ""
    target_melee: Annotated[str, meta("circumstances", "Melee the target is in")] = ""
    friend_in_target_melee: Annotated[
        bool,
        meta("circumstances", "A friend is in the target's Melee", form="circumstance", short="Friend in its Melee"),
    ] = False
    embarked: Annotated[
        bool,
        meta("circumstances", "The attacker fires from a transport", form="circumstance", short="From a transport"),
    ] = False
    facing: Annotated[Facing, meta("circumstances", "Side attacked (with the facing rule)")] = "none"
    cover_stat: Annotated[Literal["defence", "armour"], meta("circumstances", "What cover improves")] = "defence"
    cover: Annotated[int, meta("circumstances", "Cover bonus", ge=0, le=15, form="circumstance", short="Cover")] = 0
    modifier: Annotated[int, meta("circumstances", "Other Dice Modifiers", ge=-20, le=20)] = 0


class Aimed(Around, frozen=True):
    """A target, and how far away it is."""

    unit: Annotated[str, meta("target", "Unit profile", profile="unit")] = ""
    models: Annotated[int, meta("target", "Models", ge=1, le=1000, form="count")] = 5
    hp: Annotated[int, meta("target", "HP of each model", ge=1, le=1000, short="HP")] = 1
    others: Annotated[
        tuple[Annotated[int, Meta(ge=1, le=1000)], ...], meta("target", "HP of further models, lost last")
    ] = ()
    lost: Annotated[int, meta("target", "HP already lost", ge=0, le=1_000_000)] = 0
    defence: Defence = 4
    defence_bonus: DefenceBonus = 0
    armour: Annotated[Save | None, meta("target", "Armour Save", short="Armour")] = None
    aegis: Annotated[Save | None, meta("target", "AEGIS Save", short="AEGIS")] = None
    distance: Annotated[
        Annotated[int, Meta(ge=0, le=1000)] | None,
        meta("circumstances", "Distance", unit="inches", form="circumstance"),
    ] = None
    line_of_sight: Annotated[
        bool, meta("circumstances", "Line of sight", form="circumstance", short="Line of sight")
    ] = True


class Profile(Inputs, count="bearers", frozen=True):
    """One weapon profile of a volley."""

    weapon: WeaponName = ""
    attacks: AttackDice = 1
    bearers: Bearers = 1
    power: Power = 4
    power_bonus: PowerBonus = 0
    ap: Ap = None
    weapon_class: WeaponClass = ""
    range: Range = None


MOST_DICE = 1_000
"""As many dice as one pool may have."""


def situation(inputs: Around) -> Situation:
    """The circumstances of a question as the rules know them."""
    return Situation(**part_of(inputs, *Situation.__struct_fields__))


def shot_of(profile: Attack | Profile, around: Situation) -> Shot:
    """The pool of one weapon profile."""
    dice = dice_of(profile.bearers, profile.attacks)
    if dice > MOST_DICE:
        raise BadInput(
            f"attacks times bearers must make {MOST_DICE:,} dice or fewer in one pool, got {dice:,}.", field="attacks"
        )
    power = profile.power + profile.power_bonus
    name = profile.weapon or "the weapon"
    return Shot(dice, power, profile.ap, profile.range, 0, around, name, profile.weapon_class)


def strike_of(inputs: Aimed, profiles: Iterable[Attack | Profile], rules: Rulings) -> Strike:
    """The weapon profiles of a question, in order, against its one target."""
    ranks = make_ranks(inputs.models, inputs.hp, inputs.others)
    if inputs.lost >= all_hp(ranks):
        raise BadInput(f"lost must be fewer than the unit's {all_hp(ranks)} HP; got {inputs.lost}.", field="lost")
    defence, name = inputs.defence + inputs.defence_bonus, inputs.unit or "the target"
    mark = target_of(name, defence, ranks, inputs.lost, inputs.armour, inputs.aegis)
    around = situation(inputs)
    return strike_with(rules, (mark,), (shot_of(profile, around) for profile in profiles))


def warnings(target: Any, weapons: Iterable[Any], rules: Rulings) -> list[str]:
    """Warn of inputs that are unusual, misspelt or without effect."""
    fired = tuple(weapons)
    powers = [weapon.power + weapon.power_bonus for weapon in fired]
    classes = dict.fromkeys(misspelt(weapon.weapon_class) for weapon in fired)
    aimed = isinstance(target, Aimed)
    hp = max(target.hp, *target.others, 0) if aimed else 1
    single = not aimed or is_single(make_ranks(target.models, target.hp, target.others))
    numbers = unusual(powers, target.defence + target.defence_bonus, hp, rules)
    idle = idle_inputs(situation(target), single, rules)
    return [*numbers, *(warning for warning in classes if warning), *idle]
