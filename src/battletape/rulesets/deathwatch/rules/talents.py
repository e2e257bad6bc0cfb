"""Talents as names on a profile: those that rules ask for, weapon trainings among them, and the tags of a being."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from battletape.cards import ProfileBook
from battletape.rulebook import BadInput, clause
from battletape.rulesets.deathwatch.profiles.types import Weapon
from battletape.rulesets.deathwatch.rules import melee

EVERY_WEAPON = melee.Talent("Astartes Weapon Training", "DW-UNTR-1")
HEAVY = "Heavy"
UNTAUGHT = ("", "other")
"""Groups that need no training: clubs and stones, and weapons of no group."""
TALENTS = (
    *(melee.SWIFT, melee.LIGHTNING, melee.BOTH_HANDS, melee.UNARMED_WARRIOR, melee.UNARMED_MASTER, EVERY_WEAPON),
    *(melee.WIELDER, melee.WIELDER_MELEE, melee.WIELDER_BALLISTIC),
)
TAGS: Mapping[str, str] = {"alien": "DW-RF-3", "daemon": "DW-QUAL-SANCTIFIED", "human": "DW-RF-3"}
"""Tags that rules or our own profiles use, with the clause that asks for them."""
ALIKE = 0.85
"""How like a known name one must be to be taken for a slip; talents without a rule here are notes of the player's."""
ALIKE_TAG = 0.75  # which are short


# --- weapon training --------------------------------------------------------------------------------------------------


@clause("DW-UNTR-1")
def is_trained(weapon: Weapon, talents: Sequence[str]) -> bool:
    """Whether these talents hold the training for a weapon: that of its group, and for heavy weapons if it is one."""
    group = weapon.group.strip()
    if group.lower() in UNTAUGHT or melee.has(talents, EVERY_WEAPON):
        return True
    if _any(talents, f"{weapon.kind} training ({group})", f"{weapon.kind} weapon training ({group})"):
        return True
    return _any(talents, *_names(group)) and (weapon.kind != HEAVY or _any(talents, *_names(HEAVY)))


def _any(talents: Sequence[str], *names: str) -> bool:
    return any(melee.has(talents, melee.Talent(name, "DW-UNTR-1")) for name in names)


def _names(group: str) -> tuple[str, str]:
    return f"{group} training", f"{group} weapon training"


# --- slips of the pen -------------------------------------------------------------------------------------------------


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
    known |= {_names(group)[0]: "DW-UNTR-1" for group in (*groups, HEAVY) if group.lower() not in UNTAUGHT}
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
