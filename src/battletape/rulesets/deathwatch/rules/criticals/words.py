"""What a critical row does, in words: for tables, logs and reports."""

from __future__ import annotations

from functools import lru_cache

from battletape.rulesets.deathwatch.rules.criticals.codes import Effect
from battletape.rulesets.deathwatch.rules.criticals.results import effects

NAMES = {
    "Fel": "Fellowship",
    "T": "Toughness",
    "S": "Strength",
    "Ag": "Agility",
    "all_but_t": "all tests but Toughness",
}
HAZARDS = {
    "ribs": "ribs broken: he lies still until treated, or acts with a risk of 20 % a turn to die",
    "wound": "torn open: one arm holds the wound, or 20 % a turn for 2d10 damage",
}
_PLAIN = {"blood_loss": "blood loss", "fire": "on fire", "dead": "dead"}
_TIMED = {"blind": "blind", "deaf": "deaf", "half_action": "one Half Action a turn", "halved_move": "movement halved"}


@lru_cache(512)
def row_words(damage_type: str, place: str, row: int) -> str:
    """What a row does, as a sentence without a full stop."""
    return in_words(effects(damage_type, place, row))


def in_words(found: tuple[Effect, ...]) -> str:
    """Effects in words, one after the other."""
    own = ", ".join(effect_words(one) for one in found if one.kind != "nearby")
    around = "".join(f"; {one.what}" for one in found if one.kind == "nearby")
    return own + around


def effect_words(one: Effect) -> str:
    """One effect in words."""
    return _words(one) + (" if no armour is there" if one.bare else "")


def _words(one: Effect) -> str:
    match one.kind:
        case "fatigue":
            return f"{one.amount} fatigue"
        case "stun":
            return f"stunned {_rounds(one.amount)}"
        case "prone":
            return "standing up is a Full Action" if one.what else "prone"
        case "useless":
            return f"{one.what} broken" if one.what else f"arm useless {_rounds(one.time)}"
        case "lost":
            return f"{one.amount} {one.what} lost".strip()
        case "half_action" if one.time == "1":
            return "one Half Action on the next turn"
        case "drop":
            return one.what or "drops what the hand holds"
        case "thrown":
            cost = f", {one.what} fatigue for each" if one.what != "0" else ""
            return f"thrown {one.amount} m{cost}"
        case "penalty":
            return f"{one.amount} to {_names(one.what)} {_rounds(one.time)}"
        case "halved":
            return f"{_names(one.what)} halved {_rounds(one.time)}"
        case "characteristic":
            name = NAMES[one.what]
            return f"{name} becomes {one.amount}" if one.time == "set" else f"{name} -{one.amount} for good"
        case "armour":
            return "armour there destroyed" if one.amount == "99" else f"armour there -{one.amount} AP"
        case "hazard":
            return HAZARDS[one.what]
        case "test":
            passed = f", passed: {in_words(one.passed)}" if one.passed else ""
            return f"{one.test.capitalize()} test, failed: {in_words(one.failed)}{passed}"
        case "chance":
            lows = (1, *(most + 1 for most, _ in one.faces))
            outcomes = (f"{low}-{most} {in_words(then)}" for low, (most, then) in zip(lows, one.faces, strict=False))
            return f"{one.amount}: {' / '.join(outcomes)}"
        case _:
            return _PLAIN.get(one.kind) or f"{_TIMED[one.kind]} {_rounds(one.time)}"


def _rounds(text: str) -> str:
    if not text[-1].isdigit():
        return {"treated": "until treated", "good": "for good", "hours": "for hours"}[text]
    return "1 round" if text == "1" else f"{text} rounds"


def _names(what: str) -> str:
    if what == "arm":
        return "tests with the arm"
    names = [NAMES.get(one, one) for one in what.split()]
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
