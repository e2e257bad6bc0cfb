"""What a player can ask about two characters: duel, who wins over some rounds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_type_hints

from msgspec import Meta, defstruct
from msgspec.structs import replace

from battletape.inputs import Inputs, fields
from battletape.odds import percent
from battletape.profiles import ProfileBook
from battletape.rulesets.deathwatch import ask_rulings, duel
from battletape.rulesets.deathwatch.ask_fighting import attack_of
from battletape.rulesets.deathwatch.ask_shooting import spec_of, warnings_of_heat
from battletape.rulesets.deathwatch.blocks import BLADE_QUALITIES, Against, Fight, Ranged, Skill, meta
from battletape.rulesets.deathwatch.checks import bonus
from battletape.rulesets.deathwatch.duel import DUEL_ROUNDS, Duelling, Side, Turn, begin_duel
from battletape.rulesets.deathwatch.firing import clear_target, modes_of
from battletape.rulesets.deathwatch.keywords import values
from battletape.rulesets.deathwatch.lenses import lens
from battletape.rulesets.deathwatch.profiles import fill_attacker, fill_target, fill_weapon, find_weapon
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings
from battletape.rulesets.deathwatch.shapes import Character, Kind, Rof, Stat
from battletape.rulesets.deathwatch.specs import Spec, without_losses
from battletape.rulesets.deathwatch.targets import health_of
from battletape.rulesets.deathwatch.traits import DEAD
from battletape.rulesets.deathwatch.words import plural
from battletape.rulesets.deathwatch.wounds import LAST_ROW
from battletape.system import Measure, Question

if TYPE_CHECKING:
    from battletape.answer import Answer

SIDES: tuple[Side, Side] = ("a", "b")
_AGAINST = set(Against.__struct_fields__)
_LEFT_OUT = {
    *("attacker", "target", "talents", "situations", "aim", "hidden", "cover", "ammunition", "own_willpower"),
    *("stunned", "prone", "surprised", "running", "immune_blood_loss", "strength", "target_sb", "willpower", "sealed"),
    *("fatigue", "off_hand"),
}


class Duellist(Against, frozen=True):
    """One of the two; inputs of the question carry a_ or b_ before these names."""

    profile: Annotated[str, meta("attacker", "Profile")] = ""
    mode: Annotated[
        Literal["melee", "single", "semi", "full"],
        Meta(description="melee: blows; the others are fire modes of a gun"),
        meta("attacker", "How he fights", "RWEP-00"),
    ] = "melee"
    skill: Annotated[Stat, meta("attacker", "Weapon or Ballistic Skill", "TEST-1")] = 45
    sb: Annotated[int, meta("attacker", "Strength bonus", "MWEP-00", ge=0, le=60)] = 8
    times_sb: Annotated[int, meta("attacker", "Times unnatural strength", "MWEP-00", ge=1, le=6)] = 2
    more_sb: Annotated[int, meta("attacker", "Part of it that a suit adds", "MWEP-00", ge=0, le=20)] = 0
    kind: Annotated[Kind, meta("weapon", "Class of weapon", "MWEP-00")] = "Melee"
    doubles_sb: Annotated[bool, meta("weapon", "The weapon doubles the strength bonus", "MWEP-00")] = False
    damage: Annotated[str, meta("weapon", "Damage without strength, such as 1d10+3", "MWEP-00")] = "1d10+3"
    damage_type: Annotated[Literal["E", "X", "I", "R"], meta("weapon", "Damage type", "CRIT-1")] = "R"
    pen: Annotated[int, meta("weapon", "Penetration", "DMG-3", ge=0, le=60)] = 4
    qualities: Annotated[tuple[str, ...], meta("weapon", "Qualities, such as Balanced")] = BLADE_QUALITIES
    single: Annotated[bool, meta("weapon", "It fires single shots", "RWEP-00")] = True
    semi: Annotated[Rof, meta("weapon", "Rounds of a semi-auto burst", "AUTO-1")] = 0
    full: Annotated[Rof, meta("weapon", "Rounds of a full-auto burst", "AUTO-2")] = 0
    parry: Annotated[Skill | None, meta("target", "Weapon Skill he parries with; none if he cannot", "EVA-3")] = None
    parry_qualities: Annotated[tuple[str, ...], meta("target", "Qualities of the weapon he parries with", "EVA-3")] = ()


OWN = tuple(one.name for one in fields(Duellist) if one.name not in _LEFT_OUT)


def _prefixed() -> Iterator[tuple[str, Any, Any]]:
    """The inputs of both sides, each with its letter before name and title."""
    hints = get_type_hints(Duellist, include_extras=True)
    for side, group, who in (("a", "attacker", "A"), ("b", "target", "B")):
        for one in fields(Duellist):
            if one.name in OWN:
                words = Meta(title=f"{who}: {one.title}", extra={"group": group, "clause": one.clause})
                yield f"{side}_{one.name}", Annotated[hints[one.name], words], one.default


_COMMON = (
    ("rounds", Annotated[int, meta("circumstances", "Rounds", "ECON-1", ge=1, le=20)], 5),
    (
        "first",
        Annotated[
            Literal["a", "b", "initiative"],
            Meta(description="initiative: a d10 and the Agility bonus each decide"),
            meta("circumstances", "Who goes first", "ECON-1"),
        ],
        "initiative",
    ),
    (
        "band",
        Annotated[
            Literal["point_blank", "short", "normal", "long", "extreme"],
            meta("circumstances", "Range band of those who shoot", "RANGE-1"),
        ],
        "normal",
    ),
)
DuelInputs: type[Any] = defstruct(
    "DuelInputs",
    [*_prefixed(), *_COMMON],
    bases=(Inputs,),
    module=__name__,
    namespace={"__doc__": "Two characters who fight it out."},
    frozen=True,
)


def side_of(inputs: Any, side: Side) -> Duellist:
    """One of the two as he stands in the inputs."""
    return Duellist(**{name: getattr(inputs, f"{side}_{name}") for name in OWN})


def begin(inputs: Any, rules: Rulings = DEFAULT) -> Duelling:
    """Both with their attacks on each other worked out."""
    a, b = side_of(inputs, "a"), side_of(inputs, "b")
    turns = [_turn("a", a, b, inputs.band, rules), _turn("b", b, a, inputs.band, rules)]
    health, agility = (health_of(a), health_of(b)), (bonus(a.agility), bonus(b.agility))
    return begin_duel(turns[0], turns[1], health, inputs.rounds, inputs.first, agility)


def _turn(who: Side, own: Duellist, other: Duellist, band: Any, rules: Rulings) -> Turn:
    """The turn of one of them; his letter leads the labels, and weapons do not break, as nobody follows it up."""
    spec = strike_of(own, other, band, rules)
    names = {"a": ("A", "B"), "b": ("B", "A")}[who]
    guard = replace(spec.guard, name=names[1])
    spec = replace(without_losses(spec), name=names[0], guard=guard, breakable=False, any_clash=False)
    tests, recharges = Rulings(auto_results=rules.auto_results), own.mode != "melee" and values(own.qualities).recharge
    return Turn(who, spec, clear_target(own.skill, rules=rules), recharges, tests=tests)


def strike_of(own: Duellist, other: Duellist, band: Any, rules: Rulings = DEFAULT) -> Spec:
    """The attack of one on the other."""
    mine = {name: getattr(own, name) for name in _OF_ATTACKER}
    theirs = {name: getattr(other, name) for name in _OF_TARGET}
    if own.mode == "melee":
        blow = {name: getattr(own, name) for name in ("sb", "times_sb", "more_sb", "doubles_sb")}
        parries: dict[str, Any] = {"parry": other.parry, "parry_qualities": other.parry_qualities}
        return attack_of(Fight(ws=own.skill, **mine, **theirs, **blow, **parries), rules)
    if other.reaction == "parry" or values(own.qualities).flame:  # shots are not parried, nor flames dodged so
        theirs["reaction"] = "none"
    gun = {name: getattr(own, name) for name in ("single", "semi", "full")}
    return spec_of(Ranged(bs=own.skill, band=band, clip=500, **mine, **theirs, **gun), own.mode, rules=rules)


_OF_ATTACKER = (
    *("fury", "psy_rating", "modifier", "weapon", "kind", "damage", "damage_type", "pen", "qualities"),
    *("special", "grade", "trained"),
)
_OF_TARGET = tuple(
    name for name in OWN if name in _AGAINST and name not in (*_OF_ATTACKER, "armour") and name not in _LEFT_OUT
)


def fill_duel(given: Mapping[str, Any], found: ProfileBook) -> dict[str, Any]:
    """Profiles of both written out."""
    filled = {name: value for name, value in given.items() if name[:2] not in ("a_", "b_")}
    for side, foe in (("a", "b"), ("b", "a")):
        own = {name[2:]: value for name, value in given.items() if name.startswith(f"{side}_")}
        filled |= {f"{side}_{name}": value for name, value in _fill_side(own, given, foe, found).items() if name in OWN}
    return filled


def _fill_side(own: Mapping[str, Any], given: Mapping[str, Any], foe: str, found: ProfileBook) -> dict[str, Any]:
    who = str(own.get("profile") or "")
    known: dict[str, Any] = dict(own)
    if who:
        person: Character = found.find("character", who)
        known = {**known, "attacker": who, "target": given.get(f"{foe}_profile") or ""}
        melee = own.get("mode", "melee") == "melee" if "weapon" not in own else None
        carried = [name for name in person.weapons if melee is None or found.find("weapon", name).melee == melee]
        if "weapon" not in own and carried:
            known["weapon"] = carried[0]
        known = fill_attacker(known, found, Duellist)
        known = fill_target({**known, "target": who}, found, Duellist)
        known["profile"] = person.name
    else:
        known = fill_target(known, found, Duellist)
    if known.get("weapon"):
        weapon = find_weapon(found, str(known["weapon"]))
        known = fill_weapon(known, found, Duellist)
        known.setdefault("mode", "melee" if weapon.melee else modes_of(weapon)[-1])
        if who:
            known.setdefault("skill", person.ws if weapon.melee else person.bs)
            if weapon.melee:
                known.setdefault("parry_qualities", weapon.qualities)
    return known


# --- what came of it --------------------------------------------------------------------------------------------------


def _left(health: int) -> int:
    """Wounds left, below 0 the critical damage; the dead have the worst of it."""
    return health if health > DEAD else -LAST_ROW


def duel_headline(answer: Answer) -> str:
    """Who wins how often, and how soon it is over."""
    a, b = answer.odds("a_dead").chance(1), answer.odds("b_dead").chance(1)
    rounds = answer.inputs.rounds
    both = answer.states.project(lambda duelling: duelling.winner).chance("nobody")
    stands = f", both stand {percent(both)}" if both else ""
    return f"A wins {percent(b)}, B {percent(a)} in {plural(rounds, 'round')}{stands}; criticals count only by death."


def warn_duel(inputs: Any, rules: Rulings) -> list[str]:
    """What the duel leaves out."""
    left_out = "Stun, blood loss, armour lost and other effects of critical rows, broken weapons, ammunition, aim"
    hot = dict.fromkeys(one for side in SIDES for one in warnings_of_heat(side_of(inputs, side).qualities))
    return [f"{left_out} and tactics are left out of a duel.", *hot]


DUEL = Question(
    "duel",
    "Who wins a duel?",
    DuelInputs,
    begin,
    DUEL_ROUNDS,
    (
        Measure("winner", "Winner", lambda duelling: duelling.winner),
        Measure("a_dead", "A dies", lambda duelling: int(duelling.now.a <= DEAD)),
        Measure("b_dead", "B dies", lambda duelling: int(duelling.now.b <= DEAD)),
        Measure("ended_in", "Over in round", lambda duelling: duelling.ended_in, "round"),
        Measure("a_wounds", "Wounds A has left", lambda duelling: _left(duelling.now.a), "wounds"),
        Measure("b_wounds", "Wounds B has left", lambda duelling: _left(duelling.now.b), "wounds"),
        Measure("a_jammed", "A's weapon is jammed at the end", lambda duelling: int(duelling.now.a_jammed)),
        Measure("b_jammed", "B's weapon is jammed at the end", lambda duelling: int(duelling.now.b_jammed)),
    ),
    duel_headline,
    duel.narrate,
    fill=fill_duel,
    warn=warn_duel,
    example={
        "a_weapon": "Astartes Power Sword",
        "b_weapon": "Improvised",
        "b_modifier": -30,
        "rounds": 2,
        "first": "a",
    },
    rulings=ask_rulings.DUEL,
    lens=lens,
)
