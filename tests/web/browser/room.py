"""Whether everything finds room: what sticks out of a page or of its control, and what is squeezed or covered."""

from __future__ import annotations

from playwright.sync_api import Page

OPEN = """() => { for (const one of document.querySelectorAll("details")) one.open = true; }"""
CLIPPED = """() => {
  const words = (one) => (one.value ?? one.textContent).trim().slice(0, 60);
  const told = (what, one) => `${what}: ${one.tagName} .${one.className} ${words(one)}`;
  const seen = (one) => one.checkVisibility({ opacityProperty: true }) && !one.closest(".sr, .skip, .sheeted, option");
  const found = [];
  const wide = document.documentElement.clientWidth;
  const controls = "button, .btn, summary, a, label, .segments span, legend, th, td, .big, .hval";
  for (const one of document.querySelectorAll(controls)) {
    if (!seen(one)) continue;
    const box = one.getBoundingClientRect();
    const inline = getComputedStyle(one).display === "inline";
    const texts = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const home = texts.currentNode.parentElement;
      if (!texts.currentNode.data.trim() || !seen(home) || home.closest("svg") || home.closest("select")) continue;
      const range = document.createRange();
      range.selectNodeContents(texts.currentNode);
      const out = [...range.getClientRects()].some((own) => own.width > 1 &&
        ((!inline && (own.left < box.left - 1.5 || own.right > box.right + 1.5)) ||
         (!one.closest(".scroll, .ask") && own.right > wide + 1.5)));
      if (out) { found.push(told("sticks out", one)); break; }
    }
  }
  for (const one of document.querySelectorAll("input[type=number]")) {
    if (seen(one) && one.value && one.scrollWidth > one.clientWidth + 1) found.push(told("too long for it", one));
  }
  const pen = document.createElement("canvas").getContext("2d");
  for (const one of document.querySelectorAll("select")) {
    const style = getComputedStyle(one);
    const text = one.selectedOptions[0]?.text ?? "";
    pen.font = style.font;
    const room = one.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - 18; // for its arrow
    if (!seen(one) || text.length > 12) continue; // a long name may end in dots
    if (pen.measureText(text).width > room) found.push(told("too long for its list", one));
  }
  for (const one of document.querySelectorAll("body *")) {
    if (one.matches("select, input, textarea, svg, svg *, .scroll, .sticky span") || !seen(one)) continue;
    const style = getComputedStyle(one);
    const cut = (way) => ["hidden", "clip"].includes(way);
    if (cut(style.overflowX) && one.scrollWidth > one.clientWidth + 1) found.push(told("cut", one));
    if (cut(style.overflowY) && one.scrollHeight > one.clientHeight + 1) found.push(told("cut", one));
  }
  return found;
}"""
"""Texts that stick out of their control, fields and boxes that hold more than they show."""
SQUEEZED = """() => {
  const em = (one) => parseFloat(getComputedStyle(one).fontSize);
  const overlap = (one, other) => one.width && other.width && one.right > other.left + 1 && one.left < other.right - 1
    && one.bottom > other.top + 1 && one.top < other.bottom - 1;
  const seen = (one) => one.checkVisibility() && !one.closest(".sr, .sheeted");
  const told = (what, one) => `${what}: ${one.id || one.textContent.trim().slice(0, 60)}`;
  const broken = (one) => one.matches("select") || one.getBoundingClientRect().height > 2 * em(one);
  const narrow = [...document.querySelectorAll("select, .row .name")].filter(seen).filter(broken)
    .filter((one) => one.getBoundingClientRect().width < 5.5 * em(one)).map((one) => told("narrow", one));
  const under = [...document.querySelectorAll(".row")].filter(seen).flatMap((row) => {
    const [name, control] = row.children;
    const box = control.getBoundingClientRect();
    return [...name.querySelectorAll("*")].filter((one) => [...one.getClientRects()].some((own) => overlap(own, box)));
  }).map((one) => told("under its control", one));
  const split = [...document.querySelectorAll("button, .btn, nav a, .chip, label, legend, h1, h2")].filter(seen)
    .filter((one) => {
      const texts = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) {
        for (const word of texts.currentNode.data.matchAll(/[\\p{L}\\d]+/gu)) {
          if (word[0].length > 10) continue;
          const range = document.createRange();
          range.setStart(texts.currentNode, word.index);
          range.setEnd(texts.currentNode, word.index + word[0].length);
          if (new Set([...range.getClientRects()].map((own) => Math.round(own.top))).size > 1) return true;
        }
      }
      return false;
    }).map((one) => told("broken inside a word", one));
  return [...narrow, ...under, ...split];
}"""
"""Lists and names of inputs narrower than a word, names that a control covers, and short words that are broken."""


def amiss(page: Page, width: int) -> list[str]:
    """What does not find room in a page of this width."""
    page.set_viewport_size({"width": width, "height": 740})
    found: list[str] = [*page.evaluate(CLIPPED), *page.evaluate(SQUEEZED)]
    wide = page.evaluate("document.documentElement.scrollWidth")
    return [f"{wide} pixels wide", *found] if wide > width else found
