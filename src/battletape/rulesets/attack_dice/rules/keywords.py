"""Special rules of weapons, each in one place: the classes that are clumsy in a Melee."""

from __future__ import annotations

from functools import lru_cache

from battletape.rulebook import (
    Keyword,
    Procedure,
    UnknownName,
    clause,
    find_keywords,
    keywords_in_words,
    nearest,
    replace,
    with_keywords,
    without_luck,
)
from battletape.rulesets.attack_dice.rules import attack
from battletape.rulesets.attack_dice.rules.melee import DiceModifier, Situation
from battletape.rulesets.attack_dice.rulings import DEFAULT, Rulings


def _clumsy(pending: attack.PendingAttack, modifier: DiceModifier) -> attack.PendingAttack:
    """Add a Dice Modifier while the unit is in a Melee, unless it attacks from inside a transport."""
    situation = pending.pools[0].situation
    within = situation.engaged if pending.rulings.class_penalty == "engaged" else situation.in_melee
    return replace(pending, modifiers=(*pending.modifiers, modifier)) if within and not situation.embarked else pending


@clause("AD-59", "AD-65")
def _heavy(pending: attack.PendingAttack) -> attack.PendingAttack:
    return _clumsy(pending, ("heavy_in_melee", -2, "AD-59"))


@clause("AD-60", "AD-65")
def _battle(pending: attack.PendingAttack) -> attack.PendingAttack:
    return _clumsy(pending, ("battle_in_melee", -1, "AD-60"))


KEYWORDS = (
    Keyword("heavy", ("AD-59",), before={attack.add_modifiers: _heavy}),
    Keyword("battle", ("AD-60",), before={attack.add_modifiers: _battle}),
)
PLAIN_CLASSES = tuple(keyword.name for keyword in KEYWORDS if not keyword.numbered)
"""The classes that a table has a column for; the modifier of the others follows their number."""
MODIFIERS_ALONE = Procedure("modifiers", (attack.add_modifiers,))
WEAPON_CLASSES = {"side": "", **keywords_in_words(reversed(KEYWORDS)), "melee": "", "effect": ""}
"""The classes of the weapons in the book; those of one's own may have others."""


@lru_cache(1024)
def keywords_of(weapon_class: str) -> tuple[Keyword, ...]:
    """Return the special rules of a weapon class; any other word has none."""
    try:
        return find_keywords((weapon_class.strip().lower(),), KEYWORDS)
    except UnknownName:
        return ()


@clause("AD-60")
def misspelling_warning(weapon_class: str) -> str | None:
    """Warn of a class without a special rule that is spelt much like one that has."""
    if not weapon_class or keywords_of(weapon_class):
        return None
    like = nearest(weapon_class, [keyword.name for keyword in KEYWORDS])
    return f"Weapon class {weapon_class!r} has no special rule; did you mean {like!r}?" if like else None


def attack_procedure(pending: attack.PendingAttack) -> Procedure:
    """Return the attack sequence once for each pool, with the special rules of its weapon attached."""
    base = attack.ATTACK_ONE_SAVE if pending.rulings.saves == "one" else attack.ATTACK
    stages = [stage for pool in pending.pools for stage in with_keywords(base, keywords_of(pool.weapon_class))]
    return Procedure("attack", tuple(stages))


@clause("AD-64")
def modifier_of(weapon_class: str, situation: Situation, rulings: Rulings = DEFAULT) -> int:
    """Add up all Dice Modifiers of a weapon of this class where it stands."""
    bare = attack.pending_attack(rulings, (), (attack.AttackPool(1, 0, situation=situation),))
    after: attack.PendingAttack = without_luck(with_keywords(MODIFIERS_ALONE, keywords_of(weapon_class)), bare)
    return after.modifier
