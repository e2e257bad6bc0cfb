"""Critical rows, fatigue, fire, blood loss, and what special rules do after damage."""

from __future__ import annotations

from battletape.answer import Answer
from battletape.rulesets import deathwatch
from battletape.rulesets.deathwatch import afflictions, conditions, damage, effects
from battletape.rulesets.deathwatch import criticals as rows
from battletape.rulesets.deathwatch.checks import odds_of
from battletape.rulesets.deathwatch.conditions import body_of
from battletape.rulesets.deathwatch.damage import Hit
from tests.vectors.deathwatch_parts import Given, rules, text, texts

ENOUGH = 500  # wounds: nobody dies


def critical_table(given: Given) -> Given:
    name, pages = rows.table_of(given["damage_letter"])
    return {"table": name, "pages": pages}


def critical_death_probability(given: Given) -> Given:
    odds = odds_of(rows.kills, *(given[key] for key in ("damage_type", "location_class", "row", "toughness")))
    return {"p_dead": text(odds.chance(True))}


# --- fatigue ----------------------------------------------------------------------------------------------------------


def fatigue_state(given: Given) -> Given:
    found = conditions.fatigue_state(given["tb"], given["fatigue"], rules(given))
    return {
        "test_modifier": found.modifier,
        "unconscious": found.unconscious,
        "unconscious_minutes": found.minutes,
    }


def fatigue_rest(given: Given) -> Given:
    return {"fatigue": conditions.rest(given["fatigue"], given["hours"])}


def fatigue_wake(given: Given) -> Given:
    return {"fatigue": conditions.wake(given["tb"], given["fatigue"])}


# --- special rules ----------------------------------------------------------------------------------------------------


def concussive(given: Given) -> Given:
    cap = rules(given).modifier_cap
    odds = odds_of(effects.is_stunned, given["toughness"], given["dos"], rules(given))
    target = effects.concussive_target(given["toughness"], given["dos"], cap)
    return {"target": target, "p_stunned": text(odds.chance(True))}


def concussive_knockdown(given: Given) -> Given:
    return {"prone": [effects.knocks_down(case["net"], case["sb"]) for case in given["cases"]]}


def shocking(given: Given) -> Given:
    hit = _hit(given)
    odds = odds_of(effects.shock, given["net"], hit)
    return {
        "target": effects.shocking_target(given["toughness"], given["armour_ap"], hit.body.cap),
        "p_stunned": text(odds.at_least(1)),
        "rounds": effects.shocking_rounds(given["net"], hit.body.shock_down),
    }


def toxic(given: Given) -> Given:
    hit = _hit(given)
    odds = odds_of(effects.poison, given["net"], hit)
    return {
        "target": effects.toxic_target(given["toughness"], given["net"], hit.body.cap),
        "p_extra": text(odds.at_least(1)),
        "mean_extra": text(odds.mean),
    }


def _hit(given: Given) -> Hit:
    return Hit("body", ap=given.get("armour_ap", 0), body=body_of(0, given["toughness"], rules=rules(given)))


def snare(given: Given) -> Given:
    held = odds_of(effects.is_snared, given["agility"], rules(given))
    free = odds_of(effects.escapes_within, given["strength"], given["agility"], given["turns"], rules(given))
    return {"p_immobilised": text(held.chance(True)), "p_escape_within": text(free.chance(True))}


def smoke(given: Given) -> Given:
    odds = odds_of(effects.smoke_screen)
    across, lasts = odds.project(lambda cloud: cloud.across), odds.project(lambda cloud: cloud.rounds)
    return {
        "p_diameter_ge_20": text(across.at_least(20)),
        "p_duration_le_5": text(lasts.at_most(5)),
        "mean_diameter": text(across.mean),
        "mean_duration": text(lasts.mean),
    }


def haywire_effect(given: Given) -> Given:
    return {"effect": effects.field_of(given["roll"])}


def devastating_cohesion(given: Given) -> Given:
    return {"cohesion_damage": effects.cohesion_damage(given["x"])}


def overheat_damage(given: Given) -> Given:
    reduced = damage.reduction(given["arm_ap"], tb=given["tb"], rules=rules(given))
    hit = Hit("arm", dice=given["dice"], flat=given["flat"], reduction=reduced, damage_type="E", most=ENOUGH)
    net = odds_of(damage.net, hit, hit.most)
    return {"reduction": reduced, "p_damage": text(net.at_least(1)), "max_net": max(net.fractions())}


# --- fire and blood ---------------------------------------------------------------------------------------------------


def on_fire_round(given: Given) -> Given:
    found = _burning(given, 1)
    (fatigue,) = found.odds("fatigue").fractions()
    return {"net_dist": texts(found.odds("damage").fractions()), "fatigue": fatigue}


def on_fire_total(given: Given) -> Given:
    return {"p": text(_burning(given, given["rounds"]).odds("damage").at_least(given["at_least"]))}


def _burning(given: Given, rounds: int) -> Answer:
    options = given.get("options", {})
    return deathwatch.RULESET.ask("burning", tb=given["tb"], wounds=ENOUGH, rounds=rounds, puts_out=False, **options)


def extinguish(given: Given) -> Given:
    odds = odds_of(afflictions.put_out, given["agility"], (), rules(given))
    return {"target": afflictions.put_out_target(given["agility"], (), rules(given)), "p": text(odds.chance(True))}


def blood_loss_survival(given: Given) -> Given:
    return {"p_alive": text(_bleeding(given, given["rounds"]).odds("alive").chance(True))}


def blood_loss_death_round(given: Given) -> Given:
    return {"p": text(_bleeding(given, given["round"]).odds("dies_in").chance(given["round"]))}


def blood_loss_expected_rounds(given: Given) -> Given:
    return {"expected": text(afflictions.expected_rounds(rules(given).blood_loss_percent))}


def blood_loss_with_medic(given: Given) -> Given:
    return {"p": text(_bleeding(given, given["rounds"]).odds("treated").chance(True))}


def treat_blood_loss(given: Given) -> Given:
    odds = odds_of(afflictions.treat, given["medicae"], (), rules(given))
    return {"target": afflictions.treat_target(given["medicae"], (), rules(given)), "p": text(odds.chance(True))}


def _bleeding(given: Given, rounds: int) -> Answer:
    return deathwatch.RULESET.ask("bleeding", rounds=rounds, medicae=given.get("medicae"), **given.get("options", {}))
