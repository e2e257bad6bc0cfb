"""To hit, to wound, to save, and whole attacks with ordinary weapons: the question shoot, and the wound chart."""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from typing import Any

from battletape import NeedAnswer, Odds, Typed, ruleset
from battletape.answer import Answer
from battletape.steps import Step
from tests.vectors.given import Given

SYSTEM = ruleset("second_edition")
STRUCK = ("toughness", "save", "save_dice", "wounds")
RANGES = ("distance", "short_range", "long_range", "to_hit_short", "to_hit_long")
SURE = {"automatic": True, "strength": 10, "toughness": 1}  # one hit that wounds as well as any can
MOST = 100  # wounds that no damage of one hit exceeds


def _text(chance: Fraction) -> str:
    return f"{chance.numerator}/{chance.denominator}"


def _table(odds: Odds[Any]) -> dict[str, str]:
    return {str(value): _text(share) for value, share in odds.fractions().items()}


def _step(asked: Answer, title: str) -> Step | None:
    """The step whose title begins so."""
    return next((step for step in asked.steps if step.title.startswith(title)), None)


def _need(step: Step | None) -> int | None:
    """The number that a step needs; none if there is no such step, or if nothing would do."""
    return None if step is None or step.needed == "-" else int(step.needed.rstrip("+"))


def _chance(asked: Answer, title: str) -> Fraction:
    """The chance of a roll; none if it is not rolled."""
    step = _step(asked, title)
    return Fraction(0) if step is None or step.chance is None else step.chance


def _aim(given: Given) -> dict[str, Any]:
    """The shooter and the modifiers, each in its place."""
    aim: dict[str, Any] = given.only("bs", *RANGES)
    if "modifiers" in given:
        aim["modifier"] = sum(given["modifiers"])
    return aim


def _struck(given: Given) -> dict[str, Any]:
    """A hit and who takes it."""
    damage = {"damage": str(given["damage"])} if "damage" in given else {}
    return given.only("strength", "save_modifier", *STRUCK) | damage


def to_hit(given: Given) -> dict[str, Any]:
    if "rolls" in given:
        need = given["need"]
        return {"hit": [_hits(need, rolls) for rolls in given["rolls"]]}
    asked = SYSTEM.ask("shoot", **_aim(given))
    hit = {"p_hit": _text(asked.odds("hits").at_least(1))}
    if _step(asked, "Out of range"):
        return {"band": "out", **hit}
    step = _step(asked, "To Hit")
    assert step is not None
    band = re.search(r"([+-]\d+) (short|long) range", step.title)
    ranged = {"modifier": int(band[1]), "band": band[2]} if band else {}
    return {"need": _need(step), **ranged, **hit}


def _hits(need: int, rolls: list[int]) -> bool:
    """Whether a shot hits whose dice are typed in; those that nobody asks for stay on the table."""
    for many in range(len(rolls) + 1):
        try:
            made = SYSTEM.roll("shoot", need=need, strength="none", tape=Typed([str(face) for face in rolls[:many]]))
            return bool(made.results["hits"])
        except NeedAnswer as more:
            waiting = more
    raise waiting


def wound(given: Given) -> dict[str, Any]:
    if "query" in given:
        given.choice("query", ("census",))
        [chart] = [table for table in SYSTEM.tables() if table.clause == "SE-19"]
        cells = [cell for row in chart.rows for cell in row[1:]]
        sides = range(1, 11)
        chances = [_chance(_one_hit(strength=s, toughness=t), "To wound") for s in sides for t in sides]
        return {"counts": Counter(cells), "sum_p": _text(sum(chances, Fraction(0)))}
    asked = _one_hit(**given.only("strength", "toughness"))
    step = _step(asked, "Strength")
    assert step is not None
    counted = {
        name: re.search(rf"{name} (\d+)(?: \(counts as (\d+)\))?", step.title) for name in ("Strength", "Toughness")
    }
    return {
        "need": _need(step),
        "p_wound": _text(_chance(asked, "To wound")),
        **{f"effective_{name.lower()}": int(found[2] or found[1]) for name, found in counted.items() if found},
    }


def _one_hit(**inputs: Any) -> Answer:
    asked: Answer = SYSTEM.ask("shoot", automatic=True, **inputs)
    return asked


def save(given: Given) -> dict[str, Any]:
    if "armour" in given:
        by_name = _saved(_one_hit(strength=10, toughness=1, armour=given["armour"], weapon=given["weapon"]))
        assert by_name == _saved(SYSTEM.ask("shoot", **SURE, **given.only("save", "save_modifier", "save_dice")))
        return by_name
    return _saved(SYSTEM.ask("shoot", **SURE, **given.only("save", "save_modifier", "save_dice")))


def _saved(asked: Answer) -> dict[str, Any]:
    armour = _step(asked, "Armour of")
    penetrated = armour is not None and "penetrated" in armour.title
    certain = armour is not None and "cannot fail" in armour.title
    chance = Fraction(1) if certain else _chance(asked, "Armour save")
    return {"need": _need(armour), "auto_penetrated": penetrated, "p_save": _text(chance)}


def attack(given: Given) -> dict[str, Any]:
    struck = _struck(given)
    if "hits" in given:
        hits = {"automatic": True, "shots": given["hits"]}
        return {
            "per_hit_loss": _table(_one_hit(**{**struck, "wounds": MOST}).odds("wounds_lost")),
            "remaining": _table(SYSTEM.ask("shoot", measures=["wounds_left"], **struck, **hits).odds("wounds_left")),
        }
    aim = _aim(given)
    asked = SYSTEM.ask("shoot", **aim, **struck)
    damage = SYSTEM.ask("shoot", **{**aim, **struck, "wounds": MOST}).odds("wounds_lost")
    saved = _saved(asked)
    return {
        "to_hit": _need(_step(asked, "To Hit")),
        "p_hit": _text(asked.odds("hits").at_least(1)),
        "wound_need": _need(_step(asked, "Strength")),
        "p_wound": _text(_chance(asked, "To wound")),
        "save_need": saved["need"],
        "p_save": saved["p_save"],
        "damage_distribution": _table(damage),
        "p_kill": _text(asked.odds("wiped_out").chance(1)),
        "mean_damage": _text(damage.mean),
    }
