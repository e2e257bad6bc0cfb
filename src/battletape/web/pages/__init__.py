"""The pages: one module for each flow, with its routes and the jobs behind them."""

from __future__ import annotations

from fastapi import APIRouter

from battletape.web.pages import home, question, rules, takeaway

ROUTERS: tuple[APIRouter, ...] = (home.router, rules.router, takeaway.router, question.router)
"""In this order: a question takes any two words that nobody before it took."""
