"""Melees and attacks: range, sight, cover, and modifiers for shooting into or out of a Melee."""

from __future__ import annotations

from typing import Literal

from battletape.rulebook import Caution, Refused, State, clause
from battletape.rulesets.attack_dice.rulings import DEFAULT, Rulings

DiceModifier = tuple[str, int, str]
"""A Dice Modifier: its name, its amount, its clause."""
Facing = Literal["none", "front", "side", "rear"]


class Situation(State, frozen=True):
    """The positions of attacker and target for one pool; a Melee is named by any text, "" is none."""

    attacker_melee: str = ""
    target_melee: str = ""
    friend_in_target_melee: bool = False
    embarked: bool = False
    cover_stat: Literal["defence", "armour"] = "defence"
    cover: int = 0
    facing: Facing = "none"
    distance: int | None = None
    line_of_sight: bool = True
    modifier: int = 0

    @property
    def engaged(self) -> bool:
        """Return whether attacker and target are in the same Melee."""
        return bool(self.attacker_melee) and self.attacker_melee == self.target_melee

    @property
    def in_melee(self) -> bool:
        """Return whether the attacker is in a Melee."""
        return bool(self.attacker_melee)


@clause("AD-56", "AD-57", "AD-68")
def refuse_target(situation: Situation, weapon_range: int | None) -> Refused | None:
    """Refuse targets out of range, then targets out of sight; engaged enemies may always be attacked."""
    if situation.engaged:
        return None
    distance = situation.distance
    if weapon_range is not None and distance is not None and distance > weapon_range:
        reason = f'the target is {distance}" away and the weapon reaches {weapon_range}"; pick another target'
        return Refused(reason, "AD-68", "range")
    if not situation.line_of_sight:
        return Refused("there is no line of sight to the target; pick another one", "AD-68", "line_of_sight")
    return None


@clause("AD-58")
def cover_bonus(situation: Situation, stat: str) -> int:
    """Return the target's cover bonus to this stat; none against engaged attackers."""
    return situation.cover if situation.cover_stat == stat and not situation.engaged else 0


@clause("AD-92")
def facing_bonus(situation: Situation, rulings: Rulings = DEFAULT) -> int:
    """Return the bonus of the optional facing: +1 Defence in front, -1 behind and in a Melee."""
    if rulings.facing_rule == "off" or situation.facing == "none":
        return 0
    side = "rear" if situation.target_melee else situation.facing
    return {"front": 1, "side": 0, "rear": -1}[side]


@clause("AD-92", "AD-61")
def idle_warnings(situation: Situation, is_single: bool, rulings: Rulings = DEFAULT) -> list[Caution]:
    """Warn of circumstances that change nothing; a warning is never a refusal."""
    warnings = []
    if situation.facing != "none" and rulings.facing_rule == "off":
        warnings.append(Caution(f"Facing {situation.facing} changes nothing: facing_rule is off", "AD-92"))
    elif situation.facing != "none" and not is_single:
        warnings.append(
            Caution(f"Facing {situation.facing} changes nothing: the unit began with more than one model", "AD-92")
        )
    if situation.friend_in_target_melee and not situation.target_melee:
        warnings.append(Caution("A friend in the target's Melee changes nothing: no target_melee is named", "AD-61"))
    if situation.cover_stat != "defence" and not situation.cover:
        warnings.append(Caution(f"What cover improves ({situation.cover_stat}) changes nothing: cover is 0", "AD-58"))
    return warnings


@clause("AD-61", "AD-62", "AD-63", "AD-64", "AD-65")
def position_modifiers(situation: Situation) -> tuple[DiceModifier, ...]:
    """Return -1 into a Melee that holds a friend, -1 out of a Melee; neither within the same one."""
    if situation.engaged:
        return ()
    into = situation.target_melee and situation.friend_in_target_melee
    modifiers = (("into_friendly_melee", -1, "AD-61"),) if into else ()
    return (*modifiers, ("out_of_melee", -1, "AD-63")) if situation.in_melee else modifiers
