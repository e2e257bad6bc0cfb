"""The question what_may_it_do: a vehicle in its own turn, and everything it may do from now on, with the clauses."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from battletape.clauses import clause
from battletape.errors import Refused
from battletape.log import Line
from battletape.procedure import Procedure, Stage
from battletape.rulesets.vehicles5 import ask_rulings
from battletape.rulesets.vehicles5.own_turn import Possible, WhatMayItDo, begin_possible, fill_possible
from battletape.rulesets.vehicles5.permissions import (
    FIRES,
    SPEEDS,
    Permission,
    find_permission,
    fire_together,
    permissions_in,
    what_it_fires,
)
from battletape.rulesets.vehicles5.situation import (
    Situation,
    main_weapons,
    may_drive,
    may_lob,
    mode_at,
    passengers_shooting,
    refuse_fire,
    way_out,
)
from battletape.rulesets.vehicles5.words import capital, inches
from battletape.system import Measure, Question
from battletape.tape import Tape

if TYPE_CHECKING:
    from battletape.answer import Answer


@clause("V5-FIRE-5", "V5-MOVE-1", "V5-SMOKE-1", "V5-TRAN-3")
def look_up(tape: Tape, possible: Possible) -> Possible:
    """What it may do, line by line; no dice."""
    return replace(possible, found=_lines_of(possible))


def _lines_of(possible: Possible) -> tuple[Permission, ...]:
    found = permissions_in(possible.now)
    return (*found, fire_together(possible.now, possible.together)) if possible.together else found


LOOK_UP = Procedure("what may it do", (look_up,))


def _is_allowed(thing: str) -> Any:
    """1 or 0: whether a thing is among those allowed."""

    def of(possible: Possible) -> int:
        found = find_permission(possible.found, thing)
        return int(found is not None and found.allowed)

    return of


def may_fire_named(possible: Possible) -> int | str:
    """Whether the weapons named may fire together."""
    return int(refuse_fire(possible.now, possible.together) is None) if possible.together else "none named"


def may_get_out(possible: Possible) -> int:
    """Whether passengers may get out now."""
    return int(bool(possible.now.passengers) and not isinstance(way_out(possible.now), Refused))


def possible_headline(answer: Answer) -> str:
    """How far, what it fires, and smoke."""
    now: Situation = answer.start.now
    found = permissions_in(now)
    far = may_drive(now)
    drive = find_permission(found, "drive")
    if far:
        said = [f"may drive up to {inches(far)}"]
    elif now.moved:
        said = [f"has moved {SPEEDS[now.band]}"]
    else:
        said = [f"may not drive ({drive.clause})" if drive else "may not drive"]
    said.append(f"{'as it stands it ' if far else ''}fires {what_it_fires(now, mode_at(now))}")
    smoke = find_permission(found, "set off smoke")
    if now.smoke_launchers and smoke is not None:
        spent = "spent" if now.smoke_used or now.smoke_this_turn else "not to be had"
        said.append("smoke is ready" if smoke.allowed else f"smoke is {spent} ({smoke.clause})")
    return capital("; ".join(said)) + "."


def narrate_possible(stage: Stage, before: Possible, after: Possible) -> Iterable[Line]:
    """Every line of the answer, with its clause."""
    for one in after.found:
        may = "yes" if one.allowed else "no"
        yield Line(f"{capital(one.thing)}: {may}, {one.detail}", (one.clause,), result=may)


WHAT_MAY_IT_DO = Question(
    "what_may_it_do",
    "What may a vehicle do this turn?",
    WhatMayItDo,
    begin_possible,
    LOOK_UP,
    (
        Measure("may_move", "May drive", lambda possible: int(may_drive(possible.now) > 0)),
        Measure("may_turn", "May turn on the spot", _is_allowed("turn on the spot")),
        Measure("inches", "Inches it may drive", lambda possible: may_drive(possible.now), "inches"),
        Measure("fire_mode", "What it may fire", lambda possible: mode_at(possible.now).mode, words=FIRES.__getitem__),
        Measure("main_weapons", "Main weapons that may fire", lambda one: main_weapons(one.now), "weapons"),
        Measure("may_lob", "May fire a barrage", lambda possible: int(may_lob(possible.now))),
        Measure("tank_shock", "May tank shock", _is_allowed("tank shock")),
        Measure("ram", "May ram", _is_allowed("ram")),
        Measure("smoke", "May set off smoke", _is_allowed("set off smoke")),
        Measure("passengers_shoot", "Passengers that may shoot", lambda one: passengers_shooting(one.now), "models"),
        Measure("passengers_get_out", "Passengers may get out", may_get_out),
        Measure("run", "May run", _is_allowed("run")),
        Measure("assault", "May assault", _is_allowed("assault")),
        Measure("together", "May fire those weapons together", may_fire_named),
    ),
    possible_headline,
    narrate_possible,
    fill=fill_possible,
    rulings=ask_rulings.WHAT_MAY_IT_DO,
    example={"types": ["tank"], "guns": [{"strength": 9}, {"strength": 4}], "band": "combat", "smoke_launchers": True},
)
