"""The short codes of the critical tables, read into effects; an unknown code is refused when the table is loaded."""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from battletape.errors import BattletapeError


class Effect(Struct, frozen=True, cache_hash=True):
    """One thing a critical row does; a row is a tuple of these."""

    kind: str  # one of those in CODES; test, chance, or nearby: what those around feel
    amount: str = ""  # dice text or a number
    time: str = ""  # rounds as dice text; treated, good or hours for what does not pass by itself
    what: str = ""  # characteristics, hand, foot, eye, or our own words
    test: str = ""  # toughness, agility
    failed: tuple[Effect, ...] = ()
    passed: tuple[Effect, ...] = ()
    faces: tuple[tuple[int, tuple[Effect, ...]], ...] = ()  # of a chance: the highest face of each outcome
    bare: bool = False  # only where no armour is


_DICE = r"(\d*d\d+|\d+)"
_TIME = r"(\d*d?\d+r|treated|hours|for good)"
_TESTS = {"T?": "toughness", "Ag?": "agility"}


def _dice(text: str) -> str:
    return f"1{text}" if text.startswith("d") else text


def _time(text: str) -> str:
    return _dice(text[:-1]) if text.endswith("r") else text.removeprefix("for ")


CODES: tuple[tuple[str, Callable[[re.Match[str]], Effect]], ...] = (
    (r"DEAD", lambda m: Effect("dead")),
    (rf"F{_DICE}", lambda m: Effect("fatigue", _dice(m[1]))),
    (rf"Stun ?{_DICE}", lambda m: Effect("stun", _dice(m[1]))),
    (r"Prone", lambda m: Effect("prone")),
    (r"full to stand", lambda m: Effect("prone", what="full")),
    (r"BL", lambda m: Effect("blood_loss")),
    (r"fire", lambda m: Effect("fire")),
    (r"Half", lambda m: Effect("half_action", time="1")),
    (r"Half hours", lambda m: Effect("half_action", time="hours")),
    (rf"HM {_TIME}", lambda m: Effect("halved_move", time=_time(m[1]))),
    (rf"Blind {_TIME}", lambda m: Effect("blind", time=_time(m[1]))),
    (rf"deaf {_TIME}", lambda m: Effect("deaf", time=_time(m[1]))),
    (rf"useless {_TIME}", lambda m: Effect("useless", time=_time(m[1]))),
    (r"(arm|leg) broken", lambda m: Effect("useless", time="treated", what=m[1])),
    (r"(arm|leg|hand|foot|eye|ear|nose) lost", lambda m: Effect("lost", what=m[1])),
    (rf"{_DICE} fingers lost", lambda m: Effect("lost", _dice(m[1]), what="fingers")),
    (r"Drop", lambda m: Effect("drop")),
    (r"item destroyed", lambda m: Effect("drop", what="what the hand held is destroyed")),
    (rf"thrown {_DICE} F(\d)", lambda m: Effect("thrown", _dice(m[1]), what=m[2])),
    (rf"-(\d+) (arm|WS BS|Ag) {_TIME}", lambda m: Effect("penalty", f"-{m[1]}", _time(m[3]), m[2])),
    (rf"-(\d+) all but T {_TIME}", lambda m: Effect("penalty", f"-{m[1]}", _time(m[2]), "all_but_t")),
    (
        rf"((?:(?:WS|BS|S|T|Ag|Fel) )+)halved(?: {_TIME})?",
        lambda m: Effect("halved", "", _time(m[2] or "for good"), m[1].strip()),
    ),
    (rf"(T|Fel) -{_DICE}", lambda m: Effect("characteristic", _dice(m[2]), "good", m[1])),
    (rf"(Fel) ={_DICE}", lambda m: Effect("characteristic", _dice(m[2]), "set", m[1])),
    (r"armour destroyed", lambda m: Effect("armour", "99")),
    (r"armour -(\d)", lambda m: Effect("armour", m[1])),
    (r"hazard (ribs|wound)", lambda m: Effect("hazard", what=m[1])),
)


def parse_effects(code: str) -> tuple[Effect, ...]:
    """The effects of a row as it is written in the table."""
    own, _, around = code.partition("; ")
    effects: list[Effect] = []
    parts = own.split(", ")
    for at, part in enumerate(parts):
        sign = part.partition(" ")[0]
        if sign in _TESTS:
            rest = ", ".join((part.removeprefix(sign).strip(), *parts[at + 1 :]))
            failed, _, passed = rest.partition(" / ")
            effects.append(Effect("test", test=_TESTS[sign], failed=_parts(failed), passed=_parts(passed)))
            break
        effects.append(_part(part))
    return (*effects, Effect("nearby", what=around)) if around else tuple(effects)


def _parts(text: str) -> tuple[Effect, ...]:
    return tuple(_part(part) for part in text.split(", ") if part)


def _part(text: str) -> Effect:
    plain = text.removesuffix(" if bare")
    chance = re.fullmatch(rf"{_DICE}: (.*)", plain)
    if chance:
        return Effect("chance", _dice(chance[1]), what="what is lost", faces=_faces(chance[2]))
    for form, read in CODES:
        match = re.fullmatch(form, plain)
        if match:
            return replace(read(match), bare=plain != text)
    raise BattletapeError(f"a critical row needs codes such as Fd5, Stun1, HM d5r or T? DEAD / BL; got {text!r}")


def _faces(text: str) -> tuple[tuple[int, tuple[Effect, ...]], ...]:
    """Outcomes by the faces of a die: 1-3 eye lost / 4-10 nose lost & Fel halved."""
    effects = []
    for part in text.split(" / "):
        faces, _, then = part.partition(" ")
        effects.append((int(faces.partition("-")[2]), _parts(then.replace(" & ", ", "))))
    return tuple(effects)
