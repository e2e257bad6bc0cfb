"""The battle itself: initiative, turns and rounds, how it is shown, and when it is over."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from battletape.clauses import clause
from battletape.errors import Refused
from battletape.log import Line, Narrator, Trail
from battletape.odds import percent
from battletape.procedure import Procedure, Stage
from battletape.rulesets.deathwatch.chronicle import chronicle
from battletape.rulesets.deathwatch.clock import finish_turn, open_round, roll_initiative
from battletape.rulesets.deathwatch.field import Field, Fighter, Held, Mob
from battletape.rulesets.deathwatch.order_blast import BLAST, FLAME
from battletape.rulesets.deathwatch.order_care import BREAK_FREE, PUT_OUT, TREAT, USE_SKILL
from battletape.rulesets.deathwatch.order_contest import CONTEST, GRAPPLE
from battletape.rulesets.deathwatch.order_fire import SHOOT
from battletape.rulesets.deathwatch.order_guns import AIM, BRACE, CLEAR_JAM, DROP, READY, RELOAD
from battletape.rulesets.deathwatch.order_horde import HORDE_SHOOTS, HORDE_STRIKES
from battletape.rulesets.deathwatch.order_melee import STRIKE
from battletape.rulesets.deathwatch.order_move import ADVANCE, DISENGAGE, MOVE, RUN
from battletape.rulesets.deathwatch.order_posture import DROP_PRONE, LEAP, STAND
from battletape.rulesets.deathwatch.order_power import FOCUS_POWER
from battletape.rulesets.deathwatch.order_react import DODGE, PARRY
from battletape.rulesets.deathwatch.order_stance import ACT_DELAYED, DEFEND, DELAY
from battletape.rulesets.deathwatch.order_suppress import SUPPRESS
from battletape.rulesets.deathwatch.order_watch import FIRE_ON_WATCH, WATCH
from battletape.rulesets.deathwatch.orders import Nothing, over, refuse_begun
from battletape.rulesets.deathwatch.setup import Start, begin_field, fill_fighter, fill_mob, sample
from battletape.rulesets.deathwatch.suppression import overwatch_hours
from battletape.rulesets.deathwatch.telling import rows_in, tell_row
from battletape.rulesets.deathwatch.words import plain, plural
from battletape.rulesets.deathwatch.wounds import category, critical_total, damage_taken
from battletape.system import Action, BattleRules, Measure, Table

if TYPE_CHECKING:
    from battletape.answer import Answer


@clause("DW-ECON-1")
def refuse_begin(field: Field, order: Nothing) -> Refused | None:
    """Why initiative is not rolled: it was."""
    return Refused("initiative has been rolled", "DW-ECON-1", "initiative") if field.round else None


@clause("DW-ECON-1")
def refuse_end(field: Field, order: Nothing) -> Refused | None:
    """Why a turn cannot end: the battle has not begun, or is over."""
    return refuse_begun(field)


def _one(field: Any) -> Iterable[Nothing]:
    return (Nothing(),)


def _flow(
    name: str,
    title: str,
    refuse: Any,
    procedure: Procedure,
    headline: Callable[[Answer], str],
    *clauses: str,
    measures: tuple[Measure, ...] = (),
) -> Action:
    return Action(
        name,
        title,
        Nothing,
        refuse,
        lambda field, order: field,
        procedure,
        lambda field, order, after: after,
        _one,
        measures=measures,
        headline=headline,
        narrate=NARRATE,
        tell=chronicle,
        clauses=clauses,
    )


FALLEN = Measure(
    "dead", "How many are dead or destroyed", lambda field: sum(one.is_dead for one in field.units), "units"
)


def tell_turn(stage: Stage, before: Field, after: Field, trail: Trail) -> Iterator[Line]:
    """The critical rows that fire or a torn wound reached as a turn began."""
    if trail:
        yield from (tell_row(hit, row) for hit, row in rows_in(stage, before, trail))


NARRATE = Narrator(tell_turn)


def next_headline(answer: Answer) -> str:
    """Whose turn is next, and whether somebody dies as it begins."""
    fallen = FALLEN.of(answer.start)
    risk = answer.odds("dead").at_least(fallen + 1)
    return f"Somebody dies as the next turn begins {percent(risk)}." if risk else "The next turn begins."


def where(field: Field) -> Mapping[str, str]:
    """Round, side and who may act."""
    if not field.round:
        return {"turn": "0", "phase": "before initiative"}
    unit = field.find("")
    return {"turn": str(field.round), "side": unit.side, "unit": unit.name}


# --- tables -----------------------------------------------------------------------------------------------------------


def show(field: Field) -> Iterator[Table]:
    """Fighters, their weapons, mobs, and clouds if there are any."""
    head = ("fighter", "side", "initiative", "place", "health", "conditions", "notes")
    yield Table("Fighters", head, tuple(_fighter_row(field, one) for one in field.fighters))
    rows = tuple(_weapon_row(one, held) for one in field.fighters for held in one.held)
    yield Table("Weapons", ("fighter", "weapon", "clip", "state"), rows)
    if field.mobs:
        about = ("mob", "side", "initiative", "place", "magnitude", "notes")
        yield Table("Hordes", about, tuple(_mob_row(one) for one in field.mobs))
    if field.clouds:
        found = tuple(
            (plain(one.strength) or one.kind, f"{one.x:g}, {one.y:g}", f"{one.radius:g} m", plural(one.rounds, "round"))
            for one in field.clouds
        )
        yield Table("Clouds", ("what", "place", "about", "left"), found)
    if any(number for _, number in field.cohesion):
        yield Table("Cohesion", ("side", "left"), tuple((side, str(number)) for side, number in field.cohesion))


def _fighter_row(field: Field, one: Fighter) -> tuple[str, ...]:
    return (
        one.name,
        one.side,
        str(one.initiative or "-"),
        f"{one.x:g}, {one.y:g}",
        health_of(one),
        "; ".join(conditions_of(one)) or "-",
        "; ".join(notes_of(field, one)) or "-",
    )


def health_of(one: Fighter) -> str:
    """Wounds left, critical total, or dead; and how badly hurt."""
    if one.is_dead:
        return "dead"
    taken, critical = damage_taken(one.health, one.profile.wounds), critical_total(one.health)
    left = f"critical {critical}" if critical else f"{max(0, one.health)}/{one.profile.wounds}"
    hurt = category(taken, one.tb, critical)
    return left if hurt in ("undamaged", "critical") else f"{left}, {hurt} damaged"


def conditions_of(one: Fighter) -> Iterator[str]:
    """What somebody suffers from, in words."""
    now = one.conditions
    if now.unconscious:
        yield f"unconscious {plural(now.unconscious, 'minute')}"
    if now.stunned:
        yield f"stunned {plural(now.stunned, 'round')}"
    if now.fatigue:
        yield f"fatigue {now.fatigue}"
    for name, word in (("prone", "prone"), ("pinned", "pinned"), ("on_fire", "on fire"), ("blood_loss", "bleeding")):
        if getattr(now, name):
            yield word
    if now.immobilised:
        yield "held fast"
    if now.blind:
        yield "blind"
    yield from (f"lost {plain(part)}" for part in now.lost)
    yield from (f"useless {plain(spot)}" for spot, _ in now.useless)
    if one.surprised:
        yield "surprised"


def notes_of(field: Field, one: Fighter) -> Iterator[str]:
    """What somebody is up to, in words."""
    if one.cover_ap:
        yield f"cover AP {one.cover_ap} ({', '.join(map(plain, one.hidden))})"
    if one.aim != "none":
        yield f"{one.aim} aim"
    if one.overwatch is not None:
        hours = plural(overwatch_hours(one.profile.willpower), "hour")
        yield f"overwatch towards {one.overwatch.facing:.0f}°, {hours} at most"
    flags = (
        ("delayed", "delays"),
        ("no_evasion", "cannot evade"),
        ("defensive", "defensive stance"),
        ("guarded", "guarded"),
        ("running", "runs"),
        ("screaming", "may only run"),
    )
    yield from (word for name, word in flags if getattr(one, name))
    if one.feinted:
        yield f"fooled {one.feinted}"
    if one.grappled_with:
        yield f"{'holds' if one.controls else 'is held by'} {one.grappled_with}"
    if one.engaged_with:
        yield f"in melee with {', '.join(one.engaged_with)}"
    if one.reactions_used:
        yield f"{plural(one.reactions_used, 'reaction')} used"
    if one.used and one.name == field.active:
        yield f"did {', '.join(one.used)}"


def _weapon_row(one: Fighter, held: Held) -> tuple[str, ...]:
    words = [
        "destroyed" if held.destroyed else "",
        "on the ground" if held.lies_at else "" if held.ready else "put away",
        "jammed" if held.jammed else "",
        "braced" if held.braced else "",
        f"too hot until round {held.overheated_until + 1}" if held.overheated_until else "",
        f"reloading, {plural(held.reload_done, 'Full Action')} done" if held.reload_done else "",
        f"loaded with {held.loaded}" if held.loaded else "",
    ]
    clip = "-" if held.weapon.melee else f"{held.clip}/{held.weapon.clip}"
    return one.name, held.name, clip, "; ".join(filter(None, words)) or "in hand"


def _mob_row(one: Mob) -> tuple[str, ...]:
    words = ["destroyed" if one.is_dead else "broken" if one.broken else "", "pinned" if one.pinned else ""]
    words.append(f"in melee with {', '.join(one.engaged_with)}" if one.engaged_with else "")
    magnitude = f"{one.magnitude}/{one.starting}"
    return (
        one.name,
        one.side,
        str(one.initiative or "-"),
        f"{one.x:g}, {one.y:g}",
        magnitude,
        "; ".join(filter(None, words)) or "-",
    )


BEGIN_BATTLE = _flow(
    "begin_battle",
    "Roll initiative",
    refuse_begin,
    Procedure("initiative", (roll_initiative, open_round)),
    lambda answer: "A d10 and the Agility bonus for everybody.",
    "DW-ECON-1",
)
END_TURN = _flow(
    "end_turn",
    "End the turn",
    refuse_end,
    Procedure("end of turn", (finish_turn,)),
    next_headline,
    *("DW-ECON-1", "DW-PIN-2", "DW-STUN-1", "DW-BLOOD-1", "DW-COND-FIRE", "DW-HORDE-16"),
    measures=(FALLEN,),
)
ACTIONS = (
    *(BEGIN_BATTLE, AIM, BRACE, READY, DROP, RELOAD, CLEAR_JAM),
    *(SHOOT, BLAST, FLAME, SUPPRESS, WATCH, FIRE_ON_WATCH),
    *(STRIKE, CONTEST, GRAPPLE, DEFEND, DODGE, PARRY),
    *(MOVE, RUN, DISENGAGE, ADVANCE, LEAP, STAND, DROP_PRONE),
    *(TREAT, PUT_OUT, BREAK_FREE, USE_SKILL, FOCUS_POWER, DELAY, ACT_DELAYED),
    *(HORDE_SHOOTS, HORDE_STRIKES, END_TURN),
)
BATTLE = BattleRules(
    start=Start,
    begin=begin_field,
    state=Field,
    actions=ACTIONS,
    where=where,
    show=show,
    over=over,
    sample=sample,
    fill={"fighters": fill_fighter, "mobs": fill_mob},
)
