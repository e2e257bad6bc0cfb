"""The end of a fight: its result, tests, falling back, sweeping advances, consolidation, hit and run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from battletape.cards import Measure
from battletape.rulebook import Line, Procedure, Refused, Tape, capital, clause, replace
from battletape.rulebook import inches as inches_text
from battletape.rulesets.diceless40k.rules import morale
from battletape.rulesets.diceless40k.rules.blows import Fate, Fight, Fighter, strike_in_order
from battletape.rulesets.diceless40k.rules.casualties import Losses, resolve
from battletape.rulesets.diceless40k.rules.characteristics import HIT_AND_RUN, Group, majority
from battletape.rulesets.diceless40k.rules.leadership import leadership_line
from battletape.rulesets.diceless40k.rulings import DEFAULT, Rulings

CONSOLIDATION = 4  # inches
HIT_AND_RUN_INCHES = 10


# --- the result -------------------------------------------------------------------------------------------------------


@clause("DL-44.1", "DL-44.3")
def find_result(tape: Tape, fight: Fight) -> Fight:
    """Find the loser: the side that lost more HP, or that is destroyed alone."""
    first, second = fight.sides
    lost = _hp_lost(fight, first), _hp_lost(fight, second)
    extra = _extra_hp(fight, first), _extra_hp(fight, second)
    outcome = morale.assault_result(lost, extra)
    loser = "" if outcome.loser is None else fight.sides[outcome.loser]
    stood = sum(unit.models for unit in fight.units_of(first)), sum(unit.models for unit in fight.units_of(second))
    standing = [side for side in fight.sides if fight.units_of(side)]
    if len(standing) == 1:
        loser = next(side for side in fight.sides if side not in standing)
    gone = [replace(unit, fate="destroyed") for unit in fight.units if not unit.models]
    fight = replace(
        fight.with_units(*gone),
        hp_lost=lost,
        models_after_blows=stood,
        extra_hp=extra,
        loser=loser,
        difference=outcome.difference,
    )
    tape.tell(result_line, fight)
    return fight


def _hp_lost(fight: Fight, side: str) -> int:
    return sum(unit.losses.hp_removed for unit in fight.units if unit.side == side)


def _extra_hp(fight: Fight, side: str) -> int:
    """Return the HP that the extra wounds of a side stand for, by the Toughness of its enemies."""
    wounds = sum(unit.extra_wounds for unit in fight.units if unit.side == side)
    enemies = [
        replace(group, models=began)
        for unit in fight.units
        if unit.side != side
        for group, began in zip(unit.groups, unit.models_before, strict=True)
    ]
    return morale.extra_wounds(wounds, morale.average_toughness(enemies, fight.rulings), fight.rulings) if wounds else 0


@clause("DL-44.1", "DL-44.2", "DL-44.4")
def lose_assault(tape: Tape, fight: Fight) -> Fight:
    """Let every unit of the losing side test, or take damage where it is fearless."""
    losers = [unit for unit in fight.units_of(fight.loser) if fight.loser and not unit.is_walker]
    standing = [unit.name for unit in losers]
    return tape.each(_test_loser, fight, tuple(unit.name for unit in losers if unit.joined not in standing))


def _test_loser(tape: Tape, fight: Fight, name: str) -> Fight:
    """Test a unit together with the characters that have joined it."""
    unit = fight.unit(name)
    members = _with_characters(fight, unit)
    groups = tuple(group for member in members for group in member.groups)
    if morale.is_fearless(groups):
        return _take_no_retreat(tape, fight, members)
    leader = max(members, key=lambda member: (morale.best_ld(member.groups), member is unit))
    test_result = morale.take_lost_assault_test(
        unit.op,
        morale.best_ld(leader.groups),
        fight.difference,
        morale.may_reroll_ld(groups),
        None if leader is unit else leader.op,
        fight.rulings,
    )
    tape.tell(leadership_line, test_result, f"{capital(name)} tests", "DL-44.1", f" (25 and {fight.difference})")
    fate: Fate = "holds" if test_result.passed else "falls back"
    inches = 0 if test_result.passed else min(morale.fall_back_inches(group.type) for group in groups if group.models)
    changed = [replace(member, fate=fate, falls_back=inches) for member in members]
    for member in () if test_result.passed else members:
        tape.tell("{} has to fall back {}", capital(member.name), inches_text(inches), clause="DL-45.1")
    changed = [
        replace(member, op=test_result.leader_op or 0) if member.name == leader.name != name else member
        for member in changed
    ]
    return fight.with_units(*changed, replace(changed[0], op=test_result.op, test_result=test_result))


def _with_characters(fight: Fight, unit: Fighter) -> list[Fighter]:
    """Return a unit and the characters with it."""
    return [unit, *(member for member in fight.units_of(unit.side) if member.joined == unit.name)]


@clause("DL-44.4")
def _take_no_retreat(tape: Tape, fight: Fight, members: Sequence[Fighter]) -> Fight:
    """Deal the difference as DMG to a unit that takes no test, and to the characters that have joined it."""
    groups = tuple(group for member in members for group in member.groups)
    target = fight.target(members[0], groups)
    tape.tell("{} does not retreat and suffers the difference", capital(members[0].name))
    hit_target = resolve(tape, target, morale.no_retreat(fight.difference, members[0].name))
    left = iter(hit_target.groups)
    for member in members:
        own = tuple(next(left) for _ in member.groups)
        lost = sum(was.hp_left - now.hp_left for was, now in zip(member.groups, own, strict=True))
        losses = member.losses + Losses(hp_removed=lost, removed=member.models - sum(group.models for group in own))
        fate: Fate = "no retreat" if any(group.models for group in own) else "destroyed"
        fight = fight.with_units(replace(member, groups=own, losses=losses, fate=fate))
    return fight


# --- after the fight --------------------------------------------------------------------------------------------------


@clause("DL-40.1")
def breaks_off(falling_back: int, winners: int, rulings: Rulings = DEFAULT) -> bool:
    """Return whether a unit escapes a sweeping advance: the sum of its Initiative is higher than the winners'."""
    return falling_back > winners or (falling_back == winners and rulings.sweep_tie == "escapes")


@clause("DL-40.1")
def total_initiative(groups: Iterable[Group]) -> int:
    """Return the Initiative of all models left, added up."""
    return sum(group.models * group.initiative for group in groups)


@clause("DL-40.1")
def sweep(tape: Tape, fight: Fight) -> Fight:
    """Decide if units that fall back break off, or are caught by the winners and destroyed."""
    sweepers = [unit for unit in fight.units_of(_winner(fight)) if unit.may_sweep] if fight.loser else []
    winners = sum(total_initiative(unit.groups) for unit in sweepers)
    fleeing = {unit.name for unit in fight.units if unit.fate == "falls back"}
    for unit in fight.units:
        if unit.name not in fleeing or unit.joined in fleeing:
            continue
        members = [unit, *(member for member in fight.units if member.joined == unit.name and member.name in fleeing)]
        own = sum(total_initiative(member.groups) for member in members)
        caught = bool(sweepers) and not breaks_off(own, winners, fight.rulings)
        result = "caught and destroyed" if caught else "breaks off"
        tape.tell(Line, f"{capital(unit.name)}: Initiative {own} against {winners}: {result}", result=result)
        if caught:
            fight = fight.with_units(*(_caught(member) for member in members))
    return fight


def _caught(unit: Fighter) -> Fighter:
    """Remove a unit that was run down, with all its models."""
    groups = tuple(replace(group, models=0, recorded=0) for group in unit.groups)
    return replace(unit, groups=groups, fate="caught", falls_back=0)


def _winner(fight: Fight) -> str:
    return next(side for side in fight.sides if side != fight.loser)


@clause("DL-40.2")
def consolidation() -> int:
    """Return the inches that a unit without enemies left in its fight may move, in any direction, in any terrain."""
    return CONSOLIDATION


@clause("DL-40.2")
def consolidate(tape: Tape, fight: Fight) -> Fight:
    """Say which victorious units are free to consolidate."""
    if not fight.loser or fight.units_of(fight.loser):
        return fight
    free = tuple(unit.name for unit in fight.units_of(_winner(fight)))
    for name in free:
        tape.tell("{} may consolidate {}", capital(name), inches_text(consolidation()))
    return replace(fight, consolidates=free)


FIGHT = Procedure("fight", (strike_in_order, find_result, lose_assault, sweep, consolidate))


# --- hit and run ------------------------------------------------------------------------------------------------------


@clause("DL-75.2")
def refuse_hit_and_run(groups: Sequence[Group], rulings: Rulings = DEFAULT) -> Refused | None:
    """Refuse hit and run to a unit that lacks the rule in some group, or the Initiative."""
    if not all(HIT_AND_RUN in group.rules for group in groups if group.models):
        return Refused("not every model of the unit has hit and run", "DL-75.2")
    initiative = majority(groups, lambda group: group.initiative)
    if initiative < rulings.characteristic_pass:
        return Refused(
            f"a test on Initiative {initiative} fails; it passes from {rulings.characteristic_pass}", "DL-75.2"
        )
    return None


@clause("DL-75.2")
def hit_and_run_inches() -> int:
    """Return how far a unit goes that leaves a fight by hit and run."""
    return HIT_AND_RUN_INCHES


# --- measures ---------------------------------------------------------------------------------------------------------


def _dealt(side_index: int) -> Callable[[Fight], int]:
    def dealt(fight: Fight) -> int:
        return sum(
            record.damage.dmg
            for record in fight.blow_records
            if fight.unit(record.unit).side == fight.sides[side_index]
        )

    return dealt


def _lost(side_index: int) -> Callable[[Fight], int]:
    return lambda fight: fight.hp_lost[side_index]


def _left(side_index: int) -> Callable[[Fight], int]:
    return lambda fight: sum(unit.models for unit in fight.units if unit.side == fight.sides[side_index])


def _loser(fight: Fight) -> str:
    return ("first", "second")[fight.sides.index(fight.loser)] if fight.loser else "nobody"


def _fleeing(fight: Fight) -> int:
    return sum(unit.fate in ("falls back", "caught") for unit in fight.units)


def _caught_units(fight: Fight) -> int:
    return sum(unit.fate == "caught" for unit in fight.units)


MEASURES = (
    Measure("first_dmg", "Damage of the first side before saves", _dealt(0), "DMG", low_for=("second side",)),
    Measure("second_dmg", "Damage of the second side before saves", _dealt(1), "DMG", low_for=("first side",)),
    Measure("first_hp_lost", "HP that the first side loses to blows", _lost(0), "HP", low_for=("first side",)),
    Measure("second_hp_lost", "HP that the second side loses to blows", _lost(1), "HP", low_for=("second side",)),
    Measure("first_left", "Models that the first side has left", _left(0), "models", low_for=("second side",)),
    Measure("second_left", "Models that the second side has left", _left(1), "models", low_for=("first side",)),
    Measure(
        "first_stood",
        "Models of the first side after the last blow",
        lambda fight: fight.models_after_blows[0],
        "models",
        low_for=("second side",),
    ),
    Measure(
        "second_stood",
        "Models of the second side after the last blow",
        lambda fight: fight.models_after_blows[1],
        "models",
        low_for=("first side",),
    ),
    Measure("loser", "The side that loses", _loser, values=("first", "second", "nobody")),
    Measure("difference", "HP by which the loser loses", lambda fight: fight.difference, "HP"),
    Measure("fleeing", "Units that fail their test", _fleeing, "units"),
    Measure("caught", "Units that are run down", _caught_units, "units"),
)


# --- log lines --------------------------------------------------------------------------------------------------------


def fight_outcome(fight: Fight) -> str:
    """Say which side is beaten, and by how much; a side without models is beaten in any case."""
    if not fight.loser:
        return "a draw"
    side_index = fight.sides.index(fight.loser)
    if not fight.models_after_blows[side_index]:
        return f"nobody of {fight.loser} is left, so {fight.sides[1 - side_index]} has won"
    return f"{fight.loser} lost by {fight.difference} HP"


def result_line(fight: Fight) -> Line:
    """Say what both sides lost, and which one is beaten."""
    first, second = fight.sides
    text = f"{capital(first)} lost {fight.hp_lost[0]} HP, {second} {fight.hp_lost[1]} HP"
    for side, extra in zip(fight.sides, fight.extra_hp, strict=True):
        text += f"; extra wounds of {side} stand for {extra} HP" if extra else ""
    outcome = fight_outcome(fight)
    return Line(f"{text}: {outcome}", ("DL-44.1",), result=outcome)
