"""The question on rending: how a packet is split, and what its two parts do, with Moonfang's blow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from battletape.cards import Inputs, Lead, Line, Measure, Question, Table, asked
from battletape.rulebook import Caution, Procedure, State, Tape, by_default, clause, replace
from battletape.rulesets.diceless40k import words
from battletape.rulesets.diceless40k.profiles.types import Ap, Least1, Save
from battletape.rulesets.diceless40k.questions._inputs import Dmg
from battletape.rulesets.diceless40k.rules import casualties
from battletape.rulesets.diceless40k.rules.characteristics import FEEL_NO_PAIN, Group
from battletape.rulesets.diceless40k.rules.saves import HUNDRED
from battletape.rulesets.diceless40k.rules.space_marines import moonfang_slays
from battletape.rulesets.diceless40k.rules.weapons import MOONFANG
from battletape.rulesets.diceless40k.rules.weapons import RENDING as RENDING_RULE
from battletape.rulesets.diceless40k.rulings import Rulings
from battletape.rulesets.diceless40k.tables.printed import saves_in_use

if TYPE_CHECKING:
    from battletape.answer import Answer


class RendingInputs(Inputs, frozen=True):
    """A rending packet, and the saves that there are against it."""

    dmg: Dmg = asked(90, "DMG", "DL-31.7", group="attacker")
    ap: Ap | None = asked(None, "AP", "DL-31.8", group="attacker", short="AP")
    strength: int = asked(4, "Strength, for feel no pain", "DL-75.1", group="attacker", ge=0, le=20)
    armour: Save | None = asked(3, "Armour save", "DL-31.8", group="target", short="Save")
    cover: Save | None = asked(None, "Cover save", "DL-31.8", group="target", form="circumstance", short="In cover")
    invulnerable: Save | None = asked(None, "Invulnerable save", "DL-31.8", group="target", short="Inv")
    toughness: Least1 = asked(4, "Toughness, for feel no pain", "DL-75.1", group="target")
    feel_no_pain: bool = asked(False, "Feel no pain", "DL-75.1", group="target")
    assault: bool = asked(False, "Blows", "DL-42.4", about=": cover does not help", group="circumstances")


class Split(State, frozen=True):
    """A rending packet, and its two parts."""

    target: casualties.Target
    packet: casualties.Packet
    parts: tuple[casualties.PacketPart, ...] = ()


@clause("DL-31.7", "DL-42.4")
def begin_rending(inputs: RendingInputs, rulings: Rulings) -> Split:
    """Return the packet and one model with these saves."""
    model = Group(
        "model",
        1,
        HUNDRED,
        toughness=inputs.toughness,
        armour=inputs.armour,
        invulnerable=inputs.invulnerable,
        rules=(FEEL_NO_PAIN,) if inputs.feel_no_pain else (),
    )
    target = casualties.Target((model,), rulings, inputs.cover, picks_save=False)
    return Split(
        target,
        casualties.Packet("packet", inputs.dmg, inputs.strength, inputs.ap, rending=True, assault=inputs.assault),
    )


@clause("DL-31.7", "DL-31.8")
def split_packet(tape: Tape, split: Split) -> Split:
    """Split the packet into the part that counts as AP2 and the one that is saved as normal, and save each."""
    dmg = split.packet.dmg
    split = replace(split, parts=casualties.parts_of(tape, split.target, split.target.groups[0], split.packet, dmg))
    tape.tell(split_lines, dmg, split.parts)
    if slays(split):
        tape.tell("From Moonfang the AP2 part would remove the model outright", clause="DL-SM-94.1")
    return split


def split_lines(dmg: int, parts: Sequence[casualties.PacketPart]) -> Iterator[Line]:
    """Show both look-ups, and each part through its save."""
    piercing, normal = parts
    text = f"{dmg} DMG: column 2+ gives {piercing.dmg} at AP2, column 6+ gives {normal.dmg} as normal"
    yield Line(text, ("DL-31.7",))
    for name, part in (("AP2 part", piercing), ("Normal part", normal)):
        yield Line(
            f"{name}: {casualties.part_text(part)}", ("DL-31.8", *casualties.part_clauses(part)), result=f"{part.hp} HP"
        )


@clause("DL-SM-94.1")
def slays(split: Split) -> bool:
    """Return whether Moonfang would remove the model outright."""
    piercing = split.parts[0]
    return moonfang_slays(piercing.dmg, piercing.after_save, split.target.rulings)


def rending_headline(answer: Answer) -> str:
    """Say both parts and what they come to."""
    ap2, normal, hp = (words.value(answer, name) for name in ("ap2", "normal", "hp_lost"))
    return f"{answer.inputs.dmg} DMG split into {ap2} at AP2 and {normal} as normal: {hp} HP lost."


def table(inputs: RendingInputs, rulings: Rulings) -> Table | None:
    """Show the cells of Table 1 that split the packet, and those of its parts."""
    split: Split = by_default((split_packet,), begin_rending(inputs, rulings))
    return saves_in_use([(inputs.dmg, "2+"), (inputs.dmg, "6+"), *((part.dmg, part.column) for part in split.parts)])


def warn_rending(inputs: RendingInputs, rulings: Rulings) -> Iterable[str | Caution]:
    """Warn where the parts do not add up."""
    total = sum(casualties.rending_split(inputs.dmg))
    if total != inputs.dmg:
        yield Caution(f"The parts are two separate look-ups and come to {total} DMG", "DL-31.7")


RENDING = Question(
    RENDING_RULE,
    "How does a rending packet split, and what do its parts do?",
    RendingInputs,
    begin_rending,
    Procedure("split", (split_packet,)),
    (
        Measure("hp_lost", "HP lost", lambda split: sum(part.hp for part in split.parts), "HP"),
        Measure("ap2", "DMG that counts as AP2", lambda split: split.parts[0].dmg, "DMG"),
        Measure("normal", "DMG as normal", lambda split: split.parts[1].dmg, "DMG"),
        Measure("hp_from_ap2", "HP lost to the AP2 part", lambda split: split.parts[0].hp, "HP"),
        Measure("hp_from_normal", "HP lost to the normal part", lambda split: split.parts[1].hp, "HP"),
        Measure("slays", "Moonfang would remove the model", lambda split: int(slays(split))),
    ),
    rending_headline,
    table=table,
    warn=warn_rending,
    example={"dmg": 90, "ap": 4, "armour": 3, "cover": 4},
    rulings=("feel_no_pain_order", MOONFANG),
    lead=(Lead("hp_lost", lambda answer: f"HP lost of {answer.inputs.dmg} DMG"),),
)
