"""The question `casualties`: what some damage does to a unit, by any cause."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Literal

from battletape.cards import Lead, Measure, Question, Rank, Table, asked
from battletape.rulebook import Caution, Line, Procedure, State, Tape, capital, clause, plural, replace
from battletape.rulesets.diceless40k import words
from battletape.rulesets.diceless40k.profiles.types import Ap
from battletape.rulesets.diceless40k.questions import _inputs
from battletape.rulesets.diceless40k.rules.casualties import Packet, Target, even_share, is_instant_death, resolve
from battletape.rulesets.diceless40k.rules.characteristics import Group
from battletape.rulesets.diceless40k.rules.morale import must_check, no_retreat
from battletape.rulesets.diceless40k.rules.movement import Hazard, cross_dangerous_terrain
from battletape.rulesets.diceless40k.rules.passengers import bystander_packet
from battletape.rulesets.diceless40k.rules.psykers import PERILS
from battletape.rulesets.diceless40k.rules.space_marines import pass_gate, spring_mines
from battletape.rulesets.diceless40k.rulings import Rulings

if TYPE_CHECKING:
    from battletape.answer import Answer

Cause = Literal[
    "packet", "dangerous_terrain", "explosion_nearby", "no_retreat", "perils", "cluster_mines", "gate_of_infinity"
]
CLAUSES: dict[Cause, str] = {
    "packet": "DL-25.3",
    "dangerous_terrain": "DL-14.2",
    "explosion_nearby": "DL-67.1",
    "no_retreat": "DL-44.4",
    "perils": "DL-50.6",
    "cluster_mines": "DL-SM-67.1",
    "gate_of_infinity": "DL-SM-57.4",
}


class CasualtiesInputs(_inputs.TargetInputs, frozen=True):
    """A unit, and what hurts it."""

    cause: Cause = asked("packet", "What hurts it", "DL-25.2", group="attacker")
    dmg: _inputs.Dmg = asked(45, "DMG of a packet, or the difference it does not retreat from", group="attacker")
    strength: int = asked(4, "Strength, for instant death", "DL-26.1", group="attacker", ge=0, le=20)
    ap: Ap | None = asked(None, "AP", "DL-20.1", group="attacker", short="AP")
    shots: int = asked(1, "Shots it is made of", "DL-26.1", group="attacker", ge=1, le=1000)
    rends: bool = asked(False, "It rends", "DL-31.7", group="attacker")
    area: bool = asked(False, "A blast or template", "DL-76.3", group="attacker")
    assault: bool = asked(False, "Blows", "DL-38.1", about=": cover does not help", group="attacker")
    ignores_armour: bool = asked(False, "Never allows armour", "DL-20.3", group="attacker")
    ignores_cover: bool = asked(False, "Ignores cover", "DL-20.1", group="attacker")
    dmg_per_model: int = asked(10, "DMG of terrain per model", "DL-14.4", group="circumstances", ge=0, le=1000)
    dmg_per_inch: int = asked(0, "Or per inch", "DL-14.4", group="circumstances", ge=0, le=1000)
    inches: float = asked(0.0, "Inches in the terrain", "DL-14.4", group="circumstances", ge=0, le=240)
    crossings: int = asked(1, "Times it is entered or left", "DL-14.2", group="circumstances", ge=0, le=20)


class HurtUnit(State, frozen=True):
    """A unit about to be hurt, by what, and how it stands afterwards."""

    target: Target
    packet: Packet
    cause: Cause = "packet"
    hazard: Hazard = Hazard()
    inches: float = 0
    crossings: int = 1
    models_before: int = 0


@clause("DL-25.1", "DL-25.2", "DL-67.1", "DL-44.4", "DL-50.6")
def begin_casualties(inputs: CasualtiesInputs, rulings: Rulings) -> HurtUnit:
    """Return the unit in its groups, and the packet."""
    target = _inputs.target_of(inputs, rulings)
    packets = {
        "packet": Packet(
            "damage",
            inputs.dmg,
            inputs.strength,
            inputs.ap,
            inputs.shots,
            inputs.rends,
            inputs.area,
            inputs.assault,
            inputs.ignores_armour,
            inputs.ignores_cover,
        ),
        "explosion_nearby": bystander_packet(target.models, rulings),
        "no_retreat": no_retreat(inputs.dmg),
        "perils": PERILS,
    }
    packet = packets.get(inputs.cause, packets["packet"])
    hazard = Hazard(inputs.dmg_per_model, inputs.dmg_per_inch)
    return HurtUnit(target, packet, inputs.cause, hazard, inputs.inches, inputs.crossings, target.models)


@clause("DL-25.2", "DL-25.3", "DL-24.1", "DL-14.2", "DL-SM-67.1", "DL-SM-57.4")
def hurt_unit(tape: Tape, state: HurtUnit) -> HurtUnit:
    """Spread over the models, saved by group, and taken off."""
    if state.cause == "packet" and len(state.target.groups) > 1:
        models = state.target.models
        share = even_share(state.packet.dmg, models)
        text = "{} DMG on {} models: {} each, {} left over"
        tape.tell(text, state.packet.dmg, models, *share, clause="DL-25.2")
    state = tape.call(_resolve_cause, state)
    dmg = state.target.losses.dmg
    tape.tell(Line, f"{dmg} DMG in all", (CLAUSES[state.cause],), result=f"{dmg} DMG")
    return state


def _resolve_cause(tape: Tape, state: HurtUnit) -> HurtUnit:
    if state.cause == "dangerous_terrain":
        return replace(
            state, target=cross_dangerous_terrain(tape, state.target, state.hazard, state.inches, state.crossings)
        )
    if state.cause == "cluster_mines":
        return replace(state, target=spring_mines(tape, state.target))
    if state.cause == "gate_of_infinity":
        goes = tape.choose(("taken along", "left behind"), by=state.target.by, label="the unit at the gate")
        return state if goes == "left behind" else replace(state, target=tape.call(pass_gate, state.target))
    return replace(state, target=resolve(tape, state.target, state.packet))


def casualties_headline(answer: Answer) -> str:
    """Say how many fall, and what is recorded."""
    return losses_headline(answer, answer.start.target)


CASUALTIES_LEAD = (
    Lead("removed", lambda answer: f"of {plural(answer.start.target.models, 'model')} {_falls(answer)}"),
    Lead("hp_lost", "HP lost; nobody falls"),
)
"""What the table asks first of a unit: how many fall, else the HP."""


def ranks_of(before: Sequence[Group], after: Sequence[Group]) -> Iterable[Rank]:
    """Return every group of a unit: how many it had, how many stand, and what the one in front has left."""
    left = {group.name: group for group in after}
    for group in before:
        now = left.get(group.name)
        if now is None or not now.models:
            yield Rank(group.name, group.models, 0)
        else:
            hp = f"{now.hp - now.recorded} of {now.hp} HP" if now.recorded else ""
            yield Rank(group.name, group.models, now.models, hp)


def casualties_ranks(answer: Answer) -> Iterable[Rank]:
    """Return the models that fall and that stand, for every question that hurts a unit."""
    (state,) = answer.states.weights
    return ranks_of(answer.start.target.groups, state.target.groups)


def _falls(answer: Answer) -> str:
    return "falls" if words.value(answer, "removed") == 1 else "fall"


def losses_headline(answer: Answer, before: Target) -> str:
    """Say how many models fall, and the DMG and HP of it, for every question that hurts a unit."""
    dmg, hp, removed = (words.value(answer, name) for name in ("dmg", "hp_lost", "removed"))
    left = words.value(answer, "models_left")
    fall = "nobody falls" if not removed else f"{removed} of {plural(before.models, 'model')} {_falls(answer)}"
    if not left:
        fall = "nobody is left"
    recorded = words.value(answer, "recorded")
    kept = f", {recorded} HP recorded" if left and recorded else ""
    other = words.open_choices(answer, removed="models removed", hp_removed="HP off the sheet")
    return f"{capital(fall)}{kept}: {dmg} DMG, {hp} HP lost.{other}"


def table(inputs: CasualtiesInputs, rulings: Rulings) -> Table | None:
    """Show the cells of Table 1 that the damage is looked up in."""
    return _inputs.saves_used(HURTING, begin_casualties(inputs, rulings))


def warn_casualties(inputs: CasualtiesInputs, rulings: Rulings) -> Iterable[str | Caution]:
    """Warn of what is unusual."""
    yield from _inputs.warn_troops(inputs)
    if inputs.cause == "perils" and (inputs.models > 1 or inputs.others):
        yield Caution("The perils of the warp meet the psyker alone", "DL-50.6")


def _dmg(state: HurtUnit) -> int:
    return state.target.losses.dmg


def _recorded(state: HurtUnit) -> int:
    return sum(group.recorded for group in state.target.groups)


def _is_deadly(state: HurtUnit) -> int:
    return int(any(is_instant_death(state.packet.strength, group.own_toughness) for group in state.target.groups))


def _overkill(state: HurtUnit) -> int:
    return state.target.losses.overkill


HURTING = Procedure("casualties", (hurt_unit,))
CASUALTIES = Question(
    "casualties",
    "What does some damage do to a unit?",
    CasualtiesInputs,
    begin_casualties,
    HURTING,
    (
        Measure("removed", "Models removed", lambda state: state.target.removed, "models"),
        Measure("models_left", "Models left", lambda state: state.target.models, "models", low_for=("attacker",)),
        Measure("recorded", "Damage recorded afterwards", _recorded, "HP"),
        Measure("dmg", "Damage before saves", _dmg, "DMG"),
        Measure(
            "per_model", "DMG of every model", lambda state: even_share(_dmg(state), state.models_before)[0], "DMG"
        ),
        Measure("leftover", "DMG left over", lambda state: even_share(_dmg(state), state.models_before)[1], "DMG"),
        Measure("hp_lost", "HP that come through", lambda state: state.target.losses.hp, "HP"),
        Measure("hp_removed", "HP taken off the sheet", lambda state: state.target.hp_removed, "HP"),
        Measure("overkill", "HP beyond what it had", _overkill, "HP"),
        Measure("instant_death", "Strong enough for instant death", _is_deadly),
        Measure("hp_each", "HP of each model of its main group", lambda state: state.target.groups[-1].hp, "HP"),
        Measure(
            "tests",
            "A morale test at the end of the phase",
            lambda state: int(must_check(state.models_before, state.target.removed)),
        ),
    ),
    casualties_headline,
    fill=_inputs.fill_troops,
    table=table,
    warn=warn_casualties,
    example={"unit": "Space Marines", "dmg": 322, "ap": 5},
    small={
        "dmg": 322,
        "ap": 5,
        "models": 2,
        "others": [{"name": "sergeant", "armour": 3}, {"name": "launchers", "models": 2, "armour": 3}],
    },
    rulings=("gate_damage", "bystanders", "dangerous_per", *_inputs.TROOP_RULINGS),
    lead=CASUALTIES_LEAD,
    ranks=casualties_ranks,
)
