"""Roll it: one roll with visible dice, its log with every clause, and how lucky it was."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random
from typing import Any

from fastapi import APIRouter, Request, Response
from markupsafe import Markup
from msgspec import Struct

from battletape.answer import Answer, Roll, quick_policy
from battletape.errors import BadInput, BudgetSpent
from battletape.tape.question import Ask
from battletape.tape.rolled import Rolled
from battletape.views.board import KeyView, draw_svg, key_views
from battletape.views.dice import StageView, Throw, split_sum, stage_views
from battletape.views.luck import NEGLIGIBLE, LuckView, luck_views
from battletape.web.forms import Pairs
from battletape.web.jobs import Reply, ReplyForm, job
from battletape.web.pages.answers import fresh_seed, roll_on, write_throw
from battletape.web.pages.asking import AskedQuestion, do, pairs_of, read_asked, work_out
from battletape.web.rendering import render

router = APIRouter(include_in_schema=False)
OURS = re.compile(r"seed|answers|again|rest|go|line|total|pick|bearing|luck|[dc]\d+")
"""Values of the page that belong to rolls and typed dice."""
LONGEST_SEED = 60


class RolledView(Struct, frozen=True):
    """A roll as a page shows it."""

    stages: tuple[StageView, ...]
    main: LuckView
    others: tuple[LuckView, ...]
    is_known: bool  # whether the odds behind it are
    said: str
    decide: dict[int, str]  # for each decision the address where a player makes it


@router.get("/{ruleset}/{question}/roll")
async def roll(request: Request, ruleset: str, question: str) -> Response:
    """Reply with a roll; without a seed, a new one."""
    return await do(request, "roll_page", ruleset=ruleset, question=question, pairs=pairs_of(request))


@job
def roll_page(*, seconds: float, reply_form: ReplyForm, ruleset: str, question: str, pairs: Pairs) -> Reply:
    """Reply with one roll of a question, the same for the same seed."""
    asked = read_asked(ruleset, question, pairs)
    given = asked.sent.page.get("seed", "").strip()
    if len(given) > LONGEST_SEED:
        raise BadInput.of("_seed", f"may have at most {LONGEST_SEED} letters; got {len(given):,}.")
    seed = given or str(fresh_seed())
    address = own_address(asked, "/roll", seed=seed)
    if not given and reply_form == "page":
        return Reply(b"", status=303, headers={"Location": address, "Cache-Control": "no-store"})
    tape = Rolled(_seed(seed), quick_policy(asked.question, asked.inputs, asked.rulings))
    rolled, _ = roll_on(asked.ruleset, asked.question, asked.inputs, asked.rulings, tape)
    throws = _throws(tape.trail, Random(f"{seed} one by one"))
    odds = odds_behind(asked, seconds)
    shown = roll_shown(asked, rolled, throws, odds) | {"seed": seed, "address": address, "typed": False}
    body = render("roll_part.html" if reply_form == "part" else "roll.html", **shown)
    known = is_known(odds)
    return Reply(body, address=address, cut=not known and "luck" in asked.sent.page, keep=known and bool(given))


def own_address(asked: AskedQuestion, ending: str = "", **page: str | None) -> str:
    """Return the address of a page about this question, without what was rolled or typed before."""
    forgotten: dict[str, str | None] = {name: None for name in asked.sent.page if OURS.fullmatch(name)}
    return asked.address(ending, **(forgotten | page))


def odds_behind(asked: AskedQuestion, seconds: float) -> Answer | None:
    """Return the odds that say how lucky a roll was, as far as there is time for them."""
    try:
        return work_out(asked, seconds)
    except BudgetSpent:
        return None


def is_known(odds: Answer | None) -> bool:
    """Return whether the odds are known well enough."""
    return odds is not None and odds.states.unexplored <= NEGLIGIBLE


def roll_shown(asked: AskedQuestion, rolled: Roll, throws: Sequence[Throw], odds: Answer | None) -> dict[str, Any]:
    """Return what the templates of a roll show."""
    measure = asked.question.measure(asked.sent.page.get("measure") or None)
    lucks = luck_views(rolled.results, odds, tuple(dict.fromkeys((measure, *rolled.measures))))
    main = next(luck for luck in lucks if luck.name == measure.name)
    decide = {
        at: own_address(asked, "/dice", answers=";".join(map(write_throw, throws[:at])))
        for at, throw in enumerate(throws)
        if throw.ask.kind == "choose"
    }
    return {
        "asked": asked,
        "rolled": RolledView(
            stages=stage_views(rolled.played, throws),
            main=main,
            others=tuple(luck for luck in lucks if luck is not main and not (luck.same and luck.same.value == 1)),
            is_known=is_known(odds),
            said=rolled.headline,
            decide=decide,
        ),
        "landed": _landed(rolled),
        "inputs": asked.input_texts,
        "short": " · ".join(text.words for text in asked.input_texts),
        "links": {
            "again": own_address(asked, "/roll"),
            "dice": own_address(asked, "/dice"),
            "odds": own_address(asked),
            "luck": asked.address("/dice" if "answers" in asked.sent.page else "/roll", luck="1"),
        },
    }


class LandedView(Struct, frozen=True):
    """What lies on the table after a roll: the drawing, and what its signs mean."""

    title: str
    svg: Markup
    key: tuple[KeyView, ...]


def _landed(rolled: Roll) -> LandedView | None:
    picture = rolled.picture
    if picture is None:
        return None
    return LandedView(picture.title, Markup(draw_svg(picture, page=True)), key_views(picture))


def _throws(trail: Sequence[tuple[Ask, Any]], luck: Random) -> list[Throw]:
    """Return what was rolled; the total of a sum is split into single dice by separate luck."""
    throws = []
    for ask, answer in trail:
        is_sum = ask.kind == "roll" and ask.die is not None and ask.die.added
        parts = split_sum(ask.die, answer, luck) if is_sum and ask.die is not None else ()
        throws.append(Throw(ask, answer, max(ask.count, len(parts)), parts))
    return throws


def _seed(text: str) -> int | str:
    """Return a seed as the command line takes it: 7 and “7” are the same luck."""
    return int(text) if re.fullmatch(r"-?[0-9]{1,18}", text) else text
