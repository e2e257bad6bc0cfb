"""Looking at printed pages: a raster of ten pixels to the millimetre, and the text with the place of every letter."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np
import pypdfium2 as pdfium
import pypdfium2.raw as raw

from battletape import registry
from battletape.sheets import Document, Part
from battletape.sheets.typeset import pdf

PER_MM = 10
STROKE = 0.2
"""Millimetres of a cut line, half of them outside the edge."""
SLACK = 0.3
TOP, FOOT, GAP, SIDE = 11, 27, 6, 12
"""Millimetres: the margins, and the empty strip between what is printed and the foot."""
RULESETS = ("attack_dice", "vehicles5", "diceless40k", "deathwatch", "second_edition")


class Paper:
    """A document as it comes out of the printer."""

    def __init__(self, made: bytes) -> None:
        self.made = made
        self.document = pdfium.PdfDocument(made)

    def __len__(self) -> int:
        return len(self.document)

    def dark(self, number: int = 0, foot: bool = False, per_mm: int = PER_MM) -> Any:
        """Whether each tenth of a millimetre of a page, or of its foot alone, is dark."""
        page = self.document[number]
        above = page.get_height() - FOOT * 72 / 25.4 if foot else 0
        drawn = page.render(scale=per_mm * 25.4 / 72, grayscale=True, crop=(0, 0, 0, above)).to_numpy()
        return drawn.reshape(drawn.shape[0], drawn.shape[1]) < 200

    def text(self, number: int | None = None) -> str:
        """The text of a page, or of all pages, as it was written."""
        numbers = range(len(self)) if number is None else (number,)
        texts = (self.document[at].get_textpage().get_text_bounded() for at in numbers)
        return "\n".join(map(_as_written, texts))

    def letters(self, number: int = 0) -> Any:
        """The boxes of all letters of a page: left, bottom, right, top, and their place in the text."""
        page = self.document[number].get_textpage()
        boxes = [(*page.get_charbox(at), at) for at in range(page.count_chars())]
        drawn = np.array([box for box in boxes if box[2] - box[0] > 0.2 and box[3] - box[1] > 0.2])
        _, first = np.unique(drawn[:, :4], axis=0, return_index=True)  # the letters of a ligature share a box
        return drawn[first]

    def rows(self, number: int | None = None) -> list[tuple[str, ...]]:
        """The rows of all tables of a page, or of all pages, cell by cell, as the tags of the file have them."""
        numbers = range(len(self)) if number is None else (number,)
        return [row for at in numbers for row in _rows(self.document[at])]


def _rows(page: Any) -> Iterator[tuple[str, ...]]:
    textpage = page.get_textpage()
    said: dict[int, str] = {}
    for drawn in page.get_objects(filter=(raw.FPDF_PAGEOBJ_TEXT,)):
        mark = raw.FPDFPageObj_GetMarkedContentID(drawn.raw)
        size = raw.FPDFTextObj_GetText(drawn.raw, textpage.raw, None, 0)
        letters = (ctypes.c_ushort * (size // 2 + 1))()
        raw.FPDFTextObj_GetText(drawn.raw, textpage.raw, letters, size)
        text = bytes(letters).decode("utf-16-le").partition("\0")[0]
        said[mark] = said.get(mark, "") + text
    tree = raw.FPDF_StructTree_GetForPage(page.raw)
    for at in range(raw.FPDF_StructTree_CountChildren(tree)):
        for row in _find(raw.FPDF_StructTree_GetChildAtIndex(tree, at), "TR"):
            yield tuple(squeezed(_text(cell, said)) if cell else "" for cell in _children(row))
    raw.FPDF_StructTree_Close(tree)


def _children(tag: Any) -> list[Any]:
    """The tags in a tag; nothing stands for an empty one and for a text."""
    return [raw.FPDF_StructElement_GetChildAtIndex(tag, at) for at in range(raw.FPDF_StructElement_CountChildren(tag))]


def _find(tag: Any, kind: str) -> Iterator[Any]:
    size = raw.FPDF_StructElement_GetType(tag, None, 0)
    name = ctypes.create_string_buffer(size)
    raw.FPDF_StructElement_GetType(tag, name, size)
    if name.raw.decode("utf-16-le").rstrip("\0") == kind:
        yield tag
        return
    for child in filter(None, _children(tag)):
        yield from _find(child, kind)


def _text(tag: Any, said: dict[int, str]) -> str:
    """The text of a tag: that of its marks and of the tags in it."""
    count = raw.FPDF_StructElement_CountChildren(tag)
    marks = [raw.FPDF_StructElement_GetChildMarkedContentID(tag, at) for at in range(count)]
    text = "".join(said.get(mark, "") for mark in marks if mark >= 0)
    return _as_written(text) + "".join(_text(child, said) for child in filter(None, _children(tag)))


def _as_written(text: str) -> str:
    # pdfium takes a dash at the end of a line for a hyphen
    return text.replace("\x02", "-").replace("\ufffe", "-").replace("\u200b", "")


@lru_cache(32)
def printed(*parts: Part, paper: str = "a4", system: str = "Toy") -> Paper:
    """Some parts on paper."""
    return Paper(pdf(Document(system, parts, paper)))


def squeezed(text: str) -> str:
    """A text without the room between its letters."""
    return "".join(text.split())


def blocks(dark: Any) -> list[Any]:
    """What stands on a page above its foot, cut where half a millimetre is empty, the tallest first."""
    inner = dark[TOP * PER_MM - 2 : -FOOT * PER_MM]
    rows = np.flatnonzero(inner.any(axis=1))
    groups = np.split(rows, np.flatnonzero(np.diff(rows) > 5) + 1)
    return sorted((inner[group[0] : group[-1] + 1] for group in groups), key=len, reverse=True)


def extent(dark: Any) -> tuple[float, float]:
    """Width and height of what is dark, in millimetres."""
    rows, columns = np.flatnonzero(dark.any(axis=1)), np.flatnonzero(dark.any(axis=0))
    return (columns[-1] - columns[0] + 1) / PER_MM, (rows[-1] - rows[0] + 1) / PER_MM


def middle(dark: Any) -> tuple[float, float]:
    """The middle of what is dark, in pixels."""
    rows, columns = np.flatnonzero(dark.any(axis=1)), np.flatnonzero(dark.any(axis=0))
    return (columns[0] + columns[-1]) / 2, (rows[0] + rows[-1]) / 2


def around(dark: Any, x: float, y: float, radius: float, steps: int = 1440) -> Any:
    """What is dark on a circle of so many millimetres, clockwise from above."""
    angles = np.linspace(0, 2 * np.pi, steps, endpoint=False)
    columns = np.rint(x + radius * PER_MM * np.sin(angles)).astype(int)
    rows = np.rint(y - radius * PER_MM * np.cos(angles)).astype(int)
    inside = (rows >= 0) & (rows < dark.shape[0]) & (columns >= 0) & (columns < dark.shape[1])
    found = np.zeros(steps, dtype=bool)
    found[inside] = dark[rows[inside], columns[inside]]
    return found


def ring_near(dark: Any, x: float, y: float, radius: float) -> float:
    """The radius of the ring that is nearest to where one is expected, in millimetres."""
    tries = np.arange(radius - 1.0, radius + 1.0, 0.05)
    return float(tries[int(np.argmax([around(dark, x, y, attempt).mean() for attempt in tries]))])


def runs(line: Any) -> Iterator[tuple[int, int]]:
    """The dark stretches of a row of pixels: first and last."""
    edges = np.flatnonzero(np.diff(np.concatenate(([0], line.astype(int), [0]))))
    yield from zip(edges[::2], edges[1::2] - 1, strict=True)


def all_sheets() -> list[tuple[str, str]]:
    """Every sheet of every ruleset."""
    return [(name, sheet.name) for name in RULESETS for sheet in registry.ruleset(name).sheets]
