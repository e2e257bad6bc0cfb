"""Vectors of deathwatch: each question is a function of one of the parts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from inspect import isfunction
from pkgutil import iter_modules
from typing import Any

from tests.vectors import deathwatch_parts
from tests.vectors.given import Given, known

Answers = dict[str, Any]


def adapters() -> Iterator[tuple[str, Callable[[Given], Answers]]]:
    """Every function of the parts that is named after a question."""
    for part in iter_modules(deathwatch_parts.__path__):
        module = import_module(f"{deathwatch_parts.__name__}.{part.name}")
        for name, found in vars(module).items():
            if isfunction(found) and found.__module__ == module.__name__ and not name.startswith("_"):
                yield name, found


ADAPTERS = dict(adapters())


def answer(vector: dict[str, Any]) -> Answers:
    """What the public API says to a vector; `asked` are the numbers that it wants a chance for."""
    given = vector["given"]
    given.add(asked={key: list(value) for key, value in vector["expect"].items() if isinstance(value, dict)})
    return known(ADAPTERS, "question", vector["question"])(given)
