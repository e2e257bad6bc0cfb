"""What the dice make of the inputs: the gun, the attack with all its modifiers, and the defender."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Protocol

from msgspec.structs import replace

from battletape.clauses import clause
from battletape.errors import BadInput
from battletape.rulesets.deathwatch.blasts import untrained_bonus
from battletape.rulesets.deathwatch.blocks import Against, Armed, Fight, Ranged, Shooter, meta
from battletape.rulesets.deathwatch.evasion import Reacting, dodge_target, refuse_parry, refuse_reaction
from battletape.rulesets.deathwatch.firing import aim_bonus, refuse_called, refuse_mode, rof_of
from battletape.rulesets.deathwatch.keywords import values
from battletape.rulesets.deathwatch.melee import BOTH_HANDS, hand_modifiers, has, refuse_two_weapons, strength_bonus
from battletape.rulesets.deathwatch.modifiers import (
    Action,
    Situation,
    attack_modifiers,
    band,
    dodge_modifiers,
    refuse_range,
    refuse_situations,
)
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings
from battletape.rulesets.deathwatch.shapes import Weapon
from battletape.rulesets.deathwatch.specs import Aim, Guard
from battletape.rulesets.deathwatch.tables import parse_cover, situation_key
from battletape.rulesets.deathwatch.traits import SPOTS, Band, Mode, Modifier, Spot, place_of

__all__ = [
    "Against",
    "Armed",
    "Ranged",
    "Shooter",
    "against",
    "aim_of",
    "band_of",
    "cover_of",
    "guard_of",
    "gun_of",
    "health_of",
    "meta",
    "parse_damage",
    "shot_of",
    "situation_of",
    "strength_added",
    "warn_between",
]
MOST_DICE = 20
"""Of one hit."""
_DAMAGE = re.compile(r"\s*(\d{0,9})\s*d\s*(\d{1,3})\s*(?:([+-])\s*(\d{1,3}))?\s*", re.IGNORECASE)


def parse_damage(text: str) -> tuple[int, int, int]:
    """Damage such as 2d10+5: how many dice, with how many sides, and what is added."""
    found = _DAMAGE.fullmatch(text)
    count = int(found[1] or 1) if found else 0
    if found is None or int(found[2]) not in (5, 10):
        raise BadInput(f"damage wants d10s or d5s, such as 2d10+5; got {text!r} (DW-RWEP-00)", field="damage")
    if not 1 <= count <= MOST_DICE:
        raise BadInput(f"damage wants 1 to {MOST_DICE} dice, such as 2d10+5; got {text!r} (DW-RWEP-00)", field="damage")
    return count, int(found[2]), int(f"{found[3] or '+'}{found[4] or 0}")


def gun_of(inputs: Shooter | Ranged) -> Weapon:
    """The gun of these numbers as a profile."""
    numbers = {name: getattr(inputs, name) for name in Weapon.__struct_fields__ if name in _GUN}
    return Weapon(**numbers, name=inputs.weapon)


_GUN = {
    *("kind", "single", "semi", "full", "range", "clip", "reload"),
    *("damage", "damage_type", "pen", "qualities", "grade"),
}


def band_of(inputs: Shooter | Ranged, rules: Rulings = DEFAULT) -> Band | None:
    """The range band of the shot, flames have none; out of reach is refused."""
    qualities = values(inputs.qualities)
    refused = refuse_range(inputs.weapon or "the weapon", inputs.range, inputs.distance, qualities.flame)
    if refused is not None and (qualities.flame or inputs.band is None):
        raise refused
    return None if qualities.flame else inputs.band or band(inputs.range, inputs.distance, False, rules)


def situation_of(inputs: Armed, action: Action, **more: Any) -> Situation:
    """What adds to the attack, as far as it is the attacker's doing."""
    other: tuple[Modifier, ...] = (Modifier("other modifiers", inputs.modifier),) if inputs.modifier else ()
    if inputs.off_hand:
        other += off_hand(Weapon(name=inputs.weapon or "the weapon", kind=inputs.kind, melee=True), inputs.talents)
    return Situation(
        action=action,
        aim=inputs.aim,
        grade=inputs.grade,
        untrained=not inputs.trained,
        fatigue=inputs.fatigue,
        situations=inputs.situations,
        other=(*other, *more.pop("other", ())),
        **more,
    )


@clause("DW-TWOW-1")
def off_hand(weapon: Weapon, talents: Sequence[str]) -> tuple[Modifier, ...]:
    """What the off hand takes from one attack; a weapon for two hands is refused."""
    refused = refuse_two_weapons((weapon,))
    if refused is not None:
        raise refused
    return hand_modifiers("off", False, has(talents, BOTH_HANDS))


def against(inputs: Against) -> dict[str, bool]:
    """The states of the target that make it easier or harder to hit."""
    return {name: getattr(inputs, name) for name in ("stunned", "prone", "surprised", "running")}


def aim_of(inputs: Armed, skill: int, situation: Situation, melee: bool = False, rules: Rulings = DEFAULT) -> Aim:
    """An attack before qualities turn its dials: the weapon's numbers and all modifiers."""
    refused = refuse_situations(situation, melee)
    if refused is not None:
        raise refused
    dice, sides, flat = parse_damage(inputs.damage)
    return Aim(
        skill,
        attack_modifiers(situation, melee, rules),
        target=getattr(inputs, "to_hit", None),  # fire_mode has none: its modes differ in it
        melee=melee,
        kind=inputs.kind,
        band=situation.band or "normal",
        aimed=aim_bonus(situation.aim),
        braced=situation.braced,
        dice=dice,
        sides=sides,
        flat=flat,
        pen=inputs.pen,
        damage_type=inputs.damage_type,
        psy_rating=inputs.psy_rating,
        special="" if inputs.special == "none" else inputs.special,
        willpower=inputs.own_willpower,
        eligible=inputs.fury != "none",
        sure=inputs.fury == "sure",
        grade=inputs.grade,
        flame_bonus=untrained_bonus(situation.untrained, situation.heavy and not situation.braced, rules),
        rules=rules,
    )


def shot_of(
    inputs: Shooter | Ranged,
    mode: Mode,
    situation: Situation,
    called: Spot | None = None,
    rules: Rulings = DEFAULT,
) -> Aim:
    """A shot or burst of this gun; a mode it does not have, or a clip too small for it, is refused."""
    gun, qualities = gun_of(inputs), values(inputs.qualities)
    for refused in (
        refuse_mode(gun, mode, inputs.clip, qualities=qualities, rules=rules),
        refuse_called(mode, qualities.flame, bool(qualities.blast)) if called else None,
    ):
        if refused is not None:
            raise refused
    rof = rof_of(gun, mode, inputs.clip, qualities, rules)
    aim = aim_of(inputs, inputs.bs, situation, rules=rules)
    return replace(aim, mode=mode, rof=rof, rounds=rof, reload=inputs.reload, called=called)


class Strong(Protocol):
    """Somebody who strikes blows: his strength bonus, what it is made of, and what his weapon does with it."""

    @property
    def sb(self) -> int: ...
    @property
    def times_sb(self) -> int: ...
    @property
    def more_sb(self) -> int: ...
    @property
    def doubles_sb(self) -> bool: ...


@clause("DW-MWEP-00")
def strength_added(inputs: Strong, rules: Rulings = DEFAULT) -> int:
    """The strength bonus that a blow adds, with what the weapon makes of it."""
    if not inputs.doubles_sb:
        return inputs.sb
    base = (inputs.sb - inputs.more_sb) // inputs.times_sb
    return strength_bonus(base, inputs.times_sb, inputs.more_sb, Weapon(doubles_sb=True), rules)


def guard_of(
    inputs: Against, parry: int | None = None, field: bool = False, melee: bool = False, rules: Rulings = DEFAULT
) -> Guard:
    """The defender as dice and damage see him; a reaction he may not take is refused."""
    places = {"head": inputs.head, "arm": inputs.arm, "body": inputs.body, "leg": inputs.leg}
    dodge = None if inputs.dodge is None else dodge_target(inputs.dodge, _dodging(inputs, rules), rules)
    guard = Guard(
        ap=tuple(places[place_of(spot)] for spot in SPOTS),
        cover=cover_of(inputs),
        primitive=inputs.primitive_armour,
        tb=inputs.tb,
        multiplier=inputs.unnatural_toughness,
        flat_tb=inputs.more_tb,
        toughness=inputs.toughness,
        agility=inputs.agility,
        strength=inputs.strength,
        sb=inputs.target_sb,
        willpower=inputs.willpower,
        wounds=inputs.wounds,
        sudden_death=inputs.minion,
        true_grit=inputs.true_grit,
        immune_blood_loss=inputs.immune_blood_loss,
        sealed=inputs.sealed,
        dodge=dodge,
        parry=parry,
        parry_field=field,
        reaction=inputs.reaction,
        holy_weak=inputs.daemon,
    )
    _refuse_reaction(inputs, guard, melee)
    return guard


def _dodging(inputs: Against, rules: Rulings) -> tuple[Modifier, ...]:
    guarded = isinstance(inputs, Fight) and inputs.guarded
    return dodge_modifiers(Situation(own_prone=inputs.prone, guarded=guarded), rules)


def _refuse_reaction(inputs: Against, guard: Guard, melee: bool) -> None:
    """Raise if the defender is to react and cannot."""
    if inputs.reaction == "none":
        return
    state = Reacting(stunned=inputs.stunned, surprised=inputs.surprised, flames=values(inputs.qualities).flame)
    refused = refuse_parry(state, melee) if inputs.reaction == "parry" else refuse_reaction(state)
    if refused is not None:
        raise refused
    can = {"dodge": guard.dodge, "parry": guard.parry}
    wanted = ("dodge", "parry") if inputs.reaction == "choose" else (inputs.reaction,)
    if all(can[one] is None for one in wanted):
        names = " or ".join(wanted)
        raise BadInput(f"reaction {inputs.reaction} wants {names} of the target; got none (DW-EVA-1)", field="reaction")


@clause("DW-COVER-1")
def cover_of(inputs: Against) -> tuple[int, ...]:
    """AP of the cover on each spot it hides; somebody wholly concealed is hidden everywhere."""
    concealed = "shoot_completely_concealed" in map(situation_key, inputs.situations)
    ap, behind = parse_cover(inputs.cover, ("all",) if concealed else inputs.hidden)
    return tuple(ap if spot in behind else 0 for spot in SPOTS)


@clause("DW-CRIT-2")
def warn_between(inputs: Against, attacks: int) -> list[str]:
    """What critical rows do that later ones of several attacks do not feel; minions do not live to see it."""
    return [BETWEEN] if attacks > 1 and not inputs.minion else []


BETWEEN = (
    "Of what critical rows do, later attacks feel armour lost and death; stun, fatigue, fire, blood loss and "
    "lower Toughness change them in a battle only, from one action to the next (DW-CRIT-2)."
)


def health_of(inputs: Against) -> int:
    """Wounds left, or all of them where nothing was said."""
    if inputs.health is not None and inputs.health > inputs.wounds:
        raise BadInput(f"health wants {inputs.wounds} wounds or less; got {inputs.health} (DW-DMG-1)", field="health")
    return inputs.wounds if inputs.health is None else inputs.health
