"""`python -m tests.docs [PAGE…]`: write the true output below every command and prompt of the pages."""

from __future__ import annotations

import sys
import tempfile
from itertools import takewhile
from pathlib import Path

from tests.docs.pages import ROOT, blocks, name_of, pages
from tests.docs.session import reading


def refresh(page: Path) -> int:
    """Put the true output into a page where it shows another; returns how many places changed."""
    lines = page.read_text(encoding="utf-8").split("\n")
    changed = 0
    with tempfile.TemporaryDirectory() as folder, reading(Path(folder)) as session:
        moved = 0  # lines added above, so far
        for block in list(blocks("\n".join(lines))):
            for one in session.play(block):
                if one.holds or block.language == "python":
                    continue
                at = block.line - 1 + one.line + moved
                old, new = one.want.split("\n")[:-1], one.got.rstrip("\n").split("\n") if one.got.strip() else []
                new = [line.rstrip() for line in new]
                if one.want.rstrip().endswith("\n…"):  # it goes on showing its first lines only
                    new = [*takewhile(bool, new), "…"]
                elif "…" in old:  # … and this one its first and its last
                    cut = old.index("…")
                    new = [*new[:cut], *old[cut:][:1], *new[len(new) - len(old[cut + 1 :]) :]]
                if new and lines[at + len(old)].startswith("$ "):
                    new.append("")  # air between commands
                lines[at : at + len(old)] = new
                moved += len(new) - len(old)
                changed += 1
    if changed:
        page.write_text("\n".join(lines), encoding="utf-8")
    return changed


if __name__ == "__main__":
    for page in [ROOT / name for name in sys.argv[1:]] or pages():
        print(f"{name_of(page)}: {refresh(page)} outputs written")
