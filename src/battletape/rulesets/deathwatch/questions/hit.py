"""The question hit: what a hit does that has been scored."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from battletape.answer import Answer, Roll
from battletape.clauses import clause
from battletape.inputs import Inputs, meta
from battletape.log import Line
from battletape.odds import percent
from battletape.procedure import Procedure, Stage
from battletape.rulesets.deathwatch.profiles.book import fill
from battletape.rulesets.deathwatch.profiles.types import Stat
from battletape.rulesets.deathwatch.questions import _inputs as of
from battletape.rulesets.deathwatch.rules.attack import fighters
from battletape.rulesets.deathwatch.rules.attack.records import Spec
from battletape.rulesets.deathwatch.rules.attack.stages import hit_for, with_aftermath
from battletape.rulesets.deathwatch.rules.conditions import NOTHING
from battletape.rulesets.deathwatch.rules.damage import FURY_MEAN, NO_FURY, Hit, throw
from battletape.rulesets.deathwatch.rules.qualities import effects
from battletape.rulesets.deathwatch.rules.qualities.effects import Cloud
from battletape.rulesets.deathwatch.rules.traits import Band, Spot
from battletape.rulesets.deathwatch.rules.wounds import Victim, parts_of, strike, take_part
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings
from battletape.system import Measure, Question
from battletape.tape import Tape
from battletape.words import plain, plural


class Scored(Inputs, frozen=True):
    """How well a hit was scored, and where it lands."""

    place: Annotated[Spot, meta("circumstances", "Where it hits", "DW-LOC-1", form="mode")] = "body"
    success_degrees: Annotated[int, meta("attacker", "Degrees of success of the attack", "DW-TEST-3", ge=0, le=20)] = 0
    to_hit: Annotated[of.Number, meta("attacker", "Target number of the attack, which confirms fury", "DW-RF-1")] = 50
    fury: of.Fury = "none"
    most: Annotated[int, meta("circumstances", "Damage up to which fury is followed", "DW-RF-1", ge=1, le=200)] = 100
    aim: of.AimOf = "none"
    mode: of.ModeOf = "single"
    psy_rating: of.PsyRating = 0


class OneHit(Scored, of.Wielded, of.Strong, of.Struck, frozen=True):
    """A hit: with what, how well, and where."""

    melee: Annotated[bool, meta("weapon", "It is a blow in melee", "DW-MWEP-00")] = False
    sb: Annotated[int, meta("attacker", "Strength bonus that a blow adds", "DW-MWEP-00", ge=0, le=60)] = 0
    times_sb = 1
    band: Annotated[Band, meta("circumstances", "Range band", "DW-QUAL-SCATTER")] = "normal"
    toughness: Annotated[Stat, meta("target", "Toughness", "DW-QUAL-TOXIC")] = 40
    agility: Annotated[Stat, meta("target", "Agility", "DW-QUAL-SNARE")] = 40
    cover: of.Cover = ""
    hidden: of.Hidden = ()


UNHURT = 1_000
"""Wounds that no hit takes all of: what critical rows do is not asked here."""


class Landed(Struct, frozen=True, cache_hash=True):
    """A hit as far as its dice have told."""

    spec: Spec
    hit: Hit
    degrees: int
    most: int  # damage up to which righteous fury is followed
    victim: Victim
    strength: int = 0  # the bonus in its damage
    dice: int = 0  # what the dice that count come to
    ten: bool = False
    fury: int = 0  # what righteous fury adds
    smoke: Cloud = Cloud(0, 0)
    field: str = ""

    @property
    def damage(self) -> int:
        """Before armour and toughness."""
        return max(0, self.dice + self.hit.flat + self.fury)

    @property
    @clause("DW-DMG-3", "DW-COVER-1")
    def through(self) -> int:
        """What armour, cover and toughness leave of it."""
        return max(0, self.damage - self.hit.reduction)

    @property
    def open(self) -> Fraction:
        """How likely righteous fury goes on beyond what is followed: after tens alone, or where none was rolled."""
        if self.fury:
            return Fraction(self.fury % 10 == 0)
        known = not self.ten or self.hit.fury == NO_FURY or self.dice + self.hit.flat < self.most
        return Fraction(0) if known else Fraction(min(self.hit.fury, 100), 100)


# --- stages -----------------------------------------------------------------------------------------------------------


@clause("DW-DMG-3")
def declare(tape: Tape, now: Landed) -> Landed:
    """Say what hits whom where."""
    return now


@clause("DW-DMG-3", "DW-RF-1", "DW-RF-2", "DW-QUAL-TEARING")
def roll_damage(tape: Tape, now: Landed) -> Landed:
    """The damage dice, and righteous fury after a ten."""
    dice, ten, fury = throw(tape, now.hit, now.most)
    return replace(now, dice=dice, ten=ten, fury=fury)


@clause("DW-QUAL-TOXIC", "DW-QUAL-SHOCKING")
def suffer_it(tape: Tape, now: Landed) -> Landed:
    """Poison and shock of a hit that got through."""
    victim = replace(now.victim, net=min(now.hit.counts, now.through), got=now.through)
    return replace(now, victim=tape.each(take_part, victim, parts_of(now.hit)[1:]))


@clause("DW-QUAL-CONCUSSIVE", "DW-QUAL-SNARE")
def feel_it(tape: Tape, now: Landed) -> Landed:
    """What follows an attack that hit: stun, a fall, a snare."""
    victim = now.victim
    for after in with_aftermath(now.spec, (now.hit,), now.degrees)[1:]:
        victim = strike(tape, victim, after)
    return replace(now, victim=victim)


@clause("DW-QUAL-SMOKE", "DW-QUAL-HAYWIRE")
def fill_the_air(tape: Tape, now: Landed) -> Landed:
    """Smoke and haywire fields, where it lands."""
    smoke = effects.smoke_screen(tape) if "smoke" in now.spec.tail else now.smoke
    return replace(now, smoke=smoke, field=effects.haywire(tape) if "haywire" in now.spec.tail else "")


STAGES = Procedure("hit", (declare, roll_damage, suffer_it, feel_it, fill_the_air))


# --- begin ------------------------------------------------------------------------------------------------------------


def begin_hit(inputs: OneHit, rules: Rulings = DEFAULT) -> Landed:
    """The hit about to be rolled for."""
    skills = {"bs": inputs.to_hit, "ws": inputs.to_hit, "willpower": 0}
    who, target = of.attacker_of(inputs, inputs.melee, **skills), of.attacked(inputs)
    held, setting = who.held[0], fighters.Setting(rules=rules, band=inputs.band, to_hit=inputs.to_hit)
    strength = fighters.strength_added(who, held, rules)
    draft = fighters.draft_of(who, held, target, setting, mode=inputs.mode)
    draft = replace(draft, band=inputs.band, flat=draft.flat + (0 if inputs.melee else strength))
    spec = fighters.attack_on(
        draft, inputs.qualities, fighters.defender_of(target, None, inputs.melee, rules=rules), target
    )
    hit = hit_for(spec, inputs.place, inputs.success_degrees, True)
    victim = Victim(UNHURT, conditions=NOTHING)
    return Landed(spec, hit, inputs.success_degrees, inputs.most, victim, strength)


# --- in words ---------------------------------------------------------------------------------------------------------


def hit_headline(answer: Answer) -> str:
    """The numbers that players ask for first."""
    through = answer.odds("through")
    fury = answer.odds("fury").at_least(1)
    more = f"; righteous fury {percent(fury)}" if fury else ""
    return f"{float(through.mean):.1f} damage gets through on average, any at all {percent(through.at_least(1))}{more}."


def hit_result(roll: Roll) -> str:
    """What one hit did."""
    got = roll.results
    spot = plain(roll.state.hit.spot)
    fury = ", with righteous fury" if got["fury"] else ""
    through = f"{got['through']} gets through" if got["through"] else "nothing gets through"
    return f"{got['damage']} damage on the {spot}{fury}: {through}."


def narrate(stage: Stage, before: Landed, after: Landed) -> Iterable[Line]:
    """What each stage did."""
    hit = before.hit
    if stage is declare:
        yield Line(f"It hits the {plain(hit.spot)}: {hit.reduction} is taken from its damage", ("DW-DMG-3",))
        if effects.shake in before.spec.follows:
            needs = effects.concussive_target(hit.body, before.degrees)
            yield Line(f"Not to be stunned: Toughness at {needs}", ("DW-QUAL-CONCUSSIVE",), result=str(needs))
    elif stage is roll_damage and after.dice:
        parts = [after.dice, *filter(None, (hit.flat, after.fury))]
        text = " + ".join(map(str, parts)).replace("+ -", "- ")
        yield Line(f"Damage {text}" + (f" = {after.damage}" if len(parts) > 1 else ""), result=str(after.damage))
        yield Line(f"{after.through} through", ("DW-DMG-3",), result=str(after.through))
    elif stage is suffer_it and before.through:
        yield from _suffered(before, after)
    elif stage is fill_the_air and after.smoke.rounds:
        text = f"Smoke {after.smoke.across} m across for {plural(after.smoke.rounds, 'round')}"
        yield Line(text, ("DW-QUAL-SMOKE",))
    elif stage is fill_the_air and after.field:
        yield Line(f"The field is a {plain(after.field)}", ("DW-QUAL-HAYWIRE",), result=after.field)


def _suffered(before: Landed, after: Landed) -> Iterable[Line]:
    body, through = before.hit.body, before.through
    if effects.sicken in before.hit.acts:
        needs = effects.toxic_target(body, through)
        yield Line(f"Against the poison: Toughness at {needs}", ("DW-QUAL-TOXIC",), result=str(needs))
        if poison := poison_of(after):
            yield Line(f"Poison: {poison} damage more", ("DW-QUAL-TOXIC",), result=str(poison))
    if effects.jolt in before.hit.acts:
        needs = effects.shocking_target(body, before.hit.ap)
        yield Line(f"Against the shock: Toughness at {needs}", ("DW-QUAL-SHOCKING",), result=str(needs))


def poison_of(now: Landed) -> int:
    """Damage of poison, which comes on top."""
    return UNHURT - now.victim.health


def averaged(now: Landed) -> Fraction:
    """Damage, with the mean of what righteous fury would still add where it is left open."""
    return now.damage + now.open * FURY_MEAN


def warn_hit(inputs: OneHit, rules: Rulings) -> list[str]:
    """What a player may have overlooked."""
    hit = begin_hit(inputs, rules).hit
    if hit.fury == NO_FURY or hit.dice * hit.sides + hit.flat < inputs.most:
        return []
    return [f"Righteous fury of a hit that does {inputs.most} or more by itself is left out; raise most (DW-RF-1)."]


HIT = Question(
    "hit",
    "What does one hit do?",
    OneHit,
    begin_hit,
    STAGES,
    (
        Measure("through", "Damage that gets through", lambda now: now.through, "damage"),
        Measure("damage", "Damage before armour and toughness", lambda now: now.damage, "damage"),
        Measure("average", "The same, righteous fury without an end", averaged, "damage"),
        Measure("strength", "Strength bonus in it", lambda now: now.strength, "damage"),
        Measure("dice", "What the dice come to", lambda now: now.dice, "damage"),
        Measure("ten", "A die shows a ten", lambda now: int(now.ten)),
        Measure("fury", "Righteous fury adds", lambda now: now.fury, "damage"),
        Measure("poison", "Poison adds", poison_of, "damage"),
        Measure("stunned", "Rounds stunned", lambda now: now.victim.conditions.stunned, "rounds"),
        Measure("prone", "Thrown down", lambda now: int(now.victim.conditions.prone)),
        Measure("on_fire", "On fire", lambda now: int(now.victim.conditions.on_fire)),
        Measure("held", "Held by a snare", lambda now: int(now.victim.conditions.immobilised)),
        Measure("smoke_across", "Smoke, metres across", lambda now: now.smoke.across, "metres"),
        Measure("smoke_rounds", "Rounds of smoke", lambda now: now.smoke.rounds, "rounds"),
        Measure("field", "Field that stops machines", lambda now: plain(now.field) or "none"),
    ),
    hit_headline,
    narrate,
    fill=lambda given, book: fill(given, book, OneHit),
    warn=warn_hit,
    result=hit_result,
    example={"weapon": "Astartes Bolter (Godwyn)", "target": "Raider", "place": "body"},
    rulings=(
        *("modifier_cap", "auto_results", "cover_and_penetration", "cover_doubles", "ap_doublings", "accurate_dice"),
        *("tearing", "dos_minimum_die", "righteous_fury", "felling", "shocking_rounds", "power_fist"),
    ),
)
