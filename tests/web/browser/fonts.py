"""The fonts of the browser in these tests: a wide and a narrow one, made here, so that no font of the machine counts.

Their letters are boxes as wide as those of real fonts: DejaVu Sans Bold, the widest that phones and desks commonly
have, and a condensed face. A browser that is started with `environment(folder)` finds no others.
"""

from __future__ import annotations

import os
from pathlib import Path

from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen

EM = 1000
WIDTHS = {"space": 0.5, "thin": 0.5, "plain": 1.0, "digit": 1.0, "capital": 1.15, "broad": 1.45}
"""How wide the letters of a kind are, in plain ones."""
PLAIN = {"wide": 0.70, "narrow": 0.42}
"""How wide a plain letter is, in em."""
KINDS = {
    "space": " \N{NO-BREAK SPACE}\N{THIN SPACE}\N{NARROW NO-BREAK SPACE}",
    "thin": "fijlrtI.,;:!|'()[]/-·’‘",
    "digit": "0123456789",
    "broad": "mwMW%@—…→½¼¾",
}
CHARACTERS = (*range(0x20, 0x7F), *range(0xA0, 0x250), *range(0x2000, 0x2C00), *range(0x2E00, 0x2E50))
"""All that a page may show: Latin letters, punctuation, arrows and signs."""
CONFIG = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>{folder}</dir><cachedir>{folder}/cache</cachedir></fontconfig>
"""


def kind_of(letter: str) -> str:
    """The kind of a letter, by which it is wide or narrow."""
    named = next((kind for kind, letters in KINDS.items() if letter in letters), "")
    return named or ("capital" if letter.isupper() else "plain")


def advance(font: str, text: str) -> float:
    """How wide a text is in a font, in em."""
    return sum(round(EM * PLAIN[font] * WIDTHS[kind_of(letter)]) for letter in text) / EM


def make_font(font: str, folder: Path) -> Path:
    """A font that holds nothing but boxes, and a folder in which a browser finds only it."""
    folder.mkdir(parents=True, exist_ok=True)
    widths = {kind: round(EM * PLAIN[font] * share) for kind, share in WIDTHS.items()}
    made = FontBuilder(EM, isTTF=True)
    made.setupGlyphOrder([".notdef", *widths])
    made.setupCharacterMap({number: kind_of(chr(number)) for number in CHARACTERS})
    made.setupGlyf(
        {".notdef": _box(500), **{kind: _box(width if kind != "space" else 0) for kind, width in widths.items()}}
    )
    made.setupHorizontalMetrics({".notdef": (500, 0), **{kind: (width, 0) for kind, width in widths.items()}})
    made.setupHorizontalHeader(ascent=930, descent=-240)
    made.setupNameTable({"familyName": f"Battletape {font}", "styleName": "Regular"})
    made.setupOS2(sTypoAscender=930, sTypoDescender=-240, usWinAscent=930, usWinDescent=240)
    made.setupPost()
    made.save(folder / f"{font}.ttf")
    (folder / "fonts.conf").write_text(CONFIG.format(folder=folder))
    return folder


def environment(folder: Path) -> dict[str, str | float | bool]:
    """The environment of a browser that finds only the fonts of a folder."""
    return {**os.environ, "FONTCONFIG_FILE": str(folder / "fonts.conf")}


def _box(width: int) -> object:
    pen = TTGlyphPen(None)
    if width:
        left, right, top = width // 10, width - width // 10, 540
        pen.moveTo((left, 0))
        for spot in ((left, top), (right, top), (right, 0)):
            pen.lineTo(spot)
        pen.closePath()
    return pen.glyph()
