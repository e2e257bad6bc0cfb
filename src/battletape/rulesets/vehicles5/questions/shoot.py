"""The question shoot: what one volley does to a vehicle."""

from __future__ import annotations

from battletape.cards import Question, Table
from battletape.rulesets.vehicles5.questions import _inputs, _pictures
from battletape.rulesets.vehicles5.rules.keywords import TEMPLATE
from battletape.rulesets.vehicles5.rules.shooting import Volley, begin_volleys, volley_stages
from battletape.rulesets.vehicles5.rulings import Rulings


class ShootInputs(_inputs.TargetInputs, frozen=True):
    """One volley: everything that one unit fires at the vehicle in one phase."""

    guns: _inputs.Guns = _inputs.FOUR_LASCANNONS
    cover: _inputs.Cover = None


def begin_shoot(inputs: ShootInputs, rulings: Rulings) -> Volley:
    shots = _inputs.volley_of(inputs.guns, inputs, inputs.cover, rulings)
    return begin_volleys(_inputs.checked_condition(inputs, rulings), [shots])


def _laid_table(inputs: ShootInputs, rulings: Rulings) -> Table | None:
    rows = tuple(
        (gun.weapon or f"gun {number}", facing, str(strength))
        for number, gun in enumerate(inputs.guns, 1)
        if gun.rim or TEMPLATE in gun.rules
        for facing, strength in (_inputs.facing_and_strength(gun),)
    )
    return Table("Sure hits", ("weapon", "side", "strength"), rows, "V5-SHOT-6") if rows else None


SHOOT = Question(
    "shoot",
    "What will a volley do to a vehicle?",
    ShootInputs,
    begin_shoot,
    volley_stages,
    (*_inputs.DAMAGE, *_inputs.EXPECTED),
    _inputs.damage_headline,
    fill=lambda given, book: _inputs.fill_guns(_inputs.fill_targeted(given, book, ShootInputs), book),
    table=_laid_table,
    warn=lambda inputs, rulings: _inputs.harmless_warnings(begin_shoot(inputs, rulings).volleys[0]),
    rulings=_inputs.VOLLEY_RULINGS,
    result=_inputs.damage_result,
    outlines=_pictures.SHOT_AT,
    example={"vehicle": "Anvil battle tank", "guns": [{"weapon": "Lascannon", "models": 3, "facing": "side"}]},
    small={"front": 12, "weapons": 1, "guns": [{"shots": 4, "bs": 4, "strength": 9, "ap": 2}]},
    lead=_inputs.DAMAGE_LEAD,
)
