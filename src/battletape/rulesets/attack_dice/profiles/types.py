"""The shapes of a weapon profile and of a unit profile."""

from typing import Annotated

from battletape.cards import Inputs, asked
from battletape.rulebook import Meta

Save = Annotated[int, Meta(ge=2, le=6, extra={"form": "save"})]


class WeaponProfile(Inputs, frozen=True):
    """A weapon profile."""

    name: str = ""
    weapon_class: str = asked("", "Class")
    range: Annotated[int, Meta(ge=0, le=500, extra={"unit": "inches"})] | None = asked(None, short="Range")
    attacks: Annotated[int, Meta(title="Attacks of one model", ge=1, le=1000)] = asked(1, short="Attacks")
    power: Annotated[int, Meta(ge=0, le=100)] = asked(4, short="Power")
    ap: Annotated[Save | None, Meta(title="AP")] = asked(None, short="AP")


class CarriedProfile(Inputs, frozen=True):
    """A weapon that a unit carries, and how many models carry it."""

    name: str = ""
    models: int = asked(1, ge=1, le=1000)


class UnitProfile(Inputs, frozen=True):
    """A unit profile; saves are D6 numbers."""

    name: str = ""
    models: Annotated[int, Meta(ge=1, le=1000)] = asked(5, short="Models")
    hp: Annotated[int, Meta(title="HP of each model", ge=1, le=1000)] = asked(1, short="HP")
    others: tuple[Annotated[int, Meta(ge=1, le=1000)], ...] = asked((), "HP of further models, lost last")
    defence: Annotated[int, Meta(ge=0, le=100)] = asked(3, short="Defence")
    armour: Save | None = asked(None, short="Armour")
    aegis: Annotated[Save | None, Meta(title="AEGIS")] = asked(None, short="AEGIS")
    move: int = asked(6, unit="inches", ge=0, le=100)
    dash: int = asked(3, unit="inches", ge=0, le=100)
    weapons: tuple[CarriedProfile, ...] = ()


KINDS = (("weapon", WeaponProfile), ("unit", UnitProfile))
