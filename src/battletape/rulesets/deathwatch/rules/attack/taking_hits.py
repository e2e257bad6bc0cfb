"""How a unit in a battle takes the hits of an attack: it reacts, the hits are placed, and each does its damage."""

from __future__ import annotations

from typing import NamedTuple

from msgspec.structs import replace

from battletape.clauses import clause
from battletape.dice import D10
from battletape.rulesets.deathwatch.rules import blasts, locations, melee, suppression
from battletape.rulesets.deathwatch.rules.attack.battle_record import Blow, Exchange, Foe, Mark
from battletape.rulesets.deathwatch.rules.attack.evasion import choose_reaction, disarmed, evade
from battletape.rulesets.deathwatch.rules.attack.records import Attack, Spec
from battletape.rulesets.deathwatch.rules.attack.to_hit import NOBODY, hit_for, with_aftermath
from battletape.rulesets.deathwatch.rules.blasts import Cloud
from battletape.rulesets.deathwatch.rules.conditions import stun, tire
from battletape.rulesets.deathwatch.rules.damage import Hit, raw
from battletape.rulesets.deathwatch.rules.qualities import effects
from battletape.rulesets.deathwatch.rules.traits import DEAD, place_of
from battletape.rulesets.deathwatch.rules.wounds import Victim, hurt, strike
from battletape.rulesets.deathwatch.rulings import Rulings
from battletape.tape import Tape

# --- reactions, and where the hits land -------------------------------------------------------------------------------


class Met(NamedTuple):
    """An attack after its target has met it, and whether a Reaction was used for it."""

    attack: Attack
    reacted: bool = False


@clause("DW-EVA-1", "DW-EVA-2", "DW-EVA-3", "DW-QUAL-POWER-FIELD", "DW-MULTI-1")
def meet_hits(tape: Tape, exchange: Exchange, name: str) -> Exchange:
    """A unit meets its hits: it may react, then each hit that is left is placed."""
    places = exchange.hits_on(name)
    if not places:
        return exchange
    blow, attack, foe = blow_of(exchange), rolled(exchange), exchange.foe(name)
    part = replace(attack, spec=spec_on(blow, name), hits=len(places), landed=len(places))
    if blow.how in ("blast", "spray"):
        direct = blow.how == "blast" and attack.hits > 0 and name == blow.target
        part = replace(part, first=attack.first if direct else "", status="struck")
    total = max(1, attack.hits)
    return tape.call(
        meet_and_place, part, foe.reactions > 0, foe.parries_broken, places, total, then=_met, rest=exchange
    )


@clause("DW-QUAL-FLAME")
def meet_flames(tape: Tape, exchange: Exchange, name: str) -> Exchange:
    """Flames: out of them by Agility, or hit at a random place."""
    return tape.call(dodge_and_place, rolled(exchange), then=_burnt, rest=exchange)


@clause("DW-EVA-1", "DW-SUPP-3")
def meet_and_place(tape: Tape, attack: Attack, reacts: bool, broken: int, places: tuple[int, ...], total: int) -> Met:
    """The reaction to an attack if there is one, and the places of the hits that are left; strays find theirs later."""
    met = Met(attack)
    if reacts and attack.spec.evadable:
        met = react(tape, attack, broken)
    if not met.attack.landed:
        return met
    if attack.spec.mode == "suppress":
        return met._replace(attack=replace(met.attack, first="", degrees=0, strays=met.attack.landed))
    return met._replace(attack=tape.call(placed, met.attack, places[: met.attack.landed], total))


@clause("DW-QUAL-FLAME")
def dodge_and_place(tape: Tape, attack: Attack) -> Met:
    """The test against flames, and the place that they strike."""
    return Met(tape.call(blasts.place_at_random, tape.call(blasts.dodge_flames, attack)))


@clause("DW-EVA-1", "DW-EVA-2", "DW-EVA-3", "DW-QUAL-POWER-FIELD")
def react(tape: Tape, attack: Attack, broken: int) -> Met:
    """Dodge, parry or neither; weapons broken in this action cannot parry."""
    able = disarmed(attack, broken)
    how = tape.call(choose_reaction, able) if able.spec.guard.reaction != "none" else "none"
    if how == "none":
        return Met(attack)
    asked = replace(able, spec=replace(able.spec, guard=replace(able.spec.guard, reaction=how)))
    met: Attack = tape.call(meet, asked)
    return Met(replace(met, spec=attack.spec), reacted=True)


@clause("DW-EVA-2", "DW-EVA-3")
def meet(tape: Tape, attack: Attack) -> Attack:
    """The dodge or parry that was chosen."""
    met: Attack = evade(tape, attack)
    return met


@clause("DW-MULTI-1", "DW-LOC-1")
def placed(tape: Tape, attack: Attack, places: tuple[int, ...], total: int) -> Attack:
    """The hits that are left, each at its place in the sequence of the whole burst."""
    spec = attack.spec
    first = attack.first or locations.roll_spot(tape, spec.sides)
    row = locations.sequence(first, total)
    at_first = replace(attack, first=first, items=())
    placed: Attack = tape.each(place_one, at_first, tuple((row[at], at == 0) for at in places))
    return replace(placed, first="", degrees=0, items=with_aftermath(spec, placed.placed, attack.degrees))


@clause("DW-MULTI-1", "DW-AUTO-3")
def place_one(tape: Tape, attack: Attack, item: tuple[str, bool]) -> Attack:
    """One more hit: on the limb of the first one if it is of that kind, else its side is rolled."""
    (place, is_first), spec = item, attack.spec
    spot = attack.first if place == place_of(attack.first) else _side(tape, place, spec.sides)
    return replace(attack, items=(*attack.items, hit_for(spec, spot, attack.degrees, is_first)))


def _side(tape: Tape, place: str, by_side: bool) -> str:
    if not by_side or place in ("head", "body"):
        return place
    return f"{tape.roll(D10, locations.RIGHT_OR_LEFT, label='limb side')}_{place}"


def _met(exchange: Exchange, met: Met) -> Exchange:
    """What a unit has to take of an attack, and what its Reaction cost."""
    attack, name = met.attack, met.attack.spec.guard.name
    foe = exchange.foe(name)
    if met.reacted:
        broken = foe.parries_broken + attack.parry_broken
        foe = replace(foe, reactions=foe.reactions - 1, reacted=foe.reacted + 1, parries_broken=broken)
    blow = blow_of(exchange)
    broken_blade = ((blow.who, blow.weapon, "broken"),) if attack.weapon_broken else ()
    exchange = replace(
        exchange.with_foe(foe), landed=exchange.landed + attack.landed, marks=(*exchange.marks, *broken_blade)
    )
    if not attack.landed:
        return exchange.without_due(name)
    return replace(exchange, part=replace(attack, victim=NOBODY, before=0))


def _burnt(exchange: Exchange, met: Met) -> Exchange:
    attack = met.attack
    exchange = replace(exchange, hits=exchange.hits + attack.hits, landed=exchange.landed + attack.landed)
    if not attack.items:
        return exchange.without_due(attack.spec.guard.name)
    return replace(exchange, part=attack)


# --- they do their damage ---------------------------------------------------------------------------------------------


@clause("DW-DMG-1", "DW-DMG-2")
def take_hits(tape: Tape, exchange: Exchange, name: str) -> Exchange:
    """The hits one after the other; of a blow to stun or of bare hands, what that does."""
    attack, blow, foe = exchange.part, blow_of(exchange), exchange.foe(name)
    if attack is None:
        return exchange
    if blow.how == "stun":
        rounds: int = tape.call(melee.stun_rounds, blow.sb, blow.tb, blow.head)
        return _stunned(exchange, foe, rounds)
    rest = replace(exchange.with_foe(replace(foe, victim=NOBODY)), part=replace(attack, items=()))
    if blow.how == "fists":
        struck = replace(attack, victim=foe.victim)
        return tape.call(fist_damage, struck, blow.tb, exchange.tests, then=_struck, rest=rest)
    return tape.each(strike, foe.victim, attack.items, then=_taken, rest=rest)


def _taken(exchange: Exchange, victim: Victim) -> Exchange:
    """What the hits did to a unit."""
    assert exchange.part is not None
    return exchange.with_foe(replace(exchange.foe(exchange.part.spec.guard.name), victim=victim))


@clause("DW-SUPP-3", "DW-DMG-1", "DW-DMG-2")
def take_strays(tape: Tape, exchange: Exchange, name: str) -> Exchange:
    """Hits of suppressing fire: a place for each, then one after the other."""
    attack, foe = exchange.part, exchange.foe(name)
    if attack is None:
        return exchange
    if not attack.strays:
        return exchange.without_due(name)
    rest = replace(exchange.with_foe(replace(foe, victim=NOBODY)), part=replace(attack, hits=0, landed=0, strays=0))
    return tape.call(suffer_strays, foe.victim, attack.spec, attack.strays, then=_strays_taken, rest=rest)


@clause("DW-SUPP-3", "DW-DMG-1", "DW-DMG-2")
def suffer_strays(tape: Tape, victim: Victim, spec: Spec, number: int) -> Victim:
    """What this many stray hits do."""
    return tape.each(strike, victim, (spec,) * number, drawn=suppression.place_stray)


def _strays_taken(exchange: Exchange, victim: Victim) -> Exchange:
    assert exchange.part is not None
    return _taken(exchange, victim).without_due(exchange.part.spec.guard.name)


def _struck(exchange: Exchange, attack: Attack) -> Exchange:
    return _taken(exchange, attack.victim)


@clause("DW-ACT-STUN")
def _stunned(exchange: Exchange, foe: Foe, rounds: int) -> Exchange:
    """A blow to stun does no damage."""
    conditions = foe.victim.conditions
    if conditions is not None and rounds:
        foe = replace(foe, victim=replace(foe.victim, conditions=stun(conditions, rounds)))
    return replace(exchange.with_foe(foe), stunned=max(exchange.stunned, rounds))


@clause("DW-UNARM-2", "DW-UNARM-3")
def fist_damage(tape: Tape, attack: Attack, tb: int, rules: Rulings, tires: bool = False) -> Attack:
    """A hit with bare hands: damage, and fatigue if it hurts enough."""
    hit: Hit = attack.placed[0] if attack.items else next(hit for hit in attack.spec.hits if hit.spot == "body")
    got: int = tape.call(raw, hit, hit.most + hit.reduction)
    through = max(0, got - hit.reduction)
    victim = hurt(tape, attack.victim, hit, through)
    tired = tires or melee.tires(got, through, tb, rules)
    if tired and victim.conditions is not None and victim.health > DEAD:
        victim = replace(victim, conditions=tire(victim.conditions, 1, tb))
    return replace(attack, victim=victim, items=())


# --- and what follows -------------------------------------------------------------------------------------------------


@clause("DW-PIPE-1", "DW-QUAL-POWER-FIELD", "DW-QUAL-DEVASTATING")
def see_what_follows(tape: Tape, exchange: Exchange, name: str) -> Exchange:
    """What an attack does to the ground about a unit that was hit, and to the cohesion of its side."""
    attack, blow, foe = exchange.part, blow_of(exchange), exchange.foe(name)
    if attack is None:
        return exchange
    exchange = exchange.without_due(name)
    if blow.how == "flame":
        return exchange
    marks: tuple[Mark, ...] = ((name, "", "cohesion"),) if "cohesion" in attack.spec.tail else ()
    return _clouds(tape, replace(exchange, marks=(*exchange.marks, *marks)), foe, attack.spec, blow)


def _clouds(tape: Tape, exchange: Exchange, foe: Foe, spec: Spec, blow: Blow) -> Exchange:
    """Smoke and haywire fields, where the shot lands."""
    if "smoke" not in spec.tail and "haywire" not in spec.tail:
        return exchange
    clouds = list(exchange.clouds)
    if "smoke" in spec.tail:
        smoke = effects.smoke_screen(tape)
        clouds.append(Cloud("smoke", foe.x, foe.y, smoke.across / 2, smoke.rounds))
    if "haywire" in spec.tail:
        strength = effects.haywire(tape)
        clouds.append(Cloud("haywire", foe.x, foe.y, blow.haywire, effects.field_rounds(strength), strength))
    return replace(exchange, clouds=tuple(clouds))


# --- look-ups ---------------------------------------------------------------------------------------------------------


def blow_of(exchange: Exchange) -> Blow:
    """The blow that falls now."""
    assert exchange.blow is not None
    return exchange.blow


def rolled(exchange: Exchange) -> Attack:
    """Its roll."""
    assert exchange.attack is not None
    return exchange.attack


def spec_on(blow: Blow, name: str) -> Spec:
    """The attack on this unit."""
    others = (caught.spec for caught in (*blow.caught, *blow.shares) if caught.name == name and caught.spec is not None)
    spec = next(others, blow.spec)
    assert spec is not None
    return spec
