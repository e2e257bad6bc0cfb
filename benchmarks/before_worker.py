"""One version of the project in a process of its own: answers questions as it is told to, and says how long it took.

`python benchmarks/before_worker.py` with PYTHONPATH on the sources of that version. It knows only what every version
since the page has: the jobs of a worker and `ruleset.ask`.
"""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Callable
from functools import _lru_cache_wrapper
from time import process_time
from typing import Any

from battletape.registry import ruleset
from battletape.web import jobs
from battletape.web.jobs import Job

KEPT = ("d", "_die", "fields", "read_clauses", "_own_book")  # what dice, types and files are: once in a process
BUDGET = 10.0


def main() -> None:
    """A line of JSON in, a line of JSON out."""
    jobs.load()
    for line in sys.stdin:
        print(json.dumps(DOINGS[(told := json.loads(line)).pop("do")](**told)), flush=True)


def forget(name: str) -> None:
    """Empty the memo and every cache of the rules."""
    ruleset(name).memo.clear()
    for home, module in list(sys.modules.items()):
        if home.partition(".")[0] == "battletape":
            for own, found in vars(module).items():
                if isinstance(found, _lru_cache_wrapper) and own not in KEPT:
                    found.cache_clear()


def page(name: str, question: str, pairs: list[list[str]]) -> dict[str, Any]:
    """The answer part of a page, as a slider asks for it."""
    given = {"ruleset": name, "question": question, "pairs": [tuple(pair) for pair in pairs]}
    gc.collect()
    gc.disable()
    began = process_time()
    reply = jobs.run(Job("question_page", "part", given), BUDGET)
    took = process_time() - began
    gc.enable()
    return {"seconds": took, "status": reply.status}


def cold(name: str, question: str, given: dict[str, Any]) -> dict[str, Any]:
    """A question worked out with nothing kept from before."""
    forget(name)
    gc.collect()
    gc.disable()
    began = process_time()
    ruleset(name).ask(question, **given)
    took = process_time() - began
    gc.enable()
    return {"seconds": took}


def odds(name: str, question: str, given: dict[str, Any]) -> dict[str, Any]:
    """Every measure that is told, as fractions."""
    answer = ruleset(name).ask(question, **given)
    told = {
        measure.name: answer.odds(measure.name) for measure in getattr(answer, "measures", answer.question.measures)
    }
    return {
        "exact": not answer.states.unexplored_weight,
        "measures": {
            name: {repr(value): str(share) for value, share in found.fractions().items()}
            for name, found in told.items()
        },
    }


DOINGS: dict[str, Callable[..., dict[str, Any]]] = {"page": page, "cold": cold, "odds": odds}

if __name__ == "__main__":
    main()
