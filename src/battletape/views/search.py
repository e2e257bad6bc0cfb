"""One search over everything: questions, units and weapons, rules and tables of all systems.

It forgives spelling (“tank shok”), takes American for British (“armor”), and knows what players say for what a book
says (“hull down”): a ruleset names such words as `synonyms`. What was understood is told.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Literal

from msgspec import Struct

from battletape.errors import BattletapeError
from battletape.inputs import Inputs, fields
from battletape.system import Question, Ruleset
from battletape.views.changed import change, name_at
from battletape.views.profile_choices import profile_choices
from battletape.views.profiles import book_view
from battletape.views.short_inputs import Given, short_given

Kind = Literal["question", "profile", "rule", "table"]
TITLES: dict[Kind, str] = {
    "question": "Questions",
    "profile": "Units and weapons",
    "rule": "Rules",
    "table": "Tables",
}
MAX_FINDS = 8
"""How many finds of a kind are shown."""
STOP_WORDS = frozenset(
    ("a", "an", "and", "are", "at", "be", "by", "can", "do", "does", "for", "from", "how", "in", "into", "is", "it")
) | {"its", "many", "of", "on", "or", "the", "to", "what", "when", "with"}
"""Words that say nothing about what is meant."""
BRITISH = {
    "armor": "armour",
    "armored": "armoured",
    "defense": "defence",
    "defenses": "defence",
    "center": "centre",
    "meter": "metre",
    "meters": "metres",
    "maneuver": "manoeuvre",
    "color": "colour",
    "honor": "honour",
    "gray": "grey",
    "ax": "axe",
    "immobilized": "immobilised",
    "stabilized": "stabilised",
}
EXACT, BEGINNING, MEANT, INSIDE, MISSPELT = 1.0, 0.8, 0.7, 0.5, 0.45
"""What a word counts that stands there as it was typed, begins so, means the same, holds it, or nearly is it."""
CALLED, HEADED, BEGUN = 16.0, 13.0, 8.0
"""What it counts besides if something is called just so, is called so up to its colon or bracket, or begins so."""
USED = 0.5
"""What a question counts that works with a rule which was found, for each point of the rule."""
MOST_USED = 9.0
"""More it does not count: a question whose own words fit comes first."""
MOST_RULES, MOST_USERS = 3, 3
"""The questions of so many rules are offered, so many for each."""
MIN_LETTERS = 4
"""A word must have so many letters before it may be misspelt."""
TAIL = 0.3
"""What counts less than this share of the best is not shown."""
ALSO = 10.0
"""What a word counts among the names of the book that a clause lists beside its title."""
MAX_STATS = 6
"""So many numbers of a profile are shown beside its name."""


class SearchResult(Struct, frozen=True):
    """Something that was found: a question, a profile, a rule or a table of a system."""

    kind: Kind
    ruleset: str
    system: str
    name: str  # of the question, the profile, the clause or the table
    title: str
    about: str
    score: float


class SearchView(Struct, frozen=True):
    """What was looked for, how it was understood, and what was found of each kind, the best kind first."""

    words: str
    understood: str  # the words as they were taken, if they were taken otherwise than typed
    count: int
    groups: tuple[tuple[Kind, tuple[SearchResult, ...]], ...]


class Entry(Struct, frozen=True):
    """Something that can be found: each of its texts with what a word in it counts."""

    kind: Kind
    name: str
    title: str
    about: str
    texts: tuple[tuple[float, tuple[str, ...]], ...]
    names: tuple[str, ...] = ()  # what it is called, if it has other names than its title


class Index(Struct, frozen=True, eq=False):
    """Everything of a system that can be found, and every word in it."""

    entries: tuple[Entry, ...]
    vocabulary: frozenset[str]


class Term(Struct, frozen=True):
    """A word that was typed, and the words of a book that it may stand for, each with what it counts."""

    typed: str
    taken: dict[str, float]


class Reading(Struct, frozen=True):
    """One way to take what was typed: its words, what they count, and how to tell it."""

    words: tuple[str, ...]
    weight: float
    words_used: str


def search(rulesets: Iterable[Ruleset], words: str, most: int = MAX_FINDS, kinds: Sequence[Kind] = ()) -> SearchView:
    """Return what fits the words in these systems, the best first; if nothing fits them all, what fits some of them."""
    cards = tuple(rulesets)
    known = frozenset(word for card in cards for word in (*index_of(card).vocabulary, *_words(" ".join(card.synonyms))))
    found = _finds(cards, words, known, kinds, some=False) or _finds(cards, words, known, kinds, some=True)
    best: dict[tuple[str, str, str], SearchResult] = {}
    ordered = sorted(found, key=lambda pair: -pair[0].score)
    if not kinds:
        by_name = {card.name: card for card in cards}
        ordered = sorted([*ordered, *_users(by_name, ordered)], key=lambda pair: -pair[0].score)
    for find, _ in ordered:
        if find.score >= TAIL * min(ordered[0][0].score, CALLED):
            best.setdefault((find.ruleset, find.kind, find.name), find)
    groups: dict[Kind, list[SearchResult]] = {}
    for find in best.values():
        groups.setdefault(find.kind, []).append(find)
    reading = ordered[0][1] if ordered else ""
    return SearchView(
        words=words,
        understood=reading if _telling(_words(reading)) != _telling(_words(words)) else "",
        count=len(best),
        groups=tuple((kind, tuple(group[:most])) for kind, group in groups.items()),
    )


def _finds(
    cards: Sequence[Ruleset], words: str, known: frozenset[str], kinds: Sequence[Kind], some: bool
) -> list[tuple[SearchResult, str]]:
    """Return everything that fits, each with what the words were taken for."""
    found: list[tuple[SearchResult, str]] = []
    for card in cards:
        index = index_of(card)
        for reading in readings(card, words):
            terms = [find_term(index, word, word not in known) for word in reading.words]
            for entry in index.entries if terms else ():
                if kinds and entry.kind not in kinds:
                    continue
                score, taken = _score(entry, terms, some)
                if score:
                    words_used = reading.words_used or " ".join(taken)
                    find = SearchResult(
                        entry.kind, card.name, card.title, entry.name, entry.title, entry.about, score * reading.weight
                    )
                    found.append((find, words_used))
    return found


def _users(
    cards: Mapping[str, Ruleset], ordered: Sequence[tuple[SearchResult, str]]
) -> Iterator[tuple[SearchResult, str]]:
    """Return the questions that work with the best of the rules that were found, and what the words were taken for.

    One whose name begins the title of the rule, as “ram” does “Ramming”, is the first of them.
    """
    rules = [(find, reading) for find, reading in ordered if find.kind == "rule"]
    for rule, reading in rules[:MOST_RULES]:
        if rule.score < rules[0][0].score * USED:
            return
        card = cards[rule.ruleset]
        users = [question for question in card.questions if rule.name in _clauses_of(card, question.name)]
        users.sort(key=lambda question: not rule.title.lower().startswith(question.name.replace("_", " ")))
        for at, question in enumerate(users[:MOST_USERS]):
            score = min(rule.score * USED, MOST_USED) - 0.01 * at
            yield SearchResult("question", card.name, card.title, question.name, question.title, "", score), reading


@lru_cache(512)
def _clauses_of(ruleset: Ruleset, question: str) -> frozenset[str]:
    from battletape.views.rules import clauses_of

    return frozenset(clauses_of(ruleset, ruleset.question(question)))


class RulesFound(Struct, frozen=True):
    """The ids of the clauses that fit, the best first, and what the words were taken for."""

    ids: tuple[str, ...] = ()
    understood: str = ""


NOTHING_FOUND = RulesFound()


def search_rules(ruleset: Ruleset, words: str) -> RulesFound:
    """Return the clauses of one system that fit the words, the best first."""
    view = search((ruleset,), words, len(ruleset.clauses), ("rule",))
    return RulesFound(tuple(find.name for _, group in view.groups for find in group), view.understood)


def result_inputs(ruleset: Ruleset, find: SearchResult) -> tuple[Question, Given] | None:
    """Return the question that a find leads to, and what to say to ask it: its example, with the profile that was
    found.
    """
    if find.kind == "question":
        question = ruleset.question(find.name)
        return question, short_given(ruleset, question, *ruleset.split(question, question.example))
    for question in ruleset.questions if find.kind == "profile" else ():
        for path, pick in profile_choices(ruleset, question).items():
            if find.name not in pick.names:
                continue
            inputs, rulings = ruleset.split(question, question.example)
            try:
                inputs, rulings = change(ruleset, question, inputs, rulings, None, {name_at(path): find.name})
            except BattletapeError:  # it does not go with the rest of the example
                continue
            return question, short_given(ruleset, question, inputs, rulings)
    return None


# --- what can be found ------------------------------------------------------------------------------------------------


@lru_cache(32)
def index_of(ruleset: Ruleset) -> Index:
    """Return everything of a system that can be found."""
    entries = (*_questions(ruleset), *_profiles(ruleset), *_rules(ruleset), *_tables(ruleset))
    vocabulary = frozenset(word for entry in entries for _, text in entry.texts for word in text)
    return Index(entries, vocabulary)


def _questions(ruleset: Ruleset) -> Iterator[Entry]:
    for question in ruleset.questions:
        titles = " ".join(_input_words(question.inputs))
        texts = _texts((10, question.title), (9, question.name.replace("_", " ")), (2.5, titles))
        yield Entry("question", question.name, question.title, "", texts, (question.name.replace("_", " "),))


def _input_words(inputs: type[Inputs]) -> Iterator[str]:
    for field in fields(inputs):
        yield field.title
        yield from (str(choice).replace("_", " ") for choice in field.choices)
        if field.item is not None:
            yield from _input_words(field.item)


def _profiles(ruleset: Ruleset) -> Iterator[Entry]:
    for kind in book_view(ruleset).kinds:
        for profile in kind.profiles:
            stats = [f"{key.replace('_', ' ')} {value}" for key, value in profile.values.items() if value][:MAX_STATS]
            rest = " ".join((*profile.values.values(), *profile.lists.values()))
            about = f"{kind.kind.capitalize()}: {', '.join(stats)}" if stats else kind.kind.capitalize()
            yield Entry(
                "profile", profile.name, profile.name, about, _texts((10, profile.name), (3, kind.kind), (1, rest))
            )


def _rules(ruleset: Ruleset) -> Iterator[Entry]:
    for clause in ruleset.clauses:
        topic = clause.topic.replace("_", " ")
        texts = _texts((9, clause.title), (2.5, clause.words), (3, topic), (1, f"{clause.note} {clause.source}"))
        names = _texts(*((ALSO, name) for name in clause.also))
        yield Entry("rule", clause.id, clause.title, clause.words, (*texts, *names, *_texts((12, clause.id))))


def _tables(ruleset: Ruleset) -> Iterator[Entry]:
    for at, table in enumerate(ruleset.tables(), 1):
        texts = _texts(
            (8, table.title), (1.5, " ".join(table.head)), (1, " ".join(row[0] for row in table.rows if row))
        )
        yield Entry("table", f"table-{at}", table.title, "", texts)


def _texts(*texts: tuple[float, str]) -> tuple[tuple[float, tuple[str, ...]], ...]:
    return tuple((weight, tuple(_words(text))) for weight, text in texts if text.strip())


# --- what the words may mean ------------------------------------------------------------------------------------------


def readings(ruleset: Ruleset, words: str) -> Iterator[Reading]:
    """Yield the words as they were typed, and with what the book calls it in place of each synonym."""
    typed = tuple(_words(words))
    yield Reading(_telling(typed), EXACT, "")
    for typed_word, meant in ruleset.synonyms.items():
        wanted = tuple(_words(typed_word))
        at = next((at for at in range(len(typed)) if _alike(typed[at : at + len(wanted)], wanted)), None)
        if at is not None:
            before, after = typed[:at], typed[at + len(wanted) :]
            said_once = [[word for word in part if word not in _words(meant)] for part in (before, after)]
            reading = " ".join((*said_once[0], meant, *said_once[1]))
            yield Reading(_telling((*before, *_words(meant), *after)), MEANT, reading)


def _telling(words: Iterable[str]) -> tuple[str, ...]:
    """Return the words that say what is meant, each once."""
    every = tuple(dict.fromkeys(words))
    return tuple(word for word in every if word not in STOP_WORDS and (len(word) > 1 or word.isdigit())) or every


def _alike(typed: Sequence[str], wanted: Sequence[str]) -> bool:
    return len(typed) == len(wanted) and all(
        letter == other or (len(other) >= MIN_LETTERS and _is_near(letter, other))
        for letter, other in zip(typed, wanted, strict=True)
    )


def find_term(index: Index, word: str, is_misspelt: bool = False) -> Term:
    """Return the words of a book that a typed one may stand for; the nearest ones, if no book has it."""
    taken = {word: EXACT} if word in index.vocabulary else {}
    for known in index.vocabulary:
        if known != word and known.startswith(word) and len(word) > 1:
            taken[known] = BEGINNING
        elif known != word and word in known and len(word) >= MIN_LETTERS:
            taken[known] = INSIDE
    if is_misspelt and not taken and len(word) >= MIN_LETTERS:
        near = {known: _distance(word, known) for known in index.vocabulary if _is_near(word, known)}
        taken = {known: MISSPELT for known, slips in near.items() if slips == min(near.values())}
    return Term(word, taken)


def _score(entry: Entry, terms: Sequence[Term], some: bool = False) -> tuple[float, list[str]]:
    """Return how well an entry fits, and what was taken for what; unless `some` will do, every word must be in it."""
    total = 0.0
    matched: list[str] = []
    hits: list[str] = []
    for term in terms:
        fits = [
            (weight * term.taken[word], word) for weight, text in entry.texts for word in text if word in term.taken
        ]
        if fits:
            best, word = max(fits)
            total += best
            matched.append(word)
            hits.append(word if term.taken[word] == MISSPELT else term.typed)
        elif not some:
            return 0.0, []
    if not matched:
        return 0.0, []
    heading = entry.texts[0][1]
    sure = min(term.taken[word] for term, word in zip(terms, matched, strict=True)) if len(matched) == len(terms) else 0
    share = len(matched) / len(terms)
    total = share * total / len(terms) + 3 * sum(word in heading for word in matched) / max(len(heading), len(terms))
    if len(matched) > 1:  # words that stand side by side belong together
        total += max((weight / 2 for weight, text in entry.texts if _side_by_side(matched, text)), default=0.0)
    return total + sure * _called(entry, matched), hits


def _called(entry: Entry, words: Sequence[str]) -> float:
    """Return what it counts that something is called by these words, or that its name begins with them."""
    wanted = [word for word in words if word not in STOP_WORDS]
    best = 0.0
    for name in (entry.title, *entry.names):
        for text, counts in ((name, CALLED), (re.split(r"[:(]", name)[0], HEADED)):
            called = [word for word in _words(text) if word not in STOP_WORDS]
            begins = called[: len(wanted)] == wanted
            best = max(best, counts if called == wanted else BEGUN if begins else 0.0)
    return best


def _side_by_side(words: Sequence[str], text: Sequence[str]) -> bool:
    count, words_shown = len(words), [word for word in text if word not in STOP_WORDS]
    return any(words_shown[at : at + count] == list(words) for at in range(len(words_shown) - count + 1))


def _words(text: str) -> list[str]:
    """Return the words of a text, small, without accents, in British spelling; a plural loses its s."""
    plain = unicodedata.normalize("NFKD", text.lower()).encode("ascii", "ignore").decode()
    return [_stem(BRITISH.get(word, word)) for word in re.findall(r"[a-z0-9]+\+?", plain)]


def _stem(word: str) -> str:
    """Return a word without the s of its plural.

    >>> [_stem(word) for word in ("saves", "cross", "passes", "bodies", "1s")]
    ['save', 'cross', 'pass', 'body', '1s']
    """
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


def _is_near(word: str, other: str) -> bool:
    """Return whether one word may be the other misspelt: one slip in a short word, two in a long one."""
    slips = 1 if len(word) < 8 else 2
    return abs(len(word) - len(other)) <= slips and word[:1] == other[:1] and _distance(word, other) <= slips


@lru_cache(20_000)
def _distance(word: str, other: str) -> int:
    """Return how many letters were left out, added, changed or swapped with their neighbour.

    >>> _distance("shok", "shock"), _distance("hrode", "horde"), _distance("tank", "tank")
    (1, 1, 0)
    """
    before: list[int] = []
    last = list(range(len(other) + 1))
    for at, letter in enumerate(word, 1):
        row = [at]
        for to, wanted in enumerate(other, 1):
            least = min(last[to] + 1, row[to - 1] + 1, last[to - 1] + (letter != wanted))
            if at > 1 and to > 1 and letter == other[to - 2] and word[at - 2] == wanted:
                least = min(least, before[to - 2] + 1)
            row.append(least)
        before, last = last, row
    return last[-1]
