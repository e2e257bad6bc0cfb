"""Facings and arcs, markers, tank shocks and rams."""

from __future__ import annotations

from typing import Any

from battletape.errors import Refused
from battletape.inputs import parse_inputs
from battletape.odds import Odds
from battletape.rulesets.vehicles5 import geometry, glory, ordnance, ramming, tank_shock
from battletape.rulesets.vehicles5.ask_ramming import RAM
from battletape.rulesets.vehicles5.ask_tank_shock import TANK_SHOCK
from battletape.rulesets.vehicles5.damage import Condition, apply_results
from battletape.rulesets.vehicles5.shapes import Fitting
from battletape.rulesets.vehicles5.tank_shock import OnLine, Shocked
from battletape.rulesets.vehicles5.traits import Traits
from battletape.rulesets.vehicles5.troops import test_morale as morale
from battletape.system import Question
from battletape.table.bases import Base
from battletape.table.hulls import Hull
from battletape.table.points import Point, apart, bearing
from battletape.table.sweeps import swept
from battletape.tape.exact import Exact
from tests.vectors.vehicles5_parts import Given, dice_in_our_words, is_legal, odds_of, rules, state, text, traits

COMPASS = {0: "+y", 90: "+x", 180: "-y", 270: "-x"}
TYPES = ("fast", "tank", "skimmer", "walker", "open_topped")


class Asked:
    """A question worked out from plain values, as a player would ask it."""

    def __init__(self, question: Question, given: Given, values: Given) -> None:
        self.question, ruled = question, rules(given)
        self.inputs = parse_inputs(question.inputs, values)
        start = question.begin(self.inputs, ruled)
        self.states = Exact().run(question.procedure(self.inputs, ruled).stages, start)

    def odds(self, measure: str) -> Odds[Any]:
        return self.states.project(self.question.measure(measure).of)

    def chances(self, *measures: str) -> Given:
        return {one: text(self.odds(one).chance(1)) for one in measures}


# --- facings and arcs -----------------------------------------------------------------------------------------------


def facing(given: Given) -> Given:
    return {"facing": geometry.facing_at(given["bearing"], rules(given), **given.get("hull", {}))}


def facing_groups(given: Given) -> Given:
    found = geometry.facing_groups(given["bearings"], rules(given), **given.get("hull", {}))
    return {side: len(firers) for side, firers in found.items()}


def facing_after_pivot(given: Given) -> Given:
    firer = given["firer_bearing_absolute"]
    return {"facing": geometry.facing_after_turn(firer, given["new_heading"], rules(given))}


def _fitting(given: Given) -> Fitting:
    direction = given.get("direction", given.get("mount_direction", 0))
    arc = tuple(given.get("sweep", ()))
    return Fitting(label=given.get("name", "gun"), mount=given["mount"], direction=direction, arc=arc)


def arc(given: Given) -> Given:
    bears = geometry.bears(_fitting(given), given["relative_bearing"], given.get("elevation", 0), rules(given))
    return {"in_arc": bears}


def weapons_bearing(given: Given) -> Given:
    fittings = [_fitting(one) for one in given["weapons"]]
    found = geometry.weapons_bearing(fittings, given["target_bearing"], given.get("elevation", 0), rules(given))
    return {"bears": list(found)}


def visible_part(given: Given) -> Given:
    return {"counts": geometry.counts_as_seen(given["part"])}


def cover_claim(given: Given) -> Given:
    return {"cover": geometry.claims_cover(given["hidden_fraction_per_firer"], rules(given))}


def go_to_ground(given: Given) -> Given:
    return {"legal": is_legal(geometry.refuse_go_to_ground(traits(given)))}


# --- markers and templates ------------------------------------------------------------------------------------------


def blast_hit(given: Given) -> Given:
    side, strength = geometry.blast_hit(
        given["strength"],
        given["hole_on_hull"],
        given["firer_facing"],
        given["hole_facing"],
        given["barrage"],
        rules(given),
    )
    return {"facing": side, "strength": strength}


def template_hit(given: Given) -> Given:
    hit = geometry.template_hit(given["strength"], given["firer_facing"], given["touches_friend"])
    if isinstance(hit, Refused):
        return {"legal": False}
    return {"legal": True, "facing": hit[0], "strength": hit[1]}


def scatter_within(given: Given) -> Given:
    odds = odds_of(ordnance.roll_distance, given["bs"], given["line_of_sight"])
    return {"probability": text(odds.chance(lambda inches: inches <= given["radius"]))}


# --- tank shock -----------------------------------------------------------------------------------------------------


def tank_shock_move(given: Given) -> Given:
    path = [OnLine(one["kind"], one["at"], one.get("name", "")) for one in given["on_path"]]
    found = tank_shock.line(
        traits(given),
        state(given),
        given["declared"],
        path,
        on_road=given.get("on_road", False),
        ram=given.get("ram", False),
        rules=rules(given),
    )
    if isinstance(found, Refused):
        return {"legal": False}
    return {"legal": True, "moved": found.moved, "shocked": list(found.shocked), "band": found.band}


def swept_models(given: Given) -> Given:
    length = 4.0
    nose = given["front_edge_x"]
    hull = Hull(Point(nose - length / 2, 0.0), 90.0, length, given["tank_width"])
    model = given["model"]
    return {
        "contact": bool(swept(hull, given["distance"], [Base(Point(model["x"], model["y"]), model["base_radius"])]))
    }


def displaced_model(given: Given) -> Given:
    hull, model = given["hull"], given["model"]
    length, width = hull["x1"] - hull["x0"], hull["y1"] - hull["y0"]
    centre = Point((hull["x0"] + hull["x1"]) / 2, (hull["y0"] + hull["y1"]) / 2)
    base = Base(Point(model["x"], model["y"]), model["base_radius"])
    way = tank_shock.ways_aside(Hull(centre, 90.0, length, width), base)[0]
    heading = round(bearing(base.centre, way)) % 360
    return {"direction": COMPASS[heading], "distance": round(apart(base.centre, way), 9)}


def _unit(given: Given) -> Given:
    own = {key: given[key] for key in ("ld", "falling_back", "fearless") if key in given}
    return {"at": 3, "tries": "never", **own}


def _shock(given: Given, units: list[Given], **more: Any) -> Asked:
    return Asked(TANK_SHOCK, given, {"units": units, "declared": 6, **more})


def tank_shock_morale(given: Given) -> Given:
    unit = Shocked("", 0.0, given["ld"], given.get("falling_back", False), given.get("fearless", False))
    odds = odds_of(morale, unit)
    return {"holds": text(odds.chance(True)), "falls_back": text(odds.chance(False))}


def tank_shock_morale_many(given: Given) -> Given:
    fled = _shock(given, [_unit({"ld": ld}) for ld in given["lds"]]).odds("units_fled")
    count = len(given["lds"])
    return {
        "both_hold": text(fled.chance(0)),
        "both_fall_back": text(fled.chance(count)),
        "exactly_one": text(fled.chance(1)),
    }


def _attack(attack: Given) -> Given:
    return dice_in_our_words({key: attack[key] for key in ("strength", "ap", "dice") if key in attack})


def _glory(given: Given, front: int, unit: Given) -> Asked:
    tries = {**_unit(given), "tries": "always", "glory": [_attack(given["attack"])], **unit}
    types = ["tank", "open_topped"] if given.get("open_topped") else ["tank"]
    return _shock(given, [tries], front=front, types=types, **_weapons(given))


def _weapons(given: Given) -> Given:
    return {"weapons": given["state"]["weapons"]} if "weapons" in given.get("state", {}) else {}


def tank_shock_with_dog(given: Given) -> Given:
    asked = _glory(given, given["front_av"], {})
    return asked.chances("falls_back", "tank_stops", "model_destroyed", "tank_completes_move")


def death_or_glory(given: Given) -> Given:
    asked = _glory(given, given["front_av"], {"fearless": True})
    return asked.chances("tank_stops", "model_destroyed", "tank_destroyed", "tank_explodes")


def death_or_glory_outcome(given: Given) -> Given:
    stopped = glory.stops(given["result"], rules(given))
    return {"tank_stops": stopped, "model_destroyed": not stopped}


def may_death_or_glory(given: Given) -> Given:
    refused = glory.refuse_glory(given["morale_passed"], given["model_in_path"])
    return {"legal": is_legal(refused)}


# --- rams -----------------------------------------------------------------------------------------------------------


def _vehicle(which: str, given: Given) -> Given:
    """The fields of one vehicle; only the side that is struck matters."""
    now = given.get("state", {})
    flags = {f"{which}_{one}": now[one] for one in ("shaken", "stunned", "immobilised", "weapons") if one in now}
    return {**flags, f"{which}_types": [one for one in TYPES if given.get(one)], f"{which}_front": given["impact_av"]}


def _way(given: Given) -> Given:
    """How far; the vectors give the inches driven, but not always the speed or the road that make them possible."""
    own = {one: True for one in TYPES if given["rammer"].get(one)}
    too_far = ramming.refuse_distance(given["distance"], Traits(**own), True, rules(given)) is not None
    types = [*own, "fast"] if too_far else [*own]
    return {"distance": given["distance"], "rammer_types": types, "on_road": True}


def _strengths(given: Given, other: str = "target") -> tuple[int, int]:
    return tuple(
        ramming.ram_strength(given[one]["impact_av"], given[one].get("tank", False), given["distance"], rules(given))
        for one in ("rammer", other)
    )  # type: ignore[return-value]


def ram_strength(given: Given) -> Given:
    rammer, target = _strengths(given)
    return {"rammer_hits_at": rammer, "target_hits_at": target}


def ram(given: Given) -> Given:
    values = {
        **_vehicle("rammer", given["rammer"]),
        **_vehicle("target", given["target"]),
        **_way(given),
        "target_struck": "front",
        "dodge": "choose" if given.get("dodge") else "never",
    }
    asked = Asked(RAM, given, values)
    names = ("destroyed", "exploded", "immobilised_or_worse", "unharmed")
    both = [f"{which}_{name}" for which in ("target", "rammer") for name in names]
    return {**ram_strength(given), **asked.chances("ram_happens", "rammer_continues", *both)}


def ram_declare(given: Given) -> Given:
    found = ramming.declare(traits(given), given["speed"], given.get("on_road", False), rules(given), state(given))
    return {"legal": False} if isinstance(found, Refused) else {"legal": True, "distance": found}


def ram_continues(given: Given) -> Given:
    target, rammer = (
        apply_results(Condition(weapons=("weapon",) * given.get(f"{which}_weapons", 1)), (given[f"{which}_result"],))
        for which in ("target", "rammer")
    )
    return {"continues": ramming.goes_on(target, rammer, rules(given))}


def ram_dodge(given: Given) -> Given:
    refused = ramming.refuse_dodge(
        traits(given, "target"), traits(given, "rammer"), state(given, "target_state"), rules(given)
    )
    if refused is not None:
        return {"may_dodge": False, "ram_happens": "1/1", "avoided": "0/1"}
    odds = odds_of(ramming.roll_dodge)
    return {"may_dodge": True, "ram_happens": text(odds.chance(False)), "avoided": text(odds.chance(True))}


def ram_dodge_roll(given: Given) -> Given:
    return {"ram_happens": not ramming.avoids(given["die"])}


def ram_dodge_outcome(given: Given) -> Given:
    avoided = ramming.avoids(given["die"])
    return {"rammer_hit": not avoided, "target_hit": not avoided, **({"rammer_stops": True} if avoided else {})}


def ram_through_unit(given: Given) -> Given:
    attack = given["dog_attack"]
    unit = _unit(given) if attack is None else {**_unit(given), "tries": "always", "glory": [_attack(attack)]}
    values = {"rammer_front": given["rammer_front_av"], "units": [unit], "distance": 6}
    return Asked(RAM, given, values).chances("ram_reached", "stopped_before")


def ram_walker(given: Given) -> Given:
    walker = given["walker"]
    rammer = {**given["rammer"], "impact_av": given["rammer"]["front_av"], "tank": True}
    values = {
        **_vehicle("rammer", rammer),
        **_vehicle("target", {**walker, "walker": True}),
        **_way({**given, "rammer": rammer}),
        f"target_{walker['impact_facing']}": walker["impact_av"],
        "target_rear": walker["rear_av"],
        "target_struck": walker["impact_facing"],
        "glory": [_attack(given["dog_attack"])],
    }
    both = {**given, "rammer": rammer}
    dealt, taken = _strengths(both, "walker")
    _, from_behind = _strengths({**both, "walker": {"impact_av": walker["rear_av"]}}, "walker")
    brace = {
        "rammer_hits_at": dealt,
        "walker_hits_at": taken,
        "walker_destroyed": text(Asked(RAM, given, {**values, "reaction": "brace"}).odds("target_destroyed").chance(1)),
    }
    try:
        asked = Asked(RAM, given, {**values, "reaction": "glory"})
    except Refused:
        return {"brace": brace, "death_or_glory": {"legal": False}}
    return {
        "brace": brace,
        "death_or_glory": {
            "legal": True,
            "rammer_stopped": text(asked.odds("rammer_stopped").chance(1)),
            "walker_hits_at_if_failed": from_behind,
            "walker_destroyed": text(asked.odds("target_destroyed").chance(1)),
        },
    }
