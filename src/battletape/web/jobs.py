"""Jobs: what a worker does, by name; every job gives a Reply, even if it is an error."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from typing import Any, Literal, TypeVar
from urllib.parse import parse_qsl, urlsplit

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from battletape.errors import BattletapeError, BudgetSpent, own_name

ReplyForm = Literal["page", "part", "api"]
"""The form of a reply: a page, a part of a page for htmx, or JSON for a program."""
BEGUN, COLD = b"begun", b"cold"
"""What a worker says when it begins a job: that it has loaded all systems, or not yet."""
HTML = "text/html; charset=utf-8"
JSON = "application/json"


class Job(Struct, frozen=True, array_like=True):
    """Work for a worker: the name of a function of JOBS and what it is given besides the seconds it has."""

    name: str
    reply_form: ReplyForm
    given: dict[str, Any]


class Reply(Struct, frozen=True, array_like=True):
    """What goes back; `cut` means that more time would give more, `keep` that the reply may be used again."""

    body: bytes
    type: str = HTML
    status: int = 200
    headers: dict[str, str] = {}
    address: str = ""  # the question in the fewest words, for the address bar
    cut: bool = False
    keep: bool = False
    found: bytes = b""  # what is worked out so far of something that goes on in another job; it is given to that one


Work = TypeVar("Work", bound=Callable[..., Reply])
JOBS: dict[str, Callable[..., Reply]] = {}


class NotHere(BattletapeError):
    """There is no such page; the message says so, and `ways` lead to what there is: titles with their addresses.

    Programs are told the `names` instead, by which they ask.
    """

    def __init__(self, message: str, ways: Sequence[tuple[str, str]] = (), names: str = "") -> None:
        super().__init__(message)
        self.ways, self.names = tuple(ways), names


class Unreadable(BattletapeError):
    """What came cannot be read at all; the message says what would do."""


def job(work: Work) -> Work:
    """Make a function known to the workers by its name: `@job def answer(*, seconds, reply_form, …) -> Reply`."""
    JOBS[work.__name__] = work
    return work


def run(job: Job, seconds: float) -> Reply:
    """Do a job; an error becomes a Reply too."""
    from battletape.web import error_replies
    from battletape.web.error_wording import titles_for

    try:
        return JOBS[job.name](seconds=seconds, reply_form=job.reply_form, **job.given)
    except BudgetSpent as error:
        return replace(error_replies.reply(error, job.reply_form), cut=True)
    except BattletapeError as error:
        called = own_name if job.reply_form == "api" else titles_for(job.given)
        return error_replies.reply(error, job.reply_form, called)
    except RecursionError:
        return error_replies.reply(
            BattletapeError("the question is nested too deeply; ask a smaller one"), job.reply_form
        )
    except MemoryError:
        return error_replies.too_large(job.reply_form)
    except (Exception, SystemExit):  # a rule of another package may try to end everything
        print(f"job {job.name} failed", file=sys.stderr)
        traceback.print_exc()
        return error_replies.our_fault(job.reply_form)


def load() -> None:
    """Import every module that has jobs."""
    import battletape.web.api
    import battletape.web.pages  # noqa: F401


def first_questions() -> Iterator[Job]:
    """Return the example of every question of ours, the first ones first; then the pages that lead to them.

    Each is asked as its example, because a bare address only leads there. Each is short, because a player's question
    waits until the one before it is done. Rulesets of other packages are left to their clients: a rule of theirs
    that hangs or ends the process would do so to every worker, before any question was asked of it.
    """
    from battletape import registry
    from battletape.views.front_page import example_given
    from battletape.web.forms import write_address

    cards = [registry.ruleset(name) for name in registry.OURS]
    for at, places in enumerate(zip_longest(*(card.questions for card in cards))):
        for card, question in zip(cards, places, strict=True):
            if question is not None:
                address = write_address(card.name, question.name, example_given(card, question.name))
                pairs = parse_qsl(urlsplit(address).query, keep_blank_values=True)
                yield Job("question_page", "page", {"ruleset": card.name, "question": question.name, "pairs": pairs})
        if at == 0:
            yield from (Job("system_page", "page", {"ruleset": card.name}) for card in cards)
            yield Job("home_page", "page", {})
            yield Job("search_page", "part", {"words": "armour"})


encode = msgspec.msgpack.Encoder().encode
decode_job = msgspec.msgpack.Decoder(tuple[Job, float]).decode
decode_greeting: Callable[[bytes], dict[str, str] | str] = msgspec.msgpack.Decoder(dict[str, str] | str).decode
decode_reply = msgspec.msgpack.Decoder(tuple[Reply, float]).decode
