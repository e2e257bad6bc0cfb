"""Attacks at a distance: `shoot` (shots, bursts, called shots), and at all in reach `flame`, `blast` and `suppress`.

Overwatch: `watch` waits for a foe, `fire_on_watch` fires at it. Psychic powers that do damage: `focus_power`; which
powers there are is outside the sheet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Literal

from battletape.cards import EACH, Inputs, param, picked
from battletape.rulebook import Refused, clause, listed, refuses, replace
from battletape.rulesets.deathwatch.battle import acting, attack, start
from battletape.rulesets.deathwatch.battle.attack import spot_named
from battletape.rulesets.deathwatch.battle.state import Entered, Fighter, Held, Mob, State, Unit, Watch, apart, bearing
from battletape.rulesets.deathwatch.profiles.types import Character, Weapon
from battletape.rulesets.deathwatch.rules import conditions, guns, hordes, melee, suppression
from battletape.rulesets.deathwatch.rules.attack.exchange import Blow, Exchange
from battletape.rulesets.deathwatch.rules.attack.fighters import (
    ACTIONS,
    Setting,
    draft_of,
    fire_draft,
    is_pinned,
    power_draft,
)
from battletape.rulesets.deathwatch.rules.attack.modifiers import refuse_range
from battletape.rulesets.deathwatch.rules.attack.records import Guard
from battletape.rulesets.deathwatch.rules.blasts import in_flames
from battletape.rulesets.deathwatch.rules.damage import parse_damage
from battletape.rulesets.deathwatch.rules.qualities.keywords import ready
from battletape.rulesets.deathwatch.rules.traits import SPOTS, Mode
from battletape.table.points import Placed

FIRE_MODE: Mode = param("single", "Fire mode", "DW-RWEP-00")


class Firing(attack.Circumstances, acting.OneWeapon, frozen=True):
    """A gun fired at somebody."""

    target: str = acting.ANY_FOE


class Shooting(Firing, frozen=True):
    """A shot or burst at somebody."""

    mode: Mode = FIRE_MODE
    called: str = param("", f"Place aimed at, one of {listed(SPOTS, 'or')}", "DW-ACT-CALLED-SHOT")
    off_hand: bool = param(False, "Fired with the off hand", "DW-TWOW-1")
    others: tuple[str, ...] = param((), "Who else may be given hits of a burst", "DW-AUTO-3")


class Flaming(Firing, frozen=True):
    """Flames towards a bearing, or towards somebody."""

    direction: float = start.bearing("Which way, if no target is named")


class Blasting(Firing, frozen=True):
    """A weapon that bursts, fired at somebody or, without a target, at a place; one that lays smoke, at a place."""

    mode: Mode = FIRE_MODE
    x: float = start.PLACE
    y: float = start.PLACE


class Suppressing(Firing, frozen=True):
    """Suppressing fire or overwatch along a bearing, or towards somebody."""

    target: str = param("", "Towards whom", role="foe")
    direction: float = start.bearing("Which way, if nobody is named", "DW-SUPP-1")


class WatchFire(attack.Circumstances, frozen=True):
    """Fire from overwatch at somebody who has just come into the zone."""

    unit: str = param("", "Who is on overwatch", role="watching fighter")
    target: str = param("", "", role="unit in its zone")
    mode: Literal["full", "semi", "suppressing"] = param("full", "Fire mode", "DW-OVER-2", EACH)


class Power(Inputs, frozen=True):
    """A psychic power that does damage; which powers there are is outside the sheet."""

    unit: str = param("", acting.WHO_ACTS, role="acting psyker")
    target: str = acting.ANY_FOE
    damage: str = param("1d10", "Damage, such as 1d10+4", "DW-HORDE-13")
    pen: int = param(0, "Penetration", ge=0, le=30)
    range: int = param(30, "", unit="metres", ge=1, le=2000)
    cost: acting.Pace = param("half", acting.HALF_OR_FULL)


# --- what all of them share -------------------------------------------------------------------------------------------


def gun_of(who: Fighter, order: Any) -> Held:
    """The gun of an overwatch, or the one that an order names; without a name the first gun in hand."""
    if isinstance(order, WatchFire) and who.overwatch is not None:
        return who.carries(who.overwatch.weapon)
    if name := getattr(order, "weapon", "").strip():
        return who.carries(name)
    return next((held for held in who.held if held.in_hand and not held.weapon.melee), who.carries(""))


GUN = acting.Arms(gun_of, "gun", "DW-RWEP-00")


def mode_of(held: Held, order: Any) -> Mode:
    """How a gun is fired by an order."""
    if isinstance(order, Suppressing) or (isinstance(order, WatchFire) and order.mode == "suppressing"):
        return suppression.burst_of(held.fired)
    return getattr(order, "mode", "single")


def fired(state: State, who: Fighter, held: Held, order: Any, exchange: Exchange) -> State:
    """Rounds are spent, whatever the roll."""
    return attack.write_back(attack.fired(state, who, held, mode_of(held, order), exchange), exchange)


def by_gun(*words: Any, never: str = "shoot like a fighter", **may: Any) -> Callable[..., Any]:
    """An attack with a gun."""
    return partial(acting.attacking(*words, never=never, **may), arms=GUN, writes=fired)


@refuses("DW-RANGE-1", "DW-QUAL-FLAME", "DW-HORDE-12", "DW-QUAL-BLAST")
def refuse_fire(state: State, who: Fighter, held: Held, order: Any) -> Iterator[Refused | None]:
    """Why a gun is not fired so: by its state, whom it is aimed at, what kind of weapon it is, or how far that is."""
    yield attack.refuse_gun(state, who, held, mode_of(held, order))
    target = state.find(order.target) if isinstance(order, Shooting) else acting.named(state, order.target)
    yield acting.refuse_target(state, who, target.name) if target else None
    flames, bursts = held.qualities.flame, held.qualities.blast
    if isinstance(order, Shooting) and (flames or bursts):
        action = "flame" if flames else "blast"
        yield Refused(f"{held.name} does more than shoot at one target; use {action}", "DW-PIPE-1", "kind")
    if isinstance(order, Flaming) and not flames:
        yield Refused(f"{held.name} throws no flames; use shoot", "DW-QUAL-FLAME", "kind")
    if isinstance(order, Blasting) and not bursts:
        smokes = held.qualities.smoke
        if not smokes or target:
            helps = "use shoot, or lay its smoke on a place: x and y without a target" if smokes else "use shoot"
            yield Refused(f"{held.name} does not burst; {helps}", "DW-QUAL-BLAST", "kind")
    aimed = _aimed_at(state, order) if isinstance(order, Blasting) else target
    yield refuse_range(held.name, held.fired.range, apart(who, aimed), flame=flames) if aimed else None


def way_of(state: State, who: Fighter, order: Any) -> float:
    """The bearing of the fire: towards somebody, or as it is said."""
    target = acting.named(state, order.target)
    return order.direction if target is None else bearing(who, target)


def in_area(state: State, who: Fighter, way: float, covers: Callable[[float, float], bool]) -> list[Unit]:
    """Everybody, friend or foe, in the area that covers such a distance and bearing off the way of the fire."""
    others = (unit for unit in state.present if unit.name != who.name)
    return [unit for unit in others if covers(apart(who, unit), bearing(who, unit) - way)]


# --- shots and bursts -------------------------------------------------------------------------------------------------


@refuses("DW-ACT-STANDARD-ATTACK", "DW-ACT-CALLED-SHOT", "DW-AUTO-3", "DW-HORDE-6")
def refuse_shot(state: State, who: Fighter, held: Held, order: Shooting) -> Iterator[Refused | None]:
    """Why a fighter cannot shoot like this."""
    yield refuse_fire(state, who, held, order)
    target = state.find(order.target)
    if order.off_hand:
        yield melee.refuse_two_weapons((held.weapon,))
    if spot_named(order.called):
        yield hordes.refuse_called() if isinstance(target, Mob) else guns.refuse_called(order.mode)
    for other in map(state.find, order.others):
        if isinstance(target, Mob):
            yield hordes.refuse_allocation("leader")
        if isinstance(other, Mob):
            reason = f"{other.name} is a horde, which is attacked as a whole; no hit of a burst can be given to it"
            yield Refused(reason, "DW-HORDE-6", "target")
        yield acting.refuse_target(state, who, other.name) or guns.refuse_allocation(apart(target, other))


def begin_shot(state: State, who: Fighter, held: Held, order: Shooting, overwatch: bool = False) -> Exchange:
    """A shot or burst about to be fired, with all its modifiers; from overwatch it may pin the target."""
    target, sharing, called = state.find(order.target), [*map(state.find, order.others)], spot_named(order.called)
    hand = melee.off_hand(who.profile.talents) if order.off_hand else ()
    setting = attack.setting_of(state, who, held, target, order, other=hand, overwatch=overwatch)
    draft = draft_of(who, held, target, setting, "called" if called else ACTIONS[order.mode], order.mode, called)
    blow = replace(
        attack.blow_of(state, who, held, target, draft),
        shares=attack.caught_of(state, who, held, draft, sharing),
        pins=pins_of(state, [target]) if overwatch else (),
    )
    return attack.exchange_of(state, who, (blow,), (target, *sharing))


# --- flames and blasts ------------------------------------------------------------------------------------------------


def begin_flame(state: State, who: Fighter, held: Held, order: Flaming) -> Exchange:
    """The flames about to be thrown: everybody in the arc makes a test, the one they are thrown at first."""
    aimed = acting.named(state, order.target)
    struck = in_area(state, who, way_of(state, who, order), lambda far, off: in_flames(far, off, held.fired.range))
    struck.sort(key=lambda unit: (unit is not aimed, apart(who, unit), unit.name))
    blows = []
    for unit in struck:
        draft = draft_of(who, held, unit, attack.setting_of(state, who, held, unit, order))
        blow = replace(attack.blow_of(state, who, held, unit, draft, "flame"), burn=None)
        blows.append(blow if isinstance(unit, Mob) else replace(blow, how="flame"))
    return attack.exchange_of(state, who, blows, struck)


def _aimed_at(state: State, order: Blasting) -> Unit:
    """The target, or a stand-in for the ground that is aimed at."""
    return acting.named(state, order.target) or Fighter(name="", side="", profile=Character(), x=order.x, y=order.y)


def begin_blast(state: State, who: Fighter, held: Held, order: Blasting) -> Exchange:
    """The shot about to be fired at somebody, or at the ground."""
    target = _aimed_at(state, order)
    setting = attack.setting_of(state, who, held, target, order)
    draft = draft_of(who, held, target, setting, ACTIONS[order.mode], order.mode)
    blow = attack.blow_of(state, who, held, target, draft)
    return attack.exchange_of(state, who, (blow,), (target,) if target.name else ())


# --- suppressing fire -------------------------------------------------------------------------------------------------


@refuses("DW-SUPP-1", "DW-SUPP-4", "DW-ACT-SUPPRESSING-FIRE")
def refuse_bursts(state: State, who: Fighter, held: Held, order: Suppressing) -> Iterator[Refused | None]:
    """Why this weapon cannot fire the bursts that it takes."""
    if held.weapon.melee:
        yield guns.refuse_mode(held.fired, "single")
    yield suppression.refuse_suppress(held.fired)
    yield attack.refuse_gun(state, who, held, mode_of(held, order))


@clause("DW-SUPP-1")
def refuse_far(state: State, who: Fighter, held: Held, order: Any) -> Refused | None:
    """Why suppressing fire does not reach a unit, if it is meant for one."""
    target, reach = acting.named(state, order.target), suppression.suppressed_reach(held.fired.range)
    if target is None or (away := apart(who, target)) <= reach:
        return None
    reason = f"suppressing fire reaches half the range of {held.name}, {reach:g} m; {target.name} is {away:.4g} m away"
    return Refused(reason, "DW-SUPP-1", "range")


def begin_suppress(state: State, who: Fighter, held: Held, order: Any) -> Exchange:
    """Suppressing fire, with everybody in its way; measured by whom it is meant for, else by the first enemy in it."""
    reach, rules = suppression.suppressed_reach(held.fired.range), state.rules
    struck = in_area(state, who, way_of(state, who, order), lambda far, off: suppression.in_arc(far, off, reach, rules))
    target = struck[0] if struck else who
    draft = fire_draft(who, held, target, attack.setting_of(state, who, held, target, order), "suppressing")
    blow = Blow(
        who.name,
        "",
        held.name,
        spec=ready(replace(draft, by_side=False), held.fired.qualities, Guard(), rules),
        how="spray",
        caught=attack.caught_of(state, who, held, draft, struck),
        pins=pins_of(state, struck),
        burn=attack.burn_of(state, who, held, draft),
    )
    meant = acting.named(state, order.target)
    struck.sort(key=lambda unit: (unit is not meant, unit.side == who.side))
    return attack.exchange_of(state, who, (blow,), struck)


def pins_of(state: State, units: list[Unit]) -> tuple[tuple[str, int], ...]:
    """Who tests Willpower not to be pinned, and the target; a mob adds its Magnitude later.

    Nobody in melee does, and nobody who is pinned already.
    """

    def target_of(unit: Unit) -> int:
        if isinstance(unit, Mob):
            return unit.profile.willpower
        return suppression.pin_target(acting.needed(state, unit, "willpower"), rules=state.rules)

    return tuple((unit.name, target_of(unit)) for unit in units if not (unit.engaged_with or is_pinned(unit)))


# --- overwatch --------------------------------------------------------------------------------------------------------


@clause("DW-ACT-OVERWATCH")
def watch(state: State, who: Fighter, held: Held, order: Suppressing, result: State) -> State:
    """A fighter waits for a foe to come into its zone."""
    way = way_of(state, who, order)
    return state.changed(replace(who, facing=way, overwatch=Watch(held.name, way)))


@clause("DW-OVER-1")
def watched_at(state: State, watcher: Unit, place: Placed) -> bool:
    """Whether a place lies in a unit's kill zone."""
    if not isinstance(watcher, Fighter) or watcher.overwatch is None or watcher.is_out:
        return False
    held = watcher.carries(watcher.overwatch.weapon)
    off = bearing(watcher, place) - watcher.overwatch.facing
    return suppression.in_arc(apart(watcher, place), off, held.fired.range, state.rules)


@clause("DW-OVER-2", "DW-OVER-1")
def entered(state: State, unit: Unit, way: tuple[Placed, ...], cover: int = 0, hidden: tuple[str, ...] = ()) -> State:
    """Note whose kill zones a unit entered on its way; they may fire at once."""
    seen = tuple(
        Entered(watcher.name, unit.name, cover, hidden)
        for watcher in state.foes(unit.side)
        if any(watched_at(state, watcher, place) for place in way)
    )
    return replace(state, entered=seen)


@refuses("DW-OVER-4", "DW-STUN-1")
def refuse_watcher(state: State, order: WatchFire, action: str) -> Iterator[Refused | None]:
    """Why a unit cannot fire from overwatch: it keeps none, or is in no state to."""
    yield acting.refuse_begun(state)
    who = state.find(order.unit)
    if not isinstance(who, Fighter) or who.overwatch is None:
        yield Refused(f"{who.name} keeps no overwatch; use watch in its turn", "DW-OVER-1", "overwatch")
    elif not (allowed := conditions.budget(who.conditions, who.screaming)).full:
        yield Refused(f"{who.name} cannot fire: {allowed.reason}", allowed.clause, "condition")


@refuses("DW-OVER-2")
def refuse_watch_fire(state: State, who: Fighter, held: Held, order: WatchFire) -> Iterator[Refused | None]:
    """Why nobody can be fired at from overwatch now."""
    yield acting.refuse_target(state, who, order.target)
    target = state.find(order.target)
    if _came(state, who, target) is None:
        reason = f"{target.name} has not just come into the kill zone of {who.name}; fire at once when somebody does"
        yield Refused(reason, "DW-OVER-2", "zone")
    yield attack.refuse_gun(state, who, held, mode_of(held, order))
    yield refuse_far(state, who, held, order) if order.mode == "suppressing" else None


def _came(state: State, who: Unit, target: Unit) -> Entered | None:
    return next((came for came in state.entered if (came.watcher, came.target) == (who.name, target.name)), None)


def begin_watch_fire(state: State, who: Fighter, held: Held, order: WatchFire) -> Exchange:
    """A burst at -20, after which the target tests not to be pinned."""
    if order.mode == "suppressing":
        return begin_suppress(state, who, held, order)
    target = state.find(order.target)
    came = _came(state, who, target)
    if isinstance(target, Fighter) and came is not None:
        state = state.changed(replace(target, cover_ap=came.cover_ap, hidden=came.hidden))
    shot = Shooting(**picked(order, "target", "mode", *attack.Circumstances.__struct_fields__))
    return begin_shot(state, who, held, shot, overwatch=True)


@clause("DW-OVER-4")
def finish_watch_fire(state: State, who: Fighter, held: Held, order: WatchFire, exchange: Exchange) -> State:
    """The watch is over unless the ruling lets it go on."""
    if suppression.ends_by_fire(who.profile.willpower, state.rules):
        state = state.changed(replace(who, overwatch=None))
    return replace(state, entered=tuple(came for came in state.entered if came.watcher != who.name))


# --- psychic powers ---------------------------------------------------------------------------------------------------


@refuses("DW-ACT-FOCUS-POWER", "DW-HORDE-13")
def refuse_power(state: State, who: Unit, order: Power) -> Iterator[Refused | None]:
    """Why a fighter cannot use a power."""
    if not isinstance(who, Fighter) or not who.profile.psy_rating:
        yield Refused(f"{who.name} is no psyker; it needs a Psy Rating of 1 or more", "DW-ACT-FOCUS-POWER", "psyker")
    parse_damage(order.damage)
    yield acting.refuse_target(state, who, order.target)
    yield refuse_range("the power", order.range / 4, apart(who, state.find(order.target)))


def begin_power(state: State, who: Fighter, order: Power) -> Exchange:
    """Willpower with five for each point of the rating; on a horde as many hits as that. Nobody evades it."""
    target = state.find(order.target)
    power = Held(Weapon(name="the power", damage=order.damage, pen=order.pen, damage_type="E"))
    draft = replace(power_draft(who, power, target, Setting(rules=state.rules)), eligible=False, sure=False)  # no fury
    blow = attack.blow_of(state, who, power, target, draft, "psychic")
    return attack.exchange_of(state, who, (blow,), (target,))


# --- cards ------------------------------------------------------------------------------------------------------------

SHOOT = by_gun("shoot", "Shoot at somebody", Shooting, attack.shot_action, "DW-PIPE-1")(
    refuse=refuse_shot, begin=begin_shot, roles={"weapon": "gun", "mode": "fire mode"}
)
FLAME = by_gun("flame", "Throw flames", Flaming, "Standard Attack", "DW-QUAL-FLAME", "DW-HORDE-12")(
    refuse=refuse_fire, begin=begin_flame, roles={"weapon": "flamer"}
)
BURSTING = ("DW-QUAL-BLAST", "DW-SCAT-2", "DW-QUAL-SMOKE")
BLAST = by_gun("blast", "Fire a weapon that bursts", Blasting, attack.shot_action, *BURSTING)(
    refuse=refuse_fire, begin=begin_blast, roles={"weapon": "bursting gun"}
)
SUPPRESSING = ("DW-SUPP-1", "DW-SUPP-2", "DW-SUPP-3")
SUPPRESS = by_gun("suppress", "Suppressing fire", Suppressing, "Suppressing Fire", *SUPPRESSING)(
    refuse=lambda *tried: refuse_bursts(*tried) or refuse_far(*tried), begin=begin_suppress, roles={"weapon": "gun"}
)
WATCH = acting.deed("watch", "Keep overwatch", Suppressing, "Overwatch", "DW-OVER-1", never="shoot like a fighter")(
    arms=GUN, refuse=refuse_bursts, finish=watch, roles={"weapon": "gun", "target": "", "direction": "own facing"}
)
FROM_WATCH = ("DW-OVER-2", "DW-OVER-3", "DW-OVER-4")
FIRE_ON_WATCH = by_gun("fire_on_watch", "Fire from overwatch", WatchFire, "", *FROM_WATCH, may=refuse_watcher)(
    refuse=refuse_watch_fire, begin=begin_watch_fire, finish=finish_watch_fire, spends=False
)
FOCUS_POWER = acting.attacking(
    "focus_power", "Use a psychic power", Power, "Focus Power ({cost})", "DW-HORDE-13", may=acting.refuse_act
)(refuse=refuse_power, begin=begin_power)
