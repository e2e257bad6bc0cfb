"""Markdown from plain values: tables, text that stays text, commands as they are typed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

WIDTH = 72  # of commands


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], kind: str = "") -> str:
    """A table of Markdown; a stacked one becomes a list of cards on a narrow screen."""
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    lines += ["| " + " | ".join(cell.replace("\n", " ").replace("|", "\\|") for cell in row) + " |" for row in rows]
    return (f"{{.{kind}}}\n" if kind else "") + "\n".join(lines)


def lower_first(text: str) -> str:
    """A title inside a sentence; abbreviations stay as they are."""
    return text[:1].lower() + text[1:] if text[1:2].islower() else text


def plain(text: str) -> str:
    """Plain text that Markdown will not take for anything else."""
    return "".join(f"\\{one}" if one in "\\*_<>[]#`{}$~" else one for one in text)


def html(text: str) -> str:
    """Plain text inside HTML."""
    return text.replace("&", "&amp;").replace("<", "&lt;")


def command(start: str, given: Mapping[str, object]) -> str:
    """A question with inputs as it is typed in a terminal, folded where it grows long."""
    parts: list[str] = []
    for name, value in given.items():
        option = "--" + name.replace("_", "-")
        for one in value if isinstance(value, (list, tuple)) else [value]:
            text = _pairs(one) if isinstance(one, Mapping) else _typed(one)
            parts.append(f'{option} "{text}"' if " " in text else f"{option} {text}")
    lines = [start]
    for part in parts:
        if len(lines[-1]) + len(part) > WIDTH:
            lines[-1] += " \\"
            lines.append("   ")
        lines[-1] += f" {part}"
    return "\n".join(lines)


def _pairs(entry: Mapping[str, object]) -> str:
    return " ".join(f"{name}={_typed(value)}" for name, value in entry.items())


def _typed(value: object) -> str:
    if isinstance(value, (list, tuple)):  # entries inside an entry
        return "'" + " ; ".join(_pairs(one) if isinstance(one, Mapping) else str(one) for one in value) + "'"
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)
