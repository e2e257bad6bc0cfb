"""The names that a server answers to: its own and those that it was given, and nobody else's."""

from __future__ import annotations

import re
import socket
from pathlib import Path

import pytest
from click.testing import CliRunner
from fastapi.testclient import TestClient

from battletape.cli.serve import serve as command
from battletape.errors import BattletapeError
from battletape.web import serve
from battletape.web.app import create_app
from battletape.web.hosts import parse_hosts

OURS = ["localhost", "LOCALHOST:8000", "dice.localhost", "127.0.0.1", "127.0.0.1:8000", "[::1]:8000", "::1"]
OURS += ["192.168.1.7:8000", "[fe80::1%eth0]"]
OURS += ["tower", "Tower.local:8000", "tower.local.", "tower.lan", "tower.home.arpa"]
THEIRS = ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "tower.evil.example", "tower.com", ""]
THEIRS += ["other.local", "xlocalhost", "evil.example:127.0.0.1", "dice.example.org"]
THEIRS += ["127.0.0.1%evil.example"]


@pytest.fixture(autouse=True)
def _on_tower(monkeypatch):
    monkeypatch.setattr(socket, "gethostname", lambda: "Tower")


@pytest.mark.parametrize(("host", "is_ours"), [*((host, True) for host in OURS), *((host, False) for host in THEIRS)])
def test_it_answers_to_this_machine_and_to_numbers(host, is_ours):
    assert (host in parse_hosts([])) is is_ours


@pytest.mark.parametrize(
    "given, host, is_ours",
    [
        ("dice.example.org", "Dice.Example.org:443", True),
        ("dice.example.org", "example.org", False),
        ("dice.example.org", "evil.dice.example.org", False),
        ("Dice.Example.org.", "dice.example.org", True),
        (".example.org", "dice.example.org", True),
        ("*.example.org", "a.b.example.org", True),
        (".example.org", "evilexample.org", False),
        ("*", "anything.at.all", True),
    ],
)
def test_it_answers_to_names_that_it_was_given(given, host, is_ours):
    assert (host in parse_hosts([given])) is is_ours
    assert "localhost" in parse_hosts([given])


def test_it_answers_to_the_name_that_it_listens_at():
    assert "table.example.org:8000" in parse_hosts([], "table.example.org")


def test_a_machine_with_a_long_name_answers_to_it_and_to_its_first_part(monkeypatch):
    monkeypatch.setattr(socket, "gethostname", lambda: "tower.club.example.org")
    for name in ("tower.club.example.org", "tower", "tower.local"):
        assert name in parse_hosts([])
    assert "club.example.org" not in parse_hosts([])


@pytest.mark.parametrize("text", ["http://dice.example.org", "dice.example.org:443", "a b", "", "exa*mple.org", "a..b"])
def test_what_is_no_name_is_a_sentence(text):
    with pytest.raises(BattletapeError, match=r"--allow-host takes a name .*such as dice\.example\.org.*; got "):
        parse_hosts([text])
    done = CliRunner().invoke(command, ["--allow-host", text])
    assert isinstance(done.exception, BattletapeError)


def client(*names: str) -> TestClient:
    return TestClient(create_app(hosts=parse_hosts(names)), base_url="http://localhost:8000")


@pytest.mark.parametrize("path", ["/", "/share?to=/", "/healthz", "/api/v1/rulesets", "/static/x/die.svg", "/nowhere"])
def test_a_name_that_is_not_ours_gets_a_sentence_and_nothing_else(path):
    with client() as browser:
        response = browser.get(path, headers={"Host": "evil.example:8000"})
        assert response.status_code == 421
        assert "This server does not answer to the name" in response.text
        assert "--allow-host evil.example" in response.text
        assert "http://evil.example" not in response.text
        assert "Content-Security-Policy" in response.headers
        if path.startswith("/api/"):
            assert response.headers["content-type"] == "application/problem+json"
        assert browser.get(path).status_code == (404 if path == "/nowhere" else 200)


def test_what_a_stranger_writes_as_host_is_repeated_as_text():
    with client() as browser:
        response = browser.get("/", headers={"Host": "<script>alert(1)</script>"})
        assert response.status_code == 421
        assert "<script>alert" not in response.text
        assert "--allow-host" not in response.text


def test_a_link_is_shared_only_by_a_name_of_ours():
    with client("dice.example.org") as browser:
        response = browser.get("/share?to=/attack_dice", headers={"Host": "dice.example.org"})
        assert "http://dice.example.org/attack_dice" in response.text


def test_the_command_hands_the_names_on_and_run_knows_every_option(monkeypatch):
    told = {}
    monkeypatch.setattr(serve, "serve", lambda *given, **named: told.update(named))
    done = CliRunner().invoke(command, ["--allow-host", "a.example", "--allow-host", "b.example"])
    assert done.exit_code == 0
    assert told["names"] == ("a.example", "b.example")
    script = (Path(__file__).parents[2] / "run").read_text()
    (listed,) = re.findall(r"case \$1 in (.*?)\) set -- serve", script)
    for option in command.params:
        name = option.opts[0]
        assert name in listed.split(" | ")
        assert (f"{name}=*" in listed.split(" | ")) is (not getattr(option, "is_flag", False))
