"""A question as a form to fill in: its inputs in the groups players think in, each with its value and a fitting control."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from battletape.inputs import Field, Inputs, fields
from battletape.system import Question, Ruleset
from battletape.views.asked import written
from battletape.views.catalogue import GROUPS, group_title
from battletape.views.picks import Path, Pick, base_inputs, picks

SHOWN = 3
"""A group shows at least so many inputs; the others that nobody has touched wait behind “more”."""
SEGMENTS = 6
"""Up to so many short choices stand side by side; more become a list to pull down."""
TONES = {"attacker": "attack", "weapon": "attack", "target": "defend"}
"""The colour of a group: what happens, whom it happens to, and everything else."""


class ChoiceView(Struct, frozen=True):
    """One choice of a control: what is sent, and what it is called."""

    value: str
    text: str


class ControlView(Struct, frozen=True):
    """One input of the form; `base` is what it is if nobody says anything, `kind` how it is filled in."""

    name: str  # guns.0.shots for an input of the first gun
    title: str
    kind: str  # stepper, segments, toggles, select, pick, text, list
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
    item: str = ""  # what an entry of a list is called

    @property
    def changed(self) -> bool:
        """Whether the player said something here."""
        return self.value != self.base


class EntryView(Struct, frozen=True):
    """One entry of a list: a gun of several."""

    number: int
    title: str
    shown: tuple[ControlView, ...]
    more: tuple[ControlView, ...]


class GroupView(Struct, frozen=True):
    """Inputs that belong together; `more` are those that wait until somebody wants them."""

    name: str
    title: str
    tone: str  # attack, defend, around
    shown: tuple[ControlView, ...]
    more: tuple[ControlView, ...]


class FormView(Struct, frozen=True):
    """All a player can say about a question."""

    ruleset: str
    question: str
    title: str
    groups: tuple[GroupView, ...]
    rulings: tuple[ControlView, ...]
    preset: ControlView | None
    changed_rulings: int


def form_view(
    ruleset: Ruleset, question: Question, inputs: Inputs, rulings: Inputs, preset: str | None = None
) -> FormView:
    """The form of a question, filled in."""
    controls = _controls(ruleset, question, (), "", inputs)
    groups: dict[str, list[tuple[Field, ControlView]]] = {name: [] for name in GROUPS}
    for field, control in controls:
        groups.setdefault(field.group, []).append((field, control))
    shown = tuple(_group(name, found, question.example) for name, found in groups.items() if found)
    base = ruleset.parse_rulings({} if preset is None else {"preset": preset})
    taken = {field.name for field, _ in controls}
    decided = tuple(
        _control(one, one.name, getattr(rulings, one.name), getattr(base, one.name), None)
        for one in fields(ruleset.rulings)
        if one.name not in taken
    )
    changed = sum(one.changed for one in decided)
    return FormView(ruleset.name, question.name, question.title, shown, decided, _preset(ruleset, preset), changed)


def _group(name: str, found: Sequence[tuple[Field, ControlView]], example: Mapping[str, Any]) -> GroupView:
    shown, more = _parted(found, example)
    return GroupView(name or "inputs", group_title(found[0][0]), TONES.get(name, "around"), shown, more)


def _parted(
    found: Iterable[tuple[Field, ControlView]], example: Mapping[str, Any]
) -> tuple[tuple[ControlView, ...], tuple[ControlView, ...]]:
    """What to show at once: profiles, lists, what the example names and what was changed; and a few numbers anyway."""
    rows = list(found)
    wanted = {control.name for field, control in rows if _matters(field, control, example)}
    rest = sorted((control for _, control in rows if control.name not in wanted), key=lambda one: _RANK[one.kind])
    if len(rest) - max(SHOWN - len(wanted), 0) <= 1:
        return tuple(control for _, control in rows), ()
    wanted |= {control.name for control in rest[: max(SHOWN - len(wanted), 0)]}
    shown = tuple(control for _, control in rows if control.name in wanted)
    return shown, tuple(control for _, control in rows if control.name not in wanted)


_RANK = {"stepper": 0, "segments": 1, "toggles": 2, "select": 2, "pick": 2, "list": 2, "text": 3}


def _matters(field: Field, control: ControlView, example: Mapping[str, Any]) -> bool:
    return control.kind in ("pick", "list") or field.name in example or control.changed


def _controls(
    ruleset: Ruleset, question: Question, path: Path, prefix: str, values: Inputs
) -> list[tuple[Field, ControlView]]:
    known = picks(ruleset, question)
    named = [one.name for one in fields(type(values)) if (*path, one.name) in known and getattr(values, one.name)]
    base = base_inputs(ruleset, question, path, type(values), {name: getattr(values, name) for name in named})
    return [
        (
            one,
            _list(ruleset, question, (*path, one.name), prefix + one.name, one, getattr(values, one.name), base)
            if one.item is not None
            else _control(
                one,
                prefix + one.name,
                getattr(values, one.name),
                one.default if (*path, one.name) in known else getattr(base, one.name),
                known.get((*path, one.name)),
            ),
        )
        for one in fields(type(values))
    ]


def _list(
    ruleset: Ruleset, question: Question, path: Path, name: str, field: Field, entries: Sequence[Inputs], base: Inputs
) -> ControlView:
    """A list of entries, each with controls of its own."""
    item = _singular(field.title.partition(",")[0])
    example = _example_of(question.example, path)
    made = []
    for at, entry in enumerate(entries):
        shown, more = _parted(_controls(ruleset, question, path, f"{name}.{at}.", entry), example)
        made.append(EntryView(at, f"{item} {at + 1}" if len(entries) > 1 else item, shown, more))
    same = "same" if tuple(entries) == tuple(getattr(base, field.name)) else "own"
    return ControlView(
        name=name,
        title=field.title,
        kind="list",
        value=same,
        base="same",
        wants=field.wants,
        description=field.description,
        clause=field.clause,
        entries=tuple(made),
        item=item,
    )


def _control(field: Field, name: str, value: Any, base: Any, pick: Pick | None) -> ControlView:
    choices = _choices(field, pick, value)
    kind = _kind(field, pick, choices)
    return ControlView(
        name=name,
        title=field.title.partition(":")[0] if kind == "toggles" else field.title,
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
    )


def _text(field: Field, value: Any) -> str:
    """A value as the control sends it: numbers bare, an empty list or nothing at all as nothing."""
    if field.kind in ("names", "whole_list") and not value:
        return ""
    if field.kind in ("whole", "number"):
        return "" if value is None else written(field, value).removesuffix("+")
    return written(field, value)


def _kind(field: Field, pick: Pick | None, choices: Sequence[ChoiceView]) -> str:
    if pick is not None:
        return "pick"
    if field.kind == "names":
        return "toggles" if choices else "text"
    if choices:
        short = sum(len(one.text) for one in choices) <= 4 * SEGMENTS and not field.alternatives
        return "segments" if len(choices) <= SEGMENTS and short else "select"
    return "stepper" if field.kind in ("whole", "number") else "text"


def _choices(field: Field, pick: Pick | None, value: Any) -> tuple[ChoiceView, ...]:
    if pick is not None:
        names = pick.names if not value or value in pick.names else (value, *pick.names)
        return (ChoiceView("", "own numbers"), *(ChoiceView(one, one) for one in names))
    none = (ChoiceView("", "–"),) if field.optional else ()
    if field.kind == "yes_no":
        return (ChoiceView("no", "no"), ChoiceView("yes", "yes"))
    if field.kind == "names":
        return _listed(field, value)
    if field.kind == "choice":
        means = dict(field.alternatives)
        found = (ChoiceView(str(one), means.get(str(one), "") or _words(one)) for one in field.choices)
        return (*((ChoiceView("none", "none"),) if field.optional else ()), *found)
    if field.kind == "whole" and field.low is not None and field.high is not None:
        plus = "+" if field.form == "save" else ""
        if field.high - field.low < SEGMENTS:
            return (*none, *(ChoiceView(str(one), f"{one}{plus}") for one in range(field.low, field.high + 1)))
    return ()


def _listed(field: Field, value: Any) -> tuple[ChoiceView, ...]:
    """The names that a title lists (“Types: fast, tank, walker”), and those that were given besides."""
    _, colon, listed = field.title.partition(": ")
    names = [one.strip() for one in listed.split(",")] if colon and "," in listed else []
    more = [one for one in value or () if one not in names]
    return tuple(ChoiceView(one, _words(one)) for one in (*names, *more)) if names else ()


def _words(value: Any) -> str:
    return str(value).replace("_", " ")


def _slide(field: Field, value: Any) -> tuple[int, int] | None:
    """A slider goes as far as a thumb can still aim: to twice the value, or where the input itself ends."""
    if field.low is None or field.high is None:
        return None
    near = max(20 if field.low >= 0 else 6, 2 * abs(int(value or 0)), 2 * abs(int(field.default or 0)))
    low = field.low if field.low >= 0 else max(field.low, -near)
    return low, min(field.high, max(low, 0) + near)


def _preset(ruleset: Ruleset, preset: str | None) -> ControlView | None:
    """The named sets of rulings, where there are several."""
    if len(ruleset.presets) < 2:
        return None
    first = next(iter(ruleset.presets))
    return ControlView(
        name="preset",
        title="Start from",
        kind="select",
        value=preset or first,
        base=first,
        wants="one of " + ", ".join(ruleset.presets),
        choices=tuple(ChoiceView(one, one) for one in ruleset.presets),
    )


def _example_of(example: Mapping[str, Any], path: Path) -> Mapping[str, Any]:
    """What the example says of the first entry of a list."""
    found: Any = example
    for name in path:
        found = found.get(name) if isinstance(found, Mapping) else None
        found = found[0] if isinstance(found, (list, tuple)) and found else None
    return found if isinstance(found, Mapping) else {}


def _singular(title: str) -> str:
    """“Guns” as “Gun”; a title that is no plain plural stays as it is."""
    first = title.strip()
    return first[:-1] if first.endswith("s") and not first.endswith("ss") else first
