"""What the log says: every number of an attack on its way, tests against their thresholds, and what an action changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from battletape.log import Line
from battletape.rulesets.diceless40k.battle.state import Machine, State, Troop
from battletape.rulesets.diceless40k.rules.artillery import Battery
from battletape.rulesets.diceless40k.rules.casualties import Part, Told
from battletape.rulesets.diceless40k.rules.close_combat import Fight
from battletape.rulesets.diceless40k.rules.damage_rows import Ticked
from battletape.rulesets.diceless40k.rules.leadership import Tested
from battletape.rulesets.diceless40k.rules.morale import Regrouped
from battletape.rulesets.diceless40k.rules.psykers import PsychicTest
from battletape.rulesets.diceless40k.rules.repairs import Repair
from battletape.rulesets.diceless40k.rules.shooting import Hot
from battletape.rulesets.diceless40k.rules.vehicles import Struck
from battletape.words import capital, plain, plural


# --- attacks ---------------------------------------------------------------------------------------------------------


def loss_line(unit: str, told: Told) -> Line:
    """A packet on a group: 32 DMG → 3+ → 11 HP, who is removed, and what is recorded."""
    clauses = ["DL-25.3", "DL-24.1"]
    if told.spilled:
        way = f"{told.spilled} HP spill over"
    else:
        way = " and ".join(_part(part) for part in told.parts) or f"{told.hp} HP"
    if len(told.parts) > 1:
        way += f" = {told.hp} HP"
        clauses.insert(0, "DL-31.8")
    loss = told.loss
    if loss.instant_death and loss.removed:
        clauses.append("DL-26.1")
    text = f"{unit}, {told.group}: {told.packet}: {way}; {plural(loss.removed, 'model')} removed"
    text += f", {plural(loss.models_left, 'model')} left with {loss.recorded} HP recorded" if loss.models_left else ""
    text += f", {loss.overkill} HP to spare" if loss.overkill else ""
    return Line(f"{text}.", tuple(clauses), result=f"{told.hp} HP")


def _part(part: Part) -> str:
    """The way of some DMG through a save, doubling and feel no pain."""
    ap = "AP-" if part.ap is None else f"AP{part.ap}"
    save = "no save" if part.column == "none" else f"{part.column} ({part.save_kind})"
    steps = [f"{part.dmg} DMG {ap}", save, f"{part.after_save} HP"]
    steps += [f"doubled {part.doubled} HP"] if part.doubled != part.after_save else []
    steps += [f"feel no pain {part.hp} HP"] if part.felt_no_pain else []
    return " → ".join(steps)


def hot_lines(unit: str, hot: Hot) -> Iterator[Line]:
    """What gets hot! tokens did to the firers."""
    yield Line(f"{plural(hot.tokens, 'gets hot! token')} on {hot.weapon} of {unit}: {hot.dmg} DMG each.", ("DL-31.2",))
    yield from (loss_line(unit, told) for told in hot.told)


def hull_lines(machine: str, struck: Struck) -> Iterator[Line]:
    """A packet on a vehicle: skill with its modifiers, DMG, cover, AV-S, line, thresholds and boxes."""
    packet = struck.packet
    changes = "".join(f" {modifier.value:+d} {modifier.name}" for modifier in packet.modifiers)
    made = "" if packet.skill is None else f" (skill {packet.skill}{f':{changes}' if changes else ''}, x{packet.times})"
    text = f"{machine}: {packet.name} {packet.dmg} DMG{made}"
    text += f" → cover {packet.cover}+ → {struck.dmg}" if packet.cover is not None else ""
    text += f"; AV{packet.av} - S{packet.strength} = {struck.av_minus_s}"
    if struck.line is None:
        yield Line(f"{text}: no damage.", ("DL-60.8",))
        return
    hits = ", ".join(hit.name for hit in struck.hits) or "no threshold reached"
    lost = f", {struck.lost} DMG lost" if struck.lost else ""
    yield Line(f"{text}, line {struck.line}: {hits}{lost}.", (packet.clause, "DL-60.7"), result=hits)
    yield from (ticked_line(machine, ticked) for ticked in struck.ticked)


def ticked_line(machine: str, ticked: Ticked) -> Line:
    """A hit on its row, and what came of it."""
    row = "glancing" if ticked.hit.kind == "G" else "penetrating"
    weapon = f" ({ticked.weapon})" if ticked.weapon else ""
    result = "nothing" if ticked.result == "none" else plain(ticked.result)
    boxes = "" if ticked.boxes else ", nothing ticked"
    return Line(f"{machine}: {row} hit {ticked.hit.name}: {result}{weapon}{boxes}.", (ticked.clause,), result=result)


def battery_lines(unit: str, battery: Battery) -> Iterator[Line]:
    """Shots at artillery: the shares, the crew's losses, and the guns."""
    for shares in battery.shares:
        yield Line(f"{unit}: {shares.crew} DMG on the crew, {shares.guns} on the guns.", ("DL-55.1",))
    yield from (loss_line(unit, told) for told in battery.crew.told)
    for lost in battery.destroyed:
        yield Line(f"{unit}: {lost.hit.name} destroys a gun ({lost.gun}).", ("DL-55.1",))


def fight_lines(fight: Fight) -> Iterator[Line]:
    """A round of close combat: blows, losses, the result, tests, and who is caught."""
    for blows in fight.struck:
        damage = blows.damage
        text = f"Initiative {blows.step}: {plural(blows.models, 'model')} of {blows.unit}, {blows.group}, strike at "
        text += f"{blows.target} with {blows.blow.name}: {damage.attacks} x {damage.each} = {damage.dmg} DMG"
        yield Line(f"{text} (factor {damage.factor}).", ("DL-38.1", "DL-38.2"), result=f"{damage.dmg} DMG")
    for test in fight.psychic:
        yield from psychic_lines(test)
    for unit in fight.units:
        yield from (loss_line(unit.name, told) for told in unit.told)
    (one, other), (lost, theirs) = fight.sides, fight.lost
    extra = f", extra wounds {fight.extra[0]} and {fight.extra[1]} HP" if any(fight.extra) else ""
    result = f"{fight.loser} loses by {fight.difference} HP" if fight.loser else "a draw"
    yield Line(f"{one} lost {lost} HP, {other} {theirs}{extra}: {result}.", ("DL-44.1",), result=result)
    for unit in fight.units:
        if unit.tested is not None:
            yield tested_line(unit.name, unit.tested, "lost assault", "DL-44.1")
        if unit.fate == "no retreat":
            yield Line(f"{unit.name} knows no retreat.", ("DL-44.4",))
    for name, own, winners in fight.totals:
        caught = fight.unit(name).fate == "caught"
        end = "caught and destroyed" if caught else "breaks off"
        yield Line(f"Sweeping advance: {name} has Initiative {own} in all, the winners {winners}: {end}.", ("DL-40.1",))


# --- tests -----------------------------------------------------------------------------------------------------------


def tested_line(unit: str, tested: Tested, what: str, clause: str = "DL-8.1") -> Line:
    """Order points before and after, against the threshold."""
    passed = "passed" if tested.passed else "failed"
    again = " with a re-roll" if tested.reroll else ""
    leader = f" (the leader has {tested.leader_op} OP now)" if tested.leader_op is not None else ""
    text = f"{unit}, {what}: {tested.op_before} → {tested.op} OP against {tested.threshold} (Ld {tested.ld}{again})"
    return Line(f"{text}: {passed}{leader}.", (clause,), needed=f"{tested.threshold} or less", result=passed)


def regroup_line(unit: str, regrouped: Regrouped) -> Line:
    """An attempt to regroup."""
    passed = "regroups" if regrouped.passed else "falls back on"
    text = f"{unit}: {regrouped.op_before} OP - {regrouped.subtracted} → {regrouped.op} against {regrouped.threshold}"
    return Line(f"{text}: {passed}.", ("DL-46.1",), result=passed)


def psychic_lines(test: PsychicTest) -> Iterator[Line]:
    """A psychic test, with warp tokens and perils."""
    if test.cancelled:
        yield Line(f"A warp token cancels the power of {test.psyker}.", ("DL-50.5",))
    if test.pushed:
        yield Line(f"{test.psyker} pushes on and hands the warp token back.", ("DL-50.6",))
        yield from (loss_line(test.psyker, told) for told in test.victim.told)
    if test.tested is not None:
        yield tested_line(test.psyker, test.tested, "psychic test", "DL-50.1")
        if not test.tested.passed:
            yield Line(f"{test.psyker} begins again at 0 OP.", ("DL-50.2",))


def repair_lines(machine: str, repair: Repair) -> Iterator[Line]:
    """A repair: the line, and the hits that are undone."""
    undone = ", ".join(hit.name for hit in repair.unchecked) or "no hit"
    text = f"{machine}: {repair.points} DMG off line {repair.line}: {repair.before} → {repair.after}; {undone} undone"
    results = ", ".join(plain(ticked.result) for ticked in repair.undone)
    yield Line(f"{text}{f' ({results})' if results else ''}.", ("DL-SM-71.2",), result=undone)


# --- what an action changed ------------------------------------------------------------------------------------------


def tell_action(before: State, order: Any, after: State) -> Iterable[Line]:
    """Tokens spent, units that have changed their state, and whose turn comes."""
    for was, now in zip(before.players, after.players, strict=True):
        for kind in was.tokens.__struct_fields__:
            change = getattr(now.tokens, kind) - getattr(was.tokens, kind)
            if change:
                left = plural(getattr(now.tokens, kind), f"{plain(kind)} token")
                yield Line(f"{now.side} has {left} left.", ("DL-30.6" if kind == "scatter" else "DL-PREP.5",))
    for troop, then in zip(before.troops, after.troops, strict=True):
        if troop != then:
            yield from _troop_news(troop, then)
    for machine, later in zip(before.machines, after.machines, strict=True):
        if machine != later:
            yield from _machine_news(machine, later)
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
        "removed": "removed from play",
    }
    return words[unit.where]


def _machine_news(was: Machine, now: Machine) -> Iterator[Line]:
    if was.where != now.where:
        yield Line(f"{now.name}: {_whereabouts(now)}.")
    if now.damage.destroyed and was.damage.destroyed != now.damage.destroyed:
        yield Line(f"{now.name} {'explodes' if now.damage.destroyed == 'explodes' else 'is wrecked'}.", ("DL-60.23",))
        return
    if (was.speed, was.inches) != (now.speed, now.inches) and now.moved:
        yield Line(f"{now.name}: {capital(plain(now.speed))}, {now.inches:g} inches.", ("DL-60.2",))
    if (was.damage.shaken or was.damage.stunned) and not (now.damage.shaken or now.damage.stunned):
        yield Line(f"{now.name}: the crew has recovered; the boxes stay ticked.", ("DL-60.19",))
    if was.in_smoke != now.in_smoke:
        yield Line(f"{now.name}: {'hidden in smoke' if now.in_smoke else 'out of its smoke'}.")
