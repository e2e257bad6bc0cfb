"""What the board shows decides: what is said against it is refused, with what it shows."""

from __future__ import annotations

import pytest

from battletape.rulesets.diceless40k.battle.markers import max_bases_under
from battletape.rulesets.diceless40k.rules.preparation import Tokens
from battletape.table.bases import Base
from battletape.table.points import Point
from tests.diceless40k.battles import battle, do, end, refused, unit


@pytest.mark.clause("DL-60.7")
def test_a_marker_that_is_lobbed_or_lies_beside_meets_another_facing():
    tank = unit("Predator", x=36, y=30, heading=180)
    one = battle([unit("Lobba battery", x=36, y=4), unit("Devastators", x=30, y=14)], horde_vehicles=[tank])
    end(one)
    do(one.fork(), "shoot", unit="Lobba battery", target="Predator", facing="side", hits=[1, 0, 0])
    missiles = {"unit": "Devastators", "target": "Predator", "weapons": ["Frag missile"], "hits": [1, 1]}
    refused(one, "shoot", "DL-60.7", "looks at the front", facing="rear", **missiles)
    do(one, "shoot", facing="rear", off_hull=True, **missiles)


@pytest.mark.clause("DL-69.1")
def test_the_facing_that_is_rammed():
    tank = unit("Trukk", x=36, y=20, heading=180)
    one = battle(vigil_vehicles=[unit("Predator", x=36, y=10)], horde_vehicles=[tank])
    why = "on the board Predator comes from the front of Trukk, not from the rear; leave out facing"
    refused(one, "ram", "DL-69.1", why, unit="Predator", target="Trukk", facing="rear")
    do(one, "ram", unit="Predator", target="Trukk", facing="front")


@pytest.mark.clause("DL-30.8")
def test_hits_that_the_board_does_not_have():
    boyz = unit("Ork Boyz", models=20, groups=[], x=36, y=30)
    launchers = unit("Devastators", models=1, groups=[{"name": "Two", "models": 2, "weapons": ["Missile launcher"]}])
    one = battle([{**launchers, "x": 36, "y": 10}], [boyz])
    end(one)
    bases = one.state.field.position("Ork Boyz").bases
    most = max_bases_under(1.5, bases)
    assert most < 20
    shot = {"unit": "Devastators", "target": "Ork Boyz", "weapons": ["Frag missile"]}
    why = f"on the board the marker of Frag missile covers {most} models of Ork Boyz at most wherever it lies, not 20"
    refused(one, "shoot", "DL-30.8", why, hits=[20, 20], **shot)
    do(one.fork(), "shoot", hits=[most, 0], **shot)
    # with no tokens to push it a marker lies where it is aimed
    state = one.state
    one.trust(1, state.spend("Horde", Tokens(scatter=state.player("Horde").tokens.scatter)))
    last = bases[-1].centre
    aim = {"x": last.x, "y": last.y}
    refused(one, "shoot", "DL-30.8", "at most where it is aimed", hits=[most, most], aim=[aim], **shot)


@pytest.mark.clause("DL-30.8")
def test_the_most_under_a_marker_by_two_ways():
    bases = [Base(Point(x * 1.7, y * 1.3 + 0.4 * x), 0.5) for x in range(4) for y in range(3)]
    net = [Base(Point(x / 20, y / 20), 1.5) for x in range(-20, 140) for y in range(-20, 120)]
    by_net = max(sum((n.centre.x - b.centre.x) ** 2 + (n.centre.y - b.centre.y) ** 2 <= 4 for b in bases) for n in net)
    assert max_bases_under(1.5, bases) == by_net
