"""Every type a ruleset makes is frozen: states, inputs and profiles are values."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import is_dataclass
from enum import Enum
from importlib import import_module
from typing import Any

import msgspec
import pytest

from tests.architecture.sources import files_of, module_name
from tests.conformance.cases import rulesets

every_ruleset = pytest.mark.parametrize("ruleset", rulesets(), ids=lambda ruleset: ruleset.name)


@every_ruleset
def test_types_are_frozen(ruleset):
    found = list(types_of(ruleset))
    assert found
    assert [f"{kind.__module__}.{kind.__qualname__}" for kind in found if not is_frozen(kind)] == []


@every_ruleset
def test_the_battle_state_is_a_frozen_struct(ruleset):
    if ruleset.battle is not None:
        assert issubclass(ruleset.battle.state, msgspec.Struct)
        assert is_frozen(ruleset.battle.state)
        assert is_frozen(ruleset.battle.start)
        assert all(is_frozen(action.inputs) for action in ruleset.battle.actions)


def types_of(ruleset: Any) -> Iterator[type]:
    """The classes that the modules of a ruleset define."""
    for path in files_of(ruleset):
        module = import_module(module_name(ruleset.package, path))
        for _, kind in inspect.getmembers(module, inspect.isclass):
            if kind.__module__ == module.__name__:
                yield kind


def is_frozen(kind: type) -> bool:
    """Whether values of this type cannot be changed."""
    if issubclass(kind, msgspec.Struct):
        return bool(kind.__struct_config__.frozen)
    if is_dataclass(kind):
        return bool(kind.__dataclass_params__.frozen)  # type: ignore[attr-defined]
    if getattr(kind, "_is_protocol", False):  # which has no values
        return True
    return issubclass(kind, (str, tuple, Enum, Exception))


def test_what_can_be_changed_is_found():
    class Loose(msgspec.Struct):
        hp: int

    class Fixed(msgspec.Struct, frozen=True):
        hp: int

    class Plain:
        hp = 1

    assert [is_frozen(kind) for kind in (Loose, Fixed, Plain)] == [False, True, False]
