"""The question `shoot`: what the shooting of a unit does to another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from battletape.cards import Measure, ProfileBook, Question, Table, asked
from battletape.rulebook import Caution, Refused, clause
from battletape.rulesets.diceless40k.questions import _inputs
from battletape.rulesets.diceless40k.questions.casualties import CASUALTIES_LEAD, casualties_ranks, losses_headline
from battletape.rulesets.diceless40k.rules import shooting as shooting_rules
from battletape.rulesets.diceless40k.rules.characteristics import ACUTE_SENSES, groups_of
from battletape.rulesets.diceless40k.rules.morale import must_check
from battletape.rulesets.diceless40k.rules.weapons import GETS_HOT
from battletape.rulesets.diceless40k.rulings import Rulings

if TYPE_CHECKING:
    from battletape.answer import Answer


class ShootInputs(_inputs.ShootingInputs, frozen=True):
    """A unit that shoots, and its target."""

    hot_tokens: int = asked(0, "Gets hot! tokens of the target's player", "DL-31.2", group="circumstances", ge=0, le=50)
    night: bool = asked(False, "Night fighting", "DL-95.8", group="circumstances", form="circumstance", short="Night")
    acute_senses: bool = asked(False, "The shooters have acute senses", "DL-75.4", group="attacker")


@clause("DL-19.1", "DL-19.2", "DL-95.8")
def begin_shoot(inputs: ShootInputs, rulings: Rulings) -> shooting_rules.Shooting:
    """Return all weapons ready to be fired; what may not fire is refused with the reason."""
    if inputs.night and inputs.distance > shooting_rules.night_sight(inputs.acute_senses):
        sight = shooting_rules.night_sight(inputs.acute_senses)
        raise Refused(
            f"at night they see {sight} inches, and the target is {inputs.distance:.4g} away", "DL-95.8", "sight"
        )
    target = _inputs.target_of(inputs, rulings)
    aims, firers = _inputs.aims_of(inputs.guns, target, inputs.distance, inputs.moved, rulings, bool(inputs.shooters))
    return shooting_rules.Shooting(rulings, aims, target, firers, inputs.hot_tokens)


def shoot_headline(answer: Answer) -> str:
    """Say DMG, HP, and the casualties."""
    return losses_headline(answer, answer.start.target)


def fill_shoot(given: Mapping[str, Any], book: ProfileBook) -> dict[str, Any]:
    """Fill in profiles of the target, the shooters and every weapon."""
    filled = _inputs.fill_troops(_inputs.fill_guns(given, book), book)
    if filled.get("shooters"):
        groups = groups_of(book.find("unit", filled["shooters"]))
        filled.setdefault("acute_senses", all(ACUTE_SENSES in group.rules for group in groups))
    return filled


def table(inputs: ShootInputs, rulings: Rulings) -> Table | None:
    """Show the cells of Table 1 that the packets are looked up in."""
    return _inputs.saves_used(shooting_rules.SHOOTING, begin_shoot(inputs, rulings))


def warn_shoot(inputs: ShootInputs, rulings: Rulings) -> Iterable[str | Caution]:
    """Warn of what is unusual."""
    yield from _inputs.warn_troops(inputs)
    yield from _inputs.warn_artillery(inputs.unit, inputs.unit_type)
    shooting = begin_shoot(inputs, rulings)
    fired = {aim.name for aim in shooting.aims}
    for aim in shooting.aims:
        if aim.is_area:
            yield from _inputs.warn_hits(aim, shooting.target)
    for gun in inputs.guns:
        yield from _inputs.warn_range(gun.weapon or "A gun", gun.type, gun.range, rulings)
        if gun.weapon and gun.weapon not in fired:
            yield Caution(f"{gun.weapon} may not fire at this distance, or after a move, and is left out", "DL-0.1")
        elif inputs.shooters and gun.marker != "none":
            yield Caution(
                f"{gun.weapon} is taken to hit one model with each marker; say how many lie under it", "DL-30.8"
            )
    if inputs.hot_tokens and not any(GETS_HOT in gun.rules for gun in inputs.guns):
        yield Caution("No weapon here gets hot!, so the tokens cannot be played", "DL-31.2")


def _range_bonus(shooting: shooting_rules.Shooting) -> int:
    return max(
        (
            shooting_rules.heavy_range_bonus(aim.range, aim.distance, aim.rulings)
            for aim in shooting.aims
            if aim.type == "heavy"
        ),
        default=0,
    )


def _tests(shooting: shooting_rules.Shooting) -> int:
    return int(must_check(shooting.target.models + shooting.target.removed, shooting.target.removed))


SHOOT = Question(
    "shoot",
    "What does shooting do to a unit?",
    ShootInputs,
    begin_shoot,
    shooting_rules.SHOOTING,
    (
        *shooting_rules.MEASURES,
        Measure(
            "recorded",
            "Damage recorded afterwards",
            lambda shot: sum(group.recorded for group in shot.target.groups),
            "HP",
        ),
        Measure(
            "after_save",
            "HP that the saves let through",
            lambda shot: shot.target.losses.after_save,
            "HP",
        ),
        Measure("tests", "A morale test at the end of the phase", _tests),
        Measure("pins", "A pinning test", lambda shot: int(shooting_rules.is_pinned_down(shot))),
        Measure(
            "bs", "Highest BS that counts", lambda shot: max(shooting_rules.bs_used(aim) for aim in shot.aims), "BS"
        ),
        Measure("range_bonus", "What range adds to BS", _range_bonus, "BS"),
        Measure(
            "shots",
            "Shots that count",
            lambda shot: sum(shooting_rules.shots_counted(aim) for aim in shot.aims if not aim.is_area),
            "shots",
        ),
        Measure(
            "firer_dmg",
            "DMG of gets hot! tokens",
            lambda shot: shot.firer_losses.dmg,
            "DMG",
            usual=lambda shot: shot.hot_tokens > 0,
            low_for=("attacker",),
        ),
        Measure(
            "firer_hp_lost",
            "HP that come through to the firers",
            lambda shot: shot.firer_losses.hp,
            "HP",
            usual=lambda shot: shot.hot_tokens > 0,
            low_for=("attacker",),
        ),
        Measure(
            "firer_hp",
            "HP that the firers lose to them",
            lambda shot: shot.firer_losses.hp_removed,
            "HP",
            usual=lambda shot: shot.hot_tokens > 0,
            low_for=("attacker",),
        ),
        Measure(
            "firers_dead",
            "Firers who die of them",
            lambda shot: shot.firer_losses.removed,
            "models",
            usual=lambda shot: shot.hot_tokens > 0,
            low_for=("attacker",),
        ),
    ),
    shoot_headline,
    fill=fill_shoot,
    table=table,
    warn=warn_shoot,
    example={"shooters": "Space Marines", "unit": "Ork Boyz", "distance": 12},
    small={
        "guns": [{"models": 4, "ap": 5, "type": "rapid_fire"}, {"strength": 9, "ap": 2, "type": "heavy", "range": 48}],
        "distance": 18,
        "models": 10,
        "armour": 3,
    },
    rulings=(*_inputs.GUN_RULINGS, *_inputs.TROOP_RULINGS),
    lead=CASUALTIES_LEAD,
    ranks=casualties_ranks,
)
