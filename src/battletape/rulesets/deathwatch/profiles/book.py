"""Weapons, armour, characters and hordes: ours in profiles/*.toml and the players' own; and what is read off them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import Any

from battletape.cards import Inputs, ProfileBook, fields, fill_from, read_book
from battletape.rulebook import BadInput, Refused, UnknownName, cites, clause, raise_if_refused, replace
from battletape.rulesets.deathwatch.profiles.types import KINDS, Armour, Character, Horde, WeaponProfile
from battletape.rulesets.deathwatch.rules import damage, melee, talents, traits
from battletape.rulesets.deathwatch.rules.attack import modifiers
from battletape.rulesets.deathwatch.rules.d100_tests import bonus
from battletape.rulesets.deathwatch.rules.keywords import parse_quality, qualities_named, special_of

Values = Mapping[str, Any]
"""Inputs as a player gives them, by name."""
PLACES = ("head", "arm", "body", "leg")
COMBI = "combi"
"""Weapons with this in their name have a second barrel."""
ARMOURS = ("POWER", "ARTIFICER", "SCOUT", "TERMINATOR", "PRIMITIVE", "CARAPACE", "DIAGNOSTOR", "MASKING", "FLAK")
cites(*(f"DW-RWEP-{number:02}" for number in range(1, 26)), where=f"{__package__}/ranged.toml")
cites(*(f"DW-MWEP-{number:02}" for number in range(1, 16)), where=f"{__package__}/melee.toml")
cites("DW-ARM-1", *(f"DW-ARM-{name}" for name in ARMOURS), where=f"{__package__}/armour.toml")


OF_ATTACKER = {
    **{name: name for name in ("bs", "ws", "talents", "psy_rating", "no_bracing")},
    **{"own_strength": "strength", "times_sb": "unnatural_strength", "more_sb": "strength_bonus"},
    "own_willpower": "willpower",
}
OF_TARGET = {
    **{name: name for name in ("toughness", "agility", "strength", "willpower", "wounds", "unnatural_toughness")},
    **{name: name for name in ("true_grit", "immune_blood_loss", "size", "size_hidden", "armour")},
    **{"more_tb": "toughness_bonus", "target_ws": "ws"},
}
"""Inputs about an attacker and about a target, and what a character calls them."""
WEAPON_ONLY = ("name", "number", "ammunition")
"""Fields of a weapon that no input takes over."""


def book(files: Sequence[str] = ()) -> ProfileBook:
    """Return our profiles and those of the players' own files, which are checked; ours are by a test."""
    return read_book(__package__, KINDS, files, _check) if files else read_book(__package__, KINDS)


def _check(book: ProfileBook) -> list[str]:
    """Return a sentence for everything that does not fit, once all profiles are read."""
    from battletape.rulesets.deathwatch.profiles.checks import check  # here: only reading files needs it

    return check(book)


@clause("DW-ARM-2")
def worn_together(pieces: Sequence[Armour]) -> Armour:
    """Return pieces of armour as one suit: the best on each place counts, one sealed piece seals."""
    points: Any = {place: max((getattr(piece, place) for piece in pieces), default=0) for place in PLACES}
    primitive, sealed = (sum(getattr(piece, how) for piece in pieces) for how in ("primitive", "sealed"))
    name = ", ".join(piece.name for piece in pieces)
    return Armour(name=name, **points, primitive=0 < primitive == len(pieces), sealed=sealed > 0)


def strength_of(profile: Character | Horde) -> int:
    """Return the strength bonus with its unnatural multiplier."""
    return bonus(
        profile.strength, profile.unnatural_strength, profile.strength_bonus if isinstance(profile, Character) else 0
    )


def toughness_of(profile: Character | Horde) -> int:
    """Return the toughness bonus with its unnatural multiplier."""
    return bonus(
        profile.toughness, profile.unnatural_toughness, profile.toughness_bonus if isinstance(profile, Character) else 0
    )


@clause("DW-RWEP-23", "DW-RWEP-24", "DW-RWEP-25")
def ammunition_of(weapon: WeaponProfile, book: ProfileBook) -> tuple[WeaponProfile, ...]:
    """Return what a launcher may fire."""
    return tuple(book.find("weapon", name) for name in weapon.ammunition)


@clause("DW-RWEP-23", "DW-RWEP-24", "DW-RWEP-25")
def with_round(weapon: WeaponProfile, round: WeaponProfile) -> WeaponProfile:
    """Return a launcher with its ammunition: damage, penetration and qualities are those of the round."""
    qualities = (*weapon.qualities, *round.qualities)
    return replace(weapon, damage=round.damage, damage_type=round.damage_type, pen=round.pen, qualities=qualities)


@clause("DW-RWEP-04")
def as_second_barrel(weapon: WeaponProfile) -> WeaponProfile:
    """Return the second barrel of a combi-weapon: another weapon's profile with single shots and a clip of one."""
    return replace(weapon, single=True, semi=0, full=0, clip=1)


@clause("DW-RWEP-04")
def is_combi(weapon: WeaponProfile) -> bool:
    """Return whether a weapon has a second barrel."""
    return COMBI in weapon.name.lower()


def find_weapon(
    book: ProfileBook, name: str, round: str = "", barrel: str = "", talents: Sequence[str] = ()
) -> WeaponProfile:
    """Return a weapon as it is fired: with this round in it, by its second barrel, or bare hands."""
    weapon: WeaponProfile = melee.fist(talents) if modifiers.is_bare(name) else book.find("weapon", name, "DW-RWEP-00")
    if barrel:
        if not is_combi(weapon):
            raise BadInput.of("barrel", f"needs a combi-weapon; {weapon.name!r} has one barrel", clause="DW-RWEP-04")
        weapon = as_second_barrel(book.find("weapon", barrel))
    if not weapon.ammunition:
        if round:
            raise BadInput.of("ammunition", f"needs a launcher; {weapon.name!r} is none", clause="DW-RWEP-24")
        return weapon
    if not round:
        would = " or ".join(weapon.ammunition)
        raise BadInput.of("ammunition", f"must be what the {weapon.name} fires: {would}", clause="DW-RWEP-24")
    names = {name.lower(): name for name in weapon.ammunition}
    if round.strip().lower() not in names:
        raise UnknownName("ammunition", round, weapon.ammunition, source=weapon.name)
    return with_round(weapon, book.find("weapon", names[round.strip().lower()]))


def fill_profiles(
    given: Values, book: ProfileBook, inputs: type[Inputs], in_melee: bool | None = None
) -> dict[str, Any]:
    """Fill in the profiles of attacker, weapons and target."""
    filled = fill_weapon(fill_attacker(given, book, in_melee), book, in_melee)
    filled = fill_target(fill_mode(filled, inputs) if in_melee is False else filled, book)
    filled = fill_weapon(filled, book, second="2")
    if filled.get("special") == filled.get("special2") == "claws":
        filled.setdefault("pair", True)
    if filled.get("parry_with"):
        weapon = find_weapon(book, str(filled["parry_with"]))
        raise_if_refused(refuse_use(weapon, True))
        if modifiers.is_bare(weapon.name):
            raise Refused("bare hands do not parry; name a weapon that does", "DW-EVA-3")
        filled = {"parry_qualities": weapon.qualities, **filled, "parry_with": weapon.name}
    return filled


@clause("DW-RWEP-00")
def fill_mode(filled: dict[str, Any], inputs: type[Inputs]) -> dict[str, Any]:
    """Fill in the fire mode: the usual one if the gun has it, else the fastest it has."""
    known = {given.name: given.default for given in fields(inputs)} | filled
    if "mode" in filled or "mode" not in known:
        return filled
    has = [mode for mode in traits.MODES if str(known[mode]).strip().lower() not in ("0", "no", "false", "off")]
    return filled if known["mode"] in has or not has else {**filled, "mode": has[-1]}


@clause("DW-TWOW-2")
def fill_weapon(given: Values, book: ProfileBook, in_melee: bool | None = None, second: str = "") -> dict[str, Any]:
    """Fill in the numbers of the named weapon; qualities that the player gives are added to its own.

    Those of a second one have a 2 behind their names: nothing of the first one is lent to it.
    """
    key = f"weapon{second}"
    if not given.get(key):
        return dict(given)
    round, barrel = ("", "") if second else (_text(given, "ammunition"), _text(given, "barrel"))
    weapon = find_weapon(book, str(given[key]), round, barrel, _names(given, "talents"))
    raise_if_refused(refuse_use(weapon, in_melee))
    numbers = {name: getattr(weapon, name) for name in WeaponProfile.__struct_fields__ if name not in WEAPON_ONLY}
    special = special_of(weapon.group) if qualities_named(weapon.qualities).special else ""
    numbers |= {"special": special or "none", "gun": not weapon.melee}
    if given.get("attacker"):
        numbers["trained"] = modifiers.is_trained(weapon, _names(given, "talents"))
        if second and not weapon.melee:
            numbers["skill"] = book.find("character", str(given["attacker"])).bs
    given_qualities = _names(given, f"qualities{second}")
    # where both have one, that of the player counts
    named = {parse_quality(quality).name for quality in given_qualities}
    own = (quality for quality in weapon.qualities if parse_quality(quality).name not in named)
    known = {f"{name}{second}": number for name, number in numbers.items()}
    named_as = weapon.name if modifiers.is_bare(weapon.name) else book.find("weapon", str(given[key])).name
    return {**known, **given, key: named_as, f"qualities{second}": (*own, *given_qualities)}


def refuse_use(weapon: WeaponProfile, in_melee: bool | None) -> Refused | None:
    """Refuse a blade where a gun is needed, or a gun where a blade is."""
    if weapon.kind == "Ammunition":
        return Refused(f"{weapon.name} is ammunition; name the launcher that fires it", "DW-RWEP-24")
    if in_melee is not None and weapon.melee != in_melee:
        needed, came = ("a melee weapon", "a gun") if in_melee else ("a gun", "a melee weapon")
        return Refused(f"this needs {needed}; {weapon.name} is {came}", "DW-MWEP-00" if in_melee else "DW-RWEP-00")
    return None


def fill_attacker(given: Values, book: ProfileBook, in_melee: bool | None = None) -> dict[str, Any]:
    """Fill in the numbers of the named attacker, and the weapon that it usually uses."""
    if given.get("talents"):
        raise_if_refused(talents.refuse_unknown(given, book))
    read: dict[str, Any] = {name: attrgetter(own) for name, own in OF_ATTACKER.items()}
    read |= {
        "fury": lambda character: _fury(character, given, book),
        "weapon": lambda character: usual_weapon(character, book, in_melee, "damage" in given),
    }
    return fill_from(given, "character", book, key="attacker", sb=strength_of, **read)


def first_weapon(profile: Character, book: ProfileBook, in_melee: bool) -> str | None:
    """Return the name of the first gun that a character carries, or of its first melee weapon."""
    return next((name for name in profile.weapons if book.find("weapon", name).melee == in_melee), None)


@clause("DW-UNARM-1", "DW-MWEP-00", "DW-RWEP-00")
def usual_weapon(
    character: Character, book: ProfileBook, in_melee: bool | None, by_numbers: bool = False
) -> str | None:
    """Return the weapon that a character uses unless another is named: one it carries, else bare hands.

    Where guns and blades will do, a gun comes first. `by_numbers`: those of a weapon are told; then it may carry none.
    """
    own = first_weapon(character, book, bool(in_melee)) or (
        first_weapon(character, book, True) if in_melee is None else None
    )
    if own is None and not by_numbers and in_melee is False:
        reason = (
            f"{character.name} carries no gun ({', '.join(character.weapons) or 'no weapon at all'}); name a weapon"
        )
        raise Refused(reason, "DW-RWEP-00", "weapon")
    return modifiers.BARE_HANDS[0] if own is None and not by_numbers else own


@clause("DW-RF-3")
def _fury(character: Character, given: Values, book: ProfileBook) -> str:
    named = (("character", given.get("target")), ("horde", given.get("horde")))
    tags = {tag for kind, foe in named if foe for tag in book.find(kind, str(foe)).tags}
    return (
        "none"
        if not character.fury
        else "sure"
        if damage.is_fury_sure(character.fury_sure_against, tags)
        else "confirm"
    )


def fill_target(given: Values, book: ProfileBook) -> dict[str, Any]:
    """Fill in the numbers of the named target and of the armour it wears."""
    read: dict[str, Any] = {name: attrgetter(own) for name, own in OF_TARGET.items()}
    read |= {
        "tb": lambda character: bonus(character.toughness),
        "target_sb": strength_of,
        "dodge": lambda character: character.dodge or None,
    }
    read |= {"armed": lambda character: bool(character.weapons)}
    read |= {
        "daemon": lambda character: "daemon" in character.tags,
        "minion": lambda character: character.kind == "minion",
    }
    read |= {"parry_with": lambda character: first_weapon(character, book, True)}
    read |= {"parry": lambda character: character.ws if first_weapon(character, book, True) else None}
    filled = fill_from(given, "character", book, key="target", **read)
    pieces = _names(filled, "armour")
    if pieces or given.get("target"):
        suit = worn_together([book.find("armour", name) for name in pieces])
        points = {name: getattr(suit, name) for name in (*PLACES, "sealed")}
        filled = {**points, **({"primitive_armour": suit.primitive} if pieces else {}), **filled, "armour": pieces}
    return filled


def _text(given: Values, key: str) -> str:
    value = str(given.get(key) or "").strip()
    return "" if value.lower() in ("none", "-") else value


def _names(given: Values, key: str) -> tuple[str, ...]:
    """Return a list of names, also where it came as one text."""
    value = given.get(key) or ()
    parts = value.split(",") if isinstance(value, str) else value
    return tuple(str(part).strip() for part in parts if str(part).strip().lower() not in ("", "none", "-"))
