"""Special rules of weapons and units, each in one place: its name, and what it turns before the dice are thrown."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from battletape.clauses import cites, clause
from battletape.procedure import Dial, Keyword, Procedure, find_keywords, with_keywords, without_luck
from battletape.rulesets.vehicles5.rules.shooting import Aim, Mark, Shot, note_armour
from battletape.rulesets.vehicles5.rulings import DEFAULT, Rulings
from battletape.table.facings import Facing

BARRAGE = "barrage"
DREADNOUGHT_WEAPON = "dreadnought_weapon"
FEARLESS = "fearless"
ONE_SHOT = "one_shot"
ORDNANCE = "ordnance"
TANK_HUNTERS = "tank_hunters"
TEMPLATE = "template"

READY = Procedure("ready", (note_armour,))


def _turns(name: str, dial: Dial, *clauses: str) -> Keyword:
    """A special rule that turns a dial before the armour is noted."""
    cites(*clauses, where=f"{__name__}.KEYWORDS")
    return Keyword(name, clauses=clauses[:1], before={note_armour: dial})


KEYWORDS = (
    _turns(ORDNANCE, lambda aim: replace(aim, dice="higher_of_two"), "V5-ORD-2", "V5-PEN-2"),
    _turns("melta", lambda aim: replace(aim, dice="2d6") if aim.half_range else aim, "V5-CORE-11"),
    _turns("rending", lambda aim: replace(aim, dice="six_adds_d3"), "V5-CORE-12"),
    _turns("sniper", lambda aim: replace(aim, strength=3, dice="six_adds_d3"), "V5-CORE-15"),
    _turns("lance", lambda aim: replace(aim, av=min(aim.av, 12)), "V5-CORE-13"),
    _turns(TANK_HUNTERS, lambda aim: replace(aim, bonus=aim.bonus + 1), "V5-CORE-14"),
    _turns(TEMPLATE, lambda aim: replace(aim, needs=0, cover=0, template=True), "V5-SHOT-6", "V5-CORE-4"),
    _turns("twin_linked", lambda aim: replace(aim, again=True), "V5-CORE-2"),
    # these do something elsewhere, or nothing against armour; they are here so that their names are known
    Keyword(BARRAGE, clauses=("V5-ORD-4",)),
    Keyword(ONE_SHOT, clauses=("V5-DMG-3",)),
    Keyword("power_weapon", clauses=("V5-CORE-8",)),
    Keyword(DREADNOUGHT_WEAPON, clauses=("V5-WALK-16",)),
    Keyword(FEARLESS, clauses=("V5-CORE-5",)),
)
WEAPON_RULES = tuple(sorted(keyword.name for keyword in KEYWORDS if keyword.name not in (ORDNANCE, FEARLESS)))
"""What a weapon's profile may name; ordnance follows from its type."""
UNIT_RULES = (FEARLESS, TANK_HUNTERS)
ALSO_OTHER_WORDS = (ORDNANCE, BARRAGE)
"""These are also a weapon type and a way to fire, so that other modules name them too."""


def ready(aim: Aim, names: Sequence[str] = (), rules: Rulings = DEFAULT) -> Shot:
    """A shot ready to be fired: the special rules of these names have turned their dials."""
    procedure = with_keywords(READY, find_keywords(names, KEYWORDS)) if names else READY
    shot: Shot = without_luck(procedure, replace(aim, rules=rules))
    return shot


@clause("V5-SHOT-6")
def hits_of(names: Sequence[str], shots: int) -> int:
    """How often a weapon with these rules may hit a vehicle: a template once, any other with every shot."""
    return 1 if TEMPLATE in names else shots


@clause("V5-SHOT-4", "V5-SHOT-5", "V5-SHOT-10")
def shot_at(aim: Aim, mark: Mark, facing: Facing, names: Sequence[str] = (), rules: Rulings = DEFAULT) -> Shot:
    """A shot at one facing of a vehicle, ready to be fired."""
    aim = replace(aim, av=mark.armour(facing), cover=mark.cover, open_topped=mark.open_topped)
    return ready(aim, names, rules)
