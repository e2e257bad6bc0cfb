"""Critical rows, fatigue, fire, blood loss, and what special rules do after damage."""

from __future__ import annotations

from typing import Any

from battletape.answer import Answer
from tests.vectors.deathwatch_parts import (
    BARE,
    BRIEF,
    HALE,
    SPOTS,
    SURE,
    SYSTEM,
    Dice,
    among,
    ask,
    battle,
    fighter,
    gun,
    only,
    roll,
    text,
    texts,
)
from tests.vectors.given import Given

Answers = dict[str, Any]
CRITICAL: dict[str, Any] = {**BARE, "mode": "single", "health": 0, "damage": "1d10", "pen": 0, "qualities": (), **BRIEF}
"""A shot at somebody without armour who has no wounds left: each critical row is as likely."""


def critical_table(given: Given) -> Answers:
    """A hit with such damage reaches a critical row, and the log names its table; the pages stand above it."""
    shot = roll(given, "shoot", Dice(1, 1), **CRITICAL, damage_type=given["damage_letter"], to_hit=SURE)
    (name,) = (line.text.partition(",")[0] for line in shot.log if ", row " in line.text)
    (title,) = (table.title for table in SYSTEM.tables() if table.title.startswith(f"Critical effects: {name.lower()}"))
    return {"table": name, "pages": title.rstrip(")").rpartition(" ")[2]}


def critical_death_probability(given: Given) -> Answers:
    place = given.choice("location_class", SPOTS)
    shot = ask(given, "shoot", **CRITICAL, **given.only("damage_type", "toughness"), called=place, to_hit=50)
    return {"p_dead": text(among(shot, "dead", hits=1, critical_row=given["row"]).chance(1))}


# --- fatigue ----------------------------------------------------------------------------------------------------------


def fatigue_state(given: Given) -> Answers:
    """What a test feels of it, and how somebody so tired begins a battle: who is out for no minute loses a turn."""
    test = ask(given, "test", fatigue=given["fatigue"])
    now = _tired(given, toughness=0, toughness_bonus=given["tb"]).conditions
    return {
        "test_modifier": only(test.odds("modifier")),
        "unconscious": bool(now.unconscious or now.stunned),
        "unconscious_minutes": now.unconscious,
    }


def _tired(given: Given, **more: Any) -> Any:
    who = fighter("A", fatigue=given["fatigue"], **more)
    return battle(given, [who], [fighter("B", 0, 20)]).state.fighter("A")


def fatigue_rest(given: Given) -> Answers:
    """Of somebody so tough that he stays awake."""
    tough = {"toughness": 150, "unnatural_toughness": 3}
    return {"fatigue": _tired(given, rested=given["hours"], **tough).conditions.fatigue}


def fatigue_wake(given: Given) -> Answers:
    return {"fatigue": _tired(given, woken=True, toughness=0, toughness_bonus=given["tb"]).conditions.fatigue}


# --- special rules ----------------------------------------------------------------------------------------------------


def _told(found: Any, rule: str) -> int:
    """The first number that the log tells of a rule."""
    return next(int(line.result) for line in found.log if rule in line.clauses and line.result and not line.question)


def concussive(given: Given) -> Answers:
    blow = {**BARE, "qualities": ["Concussive"], "success_degrees": given["dos"], "toughness": given["toughness"]}
    stunned = ask(given, "hit", **blow).odds("stunned")
    target = _told(roll(given, "hit", Dice(), **blow), "DW-QUAL-CONCUSSIVE")
    return {"target": target, "p_stunned": text(stunned.at_least(1))}


def concussive_knockdown(given: Given) -> Answers:
    found = []
    for case in given["cases"]:
        blow = _through(case["net"], target_sb=case["sb"], qualities=["Concussive"])
        found.append(bool(roll(given, "hit", Dice(1), **blow).results["prone"]))
    return {"prone": found}


def _through(net: int, **more: Any) -> dict[str, Any]:
    """A hit that does this damage if its die shows a one; nothing is taken from it."""
    return {**BARE, "damage": f"1d10{net - 1:+d}", **more}


def shocking(given: Given) -> Answers:
    ap = given["armour_ap"]
    body = {"body": ap, "pen": ap, "toughness": given["toughness"], "qualities": ["Shocking"]}
    blow = _through(given["net"], **body)
    stunned, frail = (
        among(ask(given, "hit", **{**blow, "toughness": number}), "stunned", through=given["net"])
        for number in (given["toughness"], 0)  # somebody whom it may stun whatever he wears
    )
    return {
        "target": _told(roll(given, "hit", Dice(1), **blow), "DW-QUAL-SHOCKING"),
        "p_stunned": text(stunned.at_least(1)),
        "rounds": max(frail.values()),
    }


def toxic(given: Given) -> Answers:
    blow = _through(given["net"], pen=0, toughness=given["toughness"], qualities=["Toxic"])
    poison = among(ask(given, "hit", **blow), "poison", through=given["net"])
    return {
        "target": _told(roll(given, "hit", Dice(1), **blow), "DW-QUAL-TOXIC"),
        "p_extra": text(poison.at_least(1)),
        "mean_extra": text(poison.mean),
    }


def snare(given: Given) -> Answers:
    """Held by the snare; and out of it by the better of Strength and Agility within so many turns."""
    agility, strength = given["agility"], given["strength"]
    held = ask(given, "hit", qualities=["Snare"], agility=agility).odds("held")
    ways = (ask(given, "test", characteristic=way, tries=given["turns"]) for way in (strength, agility))
    free = max(answer.odds("success").chance(1) for answer in ways)
    return {"p_immobilised": text(held.chance(1)), "p_escape_within": text(free)}


def smoke(given: Given) -> Answers:
    found = ask(given, "hit", qualities=["Smoke"])
    across, lasts = found.odds("smoke_across"), found.odds("smoke_rounds")
    return {
        "p_diameter_ge_20": text(across.at_least(20)),
        "p_duration_le_5": text(lasts.at_most(5)),
        "mean_diameter": text(across.mean),
        "mean_duration": text(lasts.mean),
    }


def haywire_effect(given: Given) -> Answers:
    found = roll(given, "hit", Dice(given["roll"], own=["haywire field"]), qualities=["Haywire (1)"])
    return {"effect": found.results["field"].replace(" ", "_")}


def devastating_cohesion(given: Given) -> Answers:
    """What a squad loses of its cohesion by one shot of such a weapon."""
    weapon = gun(qualities=[f"Devastating ({given['x']})"])
    fight = battle(given, [fighter("A", arsenal=[weapon])], [fighter("B", 0, 20)], cohesion=10)
    fight.push("shoot", target="B", mode="single", tape=Dice(1))
    left = dict(fight.state.cohesion)
    return {"cohesion_damage": left["ours"] - left["theirs"]}


def overheat_damage(given: Given) -> Answers:
    blow = {**BARE, "damage": f"{given['dice']}d10{given['flat']:+d}", "damage_type": "E", "pen": 0, "qualities": ()}
    found = ask(given, "hit", **{**blow, "place": "right_arm", "arm": given["arm_ap"], "tb": given["tb"]})
    through = found.odds("through")
    return {
        "reduction": found.start.hit.reduction,
        "p_damage": text(through.at_least(1)),
        "max_net": max(through.values()),
    }


# --- fire and blood ---------------------------------------------------------------------------------------------------


def on_fire_round(given: Given) -> Answers:
    found = _burning(given, 1)
    return {"net_dist": texts(found.odds("damage")), "fatigue": only(found.odds("fatigue"))}


def on_fire_total(given: Given) -> Answers:
    return {"p": text(_burning(given, given["rounds"]).odds("damage").at_least(given["at_least"]))}


def _burning(given: Given, rounds: int) -> Answer:
    return ask(given, "burning", tb=given["tb"], wounds=HALE, rounds=rounds, puts_out=False)


def extinguish(given: Given) -> Answers:
    """Somebody on fire puts it out in a battle."""
    fight = battle(given, [fighter("A", agility=given["agility"], on_fire=True)], [fighter("B", 0, 20)])
    odds = fight.odds("put_out")
    return {"target": odds.start.target, "p": text(odds.odds("done").chance(1))}


def blood_loss_survival(given: Given) -> Answers:
    return {"p_alive": text(ask(given, "bleeding", rounds=given["rounds"]).odds("alive").chance(True))}


def blood_loss_death_round(given: Given) -> Answers:
    return {"p": text(ask(given, "bleeding", rounds=given["round"]).odds("dies_in").chance(given["round"]))}


def blood_loss_expected_rounds(given: Given) -> Answers:
    return {"expected": text(ask(given, "bleeding", rounds=1).odds("bled").mean)}


def blood_loss_with_medic(given: Given) -> Answers:
    found = ask(given, "bleeding", **given.only("medicae", "rounds"))
    return {"p": text(found.odds("treated").chance(True))}


def treat_blood_loss(given: Given) -> Answers:
    """One try, before anybody can die of it."""
    found = ask(given, "bleeding", rounds=1, medicae=given["medicae"], blood_loss_percent=0)
    return {"target": found.start.medic, "p": text(found.odds("treated").chance(True))}
