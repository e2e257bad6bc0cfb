"""Variants of a question: what each changes against the first, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from battletape.inputs import Field, Inputs, fields, value_of
from battletape.system import Question, Ruleset
from battletape.views.changed import flat_given, path_of, spread_given, value_at
from battletape.views.controls import OWN_NUMBERS
from battletape.views.profile_choices import profile_choices
from battletape.views.short_inputs import differing, written
from battletape.words import is_count

AS_ASKED = "as asked"
MAX_NAME_LETTERS = 60


class Difference(Struct, frozen=True):
    """One input that differs: its title, and its value in both."""

    name: str
    title: str
    first: str
    other: str
    is_profile: bool
    is_yes_no: bool = False

    def phrase(self, value: str) -> str:
        """Return one of its values with what it is: “power 4”, “AP 2”, “smoke: no”; of a profile, its name."""
        if self.is_profile and value != "none":
            return value
        is_short = self.title[1:2].isupper() or self.title[1:2] == ":"  # AP and “A: Wounds” stay as they are
        title = self.title if is_short else self.title[:1].lower() + self.title[1:]
        return f"{title}: {value}" if self.is_yes_no else f"{title} {value}"


class QuestionInputs(Struct, frozen=True):
    """A question with its inputs and rulings."""

    ruleset: Ruleset
    question: Question
    inputs: Inputs
    rulings: Inputs


def differences(first: QuestionInputs, other: QuestionInputs) -> tuple[Difference, ...]:
    """Return how a variant differs from the first; the numbers that its profiles bring do not count."""
    before, after = flat_given(_given_of(first)), flat_given(_given_of(other))
    by_name: dict[str, Difference] = {}
    for name in (*after, *before):
        if before.get(name) == after.get(name):
            continue
        whole = name.split(".")[0]
        if _count(first.inputs, whole) != _count(other.inputs, whole):
            name = whole
        if name not in by_name:
            by_name[name] = _difference(first, other, name)
    known = profile_choices(other.ruleset, other.question)
    filled = {
        name.rpartition(".")[0] + "." + fill if "." in name else fill
        for name in by_name
        if path_of(name) in known
        for fill in known[path_of(name)].fills
    }
    return tuple(
        difference
        for difference in by_name.values()
        if difference.first != difference.other and (difference.name not in filled or difference.name in after)
    )


def profile_changes(before: QuestionInputs, after: QuestionInputs, picked: str) -> str:
    """Return what else changed when another profile was named, and what stays as the player set it, in sentences.

    Other profiles come first, then how it is used and the numbers of a stat line; of the rest the names will do.
    """
    above = picked.rpartition(".")[0]
    path = path_of(picked)[:-1]
    known = profile_choices(after.ruleset, after.question)
    home: Inputs = value_at(after.inputs, above) if above else after.inputs
    listed = sorted(fields(type(home)), key=lambda field: (not field.part, field.kind != "whole"))
    names = {f"{above}.{field.name}" if above else field.name: field for field in listed}
    compared = [_difference(before, after, name) for name in names if name != picked]
    changed = [difference for difference in compared if _is_other(before, after, difference.name)]
    profiles = [difference for difference in changed if path_of(difference.name) in known]
    numbers = [difference for difference in changed if difference not in profiles]
    shown = [number for number in numbers if names[number.name].short or names[number.name].part]
    parts = [f"{profile.title}: {_named(profile.other)}, was {_named(profile.first)}" for profile in profiles]
    parts += [f"{number.title}: {number.other}, was {number.first}" for number in shown]
    rest = ", ".join(number.title for number in numbers if number not in shown)
    parts += [f"besides {rest}" if parts else rest] if rest else []
    sentences = ["Also changed: " + "; ".join(parts) + "."] if parts else []
    fills = known[*path, path_of(picked)[-1]].fills if value_of(home, path_of(picked)[-1]) else ()
    own = differing(after.ruleset, after.question, path, home)
    kept = [
        f"{difference.title}: {difference.other}"
        for field, _ in own
        if field.name in fills and (*path, field.name) not in known
        for difference in compared
        if names[difference.name] is field and difference.first == difference.other
    ]
    return " ".join([*sentences, *([f"Kept as set: {'; '.join(kept)}."] if kept else [])])


def _is_other(before: QuestionInputs, after: QuestionInputs, name: str) -> bool:
    """Return whether an input has another value; two lists may be as long and differ."""
    return bool(value_at(before.inputs, name) != value_at(after.inputs, name))


def _named(profile: str) -> str:
    return OWN_NUMBERS if profile == "none" else profile


def name_variants(all_differences: Sequence[Sequence[Difference]]) -> tuple[str, ...]:
    """Return a short name for each variant; the first is named after what the others change, if that is one thing."""
    changed = {difference.name: difference for some in all_differences for difference in some}
    only = next(iter(changed.values())) if len(changed) == 1 else None
    first = AS_ASKED if only is None else only.phrase(only.first)
    names = [
        first,
        *(
            ", ".join(difference.phrase(difference.other) for difference in some) or AS_ASKED
            for some in all_differences[1:]
        ),
    ]
    cut = [name if len(name) <= MAX_NAME_LETTERS else name[: MAX_NAME_LETTERS - 1].rstrip(" ,") + "…" for name in names]
    return tuple(name if cut.index(name) == at else f"{name} ({at + 1})" for at, name in enumerate(cut))


def _difference(first: QuestionInputs, other: QuestionInputs, name: str) -> Difference:
    field, title = _field(first, name)
    is_profile = path_of(name) in profile_choices(other.ruleset, other.question)
    is_yes_no = field is not None and field.kind == "yes_no"
    return Difference(name, title, _text(field, first, name), _text(field, other, name), is_profile, is_yes_no)


def _text(field: Field | None, asking: QuestionInputs, name: str) -> str:
    home = asking.rulings if name in asking.rulings.__struct_fields__ else asking.inputs
    value = value_at(home, name)
    if field is None or value is None:
        return "none"
    if isinstance(value, tuple) and field.item is not None:
        return f"{len(value)} of them"
    return (written(field, value) or "none").replace("_", " ")


def _field(asking: QuestionInputs, name: str) -> tuple[Field | None, str]:
    """Return the input of this name, and its title; that of an entry says which entry."""
    known = {field.name: field for field in (*fields(type(asking.rulings)), *fields(type(asking.inputs)))}
    field: Field | None = None
    titles: list[str] = []
    for part in name.split("."):
        if is_count(part) and titles:
            titles[-1] += f" {int(part) + 1}:" if part != "0" else ":"
            continue
        field = known.get(part)
        short = field.short if field is not None and field.kind == "yes_no" else ""  # Smoke, not: smoke hangs about it
        titles.append(short or (field.heading if field else part.replace("_", " ")))
        known = {inner.name: inner for inner in fields(field.item)} if field is not None and field.item else {}
    return field, titles[-1] if name.count(".0.") == name.count(".") / 2 else " ".join(titles)


def _given_of(asking: QuestionInputs) -> dict[str, Any]:
    return spread_given(asking.ruleset, asking.question, asking.inputs, asking.rulings)


def _count(inputs: Inputs, name: str) -> int:
    value = value_of(inputs, name)
    return len(value) if isinstance(value, tuple) else 0
