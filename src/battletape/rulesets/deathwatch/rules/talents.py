"""Talents and tags as names on a profile: those that rules ask for, and slips of the pen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from battletape.cards import ProfileBook
from battletape.rulebook import BadInput
from battletape.rulesets.deathwatch.rules import melee
from battletape.rulesets.deathwatch.rules.attack.modifiers import EVERY_WEAPON, HEAVY, UNTAUGHT, training_of

TALENTS = (
    *(melee.SWIFT, melee.LIGHTNING, melee.BOTH_HANDS, melee.UNARMED_WARRIOR, melee.UNARMED_MASTER, EVERY_WEAPON),
    *(melee.WIELDER, melee.WIELDER_MELEE, melee.WIELDER_BALLISTIC),
)
TAGS: Mapping[str, str] = {"alien": "DW-RF-3", "daemon": "DW-QUAL-SANCTIFIED", "human": "DW-RF-3"}
"""Tags that rules or our own profiles use, with the clause that asks for them."""
ALIKE = 0.85
"""How like a known name one must be to be taken for a slip; talents without a rule here are notes of the player's."""
ALIKE_TAG = 0.75  # which are short


def refuse_slips(given: Mapping[str, Any], book: ProfileBook) -> None:
    """Raise where a talent or tag typed in is almost one with a rule."""
    typed = {key: given.get(key) or () for key in ("talents", "tags", "fury_sure_against")}
    names = {key: value.split(",") if isinstance(value, str) else list(map(str, value)) for key, value in typed.items()}
    slips = [*misspelt_talents(names["talents"], book), *misspelt_tags(names["tags"] + names["fury_sure_against"])]
    if slips:
        raise slips[0]


def misspelt_talents(given: Iterable[str], book: ProfileBook) -> Iterator[BadInput]:
    """Talents that are almost the name of one with a rule, and would silently do nothing."""
    groups = dict.fromkeys(weapon.group.strip() for weapon in book.entries["weapon"].values())
    known = {talent.name: talent.clause for talent in TALENTS}
    known |= {training_of(group)[0]: "DW-UNTR-1" for group in (*groups, HEAVY) if group.lower() not in UNTAUGHT}
    return _misspelt("talent", (name for name in given if "training (" not in name.lower()), known, ALIKE)


def misspelt_tags(given: Iterable[str]) -> Iterator[BadInput]:
    """Tags that are almost one that rules ask for."""
    return _misspelt("tag", given, TAGS, ALIKE_TAG)


def _misspelt(kind: str, given: Iterable[str], known: Mapping[str, str], alike: float) -> Iterator[BadInput]:
    from difflib import SequenceMatcher  # only where a name is not known

    spelt = {(name.lower() if kind == "talent" else name): name for name in known}
    for name in given:
        said = name.strip().lower().replace("-", " ") if kind == "talent" else name.strip()
        if said in spelt:
            continue
        share, like = max((SequenceMatcher(None, said.lower(), name.lower()).ratio(), name) for name in known)
        if share >= alike:
            why = f"the {kind} {name!r} would do nothing here. Did you mean {like!r} ({known[like]})?"
            yield BadInput(why, field=f"{kind}s")
