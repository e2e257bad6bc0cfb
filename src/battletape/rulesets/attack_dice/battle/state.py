"""The state of a battle: units of two or more sides, who is in which Melee, whose turn it is."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from battletape.cards import Inputs
from battletape.rulebook import Meta, Refused, by_name, clause, replace
from battletape.rulesets.attack_dice.profiles.types import Save
from battletape.rulesets.attack_dice.rules.damage import Ranks, all_hp, all_models, standing, wounded_hp
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
        left, _ = standing(self.ranks, self.lost)
        return all_models(left)

    @property
    def wounded(self) -> int:
        """HP left to the model that has lost some; 0 if none has."""
        return wounded_hp(self.ranks, self.lost)

    @property
    def is_gone(self) -> bool:
        """Whether no HP is left."""
        return self.lost >= all_hp(self.ranks)


class State(msgspec.Struct, frozen=True):
    """A battle: settings, sides in turn order, units, and whose turn it is."""

    rules: Rulings
    sides: tuple[str, ...]
    squads: tuple[Squad, ...]
    active: str
    turn: int = 1
    phase: Literal["before", "running"] = "before"
    acting: str = ""

    @property
    def units(self) -> tuple[Squad, ...]:
        """The units of all sides."""
        return self.squads

    def squad(self, name: str) -> Squad:
        """The unit of this name, in any case; raises UnknownName with the nearest one."""
        return by_name("unit", name, self.squads)

    def with_squads(self, *changed: Squad) -> State:
        """The same battle with these units changed."""
        by_name = {squad.name: squad for squad in changed}
        return replace(self, squads=tuple(by_name.get(squad.name, squad) for squad in self.squads))


@clause("AD-56", "AD-61", "AD-65")
def situation_of(state: State, unit: Squad, target: Squad, **given: Any) -> Situation:
    """Where attacker and target stand; a unit aboard a transport counts as in the transport's Melee."""
    melee = state.squad(unit.aboard).melee if unit.aboard else unit.melee
    friends = (squad for squad in state.squads if squad.side == unit.side and not squad.is_gone)
    return Situation(
        attacker_melee=melee,
        target_melee=target.melee,
        friend_in_target_melee=any(friend.melee and friend.melee == target.melee for friend in friends),
        embarked=bool(unit.aboard),
        cover_stat=target.cover_stat,
        cover=target.cover,
        **given,
    )


@clause("AD-80")
def refuse_gone(unit: Squad) -> Refused | None:
    """A unit without a model is out of the battle."""
    return Refused(f"{unit.name} has no model left", "AD-80") if unit.is_gone else None


@clause("AD-82")
def bearers_left(unit: Squad, arm: Arm) -> int:
    """How many models may still fire this weapon in this activation."""
    spent = sum(models for name, models in unit.used if name == arm.name)
    return max(0, min(arm.models, unit.models) - spent)
