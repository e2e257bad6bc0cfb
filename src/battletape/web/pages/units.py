"""A player's own units and weapons: a list in TOML that the device keeps; the server only reads and checks it.

The whole list travels with every request and nothing of it stays here. Without scripts it lives in the text field.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl

import msgspec
from fastapi import APIRouter, Request, Response
from msgspec import Struct
from msgspec.structs import replace

from battletape.errors import BadInput
from battletape.inputs import fields
from battletape.system import Ruleset
from battletape.views.controls import ControlView
from battletape.views.own_form import PREFIX, EntryFault, entry_controls, entry_values, read_entry
from battletape.views.own_profiles import SOURCE, OwnEntry, OwnList, read_list, used_names, with_fitting
from battletape.views.own_text import drop_entry, entries_of, merge_lists, parse_list, put_entry
from battletape.views.profiles import book_view
from battletape.web import error_replies
from battletape.web.forms import Pairs, change_list, gather, write_address
from battletape.web.jobs import NotHere, Reply, ReplyForm, job
from battletape.web.limits import LIMITS
from battletape.web.own_profiles import own_text
from battletape.web.pages.asking import do, find_ruleset, pairs_of, reply_form_of, respond
from battletape.web.rendering import render

router = APIRouter(include_in_schema=False)
TOML = "application/toml; charset=utf-8"
OTHER = "The other list"
MOST_PAIRS = 3_000


class Editor(Struct, frozen=True):
    """The form of one entry; `at` is None for a new one."""

    kind: str
    at: int | None
    title: str
    controls: tuple[ControlView, ...]
    misfits: tuple[EntryFault, ...] = ()
    likes: tuple[str, ...] = ()  # what a new one may start from
    like: str = ""


class ListState(Struct, frozen=True):
    """A list as the page shows it."""

    text: str
    editor: Editor | None = None
    said: str = ""
    before: str | None = None  # the list before something was removed, to put it back
    from_link: bool = False
    saved: str = ""  # the name of the entry that was just saved


@router.get("/{ruleset}/units")
async def units(request: Request, ruleset: str) -> Response:
    """Our profiles, and the player's list: empty, or the one in a link."""
    return await do(request, "units_page", ruleset=ruleset, pairs=pairs_of(request), posted=False)


@router.post("/{ruleset}/units")
async def change_units(request: Request, ruleset: str) -> Response:
    """Reply with the list after a change, checked."""
    pairs = await posted(request)
    if isinstance(pairs, Response):
        return pairs
    return await do(request, "units_page", ruleset=ruleset, pairs=pairs, posted=True)


@router.post("/{ruleset}/units/file")
async def units_file(request: Request, ruleset: str) -> Response:
    """Reply with the list as a file."""
    pairs = await posted(request)
    if isinstance(pairs, Response):
        return pairs
    return await do(request, "units_export", ruleset=ruleset, pairs=pairs)


@job
def units_page(*, seconds: float, reply_form: ReplyForm, ruleset: str, pairs: Pairs, posted: bool) -> Reply:
    """Reply with the player's own profiles and ours."""
    card = _with_profiles(ruleset)
    sent = dict(pairs)
    if posted:
        state = _change(card, sent, pairs)
    else:
        link = own_text(pairs)
        state = ListState(
            link, said=f"This came with a link: {', '.join(used_names(link))}." if link else "", from_link=bool(link)
        )
    own_list = read_list(card, state.text)
    shown: dict[str, Any] = {
        "card": card,
        "state": state,
        "found": own_list,
        "kinds": tuple(card.book.kinds),
        "kept": _kept(own_list),
        "uses": {(entry.kind, entry.at): _links(card, entry) for entry in own_list.entries},
        "fresh": [
            link for entry in own_list.entries if entry.name == state.saved != "" for link in _links(card, entry)[:3]
        ],
        "wrong": {(trouble.kind, trouble.at) for trouble in own_list.troubles},
    }
    misfit = own_list.troubles or (state.editor and state.editor.misfits)
    status = 422 if misfit else 200
    if reply_form == "part":
        return Reply(render("units_own.html", **shown), status=status)
    return Reply(render("units.html", **shown, ours=book_view(card)), status=status)


@job
def units_export(*, seconds: float, reply_form: ReplyForm, ruleset: str, pairs: Pairs) -> Reply:
    """Reply with the list as it stands, right or wrong."""
    card = _with_profiles(ruleset)
    text = dict(pairs).get("toml", "").replace("\r\n", "\n")
    return Reply(text.encode(), TOML, headers={"Content-Disposition": f'attachment; filename="{card.name}.toml"'})


def _with_profiles(ruleset: str) -> Ruleset:
    card = find_ruleset(ruleset)
    if card.profiles is None:
        raise NotHere(f"{card.title} has no units or weapons by name; its questions take numbers.")
    return card


def _change(ours: Ruleset, sent: Mapping[str, str], pairs: Pairs) -> ListState:
    """Do to the list what a button says."""
    text = sent.get("toml", "").replace("\r\n", "\n").lstrip("\ufeff")
    card = with_fitting(ours, text)  # so that one entry can refer to another
    act, _, rest = sent.get("_do", "").partition(":")
    kind, _, place = rest.partition(":")
    try:
        if act in ("add", "copy", "drop") and rest.startswith(PREFIX):
            given = _given(card, sent, pairs)
            change_list(given, f"{act}:{rest.removeprefix(PREFIX)}")
            return ListState(text, _editor(card, sent["kind"], _number(sent.get("at", "")), given))
        if act == "save":
            return _save(ours, card, text, sent, _given(card, sent, pairs))
        if act == "new":
            return ListState(text, _editor(card, _kind(card, kind), None, {}))
        if act == "like":
            entry = card.book.find(_kind(card, kind), place)
            given = {**entry_values(entry), "name": f"My {entry.name}"}
            return ListState(text, replace(_editor(card, kind, None, given), like=entry.name))
        if act in ("edit", "copy", "drop"):
            return _with_entry(card, text, act, _kind(card, kind), place)
        if act == "merge":
            more = sent.get("more", "").replace("\r\n", "\n").lstrip("\ufeff")
            return ListState(
                merge_lists(text, more, SOURCE, OTHER), said=f"Added: {', '.join(used_names(more)) or 'nothing'}."
            )
        if act == "undo":
            return ListState(sent.get("before", text).replace("\r\n", "\n"), said="Undone.")
    except BadInput as error:
        return ListState(text, said=str(error))
    return ListState(text)


def _with_entry(card: Ruleset, text: str, act: str, kind: str, place: str) -> ListState:
    """Edit, copy or remove an entry: the one of this name, or at this place if it has no name."""
    number, _, name = place.partition(":")
    entries = entries_of(parse_list(text, SOURCE), kind)
    names = [str(entry.get("name", "")) if isinstance(entry, Mapping) else "" for entry in entries]
    at = names.index(name) if name and names.count(name) == 1 else _number(number)
    if at is None or at >= len(entries):
        raise BadInput(f"there is no {kind} {name or number!r} in your list any more.")
    if act == "drop":
        return ListState(drop_entry(text, kind, at, SOURCE), said=f"Removed: {names[at] or kind}.", before=text)
    given = entries[at] if isinstance(entries[at], Mapping) else {}
    if act == "copy":
        return ListState(text, _editor(card, kind, None, {**given, "name": f"{names[at]} 2"}))
    return ListState(text, _editor(card, kind, at, given))


def _save(ours: Ruleset, card: Ruleset, text: str, sent: Mapping[str, str], given: dict[str, Any]) -> ListState:
    """Return the list with the entry of the form, if it fits."""
    kind, at = _kind(card, sent.get("kind", "")), _number(sent.get("at", ""))
    values, misfits = read_entry(card, kind, given)
    if not misfits:
        changed = put_entry(text, kind, at, values, SOURCE)
        place = at if at is not None else len(entries_of(parse_list(changed, SOURCE), kind)) - 1
        troubles = [
            trouble for trouble in read_list(ours, changed).troubles if (trouble.kind, trouble.at) == (kind, place)
        ]
        if not troubles:
            return ListState(changed, said=f"Saved: {values['name']}.", saved=str(values["name"]))
        misfits = tuple(EntryFault("", trouble.reason) for trouble in troubles)
    return ListState(text, _editor(card, kind, at, given, misfits))


def _editor(
    card: Ruleset, kind: str, at: int | None, given: Mapping[str, Any], misfits: tuple[EntryFault, ...] = ()
) -> Editor:
    name = str(given.get("name", ""))
    title = f"New {kind}" if at is None else f"Change {name or kind}"
    likes = tuple(card.book.entries[kind]) if at is None else ()
    return Editor(kind, at, title, entry_controls(card, kind, given), misfits, likes)


def _given(card: Ruleset, sent: Mapping[str, str], pairs: Pairs) -> dict[str, Any]:
    """Return the values of the form of an entry."""
    known = {field.name: field for field in fields(card.book.kinds[_kind(card, sent.get("kind", ""))])}
    inner = [(name.removeprefix(PREFIX), value) for name, value in pairs if name.startswith(PREFIX)]
    return gather(inner, known)


def _kind(card: Ruleset, kind: str) -> str:
    if kind not in card.book.kinds:
        raise BadInput.of("kind", f"must be one of {', '.join(card.book.kinds)}; got {kind[:40]!r}.")
    return kind


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else None


def _kept(own_list: OwnList) -> str:
    """Return what the device keeps for each entry besides the text: where it can be picked, and its TOML."""
    kept = [
        {
            "kind": entry.kind,
            "name": entry.name,
            "toml": entry.toml,
            "fits": [f"{use.question}:{'.'.join(use.path)}" for use in entry.uses],
        }
        for entry in own_list.entries
        if entry.profile is not None
    ]
    return msgspec.json.encode(kept).decode()


def _links(card: Ruleset, entry: OwnEntry) -> list[tuple[str, str]]:
    """Return the questions that take an entry, each with the address that asks it."""
    links: dict[str, tuple[str, str]] = {}
    for use in entry.uses:
        address = write_address(card.name, use.question, use.given, {"own": entry.toml})
        if len(address) < LIMITS.query:
            links.setdefault(use.question, (use.title, address))
    return list(links.values())


async def posted(request: Request) -> list[tuple[str, str]] | Response:
    """Return the pairs of a form, or why there are none."""
    parts: list[bytes] = []
    size, most = 0, 4 * LIMITS.upload
    async for part in request.stream():
        size += len(part)
        if size > most:
            break
        parts.append(part)
    try:
        text = b"".join(parts).decode("ascii", "replace")
        pairs = parse_qsl(text, keep_blank_values=True, errors="replace", max_num_fields=MOST_PAIRS)
    except ValueError:
        sentence = f"a form may have at most {MOST_PAIRS:,} values; this one has more."
        return respond(request, error_replies.error_reply(413, sentence, reply_form_of(request)))
    if size > most or any(len(value.encode()) > LIMITS.upload for _, value in pairs):
        sentence = f"a list may have at most {LIMITS.upload:,} bytes; this one is larger."
        return respond(request, error_replies.error_reply(413, sentence, reply_form_of(request)))
    return pairs
