"""Weapons and armour, fire modes and ammunition, jams, melee actions, two weapons, bare fists."""

from __future__ import annotations

from battletape.rulesets.deathwatch import checks, evasion, firing, keywords, melee, modifiers, profiles, words
from battletape.rulesets.deathwatch.checks import odds_of
from battletape.rulesets.deathwatch.modifiers import Situation
from battletape.rulesets.deathwatch.profiles import Weapon
from battletape.rulesets.deathwatch.traits import place_of
from tests.vectors.deathwatch_parts import Given, is_legal, rules, text, texts

BOOK = profiles.book()


def _weapon(name: str) -> Weapon:
    found: Weapon = BOOK.find("weapon", name)
    return found


def _rof(weapon: Weapon) -> Given:
    return {"single": weapon.single, "semi": weapon.semi or None, "full": weapon.full or None}


# --- profiles ---------------------------------------------------------------------------------------------------------


def ranged_weapon_profile(given: Given) -> Given:
    weapon = _weapon(given["name"])
    varies = profiles.is_launcher(weapon)
    return {
        "group": weapon.group,
        "class": weapon.kind,
        "range_m": weapon.range,
        "rof": _rof(weapon),
        "damage": None if varies else weapon.damage,
        "damage_type": None if varies else weapon.damage_type,
        "pen": None if varies else weapon.pen,
        "clip": weapon.clip,
        "reload": words.reload(weapon.reload),
        "qualities": ["varies with ammunition"] if varies else list(weapon.qualities),
    }


def ranged_weapon_count(given: Given) -> Given:
    return {"count": sum(one.number.startswith("DW-RWEP") for one in BOOK.entries["weapon"].values())}


def melee_weapon_profile(given: Given) -> Given:
    weapon = _weapon(given["name"])
    same = ("group", "damage", "damage_type", "pen", "doubles_sb")
    found = {name: getattr(weapon, name) for name in same}
    return {**found, "class": weapon.kind, "qualities": list(weapon.qualities)}


def combi_secondary(given: Given) -> Given:
    weapon = profiles.secondary(_weapon(given["secondary"]))
    same = {name: getattr(weapon, name) for name in ("clip", "damage", "damage_type", "pen")}
    return {
        **same,
        "rof": _rof(weapon),
        "range_m": weapon.range,
        "reload": words.reload(weapon.reload),
    }


def armour_profile(given: Given) -> Given:
    found = BOOK.find("armour", given["name"])
    return {"ap": {place: getattr(found, place) for place in ("head", "arm", "body", "leg")}}


def armour_combined(given: Given) -> Given:
    suit = profiles.worn([BOOK.find("armour", name) for name in given["pieces"]])
    return {"ap": getattr(suit, place_of(given["location"]))}


def melee_damage_range(given: Given) -> Given:
    weapon = _weapon(given["name"])
    flat = given.get("sb_flat", 0)
    sb = melee.strength_bonus(given["sb_base"], given["sb_multiplier"], flat, weapon, rules(given))
    found = melee.damage_span(weapon, sb)
    return {"sb_applied": found.sb, "min": found.least, "max": found.most}


# --- guns -------------------------------------------------------------------------------------------------------------


def fire_mode_available(given: Given) -> Given:
    return {"available": is_legal(firing.refuse_mode(_weapon(given["name"]), given["mode"], rules=rules(given)))}


def ammo_used(given: Given) -> Given:
    weapon, qualities = _weapon(given["name"]), keywords.values(given["qualities"])
    return {"rounds": firing.rounds_used(weapon, given["mode"], qualities, rules(given))}


def bursts_until_empty(given: Given) -> Given:
    """The vector does not say how many rounds a semi-auto burst has; storm bolters have two."""
    qualities = keywords.values(given["qualities"])
    found = firing.bursts(given["clip"], given["rof"], qualities, rules(given))
    gun = _weapon("Astartes Storm Bolter")
    semi = firing.refuse_mode(gun, "semi", found.rounds_left, qualities=qualities, rules=rules(given))
    return {"bursts": found.bursts, "rounds_left": found.rounds_left, "semi_still_available": is_legal(semi)}


def allocate_extra_hits(given: Given) -> Given:
    return {"legal": [is_legal(firing.refuse_allocation(one)) for one in given["separation_m"]]}


def reload_actions(given: Given) -> Given:
    reload, qualities = firing.parse_reload(given["reload"]), keywords.values(given["qualities"])
    return {"full_actions": firing.reload_actions(reload, qualities)}


def recharge(given: Given) -> Given:
    fired = given["fired_round"]
    return {"may_fire": {str(one): firing.may_fire_after(fired, one) for one in range(fired + 1, fired + 3)}}


def clear_jam(given: Given) -> Given:
    return firing.clear_jam(given["clip_before"], given["success"], rules(given))._asdict()


def clear_jam_probability(given: Given) -> Given:
    aim = firing.clear_target(given["bs"], given.get("modifiers", ()), rules=rules(given))
    return {"p": text(odds_of(firing.clear_within, aim, given["attempts"], rules(given)).chance(True))}


# --- two weapons ------------------------------------------------------------------------------------------------------


def two_weapon_single(given: Given) -> Given:
    hand = "off" if given["off_hand"] else "main"
    added = melee.hand_modifiers(hand, False, given["ambidextrous"], rules(given))
    aim = checks.target(given["skill"], added, rules(given))
    return {"target": aim, "p_hit": text(odds_of(melee.hits_of, (aim,), rules(given)).chance(1))}


def two_weapon_attack(given: Given) -> Given:
    talents = ["Two Weapon Wielder"] if given["two_weapon_wielder"] else []
    if not is_legal(melee.refuse_both((), talents)):
        return {"legal": False}
    hands = (melee.hand_modifiers(hand, True, given["ambidextrous"], rules(given)) for hand in ("main", "off"))
    main, off = (checks.target(given["skill"], added, rules(given)) for added in hands)
    odds = odds_of(melee.hits_of, (main, off), rules(given))
    return {"legal": True, "target_each": main, "hits": texts(odds.fractions())}


def two_gun_targets(given: Given) -> Given:
    return {"legal": is_legal(melee.refuse_two_targets(given["separation_m"]))}


def two_weapon_legal(given: Given) -> Given:
    return {"legal": is_legal(melee.refuse_two_weapons([_weapon(name) for name in given["weapons"]]))}


# --- bare fists -------------------------------------------------------------------------------------------------------


def unarmed_hit(given: Given) -> Given:
    found = odds_of(melee.fist_hit, given["sb"], given["armour_ap"], given["tb"], melee.BARE, 1, rules(given))
    nets = found.project(lambda blow: blow.net).fractions()
    return {"net_dist": texts(nets), "p_fatigue": text(found.chance(lambda blow: blow.tires))}


def unarmed_raw(given: Given) -> Given:
    return {"dist": texts(odds_of(melee.fist_raw, given["sb"]).fractions())}


def unarmed_attack_fatigue(given: Given) -> Given:
    aim = checks.target(given["ws"], given["modifiers"], rules(given))
    found = odds_of(melee.fist_attack, aim, given["sb"], given["armour_ap"], given["tb"], rules(given))
    return {"target": aim, "p_fatigue": text(found.chance(lambda blow: blow.tires))}


# --- melee actions ----------------------------------------------------------------------------------------------------


def swift_attack(given: Given) -> Given:
    return {"hits": texts(odds_of(melee.hits_of, (given["target"],) * given["attacks"], rules(given)).fractions())}


def multiple_attacks_count(given: Given) -> Given:
    numbers = {name: melee.attacks_of([name]) for name in given["talents"]}
    return {name.split()[0].lower(): number for name, number in numbers.items()}


def multiple_attacks_legal(given: Given) -> Given:
    return {"legal": is_legal(melee.refuse_multiple(given["weapons"], given["talents"]))}


def stun_action(given: Given) -> Given:
    aim = checks.target(given["ws"], [melee.action_modifier("stun")], rules(given))
    found = odds_of(melee.stun, aim, given["sb"], given["target_tb"], given["target_head_ap"], rules(given))
    return {"target": aim, "rounds_dist": texts(found.fractions())}


def stun_action_probability(given: Given) -> Given:
    aim = checks.target(given["ws"], [melee.action_modifier("stun")], rules(given))
    found = odds_of(melee.stun, aim, given["sb"], given["target_tb"], given["target_head_ap"], rules(given))
    return {"p_stunned": text(found.at_least(1))}


def guarded_attack(given: Given) -> Given:
    ruled, qualities = rules(given), keywords.values(given["parry_qualities"])
    dodge = modifiers.dodge_modifiers(Situation(guarded=True), ruled)
    return {
        "attack_target": checks.target(given["ws"], [melee.action_modifier("guarded")], ruled),
        "parry_target": evasion.parry_target(given["ws"], qualities, True, ruled),
        "dodge_target": evasion.dodge_target(given["dodge"], dodge, ruled),
    }


def defensive_stance(given: Given) -> Given:
    aim = melee.target_against_stance(given["attacker_ws"], rules(given))
    return {"reactions": melee.reactions(True), "attacker_target": aim}
