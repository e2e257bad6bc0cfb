"""Stages that roll what befalls a state and then fold it, as a burst of fire does; the odds are the same.

The roll knows nothing of whom it befalls, so the exact reader works it out once, and then folds all states together
over what came: a burst of ten hits goes on from where the burst of nine ended.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import wraps
from typing import TYPE_CHECKING, Any, NamedTuple

from battletape.tape import Rule, Tape
from battletape.tape.folds import cited, one_more
from battletape.tape.kernel import Kernel

if TYPE_CHECKING:
    from battletape.tape.exact import Exact

Items = tuple[Hashable, ...]


class Aimed(NamedTuple):
    """A state taken apart: what stays as it is, what the step works on, the step, and what the luck is given."""

    rest: Hashable
    inner: Hashable
    step: Rule
    given: tuple[Hashable, ...]


class Volley(NamedTuple):
    """How a stage goes where it is a volley."""

    aimed: Callable[[Any], Aimed | None]  # None: this time it is something else
    luck: Rule  # (tape, *given) -> what came
    items: Callable[[Any], Items]  # what the step is folded over
    closed: Callable[[Any, Any], Callable[[Any], Any]]  # (what stays, what came) -> what the step made -> state


def volleying(volley: Volley) -> Callable[[Rule], Rule]:
    """A stage from what it does where it is no volley."""

    def make(otherwise: Rule) -> Rule:
        @wraps(otherwise)
        def stage(tape: Tape, state: Any) -> Any:
            aimed = volley.aimed(state)
            if aimed is None:
                return otherwise(tape, state)
            came = tape.call(volley.luck, *aimed.given)
            items = volley.items(came)
            after = tape.each(aimed.step, aimed.inner, items) if items else aimed.inner
            return volley.closed(aimed.rest, came)(after)

        stage.__volley__ = volley  # type: ignore[attr-defined]
        return stage

    return make


def volley_together(
    reader: Exact, stage: Rule, volley: Volley, now: dict[Any, int], total: int
) -> list[tuple[Kernel, dict[Any, int]]]:
    """A stage for all states at once: a kernel for each part that stays as it is and for what is no volley."""
    groups: dict[Aimed, dict[Any, int]] = {}
    found: list[tuple[Kernel, dict[Any, int]]] = []
    for state, weight in now.items():
        aimed = volley.aimed(state)
        if aimed is None:
            kernel = reader.outcomes(stage, state)
            after = {one: weight * ways for one, ways in kernel.results.items()}
            found.append((Kernel(after, total * kernel.total, 0, *_about(kernel)), after))
        else:
            group = groups.setdefault(aimed._replace(inner=None), {})
            group[aimed.inner] = group.get(aimed.inner, 0) + weight
    for aimed, group in groups.items():
        found += _fired(reader, stage, volley, aimed, Kernel(group, total, branches=0))
    return found


def _fired(
    reader: Exact, stage: Rule, volley: Volley, aimed: Aimed, group: Kernel
) -> list[tuple[Kernel, dict[Any, int]]]:
    """What each roll makes of a group of states that differ only in what the step works on."""
    luck, clauses = reader.outcomes(volley.luck, *aimed.given), getattr(stage, "__clauses__", ())[:1]
    folded: dict[Items, Kernel] = {(): group}
    found: list[tuple[Kernel, dict[Any, int]]] = []
    for came, weight in luck.results.items():
        kernel = _folded(reader, aimed.step, volley.items(came), folded)
        close = volley.closed(aimed.rest, came)
        after: dict[Any, int] = {}
        for inner, ways in kernel.results.items():
            state = close(inner)
            after[state] = after.get(state, 0) + ways * weight
        asked = tuple(cited(dict.fromkeys((*luck.asked, *kernel.asked)), clauses))
        about = (asked, luck.chose or kernel.chose, len(after), luck.paths | kernel.paths)
        found.append((Kernel(after, kernel.total * luck.total, 0, *about), after))
    return found


def _folded(reader: Exact, step: Rule, items: Items, folded: dict[Items, Kernel]) -> Kernel:
    """A group of states after these items; what is known of fewer of them is gone on from."""
    size = len(items)
    while items[:size] not in folded:
        size -= 1
    kernel = folded[items[:size]]
    for at in range(size, len(items)):
        kernel = folded[items[: at + 1]] = one_more(reader, step, kernel, items[at])
    return kernel


def _about(kernel: Kernel) -> tuple[Any, ...]:
    return kernel.asked, kernel.chose, kernel.branches, kernel.paths
