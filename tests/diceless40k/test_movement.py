"""Moves, difficult and dangerous terrain, running."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from battletape.errors import BadInput
from battletape.rulesets.diceless40k.rules import movement
from battletape.rulesets.diceless40k.rules.casualties import Target
from battletape.rulesets.diceless40k.rules.characteristics import (
    FEEL_NO_PAIN,
    FLEET,
    MOVE_THROUGH_COVER,
    SKILLED_RIDER,
    Group,
)
from battletape.rulesets.diceless40k.rulings import Rulings
from battletape.tape.script import Script
from tests.diceless40k.log_lines import shares
from tests.diceless40k.vectors import vectors

REST = Rulings(terrain_cost="rest_of_move")


@pytest.mark.clause("DL-0.1")
def test_allowances_of_the_base_game():
    assert [movement.allowance(kind) for kind in ("infantry", "jump_infantry", "bike", "cavalry", "walker")] == [
        6,
        12,
        12,
        6,
        6,
    ]
    assert [movement.allowance(kind, "assault") for kind in ("infantry", "beast")] == [6, 12]
    assert movement.allowance("jetbike", "turbo_boost") == 24
    assert [movement.allowance("infantry", less=less) for less in (2, 7)] == [4, 0]


@pytest.mark.clause("DL-14.1")
@pytest.mark.parametrize(("given", "expect"), vectors("difficult_move"))
def test_difficult_moves_of_the_vectors(given: dict[str, Any], expect: dict[str, Any]):
    inside = movement.inches_in_terrain(given["allowance"], given["open_inches_first"])
    assert (inside, given["open_inches_first"] + inside) == (expect["terrain_inches"], expect["total_inches"])


@pytest.mark.clause("DL-14.1")
def test_three_inches_to_the_wood_leave_one_and_a_half_inside_as_in_the_document():
    assert movement.inches_in_terrain(6, 3) == 1.5
    assert movement.inches_in_terrain(6) == 3
    with pytest.raises(BadInput, match=r"0 to 6 inches; got 7"):
        movement.inches_in_terrain(6, 7)


@pytest.mark.clause("DL-14.1")
@pytest.mark.parametrize(("given", "expect"), vectors("move_cost"))
def test_the_costs_of_the_vectors(given: dict[str, Any], expect: dict[str, Any]):
    path = [(ground, inches) for ground, inches in given["segments"]]
    assert movement.cost_of(path) == expect["cost"]
    assert (movement.refuse_path(path, given["allowance"]) is None) == expect["legal"]


@pytest.mark.clause("DL-14.1")
def test_a_path_through_a_wood():
    through: movement.MovePieces = [("open", 2), ("difficult", 1), ("open", 2)]
    into: movement.MovePieces = [("open", 3), ("difficult", 2)]
    assert movement.refuse_path(through, 6) is None
    refused = movement.refuse_path(into, 6)
    assert refused is not None
    assert str(refused) == (
        "the move costs 7 inches, of which 2 inches in difficult terrain count twice; 6 inches are allowed (DL-14.1)"
    )
    assert movement.refuse_path(into, 6, slowed=False) is None
    with pytest.raises(BadInput, match="0 inches or more; got -1"):
        movement.cost_of([("open", -1)])


@pytest.mark.clause("DL-14.1")
def test_terrain_may_halve_the_rest_of_the_move_by_a_ruling():
    through: movement.MovePieces = [("open", 2), ("difficult", 1), ("open", 2)]
    assert movement.cost_of(through, REST) == 8
    assert movement.refuse_path(through, 6, rulings=REST) is not None
    assert movement.cost_of([("open", 3), ("difficult", 1.5)], REST) == 6


@pytest.mark.clause("DL-14.1")
def test_whom_difficult_terrain_slows():
    slowed = [
        kind for kind in ("infantry", "beast", "walker", "jump_infantry", "bike", "jetbike") if movement.is_slowed(kind)
    ]
    assert slowed == ["infantry", "beast", "walker"]


@pytest.mark.clause("DL-75.3")
@pytest.mark.parametrize(("given", "expect"), vectors("move_through_cover"))
def test_move_through_cover_of_the_vectors(given: dict[str, Any], expect: dict[str, Any]):
    inside = movement.inches_in_terrain(given["allowance"], given["open_inches_first"], through_cover=True)
    assert (inside, given["open_inches_first"] + inside) == (expect["terrain_inches"], expect["total_inches"])


@pytest.mark.clause("DL-75.3")
def test_what_is_left_after_the_terrain_may_be_used_in_the_open():
    assert movement.inches_in_terrain(6, 3, through_cover=True) == 3
    assert movement.refuse_path([("difficult", 5), ("open", 1)], 6, through_cover=True) is None
    refused = movement.refuse_path([("difficult", 6)], 6, through_cover=True)
    assert refused is not None
    assert refused.clause == "DL-75.3"
    too_far = movement.refuse_path([("difficult", 5), ("open", 2)], 6, through_cover=True)
    assert too_far is not None
    assert too_far.clause == "DL-14.1"


@pytest.mark.clause("DL-14.2", "DL-14.3", "DL-76.1")
@pytest.mark.parametrize(("given", "expect"), vectors("dangerous_terrain"))
def test_dangerous_terrain_of_the_vectors(given: dict[str, Any], expect: dict[str, Any]):
    group = Group(
        "unit",
        given["models"],
        400,
        armour=given.get("armour"),
        invulnerable=given["invulnerable"],
        type=given.get("unit_type", "infantry"),
        rules=(SKILLED_RIDER,) if given.get("skilled_rider") else (),
    )
    target = Target((group,), cover=given.get("cover"))
    toll = movement.cross_dangerous_terrain(Script(), target, movement.Hazard(given["dmg_per_model"])).losses
    assert (toll.dmg, toll.hp) == (expect["dmg"], expect["hp_lost"])


@pytest.mark.clause("DL-14.4")
@pytest.mark.parametrize(("given", "expect"), vectors("dangerous_terrain_per_inch"))
def test_terrain_that_hurts_by_the_inch_of_the_vectors(given: dict[str, Any], expect: dict[str, Any]):
    group = Group("unit", given["models"], 400, invulnerable=given["invulnerable"])
    toll = movement.cross_dangerous_terrain(
        Script(), Target((group,)), movement.Hazard(dmg_per_inch=given["dmg_per_inch"]), given["inches"]
    ).losses
    assert (toll.dmg, toll.hp) == (expect["dmg"], expect["hp_lost"])


@pytest.mark.clause("DL-14.2", "DL-14.3")
def test_five_models_in_dangerous_terrain():
    after = movement.cross_dangerous_terrain(Script(), Target((Group("marines", 5, 40, armour=3),), cover=4))
    assert (after.groups[0].models, after.groups[0].recorded) == (4, 10)
    for models, save, hp in ((1, 5, 7), (5, 4, 25), (3, 6, 25)):
        group = Group("unit", models, 100, invulnerable=save, rules=(FEEL_NO_PAIN,))
        assert movement.cross_dangerous_terrain(Script(), Target((group,))).losses.hp == hp


@pytest.mark.clause("DL-14.2")
def test_only_who_crosses_is_hurt():
    unit = Target((Group("sergeant", 1, 40), Group("others", 4, 40)))
    tape = Script()
    movement.cross_dangerous_terrain(tape, unit, passages=((), (movement.Passage(),) * 3))
    assert [(share.group, share.dmg) for share in shares(tape)] == [("others", 30)]
    with pytest.raises(BadInput, match=r"others has 4 models; got 5"):
        movement.cross_dangerous_terrain(Script(), unit, passages=((), (movement.Passage(),) * 5))


@pytest.mark.clause("DL-14.2")
def test_once_in_a_move_or_each_time():
    assert movement.terrain_damage(movement.Hazard(), crossings=2) == 10
    assert movement.terrain_damage(movement.Hazard(), crossings=2, rulings=Rulings(dangerous_per="crossing")) == 20
    assert movement.terrain_damage(movement.Hazard(), crossings=0) == 0
    with pytest.raises(BadInput, match="0 or more"):
        movement.terrain_damage(movement.Hazard(), crossings=-1)


@pytest.mark.clause("DL-14.4", "DL-76.1")
def test_rounding_of_terrain_damage():
    assert [movement.terrain_damage(movement.Hazard(dmg_per_inch=5), inches) for inches in (0.1, 1.5, 0.3, 1.1)] == [
        1,
        8,
        2,
        6,
    ]
    assert movement.terrain_damage(movement.Hazard(15), skilled_rider=True, unit_type="bike") == 8
    assert movement.terrain_damage(movement.Hazard(15), skilled_rider=True, unit_type="infantry") == 15
    assert movement.terrain_damage(movement.Hazard(), skilled_rider=True, unit_type="cavalry") == 5


@pytest.mark.clause("DL-14.2")
def test_whom_terrain_hurts():
    assert movement.is_in_danger("infantry", dangerous=True, starts_or_ends=False)
    assert not movement.is_in_danger("infantry", dangerous=False, starts_or_ends=True)
    assert movement.is_in_danger("bike", dangerous=False, starts_or_ends=False)
    assert movement.is_in_danger("jump_infantry", dangerous=False, starts_or_ends=True)
    assert not movement.is_in_danger("jetbike", dangerous=True, starts_or_ends=False)


@pytest.mark.clause("DL-16.1", "DL-75.3")
def test_what_all_models_of_a_unit_must_have():
    hounds, master = Group("hounds", 5, 40, rules=(FLEET, MOVE_THROUGH_COVER)), Group("master", 1, 40)
    assert movement.refuse_assault_after_run((hounds,)) is None
    assert movement.moves_through_cover((hounds,))
    refused = movement.refuse_assault_after_run((hounds, master))
    assert refused is not None
    assert refused.clause == "DL-16.1"
    assert not movement.moves_through_cover((hounds, master))
    assert movement.moves_through_cover((hounds, replace(master, models=0)))


@pytest.mark.clause("DL-16.1")
@pytest.mark.parametrize(("given", "expect"), vectors("run"))
def test_running_of_the_vectors(given: dict[str, Any], expect: dict[str, Any]):
    assert movement.run_distance(**given) == expect["inches"] == 4
