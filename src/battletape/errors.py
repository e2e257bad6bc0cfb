"""What Battletape says when something does not fit: what was asked, what came, what would do."""

from __future__ import annotations

from collections.abc import Iterable


class BattletapeError(Exception):
    """Any trouble that a sentence can explain; the message is meant for the person at the table."""


class BadInput(BattletapeError):
    """An input does not fit: the message names the field, what it wants and what came."""

    def __init__(self, message: str, *, field: str = "", source: str = "") -> None:
        super().__init__(f"{source}: {message}" if source else message)
        self.message = message
        self.field = field
        self.source = source


class UnknownName(BadInput):
    """A name that nobody knows, with the nearest one that exists."""

    def __init__(self, kind: str, name: object, known: Iterable[str], *, source: str = "") -> None:
        names = list(known)
        self.name = str(name)
        self.nearest = nearest(self.name, names)
        hint = f" Did you mean {self.nearest!r}?" if self.nearest else ""
        listed = f" Known: {', '.join(names)}." if names and len(names) <= 24 else ""
        super().__init__(f"there is no {kind} {self.name!r}.{hint}{listed}", field=kind, source=source)


class Refused(BattletapeError):
    """An action that the rules do not allow now, with the reason and the clause."""

    def __init__(self, reason: str, clause: str = "", kind: str = "") -> None:
        super().__init__(f"{reason} ({clause})" if clause else reason)
        self.reason = reason
        self.clause = clause
        self.kind = kind  # a short word for programs: range, line_of_sight


class BudgetSpent(BattletapeError):
    """The question is too large for the budget given."""


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name most like the one that came, if any is like it."""
    from difflib import get_close_matches  # only where something went wrong

    by_lower = {one.lower(): one for one in known}
    found = get_close_matches(name.lower(), by_lower, n=1, cutoff=0.5)
    return by_lower[found[0]] if found else None
