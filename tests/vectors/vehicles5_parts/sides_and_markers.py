"""Sides, arcs, sight and cover, markers and templates: line_of_fire, ordnance and shoot."""

from __future__ import annotations

from tests.vectors.given import Given
from tests.vectors.vehicles5_parts import SIDES, Said, ask, cell, is_so, refused, roll, text, types, value

BEARINGS = {"front": 0, "side": 90, "rear": 180}
"""Where somebody stands who sees this side."""
SQUARE = {"length": 1, "width": 1}
"""A hull of which nothing is known."""
MOUNTS = ("turret", "hull", "sponson", "pintle", "arm")


def facing(given: Given) -> Said:
    types(given)  # a walker has the same sides as any other vehicle
    hull = given["hull"].only("length", "width") if "hull" in given else SQUARE
    answer = ask(given, "line_of_fire", firers=[{"bearing": given["bearing"]}], **hull)
    return {"facing": next(side for side in SIDES if value(answer, side))}


def facing_groups(given: Given) -> Said:
    hull = given["hull"].only("length", "width") if "hull" in given else SQUARE
    firers = [{"bearing": bearing} for bearing in given["bearings"]]
    answer = ask(given, "line_of_fire", firers=firers, **hull)
    return {side: value(answer, side) for side in SIDES}


def facing_after_pivot(given: Given) -> Said:
    types(given)  # any vehicle that has turned
    given["old_heading"]  # it does not matter any more
    firer = {"bearing": given["firer_bearing_absolute"]}
    answer = ask(given, "line_of_fire", firers=[firer], heading=given["new_heading"])
    return {"facing": next(side for side in SIDES if value(answer, side))}


def _mounted(gun: Given) -> Said:
    return {
        **gun.only("name", "on", "direction"),
        "mount": gun.choice("mount", MOUNTS),
        "arc": gun.get("sweep", []),
        **({"direction": gun["mount_direction"]} if "mount_direction" in gun else {}),
    }


def arc(given: Given) -> Said:
    answer = ask(
        given,
        "line_of_fire",
        guns=[_mounted(given)],
        aim_bearing=given["relative_bearing"],
        elevation=given.get("elevation", 0),
    )
    return {"in_arc": value(answer, "bears") != "none"}


def weapons_bearing(given: Given) -> Said:
    looked = roll(
        given,
        "line_of_fire",
        [],
        guns=[_mounted(gun) for gun in given["weapons"]],
        aim_bearing=given["target_bearing"],
        elevation=given.get("elevation", 0),
    )
    return {"bears": list(looked.state.bears)}


def visible_part(given: Given) -> Said:
    answer = ask(given, "line_of_fire", firers=[{"sees": given["part"]}])
    return {"counts": value(answer, "seeing") == 1}


def cover_claim(given: Given) -> Said:
    firers = [{"hidden": part} for part in given["hidden_fraction_per_firer"]]
    return {"cover": is_so(ask(given, "line_of_fire", firers=firers), "cover")}


def blast_hit(given: Given) -> Said:
    answer = ask(
        given,
        "ordnance",
        strength=given["strength"],
        barrage=given["barrage"],
        firer_bearing=given.choice("firer_facing", BEARINGS),
    )
    off = {side: f"off it, at the {side}" for side in SIDES}
    beside = given.choice("hole_facing", off)
    where = given.choice("hole_on_hull", {True: "on the hull", False: beside})
    return {"facing": cell(answer, where, "side"), "strength": int(cell(answer, where, "strength"))}


def template_hit(given: Given) -> Said:
    gun = {
        "strength": given["strength"],
        "facing": given.choice("firer_facing", SIDES),
        "touches_friend": given["touches_friend"],
        "rules": ["template"],
    }
    if refused(given, "shoot", "V5-SHOT-6", guns=[gun]):
        return {"legal": False}
    answer = ask(given, "shoot", guns=[gun])
    return {"legal": True, "facing": cell(answer, "gun 1", "side"), "strength": int(cell(answer, "gun 1", "strength"))}


def scatter_within(given: Given) -> Said:
    sees = given["line_of_sight"]
    answer = ask(given, "ordnance", bs=given["bs"], line_of_sight=sees, barrage=not sees)  # unseen only barrages are
    return {"probability": text(answer.odds("inches").at_most(given["radius"]))}
