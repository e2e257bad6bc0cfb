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
from battletape.rulesets.vehicles5.movement import refuse_path
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
    refuse_smoke_in,
    way_out,
)
from battletape.rulesets.vehicles5.walkers import in_a_fight
from battletape.rulesets.vehicles5.words import capital, inches, plain
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
    if possible.path or possible.ends_on_model:
        found = (*found, drive_through(possible))
    if not possible.together:
        return found
    return (*found, fire_together(possible.now, possible.together, possible.lobbed, possible.targets))


LOOK_UP = Procedure("what may it do", (look_up,))


def _is_allowed(thing: str) -> Any:
    """1 or 0: whether a thing is among those allowed."""

    def of(possible: Possible) -> int:
        found = find_permission(possible.found, thing)
        return int(found is not None and found.allowed)

    return of


def may_fire_named(possible: Possible) -> int | str:
    """Whether the weapons named may fire together."""
    if not possible.together:
        return "none named"
    return int(refuse_fire(possible.now, possible.together, possible.lobbed, possible.targets) is None)


@clause("V5-TERR-4", "V5-SKIM-4")
def refuse_way(possible: Possible) -> Refused | None:
    """Why models in the way stop its move."""
    return refuse_path(possible.now.traits, possible.path, possible.ends_on_model)


def drive_through(possible: Possible) -> Permission:
    """The line about models in the way."""
    refused = refuse_way(possible)
    how = "over them" if possible.now.traits.skimmer else "by tank shock or ram"
    if refused is not None:
        return Permission("drive that way", False, refused.reason, refused.clause)
    return Permission("drive that way", True, how, "V5-SKIM-1" if possible.now.traits.skimmer else "V5-TERR-4")


def may_drive_through(possible: Possible) -> int | str:
    """Whether it may drive where models are in the way."""
    nothing = not possible.path and not possible.ends_on_model
    return "nothing in the way" if nothing else int(refuse_way(possible) is None)


def fights(possible: Possible) -> str:
    """What it does in close combat, by the names of these deeds."""
    now = possible.now
    return ", ".join(map(plain, in_a_fight(now.traits, now.state, now.rules))) or "nothing"


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
        Measure("band", "Speed of its move", lambda possible: possible.now.band, words=SPEEDS.__getitem__),
        Measure(
            "assault_band",
            "Speed when assaulted",
            lambda possible: possible.assault_band,
            words=SPEEDS.__getitem__,
        ),
        Measure("way", "May drive through what is in the way", may_drive_through),
        Measure("fire_mode", "What it may fire", lambda possible: mode_at(possible.now).mode, words=FIRES.__getitem__),
        Measure("main_weapons", "Main weapons that may fire", lambda one: main_weapons(one.now), "weapons"),
        Measure("may_lob", "May fire a barrage", lambda possible: int(may_lob(possible.now))),
        Measure("tank_shock", "May tank shock", _is_allowed("tank shock")),
        Measure("ram", "May ram", _is_allowed("ram")),
        Measure("smoke", "May set off smoke", _is_allowed("set off smoke")),
        Measure(
            "smoke_now", "May set off smoke at once", lambda possible: int(refuse_smoke_in(possible.now, True) is None)
        ),
        Measure("passengers_shoot", "Passengers that may shoot", lambda one: passengers_shooting(one.now)[0], "models"),
        Measure(
            "passengers_as_moving",
            "Passengers count as moving",
            lambda possible: int(possible.now.passengers > 0 and passengers_shooting(possible.now)[1]),
        ),
        Measure("passengers_get_out", "Passengers may get out", may_get_out),
        Measure("run", "May run", _is_allowed("run")),
        Measure("turn_to_fire", "May turn to fire", _is_allowed("turn to fire")),
        Measure("assault", "May assault", _is_allowed("assault")),
        Measure("close_combat", "What it does in close combat", fights),
        Measure("go_to_ground", "May go to ground", _is_allowed("go to ground")),
        Measure("together", "May fire those weapons together", may_fire_named),
    ),
    possible_headline,
    narrate_possible,
    fill=fill_possible,
    rulings=ask_rulings.WHAT_MAY_IT_DO,
    example={"types": ["tank"], "guns": [{"strength": 9}, {"strength": 4}], "band": "combat", "smoke_launchers": True},
)
