// What if: every element with data-if="facing=side" gets the figure that the answer would become with that choice
// (data-if="mode=full@jammed": the figure of another measure). It is asked for once the answer stands there, so the answer
// never waits for it; while a new one comes the old ones pale. What there was no time for is asked for again, until all
// of it is there.

import { PAUSES } from "./late.js";

const CALM = 120; // milliseconds after an answer, so that a slider on its way does not ask for each of its stops
const MOST = 60; // as many as the server takes at once
const KEPT = 40;
const BUSY = 429;
const known = new Map(); // the figures of the last questions, by their addresses
let waiting = 0;
let asking = null; // to drop the request if another answer comes

const slots = () => [...document.querySelectorAll("[data-if]")].filter((slot) => !slot.closest("details:not([open])"));
const address = () => document.querySelector("#answer .answer")?.dataset.address;
const troubled = () => document.querySelector("#trouble .trouble");

function pale(is) {
  for (const slot of document.querySelectorAll("[data-if]")) slot.classList.toggle("stale", is && slot.textContent !== "");
}

let last = {}; // what was told last: it stays, pale, in pictures that come anew with an answer

function fill(figures, { stale = false, waits = false } = {}) {
  last = figures;
  for (const slot of slots()) {
    const { text = "", words = "", why = "", same = false, still = false } = figures[slot.dataset.if] ?? {};
    const shown = same && slot.matches(".then") ? "no change" : text.replaceAll(" ", "\u00a0");
    if (waits && !(slot.dataset.if in figures)) continue; // it is on its way
    slot.classList.toggle("stale", stale && text !== "");
    slot.classList.toggle("same", same || still);
    slot.classList.toggle("none", !stale && !text && !why); // it is too much work
    if (!slot.dataset.if.includes("@")) refuse(slot, troubled() ? "" : why);
    if (slot.textContent !== shown) slot.textContent = shown;
    if (slot.namespaceURI.endsWith("svg")) continue; // its title is that of the part of the picture
    if (why || words) slot.title = why || words;
    else slot.removeAttribute("title");
  }
  for (const row of document.querySelectorAll("#ask .segrow, #ask .chips")) explain(row);
  document.dispatchEvent(new CustomEvent("battletape:whatif", { detail: stale ? {} : figures }));
}

// What cannot be chosen stays in its place, grey, and its row says why in a sentence.
function refuse(slot, why) {
  slot.classList.toggle("refused", why !== "");
  const input = slot.closest("label")?.querySelector("input:not([type=hidden])");
  if (!input) return;
  const grey = why !== "" && !input.checked;
  input.closest("label").classList.toggle("grey", grey);
  if (grey) Object.assign(input.dataset, { why });
  else delete input.dataset.why;
  if (grey) input.setAttribute("aria-disabled", "true");
  else input.removeAttribute("aria-disabled");
}

function explain(row) {
  const whys = new Map(); // a reason → the choices that it keeps from being taken
  for (const input of row.querySelectorAll("[data-why]")) {
    const name = input.closest("label").querySelector("b, span").textContent;
    whys.set(input.dataset.why, [...(whys.get(input.dataset.why) ?? []), name]);
  }
  const words = [...whys].map(([why, names]) => {
    const [first] = why.split(/; |(?<=\.) /); // what would do instead is in the title of the choice
    const short = first.endsWith(".") ? first : `${first}.`;
    return short.toLowerCase().startsWith(names[0].toLowerCase()) ? short : `${names.join(", ")}: ${short}`;
  }).join("\n");
  const home = row.matches("ul") ? row.parentElement : row;
  let place = [...home.children].find((one) => one.matches(".whynot"));
  if (!place && !words) return;
  if (!place) {
    place = document.createElement("small");
    place.className = "whynot";
    place.id = `why-${[...document.querySelectorAll("#ask .segrow, #ask .chips")].indexOf(row)}`;
    row.matches("ul") ? row.after(place) : row.append(place);
  }
  if (place.textContent !== words) place.textContent = words;
  for (const input of row.querySelectorAll("input")) {
    if (input.dataset.why) input.setAttribute("aria-describedby", place.id);
    else if (input.getAttribute("aria-describedby") === place.id) input.removeAttribute("aria-describedby");
  }
}

document.addEventListener("click", (event) => {
  const input = event.target.closest?.("#ask [data-why]");
  if (!input) return;
  event.preventDefault(); // also for the arrow keys of a radio: the choice before stays
  event.stopPropagation();
  const said = document.getElementById("said");
  if (said) said.textContent = input.dataset.why;
}, true);

async function ask(tries = 0) {
  const here = address();
  const aims = [...document.querySelectorAll("[data-best]")].map((one) => one.dataset.best); // where the board draws a ghost
  const few = slots().map((slot) => slot.dataset.if).slice(0, MOST - aims.length);
  const keys = [...new Set([...few, ...aims])]; // the best aim takes longest: last, it has what time the others leave
  if (!here || !keys.length || troubled() || document.querySelector("svg.moving")) return; // a base in hand goes first
  const figures = figuresOf(here);
  const missing = keys.filter((key) => !(key in figures));
  if (missing.length < keys.length) fill(figures, { waits: missing.length > 0 });
  if (!missing.length) return;
  const [path, query = ""] = here.split("?");
  const asked = new URLSearchParams(query);
  for (const key of missing) asked.append("_if", key);
  asking = new AbortController();
  let got = {};
  try {
    const reply = await fetch(`${path}/whatif?${asked}`, { signal: asking.signal });
    if (reply.ok) got = await reply.json();
    else if (reply.status < 500 && reply.status !== BUSY) return; // it would be refused again
  } catch (error) {
    if (error.name === "AbortError") return; // nobody waits for it any more
  }
  if (here !== address()) return;
  Object.assign(figures, got);
  const left = missing.filter((key) => !(key in figures));
  if (left.length < missing.length) fill(figures, { waits: left.length > 0 });
  if (!left.length) return;
  const failed = left.length < missing.length ? 0 : tries + 1;
  const pause = failed ? PAUSES[Math.min(failed - 1, PAUSES.length - 1)] : 0;
  waiting = setTimeout(() => ask(failed), 1000 * pause);
}

// The figures that are known of a question.
function figuresOf(here) {
  if (!known.has(here)) known.set(here, {});
  if (known.size > KEPT) known.delete(known.keys().next().value);
  return known.get(here);
}

export function askSoon() {
  clearTimeout(waiting);
  asking?.abort();
  waiting = setTimeout(ask, CALM);
}

document.addEventListener("htmx:beforeRequest", ({ detail }) => {
  if (detail.requestConfig.elt.id === "ask") pale(true);
});
document.addEventListener("htmx:afterSettle", ({ detail }) => {
  if (detail.requestConfig?.elt?.id !== "ask") return;
  fill(last, { stale: true });
  askSoon();
});
document.addEventListener("toggle", ({ target }) => {
  if (target.open && target.querySelector("[data-if]")) askSoon();
}, true);
askSoon();
