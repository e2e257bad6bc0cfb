// An answer that is late, or cannot come: what stands there turns grey and says what it is the answer to, nothing in it
// can be used, and the page asks again by itself until it has the right one.

const LATE = 300; // milliseconds after which what is shown turns grey
const LONG = 1_000; // after which the page says that it still waits
export const PAUSES = [1, 2, 4, 8, 15]; // seconds before the next try; the last one again and again
const BUSY = 429;
const places = new Map(); // the places that wait for something, by their ids
const askers = new Map(); // how to ask again for a place, where sending the same again will not do

const form = () => document.getElementById("ask");

// --- what an answer is the answer to: the rows of the form in words, as they were when it was asked ------------------

function valueOf(row) {
  const list = row.querySelector("select");
  if (list) return list.selectedOptions[0]?.text ?? "";
  const chip = row.querySelector("[data-chip]");
  if (chip) return chip.checked ? "yes" : "no";
  const boxes = [...row.querySelectorAll("input[type=radio], input[type=checkbox]")];
  if (boxes.length) return boxes.filter((one) => one.checked).map((one) => (one.nextElementSibling ?? one.parentElement).textContent.trim()).join(", ") || "none";
  return row.querySelector("input[type=number], input[type=text]")?.value || "none";
}

function rows() {
  const found = new Map();
  for (const row of form()?.querySelectorAll("[data-row]") ?? []) {
    const entry = row.closest(".entry")?.getAttribute("aria-label") ?? "";
    const title = row.dataset.title ?? row.querySelector(".name > :first-child").textContent;
    found.set(row.dataset.row, { title: /\d/.test(entry) ? `${entry}: ${title}` : title, value: valueOf(row) });
  }
  return found;
}

let wanted = 0; // counts the changes of the form
let sent = 0; // the last one that was sent
let sentRows = rows();
let answered = sentRows; // what the answer on the page was asked with

const MOST = 3;
function about() {
  const now = rows();
  const differ = [...answered].filter(([name, one]) => now.get(name)?.value !== one.value);
  const told = differ.slice(0, MOST).map(([, one]) => `${one.title} ${one.value}`).join(", ");
  const more = differ.length > MOST ? ` and ${differ.length - MOST} more` : "";
  return told ? `this is the answer to ${told}${more}` : "this is the answer from before";
}

// --- a place that waits -----------------------------------------------------------------------------------------------

function pending(id) {
  const known = places.get(id);
  if (known) return known;
  const place = { id, tries: 0, timers: [] };
  places.set(id, place);
  const after = (wait, act) => place.timers.push(setTimeout(act, wait));
  after(LATE, () => grey(id));
  after(LONG, () => tell(id, "Still waiting"));
  return place;
}

function grey(id) {
  const target = document.getElementById(id);
  const place = places.get(id);
  if (!target || !place) return;
  if (target.contains(document.activeElement)) place.focused = document.activeElement.id; // what is inert loses it
  target.classList.add("late");
  target.setAttribute("aria-busy", "true");
  const parts = [...target.children].filter((part) => !part.matches("#trouble, .sticky"));
  for (const part of [...parts, ...target.querySelectorAll(":scope > .sticky .btn")]) {
    if (part.inert) continue;
    part.inert = true;
    part.dataset.late = "";
  }
}

function tell(id, why) {
  const target = document.getElementById(id);
  const place = places.get(id);
  if (!target || !place) return;
  place.why = why;
  const words = `${why}: ${id === "answer" ? about() : "this is from before"}. ${place.retry ? "Trying again." : ""}`.trim();
  if (!place.note) {
    place.note = document.createElement("p");
    place.note.className = "note waits-for";
    target.before(place.note);
  }
  place.note.textContent = words;
  const bar = target.querySelector(":scope > .sticky span");
  if (bar) bar.textContent = words;
  const said = document.getElementById("said");
  if (said && said.textContent !== words) said.textContent = words;
}

function done(id) {
  const place = places.get(id);
  if (!place) return;
  places.delete(id);
  place.timers.forEach(clearTimeout);
  clearTimeout(place.retry);
  place.note?.remove();
  const target = document.getElementById(id);
  target?.classList.remove("late");
  target?.removeAttribute("aria-busy");
  for (const part of target?.querySelectorAll("[data-late]") ?? []) {
    part.inert = false;
    delete part.dataset.late;
  }
  if (place.focused && document.activeElement === document.body) {
    document.getElementById(place.focused)?.focus({ preventScroll: true });
  }
}

function failed(detail, why) {
  const { target, elt } = detail.requestConfig ?? detail;
  if (!target?.id) return;
  if (target.id === "beside") return besideFailed(target, why);
  const place = pending(target.id);
  place.timers.forEach(clearTimeout);
  place.timers = [];
  const pause = PAUSES[Math.min(place.tries, PAUSES.length - 1)];
  const asked = Number(detail.xhr?.getResponseHeader("Retry-After")) || 0;
  place.tries += 1;
  place.again = askers.get(target.id) ?? (() => sendAgain(detail.requestConfig, elt));
  clearTimeout(place.retry);
  place.retry = setTimeout(place.again, 1000 * Math.max(pause, asked));
  grey(target.id);
  tell(target.id, why);
}

// The same again; what a button or a script had added is not in the form, and goes along.
function sendAgain({ verb, path, target, formData }, elt) {
  if (!elt.isConnected) return;
  const own = new Set([...(elt.elements ?? [])].filter((one) => one.type !== "submit").map((one) => one.name));
  const values = Object.fromEntries([...formData].filter(([name]) => !own.has(name)));
  window.htmx.ajax(verb.toUpperCase(), path, { source: elt, target, values });
}

// A rule is read on purpose: it does not open by itself minutes later.
function besideFailed(beside, why) {
  beside.innerHTML = '<div class="besidehead"><h2></h2><button type="button" class="small" data-close="beside">Close</button></div><p>The rule could not be fetched. Open it again in a moment.</p>';
  beside.querySelector("h2").textContent = why;
  beside.hidden = false;
  beside.focus({ preventScroll: true });
}

// --- the form, which changes before anything is sent ------------------------------------------------------------------

export function changed() {
  wanted += 1;
  const place = pending("answer");
  if (place.note) tell("answer", place.why);
}

export function askAgainWith(id, asker) {
  askers.set(id, asker);
}

document.addEventListener("htmx:beforeRequest", ({ detail }) => {
  const { target, elt } = detail.requestConfig;
  if (!target?.id || target.id === "beside") return;
  clearTimeout(pending(target.id).retry);
  if (elt.id !== "ask") return;
  sent = wanted;
  sentRows = rows();
});

document.addEventListener("htmx:beforeSwap", (event) => {
  const { detail } = event;
  const { status } = detail.xhr;
  const { target } = detail.requestConfig;
  if (status >= 500 || status === BUSY) {
    detail.shouldSwap = false;
    const page = new DOMParser().parseFromString(detail.xhr.responseText, "text/html");
    failed(detail, page.querySelector(".says")?.textContent.replace(/\.$/, "") || "The server cannot answer now");
  } else if (target?.id) {
    done(target.id);
  }
});

document.addEventListener("htmx:afterSettle", ({ detail }) => {
  if (detail.requestConfig?.elt?.id !== "ask") return;
  if (sent === wanted) return void (answered = rows()); // another profile may have brought numbers of its own
  answered = sentRows;
  pending("answer");
});

for (const name of ["htmx:sendError", "htmx:timeout"]) {
  document.addEventListener(name, ({ detail }) => failed(detail, "No connection"));
}

function now() {
  if (document.visibilityState === "hidden") return;
  for (const place of places.values()) {
    if (!place.again) continue;
    clearTimeout(place.retry);
    place.again();
  }
}
window.addEventListener("online", now);
document.addEventListener("visibilitychange", now);
