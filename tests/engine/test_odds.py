"""Odds: exact arithmetic on distributions, and how they are shown."""

from __future__ import annotations

import copy
import csv
import json
import pickle
import sys
from fractions import Fraction
from math import sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import battletape as bt
from battletape.dice import D6, at_least
from battletape.errors import BattletapeError
from battletape.odds import How, Odds, percent, shares
from battletape.tape.exact import Exact
from battletape.tape.sampled import sampled
from battletape.views.chances import rows_of

DIE = Odds(dict.fromkeys(range(1, 7), 1))
LEFT_OUT = Odds({0: 1, 1: 2}, total=6)
SAMPLED = How("sampled", branches=1_000, states=2)


def odds_of_numbers() -> st.SearchStrategy[Odds[int]]:
    weights = st.dictionaries(st.integers(-20, 20), st.integers(0, 50), min_size=1, max_size=8)
    return weights.filter(lambda found: sum(found.values()) > 0).map(Odds)


class TestNumbers:
    def test_a_die(self):
        assert DIE.mean == Fraction(7, 2)
        assert DIE.variance == Fraction(35, 12)
        assert DIE.deviation == pytest.approx(sqrt(35 / 12))
        assert (DIE.median, DIE.mode, len(DIE)) == (3, 1, 6)
        assert DIE.error == 0.0

    def test_chances(self):
        assert DIE.chance(4) == Fraction(1, 6)
        assert DIE.chance(7) == 0
        assert DIE.chance(lambda face: face % 2) == Fraction(1, 2)
        assert (DIE.at_least(5), DIE.at_most(5)) == (Fraction(1, 3), Fraction(5, 6))
        assert DIE.at_least(-1) == 1
        assert DIE.at_most(-1) == 0

    @pytest.mark.parametrize(
        "share, value",
        [(0, 1), (Fraction(1, 6), 1), (0.17, 2), (0.5, 3), (Fraction(1, 2), 3), (0.51, 4), (Fraction(5, 6), 5), (1, 6)],
    )
    def test_quantiles(self, share, value):
        assert DIE.quantile(share) == value

    @pytest.mark.parametrize("share", [-0.1, 1.1])
    def test_a_quantile_past_the_whole_is_refused(self, share):
        with pytest.raises(BattletapeError, match=f"a quantile needs a share from 0 to 1, got {share}"):
            DIE.quantile(share)

    def test_numbers_beyond_floats_do_not_matter(self):
        def hits(tape, dice):
            return tape.pool(dice, D6, at_least(3), label="to hit")[True]

        odds = Exact().run((hits,), 1_500)
        assert odds.total > 10**308
        assert odds.quantile(0.5) == odds.median == odds.mode == 1_000
        assert odds.quantile(0.0) == 0
        assert odds.deviation == pytest.approx(sqrt(1_500 * 2 / 9))
        assert sum(odds.floats().values()) == pytest.approx(1)
        assert "…" in repr(odds)
        assert "<table>" in odds._repr_html_()

    def test_the_mode_is_the_smaller_of_two(self):
        assert Odds({5: 3, 2: 3, 1: 1}).mode == 2

    def test_fractions_and_floats_as_values(self):
        assert Odds({0.5: 1, Fraction(1, 4): 1}).mean == Fraction(3, 8)
        assert Odds({True: 1, False: 2}).mean == Fraction(1, 3)

    def test_words_have_no_mean(self):
        odds = Odds({"head": 1, "body": 3})
        for number in ("mean", "variance", "deviation"):
            with pytest.raises(
                BattletapeError, match="a mean needs numbers, got 'head'; project the odds to a measure first"
            ):
                getattr(odds, number)
        assert odds.mode == "body"
        assert odds.chance("head") == Fraction(1, 4)

    def test_the_error_of_a_sample_rests_on_the_number_of_runs(self):
        odds = Odds({0: 500, 1: 500}, 1_000, SAMPLED)
        assert odds.total == 2
        assert odds.error == pytest.approx(sqrt(0.25 / 1_000))
        assert odds.project(lambda value: value * 2).error == pytest.approx(sqrt(1 / 1_000))
        assert (odds + odds).how.method == "sampled"
        assert (odds + odds).error > 0
        assert sampled((lambda tape, s: tape.roll(D6, at_least(4), label="x"),), 0, 400, 3).error == pytest.approx(
            0.025, abs=0.001
        )


class TestUnexplored:
    def test_what_was_left_out_is_told(self):
        assert LEFT_OUT.unexplored == Fraction(1, 2)
        assert LEFT_OUT.chance(1) == Fraction(1, 3)
        assert LEFT_OUT.mean == Fraction(2, 3)  # of the explored half
        assert LEFT_OUT.median == 1
        assert not LEFT_OUT.is_exact
        assert LEFT_OUT.to_dict()["unexplored"] == "1/2"
        assert repr(LEFT_OUT) == "<Odds mean 0.6667, {0: 17 %, 1: 33 %}, exact, unexplored 0.5>"

    def test_it_is_carried_along(self):
        assert LEFT_OUT.project(str).unexplored == Fraction(1, 2)
        assert (LEFT_OUT + DIE).unexplored == Fraction(1, 2)
        assert (LEFT_OUT + LEFT_OUT).unexplored == Fraction(3, 4)
        assert [row[2] for row in LEFT_OUT.rows()] == [Fraction(1, 2), Fraction(1, 3)]

    @pytest.mark.parametrize(
        "weights, total, said",
        [
            ({0: 3}, 2, "the weights of odds may add up to at most their total, 2; got 3"),
            ({0: -1, 1: 2}, None, "the weights of odds must be 0 or more, got -1 for 0"),
            ({1: -1}, None, "the weights of odds must be 0 or more, got -1 for 1"),
            ({}, 0, "odds need a total of 1 or more, got 0"),
            ({0: 0}, None, "odds need one value or more with a weight, such as {1: 5, 2: 1}; got {0: 0}"),
            ({}, None, "odds need one value or more with a weight, such as {1: 5, 2: 1}; got {}"),
        ],
    )
    def test_weights_that_make_no_sense_are_refused(self, weights, total, said):
        with pytest.raises(BattletapeError) as error:
            Odds(weights, total)
        assert str(error.value) == said

    def test_weights_cannot_be_changed_in_place(self):
        odds = Odds({1: 5, 2: 1})
        with pytest.raises(TypeError):
            odds.weights[1] = 7  # type: ignore[index]
        with pytest.raises(AttributeError):
            odds.weights = {1: 1}  # type: ignore[misc]
        assert odds.weights == {1: 5, 2: 1}
        for again in (copy.copy(LEFT_OUT), copy.deepcopy(LEFT_OUT), pickle.loads(pickle.dumps(LEFT_OUT))):
            assert (again, again.unexplored, again.how) == (LEFT_OUT, LEFT_OUT.unexplored, LEFT_OUT.how)


class TestWhole:
    def test_weights_are_in_lowest_terms(self):
        odds = Odds({1: 10, 2: 20, 3: 0})
        assert (odds.weights, odds.total) == ({1: 1, 2: 2}, 3)

    def test_equality(self):
        assert Odds({1: 2, 2: 2}) == Odds({2: 5, 1: 5})
        assert Odds({1: 1, 2: 2}) != Odds({1: 2, 2: 1})
        assert Odds({1: 1}, 2) != Odds({1: 1})
        assert {face: Fraction(1, 6) for face in range(1, 7)} == DIE
        assert Odds({1: 1}) == {1: 1, 2: 0}
        assert DIE != "a die"
        assert len({DIE, Odds(dict.fromkeys(range(1, 7), 5)), Odds({1: 1})}) == 2

    def test_projection_merges(self):
        assert DIE.project(lambda face: face % 2) == {0: Fraction(1, 2), 1: Fraction(1, 2)}
        assert DIE.project(lambda face: face).how is DIE.how

    def test_the_sum_of_two(self):
        two = DIE + DIE
        assert two.chance(7) == Fraction(1, 6)
        assert two.mean == 7
        assert two.variance == 2 * DIE.variance

    def test_it_is_a_collection_of_values_with_their_chances(self):
        odds = Odds({3: 1, 1: 1, 2: 2})
        assert list(odds) == [1, 2, 3]
        assert odds.items() == [(1, Fraction(1, 4)), (2, Fraction(1, 2)), (3, Fraction(1, 4))]
        assert dict(odds.items()) == odds
        assert (2 in odds, 4 in odds, [2] in odds) == (True, False, False)
        assert (odds[2], odds[4]) == (Fraction(1, 2), 0)
        assert len(odds) == 3
        with pytest.raises(TypeError, match="not reversible"):
            reversed(odds)  # type: ignore[call-overload]

    def test_numbers_shift_and_stretch_it(self):
        assert DIE + 2 == 2 + DIE == DIE.project(lambda face: face + 2)
        assert DIE.project(lambda face: face - 1) == DIE - 1
        assert 7 - DIE == DIE
        assert 2 * DIE == DIE * 2 == DIE.project(lambda face: 2 * face)
        assert -DIE == DIE - 7
        assert list(DIE * 0.1)[2] == Fraction(3, 10)  # the decimal, not the float nearest to it
        assert (DIE + 2).how is DIE.how
        assert (Odds({1: 1}, 2) + 2).unexplored == Fraction(1, 2)

    def test_two_results_are_independent(self):
        assert (DIE - DIE)[0] == Fraction(1, 6)
        assert (DIE * DIE)[12] == Fraction(4, 36)
        assert DIE.max(DIE)[6] == Fraction(11, 36)
        assert DIE.min(DIE)[1] == Fraction(11, 36)
        assert DIE.max(3)[3] == DIE.min(4)[4] == Fraction(1, 2)
        assert sum([DIE] * 3) == DIE + DIE + DIE
        assert sum([DIE] * 3, Odds({0: 1}))[10] == Fraction(27, 216)

    def test_a_comparison_gives_the_odds_of_true(self):
        assert (DIE >= 5)[True] == (DIE < 3)[True] == Fraction(1, 3)
        assert (DIE > 5)[True] == (DIE <= 1)[True] == (DIE >= 6)[True] == Fraction(1, 6)
        assert (DIE > DIE)[True] == DIE.compare(DIE)["more"]
        assert DIE.ties(DIE)[True] == DIE.ties(4)[True] == Fraction(1, 6)
        assert Odds({"a": 1, "b": 3}).ties("b")[True] == Fraction(3, 4)
        hits = sum([DIE >= 4] * 4, Odds({0: 1}))
        assert hits[2] == Fraction(6, 16)  # each True counts one
        assert pickle.loads(pickle.dumps(DIE >= 4)) == (DIE >= 4)

    def test_comparison(self):
        found = DIE.compare(Odds({3: 1}))
        assert found == {
            "more": Fraction(1, 2),
            "equal": Fraction(1, 6),
            "less": Fraction(1, 3),
            "difference": Fraction(1, 2),
        }
        assert DIE.compare(DIE)["more"] == DIE.compare(DIE)["less"] == Fraction(15, 36)

    def test_values_in_order_where_they_have_one(self):
        assert Odds({3: 1, 1: 1, 2: 1}).values() == [1, 2, 3]
        assert Odds({"b": 1, 1: 1}).values() == ["b", 1]

    def test_rows_as_fractions_and_floats(self):
        rows = list(Odds({1: 1, 2: 1, 3: 2}).rows())
        assert rows == [
            (1, Fraction(1, 4), 1, Fraction(1, 4)),
            (2, Fraction(1, 4), Fraction(3, 4), Fraction(1, 2)),
            (3, Fraction(1, 2), Fraction(1, 2), 1),
        ]
        assert Odds({1: 1, 2: 3}).floats() == {1: 0.25, 2: 0.75}
        assert list(Odds({2: 3, 1: 1}).fractions()) == [1, 2]


class TestText:
    def test_json(self):
        data = json.loads(Odds({1: 1, 2: 3}).to_json())
        assert data["rows"][1] == {
            "value": 2,
            "exactly": "3/4",
            "at_least": "3/4",
            "exactly_float": 0.75,
            "at_least_float": 0.75,
        }
        assert {key: data[key] for key in ("method", "exact", "unexplored", "mean", "mean_float", "deviation")} == {
            "method": "exact",
            "exact": True,
            "unexplored": "0",
            "mean": "7/4",
            "mean_float": 1.75,
            "deviation": pytest.approx(sqrt(3) / 4),
        }
        words = json.loads(Odds({("a", 1): 1}).to_json(indent=1))
        assert words["rows"][0]["value"] == "('a', 1)"
        assert "mean" not in words

    def test_csv(self):
        rows = list(csv.DictReader(Odds({'say "x", y': 1, "z": 2}).to_csv().splitlines()))
        assert rows[0] == {
            "value": 'say "x", y',
            "exactly": "1/3",
            "at_least": "1",
            "exactly_float": str(1 / 3),
            "at_least_float": "1.0",
        }
        assert len(rows) == 2

    def test_repr(self):
        assert repr(Odds({1: 1, 2: 3})) == "<Odds mean 1.75, {1: 25 %, 2: 75 %}, exact>"
        assert repr(Odds({"a": 1})) == "<Odds {a: 100 %}, exact>"
        assert "… 8 more" in repr(Odds(dict.fromkeys(range(20), 1)))

    def test_html_is_escaped(self):
        html = (
            Odds({"<script>alert(1)</script>": 1, "a & b": 1}, how=How(policy="<b>"))
            .as_method(How("<i>"))
            ._repr_html_()
        )
        assert "<script>" not in html
        assert "&lt;script&gt;" in html
        assert "a &amp; b" in html
        assert "<i>" not in html
        assert html.count("<tr>") == 3

    def test_html_shows_what_was_left_unexplored(self):
        html = Odds({1: 1, 2: 2}, 4)._repr_html_()
        assert "<tr><td>unexplored</td><td style='text-align:right'>25 %</td><td></td><td></td></tr>" in html
        assert "unexplored" not in Odds({1: 1, 2: 2})._repr_html_()

    def test_html_in_the_words_of_a_measure(self):
        html = Odds({0: 1, 1: 1, 2: 2}).bars(lambda volley: f"volley {volley}", "at_most", never=0)
        assert [cell.split("<")[0] for cell in html.split("<tr><td>")[1:]] == ["volley 1", "volley 2", "volley 0"]
        assert html.count("75 %") == 1  # by volley 2, whatever never happens
        assert "<th>at most</th>" in html

    def test_html_says_how_many_values_it_leaves_out(self):
        html = Odds(dict.fromkeys(range(1_300), 1))._repr_html_()
        assert html.count("<tr>") == 201
        assert html.endswith(" · 1,100 more values</small>")

    def test_how_says_what_was_done(self):
        assert str(How()) == "exact"
        assert str(How("exact", "held steps", 1_234, 56, "choices by first option")) == (
            "exact · 1,234 branches · 56 states · held steps · choices by first option"
        )

    @pytest.mark.parametrize(
        "chance, said",
        [
            (0, "0 %"),
            (1, "100 %"),
            (Fraction(1, 10**6), "<0.1 %"),
            (1 - Fraction(1, 10**6), ">99.9 %"),
            (Fraction(4, 1000), "0.4 %"),
            (0.0567, "5.7 %"),
            (0.5249, "52 %"),
            (0.995, "99.5 %"),
        ],
    )
    def test_percents(self, chance, said):
        assert percent(chance) == said


@given(odds_of_numbers())
def test_totals_are_one(odds):
    assert sum(odds.fractions().values()) == 1
    assert sum(odds.floats().values()) == pytest.approx(1)
    assert odds.variance >= 0
    assert odds.quantile(0) == odds.values()[0]
    assert odds.quantile(1) == odds.values()[-1]


@given(odds_of_numbers(), st.integers(-25, 25))
def test_at_least_and_at_most_complete_each_other(odds, value):
    assert odds.at_least(value) + odds.at_most(value) - odds.chance(value) == 1
    assert odds.at_least(value + 1) + odds.at_most(value) == 1


@given(odds_of_numbers(), odds_of_numbers())
@settings(deadline=None)
def test_means_and_variances_add_up(one, other):
    both = one + other
    assert both.mean == one.mean + other.mean
    assert both.variance == one.variance + other.variance
    assert one.compare(other)["difference"] == one.mean - other.mean
    assert one.compare(other)["more"] == other.compare(one)["less"]


@given(odds_of_numbers(), st.fractions(0, 1))
def test_a_quantile_is_the_smallest_that_reaches_the_share(odds, share):
    value = odds.quantile(share)
    assert odds.at_most(value) >= share
    below = [one for one in odds.values() if one < value]
    assert not below or odds.at_most(below[-1]) < share


@given(
    st.dictionaries(st.integers(-4, 4), st.integers(1, 9), min_size=1),
    st.dictionaries(st.integers(-4, 4), st.integers(1, 9), min_size=1),
)
def test_numbers_are_compared_in_one_pass_as_each_against_each(one, other):
    """Floats and whole numbers of the same size are compared alike, by different ways."""
    slow = Odds({float(value): weight for value, weight in one.items()})
    fast, against = Odds(one).compare(Odds(other)), slow.compare(Odds({float(v): w for v, w in other.items()}))
    assert {name: fast[name] for name in ("more", "equal", "less")} == {
        name: against[name] for name in ("more", "equal", "less")
    }


def test_odds_given_a_condition():
    die = Odds(dict.fromkeys(range(1, 7), 1))
    high = die.given(lambda face: face >= 4)
    assert high.fractions() == {4: Fraction(1, 3), 5: Fraction(1, 3), 6: Fraction(1, 3)}
    assert (high.mean, high.how) == (5, die.how)
    with pytest.raises(BattletapeError, match="nothing that could happen fits"):
        die.given(lambda face: face > 6)
    with pytest.raises(BattletapeError, match="not explored"):
        Odds({1: 1, 2: 1}, 3).given(lambda face: face == 1)


def test_odds_with_thousands_of_digits_are_written_without_an_error():
    most = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(4300)
    try:
        rare = Odds({1: 1, 2: 3**20_000 - 1})
        row, _ = rare.to_dict()["rows"]
        assert row["exactly"] == f"≈{row['exactly_float']!r}"
        assert rare.to_csv().splitlines()[2].startswith("2,≈1.0,")
        assert rare.variance == (1 - rare[1]) * rare[1]
    finally:
        sys.set_int_max_str_digits(most)


def test_a_misspelt_word_is_no_chance_of_zero() -> None:
    worst = bt.ruleset("vehicles5").ask("shoot", guns=["Lascannon"], vehicle="anvil").odds("worst")
    assert worst.chance("exploded") == worst["exploded"] > 0
    with pytest.raises(BattletapeError, match=r"no result 'explode'\. Did you mean 'exploded'\?.*Known: no worse"):
        worst.chance("explode")
    with pytest.raises(BattletapeError, match="there is no result 'Exploded'"):
        worst["Exploded"]
    with pytest.raises(BattletapeError, match="these results are words, such as 'no worse than before'; got 3"):
        worst.chance(3)


def test_a_word_that_could_be_but_is_not_has_a_chance_of_zero() -> None:
    glance = bt.ruleset("vehicles5").ask("damage", hits=[{"hit": "glance"}]).odds("worst")
    assert glance.chance("exploded") == 0
    assert Odds({"red": 1, "blue": 2}).chance("green") == 0  # these odds know no other words
    with pytest.raises(BattletapeError, match=r"there is no result 'Red'. Did you mean 'red'"):
        Odds({"red": 1, "blue": 2}).chance("Red")


def test_results_may_be_named_by_their_words() -> None:
    fate = bt.ruleset("deathwatch").ask("shoot", target="Raider", bs=40).odds("fate")
    assert fate.chance("dead") == fate.chance(11) > 0
    assert fate.chance("critical 9") == 0
    with pytest.raises(BattletapeError, match="there is no result 'deda'"):
        fate.chance("deda")


def test_a_word_among_numbers_is_refused() -> None:
    for asked in ("2", "two"):
        with pytest.raises(BattletapeError, match=f"these results are numbers, such as 1; got '{asked}'"):
            Odds({1: 1, 2: 1}).chance(asked)
    assert Odds({1: 1, 2: 1}).chance(7) == 0
    assert Odds({(1, 2): 1}).chance(7) == 0
    with pytest.raises(BattletapeError, match="these results are not words"):
        Odds({(1, 2): 1}).chance("7")


def test_a_long_fraction_is_neither_reduced_nor_written_out(monkeypatch):
    short, long = Odds({1: 1, 2: 10**999 - 1}), Odds({1: 1, 2: 10**1010 - 1, 3: 10**1010})
    assert short.to_dict()["rows"][0]["exactly"] == f"1/{10**999}"
    assert [row["at_least"] for row in long.to_dict()["rows"]] == ["1", "≈1.0", "≈0.5"]
    assert long.to_dict()["unexplored"] == "0"
    assert long.chance(1) == Fraction(1, 2 * 10**1010)  # what is kept stays exact
    monkeypatch.setattr("battletape.odds.Fraction", lambda *given: pytest.fail("took the time to reduce a fraction"))
    assert [(value, str(exactly), percent(exactly)) for value, exactly, _, _ in shares(long)] == [
        (1, "≈0.0", "<0.1 %"),
        (2, "≈0.5", "50 %"),
        (3, "≈0.5", "50 %"),
    ]
    assert rows_of(long)[0][0].exactly.percent == "<0.1 %"
    assert rows_of(long, 2)[0][0].exactly.fraction == "≈0.5"


def test_yes_and_no_name_the_results_of_a_chance() -> None:
    answer = bt.ruleset("vehicles5").ask("shoot", guns=["Lascannon"], vehicle="anvil")
    destroyed = answer.odds("destroyed")
    assert destroyed.chance("yes") == destroyed.chance(1) == 1 - destroyed["no"]
    with pytest.raises(BattletapeError, match="these results are numbers, such as 0; got 'maybe'"):
        destroyed.chance("maybe")


def test_words_with_an_order_of_their_own_refuse_what_has_no_place_in_it() -> None:
    answer = bt.ruleset("vehicles5").ask("shoot", guns=["Lascannon"], vehicle="anvil")
    assert answer.odds("result").chance("four weapons lost") == 0
    with pytest.raises(BattletapeError, match=r"there is no result 'wreckd'.*Did you mean 'wrecked'"):
        answer.odds("result").chance("wreckd")
    with pytest.raises(BattletapeError, match=r"there is no result 'immobilized'.*Did you mean 'immobilised'"):
        answer.odds("worst").at_least("immobilized")
