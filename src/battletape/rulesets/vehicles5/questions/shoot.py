"""The question shoot: what one volley does to a vehicle."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from battletape.inputs import meta
from battletape.profiles import ProfileBook
from battletape.rulesets.vehicles5.questions import _rulings
from battletape.rulesets.vehicles5.questions._inputs import (
    COVER,
    DAMAGE,
    EXPECTED,
    FOUR_LASCANNONS,
    Gun,
    Save,
    Target,
    fill_guns,
    fill_targeted,
    lies_on,
    refuse_silence,
    sound_condition,
    volley_of,
)
from battletape.rulesets.vehicles5.rules.shooting import Volley, begin_volleys, firing
from battletape.rulesets.vehicles5.rules.special_rules import TEMPLATE
from battletape.rulesets.vehicles5.rulings import DEFAULT, Rulings
from battletape.rulesets.vehicles5.words import damage_headline, harmless, narrate
from battletape.system import Question, Table


class Shoot(Target, frozen=True):
    """One volley: everything that one unit fires at the vehicle in one phase."""

    guns: Annotated[tuple[Gun, ...], meta("attacker", "Guns, in firing order", "V5-VOLLEY-1")] = FOUR_LASCANNONS
    cover: Annotated[Save | None, COVER] = None


def begin_shoot(inputs: Shoot, rules: Rulings = DEFAULT) -> Volley:
    """The vehicle and the shots of the volley."""
    refuse_silence(inputs.guns)
    return begin_volleys(sound_condition(inputs, rules), [volley_of(inputs.guns, inputs, inputs.cover, rules)])


def fill_shoot(given: Mapping[str, Any], found: ProfileBook) -> dict[str, Any]:
    """Profiles of the vehicle and of the guns written out."""
    return fill_guns(fill_targeted(given, found, Shoot), found)


def laid_table(inputs: Shoot, rules: Rulings) -> Table | None:
    """Where templates and the rims of markers lie, and how hard they hit; none where nothing of the kind is fired."""
    rows = tuple(
        (gun.weapon or f"gun {at}", facing, str(strength))
        for at, gun in enumerate(inputs.guns, 1)
        if gun.rim or TEMPLATE in gun.rules
        for facing, strength in (lies_on(gun),)
    )
    return Table("Sure hits", ("weapon", "side", "strength"), rows, "V5-SHOT-6") if rows else None


def _warn_shoot(inputs: Shoot, rules: Rulings) -> list[str]:
    return harmless(begin_shoot(inputs, rules).volleys[0])


SHOOT = Question(
    "shoot",
    "What will a volley do to a vehicle?",
    Shoot,
    begin_shoot,
    firing,
    (*DAMAGE, *EXPECTED),
    damage_headline,
    narrate,
    fill=fill_shoot,
    table=laid_table,
    warn=_warn_shoot,
    rulings=_rulings.SHOOT,
    example={"front": 12, "weapons": 1, "guns": [{"shots": 4, "bs": 4, "strength": 9, "ap": 2}]},
)
