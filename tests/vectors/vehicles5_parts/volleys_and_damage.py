"""Fire at a vehicle: penetration, the damage table, whole volleys, and how long its effects are felt."""

from __future__ import annotations

from typing import Any

from battletape.answer import Answer
from tests.vectors.given import Given, known
from tests.vectors.vehicles5_parts import (
    BANDS,
    DAMAGE,
    DICE,
    FACES,
    RULES,
    SIDES,
    Hand,
    Said,
    ask,
    cell,
    chance,
    chances,
    condition,
    crew,
    number,
    options,
    refused,
    roll,
    step,
    text,
    types,
)

WORST = {
    "none": "no worse than before",
    "shaken": "shaken",
    "stunned": "stunned",
    "weapon_destroyed": "weapon lost",
    "immobilised": "immobilised",
    "wrecked": "wrecked",
    "exploded": "exploded",
}
"""A row of the damage table, and the worst that it does to a vehicle in order."""
SUMMARY = (*DAMAGE, "cannot_move_next_turn", "cannot_shoot_next_turn", "weapon_lost_or_destroyed")
STEPS = {
    "choose the target, see who is in range and sight": "target",
    "find the facing of each firer, roll to hit": "facing_and_to_hit",
    "note the armour value of that facing": "note_av",
    "roll for penetration: dice and strength against armour": "penetration",
    "roll cover saves, if there is cover": "cover_save",
    "roll on the damage table, once for each glance or penetration": "damage",
}


def _gun(weapon: Given, cover: Any, **more: Any) -> Said:
    """A gun; no cover of its target's own counts, where the vector says that there is none."""
    weapon.get("name")  # what it is called: of ours a name would be that of a profile
    return {
        **weapon.only("shots", "bs", "auto", "strength", "ap", "bonus"),
        "dice": weapon.choice("dice", DICE, "d6"),
        "rules": [rule for rule in ("lance", "twin_linked") if weapon.get(rule)],
        "rim": weapon.get("half_strength", False),
        "ignores_cover": cover is None,
        **more,
    }


def _types(given: Given) -> list[str]:
    skims = ["fast", "skimmer"] if given.get("skimmer_moved_flat_out") else []
    return [*(["open_topped"] if given.get("open_topped") else []), *skims]


def _band(given: Given) -> str:
    return "flat_out" if given.get("skimmer_moved_flat_out") else "combat"


# --- one hit --------------------------------------------------------------------------------------------------------


def _one_shot(given: Given, **more: Any) -> Answer:
    """One shot at a vehicle in order, that hits for sure if nobody aims it."""
    cover = given.get("cover")
    gun = _gun(given, cover, **({} if "bs" in given else {"auto": True}), **more)
    return ask(given, "shoot", front=given["av"], types=_types(given), cover=cover, guns=[gun])


def penetration(given: Given) -> Said:
    answer = _one_shot(given, extra=10)  # so that no glance is without effect, by any ruling
    return {
        "none": chance(answer, "unchanged"),
        "glance": text(answer.odds("expected_glances").mean),
        "penetrate": text(answer.odds("expected_penetrations").mean),
    }


def penetration_roll(given: Given) -> Said:
    rolls = given["rolls"] if isinstance(given["rolls"], list) else [given["rolls"]]
    gun = _gun(given, None, auto=True)
    log = roll(given, "shoot", [*rolls, 6], front=given["av"], guns=[gun]).log
    return {"hit": [line.result for line in log if line.question in ("gun: penetration", "gun: D3 more")][-1]}


def one_hit(given: Given) -> Said:
    answer = _one_shot(given)
    return {row: chance(answer, "worst", worst) for row, worst in WORST.items()}


def one_shot(given: Given) -> Said:
    return one_hit(given)


def cover_save(given: Given) -> Said:
    active = given.get("smoke_active", False)
    target = {
        "types": types(given),
        "band": given.choice("band", BANDS, "stationary"),
        "smoke": given.choice("source", {"smoke": True, None: active}, None),
        "terrain_cover": given.get("terrain_cover"),
        **crew(given),
    }
    guns = [{"auto": True, "strength": 10}]
    if refused(given, "shoot", "V5-FAST-1", "V5-WALK-1", front=10, guns=guns, **target):
        target["band"] = "stationary"  # it cannot go so fast, and so has no save for that
    found = step(ask(given, "shoot", front=10, guns=guns, **target), "cover save")
    if found is None or found.chance is None:
        return {"save": None, "stopped": "0/1"}
    return {"save": number(found.needed), "stopped": text(found.chance)}


def shooting_steps(given: Given) -> Said:
    rulings = RULES.parse_rulings(options(given))
    (steps,) = (table for table in RULES.tables(rulings) if table.clause == "V5-SHOT-10")  # type: ignore[call-arg]
    return {"steps": [STEPS[words] for _, words in steps.rows]}


# --- the damage table -----------------------------------------------------------------------------------------------


def _rolls(given: Given, count: int = 1) -> Said:
    """So many hits of one kind that have glanced or gone through."""
    given.choice("source", ("close_combat", "shooting"), "shooting")  # blows have no AP, and nothing else differs
    hits = {"hit": given.choice("hit", ("glance", "penetrate")), "count": count, **given.only("ap", "extra")}
    return {"types": _types(given), "band": _band(given), "hits": [hits]}


def damage_table(given: Given) -> Said:
    answer = ask(given, "damage", **_rolls(given))
    assert answer.table is not None
    _, kind = answer.table.head
    return {
        "modifier": int(kind.split(", ")[1]),
        **{row: chance(answer, "worst", worst) for row, worst in WORST.items()},
    }


def damage_row(given: Given) -> Said:
    answer = ask(given, "damage", **_rolls(given))
    assert answer.table is not None
    _, kind = answer.table.head
    modified, row = cell(answer, str(given["die"]), kind).split(": ")
    return {"modified": int(modified), "row": row.replace(" ", "_")}


def apply_results(given: Given) -> Said:
    faces = [known(FACES, "result", row) for row in given["results"]]
    hits = [{"count": len(faces), "ap": 6}]  # whose modifier is 0 by any ruling
    now = roll(given, "damage", faces, types=_types(given), band=_band(given), hits=hits, **condition(given)).state.now
    return {
        "shaken": now.shaken,
        "stunned": now.stunned,
        "weapons": len(now.weapons),
        "immobilised": now.immobilised,
        "status": now.status,
    }


def n_damage_rolls(given: Given) -> Said:
    answer = ask(given, "damage", **_rolls(given, given["n"]), **condition(given))
    return {name: text(share) for name, share in answer.states.project(_label).fractions().items()}


def _label(state: Any) -> str:
    """A condition as the vectors write it: w2_im_sh for two weapons, immobilised and shaken."""
    now = state.now
    if now.status != "ok":
        return str(now.status)
    marks = {"_im": now.immobilised, "_sh": now.shaken, "_st": now.stunned}
    return f"w{len(now.weapons)}" + "".join(mark for mark, is_one in marks.items() if is_one)


def n_damage_rolls_summary(given: Given) -> Said:
    answer = ask(given, "damage", **_rolls(given, given["n"]), **condition(given))
    return chances(answer, "destroyed", "immobilised_or_worse")


def weapon_choice(given: Given) -> Said:
    """Whether the pick is among what is offered, to whoever is asked; a spare weapon makes sure that somebody is."""
    intact = [weapon for weapon in given["weapons"] if not weapon["destroyed"]]
    names, melee = ["a spare one"], []
    for weapon in intact:
        names.append(weapon["name"])
        melee += [weapon["name"]] if weapon.get("melee") else []
    for weapon in given["weapons"]:
        weapon.only("name", "melee")  # what is destroyed is not offered, whatever it was
    tape = Hand([FACES["weapon_destroyed"]])
    hits = [{"ap": 6}]  # whose modifier is 0 by any ruling
    RULES.roll("damage", tape=tape, weapon_names=names, melee_weapons=melee, hits=hits, **options(given))
    chooser, pick = given.choice("chooser", ("attacker", "defender")), given["pick"]
    return {"legal": any(chooser == ask.by and pick in ask.options for ask in tape.asked)}


# --- volleys --------------------------------------------------------------------------------------------------------


def _target(given: Given) -> Said:
    return {"types": _types(given), "band": _band(given), **condition(given)}


def volley(given: Given) -> Said:
    cover = given["cover"]
    guns = [_gun(weapon, cover) for weapon in given["weapons"]]
    return chances(ask(given, "shoot", front=given["av"], guns=guns, cover=cover, **_target(given)), *SUMMARY)


def volley_split(given: Given) -> Said:
    cover, armour, guns = given["cover"], {}, []
    for side, group in zip(SIDES, given["groups"], strict=False):
        armour[side] = group["av"]
        guns += [_gun(weapon, cover, facing=side) for weapon in group["weapons"]]
    return chances(ask(given, "shoot", guns=guns, cover=cover, **armour, **_target(given)), *SUMMARY)


def volley_chain(given: Given) -> Said:
    armours = list(dict.fromkeys(one["av"] for one in given["volleys"]))
    side = dict(zip(armours, SIDES, strict=False))
    volleys = []
    for one in given["volleys"]:
        guns = [_gun(weapon, one["cover"], facing=side[one["av"]]) for weapon in one["weapons"]]
        volleys.append({"guns": guns, "cover": one["cover"]})
    armour = {name: av for av, name in side.items()}
    return chances(ask(given, "kill_time", volleys=volleys, **armour, **_target(given)), *SUMMARY)


def volley_expectations(given: Given) -> Said:
    cover = given["cover"]
    guns = [_gun(weapon, cover) for weapon in given["weapons"]]
    answer = ask(given, "shoot", front=given["av"], guns=guns, cover=cover)
    measures = {"hits": "expected_hits", "glancing": "expected_glances", "penetrating": "expected_penetrations"}
    return {name: text(answer.odds(measure).mean) for name, measure in measures.items()}
