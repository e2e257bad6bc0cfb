"""Inputs: what a question or action takes, described once; options, forms, schemas and errors come from it.

    class Attack(Inputs):
        attacks: int = asked(10, "Attack dice", group="attacker", ge=1, le=1000)

`extra` may hold: `group` (attacker, weapon, target, circumstances), `unit` (inches), `form` ("save" for 2+ to 6+,
"name" for an entry known by its name alone), `part` (what it is to a player; see `PARTS`), `short` (what a stat line or
a chip calls it: BS, Smoke; of a list, what an entry is called), `known` (names that a text may be, as {name: what it
means}), `profile` (the kind of profile whose name it may be), `worn` (it is a part of another profile: armour, the
rounds of a launcher), `beside` (a measure to show with each choice, and its word there: "jammed:jams"), `heading` and
`about` (the title alone, and what it says after that), `clause`, and for the inputs of actions `role` (what it names
in a battle; see `BattleRules.roles`; “each”: any of its choices). `asked` writes it; what rulings say about themselves
stands in a file (`Ruling`).

Models on a table are a list of `Placed`, or of a type of your own with `x`, `y` and `base` (millimetres) or `radius`
(inches). Players may then write “Ork at 3,4”, or a whole formation: “ring 6 at 0,0 spacing 1 name=Ork”.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import isfinite
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, TypeVar, cast, get_args, get_type_hints

import msgspec
from msgspec import Struct
from msgspec import inspect as mi
from msgspec.structs import replace

from battletape.errors import BadInput, Misfit, Place, echo, nearest
from battletape.table.formations import FORMATIONS, SPACING, formation
from battletape.table.points import Point
from battletape.words import is_count

I = TypeVar("I", bound="Inputs")  # noqa: E741
T = TypeVar("T")


if TYPE_CHECKING:
    from msgspec import StructMeta
else:
    StructMeta = type(Struct)  # older versions do not name it


class Ruling(Struct, frozen=True, forbid_unknown_fields=True):
    """A ruling in words, as `rulings.toml` has it: what it decides, its clause, and what its values mean.

    Every value of a list, yes and no, and none where that is allowed have words of their own, by their names; of
    numbers, those that mean something special. The default comes first.
    """

    decides: str
    clause: str
    means: dict[str, str]

    @property
    def about(self) -> msgspec.Meta:
        """What the field of this ruling says about itself."""
        extra = {"group": "rulings", "clause": self.clause, "alternatives": tuple(self.means.items())}
        return msgspec.Meta(title=self.decides, extra=extra)


class FieldDeclaration(Struct, frozen=True):
    """An input or ruling as its class declares it: what it says about itself, and its default."""

    about: msgspec.Meta
    default: Any

    def field(self, hint: Any) -> tuple[Any, Any]:
        """Return the type of the field, and its default; limits are those of the number, where there may be none."""
        about = self.about
        if type(None) in get_args(hint) and (about.ge, about.le) != (None, None):
            hint = Annotated[get_args(hint)[0], msgspec.Meta(ge=about.ge, le=about.le)] | None
            about = msgspec.Meta(title=about.title, description=about.description, extra=about.extra)
        return Annotated[hint, about], self.default


class InputsMeta(StructMeta):
    """Lets an input type have several bases, and change a default by `name = value` alone.

    `class Gun(Inputs, count="models")` says how many guns an entry stands for: “4 x Lascannon” is four.

    msgspec allows one base with fields, so those of the others are written in. Rulings take their words from a table,
    `class Rulings(Inputs, said=read_rulings(__package__))`, and are refused if the words do not fit the values.
    """

    def __new__(mcls, name: str, bases: tuple[Any, ...], namespace: dict[str, Any], **options: Any) -> InputsMeta:
        """Return the type; its fields are those of its bases in their order, then its own."""
        own, namespace = _taken_apart(namespace)
        if count := options.pop("count", ""):
            namespace["counted_by"] = count
        inherited = {f for base in bases for f in base.__struct_fields__}
        said: Mapping[str, Ruling] | None = options.pop("said", None)
        if said is not None:
            _check_said(name, own, namespace, said)
            namespace |= {field: FieldDeclaration(said[field].about, namespace[field]) for field in own}
        changed = [name for name in namespace if name in inherited and name not in own]
        for field in [name for name, value in namespace.items() if isinstance(value, FieldDeclaration)]:
            hint = own[field]
            known = eval(hint, vars(sys.modules[namespace["__module__"]])) if isinstance(hint, str) else hint
            own[field], namespace[field] = namespace[field].field(known)
        if len(bases) > 1 or changed:
            hints = {name: hint for base in bases for name, hint in get_type_hints(base, include_extras=True).items()}
            parts = ((part.__struct_fields__, part.__struct_defaults__) for part in bases[1:])
            defaults = {name: value for part in parts for name, value in zip(*part, strict=True)}
            own = {name: hints[name] for name in (*defaults, *changed)} | own
            namespace = defaults | namespace
        made = super().__new__(mcls, name, bases[:1], namespace | {"__annotations__": own}, **options)
        if said is not None:
            fields(made)  # words that do not fit their values end here, not on a page
        return made


def _taken_apart(namespace: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the annotations of a class body, which Python 3.14 and newer make when they are asked for, and the
    rest of it.
    """
    rest = dict(namespace)
    own = rest.pop("__annotations__", None)
    if sys.version_info >= (3, 14):
        import annotationlib

        annotate = annotationlib.get_annotate_from_class_namespace(namespace)
        if own is None and annotate is not None:
            own = annotationlib.call_annotate_function(annotate, annotationlib.Format.FORWARDREF)
        for made_later in ("__annotate__", "__annotate_func__", "__conditional_annotations__"):
            rest.pop(made_later, None)
    return dict(own or {}), rest


def _check_said(
    name: str, rulings: Collection[str], defaults: Mapping[str, Any], rulings_said: Mapping[str, Ruling]
) -> None:
    """Refuse rulings without words or default, and words without a ruling."""
    for ruling in rulings:
        if ruling not in rulings_said:
            raise TypeError(f"{name}: rulings.toml does not tell what {ruling} decides")
        if ruling not in defaults:
            raise TypeError(f"{name}: the ruling {ruling} needs a default")
    if strange := [ruling for ruling in rulings_said if ruling not in rulings]:
        raise TypeError(f"{name}: rulings.toml tells of {', '.join(strange)}, and there is no such ruling")


class Inputs(msgspec.Struct, metaclass=InputsMeta, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The base of every input type: frozen, hashable, all fields by name, every field with a default.

    A type may have several bases, and change a default of theirs: `class Flamer(Armed, Gun, frozen=True): range = 20`.
    """

    counted_by: ClassVar[str] = ""  # the input of an entry that says how many of them there are
    unwritten: ClassVar[tuple[str, ...]] = ()  # inputs that a battle file leaves out at their default
    aliases: ClassVar[tuple[tuple[str, str], ...]] = ()  # earlier names of inputs, as older files and habits have them


def pick_fields(given: Struct, *names: str) -> dict[str, Any]:
    """Return what is said of these fields, to make something else of it."""
    return {name: getattr(given, name) for name in names}


class Nothing(Inputs, frozen=True):
    """No inputs."""


PARTS = {
    "count": "how many of them there are: the one number that stands on a card",
    "facing": "the side of a vehicle that is hit, drawn from above",
    "places": "the places of a body, as names",
    "mode": "one of a few ways to do it, each with its odds",
    "circumstance": "what may hold or not, as a chip that says what the answer would become",
    "aside": "what the board moves, or what seldom matters: it stands under All numbers until it is changed",
}
"""What an input is to a player; a form has one component for each, and shows all but the last at once."""


def asked(
    default: T,
    title: str = "",
    clause: str = "",
    *,
    group: str = "",
    role: str = "",
    unit: str = "",
    form: str = "",
    short: str = "",
    chip: str = "",
    known: Mapping[str, str] | Iterable[str] = (),
    profile: str = "",
    worn: bool = False,
    among: Callable[[Any], Mapping[str, str] | Iterable[str]] | None = None,
    beside: str = "",
    about: str = "",
    note: str = "",
    **limits: Any,
) -> T:
    """Declare an input: its default, what it is called, the clause it rests on, and what a form needs to know of it.

        wounds: int = asked(10, "Wounds", "DW-DMG-1", group="target", ge=1, le=500)
        target: str = asked("", "Target", role="foe")

    `about` goes on after the title, where there is room: “Dodge; none if it cannot”, “Damage, such as 2d10+5”.
    `group` is attacker, weapon, target or circumstances; `role` is what an input of an action names in a battle;
    `form` is “save”, “name”, or one of `PARTS`; a `chip` is a circumstance of this short name. `known` are the names
    that a text may be, `profile` the kind of profile that has them, and `among` finds them in the other inputs. What is
    `worn` is a part of another profile: armour, the rounds of a launcher.
    """
    words: dict[str, Any] = {"group": group, "role": role, "unit": unit, "form": form, "short": short, "chip": chip}
    words |= {"known": known, "profile": profile, "worn": worn, "among": among, "beside": beside}
    words |= {"about": about, "note": note}
    return cast(T, FieldDeclaration(described(title, clause, **words, **limits), default))


def described(
    title: str = "",
    clause: str = "",
    *,
    form: str = "",
    short: str = "",
    chip: str = "",
    known: Mapping[str, str] | Iterable[str] = (),
    about: str = "",
    note: str = "",
    ge: float | None = None,
    le: float | None = None,
    **more: Any,
) -> Any:
    """Describe a type that several inputs share, in the words of `asked`: `Skill = Annotated[int, described(…)]`."""
    extra: dict[str, Any] = {**more, "clause": clause, "short": chip or short}
    form = "circumstance" if chip else form
    extra["part" if form in PARTS else "form"] = form
    extra["known"] = dict(known) if isinstance(known, Mapping) else dict.fromkeys(known, "")
    given = {name: value for name, value in extra.items() if value}
    if title:
        given |= {"heading": title, "about": about}
    return msgspec.Meta(
        title=full_title(title, about) or None, description=note or None, ge=ge, le=le, extra=given or None
    )


def full_title(heading: str, about: str) -> str:
    """Return a title with what is said about it.

    >>> full_title("Dodge", "none if it cannot"), full_title("Damage", ", such as 2d10+5"), full_title("HP", "(of all)")
    ('Dodge; none if it cannot', 'Damage, such as 2d10+5', 'HP (of all)')
    """
    joint = {"": "", ",": "", ":": "", "(": " "}.get(about[:1], "; ")
    return heading + joint + about


FARTHEST = 240
"""How far from the middle of things a model may be placed, in inches."""
MOST_ENTRIES = 100
"""How many entries a list may have."""


class Placed(Inputs, frozen=True):
    """A model on the table: its name, where its middle stands in inches, its side, and its base in millimetres."""

    name: Annotated[str, msgspec.Meta(title="Name")] = ""
    x: Annotated[float, msgspec.Meta(title="East", ge=-FARTHEST, le=FARTHEST, extra={"unit": "inches"})] = 0.0
    y: Annotated[float, msgspec.Meta(title="North", ge=-FARTHEST, le=FARTHEST, extra={"unit": "inches"})] = 0.0
    side: Annotated[Literal["enemy", "friend"], msgspec.Meta(title="Side")] = "enemy"
    base: Annotated[float, msgspec.Meta(title="Base", ge=1, le=300, extra={"unit": "mm"})] = 25.0


def model_names(models: Iterable[Placed]) -> tuple[str, ...]:
    """Return what to call each model: its name, with a number where it has none or shares it."""
    given = [model.name or "model" for model in models]
    return tuple(
        name if name != "model" and given.count(name) == 1 else f"{name} {at}" for at, name in enumerate(given, 1)
    )


class Field(Struct, frozen=True):
    """One input, with everything that a form, a command line or a help text needs to know about it."""

    name: str
    kind: str  # whole, number, choice, yes_no, text, names, many (a list of sub-inputs)
    title: str
    description: str
    default: Any
    low: int | None = None
    high: int | None = None
    choices: tuple[Any, ...] = ()
    optional: bool = False
    item: type[Inputs] | None = None
    group: str = ""
    unit: str = ""
    form: str = ""
    clause: str = ""
    role: str = ""
    part: str = ""
    short: str = ""
    beside: str = ""
    known: tuple[tuple[str, str], ...] = ()  # names that it may be, each with a few words about it
    profile: str = ""  # or the kind of profile whose names they are
    worn: bool = False  # a part of what another profile is: armour, the rounds of a launcher
    among: Callable[[Any], Mapping[str, str] | Iterable[str]] | None = None  # or how to find them in the other inputs
    alternatives: tuple[tuple[str, str], ...] = ()
    heading: str = ""  # the title alone
    about: str = ""  # and what the title says after that

    @property
    def every(self) -> tuple[Any, ...]:
        """Every value that it can have, where there are a few: a choice, or yes and no."""
        return (False, True) if self.kind == "yes_no" else self.choices

    @property
    def takes_profile(self) -> bool:
        """Whether it names a unit, vehicle or weapon, not what one of them wears or loads."""
        return self.kind == "text" and (self.form == "name" or (bool(self.profile) and not self.worn))

    @property
    def wants(self) -> str:
        """The values it accepts, in words: “a whole number from 1 to 100”."""
        none = ", or none" if self.optional else ""
        if self.form == "save":
            return f"a save from {self.low}+ to {self.high}+{none}"
        if self.kind in ("whole", "number"):
            word = "a whole number" if self.kind == "whole" else "a number"
            return word + _range(self.low, self.high) + none
        if self.kind == "choice":
            return "one of " + ", ".join(map(str, self.choices)) + none
        if self.kind == "yes_no":
            return "yes or no"
        if self.kind == "whole_list":
            return f"whole numbers{_range(self.low, self.high)} with commas between them"
        if self.form == "places":
            named = "Ork " if self.item is not None and "name" in self.item.__struct_fields__ else ""
            return f"models such as “{named}at 3,4” or “ring 6 at 0,0 spacing 1”"
        if self.kind == "many" and self.item is not None:
            first, *rest = fields(self.item)
            shown = [f for f in rest if f.kind != "many" and f.show(f.default) not in ("", "none")][:2]
            start = _pair(first, first.default) if first.show(first.default) else f"{first.name}=…"
            example = " ".join([start, *(_pair(f, f.default) for f in shown)])
            return f"{self._counted}entries such as “{example}”"
        listed = ", ".join(name for name, _ in self.known if name)
        if self.kind == "names":
            return "names with commas between them" + (f", of {listed}" if listed else "") + none
        return (f"a name of {listed}" if listed else "text") + none

    @property
    def _counted(self) -> str:
        """For a list of things with profiles: that a count and a name will do."""
        assert self.item is not None
        first = fields(self.item)[0]
        if not first.takes_profile or not self.item.counted_by:
            return ""
        return f"“4 x NAME” for four of a {first.name} profile, or "

    def show(self, value: Any) -> str:
        """Return a value as people write it."""
        if value is None:
            return "none"
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, tuple):
            if self.item is not None:
                apart = "; " if is_spot(self.item) else " ; "
                return apart.join(show_place(e) if self.form == "places" else _entry(e) for e in value) or "none"
            return ", ".join(map(str, value)) or "none"
        return f"{value}+" if self.form == "save" else str(value)


@lru_cache(256)
def fields(inputs: type[Inputs]) -> tuple[Field, ...]:
    """Return the inputs of a type, in order."""
    info = mi.type_info(inputs)
    assert isinstance(info, mi.StructType)
    return tuple(_field(field, inputs) for field in info.fields)


def _field(field: mi.Field, inputs: type[Inputs]) -> Field:
    kind: mi.Type = field.type
    meta: dict[str, Any] = {}
    schema: dict[str, Any] = {}
    while isinstance(kind, mi.Metadata):
        meta |= kind.extra or {}
        schema |= kind.extra_json_schema or {}
        kind = kind.type
    optional = False
    if isinstance(kind, mi.UnionType):
        optional = any(isinstance(part, mi.NoneType) for part in kind.types)
        (kind,) = (part for part in kind.types if not isinstance(part, mi.NoneType))
        while isinstance(kind, mi.Metadata):
            meta |= kind.extra or {}
            schema |= kind.extra_json_schema or {}
            kind = kind.type
    default = field.default_factory() if field.default_factory is not msgspec.NODEFAULT else field.default
    low = high = None
    choices: tuple[Any, ...] = ()
    item: type[Inputs] | None = None
    if isinstance(kind, mi.LiteralType):
        name, choices = "choice", _as_written(inputs, field.name, tuple(kind.values))
    elif isinstance(kind, mi.BoolType):
        name = "yes_no"
    elif isinstance(kind, (mi.IntType, mi.FloatType)):
        name, low, high = ("whole" if isinstance(kind, mi.IntType) else "number"), kind.ge, kind.le
    elif isinstance(kind, mi.VarTupleType):
        inner: mi.Type = kind.item_type
        while isinstance(inner, mi.Metadata):
            inner = inner.type
        if isinstance(inner, mi.StructType) and issubclass(inner.cls, Inputs):
            name, item = "many", inner.cls
        elif isinstance(inner, mi.IntType):
            name, low, high = "whole_list", inner.ge, inner.le
        else:
            name = "names"
    elif isinstance(kind, mi.StrType):
        name = "text"
    else:
        raise TypeError(f"an input cannot be of the type {kind}")
    title = schema.get("title", field.name.replace("_", " ").capitalize())
    heading, about = meta.get("heading", ""), meta.get("about", "")
    if full_title(heading, about) != title:  # of another layer of its type
        heading, about = title, ""
    made = Field(
        name=field.name,
        kind=name,
        title=title,
        description=schema.get("description", ""),
        default=default,
        low=low,  # type: ignore[arg-type]
        high=high,  # type: ignore[arg-type]
        choices=choices,
        optional=optional,
        item=item,
        group=meta.get("group", ""),
        unit=meta.get("unit", ""),
        form="places" if item is not None and is_placed(item) else meta.get("form", ""),
        clause=meta.get("clause", ""),
        role=meta.get("role", ""),
        part=meta.get("part", ""),
        short=meta.get("short", ""),
        beside=meta.get("beside", ""),
        known=tuple(meta.get("known", {}).items()),
        profile=meta.get("profile", ""),
        worn=meta.get("worn", False),
        among=meta.get("among"),
        heading=heading,
        about=about,
    )
    means = meta.get("alternatives")
    return made if means is None else replace(made, alternatives=_alternatives(made, dict(means)))


def _alternatives(ruling: Field, means: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Return what each value of a ruling means, in the order of the code; refuses words that do not fit the values."""
    values = ["yes", "no"] if ruling.kind == "yes_no" else [ruling.show(choice) for choice in ruling.choices]
    if not values:
        values = [ruling.show(parse_value(ruling, value)) for value in means]
    elif ruling.optional:
        values.insert(0, "none")
    wanted = dict.fromkeys([ruling.show(ruling.default), *values])
    if {*means} != {*wanted} or next(iter(means)) != next(iter(wanted)):
        raise TypeError(
            f"rulings.toml needs words for {', '.join(wanted)} of {ruling.name}, the default first; "
            f"got them for {', '.join(means) or 'nothing'}"
        )
    return tuple((value, means[value]) for value in values)


def _as_written(inputs: type[Inputs], name: str, values: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the values of a Literal in the order of the code, which msgspec loses."""
    for home in inputs.__mro__:
        hint = getattr(home, "__annotations__", {}).get(name)
        if isinstance(hint, str):
            try:
                hint = eval(hint, vars(sys.modules[home.__module__]), dict(vars(home)))
            except Exception:  # a name defined elsewhere: keep the order of msgspec
                continue
        written = tuple(dict.fromkeys(literal for literal in _literals(hint) if literal in values))
        if len(written) == len(values):
            return written
    return values


def _literals(hint: Any) -> Iterator[Any]:
    for argument in getattr(hint, "__args__", ()):
        yield from _literals(argument) if hasattr(argument, "__args__") else (argument,)


def parse_inputs(inputs: type[I], given: Mapping[str, Any], source: str = "") -> I:
    """Return inputs from plain values or texts.

    A misfit is a sentence that names the field, what would do and what came.
    """
    known = _by_name(inputs)
    values: dict[str, Any] = {}
    for name, value in _with_spot(known, given).items():
        field = (
            known.get(name) or known.get(str(name).replace("-", "_")) or known.get(dict(inputs.aliases).get(name, ""))
        )
        if field is None:
            like = nearest(str(name), known)
            hint = f" Did you mean {like}?" if like else f" Known: {', '.join(known)}."
            name_text = echo(name) if isinstance(name, str) else repr(name)
            raise BadInput(f"there is no input {name_text} here.{hint}", field=name, source=source)
        if field.name in values:
            raise BadInput.of(field.name, "is given twice; say it once.", source=source)
        values[field.name] = parse_value(field, value, source)
    return inputs(**values)


def _with_spot(known: Mapping[str, Field], given: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the same values; a place that is said in one word, at=14,16, as its x and y.

    Where a path is wanted, a place is a path of one leg.
    """
    has_place, path = {"x", "y"} <= known.keys(), known.get("path")
    leg = path is not None and path.item is not None and is_spot(path.item) and not has_place and "path" not in given
    if "at" not in known and (has_place or leg) and isinstance(text := given.get("at"), str):
        spot = _SPOT.fullmatch(re.sub(r"\s+", "", text))
        if spot is None:
            raise BadInput(f"at must be a place such as 14,16; got {echo(text)}.", field="at")
        given = {**{name: value for name, value in given.items() if name != "at"}, "x": spot[1], "y": spot[2]}
    if leg and {"x", "y"} <= given.keys():
        others = {name: value for name, value in given.items() if name not in ("x", "y")}
        return {**others, "path": [{"x": given["x"], "y": given["y"]}]}
    return given


SPOKEN = {
    "attacker": ("attacker", "shooter", "firer"),
    "target": ("target", "defender", "enemy", "foe", "victim", "opponent"),
    "weapon": ("weapon", "gun"),
}
"""What players call the acting unit, its target and the weapon."""
MOST_WORDS = 3
"""How long a title may be to be taken for a name."""


@lru_cache(256)
def spoken_names(inputs: type[Inputs]) -> Mapping[str, str]:
    """Return other words for inputs, by which an unknown name finds them: short names, titles, entries that have a
    part.
    """
    words: dict[str, str] = {}
    for field in fields(inputs):
        for said in (field.short, field.title):
            if said and len(said.split()) <= MOST_WORDS:
                words.setdefault(re.sub(r"\W+", "_", said.lower()).strip("_"), field.name)
    for group, called in SPOKEN.items():
        own = [field for field in fields(inputs) if field.group == group]
        homes = [field for field in own if field.takes_profile] or [field for field in own if field.item]
        for word in called if homes else ():
            words.setdefault(word, homes[0].name)
    return {word: name for word, name in words.items() if word not in inputs.__struct_fields__}


def value_of(values: Any, name: str) -> Any:
    """Return the value of an input by a typed name; None if there is no such input."""
    return getattr(values, name) if isinstance(values, Struct) and name in values.__struct_fields__ else None


def part_of(inputs: Struct, *names: str, **others: str) -> dict[str, Any]:
    """Return what these inputs are, as far as there are such; `others` by the names that they have elsewhere."""
    known = {**{name: name for name in names}, **others}
    return {own: getattr(inputs, name) for name, own in known.items() if hasattr(inputs, name)}


def read_plain(inputs: type[Inputs], given: Mapping[str, Any], source: str = "") -> dict[str, Any]:
    """Return values in the types of their inputs, so that `fill` meets no others.

    Lists of entries stay as they came, because `fill` knows how players write them; so does what is no input. A text
    may be a whole number: cover of 4 points.
    """
    known = _by_name(inputs)
    values: dict[str, Any] = {}
    for name, value in given.items():
        field = known.get(name)
        if field is None:
            values[name] = value
        elif field.kind == "text" and type(value) is int:
            values[name] = str(value)
        elif field.item is None:
            values[name] = parse_value(field, value, source)
        elif isinstance(value, Mapping):
            values[name] = read_plain(field.item, value, _place(field, 1, source))
        elif isinstance(value, (list, tuple)):
            values[name] = [
                read_plain(field.item, entry, _place(field, at, source)) if isinstance(entry, Mapping) else entry
                for at, entry in enumerate(value, 1)
            ]
        else:
            values[name] = value if isinstance(value, (str, Inputs)) else parse_value(field, value, source)
    return values


def parse_value(field: Field, value: Any, source: str = "") -> Any:
    """Return one value for a field."""
    if isinstance(value, Inputs) and field.item is not None:
        value = (value,)
    empty = value is None or (isinstance(value, str) and value.strip().lower() in ("none", "-", "—", ""))
    if empty and _choice(field, value) is _MISFIT:
        if field.optional:
            return None
        if field.kind in ("many", "names", "whole_list"):
            return ()
        if field.kind == "text" and value is not None:
            return value.strip()  # a name may well be “None” or “-”
    elif field.kind == "many":
        return _parse_many(field, value, source)
    else:
        parsed = _PARSERS[field.kind](field, value)
        if parsed is not _MISFIT:
            return parsed
    value_text = "nothing" if value is None else echo(value) if isinstance(value, str) else _plain_text(value)
    raise Misfit(field.name, field.wants, value_text, clause=field.clause, source=source)


_MISFIT: Any = object()


_UNITS = {
    "inches": '"|″|in|inch|inches',
    "metres": "m|metres?|meters?",
    "mm": "mm",
    "degrees": "°|deg|degrees?",
}
"""How people write the unit of a number."""


def _without_unit(field: Field, text: str) -> str:
    """Return a number as people write it, 40 m or 10", without the unit that it has anyway."""
    match = re.fullmatch(rf"(.*\d\.?)\s*(?:{_UNITS[field.unit]})", text.strip(), re.I) if field.unit in _UNITS else None
    return match[1] if match else text


def _whole(field: Field, value: Any) -> Any:
    if isinstance(value, str):
        text = _without_unit(field, value).strip().replace("_", "").replace(",", "")
        text = text[:-1] if field.form == "save" and text.endswith("+") else text
        if not re.fullmatch(r"[+-]?[0-9]{1,18}", text):
            return _MISFIT
        value = int(text)
    if isinstance(value, bool) or not isinstance(value, int):
        return _MISFIT
    return value if _within(field, value) else _MISFIT


def _number(field: Field, value: Any) -> Any:
    try:
        number = float(_without_unit(field, value) if isinstance(value, str) else value)
    except (TypeError, ValueError, OverflowError):
        return _MISFIT
    return number if not isinstance(value, bool) and isfinite(number) and _within(field, number) else _MISFIT


def _choice(field: Field, value: Any) -> Any:
    for choice in field.choices:
        if choice == value or str(choice).lower() == str(value).strip().lower():
            return choice
    return _MISFIT


def _yes_no(field: Field, value: Any) -> Any:
    if isinstance(value, bool):
        return value
    words = {"yes": True, "true": True, "on": True, "1": True, "no": False, "false": False, "off": False, "0": False}
    return words.get(str(value).strip().lower(), _MISFIT)


_DICE = re.compile(r"\d*d\d+.*|\d+", re.IGNORECASE)


def _text(field: Field, value: Any) -> Any:
    if isinstance(value, int) and not isinstance(value, bool) and _DICE.fullmatch(str(field.default)):
        value = str(value)  # where dice are wanted, a plain number will do
    return value if isinstance(value, str) and len(value) <= 200 and value.isprintable() else _MISFIT


def _names(field: Field, value: Any) -> Any:
    parts = re.split("[,;]", value) if isinstance(value, str) else value
    if not isinstance(parts, (list, tuple)) or not all(isinstance(part, str) for part in parts):
        return _MISFIT
    return tuple(part.strip() for part in parts if part.strip())


def _whole_list(field: Field, value: Any) -> Any:
    parts = re.sub("[,;]", " ", value).split() if isinstance(value, str) else value
    if isinstance(parts, int):
        parts = [parts]
    if not isinstance(parts, (list, tuple)) or len(parts) > 200:
        return _MISFIT
    numbers = tuple(_whole(field, part) for part in parts)
    return _MISFIT if _MISFIT in numbers else numbers


_PARSERS = {
    "whole": _whole,
    "number": _number,
    "choice": _choice,
    "yes_no": _yes_no,
    "text": _text,
    "names": _names,
    "whole_list": _whole_list,
}


def _parse_many(field: Field, value: Any, source: str) -> tuple[Inputs, ...]:
    entries: Any = [value] if isinstance(value, Mapping) else value
    if isinstance(value, str):
        entries = split_entries(value) if field.item is None else _split_places_and_names(field.item, value)
    if field.form == "places" and isinstance(entries, (list, tuple)):
        parts = [part for entry in entries for part in (split_entries(entry) if isinstance(entry, str) else (entry,))]
        entries = [model for at, entry in enumerate(parts, 1) for model in _models(field, entry, at, source)]
    if isinstance(value, (list, tuple)) and len(entries) > MOST_ENTRIES:
        raise Misfit(field.name, f"a list of {MOST_ENTRIES} at most", f"{len(entries)}", source=source)
    if not isinstance(entries, (list, tuple)) or len(entries) > MOST_ENTRIES or field.item is None:
        raise Misfit(field.name, field.wants, _plain_text(value), source=source)
    parsed: list[Inputs] = []
    for at, entry in enumerate(entries, 1):
        where = _place(field, at, source)
        if isinstance(entry, field.item):
            parsed.append(entry)
        elif isinstance(entry, Mapping):
            parsed.append(parse_inputs(field.item, entry, where))
        elif isinstance(entry, str):
            first = fields(field.item)[0]
            parsed.append(
                parse_inputs(field.item, parse_pairs(entry, where, first.name * (first.form == "name")), where)
            )
        else:
            raise Misfit(field.name, field.wants, _plain_text(entry), source=source)
    return tuple(parsed)


def _split_places_and_names(item: type[Inputs], text: str) -> list[Any]:
    """Return entries in one text: a path as “20,11; 20,14” or “20,11 20,14”, names as “Battle cannon, Lascannon”."""
    entries = split_entries(text)
    if is_spot(item):
        spots = [re.sub(r"(?<=[0-9])\s*,\s*(?=[+-]?[0-9.])", ",", entry).split() for entry in entries]
        bare = [all(_SPOT.fullmatch(word) for word in words) for words in spots]
        return [
            part
            for entry, words, plain in zip(entries, spots, bare, strict=True)
            for part in ([_at(word) for word in words] if plain else [entry])
        ]
    first = fields(item)[0]
    if first.form == "name" and not first.profile and "=" not in text:
        return [name.strip() for entry in entries for name in entry.split(",") if name.strip()]
    return entries


def _at(word: str) -> dict[str, str]:
    spot = _SPOT.fullmatch(word)
    assert spot is not None
    return {"x": spot[1], "y": spot[2]}


@lru_cache(256)
def is_spot(item: type[Inputs]) -> bool:
    """Return whether entries of this type are places, and nothing but places."""
    return set(item.__struct_fields__) == {"x", "y"}


# --- models on a table ------------------------------------------------------------------------------------------------

_NUMBER = r"[+-]?(?:[0-9]++(?:\.[0-9]++)?|\.[0-9]++)"
_SPOT = re.compile(rf"({_NUMBER}),({_NUMBER})")
_HOW = "“ring 6 at 0,0 spacing 1 facing 90 name=Ork”; formations are " + ", ".join(FORMATIONS)


@lru_cache(256)
def is_placed(item: type[Inputs]) -> bool:
    """Return whether entries of this type stand on a table: they have x and y, and a base or a radius."""
    names = set(item.__struct_fields__)
    return {"x", "y"} <= names and bool(names & {"base", "radius"})


def _models(field: Field, entry: Any, at: int, source: str) -> Sequence[Any]:
    """Return the models that an entry places: one, or those of a formation."""
    if not isinstance(entry, str) or field.item is None:
        return (entry,)
    where = _place(field, at, source)
    import shlex

    try:
        words = shlex.split(re.sub(r"(?<=[0-9]),\s+(?=[+-]?[0-9.])", ",", entry))
    except ValueError:
        return (entry,)  # the pairs cannot be read either, and the error says why
    formations = [word for word in words if "=" not in word]
    pairs = parse_pairs(" ".join(map(quoted, (word for word in words if "=" in word))), where)
    if not formations:
        return (pairs,)
    if [word.lower() for word in formations[:2]] == ["two", "ranks"]:
        del formations[0]
    if formations[0].lower() in FORMATIONS and not (
        len(formations) > 1 and (formations[1] == "at" or _SPOT.fullmatch(formations[1]))
    ):
        return _formed(
            field.item, formations[0].lower(), [word for word in formations[1:] if word != "of"], pairs, where
        )
    *name, last = formations
    spot = _SPOT.fullmatch(last)
    if name and name[-1].lower() == "at":
        name.pop()
    if spot is None or (name and "name" not in field.item.__struct_fields__):
        raise Misfit(field.name, field.wants, echo(entry), source=source)
    called = {"name": " ".join(name)} if name else {}
    return ({**called, "x": spot[1], "y": spot[2], **pairs},)


def _formed(
    item: type[Inputs], name: str, words: Sequence[str], pairs: Mapping[str, str], source: str
) -> list[dict[str, Any]]:
    """Return the models of a formation, as entries of a list."""
    values = {"at": "0,0", "spacing": str(SPACING), "facing": "0", **dict(zip(words[1::2], words[2::2], strict=False))}
    own = {key: pairs[key] for key in ("at", "spacing", "facing") if key in pairs and key not in item.__struct_fields__}
    values |= own  # “facing=90” is as good as “facing 90”
    pairs = {key: value for key, value in pairs.items() if key not in own}
    spot = _SPOT.fullmatch(values["at"])
    numbers = [_number(Field("", "number", "", "", 0.0), values[key]) for key in ("spacing", "facing")]
    count = int(words[0]) if words and is_count(words[0]) and len(words[0]) < 4 else 0
    fits = len(words) % 2 == 1 and len(values) == 3 and spot is not None and _MISFIT not in numbers
    if not fits or not 1 <= count <= MOST_ENTRIES or numbers[0] < 0:
        raise BadInput(
            f"a formation of 1 to {MOST_ENTRIES} models reads {_HOW}; got {echo(' '.join([name, *words]))}.",
            source=source,
        )
    assert spot is not None
    model = parse_inputs(item, pairs, source)
    places = formation(
        name,
        count,
        Point(float(spot[1]), float(spot[2])),
        spacing=numbers[0],
        facing=numbers[1],
        base=base_size(model),
    )
    called = pairs.get("name", "")
    return [
        {**pairs, **({"name": f"{called} {at}"} if called and count > 1 else {}), "x": place.x, "y": place.y}
        for at, place in enumerate(places, 1)
    ]


def arranged(models: Sequence[Any], name: str, count: int, spacing: float, item: type[Inputs]) -> tuple[Any, ...]:
    """Set the models on the side of the first in a formation around where they stood; more are like the last.

    All others stay where they are.
    """
    own = first_side(models) or [item()]
    if not 1 <= count <= MOST_ENTRIES - len(models) + len(own):
        raise BadInput(f"a formation needs 1 to {MOST_ENTRIES} models, with all others in the list; got {count}.")
    middle = Point(sum(model.x for model in own) / len(own), sum(model.y for model in own) / len(own))
    size = max(map(base_size, own))
    places = formation(name, count, Point(round(middle.x, 1), round(middle.y, 1)), spacing=spacing, base=size)
    kept = [*own[:count], *(_like(own[-1], at) for at in range(len(own) + 1, count + 1))]
    placed = [replace(model, x=place.x, y=place.y) for model, place in zip(kept, places, strict=True)]
    return (*placed, *(model for model in models if _side(model) != _side(own[0])))


def first_side(models: Sequence[Any]) -> list[Any]:
    """Return the models on the side of the first one, which a formation is made of."""
    return [model for model in models if _side(model) == _side(models[0])]


def _side(model: Any) -> Any:
    return getattr(model, "side", getattr(model, "friend", None))


def _like(model: Any, number: int) -> Any:
    """Return another model of the same kind, with a number of its own."""
    name = re.sub(r"\s*\d+$", "", getattr(model, "name", ""))
    return replace(model, name=f"{name} {number}") if name else model


def base_size(model: Inputs) -> float:
    """Return the diameter of a model's base in inches."""
    radius = getattr(model, "radius", None)
    return float(getattr(model, "base", 0)) / 25.4 if radius is None else 2 * float(radius)


def show_place(model: Inputs) -> str:
    """Return a model on the table as people write it: “Ork at 3,4 base=32”."""
    name = getattr(model, "name", "")
    words = [word.lower() for word in name.split()]
    if not re.fullmatch(r"[\w .#+-]*", name) or "at" in words or {*words[:1]} & {*FORMATIONS, "two"}:
        return show_inputs(model)
    spot = ",".join(_plain_number(getattr(model, axis)) for axis in ("x", "y"))
    rest = [
        _pair(field, getattr(model, field.name))
        for field in fields(type(model))
        if field.name not in ("name", "x", "y") and _differs(field, model)
    ]
    return " ".join([*name.split(), "at", spot, *rest])


def _plain_number(value: float) -> str:
    return str(int(value)) if value == int(value) else str(value)


def _place(field: Field, at: int, source: str) -> Place:
    """Return where an entry of a list stands."""
    return Place(field.name, at, source)


def split_entries(text: str) -> list[str]:
    """Return several entries in one text, with “;” between them, or “+” or “and” before a count; not inside quotes.

    >>> split_entries("2 lascannons; meltagun"), split_entries("2 lascannons and 1 meltagun")
    (['2 lascannons', 'meltagun'], ['2 lascannons', '1 meltagun'])
    """
    if "=" not in text:
        text = re.sub(r"\s(?:\+|and|&)\s+(?=\d)", ";", text)
    parts = re.findall(r"""(?:="[^"]*"|='[^']*'(?:"'"'[^']*')*|[^;])+""", text)
    return [part.strip() for part in parts if part.strip()]


_BEFORE_PAIRS = re.compile(r"\s*((?![\w-]+=)\S+\s*)*")


def parse_pairs(text: str, source: str = "", first: str = "") -> dict[str, str]:
    """Return `power=6 name="Storm carbine"` as a mapping; words before all pairs are the value of `first`."""
    import shlex

    before = _BEFORE_PAIRS.match(text) if first else None
    words = before[0] if before else ""
    try:
        pairs = [word.rstrip(",").partition("=") for word in shlex.split(text[len(words) :])]
    except ValueError as error:
        raise BadInput(f"{echo(text)} cannot be read: {error}", source=source) from None
    for name, equals, _ in pairs:
        if not equals or not name:
            raise BadInput(f"an entry needs name=value pairs; got {echo(text)}", source=source)
    if words.strip():
        name = words.strip("\"' ,")
        if not name:
            raise BadInput(f"an entry needs a name or name=value pairs; got {echo(text)}", source=source)
        pairs.insert(0, (first, "=", name))
    values = {name: value for name, _, value in pairs}
    if len(values) < len(pairs):
        raise BadInput(
            f"an entry says each name once, and several entries are given one by one; got {echo(text)}", source=source
        )
    return values


def show_inputs(values: Inputs) -> str:
    """Return inputs as `name=value` pairs that `parse_pairs` reads back.

    Defaults are left out, “;” stands between entries.
    """
    return " ".join(
        _pair(field, getattr(values, field.name)) for field in fields(type(values)) if _differs(field, values)
    )


def _differs(field: Field, values: Inputs) -> bool:
    return bool(getattr(values, field.name) != field.default)


def _pair(field: Field, value: Any) -> str:
    return f"{field.name}={quoted(field.show(value))}"


def quoted(text: str) -> str:
    """Return a word quoted for a shell and for `parse_pairs`.

    In double quotes if it contains single ones and that is safe.
    """
    from shlex import quote

    if "'" in text and not set(text) & set('"$`\\!'):
        return f'"{text}"'
    return f"'{text}'" if "=" in text and quote(text) == text else quote(text)


def _pairs(values: Inputs) -> str:
    first = fields(type(values))[0]
    return show_inputs(values) or _pair(first, getattr(values, first.name))


def _entry(values: Inputs) -> str:
    """Return an entry of a list as players write it: a place as 14,16, a thing by its name, the rest as pairs."""
    if is_spot(type(values)):
        return f"{_plain_number(value_of(values, 'x'))},{_plain_number(value_of(values, 'y'))}"
    first = fields(type(values))[0]
    name = value_of(values, first.name)
    if first.form != "name" or not isinstance(name, str) or not re.fullmatch(r"[^\s=;,'\"]+( [^\s=;,'\"]+)*", name):
        return _pairs(values)
    rest = [_pair(field, value_of(values, field.name)) for field in fields(type(values))[1:] if _differs(field, values)]
    return " ".join([name, *rest])


def _within(field: Field, value: float) -> bool:
    return (field.low is None or value >= field.low) and (field.high is None or value <= field.high)


def _range(low: int | None, high: int | None) -> str:
    if low is not None and high is not None:
        return f" from {low:,} to {high:,}"
    return f" of {low:,} or more" if low is not None else f" of {high:,} or less" if high is not None else ""


def _plain_text(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 60 else text[:57] + "…"


@lru_cache(256)
def _by_name(inputs: type[Inputs]) -> dict[str, Field]:
    return {field.name: field for field in fields(inputs)}
