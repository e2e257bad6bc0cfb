"""The record of an action, and what an attack does to one unit: reactions, hits, and what they leave behind."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, TypeAlias

from battletape.cards import Line
from battletape.rulebook import State, Tape, clause, plain, plural, replace
from battletape.rulesets.deathwatch.rules import hordes, quality_effects, suppression, traits, wounds
from battletape.rulesets.deathwatch.rules.attack import stages
from battletape.rulesets.deathwatch.rules.attack.records import Attack, HitRoll, PreparedAttack
from battletape.rulesets.deathwatch.rules.attack.stages import NO_VICTIM, evade, set_places
from battletape.rulesets.deathwatch.rules.d100_tests import Contestant
from battletape.rulesets.deathwatch.rules.damage import Hit
from battletape.rulesets.deathwatch.rules.terrain import Terrain, cloud
from battletape.rulesets.deathwatch.rulings import DEFAULT, Rulings
from battletape.rulesets.deathwatch.tables.criticals import BYSTANDER_STRIKES
from battletape.table.points import Point

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
    covered_by: str = ""  # the terrain that covers it from the attacker


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
    clouds: tuple[Terrain, ...] = ()
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
        return self.crowd(name).magnitude

    def crowd(self, name: str) -> hordes.Crowd:
        """Return what is left of a mob and its cover."""
        victim = self.combatant(name).victim
        return hordes.Crowd(max(0, victim.health), victim.cover_lost)

    def with_crowd(self, name: str, crowd: hordes.Crowd) -> Exchange:
        """Return a copy with this left of a mob and its cover."""
        return self.with_victim(name, wounds.Victim(crowd.magnitude or traits.DEAD, cover_lost=crowd.cover_lost))


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
    return tape.call(evade_and_place, attack_on_unit(exchange, name), then=after_reaction, rest=exchange)


@clause("DW-EVA-1", "DW-SUPP-3")
def evade_and_place(tape: Tape, attack: Attack) -> Attack:
    """Evade an attack if possible, and place the hits that are left; stray hits are placed later."""
    return set_places(tape, tape.call(evade, attack))


def after_reaction(exchange: Exchange, attack: Attack) -> Exchange:
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
        return tape.call(how, attack, then=after_fist_or_stun, rest=rest, tell=harms, about=name)
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


def after_fist_or_stun(exchange: Exchange, attack: Attack) -> Exchange:
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
        at, lasts = Point(combatant.x, combatant.y), quality_effects.field_rounds(strength)
        field = cloud("haywire", at, declared.haywire_radius, lasts, strength)
        tape.tell(cloud_line, field)
        clouds = (*clouds, field)
    return replace(exchange, events=events, clouds=clouds)


def smoke_at(tape: Tape, place: tuple[float, float]) -> Terrain:
    """Roll a smoke screen about a place."""
    screen = quality_effects.smoke_screen(tape)
    smoke = cloud("smoke", Point(*place), screen.across / 2, screen.rounds)
    tape.tell(cloud_line, smoke)
    return smoke


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


# --- lines of the log -------------------------------------------------------------------------------------------------


def health_line(exchange: Exchange, result: wounds.Victim | Attack) -> Line:
    """Say how the target of a question stands after an attack."""
    victim = result.victim if isinstance(result, Attack) else result
    return Line(wounds.health_words(victim.health, exchange.spec.defender.wounds), ("DW-DMG-1",))


def cloud_line(cloud: Terrain) -> Line:
    """Say where smoke or a haywire field is, how far it goes and how long it lasts."""
    what = "A smoke screen" if cloud.kind == "smoke" else f"A field ({plain(cloud.strength)})"
    (at,) = cloud.corners
    where = f"({at.x:g}, {at.y:g}), {cloud.radius:g} m about"
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
