"""Turns, markers, fires and templates in battles that players can set up, with the numbers of the vector."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from battletape import Refused, Rolled, Typed, ruleset
from battletape.battle import Battle
from battletape.table.points import apart, bearing
from tests.vectors.given import Given, known

SYSTEM = ruleset("second_edition")
STURDY = {"toughness": 6, "wounds": 100}
FAR_OFF = {"short_range": 24.0, "long_range": 48.0}
COVERAGE = {"entirely": "full", "partially": "partial"}
TYPES = {"terminator_armour": "terminator"} | {
    kind: kind for kind in ("infantry", "frenzied", "tyranid", "vehicle", "dreadnought")
}
INCH = 25.4


def _mm(radius: float) -> float:
    """The diameter in millimetres of a base whose radius is given in inches."""
    return radius * 2 * INCH


def _unit(name: str, *weapons: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A unit of one sturdy model with weapons of its own."""
    arsenal = list(weapons) + more.pop("arsenal", [])
    grenades = [weapon["name"] for weapon in weapons if weapon.get("grenade")]
    carried = [{"name": weapon["name"]} for weapon in weapons if not weapon.get("grenade")]
    given = {"name": name, "weapons": carried, "grenades": grenades, "arsenal": arsenal, "models": 1}
    return {**STURDY, **given, **more}


def _battle(own: list[Any], others: list[Any], rulings: Any = None, players: int = 2, **more: Any) -> Battle:
    sides = [{"name": "A", "units": own}, {"name": "B", "units": others}]
    sides += [{"name": f"P{at}", "units": [_unit(f"p{at}")]} for at in range(3, players + 1)]
    return Battle.new(SYSTEM, {"sides": sides, **more}, rulings)


def _to(battle: Battle, phase: str, side: str = "A") -> Battle:
    """The battle in a phase of a side; nothing is due that would have to be rolled."""
    while (battle.where["phase"], battle.where["side"]) != (phase, side):
        battle.push("end_phase")
    return battle


def _may(battle: Battle, action: str, **params: Any) -> bool:
    return battle.refusal(action, **params) is None


def _labels(battle: Battle) -> list[str]:
    return [entry.label for entry in battle.moves[-1].entries]


def _gun(name: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "strength": 4, **FAR_OFF, **more}


def _own_turn(battle: Battle) -> None:
    """The next Shooting phase of the same player."""
    battle.push("end_turn")
    _to(battle, "shooting")


def _text(chance: Fraction) -> str:
    return f"{chance.numerator}/{chance.denominator}"


# --- what a battle keeps ---------------------------------------------------------------------------------------------


def state(given: Given) -> dict[str, Any]:
    if "bs" in given and not isinstance(given["bs"], list):
        return _modifiers(given)
    for name, shape in SHAPES.items():
        if name in given:
            return shape(given)
    raise LookupError(f"nobody knows this shape: {', '.join(given)}")


def _burning(name: str, **more: Any) -> dict[str, Any]:
    """A model on fire."""
    flamer = {"name": "flamer", "strength": 4, "save_modifier": -2, "incendiary": True, **FAR_OFF}
    return _unit(name, arsenal=[flamer], wear=[{"on_fire": "flamer"}], **more)


def _order(given: Given) -> dict[str, Any]:
    """What is done at the start of a turn, always the first thing that may be done."""
    active = given["active_player"]
    burning = [(fire["model"], fire["owner"]) for fire in given["burning"]]
    owners = dict.fromkeys((active, *(owner for _, owner in burning), "nobody"))
    sides = [
        {"name": side, "units": [_burning(name) for name, owner in burning if owner == side] or [_unit(f"of {side}")]}
        for side in owners
    ]
    battle = Battle.new(SYSTEM, {"sides": sides, "markers": [{"name": name} for name in given["clouds"]]})
    steps = []
    while battle.where["phase"] == "start of the turn":
        option = battle.legal()[0]
        battle.push(option, tape=1)
        told = {"test_marker": "test", "fire_test": "fire test"}[option.action.name]
        steps.append(f"{told} {getattr(option.params, 'marker', '') or getattr(option.params, 'unit', '')}")
    return {"steps": steps}


def _tests(given: Given) -> dict[str, Any]:
    """How often a cloud is tested that was placed in some player's turn."""
    players, turns = given["players"], given["game_turns"]
    player, turn = (int(part.split()[1]) for part in given["placed_in"].split(","))
    smoke = {"name": "smoke", "blast": 2.0, "remains": "cloud", **FAR_OFF}
    battle = _battle([_unit("a", smoke)], [_unit("b", smoke)], players=players)
    side, shooter = ("A", "a") if player == 1 else ("B", "b")
    while battle.state.clock.turn < turn:
        battle.push("end_turn")
    _to(battle, "shooting", side).push("ground", unit=shooter, weapon="smoke", distance=9, tape=Typed(["6"]))
    tests = 0
    while battle.state.clock.turn <= turns:
        while battle.where["phase"] == "start of the turn":
            battle.push("test_marker", marker="Cloud 1", tape=Typed(["3"]))
            tests += 1
        battle.push("end_turn")
    return {f"tests_by_end_of_turn_{turns}": tests}


MISSES = {"misfire_on_shooter": ("hit", "misfire"), "dud": ("arrow", "misfire"), "stays": ("hit", "4")}


def _destroyed(given: Given) -> dict[str, Any]:
    [missed] = (known(MISSES, "history", deed) for deed in given["history"])
    launcher = {"name": "launcher", "blast": 2.0, **FAR_OFF}
    battle = _to(_battle([_unit("shooter", launcher)], [_unit("target")]), "shooting")
    shot = {"unit": "shooter", "weapon": "launcher", "target": "target", "distance": 20}
    battle.push("blast", tape=Typed(["1", *missed]), **shot)
    for _ in range(given["turn_gap"]):
        _own_turn(battle)
    cleared = _may(battle, "clear_jam", unit="shooter", weapon="launcher")
    return {"usable": _may(battle, "blast", **shot), "can_be_cleared": cleared}


def _extinguished(given: Given) -> dict[str, Any]:
    burns, out = given.choice("on_fire", (True, False)), given.choice("extinguished_this_turn", (True, False))
    armed = _burning("model", x=20.0, y=20.0) | {"weapons": [{"name": "flamer"}]}
    battle = _battle([armed if burns or out else {**armed, "wear": []}], [_unit("target")])
    if burns or out:
        battle.push("fire_test", unit="model", tape=Typed(["6"] if out else ["1", "1", "90"]))
    moves = _may(battle, "move", unit="model", x=21, y=20)
    _to(battle, "shooting")
    return {"may_move": moves, "may_shoot": _shoots(battle)}


def _shoots(battle: Battle) -> bool:
    return _may(battle, "shoot", unit="model", weapon="flamer", target="target", distance=9)


def _coherency(given: Given) -> dict[str, Any]:
    away = given["distance_to_squad"]
    pair = _burning("squad") if given.choice("on_fire", (True, False)) else _unit("squad")
    spots = [{"x": 20.0, "y": 20.0}, {"x": 20.0 + away + 1.0, "y": 20.0}]
    squad = {**pair, "models": 2, "base": INCH, "spots": spots}
    battle = _battle([squad], [_unit("target")])
    notes = {row[0]: row[6] for table in battle.tables for row in table.rows}
    return {"coherency_violation": "strays" in notes["squad 1"]}


def _run(given: Given) -> dict[str, Any]:
    assert (given["on_fire"], given["survived_fire_test"]) == (True, True)
    battle = _battle([_burning("model", x=30.0, y=20.0, move=given["move"])], [_unit("target")])
    here = battle.state.field.footprints("model")[0].centre
    battle.push("fire_test", unit="model", tape=Typed(["1", "1", "90"]))
    there = battle.state.field.footprints("model")[0].centre
    asked = [entry.kind for entry in battle.moves[-1].entries]
    return {"distance": round(apart(here, there), 9), "direction": "random" if "direction" in asked else "none"}


def _remains(given: Given) -> dict[str, Any]:
    weapon = given["weapon"]
    plasma = weapon.choice("plasma", {True: "plasma", False: "cloud"})
    stays = weapon.choice("blast_remains", {True: plasma, False: "none"})
    sent = {"name": "weapon", "blast": weapon["blast_radius"], "remains": stays, **FAR_OFF}
    battle = _to(_battle([_unit("shooter", sent)], [_unit("target")]), "shooting")
    battle.push("ground", unit="shooter", weapon="weapon", distance=9, tape=Typed(["6"]))
    left = [(lying.kind, lying.radius) for lying in battle.state.markers]
    return {"marker_type": left[0][0], "radius": left[0][1]} if left else {"marker_type": None}


def _scattered(given: Given) -> dict[str, Any]:
    rolled = []
    for case in given["cases"]:
        distance, face = (9 if case["in_range"] else 90), "6" if case["to_hit"] else "1"
        launcher = {"name": "launcher", "blast": 2.0, **FAR_OFF}
        battle = _to(_battle([_unit("shooter", launcher)], [_unit("target")]), "shooting")
        shot = {"unit": "shooter", "weapon": "launcher", "target": "target", "distance": distance}
        battle.push("blast", tape=Typed([face] if case["in_range"] else [], Rolled(1)), **shot)
        rolled.append("scatter dice" in _labels(battle))
    return {"scatter_rolled": rolled}


def _covered(given: Given) -> dict[str, Any]:
    launcher = {"name": "launcher", "blast": given["marker_radius"], **FAR_OFF}
    x, y = given["marker_centre"]
    own: list[Any] = []
    others: list[Any] = []
    for model in given["models"]:
        place = {"x": 24.0 + model["x"] - x, "y": 24.0 + model["y"] - y, "base": _mm(model["base_radius"])}
        weapons = [launcher] if model["id"] == "shooter" else []
        (others if model["id"] == "enemy" else own).append(_unit(model["id"], *weapons, **place))
    battle = _to(_battle(own, others or [_unit("nobody")]), "shooting")
    battle.push("ground", unit="shooter", weapon="launcher", x=24, y=24, tape=Typed(["6"], Rolled(1)))
    return {"coverage": _under(battle, [model["id"] for model in given["models"]])}


def _under(battle: Battle, names: list[str]) -> dict[str, str]:
    """Who lies under the marker or template, as the log says."""
    lines = battle.move_record(battle.moves[-1].number).lines
    [told] = [line.result for line in lines if line.text.startswith("Under the ")]
    said = dict(part.rsplit(" ", 1) for part in told.split(", ") if part != "nobody")
    return {name: COVERAGE[said[name]] if name in said else "missed" for name in names}


def _second_fire(given: Given) -> dict[str, Any]:
    first, second = (
        {"name": name, "incendiary": True, **FAR_OFF, **given[key].only("strength", "save_modifier")}
        for name, key in (("first", "burning_from"), ("second", "hit_by"))
    )
    target = _unit("target", arsenal=[first], wear=[{"on_fire": "first"}])
    battle = _to(_battle([_unit("shooter", second)], [target]), "shooting")
    shot = {"unit": "shooter", "weapon": "second", "target": "target", "distance": 9}
    battle.push("shoot", tape=Typed(["6"], Rolled(1)), **shot)
    flame = battle.state.fighter("target").condition.on_fire
    return {"burning_from": {"strength": flame.strength, "save_modifier": flame.save_modifier}}


def _vehicle(given: Given) -> dict[str, Any]:
    given.choice("target_type", ("vehicle",))
    vehicle = {"toughness": "none", "types": ["vehicle"]}
    source = given.choice("source", ("fire", "blast", "template"))
    if source == "fire":
        battle = _battle([_burning("vehicle") | vehicle], [_unit("target")])
        battle.push("fire_test", unit="vehicle", tape=Typed(["ignores them", "1"]))
    else:
        weapon = _gun("weapon", **({"blast": 2.0} if source == "blast" else {"template": "medium"}))
        shape = {"templates": [{"name": "medium", "length": 8.5, "radius": 1.25}]}
        battle = _to(_battle([_unit("shooter", weapon, **shape)], [_unit("vehicle", **vehicle)]), "shooting")
        shot = {"unit": "shooter", "weapon": "weapon", "target": "vehicle", "distance": 5}
        battle.push(source, tape=Typed(["6"] if source == "blast" else [], Rolled(1)), **shot)
    handed = battle.state.fighter("vehicle").condition.vehicle_hits == 1
    return {"hook": "vehicle_hit" if handed else None, "wound_roll": "to wound" in _labels(battle)}


def _template(given: Given) -> dict[str, Any]:
    """Whether anybody rolls To Hit; a template takes no modifiers at all."""
    rolled = []
    for bs, modifiers in zip(given["bs"], given["modifiers"], strict=True):
        shape = {"templates": [{"name": "medium", "length": 8.5, "radius": 1.25}], "bs": bs}
        shooter = _unit("shooter", _gun("flamer", template="medium", to_hit_short=max(sum(modifiers), -6)), **shape)
        battle = _to(_battle([shooter], [_unit("target")]), "shooting")
        shot = {"unit": "shooter", "weapon": "flamer", "target": "target", "distance": 4}
        battle.push("template", tape=1, **shot)
        rolled.append("to hit" in _labels(battle))
    return {"to_hit_rolled": rolled}


def _placement(given: Given) -> dict[str, Any]:
    centre, radius, base = given["disc_centre"], given["disc_radius"], given["base_radius"]
    shape = {"templates": [{"name": "medium", "length": centre + radius, "radius": radius}]}
    tip = {"x": 10.0, "y": 10.0, "base": INCH}
    shooter = _unit("shooter", _gun("flamer", template="medium"), **shape, **tip)
    target = _unit("target", x=10.0, y=10.5 + given["target_distance_from_apex"], base=_mm(base))
    battle = _to(_battle([shooter], [target]), "shooting")
    shot = {"unit": "shooter", "weapon": "flamer", "target": "target", "heading": 0}
    try:
        battle.push("template", tape=1, **shot)
    except Refused:
        return {"legal": False}
    return {"legal": True, "coverage": _under(battle, ["target"])["target"]}


def _d3(given: Given) -> dict[str, Any]:
    """A D3 of damage, thrown with a D6."""
    struck = {"automatic": True, "strength": 10, "toughness": 1, "wounds": 3, "damage": "D3"}
    rolls = [SYSTEM.roll("shoot", tape=Typed(["6", str(face)]), **struck) for face in given["faces"]]
    return {"d3": [rolled.results["wounds_lost"] for rolled in rolls]}


def _direction(given: Given) -> dict[str, Any]:
    """Where a cloud drifts: by the arrow of the die, whatever else the face shows."""
    given.choice("scatter_face", ("hit", "arrow"))
    given.choice("use", ("direction_only",))
    cloud = {"name": "cloud", "x": 30.0, "y": 20.0}
    battle = _battle([_unit("a")], [_unit("b")], markers=[cloud])
    here = battle.state.marker("cloud").marker.centre
    battle.push("test_marker", marker="cloud", tape=Typed(["6", "4", str(given["arrow_deg"])]))
    there = battle.state.marker("cloud").marker.centre
    return {"direction_deg": round(bearing(here, there), 6), "moves": here != there}


def _modifiers(given: Given) -> dict[str, Any]:
    added = given["modifiers"]
    shot: dict[str, Any] = {"bs": given["bs"], "short_range": 12, "long_range": 24}
    for name in ("short", "long"):
        if f"{name}_range" in added:
            shot |= {"distance": 12 if name == "short" else 24, f"to_hit_{name}": added[f"{name}_range"]}
    for name, (worth, said) in SITUATIONS.items():
        if name in added:
            shot |= said
            assert added[name] == worth, name
    asked = SYSTEM.ask("shoot", **shot)
    [needed] = [step for step in asked.steps if step.title.startswith("To Hit with")]
    [rolled] = [step for step in asked.steps if step.title.startswith("To hit")]
    parts = needed.title.split(", ")[1:]
    total = sum(int(part.split()[0]) for part in parts)
    return {"total": total, "need": int(needed.needed.rstrip("+")), "p_hit": _text(rolled.chance)}


SITUATIONS: dict[str, tuple[int, dict[str, Any]]] = {
    "soft_cover": (-1, {"cover": "soft"}),
    "hard_cover": (-2, {"cover": "hard"}),
    "appearing": (-1, {"appearing": True}),
    "fast_target": (-1, {"fast": True}),
    "charging": (-1, {"charging": True}),
    "small_target": (-1, {"size": "small"}),
    "large_target": (1, {"size": "large"}),
}


def _fire_test(given: Given) -> dict[str, Any]:
    """A burning model that survives its Fire Test: what it took, whether it ran, and whether it may act."""
    kind = given.choice("type", TYPES)
    spared = "option_exempt_takes_no_fire_hits" in given and given["option_exempt_takes_no_fire_hits"]
    ignores = given.get("ignores", True)
    if "survives" in given:
        given.choice("survives", (True,))
    armed = _burning("model", x=30.0, y=20.0, types=[kind]) | {"weapons": [{"name": "flamer"}]}
    armed |= {"toughness": "none"} if kind in ("vehicle", "dreadnought") else {}
    rulings = {"ignored_flames": "no_hits" if spared else "still_burn"}
    battle = _battle([armed], [_unit("target")], rulings)
    chosen = [] if kind == "infantry" else ["ignores them" if ignores else "runs about"]
    battle.push("fire_test", unit="model", tape=Typed([*chosen, str(given["d6"])], Rolled(1)))
    labels, hulls = _labels(battle), battle.state.fighter("model").condition.vehicle_hits
    _to(battle, "shooting")
    hit = "to wound" in labels or hulls > 0
    return {"automatic_hit": hit, "random_move": "runs" in labels, "may_act": _shoots(battle)}


def _stays(given: Given) -> dict[str, Any]:
    launcher = {"name": "launcher", "blast": given["marker_radius"], "strength": 4, **FAR_OFF}
    target = _unit("target", base=_mm(given["base_radius"]))
    battle = _to(_battle([_unit("shooter", launcher)], [target]), "shooting")
    shot = {"unit": "shooter", "weapon": "launcher", "target": "target", "distance": 20}
    dice = [str(given["scatter"]), str(given["artillery"])]
    battle.push("blast", tape=Typed(["1", *dice], Rolled(1)), **shot)
    lines = battle.move_record(battle.moves[-1].number).lines
    fates = [line.result for line in lines if line.text.startswith("The marker")]
    return {"result": fates[0], "target_hit": "to wound" in _labels(battle)}


SHAPES = {
    "clouds": _order,
    "players": _tests,
    "turn_gap": _destroyed,
    "extinguished_this_turn": _extinguished,
    "distance_to_squad": _coherency,
    "survived_fire_test": _run,
    "weapon": _remains,
    "cases": _scattered,
    "marker_centre": _covered,
    "burning_from": _second_fire,
    "target_type": _vehicle,
    "bs": _template,
    "target_distance_from_apex": _placement,
    "faces": _d3,
    "scatter_face": _direction,
    "d6": _fire_test,
    "artillery": _stays,
}
