"""The pictures of docs/print.md are those that its commands make, and small."""

from __future__ import annotations

import re

from tests.sheets.pictures import PAGE, PLACE, make

MOST_BYTES = 60_000


def test_the_pictures_of_the_page_are_what_its_commands_make(tmp_path):
    made = make(tmp_path)
    kept = {path.name: path.read_bytes() for path in PLACE.iterdir()}
    assert set(made) == set(kept), "python -m tests.sheets.pictures makes them anew"
    changed = [name for name, picture in made.items() if picture != kept[name]]
    assert changed == [], "python -m tests.sheets.pictures makes them anew"
    assert max(map(len, kept.values())) < MOST_BYTES


def test_every_picture_is_shown_with_words():
    shown = re.findall(r"!\[([^\]]+)\]\(_static/print/([\w.]+)\)", PAGE.read_text(encoding="utf-8"))
    assert sorted(name for _, name in shown) == sorted(path.name for path in PLACE.iterdir())
    assert all(len(words) > 15 for words, _ in shown)
