"""Views: what to show, as plain data."""

from __future__ import annotations

import sys
from fractions import Fraction
from typing import Any

import msgspec
import pytest

from battletape.errors import BadInput
from battletape.odds import Odds, fraction_text
from battletape.system import Lead, Measure, Table
from battletape.views.answer import measure_view, table_view
from battletape.views.catalogue import field_views, question_view
from battletape.views.chances import Cut, Row, amount, chance, kind_of, number_text, rows_of, value_text
from battletape.views.compare import compare_view, find_thresholds
from battletape.views.roll import luck_words, result_view
from tests.toy import RULESET
from tests.toy.questions import SHOOT, Shoot

COUNT = Measure("count", "Count", lambda state: state, "things")
NAMED = Measure("kind", "Kind", lambda state: state)


def shown_of(odds: Odds[Any], most: int) -> tuple[tuple[Row, ...], Cut]:
    """The bars of a distribution that must have been cut."""
    rows, cut = rows_of(odds, most)
    assert cut is not None
    return rows, cut


def test_a_chance_is_exact_readable_and_a_number():
    assert chance(Fraction(7, 10)) == chance(Fraction(7, 10))
    assert msgspec.to_builtins(chance(Fraction(1, 3))) == {"fraction": "1/3", "value": 1 / 3, "percent": "33 %"}
    assert amount(Fraction(5, 2)).text == "2.5"
    assert amount(3).fraction == "3"


@pytest.mark.parametrize(
    ("number", "text"), [(2.468, "2.47"), (24.68, "24.7"), (246.8, "247"), (3.0, "3"), (12345.6, "12,346")]
)
def test_numbers_have_the_digits_they_deserve(number, text):
    assert number_text(number) == text


def test_values_read_as_people_write_them():
    assert [value_text(value) for value in (True, False, 3, Fraction(5, 2), "left")] == [
        "yes",
        "no",
        "3",
        "2.5",
        "left",
    ]


def test_a_fraction_python_will_not_write_is_told_as_a_number():
    most = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(4300)
    try:
        assert fraction_text(Fraction(1, 10**5000 + 1) + Fraction(1, 2)) == "≈0.5"
    finally:
        sys.set_int_max_str_digits(most)


def test_what_has_no_unit_and_is_0_or_1_happens_or_not():
    assert kind_of(Odds({0: 1, 1: 1}), "") == "yes_no"
    assert kind_of(Odds({0: 1, 1: 1}), "models") == "number"
    assert kind_of(Odds({0: 1, 2: 1}), "") == "number"
    assert kind_of(Odds({True: 1}), "models") == "yes_no"
    assert kind_of(Odds({"left": 1}), "") == "other"


def test_few_values_are_all_shown():
    rows, cut = rows_of(Odds({1: 1, 2: 3}), 5)
    assert cut is None
    assert [(row.label, row.exactly.fraction, row.at_least and row.at_least.fraction) for row in rows] == [
        ("1", "1/4", "1"),
        ("2", "3/4", "3/4"),
    ]


def test_a_long_distribution_keeps_all_but_the_rare_ends():
    odds = Odds({value: 10_000 if 100 <= value < 110 else 1 for value in range(200)})
    rows, cut = shown_of(odds, 24)
    assert rows[0].value <= 100
    assert len(rows) <= 24
    shown = sum(Fraction(row.exactly.fraction) for row in rows)
    assert shown + Fraction(cut.below.fraction) + Fraction(cut.above.fraction) == 1
    assert cut.values == 200


def test_neighbours_are_put_together_in_round_steps():
    odds = Odds(dict.fromkeys(range(500), 1))
    rows, cut = shown_of(odds, 24)
    assert cut.step == 50
    assert rows[0].label == "0–49"
    assert rows[1].at_least == chance(Fraction(9, 10))
    assert sum(Fraction(row.exactly.fraction) for row in rows) == 1


def test_numbers_that_are_not_whole_are_put_together_too():
    odds = Odds({Fraction(at, 3): 1 for at in range(100)})
    rows, cut = shown_of(odds, 10)
    assert len(rows) == 10
    assert cut.step == 10
    assert sum(Fraction(row.exactly.fraction) for row in rows) == 1


def test_names_keep_the_likeliest():
    odds = Odds({f"row {at}": at + 1 for at in range(30)})
    rows, cut = shown_of(odds, 5)
    assert [row.value for row in rows] == ["row 29", "row 28", "row 27", "row 26", "row 25"]
    assert sum(Fraction(row.exactly.fraction) for row in rows) + Fraction(cut.above.fraction) == 1
    assert rows[0].at_least is None


def test_a_measure_of_names_has_no_mean():
    view = measure_view(NAMED, Odds({"left": 1, "right": 3}))
    assert (view.kind, view.mean, view.likeliest) == ("other", None, "right")


def test_luck_is_told_from_the_rarer_side():
    assert luck_words(Fraction(1, 4), Fraction(9, 10)) == "As few or fewer: 25 %"
    assert luck_words(Fraction(9, 10), Fraction(1, 4)) == "As many or more: 25 %"
    assert luck_words(Fraction(1), Fraction(1)) == "The only result there is"


def test_a_result_without_odds_has_no_luck():
    assert result_view(COUNT, 3, None).luck == ""
    assert result_view(NAMED, "left", Odds({"left": 1, "right": 3})).luck == "25 % of the time"


def test_thresholds_lie_where_variants_differ():
    low, high = Odds(dict.fromkeys(range(5), 1)), Odds(dict.fromkeys(range(4, 9), 1))
    assert find_thresholds([low, high]) == (1, 2, 4, 6)
    assert find_thresholds([Odds({0: 1}), Odds({0: 1})]) == (0,)


def test_names_cannot_be_compared():
    from msgspec.structs import replace

    question = replace(SHOOT, measures=(Measure("word", "Word", lambda shot: "always"),), lead=())
    ruleset = replace(RULESET, questions=(question,))
    answer = ruleset.ask("shoot")
    with pytest.raises(BadInput, match="needs a measure that counts; word does not"):
        compare_view([("a", {}, answer), ("b", {}, answer)])


def test_the_first_measure_that_counts_is_compared():
    from msgspec.structs import replace

    measures = (Measure("word", "Word", lambda shot: "always"), *SHOOT.measures)
    for lead, compared in (
        ((), SHOOT.measures[0].name),
        (SHOOT.lead, SHOOT.lead[0].measure),
        ((Lead("word", "x"),), "lost"),
    ):
        question = replace(SHOOT, measures=measures, lead=lead)
        answer = replace(RULESET, questions=(question,)).ask("shoot")
        assert compare_view([("a", {}, answer), ("b", {}, answer)]).measure == compared


def test_fields_tell_a_form_what_it_needs():
    fields = {one.name: one for one in field_views(Shoot)}
    assert (fields["dice"].group, fields["dice"].wants) == ("Attacker", "a whole number from 1 to 12")
    assert (fields["save"].default, fields["wounds"].group) == ("5+", "Target")
    assert fields["paces"].group == "Inputs"
    assert question_view(SHOOT).measures == ("lost", "fallen", "pinned")


def test_hit_points_in_a_table_are_no_fraction_and_long_numbers_are_short():
    table = table_view(
        Table("Units", ("unit", "left"), (("Wardens", "16/16"), ("Raiders", "25001/2500"), ("x", "1/36")))
    )
    assert table is not None
    assert [row[1] for row in table.rows] == ["16/16", "10.00", "1/36"]
