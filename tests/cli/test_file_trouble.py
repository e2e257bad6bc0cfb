"""Files that cannot be read or written: a sentence with the name and what would do, never the system's own text."""

from __future__ import annotations

import builtins
import errno
import os
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from battletape.battle import Battle
from battletape.battle.battle import EDITED
from battletape.battle.notation import write_battle
from battletape.battle.store import open_battle
from battletape.errors import file_trouble
from battletape.views.front_page import battles_in

FOLDER = "this is a folder; give the name of a file"
NOT_UTF8 = "line 2 is not UTF-8 text; save the file as UTF-8"
READING = {
    "inputs": ("odds", "attack_dice", "attack", "--input"),
    "own profiles": ("odds", "attack_dice", "attack", "--unit", "X", "--profiles"),
    "profiles": ("profiles", "attack_dice", "--file"),
    "sides": ("battle", "new", "attack_dice", "--sides"),
    "profiles of a battle": ("battle", "new", "attack_dice", "--profiles"),
}


@pytest.fixture(autouse=True)
def _files():
    Path("folder").mkdir()
    Path("latin.toml").write_bytes(b'name = "a"\nother = "caf\xe9"\n')


@pytest.mark.parametrize("args", READING.values(), ids=READING)
@pytest.mark.parametrize(
    "name, why",
    [
        ("folder", FOLDER),
        ("none.toml", "there is no such file"),
        ("latin.toml", NOT_UTF8),
        ("latin.toml/x", "what stands before the last “/” is a file, not a folder; give another path"),
        ("x" * 300, "the name is too long; choose a shorter one"),
    ],
)
def test_a_file_that_cannot_be_read(bt, args, name, why):
    result = bt(*args, name, code=2)
    assert result.stderr == f"{name}: it cannot be read: {why}\n"
    assert result.stdout == ""
    assert not Path("battle.bt").exists()


@pytest.mark.parametrize("args", READING.values(), ids=READING)
def test_a_file_that_may_not_be_read(bt, args, monkeypatch):
    real = open

    def refuse(path, *more, **named):
        if str(path) == "latin.toml":
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
        return real(path, *more, **named)

    monkeypatch.setattr(builtins, "open", refuse)
    told = bt(*args, "latin.toml", code=2).stderr
    assert told == (
        "latin.toml: it cannot be read: you are not allowed to read it; ask its owner, or give another file\n"
    )


def test_a_file_too_large_is_not_read(bt):
    Path("large.toml").write_bytes(b"#" * 1_000_001)
    told = bt("odds", "attack_dice", "attack", "--input", "large.toml", code=2).stderr
    assert told == "large.toml: a file may have at most 1,000,000 bytes; this one is larger\n"


def test_a_battle_in_a_folder(bt):
    for command in (("show",), ("log",), ("undo",), ("do", "start"), ("export",)):
        told = bt("battle", *command, "--file", "folder", code=2).stderr
        assert told == f"'folder' cannot be read: {FOLDER}\n"
    told = bt("battle", "new", "attack_dice", "--file", "folder", code=2).stderr
    assert told == "'folder' is a folder; choose another name with --file, or move it away.\n"


def test_a_battle_where_no_folder_is(bt):
    told = bt("battle", "new", "attack_dice", "--file", "no/battle.bt", code=2).stderr
    assert told == (
        "'no/battle.bt' could not be written: there is no such folder; make it first, or choose another place\n"
    )


def test_an_export_that_cannot_be_written(bt):
    bt("battle", "new", "attack_dice")
    told = bt("battle", "export", "-o", "no/log.txt", code=2).stderr
    assert told.startswith("'no/log.txt' could not be written: there is no such folder; make it first")
    for force in ((), ("--force",)):
        told = bt("battle", "export", "-o", "folder", *force, code=2).stderr
        assert told == "'folder' is a folder; an export needs the name of a file, in it or elsewhere.\n"


def test_a_disk_that_is_full(bt, monkeypatch):
    bt("battle", "new", "attack_dice")
    before = Path("battle.bt").read_bytes()

    def full(handle):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("battletape.battle.store.os.fsync", full)
    told = bt("battle", "do", "start", code=2).stderr
    assert told == (
        "'battle.bt' could not be written: the disk is full; make room, or choose another place "
        "(what was there before is untouched)\n"
    )
    assert Path("battle.bt").read_bytes() == before


def test_a_disk_that_does_not_confirm(bt, monkeypatch):
    bt("battle", "new", "attack_dice")
    synced: list[int] = []

    def fsync(handle):
        synced.append(handle)
        if len(synced) % 2 == 0:  # the file, then its folder
            raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr("battletape.battle.store.os.fsync", fsync)
    done = bt("battle", "do", "start", code=3)
    assert done.stderr.startswith(
        "'battle.bt' was written, but the disk does not confirm it, so a power cut may undo it"
    )
    assert done.stdout.startswith("1. start")
    told = bt("battle", "export", "-o", "log.txt", code=3).stderr
    assert told.startswith("'log.txt' was written, but the disk does not confirm it")
    assert Path("log.txt").exists()
    assert len(open_battle("battle.bt").battle.moves) == 1


def test_a_battle_whose_checkpoint_does_not_fit(bt):
    battle = Battle.new("attack_dice", title="The ford")
    battle.push("start", tape=1)
    battle.push("done", unit=battle.legal()[0].params.unit)
    whole = write_battle(battle, checkpoint=True)
    path = Path("battle.bt")
    path.write_text(whole.replace("title: The ford", "title: The fort"))
    changed = "Its lines were changed since they were written, but the moves end as the checkpoint says."
    assert f"everything fits. {changed}" in bt("battle", "check").stdout
    path.write_text(whole.replace("hp = ", "hp = 1", 1))
    told = bt("battle", "show").stderr
    assert ": the moves above end in another state than this checkpoint says (units 1 ranks 1 2: " in told
    assert told.endswith("a line was changed or damaged, and the battle goes by its moves.\n")
    for how in ((), ("--json",)):
        found = bt("battle", "check", *how, code=2)
        assert "the moves above end in another state" in found.stdout + found.stderr
    assert "saved in battle-mended.bt" in bt("battle", "check", "--mend").stdout
    assert "everything fits.\n" in bt("battle", "check", "--file", "battle-mended.bt").stdout


@pytest.mark.parametrize(
    "number, writing, said",
    [
        (errno.EACCES, True, "you are not allowed to write there; choose another place"),
        (errno.EROFS, True, "nothing can be written on that disk; choose another place"),
        (errno.ELOOP, False, "it is a link that leads back to itself; give the file it should lead to"),
        (errno.EIO, False, f"the system says: {os.strerror(errno.EIO)}"),
    ],
)
def test_other_trouble_in_words(number, writing, said):
    assert file_trouble(OSError(number, os.strerror(number)), writing=writing) == said


@pytest.fixture
def pipe() -> Iterator[str]:
    """A pipe that nobody writes into; a reader who waits for it is woken after a while."""

    def wake(*_: object) -> None:
        raise AssertionError("somebody waits for a pipe")

    os.mkfifo("pipe.bt")
    before = signal.signal(signal.SIGALRM, wake)
    signal.alarm(60)
    yield "pipe.bt"
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize(
    "command",
    [
        ("battle", "show", "--file"),
        ("battle", "do", "start", "--file"),
        ("battle", "check", "--file"),
        ("battle", "check", "--mend", "--file"),
        ("battle", "export", "--file"),
        ("battle", "new", "attack_dice", "--file"),
        ("battle", "new", "attack_dice", "--sides"),
        ("battle", "new", "attack_dice", "--profiles"),
        ("odds", "attack_dice", "attack", "--input"),
        ("odds", "attack_dice", "attack", "--weapon", "Yew bow", "--profiles"),
        ("roll", "attack_dice", "attack", "--input"),
        ("print", "--battle"),
        ("print", "attack_dice", "unit_cards", "--list"),
    ],
)
def test_a_pipe_is_refused_without_waiting(bt, pipe, command):
    told = bt(*command, pipe, code=2).stderr
    assert "it is a pipe, a device or a socket; give the name of a file" in told or "is there already" in told
    assert "Traceback" not in told
    assert Path(pipe).is_fifo()
    assert not Path("battle.bt").exists()


def test_devices_and_sockets_are_no_files(bt):
    with socket.socket(socket.AF_UNIX) as door:
        door.bind("door")
        for name in ("door", "/dev/zero", "/dev/tty"):
            told = bt("battle", "show", "--file", name, code=2).stderr
            assert "it is a pipe, a device or a socket" in told


def test_the_home_page_passes_over_a_pipe(pipe):
    assert battles_in(Path(), {"attack_dice": "Attack dice"}) == ()


# --- battle files of other editors, and damaged ones ------------------------------------------------------------------


def test_a_battle_keeps_the_line_ends_of_its_file(bt):
    bt("battle", "new", "attack_dice")
    path = Path("battle.bt")
    assert b"\r" not in path.read_bytes()
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    bt("battle", "do", "start")
    bt("battle", "undo")
    raw = path.read_bytes()
    assert b"\r\n1. start\r\nundo 1\r\n--- end " in raw
    assert raw.count(b"\n") == raw.count(b"\r\n")
    assert bt("battle", "check").stdout.endswith("everything fits.\n")
    path.write_bytes(raw.partition(b"--- end")[0])
    bt("battle", "check", "--mend")
    assert Path("battle-mended.bt").read_bytes() == raw


def test_a_long_battle_keeps_its_checkpoint_and_its_line_ends(bt):
    bt("battle", "new", "attack_dice")
    file = open_battle("battle.bt")
    for _ in range(30):
        file.battle.push("lose_hp", unit="Bramble mammoth", hp=1)
        file.battle.push("restore_hp", unit="Bramble mammoth", hp=1)
    file.line_end = "\r\n"
    file.save()
    assert b"--- checkpoint 60 " in Path("battle.bt").read_bytes()
    again = open_battle("battle.bt")
    assert (again.battle.opened, again.line_end, again.battle) == ("checkpoint", "\r\n", file.battle)


@pytest.mark.parametrize("text", ["", "hello\n", "battletape battle 99\nversion: 9.9\n", "battletape battle 1\n"])
def test_a_file_that_cannot_be_mended_is_not_said_to_be(bt, text):
    Path("battle.bt").write_text(text, encoding="utf-8")
    for command in (("show",), ("do", "start"), ("check",), ("check", "--mend")):
        told = bt("battle", *command, code=2).stderr
        assert told.startswith("battle.bt")
        assert "--mend" not in told


def test_a_file_that_can_be_mended_says_how(bt):
    bt("battle", "new", "attack_dice", "--file", "my battle.bt")
    path = Path("my battle.bt")
    whole = path.read_text(encoding="utf-8")
    path.write_text(whole.partition("--- end")[0], encoding="utf-8")
    line = "battletape battle check --mend --file 'my battle.bt'"
    assert f"To go on with what is whole: {line}\n" in bt("battle", "show", "--file", "my battle.bt", code=2).stderr
    told = bt("battle", "check", "--file", "my battle.bt", code=2).stderr
    assert told.endswith(f"\nthe start before that is whole; save it with: {line}\n")
    bt("battle", "check", "--mend", "--file", "my battle.bt")
    assert Path("my battle-mended.bt").read_text(encoding="utf-8") == whole


def test_an_edited_battle_is_noted_and_its_checksum_written_anew(bt, bt_json):
    bt("battle", "new", "attack_dice", "--title", "The ford")
    path = Path("battle.bt")
    edited = path.read_text(encoding="utf-8").replace("The ford", "The fort")
    path.write_text(edited, encoding="utf-8")
    note = "battle.bt: it was edited or damaged after Battletape wrote it"
    for command in (("show",), ("check",), ("log",)):
        assert bt("battle", *command).stderr.startswith(note)
    assert bt_json("battle", "check")["notes"][0] == EDITED
    told = bt("battle", "check").stdout
    assert told.endswith(
        "everything fits. Its checksum is written anew by: battletape battle check --mend --file battle.bt\n"
    )
    assert path.read_text(encoding="utf-8") == edited
    told = bt("battle", "check", "--mend", "-o", "own.bt").stdout
    assert told.endswith("Its checksum was written anew in own.bt\n")
    assert bt("battle", "check", "--mend").stdout.endswith("Its checksum was written anew in battle.bt\n")
    assert path.read_bytes() == Path("own.bt").read_bytes()
    whole = bt("battle", "check")
    assert (whole.stderr, whole.stdout.endswith("everything fits.\n")) == ("", True)
    assert path.read_text(encoding="utf-8").partition("--- end")[0] == edited.partition("--- end")[0]


def test_a_checkpoint_of_another_state_is_mended_by_the_replay(bt):
    bt("battle", "new", "attack_dice")
    file = open_battle("battle.bt")
    file.battle.push("lose_hp", unit="Bramble mammoth", hp=3)
    honest = file.battle.state
    file.battle.push("restore_hp", unit="Bramble mammoth", hp=3)
    file.battle.trust(2, honest)  # what a program with other rules might have written
    Path("battle.bt").write_text(write_battle(file.battle, checkpoint=True), encoding="utf-8")
    assert "than the checkpoint says" in bt("battle", "check", code=2).stderr
    assert "saved in battle-mended.bt" in bt("battle", "check", "--mend").stdout
    assert (
        "2 moves with 0 answers replayed; everything fits" in bt("battle", "check", "--file", "battle-mended.bt").stdout
    )
