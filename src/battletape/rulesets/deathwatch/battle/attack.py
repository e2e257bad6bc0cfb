"""Who attacks whom in a battle: the attack with all its modifiers, the gun it takes, and what it leaves behind."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, TypeAlias

from battletape.cards import Inputs, asked, picked
from battletape.rulebook import BadInput, Refused, Tape, clause, need, plural, raise_if_refused, replace
from battletape.rulesets.deathwatch.battle.changes import change
from battletape.rulesets.deathwatch.battle.state import Fighter, Held, Mob, State, Unit, apart, bearing
from battletape.rulesets.deathwatch.rules import guns, suppression, wounds
from battletape.rulesets.deathwatch.rules.attack import fighters, modifiers, stages
from battletape.rulesets.deathwatch.rules.attack.exchange import Blow, Caught, Exchange, Foe
from battletape.rulesets.deathwatch.rules.attack.fighters import Setting, in_turn
from battletape.rulesets.deathwatch.rules.attack.records import AttackDraft, Spec, share_losses
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


def setting_of(state: State, who: Unit, held: Held, target: Unit, order: Circumstances = PLAIN, **more: Any) -> Setting:
    """Everything about an attack that the battle knows, and what players add to it."""
    return Setting(
        rules=state.rules,
        band=modifiers.band(held.fired.range, apart(who, target), state.rules),
        engaged=target.name in who.engaged_with,
        outnumber=outnumbers(state, who, target),
        fog=state.smoke_at(target),
        armed=fighters.is_armed(target),
        field=state.field_at(who),
        untrained=order.trained == "no" or (order.trained == "talents" and not held.trained),
        situations=order.situations,
        modifier=order.modifier,
        **more,
    )


@clause("DW-SUMM-MELEE_OUTNUMBER_2TO1")
def outnumbers(state: State, who: Unit, target: Unit) -> bool:
    """Whether two or more fight one: friends engaged with the target against its friends engaged with any of them."""
    friends = (unit for unit in state.units if unit.side == who.side)
    ours = {who.name, *(friend.name for friend in friends if target.name in friend.engaged_with)}
    others = (foe for foe in state.foes(who.side) if foe.side == target.side)
    theirs = {target.name, *(foe.name for foe in others if ours & {*foe.engaged_with})}
    return len(ours) >= 2 * len(theirs)


def spot_named(name: str) -> Spot | None:
    """A place of the body by its name; none if nothing was named."""
    key = name.strip().lower().replace(" ", "_")
    spot = next((spot for spot in SPOTS if spot == key), None)
    if spot is not None or not key:
        return spot
    raise BadInput(f"called must be one of {', '.join(SPOTS)}; got {name!r} (DW-ACT-CALLED-SHOT)", field="called")


NAMES: dict[Mode, str] = {"single": "Standard Attack", "semi": "Semi-Auto Burst", "full": "Full Auto Burst"}


def shot_action(order: Any) -> str:
    """Return the action of the table that a shot is."""
    return "Called Shot" if getattr(order, "called", "").strip() else NAMES[order.mode]


@clause("DW-RWEP-00", "DW-JAM-2", "DW-QUAL-RECHARGE", "DW-QUAL-OVERHEATS", "DW-COND-BLIND", "DW-CRIT-2", "DW-RWEP-24")
def need_gun(state: State, who: Fighter, held: Held, mode: Mode) -> None:
    """Refuse a gun that is not in hand, jammed, empty or too hot, lacks the mode, or whose bearer cannot use it."""
    weapon = held.fired
    raise_if_refused(
        guns.refuse_mode(weapon, mode),
        guns.refuse_state(weapon, state.round, held, held.in_hand, held.destroyed),
        guns.refuse_mode(weapon, mode, held.clip, held.jammed, state.rules),
    )
    need(weapon.damage, f"{held.name} has no round in it; reload it with one", "DW-RWEP-24", "ammunition")
    raise_if_refused(refuse_sight(who.conditions))
    hands = f"{held.name} needs {plural(held.hands, 'hand')}, and {who.name} has {who.hands} to use"
    need(who.hands >= held.hands, hands, "DW-CRIT-2", "hands")
    raise_if_refused(refuse_haywire(state, who, held))


@clause("DW-QUAL-HAYWIRE")
def refuse_haywire(state: State, who: Unit, held: Held) -> Refused | None:
    """Why a gun does not work where its bearer stands."""
    if not state.field_at(who).stops or held.qualities.primitive:
        return None
    return Refused(f"no technology works about {who.name} in this haywire field", "DW-QUAL-HAYWIRE", "haywire")


@clause("DW-QUAL-BLAST")
def blow_of(state: State, who: Unit, held: Held, target: Unit, draft: AttackDraft, kind: Kind = "shoot") -> Blow:
    """An attack on somebody, ready for the dice; a shot that bursts may reach everybody near, wherever it lands.

    At the ground, where nobody has a name, one that does not burst strikes nobody.
    """
    aimed = _attack_at(state, who, held, target, draft, kind)
    burn, blast, haywire = burn_of(state, who, held, draft), held.qualities.blast, held.qualities.haywire
    blow = Blow(who.name, target.name, held.name, aimed.spec, aimed.onslaught, burn=burn, haywire=haywire)
    if kind != "shoot" or not (blast or not target.name):
        return blow
    near = (unit for unit in state.present if blast and apart(unit, target) <= blast + FARTHEST_SCATTER)
    caught, at, way = caught_of(state, who, held, draft, near, target), (target.x, target.y), bearing(who, target)
    spec = aimed.onslaught.spec(target.magnitude) if isinstance(target, Mob) and aimed.onslaught else aimed.spec
    return replace(blow, spec=spec, how="blast", caught=caught, at=at, bearing=way)


def caught_of(
    state: State, who: Unit, held: Held, draft: AttackDraft, units: Iterable[Unit], target: Unit | None = None
) -> tuple[Caught, ...]:
    """Those whom an attack may strike besides its target, which may be one of them, or instead of it."""
    other = replace(draft, concealed=False)  # the row that was named is about the target
    return tuple(_attack_at(state, who, held, unit, draft if unit is target else other) for unit in units)


def _attack_at(state: State, who: Unit, held: Held, unit: Unit, draft: AttackDraft, kind: Kind = "shoot") -> Caught:
    if isinstance(unit, Mob):
        return Caught(unit.name, onslaught=fighters.onslaught_of(held, draft, unit, kind))
    return Caught(unit.name, fighters.attack_on(draft, held.fired.qualities, unit, who, state.field_at(unit)))


@clause("DW-QUAL-OVERHEATS")
def burn_of(state: State, who: Unit, held: Held, draft: AttackDraft) -> Spec | None:
    """What the weapon does to its bearer if it overheats: its own damage without penetration; nothing to a mob."""
    if isinstance(who, Mob) or held.weapon.melee or not held.qualities.overheats:
        return None
    own = AttackDraft(0, **picked(draft, "dice", "sides", "flat", "damage_type"), by_side=True, by=who.side)
    exposed = replace(who, hidden=())  # the weapon is on its bearer's side of the cover
    guard = fighters.defender_of(exposed, None, True, state.field_at(who), state.rules)
    return ready(own, (), guard, state.rules)


def foe_of(who: Unit) -> Foe:
    """A unit at the start of an action."""
    if isinstance(who, Mob):
        return Foe(who.name, wounds.Victim(who.magnitude), True, who.x, who.y)
    budget = stages.reactions(who.defensive)
    victim = wounds.Victim(who.health, by_spot=who.by_spot, conditions=who.conditions)
    return Foe(who.name, victim, False, who.x, who.y, max(0, budget - who.reactions_used), budget)


def exchange_of(state: State, who: Unit, blows: Iterable[Blow], targets: Iterable[Unit]) -> Exchange:
    """An action of blows about to begin, aimed at the first of its targets."""
    blows = tuple(blows)
    caught = (state.find(unit.name) for blow in blows for unit in blow.caught)
    units = list(dict.fromkeys([*targets, *caught, who]))
    first = units[0]
    return Exchange(
        foes=tuple(map(foe_of, units)),
        rest=_together(blows),
        first=first.name,
        before=first.magnitude if isinstance(first, Mob) else first.health,
        dazed=0 if isinstance(first, Mob) else first.conditions.stunned,
        tests=Rulings(**picked(state.rules, "auto_results", "modifier_cap", "degrees", "unarmed_fatigue")),
    )


def _together(blows: tuple[Blow, ...]) -> tuple[Blow, ...]:
    """The attacks of one action: armour that a critical row takes is gone for those that follow."""
    if len(blows) < 2:
        return blows
    given = (unit.spec for blow in blows for unit in (Caught("", blow.spec), *blow.caught))
    specs = tuple(filter(None, given))
    now = dict[Spec | None, Spec](zip(specs, share_losses(specs), strict=True))
    caught = (tuple(replace(unit, spec=now.get(unit.spec)) for unit in blow.caught) for blow in blows)
    return tuple(replace(blow, spec=now.get(blow.spec), caught=next(caught)) for blow in blows)


# --- what an attack leaves behind -------------------------------------------------------------------------------------


@clause("DW-RWEP-00", "DW-JAM-1", "DW-QUAL-RECHARGE", "DW-QUAL-OVERHEATS")
def fired(tape: Tape, state: State, who: Fighter, held: Held, mode: Mode, exchange: Exchange) -> State:
    """Take the rounds of an attack from its gun, whatever the roll, with what else the attack did to it."""
    spent = guns.rounds_used(held.fired, mode, held.clip, state.rules)
    jams = (status for status in ("jam", "overheat") if (who.name, held.name, status) in exchange.marks)
    return change(tape, state, who.with_held(guns.discharge(held, spent, next(jams, ""), state.round)))


@clause("DW-EVA-1", "DW-ACT-AIM", "DW-OVER-4", "DW-COND-COHESION", "DW-COVER-1")
def write_back(tape: Tape, state: State, exchange: Exchange) -> State:
    """Write what attacks did to all units and their weapons back into the battle."""
    for foe in exchange.foes:
        state = _pinned(state, state.find(foe.name), foe.name in exchange.down)  # which has been said
        unit = state.find(foe.name)
        if isinstance(unit, Mob):
            left, shot = max(0, foe.victim.health), unit.shot_at or foe.shot_at
            lost = unit.lost_since + unit.magnitude - left
            state = change(tape, state, replace(unit, magnitude=left, lost_since=lost, shot_at=shot))
        else:
            state = change(tape, state, _hurt(unit, foe, foe.name in exchange.down))
    for who, weapon, what in dict.fromkeys(exchange.marks):
        state = _marked(tape, state, who, weapon, what)
    return replace(state, clouds=(*state.clouds, *exchange.clouds))


def _pinned(state: State, unit: Unit, is_down: bool) -> State:
    if not is_down:
        return state
    return state.changed(replace(unit, pinned=True) if isinstance(unit, Mob) else unit.suffering(pinned=True))


def _hurt(who: Fighter, foe: Foe, pinned: bool) -> Fighter:
    victim = foe.victim
    conditions = victim.conditions or who.conditions
    after = replace(
        who,
        health=victim.health,
        by_spot=victim.by_spot,
        conditions=replace(conditions, dropped=False, pinned=conditions.pinned or pinned),
        cover_ap=max(0, who.cover_ap - victim.worn),
        reactions_used=who.reactions_used + foe.reacted,
        shot_at=who.shot_at or foe.shot_at,
    )
    if foe.reacted or after.is_out:
        after = replace(after, aim="none", overwatch=None)
    for blade in in_turn(who)[: foe.parries_broken]:
        after = after.with_held(replace(blade, destroyed=True))
    if conditions.dropped and (held := next((weapon for weapon in after.held if weapon.in_hand), None)) is not None:
        after = after.with_held(replace(held, lies_at=(after.x, after.y)))
    return after


def _marked(tape: Tape, state: State, who: str, weapon: str, what: str) -> State:
    unit = state.find(who)
    if what == "cohesion":
        left = tuple((side, max(0, n - 1) if side == unit.side else n) for side, n in state.cohesion)
        tape.tell("{} has {} cohesion left.", unit.side, dict(left).get(unit.side, 0), clause="DW-COND-COHESION")
        return replace(state, cohesion=left)
    changes: dict[str, dict[str, Any]] = {"dropped": {"lies_at": (unit.x, unit.y)}, "broken": {"destroyed": True}}
    if not isinstance(unit, Fighter) or what not in changes or not any(held.name == weapon for held in unit.held):
        return state
    return change(tape, state, unit.with_held(replace(unit.carries(weapon), **changes[what])))


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
