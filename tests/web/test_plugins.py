"""Rulesets of other packages that end or stall whoever loads them: they are left out everywhere, and named."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner
from msgspec import structs

from battletape import registry, trial
from battletape.cli.rulesets import rulesets
from battletape.rulebook import Procedure
from battletape.web import jobs, worker_lanes
from battletape.web.app import create_app
from battletape.web.jobs import Job
from battletape.web.limits import LIMITS
from battletape.web.worker_lanes import Lane
from tests.toy import RULESET

BAD = {
    "sleeper": ("import time; time.sleep(10_000)", trial.STALLED),
    "looper": ("while True: pass", trial.STALLED),
    "quitter": ("import os; os._exit(0)", trial.ENDED),
    "crasher": ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", trial.ENDED),
    "stopper": ("import os, signal; os.kill(os.getpid(), signal.SIGSTOP)", trial.STOPPED),
    "asker": ("input()", "EOFError: EOF when reading a line"),
    "leaver": ("raise SystemExit(3)", "SystemExit: 3"),
}
"""What other packages may do as they are imported, and what is said of them."""
DEADLY = (trial.STALLED, trial.ENDED, trial.STOPPED)
GOOD = "from tests.toy import RULESET"


def plant(folder: Path, name: str, code: str) -> None:
    """Install a package with a ruleset, more or less."""
    told = folder / f"{name}_game-1.2.dist-info"
    told.mkdir()
    (told / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}-game\nVersion: 1.2\n")
    (told / "entry_points.txt").write_text(f"[battletape.rulesets]\n{name} = {name}_game:RULESET\n")
    (folder / f"{name}_game.py").write_text(code)


@pytest.fixture
def planted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of packages that this process and those that it starts can see; nothing of them is loaded yet."""
    monkeypatch.setattr(trial, "LOADING_SECONDS", 1.0)
    monkeypatch.setattr(registry, "_failed", {})
    monkeypatch.syspath_prepend(str(tmp_path))
    above = [str(tmp_path), str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH", "")]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, above)))
    return tmp_path


def said_of(*names: str) -> dict[str, str]:
    return {name: f"{name}-game 1.2: {BAD[name][1]}" for name in names}


@pytest.mark.parametrize(
    "bad", [("sleeper", "quitter", "leaver"), ("looper", "crasher"), ("stopper", "asker")], ids="-".join
)
def test_workers_leave_out_what_ends_or_stalls_them_and_name_it(bad, planted, caplog):
    for name in bad:
        plant(planted, name, BAD[name][0])
    plant(planted, "toy", f"import os; os.close(0)\n{GOOD}")  # what is sent to a worker does not come by there

    async def go():
        app = create_app(workers=1)
        executor = app.state.executor
        await executor.quick.start()
        try:
            assert executor.broken == said_of(*bad)
            got, _ = await executor.quick.do(jobs.encode((Job("home_page", "page", {}), 20.0)), "a", 20.0)
            for name, why in said_of(*bad).items():
                assert f"The ruleset {name} is installed and cannot be used: {why}" in got.body.decode()
            assert 'href="/toy"' in got.body.decode()
            sent = []

            async def send(message):
                sent.append(message)

            scope = {"type": "http", "method": "GET", "path": "/healthz", "query_string": b"", "headers": []}
            await app({**scope, "client": ("127.0.0.1", 1), "server": ("b", 80), "scheme": "http"}, None, send)
            told = {broken["ruleset"]: broken["error"] for broken in json.loads(sent[1]["body"])["broken"]}
            assert told == said_of(*bad)
            left_out = {name for name in bad if BAD[name][1] in DEADLY}
            assert {name for name in bad if f"the ruleset {name} (" in " ".join(executor.patient.without)} == left_out
        finally:
            await executor.stop()

    asyncio.run(go())
    for name in bad:
        if BAD[name][1] in DEADLY:
            assert f"the ruleset {name} ({name}_game:RULESET) of {name}-game 1.2 is left out" in caplog.text


def test_rulesets_of_other_packages_are_loaded_in_the_order_of_their_names(planted: Path, monkeypatch):
    for name in ("nimble", "agile", "sturdy"):
        plant(planted, name, GOOD)
    loaded: list[str] = []
    monkeypatch.setattr(registry, "_told_first", [loaded.append])
    registry.broken()
    assert [mark.split()[2] for mark in loaded] == ["agile", "nimble", "sturdy"]


def test_a_worker_that_ends_by_chance_as_it_loads_a_ruleset_is_not_held_against_it(planted, tmp_path, caplog):
    once = tmp_path / "once"
    once.touch()
    code = f"import os\nif os.path.exists({str(once)!r}):\n    os.unlink({str(once)!r})\n    os._exit(1)\n"
    plant(planted, "toy", code + GOOD)

    async def go():
        lane = Lane(1, LIMITS, worker_lanes.WORKER)
        await lane.start()
        assert lane.broken == {}
        await lane.stop()

    asyncio.run(go())
    assert not once.exists()
    assert "left out" not in caplog.text


def test_an_idle_worker_works_out_no_rules_of_other_packages(planted, monkeypatch):
    def hang(tape, shot):
        raise AssertionError("a rule that hangs would hang every worker")

    asked = tuple(structs.replace(question, procedure=Procedure("hang", (hang,))) for question in RULESET.questions)
    card = structs.replace(RULESET, name="hostile", questions=asked)
    monkeypatch.setattr(registry, "_known", {**registry._known, "hostile": card})
    assert "hostile" in registry.names()
    jobs.load()
    done = [job for job in jobs.first_questions() if job.given.get("ruleset") not in registry.OURS]
    assert [job.name for job in done] == ["home_page", "search_page"]
    for job in done:
        assert jobs.run(job, 20.0).status == 200
    assert 'href="/hostile"' in jobs.run(done[0], 20.0).body.decode()


def test_the_terminal_lists_rulesets_though_some_end_or_stall_their_process(planted):
    for name in BAD:
        plant(planted, name, BAD[name][0])
    plant(planted, "toy", GOOD)
    done = CliRunner().invoke(rulesets)
    assert done.exit_code == 0
    text = " ".join(done.output.split())
    for name, why in said_of(*BAD).items():
        assert f"{name} installed, and cannot be used {why}" in text
    assert "attack_dice" in text
    assert registry.broken() == said_of(*BAD)
