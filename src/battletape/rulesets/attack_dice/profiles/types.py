"""The shapes of a weapon profile and of a unit profile."""

from typing import Annotated

from battletape.cards import Inputs, asked
from battletape.rulebook import Meta

Save = Annotated[int, Meta(ge=2, le=6, extra={"form": "save"})]


class WeaponProfile(Inputs, frozen=True):
    """A weapon profile."""

    name: str = ""
    weapon_class: str = asked("", "Class")
    range: int | None = asked(None, short="Range", unit="inches", ge=0, le=500)
    attacks: int = asked(1, "Attacks of one model", short="Attacks", ge=1, le=1000)
    power: int = asked(4, short="Power", ge=0, le=100)
    ap: Save | None = asked(None, "AP", short="AP")


class CarriedProfile(Inputs, frozen=True):
    """A weapon that a unit carries, and how many models carry it."""

    name: str = ""
    models: int = asked(1, ge=1, le=1000)


class UnitProfile(Inputs, frozen=True):
    """A unit profile; saves are D6 numbers."""

    name: str = ""
    models: int = asked(5, short="Models", ge=1, le=1000)
    hp: int = asked(1, "HP of each model", short="HP", ge=1, le=1000)
    others: tuple[Annotated[int, Meta(ge=1, le=1000)], ...] = asked((), "HP of further models, lost last")
    defence: int = asked(3, short="Defence", ge=0, le=100)
    armour: Save | None = asked(None, short="Armour")
    aegis: Save | None = asked(None, "AEGIS", short="AEGIS")
    move: int = asked(6, unit="inches", ge=0, le=100)
    dash: int = asked(3, unit="inches", ge=0, le=100)
    weapons: tuple[CarriedProfile, ...] = ()


KINDS = (("weapon", WeaponProfile), ("unit", UnitProfile))
