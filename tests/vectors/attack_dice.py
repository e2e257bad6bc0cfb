"""Vectors of attack_dice: each shape of question as calls of the public API."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from battletape import Battle, Odds, Refused, ruleset
from battletape.rulesets.attack_dice.attack import defence_met, pools
from battletape.rulesets.attack_dice.damage import apply_losses, make_ranks
from battletape.rulesets.attack_dice.field import weapons_left
from battletape.rulesets.attack_dice.keywords import melee_effects
from battletape.rulesets.attack_dice.melee import Situation, refuse_target
from battletape.rulesets.attack_dice.modifiers import chance, chances, resolve, shifted, value_shown
from battletape.rulesets.attack_dice.requirement import (
    Requirement,
    deviations,
    effective,
    find_requirement,
    parse_requirement,
    top_face,
)
from battletape.rulesets.attack_dice.rulings import Rulings
from battletape.rulesets.attack_dice.saves import armour_is_denied, save_chance, save_number, unsaved_chance
from battletape.rulesets.attack_dice.survey import census, checksum, compare_methods, line_counts
from tests.vectors.given import Given, known

SYSTEM = ruleset("attack_dice")
SPILL = {True: "spills", False: "lost"}


def text(chance: Fraction) -> str:
    return f"{chance.numerator}/{chance.denominator}"


def table(odds: Odds[Any]) -> dict[str, str]:
    return {str(value): text(share) for value, share in odds.fractions().items()}


def rulings(given: dict[str, Any], **more: Any) -> Rulings:
    """The rulings a vector names; the sheet's own dice where it names none."""
    named = {key: given[key] for key in ("method", "chart_errata", "modifier_policy", "numbering") if key in given}
    dice = {"dice": given["dice"]} if "dice" in given else {}
    saves = {"save_dice": given["save_dice"]} if "save_dice" in given else {}
    spill = {"spill": SPILL[given["spill"]]} if isinstance(given.get("spill"), bool) else {}
    return Rulings(**{**dice, **named, **saves, **spill, **more})


def named(rules: Rulings) -> dict[str, Any]:
    return {name: getattr(rules, name) for name in rules.__struct_fields__}


def answer(vector: dict[str, Any]) -> dict[str, Any]:
    given: Given = vector["given"]
    if "query" in given:
        return survey(given, "formula" if vector["question"] == "formula" else "chart")
    asked = {
        "chart": look_up,
        "formula": look_up,
        "d6": look_up,
        "dice": dice,
        "modifier": dice,
        "melee": melee,
        "saves": saves,
        "sequence": attack,
        "hp": hp,
        "config": config,
    }
    return known(asked, "question", vector["question"])(given)


def look_up(given: dict[str, Any]) -> dict[str, Any]:
    if "entry" in given:
        return dice(given)
    rules = rulings(given, **({"facing_rule": "on"} if "facing" in given else {}))
    cover = given.get("cover", {"stat": "defence", "amount": 0})
    melee = {"attacker_melee": "M1", "target_melee": "M1"} if given.get("engaged") else {}
    melee |= {key: given[key] or "" for key in ("attacker_melee", "target_melee") if key in given}
    around = {"cover_stat": cover["stat"], "cover": cover["amount"], "facing": given.get("facing", "none"), **melee}
    bonus = {key: given[key] for key in ("power_bonus", "defence_bonus") if key in given}
    asked = SYSTEM.ask("chart", power=given["power"], defence=given["defence"], **bonus, **around, **named(rules))
    power, defence = effective(asked.start.shots[0].power, defence_met(asked.start), rules)
    found = find_requirement(power, defence, rules)
    return {
        **described(found, rules),
        "effective_power": power,
        "effective_defence": defence,
        "p_success": text(asked.odds("successes").at_least(1)),
    }


def described(found: Requirement, rules: Rulings) -> dict[str, Any]:
    return {
        "entry": found.show(top_face(rules)),
        "auto": found.is_automatic,
        "multiplier": found.times,
        "hp_multiplier": found.times,
        "line": found.line,
    }


def survey(given: dict[str, Any], method: str) -> dict[str, Any]:
    rules = rulings(given, method=given.get("method", method))
    if given["query"] == "deviations":
        given.choice("rule", ["difference"])
        found = deviations(given["dice"], given.get("chart_errata", "printed"))
        return {"cells": sum(census(rules).values()), "deviations": [list(one) for one in found]}
    if given["query"] == "census":
        return {"counts": census(rules)}
    if given["query"] == "line_counts":
        return {"cells": sum(line_counts(rules).values()), "counts": line_counts(rules)}
    if given["query"] == "compare_methods":
        return dict(compare_methods(rules))
    return {"sum": text(checksum(rules))}


def dice(given: dict[str, Any]) -> dict[str, Any]:
    rules = rulings(given)
    if "shown" in given:
        value, fails = value_shown(given["shown"], rules)
        return {"value": value, "always_fails": fails}
    if "entries" in given:
        return {"p_success": [text(chance(parse_requirement(one), 0, rules)) for one in given["entries"]]}
    found, modifier = parse_requirement(given["entry"]), given.get("modifier", 0)
    if "rolls" in given:
        return {"success": list(resolve(found, given["rolls"], modifier, rules))}
    steps = [text(one) for one in chances(found, modifier, rules)]
    return {
        "p_success": text(chance(found, modifier, rules)),
        "multiplier": found.times,
        "dice_rolled": shifted(found, modifier, rules)[0].rolls,
        **dict(zip(("p_first", "p_second"), steps, strict=False)),
    }


def situation(given: dict[str, Any]) -> Situation:
    return Situation(
        attacker_melee=given.get("attacker_melee") or "",
        target_melee=given.get("target_melee") or "",
        friend_in_target_melee=given.get("friendly_in_target_melee", False),
        embarked=given.get("embarked", False),
        distance=given.get("distance"),
        line_of_sight=given.get("line_of_sight", True),
    )


def melee(given: dict[str, Any]) -> dict[str, Any]:
    if "weapon_range" in given:
        refused = refuse_target(situation(given), given["weapon_range"])
        return {"legal": refused is None, "reason": refused.kind if refused else None}
    if "cover" in given:
        return look_up(given)
    rules = rulings(given)
    effects = melee_effects(given["weapon_class"], situation(given), rules)
    result: dict[str, Any] = {
        "modifier": effects.modifier,
        "parts": {name: amount for name, amount, _ in effects.parts},
        "range_unlimited": effects.range_unlimited,
        "ignore_los": effects.ignore_line_of_sight,
        "ignore_cover": effects.ignore_cover,
    }
    if "power" in given:
        asked = SYSTEM.ask(
            "chart",
            power=given["power"],
            defence=given["defence"],
            weapon_class=given["weapon_class"],
            attacker_melee=given["attacker_melee"] or "",
            target_melee=given["target_melee"] or "",
            friend_in_target_melee=given["friendly_in_target_melee"],
            embarked=given["embarked"],
            **named(rules),
        )
        result["entry"] = find_requirement(given["power"], given["defence"], rules).show(top_face(rules))
        result["p_success"] = text(asked.odds("successes").at_least(1))
    return result


def saves(given: dict[str, Any]) -> dict[str, Any]:
    if "d6" in given:
        on_d6, on_d10 = Rulings(save_dice="d6"), Rulings(save_dice="d10")
        chances = {"p_d6": text(save_chance(given["d6"], on_d6)), "p_d10": text(save_chance(given["d6"], on_d10))}
        return {"d10": save_number(given["d6"], on_d10), **chances}
    rules = rulings(given)
    rolled = given["armour"] is not None and not armour_is_denied(given["armour"], given["ap"])
    return {
        "armour_rolled": rolled,
        "p_armour": text(save_chance(given["armour"] if rolled else None, rules)),
        "p_aegis": text(save_chance(given["aegis"], rules)),
        "p_unsaved": text(unsaved_chance(given["armour"], given["aegis"], given["ap"], rules)),
    }


def attack(given: dict[str, Any]) -> dict[str, Any]:
    rules = rulings(given)
    if "weapons" in given:
        target = given["target"]
        asked = SYSTEM.ask("volley", weapons=given["weapons"], models=1, **target, **named(rules))
        found = None
    else:
        keys = ("power", "defence", "attacks", "armour", "aegis", "ap")
        models = given.get("models", 1)
        hp = given.get("hp_each", given.get("target_hp", 1))
        inputs = {**{key: given[key] for key in keys}, "modifier": given.get("modifier", 0), "models": models, "hp": hp}
        asked = SYSTEM.ask("attack", **inputs, **named(rules))
        found = find_requirement(given["power"], given["defence"], rules)
    damage, fell = asked.odds("damage"), asked.odds("casualties")
    result: dict[str, Any] = {
        "hp_loss": table(damage),
        "mean": text(fell.mean if "models" in given else damage.mean),
        "p_casualty": text(asked.odds("wiped_out").chance(1)),
        "p_wiped_out": text(asked.odds("wiped_out").chance(1)),
        "p_hp_loss": text(damage.at_least(1)),
        "casualties": table(fell),
    }
    if found:
        result["entry"] = found.show(top_face(rules))
        result["p_success"] = text(chance(found, given.get("modifier", 0), rules))
        result["p_unsaved"] = text(unsaved_chance(given["armour"], given["aegis"], given["ap"], rules))
    return result


def hp(given: dict[str, Any]) -> dict[str, Any]:
    if "power" in given:
        return attack(given)
    ranks = make_ranks(given["models"], given["hp_each"])
    before = given.get("hp_lost_before", 0)
    if "hp_loss_events" in given:
        both = [apply_losses(ranks, before, given["hp_loss_events"], SPILL[one]) for one in given["spill"]]
        return {"casualties": [one.casualties for one in both], "remaining_pool": [one.remaining_hp for one in both]}
    after = apply_losses(ranks, before, [1] * given["hp_loss"], SPILL[given.get("spill", True)])
    return {
        "remaining_hp": after.remaining_hp,
        "remaining_pool": after.remaining_hp,
        "casualties": after.casualties,
        "casualties_total": after.casualties,
        "models_left": after.models_left,
        "wounded_model_hp": after.next_model_hp,
        "unit_casualty": after.unit_casualty,
        "excess": after.excess,
    }


def config(given: dict[str, Any]) -> dict[str, Any]:
    if "groups" in given:
        groups = [(one["profile"], one["target"], one["models"], one["attacks"]) for one in given["groups"]]
        found = [{"profile": p, "target": t, "dice": n} for (p, t), n in pools(groups).items()]
        return {"pools": found}
    if "profiles" in given:
        return {"available": weapons_left(given["profiles"], given["used"])}
    if "request" in given:
        return change_method(given)
    return attack(given) if "attacks" in given else look_up(given)


def change_method(given: dict[str, Any]) -> dict[str, Any]:
    battle = Battle.new(SYSTEM, rulings={"method": given["method"]})
    if given["game_started"]:
        battle.push("start")
    try:
        battle.push("agree", ruling="method", value=given["request"])
    except Refused:
        return {"accepted": False, "method": battle.state.rules.method}
    return {"accepted": True, "method": battle.state.rules.method}
