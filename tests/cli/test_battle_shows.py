"""How a battle is shown: nothing that says nothing, spent weapons as spent, and what merely stood."""

from __future__ import annotations

import re

import pytest


@pytest.mark.parametrize("columns", ["40", "80"])
@pytest.mark.parametrize("system", ["attack_dice", "vehicles5", "diceless40k", "second_edition", "deathwatch"])
def test_there_are_no_stray_signs(bt, system, columns):
    bt("battle", "new", system)
    told = bt("battle", "show", COLUMNS=columns).stdout
    assert not re.search(r"^\s*-\s*$|state:?\s*$(?!\n\s)|· -( |$)", told, re.MULTILINE), told
    assert "notes -" not in told


def test_a_vehicle_that_stood_is_not_called_immobile(bt):
    bt("battle", "new", "diceless40k")
    told = bt("battle", "show").stdout
    assert "immobile" not in told
    assert "stood still" in " ".join(told.split())
