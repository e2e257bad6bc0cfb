"""Controls: which one fits an input (stepper, segments, pick list, …), its value, its choices and its limits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from battletape.inputs import Field
from battletape.views.profile_choices import ProfileChoice
from battletape.views.short_inputs import listed_names, written

SEGMENTS = 6
"""Up to this many short choices stand side by side; more become a drop-down list."""
MOST_SEGMENTS = 9
"""More choices than this become a drop-down list, even where each could say what the answer would become."""
OWN_NUMBERS = "own numbers"
"""What the form shows if no profile is named."""


class ChoiceView(Struct, frozen=True):
    """One choice of a control: what is sent, what it is called, and a few words about it."""

    value: str
    text: str
    about: str = ""
    on: bool = False  # ticked, where several may be


class ControlView(Struct, frozen=True):
    """One input of the form; `base` is its value until it is changed, `kind` the kind of control."""

    name: str  # guns.0.shots for an input of the first gun
    title: str
    kind: str  # stepper, segments, toggles, select, pick, known, names, text, list, places (models on a table)
    value: str
    base: str
    wants: str
    description: str = ""
    clause: str = ""
    unit: str = ""
    optional: bool = False
    low: int | None = None
    high: int | None = None
    slide: tuple[int, int] | None = None  # from where to where a slider goes; a stepper goes further
    whole: bool = True
    choices: tuple[ChoiceView, ...] = ()
    entries: tuple[EntryView, ...] = ()
    least: int = 0  # entries that a list has unless a player empties it on purpose
    item: str = ""  # what an entry of a list is called
    formed: int = 0  # how many of its models a formation is made of
    fixed: str = ""  # what the profile gives anyway; the value only adds to it
    brought: str = ""  # what else changed when this profile was picked
    part: str = ""  # what it is to a player: count, facing, places, mode, circumstance
    short: str = ""  # what a stat line or a chip calls it
    about: str = ""  # a sentence about it, which its title says at its end
    beside: str = ""  # a measure to show with each choice
    profile: bool = False  # whether its choices are units or weapons: they are picked from a sheet
    said: bool = False  # it must be sent even if it equals its base, because another input would fill in something else

    @property
    def changed(self) -> bool:
        """Whether the player changed it."""
        return self.value != self.base

    @property
    def label(self) -> str:
        """What a card calls it: “Weapon” for the profile of a weapon."""
        return self.title.replace("'s profile", "").replace(" profile", "") if self.kind == "pick" else self.title

    @property
    def is_chip(self) -> bool:
        """Whether it is a circumstance that holds or not."""
        return self.part == "circumstance" and [choice.value for choice in self.choices] == ["no", "yes"]

    @property
    def is_seg(self) -> bool:
        """Whether its few choices stand side by side, each with what the answer would become."""
        few = self.kind in ("segments", "select") and len(self.choices) <= MOST_SEGMENTS
        return self.part in ("facing", "mode", "circumstance") and few and not self.is_chip


class StatView(Struct, frozen=True):
    """One number of a stat line: BS 4. A tap steps the input that it shows, or leads to it."""

    name: str  # of the input
    short: str
    text: str
    title: str
    unit: str = ""  # what stands behind a number: ″
    empty: str = "–"  # what stands there without a value
    steps: bool = False  # whether it goes up and down; otherwise it is typed or picked under “All numbers”
    usual: str = ""  # the text, if it is not changed


class EntryView(Struct, frozen=True):
    """One entry of a list: a gun of several; `more` are the numbers that wait under “All numbers”."""

    number: int
    title: str
    shown: tuple[ControlView, ...]
    more: tuple[ControlView, ...]
    stats: tuple[StatView, ...] = ()


def make_control(
    field: Field,
    name: str,
    value: Any,
    base: Any,
    pick: ProfileChoice | None,
    fixed: Sequence[str] = (),
    lines: Mapping[str, str] | None = None,
) -> ControlView:
    """Return the control of an input; `base` is its value until it is changed, `pick` its list of profiles.

    `fixed` are the names that a profile always gives; the player can only add others. `lines` are the names that a
    text may be, each with a few words about it, such as the stat lines of profiles.
    """
    stays = [name for name in fixed if name in value]
    if fixed:
        value, base = tuple(name for name in value if name not in fixed), ()
    known = dict(field.known) if lines is None else lines
    choices = _choices(field, pick, value, known)
    kind = _kind(field, pick, choices, known)
    if kind == "toggles":  # in the order in which they stand side by side
        order = [choice.value for choice in choices]
        value, base = (tuple(sorted(names or (), key=lambda name: _at(order, str(name)))) for names in (value, base))
    return ControlView(
        name=name,
        title=field.title,
        kind=kind,
        value=_text(field, value),
        base=_text(field, base),
        wants=field.wants,
        description=field.description,
        clause=field.clause,
        unit=field.unit,
        optional=field.optional,
        low=field.low,
        high=field.high,
        slide=_slide(field, value) if kind == "stepper" and not field.optional else None,
        whole=field.kind == "whole",
        choices=choices,
        fixed=", ".join(stays),
        part="" if field.part == "aside" else field.part,
        short=field.short,
        about=field.about if field.about[:1].isalnum() else "",
        beside=field.beside,
        profile=bool(field.profile) and kind in ("known", "names"),
    )


def as_typed(control: ControlView, text: str) -> ControlView:
    """Return a control that shows what was typed, although it does not fit."""
    choices = control.choices
    if control.kind == "toggles":
        choices = _ticked(choices, text.split(", "))
    elif control.kind in ("segments", "select", "pick", "known") and text not in {choice.value for choice in choices}:
        choices = (*choices, ChoiceView(text, text))
    return replace(control, value=text, choices=choices)


def _text(field: Field, value: Any) -> str:
    """Return a value as the control sends it: plain numbers, and an empty text for nothing."""
    if field.kind in ("names", "whole_list") and not value:
        return ""
    if field.kind in ("whole", "number"):
        return "" if value is None else written(field, value)
    return written(field, value)


def _kind(field: Field, pick: ProfileChoice | None, choices: Sequence[ChoiceView], known: Mapping[str, str]) -> str:
    if pick is not None:
        return "pick"
    if field.kind in ("names", "whole_list"):
        return "toggles" if choices and listed_names(field) else "names" if known else "text"
    if field.kind == "text":
        return "select" if field.among else "known" if known else "text"
    if choices:
        short = sum(len(choice.text) for choice in choices) <= 4 * SEGMENTS and not field.alternatives
        return "segments" if len(choices) <= SEGMENTS and short else "select"
    return "stepper" if field.kind in ("whole", "number") else "text"


def _choices(field: Field, pick: ProfileChoice | None, value: Any, known: Mapping[str, str]) -> tuple[ChoiceView, ...]:
    if pick is not None:
        names = pick.names if not value or value in pick.names else (value, *pick.names)
        return (ChoiceView("", OWN_NUMBERS), *(ChoiceView(name, name, known.get(name, "")) for name in names))
    if field.kind == "text" and known:
        empty = () if field.default else (ChoiceView("", known.get("", "none")),)
        other = (ChoiceView(value, value),) if value and value not in known else ()
        return (*empty, *other, *(ChoiceView(name, _words(name), about) for name, about in known.items() if name))
    none = (ChoiceView("", "–"),) if field.optional else ()
    if field.kind == "yes_no":
        return (ChoiceView("no", "no"), ChoiceView("yes", "yes"))
    if field.kind in ("names", "whole_list") and listed_names(field):
        return _listed(field, value)
    if field.kind == "names":
        return tuple(ChoiceView(name, _words(name), about) for name, about in known.items())
    if field.kind == "choice":
        means = dict(field.alternatives)
        choices = (ChoiceView(str(choice), means.get(str(choice), "") or _words(choice)) for choice in field.choices)
        return (*((ChoiceView("none", "none"),) if field.optional else ()), *choices)
    if field.kind == "whole" and field.low is not None and field.high is not None:
        plus = "+" if field.form == "save" else ""
        if field.high - field.low < SEGMENTS:
            return (*none, *(ChoiceView(str(number), f"{number}{plus}") for number in range(field.low, field.high + 1)))
    return ()


def _listed(field: Field, value: Any) -> tuple[ChoiceView, ...]:
    """Return the names that are known, and those that were given besides."""
    names = listed_names(field)
    given = [str(name) for name in value or ()]
    more = [name for name in given if name not in names]
    return _ticked([ChoiceView(name, _words(name)) for name in (*names, *more)], given)


def _ticked(choices: Iterable[ChoiceView], names: Iterable[str]) -> tuple[ChoiceView, ...]:
    """Return the choices with those ticked that are named; of two alike, each takes a mention of its own."""
    left = Counter(names)
    ticked = []
    for choice in choices:
        ticked.append(replace(choice, on=left[choice.value] > 0))
        left[choice.value] -= 1
    return tuple(ticked)


def _at(order: Sequence[str], name: str) -> int:
    return order.index(name) if name in order else len(order)


def _words(value: Any) -> str:
    return str(value).replace("_", " ")


def _slide(field: Field, value: Any) -> tuple[int, int] | None:
    """Return how far a slider goes so that a thumb can still aim: to twice the value, or to the limit of the input."""
    if field.low is None or field.high is None:
        return None
    near = max(20 if field.low >= 0 else 6, 2 * abs(int(value or 0)), 2 * abs(int(field.default or 0)))
    low = field.low if field.low >= 0 else max(field.low, -near)
    return low, min(field.high, max(low, 0) + near)
