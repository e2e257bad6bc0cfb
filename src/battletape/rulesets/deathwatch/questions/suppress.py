"""The question suppress: how many units suppressing fire hits and pins."""

from __future__ import annotations

from battletape.cards import Answer, Inputs, Lead, Measure, Question, asked
from battletape.rulebook import Caution, Procedure, Refused, Tape, clause, listed, plural, raise_if_refused, replace
from battletape.rulesets.deathwatch.profiles.book import fill_profiles
from battletape.rulesets.deathwatch.profiles.types import Character, Stat
from battletape.rulesets.deathwatch.questions import _inputs
from battletape.rulesets.deathwatch.rules import d100_tests, guns, suppression, traits, wounds
from battletape.rulesets.deathwatch.rules.attack import exchange, fighters, procedures, records, stages
from battletape.rulesets.deathwatch.rules.keywords import apply_qualities
from battletape.rulesets.deathwatch.rules.suppression import Fire, pin_target
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings
from battletape.rulesets.deathwatch.words import MODE_WORDS

FIRE_NOTE = "semi and full pin only from overwatch; all their hits go to the first target"
TURNS_NOTE = "at the end of each, pinned units test to recover"


class AreaTarget(Inputs, frozen=True):
    """A character in the area, or a horde."""

    name: str = asked("", "Name", group="target")
    wp: Stat = asked(35, "Willpower", "DW-SUPP-1", group="target")
    magnitude: int = asked(0, "Magnitude, of a horde", "DW-HORDE-9", group="target", ge=0, le=200)


class SuppressInputs(_inputs.ShooterInputs, frozen=True):
    """A shooter with a burst weapon, and the units in the line of fire."""

    fire: Fire = asked("suppressing", "What is fired", "DW-SUPP-1", group="attacker", short="gun", note=FIRE_NOTE)
    to_hit: _inputs.ToHit = None
    on_overwatch: _inputs.OnOverwatch = False
    targets: tuple[AreaTarget, ...] = asked(
        (),
        "Those in the area",
        "DW-SUPP-1",
        group="target",
        short="target",
        note="in place of number and willpower, where they differ",
    )
    number: int = asked(3, "How many are in the area", "DW-SUPP-3", group="target", form="count", ge=1, le=20)
    willpower: Stat = asked(35, "Willpower of each", "DW-SUPP-1", group="target")
    pin_modifier: int = asked(0, "Anything else to their Willpower tests", "DW-SUPP-1", group="target", ge=-200, le=200)
    turns_under_fire: int = asked(
        0,
        "Turns after it in which they are shot at again",
        "DW-PIN-2",
        group="circumstances",
        note=TURNS_NOTE,
        ge=0,
        le=10,
    )
    quiet_turns: int = asked(
        0, "Turns after those in which nobody shoots at them", "DW-PIN-2", group="circumstances", ge=0, le=10
    )
    size: _inputs.SizeOf = "Average"


FIRST = "the first"
"""The unit in the area with hits that are counted."""


class SuppressionState(exchange.Exchange, frozen=True):
    """Fire at an area without following wounds: how many units it hits and pins, and how many stay so."""

    wills: tuple[tuple[str, int], ...] = ()  # name and target of each Willpower test
    recoveries: tuple[tuple[int, ...], ...] = ()  # of each target: what it must roll at the end of each turn after it
    turn: int = 0

    @property
    def on_first(self) -> int:
        """The hits on the first unit."""
        return len(self.hits_on(FIRST))

    @property
    def still_pinned(self) -> int:
        """The units pinned in the end."""
        return len(self.newly_pinned) if self.recoveries else self.pinned


# --- stages -----------------------------------------------------------------------------------------------------------


@clause("DW-PIN-2")
def end_turn(tape: Tape, now: SuppressionState) -> SuppressionState:
    """Let each pinned unit test Willpower to recover, a turn later."""
    items = (
        (at, now.wills[int(at)][0], now.recoveries[int(at)][now.turn], now.test_rulings) for at in now.newly_pinned
    )
    down = tape.each(stay_pinned, (), items)
    if now.newly_pinned:
        tape.tell("Turn {}: {} of {} still pinned", now.turn + 1, len(down), len(now.newly_pinned))
    return replace(now, newly_pinned=down, turn=now.turn + 1)


@clause("DW-PIN-2")
def stay_pinned(tape: Tape, down: tuple[str, ...], item: tuple[str, str, int, Rulings]) -> tuple[str, ...]:
    """Test whether one pinned unit recovers; return those that do not."""
    at, name, target, rulings = item
    return down if suppression.recovers_from_pinning(tape, name, target, rulings) else (*down, at)


def procedure(start: SuppressionState) -> Procedure:
    """Return the attack as in a battle, and the turns after it."""
    turns = len(start.recoveries[0]) if start.recoveries else 0
    return Procedure("suppress", (*procedures.battle_attack_stages(start.later_attacks[0])[:-1], *(end_turn,) * turns))


# --- begin ------------------------------------------------------------------------------------------------------------


def begin_suppress(inputs: SuppressInputs, rulings: Rulings = DEFAULT) -> SuppressionState:
    """Return the fire about to be opened; refuse what the rules do not allow."""
    units = inputs.targets or (AreaTarget(wp=inputs.willpower),) * inputs.number
    aims = tuple((unit.name, pin_target(unit.wp, unit.magnitude, inputs.pin_modifier, rulings)) for unit in units)
    turns = (True,) * inputs.turns_under_fire + (False,) * inputs.quiet_turns  # whether they are shot at in each
    recoveries = tuple(
        tuple(suppression.recovery_target(unit.wp, shot_at, (unit.magnitude,), rulings) for shot_at in turns)
        for unit in (units if turns else ())
    )
    alike = [*zip(aims, recoveries, strict=True)] if turns else []  # equal ones: only how many are down matters
    noted = tuple(str(alike.index(unit)) for unit in alike) or ("",) * len(aims)
    shared, spec = units[1:] if inputs.fire == "suppressing" else (), fire_spec(inputs, rulings)
    caught = (exchange.InArea(FIRST), *(exchange.InArea("") for _ in shared))
    return SuppressionState(
        (exchange.Combatant("", wounds.Victim(1)),),
        (exchange.DeclaredAttack(spec=spec, how="spray", in_area=caught, pin_tests=aims, pinned_as=noted),),
        test_rulings=d100_tests.only_rulings(rulings, "auto_results", "modifier_cap"),
        last_attack=records.Attack(spec, stages.NO_VICTIM),
        wills=aims,
        recoveries=recoveries,
    )


def fire_spec(inputs: SuppressInputs, rulings: Rulings = DEFAULT) -> records.PreparedAttack:
    """Return the fire with all its modifiers and qualities."""
    attacker = _inputs.attacker_of(inputs)
    carried, target = attacker.weapons[0], _inputs.QuestionFighter(profile=Character(size=inputs.size))
    mode: traits.Mode = inputs.fire if inputs.fire != "suppressing" else suppression.burst_of(carried.profile)
    raise_if_refused(refuse_fire(inputs), guns.refuse_mode(carried.profile, mode, carried.clip, rulings=rulings))
    setting = _inputs.setting_of(inputs, carried, rulings, overwatch=inputs.on_overwatch)
    spec = apply_qualities(
        fighters.area_fire_draft(attacker, carried, target, setting, inputs.fire), inputs.qualities, rulings=rulings
    )
    return replace(spec, location="fresh")  # every hit has a roll of its own for its place


def refuse_fire(inputs: SuppressInputs) -> Refused | None:
    """Refuse fire that pins no unit: no burst, a burst without overwatch, or too far away."""
    gun, name = _inputs.weapon_of(inputs), inputs.weapon or "the weapon"
    refused = suppression.refuse_suppress(gun)
    if refused is not None:
        return refused
    if inputs.fire != "suppressing" and not inputs.on_overwatch:
        reason = f"a burst of {MODE_WORDS[inputs.fire]} pins only from overwatch; suppressing fire would do"
        return Refused(reason, "DW-OVER-3", "overwatch")
    far = inputs.fire == "suppressing"
    reach = suppression.suppressed_reach(inputs.range) if far else float(inputs.range)
    if suppression.in_arc(inputs.distance, 0.0, reach):
        return None
    what = "suppressing fire reaches half the range" if far else "the kill zone of overwatch ends at the range"
    reason = f"{what} of {name}, {reach:g} m; the targets are {inputs.distance:g} m away"
    return Refused(reason, "DW-SUPP-1" if far else "DW-OVER-1", "range")


# --- in words ---------------------------------------------------------------------------------------------------------


def suppress_headline(answer: Answer) -> str:
    """Say how many are pinned, and how likely a hit is."""
    there = f"{answer.average('pinned')} of {len(answer.start.wills)} pinned on average"
    hit = f"a hit {answer.chance('hits')}{answer.risk('jams', 'jammed')}"
    return f"{there}, somebody {answer.chance('pinned')}; {hit}."


def warn_suppress(inputs: SuppressInputs, rulings: Rulings = DEFAULT) -> list[Caution]:
    """Warn of fire that cannot hit, inputs without effect, and tests that cannot be passed."""
    begin, warnings = begin_suppress(inputs, rulings), []
    if begin.spec.target < 1 and rulings.auto_results == "none":
        warnings.append(
            Caution(f"This fire cannot hit: its target is {begin.spec.target}; it pins all the same.", "DW-SUPP-1")
        )
    if unused := suppression.unused_rows(inputs.fire, inputs.situations, rulings):
        warnings.append(Caution(f"Not counted: {listed(unused)}; only the shooter's own state counts.", "DW-SUPP-2"))
    if inputs.targets and inputs.number != SuppressInputs().number:
        warnings.append(
            Caution(f"number is not used, as {plural(len(inputs.targets), 'target')} are named.", "DW-SUPP-3")
        )
    if all(target < 1 for _, target in begin.wills):
        warnings.append(Caution("No target can pass the Willpower test: all are pinned.", "DW-SUPP-1"))
    return warnings


SUPPRESS = Question(
    "suppress",
    "How many does suppressing fire hit and pin?",
    SuppressInputs,
    begin_suppress,
    procedure,
    (
        Measure("pinned", "Pinned", lambda now: now.pinned, "targets"),
        Measure("still_pinned", "Pinned after the turns that follow", lambda now: now.still_pinned, "targets"),
        Measure("hits", "Hits", lambda now: now.hits, "hits"),
        Measure("someone_hit", "Somebody is hit", lambda now: int(now.hits > 0)),
        Measure("given_hit", "The first one is hit", lambda now: int(now.on_first > 0)),
        Measure("given_hits", "Hits on the first one", lambda now: now.on_first, "hits"),
        Measure("jammed", "The weapon jams", lambda now: int(now.status == "jam")),
        Measure("rounds", "Rounds spent", lambda now: now.spec.rounds, "rounds"),
    ),
    suppress_headline,
    fill=lambda given, book: fill_profiles(given, book, SuppressInputs, in_melee=False),
    warn=warn_suppress,
    example={"attacker": "Brother Ilario", "weapon": "Astartes Heavy Bolter", "number": 3, "willpower": 35},
    small={"weapon": "Astartes Heavy Bolter", "bs": 50, "number": 3, "willpower": 35},
    rulings=("suppressing_modifiers", *_inputs.OF_ATTACKS, "point_blank", "short_clip", *_inputs.OF_BURSTS),
    lead=(Lead("pinned", lambda answer: f"of {answer.inputs.number} pinned on average"),),
)
