"""Sustained fire, jams and force weapons: the questions sustained and force_weapon, and battles where jams are kept."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

from battletape import Battle, Odds, Refused, Typed, ruleset
from battletape.answer import Answer
from tests.vectors.given import Given

SYSTEM = ruleset("second_edition")
STRUCK = ("strength", "toughness", "save", "save_modifier", "save_dice", "wounds")
ALLOCATIONS = {"all_on_target": "target", "spread": "spread"}
MOST_DICE = 10
PHASES = {"shooting": "shooting", "hand_to_hand": "hand_to_hand", "hand-to-hand": "hand_to_hand"}


def _text(chance: Fraction) -> str:
    return f"{chance.numerator}/{chance.denominator}"


def _table(odds: Odds[Any]) -> dict[str, str]:
    return {str(value): _text(share) for value, share in odds.fractions().items()}


def _burst(**inputs: Any) -> Answer:
    """A burst that has hit."""
    asked: Answer = SYSTEM.ask(
        "sustained", automatic=True, sustained=MOST_DICE, measures=["burst", "models_hit"], **inputs
    )
    return asked


def _is_legal(question: str, **inputs: Any) -> bool:
    try:
        SYSTEM.ask(question, **inputs)
    except Refused:
        return False
    return True


def sustained(given: Given) -> dict[str, Any]:
    if "faces" in given:
        faces = [str(face) for face in given["faces"]]
        fired = {"automatic": True, "sustained": len(faces), "dice": len(faces), "strength": "none"}
        made = SYSTEM.roll("sustained", tape=Typed([" ".join(faces)]), **fired)
        return {"hits": made.results["hits"], "jams": made.results["jams"]}
    if "chosen" in given:
        return {"legal": _is_legal("sustained", dice=given["chosen"], sustained=given["maximum"])}
    if "same_unit" in given:
        return {"eligible": _takes_hits(given)}
    if "bs" in given:
        return _fired(given)
    if "eligible_neighbours" in given:
        models = 1 + given["eligible_neighbours"]
        allocation = given.choice("allocation", ALLOCATIONS)
        asked = _burst(dice=given["dice"], models=models, allocation=allocation, toughness="none")
        return {"models_hit": _table(asked.odds("models_hit"))}
    asked = _burst(dice=given["dice"])
    if "query" in given:
        given.choice("query", ("joint",))
        return {"joint": {f"{hits},{jams}": _text(p) for (hits, jams), p in asked.odds("burst").fractions().items()}}
    hits = asked.odds("hits")
    return {"hits": _table(hits), "mean_hits": _text(hits.mean), "jams": _table(asked.odds("jams"))}


def _takes_hits(given: Given) -> bool:
    """Whether a further hit may go to a model: whether it says so among the steps."""
    if "is_original" in given and given.choice("is_original", (True, False)):
        assert (given["same_unit"], given["distance"]) == (True, 0)
        assert given["need"] == given["original_need"]
        return any(hits > 1 for hits in _burst(dice=1).odds("hits").fractions())
    need, original = given["need"], given["original_need"]
    other = {"name": "B", "harder": need - original, **given.only("same_unit", "distance")}
    asked = SYSTEM.ask("sustained", need=original, apart=[other])
    said = [step.title for step in asked.steps if re.search(r"\bB\b", step.title)]
    return said == ["B may take further hits"]


def _fired(given: Given) -> dict[str, Any]:
    aim = {"bs": given["bs"], "modifier": sum(given["modifiers"])}
    dice = given["sustained_dice"]
    allocation = given.choice("allocation", ALLOCATIONS)
    struck = given.only(*STRUCK) | {"damage": str(given["damage"])}
    asked = SYSTEM.ask("sustained", **aim, **struck, sustained=dice, dice=dice, allocation=allocation)
    [to_hit] = [step.chance for step in asked.steps if step.title.startswith("To hit")]
    return {
        "p_hit": _text(to_hit),
        "hits": _table(asked.odds("hits")),
        "p_target_killed": _text(asked.odds("wiped_out").chance(1)),
    }


def jam(given: Given) -> dict[str, Any]:
    if "history" in given:
        given.choice("turns_are_separate", (True,), True)
        return _after(given["history"])
    if "action" in given:
        given.choice("action", ("clear_jam",))
        other = given["other_weapon"]
        battle = _in_phase(_battle({"the jammed one": 1, other: 0}), given.choice("phase", ("shooting",)))
        battle.push("clear_jam", unit="Ours", weapon="the jammed one")
        return {"may_shoot_other_weapon_this_phase": battle.refusal("burst", **_at_them(other)) is None}
    if "weapons" in given:
        battle = _in_phase(_battle({weapon["name"]: weapon["jams"] for weapon in given["weapons"]}), "shooting")
        fired = [option for option in battle.legal() if option.action.name == "burst"]
        return {"usable": [option.params.weapon for option in fired]}
    if "gunners" in given:
        guns = {gunner["weapon"]: gunner["jams"] for gunner in given["gunners"]}
        battle = _in_phase(_battle(guns, types=["vehicle"], toughness=None), "shooting")
        return {weapon: _may(battle, weapon) for weapon in guns}
    asked = _burst(dice=given["dice"])
    return {
        "p_jammed": _text(asked.odds("jammed").chance(1)),
        "mean_turns_lost": _text(asked.odds("jams").mean),
    }


DONE = {"burst": "shoot", "clear_jam": "clear_jam", "hold_fire": "hold"}


def _may(battle: Battle, weapon: str) -> list[str]:
    """What may be done with a weapon now."""
    legal = [option for option in battle.legal() if option.action.name in DONE]
    can = {DONE[option.action.name] for option in legal if option.params.weapon == weapon}
    return [done for done in ("shoot", "clear_jam", "hold") if done in can]


def _battle(jams: dict[str, int], **more: Any) -> Battle:
    """A model with weapons, each with its jams, and somebody to fire at."""
    guns = [{"name": name, "short_range": 100, "long_range": 100, "sustained": MOST_DICE} for name in jams]
    wear = [{"weapon": name, "jams": number} for name, number in jams.items() if number]
    carried = [{"name": name} for name in jams]
    ours = {
        "name": "Ours",
        "models": 1,
        "bs": 4,
        "toughness": 3,
        "weapons": carried,
        "arsenal": guns,
        "wear": wear,
        **more,
    }
    theirs = {"name": "Theirs", "models": 1, "toughness": 3}
    return Battle.new(SYSTEM, {"sides": [{"name": "A", "units": [ours]}, {"name": "B", "units": [theirs]}]})


def _at_them(weapon: str) -> dict[str, Any]:
    return {"unit": "Ours", "weapon": weapon, "target": "Theirs", "distance": 12}


def _in_phase(battle: Battle, phase: str) -> Battle:
    """The battle in this phase of the first side."""
    while (battle.where["side"], battle.where["phase"]) != ("A", phase):
        battle.push("end_phase")
    return battle


def _after(history: list[str]) -> dict[str, Any]:
    """A weapon that fires or is cleared, once in each turn: the jams it has, and whether it may fire in the next."""
    battle = _in_phase(_battle({"Gun": 0}), "shooting")
    for done in history:
        if done == "clear":
            battle.push("clear_jam", unit="Ours", weapon="Gun")
        else:
            _, faces = done.split(":")
            dice = faces.split(",")
            battle.push("burst", _at_them("Gun"), tape=Typed(["6", str(len(dice)), " ".join(dice)]))
        battle.push("end_turn")
        battle = _in_phase(battle, "shooting")
    return {
        "jams": battle.state.fighter("Ours").weapon("Gun").state.jams,
        "may_fire": battle.refusal("burst", _at_them("Gun")) is None,
    }


def force(given: Given) -> dict[str, Any]:
    if "psyker" in given:
        mastery = 1 if given.choice("psyker", (True, False)) else 0
        return {"legal": _is_legal("force_weapon", mastery=mastery)}
    used = given.only("user_strength", "mastery", "toughness", "save_modifier", "save_dice")
    if "phase" in given:
        used["phase"] = given.choice("phase", PHASES)
    if "weapon_strength" in given:
        used["strength"] = given["weapon_strength"]
    if "armour_save" in given:
        used["save"] = given["armour_save"]
    if "daemonic_aura_save" in given:
        used["aura"] = given["daemonic_aura_save"]
    if "target_is_daemon" in given and given.choice("target_is_daemon", (True, False)):
        used["types"] = ["daemon"]
    asked = SYSTEM.ask("force_weapon", **used)
    titles = [step.title for step in asked.steps]
    [strength] = [int(step.title.split()[-1]) for step in asked.steps if step.title.startswith("The blow has Strength")]
    wounds = [step for step in asked.steps if step.title.startswith("Strength")]
    rolled = [step.chance for step in asked.steps if step.title.startswith("To wound")]
    sure = "A force weapon wounds a daemon without a roll" in titles
    return {
        "strength": strength,
        "need": int(wounds[0].needed.rstrip("+")) if wounds and wounds[0].needed != "-" else None,
        "p_wound": "1/1" if sure else _text(rolled[0]) if rolled else "0/1",
        "aura_save_allowed": any(title.startswith("Aura save") for title in titles),
        "p_unsaved": _text(asked.odds("casualties").chance(1)),
    }
