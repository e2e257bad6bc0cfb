"""Sentences people read: what every stage did, number by number, as the document's own examples tell it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from battletape.cards import Line
from battletape.rulebook import BudgetSpent, Stage, capital, inches, labelled, listed, plain, plural, replace
from battletape.rulesets.diceless40k.rules import (
    artillery,
    blasts,
    close_combat,
    deep_strike,
    passengers,
    psykers,
    ramming,
    repairs,
    reserves,
    shooting,
    vehicle_assault,
    vehicles,
    walkers,
)
from battletape.rulesets.diceless40k.rules.blows import Blows, Fight, strike_in_order
from battletape.rulesets.diceless40k.rules.casualties import Part, Told
from battletape.rulesets.diceless40k.rules.damage_rows import LINES, Damage, Ticked
from battletape.rulesets.diceless40k.rules.leadership import Tested
from battletape.rulesets.diceless40k.rules.shooting import Aim, bs_used, damage_of, shots_counted, strength_used
from battletape.rulesets.diceless40k.rules.space_marines import OUTRIGHT
from battletape.rulesets.diceless40k.rules.vehicles import EXTRA, HullPacket, Struck
from battletape.rulesets.diceless40k.rules.weapons import Extra
from battletape.rulesets.diceless40k.tables.sheet import AREA

if TYPE_CHECKING:
    from battletape.answer import Answer

Teller = Callable[[Any, Any], Iterable[Line]]

MISHAPS = {
    "lands": "lands as it was meant to",
    "return_to_reserve": "goes back to reserve",
    "misplaced_by_opponent": "is set up by the opponent",
    "removed": "is removed from play",
}


# --- damage to troops -------------------------------------------------------------------------------------------------


def part_text(part: Part) -> str:
    """From DMG to HP: 32 DMG → 3+ → 11 HP."""
    save = f" → {part.column}" + (f" ({part.save_kind})" if part.save_kind != "none" else "")
    text = f"{part.dmg} DMG{save if part.column != 'none' else ' → no save'} → {part.after_save} HP"
    if part.doubled != part.after_save:
        text += f" → doubled {part.doubled} HP"
    return text + (f" → feel no pain {part.hp} HP" if part.felt_no_pain else "")


def part_clauses(part: Part) -> tuple[str, ...]:
    """The clauses that a part rests on."""
    more = ("DL-76.3",) if part.doubled != part.after_save else ()
    return ("DL-20.3" if part.column == "none" else "DL-20.1", *more, *(("DL-75.1",) if part.felt_no_pain else ()))


def told_lines(told: Told) -> Iterable[Line]:
    """What a packet did to a group: each part of it, and who fell."""
    for part, kind in zip(told.parts, ("AP2 part: ", "normal part: ") if len(told.parts) > 1 else ("",), strict=False):
        clauses = part_clauses(part)
        on = "" if f" on {told.group}:" in told.packet else f" on {told.group}"
        text = f"{capital(told.packet)}{on}: {kind}{part_text(part)}"
        yield Line(text, ("DL-31.8", *clauses) if kind else clauses, result=f"{part.hp} HP")
    loss = told.loss
    if not told.parts and told.hp:
        text = f"{capital(told.packet)}: the model in front of {told.group} loses its last {told.hp} HP"
        yield Line(text, ("DL-26.1",), result=f"{told.hp} HP")
    text = f"{capital(told.group)}: {plural(loss.removed, 'model')} removed, {loss.models_left} left"
    if loss.models_left:
        text += f", {loss.recorded} HP recorded"
    if loss.overkill:
        text += f", {loss.overkill} HP too many"
    if told.spilled:
        text += f" ({told.spilled} HP came from other groups)"
    clauses = ("DL-26.1", "DL-24.1") if loss.instant_death else ("DL-24.1", "DL-24.2")
    text += " (instant death from 10 HP on)" if loss.instant_death else ""
    yield Line(text, clauses, result=f"{loss.removed} removed")


def new_told(before: Sequence[Told], after: Sequence[Told]) -> Iterable[Line]:
    """What has been done since."""
    for told in after[len(before) :]:
        yield from told_lines(told)


def aim_line(aim: Aim) -> Line:
    """How the DMG of a weapon comes about."""
    clauses: tuple[str, ...] = ("DL-19.1",)
    if aim.is_area:
        hits = sum(shooting.counted_hits(aim))
        times = AREA["twin_linked template" if aim.marker == "template" and aim.twin_template else aim.marker]
        clauses = ("DL-29.2",) if aim.marker == "template" else ("DL-30.8",)
        text = f"{plural(hits, 'hit')} × S{strength_used(aim)} × {times}"
    else:
        by_toughness = aim.counted_strength is not None and aim.counted_strength == aim.toughness
        strength = f"{strength_used(aim)} (T{aim.toughness} for S)" if by_toughness else f"S{strength_used(aim)}"
        text = f"BS{bs_used(aim)} × {strength} × {plural(shots_counted(aim), 'shot')}"
        clauses += ("DL-31.10",) if by_toughness else ()
    bonus = bs_used(aim) - aim.bs
    if bonus and not aim.is_area:
        text += f" (BS{aim.bs} {bonus:+d})"
        clauses += ("DL-29.1",) if aim.type == "heavy" else ("DL-19.3",)
    ap = "-" if aim.ap is None else aim.ap
    return Line(f"{capital(aim.name)}: {text} = {damage_of(aim)} DMG, AP{ap}", clauses, result=f"{damage_of(aim)} DMG")


def _heat(before: shooting.Shooting, after: shooting.Shooting) -> Iterable[Line]:
    for hot in after.hot[len(before.hot) :]:
        yield Line(f"{capital(hot.weapon)} gets hot!: {plural(hot.tokens, 'token')}, {hot.dmg} DMG each", ("DL-31.2",))
        for told in hot.told:
            yield from told_lines(told)
        if hot.deaths:
            yield Line(f"{plural(hot.deaths, 'firer')} dead: as many shots do not count", ("DL-31.3",))


def _packets(before: shooting.Shooting, after: shooting.Shooting) -> Iterable[Line]:
    for aim in before.aims:
        yield aim_line(aim)
    for packet in after.packets:
        if packet.rending and packet.dmg:
            text = "of each group's DMG column 2+ counts as AP2, column 6+ as normal"
            yield Line(f"{capital(packet.name)} rends: {text}", ("DL-31.7",))


def _resolved(before: shooting.Shooting, after: shooting.Shooting) -> Iterable[Line]:
    yield from new_told(before.target.told, after.target.told)
    if not after.target.told[len(before.target.told) :]:
        yield Line("Nobody is hurt", ("DL-20.1",))


# --- vehicles ---------------------------------------------------------------------------------------------------------


def packet_text(packet: HullPacket) -> str:
    """How the DMG of a packet comes about: BS7 × 4 = 28 DMG."""
    if packet.skill is None:
        return f"{packet.dmg} DMG at S{packet.strength}"
    added = ", ".join(f"{modifier.name} {modifier.value:+d}" for modifier in packet.modifiers)
    return f"{packet.skill}{f' ({added})' if added else ''} × {packet.times} = {packet.dmg} DMG at S{packet.strength}"


def packet_clauses(packet: HullPacket) -> tuple[str, ...]:
    """The clauses that a packet rests on."""
    return (packet.clause, *(modifier.clause for modifier in packet.modifiers))


EXTRA_CLAUSES: dict[Extra | None, tuple[str, ...]] = {
    None: (),
    "d6": ("DL-60.9",),
    "d3": ("DL-60.10",),
    "d6_and_d3": ("DL-60.9", "DL-60.10"),
}


def struck_lines(struck: Struck) -> Iterable[Line]:
    """What became of a packet on a vehicle: cover, line, hits and boxes."""
    packet = struck.packet
    yield Line(f"{capital(packet.name)}: {packet_text(packet)}", packet_clauses(packet), result=f"{packet.dmg} DMG")
    if packet.cover is not None:
        text = f"{capital(packet.name)}: {packet.dmg} DMG → {packet.cover}+ cover → {struck.dmg} DMG"
        yield Line(text, ("DL-60.6",))
    armour = f"AV{packet.av} - S{packet.strength}" + (f" - {EXTRA[packet.extra]}" if packet.extra else "")
    armour += " (lance: 12 at most)" if packet.lance else ""
    if struck.line is None:
        yield Line(f"{armour} = {struck.av_minus_s}: too much armour, no damage", ("DL-60.8",), result="no damage")
        return
    clauses = ("DL-60.7", *EXTRA_CLAUSES[packet.extra])
    yield from written_lines(struck, f"{armour} = {struck.av_minus_s}, line {struck.line}", clauses)


def written_lines(struck: Struck, what: str, clauses: tuple[str, ...] = ("DL-60.7",)) -> Iterable[Line]:
    """What DMG on a line comes to: thresholds, the sheet, and the boxes that are ticked."""
    hits = " ".join(hit.name for hit in struck.hits) or "no hit"
    held = lines_text(struck.lines) or "nothing"
    text = f"{what}: {hits}; the sheet has {held}"
    yield Line(text + (f", {struck.lost} DMG are lost" if struck.lost else ""), (*clauses, "DL-60.13"), result=hits)
    yield from map(ticked_line, struck.ticked)


def lines_text(lines: Sequence[int]) -> str:
    """DMG on the lines of a sheet: A36 B12."""
    return " ".join(f"{line}{dmg}" for line, dmg in zip(LINES, lines, strict=True) if dmg)


def ticked_line(ticked: Ticked) -> Line:
    """What one hit did."""
    row = "Glancing" if ticked.hit.kind == "G" else "Penetrating"
    text = f"{row} hit{f' {ticked.hit.name}' if ticked.hit.line else ''}: {result_text(ticked)}"
    return Line(text, (ticked.clause,), result=plain(ticked.result))


def result_text(ticked: Ticked) -> str:
    """A result in words, with the weapon that is gone."""
    if ticked.result == "none":
        return "nothing more, though its box is ticked" if ticked.boxes else "nothing, for no box is left"
    return plain(ticked.result) + (f" ({ticked.weapon})" if ticked.weapon else "")


def sheet_text(damage: Damage) -> str:
    """How a vehicle stands."""
    if damage.destroyed:
        return "it explodes" if damage.destroyed == "explodes" else "it is wrecked"
    words = ["its crew is stunned"] if damage.stunned else ["its crew is shaken"] if damage.shaken else []
    words += ["it is immobilised"] if damage.immobilised else []
    if damage.gone:
        words.append(f"{plural(len(damage.gone), 'weapon')} destroyed")
    return listed(words) if words else "it is as it was"


def _struck(before: vehicles.VehicleAttack, after: vehicles.VehicleAttack) -> Iterable[Line]:
    for struck in after.struck[len(before.struck) :]:
        yield from struck_lines(struck)


def _armour(before: vehicle_assault.VehicleAssault, after: vehicle_assault.VehicleAssault) -> Iterable[Line]:
    return _struck(before.attack, after.attack)


def _rammed(before: ramming.Ram, after: ramming.Ram) -> Iterable[Line]:
    return _struck(before.target, after.target)


def _ramming(before: ramming.Ram, after: ramming.Ram) -> Iterable[Line]:
    return _struck(before.rammer, after.rammer)


def _repaired(before: repairs.Repair, after: repairs.Repair) -> Iterable[Line]:
    if not after.line:
        yield Line("Nothing is repaired", ("DL-SM-71.1",))
        return
    text = f"Line {after.line}: {after.before} - {after.points} → {after.after} DMG"
    under = " ".join(hit.name for hit in after.unchecked)
    yield Line(text + (f", which undoes {under}" if under else ""), ("DL-SM-71.1", "DL-SM-71.2"), result=under)
    for ticked in after.undone:
        yield Line(f"Undone: {result_text(ticked)}", ("DL-SM-71.2",), result=plain(ticked.result))


def _hurt_inside(before: passengers.VehicleEnd, after: passengers.VehicleEnd) -> Iterable[Line]:
    if before.passengers is not None and after.passengers is not None:
        yield from new_told(before.passengers.told, after.passengers.told)


def _hurt_nearby(before: passengers.VehicleEnd, after: passengers.VehicleEnd) -> Iterable[Line]:
    for near, then in zip(before.bystanders, after.bystanders, strict=True):
        yield from new_told(near.target.told, then.target.told)


def _pinned(before: passengers.VehicleEnd, after: passengers.VehicleEnd) -> Iterable[Line]:
    if after.test is not None:
        yield nerve_line(after.test, "Pinning", "DL-67.2")


def _shelled(before: artillery.Battery, after: artillery.Battery) -> Iterable[Line]:
    pairs = artillery.pairs_in_order(before)
    for (packet, hull), shares in zip(pairs, after.shares[len(before.shares) :], strict=False):
        name = capital(packet.name)
        if packet.area:
            guns = f"{packet_text(hull)} on the guns" if hull.dmg else "no gun under it"
            yield Line(f"{name}: {packet.dmg} DMG on the crew under it, {guns}", ("DL-55.1", "DL-30.8"))
            continue
        yield Line(f"{name}: {packet.dmg} DMG → column 3+ → {shares.crew} DMG on the crew", ("DL-55.1",))
        guns = f"{packet_text(hull)} → column 5+ → {shares.guns} DMG on the guns"
        weak = "too weak for the guns" if hull.strength <= artillery.WEAK else guns
        yield Line(f"{name}: {weak}", ("DL-55.2",) if hull.strength <= artillery.WEAK else ("DL-55.1", "DL-60.4"))
    yield from new_told(before.crew.told, after.crew.told)
    for lost in after.destroyed[len(before.destroyed) :]:
        yield Line(f"{capital(lost.gun)} is destroyed by {lost.hit.name}", ("DL-55.1",), result=lost.gun)


def _abandoned(before: artillery.Battery, after: artillery.Battery) -> Iterable[Line]:
    if before.guns and not after.guns:
        yield Line("Nobody is left to serve the guns: they are gone", ("DL-55.1",))


# --- nerves -----------------------------------------------------------------------------------------------------------


def nerve_line(tested: Tested, what: str = "Test", clause: str = "DL-8.1", because: str = "") -> Line:
    """A test: order points before and after, the threshold, and how it went."""
    added = tested.op - tested.op_before
    table = "table 3" if tested.reroll else "table 2"
    text = (
        f"{what} on Ld {tested.ld}: {tested.op_before} + {added}{because} = {tested.op} OP against {tested.threshold}"
    )
    passed = "passed" if tested.passed else "failed"
    return Line(f"{text} ({table}): {passed}", (clause, "DL-T3" if tested.reroll else "DL-T2"), result=passed)


def _warp(before: psykers.PsychicTest, after: psykers.PsychicTest) -> Iterable[Line]:
    if after.played:
        yield Line(f"A warp token is played on {after.psyker}", ("DL-50.5",))


def _pushed(before: psykers.PsychicTest, after: psykers.PsychicTest) -> Iterable[Line]:
    if after.played:
        text = "pushes on, and the token goes back" if after.pushed else "accepts it: no test, no power"
        yield Line(f"{capital(after.psyker)} {text}", ("DL-50.6",))


def _perils(before: psykers.PsychicTest, after: psykers.PsychicTest) -> Iterable[Line]:
    return new_told(before.victim.told, after.victim.told)


def _psychic(before: psykers.PsychicTest, after: psykers.PsychicTest) -> Iterable[Line]:
    if after.tested is None:
        yield Line("No test is taken", ("DL-50.5",))
        return
    yield nerve_line(after.tested, "Psychic test", "DL-50.1", " with a hood near" if after.hood else "")
    if not after.tested.passed:
        yield Line("The power fails, and the psyker's order points go back to 0", ("DL-50.2",))


# --- close combat -----------------------------------------------------------------------------------------------------


def _blows(before: Fight, after: Fight) -> Iterable[Line]:
    told = [hurt for unit in after.units for hurt in unit.told[len(before.unit(unit.name).told) :]]
    blows = after.struck[len(before.struck) :]
    for at, struck in enumerate(blows):
        damage = struck.damage
        text = (
            f"Initiative {struck.step}: {struck.models} of {struck.unit} with {struck.blow.name}, "
            f"{plural(damage.attacks, 'attack')} × {damage.each} (factor {damage.factor}) = {damage.dmg} DMG"
        )
        yield Line(text, ("DL-38.1", "DL-38.2"), result=f"{damage.dmg} DMG")
        if any(_same_packet(struck, later) for later in blows[at + 1 :]):
            continue  # what a packet does is told when all that it is made of has been
        own = [hurt for hurt in told if hurt.packet.startswith(f"{struck.unit} on ")]
        packet = f": {struck.blow.name} at initiative {struck.step}"
        for hurt in [hurt for hurt in own if hurt.packet.removesuffix(f" {OUTRIGHT}").endswith(packet)]:
            told.remove(hurt)
            yield from told_lines(hurt)
    for test in after.psychic[len(before.psychic) :]:
        yield from _psychic(test, test)
    for hurt in told:
        yield from told_lines(hurt)


def _same_packet(blows: Blows, others: Blows) -> bool:
    """Whether blows of two groups may be told of together."""
    return (blows.step, blows.unit, blows.blow.name) == (others.step, others.unit, others.blow.name)


def _melee(before: walkers.Melee, after: walkers.Melee) -> Iterable[Line]:
    hacked = after.hacked[len(before.hacked) :]
    first = max((struck.step for struck in after.fight.struck[len(before.fight.struck) :]), default=0)
    for blows in hacked:
        if blows.step >= first:
            yield from _hacked(blows)
    yield from _blows(before.fight, after.fight)
    for blows in hacked:
        if blows.step < first:
            yield from _hacked(blows)


def _hacked(blows: walkers.Hacked) -> Iterable[Line]:
    yield Line(f"Initiative {blows.step}: {listed(blows.units)} at {blows.walker}", ("DL-38.1", "DL-63.1"))
    for struck in blows.struck:
        for line in struck_lines(struck):
            yield replace(line, text=labelled(blows.walker, line.text))


def _result(before: Fight, after: Fight) -> Iterable[Line]:
    first, second = after.sides
    text = f"{capital(first)} lost {after.lost[0]} HP, {second} {after.lost[1]} HP"
    for side, extra in zip(after.sides, after.extra, strict=True):
        text += f"; extra wounds of {side} stand for {extra} HP" if extra else ""
    outcome = fight_outcome(after)
    yield Line(f"{text}: {outcome}", ("DL-44.1",), result=outcome)


def fight_outcome(fight: Fight) -> str:
    """Who is beaten, by how much; a side with nobody left is, whatever both have lost."""
    if not fight.loser:
        return "a draw"
    at = fight.sides.index(fight.loser)
    if not fight.stood[at]:
        return f"nobody of {fight.loser} is left, so {fight.sides[1 - at]} has won"
    return f"{fight.loser} lost by {fight.difference} HP"


def _nerve(before: Fight, after: Fight) -> Iterable[Line]:
    for unit in after.units:
        was = before.unit(unit.name)
        if unit.tested is not None and was.tested is None:
            yield nerve_line(unit.tested, f"{capital(unit.name)} tests", "DL-44.1", f" (25 and {after.difference})")
        if unit.fate != was.fate and unit.fate == "no retreat":
            yield Line(f"{capital(unit.name)} does not retreat and suffers the difference", ("DL-44.4",))
        yield from new_told(was.told, unit.told)
        if unit.fate == "falls back" != was.fate:
            yield Line(f"{capital(unit.name)} has to fall back {inches(unit.falls_back)}", ("DL-45.1",))


def _swept(before: Fight, after: Fight) -> Iterable[Line]:
    for name, own, winners in after.totals[len(before.totals) :]:
        caught = after.unit(name).fate == "caught"
        result = "caught and destroyed" if caught else "breaks off"
        yield Line(f"{capital(name)}: Initiative {own} against {winners}: {result}", ("DL-40.1",), result=result)


def _free(before: Fight, after: Fight) -> Iterable[Line]:
    for name in after.consolidates:
        yield Line(f"{capital(name)} may consolidate {inches(close_combat.consolidation())}", ("DL-40.2",))


# --- tokens -----------------------------------------------------------------------------------------------------------


def _spent(before: blasts.Blast, after: blasts.Blast) -> Iterable[Line]:
    used = after.tokens - before.tokens
    yield Line(f"{plural(used, 'scatter token')} used, {after.held} left", ("DL-30.4", "DL-30.6"), result=str(used))


def _drawn_back(before: blasts.Blast, after: blasts.Blast) -> Iterable[Line]:
    pushed = before.push.inches if before.push is not None else 0.0
    back = f"drawn back to {after.inches:.1f} inches off the aim" if after.inches < pushed else "not drawn back"
    text = f"Pushed {pushed:.1f} inches and {back}" if pushed else "The marker stays on its aim"
    lies = after.markers[0].cover
    under, hulls = len(lies.bases), sum(hull.part != "clear" for hull in lies.hulls)
    what = plural(under, "model") + (f" and {plural(hulls, 'hull')}" if hulls else "")
    yield Line(f"{text}: {what} under the marker", ("DL-30.7", "DL-30.8"), result=str(under + hulls))


def _struck_down(before: deep_strike.DeepStrike, after: deep_strike.DeepStrike) -> Iterable[Line]:
    told = MISHAPS[after.fate]
    if after.fate == "lands" and after.tokens:
        pushed = inches(blasts.scattered(after.tokens))
        told = f"lands, {'up to ' if after.tokens > 1 else ''}{pushed} from where it was aimed"
    yield Line(f"{capital(after.unit)} {told}", ("DL-95.2",), result=plain(after.fate))


def _spent_on_it(before: deep_strike.DeepStrike, after: deep_strike.DeepStrike) -> Iterable[Line]:
    yield Line(f"{plural(after.tokens, 'scatter token')} used", ("DL-95.2",), result=str(after.tokens))


def _entered(before: reserves.Outflank, after: reserves.Outflank) -> Iterable[Line]:
    if after.removed:
        yield Line(f"{capital(after.unit)} has no room and is removed from play", ("DL-94.9",))
    else:
        yield Line(f"{capital(after.unit)} comes on from the {after.edge} edge", ("DL-94.8",), result=str(after.edge))


# --- all of it --------------------------------------------------------------------------------------------------------

TELLERS: dict[Stage, Teller] = {
    shooting.play_gets_hot: _heat,
    shooting.make_packets: _packets,
    shooting.resolve_packets: _resolved,
    vehicles.strike_vehicle: _struck,
    vehicle_assault.strike_armour: _armour,
    ramming.hit_target: _rammed,
    ramming.hit_rammer: _ramming,
    repairs.remove_damage: _repaired,
    passengers.hurt_passengers: _hurt_inside,
    passengers.hurt_bystanders: _hurt_nearby,
    passengers.take_pinning_test: _pinned,
    artillery.shell_battery: _shelled,
    artillery.abandon_guns: _abandoned,
    psykers.offer_warp_token: _warp,
    psykers.push_on: _pushed,
    psykers.suffer_perils: _perils,
    psykers.take_psychic_test: _psychic,
    strike_in_order: _blows,
    walkers.strike_among_walkers: _melee,
    close_combat.find_result: _result,
    close_combat.lose_assault: _nerve,
    close_combat.sweep: _swept,
    close_combat.consolidate: _free,
    blasts.spend_tokens: _spent,
    blasts.draw_back: _drawn_back,
    deep_strike.spend_tokens: _spent_on_it,
    deep_strike.push_unit: _struck_down,
    reserves.enter_from_edge: _entered,
}


def narrate(stage: Stage, before: Any, after: Any) -> Iterable[Line]:
    """What a stage did, told from the states before and after it."""
    tell = TELLERS.get(stage)
    return tell(before, after) if tell else ()


# --- headlines --------------------------------------------------------------------------------------------------------


def value(answer: Answer, measure: str) -> Any:
    """What a measure comes to; nothing is rolled, so there is only one value."""
    (only,) = answer.odds(measure).fractions()
    return only


def open_choices(answer: Answer, **measures: str) -> str:
    """What other choices could make of the first measure that they change: “ By other choices: 20 to 40 HP.”"""
    try:
        states = answer.outcomes().states if answer.is_chosen else ()
    except BudgetSpent:
        return ""
    for name, unit in measures.items():
        values = sorted({answer.question.measure(name).of(state) for state in states})
        if len(values) > 1:
            return f" By other choices: {values[0]} to {values[-1]} {unit}."
    return ""
