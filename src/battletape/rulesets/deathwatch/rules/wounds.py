"""Wounds: how damage lands, when it is critical, what the row of its table does, and when it kills."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from operator import mul
from typing import Any, Literal, TypeVar, cast

from battletape.cards import Line
from battletape.rulebook import BadInput, State, Tape, UnknownName, capital, clause, d, dice, plain, replace
from battletape.rulesets.deathwatch.rules.conditions import FOR_GOOD, NOTHING, ROUNDS, Conditions, add_fatigue
from battletape.rulesets.deathwatch.rules.d100_tests import roll_success
from battletape.rulesets.deathwatch.rules.damage import (
    Hit,
    cover_lost_by,
    damage_after_armour,
    damage_before_armour,
    reduction_words,
)
from battletape.rulesets.deathwatch.rules.traits import DEAD, SPOTS, DamageType, place_of
from battletape.rulesets.deathwatch.tables import criticals

K = TypeVar("K", str, tuple[str, int])
NONE_BY_SPOT = (0, 0, 0, 0, 0, 0)
MAX_COUNTED_DAMAGE = 200
"""Damage is counted up to here if all of it is asked for, as righteous fury has no end of its own."""


class Victim(State, frozen=True):
    """The state of a victim: the state of the fold where places or conditions matter."""

    health: int  # wounds left; below zero the critical total; DEAD and less is dead
    spot: str = ""  # of the last critical row
    by_spot: tuple[int, ...] = ()  # with critical damage counted by location only
    conditions: Conditions | None = None  # None: not followed, and rows roll only what may kill
    cover_lost: int = 0  # points of cover shot away, where it wears down
    net_damage: int = 0  # damage of an attack that got through, while its hits are taken and something asks for it
    row: int = 0  # the last critical row, with critical damage counted by location only
    new_armour_loss: tuple[tuple[str, int], ...] = ()  # armour that critical rows took since the attack was worked out
    dealt: int | None = None  # damage that got through, beyond death too; None: the dead are not hit
    is_thrown_down: bool = False  # too much fatigue fells it, and never stuns it as it does the toughest
    due_effect: int = 0  # what a quality is about to do after the hit that was taken last
    last_damage: int = 0  # damage of that hit, while other qualities still ask for it

    @property
    def is_dead(self) -> bool:
        """Return whether the victim is dead."""
        return self.health <= DEAD


AttackEffect = Callable[..., Victim]
"""An effect of a quality after all hits of an attack: from the tape, the victim and the aftermath, the victim."""


class Aftermath(State, frozen=True):
    """The effects after all hits of an attack: the last item of the fold."""

    attack_effects: tuple[AttackEffect, ...]
    hit: Hit  # the first one where something burns on in its place, else any
    degrees: int = 0
    spec: Any = None  # of the attack


@clause("DW-DMG-1", "DW-DMG-2")
def health_after(health: int, damage: int, true_grit: bool = False) -> tuple[int, int]:
    """Return health after damage, and the critical row reached; 0 where wounds were left for all of it."""
    left = health - damage
    if left >= 0 or not damage:
        return left, 0
    if true_grit:
        left = min(0, health) - (damage - max(0, health) + 1) // 2
    return left, -left if left > -criticals.LAST_ROW else criticals.LAST_ROW


@clause("DW-DMG-1")
def damage_taken(health: int, wounds: int) -> int:
    """Return damage taken so far, critical damage not counted."""
    return wounds - max(0, health)


def health_words(health: int, wounds: int) -> str:
    """Return health in words: 12 of 21 wounds left, critical damage 3, dead."""
    if health <= DEAD:
        return "Dead"
    return f"{health} of {wounds} wounds left" if health >= 0 else f"Critical damage {-health}"


@clause("DW-DMG-2")
def critical_total(health: int) -> int:
    """Return critical damage so far; of the dead, the row that killed, or all of it where it counts by location."""
    return DEAD - health if health <= DEAD else max(0, -health)


@clause("DW-DMG-1", "DW-DMG-2")
def damage_done(before: int, health: int) -> int:
    """Return damage between two states of health, wounds and critical damage together."""
    return before - (health if health > DEAD else -critical_total(health))


@clause("DW-DMG-2")
def row_of(victim: Victim) -> int:
    """Return the critical row reached; by location that of the place struck last, or the worst so far."""
    if victim.by_spot:
        return victim.row or max(victim.by_spot)
    return min(criticals.LAST_ROW, critical_total(victim.health))


@clause("DW-LIGHT-1", "DW-HEAVY-1")
def category(damage: int, tb: int, critical: int = 0) -> str:
    """Return how badly a character is hurt, which says how fast the wounds heal."""
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
def damage_at_thinnest_armour(tape: Tape, hit: Hit, limit: int | None = None) -> int:
    """Roll the damage that gets through if all armour is gone that critical rows may take."""
    if limit is not None:  # more damage than kills makes no difference
        return min(limit, int(tape.call(damage_at_thinnest_armour, hit)))
    if not hit.armour_may_go:
        return damage_after_armour(tape, hit, hit.max_damage)
    return max(0, damage_before_armour(tape, hit, hit.max_damage + hit.reduction) - hit.by_armour_lost[-1][0])


class PendingHitEffect(State, frozen=True):
    """An effect of a quality after a hit: the item of the fold that comes next."""

    hit: Hit
    number: int  # which of its acts

    @property
    def subject(self) -> str:
        """The place that was hit."""
        return self.hit.subject


@lru_cache(4096)
def hit_parts(unresolved: tuple[Hit | Aftermath, ...]) -> tuple[Hit | PendingHitEffect | Aftermath, ...]:
    """Return the hits of an attack, each with its effects after it, so that equal states merge in between."""
    return tuple(part for item in unresolved for part in (item, *_acts_of(item)))


def _acts_of(item: Hit | Aftermath) -> tuple[PendingHitEffect, ...]:
    return (
        tuple(PendingHitEffect(item, index) for index in range(len(item.hit_effects))) if isinstance(item, Hit) else ()
    )


@clause("DW-DMG-1", "DW-DMG-2")
def take_hit(tape: Tape, victim: Victim, hit: Hit) -> Victim:
    """Take a hit with all that qualities do after it."""
    victim, damage = damage_through(tape, victim, hit)
    return take_damage_and_effects(tape, victim, hit, damage)


@clause("DW-DMG-1", "DW-DMG-2")
def take_damage_and_effects(tape: Tape, victim: Victim, hit: Hit, damage: int) -> Victim:
    """Take damage of a hit that got through, and all that qualities do after it."""
    victim = roll_hit_effect(tape, take_damage(tape, victim, hit, damage), hit, 0, damage)
    for part in hit_parts((hit,))[1:]:
        victim = take_hit_part(tape, victim, part)
    return victim


@clause("DW-DMG-1", "DW-DMG-2", "DW-DMG-4")
def take_hit_part(tape: Tape, victim: Victim, item: Hit | PendingHitEffect | Aftermath) -> Victim:
    """Take a hit, or an effect that follows it; nothing is done to the dead."""
    if isinstance(item, Aftermath):
        return apply_attack_effects(tape, victim, item)
    if isinstance(item, PendingHitEffect):
        hit, effect_index = item.hit, item.number
        if victim.due_effect:
            victim = hit.hit_effects[effect_index].effect(tape, replace(victim, due_effect=0), hit, victim.due_effect)
        effect_index += 1
        victim = roll_hit_effect(tape, victim, hit, effect_index, victim.last_damage)
    else:
        hit, effect_index = item, 0
        victim, damage = damage_through(tape, victim, hit)
        victim = take_damage(tape, victim, hit, damage)
        victim = roll_hit_effect(tape, victim, hit, effect_index, damage) if hit.hit_effects else victim
    if hit.spots_kept is None or victim.is_dead or effect_index < len(hit.hit_effects):
        return victim
    return replace(victim, by_spot=tuple(map(mul, victim.by_spot, hit.spots_kept)))  # of places struck again


def roll_hit_effect(tape: Tape, victim: Victim, hit: Hit, effect_index: int, damage: int) -> Victim:
    """Roll what a quality is about to do to a victim that was hurt and lives."""
    effects = (
        hit.hit_effects if victim.conditions is not None else tuple(act for act in hit.hit_effects if not act.afflicts)
    )
    if not damage or victim.is_dead or effect_index >= len(effects):
        return replace(victim, last_damage=0) if victim.last_damage else victim
    roll = effects[effect_index].roll
    due = damage if roll is None else roll(tape, hit, damage)
    return replace(victim, due_effect=due, last_damage=damage if effect_index + 1 < len(effects) else 0)


@clause("DW-DMG-3", "DW-COVER-1")
def damage_through(tape: Tape, victim: Victim, hit: Hit) -> tuple[Victim, int]:
    """Roll what gets through of a hit, and return the victim with what is left of its cover."""
    before = victim
    if victim.dealt is not None:
        hit = without_limit(hit)
        if victim.health <= DEAD:
            tape.tell("A hit after death, for the count")
    elif victim.health <= DEAD:
        return victim, 0
    if hit.by_cover_lost:
        victim, damage = damage_through_cover(victim, tape.call(damage_before_cover, hit), hit)
    elif (
        victim.dealt is None
        and victim.health < criticals.LAST_ROW
        and not (victim.by_spot or hit.true_grit or hit.armour_may_go)
    ):
        damage = tape.call(damage_at_thinnest_armour, hit, victim.health + criticals.LAST_ROW)
    else:
        damage = tape.call(damage_at_thinnest_armour, hit)
    if hit.armour_may_go and not hit.by_cover_lost:
        now = reductions_met(victim, hit) if victim.new_armour_loss else hit.by_armour_lost[0]
        damage += hit.by_armour_lost[-1][0] - now[0]
        damage = 0 if damage < 0 else hit.max_damage if damage > hit.max_damage else damage
    if not hit.is_fixed:
        tape.tell(through_line, before, hit, damage)
    return victim, damage


@clause("DW-DMG-1", "DW-DMG-2", "DW-DMG-4")
def take_damage(tape: Tape, victim: Victim, hit: Hit, damage: int) -> Victim:
    """Take such damage: wounds, the critical row it reaches, and net damage that qualities count."""
    if hit.net_limit and damage and not victim.is_dead and (hit.always_counts_net or victim.conditions is not None):
        victim = replace(victim, net_damage=min(hit.net_limit, victim.net_damage + damage))
    return lose_wounds(tape, victim, hit, damage)


@lru_cache(1024)
def without_limit(hit: Hit) -> Hit:
    """Return a hit that counts damage beyond death."""
    return replace(hit, max_damage=MAX_COUNTED_DAMAGE)


@clause("DW-PIPE-1")
def apply_attack_effects(tape: Tape, victim: Victim, after: Aftermath) -> Victim:
    """Apply what the qualities of a weapon do to a victim that was hit and lives."""
    for rule in after.attack_effects:
        if not victim.is_dead:
            victim = tape.call(rule, victim, after)
    return replace(victim, net_damage=0) if victim.net_damage else victim


@clause("DW-COVER-1")
def damage_before_cover(tape: Tape, hit: Hit) -> int:
    """Roll the damage of a hit before anything stops it."""
    return damage_before_armour(
        tape, hit, max(hit.max_damage + max(hit.by_cover_lost, default=hit.reduction), hit.cover + 1)
    )


@clause("DW-COVER-1")
def damage_through_cover(victim: Victim, damage: int, hit: Hit) -> tuple[Victim, int]:
    """Return what gets through cover that wears down, and the victim with what is left of it."""
    reductions, gone = reductions_met(victim, hit), min(victim.cover_lost, hit.cover)
    victim = replace(victim, cover_lost=cover_lost_by(hit, victim.cover_lost, damage))
    return victim, max(0, min(hit.max_damage, damage - reductions[gone]))


@clause("DW-CRIT-2", "DW-DMG-3")
def reductions_met(victim: Victim, hit: Hit) -> tuple[int, ...]:
    """Return what is taken from a hit, by points of cover gone, less armour that critical rows took."""
    if not hit.armour_may_go:
        return hit.by_cover_lost or (hit.reduction,)
    return hit.by_armour_lost[min(armour_lost_at(victim, hit.spot), hit.ap)]


def armour_lost_at(victim: Victim, spot: str) -> int:
    """Return points of armour that critical rows took off a place since the attack was worked out."""
    return next((points for place, points in victim.new_armour_loss if place == spot), 0)


@clause("DW-CRIT-2", "DW-DMG-4")
def row_kills(tape: Tape, hit: Hit, row: int) -> bool:
    """Return whether a row kills: the last one and any of a minion surely, others by a Toughness test."""
    key = (hit.damage_type, place_of(hit.spot), row)
    if hit.sudden_death or row >= criticals.LAST_ROW or key in criticals.SURE_DEATHS:
        return True
    return key in criticals.TESTED_DEATHS and not roll_success(
        tape, hit.body.toughness, "toughness", hit.body.rulings, by="defender"
    )


@clause("DW-DMG-2", "DW-DMG-4", "DW-CRIT-2")
def lose_wounds(tape: Tape, victim: Victim, hit: Hit, damage: int) -> Victim:
    """Apply damage that got through: wounds first, then the critical row of this place."""
    if not damage:
        return victim
    left = victim.health - damage
    dealt = None if victim.dealt is None else min(MAX_COUNTED_DAMAGE, victim.dealt + damage)
    if left >= 0:  # most hits: quicker than `health_after`
        return replace(victim, health=left, dealt=dealt)
    if victim.health <= DEAD:  # killed by a hit that landed with this one: it is counted, and nothing comes of it
        return replace(victim, dealt=dealt)
    left, row = health_after(victim.health, damage, hit.true_grit)
    critical = -left
    total, by_spot, conditions = row, victim.by_spot, victim.conditions
    if by_spot:
        at = SPOTS.index(hit.spot)
        row = min(criticals.LAST_ROW, by_spot[at] + min(0, victim.health) - left)
        total = row - by_spot[at] - min(0, victim.health)  # past the last row of a place more makes no difference
        by_spot = (*by_spot[:at], row, *by_spot[at + 1 :])
    tape.tell(critical_line, hit, row, critical)
    if conditions is None or hit.sudden_death or row >= criticals.LAST_ROW:
        dead = row_kills(tape, hit, row)
    else:
        is_bare = victim.new_armour_loss and hit.armoured and armour_lost_at(victim, hit.spot) >= hit.ap  # by now
        after = tape.call(apply_critical_row, conditions, replace(hit, armoured=False) if is_bare else hit, row)
        dead = after == "dead"
        conditions = conditions if dead else after
    spot, last_row = hit.spot, row if by_spot else 0
    armour_loss = armour_lost_after(victim, hit, row) if hit.armour_may_go else victim.new_armour_loss
    if dead:  # nothing else counts any more
        by_spot_left, armour_loss = NONE_BY_SPOT if by_spot else (), () if dealt is None else armour_loss
        return Victim(
            DEAD - total,
            spot,
            by_spot_left,
            conditions and NOTHING,
            victim.cover_lost,
            0,
            last_row,
            armour_loss,
            dealt,
            victim.is_thrown_down,
        )
    numbers = (left, spot, by_spot, conditions, victim.cover_lost, victim.net_damage, last_row, armour_loss, dealt)
    return Victim(*numbers, victim.is_thrown_down, last_damage=victim.last_damage)


@clause("DW-CRIT-2")
def armour_lost_after(victim: Victim, hit: Hit, row: int) -> tuple[tuple[str, int], ...]:
    """Return armour lost so far, with what this row takes off the place."""
    more = criticals.ARMOUR_LOST.get((hit.damage_type, place_of(hit.spot), row), 0)
    if not more:
        return victim.new_armour_loss
    lost = dict(victim.new_armour_loss)
    lost[hit.spot] = min(hit.ap, lost.get(hit.spot, 0) + more)
    return tuple(sorted(lost.items()))


def through_line(victim: Victim, hit: Hit, damage: int) -> Line:
    """Say what gets through of a hit that meets what earlier ones have left of armour and cover."""
    now = reductions_met(victim, hit)[min(victim.cover_lost, hit.cover)]
    gone = f", {hit.reduction - now} fewer than at first" if now < hit.reduction else ""
    most = " or more" if damage >= hit.max_damage else ""
    text = capital(reduction_words(hit, now).removeprefix(", ")) + gone if hit.reduction else "Nothing stops it"
    return Line(f"{text}: {damage}{most} through", ("DW-DMG-3",), result=str(damage))


def critical_line(hit: Hit, row: int, critical: int) -> Line:
    """Say which row of a critical table is reached."""
    if hit.sudden_death:
        return Line("Any critical damage kills", ("DW-DMG-4",), result=str(critical))
    where = f"{table_of(hit.damage_type)[0]}, {plain(hit.spot)}, row {row}"
    words = criticals.WORDS[hit.damage_type, place_of(hit.spot), row]
    return Line(f"{where}: {words}", ("DW-CRIT-2",), result=str(critical))


# --- critical damage: what a row does ---------------------------------------------------------------------------------


Outcome = Conditions | Literal["dead"]


@clause("DW-CRIT-1")
def table_of(letter: DamageType) -> tuple[str, str]:
    """Return the critical table of a damage letter, and its pages in the core book."""
    if letter not in criticals.TABLES:
        raise UnknownName("damage type", letter, criticals.TABLES)
    return criticals.TABLES[letter]


@clause("DW-CRIT-2")
def effects(damage_type: DamageType, place: str, row: int) -> tuple[criticals.Effect, ...]:
    """Return what a row of a table does to a place."""
    row_effects = criticals.EFFECTS.get((damage_type, place_of(place), row))
    if row_effects is None:
        table_of(damage_type)
        raise BadInput(
            f"a critical table has the rows 1 to {criticals.LAST_ROW}; got {row}", field="row", clause="DW-CRIT-2"
        )
    return row_effects


@clause("DW-CRIT-2", "DW-CRIT-1")
def apply_critical_row(tape: Tape, conditions: Conditions, hit: Hit, row: int) -> Outcome:
    """Apply a critical row, one effect after the other; tests are made as before the attack."""
    row_effects = effects(hit.damage_type, hit.spot, row)
    if (hit.damage_type, place_of(hit.spot), row) in criticals.SURE_DEATHS:
        return "dead"
    is_bare = (
        dict(conditions.armour_lost).get(hit.spot, 0) >= criticals.ALL_ARMOUR
    )  # points lost before the attack its AP lacks
    place_hit = Hit(hit.spot, armoured=hit.armoured and not is_bare, body=hit.body)
    outcome: Outcome = tape.call(effects_on_unhurt, place_hit, row_effects, conditions.on_fire)
    return "dead" if isinstance(outcome, str) else combined_conditions(conditions, outcome, hit.body.tb)


@clause("DW-CRIT-2")
def effects_on_unhurt(tape: Tape, hit: Hit, row_effects: tuple[criticals.Effect, ...], on_fire: bool) -> Outcome:
    """Apply effects to an unhurt victim that fatigue does not fell: worked out once for all."""
    tireless = replace(hit, body=replace(hit.body, tb=FOR_GOOD))
    after = tape.each(apply_effect, Conditions(on_fire=on_fire), tuple((effect, tireless) for effect in row_effects))
    if isinstance(after, str) or after.fatigue <= hit.body.tb:
        return cast(Outcome, after)
    return replace(after, fatigue=hit.body.tb + 1)


def combined_conditions(conditions: Conditions, new: Conditions, tb: int) -> Conditions:
    """Return conditions with those that a hit adds: the longer of two durations counts."""
    if durations := _lasting(new):
        conditions = replace(conditions, **{name: max(getattr(conditions, name), value) for name, value in durations})
    if new.notes or new.useless or new.penalties or new.lost or new.armour_lost or new.hazard:
        both_eyes = "eye" in conditions.lost and "eye" in new.lost
        known, added = ([((what, by), left) for what, by, left in side.penalties] for side in (conditions, new))
        conditions = replace(
            conditions,
            blind=FOR_GOOD if both_eyes else conditions.blind,
            useless=_joined(conditions.useless, new.useless, max),
            lost=tuple(sorted({*conditions.lost, *new.lost})),
            penalties=tuple((what, by, left) for (what, by), left in _joined(known, added, max)),
            hazard=new.hazard or conditions.hazard,
            armour_lost=_joined(
                conditions.armour_lost, new.armour_lost, lambda gone, added: min(criticals.ALL_ARMOUR, gone + added)
            ),
            notes=(*conditions.notes, *(note for note in new.notes if note not in conditions.notes)),
        )
    return add_fatigue(conditions, new.fatigue, tb)


@lru_cache(4096)
def _lasting(new: Conditions) -> tuple[tuple[str, int], ...]:
    """Return what of a blow lasts for rounds, or is so from now on."""
    states = (*ROUNDS, "prone", "on_fire", "blood_loss", "stand_is_full", "dropped")
    return tuple((name, value) for name in states if (value := getattr(new, name)))


def _joined(
    known: Iterable[tuple[K, int]], new: Iterable[tuple[K, int]], combine: Callable[[int, int], int]
) -> tuple[tuple[K, int], ...]:
    numbers = dict(known)
    for key, number in new:
        numbers[key] = combine(numbers.get(key, 0), number)
    return tuple(sorted(numbers.items()))


@clause("DW-CRIT-2")
def apply_effect(tape: Tape, state: Outcome, item: tuple[criticals.Effect, Hit]) -> Outcome:
    """Apply one effect of a row."""
    effect, hit = item
    body = hit.body
    if isinstance(state, str) or (effect.bare and hit.armoured):
        return state
    if effect.kind == "dead":
        return "dead"
    if effect.kind == "test":
        if state.on_fire and effect.failed == criticals.CATCHES_FIRE:
            return state
        needed = body.toughness if effect.what == "toughness" else body.agility
        passed = roll_success(tape, needed, effect.what, body.rulings, by="defender")
        effects = effect.passed if passed else effect.failed
    elif effect.kind == "chance":
        face = roll_amount(tape, effect.amount, effect.what)
        effects = next(effects for most, effects in effect.faces if face <= most)
    else:
        return combined_conditions(state, Conditions(**conditions_from(tape, effect, hit)), body.tb)
    for next_effect in effects:
        state = apply_effect(tape, state, (next_effect, hit))
    return state


def roll_amount(tape: Tape, amount: str, label: str) -> int:
    """Return the number of a row as it stands, or rolled."""
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
"""Conditions that last for rounds: the field that keeps each, and the rounds in words."""


@clause("DW-CRIT-2")
def conditions_from(tape: Tape, effect: criticals.Effect, hit: Hit) -> dict[str, Any]:
    """Return what an effect adds to the conditions of its victim; what no dice need is a note."""
    what, amount = effect.what, effect.amount
    match effect.kind:
        case "fatigue" | "stun":
            field = "fatigue" if effect.kind == "fatigue" else "stunned"
            return {field: roll_amount(tape, amount, field)}
        case "thrown":
            metres = roll_amount(tape, amount, "thrown, metres")
            return {"notes": (f"thrown {metres} m",), "fatigue": metres * int(what)}
        case "blood_loss":
            return {"blood_loss": not hit.body.immune_blood_loss}
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
            return {"armour_lost": ((hit.spot, int(amount)),) if hit.armoured else ()}
        case "characteristic":
            number = roll_amount(tape, amount, what)
            if what == "Fel":
                return {"notes": (f"Fellowship {'is ' if effect.time == 'set' else '-'}{number}",)}
            return {"penalties": ((what.lower(), -number, FOR_GOOD),)}
        case "lost" if what == "fingers":
            return {"notes": (f"loses {roll_amount(tape, amount, 'fingers')} fingers",)}
        case "lost" if what in ("nose", "ear"):
            return {"notes": (f"loses {'an ear' if what == 'ear' else 'the nose'}",)}
        case "lost":
            side = "" if what == "eye" else hit.spot.rpartition("_")[0]
            return {"lost": (f"{side}_{what}" if side else what,), "dropped": what in ("arm", "hand")}
    field, words = LASTING[effect.kind]
    rounds = roll_amount(tape, effect.time, f"rounds {words}") if effect.time[-1].isdigit() else FOR_GOOD
    if effect.kind == "useless":
        return {field: ((hit.spot, rounds),)}
    if field != "penalties":
        return {field: rounds}
    tests = [hit.spot if test == "arm" else test for test in what.lower().split()]
    penalties = ((test, int(amount or 0), rounds) for test in tests if test != "fel")
    return {field: tuple(penalties), "notes": ("Fellowship is halved",) if "fel" in tests else ()}
