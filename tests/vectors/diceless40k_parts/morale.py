"""Order points, tests, regrouping, psykers."""

from __future__ import annotations

from tests.vectors.diceless40k_parts import AN_HP, Said, ask, measured, named, play, values, yes
from tests.vectors.given import Given


def initial_op(given: Given) -> Said:
    """What the question takes a unit to have before its first test."""
    return {"OP": ask("leadership").inputs.op}


def leadership_threshold(given: Given) -> Said:
    return values(ask("leadership", **given.only("ld", "reroll")), threshold="threshold")


def leadership_test(given: Given) -> Said:
    answer = ask("leadership", **named(given, op="op_before", ld="ld", reroll="reroll", modifier="ld_modifier"))
    return {**values(answer, op_after="op_after", threshold="threshold"), "passed": yes(answer, "passed")}


def tests_before_failure(given: Given) -> Said:
    return values(ask("leadership", **named(given, op="op_before", ld="ld", reroll="reroll")), passes="passes")


def leadership_test_ic(given: Given) -> Said:
    led = {"leader_op": 0, **named(given, op="unit_op", leader_op="ic_op", ld="ld", reroll="reroll")}
    answer = ask("leadership", **led)
    return {**values(answer, unit_op_after="op_after", ic_op_after="leader_op"), "passed": yes(answer, "passed")}


def regroup(given: Given) -> Said:
    answer = ask("regroup", **named(given, op="op_before", lds="model_lds", ld="test_ld", reroll="reroll"))
    said = values(answer, subtracted="subtracted", op_after="op_after", threshold="threshold")
    return {**said, "passed": yes(answer, "passed")}


def psychic_test(given: Given) -> Said:
    answer = ask("psychic_test", **named(given, op="psyker_op", ld="ld", hood="hood_in_24", unit_op="unit_op"))
    said = values(answer, op_total="op_total", op_after="op", unit_op_after="unit_op")
    return {**said, "passed": yes(answer, "works")}


def warp_token(given: Given) -> Said:
    used, pushes = given.get("token_used", False), given.get("push_through", False)
    psyker = named(given, op="psyker_op", ld="ld", invulnerable="invulnerable", armour="armour")
    token, answer = "play" if used else "keep", "push on" if pushes else "accept"
    test = play(
        "psychic_test",
        lambda asked: token if token in asked.options else answer,
        tokens_held=given["tokens_held"],
        hp=AN_HP,
        recorded=AN_HP - given["hp_left"],
        **psyker,
    )
    return {
        **measured("psychic_test", test, tokens_left="warp_tokens", perils_dmg="perils_dmg", hp_left="hp_left"),
        "test_taken": test.test_result is not None,
        "passed": None if test.test_result is None else test.test_result.passed,
        **measured("psychic_test", test, op_after="op"),
    }
