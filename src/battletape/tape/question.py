"""One question of the tape, its answer as text, and the error if the two do not fit."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from itertools import pairwise
from typing import Any, Literal, NoReturn, cast

from msgspec import Struct

from battletape import dice
from battletape.dice import Die, Face, Meaning, Whole
from battletape.errors import BadInput, BattletapeError, echo
from battletape.tape.limits import MAX_FORCED_ANSWERS, MAX_POOL
from battletape.words import labelled, name_and_what, plain, plural

Kind = Literal["roll", "pool", "direction", "choose"]
OR = " | "
"""What stands between the options of a choice, in a recording."""
BY_DEFAULT = " (by default)"
"""What ends a choice that no player made, in a recording and in the log."""


class Tally(dict[Any, int]):
    """How often each meaning came up, 0 if it did not; it cannot be changed."""

    __slots__ = ()

    def __missing__(self, meaning: Meaning) -> int:
        return 0

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))

    def _fixed(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError("a tally of dice cannot be changed")

    def __reduce__(self) -> tuple[Any, ...]:
        return (Tally, (dict(self),))

    __setitem__ = __delitem__ = __ior__ = update = pop = popitem = clear = setdefault = _fixed


class Ask(Struct, frozen=True):
    """A whole question: enough for a prompt, a web form or an AI to answer it."""

    kind: Kind
    what: str
    die: Die | None = None
    count: int = 1
    read: Callable[[Face], Meaning] = dice.face
    options: tuple[Any, ...] = ()
    by: str = ""
    cuts: tuple[float, ...] = ()
    clauses: tuple[str, ...] = ()
    whole: Whole | None = None
    name: str = ""  # the unit or weapon that the label names in front
    subject: str = ""  # what the answer is for, if it is one of several: the model, the place that is hit
    unit: str = ""  # what an option that is a number counts: point, token
    by_default: bool = False  # whether the usual option was taken because no player was asked

    def __reduce__(self) -> tuple[Any, ...]:
        read = dice.portable(self.die, self.read)
        rest = (self.options, self.by, self.cuts, self.clauses, self.whole, self.name, self.subject, self.unit)
        return (Ask, (self.kind, self.what, self.die, self.count, read, *rest, self.by_default))

    @classmethod
    def labelled(cls, kind: Kind, label: str, **parts: Any) -> Ask:
        """Return the question of a rule, by the label that it gives."""
        name, what = name_and_what(label)
        return cls(kind, what, name=name, **parts)

    @property
    def label(self) -> str:
        """What is asked, with the name of the unit or weapon in front: Lascannon: to hit."""
        return str(labelled(self.name, self.what))

    @property
    def label_of_throw(self) -> str:
        """The label of dice that are thrown together for several subjects."""
        return self.what if self.name == self.subject else self.label

    @property
    def title(self) -> str:
        """The label, and the subject if the label does not name it."""
        return self.label if self.subject in ("", self.name) else f"{self.label}: {self.subject}"

    @property
    def line_begin(self) -> str:
        """The beginning of a line of the log: the subject, and the label."""
        return self.label if self.subject in ("", self.name) else f"{self.subject}: {self.label}"

    @property
    def domain(self) -> str:
        """What may be answered, as text."""
        if self.die is not None:
            return f"{self.count} x {self.die.domain}" if self.kind == "pool" else self.die.domain
        return "degrees" if self.kind == "direction" else OR.join(map(str, self.options))

    def option_words(self, option: Any) -> str:
        """Return an option as people say it: 2 points, flat out."""
        return plural(option, self.unit) if self.unit and isinstance(option, int) else plain(str(option))

    @property
    def needed(self) -> str:
        """What the rule looks for: 3+, or nothing if the face itself counts."""
        whole = self.whole if getattr(self.whole, "keep", 0) != self.count else None  # all of them: nothing is needed
        return (whole.text if whole else "") or getattr(self.read, "text", "") or ""

    @property
    def words(self) -> tuple[str, ...]:
        """The word for each meaning of a die, in the order of its faces."""
        if self.die is None:
            return ()
        return tuple(
            dict.fromkeys(_word(self.read, meaning) for meaning in dice.meanings(self.die, self.read).values())
        )

    def parse(self, text: str) -> Any:
        """Return the answer a person means by this text.

        The error for a misfit says what would do and names the clause.
        """
        try:
            return self._parse(text.strip())
        except BadInput as error:
            raise self.misfit(error.message) from None

    def misfit(self, message: str) -> BadInput:
        """Return the error for an answer that does not fit: the reason, and the clauses of the rule that asks."""
        return BadInput(message, field=self.label, clauses=self.clauses)

    def _parse(self, text: str) -> Any:
        if self.kind == "pool":
            return self._parse_pool(text)
        if self.kind == "roll":
            return self._parse_face(text, self.label)
        if self.kind == "direction":
            return self._parse_bearing(text)
        wanted = [option for option in self.options if str(option).strip() == text]
        wanted = wanted or [option for option in self.options if str(option).strip().lower() == text.lower()]
        if not wanted and re.fullmatch(r"[0-9]{1,6}", text) and 1 <= int(text) <= len(self.options):
            wanted = [self.options[int(text) - 1]]
        if not wanted:
            raise BadInput.of(self.label, f"must be one of {self.domain}, got {echo(text)}")
        return wanted[0]

    def format(self, answer: Any) -> str:
        """Return the answer as the text that `parse` reads back."""
        if isinstance(answer, Tally):
            return ", ".join(f"{number} {_word(self.read, meaning)}" for meaning, number in answer.items())
        if self.kind == "pool":
            return (", " if self._has_long_names() else " ").join(map(str, answer))
        return f"{answer:g}" if self.kind == "direction" and float(f"{answer:g}") == answer else str(answer)

    def meaning(self, answer: Any) -> Any:
        """Return what the answer means to the rule."""
        if self.kind == "roll" and self.die is not None:
            return dice.meanings(self.die, self.read)[answer]
        if self.kind == "pool" and self.die is not None:
            counts = answer if isinstance(answer, Tally) else tally(answer, dice.meanings(self.die, self.read))
            return counts if self.whole is None else _as_one(counts, dice.seen(self.die, self.read), self.whole)
        if self.kind == "direction":
            return arc_of(self.cuts, answer)
        return answer

    def entry(self, answer: Any) -> Entry:
        """Return this question with its answer, as a line of a recording."""
        return Entry(self.kind, self.label, self.domain, self.format(answer), self.by_default)

    def _parse_face(self, text: str, label: str) -> Face:
        assert self.die is not None
        try:
            return self.die.face(text)
        except ValueError:
            wanted = f"{self.die.domain} (00 for 100)" if self.die is dice.D100 else self.die.domain.replace(",", ", ")
            if self.die.added is not None:
                wanted = f"{wanted}, or the {self.die.added[0]} dice one by one (1-{self.die.added[1]})"
            elif (burst := self.die.burst) is not None:
                more = f"{' or '.join(map(str, burst.again))} and one more for it"
                wanted = f"{wanted}, or every die one by one (1-{burst.sides}; {more})"
            raise BadInput(f"{label} must be {wanted}, got {echo(text)[1:-1] or 'nothing'}", field=self.label) from None

    def _parse_bearing(self, text: str) -> float:
        try:
            angle = float(text.rstrip("°"))
        except ValueError:
            angle = -1.0
        if not 0 <= angle <= 360:
            raise BadInput.of(self.label, f"must be a bearing from 0 to 360 degrees, got {echo(text)}")
        return angle % 360

    def _parse_pool(self, text: str) -> tuple[Face, ...] | Tally:
        assert self.die is not None
        parts = self._split(text)
        if re.search(r"[A-Za-z]", text) and not {str(value) for value in self.die.faces}.issuperset(parts):
            return self._parse_counts(text)
        glued = len(parts) == 1 < self.count and text.isdigit() and (len(text) == self.count or len(text) > 2)
        if glued and all(len(str(face)) == 1 for face in self.die.faces):
            parts = list(text)  # digits without spaces between them; two may be a die misread
        if len(parts) != self.count:
            count = f", or a count such as “{self.count} {self.words[-1]}”" if self._has_words() else ""
            raise BadInput.of(self.label, f"needs {self._dice}{count}; got {len(parts)}: {echo(text)}")
        return tuple(self._parse_face(part, f"{self.label} {at}/{self.count}") for at, part in enumerate(parts, 1))

    def _split(self, text: str) -> list[str]:
        """Return the text die by die; names of faces that hold spaces or commas themselves stay whole."""
        if self._has_long_names() and self.die is not None:
            names = "|".join(sorted((re.escape(str(value)) for value in self.die.faces), key=len, reverse=True))
            if re.fullmatch(rf"((^|[\s,;]+)({names}))+", text):
                return [match[1] for match in re.finditer(rf"(?:^|[\s,;]+)({names})(?=[\s,;]|$)", text)]
        return re.split(r"[\s,;]+", text) if text else []

    @property
    def _dice(self) -> str:
        """How many dice of which faces."""
        assert self.die is not None
        return f"{self.count} dice ({self.die.domain})" if self.count > 1 else f"one die ({self.die.domain})"

    def _has_words(self) -> bool:
        """Return whether its dice can be counted by a word, such as hits; plain numbers cannot."""
        return any(re.search(r"[A-Za-z]", word) for word in self.words)

    def _has_long_names(self) -> bool:
        return self.die is not None and has_long_names(self.die)

    def _parse_counts(self, text: str) -> Tally:
        """Return counts instead of pips: "14 hits" for a reading of two meanings, or "3 pierced, 4 wound"."""
        assert self.die is not None
        by_word = {
            _word(self.read, meaning).lower(): meaning for meaning in dice.meanings(self.die, self.read).values()
        }
        counts: dict[Any, int] = {}
        for part in text.split(","):
            match = re.fullmatch(r"(\d{1,9})\s+(\S.*)", part.strip())
            meaning = _meaning_of(match[2].lower(), by_word) if match else None
            if match is None or meaning is None:
                counts_of = ", ".join(f"“{min(self.count, 2)} {word}”" for word in by_word)
                would = f"dice or counts such as {counts_of}" if self._has_words() else self._dice
                raise BadInput.of(self.label, f"needs {would}; got {echo(part.strip())}")
            counts[meaning[0]] = counts.get(meaning[0], 0) + int(match[1])
        rest = self.count - sum(counts.values())
        left = [meaning for meaning in by_word.values() if meaning not in counts]
        if rest < 0 or (rest and len(left) != 1):
            total = sum(counts.values())
            raise BadInput.of(self.label, f"needs counts that add up to {self.count} dice, got {total}")
        if rest:
            counts[left[0]] = rest
        return Tally((meaning, counts[meaning]) for meaning in by_word.values() if counts.get(meaning))


_BEGUN = re.compile("(roll|pool|direction|choose) ")
_CLOSED = re.compile(r"\] =(?= |$)")


class Entry(Struct, frozen=True, omit_defaults=True):
    """One answered question of a recording; one line of text."""

    kind: Kind
    label: str
    domain: str
    value: str
    by_default: bool = False  # whether no player was asked, and the usual option was taken

    def __str__(self) -> str:
        return f"{self.kind} {self.label} [{self.domain}] = {self.answer}"

    @property
    def answer(self) -> str:
        """The answer as it may be typed, with the mark of an option that no player chose."""
        return self.value + (BY_DEFAULT if self.by_default else "")

    @classmethod
    def parse(cls, line: str) -> Entry:
        """Read one line back; raises BadInput if it is not an entry."""
        bare = line.strip()
        begun, first = _BEGUN.match(bare), -1
        if begun is not None:
            first = bare.find(" [", begun.end() + 1)  # after a label of one letter or more
        closed = _CLOSED.search(bare, first + 2) if first > 0 else None
        if begun is None or closed is None or "\n" in bare:
            raise BadInput(f"an entry must have the form “roll label [1-6] = 4”, got {echo(bare)}")
        label, domain, value = bare[begun.end() : first], bare[first + 2 : closed.start()], bare[closed.end() :]
        kind, value = cast(Kind, begun[1]), value.strip()
        taken = value.removesuffix(BY_DEFAULT)
        if kind == "choose" and taken != value and value not in domain.split(OR):
            return cls(kind, label, domain, taken, by_default=True)
        return cls(kind, label, domain, value)


class NeedAnswer(BattletapeError):
    """The tape has reached a question without an answer; the error carries the whole question."""

    def __init__(self, ask: Ask, answered: Sequence[Entry] = ()) -> None:
        decider = f" ({ask.by} decides)" if ask.by and ask.kind == "choose" else ""
        needed = f", needs {ask.needed}" if ask.needed else ""
        super().__init__(f"{ask.label} [{ask.domain}]{needed}{decider}")
        self.ask = ask
        self.answered = tuple(answered)


class TapeMismatch(BattletapeError):
    """A recording does not fit what the rule asks; the message names the entry, the question and the answer."""

    def __init__(self, number: int, ask: Ask | None, entry: Entry | None, why: str = "") -> None:
        wanted = f"{ask.kind} {ask.label} [{ask.domain}]" if ask else "nothing more"
        found = str(entry) if entry else "nothing"
        super().__init__(
            f"entry {number}: the rule asks {wanted}, the recording has {found}" + (f": {why}" if why else "")
        )
        self.number, self.ask, self.entry = number, ask, entry


@lru_cache(1024)
def has_long_names(die: Die) -> bool:
    """Return whether a name of a face holds spaces or commas."""
    return any(re.search(r"[\s,;]", str(value)) for value in die.faces)


def tally(faces: Sequence[Face], table: Mapping[Face, Meaning]) -> Tally:
    """Count what the faces mean."""
    return Tally(Counter(map(table.__getitem__, faces)))


def _as_one(counts: Tally, shown: Die, whole: Whole) -> Meaning:
    """Return a pool read as one value."""
    known = whole.start
    for value in reversed(shown.faces):
        if counts[value]:
            known = whole.add(known, value, counts[value])
    return whole.end(known)


def arc_of(cuts: Sequence[float], bearing: float) -> int:
    """Return which arc between the cuts a bearing lies in; the arc across north is 0."""
    return bisect_right(cuts, bearing) % len(cuts) if cuts else 0


def check_stages(stages: Any) -> None:
    """Refuse anything but a tuple of functions."""
    if not isinstance(stages, Iterable) or not all(callable(stage) for stage in stages):
        raise BattletapeError(f"a procedure needs its stages as a tuple of functions, got {stages!r}")


@contextmanager
def frozen_states() -> Iterator[None]:
    """Refuse a state that can be changed, because states are compared and merged."""
    try:
        yield
    except TypeError as error:
        if "unhashable" not in str(error):
            raise
        kind = str(error).rpartition(":")[2].strip()
        raise BattletapeError(
            f"a state or result must be frozen, such as a number, a tuple or a frozen Struct, for equal ones merge; "
            f"got {kind}"
        ) from error


def endless(label: str) -> str:
    """Return the error for a rule that asks endlessly without luck or a decision."""
    reason = f"the rule asked {MAX_FORCED_ANSWERS:,} questions in a row that have one answer"
    return f"{label}: {reason}; it must come to an end"


@lru_cache(4096)
def check_label(label: str) -> None:
    """Refuse a label that is not one line, because a recording has a line for each question."""
    if not isinstance(label, str) or label.splitlines() != [label]:
        raise BattletapeError(f"a question needs a label of one line, got {label!r}")


def check_cuts(cuts: Sequence[float], label: str) -> tuple[float, ...]:
    """Refuse cuts that are not rising bearings from 0 to below 360."""
    check_label(label)
    try:
        fixed = tuple(cuts)
        fit = all(0 <= cut < 360 for cut in fixed) and all(a < b for a, b in pairwise(fixed))
    except TypeError:
        fit, fixed = False, cuts  # type: ignore[assignment]
    if not fit:
        raise BattletapeError(f"{label}: cuts must be rising bearings from 0 to below 360, got {fixed!r}")
    return fixed


def check_count(count: int, label: str) -> None:
    """Refuse a pool of fewer than no dice, or of absurdly many."""
    check_label(label)
    if not isinstance(count, int) or not 0 <= count <= MAX_POOL:
        raise BattletapeError(f"{label}: a pool needs 0 to {MAX_POOL:,} dice, got {count!r}")


def check_options(options: Any, label: str) -> tuple[Any, ...]:
    """Refuse a choice without options, with equal options, or without a fixed order."""
    check_label(label)
    if not isinstance(options, Iterable) or isinstance(options, (set, frozenset)):
        raise BattletapeError(f"{label}: a choice needs its options in order, such as a tuple; got {options!r}")
    fixed = tuple(options)
    if not fixed:
        raise BattletapeError(f"{label}: a choice needs one option or more, got none")
    try:
        differ = len(set(fixed)) == len(fixed)
    except TypeError:
        differ = not any(option in fixed[:at] for at, option in enumerate(fixed))
    if not differ:
        raise BattletapeError(f"{label}: a choice needs options that differ, got {fixed!r}")
    return fixed


def _word(read: Callable[[Face], Meaning], meaning: Meaning) -> str:
    name = getattr(read, "name", None)
    return str(name(meaning)) if name else str(meaning)


def _meaning_of(word: str, by_word: Mapping[str, Meaning]) -> tuple[Meaning] | None:
    """Return the meaning of a counted word.

    For a pass-or-fail reading hits, wounds and saves are passes, misses are not.
    """
    for name, meaning in by_word.items():
        if word == name or word.rstrip("s") == name.rstrip("s") or word.removesuffix("es") == name:
            return (meaning,)
    if set(by_word) == {"pass", "fail"}:
        if re.fullmatch(r"(hit|wound|sav|success|pass)[a-z]*", word):
            return (True,)
        if re.fullmatch(r"(miss|fail|unsaved)[a-z]*", word):
            return (False,)
    return None
