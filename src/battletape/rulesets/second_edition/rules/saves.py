"""Armour saves: on one die or two, with modifiers, and the saves that no modifier touches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from battletape.rulebook import D6, Die, Line, State, Tape, at_least, clause, dice
from battletape.rulesets.second_edition.profiles.types import SaveDice
from battletape.rulesets.second_edition.rulings import DEFAULT, Rulings

if TYPE_CHECKING:
    from battletape.rulesets.second_edition.rules.attack import Hit, HitDraft, Model


class SaveRoll(State, frozen=True):
    """A save to roll: its name, the score it needs, and its dice."""

    label: str
    score: int
    dice: SaveDice = "1d6"
    one_fails: bool = True


@clause("SE-30")
def save_die(save_dice: SaveDice) -> Die:
    """Return the dice of a save: one D6, or for the heaviest armour the sum of two."""
    return dice("2d6") if save_dice == "2d6" else D6


@clause("SE-27", "SE-28")
def save_score(save: int, modifier: int) -> int:
    """Return what the roll must show once the modifier of the weapon is taken off it."""
    return save - modifier


@clause("SE-29")
def is_penetrated(need: int, save_dice: SaveDice = "1d6") -> bool:
    """Return whether no dice can show the score: then the armour is penetrated without a roll."""
    return bool(need > max(save_die(save_dice).faces))


@clause("SE-26", "SE-31")
def roll_save(tape: Tape, save: SaveRoll) -> bool:
    """Roll one save: the score or more stops the hit altogether; a save that cannot fail is not rolled."""
    die = save_die(save.dice)
    never = (1,) if save.dice == "1d6" and save.one_fails else ()
    if save.score <= min(die.faces) and not never:
        return True
    need = max(save.score, 2) if never else save.score
    return bool(tape.roll(die, at_least(need), label=save.label, by="defender"))


@clause("SE-25", "SE-31", "SE-117")
def saves_against(hit: Hit, model: Model, rulings: Rulings = DEFAULT) -> tuple[SaveRoll, ...]:
    """Return the saves of a model against a hit, in order: aura, field, armour; what cannot save is left out."""
    saves = []
    one_fails = rulings.save_of_one == "fails"
    if model.aura is not None:
        saves.append(SaveRoll("aura save", model.aura, one_fails=one_fails))
    if model.field_save is not None:
        saves.append(SaveRoll("field save", model.field_save, one_fails=one_fails))
    armour = armour_against(hit, model)
    if armour is not None:
        need = save_score(armour, hit.save_modifier)
        if not is_penetrated(need, model.save_dice):
            saves.append(SaveRoll("armour save", need, model.save_dice, one_fails))
    return tuple(saves)


@clause("SE-117")
def armour_against(hit: Hit, model: Model) -> int | None:
    """Return the armour save before modifiers: some armour is better against blasts and templates."""
    return model.area_save if hit.area and model.area_save is not None else model.save


# --- what is told ----------------------------------------------------------------------------------------------------


def save_lines(draft: HitDraft) -> Iterator[Line]:
    """Say what the armour needs, or why it does not help; saves that ignore modifiers need no words."""
    hit, model = draft.hit, draft.model
    yield from draft.save_notes
    armour = armour_against(hit, model)
    if armour is None or model.toughness is None:
        return
    need = save_score(armour, hit.save_modifier)
    dice = " on 2D6" if model.save_dice == "2d6" else ""
    by = f", {hit.save_modifier:+d} by the weapon" if hit.save_modifier else ""
    if is_penetrated(need, model.save_dice):
        yield Line(f"Armour of {armour}+{dice}{by}: penetrated without a roll", ("SE-29",), needed=f"{need}+")
    elif need <= 2 and model.save_dice == "2d6":
        yield Line(f"Armour of {armour}+{dice}{by}: cannot fail", ("SE-30",), needed=f"{need}+")
    else:
        yield Line(f"Armour of {armour}+{dice}{by}", ("SE-27",), needed=f"{need}+")
