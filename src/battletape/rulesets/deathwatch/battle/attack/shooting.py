"""Firing in a battle: whether the gun can be fired, the shot with all its modifiers, and the rounds it costs."""

from __future__ import annotations

from msgspec.structs import replace

from battletape.clauses import clause
from battletape.errors import Refused
from battletape.rulesets.deathwatch.battle.acting import fighter_to
from battletape.rulesets.deathwatch.battle.attack.prepare import (
    Circumstances,
    denied,
    draft_of,
    guard_of,
    onslaught_of,
    refuse_loaded,
    situation_of,
    spec_of,
)
from battletape.rulesets.deathwatch.battle.outcome import spend, write_back
from battletape.rulesets.deathwatch.battle.state import Fighter, Held, Mob, State, Unit
from battletape.rulesets.deathwatch.rules import guns
from battletape.rulesets.deathwatch.rules.attack.exchange import Blow, Caught, Exchange, Foe
from battletape.rulesets.deathwatch.rules.attack.modifiers import Action
from battletape.rulesets.deathwatch.rules.attack.records import AttackDraft, Spec, share_losses
from battletape.rulesets.deathwatch.rules.conditions import refuse_sight
from battletape.rulesets.deathwatch.rules.melee import reactions
from battletape.rulesets.deathwatch.rules.qualities.effects import FIELDS
from battletape.rulesets.deathwatch.rules.qualities.keywords import ready
from battletape.rulesets.deathwatch.rules.traits import Mode, Spot
from battletape.rulesets.deathwatch.rules.wounds import Victim
from battletape.rulesets.deathwatch.rulings import Rulings
from battletape.words import plural

NAMES: dict[Mode, str] = {"single": "Standard Attack", "semi": "Semi-Auto Burst", "full": "Full Auto Burst"}
ADDS: dict[Mode, Action] = {"single": "standard", "semi": "semi", "full": "full"}


def action_name(mode: Mode, called: str = "") -> str:
    """The action of the table that a shot is."""
    return "Called Shot" if called.strip() else NAMES[mode]


@clause("DW-RWEP-00", "DW-JAM-2", "DW-QUAL-RECHARGE", "DW-QUAL-OVERHEATS", "DW-COND-BLIND", "DW-CRIT-2")
def refuse_gun(state: State, who: Fighter, held: Held, mode: Mode, clip: int | None = None) -> Refused | None:
    """Why a gun cannot be fired so: not in hand, jammed, empty, too hot, no such mode, or its bearer cannot see."""
    weapon, qualities = held.fired, held.qualities
    refused = guns.refuse_mode(weapon, mode) or guns.refuse_state(
        weapon,
        state.round,
        held.fired_round or None,
        held.overheated_until,
        held.ready and held.lies_at is None,
        held.destroyed,
        qualities,
    )
    if refused is None:
        left = held.clip if clip is None else clip
        refused = guns.refuse_mode(weapon, mode, left, held.jammed, qualities, state.rules)
    refused = refused or refuse_loaded(held) or refuse_sight(who.conditions)
    if refused is None and who.hands < held.hands:
        reason = f"{held.name} needs {plural(held.hands, 'hand')}, and {who.name} has {who.hands} to use"
        refused = Refused(reason, "DW-CRIT-2", "hands")
    if refused is None and FIELDS[state.field_at(who)].stops and not qualities.primitive:  # type: ignore[index]
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


def shot_blow(
    state: State,
    who: Fighter,
    held: Held,
    target: Unit,
    order: Circumstances,
    mode: Mode,
    called: Spot | None = None,
    others: tuple[str, ...] = (),
    overwatch: bool = False,
    pins: tuple[tuple[str, int], ...] = (),
    off_hand: bool = False,
) -> Blow:
    """A shot or burst at somebody, with all its modifiers."""
    action: Action = "called" if called else ADDS[mode]
    situation = situation_of(state, who, held, target, action, order, overwatch=overwatch, off_hand=off_hand)
    draft = draft_of(state, who, held, situation, mode, called, target)
    blow = Blow(who.name, target.name, held.name, pins=pins, burn=burn_of(state, who, held, draft))
    if isinstance(target, Mob):
        return replace(blow, onslaught=onslaught_of(state, held, draft, target, "shoot"))
    names = held.fired.qualities
    fighters = [unit for unit in map(state.find, others) if isinstance(unit, Fighter)]
    return replace(
        blow,
        spec=spec_of(state, draft, names, target, who),
        shares=tuple(
            Caught(fighter.name, fighter.x, fighter.y, spec_of(state, draft, names, fighter, who))
            for fighter in fighters
        ),
        haywire=held.qualities.haywire,
    )


@clause("DW-QUAL-OVERHEATS")
def burn_of(state: State, who: Fighter, held: Held, draft: AttackDraft) -> Spec | None:
    """What the weapon does to its bearer if it overheats: its own damage without penetration."""
    if not held.qualities.overheats:
        return None
    own = AttackDraft(
        0, dice=draft.dice, sides=draft.sides, flat=draft.flat, damage_type=draft.damage_type, by_side=True, by=who.side
    )
    return ready(own, (), guard_of(state, who, None, True), state.rules)


def foe_of(who: Fighter) -> Foe:
    """A fighter at the start of an action."""
    budget = reactions(who.defensive)
    victim = Victim(who.health, by_spot=who.by_spot, conditions=who.conditions)
    return Foe(who.name, who.side, victim, who.x, who.y, who.tb, max(0, budget - who.reactions_used), budget)


def exchange_of(state: State, who: Unit, blows: tuple[Blow, ...], names: tuple[str, ...]) -> Exchange:
    """An action of blows about to begin; the first name is whom it is aimed at."""
    units = list(dict.fromkeys([*map(state.find, names), who]))
    first = units[0]
    return Exchange(
        foes=tuple(foe_of(unit) for unit in units if isinstance(unit, Fighter)),
        mobs=tuple((unit.name, unit.magnitude) for unit in units if isinstance(unit, Mob)),
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


@clause("DW-RWEP-00", "DW-QUAL-RECHARGE", "DW-ACT-FEINT")
def fired(
    state: State, who: Fighter, held: Held, mode: Mode, action: str, exchange: Exchange, rounds: int = 0
) -> State:
    """Note the rounds, what came of it, and the action."""
    spent = rounds or guns.rof_of(held.fired, mode, held.clip, held.qualities, state.rules) * (
        guns.rounds_used(held.fired, mode, held.qualities, state.rules) // guns.rof_of(held.fired, mode)
    )
    gun = replace(held, clip=max(0, held.clip - spent), fired_round=state.round)
    return spend(write_back(state.changed(who.with_held(gun)), exchange), who.name, action)
