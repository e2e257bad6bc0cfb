"""Wounds: how damage lands, when it is critical, what the row of its table does, and who dies of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from operator import mul
from typing import Any, Literal, TypeVar, cast

from battletape.cards import Line
from battletape.rulebook import BadInput, State, Tape, UnknownName, capital, clause, d, dice, plain, replace
from battletape.rulesets.deathwatch.rules.conditions import FOR_GOOD, NOTHING, ROUNDS, Conditions, add_fatigue
from battletape.rulesets.deathwatch.rules.damage import Hit, damage_after_armour, damage_before_armour, less
from battletape.rulesets.deathwatch.rules.tests import check
from battletape.rulesets.deathwatch.rules.traits import DEAD, SPOTS, DamageType, place_of
from battletape.rulesets.deathwatch.tables.criticals import (
    ARMOUR_LOST,
    CATCHES_FIRE,
    DESTROYED,
    EFFECTS,
    LAST_ROW,
    SURE,
    TABLES,
    TESTED,
    WORDS,
    Effect,
)

K = TypeVar("K", str, tuple[str, int])
NONE_BY_SPOT = (0, 0, 0, 0, 0, 0)
MOST_COUNTED = 200
"""Damage is counted up to here where somebody asks for all of it: righteous fury has no end of its own."""


class Victim(State, frozen=True):
    """Who is hit: the state of the fold where places or conditions matter."""

    health: int  # wounds left; below zero the critical total; DEAD and less is dead
    spot: str = ""  # of the last critical row
    by_spot: tuple[int, ...] = ()  # with critical damage counted by location only
    conditions: Conditions | None = None  # None: nobody follows them, and rows ask only what may kill
    worn: int = 0  # points of cover shot away, where it wears down
    net: int = 0  # damage of an attack that got through, while its hits are taken and something asks for it
    row: int = 0  # the last critical row, with critical damage counted by location only
    stripped: tuple[tuple[str, int], ...] = ()  # armour that critical rows took since the attack was worked out
    dealt: int | None = None  # damage that got through, beyond death too; None: the dead are not hit
    is_thrown_down: bool = False  # too much fatigue fells it, and never stuns it as it does the toughest
    due: int = 0  # what a quality is about to do after the hit that was taken last
    last_damage: int = 0  # damage of that hit, while other qualities still ask for it

    @property
    def is_dead(self) -> bool:
        """Dead by a critical row."""
        return self.health <= DEAD


Follow = Callable[..., Victim]
"""What a quality does after all hits of an attack: from the tape, the victim and the aftermath, the victim."""


class Aftermath(State, frozen=True):
    """What follows the hits of an attack: the last item of the fold."""

    follows: tuple[Follow, ...]
    hit: Hit  # the first one where something burns on in its place, else any
    degrees: int = 0
    spec: Any = None  # of the attack


@clause("DW-DMG-1", "DW-DMG-2")
def land(health: int, got: int, true_grit: bool = False) -> tuple[int, int]:
    """Health after damage, and the critical row reached; 0 where wounds were left for all of it."""
    left = health - got
    if left >= 0 or not got:
        return left, 0
    if true_grit:
        left = min(0, health) - (got - max(0, health) + 1) // 2
    return left, -left if left > -LAST_ROW else LAST_ROW


@clause("DW-DMG-1")
def damage_taken(health: int, wounds: int) -> int:
    """Damage taken so far, critical damage not counted."""
    return wounds - max(0, health)


def health_words(health: int, wounds: int) -> str:
    """Health in words: 12 of 21 wounds left, critical damage 3, dead."""
    if health <= DEAD:
        return "Dead"
    return f"{health} of {wounds} wounds left" if health >= 0 else f"Critical damage {-health}"


@clause("DW-DMG-2")
def critical_total(health: int) -> int:
    """Critical damage so far; of the dead, the row that killed, or all of it where it counts by location."""
    return DEAD - health if health <= DEAD else max(0, -health)


@clause("DW-DMG-1", "DW-DMG-2")
def damage_done(before: int, health: int) -> int:
    """Damage between two states of health, wounds and critical damage together."""
    return before - (health if health > DEAD else -critical_total(health))


@clause("DW-DMG-2")
def row_of(victim: Victim) -> int:
    """The critical row reached; by location that of the place struck last, or the worst so far."""
    if victim.by_spot:
        return victim.row or max(victim.by_spot)
    return min(LAST_ROW, critical_total(victim.health))


@clause("DW-LIGHT-1", "DW-HEAVY-1")
def category(damage: int, tb: int, critical: int = 0) -> str:
    """How badly a character is hurt, which says how fast the wounds heal."""
    if damage < 0 or critical < 0:
        raise BadInput(
            f"damage must be 0 or more; got {min(damage, critical)}", field="damage_taken", clause="DW-LIGHT-1"
        )
    if critical:
        return "critical"
    if not damage:
        return "undamaged"
    return "lightly" if damage <= 2 * tb else "heavily"


@clause("DW-DMG-3")
def felt_at_most(tape: Tape, hit: Hit, kills: int | None = None) -> int:
    """The damage of a hit that gets through if all armour is gone that may be, as far as it can be felt."""
    if kills is not None:  # somebody whom so much kills feels no more
        return min(kills, int(tape.call(felt_at_most, hit)))
    if not hit.frail:
        return damage_after_armour(tape, hit, hit.most)
    return max(0, damage_before_armour(tape, hit, hit.most + hit.reduction) - hit.plates[-1][0])


class QualityEffect(State, frozen=True):
    """What a quality does after a hit: the item of the fold that comes next."""

    hit: Hit
    at: int  # which of its acts

    @property
    def whom(self) -> str:
        """The place that was hit."""
        return self.hit.whom


@lru_cache(4096)
def in_parts(items: tuple[Hit | Aftermath, ...]) -> tuple[Hit | QualityEffect | Aftermath, ...]:
    """The hits of an attack, each with what qualities do after it; so that luck merges in between."""
    return tuple(part for item in items for part in (item, *_acts_of(item)))


def _acts_of(item: Hit | Aftermath) -> tuple[QualityEffect, ...]:
    return tuple(QualityEffect(item, at) for at in range(len(item.acts))) if isinstance(item, Hit) else ()


@clause("DW-DMG-1", "DW-DMG-2")
def take_hit(tape: Tape, victim: Victim, hit: Hit) -> Victim:
    """A hit with all that qualities do after it."""
    victim, got = damage_through(tape, victim, hit)
    return apply_damage(tape, victim, hit, got)


@clause("DW-DMG-1", "DW-DMG-2")
def apply_damage(tape: Tape, victim: Victim, hit: Hit, got: int) -> Victim:
    """What the damage of a hit that got through does, and all that qualities do after it."""
    victim = quality_luck(tape, wound(tape, victim, hit, got), hit, 0, got)
    for part in in_parts((hit,))[1:]:
        victim = take_hit_part(tape, victim, part)
    return victim


@clause("DW-DMG-1", "DW-DMG-2", "DW-DMG-4")
def take_hit_part(tape: Tape, victim: Victim, part: Hit | QualityEffect | Aftermath) -> Victim:
    """A hit: what gets through, and the critical row it reaches; or what follows it. Nothing is done to the dead."""
    if isinstance(part, Aftermath):
        return follow(tape, victim, part)
    if isinstance(part, QualityEffect):
        hit, at = part.hit, part.at
        if victim.due:
            victim = hit.acts[at].effect(tape, replace(victim, due=0), hit, victim.due)
        victim, at = quality_luck(tape, victim, hit, at + 1, victim.last_damage), at + 1
    else:
        hit, at = part, 0
        victim, got = damage_through(tape, victim, hit)
        victim = wound(tape, victim, hit, got)
        victim = quality_luck(tape, victim, hit, at, got) if hit.acts else victim
    if hit.keeps is None or victim.is_dead or at < len(hit.acts):
        return victim
    return replace(victim, by_spot=tuple(map(mul, victim.by_spot, hit.keeps)))  # of places struck again


def quality_luck(tape: Tape, victim: Victim, hit: Hit, at: int, got: int) -> Victim:
    """The luck of what a quality is about to do to whoever was hurt and lives."""
    acts = hit.acts if victim.conditions is not None else tuple(act for act in hit.acts if not act.afflicts)
    if not got or victim.is_dead or at >= len(acts):
        return replace(victim, last_damage=0) if victim.last_damage else victim
    luck = acts[at].luck
    due = got if luck is None else luck(tape, hit, got)
    return replace(victim, due=due, last_damage=got if at + 1 < len(acts) else 0)


@clause("DW-DMG-3", "DW-COVER-1")
def damage_through(tape: Tape, victim: Victim, hit: Hit) -> tuple[Victim, int]:
    """What gets through of a hit, and the victim with what is left of its cover."""
    before = victim
    if victim.dealt is not None:
        hit = without_limit(hit)
        if victim.health <= DEAD:
            tape.tell("A hit after death, for the count")
    elif victim.health <= DEAD:
        return victim, 0
    if hit.worn:
        victim, got = through_cover(victim, tape.call(through_air, hit), hit)
    elif victim.dealt is None and victim.health < LAST_ROW and not (victim.by_spot or hit.true_grit or hit.frail):
        got = tape.call(felt_at_most, hit, victim.health + LAST_ROW)
    else:
        got = tape.call(felt_at_most, hit)
    if hit.frail and not hit.worn:
        now = stopped(victim, hit) if victim.stripped else hit.plates[0]
        got += hit.plates[-1][0] - now[0]
        got = 0 if got < 0 else hit.most if got > hit.most else got
    if not hit.is_fixed:
        tape.tell(through_line, before, hit, got)
    return victim, got


@clause("DW-DMG-1", "DW-DMG-2", "DW-DMG-4")
def wound(tape: Tape, victim: Victim, hit: Hit, got: int) -> Victim:
    """What such damage does: wounds, the critical row it reaches, and what is counted for qualities."""
    if hit.counts and got and not victim.is_dead and (hit.counts_always or victim.conditions is not None):
        victim = replace(victim, net=min(hit.counts, victim.net + got))
    return hurt(tape, victim, hit, got)


@lru_cache(1024)
def without_limit(hit: Hit) -> Hit:
    """A hit whose damage counts beyond what can be felt."""
    return replace(hit, most=MOST_COUNTED)


@clause("DW-PIPE-1")
def follow(tape: Tape, victim: Victim, after: Aftermath) -> Victim:
    """What the qualities of a weapon do to whoever was hit and lives."""
    for rule in after.follows:
        if not victim.is_dead:
            victim = tape.call(rule, victim, after)
    return replace(victim, net=0) if victim.net else victim


@clause("DW-COVER-1")
def through_air(tape: Tape, hit: Hit) -> int:
    """The damage of a hit before anything stops it, as far as it can be felt."""
    return damage_before_armour(tape, hit, max(hit.most + max(hit.worn, default=hit.reduction), hit.cover + 1))


@clause("DW-COVER-1")
def through_cover(victim: Victim, damage: int, hit: Hit) -> tuple[Victim, int]:
    """What gets through cover that wears down: damage above its AP takes a point of it for the hits that follow."""
    reductions, gone = stopped(victim, hit), min(victim.worn, hit.cover)
    if gone < hit.cover and damage > hit.cover - gone:
        victim = replace(victim, worn=gone + 1)
    return victim, max(0, min(hit.most, damage - reductions[gone]))


@clause("DW-CRIT-2", "DW-DMG-3")
def stopped(victim: Victim, hit: Hit) -> tuple[int, ...]:
    """What is taken from a hit, by points of cover gone: less where critical rows have taken armour off the place."""
    if not hit.frail:
        return hit.worn or (hit.reduction,)
    return hit.plates[min(lost_at(victim, hit.spot), hit.ap)]


def lost_at(victim: Victim, spot: str) -> int:
    """Points of armour that critical rows took off a place since the attack was worked out."""
    return next((points for place, points in victim.stripped if place == spot), 0)


@clause("DW-CRIT-2", "DW-DMG-4")
def kills(tape: Tape, hit: Hit, row: int) -> bool:
    """Whether a row kills: the last one always, minions by any, others as it says; dice only for a Toughness test."""
    key = (hit.damage_type, place_of(hit.spot), row)
    if hit.sudden_death or row >= LAST_ROW or key in SURE:
        return True
    return key in TESTED and not check(tape, hit.body.toughness, "toughness", hit.body.rules, by="defender")


@clause("DW-DMG-2", "DW-DMG-4", "DW-CRIT-2")
def hurt(tape: Tape, victim: Victim, hit: Hit, got: int) -> Victim:
    """Damage that got through: wounds first, then the critical row of this place."""
    if not got:
        return victim
    left, dealt = victim.health - got, None if victim.dealt is None else min(MOST_COUNTED, victim.dealt + got)
    if left >= 0:  # most hits: quicker than `land`
        return replace(victim, health=left, dealt=dealt)
    if victim.health <= DEAD:  # killed by a hit that landed with this one: it is counted, and nothing comes of it
        return replace(victim, dealt=dealt)
    left, row = land(victim.health, got, hit.true_grit)
    critical = -left
    total, by_spot, conditions = row, victim.by_spot, victim.conditions
    if by_spot:
        at = SPOTS.index(hit.spot)
        row = min(LAST_ROW, by_spot[at] + min(0, victim.health) - left)
        total = row - by_spot[at] - min(0, victim.health)  # past the last row of a place nothing more is felt
        by_spot = (*by_spot[:at], row, *by_spot[at + 1 :])
    tape.tell(critical_line, hit, row, critical)
    if conditions is None or hit.sudden_death or row >= LAST_ROW:
        dead = kills(tape, hit, row)
    else:
        bare = victim.stripped and hit.armoured and lost_at(victim, hit.spot) >= hit.ap  # by now
        after = tape.call(apply_critical_row, conditions, replace(hit, armoured=False) if bare else hit, row)
        dead = after == "dead"
        conditions = conditions if dead else after
    spot, last = hit.spot, row if by_spot else 0
    stripped = torn_off(victim, hit, row) if hit.frail else victim.stripped
    if dead:  # nothing else counts any more
        nothing, stripped = NONE_BY_SPOT if by_spot else (), () if dealt is None else stripped
        return Victim(
            DEAD - total,
            spot,
            nothing,
            conditions and NOTHING,
            victim.worn,
            0,
            last,
            stripped,
            dealt,
            victim.is_thrown_down,
        )
    now = (left, spot, by_spot, conditions, victim.worn, victim.net, last, stripped, dealt)
    return Victim(*now, victim.is_thrown_down, last_damage=victim.last_damage)


@clause("DW-CRIT-2")
def torn_off(victim: Victim, hit: Hit, row: int) -> tuple[tuple[str, int], ...]:
    """Armour lost so far, with what this row takes off the place."""
    more = ARMOUR_LOST.get((hit.damage_type, place_of(hit.spot), row), 0)
    if not more:
        return victim.stripped
    lost = dict(victim.stripped)
    lost[hit.spot] = min(hit.ap, lost.get(hit.spot, 0) + more)
    return tuple(sorted(lost.items()))


def through_line(victim: Victim, hit: Hit, got: int) -> Line:
    """Say what gets through of a hit that meets what earlier ones have left of armour and cover."""
    now = stopped(victim, hit)[min(victim.worn, hit.cover)]
    gone = f", {hit.reduction - now} fewer than at first" if now < hit.reduction else ""
    most = " or more" if got >= hit.most else ""
    text = capital(less(hit, now).removeprefix(", ")) + gone if hit.reduction else "Nothing stops it"
    return Line(f"{text}: {got}{most} through", ("DW-DMG-3",), result=str(got))


def critical_line(hit: Hit, row: int, critical: int) -> Line:
    """Say which row of a critical table is reached."""
    if hit.sudden_death:
        return Line("Any critical damage kills", ("DW-DMG-4",), result=str(critical))
    where = f"{table_of(hit.damage_type)[0]}, {plain(hit.spot)}, row {row}"
    words = WORDS[hit.damage_type, place_of(hit.spot), row]
    return Line(f"{where}: {words}", ("DW-CRIT-2",), result=str(critical))


# --- critical damage: what a row does ---------------------------------------------------------------------------------


Outcome = Conditions | Literal["dead"]


@clause("DW-CRIT-1")
def table_of(letter: DamageType) -> tuple[str, str]:
    """The critical table of a damage letter, and its pages in the core book."""
    if letter not in TABLES:
        raise UnknownName("damage type", letter, TABLES)
    return TABLES[letter]


@clause("DW-CRIT-2")
def effects(damage_type: DamageType, place: str, row: int) -> tuple[Effect, ...]:
    """What a row of a table does to a place."""
    row_effects = EFFECTS.get((damage_type, place_of(place), row))
    if row_effects is None:
        table_of(damage_type)
        raise BadInput(f"a critical table has the rows 1 to {LAST_ROW}; got {row}", field="row", clause="DW-CRIT-2")
    return row_effects


@clause("DW-CRIT-2", "DW-CRIT-1")
def apply_critical_row(tape: Tape, conditions: Conditions, hit: Hit, row: int) -> Outcome:
    """What a row does, one effect after the other; tests are made as they stood before the attack."""
    befalling = effects(hit.damage_type, hit.spot, row)
    if (hit.damage_type, place_of(hit.spot), row) in SURE:
        return "dead"
    bare = dict(conditions.armour_lost).get(hit.spot, 0) >= DESTROYED  # points lost before the attack its AP lacks
    struck = Hit(hit.spot, armoured=hit.armoured and not bare, body=hit.body)
    blow: Outcome = tape.call(effects_on_unhurt, struck, befalling, conditions.on_fire)
    return "dead" if isinstance(blow, str) else combined_conditions(conditions, blow, hit.body.tb)


@clause("DW-CRIT-2")
def effects_on_unhurt(tape: Tape, struck: Hit, befalling: tuple[Effect, ...], on_fire: bool) -> Outcome:
    """What effects do to an unhurt victim that no fatigue fells: worked out once for all."""
    tireless = replace(struck, body=replace(struck.body, tb=FOR_GOOD))
    after = tape.each(apply_effect, Conditions(on_fire=on_fire), tuple((effect, tireless) for effect in befalling))
    if isinstance(after, str) or after.fatigue <= struck.body.tb:
        return cast(Outcome, after)
    return replace(after, fatigue=struck.body.tb + 1)


def combined_conditions(conditions: Conditions, blow: Conditions, tb: int) -> Conditions:
    """Conditions from before and those that a hit adds: of two durations the longer counts, halved is halved once."""
    if lasting := _lasting(blow):
        conditions = replace(conditions, **{name: max(getattr(conditions, name), felt) for name, felt in lasting})
    if blow.notes or blow.useless or blow.penalties or blow.lost or blow.armour_lost or blow.hazard:
        both_eyes = "eye" in conditions.lost and "eye" in blow.lost
        mine, more = ([((what, by), left) for what, by, left in each.penalties] for each in (conditions, blow))
        conditions = replace(
            conditions,
            blind=FOR_GOOD if both_eyes else conditions.blind,
            useless=_joined(conditions.useless, blow.useless, max),
            lost=tuple(sorted({*conditions.lost, *blow.lost})),
            penalties=tuple((what, by, left) for (what, by), left in _joined(mine, more, max)),
            hazard=blow.hazard or conditions.hazard,
            armour_lost=_joined(
                conditions.armour_lost, blow.armour_lost, lambda gone, more: min(DESTROYED, gone + more)
            ),
            notes=(*conditions.notes, *(note for note in blow.notes if note not in conditions.notes)),
        )
    return add_fatigue(conditions, blow.fatigue, tb)


@lru_cache(4096)
def _lasting(blow: Conditions) -> tuple[tuple[str, int], ...]:
    """What of a blow lasts for rounds, or is so from now on."""
    states = (*ROUNDS, "prone", "on_fire", "blood_loss", "stand_is_full", "dropped")
    return tuple((name, felt) for name in states if (felt := getattr(blow, name)))


def _joined(
    mine: Iterable[tuple[K, int]], more: Iterable[tuple[K, int]], both: Callable[[int, int], int]
) -> tuple[tuple[K, int], ...]:
    numbers = dict(mine)
    for key, number in more:
        numbers[key] = both(numbers.get(key, 0), number)
    return tuple(sorted(numbers.items()))


@clause("DW-CRIT-2")
def apply_effect(tape: Tape, state: Outcome, item: tuple[Effect, Hit]) -> Outcome:
    """One effect of a row."""
    effect, struck = item
    body = struck.body
    if isinstance(state, str) or (effect.bare and struck.armoured):
        return state
    if effect.kind == "dead":
        return "dead"
    if effect.kind == "test":
        if state.on_fire and effect.failed == CATCHES_FIRE:
            return state
        needed = body.toughness if effect.what == "toughness" else body.agility
        passed = check(tape, needed, effect.what, body.rules, by="defender")
        then = effect.passed if passed else effect.failed
    elif effect.kind == "chance":
        face = roll(tape, effect.amount, effect.what)
        then = next(then for most, then in effect.faces if face <= most)
    else:
        return combined_conditions(state, Conditions(**added(tape, effect, struck)), body.tb)
    for caused in then:
        state = apply_effect(tape, state, (caused, struck))
    return state


def roll(tape: Tape, amount: str, label: str) -> int:
    """A number of a row: as it stands, or rolled."""
    if "d" not in amount:
        return int(amount)
    other = "" if amount == "1d10" else f" ({amount.removeprefix('1')})"
    die = d(int(amount[2:])) if amount.startswith("1d") else dice(amount)
    return int(tape.roll(die, label=f"critical: {label}{other}"))


LASTING = {
    "blind": ("blind", "blind"),
    "deaf": ("deaf", "deaf"),
    "half_action": ("half_actions", "of half actions"),
    "halved_move": ("slowed", "of halved movement"),
    "useless": ("useless", "useless"),
    "penalty": ("penalties", "of the penalty"),
    "halved": ("penalties", "halved"),
}
"""What lasts for rounds: where it is kept, and the rounds in words."""


@clause("DW-CRIT-2")
def added(tape: Tape, effect: Effect, struck: Hit) -> dict[str, Any]:
    """What an effect adds to the conditions of whoever it strikes; what no dice feel is a note for players."""
    what, amount = effect.what, effect.amount
    match effect.kind:
        case "fatigue" | "stun":
            field = "fatigue" if effect.kind == "fatigue" else "stunned"
            return {field: roll(tape, amount, field)}
        case "thrown":
            metres = roll(tape, amount, "thrown, metres")
            return {"notes": (f"thrown {metres} m",), "fatigue": metres * int(what)}
        case "blood_loss":
            return {"blood_loss": not struck.body.immune_blood_loss}
        case "prone":
            return {"prone": True, "stand_is_full": what == "full"}
        case "fire":
            return {"on_fire": True}
        case "nearby":
            return {"notes": (what,)}
        case "hazard":
            return {"hazard": what}
        case "drop":
            return {"dropped": True, "notes": (what,) if what else ()}
        case "armour":
            return {"armour_lost": ((struck.spot, int(amount)),) if struck.armoured else ()}
        case "characteristic":
            number = roll(tape, amount, what)
            if what == "Fel":
                return {"notes": (f"Fellowship {'is ' if effect.time == 'set' else '-'}{number}",)}
            return {"penalties": ((what.lower(), -number, FOR_GOOD),)}
        case "lost" if what == "fingers":
            return {"notes": (f"loses {roll(tape, amount, 'fingers')} fingers",)}
        case "lost" if what in ("nose", "ear"):
            return {"notes": (f"loses {'an ear' if what == 'ear' else 'the nose'}",)}
        case "lost":
            side = "" if what == "eye" else struck.spot.rpartition("_")[0]
            return {"lost": (f"{side}_{what}" if side else what,), "dropped": what in ("arm", "hand")}
    field, words = LASTING[effect.kind]
    rounds = roll(tape, effect.time, f"rounds {words}") if effect.time[-1].isdigit() else FOR_GOOD
    if effect.kind == "useless":
        return {field: ((struck.spot, rounds),)}
    if field != "penalties":
        return {field: rounds}
    tests = [struck.spot if test == "arm" else test for test in what.lower().split()]
    felt = ((test, int(amount or 0), rounds) for test in tests if test != "fel")
    return {field: tuple(felt), "notes": ("Fellowship is halved",) if "fel" in tests else ()}
