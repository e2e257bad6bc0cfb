"""The end of a vehicle for those about it and inside, and pinning: explosion and pinning."""

from __future__ import annotations

from tests.vectors.given import Given
from tests.vectors.vehicles5_parts import Said, ask, cell, chance, chances, is_so, text, value


def explosion_reach(given: Given) -> Said:
    answer = ask(given, "explosion", models=[{"distance": given["distance"]}])
    return {"hit": chance(answer, "reached")}


def explosion_count(given: Given) -> Said:
    answer = ask(given, "explosion", models=[{"distance": distance} for distance in given["distances"]])
    shares = sorted(answer.odds("reached").fractions().items())
    return {"hits": {str(count): text(share) for count, share in shares}}


def explosion_kill(given: Given) -> Said:
    answer = ask(given, "explosion", models=[given.only("distance", "toughness", "save")])
    return {"unsaved_wound": chance(answer, "casualties")}


def passenger_explosion(given: Given) -> Said:
    inside = {
        "passenger_toughness": given["toughness"],
        "passenger_save": given["save"],
        "passenger_wounds": given.get("wounds_each", 1),
        "open_topped": given["open_topped"],
        "ld": given.get("ld"),
    }
    answer = ask(given, "explosion", passengers=given["passengers"], **inside)
    alone = ask(given, "explosion", passengers=1, **inside)
    return {
        "hits": int(cell(answer, "passengers", "hits")),
        "strength": int(cell(answer, "passengers", "strength")),
        "per_hit": chance(alone, "passengers_lost"),
        "mean_casualties": text(answer.odds("passengers_lost").mean),
        "at_least_half": chance(answer, "half_or_more"),
        **chances(answer, "no_casualty", "all_dead", "pinned"),
    }


def wreck_passengers(given: Given) -> Said:
    answer = ask(
        given,
        "explosion",
        wrecked=True,
        passengers=given["passengers"],
        room_at_access=given["room_at_access"],
        room_within=given["room_within_2in"],
    )
    return {
        "survivors": value(answer, "survivors"),
        "destroyed": value(answer, "passengers_lost"),
        "emergency": is_so(answer, "emergency"),
        "pinning_test": is_so(answer, "pinning_test"),
    }


def pinning(given: Given) -> Said:
    barrage = given.choice("source", {"ordnance_barrage": True, "": False, None: False}, None)
    answer = ask(given, "pinning", ld=given["ld"], barrage=barrage)
    return {
        "effective_ld": value(answer, "ld_that_counts"),
        "pass": chance(answer, "pinned", 0),
        "pinned": chance(answer, "pinned"),
    }
