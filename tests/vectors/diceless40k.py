"""Vectors of diceless40k: every calculation as what a player asks, with the choices of the vector made on the tape."""

from __future__ import annotations

from typing import Any

from tests.vectors.diceless40k_parts import closely, morale, moving, shooting, tokens, vehicles
from tests.vectors.given import Given, known

CALCULATIONS = {
    name: calculation
    for chapter in (shooting, closely, morale, moving, tokens, vehicles)
    for name, calculation in vars(chapter).items()
    if getattr(calculation, "__module__", "") == chapter.__name__ and not name.startswith("_")
}


def answer(vector: dict[str, Any]) -> dict[str, Any]:
    """What the ruleset says to a vector."""
    given: Given = vector["given"]
    said: dict[str, Any] = known(CALCULATIONS, "question", vector["question"])(given)
    return said
