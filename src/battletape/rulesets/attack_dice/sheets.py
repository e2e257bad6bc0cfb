"""Printed sheets: unit cards, every table as a quick reference, and range sticks and bases."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from battletape import sheets
from battletape.cards import ProfileBook
from battletape.rulebook import plural
from battletape.rulesets.attack_dice.profiles.types import UnitProfile, WeaponProfile
from battletape.rulesets.attack_dice.questions._inputs import TargetInputs
from battletape.rulesets.attack_dice.rules.damage import Ranks, all_hp, make_ranks
from battletape.rulesets.attack_dice.rulings import Rulings
from battletape.rulesets.attack_dice.tables.printed import printed_tables

if TYPE_CHECKING:
    from battletape.rulesets.attack_dice.battle.state import BattleUnit, CarriedWeapon, State

TITLE = "Unit cards"
STATS = ("models", "HP", "Defence", "Armour", "AEGIS", "move", "dash")
WEAPON = ("weapon", "models", "attacks", "Power", "AP", "range", "class")
MAX_RANKS = 4
"""A unit of more different models than this has their number on its card, and their least and most HP."""
MAX_BOXES = 120
"""A unit of more HP than this has a square to write them into instead of boxes to tick."""


def blank_cards(rulings: Rulings) -> sheets.Cards:
    """Return cards to fill in with a pencil."""
    blocks: tuple[sheets.Block, ...] = (
        sheets.blank_stats(STATS),
        sheets.Ticks("HP", (5,) * 8, note="tick what is lost"),
        sheets.blank_grid(WEAPON, 3),
        sheets.Ruled("notes", 1),
    )
    return sheets.Cards(TITLE, (sheets.Card("", blocks),) * 3, share=3)


def profile_cards(units: Iterable[UnitProfile], book: ProfileBook, rulings: Rulings) -> sheets.Cards:
    """Return a card for each unit as it begins a battle."""
    cards = []
    for unit in units:
        armed = tuple(_row(book.find("weapon", carried.name), carried.models) for carried in unit.weapons)
        ranks = make_ranks(unit.models, unit.hp, unit.others)
        numbers = _numbers(ranks, unit.defence, unit.armour, unit.aegis, f'{unit.move}"', f'{unit.dash}"')
        cards.append(sheets.Card(unit.name, (*_blocks(numbers, ranks, 0, armed), sheets.Ruled("notes", 1))))
    return sheets.Cards(TITLE, tuple(cards))


def battle_cards(state: State) -> sheets.Cards:
    """Return a card for each unit of a battle as it stands now."""
    return sheets.Cards(TITLE, tuple(_in_play(state, unit) for unit in state.units))


def _in_play(state: State, unit: BattleUnit) -> sheets.Card:
    armed = tuple(_row(weapon, weapon.models) for weapon in unit.weapons)
    numbers = _numbers(unit.ranks, unit.defence, unit.armour, unit.aegis)
    words = [f"{plural(unit.models, 'model')} left"] if unit.hp_lost and not unit.is_gone else []
    words += [f"in Melee {unit.melee}"] if unit.melee else []
    transport = state.transport_of(unit.name)
    words += [f"aboard {transport}"] if transport else []
    words += [f"cover +{unit.cover} {unit.cover_stat}"] if unit.cover else []
    words += ["activated"] if unit.done.activated else []
    notes = (sheets.Notes("now", tuple(words)),) if words else ()
    blocks = (*_blocks(numbers, unit.ranks, unit.hp_lost, armed), *notes)
    return sheets.Card(unit.name, blocks, side=unit.side, gone=unit.is_gone)


def question_cards(inputs: Any, book: ProfileBook, rulings: Rulings) -> sheets.Cards | None:
    """Return the card of the target of a question, with the numbers and losses given."""
    if not isinstance(inputs, TargetInputs):
        return None
    ranks = make_ranks(inputs.models, inputs.hp, inputs.others)
    numbers = _numbers(ranks, inputs.defence, inputs.armour, inputs.aegis)
    carried = book.find("unit", inputs.unit).weapons if inputs.unit else ()
    armed = tuple(_row(book.find("weapon", weapon.name), weapon.models) for weapon in carried)
    return sheets.Cards(
        TITLE, (sheets.Card(inputs.unit, (*_blocks(numbers, ranks, inputs.lost, armed), sheets.Ruled("notes", 1))),)
    )


def _numbers(
    ranks: Ranks, defence: int, armour: int | None, aegis: int | None, move: str = "", dash: str = ""
) -> tuple[tuple[str, str], ...]:
    hp = " / ".join(dict.fromkeys(str(each) for _, each in ranks))
    models = " + ".join(str(number) for number, _ in ranks)
    if len(ranks) > MAX_RANKS:
        each = [hp for _, hp in ranks]
        models, hp = str(sum(number for number, _ in ranks)), f"{min(each)} to {max(each)}"
    values = (models, hp, str(defence), _save(armour), _save(aegis), move, dash)
    return tuple((name, value) for name, value in zip(STATS, values, strict=True) if value)


def _blocks(
    numbers: tuple[tuple[str, str], ...], ranks: Ranks, lost: int, armed: tuple[tuple[str, ...], ...]
) -> tuple[sheets.Block, ...]:
    blocks: list[sheets.Block] = [sheets.Stats(numbers)]
    if all_hp(ranks) <= MAX_BOXES:
        each = tuple(hp for models, hp in ranks for _ in range(models))
        groups = each if max(each) > 1 else (len(each),)
        note = f"{lost} of {all_hp(ranks)} lost" if lost else "tick what is lost"
        blocks.append(sheets.Ticks("HP", groups, lost, note))
    else:
        blocks.append(sheets.Squares((sheets.Square("HP lost", f"of {all_hp(ranks):,}", f"{lost:,}" if lost else ""),)))
    if armed:
        blocks.append(sheets.Grid(WEAPON, armed))
    return tuple(blocks)


def _row(weapon: WeaponProfile | CarriedWeapon, models: int) -> tuple[str, ...]:
    reach = "-" if weapon.range is None else f'{weapon.range}"'
    numbers = (str(models), str(weapon.attacks), str(weapon.power), _save(weapon.ap), reach)
    return (weapon.name, *numbers, weapon.weapon_class or "-")


def _save(number: int | None) -> str:
    return f"{number}+" if number else "-"


def reference(rulings: Rulings) -> sheets.Reference:
    """Return every table of the system."""
    return sheets.Reference("Quick reference", tuple(sheets.printed(table) for table in printed_tables()))


def markers(rulings: Rulings) -> sheets.Shapes:
    """Return the sheet of range sticks and bases."""
    return sheets.Shapes("Range sticks and bases", (*sheets.STICKS, *sheets.BASES))


SHEETS = (
    sheets.Sheet(
        "unit_cards",
        TITLE,
        "A card for each unit: its numbers, a box for every HP, and its weapons.",
        blank_cards,
        profile_cards,
        ("unit",),
        battle_cards,
        question_cards,
    ),
    sheets.Sheet("reference", "Quick reference", "Every table of the system, with the ids of the rules.", reference),
    sheets.Sheet("markers", "Range sticks and bases", "Range sticks and the outlines of bases, to cut out.", markers),
)
