"""`python -m tests.smoke`: whether it works at all on this Python: every example is asked, every battle makes a move.

Nothing but what players install is needed, so that any Python with the packages of requirements/run.txt can do it. What
Python warns of in our own code (names that a later version has no more) counts as a failure.
"""

from __future__ import annotations

import importlib
import platform
import sys
import traceback
import warnings
from collections.abc import Iterator

DOORS = ("battletape", "battletape.cli", "battletape.web.app", "battletape.web.worker", "battletape.sheets.typeset")


def checks() -> Iterator[str]:
    """Each thing that works, in a word; what does not work raises."""
    for door in DOORS:
        importlib.import_module(door)
        yield "import"
    from battletape import registry
    from battletape.battle import Battle
    from battletape.tape.rolled import Rolled

    for name in registry.names():
        card = registry.ruleset(name)
        for question in card.questions:
            answer = card.ask(question.name, **question.example)
            if not str(answer).strip():
                raise AssertionError(f"{name} {question.name} has nothing to say")
            yield "example"
        battle = Battle.new(name)
        before = battle.state
        battle.push(battle.legal()[0], tape=Rolled(1))
        battle.pop()
        if battle.state != before:
            raise AssertionError(f"{name}: a move taken back leaves something behind")
        yield "battle"


def main() -> int:
    """Say how much works, or what does not."""
    python = f"Python {platform.python_version()}"
    warnings.filterwarnings("error", category=DeprecationWarning, module="battletape")
    warnings.filterwarnings("error", category=PendingDeprecationWarning, module="battletape")
    done: list[str] = []
    try:
        done.extend(checks())
    except Exception:
        traceback.print_exc()
        print(f"{python}: failed")
        return 1
    print(f"{python}: {done.count('example')} examples asked, {done.count('battle')} battles moved")
    return 0


if __name__ == "__main__":
    sys.exit(main())
