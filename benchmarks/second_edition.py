"""Topic second_edition: blasts on a table with everybody on it, the best place to aim, and sustained fire."""

from __future__ import annotations

import os
import random
import shutil
from collections import Counter
from fractions import Fraction
from math import cos, hypot, pi, sin, sqrt
from statistics import median
from typing import Any

from battletape.registry import ruleset
from battletape.views.board import draw_svg
from battletape.words import plural
from benchmarks.attack import forget
from benchmarks.race import Differs, Pace, race
from benchmarks.table import Table
from benchmarks.web_server import serving

SYSTEM = "second_edition"
BLAST_LIMIT, AIM_LIMIT, DRAG_LIMIT, SUSTAINED_LIMIT = 0.050, 1.0, 0.100, 0.050
SQUAD, FRIENDS = 10, 4
GROWTH = (2, 4, 8, 16, 32)
SHOTS = 1_000_000
"""As many plain shots are compared with the exact joint odds in a calm run."""
FOUR_TURNS = {"dice": 3, "sustained": 3, "turns": 4, "models": 5, "bs": 4}
TEN = {"models": 10, "turns": 4}
SIGMAS = 4.0
STEPS = 30
"""So many steps of a drag are timed in the browser."""
WATCH = """() => {
  const [seen, stamp] = [[], (event) => event.timeStamp];
  let moved = null, sent = null;
  addEventListener("pointermove", (event) => { moved ??= stamp(event); }, true);
  document.addEventListener("htmx:beforeRequest", () => { sent = performance.now(); });
  document.addEventListener("htmx:afterRequest", () => {
    const came = performance.now();
    if (moved === null || sent === null) return;
    const [from, asked] = [moved, sent];
    moved = sent = null;
    requestAnimationFrame(() => seen.push([asked - from, came - asked, performance.now() - came]));
  });
  window.watched = seen;
}"""
"""For each picture: from the move to the question, to the answer, and to the next frame, in milliseconds."""


def run(pace: Pace) -> Table:
    """Compare the joint odds with plain shots; then time answers with nothing kept."""
    table = Table("second_edition", "answers by ask with their sentence, nothing kept", "part of the time allowed")
    table.notes.append(check(SHOTS if pace.samples >= 100_000 else 50_000))
    squad = aimed(SQUAD, FRIENDS)
    table.within(named("blast", SQUAD, FRIENDS), "50 ms", timed("blast", squad, pace), BLAST_LIMIT)
    who = timed("blast", squad, pace, measures=("who",))
    table.within("the same, and who is hit by name", "50 ms", who, BLAST_LIMIT)
    dense = aimed(SQUAD, FRIENDS, gap=1.1)
    table.within("the same squad, base to base", "50 ms", timed("blast", dense, pace), BLAST_LIMIT, None)
    told = race({"": lambda: told_of(squad)}, pace, before=forget_all)[""]
    table.within("the same, and the chances of each model", "100 ms", told, DRAG_LIMIT)
    drawn = race({"": lambda: drawn_of(squad)}, pace, before=forget_all)[""]
    table.within("the same, and the board drawn, as for each step of a drag", "100 ms", drawn, DRAG_LIMIT)
    best = {name: value for name, value in squad.items() if name != "target"}
    table.within(f"blast: the best of {SQUAD} models to aim at", "1 s", timed("blast", best, pace), AIM_LIMIT)
    table.within("ground: the best spot to aim at", "1 s", timed("ground", spots(squad), pace), AIM_LIMIT)
    for models in GROWTH:
        table.within(named("blast", models, 0), "50 ms", timed("blast", aimed(models, 0), pace), BLAST_LIMIT, None)
    table.within(
        "sustained: three dice over four turns", "50 ms", timed("sustained", FOUR_TURNS, pace), SUSTAINED_LIMIT
    )
    table.within(
        "sustained: ten models, four turns, best dice", "50 ms", timed("sustained", TEN, pace), SUSTAINED_LIMIT, None
    )
    in_browser(table)
    return table


# --- what is asked ---------------------------------------------------------------------------------------------------


def named(question: str, models: int, friends: int) -> str:
    """What a row is about."""
    return f"{question}: {models} enem{'y' if models == 1 else 'ies'}" + (
        f" and {plural(friends, 'friend')}" if friends else ""
    )


def aimed(models: int, friends: int, gap: float = 2.0) -> dict[str, Any]:
    """Enemies in ranks of five with friends in front of them, and a frag missile at the one in the middle."""
    enemies = [{"name": f"foe {at}", "x": gap * (at % 5), "y": 24.0 + gap * (at // 5)} for at in range(models)]
    own = [{"name": f"pal {at}", "x": gap * at, "y": 21.0, "side": "friend"} for at in range(friends)]
    target = f"foe {min(models - 1, 2)}"
    return {"models": [*enemies, *own], "target": target, "bs": 4, "long_range": 72, "save": 6, "save_modifier": -1}


def spots(given: dict[str, Any]) -> dict[str, Any]:
    """The same table with a place to look for."""
    return {name: given[name] for name in ("models", "long_range", "save", "save_modifier")}


def told_of(given: dict[str, Any]) -> tuple[str, Any]:
    """The sentence, and the table with each model's chance, as a page shows them while a base is dragged."""
    asked = ruleset(SYSTEM).ask("blast", **given)
    return asked.headline, asked.table


def drawn_of(given: dict[str, Any]) -> tuple[str, Any, str]:
    """The sentence, the table and the board, which is all that changes while a base is dragged."""
    asked = ruleset(SYSTEM).ask("blast", **given)
    assert asked.picture is not None
    return asked.headline, asked.table, draw_svg(asked.picture, page=True)


def timed(question: str, given: dict[str, Any], pace: Pace, measures: tuple[str, ...] = ()) -> float:
    """The best time of an answer and its sentence, every memo and cache emptied before."""
    ask = ruleset(SYSTEM).ask
    return race({"": lambda: ask(question, **given, measures=measures).headline}, pace, before=forget_all)[""]


def forget_all() -> None:
    """Empty the memo and every cache of the rules."""
    forget(SYSTEM)


# --- in the browser --------------------------------------------------------------------------------------------------


def in_browser(table: Table) -> None:
    """Drag a base in Chromium, with a server and one user: from the move to the new picture."""
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if chromium is None:
        table.notes.append("No Chromium, so no base was dragged in it.")
        return
    from playwright.sync_api import sync_playwright

    squad = "&".join(f"models=Ork+{at}+at+{2 * (at % 5)},{18 + 2 * (at // 5)}" for at in range(SQUAD))
    with serving() as server, sync_playwright() as playwright:
        server.settle()
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.goto(f"http://127.0.0.1:{server.port}/second_edition/blast?{squad}&target=Ork+2")
        page.evaluate(WATCH)
        box = page.locator('svg.board [data-input-x="models.4.x"]').bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.mouse.move(x, y)
        page.mouse.down()
        for at in range(1, STEPS + 1):
            page.mouse.move(x + 4 * at, y)
            page.wait_for_function("(most) => window.watched.length >= most", arg=at)
        page.mouse.up()
        seen: list[list[float]] = page.evaluate("() => window.watched")
        browser.close()
    parts = [median(took[at] for took in seen) for at in range(3)]
    whole = median(map(sum, seen)) / 1000
    table.within("a base dragged in Chromium: from the move to the picture", "100 ms", whole, DRAG_LIMIT, None)
    told = ", ".join(
        f"{part:.0f} ms {what}" for part, what in zip(parts, ("to ask", "to answer", "to draw"), strict=True)
    )
    table.notes.append(f"Of a step of the drag: {told}; {STEPS} steps, one user.")


# --- plain shots -----------------------------------------------------------------------------------------------------


def check(shots: int) -> str:
    """Many shots by plain dice and plain geometry come as near to the exact joint odds as chance allows."""
    places = ((0.0, 0.0), (1.5, 0.5), (-2.0, 1.0), (0.5, -2.5), (3.0, 3.0), (-1.0, 3.5))
    models = [{"name": str(at), "x": x, "y": y, "radius": 0.5} for at, (x, y) in enumerate(places)]
    given: dict[str, Any] = {
        "models": models,
        "target": "0",
        "bs": 3,
        "shooter_y": -12.0,
        "shooter_base": 0,
        "distance": 12,
    }
    asked = ruleset(SYSTEM).ask("blast", strength="none", measures=["who"], **given)
    exact: dict[tuple[int, ...], Fraction] = {}
    for names, chance in asked.odds("who").fractions().items():
        who = tuple(int(name) for name in names.split(", ") if name.isdigit())
        exact[who] = exact.get(who, Fraction(0)) + chance
    rng = random.Random(2)
    seen = Counter(shot(rng, places, 12.0) for _ in range(shots))
    worst = 0.0
    for who in {*exact, *seen}:
        share = float(exact.get(who, 0))
        if shots * share < 10 and seen[who] < 30:
            continue  # too rare for its sigma to mean anything
        sigma = sqrt(shots * share * (1 - share)) or 1e-9
        worst = max(worst, abs(seen[who] - shots * share) / sigma)
    if worst > SIGMAS:
        raise Differs(f"{shots:,} plain shots lie {worst:.1f} sigma from the exact joint odds")
    return f"{shots:,} plain shots at six models: every set of models hit within {worst:.1f} sigma of its exact chance"


def shot(rng: random.Random, places: tuple[tuple[float, float], ...], far: float) -> tuple[int, ...]:
    """Who is hit by one shot that hits on a 4+, with a marker of 2 inches and bases of half an inch."""
    x = y = 0.0
    sure = 0
    if rng.random() < 0.5:
        arrow, number = rng.random() < 2 / 3, rng.choice((2, 4, 6, 8, 10, 0))
        if arrow and not number:
            return ()
        if not number:
            sure, y = -1, -far
        elif arrow:
            angle, moved = rng.random() * 2 * pi, min(number, far / 2)
            sure, x, y = -1, moved * cos(angle), moved * sin(angle)
    hit = []
    for at, (east, north) in enumerate(places):
        away = hypot(east - x, north - y)
        if at == sure or away <= 1.5 or (away < 2.5 and rng.random() < 0.5):
            hit.append(at)
    return tuple(hit)
