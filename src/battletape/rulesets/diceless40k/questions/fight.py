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
from battletape.rulebook import BadInput, capital, clause, listed, replace
from battletape.rulesets.diceless40k import words
from battletape.rulesets.diceless40k.profiles.book import modes
from battletape.rulesets.diceless40k.profiles.types import Leadership, Least1, Save, Stat, UnitProfile, UnitType
from battletape.rulesets.diceless40k.questions._inputs import (
    TROOP_RULINGS,
    Hp,
    ModelRules,
    Names,
    Op,
    StrikesWith,
    TestLd,
    WeaponRules,
    group_of,
    known_rules,
)
from battletape.rulesets.diceless40k.questions.casualties import ranks_of
from battletape.rulesets.diceless40k.rules.attacks import blow_of
from battletape.rulesets.diceless40k.rules.blows import (
    Blow,
    Fight,
    Fighter,
    Strike,
    arms_of,
    begin_fight,
    cc_factor,
    is_preferred,
)
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


class Comrades(Inputs, frozen=True):
    """Models of a unit in a fight that differ from its others."""

    name: str = "others"
    models: int = asked(1, form="count", ge=1, le=200)
    ws: Stat = 4
    strength: int = asked(4, ge=1, le=12)
    toughness: Least1 = 4
    toughness_bonus: Stat = 0
    wounds: Least1 = 1
    hp: Hp | None = None
    initiative: Stat = 4
    attacks: int = asked(1, ge=0, le=1000)
    ld: Leadership = 8
    armour: Save | None = 3
    invulnerable: Save | None = None
    recorded: int = asked(0, ge=0, le=1000)
    two_weapons: bool = False
    weapon: StrikesWith = ""
    weapon_rules: WeaponRules = ()
    model_rules: ModelRules = ()


class Band(Inputs, count="models", frozen=True):
    """A unit in a fight: models alike, how they strike, and how they hold."""

    unit: str = asked("", "Unit profile", group="attacker", profile="unit")
    type: UnitType = asked("infantry", "Unit type", "DL-45.1", group="attacker")
    models: int = asked(5, "Models", "DL-38.1", group="attacker", form="count", ge=1, le=200)
    ws: Stat = asked(4, "WS", "DL-38.2", group="attacker")
    strength: int = asked(4, "Strength", "DL-38.1", group="attacker", short="S", ge=1, le=12)
    toughness: Least1 = asked(4, "Toughness", "DL-6.1", group="attacker", short="T")
    toughness_bonus: Stat = asked(0, "Bracketed toughness above it", "DL-6.1", group="attacker")
    wounds: Least1 = asked(1, "Wounds", "DL-6.1", group="attacker", short="W")
    hp: Hp | None = asked(None, "HP of each, if not W × T × 10", "DL-6.1", group="attacker")
    initiative: Stat = asked(4, "Initiative", "DL-38.1", group="attacker")
    attacks: int = asked(1, "Attacks of each", "DL-38.1", group="attacker", ge=0, le=1000)
    ld: TestLd = asked(8, "Ld", "DL-44.2", group="attacker")
    armour: Save | None = asked(3, "Armour save", "DL-38.1", group="attacker", short="Save")
    invulnerable: Save | None = asked(None, "Invulnerable save", "DL-38.1", group="attacker", short="Inv")
    recorded: int = asked(0, "Damage recorded", "DL-24.2", group="attacker", ge=0, le=1000)
    op: Op = asked(0, "Order points", "DL-44.1", group="attacker")
    charging: bool = asked(False, "It charges", "DL-38.1", group="attacker")
    slowed: bool = asked(False, "Through difficult terrain, without grenades", "DL-38.1", group="attacker")
    two_weapons: bool = asked(False, "A second close combat weapon", "DL-38.1", group="attacker")
    weapon: str = asked("", "Close combat weapon profile", group="attacker", profile="weapon")
    weapon_rules: Names = asked((), "Special rules of its weapon", "DL-42.1", group="attacker", known=WEAPON_RULES)
    model_rules: Names = asked((), "Special rules of the models", "DL-75.5", group="attacker", known=MODEL_RULES)
    preferred: bool = asked(False, "It fights its preferred enemy", "DL-75.5", group="attacker")
    extra_wounds: int = asked(0, "Wounds that special rules add", "DL-44.3", group="attacker", ge=0, le=50)
    others: tuple[Comrades, ...] = asked(
        (), "Models of the unit that differ", "DL-25.1", group="attacker", short="model"
    )


class FightInputs(Inputs, frozen=True):
    """Two units in close combat."""

    first: tuple[Band, ...] = asked((Band(),), "The first side", "DL-38.1", group="attacker", short="unit")
    second: tuple[Band, ...] = asked((Band(),), "The second side", "DL-38.1", group="target", short="unit")
    charges: Literal["as_said", "first", "second", "nobody"] = asked(
        "as_said", "Which side charges", "DL-38.1", group="circumstances"
    )


@clause("DL-38.1", "DL-25.1", "DL-75.5")
def fighter_of(band: Band, name: str, side: str, rules: Rulings) -> Fighter:
    """Return a unit as it strikes, models that differ first."""
    bands: list[tuple[str, Band | Comrades]] = [(other.name, other) for other in band.others]
    bands.append((name, band))
    groups = tuple(_group(called, models, band.type, rules) for called, models in bands)
    strikes = tuple(
        Strike(group.name, _blow(group, models, band)) for group, (_, models) in zip(groups, bands, strict=True)
    )
    return Fighter(name, side, groups, strikes, band.op, extra_wounds=band.extra_wounds)


def _group(name: str, models: Band | Comrades, unit_type: str, rules: Rulings) -> Group:
    """Models alike."""
    group = group_of(
        name,
        models.models,
        models.toughness,
        models.toughness_bonus,
        models.wounds,
        models.hp,
        rules,
        type=unit_type,
        ws=models.ws,
        strength=min(models.strength, 10),
        initiative=models.initiative,
        attacks=models.attacks,
        ld=models.ld,
        armour=models.armour,
        invulnerable=models.invulnerable,
        recorded=models.recorded,
        rules=known_rules(models.model_rules, MODEL_RULES),
    )
    if group.recorded >= group.hp:
        raise BadInput.of(
            "recorded", f"must be less than the {group.hp} HP of a model; got {group.recorded}.", clause="DL-24.2"
        )
    return group


def _blow(group: Group, models: Band | Comrades, band: Band) -> Blow:
    """How they strike; the whole unit charges or not."""
    return blow_of(
        group,
        models.weapon or "blows",
        known_rules(models.weapon_rules, WEAPON_RULES),
        strength=models.strength,
        charging=band.charging,
        two_weapons=models.two_weapons,
        slowed=band.slowed,
    )


@clause("DL-38.1")
def begin(inputs: FightInputs, rules: Rulings) -> Fight:
    """Both sides before the first blow."""
    fighters: list[Fighter] = []
    for side, bands in zip(SIDES, (inputs.first, inputs.second), strict=True):
        for at, given in enumerate(bands, 1):
            band = given if inputs.charges == "as_said" else replace(given, charging=inputs.charges == side)
            name = band.unit or f"the {side} unit"
            taken = any(fighter.name == name for fighter in fighters)
            fighters.append(
                fighter_of(band, f"{name} {side if at == 1 else at}" if taken else name, f"{side} side", rules)
            )
    fighters = with_preferred(fighters, (*inputs.first, *inputs.second))
    return replace(begin_fight(fighters, rules), picks_save=False)


@clause("DL-75.5")
def with_preferred(fighters: Sequence[Fighter], bands: Sequence[Band]) -> list[Fighter]:
    """Return units as they fight, where all enemies are preferred by the units that are said to have such."""
    known = []
    for unit, band in zip(fighters, bands, strict=True):
        enemies = tuple(enemy.name for enemy in fighters if enemy.side != unit.side)
        known.append(replace(unit, preferred=enemies) if band.preferred else unit)
    return known


def headline(answer: Answer) -> str:
    """Who lost, by how much, and what becomes of it."""
    (fight,) = answer.states.weights
    lost = f"The first side loses {fight.lost[0]} HP, the second {fight.lost[1]} HP"
    if not fight.loser:
        return f"{lost}: a draw."
    losers = [unit for unit in fight.units if unit.side == fight.loser and unit.fate]
    first, second = fight.sides
    beaten = fight_outcome(replace(fight, sides=(f"the {first}", f"the {second}"), loser=f"the {fight.loser}"))
    if not fight.stood[fight.sides.index(fight.loser)]:
        return f"{lost}: {beaten}."
    if len({unit.fate for unit in losers}) == 1:
        return f"{lost}: {beaten} and {FATES[losers[0].fate]}."
    return f"{lost}: {beaten}; {listed([f'{unit.name} {FATES[unit.fate]}' for unit in losers])}."


def fill(given: Mapping[str, Any], book: ProfileBook) -> dict[str, Any]:
    """The numbers of named units, and of the weapons they strike with."""
    filled = dict(given)
    for side in SIDES:
        bands = filled.get(side)
        if isinstance(bands, str) and bands.strip().lower() not in ("", "-", "none"):
            bands = split_entries(bands)
        if isinstance(bands, Mapping):
            bands = [bands]
        if isinstance(bands, (list, tuple)):
            filled[side] = [fill_band(band, book, side) for band in bands]
    return fill_preferred(filled, SIDES, book)


@clause("DL-75.5")
def fill_preferred(given: Mapping[str, Any], sides: tuple[str, str], book: ProfileBook) -> dict[str, Any]:
    """Fill in which units fight preferred enemies: all that stand against them, by army or name."""
    filled = dict(given)
    for side, other in (sides, sides[::-1]):
        enemies = [_profile(band, book) for band in _bands(given, other)]
        if side in given and enemies and None not in enemies:
            filled[side] = [_with_preferred(band, enemies, book) for band in given[side]]
    return filled


def _bands(given: Mapping[str, Any], side: str) -> Sequence[Any]:
    bands = given.get(side)
    return bands if isinstance(bands, (list, tuple)) else ()


def _profile(band: Any, book: ProfileBook) -> UnitProfile | None:
    unit: UnitProfile | None = (
        book.find("unit", band["unit"]) if isinstance(band, Mapping) and band.get("unit") else None
    )
    return unit


def _with_preferred(band: Any, enemies: Sequence[UnitProfile | None], book: ProfileBook) -> Any:
    unit = _profile(band, book)
    if unit is None or not any(PREFERRED_ENEMY in group.rules for group in groups_of(unit)):
        return band
    hated = all(is_preferred(unit.prefers, enemy.army, enemy.name) for enemy in enemies if enemy is not None)
    return {"preferred": hated, **band}


def fill_band(entry: Any, book: ProfileBook, key: str) -> Any:
    """One unit: its name, or numbers."""
    if isinstance(entry, str):
        entry = parse_pairs(entry, key, "unit")
    if not isinstance(entry, Mapping):
        return entry
    numbers: dict[str, Any] = {}
    if entry.get("unit"):
        unit: UnitProfile = book.find("unit", str(entry["unit"]))
        *others, group = groups_of(unit)
        numbers = {
            **_numbers(group, unit.wounds, book),
            "unit": unit.name,
            "type": unit.type,
            "others": [
                {"name": other.name, **_numbers(other, band.wounds or unit.wounds, book)}
                for other, band in zip(others, unit.groups, strict=True)
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
    """What the profile of a group says of how it fights, with the first of its close combat weapons."""
    names = ("models", "ws", "strength", "toughness_bonus", "initiative", "attacks", "ld", "armour", "invulnerable")
    weapon, second = arms_of([modes(book, name)[0] for name in group.weapons])[0]
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


def table(inputs: FightInputs, rules: Rulings) -> Table | None:
    """The close combat factors, that of the first side's marked."""
    if not inputs.first or not inputs.second:
        return None
    fight = begin(inputs, rules)
    own, other = fight.units[0], next(unit for unit in fight.units if unit.side != fight.units[0].side)
    blow = own.strikes[0].blow
    factor = cc_factor(blow.ws + blow.better_ws, other.groups[0].ws)
    rows = tuple((words_of, str(number)) for words_of, number in sheet.FACTORS)
    at = next(at for at, (_, number) in enumerate(sheet.FACTORS) if number == factor)
    return Table("Close combat factor", ("the target's WS", "factor"), rows, "DL-T5", (at, 1))


def warn(inputs: FightInputs, rules: Rulings) -> Iterable[str]:
    """What is left out."""
    for band in (*inputs.first, *inputs.second):
        if band.preferred and PREFERRED_ENEMY not in band.model_rules:
            yield f"{capital(band.unit or 'a unit')} has no preferred enemy, so nothing is added (DL-75.5)"
    if (
        inputs.charges == "as_said"
        and any(band.charging for band in inputs.first)
        and any(band.charging for band in inputs.second)
    ):
        yield "Both sides charge; in a turn only one can (DL-38.1)"


def _factor(at: int) -> Any:
    def factor(fight: Fight) -> int:
        own = [blows for blows in fight.struck if fight.unit(blows.unit).side == fight.sides[at]]
        return own[0].damage.factor if own else 0

    return factor


def _op(fight: Fight) -> int:
    return max((unit.tested.op for unit in fight.units if unit.tested is not None), default=0)


def _passed(fight: Fight) -> int:
    return int(any(unit.tested is not None and unit.tested.passed for unit in fight.units))


def _ranks(answer: Answer) -> Iterable[Rank]:
    """The models of every unit of both sides, after blows and pursuit."""
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
    begin,
    FIGHTING,
    (
        *MEASURES,
        Measure("first_factor", "Close combat factor of the first side", _factor(0), "times"),
        Measure("second_factor", "Close combat factor of the second side", _factor(1), "times"),
        Measure("op_after", "Order points of the loser after its test", _op, "OP"),
        Measure("passed", "The loser tests and passes", _passed),
    ),
    headline,
    fill=fill,
    table=table,
    warn=warn,
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
        *TROOP_RULINGS,
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
