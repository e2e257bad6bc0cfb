"""Vectors of second_edition: each question is a function of one of the chapters."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from inspect import isfunction
from pkgutil import iter_modules
from typing import Any

from tests.vectors import second_edition_parts
from tests.vectors.given import Given, known

Said = dict[str, Any]


def adapters() -> Iterator[tuple[str, Callable[[Given], Said]]]:
    """Every function of the chapters that is named after a question."""
    for part in iter_modules(second_edition_parts.__path__):
        module = import_module(f"{second_edition_parts.__name__}.{part.name}")
        for name, found in vars(module).items():
            if isfunction(found) and found.__module__ == module.__name__ and not name.startswith("_"):
                yield name, found


ADAPTERS = dict(adapters())


def answer(vector: dict[str, Any]) -> Said:
    """What the public API says to a vector."""
    return known(ADAPTERS, "question", vector["question"])(vector["given"])
