"""Dodge and parry: who may, what it needs, which hits it undoes, and what a power field breaks."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.dice import D100, Reading, at_most
from battletape.errors import Refused
from battletape.rulesets.deathwatch.rules import tests
from battletape.rulesets.deathwatch.rules.attack import modifiers
from battletape.rulesets.deathwatch.rules.attack.records import Attack, Guard
from battletape.rulesets.deathwatch.rules.traits import Modifier, Qualities
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings
from battletape.tape import Tape
from battletape.words import labelled

FIELD_BREAKS = 75
"""A power field breaks the other weapon on this roll of a d100 or less."""
NO_QUALITIES = Qualities()


class Reacting(Struct, frozen=True):
    """Everything that may prevent a dodge or parry."""

    stunned: bool = False
    surprised: bool = False
    helpless: bool = False
    unconscious: bool = False
    grappled: bool = False
    all_out: bool = False  # after an all out attack
    feinted: bool = False  # the attacker's feint worked
    by_horde: bool = False
    flames: bool = False  # the attack is one of flames
    used: int = 0  # reactions this round
    budget: int = 1  # two in a defensive stance
    tried: bool = False  # to evade this attack, already


NOTHING = Reacting()
"""Nothing prevents a reaction."""
REASONS = (
    ("stunned", "a stunned fighter cannot {verb}", "DW-STUN-1"),
    ("surprised", "a surprised fighter cannot {verb}", "DW-COND-SURPRISED"),
    ("unconscious", "an unconscious fighter cannot {verb}", "DW-EVA-1"),
    ("helpless", "a helpless fighter cannot {verb}", "DW-COND-HELPLESS"),
    ("grappled", "a grappled fighter cannot {verb}", "DW-ACT-GRAPPLE"),
    ("all_out", "after an all out attack a fighter cannot {verb} until its next turn", "DW-ACT-ALL-OUT-ATTACK"),
    ("feinted", "the attack after a feint that worked cannot be met by a {verb}", "DW-ACT-FEINT"),
    ("flames", "nobody can {verb} flames: everybody in them tests Agility instead", "DW-QUAL-FLAME"),
    ("by_horde", "nobody can {verb} the attacks of a horde", "DW-HORDE-15"),
    ("tried", "an attack may be evaded once; this one was", "DW-EVA-1"),
)


@clause("DW-EVA-1")
def refuse_reaction(who: Reacting = NOTHING, verb: str = "dodge") -> Refused | None:
    """Why there is no reaction to an attack now, or nothing."""
    for flag, reason, rule in REASONS:
        if getattr(who, flag):
            return Refused(reason.format(verb=verb), rule, "reaction")
    if who.used >= who.budget:
        each = "one Reaction" if who.budget == 1 else f"{who.budget} Reactions"
        reason = f"a {verb} is a Reaction, and there is {each} a round: {who.used} used"
        return Refused(f"{reason}, wait for the next round", "DW-EVA-1", "reaction")
    return None


@clause("DW-EVA-1", "DW-ACT-DODGE")
def refuse_dodge(who: Reacting = NOTHING) -> Refused | None:
    """Why an attack cannot be dodged, or nothing."""
    return refuse_reaction(who, "dodge")


@clause("DW-EVA-3", "DW-ACT-PARRY", "DW-QUAL-UNWIELDY")
def refuse_parry(
    who: Reacting = NOTHING,
    melee: bool = True,
    armed: bool = True,
    qualities: Qualities = NO_QUALITIES,
) -> Refused | None:
    """Why an attack cannot be parried, or nothing."""
    if not melee:
        return Refused("a parry meets melee attacks only; this one is a shot, which may be dodged", "DW-EVA-3", "parry")
    if not armed:
        return Refused("a parry needs a melee weapon in hand; there is none, a dodge would do", "DW-EVA-3", "parry")
    if qualities.unwieldy:
        return Refused("nobody can parry with an unwieldy weapon; a dodge would do", "DW-QUAL-UNWIELDY", "parry")
    return refuse_reaction(who, "parry")


@clause("DW-EVA-2", "DW-ACT-DODGE")
def dodge_target(dodge: int, added: Sequence[Modifier | int] = (), rules: Rulings = DEFAULT) -> int:
    """What a dodge must roll or less."""
    return tests.target(dodge, added, rules)


@clause("DW-EVA-3", "DW-QUAL-BALANCED", "DW-QUAL-DEFENSIVE", "DW-QUAL-UNBALANCED")
def parry_target(
    ws: int, qualities: Qualities = NO_QUALITIES, guarded: bool = False, rules: Rulings = DEFAULT
) -> int | Refused:
    """What a parry with such a weapon must roll or less, or why there is none."""
    refused = refuse_parry(qualities=qualities)
    return refused or tests.target(ws, modifiers.parry_modifiers(qualities, guarded, rules), rules)


# with dice


@clause("DW-EVA-2", "DW-ACT-DODGE")
def dodge(
    tape: Tape, hits: int, target: int, by_degrees: bool = True, label: str = "dodge", rules: Rulings = DEFAULT
) -> int:
    """A dodge: how many of the hits it undoes."""
    number: int = tape.roll(D100, undone(target, hits, by_degrees, rules), label=label)
    return number


@lru_cache(4096)
def undone(target: int, hits: int, by_degrees: bool, rules: Rulings = DEFAULT) -> Reading:
    """A d100 read as hits undone: one for a success and one for each degree, as many as there are."""
    by_roll: dict[int, int] = {}
    for roll in D100.faces:
        success, degrees = tests.degrees_of(target, roll, rules)
        by_roll[roll] = min(hits, 1 + (degrees if by_degrees else 0)) if success else 0
    names = {0: "fails"} | {n: f"undoes {n}" for n in range(1, hits + 1)}
    return Reading(by_roll.__getitem__, f"{target} or less", names, good=range(1, hits + 1))


@clause("DW-EVA-1", "DW-EVA-2", "DW-EVA-3")
def evade(tape: Tape, attack: Attack) -> Attack:
    """The defender dodges or parries, if that is allowed: hits are taken away from the last one on."""
    spec = attack.spec
    if not (attack.hits and attack.reactions and spec.evadable) or spec.guard.reaction == "none":
        return attack
    guard = disarmed(spec.guard, attack.broken)
    how = choose_reaction(tape, guard, spec.melee) if guard.reaction != "none" else "none"
    if how == "none":
        return attack
    attack = replace(attack, reacted=True)
    if how == "dodge" and guard.dodge is not None:
        label = labelled(guard.name, "dodge")
        gone = dodge(tape, attack.hits, guard.dodge, spec.multi_dodge, label, spec.tests)
        return replace(attack, landed=attack.hits - gone)
    return tape.call(parry, attack, guard)  # type: ignore[no-any-return]


@clause("DW-EVA-1")
def choose_reaction(tape: Tape, guard: Guard, melee: bool) -> str:
    """What the defender does: as said before, or as chosen now; the likelier reaction is named first."""
    chances = {"dodge": guard.dodge, "parry": guard.parry if melee else None}
    if guard.reaction != "choose":
        return guard.reaction if chances.get(guard.reaction) is not None else "none"
    can = sorted((-target, how) for how, target in chances.items() if target is not None)
    options = (*(how for _, how in can), "none")
    choice: str = tape.choose(options, by=guard.by, label=labelled(guard.name, "reaction"))
    return choice


@clause("DW-EVA-3", "DW-QUAL-POWER-FIELD")
def disarmed(guard: Guard, broken: int) -> Guard:
    """The defender after so many parrying weapons are broken: the next one parries, if there is any."""
    if not broken or guard.parry is None:
        return guard
    target, field = guard.spare[broken - 1] if broken <= len(guard.spare) else (None, False)
    reacts = guard.reaction != "none" and (target is not None or guard.dodge is not None)
    return replace(guard, parry=target, parry_field=field, reaction=guard.reaction if reacts else "none")


@clause("DW-EVA-3", "DW-ACT-PARRY")
def parry(tape: Tape, attack: Attack, guard: Guard) -> Attack:
    """A parry undoes one hit of a melee attack; a power field may break the weapon it meets."""
    spec = attack.spec
    if not tests.check(tape, guard.parry or 0, labelled(guard.name, "parry"), spec.tests):
        return attack
    attack = replace(attack, landed=attack.hits - 1)
    if guard.parry_field and not spec.power_field and spec.breakable and tape.call(field_breaks, guard.name):
        return replace(attack, weapon_broken=True)
    if spec.any_clash and spec.power_field and not guard.parry_field and tape.call(field_breaks, spec.name):
        return replace(attack, parry_broken=True)
    return attack


@clause("DW-QUAL-POWER-FIELD")
def field_breaks(tape: Tape, name: str = "") -> bool:
    """Whether a power field breaks a weapon that has none."""
    return bool(tape.roll(D100, at_most(FIELD_BREAKS), label=labelled(name, "power field")))
