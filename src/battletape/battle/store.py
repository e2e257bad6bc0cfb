"""Files that a crash cannot break, and that two programs cannot overwrite behind each other's back."""

from __future__ import annotations

import errno
import os
import re
import secrets
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from time import monotonic, sleep, time
from typing import Any

from battletape.battle.battle import Battle
from battletape.battle.reading import read_battle, salvage_battle
from battletape.errors import BadInput, BattletapeError, file_trouble
from battletape.profiles import read_file

fcntl: Any = None
msvcrt: Any = None
try:
    import fcntl
except ImportError:  # Windows
    with suppress(ImportError):
        import msvcrt

MOST_BYTES = 64_000_000
LOCK = ".battletape.lock"
"""The file that says “wait” where a folder cannot be locked."""
LOCK_SECONDS = 5.0
"""After so many seconds such a file counts as left behind: no save takes so long."""
LOCK_PAUSE_SECONDS = 0.02
"""How long to wait before trying again, in seconds."""
REMOVING = 10
"""How many pauses a program may take to remove such a file."""
STALE_SECONDS = 3600.0
"""After so many seconds a temporary file counts as left behind, if nothing can be locked."""
_TAKEN = {errno.EACCES, errno.EDEADLK, errno.EAGAIN}
"""What Windows says of a byte that another program has locked."""
_PART = re.compile(r"\.battletape-[0-9a-f]{16}\.tmp")
_NO_SYNC = {errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EBADF, errno.EACCES, errno.EISDIR}
"""What systems say that cannot sync a folder at all; there is nothing to tell then."""


class Unconfirmed(BattletapeError):
    """A file was written, but the disk does not promise that it will still be there after a power cut."""

    was_done = True

    def __init__(self, message: str, mark: str = "") -> None:
        super().__init__(message)
        self.mark = mark


class ChangedMeanwhile(BattletapeError):
    """A file was not written, because another program has changed it since it was read."""


@dataclass
class BattleFile:
    """A battle and the file it lives in; `fault` says what was wrong with the file if only a part could be read."""

    path: Path
    battle: Battle
    mark: str | None  # of the bytes as they were read; None for a file that does not exist yet
    fault: BattletapeError | None = None
    line_end: str = "\n"  # as the file had it: an editor on Windows ends lines with two characters

    @property
    def text(self) -> str:
        """The battle as it is written into the file."""
        return self.battle.text.replace("\n", self.line_end)

    def save(self) -> None:
        """Write the battle; a file that another program has changed since is left alone, a damaged one set aside."""
        doubtful = self.fault is not None or self.battle.doubt is not None
        unconfirmed: Unconfirmed | None = None
        try:
            self.mark = save(self.path, self.text, self.mark, aside=doubtful)
        except Unconfirmed as error:
            self.mark, unconfirmed = error.mark, error
        self.fault = self.battle.doubt = None
        self.battle.edited = False
        if unconfirmed is not None:
            raise unconfirmed


def open_battle(path: str | Path, *, keep: bool = False) -> BattleFile:
    """Open a battle file; with `keep`, a damaged one gives its intact part and the fault."""
    place = Path(path)
    text, mark = load(place)
    line_end = "\r\n" if text.partition("\n")[0].endswith("\r") else "\n"
    if not keep:
        return BattleFile(place, read_battle(text, str(path)), mark, None, line_end)
    battle, fault = salvage_battle(text, str(path))
    if battle is None:
        raise fault or BadInput("no battle could be read", source=str(path))
    return BattleFile(place, battle, mark, fault, line_end)


def new_file(path: str | Path, battle: Battle) -> BattleFile:
    """Write a battle into a file that does not exist yet."""
    file = BattleFile(Path(path), battle, None)
    file.save()
    return file


def load(path: str | Path) -> tuple[str, str]:
    """Return the text of a file, and a mark that tells whether it has changed."""
    try:
        raw = read_file(path, MOST_BYTES + 1)
    except FileNotFoundError:
        raise BadInput(f"there is no file {str(path)!r}", field="path") from None
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        raise BadInput(f"{str(path)!r} cannot be read: {file_trouble(error)}", field="path") from error
    if len(raw) > MOST_BYTES:
        raise BadInput(f"the file {str(path)!r} is larger than {MOST_BYTES:,} bytes, too large for a battle")
    return raw.decode("utf-8", "surrogateescape"), _mark(raw)  # a damaged byte comes back where it was


def save(path: str | Path, text: str, since: str | None, *, aside: bool = False) -> str:
    """Write a file that must be as it was when `since` was its mark (None: it must not exist); returns the new mark.

    With `aside` the old content is first copied to a name of its own beside it.
    """
    place, raw = _real(path), _encoded(path, text)
    with _locked(place.parent):
        old = _read(place, str(path))
        now = None if old is None else _mark(old)
        if now != since:
            changed = "it is gone" if now is None else "another program has changed it"
            happened = "it exists already" if since is None else changed
            would = "choose another name" if since is None else "open it again and repeat what you did"
            kind = ChangedMeanwhile if now is not None and since is not None else BattletapeError
            raise kind(f"{str(path)!r} was not written, because {happened}; {would}")
        if aside and old is not None:
            _refuse_read_only(place, str(path))
            aside_name = _free_name(place)
            with suppress(Unconfirmed):  # if the disk does not confirm, it says so again below
                _write(aside_name, old, str(aside_name), like=place)
        _write(place, raw, str(path))
    return _mark(raw)


def write(path: str | Path, text: str) -> str:
    """Write a file whole or not at all: temporary file, flush, fsync, rename; returns its mark."""
    raw = _encoded(path, text)
    write_bytes(path, raw)
    return _mark(raw)


def write_bytes(path: str | Path, raw: bytes) -> None:
    """Write a file of bytes whole or not at all."""
    place = _real(path)
    with _locked(place.parent):
        _write(place, raw, str(path))


def _encoded(path: str | Path, text: str) -> bytes:
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as error:
        raise BattletapeError(f"{str(path)!r} could not be written: it holds characters that are no text") from error


def _write(place: Path, raw: bytes, name: str, *, like: Path | None = None) -> None:
    """Replace a file, or make one with the owner and mode of another."""
    _refuse_read_only(place, name)
    part = place.parent / f".battletape-{secrets.token_hex(8)}.tmp"
    try:
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
        try:
            try:
                _keep_owner(part, like or place)
                left = memoryview(raw)
                while left:
                    left = left[os.write(handle, left) :]
                os.fsync(handle)
            finally:
                os.close(handle)
            os.replace(part, place)
        except BaseException:
            with suppress(OSError):
                os.unlink(part)
            raise
    except OSError as error:
        why = f"{name!r} could not be written: {file_trouble(error, writing=True)}"
        untouched = " (what was there before is untouched)" if place.is_file() else ""
        raise BattletapeError(why + untouched) from error
    trouble = _sync_folder(place.parent)
    if trouble is not None:
        why = file_trouble(trouble, writing=True)
        unconfirmed = f"{name!r} was written, but the disk does not confirm it, so a power cut may undo it: {why}"
        raise Unconfirmed(unconfirmed, _mark(raw)) from trouble


def _refuse_read_only(place: Path, name: str) -> None:
    """Refuse to replace a write-protected file, although its folder would allow it."""
    try:
        mode = os.stat(place).st_mode
    except OSError:
        return
    if stat.S_ISREG(mode) and (not mode & 0o222 or not os.access(place, os.W_OK)):
        raise BattletapeError(f"{name!r} was not written, because it is read-only; make it writable, or copy it first")


def _keep_owner(part: Path, old: Path) -> None:
    """Give a new file the owner and the mode of the one it takes the place of, as far as the system allows."""
    try:
        was = os.stat(old)
    except FileNotFoundError:
        return
    now = os.stat(part)
    if hasattr(os, "chown") and (now.st_uid, now.st_gid) != (was.st_uid, was.st_gid):
        try:
            os.chown(part, was.st_uid, was.st_gid)
        except PermissionError:  # only root gives files away; the group may still be ours to give
            with suppress(PermissionError):
                os.chown(part, -1, was.st_gid)
    os.chmod(part, stat.S_IMODE(was.st_mode))


def _free_name(place: Path) -> Path:
    """Return the first name of the form NAME.damaged-1 that is free."""
    number = 1
    while (aside := place.with_name(f"{place.name}.damaged-{number}")).exists():
        number += 1
    return aside


def _real(path: str | Path) -> Path:
    return Path(os.path.realpath(path))  # a link stays a link; what it points to is written


def _mark(raw: bytes) -> str:
    return sha256(raw).hexdigest()


def _read(place: Path, name: str) -> bytes | None:
    try:
        return read_file(place, -1)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise BattletapeError(f"{name!r} could not be written: {file_trouble(error, writing=True)}") from error


# --- one at a time ----------------------------------------------------------------------------------------------------


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Lock a folder, so that one of our programs at a time writes in it.

    What another program left half-written is swept away.
    """
    release = _take_lock(folder)
    try:
        _sweep(folder, alone=release is not None)
        yield
    finally:
        if release is not None:
            with suppress(OSError):
                release()


def _take_lock(folder: Path) -> Callable[[], None] | None:
    """Return the best lock there is, once it is free; None where there is none: then the mark alone shows changes."""
    for lock in (_lock_folder, _lock_byte, _lock_file):
        with suppress(OSError):  # no such folder, or no such locks: the write fails, or the next lock will do
            return lock(folder)
    return None


def _lock_folder(folder: Path) -> Callable[[], None]:
    if fcntl is None:
        raise OSError(errno.ENOLCK, "no fcntl")
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
    except OSError:
        os.close(handle)
        raise
    return partial(os.close, handle)


def _lock_byte(folder: Path) -> Callable[[], None]:
    """Return the lock of Windows: a byte of a file."""
    if msvcrt is None:
        raise OSError(errno.ENOLCK, "no msvcrt")
    handle = None
    while handle is None:
        found = _open_lock(folder / LOCK)
        try:
            msvcrt.locking(found, msvcrt.LK_NBLCK, 1)
            handle = found
        except OSError as error:
            os.close(found)  # so that the process that holds it can remove it
            if error.errno not in _TAKEN:
                raise  # there are no such locks here: the next kind will do
            sleep(LOCK_PAUSE_SECONDS)

    def release() -> None:
        msvcrt.locking(handle, msvcrt.LK_UNLCK, 1)
        os.close(handle)
        os.unlink(folder / LOCK)  # refused while another process waits for it, and then it stays

    return release


def _open_lock(place: Path) -> int:
    """Return the file of the lock; while another program removes it, Windows refuses to open it."""
    for _ in range(REMOVING):
        with suppress(PermissionError):
            return os.open(place, os.O_RDWR | os.O_CREAT, 0o666)
        sleep(LOCK_PAUSE_SECONDS)
    return os.open(place, os.O_RDWR | os.O_CREAT, 0o666)


def _lock_file(folder: Path) -> Callable[[], None]:
    """Return a file that only one program can make; one that stays the same for long was left behind."""
    place, seen, since = folder / LOCK, None, monotonic()
    while True:
        try:
            os.close(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
        except FileExistsError:
            now = None
            with suppress(FileNotFoundError):
                found = os.stat(place)
                now = (found.st_ino, found.st_mtime_ns)
            if now != seen:
                seen, since = now, monotonic()
            elif now is not None and monotonic() - since > LOCK_SECONDS:
                with suppress(FileNotFoundError):
                    os.unlink(place)
            sleep(LOCK_PAUSE_SECONDS)
        else:
            return partial(os.unlink, place)


def _sweep(folder: Path, alone: bool) -> None:
    """Remove temporary files of programs that ended while they were writing; without a lock, only old ones."""
    with suppress(OSError):
        for name in os.listdir(folder):
            if _PART.fullmatch(name) and (alone or time() - os.stat(folder / name).st_mtime > STALE_SECONDS):
                with suppress(OSError):
                    os.unlink(folder / name)


def _sync_folder(folder: Path) -> OSError | None:
    """Make the rename itself durable; the trouble, if the disk has any."""
    try:
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
    except OSError as error:
        return None if error.errno in _NO_SYNC else error
    return None
