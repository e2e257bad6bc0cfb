"""Hulls as weapons, and those who stand in their way: tank_shock and ram."""

from __future__ import annotations

from typing import Any

from battletape.answer import Answer
from battletape.errors import Refused
from tests.vectors.given import Given, known
from tests.vectors.vehicles5_parts import (
    BANDS,
    CREW,
    DICE,
    FACES,
    RULES,
    SIDES,
    TYPES,
    Hand,
    Said,
    ask,
    cell,
    chance,
    chances,
    crew,
    options,
    refused,
    roll,
    types,
    value,
)

STRONG = {"strength": 10, "ap": 6}
"""A weapon that penetrates armour 12 with a 6, and does nothing to it with a 1."""


def _dice(row: str) -> list[int]:
    """The dice of a hit at strength 10 on armour 12 that has this result."""
    return [1] if row == "none" else [6, known(FACES, "result", row)]


# --- tank shock -----------------------------------------------------------------------------------------------------


def tank_shock_move(given: Given) -> Said:
    things = [{**thing.only("kind", "at", "name"), "tries": "never"} for thing in given["on_path"]]
    drive = {
        "types": types(given),
        "declared": given["declared"],
        "units": things,
        "on_road": given.get("on_road", False),
        **crew(given),
    }
    try:
        answer = ask(given, "tank_shock", **drive)
    except Refused:
        return {"legal": False}
    met = value(answer, "shocked")
    return {
        "legal": True,
        "moved": value(answer, "moved"),
        "shocked": [] if met == "none" else met.split(", "),
        "band": value(answer, "band_after"),
    }


def _unit(given: Given, **more: Any) -> Said:
    return {"at": 3, "tries": "never", **given.only("ld", "falling_back", "fearless"), **more}


def tank_shock_morale(given: Given) -> Said:
    answer = ask(given, "tank_shock", units=[_unit(given)], declared=6)
    return {"holds": chance(answer, "falls_back", 0), "falls_back": chance(answer, "falls_back")}


def tank_shock_morale_many(given: Given) -> Said:
    units = [{"at": 3, "tries": "never", "ld": ld} for ld in given["lds"]]
    answer = ask(given, "tank_shock", units=units, declared=6)
    return {
        "both_hold": chance(answer, "units_fled", 0),
        "both_fall_back": chance(answer, "units_fled", len(units)),
        "exactly_one": chance(answer, "units_fled", 1),
    }


def _attack(attack: Given) -> Said:
    return {**attack.only("strength", "ap"), "dice": attack.choice("dice", DICE, "d6")}


def _glory(given: Given, **unit: Any) -> Answer:
    tries = _unit(given, tries="always", glory=[_attack(given["attack"])], **unit)
    kind = ["tank", "open_topped"] if given.get("open_topped") else ["tank"]
    own = given["state"].only(*CREW, "weapons") if "state" in given else {}
    return ask(given, "tank_shock", units=[tries], declared=6, front=given["front_av"], types=kind, **own)


def tank_shock_with_dog(given: Given) -> Said:
    return chances(_glory(given), "falls_back", "tank_stops", "model_destroyed", "tank_completes_move")


def death_or_glory(given: Given) -> Said:
    return chances(_glory(given, fearless=True), "tank_stops", "model_destroyed", "tank_destroyed", "tank_explodes")


def death_or_glory_outcome(given: Given) -> Said:
    unit = {"at": 3, "fearless": True, "tries": "always", "glory": [STRONG]}
    found = roll(given, "tank_shock", _dice(given["result"]), units=[unit], declared=6, front=12).results
    return {"tank_stops": found["tank_stops"] == 1, "model_destroyed": found["model_destroyed"] == 1}


def may_death_or_glory(given: Given) -> Said:
    """Whether the owner is asked; weapons for it are those of models in the path."""
    unit = {"at": 3, "ld": 7, "tries": "choose", "glory": [STRONG] if given["model_in_path"] else []}
    tape = Hand([*given.choice("morale_passed", {True: [1, 1], False: [6, 6]}), 1])
    RULES.roll("tank_shock", tape=tape, units=[unit], declared=6, front=12, **options(given))
    return {"legal": any(ask.label == "unit 1: death or glory" for ask in tape.asked)}


# --- rams -----------------------------------------------------------------------------------------------------------


def _vehicle(which: str, given: Given) -> Said:
    """One vehicle of a ram; only the side that is struck matters, which is called its front."""
    own: Said = {f"{which}_types": [kind for kind in TYPES if given.get(kind)], f"{which}_front": given["impact_av"]}
    if "state" in given:
        given["state"].choice("status", ("ok",), "ok")
        own |= {f"{which}_{name}": now for name, now in given["state"].only(*CREW, "weapons").items()}
    return own


def _ram(given: Given, values: Said) -> Answer:
    """A ram; the vectors give the inches driven, but not always the road or the speed that make them possible."""
    try:
        return ask(given, "ram", **values, on_road=True)
    except Refused as reason:
        if reason.kind != "distance":
            raise
    return ask(given, "ram", **{**values, "rammer_types": [*values["rammer_types"], "fast"]}, on_road=True)


def _both(given: Given, **more: Any) -> Said:
    both = {**_vehicle("rammer", given["rammer"]), **_vehicle("target", given["target"])}
    return {**both, "target_struck": "front", "distance": given["distance"], **more}


def _strengths(answer: Answer, target: str = "target") -> Said:
    hits = "hits with strength"
    return {
        "rammer_hits_at": int(cell(answer, "rammer", hits)),
        f"{target}_hits_at": int(cell(answer, "target", hits)),
    }


def ram_strength(given: Given) -> Said:
    return _strengths(_ram(given, _both(given)))


def ram(given: Given) -> Said:
    answer = _ram(given, _both(given, dodge="choose" if given.get("dodge") else "never"))
    names = ("destroyed", "exploded", "immobilised_or_worse", "unharmed")
    both = [f"{which}_{name}" for which in ("target", "rammer") for name in names]
    return {**_strengths(answer), **chances(answer, "ram_happens", "rammer_continues", *both)}


def ram_declare(given: Given) -> Said:
    kind, speed = types(given), given.choice("speed", BANDS)
    state = {f"rammer_{name}": now for name, now in crew(given).items()}
    values = {"rammer_types": kind, "speed": speed, "on_road": given.get("on_road", False), "distance": 1, **state}
    try:
        answer = ask(given, "ram", **values)
    except Refused:
        return {"legal": False}
    return {"legal": True, "distance": value(answer, "declared")}


def ram_continues(given: Given) -> Said:
    """Both hit at strength 10 with armour 12, after 24 inches."""
    dice = [*_dice(given["target_result"]), *_dice(given["rammer_result"])]
    found = roll(
        given,
        "ram",
        dice,
        rammer_front=12,
        rammer_types=["tank", "fast"],
        rammer_weapons=given.get("rammer_weapons", 1),
        target_front=12,
        target_struck="front",
        target_weapons=given.get("target_weapons", 1),
        distance=24,
        on_road=True,
    ).results
    return {"continues": found["rammer_continues"] == 1}


def ram_dodge(given: Given) -> Said:
    both = {
        "rammer_types": types(given, "rammer"),
        "target_types": types(given, "target"),
        "distance": 6,
        **{f"target_{name}": now for name, now in crew(given, "target_state").items()},
    }
    may = not refused(given, "ram", "V5-SKIM-8", dodge="always", **both)
    answer = ask(given, "ram", dodge="always" if may else "never", **both)
    return {"may_dodge": may, "ram_happens": chance(answer, "ram_happens"), "avoided": chance(answer, "dodged")}


def _dodged(given: Given) -> Said:
    return roll(
        given, "ram", [given["die"], 1, 1], target_types=["skimmer"], target_weapons=0, dodge="always", distance=6
    ).results


def ram_dodge_roll(given: Given) -> Said:
    return {"ram_happens": _dodged(given)["ram_happens"] == 1}


def ram_dodge_outcome(given: Given) -> Said:
    found = _dodged(given)
    hit = found["ram_happens"] == 1
    stops = {} if hit else {"rammer_stops": found["rammer_continues"] == 0}
    return {"rammer_hit": hit, "target_hit": hit, **stops}


def ram_through_unit(given: Given) -> Said:
    attack = given["dog_attack"]
    more = {} if attack is None else {"tries": "always", "glory": [_attack(attack)]}
    units = [_unit(given, **more)]
    answer = ask(given, "ram", rammer_front=given["rammer_front_av"], units=units, distance=6)
    return chances(answer, "ram_reached", "stopped_before")


def ram_walker(given: Given) -> Said:
    walker, rammer = given["walker"], given["rammer"]
    struck = walker.choice("impact_facing", SIDES)
    values = {
        **_vehicle("target", walker),
        "target_types": ["walker"],
        f"target_{struck}": walker["impact_av"],
        "target_rear": walker["rear_av"],
        "target_struck": struck,
        "rammer_front": rammer["front_av"],
        "rammer_types": ["tank", *(kind for kind in TYPES if kind != "tank" and rammer.get(kind))],
        "distance": given["distance"],
        "glory": [_attack(given["dog_attack"])],
    }
    braced = _ram(given, {**values, "reaction": "brace"})
    brace = {**_strengths(braced, "walker"), "walker_destroyed": chance(braced, "target_destroyed")}
    try:
        answer = _ram(given, {**values, "reaction": "glory"})
    except Refused as reason:
        if reason.clause != "V5-WALK-15":
            raise
        return {"brace": brace, "death_or_glory": {"legal": False}}
    turned = cell(answer, "target, if its death or glory fails", "hits with strength")
    return {
        "brace": brace,
        "death_or_glory": {
            "legal": True,
            "rammer_stopped": chance(answer, "rammer_stopped"),
            "walker_hits_at_if_failed": int(turned),
            "walker_destroyed": chance(answer, "target_destroyed"),
        },
    }
