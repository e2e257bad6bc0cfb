"""Odds: an exact distribution, in whole-number weights."""

from __future__ import annotations

import operator
from collections.abc import Callable, Hashable, Iterator, Mapping
from fractions import Fraction
from math import gcd, sqrt
from types import MappingProxyType
from typing import Any, Generic, NamedTuple, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from battletape.errors import BattletapeError, UnknownName

T = TypeVar("T", bound=Hashable)
U = TypeVar("U", bound=Hashable)
SHOWN = 200  # values in a table for notebooks
DIGITS = 1_000  # a fraction with longer numbers is written as an approximate one
LONG_BITS = DIGITS * 10 // 3
YES_NO = {"yes": True, "no": False}


class How(Struct, frozen=True):
    """How a distribution was computed: exact, floats or sampled, and how much work it was."""

    method: str = "exact"
    path: str = ""
    branches: int = 0
    states: int = 0
    policy: str = ""
    left_out: str = ""  # what a budget left out, in words

    def __str__(self) -> str:
        counts = f" · {self.branches:,} branches · {self.states:,} states" if self.branches else ""
        return (
            self.method
            + counts
            + (f" · {self.path}" if self.path else "")
            + (f" · {self.policy}" if self.policy else "")
        )


class Odds(Generic[T]):
    """An exact distribution: every possible value with its chance, as a fraction.

    `odds[3]`, `odds.at_least(3)` and `odds.mean` look at it; iterating gives its values in order. `a + b`, `a - b`,
    `a * b`, `a.max(b)` and `a.min(b)` are the odds of two independent results taken together; either may be a plain
    number. So `odds + odds` is two results, and `2 * odds` is one result that counts double. `a < b`, `a <= b`, `a > b`
    and `a >= b` are the odds of True. `==` is different: it says whether two distributions are the same, because tests,
    sets and dictionaries rely on a plain yes or no. `a.ties(b)` gives the odds that two results are equal.
    `unexplored` is what a budget left out.
    """

    __slots__ = ("_measured", "_said", "_weights", "how", "total", "unexplored_weight")

    def __init__(self, weights: Mapping[T, int], total: int | None = None, how: How | None = None) -> None:
        try:
            explored = sum(weights.values())
            whole = explored if total is None else total
            if whole <= 0 or explored > whole or min(weights.values(), default=0) < 0:
                raise BattletapeError(_misfit(weights, explored, total))
            shared = gcd(whole, *weights.values())
        except (AttributeError, TypeError):
            came = f"{weights!r:.80}" + ("" if total is None else f" and the total {total!r}")
            raise BattletapeError(
                f"odds need values with whole-number weights such as {{1: 5, 2: 1}}, got {came}"
            ) from None
        self._measured: dict[tuple[Any, ...], Odds[Any]] = {}  # what `measured` has worked out
        self._weights = {value: weight // shared for value, weight in weights.items() if weight}
        self.total = whole // shared
        self.unexplored_weight = (whole - explored) // shared
        self.how = how or How()
        self._said: tuple[Callable[[Any], str] | None, tuple[Any, ...]] = (None, ())

    @property
    def weights(self) -> Mapping[T, int]:
        """Each value with its weight; it cannot be changed."""
        return MappingProxyType(self._weights)

    # --- one number -------------------------------------------------------------------------------------------------

    @property
    def is_exact(self) -> bool:
        """Whether each weight is exact and nothing was left out."""
        return self.how.method == "exact" and not self.unexplored_weight

    @property
    def unexplored(self) -> Fraction:
        """The probability that a budget left out; 0 if everything was explored."""
        return Fraction(self.unexplored_weight, self.total)

    @property
    def mean(self) -> Fraction:
        """The average; if a budget left something out, that of the explored part."""
        return Fraction(sum(self._number(v) * w for v, w in self._weights.items()), self._explored())

    @property
    def variance(self) -> Fraction:
        """The average squared distance from the mean."""
        whole, first, second = self._explored(), 0, 0
        for value, weight in self._numbers():  # as whole numbers: to add up fractions with long denominators takes long
            first += value * weight
            second += value * value * weight
        return Fraction(second * whole - first * first, whole * whole)

    @property
    def deviation(self) -> float:
        """The standard deviation."""
        return sqrt(self.variance)

    @property
    def error(self) -> float:
        """The standard error of the mean; 0 unless the odds were sampled."""
        return sqrt(self.variance / (self.how.branches or self.total)) if self.how.method == "sampled" else 0.0

    def chance(self, condition: Callable[[T], Any] | T) -> Fraction:
        """Return the chance of a value, or of every value for which the condition holds; a misspelt word is refused."""
        if callable(condition):
            return Fraction(sum(w for v, w in self._weights.items() if condition(v)), self.total)
        return self._chance_of(condition, "a chance needs a value or a condition,")

    def _chance_of(self, value: Any, needs: str) -> Fraction:
        """Return the chance of a value, or of what it is called; a word that no result can be is refused as a slip."""
        try:
            if value in self._weights:
                return Fraction(self._weights[value], self.total)
        except TypeError:
            raise BattletapeError(f"{needs} got {value!r}") from None
        words, known = self._said
        if not self._weights or value in known:
            return Fraction(0)
        texts = [result for result in self._weights if isinstance(result, str)]
        if not isinstance(value, str):
            if len(texts) == len(self._weights) and value is not None:
                raise BattletapeError(f"these results are words, such as {texts[0]!r}; got {value!r}")
            return Fraction(0)
        if words is not None and any(words(result) == value for result in (*self._weights, *known)):
            return Fraction(sum(w for v, w in self._weights.items() if words(v) == value), self.total)
        if known or (words is not None and not texts):
            raise UnknownName("result", value, [(words or str)(result) for result in known or self.values()])
        if not texts and value.lower() in YES_NO and set(self._weights) <= {0, 1}:
            return self._chance_of(YES_NO[value.lower()], needs)
        if not texts:
            kind = "numbers" if self._is_numeric() else "not words"
            raise BattletapeError(f"these results are {kind}, such as {self.values()[0]}; got {value!r}")
        if value.casefold() in (text.casefold() for text in texts) or not _has_place(value, texts[0]):
            raise UnknownName("result", value, map(str, self.values()))
        return Fraction(0)

    def _called(self, words: Callable[[Any], str] | None, known: tuple[Any, ...]) -> Odds[T]:
        """Let fresh odds know what their results are called, and which of them there are."""
        self._said = words, known
        return self

    def at_least(self, value: Any) -> Fraction:
        """Return the chance of this much or more."""
        return self._against(value, lambda result: result >= value)

    def at_most(self, value: Any) -> Fraction:
        """Return the chance of this much or less."""
        return self._against(value, lambda result: result <= value)

    def quantile(self, share: Fraction | float) -> T:
        """Return the smallest value that covers at least this share of the results."""
        if not isinstance(share, (int, float, Fraction)) or not 0 <= share <= 1:
            raise BattletapeError(f"a quantile needs a share from 0 to 1, got {share!r}")
        wanted, so_far = Fraction(str(share)) * self._explored(), 0
        for value in self.values():
            so_far += self._weights[value]
            if so_far >= wanted:
                return value
        return self.values()[-1]

    @property
    def median(self) -> T:
        """The middle value."""
        return self.quantile(Fraction(1, 2))

    @property
    def mode(self) -> T:
        """The likeliest value; of two equally likely ones, the smaller."""
        self._explored()
        return max(self.values(), key=lambda value: self._weights[value])

    # --- the whole --------------------------------------------------------------------------------------------------

    def values(self) -> list[T]:
        """Return every possible value, in order if they have one."""
        try:
            return sorted(self._weights)  # type: ignore[type-var]
        except TypeError:
            return list(self._weights)

    def items(self) -> list[tuple[T, Fraction]]:
        """Return each value with its chance, in order."""
        return list(self.fractions().items())

    def __iter__(self) -> Iterator[T]:
        """Return every possible value, in order if they have one."""
        return iter(self.values())

    __reversed__ = None  # Python would count from the end

    def __contains__(self, value: object) -> bool:
        """Return whether this value can come up."""
        try:
            return value in self._weights
        except TypeError:  # no result is a list
            return False

    def __getitem__(self, value: Any) -> Fraction:
        """Return the chance of a value; 0 if it cannot come up."""
        return self._chance_of(value, "odds are looked up by a value, such as odds[3];")

    def project(self, measure: Callable[[T], U]) -> Odds[U]:
        """Return the odds of a measure of the result; equal measures merge."""
        merged: dict[U, int] = {}
        if not callable(measure):
            raise BattletapeError(f"odds are projected with a function of the result, got {measure!r}")
        for value, weight in self._weights.items():
            seen = measure(value)
            try:
                merged[seen] = merged.get(seen, 0) + weight
            except TypeError:
                raise BattletapeError(f"a measure must be a number, text or tuple, got {seen!r}") from None
        return Odds(merged, self.total, self.how)

    def given(self, condition: Callable[[T], Any]) -> Odds[T]:
        """Return the odds among the results that meet a condition."""
        held = {value: weight for value, weight in self._weights.items() if condition(value)}
        if not held:
            raise BattletapeError("nothing that could happen fits this condition")
        if self.unexplored_weight:
            raise BattletapeError("what is not explored may fit the condition or not; ask for exact odds first")
        return Odds(held, None, self.how)

    def fractions(self) -> dict[T, Fraction]:
        """Return each value with its chance as a fraction."""
        return {value: Fraction(self._weights[value], self.total) for value in self.values()}

    def floats(self) -> dict[T, float]:
        """Return each value with its chance as a float."""
        return {value: self._weights[value] / self.total for value in self.values()}

    # --- results taken together -------------------------------------------------------------------------------------

    def __add__(self, other: Any) -> Odds[Any]:
        """Return the odds of the sum with a number, or with an independent result."""
        return self._with(other, operator.add, "a sum needs results that add up")

    def __radd__(self, other: Any) -> Odds[Any]:
        return self._with(other, lambda own, number: number + own, "a sum needs results that add up")

    def __sub__(self, other: Any) -> Odds[Any]:
        """Return the odds of the difference from a number, or from an independent result."""
        return self._with(other, operator.sub, "a difference needs numbers")

    def __rsub__(self, other: Any) -> Odds[Any]:
        return self._with(other, lambda own, number: number - own, "a difference needs numbers")

    def __mul__(self, other: Any) -> Odds[Any]:
        """Return the odds of the product with a number, or with an independent result."""
        return self._with(other, _times, "a product needs numbers")

    def __rmul__(self, other: Any) -> Odds[Any]:
        return self._with(other, _times, "a product needs numbers")

    def __neg__(self) -> Odds[Any]:
        return 0 - self

    def max(self, other: Any) -> Odds[Any]:
        """Return the odds of the greater one: of this result and a number, or an independent result."""
        return self._with(other, max, "the greater one needs results with an order")

    def min(self, other: Any) -> Odds[Any]:
        """Return the odds of the smaller one: of this result and a number, or an independent result."""
        return self._with(other, min, "the smaller one needs results with an order")

    def __lt__(self, other: Any) -> Odds[bool]:
        """Return the odds of True that this result is less than a number, or than an independent result."""
        return self._compared(other, operator.lt)

    def __le__(self, other: Any) -> Odds[bool]:
        """Return the odds of True that this result is at most a number, or an independent result."""
        return self._compared(other, operator.le)

    def __gt__(self, other: Any) -> Odds[bool]:
        """Return the odds of True that this result is more than a number, or than an independent result."""
        return self._compared(other, operator.gt)

    def __ge__(self, other: Any) -> Odds[bool]:
        """Return the odds of True that this result is at least a number, or an independent result."""
        return self._compared(other, operator.ge)

    def ties(self, other: Any) -> Odds[bool]:
        """Return the odds of True that this result equals a value, or an independent result."""
        return self._compared(other, operator.eq)

    def _compared(self, other: Any, holds: Callable[[Any, Any], bool]) -> Odds[bool]:
        both = self._with(other, holds, "a comparison needs results with an order")
        return _Compared(both._weights, both.total, both.how)

    def _with(self, other: Any, combine: Callable[[Any, Any], Any], needs: str) -> Odds[Any]:
        """Return the odds of this result combined with a plain value, or with an independent result."""
        theirs = other if isinstance(other, Odds) else Odds({_value(other, needs): 1})
        merged: dict[Any, int] = {}
        for a, x in self._weights.items():
            for b, y in theirs._weights.items():
                try:
                    both = combine(a, b)
                except TypeError:
                    raise BattletapeError(f"{needs}, got {a!r} and {b!r}") from None
                merged[both] = merged.get(both, 0) + x * y
        method = self.how.method if self.how.method != "exact" else theirs.how.method
        how = How(method) if isinstance(other, Odds) else self.how
        return Odds(merged, self.total * theirs.total, how)

    def compare(self, other: Odds[T]) -> dict[str, Fraction]:
        """Compare with an independent result: the chances of more, equal and less, and the difference of the means."""
        _check_odds(other, "a comparison")
        more, equal = self._race(other) if self._counts() and other._counts() else self._duel(other)
        whole = self._explored() * other._explored()
        result = {"more": Fraction(more, whole), "equal": Fraction(equal, whole)}
        return {**result, "less": 1 - result["more"] - result["equal"], "difference": self.mean - other.mean}

    def _counts(self) -> bool:
        return all(isinstance(value, (int, Fraction)) for value in self._weights)

    def _race(self, other: Odds[T]) -> tuple[int, int]:
        """Return the weights of more and equal, number by number: one pass over both."""
        theirs = sorted(other._weights.items())
        more = equal = below = at = 0
        for value, weight in sorted(self._weights.items()):
            while at < len(theirs) and theirs[at][0] < value:  # type: ignore[operator]
                below += theirs[at][1]
                at += 1
            more += weight * below
            if at < len(theirs) and theirs[at][0] == value:
                equal += weight * theirs[at][1]
        return more, equal

    def _duel(self, other: Odds[T]) -> tuple[int, int]:
        """Return the weights of more and equal, each result against each."""
        more = equal = 0
        for a, x in self._weights.items():
            for b, y in other._weights.items():
                try:
                    more += x * y * (a > b)  # type: ignore[operator]
                except TypeError:
                    raise BattletapeError(f"a comparison needs results with an order, got {a!r} and {b!r}") from None
                equal += x * y * (a == b)
        return more, equal

    def rows(self) -> Iterator[tuple[T, Fraction, Fraction, Fraction]]:
        """Yield for each value: the chance of exactly, at least and at most this."""
        for value, exactly, at_least, at_most in shares(self):
            yield value, exactly.fraction, at_least.fraction, at_most.fraction

    def to_dict(self) -> dict[str, Any]:
        """Return plain data: fractions as text beside floats."""
        rows = [
            {
                "value": plain(v),
                "exactly": str(e),
                "at_least": str(a),
                "exactly_float": float(e),
                "at_least_float": float(a),
            }
            for v, e, a, _ in shares(self)
        ]
        data: dict[str, Any] = {"rows": rows, "method": self.how.method, "exact": self.is_exact}
        data["unexplored"] = str(Share(self.unexplored_weight, self.total))
        if self._is_numeric():
            data |= {"mean": fraction_text(self.mean), "mean_float": float(self.mean), "deviation": self.deviation}
        return data

    def to_json(self, indent: int | None = None) -> str:
        """Return `to_dict` as JSON text."""
        return as_json(self.to_dict(), indent)

    def to_csv(self, adds_up: str = "at_least") -> str:
        """Return a table with a head line: value, exactly, at least or at most (fractions and floats)."""
        import csv
        import io

        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(["value", "exactly", adds_up, "exactly_float", f"{adds_up}_float"])
        for value, exactly, *sums in shares(self):
            share = sums[adds_up == "at_most"]
            writer.writerow([plain(value), str(exactly), str(share), float(exactly), float(share)])
        return text.getvalue()

    def as_method(self, how: How) -> Odds[T]:
        """Return the odds with a note on how they were computed."""
        return Odds(self._weights, self.total, replace(how))

    def __eq__(self, other: object) -> bool:
        """Return whether every value has the same chance; a plain mapping may be compared too."""
        if isinstance(other, Odds):
            return self._weights == other._weights and self.total == other.total
        if isinstance(other, Mapping):
            try:
                return self.fractions() == {value: Fraction(chance) for value, chance in other.items() if chance}
            except (TypeError, ValueError):  # no chances at all
                return False
        return NotImplemented

    def __hash__(self) -> int:
        return hash((self.total, frozenset(self._weights.items())))

    def __reduce__(self) -> tuple[Any, ...]:
        return (Odds, (self._weights, self.total, self.how))

    def __len__(self) -> int:
        return len(self._weights)

    def __repr__(self) -> str:
        shown = [f"{value}: {percent(e)}" for value, e, _, _ in list(self.rows())[:12]]
        more = f", … {len(self) - 12} more" if len(self) > 12 else ""
        mean = f"mean {float(self.mean):.4g}, " if self._is_numeric() else ""
        left = f", unexplored {float(self.unexplored):.2g}" if self.unexplored_weight else ""
        return f"<Odds {mean}{{{', '.join(shown)}{more}}}, {self.how.method}{left}>"

    def _repr_html_(self) -> str:
        """Return a table with bars, for notebooks."""
        from html import escape

        more = f" · {len(self) - SHOWN:,} more values" if len(self) > SHOWN else ""
        return f"{self.bars()}<small>{escape(str(self.how))}{more}</small>"

    def bars(self, words: Callable[[Any], str] = str, adds_up: str = "at_least", never: Any = None) -> str:
        """Return a table with bars in HTML: `words` names a value, and `never`, which counts in no sum, stands last."""
        from html import escape

        usual = [value for value in self.values() if never is None or value != never]
        so_far, sums = Fraction(0), dict[Any, Fraction]()
        for value in usual if adds_up == "at_most" else reversed(usual):
            so_far += self[value]
            sums[value] = so_far
        rows = [*usual, *(value for value in self.values() if value not in sums)][:SHOWN]
        widest = max((self[value] for value in rows), default=Fraction(1)) or Fraction(1)
        cells = "".join(
            f"<tr><td>{escape(words(value))}</td><td style='text-align:right'>{percent(self[value])}</td>"
            f"<td><div style='background:#a63a22;height:.8em;width:{float(12 * self[value] / widest):.2f}em'></div>"
            f"</td><td style='text-align:right'>{percent(sums[value]) if value in sums else ''}</td></tr>"
            for value in rows
        )
        if self.unexplored_weight:
            left = percent(self.unexplored)
            cells += f"<tr><td>unexplored</td><td style='text-align:right'>{left}</td><td></td><td></td></tr>"
        heads = f"<tr><th></th><th>exactly</th><th></th><th>{adds_up.replace('_', ' ')}</th></tr>"
        return f"<table>{heads}{cells}</table>"

    def _against(self, value: Any, condition: Callable[[Any], Any]) -> Fraction:
        try:
            return self.chance(condition)
        except TypeError:
            if isinstance(value, str) and all(isinstance(result, str) for result in self._weights):
                raise UnknownName("result", value, map(str, self._said[1] or self.values())) from None
            example = next(iter(self._weights), None)
            raise BattletapeError(f"{value!r} has no order among results such as {example!r}") from None

    def _explored(self) -> int:
        explored = self.total - self.unexplored_weight
        if not explored:
            why = f" ({self.how.left_out})" if self.how.left_out else ""
            raise BattletapeError(f"the budget left every branch unexplored{why}; ask with a larger one")
        return explored

    def _number(self, value: Any) -> Any:
        if not isinstance(value, (int, float, Fraction)):
            raise BattletapeError(f"a mean needs numbers, got {value!r}; project the odds to a measure first")
        return Fraction(value) if isinstance(value, float) else value

    def _numbers(self) -> Iterator[tuple[Any, int]]:
        return ((self._number(value), weight) for value, weight in self._weights.items())

    def _is_numeric(self) -> bool:
        return bool(self._weights) and all(isinstance(value, (int, float, Fraction)) for value in self._weights)


def _misfit(weights: Mapping[Any, int], explored: int, total: int | None) -> str:
    """Return why these weights do not make odds."""
    below = [f"{weight} for {value!r}" for value, weight in weights.items() if weight < 0]
    if below:
        return f"the weights of odds must be 0 or more, got {below[0]}"
    if total is None:
        return f"odds need one value or more with a weight, such as {{1: 5, 2: 1}}; got {dict(weights)!r:.80}"
    if total <= 0:
        return f"odds need a total of 1 or more, got {total}"
    return f"the weights of odds may add up to at most their total, {total}; got {explored}"


class _Compared(Odds[bool]):
    """The odds of True; an `if` cannot decide by them."""

    __slots__ = ()

    def __bool__(self) -> bool:
        raise BattletapeError(
            f"a comparison of odds is itself odds, {percent(self[True])} for True; say (a >= b).chance(True) for the "
            "chance, a.max(b) or a.min(b) for the greater or the smaller one, and sort by odds.mean"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return (_Compared, (self._weights, self.total, self.how))


def _has_place(word: str, result: str) -> bool:
    """Return whether a word stands somewhere in the order of a result that has an order of its own."""
    try:
        return isinstance(result < word, bool)
    except TypeError:
        return False


def _value(given: Any, needs: str) -> Any:
    """Return a plain value beside odds; a float counts as the decimal number it shows, so that nothing is rounded."""
    if isinstance(given, float):
        try:
            return Fraction(str(given))
        except ValueError:
            raise BattletapeError(f"{needs}, got {given!r}") from None
    try:
        hash(given)
    except TypeError:
        raise BattletapeError(f"{needs}, got {given!r}") from None
    return given


def _times(own: Any, other: Any) -> Any:
    if isinstance(own, str) or isinstance(other, str):  # Python would repeat the text
        raise TypeError
    return own * other


def as_json(data: Mapping[str, Any], indent: int | None = None) -> str:
    """Return plain data as JSON text; letters such as × stay as they are."""
    import json

    return json.dumps(data, indent=indent, ensure_ascii=False)


def _check_odds(other: object, operation: str) -> None:
    if not isinstance(other, Odds):
        raise BattletapeError(f"{operation} needs other odds, got {other!r}")


def measured(
    odds: Odds[Any], of: Callable[[Any], Any], words: Callable[[Any], str] | None = None, values: tuple[Any, ...] = ()
) -> Odds[Any]:
    """Return the odds of a measure, worked out once, however often an answer is read.

    With what its results are called.
    """
    key = of, words, values
    known = odds._measured.get(key)
    if known is None:
        known = odds._measured[key] = odds.project(of)._called(words, values)
    return known


class Share(NamedTuple):
    """A part of a total, made a fraction only when it is read."""

    part: int
    total: int

    @property
    def fraction(self) -> Fraction:
        """The chance."""
        return Fraction(self.part, self.total)

    def __float__(self) -> float:
        return self.part / self.total

    def __str__(self) -> str:
        """Return the chance as text; if the odds count in numbers of more than DIGITS digits, an approximate number."""
        if self.part in (0, self.total):
            return str(self.part // self.total)
        return f"≈{float(self)!r}" if self.total.bit_length() > LONG_BITS else str(self.fraction)


def shares(odds: Odds[T]) -> Iterator[tuple[T, Share, Share, Share]]:
    """Yield the rows of odds, not worked out: to write thousands of digits takes longer than to find the odds."""
    below, whole, total = 0, odds.total - odds.unexplored_weight, odds.total
    for value in odds.values():
        weight = odds.weights[value]
        yield value, Share(weight, total), Share(whole - below, total), Share(below + weight, total)
        below += weight


def fraction_text(number: Fraction) -> str:
    """Return a fraction as text; if it has more than DIGITS digits, an approximate number."""
    if max(number.numerator.bit_length(), number.denominator.bit_length()) > LONG_BITS:
        return f"≈{float(number)!r}"
    return str(number)


def percent(chance: Fraction | Share | float) -> str:
    """Return a chance as people read it: 52 %, 0.4 %, <0.1 %."""
    share = float(chance) * 100
    if chance.part in (0, chance.total) if isinstance(chance, Share) else chance in (0, 1):
        return f"{share:.0f} %"
    if share < 0.1:
        return "<0.1 %"
    if share > 99.9:
        return ">99.9 %"
    return f"{share:.1f} %" if share < 10 or share > 99 else f"{share:.0f} %"


def plain(value: Any) -> Any:
    """Return a value as JSON and CSV can hold it."""
    return value if isinstance(value, (int, float, bool)) or value is None else str(value)
