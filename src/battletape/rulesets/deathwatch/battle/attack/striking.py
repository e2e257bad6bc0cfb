"""Striking in a battle: with what and how, whether it is allowed, and the blow with all its modifiers."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta
from msgspec.structs import replace

from battletape.clauses import clause
from battletape.errors import Refused
from battletape.rulesets.deathwatch.battle.acting import Who, fighter_to, refuse_target
from battletape.rulesets.deathwatch.battle.attack.prepare import (
    Circumstances,
    blow_of,
    refuse_gun,
    setting_of,
    spot_named,
)
from battletape.rulesets.deathwatch.battle.state import (
    CONTACT,
    Fighter,
    Held,
    Mob,
    State,
    Unit,
    apart,
    is_adjacent,
    moves_of,
)
from battletape.rulesets.deathwatch.rules import guns, melee
from battletape.rulesets.deathwatch.rules.attack.exchange import Blow
from battletape.rulesets.deathwatch.rules.attack.fighters import ADDS, FISTS, HitBy, draft_of, fists_of
from battletape.rulesets.deathwatch.rules.attack.modifiers import refuse_range
from battletape.rulesets.deathwatch.rules.hordes import size_and_nerve
from battletape.rulesets.deathwatch.rules.movement import refuse_charge
from battletape.rulesets.deathwatch.rules.traits import Modifier, Spot

Deed: TypeAlias = Literal[
    "standard",
    "all_out",
    "charge",
    "guarded",
    "called",
    "stun",
    "swift",
    "lightning",
    "two_weapons",
    "unarmed",
    "grapple",
]
NAMES: dict[Deed, str] = {
    "standard": "Standard Attack",
    "all_out": "All Out Attack",
    "charge": "Charge",
    "guarded": "Guarded Attack",
    "called": "Called Shot",
    "stun": "Stun",
    "swift": "Multiple Attacks",
    "lightning": "Multiple Attacks",
    "two_weapons": "Multiple Attacks",
    "unarmed": "Standard Attack",
    "grapple": "Grapple (half)",
}
NUMBERS: dict[Deed, int] = {"swift": 2, "lightning": 3}
BARE: tuple[Deed, ...] = ("unarmed", "grapple")


class Striking(Circumstances, frozen=True):
    """Blows at somebody."""

    unit: Who = ""
    weapon: Annotated[str, Meta(title="Weapon; the first blade in hand if left out")] = ""
    target: str = ""
    how: Annotated[Deed, Meta(title="Which action", extra={"clause": "DW-ACT-00"})] = "standard"
    called: Annotated[str, Meta(title="Place aimed at", extra={"clause": "DW-ACT-CALLED-SHOT"})] = ""
    off_hand: Annotated[bool, Meta(title="Struck with the off hand", extra={"clause": "DW-TWOW-1"})] = False
    weapon2: Annotated[str, Meta(title="Second weapon", extra={"clause": "DW-TWOW-2"})] = ""
    trained2: Annotated[
        Literal["talents", "yes", "no"], Meta(title="Trained with it", extra={"clause": "DW-UNTR-1"})
    ] = "talents"
    target2: Annotated[str, Meta(title="Target of the second attack", extra={"clause": "DW-TWOW-3"})] = ""


def blade_of(who: Fighter, order: Striking) -> Held:
    """The weapon named; without a name the first blade in hand, or bare hands."""
    if order.how in BARE or order.weapon.strip().lower() == FISTS:
        return fists_of(who)
    if order.weapon.strip():
        return who.carries(order.weapon)
    return who.blades[0] if who.blades else fists_of(who)


# --- what is refused --------------------------------------------------------------------------------------------------


@clause(
    "DW-ACT-STANDARD-ATTACK", "DW-COND-ENGAGED", "DW-ACT-CHARGE", "DW-ACT-MULTIPLE-ATTACKS", "DW-TWOW-1", "DW-TWOW-2"
)
def refuse_strike(state: State, order: Striking) -> Refused | None:
    """Why a fighter cannot strike like this."""
    who = fighter_to(state, order.unit, NAMES[order.how], "strike like a fighter")
    if isinstance(who, Refused):
        return who
    held = blade_of(who, order)
    refused = refuse_use(state, who, held, gun=order.how == "two_weapons") or refuse_target(state, who, order.target)
    if refused is not None:
        return refused
    target = state.find(order.target)
    refused = _refuse_called(target, order) or _refuse_several(state, who, held, order)
    if refused is not None:
        return refused
    if order.how == "charge":
        return refuse_rush(state, who, target)
    return refuse_reach(who, held, target)


@clause("DW-ACT-READY", "DW-QUAL-POWER-FIELD", "DW-CRIT-2")
def refuse_use(state: State, who: Fighter, held: Held, gun: bool = False) -> Refused | None:
    """Why a weapon cannot be used for a blow."""
    if not held.weapon.melee:
        if gun:
            return refuse_gun(state, who, held, "single")
        return Refused(f"{held.name} is a gun; use shoot, or strike with a blade or fists", "DW-MWEP-00", "kind")
    refused = guns.refuse_state(held.weapon, state.round, ready=held.in_hand, destroyed=held.destroyed)
    if refused is None and who.hands < min(1, held.hands):
        refused = Refused(f"{who.name} has no hand left to strike with", "DW-CRIT-2", "hands")
    return refused


@clause("DW-COND-ENGAGED", "DW-TWOW-3", "DW-RANGE-1")
def refuse_reach(who: Fighter, held: Held, target: Unit) -> Refused | None:
    """Why a target is out of reach of a blow."""
    far = apart(who, target)
    if not held.weapon.melee:
        return refuse_range(held.name, held.fired.range, far)
    if is_adjacent(who, target):
        return None
    reason = f"{target.name} is {far:g} m away; a blow reaches 2 m, so move there or charge"
    return Refused(reason, "DW-COND-ENGAGED", "range")


@clause("DW-ACT-CHARGE", "DW-COND-PRONE")
def refuse_rush(state: State, who: Fighter, target: Unit) -> Refused | None:
    """Why a fighter cannot charge."""
    if who.conditions.prone:
        return Refused(f"{who.name} is prone; stand first", "DW-COND-PRONE", "prone")
    if who.engaged_with:
        reason = f"{who.name} is in melee with {', '.join(who.engaged_with)}; disengage first"
        return Refused(reason, "DW-ACT-DISENGAGE", "engaged")
    return refuse_charge(round(apart(who, target) - CONTACT, 6), moves_of(state, who))


@clause("DW-ACT-CALLED-SHOT", "DW-HPIPE-1", "DW-ACT-STUN")
def _refuse_called(target: Unit, order: Striking) -> Refused | None:
    if (order.how == "called") != bool(order.called.strip()):
        reason = "a called shot needs the action called and the place it is aimed at"
        return Refused(f"{reason}; got {order.how} and {order.called or 'no place'}", "DW-ACT-CALLED-SHOT", "called")
    spot_named(order.called)
    if not isinstance(target, Mob):
        return None
    if order.how == "called":
        return size_and_nerve.refuse_called()
    if order.how in ("stun", "grapple"):
        return Refused(f"{target.name} is a horde; nobody can {order.how} all of it", "DW-HORDE-1", "target")
    return None


@clause("DW-ACT-MULTIPLE-ATTACKS", "DW-TWOW-1", "DW-TWOW-2", "DW-TWOW-3")
def _refuse_several(state: State, who: Fighter, held: Held, order: Striking) -> Refused | None:
    talents = who.profile.talents
    number = NUMBERS.get(order.how, 1)
    if melee.attacks_of(talents) < number:
        return melee.refuse_attacks(number)
    target = state.find(order.target)
    second = state.find(order.target2) if order.target2.strip() else target
    if order.how in NUMBERS:
        return refuse_target(state, who, second.name) or refuse_reach(who, held, second)
    if order.how != "two_weapons":
        return None
    other = second_of(who, order, held)
    if other is None:
        return Refused(
            f"an attack with both weapons needs weapon2; {who.name} holds {held.name}", "DW-TWOW-2", "weapon"
        )
    pair = (held.weapon, other.weapon)
    refused = melee.refuse_two_weapons(pair) or melee.refuse_both(pair, talents)
    if refused is None and who.hands < held.hands + other.hands:
        reason = f"{held.name} and {other.name} need a hand each, and {who.name} has {who.hands} to use"
        refused = Refused(reason, "DW-CRIT-2", "hands")
    refused = refused or refuse_use(state, who, other, gun=True) or refuse_target(state, who, second.name)
    refused = refused or refuse_reach(who, other, second)
    if refused is None and not held.weapon.melee and not other.weapon.melee:
        refused = melee.refuse_two_targets(apart(target, second))
    return refused


def second_of(who: Fighter, order: Striking, first: Held) -> Held | None:
    """The second weapon, if one is named; the same name twice means two of a kind."""
    if not order.weapon2.strip():
        return None
    named = who.carries(order.weapon2)
    if named.name != first.name:
        return named
    alike = (held for held in who.held if replace(held.weapon, name=first.name) == first.weapon)
    return next((held for held in alike if held.name != first.name), None)


@clause("DW-UNARM-1")
def blow_at(
    state: State,
    who: Fighter,
    held: Held,
    target: Unit,
    order: Circumstances,
    how: Deed = "standard",
    added: tuple[Modifier, ...] = (),
    called: Spot | None = None,
) -> Blow:
    """One blow or shot at somebody, with all its modifiers."""
    setting = setting_of(state, who, held, target, order, other=added)
    what: HitBy = "stun" if how == "stun" else "fists" if held.name == FISTS else ""
    two = how == "two_weapons"
    draft = draft_of(who, held, target, setting, ADDS.get(how, ""), called=called, how=what, two_weapons=two)
    return blow_of(state, who, held, target, draft, "melee" if held.weapon.melee else "shoot")
