"""`./pins licences`: the licence of every package that is installed for Battletape, and which of them need a look."""

from __future__ import annotations

import re
import sys
from importlib.metadata import Distribution, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

FREE = (
    "mit",
    "bsd",
    "apache",
    "isc",
    "mpl",
    "mozilla",
    "python software foundation",
    "psf",
    "0bsd",
    "unlicense",
    "zlib",
)
FOLDER = Path(__file__).parent


def pinned(text: str) -> list[str]:
    """The names of a file of pins, as far as they are for this machine."""
    pins = (Requirement(line.rstrip(" \\")) for line in text.splitlines() if line[:1].isalnum())
    return [canonicalize_name(pin.name) for pin in pins if pin.marker is None or pin.marker.evaluate()]


def licence(package: Distribution) -> str:
    """What a package says of its licence, in a few words."""
    about = package.metadata
    classified = [
        kind.rpartition(" :: ")[2] for kind in about.get_all("Classifier", []) if kind.startswith("License ::")
    ]
    written = about.get_all("License-Expression", []) or classified or about.get_all("License", [])
    said = ", ".join(written).partition("\n")[0]
    if said:
        return said
    files = [file for file in package.files or () if file.name.upper().startswith("LICEN")]
    return files[0].read_text().strip().partition("\n")[0] if files else "not said"


def is_free(words: str) -> bool:
    """True for the licences that we know, none of which asks anything of those who use Battletape."""
    return any(re.search(rf"\b{name}\b", words.lower()) for name in FREE)


def main() -> int:
    """Print them all; 1 if one of them needs a look."""
    names = {name for file in FOLDER.glob("*.txt") for name in pinned(file.read_text(encoding="utf-8"))}
    found = {name: licence(distribution(name)) for name in sorted(names)}
    for name, words in found.items():
        print(f"{name:32} {distribution(name).version:12} {words}")
    doubtful = [name for name, words in found.items() if not is_free(words)]
    print(f"\n{len(found)} packages; " + (f"look at {', '.join(doubtful)}" if doubtful else "all of them free"))
    return 1 if doubtful else 0


if __name__ == "__main__":
    sys.exit(main())
