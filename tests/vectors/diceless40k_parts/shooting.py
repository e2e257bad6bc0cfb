"""Hit points, shooting, saves, casualties, and special rules of weapons."""

from __future__ import annotations

from typing import Any

from battletape.errors import Refused
from battletape.tape.question import Ask
from tests.diceless40k.log_lines import Share
from tests.vectors.diceless40k_parts import AN_HP, Said, ask, measured, named, play, play_told, value, values, yes
from tests.vectors.given import Given


def hit_points(given: Given) -> Said:
    return values(ask("casualties", dmg=0, wounds=given["W"], toughness=given["T"]), HP="hp_each")


# --- DMG ------------------------------------------------------------------------------------------------------------


def _rules(given: Given, **names: str) -> list[str]:
    return [ours for theirs, ours in names.items() if given.get(theirs)]


def shooting_damage(given: Given) -> Said:
    rules = _rules(given, reroll_hit="reroll_to_hit", reroll_wound="reroll_to_wound", twin_linked="twin_linked")
    gun = {**given.only("bs", "shots", "models"), "strength": given["s"], "rules": rules}
    return values(ask("shoot", guns=[gun]), dmg="dmg")


def sniper_damage(given: Given) -> Said:
    gun = {**given.only("bs", "shots", "models"), "rules": ["sniper"]}
    return values(ask("shoot", guns=[gun], toughness=given["target_t"]), dmg="dmg")


def shooting_packets(given: Given) -> Said:
    """Weapons of one name add up; their shots are those that are fired, so nothing is doubled at short range."""
    option = {True: "on", False: "off"}[given.get("heavy_range_bonus", False)]
    kinds: dict[str, list[Said]] = {}
    for weapon in given["weapons"]:
        gun = {
            **weapon.only("bs", "ap", "shots", "range"),
            "type": "heavy" if weapon["type"] == "heavy" else "assault",
            "models": weapon["count"],
            "strength": weapon["s"],
        }
        kinds.setdefault(weapon["name"], []).append(gun)
    packets = []
    for name, guns in kinds.items():
        shot = play("shoot", guns=guns, distance=given["distance"], heavy_range_bonus=option)
        packets += [{"name": name, "dmg": packet.dmg, "ap": packet.ap} for packet in shot.packets]
    return {"packets": packets}


def heavy_range_bonus(given: Given) -> Said:
    gun = {"type": "heavy", "range": given["max_range"]}
    return values(ask("shoot", guns=[gun], distance=given["distance"]), bs_bonus="range_bonus")


def template_damage(given: Given) -> Said:
    rules = _rules(given, twin_linked="twin_linked")
    gun = {"marker": "template", "hits": [given["hits"]], "strength": given["s"], "rules": rules}
    return values(ask("shoot", guns=[gun], distance=0), dmg="dmg")


def blast_damage(given: Given) -> Said:
    return values(ask("blast", hits=given["hits"], strength=given["s"]), dmg="dmg")


def gets_hot(given: Given) -> Said:
    again = given.get("reroll_hit", False)
    bs = given["bs_used"] - again  # what is given contains the +1 of a re-roll
    by_range = max(0, bs - 5)  # and from 6 on that of the range, for a profile with BS 6 would re-roll
    gun = {
        "bs": bs - by_range,
        "type": "heavy",
        "range": 12 * by_range,
        "strength": given["s"],
        "shots": given["shots"],
        "rules": ["gets_hot", *(["reroll_to_hit"] if again else [])],
        "firer_armour": given.get("save"),
        "firer_wounds": 10,
        "firer_toughness": 10,
        "firer_recorded": AN_HP - given["hp_left"],
    }
    used = given.get("token_used", False)
    tokens = {"hot_tokens": 1, "distance": 0}
    state = play("shoot", lambda asked: int(used) if "gets hot" in asked.label else None, guns=[gun], **tokens)
    firer = measured("shoot", state, dmg_to_firer="firer_dmg", hp_lost="firer_hp_lost", firer_dies="firers_dead")
    firer["firer_dies"] = {0: False, 1: True}[firer["firer_dies"]]
    return {**firer, **measured("shoot", state, shots_counted="shots", dmg_to_target="dmg")}


def night_sight(given: Given) -> Said:
    """The furthest target that is not refused."""
    seen = 0
    for inches in range(60):
        try:
            ask("shoot", guns=[{"range": 60}], night=True, distance=inches, **given.only("acute_senses"))
        except Refused as refused:
            if refused.clause != "DL-95.8":
                raise
            break
        seen = inches
    return {"inches": seen}


# --- saves ----------------------------------------------------------------------------------------------------------


def save_table(given: Given) -> Said:
    return values(ask("save_table", dmg=given["dmg"], armour=given.get("save")), hp_lost="hp_lost")


def save_with_rerolls(given: Given) -> Said:
    again = given.only("reroll_failed", "reroll_successful")
    answer = ask("save_table", dmg=given["dmg"], armour=given.get("save"), **again)
    return values(answer, column="column", hp_lost="hp_lost")


def null_zone(given: Given) -> Said:
    answer = ask("save_table", armour=None, null_zone=True, **given.only("dmg", "invulnerable"))
    return values(answer, column="column", hp_lost="hp_lost")


def best_save(given: Given) -> Said:
    saves = {"armour": None, **given.only("ap", "armour", "cover", "invulnerable", "assault")}
    answer = ask("save_table", **saves)
    return {"save": value(answer, "save") or None}


def feel_no_pain(given: Given) -> Said:
    answer = ask("save_table", dmg=given["hp_lost_after_saves"], armour=None, feel_no_pain=given.get("applies", False))
    return values(answer, hp_lost="hp_lost")


def feel_no_pain_allowed(given: Given) -> Said:
    attack = {"ap": given.get("ap"), "strength": given["s"], "toughness": given["t"]}
    never = given.get("ignores_armour_always", False)
    answer = ask("save_table", feel_no_pain=True, ignores_armour=never, **attack)
    return {"allowed": yes(answer, "feels_no_pain")}


def vulnerable_to_blasts(given: Given) -> Said:
    rules = given.only("dmg", "feel_no_pain")
    answer = ask("save_table", armour=given.get("save"), area=True, fragile=True, **rules)
    return values(answer, hp_lost="hp_lost")


def rending_split(given: Given) -> Said:
    return values(ask("rending", dmg=given["dmg"]), ap2="ap2", normal="normal")


def rending_resolve(given: Given) -> Said:
    names = ("ap2", "normal", "hp_from_ap2", "hp_from_normal", "hp_lost")
    return values(ask("rending", **{"armour": None, **given.plain()}), **{name: name for name in names})


def moonfang(given: Given) -> Said:
    answer = ask("rending", armour=None, assault=True, **given.only("dmg", "invulnerable"))
    said = values(answer, ap2="ap2", ap2_after_invulnerable="hp_from_ap2")
    return {**said, "instant_death": yes(answer, "slays")}


# --- casualties -----------------------------------------------------------------------------------------------------


def _group(given: Given) -> Said:
    return {"armour": None, **named(given, models="models", hp="hp_each", recorded="damage_recorded")}


def remove_casualties(given: Given) -> Said:
    answer = ask("casualties", dmg=given["hp_lost"], **_group(given))
    return values(answer, removed="removed", models_left="models_left", damage_recorded="recorded", overkill="overkill")


def instant_death(given: Given) -> Said:
    attack = {"dmg": given["hp_lost"], "strength": given["strength"], "toughness": given["toughness"]}
    answer = ask("casualties", **attack, **_group(given))
    said = values(answer, removed="removed", models_left="models_left", damage_recorded="recorded")
    said |= values(answer, overkill="overkill", hp_removed="hp_removed")
    return {**said, "instant_death": yes(answer, "instant_death")}


def complex_unit(given: Given) -> Said:
    groups = given["groups"]
    asked = [{"name": f"group {at}", **_group(group), "armour": group.get("save")} for at, group in enumerate(groups)]
    *others, last = asked
    wanted = given.get("leftover_to")
    names = [group["name"] for group in others]

    def leftover(asked: Ask) -> Any:
        name = asked.label.partition("leftover points on ")[2]
        return wanted[names.index(name)] if wanted is not None and name in names else None

    del last["name"]
    asked_of = {"dmg": given["dmg"], "ap": given.get("ap"), "others": others, **last}
    state, shares = play_told("casualties", leftover, **asked_of)
    told: list[Share | None] = [*shares] or [None] * len(groups)  # nothing is told of no damage
    return {
        **measured("casualties", state, per_model="per_model", leftover="leftover"),
        "groups": [
            {"name": group["name"], **_fared(one, after)}
            for group, one, after in zip(groups, told, state.target.groups, strict=True)
        ],
    }


def _fared(told: Share | None, group: Any) -> Said:
    """What a packet did to a group, and how the group stands then."""
    said = {
        "dmg": told.dmg if told else 0,
        "hp_lost": told.hp if told else 0,
        "removed": told.loss.removed if told else 0,
        "models_left": group.models,
        "damage_recorded": group.recorded,
        "overkill": told.loss.overkill if told else 0,
    }
    return {**said, "front_model_hp_left": group.front_hp} if group.models else said


def resolve_shooting(given: Given) -> Said:
    packet, target = given["packet"], given["target"]
    kind = packet.choice("kind", {"direct": "none", "blast": "blast", "template": "template"})
    gun: Said = {**packet.only("bs", "ap", "shots", "models"), "strength": packet["s"], "marker": kind}
    if kind != "none":
        gun["hits"] = [packet["hits"]]
    flags = ("feel_no_pain", "vulnerable_to_blasts")
    saves = {"armour": None, **target.only("armour", "cover", "invulnerable")}
    unit = {
        **named(target, models="models", hp="hp_each", recorded="damage_recorded", toughness="toughness"),
        **saves,
        "model_rules": [flag for flag in flags if target.get(flag)],
    }
    answer = ask("shoot", guns=[gun], distance=0, **unit)
    said = values(answer, dmg="dmg", after_save="after_save", hp_lost="hp_lost")
    said |= values(answer, removed="removed", models_left="models_left", damage_recorded="recorded")
    saved = ask("save_table", ap=packet.get("ap"), ignores_cover=kind == "template", **saves)
    return {**said, "save_used": value(saved, "save") or None}


# --- artillery ------------------------------------------------------------------------------------------------------


def artillery_split(given: Given) -> Said:
    gun = {**given.only("bs", "shots", "models"), "strength": given["s"], "ap": 5}
    answer = ask("shoot_artillery", guns=[gun], hp=AN_HP, armour=None)
    return values(answer, dmg_to_crew="crew_dmg", dmg_to_guns="guns_dmg")


def artillery_columns(given: Given) -> Said:
    answer = ask("shoot_artillery", dmg=given["dmg"], artillery_guns="one_dmg")
    return values(answer, crew="crew_dmg", guns="guns_dmg")
