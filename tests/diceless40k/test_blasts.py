"""Blasts: scatter tokens, drawing back, barrages, and what lies under the markers in the end."""

from __future__ import annotations

from math import hypot

import pytest

from battletape.errors import BadInput, Refused
from battletape.procedure import fold
from battletape.rulebook import replace
from battletape.rulesets.diceless40k.rules import blasts
from battletape.rulesets.diceless40k.rules.shooting import area_damage
from battletape.rulesets.diceless40k.rulings import Rulings
from battletape.table.bases import Base
from battletape.table.hulls import Hull
from battletape.table.markers import HullBlast, bases_touched
from battletape.table.points import Point, apart, step
from battletape.table.rays import Cover, steps_from
from battletape.tape.best import Best
from battletape.tape.script import Script
from tests.diceless40k.vectors import vectors
from tests.diceless40k.wished_options import WishedOptions

AIM = Point(20, 20)
FREE = Rulings(night_token="free")
SQUAD = tuple(Base(Point(20 + 1.5 * east, 20 + 1.5 * north)) for east in (-1, 0, 1) for north in (-1, 0, 1))


def squad(**more) -> blasts.Blast:
    """A blast at the middle of nine models."""
    return blasts.Blast(AIM, blasts.RADII["blast"], SQUAD, ("Boyz",) * len(SQUAD), **more)


def hits(blast: blasts.Blast) -> int:
    return sum(blasts.hits_on(blast, "Boyz"))


# --- vectors --------------------------------------------------------------------------------------------------------


@pytest.mark.clause("DL-30.4", "DL-30.7", "DL-32.1", "DL-58.1", "DL-SM-52.1")
@pytest.mark.parametrize("given, expect", vectors("scatter"))
def test_vectors_of_scatter(given, expect):
    assert blasts.scattered(given["tokens"]) == expect["moved_by_defender"]
    assert blasts.final_inches(given["tokens"], given["bs"], given["bs_may_reduce"]) == expect["final_inches"]


@pytest.mark.clause("DL-30.5", "DL-95.9")
@pytest.mark.parametrize("given, expect", vectors("max_scatter_tokens"))
def test_vectors_of_the_limit(given, expect):
    assert blasts.most_tokens(given["tokens_held"], given["night"]) == expect["max_tokens"]


@pytest.mark.clause("DL-30.8")
@pytest.mark.parametrize("given, expect", vectors("blast_damage"))
def test_vectors_of_damage(given, expect):
    assert area_damage("blast", given["hits"], given["s"]) == expect["dmg"]
    assert area_damage("large_blast", given["hits"], given["s"]) == expect["dmg"]


# --- tokens ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("DL-30.1", "DL-30.2", "DL-30.3")
def test_tokens_that_a_weapon_gives():
    assert [blasts.tokens_for(modes) for modes in (("blast",), ("large_blast",), ("none", "blast"), ("none",), ())] == [
        2,
        3,
        2,
        0,
        0,
    ]
    assert blasts.tokens_for(("blast", "large_blast")) == 3
    assert 3 * blasts.tokens_for(("blast",)) + blasts.tokens_for(("large_blast",)) == 9


@pytest.mark.clause("DL-30.5", "DL-30.6", "DL-95.9")
def test_limits_and_the_pool():
    assert [blasts.most_tokens(held) for held in (0, 4, 6, 10)] == [0, 4, 6, 6]
    assert [blasts.most_tokens(held, True) for held in (0, 6, 10)] == [0, 6, 7]
    assert [blasts.most_tokens(held, True, FREE) for held in (0, 4, 10)] == [1, 5, 7]
    assert [blasts.tokens_spent(used, True, FREE) for used in (0, 1, 7)] == [0, 0, 6]
    assert blasts.tokens_spent(7, True) == 7
    with pytest.raises(BadInput, match="0 or more; got -1"):
        blasts.most_tokens(-1)


@pytest.mark.clause("DL-30.4", "DL-30.5", "DL-95.9")
def test_tokens_that_may_not_be_used():
    assert blasts.refuse_tokens(6, 10) is None
    assert blasts.refuse_tokens(7, 10, night=True) is None
    assert str(blasts.refuse_tokens(7, 10)) == "7 tokens are used on one blast; 6 is the most by day (DL-30.5)"
    assert str(blasts.refuse_tokens(3, 2)) == "3 scatter tokens are used, and 2 are held; 2 is the most (DL-30.5)"
    assert "0 or more" in str(blasts.refuse_tokens(-1, 2))
    assert blasts.refuse_tokens(3, 2, True, FREE) is None


@pytest.mark.clause("DL-30.7", "DL-32.1", "DL-58.1", "DL-SM-52.1")
def test_when_the_firer_draws_back():
    assert blasts.may_draw_back(("barrage",), in_sight=True)
    assert not blasts.may_draw_back(("barrage",), in_sight=False)
    assert not blasts.may_draw_back(("ordnance_barrage",), in_sight=True)
    assert not blasts.may_draw_back(("orbital",))
    assert blasts.final_inches(6, 4, blasts.may_draw_back(("barrage",), False)) == 12
    assert blasts.refuse_unseen(("barrage",), False) is None
    assert blasts.refuse_unseen((), True) is None
    assert "out of sight" in str(blasts.refuse_unseen((), False))


@pytest.mark.clause("DL-32.1")
def test_direct_or_indirect_fire():
    mortar = squad(held=2, draw_back_inches=4, is_barrage=True)
    direct, indirect = (fold(blasts.BLAST, WishedOptions(way, 2), mortar) for way in ("direct", "indirect"))
    assert (direct.indirect, hits(direct)) == (False, 5)
    assert (indirect.indirect, indirect.draw_back_inches, hits(indirect)) == (True, 0, 0)
    unseen = fold(blasts.BLAST, WishedOptions(2), squad(held=2, draw_back_inches=4, is_barrage=True, in_sight=False))
    assert (unseen.indirect, hits(unseen)) == (True, 0)


# --- on a board -----------------------------------------------------------------------------------------------------


@pytest.mark.clause("DL-30.4")
def test_a_marker_is_aimed_at_a_model():
    assert blasts.refuse_aim(AIM, SQUAD) is None
    assert blasts.refuse_aim(Point(0, 0), (Hull(Point(0, 0)),)) is None
    assert "over a model" in str(blasts.refuse_aim(Point(30, 30), SQUAD))


@pytest.mark.clause("DL-30.4", "DL-30.8")
def test_without_tokens_it_lands_where_it_is_aimed():
    after = fold(blasts.BLAST, Script(0), squad(held=3, draw_back_inches=4))
    assert (after.markers[0].centre, after.inches, after.held) == (AIM, 0, 3)
    assert hits(after) == 5  # the diagonal ones are 2.12 inches away
    assert area_damage("blast", hits(after), 4) == 60


@pytest.mark.clause("DL-30.4", "DL-30.6", "DL-30.7")
def test_tokens_push_and_the_firer_draws_back():
    seen = fold(blasts.BLAST, WishedOptions(6), squad(held=9, draw_back_inches=4))
    assert (seen.tokens, seen.spent, seen.held) == (6, 6, 3)
    assert hits(seen) == 0
    assert seen.inches <= 12
    short = fold(blasts.BLAST, WishedOptions(2), squad(held=2, draw_back_inches=4))
    assert hits(short) == 5  # two tokens are in vain
    row = blasts.Blast(AIM, 1.5, (Base(AIM), Base(Point(20, 21.5)), Base(Point(20, 18.5))), held=1, draw_back_inches=4)
    assert fold(blasts.BLAST, WishedOptions(1), row).inches == 0  # drawn back onto the aim, where most are hit


@pytest.mark.clause("DL-30.4", "DL-30.7")
def test_the_value_of_each_token():
    def value(held: int, pull: int) -> int:
        play = {"defender": "min", "attacker": "max"}
        return int(Best(hits, play).run(blasts.BLAST.stages, squad(held=held, draw_back_inches=pull)).value)

    assert [value(held, 4) for held in range(6)] == [5, 5, 5, 3, 0, 0]
    assert [value(held, 0) for held in range(3)] == [5, 3, 0]  # 2 inches away the model aimed at is just touched


@pytest.mark.clause("DL-30.4")
def test_what_is_best_on_a_grid_is_best_here():
    blast = squad(held=3, draw_back_inches=4)
    best = min(max(len(spot.cover.bases) for spot in place.spots) for place in blasts.places_for(blast, 3))

    def drawn(east: float, north: float) -> int:
        away = hypot(east, north)
        most = 0
        for part in range(25):
            left = max(0.0, away - 4 * part / 24)
            centre = Point(20 + east * left / away, 20 + north * left / away)
            most = max(most, sum(apart(centre, base.centre) <= 2 + 1e-9 for base in SQUAD))
        return most

    grid = [(0.21 * x + 0.013, 0.21 * y + 0.017) for x in range(-28, 29) for y in range(-28, 29)]
    assert best == min(drawn(*spot) for spot in grid if hypot(*spot) <= 6)


@pytest.mark.clause("DL-30.4")
def test_bearings_of_the_tokens_lead_to_the_place():
    for place in blasts.places_for(squad(held=5, draw_back_inches=3), 5):
        turns = blasts.directions(place, 5)
        assert len(turns) == 5
        reached = steps_from(AIM, turns, 2)
        assert apart(AIM, reached) == pytest.approx(place.inches, abs=1e-6)


@pytest.mark.clause("DL-30.4", "DL-30.6", "DL-30.7")
def test_players_may_say_where_it_goes():
    after = blasts.place_by_hand(squad(held=4, draw_back_inches=4), (90, 90, 90), 4)
    assert after.markers[0].centre.x == pytest.approx(22)
    assert (after.inches, after.held, after.spent) == (pytest.approx(2), 1, 3)
    turned = blasts.place_by_hand(squad(held=4, draw_back_inches=0), (0, 90))
    assert turned.markers[0].centre == Point(22, 22)
    with pytest.raises(Refused, match="4 scatter tokens are used, and 3 are held"):
        blasts.place_by_hand(squad(held=3), (0, 0, 0, 0))
    with pytest.raises(Refused, match="draw back 0 to 4 inches; got 5"):
        blasts.place_by_hand(squad(held=3, draw_back_inches=4), (0, 0, 0), 5)
    with pytest.raises(Refused, match="past its aim"):
        blasts.place_by_hand(squad(held=3, draw_back_inches=4), (0,), 3)


@pytest.mark.clause("DL-95.9", "DL-30.6")
def test_a_seventh_token_by_night():
    night = fold(blasts.BLAST, WishedOptions(7), squad(held=8, draw_back_inches=4, night=True))
    assert (night.tokens, night.held) == (7, 1)
    free = fold(blasts.BLAST, WishedOptions(7), squad(held=8, draw_back_inches=4, night=True, rulings=FREE))
    assert (free.tokens, free.spent, free.held) == (7, 6, 2)


@pytest.mark.clause("DL-30.8")
def test_friends_count_against_a_place():
    friend = Base(Point(20, 26))
    blast = blasts.Blast(AIM, 1.5, (Base(AIM), friend), ("Boyz", "Marines"), friends=frozenset({"Marines"}), held=4)
    assert blasts.worth(blast, Cover((0, 1))) == 0
    assert blasts.worth(blast, Cover((1,))) == -1
    after = fold(blasts.BLAST, WishedOptions(3), blast)
    assert blasts.hits_on(after, "Marines") == (1,)


@pytest.mark.clause("DL-30.8", "DL-60.4")
def test_markers_on_hulls():
    tank = Hull(AIM, 0, 4, 3)
    blast = blasts.Blast(AIM, 2.5, hulls=(tank,), vehicles=("Tank",), held=3)
    there = fold(blasts.BLAST, WishedOptions(0), blast)
    assert blasts.hull_hits(there, "Tank") == (HullBlast("hole"),)
    gone = fold(blasts.BLAST, WishedOptions(3), blast)
    assert blasts.hull_hits(gone, "Tank") == ()
    assert blasts.worth(blast, Cover((), (HullBlast("hole"),))) == 2
    own = blasts.Blast(AIM, 2.5, hulls=(tank,), vehicles=("Tank",), friends=frozenset({"Tank"}))
    assert blasts.worth(own, Cover((), (HullBlast("edge", "rear"),))) == -1


@pytest.mark.clause("DL-60.4", "DL-32.1")
def test_which_armour_a_marker_hits():
    assert blasts.armour_hit(HullBlast("hole"), "front") == ("front", False)
    assert blasts.armour_hit(HullBlast("hole"), "front", barrage=True) == ("side", False)
    assert blasts.armour_hit(HullBlast("edge", "rear"), "front", barrage=True) == ("rear", True)


@pytest.mark.clause("DL-32.2")
def test_further_markers_of_a_barrage():
    blast = squad(held=1, further_markers=2)
    first = fold(blasts.BLAST.stages[:4], Script(0), blast)
    assert len(first.markers) == 1
    around = [  # laid in every direction, a tenth of a degree apart
        bases_touched(Base(step(first.markers[0].centre, tenth / 10, 3), 1.5), SQUAD) for tenth in range(3600)
    ]
    for placer, best in (("firer", max), ("defender", min)):
        beside = [len(marker.cover.bases) for marker in blasts.markers_beside(first, placer).values()]
        assert beside == [best(map(len, around))]
    plain = fold(blasts.BLAST, WishedOptions(0, "no token"), blast)
    spent = fold(blasts.BLAST, WishedOptions(0, "token"), blast)
    assert len(plain.markers) == len(spent.markers) == 3
    assert (plain.held, spent.held, spent.tokens) == (1, 0, 1)
    assert hits(spent) < hits(plain)
    for marker in plain.markers[1:]:
        assert apart(marker.centre, plain.markers[0].centre) == pytest.approx(3)


@pytest.mark.clause("DL-30.4")
def test_bad_blasts():
    with pytest.raises(BadInput, match="the unit of every base"):
        blasts.Blast(AIM, 1.5, SQUAD, ("Boyz",))
    with pytest.raises(BadInput, match="0 or more"):
        squad(held=-1)
    with pytest.raises(BadInput, match="needs a marker"):
        blasts.Blast(AIM, 0)


@pytest.mark.clause("DL-32.2")
def test_a_marker_knows_what_lies_under_it():
    for marker in blasts.markers_beside(fold(blasts.BLAST.stages[:4], Script(), squad()), "firer").values():
        touched = tuple(at for at, base in enumerate(SQUAD) if apart(marker.centre, base.centre) <= 2 + 1e-9)
        assert marker == blasts.Marker(marker.centre, Cover(touched))


@pytest.mark.parametrize("models, drawn, usual", [(SQUAD, 0, 2), (SQUAD, 2, 3), (SQUAD, 5, 0), (SQUAD[4:5], 0, 0)])
def test_usually_tokens_are_spent_that_spare_more_hits_than_they_are(models, drawn, usual):
    blast = squad(held=6, usual_first=True, draw_back_inches=drawn)
    blast = replace(blast, bases=models, units=("Boyz",) * len(models))
    assert blasts.spend_tokens(WishedOptions(usual), blast).spent == usual
    first: list[object] = []
    blasts.spend_tokens(Listening(first), blast)
    assert first == [usual]


class Listening(WishedOptions):
    """Takes and keeps the first option of every choice."""

    def __init__(self, first: list[object]) -> None:
        super().__init__()
        self.first = first

    def choose(self, options, **more):  # type: ignore[no-untyped-def]
        self.first.append(options[0])
        return options[0]
