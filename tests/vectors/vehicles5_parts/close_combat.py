"""Assaults on vehicles: assault, and what_may_it_do for what follows."""

from __future__ import annotations

from tests.vectors.given import Given
from tests.vectors.vehicles5_parts import (
    BANDS,
    DAMAGE,
    DICE,
    SIDES,
    Said,
    ask,
    cell,
    chances,
    condition,
    struck,
    types,
    value,
)

GRENADES = {
    "strength": "",
    "krak": "krak",
    "melta_bomb": "melta_bomb",
    "defensive_assault": "assault",
    "defensive": "defensive",
    "assault": "assault",
}
"""What the vectors call the kinds of an attack, and the grenade that it is."""


def assault(given: Given) -> Said:
    attack = given["attack"]
    answer = ask(
        given,
        "assault",
        rear=given["rear_av"],
        types=["open_topped"] if given.get("open_topped") else [],
        attacks=given["attacks"],
        strength=attack["strength"],
        dice=attack.choice("dice", DICE, "d6"),
        grenade=attack.choice("kind", GRENADES, "strength"),
        assault_band=given.choice("assault_band", BANDS),
        **condition(given),
    )
    return chances(answer, *DAMAGE)


def assault_attacks(given: Given) -> Said:
    attackers = {
        "models": given["models"],
        "in_reach": given.get("engaged_or_within_2in"),
        "attacks": given["A"],
        "two_weapons": given["models"] if given["two_weapons"] else 0,
        "charged": given["charged"],
        "grenade": "krak" if given["grenades"] else "",
    }
    answer = ask(given, "assault", attackers=[attackers])
    return {"attacks": int(cell(answer, "krak" if given["grenades"] else "attackers", "attacks"))}


def assault_to_hit(given: Given) -> Said:
    band = given.choice("assault_band", BANDS)
    return struck(ask(given, "assault", attacks=1, assault_band=band, immobilised=given["immobilised"]))


def assault_facing(given: Given) -> Said:
    contact = given.choice("contact_facing", SIDES)
    answer = ask(given, "assault", attacks=1, types=types(given), contact=contact)
    return {"facing": cell(answer, "blow", "armour").split()[0]}


def assault_strikers(given: Given) -> Said:
    places = [{"gap": model["hull_gap"], "friend": model.get("nearest_engaged_friend")} for model in given["models"]]
    attackers = {"models": len(places), "places": places, "attacks": 1, "charged": False}
    return {"strikers": int(cell(ask(given, "assault", attackers=[attackers]), "attackers", "attacks"))}


def assault_aftermath(given: Given) -> Said:
    deeds = value(ask(given, "what_may_it_do", types=types(given)), "close_combat").split(", ")
    return {
        "combat_result": "fight" in deeds,  # wounds count where it fights on, and only there
        "morale_test": "morale test" in deeds,
        "sweeping_advance": "sweeping advance" in deeds,
        "locked": "fight" in deeds,
    }
