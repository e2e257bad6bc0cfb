"""The question hit: what a hit does once it is scored."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from battletape.cards import (
    Answer,
    Inputs,
    Lead,
    Line,
    Measure,
    Question,
    Roll,
    asked,
)
from battletape.rulebook import Caution, Procedure, State, Tape, capital, clause, plain, plural, replace
from battletape.rulesets.deathwatch.profiles.book import fill_profiles
from battletape.rulesets.deathwatch.profiles.types import Stat
from battletape.rulesets.deathwatch.questions import _inputs
from battletape.rulesets.deathwatch.rules import conditions, damage, quality_effects, traits, wounds
from battletape.rulesets.deathwatch.rules.attack import fighters, records, results, stages
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings


class HitCircumstanceInputs(Inputs, frozen=True):
    """How well a hit was scored, and where it lands."""

    place: traits.Spot = asked("body", "Where it hits", "DW-LOC-1", group="circumstances", form="mode")
    success_degrees: int = asked(0, "Degrees of success of the attack", "DW-TEST-3", group="attacker", ge=0, le=20)
    to_hit: _inputs.TargetNumber = asked(
        50, "Target number of the attack, which confirms fury", "DW-RF-1", group="attacker"
    )
    fury: _inputs.Fury = "none"
    most: int = asked(100, "Damage up to which fury is followed", "DW-RF-1", group="circumstances", ge=1, le=200)
    aim: _inputs.AimOf = "none"
    mode: _inputs.ModeOf = "single"
    psy_rating: _inputs.PsyRating = 0


class HitInputs(
    HitCircumstanceInputs, _inputs.WeaponInputs, _inputs.MeleeStrengthInputs, _inputs.TargetBodyInputs, frozen=True
):
    """A hit: with what, how well, and where."""

    melee: bool = asked(False, "It is a blow in melee", "DW-MWEP-00", group="weapon")
    sb: int = asked(0, "Strength bonus that a blow adds", "DW-MWEP-00", group="attacker", ge=0, le=60)
    times_sb = 1
    band: traits.Band = asked("normal", "Range band", "DW-QUAL-SCATTER", group="circumstances")
    toughness: Stat = asked(40, "Toughness", "DW-QUAL-TOXIC", group="target")
    agility: Stat = asked(40, "Agility", "DW-QUAL-SNARE", group="target")
    cover: _inputs.Cover = ""
    hidden: _inputs.Hidden = ()


UNKILLABLE = 1_000
"""Wounds that no hit takes all of: what critical rows do is not asked here."""


class HitState(State, frozen=True):
    """A hit, as far as its dice are rolled."""

    spec: records.PreparedAttack
    hit: damage.Hit
    degrees: int
    most: int  # damage up to which righteous fury is followed
    victim: wounds.Victim
    strength: int = 0  # the bonus in its damage
    dice: int = 0  # what the dice that count come to
    ten: bool = False
    fury: int = 0  # what righteous fury adds
    smoke: quality_effects.SmokeScreen = quality_effects.SmokeScreen(0, 0)
    field: str = ""

    @property
    def damage(self) -> int:
        """The damage before armour and toughness."""
        return damage.damage_total(self.hit, self.dice, self.fury)

    @property
    def damage_left(self) -> int:
        """The damage that armour, cover and toughness leave."""
        return damage.damage_left(self.hit, self.damage)

    @property
    def chance_of_more_fury(self) -> Fraction:
        """The chance that righteous fury goes on beyond what is followed, after tens or where it was not rolled."""
        if self.fury:
            return Fraction(self.fury % 10 == 0)
        known = not self.ten or self.hit.fury == damage.NO_FURY or self.dice + self.hit.flat < self.most
        return Fraction(0) if known else Fraction(min(self.hit.fury, 100), 100)

    @property
    def average(self) -> Fraction:
        """The damage, with the mean of what righteous fury would still add where it is left open."""
        return self.damage + self.chance_of_more_fury * damage.FURY_MEAN

    @property
    def poison(self) -> int:
        """The damage of poison and the like, which comes on top, once it is suffered."""
        return UNKILLABLE - self.damage_left - self.victim.health


# --- stages -----------------------------------------------------------------------------------------------------------


@clause("DW-DMG-3")
def declare(tape: Tape, now: HitState) -> HitState:
    """Say where the hit lands, what is taken off it, and which tests it asks for."""
    hit = now.hit
    tape.tell("It hits the {}: {} is taken from its damage", plain(hit.spot), hit.reduction)
    tape.tell(quality_effects.resistance_lines, now.spec.attack_effects, hit, now.degrees)
    return now


@clause("DW-DMG-3", "DW-RF-1", "DW-RF-2", "DW-QUAL-TEARING")
def roll_damage(tape: Tape, now: HitState) -> HitState:
    """Roll the damage dice, and righteous fury after a ten."""
    dice, ten, fury = damage.roll_damage_and_fury(tape, now.hit, now.most)
    rolled = replace(now, dice=dice, ten=ten, fury=fury)
    if dice:
        tape.tell(rolled_lines, rolled)
    return rolled


@clause("DW-QUAL-TOXIC", "DW-QUAL-SHOCKING")
def resolve_poison_and_shock(tape: Tape, now: HitState) -> HitState:
    """Resolve poison and shock of a hit that got through."""
    if not now.damage_left:
        return now
    harms, afflicts = (tuple(act.effect for act in now.hit.hit_effects if act.afflicts is so) for so in (False, True))
    tape.tell(quality_effects.resistance_lines, (*harms, *afflicts), now.hit, now.damage_left)
    after = replace(now, victim=wounds.take_damage_and_effects(tape, now.victim, now.hit, now.damage_left))
    if after.poison:
        what = " and ".join(
            quality_effects.DAMAGE_WORDS.get(effect, plain(effect.__name__)) for effect in harms or afflicts
        )
        tape.tell("{}: {} damage more", capital(what), after.poison)
    tape.tell(results.condition_lines, now.victim, after.victim)
    return after


@clause("DW-QUAL-CONCUSSIVE", "DW-QUAL-SNARE")
def resolve_aftermath(tape: Tape, now: HitState) -> HitState:
    """Resolve what follows an attack that hit: stun, a fall, a snare."""
    victim = now.victim
    for after in stages.with_aftermath(now.spec, (now.hit,), now.degrees)[1:]:
        victim = wounds.take_hit_part(tape, victim, after)
    tape.tell(results.condition_lines, now.victim, victim)
    return replace(now, victim=victim)


@clause("DW-QUAL-SMOKE", "DW-QUAL-HAYWIRE")
def resolve_clouds(tape: Tape, now: HitState) -> HitState:
    """Roll the smoke or the haywire field, where the hit lands."""
    if "smoke" in now.spec.extra_effects:
        now = replace(now, smoke=quality_effects.smoke_screen(tape))
        across, rounds = now.smoke.across, plural(now.smoke.rounds, "round")
        tape.tell("Smoke {} m across for {}", across, rounds, clause="DW-QUAL-SMOKE")
    if "haywire" in now.spec.extra_effects:
        now = replace(now, field=quality_effects.roll_haywire_field(tape))
        tape.tell("The field is a {}", plain(now.field), clause="DW-QUAL-HAYWIRE")
    return now


def begin_hit(inputs: HitInputs, rulings: Rulings = DEFAULT) -> HitState:
    """Return the hit about to be rolled for."""
    skills = {"bs": inputs.to_hit, "ws": inputs.to_hit, "willpower": 0}
    attacker, target = _inputs.attacker_of(inputs, inputs.melee, **skills), _inputs.target_of(inputs)
    carried, setting = (
        attacker.weapons[0],
        fighters.AttackSetting(rulings=rulings, band=inputs.band, to_hit=inputs.to_hit),
    )
    strength = fighters.strength_bonus_of(attacker, carried, rulings)
    draft = fighters.draft_of(attacker, carried, target, setting, mode=inputs.mode)
    draft = replace(draft, band=inputs.band, flat=draft.flat + (0 if inputs.melee else strength))
    spec = _inputs.attack_on(draft, inputs.qualities, target)
    hit = stages.hit_for(spec, inputs.place, inputs.success_degrees, True)
    unhurt = wounds.Victim(UNKILLABLE, conditions=conditions.NOTHING)
    return HitState(spec, hit, inputs.success_degrees, inputs.most, unhurt, strength)


# --- in words ---------------------------------------------------------------------------------------------------------


def hit_headline(answer: Answer) -> str:
    """Say the damage that gets through, and how likely any does."""
    fury = f"; righteous fury {answer.chance('fury')}" if answer.odds("fury").at_least(1) else ""
    through = f"{answer.average('through')} damage gets through on average"
    return f"{through}, any at all {answer.chance('through')}{fury}."


def hit_result(roll: Roll) -> str:
    """Say what one hit did."""
    measured, spot = roll.results, plain(roll.state.hit.spot)
    fury = ", with righteous fury" if measured["fury"] else ""
    through = f"{measured['through']} gets through" if measured["through"] else "nothing gets through"
    return f"{measured['damage']} damage on the {spot}{fury}: {through}."


def rolled_lines(now: HitState) -> Iterator[Line]:
    """Say the sum of the damage, and what gets through."""
    parts = [part for part in (now.dice, now.hit.flat, now.fury) if part]
    yield Line(f"Damage {damage.sum_words(parts, now.damage)}", result=str(now.damage))
    yield Line(f"{now.damage_left} through", ("DW-DMG-3",), result=str(now.damage_left))


def warn_hit(inputs: HitInputs, rulings: Rulings) -> list[str | Caution]:
    """Warn of righteous fury that is left out."""
    hit = begin_hit(inputs, rulings).hit
    if hit.fury == damage.NO_FURY or hit.dice * hit.sides + hit.flat < inputs.most:
        return []
    return [
        Caution(
            f"Righteous fury of a hit that does {inputs.most} or more by itself is left out; raise most.", "DW-RF-1"
        )
    ]


HIT = Question(
    "hit",
    "What does one hit do?",
    HitInputs,
    begin_hit,
    Procedure("hit", (declare, roll_damage, resolve_poison_and_shock, resolve_aftermath, resolve_clouds)),
    (
        Measure("through", "Damage that gets through", lambda now: now.damage_left, "damage"),
        Measure("damage", "Damage before armour and toughness", lambda now: now.damage, "damage"),
        Measure("average", "The same, righteous fury without an end", lambda now: now.average, "damage"),
        Measure("strength", "Strength bonus in it", lambda now: now.strength, "damage"),
        Measure("dice", "What the dice come to", lambda now: now.dice, "damage"),
        Measure("ten", "A die shows a ten", lambda now: int(now.ten)),
        Measure("fury", "Righteous fury adds", lambda now: now.fury, "damage"),
        Measure("poison", "Poison adds", lambda now: now.poison, "damage"),
        *(
            replace(measure, usual=None)
            for measure in results.CONDITIONS
            if measure.name not in ("bleeding", "fatigue")
        ),
        Measure("smoke_across", "Smoke, metres across", lambda now: now.smoke.across, "metres"),
        Measure("smoke_rounds", "Rounds of smoke", lambda now: now.smoke.rounds, "rounds"),
        Measure("field", "Field that stops machines", lambda now: plain(now.field) or "none"),
    ),
    hit_headline,
    fill=lambda given, book: fill_profiles(given, book, HitInputs),
    warn=warn_hit,
    result=hit_result,
    example={"weapon": "Astartes Bolter (Godwyn)", "target": "Warlord Gharn", "place": "body"},
    rulings=(
        *("modifier_cap", "auto_results", "cover_and_penetration", "cover_doubles", "ap_doublings", "accurate_dice"),
        *(*_inputs.OF_DAMAGE, "shocking_rounds", "power_fist"),
    ),
    lead=(Lead("through", "damage gets through on average"),),
)
