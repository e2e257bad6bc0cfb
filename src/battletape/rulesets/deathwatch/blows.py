"""How somebody in a battle takes the hits of an attack: he reacts, they are placed, and each does its damage."""

from __future__ import annotations

from msgspec.structs import replace

from battletape.clauses import clause
from battletape.dice import D10
from battletape.rulesets.deathwatch import effects, locations, melee, pipeline
from battletape.rulesets.deathwatch.attack import hit_for
from battletape.rulesets.deathwatch.conditions import stun, tire
from battletape.rulesets.deathwatch.damage import Hit, raw
from battletape.rulesets.deathwatch.evasion import choose_reaction, disarmed, evade
from battletape.rulesets.deathwatch.field import Cloud
from battletape.rulesets.deathwatch.rulings import Rulings
from battletape.rulesets.deathwatch.specs import Attack, Spec
from battletape.rulesets.deathwatch.traits import DEAD, place_of
from battletape.rulesets.deathwatch.work import Blow, Foe, Mark, Work
from battletape.rulesets.deathwatch.wounds import hurt
from battletape.tape import Tape


@clause("DW-EVA-1", "DW-EVA-2", "DW-EVA-3", "DW-QUAL-POWER-FIELD")
def suffer_attack(
    tape: Tape, work: Work, name: str, attack: Attack, places: tuple[int, ...], total: int, blow: Blow
) -> Work:
    """Somebody takes his hits: he may react, then each is placed and does its damage, and what follows."""
    foe = work.foe(name)
    attack = replace(attack, victim=foe.victim, before=foe.victim.health)
    foe, attack = react(tape, foe, attack)
    landed = attack.landed
    if landed:
        attack = tape.call(placed, attack, places[:landed], total)
        attack = _taken(tape, attack, blow, work.tests)
        if blow.how == "stun":
            work, attack = _stunned(work, attack)
    foe = replace(foe, victim=attack.victim)
    work = replace(work.with_foe(foe), landed=work.landed + landed, attack=attack)
    marks: list[Mark] = [(blow.who, blow.weapon, "broken")] if attack.weapon_broken else []
    if landed and "cohesion" in attack.spec.tail:
        marks.append((name, "", "cohesion"))
    work = replace(work, marks=(*work.marks, *marks))
    return _clouds(tape, work, foe, attack.spec, blow) if landed else work


@clause("DW-EVA-1", "DW-EVA-2", "DW-EVA-3", "DW-QUAL-POWER-FIELD")
def react(tape: Tape, foe: Foe, attack: Attack) -> tuple[Foe, Attack]:
    """Dodge, parry or neither, while he has a Reaction left; weapons broken in this action parry no more."""
    able = disarmed(attack, foe.parries_broken)
    if not (attack.hits and attack.spec.evadable and foe.reactions) or able.spec.guard.reaction == "none":
        return foe, attack
    how = tape.call(choose_reaction, able)
    if how == "none":
        return foe, attack
    asked = replace(able, spec=replace(able.spec, guard=replace(able.spec.guard, reaction=how)))
    met: Attack = tape.call(meet, asked)
    broken = foe.parries_broken + met.parry_broken
    foe = replace(foe, reactions=foe.reactions - 1, reacted=foe.reacted + 1, parries_broken=broken)
    return foe, replace(met, spec=attack.spec)


@clause("DW-EVA-2", "DW-EVA-3")
def meet(tape: Tape, attack: Attack) -> Attack:
    """The dodge or parry that he has chosen."""
    met: Attack = evade(tape, attack)
    return met


@clause("DW-MULTI-1", "DW-LOC-1")
def placed(tape: Tape, attack: Attack, places: tuple[int, ...], total: int) -> Attack:
    """The hits he keeps, each at its place in the sequence of the whole burst."""
    spec = attack.spec
    first = attack.first or locations.roll_spot(tape, spec.sides)
    kind, row = place_of(first), locations.sequence(first, total)
    spots = [first if row[at] == kind else _side(tape, row[at], spec.sides) for at in places]
    items = tuple(hit_for(spec, spot, attack.degrees, at == 0) for at, spot in zip(places, spots, strict=True))
    return replace(attack, first="", degrees=min(attack.degrees, spec.degrees_kept), items=items)


def _side(tape: Tape, place: str, by_side: bool) -> str:
    if not by_side or place in ("head", "body"):
        return place
    return f"{tape.roll(D10, locations.RIGHT_OR_LEFT, label='limb side')}_{place}"


def _taken(tape: Tape, attack: Attack, blow: Blow, rules: Rulings) -> Attack:
    """Damage and what follows it, by the kind of blow."""
    if blow.how == "stun":
        rounds: int = tape.call(melee.stun_rounds, blow.sb, blow.tb, blow.head)
        return replace(attack, items=(), degrees=rounds)
    if blow.how == "fists":
        return fist_damage(tape, attack, blow.tb, rules)
    attack = take(tape, attack)
    for name in attack.spec.tail:
        if name in pipeline.STAGES:
            attack = tape.call(pipeline.STAGES[name], attack)
    return attack


@clause("DW-DMG-1", "DW-DMG-2")
def take(tape: Tape, attack: Attack) -> Attack:
    """The hits one after the other, with what special rules and cover that wears down do hit by hit."""
    by_hit = any(hit.toxic or hit.shocking or hit.worn for hit in attack.items)
    taken: Attack = tape.call(pipeline.take_hits_in_full if by_hit else pipeline.take_hits, attack)
    return taken


@clause("DW-ACT-STUN")
def _stunned(work: Work, attack: Attack) -> tuple[Work, Attack]:
    """A blow to stun does no damage; its rounds stand in for the degrees."""
    rounds, conditions = attack.degrees, attack.victim.conditions
    if conditions is not None and rounds:
        attack = replace(attack, victim=replace(attack.victim, conditions=stun(conditions, rounds)))
    return replace(work, stunned=max(work.stunned, rounds)), replace(attack, degrees=0)


@clause("DW-UNARM-2", "DW-UNARM-3")
def fist_damage(tape: Tape, attack: Attack, tb: int, rules: Rulings, tires: bool = False) -> Attack:
    """A hit with bare hands: damage, and fatigue where it is felt enough."""
    hit: Hit = attack.items[0] if attack.items else next(one for one in attack.spec.hits if one.spot == "body")
    got: int = tape.call(raw, hit, hit.most + hit.reduction)
    through = max(0, got - hit.reduction)
    victim = hurt(tape, attack.victim, hit, through)
    tired = tires or melee.tires(got, through, tb, rules)
    if tired and victim.conditions is not None and victim.health > DEAD:
        victim = replace(victim, conditions=tire(victim.conditions, 1, tb))
    return replace(attack, victim=victim, items=())


def _clouds(tape: Tape, work: Work, foe: Foe, spec: Spec, blow: Blow) -> Work:
    """Smoke and fields that kill machines, where the shot lands."""
    if work.rough:
        return work
    found = list(work.clouds)
    if "smoke" in spec.tail:
        smoke = effects.smoke_screen(tape)
        found.append(Cloud("smoke", foe.x, foe.y, smoke.across / 2, smoke.rounds))
    if "haywire" in spec.tail:
        strength = effects.haywire(tape)
        found.append(Cloud("haywire", foe.x, foe.y, blow.haywire, effects.field_rounds(strength), strength))
    return replace(work, clouds=tuple(found))
