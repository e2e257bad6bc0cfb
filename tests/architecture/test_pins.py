"""requirements/ pins all that is installed by version and checksum, for every Python that we promise."""

from __future__ import annotations

import re
import tomllib
from hashlib import sha256
from importlib.metadata import Distribution, distribution, distributions
from pathlib import Path
from runpy import run_path

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
FILES = {name: (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8") for name in ("run", "dev", "build")}
(OLDEST,) = (promise.version for promise in SpecifierSet(PROJECT["requires-python"]))


def needed() -> dict[str, Distribution]:
    """The packages that users and developers need, and all that these need, as they are installed here."""
    extras = PROJECT["optional-dependencies"].values()
    return with_all_they_need([*PROJECT["dependencies"], *(name for extra in extras for name in extra)])


def with_all_they_need(waiting: list[str]) -> dict[str, Distribution]:
    """Packages, and all that these need."""
    found: dict[str, Distribution] = {}
    while waiting:
        wanted = Requirement(waiting.pop())
        name = canonicalize_name(wanted.name)
        if name not in found and (wanted.marker is None or wanted.marker.evaluate({"extra": ""})):
            found[name] = distribution(name)
            waiting += found[name].requires or ()
    return found


def pins(name: str) -> dict[str, str]:
    """Of a file: the packages for this machine, each with its version."""
    lines = (Requirement(line.rstrip(" \\")) for line in FILES[name].splitlines() if line[:1].isalnum())
    here = [pin for pin in lines if pin.marker is None or pin.marker.evaluate()]
    return {canonicalize_name(pin.name): str(pin.specifier) for pin in here}


def test_every_pin_has_its_checksums_and_nothing_says_where_it_comes_from():
    for text in FILES.values():
        pieces = text.replace("\\\n", "").splitlines()
        assert all(
            re.fullmatch(r"[\w.-]+==[\w.]+( ; [^\\]+?)?( +--hash=sha256:[0-9a-f]{64})+", line) for line in pieces
        )


def test_pins_of_run_and_dev_agree():
    assert pins("run").items() < pins("dev").items()
    assert {name: pin for name, pin in pins("build").items() if pins("dev").get(name, pin) != pin} == {}


def test_pins_hold_the_tools_of_the_build():
    build = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["build-system"]["requires"]
    for wanted in map(Requirement, build):
        assert pins("build")[canonicalize_name(wanted.name)].removeprefix("==") in wanted.specifier
    htmx = "django-htmx"  # of which we take one file, and nothing that it needs
    others = [name for name in build if canonicalize_name(Requirement(name).name) != htmx]
    pinned = pins("build")
    assert {
        name: f"=={package.version}" for name, package in with_all_they_need([*others, "editables", "pip"]).items()
    } == {name: pin for name, pin in pinned.items() if name != htmx}


def test_nothing_is_installed_that_is_not_pinned():
    ours = {"battletape"}
    there = {canonicalize_name(package.metadata["Name"]) for package in distributions()}
    assert there - ours == pins("dev").keys() | pins("build").keys()


def test_only_the_htmx_that_we_looked_at_is_built_in(tmp_path, monkeypatch):
    build = run_path(str(ROOT / "hatch_build.py"))
    hook = build["HtmxHook"](str(tmp_path), {}, None, None, str(tmp_path), "wheel")
    data: dict[str, list[str]] = {"artifacts": []}
    hook.initialize("editable", data)
    assert sha256((tmp_path / build["PLACE"]).read_bytes()).hexdigest() == build["CHECKSUM"]
    with monkeypatch.context() as without:
        without.setitem(hook.initialize.__func__.__globals__, "WHEEL", "no-such-wheel")
        hook.initialize("editable", data)  # the copy of an earlier build will do
        (tmp_path / build["PLACE"]).write_text("alert(1)")
        with pytest.raises(RuntimeError, match="has the checksum"):
            hook.initialize("editable", data)
    hook.initialize.__func__.__globals__["CHECKSUM"] = "0" * 64
    with pytest.raises(RuntimeError, match="has the checksum"):
        hook.initialize("editable", data)


def test_an_audit_names_the_packages_it_skipped():
    report = run_path(str(ROOT / "requirements" / "audit.py"))["report"]
    good, bad = {"name": "a", "version": "1", "vulns": []}, {"id": "CVE-1", "fix_versions": ["2"]}
    dark = {"name": "c", "skip_reason": "not found"}
    assert report({"dependencies": [good]}) == (0, ["1 of 1 pins audited, no known vulnerabilities."])
    code, told = report({"dependencies": [good, {**good, "name": "b", "vulns": [bad]}, dark]})
    assert (code, told[0], told[-1]) == (1, "b 1: CVE-1, mended in 2", "Nothing could be found out about c.")
    assert report({"dependencies": [good, dark]})[0] == report({"dependencies": [dark]})[0] == 2


def test_every_licence_is_a_free_one(capsys):
    licences = run_path(str(ROOT / "requirements" / "licences.py"))
    assert licences["main"]() == 0
    assert "all of them free" in capsys.readouterr().out
    assert licences["is_free"]("BSD-3-Clause")
    for words in ("Proprietary", "Unlimited use by permitted persons"):
        assert not licences["is_free"](words)


def test_what_is_installed_is_what_is_pinned():
    pinned = pins("dev")
    assert {name: f"=={package.version}" for name, package in needed().items()} == pinned


def test_the_oldest_python_that_we_promise_can_install_every_pin():
    wants = {name: "".join(package.metadata.get_all("Requires-Python", [])) for name, package in needed().items()}
    assert {name: want for name, want in wants.items() if OLDEST not in SpecifierSet(want)} == {}
