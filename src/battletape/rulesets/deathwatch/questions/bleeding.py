"""The question bleeding: how long a bleeding character lives."""

from __future__ import annotations

from battletape.cards import Answer, Inputs, Lead, Measure, Question, asked
from battletape.rulebook import Caution, plural
from battletape.rulesets.deathwatch.profiles.types import Stat
from battletape.rulesets.deathwatch.rules import burning_and_bleeding as blood
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings

TRIES_NOTE = "one try at the end of each round, after the roll for death"


class BleedingInputs(Inputs, frozen=True):
    """A bleeding character, with or without a medic."""

    rounds: int = asked(5, "Rounds", "DW-BLOOD-1", group="circumstances", ge=1, le=100)
    medicae: Stat | None = asked(
        None,
        "Medicae of whoever treats the wound",
        "DW-BLOOD-2",
        about="none if nobody does",
        group="circumstances",
        note=TRIES_NOTE,
    )


def begin_bleeding(inputs: BleedingInputs, rulings: Rulings = DEFAULT) -> blood.BleedingState:
    """Return a character that has just begun to bleed."""
    medic = None if inputs.medicae is None else blood.treat_target(inputs.medicae, (), rulings)
    return blood.BleedingState(medic, rulings, inputs.rounds)


def bleeding_headline(answer: Answer) -> str:
    """Say how likely the character lives, and is treated."""
    treated = f"; treated {answer.chance('treated')}" if answer.start.medic is not None else ""
    return f"Alive after {plural(answer.inputs.rounds, 'round')} {answer.chance('alive')}{treated}."


def warn_bleeding(inputs: BleedingInputs, rulings: Rulings) -> list[str | Caution]:
    """Warn of medics that cannot help and of blood loss that cannot kill."""
    medic = begin_bleeding(inputs, rulings).medic
    if medic is not None and medic < 1 and rulings.auto_results == "none":
        return [Caution(f"a Medicae of {inputs.medicae} at -10 cannot help", "DW-BLOOD-2")]
    return (
        []
        if rulings.blood_loss_percent
        else [Caution("nobody dies of blood loss at blood_loss_percent 0", "DW-BLOOD-1")]
    )


BLEEDING = Question(
    "bleeding",
    "How long does a bleeding character live?",
    BleedingInputs,
    begin_bleeding,
    blood.bleeding,
    (
        Measure("alive", "Alive", lambda state: not state.dies_in),
        Measure("dies_in", "Dies in round (0 not)", lambda state: state.dies_in, "round"),
        Measure("treated_in", "Treated in round (0 not)", lambda state: state.treated_in, "round"),
        Measure("treated", "Treated", lambda state: state.treated_in > 0),
        Measure("bled", "Rounds of bleeding, without an end", blood.rounds_bled, "rounds"),
    ),
    bleeding_headline,
    warn=warn_bleeding,
    example={"rounds": 5, "medicae": 50},
    rulings=("blood_loss_percent", "modifier_cap", "auto_results"),
    lead=(Lead("alive", lambda answer: f"alive after {plural(answer.inputs.rounds, 'round')}"),),
)
