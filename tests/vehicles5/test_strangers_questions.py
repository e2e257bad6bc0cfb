"""What a stranger found in the questions, mended: profiles filled in whole, rules that count, refusals that say why."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from msgspec.structs import replace

from battletape import registry
from battletape.answer import Answer
from battletape.errors import BadInput, BattletapeError, Refused, UnknownName
from battletape.inputs import fields
from battletape.rulesets.vehicles5.profiles.book import book, heavy_strikers
from battletape.rulesets.vehicles5.rules.damage import Condition
from battletape.rulesets.vehicles5.rules.shooting import begin_volleys, fire, next_turn, strike
from battletape.tape.exact import Exact

F = Fraction
RULES = registry.ruleset("vehicles5")
FISTS = "unit='Vault wardens'"


def ask(question: str, **given: Any) -> Answer:
    return RULES.ask(question, **given)


def chance(question: str, measure: str, **given: Any) -> F:
    return ask(question, **given).odds(measure).chance(1)


# --- close combat weapons of units ----------------------------------------------------------------------------------


@pytest.mark.clause("V5-ASLT-3", "V5-ASLT-6")
def test_the_fists_of_a_unit_count_in_an_assault() -> None:
    of_profile = ask("assault", rear=12, band="stationary", attackers=FISTS)
    named = ask("assault", rear=12, band="stationary", attackers=f"{FISTS} weapon='Power fist'")
    by_hand = ask("assault", rear=12, band="stationary", attacks=15, strength=8)
    assert of_profile.odds("destroyed") == named.odds("destroyed") == by_hand.odds("destroyed")
    assert of_profile.odds("destroyed").chance(1) > F(9, 10)
    assert of_profile.warnings == ()


@pytest.mark.clause("V5-ASLT-3", "V5-ASLT-6")
def test_one_fist_among_ten_blades_strikes_alone() -> None:
    answer = ask("assault", rear=12, band="stationary", attackers="unit='Furnace blades'")
    by_hand = [{"models": 1, "strength": 4, "times": 2}, {"models": 9, "two_weapons": 9, "strength": 4}]
    assert answer.odds("destroyed") == ask("assault", rear=12, band="stationary", attackers=by_hand).odds("destroyed")
    assert answer.start.volleys[0][0].gap == 12 - 8
    assert (len(answer.start.volleys[0]), answer.start.volleys[0][-1].gap) == (2 + 27, 12 - 4)
    few = ask("assault", rear=12, band="stationary", attackers="unit='Furnace blades' in_reach=1")
    assert [blow.gap for blow in few.start.volleys[0]] == [4, 4]  # the fist is in reach first
    assert "Furnace blades cannot harm" in ask("assault", rear=12, attackers="unit='Furnace blades'").warnings[0]


@pytest.mark.clause("V5-ASLT-6", "V5-WALK-8")
def test_the_fists_of_a_unit_count_against_a_walker() -> None:
    with_fists = chance("walker_fight", "walker_destroyed", walker="Warden strider", foe="Vault wardens")
    without = chance("walker_fight", "walker_destroyed", walker="Warden strider", foe="Vault wardens", foe_heavy=0)
    assert without == 0 < F(1, 2) < with_fists
    one = ask("walker_fight", walker="Warden strider", foe="Furnace blades")
    assert one.start.foe.heavy == 1
    assert one.odds("walker_destroyed").chance(1) > 0


def test_how_many_models_strike_with_a_weapon_that_doubles_their_strength() -> None:
    profiles = book()
    found = {name: heavy_strikers(unit, profiles) for name, unit in profiles.entries["unit"].items()}
    assert {name: number for name, number in found.items() if number} == {"Furnace blades": 1, "Vault wardens": 5}


# --- tanks ----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("V5-CORE-14", "V5-DOG-2")
def test_tank_hunters_count_in_death_or_glory() -> None:
    units = [{"unit": "Ninth Bridge sappers", "tries": "always", "fearless": True, "glory": "Bolter"}]
    hunters = chance("tank_shock", "tank_stops", front=10, units=units)
    others = chance("tank_shock", "tank_stops", front=10, units=[{**units[0], "rules": []}])
    assert others == F(1, 6) * F(3, 6)  # S4 against 10: a 6 glances
    assert hunters == F(1, 6) * F(3, 6) + F(1, 6) * F(5, 6)  # with 1 more a 5 glances, a 6 goes through
    before = [{**units[0], "at": 3}]
    assert chance("ram", "stopped_before", rammer_front=10, units=before, distance=9) == hunters


@pytest.mark.clause("V5-WALK-15", "V5-DOG-2")
def test_a_walker_that_tries_glory_strikes_with_what_it_has() -> None:
    given = {"rammer_front": 12, "target_types": "walker", "reaction": "glory"}
    bare = ask("ram", **given, target_strength=8)
    assert bare.odds("rammer_stopped").chance(1) == F(1, 6) * F(3, 6) + F(2, 6) * F(5, 6)
    assert bare.odds("rammer_stopped") == ask("ram", **given, glory=[{"strength": 8}]).odds("rammer_stopped")
    named = ask("ram", target="Warden strider", reaction="glory")
    assert {one.name for one in named.start.glory} >= {"Dreadnought close combat weapon"}
    assert named.start.glory[0].strength >= 8
    assert ask("ram", target="Warden strider").start.tries == "choose"
    assert chance("ram", "rammer_stopped", target="Warden strider") == 0  # it braces unless it is told otherwise


@pytest.mark.clause("V5-RAM-5", "V5-RAM-7", "V5-WALK-15")
def test_the_ram_headline_and_the_impact_say_what_is_so() -> None:
    used_up = ask("ram", rammer_front=14, target_side=10, distance=12)
    assert used_up.headline.endswith("the rammer drives on 0 %.")
    assert "cannot drive on" in used_up.warnings[0]
    assert ask("ram", rammer_front=14, target_side=10, distance=9).headline.endswith("the rammer drives on 11 %.")
    table = ask("ram", target_types="walker", reaction="glory", target_rear=10).table
    assert table is not None
    assert table.rows[2] == ("target, if its death or glory fails", "10", "4")
    braced = ask("ram", target_types="walker", reaction="brace").table
    assert braced is not None
    assert len(braced.rows) == 2


# --- guns that do not roll to hit -----------------------------------------------------------------------------------


@pytest.mark.clause("V5-CORE-3", "V5-ORD-2", "V5-ASLT-4", "V5-CORE-21")
@pytest.mark.parametrize(
    ("gun", "words"),
    [
        (
            "Battle cannon",
            "whose large blast scatters instead: ask ordnance, or give auto=yes for a sure hit (V5-ORD-2)",
        ),
        (
            "Frag missile",
            "whose small blast scatters instead: ask ordnance, or give auto=yes for a sure hit (V5-CORE-3)",
        ),
        ("Krak grenade", "a grenade, which is used in an assault: ask assault with grenade='Krak grenade' (V5-ASLT-4)"),
        ("Power fist", "which is for striking (V5-CORE-21)"),
        ("Lascanon", "there is no weapon 'Lascanon' (V5-CORE-21). Did you mean 'Lascannon'?"),
        ("Zzz", "are known, such as "),
    ],
)
def test_guns_that_scatter_or_are_thrown_are_refused(gun: str, words: str) -> None:
    for question, given in (("shoot", {"guns": gun}), ("kill_time", {"volleys": [{"guns": gun}]})):
        with pytest.raises(BadInput) as caught:
            ask(question, **given)
        assert words in str(caught.value)


@pytest.mark.clause("V5-ORD-2", "V5-PEN-2")
def test_a_sure_hit_of_a_blast_weapon_is_fine() -> None:
    answer = ask("shoot", front=14, weapons=0, immobilised=True, guns="weapon='Battle cannon' auto=yes")
    assert answer.odds("expected_hits").mean == 1
    through, glance = 1 - F(6, 6) ** 2, F(11, 36)  # S8 against 14: the higher die wants a 6
    assert answer.odds("destroyed").chance(1) == through + glance * F(2, 6)


# --- what may it do -------------------------------------------------------------------------------------------------


def lines(**given: Any) -> dict[str, tuple[str, tuple[str, ...]]]:
    steps = ask("what_may_it_do", smoke_launchers=True, **given).steps
    said = {step.title.partition(":")[0]: step for step in steps}
    return {thing: (step.title.partition(": ")[2].partition(",")[0], step.clauses) for thing, step in said.items()}


@pytest.mark.clause("V5-CORE-16", "V5-WALK-4")
def test_a_walker_that_ran_neither_drives_nor_turns() -> None:
    found = lines(types="walker", ran=True)
    assert found["Drive"] == found["Turn on the spot"] == ("no", ("V5-CORE-16",))
    assert found["Fire"] == ("no", ("V5-WALK-4",))
    assert found["Set off smoke"][0] == "yes"
    with pytest.raises(Refused, match=r"only a walker runs; other vehicles drive \(V5-WALK-1\)"):
        ask("what_may_it_do", ran=True)
    with pytest.raises(Refused, match=r"V5-WALK-4"):
        ask("what_may_it_do", types="walker", ran=True, fired=True)


@pytest.mark.clause("V5-CORE-16", "V5-SMOKE-1", "V5-FIRE-0", "V5-TRAN-4")
def test_a_vehicle_that_fired_has_its_move_behind_it() -> None:
    found = lines(types="tank", fired=True, capacity=5, passengers=3, fire_points=2)
    for thing in ("Drive", "Turn on the spot", "Tank shock", "Ram"):
        assert found[thing] == ("no", ("V5-CORE-16",)), thing
    assert found["Set off smoke"] == ("no", ("V5-SMOKE-1",))
    assert found["Fire"] == ("no", ("V5-FIRE-0",))
    assert found["Passengers get out"] == ("no", ("V5-TRAN-4",))
    assert found["Passengers shoot"][0] == "yes"
    walker = lines(types="walker", fired=True)
    assert (walker["Run"][0], walker["Assault"][0], walker["Turn to fire"][0]) == ("no", "yes", "no")
    with pytest.raises(Refused, match=r"fires no weapon \(V5-SMOKE-2\)"):
        ask("what_may_it_do", smoke_launchers=True, smoke_this_turn=True, fired=True)


@pytest.mark.clause("V5-DMG-2", "V5-DMG-1")
def test_a_crew_that_is_stunned_does_not_fire_and_no_more_is_said() -> None:
    stunned = ask("what_may_it_do", stunned=True)
    assert "Fire: no, a crew that is stunned does not fire" in [step.title for step in stunned.steps]


# --- who rides, and whom an explosion reaches -----------------------------------------------------------------------


@pytest.mark.clause("V5-TRAN-1", "V5-TRAN-2")
@pytest.mark.parametrize(
    ("question", "given", "words"),
    [
        ("explosion", {"vehicle": "Barrow carrier", "passengers": 11}, "11 models are more than the 10"),
        ("explosion", {"vehicle": "Barrow carrier", "passenger_unit": "Scrapyard mob"}, "20 models are more"),
        (
            "explosion",
            {"vehicle": "Anvil battle tank", "passengers": 4},
            "4 models in a vehicle that carries nobody",
        ),
        ("explosion", {"passenger_unit": "Rooftop leapers"}, "this unit is jump infantry"),
        ("explosion", {"passenger_unit": "Mud riders"}, "this unit is bike"),
        ("what_may_it_do", {"passengers": 1}, "1 model in a vehicle that carries nobody"),
    ],
)
def test_nobody_rides_who_may_not(question: str, given: dict[str, Any], words: str) -> None:
    with pytest.raises(Refused) as caught:
        ask(question, **given)
    assert words in caught.value.reason
    assert caught.value.clause == "V5-TRAN-1"


@pytest.mark.clause("V5-DMG-6")
def test_a_unit_near_an_explosion_is_the_whole_unit() -> None:
    answer = ask("explosion", models="unit='Furnace company'")
    assert (
        answer.start.groups[0].models
        == ask("explosion", passenger_unit="Furnace company").start.passengers.models
        == 10
    )
    assert answer.odds("casualties").mean == 10 * F(1, 3) * F(1, 3)


# --- words that are true --------------------------------------------------------------------------------------------


@pytest.mark.clause("V5-DMG-3", "V5-WALK-16")
def test_a_fist_is_no_gun() -> None:
    given: dict[str, Any] = {"types": "walker", "guns": [{"strength": 1}]}
    assert chance("shoot", "cannot_shoot_next_turn", weapon_names="fist", melee_weapons="fist", **given) == 1
    assert chance("shoot", "cannot_shoot_next_turn", weapon_names="fist, gun", melee_weapons="fist", **given) == 0
    strider = {"vehicle": "Warden strider", "weapon_names": "Dreadnought close combat weapon"}
    assert chance("shoot", "cannot_shoot_next_turn", **strider, guns=[{"strength": 1}]) == 1
    assert not Condition(weapons=("fist", "gun"), melee=("fist",)).is_silent
    assert Condition(weapons=("fist",), melee=("fist",)).is_silent


@pytest.mark.clause("V5-WALK-8")
def test_the_headline_of_two_walkers_counts_both() -> None:
    answer = ask("walker_fight", walker="Twin-fisted ogre", foe_walker="Twin-fisted ogre", charges="nobody", rounds=2)
    over = answer.odds("over")
    foe, walker = (answer.odds(name).chance(1) for name in ("foe_destroyed", "walker_destroyed"))
    assert foe == walker == over.chance("foe destroyed") + over.chance("both destroyed")
    assert "the foe is destroyed 42 %, the walker is destroyed 42 %, both 12 %; undecided 28 %." in answer.headline


@pytest.mark.clause("V5-DMG-1", "V5-DMG-3")
def test_a_shaken_vehicle_shaken_again_is_no_worse() -> None:
    worst = ask("shoot", shaken=True, guns=[{"auto": True, "strength": 6, "ap": 4}]).odds("worst")
    assert "unharmed" not in worst.values()
    assert worst.chance("no worse than before") == F(5, 6) + F(1, 6) * F(3, 6)
    rolled = RULES.roll("shoot", weapons=2, guns=[{"auto": True, "strength": 10, "extra": -10}], seed=1)
    assert "without a weapon" not in str(rolled)


def test_names_keep_their_capitals() -> None:
    said = str(RULES.roll("tank_shock", units=[{"unit": "Ninth Bridge sappers", "tries": "always"}], seed=2))
    assert "Ninth Bridge sappers: " in said
    assert "Ninth bridge" not in said
    assert "sappers falls" not in said
    assert "sappers loses" not in said


@pytest.mark.clause("V5-MARK-5")
def test_kill_time_names_its_rows_and_adds_them_up() -> None:
    from battletape.views.answer import answer_view

    answer = ask("kill_time", repeat=3)
    view = answer_view(answer).measures[0]
    assert [row.label for row in view.rows] == ["volley 1", "volley 2", "volley 3", "not destroyed"]
    odds, so_far = answer.odds("destroyed_in"), F(0)
    for number, row in enumerate(view.rows[:-1], 1):
        so_far += odds.chance(number)
        assert row.at_most is not None
        assert (row.at_least, row.at_most.fraction) == (None, str(so_far))
    assert (view.rows[-1].at_least, view.rows[-1].at_most, view.mean) == (None, None, None)


# --- contradictions -------------------------------------------------------------------------------------------------


@pytest.mark.clause("V5-DMG-3", "V5-SMOKE-1", "V5-VOLLEY-1")
@pytest.mark.parametrize(
    ("question", "given", "words"),
    [
        ("shoot", {"guns": ""}, "guns must name one gun or more"),
        ("shoot", {"weapons": 2, "weapon_names": "a, b, c"}, "must be the same weapons; got 2 and a, b, c"),
        ("tank_shock", {"weapons": "1", "weapon_names": ["a", "b"]}, "must be the same weapons"),
        ("ram", {"target_weapons": 2, "target_weapon_names": "a"}, "must be the same weapons"),
        ("shoot", {"weapon_names": "a, b", "melee_weapons": "x"}, "there is no weapon 'x' (V5-DMG-3). Known: a, b."),
        ("what_may_it_do", {"smoke_this_turn": True}, "needs smoke_launchers (V5-SMOKE-1)"),
        ("what_may_it_do", {"together": "laser"}, "there is no weapon 'laser' (V5-DMG-3)"),
    ],
)
def test_what_contradicts_itself_is_refused(question: str, given: dict[str, Any], words: str) -> None:
    with pytest.raises(BattletapeError) as caught:
        ask(question, **given)
    assert words in str(caught.value)


def test_unknown_names_say_what_there_is() -> None:
    with pytest.raises(UnknownName, match=r"are known, such as .*Lascannon"):
        ask("shoot", guns="Lascanno")


# --- any state ------------------------------------------------------------------------------------------------------


@pytest.mark.clause("V5-VOLLEY-1", "V5-MARK-5")
@pytest.mark.parametrize("order", ["sequential", "batch"])
@pytest.mark.parametrize("spread", ["one_turn", "turns"])
def test_volleys_folded_together_are_volleys_one_after_the_other(order: str, spread: str) -> None:
    guns = [{"shots": 2, "strength": 9, "ap": 2}, {"strength": 8, "ap": 1}]
    given = {"weapon_names": "gun, flamer, missile", "volley_order": order, "spread": spread}
    answer = ask("kill_time", volleys=[{"guns": guns}], repeat=3, **given)
    stages = answer.question.procedure(answer.start).stages
    apart: dict[Any, F] = {answer.start: F(1)}
    for stage in stages:
        after: dict[Any, F] = {}
        for state, share in apart.items():
            for result, part in Exact().run((_plain(stage),), state).fractions().items():
                after[result] = after.get(result, F(0)) + share * part
        apart = after
    assert answer.states == apart


def _plain(stage: Any) -> Any:
    """The same stage without its fold showing."""
    return lambda tape, state: stage(tape, state)


@pytest.mark.clause("V5-VOLLEY-2", "V5-MARK-1")
def test_a_step_in_two_is_the_step_in_one() -> None:
    shot = ask("shoot", guns=[{"strength": 9, "ap": 2}]).start.volleys[0][0]
    flags = [
        Condition(*three, weapons=names) for three in product((False, True), repeat=3) for names in ((), ("a", "b"))
    ]
    for condition in (*flags, Condition(status="wrecked")):
        one, two = Exact(), Exact()
        direct = two.outcomes(lambda tape, state=condition: strike(tape, state, shot))
        assert one.odds(one.chain(strike, condition, (shot,))) == two.odds(direct)


@pytest.mark.clause("V5-MARK-5")
def test_a_destroyed_vehicle_stays_so_in_later_volleys() -> None:
    barrage = begin_volleys(Condition(status="wrecked"), ((), ()))
    known = replace(barrage, destroyed_in=1, done=1)
    after = Exact().run((next_turn, fire), known)
    assert after == {replace(known, done=2): 1}


# --- rulings that are shown -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("question", RULES.questions, ids=lambda one: one.name)
def test_rulings_that_are_not_shown_change_nothing(question: Any) -> None:
    assert question.rulings is not None
    known = {one.name: one for one in fields(RULES.rulings)}
    assert set(question.rulings) <= set(known)
    plain = RULES.ask(question.name, **question.example)
    for name in set(known) - set(question.rulings):
        for value in (value for value, _ in known[name].alternatives):
            other = RULES.ask(question.name, **question.example, **{name: value})
            for measure in question.measures:
                assert other.odds(measure.name) == plain.odds(measure.name), (name, value)
