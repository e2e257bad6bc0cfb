"""Sections 5.12 to 5.18 on random inputs, as a second implementation works them out."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from battletape.battle import Battle
from tests.diceless40k import oracle_vehicles as oracle
from tests.diceless40k.battles import battle, do, end, unit
from tests.vectors import diceless40k as glue
from tests.vectors.given import Given

CASES = 60


@pytest.mark.parametrize("calc", oracle.GIVEN)
def test_what_players_ask_equals_a_second_implementation(calc):
    for seed in range(CASES):
        given = oracle.GIVEN[calc](Random(f"{calc} {seed}"))
        expect = getattr(oracle, calc)(given)
        for asked in (Given(given), Given(without_neutral(given))):
            said = glue.answer({"question": calc, "given": asked})
            assert {name: said[name] for name in expect} == expect, given
            assert not list(asked.unread()), given


def without_neutral(given: dict[str, Any]) -> dict[str, Any]:
    """What a vector gives without the keys that say no or none, for those may be left out."""
    kept = {name: value for name, value in given.items() if value is not None and value is not False}
    if "packets" in kept:
        kept["packets"] = [without_neutral(packet) for packet in kept["packets"]]
    return kept


@pytest.mark.clause("DL-60.13", "DL-60.20", "DL-60.21", "DL-60.22", "DL-SM-71.2", "DL-SM-76.1", "DL-70.2")
@pytest.mark.parametrize("seed", range(40))
def test_a_sheet_over_a_game_of_hits_and_repairs(seed):
    random = Random(seed)
    preset, rows = random.choice((("text", oracle.TEXT), ("sheet", oracle.SHEET)))
    profile = random.choice(("Predator", "Rhino", "Trukk", "Battlewagon"))
    one = battle([unit("Forge team")], vigil_vehicles=[unit(profile, "Hulk")], rulings={"rows": preset, "turns": 20})
    vehicle = one.state.vehicle("Hulk")
    sheet = oracle.Sheet(len(vehicle.damage.weapons), rows, "open_topped" in vehicle.profile.types)
    for _ in range(5):
        for _ in range(random.randint(1, 3)):
            if sheet.end is None:
                line, dmg = random.choice(oracle.LINES), random.randint(1, 20)
                choice = random.choice(("weapon_destroyed", "immobilised"))
                do(one, "mark_line", choice, unit="Hulk", line=line, dmg=dmg)
                sheet.damage(line, dmg, choice)
                assert told(one) == sheet.told
        if sheet.end is not None:
            return
        held = [line for line in oracle.LINES if sheet.lines[line]]
        if profile == "Rhino" and sheet.immobilised and held:
            line = random.choice(held)
            do(one, "self_repair", line, unit="Hulk")
            sheet.repair(line, 6)
            assert told(one) == sheet.told
        end(one)
        held = [line for line in oracle.LINES if sheet.lines[line]]
        if held:
            line = random.choice(held)
            do(one, "repair", unit="Forge team", machine="Hulk", line=line)
            sheet.repair(line, 12 + 2 * 6 + 6)
            assert told(one) == sheet.told
        end(one, 5)


def told(one: Battle) -> tuple[object, ...]:
    damage = one.state.vehicle("Hulk").damage
    boxes = damage.glancing, damage.penetrating
    return damage.lines, *boxes, len(damage.weapons_left), damage.immobilised, damage.destroyed or None
