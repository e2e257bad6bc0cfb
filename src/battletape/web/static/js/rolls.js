// The rolls of this device: noted when they are shown, listed beside the next one; they never leave it.

import { forget, listOf, load, local, moment, save, text } from "./store.js";

const MOST = 60;
const SHOWN = 12;

function current() {
  const rolled = document.querySelector("[data-rolled]");
  if (!rolled) return null;
  const { address, path, question, system, measure, inputs, result, verdict, rank } = rolled.dataset;
  return { address, path, question, system, measure, inputs, result, verdict, rank: rank === "" ? null : Number(rank), typed: "typed" in rolled.dataset && !("played" in rolled.dataset) };
}

const WORDS = ["path", "question", "system", "measure", "result", "verdict"];
const reader = listOf((one) => {
  if (!local(one.address)) return null;
  const { address, rank, inputs } = one;
  const words = Object.fromEntries(WORDS.map((name) => [name, text(one[name])]));
  const asked = typeof inputs === "string" ? inputs : null;
  return { address, ...words, inputs: asked, rank: Number.isFinite(rank) ? rank : null, typed: one.typed === true, at: moment(one.at) };
}, MOST);
const known = () => load("rolls", reader);

function note() {
  const now = current();
  if (!now) return;
  const before = known();
  const same = before.find((one) => one.address === now.address);
  if (same) return void save("rolls", before.map((one) => (one === same ? { ...same, ...now } : one))); // not rolled again
  save("rolls", [{ ...now, at: Date.now() }, ...before].slice(0, MOST));
}

function summary(rolls, now) {
  const ranked = rolls.filter((one) => one.path === now?.path && one.measure === now?.measure && typeof one.rank === "number");
  if (ranked.length < 2) return "";
  const mean = ranked.reduce((sum, one) => sum + one.rank, 0) / ranked.length;
  return `${ranked.length} rolls of this question: on average higher than ${Math.round(mean * 100)} % of all rolls, where 50 % is fair luck.`;
}

function item(one, now) {
  const row = document.createElement("li");
  const link = document.createElement("a");
  link.href = one.address;
  if (one.address === now?.address) link.setAttribute("aria-current", "true");
  const result = document.createElement("b");
  result.textContent = one.result;
  const what = document.createElement("span");
  what.textContent = [one.path === now?.path ? "" : one.question, one.typed ? "my dice" : ""].filter(Boolean).join(" · ");
  const small = document.createElement("small");
  small.textContent = one.verdict;
  link.append(result, what, small);
  if (typeof one.inputs === "string" && (one.path !== now?.path || one.inputs !== now?.inputs)) {
    const how = document.createElement("small"); // asked otherwise than what is shown now
    how.textContent = one.inputs || "Everything as the form suggests";
    link.append(how);
  }
  row.append(link);
  return row;
}

function show() {
  const place = document.getElementById("rolls");
  if (!place) return;
  const rolls = known();
  const now = current();
  place.hidden = rolls.length === 0;
  place.querySelector("ol").replaceChildren(...rolls.slice(0, SHOWN).map((one) => item(one, now)));
  const words = place.querySelector("[data-summary]");
  words.textContent = summary(rolls, now);
  words.hidden = words.textContent === "";
}

function say() {
  const place = document.getElementById("said");
  const words = document.querySelector("#rolled [data-said]")?.dataset.said;
  if (!place || !words) return;
  // The same words again are a new roll too, and have to be said again.
  place.textContent = place.textContent === words ? `${words}\u00a0` : words;
  document.title = `${words} · Battletape`;
}

document.addEventListener("htmx:afterSettle", ({ detail }) => {
  if (detail.target?.id !== "rolled") return;
  note();
  show();
  say();
});
document.addEventListener("click", (event) => {
  if (!event.target.closest("[data-forget-rolls]")) return;
  forget("rolls");
  show();
});
window.addEventListener("storage", show);
note();
show();
