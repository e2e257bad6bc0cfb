"""A question as a form: its inputs in the groups players think in, each with its value and a control that fits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from battletape.inputs import Field, Inputs, fields, first_side
from battletape.system import Question, Ruleset
from battletape.views.catalogue import GROUPS, group_title
from battletape.views.controls import ChoiceView, ControlView, EntryView, StatView, as_typed, make_control
from battletape.views.profile_choices import (
    Path,
    added_to,
    base_inputs,
    own_names,
    profile_choices,
    stat_lines,
    steered_by,
)
from battletape.views.short_inputs import Given, short_given

MAX_CONTROLS_SHOWN = 3
"""A group shows at least this many inputs; untouched ones wait behind “more”."""
TONES = {"attacker": "attack", "weapon": "attack", "target": "defend"}
"""The colour of a group: what happens, what it happens to, and everything else."""


class GroupView(Struct, frozen=True):
    """Inputs that belong together; `more` are those that wait under “All numbers”."""

    name: str
    title: str
    tone: str  # attack, defend, around
    shown: tuple[ControlView, ...]
    more: tuple[ControlView, ...]


class CardView(Struct, frozen=True):
    """A card of a unit or weapon: the picked profiles, their stat line, and what decides the game."""

    name: str
    title: str
    tone: str  # attack, defend, around
    picks: tuple[ControlView, ...]
    stats: tuple[StatView, ...]
    shown: tuple[ControlView, ...]
    chips: tuple[ControlView, ...]


class NumbersView(Struct, frozen=True):
    """Some of the numbers under “All numbers”: those of a group, or of an entry of a list."""

    title: str
    tone: str
    controls: tuple[ControlView, ...]


class FormView(Struct, frozen=True):
    """Everything a player can set in a question: in groups, and the same inputs as a page lays them out."""

    ruleset: str
    question: str
    title: str
    groups: tuple[GroupView, ...]
    cards: tuple[CardView, ...]
    numbers: tuple[NumbersView, ...]  # all that stands on no card
    count: int  # of all inputs
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
    said: Given | None = None,
) -> FormView:
    """Return the form of a question, filled in; `said` is the question in the fewest words, if it is known.

    `typed` and `brought` go by the names of controls: texts that do not fit, and what else the profiles just picked
    have changed.
    """
    texts = _Texts(typed or {}, brought or {})
    if said is None:
        said = short_given(ruleset, question, inputs, rulings, preset)
    controls = [
        (field, replace(control, said=field.name in said))
        for field, control in _controls(ruleset, question, (), "", inputs, texts)
    ]
    groups: dict[str, list[tuple[Field, ControlView]]] = {name: [] for name in GROUPS}
    for field, control in controls:
        groups.setdefault(field.group, []).append((field, control))
    named = own_names(ruleset, question, (), inputs)
    shown = tuple(_group(name, rows, question.example, bool(named)) for name, rows in groups.items() if rows)
    base = ruleset.parse_rulings({} if preset is None else {"preset": preset})
    taken = {field.name for field, _ in controls}
    decided = tuple(
        _with_texts(
            make_control(field, field.name, getattr(rulings, field.name), getattr(base, field.name), None), texts
        )
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
        cards=_cards(shown),
        numbers=tuple(numbers for group in shown for numbers in _numbers(group)),
        count=sum(_count(control) for _, control in controls),
        rulings=near,
        other_rulings=far,
        preset=_preset(ruleset, preset),
        changed_rulings=sum(ruling.changed for ruling in decided),
    )


def _group(name: str, rows: Sequence[tuple[Field, ControlView]], example: Mapping[str, Any], named: bool) -> GroupView:
    shown, more = _parted(rows, example, named and any(control.kind == "pick" and control.value for _, control in rows))
    return GroupView(name or "inputs", group_title(rows[0][0]), TONES.get(name, "around"), shown, more)


def _parted(
    controls: Iterable[tuple[Field, ControlView]], example: Mapping[str, Any], named: bool, brought: bool = False
) -> tuple[tuple[ControlView, ...], tuple[ControlView, ...]]:
    """Return what to show at once: what decides the game, profiles, lists, inputs of the example, and what was changed.

    Where a profile is `named` its numbers stand in the stat line; where none is, at least a few are shown. An entry
    that a profile has `brought` was left as it is.
    """
    rows = list(controls)
    wanted = {control.name for field, control in rows if _matters(field, control, example, named, brought)}
    aside = {control.name for field, control in rows if field.part == "aside"} - wanted
    rest = sorted((control for _, control in rows if control.name not in wanted | aside), key=_rank)
    counts = sum(control.name in wanted and not control.part for _, control in rows)
    first = [control for control in rest if control.short][: max(MAX_CONTROLS_SHOWN - counts, 0)]
    few = first if len(wanted) + len(first) >= MAX_CONTROLS_SHOWN else rest[: MAX_CONTROLS_SHOWN - len(wanted)]
    if not (aside or named or any(control.part for _, control in rows)) and len(rest) - len(few) <= 1:
        return tuple(control for _, control in rows), ()
    wanted |= {control.name for control in few if not named}
    shown = tuple(control for _, control in rows if control.name in wanted)
    return shown, tuple(control for _, control in rows if control.name not in wanted)


_RANK = {"stepper": 0, "segments": 1, "text": 3}


def _rank(control: ControlView) -> int:
    """Return those of a stat line first, then numbers, and text that stands for one; empty text last."""
    if control.short:
        return -1
    return 0 if control.kind == "text" and control.base else _RANK.get(control.kind, 2)


def _matters(field: Field, control: ControlView, example: Mapping[str, Any], named: bool, brought: bool) -> bool:
    if control.kind == "list" and named and control.value == "same" and not _takes_profiles(control):
        return field.name in example  # as the profile has it: the sergeant among the others of his squad
    if control.kind in ("pick", "list", "places") or control.part:
        return True
    if control.changed and not brought:
        return field.name in example or not (named and _is_stat(control))  # a stat line shows it, and steps it
    return field.name in example and not (named and field.short)


def _takes_profiles(control: ControlView) -> bool:
    """Return whether a list is one of weapons or units, or has none yet."""
    return not control.entries or any(inner.kind == "pick" for inner in control.entries[0].shown)


def _cards(groups: Sequence[GroupView]) -> tuple[CardView, ...]:
    """Return the groups as cards: weapons belong to their firer, and circumstances stand together."""
    homes: dict[str, list[GroupView]] = {}
    for group in groups:
        homes.setdefault("attacker" if group.name == "weapon" else group.name, []).append(group)
    around: list[ControlView] = []
    faced: list[ControlView] = []
    cards: list[CardView] = []
    for name, parts in homes.items():
        controls = [control for group in parts for control in group.shown]
        kept = []
        for control in controls:
            left, moved = _parted_list(control)
            faced += [inner for inner in moved if inner.part == "facing"]
            around += [inner for inner in moved if inner.part != "facing"]
            if name != "circumstances" and _is_around(control):
                around.append(control)
            else:
                kept.append(left)
        stats = tuple(stat for group in parts for stat in stats_of(group.more))
        tone = TONES.get(name, "around")
        picks = tuple(control for control in kept if control.kind == "pick")
        rest = tuple(control for control in kept if control.kind != "pick" and not control.is_chip)
        chips = tuple(control for control in kept if control.is_chip)
        cards.append(CardView(name, parts[0].title, tone, picks, stats, rest, chips))
    home = next((card.name for card in cards if card.name == "target"), "")
    if not home:
        around = [*faced, *around]
    cards = [replace(card, shown=(*card.shown, *faced)) if card.name == home else card for card in cards]
    return tuple(_with_circumstances(cards, around))


def _parted_list(control: ControlView) -> tuple[ControlView, list[ControlView]]:
    """Return a list without what belongs elsewhere, if it has a single entry: the side that is hit, and
    circumstances.
    """
    if len(control.entries) != 1 or control.kind != "list":
        return control, []
    (entry,) = control.entries
    kept: list[ControlView] = []
    moved: list[ControlView] = []
    for inner in entry.shown:
        left, further = _parted_list(inner)
        moved += further
        if inner.part == "facing" or _is_around(inner):
            moved.append(inner)
        else:
            kept.append(left)
    return replace(control, entries=(replace(entry, shown=tuple(kept)),)), moved


def _with_circumstances(cards: Sequence[CardView], around: Sequence[ControlView]) -> Iterable[CardView]:
    """Return the cards, each with the circumstances of its own side."""
    chips = tuple(control for control in around if control.is_chip)
    rest = tuple(control for control in around if not control.is_chip)
    if around and all(card.name != "circumstances" for card in cards):
        return (*cards, CardView("circumstances", GROUPS["circumstances"], "around", (), (), rest, chips))
    return (
        replace(card, shown=(*card.shown, *rest), chips=(*card.chips, *chips)) if card.name == "circumstances" else card
        for card in cards
    )


def _is_around(control: ControlView) -> bool:
    """Return whether it stands among the circumstances, of either side."""
    return control.part == "circumstance" and (control.is_chip or control.is_seg)


def stats_of(controls: Iterable[ControlView]) -> tuple[StatView, ...]:
    """Return the stat line of a card: inputs with a short name that are not set on the card, and the other models."""
    stats: list[StatView] = []
    for control in controls:
        if control.kind == "list":
            counts = ((entry, inner) for entry in control.entries for inner in entry.shown if inner.part == "count")
            stats += [_stat(inner, entry.title) for entry, inner in counts]
        elif _is_stat(control):
            stats.append(_stat(control, control.short))
    return tuple(stats)


def _is_stat(control: ControlView) -> bool:
    return bool(control.short) and not control.part and control.kind not in ("list", "places", "toggles", "names")


def _stat(control: ControlView, short: str) -> StatView:
    """Return a number as a stat line has it: 4, 3+, 48″, or a dash."""
    unit = {"inches": "″", "metres": " m"}.get(control.unit, "")
    empty = control.fixed or "–"
    named = {choice.value: choice.text for choice in control.choices}

    def shown(value: str) -> str:
        return f"{named.get(value, value)}{unit}" if value not in ("", "none") else empty

    return StatView(
        name=control.name,
        short=short,
        text=shown(control.value),
        title=control.title,
        unit=unit,
        empty=empty,
        steps=control.kind in ("stepper", "segments", "select"),
        usual=shown(control.base),
    )


def _numbers(group: GroupView) -> Iterable[NumbersView]:
    """Return the numbers of a group that stand on no card, with those of the entries of its lists."""
    for control in (*group.shown, *group.more):
        yield from _entry_numbers(control, group.tone)
    if group.more:
        yield NumbersView(group.title, group.tone, group.more)


def _entry_numbers(control: ControlView, tone: str) -> Iterable[NumbersView]:
    for entry in control.entries:
        if entry.more:
            yield NumbersView(entry.title, tone, entry.more)
        for inner in (*entry.shown, *entry.more):
            yield from _entry_numbers(inner, tone)


def _count(control: ControlView) -> int:
    """Return how many inputs a control is: those of the first entry of a list."""
    return sum(map(_count, (*control.entries[0].shown, *control.entries[0].more))) if control.entries else 1


class _Texts(Struct, frozen=True):
    """Texts about single controls, by their names."""

    typed: Mapping[str, str]
    brought: Mapping[str, str]


def _with_texts(control: ControlView, texts: _Texts) -> ControlView:
    if control.name in texts.brought:
        control = replace(control, brought=texts.brought[control.name])
    return as_typed(control, texts.typed[control.name]) if control.name in texts.typed else control


def _controls(
    ruleset: Ruleset, question: Question, path: Path, prefix: str, values: Inputs, texts: _Texts
) -> list[tuple[Field, ControlView]]:
    known = profile_choices(ruleset, question)
    names = own_names(ruleset, question, path, values)
    steered = steered_by(ruleset, question, path, values, names)
    plain = base_inputs(ruleset, question, path, type(values), names)
    base = base_inputs(ruleset, question, path, type(values), names | steered)
    fixed = added_to(ruleset, question, path, type(values), names)
    controls = []
    for field in fields(type(values)):
        value = getattr(values, field.name)
        if field.item is not None:
            made = _list(ruleset, question, (*path, field.name), prefix + field.name, field, value, base, texts)
        else:
            pick = known.get((*path, field.name))
            start = getattr(plain if field.name in steered else base, field.name)
            if field.name in names:
                start = field.default
            field = _beside(_among(field, values, start if names else ()), question)
            lines = stat_lines(ruleset, pick.kind if pick else field.profile) if pick or field.profile else None
            made = make_control(field, prefix + field.name, value, start, pick, fixed.get(field.name, ()), lines)
        controls.append((field, _with_texts(made, texts)))
    return controls


def _among(field: Field, values: Inputs, brought: Any) -> Field:
    """Return an input with the names that it may be: those among the other inputs, or those that a named profile
    brings.
    """
    if field.among is not None:
        found = field.among(values)
        return replace(field, known=tuple(found.items()) if isinstance(found, Mapping) else _bare(found))
    if field.kind == "names" and not field.known and brought:
        return replace(field, known=_bare(brought), profile="")
    return field


def _beside(field: Field, question: Question) -> Field:
    """Return an input without its measure to show with each choice, where the question does not have that measure."""
    shown = field.beside.partition(":")[0]
    return field if shown in {measure.name for measure in question.measures} else replace(field, beside="")


def _bare(names: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Return names with nothing to say about them."""
    return tuple((name, "") for name in names)


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
    """Return a list of entries, each with controls of its own."""
    item = field.short.capitalize() or field.title
    example = _example_of(question.example, path)
    places = field.form == "places"
    made = []
    same = tuple(entries) == tuple(getattr(base, field.name))
    for at, entry in enumerate(entries):
        controls = _controls(ruleset, question, path, f"{name}.{at}.", entry, texts)
        named = any(control.kind == "pick" and control.value for _, control in controls)
        shown, more = (
            (tuple(control for _, control in controls), ()) if places else _parted(controls, example, named, same)
        )
        title = getattr(entry, "name", "")
        stats = stats_of(more)
        made.append(EntryView(at, title or (f"{item} {at + 1}" if len(entries) > 1 else item), shown, more, stats))
    return ControlView(
        name=name,
        title=field.title,
        kind="places" if places else "list",
        value="same" if same else "own",
        base="same",
        wants=field.wants,
        description=field.description,
        clause=field.clause,
        entries=tuple(made),
        least=1 if field.default else 0,
        item=item,
        formed=len(first_side(entries)) if places else 0,
    )


def _preset(ruleset: Ruleset, preset: str | None) -> ControlView | None:
    """Return the named sets of rulings, if there are several."""
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
    """Return the first entry of a list in the example."""
    part: Any = example
    for name in path:
        part = part.get(name) if isinstance(part, Mapping) else None
        part = part[0] if isinstance(part, (list, tuple)) and part else None
    return part if isinstance(part, Mapping) else {}
