"""Tables worked out from the rules: what each kind may do at each speed, and in each condition."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from battletape.cards import Table
from battletape.rulebook import Refused, odds_of, plain, replace
from battletape.rulesets.vehicles5.rules import assault, firing, movement, shooting, transports
from battletape.rulesets.vehicles5.rules.damage import Condition, penetrate
from battletape.rulesets.vehicles5.rules.traits import BANDS, Band, PenDice, Traits
from battletape.rulesets.vehicles5.rulings import DEFAULT, Rulings
from battletape.rulesets.vehicles5.tables import printed

KINDS: Mapping[str, Traits] = {
    "ordinary, tank": Traits(tank=True),
    "skimmer": Traits(tank=True, skimmer=True),
    "fast": Traits(fast=True),
    "fast skimmer": Traits(fast=True, skimmer=True),
    "walker": Traits(walker=True),
}
TANK = movement.Situation(Traits(tank=True), Condition(), passengers=1, fire_points=1, smoke_launchers=True)
CONDITIONS: Mapping[str, movement.Situation] = {
    "unharmed": TANK,
    "shaken": replace(TANK, condition=Condition(shaken=True)),
    "stunned": replace(TANK, condition=Condition(stunned=True)),
    "immobilised": replace(TANK, condition=Condition(immobilised=True)),
    "smoke this turn": replace(TANK, smoke_this_turn=True),
    "tank shock this turn": replace(TANK, band="combat", declared="tank_shock"),
    "ram this turn": replace(TANK, band="cruising", declared="ram"),
    "a unit got out after its move": replace(TANK, band="combat", unit_left=True),
    "wrecked": replace(TANK, condition=Condition(status="wrecked")),
    "exploded": replace(TANK, condition=Condition(status="exploded")),
}


def printed_tables(rulings: Rulings = DEFAULT) -> tuple[Table, ...]:
    """Return every table of the system."""
    worked_out = (steps_table(rulings), speed_table(rulings), condition_table(rulings), penetration_table())
    return printed.printed_tables() + worked_out


def steps_table(rulings: Rulings) -> Table:
    """Return the steps of shooting at a vehicle."""
    rows = tuple((str(number), _STEPS[step]) for number, step in enumerate(shooting.shooting_steps(rulings), 1))
    return Table("Shooting at a vehicle", ("step", "what is done"), rows, "V5-SHOT-10")


_STEPS = {
    "target": "choose the target, see who is in range and sight",
    "facing_and_to_hit": "find the facing of each firer, roll to hit",
    "note_av": "note the armour value of that facing",
    "penetration": "roll for penetration: dice and strength against armour",
    "cover_save": "roll cover saves, if there is cover",
    "damage": "roll on the damage table, once for each glance or penetration",
}


def speed_table(rulings: Rulings = DEFAULT) -> Table:
    """Return what each kind of vehicle may do at each speed, unharmed and with passengers."""
    head = ("kind", "speed", "inches", "on a road", "fires", "as a barrage", "passengers", "get out", "hit on", "cover")
    speeds = [(kind, band) for kind, top in KINDS.items() for band in BANDS[: BANDS.index(movement.top_band(top)) + 1]]
    rows = tuple((kind, plain(band), *_at_speed(KINDS[kind], band, rulings)) for kind, band in speeds)
    return Table("What each kind may do at each speed", head, rows, "V5-FIRE-5")


def _at_speed(traits: Traits, band: Band, rulings: Rulings) -> Iterator[str]:
    situation = movement.Situation(traits, Condition(), band, passengers=1, fire_points=1, rulings=rulings)
    mode = firing.fire_mode(situation)
    way = transports.exit_by_choice(situation)
    cover = shooting.best_cover(traits, band, situation.condition, False, None, rulings)
    yield from (f"{movement.max_inches(traits, road, band, rulings):g}" for road in (False, True))
    yield from (printed.FIRE_WORDS[mode.mode], _yes(mode.as_stationary))
    if traits.walker:
        yield from ("-", "-", "by WS")
    else:
        yield "no" if not transports.shooters(situation)[0] else "yes" if band == "stationary" else "as moving"
        out = not isinstance(way, Refused) and ("and assault" if way.may_assault else "assault if open-topped")
        yield out or "no"
        yield printed.format_to_hit(assault.vehicle_to_hit(band, False))
    yield printed.format_to_hit(cover) if cover else "-"


def condition_table(rulings: Rulings = DEFAULT) -> Table:
    """Return what a tank with passengers may do in each condition."""
    head = ("condition", "drive", "turn", "fire", "smoke", "tank shock, ram", "passengers shoot", "get out")
    rows = []
    for name, given in CONDITIONS.items():
        situation = replace(given, rulings=rulings)
        drive = _yes(movement.refuse_move_now("move", situation) is None)
        turn = _yes(movement.refuse_move_now("pivot", situation) is None)
        ram = _yes(movement.refuse_move_now("ram", situation) is None)
        fires = printed.FIRE_WORDS[firing.fire_mode(situation).mode]
        smokes = _yes(not movement.refuse_smoke(situation, at_once=False))
        shoot = "-" if situation.unit_left else _yes(transports.shooters(situation)[0] > 0)
        way_out = "-" if situation.unit_left else _yes(not isinstance(transports.exit_by_choice(situation), Refused))
        leave = "forced" if situation.condition.is_destroyed else way_out
        rows.append((name, drive, turn, fires, smokes, ram, shoot, leave))
    return Table("What a tank may do in each condition", head, tuple(rows), "V5-FIRE-5")


def penetration_table() -> Table:
    """Return glance and penetration, by armour over strength."""
    head = ("armour over strength", *(f"{words}: glance, penetrate" for words in printed.DICE_WORDS.values()))
    rows = tuple((str(gap), *(_chances(dice, gap) for dice in printed.DICE_WORDS)) for gap in range(13))
    return Table("Penetration", head, rows, "V5-PEN-3")


def _chances(dice: PenDice, gap: int) -> str:
    odds = odds_of(penetrate, "", dice, gap)
    return f"{odds.chance('glance')}, {odds.chance('penetrate')}"


def _yes(allowed: bool) -> str:
    return "yes" if allowed else "no"
