"""What players read is what the golden files say; `--update` writes them anew, and `git diff` shows the changes."""

from __future__ import annotations

import pytest

from battletape import registry
from battletape.cli import odds, roll
from tests.golden.texts import ALWAYS, KINDS, golden_file, text_of

FILES = [
    (ruleset, kind)
    for ruleset in registry.OURS
    for kind in KINDS
    if kind in ALWAYS or golden_file(ruleset, kind).exists()
]


@pytest.mark.parametrize(("ruleset", "kind"), FILES)
def test_texts_are_as_in_the_golden_file(
    ruleset: str, kind: str, pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(roll, "LUCK_SECONDS", 600.0)  # a busy machine leaves nothing out
    monkeypatch.setattr(odds, "DEFAULT_SECONDS", 600.0)
    path, text = golden_file(ruleset, kind), text_of(ruleset, kind)
    if pytestconfig.getoption("update"):
        path.write_text(text, encoding="utf-8")
    assert text.splitlines() == path.read_text(encoding="utf-8").splitlines(), f"./test {path} --update writes it anew"
