"""What is proposed in a battle, and what a move says of its end."""

from __future__ import annotations

from battletape.battle import Battle
from battletape.inputs import value_of
from tests.diceless40k.battles import battle, do, end, unit


def ways(one: Battle, action: str, name: str) -> list[str]:
    """What a unit may go towards by an action, as proposed; "" for a place."""
    options = [each for each in one.legal() if each.action.name == action and each.params.unit == name]
    return [str(value_of(each.params, "towards") or "") for each in options]


def test_objectives_and_the_nearest_enemy_are_proposed_before_bare_places():
    one = Battle.new("diceless40k")
    goals = ["Objective 1", "Objective 2", "Objective 3", "Boyz"]
    for action, name in (("move", "Tactical squad"), ("drive", "Rhino")):
        assert ways(one, action, name)[:4] == goals
        assert set(ways(one, action, name)[4:]) == {""}
    end(one)
    assert ways(one, "run", "Tactical squad") == goals


def test_a_unit_that_can_hardly_go_on_is_not_proposed_to():
    one = battle([unit("Grots", x=20, y=20)], [unit("Ork Boyz", x=20, y=27)])
    assert "Ork Boyz" in ways(one, "move", "Grots")
    do(one, "move", unit="Grots", towards="Ork Boyz")
    end(one)
    assert ways(one, "run", "Grots") == []


def test_a_move_says_where_it_ends_and_why_it_stops_short():
    one = Battle.new("diceless40k")
    assert do(one, "move", unit="Tactical squad", towards="Boyz")[-1] == "Tactical squad stops at 26.2, 15.0"
    one = battle([unit("Grots", x=20, y=20)], [unit("Ork Boyz", x=20, y=26)])
    told = do(one, "move", unit="Grots", towards="Ork Boyz")[-1]
    assert told.startswith("Grots stops at 20.0, ")
    assert told.endswith(": Grots would come within an inch of Ork Boyz")


def jumping(*friends: dict[str, object]) -> Battle:
    """The Jump squad about to arrive by deep strike."""
    squad = unit("Assault Marines", "Jump squad", reserve=True, arrives="deep_strike")
    one = battle([squad, *friends], [unit("Ork Boyz", x=54, y=30)])
    while "reserves" not in {option.action.name for option in one.legal()}:
        end(one)
    do(one, "reserves")
    return one


def test_a_deep_strike_is_proposed_only_where_there_is_room():
    aims = {(each.params.x, each.params.y) for each in jumping().legal() if each.action.name == "deep_strike"}
    assert (18, 24) in aims
    assert (54, 30) not in aims
    crowded = jumping(unit("Grots", x=18, y=24)).legal()
    assert (18, 24) not in {(each.params.x, each.params.y) for each in crowded if each.action.name == "deep_strike"}


def test_a_mishap_says_where_the_unit_stands():
    one = jumping()
    told = do(one, "deep_strike", "misplaced", "north-east", unit="Jump squad", x=54, y=30)
    place = one.state.footprints(one.state.squad("Jump squad"))[0].centre
    assert f"Jump squad stands at {place.x:.1f}, {place.y:.1f}" in told
