"""Charts as Vega-Lite specifications: the picture of the page once more, for a document or a chat."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import Any

from msgspec import Struct

from battletape.views.answer import MeasureView
from battletape.views.export import Grid
from battletape.web.charts import Chart, Column, chart

SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"
WIDTH, HEIGHT = 640, 300
LINE = 86
"""How many letters of the sentence fit on a line."""
HEAD, BODY = (
    "Georgia, 'Liberation Serif', 'DejaVu Serif', serif",
    "'Liberation Sans', 'DejaVu Sans', Helvetica, sans-serif",
)


class Look(Struct, frozen=True):
    """The colours of a picture: those of the page."""

    paper: str
    ink: str
    soft: str
    rule: str
    attack: str
    defend: str


LOOKS = {
    "light": Look("#fffdf7", "#1e2026", "#625d50", "#d9d0bc", "#a63a22", "#1f6670"),
    "dark": Look("#1c1f25", "#ece7db", "#aaa392", "#383c45", "#ec7a5f", "#63bcc4"),
}


def vega_lite(measure: MeasureView, sentence: str, lines: tuple[str, ...] = (), look: str = "light") -> dict[str, Any]:
    """Return the chart of a measure below its sentence, as a specification that any Vega-Lite can draw."""
    colours = LOOKS[look]
    drawn = chart(measure)
    values = [_values(column, at) for at, column in enumerate(drawn.columns)]
    body = _columns(drawn, colours) if drawn.kind == "columns" else _rows(drawn, colours)
    under = [*(part for line in lines for part in wrap(line, LINE + 14)), *([drawn.note] if drawn.note else [])]
    frame = _frame(sentence or measure.title, [_measured(measure), *under], colours)
    frame["title"]["frame"] = "group" if drawn.kind == "columns" else "bounds"
    axis = {
        "labelColor": colours.soft,
        "labelFontSize": 12,
        "titleColor": colours.soft,
        "gridColor": colours.rule,
        "domainColor": colours.soft,
        "tickColor": colours.rule,
    }
    legend = {"labelColor": colours.ink, "labelFontSize": 12.5, "symbolSize": 140, "title": None}
    return {
        **frame,
        "description": f"{measure.title}: {sentence}",
        "width": WIDTH,
        "data": {"name": "chances", "values": values},
        **body,
        "config": {**frame["config"], "axis": axis, "legend": legend},
    }


def grid_spec(grid: Grid, look: str = "light") -> dict[str, Any]:
    """Return a table of figures as a picture: the stronger the colour, the more."""
    colours = LOOKS[look]
    values = [
        {
            "row": row[0],
            "column": "\n".join(wrap(head, 13)),
            "text": text,
            "share": grid.shares[down][across] if grid.shares else 0,
        }
        for down, row in enumerate(grid.rows)
        for across, (head, text) in enumerate(zip(grid.head[1:], row[1:], strict=True))
    ]
    label = {"labelColor": colours.ink, "labelFontSize": 12.5, "ticks": False, "domain": False, "title": None}
    lines = max(len(wrap(head, 13)) for head in grid.head[1:])
    heads = {**label, "orient": "top", "labelAngle": 0, "labelLimit": 130, "labelPadding": 8 + 15 * (lines - 1)}
    heads |= {"labelExpr": "split(datum.label, '\\n')"}
    across = {"field": "column", "type": "nominal", "sort": None, "axis": heads}
    down = {"field": "row", "type": "nominal", "sort": None, "axis": {**label, "labelLimit": 260}}
    fill = {"field": "share", "type": "quantitative", "scale": {"domain": [0, 1], "range": [0.03, 1]}, "legend": None}
    dark = {"test": "datum.share > 0.55", "value": colours.paper}
    text = {"type": "text", "fontSize": 13, "fontWeight": 600}
    return {
        **_frame(grid.sentence, [part for line in grid.about for part in wrap(line, LINE + 14)], colours),
        "data": {"name": "figures", "values": values},
        "width": {"step": 92},
        "height": {"step": 30},
        "encoding": {"x": across, "y": down},
        "layer": [
            {"mark": {"type": "rect", "color": colours.attack}, "encoding": {"opacity": fill}},
            {"mark": text, "encoding": {"text": {"field": "text"}, "color": {"condition": dark, "value": colours.ink}}},
        ],
    }


def _frame(sentence: str, under: Sequence[str], colours: Look) -> dict[str, Any]:
    """Return what every picture shares: the sentence above, what was asked below it, paper and letters."""
    return {
        "$schema": SCHEMA,
        "description": sentence,
        "background": colours.paper,
        "padding": 20,
        "title": {
            "text": wrap(sentence, LINE),
            "subtitle": list(under),
            "anchor": "start",
            "frame": "bounds",
            "offset": 18,
            "font": HEAD,
            "fontSize": 17,
            "fontWeight": 600,
            "lineHeight": 22,
            "color": colours.ink,
            "subtitleFont": BODY,
            "subtitleFontSize": 12.5,
            "subtitleLineHeight": 17,
            "subtitlePadding": 8,
            "subtitleColor": colours.soft,
        },
        "config": {"font": BODY, "view": {"stroke": None}},
    }


def _values(column: Column, at: int) -> dict[str, Any]:
    """Return one value as data: chances as numbers from 0 to 1, and the labels where there is room for them."""
    return {
        "at": at,
        "value": column.label,
        "exactly": round(column.bar_height / 100, 4),
        "summed": None if column.dot is None else round(1 - column.dot / 100, 4),
        "exactly_text": f"{column.exactly} %",
        "summed_text": f"{column.summed} %" if column.summed else "",
        "labelled": column.shown in ("both", "wide"),
        "likeliest": column.likeliest,
    }


def _columns(drawn: Chart, colours: Look) -> dict[str, Any]:
    """Return bars for exactly and a line for the sum on one scale; the numbers stand in rows below."""
    across = {"field": "at", "type": "ordinal", "axis": None, "scale": {"paddingInner": 0.28, "paddingOuter": 0.14}}
    names = ["exactly", drawn.sums] if drawn.sums else ["exactly"]
    colour = {"scale": {"domain": names, "range": [colours.attack, colours.defend][: len(names)]}, "legend": _LEGEND}
    up = {
        "type": "quantitative",
        "scale": {"domain": [0, 1]},
        "axis": {"format": ".0%", "values": [0, 0.25, 0.5, 0.75, 1], "title": None, "ticks": False, "domain": False},
    }
    layers: list[dict[str, Any]] = [
        {
            "mark": {"type": "bar"},
            "encoding": {
                "x": across,
                "y": {"field": "exactly", **up},
                "color": {"datum": "exactly", **colour},
                "opacity": {"condition": {"test": "datum.likeliest", "value": 0.95}, "value": 0.55},
            },
        },
        _label("value", 20, colours.ink, across, weight=700, size=14),
        _label("exactly_text", 38, colours.attack, across),
    ]
    if drawn.sums:
        point = {"filled": False, "fill": colours.paper, "size": 50, "strokeWidth": 2.5}
        line = {"type": "line", "strokeWidth": 2.5, "point": point}
        encoding = {"x": across, "y": {"field": "summed", **up}, "color": {"datum": drawn.sums, **colour}}
        dots = {"mark": line, "transform": [{"filter": "isValid(datum.summed)"}], "encoding": encoding}
        layers += [dots, _label("summed_text", 55, colours.defend, across)]
    return {"height": HEIGHT, "layer": layers}


_LEGEND = {"orient": "bottom", "offset": 66, "symbolType": "circle", "title": None}


def _label(
    field: str, below: int, colour: str, across: dict[str, Any], weight: int = 600, size: int = 12
) -> dict[str, Any]:
    return {
        "transform": [{"filter": "datum.labelled"}],
        "mark": {"type": "text", "baseline": "middle", "fontSize": size, "fontWeight": weight, "color": colour},
        "encoding": {"x": across, "y": {"value": HEIGHT + below}, "text": {"field": field}},
    }


def _rows(drawn: Chart, colours: Look) -> dict[str, Any]:
    """Return a bar for each name, with its chance behind it."""
    names = {"field": "value", "type": "nominal", "sort": None, "title": None}
    down = {
        **names,
        "axis": {"labelLimit": 260, "labelFontSize": 13, "labelColor": colours.ink, "ticks": False, "domain": False},
    }
    most = -(-max(column.bar_height for column in drawn.columns) // 25) / 4  # to the next quarter
    share = {"field": "exactly", "type": "quantitative", "scale": {"domain": [0, most]}, "title": None}
    along = {**share, "axis": {"format": ".0%", "tickCount": 5, "ticks": False}}
    bars: dict[str, Any] = {
        "mark": {"type": "bar", "color": colours.attack},
        "encoding": {"opacity": {"condition": {"test": "datum.likeliest", "value": 0.95}, "value": 0.55}},
    }
    texts = "datum.exactly_text" + (
        f" + (datum.summed_text ? '  ({drawn.sums} ' + datum.summed_text + ')' : '')" if drawn.sums else ""
    )
    labels = {
        "transform": [{"calculate": texts, "as": "text"}],
        "mark": {"type": "text", "align": "left", "dx": 6, "fontWeight": 600, "fontSize": 13, "color": colours.ink},
        "encoding": {"text": {"field": "text"}},
    }
    return {"height": {"step": 32}, "encoding": {"y": down, "x": along}, "layer": [bars, labels]}


def _measured(measure: MeasureView) -> str:
    if measure.mean is not None:
        most = f", mostly {measure.low} to {measure.high}" if measure.low != measure.high else ""
        return f"{measure.title}: {measure.mean.text} on average{most}"
    return f"{measure.title}: {measure.chance.percent}" if measure.chance else measure.title
