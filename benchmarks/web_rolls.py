"""The same page answered as other calculators do it: by 10,000 rolls for every value of a slider.

`python -m benchmarks.web_rolls PORT` serves it; everything but the odds is the same server and the same page.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

import msgspec

from battletape.answer import Answer, sample
from battletape.inputs import Inputs
from battletape.system import Question, Ruleset
from battletape.web import worker
from battletape.web.app import create_app
from battletape.web.limits import Limits
from battletape.web.pages import asking

ROLLS = 10_000
PATIENT = Limits(quick=60.0, patient=60.0, grace=60.0, queue=60.0)
"""Rolls keep to no budget; nobody is to be sent away for that."""


def by_rolls(ruleset: Ruleset, question: Question, inputs: Inputs, rulings: Inputs, **budget: Any) -> Answer:
    """Answer a question by rolls, always the same ones."""
    return sample(ruleset, question, given_of(inputs, rulings), ROLLS, seed=1)


def given_of(inputs: Inputs, rulings: Inputs) -> Mapping[str, Any]:
    """Return inputs and rulings that were read as they may be given again."""
    return {**msgspec.to_builtins(inputs), **msgspec.to_builtins(rulings)}


def main() -> None:
    """Serve, or be a worker of that server."""
    vars(asking)["ask_read"] = by_rolls
    if sys.argv[1:] == ["worker"]:
        worker.main()
        return
    import uvicorn

    command = (sys.executable, "-m", "benchmarks.web_rolls", "worker")
    app = create_app(PATIENT, 2, lambda: print("Battletape is there", flush=True), command)
    uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="warning", access_log=False)


if __name__ == "__main__":
    main()
