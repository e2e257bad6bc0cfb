"""What players decide in the middle of an action: each choice is asked of the right side, its default first."""

from __future__ import annotations

import pytest

from battletape.battle import Battle
from battletape.table.points import apart
from tests.diceless40k.battles import battle, do, end, refused, unit


def boyz(**more: float) -> Battle:
    """A mob of Boyz on a board, and marines before them."""
    return battle([unit("Combat squad", x=30, y=10)], [unit("Ork Boyz", x=30, y=30, **more)])


@pytest.mark.clause("DL-24.1")
def test_the_owner_says_which_identical_figure_leaves():
    one = boyz()
    before = one.state.troop("Ork Boyz").models
    group = one.state.troop("Ork Boyz").groups[-1]
    last, third = len(before), len(before) - group.models + 3
    do(one, "lose_hp", unit="Ork Boyz", group=group.name, hp=group.hp)
    assert one.state.troop("Ork Boyz").models == before[: last - 1]
    one.pop()
    centre = before[third - 1].centre
    do(one, "lose_hp", f"figure 3 at {centre.x:.1f}, {centre.y:.1f}", unit="Ork Boyz", group=group.name, hp=group.hp)
    assert one.state.troop("Ork Boyz").models == (*before[: third - 1], *before[third:])


@pytest.mark.clause("DL-24.1")
def test_several_figures_leave_from_the_end_or_one_by_one():
    one = boyz()
    before = one.state.troop("Ork Boyz").models
    group = one.state.troop("Ork Boyz").groups[-1]
    loss = {"unit": "Ork Boyz", "group": group.name, "hp": 2 * group.hp}
    do(one, "lose_hp", **loss)
    assert one.state.troop("Ork Boyz").models == before[:-2]
    one.pop()
    first = len(before) - group.models
    wishes = [
        f"figure {at} at {before[first + at - 1].centre.x:.1f}, {before[first + at - 1].centre.y:.1f}" for at in (1, 2)
    ]
    do(one, "lose_hp", "one by one", *wishes, **loss)
    assert one.state.troop("Ork Boyz").models == (*before[:first], *before[first + 2 :])


@pytest.mark.clause("DL-24.1")
def test_nobody_is_asked_without_a_board_or_where_all_leave():
    one = battle([unit("Combat squad")], [unit("Ork Boyz", x=30, y=30)])
    do(one, "lose_hp", unit="Combat squad", group="Combat squad", hp=80)
    assert not one.moves[-1].entries
    group = one.state.troop("Ork Boyz").groups[-1]
    do(one, "lose_hp", unit="Ork Boyz", group=group.name, hp=group.hp_left)
    assert not one.moves[-1].entries


def carrier(**hull: float) -> Battle:
    """A squad in a Rhino on a board."""
    return battle([unit("Combat squad", aboard="Rhino")], vigil_vehicles=[unit("Rhino", **hull)])


@pytest.mark.clause("DL-67.2")
@pytest.mark.parametrize("where", ["in the middle", "behind", "in front", "on the left", "on the right"])
def test_survivors_of_an_explosion_stand_where_the_vehicle_stood_as_their_owner_says(where):
    one = carrier(x=30, y=20)
    hull = one.state.machine("Rhino").hull
    do(one, "mark_line", where, unit="Rhino", line="F", dmg=36)
    squad = one.state.troop("Combat squad")
    assert (squad.where, len(squad.models)) == ("table", squad.count)
    assert apart(squad.models[0].centre, hull.centre) <= max(hull.length, hull.width) / 2
    assert (squad.models[0].centre == hull.centre) is (where == "in the middle")


@pytest.mark.clause("DL-67.2")
def test_passengers_of_a_wreck_get_out_beside_it_where_there_is_room():
    places = {}
    for where in ("behind", "in front", "on the left", "on the right"):
        one = carrier(x=30, y=20, heading=0)
        do(one, "mark_line", where, unit="Rhino", line="F", dmg=30)
        assert one.state.machine("Rhino").damage.destroyed == "wrecked"
        places[where] = one.state.troop("Combat squad").models[0].centre
    assert places["behind"].y < 20 < places["in front"].y
    assert places["on the left"].x < 30 < places["on the right"].x
    one = carrier(x=30, y=3, heading=0)
    do(one, "mark_line", "behind", unit="Rhino", line="F", dmg=30)  # that would be off the table
    assert one.state.troop("Combat squad").models[0].centre.y > 3


@pytest.mark.clause("DL-30.4", "DL-30.7")
def test_without_a_board_the_firer_says_how_far_a_marker_is_drawn_back():
    one = battle([unit("Combat squad")], [unit("Kannon battery", guns=1)])
    end(one, 4)
    shot = {"unit": "Kannon battery", "target": "Combat squad", "distance": 20, "weapons": ["Kannon frag"], "hits": [3]}
    log = do(one, "shoot", 2, **shot)
    assert "Kannon frag: 2 scatter tokens, 4 inches, drawn back 2 inches: 2 inches off the aim" in log
    asked = {entry.label for entry in one.moves[-1].entries}
    assert {"scatter tokens", "draw back"} <= asked
    one.pop()
    assert "Kannon frag: 2 scatter tokens, 4 inches, drawn back 0 inches: 4 inches off the aim" in do(
        one, "shoot", tokens=[2], drawn_back=0, **shot
    )
    one.pop()
    refused(one, "shoot", "DL-30.7", "may draw back 0 to", tokens=[2], drawn_back=9, **shot)


@pytest.mark.clause("DL-95.2", "DL-95.6")
def test_tokens_on_a_deep_strike_push_it_where_the_opponent_says():
    for wish, at in (("where it was aimed", (36, 24)), ("4 inches at 90°", (40, 24)), ("4 inches at 180°", (36, 20))):
        one = battle([unit("Assault Marines", reserve=True, arrives="deep_strike")], [unit("Ork Boyz", x=10, y=40)])
        end(one, 12)
        do(one, "reserves")
        do(one, "deep_strike", 2, wish, unit="Assault Marines", x=36, y=24)
        centre = one.state.troop("Assault Marines").models[0].centre
        assert (round(centre.x, 6), round(centre.y, 6)) == at
        assert one.state.player("Horde").tokens.scatter == 0
