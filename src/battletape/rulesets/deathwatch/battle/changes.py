"""Changes of the units of a battle: the functions through which rules change and move a unit, and their log lines."""

from __future__ import annotations

from collections.abc import Iterator

from battletape.cards import Line, lines
from battletape.rulebook import Tape, clause, plain, plural, replace
from battletape.rulesets.deathwatch.battle.show import FLAGS, STANCES
from battletape.rulesets.deathwatch.battle.state import CarriedWeapon, Fighter, Mob, State, Unit
from battletape.rulesets.deathwatch.rules.attack.fighters import Cover, behind
from battletape.rulesets.deathwatch.rules.conditions import FOR_GOOD, Conditions
from battletape.rulesets.deathwatch.rules.guns import reload_actions
from battletape.rulesets.deathwatch.rules.wounds import health_words
from battletape.rulesets.deathwatch.tables.criticals import NOTES
from battletape.rulesets.deathwatch.words import metres
from battletape.table.points import Point, apart


def change(tape: Tape, state: State, *changed: Unit) -> State:
    """Put these units in the place of what they were, and say what has changed about each."""
    pairs = [(was, now) for now in changed if (was := state.find(now.name)) != now]
    for was, now in pairs:
        tape.tell(fighter_lines if isinstance(now, Fighter) else mob_lines, was, now)
    return state.with_units(*(now for _, now in pairs)) if pairs else state


@clause("DW-MOVE-1", "DW-COVER-1", "DW-ACT-BRACE-HEAVY-WEAPON")
def move_to(tape: Tape, state: State, unit: Unit, goal: Point, cover: Cover | None = None) -> State:
    """Put a unit at another place, behind other cover if it is given; its weapons are not braced any more."""
    here = state.at(unit)
    if goal != here:
        tape.tell(goes_line, unit, here, goal)
    after = unit if cover is None else behind(unit, cover)
    if isinstance(after, Fighter):
        after = replace(after, weapons=tuple(replace(weapon, braced=False) for weapon in after.weapons))
    return change(tape, state.with_place(unit, goal), after)


# --- lines of the log -------------------------------------------------------------------------------------------------


def goes_line(unit: Unit, here: Point, goal: Point) -> Line:
    """Say where a unit goes, and of a fighter how far."""
    far = f" {metres(round(apart(here, goal), 2))}" if isinstance(unit, Fighter) else ""
    return Line(f"{unit.name} goes{far} to ({goal.x:g}, {goal.y:g}).", ("DW-MOVE-1",))


def fighter_lines(was: Fighter, now: Fighter) -> Iterator[Line]:
    """Say what has changed about a fighter."""
    name = now.name
    yield from lines(
        (was.initiative != now.initiative, f"{name}: initiative {now.initiative}.", "DW-ECON-1"),
        _covered(was, now),
        (was.health != now.health, f"{name}: {health_words(now.health, now.profile.wounds).lower()}.", "DW-DMG-1"),
    )
    if not now.is_dead:
        yield from _conditions(name, was.conditions, now.conditions)
    grapple = f"in a grapple with {now.grappled_with}" if now.grappled_with else "out of the grapple"
    yield from lines(
        (now.grappled_with != was.grappled_with, f"{name} is {grapple}.", "DW-ACT-GRAPPLE"),
        (now.fooled_enemy and not was.fooled_enemy, f"{name} has fooled {now.fooled_enemy}.", "DW-ACT-FEINT"),
        (now.aim not in ("none", was.aim), f"{name} takes a {now.aim} aim.", "DW-ACT-AIM"),
        *(
            (getattr(now.done, flag) > getattr(was.done, flag), f"{name} {words}.", by)
            for flag, _, words, by in STANCES
            if words
        ),
        (now.overwatch != was.overwatch, f"{name} {'is on' if now.overwatch else 'ends'} overwatch.", "DW-OVER-1"),
    )
    yield from _engaged(name, was.engaged_with, now.engaged_with)
    for weapon, other in zip(was.weapons, now.weapons, strict=True):
        if weapon != other:
            yield from _weapon(f"{name}'s {other.name}", weapon, other)


def _engaged(name: str, was: tuple[str, ...], now: tuple[str, ...]) -> Iterator[Line]:
    new = ", ".join(foe for foe in now if foe not in was)
    return lines((new, f"{name} is in melee with {new}.", "DW-COND-ENGAGED"))


def _conditions(name: str, was: Conditions, now: Conditions) -> Iterator[Line]:
    asleep = f"is unconscious for {plural(now.unconscious, 'minute')}" if now.unconscious else "wakes"
    stunned = f"is stunned for {plural(now.stunned, 'round')}" if now.stunned else "is no longer stunned"
    how_long = "for good" if now.blind >= FOR_GOOD else f"for {plural(now.blind, 'round')}"
    sees = f"is blind {how_long}" if now.blind else "sees again"
    flags = ((words, getattr(was, words[0]), getattr(now, words[0])) for words in FLAGS)
    useless = [spot for spot, _ in now.useless if spot not in dict(was.useless)]
    return lines(
        (was.unconscious != now.unconscious, f"{name} {asleep}.", "DW-FAT-1"),
        (was.fatigue != now.fatigue, f"{name}: fatigue {now.fatigue}.", "DW-FAT-1"),
        (was.stunned != now.stunned, f"{name} {stunned}.", "DW-STUN-1"),
        *((old != new, f"{name} {begins if new else ends}.", by) for (*_, begins, ends, by), old, new in flags),
        (was.blind != now.blind, f"{name} {sees}.", "DW-COND-BLIND"),
        *((lost not in was.lost, f"{name} has lost the {plain(lost)}.", "DW-CRIT-2") for lost in now.lost),
        *((True, f"{name}: the {plain(spot)} is useless.", "DW-CRIT-2") for spot in useless),
        *((text not in was.notes, f"{name}: {NOTES.get(text, text)}.", "DW-CRIT-2") for text in now.notes),
    )


def _weapon(gun: str, was: CarriedWeapon, now: CarriedWeapon) -> Iterator[Line]:
    done = f"{now.reload_done} of {plural(reload_actions(now.profile.reload, now.qualities), 'Full Action')}"
    given_up = was.reload_done and not now.reload_done and (now.clip, now.loaded) == (was.clip, was.loaded)
    rounds = f"{now.clip} of {now.profile.clip} rounds"
    hot = f"too hot until round {now.overheated_until + 1}"
    braced = "braced" if now.braced else "no longer braced"
    lies = "lies on the ground" if now.dropped_at else "is picked up"
    alone = now.barrel_of is None  # a second barrel goes with its weapon
    taken = alone and now.dropped_at == was.dropped_at and now.ready != was.ready
    return lines(
        (alone and now.destroyed > was.destroyed, f"{gun} is destroyed.", "DW-QUAL-POWER-FIELD"),
        (now.jammed != was.jammed, f"{gun} is {'jammed' if now.jammed else 'clear again'}.", "DW-JAM-1"),
        (now.overheated_until > was.overheated_until, f"{gun} is {hot}.", "DW-QUAL-OVERHEATS"),
        (now.reload_done > was.reload_done, f"{gun} is being reloaded, {done}.", "DW-ACT-RELOAD"),
        (given_up, f"{gun}: the reload is given up.", "DW-ACT-RELOAD"),
        (now.clip != was.clip and not now.profile.melee, f"{gun}: {rounds}.", "DW-RWEP-00"),
        (now.loaded != was.loaded, f"{gun} is loaded with {now.loaded}.", "DW-RWEP-24"),
        (now.braced != was.braced, f"{gun} is {braced}.", "DW-ACT-BRACE-HEAVY-WEAPON"),
        (alone and now.dropped_at != was.dropped_at, f"{gun} {lies}.", "DW-ACT-READY"),
        (taken, f"{gun} is {'in hand' if now.ready else 'put away'}.", "DW-ACT-READY"),
    )


def _covered(was: Unit, now: Unit) -> tuple[bool, str, str]:
    cover = f"behind cover, AP {now.cover_ap}" if now.cover_ap else "in the open"
    return was.cover_ap != now.cover_ap, f"{now.name} is {cover}.", "DW-COVER-1"


def mob_lines(was: Mob, now: Mob) -> Iterator[Line]:
    """Say what has changed about a horde."""
    name, lost = now.name, was.magnitude - now.magnitude
    left = f"{now.magnitude} left" if now.magnitude else "it is destroyed"
    yield from lines(
        (was.initiative != now.initiative, f"{name}: initiative {now.initiative}.", "DW-ECON-1"),
        _covered(was, now),
        (lost > 0, f"{name} loses {lost} Magnitude; {left}.", "DW-HORDE-3"),
        (now.broken > was.broken, f"{name} breaks and runs.", "DW-HORDE-16"),
        (now.pinned != was.pinned, f"{name} is {'pinned' if now.pinned else 'no longer pinned'}.", "DW-HORDE-9"),
        *(
            (now.done.running > was.done.running, f"{name} {words}.", by)
            for flag, _, words, by in STANCES
            if flag == "running"
        ),
    )
    yield from _engaged(name, was.engaged_with, now.engaged_with)
