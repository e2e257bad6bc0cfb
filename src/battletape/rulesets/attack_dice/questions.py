"""What a player can ask: attack (one profile), volley (several, in order), chart (look up or browse)."""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta

from battletape.clauses import clause
from battletape.errors import BadInput
from battletape.inputs import Inputs, parse_pairs, split_entries
from battletape.procedure import Procedure, with_keywords
from battletape.rulesets.attack_dice import words
from battletape.rulesets.attack_dice.attack import LOOK_UP, LOOK_UP_BARE, Mark, Shot, Strike
from battletape.rulesets.attack_dice.damage import all_hp, all_models, casualties, is_single, make_ranks, standing
from battletape.rulesets.attack_dice.keywords import keywords_of, misspelt, sequence
from battletape.rulesets.attack_dice.melee import Facing, Situation, idle_inputs, refuse_target
from battletape.rulesets.attack_dice.profiles import Save, fill_unit, fill_weapon, unusual
from battletape.rulesets.attack_dice.rulings import Rulings
from battletape.system import Measure, Question


def _meta(group: str, title: str, **more: Any) -> Any:
    form: dict[str, Any] = {key: more.pop(key) for key in ("unit",) if key in more}
    return Meta(title=title, extra={"group": group, **form}, **more)


# What several questions take, described once; a base class cannot be shared, because of the order of the fields.
WeaponName = Annotated[str, _meta("attacker", "Weapon profile")]
AttackDice = Annotated[int, _meta("attacker", "Attack dice of one model", ge=1, le=1000)]
Bearers = Annotated[int, _meta("attacker", "Models that fire", ge=1, le=1000)]
Power = Annotated[int, _meta("attacker", "Power", ge=0, le=100)]
PowerBonus = Annotated[int, _meta("attacker", "Bonus to Power", ge=-100, le=100)]
Ap = Annotated[Save | None, _meta("attacker", "AP")]
WeaponClass = Annotated[str, _meta("attacker", "Weapon class")]
Range = Annotated[Annotated[int, Meta(ge=0, le=500)] | None, _meta("attacker", "Range", unit="inches")]
Defence = Annotated[int, _meta("target", "Defence", ge=0, le=100)]
DefenceBonus = Annotated[int, _meta("target", "Bonus to Defence", ge=-100, le=100)]


class Around(Inputs, frozen=True):
    """The circumstances every question shares."""

    attacker_melee: Annotated[str, _meta("circumstances", "Melee the attacker is in")] = ""
    target_melee: Annotated[str, _meta("circumstances", "Melee the target is in")] = ""
    friend_in_target_melee: Annotated[bool, _meta("circumstances", "A friend is in the target's Melee")] = False
    embarked: Annotated[bool, _meta("circumstances", "The attacker fires from a transport")] = False
    facing: Annotated[Facing, _meta("circumstances", "Side attacked (with the facing rule)")] = "none"
    cover_stat: Annotated[Literal["defence", "armour"], _meta("circumstances", "What cover improves")] = "defence"
    cover: Annotated[int, _meta("circumstances", "Cover bonus", ge=0, le=15)] = 0
    modifier: Annotated[int, _meta("circumstances", "Other Dice Modifiers", ge=-20, le=20)] = 0


class Aimed(Around, frozen=True):
    """A target, and how far away it is."""

    unit: Annotated[str, _meta("target", "Unit profile")] = ""
    models: Annotated[int, _meta("target", "Models", ge=1, le=1000)] = 5
    hp: Annotated[int, _meta("target", "HP of each model", ge=1, le=1000)] = 1
    others: Annotated[
        tuple[Annotated[int, Meta(ge=1, le=1000)], ...], _meta("target", "HP of further models, lost last")
    ] = ()
    lost: Annotated[int, _meta("target", "HP already lost", ge=0, le=1_000_000)] = 0
    defence: Defence = 4
    defence_bonus: DefenceBonus = 0
    armour: Annotated[Save | None, _meta("target", "Armour Save")] = None
    aegis: Annotated[Save | None, _meta("target", "AEGIS Save")] = None
    distance: Annotated[
        Annotated[int, Meta(ge=0, le=1000)] | None, _meta("circumstances", "Distance", unit="inches")
    ] = None
    line_of_sight: Annotated[bool, _meta("circumstances", "Line of sight")] = True


class Attack(Aimed, frozen=True):
    """One weapon profile against one unit."""

    weapon: WeaponName = ""
    attacks: AttackDice = 10
    bearers: Bearers = 1
    power: Power = 4
    power_bonus: PowerBonus = 0
    ap: Ap = None
    weapon_class: WeaponClass = ""
    range: Range = None


class Profile(Inputs, frozen=True):
    """One weapon profile of a volley."""

    weapon: WeaponName = ""
    attacks: AttackDice = 1
    bearers: Bearers = 1
    power: Power = 4
    power_bonus: PowerBonus = 0
    ap: Ap = None
    weapon_class: WeaponClass = ""
    range: Range = None


class Volley(Aimed, frozen=True):
    """Several weapon profiles against one unit, in order."""

    weapons: Annotated[tuple[Profile, ...], _meta("attacker", "Weapon profiles, in firing order")] = (
        Profile(attacks=10),
    )


class Chart(Around, frozen=True):
    """One look at the chart or formula."""

    power: Power = 4
    power_bonus: PowerBonus = 0
    weapon_class: WeaponClass = ""
    defence: Defence = 4
    defence_bonus: DefenceBonus = 0


MOST_DICE = 1_000


@clause("AD-70")
def dice_of(profile: Attack | Profile) -> int:
    """One die for each Attack of each model that fires."""
    dice = profile.attacks * profile.bearers
    if dice > MOST_DICE:
        raise BadInput(
            f"attacks times bearers wants {MOST_DICE:,} dice or fewer in one pool, got {dice:,}.", field="attacks"
        )
    return dice


def situation(inputs: Around) -> Situation:
    """The circumstances of a question as the rules know them."""
    names = [name for name in Situation.__struct_fields__ if hasattr(inputs, name)]
    return Situation(**{name: getattr(inputs, name) for name in names})


def _shot(profile: Attack | Profile, around: Situation) -> Shot:
    power = profile.power + profile.power_bonus
    name = profile.weapon or "the weapon"
    return Shot(dice_of(profile), power, profile.ap, profile.range, 0, around, name, profile.weapon_class)


def _strike(inputs: Aimed, profiles: Iterable[Attack | Profile], rules: Rulings) -> Strike:
    ranks = make_ranks(inputs.models, inputs.hp, inputs.others)
    if inputs.lost >= all_hp(ranks):
        raise BadInput(f"lost wants fewer than the unit's {all_hp(ranks)} HP; got {inputs.lost}.", field="lost")
    left, wounded = standing(ranks, inputs.lost)
    defence, name = inputs.defence + inputs.defence_bonus, inputs.unit or "the target"
    mark = Mark(defence, left, inputs.armour, inputs.aegis, name, wounded, is_single(ranks))
    around = situation(inputs)
    return Strike(rules, (mark,), tuple(_shot(one, around) for one in profiles), (wounded,), (0,))


@clause("AD-68")
def begin_attack(inputs: Attack, rules: Rulings) -> Strike:
    """The attack made ready; a target that may not be attacked is refused with the reason."""
    refused = refuse_target(situation(inputs), inputs.range)
    if refused:
        raise refused
    return _strike(inputs, (inputs,), rules)


@clause("AD-87")
def begin_volley(inputs: Volley, rules: Rulings) -> Strike:
    """The volley made ready; profiles out of range will not fire."""
    if not inputs.weapons:
        raise BadInput("weapons wants one profile or more; got none.", field="weapons")
    return _strike(inputs, inputs.weapons, rules)


@clause("AD-12")
def begin_chart(inputs: Chart, rules: Rulings) -> Strike:
    """A single Attack Die."""
    mark = Mark(inputs.defence + inputs.defence_bonus, ((1, 1),), single=True)
    power = inputs.power + inputs.power_bonus
    shot = Shot(1, power, situation=situation(inputs), weapon_class=inputs.weapon_class)
    return Strike(rules, (mark,), (shot,), (0,), (0,))


def look_up(strike: Strike) -> Procedure:
    """The first half of the sequence, up to the Attack Die; modifiers to the number of dice do not touch the one."""
    if strike.rules.modifier_acts_on == "dice":
        return LOOK_UP_BARE
    return with_keywords(LOOK_UP, keywords_of(strike.shots[0].weapon_class))


def fill_volley(given: Mapping[str, Any], profiles: Any) -> Mapping[str, Any]:
    """Numbers of the named unit and of every named weapon; a bare name will do for a weapon."""
    weapons = given.get("weapons")
    if isinstance(weapons, str) and weapons.strip().lower() not in ("", "-", "none"):
        weapons = split_entries(weapons)
    if isinstance(weapons, (list, tuple)):
        given = {**given, "weapons": [_fill_profile(one, profiles) for one in weapons]}
    return fill_unit(given, profiles)


def _fill_profile(entry: Any, profiles: Any) -> Any:
    if isinstance(entry, str) and not entry.strip():
        raise BadInput("weapons wants the name of a weapon or its numbers; got nothing.", field="weapons")
    if isinstance(entry, str) and "=" in entry:
        return fill_weapon(parse_pairs(entry, "weapons"), profiles)
    if isinstance(entry, str):
        count, _, name = entry.partition(" x ")
        return fill_weapon({"weapon": name, "bearers": count} if name else {"weapon": entry}, profiles)
    return fill_weapon(entry, profiles) if isinstance(entry, Mapping) else entry


@clause("AD-80")
def fallen(strike: Strike) -> int:
    """Models that fell in this attack, of all its targets."""
    return sum(casualties(mark.ranks, lost) for mark, lost in zip(strike.marks, strike.lost, strict=True))


def _hp_lost(strike: Strike) -> int:
    return sum(strike.lost) - sum(mark.wounded for mark in strike.marks)


def _wiped_out(strike: Strike) -> int:
    return int(fallen(strike) == sum(all_models(mark.ranks) for mark in strike.marks))


def _warn(target: Any, weapons: Iterable[Any], rules: Rulings) -> list[str]:
    fired = tuple(weapons)
    powers = [one.power + one.power_bonus for one in fired]
    classes = dict.fromkeys(misspelt(one.weapon_class) for one in fired)
    aimed = isinstance(target, Aimed)
    hp = max(target.hp, *target.others, 0) if aimed else 1
    single = not aimed or is_single(make_ranks(target.models, target.hp, target.others))
    found = unusual(powers, target.defence + target.defence_bonus, hp, rules)
    idle = idle_inputs(situation(target), single, rules)
    return [*found, *(warning for warning in classes if warning), *idle]


CASUALTIES = Measure("casualties", "Models fallen", fallen, "models")
HP_LOST = Measure("hp_lost", "HP lost", _hp_lost, "HP")
DAMAGE = Measure("damage", "HP loss dealt, with overkill", lambda strike: sum(strike.loss), "HP")
WIPED_OUT = Measure("wiped_out", "Unit wiped out", _wiped_out)
SUCCESSES = Measure("successes", "Successes of one Attack", lambda strike: strike.hits * strike.each)

ATTACK = Question(
    "attack",
    "What will an attack do?",
    Attack,
    begin_attack,
    sequence,
    (CASUALTIES, HP_LOST, DAMAGE, WIPED_OUT),
    words.casualties_headline,
    words.narrate,
    fill=lambda given, profiles: fill_unit(fill_weapon(given, profiles), profiles),
    warn=lambda inputs, rules: _warn(inputs, (inputs,), rules),
    example={"attacks": 12, "power": 6, "defence": 4, "armour": 5, "models": 5, "hp": 2},
)
VOLLEY = Question(
    "volley",
    "What will a whole volley do?",
    Volley,
    begin_volley,
    sequence,
    (CASUALTIES, HP_LOST, DAMAGE, WIPED_OUT),
    words.casualties_headline,
    words.narrate,
    fill=fill_volley,
    warn=lambda inputs, rules: _warn(inputs, inputs.weapons, rules),
    example={
        "weapons": [{"attacks": 3, "power": 4}, {"attacks": 1, "power": 9, "ap": 3}],
        "defence": 4,
        "armour": 4,
        "models": 1,
        "hp": 3,
    },
)
CHART = Question(
    "chart",
    "What does an Attack Die need?",
    Chart,
    begin_chart,
    look_up,
    (SUCCESSES,),
    words.chart_headline,
    words.narrate,
    table=lambda inputs, rules: words.chart_table(rules, begin_chart(inputs, rules)),
    warn=lambda inputs, rules: _warn(inputs, (inputs,), rules),
    example={"power": 6, "defence": 4},
)
