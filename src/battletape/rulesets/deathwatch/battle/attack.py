"""Attacks in a battle: made with all their modifiers, and what they leave behind on units and weapons."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, TypeAlias

from battletape.cards import Inputs, asked, pick_fields
from battletape.rulebook import BadInput, Refused, Tape, clause, need, plural, raise_if_refused, replace
from battletape.rulesets.deathwatch.battle.changes import change
from battletape.rulesets.deathwatch.battle.state import CarriedWeapon, Fighter, Mob, State, Unit, bearing, distance
from battletape.rulesets.deathwatch.rules import guns, suppression, wounds
from battletape.rulesets.deathwatch.rules.attack import fighters, modifiers, stages
from battletape.rulesets.deathwatch.rules.attack.exchange import Combatant, DeclaredAttack, Exchange, InArea
from battletape.rulesets.deathwatch.rules.attack.fighters import AttackSetting, parrying_weapons
from battletape.rulesets.deathwatch.rules.attack.records import AttackDraft, PreparedAttack, share_armour_losses
from battletape.rulesets.deathwatch.rules.conditions import refuse_sight
from battletape.rulesets.deathwatch.rules.hordes import Kind
from battletape.rulesets.deathwatch.rules.keywords import apply_qualities
from battletape.rulesets.deathwatch.rules.traits import SPOTS, Mode, Spot
from battletape.rulesets.deathwatch.rulings import Rulings

Training: TypeAlias = Literal["talents", "yes", "no"]
FARTHEST_SCATTER = 10  # metres


class AttackOrder(Inputs, frozen=True):
    """An order to attack: circumstances that the battle does not record, and players add."""

    situations: tuple[str, ...] = asked((), "Further rows of the combat summary", "DW-SUMM-00")
    modifier: int = asked(0, "Anything else to hit", "DW-TEST-4", ge=-200, le=200)
    trained: Training = asked("talents", "Trained with the weapon", "DW-UNTR-1")


NO_CIRCUMSTANCES = AttackOrder()


def setting_of(
    state: State, unit: Unit, carried: CarriedWeapon, target: Unit, order: AttackOrder = NO_CIRCUMSTANCES, **more: Any
) -> AttackSetting:
    """Return everything about an attack that the battle knows, and what players add to it."""
    return AttackSetting(
        rulings=state.rules,
        band=modifiers.band(carried.as_fired.range, distance(unit, target), state.rules),
        engaged=target.name in unit.engaged_with,
        outnumber=outnumbers(state, unit, target),
        fog=state.smoke_at(target),
        armed=fighters.is_armed(target),
        field=state.field_at(unit),
        untrained=order.trained == "no" or (order.trained == "talents" and not carried.trained),
        situations=order.situations,
        modifier=order.modifier,
        **more,
    )


@clause("DW-SUMM-MELEE_OUTNUMBER_2TO1")
def outnumbers(state: State, attacker: Unit, target: Unit) -> bool:
    """Return whether the friends engaged with a target are twice the enemies engaged with any of them."""
    friends = (unit for unit in state.units if unit.side == attacker.side)
    ours = {attacker.name, *(friend.name for friend in friends if target.name in friend.engaged_with)}
    others = (enemy for enemy in state.enemies_of(attacker.side) if enemy.side == target.side)
    theirs = {target.name, *(enemy.name for enemy in others if ours & {*enemy.engaged_with})}
    return len(ours) >= 2 * len(theirs)


def spot_named(name: str) -> Spot | None:
    """Return a place of the body by its name; None if nothing was named."""
    key = name.strip().lower().replace(" ", "_")
    spot = next((spot for spot in SPOTS if spot == key), None)
    if spot is not None or not key:
        return spot
    raise BadInput.of("called", f"must be one of {', '.join(SPOTS)}; got {name!r}", clause="DW-ACT-CALLED-SHOT")


NAMES: dict[Mode, str] = {"single": "Standard Attack", "semi": "Semi-Auto Burst", "full": "Full Auto Burst"}


def shot_action(order: Any) -> str:
    """Return the action of the table that a shot is."""
    return "Called Shot" if getattr(order, "called", "").strip() else NAMES[order.mode]


@clause("DW-RWEP-00", "DW-JAM-2", "DW-QUAL-RECHARGE", "DW-QUAL-OVERHEATS", "DW-COND-BLIND", "DW-CRIT-2", "DW-RWEP-24")
def need_gun(state: State, fighter: Fighter, carried: CarriedWeapon, mode: Mode) -> None:
    """Refuse a gun that is not in hand, jammed, empty or too hot, or that its bearer cannot use."""
    weapon = carried.as_fired
    raise_if_refused(
        guns.refuse_mode(weapon, mode),
        guns.refuse_state(weapon, state.round, carried, carried.in_hand, carried.destroyed),
        guns.refuse_mode(weapon, mode, carried.clip, carried.jammed, state.rules),
    )
    need(weapon.damage, f"{carried.name} has no round in it; reload it with one", "DW-RWEP-24", "ammunition")
    raise_if_refused(refuse_sight(fighter.conditions))
    hands = f"{carried.name} needs {plural(carried.hands, 'hand')}, and {fighter.name} has {fighter.hands} to use"
    need(fighter.hands >= carried.hands, hands, "DW-CRIT-2", "hands")
    raise_if_refused(refuse_haywire(state, fighter, carried))


@clause("DW-QUAL-HAYWIRE")
def refuse_haywire(state: State, unit: Unit, carried: CarriedWeapon) -> Refused | None:
    """Refuse a gun where a haywire field about its bearer stops technology."""
    if not state.field_at(unit).stops or carried.qualities.primitive:
        return None
    return Refused(f"no technology works about {unit.name} in this haywire field", "DW-QUAL-HAYWIRE", "haywire")


@clause("DW-QUAL-BLAST")
def declare_attack(
    state: State, attacker: Unit, carried: CarriedWeapon, target: Unit, draft: AttackDraft, kind: Kind = "shoot"
) -> DeclaredAttack:
    """Return an attack on a unit, ready for the dice; a shot that bursts may reach all near its target.

    A shot at the ground, a target without a name, that does not burst strikes nothing.
    """
    aimed = _attack_at(state, attacker, carried, target, draft, kind)
    burn, blast, haywire = (
        overheat_attack_of(state, attacker, carried, draft),
        carried.qualities.blast,
        carried.qualities.haywire,
    )
    declared = DeclaredAttack(
        attacker.name,
        target.name,
        carried.name,
        aimed.spec,
        aimed.horde_attack,
        overheat_attack=burn,
        haywire_radius=haywire,
    )
    if kind != "shoot" or not (blast or not target.name):
        return declared
    near = (unit for unit in state.present if blast and distance(unit, target) <= blast + FARTHEST_SCATTER)
    reached, at, direction = (
        units_in_area(state, attacker, carried, draft, near, target),
        (target.x, target.y),
        bearing(attacker, target),
    )
    spec = aimed.horde_attack.spec(target.magnitude) if isinstance(target, Mob) and aimed.horde_attack else aimed.spec
    return replace(declared, spec=spec, how="blast", in_area=reached, aimed_at=at, bearing=direction)


def units_in_area(
    state: State,
    attacker: Unit,
    carried: CarriedWeapon,
    draft: AttackDraft,
    units: Iterable[Unit],
    target: Unit | None = None,
) -> tuple[InArea, ...]:
    """Return the units that an attack may strike besides its target or instead of it, with the attack on each."""
    other = replace(draft, concealed=False)  # the row that was named is about the target
    return tuple(_attack_at(state, attacker, carried, unit, draft if unit is target else other) for unit in units)


def _attack_at(
    state: State, attacker: Unit, carried: CarriedWeapon, unit: Unit, draft: AttackDraft, kind: Kind = "shoot"
) -> InArea:
    if isinstance(unit, Mob):
        return InArea(unit.name, horde_attack=fighters.horde_attack_of(carried, draft, unit, kind))
    return InArea(
        unit.name, fighters.attack_on(draft, carried.as_fired.qualities, unit, attacker, state.field_at(unit))
    )


@clause("DW-QUAL-OVERHEATS")
def overheat_attack_of(state: State, unit: Unit, carried: CarriedWeapon, draft: AttackDraft) -> PreparedAttack | None:
    """Return what a weapon does to its bearer if it overheats: its own damage without penetration."""
    if isinstance(unit, Mob) or carried.profile.melee or not carried.qualities.overheats:
        return None
    own = AttackDraft(0, **pick_fields(draft, "dice", "sides", "flat", "damage_type"), by_side=True, by=unit.side)
    exposed = replace(unit, hidden=())  # the weapon is on its bearer's side of the cover
    defender = fighters.defender_of(exposed, None, True, state.field_at(unit), state.rules)
    return apply_qualities(own, (), defender, state.rules)


def combatant_of(unit: Unit) -> Combatant:
    """Return a unit as it enters an action."""
    if isinstance(unit, Mob):
        return Combatant(unit.name, wounds.Victim(unit.magnitude), True, unit.x, unit.y)
    budget = stages.reactions_per_round(unit.defensive)
    victim = wounds.Victim(unit.health, by_spot=unit.by_spot, conditions=unit.conditions)
    return Combatant(unit.name, victim, False, unit.x, unit.y, max(0, budget - unit.reactions_used), budget)


def exchange_of(state: State, attacker: Unit, attacks: Iterable[DeclaredAttack], targets: Iterable[Unit]) -> Exchange:
    """Return an action of these attacks about to begin, aimed at the first of its targets."""
    attacks = tuple(attacks)
    reached = (state.find(unit.name) for declared in attacks for unit in declared.in_area)
    units = list(dict.fromkeys([*targets, *reached, attacker]))
    first = units[0]
    return Exchange(
        combatants=tuple(map(combatant_of, units)),
        later_attacks=_with_shared_armour_losses(attacks),
        main_target=first.name,
        before=first.magnitude if isinstance(first, Mob) else first.health,
        stunned_before=0 if isinstance(first, Mob) else first.conditions.stunned,
        test_rulings=Rulings(**pick_fields(state.rules, "auto_results", "modifier_cap", "degrees", "unarmed_fatigue")),
    )


def _with_shared_armour_losses(attacks: tuple[DeclaredAttack, ...]) -> tuple[DeclaredAttack, ...]:
    """Return the attacks of one action so that armour lost to one is gone for those that follow."""
    if len(attacks) < 2:
        return attacks
    given = (unit.spec for declared in attacks for unit in (InArea("", declared.spec), *declared.in_area))
    specs = tuple(filter(None, given))
    now = dict[PreparedAttack | None, PreparedAttack](zip(specs, share_armour_losses(specs), strict=True))
    reached = (tuple(replace(unit, spec=now.get(unit.spec)) for unit in declared.in_area) for declared in attacks)
    return tuple(replace(declared, spec=now.get(declared.spec), in_area=next(reached)) for declared in attacks)


# --- what an attack leaves behind -------------------------------------------------------------------------------------


@clause("DW-RWEP-00", "DW-JAM-1", "DW-QUAL-RECHARGE", "DW-QUAL-OVERHEATS")
def take_rounds(
    tape: Tape, state: State, fighter: Fighter, carried: CarriedWeapon, mode: Mode, exchange: Exchange
) -> State:
    """Take the rounds of an attack from its gun, and let the gun jam or overheat."""
    spent = guns.rounds_used(carried.as_fired, mode, carried.clip, state.rules)
    jams = (status for status in ("jam", "overheat") if (fighter.name, carried.name, status) in exchange.events)
    return change(tape, state, fighter.with_weapon(guns.discharge(carried, spent, next(jams, ""), state.round)))


@clause("DW-EVA-1", "DW-ACT-AIM", "DW-OVER-4", "DW-COND-COHESION", "DW-COVER-1")
def write_back(tape: Tape, state: State, exchange: Exchange) -> State:
    """Write what attacks did to all units and their weapons back into the battle."""
    for combatant in exchange.combatants:
        state = _pinned(
            state, state.find(combatant.name), combatant.name in exchange.newly_pinned
        )  # which has been said
        unit = state.find(combatant.name)
        if isinstance(unit, Mob):
            left, shot = max(0, combatant.victim.health), unit.shot_at or combatant.shot_at
            lost = unit.lost_since + unit.magnitude - left
            state = change(tape, state, replace(unit, magnitude=left, lost_since=lost, shot_at=shot))
        else:
            state = change(tape, state, _with_damage(unit, combatant, combatant.name in exchange.newly_pinned))
    for name, weapon, what in dict.fromkeys(exchange.events):
        state = _apply_event(tape, state, name, weapon, what)
    return replace(state, clouds=(*state.clouds, *exchange.clouds))


def _pinned(state: State, unit: Unit, is_down: bool) -> State:
    if not is_down:
        return state
    return state.with_units(replace(unit, pinned=True) if isinstance(unit, Mob) else unit.with_conditions(pinned=True))


def _with_damage(fighter: Fighter, combatant: Combatant, pinned: bool) -> Fighter:
    victim = combatant.victim
    conditions = victim.conditions or fighter.conditions
    after = replace(
        fighter,
        health=victim.health,
        by_spot=victim.by_spot,
        conditions=replace(conditions, dropped=False, pinned=conditions.pinned or pinned),
        cover_ap=max(0, fighter.cover_ap - victim.cover_lost),
        reactions_used=fighter.reactions_used + combatant.reacted,
        shot_at=fighter.shot_at or combatant.shot_at,
    )
    if combatant.reacted or after.is_out:
        after = replace(after, aim="none", overwatch=None)
    for blade in parrying_weapons(fighter)[: combatant.parries_broken]:
        after = after.with_weapon(replace(blade, destroyed=True))
    if (
        conditions.dropped
        and (carried := next((weapon for weapon in after.weapons if weapon.in_hand), None)) is not None
    ):
        after = after.with_weapon(replace(carried, dropped_at=(after.x, after.y)))
    return after


def _apply_event(tape: Tape, state: State, name: str, weapon: str, what: str) -> State:
    unit = state.find(name)
    if what == "cohesion":
        left = tuple((side, max(0, n - 1) if side == unit.side else n) for side, n in state.cohesion)
        tape.tell("{} has {} cohesion left.", unit.side, dict(left).get(unit.side, 0), clause="DW-COND-COHESION")
        return replace(state, cohesion=left)
    changes: dict[str, dict[str, Any]] = {"dropped": {"dropped_at": (unit.x, unit.y)}, "broken": {"destroyed": True}}
    if (
        not isinstance(unit, Fighter)
        or what not in changes
        or not any(carried.name == weapon for carried in unit.weapons)
    ):
        return state
    return change(tape, state, unit.with_weapon(replace(unit.weapon_named(weapon), **changes[what])))


@clause("DW-COND-ENGAGED", "DW-PIN-3")
def engage(tape: Tape, state: State, first: str, second: str) -> State:
    """Put two units into melee with each other, unless the second is out; neither stays pinned."""
    for name, enemy in ((first, second), (second, first)) if not state.find(second).is_out else ():
        unit = state.find(name)
        engaged = replace(unit, engaged_with=tuple(sorted({*unit.engaged_with, enemy})))
        if isinstance(engaged, Fighter):
            state = change(tape, state, replace(engaged, conditions=suppression.without_pinning(engaged.conditions)))
        else:
            state = change(tape, state, replace(engaged, pinned=False))
    return state
