"""Table 1 cell by cell, saves over 100 DMG, re-rolls, which save is used, feel no pain."""

from __future__ import annotations

from typing import Any

import pytest

from battletape.errors import BadInput
from battletape.rulesets.diceless40k.rules import saves as save_rules
from battletape.rulesets.diceless40k.rulings import Rulings
from tests.diceless40k.vectors import vectors


@pytest.mark.clause("DL-20.1", "DL-20.3", "DL-20.4", "DL-T1")
@pytest.mark.parametrize(("given", "expect"), vectors("save_table"))
def test_the_table_of_the_vectors(given: dict[str, Any], expect: dict[str, Any]):
    assert save_rules.look_up(given["dmg"], given["save"]) == expect["hp_lost"]


@pytest.mark.clause("DL-T1")
def test_499_of_500_cells_are_sixths_rounded_half_up_and_one_is_odd():
    cells = [(dmg, save) for save in save_rules.TABLE for dmg in save_rules.TABLE[save] if dmg]
    assert len(cells) == 500
    odd = [(dmg, save) for dmg, save in cells if save_rules.look_up(dmg, save) != (dmg * (save - 1) + 3) // 6]
    assert odd == [(3, 2)]
    assert save_rules.look_up(3, 2) == 0


@pytest.mark.clause("DL-20.2")
def test_the_first_ten_rows_as_the_excerpt_prints_them():
    excerpt = (
        (0, 0, 1, 1, 1),
        (0, 1, 1, 1, 2),
        (0, 1, 2, 2, 3),
        (1, 1, 2, 3, 3),
        (1, 2, 3, 3, 4),
        (1, 2, 3, 4, 5),
        (1, 2, 4, 5, 6),
        (1, 3, 4, 5, 7),
        (2, 3, 5, 6, 8),
        (2, 3, 5, 7, 8),
    )
    for dmg, row in enumerate(excerpt, start=1):
        assert tuple(save_rules.look_up(dmg, save) for save in (2, 3, 4, 5, 6)) == row


@pytest.mark.clause("DL-20.1")
def test_9_dmg_on_3_plus_are_3_hp_as_in_the_document():
    assert save_rules.look_up(9, 3) == 3
    assert save_rules.look_up(64, 3) == 21
    assert save_rules.look_up(90, 6) == 75


@pytest.mark.clause("DL-20.4")
def test_128_dmg_on_3_plus_are_33_and_9_as_in_the_document():
    assert save_rules.look_up(128, 3) == save_rules.look_up(100, 3) + save_rules.look_up(28, 3) == 33 + 9 == 42
    assert (save_rules.look_up(320, 6), save_rules.look_up(250, 4), save_rules.look_up(101, 3)) == (266, 125, 33)


@pytest.mark.clause("DL-20.4")
@pytest.mark.parametrize(("save", "differ"), [(2, 797), (3, 801), (4, 0), (5, 801), (6, 799)])
def test_hundreds_and_remainder_differ_from_one_rounding(save: int, differ: int):
    chunked = [save_rules.look_up(dmg, save) for dmg in range(1001)]
    assert chunked == sorted(chunked)  # more DMG never costs less
    whole = [(dmg * (save - 1) + 3) // 6 for dmg in range(1001)]
    assert sum(a != b for a, b in zip(chunked[101:], whole[101:], strict=True)) == differ


@pytest.mark.clause("DL-20.3")
def test_without_a_save_all_dmg_is_lost():
    assert [save_rules.look_up(dmg, None) for dmg in (0, 1, 99, 320)] == [0, 1, 99, 320]


@pytest.mark.clause("DL-20.1")
@pytest.mark.parametrize("save", [1, 7, 0, -2])
def test_a_save_of_1_plus_is_refused(save: int):
    for ask in (lambda: save_rules.look_up(10, save), lambda: save_rules.column_of(save)):
        with pytest.raises(BadInput, match=rf"2\+ to 6\+, or none; got {save}\+ \(DL-20.1\)"):
            ask()


@pytest.mark.clause("DL-20.1")
def test_dmg_below_zero_is_refused():
    with pytest.raises(BadInput, match="0 or more; got -1"):
        save_rules.look_up(-1, 3)


@pytest.mark.clause("DL-20.5", "DL-20.6")
@pytest.mark.parametrize(("given", "expect"), vectors("save_with_rerolls"))
def test_the_rerolls_of_the_vectors(given: dict[str, Any], expect: dict[str, Any]):
    column = save_rules.column_of(given["save"], given["reroll_failed"], given["reroll_successful"])
    assert column == expect["column"]
    assert save_rules.read_column(given["dmg"], column) == expect["hp_lost"]


@pytest.mark.clause("DL-20.5")
def test_who_may_repeat_failed_saves_reads_one_column_better():
    assert [save_rules.column_of(save, reroll_failed=True) for save in (2, 3, 4, 5, 6)] == [
        "2+ halved",
        "2+",
        "3+",
        "4+",
        "5+",
    ]
    assert [save_rules.read_column(dmg, "2+ halved") for dmg in (60, 100, 4, 3, 250)] == [5, 9, 1, 0, 21]


@pytest.mark.clause("DL-20.6")
def test_who_must_repeat_successful_saves_reads_one_column_worse():
    assert [save_rules.column_of(save, reroll_successful=True) for save in (2, 3, 4, 5, 6)] == [
        "3+",
        "4+",
        "5+",
        "6+",
        "none",
    ]
    assert save_rules.column_of(None, reroll_successful=True) == "none"


@pytest.mark.clause("DL-20.6")
def test_both_rerolls_cancel_or_the_worse_one_counts():
    assert save_rules.column_of(4, True, True) == "4+"
    assert save_rules.column_of(4, True, True, rulings=Rulings(save_shifts="worse")) == "5+"
    assert save_rules.column_of(6, True, True, rulings=Rulings(save_shifts="worse")) == "none"


@pytest.mark.clause("DL-20.6")
def test_other_shifts_move_the_column_and_never_beyond_2_plus():
    assert save_rules.column_of(4, worse=1) == "5+"
    assert save_rules.column_of(6, worse=1) == "none"
    assert save_rules.column_of(2, worse=-1) == "2+"
    assert save_rules.column_of(3, reroll_failed=True, worse=-1) == "2+ halved"


@pytest.mark.clause("DL-20.1", "DL-20.5")
def test_a_better_column_never_costs_more():
    for dmg in range(301):
        assert [save_rules.read_column(dmg, column) for column in save_rules.LADDER] == sorted(
            save_rules.read_column(dmg, column) for column in save_rules.LADDER
        )


@pytest.mark.clause("DL-20.1")
@pytest.mark.parametrize(("given", "expect"), vectors("best_save"))
def test_the_best_save_of_the_vectors(given: dict[str, Any], expect: dict[str, Any]):
    saves = save_rules.allowed_saves(
        given["ap"], given["armour"], given["cover"], given["invulnerable"], given["assault"]
    )
    assert (saves[0][1] if saves else None) == expect["save"]


@pytest.mark.clause("DL-20.1")
def test_which_saves_help():
    everything = {"armour": 3, "cover": 4, "invulnerable": 5}
    assert save_rules.allowed_saves(None, **everything) == (("armour", 3), ("cover", 4), ("invulnerable", 5))
    assert save_rules.allowed_saves(3, **everything) == (("cover", 4), ("invulnerable", 5))
    assert save_rules.allowed_saves(4, **everything, ignores_cover=True) == (("armour", 3), ("invulnerable", 5))
    assert save_rules.allowed_saves(None, **everything, assault=True, ignores_armour=True) == (("invulnerable", 5),)
    assert save_rules.allowed_saves(1, None) == ()


@pytest.mark.clause("DL-20.1")
def test_going_to_ground():
    assert [save_rules.cover_of(cover, True) for cover in (None, 6, 4, 3, 2)] == [6, 5, 3, 2, 2]
    assert [save_rules.cover_of(cover) for cover in (None, 4)] == [None, 4]


@pytest.mark.clause("DL-75.1")
@pytest.mark.parametrize(("given", "expect"), vectors("feel_no_pain"))
def test_feel_no_pain_of_the_vectors(given: dict[str, Any], expect: dict[str, Any]):
    hp = given["hp_lost_after_saves"]
    assert (save_rules.halved(hp) if given["applies"] else hp) == expect["hp_lost"]


@pytest.mark.clause("DL-75.1")
@pytest.mark.parametrize(("given", "expect"), vectors("feel_no_pain_allowed"))
def test_where_feel_no_pain_helps_by_the_vectors(given: dict[str, Any], expect: dict[str, Any]):
    allowed = save_rules.feels_no_pain(given["ap"], given["s"], given["t"], given["ignores_armour_always"])
    assert allowed == expect["allowed"]


@pytest.mark.clause("DL-75.1", "DL-T1")
def test_the_4_plus_column_is_half_rounded_up():
    assert all(save_rules.look_up(dmg, 4) == save_rules.halved(dmg) for dmg in range(1001))
