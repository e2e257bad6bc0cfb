"""The shapes of a weapon profile and of a unit profile."""

from typing import Annotated

from battletape.cards import Inputs, short
from battletape.rulebook import Meta

Save = Annotated[int, Meta(ge=2, le=6, extra={"form": "save"})]


class Weapon(Inputs, frozen=True):
    """A weapon profile."""

    name: str = ""
    weapon_class: Annotated[str, Meta(title="Class")] = ""
    range: Annotated[Annotated[int, Meta(ge=0, le=500, extra={"unit": "inches"})] | None, short("Range")] = None
    attacks: Annotated[Annotated[int, Meta(title="Attacks of one model", ge=1, le=1000)], short("Attacks")] = 1
    power: Annotated[Annotated[int, Meta(ge=0, le=100)], short("Power")] = 4
    ap: Annotated[Annotated[Save | None, Meta(title="AP")], short("AP")] = None


class Carried(Inputs, frozen=True):
    """A weapon that a unit carries, and how many models carry it."""

    name: str = ""
    models: Annotated[int, Meta(ge=1, le=1000)] = 1


class Unit(Inputs, frozen=True):
    """A unit profile; saves are D6 numbers."""

    name: str = ""
    models: Annotated[Annotated[int, Meta(ge=1, le=1000)], short("Models")] = 5
    hp: Annotated[Annotated[int, Meta(title="HP of each model", ge=1, le=1000)], short("HP")] = 1
    others: Annotated[
        tuple[Annotated[int, Meta(ge=1, le=1000)], ...], Meta(title="HP of further models, lost last")
    ] = ()
    defence: Annotated[Annotated[int, Meta(ge=0, le=100)], short("Defence")] = 3
    armour: Annotated[Save | None, short("Armour")] = None
    aegis: Annotated[Annotated[Save | None, Meta(title="AEGIS")], short("AEGIS")] = None
    move: Annotated[int, Meta(ge=0, le=100, extra={"unit": "inches"})] = 6
    dash: Annotated[int, Meta(ge=0, le=100, extra={"unit": "inches"})] = 3
    weapons: tuple[Carried, ...] = ()


KINDS = (("weapon", Weapon), ("unit", Unit))
