"""What an action changed, told from the battle before and after it, and what the chapters of the rules do not tell."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from battletape.cards import Line
from battletape.rulebook import capital, plain, plural
from battletape.rulesets.diceless40k.battle.state import Machine, State, Troop
from battletape.rulesets.diceless40k.rules.morale import Regrouped
from battletape.rulesets.diceless40k.rules.preparation import Tokens

TOKEN_NAMES = dict(zip(Tokens.__struct_fields__, ("scatter", "gets hot!", "warp"), strict=True))


def regroup_line(unit: str, regrouped: Regrouped) -> Line:
    """An attempt to regroup: order points less the Ld of every model, against the threshold."""
    passed = "regroups" if regrouped.passed else "falls back on"
    text = f"{unit}: {regrouped.op_before} OP - {regrouped.subtracted} → {regrouped.op} against {regrouped.threshold}"
    return Line(f"{text}: {passed}", ("DL-46.1",), result=passed)


def tell_action(before: State, order: Any, after: State) -> Iterable[Line]:
    """Tokens spent, units that have changed their state, and whose turn comes."""
    for was, now in zip(before.players, after.players, strict=True):
        for kind in was.tokens.__struct_fields__:
            change = getattr(now.tokens, kind) - getattr(was.tokens, kind)
            if change:
                left = plural(getattr(now.tokens, kind), f"{TOKEN_NAMES[kind]} token")
                yield Line(f"{now.side} has {left} left.", ("DL-30.6" if kind == "scatter" else "DL-PREP.5",))
    for troop, then in zip(before.troops, after.troops, strict=True):
        if troop != then:
            yield from _troop_news(troop, then)
    for machine, later in zip(before.machines, after.machines, strict=True):
        if machine != later:
            yield from _machine_news(machine, later)
    if before.night != after.night:
        yield Line("Night falls." if after.night else "The night is over.", ("DL-95.8",))
    if (before.turn, before.active) != (after.turn, after.active):
        yield Line(f"Turn {after.turn}: {after.active}.")
    elif before.phase != after.phase:
        yield Line(f"{after.phase.capitalize()} phase of {after.active}.")


def _troop_news(was: Troop, now: Troop) -> Iterator[Line]:
    if was.where != now.where or was.aboard != now.aboard:
        yield Line(f"{now.name}: {_whereabouts(now)}.")
    if was.is_gone and now.is_gone:
        return
    if now.is_gone:
        yield Line(f"{now.name}: nobody is left.")
        return
    for group, later in zip(was.groups, now.groups, strict=True):
        if group.hp != later.hp:
            told = f"{later.name}: T{later.toughness}, {later.hp} HP each, {later.recorded} recorded"
            yield Line(f"{told}, {plural(later.models, 'model')}.", ("DL-6.1",))
    if was.falling_back != now.falling_back:
        yield Line(f"{now.name}: {'falling back' if now.falling_back else 'rallied'}.", ("DL-45.1",))
    if was.gone_to_ground != now.gone_to_ground:
        yield Line(f"{now.name}: {'gone to ground' if now.gone_to_ground else 'up again'}.")
    if was.joined != now.joined:
        yield Line(f"{now.name}: {f'with {now.joined}' if now.joined else f'no longer with {was.joined}'}.")
    if was.combat != now.combat:
        yield Line(f"{now.name}: {'locked in combat' if now.combat else 'free of combat'}.")


def _whereabouts(unit: Troop | Machine) -> str:
    aboard = f"aboard {unit.aboard}" if isinstance(unit, Troop) and unit.aboard else ""
    words = {
        "table": "on the table",
        "reserve": "in reserve",
        "held": "put off to the next turn",
        "arriving": "arrives now",
        "aboard": aboard,
        "crew": "in the tank",
        "removed": "removed from play",
    }
    return words[unit.where]


def _machine_news(was: Machine, now: Machine) -> Iterator[Line]:
    if was.where != now.where:
        yield Line(f"{now.name}: {_whereabouts(now)}.")
    if now.damage.destroyed and was.damage.destroyed != now.damage.destroyed:
        yield Line(f"{now.name} {'explodes' if now.damage.destroyed == 'explodes' else 'is wrecked'}.", ("DL-60.23",))
    if now.is_gone:
        return
    if (was.speed, was.inches) != (now.speed, now.inches) and now.moved:
        yield Line(f"{now.name}: {capital(plain(now.speed))}, {now.inches:.1f} inches.", ("DL-60.2",))
    if (was.damage.shaken or was.damage.stunned) and not (now.damage.shaken or now.damage.stunned):
        undone = len(now.damage.history) < len(was.damage.history)
        text, cited = ("", "DL-SM-71.2") if undone else ("; the boxes stay ticked", "DL-60.19")
        yield Line(f"{now.name}: the crew has recovered{text}.", (cited,))
    if was.in_smoke != now.in_smoke:
        yield Line(f"{now.name}: {'hidden in smoke' if now.in_smoke else 'out of its smoke'}.")
