"""Memory: what is kept of earlier answers, and when it is forgotten.

Answers come quickly because sub-results are kept: kernels of rules in the memo of each ruleset, readings of dice and
the like in caches of functions. Each of them holds a bounded number of things, but things differ in size, so there is
one bound on all of them together: `BLOCKS` of memory more than after the last forgetting. A process that asks questions
for hours looks at it now and then, and forgets everything that can be worked out again.
"""

from __future__ import annotations

import sys
from functools import _lru_cache_wrapper
from itertools import count
from types import ModuleType
from typing import Any, Generic, TypeVar
from weakref import WeakValueDictionary

MAX_NEW_BLOCKS = 1_000_000
"""How many blocks of memory, of some 90 bytes each, may be added before everything is forgotten; a whole collection of
garbage then takes a quarter of a second."""
CHECK_EVERY = 16
"""After how many questions the blocks are counted: it takes as long as a small question."""
MAX_BOOK_ENTRIES = 32
"""A cache that holds no more than this many entries holds books, not results, and is never forgotten."""
K = TypeVar("K")
V = TypeVar("V")


class Kept(dict[K, V], Generic[K, V]):
    """Things worked out before, by what they were worked out from; forgets all of them when it holds too many."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most

    def keep(self, key: K, value: V) -> V:
        """Remember something."""
        if len(self) >= self.most:
            self.clear()
        self[key] = value
        return value


M = TypeVar("M", bound=Kept[Any, Any])
_lasting: WeakValueDictionary[int, Kept[Any, Any]] = WeakValueDictionary()
_packages = {"battletape"}
_asked = count(1)
_floor = [0]  # blocks after the last forgetting


def lasting(kept: M) -> M:
    """Return what is kept as long as the process lives, so that `forget` finds it."""
    _lasting[id(kept)] = kept
    return kept


def caches_in(package: str) -> None:
    """Make the caches of a package known, so that `forget` finds them."""
    _packages.add(package.partition(".")[0])


def stay_small() -> None:
    """Forget what was worked out before, if it has become too much; called before a question is worked out."""
    if next(_asked) % CHECK_EVERY:
        return
    blocks = sys.getallocatedblocks()
    _floor[0] = min(_floor[0], blocks) or blocks
    if blocks - _floor[0] > MAX_NEW_BLOCKS:
        forget()


def forget() -> None:
    """Forget everything that can be worked out again; what was read from files stays."""
    for kept in list(_lasting.values()):
        kept.clear()
    for cache in caches():
        cache.cache_clear()  # what its results keep themselves goes with them
    _floor[0] = sys.getallocatedblocks()


def caches() -> list[_lru_cache_wrapper[Any]]:
    """Return the caches of results in all known packages, without those of books."""
    modules = [module for name, module in sys.modules.copy().items() if name.partition(".")[0] in _packages]
    found: dict[int, _lru_cache_wrapper[Any]] = {}
    for module in modules:
        if isinstance(module, ModuleType):
            for thing in list(vars(module).values()):
                if type(thing) is _lru_cache_wrapper:
                    found[id(thing)] = thing
    return [cache for cache in found.values() if (cache.cache_info().maxsize or 0) > MAX_BOOK_ENTRIES]


def entries() -> int:
    """Return how many things are kept in all."""
    kept = sum(len(kept) for kept in list(_lasting.values()))
    return kept + sum(cache.cache_info().currsize for cache in caches())
