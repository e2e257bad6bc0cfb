"""A second, small implementation of the catalogue's sections 5.12 to 5.18, written from its text alone.

It shares nothing with the ruleset: Table 1 is a formula with its one exception, Table 4 the rule `ceil(36 j / n)`, and
every calculation is a function from what a vector gives to what it expects.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import ceil, floor
from random import Random
from typing import Any

Values = dict[str, Any]
LINES = "ABCDEF"
SPEEDS = {"immobile": 2, "combat": 1, "cruising": 0, "flat_out": -1}
ZONES = {"red": 1, "orange": 0, "yellow": -1, None: 0}
EXTRA = {None: 0, "d6": 4, "d3": 2}
TEXT = (
    ("crew_shaken",) * 3 + ("crew_stunned", "weapon_destroyed", "immobilised", "wrecked"),
    ("crew_stunned", "weapon_destroyed", "immobilised", "wrecked", "explodes"),
)
SHEET = (
    ("crew_shaken", "crew_stunned", "weapon_destroyed", "immobilised", "wrecked"),
    ("crew_shaken", "crew_stunned", "weapon_destroyed", "immobilised", "wrecked", "explodes"),
)


# --- tables ----------------------------------------------------------------------------------------------------------


def table_1(dmg: int, save: int | None) -> int:
    if save is None:
        return dmg
    k = save - 1

    def cell(points: int) -> int:
        return 0 if (points, save) == (3, 2) else (points * k + 3) // 6

    return dmg // 100 * cell(100) + cell(dmg % 100)


def line_for(av_minus_s: int) -> str | None:
    return None if av_minus_s > 6 else LINES[6 - max(1, av_minus_s)]


def thresholds(line: str) -> list[tuple[int, str]]:
    n = LINES.index(line) + 1
    return [(ceil(Fraction(36 * j, n)), "G" if j == 1 else "P") for j in range(1, n + 1)]


def write(lines: dict[str, int], line: str | None, dmg: int) -> tuple[list[str], int]:
    """Add DMG to a sheet; the thresholds crossed, and what is lost."""
    hits: list[str] = []
    if line is None:
        return hits, 0
    for name in LINES[LINES.index(line) :]:
        for _ in range(min(dmg, 36 - lines[name])):
            lines[name] += 1
            dmg -= 1
            hits += [f"{name}{at}{kind}" for at, kind in thresholds(name) if at == lines[name]]
    return hits, dmg


def struck(av: int, strength: int, dmg: int, extra: str | None = None) -> Values:
    lines = dict.fromkeys(LINES, 0)
    difference = av - strength - EXTRA[extra]
    line = line_for(difference)
    hits, lost = write(lines, line, dmg)
    glancing = sum(hit.endswith("G") for hit in hits)
    return {
        "dmg": dmg,
        "strength": strength,
        "av_minus_s": difference,
        "line": line,
        "lines": lines,
        "hits": hits,
        "glancing": glancing,
        "penetrating": len(hits) - glancing,
        "lost": lost,
    }


def half_up(number: Fraction) -> int:
    return floor(number + Fraction(1, 2))


# --- calculations ----------------------------------------------------------------------------------------------------


def artillery_split(g: Values) -> Values:
    guns = 0 if g["s"] <= 3 else table_1(g["bs"] * g["shots"] * g["models"], 5)
    return {"dmg_to_crew": table_1(g["bs"] * g["s"] * g["shots"] * g["models"], 3), "dmg_to_guns": guns}


def artillery_columns(g: Values) -> Values:
    return {"crew": table_1(g["dmg"], 3), "guns": table_1(g["dmg"], 5)}


def vehicle_line(g: Values) -> Values:
    av = min(g["av"], 12) if g.get("lance") else g["av"]
    difference = av - (9 if g.get("witchblade") else g["s"]) - EXTRA[g.get("extra")]
    return {"av_minus_s": difference, "line": line_for(difference)}


def vehicle_dangerous_terrain(g: Values) -> Values:
    return struck(g["rear_av"], 8, half_up(10 * Fraction(str(g["inches"]))))


def _range_bonus(on: bool, most: int | None, distance: float | None) -> int:
    if not on or most is None or distance is None:
        return 0
    return max(0, floor((most - Fraction(str(distance))) / 12))


def _bs(bs: int, heavy: bool, zone: str | None, speed: str, ap: int | None, bonus: int, more: int = 0) -> int:
    total = bs + more + SPEEDS[speed] + {1: 1, None: -1}.get(ap, 0)
    return max(0, total + (ZONES[zone] + bonus if heavy else 0))


def vehicle_bs(g: Values) -> Values:
    bonus = _range_bonus(g["range_bonus_rule"], g["max_range"], g["distance"])
    more = g["twin_linked"] + g["tank_hunters"]
    return {"bs": _bs(g["bs"], g["heavy"], g["zone"], g["speed"], g["ap"], bonus, more)}


def vehicle_shot_damage(g: Values) -> Values:
    return {"dmg": g["bs"] * g["shots"] * g["weapons"]}


def vehicle_damage(g: Values) -> Values:
    lines = {line: g["lines"].get(line, 0) for line in LINES}
    hits, lost = write(lines, g["line"], g["dmg"])
    glancing = sum(hit.endswith("G") for hit in hits)
    return {"lines": lines, "hits": hits, "glancing": glancing, "penetrating": len(hits) - glancing, "lost": lost}


def vehicle_volley(g: Values) -> Values:
    lines = {line: g.get("lines", {}).get(line, 0) for line in LINES}
    packets, glancing, penetrating = [], 0, 0
    for p in g["packets"]:
        bonus = _range_bonus(g["heavy_range_bonus"], p.get("range"), p.get("distance"))
        bs = _bs(p["bs"], p["heavy"], p.get("zone"), g["speed"], p["ap"], bonus)
        dmg = bs * p["shots"] * p["weapons"]
        saved = table_1(dmg, g["cover"])
        line = line_for(g["av"] - p["s"] - EXTRA[p.get("extra")])
        hits, _ = write(lines, line, saved)
        glancing += sum(hit.endswith("G") for hit in hits)
        penetrating += sum(hit.endswith("P") for hit in hits)
        said = {"name": p["name"], "bs": bs, "dmg": dmg, "dmg_after_cover": saved, "line": line, "hits": hits}
        packets.append(said)
    return {"packets": packets, "lines": lines, "glancing": glancing, "penetrating": penetrating}


def damage_track(g: Values) -> Values:
    """DL-60.17 to 60.23 with D-31 and D-32."""
    rows = {"G": list(g["glancing_track"]), "P": list(g["penetrating_track"])}
    ticked = {"G": set(g["glancing_checked"]), "P": set(g["penetrating_checked"])}
    weapons, immobilised, ends, results = g["weapons"], g["immobilised"], set(), []
    if g["open_topped"]:
        ticked["G"].add(rows["G"].index("crew_shaken"))
    for hit in g["hits"]:
        kind = hit["kind"]
        row, boxes = rows[kind], ticked[kind]
        free = [box for box in range(len(row)) if box not in boxes]
        if not free:
            results.append("none")
            continue
        place = min(1, len(free) - 1) if hit.get("bonus") else 0
        forbidden = kind == "G" and not (immobilised and weapons == 0)
        if row[free[place]] == "wrecked" and forbidden:
            place -= 1
        if place < 0:  # D-31 (4)
            result, due = ("weapon_destroyed" if weapons else "immobilised"), None
        else:
            due = free[place]
            result = row[due]
            again = row.index("weapon_destroyed") in boxes and weapons > 0
            if result == "immobilised" and again and hit.get("choice") == "weapon_destroyed":  # D-31 (3)
                result, due = "weapon_destroyed", None
            elif result == "weapon_destroyed" and not weapons:  # D-31 (1), then (2)
                result = "wrecked" if immobilised else "immobilised"
                if not immobilised:
                    boxes.add(row.index("immobilised"))
            elif result == "immobilised" and immobilised:  # D-31 (2)
                result = "weapon_destroyed" if weapons else "wrecked"
        if due is not None:
            boxes.add(due)
        weapons -= result == "weapon_destroyed"
        immobilised = immobilised or result == "immobilised"
        ends |= {result} & {"wrecked", "explodes"}
        results.append(result)
    return {
        "results": results,
        "glancing_checked": sorted(ticked["G"]),
        "penetrating_checked": sorted(ticked["P"]),
        "weapons_left": weapons,
        "immobilised": immobilised,
        "destroyed": "explodes" if "explodes" in ends else "wrecked" if ends else None,
    }


def vehicle_assault(g: Values) -> Values:
    ws = max(0, g["ws"] + SPEEDS[g["speed"]] + g["tank_hunters"])
    said = struck(g["av"], g["s"], ws * g["attacks"], g["extra"])
    return {**{k: v for k, v in said.items() if k != "strength"}, "ws": ws}


def grenades(g: Values) -> Values:
    strength = {"assault": 4, "defensive": 4, "krak": 6, "melta_bomb": 12}[g["kind"]]
    return struck(g["av"], strength, 20 * g["models"])


def explosion_passengers(g: Values) -> Values:
    dmg = g["passengers"] * (9 if g["open_topped"] else 12)
    return {"dmg": dmg, "ap": None, "hp_lost": table_1(dmg, g["save"]), "pinning_test": True}


def explosion_bystanders(g: Values) -> Values:
    dmg = 9 * g["models_within_4"]
    return {"dmg": dmg, "hp_lost": table_1(dmg, g["save"])}


def ram(g: Values) -> Values:
    def blow(own: int, tank: bool, other: int, dmg: int) -> Values:
        strength = min(10, max(0, own - 10) + floor(Fraction(str(g["inches"])) / 3) + tank)
        said = struck(other, strength, dmg)
        return {key: said[key] for key in ("strength", "dmg", "line", "glancing", "penetrating")}

    on_target = blow(g["rammer_av"], g["rammer_tank"], g["target_av"], 10 if g["target_skimmer"] else 20)
    return {"on_target": on_target, "on_rammer": blow(g["target_av"], g["target_tank"], g["rammer_av"], 20)}


def area_weapon_on_vehicle(g: Values) -> Values:
    base = {"blast": 3, "template": 4}[g["kind"]]
    times = max(0, base + SPEEDS[g["speed"]] + {1: 1, None: -1}.get(g["ap"], 0))
    strength = g["s"] // 2 if g["hole_off_hull"] else g["s"]
    difference = g["av"] - strength
    said = {"multiplier": times, "dmg": times * g["hits"], "strength": strength}
    return {**said, "av_minus_s": difference, "line": line_for(difference)}


def feel_no_pain(g: Values) -> Values:
    hp = g["hp_lost_after_saves"]
    return {"hp_lost": -(-hp // 2) if g["applies"] else hp}


def feel_no_pain_allowed(g: Values) -> Values:
    return {"allowed": g["ap"] not in (1, 2) and g["s"] < 2 * g["t"] and not g["ignores_armour_always"]}


def vulnerable_to_blasts(g: Values) -> Values:
    hp = 2 * table_1(g["dmg"], g["save"])
    return {"hp_lost": -(-hp // 2) if g["feel_no_pain"] else hp}


def night_sight(g: Values) -> Values:
    return {"inches": 24 if g["acute_senses"] else 18}


def fall_back_distance(g: Values) -> Values:
    fast = ("jump_infantry", "bike", "jetbike", "beast", "cavalry")
    return {"inches": 10 if g["unit_type"] in fast else 7}


def dangerous_terrain(g: Values) -> Values:
    each = g["dmg_per_model"]
    if g.get("skilled_rider") and g.get("unit_type") in ("bike", "jetbike", "cavalry"):
        each = -(-each // 2)  # jetbikes count as bikes
    return {"dmg": each * g["models"], "hp_lost": table_1(each * g["models"], g["invulnerable"])}


def move_through_cover(g: Values) -> Values:
    inside = min(5, g["allowance"] - g["open_inches_first"])
    return {"terrain_inches": inside, "total_inches": inside + g["open_inches_first"]}


def reserve_quota(g: Values) -> Values:
    n, turn = g["in_reserve"], g["turn"]
    if turn in (1, 5):
        return {"arrive": 0 if turn == 1 else n}
    half = n // 2 if turn == 2 else (n + 1) // 2
    return {"arrive": min(n, max(0, half + g["bonus"]))}


def reserve_turns(g: Values) -> Values:
    waiting, late, arrivals = g["units"], 0, []
    for turn in range(1, 6):
        picked = reserve_quota({"in_reserve": waiting, "turn": turn, "bonus": 0})["arrive"]
        put_off = g.get("delays", {}).get(str(turn), 0)
        arrivals.append(late + picked - put_off)
        waiting, late = waiting - picked, put_off
    return {"arrivals_turn_1_to_5": arrivals}


def reserve_delay_allowed(g: Values) -> Values:
    return {"allowed": not g["already_delayed"]}


def deep_strike(g: Values) -> Values:
    limit, mishap = {
        "own": (2, "return_to_reserve"),
        "neutral": (4, "misplaced_by_opponent"),
        "enemy": (6, "removed"),
    }[g["zone"]]
    limit = 0 if g["no_scatter"] else min(g["tokens_held"], limit * (2 if g["jamming_beacon"] else 1))
    return {"max_tokens": limit, "max_scatter_inches": 2 * limit, "on_mishap": mishap}


def outflank(g: Values) -> Values:
    return {"edge": g["choice"] if g["can_deploy"] else None, "removed": not g["can_deploy"]}


def null_zone(g: Values) -> Values:
    save = None if g["invulnerable"] in (None, 6) else g["invulnerable"] + 1
    return {"column": "none" if save is None else f"{save}+", "hp_lost": table_1(g["dmg"], save)}


def gate_of_infinity(g: Values) -> Values:
    return {"hp_lost": 10 if g["unit_taken"] else 0}


def cluster_mines(g: Values) -> Values:
    saves = [save for save in (g["armour"], g["invulnerable"]) if save is not None]
    return {"dmg": 90, "hp_lost": table_1(90, min(saves, default=None))}


def _repaired(g: Values, points: int) -> Values:
    before = g["lines"].get(g["line"], 0)
    left = max(0, before - points)
    undone = [f"{g['line']}{at}{kind}" for at, kind in thresholds(g["line"]) if left < at <= before]
    return {"points": points, "line_dmg": left, "unchecked": undone}


def repair(g: Values) -> Values:
    return _repaired(g, 12 + 6 * g["servitors"] + 6 * g["servo_harness"])


def rhino_repair(g: Values) -> Values:
    return _repaired(g, 6 if g["immobilised"] else 0)


def mindlock(g: Values) -> Values:
    return {"functions": g["techmarine_present"] or g["turns_without"] <= 1}


def tremor(g: Values) -> Values:
    if g["vehicle"]:
        return vehicle_dangerous_terrain({"rear_av": g["rear_av"], "inches": g["inches_moved"]})
    return {"allowance": max(0, g["allowance"] - 2)}


def chronus(g: Values) -> Values:
    return {"hp": 30 if g["result"] in ("wrecked", "explodes") else 40, "max_hp": 40}


def moonfang(g: Values) -> Values:
    part = table_1(g["dmg"], 2)
    kept = table_1(part, g["invulnerable"])
    return {"ap2": part, "ap2_after_invulnerable": kept, "instant_death": kept >= 10}


def angle_zone(g: Values) -> Values:
    degrees = g["degrees_off_perpendicular"]
    zone = "red" if degrees <= 30 else "orange" if degrees <= 60 else "yellow"
    return {"zone": zone, "bs_modifier": ZONES[zone]}


def tokens_given(g: Values) -> Values:
    worth = {None: 0, "blast": 2, "large_blast": 3}
    scatter = 2 * g.get("blast_weapons", 0) + 3 * g.get("large_blast_weapons", 0) + 2 * g.get("deep_strike_units", 0)
    scatter += sum(max((worth[mode] for mode in weapon["modes"]), default=0) for weapon in g.get("weapons", []))
    for psyker in g.get("psykers", []):
        if psyker.get("name") == "Varro Tigurius":
            scatter += 2
        else:
            scatter += worth[psyker.get("template")] + 2 * psyker.get("gate_of_infinity", False)
    return {"scatter": scatter, "gets_hot": g.get("gets_hot_weapons", 0), "warp": len(g.get("psykers", []))}


# --- what a vector may give ------------------------------------------------------------------------------------------


def _speed(r: Random) -> str:
    return r.choice(tuple(SPEEDS))


def _save(r: Random) -> int | None:
    return r.choice((None, 2, 3, 4, 5, 6))


def _ap(r: Random) -> int | None:
    return r.choice((None, 1, 2, 3, 4, 5, 6))


def _inches(r: Random, most: int = 24) -> float:
    return r.choice((r.randint(0, most), r.randint(0, 4 * most) / 4, r.randint(0, 10 * most) / 10))


def _flag(r: Random) -> bool:
    return r.random() < 0.5


def _lines(r: Random) -> dict[str, int]:
    return {line: r.randint(0, 36) for line in LINES if _flag(r)}


def _some(r: Random, **keys: Callable[[Random], Any]) -> Values:
    return {name: make(r) for name, make in keys.items() if _flag(r)}


def _ranges(r: Random) -> tuple[int | None, float | None]:
    if _flag(r):
        return None, None
    most = r.choice((12, 18, 24, 36, 48, 60, 72))
    return most, min(_inches(r, most), most)


def _packet(r: Random) -> Values:
    most, distance = _ranges(r)
    ranged = {} if most is None else {"range": most, "distance": distance}
    return {
        "name": r.choice(("bolter", "lascannon", "missile launcher (krak)", "multi-melta", "autocannon")),
        "weapons": r.randint(1, 6),
        "bs": r.randint(0, 6),
        "shots": r.randint(1, 4),
        "s": r.randint(1, 10),
        "ap": _ap(r),
        "heavy": _flag(r),
        **ranged,
        **_some(r, zone=lambda r: r.choice(tuple(ZONES)), extra=lambda r: r.choice(tuple(EXTRA))),
    }


def _hit(r: Random) -> Values:
    choice = _some(r, choice=lambda r: r.choice(("weapon_destroyed", "immobilised")))
    return {"kind": r.choice("GP"), **choice, **({"bonus": r.randint(0, 1)} if _flag(r) else {})}


def _track(r: Random) -> Values:
    glancing, penetrating = r.choice((TEXT, SHEET))
    return {
        "glancing_track": list(glancing),
        "penetrating_track": list(penetrating),
        "hits": [_hit(r) for _ in range(r.randint(0, 12))],
        "weapons": r.randint(0, 4),
        "immobilised": r.random() < 0.3,
        "open_topped": r.random() < 0.3,
        "glancing_checked": sorted(r.sample(range(len(glancing)), r.choice((0, 0, 2, 5)))),
        "penetrating_checked": sorted(r.sample(range(len(penetrating)), r.choice((0, 0, 2, 4)))),
    }


def _vehicle_bs(r: Random) -> Values:
    most, distance = _ranges(r)
    return {
        "bs": r.randint(0, 10),
        "heavy": _flag(r),
        "zone": r.choice(tuple(ZONES)),
        "speed": _speed(r),
        "ap": _ap(r),
        "range_bonus_rule": _flag(r),
        "max_range": most,
        "distance": distance,
        "twin_linked": _flag(r),
        "tank_hunters": _flag(r),
    }


def _delays(r: Random) -> Values:
    units = r.randint(0, 14)
    delays: dict[str, int] = {}
    waiting = units
    for turn in range(1, 5):
        picked = reserve_quota({"in_reserve": waiting, "turn": turn, "bonus": 0})["arrive"]
        waiting -= picked
        if _flag(r):
            delays[str(turn)] = r.randint(0, picked)
    return {"units": units, "delays": delays}


def _armour(r: Random) -> int:
    return r.randint(10, 14)


def _tremor(r: Random) -> Values:
    if _flag(r):
        return {"vehicle": True, "rear_av": _armour(r), "inches_moved": _inches(r)}
    return {"vehicle": False, "allowance": r.randint(0, 12)}


def _tokens(r: Random) -> Values:
    modes = (None, "blast", "large_blast")
    weapon = lambda number: {"name": f"w{number}", "modes": [r.choice(modes) for _ in range(r.randint(1, 3))]}  # noqa: E731
    psyker = lambda: _some(  # noqa: E731
        r, template=lambda r: r.choice(modes), gate_of_infinity=_flag, name=lambda r: r.choice(("Varro Tigurius", "X"))
    )
    return _some(
        r,
        blast_weapons=lambda r: r.randint(0, 6),
        large_blast_weapons=lambda r: r.randint(0, 6),
        gets_hot_weapons=lambda r: r.randint(0, 6),
        deep_strike_units=lambda r: r.randint(0, 6),
        weapons=lambda r: [weapon(number) for number in range(r.randint(0, 3))],
        psykers=lambda r: [psyker() for _ in range(r.randint(0, 3))],
    )


UNIT_TYPES = (
    "infantry", "jump_infantry", "bike", "jetbike", "beast", "cavalry", "monstrous_creature", "artillery",
)  # fmt: skip
GIVEN: dict[str, Callable[[Random], Values]] = {
    "artillery_split": lambda r: {
        "bs": r.randint(0, 10), "s": r.randint(1, 10), "shots": r.randint(1, 6), "models": r.randint(1, 20)
    },
    "artillery_columns": lambda r: {"dmg": r.randint(0, 600)},
    "vehicle_line": lambda r: {
        "av": _armour(r),
        "s": r.randint(1, 10),
        **_some(r, extra=lambda r: r.choice(tuple(EXTRA))),
        **_some(r, **({"witchblade": _flag} if _flag(r) else {"lance": _flag})),
    },
    "vehicle_dangerous_terrain": lambda r: {"rear_av": _armour(r), "inches": _inches(r)},
    "vehicle_bs": _vehicle_bs,
    "vehicle_shot_damage": lambda r: {
        "bs": r.randint(0, 15), "shots": r.randint(1, 9), "weapons": r.randint(1, 20)
    },
    "vehicle_damage": lambda r: {"line": r.choice(LINES), "lines": _lines(r), "dmg": r.randint(0, 250)},
    "vehicle_volley": lambda r: {
        "av": _armour(r),
        "speed": _speed(r),
        "cover": _save(r),
        "heavy_range_bonus": _flag(r),
        "packets": [_packet(r) for _ in range(r.randint(1, 4))],
        **_some(r, lines=_lines),
    },
    "damage_track": _track,
    "vehicle_assault": lambda r: {
        "ws": r.randint(0, 10),
        "attacks": r.randint(0, 60),
        "s": r.randint(1, 10),
        "av": _armour(r),
        "speed": _speed(r),
        "tank_hunters": _flag(r),
        "extra": r.choice(tuple(EXTRA)),
    },
    "grenades": lambda r: {
        "kind": r.choice(("assault", "defensive", "krak", "melta_bomb")),
        "models": r.randint(1, 12),
        "av": _armour(r),
        "speed": _speed(r),
    },
    "explosion_passengers": lambda r: {"passengers": r.randint(1, 20), "open_topped": _flag(r), "save": _save(r)},
    "explosion_bystanders": lambda r: {"models_within_4": r.randint(1, 20), "save": _save(r)},
    "ram": lambda r: {
        "rammer_av": _armour(r),
        "target_av": _armour(r),
        "inches": _inches(r, 18),
        "rammer_tank": _flag(r),
        "target_tank": _flag(r),
        "target_skimmer": _flag(r),
    },
    "area_weapon_on_vehicle": lambda r: {
        "kind": r.choice(("blast", "template")),
        "hits": r.randint(0, 3),
        "speed": _speed(r),
        "ap": _ap(r),
        "s": r.randint(1, 10),
        "av": _armour(r),
        "hole_off_hull": _flag(r),
    },
    "feel_no_pain": lambda r: {"hp_lost_after_saves": r.randint(0, 400), "applies": _flag(r)},
    "feel_no_pain_allowed": lambda r: {
        "ap": _ap(r), "s": r.randint(1, 10), "t": r.randint(1, 10), "ignores_armour_always": _flag(r)
    },
    "vulnerable_to_blasts": lambda r: {"dmg": r.randint(0, 300), "save": _save(r), "feel_no_pain": _flag(r)},
    "night_sight": lambda r: {"acute_senses": _flag(r)},
    "fall_back_distance": lambda r: {"unit_type": r.choice(UNIT_TYPES)},
    "dangerous_terrain": lambda r: {
        "models": r.randint(1, 20),
        "dmg_per_model": r.randint(0, 30),
        "invulnerable": _save(r),
        **_some(r, armour=_save, cover=_save, skilled_rider=_flag, unit_type=lambda r: r.choice(UNIT_TYPES)),
    },
    "move_through_cover": lambda r: {"allowance": r.choice((6, 12)), "open_inches_first": r.randint(0, 12) / 2},
    "reserve_quota": lambda r: {"in_reserve": r.randint(0, 14), "turn": r.randint(1, 5), "bonus": r.randint(-3, 3)},
    "reserve_schedule": lambda r: {"units": r.randint(0, 20)},
    "reserve_turns": _delays,
    "reserve_delay_allowed": lambda r: {"already_delayed": _flag(r)},
    "deep_strike": lambda r: {
        "zone": r.choice(("own", "neutral", "enemy")),
        "tokens_held": r.randint(0, 20),
        "jamming_beacon": _flag(r),
        "no_scatter": _flag(r),
    },
    "outflank": lambda r: {"choice": r.choice(("left", "right")), "can_deploy": _flag(r)},
    "null_zone": lambda r: {"dmg": r.randint(0, 300), "invulnerable": _save(r)},
    "gate_of_infinity": lambda r: {"unit_taken": _flag(r), **_some(r, armour=_save, invulnerable=_save)},
    "cluster_mines": lambda r: {"armour": _save(r), "cover": _save(r), "invulnerable": _save(r)},
    "repair": lambda r: {
        "lines": _lines(r), "line": r.choice(LINES), "servitors": r.randint(0, 4), "servo_harness": _flag(r)
    },
    "rhino_repair": lambda r: {"lines": _lines(r), "line": r.choice(LINES), "immobilised": _flag(r)},
    "mindlock": lambda r: {"turns_without": r.randint(0, 4), "techmarine_present": _flag(r)},
    "tremor": _tremor,
    "chronus": lambda r: {"result": r.choice((*dict.fromkeys((*TEXT[0], *TEXT[1])), "none"))},
    "moonfang": lambda r: {"dmg": r.randint(0, 300), "invulnerable": _save(r)},
    "angle_zone": lambda r: {"degrees_off_perpendicular": r.choice((0, 30, 31, 60, 61, 90, 30.5, r.randint(0, 90)))},
    "tokens_given": _tokens,
}  # fmt: skip
reserve_schedule = reserve_turns


# --- a sheet over a game ----------------------------------------------------------------------------------------------


class Sheet:
    """A vehicle's sheet that is hit and repaired: D-31 for hits, D-43 and its addendum for repairs."""

    def __init__(self, weapons: int, rows: tuple[tuple[str, ...], ...], open_topped: bool = False) -> None:
        self.rows = dict(zip("GP", rows, strict=True))
        self.ticked: dict[str, set[int]] = {"G": {0} if open_topped else set(), "P": set()}
        self.weapons, self.immobilised = weapons, False
        self.end: str | None = None
        self.lines = dict.fromkeys(LINES, 0)
        self.results: list[tuple[str, str, str, set[int]]] = []

    def damage(self, line: str, dmg: int, choice: str) -> None:
        """DMG on a line; where the attacker may choose, he takes this."""
        for hit in write(self.lines, line, dmg)[0]:
            self._hit(hit[-1], hit[0], choice)

    def _hit(self, kind: str, line: str, choice: str) -> None:
        given = {
            "glancing_track": self.rows["G"],
            "penetrating_track": self.rows["P"],
            "glancing_checked": self.ticked["G"],
            "penetrating_checked": self.ticked["P"],
            "hits": [{"kind": kind, "choice": choice}],
            "weapons": self.weapons,
            "immobilised": self.immobilised,
            "open_topped": False,
        }
        said = damage_track(given)
        after = {"G": set(said["glancing_checked"]), "P": set(said["penetrating_checked"])}
        (result,) = said["results"]
        if result != "none":
            self.results.append((kind, line, result, after[kind] - self.ticked[kind]))
        self.ticked, self.weapons, self.immobilised = after, said["weapons_left"], said["immobilised"]
        ends = {self.end, said["destroyed"]}
        self.end = "explodes" if "explodes" in ends else "wrecked" if "wrecked" in ends else None

    def repair(self, line: str, points: int) -> None:
        """Points off a line, and a result of its row undone for each threshold that it falls under."""
        before = self.lines[line]
        left = self.lines[line] = max(0, before - points)
        for _, kind in [hit for hit in reversed(thresholds(line)) if left < hit[0] <= before]:
            row = [at for at, result in enumerate(self.results) if result[0] == kind]
            own = [at for at in row if self.results[at][1] == line]
            if own or row:
                _, _, result, boxes = self.results.pop((own or row)[-1])
                self.ticked[kind] -= boxes
                self.weapons += result == "weapon_destroyed"
                self.immobilised = self.immobilised and result != "immobilised"

    @property
    def told(self) -> tuple[Any, ...]:
        """Everything that is on it."""
        boxes = tuple(sorted(self.ticked["G"])), tuple(sorted(self.ticked["P"]))
        return tuple(self.lines.values()), *boxes, self.weapons, self.immobilised, self.end
