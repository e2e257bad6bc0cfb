"""People at the page: each opens a question, drags a slider in bursts, reads, and goes on to another question.

`python -m benchmarks.web_users PORT` is the load of `./bench web`, in a process of its own. A user drags a slider by
STEPS values, one every GAP seconds, reads for READ seconds, and after a few bursts opens another question. An answer
that has not come when the next value is reached is given up, as the page does; it counts as late, with the time it was
waited for, so it cannot make the figures look better. Every user has an address of their own.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from time import perf_counter
from typing import Any
from urllib.parse import urlencode

from battletape import registry
from battletape.views.controls import ControlView
from battletape.views.form import form_view

STEPS, GAP, READ, BURSTS = 5, 0.15, (2.0, 3.0), (2, 4)
MANNER = f"bursts of {STEPS} values, {GAP * 1000:.0f} ms apart, then {READ[0]:g} to {READ[1]:g} s of reading"
PATIENCE = 30.0
LINES, LARGE = 8, 0.6
"""Somebody hostile asks on so many lines at once, with so many of the numbers as large as they may be."""
Pairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Slider:
    """A slider of a form, and where it stands."""

    name: str
    low: int
    high: int
    value: int


@dataclass(frozen=True, slots=True)
class Form:
    """A question as it begins, or as its example fills the form in: what would be sent, and the sliders to move."""

    ruleset: str
    question: str
    pairs: Pairs
    sliders: tuple[Slider, ...]
    most: tuple[tuple[str, int], ...]  # the largest number that each input takes
    given: Mapping[str, Any]

    @property
    def name(self) -> str:
        """The question in few words."""
        return f"{self.ruleset} {self.question}{', its example' if self.given else ''}"

    def path(self, moved: Mapping[str, int]) -> str:
        """The address that the page asks for."""
        kept = [pair for pair in self.pairs if pair[0] not in moved]
        said = [*kept, *((name, str(at)) for name, at in moved.items())]
        return f"/{self.ruleset}/{self.question}?" + urlencode(said or [("_blank", "1")])

    def body(self, moved: Mapping[str, int]) -> bytes:
        """The same for a program."""
        given = json.loads(json.dumps(self.given, default=list))
        for name, at in moved.items():
            *path, last = name.split(".")
            place = given
            for part in path:
                if part.isdigit():
                    place.extend({} for _ in range(int(part) + 1 - len(place)))
                place = place[int(part)] if part.isdigit() else place.setdefault(part, [])
            place[last] = at
        return json.dumps(given).encode()


def forms() -> tuple[Form, ...]:
    """Every question of every ruleset, as its page begins and with its example."""
    return tuple(
        _form(name, one.name, given)
        for name in registry.names()
        for one in registry.ruleset(name).questions
        for given in ([{}, one.example] if one.example else [{}])
    )


def _form(ruleset: str, question: str, given: Mapping[str, Any]) -> Form:
    card = registry.ruleset(ruleset)
    one = card.question(question)
    pairs: list[tuple[str, str]] = []
    found = [
        control
        for group in form_view(card, one, *card.split(one, given)).groups
        for control in _flat((*group.shown, *group.more), pairs)
    ]
    sliders = tuple(
        Slider(one.name, int(one.slide[0]), int(one.slide[1]), int(float(one.value or 0))) for one in found if one.slide
    )
    most = tuple((one.name, one.high) for one in found if one.high is not None)
    return Form(ruleset, question, tuple(pairs), sliders, most, given)


def _flat(controls: Sequence[ControlView], pairs: list[tuple[str, str]]) -> Iterator[ControlView]:
    """The controls, those of lists too; on the way, what the page would send of them."""
    for one in controls:
        if one.kind == "list":
            pairs.append((f"{one.name}.count", str(len(one.entries))))
            for entry in one.entries:
                yield from _flat((*entry.shown, *entry.more), pairs)
        else:
            if one.changed:
                pairs.append((one.name, one.value))
            yield one


def drag(form: Form, moved: dict[str, int], luck: random.Random) -> Iterator[None]:
    """Take one slider and move it value by value, never beyond its ends; `moved` says where all of them stand."""
    if not form.sliders:
        for _ in range(STEPS):
            yield
        return
    slider = luck.choice(form.sliders)
    at = moved.get(slider.name, slider.value)
    way = luck.choice([-1, 1]) * luck.choice([1, 1, 1, 2])
    for _ in range(STEPS):
        if not slider.low <= at + way <= slider.high:
            way = -way
        at = min(max(at + way, slider.low), slider.high)
        moved[slider.name] = at
        yield


@dataclass
class Seen:
    """What the users saw: seconds by question, refusals, errors, and how many answers were given up."""

    steps: dict[str, list[float]] = field(default_factory=dict)
    last: list[float] = field(default_factory=list)  # of each burst: the answer that is read
    pages: list[float] = field(default_factory=list)
    given_up: int = 0
    refused: int = 0
    errors: dict[str, int] = field(default_factory=dict)
    bytes: int = 0

    def note(self, status: int, question: str) -> None:
        """Count what was no answer: a kind refusal of what the rules do not allow, or an error."""
        if status == 422:
            self.refused += 1
        elif status != 200:
            self.errors[f"{status} {question}"] = self.errors.get(f"{status} {question}", 0) + 1


class User:
    """One of them."""

    def __init__(self, number: int, port: int, door: str, seen: Seen, patience: float = PATIENCE) -> None:
        self.luck = random.Random(number)
        self.home = f"127.0.{1 + number // 250}.{1 + number % 250}"
        self.port, self.door, self.seen, self.patience = port, door, seen, patience
        self.line: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def use(self, first: Form, every: Sequence[Form], until: float) -> None:
        """Ask until the time is over."""
        await asyncio.sleep(self.luck.uniform(0, READ[1]))
        form = first
        while perf_counter() < until:
            await self.visit(form, until)
            form = self.luck.choice(every)
        self.hang_up()

    async def visit(self, form: Form, until: float) -> None:
        """Open a question and move its sliders."""
        moved: dict[str, int] = {}
        if self.door == "page":
            status, took = await self.get(form.path(moved), part=False)
            self.seen.pages.append(took)
            self.seen.note(status, form.name)
            await asyncio.sleep(self.luck.uniform(*READ))
        for _ in range(self.luck.randint(*BURSTS)):
            before = dict(moved)
            for at, _ in enumerate(drag(form, moved, self.luck), 1):
                if perf_counter() > until:
                    return
                if await self.step(form, moved, last=at == STEPS) == 422:
                    moved = dict(before)  # what the rules refuse is put back
                    break
            await asyncio.sleep(self.luck.uniform(*READ))

    async def press(self, every: Sequence[Form], until: float) -> None:
        """Ask one of the largest questions after the other, without a pause and without reading."""
        while perf_counter() < until:
            form = self.luck.choice(every)
            largest = {name: most for name, most in form.most if self.luck.random() < LARGE}
            status, _ = await self.get(form.path(largest), part=self.luck.random() < 0.5)
            if status >= 500:
                self.seen.note(status, form.name)
            elif status in (0, 429):
                await asyncio.sleep(GAP)
        self.hang_up()

    async def step(self, form: Form, moved: Mapping[str, int], *, last: bool) -> int:
        """Ask for one value of the slider; unless it is the last one, for as long as it stands there."""
        began = perf_counter()
        asked = self.post(form, moved) if self.door == "api" else self.get(form.path(moved), part=True)
        try:
            status, took = await asyncio.wait_for(asked, self.patience if last or self.door == "api" else GAP)
        except TimeoutError:
            self.hang_up()
            self.seen.given_up += 1
            status, took = (0 if last else 200), perf_counter() - began
        self.seen.note(status, form.name)
        self.seen.steps.setdefault(form.name, []).append(took)
        if last:
            self.seen.last.append(took)
        else:
            await asyncio.sleep(max(0.0, began + GAP - perf_counter()))
        return status

    async def get(self, path: str, *, part: bool) -> tuple[int, float]:
        """A page, or the part of it that changes."""
        head = "HX-Request: true\r\nBattletape-History: replace\r\n" if part else ""
        return await self.ask(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n{head}\r\n".encode())

    async def post(self, form: Form, moved: Mapping[str, int]) -> tuple[int, float]:
        """The same as a program asks it."""
        body = form.body(moved)
        path = f"/api/v1/{form.ruleset}/questions/{form.question}"
        head = (
            f"POST {path} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        return await self.ask(head.encode() + body)

    async def ask(self, request: bytes) -> tuple[int, float]:
        """Send a request and read the response to its end: status and seconds."""
        began = perf_counter()
        try:
            if self.line is None:
                self.line = await asyncio.open_connection("127.0.0.1", self.port, local_addr=(self.home, 0))
            reader, writer = self.line
            writer.write(request)
            head = await reader.readuntil(b"\r\n\r\n")
            size = int(head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0])
            await reader.readexactly(size)
        except (OSError, EOFError, ValueError):
            self.hang_up()
            return 0, perf_counter() - began
        self.seen.bytes += len(head) + size
        return int(head[9:12]), perf_counter() - began

    def hang_up(self) -> None:
        """End the connection."""
        if self.line is not None:
            self.line[1].transport.abort()
            self.line = None


async def crowd(
    port: int, users: int, seconds: float, door: str, hostile: int, patience: float, first: int = 0
) -> Seen:
    """So many users for so long; together they open every question at least once where there are enough of them."""
    every = forms()
    seen = Seen()
    until = perf_counter() + seconds
    people = [User(first + number, port, door, seen, patience) for number in range(users)]
    foes = [User(first + users + number, port, "page", seen) for number in range(hostile) for _ in range(LINES)]
    await asyncio.gather(
        *(one.use(every[at % len(every)], every, until) for at, one in enumerate(people)),
        *(foe.press(every, until) for foe in foes),
    )
    return seen


def main() -> None:
    """Be the users, and tell what they saw."""
    parser = argparse.ArgumentParser(description="Users of a running server.")
    parser.add_argument("port", type=int)
    parser.add_argument("--users", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--door", choices=["page", "api"], default="page")
    parser.add_argument("--hostile", type=int, default=0, help="so many more who ask the largest questions")
    parser.add_argument("--patience", type=float, default=PATIENCE, help="seconds until an answer counts as missing")
    parser.add_argument("--first", type=int, default=0, help="the number of the first user, which is his address")
    asked = parser.parse_args()
    people = crowd(asked.port, asked.users, asked.seconds, asked.door, asked.hostile, asked.patience, asked.first)
    json.dump(asdict(asyncio.run(people)), sys.stdout)


if __name__ == "__main__":
    main()
