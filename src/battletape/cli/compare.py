"""`battletape compare`: two or more variants of a question side by side."""

from __future__ import annotations

import re
from itertools import product
from typing import Any

import click

from battletape.answer import Answer, ask
from battletape.cli.asking import Rulesets, Verb, common_options, measure_option
from battletape.cli.drawing import MAX_BARS, how_words
from battletape.cli.odds import DEFAULT_SECONDS, explored, seconds_of
from battletape.cli.terminal import Cell, Column, Page, echo_json, page
from battletape.cli.waiting import Waiting
from battletape.errors import BadInput
from battletape.inputs import Inputs, fields, parse_pairs
from battletape.system import Question, Ruleset
from battletape.tape.limits import Budget
from battletape.views.compare import CompareView, compare_view
from battletape.views.why import why_words
from battletape.words import is_count

MAX_VARIANTS = 50
"""How many variants are compared at once."""

VARY = "A variant for each value, such as power=4,6 or power=3..8; repeated, for each pair."

ABOUT = """Two or more variants of a question side by side, each measured against the first.

\b
Examples:
  $ battletape compare attack_dice attack --attacks 12 --vary power=4,6,9
  $ battletape compare attack_dice attack --attacks 12 --vary power=3..8
  $ battletape compare attack_dice attack --variant "axes: power=6 ap=4" --variant "bows: power=4 attacks=20"
"""

Variant = tuple[str, dict[str, str]]
"""A name, and what it changes."""


def options(ruleset: Ruleset, question: Question) -> list[click.Option]:
    """Return the options of `compare` besides the inputs."""
    return [
        *common_options(ruleset),
        click.Option(
            ["--vary"],
            metavar="NAME=A,B,…",
            multiple=True,
            help=VARY,
        ),
        click.Option(
            ["--variant"], metavar="“NAME: KEY=VALUE…”", multiple=True, help="A variant by name; may be repeated."
        ),
        measure_option(question, "What to compare. [the first that counts]"),
        click.Option(["--at-least"], metavar="N,N…", help="Compare the chances of at least these."),
        click.Option(["--budget-seconds"], metavar="S", help=f"Stop after so long in all. [{DEFAULT_SECONDS:g}]"),
    ]


def run(ruleset: Ruleset, question: Question, given: dict[str, Any], own: dict[str, Any]) -> None:
    """Work out every variant, and show them side by side."""
    variants = find_variants(own["vary"], own["variant"])
    measure = question.measure(own["measure"]).name if own["measure"] else None
    thresholds = parse_thresholds(own["at_least"])
    seconds = seconds_of(own["budget_seconds"])
    named: list[tuple[str, dict[str, str], Answer]] = []
    with Waiting(f"{len(variants)} variants") as waiting:
        for name, changes in variants:
            budget = Budget(seconds=seconds / len(variants))
            changed, measures = {**given, **changes}, (measure,) if measure else ()
            answer = explored(ask(ruleset, question, changed, budget=budget, measures=measures))
            named.append((_understood(name, changes, answer), changes, answer))
            waiting(len(named), len(variants))
    if own["as_json"]:
        echo_json(compare_view(named, measure, thresholds))
        return
    shown = page()
    draw_comparison(shown, compare_view(named, measure, thresholds, MAX_BARS))
    shown.show()


def find_variants(vary: tuple[str, ...], variant: tuple[str, ...]) -> list[Variant]:
    """Return the variants that the options ask for; a single one is compared with the question as given."""
    axes = [_axis(text) for text in vary]
    variants: list[Variant] = []
    for values in product(*axes) if axes else ():
        changes = dict(values)
        variants.append((_label(changes), changes))
    variants += [_named(text) for text in variant]
    if len(variants) == 1:
        variants.insert(0, ("as given", {}))
    if not variants:
        raise BadInput(
            "compare needs variants: --vary power=4,5,6, --vary power=3..8 or --variant “axes: power=6 ap=4”; got none."
        )
    if len(variants) > MAX_VARIANTS:
        raise BadInput(f"compare takes at most {MAX_VARIANTS} variants at once; got {len(variants):,}.", field="vary")
    names = [name for name, _ in variants]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise BadInput(f"compare needs a name for each variant; {twice!r} came twice.", field="variant")
    return variants


def _label(changes: dict[str, str]) -> str:
    """Return what a variant is called: by the one name it changes, or by its numbers and what they are."""
    if len(changes) == 1:
        (value,) = changes.values()
        if value[:1].isupper() or re.match(r"\d+ ?[x×]? [^\W\d]{3}", value):
            return value
    return ", ".join(f"{name} {value}" for name, value in changes.items())


def _understood(name: str, changes: dict[str, str], answer: Answer) -> str:
    """Return a label with names as they are written, not as typed: Storm carbine; “smoke: no”."""
    if name != _label(changes):
        return name
    homes: tuple[Inputs, ...] = (answer.rulings, answer.inputs)
    own = {field.name: (field, home) for home in homes for field in fields(type(home))}
    readings: dict[str, str] = {}
    for key, value in changes.items():
        field, home = own.get(key, (None, None))
        if field is not None and field.kind == "text":
            readings[key] = getattr(home, key) or value
        elif field is not None and field.kind == "yes_no":
            readings[f"{key}:"] = field.show(getattr(home, key))
        else:
            readings[key] = value
    return _label(readings)


def _axis(text: str) -> list[tuple[str, str]]:
    name, equals, values = text.partition("=")
    parts = [value for part in values.split(",") if part.strip() for value in _range(part.strip())]
    if not equals or not name.strip() or not parts:
        raise BadInput(
            f"--vary needs a name and its values, such as power=4,5,6 or power=3..8; got {text!r}.", field="vary"
        )
    return [(name.strip().lstrip("-").replace("-", "_"), value) for value in parts]


def _range(text: str) -> list[str]:
    """Return the values of a part of an axis: 3..8 are six, 2+..4+ are three, anything else is one."""
    ends = re.fullmatch(r"(-?\d{1,6})(\+?)\s*(?:\.\.\.?|…)\s*(-?\d{1,6})(\+?)", text)
    if ends is None:
        return [text]
    first, last, sign = int(ends[1]), int(ends[3]), ends[2] and ends[4]
    if abs(last - first) >= MAX_VARIANTS:
        raise BadInput(f"compare takes at most {MAX_VARIANTS} variants at once; got {text}.", field="vary")
    down = 1 if last >= first else -1
    return [f"{value}{sign}" for value in range(first, last + down, down)]


def _named(text: str) -> Variant:
    name, colon, pairs = text.partition(":")
    if not colon or "=" in name:
        name, pairs = text, text
    try:
        changes = parse_pairs(pairs)
    except BadInput:
        changes = {}
    if not changes:
        raise BadInput(f"--variant must have a form such as “axes: power=6 ap=4”; got {text!r}.", field="variant")
    return name.strip(), {key.replace("-", "_"): value for key, value in changes.items()}


def parse_thresholds(text: str | None) -> list[int]:
    """Return the numbers after --at-least."""
    if text is None:
        return []
    parts = text.replace(",", " ").split()
    if not parts or not all(is_count(part.removeprefix("-")) for part in parts) or len(parts) > 6:
        raise BadInput(f"--at-least must be up to six whole numbers such as 1,3,5; got {text!r}.", field="at_least")
    return sorted({int(part) for part in parts})


def draw_comparison(page: Page, view: CompareView) -> None:
    """Draw variants side by side: average, difference, chances, the share that beats the first, and a bar."""
    page.text(view.headline, "strong")
    page.gap()
    chance = view.kind == "yes_no"
    widest = max((abs(variant.mean.value) for variant in view.variants), default=1.0) or 1.0
    columns = [Column(view.measure_title if len(view.measure_title) <= 24 else "Variant", wraps=True)]
    columns.append(Column("chance" if chance else "mean", right=True, style="strong"))
    columns.append(Column("±" if page.drawn else "+/-", right=True))
    if not chance:
        columns += [Column(f"{value}+", right=True, style="least") for value in view.thresholds]
        columns.append(Column("beats", right=True))
    rows: list[list[Cell]] = []
    for at, variant in enumerate(view.variants):
        percent = variant.at_least[0].percent if chance and variant.at_least else ""
        points = f"{variant.difference.value * 100:+.0f}" if chance else f"{variant.difference.value:+.2f}"
        row: list[Cell] = [variant.name, percent if chance else variant.mean.text, points if at else ""]
        if not chance:
            row += [share.percent for share in variant.at_least]
            row.append(variant.more.percent if at else "")
        rows.append(row)
    used = sum(max(len(str(cell)) for cell in column) + 2 for column in zip(*rows, strict=True))
    room = min(page.width - 1 - used - 8, 30)
    if room >= 8:
        columns.append(Column())
        for row, variant in zip(rows, view.variants, strict=True):
            row.append((page.bar(variant.mean.value / widest, room), "happens"))
    page.table(columns, rows, indent=0)
    page.gap()
    first = view.variants[0].name
    note = f"{'±' if page.drawn else '+/-'} is the difference from {first}"
    if not chance:
        least = view.thresholds[0]
        note += f"; “beats” is how often a variant gets more than {first} does; {least}+ means {least} or more"
    page.text(f"{note}.", "soft")
    draw_whys(page, view)
    slowest = max(view.variants, key=lambda variant: variant.how.milliseconds)
    page.named("Computed", " · ".join(how_words(slowest.how)) + " (the longest)", "soft")
    for variant in view.variants:
        if variant.how.unexplored.value:
            page.named("", f"{variant.name}: {variant.how.unexplored.percent} left unexplored.", "warn")
        if variant.rivals:
            page.named("", f"{variant.name}: {variant.rivals}", "warn")


MOST_WHYS = 6
"""How many variants are explained; of more than that, the table says enough."""


def draw_whys(page: Page, view: CompareView) -> None:
    """Draw why each variant differs from the first."""
    explained = [variant for variant in view.variants[1:] if variant.why]
    if not explained or len(view.variants) > MOST_WHYS + 1:
        return
    page.heading(f"Why, against {view.variants[0].name}")
    for variant in explained:
        page.text(f"{variant.name}: {why_words(variant.why)}.", indent=2)
    page.gap()


def example(question: Question) -> str:
    """Return values for one input, of the question's example if it has one: a number, two of its choices, or no and
    yes.
    """
    known = {field.name: field for field in fields(question.inputs)}
    for name, value in question.example.items():
        if type(value) is int:
            high = known[name].high
            first = value if high is None else min(value, high - 2)
            return f" --vary {name}={first},{first + 1},{first + 2}"
    for name in (*question.example, *known):
        if known[name].choices:
            return f" --vary {name}={','.join(map(str, known[name].choices[:2]))}"
    for name, field in known.items():
        if field.kind == "yes_no":
            return f" --vary {name}=no,yes"
    return ""


compare = Rulesets("compare", ABOUT, Verb(options, run, example))
