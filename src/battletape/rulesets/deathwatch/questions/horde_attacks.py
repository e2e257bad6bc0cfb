"""The question horde_attacks: what the attacks of a horde do to a character."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from battletape.cards import (
    Answer,
    Lead,
    Measure,
    ProfileBook,
    Question,
    asked,
    fill_from,
)
from battletape.rulebook import BadInput, Caution, Refused, clause, raise_if_refused
from battletape.rulesets.deathwatch.profiles.book import fill_mode, fill_target, fill_weapon, find_weapon, strength_of
from battletape.rulesets.deathwatch.profiles.types import Horde
from battletape.rulesets.deathwatch.questions import _inputs
from battletape.rulesets.deathwatch.questions.shoot import harm_result, warnings_of
from battletape.rulesets.deathwatch.rules import hordes, lenses
from battletape.rulesets.deathwatch.rules.attack import modifiers, records, results
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings


class HordeAttacksInputs(_inputs.RangedInputs, frozen=True):
    """A horde that attacks a character, with its guns or in melee."""

    horde: str = asked("", "Horde's profile", group="attacker", profile="horde")
    magnitude: int = asked(30, "Its Magnitude", "DW-HORDE-15", group="attacker", form="count", ge=1, le=200)
    traits: tuple[str, ...] = asked((), "Its traits", "DW-HORDE-17", group="attacker", known=tuple(hordes.TRAITS))
    attack: Literal["shoot", "melee"] = asked("shoot", "How it attacks", "DW-HORDE-15", group="attacker", form="mode")
    bs: int = asked(30, "Ballistic Skill of one of them", "DW-TEST-1", group="attacker", ge=0, le=150)
    ws: _inputs.Ws = 30
    sb: _inputs.Sb = 3
    mode: _inputs.ModeOf = "single"
    to_hit: _inputs.ToHit = None
    damage: str = asked("1d10+3", "Damage of one of them", "DW-RWEP-00", about=", such as 1d10+3", group="weapon")
    damage_type = "I"
    pen = 0
    qualities: _inputs.QualitiesOf = ()
    attacks: int | None = asked(
        None,
        "Attacks a turn on this target",
        "DW-HORDE-15",
        about="as many as its Magnitude gives if left out",
        group="attacker",
        ge=0,
        le=30,
    )
    armed: _inputs.IsArmed = True
    turns: int = asked(1, "Turns", "DW-HORDE-15", group="circumstances", ge=1, le=10)


def begin_horde_attacks(inputs: HordeAttacksInputs, rulings: Rulings = DEFAULT) -> hordes.HordeAssault:
    """Return the horde about to attack."""
    spec, health = assault_spec(inputs, rulings), _inputs.health_of(inputs)
    return hordes.begin_assault(spec, attacks_of(inputs), health, inputs.turns, rulings.modifier_cap)


def attacks_of(inputs: HordeAttacksInputs) -> int:
    """Return the attacks a turn; refuse more than the Magnitude gives."""
    in_melee = inputs.attack == "melee"
    most = hordes.attacks_of(inputs.magnitude, in_melee, hordes.traits_of(inputs.traits))
    if inputs.attacks is not None and inputs.attacks > most:
        what = "in melee a horde attacks each enemy once" if in_melee else f"so many make {most} attacks"
        raise BadInput.of("attacks", f"must be {most} or less: {what}; got {inputs.attacks}", clause="DW-HORDE-15")
    return most if inputs.attacks is None else inputs.attacks


def assault_spec(inputs: HordeAttacksInputs, rulings: Rulings = DEFAULT) -> records.PreparedAttack:
    """Return one attack of the horde on this target; refuse what the rules do not allow."""
    raise_if_refused(hordes.refuse_horde_attack(inputs.reaction != "none", inputs.aim != "none", inputs.fury != "none"))
    if inputs.attacker:
        why = f"here a horde attacks, not {inputs.attacker}; name it with horde"
        raise BadInput(why, field="attacker", clause="DW-HORDE-15")
    target = _inputs.target_of(inputs)
    shoots = inputs.attack == "shoot"
    draft = (
        _inputs.shot_draft(inputs, target, inputs.mode, rulings)
        if shoots
        else _inputs.blow_draft(inputs, target, rulings)
    )
    draft = hordes.horde_draft(draft, inputs.magnitude, hordes.traits_of(inputs.traits))
    return _inputs.attack_on(draft, inputs.qualities, target)


def fill_horde_attacks(given: Mapping[str, Any], book: ProfileBook) -> dict[str, Any]:
    """Fill in the profiles of horde, weapon and target; the weapon is the first it carries that will do."""
    filled = dict(given)
    in_melee = given.get("attack") == "melee"
    if given.get("weapon") and "attack" not in given:
        in_melee = find_weapon(book, str(given["weapon"])).melee
        filled["attack"] = "melee" if in_melee else "shoot"
    filled = fill_from(filled, "horde", book, "bs", "ws", "magnitude", "traits", sb=strength_of)
    if given.get("horde") and not given.get("weapon") and "damage" not in given:
        filled["weapon"] = usual_weapon(book.find("horde", str(given["horde"])), book, in_melee)
    if modifiers.is_bare(str(filled.get("weapon", ""))):
        filled = {"damage": hordes.FISTS, **filled}
    filled = fill_weapon(filled, book, in_melee)
    return fill_target(filled if in_melee else fill_mode(filled, HordeAttacksInputs), book)


@clause("DW-HORDE-15")
def usual_weapon(horde: Horde, book: ProfileBook, in_melee: bool) -> str:
    """Return the weapon that a horde uses unless another is named; refuse shots of one without guns."""
    weapon = hordes.usual_weapon([book.find("weapon", name) for name in horde.weapons], in_melee)
    if weapon.melee and not in_melee:
        raise Refused(f"{horde.name} has no guns; ask for attack melee, or name a weapon", "DW-HORDE-15", "weapon")
    return weapon.name


def horde_attacks_headline(answer: Answer) -> str:
    """Say hits, damage and death."""
    turns = f" in {answer.inputs.turns} turns" if answer.inputs.turns > 1 else ""
    hits = answer.average("hits") if hordes.is_counted(answer.start) else ""
    words = f"{hits} {'hit' if hits == '1.0' else 'hits'} and " if hits else ""
    return f"{words}{answer.average('damage')} damage on average{turns}; dead {answer.chance('dead')}."


def warn_horde_attacks(inputs: HordeAttacksInputs, rulings: Rulings = DEFAULT) -> list[str | Caution]:
    """Warn of hordes too small to attack, of bare hands, and of attacks that cannot hurt."""
    if not attacks_of(inputs):
        return [Caution(f"A horde of Magnitude {inputs.magnitude} has no attack with its guns.", "DW-HORDE-15")]
    bare = [BARE] if inputs.attack == "melee" and modifiers.is_bare(inputs.weapon) else []
    return [
        *bare,
        *warnings_of(assault_spec(inputs, rulings)),
        *_inputs.warnings_between(inputs, attacks_of(inputs) * inputs.turns),
    ]


BARE = Caution(
    f"The horde strikes with bare hands, {hordes.FISTS} I: armour counts double, and armed enemies are harder to hit.",
    "DW-UNARM-1",
)
HORDE_ATTACKS = Question(
    "horde_attacks",
    "What will the attacks of a horde do to a character?",
    HordeAttacksInputs,
    begin_horde_attacks,
    hordes.assault_procedure,
    (
        *(measure for measure in results.HARM if measure.name not in ("hits", "landed")),
        Measure("hits", "Hits", lambda rush: rush.hits, "hits", usual=hordes.is_counted),
        Measure("dead_in", "Dead in turn (0 not)", lambda rush: rush.dead_in, "turn"),
        *results.CONDITIONS,
    ),
    horde_attacks_headline,
    fill=fill_horde_attacks,
    warn=warn_horde_attacks,
    stops=lambda rush: results.reduction_lines(rush.spec),
    result=harm_result,
    example={"horde": "Raider mob", "attack": "shoot", "mode": "semi", "target": "Brother Cato"},
    small={"horde": "Raider mob", "attack": "shoot", "mode": "single", "target": "Brother Cato"},
    rulings=(*_inputs.OF_GUNS, *_inputs.OF_PLACES, *_inputs.OF_HARM),
    lens=lenses.lens,
    lead=(Lead("damage", lambda answer: f"damage on average, dead {answer.chance('dead')}"),),
)
