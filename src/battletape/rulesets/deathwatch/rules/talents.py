"""Talents and tags as names on a profile: those that rules ask for, and slips of the pen.

Weapon training, and what happens without it, is in `attack/modifiers.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, get_args

from battletape.cards import ProfileBook, entry_value
from battletape.rulebook import BadInput, listed, nearest
from battletape.rulesets.deathwatch.profiles.types import Kind
from battletape.rulesets.deathwatch.rules import melee
from battletape.rulesets.deathwatch.rules.attack.modifiers import (
    EVERY_WEAPON,
    HEAVY,
    NO_TRAINING_NEEDED,
    spelt,
    training_of,
)

TALENTS = (
    *(melee.SWIFT, melee.LIGHTNING, melee.BOTH_HANDS, melee.UNARMED_WARRIOR, melee.UNARMED_MASTER, EVERY_WEAPON),
    *(melee.WIELDER, melee.WIELDER_MELEE, melee.WIELDER_BALLISTIC),
)
TAGS: Mapping[str, str] = {"alien": "DW-RF-3", "daemon": "DW-QUAL-SANCTIFIED", "human": "DW-RF-3"}
"""Tags that rules or our own profiles use, with the clause that asks for them."""
MISSPELLING_SHARE = 0.75
"""How like a known tag one must be to be taken for a slip; all others are notes of the player's."""
WITHOUT_RULE = ("Marksman",)
"""Talents of our own profiles that no rule here asks for."""
NOTES = "Talents without a rule here go among a profile's tags."


def known_talents(groups: Iterable[str]) -> dict[str, str]:
    """Return every talent there is, and its clause: those of rules, weapon trainings, and others of ours."""
    taught = [group for group in dict.fromkeys(groups) if group.lower() not in NO_TRAINING_NEEDED]
    trainings = [name for group in (*taught, HEAVY) for name in training_of(group)]
    trainings += [name for kind in get_args(Kind) for group in taught for name in training_of(kind, f" ({group})")]
    known = {talent.name: talent.clause for talent in TALENTS}
    return known | dict.fromkeys(trainings, "DW-UNTR-1") | dict.fromkeys(WITHOUT_RULE, "")


def refuse_unknown(given: Mapping[str, Any], book: ProfileBook) -> BadInput | None:
    """Refuse a talent that there is not, or a tag that is almost one with a rule."""
    typed = {key: given.get(key) or () for key in ("talents", "tags", "fury_sure_against")}
    names = {key: value.split(",") if isinstance(value, str) else list(map(str, value)) for key, value in typed.items()}
    arsenal = given.get("arsenal", ())
    groups = [entry_value(weapon, "group") for weapon in arsenal] if isinstance(arsenal, (list, tuple)) else []
    slips = (
        *unknown_talents(names["talents"], book, groups),
        *misspelt_tags(names["tags"] + names["fury_sure_against"]),
    )
    return next(iter(slips), None)


def unknown_talents(given: Iterable[str], book: ProfileBook, groups: Iterable[str] = ()) -> Iterator[BadInput]:
    """Yield a refusal for each talent without a rule, with the nearest that has one."""
    names = [name for name in given if name.strip().lower() not in ("", "none")]  # how an empty list is written
    if not names:
        return
    own = (weapon.group.strip() for weapon in book.entries["weapon"].values())
    known = known_talents((*own, *groups))
    spelt_names = {spelt(name) for name in known}
    for name in names:
        if spelt(name) not in spelt_names:
            like = nearest(name, known)
            cited = f" ({known[like]})" if like and known[like] else ""
            hint = f" Did you mean {like!r}{cited}?" if like else ""
            others = listed([*(talent.name for talent in TALENTS), *WITHOUT_RULE, "trainings such as Bolt training"])
            reason = f"the talent {name.strip()!r:.80} would do nothing here.{hint or f' Known: {others}.'}"
            yield BadInput(f"{reason} {NOTES}", field="talents")


def misspelt_tags(given: Iterable[str]) -> Iterator[BadInput]:
    """Yield a refusal for each tag that almost matches one with a rule; all others are notes."""
    from difflib import SequenceMatcher  # only where a name is not known

    for name in given:
        tag = name.strip()
        if tag in TAGS:
            continue
        share, like = max((SequenceMatcher(None, tag.lower(), known.lower()).ratio(), known) for known in TAGS)
        if share >= MISSPELLING_SHARE:
            why = f"the tag {name!r} would do nothing here. Did you mean {like!r} ({TAGS[like]})?"
            yield BadInput(why, field="tags")
