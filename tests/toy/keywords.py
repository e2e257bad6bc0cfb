"""Every special rule, in one place: one turns a dial, one adds a stage."""

from __future__ import annotations

from battletape.rulebook import Keyword, Tape, clause, replace
from tests.toy.attack import PINNED, Shot, roll_to_hit, take_hits
from tests.toy.tables import SMOKE_ARC


@clause("TOY-10")
def worsen_save(shot: Shot) -> Shot:
    """A heavy shot makes the save one worse."""
    return replace(shot, save_on=min(7, shot.save_on + 1))


@clause("TOY-9")
def let_smoke_drift(tape: Tape, shot: Shot) -> Shot:
    """Smoke drifts anywhere; over the target it pins."""
    if shot.pinned or tape.direction((SMOKE_ARC, 360 - SMOKE_ARC), label="smoke") != 0:
        return shot
    tape.tell(PINNED, clause="TOY-5")
    return replace(shot, pinned=True)


KEYWORDS = (
    Keyword("Heavy", ("TOY-10",), before={take_hits: worsen_save}),
    Keyword("Smoke", ("TOY-9",), after={roll_to_hit: let_smoke_drift}),
)
