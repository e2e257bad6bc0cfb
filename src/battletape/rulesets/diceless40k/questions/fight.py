"""The question `fight`: a round of close combat between two units."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from battletape.cards import (
    Inputs,
    Lead,
    Measure,
    ProfileBook,
    Question,
    Rank,
    Table,
    asked,
    parse_pairs,
    split_entries,
)
from battletape.rulebook import BadInput, Caution, capital, clause, listed, replace
from battletape.rulesets.diceless40k import words
from battletape.rulesets.diceless40k.profiles import types
from battletape.rulesets.diceless40k.profiles.book import modes
from battletape.rulesets.diceless40k.questions import _inputs
from battletape.rulesets.diceless40k.questions.casualties import ranks_of
from battletape.rulesets.diceless40k.rules import blows
from battletape.rulesets.diceless40k.rules.attacks import blow_of
from battletape.rulesets.diceless40k.rules.characteristics import MODEL_RULES, PREFERRED_ENEMY, Group, groups_of
from battletape.rulesets.diceless40k.rules.close_combat import FIGHT as FIGHTING
from battletape.rulesets.diceless40k.rules.close_combat import MEASURES, fight_outcome
from battletape.rulesets.diceless40k.rules.keywords import WEAPON_RULES
from battletape.rulesets.diceless40k.rules.weapons import MOONFANG
from battletape.rulesets.diceless40k.rulings import Rulings
from battletape.rulesets.diceless40k.tables import sheet

if TYPE_CHECKING:
    from battletape.answer import Answer

SIDES = ("first", "second")
FATES = {
    "holds": "holds",
    "no retreat": "does not retreat",
    "falls back": "falls back",
    "caught": "is run down",
    "destroyed": "is destroyed",
}


class OtherFighters(Inputs, frozen=True):
    """Models of a unit in a fight that differ from its others."""

    name: str = "others"
    models: int = asked(1, form="count", ge=1, le=200)
    ws: types.Stat = 4
    strength: int = asked(4, ge=1, le=12)
    toughness: types.Least1 = 4
    toughness_bonus: types.Stat = 0
    wounds: types.Least1 = 1
    hp: _inputs.Hp | None = None
    initiative: types.Stat = 4
    attacks: int = asked(1, ge=0, le=1000)
    ld: types.Leadership = 8
    armour: types.Save | None = 3
    invulnerable: types.Save | None = None
    recorded: int = asked(0, ge=0, le=1000)
    two_weapons: bool = False
    weapon: _inputs.StrikesWith = ""
    weapon_rules: _inputs.WeaponRules = ()
    model_rules: _inputs.ModelRules = ()


class FightingUnit(Inputs, count="models", frozen=True):
    """A unit in a fight: models alike, how they strike, and how they hold."""

    unit: str = asked("", "Unit profile", group="attacker", profile="unit")
    type: types.UnitType = asked("infantry", "Unit type", "DL-45.1", group="attacker")
    models: int = asked(5, "Models", "DL-38.1", group="attacker", form="count", ge=1, le=200)
    ws: types.Stat = asked(4, "WS", "DL-38.2", group="attacker")
    strength: int = asked(4, "Strength", "DL-38.1", group="attacker", short="S", ge=1, le=12)
    toughness: types.Least1 = asked(4, "Toughness", "DL-6.1", group="attacker", short="T")
    toughness_bonus: types.Stat = asked(0, "Bracketed toughness above it", "DL-6.1", group="attacker")
    wounds: types.Least1 = asked(1, "Wounds", "DL-6.1", group="attacker", short="W")
    hp: _inputs.Hp | None = asked(None, "HP of each, if not W × T × 10", "DL-6.1", group="attacker")
    initiative: types.Stat = asked(4, "Initiative", "DL-38.1", group="attacker")
    attacks: int = asked(1, "Attacks of each", "DL-38.1", group="attacker", ge=0, le=1000)
    ld: _inputs.TestLd = asked(8, "Ld", "DL-44.2", group="attacker")
    armour: types.Save | None = asked(3, "Armour save", "DL-38.1", group="attacker", short="Save")
    invulnerable: types.Save | None = asked(None, "Invulnerable save", "DL-38.1", group="attacker", short="Inv")
    recorded: int = asked(0, "Damage recorded", "DL-24.2", group="attacker", ge=0, le=1000)
    op: _inputs.Op = asked(0, "Order points", "DL-44.1", group="attacker")
    charging: bool = asked(False, "It charges", "DL-38.1", group="attacker")
    slowed: bool = asked(False, "Through difficult terrain, without grenades", "DL-38.1", group="attacker")
    two_weapons: bool = asked(False, "A second close combat weapon", "DL-38.1", group="attacker")
    weapon: str = asked("", "Close combat weapon profile", group="attacker", profile="weapon")
    weapon_rules: _inputs.Names = asked(
        (), "Special rules of its weapon", "DL-42.1", group="attacker", known=WEAPON_RULES
    )
    model_rules: _inputs.Names = asked(
        (), "Special rules of the models", "DL-75.5", group="attacker", known=MODEL_RULES
    )
    preferred: bool = asked(False, "It fights its preferred enemy", "DL-75.5", group="attacker")
    extra_wounds: int = asked(0, "Wounds that special rules add", "DL-44.3", group="attacker", ge=0, le=50)
    others: tuple[OtherFighters, ...] = asked(
        (), "Models of the unit that differ", "DL-25.1", group="attacker", short="model"
    )


class FightInputs(Inputs, frozen=True):
    """Two units in close combat."""

    first: tuple[FightingUnit, ...] = asked(
        (FightingUnit(),), "The first side", "DL-38.1", group="attacker", short="unit"
    )
    second: tuple[FightingUnit, ...] = asked(
        (FightingUnit(),), "The second side", "DL-38.1", group="target", short="unit"
    )
    charges: Literal["as_said", "first", "second", "nobody"] = asked(
        "as_said", "Which side charges", "DL-38.1", group="circumstances"
    )


@clause("DL-38.1", "DL-25.1", "DL-75.5")
def fighter_of(unit: FightingUnit, name: str, side: str, rulings: Rulings) -> blows.Fighter:
    """Return a unit as it strikes, models that differ first."""
    named_models: list[tuple[str, FightingUnit | OtherFighters]] = [(other.name, other) for other in unit.others]
    named_models.append((name, unit))
    groups = tuple(_group(called, models, unit.type, rulings) for called, models in named_models)
    strikes = tuple(
        blows.Strike(group.name, _blow(group, models, unit))
        for group, (_, models) in zip(groups, named_models, strict=True)
    )
    return blows.Fighter(name, side, groups, strikes, unit.op, extra_wounds=unit.extra_wounds)


def _group(name: str, models: FightingUnit | OtherFighters, unit_type: str, rulings: Rulings) -> Group:
    """Return models alike as a group."""
    group = _inputs.group_of(
        name,
        models.models,
        models.toughness,
        models.toughness_bonus,
        models.wounds,
        models.hp,
        rulings,
        type=unit_type,
        ws=models.ws,
        strength=min(models.strength, 10),
        initiative=models.initiative,
        attacks=models.attacks,
        ld=models.ld,
        armour=models.armour,
        invulnerable=models.invulnerable,
        recorded=models.recorded,
        rules=_inputs.known_rules(models.model_rules, MODEL_RULES),
    )
    if group.recorded >= group.hp:
        raise BadInput.of(
            "recorded", f"must be less than the {group.hp} HP of a model; got {group.recorded}.", clause="DL-24.2"
        )
    return group


def _blow(group: Group, models: FightingUnit | OtherFighters, unit: FightingUnit) -> blows.Blow:
    """Return the blow of models alike; the whole unit charges or not."""
    return blow_of(
        group,
        models.weapon or "blows",
        _inputs.weapon_rules_named(models.weapon_rules),
        strength=models.strength,
        charging=unit.charging,
        two_weapons=models.two_weapons,
        slowed=unit.slowed,
    )


@clause("DL-38.1")
def begin_fight(inputs: FightInputs, rulings: Rulings) -> blows.Fight:
    """Return both sides before the first blow."""
    fighters: list[blows.Fighter] = []
    for side, units in zip(SIDES, (inputs.first, inputs.second), strict=True):
        for at, given in enumerate(units, 1):
            unit = given if inputs.charges == "as_said" else replace(given, charging=inputs.charges == side)
            name = unit.unit or f"the {side} unit"
            taken = any(fighter.name == name for fighter in fighters)
            fighters.append(
                fighter_of(unit, f"{name} {side if at == 1 else at}" if taken else name, f"{side} side", rulings)
            )
    fighters = with_preferred(fighters, (*inputs.first, *inputs.second))
    return replace(blows.begin_fight(fighters, rulings), picks_save=False)


@clause("DL-75.5")
def with_preferred(fighters: Sequence[blows.Fighter], inputs: Sequence[FightingUnit]) -> list[blows.Fighter]:
    """Return units as they fight; a unit that has a preferred enemy here prefers all its enemies."""
    known = []
    for unit, unit_input in zip(fighters, inputs, strict=True):
        enemies = tuple(enemy.name for enemy in fighters if enemy.side != unit.side)
        known.append(replace(unit, preferred=enemies) if unit_input.preferred else unit)
    return known


def fight_headline(answer: Answer) -> str:
    """Say which side lost, by how much, and what becomes of it."""
    (fight,) = answer.states.weights
    lost = f"The first side loses {fight.hp_lost[0]} HP, the second {fight.hp_lost[1]} HP"
    if not fight.loser:
        return f"{lost}: a draw."
    losers = [unit for unit in fight.units if unit.side == fight.loser and unit.fate]
    first, second = fight.sides
    beaten = fight_outcome(replace(fight, sides=(f"the {first}", f"the {second}"), loser=f"the {fight.loser}"))
    if not fight.models_after_blows[fight.sides.index(fight.loser)]:
        return f"{lost}: {beaten}."
    if len({unit.fate for unit in losers}) == 1:
        return f"{lost}: {beaten} and {FATES[losers[0].fate]}."
    return f"{lost}: {beaten}; {listed([f'{unit.name} {FATES[unit.fate]}' for unit in losers])}."


def fill_fight(given: Mapping[str, Any], book: ProfileBook) -> dict[str, Any]:
    """Fill in the numbers of named units, and of the weapons they strike with."""
    filled = dict(given)
    for side in SIDES:
        entries = filled.get(side)
        if isinstance(entries, str) and entries.strip().lower() not in ("", "-", "none"):
            entries = split_entries(entries)
        if isinstance(entries, Mapping):
            entries = [entries]
        if isinstance(entries, (list, tuple)):
            filled[side] = [fill_fighting_unit(entry, book, side) for entry in entries]
    return fill_preferred(filled, SIDES, book)


@clause("DL-75.5")
def fill_preferred(given: Mapping[str, Any], sides: tuple[str, str], book: ProfileBook) -> dict[str, Any]:
    """Fill in which units fight preferred enemies: all that stand against them, by army or name."""
    filled = dict(given)
    for side, other in (sides, sides[::-1]):
        enemies = [_profile(entry, book) for entry in _entries(given, other)]
        if side in given and enemies and None not in enemies:
            filled[side] = [_with_preferred(entry, enemies, book) for entry in given[side]]
    return filled


def _entries(given: Mapping[str, Any], side: str) -> Sequence[Any]:
    entries = given.get(side)
    return entries if isinstance(entries, (list, tuple)) else ()


def _profile(entry: Any, book: ProfileBook) -> types.UnitProfile | None:
    unit: types.UnitProfile | None = (
        book.find("unit", entry["unit"]) if isinstance(entry, Mapping) and entry.get("unit") else None
    )
    return unit


def _with_preferred(entry: Any, enemies: Sequence[types.UnitProfile | None], book: ProfileBook) -> Any:
    unit = _profile(entry, book)
    if unit is None or not any(PREFERRED_ENEMY in group.rules for group in groups_of(unit)):
        return entry
    hated = all(blows.is_preferred(unit.prefers, enemy.army, enemy.name) for enemy in enemies if enemy is not None)
    return {"preferred": hated, **entry}


def fill_fighting_unit(entry: Any, book: ProfileBook, key: str) -> Any:
    """Fill in one unit, given by its name or with numbers."""
    if isinstance(entry, str):
        entry = parse_pairs(entry, key, "unit")
    if not isinstance(entry, Mapping):
        return entry
    numbers: dict[str, Any] = {}
    if entry.get("unit"):
        unit: types.UnitProfile = book.find("unit", str(entry["unit"]))
        *others, group = groups_of(unit)
        numbers = {
            **_numbers(group, unit.wounds, book),
            "unit": unit.name,
            "type": unit.type,
            "others": [
                {"name": other.name, **_numbers(other, profile.wounds or unit.wounds, book)}
                for other, profile in zip(others, unit.groups, strict=True)
            ],
        }
    if entry.get("weapon"):
        weapon = modes(book, str(entry["weapon"]))[0]
        numbers |= {"weapon": weapon.name, "weapon_rules": list(weapon.rules)}
        if weapon.strength is not None:
            numbers["strength"] = weapon.strength
    named = {key: value for key, value in entry.items() if key not in ("unit", "weapon")}
    return {**numbers, **named}


def _numbers(group: Group, wounds: int, book: ProfileBook) -> dict[str, Any]:
    """Return the numbers of a group that fights, with the first of its close combat weapons."""
    names = ("models", "ws", "strength", "toughness_bonus", "initiative", "attacks", "ld", "armour", "invulnerable")
    weapon, second = blows.close_combat_weapons([modes(book, name)[0] for name in group.weapons])[0]
    return {
        **{name: getattr(group, name) for name in names},
        "toughness": group.own_toughness,
        "wounds": wounds,
        "two_weapons": second,
        "weapon": weapon.name,
        "weapon_rules": list(weapon.rules),
        "model_rules": list(group.rules),
        **({} if weapon.strength is None else {"strength": weapon.strength}),
    }


def table(inputs: FightInputs, rulings: Rulings) -> Table | None:
    """Show the close combat factors, that of the first side's marked."""
    if not inputs.first or not inputs.second:
        return None
    fight = begin_fight(inputs, rulings)
    own, other = fight.units[0], next(unit for unit in fight.units if unit.side != fight.units[0].side)
    blow = own.strikes[0].blow
    factor = blows.cc_factor(blow.ws + blow.better_ws, other.groups[0].ws)
    rows = tuple((words_of, str(number)) for words_of, number in sheet.FACTORS)
    at = next(at for at, (_, number) in enumerate(sheet.FACTORS) if number == factor)
    return Table("Close combat factor", ("the target's WS", "factor"), rows, "DL-T5", (at, 1))


def warn_fight(inputs: FightInputs, rulings: Rulings) -> Iterable[str | Caution]:
    """Warn of what is left out."""
    for unit in (*inputs.first, *inputs.second):
        if unit.preferred and PREFERRED_ENEMY not in unit.model_rules:
            yield Caution(f"{capital(unit.unit or 'a unit')} has no preferred enemy, so nothing is added", "DL-75.5")
    if (
        inputs.charges == "as_said"
        and any(unit.charging for unit in inputs.first)
        and any(unit.charging for unit in inputs.second)
    ):
        yield Caution("Both sides charge; in a turn only one can", "DL-38.1")


def _factor(at: int) -> Any:
    def factor(fight: blows.Fight) -> int:
        own = [record for record in fight.blow_records if fight.unit(record.unit).side == fight.sides[at]]
        return own[0].damage.factor if own else 0

    return factor


def _op(fight: blows.Fight) -> int:
    return max((unit.test_result.op for unit in fight.units if unit.test_result is not None), default=0)


def _passed(fight: blows.Fight) -> int:
    return int(any(unit.test_result is not None and unit.test_result.passed for unit in fight.units))


def _ranks(answer: Answer) -> Iterable[Rank]:
    """Yield the models of every unit of both sides, after blows and pursuit."""
    (fight,) = answer.states.weights
    for before, after in zip(answer.start.units, fight.units, strict=True):
        left = () if after.fate == "caught" else after.groups
        for rank in ranks_of(before.groups, left):
            alone = rank.name == before.name or len(before.groups) == 1
            yield replace(rank, name=before.name if alone else f"{before.name}: {rank.name}")


FIGHT = Question(
    "fight",
    "What happens in a round of close combat?",
    FightInputs,
    begin_fight,
    FIGHTING,
    (
        *MEASURES,
        Measure("first_factor", "Close combat factor of the first side", _factor(0), "times"),
        Measure("second_factor", "Close combat factor of the second side", _factor(1), "times"),
        Measure("op_after", "Order points of the loser after its test", _op, "OP"),
        Measure("passed", "The loser tests and passes", _passed),
    ),
    fight_headline,
    fill=fill_fight,
    table=table,
    warn=warn_fight,
    example={"first": [{"unit": "Assault Marines"}], "second": [{"unit": "Ork Boyz"}], "charges": "second"},
    small={
        "first": [{"models": 5, "armour": 3}],
        "second": [{"models": 10, "initiative": 2, "attacks": 3, "armour": 6, "ld": 7}],
        "charges": "second",
    },
    rulings=(
        "claw_and_poison",
        "preferred_enemy",
        "lost_assault",
        "character_compares",
        "combat_wounds",
        "sweep_tie",
        "cannot_wound",
        MOONFANG,
        "packets",
        *_inputs.TROOP_RULINGS,
    ),
    lead=(
        Lead(
            "second_hp_lost",
            lambda answer: f"HP lost by the second side, {words.value(answer, 'first_hp_lost')} by the first",
        ),
        Lead("first_hp_lost", "HP lost by the first side, none by the second"),
    ),
    ranks=_ranks,
)
