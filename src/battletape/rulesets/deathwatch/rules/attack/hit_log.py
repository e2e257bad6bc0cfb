"""What the log says hit by hit: the sum of the dice, what armour and toughness stop, and the critical row reached."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from msgspec.structs import replace

from battletape.clauses import clause
from battletape.log import Happened, Line, Narrate, Narrator, Trail
from battletape.rulesets.deathwatch.rules import wounds
from battletape.rulesets.deathwatch.rules.attack.records import Attack, Spec
from battletape.rulesets.deathwatch.rules.attack.stages import take_fist
from battletape.rulesets.deathwatch.rules.criticals import row_words, suffer, table_of
from battletape.rulesets.deathwatch.rules.damage import Hit, kept, raw
from battletape.rulesets.deathwatch.rules.traits import DEAD, SPOTS, place_of
from battletape.rulesets.deathwatch.rules.wounds import Victim, land
from battletape.rulesets.deathwatch.tables.criticals import LAST_ROW
from battletape.words import plain


class Taken(NamedTuple):
    """A hit as it was taken: the victim (or Magnitude) before and after it, its dice, and the attack."""

    before: Any
    hit: Hit
    after: Any
    dice: Trail
    spec: Spec | None = None


def taken_in(happened: Happened) -> list[Taken]:
    """Every hit that was taken in a stage, with its dice and the attack whose hits were placed last."""
    hits: list[Taken] = []
    attack: Attack | None = None
    for event in happened.events:
        first, second = (*event.args, None, None)[:2]
        if isinstance(first, Attack):
            attack = first
            if event.rule is take_fist and hits:  # whose dice came just before it
                hits[-1] = hits[-1]._replace(before=first.victim)
        hit = first if event.rule is raw else second[0] if isinstance(second, tuple) and second else second
        if isinstance(hit, Hit) and event.rule is not suffer and (event.dice or not hit.dice):  # not of the dead
            victim = attack.victim if event.rule is raw and attack is not None else first
            hits.append(Taken(victim, hit, event.result, event.dice, attack.spec if attack is not None else None))
    return hits


def rows_in(happened: Happened) -> list[tuple[Hit, int]]:
    """Every critical row that was reached in a stage."""
    return [(event.args[1], event.args[2]) for event in happened.events if event.rule is suffer]


def with_hits(narrate: Narrate, spec_of: Callable[[Any], Spec]) -> Narrator:
    """What is said of a stage, after every hit that was taken in it."""

    def tell(happened: Happened) -> Iterator[Line]:
        if any(ask.label == "damage" for ask, _ in happened.trail):
            yield from tell_hits(taken_in(happened), spec_of(happened.before))
        yield from narrate(happened.stage, happened.before, happened.after)

    return Narrator(tell)


@clause("DW-DMG-3", "DW-DMG-2", "DW-CRIT-2")
def tell_hits(taken: Iterable[Taken], spec: Spec) -> Iterator[Line]:
    """Each hit in turn: its sum, what was stopped, what got through, and its critical row."""
    numbers: dict[str, int] = {}
    for hit in taken:
        own = hit.spec or spec
        name = own.guard.name
        numbers[name] = numbers.get(name, 0) + 1
        who = f"{name}: hit {numbers[name]}" if name else f"Hit {numbers[name]}"
        through = max(0, sum_of(hit) - stopped(hit))
        less = f"less {stopped(hit)} ({stopped_words(hit, own)})"
        late = ", after death" if isinstance(hit.before, Victim) and hit.before.is_dead else ""
        text = f"{who} on the {plain(hit.hit.spot)}: {added(hit)}, {less}: {through} through{late}"
        yield Line(text, ("DW-DMG-3",), rolled=shown(hit), result=str(through))
        row = row_after(hit, through)
        if row:
            yield replace(tell_row(hit.hit, row), result=str(critical_after(hit, through)))


def tell_row(hit: Hit, row: int) -> Line:
    """The row of a critical table in words."""
    if hit.sudden_death:
        return Line("Any critical damage kills", ("DW-DMG-4",))
    table = table_of(hit.damage_type)[0]
    words = row_words(hit.damage_type, hit.spot, row)
    return Line(f"{table}, {plain(hit.spot)}, row {row}: {words}", ("DW-CRIT-2",))


def row_after(taken: Taken, through: int) -> int:
    """The row of the critical table that a hit reached; 0 for none."""
    before, after = taken.before, taken.after
    health = before.health if isinstance(before, Victim) else before
    if not isinstance(health, int) or health <= DEAD:
        return 0
    row = land(health, through, taken.hit.true_grit)[1]
    if row and isinstance(after, Victim) and after.by_spot:
        return after.row
    return min(LAST_ROW, row)


def critical_after(taken: Taken, through: int) -> int:
    """Critical damage after a hit, however much: past the last row too."""
    health = taken.before.health if isinstance(taken.before, Victim) else taken.before
    return max(0, -land(health, through, taken.hit.true_grit)[0])


def tell_mob(taken: list[Taken], spec: Spec, name: str) -> Iterator[Line]:
    """All hits on a mob in a line."""
    if taken:
        sums = ", ".join(str(sum_of(hit)) for hit in taken)
        hurt = sum(sum_of(hit) > hit.hit.reduction for hit in taken)
        less = f"less {taken[0].hit.reduction} ({stopped_words(taken[0], spec)})"
        yield Line(f"{name}: damage {sums}, each {less}: {hurt} of {len(taken)} do harm", ("DW-HORDE-3",))


# --- sums -------------------------------------------------------------------------------------------------------------


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
    text = " + ".join(map(str, parts)).replace("+ -", "- ") or "0"
    return f"{text} = {sum_of(taken)}" if len(parts) > 1 else f"{sum_of(taken)}"


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
    if not isinstance(taken.before, Victim):
        return hit.reduction
    return wounds.stopped(taken.before, hit)[min(taken.before.worn, hit.cover)]


@clause("DW-DMG-3", "DW-COVER-1")
def stops(spec: Spec, who: str = "") -> tuple[Line, ...]:
    """What is taken from a hit of this attack on somebody, place by place."""
    places: dict[str, dict[str, int]] = {}
    for hit in spec.hits:
        places.setdefault(place_of(hit.spot), {})[hit.spot.replace("_", " ")] = hit.reduction
    told: dict[str, int] = {}
    for place, spots in places.items():
        alike = len(set(spots.values())) == 1  # cover may hide one of two arms
        told |= {f"{place}s" if len(spots) > 1 else place: next(iter(spots.values()))} if alike else spots
    numbers = set(told.values())
    needed = str(*numbers) if len(numbers) == 1 else ", ".join(f"{place} {number}" for place, number in told.items())
    worn = " to ".join(map(str, sorted({min(spec.guard.ap), max(spec.guard.ap)})))
    what = [f"armour {worn}" + (f" less penetration {spec.pen}" if spec.pen else "")]
    what += [f"cover {max(spec.guard.cover)}"] if any(spec.guard.cover) and not spec.flame else []
    title = f"Taken off each hit{who}: {', '.join((*what, f'toughness {spec.tb}'))}"
    return (Line(title, ("DW-DMG-3",), needed=needed),)


def stopped_words(taken: Taken, spec: Spec) -> str:
    """Armour, cover, penetration and toughness in words."""
    hit, guard = taken.hit, spec.guard
    at = next(at for at, spot in enumerate(SPOTS) if hit.spot in (spot, place_of(spot)))
    cover = 0 if spec.flame else guard.cover[at]
    lost = wounds.lost_at(taken.before, hit.spot) if isinstance(taken.before, Victim) else 0
    razor = spec.pen and any(hit.reduction == edge.reduction and edge.spot == hit.spot for edge in spec.sharp)
    pen = 2 * spec.pen if razor and not any(hit.reduction == edge.reduction for edge in spec.hits) else spec.pen
    ap = max(0, guard.ap[at] - lost)
    doubled = " doubled" if stopped(taken) > max(0, ap - pen) + cover + spec.tb else ""
    words = [f"AP {ap}{doubled}", f"cover {cover}" if cover else "", f"penetration {pen}" if pen else ""]
    return ", ".join(filter(None, [*words, f"TB {spec.tb}"]))
