"""The battle: barrages of squads, what the odds of fire count, and weapons named plainly."""

from __future__ import annotations

import pytest

from battletape.errors import BadInput
from battletape.tape.typed import Typed
from tests.vehicles5.battles import battle, machine, squad

GUNS = (squad("Battery", "Harbour battery", 40, 10), machine("Anvil", "Anvil battle tank", 30, 8, 22))
FOES = (machine("Destroyer", "Longwatch destroyer", 40, 34, 180), squad("Watch", "Harbour watch", 10, 42, 180))


@pytest.mark.clause("V5-SHOT-8")
def test_a_barrage_of_a_squad_that_stays_on_the_hull_strikes_the_side():
    one = battle(GUNS, FOES)
    one.push("end_phase")
    one.push("shoot_unit", unit="Battery", target="Destroyer", weapons="Mortar", tape=Typed(["hit", "6"]))
    needed = [line.needed for line in one.tell(2).lines if "penetration" in line.question]
    assert needed == ["glance 7, penetrate 8+"]  # S4 against its side of 11, not its front of 13


def test_the_odds_of_fire_at_a_machine_count_no_models_of_squads():
    one = battle(GUNS, FOES)
    one.push("end_phase")
    answer = one.odds("fire", unit="Anvil", target="Destroyer", guns="Lascannon")
    assert answer.odds("casualties").chance(0) == 1
    assert answer.odds("destroyed").chance(1) > 0


def test_weapons_are_named_plainly_or_in_full():
    one = battle(GUNS, FOES)
    one.push("end_phase")
    plain = one.odds("fire", unit="Anvil", target="Destroyer", guns="Lascannon")
    full = one.odds("fire", unit="Anvil", target="Destroyer", guns=[{"gun": "Lascannon"}])
    assert plain.odds("result") == full.odds("result")
    with pytest.raises(BadInput, match="Lascanon"):
        one.odds("fire", unit="Anvil", target="Destroyer", guns="Lascanon")


def test_standing_still_is_told():
    one = battle(GUNS, FOES)
    one.push("stand", unit="Anvil")
    assert [line.text for line in one.tell(1).lines] == ["Anvil stays where it is."]
