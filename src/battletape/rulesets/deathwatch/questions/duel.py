"""The question duel: two characters fight over some rounds, and one may win."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from operator import attrgetter
from typing import Annotated, Any, Literal, TypeAlias, get_type_hints

from battletape.cards import (
    Answer,
    Inputs,
    InputsMeta,
    Lead,
    Measure,
    ProfileBook,
    Question,
    Roll,
    asked,
    described,
    fields,
    percent,
)
from battletape.rulebook import D100, Caution, Ended, Line, Lines, Procedure, State, Tape, clause, plural, replace
from battletape.rulesets.deathwatch.profiles import book as profiles
from battletape.rulesets.deathwatch.profiles.types import Character, Stat
from battletape.rulesets.deathwatch.questions import _inputs
from battletape.rulesets.deathwatch.questions.fight import attack_of
from battletape.rulesets.deathwatch.questions.shoot import warnings_of_heat
from battletape.rulesets.deathwatch.rules import actions, d100_tests, guns, lenses, traits, wounds
from battletape.rulesets.deathwatch.rules.attack import records, results, stages
from battletape.rulesets.deathwatch.rules.keywords import qualities_named
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings
from battletape.rulesets.deathwatch.tables.criticals import LAST_ROW

Side: TypeAlias = Literal["a", "b"]


class DuelState(State, frozen=True):
    """Two characters, what each does to the other turn by turn, and how far they have got."""

    a: guns.Gunfire
    b: guns.Gunfire
    health: tuple[int, int]
    rounds: int
    first: str  # a, b or initiative
    agility_lead: int = 0  # by how much the Agility bonus of A is higher
    jammed: tuple[bool, bool] = (False, False)
    ended_in: int = 0  # the round in which one fell; 0 if both stand

    @property
    def winner(self) -> str:
        """The side that stands alone."""
        return "A" if self.health[1] <= traits.DEAD else "B" if self.health[0] <= traits.DEAD else "nobody"


@clause("DW-ECON-1")
def roll_initiative(tape: Tape, duel: DuelState) -> DuelState:
    """Roll initiative once, for both."""
    if duel.first != "initiative":
        return duel
    first = actions.first_of(tape, "A", "B", duel.agility_lead)
    tape.tell("{} goes first", first)
    return replace(duel, first=first.lower())


@clause("DW-PIPE-1", "DW-ECON-1")
def fight_on(tape: Tape, duel: DuelState) -> DuelState:
    """Fight turn after turn, until one falls or the rounds are over."""
    turns = ((0, None), (1, None)) if duel.first == "a" else ((1, None), (0, None))
    return tape.race(LINES, (duel.a, duel.b), turns * duel.rounds, then=_ended, rest=duel, tell=end_lines)


def _ended(duel: DuelState, result: Ended) -> DuelState:
    (b, a_jammed), (a, b_jammed), at = result
    ended_in = 0 if at is None else 1 + at // 2  # two turns make a round
    return replace(duel, health=(a, b), jammed=(a_jammed, b_jammed), ended_in=ended_in)


@clause("DW-DMG-1")
def end_lines(before: DuelState, result: Ended) -> Iterator[Line]:
    """Say how both stand, and which side has won."""
    duel = _ended(before, result)
    for side, health, enemy in zip("AB", duel.health, (duel.b, duel.a), strict=True):
        words = wounds.health_words(health, enemy.spec.defender.wounds).lower()
        yield Line(f"{side}: {words}", ("DW-DMG-1",))
    if duel.ended_in:
        yield Line(f"{duel.winner} wins in round {duel.ended_in}", ("DW-DMG-1",))


@clause("DW-PIPE-1", "DW-ECON-1")
def turn(tape: Tape, fire: guns.Gunfire, _: None) -> guns.Gunfire:
    """Play one turn of one of the two, as in any other fight."""
    return fire if is_idle(fire.spec) else guns.fire_on(tape, fire)


LINES = Lines(turn, lambda fire: fire.victim.health <= traits.DEAD, lambda fire: (fire.victim.health, fire.gun.jammed))


@lru_cache(256)
def is_idle(spec: records.PreparedAttack) -> bool:
    """Return whether an attack can neither hit nor jam, so that it need not be rolled."""
    return not spec.flame and all(stages.read_attack_roll(spec, roll)[0] == "miss" for roll in D100.faces)


SIDES: tuple[Side, Side] = ("a", "b")
OWN = (
    *("profile", "weapon", "mode", "skill", "fury", "psy_rating", "trained", "sb", "times_sb", "more_sb", "modifier"),
    *("kind", "damage", "damage_type", "pen", "qualities", "special", "grade", "doubles_sb"),
    *("single", "semi", "full"),
    *("armour", "head", "arm", "body", "leg", "primitive_armour", "tb", "unnatural_toughness", "more_tb", "toughness"),
    *("agility", "wounds", "health", "minion", "true_grit", "daemon", "dodge", "reaction", "parry", "parry_qualities"),
)
"""Inputs of each of the two, in the order of the form: profile, weapon, and how it is used."""
HOW_NOTE = "melee: blows; the others are fire modes of a gun"


class Duellist(_inputs.FightInputs, frozen=True):
    """One of the two; inputs of the question carry a_ or b_ before these names."""

    profile: str = asked("", "Profile", group="attacker", profile="character")
    mode: Literal["melee", traits.Mode] = asked(
        "melee", "How this one fights", "DW-RWEP-00", group="attacker", form="mode", note=HOW_NOTE
    )
    skill: Stat = asked(45, "Weapon or Ballistic Skill", "DW-TEST-1", group="attacker")
    single: _inputs.Single = True
    semi: _inputs.Semi = 0
    full: _inputs.Full = 0


class DuelCircumstanceInputs(Inputs, frozen=True):
    """The circumstances of both sides of a duel."""

    rounds: int = asked(5, "Rounds", "DW-ECON-1", group="circumstances", ge=1, le=20)
    first: Literal["a", "b", "initiative"] = asked(
        "initiative",
        "Who goes first",
        "DW-ECON-1",
        group="circumstances",
        note="initiative: a d10 and the Agility bonus each decide",
    )
    band: traits.Band = asked("normal", "Range band of those who shoot", "DW-RANGE-1", group="circumstances")


SIDED = tuple(
    sorted((given for given in fields(Duellist) if given.name in OWN), key=lambda given: OWN.index(given.name))
)
OF_TARGET = tuple(given.name for given in SIDED if given.group == "target")


def _side_inputs() -> Iterator[tuple[str, Any, Any]]:
    """Return the inputs of both sides, each with its letter before name and title."""
    hints = get_type_hints(Duellist, include_extras=True)
    for side, group in (("A", "attacker"), ("B", "target")):
        for given in SIDED:
            short = f"{side}: {given.short}" if given.part and given.short else given.short
            heading = f"{side}: {given.heading}"
            words = described(heading, given.clause, about=given.about, group=group, short=short)
            yield f"{side.lower()}_{given.name}", Annotated[hints[given.name], words], given.default


HINTS = {name: hint for name, hint, _ in _side_inputs()}
TWO = {"__module__": __name__, "__annotations__": HINTS} | {name: default for name, _, default in _side_inputs()}
BothSides: type[Any] = InputsMeta("Two", (Inputs,), TWO, frozen=True)


class DuelInputs(BothSides, DuelCircumstanceInputs, frozen=True):  # type: ignore[misc]
    """Two characters in a duel."""


def side_of(inputs: Any, side: Side) -> Duellist:
    """Return one of the two as the inputs have it."""
    return Duellist(**{name: getattr(inputs, f"{side}_{name}") for name in OWN})


def begin_duel(inputs: Any, rulings: Rulings = DEFAULT) -> DuelState:
    """Return both with their attacks on each other worked out."""
    a, b = side_of(inputs, "a"), side_of(inputs, "b")
    fire = _turns("A", a, "B", b, inputs.band, rulings), _turns("B", b, "A", a, inputs.band, rulings)
    ahead = d100_tests.bonus(a.agility) - d100_tests.bonus(b.agility)
    return DuelState(*fire, (_inputs.health_of(a), _inputs.health_of(b)), inputs.rounds, inputs.first, ahead)


def _turns(letter: str, own: Duellist, enemy: str, other: Duellist, band: Any, rulings: Rulings) -> guns.Gunfire:
    """Return the attacks of one on the other, turn by turn; no weapon breaks, as no battle follows."""
    spec = spec_of(own, other, band, rulings)
    defender = replace(spec.defender, name=enemy)
    by = "attacker" if letter == "A" else "defender"  # the side that rolls
    spec = replace(
        records.with_armour_loss_at(spec, ()), name=letter, defender=defender, by=by, breakable=False, any_clash=False
    )
    fire_plan = guns.FirePlan(
        spec,
        guns.UNLIMITED,
        d100_tests.target(own.skill, (), rulings),
        clearing_empties=False,  # rounds are not counted
        recharges=own.mode != "melee" and qualities_named(own.qualities).recharge,
        keeps_conditions=False,
        test_rulings=Rulings(auto_results=rulings.auto_results),
    )
    victim = wounds.Victim(_inputs.health_of(other), by_spot=wounds.NONE_BY_SPOT if spec.by_location else ())
    return guns.Gunfire(fire_plan, victim, victim.health, guns.GunState())


def spec_of(own: Duellist, other: Duellist, band: traits.Band, rulings: Rulings = DEFAULT) -> records.PreparedAttack:
    """Return the attack of one on the other."""
    inputs = replace(own, ws=own.skill, **{name: getattr(other, name) for name in OF_TARGET})
    if own.mode == "melee":
        return attack_of(inputs, rulings)
    flames = qualities_named(own.qualities).flame
    if other.reaction == "parry" or flames:  # shots are not parried, nor flames dodged so
        inputs = replace(inputs, reaction="none")
    target = _inputs.target_of(replace(inputs, parry=None))
    draft = _inputs.shot_draft(inputs, target, own.mode, rulings, band=None if flames else band)
    return _inputs.attack_on(draft, own.qualities, target)


def fill_duel(given: Mapping[str, Any], book: ProfileBook) -> dict[str, Any]:
    """Fill in the profiles of both."""
    filled = {name: value for name, value in given.items() if name[:2] not in ("a_", "b_")}
    for side, enemy in (("a", "b"), ("b", "a")):
        own = {name[2:]: value for name, value in given.items() if name.startswith(f"{side}_")}
        whole = _fill_side(own, str(given.get(f"{enemy}_profile") or ""), book)
        filled |= {f"{side}_{name}": value for name, value in whole.items()}
    return filled


def _fill_side(own: Mapping[str, Any], enemy: str, book: ProfileBook) -> dict[str, Any]:
    known: dict[str, Any] = dict(own)
    character: Character | None = book.find("character", str(own["profile"])) if own.get("profile") else None
    if character is not None:
        known |= {"profile": character.name, "attacker": character.name, "target": enemy}
        if "weapon" not in own and "damage" not in own:
            known["weapon"] = _weapon_for(own.get("mode"), character, book)
        known = {**profiles.fill_attacker(known, book), "target": character.name}
    known = profiles.fill_target(known, book)
    if known.get("weapon"):
        weapon = profiles.find_weapon(book, str(known["weapon"]))
        known = profiles.fill_weapon(known, book)
        known.setdefault("mode", "melee" if weapon.melee else guns.modes_of(weapon)[-1])
        if weapon.melee:
            known["single"] = own.get("single", False)
        if character is not None:
            known.setdefault("skill", character.ws if weapon.melee else character.bs)
            if weapon.melee:
                known.setdefault("parry_qualities", weapon.qualities)
    return known


def _weapon_for(mode: str | None, character: Character, book: ProfileBook) -> str | None:
    """Return the first weapon of a character that fits the mode, else its usual one.

    Without a mode it is a weapon for melee, or a gun where there is none.
    """
    carried = [book.find("weapon", name) for name in character.weapons]
    in_hand = profiles.usual_weapon(character, book, True)
    if mode is None:
        return profiles.first_weapon(character, book, True) or profiles.first_weapon(character, book, False) or in_hand
    fit = (weapon.name for weapon in carried if (weapon.melee if mode == "melee" else mode in guns.modes_of(weapon)))
    return next(fit, in_hand)


def _left(health: int) -> int:
    """Return the wounds left, below 0 the critical damage; at least the worst for the dead."""
    return health if health > traits.DEAD else -LAST_ROW


def _when(ended_in: int) -> str:
    return f"round {ended_in}" if ended_in else "not over"


def duel_headline(answer: Answer) -> str:
    """Say how often each side wins, and how often both stand."""
    both = answer.odds("winner").chance("nobody")
    stands = f", both stand {percent(both)}" if both else ""
    rounds = plural(answer.inputs.rounds, "round")
    return f"A wins {answer.chance('b_dead')}, B {answer.chance('a_dead')} in {rounds}{stands}."


def duel_result(roll: Roll) -> str:
    """Say which side won, or how both stand."""
    measured = roll.results
    if measured["winner"] != "nobody":
        return f"{'B' if measured['winner'] == 'A' else 'A'} dead in round {measured['ended_in']}."
    return f"Undecided: A has {measured['a_wounds']} wounds left, B {measured['b_wounds']}."


def warn_duel(inputs: Any, rulings: Rulings) -> list[str | Caution]:
    """Warn of what the duel leaves out."""
    left_out = "Stun, blood loss, armour lost and other effects of critical rows, broken weapons, ammunition, aim"
    hot = dict.fromkeys(warning for side in SIDES for warning in warnings_of_heat(side_of(inputs, side).qualities))
    return [f"{left_out} and tactics are left out of a duel.", *hot]


DUEL = Question(
    "duel",
    "Who wins a duel?",
    DuelInputs,
    begin_duel,
    Procedure("duel", (roll_initiative, fight_on)),
    (
        Measure("winner", "Winner", attrgetter("winner"), values=("A", "B", "nobody")),
        results.chance("a_dead", "A dies", lambda duel: duel.health[0] <= traits.DEAD),
        results.chance("b_dead", "B dies", lambda duel: duel.health[1] <= traits.DEAD),
        Measure("ended_in", "When it is over", attrgetter("ended_in"), words=_when, never=0, adds_up="at_most"),
        Measure("a_wounds", "Wounds A has left", lambda duel: _left(duel.health[0]), "wounds"),
        Measure("b_wounds", "Wounds B has left", lambda duel: _left(duel.health[1]), "wounds"),
        results.chance("a_jammed", "A's weapon is jammed at the end", lambda duel: duel.jammed[0]),
        results.chance("b_jammed", "B's weapon is jammed at the end", lambda duel: duel.jammed[1]),
    ),
    duel_headline,
    fill=fill_duel,
    warn=warn_duel,
    stops=lambda duel: (
        *results.reduction_lines(duel.a.spec, " on B"),
        *results.reduction_lines(duel.b.spec, " on A"),
    ),
    result=duel_result,
    example={
        "a_profile": "Brother Cato",
        "a_weapon": "Astartes Bolter (Godwyn)",
        "b_profile": "Warlord Gharn",
        "rounds": 3,
    },
    small={"a_weapon": "Astartes Power Sword", "b_weapon": "Improvised", "b_modifier": -30, "rounds": 2, "first": "a"},
    rulings=(
        *(*_inputs.OF_TESTS, *_inputs.OF_CONTESTS, "multi_dodge", "power_fist", *_inputs.OF_BURSTS),
        *("scatter_distance", "hit_location", "ap_doublings", *_inputs.OF_HARM),
    ),
    lens=lenses.lens,
    lead=(Lead("winner", lambda answer: f"A wins, B {answer.chance('a_dead')}", holds=lambda winner: winner == "A"),),
)
