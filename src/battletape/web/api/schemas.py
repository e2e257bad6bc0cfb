"""Schemas: the JSON Schema of a question's inputs, and the OpenAPI document of all questions, from the types alone."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec

from battletape import registry
from battletape._version import VERSION
from battletape.calculator import EXAMPLES, MOST_LETTERS
from battletape.sheets import PAPERS
from battletape.system import Question, Ruleset
from battletape.views.catalogue import RulesetView, plain_example
from battletape.views.profiles import BookView
from battletape.views.rules import ClauseUse, RulesView
from battletape.views.sheets import SheetView
from battletape.web.api import shapes, sheets

MOST_WORDS = 200
"""The most characters of a search in the rules."""
ALWAYS = ("404", "405", "414", "421", "422", "429", "431", "500", "503")
"""The statuses of problems that any address can give."""
REF = "#/components/schemas/"
QUERY: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("read", {"type": "string", "enum": ["odds", "roll", "advice", "whatif"], "default": "odds"}, "How to answer."),
    ("measure", {"type": "array", "items": {"type": "string"}}, "Only these measures; for advice, the goal."),
    (
        "most",
        {"type": "integer", "minimum": 1, "maximum": 1000, "default": 100},
        "At most this many rows for each measure.",
    ),
    ("seed", {"type": "string"}, "The luck of a roll: the same seed rolls the same dice."),
    ("answer", {"type": "array", "items": {"type": "string"}}, "Dice and decisions in order; an empty one is rolled."),
    (
        "rest",
        {"type": "string", "enum": ["rolled", "ask"], "default": "rolled"},
        "What is not answered: rolled, or asked.",
    ),
    ("side", {"type": "array", "items": {"type": "string"}}, "For advice: SIDE=max, min, first or last."),
    ("if", {"type": "array", "items": {"type": "string"}, "maxItems": 60}, "For whatif: NAME=VALUE, such as front=11."),
)


@lru_cache(64)
def inputs_schema(card: Ruleset, question: Question) -> dict[str, Any]:
    """Return the JSON Schema of the body: the inputs, the rulings and the preset in one object."""
    schema, components = _inputs(card, question, "#/$defs/")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "$defs": components}


def _inputs(card: Ruleset, question: Question, ref: str) -> tuple[dict[str, Any], dict[str, Any]]:
    (_, _), components = msgspec.json.schema_components((question.inputs, card.rulings), ref_template=ref + "{name}")
    own = components.pop(_name(question.inputs, components))
    rulings = components.pop(_name(card.rulings, components))
    preset = {"type": "string", "enum": list(card.presets), "description": "A named set of rulings to start from."}
    properties = {**rulings["properties"], **own["properties"]}
    if card.presets:
        properties.setdefault("preset", preset)
    schema = {
        "title": question.title,
        "type": "object",
        "properties": properties,
        "required": [],
        "additionalProperties": False,
    }
    return schema, components


def _name(wanted: type, components: dict[str, Any]) -> str:
    """Return the name under which msgspec put a type; two types of one name get longer ones."""
    return next(
        component
        for component in components
        if component == wanted.__name__ or component.endswith(f".{wanted.__name__}")
    )


@lru_cache(1)
def openapi() -> dict[str, Any]:
    """Return the OpenAPI document: a path for each question of each ruleset, with its true schema."""
    shown = (list[RulesetView], shapes.QuestionShape, shapes.Reply, RulesView, ClauseUse, BookView)
    more = (list[SheetView], sheets.Order, shapes.Problem, shapes.DiceShape)
    (systems, question, reply, rules, clause, book, listed, order, problem, forms), components = (
        msgspec.json.schema_components((*shown, *more), ref_template=REF + "{name}")
    )
    problems = {"application/problem+json": {"schema": problem}}
    paths: dict[str, Any] = {
        "/api/v1/rulesets": _get("Every ruleset and its questions.", "rulesets", systems, problems),
        "/api/v1/dice": _get("What dice may be asked about.", "dice.shape", forms, problems),
    }
    paths["/api/v1/dice"]["post"] = _dice(reply, problems)
    for name in registry.names():
        card = registry.ruleset(name)
        tag = [card.title]
        root = f"/api/v1/{name}"
        for asked in card.questions:
            schema, inner = _inputs(card, asked, f"{REF}{name}.")
            components |= {f"{name}.{key}": value for key, value in inner.items()}
            key = f"{name}.{asked.name}"
            components[key] = schema
            path = _get(f"What “{asked.title}” takes.", f"{key}.shape", question, problems, tag)
            path["post"] = _post(asked, key, reply, problems, tag)
            paths[f"{root}/questions/{asked.name}"] = path
        words = [{"name": "words", "in": "query", "schema": {"type": "string", "maxLength": MOST_WORDS}}]
        paths[f"{root}/clauses"] = _get(
            "The clauses that hold every word.", f"{name}.clauses", rules, problems, tag, words
        )
        first = next(iter(card.clauses)).id
        place = [{"name": "id", "in": "path", "required": True, "schema": {"type": "string"}, "example": first}]
        paths[f"{root}/clauses/{{id}}"] = _get(
            "One clause, and where it is used.", f"{name}.clause", clause, problems, tag, place
        )
        paths[f"{root}/profiles"] = _get("Units and weapons.", f"{name}.profiles", book, problems, tag)
        if card.sheets:
            paths[f"{root}/sheets"] = _get("What can be printed.", f"{name}.sheets", listed, problems, tag)
            paths[f"{root}/sheets/{{sheet}}"] = _sheet(card, order, problems, tag)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Battletape",
            "version": VERSION,
            "description": "Exact odds, rolls and advice for tabletop battles. Unofficial.",
        },
        "paths": paths,
        "components": {"schemas": components},
    }


def _dice(reply: dict[str, Any], problems: dict[str, Any]) -> dict[str, Any]:
    """Return any dice by POST, with those options that dice have."""
    known = [(name, schema, about) for name, schema, about in QUERY if name not in ("read", "side", "if")]
    known.insert(0, ("read", {"type": "string", "enum": ["odds", "roll"], "default": "odds"}, "How to answer."))
    text = {"type": "string", "minLength": 1, "maxLength": MOST_LETTERS, "description": "The dice, such as 8d6 5+."}
    schema = {"type": "object", "properties": {"dice": text}, "required": ["dice"], "additionalProperties": False}
    return {
        "summary": "Any dice worked out or rolled.",
        "operationId": "dice",
        "tags": ["All"],
        "parameters": [_option(*option) for option in known],
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": schema, "example": {"dice": EXAMPLES[0]}}},
        },
        "responses": _responses(reply, problems, "400", "413", *ALWAYS),
    }


def _option(name: str, schema: dict[str, Any], about: str) -> dict[str, Any]:
    return {"name": name, "in": "query", "description": about, "schema": schema, "required": False}


def _sheet(card: Ruleset, order: dict[str, Any], problems: dict[str, Any], tags: list[str]) -> dict[str, Any]:
    """Return a sheet by GET, blank or for profiles, and by POST from anything."""
    names = {"type": "string", "enum": [sheet.name for sheet in card.sheets]}
    place = {"name": "sheet", "in": "path", "required": True, "schema": names}
    query = [
        ("profile", {"type": "array", "items": {"type": "string"}}, "Units and vehicles by name."),
        ("paper", {"type": "string", "enum": list(PAPERS)}, "The size of the paper."),
        ("format", {"type": "string", "enum": list(sheets.TYPES)}, "PDF, or one page as a picture."),
        ("page", {"type": "integer", "minimum": 1, "maximum": 1000}, "Which page, for pictures."),
    ]
    options = [{"name": name, "in": "query", "schema": schema, "description": about} for name, schema, about in query]
    files = {kind: {"schema": {"type": "string", "format": "binary"}} for kind in sheets.TYPES.values()}
    replies = _responses({}, problems, "400", "413", *ALWAYS)
    replies["200"] = {"description": "The sheet.", "content": files}
    body = {"required": False, "content": {"application/json": {"schema": order}}}
    shared = {"tags": tags, "responses": replies}
    blank = {"summary": "A sheet, blank or for profiles.", "operationId": f"{card.name}.sheet"}
    filled = {"summary": "A sheet from a battle, a question or a list.", "operationId": f"{card.name}.sheet_from"}
    return {
        "get": {**blank, "parameters": [place, *options], **shared},
        "post": {**filled, "parameters": [place], "requestBody": body, **shared},
    }


def _get(
    summary: str,
    operation: str,
    schema: dict[str, Any],
    problems: dict[str, Any],
    tags: list[str] | None = None,
    parameters: list[dict[str, Any]] | None = None,
) -> dict[str, Any]:
    return {
        "get": {
            "summary": summary,
            "operationId": operation,
            "tags": tags or ["All"],
            "parameters": parameters or [],
            "responses": _responses(schema, problems, *ALWAYS),
        }
    }


def _post(
    question: Question, key: str, reply: dict[str, Any], problems: dict[str, Any], tags: list[str]
) -> dict[str, Any]:
    parameters = [_option(*option) for option in QUERY]
    return {
        "summary": question.title,
        "operationId": key,
        "tags": tags,
        "parameters": parameters,
        "requestBody": {
            "required": False,
            "content": {"application/json": {"schema": {"$ref": REF + key}, "example": plain_example(question)}},
        },
        "responses": _responses(reply, problems, "400", "413", *ALWAYS),
    }


def _responses(schema: dict[str, Any], problems: dict[str, Any], *statuses: str) -> dict[str, Any]:
    replies: dict[str, Any] = {
        "200": {"description": "The answer.", "content": {"application/json": {"schema": schema}}}
    }
    return replies | {status: {"description": "What does not fit.", "content": problems} for status in statuses}
