"""What a player can ask about fire at a vehicle: shoot (one volley) and kill_time (several in a row)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import Meta

from battletape.errors import BadInput
from battletape.inputs import Inputs, parse_pairs, split_entries
from battletape.log import Line
from battletape.odds import percent
from battletape.procedure import Stage
from battletape.profiles import ProfileBook
from battletape.rulesets.vehicles5 import ask_rulings
from battletape.rulesets.vehicles5.damage import Condition
from battletape.rulesets.vehicles5.penetration import HIGHEST
from battletape.rulesets.vehicles5.rulings import DEFAULT, Rulings
from battletape.rulesets.vehicles5.special_rules import TEMPLATE
from battletape.rulesets.vehicles5.targets import (
    DAMAGE,
    EXPECTED,
    Gun,
    Save,
    Target,
    condition_of,
    fill_guns,
    fill_targeted,
    lies_on,
    meta,
    refuse_target,
    volley_of,
)
from battletape.rulesets.vehicles5.volley import (
    SHOOTING,
    Barrage,
    Shot,
    Volley,
    begin_barrage,
    begin_volley,
    firing_in_a_row,
    next_turn,
)
from battletape.system import Measure, Question, Table

if TYPE_CHECKING:
    from battletape.answer import Answer

FOUR_LASCANNONS = (Gun(shots=4, strength=9, ap=2),)
_COVER = meta("circumstances", "Cover save, whatever else there is", "V5-CORE-4")


class Shoot(Target, frozen=True):
    """One volley: everything that one unit fires at the vehicle in one phase."""

    guns: Annotated[tuple[Gun, ...], meta("attacker", "Guns, in firing order", "V5-VOLLEY-1")] = FOUR_LASCANNONS
    cover: Annotated[Save | None, _COVER] = None


class Salvo(Inputs, frozen=True):
    """One volley of several."""

    guns: Annotated[tuple[Gun, ...], meta("attacker", "Guns, in firing order", "V5-VOLLEY-1")] = FOUR_LASCANNONS
    cover: Annotated[Save | None, _COVER] = None


class KillTime(Target, frozen=True):
    """Several volleys in a row."""

    volleys: Annotated[tuple[Salvo, ...], meta("attacker", "Volleys, in firing order", "V5-MARK-5")] = (Salvo(),)
    repeat: Annotated[int, meta("attacker", "How often the last one is fired", "V5-MARK-5", ge=1, le=20)] = 1
    spread: Annotated[
        Literal["one_turn", "turns"],
        Meta(description="one_turn: all in one turn; turns: a turn apart, shaken and stunned are over by then"),
        meta("circumstances", "When they are fired", "V5-MARK-5"),
    ] = "one_turn"


def begin_shoot(inputs: Shoot, rules: Rulings = DEFAULT) -> Volley:
    """The vehicle and the shots of the volley."""
    _refuse_silence(inputs.guns)
    return begin_volley(_condition(inputs, rules), volley_of(inputs.guns, inputs, inputs.cover, rules))


def begin_kill_time(inputs: KillTime, rules: Rulings = DEFAULT) -> Barrage:
    """The vehicle and the shots of every volley."""
    for one in inputs.volleys:
        _refuse_silence(one.guns)
    volleys = [volley_of(one.guns, inputs, one.cover, rules) for one in _salvos(inputs)]
    return begin_barrage(_condition(inputs, rules), volleys, inputs.spread == "turns")


def _refuse_silence(guns: tuple[Gun, ...]) -> None:
    if not guns:
        raise BadInput("guns want at least one gun, such as “weapon=Lascannon”; got none (V5-VOLLEY-1).", field="guns")


def _condition(target: Target, rules: Rulings) -> Condition:
    refused = refuse_target(target)
    if refused is not None:
        raise refused
    return condition_of(target, rules)


def _salvos(inputs: KillTime) -> tuple[Salvo, ...]:
    if not inputs.volleys:
        raise BadInput("volleys want at least one volley; got none.", field="volleys")
    return (*inputs.volleys[:-1], *inputs.volleys[-1:] * inputs.repeat)


def fill_shoot(given: Mapping[str, Any], found: ProfileBook) -> dict[str, Any]:
    """Profiles of the vehicle and of the guns written out."""
    return fill_guns(fill_targeted(given, found, Shoot), found)


def fill_kill_time(given: Mapping[str, Any], found: ProfileBook) -> dict[str, Any]:
    """Profiles of the vehicle and of all guns of all volleys written out."""
    filled = fill_targeted(given, found, KillTime)
    volleys = filled.get("volleys")
    if isinstance(volleys, str):
        volleys = split_entries(volleys)
    if isinstance(volleys, (list, tuple)):
        filled["volleys"] = [_fill_salvo(one, found) for one in volleys]
    return filled


def _fill_salvo(entry: Any, found: ProfileBook) -> Any:
    if isinstance(entry, str):
        entry = parse_pairs(entry, "volleys") if "=" in entry else {"guns": entry}
    return fill_guns(entry, found) if isinstance(entry, Mapping) else entry


def harmless(shots: Iterable[Shot]) -> list[str]:
    """A sentence for each gun that cannot even glance, or cannot hit."""
    said: dict[str, None] = {}
    for shot in shots:
        if shot.gap > HIGHEST[shot.dice]:
            said[
                f"{shot.name} cannot harm this armour: its dice show {HIGHEST[shot.dice]} at most, {shot.gap} glances"
            ] = None
        elif shot.needs > 6:
            said[f"{shot.name} cannot hit with a BS of 0"] = None
    return list(said)


def damage_headline(answer: Answer) -> str:
    """The numbers people want first."""
    destroyed, stuck = (answer.odds(name).chance(1) for name in ("destroyed", "immobilised_or_worse"))
    hits = float(answer.odds("expected_hits").mean)
    return f"Destroyed {percent(destroyed)}, immobilised or worse {percent(stuck)}; {hits:.1f} hits expected."


def kill_time_headline(answer: Answer) -> str:
    """Whether it is destroyed, and by which volley an even chance is reached."""
    odds = answer.odds("destroyed_in").fractions()
    count, so_far, likely = len(answer.start.volleys), Fraction(0), 0
    for number in range(1, count + 1):
        so_far += odds.get(number, Fraction(0))
        likely = likely or (number if so_far >= Fraction(1, 2) else 0)
    volleys = "1 volley" if count == 1 else f"{count} volleys"
    when = f"as likely as not by volley {likely}" if likely else "more likely to be still there"
    return f"Destroyed in {volleys} {percent(so_far)}; {when}."


_WORDS = (
    ("shaken", "shaken", "V5-DMG-1"),
    ("stunned", "stunned", "V5-DMG-2"),
    ("immobilised", "immobilised", "V5-DMG-4"),
)


def condition_line(before: Condition, after: Condition) -> Line:
    """What a volley did to a vehicle, in a sentence."""
    if after.is_destroyed:
        word, by = ("explodes", "V5-DMG-6") if after.status == "exploded" else ("is wrecked", "V5-DMG-5")
        return Line(f"The vehicle {word}", (by,), result=after.status)
    fresh = [(word, by) for name, word, by in _WORDS if getattr(after, name) and not getattr(before, name)]
    gone = len(before.weapons) - len(after.weapons)
    said = [f"is {', '.join(word for word, _ in fresh)}"] if fresh else []
    if gone:
        fresh.append(("a weapon lost" if gone == 1 else f"{gone} weapons lost", "V5-DMG-3"))
        said.append("loses a weapon" if gone == 1 else f"loses {gone} weapons")
    if not fresh:
        return Line("The vehicle is as before", ("V5-VOLLEY-1",), result="unchanged")
    result = ", ".join(word for word, _ in fresh)
    return Line(f"The vehicle {' and '.join(said)}", tuple(by for _, by in fresh), result=result)


def narrate(stage: Stage, before: Volley | Barrage, after: Volley | Barrage) -> Iterable[Line]:
    """What each stage did."""
    if stage is next_turn:
        was_out = before.now != after.now
        return (Line("A turn goes by: the crew recovers", ("V5-MARK-5",)),) if was_out else ()
    return () if before.now.is_destroyed else (condition_line(before.now, after.now),)


def laid_table(inputs: Shoot, rules: Rulings) -> Table | None:
    """Where templates and the rims of markers lie, and how hard they hit; none where nothing of the kind is fired."""
    rows = tuple(
        (gun.weapon or f"gun {at}", facing, str(strength))
        for at, gun in enumerate(inputs.guns, 1)
        if gun.rim or TEMPLATE in gun.rules
        for facing, strength in (lies_on(gun),)
    )
    return Table("Sure hits", ("weapon", "side", "strength"), rows, "V5-SHOT-6") if rows else None


def _warn_shoot(inputs: Shoot, rules: Rulings) -> list[str]:
    return harmless(begin_shoot(inputs, rules).shots)


def _warn_kill_time(inputs: KillTime, rules: Rulings) -> list[str]:
    return harmless(shot for volley in begin_kill_time(inputs, rules).volleys for shot in volley)


SHOOT = Question(
    "shoot",
    "What will a volley do to a vehicle?",
    Shoot,
    begin_shoot,
    SHOOTING,
    (*DAMAGE, *EXPECTED),
    damage_headline,
    narrate,
    fill=fill_shoot,
    table=laid_table,
    warn=_warn_shoot,
    rulings=ask_rulings.SHOOT,
    example={"front": 12, "weapons": 1, "guns": [{"shots": 4, "bs": 4, "strength": 9, "ap": 2}]},
)
KILL_TIME = Question(
    "kill_time",
    "How many volleys until a vehicle is destroyed?",
    KillTime,
    begin_kill_time,
    firing_in_a_row,
    (
        Measure(
            "destroyed_in",
            "When it is destroyed",
            lambda barrage: barrage.destroyed_in,
            words=lambda number: f"volley {number}" if number else "not destroyed",
            never=0,
            adds_up="at_most",
        ),
        *DAMAGE,
        *EXPECTED,
    ),
    kill_time_headline,
    narrate,
    fill=fill_kill_time,
    warn=_warn_kill_time,
    rulings=ask_rulings.KILL_TIME,
    example={"front": 12, "volleys": [{"guns": [{"shots": 2, "bs": 4, "strength": 9, "ap": 2}]}], "repeat": 4},
)
