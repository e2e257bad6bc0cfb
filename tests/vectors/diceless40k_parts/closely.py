"""Close combat: factors, blows, whole rounds, and what follows them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tests.vectors.diceless40k_parts import AN_HP, Said, ask, named, play, value, values, yes
from tests.vectors.given import Given

STAYS = {"attacks": 0, "armour": None, "hp": AN_HP, "initiative": 1}
"""Somebody who only takes blows."""


def _struck(given: Given, *weapon_rules: str, **more: object) -> Said:
    """The factor and the DMG of one model's blows."""
    first = {
        **named(given, ws="attacker_ws", strength="s", attacks="attacks"),
        "models": 1,
        "weapon_rules": list(weapon_rules),
        **more,
    }
    second = {**STAYS, "models": 100, **named(given, ws="target_ws", toughness="target_t")}
    return values(ask("fight", first=[first], second=[second]), factor="first_factor", dmg="first_dmg")


def cc_factor(given: Given) -> Said:
    return _struck(given)


def cc_damage(given: Given) -> Said:
    claws = ["lightning_claw"] if given.get("lightning_claw") else []
    if given.get("preferred_enemy"):
        return _struck(given, *claws, preferred=True, model_rules=["preferred_enemy"])
    return _struck(given, *claws)


def poisoned_damage(given: Given) -> Said:
    return _struck(given, f"poisoned_{given['poison']}")


def witchblade_damage(given: Given) -> Said:
    return _struck(given, "witchblade")


def sweeping_advance(given: Given) -> Said:
    answer = ask(
        "lost_assault",
        initiatives=given["falling_back_initiatives"],
        enemy_initiatives=given["winner_initiatives"],
    )
    totals = values(answer, falling_back_total="own_initiative", winner_total="enemy_initiative")
    return {**totals, "breaks_off": yes(answer, "breaks_off")}


def assault_result(given: Given) -> Said:
    answer = ask("lost_assault", own_lost=given["hp_lost_a"], enemy_lost=given["hp_lost_b"])
    loser = {"unit": "A", "enemy": "B", "nobody": None}[value(answer, "loser")]
    return {"loser": loser, **values(answer, difference="difference")}


def lost_assault_test(given: Given) -> Said:
    fight = named(
        given,
        op="op_before",
        ld="ld",
        own_lost="hp_lost_by_loser",
        enemy_lost="hp_lost_by_winner",
        reroll="reroll",
        enemy_extra_wounds="winner_extra_wounds",
        toughness="loser_average_toughness",
    )
    answer = ask("lost_assault", **fight)
    return {**values(answer, difference="difference", op_after="op_after"), "passed": yes(answer, "passed")}


def no_retreat(given: Given) -> Said:
    saves = {"armour": None, **given.only("armour", "invulnerable", "cover")}
    answer = ask("casualties", cause="no_retreat", dmg=given["difference"], hp=AN_HP, **saves)
    return values(answer, dmg="dmg", hp_lost="hp_lost")


NEVER_OUTRIGHT = 10
"""A Toughness that no Strength doubles, where a vector does not say which."""


def _nerve(units: Iterable[Any], op: int) -> Said:
    """Order points of the loser and whether he holds, if he tests at all."""
    tests = [unit.test_result for unit in units if unit.test_result is not None]
    if not tests:
        return {"loser_op_after": op, "loser_passes": None}
    return {"loser_op_after": tests[0].op, "loser_passes": tests[0].passed}


def assault_round(given: Given) -> Said:
    sides = {}
    for side, step in (("first", 2), ("second", 1)):
        unit = given[side]
        names = ("models", "ws", "attacks", "initiative", "armour", "invulnerable", "toughness")
        nerve = {"ld": given["loser_ld"], "op": given.get("loser_op", 0)}
        sides[side] = [
            {
                "initiative": step,
                "armour": None,
                "toughness": NEVER_OUTRIGHT,
                **unit.only(*names),
                **named(unit, strength="s", hp="hp_each", recorded="damage_recorded"),
                **nerve,
            }
        ]
    answer = ask("fight", **sides)
    units = play("fight", **sides).units
    return {
        **values(answer, first_dmg="first_dmg", first_hp_inflicted="second_hp_lost"),
        **values(answer, second_dmg="second_dmg", second_hp_inflicted="first_hp_lost"),
        **values(answer, first_models_left="first_stood", second_models_left="second_stood"),
        "loser": {"first": "first", "second": "second", "nobody": None}[value(answer, "loser")],
        **values(answer, difference="difference"),
        **_nerve(units, given.get("loser_op", 0)),
    }
