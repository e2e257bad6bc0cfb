// One's own units and weapons: the list is kept on this device as text, and the server only reads and checks it.

import { began, landed } from "./entries.js";
import { reader } from "./lists.js";
import { load, save } from "./store.js";

const list = () => document.getElementById("list");
const text = () => list()?.querySelector('textarea[name="toml"]');
const key = () => `profiles.${list().dataset.ruleset}`;
const kept = () => load(key(), reader);
let typed = false; // whether somebody has written in the text field since it was last kept

function send(values) {
  return window.htmx.ajax("POST", list().getAttribute("action"), { source: list(), target: "#own", swap: "innerHTML", values });
}

function keep() {
  if (!list() || "link" in list().dataset) return;
  typed = false;
  const now = { toml: text().value, entries: JSON.parse(list().dataset.kept) };
  if (JSON.stringify(now) === JSON.stringify(kept())) return;
  if (!save(key(), now)) say("This device keeps nothing: export the list as a file before you leave.");
}

function say(words) {
  const said = document.getElementById("said");
  if (said && words) said.textContent = words;
}

// At first the list comes from the device, unless a link or the page itself has brought one.
export function start() {
  if (!list() || text().value.trim()) return;
  const { toml } = kept();
  if (!toml.trim()) return;
  text().value = toml;
  send({ _do: "check" });
}

document.addEventListener("htmx:afterSettle", ({ detail }) => {
  if (detail.target?.id !== "own" || !list()) return;
  document.getElementById("trouble")?.replaceChildren();
  keep();
  const done = landed(list());
  say(done || list().dataset.said);
  const editor = document.getElementById("editor-h");
  if (!editor) return;
  const wrong = document.querySelector(".editor [role=alert] a");
  const first = wrong ? document.querySelector(wrong.getAttribute("href")) : null;
  if (done) return;
  editor.scrollIntoView({ block: "start" });
  (first ?? document.querySelector(".editor input:not([type=hidden])") ?? editor).focus({ preventScroll: true });
});

// Another tab may have changed the list: what is sent is always the newest, unless somebody writes here.
document.addEventListener("htmx:configRequest", ({ detail }) => {
  if (detail.elt === list()) began(detail.parameters["_do"], list());
  if (detail.elt !== list() || typed || "link" in list().dataset) return;
  if (detail.parameters["_do"] !== "undo") detail.parameters["toml"] = kept().toml || text().value;
});
window.addEventListener("storage", (event) => {
  if (!list() || typed || !event.key?.endsWith(key()) || "link" in list().dataset) return;
  text().value = kept().toml;
  if (!document.querySelector(".editor")) send({ _do: "check" });
});

document.addEventListener("input", ({ target }) => {
  if (target === text()) typed = true;
});

document.addEventListener("click", (event) => {
  const outside = event.target.closest('button[form="list"]');
  if (outside) {
    event.preventDefault();
    send({ _do: outside.value });
  }
  const line = event.target.closest("[data-line]");
  if (line) showLine(Number(line.dataset.line));
  if (event.target.closest("[data-keep-link]")) keepLink();
});

function keepLink() {
  const more = text().value;
  text().value = kept().toml;
  delete list().dataset.link;
  send({ _do: "merge", more });
}

function showLine(number) {
  const field = text();
  field.closest("details").open = true;
  const lines = field.value.split("\n");
  const from = lines.slice(0, number - 1).join("\n").length + (number > 1 ? 1 : 0);
  field.focus();
  field.setSelectionRange(from, from + (lines[number - 1]?.length ?? 0));
  field.scrollTop = (number - 3) * parseFloat(getComputedStyle(field).lineHeight);
}

// A new entry may start from one of the book.
document.addEventListener("change", ({ target }) => {
  if (!target.matches?.("[data-like]")) return;
  send({ _do: target.value ? `like:${target.dataset.like}:${target.value}` : `new:${target.dataset.like}` });
});

document.addEventListener("change", async ({ target }) => {
  if (!target.matches?.("[data-import]") || !target.files.length) return;
  const [file] = target.files;
  if (file.size > 256_000) {
    say(`${file.name} is too large: a list has 256,000 bytes or fewer.`);
    return;
  }
  send({ _do: "merge", more: await file.text() });
});

// The browser itself saves the file: htmx must not see this, nor remember the button.
document.addEventListener(
  "submit",
  (event) => {
    if (!event.submitter?.hasAttribute("data-export")) return;
    event.stopImmediatePropagation();
    event.submitter.blur();
  },
  true,
);

start();
