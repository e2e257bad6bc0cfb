"""`python -m benchmarks.fuzz [TARGET…] [--inputs N]`: broken battle files, forms and TOML, led by what they reach.

Inputs are changed at random. One that reaches a new line of the readers, or draws a sentence that none drew before, is
kept and changed further. A reader may refuse anything with a sentence of its own; every other exception is a crash. So
is a sentence as long as a file, an input that takes a second, or a battle that is not the same when it is read again.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter, process_time
from types import CodeType, FrameType
from typing import Any
from urllib.parse import parse_qsl

import tomli_w

from battletape import registry
from battletape._version import VERSION
from battletape.battle import Battle
from battletape.battle.notation import write_battle
from battletape.battle.reading import read_battle, salvage_battle
from battletape.conformance.random_play import play_at_random
from battletape.errors import BattletapeError
from battletape.inputs import Inputs, fields
from battletape.profiles import ProfileBook, add_profiles
from battletape.system import Question, Ruleset
from battletape.views.own_text import parse_list
from battletape.web.forms import read_pairs, write_query

RULESETS = ("attack_dice", "vehicles5", "diceless40k", "second_edition", "deathwatch")
LONGEST = 9_000
"""How long an input may grow."""
LONGEST_SENTENCE = 3_000
"""How long a refusal may be: a sentence, with the names that would do."""
SLOW = 1.0
"""How many seconds of work an input may take."""
FOLLOWED = 10
"""Where it takes long to see what is reached, the first so many inputs are followed, and one of so many others."""
KEPT = 400
"""How many inputs are changed further; of more, the newest."""
WATCHED = re.compile(r"battletape/(battle|web|views|toml|inputs|profiles|words|errors|tape/question)|/tomllib/")


class Odd(Exception):
    """What a reader did is wrong, though nothing was raised."""


@dataclass
class Target:
    """A reader, what it is given at first, and words that mean something to it."""

    name: str
    read: Callable[[str], str]  # returns what it came to, in a few words; raises BattletapeError for a refusal
    seeds: tuple[str, ...]
    words: tuple[str, ...]


@dataclass
class Crash:
    """An input that a reader must not fail on, and how it failed."""

    text: str
    how: str


@dataclass
class Figures:
    """What came of it."""

    target: str
    inputs: int = 0
    seconds: float = 0.0
    lines: int = 0
    kept: int = 0
    sentences: int = 0
    slowest: float = 0.0
    slowest_text: str = field(default="", repr=False)
    crashes: list[Crash] = field(default_factory=list)

    def __str__(self) -> str:
        rate = self.inputs / self.seconds if self.seconds else 0.0
        return (
            f"{self.target:8}{self.inputs:9,} inputs {rate:7,.0f}/s {self.lines:6,} lines reached {self.kept:5} kept "
            f"{self.sentences:5} sentences  slowest {self.slowest * 1000:6.1f} ms ({len(self.slowest_text):,} letters) "
            f"{len(self.crashes):3} crashes"
        )


# --- what is reached --------------------------------------------------------------------------------------------------


class Reached:
    """The lines of the watched files that were ever reached."""

    def __init__(self, watched: re.Pattern[str] = WATCHED) -> None:
        self.lines: set[tuple[CodeType, int]] = set()
        self._watched = watched
        self._left: dict[CodeType, set[int]] = {}  # the lines of a function that nothing has reached yet

    def left(self, code: CodeType) -> set[int]:
        """What is still new in a function; nothing if it is not watched."""
        known = self._left.get(code)
        if known is None:
            watched = self._watched.search(code.co_filename)
            known = {line for _, _, line in code.co_lines() if line} if watched else set()
            self._left[code] = known
        return known

    @contextmanager
    def watch(self) -> Iterator[Callable[[int], None]]:
        """Take note of new lines while this block runs; the function it gives is told the number of each input."""
        with self._monitored() if hasattr(sys, "monitoring") else self._traced() as turn:
            yield turn

    def reach(self, code: CodeType, line: int) -> None:
        """A line was reached."""
        left = self.left(code)
        if line in left:
            left.discard(line)
            self.lines.add((code, line))

    @contextmanager
    def _traced(self) -> Iterator[Callable[[int], None]]:
        """As Python 3.11 has it, which takes long: a part of the inputs is followed, in functions with new lines."""

        def line(frame: FrameType, event: str, _: Any) -> Any:
            if event == "line":
                self.reach(frame.f_code, frame.f_lineno)
            return line

        def call(frame: FrameType, event: str, _: Any) -> Any:
            return line if self.left(frame.f_code) else None

        before = sys.gettrace()
        try:
            yield lambda number: sys.settrace(call if number < FOLLOWED or number % FOLLOWED == 0 else None)
        finally:
            sys.settrace(before)

    @contextmanager
    def _monitored(self) -> Iterator[Callable[[int], None]]:
        """As Python has it from 3.12 on: a line that was reached costs nothing more."""
        monitoring: Any = sys.monitoring  # type: ignore[attr-defined, unused-ignore]
        tool = monitoring.PROFILER_ID

        def line(code: CodeType, number: int) -> Any:
            self.reach(code, number)
            return monitoring.DISABLE

        monitoring.use_tool_id(tool, "battletape fuzz")
        monitoring.register_callback(tool, monitoring.events.LINE, line)
        monitoring.set_events(tool, monitoring.events.LINE)
        monitoring.restart_events()  # what another fuzz disabled stays so until then, and would never be new
        try:
            yield lambda number: None
        finally:
            monitoring.set_events(tool, 0)
            monitoring.register_callback(tool, monitoring.events.LINE, None)
            monitoring.free_tool_id(tool)


# --- changes ----------------------------------------------------------------------------------------------------------

LETTERS = "\n\n   ==[]{}()\"'.,;:-+#|\\/%&_0123456789abxyzEN\t\r\x00\x0bé–½²💥\ud800\udcff\u2028\ufeff"
NUMBERS = (
    "0",
    "-1",
    "1e9",
    "999999999999999999999",
    "0.5",
    "1_000",
    "٣",
    "NaN",
    "inf",
    "0x10",
    "00",
    "+7",
    "²",
    "1" * 400,
    "1" * 5_000,
)


def changed(text: str, luck: random.Random, words: Sequence[str], others: Sequence[str]) -> str:
    """A text changed in one place or a few."""
    for _ in range(1 + luck.randrange(4)):
        at = luck.randrange(len(text) + 1)
        to = min(len(text), at + 1 + luck.randrange(1 + luck.choice((1, 8, 60))))
        way = luck.randrange(12)
        if way == 0:
            text = text[:at] + text[to:]
        elif way == 1:
            text = text[:at] + luck.choice(LETTERS) + text[at:]
        elif way == 2:
            text = text[:at] + luck.choice(LETTERS) + text[at + 1 :]
        elif way in (3, 4):
            text = text[:at] + luck.choice(words) + text[to if way == 4 else at :]
        elif way == 5:
            text = text[:at] + text[at:to] * luck.choice((2, 3, 40)) + text[to:]
        elif way == 6:
            number = luck.choice(list(re.finditer("[0-9]+", text)) or [None])
            if number is not None:
                text = text[: number.start()] + luck.choice(NUMBERS) + text[number.end() :]
        elif way in (7, 8, 9):
            text = _lines_changed(text, luck, way)
        elif way == 10:
            other = luck.choice(others)
            cut = luck.randrange(len(other) + 1)
            text = text[:at] + other[cut : cut + luck.randrange(200)] + text[to:]
        else:
            text = text[:at] + luck.choice(others)[luck.randrange(len(text) + 1) :]
    return text[:LONGEST]


def _lines_changed(text: str, luck: random.Random, way: int) -> str:
    """A line, or a pair of a query, left out, repeated or moved."""
    mark = "\n" if "\n" in text else "&"
    lines = text.split(mark)
    at = luck.randrange(len(lines))
    line = lines.pop(at)
    if way == 8:
        lines[at:at] = [line] * luck.choice((2, 2, 120))
    elif way == 9:
        lines.insert(luck.randrange(len(lines) + 1), line)
    return mark.join(lines)


def shrunk(text: str, fails: Callable[[str], bool], tries: int = 400) -> str:
    """A shorter text that fails in the same way."""
    size = len(text) // 2
    while size and tries:
        at = 0
        while at < len(text) and tries:
            tries -= 1
            shorter = text[:at] + text[at + size :]
            if fails(shorter):
                text = shorter
            else:
                at += size
        size //= 2
    return text


# --- the loop ---------------------------------------------------------------------------------------------------------


_PLACE = re.compile(r"fuzz\.\w+|line [0-9]+|[0-9]+|^.*(?= may have )")
_CAME = re.compile(r"""['"“(\[]|got |has """)
"""Where a sentence begins to repeat what came."""


def fuzz(target: Target, inputs: int, seed: int = 1, reached: Reached | None = None, most_crashes: int = 20) -> Figures:
    """Give a reader so many inputs; the same seed gives the same ones."""
    luck, reached = random.Random(f"{target.name} {seed}"), reached or Reached()
    figures, sentences, kept = Figures(target.name), set[str](), list(target.seeds)
    seen: set[str] = set()
    begun = perf_counter()
    with reached.watch() as turn:
        for number in range(inputs):
            turn(number)
            text = (
                target.seeds[number]
                if number < len(target.seeds)
                else changed(luck.choice(kept), luck, target.words, kept)
            )
            before, start = len(reached.lines), process_time()
            said, crash = _given(target, text)
            took = process_time() - start
            if took > figures.slowest:
                figures.slowest, figures.slowest_text = took, text
            if crash is None and took > SLOW and _given_again(target, text) > SLOW:
                crash = f"slow: {took:.1f} s"
            if crash is not None and crash not in seen and len(figures.crashes) < most_crashes:
                seen.add(crash)
                figures.crashes.append(Crash(_shrunk(target, text, crash), crash))
            shape = _PLACE.sub("", _CAME.split(said, maxsplit=1)[0])
            if len(reached.lines) > before or shape not in sentences:
                sentences.add(shape)
                kept.append(text)
                if len(kept) > KEPT + len(target.seeds):
                    del kept[len(target.seeds)]
                figures.kept += 1
    figures.inputs, figures.seconds = inputs, perf_counter() - begun
    figures.lines, figures.sentences = len(reached.lines), len(sentences)
    return figures


def _given(target: Target, text: str) -> tuple[str, str | None]:
    """What a reader says to an input, and how it crashes if it does."""
    try:
        return target.read(text), None
    except BattletapeError as error:
        said = str(error)
        return said, None if len(said) <= LONGEST_SENTENCE else f"a sentence of {len(said)} characters".split(" of")[0]
    except Exception as error:
        trace = error.__traceback__
        while trace is not None and trace.tb_next is not None:
            trace = trace.tb_next
        at = f"{Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}" if trace else ""
        return "", f"{type(error).__name__} at {at}" if not isinstance(error, Odd) else f"odd: {error}"


def _given_again(target: Target, text: str) -> float:
    start = process_time()
    _given(target, text)
    return process_time() - start


def _shrunk(target: Target, text: str, crash: str) -> str:
    if crash.startswith("slow"):
        return text
    return shrunk(text, lambda shorter: _given(target, shorter)[1] == crash)


# --- what is read -----------------------------------------------------------------------------------------------------


def battles() -> Target:
    """The reader of battle files; the seeds are short battles of every ruleset, one of them with a checkpoint."""

    def read(text: str) -> str:
        battle, fault = salvage_battle(text, "fuzz.battle")
        if fault is not None:
            if len(str(fault)) > LONGEST_SENTENCE:
                raise Odd("a fault as long as a file")
            if not str(fault).startswith("fuzz.battle"):
                raise Odd("a fault without its file")
        if battle is None:
            return str(fault)
        again = read_battle(battle.text, "again")
        if again != battle or again.state != battle.state:
            raise Odd("another battle when it is read again")
        return str(fault or f"whole {battle.opened} {bool(battle.doubt)} {len(battle.moves) > 0}")

    seeds = []
    for name in RULESETS:
        battle = small_battle(name)
        seeds.append(write_battle(battle, checkpoint=False))
        if not seeds[1:]:  # one checkpoint is as good as another
            seeds.append(write_battle(battle, checkpoint=True))
    words = (
        "undo\n",
        "redo 1\n",
        "--- end\n",
        "--- moves\n",
        "--- start\n",
        "--- checkpoint 1 0 0.3\n",
        "# c\n",
        "   ",
    )
    rest = (
        "roll a [1-6] = 4",
        "pool to hit [2 x 1-6] = 3 4",
        "2. ",
        'x=["a",1]',
        "[[sides]]\n",
        "none",
        "yes",
        "title: ",
    )
    return Target("battle", read, tuple(seeds), words + rest)


def small_battle(name: str) -> Battle:
    """A battle of as few as the rules allow, with a few moves; what has its default is left out of its text."""
    card = registry.ruleset(name)
    rules = card.battle_rules
    assert rules is not None
    sides = rules.sample()["sides"]
    start = next(start for most in range(1, 100) if (start := _begun(card, [_first(side, most) for side in sides[:2]])))
    lines = ["battletape battle 1", f"ruleset: {name}", f"version: {VERSION}", "--- start"]
    lines += [*tomli_w.dumps(_told(start)).rstrip().split("\n"), "--- moves", "--- end", ""]
    battle = read_battle("\n".join(lines))
    play_at_random(battle, (5, 6, 8, 9, 3, 10, 11))
    return battle


def _begun(card: Ruleset, sides: list[Any]) -> Inputs | None:
    """The start of a battle of these sides; None if they refer to others."""
    try:
        start: Inputs = Battle.new(card, {"sides": sides}).start
    except BattletapeError:
        return None
    return start


def _first(value: Any, most: int) -> Any:
    """Of every list the first few entries."""
    if isinstance(value, dict):
        return {name: _first(part, most) for name, part in value.items()}
    return [_first(part, most) for part in value[:most]] if isinstance(value, (list, tuple)) else value


def _told(values: Inputs) -> dict[str, Any]:
    """What of some inputs is not the default, as TOML has it."""
    told: dict[str, Any] = {}
    for each in fields(type(values)):
        value = getattr(values, each.name)
        if value == each.default:
            continue
        if isinstance(value, tuple):
            told[each.name] = [_told(part) if isinstance(part, Inputs) else part for part in value]
        else:
            told[each.name] = "none" if value is None else value
    return told


def forms() -> Target:
    """The reader of addresses and forms, for a few questions of every ruleset."""
    questions = {f"{name}/{question.name}": (card, question) for name, card, question in _questions()}

    def read(text: str) -> str:
        place, _, query = text.partition("?")
        card, question = questions.get(place) or next(iter(questions.values()))
        pairs = parse_qsl(query.encode("utf-8", "replace").decode(), keep_blank_values=True)
        sent = read_pairs(card, question, pairs)
        inputs, rulings = card.split(question, sent.given)
        write_query({name: value for name, value in sent.given.items() if isinstance(value, str)}, sent.page)
        if not isinstance(inputs, Inputs) or not isinstance(rulings, Inputs):
            raise Odd("a form that is read as nothing")
        return f"fits {len(sent.page) > 0} {sent.from_form} {len(sent.picked) > 0}"

    seeds = tuple(f"{place}?{query}" for place, (_, question) in questions.items() for query in _queries(question))
    words = ("_form=1", "_do=add:guns", "_do=drop:guns.0", "_do=copy:weapons.0", "_was.weapon=", "preset=", "&", "%00")
    rest = (
        "guns.0.weapon=",
        "guns.count=3",
        "at 3,4",
        "ring 6 at 0,0 spacing 1",
        "_do=form:near.ring",
        "_form.near.count=5",
    )
    return Target("form", read, seeds, words + rest + ("%22", "none", "4x ", " ; ", "name=Ork", "+", "=", "%F0%9F"))


def _questions() -> Iterator[tuple[str, Ruleset, Question]]:
    for name in RULESETS:
        card = registry.ruleset(name)
        for question in list(card.questions)[:3]:
            yield name, card, question


def _queries(question: Question) -> Iterator[str]:
    """A form as it is sent, with every input and the entries of its lists one by one; and what is done with lists."""
    pairs: dict[str, str | list[str]] = {"_form": "1"}
    for each in fields(question.inputs):
        if each.kind == "many" and each.item is not None and each.default:
            pairs[f"{each.name}.count"] = str(len(each.default))
            for inner in fields(each.item):
                pairs[f"{each.name}.0.{inner.name}"] = inner.show(getattr(each.default[0], inner.name))
        else:
            pairs[each.name] = each.show(each.default)
    yield write_query(pairs)
    for each in (each for each in fields(question.inputs) if each.item is not None):
        first = fields(each.item)[0].name if each.item is not None else ""
        yield write_query({**pairs, "_do": f"drop:{each.name}.0", f"_was.{each.name}.0.{first}": "x"})
        if each.form == "places":
            yield write_query({each.name: "ring 6 at 0,0 spacing 1 ; Ork at 3,4", "_do": f"form:{each.name}.ring"})


def lists() -> Target:
    """The reader of TOML, by itself and for the profiles that players write."""
    cards = [registry.ruleset(name) for name in RULESETS]
    kinds = tuple({kind: item for card in cards for kind, item in card.book.kinds.items()}.items())

    def read(text: str) -> str:
        errors = add_profiles(ProfileBook(kinds), text, "fuzz.toml")
        if any(len(error) > LONGEST_SENTENCE for error in errors):
            raise Odd("an error as long as a file")
        data = parse_list(text, "fuzz.toml")
        return errors[0] if errors else f"fits {min(len(data), 3)}"

    seeds = [
        '[[weapon]]\nname = "Bow"\npower = 3\nrange = 24\nkeywords = ["Bane"]\n',
        "# mine\n[a.b]\nc = 1979-05-27T07:32:00Z\nd = [1, 2.5, 0x1f, 1_000, inf]\ne = {f = 'g', h = true}\n",
        'x = """one\n\\ttwo\\u00e9"""\ny = \'\'\'three\'\'\'\n[[z]]\n[[z.z]]\n"k k" = -0.5e3\n',
    ]
    for card in cards:
        for kind, entries in card.book.entries.items():
            for entry in list(entries.values())[:1]:
                seeds.append(tomli_w.dumps({kind: [_told(entry) if isinstance(entry, Inputs) else {}]}))
    words = (
        "[[weapon]]\n",
        "[[unit]]\n",
        "name = ",
        "a.b.c.d = 1",
        '"""',
        "'''",
        "{}",
        "[",
        "]",
        "\\u",
        "07:32:00",
        "1979-",
    )
    return Target(
        "toml", read, tuple(seeds), (*words, "true", "nan", "0b1", "#", "\r\n", "models = 3", "= [[1], ['a']]")
    )


TARGETS: dict[str, Callable[[], Target]] = {"battle": battles, "form": forms, "toml": lists}
SHARES = {"battle": 3, "form": 5, "toml": 12}
"""How the inputs are shared out: a battle takes longest to read."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Fuzz the targets asked for and print the figures; 1 if anything crashed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fuzz", description=__doc__)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=", ".join(TARGETS))
    parser.add_argument("--inputs", type=int, default=30_000, help="how many in all [30,000]")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--crashes", metavar="FOLDER", help="where to write inputs that crash")
    asked = parser.parse_args(arguments)
    unknown = [name for name in asked.targets if name not in TARGETS]
    if unknown:
        parser.error(f"the targets are {', '.join(TARGETS)}; got {', '.join(unknown)}")
    names = asked.targets or list(TARGETS)
    crashed = 0
    for name in names:
        inputs = asked.inputs * SHARES[name] // sum(SHARES[other] for other in names)
        figures = fuzz(TARGETS[name](), inputs, asked.seed)
        print(figures, flush=True)
        for crash in figures.crashes:
            crashed += 1
            print(f"    {crash.how}: {crash.text[:300]!r}", flush=True)
            if asked.crashes:
                raw = crash.text.encode("utf-8", "surrogatepass")
                Path(asked.crashes).mkdir(parents=True, exist_ok=True)
                Path(asked.crashes, f"{name}-{crashed}").write_bytes(raw)
    return 1 if crashed else 0


if __name__ == "__main__":
    sys.exit(main())
