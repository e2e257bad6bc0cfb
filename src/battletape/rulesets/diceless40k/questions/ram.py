"""The question `ram`: what both vehicles suffer when one rams the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal

from battletape.cards import Inputs, Lead, Measure, ProfileBook, Question, Table, asked
from battletape.rulebook import Caution, by_default, capital, clause, plural
from battletape.rulesets.diceless40k import words
from battletape.rulesets.diceless40k.profiles.types import Armour
from battletape.rulesets.diceless40k.questions import _pictures
from battletape.rulesets.diceless40k.questions._inputs import Names, lines_used
from battletape.rulesets.diceless40k.questions.shoot_vehicle import HULL_RULINGS
from battletape.rulesets.diceless40k.rules.damage_rows import new_sheet
from battletape.rulesets.diceless40k.rules.ramming import RAM as RAMMING
from battletape.rulesets.diceless40k.rules.ramming import Ram, Rammer, ram_of, refuse_ram
from battletape.rulesets.diceless40k.rules.vehicles import VehicleAttack
from battletape.rulesets.diceless40k.rulings import Rulings
from battletape.table.facings import armour_at

if TYPE_CHECKING:
    from battletape.answer import Answer

Side = Literal["front", "side", "rear"]


class RamInputs(Inputs, frozen=True):
    """A tank that rams a vehicle."""

    rammer: str = asked("", "Vehicle profile of the rammer", group="attacker", profile="vehicle")
    rammer_av: Armour = asked(13, "Its armour at the impact", "DL-69.1", group="attacker")
    rammer_tank: bool = asked(True, "It is a tank", "DL-69.1", group="attacker")
    rammer_weapons: Names = asked(("weapon",), "Weapons it has left", "DL-60.17", group="attacker", profile="weapon")
    inches: float = asked(12.0, "Inches driven before the impact", "DL-69.1", group="circumstances", ge=0, le=60)
    target: str = asked("", "Vehicle profile of the target", group="target", profile="vehicle")
    struck: Side = asked(
        "side", "Side of the profile that is struck", "DL-69.1", group="target", form="facing", short="Side struck"
    )
    target_av: Armour = asked(11, "Its armour at the impact", "DL-69.1", group="target")
    target_tank: bool = asked(False, "It is a tank", "DL-69.1", group="target")
    target_skimmer: bool = asked(False, "It is a skimmer", "DL-71.1", group="target")
    target_weapons: Names = asked(("weapon",), "Weapons it has left", "DL-60.17", group="target", profile="weapon")


@clause("DL-69.1", "DL-71.1")
def begin_ram(inputs: RamInputs, rulings: Rulings) -> Ram:
    """Return both vehicles before the impact."""
    sheets = new_sheet(inputs.rammer_weapons, rulings=rulings), new_sheet(inputs.target_weapons, rulings=rulings)
    rammer = Rammer(inputs.rammer_av, inputs.rammer_tank)
    return ram_of(
        sheets,
        rammer,
        Rammer(inputs.target_av, inputs.target_tank, inputs.target_skimmer),
        inputs.inches,
        rulings=rulings,
    )


def ram_headline(answer: Answer) -> str:
    """Say what becomes of both vehicles."""
    (ram,) = answer.states.weights
    return f"The target takes {_blow(ram.target)}; the rammer takes {_blow(ram.rammer)}."


def _blow(attack: VehicleAttack) -> str:
    (result,) = attack.packet_results
    if result.line is None:
        return "nothing"
    hits = f"{attack.glancing} glancing and {plural(attack.penetrating, 'penetrating hit')}"
    return f"{result.dmg} DMG on line {result.line}, {hits}"


def fill_ram(given: Mapping[str, Any], book: ProfileBook) -> dict[str, Any]:
    """Fill in the numbers of named vehicles; the rammer meets the target with its front."""
    filled = dict(given)
    if given.get("rammer"):
        vehicle = book.find("vehicle", str(given["rammer"]))
        numbers = {"rammer_av": vehicle.front, "rammer_tank": "tank" in vehicle.types}
        filled = {**numbers, "rammer_weapons": list(vehicle.weapons), **filled, "rammer": vehicle.name}
    if given.get("target"):
        vehicle = book.find("vehicle", str(given["target"]))
        numbers = {
            "target_av": armour_at(vehicle, given.get("struck", "side")),
            "target_tank": "tank" in vehicle.types,
            "target_skimmer": "skimmer" in vehicle.types,
        }
        filled = {**numbers, "target_weapons": list(vehicle.weapons), **filled, "target": vehicle.name}
    return filled


def table(inputs: RamInputs, rulings: Rulings) -> Table:
    """Show Table 4, with the lines that the target's sheet is written on."""
    return lines_used(by_default(RAMMING, begin_ram(inputs, rulings)).target)


def warn_ram(inputs: RamInputs, rulings: Rulings) -> Iterable[str | Caution]:
    """Warn of what is unusual."""
    refused = refuse_ram(("tank",) if inputs.rammer_tank else (), new_sheet(inputs.rammer_weapons, rulings=rulings))
    if refused is not None:
        yield Caution(capital(refused.reason), refused.clause)
    if inputs.inches < 6:
        yield Caution("A ram is driven at top speed; so short a way adds little Strength", "DL-69.1")


def _on(which: str, what: str) -> Callable[[Ram], Any]:
    def measured(ram: Ram) -> Any:
        attack: VehicleAttack = getattr(ram, which)
        found = {
            "strength": attack.packet_results[0].packet.strength,
            "dmg": attack.packet_results[0].dmg,
            "line": attack.packet_results[0].line or "none",
            "glancing": attack.glancing,
            "penetrating": attack.penetrating,
            "destroyed": int(bool(attack.damage.destroyed)),
        }
        return found[what]

    return measured


TITLES = {
    "penetrating": "Penetrating hits on the",
    "glancing": "Glancing hits on the",
    "destroyed": "Destroyed: the",
    "strength": "Strength of the blow on the",
    "dmg": "DMG on the",
    "line": "Line of the",
}
UNITS = {"penetrating": "hits", "glancing": "hits", "strength": "S", "dmg": "DMG"}
RAM = Question(
    "ram",
    "What happens when a tank rams a vehicle?",
    RamInputs,
    begin_ram,
    RAMMING,
    tuple(
        Measure(f"{which}_{what}", f"{title} {which}", _on(which, what), UNITS.get(what, ""), low_for=(side,))
        for which, side in (("target", "defender"), ("rammer", "attacker"))
        for what, title in TITLES.items()
    ),
    ram_headline,
    fill=fill_ram,
    table=table,
    warn=warn_ram,
    outlines=_pictures.RAMMED,
    example={"rammer": "Land Raider", "target": "Trukk", "inches": 12},
    small={"rammer_av": 14, "target_av": 11, "inches": 12},
    rulings=("rammer_skimmer", *HULL_RULINGS),
    lead=(
        Lead(
            "target_penetrating",
            lambda answer: f"penetrating and {words.value(answer, 'target_glancing')} glancing hits on the target",
        ),
        Lead("target_glancing", "glancing hits on the target"),
        Lead("target_dmg", "DMG on the target, but no hit"),
    ),
)
