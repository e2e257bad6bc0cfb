"""The lenses of attacks: what odds may forget by the measures asked, without changing an answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from battletape.rulebook import Forget, replace
from battletape.rulesets.deathwatch.rules import damage, guns, hordes, suppression, traits, wounds
from battletape.rulesets.deathwatch.rules.attack.area import StrayHits
from battletape.rulesets.deathwatch.rules.attack.exchange import (
    Combatant,
    DeclaredAttack,
    Exchange,
    PendingHits,
)
from battletape.rulesets.deathwatch.rules.attack.records import Attack, PreparedAttack
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
    may_want_hits = "value" in asked  # of fire_mode: its goal may be hits
    sides_matter = keeps_spot or bool(fields)

    forget_victim = _victim_lens(fields, "fatigue" in asked, keeps_spot, "dealt" in asked)
    forget_combatants = _combatants_lens(forget_victim, "parry_destroyed" in asked)

    def forget_attack(attack: Attack) -> Attack:
        hits, victim = attack.hits if keeps_hits else attack.landed, forget_victim(attack.victim)
        hit_roll = attack.hit_roll if keeps_roll else None
        if hits != attack.hits or victim is not attack.victim or hit_roll is not attack.hit_roll:
            attack = replace(attack, hits=hits, victim=victim, hit_roll=hit_roll)
        return attack if sides_matter else _without_sides(attack)

    def forget_last_attack(last: Attack | None) -> Attack | None:
        if last is None or ((keeps_status or not last.status) and (keeps_roll or last.hit_roll is None)):
            return last
        status = last.status if keeps_status else ""
        return Attack(last.spec, NO_VICTIM, status, hit_roll=forget_attack(last).hit_roll)

    def forget_exchange(exchange: Exchange) -> Exchange:
        attack, taken, last = exchange.attack, exchange.victim_attack, forget_last_attack(exchange.last_attack)
        hits, landed = exchange.hits if keeps_hits else 0, exchange.landed if keeps_landed else 0
        if attack is not None:
            attack = _without_unasked_hits(forget_attack(attack), exchange)
        if taken is not None:
            taken = _without_unasked_hits(forget_attack(taken), exchange)
        combatants, events = exchange.combatants, exchange.events
        if last is not None:  # of a question: there is one target
            in_danger = exchange.declared is not None or bool(exchange.later_attacks)
            combatants = (forget_target(combatants[0], in_danger),)
            same = combatants[0] is exchange.combatants[0] and last is exchange.last_attack and taken is None
            if same and attack is exchange.attack and (hits, landed) == (exchange.hits, exchange.landed):
                return exchange
        else:
            is_done = taken is not None and not (taken.unresolved or taken.stray_hits)
            done = taken.spec.defender.name if taken is not None and is_done else None
            attacks = exchange.declared, exchange.pending_hits, exchange.later_attacks
            combatants = forget_combatants(exchange.combatants, *attacks, exchange.main_target, done)
            events = tuple(sorted({event for event in events if event[2] in EVENTS_THAT_MATTER})) if events else ()
        kept = {"hits": hits, "landed": landed, "events": events, "last_attack": last}
        forgotten: dict[str, Any] = {"newly_pinned": (), "clouds": ()}
        return replace(exchange, combatants=combatants, attack=attack, victim_attack=taken, **kept, **forgotten)

    def forget_target(target: Combatant, in_danger: bool) -> Combatant:
        victim, reactions = forget_victim(target.victim), target.reactions if in_danger else 0
        same = victim is target.victim and reactions == target.reactions and not target.reacted
        return target if same else replace(target, victim=victim, reactions=reactions, reacted=0)

    def forget_gunfire(fire: guns.G) -> guns.G:
        counts = keeps_landed or not fire.landed or (may_want_hits and fire.fire_plan.goal == "hits")
        hits, landed = fire.hits if keeps_hits else 0, fire.landed if counts else 0
        rounds, victim = fire.rounds if keeps_rounds else 0, forget_victim(fire.victim)
        gun = fire.gun if keeps_gun or not fire.gun.status else replace(fire.gun, status="")
        same = victim is fire.victim and (hits, landed, rounds, gun) == (fire.hits, fire.landed, fire.rounds, fire.gun)
        return fire if same else replace(fire, hits=hits, landed=landed, rounds=rounds, gun=gun, victim=victim)

    def forget_horde_fight(fight: hordes.HordeFightState) -> hordes.HordeFightState:
        return fight if keeps_hits or not fight.hits else replace(fight, hits=0)

    def forget_horde_attack(result: hordes.HordeAttackResult) -> hordes.HordeAttackResult:
        return result if keeps_hits else result._replace(hits=0)

    return (
        *(((Conditions, _conditions_lens(fields)),) if fields else ()),
        (wounds.Victim, forget_victim),
        (Attack, forget_attack),
        (Exchange, forget_exchange),
        (StrayHits, _sorted_stray_hits),
        (suppression.PinnedUnits, _without_names),
        (guns.Gunfire, forget_gunfire),
        (hordes.HordeAssault, forget_gunfire),
        (hordes.HordeFightState, forget_horde_fight),
        (hordes.HordeAttackResult, forget_horde_attack),
    )


@lru_cache(256)
def _conditions_lens(fields: tuple[str, ...]) -> Callable[[Conditions], Conditions]:
    """Return a lens of conditions that keeps these fields."""

    @lru_cache(4096)
    def forget_conditions(conditions: Conditions) -> Conditions:
        return Conditions(**{name: getattr(conditions, name) for name in fields})

    return forget_conditions


@lru_cache(256)
def _victim_lens(
    fields: tuple[str, ...], counts_fatigue: bool, keeps_spot: bool, keeps_dealt: bool
) -> Callable[[wounds.Victim], wounds.Victim]:
    """Return a lens of victims: one function for all measures that keep the same."""
    asks_prone = "prone" in fields
    forget, forget_fatigue_too = (
        _conditions_lens(fields),
        _conditions_lens(tuple(name for name in fields if name != "fatigue")),
    )

    def forget_victim(victim: wounds.Victim) -> wounds.Victim:
        conditions = victim.conditions
        if conditions is not None:
            tired = (
                victim.is_thrown_down
                and conditions.fatigue
                and not counts_fatigue
                and (conditions.prone or not asks_prone)
            )
            conditions = (forget_fatigue_too if tired else forget)(conditions) if fields else None
        dealt, net = victim.dealt if keeps_dealt else None, victim.net_damage
        if net > 1 and (not asks_prone or (conditions is not None and conditions.prone)):
            net = 1  # if it cannot throw down, only whether it hurt matters
        same = conditions is victim.conditions and dealt is victim.dealt and net == victim.net_damage
        if same and (keeps_spot or not victim.spot):
            return victim
        spot = victim.spot if keeps_spot else ""
        return wounds.Victim(
            *(victim.health, spot, victim.by_spot, conditions, victim.cover_lost, net, victim.row),
            *(victim.new_armour_loss, dealt, victim.is_thrown_down, victim.due_effect, victim.last_damage),
        )

    return forget_victim


DEAD_VICTIM = wounds.Victim(traits.DEAD)
EVENTS_THAT_MATTER = ("jam", "overheat", "broken")
"""Events of weapons that measures or later attacks depend on."""


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
    unresolved = tuple(_hit_without_side(hit) if isinstance(hit, damage.Hit) else hit for hit in attack.unresolved)
    first = traits.place_of(attack.first_spot) if attack.first_spot else ""
    return (
        attack
        if unresolved == attack.unresolved and first == attack.first_spot
        else replace(attack, unresolved=unresolved, first_spot=first)
    )


@lru_cache(1024)
def _is_symmetrical(spec: PreparedAttack) -> bool:
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
    if not (attack.unresolved or attack.stray_hits):
        return attack
    name = attack.spec.defender.name
    pins = dict(exchange.declared.pin_tests) if exchange.declared is not None else {}
    if (
        name == exchange.main_target
        or name in pins
        or name in _units_in_danger(exchange.later_attacks, exchange.main_target)
    ):
        return _without_last_places(attack, exchange)
    return replace(attack, unresolved=(), stray_hits=0)


@lru_cache(64)
def _combatants_lens(
    forget_victim: Callable[[wounds.Victim], wounds.Victim], keeps_parries: bool
) -> Callable[..., tuple[Combatant, ...]]:
    """Return a lens of combatants: it keeps all of the main target, of others what still matters."""

    @lru_cache(16384)
    def forget_combatant(
        unit: Combatant, is_main_target: bool, is_pinned: bool, in_danger: bool, reacts: bool
    ) -> Combatant:
        victim = forget_victim(unit.victim)
        if not in_danger:
            adds = unit.is_mob and is_pinned  # its Magnitude to the test
            victim = (
                _victim_out_of_danger(victim)
                if is_main_target or adds
                else DEAD_VICTIM
                if is_pinned and victim.is_dead
                else NO_VICTIM
            )
        reactions, broken = (
            unit.reactions if reacts else 0,
            unit.parries_broken if reacts or keeps_parries else 0,
        )
        return Combatant(
            unit.name,
            victim,
            unit.is_mob,
            unit.x,
            unit.y,
            reactions,
            unit.reactions_a_round,
            parries_broken=broken,
        )

    @lru_cache(16384)
    def forget_combatants(
        combatants: tuple[Combatant, ...],
        declared: DeclaredAttack | None,
        pending_hits: tuple[PendingHits, ...] | None,
        later_attacks: tuple[DeclaredAttack, ...],
        main_target: str,
        done: str | None,
    ) -> tuple[Combatant, ...]:
        """Forget combatants; once its hits are taken, a unit is out of danger from that attack."""
        later, in_danger = (
            _units_in_danger(later_attacks, main_target),
            frozenset(name for name, _ in pending_hits or ()),
        )
        if declared is not None and pending_hits is None:
            in_danger = _units_in_danger((declared,), main_target)
        reacts, in_danger = in_danger | later, (in_danger - {done}) | later
        pins = dict(declared.pin_tests) if declared is not None else {}
        combatants = tuple(
            forget_combatant(
                unit,
                unit.name == main_target,
                unit.name in pins,
                unit.name in in_danger,
                unit.name in reacts,
            )
            for unit in combatants
        )
        if declared is not None and declared.how == "spray":
            combatants = _with_interchangeable_dead(combatants, declared, main_target, reacts)
        return combatants

    return forget_combatants


@lru_cache(16384)
def _sorted_stray_hits(strays: StrayHits) -> StrayHits:
    """Return stray hits sorted among interchangeable units: numbers matter, not names."""
    of_kind: dict[int, list[int]] = {}
    for number, kind in sorted(zip(*strays, strict=True), reverse=True):
        of_kind.setdefault(kind, []).append(number)
    return strays._replace(counts=tuple(of_kind[kind].pop() for kind in strays.kinds))


def _with_interchangeable_dead(
    combatants: tuple[Combatant, ...], declared: DeclaredAttack, main_target: str, reacts: frozenset[str]
) -> tuple[Combatant, ...]:
    """Return combatants that keep how many interchangeable ones are dead, not which."""
    pins = dict(declared.pin_tests)
    others = (unit.name for unit in combatants if unit.name not in (*reacts, main_target) and not unit.is_mob)
    targets_of = {name: pins[name] for name in others if name in pins}
    dead = Counter(targets_of[unit.name] for unit in combatants if unit.name in targets_of and unit.victim.is_dead)
    sorted_dead = []
    for unit in combatants:
        if dead and unit.name in targets_of:
            unit = replace(unit, victim=DEAD_VICTIM if dead[targets_of[unit.name]] > 0 else NO_VICTIM)
            dead[targets_of[unit.name]] -= 1
        sorted_dead.append(unit)
    return tuple(sorted_dead)


def _without_last_places(attack: Attack, exchange: Exchange) -> Attack:
    """Return an attack without critical damage by location that no later hit can add to."""
    alone = exchange.declared is not None and not (exchange.later_attacks or exchange.declared.has_many_targets)
    if not (attack.spec.by_location and alone and attack.placed_hits) or attack.placed_hits[0].always_counts_net:
        return attack
    return without_places(attack)


@lru_cache(256)
def _units_in_danger(attacks: tuple[DeclaredAttack, ...], main_target: str) -> frozenset[str]:
    """Return the units that these attacks may strike, unless a blast does the same to them anyway."""
    units = ((declared, unit) for declared in attacks for unit in (*declared.shared_with, *declared.in_area))
    still_matters = (
        unit for declared, unit in units if declared.how != "blast" or (unit.spec is not None and unit.spec.evadable)
    )
    main = {main_target} & {unit.name for declared in attacks for unit in declared.in_area}
    return frozenset((*(declared.target for declared in attacks), *(unit.name for unit in still_matters), *main))
