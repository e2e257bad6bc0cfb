"""Links lead somewhere, and no page tells of the machine it was written on."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

import pytest

from docs import generate
from tests.architecture.test_tracked import handed_on
from tests.docs.pages import DOCS, GENERATED, ROOT, blocks, name_of, pages, prose

_LINK = re.compile(r"\[[^\]]*\]\((?P<to>[^)\s]+)\)")
_HEADING = re.compile(r"^#+ (?P<title>.+)$", re.MULTILINE)
_LABEL = re.compile(r"^\((?P<name>[\w-]+)\)=$", re.MULTILINE)
MACHINE = re.compile(r"(?<![\w.~])/(?:home|root|tmp|work|Users|mnt|var|usr)/\w|file://|[A-Z]:\\\\|localhost:\d")


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> dict[Path, str]:
    """Every page with its text, those that are generated too."""
    folder = tmp_path_factory.mktemp("rulesets")
    made = {GENERATED / path.name: path.read_text(encoding="utf-8") for path in generate.write_pages(folder)}
    return {**{page: page.read_text(encoding="utf-8") for page in pages()}, **made}


@lru_cache
def anchors(text: str) -> set[str]:
    """What a link may point to inside a page: headings as GitHub and MyST name them, and labels."""
    titles = (one["title"].lower() for one in _HEADING.finditer(prose(text)))
    return {re.sub(r"[^\w\- ]", "", title).strip().replace(" ", "-") for title in titles} | {
        one["name"] for one in _LABEL.finditer(text)
    }


def links(text: str) -> list[str]:
    """Where the links of a page lead, those into the web left out."""
    found = [one["to"] for one in _LINK.finditer(prose(text))]
    return [to for to in found if not to.startswith(("https://", "http://"))]


def test_links_inside_the_project_lead_somewhere(texts: dict[Path, str]):
    wrong = []
    for page, text in texts.items():
        for to in links(text):
            path, _, anchor = to.partition("#")
            place = (page.parent / path).resolve() if path else page
            if place not in texts and not place.exists():
                wrong.append(f"{name_of(page)}: {to} leads nowhere")
            elif anchor and anchor not in anchors(texts.get(place, "")):
                wrong.append(f"{name_of(page)}: {to} has no such heading")
    assert wrong == []


def test_links_of_pages_lead_only_to_files_of_a_clone():
    ours = {ROOT / name for name in handed_on()}
    wrong = [
        f"{name_of(page)}: {to}"
        for page in pages()
        for to in links(page.read_text(encoding="utf-8"))
        if to[0] != "#" and (page.parent / to.partition("#")[0]).resolve() not in ours
    ]
    assert wrong == []


def test_every_page_can_be_reached_from_the_index(texts: dict[Path, str]):
    waiting, reached = [DOCS / "index.md"], set()
    while waiting:
        page = waiting.pop()
        if page in reached:
            continue
        reached.add(page)
        for block in blocks(texts[page]):
            if block.language == "{toctree}":
                names = [line for line in block.text.split() if not line.startswith(":")]
                waiting += [one for name in names for one in texts if one.match(str(page.parent / f"{name}.md"))]
    assert reached == {page for page in texts if page.is_relative_to(DOCS)}


def test_no_page_holds_a_path_of_a_machine(texts: dict[Path, str]):
    for page, text in texts.items():
        found = MACHINE.search(text.replace("#!/usr/bin", ""))
        assert found is None, f"{name_of(page)}: {found and found[0]}"
        assert str(ROOT) not in text
        assert str(Path.home()) not in text


def test_paths_given_to_pip_exist(texts: dict[Path, str]):
    given = re.compile(r"pip install (?:\S+ )*?-[cr] (?P<file>[\w./-]+)")
    named = [(page, one["file"]) for page, text in texts.items() for one in given.finditer(text)]
    assert [f"{name_of(page)}: {file}" for page, file in named if not (ROOT / file).exists()] == []
