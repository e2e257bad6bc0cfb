"""The battle: assaults on vehicles, fights with walkers round after round, running and consolidating."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

from battletape.battle import Battle
from battletape.errors import Refused, UnknownName
from battletape.rulesets.vehicles5.battle.actions.assault import AssaultOrder, plan_assault
from battletape.rulesets.vehicles5.battle.actions.fire import ShootOrder, plan_shooting
from battletape.table.distances import touches
from battletape.tape.script import Script
from tests.vehicles5.asking import RULES
from tests.vehicles5.battles import FAR, battle, box, in_phase, refused, squad, to_phase, told, vehicle


def assault(target: dict[str, object], profile: str = "Furnace company", **more: object):
    """Five men in a rank, four inches south of a target, in the Assault phase."""
    men = squad("Men", profile, 20, 12, models=5, **more)
    one = battle([men], [target, FAR])
    one.push("end_phase")
    one.push("end_phase")
    return one


CART = vehicle("Cart", "Ember cart", 20, 18.5, 90)  # its southern side is at 17.25


@pytest.mark.clause("V5-ASLT-2", "V5-ASLT-3", "V5-ASLT-5", "V5-ASLT-6", "V5-ASLT-8")
def test_a_squad_charges_a_standing_machine_and_hits_without_rolling():
    one = assault(CART)
    order = {"unit": "Men", "target": "Cart", "grenade": "blows"}
    # all five strike twice (one attack and the charge): ten S4 blows at 10, each a glance on a 6
    answer = one.odds("assault", order)
    assert answer.odds("contact").chance(1) == 1
    assert one.fork().push("assault", order, tape=Script(*(1,) * 10)).entries[0].label == "Men: penetration"
    one.push("assault", order, tape=Script(6, 6, *(1,) * 9))
    men, cart = one.state.squad("Men"), one.state.vehicle("Cart")
    assert touches(one.state.bases("Men")[2], one.state.hull("Cart"))
    assert (cart.condition.immobilised, men.locked_with) == (True, ())
    refused(one, "assault", "V5-CORE-16", unit="Men", target="Cart")


@pytest.mark.clause("V5-GREN-2", "V5-GREN-3", "V5-ASLT-4", "V5-ASLT-7")
def test_grenades_are_one_attack_each_at_the_rear():
    one = assault(CART, "Ninth Bridge sappers")
    order = {"unit": "Men", "target": "Cart", "grenade": "Melta bomb"}
    move = one.push("assault", order, tape=Script(*(2, 1) * 5))  # 2D6 and 8 and 1 for tank hunters: 11, a penetration
    assert [entry.label for entry in move.entries] == ["melta bomb: penetration", "melta bomb: damage"] * 5
    assert one.state.vehicle("Cart").shaken_until == 2
    with pytest.raises(UnknownName, match="Krak grenade"):
        assault(CART, "Furnace company").push("assault", {**order, "grenade": "Melta bomb"})
    cart = battle([vehicle("Ogre", "Twin-fisted ogre", 20, 12)], [CART])
    cart.push("end_phase")
    cart.push("end_phase")
    refused(cart, "assault", "V5-ASLT-4", unit="Ogre", target="Cart", grenade="Krak grenade")


@pytest.mark.clause("V5-CORE-16", "V5-CORE-9")
def test_difficult_ground_may_keep_a_charge_from_arriving():
    men = squad("Men", "Furnace company", 20, 12, models=5)
    one = battle([men], [CART, FAR], [{"kind": "difficult", "corners": box(10, 13, 30, 15)}])
    one.push("end_phase")
    one.push("end_phase")
    answer = one.odds("assault", unit="Men", target="Cart")
    assert answer.odds("contact").chance(1) == 1 - Fraction(4, 6) ** 2  # 4.75 inches: a 5 or 6 on either die
    one.push("assault", unit="Men", target="Cart", tape=Script(4, 3))
    assert one.state.bases("Men")[0].centre.y == 12


OGRE = vehicle("Ogre", "Twin-fisted ogre", 20, 12)
WATCH = squad("Watch", "Harbour watch", 20, 18, 180, models=5)


def fight(*south: dict[str, object], foe: dict[str, object] = WATCH):
    """A walker about to charge."""
    one = battle([OGRE, *south], [foe, FAR])
    one.push("end_phase")
    one.push("end_phase")
    return one


@pytest.mark.clause("V5-WALK-8", "V5-WALK-16", "V5-WALK-9", "V5-WALK-13", "V5-CORE-16")
def test_a_walker_and_a_squad_are_locked_and_fight_in_every_assault_phase():
    one = fight()
    # 3 + 1 for two fists + 1 for the charge, WS4 on 3: 3+; S10 on T3: 2+; no save
    hits, wounds = (3, 1, 1, 1, 1), (2,)
    back = (4, 1, 4, 1, 4, 1, 4, 1)  # four left: S3 never reaches 13
    one.push("assault", unit="Ogre", target="Watch", tape=Script("blows", *hits, *wounds, *back, 5))
    ogre, watch = one.state.vehicle("Ogre"), one.state.squad("Watch")
    assert (ogre.locked_with, watch.locked_with, watch.models) == (("Watch",), ("Ogre",), 4)
    assert one.refusal("end_phase") is None  # this round is fought
    one.push("end_turn")
    refused(one, "move_unit", "V5-WALK-8", unit="Watch", heading=0, inches=3)
    refused(one, "end_turn", "V5-CORE-16")
    one.push("end_phase")
    refused(one, "shoot_unit", "V5-WALK-8", unit="Watch", target="Ogre")
    one.push("end_phase")
    refused(one, "end_phase", "V5-CORE-16")
    one.push("fight", unit="Watch", tape=Script("blows", *(1,) * 4, *(1,) * 4))
    refused(one, "fight", "V5-CORE-16", unit="Ogre")
    assert one.refusal("end_phase") is None


@pytest.mark.clause("V5-WALK-14", "V5-CORE-20")
def test_a_squad_that_loses_runs_and_the_walker_gathers_itself():
    one = fight()
    dice = (
        "blows",
        *(3, 1, 1, 1, 1),
        2,
        *(1,) * 4,
        8,
        1,
        6,
        7,
    )  # one falls, morale fails, it escapes, and runs 7 inches
    one.push("assault", unit="Ogre", target="Watch", tape=Script(*dice))
    watch, ogre = one.state.squad("Watch"), one.state.vehicle("Ogre")
    assert (watch.falling_back, watch.locked_with, ogre.locked_with) == (True, (), ())
    refused(one, "consolidate", "V5-CORE-16", unit="Watch", heading=0)
    one.push("consolidate", unit="Ogre", heading=180, tape=Script(3))
    assert not one.state.vehicle("Ogre").consolidates
    swept = fight()
    swept.push("assault", unit="Ogre", target="Watch", tape=Script(*dice[:-3], 6, 1))
    assert swept.state.squad("Watch").is_gone


@pytest.mark.clause("V5-WALK-1")
def test_a_walker_runs_as_far_as_its_die_says():
    one = battle([OGRE], [WATCH, FAR])
    one.push("end_phase")
    one.push("run", unit="Ogre", heading=270, tape=Script(4))
    ogre = one.state.vehicle("Ogre")
    assert (one.state.hull("Ogre").centre.x, ogre.done.ran) == (16, True)


@pytest.mark.clause("V5-WALK-8", "V5-WALK-12")
def test_walkers_fight_walkers_and_a_squad_may_charge_one():
    one = fight(foe=vehicle("Strider", "Warden strider", 20, 17, 180))
    # equal initiative: both strike at once; S10 against 12, S10 against 13
    one.push("assault", unit="Ogre", target="Strider", tape=Script(*(1,) * 5, *(1,) * 2))
    assert one.state.vehicle("Strider").locked_with == ("Ogre",)
    men = assault(vehicle("Strider", "Warden strider", 20, 17, 180))
    men.push("assault", unit="Men", target="Strider", grenade="Krak grenade", tape=Script(*(1,) * 2, *(1,) * 5))
    assert men.state.squad("Men").locked_with == ("Strider",)


@pytest.mark.clause("V5-CORE-9")
def test_a_squad_moves_to_the_places_that_are_named():
    one = battle([squad("Men", "Furnace company", 20, 12, models=3)], [CART, FAR])
    spots = [{"x": x, "y": 14} for x in (18, 20, 22)]
    one.push("move_unit", unit="Men", places=spots)
    assert [model.centre.x for model in one.state.bases("Men")] == [18, 20, 22]


@pytest.mark.clause("V5-CORE-9")
def test_dangerous_ground_wounds_on_a_one():
    bog = [{"kind": "dangerous", "corners": box(10, 13, 30, 15)}]
    one = battle([squad("Men", "Furnace company", 20, 12, models=3)], [FAR], bog)
    one.push("move_unit", unit="Men", heading=0, inches=4, tape=Script(1, 2, 3))
    assert one.state.squad("Men").models == 2


def with_blades(**more: object) -> Battle:
    """Ten blades within reach of a walker, in the Assault phase."""
    south = [squad("Blades", "Furnace blades", 20, 20, **more)]
    return to_phase(battle(south, [FAR, vehicle("Strider", "Warden strider", 20, 24, 180)]), "assault")


def thrown(entries: object) -> Counter[str]:
    return Counter(entry.label for entry in entries if entry.label.endswith("to hit"))  # type: ignore[attr-defined]


@pytest.mark.clause("V5-ASLT-4", "V5-WALK-10", "V5-ASLT-3")
def test_some_models_use_grenades_on_a_walker_and_the_others_strike():
    one = with_blades()
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
        one = with_blades()
        one.push("assault", unit="Blades", target="Strider", tape=seed)
        if one.state.squad("Blades").locked_with:
            break
    one.push("end_turn")
    to_phase(one, "assault")
    refused(one, "fight", "V5-ASLT-4", unit="Strider", grenade="Krak grenade")
    move = one.push("fight", unit="Blades", grenade="Krak grenade", grenadiers=1, tape=1)
    assert thrown(move.entries)["krak: to hit"] == 1


@pytest.mark.clause("V5-ASLT-4", "V5-WALK-10")
def test_who_is_charged_by_a_walker_may_use_grenades_as_the_question_has_it():
    walker = vehicle("Strider", "Warden strider", 20, 12)
    one = to_phase(battle([walker], [squad("Men", "Furnace company", 20, 17, 180, models=4), FAR]), "assault")
    move = one.fork().push("assault", unit="Strider", target="Men", tape=1)
    asked = move.entries[0]
    assert (asked.label, asked.domain.split(" | ")[0]) == (
        "Men: grenades or blows",
        "Krak grenade",
    )  # S4 never hurts 12
    for seed in range(40):
        later = one.fork()
        later.push("assault", unit="Strider", target="Men", tape=seed)
        if later.state.squad("Men").locked_with:
            break
    later.push("end_turn")
    to_phase(later, "assault")
    asked = later.push("fight", unit="Strider", tape=1).entries[0]  # whoever names the fight
    assert (asked.label, asked.value) == ("Men: grenades or blows", "Krak grenade")
    assert one.odds("assault", unit="Strider", target="Men").usual.startswith(
        "Choices as usual: grenades or blows: Krak"
    )
    given = {"walker": "Warden strider", "foe": "Furnace company", "foe_models": 4, "grenade": "krak", "rounds": 1}
    question = RULES.ask("walker_fight", **given)
    played = one.odds("assault", unit="Strider", target="Men")
    assert played.odds("target_gone").mean == question.odds("foe_destroyed").mean
    dice = {step.title: step.needed for step in played.steps if step.title.startswith("Krak")}
    assert dice == {step.title: step.needed for step in question.steps if step.title.startswith("Krak")} != {}


@pytest.mark.clause("V5-CUMUL", "V5-DMG-2", "V5-WALK-11")
def test_a_walker_that_is_stunned_again_in_a_fight_stays_so_for_longer():
    one = to_phase(
        battle([vehicle("Ogre", "Twin-fisted ogre", 20, 20)], [vehicle("Strider", "Warden strider", 20, 24, 180)]),
        "assault",
    )
    walker = replace(one.state.vehicle("Strider"), stunned_until=1)  # it would be over with this turn
    one.trust(one.record.live[-1], one.state.with_units(walker))
    for seed in range(400):
        fought = one.fork()
        said = fought.push("assault", unit="Ogre", target="Strider", tape=seed).entries
        again = fought.state.vehicle("Strider")
        if again.stunned_until != 1 and not again.is_gone:
            break
    assert any(entry.label == "Ogre: damage" for entry in said)
    assert again.stunned_until == 2  # to the end of its owner's next turn


@pytest.mark.clause("V5-WALK-8", "V5-ASLT-2")
def test_a_walker_without_a_base_turns_before_it_measures_its_charge():
    long = vehicle("Ogre", "Twin-fisted ogre", 20, 20, 90, base=None, length=4.0, width=2.0)
    one = to_phase(battle([long], [FAR, vehicle("Cart", "Ember cart", 20, 27)]), "assault")
    cart = one.state.hull("Cart")
    one.push("assault", unit="Ogre", target="Cart", tape=1)
    assert touches(one.state.hull("Ogre"), cart)


@pytest.mark.clause("V5-ASLT-4")
def test_grenadiers_need_a_grenade_and_are_models_of_the_squad():
    one = battle([squad("Blades", "Furnace blades", 20, 10)], [vehicle("Target", "Longwatch destroyer", 20, 16, 180)])
    to_phase(one, "assault")
    order = {"unit": "Blades", "target": "Target"}
    assert one.refusal("assault", **order, grenade="Krak grenade", grenadiers=10) is None
    many = refused(one, "assault", "V5-ASLT-4", **order, grenade="Krak grenade", grenadiers=11)
    assert many.reason == "Blades: 10 models left, so grenadiers must be 10 at most; got 11"
    none = refused(one, "assault", "V5-ASLT-4", **order, grenadiers=3)
    assert "name what the 3 models will use" in none.reason


@pytest.mark.clause("V5-RAM-4", "V5-ASLT-6")
def test_log_of_an_assault_tells_the_charge_before_the_blows():
    one = battle([squad("Blades", "Furnace blades", 20, 10)], [vehicle("Target", "Longwatch destroyer", 20, 16, 180)])
    to_phase(one, "assault")
    one.push("assault", unit="Blades", target="Target", grenade="Krak grenade", tape=Script(*[1] * 10))
    lines = told(one)
    assert lines[:2] == ["Blades: a charge at Target", "Blades: moved 3.12 inches"]
    assert lines[2].startswith("Krak: penetration")
    assert lines[-1] == "Target is as before"


@pytest.mark.clause("V5-ASLT-4", "V5-GREN-2")
def test_a_grenade_of_the_players_own_is_the_same_in_question_and_battle(tmp_path):
    spike = {"name": "Spike grenade", "type": "grenade", "strength": 7, "rules": ["melta"]}
    file = tmp_path / "own.toml"
    file.write_text('[[weapon]]\nname = "Spike grenade"\ntype = "grenade"\nstrength = 7\nrules = ["melta"]\n', "utf-8")
    one = assault(CART, grenades=["Spike grenade"], arsenal=[spike], weapons=[])
    fought = one.odds("assault", unit="Men", target="Cart", grenade="Spike grenade")
    cart, five = {"vehicle": "Ember cart", "band": "stationary"}, [{"models": 5, "grenade": "spike grenade"}]
    asked = RULES.with_profiles(str(file)).ask("assault", **cart, attackers=five)
    assert fought.odds("target_gone").chance(1) == asked.odds("destroyed").chance(1) > 0
    with pytest.raises(UnknownName, match="Spike grenade"):
        RULES.with_profiles(str(file)).ask("assault", **cart, attackers=[{"models": 5, "grenade": "spiky"}])


def why(plan: Any, state: Any, order: Any) -> Refused:
    """Why this may not be done."""
    with pytest.raises(Refused) as refusal:
        plan(state, order)
    return refusal.value


@pytest.mark.clause("V5-CORE-8", "V5-CORE-20", "V5-WALK-6")
def test_a_walker_does_not_charge_those_who_are_gone():
    field = fight().state
    watch, order = replace(field.squad("Watch"), models=0), AssaultOrder(unit="Ogre", target="Watch")
    said = [why(plan_assault, field.with_units(squad), order) for squad in (watch, replace(watch, fled=5))]
    assert [str(refused) for refused in said] == [
        "nobody is left of Watch (V5-CORE-8)", "Watch: fled off the table (V5-CORE-20)",
    ]  # fmt: skip


@pytest.mark.clause("V5-CORE-14", "V5-WALK-10", "V5-ASLT-4")
@pytest.mark.parametrize(("rules", "destroyed"), [((), 0), (("tank_hunters",), Fraction(1, 108))])
def test_tank_hunters_keep_their_rule_with_grenades_at_a_walker(rules, destroyed):
    numbers = {"models": 1, "rules": rules, "initiative": 10, "grenades": ["Krak grenade"]}
    one = battle(
        [squad("Men", "Ninth Bridge sappers", 20, 15, **numbers)], [vehicle("Ogre", "Warden strider", 20, 19, 180)]
    )
    to_phase(one, "assault")
    charged = one.odds("assault", unit="Men", target="Ogre", grenade="Krak grenade").odds("target_gone").chance(1)
    foe = {"foe_models": 1, "foe_rules": rules, "foe_initiative": 10, "grenade": "krak"}
    fight = RULES.ask("walker_fight", walker="Warden strider", charges="foe", rounds=1, **foe)
    attackers = [{"models": 1, "grenade": "krak", "rules": rules}]
    blows = RULES.ask("assault", vehicle="Warden strider", attackers=attackers)
    assert charged == fight.odds("walker_destroyed").chance(1) == blows.odds("destroyed").chance(1) == destroyed


@pytest.mark.clause("V5-ASLT-1", "V5-DMG-5", "V5-DMG-6")
@pytest.mark.parametrize(("status", "clause"), [("wrecked", "V5-DMG-5"), ("exploded", "V5-DMG-6")])
def test_a_target_that_is_destroyed_is_refused_by_the_clause_of_its_end(status, clause):
    one = battle([squad("Men", "Furnace blades", 20, 12, models=5)], [vehicle("Cart", "Ember cart", 20, 18, 90), FAR])
    cart = one.state.vehicle("Cart")
    field = one.state.with_units(replace(cart, condition=replace(cart.condition, status=status)))
    for phase, plan, order in (
        ("assault", plan_assault, AssaultOrder(unit="Men", target="Cart")),
        ("shooting", plan_shooting, ShootOrder(unit="Men", target="Cart")),
    ):
        assert why(plan, in_phase(field, phase), order).clause == clause
    lines = RULES.roll("transport", way="in", status=status, seed=1).log
    assert any(clause in line.clauses for line in lines)


@pytest.mark.clause("V5-WALK-1")
def test_runs_without_an_inch_of_room_are_not_proposed():
    one = battle([OGRE], [vehicle("Cart", "Ember cart", 20, 15.5, 90), FAR])
    one.push("end_phase")
    assert "run" not in {option.action.name for option in one.legal()}
