"""Templates, fire, clouds and plasma balls: the questions template, burning, cloud and plasma."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from battletape import ruleset
from battletape.answer import Answer, Roll
from tests.vectors.given import Given
from tests.vectors.second_edition_parts.markers_and_scatter import COVERAGE, HARMLESS, Chance, Dice

SYSTEM = ruleset("second_edition")
STRUCK = ("strength", "toughness", "save", "save_modifier", "save_dice", "wounds")
TYPES = {"terminator_armour": "terminator"}
LIT = {"full": "entirely", "partial": "partially"}
WIDE = {"length": 24, "end_radius": 8, "heading": 0, "shooter_base": 0}
INSIDE = ((0, 12), (0, 14), (0, 16), (2, 14), (-2, 14), (2, 16), (-2, 16))
ON_THE_RIM = ((0, 24), (8, 16), (-8, 16), (5.656854, 21.656854), (-5.656854, 21.656854))
"""Places well inside a wide template, and places on the rim of its round end."""


def _rows(asked: Answer) -> dict[str, str]:
    """A table of two columns."""
    assert asked.table is not None
    return {row[0]: row[1] for row in asked.table.rows}


def _struck(given: Given) -> dict[str, Any]:
    return given.only(*STRUCK) | ({"damage": str(given["damage"])} if "damage" in given else {})


def _labels(made: Roll) -> set[str]:
    return {entry.label for entry in made.entries}


# --- templates -------------------------------------------------------------------------------------------------------


def template(given: Given) -> dict[str, Any]:
    if "full" in given:
        return _killed(given)
    length = given["disc_centre"] + given["disc_radius"]
    held = {"length": length, "end_radius": given["disc_radius"], "heading": 0, "shooter_base": 0, **HARMLESS}
    aimed = {"name": "target", "y": given["disc_centre"], "radius": 0}
    model = {
        "name": "model",
        "x": given["base_y"],
        "y": given["base_x"],
        "radius": given["base_radius"],
        "side": "friend",
    }
    asked = SYSTEM.ask("template", **held, models=[aimed, model], target="target", measures=["who"])
    assert asked.table is not None
    _, (_, _, away, part, cover) = asked.table.rows
    return {
        "signed_distance": Length(away),
        "nearest": part,
        "coverage": COVERAGE.get(cover, "missed"),
        "p_hit": Chance(asked.odds("friends_hit").at_least(1)),
    }


class Length:
    """A length of a table, equal to a number within 1e-8: tables are written with nine digits."""

    def __init__(self, told: str) -> None:
        self.told = told

    def __eq__(self, other: object) -> bool:
        return isinstance(other, (int, float)) and abs(float(self.told) - other) < 1e-8

    def __hash__(self) -> int:
        return hash(self.told)

    def __repr__(self) -> str:
        return self.told


def _killed(given: Given) -> dict[str, Any]:
    """Some models covered entirely and some partly."""
    full, partial = INSIDE[: given["full"]], ON_THE_RIM[: given["partial"]]
    fired = {**WIDE, **_struck(given)}
    everybody, one, other = (
        SYSTEM.ask("template", **fired, models=[{"x": x, "y": y, "radius": 0.5} for x, y in spots])
        for spots in ((*full, *partial), INSIDE[:1], ON_THE_RIM[:1])
    )
    killed = everybody.odds("killed")
    return {
        "p_kill_full": Chance(one.odds("killed").at_least(1)),
        "p_kill_partial": Chance(other.odds("killed").at_least(1)),
        "kills": {str(number): Chance(share) for number, share in killed.fractions().items()},
        "mean": Chance(killed.mean),
    }


# --- fire ------------------------------------------------------------------------------------------------------------


def fire(given: Given) -> dict[str, Any]:
    if "d6" in given:
        return _fire_test(given)
    if "type" in given:
        assert given["on_fire"]
        return {
            "may_ignore": _rows(SYSTEM.ask("burning", types=TYPES.get(given["type"], given["type"])))[
                "may ignore the flames"
            ]
            == "yes"
        }
    if "action" in given:
        given.choice("action", ("beat_out_flames",))
        given.choice("phase", ("movement",))
        rows = _rows(SYSTEM.ask("burning", helpers=1))
        within, _, _ = rows["helpers stand within"].partition(" ")
        return {"may_shoot_this_turn": rows["helpers may shoot"] == "yes", "max_distance": int(within)}
    if "strength" not in given:
        return _helped(given) if "helpers" in given else _lit(given)
    if "coverage" in given or "helpers" not in given:
        return _lit(given)
    if "tests" in given:
        ending = SYSTEM.ask("burning", **_struck(given), turns=given["tests"], helpers=given["helpers"]).odds("ending")
        return {name: Chance(ending.chance(name)) for name in ("burning", "out", "dead")}
    rows = _rows(SYSTEM.ask("burning", **_struck(given), helpers=given["helpers"]))
    return {
        "p_dead": Written(rows["dies at last"]),
        "p_out": Written(rows["the fire goes out"]),
        "mean_tests": Written(rows["Fire Tests on average"]),
    }


class Written(Chance):
    """A fraction that stands in a table."""

    def __init__(self, told: str) -> None:
        super().__init__(Fraction(told))


def _lit(given: Given) -> dict[str, Any]:
    """A model that an incendiary weapon covers."""
    lit = given.choice("coverage", LIT, "full")
    struck = _struck(given) or HARMLESS
    asked = SYSTEM.ask("burning", lit=lit, turns=1, helpers=given.get("helpers", 0), **struck)
    caught = next(step for step in asked.steps if step.title.startswith("Catches fire"))
    killed, burning = asked.odds("killed_at_once").chance(1), asked.odds("caught_fire").chance(1)
    return {
        "p_hit": Chance(asked.odds("hit").chance(1)),
        "p_catch": Chance(burning),
        "min_roll": int(caught.needed.rstrip("+")),
        "p_killed": Chance(killed),
        "p_killed_at_once": Chance(killed),
        "p_on_fire": Chance(burning),
        "p_clear": Chance(asked.odds("ending").chance("never lit")),
        "p_dead_eventually": Written(_rows(asked)["dies at last"]),
    }


def _fire_test(given: Given) -> dict[str, Any]:
    """One Fire Test with the die as given; a hit is seen by its wound roll."""
    exempt = {"types": "terminator"} if given["exempt"] else {}
    made = SYSTEM.roll("burning", tape=Dice(fire_test=given["d6"]), turns=1, strength=4, **exempt)
    rows = _rows(SYSTEM.ask("burning", turns=1, **exempt))
    return {
        "effect": {"burning": "burns", "out": "extinguished"}[made.results["ending"]],
        "automatic_hit": "to wound" in _labels(made),
        "may_move": rows["after a 6: may move"] == "yes",
        "may_shoot": rows["after a 6: may shoot"] == "yes",
        "normal_from": {"from its next turn": "next_turn", "now": "now"}[rows["after a 6: acts as usual"]],
    }


def _helped(given: Given) -> dict[str, Any]:
    rows = _rows(SYSTEM.ask("burning", helpers=given["helpers"]))
    need = rows["the helpers need"]
    return {
        "need": int(need.rstrip("+")) if need.endswith("+") else "automatic",
        "modifier": int(rows["added for further helpers"]),
        "p_out": Written(rows["the helpers succeed"]),
    }


# --- markers that stay -----------------------------------------------------------------------------------------------

REMOVED = {
    "cloud": {"removed at the end of the turn": "end_of_testing_players_turn"},
    "plasma": {"gone": "immediately"},
}


def cloud(given: Given) -> dict[str, Any]:
    return _lasting(given, given.choice("type", ("cloud",), "cloud"))


def plasma(given: Given) -> dict[str, Any]:
    return _lasting(given, given.choice("type", ("plasma",), "plasma"))


def _lasting(given: Given, kind: str) -> dict[str, Any]:
    if "model_distance_from_centre" in given:
        return _hit_by(given, kind)
    radius = given["radius"]
    if "d6" in given:
        return _tested(kind, radius, given["d6"], given.get("expand"))
    if "tests" in given:
        return _after_tests(kind, radius, given["tests"])
    shrunk = _tested(kind, radius, 5, None)
    return {
        "radius": shrunk["radius"],
        "removed": not shrunk["radius"],
        "mean_tests": Written(_rows(SYSTEM.ask(kind, radius=radius, tests=1))["tests on average"]),
    }


def _tested(kind: str, radius: float, d6: int, expand: int | None) -> dict[str, Any]:
    """One test with the die as given, and a model at the very middle that shows whether it harms."""
    dice = Dice(marker_test=d6, swells_by=expand or 1)
    made = SYSTEM.roll(kind, tape=dice, radius=radius, tests=1, away=0, base_radius=0, **HARMLESS)
    labels, results = _labels(made), made.results
    drifted = SYSTEM.roll(kind, tape=dice, radius=radius, tests=1, away=radius + 1, **HARMLESS)
    standing = {**REMOVED[kind], "has swollen": "end_of_turn"}
    domains = {entry.label: entry.domain for entry in made.entries}
    dice_names = {"1-6": "D6"}
    told = {
        "effect": results["event"],
        "radius": results["size"],
        "removed_at": standing.get(results["standing"]),
        "harm_this_turn": results["hits"] > 0,
    }
    if "drifts by" in labels:
        told |= {"dice": dice_names[domains["drifts by"]]}
        told |= {"direction": "random" if "drift direction" in _labels(drifted) else "none"}
    if "swells by" in labels:
        told |= {"extra": dice_names[domains["swells by"]]}
    return told


def _after_tests(kind: str, radius: float, tests: int) -> dict[str, Any]:
    asked = SYSTEM.ask(kind, radius=radius, tests=tests)
    in_play, standing = asked.odds("radius"), asked.odds("standing")
    return {
        "active": {f"{size:g}": Chance(share) for size, share in in_play.fractions().items() if size},
        "expired_or_removed": Chance(in_play.chance(0)),
        "gone": Chance(standing.chance("gone")),
        "has_expanded_and_expired_or_expiring": Chance(standing.chance("has swollen")),
    }


def _hit_by(given: Given, kind: str) -> dict[str, Any]:
    """A model at some distance from the middle; with a die given, only what follows from it."""
    radius = given["radius"] if "radius" in given else given["marker_radius"]
    where = {"away": given["model_distance_from_centre"], "base_radius": given["base_radius"]}
    asked = SYSTEM.ask(
        kind, radius=radius, tests=1, measures=["event"] + ["covered"] * (kind == "cloud"), **where, **HARMLESS
    )
    states = asked.states
    if "d6" in given:
        moves = _tested(kind, radius, given["d6"], None)["effect"]
        states = states.given(lambda state: state.event == moves)
    hits = asked.question.measure("hits")
    told = {"p_hit": Chance(states.project(hits.of).at_least(1))}
    if kind == "cloud":
        covered = states.project(asked.question.measure("covered").of)
        told["p_full"] = Chance(covered.chance("model entirely"))
    return told
