"""Vehicles: BS, lines, volleys, boxes, assaults, rams, and those inside."""

from __future__ import annotations

from typing import Any

from tests.vectors.diceless40k_parts import AN_HP, LINES, Said, ask, lines_of, play, play_told, values, yes
from tests.vectors.given import Given, Unknown

STRENGTHS = {"A": 4, "B": 5, "C": 6, "D": 7, "E": 8, "F": 9}
"""The Strength that comes to each line on armour 10."""
MANY_WEAPONS = [f"weapon {number}" for number in range(1, 31)]
"""So many that no hit does anything but what the lines say."""


def _struck(attack: Any) -> Said:
    """Line, hits and sheet after one packet."""
    (result,) = attack.packet_results
    return {
        "dmg": result.packet.dmg,
        "strength": result.packet.strength,
        "av_minus_s": result.av_minus_s,
        "line": result.line,
        "lines": dict(zip(LINES, attack.damage.lines, strict=True)),
        "hits": [hit.name for hit in result.hits],
        "glancing": attack.glancing,
        "penetrating": attack.penetrating,
        "lost": attack.lost,
    }


def _driven(**inputs: Any) -> Said:
    return _struck(play("drive", vehicle_weapons=MANY_WEAPONS, **inputs))


def vehicle_line(given: Given) -> Said:
    if given.get("witchblade"):
        rules = ["witchblade"]
        attack = play(
            "assault_vehicle", av=given["av"], strength=given["s"], extra=given.get("extra"), rules=rules
        ).attack
    else:
        rules = ["lance"] if given.get("lance") else []
        gun = {"strength": given["s"], "extra": given.get("extra"), "rules": rules}
        attack = play("shoot_vehicle", av=given["av"], guns=[gun])
    return {name: _struck(attack)[name] for name in ("av_minus_s", "line")}


def vehicle_bs(given: Given) -> Said:
    gun = {
        **given.only("bs", "ap", "distance", "tank_hunters"),
        "zone": given.get("zone") or "orange",
        "type": "heavy" if given.get("heavy") else "assault",
        "range": given.get("max_range"),
        "rules": ["twin_linked"] if given.get("twin_linked") else [],
    }
    option = {True: "on", False: "off"}[given.get("range_bonus_rule", False)]
    return values(ask("shoot_vehicle", guns=[gun], speed=given["speed"], heavy_range_bonus=option), bs="bs")


def vehicle_shot_damage(given: Given) -> Said:
    gun = {**given.only("bs", "shots", "weapons"), "ap": 5}
    return values(ask("shoot_vehicle", guns=[gun]), dmg="dmg")


def vehicle_damage(given: Given) -> Said:
    """The DMG as so many shots of BS 1, of the Strength that comes to the line."""
    gun = {"bs": 1, "shots": given["dmg"], "ap": 5, "strength": given.choice("line", STRENGTHS)}
    if not given["dmg"]:
        gun |= {"bs": 0, "shots": 1}
    sheet = lines_of(given)
    return _struck(play("shoot_vehicle", guns=[gun], vehicle_weapons=MANY_WEAPONS, **sheet))


def vehicle_volley(given: Given) -> Said:
    guns, names = [], []
    for number, packet in enumerate(given["packets"], 1):
        names.append(packet["name"])
        guns.append(
            {
                "name": f"packet {number}",
                **packet.only("weapons", "bs", "shots", "ap", "range", "distance", "extra"),
                "zone": packet.get("zone") or "orange",
                "strength": packet["s"],
                "type": "heavy" if packet.get("heavy") else "assault",
            }
        )
    option = {True: "on", False: "off"}[given.get("heavy_range_bonus", False)]
    target = {**given.only("av", "speed", "cover"), **lines_of(given), "vehicle_weapons": MANY_WEAPONS}
    attack = play("shoot_vehicle", guns=guns, heavy_range_bonus=option, **target)
    packets = [
        {
            "name": name,
            "bs": result.packet.skill,
            "dmg": result.packet.dmg,
            "dmg_after_cover": result.dmg,
            "line": result.line,
            "hits": [hit.name for hit in result.hits],
        }
        for name, result in zip(names, attack.packet_results, strict=True)
    ]
    lines = dict(zip(LINES, attack.damage.lines, strict=True))
    return {"packets": packets, "lines": lines, "glancing": attack.glancing, "penetrating": attack.penetrating}


def angle_zone(given: Given) -> Said:
    answer = ask("shoot_vehicle", guns=[{"type": "heavy", "ap": 5, "degrees": given["degrees_off_perpendicular"]}])
    return values(answer, zone="zone", bs_modifier="angle")


def area_weapon_on_vehicle(given: Given) -> Said:
    gun = {"marker": given["kind"], **given.only("hits", "ap"), "strength": given["s"]}
    gun["off_hull"] = given.get("hole_off_hull", False)
    attack = play("shoot_vehicle", guns=[gun], **given.only("speed", "av"))
    said = _struck(attack)
    return {
        "multiplier": attack.packet_results[0].packet.skill,
        **{k: said[k] for k in ("dmg", "strength", "av_minus_s", "line")},
    }


# --- boxes ----------------------------------------------------------------------------------------------------------


def damage_track(given: Given) -> Said:
    preset = _preset(given)
    hits, choices = [], {}
    for number, hit in enumerate(given.get("hits", []), 1):
        kind = hit.choice("kind", ("G", "P"))
        hits.append({"kind": kind, "bonus": hit.get("bonus", 0)})
        choices[f"{number}{kind}: immobilised or weapon destroyed"] = hit.get("choice")
    rows = play(
        "vehicle_hits",
        lambda asked: choices.get(asked.label),
        hits=hits,
        rows=preset,
        vehicle_weapons=MANY_WEAPONS[: given.get("weapons", 0)],
        immobilised=given.get("immobilised", False),
        open_topped=given.get("open_topped", False),
        glancing_ticked=given.get("glancing_checked", []),
        penetrating_ticked=given.get("penetrating_checked", []),
    )
    return {
        "results": [ticked.result for ticked in rows.box_results],
        "glancing_checked": list(rows.damage.glancing),
        "penetrating_checked": list(rows.damage.penetrating),
        "weapons_left": len(rows.damage.weapons_left),
        "immobilised": rows.damage.immobilised,
        "destroyed": rows.damage.destroyed or None,
    }


def _preset(given: Given) -> str:
    """The ruling under which the sheet has these rows."""
    wanted = given["glancing_track"], given["penetrating_track"]
    for preset in ("text", "sheet"):
        printed = ask("vehicle_hits", rows=preset).table
        assert printed is not None
        rows = [[cell.partition(" ")[2].replace(" ", "_") for cell in row[1:] if cell] for row in printed.rows]
        if rows == [list(row) for row in wanted]:
            return preset
    raise Unknown(f"no ruling has the rows {wanted}")


# --- assaults, rams, and those inside -------------------------------------------------------------------------------


def vehicle_assault(given: Given) -> Said:
    blows = {**given.only("ws", "attacks", "av", "speed", "tank_hunters", "extra"), "strength": given["s"]}
    attack = play("assault_vehicle", models=1, vehicle_weapons=MANY_WEAPONS, **blows).attack
    return {**_struck(attack), "ws": attack.packet_results[0].packet.skill}


def grenades(given: Given) -> Said:
    kind = given.choice("kind", ("assault", "defensive", "krak", "melta_bomb"))
    thrown = {"grenade": kind, "throwing": given["models"], **given.only("models", "av", "speed")}
    return _struck(play("assault_vehicle", vehicle_weapons=MANY_WEAPONS, **thrown).attack)


def ram(given: Given) -> Said:
    answer = ask("ram", **{"rammer_tank": False, **given.plain()})
    names = ("strength", "dmg", "line", "glancing", "penetrating")
    said = {
        on: values(answer, **{name: f"{which}_{name}" for name in names})
        for on, which in (("on_target", "target"), ("on_rammer", "rammer"))
    }
    return {on: {**blow, "line": None if blow["line"] == "none" else blow["line"]} for on, blow in said.items()}


def explosion_passengers(given: Given) -> Said:
    inside = {"models": given["passengers"], "armour": given.get("save"), "hp": AN_HP, **given.only("open_topped")}
    _end, told = play_told("vehicle_end", **inside)
    answer = ask("vehicle_end", **inside)
    (ap,) = {part.ap for share in told for part in share.parts}
    said = values(answer, dmg="dmg", hp_lost="hp_lost")
    return {**said, "ap": ap, "pinning_test": yes(answer, "tests")}


def chronus(given: Given) -> Said:
    return values(ask("vehicle_end", end=given["result"]), hp="commander_hp", max_hp="commander_most")
