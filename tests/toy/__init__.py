"""A toy: the smallest ruleset that uses every question of the tape, laid out as a real one."""

from __future__ import annotations

from battletape.cards import Ruleset
from tests.toy.keywords import KEYWORDS
from tests.toy.questions import HIT, SHOOT
from tests.toy.rulings import Rulings
from tests.toy.tables import tables
from tests.toy.turn import BATTLE

RULESET = Ruleset(
    name="toy",
    title="Toy skirmish",
    summary="Red and blue shoot at each other along a line; invented for the tests.",
    package="tests.toy",
    rulings=Rulings,
    questions=(SHOOT, HIT),
    groups={"Shooting": ("shoot", "hit")},
    presets={"brisk": {"again": "once", "nerve_test": "last"}},
    tables=tables,
    battle=BATTLE,
    keywords=KEYWORDS,
)
