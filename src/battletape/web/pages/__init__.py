"""The pages: one module for each flow, with its routes and the jobs behind them."""

from __future__ import annotations

from fastapi import APIRouter

from battletape.web.pages import (
    calculator,
    compare,
    decide,
    dice,
    home,
    printing,
    question,
    roll,
    rules,
    share,
    takeaway,
    targets,
    units,
    whatif,
)

ROUTERS: tuple[APIRouter, ...] = (
    share.router,
    calculator.router,
    home.router,
    roll.router,
    dice.router,
    rules.router,
    takeaway.router,
    compare.router,
    targets.router,
    decide.router,
    units.router,
    printing.router,
    whatif.router,
    question.router,
)
"""In this order, because the address of a question matches any two words."""
