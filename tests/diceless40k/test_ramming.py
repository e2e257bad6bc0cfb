"""Rams: Strength of both blows, and what they do."""

from __future__ import annotations

import pytest

from battletape.errors import BadInput
from battletape.procedure import fold
from battletape.rulesets.diceless40k.rules.damage_rows import DamageSheet
from battletape.rulesets.diceless40k.rules.ramming import RAM, Rammer, ram_of, ram_packets, refuse_ram
from battletape.rulesets.diceless40k.rulings import Rulings
from battletape.tape.script import Script
from tests.diceless40k.vectors import vectors
from tests.diceless40k.wished_options import WishedOptions


@pytest.mark.clause("DL-69.1", "DL-71.1")
@pytest.mark.parametrize("given, expect", vectors("ram"))
def test_vectors_of_rams(given, expect):
    rammer = Rammer(given["rammer_av"], given["rammer_tank"])
    target = Rammer(given["target_av"], given["target_tank"], given["target_skimmer"])
    after = fold(
        RAM, WishedOptions(), ram_of((DamageSheet(("gun",)), DamageSheet(("gun",))), rammer, target, given["inches"])
    )
    for attack, wanted in ((after.target, expect["on_target"]), (after.rammer, expect["on_rammer"])):
        (result,) = attack.packet_results
        assert (result.packet.strength, result.packet.dmg, result.line) == (
            wanted["strength"],
            wanted["dmg"],
            wanted["line"],
        )
        assert (attack.glancing, attack.penetrating) == (wanted["glancing"], wanted["penetrating"])


@pytest.mark.clause("DL-71.1")
@pytest.mark.parametrize("ruling, on_rammer", [("literal", 20), ("both_ten", 10)])
def test_ramming_a_skimmer(ruling, on_rammer):
    rules = Rulings(rammer_skimmer=ruling)
    packets = ram_packets(Rammer(12, True), Rammer(10, skimmer=True), 12, rules)
    assert [(packet.dmg, packet.clause) for packet in packets] == [(10, "DL-71.1"), (on_rammer, "DL-71.1")]
    ground = ram_packets(Rammer(12, True), Rammer(10), 12, rules)
    assert [packet.dmg for packet in ground] == [20, 20]


@pytest.mark.clause("DL-69.1")
def test_each_side_picks_the_weapon_it_destroys():
    hurt = DamageSheet(("cannon", "flamer"), penetrating=(0,))
    ram = ram_of((hurt, hurt), Rammer(10, True), Rammer(10), 18, ("north", "south"))
    assert (ram.target.by, ram.rammer.by) == ("north", "south")
    tape = Script("flamer")
    after = fold(RAM, tape, ram)
    assert tape.used_up
    assert [attack.packet_results[0].packet.strength for attack in (after.target, after.rammer)] == [7, 6]
    assert after.target.damage.weapons_left == ("cannon",)  # 20 on line D: a glance, and a penetrating hit
    assert after.rammer.damage.weapons_left == ("cannon", "flamer")  # 20 on line C: a glance


@pytest.mark.clause("DL-69.1")
def test_who_may_ram():
    assert refuse_ram(("tank",), DamageSheet()) is None
    assert "only a tank" in str(refuse_ram(("fast",), DamageSheet()))
    assert "immobilised" in str(refuse_ram(("tank",), DamageSheet(immobilised=True)))
    with pytest.raises(BadInput, match="0 inches or more"):
        ram_packets(Rammer(12, True), Rammer(10), -1)
