"""How a vehicle moves, over what ground, its smoke, and what it may fire: what_may_it_do and dangerous_terrain."""

from __future__ import annotations

from battletape.errors import Refused
from tests.vectors.given import Given
from tests.vectors.vehicles5_parts import BANDS, Said, ask, chance, crew, is_so, roll, text, types, value

PHASES = ("movement", "shooting", "assault")
INCHES = {"stationary": 0, "combat": 6, "cruising": 12, "flat_out": 18}
"""A move of each speed."""
RELATIONS = ("starting", "into", "through", "over", "landing")


def speed_band(given: Given) -> Said:
    road = given.get("whole_move_on_road", False)
    try:
        answer = ask(given, "what_may_it_do", types=types(given), distance=given["distance"], on_road=road)
    except Refused:
        return {"legal": False, "band": None}
    return {"legal": True, "band": value(answer, "band")}


def bands(given: Given) -> Said:
    answer = ask(
        given,
        "what_may_it_do",
        types=types(given),
        distance=given["path_length"],
        displacement=given["displacement"],
        on_road=given.get("whole_move_on_road", False),
    )
    return {"shooting_band": value(answer, "band"), "assault_band": value(answer, "assault_band")}


def may_move(given: Given) -> Said:
    measures = {"move": "may_move", "pivot": "may_turn", "tank_shock": "tank_shock", "ram": "ram"}
    answer = ask(given, "what_may_it_do", types=types(given), **crew(given))
    return {"legal": is_so(answer, given.choice("action", measures))}


def path_models(given: Given) -> Said:
    found = given.only("ends_on_model")
    answer = ask(given, "what_may_it_do", types=types(given), in_the_way=given["path"], **found)
    return {"legal": value(answer, "way") in (1, "nothing in the way")}


# --- ground ---------------------------------------------------------------------------------------------------------


def dangerous_terrain(given: Given) -> Said:
    answer = ask(
        given,
        "dangerous_terrain",
        types=types(given),
        grounds=given["terrain"],
        relation=given.choice("relation", RELATIONS),
        distance=given.choice("band", INCHES, "combat"),
    )
    return {
        "tests": value(answer, "tests"),
        "immobilised": chance(answer, "immobilised"),
        "wrecked": chance(answer, "wrecked"),
        "unharmed": chance(answer, "unharmed"),
    }


def dangerous_terrain_many(given: Given) -> Said:
    failed = ask(given, "dangerous_terrain", vehicles=given["vehicles"]).odds("failed")
    return {"none_immobilised": text(failed.chance(0)), "at_least_one": text(failed.at_least(1))}


def terrain_stop(given: Given) -> Said:
    kind = types(given)
    inside = given.choice("starts_inside", {True: "starting", False: ""})
    found = roll(
        given,
        "dangerous_terrain",
        [given["roll"]],
        types=kind,
        grounds=["dangerous" if "walker" in kind else "difficult"],  # the first slows a walker down as well
        relation=inside or ("landing" if "skimmer" in kind else "through"),
        distance=given["declared"],
        enters_at=given.get("enters_at") or 0,
    ).results
    states = {name: name for name in ("immobilised", "wrecked") if found[name]}
    return {"moved": found["moved"], "band": found["band_after"], "result": next(iter(states), "none")}


# --- smoke ----------------------------------------------------------------------------------------------------------


def smoke(given: Given) -> Said:
    stands, completed = given.get("declared_stationary", False), given.get("move_completed", False)
    answer = ask(
        given,
        "what_may_it_do",
        types=types(given),
        smoke_launchers=given["launchers"] or given["used"],
        smoke_used=given["used"],
        phase=given.choice("phase", PHASES),
        band="combat" if completed and not stands else "stationary",
        stands=stands,
        ran=given.get("ran", False),
        **crew(given),
    )
    return {"legal": is_so(answer, "smoke_now")}


def go_to_ground(given: Given) -> Said:
    return {"legal": is_so(ask(given, "what_may_it_do", types=types(given)), "go_to_ground")}


# --- what may fire --------------------------------------------------------------------------------------------------


def _turn(given: Given) -> Said:
    """A vehicle in its own turn, as far as it matters to its guns."""
    shocked, rammed = given.get("tank_shocked", False), given.get("rammed", False)
    smoked = given.get("smoke_this_turn", False)
    return {
        "types": types(given),
        "band": given.choice("band", BANDS),
        "declared": "ram" if rammed else "tank_shock" if shocked else "normal",
        "smoke_launchers": smoked,
        "smoke_this_turn": smoked,
        "ran": given.get("ran", False),
        **crew(given),
    }


def fire_mode(given: Given) -> Said:
    gun = {"name": "gun", "ordnance": True, "lobs": True}
    try:
        answer = ask(given, "what_may_it_do", guns=[gun], together=["gun"], **_turn(given))
    except Refused as reason:
        if reason.kind != "band":
            raise
        return {"mode": "none", "one_ordnance_instead": False, "barrage_indirect": False}  # it cannot go so fast
    return {
        "mode": value(answer, "fire_mode"),
        "one_ordnance_instead": is_so(answer, "together"),
        "barrage_indirect": is_so(answer, "may_lob"),
    }


def fire_set(given: Given) -> Said:
    guns, lobbed = [], []
    for gun in given["firing"]:
        as_barrage = gun.choice("fired_as", {"barrage": True, "direct": False}, "direct")
        guns.append({**gun.only("name", "strength", "ordnance"), "lobs": gun.get("barrage", False) or as_barrage})
        lobbed += [gun["name"]] if as_barrage else []
    named = [gun["name"] for gun in guns]
    try:
        answer = ask(given, "what_may_it_do", guns=guns, together=named, as_barrage=lobbed, **_turn(given))
    except Refused as reason:
        if reason.kind != "band":
            raise
        return {"legal": False}  # it cannot go so fast
    return {"legal": is_so(answer, "together")}


def weapon_class(given: Given) -> Said:
    answer = ask(given, "what_may_it_do", guns=[{"strength": given["strength"]}])
    return {"defensive": value(answer, "main_weapons") == 0}


def targets(given: Given) -> Said:
    aimed, turn = given["assignments"].plain(), _turn(given)
    turn["band"] = "stationary"  # its speed says how much it fires, and not at whom
    guns = [{"name": name} for name in aimed]
    answer = ask(given, "what_may_it_do", guns=guns, together=list(aimed), fire_at=list(aimed.values()), **turn)
    return {"legal": is_so(answer, "together")}
