"""A second, tiny implementation of the catalogue for troops, and random cases in the vocabulary of the vectors.

Written from the clauses alone: `ORACLE` answers a calculation from what is given, `CASES` draws what may be given.
Keys that are left out have their neutral value, as in the vectors.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import floor
from random import Random
from typing import Any

Given = dict[str, Any]
Said = dict[str, Any]

LD = {2: 6, 3: 17, 4: 33, 5: 56, 6: 83, 7: 117, 8: 144, 9: 167, 10: 183}
LD_AGAIN = {2: 11, 3: 32, 4: 61, 5: 96, 6: 132, 7: 165, 8: 185, 9: 194, 10: 199}
SAVES = (None, 2, 3, 4, 5, 6)
APS = (None, 1, 2, 3, 4, 5, 6)


# --- the rules ------------------------------------------------------------------------------------------------------


def table_1(dmg: int, save: int | None) -> int:
    """DL-T1, DL-20.3, DL-20.4: sixths rounded half up, one odd cell, hundreds and the rest."""
    if save is None:
        return dmg

    def cell(row: int) -> int:
        return 0 if (row, save) == (3, 2) else (row * (save - 1) + 3) // 6

    return dmg // 100 * cell(100) + cell(dmg % 100)


def best(ap: int | None, armour: int | None, cover: int | None, invulnerable: int | None) -> int | None:
    """DL-20.1: the lowest of the saves that are allowed; AP equal to or below the armour cancels it."""
    helping = [cover, invulnerable]
    if armour is not None and (ap is None or ap > armour):
        helping.append(armour)
    return min((save for save in helping if save is not None), default=None)


def off(models: int, each: int, recorded: int, hp: int, deadly: bool = False) -> Said:
    """DL-24, DL-26.1: model by model; with `deadly` who loses 10 HP of this packet is gone."""
    total = models * each - recorded
    removed, left, taken, rest = 0, models, 0, hp
    front = each - recorded
    while left and rest:
        bite = min(front, rest)
        rest -= bite
        front -= bite
        taken += bite
        if front == 0 or (deadly and bite >= 10):
            taken += front
            removed, left, front = removed + 1, left - 1, each
    assert taken <= total
    return {
        "removed": removed,
        "models_left": left,
        "damage_recorded": each - front if left else 0,
        "overkill": rest,
        "hp_removed": taken,
    }


def threshold(ld: int, again: bool = False) -> int:
    """DL-T2, DL-T3 with D-22."""
    return 0 if ld < 2 else (LD_AGAIN if again else LD)[min(ld, 10)]


def factor(attacker: int, target: int) -> int:
    """DL-38.2."""
    if target == 0:
        return 6
    if target < attacker:
        return 5
    return 4 if target <= 2 * attacker else 3


def half_up(number: Fraction) -> int:
    return floor(number + Fraction(1, 2))


def half(points: int) -> int:
    return -(-points // 2)


# --- every calculation ----------------------------------------------------------------------------------------------


def hit_points(g: Given) -> Said:
    return {"HP": g["W"] * g["T"] * 10}


def remove_casualties(g: Given) -> Said:
    said = off(g["models"], g["hp_each"], g.get("damage_recorded", 0), g["hp_lost"])
    del said["hp_removed"]
    return said


def instant_death(g: Given) -> Said:
    deadly = g["strength"] >= 2 * g["toughness"]
    said = off(g["models"], g["hp_each"], g.get("damage_recorded", 0), g["hp_lost"], deadly)
    return {**said, "instant_death": deadly}


def leadership_threshold(g: Given) -> Said:
    return {"threshold": threshold(g["ld"], g.get("reroll", False))}


def leadership_test(g: Given) -> Said:
    most = threshold(g["ld"] + g.get("ld_modifier", 0), g.get("reroll", False))
    after = g.get("op_before", 0) + 25
    return {"op_after": after, "threshold": most, "passed": after <= most}


def tests_before_failure(g: Given) -> Said:
    op, passes = g.get("op_before", 0), 0
    while (op := op + 25) <= threshold(g["ld"], g.get("reroll", False)):
        passes += 1
    return {"passes": passes}


def leadership_test_ic(g: Given) -> Said:
    unit, own = g.get("unit_op", 0) + 25, g.get("ic_op", 0) + 25
    passed = unit <= threshold(g["ld"], g.get("reroll", False))
    return {"unit_op_after": unit, "ic_op_after": own, "passed": passed}


def difficult_move(g: Given) -> Said:
    first = g.get("open_inches_first", 0)
    inside = (g["allowance"] - first) / 2
    return {"terrain_inches": inside, "total_inches": first + inside}


def move_through_cover(g: Given) -> Said:
    first = g.get("open_inches_first", 0)
    inside = min(5, g["allowance"] - first)
    return {"terrain_inches": inside, "total_inches": first + inside}


def move_cost(g: Given) -> Said:
    cost = sum(inches * (2 if ground == "difficult" else 1) for ground, inches in g["segments"])
    return {"cost": cost, "legal": cost <= g["allowance"]}


def dangerous_terrain(g: Given) -> Said:
    each = g.get("dmg_per_model", 10)
    if g.get("skilled_rider") and g.get("unit_type") in ("bike", "jetbike", "cavalry"):
        each = half(each)
    dmg = g["models"] * each
    return {"dmg": dmg, "hp_lost": table_1(dmg, g.get("invulnerable"))}


def dangerous_terrain_per_inch(g: Given) -> Said:
    dmg = g["models"] * half_up(Fraction(str(g["inches"])) * g["dmg_per_inch"])
    return {"dmg": dmg, "hp_lost": table_1(dmg, g.get("invulnerable"))}


def consolidation(g: Given) -> Said:
    return {"inches": 4}


def fall_back_distance(g: Given) -> Said:
    fast = ("jump_infantry", "bike", "jetbike", "beast", "cavalry")
    return {"inches": 10 if g["unit_type"] in fast else 7}


def shooting_damage(g: Given) -> Said:
    bs = g["bs"] + (1 if g.get("reroll_hit") or g.get("twin_linked") else 0)
    strength = g["s"] + (1 if g.get("reroll_wound") else 0)
    return {"dmg": bs * strength * g["shots"] * g.get("models", 1)}


def sniper_damage(g: Given) -> Said:
    return {"dmg": g["bs"] * g["target_t"] * g["shots"] * g.get("models", 1)}


def heavy_range_bonus(g: Given) -> Said:
    return {"bs_bonus": floor((g["max_range"] - g["distance"]) / 12)}


def shooting_packets(g: Given) -> Said:
    packets = []
    for weapon in g["weapons"]:
        bs = weapon["bs"]
        if weapon["type"] == "heavy" and g.get("heavy_range_bonus"):
            bs += floor((weapon["range"] - g["distance"]) / 12)
        dmg = bs * weapon["s"] * weapon["shots"] * weapon["count"]
        packets.append({"name": weapon["name"], "dmg": dmg, "ap": weapon["ap"]})
    return {"packets": packets}


def save_table(g: Given) -> Said:
    return {"hp_lost": table_1(g["dmg"], g.get("save"))}


def save_with_rerolls(g: Given) -> Said:
    save, dmg = g.get("save"), g["dmg"]
    if save is None:
        return {"column": "none", "hp_lost": dmg}
    shift = bool(g.get("reroll_successful")) - bool(g.get("reroll_failed"))
    if save + shift == 1:
        return {"column": "2+ halved", "hp_lost": half(table_1(dmg, 2))}
    if save + shift == 7:
        return {"column": "none", "hp_lost": dmg}
    return {"column": f"{save + shift}+", "hp_lost": table_1(dmg, save + shift)}


def null_zone(g: Given) -> Said:
    return save_with_rerolls({"dmg": g["dmg"], "save": g.get("invulnerable"), "reroll_successful": True})


def best_save(g: Given) -> Said:
    cover = None if g.get("assault") else g.get("cover")
    return {"save": best(g.get("ap"), g.get("armour"), cover, g.get("invulnerable"))}


def complex_unit(g: Given) -> Said:
    models = sum(group["models"] for group in g["groups"])
    each, left = divmod(g["dmg"], models)
    extra = g.get("leftover_to")
    if extra is None:
        extra, rest = [], left
        for group in g["groups"]:
            extra.append(min(rest, group["models"]))
            rest -= extra[-1]
    groups = []
    for group, more in zip(g["groups"], extra, strict=True):
        dmg = each * group["models"] + more
        hp = table_1(dmg, best(g.get("ap"), group.get("save"), None, None))
        said = off(group["models"], group["hp_each"], group.get("damage_recorded", 0), hp)
        del said["hp_removed"]
        said = {"name": group["name"], "dmg": dmg, "hp_lost": hp, **said}
        if said["models_left"]:
            said["front_model_hp_left"] = group["hp_each"] - said["damage_recorded"]
        groups.append(said)
    return {"per_model": each, "leftover": left, "groups": groups}


def template_damage(g: Given) -> Said:
    return {"dmg": g["hits"] * g["s"] * (5 if g.get("twin_linked") else 4)}


def blast_damage(g: Given) -> Said:
    return {"dmg": g["hits"] * g["s"] * 3}


def tokens_given(g: Given) -> Said:
    size = {None: 0, "blast": 2, "large_blast": 3}
    scatter = 2 * g.get("blast_weapons", 0) + 3 * g.get("large_blast_weapons", 0) + 2 * g.get("deep_strike_units", 0)
    scatter += sum(max((size[mode] for mode in weapon["modes"]), default=0) for weapon in g.get("weapons", []))
    for psyker in g.get("psykers", []):
        if psyker.get("name") == "Varro Tigurius":
            scatter += 2
        else:
            scatter += size[psyker.get("template")] + (2 if psyker.get("gate_of_infinity") else 0)
    return {"scatter": scatter, "gets_hot": g.get("gets_hot_weapons", 0), "warp": len(g.get("psykers", []))}


def scatter(g: Given) -> Said:
    moved = 2 * g["tokens"]
    pull = g["bs"] if g.get("bs_may_reduce") else 0
    return {"moved_by_defender": moved, "final_inches": max(0, moved - pull)}


def max_scatter_tokens(g: Given) -> Said:
    return {"max_tokens": min(g.get("tokens_held", 0), 7 if g.get("night") else 6)}


def gets_hot(g: Given) -> Said:
    dmg = (10 if g.get("reroll_hit") else 40) if g.get("token_used") else 0
    hp = table_1(dmg, g.get("save"))
    dies = hp >= g["hp_left"]
    shots = g["shots"] - dies
    return {
        "dmg_to_firer": dmg,
        "hp_lost": hp,
        "firer_dies": dies,
        "shots_counted": shots,
        "dmg_to_target": g["bs_used"] * g["s"] * shots,
    }


def rending_split(g: Given) -> Said:
    return {"ap2": table_1(g["dmg"], 2), "normal": table_1(g["dmg"], 6)}


def rending_resolve(g: Given) -> Said:
    parts = rending_split(g)
    cover = None if g.get("assault") else g.get("cover")
    saves = g.get("armour"), cover, g.get("invulnerable")
    hard = table_1(parts["ap2"], best(2, *saves))
    soft = table_1(parts["normal"], best(g.get("ap"), *saves))
    return {**parts, "hp_from_ap2": hard, "hp_from_normal": soft, "hp_lost": hard + soft}


def vehicle_line(g: Given) -> Said:
    strength = 9 if g.get("witchblade") else g["s"]
    av = min(g["av"], 12) if g.get("lance") else g["av"]
    gap = av - strength - {None: 0, "d3": 2, "d6": 4}[g.get("extra")]
    return {"av_minus_s": gap, "line": None if gap > 6 else "FFEDCBA"[max(0, gap)]}


def cc_factor(g: Given) -> Said:
    return {"factor": factor(g["attacker_ws"], g["target_ws"])}


def cc_damage(g: Given) -> Said:
    ws = g["attacker_ws"] + bool(g.get("preferred_enemy"))
    counted = factor(ws, g["target_ws"]) + bool(g.get("lightning_claw"))
    return {"factor": counted, "dmg": counted * g["s"] * g["attacks"]}


def poisoned_damage(g: Given) -> Said:
    counted = factor(g["attacker_ws"], g["target_ws"]) + (g["s"] >= g["target_t"])
    more = {6: -2, 5: -1, 4: 0, 3: 1, 2: 2}[g["poison"]]
    return {"factor": counted, "dmg": max(0, counted * (g["target_t"] + more)) * g["attacks"]}


def witchblade_damage(g: Given) -> Said:
    return poisoned_damage({**g, "poison": 2})


def sweeping_advance(g: Given) -> Said:
    own, other = sum(g["falling_back_initiatives"]), sum(g["winner_initiatives"])
    return {"falling_back_total": own, "winner_total": other, "breaks_off": own > other}


def assault_result(g: Given) -> Said:
    a, b = g["hp_lost_a"], g["hp_lost_b"]
    return {"loser": None if a == b else "A" if a > b else "B", "difference": abs(a - b)}


def lost_assault_test(g: Given) -> Said:
    toughness = Fraction(str(g.get("loser_average_toughness", 0)))
    extra = half_up(10 * g.get("winner_extra_wounds", 0) * toughness)
    difference = g["hp_lost_by_loser"] - g["hp_lost_by_winner"] + extra
    after = g.get("op_before", 0) + 25 + difference
    passed = after <= threshold(g["ld"], g.get("reroll", False))
    return {"difference": difference, "op_after": after, "passed": passed}


def no_retreat(g: Given) -> Said:
    save = best(None, g.get("armour"), None, g.get("invulnerable"))
    return {"dmg": g["difference"], "hp_lost": table_1(g["difference"], save)}


def regroup(g: Given) -> Said:
    less = sum(g["model_lds"])
    after, most = max(0, g.get("op_before", 0) - less), threshold(g["test_ld"], g.get("reroll", False))
    return {"subtracted": less, "op_after": after, "threshold": most, "passed": after <= most}


def psychic_test(g: Given) -> Said:
    total = g.get("psyker_op", 0) + (50 if g.get("hood_in_24") else 25)
    passed = total <= threshold(g["ld"])
    said = {"op_total": total, "passed": passed, "op_after": total if passed else 0}
    return {**said, "unit_op_after": g["unit_op"]} if "unit_op" in g else said


def warp_token(g: Given) -> Said:
    held, op, hp = g["tokens_held"], g.get("psyker_op", 0), g["hp_left"]
    played = bool(g.get("token_used"))
    pushed = played and bool(g.get("push_through"))
    dmg = 50 if pushed else 0
    hp = max(0, hp - table_1(dmg, g.get("invulnerable")))
    said = {"tokens_left": held - (played and not pushed), "perils_dmg": dmg, "hp_left": hp}
    if (played and not pushed) or not hp:
        return {**said, "test_taken": False, "passed": None, "op_after": op}
    test = psychic_test({"psyker_op": op, "ld": g["ld"]})
    return {**said, "test_taken": True, "passed": test["passed"], "op_after": test["op_after"]}


def feel_no_pain(g: Given) -> Said:
    hp = g["hp_lost_after_saves"]
    return {"hp_lost": half(hp) if g.get("applies") else hp}


def feel_no_pain_allowed(g: Given) -> Said:
    barred = g.get("ap") in (1, 2) or g["s"] >= 2 * g["t"] or g.get("ignores_armour_always")
    return {"allowed": not barred}


def vulnerable_to_blasts(g: Given) -> Said:
    hp = 2 * table_1(g["dmg"], g.get("save"))
    return {"hp_lost": half(hp) if g.get("feel_no_pain") else hp}


def resolve_shooting(g: Given) -> Said:
    packet, target = g["packet"], g["target"]
    kind, strength = packet["kind"], packet["s"]
    if kind == "direct":
        dmg = packet["bs"] * strength * packet["shots"] * packet.get("models", 1)
    else:
        dmg = packet["hits"] * strength * {"blast": 3, "template": 4}[kind]
    cover = None if kind == "template" else target.get("cover")
    save = best(packet.get("ap"), target.get("armour"), cover, target.get("invulnerable"))
    after = table_1(dmg, save)
    hp = 2 * after if kind != "direct" and target.get("vulnerable_to_blasts") else after
    deadly = strength >= 2 * target["toughness"]
    if target.get("feel_no_pain") and packet.get("ap") not in (1, 2) and not deadly:
        hp = half(hp)
    said = off(target["models"], target["hp_each"], target.get("damage_recorded", 0), hp, deadly)
    names = ("removed", "models_left", "damage_recorded")
    return {"dmg": dmg, "save_used": save, "after_save": after, "hp_lost": hp, **{name: said[name] for name in names}}


def assault_round(g: Given) -> Said:
    first, second = g["first"], g["second"]

    def strike(one: Given, other: Given, models: int) -> tuple[int, Said]:
        dmg = models * one["attacks"] * one["s"] * factor(one["ws"], other["ws"])
        hp = table_1(dmg, best(None, other.get("armour"), None, other.get("invulnerable")))
        deadly = "toughness" in other and one["s"] >= 2 * other["toughness"]
        return dmg, off(other["models"], other["hp_each"], other.get("damage_recorded", 0), hp, deadly)

    dealt, hurt = strike(first, second, first["models"])
    together = first.get("initiative", 2) == second.get("initiative", 1)
    back, suffered = strike(second, first, second["models"] if together else hurt["models_left"])
    given, taken = hurt["hp_removed"], suffered["hp_removed"]
    loser = None if given == taken else "second" if given > taken else "first"
    standing = [side for side, loss in (("first", suffered), ("second", hurt)) if loss["models_left"]]
    if len(standing) == 1:
        loser = "second" if standing == ["first"] else "first"
    said = {
        "first_dmg": dealt,
        "first_hp_inflicted": given,
        "second_models_left": hurt["models_left"],
        "second_dmg": back,
        "second_hp_inflicted": taken,
        "first_models_left": suffered["models_left"],
        "loser": loser,
        "difference": abs(given - taken),
    }
    op = g.get("loser_op", 0)
    if loser is None or loser not in standing:
        return {**said, "loser_op_after": op, "loser_passes": None}
    after = op + 25 + abs(given - taken)
    return {**said, "loser_op_after": after, "loser_passes": after <= threshold(g["loser_ld"])}


# --- random cases ---------------------------------------------------------------------------------------------------


def _maybe(random: Random, given: Given, **neutral: Any) -> Given:
    """Sometimes a key with its neutral value is left out altogether."""
    for name, value in neutral.items():
        if given[name] == value and type(given[name]) is type(value) and random.random() < 0.5:
            del given[name]
    return given


def _dmg(random: Random) -> int:
    return random.choice((random.randint(0, 12), random.randint(0, 120), random.randint(0, 1200)))


def _yes(random: Random) -> bool:
    return random.random() < 0.5


def _body(random: Random) -> Given:
    """Models of a group with damage recorded."""
    each = 10 * random.randint(1, 30)
    recorded = random.choice((0, random.randrange(each)))
    return _maybe(
        random,
        {"models": random.randint(1, 20), "hp_each": each, "damage_recorded": recorded},
        damage_recorded=0,
    )


def _ws(random: Random) -> Given:
    return {"attacker_ws": random.randint(1, 10), "target_ws": random.randint(0, 10)}


def _unit(random: Random) -> Given:
    unit = {
        "models": random.randint(1, 12),
        "ws": random.randint(1, 10),
        "s": random.randint(1, 10),
        "attacks": random.randint(1, 5),
        "hp_each": 10 * random.randint(2, 12),
        "armour": random.choice(SAVES),
    }
    if _yes(random):
        unit["invulnerable"] = random.choice(SAVES)
    if _yes(random):
        unit["toughness"] = random.randint(2, 6)
    return _maybe(random, unit, armour=None)


def _round(random: Random) -> Given:
    first, second = _unit(random), _unit(random)
    if _yes(random):
        low = random.randint(1, 9)
        second["initiative"] = low
        first["initiative"] = random.randint(low, 10)
    given = {"first": first, "second": second, "loser_ld": random.randint(0, 12), "loser_op": random.choice((0, 60))}
    return _maybe(random, given, loser_op=0)


def _complex(random: Random) -> Given:
    groups = []
    for number in range(random.randint(1, 4)):
        groups.append({"name": f"group {number}", **_body(random), "save": random.choice(SAVES)})
        _maybe(random, groups[-1], save=None)
    given: Given = {"groups": groups, "dmg": _dmg(random), "ap": random.choice(APS)}
    left = given["dmg"] % sum(group["models"] for group in groups)
    if _yes(random):
        sharers = [at for at, group in enumerate(groups) for _ in range(group["models"])]
        taken = random.sample(sharers, left)
        given["leftover_to"] = [taken.count(at) for at in range(len(groups))]
    return _maybe(random, given, ap=None)


def _saves(random: Random, *names: str) -> Given:
    given = {name: random.choice(SAVES) for name in names}
    return _maybe(random, given, **dict.fromkeys(names))


def _packets(random: Random) -> Given:
    distance = random.randint(0, 36)
    weapons = [
        {
            "name": f"weapon {number}",
            "count": random.randint(1, 10),
            "bs": random.randint(0, 10),
            "s": random.randint(1, 10),
            "ap": random.choice(APS),
            "shots": random.randint(1, 4),
            "type": random.choice(("assault", "heavy", "rapid_fire", "pistol")),
            "range": random.randint(distance, 60),
        }
        for number in range(random.randint(1, 4))
    ]
    return {"heavy_range_bonus": _yes(random), "distance": distance, "weapons": weapons}


def _tokens(random: Random) -> Given:
    given: Given = {
        "blast_weapons": random.randint(0, 4),
        "large_blast_weapons": random.randint(0, 4),
        "gets_hot_weapons": random.randint(0, 6),
        "deep_strike_units": random.randint(0, 4),
        "weapons": [
            {"name": f"gun {at}", "modes": random.choices((None, "blast", "large_blast"), k=random.randint(0, 3))}
            for at in range(random.randint(0, 3))
        ],
        "psykers": [],
    }
    for _ in range(random.randint(0, 3)):
        psyker: Given = {"template": random.choice((None, "blast", "large_blast")), "gate_of_infinity": _yes(random)}
        if random.random() < 0.2:
            psyker["name"] = "Varro Tigurius"
        given["psykers"].append(_maybe(random, psyker, template=None, gate_of_infinity=False))
    return _maybe(
        random,
        given,
        blast_weapons=0,
        large_blast_weapons=0,
        gets_hot_weapons=0,
        deep_strike_units=0,
        weapons=[],
        psykers=[],
    )


def _shot(random: Random) -> Given:
    kind = random.choice(("direct", "blast", "template"))
    packet: Given = {"kind": kind, "s": random.randint(1, 10), "ap": random.choice(APS)}
    if kind == "direct":
        packet |= {"bs": random.randint(0, 10), "shots": random.randint(1, 4), "models": random.randint(1, 20)}
    else:
        packet["hits"] = random.randint(0, 20)
    target = {
        **_body(random),
        "toughness": random.randint(1, 10),
        **_saves(random, "armour", "cover", "invulnerable"),
        "feel_no_pain": _yes(random),
        "vulnerable_to_blasts": _yes(random),
    }
    _maybe(random, target, feel_no_pain=False, vulnerable_to_blasts=False)
    return {"packet": _maybe(random, packet, ap=None), "target": target}


def _lost(random: Random) -> Given:
    lost = random.randint(1, 400)
    given: Given = {
        "op_before": random.randint(0, 200),
        "ld": random.randint(0, 12),
        "hp_lost_by_loser": lost,
        "hp_lost_by_winner": random.randrange(lost),
        "reroll": _yes(random),
    }
    if _yes(random):
        given["winner_extra_wounds"] = random.randint(1, 5)
        given["loser_average_toughness"] = random.choice((3, 4, 4.5, 4.25, 3.35, 4.05, 4.333, 6))
    return _maybe(random, given, op_before=0, reroll=False)


def _segments(random: Random) -> Given:
    segments = [[random.choice(("open", "difficult")), random.randint(0, 14) / 2] for _ in range(random.randint(1, 5))]
    return {"allowance": random.choice((6, 12, 4, 4.5)), "segments": segments}


def _moving(random: Random) -> Given:
    allowance = random.choice((6, 12, 4, 24))
    return _maybe(
        random,
        {"allowance": allowance, "open_inches_first": random.randint(0, 2 * allowance) / 2},
        open_inches_first=0.0,
    )


def _attack(random: Random) -> Given:
    return {**_ws(random), "s": random.randint(1, 10), "attacks": random.randint(1, 30)}


TYPES = ("infantry", "jump_infantry", "bike", "jetbike", "beast", "cavalry", "monstrous_creature", "artillery")
CASES: dict[Callable[[Given], Said], Callable[[Random], Given]] = {
    hit_points: lambda r: {"W": r.randint(1, 10), "T": r.randint(1, 10)},
    remove_casualties: lambda r: {**_body(r), "hp_lost": _dmg(r)},
    instant_death: lambda r: {
        **_body(r),
        "hp_lost": _dmg(r),
        "strength": r.randint(1, 10),
        "toughness": r.randint(1, 6),
    },
    leadership_threshold: lambda r: _maybe(r, {"ld": r.randint(0, 12), "reroll": _yes(r)}, reroll=False),
    leadership_test: lambda r: _maybe(
        r,
        {"op_before": r.randint(0, 220), "ld": r.randint(0, 12), "reroll": _yes(r), "ld_modifier": r.randint(-4, 3)},
        reroll=False,
        ld_modifier=0,
        op_before=0,
    ),
    tests_before_failure: lambda r: _maybe(
        r, {"ld": r.randint(1, 12), "reroll": _yes(r), "op_before": r.choice((0, r.randint(0, 220)))}, op_before=0
    ),
    leadership_test_ic: lambda r: _maybe(
        r,
        {"unit_op": r.randint(0, 200), "ic_op": r.choice((0, 75)), "ld": r.randint(0, 12), "reroll": _yes(r)},
        ic_op=0,
        reroll=False,
    ),
    difficult_move: _moving,
    move_through_cover: _moving,
    move_cost: _segments,
    dangerous_terrain: lambda r: _maybe(
        r,
        {
            "models": r.randint(1, 20),
            "dmg_per_model": r.choice((10, 10, 15, 5, 7, 0)),
            **_saves(r, "invulnerable", "armour", "cover"),
            "skilled_rider": _yes(r),
            "unit_type": r.choice(TYPES),
        },
        skilled_rider=False,
        unit_type="infantry",
    ),
    dangerous_terrain_per_inch: lambda r: {
        "models": r.randint(1, 20),
        "dmg_per_inch": r.randint(1, 15),
        "inches": r.choice((1, 3, 1.5, 2.25, 0.1, 2.7, 0.35)),
        **_saves(r, "invulnerable"),
    },
    consolidation: lambda r: _maybe(r, {"in_difficult_terrain": _yes(r)}, in_difficult_terrain=False),
    fall_back_distance: lambda r: {"unit_type": r.choice(TYPES)},
    shooting_damage: lambda r: _maybe(
        r,
        {
            "bs": r.randint(0, 10),
            "s": r.randint(1, 10),
            "shots": r.randint(1, 6),
            "models": r.randint(1, 20),
            "reroll_hit": _yes(r),
            "reroll_wound": _yes(r),
            "twin_linked": _yes(r),
        },
        models=1,
        reroll_hit=False,
        reroll_wound=False,
        twin_linked=False,
    ),
    sniper_damage: lambda r: _maybe(
        r,
        {"bs": r.randint(0, 10), "target_t": r.randint(1, 10), "shots": r.randint(1, 4), "models": r.randint(1, 20)},
        models=1,
    ),
    heavy_range_bonus: lambda r: (lambda most: {"max_range": most, "distance": r.randint(0, 2 * most) / 2})(
        r.choice((24, 36, 48, 60, 72))
    ),
    shooting_packets: _packets,
    save_table: lambda r: _maybe(r, {"dmg": _dmg(r), "save": r.choice(SAVES)}, save=None),
    save_with_rerolls: lambda r: _maybe(
        r,
        {"dmg": _dmg(r), "save": r.choice(SAVES), "reroll_failed": _yes(r), "reroll_successful": _yes(r)},
        save=None,
        reroll_failed=False,
        reroll_successful=False,
    ),
    null_zone: lambda r: _maybe(r, {"dmg": _dmg(r), "invulnerable": r.choice(SAVES)}, invulnerable=None),
    best_save: lambda r: _maybe(
        r,
        {"ap": r.choice(APS), **_saves(r, "armour", "cover", "invulnerable"), "assault": _yes(r)},
        ap=None,
        assault=False,
    ),
    complex_unit: _complex,
    template_damage: lambda r: _maybe(
        r, {"hits": r.randint(0, 20), "s": r.randint(1, 10), "twin_linked": _yes(r)}, twin_linked=False
    ),
    blast_damage: lambda r: {"hits": r.randint(0, 20), "s": r.randint(1, 10)},
    tokens_given: _tokens,
    scatter: lambda r: {"tokens": r.randint(0, 7), "bs": r.randint(0, 10), "bs_may_reduce": _yes(r)},
    max_scatter_tokens: lambda r: _maybe(
        r, {"kind": r.choice(("blast", "large_blast")), "night": _yes(r), "tokens_held": r.randint(0, 20)}, night=False
    ),
    gets_hot: lambda r: (
        lambda again: _maybe(
            r,
            {
                "save": r.choice(SAVES),
                "hp_left": r.randint(1, 60),
                "reroll_hit": again,
                "shots": r.randint(1, 4),
                "bs_used": r.randint(again, 9),
                "s": r.randint(1, 10),
                "token_used": _yes(r),
            },
            save=None,
            reroll_hit=False,
            token_used=False,
        )
    )(_yes(r)),
    rending_split: lambda r: {"dmg": _dmg(r)},
    rending_resolve: lambda r: _maybe(
        r,
        {"dmg": _dmg(r), "ap": r.choice(APS), **_saves(r, "armour", "cover", "invulnerable"), "assault": _yes(r)},
        ap=None,
        assault=False,
    ),
    vehicle_line: lambda r: _maybe(
        r,
        {
            "av": r.randint(10, 14),
            "s": r.randint(1, 10),
            "extra": r.choice((None, "d3", "d6")),
            **r.choice(({}, {"witchblade": True}, {"lance": True}, {"witchblade": False}, {"lance": False})),
        },
        extra=None,
    ),
    cc_factor: _ws,
    cc_damage: lambda r: _maybe(
        r,
        {**_attack(r), "lightning_claw": _yes(r), "preferred_enemy": _yes(r)},
        lightning_claw=False,
        preferred_enemy=False,
    ),
    poisoned_damage: lambda r: {**_attack(r), "target_t": r.randint(1, 10), "poison": r.randint(2, 6)},
    witchblade_damage: lambda r: {**_attack(r), "target_t": r.randint(1, 10)},
    sweeping_advance: lambda r: {
        "falling_back_initiatives": [r.randint(1, 10) for _ in range(r.randint(1, 10))],
        "winner_initiatives": [r.randint(1, 10) for _ in range(r.randint(1, 10))],
    },
    assault_result: lambda r: {"hp_lost_a": r.randint(0, 60), "hp_lost_b": r.choice((20, r.randint(0, 60)))},
    lost_assault_test: _lost,
    no_retreat: lambda r: {"difference": _dmg(r), **_saves(r, "armour", "invulnerable", "cover")},
    regroup: lambda r: _maybe(
        r,
        {
            "op_before": r.randint(0, 400),
            "model_lds": [r.randint(2, 10) for _ in range(r.randint(1, 10))],
            "test_ld": r.randint(0, 12),
            "reroll": _yes(r),
        },
        reroll=False,
    ),
    psychic_test: lambda r: _maybe(
        r,
        {
            "psyker_op": r.choice((0, r.randint(0, 200))),
            "ld": r.randint(0, 12),
            "hood_in_24": _yes(r),
            **r.choice(({}, {"unit_op": r.randint(0, 200)})),
        },
        psyker_op=0,
        hood_in_24=False,
    ),
    warp_token: lambda r: _maybe(
        r,
        {
            "tokens_held": r.randint(1, 4),
            "token_used": _yes(r),
            "push_through": _yes(r),
            "psyker_op": r.choice((0, r.randint(0, 200))),
            "ld": r.randint(0, 12),
            "hp_left": r.randint(1, 120),
            **_saves(r, "invulnerable", "armour"),
        },
        token_used=False,
        push_through=False,
        psyker_op=0,
    ),
    feel_no_pain: lambda r: _maybe(r, {"hp_lost_after_saves": _dmg(r), "applies": _yes(r)}, applies=False),
    feel_no_pain_allowed: lambda r: _maybe(
        r,
        {"ap": r.choice(APS), "s": r.randint(1, 10), "t": r.randint(1, 10), "ignores_armour_always": _yes(r)},
        ap=None,
        ignores_armour_always=False,
    ),
    vulnerable_to_blasts: lambda r: _maybe(
        r, {"dmg": _dmg(r), "save": r.choice(SAVES), "feel_no_pain": _yes(r)}, save=None, feel_no_pain=False
    ),
    resolve_shooting: _shot,
    assault_round: _round,
}
"""Every calculation of troops, and how a case of it is drawn."""
