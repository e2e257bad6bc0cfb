"""Files cut at every character and damaged at every line: a sentence with the line, and nothing lost in silence."""

from __future__ import annotations

from collections import Counter

import pytest

from battletape.battle import Battle, BattleFault
from battletape.battle.battle import EDITED
from battletape.battle.notation import write_battle
from battletape.battle.reading import read_battle, salvage_battle
from battletape.battle.store import open_battle
from battletape.errors import BattletapeError
from tests.battle.battles import plain_end, skirmish
from tests.toy import RULESET

WHOLE = write_battle(skirmish(), checkpoint=True)
LINES = WHOLE.split("\n")[:-1]


def is_checked(battle: Battle) -> bool:
    """Everything fits; or the moves end elsewhere than the checkpoint says, and that is told."""
    try:
        return bool(battle.check())
    except BattleFault as fault:
        return fault is battle.doubt and "the battle goes by its moves" in str(fault)


def is_prefix(part: Battle, whole: Battle) -> bool:
    return part.journal == whole.journal[: len(part.journal)]


def test_a_file_cut_anywhere_is_told_and_its_whole_moves_are_kept():
    whole = skirmish()
    head = WHOLE.index("--- moves\n") + len("--- moves\n")
    kept: list[int] = []
    last = WHOLE.index("--- end ") + len("--- end")
    for at in range(last):
        battle, fault = salvage_battle(WHOLE[:at], "cut.battle")
        assert isinstance(fault, BattleFault), at
        assert str(fault).startswith("cut.battle"), at
        assert fault.line in (0, WHOLE[:at].count("\n"), WHOLE[:at].count("\n") + 1), at
        assert (battle is None) == (at < head - 1), at
        if battle is not None:
            assert is_prefix(battle, whole), at
            assert kept[-1:] == [len(battle.journal)] or read_battle(battle.text) == battle, at
            kept.append(len(battle.journal))
    assert kept == sorted(kept)
    assert set(kept) == set(range(len(whole.journal) + 1))
    for at in range(last, len(WHOLE)):  # all moves are there; a part of the checksum tells that something is missing
        opened = read_battle(WHOLE[:at])
        assert opened == whole
        assert opened.edited == (last + 1 < at < len(WHOLE) - 1)


def test_nothing_above_a_cut_is_dropped():
    begin = LINES.index("--- moves") + 1
    done = 0
    for number in range(begin, len(LINES) - 1):
        if LINES[number].startswith(" ") or number == begin:
            continue
        done += 1  # the item above this line is whole
        battle, fault = salvage_battle("\n".join(LINES[:number]) + "\n")
        assert battle is not None
        assert fault is not None
        assert len(battle.journal) == min(done, len(skirmish().journal))


@pytest.mark.parametrize("number", range(1, len(LINES) + 1))
def test_a_line_replaced_by_anything_gives_a_battle_or_a_sentence(number):
    for damage in ("", "#", "x", "   x", "--- x", "9. x", "undo 9", "\x00", "= [", "{", "\udcff"):
        text = "\n".join([*LINES[: number - 1], damage, *LINES[number:]]) + "\n"
        battle, fault = salvage_battle(text, "bad.battle")
        if fault is None:
            assert battle is not None
            assert read_battle(battle.text) == battle
            assert is_checked(battle)
        else:
            assert isinstance(fault, BattleFault)
            assert str(fault).startswith("bad.battle")
            assert battle is None or is_prefix(battle, skirmish())


@pytest.mark.parametrize("number", range(1, len(LINES) + 1))
def test_a_line_missing_or_twice_gives_a_battle_or_a_sentence(number):
    for lines in ([*LINES[: number - 1], *LINES[number:]], [*LINES[:number], *LINES[number - 1 :]]):
        battle, fault = salvage_battle("\n".join(lines) + "\n", "bad.battle")
        assert fault is None or str(fault).startswith("bad.battle")
        assert fault is not None or (battle is not None and is_checked(battle))


@pytest.mark.parametrize("checkpoint, step", [(False, 1), (True, 7)])
def test_every_flipped_bit_is_refused_or_noted_or_changes_nothing(checkpoint, step):
    whole = skirmish()
    raw = write_battle(whole, checkpoint=checkpoint).encode()
    fates: Counter[str] = Counter()
    for at in range(0, len(raw), step):
        for bit in {at % 8, (at + 3) % 8}:
            damaged = raw[:at] + bytes([raw[at] ^ 1 << bit]) + raw[at + 1 :]
            try:
                opened = read_battle(damaged.decode("utf-8", "surrogateescape"))
            except BattletapeError:
                fates["refused"] += 1
                continue
            noted = EDITED in opened.notes or opened.doubt is not None
            assert noted or opened == whole, (at, bit)
            fates["noted" if noted else "the same"] += 1
    assert fates["refused"] > fates["noted"] > 20 > fates["the same"]


def test_a_file_that_people_wrote_needs_no_checksum():
    opened = read_battle(plain_end(WHOLE))
    assert (opened, opened.edited, opened.notes) == (skirmish(), False, ())
    assert read_battle(opened.text).text == opened.text


def test_a_save_writes_the_checksum_anew(tmp_path):
    path = tmp_path / "ford.battle"
    path.write_text(skirmish().text.replace("The ford at dusk", "The ford at dawn"), encoding="utf-8")
    file = open_battle(path)
    assert file.battle.notes == (EDITED,)
    file.save()
    assert file.battle.notes == open_battle(path).battle.notes == ()
    assert [place.name for place in tmp_path.iterdir()] == ["ford.battle"]  # nothing is set aside


def test_every_answer_changed_by_one_character_is_a_sentence_or_another_battle():
    for number, line in enumerate(LINES, 1):
        if line.startswith("   ") and number > LINES.index("--- moves"):
            for wrong in (
                line + "9",
                line[:-1] + "0",
                line.replace("[", "(", 1),
                line.strip(),
                line.replace(" = ", " "),
            ):
                text = "\n".join([*LINES[: number - 1], wrong, *LINES[number:]]) + "\n"
                battle, fault = salvage_battle(text)
                assert battle is not None
                assert fault is not None or battle != skirmish()


def test_a_salvaged_battle_can_go_on():
    battle, fault = salvage_battle(WHOLE[: WHOLE.index("4. end_turn") + 5])
    assert fault is not None
    assert battle is not None
    assert [move.number for move in battle.moves] == [1, 3]
    battle.push("end_turn")
    again = read_battle(battle.text)
    assert again.where["side"] == "blue"
    assert again.ruleset is RULESET
