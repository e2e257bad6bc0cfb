"""The battle: getting into and out of transports, and shooting from inside."""

from __future__ import annotations

import pytest

from battletape import registry
from battletape.rulesets.vehicles5.battle.state import did
from battletape.tape.script import Script
from tests.vehicles5.battles import FAR, battle, box, in_phase, path, refused, squad, to_phase, vehicle

MEN = squad("Men", "Ninth Bridge sappers", 0, 0, aboard="Carrier")


def carrier(profile: str = "Barrow carrier", **rulings: object):
    """A loaded transport."""
    return battle([vehicle("Carrier", profile, 20, 20), MEN], [FAR], rulings=rulings or None)


@pytest.mark.clause("V5-TRAN-6", "V5-TRAN-9", "V5-CORE-17")
def test_a_squad_gets_out_before_the_move_and_both_may_move():
    one = carrier()
    one.push("disembark", unit="Men")
    men = one.state.squad("Men")
    assert (men.done.exit_kind, one.state.transport_of("Men"), men.models) == ("before_move", "", 5)
    refused(one, "embark", "V5-TRAN-4", unit="Men", machine="Carrier")
    one.push("drive", unit="Carrier", path=path((20, 26)))
    one.push("move_unit", unit="Men", heading=180, inches=6)
    assert not one.state.vehicle("Carrier").done.exit_after_move


@pytest.mark.clause("V5-TRAN-8", "V5-OPEN-3")
def test_a_squad_gets_out_after_the_move_and_nobody_moves_any_more():
    one = carrier()
    one.push("drive", unit="Carrier", path=path((20, 26)))
    one.push("disembark", unit="Men")
    assert one.state.squad("Men").done.exit_kind == "after_move"
    assert one.state.vehicle("Carrier").done.exit_after_move
    refused(one, "move_unit", "V5-TRAN-8", unit="Men", heading=180, inches=2)
    refused(one, "turn_on_spot", "V5-TRAN-8", unit="Carrier", heading=10)


@pytest.mark.clause("V5-TRAN-5", "V5-TRAN-1", "V5-TRAN-2", "V5-OPEN-2")
def test_a_squad_boards_once_all_its_models_are_at_the_doors():
    south = [
        vehicle("Carrier", "Barrow carrier", 20, 20),
        squad("Men", "Ninth Bridge sappers", 22.7, 22, 0, abreast=1),
        squad("Leapers", "Rooftop leapers", 17.3, 22, 0, abreast=1),
        squad("Mob", "Scrapyard mob", 36, 30),
    ]
    one = battle(south, [FAR])
    places = [{"x": 22.2 + dx, "y": 19 + dy} for dx, dy in ((0, 0), (0, 1.05), (0, 2.1), (1.05, 0.5), (1.05, 1.6))]
    one.push("move_unit", unit="Men", places=places)
    one.push("embark", unit="Men", machine="Carrier")
    assert one.state.transport_of("Men") == "Carrier"
    one.push("drive", unit="Carrier", path=path((20, 26)))


@pytest.mark.clause("V5-TRAN-6", "V5-TRAN-7")
def test_a_squad_gets_out_to_the_places_that_are_named():
    one = carrier()
    near = [{"x": 22.1, "y": y} for y in (18.6, 19.65, 20.7, 21.75)] + [{"x": 23.15, "y": 20.2}]
    one.push("disembark", unit="Men", places=near)
    assert one.state.bases("Men")[4].centre.x == 23.15


@pytest.mark.clause("V5-TRAN-3", "V5-OPEN-1", "V5-SMOKE-2", "V5-CORE-21")
def test_passengers_shoot_through_fire_points_and_count_as_moving():
    north = [vehicle("Foe", "Ember cart", 20, 34, 180)]
    one = battle([vehicle("Carrier", "Barrow carrier", 20, 20), MEN], north)
    one.push("drive", unit="Carrier", path=path((20, 22)))
    one.push("smoke", unit="Carrier")
    one.push("end_phase")
    order = {"unit": "Men", "target": "Foe"}
    named = [{"weapon": "Meltagun"}, {"weapon": "Plasma gun"}]
    assert "2 passengers may shoot" in refused(one, "shoot_unit", "V5-TRAN-3", **order, weapons=named).reason
    move = one.push("shoot_unit", **order, tape=Script(1, 1))
    assert [str(entry) for entry in move.entries] == ["roll Meltagun: to hit [1-6] = 1"] * 2


SAPPERS = squad("Sappers", "Ninth Bridge sappers", 0, 0, aboard="Heron")
HERON = vehicle("Heron", "Heron carrier", 20, 10)


@pytest.mark.clause("V5-FAST-5", "V5-RAM-2", "V5-TANK-2")
def test_a_ruling_keeps_a_tank_from_racing_off_after_an_exit_by_ram_or_shock_too():
    north = [FAR, vehicle("Wagon", "Tollgate wagon", 20, 24, 90)]
    for ruling, clause in ((True, "V5-FAST-5"), (False, None)):
        one = battle([HERON, SAPPERS], north, rulings={"flat_out_symmetric": ruling})
        one.push("disembark", unit="Sappers")
        ram = one.refusal("ram", unit="Heron", target="Wagon")
        long, short = (one.refusal("tank_shock", unit="Heron", heading=0, inches=inches) for inches in (14, 10))
        assert [no.clause if no else None for no in (ram, long, short)] == [clause, clause, None]


@pytest.mark.clause("V5-TRAN-1", "V5-TRAN-2")
def test_two_units_begin_in_one_transport_where_it_is_ruled_so():
    wain = vehicle("Wain", "Hay wain", 20, 10)
    two = [squad(name, "Long rifles", 0, 0, aboard="Wain") for name in ("Left", "Right")]
    assert len(battle([wain, *two], [FAR], rulings={"one_unit_per_transport": False}).state.squads) == 2


@pytest.mark.clause("V5-DMG-5", "V5-TRAN-7", "V5-TRAN-8")
def test_those_who_leave_a_wreck_by_its_doors_may_still_shoot():
    bog = {"name": "Bog", "kind": "dangerous", "corners": box(10, 24, 30, 34)}
    near = vehicle("Near", "Tollgate wagon", 30, 18, 180)
    one = battle([HERON, SAPPERS], [near], [bog])
    one.push("drive", unit="Heron", path=path((20, 28)), tape=Script(1, 2))  # flat out into the bog: it crashes
    out = one.state.squad("Sappers")
    assert (one.state.vehicle("Heron").condition.status, out.done.exit_kind, out.done.exit_from) == (
        "wrecked",
        "after_move",
        "Heron",
    )
    refused(one, "move_unit", "V5-TRAN-8", unit="Sappers", heading=0, inches=1)
    to_phase(one, "shooting")
    assert one.refusal("shoot_unit", unit="Sappers", target="Near") is None
    to_phase(one, "assault")
    refused(one, "assault", "V5-TRAN-8", unit="Sappers", target="Near")


TANK = vehicle("Tank", "Anvil battle tank", 20, 10)


@pytest.mark.clause("V5-TRAN-7", "V5-TRAN-8", "V5-TRAN-9", "V5-OPEN-3")
@pytest.mark.parametrize("exit_kind", ["before_move", "after_move", "emergency"])
@pytest.mark.parametrize("profile", ["Barrow carrier", "Hay wain"])
def test_the_question_and_the_battle_let_those_who_got_out_do_the_same(profile, exit_kind):
    one = battle([vehicle("Carrier", profile, 20, 20), MEN], [vehicle("Foe", "Ember cart", 20, 32, 180)])
    if exit_kind != "before_move":
        one.push("drive", unit="Carrier", path=path((20, 26)))
    one.push("disembark", unit="Men")
    men = did(one.state.squad("Men"), exit_kind=exit_kind)
    orders = {
        "movement": ("move", "move_unit", {"heading": 90, "inches": 1}),
        "shooting": ("shoot", "shoot_unit", {"target": "Foe"}),
        "assault": ("assault", "assault", {"target": "Foe"}),
    }
    done = []
    for phase, (deed, action, order) in orders.items():
        one.trust(one.record.live[-1], in_phase(one.state, phase).with_units(men))
        no = one.refusal(action, unit="Men", **order)
        done += (
            [] if no is not None and no.kind == "exit" else [deed]
        )  # whether there is room or reach is no matter here
    room, band = (
        "emergency" if exit_kind == "emergency" else "access",
        "stationary" if exit_kind == "before_move" else "combat",
    )
    types = ["open_topped"] if profile == "Hay wain" else []
    answer = registry.ruleset("vehicles5").ask("transport", way="out", types=types, band=band, room=room)
    assert list(answer.odds("unit_then").fractions()) == [", ".join(done) or "nothing"]
