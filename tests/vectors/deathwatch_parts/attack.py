"""Locations, attack rolls, damage, wounds, evasion, whole attacks."""

from __future__ import annotations

from typing import Any

from battletape.odds import Odds
from battletape.rulesets.deathwatch import (
    attack,
    checks,
    damage,
    keywords,
    locations,
    modifiers,
    pipeline,
    profiles,
    reports,
    tables,
    wounds,
)
from battletape.rulesets.deathwatch import evasion as evading
from battletape.rulesets.deathwatch.checks import odds_of
from battletape.rulesets.deathwatch.evasion import Reacting
from battletape.rulesets.deathwatch.specs import Aim, Attack, Guard, Spec
from battletape.rulesets.deathwatch.traits import SPOTS, Modifier, place_of
from battletape.tape.exact import Exact
from tests.vectors.deathwatch_parts import Given, is_legal, rules, text, texts
from tests.vectors.flat import FlatDice

ROLL = (attack.roll_to_hit, attack.check_jam)
FURY = {"none": {}, "confirm": {"eligible": True}, "auto": {"eligible": True, "sure": True}}
AIMED = 10


def _guard(given: Given) -> Guard:
    worn = given.get("defender", {})
    cover, hidden = given.get("cover") or {"ap": 0}, (given.get("cover") or {}).get("hidden", ())
    tries = given.get("evasion") or {}
    how = next((how for how in ("dodge", "parry") if f"{how}_target" in tries), "none")
    ap = worn.get("ap", {})
    return Guard(
        ap=tuple(ap.get(spot, ap.get(place_of(spot), 0)) for spot in SPOTS),
        cover=tuple(cover["ap"] if spot in hidden or place_of(spot) in hidden else 0 for spot in SPOTS),
        tb=worn.get("tb", 0),
        multiplier=worn.get("unnatural_toughness", 1),
        wounds=worn.get("wounds", 1),
        dodge=tries.get("dodge_target"),
        parry=tries.get("parry_target"),
        reaction=how,  # type: ignore[arg-type]
    )


def _spec(given: Given, guard: Guard | None = None, **more: Any) -> Spec:
    """An attack whose target number is given; qualities stand in the vector or in its weapon."""
    weapon = {**given, **given.get("weapon", {})}
    aim = Aim(
        given.get("target", 0),
        target=given.get("target", 0),
        melee=given.get("melee", False),
        mode=given.get("mode", "single"),
        rof=given.get("rof", 1),
        kind=weapon.get("class", "Basic"),
        band=given.get("range_band", "normal"),
        aimed=AIMED if given.get("aimed") else 0,
        called=_spot(given.get("called_location")),
        grade=given.get("craftsmanship", "common"),
        dice=weapon.get("dice", 1) if isinstance(weapon.get("dice", 1), int) else 1,
        sides=int(weapon.get("die", "d10")[1:]),
        flat=weapon.get("flat", 0),
        pen=weapon.get("pen", 0),
        damage_type=weapon.get("damage_type", "X"),
        **FURY[given.get("rf", "none")],
        **more,
    )
    return keywords.ready(aim, weapon.get("qualities", ()), guard or _guard(given), rules(given))


def _spot(called: str | None) -> Any:
    return next((spot for spot in SPOTS if called in (spot, place_of(spot))), None)


def _attacks(given: Given, *stages: Any, guard: Guard | None = None, **more: Any) -> Odds[Attack]:
    return Exact().run((*ROLL, *stages), pipeline.begin(_spec(given, guard, **more)))


# --- locations --------------------------------------------------------------------------------------------------------


def hit_location(given: Given) -> Given:
    number = locations.reversed_digits(given["attack_roll"], rules(given).hit_location)
    return {"reversed": number, "location": locations.spot_of(number)}


def location_roll(given: Given) -> Given:
    return {"location": locations.spot_of(given["roll"])}


def location_roll_distribution(given: Given) -> Given:
    return {"dist": texts(odds_of(locations.roll_spot).fractions())}


def multiple_hit_locations(given: Given) -> Given:
    return {"classes": list(locations.sequence(given["first"], given["hits"]))}


def attack_roll_locations(given: Given) -> Given:
    spec = _spec(given)
    status, _, hits = attack.outcome(spec, given["roll"])
    first = attack.first_spot(spec, given["roll"])
    return {"status": status, "hits": hits, "classes": list(locations.sequence(first, hits))}


def hit_location_distribution(given: Given) -> Given:
    found = _attacks(given, by_side=True).project(lambda one: one.first)
    return {
        "p_hit": text(found.chance(lambda first: first != "")),
        "joint": {spot: text(found.chance(spot)) for spot in SPOTS},
    }


def location_hits_distribution(given: Given) -> Given:
    place = given["location_class"]
    found = _attacks(given, attack.set_places)
    return {"dist": texts(found.project(lambda one: sum(hit.spot == place for hit in one.items)).fractions())}


def head_hits_distribution(given: Given) -> Given:
    return location_hits_distribution({**given, "location_class": "head"})


# --- attack rolls -----------------------------------------------------------------------------------------------------


def hits_distribution(given: Given) -> Given:
    found = odds_of(attack.roll_hits, _spec(given))
    hits = found.project(lambda one: one[1])
    return {
        "p_jam": text(found.chance(lambda one: one[0] == "jam")),
        "p_overheat": text(found.chance(lambda one: one[0] == "overheat")),
        "p_hit": text(hits.at_least(1)),
        "hits": texts(hits.fractions()),
        "expected_hits": text(hits.mean),
    }


def attack_target(given: Given) -> Given:
    added = [Modifier(one["source"], one["value"]) for one in given.get("modifiers", ())]
    weapon = profiles.book().find("weapon", given["weapon"]) if "weapon" in given else None
    total, _ = checks.total(added, rules(given))
    target = checks.target(given["skill"], added, rules(given))
    melee = given.get("melee", weapon is not None and weapon.melee)
    simple = {name: given[name] for name in ("mode", "rof", "craftsmanship", "options") if name in given}
    found = hits_distribution({**simple, "target": target, "melee": melee})
    sources = {one.source for one in added}
    who = Reacting(all_out="all out attack" in sources)
    return {
        "modifier_total": total,
        "target": target,
        "p_hit": found["p_hit"],
        "p_jam": found["p_jam"],
        "damage_flat_bonus": tables.craftsmanship(given.get("craftsmanship", "common")).damage,
        "attacker_may_dodge": is_legal(evading.refuse_dodge(who)),
        "attacker_may_parry": is_legal(evading.refuse_parry(who)),
        "location": "chosen" if "called shot" in sources else "rolled",
    }


def attack_roll(given: Given) -> Given:
    status, degrees, hits = attack.outcome(_spec(given), given["roll"])
    return {"status": status, "dos": degrees if status == "hit" else None, "hits": hits}


def attack_roll_pair(given: Given) -> Given:
    return {mode: attack_roll({"rof": 2, **given, "mode": mode})["status"] for mode in ("semi", "single")}


def no_jam_streak(given: Given) -> Given:
    return {"p": text(odds_of(attack.never_jams, _spec(given), given["bursts"]).chance(True))}


# --- damage -----------------------------------------------------------------------------------------------------------


def _hit(given: Given, guard: Guard | None = None) -> damage.Hit:
    tearing = ["Tearing"] if given.get("tearing") else []
    fury = given.get("rf", "none")
    spec = _spec({**given, "target": given.get("confirm_target", 0), "rf": fury, "qualities": tearing}, guard)
    return attack.hit_for(spec, "body", given.get("dos", 0), True)


def damage_probability(given: Given) -> Given:
    found = odds_of(damage.raw, _hit(given), max(given["at_least"]))
    return {"p": {str(least): text(found.at_least(least)) for least in given["at_least"]}}


def damage_mean(given: Given) -> Given:
    return {"mean": text(damage.mean(_hit(given)))}


def hit_net_probability(given: Given) -> Given:
    guard = Guard(ap=(given["armour_ap"],) * 6, cover=(given.get("cover_ap", 0),) * 6, tb=given["tb"])
    hit = _hit(given, guard)
    found = odds_of(damage.net, hit, max(given["at_least"]))
    return {"reduction": hit.reduction, "p": {str(least): text(found.at_least(least)) for least in given["at_least"]}}


def horde_hit_probability(given: Given) -> Given:
    guard = Guard(ap=(given["horde_ap"],) * 6, tb=given["tb"])
    kinds = {"p_none": "none", "p_confirm": "confirm", "p_auto": "auto", "p": given["rf"]}
    return {
        key: text(odds_of(damage.net, _hit({**given, "rf": fury}, guard), 1).chance(1))
        for key, fury in kinds.items()
        if fury in FURY
    }


def tearing_stats(given: Given) -> Given:
    found = odds_of(damage.roll_dice, _hit({**given, "tearing": True}))
    return {"mean": text(found.project(lambda one: one[0]).mean), "p_any_10": text(found.chance(lambda one: one[1]))}


def tearing_distribution(given: Given) -> Given:
    found = odds_of(damage.roll_dice, _hit({**given, "tearing": True}))
    return {"dist": texts(found.project(lambda one: one[0]).fractions())}


def p_any_10(given: Given) -> Given:
    return {"p": text(odds_of(damage.roll_dice, _hit(given)).chance(lambda one: one[1]))}


def rf_probability(given: Given) -> Given:
    return {
        "p_trigger": p_any_10(given)["p"],
        "p_confirmed": text(odds_of(damage.is_furious, _hit({**given, "rf": given.get("rf", "confirm")})).chance(True)),
    }


def rf_chain(given: Given) -> Given:
    found = {str(least): text(damage.fury_at_least(least)) for least in given["at_least"]}
    return {"p": found, "mean": text(damage.FURY_MEAN)}


def rf_count(given: Given) -> Given:
    sides = int(given.get("die", "d10")[1:])
    return {"rf_rolls": damage.fury_rolls(given["dice_shown"], sides, given.get("eligible", True))}


def net_damage(given: Given) -> Given:
    guard = Guard(
        ap=(given["armour_ap"],) * 6,
        cover=(given.get("cover_ap", 0) if given.get("location_hidden", True) else 0,) * 6,
        tb=given["tb"],
        multiplier=given.get("unnatural_toughness", 1),
    )
    spec = _spec(given, guard, felling=given.get("felling", 0), doublings=given.get("ap_doublings", 0))
    reduction = spec.hits[0].reduction
    return {"reduction": reduction, "net": damage.net_of(given["damage"], reduction)}


def effective_tb(given: Given) -> Given:
    return {
        "tb": damage.effective_tb(
            given["tb"], given.get("unnatural_toughness", 1), given.get("felling", 0), rules=rules(given)
        )
    }


def primitive(given: Given) -> Given:
    nets = []
    for also in (False, True):
        guard = Guard(ap=(given["armour_ap"],) * 6, tb=given["tb"], primitive=also)
        spec = _spec({**given, "qualities": ["Primitive"]}, guard)
        nets.append(damage.net_of(given["damage"], spec.hits[0].reduction))
    return {"net_vs_normal": nets[0], "net_vs_primitive_armour": nets[1]}


def razor_sharp(given: Given) -> Given:
    return {"pen": damage.pen_of(given["pen"], given["dos"])}


def sanctified(given: Given) -> Given:
    return {"damage": damage.net_of(given["damage"], 0), "holy": keywords.values(["Sanctified"]).sanctified}


# --- wounds -----------------------------------------------------------------------------------------------------------


def apply_damage_sequence(given: Given) -> Given:
    found = wounds.add_up(given["wounds"], given["net_damage"])
    return {
        "log": [
            {"damage_taken": one.damage_taken, "critical_total": one.critical_total, "critical_row": one.row}
            for one in found
        ]
    }


def damage_category(given: Given) -> Given:
    return {"category": wounds.category(given["damage_taken"], given["tb"], given.get("critical_total", 0))}


def sudden_death(given: Given) -> Given:
    return {"dead_after": list(wounds.dead_after(given["wounds"], given["net_damage"]))}


def critical_row(given: Given) -> Given:
    return {"row": wounds.row_reached(given["critical_total"])}


# --- evasion ----------------------------------------------------------------------------------------------------------


def evasion(given: Given) -> Given:
    who = Reacting(stunned=given.get("defender_stunned", False), feinted=given.get("feinted", False))
    found = odds_of(evading.hits_left, given["hits"], given["dodge_target"], who, rules(given))
    return {"net_hits": texts(found.fractions())}


def hits_after_dodge(given: Given) -> Given:
    guard = Guard(dodge=given["dodge_target"], reaction="dodge")
    found = _attacks(given, evading.evade, guard=guard).project(lambda one: one.landed)
    return {"net_hits": texts(found.fractions()), "expected": text(found.mean)}


def melee_vs_parry(given: Given) -> Given:
    guard = Guard(parry=given["parry_target"], reaction="parry")
    found = _attacks({"target": given["attack_target"], "melee": True}, evading.evade, guard=guard)
    return {"p_lands": text(found.chance(lambda one: one.landed > 0))}


def parry_target(given: Given) -> Given:
    found = evading.parry_target(given["ws"], keywords.values(given["qualities"]), rules=rules(given))
    return {"legal": is_legal(found), "target": found if isinstance(found, int) else None}


def parry_legal(given: Given) -> Given:
    return {"legal": is_legal(evading.refuse_parry(melee=given["attack"] == "melee"))}


def reactions(given: Given) -> Given:
    return {"may_react": is_legal(evading.refuse_reaction(Reacting(budget=given["budget"], used=given["used"])))}


def power_field_parry(given: Given) -> Given:
    qualities = keywords.values(given["qualities"])
    target = evading.parry_target(given["ws"], qualities, rules=rules(given))
    assert isinstance(target, int)
    guard = Guard(parry=target, parry_field=qualities.power_field, reaction="parry")
    field = ["Power Field"] if given["attacker_weapon_power_field"] else []
    sure = _spec({**given, "target": 100, "melee": True, "qualities": field}, guard)
    found = Exact().run((*ROLL, evading.evade), pipeline.begin(sure))
    return {
        "p_parry": text(found.chance(lambda one: not one.landed)),
        "p_destroy": text(found.chance(lambda one: one.weapon_broken)),
    }


# --- qualities --------------------------------------------------------------------------------------------------------


def accurate_bonus(given: Given) -> Given:
    to_hit, dice = keywords.accurate_bonus(modifiers.AIM_BONUS[given["aim"]])
    return {"to_hit": to_hit, "max_extra_dice": dice}


def accurate_dice(given: Given) -> Given:
    aim = Aim(
        0,
        mode=given["mode"],
        kind=given["weapon_class"],
        aimed=AIMED if given["aimed"] else 0,
        rules=rules(given),
    )
    return {"extra_dice": attack.accurate_dice(given["dos"]) if keywords.takes_accurate_dice(aim) else 0}


def lightning_claw_bonus(given: Given) -> Given:
    return {"single": keywords.claw_damage(given["dos"]), "pair": keywords.claw_damage(given["dos"], pair=True)}


# --- whole attacks ----------------------------------------------------------------------------------------------------


def attack_outcome(given: Given) -> Given:
    keys = [int(key) for key in given["asked"]["p_total_at_least"]]
    most = max(keys)
    worn = {**given.get("defender", {}), "wounds": most}
    spec = _spec({**given, "defender": worn})
    found = Exact().run(pipeline.procedure(spec, "health"), pipeline.begin(spec, detail="health"))
    total = found.project(lambda one: most - one.victim.health)
    return {"p_total_at_least": {str(key): text(total.at_least(key)) for key in keys}}


def resolve_scripted(given: Given) -> Given:
    tape = FlatDice(given["dice"])
    spec = _spec(given)
    worn = given["defender"]
    left = worn["wounds"] - worn.get("damage_taken", 0) - worn.get("critical_total", 0)
    report = reports.resolve(tape, spec, left)
    return {
        "status": report.status,
        "dos": report.degrees,
        "dof": report.failure,
        "hits": report.hits,
        "negated": report.negated,
        "locations": list(report.places),
        "resolved": [
            {
                "location": one.place,
                "kept": list(one.kept),
                "rf_confirmed": one.confirmed,
                "rf_extra": one.extra,
                "damage": one.damage,
                "reduction": one.reduction,
                "net": one.net,
                "critical_row": one.row,
            }
            for one in report.landed
        ],
        "damage_taken": report.damage_taken,
        "critical_total": report.critical_total,
        "dice_used": tape.used,
    }
