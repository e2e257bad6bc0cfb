"""How a unit in a battle takes the hits of an attack: it reacts, the hits are placed, and each does its damage."""

from __future__ import annotations

from msgspec.structs import replace

from battletape.clauses import clause
from battletape.rulesets.deathwatch.rules import blasts, suppression
from battletape.rulesets.deathwatch.rules.attack import whole_attack
from battletape.rulesets.deathwatch.rules.attack.battle_record import Blow, Exchange, Foe, Mark
from battletape.rulesets.deathwatch.rules.attack.evasion import evade
from battletape.rulesets.deathwatch.rules.attack.records import Attack, Spec
from battletape.rulesets.deathwatch.rules.attack.to_hit import NOBODY, set_places
from battletape.rulesets.deathwatch.rules.blasts import Cloud
from battletape.rulesets.deathwatch.rules.qualities import effects
from battletape.rulesets.deathwatch.rules.wounds import Victim, strike
from battletape.tape import Tape

# --- reactions, and where the hits land -------------------------------------------------------------------------------


@clause("DW-EVA-1", "DW-EVA-2", "DW-EVA-3", "DW-QUAL-POWER-FIELD", "DW-MULTI-1")
def meet_hits(tape: Tape, exchange: Exchange, name: str) -> Exchange:
    """A unit meets its hits: it may react, then each hit that is left is placed."""
    places = exchange.hits_on(name)
    if not places:
        return exchange
    blow, attack, foe = blow_of(exchange), rolled(exchange), exchange.foe(name)
    if blow.how == "flame":
        return tape.call(meet_flames, attack, then=_met, rest=exchange)
    part = replace(attack, spec=spec_on(blow, name), hits=len(places), landed=len(places), places=places)
    if blow.how in ("blast", "spray"):
        direct = blow.how == "blast" and attack.hits > 0 and name == blow.target
        part = replace(part, first=attack.first if direct else "", status="struck")
    part = replace(part, reactions=foe.reactions, broken=foe.parries_broken)
    return tape.call(meet_and_place, part, then=_met, rest=exchange)


@clause("DW-EVA-1", "DW-SUPP-3")
def meet_and_place(tape: Tape, attack: Attack) -> Attack:
    """The reaction to an attack if there is one, and the places of the hits that are left; strays find theirs later."""
    return set_places(tape, tape.call(evade, attack))


@clause("DW-QUAL-FLAME")
def meet_flames(tape: Tape, attack: Attack) -> Attack:
    """The test against flames, and the place that they strike."""
    return set_places(tape, tape.call(blasts.dodge_flames, attack))


def _met(exchange: Exchange, attack: Attack) -> Exchange:
    """What a unit has to take of an attack, and what its Reaction cost."""
    blow, name = blow_of(exchange), attack.spec.guard.name
    foe = exchange.foe(name)
    if attack.reacted:
        broken = foe.parries_broken + attack.parry_broken
        foe = replace(foe, reactions=foe.reactions - 1, reacted=foe.reacted + 1, parries_broken=broken)
    broken_blade = ((blow.who, blow.weapon, "broken"),) if attack.weapon_broken else ()
    hits = exchange.hits + (attack.hits if blow.how == "flame" else 0)  # which have no roll to hit
    exchange = replace(exchange.with_foe(foe), hits=hits, landed=exchange.landed + attack.landed)
    exchange = replace(exchange, marks=(*exchange.marks, *broken_blade))
    if not attack.landed:
        return exchange.without_due(name)
    return replace(exchange, part=replace(attack, victim=NOBODY, before=0))


# --- they do their damage ---------------------------------------------------------------------------------------------


@clause("DW-DMG-1", "DW-DMG-2")
def take_hits(tape: Tape, exchange: Exchange, name: str) -> Exchange:
    """The hits one after the other; of a blow to stun or of bare hands, what that does."""
    attack, foe = exchange.part, exchange.foe(name)
    if attack is None:
        return exchange
    rest = replace(exchange.with_foe(replace(foe, victim=NOBODY)), part=replace(attack, items=()))
    if attack.spec.how:
        return tape.call(whole_attack.take_hits, replace(attack, victim=foe.victim), then=_struck, rest=rest)
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
    return replace(_taken(exchange, attack.victim), stunned=max(exchange.stunned, attack.stunned))


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
