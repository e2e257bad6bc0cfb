"""From a document to a file: typst draws it, pypdf asks printers not to scale it; equal documents give equal bytes.

Data go to the templates as JSON and never become a part of their source. Nothing is loaded from anywhere: the fonts
are those inside typst.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, TypeAlias

import msgspec

from battletape.errors import BadInput
from battletape.sheets import Document

Format: TypeAlias = Literal["pdf", "png", "svg"]
FORMATS: tuple[Format, ...] = ("pdf", "png", "svg")
HERE = Path(__file__).parent
NOON = 946_728_000
"""The time that every document bears, so that the same state gives the same bytes: noon of the first day of 2000."""
PPI = 144
"""Pixels to the inch of a picture."""
STANDARD = "a-2a"
"""PDF/A, with tags for readers who listen to it."""


def pdf(document: Document) -> bytes:
    """Return the document as a PDF that printers leave in its size."""
    import typst

    try:
        drawn = _compile(document, "pdf", pdf_standards=[STANDARD])
    except typst.TypstError:  # the standard forbids letters that no font of ours has; plain PDF shows a box for them
        drawn = _compile(document, "pdf")
    assert isinstance(drawn, bytes)
    return _unscaled(drawn)


def count_pages(made: bytes) -> int:
    """Return how many pages a PDF has."""
    from io import BytesIO

    from pypdf import PdfReader

    return len(PdfReader(BytesIO(made)).pages)


def pages(document: Document, form: Literal["png", "svg"], ppi: float = PPI) -> list[bytes]:
    """Return each page of the document as a picture."""
    drawn = _compile(document, form, ppi=ppi)
    return drawn if isinstance(drawn, list) else [drawn]


def page(document: Document, form: Literal["png", "svg"], number: int = 1, ppi: float = PPI) -> bytes:
    """Return one page of the document as a picture; raises BadInput if it has no such page."""
    drawn = pages(document, form, ppi)
    if not 1 <= number <= len(drawn):
        raise BadInput.of("page", f"must be a number from 1 to {len(drawn)} here; got {number}.")
    return drawn[number - 1]


@lru_cache(1)
def _compiler() -> Any:
    import typst

    return typst.Compiler(root=str(HERE), ignore_system_fonts=True)


def _compile(document: Document, form: Format, **more: Any) -> bytes | list[bytes]:
    data = msgspec.json.encode(document).decode()
    drawn: bytes | list[bytes] = _compiler().compile(
        str(HERE / "main.typ"), format=form, sys_inputs={"data": data}, timestamp=NOON, **more
    )
    return drawn


def _unscaled(drawn: bytes) -> bytes:
    """Return the PDF with a mark that asks printers not to fit it to the page.

    What typst wrote stays as it is, tags and all: a new catalogue is appended, as the format has it for changes. The
    writer of pypdf can do that too, but reads every object first, which takes longer than drawing them.
    """
    from io import BytesIO

    from pypdf import PdfReader
    from pypdf.generic import DictionaryObject, NameObject, NumberObject

    reader = PdfReader(BytesIO(drawn))
    trailer, root = reader.trailer, DictionaryObject(reader.root_object)
    place = trailer.raw_get("/Root")
    wishes = DictionaryObject(root.get("/ViewerPreferences", {}))
    wishes[NameObject("/PrintScaling")] = NameObject("/None")
    root[NameObject("/ViewerPreferences")] = wishes
    trailer[NameObject("/Prev")] = NumberObject(int(drawn[drawn.rindex(b"startxref") :].split()[1]))
    made = BytesIO()
    made.write(drawn + b"\n")
    at = made.tell()
    made.write(b"%d 0 obj\n" % place.idnum)
    root.write_to_stream(made)
    made.write(b"\nendobj\n")
    table = made.tell()
    made.write(b"xref\n0 1\n0000000000 65535 f\r\n%d 1\n%010d 00000 n\r\ntrailer\n" % (place.idnum, at))
    trailer.write_to_stream(made)
    made.write(b"\nstartxref\n%d\n%%%%EOF\n" % table)
    return made.getvalue()
