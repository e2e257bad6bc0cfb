// Variants pinned for a comparison: kept on this device, up to four of the same question.

import { listOf, load, local, save, text } from "./store.js";

const MOST = 4;
const MOST_IN_ALL = 60;
const cut = (address) => {
  const at = address.indexOf("?");
  return at < 0 ? [address, ""] : [address.slice(0, at), address.slice(at + 1)];
};
const answer = () => document.querySelector("#answer .answer[data-address]");

// What the page itself is told does not make another variant; profiles of one's own do.
function question(query) {
  const kept = query.split("&").filter((one) => one && (!one.startsWith("_") || one.startsWith("_own=")));
  return kept.join("&");
}

const reader = listOf(
  ({ path, query, said }) => local(path) && typeof query === "string" && { path, query, said: text(said) },
  MOST_IN_ALL,
);
const pinned = (path) => load("pins", reader).filter((one) => one.path === path).slice(0, MOST);

function change(path, make) {
  const others = load("pins", reader).filter((one) => one.path !== path);
  const now = make(pinned(path)).slice(0, MOST);
  return save("pins", [...others, ...now].slice(-MOST_IN_ALL));
}

function together(path, queries) {
  const [first, ...rest] = queries;
  const variants = rest.map((one) => `_variant=${encodeURIComponent(`?${one}`)}`);
  return `${path}/compare?${[first, ...variants].filter(Boolean).join("&")}`;
}

function tell(words) {
  const said = document.getElementById("said");
  if (said) said.textContent = words;
}

function item(one, path) {
  const row = document.createElement("li");
  const words = document.createElement("span");
  words.textContent = one.said;
  const off = document.createElement("button");
  off.type = "button";
  off.className = "small";
  off.textContent = "Unpin";
  off.setAttribute("aria-label", `Unpin: ${one.said}`);
  off.addEventListener("click", () => {
    change(path, (pins) => pins.filter((other) => other.query !== one.query));
    tell("Unpinned.");
    show();
    document.querySelector("[data-pin]")?.focus();
  });
  row.append(words, off);
  return row;
}

function show() {
  const place = document.querySelector("[data-pins]");
  if (!place || !answer()) return;
  const [path, query] = cut(answer().dataset.address);
  const pins = pinned(path);
  place.hidden = pins.length === 0;
  place.replaceChildren();
  const here = pins.some((one) => one.query === question(query));
  const button = document.querySelector("[data-pin]");
  if (button) {
    button.textContent = here ? "Pinned" : "Pin to compare";
    button.setAttribute("aria-pressed", String(here));
  }
  if (!pins.length) return;
  const list = document.createElement("ul");
  list.append(...pins.map((one) => item(one, path)));
  const go = document.createElement("a");
  go.className = "btn";
  const queries = pins.map((one) => one.query);
  if (!here && queries.length < MOST) queries.push(question(query));
  go.href = together(path, queries);
  go.textContent = `Compare ${here || pins.length === MOST ? "the" : "with"} ${pins.length} pinned`;
  place.append(list, go);
}

document.addEventListener("click", (event) => {
  if (!event.target.closest("[data-pin]") || !answer()) return;
  const { address, said } = answer().dataset;
  const [path, query] = cut(address);
  const one = { path, query: question(query), said };
  const pins = pinned(path);
  if (pins.some((other) => other.query === one.query)) {
    change(path, (now) => now.filter((other) => other.query !== one.query));
    tell("Unpinned.");
  } else if (pins.length >= MOST) {
    tell("Four are pinned already: unpin one first.");
    show();
    document.querySelector("[data-pin]").textContent = "Four are pinned: unpin one";
    return;
  } else {
    tell(change(path, (now) => [...now, one]) ? "Pinned." : "This device keeps nothing; use Compare instead.");
  }
  show();
});

// In a comparison, a profile that is tapped is added at once; with the keys, a list is walked through first.
let byKey = false;
document.addEventListener("keydown", () => (byKey = true), true);
document.addEventListener("pointerdown", () => (byKey = false), true);
document.addEventListener("change", ({ target }) => {
  const form = target.closest?.("#add");
  if (!form || byKey || !target.matches('select[name="_to"][data-reform]') || !target.value || form.elements._at) return;
  form.requestSubmit();
});

document.addEventListener("htmx:afterSettle", () => {
  show();
  const compared = document.querySelector("#compared .versus[data-said]");
  if (compared) tell(compared.dataset.said);
});
window.addEventListener("storage", (event) => {
  if (event.key === null || event.key.endsWith(".pins")) show(); // pinned in another tab
});
show();
