"""Assaults, explosions, walkers and nerves."""

from __future__ import annotations

from typing import Any

from battletape.inputs import parse_inputs
from battletape.odds import Odds
from battletape.rulesets.vehicles5 import assault as assaults
from battletape.rulesets.vehicles5 import explosion, troops, walkers
from battletape.rulesets.vehicles5.ask_contact import ASSAULT
from battletape.rulesets.vehicles5.ask_explosion import EXPLOSION
from battletape.rulesets.vehicles5.closed_forms import reaches
from battletape.rulesets.vehicles5.profiles import book
from battletape.system import Question
from battletape.tape.exact import Exact
from tests.vectors.vehicles5_parts import DICE, Given, is_legal, odds_of, rules, state, text, traits

KINDS = {"krak": "krak", "melta_bomb": "melta_bomb", "defensive_assault": "assault"}
DAMAGE = ("unchanged", "destroyed", "wrecked", "exploded", "immobilised_or_worse")


class Asked:
    """A question worked out from plain values, as a player would ask it."""

    def __init__(self, question: Question, given: Given, values: Given) -> None:
        self.question, ruled = question, rules(given)
        assert question.fill is not None
        self.inputs = parse_inputs(question.inputs, question.fill(values, book()))
        self.start = question.begin(self.inputs, ruled)
        self.states = Exact().run(question.procedure(self.inputs, ruled).stages, self.start)

    def odds(self, measure: str) -> Odds[Any]:
        return self.states.project(self.question.measure(measure).of)

    def chances(self, *measures: str) -> Given:
        return {one: text(self.odds(one).chance(1)) for one in measures}


def _target(given: Given) -> Given:
    now = given.get("state", {})
    flags = ("shaken", "stunned", "immobilised")
    return {**{one: now.get(one, False) for one in flags}, "weapons": now.get("weapons", 0)}


def assault(given: Given) -> Given:
    attack = given["attack"]
    values = {
        **_target(given),
        "rear": given["rear_av"],
        "types": ("open_topped",) if given.get("open_topped") else (),
        "attacks": given["attacks"],
        "strength": attack["strength"],
        "dice": DICE[attack["dice"]],
        "grenade": KINDS.get(attack.get("kind", ""), ""),
        "assault_band": given["assault_band"],
    }
    return Asked(ASSAULT, given, values).chances(*DAMAGE)


def fight_walker(given: Given) -> Given:
    values = {
        **_target(given),
        "front": given["front_av"],
        "types": ("walker", "open_topped") if given.get("open_topped") else ("walker",),
        "attacks": given["attacks"],
        "needs": given["to_hit"],
        "strength": given["attack"]["strength"],
        "dice": DICE[given["attack"]["dice"]],
    }
    asked = Asked(ASSAULT, given, values)
    wounds = asked.odds("combat_wounds")
    return {
        **asked.chances(*DAMAGE),
        "mean_combat_wounds": text(wounds.mean),
        "no_combat_wound": text(wounds.chance(0)),
    }


def assault_attacks(given: Given) -> Given:
    models = given["engaged_or_within_2in" if "engaged_or_within_2in" in given else "models"]
    return {"attacks": assaults.attacks(models, given["A"], given["two_weapons"], given["charged"], given["grenades"])}


def _needed(needs: int) -> Given:
    return {"to_hit": needs or "auto", "probability": text(reaches(needs))}


def assault_to_hit(given: Given) -> Given:
    return _needed(assaults.to_hit(given["assault_band"], given["immobilised"]))


def assault_facing(given: Given) -> Given:
    return {"facing": assaults.facing(traits(given), given["contact_facing"], rules(given))}


def assault_strikers(given: Given) -> Given:
    models = [(one["hull_gap"], one.get("nearest_engaged_friend")) for one in given["models"]]
    return {"strikers": assaults.strikers(models)}


def assault_aftermath(given: Given) -> Given:
    found = assaults.aftermath(traits(given))
    return {name: getattr(found, name) for name in found.__struct_fields__}


def may_assault(given: Given) -> Given:
    refused = assaults.refuse_assault(given.get("target_side") == "friendly", given.get("in_reach", True))
    return {"legal": is_legal(refused)}


def explosion_reach(given: Given) -> Given:
    asked = Asked(EXPLOSION, given, {"models": [{"distance": given["distance"]}]})
    return {"hit": text(asked.odds("reached").chance(1))}


def explosion_count(given: Given) -> Given:
    asked = Asked(EXPLOSION, given, {"models": [{"distance": one} for one in given["distances"]]})
    chances = sorted(asked.odds("reached").fractions().items())
    return {"hits": {str(number): text(chance) for number, chance in chances}}


def explosion_kill(given: Given) -> Given:
    asked = Asked(EXPLOSION, given, {"models": [{key: given[key] for key in ("distance", "toughness", "save")}]})
    return {"unsaved_wound": text(asked.odds("casualties").chance(1))}


def passenger_explosion(given: Given) -> Given:
    values = {
        "passengers": given["passengers"],
        "passenger_toughness": given["toughness"],
        "passenger_save": given["save"],
        "passenger_wounds": given.get("wounds_each", 1),
        "open_topped": given["open_topped"],
        "ld": given.get("ld"),
    }
    asked = Asked(EXPLOSION, given, values)
    one = Asked(EXPLOSION, given, {**values, "passengers": 1})
    return {
        "hits": asked.start.passengers.models,
        "strength": asked.start.strength,
        "per_hit": text(one.odds("passengers_lost").chance(1)),
        "mean_casualties": text(asked.odds("passengers_lost").mean),
        "at_least_half": text(asked.odds("half_or_more").chance(1)),
        **asked.chances("no_casualty", "all_dead", "pinned"),
    }


def wreck_passengers(given: Given) -> Given:
    way = explosion.wreck_exit(given["passengers"], given["room_at_access"], given["room_within_2in"], rules(given))
    return {name: getattr(way, name) for name in way.__struct_fields__}


def pinning(given: Given) -> Given:
    source = given.get("source", "")
    odds = odds_of(troops.roll_pinning, given["ld"], source)
    return {
        "effective_ld": troops.effective_ld(given["ld"], source),
        "pass": text(odds.chance(False)),
        "pinned": text(odds.chance(True)),
    }


def walker_attacks(given: Given) -> Given:
    return {"attacks": walkers.attacks(given["A"], given["dccw"], given["charged"], state(given), rules(given))}


def walker_strength(given: Given) -> Given:
    return {"strength": walkers.strength(given["S"], given["dccw"])}


def walker_to_hit(given: Given) -> Given:
    now = state(given, "walker_state")
    needs = walkers.to_hit(given["attacker_ws"], given["walker_ws"], given["grenade"], now, rules(given))
    return _needed(needs)


def walker_legality(given: Given) -> Given:
    refused = walkers.refuse_walker(
        given["action"],
        fired=given.get("fired", False),
        target_is_fired_unit=given.get("target_is_fired_unit", True),
        ran=given.get("ran", False),
        state=state(given),
        rules=rules(given),
    )
    turned = {name: getattr(walkers.PIVOT, name) for name in walkers.PIVOT.__struct_fields__}
    return {"legal": is_legal(refused), **(turned if given["action"] == "pivot_when_firing" else {})}


def walker_run(given: Given) -> Given:
    odds = odds_of(walkers.roll_run)
    chances = sorted(odds.fractions().items())
    return {"distance": {str(inches): text(chance) for inches, chance in chances}, "mean": text(odds.mean)}
