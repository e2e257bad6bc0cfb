"""The rulesets, found by name: ours, and those of other packages by the entry point `battletape.rulesets`."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from battletape.errors import BattletapeError, UnknownName
from battletape.system import Ruleset

if TYPE_CHECKING:
    from importlib.metadata import EntryPoints

OURS = ("attack_dice", "vehicles5", "deathwatch", "diceless40k", "second_edition")
_known: dict[str, Ruleset] = {}


def names() -> list[str]:
    """Every ruleset's name, ours first."""
    others = {point.name for point in _others()} | set(_known)
    return [*OURS, *sorted(others - set(OURS))]


def ruleset(name: str) -> Ruleset:
    """The ruleset of this name, such as `ruleset("attack_dice")`; an unknown name is refused with the nearest one."""
    if not isinstance(name, str):
        raise UnknownName("ruleset", name, names())
    if name in _known:
        return _known[name]
    if name in OURS:
        card = import_module(f"battletape.rulesets.{name}").RULESET
    else:
        card = next((point.load() for point in _others() if point.name == name), None)
        if card is None:
            raise UnknownName("ruleset", name, names())
    if not isinstance(card, Ruleset):
        raise BattletapeError(f"the ruleset {name!r} must be a Ruleset, got {type(card).__name__}")
    _known[name] = card
    return card


def register(card: Ruleset, *, replace: bool = False) -> Ruleset:
    """Make a ruleset of your own known in this process; with `replace`, in place of the one that has its name."""
    if not isinstance(card, Ruleset):
        raise BattletapeError(f"a ruleset is registered by its card, a Ruleset; got {card!r}")
    if not replace and card.name in names() and ruleset(card.name) is not card:
        whose = "is one of Battletape's own rulesets" if card.name in OURS else "is registered already"
        raise BattletapeError(
            f"the name {card.name!r} {whose}; give yours another name, or say register(card, replace=True)"
        )
    _known[card.name] = card
    return card


def _others() -> EntryPoints:
    from importlib.metadata import entry_points  # a quarter of our start-up, and our own rulesets do without

    return entry_points(group="battletape.rulesets")
