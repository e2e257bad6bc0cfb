"""A skirmish: its state, what fighters may do, and why not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

from battletape.cards import BattleRules, Inputs, Line, Table
from battletape.cards import refusing as Action
from battletape.cards import refusing_at_once as at_once
from battletape.rulebook import BadInput, Meta, Refused, Struct, asdict, clause, find_keywords, replace
from tests.toy import questions
from tests.toy.attack import Shot
from tests.toy.keywords import KEYWORDS
from tests.toy.rulings import Rulings
from tests.toy.words import headline, narrate


class Recruit(Inputs, frozen=True):
    """A fighter as a player sets it up."""

    name: Annotated[str, Meta(title="Name")] = "Ash"
    side: Literal["red", "blue"] = "red"
    wounds: Annotated[int, Meta(ge=1, le=12)] = 4
    save: Annotated[int, Meta(ge=2, le=6, extra={"form": "save"})] | None = None
    dice: Annotated[int, Meta(ge=1, le=12)] = 3
    at: Annotated[int, Meta(title="Place on the line", ge=0, le=24, extra={"unit": "paces"})] = 0
    keywords: tuple[str, ...] = ()


class Sides(Inputs, frozen=True):
    """Both sides, and how long they fight."""

    fighters: tuple[Recruit, ...] = ()
    turns: Annotated[int, Meta(title="Turns in all", ge=1, le=1000)] = 8


class Fighter(Struct, frozen=True):
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


class Skirmish(Struct, frozen=True):
    """All that changes in a battle, and the rulings it goes by."""

    rulings: Rulings
    fighters: tuple[Fighter, ...]
    turns: int
    turn: int = 1
    side: str = "red"


class OnTarget(Inputs, frozen=True):
    """Who shoots at whom."""

    unit: Annotated[str, Meta(extra={"role": "own fighter"})] = ""
    target: Annotated[str, Meta(extra={"role": "enemy"})] = ""


class ToPlace(Inputs, frozen=True):
    """Who moves where."""

    unit: str = ""
    to: Annotated[int, Meta(ge=0, le=24)] = 0


class Nothing(Inputs, frozen=True):
    """Nothing to say."""


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


@clause("TOY-1", "TOY-5", "TOY-12")
def refuse(state: Skirmish, unit: str) -> Refused | None:
    """Why this fighter may not act now."""
    if ended := over(state):
        return Refused(f"the battle is over: {ended}", "TOY-12")
    names = [one.name for one in of_side(state)]
    if unit not in names:
        return Refused(f"{state.side} must act with {', '.join(names)}; got {unit!r}", "TOY-1")
    if the(state, unit).pinned:
        return Refused(f"{unit} is pinned and gets up at the end of the turn", "TOY-5")
    return Refused(f"{unit} has acted in this turn", "TOY-1") if the(state, unit).acted else None


@clause("TOY-2")
def refuse_shot(state: Skirmish, shot: OnTarget) -> Refused | None:
    """Why this shot may not be taken."""
    if why := refuse(state, shot.unit):
        return why
    if shot.target not in [one.name for one in of_side(state, mine=False)]:
        return Refused(f"a shot needs a living enemy as its target; got {shot.target!r}", "TOY-1")
    far = paces(state, shot)
    return Refused(f"{shot.target} is {far} paces away, a shot reaches 12", "TOY-2") if far > 12 else None


@clause("TOY-11")
def refuse_move(state: Skirmish, move: ToPlace) -> Refused | None:
    """Why this move may not be made."""
    if why := refuse(state, move.unit):
        return why
    far = abs(the(state, move.unit).at - move.to)
    return None if 1 <= far <= 4 else Refused(f"a move must be 1 to 4 paces; got {far}", "TOY-11")


def refuse_end(state: Skirmish, params: Nothing) -> Refused | None:
    """Turns go on until the battle is over."""
    return Refused(f"the battle is over: {over(state)}", "TOY-12") if over(state) else None


def paces(state: Skirmish, shot: OnTarget) -> int:
    """How far a shot goes."""
    return abs(the(state, shot.unit).at - the(state, shot.target).at)


def begin_shot(state: Skirmish, shot: OnTarget) -> Shot:
    """The same shot as in the question, from the live state."""
    target, unit = the(state, shot.target), the(state, shot.unit)
    asked = questions.Shoot(
        wounds=target.wounds, save=target.save, dice=unit.dice, paces=paces(state, shot), keywords=unit.keywords
    )
    return questions.begin_shot(asked, state.rulings)


def finish_shot(state: Skirmish, params: OnTarget, shot: Shot) -> Skirmish:
    """Write down what the target has left."""
    pinned = shot.pinned or the(state, params.target).pinned
    return change(change(state, params.target, wounds=shot.wounds, pinned=pinned), params.unit, acted=True)


@clause("TOY-1")
def end_turn(state: Skirmish, params: Nothing) -> Skirmish:
    """Get up, and hand over; after blue a new turn begins."""
    rested = tuple(replace(o, acted=False, pinned=o.pinned and o.side != state.side) for o in state.fighters)
    side, turn = ("blue", state.turn) if state.side == "red" else ("red", state.turn + 1)
    return replace(state, fighters=rested, side=side, turn=turn)


def about(state: Skirmish, shot: OnTarget) -> Mapping[str, str]:
    """Who, at whom, with what."""
    return {"unit": shot.unit, "target": shot.target, "weapon": " ".join((*the(state, shot.unit).keywords, "shot"))}


def tell_fall(before: Skirmish, shot: OnTarget, after: Skirmish) -> Iterator[Line]:
    """Say who fell."""
    if not the(after, shot.target).wounds:
        yield Line(f"{shot.target} falls.", ("TOY-12",), result="fallen")


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
    refuse=refuse_shot,
    begin=begin_shot,
    procedure=questions.shooting,
    finish=finish_shot,
    measures=questions.MEASURES,
    narrate=narrate,
    about=about,
    tell=tell_fall,
    headline=headline,
    clauses=("TOY-4",),
)
MOVE = at_once(
    "move",
    "Move along the line",
    ToPlace,
    refuse_move,
    lambda state, move: change(state, move.unit, at=move.to, acted=True),
    "TOY-11",
    options=steps,
    tell=lambda before, move, after: [Line(f"{move.unit} moves to {move.to}.", ("TOY-11",), result=str(move.to))],
)
END_TURN = at_once("end_turn", "End the turn", Nothing, refuse_end, end_turn, "TOY-1")
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
