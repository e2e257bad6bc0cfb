"""Small turns of phrase that every system uses: plurals, lists, distances, and names as people type them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from math import ceil


def plural(number: int, word: str) -> str:
    """Return one weapon, 2 weapons, 1,000 weapons."""
    return f"{number:,} {word}" if number == 1 else f"{number:,} {word}{'es' if word.endswith('ch') else 's'}"


def listed(words: Sequence[str], last: str = "and") -> str:
    """Return one, two and three."""
    return f" {last} ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def plain(word: str) -> str:
    """Return a word of the rules as people write it: flat_out becomes “flat out”."""
    return word.replace("_", " ")


def capital(text: str) -> str:
    """Return the text with a capital letter at its beginning; the rest stays as it is."""
    return text[:1].upper() + text[1:]


def with_article(noun: str) -> str:
    """Return a scatter die, an artillery die, 2D6."""
    if noun[:1].isdigit():
        return noun
    return f"{'an' if noun[:1] in 'AEIOUaeiou' else 'a'} {noun}"


def inches(number: float) -> str:
    """Return a distance as people measure it: 6 inches, 1 inch, 4.5 inches, 7.071 inches."""
    return f"{number:.4g} inch" if number == 1 else f"{number:.4g} inches"


def number_in_words(number: int) -> str:
    """Return a small number as a word; numbers over ten stay figures.

    >>> number_in_words(0), number_in_words(10), number_in_words(1500)
    ('none', 'ten', '1,500')
    """
    return ("none", *_NUMBERS[:10])[number] if number <= 10 else f"{number:,}"


def mean_text(mean: float) -> str:
    """Return a mean as people say it: 1.2, or 0.03 where one place says nothing."""
    return f"{mean:.1f}" if mean >= 0.05 or mean == 0 else f"{mean:.2f}"


def average_casualties(mean: float, models: int, chance_of: Callable[[int], str]) -> str:
    """Return how many models fall on average, and the chance, in words, of at least so many.

    >>> average_casualties(1.5, 5, lambda fallen: "40 %")
    '1.5 of 5 models fall on average; 40 % for two or more.'
    """
    fallen = min(max(1, ceil(mean)), models)
    more = f"all {models}" if fallen == models else f"{number_in_words(fallen)} or more"
    return f"{mean_text(mean)} of {models} models fall on average; {chance_of(fallen)} for {more}."


def texts_that_hold(*rows: tuple[object, str]) -> list[str]:
    """Return the words of those rows that hold: what is to be known of a unit now.

    >>> texts_that_hold((True, "prone"), (0, "stunned"), ("full", "aims"))
    ['prone', 'aims']
    """
    return [words for holds, words in rows if holds]


def without_number(name: str) -> str:
    """Return the kind in a name that players give to one of several models.

    >>> without_number("Ork 3"), without_number("Ork #3"), without_number("7")
    ('Ork', 'Ork', '7')
    """
    return re.sub(r"\s*#?\d+$", "", name).strip() or name


class Label(str):
    """A text with a name in front, “Lascannon: to hit”, which keeps the name and what is said of it apart."""

    name: str
    what: str

    def __new__(cls, name: str, what: str) -> Label:
        """Return the text of both."""
        label = super().__new__(cls, f"{name}: {what}")
        label.name, label.what = str(name), str(what)
        return label

    def __getnewargs__(self) -> tuple[str, str]:  # type: ignore[override]
        return (self.name, self.what)


@lru_cache(4096)
def labelled(name: str, what: str) -> str:
    """Return a label with the name it is about in front, if there is one: “Lascannon: to hit”."""
    return Label(name, what) if name else what


def name_and_what(label: str) -> tuple[str, str]:
    """Return the name that was put in front of a label, and what is said of it.

    >>> name_and_what(labelled("Lascannon", "to hit")), name_and_what("critical: stunned")
    (('Lascannon', 'to hit'), ('', 'critical: stunned'))
    """
    return (label.name, label.what) if isinstance(label, Label) else ("", label)


# --- names as people type them ---------------------------------------------------------------------------------------

LONGEST_NAME = 200
"""The most letters that a name may have; longer texts are not looked up."""
LEAST_PART = 3
"""How many letters a part of a name needs to stand for the whole."""
NEARLY_ALL = 0.8
"""How much of a name, from its beginning, is as good as the whole."""
_TIMES = r"[x\u00d7*]"
_COUNT_FIRST = re.compile(rf"([0-9]{{1,9}})\s*{_TIMES}\s*(\D.*)", re.IGNORECASE)
_COUNT_LAST = re.compile(rf"(.+?)(?:\s+{_TIMES}\s*|\s*[\u00d7*]\s*)([0-9]{{1,9}})", re.IGNORECASE)
_BARE_COUNT = re.compile(r"([0-9]{1,9}|[a-z]{3,6})\s+(.+)", re.IGNORECASE)
_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def parse_count(text: str, known: Iterable[str] = ()) -> tuple[int | None, str]:
    """Return a count and a name, in any of the ways in which people write them.

    A number without a cross is a count only if a known name follows, so that the name “2 inch mortar” stays whole.

    >>> parse_count("4x lascannon"), parse_count("4 × Lascannon"), parse_count("Lascannon x4"), parse_count("Lascannon")
    ((4, 'lascannon'), (4, 'Lascannon'), (4, 'Lascannon'), (None, 'Lascannon'))
    >>> parse_count("four lascannons", ["Lascannon"]), parse_count("three", ["Three"])
    ((4, 'lascannons'), (None, 'three'))
    >>> parse_count("4 lascannons", ["Lascannon"]), parse_count("2 inch mortar", ["2 inch mortar", "Siege mortar"])
    ((4, 'lascannons'), (None, '2 inch mortar'))
    """
    typed, names = text.strip(), list(known)
    if len(typed) > LONGEST_NAME or folded(typed) in map(folded, names):
        return None, typed
    if first := _COUNT_FIRST.fullmatch(typed):
        return int(first[1]), first[2].strip()
    if last := _COUNT_LAST.fullmatch(typed):
        return int(last[2]), last[1].strip()
    bare = _BARE_COUNT.fullmatch(typed)
    if (
        bare
        and (bare[1].isdigit() or bare[1].lower() in _NUMBERS)
        and matching_names(bare[2], names)
        and not matching_names(typed, names)
    ):
        number = int(bare[1]) if bare[1].isdigit() else 1 + _NUMBERS.index(bare[1].lower())
        return number, bare[2].strip()
    return None, typed


def is_count(text: str) -> bool:
    """Return whether a text is a plain number that one may count to: not “²”, and not a million digits.

    >>> is_count("12"), is_count("²"), is_count("-1"), is_count("9" * 5000)
    (True, False, False, False)
    """
    return text.isascii() and text.isdigit() and len(text) < 10


def matching_names(wanted: str, known: Iterable[str]) -> tuple[str, ...]:
    """Return the known names that a typed one may mean: one, all that fit equally well, or none.

    Capitals, accents, hyphens and plurals do not count; then whole words of a name, beginnings of its words, any part
    of it, and at last words with a letter wrong.

    >>> matching_names("las cannons", ["Lascannon", "Twin-linked lascannon", "Storm bolter"])
    ('Lascannon',)
    >>> matching_names("bolter", ["Heavy bolter", "Storm bolter", "Lascannon"])
    ('Heavy bolter', 'Storm bolter')
    >>> matching_names("melta", ["Multi-melta", "Melta bomb", "Meltagun"])
    ('Meltagun', 'Melta bomb', 'Multi-melta')
    >>> matching_names("storm boltr", ["Heavy bolter", "Storm bolter", "Lascannon"])
    ('Storm bolter',)
    """
    names = list(dict.fromkeys(known))
    if wanted in names:
        return (wanted,)
    typed = folded(wanted) if len(wanted) <= LONGEST_NAME else ""
    if not typed:
        return ()
    for same in (folded, _together, _singular, lambda name: _together(_singular(name))):
        equal = [name for name in names if same(name) == same(wanted)]
        if equal:
            return (equal[0],)
    words, part = _singular(wanted).split(), _together(_singular(wanted))
    ways: list[Callable[[str], bool]] = [
        lambda name: set(words) <= set(_singular(name).split()),
        lambda name: _together(name).startswith(part) and len(part) >= NEARLY_ALL * len(_together(name)),
        lambda name: _each(words, _singular(name).split(), lambda word, own: own.startswith(word)),
        lambda name: part in _together(name),
        lambda name: len(words) == len(name.split()) and _each(words, _singular(name).split(), _nearly),
        lambda name: _each(words, _singular(name).split(), _nearly),
    ]
    if len(part) < LEAST_PART:
        return ()
    for fits in ways:
        found = [name for name in names if fits(name)]
        if len(found) == 1:
            return (found[0],)
        if found:  # a player who has to choose sees those too that begin so, the shortest names first
            return tuple(sorted((name for name in names if name in found or ways[2](name)), key=len))
    return ()


@lru_cache(4096)
def folded(name: str) -> str:
    """Return a name without what does not count: capitals, accents, hyphens and other signs."""
    from unicodedata import combining, normalize

    plain = "".join(letter for letter in normalize("NFKD", name.casefold()) if not combining(letter))
    return " ".join(re.sub(r"[^\w]|_", " ", re.sub(r"['’]", "", plain)).split())


@lru_cache(4096)
def _together(name: str) -> str:
    return folded(name).replace(" ", "")


@lru_cache(4096)
def _singular(name: str) -> str:
    """Return a name with each of its words in the singular, roughly."""
    return " ".join(re.sub(r"(?<=\w\w[^\Ws])s$", "", word) for word in folded(name).split())


def _each(words: Sequence[str], own: Sequence[str], fits: Callable[[str, str], bool]) -> bool:
    """Return whether each of these words fits a word of the name, and no two fit the same one only."""
    left = list(own)
    for word in words:
        found = next((there for there in left if fits(word, there)), None)
        if found is None:
            return False
        left.remove(found)
    return True


def _nearly(word: str, own: str) -> bool:
    """Return whether two words differ by a letter, or by two if they are long.

    Short ones and numbers must be the same.
    """
    if word == own:
        return True
    if min(len(word), len(own)) < 4 or any(sign.isdigit() for sign in word + own):
        return False
    return word[0] == own[0] and _letters_apart(word, own) <= (2 if min(len(word), len(own)) >= 8 else 1)


def _letters_apart(word: str, other: str) -> int:
    """Return how many letters must be changed, added, left out or swapped with the next to make one word of the
    other.
    """
    rows = [list(range(len(other) + 1))]
    for i, letter in enumerate(word, 1):
        row = [i]
        for j, own in enumerate(other, 1):
            least = min(rows[-1][j] + 1, row[-1] + 1, rows[-1][j - 1] + (letter != own))
            if i > 1 and j > 1 and letter == other[j - 2] and word[i - 2] == own:
                least = min(least, rows[-2][j - 2] + 1)
            row.append(least)
        rows.append(row)
    return rows[-1][-1]
