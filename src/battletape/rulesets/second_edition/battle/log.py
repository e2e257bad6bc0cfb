"""What an action changed, told from the battle before and after it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from battletape.cards import Line
from battletape.rulebook import inches, plural
from battletape.rulesets.second_edition.battle.state import Arm, Fighter, State
from battletape.table.points import apart


def tell_action(before: State, order: Any, after: State) -> Iterable[Line]:
    """Everything that is not as it was: models, their weapons, markers, whose turn it is."""
    turned = (before.turn, before.active) != (after.turn, after.active)
    for was, now in zip(before.fighters, after.fighters, strict=True):
        if was != now:
            yield from _model_news(was, now)
            if not turned:
                for old, new in zip(was.arms, now.arms, strict=True):
                    yield from _weapon_news(now, old, new)
    yield from _marker_news(before, after)
    if turned:
        yield Line(f"Turn {after.turn} of {after.active} begins", ("SE-118",))
    if before.phase != after.phase:
        phase = "hand-to-hand" if after.phase == "hand_to_hand" else after.phase
        yield Line("Markers and fires come first" if phase == "start" else f"{phase.capitalize()} phase", ("SE-118",))


def _model_news(was: Fighter, now: Fighter) -> Iterator[Line]:
    if was.place is not None and now.place is not None and was.place != now.place:
        way = inches(round(apart(was.place, now.place), 2))
        yield Line(f"{now.name} moves {way} to {now.place.x:.1f}, {now.place.y:.1f}", ("SE-10",))
    hits = now.state.vehicle_hits - was.state.vehicle_hits
    if hits:
        yield Line(f"{now.name}: {plural(hits, 'hit')} for armour penetration, by the base game", ("SE-96",))
    lost = was.state.wounds - now.state.wounds
    if now.is_gone and not was.is_gone:
        yield Line(f"{now.name} {'is taken off' if now.gone else 'falls'}", ("SE-24",))
    elif lost:
        yield Line(f"{now.name} loses {plural(lost, 'wound')}, {now.state.wounds} left", ("SE-22",))
    fire, old = now.state.on_fire, was.state.on_fire
    if not now.is_gone and fire != old:
        told = "burns no more" if fire is None else f"is on fire by {fire.weapon}"
        yield Line(f"{now.name} {told}", ("SE-91" if fire is None else "SE-86",))
    if now.helped and not was.helped:
        yield Line(f"{now.name} helps, and does not shoot in this turn", ("SE-94",))


def _weapon_news(fighter: Fighter, was: Arm, now: Arm) -> Iterator[Line]:
    whose = f"{now.name} of {fighter.name}"
    if now.state.destroyed and not was.state.destroyed:
        yield Line(f"{whose} is destroyed", ("SE-48",))
    elif now.state.jams > was.state.jams:
        yield Line(f"{whose} has {plural(now.state.jams, 'jam')}", ("SE-106",))
    elif now.state.jams < was.state.jams:
        told = f"{plural(now.state.jams, 'jam')} left" if now.state.jams else "it works again from the next turn"
        yield Line(f"{whose}: a jam is cleared, {told}", ("SE-109",))
    if now.used == "held" and was.used != "held":
        who = f"the gunner of {now.name}" if fighter.model.is_vehicle else fighter.name
        yield Line(f"{who} holds fire", ("SE-109",))
    if now.left is not None and was.left is not None and now.left != was.left:
        lost = "; the others are lost" if was.left - now.left > 1 else ""
        yield Line(f"{fighter.name} has {now.left} x {now.name} left{lost}", ("SE-58",))


def _marker_news(before: State, after: State) -> Iterator[Line]:
    old, new = ({lying.name: lying for lying in state.markers} for state in (before, after))
    for name, lying in new.items():
        if name not in old:
            at = lying.marker.centre
            where = f" at {at.x:.1f}, {at.y:.1f}" if lying.placed else ""
            yield Line(f"{name} stays in play{where}, radius {inches(lying.marker.radius)}", ("SE-66",))
    for name in old:
        if name not in new:
            yield Line(f"{name} is removed", ("SE-68",))
