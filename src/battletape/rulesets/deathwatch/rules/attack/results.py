"""The measures of an attack, its headline, and lines about conditions and armour."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from battletape.cards import Answer, Line, Measure, Rung, percent
from battletape.rulebook import clause, plain, replace
from battletape.rulesets.deathwatch.rules import d100_tests, guns, traits, wounds
from battletape.rulesets.deathwatch.rules.attack import exchange, records, stages

# --- measures ---------------------------------------------------------------------------------------------------------
# All of them read any state with `victim`, `before`, `hits`, `landed`, `spec` and `status`.


def damage_of(state: Any) -> int:
    """Return damage up to death, wounds and critical damage together; of a mob, the Magnitude lost."""
    return wounds.damage_done(state.before, state.victim.health)


def row_of(state: Any) -> int:
    """Return the row of the critical table that the target has reached."""
    return wounds.row_of(state.victim)


def where_critical(state: Any) -> str:
    """Return the critical row reached last: X head 7, or none."""
    victim = state.victim
    if victim.health >= 0 or damage_of(state) <= 0:
        return "none"
    letter = state.spec.hits[0].damage_type
    return " ".join(filter(None, (letter, victim.spot.replace("_", " "), str(row_of(state)))))


SLAIN, UNHURT = 11, -1
"""Worse than any row of a critical table that does not kill, and better than any wound."""


def fate_of(state: Any) -> int:
    """Return how badly the target is hurt: the critical row that it lives through, 0 if it is only wounded."""
    if damage_of(state) <= 0:
        return UNHURT
    return SLAIN if state.victim.is_dead else row_of(state)


def weapon_inflicts(name: str) -> Callable[[Any], bool]:
    """Return a test whether the weapon itself brings about a condition; critical rows of any weapon may.

    Bursts with effects hit by hit and after all hits take too long to follow unasked.
    """

    def brought(start: Any) -> bool:
        slow = any(
            spec.attack_effects and spec.hits[0].hit_effects and spec.max_hits * spec.hit_multiplier > 1
            for spec in start.specs
        )
        return not slow and any(name in spec.inflicts for spec in start.specs)

    return brought


def is_one_attack(start: Any) -> bool:
    """Return whether the place of a critical row is shown unasked: not over several turns of fire."""
    return type(start) is not guns.Gunfire  # of a rush of a horde it is


def hits_are_counted(start: Any) -> bool:
    """Return whether hits scored are shown unasked: over several turns only if nothing evades them."""
    return is_one_attack(start) or start.spec.defender.reaction == "none"


def only_if_asked(start: Any) -> bool:
    """Return False: the measure is shown only if asked for."""
    return False


def chance(name: str, title: str, test: Callable[[Any], Any]) -> Measure:
    """Return something that happens or not: 1 or 0, so that chances and means both read well."""
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
    Measure(
        "dealt", "Damage dealt, with overkill", lambda state: state.victim.dealt or 0, "damage", usual=only_if_asked
    ),
    HITS,
    LANDED,
    Measure("wounds", "Wounds lost", lambda state: max(0, state.before) - max(0, state.victim.health), "wounds"),
    DIES,
    chance("hurt", "Hurt at all", lambda state: damage_of(state) > 0),
    Measure("critical", "Critical row reached", where_critical, usual=is_one_attack),
    ROW,
)
CONDITION_TITLES = (
    # the name, in words, its unit, the conditions that it depends on, of which the first is told, and the clause
    ("stunned", "Rounds stunned", "rounds", ("stunned", "fatigue"), "DW-STUN-1"),  # the worn out fall, or are stunned
    ("prone", "Thrown down", "", ("prone", "fatigue"), "DW-COND-PRONE"),
    ("on_fire", "On fire", "", ("on_fire",), "DW-COND-FIRE"),
    ("bleeding", "Bleeding", "", ("blood_loss",), "DW-BLOOD-1"),
    ("fatigue", "Levels of fatigue", "levels", ("fatigue",), "DW-FAT-1"),
    ("held", "Held by a snare", "", ("immobilised",), "DW-QUAL-SNARE"),
)


def condition(name: str) -> Callable[[Any], int]:
    """Return a condition of the victim as a number."""
    return lambda state: int(getattr(state.victim.conditions, name))


CONDITIONS = tuple(
    Measure(name, title, condition(fields[0]), unit, usual=weapon_inflicts(name))
    for name, title, unit, fields, _ in CONDITION_TITLES
)
"""Conditions of the target; shown unasked if the weapon itself brings them about."""
JAMMED = chance("jammed", "The weapon jams", lambda state: state.status == "jam")
OVERHEATED = chance("overheated", "The weapon overheats", lambda state: state.status == "overheat")
DESTROYED = chance(
    "weapon_destroyed", "The weapon is destroyed", lambda state: any(what == "broken" for *_, what in state.events)
)
TAKEN = Measure(
    "damage_taken",
    "Wounds lost in all",
    lambda state: wounds.damage_taken(state.victim.health, state.spec.defender.wounds),
    "wounds",
)


def of_roll(
    name: str, title: str, read: Callable[[records.PreparedAttack, records.HitRoll], Any], unit: str = ""
) -> Measure:
    """Return a measure read off the roll of one attack, or of the last of several, if it was kept."""

    def value(state: Any) -> Any:
        last = state.last_attack if isinstance(state, exchange.Exchange) else None
        if last is None or last.hit_roll is None or not last.hit_roll.roll:
            return "not followed"
        return read(last.spec, last.hit_roll)

    return Measure(name, title, value, unit, usual=only_if_asked)


def places_of(hit_roll: records.HitRoll) -> tuple[str, ...]:
    """Return where all hits of the roll land, in order, those that are evaded too."""
    return stages.places_of_hits(hit_roll.first_spot, hit_roll.hits) if hit_roll.first_spot else ()


def hits_on(place: str, title: str) -> Measure:
    """Return how many hits of the roll are on a place, left and right together."""
    return of_roll(f"{place}_hits", title, lambda spec, hit_roll: places_of(hit_roll).count(place), "hits")


ROLL = (
    of_roll(
        "degrees",
        "Degrees of the attack roll",
        lambda spec, hit_roll: d100_tests.degrees_of(spec.target, hit_roll.roll, spec.test_rulings).degrees,
        "degrees",
    ),
    of_roll(
        "location",
        "Number on the table of locations",
        lambda spec, hit_roll: stages.reversed_digits(hit_roll.roll, spec.location),
    ),
    of_roll("first_place", "Where the first hit lands", lambda spec, hit_roll: plain(hit_roll.first_spot) or "nowhere"),
    of_roll("places", "Where hits land, in order", lambda spec, hit_roll: ", ".join(places_of(hit_roll)) or "nowhere"),
    hits_on("head", "Hits on the head"),
    hits_on("arm", "Hits on the arms"),
    hits_on("body", "Hits on the body"),
    hits_on("leg", "Hits on the legs"),
)


def rounds_stunned(action: exchange.Exchange) -> int:
    """Return how many rounds more the target is stunned; the dead are not."""
    victim = action.victim
    return (
        0 if victim.is_dead or victim.conditions is None else max(0, victim.conditions.stunned - action.stunned_before)
    )


def may_stun(action: exchange.Exchange) -> bool:
    """Return whether stunning is told unasked in a battle: where the blow or the weapon itself stuns."""
    attacks = [declared for declared in action.later_attacks if declared.target == action.main_target]
    specs = [declared.spec for declared in attacks if declared.spec is not None]
    return any(spec.how == "stun" for spec in specs) or (bool(specs) and weapon_inflicts("stunned")(action))


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
    """Say the numbers that players need first, and the risks there are."""
    damage, start = float(answer.odds("damage").mean), answer.start
    landed = float(answer.odds("landed").mean)
    what = "Magnitude lost" if start.combatant(start.main_target).is_mob else "damage"
    if not start.later_attacks:
        return "Nobody is attacked."
    several = any(len(declared.in_area) > 1 for declared in start.later_attacks)
    hits, on_target = ("hits on all of them", f" to {start.main_target}") if several else ("hits", "")
    dead = f"{start.main_target} dead" if several else "dead"
    chance_of_death = percent(answer.odds("dead").chance(1))
    text = f"{landed:.1f} {hits} and {damage:.1f} {what}{on_target} on average; {dead} {chance_of_death}"
    risks = (("jammed", "jams"), ("overheated", "overheats"), ("weapon_destroyed", "the weapon breaks"))
    for name, words in (*risks, ("stunned", "stunned"), ("pinned", "somebody is pinned")):
        risk = answer.odds(name).at_least(1) if answer.includes(name) else 0
        text += f", {words} {percent(risk)}" if risk else ""
    return f"{text}."


# --- lines of the log -------------------------------------------------------------------------------------------------


def condition_lines(before: wounds.Victim, after: wounds.Victim) -> Iterator[Line]:
    """Say which conditions have come upon a victim."""
    for _, title, unit, fields, by in CONDITION_TITLES:
        was, now = (getattr(victim.conditions, fields[0]) for victim in (before, after))
        if now != was:
            yield Line(f"{title}: {now}" if unit else title, (by,), result=str(int(now)))


@clause("DW-DMG-3", "DW-COVER-1")
def reduction_lines(spec: records.PreparedAttack, name: str = "") -> tuple[Line, ...]:
    """Say what is taken off a hit of this attack, place by place."""
    places: dict[str, dict[str, int]] = {}
    for hit in spec.hits:
        places.setdefault(traits.place_of(hit.spot), {})[hit.spot.replace("_", " ")] = hit.reduction
    reductions: dict[str, int] = {}
    for place, spots in places.items():
        alike = len(set(spots.values())) == 1  # cover may hide one of two arms
        reductions |= {f"{place}s" if len(spots) > 1 else place: next(iter(spots.values()))} if alike else spots
    numbers = set(reductions.values())
    amounts = (
        str(*numbers) if len(numbers) == 1 else ", ".join(f"{place} {number}" for place, number in reductions.items())
    )
    armour = " to ".join(map(str, sorted({min(spec.defender.ap), max(spec.defender.ap)})))
    parts = [f"armour {armour}" + (f" less penetration {spec.pen}" if spec.pen else "")]
    parts += [f"cover {max(spec.defender.cover)}"] if any(spec.defender.cover) and not spec.flame else []
    parts_text = ", ".join((*parts, f"toughness {spec.tb}"))
    return (Line(f"Taken off each hit{name}: {amounts} ({parts_text})", ("DW-DMG-3",)),)
