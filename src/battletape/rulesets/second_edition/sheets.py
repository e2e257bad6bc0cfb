"""What can be printed: squad and weapon cards, every table, and markers, templates and bases in their true size."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from battletape import sheets
from battletape.cards import ProfileBook
from battletape.rulebook import capital, listed, plain, plural, replace
from battletape.rulesets.second_edition.profiles.book import armour_numbers, book
from battletape.rulesets.second_edition.profiles.types import UnitProfile, WeaponProfile
from battletape.rulesets.second_edition.questions._inputs import AimedInputs, TargetInputs, WeaponInputs, model_of
from battletape.rulesets.second_edition.questions.burning import BurningInputs
from battletape.rulesets.second_edition.questions.force_weapon import ForceWeaponInputs
from battletape.rulesets.second_edition.questions.grenade import GrenadeInputs
from battletape.rulesets.second_edition.rules import keywords
from battletape.rulesets.second_edition.rules.attack import Model
from battletape.rulesets.second_edition.rules.clouds import half_radius
from battletape.rulesets.second_edition.rules.damage import to_wound_score
from battletape.rulesets.second_edition.rules.grenades import GRENADES_EACH, throw_bands
from battletape.rulesets.second_edition.rules.templates import teardrop_of
from battletape.rulesets.second_edition.rulings import Rulings
from battletape.rulesets.second_edition.tables.printed import printed_tables

if TYPE_CHECKING:
    from battletape.rulesets.second_edition.battle.state import CarriedWeapon, Fighter, State

SQUADS, WEAPONS = "Squad cards", "Weapon cards"
STATS = ("models", "M", "BS", "S", "T", "W", "save", "save, blasts", "field", "aura", "Mastery", "base")
ALWAYS = ("models", "T", "W", "save")
"""What stands on a squad card even where there is none of it."""
CARRIED = ("weapon", "models", "range", "To Hit", "S", "Damage", "save", "special")
MODELS = ("model", "lost", "on fire", "jams", "grenades", "weapons", "now")
WEAPON = ("short", "To Hit", "long", "To Hit", "S", "Damage", "save")
TOUGHNESS = range(1, 11)
WOUNDS = tuple(f"wounds T{toughness}" for toughness in TOUGHNESS)
MOST_BOXES = 120
"""A squad of more wounds than this has a square to write them into instead of boxes to tick."""
CONDITIONS = ("destroyed", "recharging")
RULES = {
    keywords.INCENDIARY: "sets survivors on fire",
    keywords.FORCE: "force weapon: adds Mastery",
    keywords.LINKED: "two fired as one",
    keywords.RECHARGES: "fires every other turn",
}
"""Special rules as a weapon card says them; others stand there by their names."""


# --- squads ----------------------------------------------------------------------------------------------------------


def blank_squads(rulings: Rulings) -> sheets.Cards:
    """Return squad cards to fill in with a pencil."""
    numbers = CARRIED[1:-1]
    columns = tuple(range(1, len(numbers) + 1))
    blocks: tuple[sheets.Block, ...] = (
        sheets.Stats(tuple((name, "") for name in STATS)),
        sheets.Beside((sheets.Ticks("wounds", (10, 10), note="tick what is lost"),), (sheets.Ticks("on fire", (10,)),)),
        sheets.Grid(("weapon and special rules", *numbers), (("",) * (len(numbers) + 1),) * 4, write=columns),
        sheets.Beside(
            (sheets.Ticks("jams", (3,) * 5),),
            (sheets.Ticks("grenades", (GRENADES_EACH,) * 5, note="tick what is thrown"),),
        ),
        sheets.Ruled("notes", 1),
    )
    return sheets.Cards(SQUADS, (sheets.Card("", blocks),) * 2, share=2)


def squad_cards(units: Iterable[UnitProfile], book: ProfileBook, rulings: Rulings) -> sheets.Cards:
    """Return a card for each unit as it begins a battle."""
    return sheets.Cards(SQUADS, tuple(_unit_card(unit, book) for unit in units))


def _unit_card(unit: UnitProfile, book: ProfileBook) -> sheets.Card:
    worn = armour_numbers(book.find("armour", unit.armour)) if unit.armour else {}
    saves = {name: worn[name] for name in ("save", "save_dice", "area_save") if name in worn}
    model = Model(unit.toughness, unit.wounds, field_save=unit.field_save, aura=unit.aura, **saves)
    body = (_inches(unit.move), str(unit.bs), str(unit.strength))
    stats = _numbers(model, unit.models, body, unit.mastery, f"{unit.base:g} mm")
    armed = _arsenal(unit, book)
    blocks = (
        sheets.Stats(stats),
        *_wound_boxes(model, unit.models),
        *_arms(armed, unit.strength),
        sheets.Ruled("notes", 1),
    )
    return sheets.Card(unit.name, blocks, _about(unit.types, unit.armour))


def _arsenal(unit: UnitProfile, book: ProfileBook) -> list[tuple[WeaponProfile, int]]:
    """Return the weapons of a unit with how many models carry them; all models have its grenades."""
    carried = [(book.find("weapon", weapon.name), weapon.models) for weapon in unit.weapons]
    return carried + [(book.find("weapon", name), unit.models) for name in unit.grenades]


def battle_squads(state: State) -> sheets.Cards:
    """Return a card for each unit of a battle: wounds, fires, jams and grenades of every model as they are now."""
    squads: dict[tuple[str, str], list[Fighter]] = {}
    for fighter in state.fighters:
        squads.setdefault((fighter.side, fighter.unit), []).append(fighter)
    return sheets.Cards(SQUADS, tuple(_in_play(state, squad) for squad in squads.values()))


def _in_play(state: State, squad: Sequence[Fighter]) -> sheets.Card:
    first = squad[0]
    standing = [fighter for fighter in squad if not fighter.is_gone]
    count = f"{len(standing)} of {len(squad)}" if len(standing) < len(squad) else str(len(squad))
    body = (_inches(first.move), str(first.bs), str(first.strength))
    stats = _numbers(first.model, count, body, first.mastery, f"{2 * first.radius * sheets.INCH:.4g} mm")
    bearers: dict[str, tuple[WeaponProfile, int]] = {}
    for fighter in squad:
        for carried_weapon in fighter.weapons:
            bears = not fighter.is_gone and not carried_weapon.state.destroyed and carried_weapon.grenades_left != 0
            bearers[carried_weapon.name] = (
                carried_weapon.weapon,
                bearers.get(carried_weapon.name, (carried_weapon.weapon, 0))[1] + bears,
            )
    rows = tuple(_row(weapon, models, first.strength) for weapon, models in bearers.values())
    blocks: list[sheets.Block] = [sheets.Stats(stats)]
    blocks += [sheets.Grid(CARRIED, rows)] if rows else []
    blocks.append(sheets.Grid(MODELS, tuple(_model_row(state, fighter) for fighter in squad), write=(1, 2, 3, 4)))
    return sheets.Card(first.unit, tuple(blocks), _about(first.model.types), first.side, not standing)


def _model_row(state: State, fighter: Fighter) -> tuple[str, ...]:
    from battletape.rulesets.second_edition.battle.show import notes_of, weapon_of

    lost = (
        fighter.condition.vehicle_hits if fighter.model.is_vehicle else fighter.model.wounds - fighter.condition.wounds
    )
    grenades = [
        str(carried_weapon.grenades_left)
        for carried_weapon in fighter.weapons
        if carried_weapon.grenades_left is not None
    ]
    jams = sum(carried_weapon.state.jams for carried_weapon in fighter.weapons if not carried_weapon.state.destroyed)
    return (
        fighter.name,
        str(lost or ""),
        "×" if fighter.is_burning else "",
        str(jams or ""),
        " + ".join(grenades),
        "; ".join(weapon_of(weapon, fighter.use_of(weapon.name)) for weapon in fighter.weapons) or "-",
        "; ".join(notes_of(state, fighter)) or "-",
    )


def question_squads(inputs: Any, book: ProfileBook, rulings: Rulings) -> sheets.Cards | None:
    """Return the target of a question with its numbers and losses, and its attacker."""
    if not isinstance(inputs, TargetInputs):
        return None
    model = model_of(inputs)
    unit = book.find("unit", inputs.unit) if inputs.unit else None
    body = (_inches(unit.move), str(unit.bs), str(unit.strength)) if unit else ("", "", "")
    models = _count(inputs)
    lit = isinstance(inputs, BurningInputs) and inputs.lit == "burning"
    hurts = _wound_boxes(model, models, getattr(inputs, "lost", 0), int(lit))
    armed = _arms(_arsenal(unit, book), unit.strength) if unit else ()
    blocks = (sheets.Stats(_numbers(model, models, body)), *hurts, *armed, sheets.Ruled("notes", 1))
    cards = [sheets.Card(inputs.unit, blocks, _about(model.types, inputs.armour))]
    attacker = getattr(inputs, "shooter", "") or getattr(inputs, "wielder", "")
    cards += [_unit_card(book.find("unit", attacker), book)] if attacker else []
    return sheets.Cards(SQUADS, tuple(cards))


def _count(inputs: Any) -> int:
    """Return how many models a question is about."""
    models = getattr(inputs, "models", 1)
    if isinstance(models, int):
        return models + len(getattr(inputs, "apart", ()))
    enemies: int = sum(placed.side == "enemy" for placed in models)
    return max(1, enemies)


def _numbers(
    model: Model, models: int | str, body: tuple[str, str, str], mastery: int = 0, base: str = ""
) -> tuple[tuple[str, str], ...]:
    dice = " on 2D6" if model.save is not None and model.save_dice == "2d6" else ""
    toughness, wounds = ("-", "-") if model.is_vehicle else (str(model.toughness), str(model.wounds))
    saves = (f"{_save(model.save)}{dice}", *map(_save, (model.area_save, model.field_save, model.aura)))
    values = (str(models), *body, toughness, wounds, *saves, str(mastery or "-"), base or "-")
    pairs = zip(STATS, values, strict=True)
    return tuple((name, value) for name, value in pairs if name in ALWAYS or value not in ("", "-"))


def _wound_boxes(model: Model, models: int, lost: int = 0, burning: int = 0) -> list[sheets.Block]:
    """Return boxes for wounds and fires, or for the hits on a vehicle, which armour penetration takes."""
    if model.is_vehicle:
        return [sheets.Ticks("hits", (10,), note="for armour penetration (SE-96)")]
    total = models * model.wounds
    note = f"{lost} of {total:,} lost" if lost else "tick what is lost"
    if total > MOST_BOXES:
        fires = sheets.Square("on fire", f"of {plural(models, 'model')}", str(burning or ""))
        return [sheets.Squares((sheets.Square("wounds lost", f"of {total:,}", str(lost or "")), fires))]
    groups = (model.wounds,) * models if model.wounds > 1 else (models,)
    return [
        sheets.Beside((sheets.Ticks("wounds", groups, lost, note),), (sheets.Ticks("on fire", (models,), burning),))
    ]


def _arms(armed: Sequence[tuple[WeaponProfile, int]], strength: int) -> list[sheets.Block]:
    """Return the weapons of a squad, and boxes for the jams and the grenades of each."""
    blocks: list[sheets.Block] = []
    if armed:
        blocks.append(sheets.Grid(CARRIED, tuple(_row(weapon, models, strength) for weapon, models in armed)))
    tracks = []
    for weapon, models in armed:
        boxes = _most_jams(weapon) or (GRENADES_EACH if weapon.grenade else 0)
        if boxes and boxes * models <= MOST_BOXES:
            title = weapon.name if weapon.grenade else f"jams: {weapon.name}"
            note = "tick what is thrown" if weapon.grenade else ""
            tracks.append(sheets.Ticks(title, (boxes,) * models, note=note))
    pairs = (
        sheets.Beside(tuple(tracks[index : index + 1]), tuple(tracks[index + 1 : index + 2]))
        for index in range(0, len(tracks), 2)
    )
    return [*blocks, *pairs]


def _row(weapon: WeaponProfile, models: int, strength: int) -> tuple[str, ...]:
    short, far = _reach(weapon, strength)
    near, long = _to_hit(weapon)
    reach = far if short == far else f"{short} / {far}"
    aim = near if near == long else f"{near} / {long}"
    return (weapon.name, str(models), reach, aim, *_harm(weapon), "; ".join(_special(weapon)) or "-")


def _about(types: Sequence[str], armour: str = "") -> str:
    return " · ".join([*map(capital, types), *([f"{armour} armour"] if armour else [])])


def _save(number: int | None) -> str:
    return f"{number}+" if number is not None else "-"


# --- weapons ---------------------------------------------------------------------------------------------------------


def blank_weapons(rulings: Rulings) -> sheets.Cards:
    """Return weapon cards to fill in with a pencil."""
    blocks: tuple[sheets.Block, ...] = (
        sheets.Stats(tuple((name, "") for name in WEAPON)),
        sheets.Stats(tuple((name, "") for name in WOUNDS)),
        _condition((*_jam_boxes(3, 0), *map(sheets.Box, CONDITIONS))),
        sheets.Ruled("special", 1),
    )
    return sheets.Cards(WEAPONS, (sheets.Card("", blocks),) * 3, share=3)


def weapon_cards(weapons: Iterable[WeaponProfile], book: ProfileBook, rulings: Rulings) -> sheets.Cards:
    """Return a card for each weapon: its numbers, what it needs to wound, and boxes for what may befall it."""
    cards = (
        sheets.Card(
            weapon.name,
            (*_weapon_blocks(weapon, rulings), *_befalls(weapon), *_ours(weapon), sheets.Ruled("carried by", 1)),
        )
        for weapon in weapons
    )
    return sheets.Cards(WEAPONS, tuple(cards))


def battle_weapons(state: State) -> sheets.Cards:
    """Print a card for each kind of weapon on each side, with all models that carry it: jams, grenades, losses."""
    bearers: dict[tuple[str, WeaponProfile], list[tuple[Fighter, CarriedWeapon]]] = {}
    for fighter in state.fighters:
        for carried_weapon in fighter.weapons:
            bearers.setdefault((fighter.side, carried_weapon.weapon), []).append((fighter, carried_weapon))
    cards = []
    for (side, weapon), carried in bearers.items():
        jams = weapon.sustained or any(carried_weapon.state.jams for _, carried_weapon in carried)
        track = ("left",) if weapon.grenade else ("jams",) if jams else ()
        rows = tuple(
            (*_bearer(fighter, carried_weapon)[: 2 + len(track)], _now(fighter, carried_weapon))
            for fighter, carried_weapon in carried
        )
        gone = all(
            fighter.is_gone or carried_weapon.state.destroyed or carried_weapon.grenades_left == 0
            for fighter, carried_weapon in carried
        )
        strengths = {fighter.strength for fighter, _ in carried}
        thrower = strengths.pop() if len(strengths) == 1 else None
        bearing = sheets.Grid(("model", "unit", *track, "now"), rows, write=(2,) if track else ())
        blocks = (*_weapon_blocks(weapon, state.rulings, thrower), bearing)
        cards.append(sheets.Card(weapon.name, blocks, side=side, gone=gone))
    return sheets.Cards(WEAPONS, tuple(cards))


def _bearer(fighter: Fighter, carried_weapon: CarriedWeapon) -> tuple[str, str, str]:
    """Name the models with a weapon, and its jams or the grenades left."""
    return (
        fighter.name,
        fighter.unit,
        str(carried_weapon.state.jams or "")
        if carried_weapon.grenades_left is None
        else str(carried_weapon.grenades_left),
    )


def _now(fighter: Fighter, carried_weapon: CarriedWeapon) -> str:
    """Return what has become of a weapon."""
    if fighter.is_gone:
        return "out of the battle"
    words = [
        word
        for word, is_so in zip(CONDITIONS, (carried_weapon.state.destroyed, carried_weapon.state.cooling), strict=True)
        if is_so
    ]
    return ", ".join([*words, *filter(None, [fighter.use_of(carried_weapon.name)])]) or "-"


def question_weapons(inputs: Any, book: ProfileBook, rulings: Rulings) -> sheets.Cards | None:
    """Return the weapon of a question with the numbers that it was asked with."""
    if not isinstance(inputs, (WeaponInputs, ForceWeaponInputs)) or not (
        inputs.weapon or isinstance(inputs, AimedInputs)
    ):
        return None
    profile = book.find("weapon", inputs.weapon) if inputs.weapon else WeaponProfile()
    asked = {name: getattr(inputs, name) for name in WeaponProfile.__struct_fields__ if hasattr(inputs, name)}
    thrown = profile.grenade or isinstance(inputs, GrenadeInputs)
    weapon = replace(profile, **{**asked, "grenade": thrown})
    befalls = _befalls(weapon, getattr(inputs, "jams", 0), getattr(inputs, "carried", GRENADES_EACH))
    thrower = getattr(inputs, "throw_strength", None)
    blocks = (*_weapon_blocks(weapon, rulings, thrower), *befalls, *_ours(profile), sheets.Ruled("notes", 1))
    return sheets.Cards(WEAPONS, (sheets.Card(profile.name, blocks),))


def _weapon_blocks(weapon: WeaponProfile, rulings: Rulings, thrower: int | None = None) -> list[sheets.Block]:
    """Return the numbers of a weapon, its special rules in words, and the row of the wound chart for its Strength."""
    short, far = _reach(weapon, thrower)
    near, long = _to_hit(weapon)
    stats = tuple(zip(WEAPON, (short, near, far, long, *_harm(weapon)), strict=True))
    blocks: list[sheets.Block] = [sheets.Stats(stats)]
    special = _special(weapon)
    blocks += [sheets.Notes("special", tuple(special))] if special else []
    if weapon.strength is not None and not keywords.is_force_weapon(weapon):
        needs = (to_wound_score(weapon.strength, toughness, rulings) for toughness in TOUGHNESS)
        shown = ("-" if need is None else f"{need}+" for need in needs)
        blocks.append(sheets.Stats(tuple(zip(WOUNDS, shown, strict=True))))
    return blocks


def _reach(weapon: WeaponProfile, strength: int | None) -> tuple[str, str]:
    """Return where short and long range end; a grenade is thrown as far as the Strength of the thrower allows."""
    if weapon.template is not None:
        return "template", "template"
    if keywords.is_force_weapon(weapon):
        return "-", "-"
    if not weapon.grenade:
        return _inches(weapon.short_range), _inches(weapon.long_range)
    if strength is None and not weapon.long_range:
        return "by S", "by S"
    short, far = throw_bands(strength or 0, weapon.short_range, weapon.long_range)
    return _inches(short), _inches(far)


def _to_hit(weapon: WeaponProfile) -> tuple[str, str]:
    if weapon.template is not None or keywords.is_force_weapon(weapon):
        return "-", "-"
    return _signed(weapon.to_hit_short), _signed(weapon.to_hit_long)


def _harm(weapon: WeaponProfile) -> tuple[str, str, str]:
    """Write Strength, Damage and save modifier; a weapon without Strength is harmless, a force weapon adds to it."""
    if weapon.strength is None and not keywords.is_force_weapon(weapon):
        return "-", "-", "-"
    strength = "user" if weapon.strength is None else str(weapon.strength)
    return strength, weapon.damage, _signed(weapon.save_modifier)


def _special(weapon: WeaponProfile) -> list[str]:
    """Return the special rules of a weapon, in a few words each."""
    words = [f'blast {weapon.blast:g}"'] if weapon.blast is not None else []
    words += [f"{weapon.template} flamer template"] if weapon.template else []
    words += (
        [f"Sustained Fire, {weapon.sustained} {'die' if weapon.sustained == 1 else 'dice'}"] if weapon.sustained else []
    )
    words += {"none": [], "cloud": ["leaves a cloud"], "plasma": ["leaves a plasma ball"]}[weapon.remains]
    rules = {name: RULES.get(name, plain(name)) for name in keywords.rules_of(weapon)}
    words += [rules.pop(name) for name in (keywords.INCENDIARY, keywords.FORCE) if name in rules]
    words += [f"explodes on {weapon.explodes_on} jams at once"] if weapon.explodes_on else []
    return [*words, *rules.values()]


def _befalls(weapon: WeaponProfile, jams: int = 0, grenades: int = GRENADES_EACH) -> list[sheets.Block]:
    """Return boxes for what may befall a weapon in a battle."""
    if weapon.grenade:
        return [sheets.Ticks("grenades", (grenades,), note="tick what is thrown")]
    breaks = weapon.blast is not None or weapon.explodes_on is not None
    boxes = [*_jam_boxes(max(_most_jams(weapon), jams), jams)]
    boxes += [
        sheets.Box(name)
        for name, may in zip(CONDITIONS, (breaks, keywords.gun_of(weapon).recharges), strict=True)
        if may
    ]
    return [_condition(boxes)] if boxes else []


def _condition(boxes: Sequence[sheets.Box]) -> sheets.Boxes:
    by = {"destroyed": "SE-48", "recharging": "SE-111"}.get(boxes[0].words, "SE-108")
    return sheets.Boxes("condition", tuple(boxes), by)


def _jam_boxes(count: int, jams: int) -> tuple[sheets.Box, ...]:
    return tuple(sheets.Box(f"jam {number}", number <= jams) for number in range(1, count + 1))


def _most_jams(weapon: WeaponProfile) -> int:
    """Return how many jams one burst may bring: one for each of its dice, and linked weapons roll the dice of both."""
    gun = keywords.gun_of(weapon)
    return gun.dice * gun.weapons if weapon.sustained else 0


def _ours(weapon: WeaponProfile) -> tuple[sheets.Block, ...]:
    return (sheets.Notes("ours, not from a source", (listed([plain(name) for name in weapon.ours]),)),) * bool(
        weapon.ours
    )


def _inches(number: float) -> str:
    return f'{number:g}"'


def _signed(number: int) -> str:
    return f"{number:+d}" if number else "0"


# --- tables and templates ---------------------------------------------------------------------------------------------


def reference(rulings: Rulings) -> sheets.Reference:
    """Return every table of the system."""
    return sheets.Reference("Quick reference", tuple(sheets.printed(table) for table in printed_tables()))


def markers(rulings: Rulings) -> sheets.Shapes:
    """Print a marker of every radius that weapons have or clouds shrink to, the templates, and rulers."""
    return book_markers(book(), rulings)


def book_markers(profiled: ProfileBook, rulings: Rulings) -> sheets.Shapes:
    """Return the shapes to print for these profiles: markers, templates and rulers."""
    profiles = profiled.entries
    radii = {weapon.blast for weapon in profiles["weapon"].values() if weapon.blast is not None}
    clouds = [weapon.blast for weapon in profiles["weapon"].values() if weapon.remains == "cloud"]
    while clouds:
        radii |= set(clouds)
        clouds = [smaller for radius in clouds if (smaller := half_radius(radius))]
    flames = []
    for template in sorted(profiles["template"].values(), key=lambda template: template.length):
        drop = teardrop_of(template)
        flames.append(sheets.any_drop(drop.to_disc + drop.radius, 2 * drop.radius, f"{capital(template.name)} flamer"))
    discs = tuple(sheets.any_blast(radius, f'Blast {radius:g}"') for radius in sorted(radii))
    # in the order that leaves least of the paper empty
    shapes: tuple[sheets.Shape, ...] = (
        *discs[:-1],
        *flames[:1],
        *discs[-1:],
        sheets.Compass("Scatter", 80.0),
        *flames[1:],
        *sheets.STICKS,
        *sheets.BASES,
    )
    return sheets.Shapes("Markers and templates", shapes)


SHEETS = (
    sheets.Sheet(
        "squad_cards",
        SQUADS,
        "A card for each unit: its numbers, armour and saves, its weapons, boxes for wounds, fires, jams and grenades.",
        blank_squads,
        squad_cards,
        ("unit",),
        battle_squads,
        question_squads,
    ),
    sheets.Sheet(
        "weapon_cards",
        WEAPONS,
        "A card for each weapon: ranges, To Hit, Strength, Damage, save modifier, special rules, and what befalls it.",
        blank_weapons,
        weapon_cards,
        ("weapon",),
        battle_weapons,
        question_weapons,
    ),
    sheets.Sheet("reference", "Quick reference", "Every table of the system, with the ids of the rules.", reference),
    sheets.Sheet(
        "markers",
        "Markers and templates",
        "Blasts of every radius, the three flamer templates, a scatter compass, range sticks and bases, to cut out.",
        markers,
        of_book=book_markers,
    ),
)
