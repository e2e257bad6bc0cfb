"""Two lists of units as a start: `muster(card, ["South: 2 x Rhino, Tactical squad", "North: Ork Boyz"])`.

Units are set up in rows along the edges of their sides, facing the enemy, as far as the system knows places. With a
mission there are deployment zones, too, and the terrain of the system's sample between them. A file of sides can say
everything else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from battletape.battle.battle import battle_rules
from battletape.errors import BadInput, UnknownName, echo
from battletape.inputs import Inputs, fields, parse_inputs
from battletape.profiles import named_entry
from battletape.system import BattleRules, Ruleset

SIDES = ("South", "North", "West", "East")
"""The names of sides that are given none."""
SLOT = 9.0
"""Inches or metres along an edge for each unit of a row, at least."""
ROWS = (10.0, 4.0)
"""Inches between an edge and the units of each row."""
ZONE = 14.0
"""Inches of the deployment zones of a game with a mission, deep enough for the rows."""
APART = 30.0
"""Metres between two sides where there is no table."""


def muster(card: Ruleset, sides: Sequence[str], board: str = "", mission: str = "") -> dict[str, Any]:
    """Return a start from lists of units, one text for each side; units by the names of their profiles."""
    rules = battle_rules(card)
    if not rules.fill:
        raise BadInput(f"{card.name} takes its sides from a file: --sides FILE.toml.", field="sides")
    if not 2 <= len(sides) <= len(SIDES):
        raise BadInput(f"a battle needs lists of two to {len(SIDES)} sides; got {len(sides)}.", field="sides")
    known = {field.name: field for field in fields(rules.start)}
    start: dict[str, Any] = {}
    if board:
        start |= _board(board, "width" in known, card.name)
    if mission:
        if "mission" not in known:
            raise BadInput(f"{card.name} has no missions; leave --mission out.", field="mission")
        start["mission"] = mission
        if "zone" in known:
            start["zone"] = ZONE
    width = float(start.get("width") or (known["width"].default if "width" in known else 0.0))
    depth = float(start.get("depth") or (known["depth"].default if "depth" in known else 0.0))
    entries = [_side(card, rules, text, number) for number, text in enumerate(sides)]
    _number_twins([unit for side in entries for listed in rules.fill for unit in side.get(listed, ())])
    for number, side in enumerate(entries):
        _set_up(rules, side, number, width, depth)
    return {**start, "sides": entries, **(_terrain(rules, width, depth) if mission and width else {})}


def _terrain(rules: BattleRules, width: float, depth: float) -> dict[str, Any]:
    """Return the terrain of the sample as it would lie on this table, as far as it fits between the zones."""
    known, sample = {field.name: field for field in fields(rules.start)}, rules.sample()
    lists = [field for field in known.values() if field.item and {"corners", "radius"} <= names_of(field.item)]
    if not lists or lists[0].item is None:
        return {}
    listed, item = lists[0].name, lists[0].item
    sizes = {name: float(sample.get(name, known[name].default)) for name in ("width", "depth")}
    ratio_x, ratio_y = width / sizes["width"], depth / sizes["depth"]
    pieces = []
    for given in sample.get(listed, ()):
        piece: Any = parse_inputs(item, given)
        if not piece.corners:
            continue
        east, north = (sum(getattr(at, name) for at in piece.corners) / len(piece.corners) for name in "xy")
        right, up = east * (ratio_x - 1), north * (ratio_y - 1)
        corners = tuple(replace(at, x=at.x + right, y=at.y + up) for at in piece.corners)
        room = piece.radius + ZONE
        if all(room <= at.y <= depth - room for at in corners):
            pieces.append({**dict(given), "corners": [{"x": at.x, "y": at.y} for at in corners]})
    return {listed: pieces}


def names_of(item: type[Inputs]) -> set[str]:
    """Return the names of the inputs of an entry."""
    return {field.name for field in fields(item)}


def _board(text: str, has_board: bool, system: str) -> dict[str, float]:
    """Return the size of a table that is written as 72x48."""
    if not has_board:
        raise BadInput(f"{system} has no table with edges; leave --board out.", field="board")
    size = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*[x×*]\s*(\d+(?:\.\d+)?)\s*", text, re.IGNORECASE)
    if size is None:
        raise BadInput(f"board must be its width and depth in inches, such as 72x48; got {echo(text)}.", field="board")
    return {"width": float(size[1]), "depth": float(size[2])}


def _side(card: Ruleset, rules: BattleRules, text: str, number: int) -> dict[str, Any]:
    """Return a side with its units in the lists that they belong to."""
    name, colon, units = text.partition(":")
    if not colon or "=" in name:
        name, units = SIDES[number], text
    side: dict[str, Any] = {"name": name.strip() or SIDES[number]}
    for entry in _entries(card, units):
        side.setdefault(_list_of(card, rules, entry["profile"]), []).append(entry)
    if len(side) == 1:
        raise BadInput(
            f"{side['name']} needs a unit, such as “{side['name']}: NAME, 2 x NAME”; got none.", field="sides"
        )
    return side


def _entries(card: Ruleset, text: str) -> Iterator[dict[str, Any]]:
    """Yield each unit of a list."""
    known = [name for profiles in card.book.entries.values() for name in profiles]
    for part in re.findall(r"""(?:"[^"]*"|'[^']*'|[^,;])+""", text):
        entry = named_entry(part.strip(), "profile", "count", known)
        if not isinstance(entry, dict):
            continue
        if not entry.get("profile"):
            raise BadInput(f"a unit begins with the name of its profile; got {echo(part.strip())}.", field="sides")
        for _ in range(int(entry.pop("count", 1))):
            yield dict(entry)


def _number_twins(units: Sequence[dict[str, Any]]) -> None:
    """Number the units that share a name."""
    names = [str(unit.get("name") or unit["profile"]) for unit in units]
    for at, (unit, name) in enumerate(zip(units, names, strict=True)):
        if names.count(name) > 1:
            unit["name"] = f"{name} {names[: at + 1].count(name)}"


def _list_of(card: Ruleset, rules: BattleRules, profile: str) -> str:
    """Return the list of a side that takes a profile; an unknown one is named with the nearest of all lists."""
    names: list[str] = []
    for listed, fill in rules.fill.items():
        try:
            fill({"profile": profile}, card.book)
        except UnknownName as unknown:
            names += unknown.known
        else:
            return listed
    raise UnknownName("unit", profile, dict.fromkeys(names))


def _set_up(rules: BattleRules, side: Mapping[str, Any], number: int, width: float, depth: float) -> None:
    """Give each unit without a place one of its own, in rows along the edge of its side."""
    placed = [
        (entry, item)
        for listed, item in lists_of(rules)
        for entry in side.get(listed, ())
        if {"x", "y"} <= names_of(item) and not {"x", "y", "aboard", "reserve"} & entry.keys()
    ]
    along = width if number < 2 else depth
    in_row = max(1, int(along // SLOT)) if along else max(1, len(placed))
    for index, (entry, item) in enumerate(placed):
        row, column = divmod(index, in_row)
        units = min(in_row, len(placed) - row * in_row)
        slot = along / units if along else SLOT
        across = (column + 0.5) * slot - (0 if along else units * slot / 2)
        inward = ROWS[row % len(ROWS)] if along else number * APART
        entry["x"], entry["y"], bearing = {
            0: (across, inward, 0.0),
            1: (across, depth - inward if along else inward, 180.0),
            2: (inward, across, 90.0),
            3: (width - inward, across, 270.0),
        }[number]
        for turned in ("heading", "facing"):
            if bearing and turned in names_of(item):
                entry[turned] = bearing


def lists_of(rules: BattleRules) -> Iterator[tuple[str, type[Inputs]]]:
    """Yield the lists of a side that hold units, and the input type of their entries."""
    sides = next((field.item for field in fields(rules.start) if field.name == "sides"), None)
    for field in fields(sides) if sides is not None else ():
        if field.name in rules.fill and field.item is not None:
            yield field.name, field.item
