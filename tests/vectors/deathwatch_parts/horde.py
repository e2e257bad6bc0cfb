"""Blasts and flames, overwatch, suppressing fire and pinning, hordes."""

from __future__ import annotations

from fractions import Fraction
from math import cos, radians, sin
from typing import Any

from battletape.answer import Answer, Roll
from tests.vectors.deathwatch_parts import (
    BARE,
    BLADE,
    BRIEF,
    FURY,
    HALE,
    SURE,
    Dice,
    among,
    ask,
    asked,
    at_least,
    battle,
    fighter,
    gun,
    may,
    only,
    roll,
    row_at,
    row_of,
    text,
    texts,
    until,
)
from tests.vectors.given import Given

Answers = dict[str, Any]
PLACES = ("head", "arm", "body", "leg")
MANY = 200
"""Magnitude that no attack takes."""


def _weapon(weapon: Given, more: tuple[str, ...] = ()) -> dict[str, Any]:
    """The numbers of a weapon."""
    damage = f"{weapon.get('dice', 1)}d10{weapon.get('flat', 0):+d}"
    qualities = [*(weapon.get("qualities") or ()), *more]
    kind = {"damage_type": weapon.get("damage_type", "E")}
    return {"damage": damage, "pen": weapon.get("pen", 0), "qualities": qualities, **kind}


# --- flames and blasts ------------------------------------------------------------------------------------------------


def _flames(given: Given, **more: Any) -> Answer:
    heavy = {"kind": "Heavy", "braced": False} if given.get("heavy_unbraced", False) else {}
    flame = {"agility": given["agility"], "trained": not given["untrained"], "bs": given.get("bs", 0), **heavy}
    return ask(given, "shoot", **{"qualities": ["Flame"], "mode": "single", "wounds": HALE, **flame, **more})


def flame_hit_probability(given: Given) -> Answers:
    found = _flames(given, **BRIEF)
    bonus = found.start.spec.flame_bonus
    return {"agility_target": given["agility"] + bonus, "p_struck": text(found.odds("hits").at_least(1))}


def flame_attack(given: Given) -> Answers:
    worn = given["defender"]
    ap = {place: worn["ap"].get(place, 0) for place in PLACES}
    body = {**BARE, **ap, **worn.only("tb", "unnatural_toughness", "wounds")}
    fury = given.choice("rf", FURY, "none")
    found = _flames(given, **{"wounds": HALE, **_weapon(given["weapon"], ("Flame",)), **body, "fury": fury})
    names = {"p_struck": "hits", "p_damaged": "hurt", "p_on_fire": "on_fire"}
    return {name: text(found.odds(measure).at_least(1)) for name, measure in names.items()}


def blast_targets(given: Given) -> Answers:
    """A shell bursts among people who stand so far from where it lands."""
    shell = gun(damage="1d10+50", qualities=[f"Blast ({given['blast']})"])
    foes = [fighter(f"B{at}", metres, 20) for at, metres in enumerate(given["distances_m"])]
    fight = battle(given, [fighter("A", arsenal=[shell])], foes)
    fight.push("blast", x=0, y=20, mode="single", tape=Dice(1))
    return {"hit": [fight.state.fighter(foe["name"]).health < HALE for foe in foes]}


def blast_catch_probability(given: Given) -> Answers:
    found = _blast(given, given["target"])
    status = found.odds("status")
    return {
        "p_direct": text(status.chance("hit")),
        "p_scatter": text(status.chance("struck")),
        "p_total": text(found.odds("hits").at_least(1)),
    }


def _blast(given: Given, target: int) -> Answer:
    qualities = [f"Blast ({given['blast']})", *(given.get("qualities") or ())]
    return ask(given, "shoot", mode="single", to_hit=target, qualities=qualities, wounds=HALE, **BRIEF)


def scatter_direction(given: Given) -> Answers:
    return {"direction": row_at("Scatter", given["d10"])[1].lower().replace(" ", "_")}


def scatter_direction_distribution(given: Given) -> Answers:
    """As likely as the diagram gives it faces of a d10."""
    faces = [row_at("Scatter", face)[1].lower().replace(" ", "_") for face in range(1, 11)]
    return {"dist": {way: text(Fraction(faces.count(way), len(faces))) for way in dict.fromkeys(faces)}}


def scatter_still_hits(given: Given) -> Answers:
    """Of the shots that miss, those that still catch whom they were fired at."""
    found = _blast(given, 0)
    fell = found.states.given(lambda state: state.status in ("miss", "struck"))
    return {"p": text(fell.chance(lambda state: state.hits > 0))}


# --- overwatch and suppressing fire -----------------------------------------------------------------------------------


BURSTS = {"Semi-Auto Burst": "semi", "Full Auto Burst": "full", "Suppressing Fire": "suppressing"}


def overwatch_attack(given: Given) -> Answers:
    """Any action of the table is asked for; a shot that is no burst is refused."""
    name, *_ = row_of("Combat actions", given["action"])
    own = {"bs": given["bs"], "modifier": sum(given["other_modifiers"]), "on_overwatch": True, "qualities": ()}
    rof, plain = given["rof"], {"range": 100, "distance": 50, "band": "normal", "clip": HALE, "wounds": 1, **BRIEF}
    if BURSTS.get(name) == "suppressing":
        rest = {key: plain[key] for key in ("range", "distance", "band", "clip")}
        found = ask(given, "suppress", **own, full=rof, **rest)
    else:
        mode = BURSTS.get(name, "single")
        burst = {**own, **plain, "mode": mode, **({} if mode == "single" else {mode: rof})}
        if not may(lambda: ask(given, "shoot", **burst)):
            return {"legal": False}
        found = ask(given, "shoot", **burst)
    return {"legal": True, "target": found.start.spec.target, **_hits(found)}


def _hits(found: Answer) -> dict[str, Any]:
    return {"p_jam": text(found.odds("jammed").chance(1)), "hits": texts(found.odds("hits"))}


def overwatch_duration(given: Given) -> Answers:
    """As the notes on whoever keeps watch say it."""
    who = fighter("A", arsenal=[gun(full=4)], willpower=given["wp"])
    fight = battle(given, [who], [fighter("B", 0, 20)])
    fight.push("watch", weapon="gun", direction=0)
    notes = next(row[-1] for table in fight.tables if table.head[0] == "fighter" for row in table.rows if row[0] == "A")
    return {"hours": int(notes.partition("°, ")[2].split()[0])}


def in_kill_zone(given: Given) -> Answers:
    """Somebody steps to each point while another keeps watch: may he be fired at?"""
    return {"inside": [_steps_to(given, point) for point in given["points"]]}


def _place(point: Given) -> tuple[float, float]:
    way, far = radians(point["bearing_deg"]), point["distance_m"]
    return far * sin(way), far * cos(way)


def _steps_to(given: Given, point: Given) -> bool:
    x, y = _place(point)
    fight = battle(given, [fighter("A", arsenal=[gun(range=given["range_m"], full=4)])], [fighter("B", x, y)])
    fight.push("watch", weapon="gun", direction=0)
    until(fight, "B")
    fight.push("move", x=x, y=y, tape=Dice())
    return fight.refusal("fire_on_watch", unit="A", target="B", mode="full") is None


def suppress_zone(given: Given) -> Answers:
    """Whoever is in the area of suppressing fire tests Willpower; somebody close by keeps the shooter at it."""
    found = []
    for point in given["points"]:
        there = fighter("B", *_place(point))
        weapon = gun(range=given["range_m"], full=4)
        fight = battle(given, [fighter("A", arsenal=[weapon])], [there, fighter("C", 0, 1)])
        fight.push("suppress", weapon="gun", direction=0, tape=Dice(90))
        found.append(asked(fight, "B: willpower (pinned)") > 0)
    return {"inside": found}


def _suppress(given: Given, **more: Any) -> Answer:
    return ask(given, "suppress", to_hit=given["target"], full=given["rof"], clip=HALE, qualities=(), **more)


def suppressing_fire(given: Given) -> Answers:
    return _hits(_suppress(given))


def suppressing_fire_given_target(given: Given) -> Answers:
    found = _suppress(given, number=given["targets_in_area"])
    return {"p": text(found.odds("given_hit").chance(1))}


# --- pinning ----------------------------------------------------------------------------------------------------------


def _pinning(given: Given, *targets: dict[str, Any], **more: Any) -> Answer:
    """Fire at these; that the test is Hard is known, and other modifiers are added to it."""
    others = sum(given.get("modifiers", [HARD])) - HARD
    return ask(given, "suppress", targets=targets, pin_modifier=others, qualities=(), **more)


HARD = -20


def pinning_probability(given: Given) -> Answers:
    return _pinned(_pinning(given, {"wp": given["wp"]}))


def _pinned(found: Answer) -> dict[str, Any]:
    ((_, target),) = found.start.wills
    return {"target": target, "p_pinned": text(found.odds("pinned").chance(1))}


def pinned_count(given: Given) -> Answers:
    return {"dist": texts(_pinning(given, *({"wp": wp} for wp in given["wp"])).odds("pinned"))}


def horde_pinning(given: Given) -> Answers:
    return _pinned(_pinning(given, given.only("wp", "magnitude")))


def _down(given: Given, shot_at: list[bool]) -> Answer:
    turns = {"turns_under_fire": shot_at.count(True), "quiet_turns": shot_at.count(False)}
    return _pinning(given, {"wp": given["wp"]}, **turns)


def pinning_recovery(given: Given) -> Answers:
    found = _down(given, [given["shot_at"]])
    ((target,),) = found.start.recoveries
    return {"target": target, "p_recover": text(among(found, "still_pinned", pinned=1).chance(0))}


def pinned_after(given: Given) -> Answers:
    found = _down(given, given["shot_at"])
    return {"p": text(among(found, "still_pinned", pinned=1).chance(1))}


def _struck_while_pinned(given: Given, pinned: bool) -> Any:
    foe = fighter("B", 0, 1, [BLADE], pinned=pinned)
    fight = battle(given, [fighter("A", arsenal=[BLADE])], [foe])
    fight.push("strike", target="B", tape=Dice(100))
    return fight.state.fighter("B")


def pinned_engaged(given: Given) -> Answers:
    return {"pinned": _struck_while_pinned(given, True).conditions.pinned}


def engage(given: Given) -> Answers:
    who = _struck_while_pinned(given, given["pinned"])
    return {"pinned": who.conditions.pinned, "engaged": "A" in who.engaged_with}


# --- hordes -----------------------------------------------------------------------------------------------------------


def _horde(given: Given, **more: Any) -> dict[str, Any]:
    """A shot at a horde without armour or toughness, that always hits and always hurts."""
    plain = {"mode": "single", "band": "normal", "damage": "1d10+99", "damage_type": "I", "qualities": (), "clip": HALE}
    crowd = {"horde_ap": 0, "horde_tb": 0, "breaks": False, "magnitude": MANY}
    return {**plain, **crowd, "to_hit": SURE, **more}


def _volley(given: Given, *dice: int, **more: Any) -> Roll:
    return roll(given, "horde", Dice(*dice), **_horde(given, **more))


def horde_size_bonus(given: Given) -> Answers:
    found = ask(given, "horde", **_horde(given, magnitude=given["magnitude"], to_hit=None))
    return {"modifier": found.start.fight.attack.spec(given["magnitude"]).total}


def _scored(given: Given) -> Roll:
    """A burst that scores so many hits before its special rules count."""
    base = given["base_hits"]
    blast, devastating = given.get("blast"), given.get("devastating")
    qualities = [f"Blast ({blast})"] if blast else []
    qualities += [f"Devastating ({devastating})"] if devastating else []
    kind = {"damage_type": "X" if given.get("explosive", False) else "I", "qualities": qualities}
    burst = {"mode": "full", "full": base} if base > 1 else {}
    return _volley(given, 1, **burst, **kind, to_hit=SURE if base else 0)


def horde_hits(given: Given) -> Answers:
    return {"hits": _scored(given).results["hits"]}


def horde_max_loss(given: Given) -> Answers:
    return {"max_loss": _scored(given).results["lost"]}


def horde_melee_hits(given: Given) -> Answers:
    """A blow of so many degrees."""
    field = ["Power Field"] if given["power_field"] else []
    blow = {"attack": "melee", "to_hit": 1 + 10 * given["dos"], "qualities": field}
    return {"hits": _volley(given, 1, **blow).results["hits"]}


def horde_flame_hits(given: Given) -> Answers:
    metres = given["range_m"]
    flame = _horde(given, attack="flame", qualities=["Flame"], range=metres, distance=metres)
    found = ask(given, "horde", **flame)
    return {"static": found.start.fight.attack.base_hits, "dist": texts(found.odds("hits"))}


def horde_psychic_hits(given: Given) -> Answers:
    power = _horde(given, attack="psychic", psy_rating=given["psy_rating"], damage="1d10")
    return {"hits": only(ask(given, "horde", **power).odds("hits"))}


def horde_armour(given: Given) -> Answers:
    place = given.choice("location", {**{name: name for name in PLACES}, **SIDES})
    found = ask(given, "horde", **_horde(given, horde_ap=given["armour"]))
    return {"ap": next(hit.ap for hit in found.start.fight.attack.spec(MANY).hits if hit.spot == place)}


SIDES = {"right_arm": "arm", "left_arm": "arm", "right_leg": "leg", "left_leg": "leg"}


def horde_apply(given: Given) -> Answers:
    """One hit after the other, each of which does so much damage; at 0 nothing is left to be hit."""
    magnitude, destroyed = given["magnitude"], False
    for net in given["net_damage"]:
        if magnitude:
            found = _volley(given, 1, 1, magnitude=magnitude, to_hit=1, damage=f"1d10{net - 1:+d}").results
            magnitude, destroyed = found["magnitude"], bool(found["destroyed"])
    return {"magnitude": magnitude, "destroyed": destroyed}


def _mob(**more: Any) -> dict[str, Any]:
    return {"name": "mob", "y": 20, "magnitude": 30, **more}


def horde_allocate(given: Given) -> Answers:
    """A burst at a horde; hits are to go to somebody beside it, or all to the horde."""
    lone = given.choice("to", {"horde": False, "lieutenant": True, "leader": True})
    fight = battle(given, [fighter("A", arsenal=[gun(full=4)])], [_mob(), fighter("B", 1, 20)])
    others = ["B"] if lone else []
    return {"legal": fight.refusal("shoot", target="mob", mode="full", others=others) is None}


def horde_evasion(given: Given) -> Answers:
    """A horde is shot at and struck: is it ever asked for a reaction?"""
    who = fighter("A", arsenal=[gun(), BLADE])
    found = []
    for action, weapon, metres in (("shoot", "gun", 20), ("strike", "blade", 1)):
        fight = battle(given, [who], [_mob(y=metres)])
        fight.push(action, target="mob", weapon=weapon, tape=Dice(1))
        found.append(asked(fight, "reaction") > 0)
    return {"dodge": found[0], "parry": found[1]}


def horde_target_count(given: Given) -> Answers:
    fight = battle(given, [fighter("A", arsenal=[gun()])], [_mob(magnitude=given["magnitude"])])
    fight.push("shoot", target="mob", mode="single", tape=Dice(1))
    return {"targets": len(fight.state.mobs), "attack_rolls": asked(fight, "to hit")}


def horde_breaking(given: Given) -> Answers:
    """A shell takes so much of a horde at once; then the horde's own turn begins."""
    lost, will = given["lost_this_turn"], 50
    traits = ["Disciplined"] if given.get("disciplined", False) else []
    crowd = {"magnitude": given["current"] + lost, "starting": given["starting"], "breaks": True}
    shell = {"qualities": [f"Blast ({lost})"] if lost else [], "to_hit": SURE if lost else 0}
    found = _volley(given, 1, **crowd, **shell, willpower=will, traits=traits)
    tests = [line for line in found.log if line.question == "willpower (breaking)"]
    return {
        "test": bool(tests),
        "auto": bool(found.results["broken"]) and not tests,
        "penalty": int(tests[0].needed.split()[0]) - will if tests else 0,
    }


def horde_attack_profile(given: Given) -> Answers:
    """Dice more than one of its members throws, and attacks a turn."""
    found = ask(given, "horde_attacks", magnitude=given["magnitude"], damage="1d10", **BRIEF).start
    (single,) = {hit.dice for hit in ask(given, "hit", damage="1d10").start.spec.hits}
    return {"extra_d10": found.spec.hits[0].dice - single, "ranged_attacks": found.attacks}


def _losses(given: Given, target: int, **more: Any) -> Answers:
    crowd = given["horde"]
    weapon = _weapon(given["weapon"], ("Flame",) if more.get("attack") == "flame" else ())
    body = {"horde_ap": crowd["ap"], "horde_tb": crowd["tb"], "horde_unnatural": crowd.get("unnatural_toughness", 1)}
    magnitude = crowd.get("magnitude", MANY)
    fury = {"fury": given.choice("rf", FURY, "none"), "grade": given.get("craftsmanship", "common")}
    shot = _horde(given, **{**weapon, **body, **fury, "magnitude": magnitude, "to_hit": target, **more})
    found = ask(given, "horde", **shot)
    lost = found.odds("lost")
    just = {**shot, "to_hit": 50, "magnitude": MANY}
    hit = {"body": crowd["ap"], "tb": crowd["tb"], "unnatural_toughness": crowd.get("unnatural_toughness", 1), **weapon}
    struck = {**hit, **fury, "to_hit": target, "sb": more.get("sb", 0)}
    return {
        "target": target,
        "magnitude_lost": texts(lost),
        "expected": text(lost.mean),
        "p_lost_at_least": at_least(lost, given["asked"].get("p_lost_at_least", ())),
        "p_hit_damages": text(ask(given, "hit", **struck).odds("through").at_least(1)),
        "hits_on_success": roll(given, "horde", Dice(50, own=["to hit"]), **just).results["hits"],
        "p": text(found.odds("destroyed").chance(1)),
    }


def _aimed(given: Given, skill: str) -> int:
    target: int = only(ask(given, "test", characteristic=given[skill], modifiers=given["modifiers"]).odds("target"))
    return target


def horde_attack(given: Given) -> Answers:
    mode = given.choice("mode", ("single", "semi", "full"), "single")
    burst = {"mode": mode, **({} if mode == "single" else {mode: given["rof"]})}
    given.get("rof")
    return _losses(given, _aimed(given, "bs"), **burst)


def horde_destroy_probability(given: Given) -> Answers:
    return horde_attack(given)


def horde_attack_melee(given: Given) -> Answers:
    return _losses(given, _aimed(given, "ws"), attack="melee", sb=given["sb"])


def horde_flame_attack(given: Given) -> Answers:
    metres = given["range_m"]
    return _losses(given, given.get("bs", 0), attack="flame", range=metres, distance=metres)
