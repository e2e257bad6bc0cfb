"""Reading a page as a person would: its forms, links and texts."""

from __future__ import annotations

from html.parser import HTMLParser

VOID = {"meta", "link", "input", "br", "img", "rect", "line", "circle"}


class Page(HTMLParser):
    """The elements of a page with their attributes, and the text of those with an id or a class."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.texts: list[tuple[dict[str, str], str]] = []
        self._open: list[tuple[str, dict[str, str], list[str]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.elements.append((tag, found))
        if tag not in VOID:
            self._open.append((tag, found, []))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        while self._open:
            name, found, text = self._open.pop()
            self.texts.append((found, "".join(text)))
            if name == tag:
                return

    def handle_data(self, data: str) -> None:
        for _, _, text in self._open:
            text.append(data)

    def all(self, tag: str, **wanted: str) -> list[dict[str, str]]:
        """The elements of a kind with these attributes."""
        return [
            found
            for name, found in self.elements
            if name == tag and all(found.get(key.strip("_")) == value for key, value in wanted.items())
        ]

    def text(self, word: str) -> str:
        """The text of the first element of a class, or with an id."""
        for found, text in sorted(self.texts, key=lambda one: len(one[1])):
            if found.get("id") == word or word in found.get("class", "").split():
                return " ".join(text.split())
        raise AssertionError(f"there is no {word} in the page")

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """What the form would send."""
        found: list[tuple[str, str]] = []
        select = ""
        for tag, one in self.elements:
            if tag == "input" and one.get("name") and one.get("type") in ("radio", "checkbox"):
                if "checked" in one:
                    found.append((one["name"], one["value"]))
            elif tag == "input" and one.get("name"):
                found.append((one["name"], one.get("value", "")))
            elif tag == "select":
                select = one.get("name", "")  # one that only helps to fill in another has none
            elif tag == "option" and "selected" in one:
                found.append((select, one["value"]))
        return found
