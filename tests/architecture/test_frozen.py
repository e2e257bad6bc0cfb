"""Types whose values can be changed are found."""

from __future__ import annotations

import msgspec

from battletape.conformance.sources import is_frozen


def test_what_can_be_changed_is_found():
    class Loose(msgspec.Struct):
        hp: int

    class Fixed(msgspec.Struct, frozen=True):
        hp: int

    class Plain:
        hp = 1

    assert [is_frozen(kind) for kind in (Loose, Fixed, Plain)] == [False, True, False]
