"""The state of a battle: units of two or more sides, who is in which Melee, whose turn it is."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.errors import UnknownName
from battletape.inputs import Inputs
from battletape.rulesets.attack_dice.profiles.types import Save
from battletape.rulesets.attack_dice.rules.damage import Ranks, all_hp, standing
from battletape.rulesets.attack_dice.rules.melee import Situation
from battletape.rulesets.attack_dice.rulings import Rulings


class Arm(Inputs, frozen=True):
    """A weapon of a unit, and how many models carry it."""

    name: str = "Weapon"
    models: Annotated[int, Meta(ge=1, le=1000)] = 1
    attacks: Annotated[int, Meta(ge=1, le=1000)] = 1
    power: Annotated[int, Meta(ge=0, le=100)] = 4
    ap: Save | None = None
    range: Annotated[int, Meta(ge=0, le=500)] | None = None
    weapon_class: str = ""


class Squad(msgspec.Struct, frozen=True):
    """A unit in play."""

    name: str
    side: str
    defence: int
    ranks: Ranks
    weapons: tuple[Arm, ...]
    armour: int | None = None
    aegis: int | None = None
    lost: int = 0
    melee: str = ""
    cover_stat: Literal["defence", "armour"] = "defence"
    cover: int = 0
    aboard: str = ""
    used: tuple[tuple[str, int], ...] = ()
    activated: bool = False

    @property
    def models(self) -> int:
        """Models still standing."""
        return sum(models for models, _ in standing(self.ranks, self.lost)[0])

    @property
    def wounded(self) -> int:
        """HP left to the model that has lost some; 0 if none has."""
        left, wound = standing(self.ranks, self.lost)
        return left[0][1] - wound if wound else 0

    @property
    def is_gone(self) -> bool:
        """Whether no HP is left."""
        return self.lost >= all_hp(self.ranks)


class Field(msgspec.Struct, frozen=True):
    """A battle: settings, sides in turn order, units, and whose turn it is."""

    rules: Rulings
    sides: tuple[str, ...]
    squads: tuple[Squad, ...]
    active: str
    turn: int = 1
    phase: Literal["before", "running"] = "before"
    acting: str = ""

    def squad(self, name: str) -> Squad:
        """The unit of this name, in any case; raises UnknownName with the nearest one."""
        for one in self.squads:
            if one.name.lower() == name.strip().lower():
                return one
        raise UnknownName("unit", name, [one.name for one in self.squads])

    def with_squads(self, *changed: Squad) -> Field:
        """The same battle with these units changed."""
        by_name = {one.name: one for one in changed}
        return replace(self, squads=tuple(by_name.get(one.name, one) for one in self.squads))


@clause("AD-56", "AD-61", "AD-65")
def situation_of(field: Field, unit: Squad, target: Squad, **given: Any) -> Situation:
    """Where attacker and target stand; a unit aboard a transport counts as in the transport's Melee."""
    melee = field.squad(unit.aboard).melee if unit.aboard else unit.melee
    friends = [one for one in field.squads if one.side == unit.side and not one.is_gone and one.melee]
    return Situation(
        attacker_melee=melee,
        target_melee=target.melee,
        friend_in_target_melee=any(one.melee == target.melee for one in friends),
        embarked=bool(unit.aboard),
        cover_stat=target.cover_stat,
        cover=target.cover,
        **given,
    )


@clause("AD-82")
def bearers_left(unit: Squad, arm: Arm) -> int:
    """How many models may still fire this weapon in this activation."""
    spent = sum(models for name, models in unit.used if name == arm.name)
    return max(0, min(arm.models, unit.models) - spent)
