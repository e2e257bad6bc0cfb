"""The battle: tank shock, death or glory, rams, and where everybody stands afterwards."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

from battletape import ruleset
from battletape.battle import Battle
from battletape.errors import Refused
from battletape.rulesets.vehicles5.battle.actions.tank_shock import glory_weapons, walker_glory_weapons, without_model
from battletape.rulesets.vehicles5.battle.state import Squad
from battletape.rulesets.vehicles5.profiles.book import book
from battletape.rulesets.vehicles5.rules.damage import condition_summary
from battletape.rulesets.vehicles5.rules.tank_shock import GloryWeapon
from battletape.table.distances import gap, outline, overlaps
from battletape.table.sweeps import Contact
from battletape.tape import Ask
from battletape.tape.script import Script
from tests.vehicles5.battles import FAR, battle, box, path, refused, squad, told, vehicle

TANK = vehicle("Tank", "Anvil battle tank", 20, 10)


def shock(*more: object, north: list[object] | None = None, grounds: list[object] | None = None, **kinds: object):
    """A tank due south of a squad in one rank of three."""
    men = squad("Men", "Harbour watch", 20, 18, 180, models=3, abreast=3, **kinds)
    return battle([TANK, *more], [FAR, men, *(north or [])], grounds or [])


@pytest.mark.clause("V5-TANK-1", "V5-TANK-5", "V5-CORE-20")
def test_a_squad_that_fails_its_morale_runs_and_the_tank_goes_on():
    one = shock()
    one.push("tank_shock", unit="Tank", heading=0, inches=10, tape=Script(8, 7))
    men, tank = one.state.squad("Men"), one.state.vehicle("Tank")
    assert (men.falling_back, one.state.bases("Men")[0].centre.y) == (True, 25)
    assert (one.state.hull("Tank").centre.y, tank.done.band, tank.done.declared) == (20, "cruising", "tank_shock")
    refused(one, "turn_on_spot", "V5-TANK-2", unit="Tank", heading=90)
    one.push("end_turn")
    refused(one, "move_unit", "V5-CORE-20", unit="Men", heading=0, inches=2)
    refused(one, "end_phase", "V5-CORE-20")
    one.push("fall_back", unit="Men", tape=Script(6))
    refused(one, "fall_back", "V5-CORE-20", unit="Men")
    assert one.state.bases("Men")[0].centre.y == 31


@pytest.mark.clause("V5-TANK-7", "V5-TANK-6", "V5-DOG-1")
def test_a_squad_that_holds_steps_aside_by_the_shortest_way():
    one = shock()
    move = one.push("tank_shock", unit="Tank", heading=0, inches=6, tape=Script(7, "stand aside"))
    tank, men = one.state.vehicle("Tank"), one.state.squad("Men")
    assert (one.state.hull("Tank").centre.y, tank.done.band, men.models) == (16, "combat", 3)
    assert all(gap(model, one.state.hull("Tank")) >= 1 - 1e-9 for model in one.state.bases("Men"))
    assert str(move.entries[1]).startswith("choose Men: death or glory [death or glory | stand aside]")
    one.push("end_phase")
    assert one.refusal("fire", unit="Tank", target="Men", guns=[{"gun": "left bolter"}]) is None


@pytest.mark.clause("V5-DOG-2", "V5-DOG-3")
def test_glory_stops_the_tank_in_front_of_the_model():
    one = shock()
    answers = (7, "death or glory", "Lasgun")
    stopped = battle([TANK], [FAR, squad("Men", "Vault wardens", 20, 18, 180, models=1)])
    stopped.push(
        "tank_shock", unit="Tank", heading=0, inches=6, tape=Script("death or glory", "Power fist", 6, 5, "Lascannon")
    )
    tank = stopped.state.vehicle("Tank")
    assert stopped.state.hull("Tank").centre.y == pytest.approx(18 - 0.8 - 2.5)
    assert (stopped.state.squad("Men").models, "Lascannon" in tank.condition.weapons) == (1, False)
    dies = one.fork()
    dies.push("tank_shock", unit="Tank", heading=0, inches=10, tape=Script(*answers, 1))
    assert (dies.state.squad("Men").models, dies.state.hull("Tank").centre.y) == (2, 20)


@pytest.mark.clause("V5-TANK-2", "V5-TANK-4", "V5-TANK-1")
def test_a_tank_shock_stops_at_a_friend_and_short_of_an_enemy_vehicle():
    friend = vehicle("Friend", "Ember cart", 20, 24)
    one = shock(friend, vehicle("Cart", "Tollgate wagon", 6, 6))
    one.push("tank_shock", unit="Tank", heading=0, inches=12, tape=Script(12, 2))
    assert one.state.hull("Tank").centre.y == pytest.approx(19.5)  # its nose touches the friend at 22
    near = battle([TANK], [FAR, vehicle("Foe", "Ember cart", 20, 20, 180)])
    near.push("tank_shock", unit="Tank", heading=0, inches=12)
    assert near.state.hull("Tank").centre.y == pytest.approx(18 - 1 - 2.5)


@pytest.mark.clause("V5-TANK-4", "V5-TERR-3")
def test_bad_ground_may_end_a_tank_shock():
    bog = [{"kind": "dangerous", "corners": box(0, 15, 48, 17)}]
    one = shock(grounds=bog)
    one.push("tank_shock", unit="Tank", heading=0, inches=10, tape=Script(1))
    tank = one.state.vehicle("Tank")
    assert (one.state.hull("Tank").centre.y, tank.condition.immobilised) == (12.5, True)


@pytest.mark.clause("V5-RAM-1", "V5-RAM-2", "V5-RAM-5", "V5-RAM-6")
def test_a_ram_hits_both_and_the_rammer_does_not_fire():
    one = battle([TANK], [vehicle("Foe", "Barrow carrier", 20, 20, 90)])
    # front 14 after 6 inches: 4 + 2 + 1 = 7 against side 11; back comes 1 + 2 + 1 = 4 against 14
    one.push("ram", unit="Tank", target="Foe", tape=Script(5, 4, 6))
    foe, tank = one.state.vehicle("Foe"), one.state.vehicle("Tank")
    assert (foe.condition.immobilised, tank.done.declared, tank.done.band) == (True, "ram", "cruising")
    assert one.state.hull("Tank").centre.y == pytest.approx(20 - 1.5 - 2.5)
    one.push("end_phase")
    refused(one, "fire", "V5-RAM-2", unit="Tank", target="Foe", guns=[{"gun": "Lascannon"}])


@pytest.mark.clause("V5-RAM-7", "V5-DMG-6")
def test_a_rammer_drives_on_where_its_target_exploded():
    one = battle([TANK], [vehicle("Foe", "Ember cart", 20, 17.5, 180), FAR])
    # 3 inches: 4 + 1 + 1 = 6 against front 10; the cart deals 1 to 14
    # then the radius, and the crater has to be tested for
    one.push("ram", unit="Tank", target="Foe", tape=Script(6, 6, 6, 1, 2))
    done = one.state.vehicle("Tank").done
    assert one.state.vehicle("Foe").condition.status == "exploded"
    assert (one.state.hull("Tank").centre.y, done.path, done.declared) == (
        pytest.approx(22),
        pytest.approx(12),
        "ram",
    )


@pytest.mark.clause("V5-SKIM-8", "V5-SKIM-9")
def test_a_skimmer_may_dodge_and_the_tank_stops_there():
    one = battle([TANK], [vehicle("Bird", "Kingfisher", 20, 20, 180)])
    one.push("ram", unit="Tank", target="Bird", tape=Script("dodge", 3))
    assert one.state.hull("Tank").centre.y == pytest.approx(20 - 1.5 - 2.5)
    assert (
        one.state.vehicle("Bird").condition
        == battle([TANK], [vehicle("Bird", "Kingfisher", 20, 20, 180)]).state.vehicle("Bird").condition
    )


@pytest.mark.clause("V5-WALK-15")
def test_a_walker_may_brace_or_strike_first():
    one = battle([TANK], [vehicle("Ogre", "Twin-fisted ogre", 20, 20, 180)])
    braced = one.fork()
    move = braced.push("ram", unit="Tank", target="Ogre", tape=Script("brace", 1, 1))
    assert "brace" in str(move.entries[0])
    glory = one.fork()
    glory.push("ram", unit="Tank", target="Ogre", tape=Script("death or glory", "blow", 6, 4))
    assert glory.state.vehicle("Tank").condition.immobilised


@pytest.mark.clause("V5-RAM-1", "V5-RAM-2", "V5-RAM-3")
def test_a_squad_in_the_way_of_a_ram_falls_back():
    men = squad("Men", "Harbour watch", 20, 14.5, 180, models=3, abreast=3)
    south = [TANK, vehicle("Own", "Ember cart", 6, 20)]
    north = [men, vehicle("Foe", "Ember cart", 20, 20, 180), vehicle("Far", "Ember cart", 20, 44)]
    one = battle(south, north)
    one.push("ram", unit="Tank", target="Foe", tape=Script(12, 1, 1, 8))
    assert one.state.squad("Men").falling_back


@pytest.mark.clause("V5-SKIM-7", "V5-SKIM-3", "V5-TERR-3", "V5-TANK-4")
@pytest.mark.parametrize(("crash_on", "end"), [("every_immobilised", "wrecked"), ("row_only", "immobilised")])
def test_a_skimmer_that_lands_badly_fares_alike_in_questions_drives_and_tank_shocks(crash_on: str, end: str):
    bog, heron = {"kind": "dangerous", "corners": box(10, 24, 30, 34)}, vehicle("Heron", "Heron carrier", 20, 10)
    ends = []
    for action, how in (("drive", {"path": path((20, 28))}), ("tank_shock", {"heading": 0, "inches": 18})):
        one = battle([heron], [FAR], [bog], {"crash_on": crash_on})
        one.push(action, unit="Heron", **how, tape=Script(1))
        ends.append((one.state.vehicle("Heron").condition, one.state.field))
    assert ends[0] == ends[1]
    assert condition_summary(ends[0][0]) == end
    flying, asked = {"types": "fast, skimmer, tank", "crash_on": crash_on}, ruleset("vehicles5").ask
    crossing = asked("dangerous_terrain", **flying, grounds="dangerous", relation="landing", distance=18)
    assert (crossing.odds(end).chance(1), crossing.odds("moved").fractions()) == (Fraction(1, 6), {18: 1})
    ahead = {"kind": "terrain", "at": 14}
    landing = asked("tank_shock", **flying, declared=18, units=[{**ahead, "relation": "landing"}])
    assert (landing.odds("tank_worst").chance(end), landing.odds("moved").fractions()) == (Fraction(1, 6), {18: 1})
    starting = asked("tank_shock", **flying, declared=18, units=[{**ahead, "relation": "starting"}])
    assert starting.odds("tank_worst").chance("immobilised") == starting.odds("moved").chance(0) == Fraction(1, 6)
    assert asked("tank_shock", **flying, declared=18, units=[ahead]).odds("tank_unharmed").chance(1) == 1
    with pytest.raises(Refused, match="only a skimmer can land on terrain"):
        asked("tank_shock", units=[{**ahead, "relation": "landing"}])


@pytest.mark.clause("V5-SKIM-1", "V5-SKIM-4", "V5-TERR-4")
def test_a_tank_that_flies_passes_over_friends_in_questions_and_battles():
    heron, friends = vehicle("Heron", "Heron carrier", 20, 10), squad("Pals", "Harbour watch", 20, 18, models=1)
    one = battle([heron, friends], [FAR])
    assert refused(one, "tank_shock", "V5-SKIM-4", unit="Heron", heading=0, inches=8).kind == "model"
    one.push("tank_shock", unit="Heron", heading=0, inches=16)
    assert one.state.hull("Heron").centre.y == 26
    friend = {"kind": "friendly", "at": 5}
    for types, inches in (("fast, skimmer, tank", 16), ("fast, tank", 5)):
        answer = ruleset("vehicles5").ask("tank_shock", types=types, declared=16, units=[friend])
        assert answer.odds("moved").fractions() == {inches: 1}


@pytest.mark.clause("V5-DOG-1", "V5-DOG-2", "V5-CORE-23")
@pytest.mark.parametrize("profile", sorted(book().entries["unit"]))
def test_what_soldiers_use_for_glory_is_the_same_in_questions_and_battles(profile: str):
    men = battle([TANK], [squad("Men", profile, 20, 30, 180)]).state.squad("Men")
    here = glory_weapons(men, tuple(Contact(model, 3.0) for model in range(men.models)))
    there = ruleset("vehicles5").ask("tank_shock", units=[{"unit": profile, "at": 3}]).start.units[0].glory

    def numbers(glories: tuple[GloryWeapon, ...]) -> set[tuple[object, ...]]:
        return {(arm.strength, arm.ap, arm.dice, arm.hits, arm.rules) for arm in glories}

    assert numbers(here) == numbers(there)
    assert "blow" in {arm.name for arm in there} or any(arm.name.endswith(("weapon", "fist")) for arm in there)


@pytest.mark.clause("V5-WALK-15", "V5-DMG-1", "V5-DMG-2")
def test_a_walker_whose_crew_does_not_shoot_strikes_at_a_ram_in_questions_and_battles():
    one = battle([TANK], [vehicle("Strider", "Warden strider", 20, 20, 180)])
    for state in ("shaken", "stunned", ""):
        strider = one.state.vehicle("Strider")
        strider = replace(strider, **{f"{state}_until": 9}) if state else strider
        here = walker_glory_weapons(one.state.with_units(strider), strider)
        given = {f"target_{state}": "yes"} if state else {}
        there = ruleset("vehicles5").ask("ram", target="Warden strider", target_struck="side", **given).start.glory
        assert {(arm.strength, arm.ap, arm.hits) for arm in here} == {(arm.strength, arm.ap, arm.hits) for arm in there}
        assert len(here) == (1 if state else 3)


@pytest.mark.clause("V5-CORE-20")
def test_a_unit_that_fled_is_told_as_fled_and_not_as_lost() -> None:
    fight = battle(
        [vehicle("Anvil", "Anvil battle tank", 24, 30)],
        [squad("Watch", "Harbour watch", 24, 45, 180, models=4), vehicle("Siege", "Gatebreaker siege tank", 8, 40)],
    )
    move = fight.push("tank_shock", unit="Anvil", heading=0, inches=12, tape=Script(12, 12))  # morale; then the run
    watch = fight.state.squad("Watch")
    assert (watch.is_gone, watch.is_lost, watch.fled) == (True, False, 4)
    told = [line.text for line in fight.move_record(move.number).lines]
    assert "Watch: fled off the table, 4 models" in told
    assert not any("lost" in line for line in told)
    squads = fight.tables[1]
    assert squads.rows[0][squads.head.index("notes")] == "fled off the table, 4 models"
    fight.push("end_turn")
    refused = fight.refusal("move_unit", unit="Watch", heading=0, inches=1)
    assert refused is not None
    assert (refused.clause, refused.kind) == ("V5-CORE-20", "fled")


class Aside(Script):
    """Answers written down, but for the ways out from under a tank, of which the first will do."""

    def answer(self, ask: Ask) -> Any:
        return ask.options[0] if ask.label.endswith("way out") else super().answer(ask)


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
    assert stopped.hull("Tank").centre.y == pytest.approx(19 - 0.5 - 2.5)  # the third man stands at 19
    assert dict(stopped.squad("Men").bearers()) == {"Meltagun": 2, "Plasma gun": 1, "Bolter": 2}
    assert dict(dead.squad("Men").bearers()) == {"Meltagun": 2, "Bolter": 2}


@pytest.mark.clause("V5-RAM-7", "V5-RAM-2", "V5-TANK-2")
def test_a_rammer_drives_on_however_short_the_rest_and_stunned_where_the_rulings_let_it():
    north = [FAR, vehicle("Tower", "Gatebreaker siege tank", 20, 22, 90, side=11)]
    for ruling, way in ((True, 18), (False, 15)):
        rulings = {"ram_on_while_stunned": ruling, "tank_shock_least": "six_inches"}
        one = battle([vehicle("Bull", "Bull ram", 20, 3, front=12)], north, rulings=rulings)
        both = (6, 6, 6, 2)  # the tower explodes and the crew of the rammer is stunned
        rest = (1, 6) if ruling else (1,)  # the radius of the explosion, and the crater on the way
        one.push("ram", unit="Bull", target="Tower", tape=Script(*both, *rest))
        bull = one.state.vehicle("Bull")
        assert (bull.stunned_until, bull.done.band, bull.done.declared) == (3, "flat_out", "ram")
        assert bull.done.path == way


@pytest.mark.clause("V5-WALK-15", "V5-DMG-1", "V5-DMG-2")
def test_a_shaken_walker_answers_a_ram_with_its_fist_and_not_with_its_guns():
    one = battle([TANK], [vehicle("Strider", "Warden strider", 20, 20, 180)])
    field, strider = one.state, one.state.vehicle("Strider")
    assert [arm.name for arm in walker_glory_weapons(field, strider)] == ["blow", "Multi-melta", "Storm bolter"]
    for flag in ("shaken_until", "stunned_until"):
        dazed = replace(strider, **{flag: 1})
        assert [arm.name for arm in walker_glory_weapons(field.with_units(dazed), dazed)] == ["blow"]


def blades(one: Battle) -> Squad:
    """The squad with one fist."""
    found: Squad = one.state.squad("Blades")
    return found


@pytest.mark.clause("V5-DOG-1", "V5-DOG-2", "V5-DOG-4")
def test_only_the_bearer_of_the_fist_strikes_with_it_and_takes_it_along():
    one = battle([TANK], [FAR, squad("Blades", "Furnace blades", 20, 18, 180)])
    assert dict(blades(one).bearers(melee=True)) == {"Close combat weapon": 9, "Power fist": 1}
    first = glory_weapons(blades(one), (Contact(0, 3.0),))
    assert [(arm.name, arm.strength) for arm in first if arm.name in ("blow", "Power fist")] == [("blow", 4)]
    both = {arm.name: arm for arm in glory_weapons(blades(one), (Contact(0, 3.0), Contact(9, 4.0)))}
    assert (both["Power fist"].strength, both["Power fist"].model, both["Power fist"].at) == (8, 9, 4.0)
    assert (both["blow"].strength, both["blow"].model) == (4, 0)
    fallen = without_model(blades(one), 9)
    assert dict(fallen.bearers(melee=True)) == {"Close combat weapon": 9}
    assert dict(fallen.bearers()) == {"Bolt pistol": 9}
    plain = without_model(blades(one), 0)
    assert dict(plain.bearers(melee=True)) == {"Close combat weapon": 8, "Power fist": 1}


@pytest.mark.clause("V5-TANK-3", "V5-TANK-5")
def test_log_of_a_tank_shock_is_in_the_order_of_play_and_fits_names_in_the_plural():
    one = battle([TANK], [FAR, squad("Sappers", "Ninth Bridge sappers", 20, 18, 180)])
    one.push("tank_shock", unit="Tank", heading=0, inches=12, tape=Script(12, 7))
    lines = told(one)
    assert lines == [
        "Tank turns to heading 0 and declares a tank shock, up to 12 inches",
        "Sappers: morale (needs 9 or less): 12 → fail",
        "Sappers: the unit falls back",
        "Tank has driven 12 inches",
        "Tank stands at (20.0, 22.0), heading 0; cruising speed",
        "Sappers: falling back",
        "Fall back: 7",
        "Sappers: falls back 7 inches",
    ]


@pytest.mark.clause("V5-VOLLEY-2", "V5-DOG-2", "V5-DOG-3")
@pytest.mark.parametrize(("order", "end"), [("sequential", "wrecked"), ("batch", "exploded")])
def test_a_wreck_may_still_explode_by_glory_where_shots_are_rolled_together(order: str, end: str):
    rulings = {"volley_order": order, "death_or_glory_hits": "all_shots"}
    gun = {"name": "Double gun", "type": "assault", "strength": 10, "ap": 2, "range": 24, "shots": 2}
    armed = {"models": 1, "weapons": [{"name": "Double gun", "models": 1}], "arsenal": [gun], "grenades": []}
    one = battle([TANK], [FAR, squad("Men", "Vault wardens", 20, 18, 180, **armed)], rulings=rulings)
    second, rest = (
        ((6, 6), (1, 1)) if end == "exploded" else ((), ())
    )  # a penetration that explodes; then it reaches them
    script = Script("death or glory", "Double gun", 6, 5, *second, *rest)
    one.push("tank_shock", unit="Tank", heading=0, inches=6, tape=script)
    assert (one.state.vehicle("Tank").condition.status, script.used_up) == (end, True)
    hits = {"strength": 10, "ap": 2, "shots": 2}
    units = [{"at": 2, "fearless": True, "tries": "always", "glory": [hits]}]
    glory = ruleset("vehicles5").ask("tank_shock", front=14, units=units, **rulings)
    shots = ruleset("vehicles5").ask("shoot", front=14, guns=[{**hits, "auto": True}], volley_order=order)
    assert glory.odds("tank_explodes").fractions() == shots.odds("exploded").fractions()


@pytest.mark.clause("V5-RAM-7", "V5-CORE-22", "V5-TERR-4", "V5-MOVE-1")
def test_a_walker_is_rammed_at_its_base_and_both_can_turn_and_leave_afterwards():
    one = battle([vehicle("Hammer", "Anvil battle tank", 22, 8)], [vehicle("Strider", "Warden strider", 22, 18, 180)])
    one.push("ram", unit="Hammer", target="Strider", tape=1)
    hammer, strider = one.state.vehicle("Hammer"), one.state.vehicle("Strider")
    assert not hammer.is_gone
    assert not strider.condition.is_stuck
    assert one.state.hull("Hammer").centre.y == pytest.approx(18 - strider.profile.base - hammer.profile.length / 2)
    one.push("end_turn")
    for heading in (0, 45, 90, 180):
        assert one.refusal("turn_on_spot", {"unit": "Strider", "heading": heading}) is None
    for goal in ((22, 22), (18, 22), (26, 18)):  # away from the tank, at a slant, and along its front
        assert one.refusal("drive", {"unit": "Strider", "path": path(goal)}) is None
    refused(one, "drive", "V5-TERR-4", unit="Strider", path=path((22, 13)))
    one.push("end_turn")
    assert one.refusal("drive", {"unit": "Hammer", "path": path((22, 10.3)), "reverse": True}) is None


@pytest.mark.clause("V5-TANK-4", "V5-CORE-22")
def test_a_tank_stops_an_inch_before_the_base_of_a_walker():
    one = battle([vehicle("Hammer", "Anvil battle tank", 22, 8)], [vehicle("Strider", "Warden strider", 22, 18, 180)])
    one.push("tank_shock", unit="Hammer", heading=0, inches=12)
    assert gap(one.state.field.footprints("Hammer")[0], one.state.field.footprints("Strider")[0]) == pytest.approx(1)


@pytest.mark.clause("V5-SKIM-4", "V5-DOG-3")
def test_a_skimmer_that_glory_stops_over_a_friend_comes_to_rest_short_of_it():
    south = [vehicle("Heron", "Heron carrier", 20, 8), vehicle("Friend", "Hay wain", 20, 16, 90)]
    places = set()
    for seed in range(20):
        one = battle(south, [squad("Sappers", "Ninth Bridge sappers", 20, 19, 180, models=3)])
        one.push("tank_shock", unit="Heron", heading=0, inches=18, tape=seed)
        heron = one.state.vehicle("Heron")
        wreck = [piece.shape for piece in one.state.field.terrain]
        there = wreck[0] if heron.is_gone else one.state.hull("Heron")
        assert not overlaps(there, one.state.hull("Friend"))
        assert min(corner.y for corner in outline(there)) == pytest.approx(
            8 + heron.done.path - heron.profile.length / 2
        )
        places.add(round(8 + heron.done.path, 6))
    assert places == {12, 26}  # in contact with the friend, or where the drive was to end
