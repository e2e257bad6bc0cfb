"""Force weapons: which models may wield them, how hard they strike, and what they do to daemons."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from battletape.rulebook import Line, Procedure, Refused, State, Tape, clause, replace
from battletape.rulesets.second_edition.rules import keywords, squads
from battletape.rulesets.second_edition.rules.attack import Hit, Model
from battletape.rulesets.second_edition.rules.damage import within_chart
from battletape.rulesets.second_edition.rules.shooting import ShotSetup, Volley, roll_shots, take_hits, volley_of
from battletape.rulesets.second_edition.rules.to_hit import Aim
from battletape.rulesets.second_edition.rulings import DEFAULT, Rulings

Phase = Literal["hand_to_hand", "shooting"]


@clause("SE-112")
def refuse_wielder(mastery: int, name: str = "the wielder") -> Refused | None:
    """Refuse a wielder that is no psyker."""
    if mastery >= 1:
        return None
    reason = f"{name} is no psyker, and only a psyker of Mastery Level 1 to 4 may wield a force weapon"
    return Refused(reason, "SE-112", "psyker")


class Wielder(State, frozen=True):
    """A model that strikes: Strength and Mastery Level."""

    strength: int
    mastery: int


@clause("SE-113")
def refuse_weapon(force: bool, name: str) -> Refused | None:
    """Refuse a weapon that is no force weapon."""
    if force:
        return None
    reason = f"{name} is no force weapon; other blows are struck by the rules of the base game"
    return Refused(reason, "SE-113", "weapon")


@clause("SE-113", "SE-114", "SE-115", "SE-116")
def force_hits(
    wielder: Wielder,
    weapon: Hit,
    model: Model,
    hits: int,
    squad: squads.ModelCounts,
    phase: Phase = "hand_to_hand",
    rulings: Rulings = DEFAULT,
) -> Volley:
    """Return hits of a force weapon: the wielder's Strength with the Mastery Level, or the weapon's own if higher."""
    strength = force_strength(wielder.strength, wielder.mastery, weapon.strength, phase, rulings)
    rules_of_weapon = tuple(dict.fromkeys((keywords.FORCE, *weapon.rules)))
    hit = replace(weapon, strength=strength, rules=rules_of_weapon, hand_to_hand=phase == "hand_to_hand")
    return volley_of(ShotSetup(Aim(), hit, model, automatic=True, rulings=rulings), hits, squad)


@clause("SE-113", "SE-114", "SE-115", "SE-116")
def find_strength(tape: Tape, volley: Volley) -> Volley:
    """Find how hard the blows are, and what they need."""
    tape.tell(blow_lines, volley.setup)
    return volley


FORCE_ATTACK = Procedure("force weapon", (find_strength, roll_shots, take_hits))


@clause("SE-113", "SE-114", "SE-21")
def force_strength(
    strength: int,
    mastery: int,
    weapon_strength: int | None = None,
    phase: Phase = "hand_to_hand",
    rulings: Rulings = DEFAULT,
) -> int:
    """Return the Strength of a blow: the wielder's with the Mastery Level, or the weapon's own if that is higher."""
    if phase != "hand_to_hand":
        return strength
    if weapon_strength is not None and rulings.own_strength == "added":
        best = max(strength, weapon_strength) + mastery
    else:
        best = max(strength + mastery, weapon_strength or 0)
    return best if rulings.beyond_chart == "by_difference" else within_chart(best)


# --- what is told ----------------------------------------------------------------------------------------------------


def blow_lines(setup: ShotSetup) -> Iterator[Line]:
    """Say how hard the blows are, and what they need to wound and to be saved."""
    yield Line(f"The blow has Strength {setup.hit.strength}", ("SE-113", "SE-114"))
    yield from keywords.wound_and_save_lines(setup.hit, setup.model, setup.rulings)
