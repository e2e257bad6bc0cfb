// What if: every element with data-if="facing=side" gets the figure that the answer would become with that choice
// (data-if="mode=full@jammed": the figure of another measure). It is asked for once the answer stands there, so the answer
// never waits for it; while a new one comes the old ones pale.

const CALM = 120; // milliseconds after an answer, so that a slider on its way does not ask for each of its stops
const MOST = 60; // as many as the server takes at once
const KEPT = 40;
const known = new Map(); // the figures of the last questions, by their addresses and alternatives
let waiting = 0;
let asking = null; // to drop the request if another answer comes

const slots = () => [...document.querySelectorAll("[data-if]")].filter((slot) => !slot.closest("details:not([open])"));
const address = () => document.querySelector("#answer .answer")?.dataset.address;
const troubled = () => document.querySelector("#trouble .trouble");

function pale(is) {
  for (const slot of document.querySelectorAll("[data-if]")) slot.classList.toggle("stale", is && slot.textContent !== "");
}

let last = {}; // what was told last: it stays, pale, in pictures that come anew with an answer

function fill(figures, { stale = false } = {}) {
  last = figures;
  for (const slot of slots()) {
    const { text = "", words = "", why = "" } = figures[slot.dataset.if] ?? {};
    slot.classList.toggle("stale", stale && text !== "");
    slot.classList.toggle("refused", why !== "");
    if (slot.textContent !== text) slot.textContent = text;
    if (slot.namespaceURI.endsWith("svg")) continue; // its title is that of the part of the picture
    if (why || words) slot.title = why || words;
    else slot.removeAttribute("title");
  }
  document.dispatchEvent(new CustomEvent("whatif:filled"));
}

async function ask() {
  const here = address();
  const keys = [...new Set(slots().map((slot) => slot.dataset.if))].slice(0, MOST);
  if (!here || !keys.length || troubled() || document.querySelector("svg.moving")) return; // a base in hand goes first
  const [path, query = ""] = here.split("?");
  const asked = new URLSearchParams(query);
  for (const key of keys) asked.append("_if", key);
  const url = `${path}/whatif?${asked}`;
  if (known.has(url)) return void fill(known.get(url));
  asking = new AbortController();
  try {
    const reply = await fetch(url, { signal: asking.signal });
    if (!reply.ok) return;
    const figures = await reply.json();
    if (here !== address()) return;
    known.set(url, figures);
    if (known.size > KEPT) known.delete(known.keys().next().value);
    fill(figures);
  } catch {
    // nobody waits for it any more, or there is no connection: then the figures stay away
  }
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
