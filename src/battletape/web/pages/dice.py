"""My dice: the dice on the table typed in, box by box, counted or in a line; the page rolls what is left to it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter, Request, Response

from battletape.answer import Roll
from battletape.errors import BadInput, ErrorLine
from battletape.tape.path import Path
from battletape.tape.question import Ask
from battletape.tape.together import Hand, as_throw, split_pools, thrown_together
from battletape.views.boxes import BoxesView, boxes_view
from battletape.views.dice import StageView, Throw, stage_views
from battletape.web import error_replies
from battletape.web.forms import Pairs
from battletape.web.jobs import Reply, ReplyForm, job
from battletape.web.pages.answers import (
    Rest,
    Table,
    fresh_luck,
    read_face,
    read_faces,
    read_throw,
    roll_on,
    roll_one,
    split_answers,
    write_throw,
)
from battletape.web.pages.asking import AskedQuestion, do, pairs_of, read_asked
from battletape.web.pages.roll import OURS, is_known, odds_behind, own_address, roll_shown
from battletape.web.rendering import render
from battletape.words import capital

router = APIRouter(include_in_schema=False)
RESTS = {"": "", "this": "", "dice": "dice", "all": "all", "1": "all"}
WAYS = re.compile(r"pick|line|total|bearing|[dc]\d+")
"""The names of the boxes of a question: `_d0` a die, `_c0` a count."""


@router.get("/{ruleset}/{question}/dice")
async def dice(request: Request, ruleset: str, question: str) -> Response:
    """Reply with the table with the dice typed in so far, and boxes for the next ones."""
    return await do(request, "dice_page", ruleset=ruleset, question=question, pairs=pairs_of(request))


@job
def dice_page(*, seconds: float, reply_form: ReplyForm, ruleset: str, question: str, pairs: Pairs) -> Reply:
    """Reply with what was typed so far and the question that waits, or the result."""
    asked = read_asked(ruleset, question, pairs)
    values = asked.sent.page
    answers = split_answers(values.get("answers", ""))
    rest = _rest(values.get("rest", ""))
    sent = {name: value for name, value in values.items() if WAYS.fullmatch(name) and value.strip()}
    if "go" in values or sent:
        tape = Table(answers)
        _, waits = _play(asked, tape)
        if waits is not None:
            try:
                roll, count = bool(values.get("rest")), len(_together(asked, tape, waits))
                answers = [*tape.texts, together_of(waits, count, sent, roll=roll)]
                return _shown(asked, Table(answers, rest), reply_form, seconds)
            except BadInput as error:
                if reply_form == "part":
                    raise BadInput(capital(error.uncited), field=error.field, clauses=error.clauses) from None
                return _in_trouble(asked, tape, error, sent)
    return _shown(asked, Table(answers, rest), reply_form, seconds)


def _together(asked: AskedQuestion, tape: Table, ask: Ask) -> tuple[str, ...]:
    """Return the dice or pools that players throw together for the question that waits, each by its subject."""

    def play(ahead: Path) -> None:
        _play(asked, ahead)

    held = Hand()
    for key, throws in tape.hand.held():
        held.keep(key, (throw.answer for throw, _ in throws))
    return thrown_together(play, ask, [throw.answer for throw in tape.throws], held)


def together_of(ask: Ask, count: int, sent: Mapping[str, str], *, roll: bool) -> str:
    """Return the answers in the boxes of a question that is asked so many times at once."""
    if ask.kind != "pool" or count == 1:
        return answer_of(as_throw(ask, count), sent, roll=roll)
    boxes = {int(name[1:]): text for name, text in sent.items() if re.fullmatch(r"d\d{1,4}", name)}
    whole = as_throw(ask, count)
    if boxes and len(boxes) < len(sent):
        return answer_of(whole, sent, roll=roll)  # which says that it needs one way
    if boxes:
        faces = {at: read_face(whole, text, at + 1) for at, text in boxes.items()}
    else:
        line = _without_marks(" ".join(sent.values()))
        faces = dict(enumerate(read_faces(whole, line)))
    if len(faces) > whole.count or any(at >= whole.count for at in faces):
        raise BadInput.of(ask.label, f"needs {whole.count} dice; got {len(faces)}.")
    if len(faces) < whole.count and not roll:
        would = "type the others, or let the page roll them"
        raise BadInput.of(ask.label, f"needs {whole.count} dice; got {len(faces)}: {would}.")
    pools = (range(first, first + ask.count) for first in range(0, whole.count, ask.count))
    return "|".join(_filled(ask, tuple(faces[at] for at in pool if at in faces)) for pool in pools)


def answer_of(ask: Ask, sent: Mapping[str, str], *, roll: bool) -> str:
    """Return the answer in the boxes of a question; with `roll`, missing dice are rolled."""
    ways = {"d": "dice", "c": "counts"}
    used = {ways.get(name[0], name) if re.fullmatch(r"[dc]\d+", name) else name for name in sent}
    if len(used) > 1 and "pick" not in used:
        raise BadInput.of(ask.label, f"needs one way to answer; got {' and '.join(sorted(used))}.")
    if ask.kind == "choose" and "pick" in sent:
        return write_throw(Throw(ask, ask.parse(sent["pick"])))
    if "pick" in sent:
        text = _without_marks(sent["pick"])
    elif "counts" in used:
        text = ", ".join(
            f"{_count(ask, sent[f'c{at}'])} {word}" for at, word in enumerate(ask.words) if f"c{at}" in sent
        )
    elif "dice" in used:
        return _dice(ask, sent, roll=roll)
    elif used:
        text = _without_marks(next(iter(sent.values())))
        if roll and ask.kind == "pool" and not re.search("[A-Za-z]", text):
            return _filled(ask, read_faces(ask, text))
    elif roll:
        return roll_one(ask, fresh_luck())
    else:
        raise BadInput.of(ask.label, f"needs {_needs(ask)}; nothing came.")
    return write_throw(read_throw(ask, text))


def _dice(ask: Ask, sent: Mapping[str, str], *, roll: bool) -> str:
    """Return the dice in the boxes, each checked by its place."""
    boxes = {int(name[1:]): text.strip() for name, text in sent.items() if len(name) < 6}
    if ask.kind != "pool":
        parts = " ".join(_without_marks(boxes[at]) for at in sorted(boxes))
        added = ask.die.added if ask.die else None
        if added and len(boxes) < added[0]:
            if not roll:
                raise BadInput.of(ask.label, f"needs {added[0]} dice; got {len(boxes)}.")
            missing = fresh_luck().luck.choices(range(1, added[1] + 1), k=added[0] - len(boxes))
            parts = f"{parts}~{' '.join(map(str, missing))}"
        return write_throw(read_throw(ask, parts))
    faces = tuple(read_face(ask, boxes[at], at + 1) for at in sorted(boxes))
    if len(faces) == ask.count:
        return write_throw(Throw(ask, faces))
    if not roll and len(faces) < ask.count:
        would = "type the others, or let the page roll them"
        raise BadInput.of(ask.label, f"needs {ask.count} dice; got {len(faces)}: {would}.")
    return _filled(ask, faces)


def _filled(ask: Ask, faces: tuple[Any, ...]) -> str:
    """Return the dice that came, and the computer's for those that did not."""
    assert ask.die is not None
    if len(faces) > ask.count:
        raise BadInput.of(ask.label, f"needs {ask.count} dice; got {len(faces)}.")
    missing = ask.count - len(faces)
    return write_throw(Throw(ask, (*faces, *fresh_luck().throw(ask.die, missing)), missing))


def _count(ask: Ask, text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,7}", text.strip()):
        raise BadInput.of(ask.label, f"needs a count such as 3; got {text[:40]!r}.")
    return int(text)


def _without_marks(text: str) -> str:
    """Return the text, without the signs that separate answers and dice in an address."""
    return text.replace(";", " ").replace("~", " ").strip()


def _needs(ask: Ask) -> str:
    if ask.kind == "choose":
        return "an option"
    if ask.kind == "direction":
        return "a bearing from 0 to 360 degrees"
    return f"{ask.count} dice" if ask.count > 1 else "a die"


def _rest(text: str) -> Rest:
    if text not in RESTS:
        raise BadInput.of("_rest", f"must be one of this, dice, all; got {text[:40]!r}.")
    return RESTS[text]  # type: ignore[return-value]


def _play(asked: AskedQuestion, tape: Path) -> Any:
    return roll_on(asked.ruleset, asked.question, asked.inputs, asked.rulings, tape)


def _shown(asked: AskedQuestion, tape: Table, reply_form: ReplyForm, seconds: float) -> Reply:
    """Return the table as it stands; a browser is redirected to the address that holds all of it."""
    rolled, waits = _play(asked, tape)
    kept = {name: asked.sent.page.get(name) for name in ("luck", "again")}
    own = {name for name in asked.sent.page if OURS.fullmatch(name)} - {"answers", "luck", "again"}
    address = own_address(asked, "/dice", answers=tape.text, **(kept if not own else {"luck": kept["luck"]}))
    is_told = tape.is_told and not own and asked.sent.page.get("answers", "") == tape.text
    if reply_form == "page" and not is_told:
        return Reply(b"", status=303, headers={"Location": address, "Cache-Control": "no-store"})
    odds = odds_behind(asked, seconds) if waits is None else None
    shown = _table(asked, tape, own_address(asked, "/dice", answers=tape.text))
    if waits is None:
        shown |= roll_shown(asked, rolled, tape.throws, odds)
    else:
        shown |= {"stages": _stages(asked, rolled, tape), "boxes": _boxes(asked, tape, waits)}
    body = render("dice_part.html" if reply_form == "part" else "dice.html", **shown)
    whole = waits is not None or is_known(odds)
    return Reply(body, address=address, cut=not whole and "luck" in asked.sent.page, keep=whole and is_told)


def _table(asked: AskedQuestion, tape: Table, address: str) -> dict[str, Any]:
    """Return what every state of the table shows."""
    kept = [(f"_{name}", value) for name, value in asked.sent.page.items() if not OURS.fullmatch(name) and value]
    hidden = [
        (name, text) for name, value in asked.said.items() for text in (value if isinstance(value, list) else [value])
    ]
    changes = {at: own_address(asked, "/dice", answers=tape.before(at)) for at in range(len(tape.throws))}
    return {
        "asked": asked,
        "plays": not _has_dice(asked),
        "address": address,
        "seed": "",
        "typed": True,
        "inputs": asked.input_texts,
        "rolled": None,
        "boxes": None,
        "stages": (),
        "hidden": [*hidden, *kept, ("_answers", tape.text)],
        "action": asked.address("/dice").partition("?")[0],
        "changes": changes,
        "back": _back(asked, tape),
        "spare": sum(throw.ask.count for _, throws in tape.hand.held() for throw, _ in throws),
        "sent": _typed_before(asked.sent.page.get("again", "")),
        "trouble": None,
        "links": {
            "again": own_address(asked, "/roll"),
            "dice": own_address(asked, "/dice"),
            "odds": own_address(asked),
            "luck": "",
        },
    }


def _back(asked: AskedQuestion, tape: Table) -> str:
    """Return the address of the last question again, with its dice in the boxes, so that one of them can be
    corrected.
    """
    if not tape.texts:
        return ""
    again = tape.texts[-1] if tape.throws[-1].ask.die else None  # a decision is simply taken anew
    return own_address(asked, "/dice", answers=";".join(tape.texts[:-1]), again=again)


def _typed_before(text: str) -> dict[str, str]:
    """Return the dice of an answer by the names of their boxes; those that the page rolled stay out."""
    typed = [part.partition("~")[0].split() for part in split_pools(text)]
    size = max(len(part.replace("~", " ").split()) for part in split_pools(text))
    return {f"d{pool * size + at}": face for pool, faces in enumerate(typed) for at, face in enumerate(faces)}


def _has_dice(asked: AskedQuestion) -> bool:
    """Return whether dice or bearings are asked for at all; a game of decisions alone is played, not rolled."""
    tape = Table((), "all")
    _play(asked, tape)
    return any(throw.ask.kind != "choose" for throw in tape.throws)


def _stages(asked: AskedQuestion, rolled: Roll, tape: Table) -> tuple[StageView, ...]:
    return stage_views(rolled.played, tape.throws)


def _boxes(asked: AskedQuestion, tape: Table, ask: Ask) -> BoxesView:
    return boxes_view(ask, _together(asked, tape, ask))


def _in_trouble(asked: AskedQuestion, tape: Table, error: BadInput, sent: Mapping[str, str]) -> Reply:
    """Return the boxes as they were filled in, with what does not fit."""
    again = Table(tape.texts)
    rolled, waits = _play(asked, again)
    assert waits is not None
    shown = _table(asked, again, own_address(asked, "/dice", answers=again.text))
    boxes = _boxes(asked, again, waits)
    sentences = [ErrorLine(capital(line.text), line.clauses) for line in error.lines()]
    trouble = {"title": error_replies.TITLES[422], "sentences": sentences, "field": ""}
    shown |= {"stages": _stages(asked, rolled, again), "boxes": boxes, "sent": sent, "trouble": trouble}
    return Reply(render("dice.html", **shown), status=422)
