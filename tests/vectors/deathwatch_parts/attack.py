"""Locations, attack rolls, damage, wounds, evasion, whole attacks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from battletape.answer import Answer, Roll
from battletape.dice import BestOf
from tests.vectors.deathwatch_parts import (
    BARE,
    BLADE,
    BRIEF,
    FURY,
    HALE,
    OWN,
    SPOTS,
    SURE,
    Dice,
    among,
    ask,
    asked,
    at_least,
    battle,
    fighter,
    may,
    only,
    printed,
    roll,
    row_of,
    text,
    texts,
    until,
)
from tests.vectors.given import Given

Answers = dict[str, Any]
PLACES = ("head", "arm", "body", "leg")
BANDS = ("point_blank", "short", "normal", "long", "extreme")
FOLLOWED = ("degrees", "location", "first_place", "places", "head_hits", "arm_hits", "body_hits", "leg_hits")
STEADY = {"toughness": 150, "agility": 150, "wounds": 1}
"""Somebody whom no test of a quality or a critical row fells."""


def _damage(weapon: Given) -> str:
    return f"{weapon.get('dice', 1)}{weapon.get('die', 'd10')}{weapon.get('flat', 0):+d}"


def _shot(given: Given, **more: Any) -> dict[str, Any]:
    """What the questions shoot and fight are told of an attack; qualities stand in the vector or in its weapon."""
    weapon = given.get("weapon", given)
    found: dict[str, Any] = {
        "to_hit": given.get("target", 0),
        "grade": given.choice("craftsmanship", ("poor", "common", "good", "best"), "common"),
        "fury": given.choice("rf", FURY, "none"),
        "aim": "half" if given.get("aimed", False) else "none",
        "damage": _damage(weapon),
        "qualities": weapon.get("qualities", ()),
        **weapon.only("pen", "damage_type"),
        **_body(given.get("defender") or Given({})),
        **_cover(given.get("cover")),
        **_evasion(given.get("evasion")),
        **BRIEF,
        **more,
    }
    if given.get("melee", False):
        weapon.get("class")  # Melee, if it is said
        found |= {"sb": 0, "action": "called" if "called_location" in given else "standard"}
        given.choice("mode", ("single",), "single"), given.get("rof")
    else:
        mode = given.choice("mode", ("single", "semi", "full"), "single")
        rof = {mode: given.get("rof", 4)} if mode != "single" else {}
        given.get("rof")
        band = given.choice("range_band", BANDS, "normal")
        found |= {"mode": mode, **rof, "band": band, "kind": weapon.get("class", "Basic"), "clip": HALE}
    if "called_location" in given:
        found["called"] = given.choice("called_location", SPOTS)
    return found


def _body(worn: Given) -> dict[str, Any]:
    ap = worn.get("ap") or Given({})
    armour = {place: ap.get(place, 0) for place in PLACES}
    return {**BARE, **STEADY, **armour, **worn.only("tb", "unnatural_toughness", "wounds")}


def _cover(cover: Given | None) -> dict[str, Any]:
    return {"cover": str(cover["ap"]), "hidden": cover["hidden"]} if cover else {}


def _evasion(tries: Given | None) -> dict[str, Any]:
    if not tries:
        return {}
    how = "parry" if "parry_target" in tries else "dodge"
    return {how: tries[f"{how}_target"], "reaction": how}


def _attack(given: Given, *, measures: Sequence[str] = (), **more: Any) -> Answer:
    return ask(given, "fight" if given.get("melee", False) else "shoot", measures=measures, **_shot(given, **more))


def _rolled(given: Given, *dice: int, **more: Any) -> Roll:
    return roll(given, "fight" if given.get("melee", False) else "shoot", Dice(*dice), **_shot(given, **more))


# --- locations --------------------------------------------------------------------------------------------------------


def _spot(words: str) -> str:
    return words.replace(" ", "_")


def _struck(given: Given, *dice: int, **more: Any) -> dict[str, Any]:
    """What is known of a single shot that hits whatever it rolls."""
    always = {"to_hit": SURE, "jam_roll": "may_hit", **more}
    return roll(given, "shoot", Dice(*dice), **{"mode": "single", "qualities": (), **always}).results


def hit_location(given: Given) -> Answers:
    found = _struck(given, given["attack_roll"])
    return {"reversed": found["location"], "location": _spot(found["first_place"])}


def location_roll(given: Given) -> Answers:
    return {"location": _spot(_struck(given, 1, given["roll"], hit_location="fresh")["first_place"])}


def location_roll_distribution(given: Given) -> Answers:
    always = {"to_hit": SURE, "jam_roll": "may_hit", "hit_location": "fresh", "measures": FOLLOWED}
    odds = ask(given, "shoot", mode="single", qualities=(), **always).odds("first_place")
    return {"dist": {_spot(place): chance for place, chance in texts(odds).items()}}


def multiple_hit_locations(given: Given) -> Answers:
    """The first hit has a roll of its own for its place: the first number of its row."""
    first = given.choice("first", SPOTS)
    span = next(row[0] for row in printed("Hit locations") if _spot(row[1].lower()) == first)
    burst = {"mode": "full", "full": given["hits"], "clip": HALE, "hit_location": "fresh", "wounds": HALE}
    return {"classes": _struck(given, 1, int(span.split("-")[0]), **burst)["places"].split(", ")}


def attack_roll_locations(given: Given) -> Answers:
    found = _rolled(given, given["roll"]).results
    places = found["places"].split(", ") if found["hits"] else []
    return {"status": found["status"], "hits": found["hits"], "classes": places}


def hit_location_distribution(given: Given) -> Answers:
    found = _attack(given, measures=FOLLOWED)
    places = found.odds("first_place")
    joint = {spot: text(places.chance(spot.replace("_", " "))) for spot in dict.fromkeys(SPOTS.values())}
    return {"p_hit": text(found.odds("hits").at_least(1)), "joint": joint}


def location_hits_distribution(given: Given) -> Answers:
    return {"dist": texts(_attack(given, measures=FOLLOWED).odds(f"{given.choice('location_class', PLACES)}_hits"))}


def head_hits_distribution(given: Given) -> Answers:
    return {"dist": texts(_attack(given, measures=FOLLOWED).odds("head_hits"))}


# --- attack rolls -----------------------------------------------------------------------------------------------------


def hits_distribution(given: Given) -> Answers:
    found = _attack(given)
    hits = found.odds("hits")
    gun_only = {} if given.get("melee", False) else {"p_overheat": text(found.odds("overheated").chance(1))}
    return {
        "p_jam": text(found.odds("jammed").chance(1)),
        "p_hit": text(hits.at_least(1)),
        "hits": texts(hits),
        "expected_hits": text(hits.mean),
        **gun_only,
    }


def attack_target(given: Given) -> Answers:
    """The number of an attack from all that adds to it, and what this attack means for whoever makes it."""
    test = ask(given, "test", characteristic=given["skill"], modifiers=[one["value"] for one in given["modifiers"]])
    sources = [one["source"] for one in given["modifiers"]]
    craft = given.get("craftsmanship", "common")
    melee = given.get("melee", False)
    if "weapon" in given:
        melee = ask(given, "hit", weapon=given["weapon"]).start.spec.melee
    target = only(test.odds("target"))
    own = {"to_hit": target, "grade": craft, **BRIEF}
    if melee:
        found = ask(given, "fight", **own)
    else:
        mode = given.choice("mode", ("single", "semi", "full"), "single")
        rof = {} if mode == "single" else {mode: given["rof"]}
        given.get("rof")
        found = ask(given, "shoot", mode=mode, **rof, **own)
    called = {"called": "head"} if "called shot" in sources else {}
    aimed = ask(given, "shoot", mode="single", **called, **BRIEF).start.spec.called
    reacts = _may_react(given, "all_out" if "all out attack" in sources else "standard")
    return {
        "modifier_total": only(test.odds("modifier")),
        "target": target,
        "p_hit": text(found.odds("hits").at_least(1)),
        "p_jam": text(found.odds("jammed").chance(1)),
        "damage_flat_bonus": int(row_of("Craftsmanship", craft)[2]),
        "attacker_may_dodge": reacts,
        "attacker_may_parry": reacts,
        "location": "chosen" if aimed else "rolled",
    }


def _may_react(given: Given, how: str) -> bool:
    """Whether somebody who has struck like this may dodge or parry the blow that answers it."""
    fight = battle(given, [fighter("A", dodge=50, arsenal=[BLADE])], [fighter("B", 0, 1, [BLADE])])
    fight.push("strike", target="B", how=how, tape=Dice(100))
    until(fight, "B")
    fight.push("strike", target="A", tape=Dice(1))
    return asked(fight, "reaction") > 0


def attack_roll(given: Given) -> Answers:
    if given["mode"] == "suppress":
        fire = roll(given, "suppress", Dice(given["roll"]), to_hit=given["target"], full=given["rof"], clip=HALE)
        degrees = roll(given, "test", Dice(given["roll"]), characteristic=given["target"]).results["degrees"]
        status = fire.state.status
        return {"status": status, "dos": degrees if status == "hit" else None, "hits": fire.results["hits"]}
    found = _rolled(given, given["roll"]).results
    return {
        "status": found["status"],
        "dos": found["degrees"] if found["status"] == "hit" else None,
        "hits": found["hits"],
    }


def attack_roll_pair(given: Given) -> Answers:
    shots = {"semi": {"semi": 2}, "single": {}}
    number, face = given["target"], given["roll"]
    rolls = {
        mode: roll(given, "shoot", Dice(face), to_hit=number, mode=mode, **rof, **BRIEF) for mode, rof in shots.items()
    }
    return {mode: found.results["status"] for mode, found in rolls.items()}


# --- damage -----------------------------------------------------------------------------------------------------------


def _hit(given: Given, **more: Any) -> dict[str, Any]:
    """What the question hit is told: the weapon, and nothing that takes from its damage unless it is said."""
    return {
        **BARE,
        "damage": _damage(given),
        "pen": given.get("pen", 0),
        "qualities": ["Tearing"] if given.get("tearing", False) else [],
        "to_hit": given.get("confirm_target", 0),
        "success_degrees": given.get("dos", 0),
        **({"fury": given.choice("rf", FURY)} if "rf" in given else {}),
        **more,
    }


def damage_probability(given: Given) -> Answers:
    return {"p": at_least(ask(given, "hit", **_hit(given)).odds("damage"), given["at_least"])}


def damage_mean(given: Given) -> Answers:
    return {"mean": text(ask(given, "hit", **_hit(given)).odds("average").mean)}


def hit_net_probability(given: Given) -> Answers:
    cover = str(given.get("cover_ap", 0) or "")
    found = ask(given, "hit", **_hit(given, body=given["armour_ap"], cover=cover, tb=given["tb"]))
    return {"reduction": found.start.hit.reduction, "p": at_least(found.odds("through"), given["at_least"])}


def horde_hit_probability(given: Given) -> Answers:
    """A hit on one of a horde is a hit on anybody with its armour and toughness; fury is told of all kinds."""
    kinds = {"p_none": "none", "p_confirm": "confirm", "p_auto": "sure"}
    wanted = given.choice("rf", {**FURY, "both": None}, "none")
    body = {"body": given["horde_ap"], "tb": given["tb"], "damage": _damage(given), "pen": given.get("pen", 0)}
    body |= {"qualities": ["Tearing"] if given.get("tearing", False) else [], "to_hit": given.get("confirm_target", 0)}
    chances = {
        fury: text(ask(given, "hit", **{**BARE, **body, "fury": fury}).odds("through").at_least(1))
        for fury in kinds.values()
    }
    single = {"p": chances[wanted]} if wanted else {}
    return {**{name: chances[fury] for name, fury in kinds.items()}, **single}


def tearing_stats(given: Given) -> Answers:
    found = ask(given, "hit", **_hit(given, qualities=["Tearing"]))
    return {"mean": text(found.odds("dice").mean), "p_any_10": text(found.odds("ten").chance(1))}


def tearing_distribution(given: Given) -> Answers:
    return {"dist": texts(ask(given, "hit", **_hit(given, qualities=["Tearing"])).odds("dice"))}


def p_any_10(given: Given) -> Answers:
    return {"p": text(ask(given, "hit", **_hit(given)).odds("ten").chance(1))}


def rf_probability(given: Given) -> Answers:
    fury = given.choice("rf", FURY, "confirm")
    found = ask(given, "hit", **_hit(given, fury=fury))
    return {"p_trigger": text(found.odds("ten").chance(1)), "p_confirmed": text(found.odds("fury").at_least(1))}


def rf_chain(given: Given) -> Answers:
    """The damage of one die less its ten is what righteous fury adds."""
    found = ask(given, "hit", **BARE, damage="1d10-10", qualities=(), pen=0, fury="sure")
    mean = among(found, "average", ten=1).mean
    return {"p": at_least(among(found, "fury", ten=1), given["at_least"]), "mean": text(mean)}


def rf_count(given: Given) -> Answers:
    shown = given["dice_shown"]
    dice = f"{len(shown)}{given.choice('die', ('d10', 'd5'), 'd10')}"
    fury = "sure" if given.get("eligible", True) else "none"
    found = roll(given, "hit", Dice(*shown), damage=dice, qualities=(), fury=fury)
    return {"rf_rolls": sum(entry.label == "righteous fury" for entry in found.entries)}


DOUBLINGS = {0: [], 1: ["Primitive"], 2: ["Primitive", "Scatter"]}
"""Qualities that double armour so often, the second at long range."""


def net_damage(given: Given) -> Answers:
    doubled = given.choice("ap_doublings", DOUBLINGS, 0)
    felling = [f"Felling ({given['felling']})"] if given.get("felling", 0) else []
    cover = given.get("cover_ap", 0)
    inputs = {
        **BARE,
        "damage": f"1d10{given['damage'] - 1:+d}",
        "pen": given["pen"],
        "body": given["armour_ap"],
        "cover": str(cover or ""),
        "hidden": ["body"] if given.get("location_hidden", True) else ["head"],
        "tb": given["tb"],
        "unnatural_toughness": given.get("unnatural_toughness", 1),
        "qualities": [*given.get("qualities", ()), *doubled, *felling],
        "band": given.choice("range_band", BANDS, "long" if "Scatter" in doubled else "normal"),
    }
    found = roll(given, "hit", Dice(1), **inputs)
    return {"reduction": found.state.hit.reduction, "net": found.results["through"]}


def effective_tb(given: Given) -> Answers:
    felling = [f"Felling ({given['felling']})"] if given.get("felling", 0) else []
    body = {"tb": given["tb"], "unnatural_toughness": given.get("unnatural_toughness", 1)}
    return {"tb": ask(given, "hit", qualities=felling, **body).start.spec.tb}


def primitive(given: Given) -> Answers:
    blow = {"damage": f"1d10{given['damage'] - 1:+d}", "pen": given["pen"], "qualities": ["Primitive"]}
    body = {**BARE, "body": given["armour_ap"], "tb": given["tb"]}
    net, also = (
        roll(given, "hit", Dice(1), **blow, **body, primitive_armour=armour).results["through"]
        for armour in (False, True)
    )
    return {"net_vs_normal": net, "net_vs_primitive_armour": also}


SUM = re.compile(r"(?:.* = )?(\d+) on the (?P<spot>[\w ]+)(?:(?P<rest>[,:].*))?")
STOPPED = re.compile(r"(?:, l|L)ess (?P<reduction>\d+)(?: \((?P<parts>.*)\))?: (?P<net>\d+) through")


def razor_sharp(given: Given) -> Answers:
    """A shot of so many degrees at armour that no penetration gets through; the log says what it counts."""
    shot = {"pen": given["pen"], "qualities": ["Razor Sharp"], "to_hit": 1 + 10 * given["dos"], "mode": "single"}
    found = roll(given, "shoot", Dice(1), **shot, head=40, band="normal", **BRIEF)
    (words,) = (match["parts"] for line in found.log if (match := STOPPED.search(line.text)))
    return {"pen": int((re.findall(r"penetration (\d+)", words) or [0])[0])}


def sanctified(given: Given) -> Answers:
    """It does what it does, and passes over the unnatural toughness of a daemon as only holy damage does."""
    blow = {"damage": f"1d10{given['damage'] - 1:+d}", "qualities": ["Sanctified"]}
    found = roll(given, "hit", Dice(1), **BARE, **blow).results
    felt = [ask(given, "hit", tb=4, unnatural_toughness=2, daemon=daemon, **blow).start.spec.tb for daemon in (0, 1)]
    return {"damage": found["through"], "holy": felt == [8, 4]}


def accurate_bonus(given: Given) -> Answers:
    aim = given.choice("aim", ("none", "half", "full"))
    shots = [
        ask(given, "shoot", aim=aim, mode="single", band="normal", qualities=qualities, **BRIEF)
        for qualities in (["Accurate"], [])
    ]
    accurate, plain = (shot.start.spec.total for shot in shots)
    return {"to_hit": accurate - plain, "max_extra_dice": _accurate(given, aim, 20)}


def accurate_dice(given: Given) -> Answers:
    aim = "half" if given["aimed"] else "none"
    how = {"mode": given["mode"], "kind": given["weapon_class"]}
    return {"extra_dice": _accurate(given, aim, given["dos"], **how)}


def _accurate(given: Given, aim: str, degrees: int, **how: Any) -> int:
    """Dice that an accurate weapon throws more than another."""
    dice = [
        ask(given, "hit", aim=aim, success_degrees=degrees, qualities=qualities, damage="1d10", **how).start.hit.dice
        for qualities in (["Accurate"], [])
    ]
    accurate, plain = map(int, dice)
    return accurate - plain


def lightning_claw_bonus(given: Given) -> Answers:
    claws = {
        "special": "claws",
        "qualities": ["Special"],
        "damage": "1d10",
        "melee": True,
        "success_degrees": given["dos"],
    }
    single, pair = (ask(given, "hit", pair=pair, **claws).start.hit.flat for pair in (False, True))
    return {"single": single, "pair": pair}


# --- wounds -----------------------------------------------------------------------------------------------------------


def _take(given: Given, wounds: int, health: int, net: int, **more: Any) -> Roll:
    """So much damage gets through to an arm, where only the last critical row kills whoever fails no test."""
    shot = {"mode": "single", "band": "normal", "to_hit": 1, "called": "right_arm", "qualities": (), "pen": 0}
    shot |= {"damage": f"1d10{net - 1:+d}", "damage_type": "E", "wounds": wounds, "health": health}
    return roll(given, "shoot", Dice(1, 1, own=("to hit", "damage")), **{**BARE, **STEADY, **BRIEF, **shot, **more})


def _critical(found: Roll) -> int | None:
    """The critical damage of a hit that reached a row, as the log counts it."""
    (row,) = [line for line in found.log if ", row " in line.text] or (None,)
    return int(row.result) if row else None


def apply_damage_sequence(given: Given) -> Answers:
    wounds = health = given["wounds"]
    log, critical = [], 0
    for net in given["net_damage"]:
        found = _take(given, wounds, health, net)
        health, total = found.state.victim.health, _critical(found)
        critical = critical if total is None else total
        row = None if total is None else found.results["critical_row"]
        taken = found.results["damage_taken"]
        log.append({"damage_taken": taken, "critical_total": critical, "critical_row": row})
    return {"log": log}


def sudden_death(given: Given) -> Answers:
    wounds = health = given["wounds"]
    dead: list[bool] = []
    for net in given["net_damage"]:
        if not any(dead):
            found = _take(given, wounds, health, net, minion=True)
            health = found.state.victim.health
        dead.append(bool(found.results["dead"]))
    return {"dead_after": dead}


def critical_row(given: Given) -> Answers:
    return {"row": _take(given, 1, 0, given["critical_total"]).results["critical_row"]}


def damage_category(given: Given) -> Answers:
    """As the table of a battle tells it: 22/30, lightly damaged."""
    hurt = {**given.only("wounds", "damage_taken"), "critical": given.get("critical_total", 0)}
    who = {**fighter("A", toughness=0, toughness_bonus=given["tb"]), **hurt}
    fight = battle(given, [who], [fighter("B", 0, 20)])
    shown = next(row for table in fight.tables if table.head[0] == "fighter" for row in table.rows if row[0] == "A")
    words = shown[4].removesuffix(" damaged").split(", ")
    return {"category": words[1] if words[1:] else "critical" if words[0].startswith("critical") else "undamaged"}


# --- evasion ----------------------------------------------------------------------------------------------------------


def evasion(given: Given) -> Answers:
    """A burst of so many hits and a dodge; or a blow after a feint that worked, which makes one hit."""
    dodge = {"dodge": given["dodge_target"], "reaction": "dodge", "wounds": HALE, "qualities": (), **BRIEF}
    if given.get("feinted", False):
        found = ask(given, "fight", action="feint_and_attack", **dodge)
        return {"net_hits": texts(among(found, "landed", won=1, hits=given["hits"]))}
    burst = {"mode": "full", "full": given["hits"], "to_hit": SURE, "clip": HALE, **dodge}
    burst["stunned"] = given.get("defender_stunned", False)
    if not may(lambda: ask(given, "shoot", **burst)):
        burst["reaction"] = "none"
    return {"net_hits": texts(among(ask(given, "shoot", **burst), "landed", hits=given["hits"]))}


def hits_after_dodge(given: Given) -> Answers:
    landed = _attack(given, dodge=given["dodge_target"], reaction="dodge").odds("landed")
    return {"net_hits": texts(landed), "expected": text(landed.mean)}


def melee_vs_parry(given: Given) -> Answers:
    blow = {"to_hit": given["attack_target"], "parry": given["parry_target"], "reaction": "parry", "qualities": ()}
    return {"p_lands": text(ask(given, "fight", **blow, **BRIEF).odds("landed").at_least(1))}


def parry_target(given: Given) -> Answers:
    parry = {"parry": given["ws"], "parry_qualities": given["qualities"], "reaction": "parry", **BRIEF}
    if not may(lambda: ask(given, "fight", **parry)):
        return {"legal": False, "target": None}
    return {"legal": True, "target": ask(given, "fight", **parry).start.spec.defender.parry}


def parry_legal(given: Given) -> Answers:
    question = given.choice("attack", {"ranged": "shoot", "melee": "fight"})
    parry = {"parry": 50} if question == "fight" else {}
    return {"legal": may(lambda: ask(given, question, reaction="parry", **parry, **BRIEF))}


def power_field_parry(given: Given) -> Answers:
    """A blow that always hits is parried."""
    field = ["Power Field"] if given["attacker_weapon_power_field"] else []
    parry = {"parry": given["ws"], "parry_qualities": given["qualities"], "reaction": "parry"}
    found = ask(given, "fight", to_hit=100, qualities=field, **parry, **BRIEF)
    return {
        "p_parry": text(found.odds("landed").chance(0)),
        "p_destroy": text(found.odds("weapon_destroyed").chance(1)),
    }


# --- whole attacks ----------------------------------------------------------------------------------------------------


def attack_outcome(given: Given) -> Answers:
    numbers = given["asked"]["p_total_at_least"]
    damage = _attack(given, wounds=max(map(int, numbers))).odds("damage")  # more is death, and told as such
    return {"p_total_at_least": at_least(damage, numbers)}


def resolve_scripted(given: Given) -> Answers:
    """The dice of the vector are thrown one after the other, and the log tells each hit."""
    worn, tape = given["defender"], Dice(*given["dice"], own=OWN)
    left = worn["wounds"] - worn.get("damage_taken", 0) - worn.get("critical_total", 0)
    question = "fight" if given.get("melee", False) else "shoot"
    found = roll(given, question, tape, **{**_shot(given), "health": left})
    results = found.results
    status = results["status"] if "status" in results else "hit" if results["hits"] else "miss"
    resolved = _resolved(found)
    critical = [total for _, total in resolved if total is not None]
    return {
        "status": status,
        "dos" if results["hits"] else "dof": results["degrees"],
        "hits": results["hits"],
        "negated": results["hits"] - results["landed"],
        "locations": results["places"].split(", "),
        "resolved": [hit for hit, _ in resolved],
        "damage_taken": results["damage_taken"],
        "critical_total": critical[-1] if critical else worn.get("critical_total", 0),
        "dice_used": tape.used,
    }


def _resolved(found: Roll) -> list[tuple[dict[str, Any], int | None]]:
    """Each hit as the log has it, and the critical damage after it where it reached a row."""
    hits: list[tuple[dict[str, Any], int | None]] = []
    dice = _damage_dice(found)
    for line in found.log:
        if match := SUM.fullmatch(line.text):
            hit = {"location": match["spot"].split()[-1], "damage": int(match[1]), "critical_row": None}
            hits.append(({**dice[len(hits)], **hit}, None))
        if match := STOPPED.search(line.text):
            hits[-1] = ({**hits[-1][0], "reduction": int(match["reduction"]), "net": int(match["net"])}, None)
        elif row := re.search(r", row (\d+): ", line.text):
            hits[-1] = ({**hits[-1][0], "critical_row": int(row[1])}, int(line.result))
    return hits


def _damage_dice(found: Roll) -> list[dict[str, Any]]:
    """The dice of each hit as they were thrown: those that count, and what followed of righteous fury."""
    hits: list[dict[str, Any]] = []
    for question, answer in found.played.trail:
        if question.label == "damage":
            assert isinstance(question.whole, BestOf)
            kept = sorted(answer, reverse=True)[: question.whole.keep]
            hits.append({"kept": kept, "rf_confirmed": None, "rf_extra": 0})
        elif question.label == "confirm":
            hits[-1]["rf_confirmed"] = question.meaning(answer)
        elif question.label == "righteous fury":
            hits[-1]["rf_extra"] += answer
    return hits
