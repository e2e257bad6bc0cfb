"""Special rules of weapons, each in one place: the classes that are clumsy in a Melee."""

from __future__ import annotations

from battletape.rulebook import Dial, Keyword, Procedure, clause, nearest, replace, with_keywords, without_luck
from battletape.rulesets.attack_dice.rules.attack import (
    ATTACK,
    ATTACK_ONE_SAVE,
    Shot,
    Strike,
    add_modifiers,
    strike_with,
)
from battletape.rulesets.attack_dice.rules.melee import Situation
from battletape.rulesets.attack_dice.rulings import DEFAULT, Rulings


def _clumsy(name: str, penalty: int, by: str) -> Dial:
    """A weapon whose Attack Dice suffer while its unit is in a Melee, unless it fires from a transport."""

    def dial(strike: Strike) -> Strike:
        situation = strike.shots[0].situation
        within = situation.engaged if strike.rules.class_penalty == "engaged" else situation.in_melee
        if not within or situation.embarked:
            return strike
        return replace(strike, parts=(*strike.parts, (f"{name}_in_melee", penalty, by)))

    return clause(by, "AD-65")(dial)


_MODIFIERS = Procedure("modifiers", (add_modifiers,))
KEYWORDS = (
    Keyword("heavy", clauses=("AD-59",), before={add_modifiers: _clumsy("heavy", -2, "AD-59")}),
    Keyword("battle", clauses=("AD-60",), before={add_modifiers: _clumsy("battle", -1, "AD-60")}),
)
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
