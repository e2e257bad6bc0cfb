"""Topic web: the time to an answer while a slider moves, the weight of the first page, and fifty users at once."""

from __future__ import annotations

import os
import random
from collections.abc import Iterable, Mapping, Sequence
from statistics import median
from time import process_time
from typing import Any
from urllib.parse import parse_qsl

from battletape import registry
from battletape.answer import Answer, ask, sample
from battletape.inputs import Inputs
from battletape.system import Question, Ruleset
from battletape.tape.limits import Budget
from battletape.web import jobs
from battletape.web.jobs import Job, Reply
from battletape.web.pages import asking
from benchmarks.attack import forget
from benchmarks.deathwatch import SIGMA
from benchmarks.race import Differs, Pace
from benchmarks.table import Row, Table
from benchmarks.web_rolls import given_of
from benchmarks.web_server import ROLLS, Server, serving
from benchmarks.web_users import MANNER, Form, drag, forms

ANSWER_LIMIT, P95_LIMIT, WEIGHT_LIMIT = 0.100, 0.150, 120_000
USERS, SECONDS = 50, 30.0
TIMES = 10_000
"""So many rolls are what other calculators answer with."""
BUDGET = 10.0


def run(pace: Pace) -> Table:
    """Time every question by itself, weigh the first pages, then let users in: to the page, the API, and the rolls."""
    calm = pace.processes > 10
    table = Table(
        "web",
        "the page: a step of a slider for every question, the weight of a page, and users at once",
        "part of the time or size allowed; times as fast as rolls",
    )
    jobs.load()
    answers(table, 8 if calm else 3, pace.samples // 10)
    seconds = SECONDS if calm else 6.0
    with serving() as server:
        weigh(table, server)
        p95 = crowded(table, server, "page", seconds)
        crowded(table, server, "api", seconds)
        crowded(table, server, "page", seconds / 2, hostile=1)
    if calm:
        with serving(ROLLS) as server:
            seen = server.users("--seconds", "10", "--patience", "10")
            theirs = _percentile(_steps(seen), 0.95)
            table.faster(f"{USERS} users at the page, p95", f"{TIMES:,} rolls for each answer", p95, theirs, None)
    load = ", ".join(f"{one:.1f}" for one in os.getloadavg())
    table.notes.append(
        f"Load of the machine over 1, 5 and 15 minutes at the end: {load}; it has {os.cpu_count()} cores."
    )
    table.notes.append(f"Users: {MANNER}; after two to four bursts another question, all of them equally often.")
    return table


# --- one answer after the other ---------------------------------------------------------------------------------------


def answers(table: Table, steps: int, rolls: int) -> None:
    """Time the steps of a slider for each question, in this process: with what was asked before, and with nothing."""
    every = forms()
    cold: dict[str, list[float]] = {}
    ours: dict[str, list[float]] = {}
    theirs: dict[str, list[float]] = {}
    for form in every:
        todo = [step(form, moved) for moved in moves(form, steps)]
        _timed(step(form, {}))
        took = [_timed(one) for one in todo]
        table.within(f"{form.name}, a step", "100 ms", median(took), ANSWER_LIMIT)
        ours.setdefault(form.ruleset, []).append(took[-1])
        theirs.setdefault(form.ruleset, []).append(rolled(form, todo[-1], rolls))
        forget(form.ruleset)
        cold.setdefault(form.ruleset, []).append(_timed(todo[-1]))
    for name, found in cold.items():
        worst = max(found)
        table.within(f"{name}, the worst question, nothing kept", "100 ms", worst, ANSWER_LIMIT, None)
        table.faster(f"{name}, each question once", f"{TIMES:,} rolls of it", sum(ours[name]), sum(theirs[name]), None)


def moves(form: Form, steps: int) -> list[dict[str, int]]:
    """So many places of the sliders, one after the other; always the same ones."""
    luck, moved = random.Random(form.name), dict[str, int]()
    found: list[dict[str, int]] = []
    while len(found) < steps:
        found += [dict(moved) for _ in drag(form, moved, luck)]
    return found[:steps]


def step(form: Form, moved: Mapping[str, int]) -> Job:
    """What the page asks a worker for when a slider stands there."""
    pairs = parse_qsl(form.path(moved).partition("?")[2], keep_blank_values=True)
    return Job("question_page", "part", {"ruleset": form.ruleset, "question": form.question, "pairs": pairs})


def rolled(form: Form, job: Job, rolls: int) -> float:
    """The seconds of the same reply by rolls, which have to agree; fewer rolls than wanted are counted up."""
    seen: list[tuple[Any, Answer]] = []
    spent = 0.0

    def by_rolls(
        card: Ruleset,
        question: Question,
        inputs: Inputs,
        rulings: Inputs,
        *,
        budget: Budget,
        measures: Sequence[str] = (),
    ) -> Answer:
        nonlocal spent
        given = given_of(inputs, rulings)
        began = process_time()
        found = sample(card, question, given, rolls, seed=20)
        spent += process_time() - began
        seen.append(((card, question, given), found))
        return found

    before = vars(asking)["ask_read"]
    vars(asking)["ask_read"] = by_rolls
    try:
        took = _timed(job)
    finally:
        vars(asking)["ask_read"] = before
    for asked, shown in seen:
        agree(form, shown, ask(*asked, budget=Budget(seconds=BUDGET)), rolls)
    return took - spent + spent * TIMES / rolls


def agree(form: Form, shown: Answer, exact: Answer, rolls: int) -> None:
    """Raise Differs where the mean of a number is too many standard errors away; a few questions have no number."""
    one, other = shown.odds(), exact.odds()
    if not all(isinstance(value, (int, bool)) for value in other.weights) or exact.states.unexplored_weight:
        return
    error = (float(other.variance) / rolls) ** 0.5
    away = abs(float(one.mean - other.mean))
    if away > 1.5 * SIGMA * error + 1e-12:  # so many questions, so often: further than for one alone
        raise Differs(f"{form.name}: {rolls:,} rolls give {float(one.mean):.4f}, exactly {float(other.mean):.4f}")


def _timed(job: Job) -> float:
    began = process_time()
    reply: Reply = jobs.run(job, BUDGET)
    took = process_time() - began
    if reply.status not in (200, 422):
        raise Differs(f"{job.given['ruleset']} {job.given['question']} answers {reply.status}")
    return took


# --- a server and its users -------------------------------------------------------------------------------------------


def weigh(table: Table, server: Server) -> None:
    """The bytes of the first page, with all styles and scripts."""
    pages = {"home": "/"}
    for name in registry.names():
        pages |= {f"{name} {one.name}": f"/{name}/{one.name}" for one in registry.ruleset(name).questions}
    found = {name: server.weight(path) for name, path in pages.items()}
    heaviest = max(found, key=lambda name: found[name])
    for what, size in (("home", found["home"]), (f"heaviest question, {heaviest}", found[heaviest])):
        row = Row(f"first page: {what}", "120 kB", size / WEIGHT_LIMIT, "at most", 1, size / 1000, 120, "kB")
        table.rows.append(row)


def crowded(table: Table, server: Server, door: str, seconds: float, hostile: int = 0) -> float:
    """Let users in for a while; the seconds that 95 of 100 answers stay below."""
    before = server.work
    seen = server.users("--door", door, "--seconds", str(seconds), "--hostile", str(hostile))
    work = server.work - before
    steps = _steps(seen)
    p95 = _percentile(steps, 0.95)
    who = f"{USERS} users at the {'API' if door == 'api' else 'page'}" + (
        ", one more asks the largest" if hostile else ""
    )
    errors = sum(seen["errors"].values())
    table.within(f"{who}, p95", "150 ms", p95, P95_LIMIT, None if hostile else 1)
    table.rows.append(Row(f"{who}, errors", "none", errors, "at most", 0, errors, 0, ""))
    slow = sorted(seen["steps"], key=lambda name: -_percentile(seen["steps"][name], 0.95))[:5]
    memory = server.memory
    each = ", ".join(f"{name} {_ms(_percentile(seen['steps'][name], 0.95))}" for name in slow)
    table.notes += [
        f"{who}: {len(steps):,} answers in {seconds:g} s, p50 {_ms(_percentile(steps, 0.5))}, p95 {_ms(p95)}, "
        f"p99 {_ms(_percentile(steps, 0.99))}, worst {_ms(max(steps))}; those that were waited for to the end, p95 "
        f"{_ms(_percentile(seen['last'], 0.95))}; given up because the slider moved on {seen['given_up']}, "
        f"refused by the rules {seen['refused']}; {work / len(steps) * 1000:.1f} ms of the processor for each answer.",
        f"  slowest by p95: {each}." + (f" Errors: {seen['errors']}." if errors else ""),
        f"  memory then: {sum(memory) / 1e6:.0f} MB in {len(memory)} processes, {max(memory) / 1e6:.0f} MB in one.",
    ]
    return p95


def _steps(seen: Mapping[str, Any]) -> list[float]:
    return [took for found in seen["steps"].values() for took in found]


def _percentile(found: Iterable[float], part: float) -> float:
    row: Sequence[float] = sorted(found)
    return row[min(len(row) - 1, int(part * len(row)))]


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:,.0f} ms"
