"""A skirmish: its state, what fighters may do, and why not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

from battletape.cards import Action, BattleRules, Inputs, Line, Nothing, Plan, Table, asked
from battletape.rulebook import BadInput, Meta, State, Tape, asdict, by_name, clause, find_keywords, need, replace
from tests.toy import questions
from tests.toy.attack import Shot
from tests.toy.keywords import KEYWORDS
from tests.toy.rulings import Rulings
from tests.toy.words import headline


class Recruit(Inputs, frozen=True):
    """A fighter as a player sets it up."""

    name: str = asked("Ash", "Name")
    side: Literal["red", "blue"] = "red"
    wounds: int = asked(4, ge=1, le=12)
    save: Annotated[int, Meta(ge=2, le=6, extra={"form": "save"})] | None = None
    dice: int = asked(3, ge=1, le=12)
    at: int = asked(0, "Place on the line", unit="paces", ge=0, le=24)
    keywords: tuple[str, ...] = ()


class Sides(Inputs, frozen=True):
    """Both sides, and how long they fight."""

    fighters: tuple[Recruit, ...] = ()
    turns: int = asked(8, "Turns in all", ge=1, le=1000)


class Fighter(State):
    """A fighter in the skirmish; one with no wounds left has fallen."""

    name: str
    side: str
    wounds: int
    save: int | None
    dice: int
    at: int
    keywords: tuple[str, ...]
    pinned: bool = False
    acted: bool = False


class Skirmish(State):
    """All that changes in a battle, and the rulings it goes by."""

    rulings: Rulings
    fighters: tuple[Fighter, ...]
    turns: int
    turn: int = 1
    side: str = "red"


class OnTarget(Inputs, frozen=True):
    """Who shoots at whom."""

    unit: str = asked("", role="own fighter")
    target: str = asked("", role="enemy")


class ToPlace(Inputs, frozen=True):
    """Who moves where."""

    unit: str = ""
    to: int = asked(0, ge=0, le=24)


def begin(sides: Sides, rulings: Rulings) -> Skirmish:
    """The state before the first turn; names tell fighters apart."""
    names = [one.name for one in sides.fighters]
    if twice := {name for name in names if names.count(name) > 1}:
        raise BadInput(f"every fighter needs a name of its own, got {', '.join(sorted(twice))} twice", field="name")
    find_keywords(tuple({keyword for one in sides.fighters for keyword in one.keywords}), KEYWORDS)
    return Skirmish(rulings, tuple(Fighter(**asdict(one)) for one in sides.fighters), sides.turns)


def of_side(state: Skirmish, mine: bool = True) -> list[Fighter]:
    """The living fighters of the side whose turn it is, or of the other one."""
    return [one for one in state.fighters if one.wounds and (one.side == state.side) == mine]


def the(state: Skirmish, name: str) -> Fighter:
    """The fighter of this name."""
    return next(one for one in state.fighters if one.name == name)


def change(state: Skirmish, name: str, **values: Any) -> Skirmish:
    """The state with one fighter changed."""
    fighters = tuple(replace(one, **values) if one.name == name else one for one in state.fighters)
    return replace(state, fighters=fighters)


@clause("TOY-12")
def over(state: Skirmish) -> str | None:
    """Who has won."""
    if not of_side(state) or not of_side(state, mine=False):
        return f"{'/'.join(sorted({one.side for one in state.fighters if one.wounds})) or 'nobody'} has won"
    return "a draw" if state.turn > state.turns else None


@clause("TOY-12")
def need_battle(state: Skirmish) -> None:
    """Refuse everything once the battle is over."""
    need(not over(state), f"the battle is over: {over(state)}", "TOY-12", at_all=True)


@clause("TOY-1", "TOY-5")
def acting(state: Skirmish, name: str) -> Fighter:
    """Return the fighter of this name; refuse one that may not act now."""
    need_battle(state)
    unit = by_name("fighter", name, state.fighters)
    names = ", ".join(one.name for one in of_side(state))
    need(unit in of_side(state), f"{state.side} must act with {names}; got {unit.name!r}", "TOY-1")
    need(not unit.pinned, f"{unit.name} is pinned and gets up at the end of the turn", "TOY-5")
    need(not unit.acted, f"{unit.name} has acted in this turn", "TOY-1")
    return unit


@clause("TOY-1", "TOY-2")
def plan_shot(state: Skirmish, order: OnTarget) -> Plan:
    """Refuse fighters that may not act, and targets that are friends, fallen or too far away."""
    unit = acting(state, order.unit)
    target = by_name("fighter", order.target, state.fighters)
    living = target in of_side(state, mine=False)
    need(living, f"a shot needs a living enemy as its target; got {target.name!r}", "TOY-1")
    far = abs(unit.at - target.at)
    need(far <= 12, f"{target.name} is {far} paces away, a shot reaches 12", "TOY-2")
    asked = questions.Shoot(wounds=target.wounds, save=target.save, dice=unit.dice, paces=far, keywords=unit.keywords)
    return Plan(begin_shot, asked, state.rulings).then(end_shot, state, unit, target)


def begin_shot(tape: Tape, asked: questions.Shoot, rulings: Rulings) -> Shot:
    """The same shot as in the question, from the live state."""
    return questions.begin_shot(asked, rulings)


@clause("TOY-12")
def end_shot(tape: Tape, shot: Shot, state: Skirmish, unit: Fighter, target: Fighter) -> Skirmish:
    """Write down what the target has left."""
    if not shot.wounds:
        tape.tell(fallen, target.name)
    state = change(state, target.name, wounds=shot.wounds, pinned=shot.pinned or target.pinned)
    return change(state, unit.name, acted=True)


def fallen(name: str) -> Line:
    """Say who fell."""
    return Line(f"{name} falls.", result="fallen")


@clause("TOY-11")
def plan_move(state: Skirmish, order: ToPlace) -> Plan:
    """Refuse fighters that may not act, and moves that are too short or too long."""
    unit = acting(state, order.unit)
    far = abs(unit.at - order.to)
    need(1 <= far <= 4, f"a move must be 1 to 4 paces; got {far}", "TOY-11")
    return Plan(move, state, unit.name, order.to)


@clause("TOY-11")
def move(tape: Tape, state: Skirmish, name: str, to: int) -> Skirmish:
    """Walk along the line."""
    tape.tell(moved, name, to)
    return change(state, name, at=to, acted=True)


def moved(name: str, to: int) -> Line:
    """Say who moves where."""
    return Line(f"{name} moves to {to}.", result=str(to))


@clause("TOY-1", "TOY-12")
def plan_end(state: Skirmish, order: Nothing) -> Plan:
    """Turns go on until the battle is over."""
    need_battle(state)
    return Plan(end_turn, state)


@clause("TOY-1")
def end_turn(tape: Tape, state: Skirmish) -> Skirmish:
    """Get up, and hand over; after blue a new turn begins."""
    rested = tuple(replace(o, acted=False, pinned=o.pinned and o.side != state.side) for o in state.fighters)
    side, turn = ("blue", state.turn) if state.side == "red" else ("red", state.turn + 1)
    tape.tell("{} is next.", side.capitalize())
    return replace(state, fighters=rested, side=side, turn=turn)


def about(state: Skirmish, shot: OnTarget) -> Mapping[str, str]:
    """Who, at whom, with what."""
    return {"unit": shot.unit, "target": shot.target, "weapon": " ".join((*the(state, shot.unit).keywords, "shot"))}


def own_fighters(state: Skirmish, named: Mapping[str, Any]) -> Iterator[str]:
    """Whoever of the side whose turn it is stands."""
    return (fighter.name for fighter in of_side(state))


def enemies(state: Skirmish, named: Mapping[str, Any]) -> Iterator[str]:
    """Whoever of the other side stands."""
    return (fighter.name for fighter in of_side(state, mine=False))


def steps(state: Skirmish) -> Iterator[ToPlace]:
    """Every fighter to both ends of its reach."""
    return (ToPlace(unit=o.name, to=to) for o in of_side(state) for to in (o.at - 4, o.at + 4) if 0 <= to <= 24)


def show(state: Skirmish) -> Iterator[Table]:
    """The fighters as a table."""
    rows = ((o.name, o.side, str(o.wounds), str(o.at), "pinned" if o.pinned else "") for o in state.fighters)
    yield Table(f"Turn {state.turn}, {state.side}", ("name", "side", "wounds", "at", ""), tuple(rows))


def sample() -> Mapping[str, Any]:
    """Two against two."""
    red = [{"name": "Ash", "save": 5, "keywords": ["Smoke"]}, {"name": "Old Birch", "dice": 2, "wounds": 7}]
    blue = [{"name": "Crow", "at": 8, "keywords": ["Heavy"]}, {"name": "Dun", "at": 16, "save": 4}]
    return {"fighters": [*red, *({**one, "side": "blue"} for one in blue)]}


SHOOT = Action(
    name="shoot",
    title="Shoot at an enemy",
    inputs=OnTarget,
    plan=plan_shot,
    procedure=questions.shooting,
    measures=questions.MEASURES,
    about=about,
    headline=headline,
    clauses=("TOY-4",),
)
MOVE = Action("move", "Move along the line", ToPlace, plan_move, options=steps, clauses=("TOY-11",))
END_TURN = Action("end_turn", "End the turn", Nothing, plan_end, clauses=("TOY-1",))
BATTLE = BattleRules(
    start=Sides,
    begin=begin,
    state=Skirmish,
    actions=(SHOOT, MOVE, END_TURN),
    where=lambda state: {"turn": str(state.turn), "phase": "actions", "side": state.side},
    show=show,
    over=over,
    sample=sample,
    roles={"own fighter": own_fighters, "enemy": enemies},
)
