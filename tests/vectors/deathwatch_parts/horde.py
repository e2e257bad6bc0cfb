"""Blasts and flames, overwatch, suppressing fire and pinning, hordes."""

from __future__ import annotations

from typing import Any

from battletape.odds import Odds
from battletape.rulesets.deathwatch import (
    attack,
    blasts,
    checks,
    horde_attacks,
    hordes,
    keywords,
    pipeline,
    suppression,
)
from battletape.rulesets.deathwatch import horde_volleys as volleys
from battletape.rulesets.deathwatch.checks import odds_of
from battletape.rulesets.deathwatch.modifiers import Situation
from battletape.rulesets.deathwatch.specs import Aim, Attack, Guard, Spec
from battletape.rulesets.deathwatch.traits import SPOTS, Modifier, place_of
from battletape.tape.exact import Exact
from tests.vectors.deathwatch_parts import Given, is_legal, rules, text, texts

FURY: dict[str, dict[str, bool]] = {"none": {}, "confirm": {"eligible": True}, "auto": {"eligible": True, "sure": True}}
HALE = 10_000
"""Health that no attack takes, so that nobody dies before he catches fire."""


def _aim(given: Given, target: int, **more: Any) -> Aim:
    """An attack whose target number is known: nothing is added to it."""
    weapon = given.get("weapon", {})
    return Aim(
        given.get("confirm_target", target),
        target=target,
        mode=given.get("mode", "single"),
        rof=given.get("rof", 1),
        dice=weapon.get("dice", 1),
        flat=weapon.get("flat", 0) + given.get("sb", 0),
        pen=weapon.get("pen", 0),
        damage_type=weapon.get("damage_type", "E"),
        grade=given.get("craftsmanship", "common"),
        **FURY[given.get("rf", "none")],
        **more,
    )


def _qualities(given: Given) -> list[str]:
    found: list[str] = given.get("weapon", given).get("qualities") or []
    return found


# --- flames and blasts ------------------------------------------------------------------------------------------------


def flame_hit_probability(given: Given) -> Given:
    unbraced = given.get("heavy_unbraced", False)
    aim = blasts.flame_target(given["agility"], given["untrained"], unbraced, rules=rules(given))
    struck = odds_of(checks.check, aim, "agility", rules(given)).chance(False)
    return {"agility_target": aim, "p_struck": text(struck)}


def flame_attack(given: Given) -> Given:
    ruled, worn = rules(given), given["defender"]
    guard = Guard(
        ap=tuple(worn["ap"].get(spot, worn["ap"].get(place_of(spot), 0)) for spot in SPOTS),
        tb=worn["tb"],
        multiplier=worn.get("unnatural_toughness", 1),
        wounds=worn.get("wounds", 1),
        agility=given["agility"],
    )
    bonus = blasts.untrained_bonus(given["untrained"], given.get("heavy_unbraced", False), ruled)
    aim = _aim(given, given.get("bs", 0), flame_bonus=bonus)
    spec = keywords.ready(aim, ["Flame", *_qualities(given)], guard, ruled)
    start = pipeline.begin(spec, HALE, "conditions")
    found: Odds[Attack] = Exact().run(pipeline.procedure(spec, "conditions").stages, start)
    return {
        "p_struck": text(found.chance(lambda one: one.landed > 0)),
        "p_damaged": text(found.chance(lambda one: one.victim.health < HALE)),
        "p_on_fire": text(found.chance(_burns)),
    }


def _burns(one: Attack) -> bool:
    assert one.victim.conditions is not None
    return one.victim.conditions.on_fire


def blast_targets(given: Given) -> Given:
    return {"hit": list(blasts.caught(given["distances_m"], given["blast"]))}


def blast_catch_probability(given: Given) -> Given:
    names = [f"Blast ({given['blast']})", *_qualities(given)]
    spec = keywords.ready(_aim(given, given["target"]), names, rules=rules(given))
    found = odds_of(blasts.aimed_blast, spec)
    return {
        "p_direct": text(found.chance("direct")),
        "p_scatter": text(found.chance("scatter")),
        "p_total": text(found.chance(lambda how: how != "no")),
    }


def scatter_direction(given: Given) -> Given:
    return {"direction": blasts.direction_of(given["d10"])}


def scatter_direction_distribution(given: Given) -> Given:
    return {"dist": texts(odds_of(blasts.roll_direction).fractions())}


def scatter_still_hits(given: Given) -> Given:
    distance = rules(given).scatter_distance
    return {"p": text(odds_of(blasts.still_caught, given["blast"], distance).chance(True))}


# --- overwatch and suppressing fire -----------------------------------------------------------------------------------


def overwatch_attack(given: Given) -> Given:
    ruled = rules(given)
    if not is_legal(suppression.refuse_overwatch(given["action"])):
        return {"legal": False}
    fire = suppression.overwatch_fire(given["action"])
    own = Situation(other=tuple(Modifier("given", one) for one in given["other_modifiers"]))
    aim = checks.target(given["bs"], suppression.fire_modifiers(fire, True, own, ruled), ruled)
    mode = "suppress" if fire == "suppressing" else fire
    return {"legal": True, "target": aim, **_hits(_spec({**given, "mode": mode}, aim))}


def _spec(given: Given, target: int) -> Spec:
    return keywords.ready(_aim(given, target), _qualities(given), rules=rules(given))


def _hits(spec: Spec) -> Given:
    found = odds_of(attack.roll_hits, spec)
    hits = found.project(lambda one: one[1])
    return {"p_jam": text(found.chance(lambda one: one[0] == "jam")), "hits": texts(hits.fractions())}


def overwatch_duration(given: Given) -> Given:
    return {"hours": suppression.overwatch_hours(given["wp"], given.get("unnatural_willpower", 1))}


def in_kill_zone(given: Given) -> Given:
    return {
        "inside": [suppression.in_kill_zone(*_place(one), given["range_m"], rules(given)) for one in given["points"]]
    }


def suppress_zone(given: Given) -> Given:
    return {
        "inside": [suppression.is_suppressed(*_place(one), given["range_m"], rules(given)) for one in given["points"]]
    }


def _place(point: Given) -> tuple[float, float]:
    return point["distance_m"], point["bearing_deg"]


def suppressing_fire(given: Given) -> Given:
    return _hits(_spec({**given, "mode": "suppress"}, given["target"]))


def suppressing_fire_given_target(given: Given) -> Given:
    spec = _spec({**given, "mode": "suppress"}, given["target"])
    return {"p": text(odds_of(suppression.hits_first, spec, given["targets_in_area"]).chance(True))}


# --- pinning ----------------------------------------------------------------------------------------------------------


def pinning_probability(given: Given) -> Given:
    aim = suppression.pin_target(given["wp"], given["modifiers"], rules(given))
    return {"target": aim, "p_pinned": text(_pinned(aim, given))}


def _pinned(aim: int, given: Given) -> Any:
    return odds_of(suppression.is_pinned, aim, "willpower", rules(given)).chance(True)


def pinned_count(given: Given) -> Given:
    aims = tuple(suppression.pin_target(wp, given["modifiers"], rules(given)) for wp in given["wp"])
    return {"dist": texts(odds_of(suppression.count_pinned, aims, rules(given)).fractions())}


def pinning_recovery(given: Given) -> Given:
    aim = suppression.recovery_target(given["wp"], given["shot_at"], rules=rules(given))
    return {
        "target": aim,
        "p_recover": text(odds_of(suppression.recovers, aim, "willpower", rules(given)).chance(True)),
    }


def pinned_after(given: Given) -> Given:
    return {
        "p": text(odds_of(suppression.stays_pinned, given["wp"], tuple(given["shot_at"]), rules(given)).chance(True))
    }


def pinned_engaged(given: Given) -> Given:
    return {"pinned": suppression.engage(True).pinned}


def engage(given: Given) -> Given:
    return suppression.engage(given["pinned"])._asdict()


# --- hordes -----------------------------------------------------------------------------------------------------------


def horde_size_bonus(given: Given) -> Given:
    return {"modifier": hordes.size_bonus(given["magnitude"], rules(given))}


def _scored(given: Given) -> tuple[int, int | None, bool, int]:
    return given["base_hits"], given.get("blast"), given.get("explosive", False), given.get("devastating") or 0


def horde_hits(given: Given) -> Given:
    return {"hits": hordes.hits_on_horde(*_scored(given), rules(given))}


def horde_max_loss(given: Given) -> Given:
    return {"max_loss": hordes.max_loss(*_scored(given), rules(given))}


def horde_melee_hits(given: Given) -> Given:
    return {"hits": hordes.melee_hits(given["dos"], given["power_field"], rules(given))}


def horde_flame_hits(given: Given) -> Given:
    found = _onslaught(given, 0, "flame")
    hits = odds_of(volleys.score, found, found.spec(0)).project(lambda one: len(one[1]))
    return {"static": hordes.flame_hits(given["range_m"]), "dist": texts(hits.fractions())}


def horde_psychic_hits(given: Given) -> Given:
    return {"hits": hordes.psychic_hits(given["psy_rating"])}


def horde_armour(given: Given) -> Given:
    return {"ap": hordes.armour_at(given["armour"], given["location"])}


def horde_apply(given: Given) -> Given:
    return hordes.lose(given["magnitude"], given["net_damage"])._asdict()


def horde_allocate(given: Given) -> Given:
    return {"legal": is_legal(hordes.refuse_allocation(given["to"]))}


def horde_evasion(given: Given) -> Given:
    return hordes.may_evade()._asdict()


def horde_target_count(given: Given) -> Given:
    targets, rolls = hordes.attack_rolls(given["magnitude"])
    return {"targets": targets, "attack_rolls": rolls}


def horde_pinning(given: Given) -> Given:
    aim = hordes.pin_target(given["wp"], given["magnitude"], given["modifiers"], rules(given))
    return {"target": aim, "p_pinned": text(_pinned(aim, given))}


def horde_breaking(given: Given) -> Given:
    disciplined = given.get("disciplined", False)
    return hordes.breaking(given["starting"], given["current"], given["lost_this_turn"], disciplined)._asdict()


def horde_attack_profile(given: Given) -> Given:
    return horde_attacks.strength(given["magnitude"])._asdict()


def _onslaught(given: Given, target: int, kind: volleys.Kind, **more: Any) -> volleys.Onslaught:
    crowd = given.get("horde", {"ap": 0, "tb": 0})
    guard = hordes.guard_of(crowd["ap"], crowd["tb"], crowd.get("unnatural_toughness", 1))
    aim, reach = _aim(given, target, **more), given.get("range_m", 0)
    return volleys.onslaught(aim, _qualities(given), guard, kind, False, reach, rules=rules(given))


def _losses(given: Given, target: int, kind: volleys.Kind, **more: Any) -> Given:
    found = _onslaught(given, target, kind, **more)
    magnitude = given["horde"].get("magnitude", HALE)
    spec = found.spec(magnitude)
    lost = odds_of(volleys.volley, found, magnitude).project(lambda one: magnitude - one.magnitude)
    hit = attack.hit_for(spec, "body", 0, True)
    return {
        "target": target,
        "magnitude_lost": texts(lost.fractions()),
        "expected": text(lost.mean),
        "p_lost_at_least": {key: text(lost.at_least(int(key))) for key in given["asked"].get("p_lost_at_least", ())},
        "p_hit_damages": text(odds_of(volleys.hurts, hit).chance(True)),
        "hits_on_success": hordes.counted(attack.hits_of(spec, 0), found.count),
        "p": text(lost.chance(magnitude)),
    }


def horde_attack(given: Given) -> Given:
    return _losses(given, checks.target(given["bs"], given["modifiers"], rules(given)), "shoot")


def horde_destroy_probability(given: Given) -> Given:
    return horde_attack(given)


def horde_attack_melee(given: Given) -> Given:
    return _losses(given, checks.target(given["ws"], given["modifiers"], rules(given)), "melee", melee=True)


def horde_flame_attack(given: Given) -> Given:
    return _losses(given, given.get("bs", 0), "flame", flame=True)
