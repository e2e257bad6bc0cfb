"""What the log of a battle says: who was hurt, moved, pinned or jammed, and every attack with its hits."""

from __future__ import annotations

from collections.abc import Iterator
from math import hypot
from typing import Any

from battletape.clauses import clause
from battletape.log import Happened, Line, Narrator, Trail
from battletape.rulesets.deathwatch.battle.state import Fighter, Held, Mob, State
from battletape.rulesets.deathwatch.rules.attack.exchange import (
    Blow,
    Exchange,
    land_hits,
    overheat,
    strike_mob,
    suffer_hits,
)
from battletape.rulesets.deathwatch.rules.attack.records import Spec
from battletape.rulesets.deathwatch.rules.attack.results import Taken, modifiers_told, taken_in, tell_hits, tell_mob
from battletape.rulesets.deathwatch.rules.attack.stages import Reacting, add_modifiers, refuse_reaction
from battletape.rulesets.deathwatch.rules.conditions import FOR_GOOD, Conditions
from battletape.rulesets.deathwatch.rules.criticals import note_words
from battletape.rulesets.deathwatch.rules.guns import reload_actions
from battletape.rulesets.deathwatch.rules.hordes.attack_on_horde import Onslaught
from battletape.rulesets.deathwatch.rules.wounds import health_words
from battletape.rulesets.deathwatch.words import metres
from battletape.words import plain, plural

FLAGS = (
    ("prone", "is prone", "stands", "DW-COND-PRONE"),
    ("pinned", "is pinned", "is no longer pinned", "DW-PIN-1"),
    ("on_fire", "is on fire", "is no longer on fire", "DW-COND-FIRE"),
    ("blood_loss", "bleeds", "no longer bleeds", "DW-BLOOD-1"),
    ("immobilised", "is held fast", "is free", "DW-QUAL-SNARE"),
)


def tell_action(before: State, order: Any, after: State) -> Iterator[Line]:
    """What an action changed."""
    begins = (before.round, before.active) != (after.round, after.active)  # a turn
    for was, now in zip(before.fighters, after.fighters, strict=True):
        if was != now:
            yield from _fighter(was, now)
        if now.screaming and (not was.screaming or (begins and now.name == after.active)):
            yield Line(f"{now.name} may only run.", ("DW-COND-FIRE",))
    for mob, then in zip(before.mobs, after.mobs, strict=True):
        if mob != then:
            yield from _mob(mob, then)
    for cloud in after.clouds:
        if cloud not in before.clouds and not any((old.x, old.y) == (cloud.x, cloud.y) for old in before.clouds):
            what = "A smoke screen" if cloud.kind == "smoke" else f"A field ({plain(cloud.strength)})"
            where = f"({cloud.x:g}, {cloud.y:g}), {metres(cloud.radius)} about"
            yield Line(f"{what} at {where} for {plural(cloud.rounds, 'round')}.")
    for (side, old), (_, new) in zip(before.cohesion, after.cohesion, strict=True):
        if new < old:
            yield Line(f"{side} has {new} cohesion left.", ("DW-COND-COHESION",))
    for came in after.entered:
        yield Line(f"{came.target} is in the kill zone of {came.watcher}.", ("DW-OVER-2",))
    if begins:
        yield Line(f"Round {after.round}: {after.active}.", ("DW-ECON-1",))
    elif before.interrupt != after.interrupt and after.interrupt:
        yield Line(f"{after.interrupt} acts on the delay.", ("DW-ACT-DELAY",))


def _fighter(was: Fighter, now: Fighter) -> Iterator[Line]:
    name = now.name
    if was.initiative != now.initiative:
        yield Line(f"{name}: initiative {now.initiative}.", ("DW-ECON-1",))
    if (was.x, was.y) != (now.x, now.y):
        far = round(hypot(now.x - was.x, now.y - was.y), 2)
        yield Line(f"{name} goes {metres(far)} to ({now.x:g}, {now.y:g}).", ("DW-MOVE-1",))
    if was.cover_ap != now.cover_ap:
        yield Line(f"{name} is behind cover, AP {now.cover_ap}." if now.cover_ap else f"{name} is in the open.")
    if was.health != now.health:
        yield Line(f"{name}: {health_words(now.health, now.profile.wounds).lower()}.", ("DW-DMG-1",))
    if not now.is_dead:
        yield from _conditions(name, was.conditions, now.conditions)
    if now.grappled_with != was.grappled_with:
        text = f"is in a grapple with {now.grappled_with}" if now.grappled_with else "is out of the grapple"
        yield Line(f"{name} {text}.", ("DW-ACT-GRAPPLE",))
    if now.feinted and not was.feinted:
        yield Line(f"{name} has fooled {now.feinted}.", ("DW-ACT-FEINT",))
    for flag, text, by in (
        ("aim", f"takes a {now.aim} aim", "DW-ACT-AIM"),
        ("defensive", "is in a defensive stance", "DW-ACT-DEFENSIVE-STANCE"),
        ("no_evasion", "cannot evade until the next turn", "DW-ACT-ALL-OUT-ATTACK"),
        ("guarded", "is on guard", "DW-ACT-GUARDED-ATTACK"),
        ("delayed", "delays", "DW-ACT-DELAY"),
        ("running", "runs", "DW-ACT-RUN"),
    ):
        if getattr(now, flag) not in (False, "none", getattr(was, flag)):
            yield Line(f"{name} {text}.", (by,))
    if now.overwatch != was.overwatch:
        yield Line(f"{name} {'is on' if now.overwatch else 'ends'} overwatch.", ("DW-OVER-1",))
    yield from _engaged(name, was.engaged_with, now.engaged_with)
    for weapon, other in zip(was.held, now.held, strict=True):
        if weapon != other:
            yield from _weapon(name, weapon, other)


def _engaged(name: str, was: tuple[str, ...], now: tuple[str, ...]) -> Iterator[Line]:
    new = [foe for foe in now if foe not in was]
    if new:
        yield Line(f"{name} is in melee with {', '.join(new)}.", ("DW-COND-ENGAGED",))


def _conditions(name: str, was: Conditions, now: Conditions) -> Iterator[Line]:
    if was == now:
        return
    if was.unconscious != now.unconscious:
        text = f"is unconscious for {plural(now.unconscious, 'minute')}" if now.unconscious else "wakes"
        yield Line(f"{name} {text}.", ("DW-FAT-1",))
    if was.fatigue != now.fatigue:
        yield Line(f"{name}: fatigue {now.fatigue}.", ("DW-FAT-1",))
    if was.stunned != now.stunned:
        text = f"is stunned for {plural(now.stunned, 'round')}" if now.stunned else "is no longer stunned"
        yield Line(f"{name} {text}.", ("DW-STUN-1",))
    for flag, on, off, by in FLAGS:
        if getattr(was, flag) != getattr(now, flag):
            yield Line(f"{name} {on if getattr(now, flag) else off}.", (by,))
    if was.blind != now.blind:
        how_long = "for good" if now.blind >= FOR_GOOD else f"for {plural(now.blind, 'round')}"
        yield Line(f"{name} is blind {how_long}." if now.blind else f"{name} sees again.", ("DW-COND-BLIND",))
    for lost in now.lost:
        if lost not in was.lost:
            yield Line(f"{name} has lost the {plain(lost)}.", ("DW-CRIT-2",))
    for spot, _ in now.useless:
        if spot not in dict(was.useless):
            yield Line(f"{name}: the {plain(spot)} is useless.", ("DW-CRIT-2",))
    for text in now.notes:
        if text not in was.notes:
            yield Line(f"{name}: {note_words(text)}.", ("DW-CRIT-2",))


def _weapon(name: str, was: Held, now: Held) -> Iterator[Line]:
    gun = f"{name}'s {now.name}"
    if now.destroyed and not was.destroyed:
        yield Line(f"{gun} is destroyed.", ("DW-QUAL-POWER-FIELD",))
    if now.jammed != was.jammed:
        yield Line(f"{gun} {'is jammed' if now.jammed else 'is clear again'}.", ("DW-JAM-1",))
    if now.overheated_until > was.overheated_until:
        yield Line(f"{gun} is too hot until round {now.overheated_until + 1}.", ("DW-QUAL-OVERHEATS",))
    if now.reload_done > was.reload_done:
        wanted = reload_actions(now.weapon.reload, now.qualities)
        done = f"{now.reload_done} of {plural(wanted, 'Full Action')}"
        yield Line(f"{gun} is being reloaded, {done}.", ("DW-ACT-RELOAD",))
    elif was.reload_done and not now.reload_done and (now.clip, now.loaded) == (was.clip, was.loaded):
        yield Line(f"{gun}: the reload is given up.", ("DW-ACT-RELOAD",))
    if now.clip != was.clip and not now.weapon.melee:
        yield Line(f"{gun}: {now.clip} of {now.weapon.clip} rounds.", ("DW-RWEP-00",))
    if now.loaded != was.loaded:
        yield Line(f"{gun} is loaded with {now.loaded}.", ("DW-RWEP-24",))
    if now.braced != was.braced:
        yield Line(f"{gun} is {'braced' if now.braced else 'no longer braced'}.", ("DW-ACT-BRACE-HEAVY-WEAPON",))
    if now.lies_at != was.lies_at:
        yield Line(f"{gun} {'lies on the ground' if now.lies_at else 'is picked up'}.", ("DW-ACT-READY",))
    elif now.ready != was.ready:
        yield Line(f"{gun} is {'in hand' if now.ready else 'put away'}.", ("DW-ACT-READY",))


def _mob(was: Mob, now: Mob) -> Iterator[Line]:
    if was.initiative != now.initiative:
        yield Line(f"{now.name}: initiative {now.initiative}.", ("DW-ECON-1",))
    if (was.x, was.y) != (now.x, now.y):
        yield Line(f"{now.name} goes to ({now.x:g}, {now.y:g}).", ("DW-MOVE-1",))
    if now.magnitude < was.magnitude:
        left = f"{now.magnitude} left" if now.magnitude else "it is destroyed"
        yield Line(f"{now.name} loses {was.magnitude - now.magnitude} Magnitude; {left}.", ("DW-HORDE-3",))
    if now.broken and not was.broken:
        yield Line(f"{now.name} breaks and runs.", ("DW-HORDE-16",))
    if now.pinned != was.pinned:
        yield Line(f"{now.name} {'is pinned' if now.pinned else 'is no longer pinned'}.", ("DW-HORDE-9",))
    yield from _engaged(now.name, was.engaged_with, now.engaged_with)


def tell_blow(happened: Happened) -> Iterator[Line]:
    """What a stage of an attack says."""
    stage, before, trail = happened.stage, happened.before, happened.trail
    blow: Blow | None = before.blow
    if blow is None:
        return
    if getattr(stage, "__wrapped__", None) is add_modifiers:
        yield from _opening(before, blow)
    elif stage in (land_hits, suffer_hits):
        yield from tell_denied(before, happened.after, blow, trail)
        yield from _hits(happened, blow)
    elif stage is strike_mob and trail and blow.onslaught is not None:
        spec = blow.onslaught.spec(before.magnitude(blow.target))
        yield from tell_mob(taken_in(happened), spec, blow.target)
    elif stage is overheat and trail and blow.burn is not None:
        yield from tell_hits(taken_in(happened), blow.burn)


def _opening(before: Exchange, blow: Blow) -> Iterator[Line]:
    spec = blow.spec if blow.onslaught is None else blow.onslaught.spec(before.magnitude(blow.target))
    if spec is not None and blow.how != "flame":
        text = f"{blow.who} attacks {blow.target or 'a place'} with {blow.weapon}"
        text = f"{blow.who} lays down suppressing fire with {blow.weapon}" if blow.how == "spray" else text
        yield Line(text, ("DW-PIPE-1",))
        yield from modifiers_told(spec)


def _hits(happened: Happened, blow: Blow) -> Iterator[Line]:
    """Every hit on fighters, and a line for each mob."""
    if blow.spec is None or not any(ask.label == "damage" for ask, _ in happened.trail):
        return
    taken = taken_in(happened)
    yield from tell_hits([hit for hit in taken if not isinstance(hit.before, int)], blow.spec)
    crowds = {caught.name: caught.onslaught for caught in blow.caught if caught.onslaught is not None}
    for name, onslaught in crowds.items():
        spec = onslaught.spec(happened.before.magnitude(name))
        yield from tell_mob([hit for hit in taken if _is_of(hit, onslaught, spec, crowds)], spec, name)


def _is_of(taken: Taken, onslaught: Onslaught, spec: Spec, crowds: dict[str, Onslaught]) -> bool:
    """Whether a hit was one on this mob."""
    return isinstance(taken.before, int) and (len(crowds) == 1 or taken.hit.reduction == spec.hits[0].reduction)


@clause("DW-EVA-1")
def tell_denied(before: Exchange, after: Exchange, blow: Blow, trail: Trail) -> Iterator[Line]:
    """Why a fighter that was hit was not asked for a reaction."""
    if blow.how == "flame" or blow.spec is None or before.attack is None or not (before.attack.hits or trail):
        return
    known = {name: (reason, by) for name, reason, by in blow.denied}
    for name in dict.fromkeys((blow.target, *(caught.name for caught in (*blow.shares, *blow.caught)))):
        foe = next((foe for foe in before.foes if foe.name == name), None)
        if foe is None or not _is_hit(name, before, after, blow):
            continue
        reason, by = known.get(name, ("", ""))
        if not reason and not foe.reactions:
            verb = "dodge or parry" if blow.spec.melee else "dodge"
            refused = refuse_reaction(Reacting(used=foe.budget, budget=foe.budget), verb)
            reason, by = (refused.reason, refused.clause) if refused else ("", "")
        if reason:
            yield Line(f"{name} has no reaction: {reason}", (by,))


def _is_hit(name: str, before: Exchange, after: Exchange, blow: Blow) -> bool:
    assert before.attack is not None
    if name == blow.target and not blow.how.startswith(("blast", "spray")):
        return before.attack.hits > 0
    return before.foe(name).victim != after.foe(name).victim


NARRATE = Narrator(tell_blow)
