"""What Battletape says when something does not fit: what was asked, what came, what would do."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cached_property
from typing import Any, NamedTuple, Protocol, TypeAlias, TypeVar

from battletape.words import matching_names, plain


class Named(Protocol):
    """Anything with a name."""

    @property
    def name(self) -> str:
        """The name."""


N = TypeVar("N", bound=Named)
Called: TypeAlias = Callable[[tuple[str, ...], str], str]
"""(the lists where an input stands, its name) -> how it is called where players see titles."""
T = TypeVar("T")


class InputName(str):
    """The name of another input in a sentence; where players see titles, its title stands there."""


Words: TypeAlias = str | tuple[str, ...]
"""A sentence; in parts if it names other inputs: `("it needs ", InputName("smoke_launchers"))`."""


def own_name(lists: tuple[str, ...], name: str) -> str:
    """Call an input by its name, as the command line and programs do."""
    return name


def sentence_of(words: Words, called: Called = own_name) -> str:
    """Return the parts of a sentence as one, with the inputs that it names as they are called."""
    if type(words) is str:  # as nearly all are
        return words
    parts = (words,) if isinstance(words, str) else words
    return "".join(called((), part) if isinstance(part, InputName) else part for part in parts)


class ErrorLine(NamedTuple):
    """A line of an error to show: its words, and the clauses that it cites."""

    text: str
    clauses: tuple[str, ...] = ()


class BattletapeError(Exception):
    """Any trouble that a sentence can explain; the message is meant for the person at the table."""

    def __reduce__(self) -> tuple[Any, ...]:
        return (_again, (type(self), self.args, self.__dict__))

    clauses: tuple[str, ...] = ()  # those that the sentence cites at its end

    def sentence(self, called: Called) -> str:
        """Return the sentence with inputs called by other names, such as their titles."""
        return str(self)

    def lines(self, called: Called = own_name) -> tuple[ErrorLine, ...]:
        """Return the lines to show, with what they cite beside them."""
        return tuple(map(ErrorLine, self.sentence(called).splitlines()))

    def summary(self, called: Called = own_name) -> str:
        """Return the first line without what it cites and without lists of all that would do."""
        return next((line.text for line in self.lines(called)), "")


def cited(text: str, clauses: Sequence[str]) -> str:
    """Return a sentence that cites clauses in brackets, before its full stop if it has one."""
    stop = "." if text.endswith(".") else ""
    return f"{text[: len(text) - len(stop)]} ({', '.join(clauses)}){stop}" if clauses else text


class Caution(NamedTuple):
    """A warning of what looks unusual about inputs, and the clause that it cites."""

    text: str
    clause: str = ""

    def __str__(self) -> str:
        return cited(self.text, (self.clause,) if self.clause else ())


def cited_lines(text: str, clauses: tuple[str, ...]) -> tuple[ErrorLine, ...]:
    """Return lines to show of which the last cites these clauses."""
    *first, last = text.splitlines() or [""]
    return (*map(ErrorLine, first), ErrorLine(last.removesuffix(".") if clauses else last, clauses))


class Place(str):
    """Where an entry of a list stands, as a text such as “sides 1: units 2”, and its names and numbers."""

    parts: tuple[tuple[str, int], ...]

    def __new__(cls, name: str, at: int, above: str = "") -> Place:
        """Return the place `at` in the list of this name, within what stands above it."""
        made = super().__new__(cls, f"{above}: {name} {at}" if above else f"{name} {at}")
        made.parts = (*parts_of(above), (name, at))
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return (_place_again, (str(self), self.parts))

    @property
    def in_words(self) -> str:
        """The place as people write it."""
        return ": ".join(f"{plain(name)} {at}" for name, at in self.parts)


def parts_of(source: str) -> tuple[tuple[str, int], ...]:
    """Return the names and numbers of the lists where something stands; none for a source that is no such place."""
    return source.parts if isinstance(source, Place) else ()


class BadInput(BattletapeError):
    """An input does not fit: the message says what would do and what came, and cites the clause."""

    predicate: Words = ""  # the message without the name of the input, if it begins with that

    def __init__(
        self, message: Words, *, field: str = "", source: str = "", clause: str = "", clauses: Sequence[str] = ()
    ) -> None:
        self.bare, self.clause = message, clause
        self.clauses = tuple(clauses) or ((clause,) if clause else ())
        self.message = cited(sentence_of(message), self.clauses)
        super().__init__(f"{source}: {self.message}" if source else self.message)
        self.field = field
        self.source = source

    @staticmethod
    def of(field: str, predicate: Words, *, source: str = "", clause: str = "") -> BadInput:
        """Make an error whose sentence begins with the name of the input, or with its title for players."""
        error = BadInput(f"{field} {sentence_of(predicate)}", field=field, source=source, clause=clause)
        error.predicate = predicate
        return error

    def sentence(self, called: Called) -> str:
        """Return the sentence with the input in question called by its title."""
        return cited(self._words(called), self.clauses)

    def lines(self, called: Called = own_name) -> tuple[ErrorLine, ...]:
        """Return the lines to show, with what they cite beside them."""
        return cited_lines(self._words(called), self.clauses)

    @property
    def uncited(self) -> str:
        """The sentence without the clauses that it cites."""
        return self._words(own_name)

    def _words(self, called: Called) -> str:
        return self._placed(self.message_with(called))

    def _placed(self, message: str) -> str:
        where = self.source.in_words if isinstance(self.source, Place) else self.source
        return f"{where}: {message}" if where else message

    def message_with(self, called: Called) -> str:
        """Return the message alone, with the input called by its title."""
        if not self.predicate:
            return sentence_of(self.bare, called)
        lists = tuple(name for name, _ in parts_of(self.source))
        return f"{called(lists, self.field)} {sentence_of(self.predicate, called)}"


class Misfit(BadInput):
    """A value that an input does not take: which input, what would do, what came, and the clause."""

    def __init__(self, field: str, wanted: str, got: str, *, clause: str = "", source: str = "") -> None:
        self.wanted, self.got = wanted, got
        self.predicate = f"must be {wanted}; got {got}."
        super().__init__(f"{field} {self.predicate}", field=field, source=source, clause=clause)


class UnknownInput(BadInput):
    """An input that there is not: what may be meant instead, and, for programs, what there is."""

    def __init__(self, whose: str, name: str, hint: str, known: str = "", *, source: str = "") -> None:
        self.whose, self.hint, self.known = whose, hint, known
        message = " ".join(filter(None, (f"{whose} has no input {echo(name)}.", hint, known)))
        super().__init__(message, field=name, source=source)

    def message_with(self, called: Called) -> str:
        """Return the message without the names of all inputs, which an address has and a page has not."""
        return " ".join(filter(None, (f"{self.whose} has no input {echo(self.field)}.", self.hint)))


MOST_NAMES = 24  # longer lists are not shown
MOST_LETTERS = 80  # a longer text is cut short


class UnknownName(BadInput):
    """An unknown name, with the nearest known one, which is looked up when the message is read."""

    def __init__(self, kind: str, name: object, known: Iterable[str], *, source: str = "", clause: str = "") -> None:
        self.name, self.known, self.clause = str(name), tuple(known), clause
        self.field, self.source = kind, source
        Exception.__init__(self, kind, self.name, self.known)

    def __str__(self) -> str:
        return f"{self.source}: {self.message}" if self.source else self.message

    def message_with(self, called: Called) -> str:
        """Return the message, which names no input and cites its clause in the middle."""
        return self.message

    def summary(self, called: Called = own_name) -> str:
        """Return the message without the known names, unless one of them must be chosen."""
        return self._placed(self.message if len(self.fits) > 1 else self._unknown)

    @cached_property
    def fits(self) -> tuple[str, ...]:
        """The known names that may be meant; more than one: the name is not clear."""
        return matching_names(self.name, self.known)

    @cached_property
    def nearest(self) -> str | None:
        """The known name that is most likely meant."""
        return self.fits[0] if self.fits else nearest(self.name, self.known)

    @cached_property
    def message(self) -> str:  # type: ignore[override]
        """What is not known, and what would do."""
        names = list(self.known)
        if len(self.fits) > 1:
            rule = f" ({self.clause})" if self.clause else ""
            choices = ", ".join(self.fits[:MOST_NAMES]) + (" and more" if len(self.fits) > MOST_NAMES else "")
            return f"{echo(self.name)} fits {len(self.fits)} names; which {self.field} is meant{rule}: {choices}?"
        listed = f" Known: {', '.join(names)}." if names and len(names) <= MOST_NAMES else ""
        if len(names) > MOST_NAMES:
            listed = f" {len(names)} are known, such as {', '.join(_like(self.name, names))}."
        return f"{self._unknown}{listed}"

    @property
    def _unknown(self) -> str:
        rule = f" ({self.clause})" if self.clause else ""
        hint = f" Did you mean {self.nearest!r}?" if self.nearest else ""
        return f"there is no {self.field} {echo(self.name)}{rule}.{hint}"


def by_name(kind: str, name: str, items: Sequence[N], *, source: str = "", clause: str = "") -> N:
    """Return the thing of this name, in small or capital letters; raises UnknownName with the nearest one."""
    for item in items:
        if item.name == name:  # nearly always: battles ask for names as they are written
            return item
    folded = name.strip().lower()
    for item in items:
        if item.name.lower() == folded:
            return item
    raise UnknownName(kind, name, [item.name for item in items], source=source, clause=clause)


class MissingInput(BadInput):
    """Something that an action cannot do without was not said."""

    def __init__(self, action: str, missing: Sequence[str], known: Sequence[str] = (), *, source: str = "") -> None:
        self.missing = tuple(missing)
        first, *others = self.missing
        one_of = f" ({', '.join(known)})" if known and len(known) <= MOST_NAMES else ""
        super().__init__(f"{action} needs {', '.join((first + one_of, *others))}.", field=first, source=source)


class Refused(BattletapeError):
    """An action that the rules do not allow now, with the reason and the clause."""

    def __init__(self, reason: Words, clause: str = "", kind: str = "", *, at_all: bool = False) -> None:
        self.words, self.reason = reason, sentence_of(reason)
        super().__init__(f"{self.reason} ({clause})" if clause else self.reason)
        self.clause = clause
        self.clauses = (clause,) if clause else ()
        self.kind = kind  # a short word for programs: range, line_of_sight
        self.at_all = at_all  # whatever else were said, this action is refused now: another phase, the battle is over

    def sentence(self, called: Called) -> str:
        """Return the sentence with the inputs that it names called by their titles."""
        reason = sentence_of(self.words, called)
        return f"{reason} ({self.clause})" if self.clause else reason

    def lines(self, called: Called = own_name) -> tuple[ErrorLine, ...]:
        """Return the lines to show, with what they cite beside them."""
        return cited_lines(sentence_of(self.words, called), self.clauses)


_PARDONED: ContextVar[list[Refused] | None] = ContextVar("pardoned", default=None)


def need(holds: object, reason: str, clause: str = "", kind: str = "", *, at_all: bool = False) -> None:
    """Go on only if this holds; otherwise what is being planned is refused for this reason."""
    if not holds:
        raise_if_refused(Refused(reason, clause, kind, at_all=at_all))


def raise_if_refused(*refusals: BattletapeError | None, at_all: bool = False) -> None:
    """Raise the first of these reasons why something cannot be done, if there is any."""
    for refused in refusals:
        if refused is not None:
            pardoned = _PARDONED.get()
            if isinstance(refused, Refused):
                refused.at_all = refused.at_all or at_all
            if pardoned is None or not isinstance(refused, Refused):
                raise refused
            pardoned.append(refused)


def granted(value: T | Refused) -> T:
    """Return what a rule gives; if it refuses instead, that is raised."""
    if isinstance(value, Refused):
        raise value
    return value


@contextmanager
def pardoning() -> Iterator[list[Refused]]:
    """Note what `need` and `raise_if_refused` would refuse and go on, for moves that an earlier version allowed."""
    pardoned: list[Refused] = []
    token = _PARDONED.set(pardoned)
    try:
        yield pardoned
    finally:
        _PARDONED.reset(token)


class BudgetSpent(BattletapeError):
    """The question is too large for the budget given."""


def echo(text: str) -> str:
    """Return what came, in quotes; a long text is cut short."""
    return repr(shortened(text))


def shortened(text: str) -> str:
    """Return what came; a long text is cut short."""
    return text if len(text) <= MOST_LETTERS else text[: MOST_LETTERS - 1] + "…"


def sentence(text: object) -> str:
    """Return the text with a full stop, if it does not end like a sentence."""
    words = str(text).rstrip()
    return words if words.endswith((".", "?", "!", "…")) else f"{words}."


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name most like the one that came, if there is one."""
    likeliest = _closest(
        name, {known_name.lower(): known_name for known_name in known}, 1, 0.65 if len(name) < 5 else 0.7
    )  # one of three letters may be wrong
    return likeliest[0] if likeliest else None


def _like(name: str, known: list[str]) -> list[str]:
    """Return a few of the known names, the most similar first."""
    return _closest(name, {known_name.lower(): known_name for known_name in known}, 4, 0.3) or known[:4]


def _closest(name: str, by_lower: dict[str, str], most: int, cutoff: float) -> list[str]:
    """Return known names like the one that came, those that begin with it first; for an id, the nearest numbers."""
    import re
    from difflib import get_close_matches  # needed only after an error

    typed = name.strip().lower()
    numbered = re.fullmatch(r"(.*-)(\d{1,9})", typed)
    near: list[str] = []
    if numbered:
        alike = re.compile(rf"{re.escape(numbered[1])}(\d{{{len(numbered[2])}}})")
        same = {lower: int(match[1]) for lower in by_lower if (match := alike.fullmatch(lower))}
        near = sorted(same, key=lambda lower: abs(same[lower] - int(numbered[2])))[:most]
    begun = sorted((lower for lower in by_lower if len(typed) > 2 and lower.startswith(typed)), key=len)
    within = [lower for lower in by_lower if len(typed) > 2 and typed in lower.split()]
    alike_so_far = [lower for lower in by_lower if len(typed) > 4 and lower.startswith(typed[:3])]  # lasgun, lascannon
    within += get_close_matches(typed, alike_so_far, n=most, cutoff=0.5)
    of_a_size = [
        lower for lower in by_lower if len(typed) > 4 or abs(len(lower) - len(typed)) < 3
    ]  # no mode for modifier
    close = get_close_matches(typed, of_a_size, n=most, cutoff=cutoff)
    return [by_lower[lower] for lower in dict.fromkeys((*near, *begun, *close, *within))][:most]


class NotAFile(OSError):
    """What a name leads to is a pipe, a device or a socket, which may keep a reader waiting for ever."""


def file_trouble(error: Exception, *, writing: bool = False) -> str:
    """Return why a file could not be read or written, and what would help, in plain words."""
    from errno import EDQUOT, EFBIG, ELOOP, ENAMETOOLONG, ENOSPC, EROFS

    number = getattr(error, "errno", None)
    if isinstance(error, UnicodeDecodeError):
        line = error.object[: error.start].count(b"\n") + 1
        return f"line {line} is not UTF-8 text; save the file as UTF-8"
    if isinstance(error, FileNotFoundError):
        return "there is no such folder; make it first, or choose another place" if writing else "there is no such file"
    if isinstance(error, IsADirectoryError):
        return "this is a folder; give the name of a file" + (" in it" if writing else "")
    if isinstance(error, NotAFile):
        return "it is a pipe, a device or a socket; give the name of a file"
    if isinstance(error, NotADirectoryError):
        return "what stands before the last “/” is a file, not a folder; give another path"
    if isinstance(error, PermissionError):
        what = "write there; choose another place" if writing else "read it; ask its owner, or give another file"
        return f"you are not allowed to {what}"
    if number in (ENOSPC, EDQUOT, EFBIG):
        return "the disk is full; make room, or choose another place"
    if number == EROFS:
        return "nothing can be written on that disk; choose another place"
    if number == ENAMETOOLONG:
        return "the name is too long; choose a shorter one"
    if number == ELOOP:
        return "it is a link that leads back to itself; give the file it should lead to"
    return f"the system says: {getattr(error, 'strerror', None) or error}"


def _place_again(text: str, parts: tuple[tuple[str, int], ...]) -> Place:
    made = str.__new__(Place, text)
    made.parts = parts
    return made


def _again(kind: type[BattletapeError], args: tuple[Any, ...], known: dict[str, Any]) -> BattletapeError:
    """Return an error as it was before it was pickled, whatever its own class takes."""
    error = kind.__new__(kind, *args)
    error.__dict__.update(known)
    return error
