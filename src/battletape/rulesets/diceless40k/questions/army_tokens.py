"""The question `army_tokens`: the tokens that an army gives its opponent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from battletape.cards import Inputs, Lead, Line, Measure, ProfileBook, Question, Table, asked
from battletape.rulebook import (
    Caution,
    Procedure,
    State,
    Tape,
    UnknownName,
    capital,
    clause,
    listed,
    plural,
    raise_if_refused,
    replace,
    without_luck,
)
from battletape.rulesets.diceless40k import words
from battletape.rulesets.diceless40k.profiles.book import book as profiles
from battletape.rulesets.diceless40k.profiles.book import modes
from battletape.rulesets.diceless40k.profiles.types import Marker, UnitProfile, VehicleProfile
from battletape.rulesets.diceless40k.questions._inputs import Names
from battletape.rulesets.diceless40k.rules import preparation
from battletape.rulesets.diceless40k.rules.blasts import TOKENS_BY_MARKER
from battletape.rulesets.diceless40k.rules.weapons import GETS_HOT
from battletape.rulesets.diceless40k.rulings import Rulings

if TYPE_CHECKING:
    from battletape.answer import Answer


class WeaponInput(Inputs, frozen=True):
    """Weapons of one kind: the markers of all their modes, and whether they get hot."""

    name: str = "weapon"
    number: int = asked(1, ge=1, le=200)
    markers: Names = ()
    hot: bool = False


class PsykerInput(Inputs, frozen=True):
    """A psyker: the marker of its shooting power, and the gate of infinity."""

    name: str = "psyker"
    marker: Marker = "none"
    gate: bool = False
    all_powers: bool = False


class ArmyTokensInputs(Inputs, frozen=True):
    """An army, by the names of its units and vehicles or by what counts."""

    units: Names = asked((), "Units, one name for each", "DL-PREP.1", group="attacker", profile="unit")
    vehicles: Names = asked((), "Vehicles, one name for each", "DL-PREP.1", group="attacker", profile="vehicle")
    deep_strikers: int = asked(0, "Units that will deep strike", "DL-95.1", group="attacker", ge=0, le=100)
    weapons: tuple[WeaponInput, ...] = asked((), "Further weapons", "DL-30.2", group="attacker", short="weapon")
    psykers: tuple[PsykerInput, ...] = asked((), "Further psykers", "DL-50.3", group="attacker", short="psyker")


class Army(State, frozen=True):
    """An army, and everything in it that gives tokens."""

    units: tuple[UnitProfile, ...]
    vehicles: tuple[VehicleProfile, ...]
    inputs: ArmyTokensInputs
    rulings: Rulings
    sources: tuple[preparation.TokenSource, ...] = ()


@clause("DL-PREP.1")
def begin_army_tokens(inputs: ArmyTokensInputs, rulings: Rulings) -> Army:
    """Return the profiles of all that are named."""
    return army_of(inputs, rulings, profiles())


def army_of(inputs: ArmyTokensInputs, rulings: Rulings, book: ProfileBook) -> Army:
    """Return the profiles of all that are named, as a book has them."""
    for weapon in inputs.weapons:
        raise_if_refused(
            *(
                UnknownName("marker", marker, TOKENS_BY_MARKER)
                for marker in weapon.markers
                if marker not in TOKENS_BY_MARKER
            )
        )
    units = tuple(book.find("unit", name) for name in inputs.units)
    return Army(units, tuple(book.find("vehicle", name) for name in inputs.vehicles), inputs, rulings)


@clause("DL-30.1", "DL-30.2", "DL-31.1", "DL-50.3", "DL-50.4", "DL-PREP.4", "DL-PREP.5")
def count_tokens(tape: Tape, army: Army) -> Army:
    """Count the tokens that every weapon, psyker and deep striking unit gives the opponent."""
    sources = sources_of(army, profiles())
    tape.tell(source_lines, sources)
    return replace(army, sources=sources)


def source_lines(sources: Sequence[preparation.TokenSource]) -> Iterator[Line]:
    """Say which weapons, psykers and units give how many tokens, and how many all of them give."""
    for source in sources:
        tokens = source.tokens
        parts = [f"{tokens.scatter} scatter"] if tokens.scatter else []
        parts += [f"{tokens.gets_hot} gets hot!"] if tokens.gets_hot else []
        parts += [f"{tokens.warp} warp"] if tokens.warp else []
        clauses = (("DL-30.2",) if tokens.scatter else ()) + (("DL-31.1",) if tokens.gets_hot else ())
        clauses = (
            ("DL-95.1",)
            if source.name == preparation.DEEP_STRIKERS
            else clauses + (("DL-50.4",) if tokens.warp else ())
        )
        yield Line(f"{source.number} × {source.name}: {listed(parts) or 'nothing'}", clauses)
    total = preparation.total_tokens(sources)
    text = f"In all {total.scatter} scatter, {total.gets_hot} gets hot! and {total.warp} warp"
    yield Line(text, ("DL-PREP.4", "DL-PREP.5"))


def sources_of(army: Army, book: ProfileBook) -> tuple[preparation.TokenSource, ...]:
    """Return what gives tokens in an army, by the weapons that a book has."""
    given, rulings = army.inputs, army.rulings
    sources = [
        *preparation.token_sources(
            army.units, army.vehicles, lambda name: modes(book, name), given.deep_strikers, rulings
        )
    ]
    for weapon in given.weapons:
        tokens = preparation.weapon_tokens(weapon.markers, weapon.hot, weapon.number)
        sources.append(preparation.TokenSource(weapon.name, weapon.number, tokens))
    for psyker in given.psykers:
        tokens = preparation.psyker_tokens((psyker.marker,), psyker.gate, psyker.all_powers, rulings)
        sources.append(preparation.TokenSource(psyker.name, 1, tokens))
    return tuple(sources)


def army_tokens_headline(answer: Answer) -> str:
    """Say how many tokens of each kind the opponent gets."""
    kinds = {"scatter": "scatter token", GETS_HOT: "gets hot! token", "warp": "warp token"}
    numbers = [plural(words.value(answer, name), word) for name, word in kinds.items()]
    return f"The opponent gets {listed(numbers)}."


def fill_army_tokens(given: Mapping[str, Any], book: ProfileBook) -> dict[str, Any]:
    """Fill in names as the book spells them."""
    filled = dict(given)
    for key, kind in (("units", "unit"), ("vehicles", "vehicle")):
        names = filled.get(key)
        if isinstance(names, str):
            names = [name.strip() for name in names.split(",") if name.strip()]
        if isinstance(names, (list, tuple)):
            filled[key] = [book.find(kind, str(name)).name for name in names]
    return filled


def table(inputs: ArmyTokensInputs, rulings: Rulings) -> Table:
    """Show the slip for the army list."""
    army = _counted(inputs, rulings)
    rows = [
        (
            source.name,
            str(source.number),
            str(source.tokens.scatter),
            str(source.tokens.gets_hot),
            str(source.tokens.warp),
        )
        for source in army.sources
    ]
    total = preparation.total_tokens(army.sources)
    rows.append(("in all", "", str(total.scatter), str(total.gets_hot), str(total.warp)))
    head = ("", "number", "scatter", "gets hot!", "warp")
    return Table("Tokens for the opponent", head, tuple(rows), "DL-PREP.4", (len(rows) - 1, 2))


def _counted(inputs: ArmyTokensInputs, rulings: Rulings) -> Army:
    army: Army = without_luck(COUNT, begin_army_tokens(inputs, rulings))
    return army


def warn_army_tokens(inputs: ArmyTokensInputs, rulings: Rulings) -> Iterable[str | Caution]:
    """Warn of what beginners might think about."""
    army = begin_army_tokens(inputs, rulings)
    if army.units or army.vehicles:
        yield from preparation.advice(army.units, army.vehicles)
    seizing = preparation.refuse_seizing()
    yield Caution(capital(seizing.reason), seizing.clause)


COUNT = Procedure("army tokens", (count_tokens,))
ARMY_TOKENS = Question(
    "army_tokens",
    "Which tokens does an army give its opponent?",
    ArmyTokensInputs,
    begin_army_tokens,
    COUNT,
    (
        Measure("scatter", "Scatter tokens", lambda army: preparation.total_tokens(army.sources).scatter, "tokens"),
        Measure(GETS_HOT, "Gets hot! tokens", lambda army: preparation.total_tokens(army.sources).gets_hot, "tokens"),
        Measure("warp", "Warp tokens", lambda army: preparation.total_tokens(army.sources).warp, "tokens"),
    ),
    army_tokens_headline,
    fill=fill_army_tokens,
    table=table,
    warn=warn_army_tokens,
    example={
        "units": ["Space Marines", "Devastators", "Librarian Osric Vale"],
        "vehicles": ["Rhino"],
        "deep_strikers": 1,
    },
    rulings=("tigurius", "warp_tokens", "bracketed_hp"),
    lead=(
        Lead("scatter", "scatter tokens for the opponent"),
        Lead(GETS_HOT, "gets hot! tokens for the opponent"),
        Lead("warp", "warp tokens for the opponent"),
    ),
)
