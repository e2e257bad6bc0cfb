"""Ruleset: the card of a system; what a player can ask (Question) and do in a battle (Action)."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache, partial
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from battletape.clauses import ClauseBook, read_clauses
from battletape.errors import (
    MOST_NAMES,
    BadInput,
    BattletapeError,
    Caution,
    Refused,
    UnknownInput,
    UnknownName,
    nearest,
    raise_if_refused,
)
from battletape.inputs import Inputs, Ruling, fields, parse_inputs, read_plain, spoken_names
from battletape.memory import caches_in, lasting
from battletape.procedure import Keyword, Procedure, check_chooser, check_function
from battletape.profiles import Fill, ProfileBook
from battletape.tape import Forget, Rule, Tape
from battletape.tape.exact import Memo
from battletape.tape.story import Line
from battletape.toml import read_tables
from battletape.words import listed, with_article

if TYPE_CHECKING:
    from battletape.answer import Answer, Roll
    from battletape.sheets import Sheet
    from battletape.table.outlines import Outline
    from battletape.table.picture import Picture
    from battletape.tape.limits import Budget
    from battletape.tape.path import Path
else:  # help() reads annotations too, and importing these would go round in a circle
    Answer = Roll = Sheet = Outline = Picture = Budget = Path = Any


MOST_USUAL = 4
"""How many inputs of a question are named where it has many."""
Lens = Callable[[frozenset[str]], Forget]
"""(names of the measures asked for) -> by type, how to forget what none of them needs."""


def nothing_forgotten(asked: frozenset[str]) -> Forget:
    """Return the lens that forgets nothing."""
    return ()


class Rung(Struct, frozen=True):
    """A rung of a ladder of results: what it is called, which values stand there, and a sign for it.

    The sign is a short text (6–7) or the name of a drawing. Neighbours of one group are also told together.
    """

    title: str
    holds: Callable[[Any], bool]
    about: str = ""
    sign: str = ""
    group: str = ""
    grave: bool = False


class Measure(Struct, frozen=True):
    """What people care about in a result: a name, a title and how to read it off the last state."""

    name: str
    title: str
    of: Callable[[Any], Any]
    unit: str = ""
    words: Callable[[Any], str] | None = None  # a value in words, if it is not a plain number: “volley 3”
    never: Any = None  # the value that says it did not happen at all; it stands last
    adds_up: Literal["at_least", "at_most"] = "at_least"  # which chances are summed: this or more, or this by then
    usual: Callable[[Any], bool] | None = None  # start -> whether it is shown unless asked for; None: always
    values: tuple[Any, ...] = ()  # all that there can be, if they are a few words: others are refused as misspelt
    ladder: tuple[Rung, ...] = ()  # its values from the worst down, if that is how players think of them
    low_for: tuple[str, ...] = ("defender",)  # the sides that want little of it; all others want much

    def __post_init__(self) -> None:
        check_function(self.of, f"what the measure {self.name!r} reads off a state", "lambda state: state.fallen")


class Table(Struct, frozen=True):
    """A printed table: a title, a head line, rows, and the clause it comes from."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    clause: str = ""
    mark: tuple[int, int] | None = None  # the cell that answers the question
    also: tuple[tuple[int, int], ...] = ()  # further cells that it rests on


class Goal(Struct, frozen=True):
    """What the choices of a question aim for: those made before any dice are rolled and, if it says so, later ones."""

    measures: tuple[str, ...]  # shown for every option; the first is the one to aim for
    sides: Mapping[str, Literal["max", "min"]] = field(
        default_factory=lambda: {"attacker": "max"}
    )  # what each deciding side plays for
    table: Callable[[Answer], Table] | None = None  # the options and what they are worth
    span: Callable[[Any], tuple[Fraction | float, Fraction | float]] | None = (
        None  # start -> the least and the most that the goal can come to; None: nothing or more
    )
    later: bool = False  # whether choices after the first dice are made for it too, by best play


class Lead(Struct, frozen=True):
    """What the table asks first: a measure, and what its number is in a few words, as the bar of a phone has them.

    A count is told by its mean, yes or no by its chance, and words by themselves. A question may name several: the
    first that its answer tells, and that can happen, leads; the last one leads in any case.
    """

    measure: str
    says: str | Callable[[Answer], str]  # what the number is: “of 5 models fall on average”
    holds: Callable[[Any], bool] | None = None  # the values whose chance is told, if it is neither mean nor yes
    when: Callable[[Answer], bool] | None = None  # whether it may lead at all; None: always


class Rank(Struct, frozen=True):
    """Models of a unit that are alike, after an answer without luck: how many there were, and how many stand."""

    name: str
    models: int
    left: int
    wounded: str = ""  # how the one in front stands, if it is hurt: 15 of 40 HP left

    @property
    def fallen(self) -> int:
        """How many fell."""
        return self.models - self.left


QUESTION_FUNCTIONS = {
    "begin": "def begin(inputs, rulings), which returns the starting state",
    "headline": "def headline(answer), which returns a sentence",
    "lens": "def lens(measures), which returns what to forget",
}
ACTION_FUNCTIONS = {
    "plan": "def plan(state, order), which returns a Plan or raises Refused",
    "lens": QUESTION_FUNCTIONS["lens"],
}
"""Where a card needs functions, and how they begin."""


class Question(Struct, frozen=True, eq=False):
    """Something a player can ask; the CLI options, forms and schemas all come from this one definition."""

    name: str
    title: str
    inputs: type[Inputs]
    begin: Callable[[Any, Any], Any]  # (inputs, rulings) -> the starting state
    procedure: Callable[[Any], Procedure]  # the starting state -> the stages
    measures: tuple[Measure, ...]
    headline: Callable[[Answer], str]
    fill: Callable[[Mapping[str, Any], Any], Mapping[str, Any]] | None = None  # names of profiles -> their numbers
    table: Callable[[Any, Any], Table | None] | None = None
    warn: Callable[[Any, Any], Iterable[str | Caution]] | None = None
    example: Mapping[str, Any] = field(default_factory=dict)  # something worth seeing: pages and help begin with it
    small: Mapping[str, Any] = field(default_factory=dict)  # a case of few dice to test it on; empty: the example
    again: Callable[[], Question] | None = None  # how to make it again, if it is on no card
    rulings: tuple[str, ...] | None = None  # those that can change its answer; None: any may
    lens: Lens = nothing_forgotten
    goal: Goal | None = None  # without a goal, choices take their first option
    branches: Callable[[frozenset[str]], int | None] | None = (
        None  # measures -> how many branches their odds may take without a budget; None: as many as usual
    )
    picture: Callable[[Any, Answer], Picture | None] | None = None  # (inputs, answer) -> what lies on the table
    ranks: Callable[[Answer], Iterable[Rank]] | None = None  # the models that fall, where nothing is left to luck
    landed: Callable[[Roll], Picture | None] | None = None  # a roll -> what lies on the table after it
    result: Callable[[Roll], str] | None = None  # what came of a roll in one sentence; None: the last line of its log
    lead: tuple[Lead, ...] = ()  # what the table asks first, and what is said with it; empty: the first measure
    stops: Callable[[Any], Iterable[Line]] | None = None  # the starting state -> what stops damage without any dice
    aims: tuple[str, ...] = ()  # the inputs that say where it is aimed; where none is given, it is the best place
    outlines: tuple[Outline, ...] = ()  # what a player may point at: the sides of a vehicle, the places of a body

    def __post_init__(self) -> None:
        check_chooser(self.procedure, self.name)
        _check_tuple(self.measures, Measure, f"the measures of {self.name!r}", "(FALLEN,)")
        _check_tuple(self.lead, Lead, f"the lead of {self.name!r}", '(Lead("fallen", "of 5 models fall"),)')
        _check_functions(self, QUESTION_FUNCTIONS)

    def __repr__(self) -> str:
        return f"<Question {self.name}>"

    def __reduce__(self) -> tuple[Any, ...]:
        if self.again is not None:
            return (self.again, ())
        for package, module in list(sys.modules.items()):
            card = vars(module).get("RULESET") if isinstance(module, ModuleType) else None
            if isinstance(card, Ruleset) and card.package == package and self in card.questions:
                return (_question, (package, self.name))
        raise BattletapeError(f"only questions of the RULESET of a package can be pickled; none has this {self!r}")

    def __copy__(self) -> Question:
        return self

    def __deepcopy__(self, memo: Any) -> Question:
        return self

    def measure(self, name: str | None = None) -> Measure:
        """Return the measure of this name; the first one if none is named."""
        if name is None:
            return self.measures[0]
        for known in self.measures:
            if known.name == name:
                return known
        raise UnknownName("measure", name, [measure.name for measure in self.measures], source=self.name)

    @property
    def leads(self) -> tuple[Lead, ...]:
        """What may lead an answer, the best first."""
        return self.lead or (Lead(self.measures[0].name, self.measures[0].title),)

    def filled(self, given: Mapping[str, Any], book: ProfileBook, source: str = "") -> Mapping[str, Any]:
        """Return what is given with the numbers of the profiles that it names, as far as the question asks for them."""
        written = given if self.fill is None else self.fill(read_plain(self.inputs, given, source), book)
        return {name: value for name, value in written.items() if name in self.inputs.__struct_fields__}

    def shown_measures(self, start: Any, also: Collection[str] = ()) -> tuple[Measure, ...]:
        """Return the measures in an answer: the usual ones from this start, and those asked for by name."""
        if isinstance(also, str) or not isinstance(also, Collection):
            raise BadInput.of(
                "measures", f'must be a list of names, such as ["{self.measures[0].name}"]; got {also!r}.'
            )
        named = {self.measure(name).name for name in also}
        return tuple(m for m in self.measures if m.name in named or m.usual is None or m.usual(start))


NO_STAGES = Procedure("at once", ())


NAMED = ("unit", "target", "weapon", "machine")
"""What most actions are about."""


def named_by(state: Any, order: Any) -> Mapping[str, str]:
    """Return unit, target and weapon that an action names, for tables."""
    named = {name: getattr(order, name, "") for name in NAMED}
    return {name: value for name, value in named.items() if value}


class Call(NamedTuple):
    """A rule to be called later, and what it is called with."""

    rule: Rule
    args: tuple[Any, ...] = ()

    def on(self, tape: Tape, *first: Any) -> Any:
        """Call the rule on this tape; what is known only now comes first."""
        return tape.call(self.rule, *first, *self.args)


class Plan:
    """An action that may be taken: the rule that begins it, the rule that ends it, and the order in full.

    `Plan(leave_melee, state, unit)` is the call `leave_melee(tape, state, unit)`, made when the action is played. The
    rule returns the working state; without stages that is the battle after the action. Neither rule asks for dice or
    decisions, which belong in stages. `order` is the order with its gaps filled in, as battle files keep it.
    """

    __slots__ = ("after", "begin", "order")

    def __init__(self, begin: Rule, *args: Any, order: Any = None) -> None:
        self.begin = Call(begin, args)
        self.after: Call | None = None
        self.order = order

    def then(self, after: Rule, *args: Any) -> Plan:
        """End the action by `after(tape, work, *args)`, which returns the battle state."""
        self.after = Call(after, args)
        return self


def unchanged(tape: Tape, state: Any) -> Any:
    """Go on with this state as it is."""
    return state


def always_open(state: Any) -> None:
    """Return None: an action that belongs to no phase is never refused before its order is read."""


class Action(Struct, frozen=True, eq=False):
    """Something a player may do in a battle; without stages it is done at once."""

    name: str
    title: str
    inputs: type[Inputs]
    plan: Callable[[Any, Any], Plan]  # (battle state, order) -> what begins and ends it; raises Refused
    procedure: Callable[[Any], Procedure] = NO_STAGES  # the working state -> the stages
    options: Callable[[Any], Iterable[Inputs]] | None = None  # what could be tried now, if the roles cannot say
    measures: tuple[Measure, ...] = ()
    about: Callable[[Any, Any], Mapping[str, str]] = named_by  # unit, target, weapon for the table
    headline: Callable[[Answer], str] | None = None
    clauses: tuple[str, ...] = ()
    lens: Lens = nothing_forgotten
    roles: Mapping[str, str] = field(default_factory=dict)  # of inputs that here name less than elsewhere; "": nothing
    earlier: Mapping[str, Any] = field(default_factory=dict)  # inputs that older moves do not name, as they had them
    ends: Literal["", "unit", "phase", "turn"] = ""  # what it ends: all that one unit does, a phase, a turn
    aside: bool = False  # a correction or an agreement beside the game, not a move in it
    closed: Callable[[Any], Refused | None] = always_open  # (battle state) -> why it is refused now, whatever is said

    def __post_init__(self) -> None:
        check_chooser(self.procedure, self.name)
        _check_functions(self, ACTION_FUNCTIONS)
        if self.headline is not None:
            check_function(self.headline, f"the headline of {self.name!r}", QUESTION_FUNCTIONS["headline"])

    def __repr__(self) -> str:
        return f"<Action {self.name}>"

    @property
    def goes_on(self) -> Literal["", "unit", "phase", "turn"]:
        """What it ends, so that the game goes on; without a word about it, an action without inputs ends a phase."""
        return self.ends or ("phase" if not fields(self.inputs) and not self.aside else "")


EACH = "each"
"""The role of an input of which every choice is an option."""
Role = Callable[[Any, Mapping[str, Any]], Iterable[Any]]
"""(battle state, what the inputs before it name) -> what an input of this role may name: every unit, its weapons, …"""


def whose_turn(state: Any) -> Mapping[str, str]:
    """Turn, phase and side of a state that has them."""
    return {"turn": str(state.turn), "phase": state.phase, "side": state.active}


def last_side(state: Any) -> str | None:
    """Return the side that alone has units left; None while several have."""
    left = ""
    for unit in state.units:
        if unit.side != left and not unit.is_gone:
            if left:
                return None
            left = unit.side
    return f"{left} holds the field" if left else "Nobody is left"


def sample_of(package: str) -> Callable[[], Mapping[str, Any]]:
    """Return a start to try out: the `sample.toml` of this package."""
    return lambda: read_tables(package, "sample", dict[str, Any])


def read_rulings(package: str) -> Mapping[str, Ruling]:
    """Return what the rulings of a ruleset decide, and what their values mean: the `rulings.toml` of its package."""
    return read_tables(package, "rulings", dict[str, Ruling])


class BattleRules(Struct, frozen=True):
    """How a battle of this system starts, goes and ends."""

    start: type[Inputs]  # the sides as a player sets them up
    begin: Callable[[Any, Any], Any]  # (start, rulings) -> battle state
    state: type[Any]  # a frozen msgspec Struct: stored in checkpoints
    actions: tuple[Action, ...]
    show: Callable[[Any], Iterable[Table]]  # the state as tables
    sample: Callable[[], Mapping[str, Any]]  # a start to try out
    where: Callable[[Any], Mapping[str, str]] = whose_turn  # turn, phase, side
    over: Callable[[Any], str | None] = last_side  # the winner in words, or None
    fill: Mapping[str, Fill] = field(default_factory=dict)  # profiles written out, by the lists of a side
    roles: Mapping[str, Role] = field(default_factory=dict)  # what an input of an action may name
    settle: Rule = unchanged  # (tape, battle state) -> battle state: what follows from any action
    state_of: Callable[[Any], Any] = lambda work: work  # the battle in a working state, where a plan has no `then`
    waiting: Callable[[Any], Iterable[str]] | None = (
        None  # the units that may still act; None: as orders and moves tell
    )
    field: Callable[[Any], Any] = lambda state: None  # the `Battlefield` in a battle state, of a system that keeps one
    models: Callable[[Any, str], int] = lambda state, name: 0  # the models left on the sheet of a unit on the field
    about: Callable[[Any], Mapping[str, str]] = lambda state: {}  # a few words on units and terrain, for the map
    reaches: Callable[[Any, str], tuple[Any, ...]] = (
        lambda state, unit: ()
    )  # a `field.maps.Reach` for each way to move and each weapon that a unit has now
    mission: Callable[[Any], str] = lambda state: ""  # its name; empty for none
    points: Callable[[Any], Mapping[str, int]] = lambda state: {}  # victory points by side; none without a mission
    scores: Callable[[Any, str], bool] = lambda state, unit: True  # whether a unit on the field may hold objectives

    def action(self, name: str) -> Action:
        """Return the action of this name."""
        for known in self.actions:
            if known.name == name:
                return known
        raise UnknownName("action", name, [action.name for action in self.actions])

    def role(self, name: str, of: str) -> Role:
        """Return what an input of this role may name; an unknown role is an error that says whose it is."""
        if name not in self.roles:
            like = nearest(name, self.roles)
            hint = f" Did you mean {like!r}?" if like else ""
            known = ", ".join(self.roles) or "none"
            raise BattletapeError(
                f"the input {of} has the role {name!r}, which BattleRules lacks.{hint} Known: {known}."
            )
        return self.roles[name]

    def plan(self, action: Action, state: Any, order: Inputs) -> Plan:
        """Return what an order comes to; raises Refused, or BadInput for an unknown name."""
        raise_if_refused(action.closed(state), at_all=True)
        return self._planned(action, state, order)

    def _planned(self, action: Action, state: Any, order: Inputs) -> Plan:
        """Return what an order of an action that is open comes to."""
        made = action.plan(state, order)
        if not isinstance(made, Plan):
            got = "None, as without a return" if made is None else with_article(type(made).__name__)
            raise BattletapeError(
                f"{action.name}: its plan must return a Plan, such as Plan(begin_move, unit); got {got}"
            )
        return made

    def why_not(self, action: Action, state: Any, order: Inputs) -> Refused | None:
        """Return why this may not be done, or None."""
        return _reason(self.plan, action, state, order)

    def tried(self, action: Action, state: Any) -> Iterator[tuple[Inputs, Refused | None]]:
        """Yield what could be tried now, each with the reason why it may not be done, or None.

        An action that is refused whatever is said, as in another phase, is tried once.
        """
        closed = action.closed(state)
        for order in self.options(action, state):
            refused = closed or _reason(self._planned, action, state, order)
            if refused is not None and (closed or refused.at_all):
                refused.at_all = True
                yield order, refused
                return
            yield order, refused

    def options(self, action: Action, state: Any) -> Iterable[Inputs]:
        """Return what could be tried now, allowed or refused: every combination of what the roles of its inputs may
        name.
        """
        if action.options is not None:
            return action.options(state)
        ways: Iterable[dict[str, Any]] = ({},)
        for given in fields(action.inputs):
            name = action.roles.get(given.name, given.role)
            if name == EACH:
                ways = _with_each(ways, given.name, partial(_each_of, given.every), state)
            elif name:
                ways = _with_each(ways, given.name, self.role(name, f"{given.name} of {action.name}"), state)
        return (action.inputs(**way) for way in ways)


def _reason(plan: Callable[..., Plan], action: Action, state: Any, order: Inputs) -> Refused | None:
    """Return why a plan refuses an order, or None."""
    try:
        plan(action, state, order)
    except Refused as refused:
        return refused.with_traceback(None)  # thousands are kept, and their frames are not wanted
    return None


def _each_of(values: Iterable[Any], state: Any, way: Mapping[str, Any]) -> Iterable[Any]:
    """Return every choice of an input, whatever the state."""
    return values


def _with_each(ways: Iterable[dict[str, Any]], name: str, role: Role, state: Any) -> Iterator[dict[str, Any]]:
    """Return each of these ways with each thing that one more input may name, one after another as they are asked
    for.
    """
    return ({**way, name: value} for way in ways for value in role(state, way))


class LiveExample(Struct, frozen=True):
    """An example that a newcomer turns on the first page: one input with a stepper, and figures that fall."""

    question: str
    given: Mapping[str, Any]
    turn: str  # the input with the stepper; if its dice are drawn, it says how many there are
    label: str  # what is turned: “Attack dice”
    title: str  # the example in a few words; {turn} and {figures} are filled in: “{turn} dice at {figures} models”
    figures: str = ""  # the input that says how many figures there are
    fallen: str = ""  # the measure that counts those that fall
    die: str = ""  # the shape of the dice that are rolled first: d10
    about: str = ""  # what is given besides, in a sentence


class Tile(Struct, frozen=True):
    """How a system presents itself on the first page."""

    players: str  # the armies that play it and what it is, in a sentence without a full stop
    dice: tuple[str, ...] = ()  # shape and face of each: d6:4, d10:7, scatter, die:J; none: it has no dice
    dice_words: str = ""
    questions: tuple[str, ...] = ()  # the names of those to begin with; none: the first three
    drawing: str = ""  # an SVG file beside the card
    live: LiveExample | None = None


class Ruleset(Struct, frozen=True, eq=False):
    """A rule system, as its card describes it: what can be asked, rolled, played, looked up and printed."""

    name: str
    title: str
    summary: str
    package: str
    rulings: type[Inputs]
    questions: tuple[Question, ...]
    presets: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    tables: Callable[[], tuple[Table, ...]] = lambda: ()
    profiles: Callable[[tuple[str, ...]], ProfileBook] | None = None  # the book, with the players' own files
    profile_files: tuple[str, ...] = ()
    battle: BattleRules | Callable[[], BattleRules] | None = None  # a function is called when a battle is needed
    keywords: tuple[Keyword, ...] = ()  # special rules, each written in one place
    sheets: tuple[Sheet, ...] = ()  # what can be printed
    tile: Tile | None = None  # how it presents itself on the first page
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # moments of play -> names of their questions
    synonyms: Mapping[str, str] = field(default_factory=dict)  # words of players -> words of the book, for the search
    memo: Memo = field(default_factory=lambda: lasting(Memo()))
    earlier: Mapping[str, Any] = field(default_factory=dict)  # rulings that older battles do not name, as they had them

    def __post_init__(self) -> None:
        _check_tuple(self.questions, Question, f"the questions of {self.name!r}", "(SHOOT,)")
        caches_in(self.package)

    @property
    def grouped(self) -> tuple[tuple[str, tuple[Question, ...]], ...]:
        """All questions by the moment of play, each group with its title; those of no group come last."""
        left = {question.name: question for question in self.questions}
        groups = [
            (title, tuple(left.pop(name) for name in names if name in left)) for title, names in self.groups.items()
        ]
        groups = [(title, questions) for title, questions in groups if questions]
        return (*groups, ("More" if groups else "Questions", tuple(left.values()))) if left else tuple(groups)

    def __repr__(self) -> str:
        return f"<Ruleset {self.name}: {', '.join(question.name for question in self.questions)}>"

    def __reduce__(self) -> tuple[Any, ...]:
        home = getattr(import_module(self.package), "RULESET", None)
        if not isinstance(home, Ruleset) or home.questions is not self.questions or home.battle is not self.battle:
            raise BattletapeError(f"only the RULESET of a package can be pickled; {self.package} has no such {self!r}")
        return (_card, (self.package, self.profile_files))

    def __deepcopy__(self, memo: Any) -> Ruleset:
        return self

    @property
    def clauses(self) -> ClauseBook:
        """The rule book in our own words."""
        return read_clauses(self.package)

    @property
    def battle_rules(self) -> BattleRules | None:
        """How a battle of this system goes; None where it answers questions only."""
        return self.battle if self.battle is None or isinstance(self.battle, BattleRules) else self.battle()

    @property
    def book(self) -> ProfileBook:
        """The profiles: ours and those of the players' own files."""
        return self.profiles(self.profile_files) if self.profiles else ProfileBook(())

    @property
    def drawing(self) -> str:
        """The SVG of its tile; empty if it has none."""
        from importlib.resources import files

        if self.tile is None or not self.tile.drawing:
            return ""
        try:
            return (files(self.package) / self.tile.drawing).read_text(encoding="utf-8")
        except OSError as error:
            raise BattletapeError(f"the tile of {self.name} has no drawing {self.tile.drawing!r}: {error}") from error

    def with_profiles(self, *files: str) -> Ruleset:
        """Return the system with the profiles of these files added."""
        return replace(self, profile_files=(*self.profile_files, *files))

    def question(self, name: str) -> Question:
        """Return the question of this name; raises UnknownName with the nearest one."""
        for known in self.questions:
            if known.name == name:
                return known
        raise UnknownName("question", name, [question.name for question in self.questions], source=self.name)

    def sheet(self, name: str) -> Sheet:
        """Return the sheet of this name; raises UnknownName with the nearest one."""
        for known in self.sheets:
            if known.name == name.strip().replace("-", "_"):
                return known
        raise UnknownName("sheet", name, [sheet.name for sheet in self.sheets], source=self.name)

    def parse_rulings(self, given: Mapping[str, Any], source: str = "") -> Inputs:
        """Return the rulings from plain values; `preset` names a set of them to start from."""
        values = dict(given)
        preset = values.pop("preset", None)
        if preset is not None:
            if not isinstance(preset, str) or preset not in self.presets:
                raise UnknownName("preset", preset, self.presets, source=self.name)
            values = {**self.presets[preset], **values}
        return parse_inputs(self.rulings, values, source)

    def split(self, question: Question, given: Mapping[str, Any], source: str = "") -> tuple[Inputs, Inputs]:
        """Return inputs and rulings from one set of names; an unknown name is refused with the nearest one."""
        of_rulings, of_inputs = _names(self.rulings) | {"preset"}, _names(question.inputs)
        names = {name: name.replace("-", "_") for name in given}
        for name in names.values():
            if name not in of_rulings and name not in of_inputs:
                raise UnknownInput(question.name, name, *self._instead_of(question, name), source=source)
        if len(set(names.values())) < len(names):
            names_given = list(names.values())
            twice = next(name for name in names_given if names_given.count(name) > 1)
            raise BadInput.of(twice, "is given twice; say it once.", source=source)
        rulings = self.parse_rulings({names[n]: v for n, v in given.items() if names[n] in of_rulings}, source)
        values: Mapping[str, Any] = {names[n]: v for n, v in given.items() if names[n] in of_inputs}
        if question.fill is not None:
            values = question.filled(self._carried(question, values), self.book, source)
        return parse_inputs(question.inputs, values, source), rulings

    def instead_of(
        self, question: Question, name: str, write: Callable[[str], str] = str, also: Iterable[str] = ()
    ) -> str:
        """Return what a player may mean by an input that a question lacks: in its spelling, or as another word for it.

        `write` shows an input, `also` are further names that there are.
        """
        return "".join(self._instead_of(question, name, write, also))

    def _instead_of(
        self, question: Question, name: str, write: Callable[[str], str] = str, also: Iterable[str] = ()
    ) -> tuple[str, str]:
        """Return what a player may mean, or else what there is."""
        own = {field.name: field for field in fields(question.inputs)}
        homes = {inner: field.name for field in own.values() if field.item for inner in _names(field.item)}
        spoken = spoken_names(question.inputs)
        known = sorted({*own, *_names(self.rulings), *homes, *spoken, *also})
        like = name if name in homes or name in spoken else nearest(name, known)
        if like is None:
            return "", self._takes(question, name, write)
        if like in own or like not in {*homes, *spoken}:
            return f"Did you mean {write(like)}?", ""
        if like in homes:
            hint = f"It is said of each of the {homes[like]}, as in {homes[like]}=[{{{like!r}: …}}]."
            return (hint if like == name else f"Did you mean {like}? {hint}"), ""
        return f"Did you mean {write(spoken[like])} ({own[spoken[like]].title})?", ""

    def _takes(self, question: Question, name: str, write: Callable[[str], str]) -> str:
        """Return some of what a question takes, and which other questions have the input that it lacks."""
        names = [field.name for field in fields(question.inputs)]
        usual = [known for known in question.example if known in names][:MOST_USUAL] or names[:MOST_USUAL]
        few = len(names) <= MOST_NAMES
        hint = f"It takes {'' if few else f'{len(names)}, such as '}{', '.join(map(write, names if few else usual))}."
        others = [other.name for other in self.questions if name in _names(other.inputs)][:MOST_USUAL]
        if not others:
            return hint
        return f"{hint} The question{'s' * (len(others) > 1)} {listed(others)} ha{'ve' if len(others) > 1 else 's'} it."

    def _carried(self, question: Question, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """Read names as weapons of the acting unit first: “bolter” is the one that it carries."""
        named = {
            field.name: values[field.name]
            for field in fields(question.inputs)
            if field.group != "target" and field.kind == "text" and isinstance(values.get(field.name), str)
        }
        if len(named) < 2:
            return values
        kinds = [kind for kind in self.book.kinds if kind in named]
        people = [name for key, name in named.items() if key not in kinds]
        return {**values, **{kind: self.book.carried(kind, named[kind], people) for kind in kinds}}

    def ask(
        self,
        question: str,
        /,
        *,
        budget: Budget | None = None,
        floats: bool = False,
        measures: Collection[str] = (),
        **given: Any,
    ) -> Answer:
        """Return the exact odds: `ruleset("attack_dice").ask("attack", attacks=12, power=6)`."""
        from battletape.answer import ask

        return ask(self, self.question(question), given, budget=budget, floats=floats, measures=measures)

    def roll(self, question: str, /, *, seed: int | str | None = None, tape: Path | None = None, **given: Any) -> Roll:
        """Return one possible result, rolled with a seed or read from any tape of one path."""
        from battletape.answer import roll

        return roll(self, self.question(question), given, seed=seed, tape=tape)


def _check_tuple(value: Any, kind: type, owner: str, such: str) -> None:
    """Refuse a slip of the author of a ruleset: a thing alone, or another kind of thing."""
    if not isinstance(value, tuple) or not all(isinstance(item, kind) for item in value):
        found = value if isinstance(value, (tuple, list)) else f"a {type(value).__name__}"
        raise BattletapeError(f"{owner} must be a tuple of {kind.__name__}, such as {such}; got {found}")


def _check_functions(card: Question | Action, wanted: Mapping[str, str]) -> None:
    """Refuse a card that has something else where a function belongs."""
    for name, such in wanted.items():
        check_function(getattr(card, name), f"the {name} of {card.name!r}", such)


def _card(package: str, files: tuple[str, ...]) -> Ruleset:
    card: Ruleset = import_module(package).RULESET
    return card.with_profiles(*files) if files else card


def _question(package: str, name: str) -> Question:
    return _card(package, ()).question(name)


@lru_cache(256)
def _names(inputs: type[Inputs]) -> frozenset[str]:
    return frozenset(field.name for field in fields(inputs))
