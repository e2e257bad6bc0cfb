"""A question as a form: its inputs in the groups players think in, each with its value and a control that fits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from battletape.inputs import Field, Inputs, fields, first_side
from battletape.system import Question, Ruleset
from battletape.views.asked import short_given
from battletape.views.catalogue import GROUPS, group_title
from battletape.views.controls import ChoiceView, ControlView, EntryView, as_typed, make_control
from battletape.views.picks import Path, added_to, base_inputs, own_names, picks

SHOWN = 3
"""A group shows at least this many inputs; untouched ones wait behind “more”."""
TONES = {"attacker": "attack", "weapon": "attack", "target": "defend"}
"""The colour of a group: what happens, whom it happens to, and everything else."""


class GroupView(Struct, frozen=True):
    """Inputs that belong together; `more` are those behind “more”."""

    name: str
    title: str
    tone: str  # attack, defend, around
    shown: tuple[ControlView, ...]
    more: tuple[ControlView, ...]


class FormView(Struct, frozen=True):
    """Everything a player can set in a question."""

    ruleset: str
    question: str
    title: str
    groups: tuple[GroupView, ...]
    rulings: tuple[ControlView, ...]  # those that can change the answer, or were changed
    other_rulings: tuple[ControlView, ...]
    preset: ControlView | None
    changed_rulings: int


def form_view(
    ruleset: Ruleset,
    question: Question,
    inputs: Inputs,
    rulings: Inputs,
    preset: str | None = None,
    typed: Mapping[str, str] | None = None,
    brought: Mapping[str, str] | None = None,
) -> FormView:
    """The form of a question, filled in.

    `typed` and `brought` go by the names of controls: texts that do not fit, and what else the profiles just picked
    have changed.
    """
    texts = _Texts(typed or {}, brought or {})
    said = short_given(ruleset, question, inputs, rulings, preset)
    controls = [
        (field, replace(control, said=field.name in said))
        for field, control in _controls(ruleset, question, (), "", inputs, texts)
    ]
    groups: dict[str, list[tuple[Field, ControlView]]] = {name: [] for name in GROUPS}
    for field, control in controls:
        groups.setdefault(field.group, []).append((field, control))
    shown = tuple(_group(name, rows, question.example) for name, rows in groups.items() if rows)
    base = ruleset.parse_rulings({} if preset is None else {"preset": preset})
    taken = {field.name for field, _ in controls}
    decided = tuple(
        _told(make_control(field, field.name, getattr(rulings, field.name), getattr(base, field.name), None), texts)
        for field in fields(ruleset.rulings)
        if field.name not in taken
    )
    matter = question.rulings
    near = tuple(ruling for ruling in decided if matter is None or ruling.name in matter or ruling.changed)
    far = tuple(ruling for ruling in decided if ruling not in near)
    return FormView(
        ruleset=ruleset.name,
        question=question.name,
        title=question.title,
        groups=shown,
        rulings=near,
        other_rulings=far,
        preset=_preset(ruleset, preset),
        changed_rulings=sum(ruling.changed for ruling in decided),
    )


def _group(name: str, rows: Sequence[tuple[Field, ControlView]], example: Mapping[str, Any]) -> GroupView:
    shown, more = _parted(rows, example)
    return GroupView(name or "inputs", group_title(rows[0][0]), TONES.get(name, "around"), shown, more)


def _parted(
    controls: Iterable[tuple[Field, ControlView]], example: Mapping[str, Any]
) -> tuple[tuple[ControlView, ...], tuple[ControlView, ...]]:
    """What to show at once: profiles, lists, inputs of the example, changed inputs, and at least a few numbers."""
    rows = list(controls)
    wanted = {control.name for field, control in rows if _matters(field, control, example)}
    rest = sorted((control for _, control in rows if control.name not in wanted), key=_rank)
    if len(rest) - max(SHOWN - len(wanted), 0) <= 1:
        return tuple(control for _, control in rows), ()
    wanted |= {control.name for control in rest[: max(SHOWN - len(wanted), 0)]}
    shown = tuple(control for _, control in rows if control.name in wanted)
    return shown, tuple(control for _, control in rows if control.name not in wanted)


_RANK = {"stepper": 0, "segments": 1, "toggles": 2, "select": 2, "pick": 2, "list": 2, "places": 2, "text": 3}


def _rank(control: ControlView) -> int:
    """Numbers first, and text that stands for one, such as the dice of a weapon; empty text last."""
    return 0 if control.kind == "text" and control.base else _RANK[control.kind]


def _matters(field: Field, control: ControlView, example: Mapping[str, Any]) -> bool:
    return control.kind in ("pick", "list", "places") or field.name in example or control.changed


class _Texts(Struct, frozen=True):
    """Texts about single controls, by their names."""

    typed: Mapping[str, str]
    brought: Mapping[str, str]


def _told(control: ControlView, texts: _Texts) -> ControlView:
    if control.name in texts.brought:
        control = replace(control, brought=texts.brought[control.name])
    return as_typed(control, texts.typed[control.name]) if control.name in texts.typed else control


def _controls(
    ruleset: Ruleset, question: Question, path: Path, prefix: str, values: Inputs, texts: _Texts
) -> list[tuple[Field, ControlView]]:
    known = picks(ruleset, question)
    names = own_names(ruleset, question, path, values)
    base = base_inputs(ruleset, question, path, type(values), names)
    fixed = added_to(ruleset, question, path, type(values), names)
    controls = []
    for field in fields(type(values)):
        value = getattr(values, field.name)
        if field.item is not None:
            made = _list(ruleset, question, (*path, field.name), prefix + field.name, field, value, base, texts)
        else:
            pick = known.get((*path, field.name))
            start = field.default if field.name in names else getattr(base, field.name)
            made = make_control(field, prefix + field.name, value, start, pick, fixed.get(field.name, ()))
        controls.append((field, _told(made, texts)))
    return controls


def _list(
    ruleset: Ruleset,
    question: Question,
    path: Path,
    name: str,
    field: Field,
    entries: Sequence[Inputs],
    base: Inputs,
    texts: _Texts,
) -> ControlView:
    """A list of entries, each with controls of its own."""
    item = _singular(field.title.partition(",")[0])
    example = _example_of(question.example, path)
    places = field.form == "places"
    made = []
    for at, entry in enumerate(entries):
        controls = _controls(ruleset, question, path, f"{name}.{at}.", entry, texts)
        shown, more = (tuple(control for _, control in controls), ()) if places else _parted(controls, example)
        title = getattr(entry, "name", "") if places else ""
        made.append(EntryView(at, title or (f"{item} {at + 1}" if len(entries) > 1 else item), shown, more))
    same = "same" if tuple(entries) == tuple(getattr(base, field.name)) else "own"
    return ControlView(
        name=name,
        title=field.title,
        kind="places" if places else "list",
        value=same,
        base="same",
        wants=field.wants,
        description=field.description,
        clause=field.clause,
        entries=tuple(made),
        item=item,
        formed=len(first_side(entries)) if places else 0,
    )


def _preset(ruleset: Ruleset, preset: str | None) -> ControlView | None:
    """The named sets of rulings, if there are several."""
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
        choices=tuple(ChoiceView(preset, preset) for preset in ruleset.presets),
    )


def _example_of(example: Mapping[str, Any], path: Path) -> Mapping[str, Any]:
    """The first entry of a list in the example."""
    part: Any = example
    for name in path:
        part = part.get(name) if isinstance(part, Mapping) else None
        part = part[0] if isinstance(part, (list, tuple)) and part else None
    return part if isinstance(part, Mapping) else {}


def _singular(title: str) -> str:
    """“Guns” as “Gun”; a title that is not a plain plural stays as it is."""
    first = title.strip()
    return first[:-1] if first.endswith("s") and not first.endswith("ss") else first
