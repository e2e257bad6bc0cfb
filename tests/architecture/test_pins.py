"""constraints.txt pins all that is installed, in versions that the oldest Python we promise can have too."""

from __future__ import annotations

import tomllib
from importlib.metadata import Distribution, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PINS = [Requirement(line) for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()]
(OLDEST,) = (promise.version for promise in SpecifierSet(PROJECT["requires-python"]))


def needed() -> dict[str, Distribution]:
    """The packages that users and developers need, and all that these need, as they are installed here."""
    found: dict[str, Distribution] = {}
    extras = PROJECT["optional-dependencies"].values()
    waiting = [*PROJECT["dependencies"], *(name for extra in extras for name in extra)]
    while waiting:
        wanted = Requirement(waiting.pop())
        name = canonicalize_name(wanted.name)
        if name not in found and (wanted.marker is None or wanted.marker.evaluate({"extra": ""})):
            found[name] = distribution(name)
            waiting += found[name].requires or ()
    return found


def test_what_is_installed_is_what_is_pinned():
    pinned = {
        canonicalize_name(pin.name): str(pin.specifier) for pin in PINS if pin.marker is None or pin.marker.evaluate()
    }
    assert {name: f"=={package.version}" for name, package in needed().items()} == pinned


def test_the_oldest_python_that_we_promise_can_install_every_pin():
    wants = {name: "".join(package.metadata.get_all("Requires-Python", [])) for name, package in needed().items()}
    assert {name: want for name, want in wants.items() if OLDEST not in SpecifierSet(want)} == {}
