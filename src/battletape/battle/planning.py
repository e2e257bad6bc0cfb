"""An order as its player means it: names in full, and those that were left out filled in where only one would do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from battletape.errors import BadInput, BattletapeError, MissingInput, Refused, UnknownName
from battletape.inputs import Inputs, fields
from battletape.system import NAMED, Action, BattleRules, Plan
from battletape.words import matching_names

MAX_NAMES = 100
"""How many names of one order are looked up."""
MAX_TRIED = 8
"""How many names are tried in the place of one that was left out, where nothing is proposed."""
Order = TypeVar("Order", bound=Inputs)


def planned(rules: BattleRules, action: Action, state: Any, order: Order) -> tuple[Plan, Order]:
    """Return the plan of an order, and the order in full; raise Refused, or BadInput for what cannot be read.

    A plan looks up each name among everything in the battle. If one is not found, but fits a single thing there, the
    plan is made again with that; so a refusal is never about a name that is merely short.
    """
    for _ in range(MAX_NAMES):
        try:
            plan = rules.plan(action, state, order)
            return plan, order if plan.order is None else plan.order
        except UnknownName as error:
            order = _with_full_name(rules, action, state, order, error)
    raise BattletapeError(f"{action.name} names more than {MAX_NAMES} things")


def _with_full_name(rules: BattleRules, action: Action, state: Any, order: Order, error: UnknownName) -> Order:
    """Return the order with an unknown name as it stands in the battle; raise the error if nothing fits."""
    if not error.name.strip():
        return _with_missing_names(rules, action, state, order, error)
    fits = error.fits
    if len(fits) > 1:  # of several, the one that may be named now
        legal = {text for proposed in legal_orders(rules, action, state) for _, text in _texts(proposed)}
        fits = tuple(fit for fit in fits if fit in legal)
    if len(fits) != 1:
        raise error
    candidates: list[Order] = list(_with_name_replaced(order, error.name, fits[0]))
    for candidate in candidates[:-1]:  # the same word may stand for a unit here and for a weapon there
        try:
            rules.plan(action, state, candidate)
        except UnknownName as other:
            if (other.name, other.known) == (error.name, error.known):
                continue
        except BattletapeError:
            pass
        return candidate
    if not candidates or candidates[-1] == order:
        raise error
    return candidates[-1]


def _with_missing_names(rules: BattleRules, action: Action, state: Any, order: Order, error: UnknownName) -> Order:
    """Return the order with each name left out for which only one would do; if none would, raise the reason."""
    blank = missing_names(action, order)
    if not blank:
        raise error
    candidates = [proposed for proposed in rules.options(action, state) if _fits_names(order, proposed)]
    refusals = [rules.why_not(action, state, proposed) for proposed in candidates]
    legal = [proposed for proposed, refused in zip(candidates, refusals, strict=True) if refused is None]
    if not candidates:
        refusals = [
            _refusal(rules, action, state, replace(order, **{blank[0]: name})) for name in error.known[:MAX_TRIED]
        ]
    if refusals and not legal and all(refusals):
        raise next(refused for refused in refusals if refused is not None)
    choices = {name: list(dict.fromkeys(getattr(proposed, name) for proposed in legal)) for name in blank}
    filled = {name: values[0] for name, values in choices.items() if len(values) == 1 and values[0]}
    if filled:
        return replace(order, **filled)
    missing = [name for name in blank if all(choices[name])] or blank
    raise MissingInput(action.name, missing, choices[missing[0]] or error.known)


def _refusal(rules: BattleRules, action: Action, state: Any, order: Inputs) -> Refused | None:
    """Return why an order is refused; None if it is not, or if it lacks something else."""
    try:
        return rules.why_not(action, state, order)
    except BadInput:
        return None


def legal_orders(rules: BattleRules, action: Action, state: Any) -> Iterator[Inputs]:
    """Return the proposed orders that may be given now."""
    return (order for order, refused in rules.tried(action, state) if refused is None)


def missing_names(action: Action, inputs: Inputs) -> list[str]:
    """Return the inputs for units, weapons and the like that were left empty, by their roles or usual names."""
    own = fields(type(inputs))
    texts = [field for field in own if field.kind == "text"]
    by_role = [field for field in own if field.role or action.roles.get(field.name)]
    usual = [field for field in texts if field.name in NAMED]
    for named in (by_role, usual, texts):
        empty = [field.name for field in named if not getattr(inputs, field.name)]
        if empty:
            return empty
    return []


def _fits_names(order: Inputs, proposed: Inputs) -> bool:
    """Return whether a proposed order fits the names given so far."""
    names = ((name, text) for name, text in _texts(order) if text)
    return all(matching_names(text, [str(getattr(proposed, name))]) for name, text in names)


def _texts(order: Inputs) -> Iterator[tuple[str, str]]:
    """Return the inputs of an order that hold a text, each with its text."""
    return ((name, text) for name in order.__struct_fields__ if isinstance(text := getattr(order, name), str))


def _with_name_replaced(order: Any, name: str, full: str) -> Iterator[Any]:
    """Yield the order with a name replaced: in each of its places alone, and at last in all."""
    places = list(_places(order, name))
    for place in places if len(places) > 1 else ():
        yield _replace_at(order, place, full)
    for place in places:
        order = _replace_at(order, place, full)
    yield order


def _places(thing: Any, name: str) -> Iterator[tuple[Any, ...]]:
    """Yield each place of a name in an order: a field, or an entry of a list."""
    inner: Iterable[Any] = thing.__struct_fields__ if isinstance(thing, Struct) else range(len(thing))
    for key in inner:
        value = getattr(thing, key) if isinstance(thing, Struct) else thing[key]
        if isinstance(value, str):
            if value.strip() == name.strip():
                yield (key,)
        elif isinstance(value, Struct | tuple):
            yield from ((key, *rest) for rest in _places(value, name))


def _replace_at(thing: Any, place: tuple[Any, ...], text: str) -> Any:
    key, *rest = place
    if isinstance(thing, Struct):
        return replace(thing, **{key: _replace_at(getattr(thing, key), tuple(rest), text) if rest else text})
    return (*thing[:key], _replace_at(thing[key], tuple(rest), text) if rest else text, *thing[key + 1 :])
