"""How the measures of a skirmish are seen in its state, before and after a shot."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.toy.turn import Fighter, Skirmish, the


def of_target(read: Callable[[Fighter, Fighter], Any]) -> Callable[[Skirmish, Any, Skirmish], Any]:
    """Something about the target, before and after."""
    return lambda before, shot, after: read(the(before, shot.target), the(after, shot.target))


SEEN = {
    "lost": of_target(lambda was, now: was.wounds - now.wounds),
    "fallen": of_target(lambda was, now: not now.wounds),
    "pinned": of_target(lambda was, now: NotImplemented if was.pinned else now.pinned),
}
