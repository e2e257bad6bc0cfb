"""A player's own profiles in an address: `_own` holds the TOML of those in use, so that a link carries them."""

from __future__ import annotations

from msgspec.structs import replace

from battletape import registry
from battletape.errors import BadInput
from battletape.inputs import Inputs
from battletape.system import Ruleset
from battletape.views.own_profiles import used_list, with_own
from battletape.web.forms import Pairs, Sent

OWN = "own"


def own_card(card: Ruleset, pairs: Pairs) -> Ruleset:
    """Return the system with the profiles of the address; raises BadInput if they do not fit."""
    text = own_text(pairs)
    return with_own(card, text) if text else card


def own_text(pairs: Pairs) -> str:
    """Return the profiles of the address, as TOML."""
    return next((value for name, value in reversed(pairs) if name == f"_{OWN}"), "").strip()


def kept_own(card: Ruleset, sent: Sent, inputs: Inputs) -> Sent:
    """Return what was sent, with only those profiles that the question uses."""
    text = sent.page.get(OWN, "")
    if not text.strip():
        return sent
    used = used_list(text, inputs)
    try:
        with_own(card, used)
    except BadInput:  # something else of the list is needed as well
        used = text
    return replace(sent, page={**{key: value for key, value in sent.page.items() if key != OWN}, **_own_given(used)})


def used_card(card: Ruleset, sent: Sent) -> Ruleset:
    """Return the system with only those profiles that the question uses; the browser offers the others of the list."""
    known, text = registry.ruleset(card.name), sent.page.get(OWN, "")
    return with_own(known, text) if text else known


def _own_given(used: str) -> dict[str, str]:
    return {OWN: used} if used else {}


def mended_own(card: Ruleset, pairs: Pairs) -> tuple[Ruleset, dict[str, str]]:
    """Return the system with these profiles, and what to tell the page about them; without them if they do not fit."""
    try:
        return own_card(card, pairs), _own_given(own_text(pairs))
    except BadInput:
        return card, {}
