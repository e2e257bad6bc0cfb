"""A whole battle, move by move: `python -m tests.diceless40k.saltmarsh` writes golden/saltmarsh.battle again.

Six turns between two armies of 500 points, with every kind of token, a vehicle wrecked by each row, a regroup, a psyker
who suffers perils, a deep strike that meets a mishap, and repairs.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from battletape.battle import Battle
from battletape.battle.notation import write_battle
from battletape.rulesets.diceless40k import RULESET
from battletape.rulesets.diceless40k.battle.state import State
from battletape.system import Ruleset
from battletape.table.points import Point, bearing, step
from tests.diceless40k.wished_options import WishedOptions

FILE = Path(__file__).parent / "golden" / "saltmarsh.battle"


def start() -> Mapping[str, Any]:
    """Return two armies of about 500 points on a board with a wood, a ruin and a swamp."""
    vigil = {
        "name": "Vigil",
        "units": [
            {"name": "Tactical squad", "profile": "Combat squad", "x": 26, "y": 10},
            {"name": "Forge team", "profile": "Forge team", "x": 38, "y": 6},
            {"name": "Osric", "profile": "Librarian Osric Vale", "x": 22, "y": 11.5},
            {"name": "Jump squad", "profile": "Assault Marines", "reserve": True, "arrives": "deep_strike"},
        ],
        "vehicles": [{"name": "Rhino", "profile": "Rhino", "x": 44, "y": 8}],
    }
    horde = {
        "name": "Horde",
        "units": [
            {"name": "Boyz", "profile": "Ork Boyz", "x": 28, "y": 36},
            {"name": "Shootas", "profile": "Shoota Boyz", "x": 44, "y": 40},
            {"name": "Kommandos", "profile": "Kommandos", "reserve": True, "arrives": "outflank"},
            {"name": "Zagnit", "profile": "Weirdboy Zagnit", "x": 36, "y": 43},
        ],
        "vehicles": [
            {"name": "Trukk", "profile": "Trukk", "x": 20, "y": 38, "heading": 180},
            {"name": "Dread", "profile": "Deff Dread", "x": 54, "y": 38, "heading": 180},
        ],
    }
    wood = [{"x": 30, "y": 20}, {"x": 40, "y": 20}, {"x": 40, "y": 27}, {"x": 30, "y": 27}]
    ruin = [{"x": 12, "y": 16}, {"x": 20, "y": 16}, {"x": 20, "y": 22}, {"x": 12, "y": 22}]
    pieces = [
        {"name": "Wood", "corners": wood, "cover": 4},
        {"name": "Ruin", "corners": ruin, "cover": 4},
        {"name": "Swamp", "dangerous": True, "corners": [{"x": 54, "y": 24}], "radius": 4},
    ]
    return {"sides": [vigil, horde], "grounds": pieces}


def centre(state: State, name: str) -> Point:
    """Where the first model of a unit, or the middle of its hull, stands."""
    return state.field.position(name).footprints[0].centre


class Game:
    """Two players who know what they want."""

    def __init__(self, ruleset: Ruleset = RULESET) -> None:
        self.battle = Battle.new(ruleset, start(), {"wrecks": "none"}, title="The salt marsh")

    @property
    def state(self) -> State:
        """The battle now."""
        state: State = self.battle.state
        return state

    def do(self, action: str, *wishes: Any, **params: Any) -> None:
        """Do something; each choice takes the first of the wishes that it offers, or its first option."""
        self.battle.push(action, params, tape=WishedOptions(*wishes))

    def go(self, action: str, unit: str, target: str | Point, inches: float, *wishes: Any) -> None:
        """Go so many inches towards a unit or a point, as far as there is room."""
        start = centre(self.state, unit)
        goal = target if isinstance(target, Point) else centre(self.state, target)
        way = bearing(start, goal)
        for turn in (0, 20, -20, 40, -40, 60, -60, 90, -90):
            end = step(start, way + turn, inches)
            path = [{"x": round(end.x, 2), "y": round(end.y, 2)}]
            if self.battle.refusal(action, unit=unit, path=path) is None:
                self.do(action, *wishes, unit=unit, path=path)
                return
        raise AssertionError(f"{unit} finds no way: {self.battle.refusal(action, unit=unit, path=path)}")

    def end(self, phases: int = 1) -> None:
        """End so many phases."""
        for _ in range(phases):
            self.do("end_phase")


def play(ruleset: Ruleset = RULESET) -> Battle:
    """The battle from the first move to the last."""
    game = Game(ruleset)
    for turn in (first, second, third, fourth, fifth, sixth):
        turn(game)
    return game.battle


def first(game: Game) -> None:
    """The Rhino drives out, the librarian curses the Trukk, and the Horde comes on."""
    game.go("drive", "Rhino", Point(46, 30), 11.5)
    game.go("move", "Osric", "Trukk", 2)
    game.go("move", "Forge team", "Rhino", 6)
    game.end()
    game.do("cast", "play", "push on", unit="Osric", power="machine_curse", target="Trukk")
    game.do("shoot", unit="Tactical squad", target="Boyz", weapons=["Bolter", "Lascannon"])
    game.end(2)
    game.go("drive", "Dread", "Rhino", 6)
    game.go("move", "Boyz", "Rhino", 6)
    game.end()
    game.do("shoot", unit="Dread", target="Rhino")
    game.do("cast", 2, unit="Zagnit", power="Frazzle", target="Rhino")
    game.do("shoot", unit="Shootas", target="Rhino")
    game.go("run", "Boyz", "Rhino", 4)
    game.end()
    game.end()


def second(game: Game) -> None:
    """A plasma cannon gets hot, and the Dread tears the Rhino open."""
    game.end()
    game.do("cast", unit="Osric", power="machine_curse", target="Trukk")
    game.do("shoot", unit="Tactical squad", target="Boyz", weapons=["Bolter", "Lascannon"])
    game.do("shoot", 1, unit="Forge team", target="Boyz", weapons=["Plasma cannon", "Heavy bolter"])
    game.do("shoot", unit="Rhino", target="Boyz")
    game.end(2)
    game.go("drive", "Dread", "Rhino", 6)
    game.go("move", "Boyz", "Rhino", 5)
    game.end(2)
    game.do("assault_vehicle", unit="Dread", target="Rhino")
    game.end()


def third(game: Game) -> None:
    """The jump squad meets a mishap; the techmarine repairs the Rhino; kommandos outflank."""
    game.do("self_repair", unit="Rhino")
    game.do("reserves")
    game.do("deep_strike", 2, "mishap", unit="Jump squad", x=30, y=3.0)
    game.go("move", "Forge team", "Rhino", 5.5)
    game.end()
    game.do("cast", unit="Osric", power="machine_curse", target="Trukk")
    game.do("repair", unit="Forge team", machine="Rhino")
    game.end(2)
    game.do("reserves")
    game.do("outflank", "left", unit="Kommandos", y=20)
    game.go("move", "Boyz", "Rhino", 5.5)
    game.go("move", "Shootas", Point(44, 20), 6)
    game.end(2)
    game.do("assault_vehicle", unit="Dread", target="Rhino")
    game.end()


def fourth(game: Game) -> None:
    """The jump squad lands; the Nob finishes the Rhino; the Dread charges the techmarine."""
    game.do("self_repair", "F", unit="Rhino")
    game.do("reserves")
    game.do("deep_strike", 0, unit="Jump squad", x=50, y=26)
    game.end()
    game.do("cast", unit="Osric", power="machine_curse", target="Trukk")
    game.do("shoot", unit="Tactical squad", target="Dread", weapons=["Lascannon"])
    game.do("go_to_ground", unit="Kommandos")
    game.end(2)
    game.end()
    game.do("cast", "play", "accept", unit="Zagnit", power="Frazzle", target="Jump squad")
    game.do("shoot", 0, unit="Shootas", target="Jump squad", weapons=["Big shoota"])
    game.end()
    game.do("assault_vehicle", 0, unit="Boyz", target="Rhino")
    game.do("charge", unit="Dread", target="Forge team")
    game.do("fight", unit="Dread")
    game.end()


def fifth(game: Game) -> None:
    """The jump squad breaks the Shootas, who come to order again."""
    game.go("move", "Jump squad", "Shootas", 4)
    game.end()
    game.do("cast", unit="Osric", power="machine_curse", target="Trukk")
    game.do("shoot", unit="Jump squad", target="Shootas")
    game.do("shoot", unit="Tactical squad", target="Dread", weapons=["Lascannon"])
    game.end()
    game.do("charge", unit="Jump squad", target="Shootas")
    game.do("fight", unit="Jump squad")
    game.go("consolidate", "Jump squad", "Tactical squad", 4)
    game.end()
    game.do("regroup", unit="Shootas")
    game.go("drive", "Dread", "Tactical squad", 6)
    game.go("move", "Kommandos", "Jump squad", 6)
    game.end()
    game.go("run", "Kommandos", "Jump squad", 4)
    game.do("shoot", unit="Shootas", target="Jump squad")
    game.end(2)


def sixth(game: Game) -> None:
    """The last curse wrecks the Trukk, and the Dread comes to blows."""
    game.go("move", "Tactical squad", "Dread", 2)
    game.end()
    game.do("cast", unit="Osric", power="machine_curse", target="Trukk")
    game.end(2)
    game.go("drive", "Dread", "Tactical squad", 6)
    game.end(2)
    game.do("charge", unit="Dread", target="Tactical squad")
    game.do("fight", 3, 1, unit="Dread")
    game.end()


if __name__ == "__main__":
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(write_battle(play(), checkpoint=False), encoding="utf-8")
