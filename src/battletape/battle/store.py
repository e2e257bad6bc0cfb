"""Files that a crash cannot break, and that two programs cannot overwrite behind each other's back."""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from battletape.battle.battle import Battle
from battletape.battle.reading import read_battle, salvage_battle
from battletape.errors import BadInput, BattletapeError, file_trouble

try:
    import fcntl
except ImportError:  # Windows: there is no lock, but the mark still shows changes
    fcntl = None  # type: ignore[assignment]

MOST_BYTES = 64_000_000


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
        self.mark = save(self.path, self.text, self.mark, aside=self.fault is not None)
        self.fault = None


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
    made = BattleFile(Path(path), battle, None)
    made.save()
    return made


def load(path: str | Path) -> tuple[str, str]:
    """The text of a file, and a mark that tells whether it has changed."""
    try:
        with open(path, "rb") as file:
            raw = file.read(MOST_BYTES + 1)
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
    place = _real(path)
    with _locked(place.parent):
        old = _read(place, str(path))
        now = None if old is None else _mark(old)
        if now != since:
            changed = "it is gone" if now is None else "another program has changed it"
            happened = "it exists already" if since is None else changed
            would = "choose another name" if since is None else "open it again and repeat what you did"
            raise BattletapeError(f"{str(path)!r} was not written, because {happened}; {would}")
        if aside and old is not None:
            aside_name = _free_name(place)
            _write(aside_name, old, str(aside_name))
        return write(path, text)


def write(path: str | Path, text: str) -> str:
    """Write a file whole or not at all: temporary file, flush, fsync, rename; returns its mark."""
    try:
        raw = text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as error:
        raise BattletapeError(f"{str(path)!r} could not be written: it holds characters that are no text") from error
    _write(_real(path), raw, str(path))
    return _mark(raw)


def write_bytes(path: str | Path, raw: bytes) -> None:
    """Write a file of bytes whole or not at all."""
    _write(_real(path), raw, str(path))


def _write(place: Path, raw: bytes, name: str) -> None:
    part = place.parent / f".battletape-{secrets.token_hex(8)}.tmp"
    try:
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        try:
            with os.fdopen(handle, "wb") as stream:
                if place.exists():
                    os.chmod(part, stat.S_IMODE(place.stat().st_mode))
                stream.write(raw)
                stream.flush()
                os.fsync(stream.fileno())
            os.replace(part, place)
        except BaseException:
            with suppress(OSError):
                os.unlink(part)
            raise
    except OSError as error:
        why = f"{name!r} could not be written: {file_trouble(error, writing=True)}"
        untouched = " (what was there before is untouched)" if place.is_file() else ""
        raise BattletapeError(why + untouched) from error
    _sync_folder(place.parent)


def _free_name(place: Path) -> Path:
    """The first name of the form NAME.damaged-1 that is free."""
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
        return place.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise BattletapeError(f"{name!r} could not be written: {file_trouble(error, writing=True)}") from error


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Only one of our programs at a time compares and replaces files in a folder; the lock ends with its holder."""
    handle = None
    with suppress(OSError):  # no such folder, or no locks: the write fails, or the mark shows the change
        handle = os.open(folder, os.O_RDONLY)
        if fcntl is not None:
            fcntl.flock(handle, fcntl.LOCK_EX)
    try:
        yield
    finally:
        if handle is not None:
            os.close(handle)


def _sync_folder(folder: Path) -> None:
    """Make the rename itself durable; if folders cannot be synced, the file is still intact."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
