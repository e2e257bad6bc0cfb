"""The pictures of the docs: all there, none left over, and small enough for a clone."""

from __future__ import annotations

import re

from tests.docs.pages import ROOT, pages
from tests.docs.pictures import LARGEST, NAMES, PLACE


def test_every_picture_is_there_shown_and_small():
    made = {path.stem: path.stat().st_size for path in PLACE.iterdir()}
    assert set(made) == set(NAMES)
    assert [name for name, size in made.items() if size > LARGEST] == []
    shown = re.findall(r"!\[[^\]]+\]\((?:docs/)?pictures/(\w+)\.png\)", "".join(page.read_text() for page in pages()))
    assert set(shown) == set(NAMES)


def test_the_front_page_shows_the_page():
    assert "docs/pictures/page.png" in (ROOT / "README.md").read_text(encoding="utf-8")
