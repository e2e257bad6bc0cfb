"""Volleys: the worked examples of the catalogue, all faces by hand, each ruling, and several volleys in a row."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from msgspec.structs import replace

from battletape.errors import BattletapeError
from battletape.odds import Odds
from battletape.procedure import odds_of
from battletape.rulesets.vehicles5.rules import shooting
from battletape.rulesets.vehicles5.rules.damage import Condition, damage_modifier, penetration_result, row_of_value
from battletape.rulesets.vehicles5.rules.keywords import shot_with_rules
from battletape.rulesets.vehicles5.rules.shooting import (
    Shot,
    ShotDraft,
    Volley,
    begin_volleys,
    fire,
    next_turn,
    resolve_shot,
    shooting_steps,
)
from battletape.rulesets.vehicles5.rules.traits import Ap, DamageRow, PenDice, Traits
from battletape.rulesets.vehicles5.rulings import Rulings
from battletape.tape.exact import Exact
from battletape.tape.script import Script
from tests.vehicles5.asking import RULES, ask, rows
from tests.vehicles5.by_hand import apply_results, label
from tests.vehicles5.odds import plain, results_of, ruled
from tests.vehicles5.one_hit_tables import ROWS, one_hits

ONE_GUN = Condition(weapons=("gun",))
LASCANNON = shot_with_rules(ShotDraft("lascannon", shooting.bs_to_hit(4), 9, 12, 2))
MISSILE = shot_with_rules(ShotDraft("krak missile", shooting.bs_to_hit(4), 8, 12, 3))
BATCH = Rulings(volley_order="batch")
WHOLE: dict[str, Any] = {"destroyed": lambda one: one.is_destroyed, "exploded": lambda one: one.status == "exploded"}
WHOLE["stuck"] = lambda one: one.is_destroyed or one.immobilised
WHOLE["silent"] = lambda one: one.shaken or one.stunned or not one.weapons


def fired(shots: Iterable[Shot], start: Condition = ONE_GUN, rulings: Rulings = Rulings()) -> Odds[Condition]:
    run: Odds[Volley] = Exact().run((shooting.fire,), shooting.begin_volleys(ruled(start, rulings), [tuple(shots)]))
    return run.project(lambda one: plain(one.now))


def aimed(name: str, bs: int, strength: int, av: int, ap: Ap | None, *rules: str, **more: Any) -> Shot:
    return shot_with_rules(ShotDraft(name, shooting.bs_to_hit(bs), strength, av, ap, **more), rules)


@pytest.mark.clause("V5-VOLLEY-1", "V5-MARK-1", "V5-MARK-4", "V5-SHOT-10", "V5-CORE-1")
def test_four_lascannons_against_armour_12() -> None:
    odds = fired([LASCANNON] * 4)
    assert odds.chance(WHOLE["destroyed"]) == Fraction(68347, 177147)
    assert odds.chance(WHOLE["stuck"]) == Fraction(307441, 531441)
    assert odds.chance(ONE_GUN) == Fraction(625, 6561)


@pytest.mark.clause("V5-VOLLEY-1", "V5-MARK-4")
def test_mixed_volley_of_the_worked_example() -> None:
    shots = [LASCANNON, MISSILE]
    chances = [
        fired(shots, start).chance(WHOLE["destroyed"]) for start in (ONE_GUN, Condition(), Condition(immobilised=True))
    ]
    assert chances == [Fraction(43, 243), Fraction(47, 243), Fraction(289, 729)]


@pytest.mark.clause("V5-VOLLEY-1", "V5-MARK-4", "V5-SKIM-6", "V5-SKIM-7", "V5-CORE-4")
@pytest.mark.parametrize(
    ("shots", "weapons", "crash", "untouched", "destroyed", "exploded", "stuck", "silent"),
    [
        ([LASCANNON] * 4, 2, "no", "625/6561", "199921/531441", "2465/13122", "297841/531441", "15208/19683"),
        ([LASCANNON] * 4, 3, "no", "625/6561", "2465/6561", "2465/13122", "99067/177147", "133952/177147"),
        (
            [aimed("lascannon", 4, 9, 10, 2, open_topped=True)] * 4,
            1,
            "no",
            "1/81",
            "413648/531441",
            "249620/531441",
            "476516/531441",
            "236/243",
        ),
        (
            [replace(LASCANNON, cover=4)] * 4,
            2,
            "every",
            "2401/6561",
            "2739775/8503056",
            "547643/5668704",
            "2739775/8503056",
            "11108/19683",
        ),
        ([MISSILE] * 4, 2, "no", "16/81", "140897/531441", "70408/531441", "226763/531441", "157/243"),
        (
            [aimed("meltagun", 4, 8, 13, 1, "melta", half_range=True)] * 3,
            2,
            "no",
            "64/729",
            "2479967/4251528",
            "786331/2125764",
            "3063887/4251528",
            "560/729",
        ),
        (
            [LASCANNON] * 2 + [MISSILE] * 2,
            2,
            "no",
            "100/729",
            "6355/19683",
            "19049/118098",
            "264605/531441",
            "6259/8748",
        ),
        (
            [aimed("autocannon", 3, 7, 10, 4, open_topped=True)] * 4,
            1,
            "no",
            "16/81",
            "349/768",
            "16795/62208",
            "151/256",
            "179/243",
        ),
        (
            [aimed("bolter", 4, 4, 10, 5)] * 12,
            1,
            "no",
            "68719476736/282429536481",
            "1304516478340817/150094635296999121",
            "0",
            "32643611713390289/150094635296999121",
            "196530190561/282429536481",
        ),
    ],
)
def test_reference_volleys(
    shots: list[Shot], weapons: int, crash: Any, untouched: str, destroyed: str, exploded: str, stuck: str, silent: str
) -> None:
    start = Condition(weapons=("gun",) * weapons, crash=crash)
    odds = fired(shots, start)
    assert odds.chance(start) == Fraction(untouched)
    wanted = {"destroyed": destroyed, "exploded": exploded, "stuck": stuck, "silent": silent}
    assert {name: odds.chance(WHOLE[name]) for name in wanted} == {name: Fraction(one) for name, one in wanted.items()}


@pytest.mark.clause("V5-VOLLEY-2")
def test_a_batch_only_changes_how_it_ends() -> None:
    one_by_one, together = fired([LASCANNON] * 4), fired([LASCANNON] * 4, rulings=BATCH)
    assert one_by_one.chance(WHOLE["exploded"]) == Fraction(66491, 354294)
    assert together.chance(WHOLE["exploded"]) == Fraction(21455, 104976)
    assert one_by_one.chance(WHOLE["destroyed"]) == together.chance(WHOLE["destroyed"])
    alive = [one for one in one_by_one.values() if not one.is_destroyed]
    assert all(one_by_one.chance(one) == together.chance(one) for one in alive)


@pytest.mark.clause("V5-VOLLEY-2")
@pytest.mark.parametrize("rulings", [Rulings(), BATCH])
def test_nobody_fires_at_a_wreck_of_an_earlier_volley(rulings: Rulings) -> None:
    wreck = Condition(status="wrecked")
    assert fired([LASCANNON] * 4, wreck, rulings).chance(wreck) == 1


@pytest.mark.clause("V5-MARK-2")
@pytest.mark.parametrize(("dice", "gap", "ap", "open_topped", "chances"), list(one_hits()))
def test_one_certain_hit(
    dice: PenDice, gap: int, ap: Ap, open_topped: bool, chances: dict[DamageRow, Fraction]
) -> None:
    shot = Shot("gun", 0, False, False, gap, dice, damage_modifier(ap, open_topped), 0)
    odds = results_of(shot)
    assert {row: odds.chance(row) for row in ROWS} == chances


@pytest.mark.clause("V5-SHOT-10", "V5-CORE-4", "V5-MARK-2", "V5-VOLLEY-2")
@pytest.mark.parametrize("cover", [0, 3, 5])
@pytest.mark.parametrize("rulings", [Rulings(), Rulings(cover_step="after_hit")])
def test_two_shots_counted_over_all_faces(cover: int, rulings: Rulings) -> None:
    shot = shot_with_rules(ShotDraft("gun", 4, 8, 11, 1, cover=cover), rulings=rulings)
    rows: dict[DamageRow, int] = {}
    for hit, pierce, save, die in product(range(1, 7), repeat=4):
        how = penetration_result(3, pierce)
        if hit < 4 or how == "none" or (cover and save >= cover):
            row: DamageRow = "none"
        else:
            row = row_of_value(die + 1 - 2 * (how == "glance"))
        rows[row] = rows.get(row, 0) + 1
    ends: dict[str, int] = {}
    for (one, ways), (two, more) in product(rows.items(), repeat=2):
        end = label(apply_results(ONE_GUN, [one, two]))
        ends[end] = ends.get(end, 0) + ways * more
    assert fired([shot] * 2).project(label) == {end: Fraction(count, 6**8) for end, count in ends.items()}


@pytest.mark.clause("V5-SHOT-10")
def test_when_the_cover_save_is_rolled() -> None:
    after = shot_with_rules(ShotDraft("gun", 3, 8, 12, 3, cover=4))
    first = shot_with_rules(ShotDraft("gun", 3, 8, 12, 3, cover=4), rulings=Rulings(cover_step="after_hit"))
    for shot, steps in ((after, ["to hit", "penetration", "cover save"]), (first, ["to hit", "cover save"])):
        tape = Script(3, 6, 4) if shot is after else Script(3, 4)
        assert shooting.roll_shot(tape, shot) is None
        assert [ask.label for ask, _ in tape.trail] == [f"gun: {step}" for step in steps]
        assert tape.used_up
    tape = Script(3, 5, 3, 2)
    assert shooting.roll_shot(tape, after) == "stunned"
    assert [ask.clauses for ask, _ in tape.trail] == [("V5-CORE-1",), ("V5-PEN-3",), ("V5-CORE-4",), ("V5-PEN-4",)]


@pytest.mark.clause("V5-CORE-1")
@pytest.mark.parametrize(("bs", "needs"), [(0, 7), (1, 6), (2, 5), (3, 4), (4, 3), (5, 2), (10, 2)])
def test_to_hit(bs: int, needs: int) -> None:
    assert shooting.bs_to_hit(bs) == needs
    assert odds_of(shooting.roll_to_hit, "", needs).chance(True) == Fraction(7 - needs, 6)


@pytest.mark.clause("V5-SKIM-6", "V5-CORE-4", "V5-SMOKE-3")
@pytest.mark.parametrize(
    ("traits", "band", "immobilised", "smoke", "terrain", "save", "as_bonus"),
    [
        (Traits(fast=True, skimmer=True), "flat_out", False, False, None, 4, 4),
        (Traits(fast=True, skimmer=True), "flat_out", True, False, None, None, None),
        (Traits(fast=True, skimmer=True), "cruising", False, False, None, None, None),
        (Traits(fast=True), "flat_out", False, False, None, None, None),
        (Traits(skimmer=True), "cruising", False, False, 5, 5, 5),
        (Traits(fast=True, skimmer=True), "flat_out", False, True, None, 4, 2),
        (Traits(fast=True, skimmer=True), "flat_out", False, False, 3, 3, 3),
        (Traits(), "combat", False, True, None, 4, None),
        (Traits(), "combat", False, True, 3, 3, 2),
        (Traits(), "combat", False, True, 6, 4, 2),
    ],
)
def test_best_cover(
    traits: Traits, band: Any, immobilised: bool, smoke: bool, terrain: int, save: int | None, as_bonus: int | None
) -> None:
    state = Condition(immobilised=immobilised)
    assert shooting.best_cover(traits, band, state, smoke, terrain) == save
    assert shooting.best_cover(traits, band, state, smoke, terrain, Rulings(smoke_cover="bonus")) == as_bonus
    if save is not None:
        assert odds_of(shooting.roll_cover, save).chance(True) == Fraction(7 - save, 6)


@pytest.mark.clause("V5-SKIM-6", "V5-SKIM-7")
def test_lascannon_at_a_skimmer_flat_out() -> None:
    skimmer = Condition(weapons=("gun",), crash="every")
    assert fired([replace(LASCANNON, cover=4)], skimmer).chance(WHOLE["destroyed"]) == Fraction(5, 54)
    assert fired([LASCANNON]).chance(WHOLE["destroyed"]) == Fraction(1, 9)


@pytest.mark.clause("V5-SHOT-5", "V5-VOLLEY-1")
def test_facings_are_one_volley() -> None:
    front, side = [LASCANNON] * 2, [aimed("lascannon", 4, 9, 10, 2)] * 2
    two = Condition(weapons=("gun",) * 2)
    odds = fired([*front, *side], two)
    assert odds.chance(WHOLE["destroyed"]) == Fraction(9379, 19683)
    assert odds.chance(WHOLE["exploded"]) == Fraction(28073, 118098)
    assert fired([*side, *front], two).chance(WHOLE["destroyed"]) == Fraction(9379, 19683)


@pytest.mark.clause("V5-MARK-2", "V5-CORE-4")
def test_expected_numbers() -> None:
    found = shooting.expected([LASCANNON] * 4)
    assert (found.hits, found.glancing, found.penetrating) == (Fraction(8, 3), Fraction(4, 9), Fraction(4, 3))
    melta = aimed("meltagun", 4, 8, 13, 1, "melta", half_range=True, cover=4)
    found = shooting.expected([melta] * 3)
    assert (found.hits, found.glancing, found.penetrating) == (2, Fraction(1, 9), Fraction(13, 18))
    flamer = shot_with_rules(ShotDraft("flamer", 0, 5, 10, 4), ["template", "twin_linked"])
    found = shooting.expected([flamer])
    assert (found.hits, found.glancing) == (1, Fraction(1, 6) * Fraction(5, 3))
    glancing = results_of(flamer).chance(lambda row: row != "none")
    assert glancing == found.glancing + found.penetrating


@pytest.mark.clause("V5-VOLLEY-1", "V5-DMG-3")
def test_one_volley_with_dice_and_a_choice() -> None:
    start = Condition(weapons=("cannon", "bolter"))
    begun = shooting.begin_volleys(start, [(LASCANNON,) * 2])
    with pytest.raises(BattletapeError, match=r"weapon destroyed needs .*, but the script has run out"):
        shooting.fire(Script(3, 4, 3), begun)
    tape = Script(3, 4, 3, "bolter", 2)
    assert shooting.fire(tape, begun).now == Condition(weapons=("cannon",))
    assert tape.used_up


@pytest.mark.clause("V5-SHOT-6", "V5-SHOT-9")
def test_rims_and_templates_in_a_volley() -> None:
    rim = RULES.ask("shoot", front=10, guns=[{"auto": True, "strength": 9, "rim": True}])
    whole = RULES.ask("shoot", front=10, guns=[{"auto": True, "strength": 4}])
    assert rim.odds("result") == whole.odds("result")
    assert rows(rim) == [("gun 1", "front", "4")]
    assert whole.table is None


@pytest.mark.clause("V5-SHOT-10")
def test_the_order_of_the_shooting_steps() -> None:
    steps = ("target", "facing_and_to_hit", "note_av", "penetration", "cover_save", "damage")
    assert shooting_steps() == steps
    early = shooting_steps(Rulings(cover_step="after_hit"))
    assert early == ("target", "facing_and_to_hit", "cover_save", "note_av", "penetration", "damage")
    for cover_step, order in (("after_penetration", steps), ("after_hit", early)):  # as the dice are thrown
        dice = {"gun: to hit": 6, "gun: penetration": 6, "gun: cover save": 1, "gun: damage": 1}
        labels = [label for step in order for label in dice if step.replace("_", " ").endswith(label[5:])]
        tape = Script(*(dice[label] for label in labels))
        gun = {"strength": 9, "bs": 4}
        rolled = RULES.roll("shoot", tape=tape, guns=[gun], cover=4, cover_step=cover_step)
        assert ([entry.label for entry in rolled.entries], tape.used_up) == (labels, True)


F = Fraction


@pytest.mark.clause("V5-ORD-2", "V5-PEN-2")
def test_a_sure_hit_of_a_blast_weapon_is_fine() -> None:
    answer = ask("shoot", front=14, weapons=0, immobilised=True, guns="weapon='Battle cannon' auto=yes")
    assert answer.odds("expected_hits").mean == 1
    through, glance = 1 - F(6, 6) ** 2, F(11, 36)  # S8 against 14: the higher die must be a 6
    assert answer.odds("destroyed").chance(1) == through + glance * F(2, 6)


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


def _plain(stage: Any) -> Any:
    """The same stage without its fold showing."""
    return lambda tape, state: stage(tape, state)


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


@pytest.mark.clause("V5-VOLLEY-2", "V5-MARK-1")
def test_a_step_in_two_is_the_step_in_one() -> None:
    shot = ask("shoot", guns=[{"strength": 9, "ap": 2}]).start.volleys[0][0]
    flags = [
        Condition(*three, weapons=names) for three in product((False, True), repeat=3) for names in ((), ("a", "b"))
    ]
    for condition in (*flags, Condition(status="wrecked")):
        one, two = Exact(), Exact()
        direct = two.outcomes(lambda tape, state=condition: resolve_shot(tape, state, shot))
        assert one.odds(one.chain(resolve_shot, condition, (shot,))) == two.odds(direct)


@pytest.mark.clause("V5-MARK-5")
def test_a_destroyed_vehicle_stays_so_in_later_volleys() -> None:
    barrage = begin_volleys(Condition(status="wrecked"), ((), ()))
    known = replace(barrage, destroyed_in=1, done=1)
    after = Exact().run((next_turn, fire), known)
    assert after == {replace(known, done=2): 1}


def chain(volleys: list[list[Shot]], apart: bool = False, rulings: Rulings = Rulings()) -> Odds[Volley]:
    begun = shooting.begin_volleys(ruled(ONE_GUN, rulings), volleys, apart)
    odds: Odds[Volley] = Exact().run(shooting.volley_stages(begun), begun)
    return odds


@pytest.mark.clause("V5-MARK-5", "V5-VOLLEY-1")
@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.parametrize("rulings", [Rulings(), BATCH])
def test_several_turns_are_one_long_volley(apart: bool, rulings: Rulings) -> None:
    odds = chain([[LASCANNON] * 2] * 3, apart, rulings).project(lambda one: one.now)
    assert odds.chance(WHOLE["destroyed"]) == Fraction(208220489, 387420489)
    assert odds.chance(WHOLE["stuck"]) == Fraction(285020489, 387420489)
    assert odds.chance(WHOLE["destroyed"]) == fired([LASCANNON] * 6).chance(WHOLE["destroyed"])


@pytest.mark.clause("V5-MARK-5")
def test_when_it_is_destroyed() -> None:
    when = chain([[LASCANNON] * 2] * 3).project(lambda one: one.destroyed_in)
    so_far = Fraction(0)
    for number in (1, 2, 3):
        so_far += when.chance(number)
        assert so_far == fired([LASCANNON] * 2 * number).chance(WHOLE["destroyed"])
    assert when.chance(0) == 1 - so_far


@pytest.mark.clause("V5-MARK-5", "V5-DMG-1", "V5-DMG-2")
def test_crews_recover_between_turns() -> None:
    glancing = [replace(LASCANNON, hits_on=0, armour_gap=6)]
    same, apart = chain([glancing] * 2), chain([glancing] * 2, apart=True)
    assert apart.chance(lambda one: one.now.shaken) == Fraction(1, 6) * Fraction(1, 2)
    assert same.chance(lambda one: one.now.shaken) == 1 - Fraction(11, 12) ** 2
    assert apart.chance(lambda one: one.now.immobilised) == same.chance(lambda one: one.now.immobilised)
