"""The question fight: a turn in melee of one character against another."""

from __future__ import annotations

from typing import Any

from battletape.cards import Answer, Lead, Measure, Question, Roll, part_of
from battletape.rulebook import BadInput, Caution, clause, plural, raise_if_refused, replace
from battletape.rulesets.deathwatch.profiles.book import fill_profiles
from battletape.rulesets.deathwatch.profiles.types import WeaponProfile
from battletape.rulesets.deathwatch.questions import _inputs, _pictures, shoot
from battletape.rulesets.deathwatch.rules import lenses, melee, traits
from battletape.rulesets.deathwatch.rules.attack import exchange, procedures, records, results, stages
from battletape.rulesets.deathwatch.rules.attack.fighters import contestant, draft_of, fists_of
from battletape.rulesets.deathwatch.rules.attack.results import chance
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings

TRIALS = {"feint_and_attack": "feint"} | {name: name for name in ("knock_down", "manoeuvre", "grapple")}
WITH_FISTS = ("unarmed", "knock_down", "grapple")
SECOND = ("damage", "damage_type", "pen", "qualities", "doubles_sb", "special", "grade", "trained")
"""Inputs about a second weapon, with a 2 behind these names."""


def begin_fight(inputs: _inputs.FightInputs, rulings: Rulings = DEFAULT) -> exchange.Exchange:
    """Return the turn of melee about to begin."""
    blows, what = attacks(inputs, rulings), TRIALS.get(inputs.action)
    trial = trial_of(inputs, what, blows[0][1], rulings) if what else None
    return exchange.attacks_between_two(
        blows, _inputs.health_of(inputs), stages.reactions_per_round(inputs.defensive_stance), trial
    )


def trial_of(inputs: _inputs.FightInputs, what: str, spec: records.PreparedAttack, rulings: Rulings) -> exchange.Trial:
    """Return a trial of attacker against target, and the blow of a clear winner."""
    added, target = (traits.Modifier("other modifiers", inputs.modifier),), _inputs.target_of(inputs)
    target = replace(target, profile=replace(target.profile, ws=inputs.target_ws))
    attacker = contestant(_inputs.attacker_of(inputs, True), what, "attacker's ", added, rulings)
    # other rulings would only keep equal states apart
    asked = part_of(rulings, *_inputs.OF_TESTS, *_inputs.OF_CONTESTS, "unarmed_fatigue")
    return exchange.Trial(
        what, attacker, contestant(target, what, "target's ", rulings=rulings), spec, Rulings(**asked)
    )


def attacks(inputs: _inputs.FightInputs, rulings: Rulings = DEFAULT) -> tuple[tuple[str, records.PreparedAttack], ...]:
    """Return every attack of the action with its weapon; refuse what the rules do not allow."""
    action = inputs.action
    if inputs.called is not None and action != "called":
        raise BadInput.of("called", f"needs the action called; got {action}", clause="DW-ACT-CALLED-SHOT")
    if action == "called" and inputs.called is None:
        why = "a called shot needs the place it is aimed at, such as head"
        raise BadInput(why, field="called", clause="DW-ACT-CALLED-SHOT")
    if action == "feint_and_attack" and inputs.reaction == "none":
        why = "a feint takes away a reaction: say dodge, parry or choose; got none"
        raise BadInput(why, field="reaction", clause="DW-ACT-FEINT")
    if action == "two_weapons":
        return both_weapons(inputs, rulings)
    number = melee.ATTACKS_BY_ACTION.get(action, 1)
    raise_if_refused(melee.refuse_attacks(number, inputs.talents))
    return (("", attack_of(inputs, rulings)),) * number


def both_weapons(
    inputs: _inputs.FightInputs, rulings: Rulings = DEFAULT
) -> tuple[tuple[str, records.PreparedAttack], ...]:
    """Return an attack with each of two weapons."""
    kind = inputs.kind2 or ("Pistol" if inputs.gun2 else "Melee")
    second = WeaponProfile(name=inputs.weapon2 or "second weapon", kind=kind, melee=not inputs.gun2)
    carried = (WeaponProfile(name=inputs.weapon or "weapon", kind=inputs.kind, melee=True), second)
    raise_if_refused(melee.refuse_two_weapons(carried), melee.refuse_both(carried, inputs.talents))
    main, off = (melee.hand_modifiers(hand, True, inputs.talents, rulings) for hand in melee.MAIN_AND_OFF)
    second_hand = {name: getattr(inputs, f"{name}2") for name in SECOND}
    skill = inputs.ws if inputs.skill2 is None else inputs.skill2
    other = replace(inputs, weapon=inputs.weapon2, ws=skill, kind=kind, **second_hand)
    blows = attack_of(inputs, rulings, other=main), attack_of(other, rulings, inputs.gun2, other=off)
    first, last = records.share_armour_losses(blows)
    return ("", first), ("2", last)


@clause("DW-UNARM-1", "DW-SUMM-UNARMED_VS_ARMED")
def attack_of(
    inputs: _inputs.FightInputs, rulings: Rulings = DEFAULT, gun: bool = False, **more: Any
) -> records.PreparedAttack:
    """Return one attack with all its modifiers and qualities."""
    if gun:
        more = {"band": "point_blank", "engaged": True, **more}
        inputs = replace(inputs, reaction="none") if inputs.reaction == "parry" else inputs  # which meets blades only
    action, attacker, target = inputs.action, _inputs.attacker_of(inputs, not gun), _inputs.target_of(inputs)
    carried = fists_of(attacker) if action in WITH_FISTS else attacker.weapons[0]
    setting = _inputs.setting_of(
        inputs, carried, rulings, **({"other": (), **more} if action == "two_weapons" else more)
    )
    draft = draft_of(attacker, carried, target, setting, action, called=inputs.called)
    return _inputs.attack_on(draft, carried.profile.qualities, target)


def _trial(answer: Answer) -> str:
    return procedures.TRIALS[TRIALS[answer.inputs.action]][0]


def fight_headline(answer: Answer) -> str:
    """Say whether a trial works, then hits, damage and death."""
    action = answer.inputs.action
    if action == "stun":
        return f"Stuns {answer.chance('stunned_rounds')} of the time."
    harm = shoot.harm_headline(answer)
    if action not in TRIALS:
        return harm
    won = f"{_trial(answer)} works {answer.chance('won')}"
    return f"{won}." if action == "manoeuvre" else f"{won}; {harm[0].lower()}{harm[1:]}"


def fight_result(roll: Roll) -> str:
    """Say whether a trial worked, then hits and harm."""
    action, measured = roll.inputs.action, roll.results
    if action == "stun":
        rounds = measured["stunned_rounds"]
        return f"Stunned for {plural(rounds, 'round')}." if rounds else "Not stunned."
    harm = shoot.harm_result(roll)
    if action not in TRIALS:
        return harm
    won = f"{procedures.TRIALS[TRIALS[action]][0]} {'works' if measured['won'] else 'fails'}"
    return f"{won}." if action == "manoeuvre" or not measured["hits"] else f"{won}; {harm}"


def warn_fight(inputs: _inputs.FightInputs, rulings: Rulings = DEFAULT) -> list[str | Caution]:
    """Warn of attacks that cannot hit or hurt, and of critical rows between attacks."""
    if inputs.action in ("stun", "manoeuvre"):
        return []
    specs = [spec for _, spec in attacks(inputs, rulings)]
    between = _inputs.warnings_between(inputs, len(specs))
    return list(dict.fromkeys((*(warning for spec in specs for warning in shoot.warnings_of(spec)), *between)))


FIGHT = Question(
    "fight",
    "What will a turn of melee do?",
    _inputs.FightInputs,
    begin_fight,
    procedures.one_on_one,
    (
        results.FATE,
        *results.HARM,
        replace(results.JAMMED, title="A pistol jams"),
        chance("won", "The trial is won", lambda turn: turn.won),
        Measure("stunned_rounds", "Rounds stunned by the blow", lambda turn: turn.stunned, "rounds"),
        chance("tired", "A level of fatigue from fists", lambda turn: turn.gains_fatigue),
        chance("thrown_down", "Thrown down by the attacker", lambda turn: turn.thrown_down),
        chance("attacker_prone", "The attacker falls", lambda turn: turn.attacker_prone),
        replace(results.DESTROYED, title="The attacker's weapon is destroyed"),
        chance(
            "parry_destroyed", "The weapon that parries is destroyed", lambda turn: turn.combatants[0].parries_broken
        ),
        *results.CONDITIONS,
        results.TAKEN,
        *results.ROLL,
    ),
    fight_headline,
    fill=lambda given, book: fill_profiles(given, book, _inputs.FightInputs, in_melee=True),
    warn=warn_fight,
    result=fight_result,
    example={"attacker": "Brother Teodor", "weapon": "Astartes Chainsword", "target": "Raider"},
    small={"weapon": "Astartes Combat Knife", "ws": 45, "sb": 4, "target": "Raider"},
    stops=lambda start: results.reduction_lines(start.spec),
    rulings=_inputs.OF_BLOWS,
    lens=lenses.lens,
    outlines=_pictures.body_hit(
        lambda inputs, rulings: attack_of(inputs, rulings, by_side=True),
        aimed="called",
        aimed_with={"action": "called"},
    ),
    lead=(
        Lead(
            "stunned_rounds",
            "stunned",
            holds=lambda rounds: rounds > 0,
            when=lambda answer: answer.inputs.action == "stun",
        ),
        Lead("won", lambda answer: f"{_trial(answer)} works", when=lambda answer: answer.inputs.action in TRIALS),
        *shoot.HARM_LEAD,
    ),
)
