"""Hoods and null zones: near as the board shows, without one as the players say."""

from __future__ import annotations

import pytest

from tests.diceless40k.battles import battle, do, end, hp, refused, unit

VALE = "Librarian Osric Vale"


def op(one, name):
    return one.state.squad(name).op


@pytest.mark.clause("DL-SM-56.1")
def test_a_hood_is_near_unless_it_is_said_to_be_far():
    one = battle([unit("Weirdboy Zagnit", "Zagnit")], [unit(VALE, "Vale"), unit("Ork Boyz")])
    end(one)
    cast = {"unit": "Zagnit", "power": "Frazzle", "target": "Ork Boyz", "distance": 12, "hits": [3]}
    near, said, far = one.fork(), one.fork(), one.fork()
    do(near, "cast", **cast)
    do(said, "cast", hood=True, **cast)
    do(far, "cast", hood=False, **cast)
    assert (op(near, "Zagnit"), op(said, "Zagnit"), op(far, "Zagnit")) == (50, 50, 25)


@pytest.mark.clause("DL-SM-56.1")
def test_what_is_said_of_a_hood_against_the_board_is_refused():
    sides = ([unit("Weirdboy Zagnit", "Zagnit", x=10, y=10)], [unit("Ork Boyz", x=10, y=20)])
    cast = {"unit": "Zagnit", "power": "Frazzle", "target": "Ork Boyz", "tokens": [0]}
    for x, y, said, why in (
        (12, 24, False, "on the board a psychic hood of the enemy is within 24 inches; leave out hood"),
        (60, 44, True, "a psychic hood of the enemy is nowhere within 24 inches; leave out hood"),
    ):
        one = battle(sides[0], [*sides[1], unit(VALE, "Vale", x=x, y=y)])
        end(one)
        refused(one, "cast", "DL-SM-56.1", why, hood=said, **cast)


@pytest.mark.clause("DL-SM-57.2")
def test_a_null_zone_is_near_unless_it_is_said_to_be_far():
    one = battle([unit("Seer-lord Tamerin", "Tamerin"), unit("Space Marines", "Squad")], [unit("Terminators")])
    do(one, "cast", unit="Tamerin", power="null_zone")
    end(one)
    shot = {"unit": "Squad", "target": "Terminators", "distance": 12, "weapons": ["Plasma gun"]}
    left = {}
    for said in (None, True, False):
        fork = one.fork()
        do(fork, "shoot", **shot, **({} if said is None else {"null_zone": said}))
        left[said] = hp(fork, "Terminators")
    assert left[None] == left[True] < left[False]
    quiet = battle([unit("Space Marines", "Squad")], [unit("Terminators")])
    end(quiet)
    why = "a null zone of the enemy is nowhere within 24 inches; leave out null_zone"
    refused(quiet, "shoot", "DL-SM-57.2", why, null_zone=True, **shot)


@pytest.mark.clause("DL-SM-57.2")
def test_a_null_zone_around_a_fight():
    one = battle([unit("Seer-lord Tamerin", "Tamerin"), unit("Captain Aldous Varn", "Varn")], [unit("Terminators")])
    do(one, "cast", unit="Tamerin", power="null_zone")
    end(one, 2)
    do(one, "charge", unit="Varn", target="Terminators", distance=3)
    near, far = one.fork(), one.fork()
    do(near, "fight", unit="Varn")
    do(far, "fight", unit="Varn", null_zone=False)
    assert hp(near, "Terminators") < hp(far, "Terminators")
