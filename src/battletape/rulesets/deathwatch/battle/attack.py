"""Who attacks whom in a battle: the attack with all its modifiers, the gun it takes, and what it leaves behind."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, TypeAlias

from battletape.cards import Inputs, asked, pick_fields
from battletape.rulebook import BadInput, Refused, Tape, clause, need, plural, raise_if_refused, replace
from battletape.rulesets.deathwatch.battle.changes import change
from battletape.rulesets.deathwatch.battle.state import CarriedWeapon, Fighter, Mob, State, Unit, bearing, distance
from battletape.rulesets.deathwatch.rules import guns, suppression, wounds
from battletape.rulesets.deathwatch.rules.attack import fighters, modifiers, stages
from battletape.rulesets.deathwatch.rules.attack.exchange import Blow, Combatant, Exchange, InArea
from battletape.rulesets.deathwatch.rules.attack.fighters import Setting, parrying_weapons
from battletape.rulesets.deathwatch.rules.attack.records import AttackDraft, Spec, share_armour_losses
from battletape.rulesets.deathwatch.rules.conditions import refuse_sight
from battletape.rulesets.deathwatch.rules.hordes import Kind
from battletape.rulesets.deathwatch.rules.keywords import ready
from battletape.rulesets.deathwatch.rules.traits import SPOTS, Mode, Spot
from battletape.rulesets.deathwatch.rulings import Rulings

Training: TypeAlias = Literal["talents", "yes", "no"]
FARTHEST_SCATTER = 10  # metres


class Circumstances(Inputs, frozen=True):
    """What players may add to an attack: circumstances that the battle does not record."""

    situations: tuple[str, ...] = asked((), "Further rows of the combat summary", "DW-SUMM-00")
    modifier: int = asked(0, "Anything else to hit", "DW-TEST-4", ge=-200, le=200)
    trained: Training = asked("talents", "Trained with the weapon", "DW-UNTR-1")


PLAIN = Circumstances()


def setting_of(
    state: State, unit: Unit, held: CarriedWeapon, target: Unit, order: Circumstances = PLAIN, **more: Any
) -> Setting:
    """Everything about an attack that the battle knows, and what players add to it."""
    return Setting(
        rules=state.rules,
        band=modifiers.band(held.fired.range, distance(unit, target), state.rules),
        engaged=target.name in unit.engaged_with,
        outnumber=outnumbers(state, unit, target),
        fog=state.smoke_at(target),
        armed=fighters.is_armed(target),
        field=state.field_at(unit),
        untrained=order.trained == "no" or (order.trained == "talents" and not held.trained),
        situations=order.situations,
        modifier=order.modifier,
        **more,
    )


@clause("DW-SUMM-MELEE_OUTNUMBER_2TO1")
def outnumbers(state: State, attacker: Unit, target: Unit) -> bool:
    """Whether two or more fight one: friends engaged with the target against its friends engaged with any of them."""
    friends = (unit for unit in state.units if unit.side == attacker.side)
    ours = {attacker.name, *(friend.name for friend in friends if target.name in friend.engaged_with)}
    others = (foe for foe in state.enemies_of(attacker.side) if foe.side == target.side)
    theirs = {target.name, *(foe.name for foe in others if ours & {*foe.engaged_with})}
    return len(ours) >= 2 * len(theirs)


def spot_named(name: str) -> Spot | None:
    """A place of the body by its name; none if nothing was named."""
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
def need_gun(state: State, fighter: Fighter, held: CarriedWeapon, mode: Mode) -> None:
    """Refuse a gun that is not in hand, jammed, empty or too hot, lacks the mode, or whose bearer cannot use it."""
    weapon = held.fired
    raise_if_refused(
        guns.refuse_mode(weapon, mode),
        guns.refuse_state(weapon, state.round, held, held.in_hand, held.destroyed),
        guns.refuse_mode(weapon, mode, held.clip, held.jammed, state.rules),
    )
    need(weapon.damage, f"{held.name} has no round in it; reload it with one", "DW-RWEP-24", "ammunition")
    raise_if_refused(refuse_sight(fighter.conditions))
    hands = f"{held.name} needs {plural(held.hands, 'hand')}, and {fighter.name} has {fighter.hands} to use"
    need(fighter.hands >= held.hands, hands, "DW-CRIT-2", "hands")
    raise_if_refused(refuse_haywire(state, fighter, held))


@clause("DW-QUAL-HAYWIRE")
def refuse_haywire(state: State, unit: Unit, held: CarriedWeapon) -> Refused | None:
    """Why a gun does not work where its bearer stands."""
    if not state.field_at(unit).stops or held.qualities.primitive:
        return None
    return Refused(f"no technology works about {unit.name} in this haywire field", "DW-QUAL-HAYWIRE", "haywire")


@clause("DW-QUAL-BLAST")
def blow_of(
    state: State, attacker: Unit, held: CarriedWeapon, target: Unit, draft: AttackDraft, kind: Kind = "shoot"
) -> Blow:
    """An attack on somebody, ready for the dice; a shot that bursts may reach everybody near, wherever it lands.

    At the ground, where nobody has a name, one that does not burst strikes nobody.
    """
    aimed = _attack_at(state, attacker, held, target, draft, kind)
    burn, blast, haywire = overheat_attack(state, attacker, held, draft), held.qualities.blast, held.qualities.haywire
    blow = Blow(attacker.name, target.name, held.name, aimed.spec, aimed.onslaught, burn=burn, haywire=haywire)
    if kind != "shoot" or not (blast or not target.name):
        return blow
    near = (unit for unit in state.present if blast and distance(unit, target) <= blast + FARTHEST_SCATTER)
    caught, at, way = (
        units_in_area(state, attacker, held, draft, near, target),
        (target.x, target.y),
        bearing(attacker, target),
    )
    spec = aimed.onslaught.spec(target.magnitude) if isinstance(target, Mob) and aimed.onslaught else aimed.spec
    return replace(blow, spec=spec, how="blast", in_area=caught, at=at, bearing=way)


def units_in_area(
    state: State,
    attacker: Unit,
    held: CarriedWeapon,
    draft: AttackDraft,
    units: Iterable[Unit],
    target: Unit | None = None,
) -> tuple[InArea, ...]:
    """Those whom an attack may strike besides its target, which may be one of them, or instead of it."""
    other = replace(draft, concealed=False)  # the row that was named is about the target
    return tuple(_attack_at(state, attacker, held, unit, draft if unit is target else other) for unit in units)


def _attack_at(
    state: State, attacker: Unit, held: CarriedWeapon, unit: Unit, draft: AttackDraft, kind: Kind = "shoot"
) -> InArea:
    if isinstance(unit, Mob):
        return InArea(unit.name, onslaught=fighters.onslaught_of(held, draft, unit, kind))
    return InArea(unit.name, fighters.attack_on(draft, held.fired.qualities, unit, attacker, state.field_at(unit)))


@clause("DW-QUAL-OVERHEATS")
def overheat_attack(state: State, unit: Unit, held: CarriedWeapon, draft: AttackDraft) -> Spec | None:
    """What the weapon does to its bearer if it overheats: its own damage without penetration; nothing to a mob."""
    if isinstance(unit, Mob) or held.weapon.melee or not held.qualities.overheats:
        return None
    own = AttackDraft(0, **pick_fields(draft, "dice", "sides", "flat", "damage_type"), by_side=True, by=unit.side)
    exposed = replace(unit, hidden=())  # the weapon is on its bearer's side of the cover
    guard = fighters.defender_of(exposed, None, True, state.field_at(unit), state.rules)
    return ready(own, (), guard, state.rules)


def combatant_of(unit: Unit) -> Combatant:
    """A unit at the start of an action."""
    if isinstance(unit, Mob):
        return Combatant(unit.name, wounds.Victim(unit.magnitude), True, unit.x, unit.y)
    budget = stages.reactions(unit.defensive)
    victim = wounds.Victim(unit.health, by_spot=unit.by_spot, conditions=unit.conditions)
    return Combatant(unit.name, victim, False, unit.x, unit.y, max(0, budget - unit.reactions_used), budget)


def exchange_of(state: State, attacker: Unit, blows: Iterable[Blow], targets: Iterable[Unit]) -> Exchange:
    """An action of blows about to begin, aimed at the first of its targets."""
    blows = tuple(blows)
    caught = (state.find(unit.name) for blow in blows for unit in blow.in_area)
    units = list(dict.fromkeys([*targets, *caught, attacker]))
    first = units[0]
    return Exchange(
        combatants=tuple(map(combatant_of, units)),
        rest=_together(blows),
        first=first.name,
        before=first.magnitude if isinstance(first, Mob) else first.health,
        dazed=0 if isinstance(first, Mob) else first.conditions.stunned,
        tests=Rulings(**pick_fields(state.rules, "auto_results", "modifier_cap", "degrees", "unarmed_fatigue")),
    )


def _together(blows: tuple[Blow, ...]) -> tuple[Blow, ...]:
    """The attacks of one action: armour that a critical row takes is gone for those that follow."""
    if len(blows) < 2:
        return blows
    given = (unit.spec for blow in blows for unit in (InArea("", blow.spec), *blow.in_area))
    specs = tuple(filter(None, given))
    now = dict[Spec | None, Spec](zip(specs, share_armour_losses(specs), strict=True))
    caught = (tuple(replace(unit, spec=now.get(unit.spec)) for unit in blow.in_area) for blow in blows)
    return tuple(replace(blow, spec=now.get(blow.spec), in_area=next(caught)) for blow in blows)


# --- what an attack leaves behind -------------------------------------------------------------------------------------


@clause("DW-RWEP-00", "DW-JAM-1", "DW-QUAL-RECHARGE", "DW-QUAL-OVERHEATS")
def fired(tape: Tape, state: State, fighter: Fighter, held: CarriedWeapon, mode: Mode, exchange: Exchange) -> State:
    """Take the rounds of an attack from its gun, whatever the roll, with what else the attack did to it."""
    spent = guns.rounds_used(held.fired, mode, held.clip, state.rules)
    jams = (status for status in ("jam", "overheat") if (fighter.name, held.name, status) in exchange.marks)
    return change(tape, state, fighter.with_weapon(guns.discharge(held, spent, next(jams, ""), state.round)))


@clause("DW-EVA-1", "DW-ACT-AIM", "DW-OVER-4", "DW-COND-COHESION", "DW-COVER-1")
def write_back(tape: Tape, state: State, exchange: Exchange) -> State:
    """Write what attacks did to all units and their weapons back into the battle."""
    for foe in exchange.combatants:
        state = _pinned(state, state.find(foe.name), foe.name in exchange.down)  # which has been said
        unit = state.find(foe.name)
        if isinstance(unit, Mob):
            left, shot = max(0, foe.victim.health), unit.shot_at or foe.shot_at
            lost = unit.lost_since + unit.magnitude - left
            state = change(tape, state, replace(unit, magnitude=left, lost_since=lost, shot_at=shot))
        else:
            state = change(tape, state, _with_damage(unit, foe, foe.name in exchange.down))
    for who, weapon, what in dict.fromkeys(exchange.marks):
        state = _marked(tape, state, who, weapon, what)
    return replace(state, clouds=(*state.clouds, *exchange.clouds))


def _pinned(state: State, unit: Unit, is_down: bool) -> State:
    if not is_down:
        return state
    return state.with_units(replace(unit, pinned=True) if isinstance(unit, Mob) else unit.with_conditions(pinned=True))


def _with_damage(fighter: Fighter, foe: Combatant, pinned: bool) -> Fighter:
    victim = foe.victim
    conditions = victim.conditions or fighter.conditions
    after = replace(
        fighter,
        health=victim.health,
        by_spot=victim.by_spot,
        conditions=replace(conditions, dropped=False, pinned=conditions.pinned or pinned),
        cover_ap=max(0, fighter.cover_ap - victim.worn),
        reactions_used=fighter.reactions_used + foe.reacted,
        shot_at=fighter.shot_at or foe.shot_at,
    )
    if foe.reacted or after.is_out:
        after = replace(after, aim="none", overwatch=None)
    for blade in parrying_weapons(fighter)[: foe.parries_broken]:
        after = after.with_weapon(replace(blade, destroyed=True))
    if conditions.dropped and (held := next((weapon for weapon in after.held if weapon.in_hand), None)) is not None:
        after = after.with_weapon(replace(held, dropped_at=(after.x, after.y)))
    return after


def _marked(tape: Tape, state: State, name: str, weapon: str, what: str) -> State:
    unit = state.find(name)
    if what == "cohesion":
        left = tuple((side, max(0, n - 1) if side == unit.side else n) for side, n in state.cohesion)
        tape.tell("{} has {} cohesion left.", unit.side, dict(left).get(unit.side, 0), clause="DW-COND-COHESION")
        return replace(state, cohesion=left)
    changes: dict[str, dict[str, Any]] = {"dropped": {"dropped_at": (unit.x, unit.y)}, "broken": {"destroyed": True}}
    if not isinstance(unit, Fighter) or what not in changes or not any(held.name == weapon for held in unit.held):
        return state
    return change(tape, state, unit.with_weapon(replace(unit.weapon_named(weapon), **changes[what])))


@clause("DW-COND-ENGAGED", "DW-PIN-3")
def engage(tape: Tape, state: State, one: str, other: str) -> State:
    """Two come to blows, unless the other is out: nobody in melee stays pinned."""
    for name, foe in ((one, other), (other, one)) if not state.find(other).is_out else ():
        unit = state.find(name)
        fights = replace(unit, engaged_with=tuple(sorted({*unit.engaged_with, foe})))
        if isinstance(fights, Fighter):
            state = change(tape, state, replace(fights, conditions=suppression.in_melee(fights.conditions)))
        else:
            state = change(tape, state, replace(fights, pinned=False))
    return state
