"""What an action changed, told from the battle before and after it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from battletape.cards import Line, fields
from battletape.rulesets.attack_dice.battle.state import Squad, State
from battletape.rulesets.attack_dice.rules.damage import all_models
from battletape.rulesets.attack_dice.rulings import Rulings


def tell_attack(before: State, order: Any, after: State) -> Iterable[Line]:
    """What follows from an attack besides the losses, which the sequence has told already."""
    for old, new in zip(before.squads, after.squads, strict=True):
        yield from _places(old, new)
    yield from _turn(before, after)


def tell_action(before: State, order: Any, after: State) -> Iterable[Line]:
    """Everything that is not as it was: agreements, HP, cover, Melees, transports, whose turn it is."""
    for ruling in fields(Rulings):
        value = getattr(after.rules, ruling.name)
        if value != getattr(before.rules, ruling.name):
            yield Line(f"Agreed: {ruling.name} is {value}", (ruling.clause,))
    for old, new in zip(before.squads, after.squads, strict=True):
        yield from _hp(old, new)
        yield from _places(old, new)
    yield from _turn(before, after)


def _hp(old: Squad, new: Squad) -> Iterator[Line]:
    hp = new.lost - old.lost
    if hp:
        left = "the unit is gone" if new.is_gone else f"{new.models} of {all_models(new.ranks)} models stand"
        yield Line(f"{new.name} {'lose' if hp > 0 else 'get back'} {abs(hp)} HP; {left}", ("AD-80",))


def _places(old: Squad, new: Squad) -> Iterator[Line]:
    if new.melee != old.melee:
        yield Line(f"{new.name}: {f'in Melee {new.melee}' if new.melee else 'in no Melee any more'}", ("AD-56",))
    if new.aboard != old.aboard:
        yield Line(
            f"{new.name}: {f'aboard {new.aboard}' if new.aboard else f'no longer aboard {old.aboard}'}", ("AD-65",)
        )
    if (new.cover, new.cover_stat) != (old.cover, old.cover_stat):
        stat = {"defence": "Defence", "armour": "Armour"}[new.cover_stat]
        yield Line(f"{new.name}: {f'cover of +{new.cover} {stat}' if new.cover else 'no cover'}", ("AD-58",))


def _turn(before: State, after: State) -> Iterator[Line]:
    if after.phase != before.phase:
        yield Line("The game begins", ("AD-4",))
    if after.turn != before.turn:
        yield Line(f"Turn {after.turn} begins with {after.active}", ("AD-82",))
    elif after.active != before.active:
        yield Line(f"{after.active} is next", ("AD-82",))
