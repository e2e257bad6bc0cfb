"""Blows in a battle (`strike`): every way to strike somebody, with one weapon, two, or bare hands."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from battletape.clauses import clause
from battletape.rulesets.deathwatch.battle.acting import mine, with_blows
from battletape.rulesets.deathwatch.battle.actions.overwatch import entered
from battletape.rulesets.deathwatch.battle.attack.prepare import exchange_of, spot_named
from battletape.rulesets.deathwatch.battle.attack.striking import (
    BARE,
    NAMES,
    NUMBERS,
    Deed,
    Striking,
    blade_of,
    blow_at,
    refuse_strike,
    second_of,
)
from battletape.rulesets.deathwatch.battle.outcome import engage, spend, write_back
from battletape.rulesets.deathwatch.battle.state import CONTACT, Fighter, State, apart, is_adjacent, towards
from battletape.rulesets.deathwatch.rules import guns, melee
from battletape.rulesets.deathwatch.rules.attack.exchange import Blow, Exchange


def begin_strike(state: State, order: Striking) -> Exchange:
    """The blows about to fall."""
    who, target = state.fighter(order.unit), state.find(order.target)
    held = blade_of(who, order)
    second = state.find(order.target2) if order.target2.strip() else target
    both = melee.has(who.profile.talents, melee.BOTH_HANDS)
    if order.how == "two_weapons":
        other = second_of(who, order, held)
        assert other is not None
        main, off = (melee.hand_modifiers(hand, True, both, state.rules) for hand in ("main", "off"))
        blows: tuple[Blow, ...] = (
            blow_at(state, who, held, target, order, order.how, main),
            blow_at(state, who, other, second, replace(order, trained=order.trained2), order.how, off),
        )
    else:
        added = melee.hand_modifiers("off", False, both, state.rules) if order.off_hand else ()
        first = blow_at(state, who, held, target, order, order.how, added, spot_named(order.called))
        more = NUMBERS.get(order.how, 1) - 1
        blows = (first, *(blow_at(state, who, held, second, order, order.how, added) for _ in range(more)))
    return exchange_of(state, who, blows, (target.name, second.name))


@clause("DW-ACT-ALL-OUT-ATTACK", "DW-ACT-GUARDED-ATTACK", "DW-ACT-FEINT", "DW-ACT-CHARGE", "DW-ACT-GRAPPLE")
def finish_strike(state: State, order: Striking, exchange: Exchange) -> State:
    """Where a charge ends, who is in melee now, and what the action means until the next turn."""
    who, target = state.fighter(order.unit), state.find(order.target)
    before = (who.x, who.y)
    if order.how == "charge":
        x, y = towards(who, target, apart(who, target) - CONTACT)
        held = tuple(replace(weapon, braced=False) for weapon in who.held)
        who = replace(who, x=x, y=y, held=held, cover="", cover_ap=0, hidden=())
        state = state.changed(who)
    first = blade_of(who, order)
    for gun in (first, second_of(who, order, first)) if order.how == "two_weapons" else ():
        if gun is not None and not gun.weapon.melee:
            used = guns.rounds_used(gun.fired, "single", gun.qualities, state.rules)
            gun = replace(gun, clip=max(0, gun.clip - used), fired_round=state.round)
            state = state.changed(state.fighter(who.name).with_held(gun))
    state = spend(write_back(state, exchange), who.name, NAMES[order.how])
    struck = {state.find(name).name for name in (target.name, order.target2) if name}
    for name in sorted(struck):
        if is_adjacent(state.find(who.name), state.find(name)) and not state.find(name).is_out:
            state = engage(state, who.name, name)
    now = state.fighter(who.name)
    fooled = "" if now.feinted in struck else now.feinted
    now = replace(now, feinted=fooled, no_evasion=order.how == "all_out", guarded=order.how == "guarded")
    state = state.changed(now)
    other = state.find(target.name)
    if order.how == "grapple" and exchange.landed and isinstance(other, Fighter) and not other.is_out:
        held_by = replace(other, grappled_with=who.name, controls=False)
        state = state.changed(replace(now, grappled_with=other.name, controls=True), held_by)
    if order.how == "charge" and not now.is_out:
        state = entered(state, now, (before, (now.x, now.y))[1:], 0, ())
    return state


# --- the card ---------------------------------------------------------------------------------------------------------


def _strikes(state: State) -> Iterator[Striking]:
    who = mine(state)
    if who is None:
        return
    blades = [weapon.name for weapon in who.held if weapon.weapon.melee] or ["fists"]
    for target in state.foes(who.side):
        close = is_adjacent(who, target)
        ways: tuple[Deed, ...] = ("standard", "all_out", "guarded", "stun", "grapple") if close else ("charge",)
        for blade in blades:
            for how in ways:
                yield Striking(unit=who.name, weapon="" if how in BARE else blade, target=target.name, how=how)
        if close and melee.attacks_of(who.profile.talents) > 1:
            yield Striking(unit=who.name, weapon=blades[0], target=target.name, how="swift")


STRIKE = with_blows(
    "strike",
    "Strike somebody",
    Striking,
    refuse_strike,
    begin_strike,
    finish_strike,
    *("DW-PIPE-1", "DW-ACT-STANDARD-ATTACK", "DW-ACT-ALL-OUT-ATTACK", "DW-ACT-CHARGE", "DW-ACT-GUARDED-ATTACK"),
    *("DW-ACT-MULTIPLE-ATTACKS", "DW-ACT-STUN"),
    options=_strikes,
)
