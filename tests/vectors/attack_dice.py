"""Vectors of attack_dice: each shape of question as what a player asks, rolls, does in a battle, or reads."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from battletape import Battle, NeedAnswer, Odds, Refused, Typed, ruleset
from battletape.answer import Answer
from battletape.steps import Step
from tests.vectors.given import Given, Unknown, known

SYSTEM = ruleset("attack_dice")
RULINGS = ("dice", "method", "chart_errata", "modifier_policy", "numbering", "save_dice")
SPILL = {True: "spills", False: "lost"}
YES_NO = (True, False)
SURE = {"attacks": 1, "power": 1, "defence": 0, "models": 1}  # one attack that succeeds by itself


def text(chance: Fraction) -> str:
    return f"{chance.numerator}/{chance.denominator}"


def table(odds: Odds[Any]) -> dict[str, str]:
    return {str(value): text(share) for value, share in odds.fractions().items()}


def rulings(given: Given) -> dict[str, Any]:
    """The rulings a vector names; the sheet's own where it names none."""
    spill = {"spill": given.choice("spill", SPILL)} if "spill" in given else {}
    return given.only(*RULINGS) | spill


def answer(vector: dict[str, Any]) -> dict[str, Any]:
    given: Given = vector["given"]
    if "query" in given:
        return survey(given, known({"chart": "chart", "formula": "formula"}, "question", vector["question"]))
    shapes = {
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
    return known(shapes, "question", vector["question"])(given)


# --- the chart and the formula --------------------------------------------------------------------------------------


def look_up(given: Given) -> dict[str, Any]:
    if "entry" in given:
        return dice(given)
    inputs = given.only("power", "defence", "power_bonus", "defence_bonus") | rulings(given) | melees(given)
    if "cover" in given:
        inputs |= {"cover_stat": given["cover"]["stat"], "cover": given["cover"]["amount"]}
    if "facing" in given:
        inputs |= {"facing_rule": "on", "facing": given["facing"]}
    if "engaged" in given and given.choice("engaged", YES_NO):
        inputs |= {"attacker_melee": "M1", "target_melee": "M1"}
    return looked_up(SYSTEM.ask("chart", **inputs))


def looked_up(asked: Answer) -> dict[str, Any]:
    """What the chart question says of Power against Defence."""
    step, power, defence = compared(asked)
    successes = asked.odds("successes")
    line = re.search(r"\((F\d+): ", step.title)
    return {
        "entry": step.needed,
        "auto": "automatic" in step.title,
        "multiplier": max(successes.fractions()),
        "hp_multiplier": max(successes.fractions()),
        "line": line[1] if line else "",
        "effective_power": power,
        "effective_defence": defence,
        "p_success": text(successes.at_least(1)),
    }


def compared(asked: Answer) -> tuple[Step, int, int]:
    """The step that compares Power with Defence, and both as they count there."""
    for step in asked.steps:
        if found := re.match(r"Power (\d+) against Defence (\d+)", step.title):
            return step, int(found[1]), int(found[2])
    raise AssertionError(f"no step of {asked!r} compares Power with Defence")


def survey(given: Given, method: str) -> dict[str, Any]:
    """The whole chart, cell by cell."""
    rules = {"method": method, **rulings(given)}
    query = given.choice("query", ("deviations", "census", "line_counts", "compare_methods", "checksum"))
    if query in ("deviations", "census"):
        whole = SYSTEM.ask("chart", **rules).table
        assert whole is not None
        entries = [cell for row in whole.rows for cell in row[1:]]
        if query == "census":
            return {"counts": Counter(entries)}
        given.choice("rule", ("difference",))
        return {"cells": len(entries), "deviations": list(deviations(rules))}
    if query == "line_counts":
        lines = [looked_up(asked)["line"] for asked in cells(0, **rules)]
        return {"cells": len(lines), "counts": Counter(lines)}
    if query == "checksum":
        return {"sum": text(sum((worth(asked) for asked in cells(1, **rules)), Fraction(0)))}
    chart, formula = (list(map(worth, cells(1, **{**rules, "method": way}))) for way in ("chart", "formula"))
    higher = Counter((one > other) - (one < other) for one, other in zip(formula, chart, strict=True))
    return {
        "equal": higher[0],
        "formula_higher": higher[1],
        "chart_higher": higher[-1],
        "differ": higher[1] + higher[-1],
    }


def cells(lowest: int, **rules: Any) -> Iterator[Answer]:
    for power in range(lowest, 21):
        for defence in range(16):
            yield SYSTEM.ask("chart", power=power, defence=defence, **rules)


def worth(asked: Answer) -> Fraction:
    return asked.odds("successes").mean


def deviations(rules: dict[str, Any]) -> Iterator[list[Any]]:
    """The cells that the table of the system names for these dice, if these rulings leave them as they are."""
    [printed] = [one for one in SYSTEM.tables() if one.clause == "AD-14"]
    for dice, power, defence, _, demanded in printed.rows:
        if dice.lower() == rules["dice"]:
            shown = looked_up(SYSTEM.ask("chart", power=int(power), defence=int(defence), **rules))["entry"]
            if shown != demanded:
                yield [int(power), int(defence), shown, demanded]


# --- dice -----------------------------------------------------------------------------------------------------------


def dice(given: Given) -> dict[str, Any]:
    rules = rulings(given)
    if "shown" in given:
        return shown(given["shown"], rules)
    if "entries" in given:
        asked = (SYSTEM.ask("chart", entry=entry, **rules) for entry in given["entries"])
        return {"p_success": [text(one.odds("successes").at_least(1)) for one in asked]}
    inputs = given.only("entry", "modifier") | rules
    if "rolls" in given:
        return {
            "success": [succeeds(rolls if isinstance(rolls, list) else [rolls], inputs) for rolls in given["rolls"]]
        }
    found = SYSTEM.ask("chart", **inputs)
    rolled = [text(step.chance) for step in found.steps if step.chance is not None]
    return {
        "p_success": text(found.odds("successes").at_least(1)),
        "multiplier": max(SYSTEM.ask("chart", entry=given["entry"], **rules).odds("successes").fractions()),
        "dice_rolled": len(rolled),
        **dict(zip(("p_first", "p_second"), rolled, strict=False)),
    }


def succeeds(faces: list[int | None], inputs: dict[str, Any]) -> bool:
    """Whether an attack succeeds whose dice are typed in; those that nobody asks for stay on the table."""
    typed = [str(face) for face in faces if face is not None]
    for many in range(len(typed) + 1):
        try:
            return bool(SYSTEM.roll("chart", tape=Typed(typed[:many]), **inputs).results["successes"])
        except NeedAnswer as more:
            waiting = more
    raise waiting


def shown(face: int, rules: dict[str, Any]) -> dict[str, Any]:
    """What a face counts as: the highest number that it reaches."""
    lowest, top = (2, 6) if rules.get("dice") == "d6" else (1, 9)
    reached = [need for need in range(lowest, top + 1) if succeeds([face], {"entry": f"{need}+", **rules})]
    fails = not succeeds([face], {"entry": f"{lowest}+", "modifier": 20, **rules})
    return {"value": max(reached, default=lowest - 1), "always_fails": fails}


# --- Melees ---------------------------------------------------------------------------------------------------------


def melees(given: Given) -> dict[str, Any]:
    """Where attacker and target stand, in the words of the questions."""
    found = {name: given[name] or "" for name in ("attacker_melee", "target_melee") if name in given}
    found |= given.only("embarked", "distance", "line_of_sight")
    for theirs, ours in {"friendly_in_target_melee": "friend_in_target_melee", "weapon_range": "range"}.items():
        if theirs in given:
            found[ours] = given[theirs]
    return found


def refusal(inputs: dict[str, Any]) -> str | None:
    """Why an attack is refused: range or line of sight."""
    try:
        SYSTEM.ask("attack", **inputs)
    except Refused as refused:
        return str(refused.kind)
    return None


def melee(given: Given) -> dict[str, Any]:
    if "weapon_range" in given:
        reason = refusal(melees(given))
        return {"legal": reason is None, "reason": reason}
    if "weapon_class" not in given:
        return look_up(given)
    around = melees(given) | {"weapon_class": given.choice("weapon_class", ("other", "battle", "heavy"))}
    result = effects(around)
    if "power" in given:
        found = looked_up(SYSTEM.ask("chart", **given.only("power", "defence"), **around, **rulings(given)))
        result |= {key: found[key] for key in ("entry", "p_success")}
    return result


def effects(around: dict[str, Any]) -> dict[str, Any]:
    """What a Melee does to an attack that is rolled."""
    said = [step for step in SYSTEM.ask("chart", **around).steps if step.title.startswith("Dice Modifiers: ")]
    parts = [part.rsplit(" ", 1) for step in said for part in step.title.split(": ")[1].split(", ")]
    _, _, covered = compared(SYSTEM.ask("chart", cover=1, **around))
    _, _, bare = compared(SYSTEM.ask("chart", **around))
    return {
        "modifier": sum(int(step.needed) for step in said),
        "parts": {name.replace(" ", "_"): int(amount) for name, amount in parts},
        "range_unlimited": refusal({"range": 1, "distance": 1000, **around}) is None,
        "ignore_los": refusal({"line_of_sight": False, **around}) is None,
        "ignore_cover": covered == bare,
    }


# --- saves and whole attacks ----------------------------------------------------------------------------------------


def saves(given: Given) -> dict[str, Any]:
    if "d6" in given:
        [on_d6] = rolled_saves(SYSTEM.ask("attack", armour=given["d6"], save_dice="d6", **SURE))
        [on_d10] = rolled_saves(SYSTEM.ask("attack", armour=given["d6"], save_dice="d10", **SURE))
        return {"d10": int(on_d10.needed.partition("+")[0]), "p_d6": text(on_d6.chance), "p_d10": text(on_d10.chance)}
    asked = unsaved(given)
    chances = {step.title.split(" ")[0]: step.chance for step in rolled_saves(asked)}
    return {
        "armour_rolled": "Armour" in chances,
        "p_armour": text(chances.get("Armour", Fraction(0))),
        "p_aegis": text(chances.get("Aegis", Fraction(0))),
        "p_unsaved": text(asked.odds("damage").at_least(1)),
    }


def unsaved(given: Given) -> Answer:
    """One success against these saves."""
    asked: Answer = SYSTEM.ask("attack", **given.only("armour", "aegis", "ap"), **rulings(given), **SURE)
    return asked


def rolled_saves(asked: Answer) -> list[Any]:
    return [step for step in asked.steps if step.chance is not None]


def attack(given: Given) -> dict[str, Any]:
    rules = rulings(given)
    if "weapons" in given:
        weapons = [weapon.plain() for weapon in given["weapons"]]
        return damaged(SYSTEM.ask("volley", weapons=weapons, models=1, **given["target"].plain(), **rules))
    aimed = given.only("power", "defence", "modifier")
    target = {"models": given.get("models", 1), "hp": given.get("hp_each", given.get("target_hp", 1))}
    asked = SYSTEM.ask("attack", **aimed, **given.only("attacks", "armour", "aegis", "ap"), **target, **rules)
    found = looked_up(SYSTEM.ask("chart", **aimed, **rules))
    result = damaged(asked) | {key: found[key] for key in ("entry", "p_success")}
    if "models" in given:
        result["mean"] = text(asked.odds("casualties").mean)
    return result | {"p_unsaved": text(unsaved(given).odds("damage").at_least(1))}


def damaged(asked: Answer) -> dict[str, Any]:
    damage = asked.odds("damage")
    return {
        "hp_loss": table(damage),
        "mean": text(damage.mean),
        "p_casualty": text(asked.odds("wiped_out").chance(1)),
        "p_wiped_out": text(asked.odds("wiped_out").chance(1)),
        "p_hp_loss": text(damage.at_least(1)),
        "casualties": table(asked.odds("casualties")),
    }


# --- HP -------------------------------------------------------------------------------------------------------------


def hp(given: Given) -> dict[str, Any]:
    if "power" in given:
        return attack(given)
    models, each, before = given["models"], given["hp_each"], given.get("hp_lost_before", 0)
    if "hp_loss_events" in given:
        blows = [{"attacks": 1, "power": loss} for loss in given["hp_loss_events"]]
        ways = [known(SPILL, "spill", spill) for spill in given["spill"]]
        both = [after_blows(models, each, before, blows, spill) for spill in ways]
        return {key: [one[key] for one in both] for key in both[0]}
    blows = [{"attacks": given["hp_loss"], "power": 1}] if given["hp_loss"] else []
    return after_blows(models, each, before, blows, given.choice("spill", SPILL, True))


def after_blows(models: int, each: int, before: int, blows: list[dict[str, int]], spill: str) -> dict[str, Any]:
    """A battle in which a unit without Defence or saves is struck: by the formula each blow costs its Power."""
    rules = {"method": "formula", "spill": spill, "formula_caps": "uncapped", "zero_against_zero": "no_damage"}
    weapons = [{"name": f"blow {at}", **blow} for at, blow in enumerate(blows)]
    struck = {"name": "Struck", "models": models, "hp": each, "defence": 0}
    sides = [
        {"name": "Ours", "units": [{"name": "Striker", "models": 1, "weapons": weapons}]},
        {"name": "Theirs", "units": [struck]},
    ]
    battle = Battle.new(SYSTEM, {"sides": sides}, rules)
    if before:
        battle.push("lose_hp", unit="Struck", hp=before)
    battle.push("start")
    for weapon in weapons:
        if battle.over is None:
            battle.push("attack", unit="Striker", weapon=weapon["name"], target="Struck")
    asked = SYSTEM.roll(
        "volley", weapons=blows or [{"power": 0}], models=models, hp=each, defence=0, lost=before, tape=Typed(), **rules
    )
    return stands(battle, each) | {"excess": asked.results["damage"] - asked.results["hp_lost"]}


def stands(battle: Battle, each: int) -> dict[str, Any]:
    """How the struck unit stands in the table of its side."""
    [shown] = [one for one in battle.tables if one.title.startswith("Theirs")]
    row = dict(zip(shown.head, shown.rows[0], strict=True))
    left, models = map(int, row["models"].split("/"))
    remaining, _ = map(int, row["HP"].split("/"))
    wounded = re.search(r"one model with (\d+) HP", row["state"])
    next_hp = int(wounded[1]) if wounded else remaining if models == 1 else each if left else 0
    return {
        "remaining_hp": remaining,
        "remaining_pool": remaining,
        "casualties": models - left,
        "casualties_total": models - left,
        "models_left": left,
        "wounded_model_hp": next_hp,
        "unit_casualty": "gone" in row["state"],
    }


# --- settings, pools, weapons ---------------------------------------------------------------------------------------


def config(given: Given) -> dict[str, Any]:
    if "groups" in given:
        return {"pools": pools([group.plain() for group in given["groups"]])}
    if "profiles" in given:
        return {"available": weapons_left(given["profiles"], given["used"])}
    if "request" in given:
        return change_method(given)
    return attack(given) if "attacks" in given else look_up(given)


def pools(groups: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Each profile fires in a battle, its models split over their targets; the log says how many dice are rolled."""
    for group in groups:
        if odd := group.keys() ^ {"profile", "models", "attacks", "target"}:
            raise Unknown(f"a group needs profile, models, attacks and target; {', '.join(odd)} is missing or unknown")
    weapons = {group["profile"]: {"name": group["profile"], "attacks": group["attacks"]} for group in groups}
    fired = {name: [group for group in groups if group["profile"] == name] for name in weapons}
    bearers = {name: sum(group["models"] for group in mine) for name, mine in fired.items()}
    targets = dict.fromkeys(group["target"] for group in groups)
    ours = {
        "name": "Ours",
        "models": max(bearers.values()),
        "weapons": [{**weapon, "models": bearers[name]} for name, weapon in weapons.items()],
    }
    theirs = [{"name": name, "models": 1000, "hp": 1000} for name in targets]
    battle = Battle.new(SYSTEM, {"sides": [{"name": "A", "units": [ours]}, {"name": "B", "units": theirs}]})
    battle.push("start")
    dice: dict[tuple[str, str], int] = {}
    for name, (first, *more) in fired.items():
        also = [{"target": group["target"], "models": group["models"]} for group in more]
        aimed = {"unit": "Ours", "weapon": name, "target": first["target"], "models": first["models"], "also": also}
        move = battle.push("attack", aimed, tape=1)
        for line in battle.move_record(move.number).lines:
            if found := re.match(r".+ at (.+): ([\d,]+) Attack Di", line.text):
                dice[name, found[1]] = int(found[2].replace(",", ""))
    order = dict.fromkeys((group["profile"], group["target"]) for group in groups)
    return [{"profile": name, "target": target, "dice": dice[name, target]} for name, target in order]


def weapons_left(profiles: list[str], used: list[str]) -> list[str]:
    """What a unit of a battle may still fire after some of its weapons."""
    ours = {"name": "Ours", "models": 1, "weapons": [{"name": name, "attacks": 1} for name in profiles]}
    theirs = {"name": "Theirs", "models": 1000, "hp": 1000}
    battle = Battle.new(SYSTEM, {"sides": [{"name": "A", "units": [ours]}, {"name": "B", "units": [theirs]}]})
    battle.push("start")
    for name in used:
        battle.push("attack", unit="Ours", weapon=name, target="Theirs", tape=1)
    legal = [option.params for option in battle.legal() if option.action.name == "attack"]
    return [order.weapon for order in legal]


def change_method(given: Given) -> dict[str, Any]:
    battle = Battle.new(SYSTEM, rulings=given.only("method"))
    if given.choice("game_started", YES_NO):
        battle.push("start")
    try:
        battle.push("agree", ruling="method", value=given["request"])
        accepted = True
    except Refused:
        accepted = False
    return {"accepted": accepted, "method": battle.agreed.method}
