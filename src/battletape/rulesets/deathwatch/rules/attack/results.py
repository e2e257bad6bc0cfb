"""What came of an attack: its measures, and what the log says of it, stage by stage and hit by hit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

from battletape.cards import Answer, Happened, Line, Measure, Narrator, Rung, Trail, percent
from battletape.rulebook import Stage, clause, plain, plural, replace
from battletape.rulesets.deathwatch.rules import guns, hordes, tests, traits, wounds
from battletape.rulesets.deathwatch.rules.attack import exchange, records, stages
from battletape.rulesets.deathwatch.rules.damage import Hit, kept, raw
from battletape.rulesets.deathwatch.tables.criticals import LAST_ROW, STRIKES, WORDS
from battletape.rulesets.deathwatch.words import modifier_lines

# --- measures ---------------------------------------------------------------------------------------------------------
# All of them read any state with `victim`, `before`, `hits`, `landed`, `spec` and `status`.


def damage_of(state: Any) -> int:
    """Damage up to death, wounds and critical damage together; of a mob, the Magnitude lost."""
    return wounds.damage_done(state.before, state.victim.health)


def row_of(state: Any) -> int:
    """The row of the critical table that the target has reached."""
    return wounds.row_of(state.victim)


def where_critical(state: Any) -> str:
    """The critical row reached last: X head 7, or none."""
    victim = state.victim
    if victim.health >= 0 or damage_of(state) <= 0:
        return "none"
    letter = state.spec.hits[0].damage_type
    return " ".join(filter(None, (letter, victim.spot.replace("_", " "), str(row_of(state)))))


SLAIN, UNHURT = 11, -1
"""Worse than any row of a critical table that somebody lives through, and better than any wound."""


def fate_of(state: Any) -> int:
    """How badly the target is hurt: the critical row that it lives through, 0 if it is only wounded."""
    if damage_of(state) <= 0:
        return UNHURT
    return SLAIN if state.victim.is_dead else row_of(state)


def is_brought(name: str) -> Callable[[Any], bool]:
    """Whether the weapon itself brings about a condition; critical rows of any weapon may.

    Bursts that do something hit by hit and once more after all hits take too long to follow for what nobody asked.
    """

    def brought(start: Any) -> bool:
        slow = any(spec.follows and spec.hits[0].acts and spec.cap * spec.times > 1 for spec in start.specs)
        return not slow and any(name in spec.brings for spec in start.specs)

    return brought


def is_one_attack(start: Any) -> bool:
    """Whether the place of a critical row is shown unasked: not over several turns of fire."""
    return type(start) is not guns.Gunfire  # of a rush of a horde it is


def hits_are_counted(start: Any) -> bool:
    """Whether hits scored are shown unasked: over several turns only where nobody evades them."""
    return is_one_attack(start) or start.spec.guard.reaction == "none"


def unasked(start: Any) -> bool:
    """Never shown unasked."""
    return False


def chance(name: str, title: str, test: Callable[[Any], Any]) -> Measure:
    """Something that happens or not: 1 or 0, so that chances and means both read well."""
    return Measure(name, title, lambda state: int(bool(test(state))))


def _rows(first: int, last: int, about: str) -> Rung:
    return Rung(f"Critical {first} to {last}", lambda fate: first <= fate <= last, about, f"{first}–{last}")


FATE = Measure(
    "fate",
    "How badly the target is hurt",
    fate_of,
    words=lambda fate: {SLAIN: "dead", 0: "wounded", UNHURT: "unhurt"}.get(fate) or f"critical {fate}",
    values=tuple(range(UNHURT, SLAIN + 1)),
    ladder=(
        Rung("Dead", SLAIN.__eq__, "by a row that kills, or any row of a minion", "†", grave=True),
        _rows(7, 10, "alive, by a hair"),
        _rows(4, 6, "alive, in a bad way"),
        _rows(1, 3, "alive, shaken and hurt"),
        Rung("Wounded", (0).__eq__, "wounds lost, no critical damage", "0"),
        Rung("Unhurt", UNHURT.__eq__, "missed, evaded or stopped", "–"),
    ),
)
DAMAGE = Measure("damage", "Damage, up to death", damage_of, "damage")
HITS = Measure("hits", "Hits scored", lambda state: state.hits, "hits", usual=hits_are_counted)
LANDED = Measure("landed", "Hits that were not evaded", lambda state: state.landed, "hits")
DIES = chance("dead", "Dead", lambda state: state.victim.is_dead)
ROW = Measure("critical_row", "Row of the critical table", row_of, "row")
HARM = (
    DAMAGE,
    Measure("dealt", "Damage dealt, with overkill", lambda state: state.victim.dealt or 0, "damage", usual=unasked),
    HITS,
    LANDED,
    Measure("wounds", "Wounds lost", lambda state: max(0, state.before) - max(0, state.victim.health), "wounds"),
    DIES,
    chance("hurt", "Hurt at all", lambda state: damage_of(state) > 0),
    Measure("critical", "Critical row reached", where_critical, usual=is_one_attack),
    ROW,
)
BEFALLS = (
    # the name, in words, its unit, the conditions that it depends on, of which the first is told, and the clause
    ("stunned", "Rounds stunned", "rounds", ("stunned", "fatigue"), "DW-STUN-1"),  # the worn out fall, or are stunned
    ("prone", "Thrown down", "", ("prone", "fatigue"), "DW-COND-PRONE"),
    ("on_fire", "On fire", "", ("on_fire",), "DW-COND-FIRE"),
    ("bleeding", "Bleeding", "", ("blood_loss",), "DW-BLOOD-1"),
    ("fatigue", "Levels of fatigue", "levels", ("fatigue",), "DW-FAT-1"),
    ("held", "Held by a snare", "", ("immobilised",), "DW-QUAL-SNARE"),
)


def condition(name: str) -> Callable[[Any], int]:
    """A condition of the victim as a number."""
    return lambda state: int(getattr(state.victim.conditions, name))


CONDITIONS = tuple(
    Measure(name, title, condition(fields[0]), unit, usual=is_brought(name)) for name, title, unit, fields, _ in BEFALLS
)
"""What befalls the target; told unasked where the weapon itself brings it about."""
JAMMED = chance("jammed", "The weapon jams", lambda state: state.status == "jam")
OVERHEATED = chance("overheated", "The weapon overheats", lambda state: state.status == "overheat")
DESTROYED = chance(
    "weapon_destroyed", "The weapon is destroyed", lambda state: any(what == "broken" for *_, what in state.marks)
)
TAKEN = Measure(
    "damage_taken",
    "Wounds lost in all",
    lambda state: wounds.damage_taken(state.victim.health, state.spec.guard.wounds),
    "wounds",
)


def of_roll(name: str, title: str, read: Callable[[records.Spec, records.HitRoll], Any], unit: str = "") -> Measure:
    """What is read off the roll of one attack, or of the last of several, if it was kept; of turns of fire nothing."""

    def value(state: Any) -> Any:
        last = state.last if isinstance(state, exchange.Exchange) else None
        if last is None or last.hit_roll is None or not last.hit_roll.roll:
            return "not followed"
        return read(last.spec, last.hit_roll)

    return Measure(name, title, value, unit, usual=unasked)


def places_of(hit_roll: records.HitRoll) -> tuple[str, ...]:
    """Where all hits of the roll land, in order, those that are evaded too."""
    return stages.sequence(hit_roll.first, hit_roll.hits) if hit_roll.first else ()


def hits_on(place: str, title: str) -> Measure:
    """How many hits of the roll are on a place, left and right together."""
    return of_roll(f"{place}_hits", title, lambda spec, hit_roll: places_of(hit_roll).count(place), "hits")


ROLL = (
    of_roll(
        "degrees",
        "Degrees of the attack roll",
        lambda spec, hit_roll: tests.degrees_of(spec.target, hit_roll.roll, spec.tests).degrees,
        "degrees",
    ),
    of_roll(
        "location",
        "Number on the table of locations",
        lambda spec, hit_roll: stages.reversed_digits(hit_roll.roll, spec.location),
    ),
    of_roll("first_place", "Where the first hit lands", lambda spec, hit_roll: plain(hit_roll.first) or "nowhere"),
    of_roll("places", "Where hits land, in order", lambda spec, hit_roll: ", ".join(places_of(hit_roll)) or "nowhere"),
    hits_on("head", "Hits on the head"),
    hits_on("arm", "Hits on the arms"),
    hits_on("body", "Hits on the body"),
    hits_on("leg", "Hits on the legs"),
)


def rounds_stunned(action: exchange.Exchange) -> int:
    """For how many rounds more the target is stunned, by the blow, the weapon or a critical row; the dead are not."""
    victim = action.victim
    return 0 if victim.is_dead or victim.conditions is None else max(0, victim.conditions.stunned - action.dazed)


def may_stun(action: exchange.Exchange) -> bool:
    """Whether stunning is told unasked in a battle: where the blow or the weapon itself stuns."""
    specs = [blow.spec for blow in action.rest if blow.spec is not None and blow.target == action.first]
    return any(spec.how == "stun" for spec in specs) or (bool(specs) and is_brought("stunned")(action))


IN_BATTLE = (
    replace(DAMAGE, title="Damage to the target, up to death, or Magnitude lost"),
    replace(HITS, title="Hits scored; on a horde, as many as they count"),
    replace(LANDED, title="Hits that land, on anybody"),
    replace(DIES, title="Target dead or destroyed"),
    replace(ROW, title="Row of the critical table the target reaches"),
    JAMMED,
    OVERHEATED,
    DESTROYED,
    Measure("stunned", "More rounds for which the target is stunned", rounds_stunned, "rounds", usual=may_stun),
    Measure("pinned", "How many are pinned", lambda action: action.pinned, "units"),
)

OF_HORDES = tuple(
    measure for measure in IN_BATTLE if measure not in (JAMMED, OVERHEATED, DESTROYED) and measure.name != "pinned"
)
"""Of the attacks of a horde: a gun of theirs that jams is one of many, and nothing is noted of it."""


def headline(answer: Answer) -> str:
    """The attacks of an action in a battle: the numbers that players ask for first, and the risks there are."""
    damage, start = float(answer.odds("damage").mean), answer.start
    landed = float(answer.odds("landed").mean)
    what = "Magnitude lost" if start.foe(start.first).is_mob else "damage"
    if not start.rest:
        return "Nobody is attacked."
    several = any(len(blow.caught) > 1 for blow in start.rest)
    hits, whom = ("hits on all of them", f" to {start.first}") if several else ("hits", "")
    dead = f"{start.first} dead" if several else "dead"
    said = (
        f"{landed:.1f} {hits} and {damage:.1f} {what}{whom} on average; {dead} {percent(answer.odds('dead').chance(1))}"
    )
    risks = (("jammed", "jams"), ("overheated", "overheats"), ("weapon_destroyed", "the weapon breaks"))
    for name, words in (*risks, ("stunned", "stunned"), ("pinned", "somebody is pinned")):
        risk = answer.odds(name).at_least(1) if answer.tells(name) else 0
        said += f", {words} {percent(risk)}" if risk else ""
    return f"{said}."


# --- the log, stage by stage ------------------------------------------------------------------------------------------


TRIALS: dict[str, tuple[str, str]] = {
    "feint": ("The feint", "DW-ACT-FEINT"),
    "manoeuvre": ("The push", "DW-ACT-MANOEUVRE"),
    "knock_down": ("The knock-down", "DW-ACT-KNOCK-DOWN"),
    "grapple": ("The hold", "DW-ACT-GRAPPLE"),
}
"""Each trial in words, with its clause."""


Telling: TypeAlias = Callable[[Stage, Any, Any], Iterable[Line]]
"""What is said of a stage, from the states before and after it."""


def tell_fall(after: exchange.Exchange) -> Iterator[Line]:
    """Why a trial brings down the one who tried it."""
    if after.own_prone:
        yield Line("The attacker has failed by two degrees or more, and falls", ("DW-ACT-KNOCK-DOWN",))


def _trial(stage: Stage, before: exchange.Exchange, after: exchange.Exchange) -> Iterator[Line]:
    assert before.trial is not None
    words, by = TRIALS[before.trial.what]
    worked = "works" if after.won else "does not work"
    yield Line(f"{words} {worked}", (by,), result=worked)
    yield from tell_fall(after)
    if after.tired:
        yield Line("A level of fatigue", ("DW-UNARM-3",))


def _attack(stage: Stage, before: exchange.Exchange, after: exchange.Exchange) -> Iterator[Line]:
    if before.attack is None:
        return
    attack, spec, now = before.attack, before.attack.spec, after.attack
    if stage is stages.add_modifiers:
        yield from modifiers_told(spec)
    elif stage is stages.evade and now is not None:
        if now.landed < now.hits:
            yield Line(f"{now.hits - now.landed} of {now.hits} hits undone, {now.landed} left")
        if now.weapon_broken:
            yield Line("The power field breaks the attacker's weapon", ("DW-QUAL-POWER-FIELD",))
    elif stage is stages.set_places and now is not None and now.items:
        places = ", ".join(plain(hit.spot) for hit in now.placed)
        yield Line(f"Hits on: {places}", ("DW-MULTI-1",) if len(now.placed) > 1 else ("DW-LOC-2",))
    elif stage is exchange.take_hits and attack.items and spec.how == "stun":
        text = f"Stunned for {plural(after.stunned, 'round')}" if after.stunned else "Not stunned"
        yield Line(text, ("DW-ACT-STUN",))
    elif stage is exchange.take_hits and attack.items:
        if after.tired:
            yield Line("A level of fatigue", ("DW-UNARM-3",))
        yield Line(wounds.health_words(after.victim.health, spec.guard.wounds))


def modifiers_told(spec: records.Spec) -> Iterator[Line]:
    """Each modifier of an attack with its source, and what they come to."""
    for modifier in spec.modifiers:
        text = f"{modifier.source[:1].upper()}{modifier.source[1:]} {modifier.value:+d}"
        yield Line(text, (modifier.clause,) if modifier.clause else ())
    if spec.modifiers:
        applied = spec.target - spec.skill
        capped = f", of which {applied:+d} counts" if applied != spec.total else ""
        yield Line(f"Modifiers {spec.total:+d}{capped}: {spec.skill} becomes {spec.target}", ("DW-TEST-4",))


def _turn_of_fire(stage: Stage, before: guns.Gunfire, after: guns.Gunfire) -> Iterator[Line]:
    if before.victim.is_dead:
        return
    if after.rounds == before.rounds:
        yield pause_line(before.drill, before.gun, after.gun)
        return
    text = plural(after.landed - before.landed, "hit")
    yield Line(f"{text}: {wounds.health_words(after.victim.health, after.spec.guard.wounds).lower()}", ("DW-PIPE-1",))
    if after.gun.jammed:
        yield Line("The weapon jams", ("DW-JAM-1",), result="jam")
    elif after.status == "overheat" and (after.gun.overheated_until or after.gun.fired_round):
        yield Line("The weapon overheats", ("DW-QUAL-OVERHEATS",), result="overheat")


def pause_line(drill: guns.Drill, before: guns.Drilled, after: guns.Drilled) -> Line:
    """What was done in a turn without a shot."""
    if before.jammed:
        emptied = ", the clip is lost" if drill.empties else ""
        return Line("Still jammed" if after.jammed else f"The jam is cleared{emptied}", ("DW-JAM-2",))
    if not guns.is_loaded(before.clip, guns.attack_with(drill.spec, before.clip, drill.tests).rounds):
        left = f"Reloading, {plural(drill.reload - after.reload_done, 'Full Action')} left"
        return Line(left if after.reload_done else "Reloaded", ("DW-ACT-RELOAD",))
    if not before.aimed:
        return Line("Takes aim", ("DW-ACT-AIM",))
    return Line("The weapon rests", ("DW-QUAL-RECHARGE" if drill.recharges else "DW-QUAL-OVERHEATS",))


def _rush(stage: Stage, before: hordes.Rush, after: hordes.Rush) -> Iterator[Line]:
    spec = before.spec
    left = wounds.health_words(after.victim.health, spec.guard.wounds).lower()
    if stage is hordes.come_on:
        if not spec.flame:
            yield from modifier_lines(spec.skill, spec.modifiers, before.drill.tests.modifier_cap)
        yield Line(f"{plural(before.attacks, 'attack')} a turn, which nobody can dodge or parry", ("DW-HORDE-15",))
    elif stage is hordes.attack_target and after.spots:
        yield Line(f"{plural(len(after.spots), 'hit')} ({', '.join(map(plain, after.spots))}): {left}", ("DW-DMG-1",))
    elif stage is hordes.end_turn and not before.dead_in:
        yield Line(f"Turn {before.turn}: {left}")


def _nerve(stage: Stage, before: hordes.Standing, after: hordes.Standing) -> Iterator[Line]:
    if after.broken_in and not before.is_over:
        why = "too few are left" if hordes.nerve_of(before).auto else "its nerve fails"
        yield Line(f"The horde breaks in turn {after.broken_in}: {why}", ("DW-HORDE-16",), result="breaks")


def _size(stage: Stage, now: hordes.Standing, after: hordes.Standing) -> Iterator[Line]:
    attack = now.siege.attack
    spec = attack.spec(now.magnitude)
    if attack.kind == "flame":
        yield Line(f"No roll to hit: {attack.base} and a d{attack.die} hits", ("DW-HORDE-12",), result=str(attack.base))
    elif not attack.sure:
        yield from modifier_lines(spec.skill, spec.modifiers, now.siege.drill.tests.modifier_cap)
    if attack.kind == "psychic":
        more = f" and a d{attack.die}" if attack.die else ""
        yield Line(f"{attack.base}{more} hits by the psy rating", ("DW-HORDE-13",), result=str(attack.base))
    each, plus = attack.count
    if (each, plus) != (1, 0):
        times = f"counts {each} times" if each > 1 else "counts once"
        rule = (
            "DW-HORDE-11" if spec.blast else "DW-HORDE-4" if spec.hits[0].damage_type == "X" else "DW-QUAL-DEVASTATING"
        )
        yield Line(f"Each hit {times}" + (f", and {plus} more for the attack" if plus else ""), (rule,))


def _assault(stage: Stage, before: hordes.Standing, after: hordes.Standing) -> Iterator[Line]:
    if after.rounds == before.rounds:
        yield from () if before.is_over else (pause_line(before.siege.drill, before.gun, after.gun),)
        return
    lost = before.magnitude - after.magnitude
    hits = f"{plural(after.hits - before.hits, 'hit')}, "
    left = f"Magnitude {before.magnitude} to {after.magnitude}" if after.magnitude else "the horde is destroyed"
    yield Line(f"Turn {after.turn}: {hits}{left}", ("DW-HORDE-3",), result=str(lost))
    if after.gun.status == "jam" and (after.gun.jammed or not after.magnitude):
        yield Line("The weapon jams", ("DW-JAM-1",), result="jam")


TOLD: dict[Stage, Telling] = {
    exchange.try_each_other: _trial,
    **dict.fromkeys((stages.add_modifiers, stages.evade, stages.set_places, exchange.take_hits), _attack),
    guns.fire_on: _turn_of_fire,
    **dict.fromkeys((hordes.come_on, hordes.attack_target, hordes.end_turn), _rush),
    **{hordes.size_up: _size, hordes.assail: _assault, hordes.nerve_test: _nerve},
}
"""What tells each stage of an attack, and of turns of them."""


def narrating(own: Telling, *of: Stage) -> Telling:
    """What tells these stages of a question by words of its own, and all others as in any attack."""
    told = {**TOLD, **dict.fromkeys(of, own)}

    def tell_stage(stage: Stage, before: Any, after: Any) -> Iterable[Line]:
        rule = getattr(stage, "__wrapped__", stage)
        return told[rule](rule, before, after) if rule in told else ()

    return tell_stage


narrate = narrating(_attack)


def tell_befallen(before: wounds.Victim, after: wounds.Victim) -> Iterator[Line]:
    """The conditions that have come upon somebody."""
    for _, title, unit, fields, by in BEFALLS:
        was, now = (getattr(victim.conditions, fields[0]) for victim in (before, after))
        if now != was:
            yield Line(f"{title}: {now}" if unit else title, (by,), result=str(int(now)))


# --- hit by hit -------------------------------------------------------------------------------------------------------


class Taken(NamedTuple):
    """A hit as it was taken: the victim (or Magnitude) before and after it, its dice, and the attack."""

    before: Any
    hit: Hit
    after: Any
    dice: Trail
    spec: records.Spec | None = None


def taken_in(happened: Happened) -> list[Taken]:
    """Every hit that was taken in a stage, with its dice and the attack whose hits were placed last."""
    hits: list[Taken] = []
    attack: records.Attack | None = None
    for event in happened.events:
        first, second = (*event.args, None, None)[:2]
        if isinstance(first, records.Attack):
            attack = first
            if event.rule is stages.take_fist and hits:  # whose dice came just before it
                hits[-1] = hits[-1]._replace(before=first.victim)
        hit = first if event.rule is raw else second[0] if isinstance(second, tuple) and second else second
        if isinstance(hit, Hit) and event.rule is not wounds.suffer and (event.dice or not hit.dice):  # not of the dead
            victim = attack.victim if event.rule is raw and attack is not None else first
            hits.append(Taken(victim, hit, event.result, event.dice, attack.spec if attack is not None else None))
    return hits


def rows_in(happened: Happened) -> list[tuple[Hit, int]]:
    """Every critical row that was reached in a stage."""
    return [(event.args[1], event.args[2]) for event in happened.events if event.rule is wounds.suffer]


def tell(happened: Happened) -> Iterator[Line]:
    """What is said of a stage, after every hit that was taken in it."""
    if any(ask.label == "damage" for ask, _ in happened.trail):
        yield from tell_hits(taken_in(happened), happened.before.spec)
    yield from narrate(happened.stage, happened.before, happened.after)


NARRATE = Narrator(tell)


@clause("DW-DMG-3", "DW-DMG-2", "DW-CRIT-2")
def tell_hits(taken: Iterable[Taken], spec: records.Spec, in_battle: bool = False) -> Iterator[Line]:
    """Each hit in turn: its sum, what was stopped, what got through, its critical row, and in battles what that leaves.

    What a row leaves for the players to roll is what it does to those around.
    """
    numbers: dict[str, int] = {}
    for hit in taken:
        own = hit.spec or spec
        name = own.guard.name
        numbers[name] = numbers.get(name, 0) + 1
        who = f"{name}: hit {numbers[name]}" if name else f"Hit {numbers[name]}"
        through = max(0, sum_of(hit) - stopped(hit))
        less = f"less {stopped(hit)} ({stopped_words(hit, own)})"
        late = ", after death" if isinstance(hit.before, wounds.Victim) and hit.before.is_dead else ""
        text = f"{who} on the {plain(hit.hit.spot)}: {added(hit)}, {less}: {through} through{late}"
        yield Line(text, ("DW-DMG-3",), rolled=shown(hit), result=str(through))
        row, critical = critical_after(hit, through)
        if row:
            yield replace(tell_row(hit.hit, row), result=str(critical))
            yield from offers(hit.hit, row, name) if in_battle else ()


@clause("DW-CRIT-2")
def offers(hit: Hit, row: int, name: str) -> Iterator[Line]:
    """What a critical row does to those around somebody, as the order that plays it by hand."""
    from shlex import quote  # here: few rows need it

    for strike in STRIKES.get((hit.damage_type, traits.place_of(hit.spot), row), ()) if not hit.sudden_death else ():
        kind = "" if strike.damage_type == "I" else f" damage_type={strike.damage_type}"
        order = f"wound unit={quote(name)} damage={strike.damage}{kind} within={strike.within} spares=yes stopped=yes"
        yield Line(f"If those around are struck, by hand: {order}", ("DW-CRIT-2",))


def tell_row(hit: Hit, row: int) -> Line:
    """The row of a critical table in words."""
    if hit.sudden_death:
        return Line("Any critical damage kills", ("DW-DMG-4",))
    table = wounds.table_of(hit.damage_type)[0]
    words = WORDS[hit.damage_type, traits.place_of(hit.spot), row]
    return Line(f"{table}, {plain(hit.spot)}, row {row}: {words}", ("DW-CRIT-2",))


def critical_after(taken: Taken, through: int) -> tuple[int, int]:
    """The row of the critical table that a hit reached, 0 for none, and critical damage, past the last row too."""
    before, after = taken.before, taken.after
    health = before.health if isinstance(before, wounds.Victim) else before
    if not isinstance(health, int) or health <= traits.DEAD:
        return 0, 0
    left, row = wounds.land(health, through, taken.hit.true_grit)
    return after.row if row and isinstance(after, wounds.Victim) and after.by_spot else min(LAST_ROW, row), -left


def tell_mob(taken: list[Taken], spec: records.Spec, name: str) -> Iterator[Line]:
    """All hits on a mob in a line."""
    if taken:
        sums = ", ".join(str(sum_of(hit)) for hit in taken)
        hurt = sum(sum_of(hit) > hit.hit.reduction for hit in taken)
        less = f"less {taken[0].hit.reduction} ({stopped_words(taken[0], spec)})"
        yield Line(f"{name}: damage {sums}, each {less}: {hurt} of {len(taken)} do harm", ("DW-HORDE-3",))


def _dice(taken: Taken) -> tuple[list[int], list[int]]:
    """What the damage dice that count came to, roll by roll, and what righteous fury added."""
    damage = [ask.meaning(answer) for ask, answer in taken.dice if ask.label == "damage"]
    fury = [int(ask.meaning(answer)) for ask, answer in taken.dice if ask.label == "righteous fury"]
    return [int(meaning[0]) for meaning in damage[: taken.hit.rolls]], fury


def sum_of(taken: Taken) -> int:
    """The damage of a hit before anything is taken from it."""
    dice, fury = _dice(taken)
    return max(0, sum(dice) + taken.hit.flat * max(1, len(dice)) + sum(fury))


def added(taken: Taken) -> str:
    """How that sum is made: 8 + 9 = 17."""
    dice, fury = _dice(taken)
    parts = [part for roll in dice for part in (roll, taken.hit.flat) if part] + fury
    return summed(parts, sum_of(taken))


def summed(parts: Sequence[int], total: int) -> str:
    """A sum with its parts, if there are several."""
    return " + ".join(map(str, parts)).replace("+ -", "- ") + f" = {total}" if len(parts) > 1 else str(total)


@clause("DW-QUAL-TEARING", "DW-RF-1")
def shown(taken: Taken) -> str:
    """The damage dice that count, and righteous fury: 10 6, fury 14."""
    dice = [face for ask, answer in taken.dice if ask.label == "damage" for face in kept(answer, taken.hit.drop)]
    fury = sum(_dice(taken)[1])
    refused = any(ask.label == "confirm" for ask, _ in taken.dice) and not fury
    return " ".join(map(str, dice)) + (f", fury {fury}" if fury else ", no fury" if refused else "")


def stopped(taken: Taken) -> int:
    """What armour, cover and toughness take from a hit."""
    hit = taken.hit
    if not isinstance(taken.before, wounds.Victim):
        return hit.reduction
    return wounds.stopped(taken.before, hit)[min(taken.before.worn, hit.cover)]


@clause("DW-DMG-3", "DW-COVER-1")
def stops(spec: records.Spec, who: str = "") -> tuple[Line, ...]:
    """What is taken from a hit of this attack on somebody, place by place."""
    places: dict[str, dict[str, int]] = {}
    for hit in spec.hits:
        places.setdefault(traits.place_of(hit.spot), {})[hit.spot.replace("_", " ")] = hit.reduction
    told: dict[str, int] = {}
    for place, spots in places.items():
        alike = len(set(spots.values())) == 1  # cover may hide one of two arms
        told |= {f"{place}s" if len(spots) > 1 else place: next(iter(spots.values()))} if alike else spots
    numbers = set(told.values())
    much = str(*numbers) if len(numbers) == 1 else ", ".join(f"{place} {number}" for place, number in told.items())
    worn = " to ".join(map(str, sorted({min(spec.guard.ap), max(spec.guard.ap)})))
    what = [f"armour {worn}" + (f" less penetration {spec.pen}" if spec.pen else "")]
    what += [f"cover {max(spec.guard.cover)}"] if any(spec.guard.cover) and not spec.flame else []
    why = ", ".join((*what, f"toughness {spec.tb}"))
    return (Line(f"Taken off each hit{who}: {much} ({why})", ("DW-DMG-3",)),)


def stopped_words(taken: Taken, spec: records.Spec) -> str:
    """Armour, cover, penetration and toughness in words."""
    hit, guard = taken.hit, spec.guard
    at = next(at for at, spot in enumerate(traits.SPOTS) if hit.spot in (spot, traits.place_of(spot)))
    cover = 0 if spec.flame else guard.cover[at]
    lost = wounds.lost_at(taken.before, hit.spot) if isinstance(taken.before, wounds.Victim) else 0
    razor = spec.pen and any(hit.reduction == edge.reduction and edge.spot == hit.spot for edge in spec.sharp)
    pen = 2 * spec.pen if razor and not any(hit.reduction == edge.reduction for edge in spec.hits) else spec.pen
    ap = max(0, guard.ap[at] - lost)
    doubled = " doubled" if stopped(taken) > max(0, ap - pen) + cover + spec.tb else ""
    words = [f"AP {ap}{doubled}", f"cover {cover}" if cover else "", f"penetration {pen}" if pen else ""]
    return ", ".join(filter(None, [*words, f"TB {spec.tb}"]))
