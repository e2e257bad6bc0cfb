"""The blades with which somebody in a battle parries, and whether their power fields work where he stands."""

from __future__ import annotations

from battletape.clauses import clause
from battletape.rulesets.deathwatch.effects import FIELDS
from battletape.rulesets.deathwatch.field import Field, Fighter, Held
from battletape.rulesets.deathwatch.keywords import values
from battletape.rulesets.deathwatch.modifiers import parry_modifiers


@clause("DW-EVA-3", "DW-QUAL-UNWIELDY")
def in_turn(who: Fighter) -> tuple[Held, ...]:
    """The melee weapons in hand that parry, the best first."""
    fit = (one for one in who.blades if not one.qualities.unwieldy)
    return tuple(sorted(fit, key=lambda one: -sum(by.value for by in parry_modifiers(one.qualities))))


@clause("DW-QUAL-HAYWIRE", "DW-QUAL-POWER-FIELD")
def is_powered(field: Field, who: Fighter, held: Held) -> bool:
    """Whether the power field of a blade works: it has one, and nothing about him kills machines."""
    return held.qualities.power_field and not FIELDS[field.field_at(who)].blunts  # type: ignore[index]


@clause("DW-QUAL-HAYWIRE", "DW-QUAL-POWER-FIELD")
def unpowered(names: tuple[str, ...]) -> tuple[str, ...]:
    """The qualities of a blade whose power field does not work."""
    return tuple(one for one in names if not values((one,)).power_field)
