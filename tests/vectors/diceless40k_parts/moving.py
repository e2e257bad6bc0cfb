"""Moves, terrain, and what hurts units on their way."""

from __future__ import annotations

from tests.vectors.diceless40k_parts import AN_HP, Said, ask, lines_of, measured, named, play, values, yes
from tests.vectors.diceless40k_parts.vehicles import _driven
from tests.vectors.given import Given


def difficult_move(given: Given) -> Said:
    answer = ask("move", **_way(given))
    return values(answer, terrain_inches="terrain_inches", total_inches="total_inches")


def move_through_cover(given: Given) -> Said:
    answer = ask("move", through_cover=True, **_way(given))
    return values(answer, terrain_inches="terrain_inches", total_inches="total_inches")


def _way(given: Given) -> Said:
    return {"open_first": 0, **named(given, allowed="allowance", open_first="open_inches_first")}


def move_cost(given: Given) -> Said:
    path = [{"ground": ground, "inches": inches} for ground, inches in given["segments"]]
    answer = ask("move", allowed=given["allowance"], path=path)
    return {**values(answer, cost="cost"), "legal": yes(answer, "legal")}


def run(given: Given) -> Said:
    return values(ask("move", kind="run"), inches="inches")


def consolidation(given: Given) -> Said:
    """The same in any terrain: from its edge, or from the open."""
    far = {True: 0, False: 4}[given.get("in_difficult_terrain", False)]
    return values(ask("move", kind="consolidate", open_first=far), inches="total_inches")


def fall_back_distance(given: Given) -> Said:
    return values(ask("move", kind="fall_back", type=given["unit_type"]), inches="inches")


def hit_and_run_distance(given: Given) -> Said:
    return values(ask("move", kind="hit_and_run"), inches="inches")


def dangerous_terrain(given: Given) -> Said:
    rules = ["skilled_rider"] if given.get("skilled_rider") else []
    terrain = given.only("models", "dmg_per_model", "invulnerable", "armour", "cover")
    kind = {"unit_type": given["unit_type"]} if "unit_type" in given else {}
    answer = ask("casualties", cause="dangerous_terrain", hp=AN_HP, model_rules=rules, **terrain, **kind)
    return values(answer, dmg="dmg", hp_lost="hp_lost")


def dangerous_terrain_per_inch(given: Given) -> Said:
    terrain = given.only("models", "dmg_per_inch", "inches", "invulnerable")
    return values(ask("casualties", cause="dangerous_terrain", hp=AN_HP, **terrain), dmg="dmg", hp_lost="hp_lost")


def cluster_mines(given: Given) -> Said:
    saves = {"armour": None, **given.only("armour", "cover", "invulnerable")}
    return values(ask("casualties", cause="cluster_mines", hp=AN_HP, **saves), dmg="dmg", hp_lost="hp_lost")


def gate_of_infinity(given: Given) -> Said:
    goes = {True: "taken along", False: "left behind"}[given.get("unit_taken", False)]
    saves = given.only("armour", "invulnerable")
    hurt = play(
        "casualties",
        lambda asked: goes if asked.label == "the unit at the gate" else None,
        cause="gate_of_infinity",
        hp=AN_HP,
        **saves,
    )
    return measured("casualties", hurt, hp_lost="hp_lost")


def tremor(given: Given) -> Said:
    if given.get("vehicle"):
        return _driven(ground="shaken", rear=given["rear_av"], moved=given["inches_moved"])
    return values(ask("move", allowed=given["allowance"], shaken_ground=True), allowance="inches")


def explosion_bystanders(given: Given) -> Said:
    unit = {"models": given["models_within_4"], "armour": given.get("save")}
    answer = ask("casualties", cause="explosion_nearby", hp=AN_HP, **unit)
    return values(answer, dmg="dmg", hp_lost="hp_lost")


def vehicle_dangerous_terrain(given: Given) -> Said:
    return _driven(rear=given["rear_av"], inches=given["inches"])


def mindlock(given: Given) -> Said:
    """Whether a servitor who would help with a repair works."""
    alone = {"turns_without": given.get("turns_without", 0), "led": given.get("techmarine_present", False)}
    return {"functions": yes(ask("repair", servitors=1, **alone), "servitors")}


def repair(given: Given) -> Said:
    return _repaired(given, **given.only("servitors"), **named(given, harness="servo_harness"))


def rhino_repair(given: Given) -> Said:
    return _repaired(given, who="own_crew", **given.only("immobilised"))


def _repaired(given: Given, **who: object) -> Said:
    sheet = lines_of(given)
    done = play("repair", line=given["line"], **sheet, **who)
    return {"points": done.points, "line_dmg": done.after, "unchecked": [hit.name for hit in done.undone_hits]}
