"""What a device keeps may have any shape: no page breaks, what can be read is read, and the rest is set aside."""

from __future__ import annotations

import json

from tests.web.pages import ATTACK

ODD = {"toString": 1, "split": 1, "includes": 1}
HOME = ATTACK.partition("?")[0]
MIXED = {
    **dict.fromkeys(("title", "said", "asked", "number", "short", "result", "verdict", "kind", "name", "toml"), ODD),
    **{"address": HOME, "path": HOME, "query": "", "fits": ODD, "rank": ODD, "inputs": ODD, "at": ODD},
}
SHAPES = [
    *("", "null", "undefined", "0", "-1", "true", '"words"', "NaN", "[]", "{}", "[null]", '[1, "a", true]', "[[]]"),
    *("[{}]", "{cut", "[" * 20_000, '{"__proto__": {"toml": 1}}', '{"length": 3}', '{"toml": 1}', '{"toml": null}'),
    *('{"toml": "", "entries": {}}', '{"toml": "", "entries": [null, 1]}', '{"entries": [{"fits": 1}]}'),
    *('[{"address": 1, "path": 1, "query": 1}]', '[{"address": "//elsewhere/x", "path": "javascript:x"}]'),
    json.dumps([MIXED]),
    json.dumps({"toml": "", "entries": [MIXED, {**MIXED, "name": "x", "fits": "attack:weapon"}]}),
    json.dumps([{**MIXED, "at": 9.9}]).replace("9.9", "1e999"),
    json.dumps([{"address": HOME, "path": HOME, "query": "power=2", "at": -1e300}] * 500),
]
TRY = """async ([shapes, names]) => {
  const wrong = [];
  let now = "";
  addEventListener("error", (event) => wrong.push(`${now}: ${event.message}`));
  addEventListener("unhandledrejection", (event) => wrong.push(`${now}: ${event.reason}`));
  Object.defineProperty(document, "hidden", { get: () => true });
  const main = document.querySelector("script[type=module]").src;
  const { showRecent } = await import(main.replace("main.js", "recent.js"));
  const { start } = await import(main.replace("main.js", "units.js"));
  const settled = new CustomEvent("htmx:afterSettle", { detail: { target: document.getElementById("rolled") } });
  const moves = [
    () => document.dispatchEvent(settled),
    () => document.dispatchEvent(new Event("visibilitychange")),
    () => dispatchEvent(new StorageEvent("storage", { key: null })),
    showRecent, // these two as when a page is opened
    start,
  ];
  for (const shape of shapes) {
    now = shape.slice(0, 60);
    for (const move of moves) {
      names.forEach((name) => localStorage.setItem(`battletape.1.${name}`, shape));
      try {
        move();
      } catch (error) {
        wrong.push(`${now}: ${error}`);
      }
    }
  }
  return wrong.slice(0, 8);
}"""
GOOD = {
    "recent": [{"address": HOME, "title": "Attack", "said": "2 fall", "at": 1}, None, {"address": HOME + "?power=2"}],
    "pins": [{"path": HOME, "query": "power=2", "said": "power 2"}, 7],
    "profiles.attack_dice": {"toml": 5, "entries": "none"},
}


def test_misshapen_storage_breaks_no_page_and_what_can_be_read_is_read(open_page):
    names = ["recent", "rolls", "pins", "profiles.attack_dice"]
    for address in ("/", ATTACK, f"{HOME}/roll?_seed=7", "/attack_dice/units"):
        page = open_page(address)
        assert page.evaluate(TRY, [SHAPES, names]) == [], address
    page = open_page(ATTACK)
    page.evaluate(
        "kept => { for (const name in kept) localStorage['battletape.1.' + name] = JSON.stringify(kept[name]) }", GOOD
    )
    page.reload()
    assert "power 2" in page.locator("[data-pins] li").inner_text()
    aside = "localStorage['battletape.aside.profiles.attack_dice']"
    assert page.evaluate(aside) == json.dumps(GOOD["profiles.attack_dice"], separators=(",", ":"))
    page.goto(page.url.partition(HOME)[0] + "/")
    assert page.locator("#recent li").count() >= 2
