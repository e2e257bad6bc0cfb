"""What a critical row does, in words: for tables, logs and reports."""

from __future__ import annotations

from battletape.rulesets.deathwatch.rules.criticals.codes import Effect
from battletape.rulesets.deathwatch.rules.criticals.results import effects
from battletape.words import listed

NAMES = {
    "Fel": "Fellowship",
    "T": "Toughness",
    "S": "Strength",
    "Ag": "Agility",
    "all_but_t": "all tests but Toughness",
}
HAZARDS = {
    "ribs": "ribs broken: lie still until treated, or act with a risk of 20 % a turn to die",
    "wound": "torn open: one arm holds the wound, or 20 % a turn for 2d10 damage",
}
NEARBY = (
    ("if an object stops him", "if an object is in the way"),
    ("his ammunition", "its ammunition"),
    ("his friends", "friends"),
)
"""How notes are said today; states keep them as the rows first had them, so that old battles end as they did."""
_PLAIN = {"blood_loss": "blood loss", "fire": "on fire", "dead": "dead"}
_TIMED = {"blind": "blind", "deaf": "deaf", "half_action": "one Half Action a turn", "halved_move": "movement halved"}


def row_words(damage_type: str, place: str, row: int) -> str:
    """What a row does, as a sentence without a full stop."""
    return in_words(effects(damage_type, place, row))


def in_words(effects: tuple[Effect, ...]) -> str:
    """Effects in words, one after the other."""
    bare = " if no armour is there"
    own = ", ".join(_words(effect) + bare * effect.bare for effect in effects if effect.kind != "nearby")
    return own + "".join(f"; {note_words(effect.what)}" for effect in effects if effect.kind == "nearby")


def note_words(note: str) -> str:
    """A note of a fighter's state in words."""
    for stored, said in NEARBY:
        note = note.replace(stored, said)
    return note


def _words(effect: Effect) -> str:
    match effect.kind:
        case "fatigue":
            return f"{effect.amount} fatigue"
        case "stun":
            return f"stunned {_rounds(effect.amount)}"
        case "prone":
            return "standing up is a Full Action" if effect.what else "prone"
        case "useless":
            return f"{effect.what} broken" if effect.what else f"arm useless {_rounds(effect.time)}"
        case "lost":
            return f"{effect.amount} {effect.what} lost".strip()
        case "half_action" if effect.time == "1":
            return "one Half Action on the next turn"
        case "drop":
            return effect.what or "drops what the hand holds"
        case "thrown":
            cost = f", {effect.what} fatigue for each" if effect.what != "0" else ""
            return f"thrown {effect.amount} m{cost}"
        case "penalty":
            return f"{effect.amount} to {_names(effect.what)} {_rounds(effect.time)}"
        case "halved":
            return f"{_names(effect.what)} halved {_rounds(effect.time)}"
        case "characteristic":
            name = NAMES[effect.what]
            return f"{name} becomes {effect.amount}" if effect.time == "set" else f"{name} -{effect.amount} for good"
        case "armour":
            return "armour there destroyed" if effect.amount == "99" else f"armour there -{effect.amount} AP"
        case "hazard":
            return HAZARDS[effect.what]
        case "test":
            passed = f", passed: {in_words(effect.passed)}" if effect.passed else ""
            return f"{effect.test.capitalize()} test, failed: {in_words(effect.failed)}{passed}"
        case "chance":
            lows = (1, *(most + 1 for most, _ in effect.faces))
            outcomes = (f"{low}-{most} {in_words(then)}" for low, (most, then) in zip(lows, effect.faces, strict=False))
            return f"{effect.amount}: {' / '.join(outcomes)}"
        case _:
            return _PLAIN.get(effect.kind) or f"{_TIMED[effect.kind]} {_rounds(effect.time)}"


def _rounds(text: str) -> str:
    if not text[-1].isdigit():
        return {"treated": "until treated", "good": "for good", "hours": "for hours"}[text]
    return "1 round" if text == "1" else f"{text} rounds"


def _names(what: str) -> str:
    if what == "arm":
        return "tests with the arm"
    return listed([NAMES.get(word, word) for word in what.split()])
