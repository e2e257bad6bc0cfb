"""Every system call of a save fails in turn, or the program dies there: the file is the old one or the new one."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import threading
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from battletape import registry
from battletape.battle import Battle, BattleFault, store
from battletape.battle.reading import read_battle
from battletape.battle.store import Unconfirmed, load, new_file, open_battle, save, write
from battletape.conformance.random_play import play_at_random
from battletape.errors import BattletapeError
from tests.battle.battles import long_battle, skirmish

ROOT = Path(__file__).parents[2]
RULESETS = ("attack_dice", "vehicles5", "diceless40k", "second_edition", "deathwatch")
CALLS = ("open", "write", "fsync", "close", "replace", "stat", "chmod", "chown", "unlink", "listdir")
TROUBLES = (errno.ENOSPC, errno.EIO, errno.EXDEV, errno.EPERM)
KILL = 0


class Killed(BaseException):
    """The program is dead: not even its clean-up runs."""


class Machine:
    """The system as the store sees it: its call of this number fails, or is the last one."""

    def __init__(self, at: int = -1, trouble: int = KILL) -> None:
        self.at, self.trouble = at, trouble
        self.calls: list[str] = []
        self.handles: set[int] = set()
        self.dead = False

    def __getattr__(self, name: str) -> Any:
        real = (
            getattr(os, name) if name != "fsync" else lambda handle: None
        )  # it takes long, and a test sees no difference
        return real if name not in CALLS else lambda *args: self.call(name, real, args)

    def call(self, name: str, real: Any, args: tuple[Any, ...]) -> Any:
        if self.dead:
            raise Killed
        self.calls.append(name)
        if len(self.calls) - 1 == self.at:
            if name == "close":  # whatever it says, the file is closed
                self.done(name, real(*args), args)
            elif name == "write":
                real(args[0], args[1][: len(args[1]) // 2])
            if self.trouble != KILL:
                raise OSError(self.trouble, os.strerror(self.trouble))
            self.dead = True
            raise Killed
        return self.done(name, real(*args), args)

    def done(self, name: str, result: Any, args: tuple[Any, ...]) -> Any:
        if name == "open":
            self.handles.add(result)
        elif name == "close":
            self.handles.remove(args[0])
        return result

    def bury(self) -> None:
        """What the system does for a dead program."""
        for handle in self.handles:
            os.close(handle)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@cache
def texts(name: str) -> tuple[str, str]:
    """A battle of a ruleset before and after a move."""
    battle = Battle.new(name)
    play_at_random(battle, list(range(7, 400, 57)))
    text = battle.text
    play_at_random(battle, [3])
    assert read_battle(battle.text).check().moves >= read_battle(text).check().moves > 0
    assert text != battle.text
    return text, battle.text


def save_on(machine: Machine, path: Path, new: str, mark: str | None, patch: pytest.MonkeyPatch) -> Exception | None:
    """Save on this machine; what was said of it."""
    with patch.context() as on_it:
        on_it.setattr(store, "os", machine)
        try:
            save(path, new, mark)
        except BattletapeError as error:
            return error
        except Killed:
            assert machine.dead
        finally:
            machine.bury()
    return None


@pytest.mark.parametrize(("name", "lock"), [*((name, "folder") for name in RULESETS), ("deathwatch", "file")])
def test_whatever_call_of_a_save_fails_the_file_is_whole_and_the_truth_is_told(tmp_path, monkeypatch, name, lock):
    if lock == "file":
        monkeypatch.setattr(store, "fcntl", None)
        monkeypatch.setattr(store, "LOCK_SECONDS", 0.05)
    path = tmp_path / "own.battle"
    old, new = texts(name)
    mark = write(path, old)
    every = Machine()
    assert save_on(every, path, new, mark, monkeypatch) is None
    assert {"open", "write", "fsync", "close", "replace", "stat", "chmod", "listdir"} <= {*every.calls}
    before, after = every.calls[: every.calls.index("replace")], every.calls[every.calls.index("replace") :]
    assert before.index("write") < before.index("fsync")  # what takes the place of the old battle is on the disk
    assert "fsync" in after  # and so is its name
    for at, call in enumerate(every.calls):
        for trouble in (*TROUBLES, KILL):
            path.write_text(old, encoding="utf-8")
            said = save_on(Machine(at, trouble), path, new, mark, monkeypatch)
            now = path.read_text(encoding="utf-8")
            where = f"{call} ({at}): {said}"
            if trouble == KILL:
                assert now in (old, new), where
            elif said is None or isinstance(said, Unconfirmed):
                assert now == new, where
            else:
                assert now == old, where
                assert "written" in str(said), where
                assert names(tmp_path) in (["own.battle"], [store.LOCK, "own.battle"]), where  # no part of it is left
            if trouble == KILL:
                save_on(Machine(), path, new, store._mark(now.encode()), monkeypatch)  # nothing is in its way
                assert path.read_text(encoding="utf-8") == new, where
                assert names(tmp_path) == ["own.battle"], where


def test_a_new_battle_is_there_or_not(tmp_path, monkeypatch):
    path, text = tmp_path / "own.battle", texts("attack_dice")[0]
    every = Machine()
    assert save_on(every, path, text, None, monkeypatch) is None
    for at in range(len(every.calls)):
        for trouble in (errno.ENOSPC, KILL):
            path.unlink(missing_ok=True)
            said = save_on(Machine(at, trouble), path, text, None, monkeypatch)
            assert not path.exists() or path.read_text(encoding="utf-8") == text
            assert trouble == KILL or path.exists() == (said is None or isinstance(said, Unconfirmed))


KILLED = """
import os, signal, sys
from battletape.battle import store
path, number, text = sys.argv[1], int(sys.argv[2]), sys.stdin.read()
mark, calls = store.load(path)[1], 0
def counted(real):
    def call(*args):
        global calls
        calls += 1
        if calls == number:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(*args)
    return call
for name in ("open", "write", "fsync", "close", "replace"):
    setattr(store.os, name, counted(getattr(os, name)))
store.save(path, text, mark)
"""


@pytest.mark.parametrize("number", [4, 5, 7])  # of open, open to read, open, write, fsync, close, replace
def test_a_program_that_is_killed_leaves_the_old_battle_and_the_next_one_sweeps(tmp_path, number):
    path = tmp_path / "own.battle"
    old, new = texts("deathwatch")
    mark = write(path, old)
    paths = {"PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])}
    command = [sys.executable, "-c", KILLED, str(path), str(number)]
    done = subprocess.run(command, env={**os.environ, **paths}, input=new.encode(), check=False)
    assert done.returncode == -signal.SIGKILL
    assert path.read_text(encoding="utf-8") == old
    assert len(names(tmp_path)) == 2
    save(path, new, mark)
    assert names(tmp_path) == ["own.battle"]


def test_only_what_was_left_behind_is_swept(tmp_path, monkeypatch):
    mark = write(tmp_path / "a", "one\n")
    left, other = tmp_path / f".battletape-{'0' * 16}.tmp", tmp_path / ".battletape-notes.tmp"
    for path in (left, other):
        path.write_text("x")
    mark = save(tmp_path / "a", "two\n", mark)
    assert names(tmp_path) == [other.name, "a"]
    monkeypatch.setattr(store, "_take_lock", lambda folder: None)  # nothing can be locked: it may still be written
    left.write_text("x")
    mark = save(tmp_path / "a", "three\n", mark)
    assert left.exists()
    os.utime(left, (0, 0))
    save(tmp_path / "a", "four\n", mark)
    assert names(tmp_path) == [other.name, "a"]


# --- what belongs to somebody -----------------------------------------------------------------------------------------


def test_a_read_only_battle_is_not_replaced(tmp_path):
    path = tmp_path / "own.battle"
    opened = new_file(path, Battle.new("attack_dice"))
    before = path.read_bytes()
    path.chmod(0o444)
    opened.battle.push("start", tape=1)
    said = r"own.battle' was not written, because it is read-only; make it writable, or copy it first"
    with pytest.raises(BattletapeError, match=said):
        opened.save()
    with pytest.raises(BattletapeError, match=said):
        write(path, "an export")
    assert path.read_bytes() == before
    assert names(tmp_path) == ["own.battle"]
    with pytest.raises(BattletapeError, match=said):
        save(path, "mended", opened.mark, aside=True)  # and no copy is made of what stays as it is
    assert names(tmp_path) == ["own.battle"]
    path.chmod(0o644)
    opened.save()
    assert open_battle(path).battle == opened.battle


def test_what_is_set_aside_may_be_read_by_nobody_else(tmp_path):
    path = tmp_path / "own.battle"
    mark = write(path, "damaged\n")
    path.chmod(0o600)
    save(path, "mended\n", mark, aside=True)
    aside = tmp_path / "own.battle.damaged-1"
    assert (aside.read_text(), aside.stat().st_mode & 0o777) == ("damaged\n", 0o600)


@pytest.mark.parametrize("allowed", [True, False])
def test_the_owner_of_a_battle_stays(tmp_path, monkeypatch, allowed):
    path = tmp_path / "own.battle"
    mark = write(path, "one\n")
    path.chmod(0o640)
    given: list[tuple[int, int]] = []
    real = os.stat

    class Root(Machine):
        """A machine where the battle belongs to somebody else."""

        def __getattr__(self, name: str) -> Any:
            if name == "stat":
                return self.stat
            return self.chown if name == "chown" else getattr(os, name)

        def stat(self, place: Path) -> Any:
            found = real(place)
            return os.stat_result((*found[:4], 4711, 4712, *found[6:])) if place == path else found

        def chown(self, place: Path, user: int, group: int) -> None:
            assert place.name.endswith(".tmp")
            given.append((user, group))
            if not allowed and user != -1:
                raise PermissionError(errno.EPERM, "no")

    monkeypatch.setattr(store, "os", Root())
    save(path, "two\n", mark)
    assert given == ([(4711, 4712)] if allowed else [(4711, 4712), (-1, 4712)])
    assert path.read_text() == "two\n"
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_folder_that_the_disk_does_not_confirm_is_told(tmp_path, monkeypatch):
    path = tmp_path / "own.battle"
    opened = new_file(path, Battle.new("attack_dice"))
    opened.battle.push("start", tape=1)
    synced = iter((None, errno.EIO))

    def fsync(handle: int) -> None:
        if trouble := next(synced):
            raise OSError(trouble, os.strerror(trouble))

    with monkeypatch.context() as patch:
        patch.setattr("battletape.battle.store.os.fsync", fsync)
        with pytest.raises(Unconfirmed, match=r"own.battle' was written, but the disk does not confirm it, so a power"):
            opened.save()
    assert open_battle(path).battle == opened.battle
    opened.battle.pop()
    opened.save()  # and it may be saved again
    assert open_battle(path).battle == opened.battle


@pytest.mark.parametrize("trouble", sorted(store._NO_SYNC))
def test_where_folders_cannot_be_synced_at_all_there_is_nothing_to_tell(tmp_path, monkeypatch, trouble):
    synced = iter((None, trouble))

    def fsync(handle: int) -> None:
        if number := next(synced):
            raise OSError(number, os.strerror(number))

    monkeypatch.setattr("battletape.battle.store.os.fsync", fsync)
    write(tmp_path / "own.battle", "one\n")
    assert list(synced) == []
    assert (tmp_path / "own.battle").read_text() == "one\n"


# --- locks ------------------------------------------------------------------------------------------------------------


class Bytes:
    """The locks of Windows: a byte of a file belongs to one handle at a time."""

    LK_NBLCK, LK_UNLCK = 2, 0

    def __init__(self) -> None:
        self.held: set[tuple[int, int]] = set()
        self.guard = threading.Lock()

    def locking(self, handle: int, mode: int, count: int) -> None:
        key = (os.fstat(handle).st_dev, os.fstat(handle).st_ino)
        with self.guard:
            if mode == self.LK_UNLCK:
                self.held.remove(key)
            elif key in self.held:
                raise OSError(errno.EACCES, "taken")
            else:
                self.held.add(key)


@pytest.mark.parametrize("lock", ["fcntl", "msvcrt", "a file"])
def test_two_who_write_at_once_take_turns(tmp_path, monkeypatch, lock):
    if lock != "fcntl":
        monkeypatch.setattr(store, "fcntl", None)
        monkeypatch.setattr(store, "msvcrt", Bytes() if lock == "msvcrt" else None)
    if lock == "msvcrt":  # Windows keeps a file that somebody else has open
        monkeypatch.setattr("battletape.battle.store.os.unlink", lambda place: None)
    monkeypatch.setattr(store, "LOCK_PAUSE_SECONDS", 0.001)
    path = tmp_path / "tally"
    write(path, "0\n")
    inside: list[int] = []
    real = store._read

    def read(place: Path, name: str) -> bytes | None:
        inside.append(threading.get_ident())
        found = real(place, name)
        threading.Event().wait(0.002)
        assert inside.pop() == threading.get_ident()
        assert inside == []
        return found

    monkeypatch.setattr(store, "_read", read)
    lost: list[str] = []

    def count() -> None:
        done = 0
        while done < 5:
            text, mark = load(path)
            try:
                save(path, f"{int(text) + 1}\n", mark)
                done += 1
            except BattletapeError as error:
                if "another program has changed it" not in str(error):
                    lost.append(str(error))
                    return

    threads = [threading.Thread(target=count) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert lost == []
    assert path.read_text() == "15\n"
    assert names(tmp_path) == ([".battletape.lock", "tally"] if lock == "msvcrt" else ["tally"])


def test_where_bytes_cannot_be_locked_a_file_is_the_lock(tmp_path, monkeypatch):
    class NoLocks(Bytes):
        def locking(self, handle: int, mode: int, count: int) -> None:
            raise OSError(errno.EINVAL, "no such locks on this drive")

    monkeypatch.setattr(store, "fcntl", None)
    monkeypatch.setattr(store, "msvcrt", NoLocks())
    monkeypatch.setattr(store, "LOCK_SECONDS", 0.05)  # the file that it opened in vain is still there
    monkeypatch.setattr(store, "LOCK_PAUSE_SECONDS", 0.001)
    write(tmp_path / "own.battle", "text\n")
    assert names(tmp_path) == ["own.battle"]


def test_a_lock_that_is_just_being_removed_is_waited_for(tmp_path, monkeypatch):
    refused = [PermissionError(errno.EACCES, "delete pending")] * 3
    real = os.open

    def refusing(place, *flags):
        if str(place).endswith(store.LOCK) and refused:
            raise refused.pop()
        return real(place, *flags)

    bytes_of = Bytes()
    monkeypatch.setattr(store, "fcntl", None)
    monkeypatch.setattr(store, "msvcrt", bytes_of)
    monkeypatch.setattr(store, "LOCK_PAUSE_SECONDS", 0.001)
    monkeypatch.setattr("battletape.battle.store.os.open", refusing)
    release = store._lock_byte(tmp_path)
    assert not refused
    assert len(bytes_of.held) == 1
    release()
    assert not bytes_of.held
    assert names(tmp_path) == []


def test_a_lock_file_left_behind_holds_nobody_up_for_long(tmp_path, monkeypatch):
    monkeypatch.setattr(store, "fcntl", None)
    monkeypatch.setattr(store, "LOCK_SECONDS", 0.05)
    (tmp_path / store.LOCK).write_text("")
    write(tmp_path / "a", "one\n")
    assert names(tmp_path) == ["a"]


# --- checkpoints ------------------------------------------------------------------------------------------------------


def test_a_flip_in_a_long_battle_is_told_and_nothing_is_lost(tmp_path):
    path = tmp_path / "long.battle"
    whole = long_battle(60)
    write(path, whole.text.replace("58. move unit=Ash to=0", "58. move unit=Ash to=2", 1))
    damaged = path.read_bytes()
    opened = open_battle(path)
    assert opened.battle.opened == "replay"
    line = whole.text[: whole.text.index("--- checkpoint")].count("\n") + 1
    said = (
        f"{path} line {line}: the moves above end in another state than this checkpoint says "
        "(fighters 1 at: 2, not 0); a line was changed or damaged, and the battle goes by its moves"
    )
    assert str(opened.battle.doubt) == said
    with pytest.raises(BattleFault) as told:
        opened.battle.check()
    assert str(told.value) == said
    opened.battle.push("end_turn")
    opened.save()
    assert opened.battle.doubt is None
    assert (tmp_path / "long.battle.damaged-1").read_bytes() == damaged
    assert open_battle(path).battle.check().moves == 61


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('{"rulings"', '{"rulinks"', "this checkpoint cannot be read"),
        ("--- checkpoint 60", "--- checkpoint 6x", "this checkpoint cannot be read"),
        (
            "--- checkpoint 60",
            "--- checkpoint 59",
            "this checkpoint is of move 59, but move 60 is the last that counts",
        ),
        ('"at":24', '"at":20', r"another state than this checkpoint says \(fighters 2 at: 24, not 20\)"),
    ],
)
def test_a_flip_inside_a_checkpoint_is_told(old, new, said):
    text = long_battle(60).text
    assert text.count(old) == 1
    opened = read_battle(text.replace(old, new), "long.battle")
    assert opened.state == long_battle(60).state
    with pytest.raises(BattleFault, match=rf"^long.battle line [0-9]+: .*{said}"):
        opened.check()


def test_what_was_changed_by_hand_without_effect_is_no_fault(tmp_path):
    text = long_battle(60).text.replace("--- moves\n", "--- moves\n# we met at noon\n")
    opened = read_battle(text)
    assert (opened.opened, opened.changed, opened.doubt) == ("replay", True, None)
    assert opened.check().moves == 60
    assert not read_battle(long_battle(60).text).changed
    assert not read_battle(skirmish().text).changed


def test_the_checkpoint_of_another_version_counts_for_nothing():
    text = long_battle(60).text
    head, _, tail = text.partition("--- checkpoint")
    first, _, rest = tail.partition("\n")
    other = f"{head}--- checkpoint{first.rpartition(' ')[0]} 0.0.9\n{rest}".replace('"at":24', '"at":20')
    opened = read_battle(other)
    assert (opened.opened, opened.changed, opened.doubt) == ("replay", False, None)
    assert opened.check().moves == 60
    assert registry.ruleset("toy")
