"""The lenses of attacks: what odds may forget by the measures asked, without changing an answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import lru_cache

from battletape.rulebook import Forget, replace
from battletape.rulesets.deathwatch.rules import damage, guns, hordes, suppression, traits, wounds
from battletape.rulesets.deathwatch.rules.attack.exchange import (
    Combatant,
    DeclaredAttack,
    Exchange,
    PendingHits,
    StrayHits,
)
from battletape.rulesets.deathwatch.rules.attack.records import Attack, Spec
from battletape.rulesets.deathwatch.rules.attack.results import CONDITION_TITLES, ROLL
from battletape.rulesets.deathwatch.rules.attack.stages import NO_VICTIM, without_places
from battletape.rulesets.deathwatch.rules.conditions import Conditions

KEPT_FOR = {name: fields for name, _, _, fields, _ in CONDITION_TITLES}
"""The conditions that each measure of them depends on."""
OF_HIT_ROLL = tuple(measure.name for measure in ROLL)
"""Measures that need the attack roll itself."""
OF_GUN = ("rounds", "jammed", "overheated", "value")
"""Measures of fire over several turns that need to know what became of the gun."""
KEEPERS = frozenset(
    (*KEPT_FOR, "critical", "hits", "landed", "dealt", "status", "parry_destroyed", *OF_GUN, *OF_HIT_ROLL)
)
"""The measures that keep something from being forgotten."""


def lens(asked: frozenset[str]) -> Forget:
    """Return what may be forgotten, by type, if only these measures are asked."""
    return _lens(asked & KEEPERS)


@lru_cache(256)
def _lens(asked: frozenset[str]) -> Forget:
    """Return the lens of these measures, the same functions each time, so that results are shared."""
    fields = tuple(sorted({name for measure in asked for name in KEPT_FOR.get(measure, ())}))
    keeps_spot, keeps_hits, keeps_landed = "critical" in asked, "hits" in asked, "landed" in asked
    keeps_roll, keeps_status = not asked.isdisjoint(OF_HIT_ROLL), "status" in asked
    keeps_rounds, keeps_gun = "rounds" in asked, not asked.isdisjoint(OF_GUN[1:])
    may_want_hits = "value" in asked  # of fire_mode, whose goal may be hits
    sides_matter = keeps_spot or bool(fields)

    victim = _victim_lens(fields, "fatigue" in asked, keeps_spot, "dealt" in asked)
    people = _combatants_lens(victim, "parry_destroyed" in asked)

    def attack(made: Attack) -> Attack:
        hits, hit = made.hits if keeps_hits else made.landed, victim(made.victim)
        hit_roll = made.hit_roll if keeps_roll else None
        if hits != made.hits or hit is not made.victim or hit_roll is not made.hit_roll:
            made = replace(made, hits=hits, victim=hit, hit_roll=hit_roll)
        return made if sides_matter else _without_sides(made)

    def last_roll(last: Attack | None) -> Attack | None:
        if last is None or ((keeps_status or not last.status) and (keeps_roll or last.hit_roll is None)):
            return last
        return Attack(last.spec, NO_VICTIM, last.status if keeps_status else "", hit_roll=attack(last).hit_roll)

    def exchange(action: Exchange) -> Exchange:
        made, part, last = action.attack, action.victim_attack, last_roll(action.last_attack)
        hits, landed = action.hits if keeps_hits else 0, action.landed if keeps_landed else 0
        if made is not None:
            made = _without_unasked_hits(attack(made), action)
        if part is not None:
            part = _without_unasked_hits(attack(part), action)
        foes, marks = action.combatants, action.events
        if last is not None:  # of a question: there is one target
            foes = (one_foe(foes[0], action.declared is not None or bool(action.later_attacks)),)
            same = (
                foes[0] is action.combatants[0]
                and last is action.last_attack
                and made is action.attack
                and part is None
            )
            if same and (hits, landed) == (action.hits, action.landed):
                return action
        else:
            done = part.spec.defender.name if part is not None and not (part.items or part.stray_hits) else None
            foes = people(
                action.combatants, action.declared, action.pending_hits, action.later_attacks, action.main_target, done
            )
            marks = tuple(sorted({mark for mark in marks if mark[2] in EVENTS_THAT_MATTER})) if marks else ()
        told = {"hits": hits, "landed": landed, "events": marks, "newly_pinned": (), "clouds": (), "last_attack": last}
        return replace(action, combatants=foes, attack=made, victim_attack=part, **told)

    def one_foe(foe: Combatant, is_struck: bool) -> Combatant:
        hit, reactions = victim(foe.victim), foe.reactions if is_struck else 0
        same = hit is foe.victim and reactions == foe.reactions and not foe.reacted
        return foe if same else replace(foe, victim=hit, reactions=reactions, reacted=0)

    def gunfire(fire: guns.G) -> guns.G:
        counts = keeps_landed or not fire.landed or (may_want_hits and fire.fire_plan.goal == "hits")
        hits, landed = fire.hits if keeps_hits else 0, fire.landed if counts else 0
        rounds, hit = fire.rounds if keeps_rounds else 0, victim(fire.victim)
        gun = fire.gun if keeps_gun or not fire.gun.status else replace(fire.gun, status="")
        if (hits, landed, rounds, gun) == (fire.hits, fire.landed, fire.rounds, fire.gun) and hit is fire.victim:
            return fire
        return replace(fire, hits=hits, landed=landed, rounds=rounds, gun=gun, victim=hit)

    def standing(horde: hordes.HordeFightState) -> hordes.HordeFightState:
        return horde if keeps_hits or not horde.hits else replace(horde, hits=0)

    def volley(fired: hordes.HordeAttackResult) -> hordes.HordeAttackResult:
        return fired if keeps_hits else fired._replace(hits=0)

    return (
        *(((Conditions, _conditions_lens(fields)),) if fields else ()),
        (wounds.Victim, victim),
        (Attack, attack),
        (Exchange, exchange),
        (StrayHits, _sorted_stray_hits),
        (suppression.PinnedUnits, _without_names),
        (guns.Gunfire, gunfire),
        (hordes.HordeAssault, gunfire),
        (hordes.HordeFightState, standing),
        (hordes.HordeAttackResult, volley),
    )


@lru_cache(256)
def _conditions_lens(fields: tuple[str, ...]) -> Callable[[Conditions], Conditions]:
    """Return a lens of conditions that keeps these fields."""

    @lru_cache(4096)
    def felt(conditions: Conditions) -> Conditions:
        return Conditions(**{name: getattr(conditions, name) for name in fields})

    return felt


@lru_cache(256)
def _victim_lens(
    fields: tuple[str, ...], counts_fatigue: bool, keeps_spot: bool, keeps_dealt: bool
) -> Callable[[wounds.Victim], wounds.Victim]:
    """Return a lens of victims: one function for all measures that keep the same."""
    asks_prone = "prone" in fields
    felt, felt_fresh = _conditions_lens(fields), _conditions_lens(tuple(name for name in fields if name != "fatigue"))

    def victim(struck: wounds.Victim) -> wounds.Victim:
        conditions = struck.conditions
        if conditions is not None:
            tired = (
                struck.is_thrown_down
                and conditions.fatigue
                and not counts_fatigue
                and (conditions.prone or not asks_prone)
            )
            conditions = (felt_fresh if tired else felt)(conditions) if fields else None
        dealt, net = struck.dealt if keeps_dealt else None, struck.net_damage
        if net > 1 and (not asks_prone or (conditions is not None and conditions.prone)):
            net = 1  # whatever throws nobody down asks only whether it hurt
        same = conditions is struck.conditions and dealt is struck.dealt and net == struck.net_damage
        if same and (keeps_spot or not struck.spot):
            return struck
        spot = struck.spot if keeps_spot else ""
        return wounds.Victim(
            *(struck.health, spot, struck.by_spot, conditions, struck.cover_lost, net, struck.row),
            *(struck.new_armour_loss, dealt, struck.is_thrown_down, struck.due_effect, struck.last_damage),
        )

    return victim


DEAD_VICTIM = wounds.Victim(traits.DEAD)
EVENTS_THAT_MATTER = ("jam", "overheat", "broken")
"""What happened to weapons, as far as measures or later attacks depend on it."""


def _victim_out_of_danger(victim: wounds.Victim) -> wounds.Victim:
    """Return a victim that nothing will strike any more: its health, and the critical row reached."""
    row = wounds.row_of(victim) if victim.by_spot else 0
    return replace(
        victim,
        by_spot=(row,) if victim.by_spot else (),
        net_damage=0,
        row=row,
        new_armour_loss=(),
        is_thrown_down=False,
    )


def _without_sides(attack: Attack) -> Attack:
    """Return an attack without left and right if they are alike; without places if any critical row kills."""
    if not _is_symmetrical(attack.spec):
        return attack
    items = tuple(_hit_without_side(hit) if isinstance(hit, damage.Hit) else hit for hit in attack.items)
    first = traits.place_of(attack.first_spot) if attack.first_spot else ""
    return (
        attack
        if items == attack.items and first == attack.first_spot
        else replace(attack, items=items, first_spot=first)
    )


@lru_cache(1024)
def _is_symmetrical(spec: Spec) -> bool:
    """Return whether left and right of an attack differ by name only."""
    if spec.by_location:
        return False
    for row in (spec.hits, spec.razor_hits):
        of_place = {traits.place_of(hit.spot): hit for hit in row}
        if any(replace(of_place[traits.place_of(hit.spot)], spot=hit.spot) != hit for hit in row):
            return False
    return True


@lru_cache(1024)
def _hit_without_side(hit: damage.Hit) -> damage.Hit:
    return replace(hit, spot="body" if hit.sudden_death and not hit.armour_may_go else traits.place_of(hit.spot))


def _without_names(pinned: suppression.PinnedUnits) -> suppression.PinnedUnits:
    return suppression.PinnedUnits(pinned.number)


def _without_unasked_hits(attack: Attack, exchange: Exchange) -> Attack:
    """Return an attack without its hits on units that no measure and no later attack asks about."""
    if not (attack.items or attack.stray_hits):
        return attack
    name = attack.spec.defender.name
    pins = dict(exchange.declared.pin_tests) if exchange.declared is not None else {}
    if (
        name == exchange.main_target
        or name in pins
        or name in _units_in_danger(exchange.later_attacks, exchange.main_target)
    ):
        return _without_last_places(attack, exchange)
    return replace(attack, items=(), stray_hits=0)


@lru_cache(64)
def _combatants_lens(
    victim_of: Callable[[wounds.Victim], wounds.Victim], keeps_parries: bool
) -> Callable[..., tuple[Combatant, ...]]:
    """Return a lens of combatants: it keeps all of the main target, of others what still matters."""

    @lru_cache(16384)
    def foe(who: Combatant, is_first: bool, is_pinned: bool, is_struck: bool, reacts: bool) -> Combatant:
        victim = victim_of(who.victim)
        if not is_struck:
            adds = who.is_mob and is_pinned  # its Magnitude to the test
            victim = (
                _victim_out_of_danger(victim)
                if is_first or adds
                else DEAD_VICTIM
                if is_pinned and victim.is_dead
                else NO_VICTIM
            )
        reactions, broken = who.reactions if reacts else 0, who.parries_broken if reacts or keeps_parries else 0
        return Combatant(who.name, victim, who.is_mob, who.x, who.y, reactions, who.budget, parries_broken=broken)

    @lru_cache(16384)
    def people(
        foes: tuple[Combatant, ...],
        blow: DeclaredAttack | None,
        due: tuple[PendingHits, ...] | None,
        rest: tuple[DeclaredAttack, ...],
        first: str,
        done: str | None,
    ) -> tuple[Combatant, ...]:
        """Once its hits are done, a unit is not struck by that attack any more."""
        again, struck = _units_in_danger(rest, first), frozenset(name for name, _ in due or ())
        if blow is not None and due is None:
            struck = _units_in_danger((blow,), first)
        reacts, struck = struck | again, (struck - {done}) | again
        pins = dict(blow.pin_tests) if blow is not None else {}
        foes = tuple(
            foe(who, who.name == first, who.name in pins, who.name in struck, who.name in reacts) for who in foes
        )
        if blow is not None and blow.how == "spray":
            foes = _with_interchangeable_dead(foes, blow, first, reacts)
        return foes

    return people


@lru_cache(16384)
def _sorted_stray_hits(strays: StrayHits) -> StrayHits:
    """Return stray hits sorted among interchangeable units: numbers matter, not names."""
    of_kind: dict[int, list[int]] = {}
    for number, kind in sorted(zip(*strays, strict=True), reverse=True):
        of_kind.setdefault(kind, []).append(number)
    return strays._replace(counts=tuple(of_kind[kind].pop() for kind in strays.kinds))


def _with_interchangeable_dead(
    foes: tuple[Combatant, ...], blow: DeclaredAttack, first: str, reacts: frozenset[str]
) -> tuple[Combatant, ...]:
    """Return combatants that keep how many interchangeable ones are dead, not which."""
    pins = dict(blow.pin_tests)
    others = (foe.name for foe in foes if foe.name not in (*reacts, first) and not foe.is_mob)
    idle = {name: pins[name] for name in others if name in pins}
    dead = Counter(idle[foe.name] for foe in foes if foe.name in idle and foe.victim.is_dead)
    alike = []
    for foe in foes:
        if dead and foe.name in idle:
            foe = replace(foe, victim=DEAD_VICTIM if dead[idle[foe.name]] > 0 else NO_VICTIM)
            dead[idle[foe.name]] -= 1
        alike.append(foe)
    return tuple(alike)


def _without_last_places(attack: Attack, exchange: Exchange) -> Attack:
    """Return an attack without critical damage by location that no later hit can add to."""
    alone = exchange.declared is not None and not (exchange.later_attacks or exchange.declared.has_many_targets)
    if not (attack.spec.by_location and alone and attack.placed_hits) or attack.placed_hits[0].always_counts_net:
        return attack
    return without_places(attack)


@lru_cache(256)
def _units_in_danger(blows: tuple[DeclaredAttack, ...], first: str) -> frozenset[str]:
    """Return the units that these attacks may strike, unless a blast does the same to them anyway."""
    units = ((blow, unit) for blow in blows for unit in (*blow.shared_with, *blow.in_area))
    feels = (unit for blow, unit in units if blow.how != "blast" or (unit.spec is not None and unit.spec.evadable))
    again = {first} & {unit.name for blow in blows for unit in blow.in_area}
    return frozenset((*(blow.target for blow in blows), *(unit.name for unit in feels), *again))
