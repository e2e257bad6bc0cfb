"""The question shoot: what fire at a character does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from battletape.cards import Answer, Lead, Measure, Question, Roll, asked, pick_fields
from battletape.rulebook import Caution, Procedure, plural
from battletape.rulesets.deathwatch.profiles.book import fill_profiles
from battletape.rulesets.deathwatch.questions import _inputs, _pictures
from battletape.rulesets.deathwatch.rules import damage, guns, lenses, traits
from battletape.rulesets.deathwatch.rules.attack import fighters, modifiers, records, results, stages
from battletape.rulesets.deathwatch.rules.attack.exchange import Exchange, attacks_between_two
from battletape.rulesets.deathwatch.rules.attack.procedures import one_on_one
from battletape.rulesets.deathwatch.rules.keywords import qualities_named
from battletape.rulesets.deathwatch.rules.wounds import damage_done
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings

State = Exchange | guns.Gunfire
SHOTS_NOTE = (
    "with more than one, jams are cleared, clips reloaded, hot guns rested and further aims taken "
    "in between, and places of critical rows are shown only on request"
)


class ShootInputs(_inputs.RangedInputs, frozen=True):
    """One attack with a gun, or the fire of several turns."""

    mode: _inputs.ModeOf = "full"
    to_hit: _inputs.ToHit = None
    called: traits.Spot | None = asked(None, "Place aimed at, of a called shot", "DW-ACT-CALLED-SHOT", group="attacker")
    on_overwatch: _inputs.OnOverwatch = False
    shots: int = asked(1, "Turns of fire", "DW-JAM-2", group="circumstances", note=SHOTS_NOTE, ge=1, le=10)


def begin_shoot(inputs: ShootInputs, rulings: Rulings = DEFAULT) -> State:
    """Return the attack about to be made, or the first turn of fire."""
    spec, health = spec_of(inputs, inputs.mode, rulings), _inputs.health_of(inputs)
    if inputs.shots == 1:
        return attacks_between_two((("", spec),), health)
    aims = guns.takes_a_turn(inputs.aim, action_of(inputs.mode, inputs.called))
    return guns.begin_fire(fire_plan_of(inputs, spec, aims, rulings, turns=inputs.shots), health, inputs.clip)


def action_of(mode: traits.Mode, called: traits.Spot | None = None) -> modifiers.Action:
    """Return a shot or burst as an action of the table."""
    return "called" if called else fighters.ACTIONS[mode]


def spec_of(
    inputs: _inputs.RangedInputs, mode: traits.Mode, rulings: Rulings = DEFAULT, by_side: bool = False
) -> records.PreparedAttack:
    """Return a shot or burst at this target, with modifiers and qualities; refuse what the rules do not allow."""
    target = _inputs.target_of(inputs)
    return _inputs.attack_on(
        _inputs.shot_draft(inputs, target, mode, rulings, by_side=by_side), inputs.qualities, target
    )


def fire_plan_of(
    inputs: _inputs.ShooterInputs | _inputs.RangedInputs,
    spec: records.PreparedAttack,
    aims: bool,
    rulings: Rulings = DEFAULT,
    **more: Any,
) -> guns.FirePlan:
    """Return what the shooter does turn by turn."""
    return guns.FirePlan(
        spec,
        clear_target=fighters.target_of(_inputs.attacker_of(inputs), "bs", inputs.bs, rulings=rulings),
        clip=inputs.clip,
        reload=guns.reload_actions(inputs.reload, qualities_named(inputs.qualities)),
        clearing_empties=rulings.jam_clear_empties_clip,
        aims=aims,
        recharges=qualities_named(inputs.qualities).recharge,
        test_rulings=Rulings(**pick_fields(rulings, "auto_results", "modifier_cap", "short_clip")),
        **more,
    )


MEASURES = (
    *results.HARM,
    results.JAMMED,
    results.OVERHEATED,
    Measure("rounds", "Rounds spent", lambda state: getattr(state, "rounds", state.spec.rounds), "rounds"),
    *results.CONDITIONS,
)


def _risk(answer: Answer) -> tuple[str, str]:
    """Return what may happen to the weapon, in words, and its measure."""
    return ("overheats", "overheated") if answer.start.spec.overheat_from <= 100 else ("jams", "jammed")


def harm_headline(answer: Answer, words: str = "jams", risk: str = "jammed") -> str:
    """Say hits, damage, death, and the risk for the weapon."""
    landed = answer.average("landed")
    hits = f"{landed} {'hit' if landed == '1.0' else 'hits'} and {answer.average('damage')} damage on average"
    return f"{hits}; dead {answer.chance('dead')}{answer.risk(words, risk)}."


HARM_LEAD = (Lead("dead", "dead"), Lead("damage", "damage on average"))
"""The lead number of an attack: death, else the damage."""


def harm_result(roll: Roll) -> str:
    """Say what came of an attack: its hits, then how the target stands."""
    measured, state = roll.results, roll.state
    hits = measured["landed"] if "landed" in measured else measured["hits"]
    if not hits:
        missed = {"jam": "The weapon jams", "overheat": "The weapon overheats"}.get(getattr(state, "status", ""))
        return f"{missed or ('Every hit is evaded' if measured['hits'] else 'No hit')}."
    return f"{plural(hits, 'hit')}: {target_status(roll)}."


def target_status(roll: Roll) -> str:
    """Say how the target stands after a roll: “Raider dead”, “Raider has 3 of 10 wounds left”."""
    state, name = roll.state, roll.inputs.target or "the target"
    health, wounds = state.victim.health, state.spec.defender.wounds
    if health <= traits.DEAD:
        return f"{name} dead"
    if damage_done(state.before, health) <= 0:
        return f"{name} unhurt"
    left = "no wounds" if health <= 0 else f"{health} of {wounds} wounds"
    return f"{name} has {left} left" + (f", critical {results.where_critical(state)}" if health < 0 else "")


def warn_shoot(inputs: ShootInputs, rulings: Rulings = DEFAULT) -> list[str | Caution]:
    """Warn of attacks that cannot hit or hurt, of heat, and of critical rows between attacks."""
    more = (*_inputs.warnings_between(inputs, inputs.shots), *warnings_of_heat(inputs.qualities))
    return [*warnings_of(spec_of(inputs, inputs.mode, rulings)), *more]


def warnings_of_heat(qualities: Sequence[str]) -> list[str | Caution]:
    """Warn of a gun that gets too hot."""
    return [OWN_BURNS] if qualities_named(qualities).overheats else []


OWN_BURNS = Caution(
    "An overheated weapon is not fired in the next turn; what it does to its bearer is worked out in a battle only.",
    "DW-QUAL-OVERHEATS",
)
CLOUDS = {
    "smoke": Caution("Its smoke is left out here; a battle shows where it lies and for how long.", "DW-QUAL-SMOKE"),
    "haywire": Caution("Its field is left out here; a battle shows how strong it is and where.", "DW-QUAL-HAYWIRE"),
}
"""By the names in `AttackNumbers.extra_effects`."""


def warnings_of(spec: records.PreparedAttack) -> list[str | Caution]:
    """Warn of an attack that cannot hit or hurt, or does more than is worked out here."""
    warnings: list[str | Caution] = [words for name, words in CLOUDS.items() if name in spec.extra_effects]
    if not spec.flame and not any(stages.read_attack_roll(spec, roll)[2] for roll in range(1, 101)):
        warnings.append(f"This attack cannot hit: its target is {spec.target}.")
    return [*warnings, *warnings_of_harm(spec, "target")]


def warnings_of_harm(spec: records.PreparedAttack, name: str) -> list[str | Caution]:
    """Warn of a weapon that cannot hurt."""
    most = max(hit.dice * hit.sides + hit.flat - hit.reduction for hit in spec.hits)
    if most > 0 or spec.accurate or spec.damage_per_degree or spec.razor_hits:
        return []
    fury = all(hit.fury == damage.NO_FURY for hit in spec.hits)
    return [f"This weapon cannot hurt this {name}" + ("." if fury else " except by righteous fury.")]


AT_A_RAIDER = {"distance": 40, "mode": "semi", "target": "Raider"}
SHOOT = Question(
    "shoot",
    "What will a shot or burst do to its target?",
    ShootInputs,
    begin_shoot,
    lambda start: (
        Procedure("fire", (guns.fire_on,) * start.fire_plan.turns)
        if isinstance(start, guns.Gunfire)
        else one_on_one(start)
    ),
    (
        *(results.FATE, *MEASURES, results.TAKEN),
        Measure("status", "How the attack roll went", lambda state: state.status),
        *results.ROLL,
    ),
    lambda answer: harm_headline(answer, *_risk(answer)),
    fill=lambda given, book: fill_profiles(given, book, ShootInputs, in_melee=False),
    warn=warn_shoot,
    result=harm_result,
    example={"attacker": "Brother Cato", "weapon": "Astartes Bolter (Godwyn)", **AT_A_RAIDER},
    small={"weapon": "Autogun", "bs": 45, **AT_A_RAIDER, "distance": 60},
    stops=lambda start: results.reduction_lines(start.spec),
    rulings=_inputs.OF_SHOTS,
    lens=lenses.lens,
    outlines=_pictures.body_hit(
        lambda inputs, rulings: spec_of(inputs, inputs.mode, rulings, by_side=True),
        aimed="called",
        aimed_with={"mode": "single"},
    ),
    lead=(Lead("dead", lambda answer: f"dead{answer.risk(*_risk(answer))}"), *HARM_LEAD[1:]),
)
