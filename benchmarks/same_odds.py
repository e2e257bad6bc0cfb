"""Whether a change of the code changed anything for players: record answers with one version, check with another.

    python benchmarks/same_odds.py record FILE [--quick]    random questions, rolls and battles, and what came of them
    python benchmarks/same_odds.py check FILE [--quick]     the same asked of the code as it is now; tells what differs
    python benchmarks/same_odds.py time FILE --keep TIMES   how long each question takes, with nothing known before
    python benchmarks/same_odds.py time FILE --against TIMES    the same, and which take longer than they did

Times are of the processor, the shortest of a few; run both in one sitting (PYTHONPATH chooses the version). All take
--ruleset NAME (deathwatch). Odds are compared as fractions, all else word for word but for the clauses cited: the
sentence and the steps of an answer, refusals, logs of rolls and battles, tables, and what may be done and why not after
each move.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import re
import signal
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from msgspec import to_builtins

from battletape import ruleset
from battletape.battle import Battle
from battletape.conformance.random_play import AnyOption
from battletape.errors import BattletapeError
from battletape.inputs import Field, fields
from battletape.system import Question, Ruleset
from battletape.tape.story import Line

ROOT = Path(__file__).parent.parent
QUESTIONS, QUICK = 2_000, 200
BATTLES, MOVES, QUICK_BATTLES = 40, 30, 4
PATIENCE = 1.0  # seconds for a question when it is recorded
FREELY = 20.0  # and when it is checked
PROFILES = {"weapon2": "weapon", "attacker": "character", "target": "character", "mob": "horde"}
TELLING = ("weapon", "action", "mode", "qualities", "reaction", "talents", "weapon2")
"""Inputs that decide which rules are met, and are drawn more often."""
CITED = re.compile(r" (\| )?\((?:'DW-[^)]*|)\)$")
"""What a line or a step cites."""
Found = dict[str, Any]


class TooLong(BaseException):
    """A question takes longer than we wait; not an error that rules could catch."""


def main() -> int:
    """Record or check."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("do", choices=("record", "check", "time"))
    parser.add_argument("file", type=Path)
    parser.add_argument("--ruleset", default="deathwatch")
    parser.add_argument("--quick", action="store_true", help="the first tenth")
    parser.add_argument("--only", default="", help="only questions of this name")
    parser.add_argument("--keep", type=Path, help="where to write times")
    parser.add_argument("--against", type=Path, help="times to compare with")
    given = parser.parse_args()
    card = ruleset(given.ruleset)
    if given.do == "time":
        return compare_times(card, json.loads(given.file.read_text(encoding="utf-8")), given.keep, given.against)
    if given.do == "record":
        kept = [*record_questions(card, QUICK if given.quick else QUESTIONS)]
        late = sum(case.get("late", False) for case in kept)
        battles = [*record_battles(card, QUICK_BATTLES if given.quick else BATTLES)]
        given.file.write_text(json.dumps({"questions": kept, "battles": battles}), encoding="utf-8")
        refused = sum("refused" in case["found"] for case in kept if "found" in case)
        moves = sum(len(battle["moves"]) for battle in battles)
        print(f"{len(kept)} questions, {refused} refused, {late} took too long and are left out; {moves} moves.")
        return 0
    return check(card, json.loads(given.file.read_text(encoding="utf-8")), quick=given.quick, only=given.only)


def check(card: Ruleset, kept: Found, *, quick: bool, only: str) -> int:
    """Ask everything again and tell what differs."""
    wrong: Counter[str] = Counter()
    asked: Counter[str] = Counter()
    slow: list[tuple[float, float, Found]] = []
    then, now = 0.0, 0.0
    for case in kept["questions"][: QUICK if quick else None]:
        if case.get("late") or only not in ("", case["question"]):
            continue
        asked[case["question"]] += 1
        found, took = answered(card, case, FREELY)
        then, now = then + case["took"], now + took
        if took > 0.05 and took > 1.2 * case["took"]:
            slow.append((took / max(case["took"], 0.001), took, case))
        found, was = told_by_both(found, case["found"])
        if found != was:
            wrong[case["question"]] += 1
            if wrong[case["question"]] <= 3:
                print(f"\n{case['question']} {case['given']} {case['seed']}")
                print(*differences(was, found), sep="\n")
    for battle in kept["battles"][: QUICK_BATTLES if quick else None] if not only else ():
        asked[f"battle {battle['start']}"] += len(battle["moves"])
        for number, (was, found) in enumerate(zip(battle["moves"], replayed(card, battle), strict=False)):
            was, found = plain(was), plain(found)
            if was != found:
                wrong[f"battle {battle['start']}"] += 1
                print(f"\nbattle {battle['start']} {battle['seed']}, move {number}: {was['move']}")
                print(*differences(was, found), sep="\n")
                break
    for ratio, took, case in sorted(slow, key=lambda row: -row[1] + row[1] / row[0])[:8]:
        print(f"slower: {took:.2f} s, {ratio:.1f} times: {case['question']} {case['given']}")
    print(f"asked {sum(asked.values())}: {dict(asked)}; {then:.1f} s then, {now:.1f} s now")
    print(f"differ: {dict(wrong) or 'none'}")
    return 1 if wrong else 0


def compare_times(card: Ruleset, kept: Found, keep: Path | None, against: Path | None) -> int:
    """Time every third question, cold; a question that seems slower than it was is timed again."""
    times: dict[str, float] = {}
    before: dict[str, float] = json.loads(against.read_text(encoding="utf-8")) if against else {}
    for at, case in enumerate(kept["questions"]):
        if at % THIRD or case.get("late") or "refused" in case["found"]:
            continue
        name = f"{at} {case['question']}"
        took = min(cold(card, case) for _ in range(2))
        for _ in range(5):
            if took > NOTICED and took > SLOWER * before.get(name, took):
                took = min(took, cold(card, case))
        times[name] = took
    if keep:
        keep.write_text(json.dumps(times), encoding="utf-8")
    print(f"{len(times)} questions, {sum(times.values()):.2f} s of processor time")
    if before:
        same = {name: took for name, took in times.items() if name in before}
        print(f"before: {sum(before[name] for name in same):.2f} s; over {NOTICED * 1000:g} ms and {SLOWER} times:")
        for name, took in same.items():
            if took > NOTICED and took > SLOWER * before[name]:
                given = kept["questions"][int(name.split()[0])]["given"]
                print(f"  {name}: {before[name] * 1000:.0f} -> {took * 1000:.0f} ms {given}")
    return 0


THIRD, NOTICED, SLOWER = 3, 0.010, 1.2


def cold(card: Ruleset, case: Found) -> float:
    """The processor time of a question when nothing is known yet."""
    question = card.question(case["question"])
    every = [measure.name for measure in question.measures] if case["all"] else ()
    card.memo.clear()
    began = time.process_time()
    try:
        card.ask(question.name, measures=every, **case["given"])
    except BattletapeError:
        return 0.0
    return time.process_time() - began


def plain(told: Any) -> Any:
    """A record without the clauses that its lines and steps cite."""
    if isinstance(told, str):
        return CITED.sub("", told)
    if isinstance(told, dict):
        return {name: plain(part) for name, part in told.items()}
    return [plain(part) for part in told] if isinstance(told, list) else told


def told_by_both(now: Found, was: Found) -> tuple[Found, Found]:
    """Two records without measures that only one of them tells unasked, and without clauses."""
    now, was = plain(now), plain(was)
    for part in ("measures", "results"):
        if part in now and part in was:
            both = now[part].keys() & was[part].keys()
            now, was = ({**one, part: {name: one[part][name] for name in both}} for one in (now, was))
    return now, was


def differences(was: Any, now: Any, at: str = "") -> Iterator[str]:
    """Where two records differ."""
    if isinstance(was, dict) and isinstance(now, dict):
        for key in [*was, *(key for key in now if key not in was)]:
            if was.get(key) != now.get(key):
                yield from differences(was.get(key), now.get(key), f"{at}/{key}")
    elif isinstance(was, list) and isinstance(now, list):
        gone, come = [row for row in was if row not in now], [row for row in now if row not in was]
        yield from (f"  {at} - {row}" for row in gone[:6])
        yield from (f"  {at} + {row}" for row in come[:6])
        if not gone and not come:
            yield f"  {at}: another order"
    else:
        yield f"  {at}: {was!r}"
        yield f"  {' ' * len(at)}> {now!r}"


# --- questions --------------------------------------------------------------------------------------------------------


def record_questions(card: Ruleset, count: int) -> Iterator[Found]:
    """Random questions with their answers."""
    for number in range(count):
        luck = random.Random(f"question {number}")
        question = card.questions[number % len(card.questions)]
        for tried in range(2):  # most of them should be accepted
            case = {
                "question": question.name,
                "given": drawn(card, question, luck),
                "seed": number,
                "all": luck.random() < 0.2,
            }
            found, took = answered(card, case, PATIENCE)
            if tried or "refused" not in found:
                break
            yield {**case, "found": found, "took": took}
        yield {**case, "late": True} if "late" in found else {**case, "found": found, "took": took}


def drawn(card: Ruleset, question: Question, luck: random.Random) -> dict[str, Any]:
    """The example of a question with some inputs and rulings drawn by luck."""
    example = dict(question.small or question.example)
    given = example if luck.random() < 0.7 else {}
    rows = [field for field in fields(question.inputs) if field.kind != "many"]
    telling = [field for field in rows if field.name in TELLING and luck.random() < 0.4]
    for field in (*telling, *luck.sample(rows, min(len(rows), luck.choice((0, 1, 2, 3, 4, 5, 6))))):
        given = {**given, **valued(card, field, luck)}
    if luck.random() < 0.5:
        for field in luck.sample(fields(card.rulings), 2):
            given = {**given, **valued(card, field, luck)}
    return given


def valued(card: Ruleset, field: Field, luck: random.Random) -> dict[str, Any]:
    """A value for an input, drawn by luck; none if we cannot tell what it may be."""
    if field.kind == "yes_no":
        return {field.name: luck.random() < 0.6}
    if field.kind == "choice":
        return {field.name: luck.choice(field.choices)}
    if field.kind in ("whole", "number"):
        low, high = int(field.low or 0), int(field.high if field.high is not None else 100)
        usual = field.default if isinstance(field.default, (int, float)) else 10
        ways = (luck.randint(low, min(high, low + 10)), luck.randint(low, high), int(usual) + luck.randint(-10, 10))
        return {field.name: max(low, min(high, luck.choice(ways)))}
    names = [name for name, _ in field.known]
    kind = field.profile or PROFILES.get(field.name, field.name)
    names = names or list(card.book.entries.get(kind, ()))
    if not names:
        return {}
    if field.kind == "names":
        chosen = luck.sample(names, min(len(names), luck.choice((1, 1, 2, 3))))
        counted = {name for name, words in field.known if "number" in words}
        return {field.name: [f"{name} ({luck.randint(1, 4)})" if name in counted else name for name in chosen]}
    return {field.name: luck.choice(names)}


def answered(card: Ruleset, case: Found, seconds: float) -> tuple[Found, float]:
    """What a question comes to: odds, sentence, steps, and a roll with its log."""
    began = time.process_time()
    took = 0.0
    question = card.question(case["question"])
    found: Found = {}
    try:
        with within(seconds):
            every = [measure.name for measure in question.measures] if case["all"] else ()
            answer = card.ask(question.name, measures=every, **case["given"])
            found = {"headline": answer.headline, "warnings": list(answer.warnings)}
            found["measures"] = {measure.name: digest(answer.odds(measure.name)) for measure in answer.measures}
            found["steps"] = [f"{step.title} | {step.needed} | {step.chance} | {step.clauses}" for step in answer.steps]
            took = time.process_time() - began
            rolled = card.roll(question.name, tape=AnyOption(case["seed"]), **case["given"])
            found["roll"] = [rolled.headline, *map(line, rolled.log), *map(str, rolled.entries)]
            found["results"] = {name: str(value) for name, value in rolled.results.items()}
    except BattletapeError as error:
        found["refused"] = str(error)
    except TooLong:
        found["late"] = True
    except Exception as error:  # a fault of the version: the same in both is no difference
        found["fault"] = repr(error)[:200]
    return found, took


def line(told: Line) -> str:
    """A line of a log as it is read."""
    return f"{told.text} {told.clauses}"


def digest(odds: Any) -> str:
    """The odds as fractions, as a short text."""
    rows = sorted(f"{value!r}:{chance}" for value, chance, *_ in odds.rows())
    short = hashlib.sha1("\n".join(rows).encode()).hexdigest()[:12]
    mean = f"{float(odds.mean):.6f}" if odds._is_numeric() else ""
    return f"{mean} {short} {odds.unexplored}"


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Give up after so many seconds."""

    def late(*_: Any) -> None:
        raise TooLong

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


# --- battles ----------------------------------------------------------------------------------------------------------


def starts(card: Ruleset) -> dict[str, Found]:
    """The starts that conformance plays from, and the sample."""
    path = ROOT / "tests" / card.name / "starts.toml"
    listed = tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return {"sample": {}, **{name: row for name, row in listed.items() if isinstance(row, dict) and "start" in row}}


def begun(card: Ruleset, start: Found) -> Battle:
    """A battle after the first moves of its start."""
    battle = Battle.new(card, start.get("start"), start.get("rulings"))
    for number, move in enumerate(start.get("moves", ())):
        params = dict(move)
        battle.push(params.pop("action"), params, tape=number)
    return battle


def record_battles(card: Ruleset, count: int) -> Iterator[Found]:
    """Battles played at random, each kind of action as likely as any other."""
    known = starts(card)
    for number in range(count):
        name = list(known)[number % len(known)]
        battle, luck = begun(card, known[name]), random.Random(f"battle {number}")
        moves: list[Found] = []
        for step in range(MOVES):
            free: dict[str, list[Any]] = {}
            for option in battle.legal():
                free.setdefault(option.action.name, []).append(option)
            if not free:
                break
            option = luck.choice(free[luck.choice(sorted(free))])
            move = {"action": option.action.name, "params": to_builtins(option.params), "seed": f"{number} {step}"}
            move["odds"] = bool(option.action.measures) and step % 3 == 0
            moves.append(moved(battle, move, PATIENCE))
        yield {"start": name, "given": known[name], "seed": number, "moves": moves}


def replayed(card: Ruleset, battle: Found) -> Iterator[Found]:
    """The same moves in the code as it is now."""
    again = begun(card, battle["given"])
    for was in battle["moves"]:
        try:
            yield moved(again, was["move"], FREELY)
        except (BattletapeError, ValueError, TypeError, AttributeError, KeyError, AssertionError) as error:
            yield {"move": was["move"], "fault": repr(error)}
            return


def moved(battle: Battle, move: Found, seconds: float) -> Found:
    """Make a move; what it does, and what may be done after it."""
    found: Found = {}
    if move["odds"]:
        try:
            with within(seconds):
                answer = battle.odds(move["action"], move["params"])
                found["odds"] = {measure.name: digest(answer.odds(measure.name)) for measure in answer.measures}
                found["sentence"] = answer.headline
        except TooLong:
            move = {**move, "odds": False}
    done = battle.push(move["action"], move["params"], tape=AnyOption(move["seed"]))
    found |= {"move": move, "log": [*map(line, battle.move_record(done.number).lines), *map(str, done.entries)]}
    found["tables"] = [f"{table.title}: {table.rows}" for table in battle.tables]
    found["where"], found["over"] = dict(battle.where), battle.over
    options = [f"{option.action.name} {to_builtins(option.params)}: {option.refused}" for option in battle.options()]
    found["options"] = hashlib.sha1("\n".join(options).encode()).hexdigest()
    return found


if __name__ == "__main__":
    sys.exit(main())
