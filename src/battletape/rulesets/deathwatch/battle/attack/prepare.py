"""Who attacks whom in a battle: the attack with all its modifiers, the defender with its parries, the gun it takes."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.errors import BadInput, Refused
from battletape.inputs import Inputs
from battletape.rulesets.deathwatch.battle.acting import fighter_to
from battletape.rulesets.deathwatch.battle.state import Fighter, Held, Mob, State, Unit, apart, in_turn
from battletape.rulesets.deathwatch.profiles.types import Weapon
from battletape.rulesets.deathwatch.rules import guns, melee, tests
from battletape.rulesets.deathwatch.rules.attack import modifiers, stages
from battletape.rulesets.deathwatch.rules.attack.exchange import Blow, Caught, Exchange, Foe
from battletape.rulesets.deathwatch.rules.attack.modifiers import (
    Action,
    Situation,
    fatigue_modifier,
)
from battletape.rulesets.deathwatch.rules.attack.records import AttackDraft, Guard, Spec, against, share_losses
from battletape.rulesets.deathwatch.rules.attack.stages import (
    Reacting,
    dodge_target,
    reactions,
    refuse_reaction,
)
from battletape.rulesets.deathwatch.rules.conditions import characteristic, is_helpless, modifiers_of, refuse_sight
from battletape.rulesets.deathwatch.rules.guns import needs_bracing
from battletape.rulesets.deathwatch.rules.hordes import size_and_nerve
from battletape.rulesets.deathwatch.rules.hordes.attack_on_horde import Kind, Onslaught, onslaught
from battletape.rulesets.deathwatch.rules.qualities.effects import FIELDS
from battletape.rulesets.deathwatch.rules.qualities.keywords import ready, values
from battletape.rulesets.deathwatch.rules.traits import SPOTS, Band, Mode, Modifier, Spot
from battletape.rulesets.deathwatch.rules.wounds import NONE_BY_SPOT, Victim
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


# --- the defender -----------------------------------------------------------------------------------------------------


@clause("DW-COVER-1", "DW-ARM-2")
def armour_of(who: Fighter) -> tuple[int, ...]:
    """Armour on every spot, less what critical wounds have taken."""
    lost = dict(who.conditions.armour_lost)
    return tuple(max(0, ap - lost.get(spot, 0)) for spot, ap in zip(SPOTS, who.armour, strict=True))


def cover_of(who: Fighter) -> tuple[int, ...]:
    """AP of the cover on every spot."""
    return tuple(who.cover_ap if spot in who.hidden else 0 for spot in SPOTS)


def reacting(who: Fighter, foe: Unit | None = None) -> Reacting:
    """Everything that may prevent a reaction to an attack."""
    feinted = isinstance(foe, Fighter) and foe.feinted == who.name
    return Reacting(
        stunned=who.conditions.stunned > 0,
        surprised=who.surprised,
        helpless=is_helpless(who.conditions),
        unconscious=who.conditions.unconscious > 0,
        grappled=bool(who.grappled_with),
        all_out=who.no_evasion,
        feinted=feinted,
        by_horde=isinstance(foe, Mob),
        used=who.reactions_used,
        budget=reactions(who.defensive),
    )


@clause("DW-EVA-1", "DW-EVA-2", "DW-EVA-3")
def defender_of(state: State, who: Fighter, foe: Unit | None, in_melee: bool) -> Guard:
    """A fighter as the dice of an attack see it, with the reactions it has left."""
    profile, conditions = who.profile, who.conditions
    rules = state.rules
    may = refuse_reaction(reacting(who, foe)) is None
    own = Situation(own_prone=conditions.prone, fatigue=conditions.fatigue, guarded=who.guarded)
    dodging = (*modifiers.dodge_modifiers(own, rules), *modifiers_of(conditions, "ag"))
    dodge = dodge_target(skill_of(who, "ag", profile.dodge), dodging, rules) if may and profile.dodge else None
    blades = in_turn(who) if may and in_melee else ()
    parries = tuple((parry_of(state, who, blade), is_powered(state, who, blade)) for blade in blades)
    parry, parry_field = parries[0] if parries else (None, False)
    return Guard(
        ap=armour_of(who),
        cover=NONE_BY_SPOT if in_melee else cover_of(who),
        primitive=who.primitive,
        tb=skill_of(who, "t", profile.toughness) // 10,
        multiplier=profile.unnatural_toughness,
        flat_tb=profile.toughness_bonus,
        toughness=target_of(state, who, "t", profile.toughness),
        agility=target_of(state, who, "ag", profile.agility),
        strength=profile.strength,
        sb=who.sb,
        willpower=target_of(state, who, "wp", profile.willpower),
        wounds=profile.wounds,
        sudden_death=profile.kind == "minion",
        true_grit=profile.true_grit,
        immune_blood_loss=profile.immune_blood_loss,
        sealed=who.sealed,
        dodge=dodge,
        parry=parry,
        parry_field=parry_field,
        spare=parries[1:] if rules.power_field == "any_clash" else (),
        reaction="none" if dodge is None and parry is None else "choose",
        holy_weak="daemon" in profile.tags,
        by=who.side,
        name=who.name,
    )


def parrying(who: Fighter) -> Held | None:
    """The melee weapon in hand that parries best."""
    return next(iter(in_turn(who)), None)


def parry_of(state: State, who: Fighter, blade: Held) -> int:
    """What a parry must roll or less."""
    added = modifiers.parry_modifiers(blade.qualities, who.guarded, state.rules)
    return target_of(state, who, "ws", who.profile.ws, added)


def skill_of(who: Fighter, what: str, value: int) -> int:
    """A characteristic as critical wounds leave it."""
    return characteristic(who.conditions, what, value)


@clause("DW-TEST-1", "DW-FAT-1", "DW-CRIT-2")
def target_of(state: State, who: Fighter, what: str, value: int, added: tuple[Modifier, ...] = ()) -> int:
    """What a fighter's test must roll or less, with fatigue and wounds."""
    tired = fatigue_modifier(who.conditions.fatigue, state.rules)
    own = (*added, *modifiers_of(who.conditions, what), *((tired,) if tired else ()))
    return tests.target(skill_of(who, what, value), own, state.rules)


# --- the attack -------------------------------------------------------------------------------------------------------


def situation_of(
    state: State, who: Fighter, held: Held, target: Unit, action: Action, order: Circumstances, **more: Any
) -> Situation:
    """Everything in the battle that modifies an attack."""
    blow, weapon = held.weapon.melee, held.fired
    others: tuple[Modifier, ...] = (Modifier("other modifiers", order.modifier),) if order.modifier else ()
    disrupted = FIELDS[state.field_at(who)].to_technology  # type: ignore[index]
    if disrupted and not blow and not held.qualities.primitive:
        others += (Modifier("haywire field", disrupted, "DW-QUAL-HAYWIRE"),)
    others += modifiers_of(who.conditions, "ws" if blow else "bs", "right_arm")
    return Situation(
        action=action,
        aim=who.aim,
        grade=weapon.grade,
        untrained=order.trained == "no" or (order.trained == "talents" and not held.trained),
        heavy=needs_bracing(weapon, who.profile.no_bracing) and not blow,
        braced=held.braced,
        gyro=held.qualities.gyro,
        fatigue=who.conditions.fatigue,
        pinned=who.conditions.pinned,
        blind=who.conditions.blind > 0,
        band=None if blow or held.qualities.flame else band_to(state, who, held, target),
        engaged=target.name in who.engaged_with,
        outnumber=blow and outnumbers(state, who, target),
        fog=not blow and state.smoke_at(target),
        situations=order.situations,
        other=(*others, *more.pop("other", ())),
        **{**state_of(target, who), **more},
    )


def state_of(target: Unit, foe: Unit) -> dict[str, Any]:
    """The states of a target that make it easier or harder to hit."""
    if not isinstance(target, Fighter):
        return {}
    return {
        "size": target.profile.size,
        "size_hidden": target.profile.size_hidden,
        "surprised": target.surprised,
        "stunned": target.conditions.stunned > 0,
        "prone": target.conditions.prone,
        "running": target.running,
        "defensive_stance": target.defensive,
        "grappled": bool(target.grappled_with) and target.grappled_with != foe.name,
        "in_melee": any(name != foe.name for name in target.engaged_with),
    }


def band_to(state: State, who: Unit, held: Held, target: Unit) -> Band | None:
    """The range band of a target."""
    return modifiers.band(held.fired.range, apart(who, target), held.qualities.gyro, state.rules)


@clause("DW-SUMM-MELEE_OUTNUMBER_2TO1")
def outnumbers(state: State, who: Fighter, target: Unit) -> bool:
    """Whether two or more fight one: friends engaged with the target against its friends engaged with any of them."""
    ours = {who.name} | {
        friend.name for friend in state.units if friend.side == who.side and target.name in friend.engaged_with
    }
    theirs = {target.name} | {
        foe.name for foe in state.foes(who.side) if foe.side == target.side and ours & set(foe.engaged_with)
    }
    return len(ours) >= 2 * len(theirs)


def draft_of(
    state: State,
    who: Fighter,
    held: Held,
    situation: Situation,
    mode: Mode = "single",
    called: Spot | None = None,
    foe: Unit | None = None,
) -> AttackDraft:
    """An attack before qualities turn its dials."""
    weapon, rules, profile = held.fired, state.rules, who.profile
    blow = weapon.melee
    strength = 0
    if blow:
        base = skill_of(who, "s", profile.strength) // 10
        strength = melee.strength_bonus(base, profile.unnatural_strength, profile.strength_bonus, weapon, rules)
    tags = set(foe.profile.tags) if foe is not None else set()
    return stages.draft_of(
        weapon,
        skill_of(who, "ws" if blow else "bs", profile.ws if blow else profile.bs),
        situation,
        blow,
        rules,
        strength,
        1 if blow else guns.rof_of(weapon, mode, held.clip, rules),
        mode=mode,
        called=called,
        pair=held.special == "claws" and sum(weapon.in_hand and weapon.special == "claws" for weapon in who.held) > 1,
        psy_rating=profile.psy_rating,
        special=held.special,
        willpower=profile.willpower if profile.psy_rating else 0,
        eligible=profile.fury,
        sure=bool(tags & set(profile.fury_sure_against)),
        primitive=blow and held.qualities.power_field and not is_powered(state, who, held),
        by=who.side,
        name=who.name,
    )


def attack_on(state: State, draft: AttackDraft, names: tuple[str, ...], target: Fighter, foe: Unit | None) -> Spec:
    """The attack on a fighter, ready for the dice; left and right are told apart."""
    guard = defender_of(state, target, foe, draft.melee)
    draft_on = replace(against(target.conditions, draft), by_side=True)
    if guard.reaction == "none":
        draft_on = replace(draft_on, evadable=False)
    return ready(draft_on, unpowered(names) if draft.primitive else names, guard, state.rules)


def onslaught_of(state: State, held: Held, draft: AttackDraft, target: Mob, kind: Kind, cover: int = 0) -> Onslaught:
    """The attack on a mob, ready for the dice."""
    profile, weapon = target.profile, held.fired
    guard = size_and_nerve.horde_guard(profile.ap, profile.toughness // 10, profile.unnatural_toughness, cover)
    names = unpowered(weapon.qualities) if draft.primitive else weapon.qualities
    return onslaught(draft, names, guard, kind, range_m=weapon.range, rules=state.rules)


def fists_of(who: Fighter) -> Held:
    """Bare hands as a weapon."""
    return Held(melee.fist(who.profile.talents))


@clause("DW-HORDE-17", "DW-RWEP-24")
def refuse_loaded(held: Held) -> Refused | None:
    """Why a launcher cannot be fired: nothing is in it."""
    weapon: Weapon = held.fired
    if weapon.damage:
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


@clause("DW-QUAL-HAYWIRE", "DW-QUAL-POWER-FIELD")
def is_powered(state: State, who: Fighter, held: Held) -> bool:
    """Whether the power field of a blade works: it has one, and no haywire field stops it."""
    return held.qualities.power_field and not FIELDS[state.field_at(who)].blunts  # type: ignore[index]


@clause("DW-QUAL-HAYWIRE", "DW-QUAL-POWER-FIELD")
def unpowered(names: tuple[str, ...]) -> tuple[str, ...]:
    """The qualities of a blade whose power field does not work."""
    return tuple(quality for quality in names if not values((quality,)).power_field)


@clause("DW-EVA-1", "DW-EVA-2", "DW-EVA-3")
def denied(who: Fighter, foe: Unit, melee: bool) -> tuple[str, str]:
    """Why a fighter has no reaction to an attack of this foe, with its clause; nothing where it has one."""
    what = "dodge or parry" if melee else "dodge"
    refused = refuse_reaction(reacting(who, foe), what)
    if refused is not None:
        return refused.reason, refused.clause
    if who.profile.dodge or (melee and parrying(who) is not None):
        return "", ""
    return f"it has no Dodge{' and no weapon that parries' if melee else ''}", "DW-EVA-3" if melee else "DW-EVA-2"


NAMES: dict[Mode, str] = {"single": "Standard Attack", "semi": "Semi-Auto Burst", "full": "Full Auto Burst"}
ADDS: dict[Mode, Action] = {"single": "standard", "semi": "semi", "full": "full"}


def action_name(mode: Mode, called: str = "") -> str:
    """The action of the table that a shot is."""
    return "Called Shot" if called.strip() else NAMES[mode]


@clause("DW-RWEP-00", "DW-JAM-2", "DW-QUAL-RECHARGE", "DW-QUAL-OVERHEATS", "DW-COND-BLIND", "DW-CRIT-2")
def refuse_gun(state: State, who: Fighter, held: Held, mode: Mode, clip: int | None = None) -> Refused | None:
    """Why a gun cannot be fired so: not in hand, jammed, empty, too hot, no such mode, or its bearer cannot see."""
    weapon, at_hand = held.fired, held.ready and held.lies_at is None
    refused = guns.refuse_mode(weapon, mode) or guns.refuse_state(
        weapon, state.round, held.fired_round or None, held.overheated_until, at_hand, held.destroyed
    )
    left = held.clip if clip is None else clip
    refused = (
        refused
        or guns.refuse_mode(weapon, mode, left, held.jammed, state.rules)
        or refuse_loaded(held)
        or refuse_sight(who.conditions)
    )
    if refused is None and who.hands < held.hands:
        reason = f"{held.name} needs {plural(held.hands, 'hand')}, and {who.name} has {who.hands} to use"
        refused = Refused(reason, "DW-CRIT-2", "hands")
    if refused is None and FIELDS[state.field_at(who)].stops and not held.qualities.primitive:  # type: ignore[index]
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
        spec=attack_on(state, draft, names, target, who),
        shares=tuple(
            Caught(fighter.name, fighter.x, fighter.y, attack_on(state, draft, names, fighter, who))
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
    return ready(own, (), defender_of(state, who, None, True), state.rules)


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
