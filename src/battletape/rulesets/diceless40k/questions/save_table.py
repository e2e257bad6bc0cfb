"""The question `save_table`: what a save makes of some DMG, with the cell of Table 1."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from battletape.cards import Inputs, Lead, Line, Measure, Question, Table, asked
from battletape.rulebook import Caution, Procedure, State, Tape, clause, replace, without_luck
from battletape.rulesets.diceless40k.profiles.types import Ap, Least1, Save
from battletape.rulesets.diceless40k.questions._inputs import Dmg
from battletape.rulesets.diceless40k.rules import casualties
from battletape.rulesets.diceless40k.rules.characteristics import (
    FEEL_NO_PAIN,
    REROLL_SAVED,
    REROLL_SAVES,
    VULNERABLE,
    Group,
)
from battletape.rulesets.diceless40k.rules.saves import HUNDRED, look_up
from battletape.rulesets.diceless40k.rulings import Rulings
from battletape.rulesets.diceless40k.tables.printed import saves_in_use

if TYPE_CHECKING:
    from battletape.answer import Answer


class SaveTableInputs(Inputs, frozen=True):
    """Some DMG, and the saves that there are against it."""

    dmg: Dmg = asked(32, "DMG", "DL-20.1", group="attacker")
    ap: Ap | None = asked(None, "AP", "DL-20.1", group="attacker", short="AP")
    strength: int = asked(0, "Strength, for feel no pain", "DL-75.1", group="attacker", ge=0, le=20)
    armour: Save | None = asked(3, "Armour save", "DL-20.1", group="target", short="Save")
    cover: Save | None = asked(None, "Cover save", "DL-20.1", group="target", form="circumstance", short="In cover")
    invulnerable: Save | None = asked(None, "Invulnerable save", "DL-20.1", group="target", short="Inv")
    toughness: Least1 = asked(4, "Toughness, for feel no pain", "DL-75.1", group="target")
    reroll_failed: bool = asked(False, "Failed saves may be re-rolled", "DL-20.5", group="target")
    reroll_successful: bool = asked(False, "Successful saves must be re-rolled", "DL-20.6", group="target")
    null_zone: bool = asked(
        False, "In a null zone", "DL-SM-57.2", group="target", form="circumstance", short="Null zone"
    )
    feel_no_pain: bool = asked(False, "Feel no pain", "DL-75.1", group="target")
    fragile: bool = asked(False, "Vulnerable to blasts and templates", "DL-76.3", group="target")
    gone_to_ground: bool = asked(
        False, "Gone to ground", "DL-20.1", group="target", form="circumstance", short="Gone to ground"
    )
    area: bool = asked(False, "A blast or template", "DL-76.3", group="circumstances")
    assault: bool = asked(False, "Blows", "DL-38.1", about=": cover does not help", group="circumstances")
    ignores_armour: bool = asked(False, "Never allows armour", "DL-75.1", group="circumstances")
    ignores_cover: bool = asked(False, "Ignores cover", "DL-20.1", group="circumstances")


class SaveLookUp(State, frozen=True):
    """DMG about to be looked up, and what came of it."""

    target: casualties.Target
    packet: casualties.Packet
    part: casualties.PacketPart | None = None


@clause("DL-20.1", "DL-20.5", "DL-20.6", "DL-75.1", "DL-76.3", "DL-SM-57.2")
def begin_save_table(inputs: SaveTableInputs, rulings: Rulings) -> SaveLookUp:
    """Return the DMG and one model with these saves."""
    named = {
        REROLL_SAVES: inputs.reroll_failed,
        REROLL_SAVED: inputs.reroll_successful,
        FEEL_NO_PAIN: inputs.feel_no_pain,
        VULNERABLE: inputs.fragile,
    }
    model = Group(
        "model",
        1,
        HUNDRED,
        toughness=inputs.toughness,
        armour=inputs.armour,
        invulnerable=inputs.invulnerable,
        rules=tuple(name for name, has in named.items() if has),
    )
    target = casualties.Target(
        (model,),
        rulings,
        inputs.cover,
        inputs.gone_to_ground,
        inputs.null_zone,
        picks_save=False,
    )
    packet = casualties.Packet(
        "damage",
        inputs.dmg,
        inputs.strength,
        inputs.ap,
        area=inputs.area,
        assault=inputs.assault,
        ignores_armour=inputs.ignores_armour,
        ignores_cover=inputs.ignores_cover,
    )
    return SaveLookUp(target, packet)


@clause("DL-20.1", "DL-20.3", "DL-20.4")
def look_up_save(tape: Tape, lookup: SaveLookUp) -> SaveLookUp:
    """Find the save that helps most, its column, and the HP that come through."""
    packet = lookup.packet
    part = casualties.resolve_part(tape, lookup.target, lookup.target.groups[0], packet, packet.dmg, packet.ap)
    tape.tell(save_lines, part)
    return replace(lookup, part=part)


def save_lines(part: casualties.PacketPart) -> Iterator[Line]:
    """Say which save is used, and how the table is read."""
    if part.save is not None:
        yield Line(f"The save used: {part.save_kind} {part.save}+, column {part.column}", ("DL-20.1",))
    else:
        yield Line("No save helps", ("DL-20.3",))
    hundreds, rest = divmod(part.dmg, HUNDRED)
    if hundreds and part.column != "none":
        column = int(part.column[0])
        rows = f"{hundreds} × {look_up(HUNDRED, column)} for {HUNDRED}, {look_up(rest, column)} for {rest}"
        yield Line(f"Over {HUNDRED}: {rows}", ("DL-20.4",))
    yield Line(casualties.part_text(part), casualties.part_clauses(part), result=f"{part.hp} HP")


def part_of(lookup: SaveLookUp) -> casualties.PacketPart:
    """Return the part after its save."""
    assert lookup.part is not None
    return lookup.part


def save_table_headline(answer: Answer) -> str:
    """Show the way from DMG to HP in one line."""
    (lookup,) = answer.states.weights
    return f"{casualties.part_text(part_of(lookup))}."


def table(inputs: SaveTableInputs, rulings: Rulings) -> Table | None:
    """Show Table 1 with the cell in use."""
    lookup: Any = without_luck(SAVE, begin_save_table(inputs, rulings))
    return saves_in_use([(inputs.dmg, part_of(lookup).column)])


def warn_save_table(inputs: SaveTableInputs, rulings: Rulings) -> Iterable[str | Caution]:
    """Warn of what changes nothing."""
    if inputs.cover is not None and (inputs.assault or inputs.ignores_cover):
        yield Caution("Cover does not help here", "DL-20.1")
    if inputs.fragile and not inputs.area:
        yield Caution("Only blasts and templates hurt the vulnerable doubly", "DL-76.3")


SAVE = Procedure("save", (look_up_save,))
SAVE_TABLE = Question(
    "save_table",
    "What does a save make of some damage?",
    SaveTableInputs,
    begin_save_table,
    SAVE,
    (
        Measure("hp_lost", "HP lost", lambda lookup: part_of(lookup).hp, "HP"),
        Measure("after_save", "HP after the save", lambda lookup: part_of(lookup).after_save, "HP"),
        Measure(
            "save",
            "Save used",
            lambda lookup: part_of(lookup).save or 0,
            words=lambda save: f"{save}+" if save else "none",
        ),
        Measure("column", "Column of Table 1", lambda lookup: part_of(lookup).column),
        Measure("feels_no_pain", "Feel no pain may be used", lambda lookup: int(part_of(lookup).felt_no_pain)),
    ),
    save_table_headline,
    table=table,
    warn=warn_save_table,
    example={"dmg": 128, "armour": 3},
    rulings=("save_shifts", "feel_no_pain_order", "vulnerable"),
    lead=(Lead("hp_lost", lambda answer: f"HP lost of {answer.inputs.dmg} DMG"),),
)
