"""Attacks in a battle: made with all their modifiers, and what they leave behind on units and weapons."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, TypeAlias

from battletape.cards import Inputs, asked, pick_fields
from battletape.field.measure import measure
from battletape.rulebook import BadInput, Refused, Tape, clause, need, plural, raise_if_refused, replace
from battletape.rulesets.deathwatch.battle.changes import change
from battletape.rulesets.deathwatch.battle.state import CarriedWeapon, Fighter, Mob, State, Unit
from battletape.rulesets.deathwatch.rules import guns, suppression, wounds
from battletape.rulesets.deathwatch.rules.attack import fighters, modifiers, stages
from battletape.rulesets.deathwatch.rules.attack.exchange import Combatant, DeclaredAttack, Exchange, InArea
from battletape.rulesets.deathwatch.rules.attack.fighters import AttackSetting, parrying_weapons
from battletape.rulesets.deathwatch.rules.attack.records import AttackDraft, PreparedAttack, share_armour_losses
from battletape.rulesets.deathwatch.rules.conditions import refuse_sight
from battletape.rulesets.deathwatch.rules.hordes import Kind
from battletape.rulesets.deathwatch.rules.keywords import apply_qualities
from battletape.rulesets.deathwatch.rules.quality_effects import NO_FIELD
from battletape.rulesets.deathwatch.rules.terrain import Terrain
from battletape.rulesets.deathwatch.rules.traits import SPOTS, Mode, Spot
from battletape.rulesets.deathwatch.rulings import Rulings
from battletape.rulesets.deathwatch.tables.sheet import situation_key
from battletape.table.points import Point

Training: TypeAlias = Literal["talents", "yes", "no"]
FARTHEST_SCATTER = 10  # metres


class AttackOrder(Inputs, frozen=True):
    """An order to attack: circumstances that the battle does not record, and players add."""

    situations: tuple[str, ...] = asked((), "Further rows of the combat summary", "DW-SUMM-00")
    modifier: int = asked(0, "Anything else to hit", "DW-TEST-4", ge=-200, le=200)
    trained: Training = asked("talents", "Trained with the weapon", "DW-UNTR-1")


NO_CIRCUMSTANCES = AttackOrder()


def setting_of(
    state: State,
    unit: Unit,
    carried: CarriedWeapon,
    target: Unit,
    order: AttackOrder = NO_CIRCUMSTANCES,
    at: Point | None = None,
    **more: Any,
) -> AttackSetting:
    """Return everything about an attack that the battle knows, and what players add to it.

    `at` is where it is aimed if that is the ground.
    """
    aim = target if at is None else at
    return AttackSetting(
        rulings=state.rulings,
        band=modifiers.band(carried.as_fired.range, state.metres(unit, aim), state.rulings),
        engaged=target.name in unit.engaged_with,
        outnumber=outnumbers(state, unit, target),
        fog=state.smoke_at(aim),
        armed=fighters.is_armed(target),
        field=state.haywire_at(unit),
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


# --- sight and cover --------------------------------------------------------------------------------------------------

CONCEALED = "shoot_completely_concealed"
"""The row of the combat summary for fire at a target that is not in sight."""


@clause("DW-SUMM-SHOOT_COMPLETELY_CONCEALED")
def need_sight(state: State, unit: Unit, target: Unit, situations: tuple[str, ...] = ()) -> None:
    """Refuse a target that terrain hides completely, unless it is fired at as such."""
    if state.field.terrain and CONCEALED not in map(situation_key, situations):
        hidden = f"{unit.name} does not see {target.name}; fire at where it may be with situations={CONCEALED}"
        seen = measure(state.field, unit.name, target.name).sees
        need(seen, hidden, "DW-SUMM-SHOOT_COMPLETELY_CONCEALED", "sight")


@clause("DW-COVER-1")
def covering_terrain(state: State, attacker: Unit, target: Unit) -> Terrain | None:
    """Return the terrain that covers a target from fire; what players say of its cover goes before it."""
    if target.cover_ap or attacker.name == target.name or not state.field.terrain:
        return None
    shown = measure(state.field, attacker.name, target.name)
    return state.field.terrain_piece(shown.covered_by) if shown.covered_by else None


@clause("DW-COVER-1")
def as_covered(state: State, attacker: Unit, target: Unit) -> Unit:
    """Return a target behind the terrain that covers it from fire."""
    piece = covering_terrain(state, attacker, target)
    return target if piece is None else fighters.behind(target, (piece.cover, piece.hidden))


# --- guns -------------------------------------------------------------------------------------------------------------


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
        guns.refuse_mode(weapon, mode, carried.clip, carried.jammed, state.rulings),
    )
    need(weapon.damage, f"{carried.name} has no round in it; reload it with one", "DW-RWEP-24", "ammunition")
    raise_if_refused(refuse_sight(fighter.conditions))
    hands = f"{carried.name} needs {plural(carried.hands, 'hand')}, and {fighter.name} has {fighter.hands} to use"
    need(fighter.hands >= carried.hands, hands, "DW-CRIT-2", "hands")
    raise_if_refused(refuse_haywire(state, fighter, carried))


@clause("DW-QUAL-HAYWIRE")
def refuse_haywire(state: State, unit: Unit, carried: CarriedWeapon) -> Refused | None:
    """Refuse a gun where a haywire field about its bearer stops technology."""
    if not state.haywire_at(unit).stops or carried.qualities.primitive:
        return None
    return Refused(f"no technology works about {unit.name} in this haywire field", "DW-QUAL-HAYWIRE", "haywire")


@clause("DW-QUAL-BLAST")
def declare_attack(
    state: State,
    attacker: Unit,
    carried: CarriedWeapon,
    target: Unit,
    draft: AttackDraft,
    kind: Kind = "shoot",
    at: Point | None = None,
) -> DeclaredAttack:
    """Return an attack on a unit, ready for the dice; a shot that bursts may reach all near its target.

    A shot at the ground, `at` a place, that does not burst strikes nothing.
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
    if kind != "shoot" or not (blast or at is not None):
        return declared
    aim = state.at(target) if at is None else at
    near = (unit for unit in state.present if blast and state.metres(unit, aim) <= blast + FARTHEST_SCATTER)
    reached = units_in_area(state, attacker, carried, draft, near, target)
    spec = aimed.horde_attack.spec(target.magnitude) if isinstance(target, Mob) and aimed.horde_attack else aimed.spec
    direction = state.bearing(attacker, aim)
    return replace(declared, spec=spec, how="blast", in_area=reached, aimed_at=(aim.x, aim.y), bearing=direction)


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
    if unit.name and kind != "melee":
        unit = as_covered(state, attacker, unit)
    if isinstance(unit, Mob):
        return InArea(unit.name, horde_attack=fighters.horde_attack_of(carried, draft, unit, kind))
    haywire = state.haywire_at(unit) if unit.name else NO_FIELD
    return InArea(unit.name, fighters.attack_on(draft, carried.as_fired.qualities, unit, attacker, haywire))


@clause("DW-QUAL-OVERHEATS")
def overheat_attack_of(state: State, unit: Unit, carried: CarriedWeapon, draft: AttackDraft) -> PreparedAttack | None:
    """Return what a weapon does to its bearer if it overheats: its own damage without penetration."""
    if isinstance(unit, Mob) or carried.profile.melee or not carried.qualities.overheats:
        return None
    own = AttackDraft(0, **pick_fields(draft, "dice", "sides", "flat", "damage_type"), by_side=True, by=unit.side)
    exposed = replace(unit, hidden=())  # the weapon is on its bearer's side of the cover
    defender = fighters.defender_of(exposed, None, True, state.haywire_at(unit), state.rulings)
    return apply_qualities(own, (), defender, state.rulings)


def combatant_of(state: State, unit: Unit, covered_by: str = "") -> Combatant:
    """Return a unit as it enters an action, covered by this terrain."""
    at = state.at(unit)
    if isinstance(unit, Mob):
        return Combatant(unit.name, wounds.Victim(unit.magnitude), True, at.x, at.y, covered_by=covered_by)
    budget = stages.reactions_per_round(unit.done.defensive)
    victim = wounds.Victim(unit.health, by_spot=unit.by_spot, conditions=unit.conditions)
    left = max(0, budget - unit.reactions_used)
    return Combatant(unit.name, victim, False, at.x, at.y, left, budget, covered_by=covered_by)


def exchange_of(
    tape: Tape, state: State, attacker: Unit, attacks: Iterable[DeclaredAttack], targets: Iterable[Unit]
) -> Exchange:
    """Return an action of these attacks about to begin, aimed at the first of its targets; say what covers them."""
    attacks, targets = tuple(attacks), tuple(targets)
    reached = (state.find(unit.name) for declared in attacks for unit in declared.in_area)
    units = list(dict.fromkeys([*targets, *reached, attacker]))
    first, covered_by = units[0], dict[str, str]()
    if any(declared.is_shot and declared.how != "flame" for declared in attacks):
        for unit in units:
            piece = covering_terrain(state, attacker, unit)
            if piece is not None:
                covered_by[unit.name] = piece.name
                if unit in targets:
                    tape.tell("{} is behind {}, AP {}", unit.name, piece.name, piece.cover, clause="DW-COVER-1")
    return Exchange(
        combatants=tuple(combatant_of(state, unit, covered_by.get(unit.name, "")) for unit in units),
        later_attacks=_with_shared_armour_losses(attacks),
        main_target=first.name,
        before=first.magnitude if isinstance(first, Mob) else first.health,
        stunned_before=0 if isinstance(first, Mob) else first.conditions.stunned,
        test_rulings=Rulings(
            **pick_fields(state.rulings, "auto_results", "modifier_cap", "degrees", "unarmed_fatigue")
        ),
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
    spent = guns.rounds_used(carried.as_fired, mode, carried.clip, state.rulings)
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
            cover = _cover_left(unit, combatant)
            state = change(tape, state, replace(unit, magnitude=left, lost_since=lost, shot_at=shot, cover_ap=cover))
        else:
            pinned = combatant.name in exchange.newly_pinned
            state = change(tape, state, _with_damage(unit, combatant, pinned, state.at(unit)))
        state = _with_worn_terrain(state, combatant)
    for name, weapon, what in dict.fromkeys(exchange.events):
        state = _apply_event(tape, state, name, weapon, what)
    return state.with_clouds(*(cloud for cloud in exchange.clouds if cloud.rounds))


@clause("DW-COVER-1")
def _with_worn_terrain(state: State, combatant: Combatant) -> State:
    """Return the battle with the AP that hits on a unit took off the terrain before it."""
    lost = combatant.victim.cover_lost
    if not (lost and combatant.covered_by):
        return state
    piece = state.field.terrain_piece(combatant.covered_by)
    worn = replace(piece, cover=max(0, piece.cover - lost))
    return replace(state, field=state.field.with_terrain(worn))


@clause("DW-COVER-1")
def _cover_left(unit: Unit, combatant: Combatant) -> int:
    """Return what hits have left of the cover that players named; where it was terrain, that has worn instead."""
    return unit.cover_ap if combatant.covered_by else max(0, unit.cover_ap - combatant.victim.cover_lost)


def _pinned(state: State, unit: Unit, is_down: bool) -> State:
    if not is_down:
        return state
    return state.with_units(replace(unit, pinned=True) if isinstance(unit, Mob) else unit.with_conditions(pinned=True))


def _with_damage(fighter: Fighter, combatant: Combatant, pinned: bool, at: Point) -> Fighter:
    victim = combatant.victim
    conditions = victim.conditions or fighter.conditions
    after = replace(
        fighter,
        health=victim.health,
        by_spot=victim.by_spot,
        conditions=replace(conditions, dropped=False, pinned=conditions.pinned or pinned),
        cover_ap=_cover_left(fighter, combatant),
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
        after = after.with_weapon(replace(carried, dropped_at=(at.x, at.y)))
    return after


def _apply_event(tape: Tape, state: State, name: str, weapon: str, what: str) -> State:
    unit = state.find(name)
    if what == "cohesion":
        left = tuple((side, max(0, n - 1) if side == unit.side else n) for side, n in state.cohesion)
        tape.tell("{} has {} cohesion left.", unit.side, dict(left).get(unit.side, 0), clause="DW-COND-COHESION")
        return replace(state, cohesion=left)
    at = state.at(unit)
    changes: dict[str, dict[str, Any]] = {"dropped": {"dropped_at": (at.x, at.y)}, "broken": {"destroyed": True}}
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
