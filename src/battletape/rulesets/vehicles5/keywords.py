"""Special rules of weapons, each in one place: what they turn before the dice are thrown."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from battletape.clauses import clause
from battletape.procedure import Dial, Keyword, Procedure, find_keywords, fold, with_keywords
from battletape.rulesets.vehicles5.rulings import DEFAULT, Rulings
from battletape.rulesets.vehicles5.volley import Aim, Shot, note_armour
from battletape.tape.script import Script

READY = Procedure("ready", (note_armour,))
LANCE_ARMOUR = 12
SNIPER_STRENGTH = 3


@clause("V5-CORE-2")
def _twin_linked(aim: Aim) -> Aim:
    return replace(aim, again=True)


@clause("V5-CORE-11")
def _melta(aim: Aim) -> Aim:
    return replace(aim, dice="melta") if aim.half_range else aim


@clause("V5-CORE-12")
def _rending(aim: Aim) -> Aim:
    return replace(aim, dice="rending")


@clause("V5-CORE-13")
def _lance(aim: Aim) -> Aim:
    return replace(aim, av=min(aim.av, LANCE_ARMOUR))


@clause("V5-CORE-14")
def _tank_hunters(aim: Aim) -> Aim:
    return replace(aim, bonus=aim.bonus + 1)


@clause("V5-CORE-15")
def _sniper(aim: Aim) -> Aim:
    return replace(aim, strength=SNIPER_STRENGTH, dice="rending")


@clause("V5-ORD-2", "V5-PEN-2")
def _ordnance(aim: Aim) -> Aim:
    return replace(aim, dice="ordnance")


@clause("V5-SHOT-6", "V5-CORE-4")
def _template(aim: Aim) -> Aim:
    return replace(aim, needs=0, cover=0, template=True)


def _turns(name: str, dial: Dial) -> Keyword:
    return Keyword(name, clauses=dial.__clauses__[:1], before={note_armour: dial})  # type: ignore[attr-defined]


KEYWORDS = (
    _turns("ordnance", _ordnance),
    _turns("melta", _melta),
    _turns("rending", _rending),
    _turns("sniper", _sniper),
    _turns("lance", _lance),
    _turns("tank_hunters", _tank_hunters),
    _turns("template", _template),
    _turns("twin_linked", _twin_linked),
    # these do something elsewhere, or nothing against armour; they are here so that their names are known
    Keyword("barrage", clauses=("V5-ORD-4",)),
    Keyword("one_shot", clauses=("V5-DMG-3",)),
    Keyword("power_weapon", clauses=("V5-CORE-8",)),
    Keyword("dreadnought_weapon", clauses=("V5-WALK-16",)),
    Keyword("fearless", clauses=("V5-CORE-5",)),
)


def ready(aim: Aim, names: Sequence[str] = (), rules: Rulings = DEFAULT) -> Shot:
    """A shot ready to be fired: the special rules of these names have turned their dials."""
    procedure = with_keywords(READY, find_keywords(names, KEYWORDS))
    shot: Shot = fold(procedure, Script(), replace(aim, rules=rules))
    return shot
