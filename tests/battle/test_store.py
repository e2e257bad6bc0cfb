"""Files: whole or not at all, whatever fails; two programs do not overwrite each other."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from battletape.battle import Battle, BattleFault, store
from battletape.battle.store import BattleFile, load, new_file, open_battle, save, write
from battletape.errors import BadInput, BattletapeError
from tests.battle.battles import plain_end, skirmish
from tests.toy import RULESET

ROOT = Path(__file__).parents[2]


def names(folder: Path) -> list[str]:
    return sorted(one.name for one in folder.iterdir())


def test_a_battle_lives_in_its_file(tmp_path):
    path = tmp_path / "ford.battle"
    made = new_file(path, Battle.new(RULESET))
    made.battle.push("move", unit="Ash", to=4)
    made.save()
    opened = open_battle(str(path))
    assert (opened.battle, opened.fault) == (made.battle, None)
    opened.battle.pop()
    opened.save()
    opened.battle.redo()
    opened.save()
    assert open_battle(path).battle == opened.battle
    assert names(tmp_path) == ["ford.battle"]


def test_a_new_file_does_not_replace_an_old_one(tmp_path):
    path = tmp_path / "ford.battle"
    path.write_text("dear diary")
    with pytest.raises(BattletapeError, match="was not written, because it exists already; choose another name"):
        new_file(path, skirmish())
    assert path.read_text() == "dear diary"


def test_two_programs_do_not_overwrite_each_other(tmp_path):
    path = tmp_path / "ford.battle"
    new_file(path, Battle.new(RULESET))
    mine, yours = open_battle(path), open_battle(path)
    mine.battle.push("move", unit="Ash", to=4)
    mine.save()
    yours.battle.push("move", unit="Ash", to=2)
    with pytest.raises(BattletapeError, match="because another program has changed it; open it again and repeat"):
        yours.save()
    assert open_battle(path).battle == mine.battle
    path.unlink()
    with pytest.raises(BattletapeError, match="because it is gone"):
        yours.save()
    assert names(tmp_path) == []


def test_the_mode_of_a_file_and_a_link_to_it_stay(tmp_path):
    path, link = tmp_path / "ford.battle", tmp_path / "link"
    new_file(path, Battle.new(RULESET))
    path.chmod(0o640)
    link.symlink_to(path)
    opened = open_battle(link)
    opened.battle.push("end_turn")
    opened.save()
    assert link.is_symlink()
    assert path.stat().st_mode & 0o777 == 0o640
    assert open_battle(path).battle == opened.battle


def test_the_lock_is_let_go_and_a_folder_that_cannot_be_locked_does_no_harm(tmp_path, monkeypatch):
    def fail(*_: object) -> None:
        raise OSError(errno.ENOLCK, "no locks here")

    path = tmp_path / "a"
    mark = save(path, "one\n", None)
    monkeypatch.setattr("battletape.battle.store.fcntl.flock", fail)
    mark = save(path, "two\n", mark)
    monkeypatch.setattr(store, "fcntl", None)
    save(path, "three\n", mark)
    assert load(path)[0] == "three\n"


def test_a_damaged_file_is_set_aside_before_the_salvaged_battle_is_saved(tmp_path):
    path = tmp_path / "ford.battle"
    text = skirmish().text
    damaged = text.replace("to=3", "to=zwei").encode() + b"\xff"
    for number in (1, 2):
        path.write_bytes(damaged)
        with pytest.raises(BattleFault, match=r"ford\.battle line 59: move: to must be a whole number"):
            open_battle(path)
        kept = open_battle(path, keep=True)
        assert isinstance(kept.fault, BattleFault)
        assert len(kept.battle.journal) == 3
        assert path.read_bytes() == damaged
        kept.save()
        assert kept.fault is None
        assert open_battle(path).battle == kept.battle
        assert (tmp_path / f"ford.battle.damaged-{number}").read_bytes() == damaged
    assert len(names(tmp_path)) == 3


def test_a_file_without_a_head_cannot_be_kept(tmp_path):
    path = tmp_path / "ford.battle"
    path.write_text("battletape battle 1\nrule")
    with pytest.raises(BattleFault, match="line 2: the header needs"):
        open_battle(path, keep=True)
    path.write_text(skirmish().text)
    assert open_battle(path, keep=True).fault is None


def test_bytes_that_are_no_text_are_told_by_their_line_or_stay_in_a_comment(tmp_path):
    path = tmp_path / "ford.battle"
    raw = plain_end(skirmish().text).encode()
    path.write_bytes(raw.replace(b"title: The ford", b"title: The f\xfford"))
    with pytest.raises(BattleFault, match="line 4: title must be one line"):
        open_battle(path)
    commented = raw.replace(b"--- moves\n", b"--- moves\n# \xff\n")
    path.write_bytes(commented)
    open_battle(path).save()
    assert path.read_bytes().startswith(commented.removesuffix(b"\n"))
    assert not open_battle(path).battle.edited


def test_files_that_cannot_be_read_or_written(tmp_path, monkeypatch):
    with pytest.raises(BadInput, match="there is no file"):
        open_battle(tmp_path / "none")
    with pytest.raises(BadInput, match="cannot be read: this is a folder; give the name of a file"):
        load(tmp_path)
    with pytest.raises(BattletapeError, match="could not be written: this is a folder; give the name of a file in it"):
        save(tmp_path, "text", None)
    with pytest.raises(BattletapeError, match="could not be written: there is no such folder; make it first"):
        save(tmp_path / "no" / "folder", "text", None)
    with pytest.raises(BattletapeError, match="could not be written: it holds characters that are no text"):
        write(tmp_path / "a", "\ud800")
    monkeypatch.setattr(store, "MOST_BYTES", 10)
    (tmp_path / "b").write_text("x" * 11)
    with pytest.raises(BadInput, match="is larger than 10 bytes, too large for a battle"):
        load(tmp_path / "b")
    assert names(tmp_path) == ["b"]


def test_a_battle_file_is_plain_data():
    battle = skirmish()
    assert BattleFile(Path("a"), battle, None).battle is battle
