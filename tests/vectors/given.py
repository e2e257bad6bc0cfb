"""What a vector gives, read so that nothing is passed over: a name that no glue reads is an error, not a shrug."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, TypeVar

Value = TypeVar("Value")


class Unknown(LookupError):
    """A name or a value of a vector that its glue does not know."""


def known(choices: Mapping[Any, Value], what: str, name: Any) -> Value:
    """The choice of this name, or an error that names it and what there is."""
    try:
        return choices[name]
    except (KeyError, TypeError):
        raise Unknown(f"nobody knows the {what} {name!r}; known are {', '.join(map(repr, choices))}") from None


class Given(Mapping[str, Any]):
    """The inputs of a vector: a mapping that remembers which names were read, in nested ones too.

    Looking whether a name is there (`in`) does not read it; `[]`, `get`, `only`, `plain` and `**` do.
    """

    def __init__(self, given: Mapping[str, Any], where: str = "") -> None:
        self._given = {name: _nested(value, f"{where}{name}") for name, value in given.items()}
        self._where = where
        self._read: set[str] = set()

    def __getitem__(self, name: str) -> Any:
        if name not in self._given:
            raise Unknown(f"the vector gives no {self._where}{name}")
        self._read.add(name)
        return self._given[name]

    def get(self, name: str, default: Any = None) -> Any:
        """The value of this name, or the default."""
        return self[name] if name in self._given else default

    def __contains__(self, name: object) -> bool:
        return name in self._given

    def __iter__(self) -> Iterator[str]:
        return iter(self._given)

    def __len__(self) -> int:
        return len(self._given)

    def add(self, **more: Any) -> None:
        """Names of the glue's own beside those of the vector; nobody has to read them."""
        self._given |= more
        self._read |= set(more)

    def only(self, *names: str) -> dict[str, Any]:
        """Those of these names that the vector gives, ready to be handed to the API."""
        return {name: _plain(self[name]) for name in names if name in self._given}

    def plain(self) -> dict[str, Any]:
        """All of it, to be handed on whole to an API that refuses what it does not know."""
        return {name: _plain(self[name]) for name in self._given}

    def choice(self, name: str, choices: Collection[Any] | Mapping[Any, Any], default: Any = ...) -> Any:
        """A value that must be one of the choices (of a mapping: what it stands for there)."""
        value = self[name] if default is ... else self.get(name, default)
        if not isinstance(choices, Mapping):
            choices = {choice: choice for choice in choices}
        return known(choices, f"{self._where}{name}", value)

    def unread(self) -> Iterator[str]:
        """The names that nobody has read."""
        for name, value in self._given.items():
            if name not in self._read:
                yield f"{self._where}{name}"
            else:
                for inner in value if isinstance(value, list) else [value]:
                    if isinstance(inner, Given):
                        yield from inner.unread()


def _nested(value: Any, where: str) -> Any:
    if isinstance(value, Mapping):
        return Given(value, f"{where}.")
    if isinstance(value, list):
        return [_nested(inner, f"{where}[{place}]") for place, inner in enumerate(value)]
    return value


def _plain(value: Any) -> Any:
    if isinstance(value, Given):
        return value.plain()
    return [_plain(inner) for inner in value] if isinstance(value, list) else value
