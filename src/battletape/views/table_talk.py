"""A battle at the table: units that may still act, what each may do, and which targets it reaches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct

from battletape.battle import Battle
from battletape.battle.battle import Option
from battletape.battle.intents import LENGTHS, takes_place
from battletape.inputs import Inputs, fields, quoted, value_of
from battletape.system import NAMED, Action
from battletape.views.battle import in_whole_numbers


class Choice(Struct, frozen=True):
    """A way to act that may be taken now: what it is in a few words, and the option that does it."""

    words: str
    option: Option
    unit: str


class Reach(Struct, frozen=True):
    """What a unit can be turned against, by the action and what it is done with."""

    unit: str
    action: str
    using: str
    targets: tuple[str, ...]


class TableTalk(Struct, frozen=True):
    """What may be done now: the units that wait to act, every choice by unit, and what makes the game go on."""

    waiting: tuple[str, ...]
    choices: tuple[Choice, ...]  # of units, in the order in which they are offered
    others: tuple[Choice, ...]  # of no unit, such as a test that is due
    onward: tuple[Choice, ...]  # what ends what a unit does, a phase or a turn, in this order
    aside: tuple[str, ...]  # names of actions beside the game that may be taken

    @property
    def units(self) -> tuple[str, ...]:
        """Units that may do something, those that wait first."""
        able = dict.fromkeys(choice.unit for choice in self.choices)
        return tuple(dict.fromkeys((*(name for name in self.waiting if name in able), *able)))

    def of(self, unit: str) -> tuple[Choice, ...]:
        """Return what a unit may do, and what ends that."""
        own = tuple(choice for choice in self.choices if choice.unit == unit)
        ends = (
            choice for choice in self.onward if choice.option.action.goes_on == "unit" and choice.unit in (unit, "")
        )
        return (*own, *(choice for choice in ends if choice not in own))


ONWARD = ("unit", "phase", "turn")


def table_talk(battle: Battle) -> TableTalk:
    """Return what may be done in a battle as it stands."""
    if battle.over:
        return TableTalk((), (), (), (), ())
    state, legal = battle.state, battle.legal()
    choices = [choice_of(battle, option) for option in legal if not option.action.aside]
    onward = sorted(
        (choice for choice in choices if choice.option.action.goes_on),
        key=lambda choice: ONWARD.index(choice.option.action.goes_on),
    )
    own = tuple(choice for choice in choices if choice.unit and not choice.option.action.goes_on)
    others = tuple(choice for choice in choices if not choice.unit and not choice.option.action.goes_on)
    aside = tuple(dict.fromkeys(option.action.name for option in legal if option.action.aside))
    able = dict.fromkeys(choice.unit for choice in own)
    if battle.rules.waiting is None:
        done, field = acted(battle), battle.rules.field(state)
        others_units = {each.name for each in field.enemies_of(battle.active_side)} if field is not None else set()
        waiting = tuple(name for name in able if name not in done and name not in others_units)
    else:
        waiting = tuple(name for name in battle.rules.waiting(state) if name in able)
    return TableTalk(waiting, own, others, tuple(onward), aside)


def acted(battle: Battle) -> frozenset[str]:
    """Return the units that moves were made with since the phase began."""
    return frozenset(unit for unit, _ in moves_now(battle) if unit)


def moves_now(battle: Battle) -> Iterator[tuple[str, str]]:
    """Yield unit and action of each move since the phase began, the latest first.

    The move of a unit with which it began, such as an attack that makes it the acting unit, is one of them.
    """
    now = dict(battle.where)
    for move in reversed(battle.moves):
        before, action = battle.reach(move.follows), battle.rules.action(move.action)
        is_earlier = dict(battle.rules.where(before)) != now
        if is_earlier and action.goes_on:
            return
        yield action.about(before, move.params).get("unit", ""), action.name
        if is_earlier:
            return


def choice_of(battle: Battle, option: Option) -> Choice:
    """Return an option in a few words."""
    about = option.action.about(battle.state, option.params)
    unit = _text(option.params, "unit") or about.get("unit", "")
    return Choice(option_words(option.action, option.params), option, unit)


def option_words(card: Action, params: Inputs) -> str:
    """Return an option without the unit: “shoot Boyz, Bolter”, “drive 20,11”, “aim full”."""
    words: list[str] = []
    names = params.__struct_fields__
    for field in fields(type(params)):
        value = value_of(params, field.name)
        if field.name == "unit" or value == field.default or (field.name == "y" and "x" in names):
            continue
        if field.name == "towards":
            words.append(f"towards {value}")
            continue
        if field.name in LENGTHS and "towards" in names:
            words.append(f"{value:g} {'inch' if value == 1 else 'inches'}")
            continue
        if field.name == "x" and "y" in names:
            words.append(f"{value:.4g},{value_of(params, 'y'):.4g}")
            continue
        text = field.show(in_whole_numbers(value))
        bare = field.name in (*NAMED, "path", "what", "mode", "aim", "power", "guns", "weapons")
        words.append(text if bare else field.name if value is True else f"{field.name}={quoted(text)}")
    return " ".join([card.name, ", ".join(words)]).strip()


def reaches(talk: TableTalk) -> tuple[Reach, ...]:
    """Return each unit with the targets that it can attack, by action and weapon."""
    found: dict[tuple[str, str, str], dict[str, None]] = {}
    for choice in talk.choices:
        params = choice.option.params
        target = _text(params, "target")
        if target and not takes_place(choice.option.action):
            key = (choice.unit, choice.option.action.name, _text(params, "weapon"))
            found.setdefault(key, {})[target] = None
    return tuple(Reach(*key, tuple(targets)) for key, targets in found.items())


MOST_PHASES = 12
"""How many phases of a turn are looked through for units that may act in them."""


def ends_now(battle: Battle, action: str, unit: str = "") -> tuple[str, ...]:
    """Return the units that may still act and would not any more: in this phase, and in those that a turn still has.

    A unit that ends what it does is one of them if it has done nothing yet.
    """
    kind = battle.rules.action(action).goes_on
    if kind == "unit":
        return (unit,) if unit in table_talk(battle).waiting and unit not in acted(battle) else ()
    if kind == "phase":
        return table_talk(battle).waiting
    return tuple(dict.fromkeys(_left_in_turn(battle))) if kind == "turn" else ()


def _left_in_turn(battle: Battle) -> Iterator[str]:
    """Yield the units that may act in this phase and in the later ones of this turn, which are played ahead."""
    turn, ahead = _turn_of(battle), battle.fork()
    for _ in range(MOST_PHASES):
        if ahead.over or _turn_of(ahead) != turn:
            return
        talk = table_talk(ahead)
        yield from talk.waiting
        end = next((choice for choice in talk.onward if choice.option.action.goes_on == "phase"), None)
        if end is None:
            return
        ahead.push(end.option, tape=0)


def _turn_of(battle: Battle) -> tuple[str, ...]:
    return tuple(battle.where.get(name, "") for name in ("turn", "side", "unit"))


def skipped(names: Sequence[str], most: int = 4) -> str:
    """Return a few names in a sentence: Anvil, Barrow and 3 more."""
    shown: Iterable[str] = names if len(names) <= most + 1 else names[:most]
    more = len(names) - len(tuple(shown))
    return ", ".join(shown) + (f" and {more} more" if more else "")


def _text(params: Any, name: str) -> str:
    value = value_of(params, name)
    return value if isinstance(value, str) else ""
