"""What players decide in the middle of an action: each choice is asked of the right side, its default first."""

from __future__ import annotations

from typing import Any

import pytest

from battletape.battle import Battle
from battletape.table.points import apart
from battletape.tape.question import Ask
from tests.diceless40k.battles import battle, do, end, refused, unit
from tests.diceless40k.wished_options import WishedOptions


def boyz(**more: float) -> Battle:
    """A mob of Boyz on a board, and marines before them."""
    return battle([unit("Combat squad", x=30, y=10)], [unit("Ork Boyz", x=30, y=30, **more)])


@pytest.mark.clause("DL-24.1")
def test_the_owner_says_which_identical_figure_leaves():
    one = boyz()
    before = one.state.field.position("Ork Boyz").bases
    group = one.state.squad("Ork Boyz").groups[-1]
    last, third = len(before), len(before) - group.models + 3
    do(one, "lose_hp", unit="Ork Boyz", group=group.name, hp=group.hp)
    assert one.state.field.position("Ork Boyz").bases == before[: last - 1]
    one.pop()
    centre = before[third - 1].centre
    do(one, "lose_hp", f"figure 3 at {centre.x:.1f}, {centre.y:.1f}", unit="Ork Boyz", group=group.name, hp=group.hp)
    assert one.state.field.position("Ork Boyz").bases == (*before[: third - 1], *before[third:])


@pytest.mark.clause("DL-24.1")
def test_several_figures_leave_from_the_end_or_one_by_one():
    one = boyz()
    before = one.state.field.position("Ork Boyz").bases
    group = one.state.squad("Ork Boyz").groups[-1]
    loss = {"unit": "Ork Boyz", "group": group.name, "hp": 2 * group.hp}
    do(one, "lose_hp", **loss)
    assert one.state.field.position("Ork Boyz").bases == before[:-2]
    one.pop()
    first = len(before) - group.models
    wishes = [
        f"figure {at} at {before[first + at - 1].centre.x:.1f}, {before[first + at - 1].centre.y:.1f}" for at in (1, 2)
    ]
    do(one, "lose_hp", "one by one", *wishes, **loss)
    assert one.state.field.position("Ork Boyz").bases == (*before[:first], *before[first + 2 :])


@pytest.mark.clause("DL-24.1")
def test_nobody_is_asked_without_a_board_or_where_all_leave():
    one = battle([unit("Combat squad")], [unit("Ork Boyz", x=30, y=30)])
    do(one, "lose_hp", unit="Combat squad", group="Combat squad", hp=80)
    assert not one.moves[-1].entries
    group = one.state.squad("Ork Boyz").groups[-1]
    do(one, "lose_hp", unit="Ork Boyz", group=group.name, hp=group.hp_left)
    assert not one.moves[-1].entries


def carrier(**hull: float) -> Battle:
    """A squad in a Rhino on a board."""
    return battle([unit("Combat squad", aboard="Rhino")], vigil_vehicles=[unit("Rhino", **hull)])


@pytest.mark.clause("DL-67.2")
@pytest.mark.parametrize("where", ["in the middle", "behind", "in front", "on the left", "on the right"])
def test_survivors_of_an_explosion_stand_where_the_vehicle_stood_as_their_owner_says(where):
    one = carrier(x=30, y=20)
    hull = one.state.field.position("Rhino").hulls[0]
    do(one, "mark_line", where, unit="Rhino", line="F", dmg=36)
    out = one.state.field.position("Combat squad")
    assert (out.where, len(out.bases)) == ("table", one.state.squad("Combat squad").count)
    assert apart(out.bases[0].centre, hull.centre) <= max(hull.length, hull.width) / 2
    assert (out.bases[0].centre == hull.centre) is (where == "in the middle")


@pytest.mark.clause("DL-67.2")
def test_passengers_of_a_wreck_get_out_beside_it_where_there_is_room():
    places = {}
    for where in ("behind", "in front", "on the left", "on the right"):
        one = carrier(x=30, y=20, heading=0)
        do(one, "mark_line", where, unit="Rhino", line="F", dmg=30)
        assert one.state.vehicle("Rhino").damage.destroyed == "wrecked"
        places[where] = one.state.field.position("Combat squad").bases[0].centre
    assert places["behind"].y < 20 < places["in front"].y
    assert places["on the left"].x < 30 < places["on the right"].x
    one = carrier(x=30, y=3, heading=0)
    do(one, "mark_line", "behind", unit="Rhino", line="F", dmg=30)  # that would be off the table
    assert one.state.field.position("Combat squad").bases[0].centre.y > 3


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
        centre = one.state.field.position("Assault Marines").bases[0].centre
        assert (round(centre.x, 6), round(centre.y, 6)) == at
        assert one.state.player("Horde").tokens.scatter == 0


# --- the table of choices, row by row -------------------------------------------------------------------------------


class Hearing(WishedOptions):
    """Answers by wish or by first option, and remembers who was asked what."""

    def __init__(self, *wishes: Any) -> None:
        super().__init__(*wishes)
        self.heard: list[tuple[str, str, tuple[Any, ...]]] = []

    def answer(self, ask: Ask) -> Any:
        """The option taken."""
        self.heard.append((ask.label, str(ask.by), tuple(ask.options)))
        return super().answer(ask)


BLAST_SHOT = {"unit": "Guns", "target": "Squad", "distance": 20, "weapons": ["Kannon frag"], "hits": [2, 2, 2]}
PLASMA = {"name": "Plasma gun", "strength": 7, "ap": 2, "range": 24, "rules": ["gets_hot"]}


def heard(one: Battle, action: str, *wishes: Any, **params: Any) -> list[tuple[str, str, tuple[Any, ...]]]:
    """Everything that is asked in an action."""
    tape = Hearing(*wishes)
    one.push(action, params, tape=tape)
    return tape.heard


def was_asked(asked: list[tuple[str, str, tuple[Any, ...]]], label: str, by: str, first: Any) -> None:
    """Somebody was asked this, with this option first and another one besides."""
    found = [(who, options) for what, who, options in asked if label in what]
    assert found, asked
    who, options = found[0]
    assert (who, options[0]) == (by, first)
    assert len(options) > 1


def in_phase(one: Battle, phases: int) -> Battle:
    """The battle some phases later."""
    end(one, phases)
    return one


@pytest.mark.clause("DL-20.1", "DL-25.2")
def test_the_defender_picks_saves_and_places_leftover_points():
    one = in_phase(battle([unit("Combat squad")], [unit("Ork Boyz", armour=4, groups=[])]), 1)
    asked = heard(one, "shoot", unit="Combat squad", target="Ork Boyz", distance=18, cover=5, weapons=["Bolter"])
    was_asked(asked, "save of", "Horde", "armour")  # 4+ before 5+
    one = in_phase(battle([unit("Combat squad")], [unit("Ork Boyz")]), 1)
    asked = heard(one, "shoot", unit="Combat squad", target="Ork Boyz", distance=18, weapons=["Bolter"])
    was_asked(asked, "leftover points on Nob", "Horde", 1)


@pytest.mark.clause("DL-30.4", "DL-30.7", "DL-95.9")
@pytest.mark.parametrize(("night", "most"), [(False, 6), (True, 7)])
def test_the_defender_spends_tokens_and_the_firer_draws_back(night, most):
    one = in_phase(battle([unit("Combat squad", "Squad")], [unit("Kannon battery", "Guns", guns=4)], night=night), 4)
    asked = heard(one, "shoot", most, **{**BLAST_SHOT, "distance": 17, "hits": [2] * 4})
    was_asked(asked, "scatter tokens", "Vigil", 0)
    assert max(options[-1] for what, _, options in asked if what == "scatter tokens") == most
    bs = one.state.squad("Guns").groups[0].bs
    pulls = [options[0] for what, who, options in asked if what == "draw back" and who == "Horde"]
    assert pulls
    assert pulls[0] >= bs


@pytest.mark.clause("DL-32.1", "DL-32.2")
def test_barrages_ask_how_they_are_fired_and_who_lays_further_markers():
    board = [unit("Combat squad", "Squad", x=30, y=10)]
    one = in_phase(battle(board, [unit("Lobba battery", "Guns", x=30, y=40)]), 4)
    asked = heard(one, "shoot", "token", unit="Guns", target="Squad")
    was_asked(asked, "direct or indirect fire", "Horde", "direct")
    was_asked(asked, "token on marker 2", "Vigil", "no token")


@pytest.mark.clause("DL-31.2", "DL-31.3")
def test_tokens_on_hot_weapons_are_the_targets_players():
    firer = unit("Militia", "Hot", models=1, groups=[], weapons=["Plasma gun"], arsenal=[PLASMA])
    one = in_phase(battle([firer], [unit("Ork Boyz")]), 1)
    was_asked(heard(one, "shoot", unit="Hot", target="Ork Boyz", distance=12), "gets hot! tokens", "Horde", 1)


@pytest.mark.clause("DL-50.5", "DL-50.6")
def test_the_opponent_plays_warp_tokens_and_the_psykers_player_answers():
    one = in_phase(battle([unit("Librarian Osric Vale", "Vale")], [unit("Weirdboy Zagnit"), unit("Ork Boyz")]), 1)
    asked = heard(one, "cast", "play", unit="Vale", power="Smite", target="Ork Boyz", distance=6)
    was_asked(asked, "warp token on", "Horde", "play")
    was_asked(asked, "and the warp token", "Vigil", "accept")


@pytest.mark.clause("DL-60.5", "DL-60.17", "DL-60.20")
def test_the_attacker_orders_packets_and_picks_weapons():
    one = in_phase(battle([unit("Combat squad")], horde_vehicles=[unit("Battlewagon")]), 1)
    asked = heard(one, "shoot", unit="Combat squad", target="Battlewagon", distance=10, facing="rear")
    was_asked(asked, "packet 1", "Vigil", "Bolt pistol")
    one = battle(vigil_vehicles=[unit("Predator")])
    asked = heard(one, "mark_line", unit="Predator", line="F", dmg=24)
    was_asked(asked, "weapon destroyed", "Horde", "Autocannon")
    was_asked(asked, "immobilised or weapon destroyed", "Horde", "immobilised")


@pytest.mark.clause("DL-63.5")
def test_each_attacker_has_grenades_or_blows():
    one = in_phase(battle([unit("Combat squad")], horde_vehicles=[unit("Trukk")]), 2)
    asked = heard(one, "assault_vehicle", unit="Combat squad", target="Trukk", distance=4)
    was_asked(asked, "models with grenades", "Vigil", 1)  # the sergeant, and then all others


@pytest.mark.clause("DL-24.1", "DL-67.2")
def test_owners_say_who_leaves_and_where_survivors_stand():
    one = boyz()
    group = one.state.squad("Ork Boyz").groups[-1]
    asked = heard(one, "lose_hp", unit="Ork Boyz", group=group.name, hp=2 * group.hp)
    was_asked(asked, f"who of {group.name} leaves", "Horde", "the last")
    asked = heard(carrier(x=30, y=20), "mark_line", unit="Rhino", line="F", dmg=36)
    was_asked(asked, "where Combat squad gets out", "Vigil", "in the middle")


@pytest.mark.clause("DL-94.2", "DL-94.6", "DL-94.8")
def test_the_owner_picks_reserves_delays_and_table_edges():
    waiting = [unit("Kommandos", f"Kommandos {at}", reserve=True, arrives="outflank") for at in (1, 2, 3)]
    one = in_phase(battle(waiting), 6)
    asked = heard(one, "reserves")
    was_asked(asked, "reserve Kommandos 1", "Vigil", "comes")
    was_asked(asked, "arrival of Kommandos 1", "Vigil", "now")
    was_asked(heard(one, "outflank", unit="Kommandos 1"), "table edge of", "Vigil", "left")


@pytest.mark.clause("DL-95.2", "DL-95.4")
def test_the_opponent_pushes_who_deep_strikes_and_places_who_is_misplaced():
    marines = unit("Assault Marines", reserve=True, arrives="deep_strike")
    one = in_phase(battle([marines], [unit("Ork Boyz", x=36, y=28)]), 12)
    do(one, "reserves")
    asked = heard(one, "deep_strike", 2, unit="Assault Marines", x=36, y=22)
    was_asked(asked, "tokens on Assault Marines", "Horde", 2)  # as few as make a mishap
    was_asked(asked, "landing of Assault Marines", "Horde", "mishap")
    was_asked(asked, "place of misplaced Assault Marines", "Horde", "south-west")


@pytest.mark.clause("DL-SM-71.1", "DL-SM-76.1", "DL-SM-57.4")
def test_owners_pick_lines_to_repair_and_who_suffers_at_the_gate():
    one = battle([unit("Forge team")], vigil_vehicles=[unit("Predator")])
    for line in "CE":
        do(one, "mark_line", unit="Predator", line=line, dmg=5)
    end(one)
    asked = heard(one, "repair", unit="Forge team", machine="Predator")
    assert [(what, who) for what, who, _ in asked] == [("line to repair", "Vigil")]
    one = battle([unit("Gate-walker Corven", "Corven"), unit("Combat squad", "Squad")])
    asked = heard(one, "cast", unit="Corven", power="gate_of_infinity", take="Squad", gate_zone="own")
    assert {who for what, who, _ in asked if "damage of the gate" in what} == {"Vigil"}
