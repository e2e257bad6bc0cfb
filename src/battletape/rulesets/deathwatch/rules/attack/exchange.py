"""The attacks of one action in questions and battles: the units each strikes, their reactions and their hits."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, Literal, NamedTuple, TypeAlias

from battletape.cards import Line
from battletape.rulebook import Procedure, Stage, State, Tape, clause, plain, plural, replace, within
from battletape.rulesets.deathwatch.rules import blasts, hordes, melee, quality_effects, suppression, traits, wounds
from battletape.rulesets.deathwatch.rules.attack import stages
from battletape.rulesets.deathwatch.rules.attack.records import Attack, HitRoll, Spec
from battletape.rulesets.deathwatch.rules.attack.stages import NO_VICTIM, evade, hit_for, set_places
from battletape.rulesets.deathwatch.rules.blasts import Cloud
from battletape.rulesets.deathwatch.rules.damage import Hit
from battletape.rulesets.deathwatch.rules.tests import Contestant
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings
from battletape.rulesets.deathwatch.tables.criticals import BYSTANDER_STRIKES

How: TypeAlias = Literal["", "flame", "blast", "spray"]
AttackEvent: TypeAlias = tuple[str, str, str]
"""Something that happened to a weapon: who, weapon, what (jam, overheat, dropped, broken, cohesion)."""
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
    budget: int = 1  # a round
    reacted: int = 0
    parries_broken: int = 0  # weapons it parried with, best first
    shot_at: bool = False


class InArea(State, frozen=True):
    """A unit that a blast or suppressing fire may reach. `spec` is None if the question ignores its damage."""

    name: str
    spec: Spec | None = None
    horde_attack: hordes.HordeAttack | None = None  # a mob


class DeclaredAttack(State, frozen=True):
    """One attack of an action, as declared; in questions attacker and target have no names."""

    attacker: str = ""
    target: str = ""
    weapon: str = ""
    spec: Spec | None = None
    horde_attack: hordes.HordeAttack | None = (
        None  # the target is a mob; of a blast beside the attack on it as it is now
    )
    how: How = ""
    shared_with: tuple[InArea, ...] = ()  # who else may be given hits of a burst
    in_area: tuple[InArea, ...] = ()
    aimed_at: tuple[float, float] = (0.0, 0.0)  # where a blast is aimed
    bearing: float = 0.0
    pin_tests: tuple[
        tuple[str, int], ...
    ] = ()  # who tests Willpower afterwards, and the target; of a mob without its size
    pinned_as: tuple[
        str, ...
    ] = ()  # who of them is noted as pinned, by these words instead of the names; nobody if empty
    overheat_attack: Spec | None = None  # what an overheating weapon does to its bearer
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
    spec: Spec  # of a bare fist
    rules: Rulings


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
    attack: Attack | None = None  # the roll of the blow
    pending_hits: tuple[PendingHits, ...] | None = None  # who is still to be struck; None while nobody knows yet
    victim_attack: Attack | None = None  # what the one who is struck now takes of it
    main_target: str = ""  # whom the action is aimed at
    before: int = 0  # its health or Magnitude
    stunned_before: int = 0  # rounds for which it was stunned before
    hits: int = 0
    landed: int = 0
    stunned: int = 0  # rounds, by a blow to stun
    gains_fatigue: bool = False  # a level of fatigue by fists
    pinned: int = 0  # how many
    newly_pinned: tuple[str, ...] = ()  # who
    events: tuple[AttackEvent, ...] = ()
    clouds: tuple[Cloud, ...] = ()
    smoke_due_at: tuple[float, float] | None = None  # where a shot has landed whose smoke is still to rise
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
    def specs(self) -> tuple[Spec, ...]:
        """All attacks on characters that are still to come."""
        return tuple(blow.spec for blow in self.later_attacks if blow.spec is not None) or (self.spec,)

    @property
    def spec(self) -> Spec:
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
        return next(foe for foe in self.combatants if foe.name == name)

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
            self, victim_attack=None, pending_hits=tuple(due for due in self.pending_hits or () if due[0] != name)
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


def between_two(
    attacks: tuple[tuple[str, Spec], ...], health: int, reactions: int = 1, trial: Trial | None = None
) -> Exchange:
    """Return the attacks of one character on another, each with its weapon; or a trial, before them or alone."""
    spec = attacks[0][1]
    foe = Combatant("", stages.victim_of(spec, health), reactions=reactions)
    blows = tuple(DeclaredAttack(weapon=weapon, spec=attack) for weapon, attack in attacks)
    blows = blows if trial is None or trial.what == "feint" else ()
    return Exchange(
        (foe,), later_attacks=blows, before=health, trial=trial, last_attack=Attack(spec, NO_VICTIM, hit_roll=HitRoll())
    )


# --- reactions, and where the hits land -------------------------------------------------------------------------------


def attack_on_unit(exchange: Exchange, name: str) -> Attack:
    """Return the part of an attack that one unit meets, with the Reactions that it has left."""
    blow, attack, places = declared_attack(exchange), attack_roll(exchange), exchange.hits_on(name)
    own = next((other.spec for other in (*blow.in_area, *blow.shared_with) if other.name == name), None)
    part = replace(attack, spec=own or attack.spec, hits=len(places), landed=len(places), hit_numbers=places)
    part = with_reactions(part, exchange.combatant(name))
    if not blow.how:
        return part
    direct = blow.how == "blast" and attack.hits > 0 and name == blow.target
    return replace(part, first_spot=attack.first_spot if direct else "", status="struck")


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
    blow, name = declared_attack(exchange), attack.spec.defender.name
    if attack.reacted:
        foe = exchange.combatant(name)
        broken = foe.parries_broken + attack.parry_broken
        foe = replace(foe, reactions=foe.reactions - 1, reacted=foe.reacted + 1, parries_broken=broken)
        broken_blade = ((blow.attacker, blow.weapon, "broken"),) if attack.weapon_broken else ()
        exchange = replace(exchange.with_combatant(foe), events=(*exchange.events, *broken_blade))
    exchange = replace(exchange, landed=exchange.landed + attack.landed)
    if not attack.landed:
        return exchange.without_pending_hits(name)
    return replace(exchange, victim_attack=replace(attack, victim=NO_VICTIM))


# --- they do their damage ---------------------------------------------------------------------------------------------


@clause("DW-DMG-1", "DW-DMG-2", "DW-SUPP-3")
def resolve_hits(tape: Tape, exchange: Exchange, name: str) -> Exchange:
    """Resolve the hits on a unit one after the other, stray hits each at a place of its own."""
    attack, foe = exchange.victim_attack, exchange.combatant(name)
    if attack is None:
        return exchange
    if not (attack.items or attack.stray_hits):
        return exchange.without_pending_hits(name)
    part = Attack(attack.spec, NO_VICTIM) if exchange.declared is not None else None
    rest = replace(exchange.with_victim(name, NO_VICTIM), victim_attack=part)
    tell = None if exchange.last_attack is None else health_line  # in a battle the unit says how it stands
    if attack.stray_hits:
        spec, number = attack.spec, attack.stray_hits
        return tape.call(resolve_stray_hits, foe.victim, spec, number, then=_after_stray_hits, rest=rest, about=name)
    if attack.spec.how:
        how = stages.take_fist_hit if attack.spec.how == "fists" else stages.take_stunning_blow
        harms = tell if attack.spec.how == "fists" else None
        struck = replace(attack, victim=foe.victim)
        return tape.call(how, struck, then=_after_fist_or_stun, rest=rest, tell=harms, about=name)
    if name:
        return tape.call(take_hits_in_battle, name, foe.victim, attack.items, then=_after_hits, rest=rest, about=name)
    return tape.each(
        wounds.take_hit_part, foe.victim, wounds.hit_parts(attack.items), then=_after_hits, rest=rest, tell=tell
    )


@clause("DW-DMG-1", "DW-DMG-2")
def take_hits_in_battle(tape: Tape, name: str, victim: wounds.Victim, items: tuple[Any, ...]) -> wounds.Victim:
    """Take the hits on a unit of a battle, one after the other."""
    rest = (name, victim, next((item for item in items if isinstance(item, Hit)), None))
    return tape.each(
        wounds.take_hit_part, victim, wounds.hit_parts(items), then=_victim_only, rest=rest, tell=bystander_lines
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
def resolve_stray_hits(tape: Tape, victim: wounds.Victim, spec: Spec, hits: int) -> wounds.Victim:
    """Resolve this many stray hits, each at a place of its own."""
    return tape.each(wounds.take_hit, victim, (spec,) * hits, drawn=suppression.place_stray)


def _after_stray_hits(exchange: Exchange, victim: wounds.Victim) -> Exchange:
    assert exchange.victim_attack is not None
    return _after_hits(exchange, victim).without_pending_hits(exchange.victim_attack.spec.defender.name)


# --- and what follows -------------------------------------------------------------------------------------------------


@clause("DW-PIPE-1", "DW-QUAL-DEVASTATING", "DW-QUAL-SMOKE", "DW-QUAL-HAYWIRE")
def resolve_side_effects(tape: Tape, exchange: Exchange, name: str = "") -> Exchange:
    """Apply what a hit leaves behind: smoke, haywire fields, lost cohesion."""
    part = exchange.victim_attack
    if part is None:
        return exchange
    blow, foe, tail = declared_attack(exchange), exchange.combatant(part.spec.defender.name), part.spec.extra_effects
    exchange = exchange.without_pending_hits(foe.name)
    if blow.how == "flame":
        return exchange
    marks, clouds = exchange.events, exchange.clouds
    if "cohesion" in tail:
        marks = (*marks, (foe.name, "", "cohesion"))
    if "smoke" in tail and blow.how != "blast":
        clouds = (*clouds, smoke_at(tape, (foe.x, foe.y)))
    if "haywire" in tail:
        strength = quality_effects.roll_haywire_field(tape)
        field = Cloud("haywire", foe.x, foe.y, blow.haywire_radius, quality_effects.field_rounds(strength), strength)
        tape.tell(cloud_line, field)
        clouds = (*clouds, field)
    return replace(exchange, events=marks, clouds=clouds)


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


def steps_of(blow: DeclaredAttack, first: str) -> tuple[Step, ...]:
    """Return the steps of an attack on many after its roll: the hits are dealt out, then taken unit by unit."""
    if blow.how in ("spray", "blast"):
        until, others = _in_turn(blow, first)
        begins = spread_hits if blow.how == "spray" else land_blast
        last: tuple[Step, ...] = (
            ((lay_smoke, ""),) if blow.spec is not None and "smoke" in blow.spec.extra_effects else ()
        )
        return ((begins, ""), *until, *(((strike_others, first),) if others else ()), *last)
    return (
        (share_hits, ""),
        *(step for unit in (InArea(blow.target), *blow.shared_with) for step in _steps_at(unit, blow.how)),
    )


def _steps_at(unit: InArea, how: How) -> tuple[Step, ...]:
    struck = (react_and_place, resolve_hits) if unit.horde_attack is None else (strike_mob_in_reach,)
    return tuple((step, unit.name) for step in (*struck, *((resolve_side_effects,) if how != "spray" else ())))


@lru_cache(256)
def _in_turn(blow: DeclaredAttack, first: str) -> tuple[tuple[Step, ...], tuple[Step, ...]]:
    """Return the steps of an attack on an area: up to the main target, and after it."""
    turns = [_steps_at(unit, blow.how) if unit.spec or unit.horde_attack else () for unit in blow.in_area]
    at = next((at for at, caught in enumerate(blow.in_area, 1) if caught.name == first), len(turns))
    until, others = (tuple(step for steps in some for step in steps) for some in (turns[:at], turns[at:]))
    return until, others


def take_step(tape: Tape, exchange: Exchange, step: Step) -> Exchange:
    """Take one step of an attack."""
    rule, name = step
    return rule(tape, exchange, name)


# --- who is hit -------------------------------------------------------------------------------------------------------


@clause("DW-AUTO-3")
def share_hits(tape: Tape, exchange: Exchange, name: str) -> Exchange:
    """Share hits out: the first is the target's, others may be given to units close to it."""
    blow, attack = declared_attack(exchange), attack_roll(exchange)
    names = (blow.target, *(other.name for other in blow.shared_with))
    takers = tuple(
        tape.call(choose_taker, names, blow.attacker, attack.spec.by, at) for at in range(1, attack.hits + 1)
    )
    due = ((name, tuple(at for at, taker in enumerate(takers) if taker == name)) for name in names)
    return replace(exchange, pending_hits=tuple(share for share in due if share[1]))


@clause("DW-AUTO-3")
def choose_taker(tape: Tape, names: tuple[str, ...], name: str, by: str, at: int) -> str:
    """Let the attacker choose the unit that takes a hit; the first hit is the target's."""
    return names[0] if at == 1 else str(tape.choose(names, by=by, label=f"{name}: target of hit {at}"))


@clause("DW-QUAL-BLAST", "DW-SCAT-1", "DW-SCAT-2", "DW-HORDE-11")
def land_blast(tape: Tape, exchange: Exchange, name: str) -> Exchange:
    """Let a blast land, and reach every unit within it, friend or foe."""
    blow, attack = declared_attack(exchange), attack_roll(exchange)
    places = tuple((foe.name, (foe.x, foe.y)) for foe in (exchange.combatant(caught.name) for caught in blow.in_area))
    if "smoke" in attack.spec.extra_effects:
        return _burst_in_smoke(tape, exchange, places)
    if blasts.scatters(attack):
        astray = (blow.aimed_at, blow.bearing, attack.spec, places)
        return tape.call(blasts.units_hit_by_scatter, *astray, then=_with_blast_hits, rest=exchange, tell=blast_line)
    caught = blasts.names_within(attack.spec.blast, blow.aimed_at, places) if attack.hits else ()
    if attack.hits:
        tape.tell(blast_line, exchange, caught)
    return _with_blast_hits(exchange, caught)


@clause("DW-QUAL-SMOKE", "DW-SCAT-1", "DW-SCAT-2")
def _burst_in_smoke(tape: Tape, exchange: Exchange, places: blasts.Places) -> Exchange:
    blow, attack = declared_attack(exchange), attack_roll(exchange)
    spec, at, astray = attack.spec, blow.aimed_at, blasts.scatters(attack)
    if astray:
        x, y = blasts.landing(*at, blow.bearing, tape.call(blasts.roll_drift, spec.scatter, spec.name))
        at = (round(x, 3), round(y, 3))
    if not (astray or attack.hits):
        return _with_blast_hits(exchange, ())
    names = blasts.names_within(spec.blast, at, places)
    if spec.blast:
        tape.tell(blast_line, exchange, names)
    return replace(_with_blast_hits(exchange, names), smoke_due_at=at)


@clause("DW-QUAL-BLAST", "DW-HPIPE-1")
def _with_blast_hits(exchange: Exchange, names: tuple[str, ...]) -> Exchange:
    """Give each unit within a blast all its hits, one of a miss; a miss does nothing to its own horde."""
    blow, attack = declared_attack(exchange), attack_roll(exchange)
    if blow.horde_attack is not None and not attack.hits:
        names = tuple(name for name in names if name != blow.target)
    exchange = replace(exchange, pending_hits=tuple((name, tuple(range(max(1, attack.hits)))) for name in names))
    scored = len(exchange.hits_on(blow.target)) if blow.target else attack.hits
    if blow.horde_attack is not None:
        scored = hordes.hits_counted(scored, blow.horde_attack.hit_count)
    return replace(exchange, hits=exchange.hits + scored)


@clause("DW-SUPP-2", "DW-SUPP-3")
def spread_hits(tape: Tape, exchange: Exchange, name: str) -> Exchange:
    """Give each hit of suppressing fire to a unit in the area at random."""
    caught = declared_attack(exchange).in_area
    if not caught:
        return replace(exchange, pending_hits=())
    names = tuple(unit.name for unit in caught)
    start = StrayHits((0,) * len(names), _interchangeable(exchange, declared_attack(exchange)))
    hits = (names,) * attack_roll(exchange).hits
    return tape.each(count_stray_hit, start, hits, then=_with_stray_hits, rest=exchange, tell=spray_line)


def _interchangeable(exchange: Exchange, blow: DeclaredAttack) -> tuple[int, ...]:
    """Return, for each unit in the area, the first one that is struck, hurt and tested alike."""
    if exchange.later_attacks:
        return tuple(range(len(blow.in_area)))
    pins, known, kinds = dict(blow.pin_tests), dict[Any, int](), []
    for at, caught in enumerate(blow.in_area):
        kind: Any = at
        if caught.spec is not None and caught.name != exchange.main_target:
            foe, spec = exchange.combatant(caught.name), without_name(caught.spec)
            kind = (spec, foe.victim, foe.reactions, foe.parries_broken, pins.get(caught.name))
        kinds.append(known.setdefault(kind, at))
    return tuple(kinds)


@lru_cache(256)
def without_name(spec: Spec) -> Spec:
    """Return an attack without the name of its target."""
    return replace(spec, defender=replace(spec.defender, name=""))


@clause("DW-SUPP-3")
def count_stray_hit(tape: Tape, strays: StrayHits, names: tuple[str, ...]) -> StrayHits:
    """Roll which unit in the area takes one more hit."""
    struck = suppression.roll_unit_hit(tape, names)
    return strays._replace(counts=tuple(number + (at == struck) for at, number in enumerate(strays.counts)))


def _with_stray_hits(exchange: Exchange, strays: StrayHits) -> Exchange:
    struck = zip(declared_attack(exchange).in_area, strays.counts, strict=True)
    return replace(
        exchange, pending_hits=tuple((caught.name, tuple(range(number))) for caught, number in struck if number)
    )


@clause("DW-SUPP-3", "DW-QUAL-BLAST")
def strike_others(tape: Tape, exchange: Exchange, name: str) -> Exchange:
    """Strike the units after the main target: its fate makes no difference to them."""
    blow, attack, foe = declared_attack(exchange), attack_roll(exchange), exchange.combatant(name)
    if blow.target in ("", name):  # of the roll only its degrees matter to bystanders
        attack = Attack(attack.spec, NO_VICTIM, degrees=attack.degrees)
    others = replace(exchange, hits=0, landed=0, events=(), attack=attack)
    others, rest = (
        others.with_combatant(Combatant(name, NO_VICTIM, foe.is_mob)),
        replace(exchange, combatants=(foe,), pending_hits=()),
    )
    return tape.each(take_step, others, _in_turn(blow, name)[1], then=_rejoined, rest=rest)


def _rejoined(exchange: Exchange, others: Exchange) -> Exchange:
    for foe in exchange.combatants:
        others = others.with_combatant(foe)
    marks = (*exchange.events, *others.events)
    return replace(
        others, attack=exchange.attack, hits=exchange.hits, landed=exchange.landed + others.landed, events=marks
    )


# --- mobs in reach ----------------------------------------------------------------------------------------------------


@clause("DW-HORDE-11", "DW-SUPP-3")
def strike_mob_in_reach(tape: Tape, exchange: Exchange, name: str) -> Exchange:
    """Strike a mob in the area, and return what is left of it."""
    blow, base = declared_attack(exchange), len(exchange.hits_on(name))
    onslaught = next(caught.horde_attack for caught in blow.in_area if caught.name == name)
    if not base or onslaught is None:
        return exchange
    magnitude, degrees = exchange.magnitude(name), attack_roll(exchange).degrees if blow.how == "blast" else 0
    hits = hordes.hits_on(onslaught, onslaught.spec(magnitude), base, degrees)
    rest = replace(exchange.with_victim(name, NO_VICTIM), landed=exchange.landed + len(hits))
    if len(hits) != base:
        tape.tell(hordes.count_line, onslaught, base, len(hits))
    return tape.call(hordes.take_hits, onslaught, magnitude, hits, then=_with_mob_losses, rest=rest, about=name)


def _with_mob_losses(exchange: Exchange, magnitude: int) -> Exchange:
    """Return the exchange with the losses of the mob whose hits were due first."""
    name = next(due for due, _ in exchange.pending_hits or () if exchange.combatant(due).is_mob)
    return exchange.without_pending_hits(name).with_mob(name, magnitude)


# --- the stages of an action ------------------------------------------------------------------------------------------


@clause("DW-ACT-FEINT", "DW-ACT-KNOCK-DOWN", "DW-ACT-MANOEUVRE", "DW-ACT-GRAPPLE", "DW-TEST-6")
def resolve_trial(tape: Tape, exchange: Exchange) -> Exchange:
    """Resolve a trial; after a feint nobody evades, and a clear win by strength hurts the loser."""
    trial, foe = exchange.trial, exchange.combatant(exchange.main_target)
    assert trial is not None
    won, fall = melee.roll_trial(tape, trial.what, trial.attacker, trial.target, trial.rules)
    tape.tell(trial_line, trial.what, won)
    if fall.attacker_prone:
        tape.tell("The attacker has failed by two degrees or more, and falls", clause="DW-ACT-KNOCK-DOWN")
    if won and trial.what == "feint":
        exchange = exchange.with_combatant(replace(foe, reactions=0))
    exchange = replace(exchange, won=won, thrown_down=fall.target_prone, attacker_prone=fall.attacker_prone)
    if not fall.winner_strikes:
        return exchange
    struck = tape.call(stages.take_fist_hit, Attack(trial.spec, foe.victim), about=exchange.main_target)
    return _after_fist_or_stun(exchange, struck)


@clause("DW-PIPE-1", "DW-ACT-MULTIPLE-ATTACKS", "DW-TWOW-2", "DW-QUAL-POWER-FIELD")
def next_attack(tape: Tape, exchange: Exchange) -> Exchange:
    """Begin the next attack of the action; broken weapons do not strike, the dead are not struck."""
    blow, rest = exchange.later_attacks[0], exchange.later_attacks[1:]
    gone = (blow.attacker, blow.weapon, "broken") in exchange.events
    at_ground = blow.how in ("blast", "spray") and not blow.target
    if gone or not (at_ground or exchange.combatant(blow.target).victim.health > traits.DEAD):
        tape.tell(no_attack_line, blow, gone)
        return replace(exchange, later_attacks=rest, declared=None)
    hit_roll, spec = exchange.last_attack.hit_roll if exchange.last_attack is not None else None, blow.spec
    if spec is not None and blow.horde_attack is not None:
        spec = blow.horde_attack.spec(exchange.magnitude(blow.target))
    attack = Attack(spec, NO_VICTIM, hit_roll=hit_roll) if spec is not None else None
    if attack is not None and not blow.has_many_targets:
        attack = with_reactions(attack, exchange.combatant(blow.target))
    if blow.attacker:
        tape.tell(attack_line, blow)
    return replace(exchange, declared=blow, attack=attack, later_attacks=rest, victim_attack=None, pending_hits=None)


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
    blow = exchange.declared
    if blow is None or blow.horde_attack is None:
        return exchange
    rest = exchange.with_victim(blow.target, NO_VICTIM)
    attack = (blow.horde_attack, exchange.magnitude(blow.target))
    tape.tell(stages.modifier_lines, blow.horde_attack.spec(attack[1]))
    return tape.call(hordes.attack_horde, *attack, then=_mob_struck, rest=rest, about=blow.target)


def _mob_struck(exchange: Exchange, came: hordes.HordeAttackResult) -> Exchange:
    exchange = replace(
        exchange.with_mob(declared_attack(exchange).target, came.magnitude), landed=exchange.landed + came.hits
    )
    return _with_hits_counted(exchange, came.status, came.hits)


def _with_hits_counted(exchange: Exchange, status: str, hits: int) -> Exchange:
    """Return the exchange with the hits of a roll counted, and a jam or overheating noted."""
    blow, hits = declared_attack(exchange), exchange.hits + hits
    marks = ((blow.attacker, blow.weapon, status),) if status in ("jam", "overheat") else ()
    return replace(exchange, hits=hits, events=(*exchange.events, *marks))


@clause("DW-PIPE-1", "DW-DMG-1", "DW-DMG-2")
def take_hits(tape: Tape, exchange: Exchange) -> Exchange:
    """Let the one target take the hits that are left, with the critical rows they reach."""
    attack = exchange.attack
    if attack is None:
        return exchange
    blow = declared_attack(exchange)
    exchange = replace(_after_reaction(_with_hits_counted(exchange, attack.status, attack.hits), attack), attack=None)
    if exchange.last_attack is not None:
        last = Attack(attack.spec, NO_VICTIM, attack.status, hit_roll=attack.hit_roll)
        exchange = replace(
            exchange, last_attack=last, declared=None, pending_hits=None
        )  # of a question: nothing else follows
        foe = exchange.combatant(blow.target)
        exchange = exchange.with_combatant(
            replace(foe, reactions=foe.reactions if exchange.later_attacks else 0, reacted=0)
        )
    return resolve_hits(tape, exchange, blow.target)


@clause("DW-PIPE-1", "DW-AUTO-3", "DW-EVA-1", "DW-MULTI-1", "DW-DMG-1", "DW-DMG-2")
def land_hits(tape: Tape, exchange: Exchange) -> Exchange:
    """Share hits out among many, evade, place and suffer them."""
    blow, attack = exchange.declared, exchange.attack
    if blow is None or attack is None:
        return exchange
    scored = 0 if blow.how == "blast" else attack.hits  # of a blast nobody knows yet whom it strikes
    return tape.each(
        take_step, _with_hits_counted(exchange, attack.status, scored), steps_of(blow, exchange.main_target)
    )


@clause("DW-SUPP-1", "DW-OVER-3", "DW-HORDE-9", "DW-HPIPE-1")
def pinning_tests(tape: Tape, exchange: Exchange) -> Exchange:
    """Test Willpower of each unit under such fire that still stands; a mob adds its Magnitude."""
    blow = exchange.declared
    if blow is None:
        return exchange
    rest = replace(exchange, declared=replace(blow, pin_tests=()))
    tested, nobody = tuple(_pin_tests(exchange, blow)), suppression.PinnedUnits()
    return tape.each(suppression.pin_one, nobody, tested, then=_pinned, rest=rest, tell=pinned_lines)


@clause("DW-SUPP-1", "DW-HORDE-9")
def _pin_tests(exchange: Exchange, blow: DeclaredAttack) -> Iterator[suppression.PinTest]:
    """Yield each unit that still stands and tests Willpower, and its target number."""
    names = blow.pinned_as or tuple(name for name, _ in blow.pin_tests)
    for (name, target), noted in zip(blow.pin_tests, names, strict=True):
        foe, rules = exchange.combatant(name), exchange.test_rulings
        if not foe.victim.is_dead:
            needed = suppression.pin_target(target, foe.victim.health, rules=rules) if foe.is_mob else target
            yield name, needed, rules, noted


def _pinned(exchange: Exchange, pinned: suppression.PinnedUnits) -> Exchange:
    return replace(
        exchange, pinned=exchange.pinned + pinned.number, newly_pinned=(*exchange.newly_pinned, *pinned.names)
    )


@clause("DW-QUAL-OVERHEATS")
def overheat(tape: Tape, exchange: Exchange) -> Exchange:
    """Let the bearer drop a weapon that overheats, or burn its arm."""
    blow = exchange.declared
    if blow is None or blow.overheat_attack is None or (blow.attacker, blow.weapon, "overheat") not in exchange.events:
        return exchange
    spec = blow.overheat_attack
    if tape.choose(("drop", "burn"), by=spec.by, label=f"{blow.attacker}: {blow.weapon} overheats") == "drop":
        return replace(exchange, events=(*exchange.events, (blow.attacker, blow.weapon, "dropped")))
    hit = hit_for(spec, stages.roll_side(tape, "arm"), 0, False)
    victim = tape.call(take_burn, exchange.combatant(blow.attacker).victim, hit, about=blow.attacker)
    return exchange.with_victim(blow.attacker, victim)


@clause("DW-QUAL-OVERHEATS")
def take_burn(tape: Tape, victim: wounds.Victim, hit: Hit) -> wounds.Victim:
    """Burn the bearer of a weapon that overheats."""
    return tape.each(wounds.take_hit, victim, (hit,))


def end_attack(tape: Tape, exchange: Exchange) -> Exchange:
    """Note which units were fired at, and forget what only this attack needed."""
    blow = exchange.declared
    if blow is None:
        return exchange
    if blow.is_shot:
        names = {blow.target, *(caught.name for caught in blow.in_area)}
        foes = tuple(replace(foe, shot_at=True) if foe.name in names else foe for foe in exchange.combatants)
        exchange = replace(exchange, combatants=foes)
    return replace(exchange, declared=None, attack=None, pending_hits=None, victim_attack=None)


@lru_cache(256)
def attack_stages(blow: DeclaredAttack) -> tuple[Stage, ...]:
    """Return the stages of an attack on one character, from its declaration to the last wound."""
    assert blow.spec is not None
    return next_attack, *map(as_action_stage, stages.stages_before_damage(blow.spec)), take_hits


def battle_attack_stages(blow: DeclaredAttack) -> tuple[Stage, ...]:
    """Return the stages of an attack in a battle, on any target, with what it leaves behind."""
    ground: tuple[Stage, ...] = ()
    if blow.horde_attack is not None and not blow.has_many_targets:
        attack: tuple[Stage, ...] = (next_attack, strike_mob)
    elif blow.spec is None or blow.has_many_targets:
        attack = (next_attack, *map(as_action_stage, stages.ROLL_STAGES), land_hits)
    else:
        attack, ground = attack_stages(blow), (resolve_side_effects,)
    pins, burn = (pinning_tests,) if blow.pin_tests else (), (overheat,) if blow.overheat_attack else ()
    return *attack, *ground, *pins, *burn, end_attack


def one_on_one(
    exchange: Exchange, stages_of: Callable[[DeclaredAttack], tuple[Stage, ...]] = attack_stages
) -> Procedure:
    """Return the stages of an action between two: a trial if there is one, then all attacks in turn."""
    trial: tuple[Stage, ...] = (resolve_trial,) if exchange.trial is not None else ()
    return Procedure("attacks", (*trial, *(stage for blow in exchange.later_attacks for stage in stages_of(blow))))


def procedure(exchange: Exchange) -> Procedure:
    """Return the stages of an action in a battle, on any targets."""
    return one_on_one(exchange, battle_attack_stages)


# --- what is told -----------------------------------------------------------------------------------------------------


def attack_line(blow: DeclaredAttack) -> Line:
    """Say which unit attacks what, and with which weapon."""
    manners = {"spray": "lays down suppressing fire", "flame": f"throws flames at {blow.target}"}
    does = manners.get(blow.how, f"attacks {blow.target or 'a place'}")
    return Line(f"{blow.attacker} {does} with {blow.weapon}", ("DW-PIPE-1",))


def no_attack_line(blow: DeclaredAttack, is_broken: bool) -> Line | None:
    """Say why an attack of the action is not made."""
    if is_broken:
        return Line("The weapon is broken: its next attack is lost", ("DW-QUAL-POWER-FIELD",))
    return Line(f"{blow.target} is down already: no further attack on it", ("DW-PIPE-1",)) if blow.target else None


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
    total, names = sum(strays.counts), [caught.name for caught in declared_attack(exchange).in_area]
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


def health_line(exchange: Exchange, came: wounds.Victim | Attack) -> Line:
    """Say how the target of a question stands after an attack."""
    victim = came.victim if isinstance(came, Attack) else came
    return Line(wounds.health_words(victim.health, exchange.spec.defender.wounds), ("DW-DMG-1",))


def cloud_line(cloud: Cloud) -> Line:
    """Say where smoke or a haywire field is, how far it goes and how long it lasts."""
    what = "A smoke screen" if cloud.kind == "smoke" else f"A field ({plain(cloud.strength)})"
    where = f"({cloud.x:g}, {cloud.y:g}), {cloud.radius:g} m about"
    by = "DW-QUAL-SMOKE" if cloud.kind == "smoke" else "DW-QUAL-HAYWIRE"
    return Line(f"{what} at {where} for {plural(cloud.rounds, 'round')}.", (by,))


@clause("DW-CRIT-2")
def bystander_lines(struck: tuple[str, wounds.Victim, Hit | None], after: wounds.Victim) -> Iterator[Line]:
    """Offer what the critical row reached last does to those around, as the order that plays it by hand."""
    from shlex import quote  # here: few rows need it

    name, before, hit = struck
    if hit is None or hit.sudden_death or not after.spot or after.health >= before.health:
        return
    for strike in BYSTANDER_STRIKES.get((hit.damage_type, traits.place_of(after.spot), wounds.row_of(after)), ()):
        kind = "" if strike.damage_type == "I" else f" damage_type={strike.damage_type}"
        order = f"wound unit={quote(name)} damage={strike.damage}{kind} within={strike.within} spares=yes stopped=yes"
        yield Line(f"If those around are struck, by hand: {order}", ("DW-CRIT-2",))
