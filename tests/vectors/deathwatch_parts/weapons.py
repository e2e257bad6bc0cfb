"""Weapons and armour, fire modes and ammunition, jams, melee actions, two weapons, bare fists."""

from __future__ import annotations

from typing import Any

from battletape import Battle
from tests.vectors.deathwatch_parts import (
    BARE,
    BRIEF,
    HALE,
    SPOTS,
    SYSTEM,
    Dice,
    among,
    ask,
    battle,
    fighter,
    gun,
    may,
    only,
    printed,
    row_of,
    text,
    texts,
    until,
)
from tests.vectors.given import Given

Answers = dict[str, Any]
VARIES = "by ammunition"
PLACES = ("head", "arm", "body", "leg")


def _rof(weapon: Any) -> dict[str, Any]:
    return {"single": weapon.single, "semi": weapon.semi or None, "full": weapon.full or None}


# --- profiles ---------------------------------------------------------------------------------------------------------


def ranged_weapon_profile(given: Given) -> Answers:
    weapon, row = SYSTEM.book.find("weapon", given["name"]), row_of("Ranged weapons", given["name"])
    varies = row[4] == VARIES
    return {
        "group": weapon.group,
        "class": weapon.kind,
        "range_m": weapon.range,
        "rof": _rof(weapon),
        "damage": None if varies else weapon.damage,
        "damage_type": None if varies else weapon.damage_type,
        "pen": None if varies else weapon.pen,
        "clip": weapon.clip,
        "reload": row[7],
        "qualities": ["varies with ammunition"] if varies else list(weapon.qualities),
    }


def ranged_weapon_count(given: Given) -> Answers:
    return {"count": len(printed("Ranged weapons"))}


def melee_weapon_profile(given: Given) -> Answers:
    weapon = SYSTEM.book.find("weapon", given["name"])
    same = ("group", "damage", "damage_type", "pen", "doubles_sb")
    found = {name: getattr(weapon, name) for name in same}
    return {**found, "class": weapon.kind, "qualities": list(weapon.qualities)}


def combi_secondary(given: Given) -> Answers:
    barrel = ask(given, "shoot", weapon="Astartes Combi-Weapon", barrel=given["secondary"], **BRIEF).inputs
    return {
        **{name: getattr(barrel, name) for name in ("clip", "damage", "damage_type", "pen")},
        "rof": _rof(barrel),
        "range_m": barrel.range,
        "reload": f"{barrel.reload} Full" if barrel.reload > 1 else "Full",
    }


def armour_profile(given: Given) -> Answers:
    suit = SYSTEM.book.find("armour", given["name"])
    return {"ap": {place: getattr(suit, place) for place in PLACES}}


def armour_combined(given: Given) -> Answers:
    place = given.choice("location", SPOTS)
    return {"ap": ask(given, "hit", armour=given["pieces"], place=place).start.hit.ap}


def melee_damage_range(given: Given) -> Answers:
    base, times, more = given["sb_base"], given["sb_multiplier"], given.get("sb_flat", 0)
    strength = {"sb": base * times + more, "times_sb": times, "more_sb": more}
    blow = ask(given, "hit", weapon=given["name"], **strength)
    least, *_, most = blow.odds("damage").values()
    return {"sb_applied": only(blow.odds("strength")), "min": least, "max": most}


# --- guns -------------------------------------------------------------------------------------------------------------


def fire_mode_available(given: Given) -> Answers:
    mode = given.choice("mode", ("single", "semi", "full"))
    return {"available": may(lambda: ask(given, "shoot", weapon=given["name"], mode=mode, **BRIEF))}


def ammo_used(given: Given) -> Answers:
    shot = ask(given, "shoot", weapon=given["name"], mode=given["mode"], qualities=given["qualities"], **BRIEF)
    return {"rounds": only(shot.odds("rounds"))}


def _range(given: Given, **numbers: Any) -> Battle:
    """Somebody with a gun, and somebody to shoot at who never dies."""
    return battle(given, [fighter("A", arsenal=[gun(**numbers)])], [fighter("B", 0, 20)])


def _fire(fight: Battle, *dice: int, mode: str = "single") -> None:
    fight.push("shoot", target="B", mode=mode, tape=Dice(*dice))


def _held(fight: Battle) -> Any:
    return fight.state.fighter("A").weapon_named("gun")


def bursts_until_empty(given: Given) -> Answers:
    """The vector does not say how many rounds a semi-auto burst has; storm bolters have two."""
    fight = _range(given, semi=2, full=given["rof"], clip=given["clip"], qualities=given["qualities"])
    bursts = 0
    while fight.refusal("shoot", target="B", mode="full") is None:
        _fire(fight, 90, mode="full")
        until(fight, "A")
        bursts += 1
    semi = fight.refusal("shoot", target="B", mode="semi") is None
    return {"bursts": bursts, "rounds_left": _held(fight).clip, "semi_still_available": semi}


def allocate_extra_hits(given: Given) -> Answers:
    found = []
    for metres in given["separation_m"]:
        foes = [fighter("B", 0, 20), fighter("C", metres, 20)]
        fight = battle(given, [fighter("A", arsenal=[gun(full=4)])], foes)
        found.append(fight.refusal("shoot", target="B", mode="full", others=["C"]) is None)
    return {"legal": found}


def reload_actions(given: Given) -> Answers:
    """Full Actions are counted until the clip is full."""
    number, _, word = given["reload"].rpartition(" ")
    assert word == "Full", word
    fight = _range(given, reload=int(number or 1), clip=20, qualities=given["qualities"])
    _fire(fight, 90)
    actions = 0
    while _held(fight).clip < 20:
        until(fight, "A")
        fight.push("reload", weapon="gun")
        actions += 1
    return {"full_actions": actions}


def recharge(given: Given) -> Answers:
    fight, fired = _range(given, qualities=["Recharge"]), given["fired_round"]
    while fight.state.round < fired:
        until(fight, "A")
    _fire(fight, 90)
    found = {}
    for round in range(fired + 1, fired + 3):
        until(fight, "A")
        found[str(round)] = fight.refusal("shoot", target="B", mode="single") is None
    return {"may_fire": found}


def clear_jam(given: Given) -> Answers:
    """A shot of a clip with one round more jams, and somebody tries to clear it."""
    fight = _range(given, clip=given["clip_before"] + 1)
    _fire(fight, 100)
    until(fight, "A")
    fight.push("clear_jam", weapon="gun", tape=Dice(1 if given["success"] else 100))
    held = _held(fight)
    return {"jammed": held.jammed, "clip": held.clip}


def clear_jam_probability(given: Given) -> Answers:
    tries = {"modifiers": given.get("modifiers", ()), "tries": given["attempts"]}
    return {"p": text(ask(given, "test", characteristic=given["bs"], **tries).odds("success").chance(1))}


def no_jam_streak(given: Given) -> Answers:
    """As many bursts as turns at a horde that stays, from a clip that lasts."""
    mode = given.choice("mode", ("single", "semi", "full"))
    fire = ask(given, "horde", mode=mode, turns=given["bursts"], clip=HALE, to_hit=0, breaks=False)
    return {"p": text(fire.odds("jammed").chance(0))}


# --- two weapons ------------------------------------------------------------------------------------------------------


def two_weapon_single(given: Given) -> Answers:
    talents = ["Ambidextrous"] if given["ambidextrous"] else []
    blow = ask(given, "fight", ws=given["skill"], off_hand=given["off_hand"], talents=talents, **BRIEF)
    return {"target": blow.start.spec.target, "p_hit": text(blow.odds("hits").at_least(1))}


def two_weapon_attack(given: Given) -> Answers:
    talents = {"Two Weapon Wielder": given["two_weapon_wielder"], "Ambidextrous": given["ambidextrous"]}
    skill = given["skill"]
    blows = {"ws": skill, "action": "two_weapons", "talents": [name for name, has in talents.items() if has]}
    blows |= {"wounds": HALE, **BRIEF}
    if not may(lambda: ask(given, "fight", **blows)):
        return {"legal": False}
    both = ask(given, "fight", **blows)
    main, off = (blow.spec for blow in both.start.later_attacks)
    return {
        "legal": True,
        "target_each": main.target if main.target == off.target else [main.target, off.target],
        "hits": texts(both.odds("hits")),
    }


def _two_guns(given: Given, arsenal: list[dict[str, Any]], metres: float, talents: list[str]) -> bool:
    """Whether somebody may fire two weapons at two targets so far from each other."""
    who = fighter("A", arsenal=arsenal, talents=talents)
    fight = battle(given, [who], [fighter("B", 0, 1), fighter("C", metres, 1)])
    first, second = who["weapons"]
    shots = {"how": "two_weapons", "weapon": first, "weapon2": second, "target": "B", "target2": "C" if metres else ""}
    return fight.refusal("strike", shots) is None


def two_gun_targets(given: Given) -> Answers:
    guns = [gun("gun"), gun("pistol")]
    return {"legal": _two_guns(given, guns, given["separation_m"], ["Two Weapon Wielder"])}


def two_weapon_legal(given: Given) -> Answers:
    """The two are held and both used by somebody with the talent for it."""
    who = {"name": "A", "wounds": HALE, "weapons": given["weapons"], "talents": ["Two Weapon Wielder"]}
    fight = battle(given, [who], [fighter("B", 0, 1)])
    first, second = (held.name for held in fight.state.fighter("A").weapons)
    shots = {"how": "two_weapons", "weapon": first, "weapon2": second, "target": "B"}
    return {"legal": fight.refusal("strike", shots) is None}


# --- bare fists -------------------------------------------------------------------------------------------------------


def _fists(given: Given, ap: int, tb: int, **more: Any) -> Any:
    armour = dict.fromkeys(PLACES, ap)
    body = {**BARE, **armour, "tb": tb, "wounds": HALE}
    return ask(given, "fight", action="unarmed", sb=given["sb"], **body, **more, **BRIEF)


def unarmed_hit(given: Given) -> Answers:
    blow = _fists(given, given["armour_ap"], given["tb"])
    tires = among(blow, "tired", hits=1)
    return {"net_dist": texts(among(blow, "damage", hits=1)), "p_fatigue": text(tires.chance(1))}


def unarmed_raw(given: Given) -> Answers:
    return {"dist": texts(among(_fists(given, 0, 0), "damage", hits=1))}


def unarmed_attack_fatigue(given: Given) -> Answers:
    target = only(ask(given, "test", characteristic=given["ws"], modifiers=given["modifiers"]).odds("target"))
    blow = _fists(given, given["armour_ap"], given["tb"], to_hit=target)
    return {"target": target, "p_fatigue": text(blow.odds("tired").chance(1))}


# --- melee actions ----------------------------------------------------------------------------------------------------


TALENTS = {"Swift Attack": "swift", "Lightning Attack": "lightning"}
ATTACKS = {1: "standard", 2: "swift", 3: "lightning"}


def swift_attack(given: Given) -> Answers:
    action = given.choice("attacks", ATTACKS)
    talents = [talent for talent, how in TALENTS.items() if how == action]
    blows = ask(given, "fight", action=action, talents=talents, to_hit=given["target"], wounds=HALE, **BRIEF)
    return {"hits": texts(blows.odds("hits"))}


def multiple_attacks_count(given: Given) -> Answers:
    found = {}
    for talent in given["talents"]:
        action = TALENTS[talent]
        blows = ask(given, "fight", action=action, talents=[talent], **BRIEF).start
        found[action] = len(blows.later_attacks)
    return found


def multiple_attacks_legal(given: Given) -> Answers:
    """Whether any way to attack several times is open to him."""
    talents, both = given["talents"], given["weapons"] >= 2
    ways = (*TALENTS.values(), *(("two_weapons",) if both else ()))
    return {
        "legal": any(may(lambda how=how: ask(given, "fight", action=how, talents=talents, **BRIEF)) for how in ways)
    }


def _stun(given: Given) -> Any:
    body = {"tb": given["target_tb"], "unnatural_toughness": 1, "head": given["target_head_ap"], "wounds": HALE}
    return ask(given, "fight", action="stun", ws=given["ws"], sb=given["sb"], **body, **BRIEF)


def stun_action(given: Given) -> Answers:
    blow = _stun(given)
    return {"target": blow.start.spec.target, "rounds_dist": texts(blow.odds("stunned_rounds"))}


def stun_action_probability(given: Given) -> Answers:
    return {"p_stunned": text(_stun(given).odds("stunned_rounds").at_least(1))}


def guarded_attack(given: Given) -> Answers:
    own = ask(given, "fight", ws=given["ws"], action="guarded", qualities=(), **BRIEF)
    guard = {"parry": given["ws"], "parry_qualities": given["parry_qualities"], "dodge": given["dodge"]}
    met = ask(given, "fight", guarded=True, reaction="choose", **guard, **BRIEF).start.spec.defender
    return {"attack_target": own.start.spec.target, "parry_target": met.parry, "dodge_target": met.dodge}
