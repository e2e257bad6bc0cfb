"""The question fight: a turn in melee of one character against another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from msgspec.structs import replace

from battletape.clauses import clause
from battletape.errors import BadInput, Refused
from battletape.odds import percent
from battletape.profiles import ProfileBook
from battletape.rulesets.deathwatch.profiles.book import (
    fill_attacker,
    fill_target,
    fill_weapon,
    find_weapon,
    refuse_use,
)
from battletape.rulesets.deathwatch.profiles.types import Weapon
from battletape.rulesets.deathwatch.questions._inputs import (
    OF_CONTESTS,
    OF_FATIGUE,
    OF_HARM,
    OF_JAMS,
    OF_PLACES,
    OF_SITUATIONS,
    OF_TESTS,
    Deed,
    Fight,
    draft_of,
    guard_of,
    health_of,
    situation_of,
    strength_added,
    target_states,
    warn_between,
)
from battletape.rulesets.deathwatch.questions._pictures import body_hit
from battletape.rulesets.deathwatch.questions.shoot import harm_headline, harm_result, warnings_of
from battletape.rulesets.deathwatch.rules import melee
from battletape.rulesets.deathwatch.rules.attack import exchange, results
from battletape.rulesets.deathwatch.rules.attack.exchange import Exchange, Trial
from battletape.rulesets.deathwatch.rules.attack.modifiers import Action, fatigue_modifier
from battletape.rulesets.deathwatch.rules.attack.records import Spec, share_losses
from battletape.rulesets.deathwatch.rules.attack.results import chance
from battletape.rulesets.deathwatch.rules.attack.stages import parry_target, refuse_parry
from battletape.rulesets.deathwatch.rules.attack.stages import reactions as reactions_of
from battletape.rulesets.deathwatch.rules.damage import effective_tb
from battletape.rulesets.deathwatch.rules.lenses import lens
from battletape.rulesets.deathwatch.rules.qualities.keywords import ready, values
from battletape.rulesets.deathwatch.rules.tests import Contestant, bonus, target
from battletape.rulesets.deathwatch.rules.traits import Modifier
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings
from battletape.system import Measure, Question
from battletape.words import capital, plural

if TYPE_CHECKING:
    from battletape.answer import Answer, Roll


TRIALS: Mapping[str, str] = {
    "feint_and_attack": "feint",
    "knock_down": "knock_down",
    "manoeuvre": "manoeuvre",
    "grapple": "grapple",
}
ADDS: tuple[Action, ...] = ("all_out", "charge", "guarded", "called", "stun")
"""Actions that add something to the roll."""
HOW: Mapping[str, Literal["", "fists", "stun"]] = {"unarmed": "fists", "stun": "stun"}
BY_STRENGTH = ("knock_down", "grapple")
WITH_FISTS = ("unarmed", "knock_down", "grapple")
BARE: Mapping[str, Any] = {
    **{"kind": "Melee", "qualities": (), "special": "none", "doubles_sb": False, "grade": "common"},
    "trained": True,
}
"""What a weapon at the belt does not lend to a fist."""


def begin_fight(inputs: Fight, rules: Rulings = DEFAULT) -> Exchange:
    """The turn about to begin."""
    blows, what, trial = attacks(inputs, rules), TRIALS.get(inputs.action), None
    if what is not None:
        trial = Trial(what, *contestants(inputs, rules), blows[0][1], _tests(rules))
    tb = effective_tb(inputs.tb, inputs.unnatural_toughness, 0, inputs.more_tb, rules)
    return exchange.between_two(blows, health_of(inputs), reactions_of(inputs.defensive_stance), tb, trial)


def _tests(rules: Rulings) -> Rulings:
    """The rulings that tests against each other and fists ask for; others would only keep equal states apart."""
    names = ("degrees", "auto_results", "modifier_cap", "opposed_ties", "opposed_failures", "unarmed_fatigue")
    return Rulings(**{name: getattr(rules, name) for name in names})


def contestants(inputs: Fight, rules: Rulings = DEFAULT) -> tuple[Contestant, Contestant]:
    """Both sides of a trial, by strength or by skill."""
    strong = inputs.action in BY_STRENGTH
    what = "strength" if strong else "weapon skill"
    own, theirs = (inputs.own_strength, inputs.strength) if strong else (inputs.ws, inputs.target_ws)
    added = (Modifier("other modifiers", inputs.modifier), Modifier("fatigue", fatigue_modifier(inputs.fatigue, rules)))
    own_bonus = inputs.sb if strong else bonus(own)
    their_bonus = inputs.target_sb if strong else bonus(theirs)
    attacker = Contestant(target(own, added, rules), own_bonus, f"attacker's {what}")
    return attacker, Contestant(target(theirs, (), rules), their_bonus, f"target's {what}")


def attacks(inputs: Fight, rules: Rulings = DEFAULT) -> tuple[tuple[str, Spec], ...]:
    """Every attack of the action with its weapon; what the rules do not allow is refused."""
    action = inputs.action
    if inputs.called is not None and action != "called":
        raise BadInput(f"called needs the action called; got {action} (DW-ACT-CALLED-SHOT)", field="called")
    if action == "called" and inputs.called is None:
        raise BadInput(
            "a called shot needs the place it is aimed at, such as head (DW-ACT-CALLED-SHOT)", field="called"
        )
    if action == "feint_and_attack" and inputs.reaction == "none":
        why = "a feint takes away a reaction: say dodge, parry or choose; got none (DW-ACT-FEINT)"
        raise BadInput(why, field="reaction")
    if action in ("swift", "lightning"):
        number = {"swift": 2, "lightning": 3}[action]
        if melee.attacks_of(inputs.talents) < number:
            name = (melee.SWIFT if action == "swift" else melee.LIGHTNING).name
            came = ", ".join(inputs.talents) or "none"
            raise Refused(f"{number} attacks need the talent {name}; got {came}", "DW-ACT-MULTIPLE-ATTACKS", "talent")
        return (("", attack_of(inputs, rules)),) * number
    if action == "two_weapons":
        return both_weapons(inputs, rules)
    return (("", attack_of(inputs, rules)),)


def both_weapons(inputs: Fight, rules: Rulings = DEFAULT) -> tuple[tuple[str, Spec], ...]:
    """An attack with each of two weapons."""
    kind = inputs.kind2 or ("Pistol" if inputs.gun2 else "Melee")
    second = Weapon(name=inputs.weapon2 or "second weapon", kind=kind, melee=not inputs.gun2)
    held = (Weapon(name=inputs.weapon or "weapon", kind=inputs.kind, melee=True), second)
    for refused in (melee.refuse_two_weapons(held), melee.refuse_both(held, inputs.talents)):
        if refused is not None:
            raise refused
    both = melee.has(inputs.talents, melee.BOTH_HANDS)
    main, off = (melee.hand_modifiers(hand, True, both, rules) for hand in ("main", "off"))
    other = replace(
        inputs,
        ws=inputs.ws if inputs.skill2 is None else inputs.skill2,
        damage=inputs.damage2,
        damage_type=inputs.damage_type2,
        pen=inputs.pen2,
        qualities=inputs.qualities2,
        doubles_sb=inputs.doubles_sb2,
        special=inputs.special2,
        grade=inputs.grade2,
        trained=inputs.trained2,
        kind=kind,
    )
    first, last = share_losses((attack_of(inputs, rules, main), attack_of(other, rules, off, gun=inputs.gun2)))
    return ("", first), ("2", last)


@clause("DW-UNARM-1", "DW-SUMM-UNARMED_VS_ARMED")
def attack_of(
    inputs: Fight,
    rules: Rulings = DEFAULT,
    added: tuple[Modifier, ...] = (),
    gun: bool = False,
    by_side: bool = False,
) -> Spec:
    """One attack with all its modifiers and qualities."""
    fists = inputs.action in WITH_FISTS
    if fists:
        inputs = replace(inputs, damage=melee.fist_damage(inputs.talents), damage_type="I", pen=0, **BARE)
    if added:  # by the two weapons, which count the off hand themselves
        inputs = replace(inputs, off_hand=False)
    if gun and inputs.reaction == "parry":  # which meets the blade only
        inputs = replace(inputs, reaction="none")
    situation = situation_of(
        inputs, _added(inputs.action), unarmed_vs_armed=fists and inputs.armed, other=added, **target_states(inputs)
    )
    draft = draft_of(inputs, inputs.ws, situation, not gun, rules)
    draft = replace(draft, called=inputs.called, pair=inputs.pair, two_weapons=inputs.action == "two_weapons")
    draft = replace(draft, by_side=by_side, how=HOW.get(inputs.action, ""), sb=inputs.sb)
    if not gun:
        draft = replace(draft, flat=draft.flat + strength_added(inputs, rules))
    if fists:
        draft = replace(draft, doublings=melee.fist_doublings(inputs.talents), breakable=False)
    guard = guard_of(inputs, _parry(inputs, rules), values(inputs.parry_qualities).power_field, not gun, rules)
    return ready(draft, inputs.qualities, guard, rules)


def _added(action: Deed) -> Action:
    return next((known for known in ADDS if known == action), "")


def _parry(inputs: Fight, rules: Rulings) -> int | None:
    """What the target's parry must roll or less; none where it has no weapon for it."""
    if inputs.parry is None:
        return None
    qualities = values(inputs.parry_qualities)
    refused = refuse_parry(qualities=qualities)
    if refused is not None and inputs.reaction == "parry":
        raise refused
    parry = parry_target(inputs.parry, qualities, inputs.guarded, rules)
    return parry if isinstance(parry, int) else None


def fill_fight(given: Mapping[str, Any], book: ProfileBook) -> dict[str, Any]:
    """Profiles of attacker, weapons and target written out."""
    filled = fill_target(fill_weapon(fill_attacker(given, book, Fight, True), book, Fight, True), book, Fight)
    filled = fill_weapon(filled, book, Fight, second="2")
    if filled.get("special") == filled.get("special2") == "claws":
        filled.setdefault("pair", True)
    if filled.get("parry_with"):
        weapon = find_weapon(book, str(filled["parry_with"]))
        refuse_use(weapon, True)
        filled = {"parry_qualities": weapon.qualities, **filled, "parry_with": weapon.name}
    return filled


def fight_headline(answer: Answer) -> str:
    """What players ask for first: whether it worked, then hits, damage and death."""
    action = answer.inputs.action
    if action == "stun":
        return f"Stuns {percent(answer.odds('stunned_rounds').at_least(1))} of the time."
    harm = harm_headline(answer)
    if action not in TRIALS:
        return harm
    won = f"{capital(TRIAL_WORDS[action])} works {percent(answer.odds('won').chance(1))}"
    return f"{won}." if action == "manoeuvre" else f"{won}; {harm[0].lower()}{harm[1:]}"


TRIAL_WORDS = {
    "feint_and_attack": "the feint",
    "knock_down": "the knock-down",
    "manoeuvre": "the push",
    "grapple": "the hold",
}


def fight_result(roll: Roll) -> str:
    """What came of a turn of melee: whether the trial worked, then hits and harm."""
    action, got = roll.inputs.action, roll.results
    if action == "stun":
        rounds = got["stunned_rounds"]
        return f"Stunned for {plural(rounds, 'round')}." if rounds else "Not stunned."
    harm = harm_result(roll)
    if action not in TRIALS:
        return harm
    won = f"{capital(TRIAL_WORDS[action])} {'works' if got['won'] else 'fails'}"
    return f"{won}." if action == "manoeuvre" or not got["hits"] else f"{won}; {harm}"


def warn_fight(inputs: Fight, rules: Rulings = DEFAULT) -> list[str]:
    """What a player may have overlooked."""
    if inputs.action in ("stun", "manoeuvre"):
        return []
    specs = [spec for _, spec in attacks(inputs, rules)]
    between = warn_between(inputs, len(specs))
    return list(dict.fromkeys((*(said for spec in specs for said in warnings_of(spec)), *between)))


FIGHT = Question(
    "fight",
    "What will a turn of melee do?",
    Fight,
    begin_fight,
    exchange.procedure,
    (
        results.FATE,
        *results.HARM,
        replace(results.JAMMED, title="A pistol jams"),
        chance("won", "The trial is won", lambda turn: turn.won),
        Measure("stunned_rounds", "Rounds stunned by the blow", lambda turn: turn.stunned, "rounds"),
        chance("tired", "A level of fatigue from fists", lambda turn: turn.tired),
        chance("thrown_down", "Thrown down by the attacker", lambda turn: turn.thrown),
        chance("attacker_prone", "The attacker falls too", lambda turn: turn.own_prone),
        replace(results.DESTROYED, title="The attacker's weapon is destroyed"),
        chance("parry_destroyed", "The weapon that parries is destroyed", lambda turn: turn.parry_broken),
        *results.CONDITIONS,
        results.TAKEN,
        *results.ROLL,
    ),
    fight_headline,
    results.NARRATE,
    fill=fill_fight,
    warn=warn_fight,
    result=fight_result,
    example={"attacker": "Brother Teodor", "weapon": "Astartes Chainsword", "target": "Raider"},
    small={"weapon": "Astartes Combat Knife", "ws": 45, "sb": 4, "target": "Raider"},
    lead="dead",
    stops=lambda start: results.stops(start.spec),
    rulings=(
        *(*OF_TESTS, *OF_FATIGUE, *OF_CONTESTS, *OF_SITUATIONS, *OF_JAMS, *OF_PLACES, *OF_HARM, "accurate_dice"),
        *("multi_dodge", "power_field", "power_fist", "two_weapons_off_hand", "unarmed_fatigue"),
    ),
    lens=lens,
    outlines=body_hit(
        lambda inputs, rules: attack_of(inputs, rules, by_side=True), aimed="called", aimed_with={"action": "called"}
    ),
)
