"""Walkers: what they may do, how far they go, and what they are worth in a fight."""

from __future__ import annotations

from typing import Any

from battletape.answer import Answer
from tests.vectors.given import Given
from tests.vectors.vehicles5_parts import (
    DAMAGE,
    DICE,
    Said,
    X,
    Y,
    ask,
    cell,
    chances,
    condition,
    crew,
    is_so,
    set_up,
    struck,
    text,
    value,
    vehicle,
)


def _fights(deed: str) -> Any:
    return lambda answer: deed in value(answer, "close_combat").split(", ")


def _allows(measure: str) -> Any:
    return lambda answer: is_so(answer, measure)


def _fires(answer: Answer) -> bool:
    return bool(value(answer, "fire_mode") != "none")


_DEEDS = {
    "move": _allows("may_move"),
    "run": _allows("run"),
    "fire": _fires,
    "pivot_when_firing": _allows("turn_to_fire"),
    "smoke": _allows("smoke"),
    "assault": _allows("assault"),
    "fight": _fights("fight"),
    "pile_in": _fights("pile in"),
    "sweeping_advance": _fights("sweeping advance"),
    "consolidate": _fights("consolidate"),
    "morale_test": _fights("morale test"),
}


def walker_legality(given: Given) -> Said:
    allowed = given.choice("action", _DEEDS)
    given.get("fired_heavy")  # what it fired never matters to a walker, and so nobody asks for it
    other = given.choice("target_is_fired_unit", {True: False, False: True}, True)
    answer = ask(
        given,
        "what_may_it_do",
        types=["walker"],
        smoke_launchers=True,
        fired=given.get("fired", False),
        ran=given.get("ran", False),
        other_target=other,
        **crew(given),
    )
    turned = _turned_to_fire(given) if given["action"] == "pivot_when_firing" else {}
    return {"legal": allowed(answer), **turned}


def walker_difficult_move(given: Given) -> Said:
    moved = ask(given, "dangerous_terrain", types=["walker"], grounds=["difficult"], distance=6).odds("moved")
    return {
        "distance": {f"{inches:g}": text(share) for inches, share in sorted(moved.fractions().items())},
        "mean": text(moved.mean),
        "probability": text(moved.at_least(given.get("at_least", 1))),
    }


def walker_run(given: Given) -> Said:
    walker = vehicle("Walker", X, Y, types=["walker"])
    battle = set_up(given, [walker], [vehicle("Enemy", X, Y + 40)])
    battle.push("end_phase")
    rolled = battle.odds("run", unit="Walker", heading=0).odds("rolled")
    shares = sorted(rolled.fractions().items())
    return {"distance": {str(inches): text(share) for inches, share in shares}, "mean": text(rolled.mean)}


def _turned_to_fire(given: Given) -> Said:
    """What turning to fire means for a walker: whether it has moved, and how it faces until its next move."""
    battle = set_up(given, [vehicle("Walker", X, Y, types=["walker"])], [vehicle("Enemy", X, Y + 40)])
    battle.push("end_phase")
    battle.push("pivot_to_fire", unit="Walker", heading=90)
    moved = battle.state.vehicle("Walker").done.band
    battle.push("end_turn")
    battle.push("end_turn")
    return {
        "counts_as_moving": moved != "stationary",
        "facing_kept_until_next_movement": battle.state.hull("Walker").heading == 90,
    }


# --- in a fight -----------------------------------------------------------------------------------------------------


def _walker(given: Given, **inputs: Any) -> Answer:
    """A walker with so many close combat weapons in the first round of a fight."""
    fists = [f"fist {at}" for at in range(1, given["dccw"] + 1)]
    return ask(given, "walker_fight", dccw=fists, rounds=1, foe_models=1, **inputs)


def walker_attacks(given: Given) -> Said:
    charges = given.choice("charged", {True: "walker", False: "nobody"})
    answer = _walker(given, attacks=given["A"], charges=charges, **crew(given))
    return {"attacks": int(cell(answer, "walker", "attacks"))}


def walker_strength(given: Given) -> Said:
    return {"strength": int(cell(_walker(given, strength=given["S"]), "walker", "strength"))}


def walker_to_hit(given: Given) -> Said:
    grenade = given.choice("grenade", {True: "krak", False: ""})
    answer = ask(
        given,
        "assault",
        types=["walker"],
        ws=given["attacker_ws"],
        walker_ws=given["walker_ws"],
        grenade=grenade,
        attacks=1,
        **crew(given, "walker_state"),
    )
    return struck(answer)


def fight_walker(given: Given) -> Said:
    attack = given["attack"]
    answer = ask(
        given,
        "assault",
        types=["walker", "open_topped"] if given.get("open_topped") else ["walker"],
        front=given["front_av"],
        attacks=given["attacks"],
        needs=given["to_hit"],
        strength=attack["strength"],
        dice=attack.choice("dice", DICE, "d6"),
        **condition(given),
    )
    wounds = answer.odds("combat_wounds")
    return {
        **chances(answer, *DAMAGE),
        "mean_combat_wounds": text(wounds.mean),
        "no_combat_wound": text(wounds.chance(0)),
    }
