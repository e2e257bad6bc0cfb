"""The battle: fine points of the rules that are easily passed over."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from msgspec.structs import replace

from battletape.battle import Battle
from battletape.errors import BadInput
from battletape.rulesets.vehicles5.battle.actions.tank_shock import walker_arms
from battletape.table.bases import Base
from battletape.table.distances import touches
from battletape.table.hulls import Hull
from battletape.table.points import Point
from battletape.table.scatter import hull_arcs
from battletape.tape import Ask
from battletape.tape.script import Script
from tests.vehicles5.battles import battle, box, machine, squad
from tests.vehicles5.test_battle_driving import FAR, path, refused

TANK = machine("Tank", "Anvil battle tank", 20, 10)
SAPPERS = squad("Sappers", "Ninth Bridge sappers", 0, 0, aboard="Heron")
HERON = machine("Heron", "Heron carrier", 20, 10)


def to_phase(one: Battle, phase: str) -> Battle:
    """The same battle in a later phase of this turn."""
    while one.state.phase != phase:
        one.push("end_phase")
    return one


class Aside(Script):
    """Answers written down, but for the ways out from under a tank, of which the first will do."""

    def answer(self, ask: Ask) -> Any:
        return ask.options[0] if ask.label.endswith("way out") else super().answer(ask)


# --- driving --------------------------------------------------------------------------------------------------------


@pytest.mark.clause("V5-TANK-4", "V5-MOVE-2")
def test_nobody_leaves_the_table_on_the_way_even_if_he_comes_back():
    one = battle([machine("Cart", "Ember cart", 20, 4)], [FAR])
    refused(one, "drive", "V5-TANK-4", unit="Cart", path=path((20, 0.5), (20, 4)))
    assert one.refusal("drive", unit="Cart", path=path((20, 2.5), (20, 4))) is None


@pytest.mark.clause("V5-SMOKE-1", "V5-MOVE-1")
def test_smoke_ends_the_move_and_so_all_turning():
    one = battle([machine("Barrow", "Barrow carrier", 20, 10)], [FAR])
    one.push("stand", unit="Barrow")
    assert one.refusal("turn_on_spot", unit="Barrow", heading=45) is None
    one.push("smoke", unit="Barrow")
    refused(one, "turn_on_spot", "V5-SMOKE-1", unit="Barrow", heading=45)


@pytest.mark.clause("V5-FAST-5", "V5-RAM-2", "V5-TANK-2")
def test_a_ruling_keeps_a_tank_from_racing_off_after_an_exit_by_ram_or_shock_too():
    north = [FAR, machine("Wagon", "Tollgate wagon", 20, 24, 90)]
    for ruling, clause in ((True, "V5-FAST-5"), (False, None)):
        one = battle([HERON, SAPPERS], north, rulings={"flat_out_symmetric": ruling})
        one.push("disembark", unit="Sappers")
        ram = one.refusal("ram", unit="Heron", target="Wagon")
        long, short = (one.refusal("tank_shock", unit="Heron", heading=0, inches=inches) for inches in (14, 10))
        assert [no.clause if no else None for no in (ram, long, short)] == [clause, clause, None]


# --- transports -----------------------------------------------------------------------------------------------------


@pytest.mark.clause("V5-TRAN-1", "V5-TRAN-2")
def test_a_battle_begins_with_one_unit_of_infantry_in_a_transport():
    wain = machine("Wain", "Hay wain", 20, 10)
    two = [squad(name, "Long rifles", 0, 0, aboard="Wain") for name in ("Left", "Right")]
    with pytest.raises(BadInput, match="one at a time"):
        battle([wain, *two], [FAR])
    assert len(battle([wain, *two], [FAR], rulings={"one_unit_per_transport": False}).state.squads) == 2
    with pytest.raises(BadInput, match="jump infantry"):
        battle([wain, squad("Leapers", "Rooftop leapers", 0, 0, aboard="Wain")], [FAR])


@pytest.mark.clause("V5-DMG-5", "V5-TRAN-7", "V5-TRAN-8")
def test_those_who_leave_a_wreck_by_its_doors_may_still_shoot():
    bog = {"name": "Bog", "kind": "dangerous", "corners": box(10, 24, 30, 34)}
    near = machine("Near", "Tollgate wagon", 30, 18, 180)
    one = battle([HERON, SAPPERS], [near], [bog])
    one.push("drive", unit="Heron", path=path((20, 28)), tape=Script(1, 2))  # flat out into the bog: it crashes
    out = one.state.squad("Sappers")
    assert (one.state.machine("Heron").condition.status, out.left, out.left_from) == ("wrecked", "after_move", "Heron")
    refused(one, "move_unit", "V5-TRAN-8", unit="Sappers", heading=0, inches=1)
    to_phase(one, "shooting")
    assert one.refusal("shoot_unit", unit="Sappers", target="Near") is None
    to_phase(one, "assault")
    refused(one, "assault", "V5-TRAN-8", unit="Sappers", target="Near")


# --- shooting -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("V5-SHOT-2", "V5-SHOT-7", "V5-CORE-4")
def test_a_wall_covers_a_machine_from_a_blast_that_is_aimed_at_it():
    wall = {"name": "Wall", "kind": "impassable", "corners": box(15, 26, 25, 27), "top": 1.5, "cover": 4}
    for grounds, labels in (([wall], ["Battle cannon: cover save"]), ([], [])):
        one = to_phase(battle([TANK], [FAR, machine("Barrow", "Barrow carrier", 20, 30, 180)], grounds), "shooting")
        answers = ("hit", 6, 6, 4 if grounds else 1)  # the save stops it, or else the crew is shaken
        move = one.push("fire", unit="Tank", target="Barrow", guns=[{"gun": "Battle cannon"}], tape=Script(*answers))
        assert [entry.label for entry in move.entries[2:3]] == (labels or ["Battle cannon: damage"])


@pytest.mark.clause("V5-CORE-1", "V5-LOS-1", "V5-LOS-3")
def test_range_is_measured_to_a_model_the_weapon_can_point_at():
    one = battle([machine("Bull", "Bull ram", 20, 10)], [FAR, squad("Men", "Harbour watch", 20, 40, models=2)])
    to_phase(one, "shooting")
    beside, ahead = Base(Point(28, 10), 0.5), Base(Point(20, 40), 0.5)
    one.trust(one.record.live[-1], one.state.changed(replace(one.state.squad("Men"), models=(beside, ahead))))
    refused(one, "fire", "V5-CORE-1", unit="Bull", target="Men", guns=[{"gun": "Multi-melta"}])  # it reaches 24 inches
    assert one.refusal("fire", unit="Bull", target="Men", guns=[{"gun": "Assault cannon"}]) is None  # a turret


@pytest.mark.clause("V5-CORE-3", "V5-SHOT-9")
def test_a_marker_that_scatters_just_up_to_a_hull_has_its_hole_on_it_in_no_direction():
    hull = Hull(Point(20, 20), 90, 4.0, 2.5)  # its front is at 22, three inches west of the aim
    found = hull_arcs(Point(25, 20), 3, 2.5, hull)
    assert {one.part for one in found.statuses} == {"clear", "edge"}


@pytest.mark.clause("V5-CUMUL", "V5-DMG-1")
def test_every_result_shaken_counts_where_they_add_up():
    for ruling, until in (("later_end", 2), ("adds_up", 4)):
        one = battle(
            [machine("It", "Longwatch destroyer", 20, 10)],
            [FAR, machine("Foe", "Barrow carrier", 20, 20)],
            rulings={"repeated_shaken": ruling},
        )
        to_phase(one, "shooting")
        guns = [{"gun": gun.label} for gun in one.state.machine("It").guns if gun.weapons[0].name == "Lascannon"]
        aimed = [gun for gun in guns if one.refusal("fire", unit="It", target="Foe", guns=[gun]) is None]
        turret = {"gun": "Twin-linked lascannon"}
        shots = [turret, *aimed][:2]
        one.push("fire", unit="It", target="Foe", guns=shots, tape=Script(*(6, 6, 1) * len(shots)))
        assert (len(shots), one.state.machine("Foe").shaken_until) == (2, until)


# --- tanks ----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("V5-DOG-1", "V5-DOG-3", "V5-DOG-4")
def test_the_model_that_dares_is_the_one_that_stops_the_tank_or_dies():
    men = squad("Men", "Ninth Bridge sappers", 20, 16, 180, abreast=1)  # one behind the other, northwards
    one = battle([TANK], [FAR, men])
    order = {"unit": "Tank", "heading": 0, "inches": 10}
    stops, dies = one.fork(), one.fork()
    glory = (7, "death or glory", "Plasma gun")
    stops.push("tank_shock", order, tape=Aside(*glory, 6, 6))
    dies.push("tank_shock", order, tape=Aside(*glory, 5))
    stopped, dead = stops.state, dies.state
    assert stopped.machine("Tank").hull.centre.y == pytest.approx(19 - 0.5 - 2.5)  # the third man stands at 19
    assert dict(stopped.squad("Men").bearers()) == {"Meltagun": 2, "Plasma gun": 1, "Bolter": 2}
    assert dict(dead.squad("Men").bearers()) == {"Meltagun": 2, "Bolter": 2}


@pytest.mark.clause("V5-RAM-7", "V5-RAM-2", "V5-TANK-2")
def test_a_rammer_drives_on_however_short_the_rest_and_stunned_where_the_rulings_let_it():
    north = [FAR, machine("Tower", "Gatebreaker siege tank", 20, 22, 90, side=11)]
    for ruling, way in ((True, 18), (False, 15)):
        rulings = {"ram_on_while_stunned": ruling, "tank_shock_least": "six_inches"}
        one = battle([machine("Bull", "Bull ram", 20, 3, front=12)], north, rulings=rulings)
        both = (6, 6, 6, 2)  # the tower explodes and the crew of the rammer is stunned
        rest = (1, 6) if ruling else (1,)  # the radius of the explosion, and the crater on the way
        one.push("ram", unit="Bull", target="Tower", tape=Script(*both, *rest))
        bull = one.state.machine("Bull")
        assert (bull.stunned_until, bull.band, bull.declared) == (3, "flat_out", "ram")
        assert bull.path == way


@pytest.mark.clause("V5-WALK-15", "V5-DMG-1", "V5-DMG-2")
def test_a_shaken_walker_answers_a_ram_with_its_fist_and_not_with_its_guns():
    one = battle([TANK], [machine("Strider", "Warden strider", 20, 20, 180)])
    field, strider = one.state, one.state.machine("Strider")
    assert [arm.name for arm in walker_arms(field, strider)] == ["blow", "Multi-melta", "Storm bolter"]
    for flag in ("shaken_until", "stunned_until"):
        dazed = replace(strider, **{flag: 1})
        assert [arm.name for arm in walker_arms(field.changed(dazed), dazed)] == ["blow"]


# --- fights ---------------------------------------------------------------------------------------------------------


def fight(**more: object) -> Battle:
    """Ten blades within reach of a walker, in the Assault phase."""
    south = [squad("Blades", "Furnace blades", 20, 20, **more)]
    return to_phase(battle(south, [FAR, machine("Strider", "Warden strider", 20, 24, 180)]), "assault")


def thrown(entries: object) -> Counter[str]:
    return Counter(entry.label for entry in entries if entry.label.endswith("to hit"))  # type: ignore[attr-defined]


@pytest.mark.clause("V5-ASLT-4", "V5-WALK-10", "V5-ASLT-3")
def test_some_models_use_grenades_on_a_walker_and_the_others_strike():
    one = fight()
    order = {"unit": "Blades", "target": "Strider"}
    two = one.fork().push("assault", {**order, "grenade": "Krak grenade", "grenadiers": 2}, tape="some")
    none = one.fork().push("assault", order, tape="some")
    few, plain = thrown(two.entries), thrown(none.entries)
    assert few["krak: to hit"] == 2
    assert few["Blades, heavy: to hit"] == plain["Blades, heavy: to hit"] > 0  # the fist doubles strength here too
    assert few["Blades: to hit"] == plain["Blades: to hit"] - 2 * 3


@pytest.mark.clause("V5-ASLT-4", "V5-WALK-10")
def test_grenades_may_be_used_in_later_rounds_too():
    for seed in range(40):
        one = fight()
        one.push("assault", unit="Blades", target="Strider", tape=seed)
        if one.state.squad("Blades").locked_with:
            break
    one.push("end_turn")
    to_phase(one, "assault")
    refused(one, "fight", "V5-ASLT-4", unit="Strider", grenade="Krak grenade")
    move = one.push("fight", unit="Blades", grenade="Krak grenade", grenadiers=1, tape=1)
    assert thrown(move.entries)["krak: to hit"] == 1


@pytest.mark.clause("V5-CUMUL", "V5-DMG-2", "V5-WALK-11")
def test_a_walker_that_is_stunned_again_in_a_fight_stays_so_for_longer():
    one = to_phase(
        battle([machine("Ogre", "Twin-fisted ogre", 20, 20)], [machine("Strider", "Warden strider", 20, 24, 180)]),
        "assault",
    )
    walker = replace(one.state.machine("Strider"), stunned_until=1)  # it would be over with this turn
    one.trust(one.record.live[-1], one.state.changed(walker))
    for seed in range(400):
        fought = one.fork()
        said = fought.push("assault", unit="Ogre", target="Strider", tape=seed).entries
        again = fought.state.machine("Strider")
        if again.stunned_until != 1 and not again.is_gone:
            break
    assert any(entry.label == "Ogre: damage" for entry in said)
    assert again.stunned_until == 2  # to the end of its owner's next turn


@pytest.mark.clause("V5-WALK-8", "V5-ASLT-2")
def test_a_walker_without_a_base_turns_before_it_measures_its_charge():
    long = machine("Ogre", "Twin-fisted ogre", 20, 20, 90, base=None, length=4.0, width=2.0)
    one = to_phase(battle([long], [FAR, machine("Cart", "Ember cart", 20, 27)]), "assault")
    one.push("assault", unit="Ogre", target="Cart", tape=1)
    ogre, cart = one.state.machine("Ogre"), one.state.machine("Cart")
    assert touches(ogre.hull, cart.hull)
