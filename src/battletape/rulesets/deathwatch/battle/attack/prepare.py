"""Who attacks whom in a battle: the attack with all its modifiers, the defender with its parries, the gun it takes."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.errors import BadInput, Refused
from battletape.inputs import Inputs
from battletape.rulesets.deathwatch.battle.acting import fighter_to
from battletape.rulesets.deathwatch.battle.state import Fighter, Held, Mob, State, Unit, apart
from battletape.rulesets.deathwatch.rules import guns
from battletape.rulesets.deathwatch.rules.attack import fighters, modifiers
from battletape.rulesets.deathwatch.rules.attack.exchange import Blow, Caught, Exchange, Foe
from battletape.rulesets.deathwatch.rules.attack.fighters import ACTIONS, Setting, in_turn
from battletape.rulesets.deathwatch.rules.attack.records import AttackDraft, Guard, Spec, share_losses
from battletape.rulesets.deathwatch.rules.attack.stages import reactions, refuse_reaction
from battletape.rulesets.deathwatch.rules.conditions import refuse_sight
from battletape.rulesets.deathwatch.rules.hordes.attack_on_horde import Kind
from battletape.rulesets.deathwatch.rules.qualities.keywords import ready
from battletape.rulesets.deathwatch.rules.traits import SPOTS, Mode, Spot
from battletape.rulesets.deathwatch.rules.wounds import Victim
from battletape.rulesets.deathwatch.rulings import Rulings
from battletape.words import plural


class Circumstances(Inputs, frozen=True):
    """What players may add to an attack: circumstances that the battle does not record."""

    situations: Annotated[
        tuple[str, ...], Meta(title="Further rows of the combat summary", extra={"clause": "DW-SUMM-00"})
    ] = ()
    modifier: Annotated[int, Meta(title="Anything else to hit", ge=-200, le=200, extra={"clause": "DW-TEST-4"})] = 0
    trained: Annotated[
        Literal["talents", "yes", "no"], Meta(title="Trained with the weapon", extra={"clause": "DW-UNTR-1"})
    ] = "talents"


PLAIN = Circumstances()


@clause("DW-EVA-1", "DW-EVA-2", "DW-EVA-3")
def defender_of(state: State, who: Fighter, foe: Unit | None, in_melee: bool) -> Guard:
    """A fighter as the dice of an attack see it; cover does not help in melee."""
    return fighters.defender_of(who, foe, in_melee, not in_melee, state.field_at(who), state.rules)


def setting_of(state: State, who: Unit, held: Held, target: Unit, order: Circumstances = PLAIN, **more: Any) -> Setting:
    """Everything about an attack that the battle knows, and what players add to it."""
    return Setting(
        rules=state.rules,
        band=modifiers.band(held.fired.range, apart(who, target), held.qualities.gyro, state.rules),
        engaged=target.name in who.engaged_with,
        outnumber=outnumbers(state, who, target),
        fog=state.smoke_at(target),
        armed=isinstance(target, Fighter) and any(weapon.in_hand for weapon in target.held),
        field=state.field_at(who),
        untrained=order.trained == "no" or (order.trained == "talents" and not held.trained),
        situations=order.situations,
        modifier=order.modifier,
        **more,
    )


@clause("DW-SUMM-MELEE_OUTNUMBER_2TO1")
def outnumbers(state: State, who: Unit, target: Unit) -> bool:
    """Whether two or more fight one: friends engaged with the target against its friends engaged with any of them."""
    ours = {who.name} | {
        friend.name for friend in state.units if friend.side == who.side and target.name in friend.engaged_with
    }
    theirs = {target.name} | {
        foe.name for foe in state.foes(who.side) if foe.side == target.side and ours & set(foe.engaged_with)
    }
    return len(ours) >= 2 * len(theirs)


def attack_on(state: State, draft: AttackDraft, names: tuple[str, ...], target: Fighter, foe: Unit | None) -> Spec:
    """The attack on a fighter, ready for the dice."""
    return fighters.attack_on(draft, names, defender_of(state, target, foe, draft.melee), target)


@clause("DW-HORDE-17", "DW-RWEP-24")
def refuse_loaded(held: Held) -> Refused | None:
    """Why a launcher cannot be fired: nothing is in it."""
    if held.fired.damage:
        return None
    return Refused(f"{held.name} has no round in it; reload it with one", "DW-RWEP-24", "ammunition")


def spot_named(name: str) -> Spot | None:
    """A place of the body by its name; none if nothing was named."""
    key = name.strip().lower().replace(" ", "_")
    if not key:
        return None
    for spot in SPOTS:
        if spot == key:
            return spot
    raise BadInput(f"called must be one of {', '.join(SPOTS)}; got {name!r} (DW-ACT-CALLED-SHOT)", field="called")


@clause("DW-EVA-1", "DW-EVA-2", "DW-EVA-3")
def denied(who: Fighter, foe: Unit, melee: bool) -> tuple[str, str]:
    """Why a fighter has no reaction to an attack of this foe, with its clause; nothing where it has one."""
    what = "dodge or parry" if melee else "dodge"
    refused = refuse_reaction(fighters.reacting(who, foe), what)
    if refused is not None:
        return refused.reason, refused.clause
    if who.profile.dodge or (melee and in_turn(who)):
        return "", ""
    return f"it has no Dodge{' and no weapon that parries' if melee else ''}", "DW-EVA-3" if melee else "DW-EVA-2"


NAMES: dict[Mode, str] = {"single": "Standard Attack", "semi": "Semi-Auto Burst", "full": "Full Auto Burst"}


def action_name(mode: Mode, called: str = "") -> str:
    """The action of the table that a shot is."""
    return "Called Shot" if called.strip() else NAMES[mode]


@clause("DW-RWEP-00", "DW-JAM-2", "DW-QUAL-RECHARGE", "DW-QUAL-OVERHEATS", "DW-COND-BLIND", "DW-CRIT-2")
def refuse_gun(state: State, who: Fighter, held: Held, mode: Mode) -> Refused | None:
    """Why a gun cannot be fired so: not in hand, jammed, empty, too hot, no such mode, or its bearer cannot see."""
    weapon, fired = held.fired, held.fired_round or None
    refused = (
        guns.refuse_mode(weapon, mode)
        or guns.refuse_state(weapon, state.round, fired, held.overheated_until, held.in_hand, held.destroyed)
        or guns.refuse_mode(weapon, mode, held.clip, held.jammed, state.rules)
        or refuse_loaded(held)
        or refuse_sight(who.conditions)
    )
    if refused is None and who.hands < held.hands:
        reason = f"{held.name} needs {plural(held.hands, 'hand')}, and {who.name} has {who.hands} to use"
        refused = Refused(reason, "DW-CRIT-2", "hands")
    if refused is None and state.field_at(who).stops and not held.qualities.primitive:
        refused = Refused(f"no technology works about {who.name} in this haywire field", "DW-QUAL-HAYWIRE", "haywire")
    return refused


def gun_of(state: State, unit: str, weapon: str) -> tuple[Fighter, Held]:
    """The fighter and the gun; without a name the first gun in hand."""
    who = state.fighter(unit)
    if not weapon.strip():
        guns = [weapon for weapon in who.held if weapon.in_hand and not weapon.weapon.melee]
        if guns:
            return who, guns[0]
    return who, who.carries(weapon)


def refuse_shooter(state: State, unit: str, action: str) -> Refused | None:
    """Why a unit cannot fire at all: it is not its turn, it has no action left, is a horde, or has no gun."""
    who = fighter_to(state, unit, action, "shoot like a fighter")
    if isinstance(who, Refused):
        return who
    return None if who.held else Refused(f"{who.name} carries no gun", "DW-RWEP-00", "weapon")


def blow_of(state: State, who: Fighter, held: Held, target: Unit, draft: AttackDraft, kind: Kind = "shoot") -> Blow:
    """An attack on somebody, ready for the dice."""
    blow = Blow(who.name, target.name, held.name, burn=burn_of(state, who, held, draft))
    if isinstance(target, Mob):
        return replace(blow, onslaught=fighters.onslaught_of(held, draft, target, kind))
    return replace(blow, spec=attack_on(state, draft, held.fired.qualities, target, who))


def shot_blow(
    state: State,
    who: Fighter,
    held: Held,
    target: Unit,
    setting: Setting,
    mode: Mode,
    called: Spot | None = None,
    others: tuple[str, ...] = (),
    pins: tuple[tuple[str, int], ...] = (),
) -> Blow:
    """A shot or burst at somebody, with all its modifiers."""
    draft = fighters.draft_of(who, held, target, setting, "called" if called else ACTIONS[mode], mode, called)
    blow = replace(blow_of(state, who, held, target, draft), pins=pins)
    if isinstance(target, Mob):
        return blow
    shares = (
        Caught(unit.name, attack_on(state, draft, held.fired.qualities, unit, who))
        for unit in map(state.find, others)
        if isinstance(unit, Fighter)
    )
    return replace(blow, shares=tuple(shares), haywire=held.qualities.haywire)


@clause("DW-QUAL-OVERHEATS")
def burn_of(state: State, who: Fighter, held: Held, draft: AttackDraft) -> Spec | None:
    """What the weapon does to its bearer if it overheats: its own damage without penetration."""
    if held.weapon.melee or not held.qualities.overheats:
        return None
    own = AttackDraft(
        0, dice=draft.dice, sides=draft.sides, flat=draft.flat, damage_type=draft.damage_type, by_side=True, by=who.side
    )
    return ready(own, (), defender_of(state, who, None, True), state.rules)


def foe_of(who: Unit) -> Foe:
    """A unit at the start of an action."""
    if isinstance(who, Mob):
        return Foe(who.name, Victim(who.magnitude), True, who.x, who.y)
    budget = reactions(who.defensive)
    victim = Victim(who.health, by_spot=who.by_spot, conditions=who.conditions)
    return Foe(who.name, victim, False, who.x, who.y, max(0, budget - who.reactions_used), budget)


def exchange_of(state: State, who: Unit, blows: tuple[Blow, ...], names: tuple[str, ...]) -> Exchange:
    """An action of blows about to begin; the first name is whom it is aimed at."""
    units = list(dict.fromkeys([*map(state.find, names), who]))
    first = units[0]
    return Exchange(
        foes=tuple(map(foe_of, units)),
        rest=tuple(replace(blow, denied=_denied(state, blow)) for blow in _together(blows)),
        first=first.name,
        before=first.magnitude if isinstance(first, Mob) else first.health,
        tests=Rulings(
            auto_results=state.rules.auto_results,
            modifier_cap=state.rules.modifier_cap,
            degrees=state.rules.degrees,
            unarmed_fatigue=state.rules.unarmed_fatigue,
        ),
    )


def _together(blows: tuple[Blow, ...]) -> tuple[Blow, ...]:
    """The attacks of one action: armour that a critical row takes is gone for those that follow."""
    specs = [blow.spec for blow in blows if blow.spec is not None]
    if len(specs) == len(blows) > 1:
        blows = tuple(replace(blow, spec=spec) for blow, spec in zip(blows, share_losses(tuple(specs)), strict=True))
    return blows


def _denied(state: State, blow: Blow) -> tuple[tuple[str, str, str], ...]:
    """Who of those that an attack may hit has no reaction to it, and why."""
    if blow.spec is None or blow.how == "flame":
        return ()
    names = dict.fromkeys((blow.target, *(caught.name for caught in (*blow.shares, *blow.caught))))
    units = (state.find(name) for name in names if name)
    reasons = (
        (unit.name, *denied(unit, state.find(blow.who), blow.spec.melee)) for unit in units if isinstance(unit, Fighter)
    )
    return tuple(fighter for fighter in reasons if fighter[1])
