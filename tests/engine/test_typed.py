"""What type checkers and editors see of `import battletape as bt`."""

from __future__ import annotations

from pathlib import Path

from mypy import api

import battletape

REVEALED = {
    'bt.ruleset("attack_dice")': "battletape.system.Ruleset",
    "answer": "battletape.answer.Answer",
    'answer.odds("casualties")': "battletape.odds.Odds[Any]",
    "answer.odds().at_least(3)": "fractions.Fraction",
    "answer.to_json()": "str",
    'bt.ruleset("attack_dice").roll("attack").log': "tuple[battletape.tape.story.Line, ...]",
    "bt.Odds({1: 5, 2: 1})": "battletape.odds.Odds[int]",
    "bt.Odds({1: 5, 2: 1}) + 3": "battletape.odds.Odds[Any]",
    "bt.Odds({1: 5, 2: 1}) >= 2": "battletape.odds.Odds[bool]",
    "list(bt.Odds({1: 5, 2: 1}))": "list[int]",
    "battle.legal()[0]": "tuple[battletape.system.Action, Any, battletape.errors.Refused | None, fallback=battletape."
    "battle.battle.Option]",
    "battle.push(battle.legal()[0])": "battletape.battle.journal.Move",
    "bt.D6": "battletape.dice.Die",
}


def test_every_public_name_has_its_type(tmp_path: Path):
    script = tmp_path / "script.py"
    public = [f"bt.{name}" for name in battletape.__all__]
    shown = [f"reveal_type({told})" for told in (*REVEALED, *public)]
    begins = ['answer = bt.ruleset("attack_dice").ask("attack")', 'battle = bt.Battle.new("attack_dice")']
    script.write_text("\n".join(["import battletape as bt", *begins, *shown, "bt.nobody"]), encoding="utf-8")
    said, trouble, _ = api.run(["--strict", "--no-pretty", f"--cache-dir={tmp_path / 'cache'}", str(script)])
    notes = [line.partition(" type is ")[2].strip('"') for line in said.splitlines() if "note: Revealed" in line]
    told = dict(zip((*REVEALED, *public), notes, strict=True))
    assert {name: told[name] for name in REVEALED} == REVEALED
    assert [name for name in public if told[name] in ("Any", "")] == []
    wrong = [line.partition("error: ")[2] for line in said.splitlines() if "error: " in line]
    assert wrong == ['Module has no attribute "nobody"  [attr-defined]']
    assert trouble == ""
