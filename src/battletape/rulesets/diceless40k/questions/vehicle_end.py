"""The question `vehicle_end`: what becomes of models in and near a vehicle that is wrecked or explodes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from battletape.cards import Lead, Line, Measure, Question, Rank, asked
from battletape.rulebook import Procedure, Tape, clause, plural, replace
from battletape.rulesets.diceless40k import words
from battletape.rulesets.diceless40k.profiles.types import Leadership
from battletape.rulesets.diceless40k.questions._inputs import (
    TROOP_RULINGS,
    Op,
    TargetInputs,
    fill_troops,
    target_of,
)
from battletape.rulesets.diceless40k.questions.casualties import ranks_of
from battletape.rulesets.diceless40k.rules import passengers
from battletape.rulesets.diceless40k.rules.casualties import Losses
from battletape.rulesets.diceless40k.rules.damage_rows import Result
from battletape.rulesets.diceless40k.rules.passengers import CHRONUS_MAX_HP, VehicleDestruction, chronus_hp
from battletape.rulesets.diceless40k.rulings import Rulings

if TYPE_CHECKING:
    from battletape.answer import Answer


class VehicleEndInputs(TargetInputs, frozen=True):
    """A vehicle that comes to its end, and its passengers."""

    end: Result = asked("explodes", "The last result on its rows", "DL-67.1", group="circumstances")
    open_topped: bool = asked(False, "It is open-topped", "DL-70.1", group="circumstances")
    ld: Leadership = asked(8, "Ld of the passengers", "DL-67.2", group="target")
    op: Op = asked(0, "Order points of the passengers", "DL-67.2", group="target")


@clause("DL-67.1", "DL-70.1")
def begin_vehicle_end(inputs: VehicleEndInputs, rulings: Rulings) -> VehicleDestruction:
    """Return the vehicle with its passengers."""
    target = target_of(inputs, rulings)
    groups = tuple(
        replace(group, ld=max(group.ld if at < len(inputs.others) else 0, inputs.ld))
        for at, group in enumerate(target.groups)
    )
    return VehicleDestruction(
        inputs.end, inputs.open_topped, replace(target, groups=groups), inputs.op, rulings=rulings
    )


@clause("DL-SM-89.1")
def commander_hp(destruction: VehicleDestruction) -> int:
    """Return the HP of a tank commander that survives the end of the tank."""
    return chronus_hp(destruction.end)


def _losses(destruction: VehicleDestruction) -> Losses:
    assert destruction.passengers is not None
    return destruction.passengers.losses


@clause("DL-SM-89.1")
def spare_commander(tape: Tape, destruction: VehicleDestruction) -> VehicleDestruction:
    """Say with how many HP a tank commander would get out."""
    left = commander_hp(destruction)
    text = f"Chronus, if in command of it, would live with {left} of {CHRONUS_MAX_HP} HP"
    tape.tell(Line, text, result=str(left))
    return destruction


ENDING = Procedure("vehicle end", (*passengers.VEHICLE_END.stages, spare_commander))


def vehicle_end_headline(answer: Answer) -> str:
    """Say what the end of a vehicle does to its passengers."""
    (destruction,) = answer.states.weights
    dmg, hp, removed = (words.value(answer, name) for name in ("dmg", "hp_lost", "removed"))
    hurt = f"{dmg} DMG inside, {hp} HP lost, {plural(removed, 'model')} removed" if dmg else "Nobody inside is hurt"
    if not destruction.is_destroyed:
        return "The vehicle is not destroyed: nobody inside is hurt, and nobody takes a pinning test."
    if destruction.test is None:
        return f"{hurt}; nobody takes a pinning test."
    return f"{hurt}; the pinning test is {'passed' if destruction.test.passed else 'failed'}."


def _ranks(answer: Answer) -> Iterable[Rank]:
    (destruction,) = answer.states.weights
    return ranks_of(answer.start.passengers.groups, destruction.passengers.groups)


VEHICLE_END = Question(
    "vehicle_end",
    "What becomes of the passengers when a vehicle is destroyed?",
    VehicleEndInputs,
    begin_vehicle_end,
    ENDING,
    (
        Measure("removed", "Passengers removed", lambda destruction: destruction.passengers.removed, "models"),
        Measure("dmg", "DMG inside", lambda destruction: _losses(destruction).dmg, "DMG"),
        Measure("hp_lost", "HP that come through", lambda destruction: _losses(destruction).hp, "HP"),
        Measure(
            "models_left",
            "Passengers left",
            lambda destruction: destruction.passengers.models,
            "models",
            low_for=("attacker",),
        ),
        Measure("tests", "A pinning test is taken", lambda destruction: int(destruction.test is not None)),
        Measure("pinned", "They go to ground", lambda destruction: int(destruction.pinned)),
        Measure(
            "op_after",
            "Order points afterwards",
            lambda destruction: destruction.test.op if destruction.test else destruction.op,
            "OP",
        ),
        Measure("commander_hp", "HP of a tank commander who survives", commander_hp, "HP"),
        Measure("commander_most", "HP that the commander may have", lambda destruction: CHRONUS_MAX_HP, "HP"),
    ),
    vehicle_end_headline,
    fill=fill_troops,
    example={"unit": "Ork Boyz"},
    small={"models": 10, "armour": 3},
    rulings=TROOP_RULINGS,
    ranks=_ranks,
    lead=(
        Lead("removed", lambda answer: "model removed" if words.value(answer, "removed") == 1 else "models removed"),
        Lead("hp_lost", "HP lost inside"),
    ),
)
