"""Shooting at troops: BS times Strength times shots, gets hot! tokens, packets by weapon, and what they do.

The stages of `SHOOTING` are the shooting of one unit at another. `Aim` is a weapon as it is fired; its special rules
have been applied before (`rules.attacks.with_special_rules`).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor

from battletape.cards import Measure
from battletape.rulebook import (
    BadInput,
    Line,
    Procedure,
    Refused,
    State,
    Tape,
    capital,
    clause,
    inches,
    labelled,
    listed,
    plural,
    raise_if_refused,
    replace,
)
from battletape.rulesets.diceless40k.profiles.types import UNLIMITED_RANGE
from battletape.rulesets.diceless40k.rules.casualties import Losses, Packet, Target, resolve_all, take_share
from battletape.rulesets.diceless40k.rules.characteristics import ACUTE_SENSES, Group
from battletape.rulesets.diceless40k.rulings import DEFAULT, Rulings
from battletape.rulesets.diceless40k.tables.sheet import AREA

RANGE_STEP = 12
RAPID_FIRE_RANGE = 12
HOT_DMG, HOT_DMG_REROLLED = 40, 10
REROLLING_BS = 6
CANNOT_WOUND = 4
NIGHT_SIGHT, NIGHT_SIGHT_ACUTE = 18, 24
STEADY = ("bike", "jetbike", "monstrous_creature")  # may move and fire heavy weapons, as in the base game


class Aim(State, frozen=True):
    """A weapon as some models of a group fire it at a target, with the numbers that special rules change."""

    name: str
    bs: int
    strength: int
    models: int = 1
    shots: int = 1
    ap: int | None = None
    type: str = "rapid_fire"
    marker: str = "none"
    range: int = 0
    distance: float = 0
    hits: tuple[int, ...] = ()  # models under each marker or template
    firer: int = 0  # which group of the firing unit
    rulings: Rulings = DEFAULT
    toughness: int = 4  # of most models of the target
    # changed by special rules
    rerolls_to_hit: int = 0
    rerolls_to_wound: int = 0
    poison: int | None = None  # poisoned on this number or more
    counted_strength: int | None = None  # in the product, where it is not the weapon's own
    twin_template: bool = False
    rending: bool = False
    gets_hot: bool = False
    ignores_cover: bool = False
    pinning: bool = False
    lost_shots: int = 0  # of firers that their own weapon killed

    @property
    def is_area(self) -> bool:
        """True if it is laid out with a template or marker."""
        return self.marker != "none"


class Shooting(State, frozen=True):
    """One unit shoots at another: what is still to be fired, the firers, and what has come of it."""

    rulings: Rulings
    aims: tuple[Aim, ...]
    target: Target
    firers: tuple[Group, ...] = ()
    hot_tokens: int = 0  # that the target's player holds
    hot_declared: int | None = None  # how many of them the opponent plays, if that is ordered
    by: str = "attacker"
    null_zone: bool = False  # around the firers
    packets: tuple[Packet, ...] = ()
    firer_losses: Losses = Losses()  # what gets hot! tokens have done to the firers
    hot_on: tuple[str, ...] = ()  # the weapons they are played on, if they are named


# --- may it fire ------------------------------------------------------------------------------------------------------


@clause("DL-0.1", "DL-19.1")
def shots_at(
    weapon_type: str, shots: int, weapon_range: int, distance: float, moved: bool = False, unit_type: str = "infantry"
) -> int | Refused:
    """Return the shots of a weapon at a distance, as in the base game, or why it may not fire."""
    if weapon_type in ("melee", "grenade"):
        return Refused("a close combat weapon is not fired", "DL-19.1", "weapon")
    refused = refuse_range(weapon_range, distance)
    if refused is not None:
        return refused
    steady = not moved or unit_type in STEADY
    if weapon_type == "rapid_fire":
        if distance <= RAPID_FIRE_RANGE:
            return 2 * shots
        if not steady:
            return Refused("a unit that has moved fires rapid fire weapons up to 12 inches", "DL-0.1", "moved")
    if weapon_type in ("heavy", "ordnance") and not steady:
        return Refused(f"a unit that has moved does not fire {weapon_type} weapons", "DL-0.1", "moved")
    return shots


@clause("DL-29.1")
def refuse_range(weapon_range: int, distance: float) -> Refused | None:
    """Refuse to fire beyond the maximum range."""
    if distance < 0:
        return Refused(f"a distance must be 0 inches or more; got {inches(distance)}", "DL-29.1", "range")
    if distance <= weapon_range:
        return None
    reason = f"the target is {inches(distance)} away, and the weapon reaches {inches(weapon_range)}"
    return Refused(reason, "DL-29.1", "range")


@clause("DL-75.4", "DL-95.8")
def night_sight(acute_senses: bool = False) -> int:
    """Return how far a model sees at night."""
    return NIGHT_SIGHT_ACUTE if acute_senses else NIGHT_SIGHT


@clause("DL-75.4")
def sight_of(group: Group) -> int:
    """Return how far the models of a group see at night."""
    return night_sight(ACUTE_SENSES in group.rules)


# --- how much damage --------------------------------------------------------------------------------------------------


@clause("DL-29.1")
def heavy_range_bonus(max_range: int, distance: float, rulings: Rulings = DEFAULT) -> int:
    """Return the range bonus of a heavy weapon to BS: 1 for every 12 inches that the target is under its range.

    A weapon of unlimited range has no range to be closer than, and adds nothing.
    """
    raise_if_refused(refuse_range(max_range, distance))
    if rulings.heavy_range_bonus == "off" or max_range >= UNLIMITED_RANGE:
        return 0
    steps = (max_range - distance) / RANGE_STEP
    return floor(steps) if rulings.range_step == "inclusive" else max(0, ceil(steps) - 1)


@clause("DL-19.3", "DL-19.4", "DL-31.5")
def reroll_bonus(sources: int, rulings: Rulings = DEFAULT) -> int:
    """Return the bonus of re-rolls, to hit on BS or to wound on Strength: 1, however many there are."""
    return sources if rulings.reroll_bonus == "each" else min(sources, 1)


@clause("DL-19.1", "DL-19.3", "DL-29.1", "DL-31.5")
def bs_used(aim: Aim) -> int:
    """Return the BS that counts: with re-rolls to hit, and for heavy weapons with the range bonus; never below 0."""
    bonus = heavy_range_bonus(aim.range, aim.distance, aim.rulings) if aim.type == "heavy" else 0
    return max(0, aim.bs + reroll_bonus(aim.rerolls_to_hit, aim.rulings) + bonus)


@clause("DL-30.7")
def draw_back_inches(aim: Aim) -> int:
    """Return the inches by which the firer may pull a blast back to its aim point: its BS, with every bonus."""
    return max(0, aim.bs) if aim.rulings.scatter_pull == "plain_bs" else bs_used(aim)


@clause("DL-19.1", "DL-17.1", "DL-19.2")
def shooting_damage(bs: int, strength: int, shots: int) -> int:
    """Return the DMG of shots: BS times Strength for each; nothing is rolled to hit or to wound."""
    if shots < 0 or strength < 0:
        raise BadInput(f"Strength and shots must be 0 or more; got S{strength} and {shots}", clause="DL-19.1")
    return max(0, bs) * strength * shots


@clause("DL-29.2", "DL-30.8", "DL-31.6")
def area_damage(marker: str, hits: int, strength: int, twin_linked: bool = False) -> int:
    """Return the DMG of a template or blast: hits times Strength times 4 (twin-linked 5) or 3; BS does not count."""
    if hits < 0:
        raise BadInput(f"hits must be 0 or more; got {hits}", clause="DL-30.8")
    times = AREA["twin_linked template" if twin_linked and marker == "template" else marker]
    return hits * strength * times


@clause("DL-29.2", "DL-30.8")
def refuse_hits(hits: Sequence[int], markers: int, most: int) -> Refused | None:
    """Refuse hits that are not one number for each template or marker, or exceed the models."""
    if not markers:
        return Refused("no template or marker is laid, so nothing lies under one; leave out hits", "DL-30.8", "hits")
    if len(hits) != markers:
        laid = f"templates and markers laid: {markers}, each with hits of its own"
        return Refused(f"{laid}; got {plural(len(hits), 'number')}", "DL-30.8", "hits")
    if max(hits) > most:
        reason = f"{max(hits)} hits under one template or marker; {most} is the most, for there are no more to hit"
        return Refused(reason, "DL-30.8", "hits")
    return None


@clause("DL-19.4")
def strength_used(aim: Aim) -> int:
    """Return the Strength that DMG is worked out with; its re-rolls to wound do not count for instant death."""
    own = aim.strength if aim.counted_strength is None else aim.counted_strength
    return own + reroll_bonus(aim.rerolls_to_wound, aim.rulings)


@clause("DL-19.1")
def can_wound(strength: int, toughness: int, rulings: Rulings = DEFAULT) -> bool:
    """Return whether a Strength can hurt a Toughness at all: always, unless the players keep the base game's table."""
    return rulings.cannot_wound == "never" or toughness - strength < CANNOT_WOUND


@clause("DL-19.1", "DL-29.2", "DL-30.8")
def damage_of(aim: Aim) -> int:
    """Return the DMG of a weapon as it is fired: shots that were lost deal none."""
    if aim.counted_strength is None and not can_wound(aim.strength, aim.toughness, aim.rulings):
        return 0
    if aim.is_area:
        return area_damage(aim.marker, sum(counted_hits(aim)), strength_used(aim), aim.twin_template)
    return shooting_damage(bs_used(aim), strength_used(aim), shots_counted(aim))


@clause("DL-31.3")
def shots_counted(aim: Aim) -> int:
    """Return the shots that deal damage."""
    return max(0, aim.models * aim.shots - aim.lost_shots)


@clause("DL-31.3")
def counted_hits(aim: Aim) -> tuple[int, ...]:
    """Return the hits of each marker; of several the one with most hits is lost with its firer."""
    return tuple(sorted(aim.hits, reverse=True))[aim.lost_shots :]


@clause("DL-19.2", "DL-25.2")
def packet_of(aim: Aim) -> Packet:
    """Return the packet of a weapon as it is fired."""
    return Packet(
        name=aim.name,
        dmg=damage_of(aim),
        strength=aim.strength,
        ap=aim.ap,
        shots=max(1, sum(counted_hits(aim)) if aim.is_area else shots_counted(aim)),
        rending=aim.rending,
        area=aim.is_area,
        ignores_cover=aim.ignores_cover or aim.marker == "template",
        pinning=aim.pinning,
    )


@clause("DL-19.2")
def sum_packets(packets: Sequence[Packet]) -> tuple[Packet, ...]:
    """Return the packets of the same weapon profile added up, in the order of the first of each."""
    summed: dict[Packet, Packet] = {}
    for packet in packets:
        kind = replace(packet, dmg=0, shots=0)
        known = summed.get(kind, kind)
        summed[kind] = replace(known, dmg=known.dmg + packet.dmg, shots=known.shots + packet.shots)
    return tuple(summed.values())


# --- the stages -------------------------------------------------------------------------------------------------------


@clause("DL-31.2", "DL-31.3", "DL-31.4")
def play_gets_hot(tape: Tape, shooting: Shooting) -> Shooting:
    """Let the target's player spend tokens on weapons that get hot, one for each that a model fires."""
    firers = range(len(shooting.firers))
    hot = tuple(aim_index for aim_index, aim in enumerate(shooting.aims) if aim.gets_hot and aim.firer in firers)
    return tape.each(resolve_gets_hot, shooting, hot) if hot and shooting.hot_tokens else shooting


@clause("DL-31.2", "DL-31.4", "DL-31.3")
def resolve_gets_hot(tape: Tape, shooting: Shooting, aim_index: int) -> Shooting:
    """Deal a firer 40 DMG for each token, or 10 if it may re-roll to hit; a dead firer loses a shot."""
    aim = shooting.aims[aim_index]
    declared = shooting.hot_declared
    if declared is None:
        label = labelled(aim.name, "gets hot! tokens")
        numbers = range(min(shooting.hot_tokens, aim.models), -1, -1)
        usual = _hot_share(shooting, aim_index, shooting.hot_tokens)
        options = (usual, *(number for number in numbers if number != usual))
        tokens = tape.choose(options, by=shooting.target.by, label=label, unit="token")
    else:
        tokens = _hot_share(shooting, aim_index, declared)
        shooting = replace(shooting, hot_declared=declared - tokens)
    if not tokens:
        return shooting
    dmg = hot_damage(aim)
    tape.tell("{} gets hot!: {}, {} DMG each", capital(aim.name), plural(tokens, "token"), dmg)
    firers = Target(shooting.firers, shooting.rulings, null_zone=shooting.null_zone, by=shooting.by)
    for number in range(1, tokens + 1):
        name = f"{aim.name} gets hot!" if tokens == 1 else f"{aim.name} gets hot! ({number})"
        packet = Packet(name, dmg, 0, ignores_cover=True)
        firers = take_share(tape, firers, packet, aim.firer, dmg)
    deaths = firers.removed
    if deaths:
        tape.tell("{} dead: as many shots do not count", plural(deaths, "firer"), clause="DL-31.3")
    hot, held = shooting.firer_losses + firers.losses, shooting.hot_tokens - tokens
    shooting = replace(shooting, firers=firers.groups, firer_losses=hot, hot_tokens=held)
    for number in range(1, deaths + 1):
        shooting = _lose_shot(tape, shooting, aim_index, "lost shot" if deaths == 1 else f"lost shot ({number})")
    return shooting


@clause("DL-31.2")
def _hot_share(shooting: Shooting, aim_index: int, tokens: int) -> int:
    """Return how many of these tokens are usually played on a weapon: all it can take that no stronger one will get.

    Weapons that are named get theirs, one for each time that they are named.
    """
    aim = shooting.aims[aim_index]
    if shooting.hot_on:
        return min(aim.models, tokens, sum(name.lower() == aim.name.lower() for name in shooting.hot_on))
    later = (other for other in shooting.aims[aim_index + 1 :] if other.gets_hot and other.firer < len(shooting.firers))
    kept = sum(other.models for other in later if _shot_worth(other) > _shot_worth(aim))
    return max(0, min(aim.models, tokens - kept))


def _shot_worth(aim: Aim) -> int:
    """Return the DMG of the shots of one firer."""
    return packet_of(replace(aim, models=1)).dmg


@clause("DL-31.1", "DL-31.2")
def refuse_hot(
    tokens: int, held: int, weapons: int, on_vehicle: bool = False, rulings: Rulings = DEFAULT
) -> Refused | None:
    """Refuse more gets hot! tokens than one for each weapon that fires, and any on a vehicle's."""
    if tokens < 0:
        return Refused(f"gets hot! tokens are 0 or more; got {tokens}", "DL-31.2", "token")
    if tokens > held:
        reason = f"{plural(tokens, 'gets hot! token')} played, and {held} held; {min(held, weapons)} is the most"
        return Refused(reason, "DL-31.2", "token")
    if tokens > weapons:
        reason = f"{plural(tokens, 'gets hot! token')} played, and {weapons} of the weapons that fire get hot; one each"
        return Refused(reason, "DL-31.2", "token")
    if tokens and on_vehicle and rulings.hot_on_vehicles == "no":
        reason = (
            "gets hot! tokens cannot be played on the weapons of a vehicle unless the ruling hot_on_vehicles says so"
        )
        return Refused(reason, "DL-31.1", "vehicle")
    return None


@clause("DL-31.2")
def refuse_hot_on(named: Sequence[str], aims: Sequence[Aim], tokens: int | None) -> Refused | None:
    """Refuse gets hot! tokens on weapons that do not fire, do not get hot, or are too few."""
    known = {aim.name.lower(): aim for aim in aims if aim.gets_hot}
    for name in named:
        aim, times = known.get(name.lower()), sum(other.lower() == name.lower() for other in named)
        if aim is None:
            hot = listed([aim.name for aim in known.values()], "or") or "none"
            return Refused(f"{name} is no weapon that fires and gets hot; such are: {hot}", "DL-31.2", "token")
        if times > aim.models:
            reason = f"{plural(times, 'token')} on {aim.name}, and {aim.models} of them fire; one each"
            return Refused(reason, "DL-31.2", "token")
    if named and tokens not in (None, len(named)):
        reason = f"hot_on names a weapon for each token: {len(named)}, and hot_tokens says {tokens}"
        return Refused(reason, "DL-31.2", "token")
    return None


@clause("DL-31.4")
def hot_damage(aim: Aim) -> int:
    """Return the DMG of a gets hot! token: 10 with a re-roll to hit or a BS of 6 or more in the profile, else 40."""
    return HOT_DMG_REROLLED if aim.rerolls_to_hit or aim.bs >= REROLLING_BS else HOT_DMG


@clause("DL-31.3")
def _lose_shot(tape: Tape, shooting: Shooting, aim_index: int, what: str) -> Shooting:
    """Strike out one shot of the dead firer; if it fires several weapons its player chooses of which."""
    aim = shooting.aims[aim_index]
    others = {other.name: index for index, other in enumerate(shooting.aims) if other.firer == aim.firer}
    names = (aim.name, *(name for name in others if name != aim.name))
    chosen = others[tape.choose(names, by=shooting.by, label=labelled(aim.name, what))]
    lost = replace(shooting.aims[chosen], lost_shots=shooting.aims[chosen].lost_shots + 1)
    return replace(shooting, aims=(*shooting.aims[:chosen], lost, *shooting.aims[chosen + 1 :]))


@clause("DL-19.2", "DL-25.2")
def make_packets(tape: Tape, shooting: Shooting) -> Shooting:
    """Add up the DMG of each weapon profile."""
    packets = sum_packets([packet_of(aim) for aim in shooting.aims])
    for aim in shooting.aims:
        tape.tell(aim_line, aim)
    for packet in packets:
        if packet.rending and packet.dmg:
            text = "{} rends: of each group's DMG column 2+ counts as AP2, column 6+ as normal"
            tape.tell(text, capital(packet.name), clause="DL-31.7")
    return replace(shooting, packets=packets)


@clause("DL-25.3", "DL-24.1")
def resolve_packets(tape: Tape, shooting: Shooting) -> Shooting:
    """Spread every packet, save it, and take it off the target."""
    if not shooting.target.models or not any(packet.dmg for packet in shooting.packets):
        tape.tell("Nobody is hurt", clause="DL-20.1")
    return replace(shooting, target=resolve_all(tape, shooting.target, shooting.packets))


SHOOTING = Procedure("shooting", (play_gets_hot, make_packets, resolve_packets))


# --- log lines --------------------------------------------------------------------------------------------------------


def aim_line(aim: Aim) -> Line:
    """Show how the DMG of a weapon comes about."""
    clauses: tuple[str, ...] = ("DL-19.1",)
    if aim.is_area:
        hits = sum(counted_hits(aim))
        times = AREA["twin_linked template" if aim.marker == "template" and aim.twin_template else aim.marker]
        clauses = ("DL-29.2",) if aim.marker == "template" else ("DL-30.8",)
        text = f"{plural(hits, 'hit')} × S{strength_used(aim)} × {times}"
    else:
        by_toughness = aim.counted_strength is not None and aim.counted_strength == aim.toughness
        strength = f"{strength_used(aim)} (T{aim.toughness} for S)" if by_toughness else f"S{strength_used(aim)}"
        text = f"BS{bs_used(aim)} × {strength} × {plural(shots_counted(aim), 'shot')}"
        clauses += ("DL-31.10",) if by_toughness else ()
        if aim.lost_shots:
            text += f" ({shots_counted(aim)} of {shots_counted(aim) + aim.lost_shots} count)"
            clauses += ("DL-31.3",)
    bonus = bs_used(aim) - aim.bs
    if bonus and not aim.is_area:
        text += f" (BS{aim.bs} {bonus:+d})"
        clauses += ("DL-29.1",) if aim.type == "heavy" else ("DL-19.3",)
    ap = "-" if aim.ap is None else aim.ap
    return Line(f"{capital(aim.name)}: {text} = {damage_of(aim)} DMG, AP{ap}", clauses, result=f"{damage_of(aim)} DMG")


# --- measures ---------------------------------------------------------------------------------------------------------


@clause("DL-8.1")
def is_pinned_down(shooting: Shooting) -> bool:
    """Return whether the target must take a pinning test: it lost HP to a weapon that pins."""
    return shooting.target.losses.pinning


@clause("DL-19.2")
def _dmg(shooting: Shooting) -> int:
    return sum(packet.dmg for packet in shooting.packets)


@clause("DL-20.1")
def _hp_lost(shooting: Shooting) -> int:
    return shooting.target.losses.hp


@clause("DL-24.2")
def _hp_removed(shooting: Shooting) -> int:
    return shooting.target.hp_removed


@clause("DL-24.1")
def _removed(shooting: Shooting) -> int:
    return shooting.target.removed


def _models_left(shooting: Shooting) -> int:
    return shooting.target.models


DMG = Measure("dmg", "Damage before saves", _dmg, "DMG")
HP_LOST = Measure("hp_lost", "HP that come through, overkill counted", _hp_lost, "HP")
HP_REMOVED = Measure("hp_removed", "HP taken off the sheet", _hp_removed, "HP")
REMOVED = Measure("removed", "Models removed", _removed, "models")
MODELS_LEFT = Measure("models_left", "Models left", _models_left, "models", low_for=("attacker",))
MEASURES = (HP_LOST, DMG, HP_REMOVED, REMOVED, MODELS_LEFT)
