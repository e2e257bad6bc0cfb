"""Blows: the weapons, the damage, and a round of them in order of Initiative."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from battletape.rulebook import BadInput, Line, State, Tape, clause, fold, labelled, plural, replace
from battletape.rulesets.diceless40k.profiles.types import VehicleProfile, WeaponProfile
from battletape.rulesets.diceless40k.rules import casualties
from battletape.rulesets.diceless40k.rules.characteristics import (
    ETERNAL_WARRIOR,
    PREFERRED_ENEMY,
    Group,
    majority,
)
from battletape.rulesets.diceless40k.rules.leadership import TestResult
from battletape.rulesets.diceless40k.rules.morale import may_reroll_ld
from battletape.rulesets.diceless40k.rules.psykers import PSYCHIC_TEST, psychic_test, would_pass
from battletape.rulesets.diceless40k.rules.shooting import can_wound, sum_packets
from battletape.rulesets.diceless40k.rules.space_marines import resolve_moonfang
from battletape.rulesets.diceless40k.rules.weapons import LIGHTNING_CLAW, POWER_FIST
from battletape.rulesets.diceless40k.rulings import DEFAULT, Rulings
from battletape.rulesets.diceless40k.tables.sheet import FACTORS, POISON

Fate: TypeAlias = Literal["", "destroyed", "holds", "no retreat", "falls back", "caught"]

HIGHEST = 10  # of any characteristic
LAST_STEP = 1
WALKER = "walker"
BARE_HANDS = WeaponProfile("blows", "melee")
NO_TEST = "no test"


class Blow(State, frozen=True):
    """The blow of a group's models: skill, Strength, attacks of each, and what their weapon adds."""

    name: str = "blows"
    ws: int = 4
    strength: int = 4
    attacks: int = 1  # of each model
    initiative: int = 4
    rerolls_to_hit: int = 0  # preferred enemy counts as one
    rerolls_to_wound: int = 0  # +1 on the factor
    poison: int | None = None  # poisoned on this number or more
    rending: bool = False
    ignores_armour: bool = False
    moonfang: bool = False
    force: bool = False  # a psychic test may slay a model that it has hurt
    furious: bool = False  # stronger and swifter on the charge
    strikes_last: bool = False  # in spite of rules that make it swifter

    @property
    def better_ws(self) -> bool:
        """True if it has +1 WS."""
        return self.rerolls_to_hit > 0


# --- weapons and circumstances --------------------------------------------------------------------


def note_blow(tape: Tape, blow: Blow) -> Blow:
    """Return the blow; the special rules of the weapon attach to this stage."""
    return blow


@clause("DL-38.1")
def close_combat_weapons(weapons: Sequence[WeaponProfile]) -> tuple[tuple[WeaponProfile, bool], ...]:
    """Return the weapons that a model may strike with, the most special first, and if a second one adds an attack.

    As in the base game, pistols are second weapons, a power fist needs another one beside it, claws come as a pair, and
    of two different special weapons one is used alone. Without a close combat weapon it strikes with what it holds.
    """
    melee = [weapon for weapon in weapons if weapon.type == "melee"]
    plain = [weapon for weapon in weapons if weapon.type == "pistol" or (weapon.type == "melee" and not weapon.rules)]
    arms = []
    for weapon in dict.fromkeys(melee):
        pair = weapons.count(weapon) > 1 or LIGHTNING_CLAW in weapon.rules
        second = POWER_FIST not in weapon.rules and any(other is not weapon for other in plain)
        arms.append((weapon, pair or second))
    arms.sort(key=lambda arm: -len(arm[0].rules))
    return tuple(arms) or ((BARE_HANDS, len(plain) > 1),)


@clause("DL-38.1")
def attacks_of(attacks: int, charging: bool = False, two_weapons: bool = False) -> int:
    """Return the attacks of a model: one more on the charge, and one more with a second close combat weapon."""
    return attacks + charging + two_weapons


@clause("DL-38.1", "DL-0.1")
def with_charge_bonus(blow: Blow) -> Blow:
    """Return the blow of a charging model: one attack more, and by furious charge one more Strength and Initiative."""
    blow = replace(blow, attacks=attacks_of(blow.attacks, charging=True))
    if not blow.furious:
        return blow
    swifter = blow.initiative if blow.strikes_last else min(HIGHEST, blow.initiative + 1)
    return replace(blow, strength=min(HIGHEST, blow.strength + 1), initiative=swifter)


def walker_group(walker: VehicleProfile) -> Group:
    """Return a walker as a group of one model; blows at it go to its armour, so its hit points never matter."""
    return Group(
        name=walker.name,
        models=1,
        hp=1,
        type=WALKER,
        ws=walker.ws or 0,
        strength=walker.strength or 0,
        initiative=walker.initiative or 0,
        attacks=walker.attacks or 0,
    )


@clause("DL-75.5")
def is_preferred(prefers: Sequence[str], *names: str) -> bool:
    """Return whether an enemy of these names is among preferred armies and units; an empty list means all."""
    wanted = {name.strip().lower() for name in prefers}
    return not wanted or any(name.lower() in wanted for name in names)


@clause("DL-75.5")
def has_preferred_enemy(group: Group, preferred: bool) -> bool:
    """Return whether a group has its preferred enemy before it."""
    return preferred and PREFERRED_ENEMY in group.rules


@clause("DL-75.5")
def blow_at_enemy(blow: Blow, group: Group, preferred: bool) -> Blow:
    """Return the blow of a group at an enemy: with a better WS at a preferred one."""
    return replace(blow, rerolls_to_hit=blow.rerolls_to_hit or int(has_preferred_enemy(group, preferred)))


# --- the damage of a blow ---------------------------------------------------------------------------------------------


class BlowDamage(State, frozen=True):
    """The damage of some attacks: the factor, the DMG of each, and their number."""

    factor: int
    each: int
    attacks: int

    @property
    def dmg(self) -> int:
        """DMG of all attacks."""
        return self.each * self.attacks


@clause("DL-38.2", "DL-37.1", "DL-T5")
def cc_factor(attacker_ws: int, target_ws: int) -> int:
    """Return the close combat factor: 6, 5, 4 or 3 for a target's WS of 0, lower, up to twice as high, or higher."""
    if attacker_ws < 0 or target_ws < 0:
        raise BadInput(f"WS is 0 or more; got {attacker_ws} against {target_ws}.", field="ws")
    fits = (target_ws == 0, target_ws < attacker_ws, target_ws <= 2 * attacker_ws, True)
    return next(factor for (_, factor), fit in zip(FACTORS, fits, strict=True) if fit)


@clause("DL-42.1", "DL-42.3", "DL-75.5")
def factor_of(blow: Blow, target_ws: int, toughness: int, rulings: Rulings = DEFAULT) -> int:
    """Return the factor with its bonuses: for claws, re-rolls to wound, and poison where Strength matches Toughness."""
    bonuses = blow.rerolls_to_wound + (blow.poison is not None and blow.strength >= toughness)
    counted = min(1, bonuses) if rulings.claw_and_poison == "once" else bonuses
    return cc_factor(blow.ws + blow.better_ws, target_ws) + counted


@clause("DL-42.2", "DL-42.5", "DL-T6")
def poisoned_damage(factor: int, toughness: int, poison: int) -> int:
    """Return the DMG of a poisoned attack: the factor times the victim's Toughness, changed by the poison."""
    if poison not in POISON:
        raise BadInput.of("poison", f"works on 2+ to 6+; got {poison}+.")
    return max(0, factor * (toughness + POISON[poison]))


@clause("DL-38.1", "DL-38.3", "DL-42.2")
def blow_damage(blow: Blow, models: int, target_ws: int, toughness: int, rulings: Rulings = DEFAULT) -> BlowDamage:
    """Return the DMG of all attacks of some models: Strength times the factor each, or that of poison."""
    factor = factor_of(blow, target_ws, toughness, rulings)
    if blow.poison is not None:
        each = poisoned_damage(factor, toughness, blow.poison)
    else:
        each = blow.strength * factor if can_wound(blow.strength, toughness, rulings) else 0
    return BlowDamage(factor, each, models * blow.attacks)


# --- a round of close combat ------------------------------------------------------------------------------------------


class Strike(State, frozen=True):
    """The blow of a group, and the enemy unit that it is meant for; any enemy where none is named."""

    group: str
    blow: Blow
    target: str = ""
    models: int | None = None  # at most so many of the group, where not all can reach that enemy


class Fighter(State, frozen=True):
    """A unit in an assault, or an independent character that has joined one of them."""

    name: str
    side: str
    groups: tuple[Group, ...]
    strikes: tuple[Strike, ...] = ()
    op: int = 0
    psyker_op: int | None = None  # of a psyker among others; one alone has those of the unit
    joined: str = ""  # the unit that this character belongs to
    preferred: tuple[str, ...] = ()  # its preferred enemies in the fight, if it has that rule
    extra_wounds: int = 0  # that special rules add to its side's result
    may_sweep: bool = True
    null_zone: bool = False
    hood: bool = False  # an enemy librarian's hood is near
    losses: casualties.Losses = casualties.Losses()  # what was done to it
    models_before: tuple[int, ...] = ()  # models of each group before the first blow
    fate: Fate = ""
    test_result: TestResult | None = None
    falls_back: int = 0  # inches

    @property
    def models(self) -> int:
        """Models it has left."""
        return sum(group.models for group in self.groups)

    @property
    def is_walker(self) -> bool:
        """True if it is a walker: blows meet its armour, and it neither tests nor falls back."""
        return all(group.type == WALKER for group in self.groups)

    @property
    def is_fighting(self) -> bool:
        """True if it still stands in the fight."""
        return self.models > 0 and self.fate not in ("falls back", "caught")


class BlowRecord(State, frozen=True):
    """Blows that were struck: the models, their target, the step, and their damage."""

    step: int
    unit: str
    group: str
    target: str
    blow: Blow
    models: int
    damage: BlowDamage


class Fight(State, frozen=True):
    """An assault of two sides, and everything that was struck in it."""

    sides: tuple[str, str]
    units: tuple[Fighter, ...]
    rulings: Rulings = DEFAULT
    warp_tokens: tuple[int, int] = (0, 0)  # that each side holds
    token_used: tuple[bool, bool] = (False, False)  # by each side, in this player turn
    blow_records: tuple[BlowRecord, ...] = ()
    hurt_by_force: tuple[tuple[str, str], ...] = ()  # by force weapons on this step: the packet, and which group
    hp_lost: tuple[int, int] = (0, 0)  # HP taken off each side by blows
    models_after_blows: tuple[int, int] = (0, 0)  # models that each side had left after the last blow
    extra_hp: tuple[int, int] = (0, 0)  # HP that each side's extra wounds stand for
    loser: str = ""  # empty in a draw
    difference: int = 0
    consolidates: tuple[str, ...] = ()
    chooser: str = ""  # the side that decides about shares and saves, if not each for itself
    picks_save: bool = True  # among those that help; else the best is used without asking

    def unit(self, name: str) -> Fighter:
        """Return the unit of this name."""
        return next(unit for unit in self.units if unit.name == name)

    def units_of(self, side: str) -> tuple[Fighter, ...]:
        """Return the units of a side that still stand in the fight."""
        return tuple(unit for unit in self.units if unit.side == side and unit.is_fighting)

    def enemies_of(self, side: str) -> tuple[Fighter, ...]:
        """Return the enemies of a side that still stand in the fight."""
        return tuple(unit for unit in self.units if unit.side != side and unit.is_fighting)

    def target(
        self, unit: Fighter, groups: tuple[Group, ...], losses: casualties.Losses = casualties.Losses()
    ) -> casualties.Target:
        """Return a unit, alone or with the characters in it, as the target of blows."""
        return casualties.Target(
            groups,
            self.rulings,
            null_zone=unit.null_zone,
            by=self.chooser or unit.side,
            picks_save=self.picks_save,
            losses=losses,
        )

    def with_units(self, *units: Fighter) -> Fight:
        """Return a copy of the fight with these units changed."""
        now = {unit.name: unit for unit in units}
        return replace(self, units=tuple(now.get(unit.name, unit) for unit in self.units))


def begin_fight(units: Sequence[Fighter], rulings: Rulings = DEFAULT) -> Fight:
    """Return a fight before the first blow; its units are of two sides and have names of their own."""
    sides = tuple(dict.fromkeys(unit.side for unit in units))
    if len(sides) != 2:
        raise BadInput(f"a fight has two sides; got {', '.join(sides) or 'none'}.", field="side")
    names = [unit.name for unit in units]
    if len(set(names)) < len(names):
        raise BadInput(f"every unit in a fight needs a name of its own; got {', '.join(names)}.", field="name")
    for unit in units:
        _check_strikes(unit, units)
    began = tuple(replace(unit, models_before=tuple(group.models for group in unit.groups)) for unit in units)
    return Fight((sides[0], sides[1]), began, rulings)


@clause("DL-44.3")
def add_wounds(fight: Fight, side: str, own: int = 0, enemy: int = 0) -> Fight:
    """Return a copy of the fight with wounds that special rules add to the results of a side and of its enemy."""
    for wounds, units in ((own, fight.units_of(side)), (enemy, fight.enemies_of(side))):
        if wounds and units:
            fight = fight.with_units(replace(units[0], extra_wounds=units[0].extra_wounds + wounds))
    return fight


def _check_strikes(unit: Fighter, units: Sequence[Fighter]) -> None:
    groups = {group.name for group in unit.groups}
    if len(groups) < len(unit.groups):
        raise BadInput(f"every group of {unit.name} needs a name of its own.", field="groups")
    enemies = {enemy.name for enemy in units if enemy.side != unit.side}
    for strike in unit.strikes:
        if strike.group not in groups:
            raise BadInput(f"{unit.name} has no group {strike.group!r} that could strike.", field="group")
        if strike.target and strike.target not in enemies:
            raise BadInput(f"{unit.name} has no enemy {strike.target!r} in this fight.", field="target")
    friends = {friend.name for friend in units if friend.side == unit.side and friend is not unit}
    if unit.joined and unit.joined not in friends:
        raise BadInput(f"{unit.name} has joined {unit.joined!r}, which is not on its side.", field="joined")


@clause("DL-38.1")
def strike_in_order(tape: Tape, fight: Fight) -> Fight:
    """Let the models that are left strike, step by step from the highest Initiative down."""
    return tape.each(strike_step, fight, steps_of(fight))


def steps_of(fight: Fight) -> tuple[int, ...]:
    """Return the Initiative steps on which models strike, from the highest down."""
    return tuple(sorted({strike.blow.initiative for unit in fight.units for strike in unit.strikes}, reverse=True))


@clause("DL-38.1")
def strike_step(tape: Tape, fight: Fight, step: int) -> Fight:
    """Strike all blows of a step at the same time, and then take them packet by packet."""
    records = []
    for unit, strike, models in ready_to_strike(fight, step):
        enemies = [enemy.name for enemy in fight.enemies_of(unit.side) if not enemy.is_walker]
        if enemies:
            records.append(blows_at(fight, unit, strike, models, choose_enemy(tape, unit, strike, enemies)))
    return take_blows(tape, fight, records)


def ready_to_strike(fight: Fight, step: int) -> list[tuple[Fighter, Strike, int]]:
    """Return the strikes of a step, and with how many models each."""
    ready = []
    for unit in fight.units:
        left = {group.name: group.models for group in unit.groups}
        for strike in unit.strikes:
            models = left[strike.group] if strike.models is None else min(strike.models, left[strike.group])
            if strike.blow.initiative == step and models and strike.blow.attacks:
                left[strike.group] -= models
                ready.append((unit, strike, models))
    return ready


def choose_enemy(tape: Tape, unit: Fighter, strike: Strike, enemies: Sequence[str]) -> str:
    """Choose the enemy that some models strike at: the one they were meant for, or another if it has fallen."""
    options = (strike.target,) if strike.target in enemies else tuple(enemies)
    return str(tape.choose(options, by=unit.side, label=labelled(unit.name, f"target of {strike.group}")))


@clause("DL-75.5", "DL-38.1")
def blows_at(fight: Fight, unit: Fighter, strike: Strike, models: int, enemy: str) -> BlowRecord:
    """Return the blows of some models at an enemy."""
    target = fight.unit(enemy)
    both = fight.rulings.preferred_enemy == "both" and unit.name in target.preferred
    defending = majority(target.groups, lambda group: group.ws + has_preferred_enemy(group, both))
    toughness = majority(target.groups, lambda group: group.toughness)
    strikers = next(group for group in unit.groups if group.name == strike.group)
    blow = blow_at_enemy(strike.blow, strikers, enemy in unit.preferred)
    damage = blow_damage(blow, models, defending, toughness, fight.rulings)
    return BlowRecord(blow.initiative, unit.name, strike.group, target.name, blow, models, damage)


@clause("DL-38.1")
def take_blows(tape: Tape, fight: Fight, records: Sequence[BlowRecord]) -> Fight:
    """Take blows that were struck at the same time, packet by packet; force weapons may slay the model they hurt."""
    rulings = fight.rulings
    units_before = () if rulings.packets == "in_turn" else fight.units
    models_before = {
        unit.name: casualties.models_to_spread_over(casualties.Target(unit.groups)) for unit in units_before
    }
    packets = [
        (target, moonfang, packet, models_before.get(target, ()))
        for target, moonfang in dict.fromkeys((record.target, record.blow.moonfang) for record in records)
        for packet in casualties.packets_in_order(
            sum_packets(
                [_packet(record) for record in records if (record.target, record.blow.moonfang) == (target, moonfang)]
            ),
            rulings,
        )
    ]
    for record in records:
        tape.tell(blows_line, record)
    fight = tape.each(_take_packet, replace(fight, blow_records=(*fight.blow_records, *records)), packets)
    fight = tape.each(use_force_weapon, fight, [record for record in records if record.blow.force])
    return replace(fight, hurt_by_force=())


def _packet(record: BlowRecord) -> casualties.Packet:
    """Return the packets of some blows; groups of a unit that strike alike on the same step share one."""
    blow = record.blow
    return casualties.Packet(
        f"{record.unit} on {record.target}: {blow.name} at initiative {record.step}",
        record.damage.dmg,
        blow.strength,
        shots=record.damage.attacks,
        rending=blow.rending,
        assault=True,
        ignores_armour=blow.ignores_armour,
        force=blow.force,
    )


@clause("DL-38.1", "DL-42.4")
def _take_packet(tape: Tape, fight: Fight, item: tuple[str, bool, casualties.Packet, tuple[int, ...]]) -> Fight:
    """Take a packet of blows on a unit: armour or invulnerable saves, no cover."""
    name, moonfang, packet, models_before = item
    unit = fight.unit(name)
    target = replace(fight.target(unit, unit.groups, unit.losses), models_before=models_before)
    hit_target = (resolve_moonfang if moonfang else casualties.resolve)(tape, target, packet)
    both = zip(unit.groups, hit_target.groups, strict=True)
    hurt_groups = tuple((packet.name, now.name) for was, now in both if was.hp_left != now.hp_left)
    fight = replace(fight, hurt_by_force=(*fight.hurt_by_force, *hurt_groups)) if packet.force else fight
    return fight.with_units(replace(unit, groups=hit_target.groups, losses=hit_target.losses))


@clause("DL-50.1", "DL-26.1")
def use_force_weapon(tape: Tape, fight: Fight, record: BlowRecord) -> Fight:
    """Let a psyker whose force weapon has hurt a unit test to slay the wounded model outright.

    The usual choice is the model with the most hit points left, if the test passes.
    """
    unit, victim = fight.unit(record.unit), fight.unit(record.target)
    packet, psyker = _packet(record).name, next(group for group in unit.groups if group.name == record.group)
    hurt = {group for name, group in fight.hurt_by_force if name == packet}
    slayable = [group for group in victim.groups if group.name in hurt and _can_be_slain(group)]
    wounded = tuple(group.name for group in sorted(slayable, key=lambda group: -group.front_hp))
    if not psyker.models or not wounded:
        return fight
    side_index = fight.sides.index(victim.side)
    held, used = fight.warp_tokens, fight.token_used
    test = psychic_test(
        psyker,
        unit.side,
        victim.side,
        unit.op if unit.psyker_op is None else unit.psyker_op,
        reroll=may_reroll_ld((psyker,)),
        hood=unit.hood,
        warp_tokens=held[side_index],
        token_used=used[side_index],
        null_zone=unit.null_zone,
        rulings=fight.rulings,
    )
    ways = (*wounded, NO_TEST) if would_pass(test) else (NO_TEST, *wounded)
    chosen = tape.choose(ways, by=unit.side, label=labelled(unit.name, "force weapon"))
    if chosen == NO_TEST:
        return fight
    test = fold(PSYCHIC_TEST, tape, test)
    groups = tuple(test.victim.groups[0] if group.name == psyker.name else group for group in unit.groups)
    own = {"op": test.op} if unit.psyker_op is None else {"psyker_op": test.op}
    unit = replace(unit, groups=groups, losses=unit.losses + test.victim.losses, **own)
    fight = replace(
        fight.with_units(unit, _slay_model(tape, victim, chosen) if test.works else victim),
        warp_tokens=(test.warp_tokens, held[1]) if side_index == 0 else (held[0], test.warp_tokens),
        token_used=(test.token_used, used[1]) if side_index == 0 else (used[0], test.token_used),
    )
    return fight


def _can_be_slain(group: Group) -> bool:
    return group.models > 0 and group.recorded > 0 and ETERNAL_WARRIOR not in group.rules


def _slay_model(tape: Tape, unit: Fighter, name: str) -> Fighter:
    """Remove the wounded model in front of a group with all the hit points it still had."""
    group = next(group for group in unit.groups if group.name == name)
    loss = casualties.remove_casualties(group.models, group.hp, group.recorded, group.front_hp)
    groups = tuple(casualties.after_loss(known, loss) if known.name == name else known for known in unit.groups)
    tape.tell(casualties.share_lines, "the force weapon slays outright", name, (), loss, group.front_hp)
    losses = casualties.Losses(hp=group.front_hp, hp_removed=loss.hp_removed, removed=loss.removed)
    return replace(unit, groups=groups, losses=unit.losses + losses)


# --- log lines --------------------------------------------------------------------------------------------------------


def blows_line(record: BlowRecord) -> Line:
    """Show a group's blows: the step, the models, and their damage."""
    damage = record.damage
    text = (
        f"Initiative {record.step}: {record.models} of {record.unit} with {record.blow.name}, "
        f"{plural(damage.attacks, 'attack')} × {damage.each} (factor {damage.factor}) = {damage.dmg} DMG"
    )
    return Line(text, ("DL-38.1", "DL-38.2"), result=f"{damage.dmg} DMG")
