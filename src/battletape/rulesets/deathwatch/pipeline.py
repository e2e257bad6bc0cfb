"""The whole attack as one procedure, what it says of its steps, and the same by one path with every die kept."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.dice import D100
from battletape.log import Line
from battletape.procedure import Procedure, Stage
from battletape.rulesets.deathwatch import blasts, checks, damage, effects, locations
from battletape.rulesets.deathwatch.attack import (
    NOBODY,
    add_modifiers,
    check_jam,
    declare,
    first_spot,
    hit_for,
    outcome,
    roll_to_hit,
    set_places,
)
from battletape.rulesets.deathwatch.conditions import Conditions
from battletape.rulesets.deathwatch.damage import NO_FURY, Hit, net
from battletape.rulesets.deathwatch.evasion import evade
from battletape.rulesets.deathwatch.specs import NONE_BY_SPOT, Attack, Spec, labelled
from battletape.rulesets.deathwatch.traits import DEAD, place_of
from battletape.rulesets.deathwatch.wounds import Victim, add_up, hurt, strike, through_air, through_cover, wound
from battletape.tape import Tape
from battletape.tape.folds import folding, in_two

Detail: TypeAlias = Literal["health", "rows", "conditions"]
"""How much of critical damage is followed: dead or alive, the row reached, or all it does."""
FRESH = Conditions(brief=True)


def begin(spec: Spec, health: int | None = None, detail: Detail = "rows") -> Attack:
    """An attack about to be made on somebody with so much health, all of it if none is said."""
    left = spec.guard.wounds if health is None else health
    victim = Victim(
        left,
        by_spot=NONE_BY_SPOT if spec.by_location else (),
        conditions=FRESH if detail == "conditions" else None,
    )
    return Attack(spec, victim, before=left)


def procedure(spec: Spec, detail: Detail = "rows") -> Procedure:
    """The stages of an attack: of flames, of a blast, or of anything else."""
    only_health = detail == "health" and spec.is_health_enough
    by_hit = any(hit.toxic or hit.shocking or hit.worn for hit in spec.hits)
    take = take_wounds if only_health else take_hits_in_full if by_hit else take_hits
    return _procedure(spec.flame, spec.tail, take)


@lru_cache(256)
def _procedure(flame: bool, tail: tuple[str, ...], take: Stage) -> Procedure:
    after = tuple(STAGES[name] for name in tail if name in STAGES)
    after = (*after, finish) if after else ()  # without them nothing is left to forget
    if flame:
        return Procedure("flames", (*FLAMES, take, blasts.catch_fire, *after))
    if "blast" in tail:
        return Procedure("blast", (*ROLL, blasts.scatter, evade, set_places, take, *after))
    return Procedure("attack", (*ROLL, evade, set_places, take, *after))


ROLL = (declare, add_modifiers, roll_to_hit, check_jam)
FLAMES = (declare, blasts.dodge_flames, blasts.place_at_random)


@clause("DW-PIPE-1", "DW-QUAL-TOXIC", "DW-QUAL-SHOCKING", "DW-COVER-1")
@in_two(through_air, lambda hit: hit, lambda victim: victim.is_dead)
def strike_in_full(tape: Tape, victim: Victim, came: int, hit: Hit) -> Victim:
    """One hit through cover that may wear down, with poison and shock after it."""
    victim, got = through_cover(victim, came, hit)
    victim = hurt(tape, victim, hit, got)
    if hit.toxic and got and not victim.is_dead:
        more = tape.call(effects.poison, got, hit)
        victim = hurt(tape, victim, replace(hit, damage_type="I"), more)
    if hit.shocking and got and not victim.is_dead and victim.conditions is not None:
        after = tape.call(effects.after_hit, victim.conditions, hit, got)
        victim = replace(victim, conditions=after)
    return victim


def _opened(attack: Attack) -> tuple[Attack, Victim, tuple[Hit, ...]]:
    """What stays as it is, who is hit, and the hits; of these the first is kept where something burns on in it."""
    keep = attack.items[:1] if "force" in attack.spec.tail else ()
    return replace(attack, victim=NOBODY, items=keep), attack.victim, attack.items


def _opened_health(attack: Attack) -> tuple[Attack, int, tuple[Hit, ...]]:
    keep = attack.items[:1] if "force" in attack.spec.tail else ()
    return replace(attack, victim=replace(attack.victim, health=0), items=keep), attack.victim.health, attack.items


@clause("DW-PIPE-1", "DW-DMG-1", "DW-DMG-2")
@folding(strike, _opened)
def take_hits(attack: Attack, victim: Victim) -> Attack:
    """Take the hits one after the other, with the critical rows they reach."""
    return replace(attack, victim=victim)


@clause("DW-PIPE-1", "DW-DMG-1", "DW-DMG-2")
@folding(strike_in_full, _opened)
def take_hits_in_full(attack: Attack, victim: Victim) -> Attack:
    """Take the hits one after the other, with the critical rows they reach and what special rules do hit by hit."""
    return replace(attack, victim=victim)


@clause("DW-PIPE-1", "DW-DMG-1")
@folding(wound, _opened_health)
def take_wounds(attack: Attack, health: int) -> Attack:
    """Take the hits one after the other, of which only the health is asked."""
    return replace(attack, victim=replace(attack.victim, health=health))


@clause("DW-QUAL-SPECIAL")
def burn_within(tape: Tape, attack: Attack) -> Attack:
    """A psyker whose force weapon hurt somebody: if he wins by Willpower, a d10 for each point of his rating."""
    spec, victim = attack.spec, attack.victim
    if not attack.items or not DEAD < victim.health < attack.before:
        return attack
    own, other = spec.willpower, spec.guard.willpower
    one = checks.Contestant(own, checks.bonus(own), labelled(spec.name, "willpower"))
    two = checks.Contestant(other, checks.bonus(other), labelled(spec.guard.name, "willpower"))
    if tape.call(checks.opposed, one, two, spec.tests) != "one":
        return attack
    burn = replace(
        attack.items[0],
        dice=spec.psy_rating,
        drop=0,
        best_each=False,
        flat=0,
        least=0,
        reduction=0,
        worn=(),
        fury=NO_FURY,
        damage_type="E",
    )
    return replace(attack, victim=hurt(tape, victim, burn, tape.call(net, burn, burn.most)))


STAGES = {**effects.STAGES, "force": burn_within}


@clause("DW-PIPE-1")
def finish(tape: Tape, attack: Attack) -> Attack:
    """Forget what only the attack itself needed to know."""
    return replace(attack, degrees=0, first="", items=())


# in words


def narrate(stage: Stage, before: Attack, after: Attack) -> Iterable[Line]:
    """What an attack says of its stages."""
    spec = before.spec
    if stage is add_modifiers:
        for one in spec.modifiers:
            yield Line(f"{one.source[:1].upper()}{one.source[1:]} {one.value:+d}", (one.clause,) if one.clause else ())
        if spec.modifiers:
            applied = spec.target - spec.skill
            capped = f", of which {applied:+d} counts" if applied != spec.total else ""
            yield Line(f"Modifiers {spec.total:+d}{capped}: {spec.skill} becomes {spec.target}", ("DW-TEST-4",))
    elif stage is evade and after.landed < after.hits:
        yield Line(f"{after.hits - after.landed} of {after.hits} hits undone, {after.landed} left")
    elif stage is set_places and after.items:
        places = ", ".join(hit.spot.replace("_", " ") for hit in after.items)
        yield Line(f"Hits on: {places}", ("DW-MULTI-1",) if len(after.items) > 1 else ("DW-LOC-2",))
    elif stage in (take_hits, take_hits_in_full, take_wounds) and before.items:
        yield Line(health_words(after.victim.health, spec.guard.wounds))


def health_words(health: int, wounds: int) -> str:
    """Health in words: 12 of 21 wounds left, critical damage 3, dead."""
    if health <= DEAD:
        return "Dead"
    return f"{health} of {wounds} wounds left" if health >= 0 else f"Critical damage {-health}"


# by one path, with every die kept


class Landed(Struct, frozen=True):
    """One hit as it happened."""

    place: str
    kept: tuple[int, ...]
    confirmed: bool | None
    extra: int
    damage: int
    reduction: int
    net: int
    row: int | None


class Report(Struct, frozen=True):
    """An attack as it happened, hit by hit."""

    status: str
    degrees: int
    failure: int
    hits: int
    negated: int
    places: tuple[str, ...]
    landed: tuple[Landed, ...]
    damage_taken: int
    critical_total: int


@clause("DW-PIPE-1")
def resolve(tape: Tape, spec: Spec, health: int | None = None) -> Report:
    """Make an attack on a tape of one path and keep every die; damage is counted on past death, rows ask nothing."""
    start = begin(spec, health)
    attack, degrees, failure = _struck(tape, start) if spec.flame else _rolled(tape, start)
    first = attack.first or (locations.roll_spot(tape, spec.sides) if attack.hits else "")
    places = locations.sequence(first, attack.hits) if attack.hits else ()
    spots = locations.sides(tape, first, attack.landed) if spec.sides and attack.landed else places[: attack.landed]
    shown = [_show(tape, hit_for(spec, spot, degrees, at == 0)) for at, spot in enumerate(spots)]
    wounds, left = spec.guard.wounds, start.victim.health
    taken, critical = wounds - max(0, left), max(0, -left)
    landings = add_up(wounds, (one.net for one in shown), taken, critical, spec.guard.true_grit)
    landed = tuple(replace(one, row=landing.row) for one, landing in zip(shown, landings, strict=True))
    if landings:
        taken, critical = landings[-1].damage_taken, landings[-1].critical_total
    return Report(
        attack.status,
        degrees,
        failure,
        attack.hits,
        attack.hits - attack.landed,
        places,
        landed,
        taken,
        critical,
    )


def _rolled(tape: Tape, start: Attack) -> tuple[Attack, int, int]:
    """An attack roll with all that follows it up to evasion, its degrees of success and of failure."""
    spec = start.spec
    roll = tape.roll(D100, label=labelled(spec.name, "to hit"))
    status, degrees, hits = outcome(spec, roll)
    first = first_spot(spec, roll) if hits else ""
    attack = check_jam(tape, replace(start, status=status, hits=hits, landed=hits, first=first))
    passed = attack.hits > 0 or checks.succeeds(spec.target, roll, spec.tests)
    if spec.blast:
        attack = blasts.scatter(tape, attack)
    return evade(tape, attack), degrees if passed else 0, 0 if passed else degrees


def _struck(tape: Tape, start: Attack) -> tuple[Attack, int, int]:
    """Flames, which nobody aims."""
    return blasts.dodge_flames(tape, start), 0, 0


def _show(tape: Tape, hit: Hit) -> Landed:
    """The dice of one hit, as they fell."""
    count, die, _ = damage.damage_dice(hit.dice, hit.sides, hit.drop, hit.best_each, hit.least)
    best: tuple[int, ...] = ()
    confirmed: bool | None = None
    extra = got = 0
    for _ in range(hit.rolls):
        thrown = [face for face, number in tape.pool(count, die, label="damage").items() for _ in range(number)]
        now = damage.kept(thrown, hit.drop)
        total = sum(now) + max(0, min(hit.least, hit.sides) - min(now, default=hit.least)) + hit.flat
        if damage.fury_rolls(now, hit.sides, hit.fury != NO_FURY):
            confirmed = damage.confirmed(tape, hit.fury)
            more = damage.fury(tape, ENDLESS) if confirmed else 0
            extra, total = extra + more, total + more
        best, got = (*best, *now), got + max(0, total)
    through = damage.net_of(got, hit.reduction)
    return Landed(place_of(hit.spot), best, confirmed, extra, got, hit.reduction, through, None)


ENDLESS = 10**9
