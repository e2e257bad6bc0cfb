"""Markers, scatter, grenades and shots at the ground: the questions blast, scatter, grenade and ground."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from battletape import Odds, ruleset
from battletape.answer import Answer, Roll
from battletape.tape.path import Path
from battletape.tape.question import Ask
from tests.vectors.given import Given

SYSTEM = ruleset("second_edition")
HARMLESS = {"strength": "none"}
COVERAGE = {"entirely": "full", "partially": "partial"}
FATES = {"moves": "move"}
THROWN = {"grenade": True, "ground_grenade": True, "shot": False, "ground": False}
FAR = 40.0
AROUND = ((0, 1), (0, -1), (1, 0), (-1, 0), (0.6, 0.8), (-0.6, 0.8), (0.6, -0.8), (-0.6, -0.8))
"""Directions in which neighbours stand."""


class Chance:
    """A probability: equal to a fraction exactly or, where directions decide, to its decimals."""

    def __init__(self, chance: Fraction) -> None:
        self.chance = chance

    def __eq__(self, other: object) -> bool:
        if isinstance(other, dict):
            return bool(abs(float(self.chance) - other["approx"]) < 1e-9)
        return isinstance(other, str) and abs(self.chance - Fraction(other)) < Fraction(1, 10**12)

    def __hash__(self) -> int:
        return hash(self.chance)

    def __repr__(self) -> str:
        return f"{self.chance.numerator}/{self.chance.denominator} = {float(self.chance):.12f}"


class Dice(Path):
    """Dice by their labels; a direction that does not matter is north, and every other die shows its first face."""

    def __init__(self, **faces: Any) -> None:
        super().__init__()
        self.faces = {label.replace("_", " "): face for label, face in faces.items()}

    def answer(self, ask: Ask) -> Any:
        """The face for this label."""
        if ask.kind == "direction":
            return 0.0
        assert ask.die is not None
        face = self.faces.get(ask.label, ask.die.faces[0])
        return (face,) * ask.count if ask.kind == "pool" else face


def _distances(odds: Odds[Any]) -> dict[str, Chance]:
    return {f"{inches:g}": Chance(share) for inches, share in odds.fractions().items() if inches}


def _labels(made: Roll) -> set[str]:
    return {entry.label for entry in made.entries}


def _fate(made: Roll) -> dict[str, Any]:
    fate = made.results["fate"]
    return {
        "result": FATES.get(fate, fate),
        "distance": made.results["inches"],
        "weapon_destroyed": bool(made.results["weapon_destroyed"]),
    }


def _covered(asked: Answer) -> str:
    """How the only model lies, which is certain."""
    (told,) = asked.odds("covered").fractions()
    return COVERAGE.get(told.rpartition(" ")[2], "missed")


def _base(given: Given) -> dict[str, Any]:
    return {"base": given["base_diameter_mm"]} if "base_diameter_mm" in given else {"radius": given["base_radius"]}


def blast(given: Given) -> dict[str, Any]:
    if "strength" in given:
        fired = given.only("strength", "toughness", "save", "save_modifier", "wounds") | {
            "damage": str(given["damage"])
        }
        marker = {"blast": 2, "radius": 0.5, "scattered": 0}
        answers = (SYSTEM.ask("scatter", **fired, **marker, away=away) for away in (0, 2))
        full, partial = (Chance(answer.odds("killed").at_least(1)) for answer in answers)
        return {"p_kill_full": full, "p_kill_partial": partial}
    if "weapon_long_range" in given:
        models = [{"name": "target", "y": given["distance"]}]
        shot = {
            "models": models,
            "bs": given["bs"],
            "long_range": given["weapon_long_range"],
            "distance": given["distance"],
        }
        made = SYSTEM.roll("blast", tape=Dice(to_hit=given["to_hit_roll"]), target="target", **shot)
        return {"result": made.results["fate"], "scatter_rolled": "scatter dice" in _labels(made)}
    marker = {"blast": given["marker_radius"], "scattered": 0}
    if "neighbour_distances" in given:
        models = [
            {"x": away * east, "y": away * north, "radius": given["base_radius"]}
            for away, (east, north) in zip(
                given["neighbour_distances"], AROUND[: len(given["neighbour_distances"])], strict=True
            )
        ]
        hits = SYSTEM.ask("scatter", **marker, **HARMLESS, models=models).odds("hits")
        told = {str(number): Chance(share) for number, share in hits.fractions().items()}
        return {"extra_hits": told, "mean_extra_hits": Chance(hits.mean)}
    if given.get("is_aimed_target_of_direct_hit"):
        return _aimed_at(given)
    asked = SYSTEM.ask("scatter", **marker, **HARMLESS, away=given["distance"], **_base(given))
    assert asked.table is not None
    radius = asked.table.rows[0][1]
    return {
        "coverage": _covered(asked),
        "p_hit": Chance(asked.odds("hits").at_least(1)),
        "base_radius_in": radius,
    }


def _aimed_at(given: Given) -> dict[str, Any]:
    """The model that a hit was aimed at, however much of it the marker covers."""
    models = [{"name": "target", "y": FAR, **_base(given)}]
    lies = SYSTEM.ask("scatter", blast=given["marker_radius"], scattered=0, away=given["distance"], **_base(given))
    made = SYSTEM.roll(
        "blast",
        tape=Dice(to_hit=6),
        models=models,
        target="target",
        distance=FAR,
        long_range=FAR,
        blast=given["marker_radius"],
        **HARMLESS,
    )
    return {"coverage": _covered(lies), "p_hit": Chance(Fraction(made.results["target_hit"]))}


def _sent(given: Given) -> dict[str, Any]:
    """A marker on its way, with nobody near enough to be hit."""
    sent = {"kind": given["kind"], "away": 60, **HARMLESS}
    return sent | ({"far": given["distance_to_target"]} if "distance_to_target" in given else {"far": FAR})


def scatter(given: Given) -> dict[str, Any]:
    if "scatter" in given:
        dice = Dice(scatter_dice=given["scatter"], artillery_dice=given["artillery"])
        return _fate(SYSTEM.roll("scatter", tape=dice, **_sent(given)))
    asked = SYSTEM.ask("scatter", **_sent(given))
    fate, inches = asked.odds("fate"), _distances(asked.odds("inches"))
    return {
        "move": inches,
        "move_each": next(iter(inches.values())),
        "move_total": Chance(fate.chance("moves")),
        "stays": Chance(fate.chance("stays")),
        "dud": Chance(fate.chance("dud")),
        "on_shooter": Chance(fate.chance("on_shooter")),
    }


def scatter_geometry(given: Given) -> dict[str, Any]:
    if "bs" in given:
        return _whole_shot(given)
    marker = {"blast": given["marker_radius"], "scattered": given["scatter"], **HARMLESS}
    if "models" in given:
        models = [
            {"name": name, "x": x, "y": y, **_base(given)} for name, (x, y) in zip("BC", given["models"], strict=True)
        ]
        asked = SYSTEM.ask("scatter", **marker, models=models)
        touched = asked.odds("touched")
        return {
            "p_both_touched": Chance(touched.chance(2)),
            "p_exactly_one_touched": Chance(touched.chance(1)),
            "p_none_touched": Chance(touched.chance(0)),
            "p_both_full": Chance(asked.odds("covered").chance("B entirely, C entirely")),
        }
    where = {"away": given["model_distance_from_aim"], "bearing": given.get("model_bearing_deg", 0)}
    asked = SYSTEM.ask("scatter", **marker, **where, **_base(given))
    assert asked.table is not None
    covered, (*_, cos_full, cos_touch, full, reached) = asked.odds("covered"), asked.table.rows[0]
    cosines = {} if cos_full == "-" else {"cos_full": cos_full, "cos_touch": cos_touch}
    return {
        **{name: Chance(Fraction(cosine)) for name, cosine in cosines.items()},
        "p_full": Chance(covered.chance("model entirely")),
        "p_partial": Chance(covered.chance("model partially")),
        "p_missed": Chance(covered.chance("nobody")),
        "p_hit": Chance(asked.odds("hits").at_least(1)),
        "full_deg": Bearings(full),
        "touched_deg": Bearings(reached),
    }


class Bearings:
    """Two bearings of a table, equal to a pair of numbers within 1e-9; none is 0, all is 360 degrees."""

    def __init__(self, told: str) -> None:
        self.told = told

    def __eq__(self, other: object) -> bool:
        if self.told in ("none", "all"):
            return other == (0 if self.told == "none" else 360)
        pair = [float(bearing) for bearing in self.told.split(" to ")]
        return isinstance(other, list) and all(abs(a - b) <= 2e-9 for a, b in zip(pair, other, strict=True))

    def __hash__(self) -> int:
        return hash(self.told)

    def __repr__(self) -> str:
        return self.told


def _whole_shot(given: Given, question: str = "blast", far: float = FAR) -> dict[str, Any]:
    """A shot or a throw at a model, with or without somebody near it."""
    far = given.get("distance_to_target", far)
    models = [{"name": "target", "y": far, "radius": given["base_radius"]}]
    if "bystander_distance" in given:
        models.append({"name": "bystander", "x": given["bystander_distance"], "y": far, "radius": given["base_radius"]})
    asked = SYSTEM.ask(
        question,
        models=models,
        target="target",
        shooter_base=0,
        distance=far,
        long_range=500,
        bs=given["bs"],
        modifier=sum(given["modifiers"]),
        blast=given["marker_radius"],
        measures=["who"],
        **HARMLESS,
    )
    fate, who = asked.odds("fate"), asked.odds("who")
    return {
        "p_direct": Chance(fate.chance("hit")),
        "p_target_hit": Chance(asked.odds("target_hit").chance(1)),
        "p_marker_on_shooter": Chance(fate.chance("on_shooter")),
        "p_dud": Chance(fate.chance("dud")),
        "p_bystander_hit": Chance(who.chance(lambda names: "bystander" in names.split(", "))),
    }


def grenade(given: Given) -> dict[str, Any]:
    if "strength" in given:
        asked = SYSTEM.ask("grenade", throw_strength=given["strength"], measures=["throw_range"], target="enemy 2")
        return {"range_in": asked.odds("throw_range").mean}
    given.choice("kind", THROWN)
    if "bs" in given:
        return _whole_shot(given, "grenade", 12.0)
    return scatter(given)


def ground(given: Given) -> dict[str, Any]:
    thrown, spot = given.choice("kind", THROWN), given.get("distance_to_target", 8.0)
    sent = {"x": 0, "y": spot, "distance": spot, "thrown": thrown, "throw_strength": 5, "shooter_base": 0, **HARMLESS}
    sent["long_range"] = given.get("weapon_long_range", 500)
    if "scatter" in given:
        return scatter(given)
    if "weapon_long_range" in given:
        return {"result": SYSTEM.roll("ground", tape=Dice(), models=[], **sent).results["fate"]}
    if "d6" in given:
        for aimed in ("bs", "modifiers"):  # whoever shoots and whatever hinders: the question does not take them
            given.get(aimed)
        made = SYSTEM.roll("ground", tape=Dice(shot_at_the_ground=given["d6"]), models=[], **sent)
        return {"result": "scatter" if "scatter dice" in _labels(made) else made.results["fate"]}
    sent["blast"] = given.get("marker_radius", 2)
    radius, away = given.get("base_radius", 0.5), given.get("model_distance_from_aim", 0)
    given.get("model_distance_from_aim_point")
    models = [{"name": "model", "x": away, "y": spot, "radius": radius}]
    asked = SYSTEM.ask("ground", models=models, measures=["inches"], **sent)
    fate = asked.odds("fate")
    return {
        "p_hit": Chance(asked.odds("hits").at_least(1)),
        "p_marker_placed": Chance(asked.odds("marker_placed").chance(1)),
        "p_point_covered": Chance(asked.odds("spot_covered").chance(1)),
        "on_point": Chance(fate.chance(lambda what: what in ("hit", "stays"))),
        "direct": Chance(fate.chance("hit")),
        "move_each": next(iter(_distances(asked.odds("inches")).values())),
        "dud": Chance(fate.chance("dud")),
        "on_shooter": Chance(fate.chance("on_shooter")),
    }
