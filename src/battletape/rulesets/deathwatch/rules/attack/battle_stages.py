"""The stages of an attack in a battle, what they say in the log, and what is measured of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec.structs import replace

from battletape.clauses import clause
from battletape.dice import D10
from battletape.odds import percent
from battletape.procedure import Procedure, Stage
from battletape.rulesets.deathwatch.rules import locations, suppression, wounds
from battletape.rulesets.deathwatch.rules.attack import whole_attack
from battletape.rulesets.deathwatch.rules.attack.area_attacks import carry_out, steps_of
from battletape.rulesets.deathwatch.rules.attack.battle_record import Blow, Exchange, Pinned, shot_at
from battletape.rulesets.deathwatch.rules.attack.records import Attack
from battletape.rulesets.deathwatch.rules.attack.taking_hits import blow_of
from battletape.rulesets.deathwatch.rules.attack.to_hit import NOBODY, check_jam, hit_for, roll_to_hit
from battletape.rulesets.deathwatch.rules.hordes.attack_on_horde import Volley, volley
from battletape.rulesets.deathwatch.rules.hordes.size_and_nerve import pin_target
from battletape.rulesets.deathwatch.rules.traits import DEAD
from battletape.rulesets.deathwatch.rules.wounds import critical_total
from battletape.rulesets.deathwatch.rulings import Rulings
from battletape.system import Measure
from battletape.tape import Tape
from battletape.words import labelled

if TYPE_CHECKING:
    from battletape.answer import Answer


@clause("DW-PIPE-1", "DW-QUAL-POWER-FIELD")
def next_attack(tape: Tape, exchange: Exchange) -> Exchange:
    """The next attack of the action; broken weapons do not strike, and nobody strikes the dead."""
    if not exchange.rest:
        return replace(exchange, blow=None, attack=None)
    blow, rest = exchange.rest[0], exchange.rest[1:]
    gone = (blow.who, blow.weapon, "broken") in exchange.marks
    aimed = blow.how in ("blast", "spray")
    fallen = not aimed and blow.onslaught is None and exchange.foe(blow.target).victim.health <= DEAD
    if gone or fallen:
        return replace(exchange, blow=None, attack=None, rest=rest)
    attack = None
    if blow.spec is not None:
        attack = Attack(blow.spec, NOBODY)
    return replace(exchange, blow=blow, attack=attack, rest=rest, due=None)


@clause("DW-PIPE-1", "DW-TEST-4")
def list_modifiers(tape: Tape, exchange: Exchange) -> Exchange:
    """Add up everything that makes the attack easier or harder."""
    return exchange


@clause("DW-PIPE-1", "DW-TEST-3", "DW-LOC-2")
def attack_roll(tape: Tape, exchange: Exchange) -> Exchange:
    """One d100 for hit or miss, degrees, number of hits, jam and place of the first hit."""
    if exchange.attack is None or exchange.blow is None or exchange.blow.how == "flame":
        return exchange
    return tape.call(roll_attack, exchange.attack, then=_rolled, rest=replace(exchange, attack=None))


@clause("DW-PIPE-1", "DW-QUAL-RELIABLE")
def roll_attack(tape: Tape, attack: Attack) -> Attack:
    """The roll to hit, and whether a jam is a real one."""
    return check_jam(tape, roll_to_hit(tape, attack))


def _rolled(exchange: Exchange, attack: Attack) -> Exchange:
    return replace(exchange, attack=attack)


@clause("DW-HPIPE-1", "DW-HORDE-3")
def strike_mob(tape: Tape, exchange: Exchange) -> Exchange:
    """An attack on a mob: its roll, the hits it counts as, and the Magnitude they take."""
    blow = exchange.blow
    if blow is None or blow.onslaught is None or blow.how in ("blast", "spray"):
        return exchange
    rest = exchange.with_mob(blow.target, 0)
    return tape.call(volley, blow.onslaught, exchange.magnitude(blow.target), then=_mob_struck, rest=rest)


def _mob_struck(exchange: Exchange, came: Volley) -> Exchange:
    exchange = exchange.with_mob(blow_of(exchange).target, came.magnitude)
    return _marked(replace(exchange, hits=exchange.hits + came.hits, landed=exchange.landed + came.hits), came.status)


def _marked(exchange: Exchange, status: str) -> Exchange:
    blow = exchange.blow
    if blow is None or status not in ("jam", "overheat"):
        return exchange
    return replace(exchange, marks=(*exchange.marks, (blow.who, blow.weapon, status)))


@clause("DW-PIPE-1", "DW-AUTO-3", "DW-EVA-1", "DW-MULTI-1", "DW-DMG-1", "DW-DMG-2")
def land_hits(tape: Tape, exchange: Exchange) -> Exchange:
    """Hits are shared out, evaded, placed and suffered."""
    blow, attack = exchange.blow, exchange.attack
    if blow is None or attack is None:
        return exchange
    exchange = _marked(replace(exchange, hits=exchange.hits + attack.hits), attack.status)
    return tape.each(carry_out, exchange, steps_of(blow, exchange.first), then=_landed)


def _landed(_: None, exchange: Exchange) -> Exchange:
    return shot_at(exchange, blow_of(exchange))


@clause("DW-SUPP-1", "DW-OVER-3", "DW-HORDE-9", "DW-HPIPE-1")
def keep_heads_down(tape: Tape, exchange: Exchange) -> Exchange:
    """Everybody under such fire who still stands tests Willpower or is pinned; a mob adds its Magnitude."""
    blow = exchange.blow
    if blow is None or not blow.pins:
        return exchange
    rest = replace(exchange, blow=replace(blow, pins=()))
    return tape.each(pin_one, Pinned(), tuple(_tested(exchange, blow)), then=_pinned, rest=rest)


@clause("DW-SUPP-1", "DW-HORDE-9")
def _tested(exchange: Exchange, blow: Blow) -> Iterator[tuple[str, int, Rulings]]:
    """Who still stands and tests Willpower, and the target."""
    for name, target in blow.pins:
        if name not in dict(exchange.mobs):
            if not exchange.foe(name).victim.is_dead:
                yield name, target, exchange.tests
        elif (size := exchange.magnitude(name)) > 0:
            yield name, pin_target(target, size, (suppression.PINNING,), exchange.tests), exchange.tests


@clause("DW-SUPP-1", "DW-OVER-3", "DW-HORDE-9", "DW-HPIPE-1")
def pin_one(tape: Tape, pinned: Pinned, item: tuple[str, int, Rulings]) -> Pinned:
    """One of them is pinned, or not."""
    name, target, tests = item
    if suppression.is_pinned(tape, target, labelled(name, "willpower (pinned)"), tests):
        return Pinned(pinned.number + 1, (*pinned.names, name))
    return pinned


def _pinned(exchange: Exchange, pinned: Pinned) -> Exchange:
    return replace(exchange, pinned=exchange.pinned + pinned.number, down=(*exchange.down, *pinned.names))


@clause("DW-QUAL-OVERHEATS")
def overheat(tape: Tape, exchange: Exchange) -> Exchange:
    """A weapon that overheats is dropped, or burns the arm that holds it."""
    blow = exchange.blow
    if blow is None or blow.burn is None or (blow.who, blow.weapon, "overheat") not in exchange.marks:
        return exchange
    spec = blow.burn
    if tape.choose(("drop", "burn"), by=spec.by, label=f"{blow.who}: {blow.weapon} overheats") == "drop":
        return replace(exchange, marks=(*exchange.marks, (blow.who, blow.weapon, "dropped")))
    spot = f"{tape.roll(D10, locations.RIGHT_OR_LEFT, label='limb side')}_arm"
    foe = exchange.foe(blow.who)
    attack = Attack(spec, foe.victim, items=(hit_for(spec, spot, 0, False),), before=foe.victim.health)
    return exchange.with_foe(replace(foe, victim=tape.call(whole_attack.take_hits, attack).victim))


def end_blow(tape: Tape, exchange: Exchange) -> Exchange:
    """Forget what only this attack needed to know."""
    return replace(exchange, blow=None, attack=None, due=None, part=None)


BLOW: tuple[Stage, ...] = (
    next_attack,
    list_modifiers,
    attack_roll,
    strike_mob,
    land_hits,
    keep_heads_down,
    overheat,
    end_blow,
)
"""The stages of one attack in a battle."""


def blows(exchange: Exchange) -> Procedure:
    """The stages of all attacks of an action, one after the other."""
    return Procedure("attacks", BLOW * len(exchange.rest))


# --- measures ---------------------------------------------------------------------------------------------------------


def damage_of(exchange: Exchange) -> int:
    """Damage to the first target, wounds and critical damage together; of a mob, the Magnitude lost."""
    if exchange.first in dict(exchange.mobs):
        return exchange.before - exchange.magnitude(exchange.first)
    health = _health(exchange)
    return exchange.before - (health if health > DEAD else -critical_total(health))


def is_dead(exchange: Exchange) -> int:
    """The first target is dead, or destroyed."""
    return int(
        exchange.magnitude(exchange.first) <= 0 if exchange.first in dict(exchange.mobs) else _health(exchange) <= DEAD
    )


def row_of(exchange: Exchange) -> int:
    """The row of the critical table that the first target has reached."""
    return next((wounds.row_of(foe.victim) for foe in exchange.foes if foe.name == exchange.first), 0)


def _health(exchange: Exchange) -> int:
    return next((foe.victim.health for foe in exchange.foes if foe.name == exchange.first), 0)


def _marked_as(what: str) -> Measure:
    titles = {"jam": "The weapon jams", "overheat": "The weapon overheats", "broken": "The weapon is destroyed"}
    names = {"jam": "jammed", "overheat": "overheated", "broken": "weapon_destroyed"}
    return Measure(names[what], titles[what], lambda exchange: int(any(mark[2] == what for mark in exchange.marks)))


MEASURES = (
    Measure("damage", "Damage to the target, up to death, or Magnitude lost", damage_of, "damage"),
    Measure("hits", "Hits scored by the attack roll", lambda exchange: exchange.hits, "hits"),
    Measure("landed", "Hits that land, on anybody", lambda exchange: exchange.landed, "hits"),
    Measure("dead", "Target dead or destroyed", is_dead),
    Measure("critical_row", "Row of the critical table the target reaches", row_of, "row"),
    _marked_as("jam"),
    _marked_as("overheat"),
    _marked_as("broken"),
    Measure("stunned", "Rounds stunned by the blow", lambda exchange: exchange.stunned, "rounds"),
    Measure("pinned", "How many are pinned", lambda exchange: exchange.pinned, "units"),
)


def headline(answer: Answer) -> str:
    """The numbers that players ask for first, and the risks there are."""
    damage, start = float(answer.odds("damage").mean), answer.start
    landed = float(answer.odds("landed").mean)
    what = "Magnitude lost" if start.first in dict(start.mobs) else "damage"
    if not start.rest:
        return "Nobody is attacked."
    several = any(len(blow.caught) > 1 for blow in start.rest)
    hits, whom = ("hits on all of them", f" to {start.first}") if several else ("hits", "")
    dead = f"{start.first} dead" if several else "dead"
    said = (
        f"{landed:.1f} {hits} and {damage:.1f} {what}{whom} on average; {dead} {percent(answer.odds('dead').chance(1))}"
    )
    risks = (("jammed", "jams"), ("overheated", "overheats"), ("weapon_destroyed", "the weapon breaks"))
    for name, words in risks:
        chance = answer.odds(name).chance(1)
        said += f", {words} {percent(chance)}" if chance else ""
    for name, words in (("stunned", "stunned"), ("pinned", "somebody is pinned")):
        chance = answer.odds(name).at_least(1)
        said += f", {words} {percent(chance)}" if chance else ""
    return f"{said}."
