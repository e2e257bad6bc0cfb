"""The critical tables as printed: 160 rows in short codes, which `rules.criticals` reads.

F1, Fd5: fatigue · Stun2, Stun d10: rounds stunned · BL: blood loss · Half: one Half Action on the next turn · HM:
movement halved · Drop: drops what that hand holds · thrown d5 F1: so many metres, with fatigue for each · 1r, d5r:
rounds · treated: until treated · if bare: if no armour is there · T? a / b: a Toughness test, a if it fails, b if it
passes · Ag?: the same for Agility · after a semicolon: what only those around feel, which a
fighter's state keeps: reword it in `codes.toml`, not here, or old battles end in other states.
"""

from __future__ import annotations

from collections.abc import Mapping

from battletape.clauses import cites
from battletape.rulesets.deathwatch.rules.traits import DamageType, Place

Line = tuple[str, str, str, str]
COLUMNS: tuple[Place, ...] = ("arm", "body", "head", "leg")
TABLES: Mapping[DamageType, tuple[str, str]] = {
    "E": ("Energy", "252-253"),
    "X": ("Explosive", "254-255"),
    "I": ("Impact", "256-257"),
    "R": ("Rending", "258-259"),  # which the sheet misprints as Repeating
}

ENERGY: tuple[Line, ...] = (
    ("-30 arm 1r", "Half", "-10 all but T 1r", "F1"),
    ("useless d5r, F1", "F1", "Blind 1r", "HM 1r"),
    ("Stun1, F2, useless d5r", "F2, Stun1", "Stun1, F1", "Stun1, HM d5r"),
    ("Stun1, F3, useless d10r", "Fd10", "F2, Blind d5r", "Fd5, HM d5r"),
    ("WS BS halved 1r, Fd5", "Prone, Fd5, Ag? fire", "Blind d10r, F3", "F1, HM 2d10r"),
    (
        "WS BS halved d10r, Fd5, T? hand lost",
        "Prone, Stun d10, Fd5, Ag? fire",
        "Blind hours, Fel -d10, Fd5",
        "F2, T? foot lost / HM treated",
    ),
    ("arm broken, Stun1, Fd5", "Stun 2d10, T halved", "Blind for good, Fd10, Fel =d10", "leg broken, Fd5, T? Stun1"),
    ("arm lost, Fd10, BL, T? Stun1", "Stun 2d10, S T Ag Fel halved", "DEAD", "leg lost, Fd10, BL, T? Stun1"),
    ("arm lost, T? DEAD / Fd10, Stun1", "DEAD", "DEAD", "leg lost, T? DEAD"),
    (
        "DEAD",
        "DEAD; half the time his ammunition explodes: all within d5 m Dodge or take 1d10+5 X, grenades a round later",
        "DEAD; the burning body runs 2d10 m at random, what it passes tests Agility or is on fire",
        "DEAD",
    ),
)

EXPLOSIVE: tuple[Line, ...] = (
    ("F1", "thrown d5 F1, Prone", "Half, F1", "thrown 1 F0"),
    ("Drop, F2", "thrown d10 F1; d5 more fatigue if an object stops him", "Blind 1r, deaf 1r, F2", "Prone, F1"),
    ("d5 fingers lost, F3, item destroyed", "armour destroyed, thrown d10 F2 if bare", "F2", "Stun1, HM d5r, F1"),
    (
        "Fd5, Stun1, useless treated",
        "Prone, Fd5, Stun1, full to stand",
        "Prone, Stun1, F2",
        "thrown d5 F1, full to stand, HM d10r",
    ),
    (
        "Fd5, useless treated, T? hand lost",
        "Prone, Stun1, Fd10",
        "Stun d10, deaf for good, Fd5, Half hours, Fel -d10",
        "Fd5, T? foot lost / HM treated",
    ),
    ("arm broken, Fd5, BL", "Stun1, Fd10, BL", "DEAD", "leg broken, Fd10, BL"),
    (
        "arm lost, T? DEAD / Stun d10, Fd10, BL",
        "Prone, Stun d10, Fd10, BL, Half hours",
        "DEAD; his ammunition does 1d10+5 I to all within d5 m, grenades go off",
        "leg lost, T? DEAD / Stun d10, Fd10, BL",
    ),
    ("DEAD", "DEAD", "DEAD; the spot is slippery: Agility or prone", "DEAD"),
    (
        "DEAD; a powered weapon in that hand does 1d10+5 I to all within 2 m",
        "DEAD; his ammunition does 1d10+5 I to all within d10 m, grenades go off",
        "DEAD",
        "DEAD; 1d10+2 I to all within 2 m",
    ),
    (
        "DEAD; his ammunition does 1d10+5 I to all within d10 m, grenades go off",
        "DEAD; the same as row 9, and all within d10 m test Agility or have -10 WS and BS for a round",
        "DEAD; his friends within 2 m test Willpower or flee on their next turn",
        "DEAD; the same as row 9, and his ammunition does 1d10+5 I to all within d10 m, grenades go off",
    ),
)

IMPACT: tuple[Line, ...] = (
    ("Drop", "Half", "T? F1", "F1"),
    ("F1", "F1", "F1, -10 WS BS 1r", "HM 1r, F1"),
    ("F1, Drop", "F2, Stun1", "Blind 1r, F2", "Stun1, HM d5r, F1"),
    ("Stun1, useless d5r, F1", "Fd5, Stun1", "Fd5", "Fd5, HM d5r"),
    ("WS BS halved d10r, F1, Ag? Drop", "Fd5, Stun2", "Stun1", "-20 Ag d10r, Fd5"),
    (
        "d5 fingers lost, F1, T? hand lost",
        "thrown d5 F0, Prone, Fd5, Stun2",
        "Stun d5, F2",
        "F2, T? foot lost / HM treated",
    ),
    ("arm broken, F2", "hazard ribs, Fd5", "Stun d10, HM hours", "Prone, leg broken, F2"),
    ("arm lost, T? DEAD / Stun d10, Fd5, BL", "Prone, BL, Fd10", "DEAD", "leg lost, T? DEAD / Stun d10, Fd5, BL"),
    ("DEAD", "DEAD", "DEAD; all within 4 m test Agility or have -10 WS and BS on their next turn", "DEAD"),
    (
        "DEAD; 1d5-3 I to all within 2 m, at a random place",
        "DEAD; the body is thrown d10 m, those in its path test Agility or are knocked down",
        "DEAD; the attacker makes one more attack at somebody in reach or right behind",
        "DEAD; nobody within 2d10 m hears a word this round",
    ),
)

RENDING: tuple[Line, ...] = (
    ("Drop", "F1 if bare", "F1 if bare", "F1"),
    ("Drop, F1", "armour -1, F1, Stun1 if bare", "-10 WS BS d10r, F1", "F1, Ag? Prone"),
    ("F2, Drop", "Stun1, F2", "armour destroyed, F2 if bare, ear lost if bare", "F1, BL"),
    (
        "Prone, F2, useless d10r",
        "Fd5; the blood is slippery: who moves through it tests Agility or is prone",
        "eye lost, Fd5, Stun1",
        "HM treated, F2",
    ),
    ("Fd5, Drop, useless treated, BL", "Fd5", "Stun d5, Fd5, armour destroyed", "Fd5, HM hours"),
    (
        "d5 fingers lost, F3, T? hand lost",
        "Prone, Fd10",
        "d10: 1-3 eye lost / 4-7 nose lost & Fel halved / 8-10 ear lost & Fel -d10, BL, Fd5",
        "Fd5, T? foot lost / HM treated",
    ),
    ("arm broken, Fd5, BL", "hazard wound, Fd5, BL", "Blind for good, Fel =d10, BL, Fd10", "leg broken, BL, Fd10"),
    (
        "arm lost, T? DEAD / Stun d10, BL, Fd10",
        "T? DEAD / T -d10, Fd10, BL",
        "DEAD",
        "leg lost, T? DEAD / Stun d10, Fd10, BL",
    ),
    ("DEAD", "DEAD", "DEAD", "DEAD"),
    (
        "DEAD; one time in twenty a gun in that hand hits somebody at random within 2d10 m",
        "DEAD; who moves within 4 m of the corpse tests Agility or is prone",
        "DEAD; all close by test Agility or have -10 WS and BS for a round",
        "DEAD; who runs or charges within 6 m this turn tests Agility or falls",
    ),
)

LAST_ROW = 10
"""It kills everywhere."""
ROWS: Mapping[DamageType, tuple[Line, ...]] = {"E": ENERGY, "X": EXPLOSIVE, "I": IMPACT, "R": RENDING}
cites("DW-CRIT-2", where=f"{__name__}.ROWS")
cites("DW-CRIT-1", where=f"{__name__}.TABLES")
