"""The attacks of one action in questions and battles: the units each strikes, their reactions and their hits."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, Literal, NamedTuple, TypeAlias

from battletape.cards import Line
from battletape.rulebook import Procedure, Stage, State, Tape, clause, labelled, plain, plural, replace, within
from battletape.rulesets.deathwatch.rules import blasts, hordes, melee, quality_effects, suppression, traits, wounds
from battletape.rulesets.deathwatch.rules.attack import stages
from battletape.rulesets.deathwatch.rules.attack.records import Attack, HitRoll, PreparedAttack
from battletape.rulesets.deathwatch.rules.attack.stages import NO_VICTIM, evade, hit_for, set_places
from battletape.rulesets.deathwatch.rules.blasts import Cloud
from battletape.rulesets.deathwatch.rules.d100_tests import Contestant
from battletape.rulesets.deathwatch.rules.damage import Hit
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings
from battletape.rulesets.deathwatch.tables.criticals import BYSTANDER_STRIKES

Manner: TypeAlias = Literal["", "flame", "blast", "spray"]
AttackEvent: TypeAlias = tuple[str, str, str]
"""An event of an attack: unit, weapon, event (jam, overheat, dropped, broken; cohesion without a weapon)."""
PendingHits: TypeAlias = tuple[str, tuple[int, ...]]
"""A unit that is hit, and which hits of the attack it takes."""


class Combatant(State, frozen=True):
    """A unit taking part in an action, with the reactions it has left."""

    name: str
    victim: wounds.Victim  # the Magnitude of a mob counts as its wounds
    is_mob: bool = False
    x: float = 0.0
    y: float = 0.0
    reactions: int = 0  # left
    reactions_a_round: int = 1  # a round
    reacted: int = 0
    parries_broken: int = 0  # weapons it parried with, best first
    shot_at: bool = False


class InArea(State, frozen=True):
    """A unit that a blast or suppressing fire may reach. `spec` is None if the question ignores its damage."""

    name: str
    spec: PreparedAttack | None = None
    horde_attack: hordes.HordeAttack | None = None  # a mob


class DeclaredAttack(State, frozen=True):
    """One attack of an action, as declared; in questions attacker and target have no names."""

    attacker: str = ""
    target: str = ""
    weapon: str = ""
    spec: PreparedAttack | None = None
    horde_attack: hordes.HordeAttack | None = None  # on a mob; of a blast beside `spec`, for its size now
    how: Manner = ""
    shared_with: tuple[InArea, ...] = ()  # further units that may be given hits of a burst
    in_area: tuple[InArea, ...] = ()
    aimed_at: tuple[float, float] = (0.0, 0.0)  # where a blast is aimed
    bearing: float = 0.0
    pin_tests: tuple[tuple[str, int], ...] = ()  # units and their target numbers; of a mob without Magnitude
    pinned_as: tuple[str, ...] = ()  # words noted for pinned units in place of their names; "" notes none
    overheat_attack: PreparedAttack | None = None  # what an overheating weapon does to its bearer
    haywire_radius: int = 0  # metres

    @property
    def is_shot(self) -> bool:
        """Return whether the attack is fired: its targets count as shot at, hit or not."""
        spec = self.spec if self.horde_attack is None else self.horde_attack.by_size[0][1]
        return spec is not None and not spec.melee

    @property
    def has_many_targets(self) -> bool:
        """Return whether units other than its target may be struck."""
        return bool(self.shared_with) or self.how in ("blast", "spray")


class Trial(State, frozen=True):
    """A test of attacker against target: a feint, a knock-down, a push, a hold."""

    what: str
    attacker: Contestant
    target: Contestant
    spec: PreparedAttack  # of a bare fist
    rulings: Rulings


TRIALS: dict[str, tuple[str, str]] = {
    "feint": ("The feint", "DW-ACT-FEINT"),
    "manoeuvre": ("The push", "DW-ACT-MANOEUVRE"),
    "knock_down": ("The knock-down", "DW-ACT-KNOCK-DOWN"),
    "grapple": ("The hold", "DW-ACT-GRAPPLE"),
}
"""Each trial in words, with its clause."""


class Exchange(State, frozen=True):
    """The attacks of one action in progress."""

    combatants: tuple[Combatant, ...] = ()
    later_attacks: tuple[DeclaredAttack, ...] = ()
    declared: DeclaredAttack | None = None
    attack: Attack | None = None  # its roll
    pending_hits: tuple[PendingHits, ...] | None = None  # hits still to be taken; None before they are dealt out
    victim_attack: Attack | None = None  # the attack as the unit struck now takes it
    main_target: str = ""  # the name of the unit that the action is aimed at
    before: int = 0  # the health or Magnitude of the main target before
    stunned_before: int = 0  # rounds for which it was stunned before
    hits: int = 0
    landed: int = 0
    stunned: int = 0  # rounds, by a blow to stun
    gains_fatigue: bool = False  # a level of fatigue by fists
    pinned: int = 0  # how many
    newly_pinned: tuple[str, ...] = ()  # names
    events: tuple[AttackEvent, ...] = ()
    clouds: tuple[Cloud, ...] = ()
    smoke_due_at: tuple[float, float] | None = None  # the place of a shot with smoke still to come
    trial: Trial | None = None
    won: bool = False  # the trial
    thrown_down: bool = False  # by the trial
    attacker_prone: bool = False
    test_rulings: Rulings = DEFAULT
    last_attack: Attack | None = None  # the last one that was rolled, where a question asks for it

    @property
    def victim(self) -> wounds.Victim:
        """The victim that the action is aimed at."""
        return self.combatant(self.main_target).victim

    @property
    def specs(self) -> tuple[PreparedAttack, ...]:
        """All attacks on characters that are still to come."""
        return tuple(declared.spec for declared in self.later_attacks if declared.spec is not None) or (self.spec,)

    @property
    def spec(self) -> PreparedAttack:
        """The attack at hand, or the last one."""
        attack = self.attack or self.last_attack
        assert attack is not None
        return attack.spec

    @property
    def status(self) -> str:
        """The status of the last roll; of several, jam or overheat if a weapon ever did."""
        for _, _, what in self.events:
            if what in ("jam", "overheat"):
                return what
        return self.last_attack.status if self.last_attack is not None else ""

    def combatant(self, name: str) -> Combatant:
        """Return the combatant of this name."""
        if len(self.combatants) == 1:  # in questions, where it must be quick
            return self.combatants[0]
        return next(combatant for combatant in self.combatants if combatant.name == name)

    def with_combatant(self, changed: Combatant) -> Exchange:
        """Return a copy with this combatant changed."""
        if len(self.combatants) == 1:
            return replace(self, combatants=(changed,))
        return replace(
            self, combatants=tuple(changed if known.name == changed.name else known for known in self.combatants)
        )

    def hits_on(self, name: str) -> tuple[int, ...]:
        """Return the numbers of the hits that a unit has still to take."""
        return next((hits for taker, hits in self.pending_hits or () if taker == name), ())

    def without_pending_hits(self, name: str) -> Exchange:
        """Return a copy without the hits that a unit has taken."""
        return replace(
            self,
            victim_attack=None,
            pending_hits=tuple(pending for pending in self.pending_hits or () if pending[0] != name),
        )

    def with_victim(self, name: str, victim: wounds.Victim) -> Exchange:
        """Return a copy with what became of a unit."""
        return self.with_combatant(replace(self.combatant(name), victim=victim))

    def magnitude(self, name: str) -> int:
        """Return the Magnitude left of a mob."""
        return max(0, self.combatant(name).victim.health)

    def with_mob(self, name: str, magnitude: int) -> Exchange:
        """Return a copy with this Magnitude left of a mob."""
        return self.with_victim(name, wounds.Victim(magnitude or traits.DEAD))


def attacks_between_two(
    attacks: tuple[tuple[str, PreparedAttack], ...], health: int, reactions: int = 1, trial: Trial | None = None
) -> Exchange:
    """Return the attacks of one character on another, each with its weapon; or a trial, before them or alone."""
    spec = attacks[0][1]
    combatant = Combatant("", stages.victim_of(spec, health), reactions=reactions)
    declared = tuple(DeclaredAttack(weapon=weapon, spec=attack) for weapon, attack in attacks)
    declared = declared if trial is None or trial.what == "feint" else ()
    return Exchange(
        (combatant,),
        later_attacks=declared,
        before=health,
        trial=trial,
        last_attack=Attack(spec, NO_VICTIM, hit_roll=HitRoll()),
    )


# --- reactions, and where the hits land -------------------------------------------------------------------------------


def attack_on_unit(exchange: Exchange, name: str) -> Attack:
    """Return the part of an attack that one unit meets, with the Reactions that it has left."""
    declared, attack, places = declared_attack(exchange), attack_roll(exchange), exchange.hits_on(name)
    own = next((other.spec for other in (*declared.in_area, *declared.shared_with) if other.name == name), None)
    unit_attack = replace(attack, spec=own or attack.spec, hits=len(places), landed=len(places), hit_numbers=places)
    unit_attack = with_reactions(unit_attack, exchange.combatant(name))
    if not declared.how:
        return unit_attack
    direct = declared.how == "blast" and attack.hits > 0 and name == declared.target
    return replace(unit_attack, first_spot=attack.first_spot if direct else "", status="struck")


def with_reactions(attack: Attack, target: Combatant) -> Attack:
    """Return an attack on a unit with the Reactions it has left, and the weapons it may parry with."""
    return replace(attack, reactions=target.reactions, parries_broken=target.parries_broken)


@clause("DW-EVA-1", "DW-EVA-2", "DW-EVA-3", "DW-QUAL-POWER-FIELD", "DW-MULTI-1")
def react_and_place(tape: Tape, exchange: Exchange, name: str) -> Exchange:
    """Let a unit react to its hits, and place those that are left; nothing is rolled for the dead."""
    hits = exchange.hits_on(name)
    if not hits:
        return exchange
    if exchange.combatant(name).victim.is_dead:
        return replace(exchange.without_pending_hits(name), landed=exchange.landed + len(hits))
    return tape.call(evade_and_place, attack_on_unit(exchange, name), then=_after_reaction, rest=exchange)


@clause("DW-EVA-1", "DW-SUPP-3")
def evade_and_place(tape: Tape, attack: Attack) -> Attack:
    """Evade an attack if possible, and place the hits that are left; stray hits are placed later."""
    return set_places(tape, tape.call(evade, attack))


def _after_reaction(exchange: Exchange, attack: Attack) -> Exchange:
    """Return the exchange with the cost of a Reaction, and the hits that a unit still takes."""
    declared, name = declared_attack(exchange), attack.spec.defender.name
    if attack.reacted:
        combatant = exchange.combatant(name)
        broken = combatant.parries_broken + attack.parry_broken
        combatant = replace(
            combatant, reactions=combatant.reactions - 1, reacted=combatant.reacted + 1, parries_broken=broken
        )
        broken_blade = ((declared.attacker, declared.weapon, "broken"),) if attack.weapon_broken else ()
        exchange = replace(exchange.with_combatant(combatant), events=(*exchange.events, *broken_blade))
    exchange = replace(exchange, landed=exchange.landed + attack.landed)
    if not attack.landed:
        return exchange.without_pending_hits(name)
    return replace(exchange, victim_attack=replace(attack, victim=NO_VICTIM))


# --- they do their damage ---------------------------------------------------------------------------------------------


@clause("DW-DMG-1", "DW-DMG-2", "DW-SUPP-3")
def resolve_hits(tape: Tape, exchange: Exchange, name: str) -> Exchange:
    """Resolve the hits on a unit one after the other, stray hits each at a place of its own."""
    attack, combatant = exchange.victim_attack, exchange.combatant(name)
    if attack is None:
        return exchange
    if not (attack.unresolved or attack.stray_hits):
        return exchange.without_pending_hits(name)
    blank = Attack(attack.spec, NO_VICTIM) if exchange.declared is not None else None
    rest = replace(exchange.with_victim(name, NO_VICTIM), victim_attack=blank)
    tell = None if exchange.last_attack is None else health_line  # in a battle the unit says how it stands
    if attack.stray_hits:
        spec, number = attack.spec, attack.stray_hits
        return tape.call(
            resolve_stray_hits, combatant.victim, spec, number, then=_after_stray_hits, rest=rest, about=name
        )
    if attack.spec.how:
        how = stages.take_fist_hit if attack.spec.how == "fists" else stages.take_stunning_blow
        harms = tell if attack.spec.how == "fists" else None
        attack = replace(attack, victim=combatant.victim)
        return tape.call(how, attack, then=_after_fist_or_stun, rest=rest, tell=harms, about=name)
    if name:
        return tape.call(
            take_hits_in_battle, name, combatant.victim, attack.unresolved, then=_after_hits, rest=rest, about=name
        )
    return tape.each(
        wounds.take_hit_part,
        combatant.victim,
        wounds.hit_parts(attack.unresolved),
        then=_after_hits,
        rest=rest,
        tell=tell,
    )


@clause("DW-DMG-1", "DW-DMG-2")
def take_hits_in_battle(tape: Tape, name: str, victim: wounds.Victim, unresolved: tuple[Any, ...]) -> wounds.Victim:
    """Take the hits on a unit of a battle, one after the other."""
    rest = (name, victim, next((item for item in unresolved if isinstance(item, Hit)), None))
    return tape.each(
        wounds.take_hit_part, victim, wounds.hit_parts(unresolved), then=_victim_only, rest=rest, tell=bystander_lines
    )


def _victim_only(rest: Any, victim: wounds.Victim) -> wounds.Victim:
    return victim


def _after_hits(exchange: Exchange, victim: wounds.Victim) -> Exchange:
    """Return the exchange with what the hits did to a unit."""
    name = exchange.victim_attack.spec.defender.name if exchange.victim_attack is not None else exchange.main_target
    return exchange.with_victim(name, victim)


def _after_fist_or_stun(exchange: Exchange, attack: Attack) -> Exchange:
    """Return the exchange with what a fist or a blow to stun did to a unit."""
    stunned, tired = max(exchange.stunned, attack.stunned), exchange.gains_fatigue or attack.gains_fatigue
    exchange = exchange.with_victim(attack.spec.defender.name, attack.victim)
    return replace(exchange, stunned=stunned, gains_fatigue=tired)


@clause("DW-SUPP-3", "DW-DMG-1", "DW-DMG-2")
def resolve_stray_hits(tape: Tape, victim: wounds.Victim, spec: PreparedAttack, hits: int) -> wounds.Victim:
    """Resolve this many stray hits, each at a place of its own."""
    return tape.each(wounds.take_hit, victim, (spec,) * hits, drawn=suppression.place_stray)


def _after_stray_hits(exchange: Exchange, victim: wounds.Victim) -> Exchange:
    assert exchange.victim_attack is not None
    return _after_hits(exchange, victim).without_pending_hits(exchange.victim_attack.spec.defender.name)


# --- and what follows -------------------------------------------------------------------------------------------------


@clause("DW-PIPE-1", "DW-QUAL-DEVASTATING", "DW-QUAL-SMOKE", "DW-QUAL-HAYWIRE")
def resolve_side_effects(tape: Tape, exchange: Exchange, name: str = "") -> Exchange:
    """Apply what a hit leaves behind: smoke, haywire fields, lost cohesion."""
    attack = exchange.victim_attack
    if attack is None:
        return exchange
    declared, combatant, extra_effects = (
        declared_attack(exchange),
        exchange.combatant(attack.spec.defender.name),
        attack.spec.extra_effects,
    )
    exchange = exchange.without_pending_hits(combatant.name)
    if declared.how == "flame":
        return exchange
    events, clouds = exchange.events, exchange.clouds
    if "cohesion" in extra_effects:
        events = (*events, (combatant.name, "", "cohesion"))
    if "smoke" in extra_effects and declared.how != "blast":
        clouds = (*clouds, smoke_at(tape, (combatant.x, combatant.y)))
    if "haywire" in extra_effects:
        strength = quality_effects.roll_haywire_field(tape)
        field = Cloud(
            "haywire",
            combatant.x,
            combatant.y,
            declared.haywire_radius,
            quality_effects.field_rounds(strength),
            strength,
        )
        tape.tell(cloud_line, field)
        clouds = (*clouds, field)
    return replace(exchange, events=events, clouds=clouds)


def smoke_at(tape: Tape, place: tuple[float, float]) -> Cloud:
    """Roll a smoke screen about a place."""
    smoke = quality_effects.smoke_screen(tape)
    cloud = Cloud("smoke", *place, smoke.across / 2, smoke.rounds)
    tape.tell(cloud_line, cloud)
    return cloud


@clause("DW-QUAL-SMOKE")
def lay_smoke(tape: Tape, exchange: Exchange, name: str) -> Exchange:
    """Lay the smoke of a shot that bursts or was aimed at the ground, where it landed."""
    if exchange.smoke_due_at is None:
        return exchange
    return replace(exchange, smoke_due_at=None, clouds=(*exchange.clouds, smoke_at(tape, exchange.smoke_due_at)))


def declared_attack(exchange: Exchange) -> DeclaredAttack:
    """Return the attack that is under way."""
    assert exchange.declared is not None
    return exchange.declared


def attack_roll(exchange: Exchange) -> Attack:
    """Return the roll of the attack that is under way."""
    assert exchange.attack is not None
    return exchange.attack


Step: TypeAlias = tuple[Callable[[Tape, Exchange, str], Exchange], str]
"""Something that an attack does to a unit, and the unit's name."""


class StrayHits(NamedTuple):
    """The hits of suppressing fire on each unit in the area, and which units are interchangeable."""

    counts: tuple[int, ...]
    kinds: tuple[int, ...]


def steps_of(declared: DeclaredAttack, main_target: str) -> tuple[Step, ...]:
    """Return the steps of an attack on many after its roll: the hits are dealt out, then taken unit by unit."""
    if declared.how in ("spray", "blast"):
        until, others = _in_turn(declared, main_target)
        begins = spread_hits if declared.how == "spray" else land_blast
        last: tuple[Step, ...] = (
            ((lay_smoke, ""),) if declared.spec is not None and "smoke" in declared.spec.extra_effects else ()
        )
        return ((begins, ""), *until, *(((strike_others, main_target),) if others else ()), *last)
    return (
        (share_hits, ""),
        *(step for unit in (InArea(declared.target), *declared.shared_with) for step in _steps_at(unit, declared.how)),
    )


def _steps_at(unit: InArea, how: Manner) -> tuple[Step, ...]:
    rules = (react_and_place, resolve_hits) if unit.horde_attack is None else (strike_mob_in_reach,)
    return tuple((step, unit.name) for step in (*rules, *((resolve_side_effects,) if how != "spray" else ())))


@lru_cache(256)
def _in_turn(declared: DeclaredAttack, main_target: str) -> tuple[tuple[Step, ...], tuple[Step, ...]]:
    """Return the steps of an attack on an area: up to the main target, and after it."""
    turns = [_steps_at(unit, declared.how) if unit.spec or unit.horde_attack else () for unit in declared.in_area]
    reached = next((number for number, unit in enumerate(declared.in_area, 1) if unit.name == main_target), len(turns))
    first, others = (tuple(step for steps in part for step in steps) for part in (turns[:reached], turns[reached:]))
    return first, others


def take_step(tape: Tape, exchange: Exchange, step: Step) -> Exchange:
    """Take one step of an attack."""
    rule, name = step
    return rule(tape, exchange, name)


# --- the units that are hit -------------------------------------------------------------------------------------------


@clause("DW-AUTO-3")
def share_hits(tape: Tape, exchange: Exchange, name: str) -> Exchange:
    """Share hits out: the first is the target's, others may be given to units close to it."""
    declared, attack = declared_attack(exchange), attack_roll(exchange)
    names = (declared.target, *(other.name for other in declared.shared_with))
    takers = tuple(
        tape.call(choose_taker, names, declared.attacker, attack.spec.by, number)
        for number in range(1, attack.hits + 1)
    )
    shares = ((name, tuple(index for index, taker in enumerate(takers) if taker == name)) for name in names)
    return replace(exchange, pending_hits=tuple(share for share in shares if share[1]))


@clause("DW-AUTO-3")
def choose_taker(tape: Tape, names: tuple[str, ...], name: str, by: str, number: int) -> str:
    """Let the attacker choose the unit that takes a hit; the first hit is the target's."""
    return names[0] if number == 1 else str(tape.choose(names, by=by, label=labelled(name, f"target of hit {number}")))


@clause("DW-QUAL-BLAST", "DW-SCAT-1", "DW-SCAT-2", "DW-HORDE-11")
def land_blast(tape: Tape, exchange: Exchange, name: str) -> Exchange:
    """Let a blast land, and reach every unit within it, friend or foe."""
    declared, attack = declared_attack(exchange), attack_roll(exchange)
    places = tuple(
        (combatant.name, (combatant.x, combatant.y))
        for combatant in (exchange.combatant(unit.name) for unit in declared.in_area)
    )
    if "smoke" in attack.spec.extra_effects:
        return _burst_in_smoke(tape, exchange, places)
    if blasts.scatters(attack):
        astray = (declared.aimed_at, declared.bearing, attack.spec, places)
        return tape.call(blasts.units_hit_by_scatter, *astray, then=_with_blast_hits, rest=exchange, tell=blast_line)
    names = blasts.names_within(attack.spec.blast, declared.aimed_at, places) if attack.hits else ()
    if attack.hits:
        tape.tell(blast_line, exchange, names)
    return _with_blast_hits(exchange, names)


@clause("DW-QUAL-SMOKE", "DW-SCAT-1", "DW-SCAT-2")
def _burst_in_smoke(tape: Tape, exchange: Exchange, places: blasts.Places) -> Exchange:
    declared, attack = declared_attack(exchange), attack_roll(exchange)
    spec, centre, astray = attack.spec, declared.aimed_at, blasts.scatters(attack)
    if astray:
        x, y = blasts.landing(*centre, declared.bearing, tape.call(blasts.roll_drift, spec.scatter, spec.name))
        centre = (round(x, 3), round(y, 3))
    if not (astray or attack.hits):
        return _with_blast_hits(exchange, ())
    names = blasts.names_within(spec.blast, centre, places)
    if spec.blast:
        tape.tell(blast_line, exchange, names)
    return replace(_with_blast_hits(exchange, names), smoke_due_at=centre)


@clause("DW-QUAL-BLAST", "DW-HPIPE-1")
def _with_blast_hits(exchange: Exchange, names: tuple[str, ...]) -> Exchange:
    """Give each unit within a blast all its hits, one of a miss; a miss does nothing to its own horde."""
    declared, attack = declared_attack(exchange), attack_roll(exchange)
    if declared.horde_attack is not None and not attack.hits:
        names = tuple(name for name in names if name != declared.target)
    exchange = replace(exchange, pending_hits=tuple((name, tuple(range(max(1, attack.hits)))) for name in names))
    scored = len(exchange.hits_on(declared.target)) if declared.target else attack.hits
    if declared.horde_attack is not None:
        scored = hordes.hits_counted(scored, declared.horde_attack.hit_count)
    return replace(exchange, hits=exchange.hits + scored)


@clause("DW-SUPP-2", "DW-SUPP-3")
def spread_hits(tape: Tape, exchange: Exchange, name: str) -> Exchange:
    """Give each hit of suppressing fire to a unit in the area at random."""
    units = declared_attack(exchange).in_area
    if not units:
        return replace(exchange, pending_hits=())
    names = tuple(unit.name for unit in units)
    start = StrayHits((0,) * len(names), _interchangeable(exchange, declared_attack(exchange)))
    hits = (names,) * attack_roll(exchange).hits
    return tape.each(count_stray_hit, start, hits, then=_with_stray_hits, rest=exchange, tell=spray_line)


def _interchangeable(exchange: Exchange, declared: DeclaredAttack) -> tuple[int, ...]:
    """Return, for each unit in the area, the first one that is struck, hurt and tested alike."""
    if exchange.later_attacks:
        return tuple(range(len(declared.in_area)))
    pins, known, kinds = dict(declared.pin_tests), dict[Any, int](), []
    for index, unit in enumerate(declared.in_area):
        kind: Any = index
        if unit.spec is not None and unit.name != exchange.main_target:
            combatant, spec = exchange.combatant(unit.name), without_name(unit.spec)
            kind = (spec, combatant.victim, combatant.reactions, combatant.parries_broken, pins.get(unit.name))
        kinds.append(known.setdefault(kind, index))
    return tuple(kinds)


@lru_cache(256)
def without_name(spec: PreparedAttack) -> PreparedAttack:
    """Return an attack without the name of its target."""
    return replace(spec, defender=replace(spec.defender, name=""))


@clause("DW-SUPP-3")
def count_stray_hit(tape: Tape, strays: StrayHits, names: tuple[str, ...]) -> StrayHits:
    """Roll which unit in the area takes one more hit."""
    hit_index = suppression.roll_unit_hit(tape, names)
    return strays._replace(counts=tuple(count + (index == hit_index) for index, count in enumerate(strays.counts)))


def _with_stray_hits(exchange: Exchange, strays: StrayHits) -> Exchange:
    shares = zip(declared_attack(exchange).in_area, strays.counts, strict=True)
    return replace(exchange, pending_hits=tuple((unit.name, tuple(range(number))) for unit, number in shares if number))


@clause("DW-SUPP-3", "DW-QUAL-BLAST")
def strike_others(tape: Tape, exchange: Exchange, name: str) -> Exchange:
    """Strike the units after the main target: its fate makes no difference to them."""
    declared, attack, combatant = declared_attack(exchange), attack_roll(exchange), exchange.combatant(name)
    if declared.target in ("", name):  # of the roll only its degrees matter to bystanders
        attack = Attack(attack.spec, NO_VICTIM, degrees=attack.degrees)
    others = replace(exchange, hits=0, landed=0, events=(), attack=attack)
    others, rest = (
        others.with_combatant(Combatant(name, NO_VICTIM, combatant.is_mob)),
        replace(exchange, combatants=(combatant,), pending_hits=()),
    )
    return tape.each(take_step, others, _in_turn(declared, name)[1], then=_rejoined, rest=rest)


def _rejoined(exchange: Exchange, others: Exchange) -> Exchange:
    for combatant in exchange.combatants:
        others = others.with_combatant(combatant)
    events = (*exchange.events, *others.events)
    return replace(
        others, attack=exchange.attack, hits=exchange.hits, landed=exchange.landed + others.landed, events=events
    )


# --- mobs in reach ----------------------------------------------------------------------------------------------------


@clause("DW-HORDE-11", "DW-SUPP-3")
def strike_mob_in_reach(tape: Tape, exchange: Exchange, name: str) -> Exchange:
    """Strike a mob in the area, and return what is left of it."""
    declared, base = declared_attack(exchange), len(exchange.hits_on(name))
    horde_attack = next(unit.horde_attack for unit in declared.in_area if unit.name == name)
    if not base or horde_attack is None:
        return exchange
    magnitude, degrees = exchange.magnitude(name), attack_roll(exchange).degrees if declared.how == "blast" else 0
    hits = hordes.hits_on(horde_attack, horde_attack.spec(magnitude), base, degrees)
    rest = replace(exchange.with_victim(name, NO_VICTIM), landed=exchange.landed + len(hits))
    if len(hits) != base:
        tape.tell(hordes.count_line, horde_attack, base, len(hits))
    return tape.call(hordes.take_hits, horde_attack, magnitude, hits, then=_with_mob_losses, rest=rest, about=name)


def _with_mob_losses(exchange: Exchange, magnitude: int) -> Exchange:
    """Return the exchange with the losses of the mob that was due first."""
    name = next(pending for pending, _ in exchange.pending_hits or () if exchange.combatant(pending).is_mob)
    return exchange.without_pending_hits(name).with_mob(name, magnitude)


# --- the stages of an action ------------------------------------------------------------------------------------------


@clause("DW-ACT-FEINT", "DW-ACT-KNOCK-DOWN", "DW-ACT-MANOEUVRE", "DW-ACT-GRAPPLE", "DW-TEST-6")
def resolve_trial(tape: Tape, exchange: Exchange) -> Exchange:
    """Resolve a trial; after a feint no attack is evaded, a clear win by strength hurts the loser."""
    trial, combatant = exchange.trial, exchange.combatant(exchange.main_target)
    assert trial is not None
    won, fall = melee.roll_trial(tape, trial.what, trial.attacker, trial.target, trial.rulings)
    tape.tell(trial_line, trial.what, won)
    if fall.attacker_prone:
        tape.tell("The attacker has failed by two degrees or more, and falls", clause="DW-ACT-KNOCK-DOWN")
    if won and trial.what == "feint":
        exchange = exchange.with_combatant(replace(combatant, reactions=0))
    exchange = replace(exchange, won=won, thrown_down=fall.target_prone, attacker_prone=fall.attacker_prone)
    if not fall.winner_strikes:
        return exchange
    after = tape.call(stages.take_fist_hit, Attack(trial.spec, combatant.victim), about=exchange.main_target)
    return _after_fist_or_stun(exchange, after)


@clause("DW-PIPE-1", "DW-ACT-MULTIPLE-ATTACKS", "DW-TWOW-2", "DW-QUAL-POWER-FIELD")
def next_attack(tape: Tape, exchange: Exchange) -> Exchange:
    """Begin the next attack of the action; broken weapons do not strike, the dead are not struck."""
    declared, rest = exchange.later_attacks[0], exchange.later_attacks[1:]
    is_broken = (declared.attacker, declared.weapon, "broken") in exchange.events
    at_ground = declared.how in ("blast", "spray") and not declared.target
    if is_broken or not (at_ground or exchange.combatant(declared.target).victim.health > traits.DEAD):
        tape.tell(no_attack_line, declared, is_broken)
        return replace(exchange, later_attacks=rest, declared=None)
    hit_roll, spec = exchange.last_attack.hit_roll if exchange.last_attack is not None else None, declared.spec
    if spec is not None and declared.horde_attack is not None:
        spec = declared.horde_attack.spec(exchange.magnitude(declared.target))
    attack = Attack(spec, NO_VICTIM, hit_roll=hit_roll) if spec is not None else None
    if attack is not None and not declared.has_many_targets:
        attack = with_reactions(attack, exchange.combatant(declared.target))
    if declared.attacker:
        tape.tell(attack_line, declared)
    return replace(
        exchange, declared=declared, attack=attack, later_attacks=rest, victim_attack=None, pending_hits=None
    )


def as_action_stage(stage: Stage) -> Stage:
    """Return a stage of an attack as one of the action, skipped where no attack is made."""
    return within(stage, _attack_of, _with_roll)


def _attack_of(exchange: Exchange) -> tuple[Attack, Exchange] | None:
    return None if exchange.attack is None else (exchange.attack, replace(exchange, attack=None))


def _with_roll(exchange: Exchange, attack: Attack) -> Exchange:
    return replace(exchange, attack=attack)


@clause("DW-HPIPE-1", "DW-HORDE-3")
def strike_mob(tape: Tape, exchange: Exchange) -> Exchange:
    """Attack a mob: the roll, the hits it counts as, and the Magnitude they take."""
    declared = exchange.declared
    if declared is None or declared.horde_attack is None:
        return exchange
    rest = exchange.with_victim(declared.target, NO_VICTIM)
    attack = (declared.horde_attack, exchange.magnitude(declared.target))
    tape.tell(stages.modifier_lines, declared.horde_attack.spec(attack[1]))
    return tape.call(hordes.attack_horde, *attack, then=_with_mob_attacked, rest=rest, about=declared.target)


def _with_mob_attacked(exchange: Exchange, result: hordes.HordeAttackResult) -> Exchange:
    exchange = replace(
        exchange.with_mob(declared_attack(exchange).target, result.magnitude), landed=exchange.landed + result.hits
    )
    return _with_hits_counted(exchange, result.status, result.hits)


def _with_hits_counted(exchange: Exchange, status: str, hits: int) -> Exchange:
    """Return the exchange with the hits of a roll counted, and a jam or overheating noted."""
    declared, hits = declared_attack(exchange), exchange.hits + hits
    events = ((declared.attacker, declared.weapon, status),) if status in ("jam", "overheat") else ()
    return replace(exchange, hits=hits, events=(*exchange.events, *events))


@clause("DW-PIPE-1", "DW-DMG-1", "DW-DMG-2")
def take_hits(tape: Tape, exchange: Exchange) -> Exchange:
    """Let the one target take the hits that are left, with the critical rows they reach."""
    attack = exchange.attack
    if attack is None:
        return exchange
    declared = declared_attack(exchange)
    exchange = replace(_after_reaction(_with_hits_counted(exchange, attack.status, attack.hits), attack), attack=None)
    if exchange.last_attack is not None:
        last = Attack(attack.spec, NO_VICTIM, attack.status, hit_roll=attack.hit_roll)
        exchange = replace(
            exchange, last_attack=last, declared=None, pending_hits=None
        )  # of a question: nothing else follows
        combatant = exchange.combatant(declared.target)
        exchange = exchange.with_combatant(
            replace(combatant, reactions=combatant.reactions if exchange.later_attacks else 0, reacted=0)
        )
    return resolve_hits(tape, exchange, declared.target)


@clause("DW-PIPE-1", "DW-AUTO-3", "DW-EVA-1", "DW-MULTI-1", "DW-DMG-1", "DW-DMG-2")
def land_hits(tape: Tape, exchange: Exchange) -> Exchange:
    """Share hits out among many, evade, place and suffer them."""
    declared, attack = exchange.declared, exchange.attack
    if declared is None or attack is None:
        return exchange
    scored = 0 if declared.how == "blast" else attack.hits  # of a blast it is not known yet which units it strikes
    return tape.each(
        take_step, _with_hits_counted(exchange, attack.status, scored), steps_of(declared, exchange.main_target)
    )


@clause("DW-SUPP-1", "DW-OVER-3", "DW-HORDE-9", "DW-HPIPE-1")
def pinning_tests(tape: Tape, exchange: Exchange) -> Exchange:
    """Test Willpower of each unit under such fire that still stands; a mob adds its Magnitude."""
    declared = exchange.declared
    if declared is None:
        return exchange
    rest = replace(exchange, declared=replace(declared, pin_tests=()))
    pin_tests, none = tuple(_pin_tests(exchange, declared)), suppression.PinnedUnits()
    return tape.each(suppression.pin_one, none, pin_tests, then=_pinned, rest=rest, tell=pinned_lines)


@clause("DW-SUPP-1", "DW-HORDE-9")
def _pin_tests(exchange: Exchange, declared: DeclaredAttack) -> Iterator[suppression.PinTest]:
    """Yield each unit that still stands and tests Willpower, and its target number."""
    names = declared.pinned_as or tuple(name for name, _ in declared.pin_tests)
    for (name, target), pinned_as in zip(declared.pin_tests, names, strict=True):
        combatant, rulings = exchange.combatant(name), exchange.test_rulings
        if not combatant.victim.is_dead:
            number = (
                suppression.pin_target(target, combatant.victim.health, rulings=rulings) if combatant.is_mob else target
            )
            yield name, number, rulings, pinned_as


def _pinned(exchange: Exchange, pinned: suppression.PinnedUnits) -> Exchange:
    return replace(
        exchange, pinned=exchange.pinned + pinned.number, newly_pinned=(*exchange.newly_pinned, *pinned.names)
    )


@clause("DW-QUAL-OVERHEATS")
def overheat(tape: Tape, exchange: Exchange) -> Exchange:
    """Let the bearer drop a weapon that overheats, or burn its arm."""
    declared = exchange.declared
    if (
        declared is None
        or declared.overheat_attack is None
        or (declared.attacker, declared.weapon, "overheat") not in exchange.events
    ):
        return exchange
    spec = declared.overheat_attack
    if (
        tape.choose(("drop", "burn"), by=spec.by, label=labelled(declared.attacker, f"{declared.weapon} overheats"))
        == "drop"
    ):
        return replace(exchange, events=(*exchange.events, (declared.attacker, declared.weapon, "dropped")))
    hit = hit_for(spec, stages.roll_side(tape, "arm"), 0, False)
    victim = tape.call(take_burn, exchange.combatant(declared.attacker).victim, hit, about=declared.attacker)
    return exchange.with_victim(declared.attacker, victim)


@clause("DW-QUAL-OVERHEATS")
def take_burn(tape: Tape, victim: wounds.Victim, hit: Hit) -> wounds.Victim:
    """Burn the bearer of a weapon that overheats."""
    return tape.each(wounds.take_hit, victim, (hit,))


def end_attack(tape: Tape, exchange: Exchange) -> Exchange:
    """Note which units were fired at, and forget what only this attack needed."""
    declared = exchange.declared
    if declared is None:
        return exchange
    if declared.is_shot:
        names = {declared.target, *(unit.name for unit in declared.in_area)}
        combatants = tuple(
            replace(combatant, shot_at=True) if combatant.name in names else combatant
            for combatant in exchange.combatants
        )
        exchange = replace(exchange, combatants=combatants)
    return replace(exchange, declared=None, attack=None, pending_hits=None, victim_attack=None)


@lru_cache(256)
def attack_stages(declared: DeclaredAttack) -> tuple[Stage, ...]:
    """Return the stages of an attack on one character, from its declaration to the last wound."""
    assert declared.spec is not None
    return next_attack, *map(as_action_stage, stages.stages_before_damage(declared.spec)), take_hits


def battle_attack_stages(declared: DeclaredAttack) -> tuple[Stage, ...]:
    """Return the stages of an attack in a battle, on any target, with what it leaves behind."""
    ground: tuple[Stage, ...] = ()
    if declared.horde_attack is not None and not declared.has_many_targets:
        attack: tuple[Stage, ...] = (next_attack, strike_mob)
    elif declared.spec is None or declared.has_many_targets:
        attack = (next_attack, *map(as_action_stage, stages.ROLL_STAGES), land_hits)
    else:
        attack, ground = attack_stages(declared), (resolve_side_effects,)
    pins, burn = (pinning_tests,) if declared.pin_tests else (), (overheat,) if declared.overheat_attack else ()
    return *attack, *ground, *pins, *burn, end_attack


def one_on_one(
    exchange: Exchange, stages_of: Callable[[DeclaredAttack], tuple[Stage, ...]] = attack_stages
) -> Procedure:
    """Return the stages of an action between two: a trial if there is one, then all attacks in turn."""
    trial: tuple[Stage, ...] = (resolve_trial,) if exchange.trial is not None else ()
    return Procedure(
        "attacks", (*trial, *(stage for declared in exchange.later_attacks for stage in stages_of(declared)))
    )


def procedure(exchange: Exchange) -> Procedure:
    """Return the stages of an action in a battle, on any targets."""
    return one_on_one(exchange, battle_attack_stages)


# --- lines of the log -------------------------------------------------------------------------------------------------


def attack_line(declared: DeclaredAttack) -> Line:
    """Say which unit attacks what, and with which weapon."""
    manners = {"spray": "lays down suppressing fire", "flame": f"throws flames at {declared.target}"}
    does = manners.get(declared.how, f"attacks {declared.target or 'a place'}")
    return Line(f"{declared.attacker} {does} with {declared.weapon}", ("DW-PIPE-1",))


def no_attack_line(declared: DeclaredAttack, is_broken: bool) -> Line | None:
    """Say why an attack of the action is not made."""
    if is_broken:
        return Line("The weapon is broken: its next attack is lost", ("DW-QUAL-POWER-FIELD",))
    return (
        Line(f"{declared.target} is down already: no further attack on it", ("DW-PIPE-1",)) if declared.target else None
    )


def trial_line(what: str, won: bool) -> Line:
    """Say whether a trial of one against the other works."""
    words, by = TRIALS.get(what, (f"The attempt to {plain(what)}", "DW-ACT-GRAPPLE"))
    worked = "works" if won else "does not work"
    return Line(f"{words} {worked}", (by,), result=worked)


def blast_line(exchange: Exchange, names: tuple[str, ...]) -> Line:
    """Say which units a blast reaches where it has landed."""
    return Line(f"In the blast: {', '.join(names) or 'nothing'}", ("DW-QUAL-BLAST",))


def spray_line(exchange: Exchange, strays: StrayHits) -> Line | None:
    """Say how the hits of suppressing fire are shared out."""
    total, names = sum(strays.counts), [unit.name for unit in declared_attack(exchange).in_area]
    if not total:
        return None
    if exchange.last_attack is not None:
        return Line(f"{strays.counts[0]} of {plural(total, 'hit')} on the first target", ("DW-SUPP-3",))
    shares = (f"{number} on {name}" for name, number in zip(names, strays.counts, strict=True) if number)
    return Line(f"{plural(total, 'hit')}: {', '.join(shares)}", ("DW-SUPP-3",))


def pinned_lines(exchange: Exchange, pinned: suppression.PinnedUnits) -> Iterator[Line]:
    """Say which units are pinned; of a question, how many."""
    if exchange.last_attack is not None:
        tested = len(declared_attack(exchange).pinned_as)
        yield Line(f"{pinned.number} of {tested} pinned", ("DW-SUPP-1",), result=str(pinned.number))
        return
    for name in pinned.names:
        yield Line(f"{name} is pinned.", ("DW-HORDE-9" if exchange.combatant(name).is_mob else "DW-SUPP-1",))


def health_line(exchange: Exchange, result: wounds.Victim | Attack) -> Line:
    """Say how the target of a question stands after an attack."""
    victim = result.victim if isinstance(result, Attack) else result
    return Line(wounds.health_words(victim.health, exchange.spec.defender.wounds), ("DW-DMG-1",))


def cloud_line(cloud: Cloud) -> Line:
    """Say where smoke or a haywire field is, how far it goes and how long it lasts."""
    what = "A smoke screen" if cloud.kind == "smoke" else f"A field ({plain(cloud.strength)})"
    where = f"({cloud.x:g}, {cloud.y:g}), {cloud.radius:g} m about"
    by = "DW-QUAL-SMOKE" if cloud.kind == "smoke" else "DW-QUAL-HAYWIRE"
    return Line(f"{what} at {where} for {plural(cloud.rounds, 'round')}.", (by,))


@clause("DW-CRIT-2")
def bystander_lines(hit_before: tuple[str, wounds.Victim, Hit | None], after: wounds.Victim) -> Iterator[Line]:
    """Offer what the critical row reached last does to those around, as the order that plays it by hand."""
    from shlex import quote  # here: few rows need it

    name, before, hit = hit_before
    if hit is None or hit.sudden_death or not after.spot or after.health >= before.health:
        return
    for strike in BYSTANDER_STRIKES.get((hit.damage_type, traits.place_of(after.spot), wounds.row_of(after)), ()):
        kind = "" if strike.damage_type == "I" else f" damage_type={strike.damage_type}"
        order = f"wound unit={quote(name)} damage={strike.damage}{kind} within={strike.within} spares=yes stopped=yes"
        yield Line(f"If those around are struck, by hand: {order}", ("DW-CRIT-2",))
