"""Axe finds nothing serious on any page, light or dark, phone or desk."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe

PAGES = [
    "/",
    "/attack_dice",
    "/attack_dice/attack?hp=2&armour=5&attacks=12&power=6",
    "/attack_dice/chart",
    "/attack_dice/attack?power=x",
    "/vehicles5/kill_time",
    "/vehicles5/ram",
    "/attack_dice/rules",
    "/attack_dice/rules/AD-7",
    "/api",
    "/nope",
]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("address", PAGES)
def test_nothing_serious(open_page, size, scheme, address):
    page = open_page(address, size, scheme=scheme)
    for one in page.locator("details").all():
        one.evaluate("one => { one.open = true }")
    found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    serious = [
        f"{one['id']}: {node['target']} {node['failureSummary'][:200]}"
        for one in found
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"][:3]
    ]
    assert serious == []


def test_nothing_serious_with_a_rule_open(open_page, size):
    page = open_page("/attack_dice/attack", size)
    page.locator(".steps .clause").first.click()
    page.locator("#beside h2").wait_for()
    found = Axe().run(page).response["violations"]
    assert [one["id"] for one in found if one["impact"] in ("serious", "critical")] == []
