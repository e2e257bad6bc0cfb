"""The question shoot: what one volley does to a vehicle."""

from __future__ import annotations

from battletape.rulesets.vehicles5.questions import _inputs
from battletape.rulesets.vehicles5.questions._inputs import damage_headline, harmless, narrate
from battletape.rulesets.vehicles5.rules.shooting import TEMPLATE, Volley, begin_volleys, volley_by_volley
from battletape.rulesets.vehicles5.rulings import DEFAULT, Rulings
from battletape.system import Question, Table


class Shoot(_inputs.Target, frozen=True):
    """One volley: everything that one unit fires at the vehicle in one phase."""

    guns: _inputs.Guns = _inputs.FOUR_LASCANNONS
    cover: _inputs.Cover = None


def begin_shoot(inputs: Shoot, rules: Rulings = DEFAULT) -> Volley:
    """The vehicle and the shots of the volley."""
    shots = _inputs.volley_of(inputs.guns, inputs, inputs.cover, rules)
    return begin_volleys(_inputs.sound_condition(inputs, rules), [shots])


def laid_table(inputs: Shoot, rules: Rulings) -> Table | None:
    """Where templates and the rims of markers lie, and how hard they hit; none where nothing of the kind is fired."""
    rows = tuple(
        (gun.weapon or f"gun {at}", facing, str(strength))
        for at, gun in enumerate(inputs.guns, 1)
        if gun.rim or TEMPLATE in gun.rules
        for facing, strength in (_inputs.lies_on(gun),)
    )
    return Table("Sure hits", ("weapon", "side", "strength"), rows, "V5-SHOT-6") if rows else None


SHOOT = Question(
    "shoot",
    "What will a volley do to a vehicle?",
    Shoot,
    begin_shoot,
    volley_by_volley,
    (*_inputs.DAMAGE, *_inputs.EXPECTED),
    damage_headline,
    narrate,
    fill=lambda given, book: _inputs.fill_guns(_inputs.fill_targeted(given, book, Shoot), book),
    table=laid_table,
    warn=lambda inputs, rules: harmless(begin_shoot(inputs, rules).volleys[0]),
    rulings=_inputs.VOLLEY_RULINGS,
    example={"front": 12, "weapons": 1, "guns": [{"shots": 4, "bs": 4, "strength": 9, "ap": 2}]},
)
