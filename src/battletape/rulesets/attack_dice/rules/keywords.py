"""Special rules of weapons, each in one place: the classes that are clumsy in a Melee."""

from __future__ import annotations

from battletape.rulebook import Keyword, Procedure, clause, nearest, replace, with_keywords, without_luck
from battletape.rulesets.attack_dice.rules.attack import (
    ATTACK,
    ATTACK_ONE_SAVE,
    Shot,
    Strike,
    add_modifiers,
    strike_with,
)
from battletape.rulesets.attack_dice.rules.melee import Part, Situation
from battletape.rulesets.attack_dice.rulings import DEFAULT, Rulings


def _clumsy(strike: Strike, part: Part) -> Strike:
    """Lay down a Dice Modifier while the unit is in a Melee, unless it attacks from inside a transport."""
    situation = strike.shots[0].situation
    within = situation.engaged if strike.rules.class_penalty == "engaged" else situation.in_melee
    return replace(strike, parts=(*strike.parts, part)) if within and not situation.embarked else strike


@clause("AD-59", "AD-65")
def _heavy(strike: Strike) -> Strike:
    return _clumsy(strike, ("heavy_in_melee", -2, "AD-59"))


@clause("AD-60", "AD-65")
def _battle(strike: Strike) -> Strike:
    return _clumsy(strike, ("battle_in_melee", -1, "AD-60"))


KEYWORDS = (
    Keyword("heavy", ("AD-59",), before={add_modifiers: _heavy}),
    Keyword("battle", ("AD-60",), before={add_modifiers: _battle}),
)
_MODIFIERS = Procedure("modifiers", (add_modifiers,))
WEAPON_CLASSES = ("side", *(keyword.name for keyword in reversed(KEYWORDS)), "melee", "effect")
"""The classes of the weapons in the book; those of one's own may have others."""


def keywords_of(weapon_class: str) -> tuple[Keyword, ...]:
    """The special rules of a weapon class; any other word has none."""
    return tuple(keyword for keyword in KEYWORDS if keyword.name == weapon_class.strip().lower())


@clause("AD-66", "AD-86")
def misspelt(weapon_class: str) -> str | None:
    """A warning where a class has no special rule but is spelt much like one that has."""
    if not weapon_class or keywords_of(weapon_class):
        return None
    like = nearest(weapon_class, [keyword.name for keyword in KEYWORDS])
    return f"Weapon class {weapon_class!r} has no special rule; did you mean {like!r}?" if like else None


def sequence(strike: Strike) -> Procedure:
    """The attack sequence once for each weapon, with its special rules attached."""
    base = ATTACK_ONE_SAVE if strike.rules.saves == "one" else ATTACK
    stages = [stage for shot in strike.shots for stage in with_keywords(base, keywords_of(shot.weapon_class))]
    return Procedure("attack", tuple(stages))


@clause("AD-64")
def modifier_of(weapon_class: str, situation: Situation, rules: Rulings = DEFAULT) -> int:
    """All Dice Modifiers together that a weapon of this class has where it stands."""
    bare = strike_with(rules, (), (Shot(1, 0, situation=situation),))
    after: Strike = without_luck(with_keywords(_MODIFIERS, keywords_of(weapon_class)), bare)
    return after.modifier
